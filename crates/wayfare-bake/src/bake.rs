//! A bake: the stages one by one, or all at once.

use std::sync::atomic::AtomicBool;

use glam::Vec3;

use crate::progress::{Progress, Stage};
use crate::spans::Prepared;
use crate::{
    AreaVolume, BakeError, BakeSettings, Contours, HeightMesh, Lattice, LevelGeometry, PolygonMesh,
    Regions, SpanField, TileSet, WalkField, Window, filters, spans,
};

/// A level and settings that fit together, ready to be baked.
///
/// ```
/// use wayfare_bake::{Bake, BakeSettings, LevelGeometry, WalkerShape};
///
/// let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 4.0], [4.0, 0.0, 0.0]];
/// let level =
///     LevelGeometry::new(corners.map(Into::into).to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
/// let settings = BakeSettings::for_level(&level, WalkerShape::default());
/// let baked = Bake::new(&level, settings)?.run()?;
/// assert_eq!(baked.polygons.fault(), None);
/// # Ok::<(), wayfare_bake::BakeError>(())
/// ```
pub struct Bake<'a> {
    level: &'a LevelGeometry,
    settings: BakeSettings,
    lattice: Lattice,
    cancel: Option<&'a AtomicBool>,
    report: Option<&'a (dyn Fn(Stage, f32) + Sync)>,
}

/// The result of a bake.
///
/// ```
/// # use wayfare_bake::{Bake, BakeSettings, LevelGeometry, WalkerShape};
/// # let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 4.0], [4.0, 0.0, 0.0]];
/// # let level =
/// #     LevelGeometry::new(corners.map(Into::into).to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
/// let baked = Bake::new(&level, BakeSettings::new(WalkerShape::default()))?.run()?;
/// assert_eq!(baked.polygons.len(), 1);
/// # Ok::<(), wayfare_bake::BakeError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Baked {
    /// The convex polygons.
    pub polygons: PolygonMesh,
    /// Triangles that follow the ground, if the settings ask for them.
    pub heights: Option<HeightMesh>,
}

impl<'a> Bake<'a> {
    /// Checks the settings, and that the level fits into a lattice.
    ///
    /// # Errors
    /// [`BakeError::NoTriangles`], [`BakeError::Setting`], [`BakeError::Volume`] or
    /// [`BakeError::TooLarge`].
    pub fn new(level: &'a LevelGeometry, settings: BakeSettings) -> Result<Self, BakeError> {
        let lattice = Lattice::new(level, &settings)?;
        Self::with_lattice(level, settings, lattice)
    }

    /// Returns the same in a lattice over a larger box: all parts of the box that are baked so
    /// share its cells.
    ///
    /// # Errors
    /// As [`new`](Self::new); [`BakeError::Beyond`] if the level reaches beyond the box.
    pub fn within(
        level: &'a LevelGeometry,
        settings: BakeSettings,
        bounds: [Vec3; 2],
    ) -> Result<Self, BakeError> {
        let lattice = Lattice::over(bounds, &settings)?;
        lattice.check_holds(level.bounds().ok_or(BakeError::NoTriangles)?)?;
        Self::with_lattice(level, settings, lattice)
    }

    /// Returns the bake of a level that the lattice holds.
    pub(crate) fn with_lattice(
        level: &'a LevelGeometry,
        settings: BakeSettings,
        lattice: Lattice,
    ) -> Result<Self, BakeError> {
        for (volume, shape) in level.volumes().iter().enumerate() {
            if let Some(problem) = shape.fault() {
                return Err(BakeError::Volume { volume, problem });
            }
        }
        Ok(Self { level, settings, lattice, cancel: None, report: None })
    }

    /// Stops the bake with [`BakeError::Cancelled`] soon after `cancel` becomes true.
    #[must_use]
    pub fn cancelled_by(mut self, cancel: &'a AtomicBool) -> Self {
        self.cancel = Some(cancel);
        self
    }

    /// Calls `report` from time to time with the stage and its part that is done, from 0 to 1.
    #[must_use]
    pub fn reporting_to(mut self, report: &'a (dyn Fn(Stage, f32) + Sync)) -> Self {
        self.report = Some(report);
        self
    }

    /// Returns the lattice of the bake.
    #[must_use]
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// Returns the volumes of the level.
    #[must_use]
    pub fn volumes(&self) -> &[AreaVolume] {
        self.level.volumes()
    }

    pub(crate) fn level(&self) -> &LevelGeometry {
        self.level
    }

    /// Returns the settings of the bake.
    #[must_use]
    pub fn settings(&self) -> &BakeSettings {
        &self.settings
    }

    /// Returns the same bake without reports of progress.
    pub(crate) fn quiet(&self) -> Bake<'_> {
        Bake { report: None, ..*self }
    }

    pub(crate) fn progress(&self) -> Progress<'_> {
        Progress { cancel: self.cancel, report: self.report }
    }

    /// Returns all stages, by tiles if the settings have a tile side.
    ///
    /// With tiles, the triangles that follow the heights are made for each tile alone: at their
    /// border two tiles may differ by a step in height.
    ///
    /// # Errors
    /// [`BakeError::Memory`], [`BakeError::Work`] or [`BakeError::Cancelled`].
    pub fn run(&self) -> Result<Baked, BakeError> {
        if self.settings.tile_side.is_some() {
            return Ok(TileSet::of(self)?.baked());
        }
        let field = self.field()?;
        let regions = self.regions(&field)?;
        let contours = self.contours(&field, &regions)?;
        let polygons = self.polygons(&contours)?;
        let heights = match self.settings.heights {
            Some(_) => Some(self.heights(&field, &regions, &polygons)?),
            None => None,
        };
        Ok(Baked { polygons, heights })
    }

    /// Stage 1: solid spans.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn spans(&self) -> Result<SpanField, BakeError> {
        let prepared = self.prepared()?;
        let triangles: Vec<u32> = (0..self.level.triangles().len() as u32).collect();
        self.spans_of(&prepared, &triangles, self.lattice.whole())
    }

    pub(crate) fn prepared(&self) -> Result<Prepared, BakeError> {
        Prepared::new(self.level, &self.settings, &self.lattice)
    }

    pub(crate) fn spans_of(
        &self,
        prepared: &Prepared,
        triangles: &[u32],
        window: Window,
    ) -> Result<SpanField, BakeError> {
        let progress = self.progress();
        spans::rasterise(
            self.level,
            prepared,
            triangles,
            &self.lattice,
            window,
            &self.settings,
            &progress,
        )
    }

    /// Stages 1 and 2: solid spans that can be stood on.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn filtered(&self) -> Result<SpanField, BakeError> {
        let mut spans = self.spans()?;
        self.filter(&mut spans)?;
        Ok(spans)
    }

    pub(crate) fn filter(&self, spans: &mut SpanField) -> Result<(), BakeError> {
        let (height, step) = (self.settings.height_cells(), self.settings.step_cells());
        self.progress().at(Stage::Filters, 0, 2)?;
        filters::low_obstacles(spans, step);
        filters::head_room(spans, height);
        self.progress().at(Stage::Filters, 1, 2)?;
        filters::ledges(spans, height, step);
        Ok(())
    }

    /// Stages 1 to 3: the walkable field.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn field(&self) -> Result<WalkField, BakeError> {
        self.field_of(self.filtered()?)
    }

    /// Stage 3 alone: the walkable field of filtered spans of this bake.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    #[expect(clippy::needless_pass_by_value, reason = "the spans are not needed any more")]
    pub fn field_of(&self, spans: SpanField) -> Result<WalkField, BakeError> {
        self.progress().at(Stage::Field, 0, 1)?;
        WalkField::new(&spans, self.level.volumes(), &self.settings)
    }

    /// Stage 4: the regions of a field of this bake.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn regions(&self, field: &WalkField) -> Result<Regions, BakeError> {
        Regions::new(field, field.window(), &self.settings, &self.progress())
    }

    /// Stage 5: the outlines of the regions of a field.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn contours(&self, field: &WalkField, regions: &Regions) -> Result<Contours, BakeError> {
        Contours::new(field, regions, &self.settings, &self.progress())
    }

    /// Stage 6: the polygons within outlines.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn polygons(&self, contours: &Contours) -> Result<PolygonMesh, BakeError> {
        PolygonMesh::new(contours, &self.settings, &self.progress())
    }

    /// Stage 7: triangles that follow the ground within the polygons.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn heights(
        &self,
        field: &WalkField,
        regions: &Regions,
        polygons: &PolygonMesh,
    ) -> Result<HeightMesh, BakeError> {
        HeightMesh::new(field, regions, polygons, &self.settings, &self.progress())
    }
}

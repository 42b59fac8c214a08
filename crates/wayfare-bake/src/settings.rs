//! Settings, with units, ranges and defaults.

use crate::{BakeError, LevelGeometry};

/// The body that the mesh is made for: an upright cylinder.
///
/// ```
/// use wayfare_bake::WalkerShape;
///
/// let dwarf = WalkerShape { radius: 0.4, height: 1.2, ..WalkerShape::default() };
/// assert_eq!(dwarf.step, 0.5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WalkerShape {
    /// Radius in metres, at least 0. Ground nearer to a wall or drop is left out. Default: 0.4.
    pub radius: f32,
    /// Height in metres, above 0: the head room that is needed. Default: 1.8.
    pub height: f32,
    /// Highest step up or down in metres, at least 0. Default: 0.5.
    pub step: f32,
    /// Steepest slope in degrees, from 0 to below 90. Default: 45.
    pub slope: f32,
}

impl Default for WalkerShape {
    fn default() -> Self {
        Self { radius: 0.4, height: 1.8, step: 0.5, slope: 45.0 }
    }
}

/// How walkable ground is cut into regions, each of which becomes polygons of its own.
///
/// ```
/// use wayfare_bake::{BakeSettings, Partition, WalkerShape};
///
/// let settings = BakeSettings::new(WalkerShape::default());
/// assert_eq!(settings.partition, Partition::Watershed);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Partition {
    /// Basins of the distance to the nearest wall: compact regions that meet at narrow passages.
    /// The best polygons; takes longest.
    #[default]
    Watershed,
    /// Strips that are contiguous in each row of cells: fast, long thin polygons.
    Monotone,
    /// Strips joined as long as nothing overlaps in plan: as few regions as possible, with holes.
    Layers,
}

/// How closely the mesh follows the height of the ground.
///
/// ```
/// use wayfare_bake::HeightSettings;
///
/// assert_eq!(HeightSettings::default(), HeightSettings { spacing: 6, max_error: 1.0 });
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeightSettings {
    /// Distance between samples in cells, at least 1. Raising it makes the bake faster and may miss
    /// bumps. Default: 6.
    pub spacing: u32,
    /// Largest error of a sampled height in units of the cell height, above 0. Raising it makes
    /// fewer triangles. Default: 1.
    pub max_error: f32,
}

impl Default for HeightSettings {
    fn default() -> Self {
        Self { spacing: 6, max_error: 1.0 }
    }
}

/// Everything that can be set about a bake.
///
/// ```
/// use wayfare_bake::{BakeSettings, WalkerShape};
///
/// let settings = BakeSettings::new(WalkerShape::default());
/// assert_eq!((settings.cell_size, settings.tile_side), (0.2, None));
/// assert!(BakeSettings { cell_size: 0.0, ..settings }.check().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BakeSettings {
    /// The body.
    pub walker: WalkerShape,
    /// Side of a cell in plan, in metres, above 0. Default: half the radius. Halving it takes four
    /// times the time and memory, and keeps narrower gaps open.
    pub cell_size: f32,
    /// Height of a cell in metres, above 0. Default: two thirds of the cell size.
    pub cell_height: f32,
    /// The cut into regions. Default: watershed.
    pub partition: Partition,
    /// Islands smaller than this number of cells are dropped. Default: 64.
    pub min_island: u32,
    /// Regions smaller than this number of cells are joined to a neighbour. Default: 400.
    pub merge_below: u32,
    /// Largest distance between the cells' outline and the polygons, in cells, at least 0. Raising
    /// it makes fewer polygons. Default: 1.3.
    pub max_outline_error: f32,
    /// Longest edge along a wall in cells, or `None` for any length. Default: none.
    pub max_edge: Option<u32>,
    /// Most corners of a polygon, 3 to 255. Default: 12. Corners that tiles add to
    /// the polygons of their neighbours do not count.
    pub max_corners: u32,
    /// How closely heights are followed, or `None` for polygons alone.
    pub heights: Option<HeightSettings>,
    /// Side of a tile in cells, at least 16, or `None` for one field. Tiles bound the memory and
    /// are baked in parallel. Default: none.
    pub tile_side: Option<u32>,
    /// Most memory that the fields may take, in bytes. Default: 2 GiB.
    pub memory_limit: u64,
}

impl BakeSettings {
    /// Returns the defaults for a body.
    #[must_use]
    pub fn new(walker: WalkerShape) -> Self {
        let cell_size = if walker.radius > 0.0 { walker.radius * 0.5 } else { 0.2 };
        Self {
            walker,
            cell_size,
            cell_height: cell_size * (2.0 / 3.0),
            partition: Partition::default(),
            min_island: 64,
            merge_below: 400,
            max_outline_error: 1.3,
            max_edge: None,
            max_corners: 12,
            heights: Some(HeightSettings::default()),
            tile_side: None,
            memory_limit: 2 << 30,
        }
    }

    /// Returns the defaults for a body in a level: cells are larger than half a radius where the
    /// level would have more than 2²⁴ of them in plan, or more than 2¹⁵ along an axis. Above 2²²
    /// cells tiles of 256 cells are used.
    #[must_use]
    pub fn for_level(level: &LevelGeometry, walker: WalkerShape) -> Self {
        let mut settings = Self::new(walker);
        let Some([min, max]) = level.bounds() else { return settings };
        let size = max.as_dvec3() - min.as_dvec3();
        let by_columns = (size.x * size.z / f64::from(1 << 24)).sqrt();
        let by_axis = size.x.max(size.z) / f64::from(1 << 15);
        let least = by_columns.max(by_axis) as f32;
        if least > settings.cell_size {
            settings.cell_size = least;
            settings.cell_height = least * (2.0 / 3.0);
        }
        let by_height = (size.y / f64::from(1 << 15)) as f32;
        settings.cell_height = settings.cell_height.max(by_height);
        let cell = f64::from(settings.cell_size);
        if size.x / cell * (size.z / cell) > f64::from(1 << 22) {
            settings.tile_side = Some(256);
        }
        settings
    }

    /// Checks every value.
    ///
    /// # Errors
    /// [`BakeError::Setting`] for the first value outside its range.
    pub fn check(&self) -> Result<(), BakeError> {
        let at_least_zero = "a finite number of at least 0";
        let above_zero = "a finite number above 0";
        let walker = &self.walker;
        let height_error = self.heights.map_or(1.0, |heights| heights.max_error);
        let checks: [(&'static str, f32, bool, &'static str); 8] = [
            ("the radius", walker.radius, walker.radius >= 0.0, at_least_zero),
            ("the height", walker.height, walker.height > 0.0, above_zero),
            ("the step", walker.step, walker.step >= 0.0, at_least_zero),
            (
                "the slope",
                walker.slope,
                (0.0..90.0).contains(&walker.slope),
                "0 to below 90 degrees",
            ),
            ("the cell size", self.cell_size, self.cell_size > 0.0, above_zero),
            ("the cell height", self.cell_height, self.cell_height > 0.0, above_zero),
            (
                "the outline error",
                self.max_outline_error,
                self.max_outline_error >= 0.0,
                at_least_zero,
            ),
            ("the height error", height_error, height_error > 0.0, above_zero),
        ];
        for (name, value, valid, range) in checks {
            if !valid || !value.is_finite() {
                return Err(BakeError::Setting { name, value: value.to_string(), range });
            }
        }
        let spacing = self.heights.map_or(1, |heights| heights.spacing);
        let counts: [(&'static str, u32, bool, &'static str); 4] = [
            (
                "the most corners",
                self.max_corners,
                (3..=255).contains(&self.max_corners),
                "3 to 255",
            ),
            ("the sample spacing", spacing, spacing >= 1, "at least 1 cell"),
            (
                "the tile side",
                self.tile_side.unwrap_or(16),
                self.tile_side != Some(0),
                "at least 16 cells",
            ),
            (
                "the longest edge",
                self.max_edge.unwrap_or(1),
                self.max_edge != Some(0),
                "at least 1 cell",
            ),
        ];
        for (name, value, valid, range) in counts {
            if !valid || (name == "the tile side" && value < 16) {
                return Err(BakeError::Setting { name, value: value.to_string(), range });
            }
        }
        let cells = [
            ("the radius", self.radius_cells_exact(), 4096.0),
            ("the height", f64::from(walker.height) / f64::from(self.cell_height), 32_768.0),
            ("the step", f64::from(walker.step) / f64::from(self.cell_height), 32_768.0),
        ];
        for (name, cells, most) in cells {
            if cells > most {
                let value = format!("{cells:.0} cells");
                let range = "at most 4,096 cells for the radius, 32,768 for height and step";
                return Err(BakeError::Setting { name, value, range });
            }
        }
        Ok(())
    }

    fn radius_cells_exact(&self) -> f64 {
        f64::from(self.walker.radius) / f64::from(self.cell_size)
    }

    /// Returns the radius in cells, rounded up.
    #[must_use]
    pub fn radius_cells(&self) -> u32 {
        // Half a thousandth of a cell is rounding of the quotient, not a wider body.
        (self.radius_cells_exact() - 5e-4).ceil().max(0.0) as u32
    }

    /// Returns the head room in units of the cell height, rounded up.
    #[must_use]
    pub fn height_cells(&self) -> u16 {
        let cells = f64::from(self.walker.height) / f64::from(self.cell_height);
        ((cells - 5e-4).ceil().max(1.0)).min(f64::from(u16::MAX)) as u16
    }

    /// Returns the step in units of the cell height, rounded down.
    #[must_use]
    pub fn step_cells(&self) -> u16 {
        let cells = f64::from(self.walker.step) / f64::from(self.cell_height);
        (cells + 5e-4).floor().min(f64::from(u16::MAX)) as u16
    }

    /// Refuses memory beyond the limit before it is allocated.
    pub(crate) fn allow(&self, what: &'static str, bytes: u64) -> Result<(), BakeError> {
        if bytes <= self.memory_limit {
            return Ok(());
        }
        let (needed, limit) = (bytes.div_ceil(1_000_000), self.memory_limit / 1_000_000);
        Err(BakeError::Memory { what, needed, limit })
    }
}

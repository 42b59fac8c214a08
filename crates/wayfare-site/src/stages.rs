//! The stages of a bake as shapes, for front ends that draw by themselves.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;
use wayfare_bake::{
    Bake, BakeError, Baked, Contours, HeightMesh, Lattice, LatticePoint, PolygonMesh, RegionId,
    SpanField, Stage, WalkField,
};

/// The shape of a level after a stage of a bake.
///
/// Example: [`Level`](crate::Level).
#[derive(Clone, PartialEq, Debug)]
pub struct StageShape {
    /// The stage.
    pub stage: Stage,
    /// The side of a tile in metres.
    pub side: f32,
    /// Tops of solid spans, or floors: for the stages before the contours.
    pub tiles: Vec<StageTile>,
    /// Triangles of polygons, from the stage of polygons on.
    pub panes: Vec<StagePane>,
    /// Edges of outlines and polygons.
    pub lines: Vec<StageLine>,
    /// The regions, outlines, polygons or triangles that the stage makes; before, the tiles.
    pub count: usize,
}

/// The top of a span, or a floor: a square that lies flat.
///
/// Example: [`Level`](crate::Level).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StageTile {
    /// Its corner of least x and z, in metres.
    pub corner: Vec3,
    /// Its kind.
    pub kind: StageKind,
    /// Of a floor its distance to the nearest edge, as a share of the largest one; else the height
    /// as a share of the level's.
    pub share: f32,
}

/// The kind of a tile or a pane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StageKind {
    /// The top of a span that cannot be stood on, or a floor in no region.
    Blocked,
    /// A floor that is left out, since it is nearer to an edge than the radius.
    Eroded,
    /// Walkable ground of an area, by its id.
    Area(u8),
    /// A floor of a region, by its id.
    Region(u32),
}

/// A triangle of a polygon.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StagePane {
    /// In metres.
    pub corners: [Vec3; 3],
    /// The index of the polygon.
    pub polygon: u32,
    /// The id of its area.
    pub area: u8,
}

/// A line between two points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StageLine {
    /// In metres.
    pub ends: [Vec3; 2],
    /// The kind of the line's shape.
    pub kind: LineKind,
}

/// The kind of the shape that a line is part of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineKind {
    /// The end of walkable ground.
    Border,
    /// The border of two regions or polygons.
    Inner,
    /// A triangle that follows the ground.
    Height,
}

impl StageShape {
    /// Returns the shape of a stage of a bake, in one piece: tiles of fields do not count.
    ///
    /// # Errors
    /// As [`Bake::run`].
    pub fn of(bake: &Bake<'_>, stage: Stage) -> Result<Self, BakeError> {
        let side = bake.lattice().cell_size() as f32;
        let mut shape =
            Self { stage, side, tiles: Vec::new(), panes: Vec::new(), lines: Vec::new(), count: 0 };
        match stage {
            Stage::Spans => shape.add_spans(&bake.spans()?),
            Stage::Filters => shape.add_spans(&bake.filtered()?),
            Stage::Field => {
                let field = bake.field()?;
                shape.add_eroded(bake, &field)?;
                shape.add_floors(&field);
            }
            Stage::Regions => {
                let field = bake.field()?;
                let regions = bake.regions(&field)?;
                for floor in 0..field.len() {
                    let RegionId(number) = regions.of(floor);
                    let kind =
                        if number == 0 { StageKind::Blocked } else { StageKind::Region(number) };
                    shape.tiles.push(tile(field.lattice(), field.place(floor), kind, 0.0));
                }
                shape.count = regions.len();
            }
            Stage::Contours => {
                let field = bake.field()?;
                let contours = bake.contours(&field, &bake.regions(&field)?)?;
                shape.add_contours(&contours);
            }
            Stage::Polygons | Stage::Heights | Stage::Links => {
                let field = bake.field()?;
                let regions = bake.regions(&field)?;
                let polygons = bake.polygons(&bake.contours(&field, &regions)?)?;
                let heights = bake.heights(&field, &regions, &polygons)?;
                shape.add_mesh(&polygons, Some(&heights));
            }
        }
        Ok(shape)
    }

    /// Returns the shape of the mesh that a bake has made, without baking again. For the stages of
    /// polygons and heights.
    #[must_use]
    pub fn of_baked(baked: &Baked, stage: Stage) -> Self {
        let side = baked.polygons.lattice().cell_size() as f32;
        let mut shape =
            Self { stage, side, tiles: Vec::new(), panes: Vec::new(), lines: Vec::new(), count: 0 };
        shape.add_mesh(&baked.polygons, baked.heights.as_ref());
        shape
    }

    fn add_spans(&mut self, spans: &SpanField) {
        let lattice = spans.lattice();
        for column in 0..spans.window().columns() {
            let [x, z] = spans.window().cell(column);
            for span in spans.column(column) {
                let place = LatticePoint { x: x as i32, y: i32::from(span.top), z: z as i32 };
                let kind = span.ground.area().map_or(StageKind::Blocked, |area| {
                    if span.ground.is_walkable() {
                        StageKind::Area(area.0)
                    } else {
                        StageKind::Blocked
                    }
                });
                let share = place.y as f32 / lattice.height().max(1) as f32;
                self.tiles.push(tile(lattice, place, kind, share));
            }
        }
        self.count = self.tiles.len();
    }

    /// Adds the floors that the radius takes away: the additional floors of a body without width.
    fn add_eroded(&mut self, bake: &Bake<'_>, field: &WalkField) -> Result<(), BakeError> {
        let mut settings = *bake.settings();
        if settings.walker.radius <= 0.0 {
            return Ok(());
        }
        settings.walker.radius = 0.0;
        let wide = WalkField::new(&bake.filtered()?, bake.volumes(), &settings)?;
        let key = |LatticePoint { x, y, z }: LatticePoint| [x, y, z];
        let kept: BTreeSet<_> = (0..field.len()).map(|floor| key(field.place(floor))).collect();
        for floor in 0..wide.len() {
            let place = wide.place(floor);
            if !kept.contains(&key(place)) {
                self.tiles.push(tile(wide.lattice(), place, StageKind::Eroded, 0.0));
            }
        }
        Ok(())
    }

    fn add_floors(&mut self, field: &WalkField) {
        let far = field.edge_distances();
        let most = f32::from(far.iter().copied().max().unwrap_or(0).max(1));
        for (floor, &distance) in far.iter().enumerate() {
            let kind = StageKind::Area(field.ground(floor).area().unwrap_or_default().0);
            let share = f32::from(distance) / most;
            self.tiles.push(tile(field.lattice(), field.place(floor), kind, share));
        }
        self.count = field.len();
    }

    fn add_contours(&mut self, contours: &Contours) {
        let position =
            |vertex: u32| contours.lattice().position(contours.vertices()[vertex as usize]);
        let outlines = contours.outlines().iter().map(|outline| &outline.corners[..]);
        self.add_edges(outlines, position);
        self.count = contours.outlines().len();
    }

    fn add_mesh(&mut self, mesh: &PolygonMesh, heights: Option<&HeightMesh>) {
        let positions: Vec<Vec3> = mesh.positions().collect();
        for (number, polygon) in mesh.polygons().enumerate() {
            let (area, polygon_number) = (mesh.area(number).0, number as u32);
            let mut pane = |corners| {
                self.panes.push(StagePane { corners, polygon: polygon_number, area });
            };
            match heights {
                Some(heights) => {
                    for corners in heights.triangles(number) {
                        pane(corners.map(|point| heights.points()[point as usize]));
                    }
                }
                None => {
                    for index in 1..polygon.len() - 1 {
                        let corners = [polygon[0], polygon[index], polygon[index + 1]];
                        pane(corners.map(|vertex| positions[vertex as usize]));
                    }
                }
            }
        }
        self.count = mesh.len();
        if let (Stage::Heights, Some(heights)) = (self.stage, heights) {
            self.count = heights.all_triangles().len();
            for corners in heights.all_triangles() {
                let [a, b, c] = corners.map(|point| heights.points()[point as usize]);
                let kind = LineKind::Height;
                self.lines.extend([[a, b], [b, c], [c, a]].map(|ends| StageLine { ends, kind }));
            }
        }
        self.add_edges(mesh.polygons(), |vertex| positions[vertex as usize]);
    }

    /// Adds the edges of loops of vertices, each once; edges of one loop alone are borders.
    fn add_edges<'v>(
        &mut self,
        loops: impl Iterator<Item = &'v [u32]>,
        position: impl Fn(u32) -> Vec3,
    ) {
        let mut edges: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        for corners in loops {
            for (index, &from) in corners.iter().enumerate() {
                let to = corners[(index + 1) % corners.len()];
                *edges.entry([from.min(to), from.max(to)]).or_insert(0) += 1;
            }
        }
        self.lines.extend(edges.into_iter().map(|(ends, owners)| StageLine {
            ends: ends.map(&position),
            kind: if owners == 1 { LineKind::Border } else { LineKind::Inner },
        }));
    }
}

fn tile(lattice: &Lattice, place: LatticePoint, kind: StageKind, share: f32) -> StageTile {
    StageTile { corner: lattice.position(place), kind, share: share.clamp(0.0, 1.0) }
}

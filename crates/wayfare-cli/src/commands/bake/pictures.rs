//! Pictures of the stages of a bake.

use glam::Vec3;
use wayfare_bake::{
    Bake, BakeSettings, Baked, Contours, Lattice, LatticePoint, LevelGeometry, RegionId, Stage,
    WalkField,
};
use wayfare_draw::{Colour, SpaceView, Standpoint};

use crate::args::{BakeArgs, StandpointArg};
use crate::failure::Failure;
use crate::report::{counted, grouped};

const STONE: Colour = Colour::hex(0xa8a39a);
const BLOCKED: Colour = Colour::hex(0x9c5a4a);
const WALKABLE: Colour = Colour::hex(0x7fa66b);
const INK: Colour = Colour::hex(0x14323f);
const WALL: Colour = Colour::hex(0xd8572a);
const FINE: Colour = Colour::hex(0x2f6f86);

/// The picture of the stage that was asked for.
///
/// Stages before the polygons are made anew, in one piece: a bake keeps none of them.
pub(super) fn of_stage(
    args: &BakeArgs,
    level: &LevelGeometry,
    settings: BakeSettings,
    baked: &Baked,
) -> Result<SpaceView, Failure> {
    let mut view = SpaceView::new(match args.view {
        StandpointArg::Above => Standpoint::Above,
        StandpointArg::Corner => Standpoint::Corner,
    });
    let bake = Bake::new(level, BakeSettings { tile_side: None, ..settings })?;
    let lattice = *bake.lattice();
    match args.stage {
        Stage::Spans | Stage::Filters => {
            let spans = match args.stage {
                Stage::Spans => bake.spans()?,
                _ => bake.filtered()?,
            };
            for column in 0..spans.window().columns() {
                let [x, z] = spans.window().cell(column);
                for span in spans.column(column) {
                    let y = i32::from(span.top);
                    let place = LatticePoint { x: x as i32, y, z: z as i32 };
                    let colour = if span.ground.is_walkable() { WALKABLE } else { BLOCKED };
                    tile(&mut view, &lattice, place, tinted(colour, &lattice, y));
                }
            }
        }
        Stage::Field => {
            let field = bake.field()?;
            solid(&mut view, level);
            for floor in 0..field.len() {
                let place = field.place(floor);
                let area = field.ground(floor).area().unwrap_or_default();
                let colour = if area.0 == 0 { WALKABLE } else { of_number(u32::from(area.0)) };
                tile(&mut view, &lattice, place, tinted(colour, &lattice, place.y));
            }
        }
        Stage::Regions => {
            let field = bake.field()?;
            let regions = bake.regions(&field)?;
            solid(&mut view, level);
            draw_regions(&mut view, &field, |floor| regions.of(floor));
        }
        Stage::Contours => {
            let field = bake.field()?;
            let regions = bake.regions(&field)?;
            let contours = bake.contours(&field, &regions)?;
            solid(&mut view, level);
            draw_contours(&mut view, &contours);
        }
        Stage::Polygons => {
            solid(&mut view, level);
            panes(&mut view, baked);
            edges(&mut view, baked);
        }
        Stage::Heights => {
            solid(&mut view, level);
            panes(&mut view, baked);
            if let Some(heights) = &baked.heights {
                for corners in heights.all_triangles() {
                    let [a, b, c] = corners.map(|point| heights.points()[point as usize]);
                    for ends in [[a, b], [b, c], [c, a]] {
                        view.line(ends, FINE, 0.7);
                    }
                }
            }
            edges(&mut view, baked);
        }
    }
    Ok(view)
}

/// The line below the picture.
pub(super) fn caption(args: &BakeArgs, baked: &Baked) -> String {
    let name = args.level.file_stem().unwrap_or_default().to_string_lossy();
    let polygons = counted(baked.polygons.len() as u64, "polygon");
    let triangles = baked.heights.as_ref().map_or(0, |heights| heights.all_triangles().len());
    let stage = args.stage;
    match stage {
        Stage::Polygons => format!("{name}: {polygons}"),
        Stage::Heights => format!("{name}: {} triangles of height", grouped(triangles as u64)),
        _ => format!("{name}: {stage}"),
    }
}

/// The level's own triangles.
fn solid(view: &mut SpaceView, level: &LevelGeometry) {
    for corners in level.triangles() {
        view.triangle(corners.map(|vertex| level.vertices()[vertex as usize]), STONE);
    }
}

/// The cell of a floor, a little above it.
fn tile(view: &mut SpaceView, lattice: &Lattice, place: LatticePoint, colour: Colour) {
    let corner = |dx: i32, dz: i32| {
        let at = LatticePoint { x: place.x + dx, z: place.z + dz, ..place };
        lattice.position(at) + Vec3::Y * (lattice.cell_height() as f32 * 0.5)
    };
    let [a, b, c, d] = [corner(0, 0), corner(0, 1), corner(1, 1), corner(1, 0)];
    view.triangle([a, b, c], colour);
    view.triangle([a, c, d], colour);
}

fn draw_regions(view: &mut SpaceView, field: &WalkField, region: impl Fn(usize) -> RegionId) {
    for floor in 0..field.len() {
        let RegionId(number) = region(floor);
        let colour = if number == 0 { BLOCKED } else { of_number(number) };
        tile(view, field.lattice(), field.place(floor), colour);
    }
}

fn draw_contours(view: &mut SpaceView, contours: &Contours) {
    let position = |vertex: u32| {
        let at = contours.vertices()[vertex as usize];
        contours.lattice().position(at)
    };
    let mut edges = std::collections::BTreeMap::new();
    for outline in contours.outlines() {
        for (index, &from) in outline.corners.iter().enumerate() {
            let to = outline.corners[(index + 1) % outline.corners.len()];
            *edges.entry([from.min(to), from.max(to)]).or_insert(0) += 1;
        }
    }
    for ([from, to], owners) in edges {
        let (colour, width) = if owners == 1 { (WALL, 2.2) } else { (FINE, 1.6) };
        view.line([position(from), position(to)], colour, width);
    }
}

/// The polygons as translucent panes, which follow the ground where heights are known.
fn panes(view: &mut SpaceView, baked: &Baked) {
    let mesh = &baked.polygons;
    let positions: Vec<Vec3> = mesh.positions().collect();
    for (number, polygon) in mesh.polygons().enumerate() {
        let area = mesh.area(number).0;
        let base = if area == 0 { Colour::hex(0x3fa7c4) } else { of_number(u32::from(area)) };
        // Neighbours differ a little.
        let shade = [0.0, 0.12, 0.24, 0.06, 0.18][number % 5];
        let colour = base.mix(Colour::hex(0xffffff), shade).with_alpha(140);
        match &baked.heights {
            Some(heights) => {
                for corners in heights.triangles(number) {
                    view.pane(corners.map(|point| heights.points()[point as usize]), colour);
                }
            }
            None => {
                for index in 1..polygon.len() - 1 {
                    let corners = [polygon[0], polygon[index], polygon[index + 1]];
                    view.pane(corners.map(|vertex| positions[vertex as usize]), colour);
                }
            }
        }
    }
}

/// The edges of the polygons: thick where the mesh ends.
fn edges(view: &mut SpaceView, baked: &Baked) {
    let mesh = &baked.polygons;
    let positions: Vec<Vec3> = mesh.positions().collect();
    let mut edges = std::collections::BTreeMap::new();
    for polygon in mesh.polygons() {
        for (index, &from) in polygon.iter().enumerate() {
            let to = polygon[(index + 1) % polygon.len()];
            *edges.entry([from.min(to), from.max(to)]).or_insert(0) += 1;
        }
    }
    for (ends, owners) in edges {
        let width = if owners == 1 { 2.4 } else { 1.0 };
        view.line(ends.map(|vertex| positions[vertex as usize]), INK, width);
    }
}

/// A colour lighter with height.
fn tinted(colour: Colour, lattice: &Lattice, y: i32) -> Colour {
    let share = y as f32 / lattice.height().max(1) as f32;
    colour.mix(Colour::hex(0xffffff), share.clamp(0.0, 1.0) * 0.35)
}

/// A colour for a number: neighbouring numbers differ.
fn of_number(number: u32) -> Colour {
    const COLOURS: [u32; 12] = [
        0x5b8fb9, 0xd98b5f, 0x7fb069, 0xb084cc, 0xe0c15a, 0x5fb3a8, 0xc96f7e, 0x8d9a5b, 0x7a86c9,
        0xb99066, 0x69b7d1, 0xa3b565,
    ];
    let base = Colour::hex(COLOURS[number as usize % COLOURS.len()]);
    base.mix(Colour::hex(0x303040), (number / 12 % 4) as f32 * 0.09)
}

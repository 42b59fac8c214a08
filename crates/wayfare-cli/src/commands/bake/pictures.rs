//! Pictures of the stages of a bake.

use glam::Vec3;
use wayfare_bake::{Bake, BakeSettings, Baked, JumpLink, LevelGeometry, Stage};
use wayfare_draw::{Colour, LinkArc, SpaceView, Standpoint};
use wayfare_site::{LineKind, StageKind, StageLine, StagePane, StageShape, StageTile, arc_colour};

use crate::args::{BakeArgs, StandpointArg};
use crate::failure::Failure;
use crate::report::{counted, grouped};

const STONE: Colour = Colour::hex(0xa8a39a);
const BLOCKED: Colour = Colour::hex(0x9c5a4a);
const WALKABLE: Colour = Colour::hex(0x7fa66b);
const INK: Colour = Colour::hex(0x14323f);
const WALL: Colour = Colour::hex(0xd8572a);
const FINE: Colour = Colour::hex(0x2f6f86);

/// Returns the picture of the stage that was asked for.
///
/// Makes stages before the polygons again, in one piece: a bake keeps none of them.
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
    let shape = match args.stage {
        Stage::Polygons | Stage::Heights => StageShape::of_baked(baked, args.stage),
        _ => {
            let bake = Bake::new(level, BakeSettings { tile_side: None, ..settings })?;
            StageShape::of(&bake, args.stage)?
        }
    };
    if !matches!(args.stage, Stage::Spans | Stage::Filters) {
        solid(&mut view, level);
    }
    let [low, high] = level.bounds().map_or([0.0; 2], |bounds| bounds.map(|corner| corner.y));
    let lift = settings.cell_height * 0.5;
    for tile in shape.tiles.iter().filter(|tile| tile.kind != StageKind::Eroded) {
        // Lighter with height, but for regions.
        let height = (tile.corner.y - low) / (high - low).max(f32::MIN_POSITIVE);
        let share = if args.stage == Stage::Regions { 0.0 } else { height.clamp(0.0, 1.0) };
        draw_tile(&mut view, tile, shape.side, lift, share);
    }
    for pane in &shape.panes {
        draw_pane(&mut view, pane);
    }
    for line in &shape.lines {
        draw_line(&mut view, line, args.stage);
    }
    Ok(view)
}

/// Returns the line below the picture.
pub(super) fn caption(args: &BakeArgs, baked: &Baked, links: &str) -> String {
    let name = args.level.file_stem().unwrap_or_default().to_string_lossy();
    let polygons = counted(baked.polygons.len() as u64, "polygon");
    let triangles = baked.heights.as_ref().map_or(0, |heights| heights.all_triangles().len());
    let stage = args.stage;
    match stage {
        Stage::Polygons if links.is_empty() => format!("{name}: {polygons}"),
        Stage::Polygons => format!("{name}: {polygons}, {links}"),
        Stage::Heights => format!("{name}: {} triangles of height", grouped(triangles as u64)),
        _ => format!("{name}: {stage}"),
    }
}

/// Draws the level's own triangles.
fn solid(view: &mut SpaceView, level: &LevelGeometry) {
    for corners in level.triangles() {
        view.triangle(corners.map(|vertex| level.vertices()[vertex as usize]), STONE);
    }
}

/// Draws a floor or the top of a span, a little above it.
fn draw_tile(view: &mut SpaceView, tile: &StageTile, side: f32, lift: f32, share: f32) {
    let colour = match tile.kind {
        StageKind::Blocked | StageKind::Eroded => BLOCKED,
        StageKind::Area(0) => WALKABLE,
        StageKind::Area(number) => of_number(u32::from(number)),
        StageKind::Region(number) => of_number(number),
    };
    let colour = colour.mix(Colour::hex(0xffffff), share * 0.35);
    let corner = |x, z| tile.corner + Vec3::new(x, lift, z);
    let [a, b, c, d] = [corner(0.0, 0.0), corner(0.0, side), corner(side, side), corner(side, 0.0)];
    view.triangle([a, b, c], colour);
    view.triangle([a, c, d], colour);
}

/// Draws a translucent part of a polygon.
fn draw_pane(view: &mut SpaceView, pane: &StagePane) {
    let base = match pane.area {
        0 => Colour::hex(0x3fa7c4),
        area => of_number(u32::from(area)),
    };
    // Neighbours differ a little.
    let shade = [0.0, 0.12, 0.24, 0.06, 0.18][pane.polygon as usize % 5];
    view.pane(pane.corners, base.mix(Colour::hex(0xffffff), shade).with_alpha(140));
}

/// Draws an edge: thick where the ground ends.
fn draw_line(view: &mut SpaceView, line: &StageLine, stage: Stage) {
    let (colour, width) = match (line.kind, stage) {
        (LineKind::Height, _) => (FINE, 0.7),
        (LineKind::Border, Stage::Contours) => (WALL, 2.2),
        (LineKind::Inner, Stage::Contours) => (FINE, 1.6),
        (LineKind::Border, _) => (INK, 2.4),
        (LineKind::Inner, _) => (INK, 1.0),
    };
    view.line(line.ends, colour, width);
}

/// Draws the links as arcs.
pub(super) fn draw_links(view: &mut SpaceView, links: &[JumpLink]) {
    for link in links {
        let Some(colour) = arc_colour(link.kind) else { continue };
        let arc = LinkArc { ends: [link.from, link.to], two_way: link.two_way, colour };
        for ends in arc.strokes() {
            view.line(ends, colour, 2.0);
        }
    }
}

/// Returns a colour for an index: neighbouring indices differ.
fn of_number(number: u32) -> Colour {
    const COLOURS: [u32; 12] = [
        0x5b8fb9, 0xd98b5f, 0x7fb069, 0xb084cc, 0xe0c15a, 0x5fb3a8, 0xc96f7e, 0x8d9a5b, 0x7a86c9,
        0xb99066, 0x69b7d1, 0xa3b565,
    ];
    let base = Colour::hex(COLOURS[number as usize % COLOURS.len()]);
    base.mix(Colour::hex(0x303040), (number / 12 % 4) as f32 * 0.09)
}

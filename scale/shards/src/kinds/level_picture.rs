//! A picture of a level with its navigation mesh, the tiles told apart by their colour.

use wayfare::glam::Vec3;
use wayfare_bake::{Baked, LevelGeometry, Stage, TileSet};
use wayfare_draw::{Colour, DrawError, SpaceView, Standpoint, Theme};
use wayfare_site::{LineKind, StageShape};

/// The most triangles of a level, and polygons of its mesh, that are drawn.
const MOST: usize = 300_000;
/// The longer side in pixels.
const SIDE: u32 = 1200;
const STONE: Colour = Colour::hex(0xa8a39a);
const INK: Colour = Colour::hex(0x14323f);
/// The colours of tiles: neighbours differ.
const TILES: [[u32; 2]; 2] = [[0x3fa7c4, 0x63c08a], [0xe0c15a, 0xb084cc]];

/// Returns whether a level is so small that its picture is cheap.
pub(super) fn is_drawn(level: &LevelGeometry, baked: &Baked) -> bool {
    level.triangles().len() + baked.polygons.len() <= MOST
}

/// Returns the picture as PNG.
pub(super) fn draw(
    name: &str,
    level: &LevelGeometry,
    set: &TileSet,
    baked: &Baked,
) -> Result<Vec<u8>, DrawError> {
    let mut view = SpaceView::new(Standpoint::Corner);
    for corners in level.triangles() {
        view.triangle(corners.map(|vertex| level.vertices()[vertex as usize]), STONE);
    }
    // The polygons of a set are those of its tiles, one tile after the other.
    let colours: Vec<Colour> = set.tiles().flat_map(colour_of_polygons).collect();
    let shape = StageShape::of_baked(baked, Stage::Polygons);
    let lift = Vec3::Y * set.tiling().settings().cell_height * 0.5;
    for pane in &shape.panes {
        let colour = colours.get(pane.polygon as usize).copied().unwrap_or(STONE);
        view.pane(pane.corners.map(|corner| corner + lift), colour);
    }
    for line in &shape.lines {
        let width = if line.kind == LineKind::Border { 2.4 } else { 1.0 };
        view.line(line.ends.map(|end| end + lift), INK, width);
    }
    let area = baked.polygons.area_in_plan();
    let caption = format!(
        "{name}: {} polygons in {} tiles, {area:.0} m² in plan",
        baked.polygons.len(),
        set.tiles().filter(|tile| !tile.is_empty()).count(),
    );
    view.draw(SIDE, &Theme::DARK, &caption)?.to_png()
}

fn colour_of_polygons(tile: &wayfare_bake::BakedTile) -> impl Iterator<Item = Colour> + use<> {
    let id = tile.id();
    let base = Colour::hex(TILES[id.row as usize % 2][id.column as usize % 2]);
    let shade = |polygon: usize| [0.0, 0.12, 0.24, 0.06, 0.18][polygon % 5];
    let white = Colour::hex(0xffffff);
    (0..tile.polygons().len()).map(move |it| base.mix(white, shade(it)).with_alpha(150))
}

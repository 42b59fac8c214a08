//! The smallest program with a picture: `cargo run -p wayfare-draw --example picture`. Of the
//! engine only core, grids and voxels are compiled.

#![expect(clippy::print_stdout, reason = "an example that tells where its picture is")]

use wayfare_core::search::{AStar, Query, solve};
use wayfare_draw::{GridScenery, Panel, Sheet, Terrain, Theme};
use wayfare_grid::grid::Grid;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_rows(&[
        "............",
        ".####.####..",
        ".#.......#..",
        ".#.#####.#..",
        ".#.#...#.#..",
        ".###.#.###..",
        ".....#......",
    ])?;
    let cell = |x, y| grid.cell(x, y).ok_or("off the grid");
    let path = solve(&grid.space(), &AStar::new(), Query::new(cell(0, 0)?, cell(5, 4)?))
        .outcome
        .into_path();

    let theme = Theme::DARK;
    let is_wall = |(x, y)| grid.cell(x, y).is_some_and(|cell| !grid.space().is_free(cell));
    let (width, height) = (grid.width(), grid.height());
    let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let tiles: Vec<u8> = cells.map(|at| u8::from(is_wall(at))).collect();
    let legend = vec![Terrain::floor(&theme), Terrain::wall(&theme)];
    let scenery = GridScenery::new(width, height, legend, &tiles)?;
    let steps = path.states().map(|cell| {
        let at = grid.coordinates(cell);
        at.y * width + at.x
    });
    let panel = Panel::new(&scenery).title("The shortest path").path_states(steps);
    let file = std::env::temp_dir().join("wayfare-picture.svg");
    std::fs::write(&file, Sheet::new(vec![panel]).theme(theme).draw()?.to_svg()?)?;
    println!("{} steps: {}", path.len(), file.display());
    Ok(())
}

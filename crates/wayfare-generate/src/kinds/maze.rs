//! Mazes: corridors with exactly one path between any two tiles, or with loops.
//!
//! Source: the growing tree algorithm (J. Buck, "Mazes for Programmers", 2015). Going on from the
//! newest cell makes long winding corridors, from any cell short branching ones.

use super::tools::{height, width};
use crate::{
    Area, GenerateError, Ground, Opening, Parameter, Promise, Range, Scenario, Seed, Statistic,
    TileDraft, TileScene, Values, WorldDraft,
};

pub(crate) struct Maze;

const PARAMETERS: &[Parameter] = &[
    width(12, 61, 91),
    height(12, 45, 67),
    Parameter::whole("corridor", "width of corridors", "tiles", 1, 8).by_default(1.0, 3.0),
    Parameter::whole("wall", "thickness of walls", "tiles", 1, 4).by_default(1.0, 1.0),
    Parameter::share("winding", "1: long winding corridors; 0: short branching ones", 0.0, 1.0)
        .by_default(0.5, 1.0),
    Parameter::share("loops", "share of dead ends that are broken open", 0.0, 1.0)
        .by_default(0.0, 0.3),
];

impl Scenario for Maze {
    fn name(&self) -> &'static str {
        "maze"
    }

    fn about(&self) -> &'static str {
        "corridors with dead ends, and loops if wanted"
    }

    fn families(&self) -> &'static [&'static str] {
        &["indoor"]
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn build(&self, values: &Values, seed: Seed) -> Result<WorldDraft, GenerateError> {
        let (corridor, wall) = (values.whole("corridor"), values.whole("wall"));
        let pitch = corridor + wall;
        let (columns, rows) = cells(values);
        let mut draft = TileDraft::new(columns * pitch + wall, rows * pitch + wall, Ground::Wall);
        let mut open = |from: u32, to: u32| {
            let [a, b] = [from.min(to), from.max(to)].map(|cell| (cell % columns, cell / columns));
            let (x, y) = (a.0 * pitch + wall, a.1 * pitch + wall);
            let area =
                Area::new(x, y, (b.0 - a.0) * pitch + corridor, (b.1 - a.1) * pitch + corridor);
            draft.whole().fill(area, Ground::Floor);
        };
        let neighbours = |cell: u32| {
            let (x, y) = (cell % columns, cell / columns);
            let around = [
                (x > 0).then(|| cell - 1),
                (x + 1 < columns).then(|| cell + 1),
                (y > 0).then(|| cell - columns),
                (y + 1 < rows).then(|| cell + columns),
            ];
            around.into_iter().flatten()
        };
        let mut dice = seed.child("corridors", 0).dice();
        let mut visited = vec![false; (columns * rows) as usize];
        let mut degree = vec![0u8; visited.len()];
        let first = dice.below(columns * rows);
        visited[first as usize] = true;
        open(first, first);
        let mut active = vec![first];
        while !active.is_empty() {
            let newest = active.len() - 1;
            let place = if dice.happens(values.get("winding")) {
                newest
            } else {
                dice.below(active.len() as u32) as usize
            };
            let cell = active[place];
            let free: Vec<u32> = neighbours(cell).filter(|next| !visited[*next as usize]).collect();
            let Some(&next) = dice.pick(&free) else {
                // The newest replaces it: where corridors wind, both are the same.
                active.swap_remove(place);
                continue;
            };
            visited[next as usize] = true;
            degree[cell as usize] += 1;
            degree[next as usize] += 1;
            open(cell, next);
            active.push(next);
        }
        let mut dice = seed.child("loops", 0).dice();
        for cell in 0..columns * rows {
            if degree[cell as usize] == 1 && dice.happens(values.get("loops")) {
                let around: Vec<u32> = neighbours(cell).collect();
                if let Some(&next) = dice.pick(&around) {
                    open(cell, next);
                    degree[next as usize] += 1;
                }
            }
        }
        let gap = |dice: &mut crate::Dice| Opening::new(dice.below(rows) * pitch + wall, corridor);
        let mut dice = seed.child("openings", 0).dice();
        let (entry, exit) = (gap(&mut dice), gap(&mut dice));
        let right = columns * pitch;
        for (x, gap) in [(0, entry), (right, exit)] {
            draft.whole().fill(Area::new(x, gap.row, wall, corridor), Ground::Floor);
        }
        Ok(WorldDraft::Tiles(TileScene::new(draft, entry, exit)))
    }

    fn promises(&self, values: &Values) -> Vec<Promise> {
        let [corridor, wall] = ["corridor", "wall"].map(|name| values.whole(name));
        let (columns, rows) = cells(values);
        let pitch = corridor + wall;
        let total = ((columns * pitch + wall) as f32) * ((rows * pitch + wall) as f32);
        // A tree has one passage fewer than cells; two openings are passages too. A loop is a
        // passage more, and no cell breaks more than one open.
        let cells = (columns * rows) as f32;
        let [cell, passage] = [corridor * corridor, corridor * wall].map(|tiles| tiles as f32);
        let tree = cells * cell + (cells + 1.0) * passage;
        let loops = if values.get("loops") > 0.0 { cells * passage } else { 0.0 };
        let range = Range::new(tree / total - 1e-4, (tree + loops) / total + 1e-4);
        vec![
            Promise::between(Statistic::FreeShare, range),
            Promise::exactly(Statistic::Regions, 1.0),
            Promise::exactly(Statistic::Passage, corridor as f32),
        ]
    }
}

/// Columns and rows of crossings that fit, one at least.
fn cells(values: &Values) -> (u32, u32) {
    let wall = values.whole("wall");
    let pitch = values.whole("corridor") + wall;
    let count = |name: &str| (values.whole(name).saturating_sub(wall) / pitch).max(1);
    (count("width"), count("height"))
}

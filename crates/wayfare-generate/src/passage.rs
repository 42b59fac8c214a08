//! The width of the widest body that gets through a world.

use crate::runs::Runs;
use crate::{Statistic, TileScene};

/// Returns the side of the widest body that gets from the entry to the exit: of those up to
/// [`Statistic::WIDEST`], or up to `promised` if that is more. 0 if none does.
///
/// The body is a square of tiles, its own tile in the middle (left and above the middle, if the
/// side is even), and moves by sides. A diagonal move, for which the tiles beside it must be free,
/// reaches no other tile.
pub(crate) fn widest(scene: &TileScene, promised: u8) -> u8 {
    let squares = Squares::of(scene, promised.max(Statistic::WIDEST));
    let mut width = promised.max(1);
    while width > 0 && !squares.let_through(scene, width) {
        width -= 1;
    }
    while (1..Statistic::WIDEST).contains(&width) && squares.let_through(scene, width + 1) {
        width += 1;
    }
    width
}

/// For each tile the side of the largest free square that ends there in the east and south.
struct Squares {
    width: u32,
    sides: Vec<u8>,
}

impl Squares {
    /// Sides are counted up to `most`.
    ///
    /// A square of side s + 1 ends at a tile if the tile is free and squares of side s end at its
    /// neighbours in the west, in the north and between the two.
    fn of(scene: &TileScene, most: u8) -> Self {
        let draft = &scene.draft;
        let width = draft.width() as usize;
        let mut sides = vec![0u8; draft.tiles().len()];
        for (tile, ground) in draft.tiles().iter().enumerate() {
            if !ground.is_walkable() {
                continue;
            }
            let beside = if tile >= width && tile % width > 0 {
                sides[tile - 1].min(sides[tile - width]).min(sides[tile - width - 1])
            } else {
                0
            };
            sides[tile] = (beside + 1).min(most);
        }
        Squares { width: draft.width(), sides }
    }

    fn let_through(&self, scene: &TileScene, width: u8) -> bool {
        // The extent of the body beyond its tile, on either side.
        let (before, after) = (u32::from(width - 1) / 2, u32::from(width) / 2);
        let [columns, rows] = [scene.draft.width(), scene.draft.height()].map(|side| {
            // Positions of the tile from which the body does not reach over the border in the east
            // and south.
            side.saturating_sub(after)
        });
        let is_free = |x: u32, y: u32| {
            let end = (y + after) as usize * self.width as usize + (x + after) as usize;
            self.sides[end] >= width
        };
        let find = |x: u32, rows_of: std::ops::Range<u32>| {
            let mut inside = rows_of.filter(|y| x < columns && *y < rows);
            inside.find(|y| is_free(x, *y)).map(|y| (x, y))
        };
        let entry = find(before, scene.entry.rows());
        let exit = columns.checked_sub(1).and_then(|x| find(x, scene.exit.rows()));
        let Some((entry, exit)) = entry.zip(exit) else { return false };
        let mut runs = Runs::new(columns, rows, is_free);
        runs.region(entry.0, entry.1) == runs.region(exit.0, exit.1)
    }
}

#[cfg(test)]
mod tests {
    use wayfare_core::search::{AStar, Query, solve};
    use wayfare_grid::grid::GridProfile;

    use super::*;
    use crate::{Ground, Opening, Seed, TileDraft};

    /// Tests by the engine's search for a body of that width.
    fn passes(scene: &TileScene, width: u8) -> bool {
        let map = scene.draft.to_map("test").unwrap();
        let profile = GridProfile { costs: map.cost_table(), width, ..GridProfile::default() };
        let grid = map.to_grid(profile).unwrap();
        let (left, right) = (u32::from(width - 1) / 2, u32::from(width) / 2);
        if scene.draft.width() <= right || scene.draft.height() <= right {
            return false;
        }
        let find = |x: u32, rows: std::ops::Range<u32>| {
            let mut cells = rows.filter_map(|row| grid.cell(x, row));
            cells.find(|cell| grid.space().is_free(*cell))
        };
        let start = find(left, scene.entry.rows());
        let goal = find(scene.draft.width() - 1 - right, scene.exit.rows());
        let Some((start, goal)) = start.zip(goal) else { return false };
        solve(&grid.space(), &AStar::new(), Query::new(start, goal)).outcome.is_found()
    }

    #[test]
    fn the_engine_finds_the_same_widths() {
        let mut seen = [0; 10];
        for seed in 0..600 {
            let mut dice = Seed(seed).dice();
            let (width, height) = (dice.between(1, 24), dice.between(4, 24));
            let mut draft = TileDraft::new(width, height, Ground::Floor);
            let walls = dice.below(4) as f32 * 0.02;
            for tile in draft.tiles_mut() {
                if dice.happens(walls) {
                    *tile = Ground::Wall;
                }
            }
            let mut opening = || Opening::new(dice.below(height / 2), dice.between(1, height / 2));
            let (entry, exit) = (opening(), opening());
            let scene = TileScene::new(draft, entry, exit);
            let widest = widest(&scene, 1);
            seen[usize::from(widest)] += 1;
            for width in 1..=Statistic::WIDEST {
                // Openings may let a wide body through where they stop a narrower one.
                let next = width == widest + 1;
                assert!(passes(&scene, width) || width > widest, "seed {seed}, width {width}");
                assert!(!(next && passes(&scene, width)), "seed {seed}, width {width}");
            }
        }
        assert!(seen.iter().filter(|count| **count > 0).count() > 6, "{seen:?}");
    }
}

//! The width of the widest body that gets through a world.

use crate::runs::Runs;
use crate::{Statistic, TileScene};

/// Returns the side of the widest body that gets from the entry to the exit: of those up to
/// [`Statistic::WIDEST`], or up to `promised` if that is more. 0 if none does.
///
/// The body is a square of tiles, its own tile in the middle (left and above the middle, if the
/// side is even), and moves by sides. A diagonal move, for which the tiles beside it must be free,
/// reaches no other tile.
pub fn widest(scene: &TileScene, promised: u8) -> u8 {
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

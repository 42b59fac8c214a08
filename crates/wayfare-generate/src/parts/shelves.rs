//! Shelves in blocks, with aisles.

use crate::{Area, Creator, Dice, Ground, TilePlot};

/// Shelves in blocks, as in the warehouses of multi-agent path finding: blocks of `length` ×
/// `depth` tiles with aisles between and around them. Blocks that do not fit are left out.
///
/// ```
/// use wayfare_generate::parts::Shelves;
/// use wayfare_generate::{Creator, Ground, Seed, TileDraft};
///
/// let mut hall = TileDraft::new(13, 7, Ground::Floor);
/// let shelves = Shelves { length: 5, depth: 2, aisle: 1 };
/// shelves.create(&mut hall.whole(), &mut Seed(7).dice());
/// assert_eq!(hall.free(), 13 * 7 - 4 * 10);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shelves {
    /// Columns of a block.
    pub length: u32,
    /// Rows of a block.
    pub depth: u32,
    /// The width of aisles in tiles.
    pub aisle: u32,
}

impl Creator for Shelves {
    fn name(&self) -> &'static str {
        "shelves"
    }

    fn create(&self, plot: &mut TilePlot<'_>, _: &mut Dice) {
        let (length, depth, aisle) = (self.length.max(1), self.depth.max(1), self.aisle.max(1));
        let count = |side: u32, block: u32| side.saturating_sub(aisle) / (block + aisle);
        for row in 0..count(plot.height(), depth) {
            for column in 0..count(plot.width(), length) {
                let (x, y) = (aisle + column * (length + aisle), aisle + row * (depth + aisle));
                plot.fill(Area::new(x, y, length, depth), Ground::Shelf);
            }
        }
    }
}

//! Single tiles all over a plot.

use crate::{Creator, Dice, Ground, TilePlot};

/// Single tiles of a ground at random positions, such as pillars or puddles. Several may fall on
/// one tile.
///
/// ```
/// use wayfare_generate::parts::Scattered;
/// use wayfare_generate::{Creator, Ground, Seed, TileDraft};
///
/// let mut hall = TileDraft::new(8, 8, Ground::Floor);
/// Scattered { count: 5, ground: Ground::Wall }.create(&mut hall.whole(), &mut Seed(7).dice());
/// assert!((59..64).contains(&hall.free()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scattered {
    /// The number of tiles.
    pub count: u32,
    /// Their ground.
    pub ground: Ground,
}

impl Creator for Scattered {
    fn name(&self) -> &'static str {
        "scattered tiles"
    }

    fn create(&self, plot: &mut TilePlot<'_>, dice: &mut Dice) {
        for _ in 0..self.count {
            let (x, y) = (dice.below(plot.width()), dice.below(plot.height()));
            plot.set(x, y, self.ground);
        }
    }
}

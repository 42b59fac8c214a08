//! Walls and channels across a hall.

use crate::{Creator, Dice, Ground, TilePlot};

/// Its whole plot of one ground: a wall, a channel of water, or floor where something has to be
/// reached.
///
/// ```
/// use wayfare_generate::parts::CrossWall;
/// use wayfare_generate::{Area, Creator, Ground, Seed, TileDraft};
///
/// let mut hall = TileDraft::new(8, 5, Ground::Floor);
/// CrossWall(Ground::Water).create(&mut hall.plot(Area::new(4, 0, 1, 5)), &mut Seed(7).dice());
/// assert_eq!(hall.free(), 35);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrossWall(pub Ground);

impl Creator for CrossWall {
    fn name(&self) -> &'static str {
        "wall"
    }

    fn create(&self, plot: &mut TilePlot<'_>, _: &mut Dice) {
        let area = plot.area();
        plot.fill(area, self.0);
    }
}

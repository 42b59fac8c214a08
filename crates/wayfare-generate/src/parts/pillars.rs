//! Pillars in rows.

use crate::{Area, Creator, Dice, Ground, TilePlot};

/// Square pillars in rows, as many as fit. They stand apart from each other, and none touches the
/// rim of the plot.
///
/// ```
/// use wayfare_generate::parts::Pillars;
/// use wayfare_generate::{Creator, Ground, Seed, TileDraft};
///
/// let mut hall = TileDraft::new(8, 8, Ground::Floor);
/// Pillars { side: 1, gap: 2 }.create(&mut hall.whole(), &mut Seed(7).dice());
/// assert_eq!(hall.free(), 64 - 4);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pillars {
    /// The side of a pillar in tiles, at least 1.
    pub side: u32,
    /// The distance between two pillars, and to the rim of the plot, in tiles.
    pub gap: u32,
}

impl Creator for Pillars {
    fn name(&self) -> &'static str {
        "pillars"
    }

    fn create(&self, plot: &mut TilePlot<'_>, _: &mut Dice) {
        let (side, gap) = (self.side.max(1), self.gap.max(1));
        let pitch = side + gap;
        // The pillars that fit, each with a gap before it, and a gap after the last.
        let count = |length: u32| length.saturating_sub(gap) / pitch;
        let (columns, rows) = (count(plot.width()), count(plot.height()));
        // Both ends share the rest.
        let rest = |length: u32, count: u32| (length - count * pitch - gap) / 2;
        if columns == 0 || rows == 0 {
            return;
        }
        let (left, top) = (rest(plot.width(), columns), rest(plot.height(), rows));
        for row in 0..rows {
            for column in 0..columns {
                let (x, y) = (left + gap + column * pitch, top + gap + row * pitch);
                plot.fill(Area::new(x, y, side, side), Ground::Wall);
            }
        }
    }
}

//! Blocks of a city: lots with buildings, and squares.

use crate::{Area, Creator, Dice, Ground, TilePlot};

/// A block of houses: lots with a building each, some hollow with a yard and a gate, and alleys
/// between some of them, until the share of open ground is met. The rest, less than a yard, stays
/// built, and more if all large buildings have a yard.
///
/// Every free tile of the plot can be reached from its rim: alleys run from side to side, and each
/// yard has a gate to a side of its lot that is the rim of the plot or an alley.
///
/// ```
/// use wayfare_generate::parts::Buildings;
/// use wayfare_generate::{Creator, Ground, Seed, TileDraft};
///
/// let mut block = TileDraft::new(30, 20, Ground::Paving);
/// Buildings { open: 0.25, alley: 2 }.create(&mut block.whole(), &mut Seed(7).dice());
/// assert!((130..=150).contains(&block.free()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Buildings {
    /// The share of the plot that stays open, from 0 to 1.
    pub open: f32,
    /// The width of alleys and gates in tiles.
    pub alley: u32,
}

/// The shortest side of a lot.
const LOT: u32 = 7;

impl Creator for Buildings {
    fn name(&self) -> &'static str {
        "buildings"
    }

    fn create(&self, plot: &mut TilePlot<'_>, dice: &mut Dice) {
        let (width, height) = (plot.width(), plot.height());
        // Tiles that may be open yet.
        let mut left = (self.open * (width as f32 * height as f32)) as u32;
        let mut lots = Vec::new();
        // Two rows of lots at most, so that each lot has a side at the rim.
        let rows = self.cut(height, width, 2, &mut left, dice);
        for (number, (y, height)) in rows.iter().enumerate() {
            for (x, width) in self.cut(width, *height, u32::MAX, &mut left, dice) {
                let lot = Area::new(x, *y, width, *height);
                plot.fill(lot, Ground::Building);
                lots.push((lot, number == 0));
            }
        }
        dice.shuffle(&mut lots);
        for (lot, above) in lots {
            self.yard(plot, lot, above, &mut left, dice);
        }
    }
}

impl Buildings {
    /// Returns a side cut into at most `most` lots, with an alley or a shared wall between two;
    /// `across` is the length of an alley.
    fn cut(
        &self,
        side: u32,
        across: u32,
        most: u32,
        left: &mut u32,
        dice: &mut Dice,
    ) -> Vec<(u32, u32)> {
        let mut lots = Vec::new();
        let mut from = 0;
        while (lots.len() as u32) < most - 1 && side - from >= 2 * LOT + self.alley {
            let length = dice.between(LOT, (side - from - LOT - self.alley).min(16));
            lots.push((from, length));
            let alley = self.alley * across;
            let has_alley = dice.happens(0.5) && alley <= *left;
            *left -= if has_alley { alley } else { 0 };
            from += length + if has_alley { self.alley } else { 0 };
        }
        lots.push((from, side - from));
        lots
    }

    /// Opens a yard with a gate, smaller than the lot allows if no more may be open.
    fn yard(
        &self,
        plot: &mut TilePlot<'_>,
        lot: Area,
        above: bool,
        left: &mut u32,
        dice: &mut Dice,
    ) {
        let wall = 2;
        let (least, gate) = (self.alley.max(3), self.alley * wall);
        let mut yard = lot.shrunk(wall);
        let room = left.saturating_sub(gate);
        yard.width = yard.width.min(room / least);
        if yard.width < least || yard.height < least {
            return;
        }
        let height = yard.height.min(room / yard.width);
        // The upper row of lots has its gates in the upper wall, the lower one in the lower wall.
        if !above {
            yard.y += yard.height - height;
        }
        yard.height = height;
        plot.fill(yard, if dice.happens(0.5) { Ground::Grass } else { Ground::Paving });
        let x = yard.x + dice.below(yard.width - self.alley + 1);
        let y = if above { lot.y } else { lot.bottom() - wall };
        plot.fill(Area::new(x, y, self.alley, wall), Ground::Paving);
        *left -= yard.width * yard.height + gate;
    }
}

/// A square: paving, with a pond or trees in the middle.
///
/// ```
/// use wayfare_generate::parts::Plaza;
/// use wayfare_generate::{Creator, Ground, Seed, TileDraft};
///
/// let mut square = TileDraft::new(15, 15, Ground::Road);
/// Plaza.create(&mut square.whole(), &mut Seed(7).dice());
/// assert_eq!(square.at(1, 1), Ground::Paving);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plaza;

impl Creator for Plaza {
    fn name(&self) -> &'static str {
        "plaza"
    }

    fn create(&self, plot: &mut TilePlot<'_>, dice: &mut Dice) {
        let area = plot.area();
        plot.fill(area, Ground::Paving);
        let middle = area.middle();
        let park = dice.happens(0.5);
        let radius = area.width.min(area.height) / if park { 3 } else { 5 };
        for at in area.tiles() {
            let (dx, dy) = (at.x.abs_diff(middle.x), at.y.abs_diff(middle.y));
            if dx * dx + dy * dy <= radius * radius {
                let tree = park && dice.happens(0.3);
                let lawn = if tree { Ground::Woods } else { Ground::Grass };
                plot.set(at.x, at.y, if park { lawn } else { Ground::Water });
            }
        }
    }
}

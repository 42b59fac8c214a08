//! City blocks, version 1: each large building has a yard with a probability, and how much ground
//! is open is left to chance.

use crate::kinds::city::{City, blocks, open_gates};
use crate::kinds::tools::{height, width};
use crate::parts::Plaza;
use crate::{
    Area, Creator, Dice, GenerateError, Ground, Parameter, Promise, Scenario, Seed, Statistic,
    TileDraft, TilePlot, Values, WorldDraft,
};

pub(in crate::kinds) struct City1;

const PARAMETERS: &[Parameter] = &[
    width(48, 88, 128),
    height(48, 72, 104),
    Parameter::whole("block", "shortest side of a block of houses", "tiles", 8, 64)
        .by_default(12.0, 16.0),
    Parameter::whole("street", "width of streets; avenues are twice as wide", "tiles", 1, 8)
        .by_default(2.0, 3.0),
    Parameter::share("plazas", "share of blocks that are squares", 0.0, 0.5).by_default(0.08, 0.2),
    Parameter::share("yards", "share of large buildings with a yard", 0.0, 1.0)
        .by_default(0.3, 0.6),
];

impl Scenario for City1 {
    fn name(&self) -> &'static str {
        City.name()
    }

    fn about(&self) -> &'static str {
        City.about()
    }

    fn families(&self) -> &'static [&'static str] {
        City.families()
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn build(&self, values: &Values, seed: Seed) -> Result<WorldDraft, GenerateError> {
        let (block, street) = (values.whole("block"), values.whole("street"));
        let mut draft = TileDraft::new(values.whole("width"), values.whole("height"), Ground::Road);
        let mut dice = seed.child("streets", 0).dice();
        let columns = blocks(draft.width(), block, street, &mut dice);
        let rows = blocks(draft.height(), block, street, &mut dice);
        let houses = Houses { yards: values.get("yards"), alley: street.min(2) };
        let places = rows.iter().flat_map(|row| columns.iter().map(move |column| (row, column)));
        for (number, ((y, height), (x, width))) in (0..).zip(places) {
            let mut dice = seed.child("block", number).dice();
            let mut plot = draft.plot(Area::new(*x, *y, *width, *height));
            if dice.happens(values.get("plazas")) {
                Plaza.create(&mut plot, &mut dice);
            } else {
                houses.create(&mut plot, &mut dice);
            }
        }
        draft.whole().frame(Ground::Wall);
        let mut dice = seed.child("openings", 0).dice();
        Ok(WorldDraft::Tiles(open_gates(draft, &rows, street, &mut dice)))
    }

    fn promises(&self, values: &Values) -> Vec<Promise> {
        vec![
            Promise::exactly(Statistic::Regions, 1.0),
            Promise::at_least(Statistic::Passage, values.get("street")),
        ]
    }
}

/// A block of houses: lots with a building each, some hollow with a yard and a gate, and alleys
/// between some of them. That all free tiles can be reached is argued at
/// [`Buildings`](crate::parts::Buildings).
struct Houses {
    /// The share of large buildings that have a yard.
    yards: f32,
    /// The width of alleys and gates in tiles.
    alley: u32,
}

/// The shortest side of a lot.
const LOT: u32 = 7;
/// The walls around a yard.
const WALL: u32 = 2;

impl Houses {
    fn create(&self, plot: &mut TilePlot<'_>, dice: &mut Dice) {
        let rows = self.cut(plot.height(), 2, dice);
        for (number, (y, height)) in rows.iter().enumerate() {
            for (x, width) in self.cut(plot.width(), u32::MAX, dice) {
                self.building(plot, Area::new(x, *y, width, *height), number == 0, dice);
            }
        }
    }

    /// Returns a side cut into at most `most` lots, with an alley or a shared wall between two.
    fn cut(&self, side: u32, most: u32, dice: &mut Dice) -> Vec<(u32, u32)> {
        let mut lots = Vec::new();
        let mut from = 0;
        while (lots.len() as u32) < most - 1 && side - from >= 2 * LOT + self.alley {
            let length = dice.between(LOT, (side - from - LOT - self.alley).min(16));
            lots.push((from, length));
            from += length + if dice.happens(0.5) { self.alley } else { 0 };
        }
        lots.push((from, side - from));
        lots
    }

    fn building(&self, plot: &mut TilePlot<'_>, lot: Area, above: bool, dice: &mut Dice) {
        plot.fill(lot, Ground::Building);
        let yard = lot.shrunk(WALL);
        if yard.width.min(yard.height) < self.alley.max(3) || !dice.happens(self.yards) {
            return;
        }
        plot.fill(yard, if dice.happens(0.5) { Ground::Grass } else { Ground::Paving });
        let x = yard.x + dice.below(yard.width - self.alley + 1);
        let y = if above { lot.y } else { lot.bottom() - WALL };
        plot.fill(Area::new(x, y, self.alley, WALL), Ground::Paving);
    }
}

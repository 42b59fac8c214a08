//! City blocks: streets, avenues, squares, and houses with yards.

use super::tools::{height, width};
use crate::parts::{Buildings, Plaza};
use crate::{
    Area, Creator, Dice, GenerateError, Ground, Opening, Parameter, Promise, Scenario, Seed,
    Statistic, TileDraft, TileScene, Values, WorldDraft,
};

pub(crate) struct City;

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

impl Scenario for City {
    fn name(&self) -> &'static str {
        "city"
    }

    fn about(&self) -> &'static str {
        "streets, squares, houses with yards"
    }

    fn families(&self) -> &'static [&'static str] {
        &["outdoor"]
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
        let buildings = Buildings { yards: values.get("yards"), alley: street.min(2) };
        let mut number = 0;
        for (y, height) in &rows {
            for (x, width) in &columns {
                let mut dice = seed.child("block", number).dice();
                number += 1;
                let mut plot = draft.plot(Area::new(*x, *y, *width, *height));
                if dice.happens(values.get("plazas")) {
                    Plaza.create(&mut plot, &mut dice);
                } else {
                    buildings.create(&mut plot, &mut dice);
                }
            }
        }
        draft.whole().frame(Ground::Wall);
        // Streets run along the rows of blocks: one of them leads out.
        let gap = |dice: &mut Dice| {
            let after: Vec<u32> = rows.iter().map(|(y, height)| y + height).collect();
            Opening::new(dice.pick(&after).copied().unwrap_or(1), street)
        };
        let mut dice = seed.child("openings", 0).dice();
        let mut scene = {
            let (entry, exit) = (gap(&mut dice), gap(&mut dice));
            TileScene::new(draft, entry, exit)
        };
        let right = scene.draft.width() - 1;
        for (x, gap) in [(0, scene.entry), (right, scene.exit)] {
            let mut gate = scene.draft.plot(Area::new(x, gap.row, 1, gap.width));
            gate.fill(gate.area(), Ground::Road);
        }
        Ok(WorldDraft::Tiles(scene))
    }

    fn promises(&self, values: &Values) -> Vec<Promise> {
        vec![
            Promise::exactly(Statistic::Regions, 1.0),
            Promise::at_least(Statistic::Passage, values.get("street")),
        ]
    }
}

/// Blocks along a side, with a street before, between and after them: every third is an avenue.
fn blocks(side: u32, shortest: u32, street: u32, dice: &mut Dice) -> Vec<(u32, u32)> {
    let mut spans = Vec::new();
    // Within the frame of the world.
    let (mut from, end) = (1 + street, side - 1 - street);
    loop {
        let left = end.saturating_sub(from);
        let gap = if spans.len() % 3 == 2 { 2 * street } else { street };
        if left < 2 * shortest + gap {
            spans.push((from, left));
            return spans;
        }
        let longest = (left - shortest - gap).min(shortest + shortest / 2 + 4);
        let length = dice.between(shortest, longest);
        spans.push((from, length));
        from += length + gap;
    }
}

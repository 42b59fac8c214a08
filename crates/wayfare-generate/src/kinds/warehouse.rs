//! Warehouses: blocks of shelves with aisles, and stations at both ends.
//!
//! Source of the layout: R. Stern et al., "Multi-Agent Pathfinding: Definitions, Variants, and
//! Benchmarks", 2019, whose warehouse maps have shelves of ten by two tiles.

use super::tools::MOST;
use crate::parts::Shelves;
use crate::{
    Area, Creator, GenerateError, Ground, Opening, Parameter, Promise, Scenario, Seed, Statistic,
    TileDraft, TileScene, Values, WorldDraft,
};

pub(crate) struct Warehouse;

const PARAMETERS: &[Parameter] = &[
    Parameter::whole("columns", "blocks of shelves along x", "", 1, 256).by_default(4.0, 8.0),
    Parameter::whole("rows", "blocks of shelves along y", "", 1, 512).by_default(8.0, 16.0),
    Parameter::whole("shelf", "columns of a block", "tiles", 1, 64).by_default(5.0, 10.0),
    Parameter::whole("depth", "rows of a block", "tiles", 1, 8).by_default(1.0, 2.0),
    Parameter::whole("aisle", "width of aisles", "tiles", 1, 8).by_default(1.0, 2.0),
    Parameter::whole("stations", "width of the open ground at both ends", "tiles", 1, 64)
        .by_default(4.0, 8.0),
];

impl Scenario for Warehouse {
    fn name(&self) -> &'static str {
        "warehouse"
    }

    fn about(&self) -> &'static str {
        "blocks of shelves with aisles, as in multi-agent benchmarks"
    }

    fn families(&self) -> &'static [&'static str] {
        &["indoor"]
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn build(&self, values: &Values, seed: Seed) -> Result<WorldDraft, GenerateError> {
        let [length, depth, aisle] = ["shelf", "depth", "aisle"].map(|name| values.whole(name));
        let stations = values.whole("stations");
        // The hall of the shelves, stations at both ends, and the frame.
        let hall = values.whole("columns") * (length + aisle) + aisle;
        let (width, height) =
            (hall + 2 * stations + 2, values.whole("rows") * (depth + aisle) + aisle + 2);
        if width > MOST || height > MOST {
            return Err(GenerateError::Request(format!(
                "a warehouse of {width} × {height} tiles is larger than {MOST} × {MOST}: lower its \
                 columns, rows, shelf, depth or aisle"
            )));
        }
        let mut draft = TileDraft::new(width, height, Ground::Floor);
        for x in [1, 1 + stations + hall] {
            draft.whole().fill(Area::new(x, 1, stations, height - 2), Ground::Paving);
        }
        draft.whole().frame(Ground::Wall);
        let mut dice = seed.child("openings", 0).dice();
        let mut gap = || Opening::new(dice.between(1, height - 1 - aisle), aisle);
        let (entry, exit) = (gap(), gap());
        let mut plot = draft.plot(Area::new(1 + stations, 1, hall, height - 2));
        Shelves { length, depth, aisle }.create(&mut plot, &mut seed.child("shelves", 0).dice());
        Ok(WorldDraft::Tiles(TileScene::new(draft, entry, exit)))
    }

    fn promises(&self, values: &Values) -> Vec<Promise> {
        let [columns, rows, length, depth, aisle, stations] =
            ["columns", "rows", "shelf", "depth", "aisle", "stations"]
                .map(|name| u64::from(values.whole(name)));
        let width = columns * (length + aisle) + aisle + 2 * stations + 2;
        let height = rows * (depth + aisle) + aisle + 2;
        // All shelves fit. The frame is closed up to the entry and the exit.
        let closed = columns * rows * length * depth + 2 * (width + height) - 4 - 2 * aisle;
        let all = width * height;
        vec![
            Promise::exactly(Statistic::FreeShare, (all - closed) as f32 / all as f32),
            Promise::exactly(Statistic::Regions, 1.0),
            Promise::at_least(Statistic::Passage, values.get("aisle")),
        ]
    }
}

//! Landscapes, version 1: how much ground is free is left to rivers and paths.

use crate::kinds::terrain::{Landscape, country};
use crate::{
    GenerateError, Parameter, Promise, Scenario, Seed, Statistic, TileScene, Values, WorldDraft,
};

pub(in crate::kinds) struct Landscape1;

impl Scenario for Landscape1 {
    fn name(&self) -> &'static str {
        Landscape.name()
    }

    fn about(&self) -> &'static str {
        Landscape.about()
    }

    fn families(&self) -> &'static [&'static str] {
        Landscape.families()
    }

    fn parameters(&self) -> &'static [Parameter] {
        Landscape.parameters()
    }

    fn build(&self, values: &Values, seed: Seed) -> Result<WorldDraft, GenerateError> {
        let (draft, [entry, exit]) = country(values, seed)?;
        Ok(WorldDraft::Tiles(TileScene::new(draft, entry, exit)))
    }

    fn promises(&self, values: &Values) -> Vec<Promise> {
        vec![
            Promise::exactly(Statistic::Regions, 1.0),
            Promise::at_least(Statistic::Passage, values.get("passage")),
        ]
    }
}

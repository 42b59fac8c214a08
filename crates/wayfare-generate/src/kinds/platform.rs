//! A platform on a pulley: a crate in the pan of its counterweight lets it carry one up, over the
//! wall.

use wayfare_world::scene::PuzzleLift;

use super::pulley::{self, Hall, Mechanism};
use crate::{GenerateError, Parameter, Promise, Scenario, Seed, Values, WorldDraft};

pub(crate) struct Platform;

impl Scenario for Platform {
    fn name(&self) -> &'static str {
        "platform"
    }

    fn about(&self) -> &'static str {
        "a hall with a platform over its wall, which goes up when a crate lies in its pan"
    }

    fn families(&self) -> &'static [&'static str] {
        pulley::FAMILIES
    }

    fn parameters(&self) -> &'static [Parameter] {
        pulley::PARAMETERS
    }

    fn build(&self, values: &Values, seed: Seed) -> Result<WorldDraft, GenerateError> {
        pulley::build(self, values, seed)
    }

    fn promises(&self, values: &Values) -> Vec<Promise> {
        pulley::promises(values)
    }
}

impl Mechanism for Platform {
    fn pan(&self, _: u32, _: u32) -> Option<[u32; 2]> {
        None // ropes and rollers lead anywhere
    }

    fn build(&self, hall: &mut Hall, pan: [u32; 2]) {
        let up = pulley::plate(hall, "pan", pan);
        hall.puzzle.platforms.push(PuzzleLift {
            name: "platform".to_owned(),
            low: [hall.wall - 1, hall.row],
            high: [hall.wall + 1, hall.row],
            cost: 6.0,
            up,
        });
    }
}

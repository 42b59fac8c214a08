//! A platform on a pulley: a crate in the pan of its counterweight lets it carry one up, over the
//! wall.

use wayfare_world::scene::PuzzleLift;

use super::pulley::{self, Hall, Mechanism, Pulley};

/// A platform on a pulley, and the pan of its counterweight.
pub(crate) struct Platform;

pub(crate) const KIND: Pulley<Platform> = Pulley(Platform);

impl Mechanism for Platform {
    fn name(&self) -> &'static str {
        "platform"
    }

    fn about(&self) -> &'static str {
        "a hall with a platform over its wall, which goes up when a crate lies in its pan"
    }

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

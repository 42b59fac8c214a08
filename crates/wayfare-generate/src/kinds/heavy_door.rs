//! A heavy door on a pulley: a crate on the plate raises it.

use wayfare::puzzle::GateForm;
use wayfare_world::scene::PuzzleBarrier;

use super::pulley::{self, Hall, Mechanism, Pulley};

/// A door on a pulley, and the plate that raises it.
pub(crate) struct HeavyDoor;

pub(crate) const KIND: Pulley<HeavyDoor> = Pulley(HeavyDoor);

impl Mechanism for HeavyDoor {
    fn name(&self) -> &'static str {
        "heavy-door"
    }

    fn about(&self) -> &'static str {
        "a hall with a heavy door, which a crate on a plate raises"
    }

    fn pan(&self, _: u32, _: u32) -> Option<[u32; 2]> {
        None // the plate lies anywhere
    }

    fn build(&self, hall: &mut Hall, pan: [u32; 2]) {
        let when = pulley::plate(hall, "plate", pan);
        let (name, cells) = ("heavy door".to_owned(), vec![[hall.wall, hall.row]]);
        pulley::gate(hall, PuzzleBarrier { name, form: GateForm::HeavyDoor, cells, when });
    }
}

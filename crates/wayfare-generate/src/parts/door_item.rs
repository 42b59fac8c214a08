//! Doors, heavy doors and bridges.

use wayfare_puzzle::GateForm;
use wayfare_scene::scene::PuzzleBarrier;

use crate::{Dice, Ground, HallPlot, PartCreator};

/// A gate on all tiles of its plot, which become floor.
///
/// Example: [`Place`](crate::Place).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoorItem {
    /// Its variation: a door, a heavy door, or a gap that becomes a bridge.
    pub form: GateForm,
    /// The conditions under which it is open, at least one.
    pub when: Vec<String>,
}

impl DoorItem {
    /// Returns a heavy door that a crate on a plate raises.
    #[must_use]
    pub fn heavy(plate: &str) -> Self {
        DoorItem { form: GateForm::HeavyDoor, when: vec![format!("plate {plate}")] }
    }
}

impl PartCreator for DoorItem {
    fn kind(&self) -> &'static str {
        match self.form {
            GateForm::Door => "door",
            GateForm::HeavyDoor => "heavy door",
            GateForm::Bridge => "gap",
        }
    }

    fn furnish(&self, plot: &mut HallPlot<'_>, _: &mut Dice) {
        let (area, cells) = (plot.area(), plot.cells());
        plot.tiles().fill(area, Ground::Floor);
        let (name, form, when) = (plot.name().to_owned(), self.form, self.when.clone());
        plot.puzzle().gates.push(PuzzleBarrier { name, form, cells, when });
    }
}

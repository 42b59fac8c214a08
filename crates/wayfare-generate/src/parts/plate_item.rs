//! Plates, and pans of counterweights.

use wayfare_scene::scene::PuzzleThing;

use crate::{Dice, HallPlot, PartCreator};

/// A plate, or the pan of a counterweight, on the first tile of its plot: a crate on it loads it.
///
/// Its condition: `plate NAME`.
///
/// Example: [`Place`](crate::Place).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlateItem;

impl PartCreator for PlateItem {
    fn kind(&self) -> &'static str {
        "plate"
    }

    fn furnish(&self, plot: &mut HallPlot<'_>, _: &mut Dice) {
        let Some(at) = plot.cell(0, 0) else { return };
        let name = plot.name().to_owned();
        plot.set_condition(format!("plate {name}"));
        plot.puzzle().plates.push(PuzzleThing { name, at });
    }
}

//! Crates.

use wayfare_scene::scene::PuzzleThing;

use crate::{Dice, HallPlot, PartCreator};

/// A crate on the first tile of its plot.
///
/// Example: [`Place`](crate::Place).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CrateItem;

impl PartCreator for CrateItem {
    fn kind(&self) -> &'static str {
        "crate"
    }

    fn furnish(&self, plot: &mut HallPlot<'_>, _: &mut Dice) {
        let Some(at) = plot.cell(0, 0) else { return };
        let name = plot.name().to_owned();
        plot.puzzle().crates.push(PuzzleThing { name, at });
    }
}

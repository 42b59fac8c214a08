//! Levers.

use wayfare_scene::scene::PuzzleLever;

use crate::{Dice, HallPlot, PartCreator};

/// A lever on the first tile of its plot.
///
/// Its condition is true once it was pulled: `lever NAME`, or `not lever NAME` if it is on at the
/// beginning.
///
/// Example: [`HallDraft`](crate::HallDraft).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LeverItem {
    /// The probability that it is on at the beginning, 0 to 1.
    pub on: f32,
}

impl PartCreator for LeverItem {
    fn kind(&self) -> &'static str {
        "lever"
    }

    fn furnish(&self, plot: &mut HallPlot<'_>, dice: &mut Dice) {
        let Some(at) = plot.cell(0, 0) else { return };
        let (name, on) = (plot.name().to_owned(), dice.happens(self.on));
        plot.set_condition(format!("{}lever {name}", if on { "not " } else { "" }));
        plot.puzzle().levers.push(PuzzleLever { name, at, on });
    }
}

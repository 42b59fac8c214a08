//! Hooks.

use wayfare_scene::scene::PuzzleHook;

use crate::{Dice, Ground, HallPlot, PartCreator};

/// Where the winch of a hook stands: its variation.
///
/// Example: [`HookItem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WinchSide {
    /// At the eastern end of its plot.
    Shore,
    /// At the western end.
    Entry,
}

/// A hook over the last column but one of its plot, in the last row; its winch stands in the first
/// row.
///
/// Its condition: `hook NAME`.
///
/// ```
/// use wayfare_generate::parts::{HookItem, WinchSide};
/// use wayfare_generate::{Area, Ground, HallDraft, PartOrder, Place, Seed, TileDraft};
///
/// let mut hall = HallDraft::new(TileDraft::new(9, 5, Ground::Floor), Default::default());
/// let hook = HookItem { winch: WinchSide::Shore };
/// let order = PartOrder::new("hook", &hook, Place::At(Area::new(3, 1, 2, 3)));
/// hall.furnish(&order, &mut Seed(7).dice()).expect("room for it");
/// assert_eq!((hall.puzzle.hooks[0].at, hall.puzzle.hooks[0].under), ([4, 1], [3, 3]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HookItem {
    /// Where its winch stands.
    pub winch: WinchSide,
}

impl PartCreator for HookItem {
    fn kind(&self) -> &'static str {
        "hook"
    }

    fn size(&self) -> [u32; 2] {
        [2, 2]
    }

    fn furnish(&self, plot: &mut HallPlot<'_>, _: &mut Dice) {
        let area = plot.area();
        let last = area.width.saturating_sub(1);
        let x = if self.winch == WinchSide::Shore { last } else { 0 };
        let hook = [last.saturating_sub(1), area.height.saturating_sub(1)];
        let (Some(at), Some(under)) = (plot.cell(x, 0), plot.cell(hook[0], hook[1])) else {
            return;
        };
        for [x, y] in [[x, 0], hook] {
            plot.tiles().set(x, y, Ground::Floor);
        }
        let name = plot.name().to_owned();
        plot.set_condition(format!("hook {name}"));
        plot.puzzle().hooks.push(PuzzleHook { name, at, under });
    }
}

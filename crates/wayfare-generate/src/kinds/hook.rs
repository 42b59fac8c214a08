//! A hook that draws a crate into a gap: the crate becomes a bridge.

use wayfare::puzzle::GateForm;
use wayfare_world::scene::{PuzzleBarrier, PuzzleHook};

use super::pulley::{self, Hall, Mechanism, Pulley};
use crate::Ground;

/// A hook, and the gap that it bridges.
pub(crate) struct HookAndGap;

pub(crate) const KIND: Pulley<HookAndGap> = Pulley(HookAndGap);

impl Mechanism for HookAndGap {
    fn name(&self) -> &'static str {
        "hook"
    }

    fn about(&self) -> &'static str {
        "a hall with water across it; a hook draws a crate in as a bridge"
    }

    fn pan(&self, wall: u32, row: u32) -> Option<[u32; 2]> {
        Some([wall - 2, row]) // a tile from the water
    }

    fn build(&self, hall: &mut Hall, pan: [u32; 2]) {
        for y in 1..hall.draft.height() - 1 {
            hall.draft.set(hall.wall, y, Ground::Water);
        }
        // The winch stands on the shore, above the hook or below it.
        let y = if hall.row > 2 { hall.row - 2 } else { hall.row + 2 };
        let at = [hall.wall - 1, y];
        hall.draft.set(at[0], at[1], Ground::Floor);
        hall.puzzle.hooks.push(PuzzleHook { name: "hook".to_owned(), at, under: pan });
        let mut when = vec!["hook hook".to_owned()];
        when.extend(hall.levers.iter().cloned());
        let (name, cells) = ("gap".to_owned(), vec![[hall.wall, hall.row]]);
        pulley::gate(hall, PuzzleBarrier { name, form: GateForm::Bridge, cells, when });
    }
}

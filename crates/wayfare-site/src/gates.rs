//! Shut gates and crates of puzzles: the reasons why there is no path.

use wayfare::glam::Vec3;
use wayfare::puzzle::{PartId, Puzzle, PuzzleState};
use wayfare::space::Cell;

/// Returns the first shut gate of puzzles on a path over ground without obstacles, in words; where
/// none is on it, the first crate. A crate may be gone round, where a gate is the reason.
pub(crate) fn first_barrier<'p>(
    puzzles: impl Iterator<Item = (&'p Puzzle, &'p PuzzleState)>,
    path: &[Vec3],
) -> Option<String> {
    let mut first: Option<((bool, usize), String)> = None;
    for (puzzle, state) in puzzles {
        let ground = puzzle.ground();
        for (cell, what) in barriers(puzzle, state) {
            let Some(centre) = ground.centre(cell) else { continue };
            // The middle of a cell that a path steps on.
            let is_on = |at: &Vec3| (*at - centre).with_y(0.0).length() < 0.5 * ground.cell_size();
            let Some(place) = path.iter().position(is_on) else { continue };
            let rank = (matches!(what, Barring::Crate(_)), place);
            if first.as_ref().is_none_or(|(known, _)| rank < *known) {
                first = Some((rank, what.tell(puzzle)));
            }
        }
    }
    first.map(|(_, told)| told)
}

/// Returns the cells that a puzzle bars in a state: those of shut gates and of crates.
pub(crate) fn barriers<'p>(
    puzzle: &'p Puzzle,
    state: &'p PuzzleState,
) -> impl Iterator<Item = (Cell, Barring)> + 'p {
    let gates = (0..).map(PartId).zip(&puzzle.parts().gates);
    let shut = gates.filter(|(id, _)| !puzzle.is_open(state, *id));
    let shut =
        shut.flat_map(|(id, gate)| gate.cells.iter().map(move |at| (*at, Barring::Gate(id))));
    let crates = (0..).map(PartId).zip(&state.crates);
    shut.chain(crates.filter_map(|(id, at)| Some(((*at)?, Barring::Crate(id)))))
}

/// A part of a puzzle that bars a cell.
#[derive(Clone, Copy)]
pub(crate) enum Barring {
    Gate(PartId),
    Crate(PartId),
}

impl Barring {
    fn tell(self, puzzle: &Puzzle) -> String {
        let parts = puzzle.parts();
        match self {
            Self::Gate(id) => puzzle.tell_gate(id),
            Self::Crate(PartId(number)) => {
                let name = parts.crates.get(usize::from(number)).map_or("?", |one| &one.name);
                format!("the crate '{name}' is in the way")
            }
        }
    }
}

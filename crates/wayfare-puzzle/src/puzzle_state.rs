//! The condition of all parts of a puzzle, in full.

use wayfare_grid::grid::Cell;

use super::Puzzle;
use super::ground::NOWHERE;
use super::layout::{Layout, Node};
use super::parts::{Condition, PartId};
use super::timetable::PlatformPlace;

/// The condition of all parts of a [`Puzzle`], each in the order of its list.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::puzzle::{Lever, Puzzle, PuzzleGround, PuzzleParts, PuzzleState};
///
/// let grid = Grid::from_rows(&["..."])?;
/// let lever = Lever { name: "lever".into(), at: grid.cell(2, 0).unwrap(), is_on: true };
/// let ground = PuzzleGround::new(&grid, Default::default(), None);
/// let parts = PuzzleParts { levers: vec![lever], ..PuzzleParts::default() };
/// let puzzle = Puzzle::new(ground, parts)?;
/// assert_eq!(puzzle.begin(), PuzzleState { levers: vec![true], ..PuzzleState::default() });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PuzzleState {
    /// Whether each key was taken.
    pub keys: Vec<bool>,
    /// Whether each lever is on.
    pub levers: Vec<bool>,
    /// Whether each hook was used.
    pub hooks: Vec<bool>,
    /// Where each crate is; `None` if it became a bridge.
    pub crates: Vec<Option<Cell>>,
}

impl Puzzle {
    /// Returns the state at the beginning.
    #[must_use]
    pub fn begin(&self) -> PuzzleState {
        let parts = self.parts();
        PuzzleState {
            keys: vec![false; parts.keys.len()],
            levers: parts.levers.iter().map(|lever| lever.is_on).collect(),
            hooks: vec![false; parts.hooks.len()],
            crates: parts.crates.iter().map(|one| Some(one.at)).collect(),
        }
    }

    /// Returns whether a condition is true.
    #[must_use]
    pub fn holds(&self, state: &PuzzleState, condition: Condition) -> bool {
        let is =
            |list: &[bool], PartId(number): PartId| list.get(usize::from(number)) == Some(&true);
        let is_loaded = |PartId(number): PartId| {
            let plate = self.parts().plates.get(usize::from(number));
            plate.is_some_and(|plate| state.crates.contains(&Some(plate.at)))
        };
        match condition {
            Condition::LeverOn(lever) => is(&state.levers, lever),
            Condition::LeverOff(lever) => !is(&state.levers, lever),
            Condition::Loaded(plate) => is_loaded(plate),
            Condition::Unloaded(plate) => !is_loaded(plate),
            Condition::Held(key) => is(&state.keys, key),
            Condition::Bridged(hook) => is(&state.hooks, hook),
        }
    }

    /// Returns whether a gate is open.
    #[must_use]
    pub fn is_open(&self, state: &PuzzleState, gate: PartId) -> bool {
        let gate = self.parts().gates.get(usize::from(gate.0));
        gate.is_some_and(|gate| gate.when.iter().all(|one| self.holds(state, *one)))
    }

    /// Returns where a platform is at a time, in units of cost. One that a counterweight moves is
    /// at the end where it waits for a rider, one whose timetable does not run at its lower end.
    ///
    /// `None` if there is no such platform.
    #[must_use]
    pub fn platform_place(
        &self,
        state: &PuzzleState,
        platform: PartId,
        clock: u64,
    ) -> Option<PlatformPlace> {
        let lift = self.parts().platforms.get(usize::from(platform.0))?;
        let holds = lift.up.iter().all(|one| self.holds(state, *one));
        Some(match lift.timetable {
            Some(timetable) if holds => timetable.place(clock, lift.cost),
            None if !holds => PlatformPlace::High,
            Some(_) | None => PlatformPlace::Low,
        })
    }

    /// Returns the gate that is shut and has the cell.
    #[must_use]
    pub fn shut_gate(&self, state: &PuzzleState, cell: Cell) -> Option<PartId> {
        let number = self.parts().gates.iter().position(|gate| gate.cells.contains(&cell))?;
        let gate = PartId(number as u16);
        (!self.is_open(state, gate)).then_some(gate)
    }

    /// Returns whether a walker can stand on a cell: ground without a crate and without a shut
    /// gate.
    #[must_use]
    pub fn is_free(&self, state: &PuzzleState, cell: Cell) -> bool {
        self.ground().place(cell).is_some()
            && !state.crates.contains(&Some(cell))
            && self.shut_gate(state, cell).is_none()
    }

    /// Returns the cells that a walker reaches from a cell by steps between free cells, without
    /// rides, the ones fewest steps away first. The cell itself is the first, whatever is in it;
    /// none if it is no ground.
    #[must_use]
    pub fn cells_around(&self, state: &PuzzleState, from: Cell) -> Vec<Cell> {
        let ground = self.ground();
        let Some(first) = ground.place(from) else { return Vec::new() };
        let mut was_seen = vec![false; ground.len()];
        was_seen[first as usize] = true;
        let mut reached = vec![first];
        let mut next = 0;
        while let Some(&place) = reached.get(next) {
            next += 1;
            for &beside in ground.next(place).iter().filter(|beside| **beside != NOWHERE) {
                let is_new = !std::mem::replace(&mut was_seen[beside as usize], true);
                if is_new && self.is_free(state, ground.cell(beside)) {
                    reached.push(beside);
                }
            }
        }
        reached.into_iter().map(|place| ground.cell(place)).collect()
    }

    /// Returns whether a state has all parts of the puzzle, with the crates on free ground.
    #[must_use]
    pub fn fits(&self, state: &PuzzleState) -> bool {
        let parts = self.parts();
        let lies = |number: usize, cell: Cell| {
            self.ground().place(cell).is_some()
                && self.shut_gate(state, cell).is_none()
                && !state.crates[..number].contains(&Some(cell))
        };
        let used = state.hooks.iter().filter(|is_used| **is_used).count();
        state.keys.len() == parts.keys.len()
            && state.levers.len() == parts.levers.len()
            && state.hooks.len() == parts.hooks.len()
            && state.crates.len() == parts.crates.len()
            && used == state.crates.iter().filter(|place| place.is_none()).count()
            && state.crates.iter().enumerate().all(|(n, at)| at.is_none_or(|at| lies(n, at)))
    }

    /// Returns the state with a walker as the search has it; `state` [fits](Self::fits).
    pub(super) fn node(&self, state: &PuzzleState, walker: u32) -> Node {
        let layout = self.layout();
        let mut flags = 0;
        for (key, _) in state.keys.iter().enumerate().filter(|(_, held)| **held) {
            flags |= Layout::key_flag(key);
        }
        for (lever, _) in state.levers.iter().enumerate().filter(|(_, is_on)| **is_on) {
            flags |= layout.lever_flag(lever);
        }
        for (hook, _) in state.hooks.iter().enumerate().filter(|(_, used)| **used) {
            flags |= layout.hook_flag(hook);
        }
        let place = |cell| self.ground().place(cell);
        let crates: Vec<u32> = state.crates.iter().filter_map(|at| place((*at)?)).collect();
        layout.node(walker, flags, &crates)
    }
}

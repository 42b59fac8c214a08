//! The parts of a puzzle, and the puzzle itself.

use wayfare_core::space::STRAIGHT;
use wayfare_grid::grid::Cell;

use super::ground::PuzzleGround;
use super::layout::{Layout, MOST_CRATES};
use super::timetable::Timetable;

/// The index of a part in its list of [`PuzzleParts`].
///
/// Example: [`Puzzle`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PartId(pub u16);

/// A key that lies on a cell. Once taken it is kept for good.
///
/// Example: [`Puzzle`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PuzzleKey {
    /// Its name.
    pub name: String,
    /// Where it lies.
    pub at: Cell,
}

/// A lever with two positions.
///
/// Example: [`Puzzle`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Lever {
    /// Its name.
    pub name: String,
    /// Where one stands to pull it.
    pub at: Cell,
    /// Whether it is on at the beginning.
    pub is_on: bool,
}

/// A plate that a crate presses down.
///
/// Example: [`Puzzle`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Plate {
    /// Its name.
    pub name: String,
    /// Where it lies.
    pub at: Cell,
}

/// A crate. It fills its cell.
///
/// Example: [`Puzzle`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PuzzleCrate {
    /// Its name.
    pub name: String,
    /// Where it lies at the beginning.
    pub at: Cell,
}

/// A hook that draws the crate under it into a gap, once.
///
/// Example: [`Condition`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hook {
    /// Its name.
    pub name: String,
    /// Where one stands to work its winch.
    pub at: Cell,
    /// The cell under it, where the crate has to lie.
    pub under: Cell,
}

/// A condition, true or false in a state of a puzzle.
///
/// A bridge of a crate is a gate that opens when its hook was used:
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::puzzle::{
///     Condition, Deed, GateForm, Hook, PartId, Puzzle, PuzzleCrate, PuzzleGate, PuzzleGround,
///     PuzzleParts, PuzzleQuery,
/// };
///
/// let grid = Grid::from_rows(&["...#.", ".....", "...#."])?;
/// let at = |x, y| grid.cell(x, y).unwrap();
/// let puzzle = Puzzle::new(PuzzleGround::new(&grid, Default::default(), None), PuzzleParts {
///     crates: vec![PuzzleCrate { name: "crate".into(), at: at(1, 1) }],
///     hooks: vec![Hook { name: "hook".into(), at: at(0, 0), under: at(2, 1) }],
///     gates: vec![PuzzleGate {
///         name: "gap".into(),
///         form: GateForm::Bridge,
///         cells: vec![at(3, 1)],
///         when: vec![Condition::Bridged(PartId(0))],
///     }],
///     ..PuzzleParts::default()
/// })?;
/// let plan = puzzle.solve(&PuzzleQuery::new(&puzzle, at(0, 1), at(4, 1))).plan().unwrap().clone();
/// assert_eq!(plan.deeds().filter(|deed| matches!(deed, Deed::Haul(_))).count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Condition {
    /// A lever is on.
    LeverOn(PartId),
    /// A lever is off.
    LeverOff(PartId),
    /// A crate lies on a plate.
    Loaded(PartId),
    /// No crate lies on a plate.
    Unloaded(PartId),
    /// A key was taken.
    Held(PartId),
    /// A hook was used.
    Bridged(PartId),
}

/// The look of a gate. Searches treat all alike.
///
/// Example: [`Puzzle`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GateForm {
    /// A door.
    #[default]
    Door,
    /// A heavy door on a pulley, which a weight raises.
    HeavyDoor,
    /// A gap that becomes a bridge.
    Bridge,
}

/// Cells that can be entered while all conditions are true.
///
/// Example: [`Puzzle`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PuzzleGate {
    /// Its name.
    pub name: String,
    /// Its look.
    pub form: GateForm,
    /// Its cells, at least one. Of the ground, they are free.
    pub cells: Vec<Cell>,
    /// Its conditions, at least one.
    pub when: Vec<Condition>,
}

/// A platform between two heights.
///
/// Without a timetable a counterweight moves it: it is up while all conditions are true, and down
/// while they are not. With a timetable it leaves either end at its times, as long as all
/// conditions are true.
///
/// Example: [`PlanStep`](super::PlanStep), [`Timetable`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Platform {
    /// Its name.
    pub name: String,
    /// The lower end.
    pub low: Cell,
    /// The upper end.
    pub high: Cell,
    /// The cost of a ride, in units of cost, at least 1.
    pub cost: u32,
    /// Of a counterweight, the conditions for rides from `low` to `high`, at least one. With a
    /// timetable, the conditions for all rides.
    pub up: Vec<Condition>,
    /// Its timetable; `None` if a counterweight moves it.
    pub timetable: Option<Timetable>,
}

/// The costs of deeds in units of cost: [`STRAIGHT`] is a step on plain ground.
///
/// Example: [`Puzzle`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PuzzleCosts {
    /// Of taking a key, at least 1. Default: a step.
    pub take: u32,
    /// Of pulling a lever, at least 1. Default: a step.
    pub pull: u32,
    /// Of pushing or dragging a crate by a cell, beyond the walker's step, at least 1.
    /// Default: a step.
    pub shove: u32,
    /// Of working a hook, at least 1. Default: two steps.
    pub haul: u32,
}

impl Default for PuzzleCosts {
    fn default() -> Self {
        Self { take: STRAIGHT, pull: STRAIGHT, shove: STRAIGHT, haul: 2 * STRAIGHT }
    }
}

/// All parts of a puzzle.
///
/// Example: [`Puzzle`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PuzzleParts {
    /// Keys.
    pub keys: Vec<PuzzleKey>,
    /// Levers.
    pub levers: Vec<Lever>,
    /// Plates.
    pub plates: Vec<Plate>,
    /// Crates, at most 15.
    pub crates: Vec<PuzzleCrate>,
    /// Hooks.
    pub hooks: Vec<Hook>,
    /// Gates.
    pub gates: Vec<PuzzleGate>,
    /// Platforms.
    pub platforms: Vec<Platform>,
    /// Whether crates can be pulled. Default: they can only be pushed.
    pub can_pull: bool,
    /// The costs of deeds.
    pub costs: PuzzleCosts,
}

/// Ground with parts on it, checked.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::puzzle::{
///     Condition, GateForm, Lever, PartId, Plate, Puzzle, PuzzleCosts, PuzzleCrate, PuzzleGate,
///     PuzzleGround, PuzzleKey, PuzzleParts, PuzzlePlan, PuzzleQuery,
/// };
///
/// // A crate on the plate raises the heavy door; lever and key open the door behind it.
/// let grid = Grid::from_rows(&["....#....", ".........", "....#...."])?;
/// let at = |x, y| grid.cell(x, y).unwrap();
/// let one = PartId(0);
/// let gate = |name: &str, form, x, when| PuzzleGate {
///     name: name.into(), form, cells: vec![at(x, 1)], when,
/// };
/// let parts = PuzzleParts {
///     keys: vec![PuzzleKey { name: "iron".into(), at: at(5, 0) }],
///     levers: vec![Lever { name: "lever".into(), at: at(5, 2), is_on: false }],
///     plates: vec![Plate { name: "plate".into(), at: at(2, 0) }],
///     crates: vec![PuzzleCrate { name: "crate".into(), at: at(1, 0) }],
///     gates: vec![
///         gate("heavy door", GateForm::HeavyDoor, 4, vec![Condition::Loaded(one)]),
///         gate("door", GateForm::Door, 7, vec![Condition::LeverOn(one), Condition::Held(one)]),
///     ],
///     costs: PuzzleCosts::default(),
///     ..PuzzleParts::default()
/// };
/// let puzzle = Puzzle::new(PuzzleGround::new(&grid, Default::default(), None), parts)?;
/// let answer = puzzle.solve(&PuzzleQuery::new(&puzzle, at(0, 1), at(6, 1)));
/// let plan: &PuzzlePlan = answer.plan().unwrap();
/// let told: Vec<String> = plan.deeds().map(|deed| puzzle.tell(deed)).collect();
/// assert_eq!(told, ["push crate from 1,0 to 2,0", "arrive"]);
/// assert_eq!(puzzle.judge(&PuzzleQuery::new(&puzzle, at(0, 1), at(6, 1)), plan), Ok(plan.cost()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Puzzle {
    ground: PuzzleGround,
    parts: PuzzleParts,
    layout: Layout,
}

/// Why parts on a ground are no puzzle.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PuzzleError {
    /// A part lies on a blocked cell.
    #[error("{part} lies on a cell where nobody can stand")]
    Blocked {
        /// The part.
        part: String,
    },
    /// A part lies in a gate, where it could not be reached while the gate is shut.
    #[error("{part} lies in a gate")]
    InGate {
        /// The part.
        part: String,
    },
    /// Two crates lie on one cell, or a crate in a shut gate.
    #[error("{part} lies where another thing is")]
    Taken {
        /// The part.
        part: String,
    },
    /// A condition names a part that is not there.
    #[error("{part} depends on a part that is not there")]
    Dangling {
        /// The part with the condition.
        part: String,
    },
    /// A gate without cells or conditions, or a platform without conditions and timetable.
    #[error("{part} has no cells or no conditions")]
    Empty {
        /// The part.
        part: String,
    },
    /// Two gates share a cell.
    #[error("{part} shares a cell with another gate")]
    Overlap {
        /// The second gate.
        part: String,
    },
    /// A deed or a ride is free of charge, or costs more than 100,000 steps.
    #[error("{part} costs {cost}; a cost must be from 1 to that of 100,000 steps")]
    Cost {
        /// The deed or platform.
        part: String,
        /// Its cost in units.
        cost: u32,
    },
    /// The period of a timetable is 0 or longer than 100,000 steps, a time lies outside of it, or a
    /// ride ends after the next one begins.
    #[error(
        "the timetable of {part} is not possible: its period must be up to 100,000 steps, its times \
         less than the period, and a ride must end before the way back begins"
    )]
    Timetable {
        /// The platform.
        part: String,
    },
    /// More crates than states have room for.
    #[error("there are {0} crates, but at most 15 can be searched")]
    Crates(usize),
    /// More cells of gates than simulations tell apart.
    #[error("the gates have {0} cells, but may have 4,000 at most")]
    GateCells(usize),
    /// A state does not fit into 64 bits.
    #[error("a state takes {0} bits, but must fit into 64: fewer parts, or a smaller area")]
    Bits(u32),
}

/// The most cells of all gates of a puzzle.
pub const MOST_GATE_CELLS: usize = 4_000;

/// The largest cost of a deed or a ride.
const MOST_COST: u32 = 100_000 * STRAIGHT;

impl Puzzle {
    /// Puts parts on the ground.
    ///
    /// # Errors
    /// The first part that is not sound.
    pub fn new(ground: PuzzleGround, parts: PuzzleParts) -> Result<Self, PuzzleError> {
        check(&ground, &parts)?;
        let layout = Layout::of(&ground, &parts)?;
        let puzzle = Self { ground, parts, layout };
        puzzle.check_beginning()?;
        Ok(puzzle)
    }

    /// Returns the ground.
    #[must_use]
    pub fn ground(&self) -> &PuzzleGround {
        &self.ground
    }

    /// Returns the parts.
    #[must_use]
    pub fn parts(&self) -> &PuzzleParts {
        &self.parts
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    fn check_beginning(&self) -> Result<(), PuzzleError> {
        let begin = self.begin();
        for (number, one) in self.parts.crates.iter().enumerate() {
            let twice = self.parts.crates[..number].iter().any(|other| other.at == one.at);
            if twice || self.shut_gate(&begin, one.at).is_some() {
                return Err(PuzzleError::Taken { part: one.name.clone() });
            }
        }
        Ok(())
    }
}

fn check(ground: &PuzzleGround, parts: &PuzzleParts) -> Result<(), PuzzleError> {
    let PuzzleParts { keys, levers, plates, crates, hooks, gates, platforms, costs, .. } = parts;
    if crates.len() > MOST_CRATES {
        return Err(PuzzleError::Crates(crates.len()));
    }
    let cells = gates.iter().map(|gate| gate.cells.len()).sum();
    if cells > MOST_GATE_CELLS {
        return Err(PuzzleError::GateCells(cells));
    }
    let is_free = |name: &str, cell: Cell| match ground.place(cell) {
        Some(_) => Ok(()),
        None => Err(PuzzleError::Blocked { part: name.to_owned() }),
    };
    let mut gate_cells: Vec<Cell> = Vec::new();
    for gate in gates {
        let part = || gate.name.clone();
        if gate.cells.is_empty() || gate.when.is_empty() {
            return Err(PuzzleError::Empty { part: part() });
        }
        for cell in &gate.cells {
            is_free(&gate.name, *cell)?;
            if gate_cells.contains(cell) {
                return Err(PuzzleError::Overlap { part: part() });
            }
            gate_cells.push(*cell);
        }
    }
    let keys_at = keys.iter().map(|key| (&key.name, key.at));
    let levers_at = levers.iter().map(|lever| (&lever.name, lever.at));
    let hooks_at = hooks.iter().map(|hook| (&hook.name, hook.at));
    let ends = platforms.iter().flat_map(|lift| [(&lift.name, lift.low), (&lift.name, lift.high)]);
    for (name, cell) in keys_at.chain(levers_at).chain(hooks_at).chain(ends) {
        is_free(name, cell)?;
        if gate_cells.contains(&cell) {
            return Err(PuzzleError::InGate { part: name.clone() });
        }
    }
    let plates_at = plates.iter().map(|plate| (&plate.name, plate.at));
    let crates_at = crates.iter().map(|one| (&one.name, one.at));
    let under = hooks.iter().map(|hook| (&hook.name, hook.under));
    for (name, cell) in plates_at.chain(crates_at).chain(under) {
        is_free(name, cell)?;
    }
    let is_there = |condition: &Condition| {
        let (PartId(number), length) = match *condition {
            Condition::LeverOn(lever) | Condition::LeverOff(lever) => (lever, levers.len()),
            Condition::Loaded(plate) | Condition::Unloaded(plate) => (plate, plates.len()),
            Condition::Held(key) => (key, keys.len()),
            Condition::Bridged(hook) => (hook, hooks.len()),
        };
        usize::from(number) < length
    };
    let gated = gates.iter().map(|gate| (&gate.name, &gate.when, false));
    let lifted = platforms.iter().map(|lift| (&lift.name, &lift.up, lift.timetable.is_some()));
    for (name, conditions, may_be_empty) in gated.chain(lifted) {
        if conditions.is_empty() && !may_be_empty {
            return Err(PuzzleError::Empty { part: name.clone() });
        }
        if !conditions.iter().all(is_there) {
            return Err(PuzzleError::Dangling { part: name.clone() });
        }
    }
    let deeds = [("taking a key", costs.take), ("pulling a lever", costs.pull)];
    let others = [("working a hook", costs.haul), ("pushing a crate", costs.shove)];
    let rides = platforms.iter().map(|lift| (lift.name.as_str(), lift.cost));
    for (part, cost) in deeds.into_iter().chain(others).chain(rides) {
        if !(1..=MOST_COST).contains(&cost) {
            return Err(PuzzleError::Cost { part: part.to_owned(), cost });
        }
    }
    let is_possible = |lift: &Platform| match lift.timetable {
        Some(timetable) => timetable.period <= MOST_COST && timetable.has_room_for(lift.cost),
        None => true,
    };
    match platforms.iter().find(|lift| !is_possible(lift)) {
        Some(lift) => Err(PuzzleError::Timetable { part: lift.name.clone() }),
        None => Ok(()),
    }
}

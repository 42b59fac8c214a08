//! Puzzles in a simulation: their state, and the agents that carry plans out.
//!
//! A puzzle changes the world by commands alone. A shut gate and a crate are obstacles; the routes
//! up and down on a platform are links with gates. So all promises of commands apply to puzzles: no
//! agent walks through a gate that has just shut, snapshots repeat the changes, and the audit
//! checks them.
//!
//! An agent goes to the start of its puzzle, gets a plan from there, and carries out its steps in
//! order: it walks, works for a moment, and the puzzle's state changes. If a step has become
//! impossible, it gets another plan from where it stands. The search for a plan gets a share of the
//! work of each tick, so a hard puzzle takes ticks, not a long tick.
//!
//! # Versions
//!
//! A puzzle may be replaced by another version of it while agents are on its ground:
//! [`Command::ReplacePuzzle`](super::Command::ReplacePuzzle). All versions are known before they
//! are played, so that a snapshot names one by its number.
//!
//! # Timetables
//!
//! The clock of timetables is that of the simulation, at two steps on plain ground a second. The
//! links of a platform are open, and admit agents at its departures alone: an agent that wants to
//! ride waits at the edge. Agents accelerate and give way, so they come at other times than
//! planned. That costs them a period at most: the plan chooses the route, the platform the time.

mod bystanders;
mod play;
mod replace;

#[cfg(feature = "serde")]
pub(super) use play::Play;
pub(super) use play::{Puzzles, Stage};

use std::sync::Arc;

use glam::Vec3;
use wayfare_core::link::LinkId;
use wayfare_grid::grid::Cell;
use wayfare_puzzle::{Deed, NoPlan, PartId, PlatformPlace, Puzzle, PuzzleLimit, PuzzleState};

use crate::agent::AgentId;

/// The index of a puzzle of a simulation, in the order of addition.
///
/// Example: [`PuzzleView`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PuzzleId(pub u32);

/// A puzzle for a simulation.
///
/// ```
/// use std::sync::Arc;
/// use wayfare::link::{Keys, NavLinks};
/// use wayfare::prelude::*;
/// use wayfare::puzzle::{Condition, Lever, PartId, Puzzle, PuzzleGate, PuzzleGround, PuzzleParts};
/// use wayfare::simulation::{PuzzlePhase, PuzzleSpec, PuzzleView};
///
/// let grid = Grid::from_rows(&["........"])?;
/// let at = |x| grid.cell(x, 0).unwrap();
/// let (cells, start, goal) = (vec![at(5)], at(0), at(7));
/// let parts = PuzzleParts {
///     levers: vec![Lever { name: "lever".into(), at: at(3), is_on: false }],
///     gates: vec![PuzzleGate {
///         name: "gate".into(), form: Default::default(), cells,
///         when: vec![Condition::LeverOn(PartId(0))],
///     }],
///     ..PuzzleParts::default()
/// };
/// let ground = PuzzleGround::new(&grid, Default::default(), None);
/// let puzzle = Arc::new(Puzzle::new(ground, parts)?);
/// let begin = grid.centre(start);
/// let mut simulation = Simulation::new(grid, NavLinks::new(3.0), SimulationSettings::default())?;
/// let class = simulation.add_class(Default::default(), Keys::NONE)?;
/// let ann = simulation.add_agent(AgentSpec::new("Ann", class, begin))?;
/// simulation.add_puzzle(PuzzleSpec { agent: Some(ann), ..PuzzleSpec::new(puzzle, start, goal) });
/// for _ in 0..300 {
///     simulation.tick();
/// }
/// let view: PuzzleView<'_> = simulation.puzzles().next().unwrap();
/// assert_eq!((view.phase, view.state.levers[0]), (PuzzlePhase::Solved, true));
/// assert!(simulation.agent(ann).unwrap().position().x > 7.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct PuzzleSpec {
    /// The puzzle.
    pub puzzle: Arc<Puzzle>,
    /// Where its agent goes first.
    pub start: Cell,
    /// Where its agent wants to be.
    pub goal: Cell,
    /// The agent that solves it. One with several puzzles solves them in order of addition.
    /// Default: none.
    pub agent: Option<AgentId>,
    /// For each platform the link up and the link down. Without links no agent rides.
    pub lifts: Vec<[LinkId; 2]>,
    /// Where the agent goes when it has solved the puzzle.
    pub onward: Vec<Vec3>,
    /// Puzzles that may replace it, with agents, links and goals of their own.
    pub later: Vec<PuzzleSpec>,
}

impl PuzzleSpec {
    /// Returns a puzzle that no agent solves.
    #[must_use]
    pub fn new(puzzle: Arc<Puzzle>, start: Cell, goal: Cell) -> Self {
        let (lifts, onward, later) = (Vec::new(), Vec::new(), Vec::new());
        Self { puzzle, start, goal, agent: None, lifts, onward, later }
    }

    /// Returns a version of it: 0 is this one, and the others are [`later`](Self::later) ones in
    /// their order, from 1.
    #[must_use]
    pub fn version(&self, number: u32) -> Option<&Self> {
        match (number as usize).checked_sub(1) {
            None => Some(self),
            Some(later) => self.later.get(later),
        }
    }
}

/// Why the agent of a puzzle has no plan.
///
/// Example: [`PuzzleView`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Unsolved {
    /// There is none.
    #[error(transparent)]
    NoPlan(NoPlan),
    /// The search reached a limit.
    #[error(transparent)]
    Limit(PuzzleLimit),
}

/// How far the agent of a puzzle has come.
///
/// Example: [`PuzzleSpec`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PuzzlePhase {
    /// It has not begun: no agent is assigned, or its agent is at another puzzle.
    Waiting,
    /// On the path to the start.
    Coming,
    /// Standing, while its plan is searched.
    Planning,
    /// On the path to the next deed.
    Walking,
    /// At work until a tick.
    Working {
        /// The tick.
        until: u64,
    },
    /// Walking backwards with a crate behind it.
    Backing,
    /// At the goal.
    Solved,
    /// There is no plan, or it could not be found within limits.
    Hopeless,
}

/// A puzzle in a simulation at the present moment.
///
/// ```
/// use std::sync::Arc;
/// use wayfare::link::{Keys, NavLinks};
/// use wayfare::prelude::*;
/// use wayfare::puzzle::{Puzzle, PuzzleGround, PuzzleParts};
/// use wayfare::simulation::{Command, PuzzleId, PuzzlePhase, PuzzleSpec, PuzzleView, Unsolved};
///
/// let grid = Grid::from_rows(&["....#..."])?;
/// let at = |x| grid.cell(x, 0).unwrap();
/// let ground = PuzzleGround::new(&grid, Default::default(), None);
/// let puzzle = Arc::new(Puzzle::new(ground, PuzzleParts::default())?);
/// let (begin, start, near, far) = (grid.centre(at(0)), at(1), at(3), at(7));
/// let mut simulation = Simulation::new(grid, NavLinks::new(3.0), SimulationSettings::default())?;
/// let class = simulation.add_class(Default::default(), Keys::NONE)?;
/// let ann = simulation.add_agent(AgentSpec::new("Ann", class, begin))?;
/// let to = |goal| PuzzleSpec { agent: Some(ann), ..PuzzleSpec::new(puzzle.clone(), start, goal) };
/// let id: PuzzleId = simulation.add_puzzle(PuzzleSpec { later: vec![to(near)], ..to(far) });
/// (0..100).for_each(|_| {
///     simulation.tick();
/// });
/// let view: PuzzleView<'_> = simulation.puzzles().next().unwrap();
/// let why: &Unsolved = view.unsolved.unwrap();
/// assert_eq!(why.to_string(), "walls cut the goal off, whatever is opened");
///
/// let easier = Command::ReplacePuzzle { puzzle: id, version: 1, entry: begin };
/// simulation.schedule(simulation.now(), easier);
/// (0..200).for_each(|_| {
///     simulation.tick();
/// });
/// assert_eq!(simulation.puzzles().next().unwrap().phase, PuzzlePhase::Solved);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PuzzleView<'s> {
    /// The puzzle, in its present version.
    pub spec: &'s PuzzleSpec,
    /// The state of its parts.
    pub state: &'s PuzzleState,
    /// How far its agent has come.
    pub phase: PuzzlePhase,
    /// Why its agent has no plan, while its phase is [`Hopeless`](PuzzlePhase::Hopeless).
    pub unsolved: Option<&'s Unsolved>,
    /// The deed that its agent is about to do.
    pub next: Option<Deed>,
    /// The time of timetables, in units of cost.
    pub clock: u64,
}

impl PuzzleView<'_> {
    /// Returns where a platform is: see [`Puzzle::platform_place`].
    #[must_use]
    pub fn platform(&self, platform: PartId) -> Option<PlatformPlace> {
        self.spec.puzzle.platform_place(self.state, platform, self.clock)
    }
}

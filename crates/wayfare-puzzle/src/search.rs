//! The search over cells and puzzle states.

use wayfare_core::search::Progress;
use wayfare_grid::grid::Cell;

use super::flood::{FAR, Flood, Sense};
use super::frontier::Frontier;
use super::ground::NOWHERE;
use super::layout::{Layout, Node};
use super::reason::{Facts, NoPlan};
use super::table::{MOST_COST, StateTable};
use super::{Puzzle, PuzzlePlan, PuzzleState};

/// Limits of a puzzle search.
///
/// Example: [`PuzzleSearch`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PuzzleLimits {
    /// The most states that may be reached. Default: 20 million.
    pub states: u64,
    /// The most memory in bytes. Default: 1 GiB.
    pub bytes: usize,
}

impl Default for PuzzleLimits {
    fn default() -> Self {
        Self { states: 20_000_000, bytes: 1 << 30 }
    }
}

/// A query: the cheapest path from a cell to another, from a state of the puzzle.
///
/// Example: [`Puzzle`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuzzleQuery {
    /// Where the walker is.
    pub start: Cell,
    /// Where it wants to be.
    pub goal: Cell,
    /// The state of the parts.
    pub state: PuzzleState,
    /// The time at the start, in units of cost, at most 2⁶²: timetables count from 0. Default: 0.
    pub clock: u64,
    /// Limits.
    pub limits: PuzzleLimits,
}

impl PuzzleQuery {
    /// Returns a query from the state at the beginning, with default limits.
    #[must_use]
    pub fn new(puzzle: &Puzzle, start: Cell, goal: Cell) -> Self {
        let (state, limits) = (puzzle.begin(), PuzzleLimits::default());
        Self { start, goal, state, clock: 0, limits }
    }

    /// Returns the clock within its range, so that no cost that is added overflows.
    pub(super) fn now(&self) -> u64 {
        self.clock.min(MOST_CLOCK)
    }
}

/// The latest time at a start.
const MOST_CLOCK: u64 = 1 << 62;

/// The limit that ended a puzzle search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum PuzzleLimit {
    /// [`PuzzleLimits::states`].
    #[error("the limit of states was reached")]
    States,
    /// [`PuzzleLimits::bytes`].
    #[error("the limit of memory was reached")]
    Memory,
    /// Plans above the range of costs, 2³¹, were left out.
    #[error("plans that are left cost more than can be counted")]
    Cost,
}

/// How a puzzle search ended.
///
/// Example: [`PuzzleSearch`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PuzzleOutcome {
    /// A cheapest plan.
    Found(PuzzlePlan),
    /// There is none.
    NoPlan(NoPlan),
    /// A limit was reached first.
    Limit(PuzzleLimit),
    /// The search has not ended yet.
    Working,
}

/// The counters of a puzzle search.
///
/// Example: [`PuzzleSearch`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PuzzleStats {
    /// States expanded.
    pub expanded: u64,
    /// States reached.
    pub states: u64,
    /// Expanded states without a successor that was new or reached more cheaply.
    pub dead_ends: u64,
    /// Memory at its end, in bytes.
    pub bytes: usize,
}

/// The answer of a puzzle search.
///
/// Example: [`PuzzleSearch`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuzzleAnswer {
    /// How it ended.
    pub outcome: PuzzleOutcome,
    /// Its counters.
    pub stats: PuzzleStats,
}

impl PuzzleAnswer {
    /// Returns the plan, if there is one.
    #[must_use]
    pub fn plan(&self) -> Option<&PuzzlePlan> {
        match &self.outcome {
            PuzzleOutcome::Found(plan) => Some(plan),
            _ => None,
        }
    }
}

impl Puzzle {
    /// Searches for a cheapest plan, in one go: see [`PuzzleSearch`].
    #[must_use]
    pub fn solve(&self, query: &PuzzleQuery) -> PuzzleAnswer {
        let mut search = PuzzleSearch::new(self, query.clone());
        while search.step(self, u64::MAX) == Progress::Working {}
        search.answer(self)
    }
}

/// A\* over deeds: see the [module](super) for why that is exact.
///
/// **When to use it:** for puzzles in which a deed in one area opens a path in another. For keys
/// that agents have from the beginning, [links](wayfare_core::link) with locks are enough.
///
/// The estimate is the length of the walk to the goal over ground where all gates are open and
/// platforms go in both directions at any time, without crates. It is consistent: a deed moves the
/// walker by no more than it costs. Of equal estimates the state reached last is expanded first.
/// The same puzzle and query give the same plan, in slices of any size.
///
/// Time: a flood of the ground for each expansion. Memory: at most 16 bytes a state reached and
/// about 70 a cell.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::puzzle::{
///     Condition, Lever, NoPlan, PartId, Puzzle, PuzzleAnswer, PuzzleGate, PuzzleGround,
///     PuzzleLimits, PuzzleOutcome, PuzzleParts, PuzzleQuery, PuzzleSearch, PuzzleStats,
/// };
///
/// let grid = Grid::from_rows(&["......."])?;
/// let at = |x| grid.cell(x, 0).unwrap();
/// let lever = |x| Lever { name: "lever".into(), at: at(x), is_on: false };
/// let gate = || PuzzleGate {
///     name: "gate".into(), form: Default::default(), cells: vec![at(2)],
///     when: vec![Condition::LeverOn(PartId(0))],
/// };
/// let ground = PuzzleGround::new(&grid, Default::default(), None);
/// let parts = PuzzleParts { levers: vec![lever(6)], gates: vec![gate()], ..Default::default() };
/// let puzzle = Puzzle::new(ground, parts)?;
/// let limits = PuzzleLimits { states: 1000, ..PuzzleLimits::default() };
/// let query = PuzzleQuery { limits, ..PuzzleQuery::new(&puzzle, at(0), at(5)) };
/// let mut search = PuzzleSearch::new(&puzzle, query);
/// while search.step(&puzzle, 10) == Progress::Working {} // ten expansions a frame
/// let PuzzleAnswer { outcome, stats } = search.answer(&puzzle);
/// let PuzzleOutcome::NoPlan(reason) = outcome else { panic!("the lever is behind the gate") };
/// assert_eq!(
///     reason.to_string(),
///     "gate stays shut: its lever, lever, is out of reach, behind gate",
/// );
/// assert!(stats.bytes < 100_000 && stats != PuzzleStats::default());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PuzzleSearch {
    query: PuzzleQuery,
    pub(super) table: StateTable,
    open: Frontier,
    pub(super) flood: Flood,
    /// The least cost from each cell to the goal.
    estimates: Vec<u32>,
    pub(super) goal: u32,
    /// The packed start.
    pub(super) first: u64,
    facts: Facts,
    ending: Option<End>,
    expanded: u64,
    dead_ends: u64,
    is_cost_cut: bool,
}

#[derive(Clone, PartialEq, Debug)]
enum End {
    Found(u64),
    NoPlan(NoPlan),
    Limit(PuzzleLimit),
}

/// A [`Deed`](super::Deed) by the indices of parts and crates in a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PlacedDeed {
    Take(usize),
    Pull(usize),
    Haul(usize),
    /// The crate with that index is pushed a cell in a direction.
    Push(usize, usize),
    /// The same, pulled.
    Drag(usize, usize),
}

/// The result of a deed.
pub(super) struct Effect {
    pub(super) node: Node,
    pub(super) cost: u32,
}

impl PlacedDeed {
    /// Returns where the walker has to stand; [`NOWHERE`] if there is no ground.
    pub(super) fn stand(self, puzzle: &Puzzle, node: &Node) -> u32 {
        let (layout, ground) = (puzzle.layout(), puzzle.ground());
        match self {
            PlacedDeed::Take(key) => layout.keys[key],
            PlacedDeed::Pull(lever) => layout.levers[lever],
            PlacedDeed::Haul(hook) => layout.hooks[hook][0],
            PlacedDeed::Push(one, direction) => ground.next(node.crates()[one])[direction ^ 1],
            PlacedDeed::Drag(one, direction) => ground.next(node.crates()[one])[direction],
        }
    }

    /// Returns its result, with the walker where it has to [stand](Self::stand). `flood`: the last
    /// one, over the ground of the node.
    pub(super) fn apply(self, puzzle: &Puzzle, node: &Node, flood: &Flood) -> Option<Effect> {
        let (layout, costs) = (puzzle.layout(), puzzle.parts().costs);
        let ground = puzzle.ground();
        let walker = self.stand(puzzle, node);
        let mut after = Node { walker, ..*node };
        let is_clear = |place: u32| place != NOWHERE && !flood.is_barred(place);
        let cost = match self {
            PlacedDeed::Take(key) => {
                if node.flags & Layout::key_flag(key) != 0 {
                    return None;
                }
                after.flags |= Layout::key_flag(key);
                // A key opens and never shuts.
                return Some(Effect { node: after, cost: costs.take });
            }
            PlacedDeed::Pull(lever) => {
                after.flags ^= layout.lever_flag(lever);
                costs.pull
            }
            PlacedDeed::Haul(hook) => {
                let flag = layout.hook_flag(hook);
                let under = layout.hooks[hook][1];
                let taken = node.crates().iter().position(|place| *place == under)?;
                if node.flags & flag != 0 {
                    return None;
                }
                after.flags |= flag;
                after = after.with_crate(taken, NOWHERE);
                costs.haul
            }
            PlacedDeed::Push(one, direction) => {
                let from = node.crates()[one];
                let to = ground.next(from)[direction];
                if !is_clear(to) {
                    return None;
                }
                after.walker = from;
                after = after.with_crate(one, to);
                ground.cost(walker, direction).saturating_add(costs.shove)
            }
            PlacedDeed::Drag(one, direction) => {
                let back = ground.next(walker)[direction];
                if !is_clear(back) {
                    return None;
                }
                after.walker = back;
                after = after.with_crate(one, walker);
                ground.cost(walker, direction).saturating_add(costs.shove)
            }
        };
        (!layout.is_caught(&after)).then_some(Effect { node: after, cost })
    }
}

/// Returns all deeds that may be possible in a node.
pub(super) fn deeds(puzzle: &Puzzle, node: &Node) -> impl Iterator<Item = PlacedDeed> + use<> {
    let layout = puzzle.layout();
    let used = node.crates().iter().take_while(|place| **place != NOWHERE).count();
    let directions = if puzzle.parts().can_pull { 8 } else { 4 };
    let shoves = (0..used).flat_map(move |one| {
        (0..directions).map(move |number| match number {
            0..4 => PlacedDeed::Push(one, number),
            _ => PlacedDeed::Drag(one, number - 4),
        })
    });
    (0..layout.keys.len())
        .map(PlacedDeed::Take)
        .chain((0..layout.levers.len()).map(PlacedDeed::Pull))
        .chain((0..layout.hooks.len()).map(PlacedDeed::Haul))
        .chain(shoves)
}

impl PuzzleSearch {
    /// Returns a search before its first step.
    #[must_use]
    pub fn new(puzzle: &Puzzle, query: PuzzleQuery) -> Self {
        let mut search = Self {
            table: StateTable::default(),
            open: Frontier::new(),
            flood: Flood::default(),
            estimates: Vec::new(),
            goal: NOWHERE,
            first: 0,
            facts: Facts::default(),
            ending: None,
            expanded: 0,
            dead_ends: 0,
            is_cost_cut: false,
            query,
        };
        search.ending = search.begin(puzzle).err().map(End::NoPlan);
        search
    }

    fn begin(&mut self, puzzle: &Puzzle) -> Result<(), NoPlan> {
        let PuzzleQuery { start, goal, state, .. } = &self.query;
        if !puzzle.fits(state) {
            return Err(NoPlan::State);
        }
        let start_place = puzzle.ground().place(*start).ok_or(NoPlan::Start)?;
        if !puzzle.is_free(state, *start) {
            return Err(NoPlan::Start);
        }
        self.goal = puzzle.ground().place(*goal).ok_or(NoPlan::Goal)?;
        self.flood.run_open(puzzle, self.goal, Sense::To);
        self.estimates =
            (0..puzzle.ground().len() as u32).map(|place| self.flood.cost(place)).collect();
        let node = puzzle.node(state, start_place);
        self.first = puzzle.layout().pack(&node);
        if self.estimates[start_place as usize] == FAR {
            return Err(NoPlan::Walls);
        }
        self.reach(self.first, start_place, 0);
        Ok(())
    }

    /// Goes on for at most `budget` expansions. The puzzle is the one that the search was made for.
    pub fn step(&mut self, puzzle: &Puzzle, budget: u64) -> Progress {
        let mut left = budget;
        while self.ending.is_none() {
            if left == 0 {
                return Progress::Working;
            }
            left -= 1;
            self.ending = self.pop(puzzle);
        }
        Progress::Done
    }

    /// Returns the answer; [`PuzzleOutcome::Working`] while the search goes on.
    #[must_use]
    pub fn answer(&mut self, puzzle: &Puzzle) -> PuzzleAnswer {
        let stats = PuzzleStats {
            expanded: self.expanded,
            states: self.table.count(),
            dead_ends: self.dead_ends,
            bytes: self.bytes(puzzle),
        };
        let outcome = match self.ending.clone() {
            Some(End::Found(key)) => PuzzleOutcome::Found(self.plan(puzzle, key)),
            Some(End::NoPlan(reason)) => PuzzleOutcome::NoPlan(reason),
            Some(End::Limit(limit)) => PuzzleOutcome::Limit(limit),
            None => PuzzleOutcome::Working,
        };
        PuzzleAnswer { outcome, stats }
    }

    fn bytes(&self, puzzle: &Puzzle) -> usize {
        self.table.bytes()
            + self.open.bytes()
            + self.estimates.capacity() * 4
            + self.flood.bytes()
            + self.facts.bytes()
            + puzzle.ground().bytes()
    }

    /// Expands a state.
    fn pop(&mut self, puzzle: &Puzzle) -> Option<End> {
        let Some(key) = self.open.pop(&self.table, puzzle.layout(), &self.estimates) else {
            if self.is_cost_cut {
                return Some(End::Limit(PuzzleLimit::Cost));
            }
            let reason = self.facts.reason(puzzle, &self.query.state, self.goal);
            return Some(End::NoPlan(reason));
        };
        // A state that was reached more cheaply later is in the list twice.
        let cost = self.table.expand(key)?;
        let node = puzzle.layout().unpack(key);
        if node.walker == self.goal {
            return Some(End::Found(key));
        }
        self.expanded += 1;
        self.flood.run(puzzle, &node, node.walker, Sense::From, self.clock(cost));
        self.facts.note(puzzle, &node, &self.flood);
        let mut has_led_on = false;
        let arrival = self.flood.cost(self.goal);
        if arrival != FAR {
            let there = Node { walker: self.goal, ..node };
            let key = puzzle.layout().pack(&there);
            has_led_on |= self.reach(key, self.goal, cost.saturating_add(arrival));
        }
        for deed in deeds(puzzle, &node) {
            let stand = deed.stand(puzzle, &node);
            if stand == NOWHERE || self.flood.cost(stand) == FAR {
                continue;
            }
            let walk = self.flood.cost(stand);
            let Some(effect) = deed.apply(puzzle, &node, &self.flood) else { continue };
            let key = puzzle.layout().pack(&effect.node);
            let cost = cost.saturating_add(walk).saturating_add(effect.cost);
            has_led_on |= self.reach(key, effect.node.walker, cost);
        }
        self.dead_ends += u64::from(!has_led_on);
        if self.table.count() > self.query.limits.states {
            return Some(End::Limit(PuzzleLimit::States));
        }
        let is_due = self.expanded.is_multiple_of(64);
        (is_due && self.bytes(puzzle) > self.query.limits.bytes)
            .then_some(End::Limit(PuzzleLimit::Memory))
    }

    /// Returns the time at a cost.
    pub(super) fn clock(&self, cost: u32) -> u64 {
        self.query.now() + u64::from(cost)
    }

    fn reach(&mut self, key: u64, walker: u32, cost: u32) -> bool {
        let estimate = self.estimates[walker as usize];
        if estimate == FAR {
            return false;
        }
        let sum = cost.saturating_add(estimate);
        if sum > MOST_COST {
            self.is_cost_cut = true;
            return false;
        }
        let is_better = self.table.improve(key, cost);
        if is_better {
            self.open.push(sum, key, self.table.count());
        }
        is_better
    }
}

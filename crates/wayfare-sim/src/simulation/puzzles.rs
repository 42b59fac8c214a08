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
//! # Timetables
//!
//! The clock of timetables is that of the simulation, at two steps on plain ground a second. The
//! links of a platform are open, and admit agents at its departures alone: an agent that wants to
//! ride waits at the edge. Agents accelerate and give way, so they come at other times than
//! planned. That costs them a period at most: the plan chooses the route, the platform the time.

use std::sync::Arc;

use glam::Vec3;
use wayfare_core::inside::WordHash;
use wayfare_core::link::{Gate, LinkId};
use wayfare_core::search::Progress;
use wayfare_core::space::{STRAIGHT, StateId};
use wayfare_grid::grid::Cell;
use wayfare_puzzle::inside::{MOST_CRATES, MOST_GATE_CELLS};
use wayfare_puzzle::{
    Deed, PartId, PlatformPlace, Puzzle, PuzzleLimits, PuzzleOutcome, PuzzlePlan, PuzzleQuery,
    PuzzleSearch, PuzzleState,
};

use super::{CarveId, Command, Environment, Shape, Simulation};
use crate::agent::{AgentId, Order};

/// The first id of the obstacles that stand for gates and crates. Callers use ids below it.
const FIRST_CARVING: u32 = 1 << 31;
/// The ids of a puzzle: first its crates, then the cells of its gates.
const NUMBERS: u32 = 1 << 12;
/// The id of the first cell of a gate.
const FIRST_GATE_CELL: u32 = NUMBERS - MOST_GATE_CELLS as u32;
const _: () = assert!(MOST_CRATES as u32 <= FIRST_GATE_CELL);
/// The most states of the search for a plan.
const MOST_STATES: u64 = 500_000;
/// Seconds that a deed takes.
const DEED_SECONDS: f32 = 0.5;
/// The time of timetables that passes in a second, in units of cost.
const UNITS_PER_SECOND: u64 = 2 * STRAIGHT as u64;
/// The share of a tick's work that searches for plans may take.
const WORK_SHARE: u64 = 2;
/// The cells of ground that one unit of work pays for. An expansion floods all of the ground.
const CELLS_PER_UNIT: u64 = 8;

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
#[derive(Clone, Debug)]
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
}

impl PuzzleSpec {
    /// Returns a puzzle that no agent solves.
    #[must_use]
    pub fn new(puzzle: Arc<Puzzle>, start: Cell, goal: Cell) -> Self {
        Self { puzzle, start, goal, agent: None, lifts: Vec::new(), onward: Vec::new() }
    }
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
/// Example: [`PuzzleSpec`].
#[derive(Clone, Copy, Debug)]
pub struct PuzzleView<'s> {
    /// The puzzle.
    pub spec: &'s PuzzleSpec,
    /// The state of its parts.
    pub state: &'s PuzzleState,
    /// How far its agent has come.
    pub phase: PuzzlePhase,
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

/// A search for a plan that is under way: the part that snapshots contain.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct PlanningPuzzle {
    start: Cell,
    clock: u64,
    /// Expansions up to now.
    expanded: u64,
}

/// Searches for plans. A restored simulation has none at first, and makes them again.
#[derive(Clone, Debug, Default)]
struct PuzzleDesk {
    searches: Vec<Option<PuzzleSearch>>,
    /// Units of work that are left in this tick.
    left: u64,
}

/// The puzzles of a simulation.
#[derive(Debug, Default)]
pub(super) struct Puzzles {
    /// A restored simulation has none at first.
    pub(super) specs: Vec<PuzzleSpec>,
    /// The state of each puzzle.
    pub(super) plays: Vec<Play>,
    desk: PuzzleDesk,
}

impl Puzzles {
    /// Returns puzzles in the middle of the game, whose specifications are still to be added.
    #[cfg(feature = "serde")]
    pub(super) fn resumed(plays: Vec<Play>) -> Self {
        Self { plays, ..Self::default() }
    }
}

/// The changing part of a puzzle, which snapshots contain.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Play {
    pub(super) state: PuzzleState,
    pub(super) phase: PuzzlePhase,
    pub(super) plan: PuzzlePlan,
    pub(super) step: usize,
    /// Where the agent goes.
    pub(super) target: Vec3,
    /// The tick after which it is sent there again.
    pub(super) again_at: u64,
    /// The search for its plan.
    pub(super) planning: Option<PlanningPuzzle>,
}

impl Play {
    fn words(&self, hash: &mut WordHash) {
        let PuzzleState { keys, levers, hooks, crates } = &self.state;
        for flag in keys.iter().chain(levers).chain(hooks) {
            hash.word(u64::from(*flag));
        }
        for place in crates {
            hash.word(place.map_or(u64::MAX, |cell| cell.index().into()));
        }
        hash.word(match self.phase {
            PuzzlePhase::Waiting => 0,
            PuzzlePhase::Coming => 1,
            PuzzlePhase::Walking => 2,
            PuzzlePhase::Working { until } => 3 | until << 3,
            PuzzlePhase::Backing => 4,
            PuzzlePhase::Solved => 5,
            PuzzlePhase::Hopeless => 6,
            PuzzlePhase::Planning => 7,
        });
        hash.word(self.step as u64);
        if let Some(PlanningPuzzle { start, clock, expanded }) = self.planning {
            hash.word(u64::from(start.index()));
            hash.word(clock);
            hash.word(expanded);
        }
    }
}

impl<W: Environment> Simulation<W> {
    /// Adds a puzzle. Its gates and crates are there from the next tick on.
    ///
    /// Call it before the first tick. The caller's obstacles have ids below 2³¹.
    pub fn add_puzzle(&mut self, spec: PuzzleSpec) {
        let state = spec.puzzle.begin();
        let number = self.puzzles.specs.len();
        for gate in 0..spec.puzzle.parts().gates.len() {
            self.set_puzzle_gate(&spec.puzzle, number, gate, spec.puzzle.is_open(&state, id(gate)));
        }
        for (one, cell) in state.crates.iter().enumerate() {
            self.put_crate(&spec.puzzle, number, one, *cell);
        }
        self.set_lifts(&spec, &state);
        self.puzzles.plays.push(Play {
            state,
            phase: PuzzlePhase::Waiting,
            plan: PuzzlePlan::default(),
            step: 0,
            target: Vec3::ZERO,
            again_at: 0,
            planning: None,
        });
        self.puzzles.specs.push(spec);
    }

    /// Returns the puzzles, in the order of their addition. None in a restored simulation without
    /// [`with_puzzles`](Self::with_puzzles).
    pub fn puzzles(&self) -> impl Iterator<Item = PuzzleView<'_>> {
        self.puzzles.specs.iter().zip(&self.puzzles.plays).map(|(spec, play)| PuzzleView {
            spec,
            state: &play.state,
            phase: play.phase,
            next: play.plan.steps.get(play.step).map(|step| step.deed),
            clock: self.puzzle_clock(self.clock.now),
        })
    }

    /// Returns the time of timetables at a tick.
    fn puzzle_clock(&self, tick: u64) -> u64 {
        tick.saturating_mul(UNITS_PER_SECOND) / self.clock.ticks(1.0)
    }

    /// Returns whether a link lets agents in at this tick: one of a platform with a timetable does
    /// so at its departures.
    pub(super) fn departs(&self, id: LinkId) -> bool {
        let now = self.puzzle_clock(self.clock.now);
        let before = self.clock.now.checked_sub(1).map(|tick| self.puzzle_clock(tick));
        let lifts = self
            .puzzles
            .specs
            .iter()
            .flat_map(|spec| spec.puzzle.parts().platforms.iter().zip(&spec.lifts));
        let mut ways = lifts.filter_map(|(lift, ways)| {
            let way = ways.iter().position(|way| *way == id)?;
            lift.timetable.map(|timetable| (timetable, way == 0))
        });
        ways.all(|(timetable, is_up)| match before {
            Some(before) => timetable.leaves_between(is_up, before, now),
            None => timetable.wait(is_up, 0) == 0,
        })
    }

    /// Gives a restored simulation the puzzles that it had when it was saved. `None` if they
    /// differ.
    #[must_use]
    pub fn with_puzzles(mut self, puzzles: Vec<PuzzleSpec>) -> Option<Self> {
        let fit = |(spec, play): (&PuzzleSpec, &Play)| spec.puzzle.fits(&play.state);
        let is_same = puzzles.len() == self.puzzles.plays.len()
            && puzzles.iter().zip(&self.puzzles.plays).all(fit);
        self.puzzles.specs = puzzles;
        is_same.then_some(self)
    }

    pub(super) fn hash_puzzles(&self, hash: &mut WordHash) {
        self.puzzles.plays.iter().for_each(|play| play.words(hash));
    }

    /// Moves all puzzles on, by commands for the tick that begins. `work`: the units of work of the
    /// tick. Returns the units that are left.
    pub(super) fn play(&mut self, work: u64) -> u64 {
        let share = work / WORK_SHARE;
        self.puzzles.desk.left = share;
        // Nothing below looks for a puzzle but by its argument.
        let puzzles = std::mem::take(&mut self.puzzles.specs);
        for (number, spec) in puzzles.iter().enumerate().take(self.puzzles.plays.len()) {
            let Some(agent) = spec.agent else { continue };
            let is_present = self
                .roster
                .agents
                .get(agent.0 as usize)
                .is_some_and(super::roster::Agent::is_present);
            let earlier = puzzles[..number].iter().zip(&self.puzzles.plays);
            let is_busy = earlier
                .filter(|(spec, _)| spec.agent == Some(agent))
                .any(|(_, play)| play.phase != PuzzlePhase::Solved);
            if is_present && !is_busy {
                self.play_on(number, agent, spec);
            }
        }
        self.puzzles.specs = puzzles;
        work - (share - self.puzzles.desk.left)
    }

    fn play_on(&mut self, number: usize, agent: AgentId, spec: &PuzzleSpec) {
        let centre = |cell: Cell| spec.puzzle.ground().centre(cell);
        match self.puzzles.plays[number].phase {
            PuzzlePhase::Waiting => {
                if let Some(start) = centre(spec.start) {
                    self.send(number, agent, start, PuzzlePhase::Coming);
                }
            }
            PuzzlePhase::Coming if self.is_there(number, agent, spec) => {
                self.plan_puzzle(number, agent, spec);
            }
            PuzzlePhase::Planning => self.think(number, agent, spec),
            PuzzlePhase::Walking if self.is_there(number, agent, spec) => {
                let seconds = match self.deed(number) {
                    Some(Deed::Arrive) | None => 0.0,
                    Some(_) => DEED_SECONDS,
                };
                let until = self.clock.now + self.clock.ticks(seconds);
                self.puzzles.plays[number].phase = PuzzlePhase::Working { until };
            }
            PuzzlePhase::Working { until } if until <= self.clock.now => {
                // A crate is dragged by walking backwards first.
                if let Some(Deed::Drag { from, to }) = self.deed(number) {
                    let ground = spec.puzzle.ground();
                    let back = centre(to).zip(centre(from)).map(|(to, from)| to + (to - from));
                    let is_free =
                        |cell| spec.puzzle.is_free(&self.puzzles.plays[number].state, cell);
                    match back.filter(|back| ground.cell_near(*back).is_some_and(is_free)) {
                        Some(back) => self.send(number, agent, back, PuzzlePhase::Backing),
                        None => self.plan_puzzle(number, agent, spec),
                    }
                } else {
                    self.do_deed(number, agent, spec);
                }
            }
            PuzzlePhase::Backing if self.is_there(number, agent, spec) => {
                self.do_deed(number, agent, spec);
            }
            PuzzlePhase::Coming | PuzzlePhase::Walking | PuzzlePhase::Backing => {
                if self.puzzles.plays[number].again_at <= self.clock.now {
                    let (target, phase) =
                        (self.puzzles.plays[number].target, self.puzzles.plays[number].phase);
                    let is_idle = self.roster.agents[agent.0 as usize].errand.is_over();
                    if is_idle {
                        self.send(number, agent, target, phase);
                    }
                }
            }
            PuzzlePhase::Working { .. } | PuzzlePhase::Solved | PuzzlePhase::Hopeless => {}
        }
    }

    fn deed(&self, number: usize) -> Option<Deed> {
        let play = &self.puzzles.plays[number];
        play.plan.steps.get(play.step).map(|step| step.deed)
    }

    /// Sends the agent of a puzzle to a point.
    fn send(&mut self, number: usize, agent: AgentId, to: Vec3, phase: PuzzlePhase) {
        let play = &mut self.puzzles.plays[number];
        (play.target, play.phase) = (to, phase);
        play.again_at = self.clock.now + self.clock.ticks(1.0);
        self.schedule(self.clock.now, Command::Order { agent, order: Order::GoTo(to) });
    }

    /// Returns whether the agent stands where it was sent.
    fn is_there(&self, number: usize, agent: AgentId, spec: &PuzzleSpec) -> bool {
        let (agent, play) = (&self.roster.agents[agent.0 as usize], &self.puzzles.plays[number]);
        let side = spec.puzzle.ground().cell_size();
        let offset = (agent.body.at() - play.target).with_y(0.0);
        agent.errand.is_over() && !agent.is_inside() && offset.length() < 0.4 * side
    }

    /// Begins the search for a plan from where the agent stands.
    fn plan_puzzle(&mut self, number: usize, agent: AgentId, spec: &PuzzleSpec) {
        let at = self.roster.agents[agent.0 as usize].body.at();
        let start = spec.puzzle.ground().cell_near(at).unwrap_or(spec.start);
        let clock = self.puzzle_clock(self.clock.now);
        let play = &mut self.puzzles.plays[number];
        play.phase = PuzzlePhase::Planning;
        play.planning = Some(PlanningPuzzle { start, clock, expanded: 0 });
        self.think(number, agent, spec);
    }

    /// Continues the search for a plan, for the rest of this tick's work and an expansion at least.
    fn think(&mut self, number: usize, agent: AgentId, spec: &PuzzleSpec) {
        self.puzzles.desk.searches.resize(self.puzzles.plays.len(), None);
        let play = &mut self.puzzles.plays[number];
        let Some(planning) = &mut play.planning else { return };
        let PlanningPuzzle { start, clock, expanded } = *planning;
        let known = self.puzzles.desk.searches[number].take().filter(|_| expanded > 0);
        let mut search = known.unwrap_or_else(|| {
            let limits = PuzzleLimits { states: MOST_STATES, ..PuzzleLimits::default() };
            let state = play.state.clone();
            let query = PuzzleQuery { start, goal: spec.goal, state, clock, limits };
            let mut search = PuzzleSearch::new(&spec.puzzle, query);
            // Repeats the work of a saved simulation. No search ends in the repeated part.
            let _ = search.step(&spec.puzzle, expanded);
            search
        });
        let each = (spec.puzzle.ground().len() as u64 / CELLS_PER_UNIT).max(1);
        let budget = (self.puzzles.desk.left / each).max(1);
        planning.expanded += budget;
        let progress = search.step(&spec.puzzle, budget);
        let answer = search.answer(&spec.puzzle);
        let used = budget.min(answer.stats.expanded).saturating_mul(each);
        self.puzzles.desk.left = self.puzzles.desk.left.saturating_sub(used);
        if progress == Progress::Working {
            self.puzzles.desk.searches[number] = Some(search);
            return;
        }
        play.planning = None;
        match answer.outcome {
            PuzzleOutcome::Found(plan) => {
                (play.plan, play.step) = (plan, 0);
                self.go_to_deed(number, agent, spec);
            }
            _ => play.phase = PuzzlePhase::Hopeless,
        }
    }

    /// Sends the agent on the walk of the next step.
    fn go_to_deed(&mut self, number: usize, agent: AgentId, spec: &PuzzleSpec) {
        let play = &self.puzzles.plays[number];
        let end = play.plan.steps.get(play.step).and_then(|step| step.walk.last());
        let end = end.and_then(|cell| spec.puzzle.ground().centre(*cell));
        match end {
            Some(end) => self.send(number, agent, end, PuzzlePhase::Walking),
            None => {
                self.puzzles.plays[number].phase = PuzzlePhase::Solved;
                for point in &spec.onward {
                    self.schedule(
                        self.clock.now,
                        Command::Order { agent, order: Order::Then(*point) },
                    );
                }
            }
        }
    }

    /// Does the deed of the present step, if no agent stands where a part is about to be.
    fn do_deed(&mut self, number: usize, agent: AgentId, spec: &PuzzleSpec) {
        let Some(step) = self.puzzles.plays[number].plan.steps.get(self.puzzles.plays[number].step)
        else {
            return self.go_to_deed(number, agent, spec);
        };
        let (puzzle, deed) = (&spec.puzzle, step.deed);
        let mut walker = step.walk.last().copied().unwrap_or(spec.start);
        let before = self.puzzles.plays[number].state.clone();
        let mut after = before.clone();
        if puzzle.carry_out(&mut after, &mut walker, deed).is_none() {
            return self.plan_puzzle(number, agent, spec);
        }
        let open = |state: &PuzzleState, gate| puzzle.is_open(state, id(gate));
        let gates = 0..puzzle.parts().gates.len();
        let turned: Vec<usize> = gates.filter(|g| open(&before, *g) != open(&after, *g)).collect();
        let shut = turned.iter().filter(|gate| open(&before, **gate));
        let shut = shut.flat_map(|gate| &puzzle.parts().gates[*gate].cells).copied();
        let moved = before.crates.iter().zip(&after.crates).filter(|(old, new)| old != new);
        let filled: Vec<Cell> = shut.chain(moved.filter_map(|(_, new)| *new)).collect();
        if filled.iter().any(|cell| self.is_occupied(*cell, agent, spec)) {
            return; // it waits
        }
        for gate in turned {
            self.set_puzzle_gate(puzzle, number, gate, open(&after, gate));
        }
        for (one, (old, new)) in before.crates.iter().zip(&after.crates).enumerate() {
            if old != new {
                self.put_crate(puzzle, number, one, *new);
            }
        }
        self.set_lifts(spec, &after);
        let play = &mut self.puzzles.plays[number];
        (play.state, play.step) = (after, play.step + 1);
        self.go_to_deed(number, agent, spec);
    }

    /// Returns whether another agent is in a cell or reaches into it.
    fn is_occupied(&self, cell: Cell, except: AgentId, spec: &PuzzleSpec) -> bool {
        let ground = spec.puzzle.ground();
        let Some(centre) = ground.centre(cell) else { return false };
        self.roster.agents.iter().enumerate().any(|(number, agent)| {
            let reach = ground.cell_size() / 2.0 + agent.limits.radius;
            let offset = (agent.body.at() - centre).abs();
            number != except.0 as usize
                && agent.is_present()
                && offset.x < reach
                && offset.z < reach
        })
    }

    fn set_puzzle_gate(&mut self, puzzle: &Puzzle, number: usize, gate: usize, is_open: bool) {
        // A gate of several cells has an obstacle for each.
        let gates = &puzzle.parts().gates;
        let earlier: usize = gates[..gate].iter().map(|gate| gate.cells.len()).sum();
        for (cell, at) in gates[gate].cells.iter().enumerate() {
            let id = carving(number, FIRST_GATE_CELL + (earlier + cell) as u32);
            self.set_carving(puzzle, id, (!is_open).then_some(*at), is_open);
        }
    }

    fn put_crate(&mut self, puzzle: &Puzzle, number: usize, one: usize, at: Option<Cell>) {
        let id = carving(number, one as u32);
        self.set_carving(puzzle, id, at, true);
    }

    /// Puts an obstacle on a cell or takes it away. `was_there`: whether there may be one.
    fn set_carving(&mut self, puzzle: &Puzzle, id: CarveId, at: Option<Cell>, was_there: bool) {
        match at.and_then(|cell| puzzle.ground().centre(cell)) {
            Some(centre) => {
                let half = Vec3::splat(puzzle.ground().cell_size() * 0.45);
                let shape = Shape::Box { min: centre - half, max: centre + half };
                self.schedule(self.clock.now, Command::Carve { id, shape });
            }
            // Before the first tick nothing is there to be taken away.
            None if was_there && self.clock.now > 0 => {
                self.schedule(self.clock.now, Command::Restore { id })
            }
            None => {}
        }
    }

    fn set_lifts(&mut self, spec: &PuzzleSpec, state: &PuzzleState) {
        for (lift, [up, down]) in spec.puzzle.parts().platforms.iter().zip(&spec.lifts) {
            let is_up = lift.up.iter().all(|one| spec.puzzle.holds(state, *one));
            let is_down = is_up == lift.timetable.is_some();
            for (link, is_open) in [(*up, is_up), (*down, is_down)] {
                let gate = if is_open { Gate::Open } else { Gate::Closed };
                if self.ground.links.get(link).is_some_and(|link| link.gate != gate) {
                    self.schedule(self.clock.now, Command::Gate { link, gate });
                }
            }
        }
    }
}

fn id(number: usize) -> PartId {
    PartId(number as u16)
}

fn carving(puzzle: usize, part: u32) -> CarveId {
    CarveId(FIRST_CARVING.wrapping_add((puzzle as u32).wrapping_mul(NUMBERS)).wrapping_add(part))
}

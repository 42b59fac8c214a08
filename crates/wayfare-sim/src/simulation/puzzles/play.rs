//! How the agents of puzzles carry plans out.

use glam::Vec3;
use wayfare_core::inside::WordHash;
use wayfare_core::link::{Gate, LinkId, NavLinks};
use wayfare_core::search::Progress;
use wayfare_core::space::{STRAIGHT, StateId};
use wayfare_grid::grid::Cell;
use wayfare_puzzle::inside::{MOST_CRATES, MOST_GATE_CELLS};
use wayfare_puzzle::{
    Deed, PartId, Puzzle, PuzzleLimits, PuzzleOutcome, PuzzlePlan, PuzzleQuery, PuzzleSearch,
    PuzzleState,
};

use super::bystanders::PlannedDeed;
use super::{PuzzleId, PuzzlePhase, PuzzleSpec, PuzzleView, Unsolved};
use crate::agent::{AgentId, Order};
use crate::simulation::clock::Clock;
use crate::simulation::roster::Roster;
use crate::simulation::schedule::Schedule;
use crate::simulation::{CarveId, Command, Environment, Shape};

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

/// A search for a plan that is under way: the part that snapshots contain.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::simulation) struct PlanningPuzzle {
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
pub(in crate::simulation) struct Puzzles {
    /// A restored simulation has none at first.
    pub(super) specs: Vec<PuzzleSpec>,
    /// The state of each puzzle.
    pub(in crate::simulation) plays: Vec<Play>,
    desk: PuzzleDesk,
}

impl Puzzles {
    /// Returns puzzles in the middle of the game, whose specifications are still to be added.
    #[cfg(feature = "serde")]
    pub(in crate::simulation) fn resumed(plays: Vec<Play>) -> Self {
        Self { plays, ..Self::default() }
    }

    /// Adds a puzzle.
    pub(in crate::simulation) fn add<W: Environment>(
        &mut self,
        spec: PuzzleSpec,
        stage: &mut Stage<'_, W>,
    ) -> PuzzleId {
        let number = self.specs.len();
        let play = Play::before(spec.puzzle.begin(), 0);
        stage.furnish(&spec, number, &play.state);
        self.plays.push(play);
        self.specs.push(spec);
        PuzzleId(number as u32)
    }

    /// Returns each puzzle in its present version, with its state.
    fn present(&self) -> impl Iterator<Item = (&PuzzleSpec, &Play)> {
        let present = |(spec, play)| Some((PuzzleSpec::version(spec, Play::version(play))?, play));
        self.specs.iter().zip(&self.plays).filter_map(present)
    }

    /// Returns the puzzles, in the order of their addition.
    pub(in crate::simulation) fn views(
        &self,
        clock: &Clock,
    ) -> impl Iterator<Item = PuzzleView<'_>> {
        let time = clock_time(clock, clock.now);
        self.present().map(move |(spec, play)| PuzzleView {
            spec,
            state: &play.state,
            phase: play.phase,
            unsolved: play.unsolved.as_ref(),
            next: play.plan.steps.get(play.step).map(|step| step.deed),
            clock: time,
        })
    }

    /// Returns whether a link lets agents in at this tick: one of a platform with a timetable does
    /// so at its departures.
    pub(in crate::simulation) fn departs(&self, id: LinkId, clock: &Clock) -> bool {
        let now = clock_time(clock, clock.now);
        let before = clock.now.checked_sub(1).map(|tick| clock_time(clock, tick));
        let lifts = self
            .present()
            .flat_map(|(spec, _)| spec.puzzle.parts().platforms.iter().zip(&spec.lifts));
        let mut ways = lifts.filter_map(|(lift, ways)| {
            let way = ways.iter().position(|way| *way == id)?;
            lift.timetable.map(|timetable| (timetable, way == 0))
        });
        ways.all(|(timetable, is_up)| match before {
            Some(before) => timetable.leaves_between(is_up, before, now),
            None => timetable.wait(is_up, 0) == 0,
        })
    }

    /// Adds the puzzles of a restored simulation. Returns whether they are those that it had.
    pub(in crate::simulation) fn resume(&mut self, specs: Vec<PuzzleSpec>) -> bool {
        let fit = |(spec, play): (&PuzzleSpec, &Play)| {
            spec.version(play.version).is_some_and(|spec| spec.puzzle.fits(&play.state))
        };
        let is_same = specs.len() == self.plays.len() && specs.iter().zip(&self.plays).all(fit);
        self.specs = specs;
        is_same
    }

    pub(in crate::simulation) fn words(&self, hash: &mut WordHash) {
        self.plays.iter().for_each(|play| play.words(hash));
    }

    /// Moves all puzzles on, by commands for the tick that begins. `work`: the units of work of the
    /// tick. Returns the units that are left.
    pub(in crate::simulation) fn play<W: Environment>(
        &mut self,
        work: u64,
        stage: &mut Stage<'_, W>,
    ) -> u64 {
        let share = work / WORK_SHARE;
        self.desk.left = share;
        // Nothing below looks for a puzzle but by its argument.
        let puzzles = std::mem::take(&mut self.specs);
        let versions = self.plays.iter().map(|play| play.version);
        let present: Vec<_> =
            puzzles.iter().zip(versions).map(|(spec, number)| spec.version(number)).collect();
        for (number, spec) in present.iter().enumerate() {
            let Some((spec, agent)) = spec.and_then(|spec| Some((spec, spec.agent?))) else {
                continue;
            };
            let is_present = stage.roster.present(agent).is_some();
            let is_done = |(spec, play): (&Option<&PuzzleSpec>, &Play)| {
                spec.is_none_or(|spec| spec.agent != Some(agent))
                    || play.phase == PuzzlePhase::Solved
            };
            if !is_present || !present[..number].iter().zip(&self.plays).all(is_done) {
                continue;
            }
            let was_solved = self.plays[number].phase == PuzzlePhase::Solved;
            self.play_on(number, agent, spec, stage);
            // After a replacement the last puzzle to be solved may be any of them.
            if !was_solved && present.iter().zip(&self.plays).all(is_done) {
                let mut own = present.iter().flatten().filter(|spec| spec.agent == Some(agent));
                for point in own.next_back().map_or(&[][..], |last| &last.onward) {
                    stage.order(agent, Order::Then(*point));
                }
            }
        }
        self.specs = puzzles;
        work - (share - self.desk.left)
    }

    fn play_on<W: Environment>(
        &mut self,
        number: usize,
        agent: AgentId,
        spec: &PuzzleSpec,
        stage: &mut Stage<'_, W>,
    ) {
        let centre = |cell: Cell| spec.puzzle.ground().centre(cell);
        match self.plays[number].phase {
            PuzzlePhase::Waiting => {
                if let Some(start) = centre(spec.start) {
                    self.send(number, agent, start, PuzzlePhase::Coming, stage);
                }
            }
            PuzzlePhase::Coming if self.is_there(number, agent, spec, stage) => {
                self.plan_puzzle(number, agent, spec, stage);
            }
            PuzzlePhase::Planning => self.think(number, agent, spec, stage),
            PuzzlePhase::Walking if self.is_there(number, agent, spec, stage) => {
                let seconds = match self.deed(number) {
                    Some(Deed::Arrive) | None => 0.0,
                    Some(_) => DEED_SECONDS,
                };
                let until = stage.clock.now + stage.clock.ticks(seconds);
                self.plays[number].phase = PuzzlePhase::Working { until };
            }
            PuzzlePhase::Working { until } if until <= stage.clock.now => {
                // A crate is dragged by walking backwards first.
                if let Some(Deed::Drag { from, to }) = self.deed(number) {
                    let ground = spec.puzzle.ground();
                    let back = centre(to).zip(centre(from)).map(|(to, from)| to + (to - from));
                    let is_free = |cell| spec.puzzle.is_free(&self.plays[number].state, cell);
                    match back.filter(|back| ground.cell_near(*back).is_some_and(is_free)) {
                        Some(back) => self.send(number, agent, back, PuzzlePhase::Backing, stage),
                        None => self.plan_puzzle(number, agent, spec, stage),
                    }
                } else {
                    self.do_deed(number, agent, spec, stage);
                }
            }
            PuzzlePhase::Backing if self.is_there(number, agent, spec, stage) => {
                self.do_deed(number, agent, spec, stage);
            }
            PuzzlePhase::Coming | PuzzlePhase::Walking | PuzzlePhase::Backing => {
                if self.plays[number].again_at <= stage.clock.now {
                    let (target, phase) = (self.plays[number].target, self.plays[number].phase);
                    let is_idle = stage.roster.agents[agent.0 as usize].errand.is_over();
                    if is_idle {
                        self.send(number, agent, target, phase, stage);
                    }
                }
            }
            PuzzlePhase::Working { .. } | PuzzlePhase::Solved | PuzzlePhase::Hopeless => {}
        }
    }

    fn deed(&self, number: usize) -> Option<Deed> {
        let play = &self.plays[number];
        play.plan.steps.get(play.step).map(|step| step.deed)
    }

    /// Sends the agent of a puzzle to a point.
    fn send<W: Environment>(
        &mut self,
        number: usize,
        agent: AgentId,
        to: Vec3,
        phase: PuzzlePhase,
        stage: &mut Stage<'_, W>,
    ) {
        let play = &mut self.plays[number];
        (play.target, play.phase) = (to, phase);
        play.again_at = stage.clock.now + stage.clock.ticks(1.0);
        stage.order(agent, Order::GoTo(to));
    }

    /// Returns whether the agent stands where it was sent.
    fn is_there<W: Environment>(
        &self,
        number: usize,
        agent: AgentId,
        spec: &PuzzleSpec,
        stage: &mut Stage<'_, W>,
    ) -> bool {
        let (agent, play) = (&stage.roster.agents[agent.0 as usize], &self.plays[number]);
        let side = spec.puzzle.ground().cell_size();
        let offset = (agent.body.at() - play.target).with_y(0.0);
        agent.errand.is_over() && !agent.is_inside() && offset.length() < 0.4 * side
    }

    /// Begins the search for a plan from where the agent stands.
    fn plan_puzzle<W: Environment>(
        &mut self,
        number: usize,
        agent: AgentId,
        spec: &PuzzleSpec,
        stage: &mut Stage<'_, W>,
    ) {
        let at = stage.roster.agents[agent.0 as usize].body.at();
        let start = spec.puzzle.ground().cell_near(at).unwrap_or(spec.start);
        let clock = clock_time(stage.clock, stage.clock.now);
        let play = &mut self.plays[number];
        play.phase = PuzzlePhase::Planning;
        play.asked.clear();
        play.planning = Some(PlanningPuzzle { start, clock, expanded: 0 });
        self.think(number, agent, spec, stage);
    }

    /// Continues the search for a plan, for the rest of this tick's work and an expansion at least.
    fn think<W: Environment>(
        &mut self,
        number: usize,
        agent: AgentId,
        spec: &PuzzleSpec,
        stage: &mut Stage<'_, W>,
    ) {
        self.desk.searches.resize(self.plays.len(), None);
        let play = &mut self.plays[number];
        let Some(planning) = &mut play.planning else { return };
        let PlanningPuzzle { start, clock, expanded } = *planning;
        let known = self.desk.searches[number].take().filter(|_| expanded > 0);
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
        let budget = (self.desk.left / each).max(1);
        planning.expanded += budget;
        let progress = search.step(&spec.puzzle, budget);
        let answer = search.answer(&spec.puzzle);
        let used = budget.min(answer.stats.expanded).saturating_mul(each);
        self.desk.left = self.desk.left.saturating_sub(used);
        if progress == Progress::Working {
            self.desk.searches[number] = Some(search);
            return;
        }
        play.planning = None;
        match answer.outcome {
            PuzzleOutcome::Found(plan) => {
                (play.plan, play.step) = (plan, 0);
                self.go_to_deed(number, agent, spec, stage);
            }
            PuzzleOutcome::NoPlan(reason) => play.give_up(Unsolved::NoPlan(reason)),
            PuzzleOutcome::Limit(limit) => play.give_up(Unsolved::Limit(limit)),
            // The search is done.
            _ => {}
        }
    }

    /// Sends the agent on the walk of the next step.
    fn go_to_deed<W: Environment>(
        &mut self,
        number: usize,
        agent: AgentId,
        spec: &PuzzleSpec,
        stage: &mut Stage<'_, W>,
    ) {
        let play = &self.plays[number];
        let end = play.plan.steps.get(play.step).and_then(|step| step.walk.last());
        let end = end.and_then(|cell| spec.puzzle.ground().centre(*cell));
        match end {
            Some(end) => self.send(number, agent, end, PuzzlePhase::Walking, stage),
            None => self.plays[number].phase = PuzzlePhase::Solved,
        }
    }

    /// Does the deed of the present step, if no agent stands where a part is about to be.
    fn do_deed<W: Environment>(
        &mut self,
        number: usize,
        agent: AgentId,
        spec: &PuzzleSpec,
        stage: &mut Stage<'_, W>,
    ) {
        let Some(step) = self.plays[number].plan.steps.get(self.plays[number].step) else {
            return self.go_to_deed(number, agent, spec, stage);
        };
        let (puzzle, deed) = (&spec.puzzle, step.deed);
        let mut walker = step.walk.last().copied().unwrap_or(spec.start);
        let before = self.plays[number].state.clone();
        let mut after = before.clone();
        if puzzle.carry_out(&mut after, &mut walker, deed).is_none() {
            return self.plan_puzzle(number, agent, spec, stage);
        }
        let open = |state: &PuzzleState, gate| puzzle.is_open(state, id(gate));
        let gates = 0..puzzle.parts().gates.len();
        let turned: Vec<usize> = gates.filter(|g| open(&before, *g) != open(&after, *g)).collect();
        let shut = turned.iter().filter(|gate| open(&before, **gate));
        let shut = shut.flat_map(|gate| &puzzle.parts().gates[*gate].cells).copied();
        let moved = before.crates.iter().zip(&after.crates).filter(|(old, new)| old != new);
        let filled: Vec<Cell> = shut.chain(moved.filter_map(|(_, new)| *new)).collect();
        let walk = PlannedDeed { agent, walker, before: &before, after: &after, filled: &filled };
        if !self.plays[number].has_room(&walk, spec, stage) {
            return; // it waits
        }
        for gate in turned {
            stage.set_puzzle_gate(puzzle, number, gate, open(&after, gate));
        }
        for (one, (old, new)) in before.crates.iter().zip(&after.crates).enumerate() {
            if old != new {
                stage.put_crate(puzzle, number, one, *new);
            }
        }
        stage.set_lifts(spec, &after);
        let play = &mut self.plays[number];
        (play.state, play.step) = (after, play.step + 1);
        play.asked.clear();
        self.go_to_deed(number, agent, spec, stage);
    }
}

/// The changing part of a puzzle, which snapshots contain.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::simulation) struct Play {
    /// The version that is played.
    pub(in crate::simulation) version: u32,
    pub(in crate::simulation) state: PuzzleState,
    pub(in crate::simulation) phase: PuzzlePhase,
    pub(in crate::simulation) plan: PuzzlePlan,
    pub(in crate::simulation) step: usize,
    /// Where the agent goes.
    pub(in crate::simulation) target: Vec3,
    /// The tick after which it is sent there again.
    pub(in crate::simulation) again_at: u64,
    /// The search for its plan.
    pub(in crate::simulation) planning: Option<PlanningPuzzle>,
    /// Why there is no plan, if there is none.
    pub(in crate::simulation) unsolved: Option<Unsolved>,
    /// The agents that keep away from the deed that is about to be done.
    pub(in crate::simulation) asked: Vec<AgentId>,
}

impl Play {
    /// Returns a puzzle before its agent has begun.
    pub(super) fn before(state: PuzzleState, version: u32) -> Self {
        Self {
            version,
            state,
            phase: PuzzlePhase::Waiting,
            plan: PuzzlePlan::default(),
            step: 0,
            target: Vec3::ZERO,
            again_at: 0,
            planning: None,
            unsolved: None,
            asked: Vec::new(),
        }
    }

    fn version(&self) -> u32 {
        self.version
    }

    fn give_up(&mut self, reason: Unsolved) {
        (self.phase, self.unsolved) = (PuzzlePhase::Hopeless, Some(reason));
    }

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
        // Nothing for a puzzle that was never replaced, and nobody who was asked.
        let version = (self.version > 0).then_some(u64::from(self.version));
        let asked = self.asked.iter().map(|agent| 1 << 32 | u64::from(agent.0));
        version.into_iter().chain(asked).for_each(|word| hash.word(word));
        if let Some(PlanningPuzzle { start, clock, expanded }) = self.planning {
            hash.word(u64::from(start.index()));
            hash.word(clock);
            hash.word(expanded);
        }
    }
}

/// What a puzzle sees of its simulation, and the schedule of its commands.
#[derive(Debug)]
pub(in crate::simulation) struct Stage<'s, W: Environment> {
    pub(in crate::simulation) clock: &'s Clock,
    pub(in crate::simulation) roster: &'s Roster<W::State>,
    pub(in crate::simulation) links: &'s NavLinks<W::State>,
    pub(in crate::simulation) schedule: &'s mut Schedule<W::Edit>,
}

impl<W: Environment> Stage<'_, W> {
    /// Schedules a command for this tick.
    pub(super) fn command(&mut self, command: Command<W::Edit>) {
        self.schedule.add(self.clock.now, command);
    }

    pub(super) fn order(&mut self, agent: AgentId, order: Order) {
        self.command(Command::Order { agent, order });
    }

    /// Puts the parts of a puzzle there, as they are in a state.
    pub(super) fn furnish(&mut self, spec: &PuzzleSpec, number: usize, state: &PuzzleState) {
        let puzzle = &spec.puzzle;
        for gate in 0..puzzle.parts().gates.len() {
            if !puzzle.is_open(state, id(gate)) {
                self.set_puzzle_gate(puzzle, number, gate, false);
            }
        }
        for (one, cell) in state.crates.iter().enumerate() {
            if cell.is_some() {
                self.put_crate(puzzle, number, one, *cell);
            }
        }
        self.set_lifts(spec, state);
    }

    /// Takes away the parts that a puzzle has in a state, and closes its platforms.
    pub(super) fn clear(&mut self, spec: &PuzzleSpec, number: usize, state: &PuzzleState) {
        let puzzle = &spec.puzzle;
        for gate in 0..puzzle.parts().gates.len() {
            if !puzzle.is_open(state, id(gate)) {
                self.set_puzzle_gate(puzzle, number, gate, true);
            }
        }
        for one in (0..state.crates.len()).filter(|one| state.crates[*one].is_some()) {
            self.put_crate(puzzle, number, one, None);
        }
        for link in spec.lifts.iter().flatten().copied() {
            if self.links.get(link).is_some_and(|link| link.gate != Gate::Closed) {
                self.command(Command::Gate { link, gate: Gate::Closed });
            }
        }
    }

    fn set_puzzle_gate(&mut self, puzzle: &Puzzle, number: usize, gate: usize, is_open: bool) {
        // A gate of several cells has an obstacle for each.
        let gates = &puzzle.parts().gates;
        let earlier: usize = gates[..gate].iter().map(|gate| gate.cells.len()).sum();
        for (cell, at) in gates[gate].cells.iter().enumerate() {
            let id = carving(number, FIRST_GATE_CELL + (earlier + cell) as u32);
            self.set_carving(puzzle, id, (!is_open).then_some(*at));
        }
    }

    fn put_crate(&mut self, puzzle: &Puzzle, number: usize, one: usize, at: Option<Cell>) {
        let id = carving(number, one as u32);
        self.set_carving(puzzle, id, at);
    }

    /// Puts an obstacle on a cell, or takes away the one that is there.
    fn set_carving(&mut self, puzzle: &Puzzle, id: CarveId, at: Option<Cell>) {
        match at.and_then(|cell| puzzle.ground().centre(cell)) {
            Some(centre) => {
                let half = Vec3::splat(puzzle.ground().cell_size() * 0.45);
                let shape = Shape::Box { min: centre - half, max: centre + half };
                self.command(Command::Carve { id, shape });
            }
            None => self.command(Command::Restore { id }),
        }
    }

    fn set_lifts(&mut self, spec: &PuzzleSpec, state: &PuzzleState) {
        for (lift, [up, down]) in spec.puzzle.parts().platforms.iter().zip(&spec.lifts) {
            let is_up = lift.up.iter().all(|one| spec.puzzle.holds(state, *one));
            let is_down = is_up == lift.timetable.is_some();
            for (link, is_open) in [(*up, is_up), (*down, is_down)] {
                let gate = if is_open { Gate::Open } else { Gate::Closed };
                if self.links.get(link).is_some_and(|link| link.gate != gate) {
                    self.command(Command::Gate { link, gate });
                }
            }
        }
    }
}

/// Returns the time of timetables at a tick.
fn clock_time(clock: &Clock, tick: u64) -> u64 {
    tick.saturating_mul(UNITS_PER_SECOND) / clock.ticks(1.0)
}

fn id(number: usize) -> PartId {
    PartId(number as u16)
}

fn carving(puzzle: usize, part: u32) -> CarveId {
    CarveId(FIRST_CARVING.wrapping_add((puzzle as u32).wrapping_mul(NUMBERS)).wrapping_add(part))
}

//! Jump point search.
//!
//! D. Harabor, A. Grastien, "Online graph pruning for pathfinding on grid maps", 2011, and
//! "Improving jump point search", 2014. The jumps are those of the space's expander: see
//! [`Jumping`].

use std::marker::PhantomData;
use std::ops::ControlFlow;

use super::course::{Active, Beginning, Entry};
use super::jumps_by::{JumpsBy, OwnJumps};
use super::look_back::{Bounds, Grown, LookBack};
use super::machine::{Ending, Guided, Run, event};
use super::pocket::Pocket;
use super::{
    Algorithm, AlgorithmInfo, Answer, AnswerOf, Buckets, Goal, Guarantee, Key, Listed, NoPath,
    Nodes, OpenList, Options, Progress, Query, Relaxed, Scratch, ScratchOf, Search, Stats, pocket,
};
use crate::path::{Path, PathOf, Step};
use crate::space::{
    Action, Cost, Edge, ExpanderMemoryOf, Guidance, GuidanceMemoryOf, GuidanceOf, JumpCourse,
    JumpVisitor, Jumping, JumpingMemoryOf, JumpingOf, LINE_SCANS, Pruning, PruningOf, SCANS_A_UNIT,
    Space, StateId,
};
use crate::trace::{ObserverOf, Side, TraceEventKind};

/// Jump point search: A* that expands only the states where a cheapest path may have to turn.
///
/// Finds a **cheapest** path, cell by cell, at the cost that [`AStar`](super::AStar) finds; of
/// several paths of that cost it may return another one. Ties break by low `f`, then high `g`, then
/// state id.
///
/// The first choice on grids and for flight through voxel worlds. It expands
///
/// * a few per cent of the states on uniform-cost terrain,
/// * about a tenth of them in flight,
/// * the borders between terrains, where terrains differ in cost.
///
/// To a single goal it first tests the direct paths, with at most one turn: a free one is the
/// answer, after one or two expansions. Else it follows the space's
/// [guidance](crate::expert::Guidance): on uniform-cost terrain it skips rooms off the route. In
/// flight it expands from neighbour to neighbour first, and then looks back from the goal too, with
/// an eighth of its work: a second table of nodes, as large as that look needs.
///
/// It is A* itself, expansion for expansion,
///
/// * on grids with costs that differ within a terrain (blurred penalties, influence) or are zero,
/// * for voxel agents that do more than fly, or to which blocks differ in cost,
/// * in all other spaces,
/// * for goals given by a predicate,
/// * for goals on another island that are to be [approached](super::Query::approach), so that the
///   nearest state is exactly A*'s.
///
/// If a limit ends a search that jumps, the nearest state is the nearest expanded jump point.
///
/// Takes O(m + n log n) time for the n jump points up to the goal's cost and the m words scanned
/// between them. Takes the memory of A*.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::search::Jps;
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let answer = solve(&grid.space(), &Jps, query);
/// assert_eq!(answer.outcome.path().unwrap().len(), 5); // cell by cell
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Jps;

impl Algorithm for Jps {
    type Search<State: StateId, C: Cost> = JpsSearch<State, C>;

    fn search<State: StateId, C: Cost>(&self, query: Query<State, C>) -> Self::Search<State, C> {
        JpsSearch::new(query)
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Optimal
    }
}

/// Jumps over grids raise `f` by more than single moves do: wider buckets keep them in the ring of
/// the open list. Those in flight begin with single moves and end early; there wider buckets only
/// have more keys to sort.
const BUCKET_WIDTH_LOG2: u32 = 12;

/// A diagonal over terrain ends early where its priority exceeds that of its first state by more
/// than `1 / PUT_OFF`: most such ends are never popped. See
/// `docs/decisions/0008-terrain-jumps-by-local-dominance.md`.
const PUT_OFF: u64 = 16;

/// A [`Jps`] search under way.
#[derive(Clone, Debug)]
pub struct JpsSearch<State, C, J = OwnJumps> {
    run: Run<State, C>,
    pocket: Pocket,
    /// Whether it jumps. If not, it goes from neighbour to neighbour.
    jumps: bool,
    guided: Guided,
    /// The end of the first jump of a cheapest path, if a look from the start found one.
    in_sight: Option<State>,
    /// The priority of the start.
    first: u64,
    /// The look back from the goal, if the search takes one.
    back: Option<LookBack<State, C>>,
    compiled: PhantomData<fn() -> J>,
}

/// The jump points of a path, and the counters. Made by [`JpsSearch::jump_points`].
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::search::{Jps, JpsSearch, JumpPoints, Progress, Search};
/// let grid = Grid::from_rows(&["....", "..#.", "...."])?;
/// let [start, goal] = [grid.cell(0, 0), grid.cell(3, 2)].map(Option::unwrap);
/// let (space, mut scratch) = (grid.space(), Scratch::new());
/// let mut search: JpsSearch<Cell, u32> = Jps.search(Query::new(start, goal));
/// while search.step(&space, &mut scratch, &mut (), u64::MAX) == Progress::Working {}
/// let JumpPoints { path, stats } = search.jump_points(&space, &mut scratch);
/// assert!(path.is_some_and(|path| path.end() == Some(goal)) && stats.expanded > 0);
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct JumpPoints<State, C> {
    /// The jump points, the start first; every state of the path if the search does not jump.
    /// `None` unless a path was found.
    pub path: Option<Path<State, C>>,
    /// The counters of the search.
    pub stats: Stats,
}

impl<State: StateId, C: Cost, J: JumpsBy> JpsSearch<State, C, J> {
    pub(super) fn new(query: Query<State, C>) -> Self {
        Self {
            pocket: Pocket::of(&query),
            run: Run::new(query),
            jumps: false,
            guided: Guided::No,
            in_sight: None,
            first: 0,
            back: None,
            compiled: PhantomData,
        }
    }

    /// Returns the jump points of the path that [`Search::answer`] gives, and the counters.
    ///
    /// Between two jump points the path goes
    ///
    /// * among eight neighbours diagonally first, then straight,
    /// * among four neighbours along the row first, then along the column,
    /// * in flight along three axes first, then along two, then along one.
    pub fn jump_points<S: Space<State = State, Cost = C>>(
        &self,
        space: &S,
        scratch: &mut ScratchOf<S>,
    ) -> JumpPoints<State, C> {
        let Answer { outcome, stats } = self.run.answer(space, scratch);
        JumpPoints { path: outcome.is_found().then(|| outcome.into_path()), stats }
    }

    fn begin<S: Space<State = State, Cost = C>>(
        &mut self,
        beginning: Beginning,
        (guidance, jumping): (&mut GuidanceMemoryOf<S>, &mut JumpingMemoryOf<S>),
        space: &S,
        scratch: &mut ScratchOf<S>,
        observer: &mut impl ObserverOf<S>,
    ) -> Active {
        self.jumps = self.would_jump(space);
        if self.jumps {
            if !JumpingOf::<S>::IS_SYMMETRIC {
                scratch.heap.buckets().widen(BUCKET_WIDTH_LOG2);
            }
            JumpingOf::<S>::prepare(space, self.run.query.goal.states(), jumping);
        }
        let start = self.run.query.start;
        self.in_sight = match self.run.query.goal {
            Goal::State(goal) if self.jumps => JumpingOf::<S>::in_sight(space, start, goal),
            _ => None,
        };
        if self.in_sight.is_none() {
            self.guided = self.run.guide(space, guidance);
        }
        if let Goal::State(goal) = self.run.query.goal
            && JumpingOf::<S>::IS_SYMMETRIC
            && self.jumps
            && self.in_sight.is_none()
            && !self.run.query.approach
        {
            self.back = Some(LookBack::new(start, goal));
            self.pocket = Pocket::Open; // the look back finds walls too
        }
        let h = if self.is_guided::<S>() {
            GuidanceOf::<S>::estimate(space, guidance, start)
        } else {
            self.run.natural_estimate(space, start)
        };
        self.first = h.to_u64();
        let key = Key::new(self.first, 0, start.index());
        let tables = (&mut scratch.forward, scratch.heap.buckets());
        self.run.seed(beginning, tables, (key, h), observer)
    }

    /// Returns whether the space can jump to the goal.
    fn would_jump<S: Space<State = State, Cost = C>>(&self, space: &S) -> bool {
        JumpingOf::<S>::is_possible(space)
            && !matches!(self.run.query.goal, Goal::Where(_))
            && !self.run.is_only_approaching()
    }

    /// Known to be false at compile time for spaces without guidance: they are compiled without it.
    #[inline(always)]
    fn is_guided<S: Space>(&self) -> bool {
        GuidanceOf::<S>::GUIDES && self.guided == Guided::Follows
    }

    /// See [`Search::step`]; with the expander's memory, which lies in the scratch between two
    /// steps.
    fn step_with<S: Space<State = State, Cost = C>>(
        &mut self,
        entry: Entry,
        (guidance, jumping): (&mut GuidanceMemoryOf<S>, &mut JumpingMemoryOf<S>),
        space: &S,
        scratch: &mut ScratchOf<S>,
        observer: &mut impl ObserverOf<S>,
        budget: u64,
    ) -> Progress {
        let active = match entry {
            Entry::Ended => return Progress::Done,
            Entry::Resumes(active) => active,
            Entry::Begins(beginning) => {
                self.begin(beginning, (guidance, jumping), space, scratch, observer)
            }
        };
        match self.advance(active, (&*guidance, &*jumping), space, scratch, observer, budget) {
            ControlFlow::Continue(active) => active.pause(),
            ControlFlow::Break(done) => done,
        }
    }

    /// Works for at most `budget` units, and looks at the goal's side in between.
    #[inline]
    fn advance<S: Space<State = State, Cost = C>>(
        &mut self,
        mut active: Active,
        (guidance, jumping): (&GuidanceMemoryOf<S>, &JumpingMemoryOf<S>),
        space: &S,
        scratch: &mut ScratchOf<S>,
        observer: &mut impl ObserverOf<S>,
        budget: u64,
    ) -> ControlFlow<Progress, Active> {
        let last_unit = self.run.work().saturating_add(budget);
        let pace = if self.jumps { pocket::AMONG_JUMPS } else { pocket::AMONG_NEIGHBOURS };
        loop {
            let pause = self.pocket.due(self.run.stats.expanded, pace);
            let due = self.back.as_ref().map_or(u64::MAX, LookBack::due);
            let ends = (pause, last_unit.min(due));
            let memory = (guidance, jumping);
            active = self.expand_until(active, ends, space, scratch, memory, observer)?;
            if self.run.stats.expanded >= pause
                && self.pocket.is_closed(space, &self.run.query.goal, scratch, pace)
            {
                let ending = Ending::NoPath(NoPath::Enclosed);
                return ControlFlow::Break(self.run.end(active, ending));
            }
            let work = self.run.work();
            if JumpingOf::<S>::IS_SYMMETRIC
                && let Some(back) = self.back.as_mut().filter(|back| work >= back.due())
            {
                let Grown { expanded, is_closed } = back.go_on(space, scratch, work);
                let scans = expanded * SCANS_A_UNIT as u32;
                self.run.count_scans(scans);
                observer.scanned(scans);
                if is_closed {
                    let ending = Ending::NoPath(NoPath::Enclosed);
                    return ControlFlow::Break(self.run.end(active, ending));
                }
            }
            if self.run.work() >= last_unit {
                return ControlFlow::Continue(active);
            }
        }
    }
}

impl<S: Space, J: JumpsBy> Search<S> for JpsSearch<S::State, S::Cost, J> {
    fn step<O: ObserverOf<S>>(
        &mut self,
        space: &S,
        scratch: &mut ScratchOf<S>,
        observer: &mut O,
        budget: u64,
    ) -> Progress {
        // In flight the first steps go from neighbour to neighbour.
        scratch.forward.list_next(!JumpingOf::<S>::IS_SYMMETRIC && self.would_jump(space));
        let entry = self.run.enter(space, scratch);
        scratch.forward.list_next(false);
        if let Entry::Ended = entry {
            return Progress::Done; // before any memory is taken
        }
        let mut memory = scratch.expanders.take::<ExpanderMemoryOf<S>>();
        let (guidance, jumping) = &mut *memory;
        let lent = (guidance, jumping);
        let progress = self.step_with(entry, lent, space, scratch, observer, budget);
        scratch.expanders.put(memory);
        progress
    }

    /// As A*, while it goes from neighbour to neighbour. Jumps look further than the states they
    /// reach.
    fn adopt(&mut self, space: &S, scratch: &mut ScratchOf<S>, affected: &[S::State]) -> bool {
        if self.jumps || self.would_jump(space) {
            return false;
        }
        self.pocket.follow_edit();
        self.guided.holds(space, scratch, &self.run.query.goal)
            && self.run.adopt(space, scratch, affected)
    }

    fn answer(&mut self, space: &S, scratch: &mut ScratchOf<S>) -> AnswerOf<S> {
        if self.jumps {
            self.run.answer_along(space, scratch, trace_jumps)
        } else {
            self.run.answer(space, scratch)
        }
    }
}

impl<State: StateId, C: Cost, J: JumpsBy> JpsSearch<State, C, J> {
    /// Expands until `states` have been expanded in all or `units` of work are done.
    ///
    /// # Why the first path to a goal is a cheapest one
    ///
    /// By [`Pruning`] some cheapest path to each state is canonical: each of its moves is one that
    /// the expander visits after the move before. Canonical paths are chains of jumps: a jump ends
    /// where a second canonical move is possible, and at goals ([`Jumping`]). So A* over jumps
    /// searches a graph in which each goal lies as far from the start as in the space. Its edges
    /// are paths of the space at their true cost, and the estimate, consistent for moves, is
    /// consistent for sums of them. Hence the first goal that is popped has its least cost. It is
    /// compared when it is popped, not when it is reached, so a cheaper path to it would have
    /// been popped before.
    ///
    /// If a look from the start found a cheapest path, its jumps alone are followed. The first ends
    /// where `f` is the cost of that path, as at the start, and so does the second, at the goal.
    ///
    /// Else four things are left out, and none of them loses that path:
    ///
    /// 1. states with an infinite guided estimate: they lie on no cheapest path ([`Guidance`]);
    /// 2. keys of the open list whose state was reached more cheaply since (`close` is false);
    /// 3. states that cost more than the query's limit: estimates do not exceed true costs, so
    ///    these paths break the limit;
    /// 4. jumps beyond an end that turned out to be a detour ([`Frontier::end`]).
    fn expand_until<S: Space<State = State, Cost = C>>(
        &mut self,
        mut active: Active,
        (states, units): (u64, u64),
        space: &S,
        scratch: &mut ScratchOf<S>,
        (guidance, jumping): (&GuidanceMemoryOf<S>, &JumpingMemoryOf<S>),
        observer: &mut impl ObserverOf<S>,
    ) -> ControlFlow<Progress, Active> {
        let Scratch { forward: nodes, heap, backward, .. } = scratch;
        let open = heap.buckets();
        let back = self.back.filter(|_| JumpingOf::<S>::IS_SYMMETRIC);
        let bounds = back.and_then(|back| back.bounds(space, backward));
        let goal = self.run.query.goal.clone();
        let only = match goal {
            Goal::State(goal) if self.jumps => Some(JumpingOf::<S>::position(space, goal)),
            _ => None,
        };
        let guided = self.is_guided::<S>();
        while self.run.stats.expanded < states && self.run.work() < units {
            let in_sight = self.in_sight;
            let Some(key) = open.pop() else {
                return ControlFlow::Break(self.run.exhaust(active));
            };
            let (index, g) = (key.state(), S::Cost::from_u64(key.g()));
            if !nodes.close(index, g) {
                continue; // reached more cheaply since it was pushed
            }
            let state = S::State::from_index(index);
            let parent_index = nodes.parent(index);
            let parent = S::State::from_index(parent_index);
            if let Some(bounds) = bounds {
                let least = g.to_u64() + bounds.of(space, state).to_u64();
                if least > key.priority() {
                    nodes.open(index, g, parent_index); // better known since
                    open.push(Key::new(least, key.g(), index));
                    continue;
                }
            }
            let f = S::Cost::from_u64(key.priority());
            let costs = (g, f.minus(g));
            active = self.run.pop(active, (state, parent_index), costs, observer)?;
            let horizon = key.priority() + key.priority() / PUT_OFF;
            let (run, from) = (&mut self.run, (state, g));
            let mut frontier = Frontier {
                run,
                space,
                nodes,
                open,
                goal: &goal,
                only,
                bounds,
                guided,
                guidance,
                observer,
                from,
                horizon,
                rise: key.priority().saturating_sub(self.first),
            };
            if let (Some(turn), &Goal::State(end)) = (in_sight, &goal) {
                let next = if state == turn { end } else { turn };
                frontier.scanned(LINE_SCANS);
                frontier.end(next, space.estimate(state, next));
            } else if self.jumps {
                let goals = goal.states();
                J::jumps(space, (parent, state), goals, jumping, &mut frontier);
            } else {
                PruningOf::<S>::successors(space, parent, state, |edge| {
                    frontier.end(edge.target, edge.cost);
                });
            }
            self.run.stats.heap_peak = self.run.stats.heap_peak.max(open.len());
        }
        ControlFlow::Continue(active)
    }
}

/// The states that jumps lead to from the state being expanded.
///
/// One type for searches with guidance and without: a space's jumps, tens of kilobytes of code, are
/// compiled for each type of visitor. The branch is taken once an end, not once a scanned word.
struct Frontier<'f, S: Space, O> {
    run: &'f mut Run<S::State, S::Cost>,
    space: &'f S,
    nodes: &'f mut Nodes<S::Cost>,
    open: &'f mut Buckets,
    goal: &'f Goal<S::State>,
    /// The position of the only goal of a search that jumps.
    only: Option<[i32; 3]>,
    /// What a look back from the goal knows.
    bounds: Option<Bounds<'f, S::Cost>>,
    guided: bool,
    guidance: &'f GuidanceMemoryOf<S>,
    observer: &'f mut O,
    /// The state being expanded, and its cost.
    from: (S::State, S::Cost),
    /// The highest priority to which diagonals are followed.
    horizon: u64,
    /// See [`JumpCourse::rise`].
    rise: u64,
}

impl<S: Space, O: ObserverOf<S>> Frontier<'_, S, O> {
    /// Known to be false at compile time for spaces without guidance.
    #[inline(always)]
    fn is_guided(&self) -> bool {
        GuidanceOf::<S>::GUIDES && self.guided
    }

    #[inline]
    fn estimate(&self, target: S::State) -> S::Cost {
        if JumpingOf::<S>::IS_SYMMETRIC
            && let Some(bounds) = self.bounds
        {
            bounds.of(self.space, target)
        } else if self.is_guided() {
            GuidanceOf::<S>::estimate(self.space, self.guidance, target)
        } else if JumpingOf::<S>::IS_SYMMETRIC
            && let Some(only) = self.only
        {
            JumpingOf::<S>::estimate(self.space, target, only)
        } else {
            self.goal.least(|goal| self.space.estimate(target, goal))
        }
    }

    /// Puts a state with a new path on the open list.
    #[inline]
    fn list(&mut self, target: S::State, (g, h): (S::Cost, S::Cost), kind: TraceEventKind) {
        self.open.push(Key::new(g.to_u64() + h.to_u64(), g.to_u64(), target.index()));
        self.observer.observe(event(kind, Side::Forward, (target, self.from.0), (g, h)));
    }
}

impl<S: Space, O: ObserverOf<S>> JumpVisitor<S::State, S::Cost> for Frontier<'_, S, O> {
    /// Returns `g(jump) - g(known)` where a path to the target is known. Let a line of cost `d`
    /// lead from `s` to the target, and let this difference exceed `2 d`. The path to the target
    /// and back along the line reaches `s` at `g(known) + d < g(jump) - d`, the cost of `s` by this
    /// jump. So this arrival at `s` is on no cheapest path, and the space may leave out its other
    /// jumps. Moves can be made backwards at the same cost in the spaces that use this; see
    /// `space/grid/jump.rs`.
    #[inline]
    fn end(&mut self, target: S::State, cost: S::Cost) -> S::Cost {
        let Self { space, from: (state, g), .. } = *self;
        let tentative = g.plus(cost);
        if !self.run.admits(tentative, |run| run.natural_estimate(space, target)) {
            return S::Cost::ZERO;
        }
        let relaxed = self.nodes.relax(target.index(), tentative, state.index(), true);
        if relaxed == Relaxed::No {
            return tentative.minus(self.nodes.g(target.index()).unwrap_or(tentative));
        }
        let h = self.estimate(target);
        if (!self.is_guided() || h < S::Cost::INFINITY)
            && let Some(kind) = self.run.count(relaxed)
        {
            self.list(target, (tentative, h), kind);
        }
        S::Cost::ZERO
    }

    #[inline]
    fn part(&mut self, target: S::State, cost: S::Cost) -> bool {
        let (state, g) = self.from;
        self.nodes.relax(target.index(), g.plus(cost), state.index(), true) != Relaxed::No
    }

    /// Ends a jump at a state of its own path, which goes on the open list with its true cost. The
    /// path is cut in two at that state and loses none of its moves: if the rest is needed, the
    /// state is popped, since its priority is at most the cost of any path through it.
    #[inline]
    fn puts_off(&mut self, target: S::State, cost: S::Cost) -> bool {
        let g = self.from.1.plus(cost);
        let h = self.estimate(target);
        let is_far = g.to_u64() + h.to_u64() > self.horizon;
        if is_far && self.run.admits(g, |_| h) {
            self.run.stats.generated += 1;
            self.list(target, (g, h), TraceEventKind::Generate);
        }
        is_far
    }

    #[inline]
    fn course(&self) -> JumpCourse {
        JumpCourse { expanded: self.run.stats.expanded, rise: self.rise }
    }

    #[inline]
    fn scanned(&mut self, work: u32) {
        self.run.count_scans(work);
        self.observer.scanned(work);
    }
}

/// Returns the path along the parents of the scratch's forward table, with the states between jump
/// points.
fn trace_jumps<S: Space>(space: &S, scratch: &mut ScratchOf<S>, end: u32) -> PathOf<S> {
    let mut path = scratch.spare_path();
    path.revision = space.revision();
    let nodes = &scratch.forward;
    let mut state = end;
    loop {
        let parent = nodes.parent(state);
        let before = nodes.g(parent).unwrap_or(S::Cost::INFINITY);
        let here = S::State::from_index(state);
        if parent == state {
            path.steps.push(Step { state: here, action: Action::default(), cost: before });
            break;
        }
        JumpingOf::<S>::retrace(
            space,
            S::State::from_index(parent),
            here,
            |Edge { target, cost, action }| {
                path.steps.push(Step { state: target, action, cost: before.plus(cost) });
            },
        );
        state = parent;
    }
    path.steps.reverse();
    path
}

impl Listed for Jps {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "jps",
        title: "Jump point search",
        summary: "Jump point search: a cheapest path on grids, from turn to turn",
        guarantee: Guarantee::Optimal,
        sensible_states: None,
    };

    fn with_options(_: &Options) -> Self {
        Self
    }
}

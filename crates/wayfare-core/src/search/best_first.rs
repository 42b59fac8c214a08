//! Best-first search: the machine behind every algorithm that expands one state after another in
//! the order of a priority.
//!
//! Breadth-first search, Dijkstra's algorithm, A*, weighted A*, greedy search and the waypoint
//! policies differ only in the [`ExpansionPolicy`] and the [`OpenList`] that they plug in here.

use std::ops::ControlFlow;

use super::course::{Active, Entry};
use super::machine::{Ending, Guided, Run, event};
use super::nodes::{Nodes, Relaxed};
use super::pocket::{AMONG_NEIGHBOURS, Pocket};
use super::{
    AnswerOf, BucketQueue, Fifo, Goal, Heuristic, Key, NoPath, OpenList, PlainList, Progress,
    Query, Scratch, ScratchOf, Search, StableQueue,
};
use crate::space::{
    Cost, EdgeOf, ExpanderMemoryOf, Guidance, GuidanceMemoryOf, GuidanceOf, Pruning, PruningOf,
    Space, StateId,
};
use crate::trace::{ObserverOf, Side};

/// The order in which a best-first search expands.
///
/// ```
/// use wayfare::expert::{BestFirst, ExpansionPolicy};
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::search::Natural;
/// use wayfare::space::Cost;
///
/// /// Weighted A* with a weight of 2.
/// #[derive(Clone)]
/// struct Twice;
///
/// impl<S: Space> ExpansionPolicy<S> for Twice {
///     fn priority(&self, _: &S, _: &Goal<S::State>, _: S::State, g: S::Cost, h: S::Cost) -> u64 {
///         g.to_u64() + 2 * h.to_u64()
///     }
/// }
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let mut search: BestFirst<_, _, _, _> = BestFirst::new(Twice, Natural, query);
/// let answer = search.finish(&grid.space(), &mut Scratch::new(), &mut ());
/// assert_eq!(answer.outcome.path().unwrap().len(), 5);
/// # Ok::<(), GridError>(())
/// ```
pub trait ExpansionPolicy<S: Space>: Clone {
    /// Whether a cheaper path to a known state replaces the one known. Without it, the first path
    /// to a state stays.
    const RELAX: bool = true;
    /// Whether [`ExpansionPolicy::priority`] is `g + h`; spares the search computing `h` a second
    /// time.
    const IS_SUM: bool = false;
    /// Whether the search may leave out states on no cheapest path to its goal, as [`Guidance`]
    /// knows them.
    const STEERS: bool = true;
    /// Whether the moves that [`Pruning`] leaves out may be left out: for policies that find a
    /// cheapest path to every state they expand.
    const IS_CANONICAL: bool = false;

    /// Returns the priority of a state: low is first. At most 2⁴⁸ − 1.
    fn priority(
        &self,
        space: &S,
        goal: &Goal<S::State>,
        state: S::State,
        g: S::Cost,
        h: S::Cost,
    ) -> u64;
}

/// An open list that a [`Scratch`] holds.
pub trait HeldOpenList: OpenList {
    /// Returns this list of the scratch, beside its forward nodes.
    fn of<State, C>(scratch: &mut Scratch<State, C>) -> (&mut Self, &mut Nodes<C>);
}

impl HeldOpenList for BucketQueue {
    #[inline]
    fn of<State, C>(scratch: &mut Scratch<State, C>) -> (&mut Self, &mut Nodes<C>) {
        (&mut scratch.heap, &mut scratch.forward)
    }
}

impl HeldOpenList for PlainList {
    fn of<State, C>(scratch: &mut Scratch<State, C>) -> (&mut Self, &mut Nodes<C>) {
        (&mut scratch.list, &mut scratch.forward)
    }
}

impl HeldOpenList for Fifo {
    fn of<State, C>(scratch: &mut Scratch<State, C>) -> (&mut Self, &mut Nodes<C>) {
        (&mut scratch.fifo, &mut scratch.forward)
    }
}

impl HeldOpenList for StableQueue {
    #[inline]
    fn of<State, C>(scratch: &mut Scratch<State, C>) -> (&mut Self, &mut Nodes<C>) {
        (&mut scratch.stable, &mut scratch.forward)
    }
}

/// A best-first search under way.
#[derive(Clone, Debug)]
pub struct BestFirst<State, C, P, H, L = BucketQueue> {
    run: Run<State, C>,
    policy: P,
    heuristic: H,
    pocket: Pocket,
    guided: Guided,
    _open_list: std::marker::PhantomData<fn() -> L>,
}

impl<State: StateId, C: Cost, P, H, L> BestFirst<State, C, P, H, L> {
    /// Returns a search before its first step.
    pub fn new(policy: P, heuristic: H, query: Query<State, C>) -> Self {
        let pocket = Pocket::of(&query);
        let (run, _open_list) = (Run::new(query), std::marker::PhantomData);
        Self { run, policy, heuristic, pocket, guided: Guided::No, _open_list }
    }

    #[inline(always)]
    fn estimate<const GUIDED: bool, S: Space<State = State, Cost = C>>(
        &self,
        space: &S,
        memory: &GuidanceMemoryOf<S>,
        state: State,
    ) -> C
    where
        H: Heuristic<S>,
    {
        if GUIDED {
            return GuidanceOf::<S>::estimate(space, memory, state);
        }
        self.run.query.goal.least(|goal| self.heuristic.estimate(space, state, goal))
    }

    #[inline(always)]
    fn key<S: Space<State = State, Cost = C>>(&self, space: &S, state: State, (g, h): (C, C)) -> Key
    where
        P: ExpansionPolicy<S>,
    {
        let goal = &self.run.query.goal;
        Key::new(self.policy.priority(space, goal, state, g, h), g.to_u64(), state.index())
    }
}

impl<S: Space, P: ExpansionPolicy<S>, H: Heuristic<S>, L: HeldOpenList> Search<S>
    for BestFirst<S::State, S::Cost, P, H, L>
{
    fn step<O: ObserverOf<S>>(
        &mut self,
        space: &S,
        scratch: &mut ScratchOf<S>,
        observer: &mut O,
        budget: u64,
    ) -> Progress {
        let entry = match self.run.enter(space, scratch) {
            Entry::Ended => return Progress::Done, // before any memory is taken
            entry => entry,
        };
        let mut memory = scratch.expanders.take::<ExpanderMemoryOf<S>>();
        let progress = self.step_with(entry, &mut memory.0, space, scratch, observer, budget);
        scratch.expanders.put(memory);
        progress
    }

    fn adopt(&mut self, space: &S, scratch: &mut ScratchOf<S>, affected: &[S::State]) -> bool {
        self.pocket.follow_edit();
        self.guided.holds(space, scratch, &self.run.query.goal)
            && self.heuristic.survives_edits(space)
            && self.run.adopt(space, scratch, affected)
    }

    fn answer(&mut self, space: &S, scratch: &mut ScratchOf<S>) -> AnswerOf<S> {
        self.run.answer(space, scratch)
    }
}

impl<State: StateId, C: Cost, P, H, L: HeldOpenList> BestFirst<State, C, P, H, L> {
    /// See [`Search::step`]; with the guidance's memory, which lies in the scratch between two
    /// steps.
    fn step_with<S, O>(
        &mut self,
        entry: Entry,
        memory: &mut GuidanceMemoryOf<S>,
        space: &S,
        scratch: &mut ScratchOf<S>,
        observer: &mut O,
        budget: u64,
    ) -> Progress
    where
        S: Space<State = State, Cost = C>,
        P: ExpansionPolicy<S>,
        H: Heuristic<S>,
        O: ObserverOf<S>,
    {
        let active = match entry {
            Entry::Ended => return Progress::Done,
            Entry::Resumes(active) => active,
            Entry::Begins(beginning) => {
                let start = self.run.query.start;
                if P::STEERS && self.heuristic.is_natural() {
                    self.guided = self.run.guide(space, memory);
                }
                let h = if self.is_guided::<S>() {
                    self.estimate::<true, _>(space, memory, start)
                } else {
                    self.estimate::<false, _>(space, memory, start)
                };
                let key = self.key(space, start, (C::ZERO, h));
                let (open, nodes) = L::of(scratch);
                self.run.seed(beginning, (nodes, open), (key, h), observer)
            }
        };
        match self.advance(active, memory, space, scratch, observer, budget) {
            ControlFlow::Continue(active) => active.pause(),
            ControlFlow::Break(done) => done,
        }
    }

    /// Expands at most `budget` states, and looks at the goal's side in between.
    #[inline]
    fn advance<S, O>(
        &mut self,
        mut active: Active,
        memory: &GuidanceMemoryOf<S>,
        space: &S,
        scratch: &mut ScratchOf<S>,
        observer: &mut O,
        budget: u64,
    ) -> ControlFlow<Progress, Active>
    where
        S: Space<State = State, Cost = C>,
        P: ExpansionPolicy<S>,
        H: Heuristic<S>,
        O: ObserverOf<S>,
    {
        let last_expansion = self.run.stats.expanded.saturating_add(budget);
        loop {
            let pause = self.pocket.due(self.run.stats.expanded, AMONG_NEIGHBOURS);
            let end = last_expansion.min(pause);
            let tables = L::of(scratch);
            active = if self.is_guided::<S>() {
                self.expand_until::<true, _, _>(active, end, space, tables, memory, observer)
            } else {
                self.expand_until::<false, _, _>(active, end, space, tables, memory, observer)
            }?;
            if end == pause
                && self.pocket.is_closed(space, &self.run.query.goal, scratch, AMONG_NEIGHBOURS)
            {
                let ending = Ending::NoPath(NoPath::Enclosed);
                return ControlFlow::Break(self.run.end(active, ending));
            }
            if end == last_expansion {
                return ControlFlow::Continue(active);
            }
        }
    }

    /// Known to be false at compile time for spaces without guidance: they are compiled without it.
    #[inline(always)]
    fn is_guided<S: Space>(&self) -> bool {
        GuidanceOf::<S>::GUIDES && self.guided == Guided::Follows
    }

    /// Expands until `end` states have been expanded in all.
    #[inline]
    fn expand_until<const GUIDED: bool, S, O>(
        &mut self,
        mut active: Active,
        end: u64,
        space: &S,
        (open, nodes): (&mut L, &mut Nodes<C>),
        memory: &GuidanceMemoryOf<S>,
        observer: &mut O,
    ) -> ControlFlow<Progress, Active>
    where
        S: Space<State = State, Cost = C>,
        P: ExpansionPolicy<S>,
        H: Heuristic<S>,
        O: ObserverOf<S>,
    {
        while self.run.stats.expanded < end {
            let Some(key) = open.pop() else {
                return ControlFlow::Break(self.run.exhaust(active));
            };
            let (index, g) = (key.state(), S::Cost::from_u64(key.g()));
            if !nodes.close(index, g) {
                continue; // reached more cheaply since it was pushed
            }
            let state = S::State::from_index(index);
            let h = if P::IS_SUM && self.heuristic.is_natural() {
                S::Cost::from_u64(key.priority()).minus(g)
            } else if GUIDED {
                GuidanceOf::<S>::estimate(space, memory, state)
            } else {
                self.run.natural_estimate(space, state)
            };
            let parent = nodes.parent(index);
            active = self.run.pop(active, (state, parent), (g, h), observer)?;
            let visit = |edge: EdgeOf<S>| {
                let (target, tentative) = (edge.target.index(), g.plus(edge.cost));
                if !self.run.admits(tentative, |run| run.natural_estimate(space, edge.target)) {
                    return;
                }
                let relaxed = nodes.relax(target, tentative, index, P::RELAX);
                if relaxed == Relaxed::No {
                    return;
                }
                let h = self.estimate::<GUIDED, _>(space, memory, edge.target);
                if GUIDED && h == S::Cost::INFINITY {
                    return; // no cheapest path leads there
                }
                let Some(kind) = self.run.count(relaxed) else { return };
                open.push(self.key(space, edge.target, (tentative, h)));
                observer.observe(event(kind, Side::Forward, (edge.target, state), (tentative, h)));
            };
            if P::IS_CANONICAL {
                PruningOf::<S>::successors(space, S::State::from_index(parent), state, visit);
            } else {
                space.successors(state, visit);
            }
            self.run.stats.heap_peak = self.run.stats.heap_peak.max(open.len());
        }
        ControlFlow::Continue(active)
    }
}

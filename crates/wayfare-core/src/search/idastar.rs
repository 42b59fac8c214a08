//! IDA* with a transposition table.
//!
//! R. E. Korf, "Depth-first iterative-deepening: an optimal admissible tree search", 1985; the
//! table after A. Reinefeld, T. A. Marsland, "Enhanced iterative-deepening search", 1994.
//!
//! # Why the first path found is cheapest
//!
//! A round with bound `b` follows all paths of `f ≤ b`, except one that reaches a state at no lower
//! cost than another path of the round: each continuation of the first is matched by one of the
//! second, of no larger `f`. So the round finds a path of cost at most `b` if there is one.
//!
//! Let `c` be the optimum. If the round before found no path, it left out a state of a cheapest
//! path. Its `f` is at most `c`, as estimates are lower bounds, and at least the next bound `b`,
//! which is the least `f` left out. So `b ≤ c`, and a path of cost at most `b` is cheapest.

use std::ops::ControlFlow;

use super::course::Entry;
use super::machine::{Run, event};
use super::{
    Algorithm, AlgorithmInfo, AnswerOf, Guarantee, Key, Listed, Options, Progress, Query, Scratch,
    ScratchOf, Search,
};
use crate::space::{Cost, Space, StateId};
use crate::trace::{Observer, ObserverOf, Side, TraceEventKind};

/// Iterative-deepening A*: depth-first searches under a rising bound on `f`.
///
/// Finds a **cheapest** path. It needs no priority queue, only a stack; the table of the cheapest
/// path to each state, here the scratch's nodes, keeps it from walking the same ground by every
/// detour. Each round starts over with the least `f` that the round before had to leave out, so on
/// maps with many different costs there are many rounds: use it on small maps, or to learn. Takes
/// O(rounds × states) time.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::search::IdaStar;
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let answer = solve(&grid.space(), &IdaStar, query);
/// assert_eq!(answer.outcome.path().map(Path::cost), Some(5 * 5741)); // five straight steps
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct IdaStar;

impl Algorithm for IdaStar {
    type Search<State: StateId, C: Cost> = IdaStarSearch<State, C>;

    fn search<State: StateId, C: Cost>(&self, query: Query<State, C>) -> Self::Search<State, C> {
        IdaStarSearch { run: Run::new(query), bound: C::ZERO, next_bound: C::INFINITY }
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Optimal
    }
}

/// An [`IdaStar`] search under way.
#[derive(Clone, Debug)]
pub struct IdaStarSearch<State, C> {
    run: Run<State, C>,
    /// The largest `f` that this round follows.
    bound: C,
    /// The least `f` that this round has left out.
    next_bound: C,
}

impl<State: StateId, C: Cost> IdaStarSearch<State, C> {
    fn begin_round<O: Observer<State, C>>(
        &mut self,
        space: &impl Space<State = State, Cost = C>,
        scratch: &mut Scratch<State, C>,
        observer: &mut O,
    ) {
        let start = self.run.query.start;
        let h = self.run.natural_estimate(space, start);
        self.next_bound = C::INFINITY;
        scratch.forward.reset(space.state_bound());
        scratch.forward.open(start.index(), C::ZERO, start.index());
        scratch.stack.push(Key::new(h.to_u64(), 0, start.index()));
        self.run.stats.generated += 1;
        observer.observe(event(
            TraceEventKind::Generate,
            Side::Forward,
            (start, start),
            (C::ZERO, h),
        ));
    }
}

impl<S: Space> Search<S> for IdaStarSearch<S::State, S::Cost> {
    fn step<O: ObserverOf<S>>(
        &mut self,
        space: &S,
        scratch: &mut ScratchOf<S>,
        observer: &mut O,
        budget: u64,
    ) -> Progress {
        let mut active = match self.run.enter(space, scratch) {
            Entry::Ended => return Progress::Done,
            Entry::Resumes(active) => active,
            Entry::Begins(beginning) => {
                self.bound = self.run.natural_estimate(space, self.run.query.start);
                self.begin_round(space, scratch, observer);
                beginning.begun()
            }
        };

        let last_expansion = self.run.stats.expanded.saturating_add(budget);
        while self.run.stats.expanded < last_expansion {
            let Some(key) = scratch.stack.pop() else {
                if self.next_bound >= S::Cost::INFINITY {
                    return self.run.exhaust(active);
                }
                self.bound = self.next_bound;
                let start = self.run.query.start;
                let costs = (S::Cost::ZERO, self.bound);
                observer.observe(event(
                    TraceEventKind::Restart,
                    Side::Forward,
                    (start, start),
                    costs,
                ));
                self.begin_round(space, scratch, observer);
                continue;
            };
            let (index, g) = (key.state(), S::Cost::from_u64(key.g()));
            if !scratch.forward.close(index, g) {
                continue; // reached more cheaply since it was pushed
            }
            let state = S::State::from_index(index);
            let h = S::Cost::from_u64(key.priority()).minus(g);
            let parent = scratch.forward.parent(index);
            active = match self.run.pop(active, (state, parent), (g, h), observer) {
                ControlFlow::Continue(active) => active,
                ControlFlow::Break(done) => return done,
            };
            let first_child = scratch.stack.len();
            let (stack, nodes) = (&mut scratch.stack, &mut scratch.forward);
            space.successors(state, |edge| {
                let (target, tentative) = (edge.target.index(), g.plus(edge.cost));
                if !self.run.admits(tentative, |run| run.natural_estimate(space, edge.target)) {
                    return;
                }
                let h = self.run.natural_estimate(space, edge.target);
                let f = tentative.plus(h);
                if f > self.bound {
                    self.next_bound = self.next_bound.min(f);
                    return;
                }
                let relaxed = nodes.relax(target, tentative, index, true);
                let Some(kind) = self.run.count(relaxed) else { return };
                stack.push(Key::new(f.to_u64(), tentative.to_u64(), target));
                observer.observe(event(kind, Side::Forward, (edge.target, state), (tentative, h)));
            });
            // The most promising child on top of the stack.
            stack[first_child..].sort_unstable_by(|a, b| b.cmp(a));
            self.run.stats.heap_peak = self.run.stats.heap_peak.max(stack.len());
        }
        active.pause()
    }

    fn answer(&mut self, space: &S, scratch: &mut ScratchOf<S>) -> AnswerOf<S> {
        self.run.answer(space, scratch)
    }
}

impl Listed for IdaStar {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "idastar",
        title: "IDA*",
        summary: "iterative-deepening A*: a cheapest path without a priority queue, for small maps",
        guarantee: Guarantee::Optimal,
        sensible_states: Some(10_000),
    };

    fn with_options(_: &Options) -> Self {
        Self
    }
}

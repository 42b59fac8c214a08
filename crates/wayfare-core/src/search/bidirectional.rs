//! Bidirectional A*.
//!
//! W. Pijls, H. Post, "A new bidirectional search algorithm with shortened postprocessing", 2009
//! (NBA*).
//!
//! # Why the best meeting is a cheapest path
//!
//! Let `g₁(x)` and `g₂(x)` be the costs that the two sides know between `x` and their ends, `h₁`
//! and `h₂` the estimates of the rest from there, `F₁` and `F₂` the least `f` of each side, and `µ`
//! the cost of the best meeting. Estimates are consistent, so each side pops states in ascending
//! order of `f`, and a popped state's `g` is final. When the forward side pops `x` (the backward
//! side mirrors this), `x` can be dropped in three cases:
//!
//! * `g₁(x) + h₁(x) ≥ µ`: no path through `x` costs less than `µ`.
//! * `g₁(x) + F₂ − h₂(x) ≥ µ`: the backward side has not closed `x`, so it would pop it with an `f`
//!   of at least `F₂`. A path from `x` to the goal costs at least `F₂ − h₂(x)`.
//! * The backward side has closed `x`. Either it dropped `x`, by one of the cases above, or it
//!   expanded it. Then each predecessor `p` of `x` got a `g₂(p)` that counts the path through `x`,
//!   and `g₁(p) + g₂(p)` was compared with `µ` as soon as both were known.
//!
//! When one open list is empty, no path is left that is in none of these cases. `µ` is the optimum.

use std::ops::ControlFlow;

use super::course::{Active, Beginning, Entry};
use super::machine::{Ending, Run, event};
use super::nodes::Nodes;
use super::{
    Algorithm, AlgorithmInfo, AnswerOf, BucketQueue, Goal, Guarantee, Key, Listed, OpenList,
    Options, Outcome, Progress, Query, Scratch, ScratchOf, Search,
};
use crate::path::{PathOf, Step};
use crate::space::{Action, Cost, EdgeOf, ReverseSpace, Space, StateId};
use crate::trace::{Observer, ObserverOf, Side, TraceEventKind};

/// Bidirectional A* (NBA*): one search from the start, one from the goal, until they prove the best
/// meeting point.
///
/// Finds a **cheapest** path. Every state is expanded by one side only, and a side drops whatever
/// the other's bounds show to be hopeless. It pays where the goal sits in a dead end or where the
/// estimate is poor around the start; on open ground plain A* is as good. Needs a space whose moves
/// can be followed backwards, and a single goal: with several, or a predicate, the backward side
/// starts from all named goals, or not at all.
///
/// Takes O(m + n log n) time; O(states) memory twice over, one table a side.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::search::Bidirectional;
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let answer = solve(&grid.space(), &Bidirectional, query);
/// assert_eq!(answer.outcome.path().map(Path::cost), Some(5 * 5741)); // five straight steps
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Bidirectional;

impl Algorithm for Bidirectional {
    type Search<State: StateId, C: Cost> = BidirectionalSearch<State, C>;

    fn search<State: StateId, C: Cost>(&self, query: Query<State, C>) -> Self::Search<State, C> {
        BidirectionalSearch {
            run: Run::new(query),
            best: C::INFINITY,
            meeting: None,
            least_f: [C::ZERO; 2],
        }
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Optimal
    }
}

/// A [`Bidirectional`] search under way.
#[derive(Clone, Debug)]
pub struct BidirectionalSearch<State, C> {
    run: Run<State, C>,
    /// The cost of the best path so far.
    best: C,
    /// Where the two halves of the best path meet.
    meeting: Option<u32>,
    /// The least `f` still open when each side last expanded.
    least_f: [C; 2],
}

impl<State: StateId, C: Cost> BidirectionalSearch<State, C> {
    /// Returns the estimate of the rest for a state, from one side.
    fn estimate(
        &self,
        space: &impl ReverseSpace<State = State, Cost = C>,
        side: Side,
        state: State,
    ) -> C {
        match side {
            Side::Forward => self.run.natural_estimate(space, state),
            Side::Backward => space.estimate(self.run.query.start, state),
        }
    }

    fn seed<O: Observer<State, C>>(
        &mut self,
        space: &impl ReverseSpace<State = State, Cost = C>,
        side: Side,
        state: State,
        (nodes, open): (&mut Nodes<C>, &mut BucketQueue),
        observer: &mut O,
    ) {
        let h = self.estimate(space, side, state);
        nodes.open(state.index(), C::ZERO, state.index());
        open.push(Key::new(h.to_u64(), 0, state.index()));
        self.run.stats.generated += 1;
        observer.observe(event(TraceEventKind::Generate, side, (state, state), (C::ZERO, h)));
    }

    fn begin<O: Observer<State, C>>(
        &mut self,
        beginning: Beginning,
        space: &impl ReverseSpace<State = State, Cost = C>,
        scratch: &mut Scratch<State, C>,
        observer: &mut O,
    ) -> Active {
        scratch.backward.reset(space.state_bound());
        let start = self.run.query.start;
        self.seed(space, Side::Forward, start, (&mut scratch.forward, &mut scratch.heap), observer);
        for goal in self.run.query.goal.clone().states() {
            if space.check(*goal).is_ok() {
                self.seed(
                    space,
                    Side::Backward,
                    *goal,
                    (&mut scratch.backward, &mut scratch.backward_heap),
                    observer,
                );
            }
        }
        if self.run.query.goal.accepts(start) {
            self.best = C::ZERO;
            self.meeting = Some(start.index());
        }
        beginning.begun()
    }

    fn end_found<O: Observer<State, C>>(
        &mut self,
        active: Active,
        meeting: u32,
        scratch: &Scratch<State, C>,
        observer: &mut O,
    ) -> Progress {
        let state = State::from_index(meeting);
        let parent = State::from_index(scratch.forward.parent(meeting));
        let g = scratch.forward.g(meeting).unwrap_or(self.best);
        let costs = (g, self.best.minus(g));
        observer.observe(event(TraceEventKind::Goal, Side::Forward, (state, parent), costs));
        self.run.end(active, Ending::Found(meeting))
    }
}

impl<S: ReverseSpace> Search<S> for BidirectionalSearch<S::State, S::Cost> {
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
            Entry::Begins(beginning) => self.begin(beginning, space, scratch, observer),
        };
        let blind = matches!(self.run.query.goal, Goal::Where(_));

        let last_expansion = self.run.stats.expanded.saturating_add(budget);
        while self.run.stats.expanded < last_expansion {
            let (forward_left, backward_left) = (scratch.heap.len(), scratch.backward_heap.len());
            if let Some(meeting) = self.meeting
                && (forward_left == 0 || backward_left == 0)
            {
                return self.end_found(active, meeting, scratch, observer);
            }
            // Once the backward side has run dry without a meeting there is no path; the forward
            // side goes on to find the nearest state.
            if forward_left == 0 {
                return self.run.exhaust(active);
            }
            // Pohl's cardinality rule: advance the side with the fewer open states.
            let side = if backward_left == 0 || forward_left <= backward_left {
                Side::Forward
            } else {
                Side::Backward
            };
            let (nodes, other, open) = match side {
                Side::Forward => (&mut scratch.forward, &scratch.backward, &mut scratch.heap),
                Side::Backward => {
                    (&mut scratch.backward, &scratch.forward, &mut scratch.backward_heap)
                }
            };
            let Some(key) = open.pop() else { continue };
            let (index, g) = (key.state(), S::Cost::from_u64(key.g()));
            if (!blind && other.is_closed(index)) || !nodes.close(index, g) {
                continue;
            }
            let state = S::State::from_index(index);
            let f = S::Cost::from_u64(key.priority());
            let h = f.minus(g);
            self.least_f[side as usize] = f;
            let far_side = match side {
                Side::Forward => Side::Backward,
                Side::Backward => Side::Forward,
            };
            // A path to this state from the other side costs at least that side's least `f`, less
            // the estimate used for it.
            let from_far =
                self.least_f[far_side as usize].minus(self.estimate(space, far_side, state));
            let least = f.max(g.plus(from_far));
            if least >= self.best {
                // No path through here beats the best. Where none is known, it costs too much for
                // the type.
                let _ = self.best < S::Cost::INFINITY || self.run.admits(least, |_| S::Cost::ZERO);
                continue;
            }
            if blind && self.run.query.goal.accepts(state) {
                self.best = g;
                return self.end_found(active, index, scratch, observer);
            }
            let parent = nodes.parent(index);
            let popped = self.run.expand_from(active, side, (state, parent), (g, h), observer);
            active = match popped {
                ControlFlow::Continue(active) => active,
                ControlFlow::Break(done) => return done,
            };
            let visit = |edge: EdgeOf<S>| {
                let (target, tentative) = (edge.target.index(), g.plus(edge.cost));
                if other.is_closed(target) && !blind {
                    return; // settled by the other side, and met when that side reached this one
                }
                let h = self.estimate(space, side, edge.target);
                if !self.run.admits(tentative, |_| h) {
                    return;
                }
                let relaxed = nodes.relax(target, tentative, index, true);
                let Some(kind) = self.run.count(relaxed) else { return };
                if let Some(far_g) = other.g(target).filter(|_| !blind) {
                    let whole = tentative.plus(far_g);
                    if whole < self.best || self.best == S::Cost::INFINITY {
                        // The halves may keep to the limits where the whole does not.
                        if self.run.admits(whole, |_| S::Cost::ZERO) {
                            self.best = whole;
                            self.meeting = Some(target);
                        }
                    }
                }
                open.push(Key::new(tentative.plus(h).to_u64(), tentative.to_u64(), target));
                observer.observe(event(kind, side, (edge.target, state), (tentative, h)));
            };
            match side {
                Side::Forward => space.successors(state, visit),
                Side::Backward => space.predecessors(state, visit),
            }
            let open_states = scratch.heap.len() + scratch.backward_heap.len();
            self.run.stats.heap_peak = self.run.stats.heap_peak.max(open_states);
        }
        active.pause()
    }

    fn answer(&mut self, space: &S, scratch: &mut ScratchOf<S>) -> AnswerOf<S> {
        let mut answer = self.run.answer(space, scratch);
        if let (Outcome::Found(path), false) =
            (&mut answer.outcome, matches!(self.run.query.goal, Goal::Where(_)))
        {
            append_backward_half(space, scratch, path);
        }
        answer
    }
}

/// Appends the path from the meeting point, the present end, to the goal.
fn append_backward_half<S: Space>(space: &S, scratch: &ScratchOf<S>, path: &mut PathOf<S>) {
    let Some(meeting) = path.end() else { return };
    let nodes = &scratch.backward;
    let mut state = meeting.index();
    while let Some(g) = nodes.g(state) {
        let next = nodes.parent(state);
        if next == state {
            break;
        }
        let cost = path.cost().plus(g.minus(nodes.g(next).unwrap_or(S::Cost::ZERO)));
        let (here, there) = (S::State::from_index(state), S::State::from_index(next));
        let action: Action = space.action(here, there);
        path.steps.push(Step { state: there, action, cost });
        state = next;
    }
}

impl Listed for Bidirectional {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "bidirectional",
        title: "Bidirectional A*",
        summary: "bidirectional A* (NBA*): a cheapest path, searched from both ends",
        guarantee: Guarantee::Optimal,
        sensible_states: None,
    };

    fn with_options(_: &Options) -> Self {
        Self
    }
}

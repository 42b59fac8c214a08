//! Lazy Theta*.
//!
//! A. Nash, S. Koenig, C. Tovey, "Lazy Theta*: any-angle path planning and path length analysis in
//! 3D", 2010.

use std::ops::ControlFlow;

use super::course::Entry;
use super::machine::{Run, event};
use super::nodes::Nodes;
use super::{
    Algorithm, AlgorithmInfo, AnswerOf, Guarantee, Key, Listed, OpenList, Options, Progress, Query,
    ScratchOf, Search,
};
use crate::space::{Cost, LineOfSight, Measure, Metric, ReverseSpace, StateId};
use crate::trace::{ObserverOf, Side};

/// Lazy Theta*: paths at any angle over a grid.
///
/// A path need not follow the grid's moves: a state's parent may be any state in line of sight. The
/// search assumes that the parent of the state being expanded sees each new state, and checks that
/// only when the new state is itself expanded: one line of sight a state, not one a move. Steers by
/// straight distance. Paths are **usually shorter than the grid's optimum and never cut a corner**,
/// but are not proven to be the shortest at any angle. Where terrain costs differ, a line
/// stays within terrain of equal cost ([`LineOfSight::line_cost`]).
///
/// Takes O(m + n log n) time plus a line of sight, O(length), for each of the n states expanded;
/// O(n) memory.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::search::LazyThetaStar;
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let answer = solve(&grid.space(), &LazyThetaStar, query);
/// assert!(answer.outcome.path().unwrap().len() <= 3); // straight lines
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LazyThetaStar;

impl Algorithm for LazyThetaStar {
    type Search<State: StateId, C: Cost> = LazyThetaStarSearch<State, C>;

    fn search<State: StateId, C: Cost>(&self, query: Query<State, C>) -> Self::Search<State, C> {
        LazyThetaStarSearch { run: Run::new(query) }
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::AnyAngle
    }
}

/// A [`LazyThetaStar`] search under way.
#[derive(Clone, Debug)]
pub struct LazyThetaStarSearch<State, C> {
    run: Run<State, C>,
}

impl<State: StateId, C: Cost> LazyThetaStarSearch<State, C> {
    fn straight_estimate(&self, space: &impl Metric<State = State, Cost = C>, state: State) -> C {
        self.run.query.goal.least(|goal| space.distance(Measure::Euclidean, state, goal))
    }

    /// Checks the line that was assumed to join `state` to its parent. Where there is none, the
    /// best expanded neighbour becomes the parent. Returns the true cost: infinity, where it leaves
    /// the range of the cost type or no expanded neighbour is joined to the state.
    ///
    /// # Why the answer is a path, at the cost it says
    ///
    /// Invariant: each closed state but the start has a closed parent, a line or a move joins the
    /// two, and its `g` is the parent's `g` plus the cost of that line or move. Then the parents
    /// of the goal are a path that can be walked, and its costs add up to `g(goal)`.
    ///
    /// This function establishes the invariant before a state is closed for good:
    ///
    /// * The parent is a closed state: [`step`](Search::step) hands on the parent of the state
    ///   being expanded, which is closed, and the search below asks closed neighbours only.
    /// * If the line to the parent is clear at the assumed cost, nothing changes.
    /// * Otherwise the candidates are the line at its true cost and, for each closed neighbour, the
    ///   line to it or the move from it. The cheapest gives `parent` and `g`. There is one: the
    ///   state was put on the open list by the expansion of a neighbour.
    /// * The `g` of a closed state never changes afterwards, as no state is reopened.
    ///
    /// Nothing says that `g` is least. A state is popped by its assumed cost, which may be too low,
    /// and another parent may turn out better after it is closed.
    fn settle<S>(&self, space: &S, nodes: &mut Nodes<C>, state: State) -> C
    where
        S: Metric<State = State, Cost = C> + ReverseSpace + LineOfSight,
    {
        let index = state.index();
        let parent = nodes.parent(index);
        let assumed = nodes.g(index).unwrap_or(C::INFINITY);
        if parent == index {
            return assumed;
        }
        let parent_g = nodes.g(parent).unwrap_or(C::INFINITY);
        let straight =
            space.line_cost(State::from_index(parent), state).map(|cost| parent_g.plus(cost));
        if straight == Some(assumed) {
            return assumed;
        }
        let mut best = straight.map_or((C::INFINITY, parent), |g| (g, parent));
        space.predecessors(state, |edge| {
            let neighbour = edge.target.index();
            if let (true, Some(g)) =
                (nodes.is_closed(neighbour) && neighbour != index, nodes.g(neighbour))
            {
                let cost = space.line_cost(edge.target, state).unwrap_or(edge.cost);
                best = best.min((g.plus(cost), neighbour));
            }
        });
        nodes.open(index, best.0, best.1);
        best.0
    }
}

impl<S: Metric + ReverseSpace + LineOfSight> Search<S> for LazyThetaStarSearch<S::State, S::Cost> {
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
                let start = self.run.query.start;
                let h = self.straight_estimate(space, start);
                let key = Key::new(h.to_u64(), 0, start.index());
                let tables = (&mut scratch.forward, &mut scratch.heap);
                self.run.seed(beginning, tables, (key, h), observer)
            }
        };
        let (open, nodes) = (&mut scratch.heap, &mut scratch.forward);

        let last_expansion = self.run.stats.expanded.saturating_add(budget);
        while self.run.stats.expanded < last_expansion {
            let Some(key) = open.pop() else { return self.run.exhaust(active) };
            let index = key.state();
            if !nodes.close(index, S::Cost::from_u64(key.g())) {
                continue; // reached more cheaply since it was pushed
            }
            let state = S::State::from_index(index);
            let g = self.settle(space, nodes, state);
            let h = self.straight_estimate(space, state);
            // The assumed cost kept to the limits; the true one may not. The state stays open for a
            // cheaper path.
            if !self.run.admits(g, |_| h) {
                continue;
            }
            nodes.close(index, g);
            let parent = nodes.parent(index);
            active = match self.run.pop(active, (state, parent), (g, h), observer) {
                ControlFlow::Continue(active) => active,
                ControlFlow::Break(done) => return done,
            };
            let from = S::State::from_index(parent);
            let from_g = nodes.g(parent).unwrap_or(g);
            space.successors(state, |edge| {
                let target = edge.target.index();
                if nodes.is_closed(target) {
                    return;
                }
                // The assumption that makes it lazy: the parent sees the new state, over the
                // cheapest ground.
                let tentative = from_g.plus(space.distance(Measure::Euclidean, from, edge.target));
                let h = self.straight_estimate(space, edge.target);
                if !self.run.admits(tentative, |_| h) {
                    return;
                }
                let relaxed = nodes.relax(target, tentative, parent, true);
                let Some(kind) = self.run.count(relaxed) else { return };
                open.push(Key::new(tentative.plus(h).to_u64(), tentative.to_u64(), target));
                observer.observe(event(kind, Side::Forward, (edge.target, from), (tentative, h)));
            });
            self.run.stats.heap_peak = self.run.stats.heap_peak.max(open.len());
        }
        active.pause()
    }

    fn answer(&mut self, space: &S, scratch: &mut ScratchOf<S>) -> AnswerOf<S> {
        self.run.answer(space, scratch)
    }
}

impl Listed for LazyThetaStar {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "theta",
        title: "Lazy Theta*",
        summary: "Lazy Theta*: short paths at any angle",
        guarantee: Guarantee::AnyAngle,
        sensible_states: None,
    };

    fn with_options(_: &Options) -> Self {
        Self
    }
}

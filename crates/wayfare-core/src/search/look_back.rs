//! A look from the goal: a slow A* backwards beside a search by jumps, for better estimates.
//!
//! Where no straight path is free, A* expands all states on nearly straight paths before it tries
//! longer ones. If the reason lies near the goal, a search from there finds it at once.
//!
//! # Why the estimate is a lower bound
//!
//! Let `s` be the start, `t` the goal, `d(a, b)` the space's estimate, `g(x)` the cost by which the
//! backward search knows `x`, and `F` the priority of the state that it popped last. All its open
//! states `m` have `g(m) + d(s, m) ≥ F`, as its estimate is consistent.
//!
//! * It has closed `x`: `g(x)` is the exact cost from `x` to `t`.
//! * It has not. A cheapest path from `x` to `t` leads over an open state `m` with an exact `g(m)`,
//!   and costs at least `d(x, m) + g(m) ≥ d(s, m) - d(s, x) + g(m) ≥ F - d(s, x)`.
//!
//! The backward search follows canonical moves only (see [`Pruning`]), which is enough for both.
//! Moves can be made backwards at the same cost in the spaces that use this:
//! [`Jumping::IS_SYMMETRIC`](crate::space::Jumping::IS_SYMMETRIC).
//!
//! # Why the search ahead stays optimal
//!
//! The estimates grow meanwhile, and are not consistent where paths leave the closed states. While
//! the goal is not popped, some open state of a cheapest path has its exact cost and a priority of
//! at most the cost of that path. States that are reached more cheaply later are reopened.
//!
//! Sources: A. Felner, N. Sturtevant, "Abstraction-based heuristics with true distance
//! computations", 2009 (exact costs near the goal); H. Kaindl, G. Kainz, "Bidirectional heuristic
//! search reconsidered", 1997 (bounds from the other side).

use super::nodes::{Nodes, Relaxed};
use super::{Key, OpenList, Scratch, ScratchOf};
use crate::space::{Cost, Jumping, JumpingOf, Pruning, PruningOf, Space, StateId};

/// The backward search begins after that many units of work of the search ahead.
const FIRST: u64 = 512;
/// The number of states that it expands at a time.
const AT_ONCE: u32 = 256;
/// The units of work between two times.
const EVERY: u64 = 2048;

/// The backward search of one query. Its memory is the scratch's backward table and heap.
#[derive(Clone, Copy, Debug)]
pub(super) struct LookBack<State, C> {
    start: State,
    goal: State,
    /// The priority of the state popped last. Zero before the first.
    least: C,
    /// The work of the whole search at which it goes on.
    due: u64,
    /// Whether it left out a path because its cost left the cost type's range.
    overflowed: bool,
}

impl<State: StateId, C: Cost> LookBack<State, C> {
    /// Returns a search that has not begun.
    pub(super) fn new(start: State, goal: State) -> Self {
        Self { start, goal, least: C::ZERO, due: FIRST, overflowed: false }
    }

    /// Returns the work of the whole search at which it goes on. `u64::MAX` if it is done.
    pub(super) fn due(&self) -> u64 {
        self.due
    }

    /// Returns its bounds, once it knows more than the space. `nodes`: its table.
    #[inline]
    pub(super) fn bounds<'n, S: Space<State = State, Cost = C>>(
        &self,
        space: &S,
        nodes: &'n Nodes<C>,
    ) -> Option<Bounds<'n, C>> {
        let Self { start, goal, least, .. } = *self;
        let [start, goal] = [start, goal].map(|end| JumpingOf::<S>::position(space, end));
        (least > C::ZERO).then_some(Bounds { start, goal, least, nodes })
    }

    /// Expands some more states. `work`: of the whole search.
    #[inline(never)]
    pub(super) fn go_on<S: Space<State = State, Cost = C>>(
        &mut self,
        space: &S,
        scratch: &mut ScratchOf<S>,
        work: u64,
    ) -> Grown {
        let Scratch { backward: nodes, backward_heap: open, .. } = scratch;
        if self.least == C::ZERO {
            nodes.reset(space.state_bound());
            nodes.open(self.goal.index(), C::ZERO, self.goal.index());
            let h = space.estimate(self.start, self.goal);
            open.push(Key::new(h.to_u64(), 0, self.goal.index()));
        }
        self.due = work + EVERY;
        let start = JumpingOf::<S>::position(space, self.start);
        for expanded in 0..AT_ONCE {
            let Some(key) = open.pop() else {
                self.due = u64::MAX;
                return Grown { expanded, is_closed: !self.overflowed };
            };
            let (index, g) = (key.state(), C::from_u64(key.g()));
            if !nodes.close(index, g) {
                continue;
            }
            self.least = C::from_u64(key.priority());
            let state = State::from_index(index);
            if state == self.start {
                self.due = u64::MAX; // all bounds that matter are known
                return Grown { expanded, is_closed: false };
            }
            let parent = State::from_index(nodes.parent(index));
            PruningOf::<S>::successors(space, parent, state, |edge| {
                let (target, g) = (edge.target, g.plus(edge.cost));
                if g >= C::INFINITY {
                    self.overflowed = true;
                } else if nodes.relax(target.index(), g, index, true) != Relaxed::No {
                    let f = g.to_u64() + JumpingOf::<S>::estimate(space, target, start).to_u64();
                    open.push(Key::new(f, g.to_u64(), target.index()));
                }
            });
        }
        Grown { expanded: AT_ONCE, is_closed: false }
    }
}

/// Lower bounds on the costs to the goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds<'n, C> {
    /// The positions of the ends.
    start: [i32; 3],
    goal: [i32; 3],
    /// See [`LookBack::least`].
    least: C,
    nodes: &'n Nodes<C>,
}

impl<C: Cost> Bounds<'_, C> {
    /// Returns a lower bound on the cost from a state to the goal.
    #[inline]
    pub(super) fn of<S: Space<Cost = C>>(self, space: &S, state: S::State) -> C {
        if self.nodes.is_closed(state.index()) {
            return self.nodes.g(state.index()).unwrap_or(C::ZERO);
        }
        let from_start = JumpingOf::<S>::estimate(space, state, self.start);
        let to_goal = JumpingOf::<S>::estimate(space, state, self.goal);
        to_goal.max(self.least.minus(from_start))
    }
}

/// The result of [`LookBack::go_on`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Grown {
    /// The number of states expanded.
    pub(super) expanded: u32,
    /// Whether no more states lead to the goal, the start not among those found.
    pub(super) is_closed: bool,
}

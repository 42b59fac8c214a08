//! Repair of fields: recomputes the part of an inward flood that an edit changes.
//!
//! G. Ramalingam, T. Reps, "An incremental algorithm for a generalization of the shortest-path
//! problem", 1996.
//!
//! # Why a repaired flood equals a fresh one
//!
//! Let `g(s)` be the cost that the table holds for a reached state `s`, and `p(s)` its parent. A
//! move from `s` to a closed state `t` is *tight* if `g(t) + cost(s, t) = g(s)`. In a fresh flood
//! over moves that all cost something:
//!
//! 1. `p(s)` is the first of the tight moves' ends in the order of keys: by `g`, then by id. States
//!    are expanded in that order, and the first one that offers `g(s)` stays.
//! 2. No move from `s` to a closed state offers less than `g(s)`.
//! 3. The closed states are the first ones in the order of keys, up to the last one expanded.
//! 4. Each open state is on the open list with its cost.
//!
//! An edit changes moves among the affected states only. Three phases bring the four statements
//! back:
//!
//! * **Orphans.** An affected state without a tight move has lost its support; it becomes an
//!   *orphan*: unreached. States whose parent it was look for another tight move, else they become
//!   orphans too. In the order of their costs, so that the ends of tight moves, which cost less,
//!   are decided first. A state that keeps a tight move keeps its cost, and its children are not
//!   visited: this bounds the work. After this phase each reached state has a path of its cost.
//! * **Offers.** Each orphan takes the best offer of its moves to closed states, and each closed
//!   affected state offers its cost to its predecessors. This is statement 2 again, except for
//!   states on the open list; statement 1 as offers of equal cost replace a later parent.
//! * **Spreading.** Dijkstra's algorithm up to the last key that was closed before. After it the
//!   closed states are those up to that key, in the costs after the edit: statement 3.
//!
//! The number of closed states then says which they are, as for any flood. To that end the last key
//! is always that of a closed state, or beyond all keys where the flood is whole.
//!
//! The order of expansion among states of equal cost follows from the keys only if a state is on
//! the open list before others of its cost are expanded: moves that cost nothing are left to a
//! fresh flood.

use super::flood::Flood;
use super::nodes::{Nodes, Relaxed};
use super::{BucketQueue, Key, OpenList, Scratch};
use crate::space::{Cost, ReverseSpace, StateId};

/// The result of the [repair](super::DistanceFieldSearch::repair) of a field.
///
/// Example: [`DistanceFieldSearch::repair`](super::DistanceFieldSearch::repair).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldRepair {
    /// The field is that of the edited space.
    Done {
        /// The [units of work](crate::navigate::work) that it took: states looked at or expanded.
        work: u64,
    },
    /// The field must be computed from the start.
    GivenUp {
        /// The units of work that were spent in vain.
        work: u64,
    },
}

/// A repair under way.
pub(super) struct Repair<'r, S: ReverseSpace> {
    space: &'r S,
    flood: &'r mut Flood<S::Cost>,
    sources: &'r [S::State],
    nodes: &'r mut Nodes<S::Cost>,
    open: &'r mut BucketQueue,
    /// States that may have lost their support, in the order of their costs.
    doubtful: &'r mut BucketQueue,
    orphans: &'r mut Vec<Key>,
    most: u64,
    pub(super) work: u64,
}

impl<'r, S: ReverseSpace> Repair<'r, S> {
    pub(super) fn new(
        space: &'r S,
        flood: &'r mut Flood<S::Cost>,
        sources: &'r [S::State],
        scratch: &'r mut Scratch<S::State, S::Cost>,
        most: u64,
    ) -> Self {
        scratch.backward_heap.clear();
        scratch.stack.clear();
        Self {
            space,
            flood,
            sources,
            nodes: &mut scratch.forward,
            open: &mut scratch.heap,
            doubtful: &mut scratch.backward_heap,
            orphans: &mut scratch.stack,
            most,
            work: 0,
        }
    }

    /// Repairs the field; returns false if that is given up.
    pub(super) fn run(&mut self, affected: &[S::State]) -> bool {
        for state in affected {
            self.doubt(state.index());
        }
        self.find_orphans() && self.take_offers(affected) && self.spread()
    }

    fn is_spent(&self) -> bool {
        self.work > self.most || self.flood.has_free_moves || self.flood.beyond > 0
    }

    fn key(&self, state: u32) -> Option<Key> {
        self.nodes.g(state).map(|g| Key::new(g.to_u64(), g.to_u64(), state))
    }

    fn doubt(&mut self, state: u32) {
        if let Some(key) = self.key(state) {
            self.doubtful.push(key);
        }
    }

    fn find_orphans(&mut self) -> bool {
        while let Some(key) = self.doubtful.pop() {
            let index = key.state();
            // It may have become an orphan since, for it may be pushed many times.
            if self.nodes.g(index).is_none() {
                continue;
            }
            self.work += 1;
            if self.is_spent() {
                return false;
            }
            let state = S::State::from_index(index);
            let is_free = self.space.check(state).is_ok();
            if self.sources.contains(&state) {
                continue; // the caller made sure that it can be stood on
            }
            let support = if is_free { self.best_offer(state) } else { None };
            match support {
                Some((cost, parent)) if Some(cost) == self.nodes.g(index) => {
                    self.nodes.set_parent(index, parent);
                    continue;
                }
                _ => {}
            }
            self.flood.closed -= u64::from(self.nodes.is_closed(index));
            self.nodes.forget(index);
            self.orphans.push(key);
            if !is_free {
                continue; // all that had moves into it are affected themselves
            }
            let (nodes, doubtful) = (&*self.nodes, &mut *self.doubtful);
            self.space.predecessors(state, |edge| {
                let child = edge.target.index();
                if let Some(g) = nodes.g(child)
                    && nodes.parent(child) == index
                {
                    doubtful.push(Key::new(g.to_u64(), g.to_u64(), child));
                }
            });
        }
        true
    }

    /// Returns the least cost that moves to closed states offer, and the first of the states that
    /// do.
    fn best_offer(&mut self, state: S::State) -> Option<(S::Cost, u32)> {
        let (nodes, flood) = (&*self.nodes, &mut *self.flood);
        let mut best: Option<(S::Cost, S::Cost, u32)> = None;
        self.space.successors(state, |edge| {
            let target = edge.target.index();
            if !nodes.is_closed(target) {
                return;
            }
            let Some(g) = nodes.g(target) else { return };
            flood.has_free_moves |= edge.cost == S::Cost::ZERO;
            let offer = (g.plus(edge.cost), g, target);
            if best.is_none_or(|best| offer < best) {
                best = Some(offer);
            }
        });
        best.map(|(cost, _, parent)| (cost, parent))
    }

    fn take_offers(&mut self, affected: &[S::State]) -> bool {
        let mut orphans = std::mem::take(self.orphans);
        for key in orphans.drain(..) {
            let state = S::State::from_index(key.state());
            if self.space.check(state).is_ok() {
                self.work += 1;
                if let Some((cost, parent)) = self.best_offer(state) {
                    self.offer(key.state(), cost, parent);
                }
            }
        }
        *self.orphans = orphans;
        for &state in affected {
            if self.nodes.is_closed(state.index())
                && self.space.check(state).is_ok()
                && let Some(g) = self.nodes.g(state.index())
            {
                self.work += 1;
                self.offer_to_predecessors(state, g);
            }
        }
        !self.is_spent()
    }

    fn offer_to_predecessors(&mut self, state: S::State, g: S::Cost) {
        let space = self.space;
        space.predecessors(state, |edge| {
            self.flood.has_free_moves |= edge.cost == S::Cost::ZERO;
            self.offer(edge.target.index(), g.plus(edge.cost), state.index());
        });
    }

    /// Offers a path to a state. Of equal ones it takes the one by the first parent in the order of
    /// keys.
    fn offer(&mut self, state: u32, cost: S::Cost, parent: u32) {
        if cost >= S::Cost::INFINITY {
            self.flood.beyond += 1;
            return;
        }
        if self.nodes.g(state) == Some(cost) {
            let now = self.nodes.parent(state);
            let rank = |parent: u32| (self.nodes.g(parent), parent);
            if now != state && rank(parent) < rank(now) {
                self.nodes.set_parent(state, parent);
            }
            return;
        }
        let relaxed = self.nodes.relax(state, cost, parent, true);
        self.flood.closed -= u64::from(relaxed == Relaxed::Reopened);
        if relaxed != Relaxed::No {
            self.open.push(Key::new(cost.to_u64(), cost.to_u64(), state));
        }
    }

    /// Expands all that is open up to the last key of the closed states. If its state has moved,
    /// the next open one becomes the last; if there is none, the flood is whole.
    fn spread(&mut self) -> bool {
        let Some(last) = self.flood.last else { return true };
        while let Some(key) = self.open.pop() {
            if key > last && self.is_closed_at(last) {
                self.open.push(key);
                return true;
            }
            let (index, g) = (key.state(), S::Cost::from_u64(key.g()));
            if !self.nodes.close(index, g) {
                continue;
            }
            self.flood.closed += 1;
            self.work += 1;
            if self.is_spent() {
                return false;
            }
            self.offer_to_predecessors(S::State::from_index(index), g);
            if key > last {
                self.flood.last = Some(key);
                return true;
            }
        }
        if !self.is_closed_at(last) {
            self.flood.last = Some(Key::LAST);
        }
        true
    }

    fn is_closed_at(&self, key: Key) -> bool {
        key != Key::LAST && self.nodes.is_closed(key.state()) && self.key(key.state()) == Some(key)
    }
}

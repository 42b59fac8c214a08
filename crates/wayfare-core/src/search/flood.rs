//! The common part of distance fields and flight: Dijkstra's algorithm from many states at once, in
//! either direction.
//!
//! E. W. Dijkstra, "A note on two problems in connexion with graphs", 1959.

use super::course::Ends;
use super::nodes::{Nodes, Relaxed};
use super::{BucketQueue, Interruption, Key, Limit, OpenList, Progress, Stats};
use crate::space::{Cost, EdgeOf, Obstruction, Pruning, PruningOf, ReverseSpace, Space, StateId};
use crate::trace::{Observer, ObserverOf, Side, TraceEvent, TraceEventKind};

/// The direction of the costs of a field.
///
/// Example: [`DistanceField`](super::DistanceField).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Direction {
    /// The cost of going *from* the nearest source to each state: how far can we get from here?
    #[default]
    Outward,
    /// The cost of going from each state *to* the nearest source: the field that a crowd flows down
    /// to a shared goal. It differs from the outward one where a move and its reverse cost
    /// differently.
    Inward,
}

/// Why there is no field, no area and no flight.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FieldError {
    /// The query names no source.
    #[error("the query names no source")]
    NoSource,
    /// Nobody can stand on any of the sources: this is the first one's reason.
    #[error("the source {0}")]
    Source(Obstruction),
    /// The search could not go on.
    #[error(transparent)]
    Interrupted(#[from] Interruption),
}

/// How fields, areas and flights end.
impl Ends for Result<(), FieldError> {
    fn interrupted(interruption: Interruption) -> Self {
        Err(interruption.into())
    }
}

/// Which edges a flood follows. Chosen once a step, not once an edge.
pub(super) trait Way<S: Space> {
    /// Calls `visit` with the edges that lead on from `state`, which was reached from `parent`.
    fn edges(space: &S, parent: S::State, state: S::State, visit: impl FnMut(EdgeOf<S>));
}

/// Along the moves.
pub(super) struct Outwards;

/// Against the moves.
pub(super) struct Inwards;

impl<S: Space> Way<S> for Outwards {
    #[inline]
    fn edges(space: &S, parent: S::State, state: S::State, visit: impl FnMut(EdgeOf<S>)) {
        PruningOf::<S>::successors(space, parent, state, visit);
    }
}

impl<S: ReverseSpace> Way<S> for Inwards {
    #[inline]
    fn edges(space: &S, _parent: S::State, state: S::State, visit: impl FnMut(EdgeOf<S>)) {
        space.predecessors(state, visit);
    }
}

/// A flood under way. The nodes and the open list are the scratch's.
#[derive(Clone, Debug)]
pub(super) struct Flood<C> {
    radius: C,
    side: Side,
    pub(super) stats: Stats,
    /// States that were reached only at a cost beyond the radius or the range of the cost type.
    /// They are open in the table, but not on the open list, and so are never closed.
    pub(super) beyond: u64,
    /// The number of closed states, and the key of the last one: [`Key::LAST`] once all are closed.
    pub(super) closed: u64,
    pub(super) last: Option<Key>,
    /// Whether a move without cost was followed.
    pub(super) has_free_moves: bool,
}

impl<C: Cost> Flood<C> {
    pub(super) fn new(radius: C, side: Side) -> Self {
        Self {
            radius,
            side,
            stats: Stats::default(),
            beyond: 0,
            closed: 0,
            last: None,
            has_free_moves: false,
        }
    }

    /// Puts the sources that one can stand on into the open list.
    pub(super) fn seed<S: Space<Cost = C>>(
        &mut self,
        space: &S,
        sources: &[S::State],
        (open, nodes): (&mut BucketQueue, &mut Nodes<C>),
        observer: &mut impl ObserverOf<S>,
    ) -> Result<(), FieldError> {
        let mut fault = FieldError::NoSource;
        for &source in sources {
            if let Err(obstruction) = space.check(source) {
                if fault == FieldError::NoSource {
                    fault = FieldError::Source(obstruction);
                }
            } else if nodes.relax(source.index(), C::ZERO, source.index(), true) != Relaxed::No {
                open.push(Key::new(0, 0, source.index()));
                self.stats.generated += 1;
                self.observe(observer, TraceEventKind::Generate, source, source, C::ZERO);
            }
        }
        self.stats.heap_peak = open.len();
        if open.is_empty() { Err(fault) } else { Ok(()) }
    }

    /// Expands at most `budget` states, and calls `settle` with each and its cost; ends when that
    /// returns false.
    pub(super) fn step<S: Space<Cost = C>, W: Way<S>>(
        &mut self,
        space: &S,
        (open, nodes): (&mut BucketQueue, &mut Nodes<C>),
        observer: &mut impl ObserverOf<S>,
        budget: u64,
        mut settle: impl FnMut(Key) -> bool,
    ) -> Progress {
        let last_expansion = self.stats.expanded.saturating_add(budget);
        while self.stats.expanded < last_expansion {
            let Some(key) = open.pop() else {
                self.last = Some(Key::LAST);
                return Progress::Done;
            };
            let (index, g) = (key.state(), C::from_u64(key.g()));
            if !nodes.close(index, g) {
                continue; // reached more cheaply since it was pushed
            }
            let state = S::State::from_index(index);
            self.stats.expanded += 1;
            self.closed += 1;
            self.last = Some(key);
            let parent = S::State::from_index(nodes.parent(index));
            self.observe(observer, TraceEventKind::Expand, state, parent, g);
            W::edges(space, parent, state, |edge| {
                let (target, tentative) = (edge.target.index(), g.plus(edge.cost));
                self.has_free_moves |= edge.cost == C::ZERO;
                let known = nodes.g(target);
                if nodes.relax(target, tentative, index, true) == Relaxed::No {
                    return;
                }
                if !self.is_within(tentative) {
                    self.beyond += u64::from(known.is_none());
                    return;
                }
                let kind = if known.is_some_and(|g| self.is_within(g)) {
                    TraceEventKind::Relax
                } else {
                    self.beyond -= u64::from(known.is_some());
                    self.stats.generated += 1;
                    TraceEventKind::Generate
                };
                open.push(Key::new(tentative.to_u64(), tentative.to_u64(), target));
                self.observe(observer, kind, edge.target, state, tentative);
            });
            self.stats.heap_peak = self.stats.heap_peak.max(open.len());
            if !settle(key) {
                return Progress::Done;
            }
        }
        Progress::Working
    }

    /// Returns the limit that left states unreached, once the open list is empty.
    pub(super) fn limit(&self) -> Option<Limit> {
        let limit = if self.radius < C::INFINITY { Limit::Cost } else { Limit::CostRange };
        (self.beyond > 0).then_some(limit)
    }

    #[inline]
    fn is_within(&self, cost: C) -> bool {
        cost <= self.radius && cost < C::INFINITY
    }

    #[inline]
    fn observe<State: StateId>(
        &self,
        observer: &mut impl Observer<State, C>,
        kind: TraceEventKind,
        state: State,
        parent: State,
        g: C,
    ) {
        observer.observe(TraceEvent { kind, side: self.side, state, parent, g, h: C::ZERO });
    }
}

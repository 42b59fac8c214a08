//! Recorded traces: what a search did, kept for pictures, replay and comparison.

use super::{Observer, TraceEvent, TraceEventKind};
use crate::hash::Fnv1a;
use crate::space::{Cost, StateId};

/// Every event of a search in order.
///
/// Two runs of one query give the same trace, sliced or whole and on any thread; [`Trace::hash`]
/// makes that cheap to check.
///
/// Example: [`Observer`](super::Observer).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace<State, Cost> {
    /// The events, oldest first.
    pub events: Vec<TraceEvent<State, Cost>>,
}

impl<State, C> Default for Trace<State, C> {
    fn default() -> Self {
        Self { events: Vec::new() }
    }
}

impl<State: StateId, C: Cost> Trace<State, C> {
    /// Returns a trace with nothing in it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a hash of all events that is the same on every run, target and thread count.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = TraceHash::default();
        for event in &self.events {
            hash.observe(*event);
        }
        hash.value()
    }

    /// Returns the number of expansions.
    #[must_use]
    pub fn expansions(&self) -> usize {
        self.events.iter().filter(|event| event.kind == TraceEventKind::Expand).count()
    }
}

impl<State: StateId, C: Cost> Observer<State, C> for Trace<State, C> {
    fn observe(&mut self, event: TraceEvent<State, C>) {
        self.events.push(event);
    }
}

/// Hashes events as they come, without keeping them. 64-bit FNV-1a (Fowler, Noll, Vo) over each
/// event's fields.
///
/// Example: [`Observer`](super::Observer).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TraceHash(Fnv1a);

impl TraceHash {
    /// Returns the hash of all events so far.
    #[must_use]
    pub fn value(self) -> u64 {
        self.0.value()
    }
}

impl<State: StateId, C: Cost> Observer<State, C> for TraceHash {
    fn observe(&mut self, event: TraceEvent<State, C>) {
        self.0.word(u64::from(event.kind as u8) << 8 | u64::from(event.side as u8));
        self.0.word(u64::from(event.state.index()) << 32 | u64::from(event.parent.index()));
        self.0.word(event.g.to_u64());
        self.0.word(event.h.to_u64());
    }
}

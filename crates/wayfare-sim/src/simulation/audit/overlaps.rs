//! Bodies in each other: since when, and how deep.

use std::collections::BTreeMap;

use crate::agent::AgentId;

/// Two bodies that were in each other for some ticks on end: put into one place, or come out of
/// links into each other.
///
/// Example: [`overlaps`](super::Audit::overlaps).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Overlap {
    /// The agent with the lower id.
    pub first: AgentId,
    /// The other agent.
    pub second: AgentId,
    /// The first tick.
    pub since: u64,
    /// The last tick.
    pub until: u64,
    /// How deep they were in each other at most: the sum of their radii less their distance, in
    /// world units.
    pub depth: f32,
}

impl Overlap {
    /// Returns its length in ticks, at least 1.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.until - self.since + 1
    }
}

/// The last overlap and the longest one of each pair.
#[derive(Clone, Debug, Default)]
pub(super) struct Overlaps(BTreeMap<(AgentId, AgentId), [Overlap; 2]>);

impl Overlaps {
    /// Notes that two bodies are in each other after a tick.
    pub(super) fn note(&mut self, tick: u64, (one, other): (AgentId, AgentId), depth: f32) {
        let (first, second) = (one.min(other), one.max(other));
        let begun = Overlap { first, second, since: tick, until: tick, depth };
        let [last, longest] = self.0.entry((first, second)).or_insert([begun; 2]);
        *last = if last.until + 1 < tick { begun } else { *last };
        (last.until, last.depth) = (tick, last.depth.max(depth));
        if last.ticks() >= longest.ticks() {
            *longest = *last;
        }
    }

    /// Returns the longest overlap of each pair, by pair.
    pub(super) fn longest(&self) -> impl ExactSizeIterator<Item = Overlap> + '_ {
        self.0.values().map(|&[_, longest]| longest)
    }
}

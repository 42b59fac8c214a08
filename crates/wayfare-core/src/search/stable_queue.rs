//! The open list of the waypoint policies: by priority, equal ones first in, first out.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Key, OpenList};

/// An entry: its priority, the number of earlier pushes, and its key. Compared in this order, so
/// the key never decides.
type Entry = Reverse<(u64, u64, Key)>;

/// A priority queue in which keys of equal priority leave in the order of their arrival, as if they
/// were sorted stably.
///
/// The other half of a [`Key`], the cost `g`, does not count: searches that rank states by a score
/// of their own take this list. `push` and `pop` take O(log n).
#[derive(Clone, Default, Debug)]
pub struct StableQueue {
    entries: BinaryHeap<Entry>,
    pushed: u64,
}

impl OpenList for StableQueue {
    fn clear(&mut self) {
        self.entries.clear();
        self.pushed = 0;
    }

    fn push(&mut self, key: Key) {
        self.entries.push(Reverse((key.priority(), self.pushed, key)));
        self.pushed += 1;
    }

    fn pop(&mut self) -> Option<Key> {
        let Reverse((_, _, key)) = self.entries.pop()?;
        Some(key)
    }

    fn len(&self) -> usize {
        self.entries.len()
    }

    fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }
}

//! Work on all bodies in chunks: side by side with the feature `rayon`, one after the other
//! without.
//!
//! A chunk writes only its own part of the output and its own lane, and reads nothing that a chunk
//! writes. So the result does not depend on the thread count.

use super::hunt::Seen;

/// Bodies to a chunk.
pub(super) const CHUNK: usize = 128;

/// Lists of indices, one after the other: a list for each body of a chunk.
#[derive(Clone, Debug, Default)]
pub struct Lists {
    items: Vec<u32>,
    /// Where each body's list ends.
    ends: Vec<u32>,
}

impl Lists {
    /// Forgets all lists.
    pub(super) fn clear(&mut self) {
        self.items.clear();
        self.ends.clear();
    }

    /// Adds to the list of the next body.
    #[inline]
    pub(super) fn extend(&mut self, items: &[u32]) {
        self.items.extend_from_slice(items);
    }

    /// Adds to the list of the next body.
    #[inline]
    pub(super) fn push(&mut self, item: u32) {
        self.items.push(item);
    }

    /// Ends the list of the next body.
    #[inline]
    pub fn end(&mut self) {
        self.ends.push(self.items.len() as u32);
    }

    /// Returns the list of the chunk's body with that index.
    #[inline]
    #[must_use]
    pub fn of(&self, at: usize) -> &[u32] {
        let first = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.items[first as usize..self.ends[at] as usize]
    }
}

/// What the bodies of a chunk found.
#[derive(Clone, Debug, Default)]
pub struct Lane {
    /// The nearest of each.
    pub found: Lists,
    /// How many of them count.
    pub seen: Vec<Seen>,
    /// The bodies that each may touch.
    pub contacts: Lists,
}

impl Lane {
    pub(super) fn clear(&mut self) {
        self.found.clear();
        self.seen.clear();
        self.contacts.clear();
    }
}

/// Calls `work` for each chunk with the index of its first body, its lane and its part of `output`.
#[cfg(not(feature = "rayon"))]
pub(super) fn over_chunks<T>(
    lanes: &mut [Lane],
    output: &mut [T],
    work: impl Fn(usize, &mut Lane, &mut [T]),
) {
    for (at, (lane, part)) in lanes.iter_mut().zip(output.chunks_mut(CHUNK)).enumerate() {
        work(at * CHUNK, lane, part);
    }
}

/// Calls `work` for each chunk with the index of its first body, its lane and its part of `output`.
#[cfg(feature = "rayon")]
pub(super) fn over_chunks<T: Send>(
    lanes: &mut [Lane],
    output: &mut [T],
    work: impl Fn(usize, &mut Lane, &mut [T]) + Sync + Send,
) {
    use rayon::prelude::*;
    let chunks = lanes.par_iter_mut().zip(output.par_chunks_mut(CHUNK)).enumerate();
    chunks.for_each(|(at, (lane, part))| work(at * CHUNK, lane, part));
}

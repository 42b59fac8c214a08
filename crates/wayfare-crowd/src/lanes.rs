//! Work on all bodies in chunks: side by side with the feature `rayon`, one after the other
//! without.
//!
//! A chunk writes only its own part of the output and its own lane, and reads nothing that a chunk
//! writes. So the result does not depend on the thread count.

/// Bodies to a chunk.
pub(super) const CHUNK: usize = 128;

/// The bodies that a chunk's bodies may touch: lists of indices, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Lane {
    contacts: Vec<u32>,
    /// Where each body's list ends.
    ends: Vec<u32>,
}

impl Lane {
    pub(super) fn clear(&mut self) {
        self.contacts.clear();
        self.ends.clear();
    }

    /// Returns all lists up to now; the list of the next body grows at the end.
    pub(super) fn contacts(&mut self) -> &mut Vec<u32> {
        &mut self.contacts
    }

    /// Ends the list of the next body.
    pub(super) fn end(&mut self) {
        self.ends.push(self.contacts.len() as u32);
    }

    /// Returns the list of the chunk's body with that index.
    #[inline]
    pub(super) fn contacts_of(&self, at: usize) -> &[u32] {
        let first = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.contacts[first as usize..self.ends[at] as usize]
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

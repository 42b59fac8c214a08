//! Sets of indices that are emptied at once.

/// A set of indices: these whose stamp is that of the present round.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    stamps: Vec<u32>,
    round: u32,
}

impl Marks {
    /// Empties the set. Indices are below `bound` until next time, unless they are marked.
    pub(super) fn clear(&mut self, bound: usize) {
        self.round = self.round.checked_add(1).unwrap_or_else(|| {
            self.stamps.fill(0);
            1
        });
        self.stamps.resize(bound.max(self.stamps.len()), 0);
    }

    /// Adds an index. Returns whether it is new.
    pub(super) fn mark(&mut self, index: u32) -> bool {
        if index as usize >= self.stamps.len() {
            self.stamps.resize(index as usize + 1, 0);
        }
        std::mem::replace(&mut self.stamps[index as usize], self.round) != self.round
    }

    /// Adds indices.
    pub(super) fn mark_all(&mut self, indices: &[u32]) {
        for &index in indices {
            self.mark(index);
        }
    }

    /// Removes an index. Returns whether it was there.
    pub(super) fn unmark(&mut self, index: u32) -> bool {
        let stamp = self.stamps.get_mut(index as usize);
        stamp.is_some_and(|stamp| std::mem::replace(stamp, 0) == self.round)
    }

    /// Returns whether an index is there.
    pub(super) fn has(&self, index: u32) -> bool {
        self.stamps.get(index as usize) == Some(&self.round)
    }
}

//! The last edit of each region of a space: how a path tells whether an edit touched it.

use super::Revision;

/// The revision of the last edit that touched each region. Takes no memory before the first edit,
/// and 8 bytes a region from then on.
#[derive(Clone, Debug, Default)]
pub struct EditLog {
    /// By number of the region; empty before the first edit.
    last: Vec<Revision>,
}

impl EditLog {
    /// Notes that the edit which led to `revision` touched a region, one of `count`.
    #[inline]
    #[doc(hidden)]
    pub fn touch(&mut self, region: usize, count: usize, revision: Revision) {
        if self.last.is_empty() {
            self.last.resize(count, Revision::default());
        }
        if let Some(last) = self.last.get_mut(region) {
            *last = revision;
        }
    }

    /// Returns the last edit of a region.
    #[inline]
    #[doc(hidden)]
    pub fn last(&self, region: usize) -> Revision {
        self.last.get(region).copied().unwrap_or_default()
    }

    #[doc(hidden)]
    pub fn size_in_bytes(&self) -> usize {
        self.last.capacity() * size_of::<Revision>()
    }
}

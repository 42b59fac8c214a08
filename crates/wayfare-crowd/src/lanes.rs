//! Work on all bodies in chunks: side by side with the feature `rayon`, one after the other
//! without.
//!
//! A chunk writes only its own part of the output and its own lane, and reads nothing that a chunk
//! writes. So the result does not depend on the thread count.
//!
//! A step enters the pool of threads once ([`on_threads`]): each entry from outside wakes a thread
//! and waits for it, which takes as long as the choices of some dozens of bodies.

use super::hunt::Notes;
use super::input::Extent;
use super::solver::CrowdReport;

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
    pub(super) fn push(&mut self, item: u32) {
        self.items.push(item);
    }

    /// Ends the list of the next body. Returns whether it has items.
    #[inline]
    pub fn end(&mut self) -> bool {
        let (before, end) = (self.ends.last().copied().unwrap_or(0), self.items.len() as u32);
        self.ends.push(end);
        end > before
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
pub(super) struct Lane {
    pub(super) extent: Extent,
    /// Whom the bodies found, if they look before they choose.
    pub(super) notes: Notes,
    /// The bodies that each may touch.
    pub(super) contacts: Lists,
    /// Bodies with contacts, and others that make room.
    pub(super) touching: Vec<u32>,
    /// Bodies that are in another one.
    pub(super) inside: Vec<u32>,
    /// Bodies whose moves bring them too near to another one.
    pub(super) failing: Vec<u32>,
    pub(super) report: CrowdReport,
}

impl Lane {
    /// Forgets what was found.
    pub(super) fn begin(&mut self) {
        self.contacts.clear();
        self.touching.clear();
        self.inside.clear();
    }

    /// Returns the bodies with contacts of the chunk that begins at `first`, and their contacts.
    #[inline]
    pub(super) fn touching(&self, first: usize) -> impl Iterator<Item = (usize, &[u32])> {
        let contacts = move |&own: &u32| (own as usize, self.contacts.of(own as usize - first));
        self.touching.iter().map(contacts)
    }
}

/// Slices that are cut into chunks together.
pub(super) trait Parts: Sized + Send {
    /// Cuts off the parts of the first `count` bodies, a multiple of [`CHUNK`].
    fn cut(self, count: usize) -> (Self, Self);
}

/// An entry for each chunk.
pub(super) struct ByChunk<'l, T>(pub(super) &'l mut [T]);

impl<T: Send> Parts for ByChunk<'_, T> {
    #[inline]
    fn cut(self, count: usize) -> (Self, Self) {
        let (first, second) = self.0.split_at_mut(count / CHUNK);
        (Self(first), Self(second))
    }
}

impl<T: Send> Parts for &mut [T] {
    #[inline]
    fn cut(self, count: usize) -> (Self, Self) {
        self.split_at_mut(count)
    }
}

macro_rules! parts_of {
    ($($part:ident $at:tt),*) => {
        impl<$($part: Parts),*> Parts for ($($part,)*) {
            #[inline]
            fn cut(self, count: usize) -> (Self, Self) {
                let parts = ($(self.$at.cut(count),)*);
                (($(parts.$at.0,)*), ($(parts.$at.1,)*))
            }
        }
    };
}

parts_of!(A 0, B 1, C 2);
parts_of!(A 0, B 1, C 2, D 3);
parts_of!(A 0, B 1);

/// Calls `work` for each chunk of `count` bodies with the index of its first body and its parts.
pub(super) fn over_chunks<P: Parts>(count: usize, parts: P, work: impl Fn(usize, P) + Sync) {
    if count > 0 {
        over_halves(0..count, parts, &work);
    }
}

fn over_halves<P: Parts>(
    bodies: std::ops::Range<usize>,
    parts: P,
    work: &(impl Fn(usize, P) + Sync),
) {
    if bodies.len() <= CHUNK {
        return work(bodies.start, parts);
    }
    let half = (bodies.len() / CHUNK).div_ceil(2) * CHUNK;
    let middle = bodies.start + half;
    let (first, second) = parts.cut(half);
    both(
        || over_halves(bodies.start..middle, first, work),
        || over_halves(middle..bodies.end, second, work),
    );
}

/// Returns whether [`both`] may do two things at once.
pub(super) fn is_parallel() -> bool {
    #[cfg(feature = "rayon")]
    let has_threads = rayon::current_thread_index().is_some() && rayon::current_num_threads() > 1;
    #[cfg(not(feature = "rayon"))]
    let has_threads = false;
    has_threads
}

/// Does two things: at once if this is a thread of a pool.
pub(super) fn both(first: impl FnOnce() + Send, second: impl FnOnce() + Send) {
    #[cfg(feature = "rayon")]
    if rayon::current_thread_index().is_some() {
        rayon::join(first, second);
        return;
    }
    first();
    second();
}

/// With fewer bodies a step takes as long on two threads as on one: to wake the second one takes
/// what it saves.
#[cfg(feature = "rayon")]
const WORTH_THREADS: usize = 4 * CHUNK;

/// Does something with `count` bodies: on a thread of the pool, if there are many and the pool has
/// several threads.
pub(super) fn on_threads<R: Send>(count: usize, work: impl FnOnce() -> R + Send) -> R {
    #[cfg(feature = "rayon")]
    if count >= WORTH_THREADS && rayon::current_num_threads() > 1 {
        return rayon::scope(|_| work());
    }
    let _ = count;
    work()
}

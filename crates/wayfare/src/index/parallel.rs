//! The same work for each of a number of items, on all cores where the feature `rayon` is on. The results come in the order of
//! the items either way.

/// `work(scratch, item)` for every item below `count`. Each thread makes a scratch of its own.
#[cfg(not(feature = "rayon"))]
pub(super) fn map<S, R>(
    count: usize,
    scratch: impl Fn() -> S,
    mut work: impl FnMut(&mut S, usize) -> R,
) -> Vec<R> {
    let mut scratch = scratch();
    (0..count).map(|item| work(&mut scratch, item)).collect()
}

/// `work(scratch, item)` for every item below `count`. Each thread makes a scratch of its own.
#[cfg(feature = "rayon")]
pub(super) fn map<S, R: Send>(
    count: usize,
    scratch: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, usize) -> R + Sync + Send,
) -> Vec<R> {
    use rayon::prelude::*;
    (0..count).into_par_iter().map_init(scratch, work).collect()
}

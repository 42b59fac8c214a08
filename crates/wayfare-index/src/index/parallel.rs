//! Maps a function over a range, on all cores with the feature `rayon`, in the same order without.

/// Returns `work(scratch, item)` for each item below `count`, in order.
///
/// Each thread makes its own scratch.
#[cfg(not(feature = "rayon"))]
pub(crate) fn map<S, R>(
    count: usize,
    scratch: impl Fn() -> S,
    mut work: impl FnMut(&mut S, usize) -> R,
) -> Vec<R> {
    let mut scratch = scratch();
    (0..count).map(|item| work(&mut scratch, item)).collect()
}

/// Returns `work(scratch, item)` for each item below `count`, in order.
///
/// Each thread makes its own scratch.
#[cfg(feature = "rayon")]
pub(crate) fn map<S, R: Send>(
    count: usize,
    scratch: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, usize) -> R + Sync + Send,
) -> Vec<R> {
    use rayon::prelude::*;
    (0..count).into_par_iter().map_init(scratch, work).collect()
}

//! The clock: time of this thread, less what reading it takes.

use std::sync::LazyLock;

use cpu_time::ThreadTime;

/// Microseconds between two readings with nothing in between: a system call, longer than a short
/// search.
static READING: LazyLock<f64> = LazyLock::new(|| {
    let nothing = || ThreadTime::now().elapsed().as_secs_f64() * 1e6;
    (0..10_000).map(|_| nothing()).fold(f64::INFINITY, f64::min)
});

/// Microseconds that this thread worked since then.
pub(crate) fn micros(begun: ThreadTime) -> f64 {
    let elapsed = begun.elapsed().as_secs_f64() * 1e6;
    (elapsed - *READING).max(0.0)
}

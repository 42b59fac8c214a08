//! The clock: time of this thread, less what reading it takes.

use std::sync::LazyLock;

use cpu_time::ThreadTime;

use crate::misses;

/// Microseconds between two readings with nothing in between: a system call, longer than a short
/// search.
static READING: LazyLock<f64> = LazyLock::new(|| {
    let nothing = || ThreadTime::now().elapsed().as_secs_f64() * 1e6;
    (0..10_000).map(|_| nothing()).fold(f64::INFINITY, f64::min)
});

/// Begins a timed stretch whose cache misses are counted too, where they can be.
pub(crate) fn begin() -> ThreadTime {
    misses::start();
    ThreadTime::now()
}

/// Microseconds that this thread worked since then.
pub(crate) fn micros(begun: ThreadTime) -> f64 {
    let elapsed = begun.elapsed().as_secs_f64() * 1e6;
    misses::stop();
    (elapsed - *READING).max(0.0)
}

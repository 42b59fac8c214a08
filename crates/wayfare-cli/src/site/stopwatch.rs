//! The stopwatch: time of this thread, which what else the machine does hardly touches, less what reading the clock takes.

use std::sync::LazyLock;
use std::time::Duration;

use cpu_time::ThreadTime;

/// Between two readings with nothing in between: a system call takes as long as a short search.
static READING: LazyLock<Duration> = LazyLock::new(|| {
    let nothing = || ThreadTime::now().elapsed();
    (0..1000).map(|_| nothing()).min().unwrap_or_default()
});

pub(super) struct Stopwatch(ThreadTime);

impl Stopwatch {
    pub(super) fn start() -> Self {
        LazyLock::force(&READING);
        Self(ThreadTime::now())
    }

    pub(super) fn elapsed(&self) -> Duration {
        self.0.elapsed().saturating_sub(*READING)
    }
}

//! The clock of the measurements: time of this thread, which the rest of the machine hardly
//! touches.

use std::sync::LazyLock;

use cpu_time::ThreadTime;
use wayfare_site::Clock;

/// Returns the clock, with the duration of a reading learnt once.
pub(crate) fn clock() -> Clock {
    static CLOCK: LazyLock<Clock> =
        LazyLock::new(|| Clock::new(|| ThreadTime::now().as_duration()));
    *CLOCK
}

//! From milliseconds to expansions, outside the deterministic core.

use std::time::Duration;

/// Turns the time that a frame can spare into a budget of expansions, from measured ticks.
///
/// Two runs measure different times and so come to different budgets: whoever wants them to be alike records the budgets, or sets
/// one that is fixed.
///
/// ```
/// use std::time::Duration;
/// use wayfare::plan::TimeBudget;
/// let mut budget = TimeBudget::new(Duration::from_millis(2));
/// assert_eq!(budget.expansions(), 10_000); // before anything was measured: 200 ns an expansion
/// for _ in 0..100 {
///     budget.measured(10_000, Duration::from_millis(1)); // what a tick reported, and how long it took
/// }
/// assert!((19_000..=20_000).contains(&budget.expansions()));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TimeBudget {
    time: Duration,
    /// The smoothed time of an expansion, in nanoseconds.
    nanos: f64,
}

/// What an expansion is taken to last before anything was measured, in nanoseconds.
const FIRST_GUESS: f64 = 200.0;
/// Ticks with fewer expansions tell more of the tick than of its expansions.
const LEAST_MEASURED: u64 = 64;
/// The weight of a new measurement.
const WEIGHT: f64 = 1.0 / 16.0;

impl TimeBudget {
    /// A budget of that much time a tick.
    #[must_use]
    pub fn new(time: Duration) -> Self {
        Self { time, nanos: FIRST_GUESS }
    }

    /// Changes the time a tick.
    pub fn set_time(&mut self, time: Duration) {
        self.time = time;
    }

    /// Takes in what a tick expanded and how long it took. A single slow tick counts for no more than four times the usual.
    pub fn measured(&mut self, expansions: u64, took: Duration) {
        if expansions < LEAST_MEASURED {
            return;
        }
        let nanos = took.as_nanos() as f64 / expansions as f64;
        self.nanos += (nanos.clamp(self.nanos / 4.0, self.nanos * 4.0) - self.nanos) * WEIGHT;
    }

    /// The budget of the next tick: at least one expansion.
    #[must_use]
    pub fn expansions(&self) -> u64 {
        ((self.time.as_nanos() as f64 / self.nanos) as u64).max(1)
    }
}

//! From milliseconds to units of work, outside the deterministic core.

use std::time::Duration;

/// Turns the time that a frame can spare into [units of work](wayfare_core::navigate::work), from
/// measured ticks.
///
/// Two runs measure different times and so get different budgets. Runs that must be alike record
/// the budgets, or set a fixed one.
///
/// ```
/// use std::time::Duration;
/// use wayfare::plan::TimeBudget;
/// let mut budget = TimeBudget::new(Duration::from_millis(2));
/// assert_eq!(budget.work(), 10_000); // before the first measurement: 200 ns a unit
/// for _ in 0..100 {
///     budget.measured(10_000, Duration::from_millis(1)); // a tick's work and its time
/// }
/// assert!((19_000..=20_000).contains(&budget.work()));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TimeBudget {
    time: Duration,
    /// The smoothed time of a unit of work, in nanoseconds.
    nanos: f64,
}

/// The time of a unit of work before the first measurement, in nanoseconds.
const FIRST_GUESS: f64 = 200.0;
/// Ticks of less work are not measured: most of their time goes into other things.
const LEAST_MEASURED: u64 = 64;
/// The weight of a new measurement.
const WEIGHT: f64 = 1.0 / 16.0;

impl TimeBudget {
    /// Returns a budget of `time` a tick.
    #[must_use]
    pub fn new(time: Duration) -> Self {
        Self { time, nanos: FIRST_GUESS }
    }

    /// Adds the measurement of a tick: its units of work and its time.
    ///
    /// The time of a unit is clamped between a quarter of the smoothed time and four times that, so
    /// one slow tick changes little. Ticks of fewer than 64 units are ignored.
    pub fn measured(&mut self, work: u64, took: Duration) {
        if work < LEAST_MEASURED {
            return;
        }
        let nanos = took.as_nanos() as f64 / work as f64;
        self.nanos += (nanos.clamp(self.nanos / 4.0, self.nanos * 4.0) - self.nanos) * WEIGHT;
    }

    /// Returns the budget of the next tick in units of work, at least 1.
    #[must_use]
    pub fn work(&self) -> u64 {
        ((self.time.as_nanos() as f64 / self.nanos) as u64).max(1)
    }
}

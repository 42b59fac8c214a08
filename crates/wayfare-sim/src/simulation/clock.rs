//! The time of a simulation, and its settings.

use super::SimulationSettings;

/// The next tick, and the settings that turn seconds into ticks.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    pub(super) settings: SimulationSettings,
    /// The next tick.
    pub(super) now: u64,
}

impl Clock {
    /// Returns the length of a tick in seconds.
    pub(super) fn tick(&self) -> f32 {
        self.settings.tick_seconds
    }

    /// Returns the ticks in a duration, at least one.
    pub(super) fn ticks(&self, seconds: f32) -> u64 {
        self.settings.ticks(seconds)
    }

    /// Returns the ticks between two decisions of an agent.
    pub(super) fn turns(&self) -> u64 {
        self.ticks(self.settings.decision_seconds)
    }

    /// Returns the simulated time, in seconds.
    pub(super) fn seconds(&self) -> f64 {
        self.now as f64 * f64::from(self.settings.tick_seconds)
    }
}

//! Commands for later ticks.

use std::collections::BTreeMap;

use super::Command;

/// Commands by tick; those of one tick in the order in which they were scheduled.
#[derive(Clone, Debug)]
pub(super) struct Schedule<Edit>(pub(super) BTreeMap<u64, Vec<Command<Edit>>>);

impl<Edit> Schedule<Edit> {
    /// Adds a command for a tick.
    pub(super) fn add(&mut self, tick: u64, command: Command<Edit>) {
        self.0.entry(tick).or_default().push(command);
    }

    /// Returns whether a tick has a command of some kind.
    pub(super) fn has(&self, tick: u64, is: impl Fn(&Command<Edit>) -> bool) -> bool {
        self.0.get(&tick).is_some_and(|commands| commands.iter().any(is))
    }

    /// Takes the commands of a tick.
    pub(super) fn take(&mut self, tick: u64) -> Vec<Command<Edit>> {
        self.0.remove(&tick).unwrap_or_default()
    }
}

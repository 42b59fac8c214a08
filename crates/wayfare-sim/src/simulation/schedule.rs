//! Commands for later ticks.

use std::collections::BTreeMap;

use super::Command;

/// Commands by tick; those of one tick in the order in which they were scheduled.
///
/// The map holds the indices of lists and no commands: it is compiled once for all worlds.
#[derive(Clone, Debug)]
pub(super) struct Schedule<Edit> {
    ticks: BTreeMap<u64, usize>,
    lists: Vec<Vec<Command<Edit>>>,
    /// The lists that no tick has.
    free: Vec<usize>,
}

impl<Edit> Schedule<Edit> {
    pub(super) fn new() -> Self {
        Self { ticks: BTreeMap::new(), lists: Vec::new(), free: Vec::new() }
    }

    /// Adds a command for a tick.
    pub(super) fn add(&mut self, tick: u64, command: Command<Edit>) {
        self.list(tick).push(command);
    }

    /// Returns the list of a tick, which it has from then on.
    fn list(&mut self, tick: u64) -> &mut Vec<Command<Edit>> {
        let (lists, free) = (&mut self.lists, &mut self.free);
        let list = *self.ticks.entry(tick).or_insert_with(|| {
            free.pop().unwrap_or_else(|| {
                lists.push(Vec::new());
                lists.len() - 1
            })
        });
        &mut lists[list]
    }

    /// Returns the commands of a tick.
    fn of(&self, tick: u64) -> &[Command<Edit>] {
        self.ticks.get(&tick).map_or(&[], |&list| &self.lists[list])
    }

    /// Returns whether a tick has a command of some kind.
    pub(super) fn has(&self, tick: u64, is: impl Fn(&Command<Edit>) -> bool) -> bool {
        self.of(tick).iter().any(is)
    }

    /// Takes the commands of a tick.
    pub(super) fn take(&mut self, tick: u64) -> Vec<Command<Edit>> {
        let Some(list) = self.ticks.remove(&tick) else { return Vec::new() };
        self.free.push(list);
        std::mem::take(&mut self.lists[list])
    }

    /// Returns the first tick with a command.
    #[cfg(feature = "serde")]
    pub(super) fn first(&self) -> Option<u64> {
        self.ticks.first_key_value().map(|(tick, _)| *tick)
    }
}

#[cfg(feature = "serde")]
pub(super) use saved::Scheduled;

#[cfg(feature = "serde")]
mod saved {
    use super::{Command, Schedule};

    /// A schedule in a snapshot: commands by tick, in order.
    #[derive(Clone, serde::Serialize, serde::Deserialize)]
    pub(in crate::simulation) struct Scheduled<Edit>(Vec<(u64, Vec<Command<Edit>>)>);

    impl<Edit: Clone> Scheduled<Edit> {
        pub(in crate::simulation) fn of(schedule: &Schedule<Edit>) -> Self {
            Self(schedule.ticks.keys().map(|&tick| (tick, schedule.of(tick).to_vec())).collect())
        }
    }

    impl<Edit> From<Scheduled<Edit>> for Schedule<Edit> {
        fn from(scheduled: Scheduled<Edit>) -> Self {
            let mut schedule = Self::new();
            for (tick, commands) in scheduled.0 {
                schedule.list(tick).extend(commands);
            }
            schedule
        }
    }

    impl<Edit: std::fmt::Debug> std::fmt::Debug for Scheduled<Edit> {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.debug_map().entries(self.0.iter().map(|(tick, commands)| (tick, commands))).finish()
        }
    }
}

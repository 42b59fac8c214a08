//! Links in use: who waits, who is inside.

use std::collections::VecDeque;

use crate::agent::AgentId;

/// Who uses one link.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct LinkUse {
    /// Those inside, in the order in which they entered.
    pub(super) inside: Vec<AgentId>,
    /// Those who wait at either end, the first one first.
    pub(super) queue: VecDeque<AgentId>,
}

impl LinkUse {
    /// Forgets an agent that has gone another way.
    pub(super) fn forget(&mut self, agent: AgentId) {
        self.inside.retain(|&inside| inside != agent);
        self.queue.retain(|&waiting| waiting != agent);
    }
}

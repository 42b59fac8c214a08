//! Links in use: the agents inside, and the waiting ones.

use std::collections::VecDeque;

use crate::agent::AgentId;

/// Who uses one link.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::simulation) struct LinkUse {
    /// The agents inside, in the order in which they entered.
    pub(in crate::simulation) inside: Vec<AgentId>,
    /// The agents that wait at either end, the first one first.
    pub(in crate::simulation) queue: VecDeque<AgentId>,
}

impl LinkUse {
    /// Forgets an agent that has taken another path.
    pub(in crate::simulation) fn forget(&mut self, agent: AgentId) {
        self.inside.retain(|&inside| inside != agent);
        self.queue.retain(|&waiting| waiting != agent);
    }
}

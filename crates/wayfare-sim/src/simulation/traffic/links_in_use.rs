//! Links in use: the agents inside, and the waiting ones.

use std::collections::VecDeque;

use wayfare_core::link::LinkId;

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

/// The users of all links, by id of the link.
#[derive(Clone, Debug, Default)]
pub(in crate::simulation) struct LinksInUse(pub(in crate::simulation) Vec<LinkUse>);

impl LinksInUse {
    /// Returns the users of a link.
    pub(in crate::simulation) fn of(&self, link: LinkId) -> Option<&LinkUse> {
        self.0.get(link.0 as usize)
    }

    /// Returns how long an agent in the queue of a link still waits, if the last in line waits for
    /// `posted` seconds.
    pub(in crate::simulation) fn wait_of(&self, link: LinkId, agent: AgentId, posted: f64) -> f64 {
        let queue = self.of(link).map(|usage| &usage.queue);
        let ahead = queue.and_then(|queue| queue.iter().position(|&who| who == agent));
        // The wait is the same for each agent in line.
        let all = queue.map_or(0, VecDeque::len).max(1);
        ahead.map_or(posted, |ahead| posted * ahead as f64 / all as f64)
    }

    /// Adds an agent to the queue of a link.
    pub(in crate::simulation) fn queue(&mut self, link: LinkId, agent: AgentId) {
        if let Some(usage) = self.0.get_mut(link.0 as usize) {
            usage.queue.push_back(agent);
        }
    }

    /// Forgets an agent that has left a link or its queue.
    pub(in crate::simulation) fn forget(&mut self, link: LinkId, agent: AgentId) {
        if let Some(usage) = self.0.get_mut(link.0 as usize) {
            usage.forget(agent);
        }
    }
}

impl LinkUse {
    /// Forgets an agent that has taken another path.
    fn forget(&mut self, agent: AgentId) {
        self.inside.retain(|&inside| inside != agent);
        self.queue.retain(|&waiting| waiting != agent);
    }
}

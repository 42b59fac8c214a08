//! Links in use: the agents inside, and the waiting ones.

use std::collections::VecDeque;

use glam::Vec3;
use wayfare_core::link::LinkGround;
use wayfare_core::space::ProfileId;

use super::Environment;
use crate::agent::AgentId;

/// Who uses one link.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct LinkUse {
    /// The agents inside, in the order in which they entered.
    pub(super) inside: Vec<AgentId>,
    /// The agents that wait at either end, the first one first.
    pub(super) queue: VecDeque<AgentId>,
}

impl LinkUse {
    /// Forgets an agent that has taken another path.
    pub(super) fn forget(&mut self, agent: AgentId) {
        self.inside.retain(|&inside| inside != agent);
        self.queue.retain(|&waiting| waiting != agent);
    }
}

/// Finds the ground nearest to the exact end of a link, at most that far from it.
pub(super) fn link_end<W: Environment>(
    world: &W,
) -> impl Fn(Vec3, f32) -> Option<LinkGround<W::State>> + '_ {
    |point, reach| {
        let profile = ProfileId::default();
        let state = world.state_at(profile, point);
        let state = state.or_else(|| world.nearest_state(profile, point, reach))?;
        let place = world.foothold(profile, state, point)?;
        Some(LinkGround { state, point: place })
    }
}

//! All agents, as each of them sees the others.

use glam::Vec3;

use super::agents::Agent;
use crate::agent::{AgentId, Glimpse, Sight, TeamId};
use crate::space::StateId;

/// Where everybody is at the beginning of a tick's decisions, by team.
#[derive(Clone, Debug, Default)]
pub(super) struct Crowd {
    glimpses: Vec<Option<Glimpse>>,
    /// Teams and their members, sorted.
    members: Vec<(TeamId, AgentId)>,
}

impl Crowd {
    /// Looks at everybody anew, in the memory of the last look.
    pub(super) fn look<State: StateId>(&mut self, agents: &[Agent<State>]) {
        self.glimpses.clear();
        self.members.clear();
        for (number, agent) in agents.iter().enumerate() {
            let who = AgentId(number as u32);
            let glimpse = Glimpse {
                who,
                at: agent.body.at(),
                velocity: agent.velocity(),
                radius: agent.limits.radius,
            };
            self.glimpses.push(agent.is_present().then_some(glimpse));
            if agent.is_present() {
                self.members.push((agent.team, who));
            }
        }
        self.members.sort_unstable();
    }
}

impl Sight for Crowd {
    fn agent(&self, who: AgentId) -> Option<Glimpse> {
        self.glimpses.get(who.0 as usize).copied().flatten()
    }

    fn nearest(&self, team: TeamId, from: Vec3, within: f32, besides: AgentId) -> Option<Glimpse> {
        let first = self.members.partition_point(|member| member.0 < team);
        let team = self.members[first..].iter().take_while(|member| member.0 == team);
        let others =
            team.filter(|member| member.1 != besides).filter_map(|member| self.agent(member.1));
        let near = others.map(|other| (other.at.distance_squared(from), other));
        let nearest = near.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.who.cmp(&b.1.who)));
        nearest.filter(|&(square, _)| square <= within * within).map(|(_, other)| other)
    }
}

//! All agents, as each of them sees the others.

use glam::Vec3;
use wayfare_core::space::StateId;

use crate::agent::{AgentId, Behaviour, Glimpse, Sight, TeamId};
use crate::simulation::roster::Agent;

/// An agent as others see it.
#[derive(Clone, Copy, Debug)]
struct Seen {
    at: Vec3,
    /// The direction of its velocity, of any length.
    way: Vec3,
    speed: f32,
    radius: f32,
}

impl Seen {
    fn glimpse(&self, who: AgentId) -> Glimpse {
        let velocity = self.way.normalize_or_zero() * self.speed;
        Glimpse { who, at: self.at, velocity, radius: self.radius }
    }
}

/// The positions of all agents at the beginning of a tick's decisions, by team.
#[derive(Clone, Debug, Default)]
pub(in crate::simulation) struct Crowd {
    /// Whether some agent ever had a behaviour that looks at others. If not, positions are not
    /// recorded.
    is_watched: bool,
    /// By id; `None` for removed agents.
    seen: Vec<Option<Seen>>,
    /// The teams of the agents when their members were last sorted, by id of the agent.
    teams: Vec<Option<TeamId>>,
    /// Teams and their members, sorted.
    members: Vec<(TeamId, AgentId)>,
}

impl Crowd {
    /// Has an agent with these behaviours see others from the next look on.
    pub(in crate::simulation) fn serve(&mut self, behaviours: &[Behaviour]) {
        self.is_watched |= behaviours.iter().any(Behaviour::watches_others);
    }

    /// Records all positions again, in the memory of the last record. O(agents); teams are sorted
    /// only when they have changed.
    pub(in crate::simulation) fn look<State: StateId>(&mut self, agents: &[Agent<State>]) {
        if !self.is_watched {
            return;
        }
        let team_of = |agent: &Agent<State>| agent.is_present().then_some(agent.team);
        self.seen.clear();
        self.seen.extend(agents.iter().map(|agent| {
            agent.is_present().then(|| {
                let speed = agent.own_speed();
                let way = if speed > 0.0 { agent.body.way(&agent.rail) } else { Vec3::ZERO };
                Seen { at: agent.body.at(), way, speed, radius: agent.limits.radius }
            })
        }));
        if !agents.iter().map(team_of).eq(self.teams.iter().copied()) {
            self.teams.clear();
            self.teams.extend(agents.iter().map(team_of));
            let members =
                self.teams.iter().zip(0..).map(|(team, who)| Some(((*team)?, AgentId(who))));
            self.members.clear();
            self.members.extend(members.flatten());
            self.members.sort_unstable();
        }
    }
}

impl Sight for Crowd {
    fn agent(&self, who: AgentId) -> Option<Glimpse> {
        Some(self.seen.get(who.0 as usize)?.as_ref()?.glimpse(who))
    }

    fn nearest(&self, team: TeamId, from: Vec3, within: f32, besides: AgentId) -> Option<Glimpse> {
        let first = self.members.partition_point(|member| member.0 < team);
        let team = self.members[first..].iter().take_while(|member| member.0 == team);
        let others = team.map(|member| member.1).filter(|&who| who != besides);
        let seen = others.filter_map(|who| Some((who, self.seen.get(who.0 as usize)?.as_ref()?)));
        let near = seen.map(|(who, other)| (other.at.distance_squared(from), who, other));
        let nearest = near.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))?;
        let (square, who, other) = nearest;
        (square <= within * within).then(|| other.glimpse(who))
    }
}

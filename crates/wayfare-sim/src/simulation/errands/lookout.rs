//! The lookout of agents: what they see of each other and of the ground.

use glam::Vec3;
use wayfare_core::navigate::End;
use wayfare_core::space::{Reachability, Space};

use crate::agent::{Activity, AgentId, Anchor, Hold};
use crate::simulation::Environment;
use crate::simulation::clock::Clock;
use crate::simulation::ground::Ground;
use crate::simulation::roster::{Agent, Roster, Way};

/// An agent that cannot reach another goes to the nearest free point at most this far from it, in
/// metres.
const NEAR_SOMEBODY: f32 = 4.0;
/// The most states around an entry that are tested for one that is free of agents.
const MOST_PLACES: usize = 1024;

/// The agents and the ground, to be read.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulation) struct Lookout<'s, W: Environment> {
    pub(in crate::simulation) clock: &'s Clock,
    pub(in crate::simulation) roster: &'s Roster<W::State>,
    pub(in crate::simulation) ground: &'s Ground<W>,
}

impl<W: Environment> Lookout<'_, W> {
    /// Returns where another path can begin, if the agent goes on for some ticks first.
    pub(in crate::simulation) fn anchor(&self, number: usize, lead_ticks: f32) -> Anchor<W::State> {
        let anchor = self.anchor_on_rail(number, lead_ticks);
        if !W::RENUMBERS {
            return anchor;
        }
        let profile = self.roster.profile(number);
        let state = self.ground.world.state_at(profile, anchor.point);
        Anchor { state: state.unwrap_or(anchor.state), ..anchor }
    }

    fn anchor_on_rail(&self, number: usize, lead_ticks: f32) -> Anchor<W::State> {
        let (agent, tick) = (&self.roster.agents[number], self.clock.tick());
        let profile = self.roster.classes.profile(agent.class);
        let locate = |point| self.ground.world.state_at(profile, point);
        if agent.is_inside() {
            return agent.rail.anchor_after(&agent.body, locate);
        }
        let speed = agent.body.speed();
        if speed == 0.0 || agent.errand.is_over() && speed <= agent.limits.acceleration * tick {
            return agent.rail.anchor(&agent.body, 0.0, locate);
        }
        // Any gain in speed until then has to be lost as well.
        let fastest =
            (speed + agent.limits.acceleration * tick).min(agent.gait().max_speed.max(speed));
        let lead = fastest * tick * lead_ticks;
        let brake =
            agent.limits.braking_distance(if lead_ticks > 0.0 { fastest } else { speed }, tick);
        agent.rail.anchor(&agent.body, brake + lead, locate)
    }

    /// Returns the point where an agent can meet another one that is expected to be at `to`.
    ///
    /// An agent inside a link is met at its exit; at its entrance, if the exit lies on another
    /// island. An expected point inside a wall counts as the nearest free point.
    pub(in crate::simulation) fn meeting(&self, number: usize, other: AgentId, to: Vec3) -> Vec3 {
        let class = self.roster.class(number);
        let profile = class.profile;
        let hidden = self.roster.agents.get(other.0 as usize).filter(|other| other.is_inside());
        let leg = hidden.and_then(|other| {
            let leg = other.rail.legs().get(other.body.leg())?;
            Some((leg.hold, other.rail.start_of(other.body.leg()), leg.to))
        });
        if let Some((Hold::Link { to: exit, .. }, entrance, out)) = leg {
            let here = self.anchor(number, 0.0).state;
            let space = self.ground.links.over(self.ground.world.space(profile), class.keys);
            let is_open = |state| {
                space.check(state).is_ok()
                    && space.reachability(here, state) == Reachability::Possible
            };
            return if is_open(exit) { out } else { entrance };
        }
        if self.ground.world.state_at(profile, to).is_some() {
            return to;
        }
        let Some(nearest) = self.ground.world.nearest_state(profile, to, NEAR_SOMEBODY) else {
            return to;
        };
        let exact = self.ground.world.foothold(profile, nearest, to);
        exact.unwrap_or_else(|| self.ground.world.space(profile).position(nearest))
    }

    /// Returns where another rail of a follower may begin: right where it is, unless it makes a
    /// move that it has to finish. `None` while it gets out of an obstacle.
    pub(in crate::simulation) fn turning_point(&self, number: usize) -> Option<Anchor<W::State>> {
        let agent = &self.roster.agents[number];
        let leg = agent.rail.legs().get(agent.body.leg());
        match leg.map(|leg| leg.hold) {
            None | Some(Hold::Clear) => {
                let profile = self.roster.classes.profile(agent.class);
                let point = agent.body.at();
                let state = self.ground.world.state_at(profile, point)?;
                Some(Anchor { along: agent.body.along(), point, state })
            }
            Some(Hold::Move { .. } | Hold::Link { .. }) => Some(self.anchor(number, 0.0)),
            Some(Hold::Back { .. } | Hold::Escape) => None,
        }
    }

    /// Returns whether the exit that a body is heading for is free.
    pub(in crate::simulation) fn exit_is_free(&self, number: usize) -> bool {
        let agent = &self.roster.agents[number];
        let profile = self.roster.classes.profile(agent.class);
        let exit = agent.rail.legs().get(agent.body.leg()).map(|leg| leg.to);
        exit.is_some_and(|exit| self.ground.world.state_at(profile, exit).is_some())
    }

    /// Returns whether an agent within a link can be put down at one of its ends.
    pub(in crate::simulation) fn may_leave_link(&self, number: usize) -> bool {
        let agent = &self.roster.agents[number];
        let profile = self.roster.classes.profile(agent.class);
        let leg = agent.body.leg();
        let Some(piece) =
            agent.rail.legs().get(leg).filter(|leg| matches!(leg.hold, Hold::Link { .. }))
        else {
            return true;
        };
        let ends = [agent.rail.start_of(leg), piece.to];
        ends.into_iter().any(|end| self.ground.world.state_at(profile, end).is_some())
    }

    /// Returns the free state nearest to `entry`, counted in moves.
    pub(in crate::simulation) fn free_place(
        &self,
        number: usize,
        entry: Vec3,
    ) -> Option<End<W::State>> {
        let agent = &self.roster.agents[number];
        let profile = self.roster.classes.profile(agent.class);
        let space = self.ground.world.space(profile);
        let is_taken = |point: Vec3| {
            self.roster.agents.iter().enumerate().any(|(other, body)| {
                let apart = agent.limits.radius + body.limits.radius;
                other != number
                    && body.is_present()
                    && !body.is_inside()
                    && body.way != Way::Stuck
                    && body.body.at().distance(point) < apart
            })
        };
        let mut near = vec![self.ground.world.state_at(profile, entry)?];
        let mut next = 0;
        while let Some(&state) = near.get(next) {
            let point = space.position(state);
            if !is_taken(point) {
                return Some(End { state, point });
            }
            next += 1;
            space.successors(state, |edge| {
                if near.len() < MOST_PLACES && !near.contains(&edge.target) {
                    near.push(edge.target);
                }
            });
        }
        None
    }

    /// Returns the remaining length of a body's path, by which it gives way to others. The rail of
    /// a follower in a group ends at its slot of one second later. So it uses its leader's
    /// remaining length, and gives way to followers nearer to the leader.
    pub(in crate::simulation) fn way_left(&self, number: usize) -> f32 {
        let agent = &self.roster.agents[number];
        let left = |agent: &Agent<W::State>| agent.rail.length() - agent.body.along();
        let leader =
            self.roster.leader_of(number).and_then(|id| self.roster.agents.get(id.0 as usize));
        match (agent.activity, leader) {
            (Activity::InFormation(_), Some(leader)) => {
                left(leader) + leader.body.at().distance(agent.body.at())
            }
            _ => left(agent),
        }
    }
}

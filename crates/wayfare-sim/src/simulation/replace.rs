//! Ground that is replaced beneath agents: an agent inside the new obstacles begins again
//! elsewhere.

use glam::Vec3;
use wayfare_core::navigate::End;
use wayfare_core::space::Space;

use super::ground::Change;
use super::roster::Way;
use super::{Environment, Event, Simulation};
use crate::agent::{AgentId, Hold, Rail};

/// The most states around an entry that are tested for one that is free of agents.
const MOST_PLACES: usize = 1024;

impl<W: Environment> Simulation<W> {
    /// Makes an edit. Bodies on ground that it takes, and bodies within a link that they could no
    /// longer leave at either end, are put to points around `entry`. All others continue, and look
    /// for another path if theirs is broken.
    ///
    /// A body that no point has room for stays built in.
    pub(super) fn replace(&mut self, edit: W::Edit, entry: Vec3) {
        let was_stuck: Vec<bool> =
            self.roster.agents.iter().map(|agent| agent.way == Way::Stuck).collect();
        // Without exits: a way out of the old ground would end in the middle of the new one.
        self.change(Change::Edit(edit), &[]);
        for (number, was_stuck) in was_stuck.into_iter().enumerate() {
            let is_lost = match self.roster.agents[number].way {
                Way::Stuck => !was_stuck,
                Way::Inside { .. } => !self.may_leave_link(number),
                _ => false,
            };
            if is_lost && let Some(end) = self.free_place(number, entry) {
                self.put(number, end);
            }
        }
    }

    /// Returns whether an agent within a link can be put down at one of its ends.
    fn may_leave_link(&self, number: usize) -> bool {
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
    fn free_place(&self, number: usize, entry: Vec3) -> Option<End<W::State>> {
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

    /// Puts a body to a point, where it needs another path.
    fn put(&mut self, number: usize, end: End<W::State>) {
        let id = AgentId(number as u32);
        let agent = &mut self.roster.agents[number];
        let way = std::mem::replace(&mut agent.way, Way::Free);
        agent.rail = Rail::standing(end.point, end.state);
        agent.body.put_on(&agent.rail, 0.0);
        agent.body.stop();
        agent.was_halted = true;
        agent.trouble = None;
        // A path that is being looked for begins where the body was.
        if let Some(asked) = agent.errand.asked() {
            agent.errand.answered();
            self.service.planner.cancel(asked.ticket);
        }
        if let Way::Inside { link, .. } = way
            && let Some(usage) = self.traffic.links_in_use.get_mut(link.0 as usize)
        {
            usage.forget(id);
        }
        self.lose_way(number);
        self.events.report(Event::Displaced(id));
    }
}

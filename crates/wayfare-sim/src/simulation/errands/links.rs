//! Agents that enter links and leave them.

use wayfare_core::link::{Crossing, LinkId};
use wayfare_core::space::Space;

use super::Errands;
use crate::agent::{AgentId, Hold};
use crate::simulation::roster::Way;
use crate::simulation::{Environment, Event};

impl<W: Environment> Errands<'_, W> {
    /// Lets agents at the end of their links step out, if there is room to stand.
    pub(in crate::simulation) fn let_out(&mut self) {
        for link in 0..self.links_in_use.0.len() {
            let mut place = 0;
            while let Some(&id) = self.links_in_use.0[link].inside.get(place) {
                let number = id.0 as usize;
                let Way::Inside { until, .. } = self.roster.agents[number].way else {
                    self.links_in_use.0[link].inside.remove(place);
                    continue;
                };
                if until <= self.clock.now && self.step_out(number) {
                    self.links_in_use.0[link].inside.remove(place);
                    self.events.report(Event::Left(id, LinkId(link as u32)));
                } else {
                    place += 1;
                }
            }
        }
    }

    /// Lets waiting agents enter a link in order, while there is room and the gate admits them.
    /// `departs`: whether it lets agents in at this tick.
    pub(in crate::simulation) fn let_into(&mut self, id: LinkId, departs: bool) {
        let Some(link) = self.ground.links.get(id).copied() else { return };
        let room = link.capacity.map_or(usize::MAX, |capacity| usize::from(capacity.get()));
        let number = id.0 as usize;
        let mut place = 0;
        while self.links_in_use.0[number].inside.len() < room {
            let Some(&who) = self.links_in_use.0[number].queue.get(place) else { break };
            let agent = &self.roster.agents[who.0 as usize];
            let class = self.roster.classes.of(agent.class);
            // Another path may avoid the link, and the rest of a lost rail may be broken.
            let may = link.admits(class.keys) && !agent.errand.needs_path() && departs;
            if may && self.enter(who, id) {
                self.links_in_use.0[number].queue.remove(place);
                self.links_in_use.0[number].inside.push(who);
                self.events.report(Event::Entered(who, id));
            } else {
                place += 1;
            }
        }
    }

    /// Steps out at the far end; if that is blocked, at the near one.
    fn step_out(&mut self, number: usize) -> bool {
        let agent = &mut self.roster.agents[number];
        let space = self.ground.world.space(self.roster.classes.profile(agent.class));
        let number_of_leg = agent.body.leg();
        let leg = agent.rail.legs().get(number_of_leg).map(|leg| (leg.hold, leg.to));
        let Some((Hold::Link { from, to, .. }, exit)) = leg else {
            agent.way = Way::Free;
            return true;
        };
        let entrance = agent.rail.start_of(number_of_leg);
        // Where edits renumber states, the points count.
        let profile = self.roster.classes.profile(agent.class);
        let stands = |state, point| match W::RENUMBERS {
            true => self.ground.world.state_at(profile, point),
            false => space.check(state).is_ok().then_some(state),
        };
        if stands(to, exit).is_some() {
            agent.way = Way::Free;
            agent.body.leave_link(&agent.rail);
            // An agent that needs another path stays before the leg that an edit broke meanwhile.
            if !agent.errand.is_lost() {
                agent.release();
            }
        } else if let Some(from) = stands(from, entrance) {
            agent.way = Way::Free;
            agent.rail = crate::agent::Rail::standing(entrance, from);
            agent.body.put_on(&agent.rail, 0.0);
            agent.body.stop();
            self.lose_way(number);
        } else {
            return false;
        }
        // The ground at that end may have another height now.
        if self.follow_ground(number) {
            self.lose_way(number);
        }
        true
    }

    fn enter(&mut self, who: AgentId, link: LinkId) -> bool {
        let agent = &mut self.roster.agents[who.0 as usize];
        let space = self.ground.world.space(self.roster.classes.profile(agent.class));
        let leg = agent.rail.legs().get(agent.body.leg());
        let Some((Hold::Link { to, .. }, exit)) = leg.map(|leg| (leg.hold, leg.to)) else {
            return false;
        };
        if space.check(to).is_err() || self.ground.links.is_lost(link) {
            return false;
        }
        let entrance = agent.rail.start_of(agent.body.leg());
        let seconds = match self.ground.links.get(link).map(|link| link.crossing) {
            Some(Crossing::Speed(speed)) => entrance.distance(exit) / speed,
            Some(Crossing::Seconds(seconds)) => seconds,
            None => 0.0,
        };
        if let Some(pointless) = agent.errand.keep_rail() {
            self.service.withdraw(Some(pointless));
        }
        let until = self.clock.now + self.clock.ticks(seconds);
        agent.way = Way::Inside { link, since: self.clock.now, until };
        agent.body.stop();
        agent.release();
        true
    }

    pub(in crate::simulation) fn remove(&mut self, id: AgentId) {
        let Some(agent) = self.roster.present_mut(id) else {
            return;
        };
        let way = std::mem::replace(&mut agent.way, Way::Gone);
        // It may have been inside a link, away from its rail.
        agent.rail = crate::agent::Rail::standing(agent.body.at(), agent.rail.goal());
        agent.body.put_on(&agent.rail, 0.0);
        agent.body.stop();
        let pointless = agent.errand.end();
        self.service.withdraw(pointless);
        if let Way::Waiting(link) | Way::Inside { link, .. } = way {
            self.links_in_use.forget(link, id);
        }
        self.events.report(Event::Removed(id));
    }
}

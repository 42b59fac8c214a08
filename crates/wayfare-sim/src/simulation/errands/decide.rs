//! Decisions of agents, and what follows from each.

use super::Errands;
use crate::agent::{AgentId, Decision, Intent, Sight, Situation, decide};
use crate::simulation::roster::{Aim, Way};
use crate::simulation::service::Flight;
use crate::simulation::{Environment, Event};

impl<W: Environment> Errands<'_, W> {
    /// Decides for each agent on its turn, or with a reason to. Returns the remaining expansions.
    ///
    /// Flights come last, and each tick begins with another of them: a budget that is enough for
    /// one flight a tick serves all of them in turn.
    pub(in crate::simulation) fn decide_all(
        &mut self,
        sight: &impl Sight,
        mut expansions: u64,
    ) -> u64 {
        let mut flights = std::mem::take(&mut self.service.flights);
        flights.clear();
        let turns = self.clock.turns();
        for number in 0..self.roster.agents.len() {
            let agent = &mut self.roster.agents[number];
            let is_due = (self.clock.now + number as u64).is_multiple_of(turns)
                || agent.is_alert
                || agent.mind.wakes_at(self.clock.now);
            if matches!(agent.way, Way::Stuck | Way::Gone)
                || !is_due
                || self.clock.now < agent.asleep_until
            {
                continue;
            }
            agent.is_alert = false;
            self.foresee(number);
            let agent = &self.roster.agents[number];
            let situation = Situation {
                me: AgentId(number as u32),
                at: agent.body.at(),
                radius: agent.limits.radius,
                max_speed: agent.limits.max_speed,
                tick: self.clock.now,
                leader: self.roster.leader_of(number),
            };
            let agent = &mut self.roster.agents[number];
            let Decision { intent, activity } =
                decide(&mut agent.mind, &agent.behaviours, &situation, sight);
            if activity != agent.activity {
                agent.activity = activity;
                self.events.report(Event::Decided(situation.me, activity));
            }
            if agent.pace != intent.speed() {
                agent.pace = intent.speed();
                agent.rail.change_limits(&agent.gait(), self.clock.tick());
            }
            match intent {
                Intent::Stay => self.stay(number),
                Intent::KeepPlace => {} // its group steers it
                Intent::Go { source, to, short, slack, after, .. } => {
                    let to = after.map_or(to, |other| self.look().meeting(number, other, to));
                    self.go(number, Aim { source, to, short }, slack);
                }
                Intent::Roam { source, home, radius, is_under_way } => {
                    self.roam(number, source, (home, radius), is_under_way);
                }
                Intent::Flee { source, threat, distance, .. } => {
                    flights.push(Flight { agent: number, source, threat, distance });
                }
            }
            if self.roster.agents[number].errand.aim().is_none() {
                self.roster.agents[number].is_doubtful = false;
            }
        }
        let first = self.clock.now.checked_rem(flights.len() as u64).unwrap_or(0);
        flights.rotate_left(first as usize);
        for flight in &flights {
            self.flee(flight, &mut expansions);
        }
        self.service.flights = flights;
        expansions
    }
}

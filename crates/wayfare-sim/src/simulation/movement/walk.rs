//! The movement of a body along its rail.

use wayfare_core::link::LinkId;
use wayfare_core::space::LineOfSight;

use crate::agent::{AgentId, Hold, Moved};
use crate::simulation::errands::Errands;
use crate::simulation::roster::Way;
use crate::simulation::{Environment, Event, HaltReason};

impl<W: Environment> Errands<'_, W> {
    /// Moves a body along its rail.
    #[inline]
    pub(in crate::simulation) fn move_along(&mut self, number: usize) {
        self.move_along_within(number, f32::INFINITY);
    }

    /// Moves a body along its rail by at most `room` world units, since another body blocks it.
    #[inline]
    pub(in crate::simulation) fn move_along_within(&mut self, number: usize, room: f32) {
        let tick = self.clock.tick();
        let ground_factor = self.roster.ground_factor(number, &self.ground.world);
        let agent = &mut self.roster.agents[number];
        match agent.way {
            Way::Stuck | Way::Gone => {}
            Way::Inside { link, since, until } => {
                let share = (self.clock.now + 1 - since) as f32 / (until - since).max(1) as f32;
                let is_jump = self.ground.is_teleport(link);
                let agent = &mut self.roster.agents[number];
                agent.body.carry(&agent.rail, if is_jump { 0.0 } else { share.min(1.0) });
            }
            Way::Waiting(_) => agent.body.stop(),
            Way::Free => {
                let before = agent.body.speed();
                let paced;
                let limits = if agent.pace.is_some() || agent.march.is_some() || ground_factor < 1.0
                {
                    paced = agent.gait_on(ground_factor);
                    &paced
                } else {
                    &agent.limits // most agents, each tick: not copied
                };
                let leg = agent.body.leg();
                let moved = agent.body.advance_within(&agent.rail, limits, tick, room);
                let is_on_next = agent.body.leg() != leg;
                let lost = before - agent.body.speed();
                let is_at_goal = moved == Moved::Arrived && !agent.limits.auto_braking;
                if lost > agent.limits.acceleration * tick * 1.1 + 1e-3 && !is_at_goal {
                    agent.was_halted = true;
                    let (agent, reason) = (AgentId(number as u32), HaltReason::WayClosed);
                    if room == f32::INFINITY {
                        self.events.report(Event::Halted { agent, reason });
                    }
                }
                if is_on_next {
                    self.confirm_room(number);
                }
                match moved {
                    Moved::On => {}
                    Moved::Held => self.wait_at_link(number),
                    Moved::Arrived => self.arrive(number),
                }
            }
        }
    }

    /// Proves the room of a body's leg once more, and removes a false claim: edits ahead of a
    /// broken leg, and forged snapshots, can leave one.
    pub(in crate::simulation) fn confirm_room(&mut self, number: usize) {
        let agent = &self.roster.agents[number];
        let (leg, at) = (agent.body.leg(), agent.body.at());
        let Some(piece) = agent.rail.legs().get(leg) else { return };
        if piece.hold != Hold::Clear || piece.room == 0.0 {
            return;
        }
        let space = self.ground.space_around(self.roster.classes.profile(agent.class), agent);
        // The part behind the body does not matter.
        let is_there = |from| space.sweep_is_clear(from, piece.to, piece.room);
        if !is_there(agent.rail.start_of(leg)) && !is_there(at) {
            self.lose_room(number, leg);
        }
    }

    /// Queues an agent that stands at the entrance of a link.
    fn wait_at_link(&mut self, number: usize) {
        let agent = &mut self.roster.agents[number];
        let leg = agent.body.leg();
        let hold = agent.rail.legs().get(leg).map(|leg| leg.hold);
        if let Some(Hold::Link { link, .. }) = hold.filter(|_| !agent.errand.waits()) {
            let (id, link) = (AgentId(number as u32), LinkId(link));
            agent.way = Way::Waiting(link);
            self.links_in_use.queue(link, id);
            self.events.report(Event::Waits(id, link));
        }
    }

    /// Handles an agent at the end of its rail.
    pub(in crate::simulation) fn arrive(&mut self, number: usize) {
        if self.roster.agents[number].arrive(self.clock) {
            self.events.report(Event::Arrived(AgentId(number as u32)));
        }
    }
}

//! Bodies on ground whose height an edit has changed: they go up or down to it at their own speed.

use glam::Vec3;
use wayfare_core::navigate::End;
use wayfare_core::space::{Action, ProfileId};

use super::Errands;
use crate::agent::Hold;
use crate::simulation::Environment;

/// The largest difference of height that counts as none, as a part of the world's grain.
const LEVEL: f32 = 1e-3;

impl<W: Environment> Errands<'_, W> {
    /// Returns where a body stands at a point now, if an edit has changed the height of the ground
    /// there.
    pub(super) fn lifted(&self, profile: ProfileId, point: Vec3) -> Option<End<W::State>> {
        let world = &self.ground.world;
        let ground = world.footing(profile, point)?;
        let is_lifted = (ground.y - point.y).abs() > LEVEL * world.grain();
        let state = world.state_at(profile, point).filter(|_| is_lifted)?;
        Some(End { state, point: ground })
    }

    /// Returns the end of a way out that is the leg of an agent's rail, if the ground there has
    /// another height than that leg and the one after it were laid for.
    pub(super) fn lifted_exit(&self, number: usize, leg: usize) -> Option<End<W::State>> {
        let agent = &self.roster.agents[number];
        let profile = self.roster.classes.profile(agent.class);
        let legs = agent.rail.legs();
        let exit = legs.get(leg)?.to;
        let next = legs.get(leg + 1).filter(|next| matches!(next.hold, Hold::Back { .. }));
        let ground = self.lifted(profile, exit);
        if ground.map(|ground| ground.point) == next.map(|next| next.to) {
            return None;
        }
        let state = self.ground.world.state_at(profile, exit)?;
        Some(ground.unwrap_or(End { state, point: exit }))
    }

    /// Sends a body out of what it was built into: straight to an exit, and from there up or down
    /// to the ground, if that has another height now.
    pub(super) fn send_out(&mut self, number: usize, exit: End<W::State>) {
        let profile = self.roster.classes.profile(self.roster.agents[number].class);
        let ground = self.lifted(profile, exit.point);
        let agent = &mut self.roster.agents[number];
        agent.rail.divert(&mut agent.body, exit, Hold::Escape, Action::Walk);
        if let Some(ground) = ground {
            agent.rail.land(ground);
        }
    }

    /// Sends a standing body up or down to the ground, if an edit has changed its height there, and
    /// says whether it did.
    pub(super) fn follow_ground(&mut self, number: usize) -> bool {
        let agent = &self.roster.agents[number];
        let profile = self.roster.classes.profile(agent.class);
        let Some(end) = self.lifted(profile, agent.body.at()) else { return false };
        let agent = &mut self.roster.agents[number];
        agent.was_halted |= agent.body.speed() > 0.0;
        let hold = Hold::Back { to: end.state };
        agent.rail.divert(&mut agent.body, end, hold, Action::Walk);
        true
    }
}

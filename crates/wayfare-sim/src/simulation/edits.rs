//! Changes of the world, and agents that have to follow them.

use glam::Vec3;
use wayfare_core::space::Space;

use super::ground::{Change, Exits};
use super::roster::Way;
use super::{CommandFault, EditFault, Environment, Event, Shape, Simulation};
use crate::agent::AgentId;

impl<W: Environment> Simulation<W> {
    /// Changes the world, and stops agents before anything that appeared.
    ///
    /// `exits`: the exits before the first change of the tick.
    pub(super) fn change(&mut self, change: Change<W::Edit>, exits: &[Exits<W::State>]) {
        let mut affected = std::mem::take(&mut self.ground.affected);
        affected.clear();
        let (is_new, profile) = (change.is_new_ground::<W>(), self.roster.classes.first_profile());
        let dangers = if is_new { self.ground.places_of_danger(profile) } else { Vec::new() };
        match self.ground.change(change, &mut affected) {
            Ok(()) if is_new => {
                self.events.report(Event::Edited(affected.len()));
                self.ground.find_danger_again(profile, &dangers);
                self.service.world_changed(&self.ground.world, &affected);
                self.look_at_new_ground(&affected, exits);
            }
            Ok(()) => {
                self.events.report(Event::Edited(affected.len()));
                self.notice(&affected, exits);
            }
            Err(fault) => self.events.report(Event::Failed(fault)),
        }
        self.ground.affected = affected;
    }

    /// Lets danger spread and decay, and influence that the world keeps itself, when it is time to.
    /// That is no event: it happens by itself.
    pub(super) fn age_danger(&mut self) {
        let every = self.clock.ticks(self.clock.settings.danger_seconds);
        if self.clock.now == 0 || !self.clock.now.is_multiple_of(every) {
            return;
        }
        let seconds = every as f32 * self.clock.tick();
        if !self.ground.links.danger().is_empty() {
            let space = self.ground.world.space(self.roster.classes.first_profile());
            let rule = &self.clock.settings.danger;
            let affected = self.ground.links.age_danger(&space, rule, seconds);
            self.look_again(&affected, &[]);
        }
        let mut affected = std::mem::take(&mut self.ground.affected);
        if let Some(edit) = self.ground.world.ageing(seconds) {
            affected.clear();
            if self.ground.change(Change::Edit(edit), &mut affected).is_ok() {
                self.notice(&affected, &[]);
            }
        }
        self.ground.affected = affected;
    }

    /// Lets all agents learn of the harm to an agent at its position.
    pub(super) fn harm(&mut self, id: AgentId, amount: f32) {
        let agent = self.roster.present(id);
        let Some(agent) = agent else {
            return self.events.report(Event::Failed(CommandFault::NoSuchAgent(id)));
        };
        let (profile, at) = (self.roster.classes.profile(agent.class), agent.body.at());
        let state = self
            .ground
            .world
            .state_at(profile, at)
            .or_else(|| self.ground.world.state_meant(profile, at));
        if self.add_danger(state.as_slice(), amount) {
            self.events.report(Event::Hurt(id));
        }
    }

    /// Lets all agents learn that the states in a shape are dangerous.
    pub(super) fn learn_danger(&mut self, shape: &Shape, amount: f32) {
        if !shape.is_finite() {
            return self.events.report(Event::Failed(CommandFault::Shape));
        }
        let profile = self.roster.classes.first_profile();
        self.add_danger(&self.ground.world.states_in(profile, shape), amount);
    }

    /// Adds danger to states, and says whether it could.
    fn add_danger(&mut self, states: &[W::State], amount: f32) -> bool {
        if !amount.is_finite() {
            self.events.report(Event::Failed(EditFault::NotFinite(amount).into()));
            return false;
        }
        let space = self.ground.world.space(self.roster.classes.first_profile());
        let affected = self.ground.links.add_danger(&space, states, amount);
        self.look_again(&affected, &[]);
        true
    }

    fn notice(&mut self, affected: &[W::State], exits: &[Exits<W::State>]) {
        if !affected.is_empty() {
            self.service.world_changed(&self.ground.world, affected);
            self.look_again(affected, exits);
        }
    }

    /// Tells the planner of changed states, and lets agents near them check the rail ahead.
    fn look_again(&mut self, affected: &[W::State], exits: &[Exits<W::State>]) {
        if affected.is_empty() {
            return;
        }
        if W::RENUMBERS {
            self.ground.find_link_ends();
        }
        self.service.tell(&self.ground, &self.roster.classes, affected);
        if W::RENUMBERS {
            self.errands().find_states_again(affected);
        }
        self.errands().review_near(affected, exits);
    }

    /// Follows new ground, on which all states may be renumbered. The planner restarts stale
    /// searches by itself.
    fn look_at_new_ground(&mut self, affected: &[W::State], exits: &[Exits<W::State>]) {
        self.ground.find_link_ends();
        self.errands().find_again(|_| false);
        for agent in &mut self.roster.agents {
            let profile = self.roster.classes.profile(agent.class);
            agent.rail.forget_states_from(self.ground.world.space(profile).state_bound());
        }
        self.errands().review_near(affected, exits);
    }

    /// Puts an agent to the free point nearest to a position.
    pub(super) fn warp(&mut self, id: AgentId, to: Vec3) {
        let number = id.0 as usize;
        let fault = match self.roster.present(id) {
            None => CommandFault::NoSuchAgent(id),
            Some(_) => match self.errands().look().free_place(number, to) {
                Some(end) => {
                    self.errands().put(number, end);
                    return self.events.report(Event::Warped(id));
                }
                None => CommandFault::NoRoom(id),
            },
        };
        self.events.report(Event::Failed(fault));
    }

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
                Way::Inside { .. } => !self.errands().look().may_leave_link(number),
                _ => false,
            };
            if is_lost && let Some(end) = self.errands().look().free_place(number, entry) {
                self.errands().put(number, end);
                self.events.report(Event::Displaced(AgentId(number as u32)));
            }
        }
    }
}

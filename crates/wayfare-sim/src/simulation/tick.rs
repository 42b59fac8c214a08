//! One tick: commands, decisions, planning, links, movement.

use wayfare_core::link::{Gate, LinkId};

use super::errands::Errands;
use super::ground::{Change, Exits};
use super::{Command, CommandFault, Environment, Event, Simulation, TickEvents};

impl<W: Environment> Simulation<W> {
    /// Advances the simulation by one tick. Returns the events.
    ///
    /// Takes time for the expansions that planning is granted, and about a microsecond an agent.
    pub fn tick(&mut self) -> &TickEvents {
        self.events.tick = self.clock.now;
        self.events.events.clear();
        self.roster.agents.iter_mut().for_each(|agent| agent.was_halted = false);
        self.age_danger();
        self.replace_puzzles();
        let (puzzles, mut stage) = self.stage();
        let work = puzzles.play(stage.clock.settings.work_per_tick, &mut stage);
        let commands = self.schedule.take(self.clock.now);
        let commands = self.ground.move_obstacles(commands, &self.clock, &mut self.events);
        let exits = self.ground.exits(&commands, &self.roster);
        for command in commands {
            self.carry_out(command, &exits);
        }
        self.errands().muster();
        let left = self.decide(work);
        self.errands().march();
        self.watch_jams();
        self.service.work(&self.ground, &self.roster.classes, left);
        self.errands().take_answers();
        self.errands().let_out();
        self.let_in();
        self.post_waits();
        self.move_all();
        self.clock.now += 1;
        &self.events
    }

    /// Replaces puzzles before any of them goes on. The commands that this takes stand in place of
    /// each command, so that they come in the order that the caller gave.
    fn replace_puzzles(&mut self) {
        if !self.schedule.has(self.clock.now, |one| matches!(one, Command::ReplacePuzzle { .. })) {
            return;
        }
        for command in self.schedule.take(self.clock.now) {
            let Command::ReplacePuzzle { puzzle, version, entry } = command else {
                self.schedule.add(self.clock.now, command);
                continue;
            };
            let (puzzles, mut stage) = self.stage();
            if !puzzles.replace(puzzle, version, entry, &mut stage) {
                let fault = CommandFault::NoSuchPuzzle { puzzle, version };
                self.events.report(Event::Failed(fault));
            }
        }
    }

    /// Returns the agents with all that their errands take.
    pub(super) fn errands(&mut self) -> Errands<'_, W> {
        Errands {
            clock: &self.clock,
            roster: &mut self.roster,
            ground: &self.ground,
            links_in_use: &mut self.traffic.links_in_use,
            service: &mut self.service,
            events: &mut self.events,
        }
    }

    fn carry_out(&mut self, command: Command<W::Edit>, exits: &[Exits<W::State>]) {
        match command {
            Command::Edit(edit) => self.change(Change::Edit(edit), exits),
            Command::Carve { id, shape } => self.change(Change::Carve(id, shape), exits),
            Command::Restore { id } => self.change(Change::Restore(id), exits),
            Command::MoveObstacle { .. } => {} // `move_obstacles` has carried it out
            Command::Gate { link, gate } => self.set_gate(link, gate),
            Command::Order { agent, order } => {
                let done = self.roster.take_order(agent, order, &self.ground.world);
                self.report_fault(done);
            }
            Command::Change { agent, change } => {
                self.errands().change_agent(agent, change);
                let changed = self.roster.agents.get(agent.0 as usize);
                self.traffic.watch(changed.map_or(&[], std::slice::from_ref));
            }
            Command::Harm { agent, amount } => self.harm(agent, amount),
            Command::Danger { shape, amount } => self.learn_danger(&shape, amount),
            Command::Spawn(spec) => match self.add_agent(spec) {
                Ok(agent) => self.events.report(Event::Spawned(agent)),
                Err(fault) => self.events.report(Event::Failed(fault.into())),
            },
            Command::Remove(agent) => self.errands().remove(agent),
            Command::Replace { edit, entry } => self.replace(edit, entry),
            Command::ReplacePuzzle { .. } => {} // `replace_puzzles` has carried it out
            Command::Warp { agent, to } => self.warp(agent, to),
            Command::OrderGroup { group, order } => {
                let done = self.roster.take_group_order(group, order, &self.ground.world);
                self.report_fault(done);
            }
            Command::Form { group, formation, spacing } => {
                let done = self.roster.form(group, formation, spacing);
                self.report_fault(done);
            }
            Command::Disband(group) => {
                let done = self.roster.disband(group, self.clock.tick());
                self.report_fault(done);
            }
        }
    }

    fn report_fault(&mut self, done: Result<(), CommandFault>) {
        if let Err(fault) = done {
            self.events.report(Event::Failed(fault));
        }
    }

    /// Opens, closes or locks a link. Agents that are to use it decide again, and agents that found
    /// no path try again.
    fn set_gate(&mut self, link: LinkId, gate: Gate) {
        if !self.ground.links.set_gate(link, gate) {
            return;
        }
        self.events.report(Event::Gate(link, gate));
        if let Some(ends) = self.ground.links.ends(link) {
            self.service.tell(&self.ground, &self.roster.classes, &ends);
            self.roster.doubt_link(link);
            self.roster.try_again(&self.clock);
        }
    }

    /// Decides for all agents that are due. Returns the remaining expansions.
    fn decide(&mut self, expansions: u64) -> u64 {
        let mut crowd = std::mem::take(&mut self.traffic.crowd);
        crowd.look(&self.roster.agents);
        let left = self.errands().decide_all(&crowd, expansions);
        self.traffic.crowd = crowd;
        left
    }

    /// Measures jams at their time, and lets agents look for paths round them in turns.
    fn watch_jams(&mut self) {
        let Some(settings) = self.clock.settings.jams else { return };
        // Without avoidance there are no jams.
        if self.traffic.bodies.is_some()
            && self.clock.now > 0
            && self.clock.now.is_multiple_of(self.clock.ticks(settings.seconds))
            && self.traffic.jams.measure(&settings, &self.roster, &self.ground, &self.clock)
        {
            let changed = self.ground.links.post_jams(settings.side, &self.traffic.jams.posted());
            let classes = &self.roster.classes;
            let affected = self.ground.states_delayed(&changed, settings.side, classes);
            if !affected.is_empty() {
                self.service.tell(&self.ground, classes, &affected);
            }
        }
        self.errands().look_round_jams(&settings);
    }

    /// Lets waiting agents enter links.
    fn let_in(&mut self) {
        for number in 0..self.traffic.links_in_use.0.len() {
            if !self.traffic.links_in_use.0[number].queue.is_empty() {
                let link = LinkId(number as u32);
                let departs = self.puzzles.departs(link, &self.clock);
                self.errands().let_into(link, departs);
            }
        }
    }

    /// Tells the searches, once a second, how long the queues are.
    fn post_waits(&mut self) {
        let every = self.clock.ticks(1.0);
        for (number, usage) in (0u32..).zip(&self.traffic.links_in_use.0) {
            if (self.clock.now + u64::from(number)).is_multiple_of(every)
                && let Some(ends) = self.ground.post_wait(LinkId(number), usage.queue.len())
            {
                self.service.tell(&self.ground, &self.roster.classes, &ends);
            }
        }
    }

    fn move_all(&mut self) {
        match self.traffic.bodies.take() {
            Some(mut bodies) => {
                self.errands().move_bodies(&mut bodies);
                self.traffic.bodies = Some(bodies);
            }
            None => {
                let mut errands = self.errands();
                for number in 0..errands.roster.agents.len() {
                    errands.move_along(number);
                }
            }
        }
    }
}

//! One tick: commands, decisions, planning, links, movement.

use wayfare_core::link::{Crossing, Gate, LinkId};
use wayfare_core::space::{LineOfSight, Space};

use super::errands::Flight;
use super::ground::Change;
use super::ground::Exits;
use super::roster::Aim;
use super::roster::{Agent, Way};
use super::{Command, Environment, Event, HaltReason, Simulation, TickEvents};
use crate::agent::{AgentId, Decision, Hold, Intent, Moved, Situation, decide};

impl<W: Environment> Simulation<W> {
    /// Advances the simulation by one tick. Returns the events.
    ///
    /// Takes time for the expansions that planning is granted, and about a microsecond an agent.
    pub fn tick(&mut self) -> &TickEvents {
        self.events.tick = self.clock.now;
        self.events.events.clear();
        self.roster.agents.iter_mut().for_each(|agent| agent.was_halted = false);
        self.age_danger();
        let work = self.play(self.clock.settings.work_per_tick);
        let commands = self.schedule.remove(&self.clock.now).unwrap_or_default();
        let commands = self.move_obstacles(commands);
        let exits = self.ground.exits(&commands, &self.roster);
        for command in commands {
            self.carry_out(command, &exits);
        }
        self.muster();
        let left = self.decide_all(work);
        self.march();
        self.watch_jams();
        self.plan(left);
        self.let_out();
        self.let_in();
        self.post_waits();
        self.move_all();
        self.clock.now += 1;
        &self.events
    }

    fn carry_out(&mut self, command: Command<W::Edit>, exits: &[Exits<W::State>]) {
        match command {
            Command::Edit(edit) => self.change(Change::Edit(edit), exits),
            Command::Carve { id, shape } => self.change(Change::Carve(id, shape), exits),
            Command::Restore { id } => self.change(Change::Restore(id), exits),
            Command::MoveObstacle { .. } => {} // `move_obstacles` has carried it out
            Command::Gate { link, gate } => self.set_gate(link, gate),
            Command::Order { agent, order } => self.take_order(agent, order),
            Command::Change { agent, change } => self.change_agent(agent, change),
            Command::Harm { agent, amount } => self.harm(agent, amount),
            Command::Danger { shape, amount } => self.learn_danger(&shape, amount),
            Command::Spawn(spec) => match self.add_agent(spec) {
                Ok(agent) => self.events.report(Event::Spawned(agent)),
                Err(fault) => self.events.report(Event::Failed(fault.into())),
            },
            Command::Remove(agent) => self.remove(agent),
            Command::Replace { edit, entry } => self.replace(edit, entry),
            Command::OrderGroup { group, order } => self.take_group_order(group, order),
            Command::Form { group, formation, spacing } => self.form(group, formation, spacing),
            Command::Disband(group) => self.disband(group),
        }
    }

    fn remove(&mut self, id: AgentId) {
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
        if let Way::Waiting(link) | Way::Inside { link, .. } = way
            && let Some(usage) = self.traffic.links_in_use.get_mut(link.0 as usize)
        {
            usage.forget(id);
        }
        self.events.report(Event::Removed(id));
    }

    fn set_gate(&mut self, link: LinkId, gate: Gate) {
        if self.ground.links.set_gate(link, gate) {
            self.events.report(Event::Gate(link, gate));
            self.notice_link(link);
        }
    }

    /// Decides for each agent on its turn, or with a reason to. Returns the remaining expansions.
    ///
    /// Flights come last, and each tick begins with another of them: a budget that is enough for
    /// one flight a tick serves all of them in turn.
    fn decide_all(&mut self, mut expansions: u64) -> u64 {
        let mut flights = std::mem::take(&mut self.service.flights);
        flights.clear();
        self.traffic.crowd.look(&self.roster.agents);
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
                decide(&mut agent.mind, &agent.behaviours, &situation, &self.traffic.crowd);
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
                    let to = after.map_or(to, |other| self.meeting(number, other, to));
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

    /// Lets the planner work, and hands out its answers.
    fn plan(&mut self, expansions: u64) {
        self.service.work(&self.ground, &self.roster.classes, expansions);
        for number in 0..self.roster.agents.len() {
            let Some(asked) = self.roster.agents[number].errand.asked() else { continue };
            if let Some(answer) = self.service.planner.take(asked.ticket) {
                self.roster.agents[number].errand.answered();
                self.answer(number, &asked, answer);
            }
        }
    }

    /// Lets agents at the end of their links step out, if there is room to stand.
    fn let_out(&mut self) {
        for link in 0..self.traffic.links_in_use.len() {
            let mut place = 0;
            while let Some(&id) = self.traffic.links_in_use[link].inside.get(place) {
                let number = id.0 as usize;
                let Way::Inside { until, .. } = self.roster.agents[number].way else {
                    self.traffic.links_in_use[link].inside.remove(place);
                    continue;
                };
                if until <= self.clock.now && self.step_out(number) {
                    self.traffic.links_in_use[link].inside.remove(place);
                    self.events.report(Event::Left(id, LinkId(link as u32)));
                } else {
                    place += 1;
                }
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
        true
    }

    /// Lets waiting agents enter in order, while there is room and the gate admits them.
    fn let_in(&mut self) {
        for number in 0..self.traffic.links_in_use.len() {
            let id = LinkId(number as u32);
            let Some(link) = self.ground.links.get(id).copied() else { continue };
            let room = link.capacity.map_or(usize::MAX, |capacity| usize::from(capacity.get()));
            let departs = self.traffic.links_in_use[number].queue.is_empty() || self.departs(id);
            let mut place = 0;
            while self.traffic.links_in_use[number].inside.len() < room {
                let Some(&who) = self.traffic.links_in_use[number].queue.get(place) else { break };
                let agent = &self.roster.agents[who.0 as usize];
                let class = self.roster.classes.of(agent.class);
                // Another path may avoid the link, and the rest of a lost rail may be broken.
                let may = link.admits(class.keys) && !agent.errand.needs_path() && departs;
                if may && self.enter(who, id) {
                    self.traffic.links_in_use[number].queue.remove(place);
                    self.traffic.links_in_use[number].inside.push(who);
                    self.events.report(Event::Entered(who, id));
                } else {
                    place += 1;
                }
            }
        }
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
            self.service.planner.cancel(pointless);
        }
        let until = self.clock.now + self.clock.ticks(seconds);
        agent.way = Way::Inside { link, since: self.clock.now, until };
        agent.body.stop();
        agent.release();
        true
    }

    /// Tells the searches, once a second, how long the queues are.
    fn post_waits(&mut self) {
        let every = self.clock.ticks(1.0);
        for number in 0..self.traffic.links_in_use.len() {
            if !(self.clock.now + number as u64).is_multiple_of(every) {
                continue;
            }
            let id = LinkId(number as u32);
            let Some(link) = self.ground.links.get(id).copied() else { continue };
            let space = self.ground.world.space(Default::default());
            let seconds = match link.crossing {
                Crossing::Seconds(seconds) => seconds,
                Crossing::Speed(speed) => {
                    let Some([from, to]) = self.ground.links.places(&space, id) else { continue };
                    from.distance(to) / speed
                }
            };
            let room = link.capacity.map_or(f32::INFINITY, |capacity| f32::from(capacity.get()));
            let wait = self.traffic.links_in_use[number].queue.len() as f32 * seconds / room;
            if self.ground.links.post_wait(id, wait)
                && let Some(ends) = self.ground.links.ends(id)
            {
                self.service.tell(&self.ground, &self.roster.classes, &ends);
            }
        }
    }

    fn move_all(&mut self) {
        if self.traffic.bodies.is_some() {
            return self.move_bodies();
        }
        for number in 0..self.roster.agents.len() {
            self.move_along(number);
        }
    }

    /// Moves a body along its rail.
    #[inline]
    pub(super) fn move_along(&mut self, number: usize) {
        self.move_along_within(number, f32::INFINITY);
    }

    /// Moves a body along its rail by at most `room` world units, since another body blocks it.
    #[inline]
    pub(super) fn move_along_within(&mut self, number: usize, room: f32) {
        let tick = self.clock.tick();
        let ground_factor = self.roster.ground_factor(number, &self.ground.world);
        let agent = &mut self.roster.agents[number];
        match agent.way {
            Way::Stuck | Way::Gone => {}
            Way::Inside { since, until, .. } => {
                let share = (self.clock.now + 1 - since) as f32 / (until - since).max(1) as f32;
                let is_jump = self.is_teleport(number);
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
    pub(super) fn confirm_room(&mut self, number: usize) {
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
            self.roster.agents[number].rail.lose_room(leg);
        }
    }

    fn is_teleport(&self, number: usize) -> bool {
        let Way::Inside { link, .. } = self.roster.agents[number].way else { return false };
        self.ground
            .links
            .get(link)
            .is_some_and(|link| link.kind == wayfare_core::link::LinkKind::Teleport)
    }

    /// Queues an agent that stands at the entrance of a link.
    fn wait_at_link(&mut self, number: usize) {
        let agent = &mut self.roster.agents[number];
        let leg = agent.body.leg();
        let hold = agent.rail.legs().get(leg).map(|leg| leg.hold);
        if let Some(Hold::Link { link, .. }) = hold.filter(|_| !agent.errand.waits()) {
            let (id, link) = (AgentId(number as u32), LinkId(link));
            agent.way = Way::Waiting(link);
            if let Some(usage) = self.traffic.links_in_use.get_mut(link.0 as usize) {
                usage.queue.push_back(id);
            }
            self.events.report(Event::Waits(id, link));
        }
    }

    /// Handles an agent at the end of its rail.
    pub(super) fn arrive(&mut self, number: usize) {
        let agent = &mut self.roster.agents[number];
        if agent.errand.aim().is_none() {
            agent.trouble = None; // whatever it was, it is over
        }
        if agent.errand.arrive() {
            self.events.report(Event::Arrived(AgentId(number as u32)));
            self.conclude(number);
        }
    }

    /// Concludes the errand of an agent whose goal is reached.
    pub(super) fn conclude(&mut self, number: usize) {
        let Agent { mind, behaviours, errand, trouble, is_alert, .. } =
            &mut self.roster.agents[number];
        let Some(aim) = errand.aim() else { return };
        mind.arrived(aim.source, behaviours, self.clock.now, self.clock.tick());
        *trouble = None;
        *is_alert = true;
    }
}

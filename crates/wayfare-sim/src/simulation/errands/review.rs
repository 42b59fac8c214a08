//! Rails and requests after a change beneath agents.

use wayfare_core::link::LinkId;
use wayfare_core::navigate::End;
use wayfare_core::space::{LineOfSight, Space, StateId};

use super::Errands;
use crate::agent::{AgentId, Anchor, Hold, Rail};
use crate::simulation::ground::{Area, Exits};
use crate::simulation::roster::Way;
use crate::simulation::{Environment, Event, HaltReason, Trouble};

impl<W: Environment> Errands<'_, W> {
    /// Finds the remembered states of bodies again, after an edit that may have renumbered
    /// `affected` states. Requests under way name states too: requests with an affected end, or
    /// with an answer not yet taken, are made again. The others stay where they are in the queue,
    /// so even with edits in every tick each gets an answer.
    pub(in crate::simulation) fn find_states_again(&mut self, affected: &[W::State]) {
        let mut affected: Vec<u32> = affected.iter().map(|state| state.index()).collect();
        affected.sort_unstable();
        self.find_again(|state| affected.binary_search(&state.index()).is_err());
    }

    /// Does the same, given the states that are not affected.
    pub(in crate::simulation) fn find_again(&mut self, stays: impl Fn(&W::State) -> bool + Copy) {
        for number in 0..self.roster.agents.len() {
            let agent = &mut self.roster.agents[number];
            let profile = self.roster.classes.profile(agent.class);
            agent.rail.find_goal_again(|point| self.ground.world.state_at(profile, point));
            let links = &self.ground.links;
            let broken = agent.rail.find_links_again(agent.body.leg(), |link, from, to| {
                links.states_between(LinkId(link), from, to)
            });
            let is_concerned = |leg: &usize| match agent.way {
                Way::Free | Way::Waiting(_) => true,
                // It comes out of this link.
                Way::Inside { .. } => *leg > agent.body.leg(),
                // Its rail is reviewed when its position is open again.
                Way::Stuck | Way::Gone => false,
            };
            if let Some(leg) = broken.filter(is_concerned) {
                self.hold_before(number, leg);
            }
            let agent = &mut self.roster.agents[number];
            if let Some(asked) = agent.errand.asked() {
                let stands = self.service.planner().query(asked.ticket).is_some_and(|query| {
                    stays(&query.start) && query.goal.states().iter().all(stays)
                });
                if stands {
                    continue;
                }
                agent.errand.answered();
                (agent.is_doubtful, agent.is_alert) = (true, true);
                self.service.withdraw(Some(asked.ticket));
            }
        }
    }

    /// Lets agents near the last edit check the rail ahead, and agents that found no path try
    /// again.
    pub(in crate::simulation) fn review_near(
        &mut self,
        affected: &[W::State],
        exits: &[Exits<W::State>],
    ) {
        let area = Area::around(
            self.ground.world.touched(affected).into_iter(),
            self.ground.world.grain(),
        );
        for number in 0..self.roster.agents.len() {
            if self.roster.agents[number].is_present() {
                let exits = exits.iter().find(|exits| exits.agent == number);
                self.review(number, &area, exits.map_or(&[], |exits| &exits.ends));
            }
        }
        self.roster.try_again(self.clock);
    }

    /// Lets an agent that was built in try again to get out, unless its position is open again.
    ///
    /// Its rail was not reviewed meanwhile, so it is dropped if the position is open.
    fn review_stuck(&mut self, number: usize, exits: &[End<W::State>]) {
        let agent = &mut self.roster.agents[number];
        agent.way = Way::Free;
        let here = agent.body.leg();
        let hold = agent.rail.legs().get(here).map(|leg| leg.hold);
        let is_midway = agent.rail.is_under_way(&agent.body);
        match hold {
            Some(Hold::Escape) if self.look().exit_is_free(number) => {
                self.roster.agents[number].trouble = Some(Trouble::GettingOut);
            }
            Some(Hold::Move { .. } | Hold::Back { .. }) if is_midway => {
                self.roster.agents[number].trouble = None;
                self.review(number, &Area::everywhere(), exits);
                if self.roster.agents[number].way != Way::Stuck {
                    self.lose_way(number);
                }
            }
            _ if self.settle(number) => self.roster.agents[number].trouble = None,
            _ => self.escape(number, exits),
        }
    }

    /// Ends an agent's rail where its body stands, and says whether that can be stood on.
    ///
    /// If so, the agent needs another path.
    fn settle(&mut self, number: usize) -> bool {
        let tick = self.clock.tick();
        let agent = &mut self.roster.agents[number];
        let profile = self.roster.classes.profile(agent.class);
        let (point, along) = (agent.body.at(), agent.body.along());
        let Some(state) = self.ground.world.state_at(profile, point) else { return false };
        agent.was_halted |= agent.body.speed() > 0.0;
        agent.body.stop();
        if !self.follow_ground(number) {
            let anchor = Anchor { along, point, state };
            let agent = &mut self.roster.agents[number];
            let gait = agent.gait();
            agent.rail.end_at(&mut agent.body, &anchor, &gait, tick);
        }
        self.leave_queue(number);
        self.lose_way(number);
        true
    }

    /// Checks an agent's position and rail after a change in an area.
    pub(in crate::simulation) fn review(
        &mut self,
        number: usize,
        area: &Area,
        exits: &[End<W::State>],
    ) {
        let agent = &self.roster.agents[number];
        if agent.way == Way::Stuck {
            return self.review_stuck(number, exits);
        }
        let profile = self.roster.classes.profile(agent.class);
        let (at, here) = (agent.body.at(), agent.body.leg());
        let hold = agent.rail.legs().get(here).map(|leg| leg.hold);
        let is_midway = agent.rail.is_under_way(&agent.body);
        let stands = hold.is_none_or(|hold| hold != Hold::Escape && !is_midway);
        if stands && !agent.is_inside() && area.is_near(at, at) {
            if self.ground.world.state_at(profile, at).is_none() {
                return self.escape(number, exits);
            }
            if self.follow_ground(number) {
                self.leave_queue(number);
                return self.lose_way(number);
            }
        }
        if hold == Some(Hold::Escape) && !self.look().exit_is_free(number) {
            return self.escape(number, exits);
        }
        let agent = &self.roster.agents[number];
        let space = self.ground.space_around(profile, agent);
        let first = here + usize::from(agent.is_inside());
        let is_level = |point| self.lifted(profile, point).is_none();
        let (mut is_touched, mut broken, mut narrowed) = (false, None, Vec::new());
        let mut is_cut_behind = false;
        let mut lifted = None;
        for (leg, piece) in agent.rail.legs().iter().enumerate().skip(first) {
            // The body reaches beyond the line that its middle follows.
            let (from, to) = (agent.rail.start_of(leg), piece.to);
            if !area.is_near(from.min(to) - piece.room, from.max(to) + piece.room) {
                continue;
            }
            let is_under_way = leg == here && (is_midway || piece.hold == Hold::Escape);
            let is_swept = |from| space.sweep_is_clear(from, to, piece.room);
            let is_whole = piece.hold == Hold::Clear && is_swept(from);
            let is_cut = is_under_way && piece.hold == Hold::Clear && !is_whole;
            let from = if is_cut { at } else { from };
            let goes_on = match piece.hold {
                Hold::Clear if !is_level(if is_under_way { at } else { from }) || !is_level(to) => {
                    false
                }
                // An edit behind a body does not matter to it.
                Hold::Clear if is_whole || is_cut && is_swept(at) => true,
                // A wall beside its rail does not stop a body: it asks for another path.
                Hold::Clear if space.segment_is_clear(from, to) => {
                    narrowed.push(leg);
                    true
                }
                Hold::Move { from, to } if is_under_way => {
                    space.check(from).is_err() && space.check(to).is_ok()
                }
                _ => false,
            };
            // The ground at the end of a move may have another height now.
            let end = match piece.hold {
                Hold::Move { to: state, .. } | Hold::Back { to: state } => {
                    let point = space.position(state);
                    (point != to).then_some(End { state, point })
                }
                Hold::Link { .. } => self.lifted(profile, to),
                Hold::Escape => self.lifted_exit(number, leg),
                Hold::Clear => None,
            };
            let is_lifted = end.is_some();
            let is_legal = goes_on || piece.hold != Hold::Clear && agent.rail.is_legal(leg, &space);
            if is_legal && (!is_lifted || is_under_way) {
                is_touched = true;
                is_cut_behind |= is_cut;
                lifted = lifted.or(end.map(|end| (end, *piece)));
            } else {
                // Another edit may free the rail again, so later legs are looked at too.
                narrowed.push(leg);
                broken = broken.or(Some(leg));
            }
        }
        if is_cut_behind {
            let agent = &mut self.roster.agents[number];
            agent.rail.part_at(&mut agent.body);
            broken = broken.map(|leg| leg + 1);
            narrowed.iter_mut().for_each(|leg| *leg += 1);
        }
        // From the last on, so that the numbers of those before it stay.
        for leg in narrowed.into_iter().rev() {
            let gained = self.lose_room(number, leg);
            broken = broken.map(|first| if leg < first { first + gained } else { first });
        }
        if let Some((end, leg)) = lifted {
            let agent = &mut self.roster.agents[number];
            agent.was_halted = true;
            if leg.hold == Hold::Escape {
                self.send_out(number, End { point: leg.to, ..end });
            } else {
                // As one that goes back: it is under way from the first.
                let hold = Hold::Back { to: end.state };
                agent.rail.divert(&mut agent.body, end, hold, leg.action);
            }
            return self.lose_way(number);
        }
        match broken {
            None if is_touched => {
                let agent = &mut self.roster.agents[number];
                (agent.is_doubtful, agent.is_alert) = (true, true);
            }
            None => {}
            Some(leg) if leg == here && is_midway => self.break_off(number, exits),
            Some(leg) => self.hold_before(number, leg),
        }
    }

    /// Takes the room from the parts of a leg that have a wall beside them. Returns the count of
    /// legs that the rail gains.
    pub(in crate::simulation) fn lose_room(&mut self, number: usize, leg: usize) -> usize {
        let agent = &mut self.roster.agents[number];
        let profile = self.roster.classes.profile(agent.class);
        let space = self.ground.space_around(profile, agent);
        let room = agent.rail.legs().get(leg).map_or(0.0, |piece| piece.room);
        let has_room = |from, to| space.sweep_is_clear(from, to, room);
        let gained = agent.rail.lose_room(leg, &mut agent.body, has_room);
        if gained > 0 {
            let gait = agent.gait();
            agent.rail.change_limits(&gait, self.clock.tick());
        }
        gained
    }

    /// Ends the rail before a broken leg ahead: the body may go on up to it, and needs another
    /// path.
    fn hold_before(&mut self, number: usize, leg: usize) {
        let agent = &mut self.roster.agents[number];
        let end = agent.rail.begin_of(leg);
        if agent.rail.end() > end {
            agent.rail.hold_at(end);
        }
        if !agent.errand.need_better(end) {
            self.lose_way(number);
        }
    }

    /// Takes the path from an agent, which asks for another at once.
    pub(in crate::simulation) fn lose_way(&mut self, number: usize) {
        let agent = &mut self.roster.agents[number];
        let pointless = agent.errand.lose_way();
        agent.is_alert = true;
        self.service.withdraw(pointless);
    }

    /// Breaks off a broken leg under way: the body stops, goes back to where its move began, or
    /// gets out of the obstacle it was built into.
    fn break_off(&mut self, number: usize, exits: &[End<W::State>]) {
        let agent = &mut self.roster.agents[number];
        let profile = self.roster.classes.profile(agent.class);
        let space = self.ground.world.space(profile);
        let leg = agent.rail.legs().get(agent.body.leg()).copied();
        match leg.map(|leg| (leg.hold, leg.action)) {
            Some((Hold::Move { from, .. }, action)) if space.check(from).is_ok() => {
                let origin = End { state: from, point: space.position(from) };
                agent.was_halted = true;
                agent.rail.divert(&mut agent.body, origin, Hold::Back { to: from }, action);
            }
            Some((Hold::Clear, _)) if self.settle(number) => {}
            _ => return self.escape(number, exits),
        }
        if self.roster.agents[number].was_halted {
            let (agent, reason) = (AgentId(number as u32), HaltReason::WayClosed);
            self.events.report(Event::Halted { agent, reason });
        }
        self.leave_queue(number);
        self.lose_way(number);
    }

    /// Lets a body that was built in leave by the nearest exit that is still free, or stay until
    /// its position is free.
    ///
    /// One that was already on a way out may stay at its present point, if that is free.
    fn escape(&mut self, number: usize, exits: &[End<W::State>]) {
        let agent = &self.roster.agents[number];
        let profile = self.roster.classes.profile(agent.class);
        let at = agent.body.at();
        let hold = agent.rail.legs().get(agent.body.leg()).map(|leg| leg.hold);
        let free = exits.iter().filter_map(|&exit| self.ground.still_free(profile, exit));
        let away = |exit: &End<W::State>| exit.point.distance(at);
        let exit = free.min_by(|a, b| away(a).total_cmp(&away(b)).then(a.state.cmp(&b.state)));
        let is_out = exit.is_none() && hold == Some(Hold::Escape) && self.settle(number);
        let agent = &mut self.roster.agents[number];
        agent.was_halted = true;
        match exit {
            Some(exit) => {
                agent.trouble = Some(Trouble::GettingOut);
                self.send_out(number, exit);
            }
            None if is_out => agent.trouble = None,
            None => {
                agent.body.stop();
                agent.trouble = Some(Trouble::BuiltIn);
                let way = std::mem::replace(&mut agent.way, Way::Stuck);
                if let Way::Waiting(link) = way {
                    self.links_in_use.forget(link, AgentId(number as u32));
                }
            }
        }
        let reason = HaltReason::ObstacleAppeared;
        self.events.report(Event::Halted { agent: AgentId(number as u32), reason });
        self.leave_queue(number);
        self.lose_way(number);
    }

    /// Puts a body to a point, where it needs another path.
    pub(in crate::simulation) fn put(&mut self, number: usize, end: End<W::State>) {
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
            self.service.withdraw(Some(asked.ticket));
        }
        if let Way::Inside { link, .. } | Way::Waiting(link) = way {
            self.links_in_use.forget(link, id);
        }
        self.lose_way(number);
    }
}

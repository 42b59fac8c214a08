//! Changes of the world beneath agents.

use std::collections::BTreeMap;

use glam::Vec3;
use wayfare_core::link::{Danger, LinkId};
use wayfare_core::navigate::End;
use wayfare_core::ops;
use wayfare_core::space::{Action, LineOfSight, ProfileId, Space, StateId};

use super::agents::Way;
use super::avoid::space_around;
use super::carvings::Carvings;
use super::ground::Ground;
use super::links_in_use::link_end;
use super::service::Service;
use super::session::{Change, class_of};
use super::{
    Command, CommandFault, EditFault, Environment, Event, HaltReason, Shape, ShapeBounds,
    Simulation, Trouble,
};
use crate::agent::{AgentId, Anchor, Hold};
use crate::plan::ClassId;

/// The search radius for open ground around a body that was built in, in sides of a place.
const ESCAPE_REACH: f32 = 4.0;

/// The most states among which a body that may be built in looks for exits.
const MOST_EXITS: usize = 256;

/// The exits of an agent before the changes of a tick: states that a clear segment joins to its
/// body.
///
/// A body that is built in may cross only ground that was free before the tick. A segment that was
/// clear before the tick lies on such ground. Whether its end is still free is tested after each
/// change. Ground that one change of a tick opens and another one blocks is no way out.
pub(super) struct Exits<State> {
    agent: usize,
    ends: Vec<End<State>>,
}

/// Danger at a point.
#[derive(Clone, Copy)]
struct Peril {
    at: Vec3,
    amount: f32,
}

/// Makes a change. Adds the states whose moves it changes to `affected`.
pub(super) fn make_change<W: Environment>(
    world: &mut W,
    carvings: &mut Carvings<W::Place, W::Fill>,
    change: &Change<W::Edit>,
    affected: &mut Vec<W::State>,
) -> Result<(), CommandFault> {
    match change {
        Change::Edit(edit) => {
            world.check(edit)?;
            let fills = W::fills(edit);
            if fills.is_empty() {
                world.apply(edit, affected)?;
            } else {
                carvings.fill(world, fills, affected);
            }
        }
        Change::Carve(_, shape) if !shape.is_finite() => {
            return Err(CommandFault::Shape);
        }
        Change::Carve(id, shape) => carvings.carve(world, *id, shape, affected),
        Change::Restore(id) => {
            if !carvings.restore(world, *id, affected) {
                return Err(CommandFault::NoSuchObstacle(*id));
            }
        }
    }
    affected.sort_unstable();
    affected.dedup();
    Ok(())
}

/// A rectangle seen from above.
#[derive(Clone, Copy)]
struct Rectangle {
    min: Vec3,
    max: Vec3,
}

impl Rectangle {
    const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    fn grow(&mut self, point: Vec3, margin: f32) {
        (self.min, self.max) = (self.min.min(point - margin), self.max.max(point + margin));
    }

    /// Returns whether the rectangle around a segment touches it.
    fn is_near(&self, from: Vec3, to: Vec3) -> bool {
        let (min, max) = (from.min(to), from.max(to));
        min.x <= self.max.x && max.x >= self.min.x && min.z <= self.max.z && max.z >= self.min.z
    }
}

/// The side of a tile in sides of a place, or in world units where places are points.
const TILE_SIDE: f32 = 16.0;

/// The extent of an edit, seen from above: for each tile of the world the rectangle around the
/// changed states in it.
///
/// One rectangle around all of them would do as well, and would make agents between two far changes
/// think again.
pub(super) struct Area {
    all: Rectangle,
    tiles: Vec<Rectangle>,
}

impl Area {
    /// Returns the area of changed boxes, with a margin of `grain`.
    fn around(boxes: impl Iterator<Item = ShapeBounds>, grain: f32) -> Self {
        let side = if grain > 0.0 { grain * TILE_SIDE } else { TILE_SIDE };
        let (mut all, mut tiles) = (Rectangle::EMPTY, BTreeMap::new());
        for ShapeBounds { min, max } in boxes {
            let middle = min.midpoint(max);
            // Casts saturate: very distant points share a tile.
            let tile = ((middle.x / side).floor() as i32, (middle.z / side).floor() as i32);
            for corner in [min, max] {
                tiles.entry(tile).or_insert(Rectangle::EMPTY).grow(corner, grain);
                all.grow(corner, grain);
            }
        }
        Self { all, tiles: tiles.into_values().collect() }
    }

    /// Returns the area of a change that may be anywhere.
    pub(super) fn everywhere() -> Self {
        let all = Rectangle { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };
        Self { all, tiles: vec![all] }
    }

    /// Returns whether the rectangle around a segment touches a changed tile. O(tiles).
    fn is_near(&self, from: Vec3, to: Vec3) -> bool {
        self.all.is_near(from, to) && self.tiles.iter().any(|tile| tile.is_near(from, to))
    }
}

impl<W: Environment> Simulation<W> {
    /// Changes the world, and stops agents before anything that appeared.
    ///
    /// `exits`: the exits before the first change of the tick.
    pub(super) fn change(&mut self, change: Change<W::Edit>, exits: &[Exits<W::State>]) {
        let mut affected = std::mem::take(&mut self.ground.affected);
        affected.clear();
        let is_new_ground = matches!(&change, Change::Edit(edit) if W::is_new_ground(edit));
        let dangers = if is_new_ground { self.places_of_danger() } else { Vec::new() };
        match make_change(&mut self.ground.world, &mut self.ground.carvings, &change, &mut affected)
        {
            Ok(()) if is_new_ground => {
                self.ground.history.retain(
                    |change| !matches!(change, Change::Edit(edit) if W::ends_with_ground(edit)),
                );
                self.ground.history.push(change);
                self.report(Event::Edited(affected.len()));
                self.find_danger_again(&dangers);
                self.service.engines.world_changed(&self.ground.world, &affected);
                self.look_at_new_ground(&affected, exits);
            }
            Ok(()) => {
                self.ground.history.push(change);
                self.report(Event::Edited(affected.len()));
                self.notice(&affected, exits);
            }
            Err(fault) => self.report(Event::Failed(fault)),
        }
        self.ground.affected = affected;
    }

    /// Returns where there is danger.
    fn places_of_danger(&self) -> Vec<Peril> {
        let space =
            self.ground.world.space(class_of(&self.roster.classes, ClassId::default()).profile);
        let known = self.ground.links.danger().iter();
        known.map(|known| Peril { at: space.position(known.state), amount: known.amount }).collect()
    }

    /// Moves danger to the states that are now at its points. Where there is none it is forgotten.
    fn find_danger_again(&mut self, dangers: &[Peril]) {
        if dangers.is_empty() {
            return;
        }
        let profile = class_of(&self.roster.classes, ClassId::default()).profile;
        self.ground.links.set_danger(Danger::default());
        let space = self.ground.world.space(profile);
        for &Peril { at, amount } in dangers {
            if let Some(state) = self.ground.world.state_at(profile, at) {
                // New ground restarts all searches.
                self.ground.links.add_danger(&space, &[state], amount, &mut Vec::new());
            }
        }
    }

    /// Lets danger spread and decay, and influence that the world keeps itself, when it is time to.
    /// That is no event: it happens by itself.
    pub(super) fn age_danger(&mut self) {
        let every = self.clock.ticks(self.clock.settings.danger_seconds);
        if self.clock.now == 0 || !self.clock.now.is_multiple_of(every) {
            return;
        }
        let seconds = every as f32 * self.clock.tick();
        let mut affected = std::mem::take(&mut self.ground.affected);
        if !self.ground.links.danger().is_empty() {
            affected.clear();
            let space =
                self.ground.world.space(class_of(&self.roster.classes, ClassId::default()).profile);
            self.ground.links.age_danger(
                &space,
                &self.clock.settings.danger,
                seconds,
                &mut affected,
            );
            self.look_again(&affected, &[]);
        }
        if let Some(edit) = self.ground.world.ageing(seconds) {
            affected.clear();
            let change = Change::Edit(edit);
            if make_change(
                &mut self.ground.world,
                &mut self.ground.carvings,
                &change,
                &mut affected,
            )
            .is_ok()
            {
                self.ground.history.push(change);
                self.notice(&affected, &[]);
            }
        }
        self.ground.affected = affected;
    }

    /// Lets all agents learn of the harm to an agent at its position.
    pub(super) fn harm(&mut self, id: AgentId, amount: f32) {
        let agent = self.roster.agents.get(id.0 as usize).filter(|agent| agent.is_present());
        let Some(agent) = agent else {
            return self.report(Event::Failed(CommandFault::NoSuchAgent(id)));
        };
        let (profile, at) = (class_of(&self.roster.classes, agent.class).profile, agent.body.at());
        let state = self
            .ground
            .world
            .state_at(profile, at)
            .or_else(|| self.ground.world.state_meant(profile, at));
        if self.add_danger(state.as_slice(), amount) {
            self.report(Event::Hurt(id));
        }
    }

    /// Lets all agents learn that the states in a shape are dangerous.
    pub(super) fn learn_danger(&mut self, shape: &Shape, amount: f32) {
        if !shape.is_finite() {
            return self.report(Event::Failed(CommandFault::Shape));
        }
        let profile = class_of(&self.roster.classes, ClassId::default()).profile;
        self.add_danger(&self.ground.world.states_in(profile, shape), amount);
    }

    /// Adds danger to states, and says whether it could.
    fn add_danger(&mut self, states: &[W::State], amount: f32) -> bool {
        if !amount.is_finite() {
            self.report(Event::Failed(EditFault::NotFinite(amount).into()));
            return false;
        }
        let mut affected = std::mem::take(&mut self.ground.affected);
        affected.clear();
        let space =
            self.ground.world.space(class_of(&self.roster.classes, ClassId::default()).profile);
        self.ground.links.add_danger(&space, states, amount, &mut affected);
        self.look_again(&affected, &[]);
        self.ground.affected = affected;
        true
    }

    /// Returns the exits of every body near the places that the commands of a tick may block.
    pub(super) fn exits(&self, commands: &[Command<W::Edit>]) -> Vec<Exits<W::State>> {
        let reach = self.escape_reach();
        let areas = commands.iter().filter_map(|command| match command {
            Command::Edit(edit) if self.ground.world.check(edit).is_ok() => {
                let places = self.ground.world.takes(edit).into_iter();
                Some(Area::around(places.map(|at| ShapeBounds { min: at, max: at }), reach))
            }
            Command::Carve { shape, .. } if shape.is_finite() => {
                Some(Area::around([shape.bounds()].into_iter(), reach))
            }
            _ => None,
        });
        let areas: Vec<Area> = areas.collect();
        if areas.is_empty() {
            return Vec::new();
        }
        let bodies = self.roster.agents.iter().enumerate().filter(|(_, agent)| {
            let at = agent.body.at();
            agent.is_present()
                && !agent.is_inside()
                && areas.iter().any(|area| area.is_near(at, at))
        });
        bodies
            .map(|(number, agent)| {
                let profile = class_of(&self.roster.classes, agent.class).profile;
                Exits { agent: number, ends: self.exits_of(profile, agent.body.at()) }
            })
            .collect()
    }

    /// Returns the states around a point that moves of the space lead to and that a clear segment
    /// joins to it.
    ///
    /// Where edits renumber states, and states are large, uses points around it instead of their
    /// positions.
    fn exits_of(&self, profile: ProfileId, at: Vec3) -> Vec<End<W::State>> {
        if W::RENUMBERS {
            return self.exits_around(profile, at);
        }
        let (space, reach) = (self.ground.world.space(profile), self.escape_reach());
        let mut near: Vec<W::State> = self.ground.world.state_at(profile, at).into_iter().collect();
        let mut next = 0;
        while let Some(&state) = near.get(next) {
            next += 1;
            space.successors(state, |edge| {
                let is_within = space.position(edge.target).distance(at) <= reach;
                if near.len() < MOST_EXITS && is_within && !near.contains(&edge.target) {
                    near.push(edge.target);
                }
            });
        }
        let ends = near.into_iter().map(|state| End { state, point: space.position(state) });
        ends.filter(|end| space.segment_is_clear(at, end.point)).collect()
    }

    /// Points in sight around a point, in rings.
    fn exits_around(&self, profile: ProfileId, at: Vec3) -> Vec<End<W::State>> {
        /// The count of points on a ring.
        const POINTS: u32 = 16;
        let (space, reach) = (self.ground.world.space(profile), self.escape_reach());
        let mut ends = Vec::new();
        for ring in 1..=8 {
            let radius = reach * ring as f32 / 8.0;
            for point in 0..POINTS {
                let ops::SinCos { sin, cos } =
                    ops::sin_cos(std::f32::consts::TAU * point as f32 / POINTS as f32);
                let aside = at + Vec3::new(cos, 0.0, sin) * radius;
                let Some(state) = self.ground.world.state_at(profile, aside) else { continue };
                let Some(point) = self.ground.world.foothold(profile, state, aside) else {
                    continue;
                };
                if space.segment_is_clear(at, point) {
                    ends.push(End { state, point });
                }
            }
        }
        ends
    }

    /// Returns an exit as it is after an edit, if it is still free.
    fn still_free(&self, profile: ProfileId, exit: End<W::State>) -> Option<End<W::State>> {
        if W::RENUMBERS {
            let state = self.ground.world.state_at(profile, exit.point)?;
            return Some(End { state, ..exit });
        }
        self.ground.world.space(profile).check(exit.state).is_ok().then_some(exit)
    }

    /// Finds the remembered states of bodies again, after an edit that may have renumbered
    /// `affected` states. Requests under way name states too: requests with an affected end, or
    /// with an answer not yet taken, are made again. The others stay where they are in the queue,
    /// so even with edits in every tick each gets an answer.
    fn find_states_again(&mut self, affected: &[W::State]) {
        let mut affected: Vec<u32> = affected.iter().map(|state| state.index()).collect();
        affected.sort_unstable();
        self.find_again(|state| affected.binary_search(&state.index()).is_err());
    }

    /// Does the same, given the states that are not affected.
    fn find_again(&mut self, stays: impl Fn(&W::State) -> bool + Copy) {
        for number in 0..self.roster.agents.len() {
            let agent = &mut self.roster.agents[number];
            let profile = class_of(&self.roster.classes, agent.class).profile;
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
                let stands = self.service.planner.query(asked.ticket).is_some_and(|query| {
                    stays(&query.start) && query.goal.states().iter().all(stays)
                });
                if stands {
                    continue;
                }
                agent.errand.answered();
                (agent.is_doubtful, agent.is_alert) = (true, true);
                self.service.planner.cancel(asked.ticket);
            }
        }
    }

    fn escape_reach(&self) -> f32 {
        self.ground.world.grain().max(1.0) * ESCAPE_REACH
    }

    /// Tells the planner of changed states.
    pub(super) fn tell_planner(&mut self, affected: &[W::State]) {
        let Service { planner, engines, .. } = &mut self.service;
        let (Ground { world, links, .. }, classes) = (&self.ground, &self.roster.classes);
        let views = |class| engines.view(world, links, classes, class);
        planner.world_changed(views, &links.with_far_ends(affected));
    }

    /// Follows the opening or shutting of a link: agents that are to use it decide again, and
    /// agents that found no path try again.
    pub(super) fn notice_link(&mut self, link: LinkId) {
        let Some(ends) = self.ground.links.ends(link) else { return };
        self.tell_planner(&ends);
        for agent in &mut self.roster.agents {
            let past = agent.body.leg() + usize::from(agent.is_inside());
            let mut ahead = agent.rail.legs().iter().skip(past);
            if ahead.any(|leg| matches!(leg.hold, Hold::Link { link: used, .. } if used == link.0))
            {
                (agent.is_doubtful, agent.is_alert) = (true, true);
            }
        }
        self.try_again();
    }

    /// Lets agents that found no path try again, in turns.
    fn try_again(&mut self) {
        let turns = self.clock.turns();
        for (number, agent) in self.roster.agents.iter_mut().enumerate() {
            agent.errand.retry_by(self.clock.now + number as u64 % turns);
        }
    }

    fn notice(&mut self, affected: &[W::State], exits: &[Exits<W::State>]) {
        if !affected.is_empty() {
            self.service.engines.world_changed(&self.ground.world, affected);
            self.look_again(affected, exits);
        }
    }

    /// Tells the planner of changed states, and lets agents near them check the rail ahead.
    fn look_again(&mut self, affected: &[W::State], exits: &[Exits<W::State>]) {
        if affected.is_empty() {
            return;
        }
        if W::RENUMBERS {
            self.ground.links.find_ends(link_end(&self.ground.world));
        }
        self.tell_planner(affected);
        if W::RENUMBERS {
            self.find_states_again(affected);
        }
        self.review_near(affected, exits);
    }

    /// Follows new ground, on which all states may be renumbered. The planner restarts stale
    /// searches by itself.
    fn look_at_new_ground(&mut self, affected: &[W::State], exits: &[Exits<W::State>]) {
        self.ground.links.find_ends(link_end(&self.ground.world));
        self.find_again(|_| false);
        for agent in &mut self.roster.agents {
            let profile = class_of(&self.roster.classes, agent.class).profile;
            agent.rail.forget_states_from(self.ground.world.space(profile).state_bound());
        }
        self.review_near(affected, exits);
    }

    /// Lets agents near the last edit check the rail ahead, and agents that found no path try
    /// again.
    fn review_near(&mut self, affected: &[W::State], exits: &[Exits<W::State>]) {
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
        self.try_again();
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
            Some(Hold::Escape) if self.exit_is_free(number) => {
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
        let profile = class_of(&self.roster.classes, agent.class).profile;
        let (point, along) = (agent.body.at(), agent.body.along());
        let Some(state) = self.ground.world.state_at(profile, point) else { return false };
        agent.was_halted |= agent.body.speed() > 0.0;
        agent.body.stop();
        let anchor = Anchor { along, point, state };
        let gait = agent.gait();
        agent.rail.end_at(&mut agent.body, &anchor, &gait, tick);
        self.leave_queue(number);
        self.lose_way(number);
        true
    }

    /// Returns whether the exit that a body is heading for is free.
    fn exit_is_free(&self, number: usize) -> bool {
        let agent = &self.roster.agents[number];
        let profile = class_of(&self.roster.classes, agent.class).profile;
        let exit = agent.rail.legs().get(agent.body.leg()).map(|leg| leg.to);
        exit.is_some_and(|exit| self.ground.world.state_at(profile, exit).is_some())
    }

    /// Checks an agent's position and rail after a change in an area.
    pub(super) fn review(&mut self, number: usize, area: &Area, exits: &[End<W::State>]) {
        let agent = &self.roster.agents[number];
        if agent.way == Way::Stuck {
            return self.review_stuck(number, exits);
        }
        let profile = class_of(&self.roster.classes, agent.class).profile;
        let space = space_around(&self.ground.world, &self.roster.classes, agent);
        let (at, here) = (agent.body.at(), agent.body.leg());
        let hold = agent.rail.legs().get(here).map(|leg| leg.hold);
        let is_midway = agent.rail.is_under_way(&agent.body);
        let stands = hold.is_none_or(|hold| hold != Hold::Escape && !is_midway);
        if stands
            && !agent.is_inside()
            && area.is_near(at, at)
            && self.ground.world.state_at(profile, at).is_none()
        {
            return self.escape(number, exits);
        }
        if hold == Some(Hold::Escape) && !self.exit_is_free(number) {
            return self.escape(number, exits);
        }
        let first = here + usize::from(agent.is_inside());
        let (mut is_touched, mut broken, mut narrowed) = (false, None, Vec::new());
        let mut is_cut_behind = false;
        for (leg, piece) in agent.rail.legs().iter().enumerate().skip(first) {
            // The body reaches beyond the line that its middle follows.
            let (from, to) = (agent.rail.start_of(leg), piece.to);
            if !area.is_near(from.min(to) - piece.room, from.max(to) + piece.room) {
                continue;
            }
            let is_under_way = leg == here && is_midway;
            let is_swept = |from| space.sweep_is_clear(from, to, piece.room);
            let is_whole = piece.hold == Hold::Clear && is_swept(from);
            let is_cut = is_under_way && piece.hold == Hold::Clear && !is_whole;
            let from = if is_cut { at } else { from };
            let goes_on = match piece.hold {
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
            if goes_on || piece.hold != Hold::Clear && agent.rail.is_legal(leg, &space) {
                is_touched = true;
                is_cut_behind |= is_cut;
            } else {
                // Another edit may free the rail again, so later legs are looked at too.
                narrowed.push(leg);
                broken = broken.or(Some(leg));
            }
        }
        for leg in narrowed {
            self.roster.agents[number].rail.lose_room(leg);
        }
        if is_cut_behind {
            let agent = &mut self.roster.agents[number];
            agent.rail.part_at(&mut agent.body);
            broken = broken.map(|leg| leg + 1);
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
    pub(super) fn lose_way(&mut self, number: usize) {
        let agent = &mut self.roster.agents[number];
        let pointless = agent.errand.lose_way();
        agent.is_alert = true;
        self.withdraw(pointless);
    }

    /// Breaks off a broken leg under way: the body stops, goes back to where its move began, or
    /// gets out of the obstacle it was built into.
    fn break_off(&mut self, number: usize, exits: &[End<W::State>]) {
        let agent = &mut self.roster.agents[number];
        let profile = class_of(&self.roster.classes, agent.class).profile;
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
            self.report(Event::Halted { agent, reason });
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
        let profile = class_of(&self.roster.classes, agent.class).profile;
        let at = agent.body.at();
        let hold = agent.rail.legs().get(agent.body.leg()).map(|leg| leg.hold);
        let free = exits.iter().filter_map(|&exit| self.still_free(profile, exit));
        let away = |exit: &End<W::State>| exit.point.distance(at);
        let exit = free.min_by(|a, b| away(a).total_cmp(&away(b)).then(a.state.cmp(&b.state)));
        let is_out = exit.is_none() && hold == Some(Hold::Escape) && self.settle(number);
        let agent = &mut self.roster.agents[number];
        agent.was_halted = true;
        match exit {
            Some(exit) => {
                agent.rail.divert(&mut agent.body, exit, Hold::Escape, Action::Walk);
                agent.trouble = Some(Trouble::GettingOut);
            }
            None if is_out => agent.trouble = None,
            None => {
                agent.body.stop();
                agent.trouble = Some(Trouble::BuiltIn);
                let way = std::mem::replace(&mut agent.way, Way::Stuck);
                if let Way::Waiting(link) = way
                    && let Some(usage) = self.traffic.links_in_use.get_mut(link.0 as usize)
                {
                    usage.forget(AgentId(number as u32));
                }
            }
        }
        let reason = HaltReason::ObstacleAppeared;
        self.report(Event::Halted { agent: AgentId(number as u32), reason });
        self.leave_queue(number);
        self.lose_way(number);
    }
}

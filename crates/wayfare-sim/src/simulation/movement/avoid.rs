//! The movement of agents that avoid each other.
//!
//! A body that may leave its rail is *loose*. In each tick the others move along their rails first.
//! A loose body prefers the velocity of its rail. If no other body is in its path, it makes the
//! very move that it would make without avoidance. Otherwise a [crowd](wayfare_crowd) chooses a
//! move for it and proves it; its rail then begins at its new position
//! ([`Rail::rejoin`](crate::agent::Rail)). So the body is on a rail with a proof after every tick,
//! and all invariants of edits, links and new paths apply to it as to the others.
//!
//! Bodies that fly or swim are a crowd of their own, in three dimensions. It moves after the crowd
//! on the ground, whose moves it knows.

use glam::Vec3;
use wayfare_core::space::ProfileId;
use wayfare_core::walls::WallSide;
use wayfare_crowd::inside::{Floater, Grounds, Lead, Member, OfEach, Role};
use wayfare_crowd::{AvoidanceQuality, CrowdAgent, WhenStanding};

use crate::agent::{Anchor, Hold, Rail};
use crate::simulation::errands::{Errands, Lookout};
use crate::simulation::roster::{Agent, Classes, Cover, Errand, Way};
use crate::simulation::traffic::bodies::Bodies;
use crate::simulation::{AvoidanceManner, Environment};

/// A body asks for another path after its rail was out of sight for this time, in seconds,
const STRAYED: f32 = 1.0;
/// or after it was stuck for this time, in seconds.
const WAITED: f32 = 4.0;

/// The share of its radius within which a body that others block has reached its goal. With less
/// than 1, a body could stand for ever if another one beside the goal keeps it from the middle.
const AT_GOAL: f32 = 1.0;

/// The part of its radius within which a body has come to a corner of its rail.
const AT_CORNER: f32 = 0.25;

/// The walls of a world, by profile.
struct Floor<'w, W>(&'w W);

impl<W: Environment> Grounds for Floor<'_, W> {
    fn sides_near(
        &self,
        ground: u16,
        at: Vec3,
        radius: f32,
        range: f32,
        mut visit: impl FnMut(WallSide),
    ) -> bool {
        self.0.wall_sides(ProfileId(ground), at, radius, range, &mut visit)
    }

    fn wall_points(&self, ground: u16, at: Vec3, range: f32, mut visit: impl FnMut(Vec3)) {
        self.0.wall_points(ProfileId(ground), at, range, &mut visit);
    }

    fn is_clear(&self, ground: u16, from: Vec3, to: Vec3, radius: f32) -> bool {
        self.0.move_is_clear(ProfileId(ground), from, to, radius)
    }
}

/// Returns whether a body may leave its rail.
pub(in crate::simulation) fn is_loose<W: Environment>(
    world: &W,
    classes: &Classes,
    agent: &Agent<W::State>,
) -> bool {
    let may_be = W::AVOIDING == AvoidanceManner::BesideRails;
    if !may_be || agent.evasion.is_none() || agent.way != Way::Free {
        return false;
    }
    let (radius, at) = (agent.limits.radius, agent.body.at());
    match agent.rail.legs().get(agent.body.leg()) {
        Some(leg) => leg.hold == Hold::Clear && leg.room >= radius,
        // A path that was asked for begins just here.
        None if agent.errand.asked().is_some() => false,
        None => Floor(world).is_clear(classes.profile(agent.class).0, at, at, radius),
    }
}

impl<W: Environment> Lookout<'_, W> {
    /// Returns whether a body flies or swims.
    fn floats(&self, agent: &Agent<W::State>) -> bool {
        self.ground.world.is_afloat(self.roster.classes.profile(agent.class), agent.body.at())
    }

    /// Shows a body on the ground, with its move of this tick, to bodies that fly or swim: as a
    /// pile of balls of its height, which nothing stops.
    fn show_walker(
        &self,
        number: usize,
        (member, role): (&Member, &Role),
        floaters: &mut Vec<Floater>,
    ) {
        let tick = self.clock.tick();
        let CrowdAgent { position, velocity, radius, height, .. } = member.agent;
        let by = velocity * tick;
        let lead = Some(Lead { by: Some(by), keeps: true, left: 0.0 });
        let pitch = 1.5 * radius;
        // No more of a giant than of a thin tower.
        let balls = ((height - self.ground.world.grain()).max(0.0) / pitch).ceil().min(8.0) as u32;
        floaters.extend((0..=balls).map(|ball| {
            let position = position - by + Vec3::Y * (pitch * ball as f32);
            let quality = AvoidanceQuality::Off;
            let agent = CrowdAgent { position, quality, ..member.agent };
            let role = Role { lead, ..*role };
            Floater { number: number as u32, member: Member { agent, ..*member }, role }
        }));
    }

    /// Returns a loose body as a member of its crowd.
    fn loose(&self, number: usize, floats: bool) -> Option<(Member, Role)> {
        let (agent, tick) = (&self.roster.agents[number], self.clock.tick());
        let evasion = agent.evasion.as_deref()?;
        let (gait, at) =
            (agent.gait_on(self.roster.ground_factor(number, &self.ground.world)), agent.body.at());
        let mut next = agent.body;
        next.advance(&agent.rail, &gait, tick);
        let by = seen_by_crowd(next.at() - at, floats);
        // A body that was pushed aside comes back to its rail within its acceleration.
        let change = gait.acceleration * tick * 1.05;
        // Whatever has stopped the body since, it begins from the speed that it has now.
        let velocity = seen_by_crowd(evasion.velocity, floats);
        let velocity = velocity.clamp_length_max(agent.body.speed());
        let is_smooth = evasion.was_on_rail || (by / tick).distance(velocity) <= change;
        let ahead = evasion.avoidance.model.aims_ahead(gait.radius);
        let wish = agent.body.wish(&agent.rail, &gait, tick, ahead, floats);
        let (goal, is_settled) = match agent.errand {
            Errand::UnderWay { aim, cover: Cover::Whole } => (Some(aim.to), false),
            Errand::Reached { aim } => (Some(aim.to), true),
            // Who has come to a goal stands for it, so that others with that goal settle beside it.
            Errand::None => (evasion.goal, evasion.is_settled),
            _ => (None, false),
        };
        // A body above its present largest speed slows down.
        let slowed = velocity.length() - gait.acceleration * tick;
        let body = CrowdAgent {
            velocity,
            preferred: wish,
            goal,
            // A hair more, so that no rounding makes the wish too fast.
            max_speed: gait.max_speed.max(slowed) * 1.0001,
            acceleration: gait.acceleration,
            quality: evasion.avoidance.quality,
            ..self.seen(agent, at)
        };
        let ground = self.roster.classes.profile(agent.class).0;
        // Beyond a corner, the next points of the rail may be out of sight from beside it. A body
        // that others push aside a little would circle round the corner for ever.
        let leg = agent.rail.legs().get(agent.body.leg());
        let keeps = leg
            .is_some_and(|leg| leg.until - agent.body.along() <= agent.limits.radius * AT_CORNER);
        let by = is_smooth.then_some(by);
        let left = self.way_left(number);
        let lead = Some(Lead { by, keeps, left });
        let passes = agent.quarry().map(|who| who.0);
        let group = agent.group.map(|group| group.0);
        let (stuck, model) = (evasion.stuck, evasion.avoidance.model);
        let member = Member { is_settled, stuck, ..Member::new(body) };
        Some((member, Role { ground, model, lead, passes, group }))
    }

    /// Returns a body as others see it.
    fn seen(&self, agent: &Agent<W::State>, at: Vec3) -> CrowdAgent {
        let avoidance = agent.avoidance();
        CrowdAgent {
            radius: agent.limits.radius,
            height: self.ground.world.body_height(self.roster.classes.profile(agent.class)),
            priority: avoidance.priority,
            layers: avoidance.layers,
            mask: avoidance.mask,
            // Bodies with nothing to do step aside for passing ones.
            when_standing: match agent.errand {
                Errand::None => WhenStanding::Parts,
                _ => WhenStanding::Shares,
            },
            ..CrowdAgent::at(at)
        }
    }
}

impl<W: Environment> Errands<'_, W> {
    /// Moves all bodies: bodies on rails first, then the loose ones.
    pub(in crate::simulation) fn move_bodies(&mut self, bodies: &mut Bodies) {
        if W::AVOIDING == AvoidanceManner::AlongRails {
            return self.move_along_rails(bodies);
        }
        let tick = self.clock.tick();
        let Bodies { ground, volume, .. } = bodies;
        let mut is_any_afloat = false;
        ground.gather(self.clock.seconds());
        volume.floaters.clear();
        for number in 0..self.roster.agents.len() {
            let agent = &self.roster.agents[number];
            let is_loose = is_loose(&self.ground.world, &self.roster.classes, agent);
            let floats = self.look().floats(agent);
            let member =
                if is_loose { self.look().loose(number, floats) } else { self.carried(number) };
            let Some((member, role)) = member else { continue };
            if floats {
                is_any_afloat |= is_loose;
                volume.floaters.push(Floater { number: number as u32, member, role });
            } else {
                ground.put(number, &member, role);
            }
        }
        for (number, (disc, role)) in
            (self.roster.agents.len()..).zip(self.ground.moving_obstacles.members(self.clock.now))
        {
            ground.put(number, &disc, role);
        }
        ground.step_on(&OfEach, &Floor(&self.ground.world), tick);
        for number in 0..self.roster.agents.len() {
            if let Some(member) = ground.member(number)
                && member.agent.quality != AvoidanceQuality::Off
            {
                self.follow(number, &member, false);
            }
        }
        if is_any_afloat {
            for number in 0..ground.bound() {
                if let Some(member) = ground.member(number) {
                    let shown = (&member, ground.role(number));
                    self.look().show_walker(number, shown, &mut volume.floaters);
                }
            }
            volume.step_on(&Floor(&self.ground.world), self.clock.seconds(), tick);
            for Floater { number, member, .. } in &volume.floaters {
                if member.agent.quality != AvoidanceQuality::Off {
                    self.follow(*number as usize, member, true);
                }
            }
        }
    }

    /// Moves a body along its rail. Others see it as one that nothing stops.
    fn carried(&mut self, number: usize) -> Option<(Member, Role)> {
        let agent = &self.roster.agents[number];
        let (before, is_inside) = (agent.body.at(), agent.is_inside());
        self.move_along(number);
        let tick = self.clock.tick();
        let agent = &mut self.roster.agents[number];
        let by = agent.body.at() - before;
        if let Some(evasion) = &mut agent.evasion {
            (evasion.velocity, evasion.was_on_rail) = (by / tick, true);
        }
        if !agent.is_present() || is_inside || agent.limits.radius <= 0.0 {
            return None;
        }
        let velocity = by / tick;
        let agent = &self.roster.agents[number];
        let body = CrowdAgent {
            velocity,
            preferred: velocity,
            quality: AvoidanceQuality::Off,
            ..self.look().seen(agent, before)
        };
        let by = Some(by);
        // A body that nothing stops gives way to no other.
        let lead = Some(Lead { by, keeps: true, left: 0.0 });
        let passes = agent.quarry().map(|who| who.0);
        let group = agent.group.map(|group| group.0);
        Some((Member::new(body), Role { lead, passes, group, ..*Role::PLAIN }))
    }

    /// Makes the move of a loose body that its crowd has chosen.
    fn follow(&mut self, number: usize, member: &Member, floats: bool) {
        let tick = self.clock.tick();
        let agent = &mut self.roster.agents[number];
        let (before, speed) = (agent.body.at(), agent.body.speed());
        let is_on_rail = member.was_led;
        if is_on_rail {
            self.move_along(number);
        } else {
            self.leave_rail(number, member.agent.position, floats);
        }
        let agent = &mut self.roster.agents[number];
        let after = agent.body.at();
        let Some(evasion) = &mut agent.evasion else { return };
        evasion.velocity = seen_by_crowd((after - before) / tick, floats);
        evasion.was_on_rail = is_on_rail;
        (evasion.stuck, evasion.goal) = (member.stuck, member.agent.goal);
        evasion.is_settled = member.is_settled;
        evasion.waited = if member.stuck < 1.0 { 0.0 } else { evasion.waited + tick };
        let is_lost = evasion.strayed > STRAYED;
        let is_jammed = evasion.waited > WAITED;
        if is_lost {
            evasion.strayed = 0.0;
        }
        if is_jammed {
            evasion.waited = 0.0;
        }
        if is_on_rail {
            return;
        }
        if speed - agent.body.speed() > agent.limits.acceleration * tick * 1.1 {
            agent.was_halted = true; // by a body in its path
        }
        let is_last = matches!(agent.errand, Errand::UnderWay { cover: Cover::Whole, .. })
            && agent.rail.end() >= agent.rail.length();
        let left = (agent.rail.length() - agent.rail.short() - agent.body.along()).max(0.0);
        if is_last && (member.is_settled || left <= agent.limits.radius * AT_GOAL) {
            self.settle_round_goal(number);
        } else if is_lost && agent.errand.is_open() {
            self.lose_way(number);
        } else if is_jammed && self.clock.settings.jams.is_some() {
            self.weigh_ways(number);
        } else if is_jammed {
            (agent.is_doubtful, agent.is_alert) = (true, true);
        }
    }

    /// Puts a body beside its rail, which begins there from now on.
    fn leave_rail(&mut self, number: usize, to: Vec3, floats: bool) {
        let tick = self.clock.tick();
        let agent = &mut self.roster.agents[number];
        let profile = self.roster.classes.profile(agent.class);
        if to == agent.body.at() {
            return agent.body.stop();
        }
        let Some((state, ground)) = self.ground.world.state_below(profile, to) else {
            return agent.body.stop();
        };
        // Only the height is that of the ground: the distance to others was proved for this
        // position.
        let ground = ground.filter(|_| !floats);
        let to = ground.map_or(to, |ground| to.with_y(ground.y));
        let gait = agent.gait();
        let space = self.ground.world.space_for_bodies(profile);
        let Some(evasion) = &mut agent.evasion else { return };
        let seen = (&space, &mut evasion.swath);
        let rejoined = agent.rail.rejoin(&agent.body, to, agent.limits.radius, seen);
        agent.body.push(to, &gait, tick, floats);
        let Some(rejoined) = rejoined else {
            let had_way = !agent.rail.legs().is_empty() && agent.errand.is_open();
            agent.rail = Rail::standing(to, state);
            if had_way {
                self.lose_way(number);
            }
            return;
        };
        agent.errand.move_anchor(|along| rejoined.place(along));
        agent.rail.change_limits(&gait, tick);
        evasion.strayed = if rejoined.is_lost { evasion.strayed + tick } else { 0.0 };
    }

    /// Takes the room from the legs ahead of a body that avoids others from now on, where it was
    /// not proved for such bodies.
    pub(in crate::simulation) fn prove_rooms(&mut self, number: usize) {
        let agent = &self.roster.agents[number];
        let space = self.ground.space_around(self.roster.classes.profile(agent.class), agent);
        let legs = agent.body.leg()..agent.rail.legs().len();
        let unproved: Vec<usize> = legs.filter(|&leg| !agent.rail.is_legal(leg, &space)).collect();
        for leg in unproved.into_iter().rev() {
            self.lose_room(number, leg);
        }
    }

    /// Settles a body that has come as near to its goal as the bodies there let it.
    fn settle_round_goal(&mut self, number: usize) {
        let agent = &self.roster.agents[number];
        let profile = self.roster.classes.profile(agent.class);
        let (point, along) = (agent.body.at(), agent.body.along());
        let Some(state) = self.ground.world.state_at(profile, point) else { return };
        self.end_rail(number, &Anchor { along, point, state });
        self.arrive(number);
    }
}

/// Returns a vector as the crowd of a body sees it: from above, unless it flies or swims.
fn seen_by_crowd(vector: Vec3, floats: bool) -> Vec3 {
    if floats { vector } else { vector.with_y(0.0) }
}

//! The members of a crowd, kept in the order of cells from step to step.
//!
//! A member has a *key*, and lies in a *slot*: an index into columns. Each step sorts the slots by
//! cell, and by key within a cell. So the order depends on the positions alone, and not on the
//! steps before. Bodies move little within a step, so a sort moves most of them little in memory.
//!
//! A step reads and writes [`Body`] and [`Want`]. The [`Rest`] lies aside, by key.

use glam::Vec3;

use super::cells::Body;
use super::grounds::Standpoint;
use super::moves::Moves;
use super::program::greater;
use super::solver::{Member, Role};
use super::{AvoidanceQuality, CrowdAgent, WhenStanding};

/// The slot of a key without a member.
const ABSENT: u32 = u32::MAX;

/// What a body wants. Of no concern to others.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Want<V> {
    pub(super) preferred: V,
    pub(super) max_speed: f32,
    pub(super) horizon: f32,
    pub(super) acceleration: f32,
    /// See [`Member::stuck`].
    pub(super) stuck: f32,
    /// The height of its position.
    pub(super) up: f32,
    ground: u16,
    pub(super) priority: u8,
    pub(super) quality: AvoidanceQuality,
    pub(super) when_standing: WhenStanding,
    /// Whether its preferred velocity is zero.
    pub(super) prefers_to_stand: bool,
    pub(super) is_settled: bool,
    was_led: bool,
    pub(super) is_led: bool,
    /// Whether it presses where it is stuck: see [`right_of_way`](super::right_of_way).
    pub(super) presses: bool,
    /// Whether it was moved since its velocity was set.
    is_moved: bool,
    /// Whether its velocities as they were set are level.
    is_level: bool,
}

impl<V: Moves> Want<V> {
    /// Returns how many others it looks at; none if it moves as told.
    #[inline]
    pub(super) fn most(&self) -> usize {
        self.quality.neighbours()
    }

    /// Returns whether it moves as told.
    #[inline]
    pub(super) fn is_told(&self) -> bool {
        self.quality == AvoidanceQuality::Off
    }

    #[inline]
    pub(super) fn is_standing(&self) -> bool {
        self.prefers_to_stand || self.is_settled
    }

    /// Returns whether it makes way for nobody.
    #[inline]
    pub(super) fn holds(&self) -> bool {
        self.is_told() || self.is_standing() && self.when_standing == WhenStanding::Holds
    }

    #[inline]
    pub(super) fn standpoint(&self, body: &Body<V>) -> Standpoint {
        let position = body.at.raised(self.up);
        Standpoint { ground: self.ground, position, radius: body.radius }
    }

    /// Takes over the end of a step.
    #[inline]
    pub(super) fn end(&mut self, is_settled: bool, was_led: bool, stuck: f32) {
        (self.is_settled, self.was_led, self.stuck) = (is_settled, was_led, stuck);
        self.is_moved = true;
    }
}

/// The properties of a member that few steps read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rest {
    pub(super) goal: Option<Vec3>,
    pub(super) height: f32,
    pub(super) layers: u32,
    pub(super) mask: u32,
    /// The vertical parts of its velocities, on the ground.
    preferred_up: f32,
    velocity_up: f32,
}

/// What all members have in common, and the maxima over them, as far as steps do not change them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Common {
    /// The sum of their radii, in the order of keys.
    radii: f32,
    pub(super) radius: f32,
    pub(super) speed: f32,
    /// The most others that one looks at.
    pub(super) most: usize,
    /// Layers that all are on, layers that all avoid, and heights that all cover.
    layers: u32,
    mask: u32,
    low: f32,
    high: f32,
    /// Whether some may pass through others.
    some_pass: bool,
    /// Whether any has a goal, a rail or a group.
    pub(super) some_aim: bool,
}

impl Default for Common {
    fn default() -> Self {
        Self {
            radii: 0.0,
            radius: 0.0,
            speed: 0.0,
            most: 0,
            layers: u32::MAX,
            mask: u32::MAX,
            low: f32::NEG_INFINITY,
            high: f32::INFINITY,
            some_pass: false,
            some_aim: false,
        }
    }
}

impl Common {
    /// Returns whether each body interacts with each other one.
    #[inline]
    pub(super) fn all_interact(&self) -> bool {
        self.low < self.high && self.layers & self.mask != 0 && !self.some_pass
    }

    /// Adds a member of a key above all before. `is_part`: bodies may share its id.
    fn add<V: Moves>(&mut self, (body, want): (&Body<V>, &Want<V>), rest: &Rest, role: &Role) {
        let (low, high) = V::heights(want.up, rest.height);
        self.radii += body.radius;
        self.radius = greater(self.radius, body.radius);
        self.speed = greater(self.speed, want.max_speed);
        self.most = self.most.max(want.most());
        (self.layers, self.mask) = (self.layers & rest.layers, self.mask & rest.mask);
        (self.low, self.high) = (greater(self.low, low), -greater(-self.high, -high));
        self.some_pass |= role.passes.is_some();
        self.some_aim |= want.is_led || rest.goal.is_some() || role.group.is_some();
    }
}

/// The members: those of [`Step`](super::step::Step).
#[derive(Clone, Debug, Default)]
pub(super) struct Store<V> {
    /// By slot.
    pub(super) keys: Vec<u32>,
    pub(super) points: Vec<V>,
    pub(super) bodies: Vec<Body<V>>,
    pub(super) wants: Vec<Want<V>>,
    /// By key.
    pub(super) slots: Vec<u32>,
    pub(super) rests: Vec<Rest>,
    /// `None` after a change that may lower a maximum.
    common: Option<Common>,
}

impl<V: Moves> Store<V> {
    /// Forgets all members.
    pub(super) fn clear(&mut self) {
        let Self { keys, points, bodies, wants, slots, rests, common } = self;
        keys.clear();
        points.clear();
        bodies.clear();
        wants.clear();
        slots.clear();
        rests.clear();
        *common = Some(Common::default());
    }

    /// Returns a bound above all keys.
    pub(super) fn bound(&self) -> usize {
        self.slots.len()
    }

    /// Adds a member under a key above all before. Of bodies of one id none interact.
    pub(super) fn put(&mut self, key: usize, number: u32, member: &Member, role: &Role) {
        let is_part = self.bodies.last().is_some_and(|last| last.number >= number);
        self.slots.resize(key, ABSENT);
        self.rests.resize(key, Rest::default());
        self.slots.push(self.keys.len() as u32);
        let (body, want, rest) = columns(member, role, number);
        if let Some(common) = &mut self.common {
            common.add((&body, &want), &rest, role);
            common.some_pass |= is_part;
        }
        self.keys.push(key as u32);
        self.points.push(body.at);
        self.bodies.push(body);
        self.wants.push(want);
        self.rests.push(rest);
    }

    /// Takes a member out.
    pub(super) fn remove(&mut self, key: usize) {
        let Some(slot) = self.slot(key) else { return };
        self.keys.swap_remove(slot);
        self.points.swap_remove(slot);
        self.bodies.swap_remove(slot);
        self.wants.swap_remove(slot);
        self.slots[key] = ABSENT;
        if let Some(&moved) = self.keys.get(slot) {
            self.slots[moved as usize] = slot as u32;
        }
        self.common = None;
    }

    #[inline]
    fn slot(&self, key: usize) -> Option<usize> {
        self.slots.get(key).filter(|&&slot| slot != ABSENT).map(|&slot| slot as usize)
    }

    /// Returns whether a key has a member.
    #[inline]
    pub(super) fn has(&self, key: usize) -> bool {
        self.slot(key).is_some()
    }

    /// Returns a member.
    pub(super) fn member(&self, key: usize) -> Option<Member> {
        let slot = self.slot(key)?;
        let (body, want, rest) = (&self.bodies[slot], &self.wants[slot], &self.rests[key]);
        let velocity_up = match want.is_moved {
            true if want.is_told() => rest.preferred_up,
            true => 0.0,
            false => rest.velocity_up,
        };
        let agent = CrowdAgent {
            position: body.at.raised(want.up),
            velocity: body.velocity.raised(velocity_up),
            preferred: want.preferred.raised(rest.preferred_up),
            goal: rest.goal,
            radius: body.radius,
            height: rest.height,
            max_speed: want.max_speed,
            acceleration: want.acceleration,
            horizon: want.horizon,
            priority: want.priority,
            quality: want.quality,
            when_standing: want.when_standing,
            layers: rest.layers,
            mask: rest.mask,
        };
        let &Want { stuck, is_settled, was_led, .. } = want;
        Some(Member { agent, stuck, is_settled, was_led })
    }

    /// Returns whether a member has settled round its goal.
    pub(super) fn is_settled(&self, key: usize) -> bool {
        self.slot(key).is_some_and(|slot| self.wants[slot].is_settled)
    }

    /// Changes a member, that has a role.
    pub(super) fn set(&mut self, key: usize, member: &Member, role: &Role) {
        let (Some(slot), Some(before)) = (self.slot(key), self.member(key)) else { return };
        let limits = |it: &CrowdAgent| {
            (it.position.y, it.radius, it.height, it.max_speed, it.quality, it.layers, it.mask)
        };
        let (before, after) = (&before.agent, &member.agent);
        if limits(before) != limits(after) || before.goal.is_some() != after.goal.is_some() {
            self.common = None;
        }
        let (body, want, rest) = columns(member, role, self.bodies[slot].number);
        (self.points[slot], self.bodies[slot], self.wants[slot]) = (body.at, body, want);
        self.rests[key] = rest;
    }

    /// Changes the preferred velocity of a member.
    #[inline]
    pub(super) fn prefer(&mut self, key: usize, preferred: Vec3) {
        let Some(slot) = self.slot(key) else { return };
        let want = &mut self.wants[slot];
        if want.is_level && preferred.y == 0.0 {
            want.preferred = V::of(preferred);
            want.prefers_to_stand = preferred == Vec3::ZERO;
        } else if let Some(Member { agent, .. }) = self.member(key) {
            let (want, rest) = (&mut self.wants[slot], &mut self.rests[key]);
            want.take_velocities(&CrowdAgent { preferred, ..agent });
            (rest.preferred_up, rest.velocity_up) = (preferred.y, agent.velocity.y);
        }
    }

    /// Returns what the members have in common. `roles`: by key, or none if all are plain.
    pub(super) fn common(&mut self, roles: &[Role]) -> Common {
        let Self { slots, bodies, wants, rests, .. } = &*self;
        let of_all = || {
            let mut common = Common::default();
            for (key, &slot) in slots.iter().enumerate().filter(|(_, slot)| **slot != ABSENT) {
                let body = (&bodies[slot as usize], &wants[slot as usize]);
                common.add(body, &rests[key], role(roles, key as u32));
            }
            common
        };
        let common = self.common.unwrap_or_else(of_all);
        self.common = Some(common);
        common
    }

    /// Returns the mean radius of the members that have this in common.
    pub(super) fn mean_radius(&self, common: &Common) -> f32 {
        common.radii / self.keys.len().max(1) as f32
    }
}

impl<V: Moves> Want<V> {
    fn take_velocities(&mut self, agent: &CrowdAgent) {
        self.preferred = V::of(agent.preferred);
        self.prefers_to_stand = agent.preferred == Vec3::ZERO;
        self.is_level = agent.preferred.y == 0.0 && agent.velocity.y == 0.0;
        self.is_moved = false;
    }
}

/// Returns the role of a key.
#[inline]
pub(super) fn role(roles: &[Role], key: u32) -> &Role {
    roles.get(key as usize).unwrap_or(Role::PLAIN)
}

/// Returns a member as columns have it.
fn columns<V: Moves>(member: &Member, role: &Role, number: u32) -> (Body<V>, Want<V>, Rest) {
    let agent = &member.agent;
    let body = Body {
        at: V::of(agent.position),
        velocity: V::of(agent.velocity),
        radius: agent.radius,
        weight: 1.0,
        reach: 0.0,
        number,
    };
    let mut want = Want {
        max_speed: agent.max_speed,
        horizon: agent.horizon,
        acceleration: agent.acceleration,
        stuck: member.stuck,
        up: agent.position.y,
        ground: role.ground,
        priority: agent.priority,
        quality: agent.quality,
        when_standing: agent.when_standing,
        is_settled: member.is_settled,
        was_led: member.was_led,
        is_led: role.lead.is_some(),
        ..Want::default()
    };
    want.take_velocities(agent);
    let rest = Rest {
        goal: agent.goal,
        height: agent.height,
        layers: agent.layers,
        mask: agent.mask,
        preferred_up: agent.preferred.y,
        velocity_up: agent.velocity.y,
    };
    (body, want, rest)
}

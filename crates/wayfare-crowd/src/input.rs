//! The members of a crowd as a step reads them.

use glam::Vec3;

use super::cells::Body;
use super::grounds::Standpoint;
use super::model::Steerings;
use super::moves::Moves;
use super::program::greater;
use super::solver::{Member, Role};
use super::stuck::PRESSES;
use super::{AvoidanceQuality, CrowdAgent, WhenStanding};

/// The members of a crowd, by their place in the input.
pub(super) trait Members<'m>: Copy + Sync {
    fn count(self) -> usize;

    /// Returns the id of a member.
    fn number(self, place: u32) -> u32;

    fn member(self, place: u32) -> &'m Member;

    fn role(self, place: u32) -> &'m Role;
}

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
    height: f32,
    ground: u16,
    /// How many others it looks at; none if it moves as told.
    pub(super) most: u8,
    pub(super) is_led: bool,
    /// Whether it presses where it is stuck: see [`right_of_way`](super::right_of_way).
    pub(super) presses: bool,
    /// Whether it makes way for nobody.
    pub(super) holds: bool,
}

/// Maxima over bodies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub(super) radius: f32,
    pub(super) speed: f32,
    pub(super) reach: f32,
    /// Layers that all are on, layers that all avoid, and heights that all cover.
    layers: u32,
    mask: u32,
    low: f32,
    high: f32,
    /// Whether some bodies may pass through others.
    some_pass: bool,
    /// The most others that a body looks at.
    pub(super) most: usize,
    /// Whether any body has a goal, a rail or a group.
    pub(super) some_aim: bool,
    /// Whether any body is stuck that presses.
    pub(super) some_stuck: bool,
}

impl Default for Extent {
    fn default() -> Self {
        Self {
            radius: 0.0,
            speed: 0.0,
            reach: 0.0,
            layers: u32::MAX,
            mask: u32::MAX,
            low: f32::NEG_INFINITY,
            high: f32::INFINITY,
            some_pass: false,
            most: 0,
            some_aim: false,
            some_stuck: false,
        }
    }
}

impl Extent {
    /// Returns whether each body interacts with each other one.
    #[inline]
    pub(super) fn all_interact(&self) -> bool {
        self.low < self.high && self.layers & self.mask != 0 && !self.some_pass
    }

    /// Returns the maxima over the bodies of both.
    #[inline]
    pub(super) fn with(self, other: &Self) -> Self {
        Self {
            radius: greater(self.radius, other.radius),
            speed: greater(self.speed, other.speed),
            reach: greater(self.reach, other.reach),
            layers: self.layers & other.layers,
            mask: self.mask & other.mask,
            low: greater(self.low, other.low),
            high: -greater(-self.high, -other.high),
            some_pass: self.some_pass | other.some_pass,
            most: self.most.max(other.most),
            some_aim: self.some_aim | other.some_aim,
            some_stuck: self.some_stuck | other.some_stuck,
        }
    }
}

/// Returns a member as others see it, and what it wants; adds it to the maxima.
#[inline]
pub(super) fn taken_in<'m, V: Moves>(
    members: impl Members<'m>,
    place: u32,
    steering: &impl Steerings<V>,
    (dt, extent): (f32, &mut Extent),
) -> (Body<V>, Want<V>) {
    let (member, role) = (members.member(place), members.role(place));
    let (agent, number) = (&member.agent, members.number(place));
    let is_standing = agent.preferred == Vec3::ZERO || member.is_settled;
    let body = Body {
        at: V::of(agent.position),
        velocity: V::of(agent.velocity),
        radius: agent.radius,
        weight: weight(agent, is_standing),
        reach: reach::<V>(member, role, dt),
        number,
    };
    let want = Want {
        preferred: V::of(agent.preferred),
        max_speed: agent.max_speed,
        horizon: agent.horizon,
        acceleration: agent.acceleration,
        stuck: member.stuck,
        height: agent.position.y,
        ground: role.ground,
        most: agent.quality.neighbours() as u8,
        is_led: role.lead.is_some(),
        presses: !steering.takes_turns(role),
        holds: agent.quality == AvoidanceQuality::Off
            || is_standing && agent.when_standing == WhenStanding::Holds,
    };
    let (low, high) = V::heights(agent);
    // Ids that rise are all different.
    let is_part = place > 0 && members.number(place - 1) >= number;
    *extent = extent.with(&Extent {
        radius: body.radius,
        speed: want.max_speed,
        reach: body.reach,
        layers: agent.layers,
        mask: agent.mask,
        low,
        high,
        some_pass: role.passes.is_some() || is_part,
        most: want.most.into(),
        some_aim: want.is_led || agent.goal.is_some() || role.group.is_some(),
        some_stuck: want.presses && want.stuck >= PRESSES,
    });
    (body, want)
}

impl<V: Moves> Want<V> {
    #[inline]
    pub(super) fn standpoint(&self, body: &Body<V>) -> Standpoint {
        let position = body.at.raised(self.height);
        Standpoint { ground: self.ground, position, radius: body.radius }
    }
}

/// The weight of a body that moves as told.
pub(super) const UNSTOPPABLE: f32 = 1.0e12;

/// Returns the weight by which others give way to a body.
#[inline]
fn weight(agent: &CrowdAgent, is_standing: bool) -> f32 {
    let priority = f32::from(agent.priority) + 1.0;
    match agent.when_standing {
        _ if agent.quality == AvoidanceQuality::Off => UNSTOPPABLE,
        WhenStanding::Holds if is_standing => priority * 1.0e5,
        WhenStanding::Parts if is_standing => priority * 1.0e-5,
        _ => priority,
    }
}

/// Returns how far a body can move within a step.
#[inline]
fn reach<V: Moves>(member: &Member, role: &Role, dt: f32) -> f32 {
    let agent = &member.agent;
    if agent.quality == AvoidanceQuality::Off {
        return told::<V>(member, role, dt).length();
    }
    let speed = V::of(agent.velocity).length() + agent.acceleration * dt;
    let free = speed.min(agent.max_speed) * dt;
    // Along a rail its last move may have cut a corner, so that the next one is longer than that.
    let led = role.lead.and_then(|lead| lead.by);
    led.map_or(free, |by| free.max(V::of(by).length()))
}

/// Returns the move of a body that moves as told.
pub(super) fn told<V: Moves>(member: &Member, role: &Role, dt: f32) -> V {
    let by = role.lead.and_then(|lead| lead.by);
    by.map_or_else(|| V::of(member.agent.preferred) * dt, V::of)
}

//! The members of a crowd as a step reads them.

use super::WhenStanding;
use super::cells::Body;
use super::model::Steerings;
use super::moves::Moves;
use super::program::greater;
use super::solver::Role;
use super::store::{Common, Rest, Want};
use super::stuck::PRESSES;

/// The properties of a body, besides its [`Body`], that others see, in the same order. None of them
/// are kept if all bodies see each other, and none has a goal, a rail or a group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner<V> {
    pub(super) goal: Option<V>,
    layers: u32,
    mask: u32,
    low: f32,
    high: f32,
    pub(super) is_settled: bool,
    pub(super) is_standing: bool,
    /// Whether it follows a rail.
    pub(super) is_led: bool,
    /// The remaining distance on the rail; infinite without one.
    left: f32,
    passes: Option<u32>,
    pub(super) group: Option<u32>,
}

impl<V: Moves> Manner<V> {
    pub(super) fn of(want: &Want<V>, rest: &Rest, role: &Role) -> Self {
        let (low, high) = V::heights(want.up, rest.height);
        Self {
            goal: rest.goal.map(V::of),
            layers: rest.layers,
            mask: rest.mask,
            low,
            high,
            is_settled: want.is_settled,
            is_standing: want.is_standing(),
            is_led: want.is_led,
            left: role.lead.map_or(f32::INFINITY, |lead| lead.left),
            passes: role.passes,
            group: role.group,
        }
    }
}

/// Returns whether two bodies are kept apart.
#[inline]
pub(super) fn interact<V>(
    (a, a_number): (&Manner<V>, u32),
    (b, b_number): (&Manner<V>, u32),
) -> bool {
    let pass = a.passes == Some(b_number) || b.passes == Some(a_number);
    let meet =
        (a.mask & b.layers != 0 || b.mask & a.layers != 0) && a.low < b.high && b.low < a.high;
    a_number != b_number && meet && !pass
}

/// Returns whether the first of two bodies lets the second one go first: it is under way along a
/// rail, and has farther to go. Bodies without a rail never do.
#[inline]
pub(super) fn yields<V>(
    (first, first_number): (&Manner<V>, u32),
    (second, second_number): (&Manner<V>, u32),
) -> bool {
    let is_farther =
        first.left > second.left || first.left == second.left && first_number > second_number;
    is_farther && first.left < f32::INFINITY && !first.is_standing
}

/// Maxima over bodies.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extent {
    pub(super) radius: f32,
    pub(super) speed: f32,
    pub(super) reach: f32,
    /// Whether any body is stuck that presses.
    pub(super) some_stuck: bool,
}

impl Extent {
    /// Returns the maxima before any body is looked at.
    pub(super) fn of(common: &Common) -> Self {
        Self { radius: common.radius, speed: common.speed, reach: 0.0, some_stuck: false }
    }

    /// Adds a body.
    #[inline]
    pub(super) fn add<V: Moves>(&mut self, body: &Body<V>, want: &Want<V>) {
        self.reach = greater(self.reach, body.reach);
        self.some_stuck |= want.presses && want.stuck >= PRESSES;
    }

    /// Returns the maxima over the bodies of both.
    #[inline]
    pub(super) fn with(self, other: &Self) -> Self {
        Self {
            radius: greater(self.radius, other.radius),
            speed: greater(self.speed, other.speed),
            reach: greater(self.reach, other.reach),
            some_stuck: self.some_stuck | other.some_stuck,
        }
    }
}

/// Returns a body as others see it in a step, and what it wants.
#[inline]
pub(super) fn taken_in<'r, V: Moves>(
    (body, want): (&Body<V>, &Want<V>),
    role: impl Fn() -> &'r Role,
    steering: &impl Steerings<V>,
    dt: f32,
) -> (Body<V>, Want<V>) {
    let weight = weight(want);
    let reach = reach(body, want, &role, dt);
    let mut want = *want;
    want.presses = !steering.takes_turns(role);
    (Body { weight, reach, ..*body }, want)
}

/// The weight of a body that moves as told.
pub(super) const UNSTOPPABLE: f32 = 1.0e12;

/// Returns the weight by which others give way to a body.
#[inline]
fn weight<V: Moves>(want: &Want<V>) -> f32 {
    let priority = f32::from(want.priority) + 1.0;
    match want.when_standing {
        _ if want.is_told() => UNSTOPPABLE,
        WhenStanding::Holds if want.is_standing() => priority * 1.0e5,
        WhenStanding::Parts if want.is_standing() => priority * 1.0e-5,
        _ => priority,
    }
}

/// Returns how far a body can move within a step.
#[inline]
fn reach<'r, V: Moves>(
    body: &Body<V>,
    want: &Want<V>,
    role: impl Fn() -> &'r Role,
    dt: f32,
) -> f32 {
    if want.is_told() {
        return told(want, role(), dt).length();
    }
    let speed = body.velocity.length() + want.acceleration * dt;
    let free = speed.min(want.max_speed) * dt;
    if !want.is_led {
        return free;
    }
    // Along a rail its last move may have cut a corner, so that the next one is longer than that.
    let led = role().lead.and_then(|lead| lead.by);
    led.map_or(free, |by| free.max(V::of(by).length()))
}

/// Returns the move of a body that moves as told.
pub(super) fn told<V: Moves>(want: &Want<V>, role: &Role, dt: f32) -> V {
    let by = role.lead.and_then(|lead| lead.by);
    by.map_or_else(|| want.preferred * dt, V::of)
}

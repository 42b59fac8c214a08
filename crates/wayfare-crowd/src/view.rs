//! The input of a body's choice, with the others four side by side.

use std::array::from_fn;

use glam::Vec2;
use wide::f32x4;

use super::axes::Axes;
use super::cells::Body;
use super::quad::{FourOf, LANES, first_lanes};
use super::steering::{MOST_NEIGHBOURS, SeenBody, SteeringView, WallPoint};

/// Quads of others.
const QUADS: usize = MOST_NEIGHBOURS / LANES;

/// Four others. Lanes without one have any values.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Others<V: Axes> {
    pub(super) at: V::Four,
    pub(super) velocity: V::Four,
    pub(super) radius: f32x4,
    /// See [`SeenBody::share`].
    pub(super) share: f32x4,
    /// Their ids.
    pub(super) numbers: [u32; LANES],
}

/// The others that a body sees, the nearest first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near<V: Axes> {
    count: usize,
    pub(super) quads: [Others<V>; QUADS],
    /// A bit each: see [`SeenBody::yields`].
    pub(super) yields: u32,
    /// A bit each: see [`SeenBody::is_fellow`].
    pub(super) fellows: u32,
}

impl<V: Axes> Near<V> {
    /// Returns no others.
    #[inline]
    pub(super) fn none() -> Self {
        Self { count: 0, quads: [Others::default(); QUADS], yields: 0, fellows: 0 }
    }

    /// Changes the count of others, and clears their bits. Their quads have the former values
    /// until they are written.
    #[inline]
    pub(super) fn begin(&mut self, count: usize) {
        self.count = count.min(MOST_NEIGHBOURS);
        (self.yields, self.fellows) = (0, 0);
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Returns the quads with a body, and the masks of their lanes with one.
    #[inline]
    pub(super) fn quads(&self) -> impl Iterator<Item = (&Others<V>, f32x4)> {
        let lanes = (0..self.count).step_by(LANES).map(|from| first_lanes(self.count - from));
        self.quads.iter().zip(lanes)
    }

    #[inline]
    pub(super) fn is_fellow(&self, at: usize) -> bool {
        self.fellows >> at & 1 > 0
    }
}

/// The input of a body's choice: see [`SteeringView`].
#[derive(Clone, Copy)]
pub struct View<'s, V: Axes> {
    pub(super) own: Body<V>,
    pub(super) preferred: V,
    pub(super) max_speed: f32,
    pub(super) horizon: f32,
    pub(super) wall_horizon: f32,
    pub(super) turn: f32,
    pub(super) dt: f32,
    pub(super) near: &'s Near<V>,
    pub(super) walls: &'s [WallPoint<V>],
}

impl View<'_, Vec2> {
    /// Calls a model of steering with the others one by one.
    pub(super) fn seen(&self, model: impl Fn(&SteeringView<'_>) -> Vec2) -> Vec2 {
        let Self { own, preferred, max_speed, horizon, wall_horizon, turn, dt, near, walls } =
            *self;
        let other = |at: usize| {
            let (quad, lane) = (&near.quads[at / LANES], at % LANES);
            SeenBody {
                at: quad.at.lane(lane),
                velocity: quad.velocity.lane(lane),
                radius: quad.radius.as_array()[lane],
                share: quad.share.as_array()[lane],
                yields: near.yields >> at & 1 > 0,
                is_fellow: near.is_fellow(at),
                number: quad.numbers[lane],
            }
        };
        let others: [SeenBody; MOST_NEIGHBOURS] = from_fn(other);
        let Body { at, velocity, radius, number, .. } = own;
        let own = SeenBody { at, velocity, radius, number, ..SeenBody::default() };
        let near = &others[..near.len()];
        model(&SteeringView {
            own,
            preferred,
            max_speed,
            horizon,
            wall_horizon,
            turn,
            dt,
            near,
            walls,
        })
    }
}

/// Calls a choice with the others four side by side.
pub(super) fn side_by_side(
    seen: &SteeringView<'_>,
    choice: impl Fn(&View<'_, Vec2>) -> Vec2,
) -> Vec2 {
    let SteeringView { own, preferred, max_speed, horizon, wall_horizon, turn, dt, .. } = *seen;
    let mut near = Near::none();
    near.begin(seen.near.len());
    let other = |at: usize| seen.near.get(at).copied().unwrap_or_default();
    for (at, quad) in near.quads.iter_mut().enumerate() {
        let other = |lane: usize| other(at * LANES + lane);
        *quad = Others {
            at: FourOf::lanes(from_fn(|lane| other(lane).at)),
            velocity: FourOf::lanes(from_fn(|lane| other(lane).velocity)),
            radius: f32x4::new(from_fn(|lane| other(lane).radius)),
            share: f32x4::new(from_fn(|lane| other(lane).share)),
            numbers: from_fn(|lane| other(lane).number),
        };
    }
    for (at, other) in seen.near.iter().take(near.len()).enumerate() {
        near.fellows |= u32::from(other.is_fellow) << at;
    }
    let SeenBody { at, velocity, radius, number, .. } = own;
    let own = Body { at, velocity, radius, number, ..Body::default() };
    let (near, walls) = (&near, seen.walls);
    choice(&View { own, preferred, max_speed, horizon, wall_horizon, turn, dt, near, walls })
}

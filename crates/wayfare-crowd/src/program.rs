//! The linear program of ORCA: the velocity nearest to a preferred one within a disc and on the
//! free sides of lines; in three axes within a ball and on the free sides of planes.
//!
//! Borders are added one at a time. While the best velocity so far lies on the free side of the
//! next border, it stays the best. Otherwise the best lies on that border, and is found among the
//! borders before it with one axis less. With `n` borders O(nᵃ) at worst for `a` axes, O(n)
//! expected. Four borders at a time are compared with a velocity, and four cut a line.
//!
//! Source: de Berg and others, Computational Geometry, chapter 4; van den Berg, Guy, Lin and
//! Manocha, Reciprocal n-body collision avoidance, 2011, in three dimensions section 5.

use glam::Vec2;
use wide::f32x4;

use super::axes::Axes;
use super::quad::{FourOf, LANES, first_lanes};
use super::steering::{MOST_NEIGHBOURS, MOST_WALLS};

/// The velocities `v` with `normal · v ≥ least`: a half plane, or in three axes a half space.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct HalfSpace<V> {
    /// Of length 1.
    pub normal: V,
    /// The signed distance of the border from the origin.
    pub least: f32,
}

impl<V: Axes> HalfSpace<V> {
    /// Returns by how much a velocity misses the half space; negative inside.
    #[inline]
    pub fn misses_by(&self, velocity: V) -> f32 {
        self.least - self.normal.dot(velocity)
    }
}

/// Quads of half spaces: those of walls begin the first quad, those of bodies another one.
const QUADS: usize = MOST_NEIGHBOURS / LANES + MOST_WALLS / LANES;

/// Four half spaces side by side. Lanes without one have all velocities.
#[derive(Clone, Copy, Debug)]
pub(super) struct FourSpaces<V: Axes> {
    normals: V::Four,
    least: f32x4,
}

impl<V: Axes> FourSpaces<V> {
    #[inline]
    fn none() -> Self {
        Self { normals: V::Four::default(), least: f32x4::splat(f32::NEG_INFINITY) }
    }

    /// Returns by how much a velocity misses them.
    #[inline]
    fn miss_by(&self, velocity: V::Four) -> f32x4 {
        self.least - self.normals.dot(velocity)
    }
}

/// The memory of half spaces.
#[derive(Clone, Copy, Debug)]
pub struct HalfSpaces<V: Axes> {
    quads: [FourSpaces<V>; QUADS],
    /// The quads that count.
    count: usize,
}

impl<V: Axes> HalfSpaces<V> {
    /// Returns no half spaces.
    #[inline]
    #[must_use]
    pub fn none() -> Self {
        Self { quads: [FourSpaces::none(); QUADS], count: 0 }
    }

    /// Forgets all of them.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a quad of half spaces.
    #[inline]
    pub(super) fn push(&mut self, normals: V::Four, least: f32x4) {
        self.quads[self.count] = FourSpaces { normals, least };
        self.count += 1;
    }

    /// Adds half spaces, in quads of their own.
    #[inline]
    pub fn extend(&mut self, spaces: impl Iterator<Item = HalfSpace<V>>) {
        for (at, HalfSpace { normal, least }) in (self.lanes()..).zip(spaces) {
            let quad = &mut self.quads[at / LANES];
            if at % LANES == 0 {
                (*quad, self.count) = (FourSpaces::none(), at / LANES + 1);
            }
            quad.normals.set_lane(at % LANES, normal);
            quad.least.as_mut_array()[at % LANES] = least;
        }
    }

    /// Returns the count of lanes.
    #[inline]
    pub fn lanes(&self) -> usize {
        self.count * LANES
    }

    /// Returns the half spaces.
    #[inline]
    pub(super) fn all(&self) -> Spaces<'_, V> {
        Spaces(&self.quads[..self.count])
    }
}

/// Half spaces, four side by side.
#[derive(Clone, Copy)]
pub struct Spaces<'s, V: Axes>(&'s [FourSpaces<V>]);

impl<V: Axes> Spaces<'_, V> {
    /// Returns the count of lanes.
    #[inline]
    fn lanes(self) -> usize {
        self.0.len() * LANES
    }

    /// Returns the half space of a lane.
    #[inline]
    pub(super) fn get(self, at: usize) -> HalfSpace<V> {
        let (quad, lane) = (&self.0[at / LANES], at % LANES);
        HalfSpace { normal: quad.normals.lane(lane), least: quad.least.as_array()[lane] }
    }

    /// Returns the first lane from `from` on that a velocity misses by more than `most`.
    #[inline]
    pub(super) fn first_missed(self, from: usize, velocity: V, most: f32) -> Option<usize> {
        let (velocity, most) = (V::Four::splat(velocity), f32x4::splat(most));
        let mut counts = u32::MAX << (from % LANES);
        for (at, quad) in self.0.iter().enumerate().skip(from / LANES) {
            let missed = quad.miss_by(velocity).simd_gt(most).to_bitmask() & counts;
            if missed != 0 {
                return Some(at * LANES + missed.trailing_zeros() as usize);
            }
            counts = u32::MAX;
        }
        None
    }
}

/// The objective.
#[derive(Clone, Copy)]
pub enum Wish<V> {
    /// The point nearest to this one.
    Near(V),
    /// The point farthest in this direction.
    Along(V),
}

/// Axes in which velocities are chosen.
pub trait Program: Axes {
    /// A velocity may miss a half space by this much, for rounding.
    const MISS: f32;

    /// Borders have no crossing if the [size](Self::size) of the sine between them is at most this.
    const PARALLEL: f32;

    /// Returns the measures by which sines are compared with [`PARALLEL`](Self::PARALLEL).
    fn size(sine: f32x4) -> f32x4;

    /// Returns the best point of the border of half space `at` that lies in the disc or ball of
    /// that radius round the origin, and in all half spaces before `at`.
    fn on_border(
        spaces: Spaces<'_, Self>,
        at: usize,
        radius: f32,
        wish: Wish<Self>,
    ) -> Option<Self>;
}

impl Program for Vec2 {
    const MISS: f32 = 0.0;
    const PARALLEL: f32 = 1e-5;

    #[inline]
    fn size(sine: f32x4) -> f32x4 {
        sine.abs()
    }

    #[inline]
    fn on_border(
        planes: Spaces<'_, Self>,
        at: usize,
        radius: f32,
        wish: Wish<Self>,
    ) -> Option<Self> {
        let HalfSpace { normal, least } = planes.get(at);
        let room = radius * radius - least * least;
        let along = Self::new(-normal.y, normal.x);
        on_line(planes, at, (normal * least, along), room, wish)
    }
}

/// Returns the best point of a line in the half spaces before `before`. The line goes through
/// `foot` in the direction `along`. Its points are at most the root of `room` from `foot`; there
/// are none if `room` is negative.
#[inline]
pub(super) fn on_line<V: Program>(
    spaces: Spaces<'_, V>,
    before: usize,
    (foot, along): (V, V),
    room: f32,
    wish: Wish<V>,
) -> Option<V> {
    if room < 0.0 {
        return None;
    }
    let half = room.sqrt();
    let (feet, lines) = (V::Four::splat(foot), V::Four::splat(along));
    let (mut firsts, mut lasts) = (f32x4::splat(-half), f32x4::splat(half));
    let mut barred = f32x4::ZERO;
    for (at, quad) in spaces.0[..before.div_ceil(LANES)].iter().enumerate() {
        let counts = first_lanes(before - at * LANES);
        let slopes = quad.normals.dot(lines);
        let missing = quad.miss_by(feet);
        let crosses = V::size(slopes).simd_gt(f32x4::splat(V::PARALLEL)) & counts;
        barred |= missing.simd_gt(f32x4::splat(V::MISS)) & counts & !crosses;
        let at = missing / slopes;
        let rises = slopes.simd_gt(f32x4::ZERO);
        firsts = (crosses & rises).bitselect(firsts.fast_max(at), firsts);
        lasts = (crosses & !rises).bitselect(lasts.fast_min(at), lasts);
    }
    // Of zeros, targets take either sign.
    let [a, b, c, d] = firsts.to_array();
    let first = greater(greater(a, b), greater(c, d)) + 0.0;
    let [a, b, c, d] = lasts.to_array();
    let last = -greater(greater(-a, -b), greater(-c, -d)) + 0.0;
    if barred.any() || first > last {
        return None;
    }
    let share = match wish {
        Wish::Near(point) => along.dot(point).clamp(first, last),
        Wish::Along(direction) if along.dot(direction) > 0.0 => last,
        Wish::Along(_) => first,
    };
    Some(foot + along * share)
}

/// Returns the greater of two numbers: quicker than the standard library, which minds what is none.
#[inline]
pub(super) fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Returns the best point and the count of satisfied half spaces: all of them if there is one.
fn best<V: Program>(spaces: Spaces<'_, V>, radius: f32, wish: Wish<V>) -> (V, usize) {
    let mut best = match wish {
        Wish::Near(point) => point.clamp_length_max(radius),
        Wish::Along(direction) => direction * radius,
    };
    let mut from = 0;
    while let Some(at) = spaces.first_missed(from, best, V::MISS) {
        match V::on_border(spaces, at, radius, wish) {
            Some(point) => best = point,
            None => return (best, at),
        }
        from = at + 1;
    }
    (best, spaces.lanes())
}

/// Returns the velocity nearest to `preferred`, of at most `max_speed`, in all half spaces. If
/// there is none: the velocity in the half spaces before `soft` that misses the others least, by
/// the worst of them. `soft` begins a quad.
pub fn solve<V: Program>(spaces: &HalfSpaces<V>, soft: usize, preferred: V, max_speed: f32) -> V {
    let spaces = spaces.all();
    let (mut velocity, mut held) = best(spaces, max_speed, Wish::Near(preferred));
    // The hard ones cannot be satisfied: their order decides.
    held = held.max(soft);
    let mut worst = 0.0;
    while let Some(at) = spaces.first_missed(held, velocity, worst) {
        let space = spaces.get(at);
        let projected = among_equals(spaces, soft, at);
        let (point, all) = best(projected.all(), max_speed, Wish::Along(space.normal));
        // Without rounding there always is one.
        if all == projected.lanes() {
            velocity = point;
        }
        worst = space.misses_by(velocity).max(worst);
        held = at + 1;
    }
    velocity
}

/// Returns the hard half spaces, and those of the velocities that miss a soft one before `at` by no
/// more than `at`.
///
/// They are half spaces again: `least_j - n_j·v ≤ least - n·v`.
#[inline]
fn among_equals<V: Program>(spaces: Spaces<'_, V>, soft: usize, at: usize) -> HalfSpaces<V> {
    let HalfSpace { normal, least } = spaces.get(at);
    let (normal, least) = (V::Four::splat(normal), f32x4::splat(least));
    let mut projected = HalfSpaces::none();
    let (hard, others) = spaces.0[..at.div_ceil(LANES)].split_at(soft / LANES);
    for quad in hard {
        projected.push(quad.normals, quad.least);
    }
    for (quad, first) in others.iter().zip((soft..).step_by(LANES)) {
        let counts = first_lanes(at - first);
        let difference = quad.normals - normal;
        let length = difference.length_squared().sqrt();
        let differs = V::size(length).simd_gt(f32x4::splat(V::PARALLEL)) & counts;
        let by = differs.bitselect(f32x4::ONE / length, f32x4::ZERO);
        let lower = (quad.least - least) * by;
        projected.push(
            (difference * by).where_set(differs, V::Four::default()),
            differs.bitselect(lower, f32x4::splat(f32::NEG_INFINITY)),
        );
    }
    projected
}

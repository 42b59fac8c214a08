//! The linear program of ORCA: the velocity nearest to a preferred one within a disc and on the
//! free sides of lines; in three axes within a ball and on the free sides of planes.
//!
//! Borders are added one at a time. While the best velocity so far lies on the free side of the
//! next border, it stays the best. Otherwise the best lies on that border, and is found among the
//! borders before it with one axis less. With `n` borders O(nᵃ) at worst for `a` axes, O(n)
//! expected.
//!
//! Source: de Berg and others, Computational Geometry, chapter 4; van den Berg, Guy, Lin and
//! Manocha, Reciprocal n-body collision avoidance, 2011, in three dimensions section 5.

use glam::Vec2;

use super::axes::Axes;

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

    /// Returns the measure by which a sine is compared with [`PARALLEL`](Self::PARALLEL).
    fn size(sine: f32) -> f32;

    /// Returns the best point of the border of half space `at` that lies in the disc or ball of
    /// that radius round the origin, and in all half spaces before `at`.
    fn on_border(
        spaces: &[HalfSpace<Self>],
        at: usize,
        radius: f32,
        wish: Wish<Self>,
    ) -> Option<Self>;
}

impl Program for Vec2 {
    const MISS: f32 = 0.0;
    const PARALLEL: f32 = 1e-5;

    #[inline]
    fn size(sine: f32) -> f32 {
        sine.abs()
    }

    #[inline]
    fn on_border(
        planes: &[HalfSpace<Self>],
        at: usize,
        radius: f32,
        wish: Wish<Self>,
    ) -> Option<Self> {
        let HalfSpace { normal, least } = planes[at];
        let room = radius * radius - least * least;
        let along = Self::new(-normal.y, normal.x);
        on_line(&planes[..at], normal * least, along, room, wish)
    }
}

/// Returns the best point of a line in all half spaces of `before`. The line goes through `foot` in
/// the direction `along`. Its points are at most the root of `room` from `foot`; there are none if
/// `room` is negative.
#[inline]
pub(super) fn on_line<V: Program>(
    before: &[HalfSpace<V>],
    foot: V,
    along: V,
    room: f32,
    wish: Wish<V>,
) -> Option<V> {
    if room < 0.0 {
        return None;
    }
    let half = room.sqrt();
    let (mut first, mut last) = (-half, half);
    for space in before {
        let slope = space.normal.dot(along);
        let missing = space.misses_by(foot);
        if V::size(slope) <= V::PARALLEL {
            if missing > V::MISS {
                return None;
            }
        } else if slope > 0.0 {
            first = first.max(missing / slope);
        } else {
            last = last.min(missing / slope);
        }
        if first > last {
            return None;
        }
    }
    let share = match wish {
        Wish::Near(point) => along.dot(point).clamp(first, last),
        Wish::Along(direction) if along.dot(direction) > 0.0 => last,
        Wish::Along(_) => first,
    };
    Some(foot + along * share)
}

/// Returns the best point and the count of satisfied half spaces: all of them if there is one.
fn best<V: Program>(spaces: &[HalfSpace<V>], radius: f32, wish: Wish<V>) -> (V, usize) {
    let mut best = match wish {
        Wish::Near(point) => point.clamp_length_max(radius),
        Wish::Along(direction) => direction * radius,
    };
    for at in 0..spaces.len() {
        if spaces[at].misses_by(best) > V::MISS {
            match V::on_border(spaces, at, radius, wish) {
                Some(point) => best = point,
                None => return (best, at),
            }
        }
    }
    (best, spaces.len())
}

/// Returns whether a velocity lies in all half spaces.
#[inline]
pub(super) fn is_free<V: Axes>(spaces: &[HalfSpace<V>], velocity: V) -> bool {
    spaces.iter().all(|space| space.misses_by(velocity) <= 0.0)
}

/// Returns the velocity nearest to `preferred`, of at most `max_speed`, in all half spaces. If
/// there is none: the velocity in the half spaces before `soft` that misses the others least, by
/// the worst of them.
///
/// `projected`: memory for as many half spaces.
pub fn solve<V: Program>(
    spaces: &[HalfSpace<V>],
    soft: usize,
    preferred: V,
    max_speed: f32,
    projected: &mut [HalfSpace<V>],
) -> V {
    let (mut velocity, mut held) = best(spaces, max_speed, Wish::Near(preferred));
    // The hard ones cannot be satisfied: their order decides.
    held = held.max(soft);
    let mut worst = 0.0;
    for at in held..spaces.len() {
        let space = spaces[at];
        if space.misses_by(velocity) <= worst {
            continue;
        }
        // Velocities that miss half space `j` by no more than half space `at` are one again:
        // least_j - n_j·v ≤ least - n·v.
        projected[..soft].copy_from_slice(&spaces[..soft]);
        let mut count = soft;
        for other in &spaces[soft..at] {
            let difference = other.normal - space.normal;
            let length = difference.length();
            if V::size(length) > V::PARALLEL {
                projected[count] = HalfSpace {
                    normal: difference / length,
                    least: (other.least - space.least) / length,
                };
                count += 1;
            }
        }
        let (point, held) = best(&projected[..count], max_speed, Wish::Along(space.normal));
        // Without rounding there always is one.
        if held == count {
            velocity = point;
        }
        worst = space.misses_by(velocity).max(worst);
    }
    velocity
}

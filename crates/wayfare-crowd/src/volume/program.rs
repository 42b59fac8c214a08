//! The linear program of ORCA in three axes: the best point of a plane.

use glam::Vec3;
use wide::f32x4;

use crate::program::{HalfSpace, Program, Spaces, Wish, on_line};

impl Program for Vec3 {
    const MISS: f32 = 1e-6;
    const PARALLEL: f32 = 1e-8;

    #[inline]
    fn size(sine: f32x4) -> f32x4 {
        sine * sine
    }

    fn on_border(
        spaces: Spaces<'_, Self>,
        at: usize,
        radius: f32,
        wish: Wish<Self>,
    ) -> Option<Self> {
        let HalfSpace { normal, least } = spaces.get(at);
        let room = radius * radius - least * least;
        if room < 0.0 {
            return None;
        }
        let foot = normal * least;
        let within = |direction: Self| direction - normal * normal.dot(direction);
        let mut best = foot
            + match wish {
                Wish::Near(point) => within(point - foot).clamp_length_max(room.sqrt()),
                Wish::Along(direction) => within(direction).normalize_or_zero() * room.sqrt(),
            };
        let mut from = 0;
        while let Some(other) = spaces.first_missed(from, best, Self::MISS).filter(|&it| it < at) {
            best = on_crossing(spaces, [at, other], radius, wish)?;
            from = other + 1;
        }
        Some(best)
    }
}

/// Returns the best point on the borders of two half spaces that lies in the ball of that radius
/// round the origin, and in all half spaces before the second one.
fn on_crossing(
    spaces: Spaces<'_, Vec3>,
    [first, before]: [usize; 2],
    radius: f32,
    wish: Wish<Vec3>,
) -> Option<Vec3> {
    let [first, second] = [first, before].map(|at| spaces.get(at));
    // The point of the line that is nearest to the origin lies in the plane of the two normals.
    let cosine = first.normal.dot(second.normal);
    let sine_squared = 1.0 - cosine * cosine;
    if sine_squared <= Vec3::PARALLEL {
        return None;
    }
    let foot = first.normal * ((first.least - cosine * second.least) / sine_squared)
        + second.normal * ((second.least - cosine * first.least) / sine_squared);
    let room = radius * radius - foot.length_squared();
    let along = first.normal.cross(second.normal) / sine_squared.sqrt();
    on_line(spaces, before, (foot, along), room, wish)
}

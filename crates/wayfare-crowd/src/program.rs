//! The linear program of ORCA: the velocity nearest to a preferred one within a disc and on the
//! free sides of lines.
//!
//! Lines are added one at a time. While the best velocity so far lies on the free side of the next
//! line, it stays the best. Otherwise the best lies on that line, and is found among the lines
//! before it in one dimension. O(lines²) at worst, O(lines) expected.
//!
//! Source: de Berg and others, Computational Geometry, chapter 4; van den Berg, Guy, Lin and
//! Manocha, Reciprocal n-body collision avoidance, 2011.

use glam::Vec2;

/// Lines that are nearer to parallel than this, as a sine, have no crossing.
const PARALLEL: f32 = 1e-5;

/// The velocities `v` with `normal · v ≥ least`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct HalfPlane {
    /// Of length 1.
    pub normal: Vec2,
    /// The signed distance of the line from the origin.
    pub least: f32,
}

impl HalfPlane {
    /// Returns by how much a velocity misses the half plane; negative inside.
    #[inline]
    pub fn misses_by(&self, velocity: Vec2) -> f32 {
        self.least - self.normal.dot(velocity)
    }
}

/// The objective along a line.
#[derive(Clone, Copy)]
enum Wish {
    /// The point nearest to this one.
    Near(Vec2),
    /// The point farthest in this direction.
    Along(Vec2),
}

/// Returns the best point of the border of half plane `at` that lies in the disc of that radius
/// round the origin, and in all half planes before `at`.
#[inline]
fn on_line(planes: &[HalfPlane], at: usize, radius: f32, wish: Wish) -> Option<Vec2> {
    let HalfPlane { normal, least } = planes[at];
    let room = radius * radius - least * least;
    if room < 0.0 {
        return None;
    }
    let along = Vec2::new(-normal.y, normal.x);
    let foot = normal * least;
    let half = room.sqrt();
    let (mut first, mut last) = (-half, half);
    for plane in &planes[..at] {
        let slope = plane.normal.dot(along);
        let missing = plane.misses_by(foot);
        if slope.abs() <= PARALLEL {
            if missing > 0.0 {
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

/// Returns the best point and the count of satisfied half planes: all of them if there is one.
fn best(planes: &[HalfPlane], radius: f32, wish: Wish) -> (Vec2, usize) {
    let mut best = match wish {
        Wish::Near(point) => point.clamp_length_max(radius),
        Wish::Along(direction) => direction * radius,
    };
    for at in 0..planes.len() {
        if planes[at].misses_by(best) > 0.0 {
            match on_line(planes, at, radius, wish) {
                Some(point) => best = point,
                None => return (best, at),
            }
        }
    }
    (best, planes.len())
}

/// Returns whether a velocity lies in all half planes.
#[inline]
pub(super) fn is_free(planes: &[HalfPlane], velocity: Vec2) -> bool {
    planes.iter().all(|plane| plane.misses_by(velocity) <= 0.0)
}

/// Returns the velocity nearest to `preferred`, of at most `max_speed`, in all half planes. If
/// there is none: the velocity in the half planes before `soft` that misses the others least, by
/// the worst of them.
///
/// `projected`: memory for as many half planes.
pub fn solve(
    planes: &[HalfPlane],
    soft: usize,
    preferred: Vec2,
    max_speed: f32,
    projected: &mut [HalfPlane],
) -> Vec2 {
    let (mut velocity, mut held) = best(planes, max_speed, Wish::Near(preferred));
    // The hard ones cannot be satisfied: their order decides.
    held = held.max(soft);
    let mut worst = 0.0;
    for at in held..planes.len() {
        let plane = planes[at];
        if plane.misses_by(velocity) <= worst {
            continue;
        }
        // Velocities that miss plane `j` by no more than plane `at` are a half plane again:
        // least_j - n_j·v ≤ least - n·v.
        projected[..soft].copy_from_slice(&planes[..soft]);
        let mut count = soft;
        for other in &planes[soft..at] {
            let difference = other.normal - plane.normal;
            let length = difference.length();
            if length > PARALLEL {
                projected[count] = HalfPlane {
                    normal: difference / length,
                    least: (other.least - plane.least) / length,
                };
                count += 1;
            }
        }
        let (point, held) = best(&projected[..count], max_speed, Wish::Along(plane.normal));
        // Without rounding there always is one.
        if held == count {
            velocity = point;
        }
        worst = plane.misses_by(velocity).max(worst);
    }
    velocity
}

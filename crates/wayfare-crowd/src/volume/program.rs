//! The linear program of ORCA in three dimensions: the velocity nearest to a preferred one within a
//! ball and on the free sides of planes.
//!
//! Planes are added one at a time. While the best velocity so far lies on the free side of the next
//! plane, it stays the best. Otherwise the best lies on that plane, and is found among the planes
//! before it in two dimensions, and there in one. O(planes³) at worst, O(planes) expected.
//!
//! Source: de Berg and others, Computational Geometry, chapter 4; van den Berg, Guy, Lin and
//! Manocha, Reciprocal n-body collision avoidance, 2011, section 5.

use glam::Vec3;

/// Planes that are nearer to parallel than this, as the square of a sine, have no crossing.
const PARALLEL: f32 = 1e-8;

/// A velocity may miss a half space by this much, for rounding.
const MISS: f32 = 1e-6;

/// The velocities `v` with `normal · v ≥ least`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct HalfSpace {
    /// Of length 1.
    pub normal: Vec3,
    /// The signed distance of the plane from the origin.
    pub least: f32,
}

impl HalfSpace {
    /// Returns by how much a velocity misses the half space; negative inside.
    #[inline]
    pub fn misses_by(&self, velocity: Vec3) -> f32 {
        self.least - self.normal.dot(velocity)
    }
}

/// The objective.
#[derive(Clone, Copy)]
enum Wish {
    /// The point nearest to this one.
    Near(Vec3),
    /// The point farthest in this direction.
    Along(Vec3),
}

/// Returns the best point on the borders of two half spaces that lies in the ball of that radius
/// round the origin, and in all half spaces of `before`.
fn on_line(
    before: &[HalfSpace],
    [first, second]: [&HalfSpace; 2],
    radius: f32,
    wish: Wish,
) -> Option<Vec3> {
    // The point of the line that is nearest to the origin lies in the plane of the two normals.
    let cosine = first.normal.dot(second.normal);
    let sine_squared = 1.0 - cosine * cosine;
    if sine_squared <= PARALLEL {
        return None;
    }
    let foot = first.normal * ((first.least - cosine * second.least) / sine_squared)
        + second.normal * ((second.least - cosine * first.least) / sine_squared);
    let room = radius * radius - foot.length_squared();
    if room < 0.0 {
        return None;
    }
    let along = first.normal.cross(second.normal) / sine_squared.sqrt();
    let half = room.sqrt();
    let (mut low, mut high) = (-half, half);
    for space in before {
        let slope = space.normal.dot(along);
        let missing = space.misses_by(foot);
        if slope * slope <= PARALLEL {
            if missing > MISS {
                return None;
            }
        } else if slope > 0.0 {
            low = low.max(missing / slope);
        } else {
            high = high.min(missing / slope);
        }
        if low > high {
            return None;
        }
    }
    let share = match wish {
        Wish::Near(point) => along.dot(point).clamp(low, high),
        Wish::Along(direction) if along.dot(direction) > 0.0 => high,
        Wish::Along(_) => low,
    };
    Some(foot + along * share)
}

/// Returns the best point of the border of half space `at` that lies in the ball, and in all half
/// spaces before `at`.
fn on_plane(spaces: &[HalfSpace], at: usize, radius: f32, wish: Wish) -> Option<Vec3> {
    let HalfSpace { normal, least } = spaces[at];
    let room = radius * radius - least * least;
    if room < 0.0 {
        return None;
    }
    let foot = normal * least;
    let within = |direction: Vec3| direction - normal * normal.dot(direction);
    let mut best = foot
        + match wish {
            Wish::Near(point) => within(point - foot).clamp_length_max(room.sqrt()),
            Wish::Along(direction) => within(direction).normalize_or_zero() * room.sqrt(),
        };
    for other in 0..at {
        if spaces[other].misses_by(best) > MISS {
            best = on_line(&spaces[..other], [&spaces[at], &spaces[other]], radius, wish)?;
        }
    }
    Some(best)
}

/// Returns the best point and the count of satisfied half spaces: all of them if there is one.
fn best(spaces: &[HalfSpace], radius: f32, wish: Wish) -> (Vec3, usize) {
    let mut best = match wish {
        Wish::Near(point) => point.clamp_length_max(radius),
        Wish::Along(direction) => direction * radius,
    };
    for at in 0..spaces.len() {
        if spaces[at].misses_by(best) > MISS {
            match on_plane(spaces, at, radius, wish) {
                Some(point) => best = point,
                None => return (best, at),
            }
        }
    }
    (best, spaces.len())
}

/// Returns whether a velocity lies in all half spaces.
#[inline]
pub(super) fn is_free(spaces: &[HalfSpace], velocity: Vec3) -> bool {
    spaces.iter().all(|space| space.misses_by(velocity) <= 0.0)
}

/// Returns the velocity nearest to `preferred`, of at most `max_speed`, in all half spaces. If
/// there is none: the velocity in the half spaces before `soft` that misses the others least, by
/// the worst of them.
///
/// `projected`: memory for as many half spaces.
pub fn solve(
    spaces: &[HalfSpace],
    soft: usize,
    preferred: Vec3,
    max_speed: f32,
    projected: &mut [HalfSpace],
) -> Vec3 {
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
            if length * length > PARALLEL {
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

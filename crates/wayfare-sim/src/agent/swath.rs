//! Swaths: what the sweep of a wider body proves for sweeps to come.
//!
//! A body that others push aside needs a clear sweep to the same corner of its rail from each of
//! its positions. Where a sweep of [`TIMES`] its radius to that corner is clear as well, the body
//! can be swept to there from every point that is no farther than the difference from that
//! segment: all it sweeps over lies in the wider swath.

use glam::Vec3;
use wayfare_core::space::{LineOfSight, Revision};

/// The radius that is tried, in radii of the body.
const TIMES: f32 = 2.0;

/// The part of the difference that is relied on. Sweeps may touch walls within rounding.
const SURE: f32 = 0.98;

/// The swath that was proved last. It is derived from the world and changes no result, so all are
/// equal, and look alike.
#[derive(Clone, Copy, Default)]
pub(crate) struct Swath {
    /// The segment.
    along: Option<[Vec3; 2]>,
    /// A corner that the wider body cannot be swept to.
    narrow: Option<Vec3>,
    /// The radius of the body.
    radius: f32,
    /// The revision of the space.
    revision: Revision,
}

impl PartialEq for Swath {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl std::fmt::Debug for Swath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Swath")
    }
}

impl Swath {
    /// Returns whether a body can be swept along a segment, as
    /// [`sweep_is_clear`](LineOfSight::sweep_is_clear).
    pub(super) fn is_clear<S: LineOfSight>(
        &mut self,
        space: &S,
        [from, to]: [Vec3; 2],
        radius: f32,
    ) -> bool {
        if !space.sweeps_contain() {
            return space.sweep_is_clear(from, to, radius);
        }
        let revision = space.revision();
        if (self.radius, self.revision) != (radius, revision) {
            *self = Self { radius, revision, ..Self::default() };
        }
        let within = (TIMES - 1.0) * SURE * radius;
        if self.along.is_some_and(|[start, end]| end == to && distance(from, start, end) <= within)
        {
            return true;
        }
        if !space.sweep_is_clear(from, to, radius) {
            return false;
        }
        if self.narrow != Some(to) {
            if space.sweep_is_clear(from, to, TIMES * radius) {
                self.along = Some([from, to]);
            } else {
                self.narrow = Some(to);
            }
        }
        true
    }
}

/// Returns the distance of a point from a segment.
fn distance(point: Vec3, start: Vec3, end: Vec3) -> f32 {
    let way = end - start;
    let share =
        (way.dot(point - start) / way.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
    point.distance(start + way * share)
}

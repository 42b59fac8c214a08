//! Swaths: what the sweep of a wider body proves for sweeps to come.
//!
//! A body that others push aside needs a clear sweep to the same corner of its rail from each of
//! its positions. Where the [swath](LineOfSight::open_swath) of [`TIMES`] its radius to that corner
//! is open, the body can be swept there from every point no farther from that segment than the
//! difference: all it sweeps over lies in the wider swath. A body that leaves its rail for a moment
//! asks only once, so the wider swath is tried when it asks again.

use glam::Vec3;
use wayfare_core::inside::nearest_on_segment;
use wayfare_core::space::{LineOfSight, OpenSwath, Revision};

/// The radius that is tried, in radii of the body.
const TIMES: f32 = 2.0;

/// The part of the difference that is relied on. Sweeps may touch walls within rounding.
const SURE: f32 = 0.98;

/// The last corner that a body was swept to.
#[derive(Clone, Copy)]
enum Corner {
    /// Once, perhaps over level ground.
    Once(Vec3, bool),
    /// Again. The wider swath is not open.
    Narrow(Vec3, bool),
    /// The wider swath from one point to the corner is open.
    Wide { ends: [Vec3; 2], open: OpenSwath },
}

/// What is known of the way to a corner. It is derived from the world and changes no result, so all
/// are equal, and look alike.
#[derive(Clone, Copy, Default)]
pub(crate) struct Swath {
    corner: Option<Corner>,
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
        let revision = space.revision();
        if (self.radius, self.revision) != (radius, revision) {
            *self = Self { corner: None, radius, revision };
        }
        if let Some(Corner::Wide { ends: [start, end], open }) = self.corner
            && end == to
            && (from.y - start.y).abs() <= open.height
            && from.distance(nearest_on_segment(from, start, end)) <= (TIMES - 1.0) * SURE * radius
        {
            return true;
        }
        let Some(is_level) = space.level_of_sweep(from, to, radius) else { return false };
        self.corner = Some(match self.corner {
            Some(Corner::Narrow(corner, _)) if corner == to => Corner::Narrow(to, is_level),
            Some(Corner::Once(corner, _) | Corner::Wide { ends: [_, corner], .. })
                if corner == to =>
            {
                match space.open_swath(from, to, TIMES * radius) {
                    Some(open) => Corner::Wide { ends: [from, to], open },
                    None => Corner::Narrow(to, is_level),
                }
            }
            _ => Corner::Once(to, is_level),
        });
        true
    }

    /// Returns whether a line to a corner is known to follow the ground, from where the body was
    /// found to see it.
    pub(super) fn leads_level(&self, to: Vec3) -> bool {
        self.corner.is_some_and(|corner| match corner {
            Corner::Once(end, is_level) | Corner::Narrow(end, is_level) => end == to && is_level,
            Corner::Wide { ends: [_, end], open } => end == to && open.is_level,
        })
    }
}

//! Swaths: what sweeps prove for sweeps to come.
//!
//! A body that others push aside needs a clear sweep to the same corner of its rail from each of
//! its positions. Where the [swath](LineOfSight::open_swath) of [`TIMES`] its radius to that corner
//! is open, the body can be swept there from every point as far inside its border as the body is
//! wide: all it sweeps over lies in the wider swath. A body that leaves its rail for a moment asks
//! only once, so the wider swath is tried when it asks again.
//!
//! The corner after that one mostly stays hidden behind the same wall. So the
//! [wall](Sweep::Barred) is looked at before the space is.

use glam::Vec3;
use wayfare_core::inside::nearest_on_segment;
use wayfare_core::space::{Bar, LineOfSight, OpenSwath, Revision, Sweep};

/// The radius that is tried, in radii of the body.
const TIMES: f32 = 2.0;

/// The part of the difference that is relied on. Sweeps may touch walls within rounding.
const SURE: f32 = 0.98;

/// The last corner that a body was swept to.
#[derive(Clone, Copy)]
struct Corner {
    at: Vec3,
    /// Whether the last sweep was over level ground.
    is_level: bool,
    wider: Wider,
}

/// The wider swath to a corner.
#[derive(Clone, Copy)]
enum Wider {
    /// It was not tried: the body has asked once.
    Untried,
    /// It is not open from this point.
    Barred { from: Vec3 },
    /// It is open from this point.
    Open { from: Vec3, swath: OpenSwath },
}

/// A corner that the body could not be swept to, from where, and the wall in the way.
#[derive(Clone, Copy)]
struct Barred {
    ends: [Vec3; 2],
    wall: Bar,
}

/// How far the body may have gone since, in radii, for the wall to be on its floor and on its way;
const NEAR: f32 = 3.0;
/// and how far up or down: no flight of stairs winds around a post between the two.
const LEVEL: f32 = 0.5;

/// What is known of the way to a corner. It is derived from the world and changes no result, so all
/// are equal, and look alike. Bodies that have never left their rail have none: agents stay small.
#[derive(Clone, Default)]
pub(crate) struct Swath(Option<Box<Known>>);

#[derive(Clone, Copy, Default)]
struct Known {
    corner: Option<Corner>,
    barred: Option<Barred>,
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
        ends: [Vec3; 2],
        radius: f32,
    ) -> bool {
        self.0.get_or_insert_default().is_clear(space, ends, radius)
    }

    /// Returns whether a line to a corner is known to follow the ground, from where the body was
    /// found to see it.
    pub(super) fn leads_level(&self, to: Vec3) -> bool {
        let corner = self.0.as_ref().and_then(|known| known.corner);
        corner.is_some_and(|corner| corner.at == to && corner.is_level)
    }
}

impl Known {
    fn is_clear<S: LineOfSight>(&mut self, space: &S, [from, to]: [Vec3; 2], radius: f32) -> bool {
        let revision = space.revision();
        if (self.radius, self.revision) != (radius, revision) {
            *self = Self { radius, revision, ..Self::default() };
        }
        if let Some(is_clear) = self.known([from, to]) {
            return is_clear;
        }
        let is_level = match space.sweep(from, to, radius) {
            Sweep::Clear { is_level } => is_level,
            Sweep::Barred(wall) => {
                self.barred = wall.map(|wall| Barred { ends: [from, to], wall });
                return false;
            }
        };
        let again = self.corner.filter(|corner| corner.at == to);
        let wider = match again.map(|corner| corner.wider) {
            None => Wider::Untried,
            Some(tried @ Wider::Barred { from: start }) if from.distance(start) <= radius => tried,
            Some(_) => match space.open_swath(from, to, TIMES * radius) {
                Some(swath) => Wider::Open { from, swath },
                None => Wider::Barred { from },
            },
        };
        let is_level = match wider {
            Wider::Open { swath, .. } => swath.is_level,
            Wider::Untried | Wider::Barred { .. } => is_level,
        };
        self.corner = Some(Corner { at: to, is_level, wider });
        true
    }

    /// Returns whether the body can be swept along a segment, if earlier sweeps tell.
    fn known(&self, [from, to]: [Vec3; 2]) -> Option<bool> {
        if let Some(Barred { ends: [start, end], wall }) = self.barred
            && end == to
            && from.distance(start) <= NEAR * self.radius
            && (from.y - start.y).abs() <= LEVEL * self.radius
            && wall.is_near(from, to)
        {
            return Some(false);
        }
        let corner = self.corner.filter(|corner| corner.at == to)?;
        let Wider::Open { from: start, swath } = corner.wider else { return None };
        if (from.y - start.y).abs() > swath.height {
            return None;
        }
        let beside = nearest_on_segment(from, start, to);
        let part = if swath.narrows { beside.distance(to) / start.distance(to) } else { 1.0 };
        let most = (TIMES - 1.0) * SURE * self.radius * part;
        (from.distance(beside) <= most).then_some(true)
    }
}

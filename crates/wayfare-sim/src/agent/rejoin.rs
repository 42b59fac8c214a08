//! Back to the rail: how the rail of a body that has left it goes on from where the body is.
//!
//! A body that passes others leaves its rail by a move of its own, proved clear of walls. The rail
//! then begins at its new position, and leads to a visible point of the old rail. So the body is
//! always on a rail with a proof, and edits, links and new paths need not know of the sidestep. If
//! no corner is visible, the rail returns by the same move. After a small step aside it returns to
//! a point ahead on its present leg: one that passes close by a wall is out of sight from the
//! slightest step, and a body that came back to where it left would never get on.

use glam::Vec3;
use wayfare_core::space::{LineOfSight, StateId};

use super::follow::Body;
use super::lay::{lay_straight, straight_leg};
use super::rail::{Hold, Leg, Rail};
use super::swath::Swath;

/// The count of corners of the old rail that are tested for sight, from the nearest on.
const LOOKED_FOR: usize = 4;

/// The largest small step aside, in radii.
const SMALL: f32 = 0.5;

/// How far ahead on the present leg a body returns after one, if it sees no corner: the parts of
/// the rest of the leg,
const PARTS: [f32; 2] = [0.5, 0.25];
/// and the distances in radii; the nearest is the point beside it.
const RADII: [f32; 3] = [4.0, 1.0, 0.0];

/// Converts lengths along the old rail to lengths along the new one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rejoined {
    /// The point of the old rail at the end of the new first leg.
    until: f32,
    /// The length of the new first leg.
    length: f32,
    /// Whether the corners of the old rail are out of sight.
    pub(crate) is_lost: bool,
}

impl Rejoined {
    /// Converts a distance along the old rail to one along the new rail.
    pub(crate) fn place(&self, along: f32) -> f32 {
        // Points before the joint are not on the new rail. Equal lengths stay equal.
        if along <= self.until { self.length } else { along + (self.length - self.until) }
    }
}

impl<State: StateId> Rail<State> {
    /// Returns the distance before its end at which the body is to stop.
    pub(crate) fn short(&self) -> f32 {
        self.short
    }

    /// Begins the rail at `at`, where a body has gone by a clear move beside it. Connects it to the
    /// farthest of the next corners that a body of that radius can be swept to. No corner where the
    /// body may have to wait is skipped. The body has to be put there with [`Body::push`]. `swath`
    /// is that of its positions before.
    ///
    /// Returns `None`, and changes nothing, if the rail ends here or no clear segment joins it.
    pub(crate) fn rejoin<S: LineOfSight>(
        &mut self,
        body: &Body,
        at: Vec3,
        radius: f32,
        (space, swath): (&S, &mut Swath),
    ) -> Option<Rejoined> {
        let (first, along) = (body.leg(), body.along());
        let piece = *self.legs.get(first)?;
        let sees = |to: Vec3| space.sweep_is_clear(at, to, radius);
        if self.end > along && self.end < piece.until {
            // The point to wait at becomes a corner.
            let to = self.point(first, self.end);
            self.legs.insert(first, Leg { to, until: self.end, ..piece });
        }
        let mut joint = None;
        for (leg, piece) in self.legs.iter().enumerate().skip(first).take(LOOKED_FOR) {
            if piece.hold != Hold::Clear || piece.until > self.end {
                break;
            }
            if swath.is_clear(space, [at, piece.to], radius) {
                joint = Some((leg + 1, piece.to, piece.until));
            } else if joint.is_some() {
                break;
            }
        }
        let is_lost = joint.is_none();
        let joint = joint.or_else(|| {
            let piece = self.legs[first];
            if piece.hold != Hold::Clear || piece.until > self.end {
                return None;
            }
            // Beside the body, then ahead of that.
            let (here, rest) = (self.point(first, along), piece.until - along);
            let way = (piece.to - here).normalize_or_zero();
            let gone = way.dot(at - here).clamp(0.0, rest);
            if (here + way * gone).distance(at) > SMALL * radius {
                return None;
            }
            let parts = PARTS.map(|part| part * (rest - gone));
            let near = RADII.map(|radii| (radii * radius).min(rest - gone));
            let ahead = parts.into_iter().chain(near).map(|distance| along + gone + distance);
            let mut points = ahead.map(|along| (first, self.point(first, along), along));
            points.find(|&(_, point, place)| along < place && place < piece.until && sees(point))
        });
        let (next, to, until) = match joint {
            Some(joint) => joint,
            None if sees(body.at()) => (first, body.at(), along),
            None => return None,
        };
        self.legs.drain(..next);
        let (mut count, mut length, manner) = (0, 0.0, (piece.action, radius));
        let mut lay = |leg| {
            self.legs.insert(count, leg);
            count += 1;
        };
        if swath.leads_level(to) {
            lay(straight_leg::<S, State>([at, to], manner, &mut length));
        } else {
            lay_straight(space, [at, to], manner, &mut length, lay);
        }
        let rejoined = Rejoined { until, length, is_lost };
        self.start = at;
        for leg in &mut self.legs[count..] {
            leg.until = rejoined.place(leg.until);
        }
        self.end = rejoined.place(self.end).min(self.length());
        Some(rejoined)
    }
}

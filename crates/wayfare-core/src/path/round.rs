//! Rounds corners: replaces sharp turns by arcs of a turn radius.
//!
//! # Why the line never gets longer
//!
//! The arc of radius `r` touches both legs of a corner at distance `t = r · tan(turn / 2)` from it.
//! It replaces `2 · t` of the legs by at most `r · turn`, and `turn / 2 <= tan(turn / 2)` below π.
//! The points of the arc lie on the circle, so the chords between them are shorter still. Two
//! corners share the leg between them half and half, so arcs never overlap.
//!
//! Arcs that touch both legs: L. E. Dubins, "On curves of minimal length with a constraint on
//! average curvature", 1957.

use glam::Vec3;

use super::Polyline;
use crate::ops;
use crate::space::LineOfSight;

/// How to round corners.
///
/// ```
/// use wayfare::path::Rounding;
/// let fine = Rounding { angle_step: 0.05, ..Rounding::new(1.5) };
/// assert_eq!(fine.radius, 1.5);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rounding {
    /// The turn radius in world units. 0 or more. Raising it makes turns wider. 0 and NaN round
    /// nothing.
    pub radius: f32,
    /// The largest angle of a leg of an arc, in radians. 0.01 to 1, default 0.2 (about 11°).
    /// Raising it makes fewer points. Values outside are clamped, so that the number of points is
    /// bounded; NaN counts as 0.2.
    pub angle_step: f32,
    /// The radius of the body that follows the line, in world units, 0 or more; default 0. Arcs
    /// keep that distance from walls. Raising it makes turns tighter in narrow passages.
    pub body: f32,
}

impl Rounding {
    /// Arcs of this radius in world units, with a point at least every 0.2 radians.
    #[must_use]
    pub fn new(radius: f32) -> Self {
        Self { radius, angle_step: 0.2, body: 0.0 }
    }
}

/// Turns from this angle on, in radians, are near reversals, which no arc can round.
const SHARPEST: f32 = 3.1;
/// Turns below this angle, in radians, count as straight.
const SLIGHTEST: f32 = 0.01;
/// The number of times that a radius is halved in search of one that fits.
const HALVINGS: u32 = 8;

/// Replaces each corner by an arc of a turn radius that touches both of its legs, for agents that
/// cannot turn on the spot.
///
/// The radius shrinks where a leg is too short; two corners share the leg between them half and
/// half. It also shrinks where the arc would meet an obstacle: bisection tries radii down to 1/256,
/// and a corner without any fitting arc stays as it is.
///
/// So the line **never meets an obstacle and never gets longer**, but the radius is a wish: an
/// agent with a hard limit must slow down where it is not met. Only obstacles are looked at. Where
/// terrain costs differ, an arc may touch more expensive ground on the inner side of the turn.
///
/// [Shorten](super::shorten()) first: it makes long legs. O(n) arcs for n points, each with up to 8
/// · turn / `angle_step` segments to check.
///
/// ```
/// use glam::Vec3;
/// use wayfare::path::{Polyline, Rounding, round_corners};
/// use wayfare::prelude::*;
/// let grid = Grid::from_rows(&["......", "......", "......", "......"])?;
/// let line: Polyline = [(0.5, 0.5), (4.5, 0.5), (4.5, 3.5)].map(|(x, z)| Vec3::new(x, 0.0, z)).into_iter().collect();
/// let round = round_corners(&grid.space(), &line, Rounding::new(2.0));
/// // A quarter of a circle replaces two times its radius.
/// let expected = 7.0 - 4.0 + std::f64::consts::PI;
/// assert!((round.length() - expected).abs() < 0.01);
/// # Ok::<(), GridError>(())
/// ```
#[must_use]
pub fn round_corners<S: LineOfSight>(space: &S, line: &Polyline, rounding: Rounding) -> Polyline {
    round_and_mark(space, line, rounding, &mut Vec::new())
}

/// As [`round_corners`]. Says for each point of the result in `is_kept` whether it is one of the
/// line, and not of an arc.
pub fn round_and_mark<S: LineOfSight>(
    space: &S,
    line: &Polyline,
    rounding: Rounding,
    is_kept: &mut Vec<bool>,
) -> Polyline {
    is_kept.clear();
    let points = distinct(&line.points);
    let (Some(&first), true) = (points.first(), rounding.radius > 0.0) else {
        is_kept.resize(line.points.len(), true);
        return line.clone();
    };
    let step = if rounding.angle_step.is_nan() { 0.2 } else { rounding.angle_step };
    let mut rounded = vec![first];
    is_kept.push(true);
    let (mut arc, mut fitting) = (Vec::new(), Vec::new());
    for (place, corner) in points.windows(3).enumerate() {
        let share = |leg: f32, is_outer: bool| if is_outer { leg } else { leg / 2.0 };
        let into = share(corner[0].distance(corner[1]), place == 0);
        let out_of = share(corner[1].distance(corner[2]), place + 3 == points.len());
        fitting.clear();
        if let Some(turn) = Turn::new([corner[0], corner[1], corner[2]]) {
            let from = rounded[rounded.len() - 1];
            let sweeps = |from: Vec3, to: Vec3| space.sweep_is_clear(from, to, rounding.body);
            let is_clear = |arc: &[Vec3]| {
                sweeps(from, arc[0])
                    && arc.windows(2).all(|leg| sweeps(leg[0], leg[1]))
                    && sweeps(arc[arc.len() - 1], corner[2])
            };
            let largest = rounding.radius.min(into.min(out_of) / turn.tangent_per_radius);
            let (mut fits, mut fails) = (0.0, largest);
            for round in 0..=HALVINGS {
                let radius = if round == 0 { largest } else { f32::midpoint(fits, fails) };
                turn.arc(radius, step.clamp(0.01, 1.0), &mut arc);
                if is_clear(&arc) {
                    std::mem::swap(&mut arc, &mut fitting);
                    fits = radius;
                    if round == 0 {
                        break;
                    }
                } else {
                    fails = radius;
                }
            }
        }
        if fitting.is_empty() {
            rounded.push(corner[1]);
            is_kept.push(true);
        } else {
            rounded.append(&mut fitting);
            is_kept.resize(rounded.len(), false);
        }
    }
    rounded.extend(points.last().filter(|_| points.len() > 1));
    is_kept.resize(rounded.len(), true);
    Polyline { points: rounded }
}

/// Returns the points without repetitions of the point before.
pub(super) fn distinct(points: &[Vec3]) -> Vec<Vec3> {
    let mut distinct = points.to_vec();
    distinct.dedup();
    distinct
}

/// A corner of a line.
pub struct Turn {
    corner: Vec3,
    /// The direction of the leg into the corner, of length 1.
    forward: Vec3,
    /// The direction across that leg to the inner side of the turn, of length 1.
    pub inward: Vec3,
    /// The angle in radians between the directions of the two legs.
    angle: f32,
    /// The distance from the corner at which an arc of radius 1 touches the legs.
    pub tangent_per_radius: f32,
}

impl Turn {
    /// `None` if the corner is straight, a reversal, or has a leg of length 0.
    pub fn new([before, corner, after]: [Vec3; 3]) -> Option<Self> {
        let forward = (corner - before).try_normalize()?;
        let onward = (after - corner).try_normalize()?;
        let across = onward - forward * onward.dot(forward);
        let angle = ops::atan2(across.length(), onward.dot(forward));
        let tangent_per_radius = ops::tan(angle / 2.0);
        let inward = across.try_normalize()?;
        let is_round = (SLIGHTEST..SHARPEST).contains(&angle);
        is_round.then_some(Self { corner, forward, inward, angle, tangent_per_radius })
    }

    /// Writes the points of the arc of a radius.
    pub fn arc(&self, radius: f32, step: f32, points: &mut Vec<Vec3>) {
        let begin = self.corner - self.forward * (radius * self.tangent_per_radius);
        let legs = (self.angle / step).ceil().max(1.0) as u32;
        points.clear();
        points.extend((0..=legs).map(|leg| {
            let ops::SinCos { sin, cos } = ops::sin_cos(self.angle * leg as f32 / legs as f32);
            begin + (self.forward * sin + self.inward * (1.0 - cos)) * radius
        }));
    }
}

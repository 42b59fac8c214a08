//! Smooths paths: draws centripetal Catmull-Rom curves through their points.
//!
//! Sources: P. J. Barry, R. N. Goldman, "A recursive evaluation algorithm for a class of
//! Catmull-Rom splines", 1988; C. Yuksel, S. Schaefer, J. Keyser, "Parameterization and
//! applications of Catmull-Rom curves", 2011 (centripetal curves have no loops and no cusps within
//! a leg).

use glam::Vec3;

use super::Polyline;
use super::round::distinct;
use crate::space::LineOfSight;

/// Turns a line into a smooth curve through all of its points.
///
/// `spacing` is the distance between points of the curve, in world units, above 0. A leg gets
/// `length / spacing` points, rounded up, 1 to 256. Raising it makes fewer points. At 0, below 0
/// and NaN the line is returned as it is.
///
/// The curve is longer than the line and swings out at turns. Where a leg's curve would meet an
/// obstacle, its distance from the straight leg is reduced to a half, a quarter, an eighth and at
/// last
/// 0. So it **never meets an obstacle that the line did not meet**, but in narrow passages it has
///    corners. For a given turn radius use [`round_corners`](super::round_corners()). Tests
///    obstacles alone: where terrain costs differ, the curve may touch more expensive ground.
///
/// Simplify or shorten first: a curve through every cell of a staircase is a wave. O(n) for the n
/// points of the curve, each checked at most 4 times.
///
/// ```
/// use glam::Vec3;
/// use wayfare::path::{Polyline, smooth};
/// use wayfare::prelude::*;
/// let grid = Grid::from_rows(&["......", "......", "......", "......"])?;
/// let line: Polyline = [(0.5, 1.5), (3.5, 1.5), (4.5, 3.5)].map(|(x, z)| Vec3::new(x, 0.0, z)).into_iter().collect();
/// let curve = smooth(&grid.space(), &line, 0.25);
/// assert!(line.points.iter().all(|point| curve.points.contains(point)));
/// assert!(curve.length() > line.length() && curve.is_clear(&grid.space()));
/// # Ok::<(), GridError>(())
/// ```
#[must_use]
pub fn smooth<S: LineOfSight>(space: &S, line: &Polyline, spacing: f32) -> Polyline {
    let points = distinct(&line.points);
    let (Some(&first), true) = (points.first(), spacing > 0.0) else { return line.clone() };
    let mut curve = vec![first];
    let mut leg_points = Vec::new();
    for leg in 0..points.len() - 1 {
        let (from, to) = (points[leg], points[leg + 1]);
        // Beyond its ends the line is continued straight.
        let before = if leg == 0 { from * 2.0 - to } else { points[leg - 1] };
        let after = points.get(leg + 2).copied().unwrap_or(to * 2.0 - from);
        let count = (from.distance(to) / spacing).ceil().clamp(1.0, 256.0) as u32;
        let span = Span::new([before, from, to, after]);
        for looseness in [1.0, 0.5, 0.25, 0.125] {
            leg_points.clear();
            leg_points.extend((1..count).map(|place| {
                let share = place as f32 / count as f32;
                from.lerp(to, share).lerp(span.at(share), looseness)
            }));
            leg_points.push(to);
            let mut last = from;
            let is_clear = leg_points
                .iter()
                .all(|&point| space.segment_is_clear(std::mem::replace(&mut last, point), point));
            if is_clear {
                break;
            }
            leg_points.clear();
        }
        if leg_points.is_empty() {
            curve.push(to);
        } else {
            curve.append(&mut leg_points);
        }
    }
    Polyline { points: curve }
}

/// The curve between the second and the third of four points.
pub struct Span {
    points: [Vec3; 4],
    knots: [f32; 4],
}

impl Span {
    /// Consecutive points must differ.
    pub fn new(points: [Vec3; 4]) -> Self {
        let mut knots = [0.0; 4];
        for place in 1..4 {
            // Centripetal: the distance between knots is the square root of that between points.
            let apart = points[place - 1].distance(points[place]).sqrt();
            knots[place] = knots[place - 1] + apart.max(f32::MIN_POSITIVE);
        }
        Self { points, knots }
    }

    /// Returns the point at a share of the span from 0 to 1, by the pyramid of Barry and Goldman.
    pub fn at(&self, share: f32) -> Vec3 {
        let (p, k) = (&self.points, &self.knots);
        let t = k[1] + (k[2] - k[1]) * share;
        let mix = |a: Vec3, b: Vec3, from: f32, to: f32| a.lerp(b, (t - from) / (to - from));
        let a = [0, 1, 2].map(|i| mix(p[i], p[i + 1], k[i], k[i + 1]));
        let b = [0, 1].map(|i| mix(a[i], a[i + 1], k[i], k[i + 2]));
        mix(b[0], b[1], k[1], k[2])
    }
}

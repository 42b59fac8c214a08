//! Convex polygons, cut by half planes.

use glam::DVec2;

/// The points `p` with `normal · p ≤ offset`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HalfPlane {
    /// Points out of the half plane; of any length but 0.
    pub normal: DVec2,
    /// The offset of its border along the normal, times the normal's length.
    pub offset: f64,
}

impl HalfPlane {
    /// Returns the points that are at most as far from `near` as from `far`.
    #[must_use]
    pub fn nearer_to(near: DVec2, far: DVec2) -> Self {
        let normal = far - near;
        Self { normal, offset: normal.dot(near.midpoint(far)) }
    }

    /// Returns the points to the left of the line from `from` to `to`, where x turns left into y.
    fn left_of(from: DVec2, to: DVec2) -> Self {
        let normal = DVec2::new(to.y - from.y, from.x - to.x);
        Self { normal, offset: normal.dot(from) }
    }

    /// Returns how far outside a point is, times the length of the normal.
    fn excess(&self, point: DVec2) -> f64 {
        self.normal.dot(point) - self.offset
    }
}

/// Corners that make no convex polygon.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NotConvex {
    /// There are too few.
    #[error("a polygon has three corners or more")]
    TooFew,
    /// One is not a number, or infinite.
    #[error("corner {0} is no finite number")]
    NotFinite(usize),
    /// The outline turns left and right, or crosses itself.
    #[error("at corner {0} the outline turns the other way")]
    Turns(usize),
    /// All lie on a line.
    #[error("the polygon has no area")]
    Flat,
}

/// A convex polygon; its corners turn from x towards y.
///
/// ```
/// use glam::DVec2;
/// use wayfare_measure::{Convex, HalfPlane};
///
/// let mut square = Convex::rectangle(DVec2::ZERO, DVec2::new(2.0, 2.0));
/// square.cut(&HalfPlane::nearer_to(DVec2::ZERO, DVec2::new(2.0, 2.0)));
/// assert_eq!(square.area(), 2.0);
/// ```
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Convex {
    corners: Vec<DVec2>,
}

impl Convex {
    /// Returns the polygon with these corners, in either order around it. Corners may lie on a
    /// straight line with their neighbours.
    ///
    /// # Errors
    /// When they are not the corners of a convex polygon.
    pub fn new(corners: impl IntoIterator<Item = DVec2>) -> Result<Self, NotConvex> {
        let mut corners: Vec<DVec2> = corners.into_iter().collect();
        if corners.len() < 3 {
            return Err(NotConvex::TooFew);
        }
        if let Some(wrong) = corners.iter().position(|corner| !corner.is_finite()) {
            return Err(NotConvex::NotFinite(wrong));
        }
        let polygon = Self { corners: corners.clone() };
        let doubled = polygon.signed_double_area();
        if doubled == 0.0 {
            return Err(NotConvex::Flat);
        }
        let count = corners.len();
        // Single precision leaves corners of a straight side a little beside it.
        let slack = 1e-6 * doubled.abs();
        for at in 0..count {
            let [a, b, c] = [0, 1, 2].map(|ahead| corners[(at + ahead) % count]);
            if (b - a).perp_dot(c - b) * doubled.signum() < -slack {
                return Err(NotConvex::Turns((at + 1) % count));
            }
        }
        if doubled < 0.0 {
            corners.reverse();
        }
        Ok(Self { corners })
    }

    /// Returns the rectangle between two opposite corners, with sides along the axes.
    #[must_use]
    pub fn rectangle(a: DVec2, b: DVec2) -> Self {
        let (min, max) = (a.min(b), a.max(b));
        Self { corners: vec![min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)] }
    }

    /// Returns the corners; none if nothing is left of it.
    #[must_use]
    pub fn corners(&self) -> &[DVec2] {
        &self.corners
    }

    /// Returns the sides, from corner to corner.
    pub(crate) fn sides(&self) -> impl Iterator<Item = [DVec2; 2]> + '_ {
        let count = self.corners.len();
        (0..count).map(move |at| [self.corners[at], self.corners[(at + 1) % count]])
    }

    /// Square metres, 0 or more.
    #[must_use]
    pub fn area(&self) -> f64 {
        (self.signed_double_area() / 2.0).max(0.0)
    }

    fn signed_double_area(&self) -> f64 {
        // Relative to a corner: far from the origin the products would lose the small differences.
        let Some(&first) = self.corners.first() else { return 0.0 };
        self.sides().map(|[from, to]| (from - first).perp_dot(to - first)).sum()
    }

    /// Returns whether a point lies in it or on its border.
    #[must_use]
    pub fn has(&self, point: DVec2) -> bool {
        self.inside_by(point) >= 0.0
    }

    /// Returns the distance of a point from the nearest of the lines through the sides: negative
    /// outside, −∞ for a polygon of which nothing is left.
    pub(crate) fn inside_by(&self, point: DVec2) -> f64 {
        let sides = self.sides().filter(|[from, to]| from != to);
        let away = sides.map(|[from, to]| {
            let half = HalfPlane::left_of(from, to);
            -half.excess(point) / half.normal.length()
        });
        let nearest = away.fold(f64::INFINITY, f64::min);
        if self.corners.len() < 3 { f64::NEG_INFINITY } else { nearest }
    }

    /// Keeps the part within a half plane. O(corners).
    pub fn cut(&mut self, half: &HalfPlane) {
        if self.corners.iter().all(|corner| half.excess(*corner) <= 0.0) {
            return;
        }
        let mut kept = Vec::with_capacity(self.corners.len() + 1);
        for [from, to] in self.sides() {
            let (a, b) = (half.excess(from), half.excess(to));
            if a <= 0.0 {
                kept.push(from);
            }
            // The border is crossed between the two.
            if (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0) {
                kept.push(from.lerp(to, a / (a - b)));
            }
        }
        if kept.len() < 3 {
            kept.clear();
        }
        self.corners = kept;
    }

    /// Returns the part that lies in both. O(corners of one × corners of the other).
    #[must_use]
    pub fn common(&self, other: &Self) -> Self {
        let mut part = self.clone();
        for [from, to] in other.sides() {
            if part.corners.is_empty() {
                break;
            }
            part.cut(&HalfPlane::left_of(from, to));
        }
        if other.corners.is_empty() { Self::default() } else { part }
    }

    /// Returns the length of a straight line within it, in metres; 0 if they only touch.
    #[must_use]
    pub fn length_within(&self, from: DVec2, to: DVec2) -> f64 {
        if self.corners.is_empty() {
            return 0.0;
        }
        // The shares of the line at which it enters and leaves (Cyrus and Beck 1978).
        let (mut enter, mut leave) = (0.0f64, 1.0f64);
        for [a, b] in self.sides() {
            let half = HalfPlane::left_of(a, b);
            let (begin, rate) = (half.excess(from), half.normal.dot(to - from));
            if rate > 0.0 {
                leave = leave.min(-begin / rate);
            } else if rate < 0.0 {
                enter = enter.max(-begin / rate);
            } else if begin > 0.0 {
                return 0.0;
            }
        }
        (leave - enter).max(0.0) * from.distance(to)
    }
}

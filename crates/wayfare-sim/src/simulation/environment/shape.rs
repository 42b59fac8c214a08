//! Obstacles that appear and vanish, as shapes.

use glam::Vec3;
use wayfare_core::inside::nearest_on_segment;

/// The id of an obstacle, given by the caller.
///
/// Example: [`Command`](crate::simulation::Command).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CarveId(pub u32);

/// The shape of an obstacle.
///
/// ```
/// use wayfare::glam::Vec3;
/// use wayfare::simulation::{Shape, ShapeBounds};
///
/// let barrel = Shape::Ball { centre: Vec3::new(2.0, 0.5, 2.0), radius: 0.5 };
/// assert!(barrel.contains(Vec3::new(2.0, 0.9, 2.0)) && !barrel.contains(Vec3::ZERO));
/// let ShapeBounds { min, max } = barrel.bounds();
/// assert_eq!((min.y, max.y), (0.0, 1.0));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Shape {
    /// A box along the axes.
    Box {
        /// Its corner with the lowest coordinates.
        min: Vec3,
        /// Its corner with the highest coordinates.
        max: Vec3,
    },
    /// A ball.
    Ball {
        /// Its middle.
        centre: Vec3,
        /// Its radius.
        radius: f32,
    },
}

/// The box along the axes around a shape.
///
/// Example: [`Shape`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ShapeBounds {
    /// Its corner with the lowest coordinates.
    pub min: Vec3,
    /// Its corner with the highest coordinates.
    pub max: Vec3,
}

impl Shape {
    /// Returns whether all its values are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Box { min, max } => min.is_finite() && max.is_finite(),
            Self::Ball { centre, radius } => centre.is_finite() && radius.is_finite(),
        }
    }

    /// Returns the box around it.
    #[must_use]
    pub fn bounds(&self) -> ShapeBounds {
        let (a, b) = match *self {
            Self::Box { min, max } => (min, max),
            Self::Ball { centre, radius } => (centre - radius, centre + radius),
        };
        ShapeBounds { min: a.min(b), max: a.max(b) }
    }

    /// Returns whether a point lies in it.
    #[must_use]
    pub fn contains(&self, point: Vec3) -> bool {
        match *self {
            Self::Box { .. } => {
                let ShapeBounds { min, max } = self.bounds();
                point.cmpge(min).all() && point.cmple(max).all()
            }
            Self::Ball { centre, radius } => point.distance_squared(centre) <= radius * radius,
        }
    }

    /// Returns whether a point lies in it, looking from above.
    #[must_use]
    pub fn contains_from_above(&self, point: Vec3) -> bool {
        let lowest = self.bounds().min.y;
        let height = if let Self::Ball { centre, .. } = self { centre.y } else { lowest };
        self.contains(point.with_y(height))
    }

    /// Returns whether a straight segment meets it.
    #[must_use]
    pub fn meets(&self, from: Vec3, to: Vec3) -> bool {
        match *self {
            Self::Ball { centre, radius } => {
                let nearest = nearest_on_segment(centre, from, to);
                nearest.distance_squared(centre) <= radius * radius
            }
            Self::Box { .. } => {
                let ShapeBounds { min, max } = self.bounds();
                let (mut first, mut last) = (0.0f32, 1.0f32);
                for axis in 0..3 {
                    let (start, way) = (from[axis], to[axis] - from[axis]);
                    if way == 0.0 {
                        if start < min[axis] || start > max[axis] {
                            return false;
                        }
                        continue;
                    }
                    let (a, b) = ((min[axis] - start) / way, (max[axis] - start) / way);
                    (first, last) = (first.max(a.min(b)), last.min(a.max(b)));
                }
                first <= last
            }
        }
    }
}

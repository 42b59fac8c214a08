//! The part of the world that waypoints are placed in.

use glam::Vec2;

use crate::space::waypoint::parts::MAX_COORDINATE;

/// The largest number of waypoints of one call.
const MAX_PLACES: f64 = 16_777_216.0;

/// An axis-aligned rectangle in the ground plane.
///
/// ```
/// use glam::Vec2;
/// use wayfare::space::waypoint::Rectangle;
/// let yard = Rectangle::new(Vec2::new(1.0, 1.0), Vec2::new(5.0, 3.0));
/// assert!(yard.size() == Vec2::new(4.0, 2.0) && yard.contains(yard.max));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rectangle {
    /// The corner with the least x and z, as (x, z) in world units.
    pub min: Vec2,
    /// The corner with the greatest x and z.
    pub max: Vec2,
}

impl Rectangle {
    /// The rectangle between two corners.
    #[must_use]
    pub fn new(min: Vec2, max: Vec2) -> Self {
        Self { min, max }
    }

    /// The size along x and z.
    #[must_use]
    pub fn size(&self) -> Vec2 {
        self.max - self.min
    }

    /// Whether a point lies in the rectangle or on its border.
    #[must_use]
    pub fn contains(&self, point: Vec2) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// Checks the rectangle, and that at most 16,777,216 squares of side `spacing` fit.
    pub(super) fn check_spacing(&self, spacing: f32) -> Result<(), PlaceError> {
        self.check()?;
        if !(spacing.is_finite() && spacing > 0.0) {
            return Err(PlaceError::Spacing(spacing));
        }
        let squares = (self.size().as_dvec2() / f64::from(spacing)).floor() + 1.0;
        if squares.x * squares.y > MAX_PLACES {
            return Err(PlaceError::TooMany(squares.x * squares.y));
        }
        Ok(())
    }

    pub(super) fn check(&self) -> Result<(), PlaceError> {
        let in_range = |point: Vec2| point.abs().max_element() <= MAX_COORDINATE;
        let numbers = self.min.is_finite() && self.max.is_finite();
        if numbers && in_range(self.min) && in_range(self.max) && self.min.cmplt(self.max).all() {
            Ok(())
        } else {
            Err(PlaceError::Rectangle(*self))
        }
    }
}

/// An impossible placement.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// The rectangle has no area, or a coordinate is NaN or beyond ±4,000,000.
    #[error("the rectangle from {} to {} has no area within the world", .0.min, .0.max)]
    Rectangle(Rectangle),
    /// The distance between waypoints is not above 0.
    #[error("the spacing {0} is not a number above 0")]
    Spacing(f32),
    /// The radius is negative or not a number.
    #[error("the agent radius {0} is not a number of at least 0")]
    Radius(f32),
    /// The rectangle would get more waypoints than the limit.
    #[error("the rectangle holds {0} places, but at most 16,777,216 are possible")]
    TooMany(f64),
}

//! The part of the world that waypoints are placed in.

use glam::Vec2;

use crate::space::waypoint::parts::MAX_COORDINATE;

/// The most places that one call makes.
const MAX_PLACES: f64 = 16_777_216.0;

/// A rectangle in the ground plane, along the axes.
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

    /// Its extent along x and z.
    #[must_use]
    pub fn size(&self) -> Vec2 {
        self.max - self.min
    }

    /// Whether a point lies in it or on its border.
    #[must_use]
    pub fn contains(&self, point: Vec2) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// Checks the rectangle and that at most 16,777,216 squares of that side fit.
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

/// A placement that makes no sense.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// The rectangle has no area, or a coordinate is NaN or beyond ±4,000,000.
    #[error("the rectangle from {} to {} has no area within the world", .0.min, .0.max)]
    Rectangle(Rectangle),
    /// The distance between places is not above 0.
    #[error("the spacing {0} is not a number above 0")]
    Spacing(f32),
    /// The radius is not a number of at least 0.
    #[error("the agent radius {0} is not a number of at least 0")]
    Radius(f32),
    /// The spacing is so small that the rectangle holds more places than the limit.
    #[error("the rectangle holds {0} places, but at most 16,777,216 are possible")]
    TooMany(f64),
}

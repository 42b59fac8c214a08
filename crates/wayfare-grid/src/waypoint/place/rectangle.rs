//! The part of the world that waypoints are placed in, checked.

use glam::Vec2;
use wayfare_core::plane::Rectangle;

use crate::waypoint::parts::MAX_COORDINATE;

/// The largest number of waypoints of one call.
const MAX_PLACES: f64 = 16_777_216.0;

/// Checks the rectangle, and that at most 16,777,216 squares of side `spacing` fit.
pub(super) fn check_spacing(area: &Rectangle, spacing: f32) -> Result<(), PlaceError> {
    check(area)?;
    if !(spacing.is_finite() && spacing > 0.0) {
        return Err(PlaceError::Spacing(spacing));
    }
    let squares = (area.size().as_dvec2() / f64::from(spacing)).floor() + 1.0;
    if squares.x * squares.y > MAX_PLACES {
        return Err(PlaceError::TooMany(squares.x * squares.y));
    }
    Ok(())
}

pub(super) fn check(area: &Rectangle) -> Result<(), PlaceError> {
    let in_range = |point: Vec2| point.abs().max_element() <= MAX_COORDINATE;
    let numbers = area.min.is_finite() && area.max.is_finite();
    if numbers && in_range(area.min) && in_range(area.max) && area.min.cmplt(area.max).all() {
        Ok(())
    } else {
        Err(PlaceError::Rectangle(*area))
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

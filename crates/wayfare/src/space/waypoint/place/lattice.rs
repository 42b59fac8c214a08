//! Waypoints on a grid.

use glam::Vec3;

use super::{PlaceError, Rectangle};
use crate::space::waypoint::Surroundings;

/// Places waypoints in rows `spacing` world units apart, wherever agents can stand.
///
/// The first row and column lie on the rectangle's least corner, and the order is by rows along x. Even coverage and easy to
/// read, but corridors between the rows are missed; [`place_poisson`](super::place_poisson) has no rows. O(size / spacing²).
///
/// # Errors
/// What is wrong with the rectangle or the spacing, or that more than 16,777,216 places would result.
pub fn place_on_grid(
    area: Rectangle,
    spacing: f32,
    surroundings: &impl Surroundings,
) -> Result<Vec<Vec3>, PlaceError> {
    area.check_spacing(spacing)?;
    let steps = (area.size() / spacing).floor();
    let places = (0..=steps.y as u32).flat_map(|row| {
        (0..=steps.x as u32).filter_map(move |column| {
            let (x, z) = (area.min.x + column as f32 * spacing, area.min.y + row as f32 * spacing);
            surroundings.stand(x, z)
        })
    });
    Ok(places.collect())
}

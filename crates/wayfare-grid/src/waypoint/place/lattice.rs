//! Places waypoints in rows and columns.

use glam::Vec3;

use super::rectangle::check_spacing;
use super::{PlaceError, Rectangle};
use crate::waypoint::Surroundings;

/// Places waypoints in rows and columns `spacing` world units apart, wherever agents can stand.
///
/// The first lies on the corner of the rectangle with the least x and z; they come in rows along x.
/// Coverage is even, but corridors between the rows are missed: use
/// [`place_poisson`](super::place_poisson) to avoid that. O(size / spacing²).
///
/// ```
/// use glam::Vec2;
/// use wayfare::space::waypoint::{OpenGround, Rectangle, place_on_grid};
/// let area = Rectangle::new(Vec2::ZERO, Vec2::new(4.0, 2.0));
/// assert_eq!(place_on_grid(area, 1.0, &OpenGround::default())?.len(), 5 * 3);
/// # Ok::<(), wayfare::space::waypoint::PlaceError>(())
/// ```
///
/// # Errors
/// A fault of the rectangle or the spacing, or more than 16,777,216 places.
pub fn place_on_grid(
    area: Rectangle,
    spacing: f32,
    surroundings: &impl Surroundings,
) -> Result<Vec<Vec3>, PlaceError> {
    check_spacing(&area, spacing)?;
    let steps = (area.size() / spacing).floor();
    let places = (0..=steps.y as u32).flat_map(|row| {
        (0..=steps.x as u32).filter_map(move |column| {
            let (x, z) = (area.min.x + column as f32 * spacing, area.min.y + row as f32 * spacing);
            surroundings.stand(x, z)
        })
    });
    Ok(places.collect())
}

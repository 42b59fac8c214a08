//! Places waypoints uniformly at random.

use glam::{Vec2, Vec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

use super::rectangle::check;
use super::{PlaceError, Rectangle};
use crate::waypoint::Surroundings;

/// The number of points tried for a waypoint before the rectangle counts as full.
const ATTEMPTS: usize = 32;

/// Places `count` waypoints uniformly at random where agents can stand; fewer if there is hardly
/// room.
///
/// Waypoints may lie close together and leave gaps: [`place_poisson`](super::place_poisson) spreads
/// them better. The same seed gives the same places on every target. Up to 32 calls of
/// [`Surroundings::stand`] for each waypoint.
///
/// ```
/// use glam::Vec2;
/// use wayfare::space::waypoint::{OpenGround, Rectangle, place_random};
/// let area = Rectangle::new(Vec2::ZERO, Vec2::splat(20.0));
/// assert_eq!(place_random(area, 50, 7, &OpenGround::default())?.len(), 50);
/// # Ok::<(), wayfare::space::waypoint::PlaceError>(())
/// ```
///
/// # Errors
/// A fault of the rectangle, or a `count` above 16,777,216.
pub fn place_random(
    area: Rectangle,
    count: usize,
    seed: u64,
    surroundings: &impl Surroundings,
) -> Result<Vec<Vec3>, PlaceError> {
    check(&area)?;
    if count > 1 << 24 {
        return Err(PlaceError::TooMany(count as f64));
    }
    let mut random = Pcg32::seed_from_u64(seed);
    let mut places = Vec::new();
    for _ in 0..count {
        let place = (0..ATTEMPTS).find_map(|_| {
            let at = area.min + area.size() * Vec2::new(random.random(), random.random());
            surroundings.stand(at.x, at.y)
        });
        places.extend(place);
    }
    Ok(places)
}

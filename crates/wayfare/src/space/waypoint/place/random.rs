//! Waypoints at random.

use glam::{Vec2, Vec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;

use super::{PlaceError, Rectangle};
use crate::space::waypoint::Surroundings;

/// How often a place is tried before the rectangle counts as full.
const ATTEMPTS: usize = 32;

/// Places `count` waypoints evenly at random where agents can stand; fewer where there is hardly room.
///
/// Places may lie close together and leave holes: [`place_poisson`](super::place_poisson) spreads them better. The same seed
/// gives the same places on every target. O(count) asks of the surroundings, at most 32 for each place.
///
/// # Errors
/// What is wrong with the rectangle, or that `count` is above 16,777,216.
pub fn place_random(
    area: Rectangle,
    count: usize,
    seed: u64,
    surroundings: &impl Surroundings,
) -> Result<Vec<Vec3>, PlaceError> {
    area.check()?;
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

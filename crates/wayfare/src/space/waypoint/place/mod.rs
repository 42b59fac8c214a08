//! Where waypoints go when nobody places them by hand.

#[cfg(feature = "geometry")]
mod corners;
mod poisson;
mod random;
mod rectangle;
mod sampled;

#[cfg(feature = "geometry")]
pub use corners::place_at_corners;
pub use poisson::place_poisson;
pub use random::place_random;
pub use rectangle::{PlaceError, Rectangle};
pub use sampled::place_on_grid;

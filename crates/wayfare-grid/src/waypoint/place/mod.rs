//! Places waypoints automatically: at random, in rows, or at the corners of obstacles.

#[cfg(feature = "geometry")]
mod corners;
mod lattice;
mod poisson;
mod random;
mod rectangle;

#[cfg(feature = "geometry")]
pub use corners::place_at_corners;
pub use lattice::place_on_grid;
pub use poisson::place_poisson;
pub use random::place_random;
pub use rectangle::PlaceError;
pub use wayfare_core::plane::Rectangle;

//! Links found from the geometry: leaps over gaps, drops off ledges, climbs up them.

mod abilities;
mod find;
mod sweep;

pub use abilities::JumpAbilities;
pub use wayfare_core::link::JumpLink;

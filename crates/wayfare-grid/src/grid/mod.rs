//! Grids: tile maps, and geometry sampled into cells.

pub(crate) mod accelerators;
mod build;
mod edit;
mod expander;
mod frame;
mod influence;
mod islands;
mod jump;
mod layer;
pub(crate) mod layout;
mod line;
pub(crate) mod moves;
mod profile;
mod rules;
#[cfg(feature = "geometry")]
mod sample;
mod space;
mod terrain_jump;
mod tiles;
mod walls;

pub(crate) use accelerators::bits::BitMap;
use accelerators::{scan, signs, terrain_map};
pub use build::{Grid, GridError};
pub use edit::GridEditReport;
pub use frame::Frame;
pub use influence::{InfluenceId, InfluenceLayer};
pub use islands::GridIsland;
pub use layout::{Cell, CellPosition, MAX_SIDE};
pub use profile::{CornerRule, GridProfile, Neighbours};
#[cfg(feature = "geometry")]
pub use sample::{GridSampling, SampledBody};
pub use space::{GatewayEnds, GridSpace};

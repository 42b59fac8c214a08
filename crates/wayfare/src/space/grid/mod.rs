//! Grids: tile maps, and geometry sampled into cells.

mod bits;
mod build;
mod canonical;
mod dominance;
mod expander;
mod frame;
mod gates;
mod influence;
mod jump;
mod layer;
mod layout;
mod line;
mod moves;
mod penalty;
mod profile;
mod rooms;
mod rules;
#[cfg(feature = "geometry")]
mod sample;
mod scan;
mod signs;
mod space;
mod terrain;
mod terrain_jump;
mod terrain_map;

pub(crate) use bits::BitMap;
pub use build::{Grid, GridError};
pub use frame::Frame;
pub use influence::{InfluenceId, InfluenceLayer, InfluenceRule};
pub(crate) use layout::Layout;
pub use layout::{Cell, MAX_SIDE};
pub use profile::{CornerRule, GridProfile, Neighbours, ProfileId};
#[cfg(feature = "geometry")]
pub use sample::{Body, GridSampling};
pub use space::GridSpace;
pub use terrain::{CostError, CostTable, Medium, NegativeCosts, TerrainCost, TerrainId};

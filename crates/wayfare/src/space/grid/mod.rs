//! Grids: tile maps, and geometry sampled into cells.

mod accelerators;
mod build;
mod edit;
mod expander;
mod frame;
mod influence;
mod jump;
mod layer;
mod layout;
mod line;
mod moves;
mod profile;
mod rules;
#[cfg(feature = "geometry")]
mod sample;
mod space;
mod terrain_jump;
mod tiles;

use crate::space::{
    CostError, CostTable, InfluenceRule, Medium, ProfileId, TerrainCost, TerrainId,
};
pub(crate) use accelerators::bits::BitMap;
use accelerators::{bits, scan, signs, terrain_map};
pub use build::{Grid, GridError};
pub use edit::GridEditReport;
pub use frame::Frame;
pub use influence::{InfluenceId, InfluenceLayer};
pub(crate) use layout::Layout;
pub use layout::{Cell, CellPosition, MAX_SIDE};
pub use profile::{CornerRule, GridProfile, Neighbours};
#[cfg(feature = "geometry")]
pub use sample::{GridSampling, SampledBody};
pub use space::{GatewayEnds, GridSpace};

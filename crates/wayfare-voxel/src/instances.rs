//! Instances of the searches over the spaces of this crate: see the module of that name in core.

use wayfare_core::inside::instances;

use crate::VoxelSpace;

/// Instantiates the searches.
pub fn searches() {
    instances::<VoxelSpace<'static, u32>>();
}

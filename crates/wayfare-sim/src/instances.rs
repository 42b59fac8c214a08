//! Instances: in development builds simulations of the worlds that ship are compiled here, once.
//!
//! Below optimisation level 2 the compiler takes the instances of generic code from the crates
//! below, where they have them. So tests, examples and front ends link these.

use std::hint::black_box;

use wayfare_grid::grid::Grid;
use wayfare_grid::waypoint::WaypointGraph;
use wayfare_voxel::VoxelGrid;

use crate::simulation::{Audit, Environment, MeshWorld, Simulation};

/// Instantiates simulations.
pub fn simulations() {
    simulation::<Grid>();
    simulation::<WaypointGraph>();
    simulation::<VoxelGrid>();
    simulation::<MeshWorld>();
}

fn simulation<W: Environment + Clone>() {
    black_box(Simulation::<W>::new as fn(_, _, _) -> _);
    black_box(Simulation::<W>::add_agent as fn(&mut _, _) -> _);
    black_box(Simulation::<W>::schedule as fn(&mut _, _, _));
    black_box(Simulation::<W>::tick as fn(&mut _) -> &_);
    black_box(Simulation::<W>::hash as fn(&_) -> _);
    #[cfg(feature = "serde")]
    black_box(Simulation::<W>::save as fn(&_) -> _);
    #[cfg(feature = "serde")]
    black_box(Simulation::<W>::restore as fn(_, _, _) -> _);
    black_box(Audit::<W>::check as fn(&mut _, &_) -> _);
}

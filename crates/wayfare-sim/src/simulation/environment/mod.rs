//! The interface between a simulation and a world, and the worlds that ship.
//!
//! | trait | says |
//! |---|---|
//! | [`Spaces`] | spaces by profile; states and their points |
//! | [`Surroundings`] | walls, heights, ground beside and beneath bodies; all with defaults |
//! | [`Editable`] | edits; places and their fillings; states that a change affects |
//! | [`Environment`] | all of these; how agents may move |

mod edit_fault;
mod editable;
mod engines;
mod fixed;
mod grid;
mod mesh;
mod mesh_ground;
mod shape;
mod spaces;
mod surroundings;
mod voxel;
mod waypoint;

pub use edit_fault::EditFault;
pub use editable::{Editable, Filled, FilledOf};
pub use engines::Engines;
pub use fixed::{Fixed, NoEdit};
pub use grid::GridEdit;
pub use mesh::{Footprint, MeshEdit, MeshFill, MeshWorld};
pub use mesh_ground::MeshGround;
pub use shape::{CarveId, Shape, ShapeBounds};
pub use spaces::Spaces;
pub use surroundings::{GroundId, Surroundings};
pub use voxel::BlockEdit;
pub use waypoint::{GraphFill, GraphPlace, WaypointEdit};

/// How agents of a world can avoid each other.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::simulation::{AvoidanceManner, Environment};
/// assert_eq!(Grid::AVOIDING, AvoidanceManner::BesideRails);
/// assert_eq!(WaypointGraph::AVOIDING, AvoidanceManner::AlongRails);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AvoidanceManner {
    /// Not at all.
    Never,
    /// They leave their rails: straight moves beside a path can be proved, and
    /// [`wall_sides`](Surroundings::wall_sides) tells where walls are.
    BesideRails,
    /// They keep to the moves of the space, and follow each other at a distance.
    AlongRails,
}

/// A world that agents live in: a grid, a waypoint graph, a voxel world, a navigation mesh.
///
/// ```
/// use wayfare::link::NavLinks;
/// use wayfare::prelude::*;
/// use wayfare::simulation::{Environment, SettingsFault, Simulation};
///
/// /// A simulation in any world, with agents that pass through each other if they have to.
/// fn simulate<W: Environment>(world: W) -> Result<Simulation<W>, SettingsFault> {
///     Simulation::new(world, NavLinks::new(3.0), SimulationSettings::default())
/// }
///
/// let simulation = simulate(Grid::from_rows(&["....", "...."])?)?;
/// assert!(Grid::CUTS_ACROSS && simulation.agents().next().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Environment: Surroundings + Editable {
    /// Whether agents may cut across where a straight line is clear. If not, they keep to the moves
    /// of the space.
    const CUTS_ACROSS: bool;

    /// How agents [avoid each other](crate::simulation::Avoidance). Default: not at all; agents
    /// that are to avoid others are refused then.
    const AVOIDING: AvoidanceManner = AvoidanceManner::Never;

    /// Whether [groups](crate::simulation::GroupSpec) may keep formations: an agent that leaves its
    /// path in a straight line walks on the same ground as one that keeps to it. Default: false;
    /// groups are refused then.
    const CAN_FORM: bool = false;

    /// Returns the engines that every simulation of such a world has, after the caller's engines.
    /// Default: none.
    fn engines() -> Engines<Self> {
        Engines::none()
    }
}

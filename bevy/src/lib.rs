//! Navigation for Bevy by [Wayfare](wayfare): agents that find their way on tile maps, in voxel
//! worlds and on navigation meshes, avoid each other, patrol, chase, pass doors, and say why they
//! stand still.
//!
//! ```
//! use bevy_app::prelude::*;
//! use bevy_ecs::prelude::*;
//! use bevy_math::Vec3;
//! use bevy_time::{TimePlugin, TimeUpdateStrategy};
//! use bevy_transform::prelude::*;
//! use wayfare::space::Grid;
//! use wayfare_bevy::prelude::*;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let map = Grid::from_rows(&["......", ".####.", "......"])?;
//! let mut app = App::new();
//! app.add_plugins((TimePlugin, NavPlugin::<Grid>::default()));
//! app.world_mut().spawn(NavSpace::new(map));
//! let unit = app.world_mut().spawn((
//!     NavAgent::default(),
//!     Transform::from_xyz(0.5, 0.0, 0.5),
//!     Destination::from(Vec3::new(5.5, 0.0, 2.5)),
//! ));
//! let unit = unit.id();
//! # let frame = std::time::Duration::from_secs_f32(1.0 / 60.0);
//! # app.insert_resource(TimeUpdateStrategy::ManualDuration(frame));
//! for _frame in 0..240 {
//!     app.update();
//! }
//! let at = app.world().get::<Transform>(unit).unwrap().translation;
//! assert_eq!(at, Vec3::new(5.5, 0.0, 2.5));
//! # Ok(())
//! # }
//! ```
//!
//! # Components
//!
//! | component | is |
//! |---|---|
//! | [`NavSpace`] | a world that agents move in, 2D or 3D by its [`Placement`] |
//! | [`NavAgent`] | a body: radius, speed, team, avoidance |
//! | [`Destination`], [`Behaviours`] | where to, once; what to do of its own accord |
//! | [`NavObstacle`] | what stands or moves in the way |
//! | [`NavLink`] | a door, a ladder, a leap, a teleport |
//! | [`NavPath`], [`DesiredVelocity`], [`NavTrouble`] | its path, its velocity, the reason why it stands still |
//! | [`ManualMovement`] | leaves the movement to physics |
//!
//! [`Arrived`], [`PathChanged`], [`PathFailed`] and [`OutOfReach`] are messages, and events to
//! observe on an entity; [`AgentEvent`] is everything else.
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `bake` | `BakeSpace`: navigation meshes baked on the task pool, from triangles or Bevy's meshes |
//! | `asset` | OBJ, glTF and GLB files as assets that are baked when they are loaded |
//! | `gizmos` | `NavGizmosPlugin`: paths, destinations and troubles drawn |
//! | `rayon` | threads for planner and crowds |

mod agent;
#[cfg(feature = "asset")]
mod asset;
#[cfg(feature = "bake")]
mod bake;
mod behaviour;
mod enter;
mod find;
#[cfg(feature = "gizmos")]
mod gizmos;
mod link;
mod message;
mod obstacle;
mod placement;
mod plugin;
mod space;
mod tick;
mod tiles;

pub use agent::{
    AgentAvoidance, AgentPose, DesiredVelocity, Destination, InSpace, KeepRotation, ManualMovement,
    NavAgent, NavPath, NavTrouble, Quality,
};
#[cfg(feature = "asset")]
pub use asset::{LevelAsset, LevelLoadError, LevelLoader, LevelPlugin, LevelSpace};
#[cfg(feature = "bake")]
pub use bake::{BakeFailed, BakePlugin, BakeSpace, SpaceReady, triangles_of};
pub use behaviour::{Behaviour, Behaviours, Route, Target};
pub use find::{FindPath, FindPlugin, FoundPath, Routes};
#[cfg(feature = "gizmos")]
pub use gizmos::{NavGizmoGroup, NavGizmos, NavGizmosPlugin};
pub use link::{LinkGate, NavLink};
pub use message::{AgentEvent, Arrived, OutOfReach, PathChanged, PathFailed};
pub use obstacle::{Carving, NavObstacle, ObstacleShape};
pub use placement::{Placement, Plane};
pub use plugin::{NavPlugin, NavSystems};
pub use space::{DefaultSpace, NavSpace};
pub use tiles::{TileFault, grid_of_tiles};

pub use bevy_math;
pub use wayfare;

/// What most programs need: `use wayfare_bevy::prelude::*;`
pub mod prelude {
    pub use crate::{AgentEvent, Arrived, OutOfReach, PathChanged, PathFailed};
    #[cfg(feature = "bake")]
    pub use crate::{BakeFailed, BakePlugin, BakeSpace, SpaceReady};
    pub use crate::{
        Behaviour, Behaviours, DesiredVelocity, Destination, InSpace, ManualMovement, NavAgent,
        NavLink, NavObstacle, NavPath, NavPlugin, NavSpace, NavTrouble, Placement, Route, Target,
        grid_of_tiles,
    };
    #[cfg(feature = "gizmos")]
    pub use crate::{NavGizmos, NavGizmosPlugin};
}

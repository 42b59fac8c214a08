//! Crowds: bodies that avoid each other and the walls, step by step.
//!
//! A [`Crowd`] contains bodies with preferred velocities and moves them. It knows no paths: a
//! caller that follows a path sets the preferred velocity along it before each step. A step has
//! five parts. In each part all bodies read the results of the part before:
//!
//! 1. Bodies are sorted into cells, and each finds its neighbours.
//! 2. Of stuck bodies some go first, and others make way. Each chooses a velocity by
//!    [`Steering`]: [`Orca`] unless another model is given, such as [`CollisionFreeSpeed`].
//! 3. Bodies whose moves would make them overlap are parted.
//! 4. Each move that may come to a wall is proved against the
//!    [`Walls`](wayfare_core::walls::Walls); if it fails, it is shortened or turned along the wall.
//! 5. Each pair is proved to keep apart, and moves are shortened until all do.
//!
//! ```
//! use glam::Vec3;
//! use wayfare::crowd::{Crowd, CrowdAgent, CrowdSettings, NoWalls};
//! let mut crowd = Crowd::new(CrowdSettings::default())?;
//! let walker = crowd.add(CrowdAgent { preferred: Vec3::X, ..CrowdAgent::at(Vec3::ZERO) })?;
//! let post = crowd.add(CrowdAgent::at(Vec3::X * 3.0))?;
//! for _ in 0..60 {
//!     crowd.step(&NoWalls, 0.1)?;
//! }
//! assert!(crowd.agent(walker).unwrap().position.x > 4.0, "it has passed the other");
//! # Ok::<(), wayfare::crowd::CrowdFault>(())
//! ```

mod agent;
pub(crate) mod axes;
mod cells;
mod choice;
mod contact;
mod free_speed;
pub(crate) mod grounds;
mod hunt;
mod input;
/// Parts that the upper crates of Wayfare share. No promise.
#[doc(hidden)]
pub mod inside;
mod lanes;
pub(crate) mod model;
mod moves;
pub(crate) mod network;
mod orca;
mod program;
mod quad;
mod right_of_way;
mod settle;
pub(crate) mod solver;
mod steering;
mod step;
mod store;
mod stuck;
mod view;
pub(crate) mod volume;
mod wall_points;

pub use agent::{AvoidanceQuality, CrowdAgent, CrowdFault, CrowdMember, MemberId, WhenStanding};
pub use free_speed::CollisionFreeSpeed;
pub use model::AvoidanceModel;
pub use orca::Orca;
pub use solver::{Crowd, CrowdReport, CrowdSettings};
pub use steering::{MOST_NEIGHBOURS, MOST_WALLS, SeenBody, Steering, SteeringView, WallPoint};

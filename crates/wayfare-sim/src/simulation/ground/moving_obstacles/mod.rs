//! Obstacles that a program moves: bodies go round them while they move, paths once they stand.
//!
//! Cutting a world and finding all paths again costs tens of microseconds and more. An obstacle
//! that moves ten times a second is gone before a path round it is of use. So while it moves, only
//! the crowd knows of it, as a body that nothing stops; and where it stands long enough, it is
//! carved, as by [`Command::Carve`](crate::simulation::Command::Carve).

mod bodies;
mod obstacle;
mod tracks;

pub use obstacle::{CarveWhenStill, MovingObstacle, MovingObstacleView};
pub(in crate::simulation) use tracks::MovingObstacles;

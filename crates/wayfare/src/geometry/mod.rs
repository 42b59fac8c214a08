//! Level geometry: what blocks a line of sight, what can be stood on.

mod hull;
mod obstacle;
mod obstacles;
mod solid;

pub use obstacle::{
    MAX_COORDINATE, MIN_SIZE, Obstacle, ObstacleError, ObstacleFault, ObstacleId, ObstacleKind,
    ObstacleShape, SurfaceLayer,
};
pub use obstacles::{Hit, Obstacles, SurfaceHit};

#[cfg(test)]
mod tests;

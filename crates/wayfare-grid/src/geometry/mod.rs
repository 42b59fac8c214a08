//! Level geometry: the obstacles that block lines of sight, and the surfaces that agents stand on.

mod obstacle;
mod obstacles;
mod solid;

pub use obstacle::{
    MAX_COORDINATE, MIN_SIZE, Obstacle, ObstacleError, ObstacleFault, ObstacleId, ObstacleKind,
    ObstacleShape, SurfaceLayer,
};

pub use obstacles::{Hit, KnownObstacle, ObstacleBounds, Obstacles, SurfaceHeights, SurfaceHit};

//! Obstacles as the surroundings of waypoints.

use std::sync::Arc;

use glam::Vec3;

use super::surroundings::Surroundings;
use crate::geometry::Obstacles;

/// A set of obstacles as agents of one size meet it.
///
/// An agent is a ball that moves with its middle `lift` above the ground. A `lift` a little above the radius keeps it off the
/// ground that it stands on and lets it step over what is lower than `lift − radius`.
#[derive(Clone, Debug)]
pub struct ObstacleProbe {
    /// The obstacles and surfaces.
    pub obstacles: Arc<Obstacles>,
    /// The radius of the ball in world units, at least 0. Raising it keeps agents farther from obstacles and closes gaps.
    pub radius: f32,
    /// The height of the ball's middle above waypoints, in world units. Raising it lets agents pass over low obstacles.
    pub lift: f32,
    /// The ground where there are no surfaces at all: its height, in world units. Where there are surfaces, agents stand on
    /// the highest one at a place and nowhere else.
    pub ground: f32,
}

impl ObstacleProbe {
    /// Agents of that radius on flat ground at height 0, tested in the plane of their feet.
    #[must_use]
    pub fn new(obstacles: Arc<Obstacles>, radius: f32) -> Self {
        Self { obstacles, radius, lift: 0.0, ground: 0.0 }
    }

    /// The same agents with their middle higher above the ground.
    #[must_use]
    pub fn with_lift(self, lift: f32) -> Self {
        Self { lift, ..self }
    }

    /// Whether an agent's ball at that point of the ground is clear of all that blocks.
    #[must_use]
    pub fn is_free(&self, point: Vec3) -> bool {
        !self.obstacles.overlaps_sphere(point + Vec3::Y * self.lift, self.radius)
    }
}

impl Surroundings for ObstacleProbe {
    fn segment_is_clear(&self, from: Vec3, to: Vec3) -> bool {
        let lift = Vec3::Y * self.lift;
        self.obstacles.segment_is_clear(from + lift, to + lift, self.radius)
    }

    fn stand(&self, x: f32, z: f32) -> Option<Vec3> {
        let y = match self.obstacles.surface_heights() {
            None => self.ground,
            Some(range) => self.obstacles.ray_down(x, z, range.highest, range.lowest)?.y,
        };
        let point = Vec3::new(x, y, z);
        self.is_free(point).then_some(point)
    }
}

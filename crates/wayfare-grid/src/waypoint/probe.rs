//! Obstacles as the surroundings of waypoints.

use std::sync::Arc;

use glam::Vec3;

use super::surroundings::Surroundings;
use crate::geometry::Obstacles;

/// A set of obstacles as agents of one size meet it.
///
/// An agent is a ball whose centre moves `lift` above the ground. A `lift` slightly above the
/// radius keeps the ball off the ground, and lets it pass over obstacles lower than
/// `lift - radius`.
///
/// ```
/// use std::sync::Arc;
/// use glam::Vec3;
/// use wayfare::geometry::{Obstacle, Obstacles};
/// use wayfare::space::waypoint::{ObstacleProbe, Surroundings};
/// let kerb = Obstacle::cuboid(Vec3::new(5.0, 0.0, 0.0), Vec3::new(0.5, 0.2, 9.0));
/// let probe = ObstacleProbe::new(Arc::new(Obstacles::new([kerb])?), 0.4);
/// let (here, there) = (Vec3::ZERO, Vec3::new(9.0, 0.0, 0.0));
/// assert!(!probe.segment_is_clear(here, there));
/// assert!(probe.with_lift(0.7).segment_is_clear(here, there)); // over the kerb
/// # Ok::<(), wayfare::geometry::ObstacleError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ObstacleProbe {
    /// The obstacles and surfaces.
    pub obstacles: Arc<Obstacles>,
    /// The radius of the ball in world units, at least 0. Raising it keeps agents further from
    /// obstacles and closes gaps.
    pub radius: f32,
    /// The height of the ball's centre above the ground, in world units. Raising it lets agents
    /// pass over low obstacles.
    pub lift: f32,
    /// The height of the ground in world units if the set has no surfaces. If it has some, agents
    /// stand on the highest one at a point and nowhere else.
    pub ground: f32,
}

impl ObstacleProbe {
    /// Agents of a radius on flat ground at height 0, with their centre at the height of their
    /// feet.
    #[must_use]
    pub fn new(obstacles: Arc<Obstacles>, radius: f32) -> Self {
        Self { obstacles, radius, lift: 0.0, ground: 0.0 }
    }

    /// Returns the same agents with their centre `lift` above the ground.
    #[must_use]
    pub fn with_lift(self, lift: f32) -> Self {
        Self { lift, ..self }
    }

    /// Returns whether an agent's ball at a point of the ground touches no blocking obstacle.
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

//! What is around waypoints.

use std::fmt::Debug;

use glam::Vec3;

/// The world around waypoints as one class of agents meets it: what a placement and the automatic links ask.
///
/// [`OpenGround`] has nothing in the way, and with the feature `geometry` an `ObstacleProbe` asks a set of obstacles. A game
/// with a physics engine of its own answers from that.
pub trait Surroundings: Debug + Send + Sync {
    /// Whether an agent can move straight from one point to the other.
    fn segment_is_clear(&self, from: Vec3, to: Vec3) -> bool;

    /// The point at (x, z) where an agent can stand, or `None` where it cannot.
    fn stand(&self, x: f32, z: f32) -> Option<Vec3>;
}

/// A plane without end and without obstacles.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct OpenGround {
    /// The height of the ground, in world units.
    pub y: f32,
}

impl Surroundings for OpenGround {
    fn segment_is_clear(&self, _from: Vec3, _to: Vec3) -> bool {
        true
    }

    fn stand(&self, x: f32, z: f32) -> Option<Vec3> {
        Some(Vec3::new(x, self.y, z))
    }
}

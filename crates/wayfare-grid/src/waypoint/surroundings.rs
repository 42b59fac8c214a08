//! The world around waypoints.

use std::fmt::Debug;

use glam::Vec3;

/// The world around waypoints as one class of agents meets it. Placement and automatic links ask
/// it.
///
/// [`OpenGround`] has no obstacles. With the feature `geometry`, `ObstacleProbe` asks a set of
/// obstacles. A game with its own physics engine implements this trait on top of it.
///
/// ```
/// use glam::Vec3;
/// use wayfare::space::waypoint::Surroundings;
/// /// A disk of ground in the sea.
/// #[derive(Debug)]
/// struct Island { radius: f32 }
/// impl Surroundings for Island {
///     fn segment_is_clear(&self, from: Vec3, to: Vec3) -> bool {
///         [from, to].iter().all(|point| point.length() <= self.radius) // a disk is convex
///     }
///     fn stand(&self, x: f32, z: f32) -> Option<Vec3> {
///         let point = Vec3::new(x, 0.0, z);
///         (point.length() <= self.radius).then_some(point)
///     }
/// }
/// assert!(Island { radius: 3.0 }.stand(4.0, 0.0).is_none());
/// ```
pub trait Surroundings: Debug + Send + Sync {
    /// Returns whether an agent can move straight between two points.
    fn segment_is_clear(&self, from: Vec3, to: Vec3) -> bool;

    /// Returns the point at (x, z) where an agent can stand; `None` if there is none.
    fn stand(&self, x: f32, z: f32) -> Option<Vec3>;
}

/// An endless plane without obstacles.
///
/// Example: [`AutoLink`](super::AutoLink).
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

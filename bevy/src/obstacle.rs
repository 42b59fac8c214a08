//! Obstacles that move, and are carved out of the ground where they stand.

use bevy_ecs::prelude::*;
use bevy_ecs::reflect::ReflectComponent;
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use wayfare::simulation::{CarveWhenStill, MovingObstacle, Shape};

use crate::Placement;

/// An obstacle at the [`Transform`](bevy_transform::components::Transform) of its entity: a barrel,
/// a building, a cart.
///
/// While it moves, agents that avoid others give way to it. Once it stands, it is carved: paths
/// lead round it. Its rotation and scale are ignored.
#[derive(Component, Reflect, Clone, Copy, PartialEq, Debug)]
#[reflect(Component)]
pub struct NavObstacle {
    /// Its shape around the translation of its entity.
    pub shape: ObstacleShape,
    /// When it is carved. Default: after half a second at a standstill.
    pub carves: Carving,
}

/// The shape of an obstacle, in Bevy's units.
#[derive(Reflect, Clone, Copy, PartialEq, Debug)]
pub enum ObstacleShape {
    /// A box along the axes with these half extents.
    Cuboid(Vec3),
    /// A ball of that radius.
    Ball(f32),
}

/// When an obstacle is carved out of the ground.
#[derive(Reflect, Clone, Copy, PartialEq, Debug)]
pub enum Carving {
    /// Never: agents give way to it, and paths lead through it.
    Never,
    /// Wherever it is, at the cost of an edit a move.
    Always,
    /// After that many seconds at a standstill.
    WhenStill(f32),
}

impl NavObstacle {
    /// Returns a box along the axes with these half extents.
    #[must_use]
    pub fn cuboid(half_extents: Vec3) -> Self {
        Self { shape: ObstacleShape::Cuboid(half_extents), carves: Carving::WhenStill(0.5) }
    }

    /// Returns a ball; seen from above, a disc.
    #[must_use]
    pub fn ball(radius: f32) -> Self {
        Self { shape: ObstacleShape::Ball(radius), carves: Carving::WhenStill(0.5) }
    }

    /// Returns the same obstacle, carved otherwise.
    #[must_use]
    pub fn carves(self, carves: Carving) -> Self {
        Self { carves, ..self }
    }

    /// Returns the engine's obstacle at a point of Bevy's world.
    pub(crate) fn to_engine(self, at: Vec3, placement: &Placement) -> MovingObstacle {
        let centre = placement.to_space(at);
        let shape = match self.shape {
            ObstacleShape::Cuboid(half) => {
                let half = placement.to_space(placement.origin + half).abs();
                // In 2D it stands as high as anybody.
                let half = if placement.is_flat() { half.with_y(1.0) } else { half };
                Shape::Box { min: centre - half, max: centre + half }
            }
            ObstacleShape::Ball(radius) => {
                Shape::Ball { centre, radius: placement.length_to_space(radius) }
            }
        };
        let carves = match self.carves {
            Carving::Never => None,
            Carving::Always => Some(CarveWhenStill { seconds: 0.0, ..CarveWhenStill::default() }),
            Carving::WhenStill(seconds) => {
                Some(CarveWhenStill { seconds, ..CarveWhenStill::default() })
            }
        };
        MovingObstacle { shape, carves }
    }
}

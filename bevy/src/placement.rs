//! Where a space lies in Bevy's world.

use bevy_math::{Quat, Vec3};
use bevy_reflect::Reflect;

/// The plane of Bevy's world on which the ground of a space lies.
#[derive(Reflect, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Plane {
    /// 3D: x and z are the ground, y is up, as in the space itself.
    #[default]
    Ground,
    /// 2D: x to the right, the rows of a map upwards. z is left as it is, for layers.
    RowsUp,
    /// 2D: x to the right, the rows of a map downwards, the first one on top. z is left as it is.
    RowsDown,
}

/// The placement of a space in Bevy's world: plane, origin and unit.
///
/// All lengths, speeds and positions of this crate's components are those of Bevy's world.
///
/// ```
/// use wayfare_bevy::{Placement, bevy_math::Vec3};
///
/// let tiles = Placement::rows_down(Vec3::new(-32.0, 32.0, 0.0), 16.0); // tiles of 16 pixels
/// let middle = Vec3::new(1.5, 0.0, 0.5); // of the second tile in the first row
/// assert_eq!(tiles.to_bevy(middle), Vec3::new(-8.0, 24.0, 0.0));
/// assert_eq!(tiles.to_space(Vec3::new(-8.0, 24.0, 5.0)), middle);
/// ```
#[derive(Reflect, Clone, Copy, PartialEq, Debug)]
pub struct Placement {
    /// The plane of the ground.
    pub plane: Plane,
    /// The point of Bevy's world at which the origin of the space is: for a grid, the corner of its
    /// first cell.
    pub origin: Vec3,
    /// The length of one unit of the space in Bevy's world, above 0: for a grid, usually the side
    /// of a cell. Default 1.
    pub unit: f32,
}

impl Default for Placement {
    fn default() -> Self {
        Self { plane: Plane::Ground, origin: Vec3::ZERO, unit: 1.0 }
    }
}

impl Placement {
    /// Returns the placement of a 2D map whose rows go upwards from a corner, `unit` wide each.
    #[must_use]
    pub fn rows_up(origin: Vec3, unit: f32) -> Self {
        Self { plane: Plane::RowsUp, origin, unit }
    }

    /// Returns the placement of a 2D map whose rows go downwards from a corner, `unit` wide each.
    #[must_use]
    pub fn rows_down(origin: Vec3, unit: f32) -> Self {
        Self { plane: Plane::RowsDown, origin, unit }
    }

    /// Returns whether the space lies in a 2D world.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        self.plane != Plane::Ground
    }

    /// Converts a point of Bevy's world.
    #[must_use]
    pub fn to_space(&self, point: Vec3) -> Vec3 {
        let from = (point - self.origin) / self.unit;
        match self.plane {
            Plane::Ground => from,
            Plane::RowsUp => Vec3::new(from.x, 0.0, from.y),
            Plane::RowsDown => Vec3::new(from.x, 0.0, -from.y),
        }
    }

    /// Converts a point of the space. In 2D its z is that of the origin.
    #[must_use]
    pub fn to_bevy(&self, point: Vec3) -> Vec3 {
        self.origin + self.vector_to_bevy(point)
    }

    /// Converts a difference of points, such as a velocity.
    #[must_use]
    pub fn vector_to_bevy(&self, vector: Vec3) -> Vec3 {
        self.unit
            * match self.plane {
                Plane::Ground => vector,
                Plane::RowsUp => Vec3::new(vector.x, vector.z, 0.0),
                Plane::RowsDown => Vec3::new(vector.x, -vector.z, 0.0),
            }
    }

    /// Converts a length or a speed of Bevy's world.
    #[must_use]
    pub fn length_to_space(&self, length: f32) -> f32 {
        length / self.unit
    }

    /// Returns the rotation of a body that looks along a heading of the space, in radians from the
    /// x axis towards the z axis: -Z forward in 3D, +X in 2D.
    #[must_use]
    pub fn rotation(&self, heading: f32) -> Quat {
        match self.plane {
            Plane::Ground => Quat::from_rotation_y(-heading - std::f32::consts::FRAC_PI_2),
            Plane::RowsUp => Quat::from_rotation_z(heading),
            Plane::RowsDown => Quat::from_rotation_z(-heading),
        }
    }

    /// Returns the heading of a body with that rotation.
    #[must_use]
    pub fn heading(&self, rotation: Quat) -> f32 {
        let forward = match self.plane {
            Plane::Ground => rotation * Vec3::NEG_Z,
            Plane::RowsUp | Plane::RowsDown => rotation * Vec3::X,
        };
        let forward = Self { origin: Vec3::ZERO, unit: 1.0, ..*self }.to_space(forward);
        if forward.x == 0.0 && forward.z == 0.0 {
            0.0
        } else {
            wayfare::ops::atan2(forward.z, forward.x)
        }
    }
}

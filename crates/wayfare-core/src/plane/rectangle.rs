//! Rectangles of the ground.

use glam::Vec2;

/// An axis-aligned rectangle in the ground plane.
///
/// ```
/// use glam::Vec2;
/// use wayfare::space::waypoint::Rectangle;
/// let yard = Rectangle::new(Vec2::new(1.0, 1.0), Vec2::new(5.0, 3.0));
/// assert!(yard.size() == Vec2::new(4.0, 2.0) && yard.contains(yard.max));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rectangle {
    /// The corner with the least x and z, as (x, z) in world units.
    pub min: Vec2,
    /// The corner with the greatest x and z.
    pub max: Vec2,
}

impl Rectangle {
    /// Returns the rectangle between two corners.
    #[must_use]
    pub fn new(min: Vec2, max: Vec2) -> Self {
        Self { min, max }
    }

    /// Returns the size along x and z.
    #[must_use]
    pub fn size(&self) -> Vec2 {
        self.max - self.min
    }

    /// Returns whether a point lies in the rectangle or on its border.
    #[must_use]
    pub fn contains(&self, point: Vec2) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }
}

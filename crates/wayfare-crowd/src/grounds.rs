//! The walls of several grounds: a wall to one body may be open to another.

use glam::Vec3;

use wayfare_core::walls::{WallSide, Walls};

/// Where a body stands, for whom walls are looked for.
#[derive(Clone, Copy, Debug)]
pub struct Standpoint {
    /// The index of the ground that it walks on.
    pub(super) ground: u16,
    pub(super) position: Vec3,
    pub(super) radius: f32,
}

/// Answers for walls by the index of the ground that a body walks on. Otherwise as [`Walls`].
pub trait Grounds: Sync {
    /// Visits sides for a body of that radius, and returns whether nothing else bars its moves: see
    /// [`Walls::sides_near`].
    fn sides_near(
        &self,
        ground: u16,
        at: Vec3,
        radius: f32,
        range: f32,
        visit: impl FnMut(WallSide),
    ) -> bool;

    /// Visits points of the walls within a range of a body that flies or swims, always in the same
    /// order: of each convex piece that faces it the nearest. It may visit others too.
    fn wall_points(&self, _ground: u16, _at: Vec3, _range: f32, _visit: impl FnMut(Vec3)) {}

    /// See [`Walls::is_clear`].
    fn is_clear(&self, ground: u16, from: Vec3, to: Vec3, radius: f32) -> bool;
}

/// One ground for all.
pub(super) struct OneGround<'w, W>(pub(super) &'w W);

impl<W: Walls> Grounds for OneGround<'_, W> {
    #[inline]
    fn sides_near(
        &self,
        _ground: u16,
        at: Vec3,
        _radius: f32,
        range: f32,
        visit: impl FnMut(WallSide),
    ) -> bool {
        self.0.sides_near(at, range, visit)
    }

    #[inline]
    fn is_clear(&self, _ground: u16, from: Vec3, to: Vec3, radius: f32) -> bool {
        self.0.is_clear(from, to, radius)
    }
}

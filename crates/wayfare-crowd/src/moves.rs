//! Moves of bodies: on the ground from above, in a volume as they are.

use glam::{Vec2, Vec3};
use wayfare_core::ops::{SinCos, sin_cos};
use wayfare_core::walls::WallSide;

use super::agent::from_above;
use super::cells::Divided;
use super::grounds::{Grounds, Standpoint};
use super::steering::WallPoint;

/// Axes in which bodies move.
pub trait Moves: Divided {
    /// The smallest side of a cell is this part of the range.
    const FINEST: f32;

    /// Returns a point or vector of the world in these axes.
    fn of(vector: Vec3) -> Self;

    /// Returns a point in the world, at a height if these axes have none.
    fn raised(self, height: f32) -> Vec3;

    /// Returns the position in the world after this move.
    fn moved(self, position: Vec3) -> Vec3;

    /// Returns the velocity of a body with this move in a step. `told`: the preferred one of a body
    /// that moves as told.
    fn velocity(self, told: Option<Self>, dt: f32) -> Self;

    /// Returns the heights from which and up to which a body of that height avoids others.
    fn heights(up: f32, height: f32) -> (f32, f32);

    /// Returns a direction from the second of two bodies at one point to the first: any, if the two
    /// choose opposite ones.
    fn apart(own: u32, other: u32) -> Self;

    /// Returns the parts of a move along one axis or several, the longest ones first.
    fn parts(self) -> impl Iterator<Item = Self>;

    /// Visits the points of walls within a range that are nearest to a body. Returns whether a move
    /// that keeps away from them is clear.
    fn visit_walls(
        walls: &impl Grounds,
        from: Standpoint,
        range: f32,
        visit: impl FnMut(WallPoint<Self>),
    ) -> bool;
}

impl Moves for Vec2 {
    const FINEST: f32 = 1.0 / 32.0;

    #[inline]
    fn of(vector: Vec3) -> Self {
        from_above(vector)
    }

    #[inline]
    fn raised(self, height: f32) -> Vec3 {
        Vec3::new(self.x, height, self.y)
    }

    #[inline]
    fn moved(self, position: Vec3) -> Vec3 {
        Vec3::new(position.x + self.x, position.y, position.z + self.y)
    }

    #[inline]
    fn velocity(self, told: Option<Self>, dt: f32) -> Self {
        told.unwrap_or_else(|| Self::new(self.x / dt, self.y / dt))
    }

    #[inline]
    fn heights(up: f32, height: f32) -> (f32, f32) {
        (up, up + height)
    }

    #[cold]
    fn apart(own: u32, other: u32) -> Self {
        let (low, high) = (own.min(other), own.max(other));
        let mixed = (low.wrapping_mul(0x9e37_79b9) ^ high).wrapping_mul(0x85eb_ca6b);
        let SinCos { sin, cos } = sin_cos((mixed >> 16) as f32 / 65_536.0 * std::f32::consts::TAU);
        let direction = Self::new(cos, sin);
        if own < other { direction } else { -direction }
    }

    #[inline]
    fn parts(self) -> impl Iterator<Item = Self> {
        [Self::new(self.x, 0.0), Self::new(0.0, self.y)].into_iter()
    }

    #[inline]
    fn visit_walls(
        walls: &impl Grounds,
        Standpoint { ground, position, radius }: Standpoint,
        range: f32,
        mut visit: impl FnMut(WallPoint),
    ) -> bool {
        let at = from_above(position);
        let mut is_beside = true;
        let are_all = walls.sides_near(ground, position, radius, range, |side| {
            match wall_point(side, at, radius) {
                Some(point) if point.room + radius <= range => visit(point),
                Some(_) => (),
                None => is_beside = false,
            }
        });
        are_all && is_beside
    }
}

/// Returns the point of a side that is nearest to a body; `None` if the body's middle is on it.
fn wall_point(side: WallSide, at: Vec2, radius: f32) -> Option<WallPoint> {
    let (from, to) = (from_above(side.from), from_above(side.to));
    let way = to - from;
    let length_squared = way.length_squared();
    let share = if length_squared > 0.0 {
        ((at - from).dot(way) / length_squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let offset = at - (from + way * share);
    let distance = offset.length();
    (distance > 0.0).then(|| WallPoint { away: offset / distance, room: distance - radius })
}

//! The exact end of a line: a point of its last state instead of the state's position.

use glam::Vec3;

use crate::space::LineOfSight;

/// The number of bisections towards an end beside a wall: the result lies within a hundredth of the
/// distance from the last point with room.
const HALVINGS: u32 = 7;

/// The end of a line at a point of its last state.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct LineEnd {
    /// The end.
    pub(crate) point: Vec3,
    /// Whether the line goes there straight from the point before, past the position of its last
    /// state.
    pub(crate) is_straight: bool,
}

impl LineEnd {
    /// Ends a line at `wanted`, a point of the state at `position`.
    ///
    /// `before`: the point of the line before that state; `None` if there is none, or nothing may
    /// lead past the position. `radius`: of the body that follows the line, in world units. A body
    /// ends at the last point between `position` and `wanted` that it can be swept to. A body
    /// without extent ends at `wanted`, which lies in the state.
    pub(crate) fn new<S: LineOfSight>(
        space: &S,
        before: Option<Vec3>,
        position: Vec3,
        wanted: Vec3,
        radius: f32,
    ) -> Self {
        let sweeps = |from: Vec3, to: Vec3| space.sweep_is_clear(from, to, radius);
        let point = if radius > 0.0 { with_room(position, wanted, sweeps) } else { wanted };
        Self { point, is_straight: before.is_some_and(|before| sweeps(before, point)) }
    }
}

/// The wanted point, or the last point before it, on the straight line from `position`, that a body
/// can be swept to.
fn with_room(position: Vec3, wanted: Vec3, sweeps: impl Fn(Vec3, Vec3) -> bool) -> Vec3 {
    if sweeps(position, wanted) {
        return wanted;
    }
    let (mut reached, mut fails) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let share = f32::midpoint(reached, fails);
        if sweeps(position, position.lerp(wanted, share)) {
            reached = share;
        } else {
            fails = share;
        }
    }
    position.lerp(wanted, reached)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::Grid;

    #[test]
    fn a_body_ends_before_the_wall_and_a_point_beside_it() {
        let grid = Grid::from_rows(&["....", "..#.", "...."]).unwrap();
        let space = grid.space();
        let (position, wanted) = (Vec3::new(2.5, 0.0, 0.5), Vec3::new(2.5, 0.0, 0.95));
        let end = |before, radius| LineEnd::new(&space, before, position, wanted, radius);
        let beside = Some(Vec3::new(0.5, 0.0, 0.5));
        assert_eq!(end(beside, 0.0), LineEnd { point: wanted, is_straight: true });
        let body = end(beside, 0.3);
        assert!((body.point.z - 0.7).abs() < 0.01, "{}", body.point);
        assert!(body.is_straight);
        assert!(!end(Some(Vec3::new(0.5, 0.0, 2.5)), 0.0).is_straight, "a wall between");
        assert!(!end(None, 0.0).is_straight);
    }
}

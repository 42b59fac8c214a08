//! The exact end of a line: a point of its last state instead of the state's position.

use glam::Vec3;

use crate::space::LineOfSight;

/// The number of bisections towards an end beside a wall: the result lies within a hundredth of the
/// distance from the last point with room.
const HALVINGS: u32 = 7;

/// The end of a line at a point of its last state.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LineEnd {
    /// The end.
    #[doc(hidden)]
    pub point: Vec3,
    /// Whether the line goes there straight from the point before, past the position of its last
    /// state.
    #[doc(hidden)]
    pub is_straight: bool,
}

impl LineEnd {
    /// Ends a line at `wanted`, a point of the state at `position`.
    ///
    /// `before`: the point of the line before that state; `None` if there is none, or nothing may
    /// lead past the position. `radius`: of the body that follows the line, in world units. A body
    /// ends at the last point between `position` and `wanted` that it can be swept to. A body
    /// without extent ends at `wanted`, which lies in the state.
    #[doc(hidden)]
    pub fn new<S: LineOfSight>(
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

/// Returns the wanted point, or the last point before it, on the straight line from `position`,
/// that a body can be swept to.
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

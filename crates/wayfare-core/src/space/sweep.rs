//! What is seen on the way of a body.

use glam::{DVec2, Vec3};

use crate::plane::segment::nearest_on;

/// An open swath of ground or air: see [`LineOfSight::open_swath`](super::LineOfSight::open_swath).
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::space::{LineOfSight, OpenSwath};
/// let grid = Grid::from_rows(&["....", "....", "...."])?;
/// let [from, to] = [Vec3::new(1.5, 0.0, 1.5), Vec3::new(2.5, 0.0, 1.5)];
/// let open = OpenSwath { height: f32::INFINITY, is_level: true, narrows: false };
/// assert_eq!(grid.space().open_swath(from, to, 1.0), Some(open));
/// assert_eq!(grid.space().open_swath(from, to, 2.0), None); // the border is nearer
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OpenSwath {
    /// How far above and below the start of the segment its points may lie, in world units.
    pub height: f32,
    /// Whether a straight line to the end of the segment follows the ground.
    pub is_level: bool,
    /// Whether it narrows evenly, to half its radius at the end of the segment.
    pub narrows: bool,
}

/// What is seen on the way of a body: see [`LineOfSight::sweep`](super::LineOfSight::sweep).
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::space::{LineOfSight, Sweep};
/// let grid = Grid::from_rows(&["....", "..#.", "...."])?;
/// let [from, by, to] = [0.5, 1.5, 2.5].map(|z| Vec3::new(1.5, 0.0, z));
/// assert!(matches!(grid.space().sweep(from, to, 0.4), Sweep::Clear { .. }));
/// assert!(matches!(grid.space().sweep(by, by + Vec3::X, 0.4), Sweep::Barred(_)));
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Sweep {
    /// The sweep is clear.
    Clear {
        /// Whether a straight line is known to [follow](super::LineOfSight::follow_ground) the
        /// ground.
        is_level: bool,
    },
    /// A wall is in the way: this one, if the space knows it.
    Barred(Option<Bar>),
}

/// A piece of wall in the way of a body: see [`LineOfSight::sweep`](super::LineOfSight::sweep).
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::space::Bar;
/// let bar = Bar { ends: [Vec3::new(2.0, 0.0, 1.0), Vec3::new(2.0, 0.0, 2.0)], room: 0.4 };
/// assert!(bar.is_near(Vec3::new(1.0, 0.0, 1.5), Vec3::new(1.7, 0.0, 1.5)));
/// assert!(!bar.is_near(Vec3::new(1.0, 0.0, 1.5), Vec3::new(1.5, 0.0, 1.5)));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bar {
    /// Its ends, in world units.
    pub ends: [Vec3; 2],
    /// The distance that a clear sweep of the body keeps from it as seen from above, at least 0.
    pub room: f32,
}

impl Bar {
    /// Returns whether a sweep along a segment comes so near to the wall that it is barred, as seen
    /// from above; false if it is so by rounding alone.
    #[must_use]
    pub fn is_near(&self, from: Vec3, to: Vec3) -> bool {
        let flat = |at: Vec3| DVec2::new(at.x.into(), at.z.into());
        let ([a, b], [c, d]) = ([from, to].map(flat), self.ends.map(flat));
        let turn = |a: DVec2, b: DVec2, c: DVec2| (b - a).perp_dot(c - a);
        if turn(a, b, c) * turn(a, b, d) < 0.0 && turn(c, d, a) * turn(c, d, b) < 0.0 {
            return true;
        }
        let farthest = a.abs().max(b.abs()).max_element();
        let room = (f64::from(self.room) - farthest * f64::from(f32::EPSILON)).max(0.0);
        let is_near = |point: DVec2, from: DVec2, to: DVec2| {
            nearest_on(point, from, to).distance_squared(point) < room * room
        };
        is_near(c, a, b) || is_near(d, a, b) || is_near(a, c, d) || is_near(b, c, d)
    }
}

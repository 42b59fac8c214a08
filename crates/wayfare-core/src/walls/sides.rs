//! The walls that a crowd keeps away from, and the proof that a move passes none of them.

use glam::Vec3;

/// A straight side of a wall, seen from above.
///
/// ```
/// use glam::Vec3;
/// use wayfare::crowd::{WallSide, Walls};
/// use wayfare::prelude::*;
/// let grid = Grid::from_rows(&["...", "..#", "..."])?;
/// let (mut sides, at) = (Vec::new(), Vec3::new(1.5, 0.0, 1.5));
/// grid.space().sides_near(at, 0.6, |side: WallSide| sides.push(side));
/// // The side of the blocked cell that faces the point.
/// assert_eq!(sides.len(), 1);
/// assert!([sides[0].from, sides[0].to].iter().all(|end| end.x == 2.0));
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WallSide {
    /// One end; its y does not count.
    pub from: Vec3,
    /// The other end.
    pub to: Vec3,
}

/// Where the walls are. A crowd looks at the sides near a body to choose a velocity, and asks for a
/// proof of each move that may come to a wall before the body makes it.
///
/// | implementation | sides of walls | proof |
/// |---|---|---|
/// | `GridSpace` | the outline of blocked cells, in long sides | the sweep of the space |
/// | [`ByProof`] of any space | none: bodies stop at walls and slide along the axes | the sweep of the space |
/// | a closure `Fn(from, to, radius) -> bool` | none | the closure |
/// | [`NoWalls`] | none | all is clear |
///
/// ```
/// use glam::Vec3;
/// use wayfare::crowd::Walls;
/// // A half plane: nobody passes x = 4.
/// let fence = |_from: Vec3, to: Vec3, radius: f32| to.x + radius <= 4.0;
/// assert!(fence.is_clear(Vec3::ZERO, Vec3::X, 0.5));
/// assert!(!fence.is_clear(Vec3::ZERO, Vec3::X * 4.0, 0.5));
/// ```
pub trait Walls: Sync {
    /// Visits the sides of walls that face `at` and come within `range` of it, always in the same
    /// order. It may visit others too, and may leave out what lies behind a nearer wall.
    ///
    /// Returns whether nothing else bars a disc there: a sweep that begins at `at` and keeps away
    /// from those sides is [clear](Self::is_clear), so that the crowd does not ask. False is always
    /// right.
    fn sides_near(&self, at: Vec3, range: f32, visit: impl FnMut(WallSide)) -> bool;

    /// Returns whether a disc of that radius can be swept from one point to another without
    /// reaching into a wall.
    fn is_clear(&self, from: Vec3, to: Vec3, radius: f32) -> bool;
}

/// Ground without walls.
///
/// ```
/// use glam::Vec3;
/// use wayfare::crowd::{NoWalls, Walls};
/// assert!(NoWalls.is_clear(Vec3::ZERO, Vec3::X * 1000.0, 3.0));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWalls;

impl Walls for NoWalls {
    fn sides_near(&self, _at: Vec3, _range: f32, _visit: impl FnMut(WallSide)) -> bool {
        true
    }

    fn is_clear(&self, _from: Vec3, _to: Vec3, _radius: f32) -> bool {
        true
    }
}

/// The walls of any space with lines of sight, known by its sweeps alone.
///
/// ```
/// use glam::Vec3;
/// use wayfare::crowd::{ByProof, Walls};
/// use wayfare::prelude::*;
/// let grid = Grid::from_rows(&["..#"])?;
/// let (space, at) = (grid.space(), |x| Vec3::new(x, 0.0, 0.5));
/// assert!(ByProof(&space).is_clear(at(0.5), at(1.5), 0.4));
/// assert!(!ByProof(&space).is_clear(at(0.5), at(1.7), 0.4));
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ByProof<'s, S>(pub &'s S);

impl<S: crate::space::LineOfSight> Walls for ByProof<'_, S> {
    fn sides_near(&self, _at: Vec3, _range: f32, _visit: impl FnMut(WallSide)) -> bool {
        false
    }

    fn is_clear(&self, from: Vec3, to: Vec3, radius: f32) -> bool {
        self.0.sweep_is_clear(from, to, radius)
    }
}

impl<F: Fn(Vec3, Vec3, f32) -> bool + Sync> Walls for F {
    fn sides_near(&self, _at: Vec3, _range: f32, _visit: impl FnMut(WallSide)) -> bool {
        false
    }

    fn is_clear(&self, from: Vec3, to: Vec3, radius: f32) -> bool {
        self(from, to, radius)
    }
}

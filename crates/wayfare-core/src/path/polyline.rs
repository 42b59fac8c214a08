//! Polylines: paths as points of the world.

use glam::Vec3;

use super::Path;
use crate::space::{Cost, LineOfSight, Space, StateId};

/// Points of the world joined by straight legs: a [`Path`] as a body follows it.
///
/// ```
/// use wayfare::path::Polyline;
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// let grid = Grid::from_rows(&["...", ".#.", "..."])?;
/// let space = grid.space();
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(2, 2).unwrap());
/// let answer = solve(&space, &AStar::new(), query);
/// let line = Polyline::from_path(&space, answer.outcome.path().unwrap());
/// assert_eq!(line.length(), 4.0);
/// assert!(line.is_clear(&space));
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Polyline {
    /// The points in order.
    pub points: Vec<Vec3>,
}

impl Polyline {
    /// Returns the positions of a path's states, in order.
    #[must_use]
    pub fn from_path<S, State: StateId, C: Cost>(space: &S, path: &Path<State, C>) -> Self
    where
        S: Space<State = State, Cost = C>,
    {
        path.points(space).collect()
    }

    /// Returns the sum of the lengths of its legs, in world units. 0 for fewer than two points.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.points
            .windows(2)
            .map(|leg| f64::from(leg[0].distance(leg[1])))
            .fold(0.0, |sum, leg| sum + leg)
    }

    /// Returns whether an agent can move along all legs.
    #[must_use]
    pub fn is_clear<S: LineOfSight>(&self, space: &S) -> bool {
        self.points.windows(2).all(|leg| space.segment_is_clear(leg[0], leg[1]))
    }
}

impl FromIterator<Vec3> for Polyline {
    fn from_iter<I: IntoIterator<Item = Vec3>>(points: I) -> Self {
        Self { points: points.into_iter().collect() }
    }
}

//! Simplifies paths: keeps their turning points.
//!
//! Each point that turns by more than rounding is kept. Between two of these, a slow bend is told
//! from a straight line by keeping the farthest point from the line as long as it is too far, and
//! repeating on both sides.
//!
//! Sources: U. Ramer, "An iterative procedure for the polygonal approximation of plane curves",
//! 1972; D. H. Douglas, T. K. Peucker, "Algorithms for the reduction of the number of points
//! required to represent a digitized line or its caricature", 1973.

use glam::Vec3;

use super::{Path, Polyline};
use crate::plane::segment::nearest_on_segment;
use crate::space::{Cost, Space, StateId};

/// Keeps the ends and turning points of a line; removes points on a straight line between them.
///
/// A point counts as on the line if only rounding moves it off: by at most 4 units in the last
/// place of the largest coordinate. So the line meets no new obstacle. Usually O(n log n) for n
/// points, O(n²) on a long slow bend. To remove turns as well, use [`shorten`](super::shorten()).
///
/// ```
/// use glam::Vec3;
/// use wayfare::path::{Polyline, simplify};
/// let line: Polyline = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (2.0, 1.0)].map(|(x, z)| Vec3::new(x, 0.0, z)).into_iter().collect();
/// assert_eq!(simplify(&line).points.len(), 3);
/// ```
#[must_use]
pub fn simplify(line: &Polyline) -> Polyline {
    let turns = turning_points(&line.points, |_| false);
    turns.into_iter().map(|turn| line.points[turn]).collect()
}

/// As [`simplify`], for a path: keeps the states where it starts, ends, turns or changes its
/// action.
///
/// A kept state keeps its cost from the start, so the cost of the path stays the same. Consecutive
/// states are no longer joined by single moves.
///
/// ```
/// use wayfare::path::simplify_path;
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// let grid = Grid::from_rows(&[".....", "####.", "....."])?;
/// let space = grid.space();
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(0, 2).unwrap());
/// let path = solve(&space, &AStar::new(), query).outcome.into_path();
/// let turns = simplify_path(&space, &path);
/// assert_eq!((path.len(), turns.len()), (10, 3));
/// assert_eq!(path.cost(), turns.cost());
/// # Ok::<(), GridError>(())
/// ```
#[must_use]
pub fn simplify_path<S, State: StateId, C: Cost>(space: &S, path: &Path<State, C>) -> Path<State, C>
where
    S: Space<State = State, Cost = C>,
{
    let points: Vec<Vec3> = path.points(space).collect();
    let changes_action = |at: usize| path.steps[at].action != path.steps[at + 1].action;
    let turns = turning_points(&points, changes_action);
    let steps = turns.into_iter().map(|turn| path.steps[turn]).collect();
    Path { steps, revision: path.revision }
}

/// Returns the positions of the points to keep. `must_keep(i)` is asked for inner points.
fn turning_points(points: &[Vec3], must_keep: impl Fn(usize) -> bool) -> Vec<usize> {
    let Some(last) = points.len().checked_sub(1) else { return Vec::new() };
    let largest = points.iter().map(|point| point.abs().max_element()).fold(0.0, f32::max);
    let tolerance = 4.0 * f32::EPSILON * largest;
    let mut kept = vec![0];
    for at in 1..=last {
        let is_turn = at == last
            || must_keep(at)
            || deviation(points[at], points[at - 1], points[at + 1]) > tolerance;
        if is_turn {
            let from = kept[kept.len() - 1];
            keep_bends(points, (from, at), tolerance, &mut kept);
            kept.push(at);
        }
    }
    kept
}

/// Keeps the points of a slow bend between two kept points.
fn keep_bends(points: &[Vec3], (from, to): (usize, usize), tolerance: f32, kept: &mut Vec<usize>) {
    let mut pending = vec![(from, to)];
    while let Some((from, to)) = pending.pop() {
        if from == to {
            kept.push(from);
            continue;
        }
        let off = |at: usize| deviation(points[at], points[from], points[to]);
        let farthest = (from + 1..to).max_by(|&a, &b| off(a).total_cmp(&off(b)));
        if let Some(middle) = farthest.filter(|&at| off(at) > tolerance) {
            pending.extend([(middle, to), (middle, middle), (from, middle)]);
        }
    }
}

/// Returns the distance of a point from the segment between two others.
pub fn deviation(point: Vec3, from: Vec3, to: Vec3) -> f32 {
    point.distance(nearest_on_segment(point, from, to))
}

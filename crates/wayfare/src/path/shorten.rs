//! Line-of-sight shortening: cutting across where nothing is in the way.
//!
//! The greedy smoothing of A. Botea, M. Müller, J. Schaeffer, "Near optimal hierarchical path-finding", 2004, known as A* with
//! post-smoothed paths; here with doubling steps, and repeated until nothing changes.

use super::{Path, Polyline, Step};
use crate::space::{Action, Cost, LineOfSight, Space, StateId};

/// Leaves out the states of a path that a straight line can pass by: string pulling without a navigation mesh.
///
/// Replaces a stretch of the path by a straight line only where [`LineOfSight::line_cost`] has a cost for it that is not above
/// what the stretch costs. The path is therefore **never dearer and never runs into anything**; where the ground differs, it
/// stays on the ground that the search chose. Stretches that are not all walked, all swum or all flown stay as they
/// are: a door is still gone through. The path that comes back is one for
/// [`validate_any_angle`](super::validate_any_angle).
///
/// Not the shortest path at any angle: it stays in the passages that the search went through.
/// [`LazyThetaStar`](crate::search::LazyThetaStar) looks at angles while it searches, at a higher price. Takes O(n log n) lines
/// of sight for n states as a rule, each O(length).
///
/// ```
/// use wayfare::path::shorten_path;
/// use wayfare::prelude::*;
/// let grid = Grid::from_rows(&[".....", ".....", "....."])?;
/// let space = grid.space();
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(4, 1).unwrap());
/// let path = solve(&space, &AStar::new(), query).outcome.into_path();
/// let short = shorten_path(&space, &path);
/// assert_eq!((path.len(), short.len()), (5, 2));
/// assert!(short.cost() < path.cost());
/// # Ok::<(), GridError>(())
/// ```
#[must_use]
pub fn shorten_path<S, State: StateId, C: Cost>(space: &S, path: &Path<State, C>) -> Path<State, C>
where
    S: LineOfSight + Space<State = State, Cost = C>,
{
    let mut legs: Vec<Leg<State, C>> = Vec::with_capacity(path.steps.len());
    let mut before = C::ZERO;
    for step in &path.steps {
        let cost = step.cost.minus(before);
        legs.push(Leg { state: step.state, action: step.action, cost, replaced: cost });
        before = step.cost;
    }
    pull(&mut legs, |stretch| join(space, stretch));
    // What is one leg still may get cheaper all the same: a diagonal step is a little longer than the line.
    for at in 1..legs.len() {
        legs[at] = join(space, &legs[at - 1..=at]).unwrap_or(legs[at]);
    }
    let mut cost = C::ZERO;
    let steps = legs.iter().map(|leg| {
        cost = cost.plus(leg.cost);
        Step { state: leg.state, action: leg.action, cost }
    });
    Path { steps: steps.collect(), revision: path.revision }
}

/// A step of a path under way, with the cost of its own leg.
#[derive(Clone, Copy)]
struct Leg<State, C> {
    state: State,
    action: Action,
    cost: C,
    /// What the stretch that it replaces cost before any pulling.
    replaced: C,
}

/// The straight line from the first to the last state of a stretch, if it may replace the stretch.
fn join<S, State: StateId, C: Cost>(space: &S, stretch: &[Leg<State, C>]) -> Option<Leg<State, C>>
where
    S: LineOfSight + Space<State = State, Cost = C>,
{
    let [first, legs @ ..] = stretch else { return None };
    let last = legs.last()?;
    let is_continuous = matches!(last.action, Action::Walk | Action::Swim | Action::Fly);
    if !is_continuous || legs.iter().any(|leg| leg.action != last.action) {
        return None;
    }
    let sum = |of: fn(&Leg<State, C>) -> C| legs.iter().fold(C::ZERO, |sum, leg| sum.plus(of(leg)));
    let replaced = sum(|leg| leg.replaced);
    // The cost of each line is rounded down: that of a longer one must not be held against it.
    let rounding = C::from_u64(legs.len() as u64);
    let most = replaced.min(sum(|leg| leg.cost).plus(rounding));
    let cost = space.line_cost(first.state, last.state)?;
    (cost <= most).then_some(Leg { state: last.state, action: last.action, cost, replaced })
}

/// As [`shorten_path`], for the points of a path: leaves out those that a clear straight segment can pass by.
///
/// Looks at obstacles only, not at costs: meant for ground that is all alike, and for ends that lie beside the centres of
/// their states. Never longer than before.
///
/// ```
/// use glam::Vec3;
/// use wayfare::path::{Polyline, shorten};
/// use wayfare::prelude::*;
/// let grid = Grid::from_rows(&["....", "....", "##.."])?;
/// let line: Polyline = [(0.2, 0.1), (2.5, 1.5), (3.9, 2.9)].map(|(x, z)| Vec3::new(x, 0.0, z)).into_iter().collect();
/// assert_eq!(shorten(&grid.space(), &line).points.len(), 2);
/// # Ok::<(), GridError>(())
/// ```
#[must_use]
pub fn shorten<S: LineOfSight>(space: &S, line: &Polyline) -> Polyline {
    let mut points = line.points.clone();
    pull(&mut points, |stretch| {
        let (from, to) = (*stretch.first()?, *stretch.last()?);
        space.segment_is_clear(from, to).then_some(to)
    });
    Polyline { points }
}

/// Replaces stretches of items by their first and what `join` makes of their last, as long as it does.
fn pull<T: Copy>(items: &mut Vec<T>, mut join: impl FnMut(&[T]) -> Option<T>) {
    loop {
        let mut pulled: Vec<T> = items.first().copied().into_iter().collect();
        let mut anchor = 0;
        while anchor + 1 < items.len() {
            let (mut reach, mut reached) = (anchor + 1, items[anchor + 1]);
            // Strides double until one fails, then halve: sight along a path comes and goes, but mostly it just ends.
            let (mut stride, mut grows) = (1, true);
            while stride > 0 {
                let end = reach + stride;
                match items.get(anchor..=end).and_then(&mut join) {
                    Some(item) => (reach, reached) = (end, item),
                    None => grows = false,
                }
                stride = if grows { stride * 2 } else { stride / 2 };
            }
            pulled.push(reached);
            anchor = reach;
        }
        let is_done = pulled.len() == items.len();
        *items = pulled;
        if is_done {
            return;
        }
    }
}

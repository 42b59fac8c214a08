//! Shortens paths by lines of sight: replaces detours by straight lines where nothing is in the
//! way.
//!
//! # Why a shortened path is never more expensive
//!
//! Each leg remembers the cost of the original stretch that it `replaced`. A line joins several
//! legs only if its cost is at most the sum of their `replaced`. So always
//! `cost(leg) <= replaced(leg)`, and the sum of `replaced` is the cost of the original path.
//!
//! A line must not cost more than the legs it joins either, up to 1 a leg: costs are rounded down,
//! and a long line must not lose to several short ones by their rounding.
//!
//! # Why it ends
//!
//! Each pass removes at least one leg or is the last.
//!
//! Source: A. Botea, M. Müller, J. Schaeffer, "Near optimal hierarchical path-finding", 2004
//! (greedy smoothing); here with doubling strides, repeated until nothing changes.

use super::{Path, Polyline, Step};
use crate::space::{Action, Cost, LineOfSight, Space, StateId};

/// Removes the states of a path that a straight line can bypass: string pulling without a
/// navigation mesh.
///
/// A stretch is replaced by a line only if [`LineOfSight::line_cost`] returns a cost for it that is
/// at most the cost of the stretch. So the path is **never more expensive and never meets an
/// obstacle**; where terrain costs differ, it stays on the ground that the search chose. A stretch
/// with actions other than one of walking, swimming or flying throughout stays as it is. Check the
/// result with [`validate_any_angle`](super::validate_any_angle).
///
/// The result is not the shortest path at any angle: it stays in the passages of the original path.
/// [`LazyThetaStar`](crate::search::LazyThetaStar) considers angles while it searches, at a higher
/// price. Usually O(n log n) lines of sight for n states, each O(length).
///
/// ```
/// use wayfare::path::shorten_path;
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// let grid = Grid::from_rows(&[".....", ".....", "....."])?;
/// let space = grid.space();
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(4, 1).unwrap());
/// let path = solve(&space, &AStar::new(), query).outcome.into_path();
/// let short = shorten_path(&space, &path);
/// assert_eq!((path.len(), short.len()), (4, 1));
/// assert!(short.cost() < path.cost());
/// # Ok::<(), GridError>(())
/// ```
#[must_use]
pub fn shorten_path<S, State: StateId, C: Cost>(space: &S, path: &Path<State, C>) -> Path<State, C>
where
    S: LineOfSight + Space<State = State, Cost = C>,
{
    shorten_path_where(path, |from, to| space.line_cost(from, to), |_, _| true)
}

/// As [`shorten_path`], for a body of a radius in world units: a line replaces several moves only
/// where the body can be [swept](LineOfSight::sweep_is_clear) along it. `line` is the cost of a
/// line, if the space has one.
pub fn shorten_path_for_body<S, State: StateId, C: Cost>(
    space: &S,
    path: &Path<State, C>,
    radius: f32,
    line: impl Fn(State, State) -> Option<C>,
) -> Path<State, C>
where
    S: LineOfSight + Space<State = State, Cost = C>,
{
    shorten_path_where(path, line, |from, to| {
        space.sweep_is_clear(space.position(from), space.position(to), radius)
    })
}

fn shorten_path_where<State: StateId, C: Cost>(
    path: &Path<State, C>,
    line: impl Fn(State, State) -> Option<C>,
    has_room: impl Fn(State, State) -> bool,
) -> Path<State, C> {
    let mut legs: Vec<Leg<State, C>> = Vec::with_capacity(path.steps.len());
    let mut before = C::ZERO;
    for step in &path.steps {
        let cost = step.cost.minus(before);
        legs.push(Leg { state: step.state, action: step.action, cost, replaced: cost });
        before = step.cost;
    }
    pull(&mut legs, |stretch| join(&line, stretch, &has_room));
    // A single leg may get cheaper too: a diagonal step costs slightly more than its line.
    for at in 1..legs.len() {
        legs[at] = join(&line, &legs[at - 1..=at], &|_, _| true).unwrap_or(legs[at]);
    }
    let mut cost = C::ZERO;
    let steps = legs.iter().map(|leg| {
        cost = cost.plus(leg.cost);
        Step { state: leg.state, action: leg.action, cost }
    });
    Path { steps: steps.collect(), revision: path.revision }
}

/// A step of an unfinished path, with the cost of its own leg.
#[derive(Clone, Copy)]
struct Leg<State, C> {
    state: State,
    action: Action,
    cost: C,
    /// The cost of the original stretch that the leg replaces.
    replaced: C,
}

/// Returns the straight line from the first to the last state of a stretch, if it may replace the
/// stretch and has room.
fn join<State: StateId, C: Cost>(
    line: &impl Fn(State, State) -> Option<C>,
    stretch: &[Leg<State, C>],
    has_room: &impl Fn(State, State) -> bool,
) -> Option<Leg<State, C>> {
    let [first, legs @ ..] = stretch else { return None };
    let last = legs.last()?;
    let is_continuous = matches!(last.action, Action::Walk | Action::Swim | Action::Fly);
    if !is_continuous
        || legs.iter().any(|leg| leg.action != last.action)
        || !has_room(first.state, last.state)
    {
        return None;
    }
    let sum = |of: fn(&Leg<State, C>) -> C| legs.iter().fold(C::ZERO, |sum, leg| sum.plus(of(leg)));
    let replaced = sum(|leg| leg.replaced);
    // Line costs are rounded down; see the module's documentation.
    let rounding = C::from_u64(legs.len() as u64);
    let most = replaced.min(sum(|leg| leg.cost).plus(rounding));
    let cost = line(first.state, last.state)?;
    (cost <= most).then_some(Leg { state: last.state, action: last.action, cost, replaced })
}

/// Like [`shorten_path`], for points: removes each point that a clear straight segment can bypass.
///
/// Only obstacles are looked at, not costs. Use it on uniform-cost ground, and for ends beside the
/// centres of their states. The line never gets longer.
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

/// Replaces stretches by their first item and the result of `join`, until `join` refuses all.
fn pull<T: Copy>(items: &mut Vec<T>, mut join: impl FnMut(&[T]) -> Option<T>) {
    loop {
        let mut pulled: Vec<T> = items.first().copied().into_iter().collect();
        let mut anchor = 0;
        while anchor + 1 < items.len() {
            let (mut reach, mut reached) = (anchor + 1, items[anchor + 1]);
            // Strides double until one fails, then halve: where sight along a path ends, it mostly
            // stays lost.
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

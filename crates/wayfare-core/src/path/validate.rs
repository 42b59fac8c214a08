//! An independent validator that re-walks a path.

use super::Path;
use crate::space::{Action, Cost, IllegalMove, LineOfSight, MoveRules, StateId};

/// A fault of a path.
///
/// ```
/// use wayfare::path::{PathFault, validate};
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// let mut grid = Grid::from_rows(&["..."])?;
/// let [start, middle, goal] = [0, 1, 2].map(|x| grid.cell(x, 0).unwrap());
/// let query = Query::new(start, goal);
/// let path = solve(&grid.space(), &AStar::new(), query).outcome.into_path();
/// grid.set_terrain(middle, TerrainId::BLOCKED);
/// let fault = validate(&grid.space(), &path, start, goal).unwrap_err();
/// assert!(matches!(fault, PathFault::Illegal { .. }));
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PathFault<State, C>
where
    State: std::fmt::Debug,
    C: std::fmt::Debug,
{
    /// It has no states.
    #[error("the path has no states")]
    Empty,
    /// It does not begin where it should.
    #[error("the path begins at {0:?}")]
    WrongStart(State),
    /// It does not end where it should.
    #[error("the path ends at {0:?}")]
    WrongEnd(State),
    /// A step is not a legal move.
    #[error("step {step}: {reason}")]
    Illegal {
        /// The number of the step; 0 is the start.
        step: usize,
        /// Why the move is illegal.
        reason: IllegalMove,
    },
    /// A step is not made as the cheapest move between its ends is.
    #[error("step {step} is made by {claimed:?}, but the move there is {expected:?}")]
    WrongAction {
        /// The number of the step; 0 is the start.
        step: usize,
        /// The action that the path names.
        claimed: Action,
        /// The action of the cheapest move; [`Action::Walk`] at the start.
        expected: Action,
    },
    /// A step's running cost is not the sum of the moves so far.
    #[error("step {step} claims the cost {claimed:?}, but its moves add up to {summed:?}")]
    WrongCost {
        /// The number of the step.
        step: usize,
        /// The cost that the path claims.
        claimed: C,
        /// The sum over the moves.
        summed: C,
    },
}

/// Re-walks a path move by move under the space's [`MoveRules`], sums its costs again and compares
/// its actions with the space's.
///
/// Takes O(states) time and shares no code with any search.
///
/// # Errors
/// The first fault found.
pub fn validate<S: MoveRules>(
    space: &S,
    path: &Path<S::State, S::Cost>,
    start: S::State,
    goal: S::State,
) -> Result<(), PathFault<S::State, S::Cost>> {
    rewalk(path, start, goal, |from, to| space.check_move(from, to))?;
    let mut previous = start;
    for (step, &super::Step { state, action: claimed, .. }) in path.steps.iter().enumerate() {
        let expected = if step == 0 { Action::Walk } else { space.action(previous, state) };
        if claimed != expected {
            return Err(PathFault::WrongAction { step, claimed, expected });
        }
        previous = state;
    }
    Ok(())
}

/// As [`validate`], for paths of any angle: each step must be a clear straight line, or else a
/// legal move. Looks at no actions.
///
/// # Errors
/// The first fault found.
pub fn validate_any_angle<S: MoveRules + LineOfSight>(
    space: &S,
    path: &Path<S::State, S::Cost>,
    start: S::State,
    goal: S::State,
) -> Result<(), PathFault<S::State, S::Cost>> {
    rewalk(path, start, goal, |from, to| {
        space.line_cost(from, to).map_or_else(|| space.check_move(from, to), Ok)
    })
}

fn rewalk<State: StateId, C: Cost>(
    path: &Path<State, C>,
    start: State,
    goal: State,
    move_cost: impl Fn(State, State) -> Result<C, IllegalMove>,
) -> Result<(), PathFault<State, C>> {
    let (Some(first), Some(last)) = (path.start(), path.end()) else {
        return Err(PathFault::Empty);
    };
    if first != start {
        return Err(PathFault::WrongStart(first));
    }
    if last != goal {
        return Err(PathFault::WrongEnd(last));
    }
    let mut summed = C::ZERO;
    let mut previous = first;
    for (step, entry) in path.steps.iter().enumerate() {
        if step > 0 {
            let cost = move_cost(previous, entry.state)
                .map_err(|reason| PathFault::Illegal { step, reason })?;
            summed = summed.plus(cost);
            previous = entry.state;
        }
        if entry.cost != summed {
            return Err(PathFault::WrongCost { step, claimed: entry.cost, summed });
        }
    }
    Ok(())
}

//! Heuristics: estimates of the remaining cost.

use crate::space::{Cost, Measure, Metric, Space};

/// Estimates the cost from a state to a goal.
///
/// An estimate that never exceeds the true cost is *admissible* and makes A* optimal. One that also
/// obeys the triangle inequality is *consistent*: no state is expanded twice. Closures
/// `Fn(&Space, from, goal) -> Cost` are heuristics too.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::search::{Heuristic, NamedHeuristic, Natural, Zero};
/// use wayfare::space::{GridSpace, Measure};
///
/// /// Half of the space's own estimate.
/// #[derive(Clone)]
/// struct Half;
/// impl Heuristic<GridSpace<'_>> for Half {
///     fn estimate(&self, space: &GridSpace<'_>, from: Cell, goal: Cell) -> u32 {
///         space.estimate(from, goal) / 2
///     }
/// }
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let by_name = NamedHeuristic::Measure(Measure::Octile);
/// let answers = [
///     solve(&grid.space(), &AStar::with(Natural), query.clone()),
///     solve(&grid.space(), &AStar::with(Zero), query.clone()), // Dijkstra's algorithm
///     solve(&grid.space(), &AStar::with(by_name), query.clone()),
///     solve(&grid.space(), &AStar::with(Half), query),
/// ];
/// assert!(answers.iter().all(|answer| answer.outcome.path().unwrap().len() == 5));
/// # Ok::<(), GridError>(())
/// ```
pub trait Heuristic<S: Space>: Clone {
    /// Returns whether this is [`Space::estimate`] itself. It is then computed only once, and a
    /// search for one goal uses [`Guidance::estimate`](crate::expert::Guidance::estimate) if the
    /// space has a guide.
    fn is_natural(&self) -> bool {
        false
    }

    /// Returns the estimate.
    fn estimate(&self, space: &S, from: S::State, goal: S::State) -> S::Cost;

    /// Returns whether estimates that were made before an edit are still lower bounds in `space`,
    /// the space after it. A search that holds others cannot be [adopted](super::Search::adopt).
    /// Default: `true`, for estimates from positions, which an edit does not move.
    fn survives_edits(&self, _space: &S) -> bool {
        true
    }
}

/// The space's own estimate, the tightest that is always consistent: octile on an 8-neighbour grid,
/// Manhattan on a 4-neighbour one, Euclidean among waypoints, scaled to the cheapest ground.
///
/// On uniform-cost grids it also knows the rooms and gateways between start and goal, and skips all
/// other rooms. [`Measure::Octile`] does not.
///
/// Example: [`Heuristic`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Natural;

impl<S: Space> Heuristic<S> for Natural {
    #[inline]
    fn is_natural(&self) -> bool {
        true
    }

    #[inline]
    fn estimate(&self, space: &S, from: S::State, goal: S::State) -> S::Cost {
        space.estimate(from, goal)
    }
}

/// No estimate: turns A* into Dijkstra's algorithm.
///
/// Example: [`Heuristic`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Zero;

impl<S: Space> Heuristic<S> for Zero {
    #[inline]
    fn estimate(&self, _space: &S, _from: S::State, _goal: S::State) -> S::Cost {
        S::Cost::ZERO
    }
}

impl<S: Metric> Heuristic<S> for Measure {
    #[inline]
    fn estimate(&self, space: &S, from: S::State, goal: S::State) -> S::Cost {
        space.distance(*self, from, goal)
    }
}

impl<S: Space, F: Fn(&S, S::State, S::State) -> S::Cost + Clone> Heuristic<S> for F {
    fn estimate(&self, space: &S, from: S::State, goal: S::State) -> S::Cost {
        self(space, from, goal)
    }
}

/// A heuristic chosen by name at run time.
///
/// [`Measure::Manhattan`] overestimates where diagonal moves are allowed: A* is then no longer
/// optimal.
///
/// Example: [`Heuristic`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum NamedHeuristic {
    /// [`Natural`]
    #[default]
    Natural,
    /// [`Zero`]
    Zero,
    /// One of the measures, suitable for the space or not.
    Measure(Measure),
}

impl NamedHeuristic {
    /// All heuristics with their names.
    pub const ALL: [(&'static str, Self); 6] = [
        ("natural", Self::Natural),
        ("octile", Self::Measure(Measure::Octile)),
        ("manhattan", Self::Measure(Measure::Manhattan)),
        ("euclidean", Self::Measure(Measure::Euclidean)),
        ("chebyshev", Self::Measure(Measure::Chebyshev)),
        ("zero", Self::Zero),
    ];
}

impl<S: Metric> Heuristic<S> for NamedHeuristic {
    #[inline]
    fn is_natural(&self) -> bool {
        *self == Self::Natural
    }

    #[inline]
    fn estimate(&self, space: &S, from: S::State, goal: S::State) -> S::Cost {
        match self {
            Self::Natural => space.estimate(from, goal),
            Self::Zero => S::Cost::ZERO,
            Self::Measure(measure) => space.distance(*measure, from, goal),
        }
    }
}

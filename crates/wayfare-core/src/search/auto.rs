//! The optimal search that suits the space and the query.

use super::machine::preflight;
use super::{
    Algorithm, AlgorithmId, AlgorithmInfo, Goal, Guarantee, Jps, JpsSearch, Listed, Options, Query,
    QueryOf,
};
use crate::space::{Cost, Jumping, JumpingOf, Space, StateId};

/// Picks the fastest of the searches that find a cheapest path and need nothing but the space:
/// [`Jps`] where the space can jump to the goal, else [`AStar`](super::AStar).
///
/// [`Auto::choose`] says which it is to be, and why. Indexes, which are built beforehand for a map
/// that stays as it is, are asked by themselves.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::search::{AlgorithmId, Auto, AutoChoice};
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let AutoChoice { algorithm, why } = Auto::choose(&grid.space(), &query);
/// assert_eq!(algorithm, AlgorithmId::Jps);
/// println!("{algorithm}: {why}");
/// assert!(solve(&grid.space(), &Auto, query).outcome.is_found());
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Auto;

/// The choice of [`Auto`].
///
/// Example: [`Auto`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AutoChoice {
    /// The algorithm.
    pub algorithm: AlgorithmId,
    /// Why that one: a clause for people.
    pub why: &'static str,
}

impl Auto {
    /// Returns the algorithm for a query.
    #[must_use]
    pub fn choose<S: Space>(space: &S, query: &QueryOf<S>) -> AutoChoice {
        let (algorithm, why) = if !JumpingOf::<S>::is_possible(space) {
            (AlgorithmId::AStar, "in this space one goes from neighbour to neighbour")
        } else if matches!(query.goal, Goal::Where(_)) {
            (AlgorithmId::AStar, "the goal is a condition, and a jump might pass over it")
        } else if query.approach && preflight(space, query).is_err() {
            (
                AlgorithmId::AStar,
                "the goal is out of reach, and the state nearest to it is asked for",
            )
        } else {
            (AlgorithmId::Jps, "what moves cost here lets the search jump from turn to turn")
        };
        AutoChoice { algorithm, why }
    }
}

impl Algorithm for Auto {
    /// Jump point search chooses by the same rules, and is A* where it does not jump.
    type Search<State: StateId, C: Cost> = JpsSearch<State, C>;

    fn search<State: StateId, C: Cost>(&self, query: Query<State, C>) -> Self::Search<State, C> {
        Jps.search(query)
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Optimal
    }
}

impl Listed for Auto {
    const INFO: AlgorithmInfo = AlgorithmInfo {
        name: "auto",
        title: "Automatic",
        summary: "The fastest of these that finds a cheapest path here: jps where it can jump, else astar",
        guarantee: Guarantee::Optimal,
        sensible_states: None,
    };

    fn with_options(_: &Options) -> Self {
        Self
    }
}

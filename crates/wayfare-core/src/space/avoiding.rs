//! A space in which other units block states.

use glam::Vec3;

use super::{
    Action, EdgeOf, IllegalMove, LineOfSight, Measure, Metric, MoveRules, Obstruction, Plain,
    Reachability, ReverseSpace, Revision, Space,
};

/// A space without the states that a predicate names: other units are the obstacles of one query,
/// and the world is not edited.
///
/// No move ends at such a state. Diagonals past one remain: a unit is no wall. A path may begin at
/// one, where the agent itself stands. Straight lines ([`LineOfSight`]) are moves only,
/// as a line would have to ask for everything that it passes.
///
/// Searches look at all moves: jumps and guidance know the space, not the units. Paths of A* are
/// the cheapest ones. A query whose goal is cut off by units alone is answered by a search.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::space::Avoiding;
/// let grid = Grid::from_rows(&["...", "..."])?;
/// let [start, unit, goal] = [0, 1, 2].map(|x| grid.cell(x, 0).unwrap());
/// let units = [start, unit];
/// let space = Avoiding::new(grid.space(), |cell| units.contains(&cell));
/// let path = solve(&space, &AStar::new(), Query::new(start, goal)).outcome.into_path();
/// assert_eq!(path.len(), 2); // diagonally past it
/// assert!(path.states().all(|cell| cell != unit)); // around it
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Avoiding<S, F> {
    space: S,
    is_taken: F,
}

impl<S: Space, F: Fn(S::State) -> bool + Sync> Avoiding<S, F> {
    /// Returns the space without the states for which `is_taken` returns true. It must give the
    /// same answers throughout a search. Called once per generated move.
    pub fn new(space: S, is_taken: F) -> Self {
        Self { space, is_taken }
    }

    /// Returns the space with all its states.
    pub fn space(&self) -> &S {
        &self.space
    }
}

impl<S: Space, F: Fn(S::State) -> bool + Sync> Space for Avoiding<S, F> {
    type State = S::State;
    type Cost = S::Cost;
    type Expander = Plain;

    fn state_bound(&self) -> usize {
        self.space.state_bound()
    }

    fn revision(&self) -> Revision {
        self.space.revision()
    }

    fn last_edit(&self, from: S::State, to: S::State) -> Revision {
        self.space.last_edit(from, to)
    }

    /// Taken states can be stood on: the agent's own is one, and a goal that is taken is out of
    /// reach.
    fn check(&self, state: S::State) -> Result<(), Obstruction> {
        self.space.check(state)
    }

    #[inline]
    fn successors(&self, state: S::State, mut visit: impl FnMut(EdgeOf<Self>)) {
        self.space.successors(state, |edge| {
            if !(self.is_taken)(edge.target) {
                visit(edge);
            }
        });
    }

    #[inline]
    fn estimate(&self, from: S::State, to: S::State) -> S::Cost {
        self.space.estimate(from, to)
    }

    fn position(&self, state: S::State) -> Vec3 {
        self.space.position(state)
    }

    fn action(&self, from: S::State, to: S::State) -> Action {
        self.space.action(from, to)
    }

    fn reachability(&self, from: S::State, to: S::State) -> Reachability {
        self.space.reachability(from, to)
    }

    fn cost_per_unit(&self) -> f64 {
        self.space.cost_per_unit()
    }

    fn units_an_expansion(&self) -> u64 {
        self.space.units_an_expansion()
    }
}

impl<S: ReverseSpace, F: Fn(S::State) -> bool + Sync> ReverseSpace for Avoiding<S, F> {
    #[inline]
    fn predecessors(&self, state: S::State, visit: impl FnMut(EdgeOf<Self>)) {
        if !(self.is_taken)(state) {
            self.space.predecessors(state, visit);
        }
    }
}

impl<S: Metric, F: Fn(S::State) -> bool + Sync> Metric for Avoiding<S, F> {
    fn distance(&self, measure: Measure, from: S::State, to: S::State) -> S::Cost {
        self.space.distance(measure, from, to)
    }

    fn own_cost(&self, state: S::State) -> S::Cost {
        self.space.own_cost(state)
    }
}

impl<S: Space, F: Fn(S::State) -> bool + Sync> LineOfSight for Avoiding<S, F> {}

impl<S: MoveRules, F: Fn(S::State) -> bool + Sync> MoveRules for Avoiding<S, F> {
    fn check_move(&self, from: S::State, to: S::State) -> Result<S::Cost, IllegalMove> {
        if (self.is_taken)(to) {
            return Err(Obstruction::Blocked.into());
        }
        self.space.check_move(from, to)
    }
}

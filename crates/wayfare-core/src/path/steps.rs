//! The path type, which every search returns.

use crate::space::{Action, Cost, Revision, Space, StateId};
use glam::Vec3;

/// One state of a path.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// let grid = Grid::from_rows(&["..."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(2, 0).unwrap());
/// let path = solve(&grid.space(), &AStar::new(), query).outcome.into_path();
/// let costs: Vec<u32> = path.steps.iter().map(|step| step.cost).collect();
/// assert_eq!(costs, [0, wayfare::space::STRAIGHT, 2 * wayfare::space::STRAIGHT]);
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Step<State, Cost> {
    /// The state that the step ends at.
    pub state: State,
    /// The action of the step; [`Action::Walk`] for the first.
    pub action: Action,
    /// The cost from the start of the path to this state.
    pub cost: Cost,
}

/// A sequence of states with the actions between them and the running costs.
///
/// The first step is the start itself at cost 0. A path knows the revision of its space:
/// [`Path::is_stale`] returns whether an edit touched it since.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// let mut grid = Grid::from_rows(&["...", ".#.", "..."])?;
/// let (start, goal) = (grid.cell(0, 1).unwrap(), grid.cell(2, 1).unwrap());
/// let path = solve(&grid.space(), &AStar::new(), Query::new(start, goal)).outcome.into_path();
/// assert_eq!((path.start(), path.end(), path.len()), (Some(start), Some(goal), 4));
/// assert_eq!(path.length(&grid.space()), 4.0);
/// let stops: Vec<_> = path.moves().map(|step| step.cost).collect();
/// assert_eq!(stops, [5741, 2 * 5741, 3 * 5741, 4 * 5741]);
/// grid.set_terrain(start, TerrainId::BLOCKED);
/// assert!(path.is_stale(&grid.space()));
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Path<State, Cost> {
    /// The steps, the start first.
    pub steps: Vec<Step<State, Cost>>,
    /// The revision of the space that the path was found in.
    pub revision: Revision,
}

/// The path type of a space.
pub type PathOf<S> = Path<<S as Space>::State, <S as Space>::Cost>;

impl<State, C> Default for Path<State, C> {
    fn default() -> Self {
        Self { steps: Vec::new(), revision: Revision::default() }
    }
}

impl<State: StateId, C: Cost> Path<State, C> {
    /// Returns the cost of the whole path; 0 if it is empty.
    #[must_use]
    pub fn cost(&self) -> C {
        self.steps.last().map_or(C::ZERO, |step| step.cost)
    }

    /// Returns the states in order, the start first.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = State> + ExactSizeIterator + '_ {
        self.steps.iter().map(|step| step.state)
    }

    /// Returns the moves in order: all steps but the start.
    pub fn moves(&self) -> std::slice::Iter<'_, Step<State, C>> {
        self.steps.get(1..).unwrap_or_default().iter()
    }

    /// Returns the number of moves: 0 for a path from a state to itself, and for one without
    /// states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.moves().len()
    }

    /// Returns whether the path has no moves. It may still have a state: its start.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the cost in units of length: that of a path on plain ground of the same cost. On
    /// plain ground, its length.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::search::Query;
    /// let grid = Grid::from_rows(&["....."])?;
    /// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(4, 0).unwrap());
    /// let path = solve(&grid.space(), &AStar::new(), query).outcome.into_path();
    /// assert_eq!(path.cost_in_units(&grid.space()), 4.0);
    /// # Ok::<(), GridError>(())
    /// ```
    #[must_use]
    pub fn cost_in_units<S>(&self, space: &S) -> f64
    where
        S: Space<State = State, Cost = C>,
    {
        self.cost().to_u64() as f64 / space.cost_per_unit()
    }

    /// Returns the length in metres: the sum of the straight distances from state to state.
    /// O(steps).
    ///
    /// A cost is a length weighted by terrain and profile; see [`Space::cost_per_unit`].
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::search::Query;
    /// use wayfare::space::Frame;
    /// let frame = Frame { cell_size: 0.5, ..Frame::default() };
    /// let grid = Grid::from_rows(&["....."])?.with_frame(frame)?;
    /// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(4, 0).unwrap());
    /// let path = solve(&grid.space(), &AStar::new(), query).outcome.into_path();
    /// assert_eq!(path.length(&grid.space()), 2.0); // metres, where a cell is half a metre wide
    /// # Ok::<(), GridError>(())
    /// ```
    #[must_use]
    pub fn length<S>(&self, space: &S) -> f64
    where
        S: Space<State = State, Cost = C>,
    {
        let points: Vec<Vec3> = self.points(space).collect();
        let legs = points.windows(2).map(|pair| (pair[1].as_dvec3() - pair[0].as_dvec3()).length());
        // The sum of no legs as `sum` has it is -0.
        legs.fold(0.0, |sum, leg| sum + leg)
    }

    /// Returns the same path with states of another type, of the same indices. The memory of the
    /// steps is kept: a step takes as much with any type of state.
    pub(crate) fn with_states<To: StateId>(self) -> Path<To, C> {
        let typed = |step: Step<State, C>| {
            let Step { state, action, cost } = step;
            Step { state: To::from_index(state.index()), action, cost }
        };
        Path { steps: self.steps.into_iter().map(typed).collect(), revision: self.revision }
    }

    /// Returns the first state.
    #[must_use]
    pub fn start(&self) -> Option<State> {
        self.steps.first().map(|step| step.state)
    }

    /// Returns the last state.
    #[must_use]
    pub fn end(&self) -> Option<State> {
        self.steps.last().map(|step| step.state)
    }

    /// Returns the positions of the states in the world.
    pub fn points<'a, S>(
        &'a self,
        space: &'a S,
    ) -> impl DoubleEndedIterator<Item = Vec3> + ExactSizeIterator + 'a
    where
        S: Space<State = State, Cost = C>,
    {
        self.states().map(|state| space.position(state))
    }

    /// Returns whether an edit since may have changed one of the moves of the path. If not, all of
    /// them are still possible at the same cost; an edit elsewhere may have opened a cheaper path.
    ///
    /// Spaces answer by regions ([`Space::last_edit`]): tiles of 32² cells on grids, chunks in
    /// voxel worlds, single links. In others any edit makes a path stale. So does a path of a later
    /// revision than the space has, which is of another space.
    ///
    /// O(1) if the space was not edited; else O(steps).
    #[must_use]
    pub fn is_stale<S: Space<State = State, Cost = C>>(&self, space: &S) -> bool {
        let now = space.revision();
        if self.revision == now {
            return false;
        }
        let touched = |from, to| space.last_edit(from, to).is_after(self.revision);
        let is_touched = |pair: &[Step<State, C>]| match *pair {
            // A link leads from one end to the other without passing the ground between.
            [from, to] if matches!(to.action, Action::Link(_)) => {
                touched(from.state, from.state) || touched(to.state, to.state)
            }
            [from, to] => touched(from.state, to.state),
            _ => false,
        };
        self.revision.is_after(now)
            || match &self.steps[..] {
                [only] => touched(only.state, only.state),
                steps => steps.windows(2).any(is_touched),
            }
    }
}

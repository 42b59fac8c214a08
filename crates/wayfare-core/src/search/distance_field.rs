//! Distance fields: the cost between a set of sources and every state.
//!
//! E. W. Dijkstra, "A note on two problems in connexion with graphs", 1959.

use std::sync::Arc;

use super::course::{Course, Entry};
use super::flood::{Flood, Inwards, Outwards};
use super::nodes::Nodes;
use super::repair::{FieldRepair, Repair};
use super::{Direction, FieldError, Key, Limit, Progress, Scratch, Stats};
use crate::path::{Path, Step};
use crate::space::{Action, Cost, ReverseSpace, Revision, Space, StateId};
use crate::trace::{Observer, Side};

/// A state of a [`DistanceField`] and its cost.
///
/// Example: [`DistanceField`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StateCost<State, C> {
    /// The state.
    pub state: State,
    /// The cost between it and the nearest source.
    pub cost: C,
}

/// A query for a distance field: the sources, the direction, the radius.
///
/// Example: [`DistanceField`].
#[derive(Clone, Debug)]
pub struct FieldQuery<State, C> {
    /// The sources; each state's cost is that to the nearest. Sources that no agent can stand on
    /// are skipped.
    pub sources: Arc<[State]>,
    /// Whether costs run from the sources or to them.
    pub direction: Direction,
    /// The largest cost that the field holds. Default: [`Cost::INFINITY`]. Raising it makes the
    /// field larger.
    pub max_cost: C,
}

impl<State: StateId, C: Cost> FieldQuery<State, C> {
    /// Returns the costs from the nearest of the sources to every state.
    #[must_use]
    pub fn outward(sources: impl Into<Arc<[State]>>) -> Self {
        let sources = sources.into();
        Self { sources, direction: Direction::Outward, max_cost: C::INFINITY }
    }

    /// Returns the costs from every state to the nearest of the sources.
    #[must_use]
    pub fn inward(sources: impl Into<Arc<[State]>>) -> Self {
        Self { direction: Direction::Inward, ..Self::outward(sources) }
    }

    /// The same query, leaving out states at a cost above `cost`.
    #[must_use]
    pub fn max_cost(mut self, cost: C) -> Self {
        self.max_cost = cost;
        self
    }
}

/// The exact cost between a set of sources and every state, and the cheapest paths that go with it.
///
/// Use it where one state matters to many: a shared goal of a crowd ([`Direction::Inward`]: each
/// agent follows [`DistanceField::next`]), the range of a tower, distances that the rules of a game
/// ask for repeatedly. For a single path a search with a goal expands far fewer states; for the few
/// states around an agent [`Reachable`](super::Reachable) takes less memory.
///
/// Computing it takes O(m + n log n) time for the n states and m moves within the radius,
/// [`Space::state_bound`] × 8 bytes (16 with `u64` costs), and looking a cost up takes O(1). Of
/// several cheapest paths it holds always the same one.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::{Direction, FieldQuery, StateCost, distance_field};
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let (space, at) = (grid.space(), |x, y| grid.cell(x, y).unwrap());
/// let field = distance_field(&space, FieldQuery::inward([at(3, 0)]))?;
/// assert_eq!(field.cost(at(0, 0)), Some(3 * wayfare::space::STRAIGHT));
/// assert_eq!(field.next(at(0, 0)), Some(at(1, 0)));
/// assert_eq!(field.path(&space, at(0, 2)).unwrap().len(), 5);
/// let near = field.iter().filter(|&StateCost { cost, .. }| cost <= wayfare::space::STRAIGHT);
/// assert_eq!((near.count(), field.direction()), (3, Direction::Inward));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DistanceField<State, C> {
    nodes: Nodes<C>,
    bound: usize,
    direction: Direction,
    revision: Revision,
    limit: Option<Limit>,
    stats: Stats,
    _state: std::marker::PhantomData<State>,
}

impl<State, C: Default> Default for DistanceField<State, C> {
    /// Returns a field that holds nothing, for [`DistanceFieldSearch::into_field`] to fill.
    fn default() -> Self {
        Self {
            nodes: Nodes::default(),
            bound: 0,
            direction: Direction::default(),
            revision: Revision::default(),
            limit: None,
            stats: Stats::default(),
            _state: std::marker::PhantomData,
        }
    }
}

impl<State: StateId, C: Cost> DistanceField<State, C> {
    /// Returns the cost between the state and the nearest source; `None` beyond the field.
    #[inline]
    #[must_use]
    pub fn cost(&self, state: State) -> Option<C> {
        settled(&self.nodes, self.bound, state)
    }

    /// Returns the neighbour of the state on its cheapest path: in an inward field the next state
    /// towards the source, in an outward one the previous state of the path. `None` at a source and
    /// beyond the field.
    #[inline]
    #[must_use]
    pub fn next(&self, state: State) -> Option<State> {
        self.cost(state)?;
        let next = self.nodes.parent(state.index());
        (next != state.index()).then_some(State::from_index(next))
    }

    /// Returns the source nearest to the state; `None` beyond the field. Takes O(length of the
    /// path).
    #[must_use]
    pub fn source(&self, state: State) -> Option<State> {
        self.cost(state)?;
        Some(std::iter::successors(Some(state), |&state| self.next(state)).last().unwrap_or(state))
    }

    /// Returns the cheapest path between the state and its nearest source, in walking order: in an
    /// inward field from the state to the source, in an outward one from the source to the state.
    /// `None` beyond the field.
    #[must_use]
    pub fn path<S>(&self, space: &S, state: State) -> Option<Path<State, C>>
    where
        S: Space<State = State, Cost = C>,
    {
        settled(&self.nodes, self.bound, state)?;
        let path = Path { steps: Vec::new(), revision: self.revision };
        Some(trace(space, &self.nodes, self.direction, state, path))
    }

    /// Returns every state of the field with its cost, by id. Takes O([`Space::state_bound`]).
    pub fn iter(&self) -> impl Iterator<Item = StateCost<State, C>> + '_ {
        (0..self.bound as u32)
            .map(State::from_index)
            .filter_map(|state| Some(StateCost { state, cost: self.cost(state)? }))
    }

    /// Returns every state of the field with its cost, by id, in time that does not grow with a
    /// large space.
    pub(super) fn settled(&self) -> impl Iterator<Item = StateCost<u32, C>> + '_ {
        self.nodes.reached().filter(|one| self.nodes.is_closed(one.state))
    }

    /// Returns the direction of the costs.
    #[must_use]
    pub fn direction(&self) -> Direction {
        self.direction
    }

    /// Returns the limit that left states with a path out of the field: [`Limit::Cost`] for the
    /// radius, [`Limit::Expansions`] if the search was stopped early, [`Limit::CostRange`] if the
    /// cost type was too narrow. The costs in the field are exact all the same.
    #[must_use]
    pub fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// Returns the counters of its computation.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Returns whether the space was edited since the field was computed.
    #[must_use]
    pub fn is_stale<S: Space<State = State, Cost = C>>(&self, space: &S) -> bool {
        self.revision != space.revision()
    }
}

/// Returns the final cost of a state. One that is still open has not got it.
#[inline]
fn settled<State: StateId, C: Cost>(nodes: &Nodes<C>, bound: usize, state: State) -> Option<C> {
    let index = state.index();
    let is_known = (index as usize) < bound && nodes.is_closed(index);
    if is_known { nodes.g(index) } else { None }
}

/// Fills `path` with the path between a settled state and its source, in walking order.
fn trace<S: Space>(
    space: &S,
    nodes: &Nodes<S::Cost>,
    direction: Direction,
    state: S::State,
    mut path: Path<S::State, S::Cost>,
) -> Path<S::State, S::Cost> {
    let whole = nodes.g(state.index()).unwrap_or(S::Cost::ZERO);
    let (mut before, mut here) = (None, state);
    loop {
        let next = nodes.parent(here.index());
        let next = (next != here.index()).then_some(S::State::from_index(next));
        let g = nodes.g(here.index()).unwrap_or(whole);
        let (from, cost) = match direction {
            Direction::Outward => (next, g),
            Direction::Inward => (before, whole.minus(g)),
        };
        let action = from.map_or_else(Action::default, |from| space.action(from, here));
        path.steps.push(Step { state: here, action, cost });
        let Some(next) = next else { break };
        (before, here) = (Some(here), next);
    }
    if direction == Direction::Outward {
        path.steps.reverse();
    }
    path
}

/// Computes a distance field with fresh memory. To reuse memory, or to spread the work over several
/// frames, see [`DistanceFieldSearch`].
///
/// # Errors
/// When there is no source that one can stand on.
pub fn distance_field<S: ReverseSpace>(
    space: &S,
    query: FieldQuery<S::State, S::Cost>,
) -> Result<DistanceField<S::State, S::Cost>, FieldError> {
    let (mut scratch, mut field) = (Scratch::new(), DistanceField::default());
    let mut search = DistanceFieldSearch::new(query);
    while search.step(space, &mut scratch, &mut (), u64::MAX) == Progress::Working {}
    search.into_field(space, &mut scratch, &mut field)?;
    Ok(field)
}

/// A resumable machine that computes a [`DistanceField`].
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::{DistanceField, DistanceFieldSearch, FieldQuery};
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let (space, goal) = (grid.space(), grid.cell(3, 0).unwrap());
/// let (mut scratch, mut field) = (Scratch::new(), DistanceField::default());
/// for _ in 0..3 {
///     let mut search = DistanceFieldSearch::new(FieldQuery::inward([goal]));
///     // Four states a frame.
///     while search.step(&space, &mut scratch, &mut (), 4) == Progress::Working {}
///     // Field and scratch exchange their memory.
///     search.into_field(&space, &mut scratch, &mut field)?;
/// }
/// assert_eq!(field.iter().count(), 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DistanceFieldSearch<State, C> {
    query: FieldQuery<State, C>,
    flood: Flood<C>,
    course: Course<Result<(), FieldError>>,
}

impl<State: StateId, C: Cost> DistanceFieldSearch<State, C> {
    /// Returns a search before its first step.
    #[must_use]
    pub fn new(query: FieldQuery<State, C>) -> Self {
        let flood = Flood::new(query.max_cost, Side::Forward);
        Self { query, flood, course: Course::default() }
    }

    /// Returns the cost between the state and the nearest source, as far as the search has come:
    /// `None` while the state is not settled.
    #[must_use]
    pub fn settled<S: Space<State = State, Cost = C>>(
        &self,
        space: &S,
        scratch: &Scratch<State, C>,
        state: State,
    ) -> Option<C> {
        if self.course.is_fresh() || self.course.interruption(space, scratch).is_some() {
            return None;
        }
        settled(&scratch.forward, space.state_bound(), state)
    }

    /// Returns the cheapest path between a settled state and its nearest source, as
    /// [`DistanceField::path`] gives it, without waiting for the rest of the field.
    pub fn path<S: Space<State = State, Cost = C>>(
        &self,
        space: &S,
        scratch: &mut Scratch<State, C>,
        state: State,
    ) -> Option<Path<State, C>> {
        self.settled(space, scratch, state)?;
        let mut path = scratch.spare_path();
        path.revision = space.revision();
        Some(trace(space, &scratch.forward, self.query.direction, state, path))
    }

    /// Continues a search in an edited space, like [`Search::adopt`](super::Search::adopt).
    pub fn adopt<S: Space<State = State, Cost = C>>(
        &mut self,
        space: &S,
        scratch: &Scratch<State, C>,
        affected: &[State],
    ) -> bool {
        let has_failed = matches!(self.course.ended(), Some(Err(_)));
        // A repair may leave no settled state. There is nothing to lose then, and whoever reads the
        // search from a file, as far as it had come, has one that has not begun.
        if self.course.ended().is_none() && self.flood.closed == 0 {
            (self.flood, self.course) =
                (Flood::new(self.query.max_cost, Side::Forward), Course::default());
        }
        let Some(lease) = self.course.lease() else { return true };
        // A source that was skipped, or is skipped now, is an affected state that was reached or
        // should have been.
        let touches_a_source = affected.iter().any(|state| self.query.sources.contains(state));
        !has_failed && !touches_a_source && lease.renew(space, scratch, affected)
    }

    /// Repairs the field after an edit of the space, and keeps the unchanged part.
    ///
    /// `affected`: all states whose moves in or out have changed since the last step, as
    /// `Grid::affected_by` lists them. `most`: the
    /// [units of work](crate::navigate::work) that it may take; a little more where a unit of work
    /// is under way.
    ///
    /// Costs and parents then equal those of a search started after the edit with as many settled
    /// states. A complete search is complete again.
    ///
    /// The work is in proportion to the number of states whose cost or parent the edit changed:
    /// O(k · log k) for k states and their moves. Source: G. Ramalingam, T. Reps, "An incremental
    /// algorithm for a generalization of the shortest-path problem", 1996.
    ///
    /// Fails, so that the search must be restarted, if: `most` units are spent; the field is
    /// outward or has a cost limit; a touched source is or was blocked; some moves cost 0.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::search::{DistanceFieldSearch, FieldQuery, FieldRepair};
    /// let mut grid = Grid::from_rows(&["....", ".##.", "...."])?;
    /// let (goal, door) = (grid.cell(3, 0).unwrap(), grid.cell(1, 1).unwrap());
    /// let mut scratch = Scratch::new();
    /// let mut search = DistanceFieldSearch::new(FieldQuery::inward([goal]));
    /// search.step(&grid.space(), &mut scratch, &mut (), u64::MAX);
    /// let edit = grid.set_terrain(door, TerrainId::GROUND);
    /// let affected = grid.affected_by(&edit.cells);
    /// let repair = search.repair(&grid.space(), &mut scratch, &affected, u64::MAX);
    /// assert!(matches!(repair, FieldRepair::Done { work: 1..50 }));
    /// let beyond = search.path(&grid.space(), &mut scratch, grid.cell(1, 1).unwrap());
    /// assert_eq!(beyond.map(|path| path.len()), Some(3));
    /// # Ok::<(), GridError>(())
    /// ```
    pub fn repair<S>(
        &mut self,
        space: &S,
        scratch: &mut Scratch<State, C>,
        affected: &[State],
        most: u64,
    ) -> FieldRepair
    where
        S: ReverseSpace<State = State, Cost = C>,
    {
        let has_failed = matches!(self.course.ended(), Some(Err(_)));
        let is_suited = self.query.direction == Direction::Inward
            && self.query.max_cost >= C::INFINITY
            && !has_failed
            && self.flood.beyond == 0
            && !self.flood.has_free_moves;
        let Some(lease) = self.course.lease() else { return FieldRepair::Done { work: 0 } };
        // A source that cannot be stood on was left out.
        let keeps_sources = |state: &State| {
            !self.query.sources.contains(state)
                || space.check(*state).is_ok() && scratch.forward.g(state.index()) == Some(C::ZERO)
        };
        if !is_suited || !lease.is_held(space, scratch) || !affected.iter().all(keeps_sources) {
            return FieldRepair::GivenUp { work: 0 };
        }
        let mut repair = Repair::new(space, &mut self.flood, &self.query.sources, scratch, most);
        let is_done = repair.run(affected);
        let work = repair.work;
        if !is_done {
            return FieldRepair::GivenUp { work };
        }
        lease.follow(space);
        if self.flood.last == Some(Key::LAST) {
            self.course.end_at_once(Ok(()));
        }
        FieldRepair::Done { work }
    }

    /// Returns how the search ended, if it has: the limit that left states out, or why there is no
    /// field.
    pub(super) fn end(&self) -> Option<Result<Option<Limit>, FieldError>> {
        self.course.ended().map(|end| end.map(|()| self.flood.limit()))
    }

    /// Returns whether every state is settled that leads to a source, or a source to it, within the
    /// largest cost.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        matches!(self.course.ended(), Some(Ok(())))
    }

    /// Returns the number of settled states.
    #[must_use]
    pub fn settled_states(&self) -> u64 {
        self.flood.closed
    }

    /// Takes the field out of the scratch, as far as it has come: every state that was settled,
    /// each with its final cost. `field` gives its memory to the scratch in return, so that two
    /// tables serve any number of fields.
    ///
    /// # Errors
    /// When there is no source that one can stand on, or the search could not go on; `field` is
    /// then what it was.
    pub fn into_field<S: Space<State = State, Cost = C>>(
        self,
        space: &S,
        scratch: &mut Scratch<State, C>,
        field: &mut DistanceField<State, C>,
    ) -> Result<(), FieldError> {
        let (ended, revision) = self.course.conclude(space, scratch)?;
        field.limit = match ended {
            Some(ended) => ended.map(|()| self.flood.limit())?,
            None => Some(Limit::Expansions),
        };
        scratch.exchange_forward(&mut field.nodes);
        field.bound = space.state_bound();
        field.direction = self.query.direction;
        field.revision = revision;
        field.stats = self.flood.stats;
        Ok(())
    }

    /// Expands at most `budget` states.
    pub fn step<S, O>(
        &mut self,
        space: &S,
        scratch: &mut Scratch<State, C>,
        observer: &mut O,
        budget: u64,
    ) -> Progress
    where
        S: ReverseSpace<State = State, Cost = C>,
        O: Observer<State, C>,
    {
        let active = match self.course.enter(space, scratch) {
            Entry::Ended => return Progress::Done,
            Entry::Resumes(active) => active,
            Entry::Begins(beginning) => {
                let (active, table) =
                    (beginning.begun(), (&mut scratch.heap, &mut scratch.forward));
                if let Err(fault) = self.flood.seed(space, &self.query.sources, table, observer) {
                    return self.course.end(active, Err(fault));
                }
                active
            }
        };
        let table = (&mut scratch.heap, &mut scratch.forward);
        let all = |_| true;
        let progress = match self.query.direction {
            Direction::Outward => {
                self.flood.step::<S, Outwards>(space, table, observer, budget, all)
            }
            Direction::Inward => self.flood.step::<S, Inwards>(space, table, observer, budget, all),
        };
        match progress {
            Progress::Working => active.pause(),
            Progress::Done => self.course.end(active, Ok(())),
        }
    }
}

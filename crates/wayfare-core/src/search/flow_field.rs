//! Flow fields: the direction to a shared goal, for many agents.
//!
//! E. Emerson, "Crowd Pathfinding and Steering Using Flow Field Tiles", Game AI Pro, 2013: costs to
//! the goal (the integration field), directions from them, straight ones where the goal is in
//! sight.

use std::sync::Arc;

use glam::Vec3;

use super::{
    DistanceFieldSearch, FieldError, FieldQuery, FieldRepair, Goal, Interruption, Limit, NoPath,
    Progress, Query, Scratch, StateCost, preflight,
};
use crate::path::Path;
use crate::space::{Cost, LineOfSight, ReverseSpace, Revision, Space, StateId};

/// The direction from a point, by a [`FlowField`].
///
/// Example: [`FlowField`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Flow<State, C> {
    /// The direction, of length 1; zero at the goal.
    pub direction: Vec3,
    /// The state to walk to in a straight line: the goal itself where it is in sight.
    pub towards: State,
    /// The cost of the cheapest path from the state that the point lies in.
    pub remaining: C,
}

/// Why a [`FlowField`] has no direction.
///
/// Example: [`FlowField`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoFlow {
    /// There is no path to a goal.
    #[error(transparent)]
    NoPath(#[from] NoPath),
    /// The field has not grown so far: see [`FlowField::grow`].
    #[error("the field has not been grown as far as this")]
    NotGrown,
    /// The cost type cannot hold the cost of the paths that are left.
    #[error(transparent)]
    Limit(#[from] Limit),
}

/// A field of directions to the nearest of some goals, from anywhere.
///
/// Use it where many agents share a goal and steer by themselves: each asks for the direction at
/// the point where it is. Agents of a simulation follow paths instead, which the
/// planner reads out of a shared field. For a single agent a search looks
/// at far less. On meshes ask `MeshField::next`.
///
/// * **On demand.** The field grows outwards from the goals, in the order of cost, until it has
///   reached the state that is asked for. It takes memory for the pages of 512 states that it has
///   reached. [`grow`](Self::grow) spreads the work over frames.
/// * **Repaired on edits.** [`world_changed`](Self::world_changed) recomputes the part that an edit
///   changed.
/// * **Any angle.** The direction leads straight to the goal if it is in sight, else to the
///   farthest state found in sight along the cheapest path. Where ground differs in cost, and in
///   spaces without lines of sight, it leads to the next state of the path.
///
/// Costs are those of the cheapest paths from state to state, exactly those of a new field after
/// any edits. A straight line is taken only where it costs no more than the path beside it.
///
/// Growing takes O(m + n log n) for n states and their m moves. A question to a state that is grown
/// takes O(1) the second time, and O(log d) lines of sight the first time, for the next d states of
/// its path. Memory: 8 bytes a state (16 with `u64` costs) in pages, and 96 KiB.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::{Flow, FlowField, NoFlow};
/// let mut grid = Grid::from_rows(&["......", ".####.", "......"])?;
/// let (start, goal) = (grid.cell(0, 2).unwrap(), grid.cell(5, 0).unwrap());
/// let mut field = FlowField::new([goal]);
/// let ask = |field: &mut FlowField<_, _>, grid: &Grid, cell| {
///     field.ask(&grid.space(), cell, grid.centre(cell))
/// };
/// // The goal is out of sight: the way leads to the corner first.
/// let Flow { direction, towards, remaining } = ask(&mut field, &grid, start)?;
/// assert_eq!((direction, towards), (Vec3::NEG_Z, grid.cell(0, 0).unwrap()));
/// assert_eq!(remaining, 7 * wayfare::space::STRAIGHT);
///
/// let edit = grid.set_terrain(grid.cell(0, 1).unwrap(), TerrainId::BLOCKED);
/// field.world_changed(&grid.space(), &grid.affected_by(&edit.cells), u64::MAX);
/// assert_eq!(ask(&mut field, &grid, start)?.direction, Vec3::X);
/// assert!(matches!(ask(&mut field, &grid, grid.cell(2, 1).unwrap()), Err(NoFlow::NoPath(_))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FlowField<State, C> {
    goals: Arc<[State]>,
    search: DistanceFieldSearch<State, C>,
    scratch: Scratch<State, C>,
    revision: Revision,
    /// The targets of some states, in slots computed from the states' ids. `None`: the slot is
    /// free.
    headings: Vec<Option<Heading>>,
}

#[derive(Clone, Copy, Debug)]
struct Heading {
    from: u32,
    towards: u32,
}

/// The number of headings that are remembered, as a power of two: enough for the cells of a
/// thousand agents.
const HEADINGS_LOG2: u32 = 13;

impl<State: StateId, C: Cost> FlowField<State, C> {
    /// Returns the field of some goals, of which nothing is computed yet. Goals that nobody can
    /// stand on are skipped.
    #[must_use]
    pub fn new(goals: impl Into<Arc<[State]>>) -> Self {
        let goals = goals.into();
        Self {
            search: DistanceFieldSearch::new(FieldQuery::inward(goals.clone())),
            goals,
            scratch: Scratch::in_pages(),
            revision: Revision::default(),
            headings: Vec::new(),
        }
    }

    /// Returns the goals.
    #[must_use]
    pub fn goals(&self) -> &[State] {
        &self.goals
    }

    /// Returns the direction from a point, after growing the field as far as needed.
    ///
    /// `state`: the one that the point lies in, as `Grid::cell_at`
    /// says.
    ///
    /// # Errors
    /// Why there is no path.
    pub fn ask<S>(&mut self, space: &S, state: State, point: Vec3) -> Result<Flow<State, C>, NoFlow>
    where
        S: ReverseSpace<State = State, Cost = C> + LineOfSight,
    {
        let _ = self.grow(space, state, u64::MAX);
        self.flow(space, state, point)
    }

    /// Grows the field until it has reached the state, by at most `budget` expansions. Returns
    /// whether the path from there, or that there is none, is known.
    ///
    /// After an edit without a call to [`world_changed`](Self::world_changed) the field restarts.
    pub fn grow<S>(&mut self, space: &S, state: State, budget: u64) -> Progress
    where
        S: ReverseSpace<State = State, Cost = C>,
    {
        if self.revision != space.revision() {
            self.forget();
            self.revision = space.revision();
        }
        let mut left = budget;
        loop {
            if self.search.end().is_some()
                || self.search.settled(space, &self.scratch, state).is_some()
                || self.foregone(space, state).is_some()
            {
                return Progress::Done;
            }
            if left == 0 {
                return Progress::Working;
            }
            let _ = self.search.step(space, &mut self.scratch, &mut (), left.min(CHUNK));
            left = left.saturating_sub(CHUNK);
        }
    }

    /// Returns the direction from a point, as far as the field has grown: see [`ask`](Self::ask).
    ///
    /// # Errors
    /// Why no way is known.
    pub fn flow<S>(
        &mut self,
        space: &S,
        state: State,
        point: Vec3,
    ) -> Result<Flow<State, C>, NoFlow>
    where
        S: ReverseSpace<State = State, Cost = C> + LineOfSight,
    {
        if self.revision != space.revision() {
            return Err(NoFlow::NotGrown);
        }
        let Some(remaining) = self.search.settled(space, &self.scratch, state) else {
            return Err(self.why_not(space, state));
        };
        let towards = self.heading(space, state);
        let is_clear = |to: State| space.segment_is_clear(point, space.position(to));
        let next = State::from_index(self.scratch.forward.parent(state.index()));
        let middle = space.position(state);
        // A corner may hide from a point of a state a target that is visible from its centre.
        let towards = if is_clear(towards) {
            towards
        } else if is_clear(next) || (point - middle).length_squared() < 1e-6 {
            next
        } else {
            state
        };
        let direction = (space.position(towards) - point).normalize_or_zero();
        Ok(Flow { direction, towards, remaining })
    }

    /// Returns the cost of the cheapest path from a state to the nearest goal, as far as the field
    /// has grown.
    #[must_use]
    pub fn cost<S: Space<State = State, Cost = C>>(&self, space: &S, state: State) -> Option<C> {
        self.search.settled(space, &self.scratch, state)
    }

    /// Returns the cheapest path from a state to the nearest goal, as far as the field has grown.
    pub fn path<S>(&mut self, space: &S, state: State) -> Option<Path<State, C>>
    where
        S: Space<State = State, Cost = C>,
    {
        self.search.path(space, &mut self.scratch, state)
    }

    /// Repairs the field after an edit by at most `most` units of work; else the field restarts.
    /// See [`DistanceFieldSearch::repair`].
    ///
    /// `affected`: all states whose moves in or out have changed, as
    /// `Grid::affected_by` lists them.
    pub fn world_changed<S>(&mut self, space: &S, affected: &[State], most: u64) -> FieldRepair
    where
        S: ReverseSpace<State = State, Cost = C>,
    {
        if self.revision == space.revision() {
            return FieldRepair::Done { work: 0 };
        }
        self.revision = space.revision();
        self.headings.fill(None);
        let repair = self.search.repair(space, &mut self.scratch, affected, most);
        if let FieldRepair::GivenUp { .. } = repair {
            self.forget();
        }
        repair
    }

    /// Returns the number of states that the field has reached.
    #[must_use]
    pub fn settled_states(&self) -> u64 {
        self.search.settled_states()
    }

    /// Returns every state that the field has reached, with its cost, by id.
    pub fn iter(&self) -> impl Iterator<Item = StateCost<State, C>> + '_ {
        let nodes = &self.scratch.forward;
        let closed = nodes.reached().filter(|one| nodes.is_closed(one.state));
        closed.map(|one| StateCost { state: State::from_index(one.state), cost: one.cost })
    }

    /// Returns the memory of the field, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.scratch.bytes() + self.headings.capacity() * size_of::<Option<Heading>>()
    }

    fn forget(&mut self) {
        self.search = DistanceFieldSearch::new(FieldQuery::inward(self.goals.clone()));
        self.headings.fill(None);
    }

    /// Why there is certainly no path.
    fn foregone<S: Space<State = State, Cost = C>>(
        &self,
        space: &S,
        state: State,
    ) -> Option<NoPath> {
        preflight(space, &Query::to(state, Goal::AnyOf(self.goals.clone()))).err()
    }

    fn why_not<S: Space<State = State, Cost = C>>(&self, space: &S, state: State) -> NoFlow {
        if let Some(reason) = self.foregone(space, state) {
            return reason.into();
        }
        match self.search.end() {
            Some(Ok(Some(limit))) => limit.into(),
            Some(Ok(None)) => NoPath::Enclosed.into(),
            Some(Err(FieldError::Source(obstruction))) => NoPath::Goal(obstruction).into(),
            Some(Err(FieldError::NoSource)) => NoPath::NoGoal.into(),
            Some(Err(FieldError::Interrupted(
                Interruption::SpaceEdited | Interruption::ScratchReused,
            )))
            | None => NoFlow::NotGrown,
        }
    }

    /// Returns the state to go to in a straight line from the middle of another.
    fn heading<S>(&mut self, space: &S, state: State) -> State
    where
        S: Space<State = State, Cost = C> + LineOfSight,
    {
        if self.headings.is_empty() {
            self.headings.resize(1 << HEADINGS_LOG2, None);
        }
        // Fibonacci hashing: neighbours come apart.
        let place = state.index().wrapping_mul(0x9E37_79B1) >> (32 - HEADINGS_LOG2);
        if let Some(known) = self.headings[place as usize]
            && known.from == state.index()
        {
            return State::from_index(known.towards);
        }
        let towards = self.find_heading(space, state);
        self.headings[place as usize] =
            Some(Heading { from: state.index(), towards: towards.index() });
        towards
    }

    /// Returns a goal in sight, or else the farthest state found in sight on the cheapest path: by
    /// steps that double, and then by halves.
    fn find_heading<S>(&self, space: &S, state: State) -> State
    where
        S: Space<State = State, Cost = C> + LineOfSight,
    {
        let nodes = &self.scratch.forward;
        let cost = |state: State| nodes.g(state.index()).unwrap_or(C::INFINITY);
        let whole = cost(state);
        // A straight line is taken where it costs no more than the path.
        let is_in_sight =
            |to: State| space.line_cost(state, to).is_some_and(|line| line.plus(cost(to)) <= whole);
        let near = |goal: &&State| space.estimate(state, **goal) <= whole && **goal != state;
        if let Some(&goal) = self.goals.iter().filter(near).find(|goal| is_in_sight(**goal)) {
            return goal;
        }
        let walk = |from: State, steps: u32| {
            let mut at = from.index();
            for _ in 0..steps {
                at = nodes.parent(at); // that of a goal is the goal
            }
            State::from_index(at)
        };
        let mut seen = walk(state, 1);
        let mut stride = 1;
        loop {
            let farther = walk(seen, stride);
            if farther == seen {
                return seen;
            }
            if !is_in_sight(farther) {
                break;
            }
            (seen, stride) = (farther, stride * 2);
        }
        while stride > 1 {
            stride /= 2;
            let farther = walk(seen, stride);
            if is_in_sight(farther) {
                seen = farther;
            }
        }
        seen
    }
}

/// How often a field looks whether it has reached the state, in expansions.
const CHUNK: u64 = 256;

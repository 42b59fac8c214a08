//! A space behind virtual calls, so that a search is compiled once and not for each type of space.
//!
//! States are known by their [index](StateId::index), which every type of state has. The type of
//! costs remains, since it decides the size of a search's nodes.
//!
//! # Why a search does the same behind virtual calls
//!
//! Each method asks the one of the same name of the space, pruning and guidance included, and
//! indices compare as states do: a state is compared by its index alone wherever a search compares
//! two ([`Key`](super::Key)). There are no jumps: no search that jumps is compiled so.

use super::memories::Memories;
use super::{Goal, Query};
use crate::space::{
    Action, Cost, Edge, EdgeOf, Expander, ExpanderMemory, Guidance, GuidanceMemoryOf, GuidanceOf,
    LineOfSight, Measure, Metric, Obstruction, Plain, Pruning, PruningOf, Reachability,
    ReverseSpace, Revision, Space, StateId,
};
use crate::trace::{Observer, TraceEvent};

/// A state of any type, by its index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct ErasedState(u32);

impl StateId for ErasedState {
    #[inline]
    fn index(self) -> u32 {
        self.0
    }

    #[inline]
    fn from_index(index: u32) -> Self {
        Self(index)
    }
}

impl ErasedState {
    pub(super) fn of(state: impl StateId) -> Self {
        Self::from_index(state.index())
    }

    /// Returns the state of a space whose states have that type.
    pub(super) fn typed<State: StateId>(self) -> State {
        State::from_index(self.index())
    }
}

type Visit<'v, C> = &'v mut dyn FnMut(Edge<ErasedState, C>);

/// The methods of a space, of its pruning and of its guidance that searches call. Object safe.
trait AnySpace<C: Cost>: Sync {
    fn state_bound(&self) -> usize;
    fn revision(&self) -> Revision;
    fn last_edit(&self, from: ErasedState, to: ErasedState) -> Revision;
    fn check(&self, state: ErasedState) -> Result<(), Obstruction>;
    fn successors(&self, state: ErasedState, visit: Visit<'_, C>);
    fn pruned(&self, parent: ErasedState, state: ErasedState, visit: Visit<'_, C>);
    fn predecessors(&self, state: ErasedState, visit: Visit<'_, C>);
    fn estimate(&self, from: ErasedState, to: ErasedState) -> C;
    fn distance(&self, measure: Measure, from: ErasedState, to: ErasedState) -> C;
    fn own_cost(&self, state: ErasedState) -> C;
    fn line_cost(&self, from: ErasedState, to: ErasedState) -> Option<C>;
    fn position(&self, state: ErasedState) -> glam::Vec3;
    fn action(&self, from: ErasedState, to: ErasedState) -> Action;
    fn reachability(&self, from: ErasedState, to: ErasedState) -> Reachability;
    fn cost_per_unit(&self) -> f64;
    fn stamp(&self) -> u64;
    fn leading_to(&self, state: ErasedState, visit: &mut dyn FnMut(ErasedState)) -> bool;
    fn prepare(&self, start: ErasedState, goal: ErasedState, memory: &mut ErasedMemory) -> bool;
    fn guided(&self, memory: &ErasedMemory, state: ErasedState) -> C;
    fn holds(&self, goal: ErasedState, memory: &mut ErasedMemory) -> bool;
}

/// The memory of the guidance of a space with an erased type.
#[derive(Default, Debug)]
pub(super) struct ErasedMemory(Memories);

impl ExpanderMemory for ErasedMemory {
    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

impl ErasedMemory {
    /// Lends the memory of a space's guidance.
    fn with<S: Space, T>(&mut self, work: impl FnOnce(&mut GuidanceMemoryOf<S>) -> T) -> T {
        let mut memory = self.0.take::<GuidanceMemoryOf<S>>();
        let result = work(&mut memory);
        self.0.put(memory);
        result
    }
}

/// Returns an edge between states that are known by index.
fn erased<State: StateId, C>(edge: Edge<State, C>) -> Edge<ErasedState, C> {
    Edge { target: ErasedState::of(edge.target), cost: edge.cost, action: edge.action }
}

impl<S: Metric + ReverseSpace + LineOfSight> AnySpace<S::Cost> for S {
    fn state_bound(&self) -> usize {
        Space::state_bound(self)
    }

    fn revision(&self) -> Revision {
        Space::revision(self)
    }

    fn last_edit(&self, from: ErasedState, to: ErasedState) -> Revision {
        Space::last_edit(self, from.typed(), to.typed())
    }

    fn check(&self, state: ErasedState) -> Result<(), Obstruction> {
        Space::check(self, state.typed())
    }

    fn successors(&self, state: ErasedState, visit: Visit<'_, S::Cost>) {
        Space::successors(self, state.typed(), |edge| visit(erased(edge)));
    }

    fn pruned(&self, parent: ErasedState, state: ErasedState, visit: Visit<'_, S::Cost>) {
        let visit = |edge| visit(erased(edge));
        PruningOf::<S>::successors(self, parent.typed(), state.typed(), visit);
    }

    fn predecessors(&self, state: ErasedState, visit: Visit<'_, S::Cost>) {
        ReverseSpace::predecessors(self, state.typed(), |edge| visit(erased(edge)));
    }

    fn estimate(&self, from: ErasedState, to: ErasedState) -> S::Cost {
        Space::estimate(self, from.typed(), to.typed())
    }

    fn distance(&self, measure: Measure, from: ErasedState, to: ErasedState) -> S::Cost {
        Metric::distance(self, measure, from.typed(), to.typed())
    }

    fn own_cost(&self, state: ErasedState) -> S::Cost {
        Metric::own_cost(self, state.typed())
    }

    fn line_cost(&self, from: ErasedState, to: ErasedState) -> Option<S::Cost> {
        LineOfSight::line_cost(self, from.typed(), to.typed())
    }

    fn position(&self, state: ErasedState) -> glam::Vec3 {
        Space::position(self, state.typed())
    }

    fn action(&self, from: ErasedState, to: ErasedState) -> Action {
        Space::action(self, from.typed(), to.typed())
    }

    fn reachability(&self, from: ErasedState, to: ErasedState) -> Reachability {
        Space::reachability(self, from.typed(), to.typed())
    }

    fn cost_per_unit(&self) -> f64 {
        Space::cost_per_unit(self)
    }

    fn stamp(&self) -> u64 {
        S::Expander::stamp(self)
    }

    fn leading_to(&self, state: ErasedState, visit: &mut dyn FnMut(ErasedState)) -> bool {
        S::Expander::predecessors(self, state.typed(), |from| visit(ErasedState::of(from)))
    }

    fn prepare(&self, start: ErasedState, goal: ErasedState, memory: &mut ErasedMemory) -> bool {
        memory.with::<S, _>(|own| GuidanceOf::<S>::prepare(self, start.typed(), goal.typed(), own))
    }

    fn guided(&self, memory: &ErasedMemory, state: ErasedState) -> S::Cost {
        // A search asks for this only after `prepare`, which leaves a memory.
        let own = memory.0.get::<GuidanceMemoryOf<S>>();
        own.map_or(S::Cost::ZERO, |own| GuidanceOf::<S>::estimate(self, own, state.typed()))
    }

    fn holds(&self, goal: ErasedState, memory: &mut ErasedMemory) -> bool {
        memory.with::<S, _>(|own| GuidanceOf::<S>::holds(self, goal.typed(), own))
    }
}

/// A space of any type with costs of the type `C`.
#[derive(Clone, Copy)]
pub(super) struct ErasedSpace<'s, C>(&'s dyn AnySpace<C>);

impl<'s, C: Cost> ErasedSpace<'s, C> {
    pub(super) fn of<S>(space: &'s S) -> Self
    where
        S: Metric<Cost = C> + ReverseSpace + LineOfSight,
    {
        Self(space)
    }
}

impl<C: Cost> Space for ErasedSpace<'_, C> {
    type State = ErasedState;
    type Cost = C;
    type Expander = ErasedExpander;

    fn state_bound(&self) -> usize {
        self.0.state_bound()
    }

    fn revision(&self) -> Revision {
        self.0.revision()
    }

    fn last_edit(&self, from: ErasedState, to: ErasedState) -> Revision {
        self.0.last_edit(from, to)
    }

    fn check(&self, state: ErasedState) -> Result<(), Obstruction> {
        self.0.check(state)
    }

    fn successors(&self, state: ErasedState, mut visit: impl FnMut(EdgeOf<Self>)) {
        self.0.successors(state, &mut visit);
    }

    fn estimate(&self, from: ErasedState, to: ErasedState) -> C {
        self.0.estimate(from, to)
    }

    fn position(&self, state: ErasedState) -> glam::Vec3 {
        self.0.position(state)
    }

    fn action(&self, from: ErasedState, to: ErasedState) -> Action {
        self.0.action(from, to)
    }

    fn reachability(&self, from: ErasedState, to: ErasedState) -> Reachability {
        self.0.reachability(from, to)
    }

    fn cost_per_unit(&self) -> f64 {
        self.0.cost_per_unit()
    }
}

impl<C: Cost> ReverseSpace for ErasedSpace<'_, C> {
    fn predecessors(&self, state: ErasedState, mut visit: impl FnMut(EdgeOf<Self>)) {
        self.0.predecessors(state, &mut visit);
    }
}

impl<C: Cost> Metric for ErasedSpace<'_, C> {
    fn distance(&self, measure: Measure, from: ErasedState, to: ErasedState) -> C {
        self.0.distance(measure, from, to)
    }

    fn own_cost(&self, state: ErasedState) -> C {
        self.0.own_cost(state)
    }
}

impl<C: Cost> LineOfSight for ErasedSpace<'_, C> {
    fn line_cost(&self, from: ErasedState, to: ErasedState) -> Option<C> {
        self.0.line_cost(from, to)
    }
}

/// The expander of the space behind the virtual calls, without its jumps.
#[derive(Clone, Copy, Debug)]
pub(super) struct ErasedExpander;

impl<'s, C: Cost> Expander<ErasedSpace<'s, C>> for ErasedExpander {
    type Pruning = Self;
    type Guidance = Self;
    type Jumping = Plain;

    fn stamp(space: &ErasedSpace<'s, C>) -> u64 {
        space.0.stamp()
    }

    fn predecessors(
        space: &ErasedSpace<'s, C>,
        state: ErasedState,
        mut visit: impl FnMut(ErasedState),
    ) -> bool {
        space.0.leading_to(state, &mut visit)
    }
}

impl<'s, C: Cost> Pruning<ErasedSpace<'s, C>> for ErasedExpander {
    fn successors(
        space: &ErasedSpace<'s, C>,
        parent: ErasedState,
        state: ErasedState,
        mut visit: impl FnMut(EdgeOf<ErasedSpace<'s, C>>),
    ) {
        space.0.pruned(parent, state, &mut visit);
    }
}

impl<'s, C: Cost> Guidance<ErasedSpace<'s, C>> for ErasedExpander {
    type Memory = ErasedMemory;

    const GUIDES: bool = true;

    fn prepare(
        space: &ErasedSpace<'s, C>,
        start: ErasedState,
        goal: ErasedState,
        memory: &mut ErasedMemory,
    ) -> bool {
        space.0.prepare(start, goal, memory)
    }

    fn estimate(space: &ErasedSpace<'s, C>, memory: &ErasedMemory, state: ErasedState) -> C {
        space.0.guided(memory, state)
    }

    fn holds(space: &ErasedSpace<'s, C>, goal: ErasedState, memory: &mut ErasedMemory) -> bool {
        space.0.holds(goal, memory)
    }
}

/// Passes events on to an observer that knows states by their type.
pub(super) struct TypedObserver<'o, State, O> {
    observer: &'o mut O,
    state: std::marker::PhantomData<fn(State)>,
}

impl<'o, State, O> TypedObserver<'o, State, O> {
    pub(super) fn new(observer: &'o mut O) -> Self {
        Self { observer, state: std::marker::PhantomData }
    }
}

impl<State, C, O> Observer<ErasedState, C> for TypedObserver<'_, State, O>
where
    State: StateId,
    C: Cost,
    O: Observer<State, C>,
{
    fn observe(&mut self, event: TraceEvent<ErasedState, C>) {
        let TraceEvent { kind, side, state, parent, g, h } = event;
        let (state, parent) = (state.typed(), parent.typed());
        self.observer.observe(TraceEvent { kind, side, state, parent, g, h });
    }

    fn scanned(&mut self, work: u32) {
        self.observer.scanned(work);
    }
}

impl<State: StateId> Goal<State> {
    /// Returns the same goal, of states that are known by index.
    fn erased(self) -> Goal<ErasedState> {
        match self {
            Self::State(state) => Goal::State(ErasedState::of(state)),
            Self::AnyOf(states) => {
                Goal::AnyOf(states.iter().map(|&state| ErasedState::of(state)).collect())
            }
            Self::Where(accepts) => Goal::when(move |state: ErasedState| accepts(state.typed())),
        }
    }
}

impl<State: StateId, C> Query<State, C> {
    /// Returns the same query, of states that are known by index.
    pub(super) fn erased(self) -> Query<ErasedState, C> {
        let Self { start, goal, limits, approach } = self;
        Query { start: ErasedState::of(start), goal: goal.erased(), limits, approach }
    }
}

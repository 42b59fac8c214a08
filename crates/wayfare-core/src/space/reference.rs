//! A reference to a space is a space: code that takes a space by value takes a waypoint graph by
//! reference, as it takes the light `GridSpace` of a grid as it is.

use std::marker::PhantomData;

use glam::Vec3;

use super::{
    Action, EdgeOf, Expander, Guidance, IllegalMove, JumpVisitor, Jumping, LineOfSight, Measure,
    Metric, MoveRules, Obstruction, OpenSwath, Pruning, Reachability, ReverseSpace, Revision,
    Space, Sweep,
};

impl<S: Space> Space for &S {
    type State = S::State;
    type Cost = S::Cost;
    type Expander = Referenced<S::Expander>;

    fn state_bound(&self) -> usize {
        (**self).state_bound()
    }

    fn revision(&self) -> Revision {
        (**self).revision()
    }

    fn last_edit(&self, from: S::State, to: S::State) -> Revision {
        (**self).last_edit(from, to)
    }

    fn check(&self, state: S::State) -> Result<(), Obstruction> {
        (**self).check(state)
    }

    #[inline]
    fn successors(&self, state: S::State, visit: impl FnMut(EdgeOf<Self>)) {
        (**self).successors(state, visit);
    }

    #[inline]
    fn estimate(&self, from: S::State, to: S::State) -> S::Cost {
        (**self).estimate(from, to)
    }

    fn position(&self, state: S::State) -> Vec3 {
        (**self).position(state)
    }

    fn action(&self, from: S::State, to: S::State) -> Action {
        (**self).action(from, to)
    }

    fn reachability(&self, from: S::State, to: S::State) -> Reachability {
        (**self).reachability(from, to)
    }

    fn cost_per_unit(&self) -> f64 {
        (**self).cost_per_unit()
    }

    fn units_an_expansion(&self) -> u64 {
        (**self).units_an_expansion()
    }
}

/// The expander of a reference: each part forwards to the space referred to.
#[derive(Clone, Copy, Debug)]
pub struct Referenced<E>(PhantomData<fn() -> E>);

impl<S: Space, E: Expander<S>> Expander<&S> for Referenced<E> {
    type Pruning = Referenced<E::Pruning>;
    type Guidance = Referenced<E::Guidance>;
    type Jumping = Referenced<E::Jumping>;

    fn stamp(space: &&S) -> u64 {
        E::stamp(space)
    }

    #[inline]
    fn predecessors(space: &&S, state: S::State, visit: impl FnMut(S::State)) -> bool {
        E::predecessors(space, state, visit)
    }
}

impl<S: Space, P: Pruning<S>> Pruning<&S> for Referenced<P> {
    #[inline]
    fn successors(space: &&S, parent: S::State, state: S::State, visit: impl FnMut(EdgeOf<S>)) {
        P::successors(space, parent, state, visit);
    }
}

impl<S: Space, G: Guidance<S>> Guidance<&S> for Referenced<G> {
    type Memory = G::Memory;

    const GUIDES: bool = G::GUIDES;

    fn prepare(space: &&S, start: S::State, goal: S::State, memory: &mut G::Memory) -> bool {
        G::prepare(space, start, goal, memory)
    }

    #[inline]
    fn estimate(space: &&S, memory: &G::Memory, state: S::State) -> S::Cost {
        G::estimate(space, memory, state)
    }

    fn holds(space: &&S, goal: S::State, memory: &mut G::Memory) -> bool {
        G::holds(space, goal, memory)
    }
}

impl<S: Space, J: Jumping<S>> Jumping<&S> for Referenced<J> {
    type Memory = J::Memory;

    const IS_SYMMETRIC: bool = J::IS_SYMMETRIC;

    fn is_possible(space: &&S) -> bool {
        J::is_possible(space)
    }

    fn prepare(space: &&S, goals: &[S::State], memory: &mut J::Memory) {
        J::prepare(space, goals, memory);
    }

    #[inline]
    fn jumps(
        space: &&S,
        parent: S::State,
        state: S::State,
        goals: &[S::State],
        memory: &J::Memory,
        visitor: &mut impl JumpVisitor<S::State, S::Cost>,
    ) {
        J::jumps(space, parent, state, goals, memory, visitor);
    }

    #[inline]
    fn shared_jumps(
        space: &&S,
        parent: S::State,
        state: S::State,
        goals: &[S::State],
        memory: &J::Memory,
        visitor: &mut impl JumpVisitor<S::State, S::Cost>,
    ) {
        J::shared_jumps(space, parent, state, goals, memory, visitor);
    }

    fn in_sight(space: &&S, from: S::State, goal: S::State) -> Option<S::State> {
        J::in_sight(space, from, goal)
    }

    #[inline]
    fn position(space: &&S, state: S::State) -> [i32; 3] {
        J::position(space, state)
    }

    #[inline]
    fn estimate(space: &&S, from: S::State, to: [i32; 3]) -> S::Cost {
        J::estimate(space, from, to)
    }

    fn retrace(space: &&S, from: S::State, to: S::State, visit: impl FnMut(EdgeOf<S>)) {
        J::retrace(space, from, to, visit);
    }
}

impl<S: ReverseSpace> ReverseSpace for &S {
    #[inline]
    fn predecessors(&self, state: S::State, visit: impl FnMut(EdgeOf<Self>)) {
        (**self).predecessors(state, visit);
    }
}

impl<S: Metric> Metric for &S {
    #[inline]
    fn distance(&self, measure: Measure, from: S::State, to: S::State) -> S::Cost {
        (**self).distance(measure, from, to)
    }

    fn own_cost(&self, state: S::State) -> S::Cost {
        (**self).own_cost(state)
    }
}

impl<S: LineOfSight> LineOfSight for &S {
    const PULLS_TAUT: bool = S::PULLS_TAUT;

    fn line_cost(&self, from: S::State, to: S::State) -> Option<S::Cost> {
        (**self).line_cost(from, to)
    }

    fn segment_is_clear(&self, from: Vec3, to: Vec3) -> bool {
        (**self).segment_is_clear(from, to)
    }

    fn sweep_is_clear(&self, from: Vec3, to: Vec3, radius: f32) -> bool {
        (**self).sweep_is_clear(from, to, radius)
    }

    fn sweep(&self, from: Vec3, to: Vec3, radius: f32) -> Sweep {
        (**self).sweep(from, to, radius)
    }

    fn open_swath(&self, from: Vec3, to: Vec3, radius: f32) -> Option<OpenSwath> {
        (**self).open_swath(from, to, radius)
    }

    fn taut(
        &self,
        from: Vec3,
        states: &[Self::State],
        to: Option<Vec3>,
        radius: f32,
    ) -> Option<Vec<Vec3>> {
        (**self).taut(from, states, to, radius)
    }

    fn follow_ground(&self, from: Vec3, to: Vec3, visit: &mut dyn FnMut(Vec3)) {
        (**self).follow_ground(from, to, visit);
    }
}

impl<S: MoveRules> MoveRules for &S {
    fn check_move(&self, from: S::State, to: S::State) -> Result<S::Cost, IllegalMove> {
        (**self).check_move(from, to)
    }
}

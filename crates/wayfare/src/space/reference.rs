//! A reference to a space is a space: what takes spaces by value takes a waypoint graph by reference, as it takes the light
//! [`GridSpace`](super::GridSpace) of a grid as it is.

use glam::Vec3;

use super::{
    Action, EdgeOf, Guide, IllegalMove, JumpGoals, JumpSpace, LineOfSight, Measure, Metric,
    MoveRules, Obstruction, Reach, Reachability, ReverseSpace, Revision, Space,
};

impl<S: Space> Space for &S {
    type State = S::State;
    type Cost = S::Cost;

    fn state_bound(&self) -> usize {
        (**self).state_bound()
    }

    fn revision(&self) -> Revision {
        (**self).revision()
    }

    fn check(&self, state: S::State) -> Result<(), Obstruction> {
        (**self).check(state)
    }

    #[inline]
    fn successors(&self, state: S::State, visit: impl FnMut(EdgeOf<Self>)) {
        (**self).successors(state, visit);
    }

    #[inline]
    fn canonical_successors(
        &self,
        parent: S::State,
        state: S::State,
        visit: impl FnMut(EdgeOf<Self>),
    ) {
        (**self).canonical_successors(parent, state, visit);
    }

    fn action(&self, from: S::State, to: S::State) -> Action {
        (**self).action(from, to)
    }

    #[inline]
    fn estimate(&self, from: S::State, to: S::State) -> S::Cost {
        (**self).estimate(from, to)
    }

    fn guide(&self, start: S::State, goal: S::State, guide: &mut Guide) -> bool {
        (**self).guide(start, goal, guide)
    }

    #[inline]
    fn guided_estimate(&self, guide: &Guide, state: S::State) -> S::Cost {
        (**self).guided_estimate(guide, state)
    }

    fn guide_admits(
        &self,
        guide: &mut Guide,
        jump: (S::State, S::State),
        costs: (S::Cost, S::Cost),
    ) -> bool {
        (**self).guide_admits(guide, jump, costs)
    }

    fn guide_holds(&self, goal: S::State, guide: &Guide) -> bool {
        (**self).guide_holds(goal, guide)
    }

    fn cost_stamp(&self) -> u64 {
        (**self).cost_stamp()
    }

    fn reachability(&self, from: S::State, to: S::State) -> Reachability {
        (**self).reachability(from, to)
    }

    #[inline]
    fn origins(&self, state: Self::State, visit: impl FnMut(Self::State)) -> bool {
        S::origins(self, state, visit)
    }

    fn position(&self, state: S::State) -> Vec3 {
        (**self).position(state)
    }

    fn cost_per_unit(&self) -> f64 {
        (**self).cost_per_unit()
    }
}

impl<S: ReverseSpace> ReverseSpace for &S {
    #[inline]
    fn predecessors(&self, state: S::State, visit: impl FnMut(EdgeOf<Self>)) {
        (**self).predecessors(state, visit);
    }
}

impl<S: JumpSpace> JumpSpace for &S {
    fn can_jump(&self) -> bool {
        (**self).can_jump()
    }

    fn sort_goals(&self, goals: &[S::State], across: &mut Vec<S::State>) {
        (**self).sort_goals(goals, across);
    }

    fn jumps(
        &self,
        parent: S::State,
        state: S::State,
        goals: JumpGoals<'_, S::State>,
        reach: &mut impl Reach<S::State, S::Cost>,
    ) {
        (**self).jumps(parent, state, goals, reach);
    }

    fn retrace(&self, from: S::State, to: S::State, visit: impl FnMut(EdgeOf<Self>)) {
        (**self).retrace(from, to, visit);
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
    fn line_cost(&self, from: S::State, to: S::State) -> Option<S::Cost> {
        (**self).line_cost(from, to)
    }

    fn segment_is_clear(&self, from: Vec3, to: Vec3) -> bool {
        (**self).segment_is_clear(from, to)
    }
}

impl<S: MoveRules> MoveRules for &S {
    fn check_move(&self, from: S::State, to: S::State) -> Result<S::Cost, IllegalMove> {
        (**self).check_move(from, to)
    }
}

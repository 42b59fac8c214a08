//! Paths to goals in chunks that are not loaded.

use glam::Vec3;
use wayfare_core::expert::{Expander, Pruning, PruningOf};
use wayfare_core::search::{AStar, Algorithm, AnswerOf, NoPath, Outcome, Query, ScratchOf, Search};
use wayfare_core::space::{Action, Cost, Edge, EdgeOf, Obstruction, Plain, Revision, Space};

use crate::{Voxel, VoxelSpace};

/// A space with one more move from each state at the edge of the loaded chunks: straight to the
/// goal beyond, at the cost of the estimate.
struct WithBeyond<'s, 'g, C> {
    space: &'s VoxelSpace<'g, C>,
    goal: Voxel,
}

impl<C: Cost> WithBeyond<'_, '_, C> {
    /// Visits the move to the goal beyond.
    #[inline]
    fn visit_beyond(&self, state: Voxel, mut visit: impl FnMut(EdgeOf<Self>)) {
        if self.space.is_at_edge(state) {
            let cost = self.space.estimate(state, self.goal);
            visit(Edge { target: self.goal, cost, action: Action::default() });
        }
    }
}

/// The expander of [`WithBeyond`]: leaves out the moves that the space leaves out.
///
/// A search still reaches every state of the space at its least cost, and so the goal beyond
/// through the best of those at the edge. There is no move out of that goal.
struct WithoutDetours;

impl<C: Cost> Expander<WithBeyond<'_, '_, C>> for WithoutDetours {
    type Pruning = Self;
    type Guidance = Plain;
    type Jumping = Plain;

    fn stamp(space: &WithBeyond<'_, '_, C>) -> u64 {
        <Plain as Expander<WithBeyond<'_, '_, C>>>::stamp(space)
    }

    fn predecessors(_: &WithBeyond<'_, '_, C>, _: Voxel, _: impl FnMut(Voxel)) -> bool {
        false
    }
}

impl<'g, C: Cost> Pruning<WithBeyond<'_, 'g, C>> for WithoutDetours {
    #[inline]
    fn successors(
        space: &WithBeyond<'_, 'g, C>,
        parent: Voxel,
        state: Voxel,
        mut visit: impl FnMut(EdgeOf<WithBeyond<'_, 'g, C>>),
    ) {
        if state != space.goal {
            PruningOf::<VoxelSpace<'g, C>>::successors(space.space, parent, state, &mut visit);
            space.visit_beyond(state, visit);
        }
    }
}

impl<C: Cost> Space for WithBeyond<'_, '_, C> {
    type State = Voxel;
    type Cost = C;
    type Expander = WithoutDetours;

    fn state_bound(&self) -> usize {
        self.space.state_bound()
    }

    fn revision(&self) -> Revision {
        self.space.revision()
    }

    fn check(&self, state: Voxel) -> Result<(), Obstruction> {
        if state == self.goal { Ok(()) } else { self.space.check(state) }
    }

    fn successors(&self, state: Voxel, mut visit: impl FnMut(EdgeOf<Self>)) {
        if state != self.goal {
            self.space.successors(state, &mut visit);
            self.visit_beyond(state, visit);
        }
    }

    fn estimate(&self, from: Voxel, to: Voxel) -> C {
        self.space.estimate(from, to)
    }

    fn position(&self, state: Voxel) -> Vec3 {
        self.space.position(state)
    }

    fn cost_per_unit(&self) -> f64 {
        self.space.cost_per_unit()
    }
}

/// Searches by A*, but answers a goal outside the loaded chunks with the best path to their edge.
///
/// Such a goal is [unreachable](Outcome::Unreachable) for the reason [`Obstruction::NotLoaded`].
/// The path that comes with it ends beside an unloaded chunk, where `cost + estimate to the goal`
/// is least. If no such state can be reached, it ends as near to the goal as possible.
///
/// The estimate is a move of its own in the search, which stays consistent: for any move `a` to
/// `b`, `estimate(a) <= cost(a, b) + estimate(b)`. So A* pops the goal through the best such state
/// first.
pub fn solve_to_edge<'g, C: Cost>(
    space: &VoxelSpace<'g, C>,
    scratch: &mut ScratchOf<VoxelSpace<'g, C>>,
    start: Voxel,
    goal: Voxel,
) -> AnswerOf<VoxelSpace<'g, C>> {
    if space.check(goal) != Err(Obstruction::NotLoaded) {
        return AStar::new().search(Query::new(start, goal)).finish(space, scratch, &mut ());
    }
    let beyond = WithBeyond { space, goal };
    let mut answer = AStar::new().search(Query::new(start, goal)).finish(&beyond, scratch, &mut ());
    let reason = NoPath::Goal(Obstruction::NotLoaded);
    answer.outcome = match answer.outcome {
        Outcome::Found(mut path) => {
            path.steps.pop();
            Outcome::Unreachable { reason, nearest: path }
        }
        Outcome::Unreachable { reason: NoPath::Exhausted, nearest } => {
            Outcome::Unreachable { reason, nearest }
        }
        other => other,
    };
    answer
}

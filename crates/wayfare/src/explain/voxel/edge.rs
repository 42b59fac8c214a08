//! Paths to goals in chunks that are not loaded.

use glam::Vec3;

use crate::search::{AStar, Algorithm, AnswerOf, NoPath, Outcome, Query, ScratchOf, Search};
use crate::space::voxel::{Voxel, VoxelSpace};
use crate::space::{Action, Cost, Edge, EdgeOf, Obstruction, Plain, Revision, Space};

/// A space with one more move from each place at the edge of the loaded chunks: straight to the
/// goal beyond, at the cost of the estimate.
struct WithBeyond<'s, 'g, C> {
    space: &'s VoxelSpace<'g, C>,
    goal: Voxel,
}

impl<C: Cost> Space for WithBeyond<'_, '_, C> {
    type State = Voxel;
    type Cost = C;
    type Expander = Plain;

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
        if state == self.goal {
            return;
        }
        self.space.successors(state, &mut visit);
        if self.space.is_at_edge(state) {
            let cost = self.space.estimate(state, self.goal);
            visit(Edge { target: self.goal, cost, action: Action::default() });
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

/// As a search by A*, but a goal outside the loaded chunks is answered with the best path to their
/// edge.
///
/// Such a goal is [unreachable](Outcome::Unreachable) for the reason [`Obstruction::NotLoaded`].
/// The path that comes with it ends beside an unloaded chunk, where `cost + estimate to the goal`
/// is least. If no such place can be reached, it ends as near to the goal as possible.
///
/// The estimate is a move of its own in the search, which stays consistent: for any move `a` to
/// `b`, `estimate(a) <= cost(a, b) + estimate(b)`. So A* pops the goal through the best such place
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

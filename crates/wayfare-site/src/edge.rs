//! Routes to goals that lie outside the loaded chunks: as far as the edge.

use wayfare::explain::voxel::solve_to_edge;
use wayfare::search::{NoPath, Scratch};
use wayfare::space::{Obstruction, StateId, Voxel};

use crate::searcher::{Answered, Choice, Owner};
use crate::voxels::VoxelOwner;
use crate::{Ending, SearchReport, SearchRequest, SearchTrace, Searcher};

/// A searcher that goes to the edge of the loaded chunks where the goal lies beyond.
pub(crate) struct ToTheEdge<Inner> {
    pub(crate) searches: Inner,
    pub(crate) owner: VoxelOwner,
}

impl<Inner: Searcher> Searcher for ToTheEdge<Inner> {
    fn run(&mut self, request: &SearchRequest, on_progress: &mut dyn FnMut(u64)) -> SearchReport {
        let run = self.searches.run(request, on_progress);
        if run.ending != Ending::NoPath(NoPath::Goal(Obstruction::NotLoaded)) {
            return run;
        }
        let space = self.owner.wide();
        let [start, goal] = [request.ends.start, request.ends.goal].map(Voxel::from_index);
        let mut scratch = Scratch::new();
        let begun = request.clock.now();
        let answer = solve_to_edge(&space, &mut scratch, start, goal);
        let elapsed = run.elapsed + request.clock.since(begun);
        let answered = Answered::of(answer.outcome, answer.stats, drop);
        let choice = Choice { algorithm: run.algorithm, because: run.chosen_because };
        SearchReport {
            ending: run.ending,
            elapsed,
            turns_elapsed: run.turns_elapsed,
            scratch_bytes: scratch.bytes(),
            // Nobody watched this search: pictures show its route alone.
            trace: request.record.then(SearchTrace::default),
            fault: None,
            refined: run.refined,
            ..answered.report(&space, request, &choice)
        }
    }
}

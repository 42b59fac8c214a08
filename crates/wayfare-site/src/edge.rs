//! Routes to goals that lie outside the loaded chunks: as far as the edge.

use std::time::Duration;

use wayfare::explain::voxel::solve_to_edge;
use wayfare::navigate::Answered;
use wayfare::search::{NoPath, Scratch};
use wayfare::space::{Obstruction, StateId, Voxel};

use crate::answered::{Choice, report};
use crate::owner::Owner;
use crate::voxels::VoxelOwner;
use crate::{
    Clock, Ending, Preparation, PreparedEngine, SearchReport, SearchRequest, SearchTrace, Searcher,
    SiteError,
};

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
        let space = self.owner.bare();
        let [start, goal] = [request.ends.start, request.ends.goal].map(Voxel::from_index);
        let mut scratch = Scratch::new();
        let begun = request.clock.now();
        let answer = solve_to_edge(&space, &mut scratch, start, goal);
        let elapsed = run.elapsed + request.clock.since(begun);
        let answered = Answered::new(answer, run.took);
        let choice = Choice { algorithm: request.engine.algorithm(), because: None };
        SearchReport {
            method: run.method,
            chosen_because: run.chosen_because,
            ending: run.ending,
            elapsed,
            scratch_bytes: scratch.bytes(),
            // This search was not recorded: pictures show its route alone.
            trace: request.record.then(SearchTrace::default),
            fault: None,
            refined: run.refined,
            ..report(answered, &space, request, &choice, drop)
        }
    }

    fn prepare(
        &mut self,
        preparation: Preparation,
        clock: Clock,
    ) -> Result<PreparedEngine, SiteError> {
        self.searches.prepare(preparation, clock)
    }

    fn time_turns(&mut self, request: &SearchRequest) -> Option<Duration> {
        self.searches.time_turns(request)
    }

    fn set_ground(&mut self, state: u32, ground: &str) -> Result<(), SiteError> {
        self.searches.set_ground(state, ground)
    }
}

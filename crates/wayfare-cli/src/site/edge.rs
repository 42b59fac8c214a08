//! Routes to goals that lie outside the loaded chunks: as far as the edge.

use std::time::Instant;

use wayfare::explain::voxel::solve_to_edge;
use wayfare::search::{NoPath, Scratch};
use wayfare::space::{Obstruction, StateId, Voxel, VoxelSpace};
use wayfare::trace::Trace;

use super::run::{Ask, Ending, Run};
use super::searcher::stops;
use super::traits::Searcher;

/// A searcher that goes to the edge of what is loaded where the goal lies beyond.
pub(super) struct ToTheEdge<'g, Inner> {
    pub(super) searches: Inner,
    pub(super) space: VoxelSpace<'g, u64>,
}

impl<Inner: Searcher> Searcher for ToTheEdge<'_, Inner> {
    fn run(&mut self, ask: &Ask, beat: &mut dyn FnMut(u64)) -> Run {
        let mut run = self.searches.run(ask, beat);
        if run.ending != Ending::NoPath(NoPath::Goal(Obstruction::NotLoaded)) {
            return run;
        }
        let (start, goal) = (Voxel::from_index(ask.start), Voxel::from_index(ask.goal));
        let mut scratch = Scratch::new();
        let begun = Instant::now();
        let answer = solve_to_edge(&self.space, &mut scratch, start, goal);
        run.elapsed += begun.elapsed();
        run.stats = answer.stats;
        run.scratch_bytes = scratch.bytes();
        let path = answer.outcome.into_path();
        run.length = self.space.length(path.moves());
        run.path = stops(&path);
        // There is no record of this search: pictures show its route alone.
        run.recording = ask.record.then(|| Box::new(Trace::<Voxel, u64>::new()) as _);
        run
    }
}

//! The searches of front ends that are chosen for speed, in a crate that is compiled for speed.
//!
//! Generic code is compiled in the crate that first names its types, with the settings of that
//! crate. A front end names every algorithm and every kind of world; compiled for speed it is
//! large, and most of it is never waited for. So the few searches that are chosen for speed are
//! instantiated here, and crates above, compiled for size, call them by [`FastSpace`].
//!
//! ```
//! use wayfare::navigate::Navigator;
//! use wayfare::prelude::*;
//! use wayfare_searches::{FastSearch, FastSpace};
//!
//! let grid = Grid::from_rows(&["....", ".##.", "...."])?;
//! let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
//! let (space, mut scratch) = (grid.space(), Scratch::new());
//! let search = FastSearch::Jps;
//! let answered = space.answer(search, query.into(), &mut scratch, &mut |_work| ());
//! assert_eq!(answered.outcome.path().map(Path::len), Some(5));
//! # Ok::<(), GridError>(())
//! ```

use std::ops::ControlFlow;

use wayfare::index::{GridIndex, IndexError, IndexOptions, IndexProgress};
use wayfare::link::LinkedSpace;
use wayfare::navigate::{
    Answered, Engine, FieldEngine, IndexEngine, LandmarksEngine, Navigator, QuestionOf,
};
use wayfare::search::{
    AStar, Algorithm, Bidirectional, Dijkstra, FullSpace, Guarantee, Jps, NamedHeuristic, Progress,
    QueryOf, ScratchOf, Search,
};
use wayfare::space::{Cell, GridSpace, ReverseSpace, Space, VoxelSpace};

/// Units of [work](wayfare::navigate::work) between two reports of progress.
const SLICE: u64 = 1 << 19;

/// The searches that are chosen for speed. All find cheapest paths, A* by a heuristic that never
/// overestimates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FastSearch {
    /// A*, by a heuristic.
    AStar(NamedHeuristic),
    /// Dijkstra's algorithm.
    Dijkstra,
    /// Bidirectional search.
    Bidirectional,
    /// Jump point search.
    Jps,
}

/// A prepared engine for spaces of type `S`.
pub type EngineFor<'e, S> = &'e dyn Engine<S>;

/// Prepared engines as the navigator takes them.
///
/// The code of an engine is made where the engine is first taken for an [`Engine`] of a space. By
/// default that is the crate that calls these methods.
pub trait CastEngines: ReverseSpace {
    /// A field as an engine.
    fn field<'e>(engine: &'e FieldEngine<Self::State, Self::Cost>) -> EngineFor<'e, Self>
    where
        Self: 'e,
    {
        engine
    }

    /// Landmarks as an engine.
    fn landmarks<'e>(engine: &'e LandmarksEngine<Self::State, Self::Cost>) -> EngineFor<'e, Self>
    where
        Self: 'e,
    {
        engine
    }
}

impl<S: ReverseSpace> CastEngines for LinkedSpace<'_, S> {}

/// A space in which searches are compiled for speed.
pub trait FastSpace: FullSpace + CastEngines + Copy {
    /// Answers a question by a search. `on_progress` hears the work so far every half a million
    /// [units](wayfare::navigate::work).
    fn answer(
        &self,
        search: FastSearch,
        question: QuestionOf<Self>,
        scratch: &mut ScratchOf<Self>,
        on_progress: &mut dyn FnMut(u64),
    ) -> Answered<Self::State, Self::Cost>;

    /// Answers a question by the engines of a navigator, or a search that one of them leads.
    fn answer_prepared(
        navigator: &Navigator<'_, Self, AStar>,
        question: QuestionOf<Self>,
        scratch: &mut ScratchOf<Self>,
        on_progress: &mut dyn FnMut(u64),
    ) -> Answered<Self::State, Self::Cost>;

    /// Finds the turning points of a cheapest path by jump point search; empty without a path.
    fn jump_points(&self, query: QueryOf<Self>, scratch: &mut ScratchOf<Self>);
}

/// Asks a navigator, slice by slice.
fn ask<S, A>(
    navigator: &Navigator<'_, S, A>,
    question: QuestionOf<S>,
    scratch: &mut ScratchOf<S>,
    on_progress: &mut dyn FnMut(u64),
) -> Answered<S::State, S::Cost>
where
    S: Space,
    A: Algorithm<Search<S::State, S::Cost>: Search<S>>,
{
    let space = navigator.space();
    let mut inquiry = navigator.begin_reusing(question, scratch.spare_path());
    let mut worked = 0;
    while inquiry.step(space, scratch, &mut (), SLICE) == Progress::Working {
        worked += SLICE;
        on_progress(worked);
    }
    inquiry.answer(space, scratch)
}

/// Answers a question by one of the searches.
fn search<S: FullSpace>(
    space: S,
    search: FastSearch,
    question: QuestionOf<S>,
    scratch: &mut ScratchOf<S>,
    on_progress: &mut dyn FnMut(u64),
) -> Answered<S::State, S::Cost> {
    let promise = Guarantee::Optimal;
    match search {
        FastSearch::AStar(heuristic) => {
            let navigator = Navigator::by(space, AStar::with(heuristic), promise);
            ask(&navigator, question, scratch, on_progress)
        }
        FastSearch::Dijkstra => {
            ask(&Navigator::by(space, Dijkstra, promise), question, scratch, on_progress)
        }
        FastSearch::Bidirectional => {
            ask(&Navigator::by(space, Bidirectional, promise), question, scratch, on_progress)
        }
        FastSearch::Jps => ask(&Navigator::by(space, Jps, promise), question, scratch, on_progress),
    }
}

/// Finds turning points, and gives their memory back.
fn turn<S: FullSpace>(space: &S, query: QueryOf<S>, scratch: &mut ScratchOf<S>) {
    let mut search = Jps.search(query);
    while search.step(space, scratch, &mut (), u64::MAX) == Progress::Working {}
    let points = search.jump_points(space, scratch).path;
    scratch.recycle(points.unwrap_or_default());
}

/// Instantiates the searches in a space. None of the methods is inlined: inlined, they would be
/// compiled by the settings of the crate that calls them.
macro_rules! fast {
    ($($space:ident),*) => {$(
        impl CastEngines for $space<'_> {
            #[inline(never)]
            fn field<'e>(engine: &'e FieldEngine<Self::State, Self::Cost>) -> EngineFor<'e, Self>
            where
                Self: 'e,
            {
                engine
            }

            #[inline(never)]
            fn landmarks<'e>(
                engine: &'e LandmarksEngine<Self::State, Self::Cost>,
            ) -> EngineFor<'e, Self>
            where
                Self: 'e,
            {
                engine
            }
        }

        impl FastSpace for $space<'_> {
            #[inline(never)]
            fn answer(
                &self,
                by: FastSearch,
                question: QuestionOf<Self>,
                scratch: &mut ScratchOf<Self>,
                on_progress: &mut dyn FnMut(u64),
            ) -> Answered<Self::State, Self::Cost> {
                search(*self, by, question, scratch, on_progress)
            }

            #[inline(never)]
            fn answer_prepared(
                navigator: &Navigator<'_, Self, AStar>,
                question: QuestionOf<Self>,
                scratch: &mut ScratchOf<Self>,
                on_progress: &mut dyn FnMut(u64),
            ) -> Answered<Self::State, Self::Cost> {
                ask(navigator, question, scratch, on_progress)
            }

            #[inline(never)]
            fn jump_points(&self, query: QueryOf<Self>, scratch: &mut ScratchOf<Self>) {
                turn(self, query, scratch);
            }
        }
    )*};
}

fast!(GridSpace, VoxelSpace);

/// An index as an engine of its grid.
#[inline(never)]
#[must_use]
pub fn index_engine<'e, 'g: 'e>(engine: &'e IndexEngine) -> EngineFor<'e, GridSpace<'g>> {
    engine
}

/// See [`IndexEngine::turns`]. Returns whether the index was asked; it is not while it is stale.
#[inline(never)]
#[must_use]
pub fn index_turns(engine: &IndexEngine, space: &GridSpace<'_>, start: Cell, goal: Cell) -> bool {
    engine.turns(space, start, goal).is_some()
}

/// See [`GridIndex::build`].
///
/// # Errors
/// See [`GridIndex::build`].
#[inline(never)]
pub fn build_index(
    space: &GridSpace<'_, u64>,
    options: IndexOptions,
    on_progress: &mut dyn FnMut(IndexProgress) -> ControlFlow<()>,
) -> Result<GridIndex, IndexError> {
    GridIndex::build(space, options, on_progress)
}

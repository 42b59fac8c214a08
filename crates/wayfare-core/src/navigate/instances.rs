//! Instances: the searches that are chosen for speed, compiled once in the crate of their space.
//!
//! Generic code is compiled in the crate that first names its types, with the settings of that
//! crate. A front end names every algorithm and every kind of world. So the crate that owns a space
//! instantiates its searches ([`fast_space`](crate::fast_space)), and front ends call them by
//! [`FastSpace`].

use super::{Answered, Engine, FieldEngine, LandmarksEngine, Navigator, QuestionOf};
use crate::link::LinkedSpace;
use crate::search::{
    AStar, Algorithm, Bidirectional, Dijkstra, FullSpace, Guarantee, Jps, NamedHeuristic, Progress,
    QueryOf, ScratchOf, Search,
};
use crate::space::{ReverseSpace, Space};
use crate::trace::ObserverOf;

/// Units of [work](super::work) between two reports of progress.
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
    /// Returns a field as an engine.
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
    /// [units](super::work).
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

/// Asks a navigator, slice by slice, watched by an observer.
pub fn ask<S, A>(
    navigator: &Navigator<'_, S, A>,
    question: QuestionOf<S>,
    scratch: &mut ScratchOf<S>,
    observer: &mut impl ObserverOf<S>,
    on_progress: &mut dyn FnMut(u64),
) -> Answered<S::State, S::Cost>
where
    S: Space,
    A: Algorithm<Search<S::State, S::Cost>: Search<S>>,
{
    let space = navigator.space();
    let mut spare = scratch.spare_path();
    let mut inquiry = navigator.begin_reusing(question, &mut spare);
    scratch.recycle(spare);
    let mut worked = 0;
    while inquiry.step(space, scratch, observer, SLICE) == Progress::Working {
        worked += SLICE;
        on_progress(worked);
    }
    inquiry.answer(space, scratch)
}

/// Answers a question by one of the searches.
pub fn search<S: FullSpace>(
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
            ask(&navigator, question, scratch, &mut (), on_progress)
        }
        FastSearch::Dijkstra => {
            ask(&Navigator::by(space, Dijkstra, promise), question, scratch, &mut (), on_progress)
        }
        FastSearch::Bidirectional => ask(
            &Navigator::by(space, Bidirectional, promise),
            question,
            scratch,
            &mut (),
            on_progress,
        ),
        FastSearch::Jps => {
            ask(&Navigator::by(space, Jps, promise), question, scratch, &mut (), on_progress)
        }
    }
}

/// Finds turning points, and gives their memory back.
pub fn turn<S: FullSpace>(space: &S, query: QueryOf<S>, scratch: &mut ScratchOf<S>) {
    let mut search = Jps.search(query);
    while search.step(space, scratch, &mut (), u64::MAX) == Progress::Working {}
    let points = search.jump_points(space, scratch).path;
    scratch.recycle(points.unwrap_or_default());
}

/// Instantiates the searches in a space. None of the methods is inlined: inlined, they would be
/// compiled by the settings of the crate that calls them.
#[doc(hidden)]
#[macro_export]
macro_rules! fast_space {
    ($space:ident) => {
        impl $crate::inside::CastEngines for $space<'_> {
            #[inline(never)]
            fn field<'e>(
                engine: &'e $crate::navigate::FieldEngine<
                    <Self as $crate::space::Space>::State,
                    <Self as $crate::space::Space>::Cost,
                >,
            ) -> $crate::inside::EngineFor<'e, Self>
            where
                Self: 'e,
            {
                engine
            }

            #[inline(never)]
            fn landmarks<'e>(
                engine: &'e $crate::navigate::LandmarksEngine<
                    <Self as $crate::space::Space>::State,
                    <Self as $crate::space::Space>::Cost,
                >,
            ) -> $crate::inside::EngineFor<'e, Self>
            where
                Self: 'e,
            {
                engine
            }
        }

        impl $crate::inside::FastSpace for $space<'_> {
            #[inline(never)]
            fn answer(
                &self,
                by: $crate::inside::FastSearch,
                question: $crate::navigate::QuestionOf<Self>,
                scratch: &mut $crate::search::ScratchOf<Self>,
                on_progress: &mut dyn FnMut(u64),
            ) -> $crate::navigate::Answered<
                <Self as $crate::space::Space>::State,
                <Self as $crate::space::Space>::Cost,
            > {
                $crate::inside::search_for_speed(*self, by, question, scratch, on_progress)
            }

            #[inline(never)]
            fn answer_prepared(
                navigator: &$crate::navigate::Navigator<'_, Self, $crate::search::AStar>,
                question: $crate::navigate::QuestionOf<Self>,
                scratch: &mut $crate::search::ScratchOf<Self>,
                on_progress: &mut dyn FnMut(u64),
            ) -> $crate::navigate::Answered<
                <Self as $crate::space::Space>::State,
                <Self as $crate::space::Space>::Cost,
            > {
                $crate::inside::ask(navigator, question, scratch, &mut (), on_progress)
            }

            #[inline(never)]
            fn jump_points(
                &self,
                query: $crate::search::QueryOf<Self>,
                scratch: &mut $crate::search::ScratchOf<Self>,
            ) {
                $crate::inside::turn_for_speed(self, query, scratch);
            }
        }
    };
}

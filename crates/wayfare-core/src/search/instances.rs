//! Instances: in development builds the crate of a space compiles its searches once.
//!
//! Below optimisation level 2 the compiler takes the instances of generic code from the crates
//! below, where they have them. So tests, examples and front ends link what the crate of the space
//! has compiled. From level 2 on each crate compiles its own, and there is nothing to share.

use std::hint::black_box;

use super::{
    AStar, Algorithm, AnySearch, Auto, Bfs, Bidirectional, Dijkstra, FullSpace, Jps, LazyThetaStar,
    NamedHeuristic, Search, distance_field, flee, nearest_goal, reachable,
};
use crate::path::validate;
use crate::trace::{Trace, TraceHash};

/// Instantiates what programs call on a space.
pub fn instances<S: FullSpace>() {
    type By<S, A> = <A as Algorithm>::Search<
        <S as crate::space::Space>::State,
        <S as crate::space::Space>::Cost,
    >;
    search::<S, AnySearch<S::State, S::Cost>>();
    search::<S, By<S, AStar>>();
    search::<S, By<S, AStar<NamedHeuristic>>>();
    search::<S, By<S, Auto>>();
    search::<S, By<S, Bfs>>();
    search::<S, By<S, Bidirectional>>();
    search::<S, By<S, Dijkstra>>();
    search::<S, By<S, Jps>>();
    search::<S, By<S, LazyThetaStar>>();
    black_box(validate::<S> as fn(&_, &_, _, _) -> _);
    black_box(distance_field::<S> as fn(&_, _) -> _);
    black_box(nearest_goal::<S> as fn(&_, _, &_) -> _);
    black_box(reachable::<S> as fn(&_, _) -> _);
    black_box(flee::<S> as fn(&_, _) -> _);
}

/// Instantiates a search: unobserved, recorded, hashed.
fn search<S: FullSpace, Q: Search<S>>() {
    black_box(Q::step::<()> as fn(&mut _, &_, &mut _, &mut _, _) -> _);
    black_box(Q::step::<Trace<S::State, S::Cost>> as fn(&mut _, &_, &mut _, &mut _, _) -> _);
    black_box(Q::step::<TraceHash> as fn(&mut _, &_, &mut _, &mut _, _) -> _);
    black_box(Q::answer as fn(&mut _, &_, &mut _) -> _);
}

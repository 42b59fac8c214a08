//! Lower bounds that engines lend to a search.

use std::fmt::Debug;
use std::sync::Arc;

use super::Took;
use crate::search::{BestFirst, Heuristic, Query, SumPolicy};
use crate::space::{Cost, Revision, Space, StateId};

/// A lower bound on the cost of every path between two states, from an engine's tables.
///
/// Example: [`Engine`](super::Engine).
pub trait LowerBound<State, C>: Debug + Send + Sync {
    /// Returns a lower bound of the cost of any path from `from` to `to`: [`Cost::ZERO`] if nothing
    /// is known, [`Cost::INFINITY`] if there is no path.
    fn least(&self, from: State, to: State) -> C;
}

/// A [`LowerBound`] of one revision of a space, shared with the engine that lends it.
///
/// A search that it guides borrows nothing, so it can be stored beside the world between two steps.
/// The bound is looked up by one virtual call an estimate.
///
/// Example: [`Engine`](super::Engine).
#[derive(Debug)]
pub struct Lead<State, C> {
    bound: Arc<dyn LowerBound<State, C>>,
    revision: Revision,
}

impl<State, C> Clone for Lead<State, C> {
    fn clone(&self) -> Self {
        Self { bound: Arc::clone(&self.bound), revision: self.revision }
    }
}

impl<State, C> Lead<State, C> {
    /// Returns the bound.
    #[must_use]
    pub fn bound(&self) -> &Arc<dyn LowerBound<State, C>> {
        &self.bound
    }

    /// Returns the revision of the space that the bound is of.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns a bound that is valid in the space of that revision.
    #[must_use]
    pub fn new(bound: Arc<dyn LowerBound<State, C>>, revision: Revision) -> Self {
        Self { bound, revision }
    }
}

/// The larger of the bound and the space's own estimate: both are lower bounds, so A* is optimal.
impl<S: Space> Heuristic<S> for Lead<S::State, S::Cost> {
    #[inline]
    fn estimate(&self, space: &S, from: S::State, goal: S::State) -> S::Cost {
        let own = space.estimate(from, goal);
        // The question may have been asked before an edit, and its search begin after it.
        if self.revision == space.revision() { self.bound.least(from, goal).max(own) } else { own }
    }

    fn survives_edits(&self, space: &S) -> bool {
        self.revision == space.revision()
    }
}

/// A bound and the engine that lends it.
///
/// Example: [`Engine`](super::Engine).
#[derive(Clone, Debug)]
pub struct Lent<State, C> {
    /// The bound.
    pub lead: Lead<State, C>,
    /// The engine, its reason and its promise, before any work.
    pub took: Took,
}

/// A* guided by an engine's bound.
pub type LedSearch<State, C> = BestFirst<State, C, SumPolicy, Lead<State, C>>;

impl<State: StateId, C: Cost> Lead<State, C> {
    /// Returns a search guided by the bound.
    #[doc(hidden)]
    pub fn search(self, query: Query<State, C>) -> LedSearch<State, C> {
        BestFirst::new(SumPolicy, self, query)
    }
}

//! Landmarks as an engine.

use std::sync::Arc;

use super::{
    Answered, Coverage, Engine, EngineId, Lead, LowerBound, Offer, QuestionOf, Reason, Refusal,
};
use crate::path::PathOf;
use crate::search::{FieldError, Goal, Guarantee, Landmarks};
use crate::space::{Cost, ReverseSpace, Revision, Space, StateId};

/// Guides a search by the costs to and from a few [`Landmarks`]: cheapest paths in any space, for a
/// fraction of the expansions where obstacles or terrain shape the path.
///
/// It has no answers of its own, so a search sliced by a budget uses it. An edit makes it stale
/// until [`LandmarksEngine::repair`] or [`LandmarksEngine::renew`] is called; meanwhile searches
/// run without its help. Does not suit goals that are predicates. An engine serves the space it was
/// made for.
///
/// ```
/// use wayfare::navigate::{EngineId, Inquiry, LandmarksEngine, Navigator};
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
///
/// let grid = Grid::from_rows(&["......", "####..", "......"])?;
/// let (space, at) = (grid.space(), |x, y| grid.cell(x, y).unwrap());
/// let engine = LandmarksEngine::new(&space, at(0, 0), 2)?;
/// let navigator = Navigator::new(space).with(&engine);
///
/// let mut scratch = Scratch::new();
/// let mut inquiry: Inquiry<_, _, _> = navigator.begin(Query::new(at(0, 0), at(0, 2)));
/// while inquiry.step(&space, &mut scratch, &mut (), 3) == Progress::Working {}
/// let answer = inquiry.answer(&space, &mut scratch);
/// assert_eq!(answer.took.engine, EngineId::Landmarks);
/// assert_eq!(answer.outcome.path().map(Path::len), Some(10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LandmarksEngine<State, C> {
    landmarks: Arc<Landmarks<State, C>>,
    near: State,
    count: usize,
    /// The revision that the costs are of.
    revision: Revision,
}

impl<State: StateId, C: Cost> LandmarksEngine<State, C> {
    /// Returns the engine of `count` landmarks among the states connected to `near`: see
    /// [`Landmarks::new`]. Takes 2 · `count` + 2 distance fields.
    ///
    /// # Errors
    /// If `near` is obstructed.
    pub fn new<S>(space: &S, near: State, count: usize) -> Result<Self, FieldError>
    where
        S: ReverseSpace<State = State, Cost = C>,
    {
        let landmarks = Arc::new(Landmarks::new(space, near, count)?);
        Ok(Self { landmarks, near, count, revision: space.revision() })
    }

    /// Computes the costs again, after an edit. Searches under way keep the old ones until they end
    /// or are restarted.
    ///
    /// # Errors
    /// If the state that the landmarks were chosen near is obstructed now: the engine stays stale.
    pub fn renew<S>(&mut self, space: &S) -> Result<(), FieldError>
    where
        S: ReverseSpace<State = State, Cost = C>,
    {
        *self = Self::new(space, self.near, self.count)?;
        Ok(())
    }

    /// Follows an edit, given all states whose moves changed since: see [`Landmarks::repair`].
    /// Searches under way keep the old costs until they end or are restarted.
    pub fn repair<S>(&mut self, space: &S, affected: &[State]) -> usize
    where
        S: ReverseSpace<State = State, Cost = C>,
    {
        self.revision = space.revision();
        Arc::make_mut(&mut self.landmarks).repair(space, affected)
    }

    /// Returns the landmarks.
    #[must_use]
    pub fn landmarks(&self) -> &Landmarks<State, C> {
        &self.landmarks
    }
}

impl<State: StateId, C: Cost> LowerBound<State, C> for Landmarks<State, C> {
    #[inline]
    fn least(&self, from: State, to: State) -> C {
        self.least_cost(from, to).unwrap_or(C::ZERO)
    }
}

impl<S: Space> Engine<S> for LandmarksEngine<S::State, S::Cost> {
    fn id(&self) -> EngineId {
        EngineId::Landmarks
    }

    fn offer(&self, space: &S, question: &QuestionOf<S>) -> Result<Offer, Refusal> {
        if self.revision != space.revision() {
            Err(Refusal::Stale)
        } else if matches!(question.query.goal, Goal::Where(_)) {
            Err(Refusal::Goal)
        } else {
            Ok(Offer {
                reason: Reason::BoundsAreKnown,
                guarantee: Guarantee::Optimal,
                coverage: Coverage::Whole,
            })
        }
    }

    fn answer(
        &self,
        _space: &S,
        _question: &QuestionOf<S>,
        _spare: PathOf<S>,
    ) -> Option<Answered<S::State, S::Cost>> {
        None
    }

    fn lead(&self, _space: &S, _question: &QuestionOf<S>) -> Option<Lead<S::State, S::Cost>> {
        Some(Lead::new(self.landmarks.clone(), self.revision))
    }

    /// Does nothing: the revision tells.
    fn world_changed(&mut self, _space: &S, _affected: &[S::State]) {}
}

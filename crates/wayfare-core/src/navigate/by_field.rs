//! A distance field as an engine.

use super::{Answered, Coverage, Engine, EngineId, Offer, QuestionOf, Reason, Refusal, Took, work};
use crate::path::PathOf;
use crate::search::{DistanceField, FieldQuery, Guarantee, Outcome, Stats, distance_field};
use crate::space::{Cost, ReverseSpace, Revision, Space, StateId};

/// Answers every question to one goal by a [`DistanceField`] towards it: a cheapest path for the
/// price of reading it.
///
/// For crowds with one goal. Takes one search over all states that reach the goal, once; an edit
/// makes it stale until [`FieldEngine::renew`] is called. If the field knows no path, the question
/// is left to other engines, which find the reason.
///
/// ```
/// use wayfare::navigate::{EngineId, FieldEngine, Navigator};
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let (space, at) = (grid.space(), |x, y| grid.cell(x, y).unwrap());
/// let engine = FieldEngine::new(&space, at(3, 2));
/// let navigator = Navigator::new(space).with(&engine);
/// for start in [at(0, 0), at(1, 0), at(0, 2)] {
///     let answer = navigator.ask(Query::new(start, at(3, 2)), &mut Scratch::new());
///     assert_eq!(answer.took.engine, EngineId::Field);
/// }
/// # Ok::<(), GridError>(())
/// ```
#[derive(Debug)]
pub struct FieldEngine<State, C> {
    goal: State,
    field: DistanceField<State, C>,
    revision: Revision,
}

impl<State: StateId, C: Cost> FieldEngine<State, C> {
    /// Returns the engine for a goal. O(states · log states).
    #[must_use]
    pub fn new<S: ReverseSpace<State = State, Cost = C>>(space: &S, goal: State) -> Self {
        let mut engine =
            Self { goal, field: DistanceField::default(), revision: Revision::default() };
        engine.renew(space);
        engine
    }

    /// Computes the field again, after an edit.
    pub fn renew<S: ReverseSpace<State = State, Cost = C>>(&mut self, space: &S) {
        // If the goal is blocked the field is empty, and a search finds the reason.
        let field = distance_field(space, FieldQuery::inward([self.goal]));
        (self.field, self.revision) = (field.unwrap_or_default(), space.revision());
    }

    /// Returns the goal.
    #[must_use]
    pub fn goal(&self) -> State {
        self.goal
    }
}

impl<S: Space> Engine<S> for FieldEngine<S::State, S::Cost> {
    fn id(&self) -> EngineId {
        EngineId::Field
    }

    fn offer(&self, space: &S, question: &QuestionOf<S>) -> Result<Offer, Refusal> {
        if question.plain_goal()? != self.goal {
            Err(Refusal::Goal)
        } else if self.revision != space.revision() {
            Err(Refusal::Stale)
        } else if self.field.cost(question.query.start).is_none() {
            Err(Refusal::NoPathKnown)
        } else {
            Ok(Offer {
                reason: Reason::Prepared,
                guarantee: Guarantee::Optimal,
                coverage: Coverage::Whole,
            })
        }
    }

    fn answer(
        &self,
        space: &S,
        question: &QuestionOf<S>,
        _spare: PathOf<S>,
    ) -> Option<Answered<S::State, S::Cost>> {
        let path = self.field.path(space, question.query.start)?;
        let took =
            Took::optimal(EngineId::Field, Reason::Prepared, work::of_reading(path.states().len()));
        Some(Answered { outcome: Outcome::Found(path), stats: Stats::default(), took })
    }

    /// Does nothing: the revision tells.
    fn world_changed(&mut self, _space: &S, _affected: &[S::State]) {}
}

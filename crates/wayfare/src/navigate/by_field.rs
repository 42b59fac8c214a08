//! A distance field as an engine.

use super::{Answered, Coverage, Engine, EngineId, Offer, QuestionOf, Reason, Refusal, Took, work};
use crate::path::PathOf;
use crate::search::{DistanceField, FieldQuery, Goal, Guarantee, Outcome, Stats, distance_field};
use crate::space::{Cost, ReverseSpace, Revision, Space, StateId};

/// Answers every question to one goal by a [`DistanceField`] that leads there: a cheapest path for the price of reading it.
///
/// For crowds with one goal. Takes one search over all states that lead to the goal, once; an edit makes it stale until
/// [`FieldEngine::renew`] is called. A question that the field knows no path for is left to other engines, which say why there
/// is none.
///
/// ```
/// use wayfare::navigate::{EngineId, FieldEngine, Navigator};
/// use wayfare::prelude::*;
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
    revision: Option<Revision>,
}

impl<State: StateId, C: Cost> FieldEngine<State, C> {
    /// The engine for a goal. O(states · log states).
    #[must_use]
    pub fn new<S: ReverseSpace<State = State, Cost = C>>(space: &S, goal: State) -> Self {
        let mut engine = Self { goal, field: DistanceField::default(), revision: None };
        engine.renew(space);
        engine
    }

    /// Computes the field again, after an edit.
    pub fn renew<S: ReverseSpace<State = State, Cost = C>>(&mut self, space: &S) {
        self.revision = None;
        // Where nobody can stand on the goal there is no field, and a search says why.
        if let Ok(field) = distance_field(space, FieldQuery::inward([self.goal])) {
            (self.field, self.revision) = (field, Some(space.revision()));
        }
    }

    /// The goal.
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
        let query = &question.query;
        if !matches!(query.goal, Goal::State(goal) if goal == self.goal) {
            Err(Refusal::Goal)
        } else if self.revision != Some(space.revision()) {
            Err(Refusal::Stale)
        } else if query.limits.cost < S::Cost::INFINITY
            || query.approach
            || self.field.cost(query.start).is_none()
        {
            Err(Refusal::Limits)
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
        let took = Took::optimal(EngineId::Field, Reason::Prepared, work::of_reading(path.len()));
        Some(Answered { outcome: Outcome::Found(path), stats: Stats::default(), took })
    }

    fn world_changed(&mut self, space: &S, affected: &[S::State]) {
        self.revision = self.revision.filter(|_| affected.is_empty()).map(|_| space.revision());
    }
}

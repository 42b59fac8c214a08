//! What an engine is.

use std::fmt::{self, Debug};

use super::{Answered, Coverage, EngineId, Lead, QuestionOf, Reason};
use crate::link::LinkedSpace;
use crate::path::PathOf;
use crate::search::Guarantee;
use crate::space::Space;

/// An engine's answer to "would you suit?".
///
/// Example: [`Took`](super::Took).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Offer {
    /// Why it suits.
    pub reason: Reason,
    /// What it promises of a path.
    pub guarantee: Guarantee,
    /// How much of the way its path covers.
    pub coverage: Coverage,
}

/// Why an engine does not suit a question.
///
/// Example: [`Took`](super::Took).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// The space was edited since the engine was prepared, and the engine was not told or cannot
    /// follow.
    Stale,
    /// The engine was prepared for another space or profile.
    OtherSpace,
    /// It does not answer for such goals: several goals, a predicate, another goal than its own.
    Goal,
    /// It does not keep the limits of the query, or cannot come near where there is no path.
    Limits,
    /// Its paths are not what the policy asks for.
    Policy,
    /// It knows no path, and not the reason why there is none.
    NoPathKnown,
    /// The ends alone do not show that there is no path.
    NotForegone,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Stale => "the space was edited since it was prepared",
            Self::OtherSpace => "it was prepared for another space or profile",
            Self::Goal => "it does not answer for such goals",
            Self::Limits => "it does not keep the query's limits",
            Self::Policy => "its paths are not what the policy asks for",
            Self::NoPathKnown => "it knows no path, and not why there is none",
            Self::NotForegone => "the ends alone do not show that there is no path",
        })
    }
}

/// An engine beside a question: whether it suits.
///
/// Example: [`Took`](super::Took).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    /// The engine.
    pub engine: EngineId,
    /// What it offers, or why it does not suit.
    pub offer: Result<Offer, Refusal>,
}

/// A way to answer questions about spaces of type `S` that is prepared beforehand and lies beside
/// the space.
///
/// Object safe: one virtual call a question. An answer is a function of the engine, the space and
/// the question alone.
///
/// There are two kinds. Most engines know answers and implement [`Engine::answer`]. Others know
/// lower bounds of costs and implement [`Engine::lead`]: A* then answers, led by the bound, and can
/// be sliced like any search.
///
/// To add one, implement this trait and hand it to [`Navigator::with`](super::Navigator::with); its
/// id is [`EngineId::Custom`]. [`Question::plain_goal`](super::Question::plain_goal) has the checks
/// that most engines begin with.
///
/// ```
/// use std::sync::Arc;
/// use wayfare::navigate::{
///     Answered, Coverage, Engine, EngineId, Lead, Lent, LowerBound, Navigator, Offer, Question,
///     Reason, Refusal,
/// };
/// use wayfare::prelude::*;
/// use wayfare::search::Guarantee;
/// use wayfare::space::{GridSpace, Revision, STRAIGHT};
///
/// /// Each column between two cells costs a straight step at least.
/// #[derive(Debug)]
/// struct Columns {
///     width: u32,
///     prepared: Revision,
/// }
/// impl LowerBound<Cell, u32> for Columns {
///     fn least(&self, from: Cell, to: Cell) -> u32 {
///         (from.index() % self.width).abs_diff(to.index() % self.width) * STRAIGHT
///     }
/// }
/// /// Lends the bound.
/// #[derive(Debug)]
/// struct ByColumns(Arc<Columns>);
/// impl Engine<GridSpace<'_>> for ByColumns {
///     fn id(&self) -> EngineId {
///         EngineId::Custom(1)
///     }
///     fn offer(&self, space: &GridSpace<'_>, _: &Question<Cell, u32>) -> Result<Offer, Refusal> {
///         let (guarantee, coverage) = (Guarantee::Optimal, Coverage::Whole);
///         let offer = Offer { reason: Reason::BoundsAreKnown, guarantee, coverage };
///         if space.revision() == self.0.prepared { Ok(offer) } else { Err(Refusal::Stale) }
///     }
///     fn answer(
///         &self,
///         _: &GridSpace<'_>,
///         _: &Question<Cell, u32>,
///         _: Path<Cell, u32>,
///     ) -> Option<Answered<Cell, u32>> {
///         None // it leads a search
///     }
///     fn lead(&self, _: &GridSpace<'_>, _: &Question<Cell, u32>) -> Option<Lead<Cell, u32>> {
///         Some(Lead::new(self.0.clone(), self.0.prepared))
///     }
///     fn world_changed(&mut self, _: &GridSpace<'_>, _: &[Cell]) {}
/// }
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let columns = Columns { width: grid.width(), prepared: grid.space().revision() };
/// let by_columns = ByColumns(Arc::new(columns));
/// let navigator = Navigator::new(grid.space()).with(&by_columns);
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let lent: Option<Lent<Cell, u32>> = navigator.lead(&query.clone().into());
/// assert_eq!(lent.unwrap().took.engine, EngineId::Custom(1));
/// let answer = navigator.ask(query, &mut Scratch::new());
/// assert_eq!(answer.outcome.path().unwrap().len(), 5);
/// # Ok::<(), GridError>(())
/// ```
pub trait Engine<S: Space>: Debug + Sync {
    /// Which engine this is.
    fn id(&self) -> EngineId;

    /// Whether it suits a question. Takes O(1) time, or little more.
    ///
    /// # Errors
    /// Why it does not.
    fn offer(&self, space: &S, question: &QuestionOf<S>) -> Result<Offer, Refusal>;

    /// Answers a question that it has made an offer for. `None` if it turns out not to suit after
    /// all, or only [leads](Engine::lead) a search: the next engine is asked then. `spare` is a
    /// path whose memory may be reused.
    fn answer(
        &self,
        space: &S,
        question: &QuestionOf<S>,
        spare: PathOf<S>,
    ) -> Option<Answered<S::State, S::Cost>>;

    /// Answers a question that it has made an offer for where links lie over its space and no state
    /// is in danger. Default: `None`, for engines that know no links; where no link can help, their
    /// answers over the ground are taken ([`OverLinks`](super::OverLinks)).
    fn answer_over_links(
        &self,
        _space: &LinkedSpace<'_, S>,
        _question: &QuestionOf<S>,
    ) -> Option<Answered<S::State, S::Cost>> {
        None
    }

    /// The lower bound that leads a search by A* to the answer of a question that it has made an
    /// offer for. Default: `None`, for engines that answer by themselves.
    fn lead(&self, _space: &S, _question: &QuestionOf<S>) -> Option<Lead<S::State, S::Cost>> {
        None
    }

    /// Follows an edit: to be called after it with the space as it is now and the states whose
    /// terrain, influence or moves it changed, all of them. An engine that cannot follow is stale
    /// from then on, and [refuses](Refusal::Stale).
    fn world_changed(&mut self, space: &S, affected: &[S::State]);
}

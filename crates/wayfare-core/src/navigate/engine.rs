//! The trait of engines.

use std::any::Any;
use std::fmt::{self, Debug};

use super::{Answered, Coverage, EngineId, Lead, QuestionOf, Reason};
use crate::link::LinkedSpace;
use crate::path::PathOf;
use crate::search::{Guarantee, Progress};
use crate::space::{Revision, Space};

/// An engine's answer to "would you suit?".
///
/// Example: [`Took`](super::Took).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Offer {
    /// Why it suits.
    pub reason: Reason,
    /// Its promise for a path.
    pub guarantee: Guarantee,
    /// The part of the route that its path covers.
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
    /// Its paths do not meet the policy.
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

/// The space of an engine as a class of agents sees it.
///
/// Example: [`EngineSearch`].
#[derive(Debug)]
pub enum EngineGround<'g, 'l, S: Space> {
    /// The space alone.
    Alone(&'g S),
    /// The space with links laid over it. No state is in danger, and no ground in a jam.
    Linked(&'g LinkedSpace<'l, S>),
}

impl<S: Space> Clone for EngineGround<'_, '_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Space> Copy for EngineGround<'_, '_, S> {}

impl<'g, S: Space> EngineGround<'g, '_, S> {
    /// Returns the space without its links.
    #[must_use]
    pub fn space(self) -> &'g S {
        match self {
            Self::Alone(space) => space,
            Self::Linked(linked) => linked.space(),
        }
    }

    /// Returns the revision of the space and its links together.
    #[must_use]
    pub fn revision(self) -> Revision {
        match self {
            Self::Alone(space) => space.revision(),
            Self::Linked(linked) => linked.revision(),
        }
    }
}

/// A search that an engine has begun. It borrows nothing, so it can be stored beside the world
/// between two steps. Only the engine that began it knows its content.
///
/// ```
/// use wayfare::navigate::{Engine, EngineSearch, EngineStep, EngineGround, MeshEngine, Question};
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::space::navmesh::{MeshDraft, NavMesh, PolygonId};
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default()))?;
/// let (space, engine) = (mesh.space(), MeshEngine::new());
/// let ends: Vec<PolygonId> = mesh.polygons().collect();
/// let question = Question::from(Query::new(ends[0], ends[ends.len() - 1]));
/// let ground = EngineGround::Alone(&space);
/// let mut search: EngineSearch = engine.begin(ground, &question).unwrap();
/// let mut work = 0;
/// loop {
///     let EngineStep { progress, work: done, .. } = engine.step(ground, &mut search, 1);
///     work += done;
///     if progress == Progress::Done {
///         break;
///     }
/// }
/// let answered = engine.conclude(ground, search, Path::default()).unwrap();
/// assert!(answered.outcome.is_found() && answered.took.work >= work);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct EngineSearch {
    under_way: Box<dyn Any + Send + Sync>,
}

impl EngineSearch {
    /// Returns a search with an engine's own data.
    #[must_use]
    pub fn new<T: Any + Send + Sync>(under_way: T) -> Self {
        Self { under_way: Box::new(under_way) }
    }

    /// Returns the engine's own data; `None` if another engine has begun the search.
    #[must_use]
    pub fn get_mut<T: Any>(&mut self) -> Option<&mut T> {
        self.under_way.downcast_mut()
    }
}

/// The result of a step of an [`EngineSearch`].
///
/// Example: [`EngineSearch`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EngineStep {
    /// Whether the search is done.
    pub progress: Progress,
    /// The [units of work](super::work) of this step.
    pub work: u64,
    /// The expansions of this step.
    pub expanded: u64,
}

/// An engine beside a question: whether it suits.
///
/// Example: [`Took`](super::Took).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    /// The engine.
    pub engine: EngineId,
    /// Its offer, or the reason why it does not suit.
    pub offer: Result<Offer, Refusal>,
}

/// A prepared method of answering questions about spaces of type `S`, stored beside the space.
///
/// Object safe: one virtual call a question. An answer is a function of the engine, the space and
/// the question alone.
///
/// There are three kinds:
/// * Most engines know answers and implement [`Engine::answer`].
/// * Others know lower bounds of costs and implement [`Engine::lead`]: A* then answers, guided by
///   the bound, and can be sliced like any search.
/// * Engines with a search of their own implement [`Engine::begin`], [`Engine::step`] and
///   [`Engine::conclude`]: a planner works on it tick by tick.
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
/// use wayfare::search::Query;
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
    /// Returns the id of this engine.
    fn id(&self) -> EngineId;

    /// Returns whether it suits a question. Takes O(1) time, or little more.
    ///
    /// # Errors
    /// Why it does not.
    fn offer(&self, space: &S, question: &QuestionOf<S>) -> Result<Offer, Refusal>;

    /// Answers, without a search, a question that it has made an offer for. Returns `None` if it
    /// turns out not to suit after all, or only [guides](Engine::lead) or [begins](Engine::begin) a
    /// search: the next engine is asked then. `spare` is a path whose memory may be reused.
    fn answer(
        &self,
        space: &S,
        question: &QuestionOf<S>,
        spare: PathOf<S>,
    ) -> Option<Answered<S::State, S::Cost>>;

    /// Begins a search for a question that it has made an offer for. Default: `None`, for engines
    /// that answer at once or guide.
    ///
    /// Where links, danger or jams lie over the ground, the search has to take them into account.
    ///
    /// Costs little more than a look at the ends: the work is done by [`Engine::step`].
    fn begin(
        &self,
        _ground: EngineGround<'_, '_, S>,
        _question: &QuestionOf<S>,
    ) -> Option<EngineSearch> {
        None
    }

    /// Works on a search that it has begun, for at most `budget` [units](super::work), which the
    /// last piece of work may exceed. Default: the search is done.
    fn step(
        &self,
        _ground: EngineGround<'_, '_, S>,
        _search: &mut EngineSearch,
        _budget: u64,
    ) -> EngineStep {
        EngineStep { progress: Progress::Done, work: 0, expanded: 0 }
    }

    /// Continues a search after an edit which changed the moves of the `affected` states, if the
    /// search has read no changed state: then it does the same as one that begins now. Returns
    /// whether it continues. Default: it does not.
    fn adopt(
        &self,
        _ground: EngineGround<'_, '_, S>,
        _search: &mut EngineSearch,
        _affected: &[S::State],
    ) -> bool {
        false
    }

    /// Returns the answer of a search that it has begun. Before the search is done, the answer if
    /// it is given up now: a path to the nearest state it reached. `None` if the engine turns out
    /// not to suit after all.
    fn conclude(
        &self,
        _ground: EngineGround<'_, '_, S>,
        _search: EngineSearch,
        _spare: PathOf<S>,
    ) -> Option<Answered<S::State, S::Cost>> {
        None
    }

    /// Returns the lower bound that guides a search by A* for a question that it has made an offer
    /// for. Default: `None`, for engines that answer by themselves.
    fn lead(&self, _space: &S, _question: &QuestionOf<S>) -> Option<Lead<S::State, S::Cost>> {
        None
    }

    /// Follows an edit. Call it after the edit with the new space and all states whose terrain,
    /// influence or moves it changed. An engine that cannot follow is stale from then on, and
    /// [refuses](Refusal::Stale).
    fn world_changed(&mut self, space: &S, affected: &[S::State]);
}

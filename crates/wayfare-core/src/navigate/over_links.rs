//! Engines of a space, asked where links lie over it.
//!
//! Prepared engines know a space and no links. An agent that can use links still profits from them
//! where no link can help.
//!
//! # Why an answer over the ground may be taken
//!
//! Let `e` be the estimate of the space and `e'` that of the space with links. A path through
//! links has a first one. It costs at least
//!
//! ```text
//! floor = min over usable links of e(start, entry) + cost + e'(exit, goal)
//! ```
//!
//! An answer that costs no more than `floor` costs no more than any path through a link. So its
//! promise among the paths over the ground is true among all paths. A first leg counts with the
//! most that its whole route may cost.
//!
//! # Why a bound over the ground leads
//!
//! Let `b` be the bound. A path without links costs at least `b(from, to)`. Of a path through
//! links, the part before the first entry and the part after the last exit lie on the ground.
//! Hence no path costs less than
//!
//! ```text
//! min(b(from, to), min over entries of b(from, entry) + least cost of a link + min over exits of b(exit, to))
//! ```
//!
//! Danger only adds to costs: the bound stays one. An answer that knows nothing of it is not taken.
//!
//! The bound is of one revision of the space and the links together: it is dropped when a gate
//! opens, and when danger changes.

use std::fmt;
use std::sync::Arc;

use super::lead::{Lead, LowerBound};
use super::{
    Answered, Coverage, Engine, EngineGround, EngineId, EngineSearch, EngineStep, Offer,
    QuestionOf, Refusal,
};
use crate::link::{LinkWay, LinkedSpace};
use crate::path::PathOf;
use crate::search::Outcome;
use crate::space::{Cost, Space, StateId};

/// The largest number of usable directions of links for which a bound guides. Each is looked up at
/// every estimate.
const MOST_ENTRIES: usize = 16;

/// An engine of a space, as an engine of the space with links laid over it.
///
/// It answers where no link can help, no state is in danger and no jam delays the ground, and
/// guides where few links can be used. An engine with a [search of its own](Engine::begin) sees
/// links, danger and jams. While a link can be used, a goal that cannot be reached over the ground
/// is no answer.
///
/// ```
/// use wayfare::index::GridIndex;
/// use wayfare::link::{Crossing, Keys, NavLink, NavLinks};
/// use wayfare::navigate::{EngineId, IndexEngine, Navigator, OverLinks};
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
///
/// let grid = Grid::from_rows(&["....#....", "....#....", "........."])?;
/// let at = |x, y| grid.cell(x, y).unwrap();
/// let mut links = NavLinks::new(1.0);
/// links.add(&grid.space(), NavLink::new(at(3, 0), at(5, 0), Crossing::Seconds(0.5)))?;
/// let index = IndexEngine::new(&grid.space(), GridIndex::new(&grid.space())?)?;
///
/// let over = OverLinks::new(&index);
/// let navigator = Navigator::new(links.over(grid.space(), Keys::NONE)).with(&over);
/// let mut scratch = Scratch::new();
/// let beside = navigator.ask(Query::new(at(0, 0), at(0, 2)), &mut scratch);
/// assert_eq!(beside.took.engine, EngineId::Index); // far from the door
/// let across = navigator.ask(Query::new(at(0, 0), at(8, 0)), &mut scratch);
/// assert_eq!(across.took.engine, EngineId::Search); // the door may be a shorter way, and is
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct OverLinks<'e, S: Space> {
    engine: &'e dyn Engine<S>,
}

impl<S: Space> fmt::Debug for OverLinks<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OverLinks").field("engine", &self.engine).finish()
    }
}

impl<'e, S: Space> OverLinks<'e, S> {
    /// Returns the engine, which is told of edits by itself.
    #[must_use]
    pub fn new(engine: &'e dyn Engine<S>) -> Self {
        Self { engine }
    }

    /// Returns whether an answer over the ground is as good as any through the links.
    fn stands(
        space: &LinkedSpace<'_, S>,
        question: &QuestionOf<S>,
        answered: &Answered<S::State, S::Cost>,
    ) -> bool {
        let (start, goal) = (question.query.start, &question.query.goal);
        let floor = |way: LinkWay<S::State, S::Cost>| {
            let rest = goal.least(|goal| space.estimate(way.exit, goal));
            space.space().estimate(start, way.entry).plus(way.cost).plus(rest)
        };
        let Some(floor) = space.ways().map(floor).min() else { return true };
        let Outcome::Found(path) = &answered.outcome else { return false };
        match answered.took.coverage {
            Coverage::Whole => path.cost() <= floor,
            Coverage::FirstLeg => {
                let least: S::Cost = goal.least(|goal| space.space().estimate(start, goal));
                if least == S::Cost::ZERO {
                    return false; // the loss says nothing then
                }
                let most = least.to_u64() as f64 * f64::from(answered.took.loss_bound);
                // The bound is rounded to 24 bits.
                most * (1.0 + 1e-6) <= floor.to_u64() as f64
            }
        }
    }
}

impl<'l, S: Space> Engine<LinkedSpace<'l, S>> for OverLinks<'_, S> {
    fn id(&self) -> EngineId {
        self.engine.id()
    }

    fn offer(
        &self,
        space: &LinkedSpace<'l, S>,
        question: &QuestionOf<S>,
    ) -> Result<Offer, Refusal> {
        self.engine.offer(space.space(), question)
    }

    fn answer(
        &self,
        space: &LinkedSpace<'l, S>,
        question: &QuestionOf<S>,
        spare: PathOf<S>,
    ) -> Option<Answered<S::State, S::Cost>> {
        if !space.is_safe() {
            return None;
        }
        let mut answered = self.engine.answer(space.space(), question, spare)?;
        if !Self::stands(space, question, &answered) {
            return None;
        }
        if let Outcome::Found(path)
        | Outcome::Unreachable { nearest: path, .. }
        | Outcome::LimitReached { nearest: path, .. } = &mut answered.outcome
        {
            path.revision = space.revision();
        }
        Some(answered)
    }

    /// Returns the engine's own search, which sees the links.
    fn begin(
        &self,
        ground: EngineGround<'_, '_, LinkedSpace<'l, S>>,
        question: &QuestionOf<S>,
    ) -> Option<EngineSearch> {
        // Of links over links the engine would see the inner ones alone.
        let EngineGround::Alone(linked) = ground else { return None };
        self.engine.begin(EngineGround::Linked(linked), question)
    }

    fn step(
        &self,
        ground: EngineGround<'_, '_, LinkedSpace<'l, S>>,
        search: &mut EngineSearch,
        budget: u64,
    ) -> EngineStep {
        self.engine.step(EngineGround::Linked(ground.space()), search, budget)
    }

    fn adopt(
        &self,
        ground: EngineGround<'_, '_, LinkedSpace<'l, S>>,
        search: &mut EngineSearch,
        affected: &[S::State],
    ) -> bool {
        self.engine.adopt(EngineGround::Linked(ground.space()), search, affected)
    }

    fn conclude(
        &self,
        ground: EngineGround<'_, '_, LinkedSpace<'l, S>>,
        search: EngineSearch,
        spare: PathOf<S>,
    ) -> Option<Answered<S::State, S::Cost>> {
        self.engine.conclude(EngineGround::Linked(ground.space()), search, spare)
    }

    fn lead(
        &self,
        space: &LinkedSpace<'l, S>,
        question: &QuestionOf<S>,
    ) -> Option<Lead<S::State, S::Cost>> {
        let lead = self.engine.lead(space.space(), question)?;
        if lead.revision() != space.space().revision() {
            return None;
        }
        let ground = Arc::clone(lead.bound());
        let mut bound = OverLinksBound {
            ground,
            entries: Vec::new(),
            least: S::Cost::INFINITY,
            exits: Vec::new(),
        };
        let mut exits = Vec::new();
        for way in space.ways() {
            if bound.entries.len() == MOST_ENTRIES {
                return None;
            }
            bound.entries.push(way.entry);
            bound.least = bound.least.min(way.cost);
            exits.push(way.exit);
        }
        if exits.is_empty() {
            return Some(Lead::new(bound.ground, space.revision()));
        }
        for &goal in question.query.goal.states() {
            let rest = exits.iter().map(|&exit| bound.ground.least(exit, goal)).min();
            bound.exits.push((goal, rest.unwrap_or(S::Cost::INFINITY)));
        }
        Some(Lead::new(Arc::new(bound), space.revision()))
    }

    /// Does nothing: the engine beneath is told by itself.
    fn world_changed(&mut self, _space: &LinkedSpace<'l, S>, _affected: &[S::State]) {}
}

/// A bound over the ground and through the links that can be used.
#[derive(Debug)]
struct OverLinksBound<State, C> {
    ground: Arc<dyn LowerBound<State, C>>,
    /// The states where links can be entered.
    entries: Vec<State>,
    /// The cost of the cheapest link.
    least: C,
    /// Each goal, and the bound from the exit that is nearest to it.
    exits: Vec<(State, C)>,
}

impl<State: StateId, C: Cost> LowerBound<State, C> for OverLinksBound<State, C> {
    fn least(&self, from: State, to: State) -> C {
        let ground = self.ground.least(from, to);
        let exit = self.exits.iter().find(|exit| exit.0 == to);
        let Some(&(_, rest)) = exit else { return C::ZERO };
        let after = self.least.plus(rest);
        if ground <= after {
            return ground;
        }
        let entry = self.entries.iter().map(|&entry| self.ground.least(from, entry)).min();
        entry.map_or(ground, |entry| ground.min(entry.plus(after)))
    }
}

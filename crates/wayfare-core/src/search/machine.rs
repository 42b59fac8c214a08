//! Searches as resumable machines, and their shared parts.

use std::ops::ControlFlow;

use super::course::{Active, Beginning, Course, Ends, Entry};
use super::nodes::{Nodes, Relaxed};
use super::{
    Answer, AnswerOf, Goal, Interruption, Key, Limit, NoPath, OpenList, Outcome, Query, QueryOf,
    Scratch, ScratchOf, Stats,
};
use crate::path::{PathOf, Step};
use crate::space::{
    Action, Cost, ExpanderMemoryOf, Guidance, GuidanceMemoryOf, GuidanceOf, Reachability,
    SCANS_A_UNIT, Space, StateId,
};
use crate::trace::{Observer, ObserverOf, Side, TraceEvent, TraceEventKind};

/// Whether a search has more to do.
///
/// Example: [`Algorithm`](super::Algorithm).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Progress {
    /// Call [`Search::step`] again.
    Working,
    /// [`Search::answer`] has the final answer.
    Done,
}

/// A resumable machine that answers one query.
///
/// There is one code path: a blocking search is one step without a budget, a sliced search is many
/// with one, a traced search is either with an observer. All give the same answer.
///
/// The machine borrows nothing between steps, so that it can lie in a game's own structures while
/// the world goes on. It checks on every step that the space is still of the revision it began with
/// and that the scratch is still its own.
///
/// Example: [`Algorithm`](super::Algorithm).
pub trait Search<S: Space> {
    /// Works for at most `budget` units, which the last expansion may exceed.
    ///
    /// An expansion from neighbour to neighbour is one unit. An expansion by jumps is one unit, on
    /// grids of one cost two, plus the scans of its jumps: a line 1/4, a cell of a diagonal or each
    /// further 32 cells of a line 1/64. Never expands more than `budget` states.
    fn step<O: ObserverOf<S>>(
        &mut self,
        space: &S,
        scratch: &mut ScratchOf<S>,
        observer: &mut O,
        budget: u64,
    ) -> Progress;

    /// Returns the final answer once the search is done. Before that, its answer if it is given up
    /// now.
    fn answer(&mut self, space: &S, scratch: &mut ScratchOf<S>) -> AnswerOf<S>;

    /// Carries a search, unfinished or ended, across an edit of the space. `affected` lists all
    /// states whose moves in or out the edit changed.
    ///
    /// Returns whether the search can go on. It then gives the answer of a search that starts now,
    /// path and counters. If not, nothing has changed, and the search must be restarted.
    ///
    /// A search can go on if it has reached no affected state. Searches that look further than the
    /// states they reach (jumps, lines of sight) never can: the default.
    fn adopt(&mut self, _space: &S, _scratch: &mut ScratchOf<S>, _affected: &[S::State]) -> bool {
        false
    }

    /// Runs the search to its end and returns the answer.
    fn finish<O: ObserverOf<S>>(
        &mut self,
        space: &S,
        scratch: &mut ScratchOf<S>,
        observer: &mut O,
    ) -> AnswerOf<S> {
        while self.step(space, scratch, observer, u64::MAX) == Progress::Working {}
        self.answer(space, scratch)
    }
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// At the state of that index.
    Found(u32),
    NoPath(NoPath),
    Limit(Limit),
    Interrupted(Interruption),
}

impl Ends for Ending {
    fn interrupted(interruption: Interruption) -> Self {
        Self::Interrupted(interruption)
    }
}

/// Whether a search follows the guidance of its space.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) enum Guided {
    /// Nothing was prepared.
    #[default]
    No,
    /// Guidance was prepared, and is not worth following.
    Declines,
    /// Its estimates come from the guidance.
    Follows,
}

impl Guided {
    /// Returns whether guidance that was prepared for a goal still says the same after an edit.
    pub(super) fn holds<S: Space>(
        self,
        space: &S,
        scratch: &mut ScratchOf<S>,
        goal: &Goal<S::State>,
    ) -> bool {
        match *goal {
            Goal::State(goal) if self != Self::No => {
                let mut memory = scratch.expanders.take::<ExpanderMemoryOf<S>>();
                let holds = GuidanceOf::<S>::holds(space, goal, &mut memory.0);
                scratch.expanders.put(memory);
                holds
            }
            _ => true,
        }
    }
}

/// The memory of every machine: the query, the counters, the course and the nearest state.
#[derive(Clone, Debug)]
pub(crate) struct Run<State, C> {
    pub(crate) query: Query<State, C>,
    pub(crate) stats: Stats,
    course: Course<Ending>,
    /// The reason of the preflight against a query that is to be approached all the same.
    foregone: Option<NoPath>,
    /// The expanded state with the lowest (estimate, cost, id).
    nearest: Option<(C, C, u32)>,
    /// A path was not followed because of the cost limit.
    capped: bool,
    /// A path was not followed because its cost left the cost type's range.
    overflowed: bool,
    /// The scans of jumps, in 64ths of a unit of work.
    scanned: u64,
}

impl<State: StateId, C: Cost> Run<State, C> {
    pub(crate) fn new(query: Query<State, C>) -> Self {
        Self {
            query,
            stats: Stats::default(),
            course: Course::default(),
            foregone: None,
            nearest: None,
            capped: false,
            overflowed: false,
            scanned: 0,
        }
    }

    /// Returns the units of work so far: see [`Search::step`].
    #[inline]
    pub(crate) fn work(&self) -> u64 {
        self.stats.expanded + self.scanned / SCANS_A_UNIT
    }

    /// Counts the scans of jumps.
    #[inline]
    pub(crate) fn count_scans(&mut self, work: u32) {
        self.scanned += u64::from(work);
    }

    /// To be called at the beginning of every step.
    pub(super) fn enter(
        &mut self,
        space: &impl Space<State = State, Cost = C>,
        scratch: &mut Scratch<State, C>,
    ) -> Entry {
        if self.course.is_fresh() {
            match preflight(space, &self.query) {
                Err(reason) if ends_at_once(&self.query, reason) => {
                    self.course.end_at_once(Ending::NoPath(reason));
                }
                verdict => self.foregone = verdict.err(),
            }
        }
        self.course.enter(space, scratch)
    }

    /// See [`Search::adopt`]. For searches that know of a space only the moves out of the states in
    /// their forward table.
    pub(crate) fn adopt<S: Space<State = State, Cost = C>>(
        &mut self,
        space: &S,
        scratch: &Scratch<State, C>,
        affected: &[State],
    ) -> bool {
        let verdict = preflight(space, &self.query).err();
        let ended = self.course.ended();
        match (self.course.lease(), ended) {
            (_, Some(Ending::Interrupted(_))) => false,
            (Some(lease), _) => verdict == self.foregone && lease.renew(space, scratch, affected),
            (None, Some(Ending::NoPath(reason))) => verdict == Some(reason),
            (None, ended) => ended.is_none(),
        }
    }

    /// Ends the search.
    pub(super) fn end(&mut self, active: Active, ending: Ending) -> Progress {
        self.course.end(active, ending)
    }

    /// Ends a search whose open list has run empty.
    pub(super) fn exhaust(&mut self, active: Active) -> Progress {
        let ending = if self.overflowed {
            Ending::Limit(Limit::CostRange)
        } else if self.capped {
            Ending::Limit(Limit::Cost)
        } else {
            Ending::NoPath(self.foregone.unwrap_or(NoPath::Exhausted))
        };
        self.end(active, ending)
    }

    /// Returns the space's own estimate from `state` to the goal.
    #[inline]
    pub(crate) fn natural_estimate(
        &self,
        space: &impl Space<State = State, Cost = C>,
        state: State,
    ) -> C {
        self.query.goal.least(|goal| space.estimate(state, goal))
    }

    /// Prepares the space's guidance if the query has one goal that a path may lead to.
    pub(crate) fn guide<S: Space<State = State, Cost = C>>(
        &self,
        space: &S,
        memory: &mut GuidanceMemoryOf<S>,
    ) -> Guided {
        match self.query.goal {
            Goal::State(goal) if GuidanceOf::<S>::GUIDES && self.foregone.is_none() => {
                if GuidanceOf::<S>::prepare(space, self.query.start, goal, memory) {
                    Guided::Follows
                } else {
                    Guided::Declines
                }
            }
            _ => Guided::No,
        }
    }

    /// Puts the start on the open list, under `key` and with the estimate `h`: how a forward search
    /// begins.
    #[inline]
    pub(super) fn seed(
        &mut self,
        beginning: Beginning,
        (nodes, open): (&mut Nodes<C>, &mut impl OpenList),
        (key, h): (Key, C),
        observer: &mut impl Observer<State, C>,
    ) -> Active {
        let start = self.query.start;
        nodes.open(start.index(), C::ZERO, start.index());
        open.push(key);
        self.stats.generated = 1;
        self.stats.heap_peak = 1;
        observer.observe(event(
            TraceEventKind::Generate,
            Side::Forward,
            (start, start),
            (C::ZERO, h),
        ));
        beginning.begun()
    }

    /// Returns whether a path of cost `g`, with at least `remaining` to come, may be followed.
    /// Remembers the reason if not.
    #[inline]
    pub(crate) fn admits(&mut self, g: C, remaining: impl FnOnce(&Self) -> C) -> bool {
        if g >= C::INFINITY {
            self.overflowed = true;
            return false;
        }
        let limit = self.query.limits.cost;
        if limit < C::INFINITY && g.plus(remaining(self)) > limit {
            self.capped = true;
            return false;
        }
        true
    }

    /// Counts a new path to a state, and returns its kind. `None` if it is no cheaper.
    #[inline]
    pub(crate) fn count(&mut self, relaxed: Relaxed) -> Option<TraceEventKind> {
        match relaxed {
            Relaxed::No => None,
            Relaxed::First => {
                self.stats.generated += 1;
                Some(TraceEventKind::Generate)
            }
            Relaxed::Cheaper => Some(TraceEventKind::Relax),
            Relaxed::Reopened => {
                self.stats.reopened += 1;
                Some(TraceEventKind::Reopen)
            }
        }
    }

    /// Handles a popped state: ends the search if it is a goal or if a limit is reached; else
    /// counts the expansion.
    #[inline]
    pub(super) fn pop(
        &mut self,
        active: Active,
        (state, parent): (State, u32),
        (g, h): (C, C),
        observer: &mut impl Observer<State, C>,
    ) -> ControlFlow<Progress, Active> {
        if self.query.goal.accepts(state) {
            let at = (state, State::from_index(parent));
            observer.observe(event(TraceEventKind::Goal, Side::Forward, at, (g, h)));
            return ControlFlow::Break(self.end(active, Ending::Found(state.index())));
        }
        self.expand_from(active, Side::Forward, (state, parent), (g, h), observer)
    }

    /// The limit that keeps the search from another expansion.
    #[inline]
    fn limit_reached(&self) -> Option<Limit> {
        let (stats, limits) = (&self.stats, &self.query.limits);
        if stats.expanded >= limits.expansions {
            Some(Limit::Expansions)
        } else if stats.generated >= limits.generated {
            Some(Limit::Generated)
        } else if stats.heap_peak as u64 >= limits.open {
            Some(Limit::Open)
        } else {
            None
        }
    }

    /// Counts the expansion of a state by one side, tells the observer and, on the forward side,
    /// keeps the nearest state. Ends the search if a limit is reached.
    #[inline]
    pub(super) fn expand_from(
        &mut self,
        active: Active,
        side: Side,
        (state, parent): (State, u32),
        (g, h): (C, C),
        observer: &mut impl Observer<State, C>,
    ) -> ControlFlow<Progress, Active> {
        if let Some(limit) = self.limit_reached() {
            return ControlFlow::Break(self.end(active, Ending::Limit(limit)));
        }
        self.stats.expanded += 1;
        let candidate = (h, g, state.index());
        if side == Side::Forward && self.nearest.is_none_or(|nearest| candidate < nearest) {
            self.nearest = Some(candidate);
        }
        let at = (state, State::from_index(parent));
        observer.observe(event(TraceEventKind::Expand, side, at, (g, h)));
        ControlFlow::Continue(active)
    }

    /// Returns whether the goal is known to be out of reach, and the search only approaches it.
    pub(crate) fn is_only_approaching(&self) -> bool {
        self.foregone.is_some()
    }

    /// Returns the answer as of now.
    pub(crate) fn answer(
        &self,
        space: &impl Space<State = State, Cost = C>,
        scratch: &mut Scratch<State, C>,
    ) -> Answer<State, C> {
        self.answer_along(space, scratch, trace_back)
    }

    /// Returns the answer as of now, its path traced back from the end by `trace`.
    pub(crate) fn answer_along<S: Space<State = State, Cost = C>>(
        &self,
        space: &S,
        scratch: &mut ScratchOf<S>,
        trace: impl FnOnce(&S, &mut ScratchOf<S>, u32) -> PathOf<S>,
    ) -> Answer<State, C> {
        let ending = match self.course.interruption(space, scratch) {
            Some(interruption) => Ending::Interrupted(interruption),
            None => self.course.ended().unwrap_or(Ending::Limit(Limit::Expansions)),
        };
        let outcome = match ending {
            Ending::Found(end) => Outcome::Found(trace(space, scratch, end)),
            Ending::NoPath(reason) => {
                Outcome::Unreachable { reason, nearest: self.nearest_path(space, scratch, trace) }
            }
            Ending::Limit(limit) => {
                Outcome::LimitReached { limit, nearest: self.nearest_path(space, scratch, trace) }
            }
            Ending::Interrupted(interruption) => Outcome::Interrupted(interruption),
        };
        Answer { outcome, stats: self.stats }
    }

    fn nearest_path<S: Space<State = State, Cost = C>>(
        &self,
        space: &S,
        scratch: &mut ScratchOf<S>,
        trace: impl FnOnce(&S, &mut ScratchOf<S>, u32) -> PathOf<S>,
    ) -> PathOf<S> {
        if let Some((_, _, state)) = self.nearest {
            return trace(space, scratch, state);
        }
        let mut path = scratch.spare_path();
        path.revision = space.revision();
        if space.check(self.query.start).is_ok() {
            path.steps.push(Step {
                state: self.query.start,
                action: Action::default(),
                cost: C::ZERO,
            });
        }
        path
    }
}

/// Returns an event, shorter to write. A root is its own parent.
#[inline]
pub(crate) fn event<State, C>(
    kind: TraceEventKind,
    side: Side,
    (state, parent): (State, State),
    (g, h): (C, C),
) -> TraceEvent<State, C> {
    TraceEvent { kind, side, state, parent, g, h }
}

/// Returns whether a search for the query would end at its first step, before it touches the
/// scratch.
pub fn is_foregone<S: Space>(space: &S, query: &QueryOf<S>) -> bool {
    preflight(space, query).is_err_and(|reason| ends_at_once(query, reason))
}

/// Returns whether `reason` keeps a search from beginning. A query that is to be approached needs
/// no more than a start and a goal.
fn ends_at_once<State, C>(query: &Query<State, C>, reason: NoPath) -> bool {
    !query.approach || matches!(reason, NoPath::Start(_) | NoPath::NoGoal)
}

/// Checks a query without searching.
pub fn preflight<S: Space>(space: &S, query: &QueryOf<S>) -> Result<(), NoPath> {
    space.check(query.start).map_err(NoPath::Start)?;
    if let Goal::Where(_) = query.goal {
        return Ok(());
    }
    let mut first_reason = None;
    for &goal in query.goal.states() {
        let reason = match space.check(goal) {
            Err(obstruction) => NoPath::Goal(obstruction),
            Ok(()) => match space.reachability(query.start, goal) {
                Reachability::Possible => return Ok(()),
                Reachability::DifferentIslands { from, to } => {
                    NoPath::DifferentIslands { start: from, goal: to }
                }
            },
        };
        first_reason.get_or_insert(reason);
    }
    Err(first_reason.unwrap_or(NoPath::NoGoal))
}

/// Returns the path that the parents in the scratch's forward table lead back along.
pub(crate) fn trace_back<S: Space>(space: &S, scratch: &mut ScratchOf<S>, end: u32) -> PathOf<S> {
    let mut path = scratch.spare_path();
    path.revision = space.revision();
    let Scratch { forward, .. } = scratch;
    let mut state = end;
    loop {
        let parent = forward.parent(state);
        let cost = forward.g(state).unwrap_or(S::Cost::INFINITY);
        let (here, before) = (S::State::from_index(state), S::State::from_index(parent));
        let action = if parent == state { Action::default() } else { space.action(before, here) };
        path.steps.push(Step { state: here, action, cost });
        if parent == state {
            break;
        }
        state = parent;
    }
    path.steps.reverse();
    path
}

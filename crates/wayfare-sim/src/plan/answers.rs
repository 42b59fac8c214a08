//! Answers: requests that need no search, and results of finished searches.

use wayfare_core::inside::is_foregone;
use wayfare_core::navigate::{Answered, EngineId, Question, Reason, Took, work};
use wayfare_core::path::{Path, Step};
use wayfare_core::search::{Algorithm, NoPath, Outcome, Query, Search, Stats};
use wayfare_core::space::{Action, Cost, ReverseSpace, Space, StateId};

use super::ClassId;
use super::field_cache::FromField;
use super::planner::{Means, Planner};
use super::request_table::Place;
use super::slot::{FieldWork, Tally, Waiting, Work};
use super::views::{AskEngines, Views};

/// A tick's budget, in units of work.
pub(super) struct Budget {
    /// The rest of it.
    pub(super) left: u64,
    /// The work done, which may exceed the budget by the last piece.
    pub(super) work: u64,
    /// The states expanded.
    pub(super) expanded: u64,
}

impl Budget {
    pub(super) fn new(units: u64) -> Self {
        Self { left: units, work: 0, expanded: 0 }
    }

    pub(super) fn spend(&mut self, units: u64) {
        self.left = self.left.saturating_sub(units);
        self.work += units;
    }
}

impl<State: StateId, C: Cost, A: Algorithm> Planner<State, C, A> {
    pub(super) fn asked(&self, index: u32) -> Option<(ClassId, Question<State, C>)> {
        let asked = self.requests.entry(index).request.as_ref()?;
        let mut question = Question::from(asked.query.clone()).policy(asked.policy);
        question.start_point = asked.points.map(|points| points.start);
        question.goal_point = asked.points.map(|points| points.goal);
        Some((asked.class, question))
    }

    /// Answers a request if that takes no search: where the preflight knows why not, where a
    /// prepared engine suits, where a field is kept, where the goal's region is known to be closed.
    /// Reads no path once no more than `keep` is left of the budget.
    pub(super) fn answer_at_once<S>(
        &mut self,
        views: &Views<impl Fn(ClassId) -> S, impl AskEngines<State, C>>,
        index: u32,
        (budget, keep): (&mut Budget, u64),
    ) -> bool
    where
        S: ReverseSpace<State = State, Cost = C>,
        A::Search<State, C>: Search<S>,
    {
        let Some((class, question)) = self.asked(index) else { return true };
        let space = (views.spaces)(class);
        let (query, now) = (&question.query, self.requests.stats.ticks);
        if self.answer_foregone(&space, index, query) {
            return true;
        }
        let shared =
            self.requests.entry(index).request.as_ref().and_then(super::Request::shared_goal);
        if let Some((_, goal)) = shared
            && self.negative.parts(class, (query.start, goal), space.revision(), now)
        {
            self.requests.stats.negative_hits += 1;
            let answer = self.unreachable(&space, query.start, by_closed_region());
            self.requests.finish(index, answer);
            return true;
        }
        if budget.left <= keep {
            return false;
        }
        let names_algorithm =
            self.requests.entry(index).request.as_ref().is_some_and(|one| one.algorithm.is_some());
        if names_algorithm {
            return false;
        }
        let spare = &mut self.spare;
        if let Some(answer) = views.engines.ask(class, &question, spare) {
            budget.spend(answer.took.work);
            budget.expanded += answer.stats.expanded;
            self.requests.stats.prepared += 1;
            self.requests.finish(index, answer);
            return true;
        }
        let Some((_, goal)) = shared else { return false };
        match self.fields.ask(&space, (class, goal), query.start, now, || spare.pop()) {
            FromField::Unknown => false,
            FromField::Path(path) => {
                self.finish_by_field(index, path, budget);
                true
            }
            FromField::NoPath => {
                let answer = self.unreachable(&space, query.start, by_field(0));
                self.finish_shared(index, answer);
                true
            }
        }
    }

    /// Answers a request that the preflight knows to be in vain.
    pub(super) fn answer_foregone<S>(
        &mut self,
        space: &S,
        index: u32,
        query: &Query<State, C>,
    ) -> bool
    where
        S: Space<State = State, Cost = C>,
        A::Search<State, C>: Search<S>,
    {
        if !is_foregone(space, query) {
            return false;
        }
        // Such a search ends before it touches the scratch, whatever else goes on there.
        let mut search = self.algorithm.search(query.clone());
        let scratch = &mut self.local.scratch;
        let _ = search.step(space, scratch, &mut Tally::new(), 0);
        scratch.recycle(self.spare.pop().unwrap_or_default());
        let took = Took::optimal(EngineId::Preflight, Reason::Foregone, 0);
        let answer = Answered::new(search.answer(space, scratch), took);
        self.requests.finish(index, answer);
        true
    }

    /// Answers a request by a path out of a field.
    fn finish_by_field(&mut self, index: u32, path: Path<State, C>, budget: &mut Budget) {
        let units = work::of_reading(path.states().len());
        budget.spend(units);
        let (outcome, stats) = (Outcome::Found(path), Stats::default());
        self.finish_shared(index, Answered { outcome, stats, took: by_field(units) });
    }

    pub(super) fn finish_shared(&mut self, index: u32, answer: Answered<State, C>) {
        self.requests.stats.coalesced += 1;
        self.requests.finish(index, answer);
    }

    /// Answers a request whose search was dropped because its goal is known to be unreachable. Runs
    /// the preflight again first: since the search began, an edit may have blocked or enclosed the
    /// start.
    fn answer_unless_foregone<S>(&mut self, space: &S, index: u32, took: Took) -> bool
    where
        S: Space<State = State, Cost = C>,
        A::Search<State, C>: Search<S>,
    {
        let Some((_, question)) = self.asked(index) else { return false };
        if self.answer_foregone(space, index, &question.query) {
            return false;
        }
        let answer = self.unreachable(space, question.query.start, took);
        self.requests.finish(index, answer);
        true
    }

    /// Returns the answer without a path to the goal: the start alone.
    pub(super) fn unreachable<S: Space<State = State, Cost = C>>(
        &mut self,
        space: &S,
        start: State,
        took: Took,
    ) -> Answered<State, C> {
        let mut nearest = self.spare.pop().unwrap_or_default();
        nearest.steps.clear();
        nearest.revision = space.revision();
        nearest.steps.push(Step { state: start, action: Action::default(), cost: C::ZERO });
        let outcome = Outcome::Unreachable { reason: NoPath::Enclosed, nearest };
        Answered { outcome, stats: Stats::default(), took }
    }

    /// Lets a request wait for a field under way to its goal.
    pub(super) fn join_field(&mut self, index: u32) -> bool {
        let entry = self.requests.entry(index);
        let Some(request) = &entry.request else { return false };
        let (goal, start) = (request.shared_goal(), request.query.start);
        for (number, slot) in self.slots.iter_mut().enumerate() {
            let Some(job) = &mut slot.job else { continue };
            if let Work::Field(field) = &mut job.work
                && goal == Some((job.class, field.goal))
            {
                field.waiting.push(Waiting { index, start });
                self.requests.entry_mut(index).place = Place::Running(number as u32);
                return true;
            }
        }
        false
    }

    /// Answers a request that was searched for alone.
    pub(super) fn conclude<S>(&mut self, space: &S, index: u32, answer: Answered<State, C>)
    where
        S: Space<State = State, Cost = C>,
    {
        let shared =
            self.requests.entry(index).request.as_ref().and_then(super::Request::shared_goal);
        if let Some((class, goal)) = shared {
            match &answer.outcome {
                Outcome::Found(_) => Means::smooth(&mut self.means.search, answer.stats.expanded),
                Outcome::Unreachable { reason: NoPath::Exhausted | NoPath::Enclosed, .. } => {
                    self.remember_failure(space, class, goal);
                }
                _ => {}
            }
        }
        self.requests.finish(index, answer);
    }

    /// Has a goal that was not reached looked at from behind, once.
    pub(super) fn remember_failure<S: Space<State = State, Cost = C>>(
        &mut self,
        space: &S,
        class: ClassId,
        goal: State,
    ) {
        let is_under_way = self.slots.iter().filter_map(|slot| slot.job.as_ref()).any(|job| {
            job.class == class
                && matches!(job.work, Work::RegionProbe { goal: other, .. } if other == goal)
        });
        let is_useful = self.settings.negative_regions > 0 && space.check(goal).is_ok();
        let is_known = self.negative.holds(class, goal) || self.probes.contains(&(class, goal));
        if is_useful && !is_known && !is_under_way {
            self.probes.push_back((class, goal));
        }
    }

    /// Answers requests whose start a field has reached and, once the field is whole, requests
    /// whose start it never will reach.
    pub(super) fn serve<S>(
        &mut self,
        space: &S,
        number: usize,
        field: &mut FieldWork<State, C>,
        (budget, keep): (&mut Budget, u64),
    ) where
        S: Space<State = State, Cost = C>,
        A::Search<State, C>: Search<S>,
    {
        let scratch = &mut self.slots[number].scratch;
        let class = field.waiting.first().and_then(|one| {
            self.requests.entry(one.index).request.as_ref().map(|request| request.class)
        });
        let mut left_out = false;
        let mut waiting = std::mem::take(&mut field.waiting);
        waiting.retain(|one| {
            if budget.left <= keep {
                return true;
            }
            if field.search.settled(space, scratch, one.start).is_some() {
                scratch.recycle(self.spare.pop().unwrap_or_default());
                let Some(path) = field.search.path(space, scratch, one.start) else { return true };
                let units = work::of_reading(path.states().len());
                budget.spend(units);
                self.requests.stats.coalesced += 1;
                let (outcome, stats) = (Outcome::Found(path), Stats::default());
                let answer = Answered { outcome, stats, took: by_field(units) };
                self.requests.finish(one.index, answer);
                return false;
            }
            if field.is_whole {
                left_out = true;
            }
            true
        });
        if left_out && budget.left > keep {
            for one in waiting.drain(..) {
                if self.answer_unless_foregone(space, one.index, by_field(0)) {
                    self.requests.stats.coalesced += 1;
                }
            }
            if let Some(class) = class {
                self.remember_failure(space, class, field.goal);
            }
        }
        field.waiting = waiting;
    }

    /// Remembers a region that no state outside has a path into, and ends the searches that it
    /// makes pointless.
    pub(super) fn learn<S>(&mut self, space: &S, class: ClassId, region: Vec<State>)
    where
        S: Space<State = State, Cost = C>,
        A::Search<State, C>: Search<S>,
    {
        let (revision, now) = (space.revision(), self.requests.stats.ticks);
        self.negative.learn(class, region, revision, now);
        for number in 0..self.slots.len() {
            let Some(job) = self.slots[number].job.as_ref().filter(|job| job.class == class) else {
                continue;
            };
            let Some(index) = job.work.searches_for() else { continue };
            let Some(request) = &self.requests.entry(index).request else { continue };
            let Some((_, goal)) = request.shared_goal() else { continue };
            let start = request.query.start;
            if self.negative.parts(class, (start, goal), revision, now) {
                self.slots[number].job = None;
                if self.answer_unless_foregone(space, index, by_closed_region()) {
                    self.requests.stats.negative_hits += 1;
                }
            }
        }
    }
}

/// Returns that a field answered.
fn by_field(units: u64) -> Took {
    Took::optimal(EngineId::Field, Reason::GoalIsShared, units)
}

/// Returns that the goal lies in a region that is known to be closed.
fn by_closed_region() -> Took {
    Took::optimal(EngineId::ClosedRegion, Reason::GoalIsCutOff, 0)
}

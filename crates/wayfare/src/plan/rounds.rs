//! A tick: what came in, the lane for short queries, then rounds of the slots until the budget is spent or nothing is left.

use super::desk::Place;
use super::field_shelf::{FromField, KeptField};
use super::planner::{Means, Planner};
use super::slot::{FieldWork, Job, Slot, Waiting, Work};
use super::{ClassId, Lane, TickReport, Ticket};
use crate::path::{Path, Step};
use crate::search::{
    Algorithm, Answer, DistanceFieldSearch, FieldQuery, NoPath, Outcome, Progress, Query, Search,
    Stats, is_foregone,
};
use crate::space::{Action, Cost, ReverseSpace, Space, StateId};

/// What is left of a tick's budget.
pub(super) struct Purse {
    left: u64,
    expanded: u64,
}

/// Reading a path of so many states out of a field is charged like one expansion, though it is none.
const STATES_AN_EXPANSION: u64 = 8;

impl Purse {
    fn spend(&mut self, expansions: u64) {
        self.left = self.left.saturating_sub(expansions);
        self.expanded += expansions;
    }

    fn charge_for_reading<State, C>(&mut self, path: &Path<State, C>) {
        self.left =
            self.left.saturating_sub((path.steps.len() as u64).div_ceil(STATES_AN_EXPANSION));
    }
}

/// With fewer expansions than this in a round, threads cost more than they save.
#[cfg(feature = "rayon")]
const WORTH_THREADS: u64 = 1_024;

impl<State: StateId, C: Cost, A: Algorithm> Planner<State, C, A> {
    /// Does one tick's work: expands at most `budget` states.
    ///
    /// `spaces` says which space a class of agents sees; it is called often and should be cheap.
    pub fn tick<S>(&mut self, spaces: impl Fn(ClassId) -> S + Sync, budget: u64) -> TickReport
    where
        S: ReverseSpace<State = State, Cost = C>,
        A::Search<State, C>: Search<S> + Send,
    {
        self.desk.stats.ticks += 1;
        self.desk.stats.last_tick = TickReport::default();
        let mut purse = Purse { left: budget, expanded: 0 };
        self.begin_stale_anew(&spaces);
        self.receive(&spaces, &mut purse);
        self.run_local(&spaces, &mut purse);
        self.run_slots(&spaces, &mut purse);

        let queued = self.queue.len()
            + self.local_queue.iter().filter(|&&at| self.is_at(at, Place::QueuedLocal)).count();
        let stats = &mut self.desk.stats;
        stats.expansions += purse.expanded;
        stats.last_tick.expansions = purse.expanded;
        stats.last_tick.queued = queued;
        let running = self.desk.pending() - queued;
        self.desk.stats.last_tick.running = running;
        self.desk.stats.last_tick
    }

    /// Does one tick's work, and hands over every answer that is ready, in the order in which they were found.
    pub fn tick_with<S>(
        &mut self,
        spaces: impl Fn(ClassId) -> S + Sync,
        budget: u64,
        mut on_done: impl FnMut(Ticket, Answer<State, C>),
    ) -> TickReport
    where
        S: ReverseSpace<State = State, Cost = C>,
        A::Search<State, C>: Search<S> + Send,
    {
        let report = self.tick(spaces, budget);
        self.finished().for_each(|(ticket, answer)| on_done(ticket, answer));
        report
    }

    fn is_at(&self, (index, serial): (u32, u64), place: Place) -> bool {
        let entry = self.desk.entry(index);
        entry.serial == serial && entry.place == place
    }

    fn asked(&self, index: u32) -> Option<(ClassId, Query<State, C>)> {
        self.desk.entry(index).request.as_ref().map(|asked| (asked.class, asked.query.clone()))
    }

    /// Looks at what came in: answers what needs no search, and puts the rest in its queue.
    fn receive<S>(&mut self, spaces: &impl Fn(ClassId) -> S, purse: &mut Purse)
    where
        S: ReverseSpace<State = State, Cost = C>,
        A::Search<State, C>: Search<S>,
    {
        let mut arrivals = std::mem::take(&mut self.arrivals);
        for at in arrivals.drain(..) {
            let (index, serial) = at;
            if !self.is_at(at, Place::Arrived)
                || self.answer_at_once(spaces, index, purse)
                || self.join_field(index)
            {
                continue;
            }
            let lane = self.desk.entry(index).request.as_ref().map(|request| request.lane);
            if lane == Some(Lane::Local) && self.settings.local_percent > 0 {
                self.desk.entry_mut(index).place = Place::QueuedLocal;
                self.local_queue.push_back((index, serial));
            } else {
                self.queue.push(&mut self.desk, index);
            }
        }
        self.arrivals = arrivals;
    }

    /// Answers a request if that takes no search: where the preflight knows why not, where a field is kept, where the goal's
    /// region is known to be cut off.
    fn answer_at_once<S>(
        &mut self,
        spaces: &impl Fn(ClassId) -> S,
        index: u32,
        purse: &mut Purse,
    ) -> bool
    where
        S: ReverseSpace<State = State, Cost = C>,
        A::Search<State, C>: Search<S>,
    {
        let Some((class, query)) = self.asked(index) else { return true };
        let space = spaces(class);
        let now = self.desk.stats.ticks;
        if self.answer_foregone(&space, index, &query) {
            return true;
        }
        let shared = self.desk.entry(index).request.as_ref().and_then(super::Request::shared_goal);
        let Some((_, goal)) = shared else { return false };
        if self.negative.parts(class, (query.start, goal), space.revision(), now) {
            self.desk.stats.negative_hits += 1;
            let answer = self.unreachable(&space, query.start);
            self.desk.finish(index, answer);
            return true;
        }
        let spare = &mut self.spare;
        match self.shelf.ask(&space, (class, goal), query.start, now, || spare.pop()) {
            FromField::Unknown => false,
            FromField::Path(path) => {
                purse.charge_for_reading(&path);
                self.finish_shared(index, found(path));
                true
            }
            FromField::NoPath => {
                let answer = self.unreachable(&space, query.start);
                self.finish_shared(index, answer);
                true
            }
        }
    }

    /// Answers a request that the preflight knows to be in vain.
    fn answer_foregone<S>(&mut self, space: &S, index: u32, query: &Query<State, C>) -> bool
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
        let _ = search.step(space, scratch, &mut (), 0);
        scratch.recycle(self.spare.pop().unwrap_or_default());
        let answer = search.answer(space, scratch);
        self.desk.finish(index, answer);
        true
    }

    fn finish_shared(&mut self, index: u32, answer: Answer<State, C>) {
        self.desk.stats.coalesced += 1;
        self.desk.finish(index, answer);
    }

    /// The answer that there is no way, with the start alone for a path.
    fn unreachable<S: Space<State = State, Cost = C>>(
        &mut self,
        space: &S,
        start: State,
    ) -> Answer<State, C> {
        let mut nearest = self.spare.pop().unwrap_or_default();
        nearest.steps.clear();
        nearest.revision = space.revision();
        nearest.steps.push(Step { state: start, action: Action::default(), cost: C::ZERO });
        let outcome = Outcome::Unreachable { reason: NoPath::Exhausted, nearest };
        Answer { outcome, stats: Stats::default() }
    }

    /// Lets a request wait for a field to its goal that is under way.
    fn join_field(&mut self, index: u32) -> bool {
        let entry = self.desk.entry(index);
        let Some(request) = &entry.request else { return false };
        let (goal, start) = (request.shared_goal(), request.query.start);
        for (number, slot) in self.slots.iter_mut().enumerate() {
            let Some(job) = &mut slot.job else { continue };
            if let Work::Field(field) = &mut job.work
                && goal == Some((job.class, field.goal))
            {
                field.waiting.push(Waiting { index, start });
                self.desk.entry_mut(index).place = Place::Running(number as u32);
                return true;
            }
        }
        false
    }

    /// The lane for short queries: one after the other, in the order of arrival, within its share of the budget.
    fn run_local<S>(&mut self, spaces: &impl Fn(ClassId) -> S, purse: &mut Purse)
    where
        S: ReverseSpace<State = State, Cost = C>,
        A::Search<State, C>: Search<S>,
    {
        let percent = u128::from(self.settings.local_percent.min(100));
        let mut share = (u128::from(purse.left) * percent).div_ceil(100) as u64;
        loop {
            if self.local.job.is_none() {
                let Some(at) = self.local_queue.pop_front() else { return };
                let (index, _) = at;
                if !self.is_at(at, Place::QueuedLocal)
                    || self.answer_at_once(spaces, index, purse)
                    || self.join_field(index)
                {
                    continue;
                }
                let Some(job) = self.search_for(spaces, index) else { continue };
                self.local.job = Some(job);
                self.desk.entry_mut(index).place = Place::RunningLocal;
            }
            let most = self.settings.local_expansions;
            let expanded = self.local.job.as_ref().map_or(0, |job| job.expanded);
            self.local.allotted = most.saturating_sub(expanded).min(share).min(purse.left);
            self.local.run(spaces);
            share -= self.local.spent;
            purse.spend(self.local.spent);
            let is_done = self.local.progress == Progress::Done;
            let Some(job) = self.local.job.take_if(|job| is_done || job.expanded >= most) else {
                return;
            };
            let Work::Search { index, mut search } = job.work else { continue };
            if is_done {
                let space = spaces(job.class);
                self.local.scratch.recycle(self.spare.pop().unwrap_or_default());
                let answer = search.answer(&space, &mut self.local.scratch);
                self.conclude(&space, index, answer);
            } else {
                self.desk.stats.moved += 1;
                self.queue.push(&mut self.desk, index);
            }
        }
    }

    /// The slots: rounds of filling them, sharing what is left equally among them, and taking up what they have finished.
    fn run_slots<S>(&mut self, spaces: &(impl Fn(ClassId) -> S + Sync), purse: &mut Purse)
    where
        S: ReverseSpace<State = State, Cost = C>,
        A::Search<State, C>: Search<S> + Send,
    {
        while purse.left > 0 {
            for number in 0..self.slots.len() {
                if self.slots[number].job.is_none() && !self.fill(spaces, number, purse) {
                    break;
                }
            }
            if !self.share(purse.left) {
                return;
            }
            step_all(&mut self.slots, spaces);
            for number in 0..self.slots.len() {
                purse.spend(self.slots[number].spent);
                self.collect(spaces, number, purse);
            }
        }
    }

    /// Allots equal parts of the budget to the slots with work, the remainder to those that began first. Says whether there is
    /// anything to do.
    fn share(&mut self, left: u64) -> bool {
        let running = self.slots.iter().filter(|slot| slot.job.is_some()).count() as u64;
        if running == 0 {
            return false;
        }
        for number in 0..self.slots.len() {
            let serial =
                |slot: &Slot<_, _, _>| slot.job.as_ref().map(|job: &Job<_, _, _>| job.serial);
            let Some(own) = serial(&self.slots[number]) else {
                self.slots[number].allotted = 0;
                continue;
            };
            let older = self.slots.iter().filter_map(serial).filter(|&other| other < own).count();
            let part = left / running + u64::from((older as u64) < left % running);
            let most = match self.slots[number].job.as_ref().map(|job| (&job.work, job.expanded)) {
                Some((Work::Lesson { .. }, expanded)) => {
                    // One more than a region may have, to see that it has not.
                    (self.settings.negative_states + 1).saturating_sub(expanded)
                }
                _ => u64::MAX,
            };
            self.slots[number].allotted = part.min(most);
        }
        true
    }

    /// Gives a slot its next piece of work; says whether there was one.
    fn fill<S>(&mut self, spaces: &impl Fn(ClassId) -> S, number: usize, purse: &mut Purse) -> bool
    where
        S: ReverseSpace<State = State, Cost = C>,
        A::Search<State, C>: Search<S>,
    {
        if let Some((class, goal)) = self.lessons.pop_front() {
            let search = DistanceFieldSearch::new(FieldQuery::inward([goal]));
            let work = Work::Lesson { goal, search, region: Vec::new() };
            self.slots[number].job = Some(self.job(spaces, class, work));
            return true;
        }
        while purse.left > 0 {
            let Some(index) = self.queue.pop(&self.desk) else { return false };
            if self.answer_at_once(spaces, index, purse) || self.join_field(index) {
                continue;
            }
            let entry = self.desk.entry(index);
            let shared = entry.request.as_ref().and_then(super::Request::shared_goal);
            let alike = shared.map_or(0, |goal| self.queue.waiting_for(goal) + 1);
            let coalesces = self.settings.coalesce_from > 0
                && alike >= self.settings.coalesce_from
                && self.means.favour_a_field_for(alike);
            if let Some(goal) = shared.filter(|_| coalesces) {
                self.begin_field(spaces, number, goal, index);
                return true;
            }
            if let Some(job) = self.search_for(spaces, index) {
                self.slots[number].job = Some(job);
                self.desk.entry_mut(index).place = Place::Running(number as u32);
                return true;
            }
        }
        false
    }

    fn job<S>(
        &mut self,
        spaces: &impl Fn(ClassId) -> S,
        class: ClassId,
        work: Work<State, C, A::Search<State, C>>,
    ) -> Job<State, C, A::Search<State, C>>
    where
        S: Space<State = State, Cost = C>,
    {
        self.jobs_begun += 1;
        let revision = spaces(class).revision();
        Job { class, serial: self.jobs_begun, revision, expanded: 0, work }
    }

    fn search_for<S>(
        &mut self,
        spaces: &impl Fn(ClassId) -> S,
        index: u32,
    ) -> Option<Job<State, C, A::Search<State, C>>>
    where
        S: Space<State = State, Cost = C>,
    {
        let (class, query) = self.asked(index)?;
        let search = self.algorithm.search(query);
        Some(self.job(spaces, class, Work::Search { index, search }))
    }

    /// Begins a field for all that wait for a goal, or lets one that is kept grow on.
    fn begin_field<S>(
        &mut self,
        spaces: &impl Fn(ClassId) -> S,
        number: usize,
        goal: (ClassId, State),
        first: u32,
    ) where
        S: Space<State = State, Cost = C>,
    {
        let mut waiting = Vec::new();
        for index in std::iter::once(first).chain(self.queue.gather(&self.desk, goal)) {
            if let Some(request) = &self.desk.entry(index).request {
                waiting.push(Waiting { index, start: request.query.start });
            }
            self.desk.entry_mut(index).place = Place::Running(number as u32);
        }
        let mut field = FieldWork::new(goal.1, waiting);
        let mut expanded = 0;
        if let Some(kept) = self.shelf.take(goal, spaces(goal.0).revision()) {
            (field.search, field.is_whole, expanded) = (kept.search, kept.is_whole, kept.expanded);
            let scratch = std::mem::replace(&mut self.slots[number].scratch, kept.scratch);
            self.shelf.give_back(scratch);
        }
        let job = self.job(spaces, goal.0, Work::Field(field));
        self.slots[number].job = Some(Job { expanded, ..job });
    }

    /// Takes up what a slot has done.
    fn collect<S>(&mut self, spaces: &impl Fn(ClassId) -> S, number: usize, purse: &mut Purse)
    where
        S: ReverseSpace<State = State, Cost = C>,
        A::Search<State, C>: Search<S>,
    {
        let Some(mut job) = self.slots[number].job.take() else { return };
        let space = spaces(job.class);
        let is_done = self.slots[number].progress == Progress::Done;
        match &mut job.work {
            Work::Search { index, search } if is_done => {
                let scratch = &mut self.slots[number].scratch;
                scratch.recycle(self.spare.pop().unwrap_or_default());
                let answer = search.answer(&space, scratch);
                return self.conclude(&space, *index, answer);
            }
            Work::Field(field) => {
                self.serve(&space, number, field, purse);
                if field.waiting.is_empty() {
                    return self.put_at_rest(number, job);
                }
            }
            Work::Lesson { region, .. } if is_done => {
                let region = std::mem::take(region);
                return self.learn(&space, job.class, region);
            }
            Work::Lesson { .. } if job.expanded > self.settings.negative_states => return,
            Work::Search { .. } | Work::Lesson { .. } => {}
        }
        self.slots[number].job = Some(job);
    }

    /// Answers a request that was searched for alone.
    fn conclude<S>(&mut self, space: &S, index: u32, answer: Answer<State, C>)
    where
        S: Space<State = State, Cost = C>,
    {
        let shared = self.desk.entry(index).request.as_ref().and_then(super::Request::shared_goal);
        if let Some((class, goal)) = shared {
            match &answer.outcome {
                Outcome::Found(_) => Means::smooth(&mut self.means.search, answer.stats.expanded),
                Outcome::Unreachable { reason: NoPath::Exhausted, .. } => {
                    self.remember_failure(space, class, goal);
                }
                _ => {}
            }
        }
        self.desk.finish(index, answer);
    }

    /// Has a goal that was not reached looked at from behind, once.
    fn remember_failure<S: Space<State = State, Cost = C>>(
        &mut self,
        space: &S,
        class: ClassId,
        goal: State,
    ) {
        let is_under_way = self.slots.iter().filter_map(|slot| slot.job.as_ref()).any(|job| {
            job.class == class
                && matches!(job.work, Work::Lesson { goal: other, .. } if other == goal)
        });
        let is_useful = self.settings.negative_regions > 0 && space.check(goal).is_ok();
        let is_known = self.negative.holds(class, goal) || self.lessons.contains(&(class, goal));
        if is_useful && !is_known && !is_under_way {
            self.lessons.push_back((class, goal));
        }
    }

    /// Answers those whose start a field has reached and, once it is whole, those whose start it never will.
    fn serve<S>(
        &mut self,
        space: &S,
        number: usize,
        field: &mut FieldWork<State, C>,
        purse: &mut Purse,
    ) where
        S: Space<State = State, Cost = C>,
        A::Search<State, C>: Search<S>,
    {
        let scratch = &mut self.slots[number].scratch;
        let class = field.waiting.first().and_then(|one| {
            self.desk.entry(one.index).request.as_ref().map(|request| request.class)
        });
        let mut left_out = false;
        let mut waiting = std::mem::take(&mut field.waiting);
        waiting.retain(|one| {
            if purse.left == 0 {
                return true;
            }
            if field.search.settled(space, scratch, one.start).is_some() {
                scratch.recycle(self.spare.pop().unwrap_or_default());
                let Some(path) = field.search.path(space, scratch, one.start) else { return true };
                purse.charge_for_reading(&path);
                self.desk.stats.coalesced += 1;
                self.desk.finish(one.index, found(path));
                return false;
            }
            if field.is_whole {
                left_out = true;
            }
            true
        });
        if left_out && purse.left > 0 {
            for one in waiting.drain(..) {
                // An edit may have cut the start off since the field was begun, and labels may say so.
                let asked = self.asked(one.index);
                if !asked.is_some_and(|(_, query)| self.answer_foregone(space, one.index, &query)) {
                    let answer = self.unreachable(space, one.start);
                    self.finish_shared(one.index, answer);
                }
            }
            if let Some(class) = class {
                self.remember_failure(space, class, field.goal);
            }
        }
        field.waiting = waiting;
    }

    /// Puts a field at rest that nobody waits for.
    fn put_at_rest(&mut self, number: usize, job: Job<State, C, A::Search<State, C>>) {
        let Work::Field(field) = job.work else { return };
        Means::smooth(&mut self.means.field, job.expanded);
        let fresh = self.shelf.scratch();
        let scratch = std::mem::replace(&mut self.slots[number].scratch, fresh);
        self.shelf.keep(KeptField {
            class: job.class,
            goal: field.goal,
            search: field.search,
            scratch,
            is_whole: field.is_whole,
            expanded: job.expanded,
            revision: job.revision,
            last_used: self.desk.stats.ticks,
        });
    }

    /// Remembers a region that nothing outside leads into, and ends the searches that it makes pointless.
    fn learn<S: Space<State = State, Cost = C>>(
        &mut self,
        space: &S,
        class: ClassId,
        region: Vec<State>,
    ) {
        let (revision, now) = (space.revision(), self.desk.stats.ticks);
        self.negative.learn(class, region, revision, now);
        for number in 0..self.slots.len() {
            let Some(job) = self.slots[number].job.as_ref().filter(|job| job.class == class) else {
                continue;
            };
            let Work::Search { index, .. } = job.work else { continue };
            let Some(request) = &self.desk.entry(index).request else { continue };
            let Some((_, goal)) = request.shared_goal() else { continue };
            let start = request.query.start;
            if self.negative.parts(class, (start, goal), revision, now) {
                self.slots[number].job = None;
                self.desk.stats.negative_hits += 1;
                let answer = self.unreachable(space, start);
                self.desk.finish(index, answer);
            }
        }
    }
}

fn found<State, C>(path: Path<State, C>) -> Answer<State, C> {
    Answer { outcome: Outcome::Found(path), stats: Stats::default() }
}

/// Steps every slot by what it was allotted. On threads or not, each works in its own memory, so that the results are the same.
fn step_all<State, C, Q, S>(
    slots: &mut [Slot<State, C, Q>],
    spaces: &(impl Fn(ClassId) -> S + Sync),
) where
    State: StateId,
    C: Cost,
    Q: Search<S> + Send,
    S: ReverseSpace<State = State, Cost = C>,
{
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        let busy = slots.iter().filter(|slot| slot.allotted > 0).count();
        if busy > 1 && slots.iter().map(|slot| slot.allotted).sum::<u64>() >= WORTH_THREADS {
            return slots.par_iter_mut().for_each(|slot| slot.run(spaces));
        }
    }
    for slot in slots {
        slot.run(spaces);
    }
}

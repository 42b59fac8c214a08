//! A tick: arrivals, the lane for short queries, then rounds of the slots until the budget is spent
//! or no work is left.

use wayfare_core::navigate::{Answered, Lent, Policy, Question};
use wayfare_core::search::{Algorithm, DistanceFieldSearch, FieldQuery, Progress, Search};
use wayfare_core::space::{Cost, ReverseSpace, Space, StateId};

use super::answers::Budget;
use super::field_cache::KeptField;
use super::planner::{Means, Planner};
use super::request_table::Place;
use super::slot::{FieldWork, Job, Slot, Waiting, Work};
use super::views::{AskEngines, EnginesOf, Views};
use super::{ClassId, Finished, Lane, TickReport, Ticket, View};

/// With fewer expansions than this in a round, threads cost more than they save.
#[cfg(feature = "rayon")]
const WORTH_THREADS: u64 = 1_024;

impl<State: StateId, C: Cost, A: Algorithm> Planner<State, C, A> {
    /// Does one tick's work: at most `budget` [units](wayfare_core::navigate::work), which the last
    /// expansion or the last path read may exceed.
    ///
    /// `views` returns the view of a class of agents: a space, or a
    /// [`Navigator`](wayfare_core::navigate::Navigator) with engines that are asked before any
    /// search. It is called often and should be cheap.
    pub fn tick<V>(&mut self, views: impl Fn(ClassId) -> V + Sync, budget: u64) -> TickReport
    where
        V: View<State, C>,
        A::Search<State, C>: Search<V::Space> + Send,
    {
        self.requests.stats.ticks += 1;
        self.requests.stats.last_tick = TickReport::default();
        // Half the budget at most: edits do not keep the requests waiting for ever.
        let paid = self.owed.min(budget / 2);
        self.owed -= paid;
        let mut budget = Budget::new(budget);
        budget.spend(paid);
        let views = Views { spaces: |class| views(class).into_space(), engines: EnginesOf(&views) };
        self.restart_stale(&views.spaces);
        self.receive(&views, &mut budget);
        self.run_local(&views, &mut budget);
        self.run_slots(&views, &mut budget);

        let queued = self.queue.len()
            + self.local_queue.iter().filter(|&&at| self.is_at(at, Place::QueuedLocal)).count();
        let running = self.requests.pending() - queued;
        let stats = &mut self.requests.stats;
        stats.expansions += budget.expanded;
        stats.work += budget.work;
        let report = &mut stats.last_tick;
        (report.expansions, report.work) = (budget.expanded, budget.work);
        (report.queued, report.running) = (queued, running);
        *report
    }

    /// Does one tick's work, and hands over every answer that is ready, in the order in which they
    /// were found.
    pub fn tick_with<V>(
        &mut self,
        views: impl Fn(ClassId) -> V + Sync,
        budget: u64,
        mut on_done: impl FnMut(Ticket, Answered<State, C>),
    ) -> TickReport
    where
        V: View<State, C>,
        A::Search<State, C>: Search<V::Space> + Send,
    {
        let report = self.tick(views, budget);
        self.finished().for_each(|Finished { ticket, answer }| on_done(ticket, answer));
        report
    }

    fn is_at(&self, (index, serial): (u32, u64), place: Place) -> bool {
        let entry = self.requests.entry(index);
        entry.serial == serial && entry.place == place
    }

    /// Goes through the arrivals: answers requests that need no search, and queues the rest.
    fn receive<S>(
        &mut self,
        views: &Views<impl Fn(ClassId) -> S, impl AskEngines<State, C>>,
        budget: &mut Budget,
    ) where
        S: ReverseSpace<State = State, Cost = C>,
        A::Search<State, C>: Search<S>,
    {
        let keep = budget.left / 2;
        let mut arrivals = std::mem::take(&mut self.arrivals);
        for at in arrivals.drain(..) {
            let (index, serial) = at;
            if !self.is_at(at, Place::Arrived)
                || self.answer_at_once(views, index, (budget, keep))
                || self.join_field(index)
            {
                continue;
            }
            let lane = self.requests.entry(index).request.as_ref().map(|request| request.lane);
            if lane == Some(Lane::Local) && self.settings.local_percent > 0 {
                self.requests.entry_mut(index).place = Place::QueuedLocal;
                self.local_queue.push_back((index, serial));
            } else {
                self.queue.push(&mut self.requests, index);
            }
        }
        self.arrivals = arrivals;
    }

    /// Runs the lane for short queries: one after the other, in the order of arrival, within its
    /// share of the budget.
    fn run_local<S>(
        &mut self,
        views: &Views<impl Fn(ClassId) -> S, impl AskEngines<State, C>>,
        budget: &mut Budget,
    ) where
        S: ReverseSpace<State = State, Cost = C>,
        A::Search<State, C>: Search<S>,
    {
        let percent = u128::from(self.settings.local_percent.min(100));
        let keep = budget.left - (u128::from(budget.left) * percent).div_ceil(100) as u64;
        loop {
            if self.local.job.is_none() {
                if budget.left <= keep {
                    return;
                }
                let Some(at) = self.local_queue.pop_front() else { return };
                let (index, _) = at;
                if !self.is_at(at, Place::QueuedLocal)
                    || self.answer_at_once(views, index, (budget, keep))
                    || self.join_field(index)
                {
                    continue;
                }
                let Some(job) = self.search_for(views, index) else { continue };
                self.local.job = Some(job);
                self.requests.entry_mut(index).place = Place::RunningLocal;
            }
            let most = self.settings.local_work;
            let left = self
                .local
                .job
                .as_ref()
                .map_or(0, |job| most.saturating_sub(job.spent).min(job.left()));
            self.local.allotted = left.min(budget.left.saturating_sub(keep));
            self.local.run(views);
            budget.spend(self.local.spent);
            budget.expanded += self.local.expanded;
            let is_done = self.local.progress == Progress::Done;
            let Some(job) =
                self.local.job.take_if(|job| is_done || job.left() == 0 || job.spent >= most)
            else {
                return;
            };
            let is_done = is_done || job.left() == 0;
            let Some(index) = job.work.searches_for() else { continue };
            if is_done {
                self.local.job = self.conclude_search(views, job, None, budget);
            } else {
                self.requests.stats.moved += 1;
                self.queue.push(&mut self.requests, index);
            }
        }
    }

    /// Runs rounds: fills the slots, shares the remaining budget equally among them, and collects
    /// finished work.
    fn run_slots<S>(
        &mut self,
        views: &Views<impl Fn(ClassId) -> S + Sync, impl AskEngines<State, C> + Sync>,
        budget: &mut Budget,
    ) where
        S: ReverseSpace<State = State, Cost = C>,
        A::Search<State, C>: Search<S> + Send,
    {
        let spaces = &views.spaces;
        self.serve_settled(spaces, budget);
        while budget.left > 0 {
            // Queued requests whose answer only needs reading may delay the work under way by half
            // a round, however many there are.
            let is_at_work = self.slots.iter().any(|slot| slot.job.is_some());
            let keep = if is_at_work { budget.left.div_ceil(2) } else { 0 };
            for number in 0..self.slots.len() {
                if self.slots[number].job.is_none() && !self.fill(views, number, (budget, keep)) {
                    break;
                }
            }
            if !self.share(budget.left) {
                return;
            }
            step_all(&mut self.slots, views);
            // All of the round's work is counted before any path is read, which takes from the
            // remaining budget.
            for slot in &self.slots {
                budget.spend(slot.spent);
                budget.expanded += slot.expanded;
            }
            for number in 0..self.slots.len() {
                self.collect(views, number, budget);
            }
        }
    }

    /// Answers requests whose start the fields reached in earlier ticks, before the fields grow:
    /// with half the budget at most.
    fn serve_settled<S>(&mut self, spaces: &impl Fn(ClassId) -> S, budget: &mut Budget)
    where
        S: Space<State = State, Cost = C>,
        A::Search<State, C>: Search<S>,
    {
        let keep = budget.left / 2;
        for number in 0..self.slots.len() {
            let Some(mut job) = self.slots[number].job.take() else { continue };
            if let Work::Field(field) = &mut job.work {
                self.serve(&spaces(job.class), number, field, (budget, keep));
            }
            self.slots[number].job = Some(job);
        }
    }

    /// Allots equal parts of the budget to the slots with work, the remainder to the oldest.
    /// Returns whether any slot has work.
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
            let most = self.slots[number].job.as_ref().map_or(0, Job::left);
            self.slots[number].allotted = part.min(most);
        }
        true
    }

    /// Gives a slot its next piece of work. Answers requests that need none on the way, until no
    /// more than `keep` is left of the budget. Returns whether there was a piece.
    fn fill<S>(
        &mut self,
        views: &Views<impl Fn(ClassId) -> S, impl AskEngines<State, C>>,
        number: usize,
        (budget, keep): (&mut Budget, u64),
    ) -> bool
    where
        S: ReverseSpace<State = State, Cost = C>,
        A::Search<State, C>: Search<S>,
    {
        let spaces = &views.spaces;
        if let Some((class, goal)) = self.probes.pop_front() {
            let search = DistanceFieldSearch::new(FieldQuery::inward([goal]));
            let work = Work::RegionProbe { goal, search, region: Vec::new() };
            // One more than a region may have, to see that it has not.
            let most = self.settings.negative_states + 1;
            self.slots[number].job = Some(Job { most, ..self.job(spaces, class, work) });
            return true;
        }
        while budget.left > keep {
            let Some(index) = self.queue.pop(&self.requests) else { return false };
            if self.answer_at_once(views, index, (budget, keep)) || self.join_field(index) {
                continue;
            }
            let entry = self.requests.entry(index);
            let shared = entry.request.as_ref().and_then(super::Request::shared_goal);
            let alike = shared.map_or(0, |goal| self.queue.waiting_for(goal) + 1);
            let coalesces = self.settings.coalesce_from > 0
                && alike >= self.settings.coalesce_from
                && self.means.favour_a_field_for(alike);
            if let Some(goal) = shared.filter(|_| coalesces) {
                self.begin_field(spaces, number, goal, index);
                return true;
            }
            if let Some(job) = self.search_for(views, index) {
                self.slots[number].job = Some(job);
                self.requests.entry_mut(index).place = Place::Running(number as u32);
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
        let serial = self.jobs_begun;
        Job { class, serial, revision, expanded: 0, spent: 0, most: u64::MAX, scanned: 0, work }
    }

    /// Returns the job of a search for a request. Engines that answer were asked before
    /// ([`Planner::answer_at_once`]): an answer that only has to be read spares a search.
    fn search_for<S>(
        &mut self,
        views: &Views<impl Fn(ClassId) -> S, impl AskEngines<State, C>>,
        index: u32,
    ) -> Option<Job<State, C, A::Search<State, C>>>
    where
        S: Space<State = State, Cost = C>,
    {
        let (class, question) = self.asked(index)?;
        let most = match question.policy {
            Policy::Within(units) => units,
            _ => u64::MAX,
        };
        let work = self.work_for(views, index, (class, question))?;
        Some(Job { most, ..self.job(&views.spaces, class, work) })
    }

    /// Returns a search for a request, by the first of these that applies:
    /// * the algorithm that the request names;
    /// * the first engine that suits and has a search of its own;
    /// * the first engine that guides a search;
    /// * the planner's algorithm.
    pub(super) fn work_for<S>(
        &self,
        views: &Views<impl Fn(ClassId) -> S, impl AskEngines<State, C>>,
        index: u32,
        (class, question): (ClassId, Question<State, C>),
    ) -> Option<Work<State, C, A::Search<State, C>>>
    where
        S: Space<State = State, Cost = C>,
    {
        let request = self.requests.entry(index).request.as_ref()?;
        if request.algorithm.is_some() {
            return Some(Work::by(&self.algorithm, index, request));
        }
        if let Some(search) = views.engines.begin(class, &question) {
            return Some(Work::ByEngine { index, search });
        }
        Some(match views.engines.lead(class, &question) {
            Some(Lent { lead, took }) => {
                Work::Led { index, search: Box::new(lead.search(question.query)), took }
            }
            None => Work::by(&self.algorithm, index, request),
        })
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
        for index in std::iter::once(first).chain(self.queue.gather(&self.requests, goal)) {
            if let Some(request) = &self.requests.entry(index).request {
                waiting.push(Waiting { index, start: request.query.start });
            }
            self.requests.entry_mut(index).place = Place::Running(number as u32);
        }
        let mut field = FieldWork::new(goal.1, waiting);
        let mut expanded = 0;
        if let Some(kept) = self.fields.take(goal, spaces(goal.0).revision()) {
            (field.search, field.is_whole, expanded) = (kept.search, kept.is_whole, kept.expanded);
            let scratch = std::mem::replace(&mut self.slots[number].scratch, kept.scratch);
            self.fields.give_back(scratch);
        }
        let job = self.job(spaces, goal.0, Work::Field(field));
        self.slots[number].job = Some(Job { expanded, spent: expanded, ..job });
    }

    /// Collects the results of a slot.
    fn collect<S>(
        &mut self,
        views: &Views<impl Fn(ClassId) -> S, impl AskEngines<State, C>>,
        number: usize,
        budget: &mut Budget,
    ) where
        S: ReverseSpace<State = State, Cost = C>,
        A::Search<State, C>: Search<S>,
    {
        let Some(mut job) = self.slots[number].job.take() else { return };
        let space = (views.spaces)(job.class);
        let (is_done, is_spent) = (self.slots[number].progress == Progress::Done, job.left() == 0);
        match &mut job.work {
            Work::Search { .. } | Work::Led { .. } | Work::ByEngine { .. }
                if is_done || is_spent =>
            {
                self.slots[number].job = self.conclude_search(views, job, Some(number), budget);
                return;
            }
            Work::Field(field) => {
                self.serve(&space, number, field, (budget, 0));
                if field.waiting.is_empty() {
                    return self.put_at_rest(number, job);
                }
            }
            Work::RegionProbe { region, .. } if is_done => {
                let region = std::mem::take(region);
                return self.learn(&space, job.class, region);
            }
            Work::RegionProbe { .. } if is_spent => return,
            Work::Search { .. }
            | Work::Led { .. }
            | Work::ByEngine { .. }
            | Work::RegionProbe { .. } => {}
        }
        self.slots[number].job = Some(job);
    }

    /// Answers a request whose search is done or has spent its work: in the slot with that index,
    /// or in the lane for short queries. If an engine's search ends without an answer, returns the
    /// job to continue with: a search by the planner's algorithm.
    fn conclude_search<S>(
        &mut self,
        views: &Views<impl Fn(ClassId) -> S, impl AskEngines<State, C>>,
        mut job: Job<State, C, A::Search<State, C>>,
        slot: Option<usize>,
        budget: &mut Budget,
    ) -> Option<Job<State, C, A::Search<State, C>>>
    where
        S: ReverseSpace<State = State, Cost = C>,
        A::Search<State, C>: Search<S>,
    {
        let index = job.work.searches_for()?;
        let space = (views.spaces)(job.class);
        let spare = self.spare.pop().unwrap_or_default();
        if let Work::ByEngine { search, .. } = job.work {
            if let Some(answer) = views.engines.conclude(job.class, search, spare) {
                budget.spend(answer.took.work.saturating_sub(job.spent));
                self.conclude(&space, index, answer);
                return None;
            }
            let work =
                Work::by(&self.algorithm, index, self.requests.entry(index).request.as_ref()?);
            return Some(Job { work, ..job });
        }
        let slot = slot.map_or(&mut self.local, |number| &mut self.slots[number]);
        slot.scratch.recycle(spare);
        let answer = job.work.answer(&space, &mut slot.scratch, job.spent)?;
        self.conclude(&space, index, answer);
        None
    }

    /// Keeps a field that no request waits for.
    fn put_at_rest(&mut self, number: usize, job: Job<State, C, A::Search<State, C>>) {
        let Work::Field(field) = job.work else { return };
        Means::smooth(&mut self.means.field, job.expanded);
        let fresh = self.fields.scratch();
        let scratch = std::mem::replace(&mut self.slots[number].scratch, fresh);
        self.fields.keep(KeptField {
            class: job.class,
            goal: field.goal,
            search: field.search,
            scratch,
            is_whole: field.is_whole,
            expanded: job.expanded,
            revision: job.revision,
            last_used: self.requests.stats.ticks,
        });
    }
}

/// Steps every slot by its allotment. On threads or not, each works in its own memory, so the
/// results are the same.
fn step_all<State, C, Q, S>(
    slots: &mut [Slot<State, C, Q>],
    views: &Views<impl Fn(ClassId) -> S + Sync, impl AskEngines<State, C> + Sync>,
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
        let are_several = busy > 1 && rayon::current_num_threads() > 1;
        if are_several && slots.iter().map(|slot| slot.allotted).sum::<u64>() >= WORTH_THREADS {
            return slots.par_iter_mut().for_each(|slot| slot.run(views));
        }
    }
    for slot in slots {
        slot.run(views);
    }
}

//! Snapshots: a planner as data, from which another goes on as this one would have.

use std::collections::VecDeque;

use wayfare_core::search::{Algorithm, Auto, DistanceFieldSearch, FieldQuery, Scratch, Search};
use wayfare_core::space::{Cost, ReverseSpace, Space, StateId};

use super::field_cache::KeptField;
use super::negative::Negative;
use super::planner::{Means, Planner};
use super::request_table::{Place, RequestTable};
use super::slot::{FieldWork, Job, Slot, Tally, Waiting, Work};
use super::stats::MOST_COUNTED;
use super::views::{AskEngines, EnginesOf, Views};
use super::{ClassId, PlannerSettings, View};

/// A planner as data: requests, tickets, answers, and the progress of all work under way.
///
/// It contains no search tables: [`Planner::restore`] repeats the expansions. That takes time; the
/// result is the same.
///
/// ```
/// use wayfare::plan::PlannerSnapshot;
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let mut planner = Planner::new(AStar::new(), PlannerSettings::default());
/// let ticket = planner.request(Request::new(ClassId(0), query));
/// planner.tick(|_class| grid.space(), 3);
/// let saved: PlannerSnapshot<_, _, _> = planner.save();
///
/// let mut resumed = Planner::restore(AStar::new(), saved, |_class| grid.space())?;
/// for planner in [&mut planner, &mut resumed] {
///     planner.tick(|_class| grid.space(), 1_000);
/// }
/// assert_eq!(planner.take(ticket), resumed.take(ticket));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlannerSnapshot<State: StateId, C, A = Auto> {
    settings: PlannerSettings,
    requests: RequestTable<State, C, A>,
    arrivals: Vec<(u32, u64)>,
    local_queue: Vec<(u32, u64)>,
    slots: Vec<Option<SavedJob<State>>>,
    local: Option<SavedJob<State>>,
    kept: Vec<SavedField<State>>,
    negative: Negative<State>,
    probes: Vec<(ClassId, State)>,
    means: Means,
    jobs_begun: u64,
    owed: u64,
}

/// A contradiction in a snapshot of a planner.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// The count of slots differs from the settings.
    #[error("the planner's snapshot has another number of slots than its settings")]
    Slots,
    /// The tables of requests, tickets and answers contradict each other.
    #[error("the tickets in the planner's snapshot contradict its requests")]
    Tickets,
    /// A request or its answer names a state that the space of its class has not.
    #[error("a request in the planner's snapshot names a state that does not exist")]
    RequestState,
    /// Work under way or kept names a state that the space of its class does not have.
    #[error("work in the planner's snapshot names a state that does not exist")]
    WorkState,
    /// A closed region names states that do not exist, or is counted wrongly.
    #[error("a closed region in the planner's snapshot is not one of these spaces")]
    ClosedRegions,
    /// Counters are larger than any planner can make them.
    #[error("the statistics in the planner's snapshot are impossible")]
    Statistics,
    /// A queue names a request that does not exist.
    #[error("a queue in the planner's snapshot names a request that does not exist")]
    Queues,
    /// A slot works for a request that is not placed in that slot.
    #[error("a slot in the planner's snapshot works for a request that is elsewhere")]
    WorkUnderWay,
    /// A request is placed in a slot that does not work for it.
    #[error("a request in the planner's snapshot runs in no slot")]
    RunningRequests,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct SavedJob<State> {
    class: ClassId,
    serial: u64,
    expanded: u64,
    spent: u64,
    most: u64,
    work: SavedWork<State>,
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum SavedWork<State> {
    Search {
        index: u32,
    },
    Field {
        goal: State,
        waiting: Vec<Waiting<State>>,
        is_whole: bool,
    },
    RegionProbe {
        goal: State,
    },
    /// By an engine's own search, or one that an engine guides.
    ByEngine {
        index: u32,
    },
}

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct SavedField<State> {
    class: ClassId,
    goal: State,
    is_whole: bool,
    expanded: u64,
    last_used: u64,
}

impl<State: StateId> SavedJob<State> {
    fn of<C, Q>(job: &Job<State, C, Q>) -> Self {
        let work = match &job.work {
            Work::Search { index, .. } => SavedWork::Search { index: *index },
            Work::Led { index, .. } | Work::ByEngine { index, .. } => {
                SavedWork::ByEngine { index: *index }
            }
            Work::RegionProbe { goal, .. } => SavedWork::RegionProbe { goal: *goal },
            Work::Field(field) => SavedWork::Field {
                goal: field.goal,
                waiting: field.waiting.clone(),
                is_whole: field.is_whole,
            },
        };
        let Job { class, serial, expanded, spent, most, .. } = *job;
        Self { class, serial, expanded, spent, most, work }
    }

    /// Returns the states that it names, each with its class.
    fn states(&self) -> impl Iterator<Item = (ClassId, &State)> + '_ {
        let (goal, waiting) = match &self.work {
            SavedWork::Search { .. } | SavedWork::ByEngine { .. } => (None, &[][..]),
            SavedWork::Field { goal, waiting, .. } => (Some(goal), &waiting[..]),
            SavedWork::RegionProbe { goal } => (Some(goal), &[][..]),
        };
        let states = goal.into_iter().chain(waiting.iter().map(|one| &one.start));
        states.map(|state| (self.class, state))
    }

    /// Returns the requests that the job is for.
    fn requests(&self) -> impl Iterator<Item = u32> + '_ {
        let (one, many) = match &self.work {
            SavedWork::Search { index } | SavedWork::ByEngine { index } => (Some(*index), &[][..]),
            SavedWork::Field { waiting, .. } => (None, &waiting[..]),
            SavedWork::RegionProbe { .. } => (None, &[][..]),
        };
        one.into_iter().chain(many.iter().map(|one| one.index))
    }
}

impl<State: StateId, C: Cost, A: Algorithm> Planner<State, C, A> {
    /// Returns the planner as data, between two ticks; after an edit, only when it was
    /// [told](Planner::world_changed) of it.
    #[must_use]
    pub fn save(&self) -> PlannerSnapshot<State, C, A>
    where
        A: Clone,
    {
        let fields = self.fields.fields.iter();
        PlannerSnapshot {
            settings: self.settings,
            requests: self.requests.clone(),
            arrivals: self.arrivals.clone(),
            local_queue: self.local_queue.iter().copied().collect(),
            slots: self.slots.iter().map(|slot| slot.job.as_ref().map(SavedJob::of)).collect(),
            local: self.local.job.as_ref().map(SavedJob::of),
            kept: fields
                .map(|field| SavedField {
                    class: field.class,
                    goal: field.goal,
                    is_whole: field.is_whole,
                    expanded: field.expanded,
                    last_used: field.last_used,
                })
                .collect(),
            negative: self.negative.clone(),
            probes: self.probes.iter().copied().collect(),
            means: self.means,
            jobs_begun: self.jobs_begun,
            owed: self.owed,
        }
    }

    /// Returns a planner that continues from a snapshot exactly as the saved one would have.
    /// `algorithm` must be the saved planner's, and so must the engines of the `views` that guide
    /// searches. The spaces must equal those at the time of saving: grids and voxel worlds with the
    /// same ground, by any edits; live meshes after the same edits in the same order, since the
    /// indices of their polygons depend on it.
    ///
    /// # Errors
    /// When the snapshot contradicts itself; one that [`Planner::save`] made never does.
    pub fn restore<V>(
        algorithm: A,
        snapshot: PlannerSnapshot<State, C, A>,
        views: impl Fn(ClassId) -> V,
    ) -> Result<Self, SnapshotError>
    where
        V: View<State, C>,
        A::Search<State, C>: Search<V::Space>,
    {
        let spaces = |class| views(class).into_space();
        snapshot.check(&spaces)?;
        // Slots are made for the saved slots, not for a count that the snapshot claims.
        let settings = PlannerSettings { slots: 1, ..snapshot.settings };
        let mut planner = Self::new(algorithm, settings);
        planner.settings = snapshot.settings;
        planner.requests = snapshot.requests;
        planner.arrivals = snapshot.arrivals;
        planner.local_queue = VecDeque::from(snapshot.local_queue);
        planner.negative = snapshot.negative;
        planner.negative.world_changed(Some(&[]), |class| spaces(class).revision());
        planner.probes = VecDeque::from(snapshot.probes);
        planner.means = snapshot.means;
        (planner.jobs_begun, planner.owed) = (snapshot.jobs_begun, snapshot.owed);
        for index in 0..planner.requests.len() {
            if planner.requests.entry(index).place == Place::Queued {
                planner.queue.push(&mut planner.requests, index);
            }
        }
        let views = Views { spaces: &spaces, engines: EnginesOf(&views) };
        let slots = snapshot.slots.into_iter();
        planner.slots = slots.map(|job| planner.resume(job, &views)).collect();
        planner.local = planner.resume(snapshot.local, &views);
        for field in snapshot.kept {
            let space = spaces(field.class);
            let (mut search, mut scratch) = (begin(field.goal), Scratch::new());
            grow(&mut search, &space, &mut scratch, (field.expanded, field.is_whole));
            planner.fields.keep(KeptField {
                class: field.class,
                goal: field.goal,
                search,
                scratch,
                is_whole: field.is_whole,
                expanded: field.expanded,
                revision: space.revision(),
                last_used: field.last_used,
            });
        }
        Ok(planner)
    }

    /// Returns a slot at the same work, as far along.
    fn resume<S>(
        &self,
        job: Option<SavedJob<State>>,
        views: &Views<impl Fn(ClassId) -> S, impl AskEngines<State, C>>,
    ) -> Slot<State, C, A::Search<State, C>>
    where
        S: ReverseSpace<State = State, Cost = C>,
        A::Search<State, C>: Search<S>,
    {
        let mut slot = Slot::default();
        let Some(SavedJob { class, serial, expanded, spent, most, work }) = job else {
            return slot;
        };
        let space = (views.spaces)(class);
        let work = match work {
            SavedWork::Search { index } => {
                let Some(request) = &self.requests.entry(index).request else { return slot };
                Work::by(&self.algorithm, index, request)
            }
            // Engines may be prepared later; until then searches run without them.
            SavedWork::ByEngine { index } => {
                let Some((_, question)) = self.asked(index) else { return slot };
                let Some(work) = self.work_for(views, index, (class, question)) else {
                    return slot;
                };
                work
            }
            SavedWork::Field { goal, waiting, is_whole } => {
                let mut field = FieldWork::new(goal, waiting);
                field.is_whole = is_whole;
                grow(&mut field.search, &space, &mut slot.scratch, (expanded, is_whole));
                Work::Field(field)
            }
            SavedWork::RegionProbe { goal } => {
                Work::RegionProbe { goal, search: begin(goal), region: Vec::new() }
            }
        };
        let is_field = matches!(work, Work::Field(_));
        let revision = space.revision();
        slot.job =
            Some(Job { class, serial, revision, expanded: 0, spent: 0, most, scanned: 0, work });
        if !is_field {
            // Overshot budgets come to the same as one budget of all the work.
            slot.allotted = spent;
            slot.run(views);
            slot.allotted = 0;
        }
        if let Some(job) = &mut slot.job {
            (job.expanded, job.spent) = (expanded, spent);
        }
        slot
    }
}

fn begin<State: StateId, C: Cost>(goal: State) -> DistanceFieldSearch<State, C> {
    DistanceFieldSearch::new(FieldQuery::inward([goal]))
}

/// Expands a field to its saved progress. A field that had not begun does not begin.
fn grow<S: ReverseSpace>(
    search: &mut DistanceFieldSearch<S::State, S::Cost>,
    space: &S,
    scratch: &mut Scratch<S::State, S::Cost>,
    (expanded, is_whole): (u64, bool),
) {
    if is_whole || expanded > 0 {
        let budget = if is_whole { u64::MAX } else { expanded };
        let _ = search.step(space, scratch, &mut Tally::new(), budget);
    }
}

impl<State: StateId, C: Cost, A> PlannerSnapshot<State, C, A> {
    /// Fails for indices that point to nothing, and for counts that do not agree.
    fn check<S>(&self, spaces: &impl Fn(ClassId) -> S) -> Result<(), SnapshotError>
    where
        S: ReverseSpace<State = State, Cost = C>,
    {
        let claim = |holds: bool, fault| if holds { Ok(()) } else { Err(fault) };
        claim(self.slots.len() == self.settings.slots.max(1), SnapshotError::Slots)?;
        claim(self.requests.is_sound(), SnapshotError::Tickets)?;
        // A search begins at its states without another look at them.
        let exists = |class, state: &State| (state.index() as usize) < spaces(class).state_bound();
        claim(self.requests.names_only(exists), SnapshotError::RequestState)?;
        let goals = self.probes.iter().map(|(class, goal)| (*class, goal));
        let goals = goals.chain(self.kept.iter().map(|field| (field.class, &field.goal)));
        let under_way = self.slots.iter().chain([&self.local]).flatten();
        let goals = goals.chain(under_way.flat_map(SavedJob::states));
        let mut goals = goals.into_iter();
        claim(goals.all(|(class, state)| exists(class, state)), SnapshotError::WorkState)?;
        claim(self.negative.is_sound(spaces), SnapshotError::ClosedRegions)?;
        claim(self.requests.stats.is_plausible(), SnapshotError::Statistics)?;
        claim(self.jobs_begun.max(self.owed) < MOST_COUNTED, SnapshotError::Statistics)?;
        let exists = |&(index, _): &(u32, u64)| index < self.requests.len();
        let queues = || self.arrivals.iter().chain(&self.local_queue);
        claim(queues().all(exists), SnapshotError::Queues)?;
        let mut served = 0;
        let jobs = self.slots.iter().enumerate();
        let jobs = jobs.map(|(number, job)| (Place::Running(number as u32), job));
        for (place, job) in jobs.chain([(Place::RunningLocal, &self.local)]) {
            for index in job.iter().flat_map(SavedJob::requests) {
                let is_there =
                    index < self.requests.len() && self.requests.entry(index).place == place;
                claim(is_there, SnapshotError::WorkUnderWay)?;
                served += 1;
            }
        }
        let is_running = |index: &u32| {
            matches!(self.requests.entry(*index).place, Place::Running(_) | Place::RunningLocal)
        };
        let running = (0..self.requests.len()).filter(is_running).count();
        claim(running == served, SnapshotError::RunningRequests)
    }
}

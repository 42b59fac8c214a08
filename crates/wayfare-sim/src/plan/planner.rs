//! The planner as its users see it.

use std::collections::VecDeque;

use wayfare_core::navigate::Answered;
use wayfare_core::path::Path;
use wayfare_core::search::{Algorithm, Auto, Query};
use wayfare_core::space::{Cost, StateId};

use super::field_cache::FieldCache;
use super::negative::Negative;
use super::queue::Queue;
use super::request_table::{Place, RequestTable};
use super::slot::{Slot, Work};
use super::{ClassId, Finished, PlannerSettings, PlannerStats, Request, Standing, Ticket};

/// A service that answers requests for paths within a budget of expansions a tick.
///
/// | promise | how |
/// |---|---|
/// | no tick expands more than its budget | searches are stepped, and never overshoot |
/// | equal requests, worlds and budgets: equal answers, ticks | all scheduling is by counts |
/// | no request starves | waiting counts for priority; running work gets equal shares |
/// | a crowd with one goal costs one search | one backward field answers them all |
/// | what cannot be reached costs next to nothing | labels, or the goal's region learnt once |
///
/// # Why no request starves
///
/// A request waits at the rank `tick of arrival − priority · ticks_per_priority`, the lowest first.
/// The rank never changes. So only requests of a lower rank overtake: those of a higher priority
/// that arrive within [`PlannerSettings::ticks_per_priority`] ticks times the difference. These are
/// finitely many. Work that has begun is never put back. The slots share each round's budget
/// equally, the older ones first if it does not suffice for all. So each slot gains at least one
/// unit in as many ticks as there are slots, its search ends, and the next request moves up. With
/// the feature `rayon` slots are stepped in parallel and collected in order.
///
/// # Why the budget holds
///
/// All work is paid from one count: expansions one by one, since a search stops within its
/// allotment; work of [engines](wayfare_core::navigate::Engine::begin); paths read. Only the last
/// piece of each slot may exceed it. Each of these may use half of the remaining budget:
/// * arrivals that need no search;
/// * fields that can serve requests;
/// * queued requests whose answer only needs reading.
///
/// Short queries have their own share. So none of them stops the other work.
///
/// An answer equals that of a separate search, with two exceptions. From a shared field the path
/// may be another of the same cost. And where a region is known to be cut off, the nearest path of
/// [`Outcome::Unreachable`](wayfare_core::search::Outcome) is the start alone, unless the query
/// asks for an approach ([`Query::approach`](wayfare_core::search::Query::approach)).
///
/// The spaces are handed in with every call, as a function from the class of agents to its space:
/// the planner borrows no world between ticks. After an edit, and before the next tick, tell it
/// with [`Planner::world_changed`].
///
/// ```
/// use wayfare::plan::{ClassId, Planner, PlannerSettings, Request, Standing};
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let mut planner = Planner::new(AStar::new(), PlannerSettings::default());
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let ticket = planner.request(Request::new(ClassId(0), query));
/// while planner.standing(ticket) != Standing::Done {
///     let report = planner.tick(|_class| grid.space(), 3); // three expansions a frame
///     assert!(report.expansions <= 3);
/// }
/// assert_eq!(planner.take(ticket).unwrap().outcome.path().unwrap().len(), 5);
/// assert_eq!(planner.standing(ticket), Standing::Unknown); // a ticket is good for one answer
/// # Ok::<(), GridError>(())
/// ```
#[derive(Debug)]
pub struct Planner<State: StateId, C: Cost, A: Algorithm = Auto> {
    /// The algorithm of requests that name none.
    pub(super) algorithm: A,
    pub(super) settings: PlannerSettings,
    pub(super) requests: RequestTable<State, C, A>,
    /// Arrivals since the last tick, each with the id of the request.
    pub(super) arrivals: Vec<(u32, u64)>,
    pub(super) queue: Queue<State>,
    /// The queue of the lane for short queries, likewise.
    pub(super) local_queue: VecDeque<(u32, u64)>,
    pub(super) slots: Vec<Slot<State, C, A::Search<State, C>>>,
    pub(super) local: Slot<State, C, A::Search<State, C>>,
    pub(super) fields: FieldCache<State, C>,
    pub(super) negative: Negative<State>,
    /// Goals that were searched for in vain, to be looked at from behind.
    pub(super) probes: VecDeque<(ClassId, State)>,
    pub(super) means: Means,
    pub(super) jobs_begun: u64,
    /// Units of work that repairs of fields took and no tick has paid yet.
    pub(super) owed: u64,
    /// Paths that are no longer needed, for their memory.
    pub(super) spare: Vec<Path<State, C>>,
}

/// Recent costs of a search and of a field: smoothed expansions, 0 before the first.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Means {
    pub(super) search: u64,
    pub(super) field: u64,
}

impl Means {
    /// Takes a new value in.
    pub(super) fn smooth(mean: &mut u64, value: u64) {
        *mean = if *mean == 0 { value } else { *mean - *mean / 8 + value / 8 };
    }

    /// Returns whether a field for that many requests is likely to cost no more than separate
    /// searches.
    pub(super) fn favour_a_field_for(self, requests: usize) -> bool {
        self.search == 0 || self.search.saturating_mul(requests as u64) >= self.field
    }
}

/// At most this many paths are kept for their memory.
const MOST_SPARE_PATHS: usize = 256;

impl<State: StateId, C: Cost, A: Algorithm> Planner<State, C, A> {
    /// Returns a planner without any requests. `algorithm` searches for the requests that name none
    /// of their own ([`Request::by`]).
    #[must_use]
    pub fn new(algorithm: A, settings: PlannerSettings) -> Self {
        Self {
            algorithm,
            settings,
            requests: RequestTable::default(),
            arrivals: Vec::new(),
            queue: Queue::default(),
            local_queue: VecDeque::new(),
            slots: (0..settings.slots.max(1)).map(|_| Slot::default()).collect(),
            local: Slot::default(),
            fields: FieldCache::new(settings.kept_fields),
            negative: Negative::new(settings.negative_regions),
            probes: VecDeque::new(),
            means: Means::default(),
            jobs_begun: 0,
            owed: 0,
            spare: Vec::new(),
        }
    }

    /// Returns how it was set up.
    #[must_use]
    pub fn settings(&self) -> &PlannerSettings {
        &self.settings
    }

    /// Takes the memory for spaces of that [state bound](wayfare_core::space::Space::state_bound)
    /// now, while a level loads, and not in the first ticks. Does nothing for slots that are at
    /// work.
    pub fn reserve(&mut self, states: usize) {
        for slot in self.slots.iter_mut().chain([&mut self.local]) {
            if slot.job.is_none() {
                slot.scratch.begin(states);
            }
        }
        self.fields.reserve(states);
    }

    /// Hands in a request; it is looked at in the next tick.
    pub fn request(&mut self, request: Request<State, C, A>) -> Ticket {
        self.open(request, None)
    }

    /// Replaces a request, which is cancelled, by another: for an agent that changes its mind while
    /// it waits.
    ///
    /// The request is queued no later than the replaced one was, so repeated replacements do not
    /// starve it. If the replaced request is answered, cancelled or unknown, the new one is queued
    /// as usual.
    pub fn request_instead(&mut self, of: Ticket, request: Request<State, C, A>) -> Ticket {
        let entry = self.requests.find(of).map(|index| self.requests.entry(index));
        let rank = entry.filter(|entry| entry.place != Place::Done).map(|entry| entry.rank);
        self.cancel(of);
        self.open(request, rank)
    }

    fn open(&mut self, request: Request<State, C, A>, rank: Option<i64>) -> Ticket {
        let ticket = self.requests.open(request, self.settings.ticks_per_priority, rank);
        self.arrivals.push((ticket.index, self.requests.entry(ticket.index).serial));
        ticket
    }

    /// Withdraws a request, or throws its answer away; says whether there was one.
    pub fn cancel(&mut self, ticket: Ticket) -> bool {
        let Some(index) = self.requests.find(ticket) else { return false };
        let place = self.requests.entry(index).place;
        match place {
            Place::Done => {
                if let Some(answer) = self.requests.take(ticket) {
                    self.recycle(answer.outcome.into_path());
                }
                return true;
            }
            Place::Queued => self.queue.forget(self.requests.entry(index)),
            Place::Running(slot) => {
                let slot = &mut self.slots[slot as usize];
                match slot.job.as_mut().map(|job| &mut job.work) {
                    // A field that no request waits for is kept from the next tick on.
                    Some(Work::Field(field)) => field.waiting.retain(|one| one.index != index),
                    _ => slot.job = None,
                }
            }
            Place::RunningLocal => self.local.job = None,
            Place::Free | Place::Arrived | Place::QueuedLocal => {}
        }
        self.requests.close(index);
        self.requests.stats.cancelled += 1;
        true
    }

    /// Returns how far a request has come.
    #[must_use]
    pub fn standing(&self, ticket: Ticket) -> Standing {
        let Some(index) = self.requests.find(ticket) else { return Standing::Unknown };
        let running = |slot: &Slot<State, C, A::Search<State, C>>| Standing::Running {
            expanded: slot.job.as_ref().map_or(0, |job| job.expanded),
        };
        match self.requests.entry(index).place {
            Place::Free => Standing::Unknown,
            Place::Arrived | Place::Queued | Place::QueuedLocal => Standing::Queued,
            Place::Running(slot) => running(&self.slots[slot as usize]),
            Place::RunningLocal => running(&self.local),
            Place::Done => Standing::Done,
        }
    }

    /// Returns the query of a request that is not answered yet.
    #[must_use]
    pub fn query(&self, ticket: Ticket) -> Option<&Query<State, C>> {
        let request = &self.requests.entry(self.requests.find(ticket)?).request;
        request.as_ref().map(|request| &request.query)
    }

    /// Returns the answer to a request, once; `None` before it is done.
    pub fn take(&mut self, ticket: Ticket) -> Option<Answered<State, C>> {
        self.requests.take(ticket)
    }

    /// Takes all answers that are ready, in the order in which they were found. An answer that is
    /// not drawn from the iterator stays.
    pub fn finished(&mut self) -> impl Iterator<Item = Finished<State, C>> + '_ {
        std::iter::from_fn(|| self.requests.take_first())
    }

    /// Takes back a path that is no longer needed, so that a later answer reuses its memory.
    pub fn recycle(&mut self, path: Path<State, C>) {
        if path.steps.capacity() > 0 && self.spare.len() < MOST_SPARE_PATHS {
            self.spare.push(path);
        }
    }

    /// Returns whether the goal is known to be in a small region that no state outside has a path
    /// into. Agents that were refused may ask less often.
    #[must_use]
    pub fn negative(&self, class: ClassId, goal: State) -> bool {
        self.negative.holds(class, goal)
    }

    /// Returns the figures as of the last tick.
    #[must_use]
    pub fn stats(&self) -> &PlannerStats {
        &self.requests.stats
    }
}

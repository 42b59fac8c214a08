//! A slot: one piece of work under way, and its memory.

use wayfare_core::inside::{LedSearch, SCANS_A_UNIT};
use wayfare_core::navigate::{Answered, BegunSearch, EngineId, Reason, Took};
use wayfare_core::search::{
    Algorithm, DistanceFieldSearch, FieldQuery, Guarantee, Progress, Scratch, Search,
};
use wayfare_core::space::{Cost, ReverseSpace, Revision, StateId};
use wayfare_core::trace::{Observer, TraceEvent, TraceEventKind};

use super::views::{AskEngines, Views};
use super::{ClassId, Request};

/// A request that waits for a field to reach its start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Waiting<State> {
    pub(super) index: u32,
    pub(super) start: State,
}

/// A field that grows back from a goal until it has reached every start that waits.
#[derive(Clone, Debug)]
pub(super) struct FieldWork<State, C> {
    pub(super) goal: State,
    pub(super) search: DistanceFieldSearch<State, C>,
    pub(super) waiting: Vec<Waiting<State>>,
    /// Whether it contains every state that reaches the goal.
    pub(super) is_whole: bool,
}

/// The work of a slot. `Q` is a search for one request.
#[derive(Debug)]
pub(super) enum Work<State, C, Q> {
    /// The path of one request.
    Search { index: u32, search: Q, guarantee: Guarantee },
    /// The path of one request, by a search that an engine guides.
    Led { index: u32, search: Box<LedSearch<State, C>>, took: Took },
    /// The path of one request, by an engine's own search.
    ByEngine { index: u32, search: BegunSearch },
    /// A field for many.
    Field(FieldWork<State, C>),
    /// All states that reach a goal that was not reached, if they are few.
    RegionProbe { goal: State, search: DistanceFieldSearch<State, C>, region: Vec<State> },
}

/// A piece of work under way.
#[derive(Debug)]
pub(super) struct Job<State, C, Q> {
    pub(super) class: ClassId,
    /// The id of the piece: older ones come first if the budget does not suffice for all.
    pub(super) serial: u64,
    pub(super) revision: Revision,
    pub(super) expanded: u64,
    /// The units of work that it has taken, and the most that it may take.
    pub(super) spent: u64,
    pub(super) most: u64,
    /// Less than a unit of work, in 64ths.
    pub(super) scanned: u64,
    pub(super) work: Work<State, C, Q>,
}

impl<State: StateId, C: Cost, Q> Work<State, C, Q> {
    /// Returns a search for a request by the algorithm that it names, or else by `usual`.
    pub(super) fn by<A>(usual: &A, index: u32, request: &Request<State, C, A>) -> Self
    where
        A: Algorithm<Search<State, C> = Q>,
    {
        let algorithm = request.algorithm.as_ref().unwrap_or(usual);
        let search = algorithm.search(request.query.clone());
        Self::Search { index, search, guarantee: algorithm.guarantee() }
    }

    /// Returns the request that a search is for.
    pub(super) fn searches_for(&self) -> Option<u32> {
        match self {
            Self::Search { index, .. } | Self::Led { index, .. } | Self::ByEngine { index, .. } => {
                Some(*index)
            }
            Self::Field(_) | Self::RegionProbe { .. } => None,
        }
    }

    /// Returns the answer of a search after `work` units of work; `None` if this is no search, or
    /// that of an engine.
    pub(super) fn answer<S>(
        &mut self,
        space: &S,
        scratch: &mut Scratch<State, C>,
        work: u64,
    ) -> Option<Answered<State, C>>
    where
        S: ReverseSpace<State = State, Cost = C>,
        Q: Search<S>,
    {
        match self {
            Self::Search { search, guarantee, .. } => {
                let by = (EngineId::Search, Reason::NothingElseSuits);
                let took = Took::by_search(by, *guarantee, work);
                Some(Answered::new(search.answer(space, scratch), took))
            }
            Self::Led { search, took, .. } => {
                Some(Answered::new(search.answer(space, scratch), Took { work, ..*took }))
            }
            Self::ByEngine { .. } | Self::Field(_) | Self::RegionProbe { .. } => None,
        }
    }
}

impl<State, C, Q> Job<State, C, Q> {
    /// Returns the units of work that it may still take.
    pub(super) fn left(&self) -> u64 {
        self.most.saturating_sub(self.spent)
    }
}

/// A slot.
#[derive(Debug)]
pub(super) struct Slot<State, C, Q> {
    pub(super) scratch: Scratch<State, C>,
    pub(super) job: Option<Job<State, C, Q>>,
    /// The units of work that it may take in this round.
    pub(super) allotted: u64,
    /// The units that it took: at most one expansion's work more.
    pub(super) spent: u64,
    /// The states that it expanded.
    pub(super) expanded: u64,
    pub(super) progress: Progress,
}

impl<State: StateId, C: Cost, Q> Default for Slot<State, C, Q> {
    fn default() -> Self {
        Self {
            scratch: Scratch::new(),
            job: None,
            allotted: 0,
            spent: 0,
            expanded: 0,
            progress: Progress::Working,
        }
    }
}

impl<State: StateId, C: Cost, Q> Slot<State, C, Q> {
    /// Takes the work that was allotted, or less if the job is done before.
    pub(super) fn run<S>(&mut self, views: &Views<impl Fn(ClassId) -> S, impl AskEngines<State, C>>)
    where
        S: ReverseSpace<State = State, Cost = C>,
        Q: Search<S>,
    {
        (self.spent, self.expanded) = (0, 0);
        self.progress = Progress::Working;
        let Some(job) = self.job.as_mut().filter(|_| self.allotted > 0) else { return };
        if let Work::ByEngine { search, .. } = &mut job.work {
            let step = views.engines.step(job.class, search, self.allotted);
            self.progress = step.progress;
            (self.spent, self.expanded) = (step.work, step.expanded);
            job.spent += step.work;
            job.expanded += step.expanded;
            return;
        }
        let space = (views.spaces)(job.class);
        let units = space.units_an_expansion().max(1);
        let (scratch, allotted) = (&mut self.scratch, self.allotted.div_ceil(units));
        let mut tally = Tally::new();
        self.progress = match &mut job.work {
            Work::Search { search, .. } => search.step(&space, scratch, &mut tally, allotted),
            Work::Led { search, .. } => search.step(&space, scratch, &mut tally, allotted),
            Work::ByEngine { .. } => return,
            Work::Field(field) => field.step(&space, scratch, &mut tally, allotted),
            Work::RegionProbe { search, region, .. } => {
                tally.region = Some(region);
                search.step(&space, scratch, &mut tally, allotted)
            }
        };
        // Parts of a unit carry over to the next round.
        job.scanned += tally.scanned;
        self.expanded = tally.expanded;
        self.spent = (tally.expanded + job.scanned / SCANS_A_UNIT) * units;
        job.scanned %= SCANS_A_UNIT;
        job.expanded += self.expanded;
        job.spent += self.spent;
    }
}

/// How often a field looks whether it may stop, in expansions.
const CHUNK: u64 = 256;

impl<State: StateId, C: Cost> FieldWork<State, C> {
    pub(super) fn new(goal: State, waiting: Vec<Waiting<State>>) -> Self {
        let search = DistanceFieldSearch::new(FieldQuery::inward([goal]));
        Self { goal, search, waiting, is_whole: false }
    }

    fn step<S: ReverseSpace<State = State, Cost = C>>(
        &mut self,
        space: &S,
        scratch: &mut Scratch<State, C>,
        tally: &mut Tally<'_, State>,
        allotted: u64,
    ) -> Progress {
        let mut settled = 0;
        loop {
            let waiting = self.waiting[settled..].iter();
            settled += waiting
                .take_while(|one| self.search.settled(space, scratch, one.start).is_some())
                .count();
            if self.is_whole || settled == self.waiting.len() {
                return Progress::Done;
            }
            if tally.expanded == allotted {
                return Progress::Working;
            }
            let chunk = CHUNK.min(allotted - tally.expanded);
            self.is_whole = self.search.step(space, scratch, tally, chunk) == Progress::Done;
        }
    }
}

/// Counts work, and keeps the expanded states where someone wants to know them.
///
/// The only observer of a planner's searches: each type of observer compiles them once more.
pub(super) struct Tally<'r, State> {
    expanded: u64,
    scanned: u64,
    region: Option<&'r mut Vec<State>>,
}

impl<State> Tally<'_, State> {
    pub(super) fn new() -> Self {
        Self { expanded: 0, scanned: 0, region: None }
    }
}

impl<State: StateId, C: Cost> Observer<State, C> for Tally<'_, State> {
    #[inline]
    fn observe(&mut self, event: TraceEvent<State, C>) {
        if event.kind == TraceEventKind::Expand {
            self.expanded += 1;
            if let Some(region) = &mut self.region {
                region.push(event.state);
            }
        }
    }

    #[inline]
    fn scanned(&mut self, work: u32) {
        self.scanned += u64::from(work);
    }
}

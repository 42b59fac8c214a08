//! Traces of searches without the types of any space.

use serde::Serialize;
use wayfare::search::Stats;
use wayfare::space::{Cell, Cost, StateId};
use wayfare::trace::{Observer, TraceEvent, TraceHash};
pub use wayfare::trace::{Side, TraceEventKind};

/// The most events that are kept: 640 MB of them.
const MOST_EVENTS: usize = 20_000_000;

/// One event of a search.
///
/// ```
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::{NoFiles, OpenOptions, SearchRequest, TraceEventKind, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let request = SearchRequest::new(AlgorithmId::AStar, site.routes()[0].ends);
///
/// let report = site.searcher().run(&request.recorded(true), &mut |_expanded| ());
/// let first = report.trace.expect("it was asked for").events[0];
/// assert_eq!((first.kind, first.state), (TraceEventKind::Generate, request.ends.start));
/// assert_eq!((first.parent, first.g), (first.state, 0));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchEvent {
    /// The kind of event.
    #[serde(serialize_with = "kind_name")]
    pub kind: TraceEventKind,
    /// The end that the search runs from.
    #[serde(serialize_with = "side_name")]
    pub side: Side,
    /// The state it happened to.
    pub state: u32,
    /// The state it was reached from; itself for the first.
    pub parent: u32,
    /// The cost of the best known path to it, in the space's units.
    pub g: u64,
    /// The estimate from it to the goal.
    pub h: u64,
}

fn kind_name<S: serde::Serializer>(kind: &TraceEventKind, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(match kind {
        TraceEventKind::Generate => "generate",
        TraceEventKind::Relax => "relax",
        TraceEventKind::Expand => "expand",
        TraceEventKind::Reopen => "reopen",
        TraceEventKind::Goal => "goal",
        TraceEventKind::Restart => "restart",
    })
}

fn side_name<S: serde::Serializer>(side: &Side, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(match side {
        Side::Forward => "forward",
        Side::Backward => "backward",
    })
}

/// Returns a hash of events: the same for the same search on every machine.
///
/// ```
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::{NoFiles, OpenOptions, SearchRequest, open_bytes, trace_hash};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let request = SearchRequest::new(AlgorithmId::AStar, site.routes()[0].ends).recorded(true);
/// let [first, second] =
///     [(); 2].map(|()| site.searcher().run(&request, &mut |_| ()).trace.expect("it is short"));
/// assert_eq!(trace_hash(&first.events), trace_hash(&second.events));
/// assert_ne!(trace_hash(&first.events), trace_hash(&first.events[1..]));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[must_use]
pub fn trace_hash(events: &[SearchEvent]) -> u64 {
    let mut hash = TraceHash::default();
    for &SearchEvent { kind, side, state, parent, g, h } in events {
        let (state, parent) = (Cell::from_index(state), Cell::from_index(parent));
        Observer::<Cell, u64>::observe(&mut hash, TraceEvent { kind, side, state, parent, g, h });
    }
    hash.value()
}

/// The events of a search in order.
///
/// ```
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::{NoFiles, OpenOptions, SearchRequest, TraceEventKind, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let request = SearchRequest::new(AlgorithmId::AStar, site.routes()[0].ends);
///
/// let report = site.searcher().run(&request.recorded(true), &mut |_expanded| ());
/// let trace = report.trace.expect("it was asked for");
/// assert_eq!(trace.count(TraceEventKind::Goal), 1);
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Serialize, Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchTrace {
    /// The events, oldest first.
    pub events: Vec<SearchEvent>,
    /// The expansions and the generated states of searches that follow the recorded one.
    #[serde(skip)]
    rest: [u64; 2],
}

impl SearchTrace {
    /// Returns a trace of these events, oldest first, with nothing after them.
    #[must_use]
    pub fn new(events: Vec<SearchEvent>) -> Self {
        Self { events, rest: [0, 0] }
    }

    /// Returns the trace of a part of a search with those counters.
    pub(crate) fn of_part(self, stats: &Stats) -> Self {
        let rest = [
            stats.expanded.saturating_sub(self.count(TraceEventKind::Expand)),
            stats.generated.saturating_sub(self.count(TraceEventKind::Generate)),
        ];
        Self { rest, ..self }
    }

    /// Returns the number of events of a kind.
    #[must_use]
    pub fn count(&self, kind: TraceEventKind) -> u64 {
        self.events.iter().filter(|event| event.kind == kind).count() as u64
    }
}

#[cfg(feature = "pictures")]
impl wayfare_draw::Recording for SearchTrace {
    fn len(&self) -> usize {
        self.events.len()
    }

    fn event(&self, number: usize) -> Option<wayfare_draw::Recorded> {
        self.events.get(number).map(|event| wayfare_draw::Recorded {
            kind: event.kind,
            side: event.side,
            state: event.state,
            parent: event.parent,
            g: event.g,
            h: event.h,
        })
    }

    fn unrecorded(&self) -> wayfare_draw::Unrecorded {
        let [expanded, generated] = self.rest.map(|count| count as usize);
        wayfare_draw::Unrecorded { expanded, generated }
    }
}

/// Records a search, or does not. One type for both, so that a search is instantiated once for
/// watchers of all kinds.
#[derive(Default)]
pub(crate) struct Recorder {
    trace: SearchTrace,
    records: bool,
    is_cut: bool,
}

impl Recorder {
    pub(crate) fn new(records: bool) -> Self {
        Self { records, ..Self::default() }
    }

    /// Returns the trace, if one was wanted and all of it fitted: half a search is not one.
    pub(crate) fn whole(self) -> Option<SearchTrace> {
        (self.records && !self.is_cut).then_some(self.trace)
    }

    pub(crate) fn events(&self) -> &[SearchEvent] {
        &self.trace.events
    }

    /// Keeps an event, if one records.
    pub(crate) fn record(&mut self, event: SearchEvent) {
        if self.records {
            self.keep(event);
        }
    }

    #[cold]
    #[inline(never)]
    fn keep(&mut self, event: SearchEvent) {
        if self.trace.events.len() < MOST_EVENTS {
            self.trace.events.push(event);
        } else {
            self.is_cut = true;
        }
    }
}

impl<State: StateId, C: Cost> Observer<State, C> for Recorder {
    #[inline]
    fn observe(&mut self, event: TraceEvent<State, C>) {
        if self.records {
            let TraceEvent { kind, side, state, parent, g, h } = event;
            let (state, parent) = (state.index(), parent.index());
            self.keep(SearchEvent { kind, side, state, parent, g: g.to_u64(), h: h.to_u64() });
        }
    }
}

//! Recorded searches as a file: JSON, version 1.
//!
//! ```json
//! {
//!   "format": "wayfare-trace", "version": 1,
//!   "world": {"name": "yard", "file": "yard.txt", "kind": "tile map", "state": "cell",
//!             "unit": "cells", "unit_cost": 5741.0, "states": 9, "link": null},
//!   "query": {"start": 6, "goal": 18, "from": "0,0", "to": "2,2"},
//!   "searches": [{
//!     "algorithm": "astar", "heuristic": "natural", "is_whole": true, "ending": "found",
//!     "path": [6, 7], "costs": [0, 5741], "length": 1.0, "heap_peak": 2,
//!     "kinds": [0, 2], "sides": [0, 0], "states": [6, 6], "parents": [6, 6],
//!     "g": [0, 0], "h": [5741, 5741], "hash": "0123456789abcdef"
//!   }]
//! }
//! ```
//!
//! The columns of a search are of equal length, the oldest event first. Kinds: 0 generate, 1 relax,
//! 2 expand, 3 reopen, 4 goal, 5 restart. Sides: 0 from the start, 1 from the goal. Costs are
//! integers in the space's units, `unit_cost` to a unit of length on plain ground. The hash is
//! [`trace_hash`] of the events.
//!
//! # Files that lie
//!
//! The columns grow while reading, so memory is at most a small multiple of the file's size,
//! whatever the file claims. [`TraceFile::read`] checks all that can be checked without the world,
//! [`TraceFile::check`] whether the states are those of a world.

use std::io::Write;
use std::path::Path;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use wayfare::search::{NamedHeuristic, Progress};

use crate::{
    About, Endpoints, Layout, OFF_MAP, SearchEvent, SearchReport, SearchRequest, SearchTrace, Side,
    Site, SiteError, TraceEventKind, trace_hash,
};

const FORMAT: &str = "wayfare-trace";
const VERSION: u32 = 1;
/// The most searches of one file.
const MOST_SEARCHES: usize = 16;
/// The longest name, in bytes.
const LONGEST_NAME: usize = 64;

/// Recorded searches that answer one query.
///
/// ```
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::{NoFiles, OpenOptions, SearchRequest, TraceFile, TracedSearch, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let ends = site.routes()[0].ends;
/// let request = SearchRequest::new(AlgorithmId::AStar, ends).recorded(true);
/// let mut report = site.searcher().run(&request, &mut |_expanded| ());
/// let trace = report.trace.take().expect("it is short");
///
/// let mut file = TraceFile::new(site.as_ref(), ends);
/// file.searches.push(TracedSearch::of(&report, trace, request.options.heuristic));
/// let mut bytes = Vec::new();
/// file.write(&mut bytes)?;
/// let read = TraceFile::read("yard.trace.json", &bytes)?;
/// read.check("yard.trace.json", site.as_ref())?;
/// assert_eq!(read, file);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct TraceFile {
    /// The world that was searched.
    pub world: TracedWorld,
    /// The ends.
    pub query: TracedQuery,
    /// The searches, 1 to 16.
    pub searches: Vec<TracedSearch>,
}

/// The world of a trace: enough to recognise it, not the world itself.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct TracedWorld {
    /// Its own name.
    pub name: String,
    /// The file that it was opened from.
    pub file: String,
    /// "tile map" and so on, as in [`About`].
    pub kind: String,
    /// The noun for a state.
    pub state: String,
    /// The unit of lengths, in the plural.
    pub unit: String,
    /// The cost of one such unit on plain ground.
    pub unit_cost: f64,
    /// The number of states.
    pub states: u64,
    /// The end of a link of the studio that shows the world, where it is generated or a sample.
    pub link: Option<String>,
}

/// The ends of a trace.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
pub struct TracedQuery {
    /// The start.
    pub start: u32,
    /// The goal.
    pub goal: u32,
    /// The start in words.
    pub from: String,
    /// The goal in words.
    pub to: String,
}

/// One recorded search.
#[derive(Clone, PartialEq, Debug)]
pub struct TracedSearch {
    /// The engine that answered.
    pub algorithm: String,
    /// The heuristic that it was given.
    pub heuristic: String,
    /// Whether all events are there. Of a very long search only the first may be.
    pub is_whole: bool,
    /// [`Ending::name`](crate::Ending::name).
    pub ending: String,
    /// The path, or the one to the state nearest to the goal.
    pub path: Vec<u32>,
    /// For each state of the path the cost from the start, in the space's units.
    pub costs: Vec<u64>,
    /// The path's length in units of the world.
    pub length: f64,
    /// The largest count of states on the open list.
    pub heap_peak: u64,
    /// The events.
    pub trace: SearchTrace,
}

impl TracedSearch {
    /// Returns a search that was recorded whole.
    #[must_use]
    pub fn of(report: &SearchReport, trace: SearchTrace, heuristic: NamedHeuristic) -> Self {
        let named = NamedHeuristic::ALL.iter().find(|(_, known)| *known == heuristic);
        Self {
            algorithm: report.method.to_owned(),
            heuristic: named.map_or("natural", |(name, _)| *name).to_owned(),
            is_whole: true,
            ending: report.ending.name().to_owned(),
            path: report.path.iter().map(|step| step.state).collect(),
            costs: report.path.iter().map(|step| step.cost).collect(),
            length: report.length,
            heap_peak: report.stats.heap_peak as u64,
            trace: SearchTrace::new(trace.events),
        }
    }

    /// Searches and records, up to about that many events; the answer is that of the whole search.
    #[must_use]
    pub fn record(site: &dyn Site, request: &SearchRequest, most_events: usize) -> Self {
        /// Expansions between two tests of the count of events.
        const SLICE: u64 = 20_000;
        let mut session = site.session(request);
        while session.step(SLICE) == Progress::Working {
            if session.events().len() > most_events {
                let events = session.events().to_vec();
                drop(session);
                let report = site.searcher().run(&request.recorded(false), &mut |_| ());
                let trace = SearchTrace::new(events);
                let whole = Self::of(&report, trace, request.options.heuristic);
                return Self { is_whole: false, ..whole };
            }
        }
        let mut report = session.finish();
        let trace = report.trace.take().unwrap_or_default();
        Self::of(&report, trace, request.options.heuristic)
    }

    /// Returns whether there is a path.
    #[must_use]
    pub fn is_found(&self) -> bool {
        self.ending == "found"
    }

    /// Returns the cost of the path in the space's units.
    #[must_use]
    pub fn cost(&self) -> u64 {
        self.costs.last().copied().unwrap_or_default()
    }
}

impl TraceFile {
    /// Returns a file without searches yet.
    #[must_use]
    pub fn new(site: &dyn Site, ends: Endpoints) -> Self {
        let About { file, name, kind, unit, unit_cost, state, states, .. } = site.about();
        let world = TracedWorld {
            name: name.clone(),
            file: file.display().to_string(),
            kind: (*kind).to_owned(),
            state: (*state).to_owned(),
            unit: (*unit).to_owned(),
            unit_cost: *unit_cost,
            states: *states,
            link: None,
        };
        let [from, to] = [ends.start, ends.goal].map(|state| site.place(state).to_string());
        let query = TracedQuery { start: ends.start, goal: ends.goal, from, to };
        Self { world, query, searches: Vec::new() }
    }

    /// Returns the ends of the query.
    #[must_use]
    pub fn ends(&self) -> Endpoints {
        Endpoints { start: self.query.start, goal: self.query.goal }
    }

    /// Writes the file.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn write(&self, to: impl Write) -> std::io::Result<()> {
        #[derive(Serialize)]
        struct Document<'f> {
            format: &'static str,
            version: u32,
            world: &'f TracedWorld,
            query: &'f TracedQuery,
            searches: Vec<Columns<'f>>,
        }
        let Self { world, query, searches } = self;
        let searches = searches.iter().map(Columns).collect();
        let document = Document { format: FORMAT, version: VERSION, world, query, searches };
        serde_json::to_writer(to, &document).map_err(Into::into)
    }

    /// Reads a file. `name` is its name in errors.
    ///
    /// # Errors
    /// [`SiteError::Trace`] with the position and the fault: no JSON, another format or version,
    /// columns of different lengths, values out of range, a path that does not join the ends, a
    /// hash that is not that of the events.
    pub fn read(name: impl AsRef<Path>, bytes: &[u8]) -> Result<Self, SiteError> {
        let read = || -> Result<Self, String> {
            check_header(bytes)?;
            let document: Document = serde_json::from_slice(bytes).map_err(|e| e.to_string())?;
            document.try_into()
        };
        read().map_err(|problem| fault(name.as_ref(), problem))
    }

    /// Checks that the trace can be one of a search in that world.
    ///
    /// # Errors
    /// [`SiteError::Trace`] where kind or size of the world differ, or a state is none of its own.
    pub fn check(&self, name: impl AsRef<Path>, site: &dyn Site) -> Result<(), SiteError> {
        let about = site.about();
        let ours = &self.world;
        if (ours.kind.as_str(), ours.states) != (about.kind, about.states) {
            let problem = format!(
                "world: it is a trace of {}, a {} of {} states, and {} is a {} of {}: open the \
                 world that was searched",
                ours.name, ours.kind, ours.states, about.name, about.kind, about.states
            );
            return Err(fault(name.as_ref(), problem));
        }
        let layout = site.layout();
        let is_known = |state: u32| match &layout {
            Layout::Cells(cells) => state.checked_sub(cells.first).is_some_and(|from_first| {
                let stride = cells.stride.max(1);
                from_first / stride < cells.height && from_first % stride < cells.width
            }),
            Layout::Points(points) => (state as usize) < points.places.len(),
            Layout::Polygons(_) | Layout::Blocks(_) => site.position(state).is_finite(),
        };
        match self.states().find(|(_, state)| *state != OFF_MAP && !is_known(*state)) {
            None => Ok(()),
            Some((place, state)) => {
                let problem = format!("{place}: {state} is no {} of {}", about.state, about.name);
                Err(fault(name.as_ref(), problem))
            }
        }
    }

    /// Returns all states of the file, each with its position in it.
    fn states(&self) -> impl Iterator<Item = (String, u32)> {
        let TracedQuery { start, goal, .. } = &self.query;
        let ends = [("query.start".to_owned(), *start), ("query.goal".to_owned(), *goal)];
        let searches = self.searches.iter().enumerate().flat_map(|(number, search)| {
            let path = search.path.iter().map(|state| ("path", *state)).enumerate();
            let events = search.trace.events.iter().enumerate();
            let states = events.clone().map(|(at, event)| (at, ("states", event.state)));
            let parents = events.map(|(at, event)| (at, ("parents", event.parent)));
            path.chain(states).chain(parents).map(move |(at, (column, state))| {
                (format!("searches[{number}].{column}[{at}]"), state)
            })
        });
        ends.into_iter().chain(searches)
    }
}

fn fault(path: &Path, problem: String) -> SiteError {
    SiteError::Trace { path: path.to_path_buf(), problem }
}

/// Refuses other formats and versions before their fields are looked at.
fn check_header(bytes: &[u8]) -> Result<(), String> {
    #[derive(Deserialize)]
    struct Header {
        format: Option<String>,
        version: Option<u64>,
    }
    let Header { format, version } =
        serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    if format.as_deref() != Some(FORMAT) {
        return Err(format!("format: it is no trace; one has \"{FORMAT}\" there"));
    }
    match version {
        Some(version) if version == u64::from(VERSION) => Ok(()),
        Some(other) => Err(format!("version: {other} is not known; this program reads {VERSION}")),
        None => Err(format!("version: there is none; this program reads {VERSION}")),
    }
}

/// A search as it is written.
struct Columns<'f>(&'f TracedSearch);

impl Serialize for Columns<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        /// A column of the events.
        struct Column<'f, Of>(&'f [SearchEvent], Of);

        impl<Item: Serialize, Of: Fn(&SearchEvent) -> Item> Serialize for Column<'_, Of> {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_seq(self.0.iter().map(&self.1))
            }
        }
        let search = self.0;
        let events = &search.trace.events[..];
        let mut fields = to.serialize_struct("Search", 15)?;
        fields.serialize_field("algorithm", &search.algorithm)?;
        fields.serialize_field("heuristic", &search.heuristic)?;
        fields.serialize_field("is_whole", &search.is_whole)?;
        fields.serialize_field("ending", &search.ending)?;
        fields.serialize_field("path", &search.path)?;
        fields.serialize_field("costs", &search.costs)?;
        fields.serialize_field("length", &search.length)?;
        fields.serialize_field("heap_peak", &search.heap_peak)?;
        fields.serialize_field("kinds", &Column(events, |event: &SearchEvent| event.kind as u8))?;
        fields.serialize_field("sides", &Column(events, |event: &SearchEvent| event.side as u8))?;
        fields.serialize_field("states", &Column(events, |event: &SearchEvent| event.state))?;
        fields.serialize_field("parents", &Column(events, |event: &SearchEvent| event.parent))?;
        fields.serialize_field("g", &Column(events, |event: &SearchEvent| event.g))?;
        fields.serialize_field("h", &Column(events, |event: &SearchEvent| event.h))?;
        fields.serialize_field("hash", &format!("{:016x}", trace_hash(events)))?;
        fields.end()
    }
}

/// The file as it is read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(rename = "format")]
    _format: String,
    #[serde(rename = "version")]
    _version: u32,
    world: TracedWorld,
    query: TracedQuery,
    searches: Vec<ReadSearch>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadSearch {
    algorithm: String,
    heuristic: String,
    is_whole: bool,
    ending: String,
    path: Vec<u32>,
    costs: Vec<u64>,
    length: f64,
    heap_peak: u64,
    kinds: Vec<u8>,
    sides: Vec<u8>,
    states: Vec<u32>,
    parents: Vec<u32>,
    g: Vec<u64>,
    h: Vec<u64>,
    hash: String,
}

impl TryFrom<Document> for TraceFile {
    type Error = String;

    fn try_from(document: Document) -> Result<Self, String> {
        let Document { world, query, searches, .. } = document;
        if !(world.unit_cost > 0.0 && world.unit_cost.is_finite()) {
            return Err(format!("world.unit_cost: {} is not above 0", world.unit_cost));
        }
        if !(1..=MOST_SEARCHES).contains(&searches.len()) {
            let count = searches.len();
            return Err(format!("searches: there are {count}; a file has 1 to {MOST_SEARCHES}"));
        }
        let searches = searches.into_iter().enumerate().map(|(number, search)| {
            let found = |problem| format!("searches[{number}].{problem}");
            search.checked(&query).map_err(found)
        });
        let searches = searches.collect::<Result<_, _>>()?;
        Ok(Self { world, query, searches })
    }
}

impl ReadSearch {
    fn checked(self, query: &TracedQuery) -> Result<TracedSearch, String> {
        for (field, name) in [("algorithm", &self.algorithm), ("heuristic", &self.heuristic)] {
            if name.is_empty() || name.len() > LONGEST_NAME {
                return Err(format!("{field}: a name has 1 to {LONGEST_NAME} bytes"));
            }
        }
        if !["found", "no path", "limit", "interrupted"].contains(&self.ending.as_str()) {
            return Err(format!("ending: '{}' is none", self.ending.escape_default()));
        }
        if !(self.length >= 0.0 && self.length.is_finite()) {
            return Err(format!("length: {} is no length", self.length));
        }
        self.check_path(query)?;
        let count = self.kinds.len();
        let columns = [
            ("sides", self.sides.len()),
            ("states", self.states.len()),
            ("parents", self.parents.len()),
            ("g", self.g.len()),
            ("h", self.h.len()),
        ];
        if let Some((column, length)) = columns.iter().find(|(_, length)| *length != count) {
            return Err(format!("{column}: it has {length} entries, and kinds has {count}"));
        }
        let mut events = Vec::with_capacity(count);
        for at in 0..count {
            let kind = self.kinds[at];
            let kind = kind_of(kind).ok_or_else(|| format!("kinds[{at}]: {kind} is no kind"))?;
            let side = match self.sides[at] {
                0 => Side::Forward,
                1 => Side::Backward,
                other => return Err(format!("sides[{at}]: {other} is no side")),
            };
            let (state, parent) = (self.states[at], self.parents[at]);
            for (column, number) in [("states", state), ("parents", parent)] {
                if number == OFF_MAP {
                    return Err(format!("{column}[{at}]: {number} is no state"));
                }
            }
            events.push(SearchEvent { kind, side, state, parent, g: self.g[at], h: self.h[at] });
        }
        let hash = format!("{:016x}", trace_hash(&events));
        if self.hash != hash {
            let told = self.hash.escape_default();
            return Err(format!("hash: it says {told}, and that of the events is {hash}"));
        }
        let Self { algorithm, heuristic, is_whole, ending, path, costs, length, heap_peak, .. } =
            self;
        let trace = SearchTrace::new(events);
        Ok(TracedSearch {
            algorithm,
            heuristic,
            is_whole,
            ending,
            path,
            costs,
            length,
            heap_peak,
            trace,
        })
    }

    /// Fails unless a path begins at the start, and a found one ends at the goal.
    fn check_path(&self, query: &TracedQuery) -> Result<(), String> {
        let Self { path, costs, .. } = self;
        if path.len() != costs.len() {
            let (steps, told) = (path.len(), costs.len());
            return Err(format!("costs: it has {told} entries, and path has {steps}"));
        }
        if let Some(at) = costs.windows(2).position(|pair| pair[0] > pair[1]) {
            return Err(format!("costs[{}]: it is below the one before", at + 1));
        }
        let is_found = self.ending == "found";
        if path.first().is_some_and(|first| *first != query.start) {
            return Err("path[0]: it is not the start".to_owned());
        }
        if is_found && path.last() != Some(&query.goal) {
            return Err("path: it does not end at the goal".to_owned());
        }
        Ok(())
    }
}

/// Returns the kind with that code.
fn kind_of(number: u8) -> Option<TraceEventKind> {
    use TraceEventKind::{Expand, Generate, Goal, Relax, Reopen, Restart};
    let kinds = [Generate, Relax, Expand, Reopen, Goal, Restart];
    kinds.into_iter().find(|kind| *kind as u8 == number)
}

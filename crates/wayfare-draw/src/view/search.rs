//! The state of a search at one of its events.

use wayfare_core::space::{Cost, StateId};
use wayfare_core::trace::{Side, Trace, TraceEventKind};

use crate::{Ramp, Scenery};

/// One event of a recorded search in any space.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare_draw::Recording;
///
/// let grid = Grid::from_rows(&["...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 0).unwrap());
/// let mut trace = Trace::new();
/// AStar::new().search(query).finish(&grid.space(), &mut Scratch::new(), &mut trace);
/// let first = trace.event(0).expect("the start is generated");
/// assert_eq!((first.parent, first.g), (first.state, 0)); // the start is its own parent
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// The kind of event.
    pub kind: TraceEventKind,
    /// The side of the search.
    pub side: Side,
    /// The index of the state.
    pub state: u32,
    /// The index of the state's parent.
    pub parent: u32,
    /// The cost of the best known path to the state.
    pub g: u64,
    /// The estimate from it to the goal.
    pub h: u64,
}

/// The work of a search that is not among its recorded events.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Unrecorded {
    /// Expansions.
    pub expanded: usize,
    /// States generated.
    pub generated: usize,
}

/// A recorded search in any space. Every [`Trace`] is one.
///
/// ```
/// use wayfare::trace::{Side, TraceEventKind};
/// use wayfare_draw::{Recorded, Recording};
///
/// /// States in the order of their expansion.
/// struct Walk(Vec<u32>);
///
/// impl Recording for Walk {
///     fn len(&self) -> usize {
///         self.0.len()
///     }
///     fn event(&self, number: usize) -> Option<Recorded> {
///         let state = *self.0.get(number)?;
///         let parent = self.0[number.saturating_sub(1)];
///         let (kind, side) = (TraceEventKind::Expand, Side::Forward);
///         Some(Recorded { kind, side, state, parent, g: number as u64, h: 0 })
///     }
/// }
/// assert!(!Walk(vec![3, 4]).is_empty());
/// ```
pub trait Recording {
    /// Returns the number of events.
    fn len(&self) -> usize;

    /// Returns the event with an index below [`Recording::len`]; `None` beyond.
    fn event(&self, number: usize) -> Option<Recorded>;

    /// Returns the work of the search that is not among its events, for the counters at its end.
    /// Default: none.
    fn unrecorded(&self) -> Unrecorded {
        Unrecorded::default()
    }

    /// Returns whether there are no events.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<State: StateId, C: Cost> Recording for Trace<State, C> {
    fn len(&self) -> usize {
        self.events.len()
    }

    fn event(&self, number: usize) -> Option<Recorded> {
        self.events.get(number).map(|event| Recorded {
            kind: event.kind,
            side: event.side,
            state: event.state.index(),
            parent: event.parent.index(),
            g: event.g.to_u64(),
            h: event.h.to_u64(),
        })
    }
}

/// The status of a place in a search.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare_draw::{GridScenery, SearchView, Status, Terrain, Theme};
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let mut trace = Trace::new();
/// AStar::new().search(query).finish(&grid.space(), &mut Scratch::new(), &mut trace);
/// let scenery = GridScenery::of_grid(&grid, |_| Terrain::floor(&Theme::DARK));
/// let mut view = SearchView::new(&scenery, &trace);
/// view.advance_to_expansion(1);
/// assert_eq!(view.mark(0).map(|mark| mark.status), Some(Status::Closed));
/// assert_eq!(view.mark(1).map(|mark| mark.status), Some(Status::Open));
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Reached, waiting to be expanded.
    Open,
    /// Expanded.
    Closed,
}

/// The mark of a search on a place.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare_draw::{GridScenery, Ramp, SearchView, Terrain, Theme};
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let mut trace = Trace::new();
/// AStar::new().search(query).finish(&grid.space(), &mut Scratch::new(), &mut trace);
/// let scenery = GridScenery::of_grid(&grid, |_| Terrain::floor(&Theme::DARK));
/// let mut view = SearchView::new(&scenery, &trace);
/// view.advance_to_end();
/// let start = view.mark(0).expect("the start was searched");
/// assert_eq!((start.g, start.ramp()), (0.0, Ramp::Fire));
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mark {
    /// The status of the place.
    pub status: Status,
    /// The side that reached it last.
    pub side: Side,
    /// The cost of the best known path to it, in the cost's own unit.
    pub g: f32,
    /// The estimate from it to the goal, in the same unit.
    pub h: f32,
}

impl Mark {
    /// Returns the ramp that shows its cost.
    #[must_use]
    pub fn ramp(&self) -> Ramp {
        match self.side {
            Side::Forward => Ramp::Fire,
            Side::Backward => Ramp::Ice,
        }
    }
}

/// The counters of a search at an event.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare_draw::{GridScenery, SearchView, Terrain, Theme};
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let mut trace = Trace::new();
/// AStar::new().search(query).finish(&grid.space(), &mut Scratch::new(), &mut trace);
/// let scenery = GridScenery::of_grid(&grid, |_| Terrain::floor(&Theme::DARK));
/// let mut view = SearchView::new(&scenery, &trace);
/// view.advance_to_expansion(2);
/// assert_eq!(view.counters().expanded, 2);
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Expansions, repeated ones included.
    pub expanded: usize,
    /// States generated, in each round of a search in rounds.
    pub generated: usize,
    /// Expanded states that returned to the open list.
    pub reopened: usize,
    /// States on the open list.
    pub open: usize,
    /// Restarted rounds.
    pub restarts: usize,
}

/// The stored data of a place.
#[derive(Clone, Copy)]
struct Node {
    flags: u8,
    g: f32,
    h: f32,
    /// The place of its parent.
    parent: u32,
}

impl Node {
    const NONE: Self = Self { flags: 0, g: 0.0, h: 0.0, parent: u32::MAX };
}

/// The places of a page.
const PAGE: usize = 512;

type Page = [Node; PAGE];

const REACHED: u8 = 1;
const EXPANDED: u8 = 2;
const BACKWARD: u8 = 4;

/// A recorded search at one of its events, as a mark on each place. It only moves forward.
///
/// Takes 16 bytes a place, in pages of 512 places that are made when the search reaches them.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare_draw::{GridScenery, SearchView, Terrain, Theme};
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let mut trace = Trace::new();
/// AStar::new().search(query).finish(&grid.space(), &mut Scratch::new(), &mut trace);
/// let scenery = GridScenery::of_grid(&grid, |_| Terrain::floor(&Theme::DARK));
/// let mut view = SearchView::new(&scenery, &trace);
/// view.advance_to_event(1);
/// assert!(view.mark(0).is_some() && view.mark(1).is_none() && !view.is_over());
/// view.advance_to_end();
/// assert_eq!(view.parent(1), Some(0));
/// # Ok::<(), GridError>(())
/// ```
pub struct SearchView<'a> {
    scenery: &'a dyn Scenery,
    recording: &'a dyn Recording,
    places: usize,
    pages: Vec<Option<Box<Page>>>,
    next: usize,
    counters: Counters,
    /// The places that changed, if they are collected.
    touched: Option<Vec<u32>>,
}

impl<'a> SearchView<'a> {
    /// Returns the search before its first event.
    #[must_use]
    pub fn new(scenery: &'a dyn Scenery, recording: &'a dyn Recording) -> Self {
        let places = scenery.places();
        let mut pages = Vec::new();
        pages.resize_with(places.div_ceil(PAGE), || None);
        Self {
            scenery,
            recording,
            places,
            pages,
            next: 0,
            counters: Counters::default(),
            touched: None,
        }
    }

    /// Advances to the state after the first `events` events.
    pub fn advance_to_event(&mut self, events: usize) {
        while self.next < events {
            let Some(event) = self.recording.event(self.next) else { return };
            self.next += 1;
            self.take_in(event);
        }
    }

    /// Advances to just before the expansion after the first `expansions`, so that all states
    /// generated by those are included.
    pub fn advance_to_expansion(&mut self, expansions: usize) {
        while let Some(event) = self.recording.event(self.next) {
            if event.kind == TraceEventKind::Expand && self.counters.expanded >= expansions {
                return;
            }
            self.next += 1;
            self.take_in(event);
        }
    }

    /// Advances to the end.
    pub fn advance_to_end(&mut self) {
        self.advance_to_event(usize::MAX);
    }

    /// Returns whether all events are included.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.next >= self.recording.len()
    }

    /// Returns the counters; at the end of the search with its work that was not recorded.
    #[must_use]
    pub fn counters(&self) -> Counters {
        let mut counters = self.counters;
        if self.is_over() {
            let Unrecorded { expanded, generated } = self.recording.unrecorded();
            counters.expanded += expanded;
            counters.generated += generated;
        }
        counters
    }

    /// Returns the mark of a place; `None` if the search has not reached it.
    #[must_use]
    pub fn mark(&self, place: usize) -> Option<Mark> {
        let Node { flags, g, h, .. } = self.node(place)?;
        let status = match flags & (REACHED | EXPANDED) {
            0 => return None,
            REACHED => Status::Open,
            _ => Status::Closed,
        };
        let side = if flags & BACKWARD == 0 { Side::Forward } else { Side::Backward };
        Some(Mark { status, side, g, h })
    }

    /// Returns the place of a place's parent.
    #[must_use]
    pub fn parent(&self, place: usize) -> Option<usize> {
        let parent = self.node(place)?.parent as usize;
        (parent < self.places && parent != place).then_some(parent)
    }

    /// Returns all places with a mark, in ascending order.
    pub(crate) fn marked(&self) -> impl Iterator<Item = usize> + '_ {
        let pages = self.pages.iter().enumerate();
        let pages = pages.filter_map(|(number, page)| Some((number, page.as_ref()?)));
        pages.flat_map(|(number, page)| {
            let nodes = page.iter().enumerate().filter(|(_, node)| node.flags != 0);
            nodes.map(move |(place, _)| number * PAGE + place)
        })
    }

    fn node(&self, place: usize) -> Option<Node> {
        Some(self.pages.get(place / PAGE)?.as_ref()?[place % PAGE])
    }

    /// Starts to collect places for [`SearchView::take_touched`].
    pub(crate) fn keep_touched(&mut self) {
        self.touched = Some(Vec::new());
    }

    /// Returns the places that changed since the last call, possibly with repetitions.
    pub(crate) fn take_touched(&mut self) -> Vec<u32> {
        self.touched.replace(Vec::new()).unwrap_or_default()
    }

    fn take_in(&mut self, event: Recorded) {
        match event.kind {
            TraceEventKind::Generate => {
                self.counters.generated += 1;
                self.counters.open += 1;
            }
            TraceEventKind::Reopen => {
                self.counters.reopened += 1;
                self.counters.open += 1;
            }
            TraceEventKind::Expand => {
                self.counters.expanded += 1;
                self.counters.open = self.counters.open.saturating_sub(1);
            }
            TraceEventKind::Restart => {
                self.counters.restarts += 1;
                self.counters.open = 0;
                self.forget();
                return;
            }
            TraceEventKind::Relax | TraceEventKind::Goal => {}
        }
        let Some(place) = self.scenery.place_of(event.state) else { return };
        if place >= self.places {
            return;
        }
        let status = match event.kind {
            TraceEventKind::Expand | TraceEventKind::Goal => EXPANDED,
            _ => REACHED,
        };
        let parent = self.scenery.place_of(event.parent);
        let page = self.pages[place / PAGE].get_or_insert_with(|| Box::new([Node::NONE; PAGE]));
        page[place % PAGE] = Node {
            flags: if event.side == Side::Backward { status | BACKWARD } else { status },
            g: event.g as f32,
            h: event.h as f32,
            parent: parent.map_or(u32::MAX, |parent| parent as u32),
        };
        if let Some(touched) = &mut self.touched {
            touched.push(place as u32);
        }
    }

    /// Removes all marks.
    fn forget(&mut self) {
        if let Some(touched) = &mut self.touched {
            for (number, page) in self.pages.iter().enumerate() {
                let nodes = page.iter().flat_map(|page| page.iter().enumerate());
                let marked = nodes.filter(|(_, node)| node.flags != 0);
                touched.extend(marked.map(|(place, _)| (number * PAGE + place) as u32));
            }
        }
        self.pages.fill_with(|| None);
    }
}

/// Returns the largest cost of an expanded state of a recorded search: the top of its ramp. States
/// that were only generated may cost far more and would leave all others in one colour.
pub(crate) fn largest_cost(recording: &dyn Recording) -> f32 {
    let events = (0..recording.len()).filter_map(|number| recording.event(number));
    let expanded =
        events.filter(|event| matches!(event.kind, TraceEventKind::Expand | TraceEventKind::Goal));
    expanded.map(|event| event.g).max().unwrap_or(0) as f32
}

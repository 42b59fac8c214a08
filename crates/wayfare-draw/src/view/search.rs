//! What a search has done at a moment of its recording.

use wayfare::space::{Cost, StateId};
use wayfare::trace::{Side, Trace, TraceEventKind};

use crate::{Ramp, Scenery};

/// One event of a recorded search, of whatever space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// What happened.
    pub kind: TraceEventKind,
    /// Which end the search runs from.
    pub side: Side,
    /// The index of the state it happened to.
    pub state: u32,
    /// The index of the state it was reached from.
    pub parent: u32,
    /// The cost of the best path to it so far.
    pub g: u64,
}

/// A recorded search, of whatever space. Every [`Trace`] is one.
pub trait Recording {
    /// The number of events.
    fn len(&self) -> usize;

    /// The event of a number below [`Recording::len`]; `None` beyond.
    fn event(&self, number: usize) -> Option<Recorded>;

    /// Whether there are no events.
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
        })
    }
}

/// What a search knows of a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Reached, and waiting to be expanded.
    Open,
    /// Expanded.
    Closed,
}

/// What a search has left at a place.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mark {
    /// What it knows of the place.
    pub status: Status,
    /// From which end it came there last.
    pub side: Side,
    /// The cost of the best path there so far, in the cost's own unit.
    pub g: f32,
}

impl Mark {
    /// The ramp that shows its cost.
    #[must_use]
    pub fn ramp(&self) -> Ramp {
        match self.side {
            Side::Forward => Ramp::Fire,
            Side::Backward => Ramp::Ice,
        }
    }
}

/// What a search has done so far, in numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counters {
    /// Expansions, repeated ones counted each time.
    pub expanded: usize,
    /// States reached for the first time, in every round of a search in rounds.
    pub generated: usize,
    /// Expanded states that went back to the open list.
    pub reopened: usize,
    /// States on the open list now.
    pub open: usize,
    /// Rounds begun anew.
    pub restarts: usize,
}

/// What is kept of a place.
#[derive(Clone, Copy)]
struct Node {
    flags: u8,
    cost: f32,
    /// Where it was reached from.
    parent: u32,
}

impl Node {
    const NONE: Self = Self { flags: 0, cost: 0.0, parent: u32::MAX };
}

/// The places of a page.
const PAGE: usize = 512;

type Page = [Node; PAGE];

const REACHED: u8 = 1;
const EXPANDED: u8 = 2;
const BACKWARD: u8 = 4;

/// A recorded search at one of its events, as a mark on each place. It only goes forward.
///
/// Takes 12 bytes a place, in pages of 512 places as the search comes there.
pub struct SearchView<'a> {
    scenery: &'a dyn Scenery,
    recording: &'a dyn Recording,
    places: usize,
    pages: Vec<Option<Box<Page>>>,
    next: usize,
    counters: Counters,
    /// The places that changed, for who wants to know.
    touched: Option<Vec<u32>>,
}

impl<'a> SearchView<'a> {
    /// The search before its first event.
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

    /// Goes on until `events` events have been taken in.
    pub fn advance_to_event(&mut self, events: usize) {
        while self.next < events {
            let Some(event) = self.recording.event(self.next) else { return };
            self.next += 1;
            self.take_in(event);
        }
    }

    /// Goes on until just before the expansion after the first `expansions`, so that all that those have reached is seen.
    pub fn advance_to_expansion(&mut self, expansions: usize) {
        while let Some(event) = self.recording.event(self.next) {
            if event.kind == TraceEventKind::Expand && self.counters.expanded >= expansions {
                return;
            }
            self.next += 1;
            self.take_in(event);
        }
    }

    /// Goes on to the end.
    pub fn advance_to_end(&mut self) {
        self.advance_to_event(usize::MAX);
    }

    /// Whether all events have been taken in.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.next >= self.recording.len()
    }

    /// The numbers so far.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// What the search has left at a place, or `None` where it has not been.
    #[must_use]
    pub fn mark(&self, place: usize) -> Option<Mark> {
        let Node { flags, cost: g, .. } = self.node(place)?;
        let status = match flags & (REACHED | EXPANDED) {
            0 => return None,
            REACHED => Status::Open,
            _ => Status::Closed,
        };
        let side = if flags & BACKWARD == 0 { Side::Forward } else { Side::Backward };
        Some(Mark { status, side, g })
    }

    /// The place that a place was reached from.
    #[must_use]
    pub fn parent(&self, place: usize) -> Option<usize> {
        let parent = self.node(place)?.parent as usize;
        (parent < self.places && parent != place).then_some(parent)
    }

    fn node(&self, place: usize) -> Option<Node> {
        Some(self.pages.get(place / PAGE)?.as_ref()?[place % PAGE])
    }

    /// From now on keeps what [`SearchView::take_touched`] returns.
    pub(crate) fn keep_touched(&mut self) {
        self.touched = Some(Vec::new());
    }

    /// The places that changed since the last call, some perhaps several times.
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
            cost: event.g as f32,
            parent: parent.map_or(u32::MAX, |parent| parent as u32),
        };
        if let Some(touched) = &mut self.touched {
            touched.push(place as u32);
        }
    }

    /// Takes all marks away.
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

/// The largest cost of what a recorded search expanded: the top of its ramp. What was only reached may cost far more and
/// would leave all else in one colour.
pub(crate) fn largest_cost(recording: &dyn Recording) -> f32 {
    let events = (0..recording.len()).filter_map(|number| recording.event(number));
    let expanded =
        events.filter(|event| matches!(event.kind, TraceEventKind::Expand | TraceEventKind::Goal));
    expanded.map(|event| event.g).max().unwrap_or(0) as f32
}

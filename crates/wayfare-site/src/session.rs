//! Searches that are stepped and watched.

use glam::Vec3;
use wayfare::navigate::{Inquiry, Navigator, Question};
use wayfare::search::{AnySearch, Progress, Scratch};

use crate::answered::{Choice, query, report};
use crate::owner::Owner;
use crate::trace::{Recorder, TraceEventKind};
use crate::{SearchEvent, SearchReport, SearchRequest};

/// The part of an edge that a search on a navigation mesh looks through.
///
/// ```
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::{EndpointTexts, NoFiles, OpenOptions, SearchRequest, choose_ends, open_bytes};
///
/// let level = b"v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nf 1 2 3 4\n";
/// let site = open_bytes("yard.obj", level, &NoFiles, &OpenOptions::default())?;
/// let texts = EndpointTexts { from: Some("1,1"), to: Some("8,8"), route: None };
/// let ends = choose_ends(site.as_ref(), texts)?.ends;
/// let mut session = site.session(&SearchRequest::new(AlgorithmId::AStar, ends));
/// session.step(u64::MAX);
/// assert_eq!(session.intervals().len(), session.events().len());
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MeshInterval {
    /// The start, or the turning point, that sees it: in metres, as the others.
    pub root: Vec3,
    /// Its end to the left, as seen from the root.
    pub left: Vec3,
    /// Its end to the right.
    pub right: Vec3,
}

/// A search that a caller steps and watches. It borrows nothing, so a front end can keep it beside
/// its site. Prepared engines have nothing to watch: a request for one is answered by a search.
///
/// The events and the answer do not depend on the sizes of the steps.
///
/// ```
/// use wayfare::search::{AlgorithmId, Progress};
/// use wayfare_site::{NoFiles, OpenOptions, SearchRequest, TraceEventKind, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let request = SearchRequest::new(AlgorithmId::AStar, site.routes()[0].ends);
/// let mut session = site.session(&request);
/// assert_eq!(session.step(1), Progress::Working);
/// let seen = session.events().len();
/// let goal = session.step_until(TraceEventKind::Goal).expect("there is a path");
/// assert_eq!(goal.state, request.ends.goal);
/// assert!(session.events()[seen..].contains(&goal));
/// assert!(session.finish().is_found());
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
pub trait SearchSession {
    /// Makes up to that many expansions. Returns whether there is anything left to do.
    fn step(&mut self, expansions: u64) -> Progress;

    /// Returns all events, oldest first. A caller remembers how many it has seen.
    fn events(&self) -> &[SearchEvent];

    /// Returns for each event its interval; empty except on navigation meshes.
    fn intervals(&self) -> &[MeshInterval] {
        &[]
    }

    /// Steps until an event of that kind happens, and returns the first such event; `None` if the
    /// search ends without. All events of the last expansion have happened by then.
    fn step_until(&mut self, kind: TraceEventKind) -> Option<SearchEvent> {
        loop {
            let seen = self.events().len();
            let progress = self.step(1);
            let news = self.events().get(seen..).unwrap_or_default();
            if let Some(event) = news.iter().find(|event| event.kind == kind) {
                return Some(*event);
            }
            if progress == Progress::Done {
                return None;
            }
        }
    }

    /// Steps to the end and reports, with the trace.
    fn finish(self: Box<Self>) -> SearchReport;
}

/// A stepped search on an owned space.
pub(crate) struct OwnedSession<O: Owner> {
    owner: O,
    request: SearchRequest,
    choice: Choice,
    inquiry: Inquiry<O::State, u64, AnySearch<O::State, u64>>,
    scratch: Scratch<O::State, u64>,
    recorder: Recorder,
}

impl<O: Owner> OwnedSession<O> {
    pub(crate) fn new(owner: O, request: &SearchRequest) -> Self {
        let query = query(request, owner.unit());
        let choice = Choice::of(request, &owner.wide(), &query);
        let navigator = Navigator::by(owner.wide(), choice.named(request), choice.guarantee());
        let inquiry = navigator.begin(Question::from(query).policy(request.policy));
        drop(navigator);
        let recorder = Recorder::new(true);
        Self { request: *request, choice, inquiry, scratch: Scratch::new(), recorder, owner }
    }
}

impl<O: Owner> SearchSession for OwnedSession<O> {
    fn step(&mut self, expansions: u64) -> Progress {
        let space = self.owner.wide();
        self.inquiry.step(&space, &mut self.scratch, &mut self.recorder, expansions)
    }

    fn events(&self) -> &[SearchEvent] {
        self.recorder.events()
    }

    fn finish(mut self: Box<Self>) -> SearchReport {
        while self.step(u64::MAX) == Progress::Working {}
        let Self { owner, request, choice, inquiry, mut scratch, recorder } = *self;
        let space = owner.wide();
        let answer = inquiry.answer(&space, &mut scratch);
        let report = report(answer, &space, &request, &choice, drop);
        SearchReport { scratch_bytes: scratch.bytes(), trace: recorder.whole(), ..report }
    }
}

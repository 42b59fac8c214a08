//! Flight: where to run from threats.

use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::course::{Active, Beginning, Course, Entry};
use super::flood::{Flood, Outwards};
use super::machine::trace_back;
use super::{FieldError, Progress, Scratch, Stats};
use crate::path::Path;
use crate::space::{Cost, Space, StateId};
use crate::trace::{Observer, Side};

/// A question to [`flee`]: the fugitive, the threats, the budget.
///
/// Example: [`flee`](flee()).
#[derive(Clone, Debug)]
pub struct FleeQuery<State, C> {
    /// The state of the fugitive.
    pub start: State,
    /// Where the threats are. Threats where this profile cannot stand are skipped: they cannot
    /// move.
    pub threats: Arc<[State]>,
    /// The largest cost of the flight. Raising it finds safer refuges at the price of a longer
    /// search.
    pub max_cost: C,
    /// The cost from which on all distances from the threats count as equal: out of reach. Default:
    /// [`Cost::INFINITY`]. Lowering it shortens the search, and the flight: the nearest refuge
    /// beyond the horizon is good enough.
    pub horizon: C,
}

impl<State: StateId, C: Cost> FleeQuery<State, C> {
    /// To flee from the threats, at a cost of at most `max_cost`.
    #[must_use]
    pub fn new(start: State, threats: impl Into<Arc<[State]>>, max_cost: C) -> Self {
        Self { start, threats: threats.into(), max_cost, horizon: C::INFINITY }
    }

    /// The same query, with all distances above `cost` counted as alike.
    #[must_use]
    pub fn horizon(mut self, cost: C) -> Self {
        self.horizon = cost;
        self
    }
}

/// How safe a flight is.
///
/// Example: [`flee`](flee()).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Prospect {
    /// No threat can come here, at least not within the horizon: stay.
    Unthreatened,
    /// The path leads to where no threat can come, at least not within the horizon.
    OutOfReach,
    /// The path leads further away, and the fugitive is at every state of it before any threat can
    /// be.
    Ahead,
    /// The path leads further away, but a threat may be there first: it stands on the start.
    Exposed,
    /// Nowhere within the budget is better than here: stay.
    Cornered,
}

/// The answer of [`flee`].
///
/// Example: [`flee`](flee()).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flight<State, C> {
    /// The cheapest path to the refuge; the start alone for [`Prospect::Unthreatened`] and
    /// [`Prospect::Cornered`].
    pub path: Path<State, C>,
    /// Why there.
    pub prospect: Prospect,
    /// The cost of the nearest threat's path to the refuge; `None` beyond the horizon.
    pub threat_cost: Option<C>,
    /// The counters of the search, both sides together.
    pub stats: Stats,
}

/// The flight type of a space.
pub type FlightOf<S> = Flight<<S as Space>::State, <S as Space>::Cost>;

/// Why there is no flight.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FleeError {
    /// Nobody can stand on the start, or the search could not go on.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// The search is not done yet.
    #[error("the search is still under way")]
    Unfinished,
}

/// Finds a refuge: of the states that the fugitive reaches within a cost budget, the one farthest
/// from the threats by the *cost of their paths*, not by straight lines.
///
/// A state is safe if the fugitive is there strictly before any threat at the same speed. Then
/// every state of the cheapest path to it is safe: a threat at such a state no later than the
/// fugitive is no later at the end either. Refuges are compared by
///
/// 1. safe before unsafe,
/// 2. the larger cost from the nearest threat,
/// 3. the smaller cost from the start,
/// 4. the lower id.
///
/// Two dead ends at one distance are alike: the search does not look ahead beyond the budget.
///
/// Two runs of Dijkstra's algorithm: one from the start, within the budget, and one from the
/// threats, which ends when it has covered the first. Takes O(m + n log n) time for the n states
/// and m moves that the two see.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::{FleeQuery, Flight, Prospect, flee};
/// use wayfare::space::STRAIGHT;
/// // The west is a dead end; the way out leads past the threat's side door.
/// let grid = Grid::from_rows(&["...........", "###.#######", "###........"])?;
/// let (space, at) = (grid.space(), |x, y| grid.cell(x, y).unwrap());
/// let query = FleeQuery::new(at(2, 0), [at(7, 0)], 12 * STRAIGHT);
/// let Flight { path, prospect, .. } = flee(&space, query)?;
/// assert_eq!(prospect, Prospect::Ahead);
/// assert_eq!(path.end(), Some(at(10, 2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When nobody can stand on the start.
pub fn flee<S: Space>(
    space: &S,
    query: FleeQuery<S::State, S::Cost>,
) -> Result<FlightOf<S>, FleeError> {
    let mut scratch = Scratch::new();
    let mut search = FleeSearch::new(query);
    while search.step(space, &mut scratch, &mut (), u64::MAX) == Progress::Working {}
    search.answer(space, &mut scratch)
}

/// A [`flee`] search under way.
///
/// Observers hear the flight as the forward side and the threats as the backward one.
#[derive(Clone, Debug)]
pub struct FleeSearch<State, C> {
    query: FleeQuery<State, C>,
    own: Flood<C>,
    threats: Flood<C>,
    /// The states within the budget that no threat has reached so far.
    untouched: usize,
    start: Option<Place<C>>,
    best: Option<Place<C>>,
    course: Course<Result<(), FieldError>>,
    side: Cover,
}

/// The side that is being covered: first the own one, then the threats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Cover {
    Own,
    Threats,
}

/// A candidate refuge. The best is the greatest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Place<C> {
    is_safe: bool,
    /// The cost of the nearest threat's path there; infinity if it has none.
    threat_cost: C,
    own_cost: Reverse<C>,
    state: Reverse<u32>,
}

impl<C: Cost> Place<C> {
    /// Safe means: here strictly before any threat.
    ///
    /// # Why the whole path is safe then
    ///
    /// Let `p` be a state of a cheapest path to `state`, `own(p)` the fugitive's cost to `p`, and
    /// `threat(p)` the nearest threat's. Then `own(state) = own(p) + rest`, and that threat can
    /// follow the same path: `threat(state) <= threat(p) + rest`. If it is at `p` no later than the
    /// fugitive, `threat(p) <= own(p)`, it is at the end no later either.
    fn new(state: u32, own_cost: C, threat_cost: C) -> Self {
        let is_safe = own_cost < threat_cost;
        Self { is_safe, threat_cost, own_cost: Reverse(own_cost), state: Reverse(state) }
    }
}

impl<State: StateId, C: Cost> FleeSearch<State, C> {
    /// Returns a search before its first step.
    #[must_use]
    pub fn new(query: FleeQuery<State, C>) -> Self {
        Self {
            own: Flood::new(query.max_cost, Side::Forward),
            threats: Flood::new(query.horizon, Side::Backward),
            untouched: 0,
            start: None,
            best: None,
            course: Course::default(),
            side: Cover::Own,
            query,
        }
    }

    /// Expands at most `budget` states, of both sides together.
    pub fn step<S, O>(
        &mut self,
        space: &S,
        scratch: &mut Scratch<State, C>,
        observer: &mut O,
        budget: u64,
    ) -> Progress
    where
        S: Space<State = State, Cost = C>,
        O: Observer<State, C>,
    {
        let mut active = match self.course.enter(space, scratch) {
            Entry::Ended => return Progress::Done,
            Entry::Resumes(active) => active,
            Entry::Begins(beginning) => match self.begin(beginning, space, scratch, observer) {
                ControlFlow::Continue(active) => active,
                ControlFlow::Break(done) => return done,
            },
        };
        let last_expansion = self.expanded().saturating_add(budget);
        loop {
            let left = last_expansion - self.expanded();
            if left == 0 {
                return active.pause();
            }
            let covered = match self.side {
                Cover::Own => self.cover_own(active, space, scratch, observer, left),
                Cover::Threats => self.cover_threats(active, space, scratch, observer, left),
            };
            active = match covered {
                ControlFlow::Continue(active) => active,
                ControlFlow::Break(done) => return done,
            };
        }
    }

    fn expanded(&self) -> u64 {
        self.own.stats.expanded + self.threats.stats.expanded
    }

    fn begin<S: Space<State = State, Cost = C>>(
        &mut self,
        beginning: Beginning,
        space: &S,
        scratch: &mut Scratch<State, C>,
        observer: &mut impl Observer<State, C>,
    ) -> ControlFlow<Progress, Active> {
        scratch.backward.reset(space.state_bound());
        let (active, table) = (beginning.begun(), (&mut scratch.heap, &mut scratch.forward));
        match self.own.seed(space, &[self.query.start], table, observer) {
            Ok(()) => ControlFlow::Continue(active),
            Err(fault) => ControlFlow::Break(self.course.end(active, Err(fault))),
        }
    }

    fn cover_own<S: Space<State = State, Cost = C>>(
        &mut self,
        active: Active,
        space: &S,
        scratch: &mut Scratch<State, C>,
        observer: &mut impl Observer<State, C>,
        budget: u64,
    ) -> ControlFlow<Progress, Active> {
        let places = &mut scratch.stack;
        let settle = |key| {
            places.push(key);
            true
        };
        let table = (&mut scratch.heap, &mut scratch.forward);
        let progress = self.own.step::<S, Outwards>(space, table, observer, budget, settle);
        if progress == Progress::Done {
            self.untouched = scratch.stack.len();
            self.side = Cover::Threats;
            let table = (&mut scratch.backward_heap, &mut scratch.backward);
            if self.threats.seed(space, &self.query.threats, table, observer).is_err() {
                // No threat can move at all.
                return ControlFlow::Break(self.conclude(active, scratch));
            }
        }
        ControlFlow::Continue(active)
    }

    /// Expands for the threats, and ranks each candidate that they reach.
    ///
    /// # Why the search may end early
    ///
    /// Both sides are Dijkstra's algorithm, so the cost of a state is final when it is settled. All
    /// candidates are settled before the threats start. A candidate is ranked once, with two final
    /// costs, and `untouched` counts those without a rank. At 0 all are ranked, and no later
    /// expansion changes a rank. If the threats run out first, no threat reaches the remaining
    /// candidates within the horizon: see [`FleeSearch::conclude`].
    fn cover_threats<S: Space<State = State, Cost = C>>(
        &mut self,
        active: Active,
        space: &S,
        scratch: &mut Scratch<State, C>,
        observer: &mut impl Observer<State, C>,
        budget: u64,
    ) -> ControlFlow<Progress, Active> {
        let (own, untouched) = (&scratch.forward, &mut self.untouched);
        let (best, start, here) = (&mut self.best, &mut self.start, self.query.start.index());
        let settle = |key: super::Key| {
            let state = key.state();
            if let (true, Some(own_cost)) = (own.is_closed(state), own.g(state)) {
                let place = Place::new(state, own_cost, C::from_u64(key.g()));
                if state == here {
                    *start = Some(place);
                }
                *best = (*best).max(Some(place));
                *untouched -= 1;
            }
            *untouched > 0
        };
        let table = (&mut scratch.backward_heap, &mut scratch.backward);
        match self.threats.step::<S, Outwards>(space, table, observer, budget, settle) {
            Progress::Done => ControlFlow::Break(self.conclude(active, scratch)),
            Progress::Working => ControlFlow::Continue(active),
        }
    }

    /// Both sides are covered. Ranks the candidates that no threat reached.
    ///
    /// Such a candidate is better than all others: its `threat_cost` is infinite, so it is safe,
    /// and no ranked one costs as much. Of several the nearest wins, then the lowest id: the order
    /// of [`Place`] for equal threat costs. Threats may have settled some of the states; the
    /// backward table tells which.
    fn conclude(&mut self, active: Active, scratch: &Scratch<State, C>) -> Progress {
        if self.untouched > 0 {
            let is_untouched = |state: u32| !scratch.backward.is_closed(state);
            let places = scratch.stack.iter().filter(|key| is_untouched(key.state()));
            let nearest = places.map(|key| (C::from_u64(key.g()), key.state())).min();
            if let Some((own_cost, state)) = nearest {
                self.best = Some(Place::new(state, own_cost, C::INFINITY));
            }
        }
        self.course.end(active, Ok(()))
    }

    /// Returns where to flee to, once the search is done.
    ///
    /// # Errors
    /// When nobody can stand on the start, the search could not go on, or it is not done yet.
    pub fn answer<S: Space<State = State, Cost = C>>(
        &mut self,
        space: &S,
        scratch: &mut Scratch<State, C>,
    ) -> Result<Flight<State, C>, FleeError> {
        match (self.course.ended(), self.course.interruption(space, scratch)) {
            (Some(Err(fault)), _) => return Err(fault.into()),
            (_, Some(interruption)) => return Err(FieldError::from(interruption).into()),
            (None, None) => return Err(FleeError::Unfinished),
            (Some(Ok(())), None) => {}
        }
        let here = self.query.start.index();
        let (prospect, state) = match (self.start, self.best) {
            (None, _) | (_, None) => (Prospect::Unthreatened, here),
            (Some(_), Some(best)) if best.threat_cost >= C::INFINITY => {
                (Prospect::OutOfReach, best.state.0)
            }
            (Some(start), Some(best)) => {
                if (best.is_safe, best.threat_cost) <= (start.is_safe, start.threat_cost) {
                    (Prospect::Cornered, here)
                } else if best.is_safe {
                    (Prospect::Ahead, best.state.0)
                } else {
                    (Prospect::Exposed, best.state.0)
                }
            }
        };
        let (own, threats) = (self.own.stats, self.threats.stats);
        Ok(Flight {
            path: trace_back(space, scratch, state),
            prospect,
            threat_cost: scratch.backward.g(state).filter(|_| scratch.backward.is_closed(state)),
            stats: Stats {
                expanded: own.expanded + threats.expanded,
                generated: own.generated + threats.generated,
                reopened: 0,
                heap_peak: own.heap_peak.max(threats.heap_peak),
            },
        })
    }
}

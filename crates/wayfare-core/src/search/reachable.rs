//! The reachable area: where an agent can be within a cost budget and a number of moves.
//!
//! With a limit of moves beside the costs, the search keeps several labels a state: E. Q. V.
//! Martins, "On a multicriteria shortest path problem", 1984.

use std::ops::ControlFlow;

use super::course::{Active, Beginning, Course, Entry};
use super::label::Label;
use super::nodes::Relaxed;
use super::{FieldError, Key, Limit, OpenList, Progress, Scratch, Stats};
use crate::path::{Path, Step};
use crate::space::{Action, Cost, Revision, Space, StateId};
use crate::trace::{Observer, Side, TraceEvent, TraceEventKind};

/// A query for a reachable area: the state in the middle, and limits.
///
/// Both limits hold for the same path. Without any, the area is all that can be reached.
///
/// Example: [`Reachable`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReachableQuery<State, C> {
    /// Where the agent is.
    pub start: State,
    /// The largest cost of a path. Default: [`Cost::INFINITY`].
    pub max_cost: C,
    /// The largest number of moves of a path. Default: no limit.
    pub max_moves: u32,
}

impl<State: StateId, C: Cost> ReachableQuery<State, C> {
    /// Returns all that can be reached from `start`.
    #[must_use]
    pub fn new(start: State) -> Self {
        Self { start, max_cost: C::INFINITY, max_moves: u32::MAX }
    }

    /// The same query, with paths that cost at most `cost`.
    #[must_use]
    pub fn max_cost(mut self, cost: C) -> Self {
        self.max_cost = cost;
        self
    }

    /// The same query, with paths of at most that many moves.
    #[must_use]
    pub fn max_moves(mut self, moves: u32) -> Self {
        self.max_moves = moves;
        self
    }
}

/// A state of a reachable area.
///
/// Example: [`Reachable`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reached<State, C> {
    /// The state.
    pub state: State,
    /// The cost of the cheapest path within the limits.
    pub cost: C,
    /// The number of moves of that path.
    pub moves: u32,
    label: u32,
}

/// The states that an agent can reach within a cost budget and a number of moves: "where can this
/// unit go this turn".
///
/// Holds memory for the area alone, not for the whole space, so that every unit on a large map can
/// have its own. For costs to everywhere see [`DistanceField`](super::DistanceField).
///
/// Computing it takes O(m + n log n) time for the n states and m moves of the area; with a limit of
/// k moves up to k times that, since a more expensive path of fewer moves may lead further. Looking
/// up a state takes O(log n). Exact: a state belongs to the area if and only if some path keeps
/// both limits. Where moves are limited, it holds of several cheapest paths one with the fewest
/// moves.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::{Reachable, ReachableQuery, Reached, reachable};
/// use wayfare::space::STRAIGHT;
/// let grid = Grid::from_rows(&["....#", ".##.#", "....#"])?;
/// let (space, at) = (grid.space(), |x, y| grid.cell(x, y).unwrap());
/// let query = ReachableQuery::new(at(0, 0)).max_cost(3 * STRAIGHT);
/// let area: Reachable<Cell, u32> = reachable(&space, query)?;
/// let states: Vec<Cell> = area.states().collect(); // the cheapest first
/// assert_eq!(states, [at(0, 0), at(1, 0), at(0, 1), at(2, 0), at(0, 2), at(3, 0), at(1, 2)]);
/// assert_eq!(area.frontier(), [at(3, 0), at(1, 2)]); // from where the next turn goes on
/// let Reached { cost, moves, .. } = area.get(at(1, 2)).unwrap();
/// assert_eq!((*cost, *moves), (3 * STRAIGHT, 3));
/// assert_eq!(area.path(&space, at(1, 2)).unwrap().len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reachable<State, C> {
    reached: Vec<Reached<State, C>>,
    /// Indices into `reached`, by state.
    by_state: Vec<u32>,
    frontier: Vec<State>,
    labels: Vec<Label<C>>,
    revision: Revision,
    limit: Option<Limit>,
    stats: Stats,
}

impl<State, C> Default for Reachable<State, C> {
    /// Returns an empty area, for [`ReachableSearch::into_area`] to fill.
    fn default() -> Self {
        Self {
            reached: Vec::new(),
            by_state: Vec::new(),
            frontier: Vec::new(),
            labels: Vec::new(),
            revision: Revision::default(),
            limit: None,
            stats: Stats::default(),
        }
    }
}

impl<State: StateId, C: Cost> Reachable<State, C> {
    /// Returns the states of the area with their costs, by cost, then id. The start is among them.
    #[must_use]
    pub fn reached(&self) -> &[Reached<State, C>] {
        &self.reached
    }

    /// Returns the states of the area, by cost, then id.
    pub fn states(&self) -> impl DoubleEndedIterator<Item = State> + ExactSizeIterator + '_ {
        self.reached.iter().map(|reached| reached.state)
    }

    /// Returns the entry of a state; `None` outside the area.
    #[must_use]
    pub fn get(&self, state: State) -> Option<&Reached<State, C>> {
        let reached = |place: &u32| &self.reached[*place as usize];
        let found =
            self.by_state.binary_search_by_key(&state, |place| reached(place).state).ok()?;
        Some(reached(&self.by_state[found]))
    }

    /// Returns whether the state belongs to the area.
    #[must_use]
    pub fn contains(&self, state: State) -> bool {
        self.get(state).is_some()
    }

    /// Returns the states of the area with a move out of it, by cost, then id. Empty if the area is
    /// everything reachable.
    #[must_use]
    pub fn frontier(&self) -> &[State] {
        &self.frontier
    }

    /// Returns the cheapest path from the start to a state within the limits; `None` outside the
    /// area.
    #[must_use]
    pub fn path<S>(&self, space: &S, state: State) -> Option<Path<State, C>>
    where
        S: Space<State = State, Cost = C>,
    {
        let mut number = self.get(state)?.label;
        let mut path = Path { steps: Vec::new(), revision: self.revision };
        loop {
            let label = self.labels[number as usize];
            let (state, is_start) = (State::from_index(label.state), label.parent == number);
            let action = if is_start {
                Action::default()
            } else {
                space.action(State::from_index(self.labels[label.parent as usize].state), state)
            };
            path.steps.push(Step { state, action, cost: label.cost });
            if is_start {
                break;
            }
            number = label.parent;
        }
        path.steps.reverse();
        Some(path)
    }

    /// Returns the limit that kept the search from covering the whole query: [`Limit::Expansions`]
    /// if it was stopped early, [`Limit::CostRange`] if the cost type was too narrow. The query's
    /// own limits do not count: see [`Reachable::frontier`].
    #[must_use]
    pub fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// Returns the counters of its computation.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Returns whether the space was edited since the area was computed.
    #[must_use]
    pub fn is_stale<S: Space<State = State, Cost = C>>(&self, space: &S) -> bool {
        self.revision != space.revision()
    }
}

/// Computes a reachable area with fresh memory. To reuse memory, or to spread the work over several
/// frames, see [`ReachableSearch`].
///
/// # Errors
/// When nobody can stand on the start.
pub fn reachable<S: Space>(
    space: &S,
    query: ReachableQuery<S::State, S::Cost>,
) -> Result<Reachable<S::State, S::Cost>, FieldError> {
    let (mut scratch, mut area) = (Scratch::new(), Reachable::default());
    let mut search = ReachableSearch::new(query);
    while search.step(space, &mut scratch, &mut (), u64::MAX) == Progress::Working {}
    search.into_area(space, &mut scratch, &mut area)?;
    Ok(area)
}

/// A [`Reachable`] search under way.
#[derive(Clone, Debug)]
pub struct ReachableSearch<State, C> {
    query: ReachableQuery<State, C>,
    stats: Stats,
    overflowed: bool,
    course: Course<Result<(), FieldError>>,
}

impl<State: StateId, C: Cost> ReachableSearch<State, C> {
    /// Returns a search before its first step.
    #[must_use]
    pub fn new(query: ReachableQuery<State, C>) -> Self {
        Self { query, stats: Stats::default(), overflowed: false, course: Course::default() }
    }

    /// Expands at most `budget` states.
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
        let active = match self.course.enter(space, scratch) {
            Entry::Ended => return Progress::Done,
            Entry::Resumes(active) => active,
            Entry::Begins(beginning) => match self.begin(beginning, space, scratch, observer) {
                ControlFlow::Continue(active) => active,
                ControlFlow::Break(done) => return done,
            },
        };
        let last_expansion = self.stats.expanded.saturating_add(budget);
        while self.stats.expanded < last_expansion {
            let Some(key) = scratch.heap.pop() else { return self.course.end(active, Ok(())) };
            self.expand(space, scratch, observer, key.state());
        }
        active.pause()
    }

    fn begin<S: Space<State = State, Cost = C>>(
        &mut self,
        beginning: Beginning,
        space: &S,
        scratch: &mut Scratch<State, C>,
        observer: &mut impl Observer<State, C>,
    ) -> ControlFlow<Progress, Active> {
        let (start, active) = (self.query.start, beginning.begun());
        if let Err(obstruction) = space.check(start) {
            let fault = FieldError::Source(obstruction);
            return ControlFlow::Break(self.course.end(active, Err(fault)));
        }
        if self.counts_moves() {
            scratch.backward.reset(space.state_bound());
        }
        scratch.forward.open(start.index(), C::ZERO, start.index());
        let label = Label { cost: C::ZERO, state: start.index(), parent: 0, moves: 0 };
        self.push(scratch, label);
        self.stats.generated = 1;
        observe(observer, TraceEventKind::Generate, start, start, C::ZERO);
        ControlFlow::Continue(active)
    }

    fn counts_moves(&self) -> bool {
        self.query.max_moves < u32::MAX
    }

    /// Labels come off the heap by cost, then by the number of moves, then by age.
    fn push(&mut self, scratch: &mut Scratch<State, C>, label: Label<C>) {
        let number = scratch.labels.len() as u32;
        let fewest_first = u64::from(u32::MAX - label.moves);
        scratch.labels.push(label);
        scratch.heap.push(Key::new(label.cost.to_u64(), fewest_first, number));
        self.stats.heap_peak = self.stats.heap_peak.max(scratch.heap.len());
    }

    fn expand<S: Space<State = State, Cost = C>>(
        &mut self,
        space: &S,
        scratch: &mut Scratch<State, C>,
        observer: &mut impl Observer<State, C>,
        number: u32,
    ) {
        let label = scratch.labels[number as usize];
        // The first label of a state to come off the heap is its cheapest; the later ones count
        // only for having fewer moves. In the backward table stands the least number of moves so
        // far.
        //
        // A later label of no fewer moves can be dropped: it costs no less than the earlier one, so
        // any continuation of it within both limits is one of the earlier label too.
        let is_first = scratch.forward.close(label.state, label.cost);
        let moves = C::from_u64(u64::from(label.moves));
        let is_worth_it = if self.counts_moves() {
            scratch.backward.relax(label.state, moves, label.state, true) != Relaxed::No
        } else {
            is_first
        };
        if !is_worth_it {
            return;
        }
        if is_first {
            scratch.stack.push(Key::new(label.cost.to_u64(), 0, number));
        } else {
            self.stats.reopened += 1;
        }
        self.stats.expanded += 1;
        let state = State::from_index(label.state);
        let parent = State::from_index(scratch.labels[label.parent as usize].state);
        observe(observer, TraceEventKind::Expand, state, parent, label.cost);
        if label.moves >= self.query.max_moves {
            return;
        }
        let moves = label.moves.saturating_add(1);
        space.successors(state, |edge| {
            let (target, cost) = (edge.target.index(), label.cost.plus(edge.cost));
            self.overflowed |= cost >= C::INFINITY;
            if cost > self.query.max_cost || cost >= C::INFINITY {
                return;
            }
            let relaxed = scratch.forward.relax(target, cost, label.state, true);
            let is_worth_it = if self.counts_moves() {
                let fewest = scratch.backward.g(target);
                fewest.is_none_or(|fewest| u64::from(moves) < fewest.to_u64())
            } else {
                relaxed != Relaxed::No
            };
            if !is_worth_it {
                return;
            }
            self.push(scratch, Label { cost, state: target, parent: number, moves });
            let kind = match relaxed {
                Relaxed::No => return,
                Relaxed::First => {
                    self.stats.generated += 1;
                    TraceEventKind::Generate
                }
                Relaxed::Cheaper | Relaxed::Reopened => TraceEventKind::Relax,
            };
            observe(observer, kind, edge.target, state, cost);
        });
    }

    /// Takes the area out of the scratch, as far as it has come. `area` gives its memory to the
    /// scratch in return.
    ///
    /// # Errors
    /// When nobody can stand on the start, or the search could not go on; `area` is then what it
    /// was.
    pub fn into_area<S: Space<State = State, Cost = C>>(
        self,
        space: &S,
        scratch: &mut Scratch<State, C>,
        area: &mut Reachable<State, C>,
    ) -> Result<(), FieldError> {
        let (ended, revision) = self.course.conclude(space, scratch)?;
        area.limit = match ended {
            Some(ended) => ended.map(|()| None)?,
            None => Some(Limit::Expansions),
        };
        area.reached.clear();
        area.reached.extend(scratch.stack.iter().map(|key| {
            let Label { cost, state, moves, .. } = scratch.labels[key.state() as usize];
            Reached { state: State::from_index(state), cost, moves, label: key.state() }
        }));
        // Moves that cost nothing bring states out of order.
        area.reached.sort_unstable_by_key(|reached| (reached.cost, reached.state));
        area.by_state.clear();
        area.by_state.extend(0..area.reached.len() as u32);
        area.by_state.sort_unstable_by_key(|&place| area.reached[place as usize].state);
        area.frontier.clear();
        let forward = &scratch.forward;
        let leads_out = |state: &State| {
            let mut leads_out = false;
            space.successors(*state, |edge| {
                leads_out |= !forward.is_closed(edge.target.index());
            });
            leads_out
        };
        area.frontier.extend(area.reached.iter().map(|reached| reached.state).filter(leads_out));
        if area.limit.is_none() && self.overflowed && !area.frontier.is_empty() {
            area.limit = Some(Limit::CostRange);
        }
        area.revision = revision;
        area.stats = self.stats;
        scratch.exchange_labels(&mut area.labels);
        Ok(())
    }
}

fn observe<State: StateId, C: Cost>(
    observer: &mut impl Observer<State, C>,
    kind: TraceEventKind,
    state: State,
    parent: State,
    g: C,
) {
    let (side, h) = (Side::Forward, C::ZERO);
    observer.observe(TraceEvent { kind, side, state, parent, g, h });
}

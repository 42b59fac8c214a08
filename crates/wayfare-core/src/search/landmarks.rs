//! Estimates from the costs to and from a few landmarks.
//!
//! Source: A. V. Goldberg, C. Harrelson, "Computing the shortest path: A* search meets graph
//! theory", 2005.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::distance_field::{DistanceField, DistanceFieldSearch, FieldQuery};
use super::{FieldError, Heuristic, Progress, Scratch, StateCost};
use crate::space::{Cost, ReverseSpace, Revision, Space, StateId};

/// The exact costs between a few landmarks and all states, as a heuristic that knows obstacles.
///
/// By the triangle inequality, for a landmark `l`:
///
/// ```text
/// cost(a, b) >= cost(l, b) - cost(l, a)
/// cost(a, b) >= cost(a, l) - cost(b, l)
/// ```
///
/// **When to use it:** where obstacles decide the length of a path more than its distance does.
/// [`AStar`](super::AStar) then expands a fraction of the states. Paths are still cheapest.
///
/// Computing takes two distance fields a landmark, and two more. Memory: two costs for each state
/// and landmark. The costs belong to one revision: after an edit the estimate is the space's own,
/// until [`Landmarks::repair`] is told of the edit.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::search::Landmarks;
/// let grid = Grid::from_rows(&["......", "####..", "......"])?;
/// let (space, at) = (grid.space(), |x, y| grid.cell(x, y).unwrap());
/// let landmarks = Landmarks::new(&space, at(0, 0), 2)?;
/// let query = Query::new(at(0, 0), at(0, 2));
/// let with = solve(&space, &AStar::with(&landmarks), query.clone());
/// let without = solve(&space, &AStar::new(), query);
/// assert_eq!(with.outcome.path().map(Path::cost), without.outcome.path().map(Path::cost));
/// assert!(with.stats.expanded <= without.stats.expanded);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Landmarks<State, C> {
    marks: Vec<State>,
    rows: Rows,
    /// The rows of states that a landmark was connected to only by an edit.
    late: BTreeMap<u32, usize>,
    /// For each row the costs from the landmarks, then the costs to them.
    costs: Vec<C>,
    /// Whether an unknown cost means that there is no path.
    is_complete: bool,
    revision: Revision,
}

impl<State: StateId, C: Cost> Landmarks<State, C> {
    /// Chooses `count` landmarks among the states with paths to and from `near`, as far from each
    /// other as possible, and computes the costs of all states connected to `near`.
    ///
    /// # Errors
    /// If `near` is obstructed.
    pub fn new<S>(space: &S, near: State, count: usize) -> Result<Self, FieldError>
    where
        S: ReverseSpace<State = State, Cost = C>,
    {
        let (mut scratch, mut field) = (Scratch::new(), DistanceField::default());
        let mut is_complete = true;
        let mut flood = |query: FieldQuery<State, C>, field: &mut DistanceField<State, C>| {
            let mut search = DistanceFieldSearch::new(query);
            while search.step(space, &mut scratch, &mut (), u64::MAX) == Progress::Working {}
            search.into_field(space, &mut scratch, field)?;
            is_complete &= field.limit().is_none();
            Ok::<(), FieldError>(())
        };
        flood(FieldQuery::outward([near]), &mut field)?;
        let reached: Vec<StateCost<u32, C>> = field.settled().collect();
        flood(FieldQuery::inward([near]), &mut field)?;
        let mut states: Vec<u32> = reached.iter().map(|one| one.state).collect();
        states.extend(field.settled().map(|one| one.state));
        states.sort_unstable();
        states.dedup();
        let rows = Rows::new(space.state_bound(), states.iter().copied());
        // The cost of each state from the chosen landmarks. States with paths in one direction only
        // are not chosen.
        let mut apart = vec![C::ZERO; states.len()];
        for StateCost { state, cost } in reached {
            if let Some(row) =
                rows.get(state).filter(|_| field.cost(State::from_index(state)).is_some())
            {
                apart[row] = cost;
            }
        }
        let mut costs = vec![C::INFINITY; states.len() * 2 * count];
        let mut marks = Vec::with_capacity(count);
        for number in 0..count {
            // Ties go to the first state.
            let furthest = (0..states.len()).rev().max_by_key(|&row| apart[row]);
            let mark = furthest.map_or(near, |row| State::from_index(states[row]));
            marks.push(mark);
            let fields = [FieldQuery::outward([mark]), FieldQuery::inward([mark])];
            for (way, query) in fields.into_iter().enumerate() {
                flood(query, &mut field)?;
                for StateCost { state, cost } in field.settled() {
                    let Some(row) = rows.get(state) else { continue };
                    costs[(row * 2 + way) * count + number] = cost;
                    // The state `near` is no landmark.
                    if way == 0 && apart[row] > C::ZERO {
                        apart[row] = if number == 0 { cost } else { apart[row].min(cost) };
                    }
                }
            }
        }
        let late = BTreeMap::new();
        Ok(Self { marks, rows, late, costs, is_complete, revision: space.revision() })
    }

    /// Repairs the costs after an edit: estimates use the landmarks again, and paths stay cheapest.
    ///
    /// `affected`: all states whose moves in or out have changed since the landmarks were computed
    /// or last repaired, as `VoxelGrid::affected_by` and
    /// `Grid::affected_by` list them. A state that is missing
    /// makes estimates too high, and paths more expensive than need be.
    ///
    /// Returns the number of costs that became lower: 0 if moves only vanished or became more
    /// expensive. Such moves raise no estimate, so that after many edits new landmarks lead better.
    /// O(moves of the affected states · landmarks + costs lowered).
    ///
    /// # Why estimates stay lower bounds
    ///
    /// Let `p(s)` be the cost kept for state `s` from a landmark. By induction over the moves of a
    /// path from `a` to `b`, `p(b) - p(a)` is at most its cost if
    ///
    /// ```text
    /// p(t) <= p(s) + cost(s, t)    for each move from s to t
    /// ```
    ///
    /// It does not take `p` to be exact. This held before the edit. Moves that vanish or become
    /// more expensive leave it true. A move that is new or cheaper may break it, and then leads out
    /// of an affected state: `p(t)` is lowered to the right side, and so are the costs of the
    /// states that moves lead to from there, in the order of their costs. Costs to landmarks are
    /// lowered along the moves backwards. The costs of two states that an edit cut off from each
    /// other stay finite, which proves nothing.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::search::Query;
    /// use wayfare::search::Landmarks;
    /// let size = VoxelSize { width: 9, height: 4, depth: 1 };
    /// let wall = |y: u32| (BlockPosition::new(4, y, 0), BlockId::SOLID);
    /// let floor = (0..9).map(|x| (BlockPosition::new(x, 0, 0), BlockId::SOLID));
    /// let blocks = floor.chain((1..3).map(wall));
    /// let mut world = VoxelGrid::from_blocks(size, &[], VoxelProfile::default(), blocks)?;
    /// let [a, b] = [0, 8].map(|x| world.voxel(BlockPosition::new(x, 1, 0)).unwrap());
    /// let mut landmarks = Landmarks::new(&world.space(), a, 1)?;
    /// let edit = world.set_blocks((1..3).map(|y| (wall(y).0, BlockId::AIR)))?;
    /// landmarks.repair(&world.space(), &world.affected_by(&edit));
    /// assert!(!landmarks.is_stale(&world.space()));
    /// let answer = solve(&world.space(), &AStar::with(&landmarks), Query::new(a, b));
    /// assert_eq!(answer.outcome.path().map(Path::len), Some(8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn repair<S>(&mut self, space: &S, affected: &[State]) -> usize
    where
        S: ReverseSpace<State = State, Cost = C>,
    {
        let mut open = BinaryHeap::new();
        let mut lowered = 0;
        for column in 0..2 * self.marks.len() {
            let is_from_mark = column < self.marks.len();
            // A move bounds the cost of its end (or, towards a landmark, of its beginning) by the
            // cost of the other plus its own.
            for &state in affected.iter().filter(|&&state| space.check(state).is_ok()) {
                space.successors(state, |edge| {
                    let (first, last) =
                        if is_from_mark { (state, edge.target) } else { (edge.target, state) };
                    let cost = self.cost(first, column).plus(edge.cost);
                    if self.lower(last, column, cost) {
                        lowered += 1;
                        open.push(Reverse((cost, last.index())));
                    }
                });
            }
            while let Some(Reverse((cost, index))) = open.pop() {
                let state = State::from_index(index);
                if cost != self.cost(state, column) {
                    continue; // lowered further since
                }
                let mut relax = |other: State, length: C| {
                    let cost = cost.plus(length);
                    if self.lower(other, column, cost) {
                        lowered += 1;
                        open.push(Reverse((cost, other.index())));
                    }
                };
                if is_from_mark {
                    space.successors(state, |edge| relax(edge.target, edge.cost));
                } else {
                    space.predecessors(state, |edge| relax(edge.target, edge.cost));
                }
            }
        }
        self.revision = space.revision();
        lowered
    }

    /// Returns the index of the costs of a state.
    #[inline]
    fn row(&self, state: State) -> Option<usize> {
        let row = self.rows.get(state.index());
        if row.is_none() && !self.late.is_empty() {
            return self.late.get(&state.index()).copied();
        }
        row
    }

    /// Returns the cost of a state in a column: the first columns are costs from landmarks, the
    /// others to them.
    fn cost(&self, state: State, column: usize) -> C {
        let place = self.row(state).map(|row| row * 2 * self.marks.len() + column);
        place.and_then(|place| self.costs.get(place).copied()).unwrap_or(C::INFINITY)
    }

    /// Lowers the cost of a state. Returns whether it was higher.
    fn lower(&mut self, state: State, column: usize, cost: C) -> bool {
        if cost >= self.cost(state, column) {
            return false;
        }
        let width = 2 * self.marks.len();
        let row = self.row(state).unwrap_or_else(|| {
            let row = self.costs.len() / width;
            self.costs.resize(self.costs.len() + width, C::INFINITY);
            self.late.insert(state.index(), row);
            row
        });
        self.costs[row * width + column] = cost;
        true
    }

    /// Returns the landmarks.
    #[must_use]
    pub fn marks(&self) -> &[State] {
        &self.marks
    }

    /// Returns whether the space was edited since they were computed or repaired. Estimates are
    /// then the space's own.
    #[must_use]
    pub fn is_stale<S: Space<State = State, Cost = C>>(&self, space: &S) -> bool {
        self.revision != space.revision()
    }

    /// Returns the memory of the costs, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let late = self.late.len() * size_of::<(u32, usize)>();
        self.costs.capacity() * size_of::<C>() + self.rows.bytes() + late
    }

    /// Returns a lower bound on the cost of a path; [`Cost::INFINITY`] if there is none; `None` for
    /// states that no landmark is connected to.
    #[inline]
    pub(crate) fn least_cost(&self, from: State, to: State) -> Option<C> {
        let count = self.marks.len();
        let row = |state: State| {
            let row = self.row(state)? * 2 * count;
            Some(self.costs.get(row..row + 2 * count)?.split_at(count))
        };
        let ((to_here, from_here), (to_there, from_there)) = (row(from)?, row(to)?);
        // A path from `from` to `to` extends paths from a landmark to `from`, and from `to` to a
        // landmark.
        let (by_here, mut is_cut_off) = most_left(to_here, to_there);
        let (by_there, is_cut_off_there) = most_left(from_there, from_here);
        is_cut_off |= is_cut_off_there;
        if !is_cut_off {
            return Some(by_here.max(by_there));
        }
        if self.is_complete {
            return Some(C::INFINITY);
        }
        // Unknown costs give no bound.
        let pairs = to_here.iter().zip(to_there).chain(from_there.iter().zip(from_here));
        let known = pairs.filter(|(_, whole)| **whole < C::INFINITY);
        Some(known.map(|(first, whole)| whole.minus(*first)).fold(C::ZERO, C::max))
    }
}

/// Returns the largest difference between a whole path and its first part, and whether a first part
/// lacks its whole. Without branches, so that several are computed at once.
#[inline]
fn most_left<C: Cost>(firsts: &[C], wholes: &[C]) -> (C, bool) {
    let (mut most, mut is_cut_off) = (C::ZERO, false);
    for (&first, &whole) in firsts.iter().zip(wholes) {
        most = most.max(whole.minus(first));
        is_cut_off |= (whole >= C::INFINITY) & (first < C::INFINITY);
    }
    (most, is_cut_off)
}

impl<S: Space> Heuristic<S> for &Landmarks<S::State, S::Cost> {
    #[inline]
    fn estimate(&self, space: &S, from: S::State, goal: S::State) -> S::Cost {
        let own = space.estimate(from, goal);
        if self.is_stale(space) {
            own
        } else {
            self.least_cost(from, goal).map_or(own, |least| least.max(own))
        }
    }

    fn survives_edits(&self, space: &S) -> bool {
        !self.is_stale(space)
    }
}

/// Numbers for some of many states, in order: a bit a state in pages, and a count before each word.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The first word of each page of states, or [`NO_PAGE`].
    pages: Vec<u32>,
    /// 64 states each, with the row of the first of them.
    words: Vec<(u64, u32)>,
}

const NO_PAGE: u32 = u32::MAX;
const PAGE_LOG2: u32 = 9;
const WORDS: usize = 1 << (PAGE_LOG2 - 6);

impl Rows {
    /// Numbers states that come in ascending order of id.
    pub fn new(bound: usize, states: impl Iterator<Item = u32>) -> Self {
        let mut pages = vec![NO_PAGE; bound.div_ceil(1 << PAGE_LOG2)];
        let mut words: Vec<(u64, u32)> = Vec::new();
        for (row, state) in states.enumerate() {
            let page = &mut pages[(state >> PAGE_LOG2) as usize];
            if *page == NO_PAGE {
                *page = words.len() as u32;
                words.resize(words.len() + WORDS, (0, 0));
            }
            let word = &mut words[*page as usize + (state as usize >> 6) % WORDS];
            if word.0 == 0 {
                word.1 = row as u32;
            }
            word.0 |= 1 << (state & 63);
        }
        Self { pages, words }
    }

    /// The row of a state, if it has one.
    #[inline]
    pub fn get(&self, state: u32) -> Option<usize> {
        let page = *self.pages.get((state >> PAGE_LOG2) as usize)?;
        if page == NO_PAGE {
            return None;
        }
        let (bits, first) = self.words[page as usize + (state as usize >> 6) % WORDS];
        let bit = 1 << (state & 63);
        (bits & bit != 0).then(|| first as usize + (bits & (bit - 1)).count_ones() as usize)
    }

    fn bytes(&self) -> usize {
        self.pages.capacity() * size_of::<u32>() + self.words.capacity() * size_of::<(u64, u32)>()
    }
}

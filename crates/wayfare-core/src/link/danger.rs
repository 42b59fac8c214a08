//! Danger: a surcharge on entering a state, learnt while the program runs, over any space.

use std::collections::BTreeMap;
use std::fmt;

use glam::Vec3;

use crate::hash::WordHash;
use crate::plane::segment::nearest_on_segment;
use crate::space::{InfluenceRule, ReverseSpace, Space, StateId};

/// The most danger that a state holds, in world units of length.
pub const MOST_DANGER: f32 = 10_000.0;

/// A state in danger.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Hazard<State> {
    state: State,
    /// In world units of length, above 0.
    amount: f32,
    /// The position of the state.
    at: Vec3,
    /// The length of the longest move out of the state.
    reach: f32,
}

/// A state in danger, as [`Danger::iter`] tells it.
///
/// ```
/// use wayfare::link::{KnownDanger, NavLinks};
/// use wayfare::prelude::*;
/// let grid = Grid::from_rows(&["..."])?;
/// let state = grid.cell(1, 0).unwrap();
/// let mut overlay = NavLinks::new(3.0);
/// overlay.add_danger(&grid.space(), &[state], 5.0);
/// assert!(overlay.danger().iter().eq([KnownDanger { state, amount: 5.0 }]));
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct KnownDanger<State> {
    /// The state.
    pub state: State,
    /// Its danger in world units of length: above 0, at most [`MOST_DANGER`].
    pub amount: f32,
}

/// The danger of states: a surcharge for entering each, in world units of length.
///
/// It lies beside the space like the links, and belongs to the same overlay: see
/// [`NavLinks::add_danger`](super::NavLinks::add_danger). So grids, waypoint graphs, voxel worlds
/// and spaces of your own have danger alike, and learning it edits no world. With time it spreads
/// along moves and decays.
///
/// ```
/// use wayfare::link::{Keys, NavLinks};
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::space::InfluenceRule;
///
/// let grid = Grid::from_rows(&["...", "...", "..."])?;
/// let [west, middle, east] = [0, 1, 2].map(|x| grid.cell(x, 1).unwrap());
/// let mut overlay = NavLinks::new(3.0);
/// overlay.add_danger(&grid.space(), &[middle], 5.0);
/// let path = |overlay: &NavLinks<_>| {
///     let space = overlay.over(grid.space(), Keys::NONE);
///     solve(&space, &AStar::new(), Query::new(west, east)).outcome.into_path()
/// };
/// assert!(path(&overlay).states().all(|cell| cell != middle)); // around it
///
/// // A minute later nothing is left of it.
/// for _ in 0..60 {
///     overlay.age_danger(&grid.space(), &InfluenceRule::default(), 1.0);
/// }
/// assert_eq!(overlay.danger().get(middle), 0.0);
/// assert!(path(&overlay).states().any(|cell| cell == middle));
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Danger<State> {
    /// By id.
    hazards: Vec<Hazard<State>>,
    /// The box around all positions in `hazards`; from the largest number to the smallest one
    /// without any.
    bounds: [Vec3; 2],
    /// The largest reach.
    reach: f32,
    #[cfg_attr(feature = "serde", serde(skip))]
    places: Places,
}

impl<State> Default for Danger<State> {
    fn default() -> Self {
        let (bounds, places) = ([Vec3::MAX, Vec3::MIN], Places::default());
        Self { hazards: Vec::new(), bounds, reach: 0.0, places }
    }
}

impl<State: StateId> Danger<State> {
    /// Returns whether no state is in danger.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hazards.is_empty()
    }

    /// Returns the danger of a state, 0 to [`MOST_DANGER`]. O(1), and O(log states in danger) where
    /// these are few and far apart.
    #[inline]
    #[must_use]
    pub fn get(&self, state: State) -> f32 {
        let place = match self.places.find(state.index()) {
            Some(place) => place,
            None => self.hazards.binary_search_by_key(&state, |one| one.state).ok(),
        };
        place.map_or(0.0, |place| self.hazards[place].amount)
    }

    /// Returns every state in danger with its danger, by id.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = KnownDanger<State>> + '_ {
        self.hazards.iter().map(|&Hazard { state, amount, .. }| KnownDanger { state, amount })
    }

    /// Returns whether a straight line may pass a state in danger, that it starts at left aside.
    ///
    /// A line passes only states that it comes within half of the longest move of, since positions
    /// are at most one move apart: three quarters allow for moves along the axes alone, whose cells
    /// have corners further away.
    pub(super) fn is_near(&self, start: State, from: Vec3, to: Vec3) -> bool {
        let margin = self.reach * NEAR;
        let (low, high) = (from.min(to) - margin, from.max(to) + margin);
        let [min, max] = self.bounds;
        if !(low.cmple(max).all() && high.cmpge(min).all()) {
            return false;
        }
        self.hazards.iter().any(|hazard| {
            hazard.state != start
                && nearest_on_segment(hazard.at, from, to).distance(hazard.at)
                    <= hazard.reach * NEAR
        })
    }

    /// Adds to the danger of states, or takes from it. Returns the states whose danger changed.
    pub(super) fn add<S: Space<State = State>>(
        &mut self,
        space: &S,
        states: &[State],
        amount: f32,
    ) -> Vec<State> {
        let known = self.hazards.len();
        let mut changed = Vec::new();
        let mut states = states.to_vec();
        states.sort_unstable();
        states.dedup();
        for state in states {
            let place = self.hazards[..known].binary_search_by_key(&state, |one| one.state);
            let before = place.map_or(0.0, |place| self.hazards[place].amount);
            let after = (before + amount).clamp(0.0, MOST_DANGER);
            // Not a number adds nothing.
            if after.is_nan() || after == before {
                continue;
            }
            changed.push(state);
            match place {
                Ok(place) => self.hazards[place].amount = after,
                Err(_) => self.hazards.push(hazard(space, state, after)),
            }
        }
        self.hazards.retain(|hazard| hazard.amount > 0.0);
        self.hazards.sort_unstable_by_key(|hazard| hazard.state);
        self.measure();
        changed
    }

    /// Lets time go by: danger spreads to the states one move away, then decays. Returns the states
    /// whose danger changed, by id. O(moves out of states in danger · log).
    pub(super) fn age<S: Space<State = State>>(
        &mut self,
        space: &S,
        rule: &InfluenceRule,
        seconds: f32,
    ) -> Vec<State> {
        let kept = crate::ops::powf(rule.kept_per_second.clamp(0.0, 1.0), seconds);
        let share = (rule.spread_per_second * seconds).clamp(0.0, 1.0);
        let mut sums: BTreeMap<State, f32> = BTreeMap::new();
        let mut near = Vec::new();
        for &Hazard { state, amount, .. } in &self.hazards {
            near.clear();
            if space.check(state).is_ok() {
                space.successors(state, |edge| near.push(edge.target));
                near.sort_unstable();
                near.dedup();
            }
            // More than an even share for everybody at once would overshoot.
            let count = near.len() as f32;
            let flows = amount * share.min(count / (count + 1.0));
            for &next in &near {
                *sums.entry(next).or_insert(0.0) += flows / count;
            }
            let stays = if near.is_empty() { amount } else { amount - flows };
            *sums.entry(state).or_insert(0.0) += stays;
        }
        let before = std::mem::take(&mut self.hazards);
        let least = rule.least.max(f32::MIN_POSITIVE);
        for (state, sum) in sums {
            let amount = (sum * kept).min(MOST_DANGER);
            if amount >= least {
                self.hazards.push(hazard(space, state, amount));
            }
        }
        self.measure();
        let old = before.iter().map(|hazard| (hazard.state, hazard.amount));
        let mut changed: Vec<State> =
            old.filter(|&(state, amount)| self.get(state) != amount).map(|one| one.0).collect();
        let known = |state| before.binary_search_by_key(&state, |one: &Hazard<_>| one.state);
        changed.extend(self.iter().map(|one| one.state).filter(|&state| known(state).is_err()));
        changed.sort_unstable();
        changed
    }

    /// Returns the length of the longest move out of a state in danger.
    pub(super) fn reach(&self) -> f32 {
        self.reach
    }

    fn measure(&mut self) {
        let empty = [Vec3::MAX, Vec3::MIN];
        let grow = |[min, max]: [Vec3; 2], one: &Hazard<_>| [min.min(one.at), max.max(one.at)];
        self.bounds = self.hazards.iter().fold(empty, grow);
        self.reach = self.hazards.iter().fold(0.0, |most, hazard| hazard.reach.max(most));
        self.places.fill(self.hazards.iter().map(|hazard| hazard.state.index()));
    }

    /// Prepares what lookups use, as it is not stored in files.
    pub(super) fn restored(mut self) -> Self {
        self.measure();
        self
    }

    /// Returns a hash of all of it.
    #[doc(hidden)]
    pub fn digest(&self) -> u64 {
        let mut hash = WordHash(0);
        for KnownDanger { state, amount } in self.iter() {
            hash.word(u64::from(state.index()));
            hash.float(amount);
        }
        hash.0
    }

    /// Returns whether its states exist in a space of that bound: for danger that was read from a
    /// file.
    #[cfg(feature = "serde")]
    #[doc(hidden)]
    pub fn is_sound(&self, state_bound: usize) -> bool {
        let mut measured = Self { hazards: self.hazards.clone(), ..Self::default() };
        measured.measure();
        (self.bounds, self.reach) == (measured.bounds, measured.reach)
            && self.hazards.windows(2).all(|pair| pair[0].state < pair[1].state)
            && self.hazards.iter().all(|hazard| {
                (hazard.state.index() as usize) < state_bound
                    && hazard.amount > 0.0
                    && hazard.amount <= MOST_DANGER
                    && hazard.at.is_finite()
                    && hazard.reach.is_finite()
                    && hazard.reach >= 0.0
            })
    }
}

/// The places of states in a list by id: a bit for each id from the first word to the last.
#[derive(Clone, PartialEq, Default)]
struct Places {
    /// The ids before the first word, in words.
    first: u32,
    /// Bits of 64 ids, and the number of states in the words before. Empty if there would be more
    /// than [`MOST_WORDS`].
    words: Vec<(u64, u32)>,
}

/// Nothing, since all of it follows from the list.
impl fmt::Debug for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Places")
    }
}

/// A list of n states has at most `MOST_WORDS[0] + MOST_WORDS[1] · n` words.
const MOST_WORDS: [usize; 2] = [4_096, 64];

impl Places {
    /// Returns the place of a state, if it has one; `None` if that is not known.
    #[inline]
    fn find(&self, id: u32) -> Option<Option<usize>> {
        let word = (id / 64).wrapping_sub(self.first) as usize;
        let Some(&(bits, before)) = self.words.get(word) else {
            return (!self.words.is_empty()).then_some(None);
        };
        let bit = 1 << (id % 64);
        let place = || before as usize + (bits & (bit - 1)).count_ones() as usize;
        Some((bits & bit != 0).then(place))
    }

    /// `ids`: in ascending order, each once; others are found nowhere or at a wrong place.
    fn fill(&mut self, ids: impl ExactSizeIterator<Item = u32> + Clone) {
        self.first = 0;
        self.words.clear();
        let words = ids.clone().map(|id| id / 64);
        let (Some(first), Some(last)) = (words.clone().min(), words.max()) else { return };
        let count = (last - first) as usize + 1;
        if count > MOST_WORDS[0] + MOST_WORDS[1] * ids.len() {
            return;
        }
        self.first = first;
        self.words.resize(count, (0, 0));
        ids.for_each(|id| self.words[(id / 64 - first) as usize].0 |= 1 << (id % 64));
        let mut before = 0;
        for (bits, place) in &mut self.words {
            *place = before;
            before += bits.count_ones();
        }
    }
}

/// The share of a state's longest move within which a line may pass the state.
const NEAR: f32 = 0.75;

fn hazard<S: Space>(space: &S, state: S::State, amount: f32) -> Hazard<S::State> {
    let at = space.position(state);
    let mut reach = 0.0f32;
    if space.check(state).is_ok() {
        space.successors(state, |edge| {
            reach = reach.max(space.position(edge.target).distance(at));
        });
    }
    Hazard { state, amount, at, reach }
}

/// Returns the states whose moves in or out the danger of `changed` changes, in ascending order.
pub(super) fn around<S: ReverseSpace>(space: &S, changed: &[S::State]) -> Vec<S::State> {
    let mut affected = Vec::new();
    for &state in changed {
        affected.push(state);
        if space.check(state).is_ok() {
            space.predecessors(state, |edge| affected.push(edge.target));
        }
    }
    affected.sort_unstable();
    affected.dedup();
    affected
}

//! The exits of groups during a search.
//!
//! A move across a group reaches dozens of exits, but few of them are expanded. So an exit does not
//! enter the open list. Its group has a single entry there, by the least priority of its *waiting*
//! exits: those that were reached more cheaply than before, and not expanded since. To expand one
//! is to find it among those of the group. All are forgotten at once.
//!
//! An entry is outdated if its priority is not the least one of its group.

use wayfare_core::space::Cost;

use super::groups::{Exit, MOST_EXITS, Rounded};

/// The costs and priorities of exits, group by group.
#[derive(Clone, Debug, Default)]
pub(super) struct Exits<C> {
    /// The least known cost of each.
    known: Vec<C>,
    /// What a priority adds to a cost; infinity of an expanded exit.
    rest: Vec<C>,
    /// The priority of each waiting exit; else infinity.
    waiting: Vec<C>,
    parents: Vec<u32>,
    groups: Vec<State<C>>,
    places_log2: u32,
    search: u32,
}

/// The state of a group.
#[derive(Clone, Copy, Debug, Default)]
struct State<C> {
    /// The search that it was last reached by.
    search: u32,
    /// The exit with the least priority, as the open list has it.
    least: Waiting<C>,
}

/// An exit that may be the next to expand.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Waiting<C> {
    pub(super) place: u32,
    pub(super) priority: C,
}

/// An expanded exit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expanded<C> {
    pub(super) place: usize,
    pub(super) g: C,
    pub(super) parent: u32,
}

impl<C: Cost> Exits<C> {
    /// Forgets all costs, and makes room for groups. Allocates only if there are more than before.
    pub(super) fn reset(&mut self, groups: usize, places_log2: u32) {
        self.places_log2 = places_log2;
        let places = (groups << places_log2).max(self.known.len());
        self.known.resize(places, C::INFINITY);
        self.rest.resize(places, C::INFINITY);
        self.waiting.resize(places, C::INFINITY);
        self.parents.resize(places, 0);
        self.groups.resize(groups.max(self.groups.len()), State::default());
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.groups.fill(State::default());
            self.search = 1;
        }
    }

    /// Makes the exits of a group known to the search.
    #[inline]
    pub(super) fn enter(&mut self, group: u32, exits: &[Exit], rest: impl Fn(&Exit) -> C) {
        let state = &mut self.groups[group as usize];
        if state.search != self.search {
            *state =
                State { search: self.search, least: Waiting { place: 0, priority: C::INFINITY } };
            let first = (group as usize) << self.places_log2;
            let places = first..first + exits.len();
            self.known[places.clone()].fill(C::INFINITY);
            self.waiting[places.clone()].fill(C::INFINITY);
            self.rest[places].iter_mut().zip(exits).for_each(|(to, exit)| *to = rest(exit));
        }
    }

    /// Returns the least known cost of an exit; infinity if none is known.
    #[inline]
    pub(super) fn known(&self, group: u32, place: usize) -> C {
        let first = (group as usize) << self.places_log2;
        let is_known = self.groups[group as usize].search == self.search;
        if is_known { self.known[first + place] } else { C::INFINITY }
    }

    /// Offers paths to the exits of an entered group, from a state `from` by a cost of `g` and the
    /// rest of `costs`. Returns an exit with a priority below all of the group.
    #[inline]
    pub(super) fn offer(
        &mut self,
        group: u32,
        (from, g): (u32, C),
        costs: &[Rounded],
        is_cheaper: &mut [u8; MOST_EXITS],
    ) -> Option<Waiting<C>> {
        let first = (group as usize) << self.places_log2;
        let places = first..first + costs.len();
        let (known, rest) = (&mut self.known[places.clone()], &self.rest[places.clone()]);
        let (waiting, parents) = (&mut self.waiting[places.clone()], &mut self.parents[places]);
        mark_cheaper(costs, known, g, is_cheaper);
        let mut least = self.groups[group as usize].least;
        let before = least.priority;
        for (first, marks) in (0..costs.len()).step_by(MARKS).zip(is_cheaper.chunks_exact(MARKS)) {
            let mut marked = bits_of(marks);
            while marked != 0 {
                let place = first + marked.trailing_zeros() as usize;
                marked &= marked - 1;
                let reached = g.plus(costs[place].get());
                if reached >= known[place] {
                    continue;
                }
                known[place] = reached;
                if rest[place] == C::INFINITY {
                    continue; // see "What a plan costs at most"
                }
                let priority = reached.plus(rest[place]);
                (waiting[place], parents[place]) = (priority, from);
                if priority < least.priority {
                    least = Waiting { place: place as u32, priority };
                }
            }
        }
        self.groups[group as usize].least = least;
        (least.priority < before).then_some(least)
    }

    /// Notes a cost of an exit of an entered group. Paths of that cost or more do not lead on.
    #[inline]
    pub(super) fn note(&mut self, group: u32, place: usize, cost: C) {
        let place = ((group as usize) << self.places_log2) + place;
        if cost < self.known[place] {
            self.known[place] = cost;
            self.waiting[place] = C::INFINITY;
        }
    }

    /// Returns whether an entry of the open list is not outdated.
    #[inline]
    pub(super) fn is_least(&self, group: u32, priority: u64) -> bool {
        self.groups[group as usize].least.priority.to_u64() == priority
    }

    /// Expands the exit with the least priority of a group; `None` if it waits no longer.
    #[inline]
    pub(super) fn expand(&mut self, group: u32) -> Option<Expanded<C>> {
        let Waiting { place, priority } = self.groups[group as usize].least;
        let at = ((group as usize) << self.places_log2) + place as usize;
        if self.waiting[at] != priority {
            return None;
        }
        (self.waiting[at], self.rest[at]) = (C::INFINITY, C::INFINITY);
        Some(Expanded { place: place as usize, g: self.known[at], parent: self.parents[at] })
    }

    /// Returns the exit with the least priority of a group.
    #[inline]
    pub(super) fn next(&mut self, group: u32, exits: usize) -> Option<Waiting<C>> {
        let first = (group as usize) << self.places_log2;
        let waiting = &self.waiting[first..first + exits];
        let priority = waiting.iter().copied().fold(C::INFINITY, C::min);
        let place = waiting.iter().position(|&waiting| waiting == priority)? as u32;
        let least = Waiting { place, priority };
        self.groups[group as usize].least = least;
        (priority < C::INFINITY).then_some(least)
    }

    pub(super) fn bytes(&self) -> usize {
        (self.known.capacity() + self.rest.capacity() + self.waiting.capacity()) * size_of::<C>()
            + self.parents.capacity() * size_of::<u32>()
            + self.groups.capacity() * size_of::<State<C>>()
    }
}

/// The marks that are looked at together.
const MARKS: usize = u64::BITS as usize;

/// Marks the exits with a path by `g` and the rest of `costs` that may be cheaper than the known
/// one. No cheaper one is left out: numbers in floating point keep their order when they are
/// rounded, and `costs` are not rounded. Few others are marked.
///
/// Not inlined, for slices that are parameters do not overlap: compilers use vector instructions.
#[inline(never)]
fn mark_cheaper<C: Cost>(costs: &[Rounded], known: &[C], g: C, is_cheaper: &mut [u8; MOST_EXITS]) {
    let (marks, others) = is_cheaper.split_at_mut(costs.len());
    for ((mark, cost), known) in marks.iter_mut().zip(costs).zip(known) {
        let most = known.minus(g).to_u64().min(i32::MAX as u64) as i32;
        *mark = u8::from(cost.to_f32() <= most as f32);
    }
    let unused = costs.len().next_multiple_of(MARKS) - costs.len();
    others[..unused].fill(0);
}

/// Returns marks as bits, the first one lowest.
#[inline]
fn bits_of(marks: &[u8]) -> u64 {
    // The product moves the mark of byte `n` to bit `56 + n`, and none to a bit of another.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let (words, _) = marks.as_chunks();
    let bits_of = |word: &[u8; 8]| u64::from_le_bytes(*word).wrapping_mul(GATHER) >> 56;
    words.iter().rev().fold(0, |bits, word| bits << 8 | bits_of(word))
}

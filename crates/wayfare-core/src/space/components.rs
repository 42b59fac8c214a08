//! Connected components of a space, kept up to date under edits.
//!
//! Each state carries a label; labels are joined in a union-find by size, so that adding an edge
//! never touches a state. Removing one runs a flood from each suspect in lockstep and stops when a
//! single flood is left unfinished: the cost is that of the smaller pieces, not of the space (the
//! idea is that of Even and Shiloach, "An On-Line Edge-Deletion Problem", 1981). Reads take `&self`
//! and never compress a path: a union by size is at most log₂(labels) deep.
//!
//! # Names
//!
//! Labels depend on the order of past edits, so they are not shown. A component is called by its
//! least state: that depends on the components alone. Each root keeps the name. Unions take the
//! lesser of two, and floods know the least state that they reach. Only the component that keeps
//! its label when others fall off may lose its least state; the next one is looked for among the
//! states that follow.

use std::collections::VecDeque;

use super::Reachability;

/// The undirected moves of a space, which connect components.
pub trait Adjacency {
    /// Calls `visit` with each neighbour of a state. If `b` is a neighbour of `a`, then `a` is one
    /// of `b`.
    fn neighbours(&self, state: u32, visit: impl FnMut(u32));
}

/// The label of ids that no state has.
const NONE: u32 = u32::MAX;

/// Component labels of dense states: four bytes a state, and twelve a label.
#[derive(Clone, Debug, Default)]
pub struct Components {
    /// The label of each state, or [`NONE`].
    labels: Vec<u32>,
    /// The union-find over labels; a root is its own parent.
    pub parents: Vec<u32>,
    /// The number of states of each root's component. Stale for labels that are not roots.
    pub sizes: Vec<u32>,
    /// The least state of each root's component. Stale for labels that are not roots.
    least: Vec<u32>,
    /// Roots whose least state may have been removed.
    renamed: Vec<u32>,
    /// The number of labels beyond which they are renumbered.
    compact_above: usize,
}

/// The part of a component that one flood has reached.
#[derive(Default)]
struct Flood {
    claimed: Vec<u32>,
    frontier: VecDeque<u32>,
}

impl Components {
    /// Labels all states among the ids below `bound`. O(states + edges).
    #[doc(hidden)]
    pub fn build(bound: usize, is_state: impl Fn(u32) -> bool, adjacency: &impl Adjacency) -> Self {
        let mut components = Self { labels: vec![NONE; bound], ..Self::default() };
        let mut stack = Vec::new();
        for seed in 0..bound as u32 {
            if components.labels[seed as usize] != NONE || !is_state(seed) {
                continue;
            }
            let label = components.fresh_label();
            components.labels[seed as usize] = label;
            components.least[label as usize] = seed;
            let mut size = 1;
            stack.push(seed);
            while let Some(state) = stack.pop() {
                adjacency.neighbours(state, |next| {
                    let slot = &mut components.labels[next as usize];
                    if *slot == NONE {
                        *slot = label;
                        size += 1;
                        stack.push(next);
                    }
                });
            }
            components.sizes[label as usize] = size;
        }
        components.plan_compaction();
        components
    }

    /// Returns no labels yet for the ids below `bound`: to be filled in by
    /// [`fresh_label`](Self::fresh_label) and [`fill`](Self::fill).
    #[doc(hidden)]
    pub fn unlabelled(bound: usize) -> Self {
        Self { labels: vec![NONE; bound], ..Self::default() }
    }

    /// Makes room for the ids below `bound`. No state has the new ones yet.
    #[doc(hidden)]
    pub fn grow(&mut self, bound: usize) {
        self.labels.resize(bound.max(self.labels.len()), NONE);
    }

    /// Gives a label to `count` states from `first` on that have none.
    #[doc(hidden)]
    pub fn fill(&mut self, first: u32, count: u32, label: u32) {
        self.labels[first as usize..(first + count) as usize].fill(label);
        self.sizes[label as usize] += count;
        let least = &mut self.least[label as usize];
        *least = (*least).min(first);
    }

    /// Returns the name of the component of a state: its least state. `None` if the id is no state.
    /// O(log labels).
    #[doc(hidden)]
    pub fn name(&self, state: u32) -> Option<u32> {
        self.label(state).map(|label| self.least[label as usize])
    }

    /// Returns the label of the component that a state lies in; `None` for an id that no state has.
    /// O(log labels).
    pub fn label(&self, state: u32) -> Option<u32> {
        let label = *self.labels.get(state as usize)?;
        (label != NONE).then(|| self.root(label))
    }

    /// Returns which of the eight states at `offsets` from a state are in its component, as bits.
    #[doc(hidden)]
    pub fn joined_with(&self, state: u32, offsets: &[i32; 8]) -> u8 {
        let Some(label) = self.label(state) else { return 0 };
        offsets.iter().enumerate().fold(0, |joined, (bit, &offset)| {
            let is_joined = self.label(state.wrapping_add_signed(offset)) == Some(label);
            joined | u8::from(is_joined) << bit
        })
    }

    /// Returns the memory that the labels hold, in bytes.
    #[doc(hidden)]
    pub fn size_in_bytes(&self) -> usize {
        let labels = self.parents.capacity() + self.sizes.capacity() + self.least.capacity();
        (self.labels.capacity() + labels) * size_of::<u32>()
    }

    /// Returns the answer of the labels for two states: "no" only for different components.
    #[doc(hidden)]
    pub fn reachability(&self, from: u32, to: u32) -> Reachability {
        match (self.name(from), self.name(to)) {
            (Some(from), Some(to)) if from != to => Reachability::DifferentIslands { from, to },
            _ => Reachability::Possible,
        }
    }

    /// An id that was no state became one, with edges to those neighbours. O(neighbours · log
    /// labels).
    #[doc(hidden)]
    pub fn insert(&mut self, state: u32, neighbours: impl IntoIterator<Item = u32>) {
        let index = state as usize;
        if index >= self.labels.len() {
            self.labels.resize(index + 1, NONE);
        }
        debug_assert_eq!(self.labels[index], NONE, "state {state} was inserted twice");
        for next in neighbours {
            let Some(label) = self.label(next) else { continue };
            if self.labels[index] == NONE {
                self.fill(state, 1, label);
            } else {
                self.join(state, next);
            }
        }
        if self.labels[index] == NONE {
            self.compact_if_sparse();
            let label = self.fresh_label();
            self.fill(state, 1, label);
        }
    }

    /// An edge was added between two states. O(log labels).
    #[doc(hidden)]
    pub fn join(&mut self, a: u32, b: u32) {
        if let (Some(a), Some(b)) = (self.label(a), self.label(b)) {
            self.unite(a, b);
        }
    }

    /// A state vanished, and with it the edges to its former neighbours. `adjacency` no longer
    /// knows the state.
    ///
    /// Edges between the former neighbours may have vanished too (a grid's diagonals past a
    /// corner).
    #[doc(hidden)]
    pub fn remove(&mut self, state: u32, former_neighbours: &[u32], adjacency: &impl Adjacency) {
        self.vacate(state);
        self.split(former_neighbours, adjacency);
    }

    /// Takes the label from a state that vanished. [`split`](Self::split) or
    /// [`split_within`](Self::split_within), and [`mend_names`](Self::mend_names), must follow.
    #[doc(hidden)]
    pub fn vacate(&mut self, state: u32) {
        let Some(label) = self.label(state) else { return };
        self.labels[state as usize] = NONE;
        self.sizes[label as usize] -= 1;
        if self.least[label as usize] == state {
            self.renamed.push(label);
        }
    }

    /// Edges between some of these states were removed: each of their components may have fallen
    /// apart.
    ///
    /// Takes time in proportion to all pieces but the largest of each component, times the number
    /// of suspects.
    #[doc(hidden)]
    pub fn split(&mut self, suspects: &[u32], adjacency: &impl Adjacency) {
        let _ = self.split_within(suspects, adjacency, usize::MAX);
        self.mend_names();
    }

    /// Returns the same, if the floods take no more than about `most` states. Returns the number of
    /// states flooded; `None` if they are too many: the labels then have to be built again.
    #[doc(hidden)]
    pub fn split_within(
        &mut self,
        suspects: &[u32],
        adjacency: &impl Adjacency,
        most: usize,
    ) -> Option<usize> {
        let mut seeds: Vec<(u32, u32)> =
            suspects.iter().filter_map(|&state| Some((self.label(state)?, state))).collect();
        seeds.sort_unstable();
        seeds.dedup();
        let mut flooded = 0;
        for island in seeds.chunk_by(|a, b| a.0 == b.0) {
            if island.len() > 1 {
                flooded += self.split_component(island, adjacency, most.checked_sub(flooded)?)?;
            }
        }
        Some(flooded)
    }

    /// Looks for the least states of components that lost theirs, and renumbers labels if need be.
    /// O(states between the former least state and the next).
    #[doc(hidden)]
    pub fn mend_names(&mut self) {
        while let Some(label) = self.renamed.pop() {
            if self.parents.get(label as usize) != Some(&label) || self.sizes[label as usize] == 0 {
                continue;
            }
            let former = self.least[label as usize];
            let next = (former..self.labels.len() as u32).find(|&state| {
                let of = self.labels[state as usize];
                of != NONE && (of == label || self.root(of) == label)
            });
            self.least[label as usize] = next.unwrap_or(former);
        }
        self.compact_if_sparse();
    }

    /// Floods one component from several seeds, given as (root, state), until at most one flood has
    /// more to reach.
    ///
    /// Each flood claims states by a provisional label at the end of the tables. Floods that meet
    /// are united. States without a label, and states of other components, are joined by edges that
    /// were added at the same time and are still to be followed: they are skipped.
    fn split_component(
        &mut self,
        seeds: &[(u32, u32)],
        adjacency: &impl Adjacency,
        most: usize,
    ) -> Option<usize> {
        let component = seeds[0].0;
        let base = self.parents.len() as u32;
        let mut floods: Vec<Flood> = Vec::with_capacity(seeds.len());
        for &(_, seed) in seeds {
            let label = self.fresh_label();
            self.labels[seed as usize] = label;
            self.sizes[label as usize] = 1;
            floods.push(Flood { claimed: vec![seed], frontier: VecDeque::from([seed]) });
        }

        let mut running: Vec<u32> = (base..base + seeds.len() as u32).collect();
        let mut pieces: Vec<u32> = Vec::new();
        let mut met: Vec<u32> = Vec::new();
        let mut flooded = seeds.len();
        while running.len() > 1 {
            if flooded > most {
                return None;
            }
            let mut turn = 0;
            while turn < running.len() && running.len() > 1 {
                let mut flood = running[turn];
                let Some(state) = floods[(flood - base) as usize].frontier.pop_front() else {
                    pieces.push(running.swap_remove(turn));
                    continue;
                };
                adjacency.neighbours(state, |next| {
                    let label = self.labels[next as usize];
                    if label == NONE {
                        return;
                    }
                    let owner = self.root(label);
                    if owner == component {
                        self.labels[next as usize] = flood;
                        self.sizes[flood as usize] += 1;
                        flooded += 1;
                        let reached = &mut floods[(flood - base) as usize];
                        reached.claimed.push(next);
                        reached.frontier.push_back(next);
                    } else if owner != flood && owner >= base {
                        met.push(next);
                    }
                });
                for next in met.drain(..) {
                    let other = self.root(self.labels[next as usize]);
                    if other == flood {
                        continue;
                    }
                    let winner = self.unite(flood, other);
                    let loser = if winner == flood { other } else { flood };
                    let absorbed = std::mem::take(&mut floods[(loser - base) as usize]);
                    let united = &mut floods[(winner - base) as usize];
                    united.claimed.extend(absorbed.claimed);
                    united.frontier.extend(absorbed.frontier);
                    running.retain(|&label| label != loser);
                    flood = winner;
                }
                turn += 1;
            }
        }

        // The flood that is left keeps the component's label; each finished one becomes a component
        // of its own.
        self.parents.truncate(base as usize);
        self.sizes.truncate(base as usize);
        self.least.truncate(base as usize);
        for label in running {
            for &state in &floods[(label - base) as usize].claimed {
                self.labels[state as usize] = component;
            }
        }
        for piece in pieces {
            let claimed = &floods[(piece - base) as usize].claimed;
            let label = self.fresh_label();
            for &state in claimed {
                self.labels[state as usize] = label;
                self.least[label as usize] = self.least[label as usize].min(state);
            }
            self.sizes[label as usize] = claimed.len() as u32;
            self.sizes[component as usize] -= claimed.len() as u32;
            if self.least[label as usize] == self.least[component as usize] {
                self.renamed.push(component);
            }
        }
        Some(flooded)
    }

    fn root(&self, mut label: u32) -> u32 {
        while self.parents[label as usize] != label {
            label = self.parents[label as usize];
        }
        label
    }

    /// Unites two components by their roots; the larger one's label stays.
    fn unite(&mut self, a: u32, b: u32) -> u32 {
        if a == b {
            return a;
        }
        let (large, small) =
            if self.sizes[a as usize] >= self.sizes[b as usize] { (a, b) } else { (b, a) };
        self.parents[small as usize] = large;
        self.sizes[large as usize] += self.sizes[small as usize];
        self.least[large as usize] = self.least[large as usize].min(self.least[small as usize]);
        large
    }

    /// Returns a label of no states.
    #[doc(hidden)]
    pub fn fresh_label(&mut self) -> u32 {
        let label = self.parents.len() as u32;
        self.parents.push(label);
        self.sizes.push(0);
        self.least.push(NONE);
        label
    }

    /// Renumbers the labels once edits have left many that no component needs: constant time an
    /// edit, amortised.
    fn compact_if_sparse(&mut self) {
        if self.parents.len() <= self.compact_above {
            return;
        }
        let mut renumbered = vec![NONE; self.parents.len()];
        let (mut sizes, mut least) = (Vec::new(), Vec::new());
        for state in 0..self.labels.len() {
            let Some(root) = self.label(state as u32) else { continue };
            let label = &mut renumbered[root as usize];
            if *label == NONE {
                *label = sizes.len() as u32;
                sizes.push(self.sizes[root as usize]);
                least.push(self.least[root as usize]);
            }
            self.labels[state] = *label;
        }
        self.parents = (0..sizes.len() as u32).collect();
        (self.sizes, self.least) = (sizes, least);
        self.plan_compaction();
    }

    /// Sets the number of labels beyond which they are renumbered.
    #[doc(hidden)]
    pub fn plan_compaction(&mut self) {
        self.compact_above = 2 * self.parents.len() + self.labels.len() / 4 + 64;
    }
}

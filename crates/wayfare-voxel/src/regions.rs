//! Reachability of states: the regions of all chunks, and the moves between them.
//!
//! A [region](super::partition) is a set of states of one chunk with paths between each two. There
//! is an *arc* from region `a` to region `b` if a move leads from a state of `a` to one of `b`.
//!
//! # Why the answer is exact
//!
//! Within a region every state has a path to every other. So a path leads from state `s` to state
//! `t` if and only if arcs lead from the region of `s` to that of `t`.
//!
//! Regions joined by arcs both ways form *islands*, whose labels follow edits as those of a grid
//! do. Two states of one island reach each other: no search. Between islands a search follows arcs
//! forwards from the start and backwards from the goal, a region each in turns. It ends when both
//! meet on an island, or when one side is exhausted. So it passes at most twice the regions of the
//! smaller side.
//!
//! # Edits
//!
//! Moves follow from where bodies fit, stand, swim and cling. An edit that changes none of these
//! changes no region. Else the chunks of all states whose moves it may have changed are divided
//! again. A region keeps its id if none of its remaining states lies in another region now, and no
//! state of another region lies in it. Moves from other chunks then still end in the same regions:
//! their targets did not vanish, as else these moves would have changed. Where regions were cut,
//! joined or vanished, the chunks with arcs to them are divided again too.
//!
//! Ids depend on past edits and are not shown. A region is identified by its least state.

use std::collections::{BTreeMap, BTreeSet};

use wayfare_core::inside::{Adjacency, Components};
use wayfare_core::space::Reachability;

use super::layout::{Layout, within_chunk};
use super::partition::{Divider, Exits, Partition};
use super::{Voxel, VoxelSpace};

/// The regions of a profile, kept up to date under edits.
#[derive(Clone, Debug)]
pub(crate) struct Regions {
    /// `None` for chunks without states.
    chunks: Vec<Option<Box<Divided>>>,
    graph: Graph,
    /// Ids without a region.
    unused: Vec<u32>,
    /// Labels of regions joined by arcs in both directions.
    islands: Components,
}

/// A chunk with the ids of its regions.
#[derive(Clone, Debug)]
struct Divided {
    partition: Partition,
    numbers: Vec<u32>,
}

#[derive(Clone, Debug, Default)]
struct Graph(Vec<Region>);

/// A region with its arcs, in ascending order of the regions' ids.
#[derive(Clone, Debug)]
struct Region {
    least: Voxel,
    out: Vec<u32>,
    into: Vec<u32>,
}

impl Region {
    /// Returns the regions with arcs to and from this one.
    fn joined(&self) -> impl Iterator<Item = u32> + '_ {
        self.out.iter().copied().filter(|other| self.into.binary_search(other).is_ok())
    }
}

impl Graph {
    fn of(&self, number: u32) -> &Region {
        &self.0[number as usize]
    }

    fn of_mut(&mut self, number: u32) -> &mut Region {
        &mut self.0[number as usize]
    }

    fn add(&mut self, from: u32, to: u32) {
        let insert = |list: &mut Vec<u32>, number: u32| {
            if let Err(place) = list.binary_search(&number) {
                list.insert(place, number);
            }
        };
        insert(&mut self.of_mut(from).out, to);
        insert(&mut self.of_mut(to).into, from);
    }

    /// Removes all arcs out of a region.
    fn clear_out(&mut self, number: u32) {
        for other in std::mem::take(&mut self.of_mut(number).out) {
            self.of_mut(other).into.retain(|&from| from != number);
        }
    }

    /// Removes all arcs into a region.
    fn clear_into(&mut self, number: u32) {
        for other in std::mem::take(&mut self.of_mut(number).into) {
            self.of_mut(other).out.retain(|&to| to != number);
        }
    }
}

impl Adjacency for Graph {
    fn neighbours(&self, state: u32, visit: impl FnMut(u32)) {
        self.of(state).joined().for_each(visit);
    }
}

/// A chunk that is divided again.
struct Renewed {
    chunk: usize,
    partition: Partition,
    exits: Exits,
    /// The earlier id of each region, if it keeps one.
    kept: Vec<Option<u32>>,
}

/// A set of ids, as bits.
struct Marks(Vec<u64>);

impl Marks {
    fn new(bound: usize) -> Self {
        Self(vec![0; bound.div_ceil(64)])
    }

    fn has(&self, number: u32) -> bool {
        self.0[number as usize / 64] >> (number % 64) & 1 == 1
    }

    /// Marks an id. Returns whether it was not marked before.
    fn mark(&mut self, number: u32) -> bool {
        let (word, bit) = (&mut self.0[number as usize / 64], 1 << (number % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

/// One of the two searches of [`Regions::reachability`].
struct Side {
    regions: Marks,
    islands: Marks,
    frontier: Vec<u32>,
}

impl Side {
    fn new(bound: usize, region: u32, island: u32) -> Self {
        let mut side =
            Self { regions: Marks::new(bound), islands: Marks::new(bound), frontier: vec![region] };
        side.regions.mark(region);
        side.islands.mark(island);
        side
    }
}

impl Regions {
    /// Divides all chunks of a space. O(states · moves).
    pub(super) fn new(space: &VoxelSpace<'_>) -> Self {
        let layout = &space.blocks.layout;
        let mut regions = Self {
            chunks: vec![None; layout.chunks()],
            graph: Graph::default(),
            unused: Vec::new(),
            islands: Components::default(),
        };
        let mut divider = Divider::default();
        let mut exits = Vec::new();
        for chunk in layout.chunks_on_map() {
            let (partition, out) = divider.divide(space, chunk);
            if partition.len() > 0 {
                regions.settle(chunk, partition, &[]);
                exits.push((chunk, out));
            }
        }
        for (chunk, exits) in exits {
            regions.join(layout, chunk, &exits);
        }
        let bound = regions.graph.0.len();
        regions.islands = Components::build(bound, |_| true, &regions.graph);
        regions
    }

    /// Returns the id of the region of a state.
    fn number(&self, state: Voxel) -> Option<u32> {
        let divided = self.chunks.get(state.0 as usize >> 12)?.as_ref()?;
        divided.numbers.get(divided.partition.region(state)?).copied()
    }

    /// Returns whether moves lead from one state to another. O(1) on one island, else O(arcs of the
    /// smaller side).
    pub(super) fn reachability(&self, from: Voxel, to: Voxel) -> Reachability {
        let (Some(start), Some(goal)) = (self.number(from), self.number(to)) else {
            return Reachability::Possible; // not states: something else says so
        };
        let island = |region: u32| self.islands.name(region).unwrap_or(region);
        if island(start) == island(goal) || self.leads(start, goal) {
            return Reachability::Possible;
        }
        let name = |region: u32| self.graph.of(region).least.0;
        Reachability::DifferentIslands { from: name(start), to: name(goal) }
    }

    /// Returns whether arcs lead from one region to another, on different islands.
    fn leads(&self, start: u32, goal: u32) -> bool {
        let island = |region: u32| self.islands.name(region).unwrap_or(region);
        let bound = self.graph.0.len();
        let mut sides = [start, goal].map(|region| Side::new(bound, region, island(region)));
        loop {
            for turn in [0, 1] {
                let [forward, backward] = &mut sides;
                let (own, other) =
                    if turn == 0 { (forward, backward) } else { (backward, forward) };
                let Some(region) = own.frontier.pop() else { return false };
                let Region { out, into, .. } = self.graph.of(region);
                for &next in if turn == 0 { out } else { into } {
                    if !own.regions.mark(next) {
                        continue;
                    }
                    let island = island(next);
                    if other.islands.has(island) {
                        return true;
                    }
                    own.islands.mark(island);
                    own.frontier.push(next);
                }
            }
        }
    }

    /// Follows an edit that may have changed the moves of states in some chunks.
    pub(super) fn update(&mut self, space: &VoxelSpace<'_>, changed: &BTreeSet<usize>) {
        let layout = &space.blocks.layout;
        let mut divider = Divider::default();
        let mut renewed: Vec<Renewed> =
            changed.iter().map(|&chunk| self.divide_again(space, chunk, &mut divider)).collect();
        let mut beside = BTreeSet::new();
        for renewal in &renewed {
            for &number in self.numbers(renewal.chunk).iter().filter(|&&number| {
                // Vanished, cut, or joined with another one.
                renewal.kept.iter().filter(|&&kept| kept == Some(number)).count() != 1
            }) {
                let into = self.graph.of(number).into.iter();
                beside.extend(into.map(|&from| self.graph.of(from).least.0 as usize >> 12));
            }
        }
        for &chunk in beside.difference(changed) {
            renewed.push(self.divide_again(space, chunk, &mut divider));
        }

        // Islands are mended where regions were joined before and are not now, or the reverse.
        let former: Vec<u32> =
            renewed.iter().flat_map(|one| self.numbers(one.chunk)).copied().collect();
        let joined_before: BTreeMap<u32, Vec<u32>> = former
            .iter()
            .map(|&number| (number, self.graph.of(number).joined().collect()))
            .collect();
        let mut vanished: BTreeSet<u32> = former.iter().copied().collect();
        for &number in &former {
            self.graph.clear_out(number);
        }
        let mut taken = BTreeSet::new();
        let mut exits = Vec::new();
        for Renewed { chunk, partition, exits: out, kept } in renewed {
            self.chunks[chunk] = None;
            // Of several parts of a region the first keeps its id.
            let kept: Vec<Option<u32>> =
                kept.into_iter().map(|number| number.filter(|&one| taken.insert(one))).collect();
            vanished.retain(|number| !kept.contains(&Some(*number)));
            if partition.len() > 0 {
                self.settle(chunk, partition, &kept);
            }
            exits.push((chunk, out));
        }
        for &number in &vanished {
            self.graph.clear_into(number);
            self.islands.vacate(number);
        }
        for (chunk, exits) in &exits {
            self.join(layout, *chunk, exits);
        }

        let is_joined = |a: u32, b: u32| {
            let region = self.graph.of(a);
            region.out.binary_search(&b).is_ok() && region.into.binary_search(&b).is_ok()
        };
        let apart = joined_before.iter().flat_map(|(&number, others)| {
            let apart = others.iter().filter(move |&&other| !is_joined(number, other));
            apart.flat_map(move |&other| [number, other])
        });
        let apart: Vec<u32> = apart.collect();
        self.islands.grow(self.graph.0.len());
        self.islands.split(&apart, &self.graph);
        for (chunk, _) in exits {
            for number in self.numbers(chunk).to_vec() {
                match joined_before.get(&number) {
                    None => self.islands.insert(number, self.graph.of(number).joined()),
                    Some(before) => {
                        for other in self.graph.of(number).joined() {
                            if !before.contains(&other) {
                                self.islands.join(number, other);
                            }
                        }
                    }
                }
            }
        }
        self.unused.extend(vanished);
    }

    fn numbers(&self, chunk: usize) -> &[u32] {
        self.chunks[chunk].as_ref().map_or(&[], |divided| &divided.numbers)
    }

    /// Divides a chunk, and finds the earlier ids of its regions.
    fn divide_again(&self, space: &VoxelSpace<'_>, chunk: usize, divider: &mut Divider) -> Renewed {
        let (partition, exits) = divider.divide(space, chunk);
        let mut kept = vec![None; partition.len()];
        if let Some(before) = &self.chunks[chunk] {
            let former = |state: Voxel| Some(before.numbers[before.partition.region(state)?]);
            match partition.len() {
                // One region takes the id of the only one before, else it joins several.
                1 if before.numbers.len() == 1 => kept[0] = Some(before.numbers[0]),
                _ => {
                    let mut mixed = BTreeSet::new();
                    for (region, number) in divider
                        .members()
                        .filter_map(|(region, state)| Some((region, former(state)?)))
                    {
                        match kept[region] {
                            None => kept[region] = Some(number),
                            Some(first) if first != number => {
                                mixed.extend([first, number]);
                            }
                            Some(_) => {}
                        }
                    }
                    // Joined regions count as vanished: arcs to them are found again.
                    for slot in &mut kept {
                        *slot = slot.filter(|number| !mixed.contains(number));
                    }
                }
            }
        }
        Renewed { chunk, partition, exits, kept }
    }

    /// Gives ids to the regions of a chunk: the earlier ones where `kept` says so, else new ones.
    fn settle(&mut self, chunk: usize, partition: Partition, kept: &[Option<u32>]) {
        let mut numbers = Vec::with_capacity(partition.len());
        for (region, &least) in partition.least.iter().enumerate() {
            let number = kept.get(region).copied().flatten().or_else(|| self.unused.pop());
            let number = number.unwrap_or_else(|| {
                self.graph.0.push(Region { least, out: Vec::new(), into: Vec::new() });
                self.graph.0.len() as u32 - 1
            });
            self.graph.of_mut(number).least = least;
            numbers.push(number);
        }
        self.chunks[chunk] = Some(Box::new(Divided { partition, numbers }));
    }

    /// Adds the arcs out of a chunk, between its own regions and to others.
    fn join(&mut self, layout: &Layout, chunk: usize, exits: &Exits) {
        let mut arcs: Vec<(u32, u32)> = Vec::new();
        match exits {
            Exits::Listed(exits) => {
                let numbers = self.numbers(chunk);
                arcs.extend(exits.iter().filter_map(|&(region, to)| {
                    Some((numbers[usize::from(region)], self.number(to)?))
                }));
            }
            Exits::Faces => {
                let from = self.numbers(chunk)[0];
                for face in 0..6 {
                    self.visit_face(layout, chunk, face, |to| arcs.push((from, to)));
                }
            }
        }
        arcs.sort_unstable();
        arcs.dedup();
        for (from, to) in arcs {
            self.graph.add(from, to);
        }
    }

    /// Visits the regions beside a face of a chunk.
    fn visit_face(&self, layout: &Layout, chunk: usize, face: usize, mut visit: impl FnMut(u32)) {
        let (axis, is_up) = (face / 2, face % 2 == 1);
        let mut corner = layout.corner(chunk);
        corner[axis] += if is_up { 16 } else { -16 };
        if !layout.contains(corner) {
            return;
        }
        let near = layout.chunk(corner);
        if let &[only] = self.numbers(near) {
            return visit(only);
        }
        let side = if is_up { 0 } else { 15 };
        let voxels = (0..1u32 << 12).filter(|&local| within_chunk(local)[axis] == side);
        voxels.filter_map(|local| self.number(Voxel((near << 12) as u32 | local))).for_each(visit);
    }

    pub(crate) fn size_in_bytes(&self) -> usize {
        let divided = |divided: &Divided| {
            size_of::<Divided>()
                + divided.partition.size_in_bytes()
                + divided.numbers.capacity() * size_of::<u32>()
        };
        let arcs = |region: &Region| region.out.capacity() + region.into.capacity();
        self.chunks.capacity() * size_of::<Option<Box<Divided>>>()
            + self.chunks.iter().flatten().map(|one| divided(one)).sum::<usize>()
            + self.graph.0.capacity() * size_of::<Region>()
            + self.graph.0.iter().map(arcs).sum::<usize>() * size_of::<u32>()
            + self.unused.capacity() * size_of::<u32>()
            + self.islands.size_in_bytes()
    }
}

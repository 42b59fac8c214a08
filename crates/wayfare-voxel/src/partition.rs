//! The regions of one chunk: its states, divided by mutual reachability.
//!
//! Two states of a chunk belong to one *region* if moves within the chunk lead from each to the
//! other: the strongly connected components of the moves within the chunk. Source: R. Tarjan,
//! "Depth-first search and linear graph algorithms", 1972.
//!
//! # Which moves are followed
//!
//! All of them decide, but not all are needed. A move through a volume passes a free box. So the
//! moves along one axis connect the same states, and they are reversible. All other moves of a body
//! that flies pass only free voxels, one beside the other, so the same moves connect these too.

use super::layer::Layer;
use super::layout::{CHUNK_BLOCKS, within_chunk};
use super::volume::{FACES, bits};
use super::{Voxel, VoxelSpace};

/// The regions of a chunk. Numbered in the order of their least states.
#[derive(Clone, Debug, Default)]
pub(super) struct Partition {
    /// The least state of each region.
    pub(super) least: Vec<Voxel>,
    /// Which state lies in which region, if there are several.
    table: Option<Box<Table>>,
}

/// The states of a chunk, and the region of each. 1 KB, and two bytes a state.
#[derive(Clone, Debug)]
struct Table {
    columns: Columns,
    regions: Vec<u16>,
}

/// The states of a chunk as bits, in 16 by 16 upright columns, and their ranks: the count of states
/// before each column.
#[derive(Clone, Debug)]
struct Columns {
    states: [u16; 256],
    before: [u16; 256],
}

impl Columns {
    fn new(columns: impl Iterator<Item = u16>) -> Self {
        let (mut states, mut before, mut count) = ([0; 256], [0; 256], 0);
        for (column, bits) in columns.take(256).enumerate() {
            (states[column], before[column]) = (bits, count);
            count += bits.count_ones() as u16;
        }
        Self { states, before }
    }

    fn count(&self) -> usize {
        usize::from(self.before[255]) + self.states[255].count_ones() as usize
    }

    /// Returns the rank of a state in its chunk; `None` if the voxel is no state.
    fn rank(&self, Voxel(id): Voxel) -> Option<usize> {
        let [x, y, z] = within_chunk(id & (CHUNK_BLOCKS as u32 - 1));
        let column = (z * 16 + x) as usize;
        let (bits, bit) = (self.states[column], 1u16 << y);
        let below = (bits & (bit - 1)).count_ones() as usize;
        (bits & bit != 0).then(|| usize::from(self.before[column]) + below)
    }
}

impl Partition {
    /// Returns the number of regions.
    pub(super) fn len(&self) -> usize {
        self.least.len()
    }

    /// Returns the region of a state. In a chunk of one region that of any voxel.
    pub(super) fn region(&self, state: Voxel) -> Option<usize> {
        match &self.table {
            Some(table) => Some(table.regions[table.columns.rank(state)?].into()),
            None => (!self.least.is_empty()).then_some(0),
        }
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        let table =
            |table: &Table| size_of::<Table>() + table.regions.capacity() * size_of::<u16>();
        self.least.capacity() * size_of::<Voxel>() + self.table.as_deref().map_or(0, table)
    }
}

/// The targets of the moves out of regions.
#[derive(Debug)]
pub(super) enum Exits {
    /// From its only region to all voxels beside its six faces.
    Faces,
    /// From a region to a state of another one, of the chunk or of any other.
    Listed(Vec<(u16, Voxel)>),
}

/// A mark of states that the depth-first search has not reached.
const UNSEEN: u16 = u16::MAX;

/// Divides chunks into regions. Its memory is reused from chunk to chunk.
#[derive(Default)]
pub(super) struct Divider {
    states: Vec<Voxel>,
    /// Where the moves of each state begin in `targets`; one more entry for the end.
    first: Vec<u32>,
    /// The ranks of the targets of moves.
    targets: Vec<u16>,
    /// Moves out of the chunk, by rank.
    exits: Vec<(u16, Voxel)>,
    /// The order in which the search came to each state, and the earliest open state that it leads
    /// to.
    seen: Vec<u16>,
    low: Vec<u16>,
    region: Vec<u16>,
    /// States whose region is still open.
    open: Vec<u16>,
    /// The states of the present descent, each with its next move.
    path: Vec<(u16, u32)>,
}

/// Returns whether all moves in and out of a chunk are in a volume, free in and around it.
fn is_open(layer: &Layer, chunk: usize) -> bool {
    layer.profile.moves_in_volume() && layer.volume().is_full(chunk)
}

/// Returns the states of a chunk, as columns of bits.
fn columns(layer: &Layer, chunk: usize) -> Columns {
    if layer.profile.abilities.fly {
        return Columns::new(layer.fits.columns(chunk));
    }
    let held = layer.stands.columns(chunk).zip(layer.swims.columns(chunk));
    let held = held.zip(layer.climbs.columns(chunk));
    let held = held.map(|((stands, swims), climbs)| stands | swims | climbs);
    match &layer.halves {
        Some(halves) => {
            Columns::new(held.zip(halves.columns(chunk)).map(|(whole, half)| whole | half))
        }
        None => Columns::new(held),
    }
}

/// Visits enough successors of a state to find the mutual reachability of states: see the module's
/// documentation.
fn visit_moves(space: &VoxelSpace<'_>, state: Voxel, visit: &mut impl FnMut(Voxel)) {
    let layout = &space.blocks.layout;
    if space.moves_in_volume(state) {
        let [x, y, z] = layout.around(state);
        for bit in bits(space.layer.volume().near(state).cube() & FACES) {
            let (ix, iy, iz) = (bit as usize / 3 % 3, bit as usize % 3, bit as usize / 9);
            visit(Voxel(x[ix] | y[iy] | z[iz]));
        }
    }
    if !space.layer.profile.abilities.fly {
        let at = layout.at(state);
        space.visit_other_moves(state, at, None, &mut |edge| visit(edge.target));
    }
}

impl Divider {
    /// Returns the regions of a chunk, and the targets of its moves out of it. O(states · moves).
    pub(super) fn divide(&mut self, space: &VoxelSpace<'_>, chunk: usize) -> (Partition, Exits) {
        let first = Voxel((chunk * CHUNK_BLOCKS) as u32);
        self.states.clear();
        if is_open(space.layer, chunk) {
            return (Partition { least: vec![first], table: None }, Exits::Faces);
        }
        let columns = columns(space.layer, chunk);
        if columns.count() == 0 {
            return (Partition::default(), Exits::Listed(Vec::new()));
        }
        self.collect_moves(space, chunk, &columns);
        let regions = self.find_regions();
        let mut least = vec![Voxel(u32::MAX); regions];
        for (state, &region) in self.states.iter().zip(&self.region) {
            let least = &mut least[usize::from(region)];
            *least = (*least).min(*state);
        }
        // By their least states, whatever the order in which the search closed them.
        let mut order: Vec<u16> = (0..regions as u16).collect();
        order.sort_unstable_by_key(|&region| least[usize::from(region)]);
        let mut number = vec![0; regions];
        for (place, &region) in (0..).zip(&order) {
            number[usize::from(region)] = place;
        }
        least.sort_unstable();
        for region in &mut self.region {
            *region = number[usize::from(*region)];
        }
        let mut exits: Vec<(u16, Voxel)> =
            self.exits.iter().map(|&(rank, to)| (self.region[usize::from(rank)], to)).collect();
        for rank in 0..self.states.len() {
            let region = self.region[rank];
            let targets = self.first[rank] as usize..self.first[rank + 1] as usize;
            for &target in &self.targets[targets] {
                if self.region[usize::from(target)] != region {
                    exits.push((region, self.states[usize::from(target)]));
                }
            }
        }
        exits.sort_unstable();
        exits.dedup();
        let table = || Box::new(Table { columns, regions: self.region.clone() });
        let table = (regions > 1).then(table);
        (Partition { least, table }, Exits::Listed(exits))
    }

    /// Returns the states of the chunk divided last, each with its region. None for a chunk that is
    /// open all around.
    pub(super) fn members(&self) -> impl Iterator<Item = (usize, Voxel)> + '_ {
        self.region.iter().map(|&region| region.into()).zip(self.states.iter().copied())
    }

    fn collect_moves(&mut self, space: &VoxelSpace<'_>, chunk: usize, columns: &Columns) {
        self.first.clear();
        self.targets.clear();
        self.exits.clear();
        let [x0, y0, z0] = space.blocks.layout.corner(chunk);
        for (column, &held) in (0..).zip(&columns.states) {
            for y in bits(held.into()) {
                let at = [x0 + column % 16, y0 + y as i32, z0 + column / 16];
                self.states.push(space.blocks.layout.voxel(at));
            }
        }
        for (rank, &state) in (0..).zip(&self.states) {
            self.first.push(self.targets.len() as u32);
            visit_moves(space, state, &mut |to| {
                if to.0 as usize / CHUNK_BLOCKS == chunk {
                    self.targets.extend(columns.rank(to).map(|rank| rank as u16));
                } else {
                    self.exits.push((rank, to));
                }
            });
        }
        self.first.push(self.targets.len() as u32);
    }

    /// Numbers the strongly connected components in `region`, and returns their count.
    fn find_regions(&mut self) -> usize {
        let states = self.states.len();
        for table in [&mut self.seen, &mut self.low, &mut self.region] {
            table.clear();
            table.resize(states, UNSEEN);
        }
        let (mut clock, mut regions) = (0, 0);
        for root in 0..states as u16 {
            if self.seen[usize::from(root)] != UNSEEN {
                continue;
            }
            self.arrive(root, &mut clock);
            while let Some(&(state, next)) = self.path.last() {
                let here = usize::from(state);
                if next < self.first[here + 1] {
                    if let Some(last) = self.path.last_mut() {
                        last.1 += 1;
                    }
                    let target = self.targets[next as usize];
                    let there = usize::from(target);
                    if self.seen[there] == UNSEEN {
                        self.arrive(target, &mut clock);
                    } else if self.region[there] == UNSEEN {
                        self.low[here] = self.low[here].min(self.seen[there]);
                    }
                    continue;
                }
                self.path.pop();
                if let Some(&(before, _)) = self.path.last() {
                    let before = usize::from(before);
                    self.low[before] = self.low[before].min(self.low[here]);
                }
                if self.low[here] == self.seen[here] {
                    // No move leads to a state seen before: this closes a region.
                    while let Some(member) = self.open.pop() {
                        self.region[usize::from(member)] = regions;
                        if member == state {
                            break;
                        }
                    }
                    regions += 1;
                }
            }
        }
        regions.into()
    }

    fn arrive(&mut self, state: u16, clock: &mut u16) {
        let here = usize::from(state);
        (self.seen[here], self.low[here]) = (*clock, *clock);
        *clock += 1;
        self.open.push(state);
        self.path.push((state, self.first[here]));
    }
}

//! The data that jumps over terrain of different costs read of every cell, kept up to date under
//! edits.
//!
//! The moves that a cell needs depend on the costs of nine cells ([`dominance`](super::dominance)).
//! Maps have few such neighbourhoods, so each distinct one is numbered and its moves are computed
//! once.
//!
//! # Why a line may pass cells
//!
//! A line in direction `d` passes cell `c` if `c` needs the move ahead alone, and the next cell has
//! the cost of `c`. Expanding `c` would push the next cell only. Since all passed cells have one
//! cost, the cost of the line is its length times that cost.
//!
//! # Edits
//!
//! A neighbourhood reads nine cells, so an edit renumbers the changed cells and those around them.
//! Whether a line leads anywhere follows, for the next cell `n` of `c`, from
//!
//! `leads(c) = n needs a move besides d, or n needs d and leads(n)`
//!
//! For each renumbered `n` the bit of the cell behind it is recomputed, and so on backwards while
//! bits change. As for [`signs`](super::signs), the equation then holds everywhere. Cells ahead
//! come first: by id towards the north and the west, against it towards the east and the south. So
//! every bit that is read is final, and each bit changes once at most, however many cells an edit
//! has.

use std::collections::BTreeMap;

use wayfare_core::inside::StepCosts;
use wayfare_core::space::TerrainId;

use super::accelerator::{Accelerator, Edit, Ground, Stage};
use super::bits::BitMap;
use super::dominance::{EntryCost, Needed, Neighbourhood};
use super::standing::Standing;
use crate::grid::layout::Layout;
use crate::grid::moves::{EAST, MoveTable, NORTH, SOUTH, WEST};
use crate::grid::{Cell, GridProfile};

/// The largest number of kinds of terrain with different costs.
const MOST_KINDS: usize = 255;

/// The kind of a cell that no agent can stand on.
const CLOSED: u8 = u8::MAX;

/// Kinds of nine cells: the middle one and the eight around it.
type Pattern = [u8; 9];

/// The number of the neighbourhood of a closed cell, from which no move is needed.
const NOWHERE: u32 = 0;

/// Entries in the cache of recent neighbourhoods.
const LATE: usize = 256;

/// For every cell the necessary moves by the direction of entry. For each straight direction the
/// cells that a line may pass, and the cells from which it leads anywhere. Five bytes and four bits
/// a cell.
#[derive(Clone, Debug)]
pub(in crate::grid) struct TerrainMap {
    /// The cost of entering each kind.
    kinds: Vec<EntryCost>,
    /// The kind of each terrain.
    kind_of: Vec<u8>,
    /// The neighbourhood of each cell, as a number.
    patterns: Vec<u32>,
    /// The number of each neighbourhood that occurs.
    numbers: BTreeMap<Pattern, u32>,
    /// A cache of recent numbers: the next cell's is mostly among them.
    late: Vec<u32>,
    needed: Vec<(EntryCost, Needed)>,
    /// By number: the count of cells with the neighbourhood, and the neighbourhood itself.
    counts: Vec<(u32, Pattern)>,
    /// Numbers of no neighbourhood.
    spare: Vec<u32>,
    /// Straight directions, as bits, in which a line comes to a cell where a path may have to turn.
    leads: Vec<u8>,
    /// Cells that a line to the west, or one to the east, may pass, by rows.
    pub(in crate::grid) west: BitMap,
    pub(in crate::grid) east: BitMap,
    /// The same to the north and to the south, by columns.
    pub(in crate::grid) north: BitMap,
    pub(in crate::grid) south: BitMap,
    column_stride: u32,
}

impl TerrainMap {
    /// Returns the map of a ground, where steps cost something else than their length by some
    /// terrain of the table, and cells cost nothing but by their terrain. O(cells).
    pub(super) fn of_profile(
        profile: &GridProfile,
        costs: &StepCosts,
        (standing, moves): (&Standing, &'static MoveTable),
        ground: Ground<'_>,
    ) -> Option<Self> {
        let is_told_apart = (0..=u8::MAX)
            .filter_map(|terrain| costs.get(TerrainId(terrain)))
            .any(|cost| !cost.is_length_alone() || cost.penalty > 0);
        let differs_within_a_terrain =
            profile.blur > 0 || !profile.influence.is_empty() || profile.slope_cost > 0.0;
        if !is_told_apart || differs_within_a_terrain {
            return None;
        }
        let mut map = Self::new(ground.layout, costs)?;
        let free_around = |cell| standing.is_free(cell).then(|| standing.around(cell));
        map.refresh(ground, moves, &ground.layout.cells(), free_around);
        Some(map)
    }

    /// Returns a map of no cells yet. `None` if there are more than 255 different costs, or if one
    /// is zero: the proof of the pruning is an induction over costs, and needs every step to cost
    /// more than zero.
    fn new(layout: &Layout, costs: &StepCosts) -> Option<Self> {
        let entry = |terrain: u8| {
            let cost = costs.get(TerrainId(terrain))?;
            let (straight, diagonal) = (cost.straight + cost.penalty, cost.diagonal + cost.penalty);
            Some(EntryCost { straight, diagonal })
        };
        let mut kinds: Vec<EntryCost> = (0..=u8::MAX).filter_map(entry).collect();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.len() > MOST_KINDS || kinds.iter().any(|cost| cost.straight == 0) {
            return None;
        }
        let kind = |terrain| entry(terrain).and_then(|cost| kinds.binary_search(&cost).ok());
        let transposed = Layout::new(layout.height, layout.width);
        Some(Self {
            kind_of: (0..=u8::MAX)
                .map(|terrain| kind(terrain).map_or(CLOSED, |kind| kind as u8))
                .collect(),
            patterns: vec![NOWHERE; layout.bound()],
            numbers: BTreeMap::new(),
            late: vec![NOWHERE; LATE],
            needed: vec![(EntryCost { straight: 0, diagonal: 0 }, Needed::default())],
            counts: vec![(0, [CLOSED; 9])],
            spare: Vec::new(),
            leads: vec![0; layout.bound()],
            west: BitMap::new(layout),
            east: BitMap::new(layout),
            north: BitMap::new(&transposed),
            south: BitMap::new(&transposed),
            column_stride: transposed.stride,
            kinds,
        })
    }

    /// Returns the necessary moves out of a free cell, by the direction of entry, and the cost of
    /// entering it.
    #[inline]
    pub(in crate::grid) fn at(&self, cell: Cell) -> &(EntryCost, Needed) {
        &self.needed[self.patterns[cell.0 as usize] as usize]
    }

    /// Returns the straight directions out of a cell, as bits, in which a line comes to a cell
    /// where a path may have to turn.
    #[inline]
    pub(in crate::grid) fn leads(&self, cell: Cell) -> u8 {
        self.leads[cell.0 as usize]
    }

    /// Brings `cells` up to date: the changed cells and all around them. Returns the work.
    ///
    /// `cells`: by id. `free_around`: for a free cell, the cells around it that are free in the
    /// same medium.
    fn refresh(
        &mut self,
        ground: Ground<'_>,
        moves: &MoveTable,
        cells: &(impl DoubleEndedIterator<Item = Cell> + Clone),
        free_around: impl Fn(Cell) -> Option<u8>,
    ) -> u64 {
        let mut work = 0;
        let offsets = ground.layout.offsets();
        for cell in cells.clone() {
            let (x, y) = ground.layout.coordinates(cell);
            let across = Cell((x + 1) * self.column_stride + y + 1);
            let mut passes = 0;
            work += 1;
            if let Some(free) = free_around(cell) {
                let kind = |cell| self.kind_of[usize::from(ground.terrain(cell).0)];
                let own = kind(cell);
                let around: [u8; 8] = std::array::from_fn(|bit| {
                    let next = Cell(cell.0.wrapping_add_signed(offsets[bit]));
                    if free >> bit & 1 == 1 { kind(next) } else { CLOSED }
                });
                let number = self.put(cell, own, around, moves);
                let (_, needed) = &self.needed[number as usize];
                passes = (0..8).fold(0u8, |passes, direction| {
                    let goes_on = needed[direction] == 1 << direction && around[direction] == own;
                    passes | u8::from(goes_on) << direction
                });
            } else {
                self.forget(self.patterns[cell.0 as usize]);
                (self.patterns[cell.0 as usize], self.leads[cell.0 as usize]) = (NOWHERE, 0);
            }
            self.north.set(across, passes >> NORTH & 1 == 1);
            self.west.set(cell, passes >> WEST & 1 == 1);
            self.east.set(cell, passes >> EAST & 1 == 1);
            self.south.set(across, passes >> SOUTH & 1 == 1);
        }
        for direction in [NORTH, WEST] {
            for cell in cells.clone() {
                work += self.mend_leads(cell, direction, offsets[direction]);
            }
        }
        for direction in [EAST, SOUTH] {
            for cell in cells.clone().rev() {
                work += self.mend_leads(cell, direction, offsets[direction]);
            }
        }
        work
    }

    /// Recomputes `leads` backwards along the line that comes to a cell, while it changes. Returns
    /// the number of changed cells.
    fn mend_leads(&mut self, mut next: Cell, direction: usize, offset: i32) -> u64 {
        let mut work = 0;
        loop {
            let needed = self.at(next).1[direction];
            let onward = 1 << direction;
            let leads = needed & !onward != 0 || needed & self.leads[next.0 as usize] != 0;
            next = Cell(next.0.wrapping_add_signed(-offset));
            let before = self.leads[next.0 as usize];
            let after = if leads { before | onward } else { before & !onward };
            if before == after || self.patterns[next.0 as usize] == NOWHERE {
                return work; // no line comes through a closed cell
            }
            work += 1;
            self.leads[next.0 as usize] = after;
        }
    }

    /// Stores the neighbourhood of a cell, and returns its number. Computes its moves if it is new.
    fn put(&mut self, cell: Cell, own: u8, around: [u8; 8], moves: &MoveTable) -> u32 {
        let mut pattern = [own; 9];
        pattern[1..].copy_from_slice(&around);
        let before = self.patterns[cell.0 as usize];
        if self.counts[before as usize].1 == pattern {
            return before;
        }
        let place = place_of(pattern);
        let late = self.late[place];
        let number = if self.counts[late as usize].1 == pattern {
            late
        } else {
            self.numbers.get(&pattern).copied().unwrap_or_else(|| self.add(pattern, moves))
        };
        self.late[place] = number;
        self.counts[number as usize].0 += 1;
        self.forget(before);
        self.patterns[cell.0 as usize] = number;
        number
    }

    /// Numbers a neighbourhood that no cell has yet.
    fn add(&mut self, pattern: Pattern, moves: &MoveTable) -> u32 {
        let cost = |kind: u8| self.kinds.get(usize::from(kind)).copied();
        let [own, around @ ..] = pattern;
        let centre = self.kinds[usize::from(own)];
        let needed = Neighbourhood { centre, around: around.map(cost), moves }.needed();
        let number = self.spare.pop().unwrap_or(self.needed.len() as u32);
        self.numbers.insert(pattern, number);
        if let Some(entry) = self.needed.get_mut(number as usize) {
            *entry = (centre, needed);
            self.counts[number as usize] = (0, pattern);
        } else {
            self.needed.push((centre, needed));
            self.counts.push((0, pattern));
        }
        number
    }

    /// Counts one cell less with a neighbourhood. At zero its number becomes spare.
    fn forget(&mut self, number: u32) {
        if number == NOWHERE {
            return;
        }
        let (count, pattern) = &mut self.counts[number as usize];
        *count -= 1;
        if *count == 0 {
            self.numbers.remove(pattern);
            *pattern = [CLOSED; 9]; // of no cell that is asked for
            self.spare.push(number);
        }
    }

    pub(in crate::grid) fn size_in_bytes(&self) -> usize {
        let maps = [&self.west, &self.east, &self.north, &self.south];
        self.patterns.capacity() * size_of::<u32>()
            + self.leads.capacity()
            + self.needed.capacity() * size_of::<(EntryCost, Needed)>()
            + self.numbers.len() * size_of::<(Pattern, u32)>()
            + self.counts.capacity() * size_of::<(u32, Pattern)>()
            + self.late.capacity() * size_of::<u32>()
            + self.spare.capacity() * size_of::<u32>()
            + maps.iter().map(|map| map.size_in_bytes()).sum::<usize>()
    }
}

/// Returns the cache entry of a neighbourhood.
fn place_of(pattern: Pattern) -> usize {
    let mixed = pattern.iter().fold(0u32, |mixed, &kind| {
        (mixed ^ u32::from(kind)).wrapping_mul(0x0100_0193) // FNV-1
    });
    (mixed ^ mixed >> 15) as usize % LATE
}

impl Accelerator for TerrainMap {
    const STAGE: Stage = Stage::TerrainMap;
    const READS: &'static [Stage] = &[Stage::Standing];
    type Input<'a> = (&'a Standing, &'static MoveTable);

    /// O(changed cells, their neighbours, and cells from which lines lead elsewhere now).
    fn follow(&mut self, (standing, moves): Self::Input<'_>, edit: &mut Edit<'_>) -> u64 {
        let layout = edit.ground.layout;
        let mut changed: Vec<Cell> = edit.changes.iter().map(|change| change.cell).collect();
        changed.extend(edit.flips.iter().map(|flip| flip.cell));
        changed.sort(); // two runs in order
        changed.dedup();
        // Row by row above, beside and below: three runs in order, which the sort merges.
        let mut rim: Vec<Cell> = Vec::with_capacity(changed.len() * 9);
        for row in [-(layout.stride as i32), 0, layout.stride as i32] {
            let begin = rim.len();
            for &Cell(cell) in &changed {
                for column in -1..=1 {
                    let next = Cell(cell.wrapping_add_signed(row + column));
                    if layout.contains(next) && rim[begin..].last().is_none_or(|last| *last < next)
                    {
                        rim.push(next);
                    }
                }
            }
        }
        rim.sort();
        rim.dedup();
        let free_around = |cell| standing.is_free(cell).then(|| standing.around(cell));
        self.refresh(edit.ground, moves, &rim.iter().copied(), free_around)
    }
}

//! What jumps over terrain of different costs need to know of every cell, kept up to date under edits.

use std::collections::BTreeMap;

use super::bits::BitMap;
use super::dominance::{EntryCost, Needed, Neighbourhood};
use super::layer::Ground;
use super::layout::Layout;
use super::moves::{EAST, MoveTable, NORTH, SOUTH, WEST};
use super::terrain::StepCosts;
use super::{Cell, TerrainId};

/// The most kinds of terrain that are told apart by what they cost.
const MOST_KINDS: usize = 255;

/// The kind of a place where nobody can stand.
const CLOSED: u8 = u8::MAX;

/// Kinds of nine cells: the middle one and the eight around it.
type Pattern = [u8; 9];

/// The number of the neighbourhood of a closed cell, from which no move is needed.
const NOWHERE: u16 = 0;

/// For every cell the moves that a search needs by the direction it comes from, and for each straight direction the cells
/// that it may pass over, and those from which it leads anywhere. Three bytes and four bits a cell.
#[derive(Clone, Debug)]
pub(super) struct TerrainMap {
    /// What entering each kind costs.
    kinds: Vec<EntryCost>,
    /// The kind of each terrain.
    kind_of: Vec<u8>,
    /// The neighbourhood of each cell, as a number.
    patterns: Vec<u16>,
    /// The number of each neighbourhood that occurs, or did.
    numbers: BTreeMap<Pattern, u16>,
    /// The neighbourhood that was asked for last: the next cell's is mostly the same.
    last: (Pattern, u16),
    needed: Vec<(EntryCost, Needed)>,
    /// Straight directions, as bits, in which a line comes to a cell where a path may have to turn.
    leads: Vec<u8>,
    /// Cells that a line to the west and one to the east pass over without a turn or another cost, by rows.
    pub(super) west: BitMap,
    pub(super) east: BitMap,
    /// The same to the north and to the south, by columns.
    pub(super) north: BitMap,
    pub(super) south: BitMap,
    column_stride: u32,
}

impl TerrainMap {
    /// A map of no cells yet. `None` where there are more than 255 different costs, or one is zero: then the order of states by
    /// cost, which the pruning rests on, would be none.
    pub(super) fn new(layout: &Layout, costs: &StepCosts) -> Option<Self> {
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
            last: ([CLOSED; 9], NOWHERE),
            needed: vec![(EntryCost { straight: 0, diagonal: 0 }, Needed::default())],
            leads: vec![0; layout.bound()],
            west: BitMap::new(layout),
            east: BitMap::new(layout),
            north: BitMap::new(&transposed),
            south: BitMap::new(&transposed),
            column_stride: transposed.stride,
            kinds,
        })
    }

    /// The moves that a search needs to follow out of a free cell, by the direction in which it was entered, and what
    /// entering it costs.
    #[inline]
    pub(super) fn at(&self, cell: Cell) -> &(EntryCost, Needed) {
        &self.needed[usize::from(self.patterns[cell.0 as usize])]
    }

    /// The straight directions out of a cell, as bits, in which a line comes to a cell where a path may have to turn.
    #[inline]
    pub(super) fn leads(&self, cell: Cell) -> u8 {
        self.leads[cell.0 as usize]
    }

    /// Brings some cells up to date; must be told of those around a cell that changed as well. `free_around` says which of the
    /// cells around a free one are free in the same medium. Returns false when there are more different neighbourhoods than
    /// can be numbered; the map is then of no use.
    pub(super) fn refresh(
        &mut self,
        ground: Ground<'_>,
        moves: &MoveTable,
        cells: impl Iterator<Item = Cell> + Clone,
        free_around: impl Fn(Cell) -> Option<u8>,
    ) -> bool {
        let offsets = ground.layout.offsets();
        for cell in cells.clone() {
            let (x, y) = ground.layout.coordinates(cell);
            let across = Cell((x + 1) * self.column_stride + y + 1);
            let mut passes = 0;
            if let Some(free) = free_around(cell) {
                let kind = |cell| self.kind_of[usize::from(ground.terrain(cell).0)];
                let own = kind(cell);
                let around: [u8; 8] = std::array::from_fn(|bit| {
                    let next = Cell(cell.0.wrapping_add_signed(offsets[bit]));
                    if free >> bit & 1 == 1 { kind(next) } else { CLOSED }
                });
                let Some(number) = self.number(own, around, moves) else { return false };
                self.patterns[cell.0 as usize] = number;
                let (_, needed) = &self.needed[usize::from(number)];
                passes = (0..8).fold(0u8, |passes, direction| {
                    let goes_on = needed[direction] == 1 << direction && around[direction] == own;
                    passes | u8::from(goes_on) << direction
                });
            } else {
                (self.patterns[cell.0 as usize], self.leads[cell.0 as usize]) = (NOWHERE, 0);
            }
            self.north.set(across, passes >> NORTH & 1 == 1);
            self.west.set(cell, passes >> WEST & 1 == 1);
            self.east.set(cell, passes >> EAST & 1 == 1);
            self.south.set(across, passes >> SOUTH & 1 == 1);
        }
        for cell in cells {
            for direction in [NORTH, WEST, EAST, SOUTH] {
                self.mend_leads(cell, direction, offsets[direction]);
            }
        }
        true
    }

    /// Goes back along the line that comes to a cell, for as long as what it leads to changes.
    fn mend_leads(&mut self, mut next: Cell, direction: usize, offset: i32) {
        loop {
            let needed = self.at(next).1[direction];
            let onward = 1 << direction;
            let leads = needed & !onward != 0 || needed & self.leads[next.0 as usize] != 0;
            next = Cell(next.0.wrapping_add_signed(-offset));
            let before = self.leads[next.0 as usize];
            let after = if leads { before | onward } else { before & !onward };
            if before == after || self.patterns[next.0 as usize] == NOWHERE {
                return; // no line comes through a closed cell
            }
            self.leads[next.0 as usize] = after;
        }
    }

    /// The number of a neighbourhood; works out its moves when it is the first of its like.
    fn number(&mut self, own: u8, around: [u8; 8], moves: &MoveTable) -> Option<u16> {
        let mut pattern = [own; 9];
        pattern[1..].copy_from_slice(&around);
        if self.last.0 == pattern {
            return Some(self.last.1);
        }
        if let Some(&number) = self.numbers.get(&pattern) {
            self.last = (pattern, number);
            return Some(number);
        }
        let number = u16::try_from(self.needed.len()).ok()?;
        let cost = |kind: u8| self.kinds.get(usize::from(kind)).copied();
        let centre = self.kinds[usize::from(own)];
        let needed = Neighbourhood { centre, around: around.map(cost), moves }.needed();
        self.numbers.insert(pattern, number);
        self.needed.push((centre, needed));
        Some(number)
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        let maps = [&self.west, &self.east, &self.north, &self.south];
        self.patterns.capacity() * size_of::<u16>()
            + self.leads.capacity()
            + self.needed.capacity() * size_of::<(EntryCost, Needed)>()
            + self.numbers.len() * size_of::<(Pattern, u16)>()
            + maps.iter().map(|map| map.size_in_bytes()).sum::<usize>()
    }
}

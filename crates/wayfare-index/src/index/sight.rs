//! The subgoals in sight of every cell, computed ahead so that a query need not scan around its
//! ends.

use wayfare_core::space::StateId;
use wayfare_grid::grid::Cell;

use super::frame::{IndexFileError, IndexFileFault, Words};
use super::order::Order;
use super::parallel;
use super::subgoals::Subgoals;

/// For each cell the nodes where a path from it may turn first.
#[derive(Clone, Debug)]
pub(super) struct Sight {
    /// Where the list of each cell begins.
    first: Vec<u32>,
    /// The length of each list, or [`OUTDATED`].
    lengths: Vec<u16>,
    nodes: Vec<u16>,
    /// The cells with outdated lists.
    outdated: Vec<Cell>,
    /// The number of nodes in lists that were replaced.
    unused: usize,
    /// Whether the lists are from a file, which may be forged.
    pub(super) is_read: bool,
}

/// In place of the length of a list that an edit outdated, or of a longer list than 16 bits count.
const OUTDATED: u16 = u16::MAX;

/// The count of cells that a thread scans from at a time.
const BATCH: usize = 512;

impl Sight {
    /// The most nodes that indices of 16 bits allow.
    pub(super) const MAX_NODES: usize = 1 << 16;

    /// Scans from every cell; at most [`MAX_NODES`](Self::MAX_NODES) nodes. Fails if the lists take
    /// more than `max_bytes`.
    pub(super) fn new(subgoals: &Subgoals, names: &[u32], max_bytes: usize) -> Option<Self> {
        let bound = subgoals.layout().bound();
        let most = max_bytes.checked_sub(6 * bound)? / 2;
        let mut sight = Self::with_capacity(bound, false);
        // A few batches at a time: a table that is too large is noticed before it is complete.
        for begin in (0..bound).step_by(BATCH * 64) {
            let cells = begin..(begin + BATCH * 64).min(bound);
            sight.scan(subgoals, names, cells.len(), |cell| (begin + cell) as u32);
            if sight.nodes.len() > most {
                return None;
            }
        }
        sight.nodes.shrink_to_fit();
        Some(sight)
    }

    /// Returns empty lists of all cells.
    fn with_capacity(cells: usize, is_read: bool) -> Self {
        Self {
            first: vec![0; cells],
            lengths: vec![0; cells],
            nodes: Vec::new(),
            outdated: Vec::new(),
            unused: 0,
            is_read,
        }
    }

    /// Scans from `count` cells.
    fn scan(
        &mut self,
        subgoals: &Subgoals,
        names: &[u32],
        count: usize,
        cell: impl Fn(usize) -> u32 + Sync + Send,
    ) {
        let made = parallel::map(
            count.div_ceil(BATCH),
            || (),
            |(), batch| {
                let (mut counts, mut nodes) = (Vec::with_capacity(BATCH), Vec::new());
                for at in batch * BATCH..((batch + 1) * BATCH).min(count) {
                    let before = nodes.len();
                    let cell = Cell::from_index(cell(at));
                    if subgoals.is_free(cell) {
                        subgoals.reach(cell, &mut |seen| {
                            nodes.push(names[subgoals.place(seen) as usize] as u16);
                        });
                    }
                    counts.push((nodes.len() - before) as u32);
                }
                (counts, nodes)
            },
        );
        let mut begin = self.nodes.len() as u32;
        for (batch, (counts, nodes)) in made.into_iter().enumerate() {
            for (at, count) in counts.into_iter().enumerate() {
                self.put(cell(batch * BATCH + at), begin, count);
                begin += count;
            }
            self.nodes.extend(nodes);
        }
    }

    fn put(&mut self, cell: u32, begin: u32, count: u32) {
        self.first[cell as usize] = begin;
        self.lengths[cell as usize] = count.try_into().unwrap_or(OUTDATED);
    }

    /// Returns the nodes in sight of a free cell; `None` while they are outdated.
    #[inline]
    pub(super) fn of(&self, cell: Cell) -> Option<&[u16]> {
        let cell = cell.index() as usize;
        let (first, length) = (self.first[cell] as usize, self.lengths[cell]);
        (length != OUTDATED).then(|| &self.nodes[first..first + usize::from(length)])
    }

    /// Marks the lists of cells as outdated.
    pub(super) fn outdate(&mut self, cells: &[Cell]) {
        for &cell in cells {
            let length = &mut self.lengths[cell.index() as usize];
            if *length != OUTDATED {
                self.unused += usize::from(*length);
                *length = OUTDATED;
                self.outdated.push(cell);
            }
        }
    }

    /// Scans from at most `most` cells with outdated lists.
    pub(super) fn renew(&mut self, subgoals: &Subgoals, names: &[u32], most: usize) {
        let cells = self.outdated.split_off(self.outdated.len().saturating_sub(most));
        self.scan(subgoals, names, cells.len(), |at| cells[at].index());
        if self.unused > self.nodes.len() / 2 {
            self.pack();
        }
    }

    /// Drops replaced lists.
    fn pack(&mut self) {
        let mut nodes = Vec::with_capacity(self.nodes.len() - self.unused);
        for cell in 0..self.first.len() as u32 {
            let begin = nodes.len() as u32;
            nodes.extend_from_slice(self.of(Cell::from_index(cell)).unwrap_or_default());
            self.first[cell as usize] = begin;
        }
        (self.nodes, self.unused) = (nodes, 0);
    }

    /// Returns whether no list is outdated.
    pub(super) fn is_whole(&self) -> bool {
        self.outdated.is_empty() && !self.lengths.contains(&OUTDATED)
    }

    /// Returns the number of cells, and of nodes in sight of all of them together.
    pub(super) fn counts(&self) -> [u32; 2] {
        [self.first.len() as u32, (self.nodes.len() - self.unused) as u32]
    }

    /// Returns the lists as words for a file: the length of each, then the ranks of all nodes, two
    /// to a word.
    pub(super) fn words(&self, order: &Order) -> impl Iterator<Item = u32> {
        let lengths = self.lengths.iter().map(|&length| u32::from(length));
        let cells = 0..self.first.len() as u32;
        let seen = cells.filter_map(|cell| self.of(Cell::from_index(cell))).flatten();
        let ranks: Vec<u32> = seen.map(|&node| order.rank(u32::from(node))).collect();
        let pair = |pair: &[u32]| pair[0] | pair.get(1).copied().unwrap_or(0) << 16;
        lengths.chain(ranks.chunks(2).map(pair).collect::<Vec<_>>())
    }

    /// Returns the lists that [`words`](Self::words) returned, `seen` nodes in all.
    pub(super) fn of_words(
        lengths: Words<'_>,
        pairs: Words<'_>,
        seen: usize,
        nodes: usize,
    ) -> Result<Self, IndexFileError> {
        let mut sight = Self::with_capacity(lengths.len(), true);
        let mut end = 0u32;
        for (cell, length) in lengths.enumerate() {
            let fault = IndexFileFault::Sight.at(cell);
            if length >= u32::from(OUTDATED) {
                return Err(fault);
            }
            sight.put(cell as u32, end, length);
            end = end.checked_add(length).ok_or(fault)?;
        }
        let mut all: Vec<u16> = pairs.flat_map(|pair| [pair as u16, (pair >> 16) as u16]).collect();
        all.truncate(seen);
        all.shrink_to_fit();
        if end as usize != all.len() || all.iter().any(|&node| usize::from(node) >= nodes) {
            return Err(IndexFileFault::Sight.at(sight.first.len()));
        }
        Ok(Self { nodes: all, ..sight })
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        4 * (self.first.capacity() + self.outdated.capacity())
            + 2 * (self.lengths.capacity() + self.nodes.capacity())
    }
}

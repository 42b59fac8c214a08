//! The blocks of documents: stretches of equal blocks along x, row by row, so that memory grows
//! with the content of a file and never with the size that it claims.

use std::collections::BTreeMap;

use wayfare_voxel::{BlockPosition, VoxelSize};

/// The longest side of a world: coordinates in a row have 16 bits.
pub(crate) const MOST_SIDE: u32 = 1 << 16;

/// Equal blocks along x, none of them air.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    pub(crate) first: u16,
    pub(crate) last: u16,
    pub(crate) block: u16,
}

impl Stretch {
    /// The number of blocks.
    pub fn length(self) -> u32 {
        u32::from(self.last) - u32::from(self.first) + 1
    }
}

/// The blocks that are not air. Rows are in order of y, then z; no row is empty, and no two
/// stretches could be one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rows(BTreeMap<[u16; 2], Vec<Stretch>>);

/// Narrows a coordinate that is known to lie in a world.
fn narrow(coordinate: u32) -> u16 {
    debug_assert!(coordinate < MOST_SIDE, "checked by the document");
    coordinate as u16
}

impl Rows {
    /// Gives a row its blocks, from x = 0.
    pub fn set_row(&mut self, y: u32, z: u32, blocks: impl Iterator<Item = u16>) {
        let mut row = Vec::new();
        for (x, block) in (0..=u16::MAX).zip(blocks) {
            extend(&mut row, x, block);
        }
        if !row.is_empty() {
            row.shrink_to_fit();
            self.0.insert([narrow(y), narrow(z)], row);
        }
    }

    /// Fills a stretch of a row; block 0 clears it.
    pub fn fill(&mut self, y: u32, z: u32, [first, last]: [u32; 2], block: u16) {
        let (first, last) = (narrow(first), narrow(last));
        let key = [narrow(y), narrow(z)];
        let row = self.0.entry(key).or_default();
        // The stretches that the new one covers or adjoins.
        let from = row.partition_point(|it| u32::from(it.last) + 1 < u32::from(first));
        let to = row.partition_point(|it| u32::from(it.first) <= u32::from(last) + 1);
        let mut pieces: Vec<Stretch> = Vec::with_capacity(3);
        let mut put = |piece: Stretch| match pieces.last_mut() {
            Some(before)
                if before.block == piece.block
                    && before.last.checked_add(1) == Some(piece.first) =>
            {
                before.last = piece.last;
            }
            _ => pieces.push(piece),
        };
        for it in row[from..to].iter().filter(|it| it.first < first) {
            put(Stretch { last: it.last.min(first - 1), ..*it });
        }
        if block != 0 {
            put(Stretch { first, last, block });
        }
        for it in row[from..to].iter().filter(|it| it.last > last) {
            put(Stretch { first: it.first.max(last + 1), ..*it });
        }
        row.splice(from..to, pieces);
        if row.is_empty() {
            self.0.remove(&key);
        }
    }

    /// Returns a block everywhere in a world of that size but where these rows have one.
    pub(crate) fn inverted(&self, size: VoxelSize, block: u16) -> Self {
        let mut inverted = RowsInOrder::default();
        for (y, z) in (0..size.height).flat_map(|y| (0..size.depth).map(move |z| (y, z))) {
            let mut row = Vec::new();
            let mut free_from = 0;
            for stretch in self.row(y, z) {
                if u32::from(stretch.first) > free_from {
                    row.push(Stretch { first: free_from as u16, last: stretch.first - 1, block });
                }
                free_from = u32::from(stretch.last) + 1;
            }
            if size.width > free_from {
                row.push(Stretch { first: free_from as u16, last: narrow(size.width - 1), block });
            }
            if !row.is_empty() {
                row.shrink_to_fit();
                inverted.rows.push(([narrow(y), narrow(z)], row));
            }
        }
        inverted.finish()
    }

    /// Returns the block at a position, 0 for air.
    pub fn get(&self, at: BlockPosition) -> u16 {
        let row = self.row(at.y, at.z);
        let next = row.partition_point(|it| u32::from(it.last) < at.x);
        row.get(next).filter(|it| u32::from(it.first) <= at.x).map_or(0, |it| it.block)
    }

    /// Returns the stretches of one row.
    pub(crate) fn row(&self, y: u32, z: u32) -> &[Stretch] {
        let key = u16::try_from(y).ok().zip(u16::try_from(z).ok());
        key.and_then(|(y, z)| self.0.get(&[y, z])).map_or(&[], Vec::as_slice)
    }

    /// Returns all stretches with their y and z, from the bottom up.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32, Stretch)> {
        self.0.iter().flat_map(|(&[y, z], row)| {
            row.iter().map(move |stretch| (u32::from(y), u32::from(z), *stretch))
        })
    }

    /// Returns the layers that are not all air, from the bottom up.
    pub(crate) fn layers(&self) -> impl Iterator<Item = u32> {
        let mut last = None;
        self.0.keys().filter_map(move |&[y, _]| {
            let is_next = last.replace(y) != Some(y);
            is_next.then_some(u32::from(y))
        })
    }
}

/// Rows in the making, from blocks that come in order of y, z and x.
#[derive(Default)]
pub(crate) struct RowsInOrder {
    rows: Vec<([u16; 2], Vec<Stretch>)>,
    stretches: usize,
}

impl RowsInOrder {
    /// Adds a block beyond all others. Block 0 is air.
    pub(crate) fn push(&mut self, row: [u16; 2], x: u16, block: u16) {
        if block == 0 {
            return;
        }
        match self.rows.last_mut() {
            Some((last, stretches)) if *last == row => {
                self.stretches += usize::from(extend(stretches, x, block));
            }
            _ => {
                self.rows.push((row, vec![Stretch { first: x, last: x, block }]));
                self.stretches += 1;
            }
        }
    }

    /// Adds a row of `width` equal blocks beyond all others. Block 0 is air.
    #[cfg(feature = "png")]
    pub(crate) fn push_row(&mut self, row: [u16; 2], width: u32, block: u16) {
        if block != 0 && width > 0 {
            let last = narrow(width - 1);
            self.rows.push((row, vec![Stretch { first: 0, last, block }]));
            self.stretches += 1;
        }
    }

    /// Returns how many stretches there are.
    #[cfg(any(feature = "png", feature = "schem"))]
    pub(crate) fn stretches(&self) -> usize {
        self.stretches
    }

    pub(crate) fn finish(self) -> Rows {
        Rows(self.rows.into_iter().collect())
    }
}

/// Rows in the making, from blocks that come in any order; of several at one position the last
/// counts.
#[derive(Default)]
pub struct RowsAnyhow {
    /// Position and block in one integer: y, z, x, block.
    packed: Vec<u64>,
}

impl RowsAnyhow {
    /// Adds a block.
    pub fn push(&mut self, at: BlockPosition, block: u16) {
        let [y, z, x] = [at.y, at.z, at.x].map(|part| u64::from(narrow(part)));
        self.packed.push(y << 48 | z << 32 | x << 16 | u64::from(block));
    }

    /// The rows of all blocks.
    pub fn finish(mut self) -> Rows {
        self.packed.sort_by_key(|block| block >> 16);
        let mut rows = RowsInOrder::default();
        for of_place in self.packed.chunk_by(|a, b| a >> 16 == b >> 16) {
            if let Some(block) = of_place.last() {
                let [y, z, x] = [48, 32, 16].map(|shift| (block >> shift) as u16);
                rows.push([y, z], x, *block as u16);
            }
        }
        rows.finish()
    }
}

/// Adds a block to the end of a row; true if that takes a stretch of its own.
fn extend(row: &mut Vec<Stretch>, x: u16, block: u16) -> bool {
    match row.last_mut() {
        _ if block == 0 => false,
        Some(last) if last.block == block && last.last.checked_add(1) == Some(x) => {
            last.last = x;
            false
        }
        _ => {
            row.push(Stretch { first: x, last: x, block });
            true
        }
    }
}

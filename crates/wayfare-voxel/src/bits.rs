//! Maps of one bit a voxel, in padded columns: a voxel's surroundings lie in one piece of memory.

use super::layout::{At, Layout, by_axis, within_chunk};
use super::pieces::Pieces;
use crate::Voxel;

/// Columns along x and z of a padded chunk: its own 16, and one more on each side.
const SIDE: usize = 18;
const COLUMNS: usize = SIDE * SIDE;
/// Bits of a column below the chunk's own. As many lie above.
const BELOW: u32 = 8;

/// The bits of a chunk and its surroundings: upright columns of 8 bits below, 16 of its own and 8
/// above.
type Padded = [u32; COLUMNS];

/// A bit for each voxel of a world. Chunks with equal bits in and around them share memory.
///
/// A chunk with no bit of its own set has no padding.
#[derive(Clone, Debug)]
pub struct BitMap(Pieces<COLUMNS>);

/// The bits of one chunk, from which a map is built: 16 by 16 columns of 16 bits, x first.
#[derive(Clone, Debug)]
pub enum Columns {
    /// All bits are equal.
    Uniform(bool),
    /// Bits differ.
    Mixed(Box<[u16; 256]>),
}

impl Columns {
    /// The bits of a column, from low to high.
    pub fn column(&self, x: usize, z: usize) -> u16 {
        match self {
            Self::Uniform(false) => 0,
            Self::Uniform(true) => u16::MAX,
            Self::Mixed(columns) => columns[z * 16 + x],
        }
    }
}

impl BitMap {
    /// Returns a map with all bits clear.
    pub fn clear(layout: &Layout) -> Self {
        Self(Pieces::new(layout.chunks()))
    }

    /// Returns a map with the given bits, by chunk.
    pub fn new(layout: &Layout, chunks: &[Columns]) -> Self {
        let with_bits = layout
            .chunks_on_map()
            .filter(|&chunk| !matches!(chunks[chunk], Columns::Uniform(false)));
        let padded = with_bits.map(|chunk| {
            let column = |chunk: usize, x, z| chunks[chunk].column(x, z);
            let is_set = surroundings(layout, chunk).all(|near| {
                near.is_some_and(|near| matches!(chunks[near], Columns::Uniform(true)))
            });
            (chunk, (!is_set).then(|| assemble(layout, chunk, column)))
        });
        Self(Pieces::sharing(layout.chunks(), padded))
    }

    /// Replaces all bits of a chunk.
    pub fn replace(&mut self, layout: &Layout, chunk: usize, columns: &Columns) {
        let corner = layout.corner(chunk);
        self.0.clear(chunk);
        if !matches!(columns, Columns::Uniform(false)) {
            let padded = assemble(layout, chunk, |other, x, z| {
                if other == chunk { columns.column(x, z) } else { self.own_column(other, x, z) }
            });
            self.0.put(chunk, padded);
        }
        for step in (0..27).filter(|&step| step != 13) {
            let step = [step % 3 - 1, step / 3 % 3 - 1, step / 9 - 1];
            let near = by_axis(|axis| corner[axis] + 16 * step[axis]);
            if !layout.contains(near) || self.0.is_clear(layout.chunk(near)) {
                continue;
            }
            let near = layout.chunk(near);
            let padded = assemble(layout, near, |chunk, x, z| self.own_column(chunk, x, z));
            if padded != *self.0.of(near) {
                self.0.put(near, padded);
            }
        }
    }

    /// Returns the bit of a voxel; clear off the map.
    #[inline]
    pub fn get(&self, layout: &Layout, at: At) -> bool {
        layout.contains(at) && self.get_near(layout, at)
    }

    /// Returns the bit of a voxel.
    #[inline]
    pub(crate) fn get_voxel(&self, voxel: Voxel) -> bool {
        self.near(voxel).column(0, 0) >> BELOW & 1 == 1
    }

    /// Returns the surroundings of a voxel. Meaningful only if the voxel's chunk has a bit set.
    #[inline]
    pub fn near(&self, Voxel(id): Voxel) -> Near<'_> {
        let [x, y, z] = within_chunk(id);
        Near {
            block: self.0.of(id as usize >> 12),
            corner: z as usize * SIDE + x as usize,
            shift: y,
        }
    }

    /// Returns the bit of a voxel on the map.
    #[inline]
    pub(crate) fn get_near(&self, layout: &Layout, at: At) -> bool {
        let [x, y, z]: [usize; 3] = by_axis(|axis| at[axis] as usize & 15);
        let column = (z + 1) * SIDE + x + 1;
        self.0.of(layout.chunk(at))[column] >> (y as u32 + BELOW) & 1 == 1
    }

    /// Returns the columns of the voxels of a row along x on the map, both ends included, chunk by
    /// chunk, with the shift of their bits.
    #[inline]
    fn row(
        &self,
        layout: &Layout,
        [mut x, y, z]: At,
        last_x: i32,
    ) -> (impl Iterator<Item = &[u32]>, u32) {
        let row = ((z as usize & 15) + 1) * SIDE + 1;
        let next = move || {
            let (from, to) = (x, last_x.min(x | 15));
            (from <= last_x).then(|| {
                x = to + 1;
                let [from_column, to_column] = [from, to].map(|x| row + (x as usize & 15));
                &self.0.of(layout.chunk([from, y, z]))[from_column..=to_column]
            })
        };
        (std::iter::from_fn(next), (y as u32 & 15) + BELOW)
    }

    /// Returns whether the bits of a box of voxels are set, both corners included, or not known to
    /// be if it is higher than 8 voxels. Off the map they are clear. O(columns / 4 + rows).
    pub fn all_in_box(&self, layout: &Layout, low: At, high: At) -> bool {
        let height = high[1] - low[1];
        if !layout.contains(low) || !layout.contains(high) || !(0..=7).contains(&height) {
            return false;
        }
        // The bits above a chunk's own are those of the chunk above, if any of its own is set.
        let all = |columns: &[u32]| columns.iter().fold(u32::MAX, |all, column| all & column);
        (low[2]..=high[2]).all(|z| {
            let (mut columns, shift) = self.row(layout, [low[0], low[1], z], high[0]);
            columns.all(|columns| all(columns) >> shift & ((2 << height) - 1) == (2 << height) - 1)
        })
    }

    /// Returns the bits of at most 64 voxels of a row along x, the first one first. Off the map
    /// they are clear.
    pub fn bits_in_row(&self, layout: &Layout, [x, y, z]: At, count: u32) -> u64 {
        let (from, to) = (x.max(0), (x + count as i32).min(layout.size.width as i32));
        if from >= to || !layout.contains([from, y, z]) {
            return 0;
        }
        let (columns, shift) = self.row(layout, [from, y, z], to - 1);
        let bits = columns.flatten().zip(from - x..);
        bits.fold(0, |bits, (column, at)| bits | u64::from(column >> shift & 1) << at)
    }

    /// Returns the 27 bits around a voxel: see [`Near::cube`]. Meaningful only if the voxel's chunk
    /// has a bit set.
    #[inline(always)]
    pub fn cube(&self, layout: &Layout, at: At) -> u32 {
        let [x, y, z]: [u32; 3] = by_axis(|axis| at[axis] as u32 & 15);
        let corner = z as usize * SIDE + x as usize;
        Near { block: self.0.of(layout.chunk(at)), corner, shift: y }.cube()
    }

    /// Returns whether all bits of a chunk and its surroundings are set.
    #[inline]
    pub(crate) fn is_full(&self, chunk: usize) -> bool {
        self.0.is_set(chunk)
    }

    /// Changes the bit of a voxel on the map.
    pub fn set(&mut self, layout: &Layout, at: At, bit: bool) {
        let own = layout.chunk(at);
        if self.0.is_clear(own) && bit {
            let mut padded = assemble(layout, own, |chunk, x, z| self.own_column(chunk, x, z));
            // Set the chunk's own bit too: otherwise a chunk without any would be stored.
            let local = at.map(|part| part as usize & 15);
            padded[(local[2] + 1) * SIDE + local[0] + 1] |= 1 << (local[1] as u32 + BELOW);
            self.0.put(own, padded);
        }
        let corner = layout.corner(own);
        for dz in -1..=1 {
            for dx in -1..=1 {
                for dy in -1..=1 {
                    let near = [corner[0] + 16 * dx, corner[1] + 16 * dy, corner[2] + 16 * dz];
                    let [x, y, z] = by_axis(|axis| at[axis] - near[axis]);
                    let inside =
                        (-1..=16).contains(&x) && (-8..=23).contains(&y) && (-1..=16).contains(&z);
                    if inside && layout.contains(near) {
                        let column = (z + 1) as usize * SIDE + (x + 1) as usize;
                        self.write(layout.chunk(near), column, (y + 8) as u32, bit);
                    }
                }
            }
        }
    }

    fn write(&mut self, chunk: usize, column: usize, row: u32, bit: bool) {
        if !self.0.is_clear(chunk) && (self.0.of(chunk)[column] >> row & 1 == 1) != bit {
            self.0.edit(chunk)[column] ^= 1 << row;
        }
    }

    fn own_column(&self, chunk: usize, x: usize, z: usize) -> u16 {
        (self.0.of(chunk)[(z + 1) * SIDE + x + 1] >> BELOW) as u16
    }

    /// Returns whether no bit of a chunk is set.
    pub(crate) fn is_clear(&self, chunk: usize) -> bool {
        self.0.is_clear(chunk)
    }

    /// Returns the 256 upright columns of a chunk.
    pub(crate) fn columns(&self, chunk: usize) -> impl Iterator<Item = u16> + '_ {
        (0..256).map(move |column| self.own_column(chunk, column % 16, column / 16))
    }

    pub(crate) fn size_in_bytes(&self) -> usize {
        self.0.size_in_bytes()
    }
}

/// Returns a chunk and the 26 around it; `None` for chunks off the map.
fn surroundings(layout: &Layout, chunk: usize) -> impl Iterator<Item = Option<usize>> {
    let corner = layout.corner(chunk);
    (0..27).map(move |step| {
        let step = [step % 3 - 1, step / 3 % 3 - 1, step / 9 - 1];
        let near = by_axis(|axis| corner[axis] + 16 * step[axis]);
        layout.contains(near).then(|| layout.chunk(near))
    })
}

/// Returns the bits of a chunk and its surroundings; clear off the map.
fn assemble(layout: &Layout, chunk: usize, column: impl Fn(usize, usize, usize) -> u16) -> Padded {
    let corner = layout.corner(chunk);
    let mut padded = [0; COLUMNS];
    for z in 0..SIDE {
        for x in 0..SIDE {
            let (at_x, at_z) = (corner[0] + x as i32 - 1, corner[2] + z as i32 - 1);
            let part = |y: i32| -> u32 {
                let at = [at_x, y, at_z];
                let column = layout
                    .contains(at)
                    .then(|| column(layout.chunk(at), at_x as usize & 15, at_z as usize & 15));
                column.unwrap_or(0).into()
            };
            let (below, own, above) = (part(corner[1] - 16), part(corner[1]), part(corner[1] + 16));
            padded[z * SIDE + x] = below >> 8 | own << 8 | above << 24;
        }
    }
    padded
}

/// The bits around a voxel.
#[derive(Clone, Copy)]
pub struct Near<'m> {
    block: &'m Padded,
    corner: usize,
    shift: u32,
}

/// The bit of a `Near::column` at the voxel's own height. At least 8 bits lie above it and 8
/// below.
pub const LEVEL: u32 = BELOW;

impl Near<'_> {
    /// Returns the column at an offset of at most 1 along x and z. The voxel's own height is bit
    /// [`LEVEL`].
    #[inline]
    pub fn column(&self, dx: i32, dz: i32) -> u32 {
        let at = self.corner.wrapping_add_signed(((dz + 1) * SIDE as i32 + dx + 1) as isize);
        self.block[at] >> self.shift
    }

    /// Returns the nine columns at offsets of at most 1, along x first: see [`Near::column`].
    #[inline(always)]
    pub(crate) fn columns(&self) -> [u32; 9] {
        // The slice is always long enough; the default is never used.
        let around: &[u32; 2 * SIDE + 3] =
            self.block[self.corner..].first_chunk().unwrap_or(&[0; 2 * SIDE + 3]);
        std::array::from_fn(|at| around[at / 3 * SIDE + at % 3] >> self.shift)
    }

    /// Returns the 27 voxels around, itself included, as bits: y − 1, y and y + 1 first, then along
    /// x, then z.
    #[inline(always)]
    pub fn cube(&self) -> u32 {
        let shift = self.shift + BELOW - 1;
        // The slice is always long enough; the default is never used.
        let around: &[u32; 2 * SIDE + 3] =
            self.block[self.corner..].first_chunk().unwrap_or(&[0; 2 * SIDE + 3]);
        let mut cube = 0;
        for dz in 0..3 {
            for dx in 0..3 {
                let column = around[dz * SIDE + dx] >> shift & 7;
                cube |= column << (9 * dz + 3 * dx);
            }
        }
        cube
    }
}

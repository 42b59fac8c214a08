//! Straight lines through volumes, a column of bits at a time: how far one flies along an axis until something bars or turns the way.
//!
//! The columns of a [`BitMap`] are upright; two more copies of it lie on their sides, so that lines along all three axes run
//! along columns. (Scans in words: D. Harabor, A. Grastien, "Improving jump point search", 2014.)

use super::bits::{BELOW, BitMap, Columns, SIDE};
use super::layout::{At, Layout};

/// The axes in the order in which a map that has one of them upright knows them: they change places in a ring.
const fn order(axis: usize) -> [usize; 3] {
    [(axis + 2) % 3, axis, (axis + 1) % 3]
}

/// A place with that axis upright.
#[inline]
pub(crate) fn turn<const AXIS: usize>(at: At) -> At {
    const { order(AXIS) }.map(|axis| at[axis])
}

/// A map of bits that was turned to have the x or z axis upright.
#[derive(Clone, Debug)]
struct Turned<const AXIS: usize> {
    layout: Layout,
    bits: BitMap,
}

impl<const AXIS: usize> Turned<AXIS> {
    fn clear(layout: &Layout) -> Self {
        let layout = layout.turned(order(AXIS));
        Self { layout, bits: BitMap::clear(&layout) }
    }

    fn new(layout: &Layout, chunks: &[Columns]) -> Self {
        let mut turned = Self::clear(layout);
        let mut own = vec![Columns::Uniform(false); turned.layout.chunks()];
        for chunk in layout.chunks_on_map() {
            own[turned.chunk(layout, chunk)] = Self::turned(&chunks[chunk]);
        }
        turned.bits = BitMap::new(&turned.layout, &own);
        turned
    }

    fn chunk(&self, layout: &Layout, chunk: usize) -> usize {
        self.layout.chunk(turn::<AXIS>(layout.corner(chunk)))
    }

    fn turned(columns: &Columns) -> Columns {
        let Columns::Mixed(upright) = columns else { return columns.clone() };
        let mut turned = Box::new([0u16; 256]);
        for (column, &bits) in upright.iter().enumerate() {
            for y in (0..16).filter(|y| bits >> y & 1 == 1) {
                let at = [column % 16, y, column / 16].map(|part| part as i32);
                let [x, y, z] = turn::<AXIS>(at);
                turned[(z * 16 + x) as usize] |= 1 << y;
            }
        }
        Columns::Mixed(turned)
    }
}

/// The copies of a map that lie on their sides.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    along_x: Turned<0>,
    along_z: Turned<2>,
}

impl Lines {
    /// The copies of a map of the bits given for each chunk.
    pub(crate) fn new(layout: &Layout, chunks: &[Columns]) -> Self {
        Self { along_x: Turned::new(layout, chunks), along_z: Turned::new(layout, chunks) }
    }

    /// Replaces all bits of a chunk.
    pub(crate) fn replace(&mut self, layout: &Layout, chunk: usize, columns: &Columns) {
        let Self { along_x, along_z } = self;
        let (of_x, of_z) = (along_x.chunk(layout, chunk), along_z.chunk(layout, chunk));
        along_x.bits.replace(&along_x.layout, of_x, &Turned::<0>::turned(columns));
        along_z.bits.replace(&along_z.layout, of_z, &Turned::<2>::turned(columns));
    }

    /// Changes the bit of a place on the map.
    pub(crate) fn set(&mut self, at: At, bit: bool) {
        self.along_x.bits.set(&self.along_x.layout, turn::<0>(at), bit);
        self.along_z.bits.set(&self.along_z.layout, turn::<2>(at), bit);
    }

    pub(crate) fn size_in_bytes(&self) -> usize {
        self.along_x.bits.size_in_bytes() + self.along_z.bits.size_in_bytes()
    }
}

/// A map and its copies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AllAxes<'m> {
    pub(crate) layout: &'m Layout,
    pub(crate) upright: &'m BitMap,
    pub(crate) lines: &'m Lines,
}

/// Where a line ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stop {
    /// Steps from where it began.
    pub(crate) steps: u32,
    /// Whether one may have to turn there. If not, the way is barred behind it.
    pub(crate) is_turn: bool,
}

impl AllAxes<'_> {
    /// Follows the line along an axis from a free voxel, itself not considered, to the first one that one may have to turn at.
    ///
    /// That is where one of the eight lines around it becomes free: beside it, or at an edge where the whole box ahead is free.
    #[inline]
    pub(crate) fn line<const AXIS: usize, const UP: bool>(&self, at: At) -> Stop {
        let (layout, bits) = match AXIS {
            0 => (&self.lines.along_x.layout, &self.lines.along_x.bits),
            1 => (self.layout, self.upright),
            _ => (&self.lines.along_z.layout, &self.lines.along_z.bits),
        };
        line::<UP>(layout, bits, turn::<AXIS>(at))
    }
}

/// The places of a column, the four beside it and the four at the edges among those [around](BitMap::around) it.
const MIDDLE: usize = SIDE + 1;
const BESIDE: [usize; 4] = [MIDDLE - 1, MIDDLE + 1, MIDDLE - SIDE, MIDDLE + SIDE];
/// Each corner is beside two of those.
const CORNERS: [(usize, [usize; 2]); 4] =
    [(0, [0, 2]), (2, [1, 2]), (2 * SIDE, [0, 3]), (2 * SIDE + 2, [1, 3])];

/// The line upwards or downwards.
fn line<const UP: bool>(layout: &Layout, bits: &BitMap, [x, mut y, z]: At) -> Stop {
    let mut steps = 0;
    loop {
        let chunk = layout.chunk([x, y, z]);
        let row = y as u32 & 15;
        if bits.is_full(chunk) {
            // Free all around, and somewhat beyond.
            let ahead = if UP { 16 - row } else { row + 1 };
            steps += ahead;
            y = if UP { y + ahead as i32 } else { y - ahead as i32 };
            continue;
        }
        // Each column from here on, the first bit last or, downwards, first.
        let around = bits.around(chunk, x as usize & 15, z as usize & 15);
        let shift = if UP { BELOW + row } else { u32::BITS - 1 - BELOW - row };
        let column =
            |place: usize| if UP { around[place] >> shift } else { around[place] << shift };
        let next = |word: u32| if UP { word >> 1 } else { word << 1 };
        let before = |word: u32| if UP { word << 1 } else { word >> 1 };
        let rises = |word: u32| word & !before(word);
        let first = |stops: u32| if UP { stops.trailing_zeros() } else { stops.leading_zeros() };
        let middle = column(MIDDLE);
        let beside = BESIDE.map(column);
        let mut stops = beside.into_iter().fold(!middle, |stops, beside| stops | rises(beside));
        let corners = CORNERS.map(|(place, _)| rises(column(place)));
        if next(corners.into_iter().fold(0, |any, corner| any | corner)) != 0 {
            for (corner, (place, [a, b])) in corners.into_iter().zip(CORNERS) {
                let plate = middle & beside[a] & beside[b];
                stops |= corner & plate & next(plate & column(place));
            }
        }
        let known = u32::BITS - shift - 2; // a corner takes one bit more
        let run = first(next(stops)) + 1;
        if run <= known {
            let here = if UP { middle >> run } else { middle << run };
            let is_free = if UP { here & 1 == 1 } else { here >> 31 == 1 };
            return Stop { steps: steps + run - u32::from(!is_free), is_turn: is_free };
        }
        steps += known;
        y = if UP { y + known as i32 } else { y - known as i32 };
    }
}

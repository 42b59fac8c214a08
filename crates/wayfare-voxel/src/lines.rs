//! Straight lines through a volume: the distance along an axis to the next obstacle or turning
//! point.
//!
//! For each voxel and each of the six directions a bit says whether a line in that direction stops
//! there: the voxel is blocked, or a path may have to turn. The bits of a line lie in one word, so
//! a scan passes up to sixteen voxels at once. Whether a path may have to turn depends on the 26
//! voxels around, so an edit changes the bits of these alone.
//!
//! Source: D. Harabor, A. Grastien, "Improving jump point search", 2014 (scans of rows in words).

use super::bits::BitMap;
use super::canonical::entered;
use super::layout::{At, Layout};
use super::pieces::Pieces;
use super::volume::{OPEN, bit};

/// For each axis the 16 by 16 lines of a chunk. The low 16 bits of a line serve scans up the axis,
/// the high ones scans down.
const LINES: usize = 3 * 256;

/// The voxels where lines through a volume stop.
#[derive(Clone, Debug)]
pub(crate) struct Lines(Pieces<LINES>);

/// The end of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stop {
    /// The number of free steps up to it.
    pub(crate) steps: u32,
    /// Whether a path may have to turn there. If not, the next voxel is blocked.
    pub(crate) is_turn: bool,
}

/// Returns the index of the line along an axis through a voxel, within its chunk.
#[inline]
fn line_of(axis: usize, at: At) -> usize {
    let row = |axis: usize| at[axis % 3] as usize & 15;
    axis << 8 | row(axis + 1) << 4 | row(axis + 2)
}

/// Returns the directions in which a line stops at a voxel: bit `2 · axis` for up the axis, the
/// next for down.
fn stops_at(layout: &Layout, volume: &BitMap, at: At) -> u32 {
    if !volume.get(layout, at) {
        return 0b11_1111;
    }
    let cube = volume.cube(layout, at);
    if cube == OPEN {
        return 0;
    }
    (0..6).fold(0, |stops, direction| {
        let step = step_of(direction);
        let is_entered = cube >> bit(step.map(|part| -part)) & 1 == 1;
        let is_turn = is_entered && entered()[bit(step) as usize].turns(cube);
        stops | u32::from(is_turn) << direction
    })
}

/// Returns the bits of [`stops_at`] as they lie in the voxel's line along an axis.
fn on_line(stops: u32, axis: usize, at: At) -> u32 {
    let row = at[axis] & 15;
    (stops >> (2 * axis) & 1) << row | (stops >> (2 * axis + 1) & 1) << (row + 16)
}

fn step_of(direction: usize) -> At {
    let mut step = [0; 3];
    step[direction / 2] = if direction & 1 == 0 { 1 } else { -1 };
    step
}

impl Lines {
    pub(crate) fn new(layout: &Layout, volume: &BitMap) -> Self {
        let pieces = layout.chunks_on_map().map(|chunk| (chunk, piece(layout, volume, chunk)));
        Self(Pieces::sharing(layout.chunks(), pieces.map(|(chunk, piece)| (chunk, Some(piece)))))
    }

    /// Follows the line along an axis from a free voxel, not itself considered, to the next stop.
    #[inline]
    pub(crate) fn follow<const AXIS: usize, const UP: bool>(
        &self,
        layout: &Layout,
        volume: &BitMap,
        from: At,
    ) -> Stop {
        let side = [layout.size.width, layout.size.height, layout.size.depth][AXIS];
        let mut at = from;
        loop {
            at[AXIS] += if UP { 1 } else { -1 };
            let steps = from[AXIS].abs_diff(at[AXIS]);
            if at[AXIS] as u32 >= side {
                return Stop { steps: steps - 1, is_turn: false };
            }
            let line = self.0.of(layout.chunk(at))[line_of(AXIS, at)];
            let row = at[AXIS] & 15;
            // Shifts the voxel's own bit to the first position of the scan.
            let stops =
                if UP { (line & 0xffff) >> row } else { (line & 0xffff_0000) << (15 - row) };
            if stops != 0 {
                let run = if UP { stops.trailing_zeros() } else { stops.leading_zeros() };
                at[AXIS] += if UP { run as i32 } else { -(run as i32) };
                let is_turn = volume.get_near(layout, at);
                return Stop { steps: steps + run - u32::from(!is_turn), is_turn };
            }
            at[AXIS] = if UP { at[AXIS] | 15 } else { at[AXIS] & !15 };
        }
    }

    /// Updates the lines after a bit of the volume changed.
    pub(crate) fn update(&mut self, layout: &Layout, volume: &BitMap, at: At) {
        self.update_box(layout, volume, at.map(|part| part - 1), at.map(|part| part + 1), None);
    }

    /// Updates the lines after a chunk of the volume was replaced.
    pub(crate) fn update_chunk(&mut self, layout: &Layout, volume: &BitMap, chunk: usize) {
        self.0.put(chunk, piece(layout, volume, chunk));
        let corner = layout.corner(chunk);
        let (first, last) = (corner.map(|part| part - 1), corner.map(|part| part + 16));
        self.update_box(layout, volume, first, last, Some(chunk));
    }

    /// Updates the voxels of a box, corners included, outside the chunk `known`.
    fn update_box(
        &mut self,
        layout: &Layout,
        volume: &BitMap,
        first: At,
        last: At,
        known: Option<usize>,
    ) {
        for z in first[2]..=last[2] {
            for x in first[0]..=last[0] {
                for y in first[1]..=last[1] {
                    let at = [x, y, z];
                    if !layout.contains(at) || known == Some(layout.chunk(at)) {
                        continue;
                    }
                    let (chunk, stops) = (layout.chunk(at), stops_at(layout, volume, at));
                    for axis in 0..3 {
                        let (line, row) = (line_of(axis, at), at[axis] & 15);
                        let bits = on_line(stops, axis, at);
                        let mask = 0x1_0001 << row;
                        if self.0.of(chunk)[line] & mask != bits {
                            let word = &mut self.0.edit(chunk)[line];
                            *word = *word & !mask | bits;
                        }
                    }
                }
            }
        }
    }

    pub(crate) fn size_in_bytes(&self) -> usize {
        self.0.size_in_bytes()
    }
}

fn piece(layout: &Layout, volume: &BitMap, chunk: usize) -> [u32; LINES] {
    let mut lines = [0; LINES];
    if volume.is_full(chunk) {
        return lines;
    }
    let corner = layout.corner(chunk);
    for z in 0..16 {
        for x in 0..16 {
            for y in 0..16 {
                let at = [corner[0] + x, corner[1] + y, corner[2] + z];
                let stops = stops_at(layout, volume, at);
                if stops == 0 {
                    continue;
                }
                for axis in 0..3 {
                    lines[line_of(axis, at)] |= on_line(stops, axis, at);
                }
            }
        }
    }
    lines
}

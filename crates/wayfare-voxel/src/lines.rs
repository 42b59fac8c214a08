//! Straight lines through a volume: the distance along an axis to the next obstacle or turning
//! point, and diagonals without any turning point beside them.
//!
//! For each voxel and each of the six directions a bit says whether a line in that direction stops
//! there: the voxel is blocked, or a path may have to turn. The bits of a line lie in one word, so
//! a scan passes up to sixteen voxels at once. Whether a path may have to turn depends on the 26
//! voxels around, so an edit changes the bits of these alone. Another bit a voxel and axis says
//! whether the voxel is blocked.
//!
//! # Why a diagonal turns only beside a line that does
//!
//! Let a diagonal along the axes A and B lead from `p` to `v`, and let `c` be a step across. The
//! voxels `p`, `p + a`, `p + b` and `v` are free. By [`super::canonical`] a move out of `v` is
//! forced only if `v + c` is free and one of `p + c`, `p + a + c` and `p + b + c` is blocked.
//!
//! * If `p + a + c` is blocked, so is the diagonal from `p + a` to `v + c`. Then the line along B
//!   turns at `v`.
//! * If `p + b + c` is blocked, the line along A turns at `v`.
//! * Else `p + c` is blocked and `p + a + c` is free. Then the line along A turns at `p + a`.
//!
//! Source: D. Harabor, A. Grastien, "Improving jump point search", 2014 (scans of rows in words).

use super::bits::BitMap;
use super::canonical::entered;
use super::layout::{At, Layout};
use super::pieces::Pieces;
use super::volume::{OPEN, bit, bits};

/// For each axis the 16 by 16 lines of a chunk: where they stop, a word each, the low half for
/// scans up the axis, the high one for scans down.
const LINES: usize = 3 * 256;

/// Then the blocked voxels of the lines, two lines a word.
const WALLS: usize = LINES / 2;

/// Then, for each axis and each direction along it, the ends of the lines that enter the chunk,
/// sixteen a word: whether a line stops in the chunk at all in the low half, whether a wall is its
/// first stop in the high one.
const ENTRIES: usize = 3 * 2 * 16;

type Piece = [u32; LINES + WALLS + ENTRIES];

/// The voxels where lines through a volume stop.
#[derive(Clone, Debug)]
pub(crate) struct Lines(Pieces<{ LINES + WALLS + ENTRIES }>);

/// A line through a chunk.
#[derive(Clone, Copy)]
struct Line {
    stops: u32,
    walls: u32,
}

/// The part of a line from a voxel on, itself considered, in the order of a scan up or down.
#[derive(Clone, Copy)]
struct Ahead {
    turns: u32,
    walls: u32,
}

impl Line {
    #[inline(always)]
    fn of(piece: &Piece, line: usize) -> Self {
        let walls = piece[LINES + line / 2] >> (line % 2 * 16) & 0xffff;
        Self { stops: piece[line], walls }
    }

    /// Replaces the bits of a voxel, and updates the entries of the line.
    fn write(piece: &mut Piece, line: usize, row: i32, Self { stops, walls }: Self) {
        let shift = line % 2 * 16;
        let (word, blocked) = (&mut piece[LINES + line / 2], 1 << row << shift);
        *word = *word & !blocked | walls << shift;
        piece[line] = piece[line] & !(0x1_0001 << row) | stops;
        let now = Self::of(piece, line);
        let ends = |ahead: Ahead, turns: bool| match (ahead.leaves(), turns) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 0x1_0001,
        };
        let (up, down) = (now.ahead::<true>(0), now.ahead::<false>(15));
        for (up, ends) in
            [(true, ends(up, up.turns::<true>())), (false, ends(down, down.turns::<false>()))]
        {
            let word = &mut piece[entries_of(line >> 8, up) + (line >> 4 & 15)];
            *word = *word & !(0x1_0001 << (line & 15)) | ends << (line & 15);
        }
    }

    #[inline(always)]
    fn is_blocked(self, row: i32) -> bool {
        self.walls >> row & 1 == 1
    }

    /// Returns whether a line stops at a voxel.
    #[inline(always)]
    fn stops<const UP: bool>(self, row: i32) -> bool {
        self.stops >> (row + if UP { 0 } else { 16 }) & 1 == 1
    }

    #[inline(always)]
    fn ahead<const UP: bool>(self, row: i32) -> Ahead {
        let Self { stops, walls } = self;
        let turns = if UP { stops & 0xffff } else { stops >> 16 } & !walls;
        let ahead = |bits: u32| if UP { bits >> row } else { bits << (31 - row) };
        Ahead { turns: ahead(turns), walls: ahead(walls) }
    }
}

impl Ahead {
    /// Returns whether nothing stops the line in this chunk.
    #[inline(always)]
    fn leaves(self) -> bool {
        self.turns | self.walls == 0
    }

    /// Returns whether a turn is the first stop.
    #[inline(always)]
    fn turns<const UP: bool>(self) -> bool {
        if UP {
            // The bits below the first wall; all, without one.
            self.turns & self.walls.wrapping_sub(1) & !self.walls != 0
        } else {
            self.turns > self.walls
        }
    }

    /// Returns the number of steps to the first stop, of which there is one.
    #[inline(always)]
    fn run<const UP: bool>(self) -> u32 {
        let stops = self.turns | self.walls;
        if UP { stops.trailing_zeros() } else { stops.leading_zeros() }
    }
}

/// The beginning of a diagonal: see [`Lines::calm`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Calm {
    /// The number of its steps.
    pub(crate) steps: u32,
    /// Whether the next step is blocked.
    pub(crate) is_blocked: bool,
}

/// The end of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stop {
    /// The number of free steps up to it.
    pub(crate) steps: u32,
    /// Whether a path may have to turn there. If not, the next voxel is blocked.
    pub(crate) is_turn: bool,
}

impl Calm {
    /// Ends the diagonal before the first of the given rows across, within the chunk. It begins at
    /// row `from` and goes up or down.
    #[inline(always)]
    fn end_before<const UP: bool>(&mut self, from: i32, rows: u32) {
        if rows == 0 {
            return;
        }
        let from = (from & 15) as u32;
        let first = if UP { rows.trailing_zeros() - from } else { from - rows.ilog2() };
        if first <= self.steps {
            *self = Self { steps: first - 1, is_blocked: false };
        }
    }
}

/// Returns the index of the line along an axis through a voxel, within its chunk.
#[inline]
fn line_of(axis: usize, at: At) -> usize {
    let row = |axis: usize| at[axis % 3] as usize & 15;
    axis << 8 | row(axis + 1) << 4 | row(axis + 2)
}

/// Returns the place of the ends of the lines that enter a chunk in a direction.
#[inline(always)]
fn entries_of(axis: usize, up: bool) -> usize {
    LINES + WALLS + (axis * 2 + usize::from(up)) * 16
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
fn on_line(stops: u32, is_blocked: bool, axis: usize, at: At) -> Line {
    let row = at[axis] & 15;
    Line {
        stops: (stops >> (2 * axis) & 1) << row | (stops >> (2 * axis + 1) & 1) << (row + 16),
        walls: u32::from(is_blocked) << row,
    }
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
            let line = Line::of(self.0.of(layout.chunk(at)), line_of(AXIS, at));
            let ahead = line.ahead::<UP>(at[AXIS] & 15);
            if !ahead.leaves() {
                let is_turn = ahead.turns::<UP>();
                return Stop { steps: steps + ahead.run::<UP>() - u32::from(!is_turn), is_turn };
            }
            at[AXIS] = if UP { at[AXIS] | 15 } else { at[AXIS] & !15 };
        }
    }

    /// Follows the diagonal along two axes from a free voxel, within its chunk, as long as neither
    /// it nor the lines along both axes from its voxels, the first one left out, come to a turn.
    #[inline(always)]
    pub(crate) fn calm<const A: usize, const A_UP: bool, const B: usize, const B_UP: bool>(
        &self,
        layout: &Layout,
        from: At,
    ) -> Calm {
        let piece = self.0.of(layout.chunk(from));
        let mut at = from;
        let is_last = |up: bool, row: i32| row == if up { 15 } else { 0 };
        let lines = |at: At| (Line::of(piece, line_of(A, at)), Line::of(piece, line_of(B, at)));
        let mut here = lines(at);
        // The lines that leave the chunk, as bits.
        let (mut leaving_a, mut leaving_b) = (0, 0);
        let mut calm = Calm { steps: 0, is_blocked: false };
        while !is_last(A_UP, at[A] & 15) && !is_last(B_UP, at[B] & 15) {
            at[A] += if A_UP { 1 } else { -1 };
            at[B] += if B_UP { 1 } else { -1 };
            let (a, b) = (at[A] & 15, at[B] & 15);
            let (along_a, along_b) = std::mem::replace(&mut here, lines(at));
            let (next_a, next_b) = here;
            if along_a.is_blocked(a) || along_b.is_blocked(b) || next_a.is_blocked(a) {
                calm.is_blocked = true;
                break;
            }
            let (ahead_a, ahead_b) = (next_a.ahead::<A_UP>(a), next_b.ahead::<B_UP>(b));
            if along_a.stops::<A_UP>(a) || ahead_a.turns::<A_UP>() || ahead_b.turns::<B_UP>() {
                break;
            }
            leaving_a |= u32::from(ahead_a.leaves()) << b;
            leaving_b |= u32::from(ahead_b.leaves()) << a;
            calm.steps += 1;
        }
        let turning = self.turning::<A, A_UP, B>(layout, from, leaving_a);
        calm.end_before::<B_UP>(from[B], turning);
        let turning = self.turning::<B, B_UP, A>(layout, from, leaving_b);
        calm.end_before::<A_UP>(from[A], turning);
        calm
    }

    /// Returns which of the lines along `AXIS` that leave the chunk of a voxel come to a turn, as
    /// bits along `ACROSS`.
    #[inline]
    fn turning<const AXIS: usize, const UP: bool, const ACROSS: usize>(
        &self,
        layout: &Layout,
        mut at: At,
        mut leaving: u32,
    ) -> u32 {
        let side = [layout.size.width, layout.size.height, layout.size.depth][AXIS];
        let mut turning = 0;
        while leaving != 0 {
            at[AXIS] = if UP { (at[AXIS] | 15) + 1 } else { (at[AXIS] & !15) - 1 };
            if at[AXIS] as u32 >= side {
                break;
            }
            let chunk = layout.chunk(at);
            if self.0.is_clear(chunk) {
                continue;
            }
            let piece = self.0.of(chunk);
            let ends = entries_of(AXIS, UP);
            let (stop, wall) = if ACROSS == (AXIS + 2) % 3 {
                let ends = piece[ends + (at[(AXIS + 1) % 3] as usize & 15)];
                (ends & 0xffff, ends >> 16)
            } else {
                let place = at[(AXIS + 2) % 3] & 15;
                bits(leaving).fold((0, 0), |(stop, wall), row| {
                    let ends = piece[ends + (row as usize & 15)] >> place;
                    (stop | (ends & 1) << row, wall | (ends >> 16 & 1) << row)
                })
            };
            turning |= leaving & stop & !wall;
            leaving &= !stop;
        }
        turning
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
                    let is_blocked = !volume.get(layout, at);
                    for axis in 0..3 {
                        let line = line_of(axis, at);
                        let (bits, row) = (on_line(stops, is_blocked, axis, at), at[axis] & 15);
                        let before = Line::of(self.0.of(chunk), line);
                        if before.stops & 0x1_0001 << row != bits.stops
                            || before.walls & 1 << row != bits.walls
                        {
                            Line::write(self.0.edit(chunk), line, row, bits);
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

fn piece(layout: &Layout, volume: &BitMap, chunk: usize) -> Piece {
    let mut lines = [0; LINES + WALLS + ENTRIES];
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
                let is_blocked = !volume.get(layout, at);
                for axis in 0..3 {
                    let bits = on_line(stops, is_blocked, axis, at);
                    Line::write(&mut lines, line_of(axis, at), at[axis] & 15, bits);
                }
            }
        }
    }
    lines
}

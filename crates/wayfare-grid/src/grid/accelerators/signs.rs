//! Signposts: a byte a cell that tells which jumps out of the cell lead anywhere.
//!
//! # The promise of a sign byte
//!
//! - The bit of a straight direction is set exactly if the [`scan`](super::scan) from the cell in
//!   that direction ends at a jump point. Among four neighbours only columns have these bits: jumps
//!   along rows look at every cell.
//! - The bit of a diagonal is set exactly if the cell is free and the diagonal move out of it is
//!   legal.
//!
//! A line without its bit pushes no state: each of its cells has one canonical successor, and the
//! last has none. So jumps skip the line, unless the goal is on it, which they compare apart. Most
//! lines that a diagonal crosses have no bit. The lengths of the others are left to scans.
//!
//! # Edits
//!
//! For a straight direction, let `n` be the next cell after `c`. Then
//!
//! `sign(c) = free(n) and (turns(n) or sign(n))`
//!
//! where `turns(n)` reads the cells around `n` alone. An edit of cell `p` changes `free` or `turns`
//! in the row of `p` and the two beside it, at most from one cell before `p` to one after. It hence
//! changes the right side for `c` at `p` and up to two cells before it. Any other sign changes only
//! if the sign of its next cell does. So [`Signposts::update`] recomputes three cells. If the last
//! of them changed, those behind it have its sign, up to the first cell that is blocked or turns,
//! which a scan finds. Each sign is recomputed after the last change of the sign that it reads, so
//! that the equation holds everywhere again. Along a line it has one solution: the signs of a fresh
//! build.
//!
//! A diagonal bit reads the nine cells around, so an edit rewrites nine cells.
//!
//! Lines with many changed cells, and new maps, are filled by words: see
//! [`sign_words`](super::sign_words).
//!
//! Source of the tables that signs replace: D. Harabor, A. Grastien, "Improving jump point search",
//! 2014, which store the length of each jump.

use std::sync::OnceLock;

use super::accelerator::{Accelerator, Edit, MoveRule, Stage};
use super::bits::BitMap;
use super::scan::{Always, BothFree, OneFree, Turns};
use super::sign_words::SignWriter;
use super::standing::Standing;
use crate::grid::layout::Layout;
use crate::grid::moves::{DIAGONALS, MoveTable};
use crate::grid::{Cell, CornerRule, Neighbours, moves};

/// A line with more changed cells than [`MENDED`], and one more for each [`CELLS_TO_MENDED`] of its
/// cells, is filled, not mended place by place.
const MENDED: u32 = 4;
const CELLS_TO_MENDED: u32 = 96;

/// The bit of north.
pub const NORTH: u8 = 1 << moves::NORTH;
/// The bit of west.
pub const WEST: u8 = 1 << moves::WEST;
/// The bit of east.
pub const EAST: u8 = 1 << moves::EAST;
/// The bit of south.
pub const SOUTH: u8 = 1 << moves::SOUTH;

/// The directions out of each cell that lead anywhere, as bits in the order of `moves`. A byte a
/// cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signposts(Vec<u8>);

/// The map that signs are about.
#[derive(Clone, Copy)]
pub struct Signed<'m> {
    /// Where the cells lie.
    pub layout: &'m Layout,
    /// The free cells.
    pub rows: &'m BitMap,
    /// The same map transposed.
    pub columns: &'m BitMap,
    /// The stride of the transposed map.
    pub column_stride: u32,
    /// The neighbours of a cell.
    pub neighbours: Neighbours,
    /// The rule for corners.
    pub corners: CornerRule,
    /// The moves by these rules.
    pub moves: &'m MoveTable,
}

/// The signs of each medium. Built when first asked for, and kept up to date from then on.
///
/// They are asked for on uniform-cost terrain alone, but do not depend on costs. So the edit that
/// takes the last swamp from a map costs as much as any other.
#[derive(Clone, Debug)]
pub(in crate::grid) struct Signs(Vec<OnceLock<Signposts>>);

impl Signs {
    pub(super) fn new(media: usize) -> Self {
        Self(vec![OnceLock::new(); media])
    }

    /// Returns the signs of a medium whose map is `map`, built now if need be.
    pub(super) fn find(&self, medium: usize, map: Signed<'_>) -> Option<&Signposts> {
        self.0.get(medium).map(|signs| signs.get_or_init(|| Signposts::new(map)))
    }

    /// Returns the signs of each medium, if they were asked for.
    #[inline(always)]
    pub(super) fn of_media(&self) -> &[OnceLock<Signposts>] {
        &self.0
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        self.0.iter().filter_map(OnceLock::get).map(Signposts::size_in_bytes).sum()
    }
}

impl Accelerator for Signs {
    const STAGE: Stage = Stage::Signs;
    const READS: &'static [Stage] = &[Stage::Standing];
    type Input<'a> = (&'a Standing, MoveRule);

    /// O(signs that change), at most O(cells of the rows and columns beside changed cells).
    fn follow(&mut self, (standing, rule): Self::Input<'_>, edit: &mut Edit<'_>) -> u64 {
        let mut work = 0;
        for (medium, signs) in self.0.iter_mut().enumerate() {
            if let (Some(signs), Some(map)) =
                (signs.get_mut(), standing.map_of(medium, edit.ground.layout, rule))
            {
                let changed: Vec<Cell> = edit.flips_of(medium).map(|flip| flip.cell).collect();
                work += signs.update(map, &changed);
            }
        }
        work
    }
}

/// The rows of a map, or its columns.
struct Lines<'m> {
    map: &'m BitMap,
    stride: u32,
    /// The number of lines, and the cells of each.
    count: u32,
    length: u32,
    /// The distance between the signs of neighbours along a line, and between those of adjacent
    /// lines.
    along: u32,
    across: u32,
    is_column: bool,
    /// The signs of lines towards higher ids and towards lower.
    bits: [u8; 2],
}

impl Lines<'_> {
    #[inline]
    fn cell(&self, line: u32, place: u32) -> Cell {
        Cell((line + 1) * self.stride + place + 1)
    }

    /// Rows are filled one by one. Columns are filled by eight, which lie in one byte of each row.
    fn group(&self, line: u32) -> u32 {
        if self.is_column { (line + 1) / 8 } else { line }
    }

    /// Returns the line of a cell and the place in it.
    fn place(&self, layout: &Layout, cell: Cell) -> (u32, u32) {
        let (x, y) = layout.coordinates(cell);
        if self.is_column { (x, y) } else { (y, x) }
    }

    /// Returns for each line whether more than `most` cells of it and the two beside it changed;
    /// nothing if no line has as many.
    fn with_more(&self, layout: &Layout, changed: &[Cell], most: u32) -> Vec<bool> {
        if changed.len() <= most as usize {
            return Vec::new();
        }
        let mut counts = vec![0u32; self.count as usize + 2];
        for &cell in changed {
            let (line, _) = self.place(layout, cell);
            counts[line as usize..][..3].iter_mut().for_each(|count| *count += 1);
        }
        counts[1..=self.count as usize].iter().map(|&count| count > most).collect()
    }

    #[inline]
    fn sign(&self, line: u32, place: u32) -> usize {
        ((line + 1) * self.across + (place + 1) * self.along) as usize
    }

    fn bit<const FORWARD: bool>(&self) -> u8 {
        self.bits[usize::from(!FORWARD)]
    }

    /// Returns the number of cells behind a place, counted from the end of a direction, whose sign
    /// is that of the next cell: up to the first cell, the place included, that is blocked or where
    /// a path may turn. O(1 + cells / 54).
    fn handing_on<T: Turns, const FORWARD: bool>(&self, line: u32, place: u32) -> u32 {
        // From the second cell of a word on, and to the last but one of those that are valid.
        const LOOKED_AT: u32 = 54;
        let looked_at = ((1u64 << LOOKED_AT) - 1) << 1;
        let mut cells = 0;
        loop {
            // The word begins with the cell ahead.
            let (rows, looked_at) = if FORWARD {
                let from = self.cell(line, place + 1 - cells);
                (self.map.rows::<false>(from), looked_at.reverse_bits())
            } else {
                let from = self.cell(line, place + cells - 1);
                (self.map.rows::<true>(from), looked_at)
            };
            let stops = (!rows.here | T::of::<FORWARD>(rows)) & looked_at;
            if stops != 0 {
                let at = if FORWARD { stops.leading_zeros() } else { stops.trailing_zeros() };
                return cells + at - 1;
            }
            cells += LOOKED_AT;
        }
    }
}

impl<'m> Signed<'m> {
    /// Returns the lines that have signs: the columns, and among eight neighbours the rows.
    fn lines(self) -> impl Iterator<Item = Lines<'m>> {
        let Layout { width, height, stride, .. } = *self.layout;
        let rows = Lines {
            map: self.rows,
            stride,
            count: height,
            length: width,
            along: 1,
            across: stride,
            is_column: false,
            bits: [EAST, WEST],
        };
        let columns = Lines {
            map: self.columns,
            stride: self.column_stride,
            count: width,
            length: height,
            along: stride,
            across: 1,
            is_column: true,
            bits: [SOUTH, NORTH],
        };
        let has_rows = self.neighbours == Neighbours::Eight;
        has_rows.then_some(rows).into_iter().chain([columns])
    }
}

impl Signposts {
    /// Returns the signs of a whole map. O(cells).
    pub fn new(map: Signed<'_>) -> Self {
        let mut signs = Self(vec![0; map.layout.bound()]);
        let mut writer = SignWriter::default();
        for lines in map.lines() {
            let mut filled = None;
            for line in 0..lines.count {
                let group = lines.group(line);
                if filled.replace(group) != Some(group) {
                    signs.fill_line(map, &lines, &mut writer, line);
                }
            }
        }
        signs
    }

    /// Brings the signs up to date after some cells became free or blocked. Returns the work.
    ///
    /// Each changed cell concerns three rows and three columns: O(signs that change), by the
    /// argument at the head of this module. Lines with many changed cells are refilled: O(their
    /// cells).
    pub fn update(&mut self, map: Signed<'_>, changed: &[Cell]) -> u64 {
        if changed.is_empty() {
            return 0;
        }
        let mut work = changed.len() as u64;
        let mut writer = SignWriter::default();
        // A line and the place in it of each changed cell, in its own line and the two beside it.
        let mut places: Vec<(u32, u32)> = Vec::with_capacity(3 * changed.len());
        for lines in map.lines() {
            let most = MENDED + lines.length / CELLS_TO_MENDED;
            let filled = lines.with_more(map.layout, changed, most);
            let mut group = None;
            for (line, _) in (0..).zip(&filled).filter(|(_, is_filled)| **is_filled) {
                if group.replace(lines.group(line)) != Some(lines.group(line)) {
                    self.fill_line(map, &lines, &mut writer, line);
                    work += u64::from(lines.length);
                }
            }
            places.clear();
            for &cell in changed {
                let (line, place) = lines.place(map.layout, cell);
                let beside = line.saturating_sub(1)..=(line + 1).min(lines.count - 1);
                let mended = beside.filter(|&line| filled.get(line as usize) != Some(&true));
                places.extend(mended.map(|line| (line, place)));
            }
            places.sort_unstable_by_key(|&(line, place)| line << 16 | place);
            places.dedup();
            for places in places.chunk_by(|one, other| one.0 == other.0) {
                work += self.mend_line(map, &lines, places);
            }
        }
        work
    }

    /// Returns the sign of every cell, by its id.
    #[inline]
    pub fn of_cells(&self) -> &[u8] {
        &self.0
    }

    pub(in crate::grid) fn size_in_bytes(&self) -> usize {
        self.0.len()
    }

    /// Writes the diagonals of the cells of a row around some places.
    fn write_diagonals(&mut self, map: Signed<'_>, places: &[(u32, u32)]) {
        let mut begin = 0;
        for &(row, place) in places {
            let end = (place + 2).min(map.layout.width);
            for x in place.saturating_sub(1).max(begin)..end {
                let cell = map.layout.cell(x, row);
                let moves = match map.rows.get(cell) {
                    true => map.moves[usize::from(map.rows.around(cell))],
                    false => 0,
                };
                let sign = &mut self.0[cell.0 as usize];
                *sign = *sign & !DIAGONALS | moves & DIAGONALS;
            }
            begin = end;
        }
    }

    /// Fills a row with its diagonals, or all columns of the group that a column is in.
    fn fill_line(
        &mut self,
        map: Signed<'_>,
        lines: &Lines<'_>,
        writer: &mut SignWriter,
        line: u32,
    ) {
        match (map.neighbours, map.corners) {
            (Neighbours::Four, _) | (_, CornerRule::BothFree) => {
                self.fill_line_by::<BothFree>(map, lines, writer, line);
            }
            (_, CornerRule::OneFree) => self.fill_line_by::<OneFree>(map, lines, writer, line),
            (_, CornerRule::Always) => self.fill_line_by::<Always>(map, lines, writer, line),
        }
    }

    fn fill_line_by<T: Turns>(
        &mut self,
        map: Signed<'_>,
        lines: &Lines<'_>,
        writer: &mut SignWriter,
        line: u32,
    ) {
        if lines.is_column {
            let columns = (map.columns, map.column_stride, map.layout);
            writer.fill_columns::<T>(columns, &mut self.0, lines.group(line));
        } else {
            writer.fill_row::<T>((map.rows, map.layout), &mut self.0, line);
        }
    }

    /// Mends both directions of a line at the places of changed cells, or of cells beside them, in
    /// order, and the diagonals of a row. Returns the work.
    fn mend_line(&mut self, map: Signed<'_>, lines: &Lines<'_>, places: &[(u32, u32)]) -> u64 {
        if !lines.is_column {
            self.write_diagonals(map, places);
        }
        match (map.neighbours, map.corners) {
            (Neighbours::Four, _) | (_, CornerRule::BothFree) => {
                self.mend_both::<BothFree>(lines, places)
            }
            (_, CornerRule::OneFree) => self.mend_both::<OneFree>(lines, places),
            (_, CornerRule::Always) => self.mend_both::<Always>(lines, places),
        }
    }

    fn mend_both<T: Turns>(&mut self, lines: &Lines<'_>, places: &[(u32, u32)]) -> u64 {
        let (line, each) = (places[0].0, places.iter().map(|&(_, place)| place));
        self.mend_direction::<T, true>(lines, line, each.clone().rev())
            + self.mend_direction::<T, false>(lines, line, each)
    }

    /// Goes back from each place for as long as signs change, the foremost place first.
    fn mend_direction<T: Turns, const FORWARD: bool>(
        &mut self,
        lines: &Lines<'_>,
        line: u32,
        mut places: impl Iterator<Item = u32>,
    ) -> u64 {
        let bit = lines.bit::<FORWARD>();
        let mut following = places.next();
        let mut work = 0;
        while let Some(mut place) = following {
            let mut behind = 0;
            // The three cells whose sign may change first.
            loop {
                if following == Some(place) {
                    (behind, following) = (0, places.next());
                }
                let rows = lines.map.rows::<FORWARD>(lines.cell(line, place));
                let is_next =
                    |word: u64| if FORWARD { word >> 1 & 1 == 1 } else { word >> 62 & 1 == 1 };
                let next = || {
                    let next = if FORWARD { place + 1 } else { place - 1 }; // is free: on the map
                    self.0[lines.sign(line, next)] & bit != 0
                };
                let leads = is_next(rows.here) && (is_next(T::of::<FORWARD>(rows)) || next());
                let sign = &mut self.0[lines.sign(line, place)];
                let before = *sign;
                *sign = if leads { before | bit } else { before & !bit };
                work += 1;
                if if FORWARD { place == 0 } else { place + 1 == lines.length } {
                    return work;
                }
                if behind >= 2 {
                    if *sign != before {
                        // The next place is recomputed apart.
                        let end = following.unwrap_or(if FORWARD { 0 } else { lines.length - 1 });
                        work += self.hand_on::<T, FORWARD>(lines, line, [place, end]);
                    }
                    break;
                }
                behind += 1;
                place = if FORWARD { place - 1 } else { place + 1 };
            }
        }
        work
    }

    /// Gives the cells behind a place its sign, up to an end, as far as signs depend on the next
    /// one: to the first cell, itself included, that is blocked or where a path may turn. Returns
    /// the number of cells.
    fn hand_on<T: Turns, const FORWARD: bool>(
        &mut self,
        lines: &Lines<'_>,
        line: u32,
        [place, end]: [u32; 2],
    ) -> u64 {
        let cells = lines.handing_on::<T, FORWARD>(line, place).min(place.abs_diff(end));
        let bit = lines.bit::<FORWARD>();
        let sign = self.0[lines.sign(line, place)] & bit;
        let [first, last] = if FORWARD { [place - cells, place] } else { [place, place + cells] };
        let signs = &mut self.0[lines.sign(line, first)..=lines.sign(line, last)];
        if lines.along == 1 {
            signs.iter_mut().for_each(|of| *of = *of & !bit | sign);
        } else {
            let signs = signs.iter_mut().step_by(lines.along as usize);
            signs.for_each(|of| *of = *of & !bit | sign);
        }
        cells.into()
    }
}

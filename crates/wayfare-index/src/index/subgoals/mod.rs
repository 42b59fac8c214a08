//! Subgoals: the cells at obstacle corners, and the subgoals reachable from a cell without a turn
//! at another subgoal.
//!
//! A *corner* of a free cell is a blocked diagonal neighbour with both cells beside it free. A
//! *subgoal* is a free cell with a corner.
//!
//! # Why cheapest paths turn only at subgoals
//!
//! Let a cheapest path turn at cell `c`, arriving in direction `d` and leaving in direction `e`,
//! 45° apart. The path may swap the two steps and pass `c - d + e` instead of `c`, at the same
//! cost, unless one of the cells that the swapped steps need is blocked. All of them but one are
//! free, because the original steps need them too. The last one is the diagonal neighbour on the
//! inner side of the turn:
//!
//! * Arriving straight, it lies behind `c`: for east then north-east it is the north-west
//!   neighbour.
//! * Arriving diagonally, it lies beside the path: for north-east then east it is the south-east
//!   one.
//!
//! So a turn that cannot be swapped goes around a corner of `c`, and `c` is a subgoal. Sharper
//! turns can be cut short at a lower cost, except a right angle between straight moves, which a
//! blocked inner diagonal forces: again a corner. With four neighbours that is the only kind of
//! turn.
//!
//! Now swap wherever possible. Between two turns that remain, the path uses at most two directions,
//! 45° apart (with four neighbours 90°), in any order. So it costs as much as on an empty map, and
//! the order "diagonal steps first" ("along the row first") represents all of them.
//!
//! # Why a scan may leave subgoals out
//!
//! Whether a corner of `c` can be turned around depends on the direction of arrival and of
//! departure ([`Corners`] lists both). Subgoals that cannot turn the path are skipped. So is a
//! subgoal `s` beyond another one `r` on the same scan where the path may turn as well: the edges
//! to `r` and from `r` to `s` together cost as much. By the same argument the lines beside a
//! diagonal never reach further than the line before them: if the cell one diagonal step back is
//! not open, the two orders cannot be swapped there, so a subgoal lies between.
//!
//! `tests/grid/index.rs` compares all pairs of cells on random maps with Dijkstra's algorithm.
//!
//! Rows and columns are bit maps, one for each direction of arrival, so that a scan finds the end
//! of a line by counting ones.
//!
//! Sources: T. Uras, S. Koenig, C. Hernández, "Subgoal graphs for optimal pathfinding in
//! eight-neighbor grids", 2013. T. Uras, S. Koenig, "Speeding-up any-angle path-planning on grids",
//! 2015, for taut paths, which turn only around corners.

mod scan;

use wayfare_core::space::{Cost, DIAGONAL, Revision, STRAIGHT, StateId};
use wayfare_grid::grid::{Cell, CornerRule, GridSpace, Neighbours};
use wayfare_grid::inside::{BitMap, Layout, MoveTable, move_table};

use self::scan::Scan;
use super::readers::Readers;

/// The subgoals of a grid, in order of their cells.
#[derive(Clone, Debug)]
pub(super) struct Subgoals {
    layout: Layout,
    transposed: Layout,
    pub(super) has_diagonals: bool,
    /// The moves for each pattern of free neighbours.
    moves: &'static MoveTable,
    /// The free cells of each medium.
    free: Vec<BitMap>,
    /// The open cells of each medium.
    open: Vec<Open>,
    /// The subgoals.
    marks: BitMap,
    /// The number of subgoals before each block of 64 cells.
    before: Vec<u32>,
    cells: Vec<Cell>,
}

/// The free cells where a path that arrives in a given direction need not turn.
#[derive(Clone, Debug)]
pub(super) struct Open {
    west: BitMap,
    east: BitMap,
    /// By columns; so is `south`.
    north: BitMap,
    south: BitMap,
    /// For arrival to the north-west or south-east: by rows and by columns.
    pub(super) falling: [BitMap; 2],
    /// For arrival to the north-east or south-west: by rows and by columns.
    pub(super) rising: [BitMap; 2],
}

/// The corners of a free cell, as bits for its four diagonal neighbours. A diagonal neighbour is a
/// corner if it is blocked and the two cells beside it are free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Corners(u8);

impl Corners {
    const NORTH_WEST: u8 = 1;
    const NORTH_EAST: u8 = 2;
    const SOUTH_WEST: u8 = 4;
    const SOUTH_EAST: u8 = 8;
    // A path that moves straight turns around a corner behind the cell, on either side. The
    // constant of a direction serves arrivals in it and departures in the opposite one.
    const WEST: u8 = Self::NORTH_EAST | Self::SOUTH_EAST;
    const EAST: u8 = Self::NORTH_WEST | Self::SOUTH_WEST;
    const NORTH: u8 = Self::SOUTH_WEST | Self::SOUTH_EAST;
    const SOUTH: u8 = Self::NORTH_WEST | Self::NORTH_EAST;
    // A path that moves diagonally turns around a corner beside it, both arriving and departing.
    const FALLING: u8 = Self::NORTH_EAST | Self::SOUTH_WEST;
    const RISING: u8 = Self::NORTH_WEST | Self::SOUTH_EAST;
    const ANY: u8 = 15;

    /// Returns the corners of a free cell, from the bits of the cells around it.
    fn among(around: u8) -> Self {
        const BITS: [(u8, u8); 4] =
            [(0, 0b0000_1010), (2, 0b0001_0010), (5, 0b0100_1000), (7, 0b0101_0000)];
        let mut corners = 0;
        for (corner, (bit, beside)) in BITS.into_iter().enumerate() {
            let is_corner = around & beside == beside && around >> bit & 1 == 0;
            corners |= u8::from(is_corner) << corner;
        }
        Self(corners)
    }

    fn turn(self, coming: u8) -> bool {
        self.0 & coming != 0
    }
}

/// The corners of a node's cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct CornerBits(Corners);

impl CornerBits {
    /// Returns whether a diagonal neighbour is a corner, of neighbours counted clockwise from
    /// north.
    pub(super) fn has(self, neighbour: u8) -> bool {
        let corner = match neighbour {
            1 => Corners::NORTH_EAST,
            3 => Corners::SOUTH_EAST,
            5 => Corners::SOUTH_WEST,
            7 => Corners::NORTH_WEST,
            _ => return false,
        };
        self.0.turn(corner)
    }
}

/// The columns and rows from one cell to another.
#[derive(Clone, Copy)]
pub(super) struct By {
    x: i32,
    y: i32,
}

impl By {
    /// Returns the way between two cells, from their coordinates.
    #[inline]
    pub(super) fn between(from: (u32, u32), to: (u32, u32)) -> Self {
        Self { x: to.0 as i32 - from.0 as i32, y: to.1 as i32 - from.1 as i32 }
    }

    /// Returns the cost on an empty map.
    #[inline]
    pub(super) fn cost(self, has_diagonals: bool) -> u32 {
        let (x, y) = (self.x.unsigned_abs(), self.y.unsigned_abs());
        if has_diagonals {
            let (long, short) = (x.max(y), x.min(y));
            (long - short) * STRAIGHT + short * DIAGONAL
        } else {
            (x + y) * STRAIGHT
        }
    }

    /// Returns the last step, with diagonal steps first (with four neighbours: along the row
    /// first), by its number in the order of [`Layout::offsets`]. Any for a cell itself.
    #[inline]
    pub(super) fn last(self, has_diagonals: bool) -> usize {
        let (x, y) = (self.x.abs(), self.y.abs());
        // Without branches, which would be taken at random: -1 if the step is along the row or
        // along the column.
        let along_row = if has_diagonals { (y - x) >> 31 } else { (y - 1) >> 31 };
        let along_column = if has_diagonals { (x - y) >> 31 } else { -y >> 31 };
        Self::step(self.x.signum() & !along_column, self.y.signum() & !along_row)
    }

    /// Returns the first step in the same order.
    fn first(self, has_diagonals: bool) -> usize {
        let y = if has_diagonals || self.x == 0 { self.y.signum() } else { 0 };
        Self::step(self.x.signum(), y)
    }

    #[inline]
    fn step(x: i32, y: i32) -> usize {
        // More entries than are used, so that no place needs a check.
        const STEPS: [u8; 16] = [0, 1, 2, 3, 4, 4, 5, 6, 7, 0, 0, 0, 0, 0, 0, 0];
        usize::from(STEPS[((y + 1) * 3 + x + 1) as usize & 15])
    }
}

/// A cell in the map by rows and in the map by columns.
#[derive(Clone, Copy)]
struct CellPair {
    row: Cell,
    column: Cell,
}

#[inline(always)]
fn step<const FORWARD: bool>(cell: Cell, by: u32) -> Cell {
    Cell::from_index(if FORWARD { cell.index() + by } else { cell.index() - by })
}

/// Returns the number of steps along a straight line to the first cell that is not open. Larger
/// than `most` if the first `most` cells are open.
#[inline(always)]
fn run<const FORWARD: bool>(open: &BitMap, from: Cell, most: u32) -> u32 {
    /// Bytes that a look advances by, and the bits of the cells ahead of the first.
    const STEP: usize = 6;
    const SEEN: u64 = (2 << (8 * STEP)) - 2;
    let bit = from.index() & 7;
    let mut byte = BitMap::byte(from);
    let mut begun = 0;
    loop {
        let at = if FORWARD {
            (!(open.word(byte) >> bit) & SEEN).trailing_zeros()
        } else {
            (!(open.word(byte.wrapping_sub(7)) << (7 - bit)) & SEEN.reverse_bits()).leading_zeros()
        };
        if at < 64 {
            return begun + at;
        }
        begun += 8 * STEP as u32;
        if begun >= most {
            return u32::MAX;
        }
        byte = if FORWARD { byte + STEP } else { byte.wrapping_sub(STEP) };
    }
}

impl Subgoals {
    /// Finds the subgoals of a grid. O(cells).
    pub(super) fn new<C: Cost>(space: &GridSpace<'_, C>) -> Self {
        let layout = *space.layout();
        let transposed = Layout::new(layout.height, layout.width);
        let mut subgoals = Self {
            layout,
            transposed,
            has_diagonals: space.profile().neighbours == Neighbours::Eight,
            moves: move_table(space.profile().neighbours, CornerRule::BothFree),
            free: space.free_cells().cloned().collect(),
            open: vec![Open::new(&layout, &transposed); space.free_cells().len()],
            marks: BitMap::new(&layout),
            before: Vec::new(),
            cells: Vec::new(),
        };
        for medium in 0..subgoals.free.len() {
            for cell in layout.cells() {
                if subgoals.free[medium].get(cell) && subgoals.note(medium, cell) {
                    subgoals.marks.set(cell, true);
                    subgoals.cells.push(cell);
                }
            }
        }
        subgoals.cells.sort_unstable();
        subgoals.count();
        subgoals
    }

    /// Notes where a free cell is open. Returns whether it is a subgoal.
    fn note(&mut self, medium: usize, cell: Cell) -> bool {
        let corners = Corners::among(self.free[medium].around(cell));
        let (x, y) = self.layout.coordinates(cell);
        let at = CellPair { row: cell, column: self.transposed.cell(y, x) };
        self.open[medium].set(at, corners);
        corners.turn(Corners::ANY)
    }

    /// Counts the subgoals before each block.
    fn count(&mut self) {
        self.before.clear();
        self.before.resize(self.layout.bound() / 64 + 2, 0);
        for cell in &self.cells {
            self.before[cell.index() as usize / 64 + 1] += 1;
        }
        for block in 1..self.before.len() {
            self.before[block] += self.before[block - 1];
        }
    }

    /// Returns whether these can become the subgoals of a space by [`update`](Self::update).
    pub(super) fn fits<C: Cost>(&self, space: &GridSpace<'_, C>) -> bool {
        self.layout == *space.layout()
            && self.has_diagonals == (space.profile().neighbours == Neighbours::Eight)
            && self.free.len() == space.free_cells().len()
    }

    /// Follows an edit. Returns the cells whose scans may have other results than before, in no
    /// order.
    ///
    /// O(cells / 64 + subgoals), and the area in sight of the edit.
    pub(super) fn update(&mut self, free: &[&BitMap]) -> Vec<Cell> {
        let mut changed = Vec::new();
        for (known, free) in self.free.iter_mut().zip(free) {
            changes(known, free, &mut changed);
            known.clone_from(free);
        }
        let mut subgoals = std::mem::take(&mut self.cells);
        let around = self.layout.offsets();
        let beside =
            |cell: Cell, offset: i32| Cell::from_index(cell.index().wrapping_add_signed(offset));
        let mut near: Vec<Cell> = changed
            .iter()
            .flat_map(|&cell| around.map(|offset| beside(cell, offset)))
            .chain(changed.iter().copied())
            .filter(|&cell| self.layout.contains(cell))
            .collect();
        near.sort_unstable();
        near.dedup();
        for &cell in &near {
            let mut is_subgoal = false;
            for medium in 0..self.free.len() {
                if self.free[medium].get(cell) {
                    is_subgoal = self.note(medium, cell);
                } else {
                    let (x, y) = self.layout.coordinates(cell);
                    let at = CellPair { row: cell, column: self.transposed.cell(y, x) };
                    self.open[medium].set(at, Corners(Corners::ANY));
                }
            }
            if is_subgoal && !self.marks.get(cell) {
                subgoals.push(cell);
            }
            self.marks.set(cell, is_subgoal);
        }
        subgoals.retain(|&cell| self.marks.get(cell));
        subgoals.sort_unstable();
        self.cells = subgoals;
        self.count();
        let mut readers = Readers::new(&self.layout);
        for &cell in &near {
            readers.find_one(cell);
            for at in around.map(|offset| beside(cell, offset)).into_iter().chain([cell]) {
                for (free, open) in self.free.iter().zip(&self.open) {
                    if free.get(at) {
                        readers.find(self, free, open, at);
                    }
                }
            }
        }
        readers.cells
    }

    /// Returns the subgoals in ascending order of their ids.
    pub(super) fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Returns the position of a subgoal among all subgoals.
    #[inline]
    pub(super) fn place(&self, cell: Cell) -> u32 {
        let block = cell.index() & !63;
        let word = self.marks.word(BitMap::byte(Cell::from_index(block)));
        let earlier = word & ((1 << (cell.index() & 63)) - 1);
        self.before[block as usize / 64] + earlier.count_ones()
    }

    /// Returns the position of the subgoal at a cell; `None` if there is none.
    pub(super) fn find(&self, cell: Cell) -> Option<u32> {
        self.marks.get(cell).then(|| self.place(cell))
    }

    /// Returns the layout of the grid.
    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the cost between two cells on an empty map.
    #[inline]
    pub(super) fn distance(&self, a: Cell, b: Cell) -> u32 {
        self.by(self.layout.coordinates(a), b).cost(self.has_diagonals)
    }

    /// Returns the corners of a subgoal.
    pub(super) fn corners(&self, cell: Cell) -> CornerBits {
        let free = self.free.iter().find(|free| free.get(cell));
        CornerBits(free.map_or(Corners(0), |free| Corners::among(free.around(cell))))
    }

    /// Returns the first step of an edge between two cells with diagonal steps first (with four
    /// neighbours: along the row first), and the first step in the other order. Steps are numbered
    /// in the order of [`Layout::offsets`].
    pub(super) fn departures(&self, from: Cell, to: Cell) -> [usize; 2] {
        let by = self.by(self.layout.coordinates(from), to);
        [by.first(self.has_diagonals), by.last(self.has_diagonals)]
    }

    /// Returns the way from a cell at `from` to another one.
    #[inline]
    pub(super) fn by(&self, from: (u32, u32), to: Cell) -> By {
        By::between(from, self.layout.coordinates(to))
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        self.open
            .iter()
            .flat_map(Open::maps)
            .chain(&self.free)
            .map(BitMap::size_in_bytes)
            .sum::<usize>()
            + self.marks.size_in_bytes()
            + 4 * (self.before.capacity() + self.cells.capacity())
    }

    /// Visits the subgoals where a path from a free cell may turn first. The path to each costs as
    /// much as on an empty map.
    pub(super) fn reach(&self, from: Cell, visit: &mut impl FnMut(Cell)) {
        let Some((open, free)) = self.around(from) else { return };
        Scan { subgoals: self, open, free, leaving: Corners(Corners::ANY) }.all(from, visit);
    }

    /// Returns whether the path between two free cells of a layout with the diagonal steps first
    /// (with four neighbours: along the row first) is free.
    pub(super) fn is_open<C: Cost>(
        &self,
        space: &GridSpace<'_, C>,
        from: Cell,
        goal: Cell,
    ) -> bool {
        let Some((open, free)) = self.around(from) else { return false };
        let [(first, count, _), (second, rest, _)] = space.legs_of_jump(from, goal);
        let middle = Cell::from_index(from.index().wrapping_add_signed(first * count as i32));
        // The straight part is looked along many cells at a time, so it comes first.
        self.is_line_open((open, free), middle, (second, rest))
            && self.is_line_open((open, free), from, (first, count))
    }

    /// Returns whether a number of equal steps from a free cell is free.
    fn is_line_open(
        &self,
        (open, free): (&Open, &BitMap),
        from: Cell,
        (step, count): (i32, u32),
    ) -> bool {
        let stride = self.layout.stride as i32;
        if count == 0 {
            return true;
        }
        if step.unsigned_abs() == 1 {
            let end = if step > 0 {
                run::<true>(free, from, count)
            } else {
                run::<false>(free, from, count)
            };
            return end > count;
        }
        if step.unsigned_abs() == stride.unsigned_abs() {
            return self.is_column_open((open, free), from, (step, count));
        }
        let Some(bit) = self.layout.offsets().iter().position(|&offset| offset == step) else {
            return false;
        };
        let mut at = from.index();
        (0..count).all(|_| {
            let goes = self.moves(free, Cell::from_index(at)) >> bit & 1 == 1;
            at = at.wrapping_add_signed(step);
            goes
        })
    }

    /// Returns whether a number of equal steps along a column is free.
    ///
    /// The maps by columns tell where cells are open. Any other cell on the way may be free too.
    fn is_column_open(
        &self,
        (open, free): (&Open, &BitMap),
        from: Cell,
        (step, count): (i32, u32),
    ) -> bool {
        let (x, y) = self.layout.coordinates(from);
        let mut begun = 0;
        while begun < count {
            let (y, left) = (y.wrapping_add_signed(step.signum() * begun as i32), count - begun);
            let at = self.transposed.cell(y, x);
            let steps = if step > 0 {
                run::<true>(&open.south, at, left)
            } else {
                run::<false>(&open.north, at, left)
            };
            if steps > left {
                return true;
            }
            begun += steps;
            if !free.get(self.layout.cell(x, y.wrapping_add_signed(step.signum() * steps as i32))) {
                return false;
            }
        }
        true
    }

    /// Visits the subgoals where a path that turned at the subgoal `from` may turn next.
    pub(super) fn reach_next(&self, from: Cell, visit: &mut impl FnMut(Cell)) {
        let Some((open, free)) = self.around(from) else { return };
        let leaving = Corners::among(free.around(from));
        Scan { subgoals: self, open, free, leaving }.all(from, visit);
    }

    /// Returns the maps of the medium that a free cell belongs to; `None` for other cells.
    fn around(&self, cell: Cell) -> Option<(&Open, &BitMap)> {
        self.open.iter().zip(&self.free).find(|(_, free)| free.get(cell))
    }

    /// Returns whether a cell is free.
    pub(super) fn is_free(&self, cell: Cell) -> bool {
        self.around(cell).is_some()
    }

    /// Returns the moves out of a free cell, as bits.
    #[inline]
    fn moves(&self, free: &BitMap, cell: Cell) -> u8 {
        self.moves[usize::from(free.around(cell))]
    }

    /// Returns the cells that are free in a space of this layout and were not when this was found.
    /// O(cells / 64).
    pub(super) fn opened<C: Cost>(&self, space: &GridSpace<'_, C>) -> Vec<Cell> {
        let mut opened = Vec::new();
        for (known, free) in self.free.iter().zip(space.free_cells()) {
            let mut changed = Vec::new();
            changes(known, free, &mut changed);
            opened.extend(changed.into_iter().filter(|&cell| free.get(cell)));
        }
        opened
    }

    /// Brings what [`opened`](Self::opened) returned in some revision up to date. O(tiles + cells
    /// of those edited since / 32).
    pub(super) fn reopen<C: Cost>(
        &self,
        space: &GridSpace<'_, C>,
        since: Revision,
        opened: &mut Vec<Cell>,
    ) {
        let rows: Vec<(Cell, u32)> = space.grid().rows_edited_since(since).collect();
        let is_in = |cell: &Cell, (first, cells): (Cell, u32)| {
            cell.index().wrapping_sub(first.index()) < cells
        };
        opened.retain(|cell| !rows.iter().any(|&row| is_in(cell, row)));
        for (known, free) in self.free.iter().zip(space.free_cells()) {
            for &(first, cells) in &rows {
                let of_row = |map: &BitMap| {
                    let word = map.word(BitMap::byte(first)) >> (first.index() % 8);
                    word & ((1 << cells) - 1)
                };
                let mut bits = of_row(free) & !of_row(known);
                while bits != 0 {
                    opened.push(Cell::from_index(first.index() + bits.trailing_zeros()));
                    bits &= bits - 1;
                }
            }
        }
    }
}

impl Open {
    fn new(rows: &Layout, columns: &Layout) -> Self {
        let (rows, columns) = (BitMap::new(rows), BitMap::new(columns));
        Self {
            west: rows.clone(),
            east: rows.clone(),
            north: columns.clone(),
            south: columns.clone(),
            falling: [rows.clone(), columns.clone()],
            rising: [rows, columns],
        }
    }

    fn maps(&self) -> impl Iterator<Item = &BitMap> {
        [&self.west, &self.east, &self.north, &self.south]
            .into_iter()
            .chain(&self.falling)
            .chain(&self.rising)
    }

    /// Sets where a cell is open that has these corners.
    fn set(&mut self, at: CellPair, corners: Corners) {
        self.west.set(at.row, !corners.turn(Corners::WEST));
        self.east.set(at.row, !corners.turn(Corners::EAST));
        self.north.set(at.column, !corners.turn(Corners::NORTH));
        self.south.set(at.column, !corners.turn(Corners::SOUTH));
        for (maps, coming) in
            [(&mut self.falling, Corners::FALLING), (&mut self.rising, Corners::RISING)]
        {
            maps[0].set(at.row, !corners.turn(coming));
            maps[1].set(at.column, !corners.turn(coming));
        }
    }
}

/// Adds the cells that one of two maps has to `changed`.
fn changes(one: &BitMap, other: &BitMap, changed: &mut Vec<Cell>) {
    /// Words that are compared at once.
    const BLOCK: usize = 64;
    let first = BitMap::byte(Cell::from_index(0));
    let blocks = one.bytes().chunks(8 * BLOCK).zip(other.bytes().chunks(8 * BLOCK));
    for (block, _) in (0..).zip(blocks).filter(|(_, (a, b))| a != b) {
        for byte in (BLOCK * block..BLOCK * (block + 1)).map(|word| 8 * word) {
            let mut bits = one.word(byte) ^ other.word(byte);
            while bits != 0 {
                changed.push(Cell::from_index((8 * (byte - first)) as u32 + bits.trailing_zeros()));
                bits &= bits - 1;
            }
        }
    }
}

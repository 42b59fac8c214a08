//! Signposts: whether a jump that leaves a cell in a direction leads anywhere, a bit a direction.
//!
//! The tables of D. Harabor, A. Grastien, "Improving jump point search", 2014, say how far each jump goes. Most lines that a
//! diagonal crosses go nowhere: a bit spares looking along them, while how far the others go is a scan's business. So an edit
//! changes the signs of the cells from which lines now end another way, and no others.

use super::bits::BitMap;
use super::layout::Layout;
use super::moves::{self, DIAGONALS, MoveTable};
use super::scan::{Always, BothFree, OneFree, Turns};
use super::{Cell, CornerRule, Neighbours};

/// Straight directions as bits.
pub(super) const NORTH: u8 = 1 << moves::NORTH;
pub(super) const WEST: u8 = 1 << moves::WEST;
pub(super) const EAST: u8 = 1 << moves::EAST;
pub(super) const SOUTH: u8 = 1 << moves::SOUTH;

/// Which of the directions out of each cell lead anywhere, as bits in the order of [`super::moves`]: a straight one if its line
/// ends where a path may have to turn, a diagonal one if the next cell can be stepped to. A byte a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Signposts(Vec<u8>);

/// The map that signs are about.
#[derive(Clone, Copy)]
pub(super) struct Signed<'m> {
    pub(super) layout: &'m Layout,
    pub(super) rows: &'m BitMap,
    /// The same map transposed.
    pub(super) columns: &'m BitMap,
    pub(super) column_stride: u32,
    pub(super) neighbours: Neighbours,
    pub(super) corners: CornerRule,
    pub(super) moves: &'m MoveTable,
}

/// The rows of a map, or its columns.
struct Lines<'m> {
    map: &'m BitMap,
    stride: u32,
    /// How many there are, and the cells of each.
    count: u32,
    length: u32,
    /// From a cell's sign to that of the next along its line, and of its like in the next line.
    along: u32,
    across: u32,
    /// The signs of lines towards higher ids and towards lower.
    bits: [u8; 2],
}

impl Lines<'_> {
    #[inline]
    fn cell(&self, line: u32, place: u32) -> Cell {
        Cell((line + 1) * self.stride + place + 1)
    }

    #[inline]
    fn sign(&self, line: u32, place: u32) -> usize {
        ((line + 1) * self.across + (place + 1) * self.along) as usize
    }

    fn bit<const FORWARD: bool>(&self) -> u8 {
        self.bits[usize::from(!FORWARD)]
    }
}

impl<'m> Signed<'m> {
    fn lines(self) -> [Lines<'m>; 2] {
        let Layout { width, height, stride, .. } = *self.layout;
        let rows = Lines {
            map: self.rows,
            stride,
            count: height,
            length: width,
            along: 1,
            across: stride,
            bits: [EAST, WEST],
        };
        let columns = Lines {
            map: self.columns,
            stride: self.column_stride,
            count: width,
            length: height,
            along: stride,
            across: 1,
            bits: [SOUTH, NORTH],
        };
        [rows, columns]
    }
}

impl Signposts {
    /// The signs of a whole map. O(cells).
    pub(super) fn new(map: Signed<'_>) -> Self {
        let mut signs = Self(vec![0; map.layout.bound()]);
        for cell in map.layout.cells() {
            signs.write_diagonals(map, cell);
        }
        for lines in map.lines() {
            match (map.neighbours, map.corners) {
                (Neighbours::Four, _) | (_, CornerRule::BothFree) => signs.fill::<BothFree>(&lines),
                (_, CornerRule::OneFree) => signs.fill::<OneFree>(&lines),
                (_, CornerRule::Always) => signs.fill::<Always>(&lines),
            }
        }
        signs
    }

    /// Brings the signs up to date after a cell became free or blocked. After several did, to be called for each, in any order.
    /// Takes O(signs that change).
    pub(super) fn update(&mut self, map: Signed<'_>, changed: Cell) {
        let (x, y) = map.layout.coordinates(changed);
        for offset in map.layout.offsets().into_iter().chain([0]) {
            let cell = Cell(changed.0.wrapping_add_signed(offset));
            if map.layout.contains(cell) {
                self.write_diagonals(map, cell);
            }
        }
        for (lines, (line, place)) in map.lines().iter().zip([(y, x), (x, y)]) {
            match (map.neighbours, map.corners) {
                (Neighbours::Four, _) | (_, CornerRule::BothFree) => {
                    self.mend::<BothFree>(lines, line, place);
                }
                (_, CornerRule::OneFree) => self.mend::<OneFree>(lines, line, place),
                (_, CornerRule::Always) => self.mend::<Always>(lines, line, place),
            }
        }
    }

    /// The sign of every cell, by its id.
    #[inline]
    pub(super) fn of_cells(&self) -> &[u8] {
        &self.0
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        self.0.len()
    }

    fn write_diagonals(&mut self, map: Signed<'_>, cell: Cell) {
        let moves =
            if map.rows.get(cell) { map.moves[usize::from(map.rows.around(cell))] } else { 0 };
        let sign = &mut self.0[cell.0 as usize];
        *sign = *sign & !DIAGONALS | moves & DIAGONALS;
    }

    fn fill<T: Turns>(&mut self, lines: &Lines<'_>) {
        for line in 0..lines.count {
            self.fill_line::<T, true>(lines, line);
            self.fill_line::<T, false>(lines, line);
        }
    }

    /// Goes along a line from stop to stop.
    fn fill_line<T: Turns, const FORWARD: bool>(&mut self, lines: &Lines<'_>, line: u32) {
        let bit = lines.bit::<FORWARD>();
        let mut passed = 0;
        while passed < lines.length {
            let place = |passed| if FORWARD { passed } else { lines.length - 1 - passed };
            let from = lines.cell(line, place(passed));
            let stop = lines.map.scan::<T, FORWARD>(from, lines.map.rows::<FORWARD>(from));
            let end = (passed + stop.steps).min(lines.length);
            if stop.is_jump_point {
                for passed in passed..end {
                    self.0[lines.sign(line, place(passed))] |= bit;
                }
            }
            passed = end;
        }
    }

    fn mend<T: Turns>(&mut self, lines: &Lines<'_>, line: u32, place: u32) {
        for line in line.saturating_sub(1)..=(line + 1).min(lines.count - 1) {
            self.mend_line::<T, true>(lines, line, place);
            self.mend_line::<T, false>(lines, line, place);
        }
    }

    /// Goes back from a changed cell, or one beside it, for as long as signs change.
    fn mend_line<T: Turns, const FORWARD: bool>(
        &mut self,
        lines: &Lines<'_>,
        line: u32,
        mut place: u32,
    ) {
        let bit = lines.bit::<FORWARD>();
        // What ends a line one cell before and after may have changed too.
        for behind in 0.. {
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
            let is_last = if FORWARD { place == 0 } else { place + 1 == lines.length };
            if is_last || behind >= 2 && *sign == before {
                return;
            }
            place = if FORWARD { place - 1 } else { place + 1 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::moves::move_table;
    use super::*;
    use proptest::prelude::*;

    struct World {
        layout: Layout,
        transposed: Layout,
        rows: BitMap,
        columns: BitMap,
        neighbours: Neighbours,
        corners: CornerRule,
    }

    impl World {
        fn new(width: u32, height: u32, neighbours: Neighbours, corners: CornerRule) -> Self {
            let (layout, transposed) = (Layout::new(width, height), Layout::new(height, width));
            let (rows, columns) = (BitMap::new(&layout), BitMap::new(&transposed));
            Self { layout, transposed, rows, columns, neighbours, corners }
        }

        fn flip(&mut self, x: u32, y: u32) -> Cell {
            let cell = self.layout.cell(x, y);
            let free = !self.rows.get(cell);
            self.rows.set(cell, free);
            self.columns.set(self.transposed.cell(y, x), free);
            cell
        }

        fn signed(&self) -> Signed<'_> {
            Signed {
                layout: &self.layout,
                rows: &self.rows,
                columns: &self.columns,
                column_stride: self.transposed.stride,
                neighbours: self.neighbours,
                corners: self.corners,
                moves: move_table(self.neighbours, self.corners),
            }
        }
    }

    /// Whether a line ends at a jump point.
    fn leads<T: Turns, const FORWARD: bool>(map: &BitMap, from: Cell) -> bool {
        map.scan::<T, FORWARD>(from, map.rows::<FORWARD>(from)).is_jump_point
    }

    proptest! {
        #[test]
        fn signs_say_what_scans_find_and_stay_right_under_edits(
            (width, height) in (1u32..90, 1u32..12),
            rule in 0usize..4,
            walls in prop::collection::vec((any::<u32>(), any::<u32>()), 0..60),
            edits in prop::collection::vec(prop::collection::vec((any::<u32>(), any::<u32>()), 1..4), 0..8),
        ) {
            let (neighbours, corners) = [
                (Neighbours::Four, CornerRule::BothFree),
                (Neighbours::Eight, CornerRule::BothFree),
                (Neighbours::Eight, CornerRule::OneFree),
                (Neighbours::Eight, CornerRule::Always),
            ][rule];
            let mut world = World::new(width, height, neighbours, corners);
            for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
                world.flip(x, y);
            }
            for (x, y) in walls {
                world.flip(x % width, y % height);
            }
            let mut signs = Signposts::new(world.signed());
            for batch in edits {
                let changed: Vec<Cell> =
                    batch.into_iter().map(|(x, y)| world.flip(x % width, y % height)).collect();
                for cell in changed {
                    signs.update(world.signed(), cell);
                }
                prop_assert!(signs == Signposts::new(world.signed()));
            }
            for cell in world.layout.cells() {
                let (x, y) = world.layout.coordinates(cell);
                let (rows, columns) = (&world.rows, &world.columns);
                let across = world.transposed.cell(y, x);
                let straight = match corners {
                    CornerRule::BothFree => [
                        leads::<BothFree, true>(rows, cell), leads::<BothFree, false>(rows, cell),
                        leads::<BothFree, true>(columns, across), leads::<BothFree, false>(columns, across),
                    ],
                    CornerRule::OneFree => [
                        leads::<OneFree, true>(rows, cell), leads::<OneFree, false>(rows, cell),
                        leads::<OneFree, true>(columns, across), leads::<OneFree, false>(columns, across),
                    ],
                    CornerRule::Always => [
                        leads::<Always, true>(rows, cell), leads::<Always, false>(rows, cell),
                        leads::<Always, true>(columns, across), leads::<Always, false>(columns, across),
                    ],
                };
                let sign = signs.of_cells()[cell.0 as usize];
                prop_assert_eq!(straight, [EAST, WEST, SOUTH, NORTH].map(|bit| sign & bit != 0));
                if rows.get(cell) {
                    let moves = move_table(neighbours, corners)[usize::from(rows.around(cell))];
                    prop_assert_eq!(sign & DIAGONALS, moves & DIAGONALS);
                }
            }
        }
    }
}

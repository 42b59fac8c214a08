//! Jumps over terrain of different costs.
//!
//! M. Carlson, S. Moghadam, D. Harabor, P. Stuckey, M. Ebendt, "Optimal pathfinding on weighted grid maps", 2023; with the scans
//! in words and the passing over of diagonals' cells that jumps on ground of one cost have. Which moves a cell needs
//! is in the [`TerrainMap`]; a straight line passes over all cells that need but the move ahead and lead onto ground of the
//! same cost.

use super::Cell;
use super::bits::BitMap;
use super::jump::{Along, Place, ahead};
use super::terrain_map::TerrainMap;

/// The jumps out of one cell.
pub(super) struct TerrainJumps<'a, V> {
    pub(super) terrain: &'a TerrainMap,
    pub(super) along_rows: Along<'a>,
    pub(super) along_columns: Along<'a>,
    /// To the eight neighbours, by rows.
    pub(super) offsets: [i32; 8],
    pub(super) column_stride: u32,
    pub(super) visit: V,
}

const NORTH: usize = 1;
const WEST: usize = 3;
const EAST: usize = 4;
const SOUTH: usize = 6;

impl<V: FnMut(Cell, u32) -> u32> TerrainJumps<'_, V> {
    /// Every jump that begins with one of the moves. Stops early when the cell turns out to be reached better another way.
    pub(super) fn out_of(&mut self, from: Place, mut moves: u8, has_diagonals: bool) {
        let mut is_best = true;
        while moves != 0 && is_best {
            let direction = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            match direction {
                0 | 2 | 5 | 7 => self.along_leg(from, direction),
                WEST | EAST if !has_diagonals => self.along_leg(from, direction),
                _ => is_best = self.along_line(from, direction, 0),
            }
        }
    }

    /// Along a diagonal or, among four neighbours, a row; and from each of its cells along the straight lines that part
    /// from it.
    fn along_leg(&mut self, mut from: Place, direction: usize) {
        let across = self.across(direction);
        let parting = match direction {
            0 => 1 << NORTH | 1 << WEST,
            2 => 1 << NORTH | 1 << EAST,
            5 => 1 << SOUTH | 1 << WEST,
            7 => 1 << SOUTH | 1 << EAST,
            _ => 1 << NORTH | 1 << SOUTH,
        };
        let mut cost = 0u32;
        loop {
            from.row = Cell(from.row.0.wrapping_add_signed(self.offsets[direction]));
            from.column = Cell(from.column.0.wrapping_add_signed(across));
            let (entry, needed) = self.terrain.at(from.row);
            let mut moves = needed[direction];
            cost = cost.saturating_add(entry.of(direction));
            let is_goal = self.along_rows.next::<true>(from.row) == 0;
            if is_goal || moves & !(parting | 1 << direction) != 0 {
                (self.visit)(from.row, cost);
                return;
            }
            let goes_on = moves >> direction & 1 == 1;
            moves &= parting;
            while moves != 0 {
                let line = moves.trailing_zeros() as usize;
                moves &= moves - 1;
                if !self.along_line(from, line, cost) {
                    return;
                }
            }
            if !goes_on {
                return;
            }
        }
    }

    /// By how much the id among the columns changes with a move.
    fn across(&self, direction: usize) -> i32 {
        let stride = self.column_stride as i32;
        match direction {
            0 => -stride - 1,
            2 => stride - 1,
            WEST => -stride,
            EAST => stride,
            5 => -stride + 1,
            _ => stride + 1,
        }
    }

    /// Along a row or a column. `cost`: of the way to here. Says whether that may be the cheapest: it is not if the line's end is known
    /// to be reached so cheaply that coming here from there is cheaper still.
    fn along_line(&mut self, from: Place, direction: usize, cost: u32) -> bool {
        let (terrain, stride) = (self.terrain, self.offsets[SOUTH] as u32);
        let row = from.row;
        match direction {
            WEST => {
                let goal = self.along_rows.next::<false>(row);
                let at = |steps| ahead::<false>(row, steps);
                self.line::<false>(&terrain.west, row, goal, (direction, cost), at)
            }
            EAST => {
                let goal = self.along_rows.next::<true>(row);
                let at = |steps| ahead::<true>(row, steps);
                self.line::<true>(&terrain.east, row, goal, (direction, cost), at)
            }
            NORTH => {
                let goal = self.along_columns.next::<false>(from.column);
                let at = |steps| ahead::<false>(row, steps * stride);
                self.line::<false>(&terrain.north, from.column, goal, (direction, cost), at)
            }
            _ => {
                let goal = self.along_columns.next::<true>(from.column);
                let at = |steps| ahead::<true>(row, steps * stride);
                self.line::<true>(&terrain.south, from.column, goal, (direction, cost), at)
            }
        }
    }

    /// The line through one of the maps. `goal`: steps to the next goal, 0 for none before it.
    #[inline(always)]
    fn line<const FORWARD: bool>(
        &mut self,
        passes: &BitMap,
        from: Cell,
        goal: u32,
        (direction, mut cost): (usize, u32),
        at: impl Fn(u32) -> Cell,
    ) -> bool {
        let before = cost;
        let mut steps = 0;
        loop {
            let begin = steps;
            steps += passes.line::<FORWARD>(ahead::<FORWARD>(from, steps));
            let is_goal = (begin + 1..=steps).contains(&goal);
            if is_goal {
                steps = goal;
            }
            let cell = at(steps);
            let (entry, needed) = self.terrain.at(cell);
            cost = cost.saturating_add((steps - begin).saturating_mul(entry.straight));
            let needed = needed[direction];
            if is_goal || needed & !(1 << direction) != 0 {
                let there = cost - before;
                let back = there - entry.straight + self.terrain.at(at(0)).0.straight;
                return (self.visit)(cell, cost) <= there.saturating_add(back);
            }
            if needed == 0 {
                return true;
            }
        }
    }
}

impl BitMap {
    /// Steps from a cell to the first one further on whose bit is not set.
    #[inline(always)]
    fn line<const FORWARD: bool>(&self, from: Cell) -> u32 {
        let mut steps = 1;
        loop {
            let next = ahead::<FORWARD>(from, steps);
            let byte = Self::byte(next);
            let bits = if FORWARD {
                !self.word(byte) >> (next.0 & 7)
            } else {
                !self.word(byte.wrapping_sub(7)) << (7 - (next.0 & 7))
            };
            // Eight bits less at the end that was shifted away from are none: 56 are looked at.
            let run = if FORWARD { bits.trailing_zeros() } else { bits.leading_zeros() };
            if run < 56 {
                return steps + run;
            }
            steps += 56;
        }
    }
}

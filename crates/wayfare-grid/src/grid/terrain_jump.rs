//! Jumps over terrain of different costs.
//!
//! The moves that a cell needs, and the cells that a straight line may pass, are in the
//! [`TerrainMap`].
//!
//! # Why these jumps are exact
//!
//! They expand in place, by the local dominance of [`dominance`](super::accelerators::dominance),
//! every state whose needed moves are known without the open list:
//!
//! - A straight line passes cells that need the move ahead alone. It ends at the first cell that
//!   needs another move, and at goals. If it ends at a cell that needs no move, there is nothing to
//!   push.
//! - A diagonal cell that needs at most the diagonal and its two components is expanded in place: a
//!   line along each needed component, then the next diagonal step. At any other cell the jump
//!   ends.
//!
//! So jumps push the same states, at the same costs, as a search with this pruning reaches from
//! there.
//!
//! # Why jumps are given up early
//!
//! - *A detour.* Let a line from `s` end at `e`, where the search knows a path cheaper by more than
//!   the cost from `s` to `e` and back. Then `s` is reached more cheaply over `e`, and no cheapest
//!   path uses this arrival at `s`.
//! - *Another jump.* A diagonal cell is noted with its cost. A jump that reaches it later at the
//!   same or a higher cost ends: the first one follows every move that is needed, whichever
//!   cheapest parent it came from ([`Pruning`](wayfare_core::space::Pruning)).
//!
//! # Why a put-off diagonal loses nothing
//!
//! Far from the goal the visitor may list a diagonal cell instead of following the jump. The cell
//! then has its cost, and the start of the jump as parent. Its direction of entry is the diagonal,
//! so that its expansion follows the same needed moves as the jump would have. Only the time at
//! which they are followed changes: the open list orders them by priority, and most are never
//! popped.
//!
//! Source: M. Carlson, S. Moghadam, D. Harabor, P. Stuckey, M. Ebendt, "Optimal pathfinding on
//! weighted grid maps", 2023. Scans in words and diagonals without pushes are those of
//! [`jump`](super::jump).

use wayfare_core::inside::{JumpEnds, LINE_SCANS, NOTED_SCANS};

use super::jump::{Along, Bearing, Place, ahead};
use super::moves::{DIAGONALS, EAST, NORTH, SOUTH, WEST};
use super::terrain_map::TerrainMap;
use super::{BitMap, Cell};

/// The jumps out of one cell.
pub(super) struct TerrainJumps<'a, R: ?Sized> {
    pub(super) terrain: &'a TerrainMap,
    pub(super) bearing: Bearing,
    pub(super) along_rows: Along<'a>,
    pub(super) along_columns: Along<'a>,
    /// To the eight neighbours, by rows.
    pub(super) offsets: [i32; 8],
    pub(super) column_stride: u32,
    /// See [`JumpVisitor::scanned`](wayfare_core::space::JumpVisitor::scanned).
    pub(super) scanned: u32,
    pub(super) reach: &'a mut R,
}

impl<R: JumpEnds<Cell> + ?Sized> TerrainJumps<'_, R> {
    /// Follows every jump that begins with one of the moves. Stops early if a cheaper path to the
    /// cell is found.
    pub(super) fn out_of(&mut self, from: Place, moves: u8, has_diagonals: bool) {
        // Lines first: their ends may show that the cell is on a detour.
        let legs = moves & if has_diagonals { DIAGONALS } else { 1 << WEST | 1 << EAST };
        let leads = self.bearing.look_at_first(self.leads(from.row));
        let lines = moves & !legs & leads;
        let goes = |direction: usize| lines >> direction & 1 == 1;
        if goes(NORTH) && !self.along_column::<false>(from, 0)
            || goes(WEST) && !self.along_row::<false>(from, 0)
            || goes(EAST) && !self.along_row::<true>(from, 0)
            || goes(SOUTH) && !self.along_column::<true>(from, 0)
        {
            return;
        }
        for direction in (0..8).filter(|direction| legs >> direction & 1 == 1) {
            match direction {
                0 => self.along_diagonal::<0, false, false>(from),
                2 => self.along_diagonal::<2, true, false>(from),
                5 => self.along_diagonal::<5, false, true>(from),
                7 => self.along_diagonal::<7, true, true>(from),
                WEST => self.along_row_of_four::<WEST, false>(from),
                _ => self.along_row_of_four::<EAST, true>(from),
            }
        }
    }

    /// Returns the straight directions in which to look along a line.
    #[inline(always)]
    fn leads(&self, cell: Cell) -> u8 {
        self.bearing.look(self.terrain.leads(cell))
    }

    /// Along a diagonal, and from each of its cells along both of its components.
    fn along_diagonal<const DIRECTION: usize, const EASTWARD: bool, const SOUTHWARD: bool>(
        &mut self,
        mut from: Place,
    ) {
        let (to_column, to_row) = self.bearing.steps::<EASTWARD, SOUTHWARD>();
        let (mut cost, mut steps) = (0, 0);
        loop {
            from.row = Cell(from.row.0.wrapping_add_signed(self.offsets[DIRECTION]));
            from.column = ahead::<SOUTHWARD>(ahead::<EASTWARD>(from.column, self.column_stride), 1);
            let (entry, needed) = self.terrain.at(from.row);
            let moves = needed[DIRECTION];
            cost += u64::from(entry.diagonal);
            let (row, column) =
                (if EASTWARD { EAST } else { WEST }, if SOUTHWARD { SOUTH } else { NORTH });
            let is_goal = self.along_rows.next::<true>(from.row) == 0;
            if is_goal || moves & !(1 << DIRECTION | 1 << row | 1 << column) != 0 {
                self.reach.end(from.row, cost, 0);
                return;
            }
            self.scanned += NOTED_SCANS;
            if !self.reach.goes_on(from.row, cost) {
                return;
            }
            steps += 1;
            let leads = self.leads(from.row);
            let goes = |line: usize, is_to_goal: bool| {
                moves >> line & 1 == 1 && (leads >> line & 1 == 1 || is_to_goal)
            };
            if goes(row, steps == to_row) && !self.along_row::<EASTWARD>(from, cost)
                || goes(column, steps == to_column) && !self.along_column::<SOUTHWARD>(from, cost)
                || moves >> DIRECTION & 1 == 0
            {
                return;
            }
        }
    }

    /// Along a row among four neighbours, and from each of its cells along the column both ways.
    fn along_row_of_four<const DIRECTION: usize, const EASTWARD: bool>(&mut self, mut from: Place) {
        let (to_column, _) = self.bearing.steps::<EASTWARD, true>();
        let (mut cost, mut steps) = (0, 0);
        loop {
            from.row = ahead::<EASTWARD>(from.row, 1);
            from.column = ahead::<EASTWARD>(from.column, self.column_stride);
            let (entry, needed) = self.terrain.at(from.row);
            let moves = needed[DIRECTION];
            cost += u64::from(entry.straight);
            if self.along_rows.next::<true>(from.row) == 0 {
                self.reach.end(from.row, cost, 0);
                return;
            }
            self.scanned += NOTED_SCANS;
            if !self.reach.goes_on(from.row, cost) {
                return;
            }
            steps += 1;
            let leads = if steps == to_column { u8::MAX } else { self.leads(from.row) };
            if (moves & leads) >> NORTH & 1 == 1 && !self.along_column::<false>(from, cost)
                || (moves & leads) >> SOUTH & 1 == 1 && !self.along_column::<true>(from, cost)
                || moves >> DIRECTION & 1 == 0
            {
                return;
            }
        }
    }

    /// Along the row. `cost`: from the start of the jump to `from`.
    ///
    /// Returns `false` if this is a detour: the path over the end of the line and back is cheaper.
    #[inline(always)]
    fn along_row<const EASTWARD: bool>(&mut self, from: Place, cost: u64) -> bool {
        let (terrain, row) = (self.terrain, from.row);
        let goal = self.along_rows.next::<EASTWARD>(row);
        let (passes, direction) =
            if EASTWARD { (&terrain.east, EAST) } else { (&terrain.west, WEST) };
        self.line::<EASTWARD>(passes, row, goal, (direction, cost), |steps| {
            ahead::<EASTWARD>(row, steps)
        })
    }

    /// Along the column; the same.
    #[inline(always)]
    fn along_column<const SOUTHWARD: bool>(&mut self, from: Place, cost: u64) -> bool {
        let (terrain, stride) = (self.terrain, self.offsets[SOUTH] as u32);
        let goal = self.along_columns.next::<SOUTHWARD>(from.column);
        let (passes, direction) =
            if SOUTHWARD { (&terrain.south, SOUTH) } else { (&terrain.north, NORTH) };
        self.line::<SOUTHWARD>(passes, from.column, goal, (direction, cost), |steps| {
            ahead::<SOUTHWARD>(from.row, steps * stride)
        })
    }

    /// Returns the line through one of the maps. `goal`: steps to the next goal, 0 for none before
    /// it.
    #[inline(always)]
    fn line<const FORWARD: bool>(
        &mut self,
        passes: &BitMap,
        from: Cell,
        goal: u32,
        (direction, mut cost): (usize, u64),
        at: impl Fn(u32) -> Cell,
    ) -> bool {
        let before = cost;
        let mut steps = 0;
        loop {
            let begin = steps;
            self.scanned += LINE_SCANS;
            steps += passes.line::<FORWARD>(ahead::<FORWARD>(from, steps));
            let is_goal = (begin + 1..=steps).contains(&goal);
            if is_goal {
                steps = goal;
            }
            let cell = at(steps);
            let (entry, needed) = self.terrain.at(cell);
            cost += u64::from(steps - begin) * u64::from(entry.straight);
            self.scanned += (steps - begin) / 32;
            let needed = needed[direction];
            if is_goal || needed & !(1 << direction) != 0 {
                let there = cost - before;
                let back = there - u64::from(entry.straight)
                    + u64::from(self.terrain.at(at(0)).0.straight);
                return self.reach.end(cell, cost, 0) <= there + back;
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
            // The shift moves up to 7 foreign bits in, so 56 of 64 are used.
            let run = if FORWARD { bits.trailing_zeros() } else { bits.leading_zeros() };
            if run < 56 {
                return steps + run;
            }
            steps += 56;
        }
    }
}

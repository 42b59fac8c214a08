//! Jumps on uniform-cost terrain: from a cell straight to the next cells where a path may have to
//! turn.
//!
//! Straight lines are [`scan`](super)s along the rows and, in a transposed copy, along the
//! columns.
//!
//! # Why diagonals push no states
//!
//! A cell on a diagonal without forced neighbours needs three moves: the diagonal and its two
//! components. It is expanded in place. A line along each component that leads anywhere ends at a
//! state to push, whose parent is the cell where the diagonal began. From there the diagonal goes
//! on. At a forced neighbour the jump ends. Where a diagonal step needs both cells beside it, no
//! diagonal has forced neighbours: both straight detours are legal, since the cells beside the step
//! are free.
//!
//! Among four neighbours a line along a row takes the place of the diagonal, and both columns that
//! of its components.
//!
//! # Why jumps are given up early
//!
//! Let a line of length `d` from `s` end at `e`, and let the search know a path to `e` that is
//! cheaper by more than `2 d`. Moves are symmetric, so coming back from `e` reaches `s` more
//! cheaply than the jump did. No cheapest path uses this arrival at `s`, and the remaining lines
//! and diagonal steps are skipped.
//!
//! Sources: D. Harabor, A. Grastien, "Online graph pruning for pathfinding on grid maps", 2011, and
//! "Improving jump point search", 2014. S. Zhao, D. Harabor, P. Stuckey, "Reducing redundant work
//! in jump point search", 2023, prune suboptimal nodes online; the test here is the triangle
//! inequality alone.

use wayfare_core::expert::{JumpVisitor, Jumping};
use wayfare_core::inside::{EndsOf, JUMP_SCANS, JumpEnds, LINE_SCANS};
use wayfare_core::space::{Action, Cost, DIAGONAL, Edge, EdgeOf, STRAIGHT};

use super::accelerators::MediumMaps;
use super::expander::GridExpander;
use super::moves::DIAGONALS;
use super::scan::{Always, BothFree, OneFree, Stop, Turns};
use super::signs::{EAST, NORTH, SOUTH, WEST};
use super::terrain_jump::TerrainJumps;
use super::{Cell, CornerRule, GridSpace, Neighbours};

/// One cell of a jump: its id in the map of rows and in that of columns.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) row: Cell,
    pub(super) column: Cell,
}

/// The goals in the order of one of the maps.
#[derive(Clone, Copy)]
pub(super) struct Along<'a>(&'a [Cell]);

impl Along<'_> {
    /// Returns the number of cells to the next goal, the cell itself included. If the row holds
    /// none, at least the number of cells to its end.
    #[inline(always)]
    pub(super) fn next<const FORWARD: bool>(self, from: Cell) -> u32 {
        let distance = |goal: &Cell| {
            if FORWARD { goal.0.wrapping_sub(from.0) } else { from.0.wrapping_sub(goal.0) }
        };
        match self.0 {
            [only] => distance(only),
            goals => {
                let after = goals
                    .partition_point(|goal| if FORWARD { *goal < from } else { *goal <= from });
                let next = if FORWARD { goals.get(after) } else { goals[..after].last() };
                next.map_or(u32::MAX, distance)
            }
        }
    }
}

/// The direction of the goal, seen from the cell at which jumps begin.
#[derive(Clone, Copy)]
pub(super) struct Bearing {
    /// Columns to the goal, to the east, and rows, to the south, as wrapping numbers.
    columns: u32,
    rows: u32,
    /// Straight directions to look along wherever they lead: all, where there are several goals.
    always: u8,
}

impl Bearing {
    /// For several goals: every line is followed.
    const ANYWHERE: Self = Self { columns: 0, rows: 0, always: NORTH | WEST | EAST | SOUTH };

    fn new((x, y): (u32, u32), (goal_x, goal_y): (u32, u32)) -> Self {
        Self { columns: goal_x.wrapping_sub(x), rows: goal_y.wrapping_sub(y), always: 0 }
    }

    /// Returns the steps along a diagonal to the column of the goal, and to its row; zero if
    /// already there.
    #[inline(always)]
    pub(super) fn steps<const EASTWARD: bool, const SOUTHWARD: bool>(self) -> (u32, u32) {
        let toward =
            |ahead: bool, distance: u32| if ahead { distance } else { distance.wrapping_neg() };
        (toward(EASTWARD, self.columns), toward(SOUTHWARD, self.rows))
    }

    /// Returns the straight directions to follow from a cell whose signs are `leads`.
    #[inline(always)]
    pub(super) fn look(self, leads: u8) -> u8 {
        leads | self.always
    }

    /// Returns the same for the cell at which the jumps begin: all, if the goal is in its row or
    /// column.
    #[inline(always)]
    pub(super) fn look_at_first(self, leads: u8) -> u8 {
        if self.columns == 0 || self.rows == 0 { u8::MAX } else { leads }
    }
}

/// The cost of a jump whose cells take one unit of [`JumpVisitor::scanned`] to look at, as a power
/// of two: between the cell of a diagonal and the 32 cells of a straight line.
const COST_A_SCAN_LOG2: u32 = 15;

/// The jumps out of one cell.
struct Jumps<'a, V> {
    maps: MediumMaps<'a>,
    /// The sign of every cell.
    signs: &'a [u8],
    bearing: Bearing,
    along_rows: Along<'a>,
    along_columns: Along<'a>,
    stride: u32,
    column_stride: u32,
    visit: V,
}

#[inline(always)]
pub(super) fn ahead<const FORWARD: bool>(cell: Cell, steps: u32) -> Cell {
    if FORWARD { Cell(cell.0 + steps) } else { Cell(cell.0 - steps) }
}

impl<V: FnMut(Cell, u32) -> u32> Jumps<'_, V> {
    #[inline(always)]
    fn sign(&self, cell: Cell) -> u8 {
        self.bearing.look(self.signs[cell.0 as usize])
    }

    /// Along the row. `cost`: from the start of the jump to `from`.
    ///
    /// Returns `false` if this is a detour: the path over the end of the line and back is cheaper.
    #[inline(always)]
    fn along_row<T: Turns, const EASTWARD: bool>(&mut self, from: Cell, cost: u32) -> bool {
        let rows = self.maps.rows;
        let stop = rows.scan::<T, EASTWARD>(from, rows.rows::<EASTWARD>(from));
        let Some(steps) = end(stop, self.along_rows.next::<EASTWARD>(from)) else { return true };
        let length = steps * STRAIGHT;
        (self.visit)(ahead::<EASTWARD>(from, steps), cost + length) <= 2 * length
    }

    /// Along the column; the same.
    #[inline(always)]
    fn along_column<T: Turns, const SOUTHWARD: bool>(&mut self, from: Place, cost: u32) -> bool {
        let columns = self.maps.columns;
        let stop =
            columns.scan::<T, SOUTHWARD>(from.column, columns.rows::<SOUTHWARD>(from.column));
        let Some(steps) = end(stop, self.along_columns.next::<SOUTHWARD>(from.column)) else {
            return true;
        };
        let length = steps * STRAIGHT;
        (self.visit)(ahead::<SOUTHWARD>(from.row, steps * self.stride), cost + length) <= 2 * length
    }

    /// Along a diagonal, and from each of its cells along the components that lead anywhere.
    ///
    /// `must_stop`: whether a cell has a forced neighbour.
    #[inline(always)]
    fn along_diagonal<T: Turns, const EASTWARD: bool, const SOUTHWARD: bool>(
        &mut self,
        from: Place,
        must_stop: impl Fn(Cell) -> bool,
    ) {
        let (row, column) =
            (if EASTWARD { EAST } else { WEST }, if SOUTHWARD { SOUTH } else { NORTH });
        let onwards = match (EASTWARD, SOUTHWARD) {
            (false, false) => 1,
            (true, false) => 1 << 2,
            (false, true) => 1 << 5,
            (true, true) => 1 << 7,
        };
        let (to_column, to_row) = self.bearing.steps::<EASTWARD, SOUTHWARD>();
        let (mut at, mut steps) = (from.row, 0);
        let mut sign = self.sign(at);
        while sign & onwards != 0 {
            at = ahead::<EASTWARD>(ahead::<SOUTHWARD>(at, self.stride), 1);
            steps += 1;
            let cost = steps * DIAGONAL;
            if T::LEAST_FREE_CORNERS < 2 && must_stop(at) {
                (self.visit)(at, cost);
                break;
            }
            sign = self.sign(at);
            if sign & (row | column) == 0 && steps != to_row && steps != to_column {
                continue;
            }
            if (sign & row != 0 || steps == to_row) && !self.along_row::<T, EASTWARD>(at, cost) {
                break;
            }
            if sign & column != 0 || steps == to_column {
                let columns = steps * self.column_stride;
                let across = ahead::<SOUTHWARD>(ahead::<EASTWARD>(from.column, columns), steps);
                let here = Place { row: at, column: across };
                if !self.along_column::<T, SOUTHWARD>(here, cost) {
                    break;
                }
            }
        }
    }

    /// Along a row among four neighbours, and from each of its cells along the column both ways.
    #[inline(always)]
    fn along_row_of_four<const EASTWARD: bool>(&mut self, from: Place) {
        let (to_column, _) = self.bearing.steps::<EASTWARD, true>();
        let (mut at, mut steps) = (from.row, 0);
        loop {
            at = ahead::<EASTWARD>(at, 1);
            if !self.maps.rows.get(at) {
                break;
            }
            steps += 1;
            let sign = self.sign(at);
            if sign & (NORTH | SOUTH) == 0 && steps != to_column {
                continue;
            }
            let column = ahead::<EASTWARD>(from.column, steps * self.column_stride);
            let (here, cost) = (Place { row: at, column }, steps * STRAIGHT);
            if !self.along_column::<BothFree, false>(here, cost)
                || !self.along_column::<BothFree, true>(here, cost)
            {
                break;
            }
        }
    }
}

/// Returns the steps to the end of a line, if that is a goal or a jump point.
#[inline(always)]
fn end(stop: Stop, goal: u32) -> Option<u32> {
    if goal < stop.steps { Some(goal) } else { stop.is_jump_point.then_some(stop.steps) }
}

impl<C: Cost> GridSpace<'_, C> {
    /// Returns the same cell among the columns.
    #[inline]
    fn column_cell(&self, x: u32, y: u32) -> Cell {
        Cell((x + 1) * self.layer.column_stride + y + 1)
    }

    /// Returns the offset of each step along a jump: the diagonal first, and among four neighbours
    /// the row.
    fn legs(&self, from: Cell, to: Cell) -> [(i32, i32, u32); 2] {
        let ((fx, fy), (tx, ty)) =
            (self.grid.layout.coordinates(from), self.grid.layout.coordinates(to));
        let (dx, dy) = (tx as i32 - fx as i32, ty as i32 - fy as i32);
        let (sx, sy) = (dx.signum(), dy.signum());
        let (ax, ay) = (dx.unsigned_abs(), dy.unsigned_abs());
        if !self.layer.has_diagonals() {
            [(sx, 0, ax), (0, sy, ay)]
        } else if ax > ay {
            [(sx, sy, ay), (sx, 0, ax - ay)]
        } else {
            [(sx, sy, ax), (0, sy, ay - ax)]
        }
    }

    /// Returns a jump's legs: the step between the ids of their cells, their number, and the cost
    /// of each.
    #[doc(hidden)]
    pub fn legs_of_jump(&self, from: Cell, to: Cell) -> [(i32, u32, u32); 2] {
        self.legs(from, to).map(|(dx, dy, count)| {
            let price = if dx != 0 && dy != 0 { DIAGONAL } else { STRAIGHT };
            (dy * self.grid.layout.stride as i32 + dx, count, price)
        })
    }

    /// Returns the direction in which a jump from `parent` enters `state`, as a bit of
    /// [`super::moves`].
    #[inline]
    fn entry(&self, parent: Cell, state: Cell) -> usize {
        let [first, last] = self.legs(parent, state);
        let (dx, dy, _) = if last.2 > 0 { last } else { first };
        let place = (dy + 1) * 3 + dx + 1;
        (place - i32::from(place > 4)) as usize
    }

    #[inline(always)]
    fn jump<T: Turns, V: FnMut(Cell, u32) -> u32>(
        &self,
        jumps: &mut Jumps<'_, V>,
        from: Place,
        direction: u32,
    ) -> bool {
        let (rows, table) = (jumps.maps.rows, self.layer.canonical());
        // Without obstacles a diagonal needs three moves; any other is to a forced neighbour.
        let must_stop = |direction: usize| {
            move |cell: Cell| {
                table[direction][usize::from(rows.around(cell))] & !table[direction][255] != 0
            }
        };
        match direction {
            0 => jumps.along_diagonal::<T, false, false>(from, must_stop(0)),
            1 => return jumps.along_column::<T, false>(from, 0),
            2 => jumps.along_diagonal::<T, true, false>(from, must_stop(2)),
            3 => return jumps.along_row::<T, false>(from.row, 0),
            4 => return jumps.along_row::<T, true>(from.row, 0),
            5 => jumps.along_diagonal::<T, false, true>(from, must_stop(5)),
            6 => return jumps.along_column::<T, true>(from, 0),
            _ => jumps.along_diagonal::<T, true, true>(from, must_stop(7)),
        }
        true
    }

    #[inline(always)]
    fn jump_of_four<V: FnMut(Cell, u32) -> u32>(
        jumps: &mut Jumps<'_, V>,
        from: Place,
        direction: u32,
    ) -> bool {
        match direction {
            1 => return jumps.along_column::<BothFree, false>(from, 0),
            3 => jumps.along_row_of_four::<false>(from),
            4 => jumps.along_row_of_four::<true>(from),
            _ => return jumps.along_column::<BothFree, true>(from, 0),
        }
        true
    }
}

impl<C: Cost> Jumping<GridSpace<'_, C>> for GridExpander {
    /// The goals in the order of the columns, if there are several.
    type Memory = Vec<Cell>;

    /// On uniform-cost terrain, and where costs depend on the terrain alone.
    fn is_possible(space: &GridSpace<'_, C>) -> bool {
        space.layer.is_uniform() || space.layer.terrain_map().is_some()
    }

    fn prepare(space: &GridSpace<'_, C>, goals: &[Cell], across: &mut Vec<Cell>) {
        across.clear();
        if goals.len() > 1 {
            across.extend(goals.iter().map(|&goal| {
                let (x, y) = space.grid.layout.coordinates(goal);
                space.column_cell(x, y)
            }));
            across.sort_unstable();
        }
    }

    #[inline]
    fn jumps(
        space: &GridSpace<'_, C>,
        parent: Cell,
        state: Cell,
        goals: &[Cell],
        across: &Vec<Cell>,
        visitor: &mut impl JumpVisitor<Cell, C>,
    ) {
        let wide = space.as_wide();
        let scanned = wide.visit_jumps((parent, state), (goals, across), &mut EndsOf::new(visitor));
        visitor.scanned(scanned);
    }

    fn shared_jumps(
        space: &GridSpace<'_, C>,
        parent: Cell,
        state: Cell,
        goals: &[Cell],
        across: &Vec<Cell>,
        visitor: &mut impl JumpVisitor<Cell, C>,
    ) {
        let wide = space.as_wide();
        let scanned =
            wide.visit_shared_jumps((parent, state), (goals, across), &mut EndsOf::new(visitor));
        visitor.scanned(scanned);
    }

    /// Tests both paths with one turn: diagonal first and straight first; among four neighbours
    /// along the row first and along the column first.
    fn in_sight(space: &GridSpace<'_, C>, from: Cell, goal: Cell) -> Option<Cell> {
        space.turn_on_the_way(from, goal)
    }

    fn retrace(
        space: &GridSpace<'_, C>,
        from: Cell,
        to: Cell,
        visit: impl FnMut(EdgeOf<GridSpace<'_, C>>),
    ) {
        space.visit_moves_of_jump(from, to, visit);
    }
}

impl<'g, C: Cost> GridSpace<'g, C> {
    /// Returns where a free path with one turn between two cells turns; `goal` if the path with its
    /// diagonal steps first is free, or among four neighbours that along the row first. `None` if
    /// neither that nor the other order is free, or costs are not uniform. O(diagonal steps +
    /// straight ones / 56).
    ///
    /// On uniform-cost terrain both cost the octile distance, and no path costs less.
    #[doc(hidden)]
    pub fn turn_on_the_way(&self, from: Cell, goal: Cell) -> Option<Cell> {
        if !self.layer.is_uniform() {
            return None;
        }
        let layout = self.layout();
        let maps = self.layer.maps_of(from, layout)?;
        let [first, last] = self.legs(from, goal);
        let begin = layout.coordinates(from);
        let end_of = |(x, y): (u32, u32), (dx, dy, steps): (i32, i32, u32)| {
            let moved = |at: u32, toward: i32| at.wrapping_add_signed(toward * steps as i32);
            (moved(x, dx), moved(y, dy))
        };
        let is_open = |from, leg| self.is_open(&maps, from, leg);
        // The straight leg first, as it is looked at by words.
        if is_open(end_of(begin, first), last) && is_open(begin, first) {
            return Some(goal);
        }
        if first.2 == 0 || last.2 == 0 {
            return None; // there is but one way
        }
        let turn = end_of(begin, last);
        (is_open(begin, last) && is_open(turn, first)).then(|| layout.cell(turn.0, turn.1))
    }

    /// Returns whether every step of a leg is free.
    fn is_open(
        &self,
        maps: &MediumMaps<'_>,
        (x, y): (u32, u32),
        (dx, dy, steps): (i32, i32, u32),
    ) -> bool {
        let first = |at: u32, toward: i32| if toward < 0 { at - steps } else { at };
        match (dx, dy) {
            (0, 0) => true,
            (_, 0) => maps.rows.all(self.layout().cell(first(x, dx), y), steps + 1),
            (0, _) => maps.columns.all(self.column_cell(x, first(y, dy)), steps + 1),
            _ => {
                let place = (dy + 1) * 3 + dx + 1;
                let direction = (place - i32::from(place > 4)) as usize & 7;
                let (signs, offset) = (maps.signs.of_cells(), self.layer.offsets[direction]);
                let mut at = self.layout().cell(x, y).0;
                (0..steps).all(|_| {
                    let is_legal = signs[at as usize] >> direction & 1 == 1;
                    at = at.wrapping_add_signed(offset);
                    is_legal
                })
            }
        }
    }

    /// Returns the same space, for costs of the type that its jumps are compiled for.
    #[inline]
    fn as_wide(&self) -> GridSpace<'g, u64> {
        GridSpace::new(self.grid, self.layer, self.has_profile)
    }
}

impl GridSpace<'_, u64> {
    /// As [`visit_jumps`](Self::visit_jumps), compiled once and here.
    #[inline(never)]
    fn visit_shared_jumps(
        &self,
        ends: (Cell, Cell),
        goals: (&[Cell], &[Cell]),
        reach: &mut dyn JumpEnds<Cell>,
    ) -> u32 {
        self.visit_jumps(ends, goals, reach)
    }

    /// Visits the ends of the jumps out of `state`. Returns the work that was not told to `reach`:
    /// see [`JumpVisitor::scanned`].
    fn visit_jumps(
        &self,
        (parent, state): (Cell, Cell),
        (goals, across): (&[Cell], &[Cell]),
        reach: &mut (impl JumpEnds<Cell> + ?Sized),
    ) -> u32 {
        let (x, y) = self.grid.layout.coordinates(state);
        let from = Place { row: state, column: self.column_cell(x, y) };
        let only;
        let (along_columns, bearing) = if let [goal] = goals {
            let (gx, gy) = self.grid.layout.coordinates(*goal);
            only = [self.column_cell(gx, gy)];
            (Along(&only), Bearing::new((x, y), (gx, gy)))
        } else {
            (Along(across), Bearing::ANYWHERE)
        };
        if let (false, Some(terrain)) = (self.layer.is_uniform(), self.layer.terrain_map()) {
            let entered = (parent != state).then(|| self.entry(parent, state));
            let moves = entered.map_or_else(
                || self.layer.moves_from(state),
                |direction| terrain.at(state).1[direction],
            );
            let mut jumps = TerrainJumps {
                terrain,
                bearing,
                along_rows: Along(goals),
                along_columns,
                offsets: self.layer.offsets,
                column_stride: self.layer.column_stride,
                scanned: 0,
                reach,
            };
            jumps.out_of(from, moves, self.layer.has_diagonals());
            return jumps.scanned;
        }
        let Some(maps) = self.layer.maps_of(state, self.layout()) else { return 0 };
        let around = usize::from(maps.rows.around(state));
        let mut moves = if parent == state {
            self.layer.moves[around]
        } else {
            self.layer.canonical()[self.entry(parent, state)][around]
        };
        let mut jumps = Jumps {
            maps,
            signs: maps.signs.of_cells(),
            bearing,
            along_rows: Along(goals),
            along_columns,
            stride: self.grid.layout.stride,
            column_stride: self.layer.column_stride,
            // Work is told at the ends, not counted in the loops: a counter there takes a register,
            // and a tenth of the time of all jumps.
            visit: |target, cost: u32| {
                let scanned = LINE_SCANS + (cost >> COST_A_SCAN_LOG2);
                let saved = reach.end(target, u64::from(cost), scanned);
                u32::try_from(saved).unwrap_or(u32::MAX)
            },
        };
        // The straight directions that lead anywhere; all of them, in line with the goal.
        let leads = bearing.look_at_first(jumps.sign(state));
        moves &= leads | if self.layer.has_diagonals() { DIAGONALS } else { WEST | EAST };
        let mut is_optimal = true;
        while moves != 0 && is_optimal {
            let direction = moves.trailing_zeros();
            moves &= moves - 1;
            is_optimal = match (self.layer.profile.neighbours, self.layer.profile.corners) {
                (Neighbours::Four, _) => Self::jump_of_four(&mut jumps, from, direction),
                (Neighbours::Eight, CornerRule::OneFree) => {
                    self.jump::<OneFree, _>(&mut jumps, from, direction)
                }
                (Neighbours::Eight, CornerRule::Always) => {
                    self.jump::<Always, _>(&mut jumps, from, direction)
                }
                (Neighbours::Eight, CornerRule::BothFree) => {
                    self.jump::<BothFree, _>(&mut jumps, from, direction)
                }
            };
        }
        JUMP_SCANS
    }
}

impl<C: Cost> GridSpace<'_, C> {
    /// Visits the moves of a jump, the last one first.
    fn visit_moves_of_jump(&self, from: Cell, to: Cell, mut visit: impl FnMut(EdgeOf<Self>)) {
        // Forwards once for the cost of the whole jump, then backwards.
        let legs = self.legs(from, to);
        let step = |(dx, dy, _): (i32, i32, u32)| dy * self.grid.layout.stride as i32 + dx;
        let price = |leg: (i32, i32, u32), into: u32| {
            self.step_cost(Cell(into), leg.0 != 0 && leg.1 != 0).to_u64()
        };
        let (mut at, mut cost) = (from.0, 0);
        for leg in legs {
            for _ in 0..leg.2 {
                at = at.wrapping_add_signed(step(leg));
                cost += price(leg, at);
            }
        }
        for leg in legs.into_iter().rev() {
            for _ in 0..leg.2 {
                visit(Edge { target: Cell(at), cost: C::from_u64(cost), action: Action::Walk });
                cost -= price(leg, at);
                at = at.wrapping_add_signed(-step(leg));
            }
        }
    }
}

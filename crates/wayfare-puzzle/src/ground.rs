//! The ground of a puzzle: free cells of a grid, and straight steps between them.

use glam::Vec3;

use wayfare_core::space::{ProfileId, Space};
use wayfare_grid::grid::{Cell, CellPosition, Grid};

/// No cell.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The four directions as steps of columns and rows. Direction `d ^ 1` is the opposite of `d`.
const DIRECTIONS: [[i64; 2]; 4] = [[1, 0], [-1, 0], [0, 1], [0, -1]];

/// A rectangle of cells.
///
/// Example: [`PuzzleGround`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GroundArea {
    /// The first column.
    pub x: u32,
    /// The first row.
    pub y: u32,
    /// The count of columns.
    pub width: u32,
    /// The count of rows.
    pub height: u32,
}

/// The ground that a puzzle is played on: the free cells of a grid, or of a part of it, with the
/// costs of straight steps.
///
/// It is a copy: later edits of the grid do not change it. A step on ground that is free of charge
/// costs a unit, so that every step back along a plan is cheaper.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::puzzle::{GroundArea, PuzzleGround};
///
/// let grid = Grid::from_rows(&["..#.", "...."])?;
/// let whole = PuzzleGround::new(&grid, Default::default(), None);
/// let west = GroundArea { x: 0, y: 0, width: 2, height: 2 };
/// let part = PuzzleGround::new(&grid, Default::default(), Some(west));
/// assert_eq!((whole.len(), part.len()), (7, 4));
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct PuzzleGround {
    /// The cells by index, in ascending order.
    cells: Vec<Cell>,
    /// Column and row of each cell.
    positions: Vec<CellPosition>,
    /// The middle of each cell in the world.
    centres: Vec<Vec3>,
    /// The target of a step, by direction.
    next: Vec<[u32; 4]>,
    /// The cost of that step.
    costs: Vec<[u32; 4]>,
    /// The cost that all steps have, if there is one.
    uniform: Option<u32>,
    /// Side of a cell in world units.
    cell_size: f32,
}

impl PuzzleGround {
    /// Returns the ground of a grid, as agents of a profile see it, within an area: the default is
    /// the whole grid. O(cells).
    #[must_use]
    pub fn new(grid: &Grid, profile: ProfileId, area: Option<GroundArea>) -> Self {
        let space = grid.space_for::<u32>(profile);
        let whole = GroundArea { x: 0, y: 0, width: grid.width(), height: grid.height() };
        let area = area.unwrap_or(whole);
        let end = |first: u32, length: u32, side: u32| first.saturating_add(length).min(side);
        let columns = area.x.min(grid.width())..end(area.x, area.width, grid.width());
        let rows = area.y.min(grid.height())..end(area.y, area.height, grid.height());
        let mut cells: Vec<Cell> = rows
            .flat_map(|y| columns.clone().filter_map(move |x| grid.cell(x, y)))
            .filter(|cell| space.is_free(*cell))
            .collect();
        cells.sort_unstable();
        let mut ground = Self {
            positions: cells.iter().map(|cell| grid.coordinates(*cell)).collect(),
            centres: cells.iter().map(|cell| grid.centre(*cell)).collect(),
            next: vec![[NOWHERE; 4]; cells.len()],
            costs: vec![[0; 4]; cells.len()],
            uniform: None,
            cell_size: grid.frame().cell_size,
            cells,
        };
        let mut seen = Vec::new();
        for place in 0..ground.cells.len() {
            let cell = ground.cells[place];
            let at = grid.coordinates(cell);
            space.successors(cell, |edge| {
                let to = grid.coordinates(edge.target);
                let step = [i64::from(to.x) - i64::from(at.x), i64::from(to.y) - i64::from(at.y)];
                let direction = DIRECTIONS.iter().position(|known| *known == step);
                if let Some((direction, next)) = direction.zip(ground.place(edge.target)) {
                    ground.next[place][direction] = next;
                    let cost = edge.cost.max(1);
                    ground.costs[place][direction] = cost;
                    seen.push(cost);
                }
            });
            seen.sort_unstable();
            seen.dedup();
        }
        ground.uniform = (seen.len() == 1).then(|| seen[0]);
        ground
    }

    /// Returns the number of free cells.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Returns whether no cell is free.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Returns the middle of a cell in the world; `None` off the ground.
    #[must_use]
    pub fn centre(&self, cell: Cell) -> Option<Vec3> {
        self.place(cell).map(|place| self.centres[place as usize])
    }

    /// Returns column and row of a cell in the grid; `None` off the ground.
    #[must_use]
    pub fn coordinates(&self, cell: Cell) -> Option<CellPosition> {
        self.place(cell).map(|place| self.positions[place as usize])
    }

    /// Returns the free cell with its middle nearest to a point, within a cell's side of it.
    #[must_use]
    pub fn cell_near(&self, point: Vec3) -> Option<Cell> {
        let distance = |place: &usize| (self.centres[*place] - point).with_y(0.0).length_squared();
        let near = (0..self.len()).min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        (distance(&near) <= self.cell_size * self.cell_size).then(|| self.cells[near])
    }

    /// Returns the side of a cell in world units.
    #[must_use]
    pub fn cell_size(&self) -> f32 {
        self.cell_size
    }

    /// Returns the cost that all steps have, if there is one.
    pub(super) fn uniform(&self) -> Option<u32> {
        self.uniform
    }

    pub(super) fn place(&self, cell: Cell) -> Option<u32> {
        self.cells.binary_search(&cell).ok().map(|place| place as u32)
    }

    pub(super) fn cell(&self, place: u32) -> Cell {
        self.cells[place as usize]
    }

    /// Returns the targets of steps.
    #[inline]
    pub(super) fn next(&self, place: u32) -> &[u32; 4] {
        &self.next[place as usize]
    }

    #[inline]
    pub(super) fn cost(&self, place: u32, direction: usize) -> u32 {
        self.costs[place as usize][direction]
    }

    /// Returns the step between two cells for the judge of plans: its direction and cost.
    pub(super) fn step(&self, from: Cell, to: Cell) -> Option<Stride> {
        let (from, to) = (self.place(from)?, self.place(to)?);
        let direction = self.next(from).iter().position(|next| *next == to)?;
        Some(Stride { direction, cost: self.cost(from, direction) })
    }

    /// Returns the cell behind a step in a direction.
    pub(super) fn beyond(&self, cell: Cell, direction: usize) -> Option<Cell> {
        let next = self.next(self.place(cell)?)[direction];
        (next != NOWHERE).then(|| self.cell(next))
    }

    /// Returns its memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.cells.len() * (4 + 8 + 12 + 16 + 16)
    }
}

/// A step from a cell to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stride {
    pub(super) direction: usize,
    pub(super) cost: u32,
}

//! Cells by island: the largest island, the nearest cell of one, a random one.

use glam::Vec3;
use wayfare_core::space::Cost;

use super::{Cell, CellPosition, GridSpace};

/// An island of a grid: its least cell, and the number of its cells.
///
/// Example: [`GridSpace::largest_island`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GridIsland {
    /// Its [component](GridSpace::component).
    pub component: u32,
    /// Its cells.
    pub cells: usize,
}

impl<'g, C: Cost> GridSpace<'g, C> {
    /// Returns the island with the most cells, of several the one with the least cell; `None` if
    /// nobody can stand anywhere. O(cells).
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::space::GridIsland;
    ///
    /// let grid = Grid::from_rows(&["..#....", "..#....", "..#...."])?;
    /// let space = grid.space();
    /// let GridIsland { component, cells } = space.largest_island().unwrap();
    /// assert_eq!(cells, 12);
    ///
    /// // Where units may be placed, and where a click beside it leads.
    /// let spot = space.random_cell(component, 0x9e37_79b9_7f4a_7c15).unwrap();
    /// assert!(grid.coordinates(spot).x > 2);
    /// let near = space.nearest_cell_of(component, Vec3::new(0.5, 0.0, 1.5)).unwrap();
    /// assert_eq!(near, grid.cell(3, 1).unwrap());
    /// # Ok::<(), GridError>(())
    /// ```
    #[must_use]
    pub fn largest_island(&self) -> Option<GridIsland> {
        let mut sizes = vec![0usize; self.grid.layout.bound()];
        for cell in self.grid.cells() {
            if let Some(component) = self.component(cell) {
                sizes[component as usize] += 1;
            }
        }
        // Of equal ones the first: `max_by_key` keeps the last.
        let largest = (0..sizes.len()).rev().max_by_key(|&component| sizes[component])?;
        let cells = sizes[largest];
        (cells > 0).then_some(GridIsland { component: largest as u32, cells })
    }

    /// Returns the cell of an island nearest to a world point, by the distance to its centre as
    /// seen from above; of several, the one with the lowest index. `None` if there is no such
    /// island.
    ///
    /// The point of a click that [reaches](Self::component) a unit. O(cells nearer than it), at
    /// most O(cells).
    #[must_use]
    pub fn nearest_cell_of(&self, component: u32, point: Vec3) -> Option<Cell> {
        let grid = self.grid;
        let CellPosition { x, y } = grid.coordinates(grid.nearest_cell(point));
        let side = grid.frame().cell_size;
        let mut nearest: Option<(f32, Cell)> = None;
        for ring in 0..grid.width().max(grid.height()) {
            // Cells of a ring are at least that far from the point: it may lie in a corner of its
            // cell, or beyond the edge of the map.
            let least = (ring as f32 - 1.0).max(0.0) * side;
            if nearest.is_some_and(|(distance, _)| least > distance) {
                break;
            }
            for cell in self.ring(x, y, ring) {
                if self.component(cell) == Some(component) {
                    let off = (grid.centre(cell) - point).with_y(0.0);
                    let found = (off.length(), cell);
                    if nearest.is_none_or(|best| (found.0, found.1) < (best.0, best.1)) {
                        nearest = Some(found);
                    }
                }
            }
        }
        nearest.map(|(_, cell)| cell)
    }

    /// Returns the cells of the map at that Chebyshev distance from a position.
    fn ring(&self, x: u32, y: u32, ring: u32) -> impl Iterator<Item = Cell> + use<'g, C> {
        let grid = self.grid;
        let (x, y, ring) = (i64::from(x), i64::from(y), i64::from(ring));
        let columns = (x - ring..=x + ring).flat_map(move |column| {
            let is_side = (column - x).abs() == ring;
            let step = if is_side || ring == 0 { 1 } else { 2 * ring };
            (y - ring..=y + ring).step_by(step as usize).map(move |row| (column, row))
        });
        columns.filter_map(move |(column, row)| {
            grid.cell(u32::try_from(column).ok()?, u32::try_from(row).ok()?)
        })
    }

    /// Returns the cell of an island for a random number, all equally likely; `None` if there is no
    /// such island. O(cells).
    #[must_use]
    pub fn random_cell(&self, component: u32, number: u64) -> Option<Cell> {
        let of_it = || self.grid.cells().filter(|&cell| self.component(cell) == Some(component));
        let count = of_it().count() as u128;
        let rank = (u128::from(number) * count) >> 64;
        of_it().nth(rank as usize)
    }
}

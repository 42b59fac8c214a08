//! The report of an edit: the cells that changed, and the work.

use super::Cell;

/// The changes of an edit of a grid, over all profiles: the result of
/// [`Grid::set_terrains`](super::Grid::set_terrains).
///
/// ```
/// use wayfare::prelude::*;
/// let mut grid = Grid::from_rows(&["...", "...", "..."])?;
/// let edit = grid.set_terrain(grid.cell(1, 1).unwrap(), TerrainId::BLOCKED);
/// assert_eq!((edit.cells.len(), edit.blocked, edit.freed), (1, 1, 0));
/// assert!(edit.work < 200);
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct GridEditReport {
    /// The cells whose terrain changed, by id. [`Grid::affected_by`](super::Grid::affected_by)
    /// has all cells whose moves changed with them.
    pub cells: Vec<Cell>,
    /// Cells that agents can stand on now and could not before, counted for each profile.
    pub freed: usize,
    /// Cells that agents could stand on before and cannot now, counted for each profile.
    pub blocked: usize,
    /// Cells, lines and table entries that were looked at to bring everything up to date. The same
    /// for the same edit of the same grid, on any machine.
    pub work: u64,
}

impl GridEditReport {
    /// Adds the changes for another profile.
    pub(super) fn add_profile(&mut self, other: &Self) {
        self.freed += other.freed;
        self.blocked += other.blocked;
        self.work += other.work;
    }
}

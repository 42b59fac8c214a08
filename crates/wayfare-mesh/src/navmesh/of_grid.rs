//! Meshes of grids: cells merged into rectangles.

use glam::Vec3;
use wayfare_core::space::{CostTable, TerrainId};
use wayfare_grid::grid::Grid;

use super::{AreaId, MeshDraft};

impl MeshDraft {
    /// Returns the ground of a grid that `costs` lets agents enter, as rectangles of cells of one
    /// terrain; the id of the terrain becomes the area's.
    ///
    /// Exact: a point of the plane is in a rectangle if and only if its cell can be entered. On a
    /// mesh agents are points that walk at any angle, so its paths are at most as long as the
    /// grid's, and touch corners. For bodies with a width see
    /// [`NavMesh::narrowed`](super::NavMesh::narrowed).
    ///
    /// Each rectangle is the larger one of two that grow from the first cell left in reading order:
    /// to the right and then down, or down and then to the right. O(cells).
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::space::navmesh::{MeshDraft, NavMesh};
    /// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
    /// let draft = MeshDraft::of_grid(&grid, &CostTable::default());
    /// assert_eq!(draft.len(), 4);
    /// let mesh = NavMesh::new(draft).unwrap();
    /// let area: f64 = mesh.polygons().map(|polygon| mesh.plan_area(polygon)).sum();
    /// assert_eq!(area, 10.0);
    /// # Ok::<(), GridError>(())
    /// ```
    #[must_use]
    pub fn of_grid(grid: &Grid, costs: &CostTable) -> Self {
        let mut cells = Cells::new(grid, costs);
        let columns = grid.width() as usize + 1;
        let mut vertices = vec![u32::MAX; columns * (grid.height() as usize + 1)];
        let mut draft = Self::new(Vec::new());
        let frame = grid.frame();
        for y in 0..grid.height() {
            for x in 0..grid.width() {
                let Some(terrain) = cells.get(x, y) else { continue };
                let (width, height) = cells.take(x, y);
                let corners = [(x, y), (x, y + height), (x + width, y + height), (x + width, y)];
                let corners = corners.map(|(x, y)| {
                    let vertex = &mut vertices[y as usize * columns + x as usize];
                    if *vertex == u32::MAX {
                        *vertex = draft.vertices.len() as u32;
                        let offset = Vec3::new(x as f32, 0.0, y as f32) * frame.cell_size;
                        draft.vertices.push(frame.origin + offset);
                    }
                    *vertex
                });
                draft.push(&corners, AreaId(terrain.0));
            }
        }
        draft
    }
}

/// The cells that no rectangle has yet.
struct Cells {
    width: u32,
    height: u32,
    /// Row by row; `None` where agents cannot be, or a rectangle is.
    terrain: Vec<Option<TerrainId>>,
}

impl Cells {
    fn new(grid: &Grid, costs: &CostTable) -> Self {
        let (width, height) = (grid.width(), grid.height());
        let mut terrain = Vec::with_capacity(width as usize * height as usize);
        for y in 0..height {
            terrain.extend((0..width).map(|x| {
                let terrain = grid.terrain(grid.cell(x, y)?);
                costs.get(terrain).map(|_| terrain)
            }));
        }
        Self { width, height, terrain }
    }

    fn get(&self, x: u32, y: u32) -> Option<TerrainId> {
        self.terrain[y as usize * self.width as usize + x as usize]
    }

    /// Removes the larger of the two rectangles at a cell, and returns its width and height.
    fn take(&mut self, x: u32, y: u32) -> (u32, u32) {
        let terrain = self.get(x, y);
        let is_same = |x: u32, y: u32| self.get(x, y) == terrain;
        let right = (x..self.width).take_while(|&x| is_same(x, y)).count() as u32;
        let down = (y..self.height).take_while(|&y| is_same(x, y)).count() as u32;
        let row = |row: u32| (x..x + right).all(|x| is_same(x, row));
        let column = |column: u32| (y..y + down).all(|y| is_same(column, y));
        let wide = (right, (y..self.height).take_while(|&y| row(y)).count() as u32);
        let high = ((x..self.width).take_while(|&x| column(x)).count() as u32, down);
        let area = |(width, height): (u32, u32)| u64::from(width) * u64::from(height);
        let (width, height) = if area(wide) >= area(high) { wide } else { high };
        for row in y..y + height {
            let begin = row as usize * self.width as usize + x as usize;
            self.terrain[begin..begin + width as usize].fill(None);
        }
        (width, height)
    }
}

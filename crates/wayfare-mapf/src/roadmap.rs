//! The cells that agents can be at, and the steps between them.

use wayfare_core::space::{Space, StateId};
use wayfare_grid::grid::{Cell, GridSpace};

/// A free cell, by a number from 0 up. Smaller than the cell's own number: tables have no holes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Vertex(pub(crate) u32);

/// The most vertices beside one: a grid's straight neighbours.
pub(crate) const MOST_NEIGHBOURS: usize = 4;

/// The free cells of a grid, joined to their straight neighbours.
///
/// Diagonal moves are left out, whatever the profile: two agents on crossing diagonals would
/// touch. Costs of terrains do not count: a step takes a step of time.
///
/// ```
/// use wayfare::space::Grid;
/// use wayfare_mapf::Roadmap;
///
/// let grid = Grid::from_rows(&["..#", "..."])?;
/// let roadmap = Roadmap::of(&grid.space());
/// let corner = roadmap.vertex(grid.cell(0, 0).unwrap()).unwrap();
/// assert_eq!((roadmap.len(), roadmap.neighbours(corner).count()), (5, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Roadmap {
    cells: Vec<Cell>,
    /// Of each cell of the grid, the number of its vertex, or [`NO_VERTEX`].
    numbers: Vec<u32>,
    neighbours: Vec<[u32; MOST_NEIGHBOURS]>,
    degrees: Vec<u8>,
}

const NO_VERTEX: u32 = u32::MAX;

impl Roadmap {
    /// Returns the roadmap of the cells that agents of a profile can stand at. O(cells).
    #[must_use]
    pub fn of(space: &GridSpace<'_>) -> Self {
        let grid = space.grid();
        let free = |cell: &Cell| space.is_free(*cell);
        let cells: Vec<Cell> = grid.cells().filter(free).collect();
        let mut numbers = vec![NO_VERTEX; space.state_bound()];
        for (number, cell) in (0..).zip(&cells) {
            numbers[cell.index() as usize] = number;
        }
        let mut roadmap =
            Self { neighbours: Vec::new(), degrees: Vec::new(), cells: Vec::new(), numbers };
        for &cell in &cells {
            let at = grid.coordinates(cell);
            let beside = [(0, -1), (-1, 0), (1, 0), (0, 1)].map(|(x, y)| {
                let x = at.x.checked_add_signed(x)?;
                let y = at.y.checked_add_signed(y)?;
                roadmap.vertex(grid.cell(x, y)?)
            });
            let (mut found, mut degree) = ([NO_VERTEX; MOST_NEIGHBOURS], 0_u8);
            for Vertex(vertex) in beside.into_iter().flatten() {
                found[usize::from(degree)] = vertex;
                degree += 1;
            }
            roadmap.neighbours.push(found);
            roadmap.degrees.push(degree);
        }
        Self { cells, ..roadmap }
    }

    /// Returns the number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Returns whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Returns the vertex of a cell; `None` where agents cannot stand.
    #[must_use]
    pub fn vertex(&self, cell: Cell) -> Option<Vertex> {
        let number = *self.numbers.get(cell.index() as usize)?;
        (number != NO_VERTEX).then_some(Vertex(number))
    }

    /// Returns the cell of a vertex.
    #[must_use]
    pub fn cell(&self, vertex: Vertex) -> Cell {
        self.cells[vertex.0 as usize]
    }

    /// Returns the vertices a step away.
    pub fn neighbours(&self, vertex: Vertex) -> impl Iterator<Item = Vertex> + '_ {
        self.beside(vertex.0).iter().map(|&vertex| Vertex(vertex))
    }

    #[inline]
    pub(crate) fn beside(&self, vertex: u32) -> &[u32] {
        let degree = usize::from(self.degrees[vertex as usize]);
        &self.neighbours[vertex as usize][..degree]
    }
}

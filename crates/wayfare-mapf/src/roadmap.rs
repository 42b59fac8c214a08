//! The cells that agents can be at, and the steps between them.

use wayfare_core::space::{Space, StateId};
use wayfare_grid::grid::{Cell, GridSpace};

/// A free cell, by a number from 0 up. Smaller than the cell's own number: tables have no holes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Vertex(pub(crate) u32);

/// The most vertices beside one: a grid's straight neighbours.
pub(crate) const MOST_NEIGHBOURS: usize = 4;

/// The cells that agents of a profile can stand at, joined by the straight moves of the grid.
///
/// Diagonal moves are left out, whatever the profile: two agents on crossing diagonals would
/// touch. Costs of terrains do not count: a step takes a step of time.
///
/// An agent of a plan takes one cell: a roadmap of a profile that is wider makes no
/// [`Instance`](crate::Instance).
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
    /// Of each vertex, the least cell that it is joined with.
    islands: Vec<u32>,
    width: u8,
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
        let mut neighbours = Vec::with_capacity(cells.len());
        let mut degrees = Vec::with_capacity(cells.len());
        for &cell in &cells {
            let at = grid.coordinates(cell);
            let (mut found, mut degree) = ([NO_VERTEX; MOST_NEIGHBOURS], 0_u8);
            space.successors(cell, |step| {
                let to = grid.coordinates(step.target);
                if to.x == at.x || to.y == at.y {
                    found[usize::from(degree)] = numbers[step.target.index() as usize];
                    degree += 1;
                }
            });
            neighbours.push(found);
            degrees.push(degree);
        }
        let width = space.profile().width;
        let mut roadmap = Self { cells, numbers, neighbours, degrees, islands: Vec::new(), width };
        roadmap.islands = roadmap.find_islands();
        roadmap
    }

    /// Returns for each vertex the least cell that it is joined with. O(cells).
    fn find_islands(&self) -> Vec<u32> {
        let mut islands = vec![NO_VERTEX; self.len()];
        let mut open = Vec::new();
        for (first, cell) in (0..).zip(&self.cells) {
            if islands[first as usize] != NO_VERTEX {
                continue;
            }
            let island = cell.index();
            islands[first as usize] = island;
            open.push(first);
            while let Some(at) = open.pop() {
                for &next in self.beside(at) {
                    if islands[next as usize] == NO_VERTEX {
                        islands[next as usize] = island;
                        open.push(next);
                    }
                }
            }
        }
        islands
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

    /// Returns the least cell that a vertex is joined with: the same for all vertices that paths
    /// join.
    pub(crate) fn island(&self, vertex: u32) -> u32 {
        self.islands[vertex as usize]
    }

    /// Returns the width in cells of the agents whose profile it was made for.
    pub(crate) fn width(&self) -> u8 {
        self.width
    }
}

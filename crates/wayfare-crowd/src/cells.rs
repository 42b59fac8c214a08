//! Who is near: bodies sorted by the cells of a grid of two axes or three.
//!
//! The grid is a torus: cells whose columns, rows and layers differ by multiples of its sides are
//! one. So any world fits into a table of a few entries a body, and a distance test removes false
//! neighbours from other laps. A counting sort, then one by keys within each cell. All loops
//! go over bodies in this order, so neighbours in the plane are near in memory too.

use glam::Vec2;

use super::axes::Axes;
use super::lanes::over_chunks;

/// A body in the order of cells. On the ground: 32 bytes, two to a line of the cache.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Body<V> {
    /// Its position.
    pub at: V,
    /// Its velocity, in world units a second.
    pub velocity: V,
    /// In world units.
    pub radius: f32,
    /// How much others give way to it.
    pub weight: f32,
    /// How far it can move within this step.
    pub reach: f32,
    /// Its id in the crowd.
    pub number: u32,
}

/// The lattice of the cells, and where the bodies of each begin.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    /// Cells to a unit of length.
    pub(super) scale: f32,
    /// Cells to each side of the table less one; a power of two less one.
    pub(super) mask: u32,
    shift: u32,
    /// Where the bodies of each cell begin; one more than cells.
    starts: Vec<u32>,
    /// The cell of each body by its index in the input.
    entries: Vec<u32>,
}

/// As many bodies are before a body in its cell, on average, in cells that are neither too wide nor
/// too narrow: then a cell has about three.
const SHARED: f32 = 1.0;

/// Sides of cells that are tried.
const TRIES: u32 = 3;

/// Returns the largest integer not above a float, clamped to 32 bits.
#[inline]
pub(super) fn floor(number: f32) -> i32 {
    // Faster than the one of the standard library, which many processors do in software.
    let whole = number as i32;
    whole.saturating_sub(i32::from(whole as f32 > number))
}

/// A cell: its column, its row, and its layer, 0 on the ground.
pub(crate) type Cell = [i32; 3];

/// Axes that cells divide.
pub trait Divided: Axes {
    /// The number of axes.
    const AXES: u32;

    /// The ring of cells that a search begins with. It includes the rings inside it.
    const INNERMOST: i32;

    /// Returns the cell of a point, in units of a cell's side.
    fn cell(self) -> Cell;

    /// Returns the coordinates of a point; of a flat one the last is 0.
    fn coordinates(self) -> [f32; 3];
}

impl Divided for Vec2 {
    const AXES: u32 = 2;
    const INNERMOST: i32 = 1;

    #[inline]
    fn cell(self) -> Cell {
        [floor(self.x), floor(self.y), 0]
    }

    #[inline]
    fn coordinates(self) -> [f32; 3] {
        [self.x, self.y, 0.0]
    }
}

/// Returns the index of a cell in a table with sides of `mask + 1` cells, `1 << shift`.
#[inline]
fn entry(cell: Cell, shift: u32, mask: u32) -> u32 {
    let [column, row, layer] = cell.map(|part| part as u32 & mask);
    (layer << shift | row) << shift | column
}

impl Cells {
    /// Sorts bodies into cells: `order` becomes their indices in the input, cell by cell, and by
    /// key within a cell. Keys are unique.
    ///
    /// The side of a cell lies between `least` and `most`. It is chosen by how many others bodies
    /// share their cells with, so that a ring of cells has about as many bodies as one looks at. It
    /// is a function of the points, so equal crowds have equal cells.
    pub fn sort<V: Divided>(
        &mut self,
        (least, most): (f32, f32),
        (points, keys): (&[V], &[u32]),
        order: &mut Vec<u32>,
    ) {
        let count = points.len();
        // Between one and four cells a body; in three axes between one and eight.
        self.shift = (usize::BITS - count.leading_zeros()).div_ceil(V::AXES).max(2);
        self.mask = (1 << self.shift) - 1;
        let mut side = most;
        for _ in 0..TRIES {
            let shared = self.count(side, points) as f32 / count.max(1) as f32;
            let better = (side * (SHARED / shared.max(0.01)).sqrt()).clamp(least, most);
            if (0.7..=1.4).contains(&(better / side)) {
                break;
            }
            side = better;
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        order.clear();
        order.resize(count, 0);
        // From the last one on, so that a cell's bodies stay in order.
        for (place, &cell) in self.entries.iter().enumerate().rev() {
            let start = &mut self.starts[cell as usize];
            *start -= 1;
            order[*start as usize] = place as u32;
        }
        self.sort_by_keys(keys, order);
    }

    /// Sorts the bodies of each cell by key. Most are in order.
    fn sort_by_keys(&self, keys: &[u32], order: &mut [u32]) {
        let rank = |&place: &u32| (self.entries[place as usize], keys[place as usize]);
        for at in 1..order.len() {
            let mut at = at;
            while at > 0 && rank(&order[at]) < rank(&order[at - 1]) {
                order.swap(at, at - 1);
                at -= 1;
            }
        }
    }

    /// Counts the bodies of each cell. Returns the sum, over all bodies, of the bodies before it in
    /// its cell.
    fn count<V: Divided>(&mut self, side: f32, points: &[V]) -> u64 {
        self.scale = 1.0 / side;
        self.starts.clear();
        self.starts.resize((1 << (V::AXES * self.shift)) + 1, 0);
        self.entries.resize(points.len(), 0);
        let (scale, shift, mask) = (self.scale, self.shift, self.mask);
        over_chunks(points.len(), &mut self.entries[..], |first, cells| {
            for (cell, &point) in cells.iter_mut().zip(&points[first..]) {
                *cell = entry((point * scale).cell(), shift, mask);
            }
        });
        let mut shared = 0;
        for &cell in &self.entries {
            let start = &mut self.starts[cell as usize];
            shared += u64::from(*start);
            *start += 1;
        }
        shared
    }

    /// Visits the ranges of the bodies in a row of cells, fewer than the table has columns.
    #[inline]
    pub(super) fn visit_row(
        &self,
        [column, row, layer]: Cell,
        count: u32,
        mut visit: impl FnMut(u32, u32),
    ) {
        let first = column as u32 & self.mask;
        let base = entry([0, row, layer], self.shift, self.mask) as usize;
        let columns = self.mask + 1;
        let start = |at: u32| self.starts[base + at as usize];
        // A row that leaves the table goes on at its beginning.
        let last = (first + count).min(columns);
        visit(start(first), start(last));
        let rest = first + count - last;
        if rest > 0 {
            visit(start(0), start(rest));
        }
    }
}

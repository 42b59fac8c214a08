//! The heights of a triangle over one row of cells.
//!
//! A triangle's part in a row is convex, and its height is linear along each of its edges. So the
//! lowest and the highest point over a cell lie on an edge: at a corner, or where an edge enters or
//! leaves the cell. Walking along the edges, with one interpolation a cell, finds both.
//!
//! # Rows without a corner
//!
//! Between two corners in ascending z, the part in a row is bounded by two cuts and two sides. Its
//! far cut is the near cut of the next row, so each cut is computed once.
//!
//! # Level triangles
//!
//! All cells of a part have the height of the triangle, and only the ends of the row are needed.

use glam::Vec3;

use super::cells_between;
use crate::ordered::{least, most};

/// A triangle to be cut into rows, one after another in ascending order.
pub(super) struct Slices {
    low: Vec3,
    middle: Vec3,
    high: Vec3,
    /// The number of a row without a corner, and its far cut: first on the edge from the lowest to
    /// the highest corner.
    last: Option<(i32, [Vec3; 2])>,
}

/// The part of a triangle in a row: its edges.
struct Part {
    edges: [[Vec3; 2]; 5],
    count: usize,
}

impl Slices {
    pub(super) fn new([mut a, mut b, mut c]: [Vec3; 3]) -> Self {
        let order = |a: &mut Vec3, b: &mut Vec3| {
            if b.z < a.z {
                std::mem::swap(a, b);
            }
        };
        order(&mut a, &mut b);
        order(&mut b, &mut c);
        order(&mut a, &mut b);
        Self { low: a, middle: b, high: c, last: None }
    }

    /// Returns the first and the last row.
    pub(super) fn rows(&self) -> [i32; 2] {
        cells_between(self.low.z, self.high.z)
    }

    /// Returns the height of a level triangle.
    pub(super) fn level(&self) -> Option<f32> {
        let y = self.low.y;
        (y == self.middle.y && y == self.high.y).then_some(y)
    }

    /// Returns the part in a row.
    fn part(&mut self, row: i32) -> Part {
        let (near, far) = (row as f32, (row + 1) as f32);
        let Self { low, middle, high, .. } = *self;
        let has_corner = low.z >= near || high.z <= far || (near <= middle.z && middle.z <= far);
        if has_corner {
            return self.part_with_corners(near, far);
        }
        let side = if middle.z > far { [low, middle] } else { [middle, high] };
        let cut = |z: f32| [cut_at_z(low, high, z), cut_at_z(side[0], side[1], z)];
        let [a, b] = match self.last {
            Some((last, cut)) if last == row - 1 => cut,
            _ => cut(near),
        };
        let [c, d] = cut(far);
        self.last = Some((row, [c, d]));
        Part { edges: [[a, b], [c, d], [a, c], [b, d], [a, a]], count: 4 }
    }

    fn part_with_corners(&self, near: f32, far: f32) -> Part {
        let Self { low, middle, high, .. } = *self;
        // At most three clipped edges, and two cuts.
        let mut edges = [[Vec3::ZERO; 2]; 5];
        let mut count = 0;
        for [from, to] in [[low, high], [low, middle], [middle, high]] {
            if from.z <= far && to.z >= near {
                let start = if from.z < near { cut_at_z(from, to, near) } else { from };
                let end = if to.z > far { cut_at_z(from, to, far) } else { to };
                edges[count] = [start, end];
                count += 1;
            }
        }
        for z in [near, far] {
            if low.z < z && z < high.z {
                let [from, to] = if z < middle.z { [low, middle] } else { [middle, high] };
                edges[count] = [cut_at_z(low, high, z), cut_at_z(from, to, z)];
                count += 1;
            }
        }
        Part { edges, count }
    }
}

/// The lowest and the highest point over each cell of a row of the window.
pub(super) struct Row {
    /// The window's first column.
    left: i32,
    low: Vec<f32>,
    high: Vec<f32>,
}

impl Row {
    pub(super) fn new(left: i32, width: usize) -> Self {
        Self { left, low: vec![f32::INFINITY; width], high: vec![f32::NEG_INFINITY; width] }
    }

    /// Visits the columns of the window that a triangle covers in a row, with the lowest and the
    /// highest point over each.
    #[inline]
    pub(super) fn visit(
        &mut self,
        triangle: &mut Slices,
        row: i32,
        mut visit: impl FnMut(usize, [f32; 2]),
    ) {
        let part = triangle.part(row);
        let edges = &part.edges[..part.count];
        let (mut min, mut max) = (f32::INFINITY, f32::NEG_INFINITY);
        for end in edges.iter().flatten() {
            (min, max) = (least(min, end.x), most(max, end.x));
        }
        if edges.is_empty() {
            return;
        }
        let [x0, x1] = cells_between(min, max);
        let (from, to) = (x0.max(self.left), x1.min(self.left + self.low.len() as i32 - 1));
        if from > to {
            return;
        }
        let columns = (from - self.left) as usize..(to - self.left) as usize + 1;
        if let Some(height) = triangle.level() {
            columns.for_each(|column| visit(column, [height; 2]));
            return;
        }
        for &[start, end] in edges {
            self.walk_edge(start, end, [from, to]);
        }
        let (low, high) = (&mut self.low[columns.clone()], &mut self.high[columns.clone()]);
        for ((column, low), high) in columns.zip(low).zip(high) {
            let lowest = std::mem::replace(low, f32::INFINITY);
            let highest = std::mem::replace(high, f32::NEG_INFINITY);
            if lowest <= highest {
                visit(column, [lowest, highest]);
            }
        }
    }

    /// Widens the heights of the cells that an edge passes over, from cell `within[0]` to
    /// `within[1]`.
    #[inline]
    fn walk_edge(&mut self, start: Vec3, end: Vec3, within: [i32; 2]) {
        let (from, to) = if start.x <= end.x { (start, end) } else { (end, start) };
        let [first, last] = cells_between(from.x, to.x);
        let (first, last) = (first.min(within[1]), last.min(within[1]));
        if last < within[0] {
            return;
        }
        let slope = (to.y - from.y) / (to.x - from.x);
        let (lowest, highest) = (least(from.y, to.y), most(from.y, to.y));
        let height_at = |x: i32| {
            let y = from.y + (x as f32 - from.x) * slope;
            least(most(y, lowest), highest)
        };
        let begin = first.max(within[0]);
        let y = if begin == first { from.y } else { height_at(begin) };
        // An edge that goes on beyond the window ends at its last cell.
        let is_beyond = to.x > (last + 1) as f32;
        let y_end = if is_beyond { height_at(last + 1) } else { to.y };
        if begin == last {
            self.widen(begin, [y, y_end]);
            return;
        }
        self.widen(begin, [y, height_at(begin + 1)]);
        self.widen(last, [height_at(last), y_end]);
        let inner = (begin + 1 - self.left) as usize..(last - self.left) as usize;
        let cells = self.low[inner.clone()].iter_mut().zip(&mut self.high[inner]);
        for (x, (low, high)) in (begin + 1..last).zip(cells) {
            let (here, next) = (height_at(x), height_at(x + 1));
            *low = least(*low, least(here, next));
            *high = most(*high, most(here, next));
        }
    }

    /// Widens the heights of a cell.
    #[inline(always)]
    fn widen(&mut self, cell: i32, [a, b]: [f32; 2]) {
        let at = (cell - self.left) as usize;
        self.low[at] = least(self.low[at], least(a, b));
        self.high[at] = most(self.high[at], most(a, b));
    }
}

/// Returns the point of an edge at a given z, with `from.z < z < to.z` or at an end.
fn cut_at_z(from: Vec3, to: Vec3, z: f32) -> Vec3 {
    let depth = to.z - from.z;
    if depth <= 0.0 {
        return from;
    }
    let share = (z - from.z) / depth;
    let between = |from: f32, to: f32| {
        let at = from + (to - from) * share;
        least(most(at, least(from, to)), most(from, to))
    };
    Vec3::new(between(from.x, to.x), between(from.y, to.y), z)
}

//! Who is near: bodies sorted by the cells of a grid of two axes or three.
//!
//! The grid is a torus: cells whose columns, rows and layers differ by multiples of its sides are
//! one. So any world fits into a table of a few entries a body, and a distance test removes false
//! neighbours from other laps. A counting sort keeps the order of indices within a cell. All loops
//! go over bodies in this order, so neighbours in the plane are near in memory too.

use glam::Vec2;

use super::axes::Axes;
use super::steering::MOST_NEIGHBOURS;

/// A body in the order of cells. On the ground: 32 bytes, two to a line of the cache.
#[derive(Clone, Copy, Debug, Default)]
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
pub struct Near {
    /// Cells to a unit of length.
    scale: f32,
    /// Cells to each side of the table less one; a power of two less one.
    mask: u32,
    shift: u32,
    /// Where the bodies of each cell begin; one more than cells.
    starts: Vec<u32>,
    /// The cell of each body, by its index in the input.
    cells: Vec<u32>,
}

/// Cells are wide enough once a body has this many others before it in its cell, on average: then a
/// cell has about three.
const SHARED: u64 = 1;

/// By how much the side of cells grows at a time.
const WIDER: f32 = 1.4;

/// The criteria of a body's search for others.
#[derive(Clone, Copy)]
pub struct Looking {
    /// All bodies that come within reach: their distance is below the sum of radii and reaches.
    /// No distance beyond this one counts.
    pub touch: f32,
    /// And the nearest within this distance,
    pub range: f32,
    /// as many as that.
    pub most: usize,
    /// Whether it sees all bodies, so that no filter is needed.
    pub sees_all: bool,
}

/// The nearest bodies, by squared distance and index.
pub struct Nearest {
    /// A key has the bits of a squared distance, then those of an index. It is compared as a 64-bit
    /// float: keys are positive and finite, so their order is that of their bits. The array begins
    /// with a key below all, and ends with keys above all.
    keys: [f64; MOST_NEIGHBOURS + 1],
    count: usize,
}

impl Nearest {
    pub(super) const NONE: Self = {
        let mut keys = [f64::INFINITY; MOST_NEIGHBOURS + 1];
        keys[0] = f64::NEG_INFINITY;
        Self { keys, count: 0 }
    };

    /// Returns the indices of the bodies, the nearest first.
    #[inline]
    pub fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.keys[1..=self.count].iter().map(|key| key.to_bits() as u32 as usize)
    }

    /// Inserts a body among the nearest `most`; the farthest falls out.
    ///
    /// Works without a branch: the insertion point is random, so a branch on it would be
    /// mispredicted each time. Let `a` be the sorted keys. With the new key `k` among them, the one
    /// at `i` is the greater of `a[i - 1]` and the lesser of `a[i]` and `k`: all are computed in
    /// parallel.
    #[inline]
    pub(super) fn offer(&mut self, distance_squared: f32, place: usize, most: usize) {
        let key = f64::from_bits(u64::from(distance_squared.to_bits()) << 32 | place as u64);
        match most {
            ..=6 => self.insert::<6>(key),
            7..=10 => self.insert::<10>(key),
            _ => self.insert::<MOST_NEIGHBOURS>(key),
        }
        self.count = (self.count + 1).min(most);
    }

    /// Inserts among the first `SIDE_BY_SIDE` keys.
    #[inline]
    fn insert<const SIDE_BY_SIDE: usize>(&mut self, key: f64) {
        let known = self.keys;
        for at in 1..=SIDE_BY_SIDE {
            let nearer = if known[at] < key { known[at] } else { key };
            self.keys[at] = if known[at - 1] > nearer { known[at - 1] } else { nearer };
        }
    }

    /// Returns the squared distance of the last one, once there are `most`.
    #[inline]
    pub(super) fn limit(&self, most: usize) -> f32 {
        match most {
            0 => 0.0,
            _ if self.count < most => f32::INFINITY,
            _ => f32::from_bits((self.keys[most].to_bits() >> 32) as u32),
        }
    }
}

/// A search for the bodies near one of them.
pub struct Hunt<'b, V, F> {
    bodies: &'b [Body<V>],
    me: Body<V>,
    own: usize,
    looking: Looking,
    sees: F,
    nearest: Nearest,
    /// The squared distance beyond which no body is among the nearest.
    limit: f32,
    /// The squared distance beyond which no body counts.
    bound: f32,
    /// The squared distance beyond which no body is within reach.
    touch: f32,
}

impl<'b, V: Axes, F: Fn(usize) -> bool> Hunt<'b, V, F> {
    fn new(bodies: &'b [Body<V>], own: usize, looking: Looking, sees: F) -> Self {
        let limit = if looking.most == 0 { 0.0 } else { looking.range * looking.range };
        let touch = looking.touch * looking.touch;
        let (nearest, bound) = (Nearest::NONE, limit.max(touch));
        Self { bodies, me: bodies[own], own, looking, sees, nearest, limit, bound, touch }
    }

    /// Looks at the bodies from index `from` up to index `to`.
    #[inline]
    fn look(&mut self, from: u32, to: u32, touching: &mut Vec<u32>) {
        let me = self.me;
        for (place, other) in (from..to).zip(&self.bodies[from as usize..to as usize]) {
            let distance_squared = other.at.distance_squared(me.at);
            if distance_squared >= self.bound || place as usize == self.own {
                continue;
            }
            let touch = me.radius + other.radius + me.reach + other.reach;
            let touches = distance_squared < touch * touch;
            let is_near = distance_squared < self.limit;
            let is_seen = || self.looking.sees_all || (self.sees)(place as usize);
            if !(touches || is_near) || !is_seen() {
                continue;
            }
            if touches {
                touching.push(place);
            }
            if is_near {
                self.nearest.offer(distance_squared, place as usize, self.looking.most);
                // No float among these is NaN: plain comparisons suffice, and are faster.
                let farthest = self.nearest.limit(self.looking.most);
                self.limit = if farthest < self.limit { farthest } else { self.limit };
                self.bound = if self.limit > self.touch { self.limit } else { self.touch };
            }
        }
    }
}

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
pub trait Cells: Axes {
    /// The number of axes.
    const AXES: u32;

    /// The ring of cells that a search begins with. It includes the rings inside it.
    const INNERMOST: i32;

    /// Returns the cell of a point, in units of a cell's side.
    fn cell(self) -> Cell;

    /// Returns the offset of a point from the first corner of its cell.
    fn within(self, cell: Cell) -> Self;

    /// Returns the distance of a point within its cell to the nearest border.
    fn to_border(self) -> f32;

    /// Looks at the bodies in a ring of cells round the one in the middle; in three axes a shell.
    /// `within`: the offset of the searching body in its cell.
    fn look_round<F: Fn(usize) -> bool>(
        near: &Near,
        middle: Cell,
        within: Self,
        ring: i32,
        hunt: &mut Hunt<'_, Self, F>,
        touching: &mut Vec<u32>,
    );
}

impl Cells for Vec2 {
    const AXES: u32 = 2;
    const INNERMOST: i32 = 1;

    #[inline]
    fn cell(self) -> Cell {
        [floor(self.x), floor(self.y), 0]
    }

    #[inline]
    fn within(self, [column, row, _]: Cell) -> Self {
        self - Self::new(column as f32, row as f32)
    }

    #[inline]
    fn to_border(self) -> f32 {
        self.min(Self::ONE - self).min_element()
    }

    #[inline]
    fn look_round<F: Fn(usize) -> bool>(
        near: &Near,
        [column, row, layer]: Cell,
        within: Self,
        ring: i32,
        hunt: &mut Hunt<'_, Self, F>,
        touching: &mut Vec<u32>,
    ) {
        let side = 2 * ring as u32 + 1;
        let (left, top) = (column.wrapping_sub(ring), row.wrapping_sub(ring));
        let outer = ring as f32 - 1.0;
        for line in 0..side as i32 {
            let at = top.wrapping_add(line);
            if ring == Self::INNERMOST {
                near.look_along([left, at, layer], side, hunt, touching);
                continue;
            }
            // Cells that are too far off are skipped. A little less, for rounding.
            let gap = |offset: i32, within: f32| match offset {
                0 => 0.0,
                1.. => offset as f32 - within,
                _ => -offset as f32 - 1.0 + within,
            };
            let unit = 0.999 / near.scale;
            let to_row = gap(line - ring, within.y) * unit;
            let may_hold = |to_column: f32, bound: f32| {
                let to_column = to_column * unit;
                to_row * to_row + to_column * to_column < bound
            };
            if line == 0 || line == side as i32 - 1 {
                if may_hold(0.0, hunt.bound) {
                    near.look_along([left, at, layer], side, hunt, touching);
                }
                continue;
            }
            if may_hold(outer + within.x, hunt.bound) {
                near.look_along([left, at, layer], 1, hunt, touching);
            }
            if may_hold(outer + 1.0 - within.x, hunt.bound) {
                let right = left.wrapping_add(2 * ring);
                near.look_along([right, at, layer], 1, hunt, touching);
            }
        }
    }
}

impl Near {
    /// Sorts bodies into cells: `order` becomes their indices in the input, cell by cell.
    ///
    /// The side of a cell lies between `least` and `most`. It grows until a body shares its cell
    /// with enough others: then a ring of cells has about as many bodies as one looks at. It is a
    /// function of the points, so equal crowds have equal cells.
    pub fn sort<V: Cells>(
        &mut self,
        (least, most): (f32, f32),
        points: &(impl ExactSizeIterator<Item = V> + Clone),
        order: &mut Vec<u32>,
    ) {
        let count = points.len();
        // Between one and four cells a body; in three axes between one and eight.
        self.shift = (usize::BITS - count.leading_zeros()).div_ceil(V::AXES).max(2);
        self.mask = (1 << self.shift) - 1;
        let mut side = least;
        while self.count(side, points.clone()) < SHARED * count as u64 && side < most {
            side = (side * WIDER).min(most);
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        order.clear();
        order.resize(count, 0);
        // From the last one on, so that a cell's bodies stay in order.
        for (place, &cell) in self.cells.iter().enumerate().rev() {
            let start = &mut self.starts[cell as usize];
            *start -= 1;
            order[*start as usize] = place as u32;
        }
    }

    /// Counts the bodies of each cell. Returns the sum, over all bodies, of the bodies before it in
    /// its cell.
    fn count<V: Cells>(&mut self, side: f32, points: impl Iterator<Item = V>) -> u64 {
        self.scale = 1.0 / side;
        self.starts.clear();
        self.starts.resize((1 << (V::AXES * self.shift)) + 1, 0);
        self.cells.clear();
        let mut shared = 0;
        for point in points {
            let cell = self.entry((point * self.scale).cell());
            self.cells.push(cell as u32);
            shared += u64::from(self.starts[cell]);
            self.starts[cell] += 1;
        }
        shared
    }

    #[inline]
    fn entry(&self, cell: Cell) -> usize {
        let [column, row, layer] = cell.map(|part| part as u32 & self.mask);
        ((layer << self.shift | row) << self.shift | column) as usize
    }

    /// Looks at the bodies in a row of cells, fewer than the table has columns.
    #[inline]
    pub(super) fn look_along<V: Axes, F: Fn(usize) -> bool>(
        &self,
        [column, row, layer]: Cell,
        count: u32,
        hunt: &mut Hunt<'_, V, F>,
        touching: &mut Vec<u32>,
    ) {
        let first = column as u32 & self.mask;
        let base = self.entry([0, row, layer]);
        let columns = self.mask + 1;
        let start = |at: u32| self.starts[base + at as usize];
        // A row that leaves the table goes on at its beginning.
        let last = (first + count).min(columns);
        hunt.look(start(first), start(last), touching);
        let rest = first + count - last;
        if rest > 0 {
            hunt.look(start(0), start(rest), touching);
        }
    }

    /// Finds the others that the body at `own` looks for. Visits cells in rings from the inside to
    /// the outside until no farther ring can contain any. `sees` filters the bodies.
    ///
    /// The result does not depend on the cells' side, with two exceptions: the order of `touching`,
    /// and the choice of the last among several equally far. These depend only on the bodies and
    /// the side.
    #[inline]
    pub fn find<V: Cells>(
        &self,
        bodies: &[Body<V>],
        own: usize,
        looking: Looking,
        sees: impl Fn(usize) -> bool,
        touching: &mut Vec<u32>,
    ) -> Nearest {
        let begin = touching.len();
        let mut hunt = Hunt::new(bodies, own, looking, &sees);
        let scaled = bodies[own].at * self.scale;
        let middle = scaled.cell();
        let within = scaled.within(middle);
        let to_border = within.to_border();
        let mut ring = V::INNERMOST;
        loop {
            if 2 * ring as u32 > self.mask {
                // The ring meets itself round the torus: look at each body once.
                touching.truncate(begin);
                return find_among_all(bodies, own, looking, sees, touching);
            }
            V::look_round(self, middle, within, ring, &mut hunt, touching);
            // All bodies nearer than this have been seen; a little less, for rounding.
            let seen = (ring as f32 + to_border) * 0.999 / self.scale;
            if seen >= looking.touch && seen * seen >= hunt.limit {
                return hunt.nearest;
            }
            ring += 1;
        }
    }
}

/// Returns the same as [`Near::find`], by a test of all bodies.
#[cold]
pub fn find_among_all<V: Axes>(
    bodies: &[Body<V>],
    own: usize,
    looking: Looking,
    sees: impl Fn(usize) -> bool,
    touching: &mut Vec<u32>,
) -> Nearest {
    let mut hunt = Hunt::new(bodies, own, looking, sees);
    hunt.look(0, bodies.len() as u32, touching);
    hunt.nearest
}

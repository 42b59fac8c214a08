//! Who is near: bodies sorted by the cells of a grid.
//!
//! The grid is a torus: cells whose columns and rows differ by multiples of its sides are one, so
//! any world fits into a table of a few entries a body, and a distance tells true neighbours from
//! those of other laps. A counting sort keeps the order of the numbers within a cell. All loops go
//! over bodies in this order, whose neighbours in the plane are then near in memory too.

use glam::Vec2;

use super::steering::MOST_NEIGHBOURS;

/// A body in the order of cells: 32 bytes, two to a line of the cache.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Body {
    pub(super) at: Vec2,
    pub(super) velocity: Vec2,
    pub(super) radius: f32,
    /// How much others have to give way to it.
    pub(super) weight: f32,
    /// How far it can move within this step.
    pub(super) reach: f32,
    /// Its number in the crowd.
    pub(super) number: u32,
}

/// The lattice of the cells, and where the bodies of each begin.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    /// Cells to a unit of length.
    scale: f32,
    /// Cells to each side of the table less one; a power of two less one.
    mask: u32,
    shift: u32,
    /// Where the bodies of each cell begin; one more than cells.
    starts: Vec<u32>,
    /// The cell of each body, by its place in the input.
    cells: Vec<u32>,
}

/// What a body looks for.
#[derive(Clone, Copy)]
pub(super) struct Looking {
    /// All bodies that come within reach: their distance is below the sum of radii and reaches.
    /// No distance beyond this one counts.
    pub(super) touch: f32,
    /// And the nearest within this distance,
    pub(super) range: f32,
    /// as many as that.
    pub(super) most: usize,
}

/// The nearest bodies, by squared distance and place.
#[derive(Default)]
pub(super) struct Nearest {
    /// The bits of a distance, which are in the order of distances above zero, and a place.
    keys: [u64; MOST_NEIGHBOURS],
    count: usize,
}

impl Nearest {
    /// The places of the bodies, the nearest first.
    #[inline]
    pub(super) fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.keys[..self.count].iter().map(|&key| key as u32 as usize)
    }

    #[inline]
    fn offer(&mut self, distance_squared: f32, place: usize, most: usize) {
        let key = u64::from(distance_squared.to_bits()) << 32 | place as u64;
        let mut at = if self.count < most {
            self.count += 1;
            self.count - 1
        } else if key < self.keys[most - 1] {
            most - 1
        } else {
            return;
        };
        while at > 0 && self.keys[at - 1] > key {
            self.keys[at] = self.keys[at - 1];
            at -= 1;
        }
        self.keys[at] = key;
    }

    /// The squared distance of the last one, once there are `most`.
    #[inline]
    fn limit(&self, most: usize) -> f32 {
        match most {
            0 => 0.0,
            _ if self.count < most => f32::INFINITY,
            _ => f32::from_bits((self.keys[most - 1] >> 32) as u32),
        }
    }
}

impl Near {
    /// Sorts bodies into cells of that side: `order` becomes their places in the input, cell by
    /// cell.
    pub(super) fn sort(
        &mut self,
        side: f32,
        points: impl ExactSizeIterator<Item = Vec2>,
        order: &mut Vec<u32>,
    ) {
        let count = points.len();
        self.scale = 1.0 / side;
        // Between one and four cells a body.
        self.shift = (usize::BITS - count.leading_zeros()).div_ceil(2).max(2);
        self.mask = (1 << self.shift) - 1;
        self.starts.clear();
        self.starts.resize((1 << (2 * self.shift)) + 1, 0);
        self.cells.clear();
        for point in points {
            let (column, row) = self.cell(point);
            let cell = self.entry(column, row);
            self.cells.push(cell as u32);
            self.starts[cell] += 1;
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

    fn cell(&self, point: Vec2) -> (i32, i32) {
        let cell = (point * self.scale).floor();
        (cell.x as i32, cell.y as i32)
    }

    fn entry(&self, column: i32, row: i32) -> usize {
        ((row as u32 & self.mask) << self.shift | (column as u32 & self.mask)) as usize
    }

    /// Visits the places of the bodies in a row of cells, fewer than the table has columns.
    #[inline]
    fn visit_row(&self, row: i32, column: i32, count: u32, visit: &mut impl FnMut(usize)) {
        let first = column as u32 & self.mask;
        let base = self.entry(0, row);
        let columns = self.mask + 1;
        let mut run = |from: u32, to: u32| {
            let (from, to) = (self.starts[base + from as usize], self.starts[base + to as usize]);
            for place in from..to {
                visit(place as usize);
            }
        };
        if first + count <= columns {
            run(first, first + count);
        } else {
            run(first, columns);
            run(0, first + count - columns);
        }
    }

    /// Finds the others that the body at `own` looks for, cells in rings from the inside to the
    /// outside until no farther ring can hold any. `sees` filters those that it looks at.
    ///
    /// The result does not depend on the cells' side, except the order of `touching`, which
    /// depends on nothing but the bodies and the side.
    #[inline]
    pub(super) fn find(
        &self,
        bodies: &[Body],
        own: usize,
        looking: Looking,
        sees: impl Fn(usize) -> bool,
        touching: &mut Vec<u32>,
    ) -> Nearest {
        let me = bodies[own];
        let begin = touching.len();
        let mut nearest = Nearest::default();
        let range_squared = looking.range * looking.range;
        let mut limit = if looking.most == 0 { 0.0 } else { range_squared };
        let mut offer = |place: usize, nearest: &mut Nearest, touching: &mut Vec<u32>| {
            let other = &bodies[place];
            let distance_squared = other.at.distance_squared(me.at);
            let touch = me.radius + other.radius + me.reach + other.reach;
            let touches = distance_squared < touch * touch;
            if (touches || distance_squared < limit) && place != own && sees(place) {
                if touches {
                    touching.push(place as u32);
                }
                if distance_squared < limit {
                    nearest.offer(distance_squared, place, looking.most);
                    limit = limit.min(nearest.limit(looking.most));
                }
            }
            limit
        };
        let (column, row) = self.cell(me.at);
        let scaled = me.at * self.scale;
        let within = scaled - scaled.floor();
        let to_border = within.min(Vec2::ONE - within).min_element();
        let mut ring = 1i32;
        loop {
            let side = 2 * ring as u32 + 1;
            if side > self.mask + 1 {
                // The ring meets itself round the torus: look at everybody once.
                touching.truncate(begin);
                return self.find_among_all(bodies, own, looking, sees, touching);
            }
            let (left, top) = (column.wrapping_sub(ring), row.wrapping_sub(ring));
            let mut reached = 0.0;
            let mut visit = |place| reached = offer(place, &mut nearest, touching);
            for line in 0..side as i32 {
                let at = top.wrapping_add(line);
                if ring == 1 || line == 0 || line == side as i32 - 1 {
                    self.visit_row(at, left, side, &mut visit);
                } else {
                    self.visit_row(at, left, 1, &mut visit);
                    self.visit_row(at, left.wrapping_add(2 * ring), 1, &mut visit);
                }
            }
            // Everybody nearer than this has been seen; a little less, for rounding.
            let seen = (ring as f32 + to_border) * 0.999 / self.scale;
            let wanted = if looking.most == 0 {
                0.0
            } else {
                nearest.limit(looking.most).min(range_squared)
            };
            if seen >= looking.touch && seen * seen >= wanted {
                return nearest;
            }
            ring += 1;
        }
    }

    #[cold]
    fn find_among_all(
        &self,
        bodies: &[Body],
        own: usize,
        looking: Looking,
        sees: impl Fn(usize) -> bool,
        touching: &mut Vec<u32>,
    ) -> Nearest {
        let me = bodies[own];
        let mut nearest = Nearest::default();
        for (place, other) in bodies.iter().enumerate() {
            if place == own || !sees(place) {
                continue;
            }
            let distance_squared = other.at.distance_squared(me.at);
            let touch = me.radius + other.radius + me.reach + other.reach;
            if distance_squared < touch * touch {
                touching.push(place as u32);
            }
            if looking.most > 0 && distance_squared < looking.range * looking.range {
                nearest.offer(distance_squared, place, looking.most);
            }
        }
        nearest
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn those_found_are_those_of_a_full_look(
            bodies in prop::collection::vec((-40.0f32..40.0, -40.0f32..40.0, 0.1f32..2.0), 1..200),
            side in 0.3f32..9.0,
            range in 0.0f32..20.0,
            most in 0usize..=MOST_NEIGHBOURS,
        ) {
            let mut near = Near::default();
            let mut order = Vec::new();
            near.sort(side, bodies.iter().map(|&(x, y, _)| Vec2::new(x, y)), &mut order);
            let bodies: Vec<Body> = order.iter().map(|&number| {
                let (x, y, radius) = bodies[number as usize];
                Body { at: Vec2::new(x, y), radius, reach: 0.1, number, ..Body::default() }
            }).collect();
            for own in 0..bodies.len() {
                let looking = Looking { touch: bodies[own].radius + 2.0 + 0.2, range, most };
                let sees = |place: usize| bodies[place].number % 7 != 3;
                let (mut touching, mut all) = (Vec::new(), Vec::new());
                let found = near.find(&bodies, own, looking, sees, &mut touching);
                let expected = near.find_among_all(&bodies, own, looking, sees, &mut all);
                touching.sort_unstable();
                prop_assert_eq!(touching, all);
                let places: Vec<usize> = found.places().collect();
                prop_assert_eq!(places, expected.places().collect::<Vec<usize>>());
            }
        }
    }
}

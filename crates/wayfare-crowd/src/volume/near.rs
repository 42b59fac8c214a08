//! Who is near in three dimensions: bodies sorted by the cells of a torus, as on the ground.

use glam::{IVec3, Vec3};

use super::step::Ball;
use crate::near::{Looking, Nearest};

/// Cells are wide enough once a body has this many others before it in its cell, on average.
const SHARED: u64 = 1;

/// By how much the side of cells grows at a time.
const WIDER: f32 = 1.4;

/// The lattice of the cells, and where the bodies of each begin.
#[derive(Clone, Debug, Default)]
pub struct NearInVolume {
    /// Cells to a unit of length.
    scale: f32,
    /// Cells to each side of the table: 2 to this power.
    shift: u32,
    /// Where the bodies of each cell begin; one more than cells.
    starts: Vec<u32>,
    /// The cell of each body, by its index in the input.
    cells: Vec<u32>,
}

impl NearInVolume {
    /// Sorts bodies into cells: `order` becomes their indices in the input, cell by cell. The side
    /// of a cell lies between `least` and `most`, and is a function of the points.
    pub fn sort(
        &mut self,
        (least, most): (f32, f32),
        points: &(impl ExactSizeIterator<Item = Vec3> + Clone),
        order: &mut Vec<u32>,
    ) {
        let count = points.len();
        // Between one and eight cells a body.
        self.shift = (usize::BITS - count.leading_zeros()).div_ceil(3).max(2);
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
    fn count(&mut self, side: f32, points: impl Iterator<Item = Vec3>) -> u64 {
        self.scale = 1.0 / side;
        self.starts.clear();
        self.starts.resize((1 << (3 * self.shift)) + 1, 0);
        self.cells.clear();
        let mut shared = 0;
        for point in points {
            let cell = self.entry(self.cell(point));
            self.cells.push(cell as u32);
            shared += u64::from(self.starts[cell]);
            self.starts[cell] += 1;
        }
        shared
    }

    fn cell(&self, point: Vec3) -> IVec3 {
        (point * self.scale).floor().as_ivec3()
    }

    fn entry(&self, cell: IVec3) -> usize {
        let mask = (1 << self.shift) - 1;
        let [x, y, z] = cell.to_array().map(|part| part as usize & mask);
        (z << self.shift | y) << self.shift | x
    }

    /// Finds the others that the body at `own` looks for. Visits cells in shells from the inside to
    /// the outside until no farther shell can contain any. `sees` filters the bodies. The choice of
    /// the last among several equally far depends on the cells' side.
    pub fn find(
        &self,
        bodies: &[Ball],
        own: usize,
        looking: Looking,
        sees: impl Fn(usize) -> bool,
        touching: &mut Vec<u32>,
    ) -> Nearest {
        let begin = touching.len();
        let mut hunt = Hunt::new(bodies, own, looking, &sees);
        let scaled = bodies[own].at * self.scale;
        let middle = self.cell(bodies[own].at);
        let within = scaled - middle.as_vec3();
        let to_border = within.min(Vec3::ONE - within).min_element();
        for ring in 0i32.. {
            if 2 * ring + 1 > 1 << self.shift {
                break;
            }
            for z in -ring..=ring {
                for y in -ring..=ring {
                    let is_outer = z.abs() == ring || y.abs() == ring;
                    let step = if is_outer || ring == 0 { 1 } else { 2 * ring as usize };
                    for x in (-ring..=ring).step_by(step) {
                        let offset = IVec3::new(x, y, z);
                        let [cx, cy, cz] = middle.to_array();
                        let at = IVec3::new(
                            cx.wrapping_add(offset.x),
                            cy.wrapping_add(offset.y),
                            cz.wrapping_add(offset.z),
                        );
                        let cell = self.entry(at);
                        hunt.look(self.starts[cell], self.starts[cell + 1], touching);
                    }
                }
            }
            // All bodies nearer than this have been seen; a little less, for rounding.
            let seen = (ring as f32 + to_border) * 0.999 / self.scale;
            if seen >= looking.touch && seen * seen >= hunt.limit {
                return hunt.nearest;
            }
        }
        // The shell meets itself round the torus: look at each body once.
        touching.truncate(begin);
        let mut hunt = Hunt::new(bodies, own, looking, &sees);
        hunt.look(0, bodies.len() as u32, touching);
        hunt.nearest
    }
}

/// A search for the bodies near one of them.
pub struct Hunt<'b, F> {
    bodies: &'b [Ball],
    me: Ball,
    own: usize,
    looking: Looking,
    sees: F,
    /// The nearest found so far.
    pub nearest: Nearest,
    /// The squared distance beyond which no body is among the nearest.
    limit: f32,
}

impl<'b, F: Fn(usize) -> bool> Hunt<'b, F> {
    /// A search around the body at place `own` that has seen nobody yet.
    pub fn new(bodies: &'b [Ball], own: usize, looking: Looking, sees: F) -> Self {
        let limit = if looking.most == 0 { 0.0 } else { looking.range * looking.range };
        Self { bodies, me: bodies[own], own, looking, sees, nearest: Nearest::NONE, limit }
    }

    /// Looks at the bodies from index `from` up to index `to`.
    pub fn look(&mut self, from: u32, to: u32, touching: &mut Vec<u32>) {
        let me = self.me;
        for (place, other) in (from..to).zip(&self.bodies[from as usize..to as usize]) {
            let distance_squared = other.at.distance_squared(me.at);
            let touch = me.radius + other.radius + me.reach + other.reach;
            let touches = distance_squared < touch * touch;
            let is_near = distance_squared < self.limit;
            let is_own = place as usize == self.own;
            if is_own || !(touches || is_near) || !(self.sees)(place as usize) {
                continue;
            }
            if touches {
                touching.push(place);
            }
            if is_near {
                self.nearest.offer(distance_squared, place as usize, self.looking.most);
                self.limit = self.limit.min(self.nearest.limit(self.looking.most));
            }
        }
    }
}

//! Lengths of shortest paths over free tiles or through free blocks, without the engine: the second
//! opinion on the lengths of queries.
//!
//! By buckets (Denardo and Fox, 1979) over lengths of 32 fractional bits. The engine's path may be
//! longer by the rounding of its costs: 10⁻⁸ per move on tiles, 1.8 · 10⁻⁶ among blocks. A second
//! search of the engine would not do: it shares the space, and so its faults.

/// A length as an integer: 2³² for a straight step.
pub(crate) type Fixed = u64;

/// The count of fractional bits of a [`Fixed`].
const POINT: u32 = 32;

/// 1, √2 and √3. Each is off by less than 2⁻³³, so sums of n moves order as their lengths do if
/// these differ by more than n · 2⁻³².
const MOVES: [Fixed; 3] = [1 << POINT, 6_074_001_000, 7_439_101_574];

/// Not reached.
pub const FAR: Fixed = Fixed::MAX;

/// Free and filled cells in a box, tiles being a box of one layer.
///
/// A move goes to one of the 26 cells around, or of the 8 in the same layer, and all cells of its
/// bounding box have to be free: the rule of the Moving AI benchmarks in both dimensions.
pub struct FreeBox {
    /// From one cell to the next along each axis. A filled cell lies before and after all others
    /// along each axis of more than one cell.
    strides: [usize; 3],
    first: usize,
    free: Vec<bool>,
    moves: Vec<Move>,
}

struct Move {
    offset: isize,
    length: Fixed,
    /// The count of axes along which it goes.
    axes: usize,
    /// The other cells of its bounding box.
    between: Vec<isize>,
}

impl FreeBox {
    /// `size` along x, y (up) and z.
    pub fn new(size: [u32; 3], is_free: impl Fn([u32; 3]) -> bool) -> Self {
        let rim = size.map(|side| usize::from(side > 1));
        let padded = [0, 1, 2].map(|axis| size[axis] as usize + 2 * rim[axis]);
        let strides = [1, padded[0] * padded[2], padded[0]];
        let first = (0..3).map(|axis| rim[axis] * strides[axis]).sum();
        let mut free = vec![false; padded.iter().product()];
        let moves = moves(rim, strides);
        let mut found = FreeBox { strides, first, free: Vec::new(), moves };
        for y in 0..size[1] {
            for z in 0..size[2] {
                for x in 0..size[0] {
                    free[found.place([x, y, z])] = is_free([x, y, z]);
                }
            }
        }
        found.free = free;
        found
    }

    /// The index of a position.
    pub fn place(&self, at: [u32; 3]) -> usize {
        self.first + (0..3).map(|axis| at[axis] as usize * self.strides[axis]).sum::<usize>()
    }

    /// Returns the position of an index.
    pub fn at(&self, place: usize) -> [u32; 3] {
        // No cell lies before the first along any axis, and each is below its side.
        let inner = place - self.first;
        let (y, layer) = (inner / self.strides[1], inner % self.strides[1]);
        [layer % self.strides[2], y, layer / self.strides[2]].map(|side| side as u32)
    }

    /// Returns the cells of the largest connected part, in order; empty if nothing is free.
    pub(crate) fn largest_part(&self) -> Vec<usize> {
        let mut part = vec![0u32; self.free.len()];
        let (mut largest, mut most, mut parts) = (0, 0, 0);
        let mut stack = Vec::new();
        for first in (0..self.free.len()).filter(|place| self.free[*place]) {
            if part[first] > 0 {
                continue;
            }
            parts += 1;
            part[first] = parts;
            stack.push(first);
            let mut count = 0;
            while let Some(place) = stack.pop() {
                count += 1;
                // Connected cells are connected by straight moves.
                for step in self.moves.iter().filter(|step| step.axes == 1) {
                    let next = place.wrapping_add_signed(step.offset);
                    if self.free[next] && part[next] == 0 {
                        part[next] = parts;
                        stack.push(next);
                    }
                }
            }
            if count > most {
                (most, largest) = (count, parts);
            }
        }
        (0..part.len()).filter(|place| largest > 0 && part[*place] == largest).collect()
    }

    /// Returns the length of the shortest path from a cell to each other one.
    ///
    /// Source: E. Denardo, B. Fox, "Shortest-route methods: 1. Reaching, pruning, and buckets",
    /// 1979. Places whose length so far has the same whole part share a bucket. No move is shorter
    /// than 1, so none leads to a shorter length within the bucket it starts from: taken in any
    /// order, the places of the first bucket have their final lengths. No move is longer than 2,
    /// so three buckets do.
    pub fn lengths(&self, from: usize) -> Vec<Fixed> {
        let mut lengths = vec![FAR; self.free.len()];
        let mut buckets = [vec![from], Vec::new(), Vec::new()];
        lengths[from] = 0;
        for whole in 0.. {
            let bucket = whole as usize % buckets.len();
            let places = std::mem::take(&mut buckets[bucket]);
            for place in &places {
                let length = lengths[*place];
                if length >> POINT != whole {
                    continue; // reached by a shorter way since
                }
                for step in &self.moves {
                    let next = place.wrapping_add_signed(step.offset);
                    let longer = length + step.length;
                    if longer < lengths[next] && self.allows(*place, step) {
                        lengths[next] = longer;
                        buckets[(longer >> POINT) as usize % 3].push(next);
                    }
                }
            }
            if buckets.iter().all(Vec::is_empty) {
                break;
            }
        }
        lengths
    }

    /// Returns the straight, diagonal and space diagonal moves of a shortest path to `to`, by the
    /// lengths that [`FreeBox::lengths`] gives.
    pub fn moves_to(&self, to: usize, lengths: &[Fixed]) -> [u32; 3] {
        let (mut place, mut count) = (to, [0; 3]);
        while lengths[place] > 0 {
            let before = self.moves.iter().find_map(|step| {
                // Moves back are allowed where moves are.
                let before = place.wrapping_add_signed(step.offset);
                let leads = self.free[before] && lengths[before] != FAR;
                let fits = leads && lengths[before] + step.length == lengths[place];
                (fits && self.allows(place, step)).then_some((before, step.axes))
            });
            let Some((before, axes)) = before else { break };
            count[axes - 1] += 1;
            place = before;
        }
        count
    }

    fn allows(&self, place: usize, step: &Move) -> bool {
        let is_free = |offset: &isize| self.free[place.wrapping_add_signed(*offset)];
        is_free(&step.offset) && step.between.iter().all(is_free)
    }
}

/// Returns the moves along the axes that have a rim.
fn moves(rim: [usize; 3], strides: [usize; 3]) -> Vec<Move> {
    let steps = |axis: usize| if rim[axis] > 0 { -1..=1isize } else { 0..=0 };
    let offset = |by: [isize; 3]| (0..3).map(|axis| by[axis] * strides[axis] as isize).sum();
    let mut moves = Vec::new();
    for y in steps(1) {
        for z in steps(2) {
            for x in steps(0) {
                let by = [x, y, z];
                let axes = by.iter().filter(|step| **step != 0).count();
                if axes == 0 {
                    continue;
                }
                // All corners of the bounding box: each axis gone along, or not.
                let mut between: Vec<isize> = (1..7)
                    .map(|corner| [0, 1, 2].map(|axis| by[axis] * (corner >> axis & 1)))
                    .map(offset)
                    .filter(|corner| *corner != 0 && *corner != offset(by))
                    .collect();
                between.sort_unstable();
                between.dedup();
                moves.push(Move { offset: offset(by), length: MOVES[axes - 1], axes, between });
            }
        }
    }
    moves
}

/// Returns the length of a path with these counts of straight, diagonal and space diagonal moves.
pub fn length_of([straight, diagonal, space]: [u32; 3]) -> f64 {
    f64::from(straight) + f64::from(diagonal) * 2f64.sqrt() + f64::from(space) * 3f64.sqrt()
}

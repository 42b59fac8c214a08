//! The baseline for voxel worlds: A* over dense arrays, written with care.
//!
//! Everything is an array as large as the world, kept from query to query: the moves out of each
//! voxel, worked out beforehand (one bit for each of the 26 whose bounding box is free), and nodes
//! of eight bytes (cost; query, direction of the parent). Arrays are laid out in bricks of 8 x 8 x
//! 8 voxels, a page of nodes each. The estimate is the exact distance of the empty world, worked
//! out from coordinates. Same moves, costs and estimate as ours.
//!
//! Two open lists: the standard library's binary heap over packed keys, which break ties for the
//! higher cost so far; and a radix heap, where of equal totals the last one in comes out first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use wayfare::space::{VOXEL_DIAGONAL, VOXEL_SPACE_DIAGONAL, VOXEL_STRAIGHT};

/// The world and the search's arrays.
pub(crate) struct DenseWorld {
    size: [u32; 3],
    /// What each coordinate adds to a voxel's place in the arrays.
    places: [Vec<u32>; 3],
    /// The moves out of each voxel, as bits.
    moves: Vec<u32>,
    nodes: Vec<Node>,
    query: u32,
}

#[derive(Clone, Copy)]
struct Node {
    cost: u32,
    /// The number of the query that reached it last, whether it is closed (one bit), and the move
    /// it was reached by (five).
    state: u32,
}

const CLOSED: u32 = 32;
const MOVE: u32 = 31;
/// As a move: the search began here.
const START: u32 = 13;

/// A voxel that waits to be expanded.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    /// The cost so far and the estimate together.
    total: u32,
    cost: u32,
    /// Ten bits a coordinate.
    voxel: u32,
}

/// An open list.
pub(crate) trait Open: Default {
    fn clear(&mut self);
    fn push(&mut self, entry: Entry);
    fn pop(&mut self) -> Option<Entry>;
}

/// The standard library's heap: total and inverted cost in one integer, and the voxel.
#[derive(Default)]
pub(crate) struct StandardHeap(BinaryHeap<Reverse<(u64, u32)>>);

impl Open for StandardHeap {
    fn clear(&mut self) {
        self.0.clear();
    }

    fn push(&mut self, Entry { total, cost, voxel }: Entry) {
        self.0.push(Reverse((u64::from(total) << 32 | u64::from(!cost), voxel)));
    }

    fn pop(&mut self) -> Option<Entry> {
        let Reverse((key, voxel)) = self.0.pop()?;
        Some(Entry { total: (key >> 32) as u32, cost: !(key as u32), voxel })
    }
}

/// A queue of entries whose totals never fall below that of the last one taken out (R. Ahuja, K.
/// Mehlhorn, J. Orlin, R. Tarjan, "Faster algorithms for the shortest path problem", 1990).
#[derive(Default)]
pub(crate) struct RadixHeap {
    /// The total of the last entry taken out.
    last: u32,
    /// Entries with that total.
    lowest: Vec<Entry>,
    /// The others, by the highest bit in which their total differs from it.
    buckets: [Vec<Entry>; 32],
}

impl Open for RadixHeap {
    fn clear(&mut self) {
        self.last = 0;
        self.lowest.clear();
        self.buckets.iter_mut().for_each(Vec::clear);
    }

    fn push(&mut self, entry: Entry) {
        match (entry.total ^ self.last).checked_ilog2() {
            None => self.lowest.push(entry),
            Some(bit) => self.buckets[bit as usize].push(entry),
        }
    }

    fn pop(&mut self) -> Option<Entry> {
        if self.lowest.is_empty() {
            let first = self.buckets.iter().position(|bucket| !bucket.is_empty())?;
            let mut entries = std::mem::take(&mut self.buckets[first]);
            self.last = entries.iter().map(|entry| entry.total).min()?;
            for entry in entries.drain(..) {
                self.push(entry);
            }
            self.buckets[first] = entries;
        }
        self.lowest.pop()
    }
}

/// The offset of a move along x, y and z, and its cost.
const MOVES: [([i32; 3], u32); 27] = {
    let mut moves = [([0; 3], 0); 27];
    let mut code = 0;
    while code < 27 {
        let offset = [code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1];
        let [x, y, z] = offset;
        let cost = match x * x + y * y + z * z {
            0 => 0,
            1 => VOXEL_STRAIGHT,
            2 => VOXEL_DIAGONAL,
            _ => VOXEL_SPACE_DIAGONAL,
        };
        moves[code as usize] = (offset, cost);
        code += 1;
    }
    moves
};

impl DenseWorld {
    pub(crate) fn new(size: [u32; 3], blocked: impl Iterator<Item = [u32; 3]>) -> Self {
        assert!(size.iter().all(|&side| side <= 1024), "ten bits a coordinate");
        let bricks = size.map(|side| side.div_ceil(8));
        let strides = [512, 512 * bricks[0], 512 * bricks[0] * bricks[1]];
        let places = [0, 1, 2].map(|axis| {
            (0..size[axis]).map(|at| at / 8 * strides[axis] + ((at % 8) << (3 * axis))).collect()
        });
        let voxels = (strides[2] * bricks[2]) as usize;
        let mut world = Self {
            size,
            places,
            moves: Vec::new(),
            // Not zero: memory that was never written is not there yet, and the first queries would
            // pay for it.
            nodes: vec![Node { cost: 1, state: 1 }; voxels],
            query: 1,
        };
        let mut free = vec![true; voxels];
        for at in blocked {
            free[world.place(at)] = false;
        }
        world.moves = vec![0; voxels];
        for z in 0..size[2] {
            for y in 0..size[1] {
                for x in 0..size[0] {
                    let place = world.place([x, y, z]);
                    world.moves[place] = world.moves_from([x, y, z], &free);
                }
            }
        }
        world
    }

    fn place(&self, [x, y, z]: [u32; 3]) -> usize {
        let [xs, ys, zs] = &self.places;
        (xs[x as usize] + ys[y as usize] + zs[z as usize]) as usize
    }

    /// The moves whose bounding box is free.
    fn moves_from(&self, from: [u32; 3], free: &[bool]) -> u32 {
        let is_free = |offset: [i32; 3]| {
            let at = [0, 1, 2].map(|axis| from[axis].wrapping_add_signed(offset[axis]));
            (0..3).all(|axis| at[axis] < self.size[axis]) && free[self.place(at)]
        };
        let is_legal = |step: [i32; 3]| {
            (0..8).all(|corner| {
                is_free([0, 1, 2].map(|axis| if corner >> axis & 1 == 1 { step[axis] } else { 0 }))
            })
        };
        let legal = |code: u32| code != START && is_legal(MOVES[code as usize].0);
        (0..27).filter(|&code| legal(code)).fold(0, |moves, code| moves | 1 << code)
    }

    fn estimate(from: [u32; 3], to: [u32; 3]) -> u32 {
        let [x, y, z] = [0, 1, 2].map(|axis| from[axis].abs_diff(to[axis]));
        let (large, small) = (x.max(y).max(z), x.min(y).min(z));
        let middle = x + y + z - large - small;
        large * VOXEL_STRAIGHT
            + middle * (VOXEL_DIAGONAL - VOXEL_STRAIGHT)
            + small * (VOXEL_SPACE_DIAGONAL - VOXEL_DIAGONAL)
    }

    fn entry(at: [u32; 3], cost: u32, to: [u32; 3]) -> Entry {
        let total = cost + Self::estimate(at, to);
        Entry { total, cost, voxel: at[0] | at[1] << 10 | at[2] << 20 }
    }

    /// The cost of the cheapest path, which is traced back too, and the number of voxels expanded.
    pub(crate) fn solve(
        &mut self,
        open: &mut impl Open,
        (from, to): ([u32; 3], [u32; 3]),
    ) -> (Option<u32>, u64) {
        self.query += 1;
        let reached = self.query << 6;
        let mut expanded = 0;
        let start = self.place(from);
        self.nodes[start] = Node { cost: 0, state: reached | START };
        open.clear();
        open.push(Self::entry(from, 0, to));
        while let Some(Entry { cost, voxel, .. }) = open.pop() {
            let at = [voxel & 1023, voxel >> 10 & 1023, voxel >> 20];
            if at == to {
                std::hint::black_box(self.path_length(from, to));
                return (Some(cost), expanded);
            }
            let place = self.place(at);
            if self.nodes[place].state & CLOSED != 0 {
                continue;
            }
            self.nodes[place].state |= CLOSED;
            expanded += 1;
            let mut moves = self.moves[place];
            while moves != 0 {
                let code = moves.trailing_zeros();
                moves &= moves - 1;
                let (step, price) = MOVES[code as usize];
                let next = [0, 1, 2].map(|axis| at[axis].wrapping_add_signed(step[axis]));
                let through = cost + price;
                let place = self.place(next);
                let node = &mut self.nodes[place];
                if node.state < reached || through < node.cost {
                    *node = Node { cost: through, state: reached | code };
                    open.push(Self::entry(next, through, to));
                }
            }
        }
        (None, expanded)
    }

    /// The number of moves of the path that the last query found.
    fn path_length(&self, from: [u32; 3], to: [u32; 3]) -> usize {
        std::iter::successors(Some(to), |&at| {
            let (step, _) = MOVES[(self.nodes[self.place(at)].state & MOVE) as usize];
            (at != from).then(|| [0, 1, 2].map(|axis| at[axis].wrapping_add_signed(-step[axis])))
        })
        .count()
            - 1
    }

    /// The memory of its arrays, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.len() * (size_of::<Node>() + size_of::<u32>())
    }
}

//! The baseline for voxel worlds: A* over dense arrays, as one writes it first.
//!
//! One byte a voxel for what is free, and an array of nodes (cost, parent, stamp) as large as the world, kept from query to query; the standard library's binary heap; 26 neighbours, each tested voxel by voxel over the bounding box
//! of its move; the exact distance of the empty world as its estimate. Same moves, costs and estimate as ours.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use wayfare::space::{VOXEL_DIAGONAL, VOXEL_SPACE_DIAGONAL, VOXEL_STRAIGHT};

/// The world, padded by one blocked voxel on every side, and the search's arrays.
pub(crate) struct DenseWorld {
    /// From one row to the next, and from one layer to the next.
    stride: [usize; 2],
    free: Vec<bool>,
    nodes: Vec<Node>,
    query: u32,
    steps: Vec<Step>,
}

#[derive(Clone, Copy)]
struct Node {
    cost: u32,
    parent: u32,
    /// Twice the number of the query that reached it last, plus one once it is closed.
    stamp: u32,
}

/// A move, and the voxels of its bounding box, as offsets.
struct Step {
    to: isize,
    cost: u32,
    needs: Vec<isize>,
}

/// What a query came to.
pub(crate) struct DenseAnswer {
    pub(crate) cost: Option<u32>,
    pub(crate) expanded: u64,
}

impl DenseWorld {
    pub(crate) fn new(size: [u32; 3], blocked: impl Iterator<Item = [u32; 3]>) -> Self {
        let [width, height, depth] = size.map(|side| side as usize + 2);
        let stride = [width, width * height];
        let mut free = vec![false; width * height * depth];
        for z in 1..depth - 1 {
            for y in 1..height - 1 {
                let row = z * stride[1] + y * stride[0];
                free[row + 1..row + width - 1].fill(true);
            }
        }
        let mut world = Self {
            // Not zero: memory that was never written is not there yet, and the first queries would pay for it.
            nodes: vec![Node { cost: 1, parent: 1, stamp: 1 }; free.len()],
            query: 1,
            steps: Vec::new(),
            free,
            stride,
        };
        for at in blocked {
            let index = world.index(at);
            world.free[index] = false;
        }
        let offset =
            |x: isize, y: isize, z: isize| x + y * stride[0] as isize + z * stride[1] as isize;
        for code in 0..27 {
            let [x, y, z] = [code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1];
            let cost = match x * x + y * y + z * z {
                0 => continue,
                1 => VOXEL_STRAIGHT,
                2 => VOXEL_DIAGONAL,
                _ => VOXEL_SPACE_DIAGONAL,
            };
            let mut needs: Vec<isize> = Vec::new();
            for corner in 0..8 {
                let part = |axis: isize, bit: i32| if corner >> bit & 1 == 1 { axis } else { 0 };
                needs.push(offset(part(x, 0), part(y, 1), part(z, 2)));
            }
            needs.sort_unstable();
            needs.dedup();
            needs.retain(|&needed| needed != 0);
            world.steps.push(Step { to: offset(x, y, z), cost, needs });
        }
        world
    }

    fn index(&self, [x, y, z]: [u32; 3]) -> usize {
        (x as usize + 1) + (y as usize + 1) * self.stride[0] + (z as usize + 1) * self.stride[1]
    }

    fn estimate(&self, from: usize, to: [u32; 3]) -> u32 {
        let z = from / self.stride[1];
        let y = from % self.stride[1] / self.stride[0];
        let x = from % self.stride[0];
        let mut away = [x, y, z];
        for (part, to) in away.iter_mut().zip(to) {
            *part = part.abs_diff(to as usize + 1);
        }
        away.sort_unstable();
        let [small, middle, large] = away.map(|part| part as u32);
        (large - middle) * VOXEL_STRAIGHT
            + (middle - small) * VOXEL_DIAGONAL
            + small * VOXEL_SPACE_DIAGONAL
    }

    /// The cost of the cheapest path.
    pub(crate) fn solve(&mut self, from: [u32; 3], to: [u32; 3]) -> DenseAnswer {
        self.query += 1;
        let (start, goal) = (self.index(from), self.index(to));
        let mut expanded = 0;
        let mut open = BinaryHeap::new();
        let open_stamp = 2 * self.query;
        self.nodes[start] = Node { cost: 0, parent: start as u32, stamp: open_stamp };
        open.push((Reverse(self.estimate(start, to)), 0u32, start as u32));
        while let Some((_, cost, at)) = open.pop() {
            let at = at as usize;
            if at == goal {
                return DenseAnswer { cost: Some(cost), expanded };
            }
            if self.nodes[at].stamp != open_stamp {
                continue; // closed before
            }
            self.nodes[at].stamp += 1;
            expanded += 1;
            for step in &self.steps {
                let free = |needed: &isize| self.free[at.wrapping_add_signed(*needed)];
                if !step.needs.iter().all(free) {
                    continue;
                }
                let next = at.wrapping_add_signed(step.to);
                let through = cost + step.cost;
                let node = &mut self.nodes[next];
                if node.stamp < open_stamp || through < node.cost {
                    *node = Node { cost: through, parent: at as u32, stamp: open_stamp };
                    open.push((Reverse(through + self.estimate(next, to)), through, next as u32));
                }
            }
        }
        DenseAnswer { cost: None, expanded }
    }

    /// The number of moves of the path that the last query found.
    pub(crate) fn moves(&self, from: [u32; 3], to: [u32; 3]) -> usize {
        let start = self.index(from);
        std::iter::successors(Some(self.index(to)), |&at| {
            (at != start).then(|| self.nodes[at].parent as usize)
        })
        .count()
            - 1
    }

    /// The memory of its arrays, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.free.len() * (1 + size_of::<Node>())
    }
}

//! Generated voxel worlds to fly through: half as high as wide and deep.

use wayfare::search::{Algorithm, Auto, Query, Scratch, Search};
use wayfare::space::voxel::{BlockId, BlockPosition, VoxelSize};
use wayfare::space::{Space, VoxelGrid, VoxelProfile};

/// A kind of world.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// Whether a block is solid, in a world of that height.
    is_solid: fn([u32; 3], u32) -> bool,
}

pub(crate) const KINDS: [Kind; 7] = [
    Kind { name: "caves", is_solid: caves },
    Kind { name: "city", is_solid: city },
    Kind { name: "islands", is_solid: islands },
    Kind { name: "dust", is_solid: dust },
    Kind { name: "rooms", is_solid: rooms },
    Kind { name: "trees", is_solid: trees },
    Kind { name: "walls", is_solid: walls },
];

impl Kind {
    pub(crate) fn world(&self, side: u32) -> Result<VoxelGrid, String> {
        let size = VoxelSize { width: side, height: side / 2, depth: side };
        VoxelGrid::from_fn(size, &[], VoxelProfile::flyer(), |BlockPosition { x, y, z }| {
            if (self.is_solid)([x, y, z], size.height) { BlockId::SOLID } else { BlockId::AIR }
        })
        .map_err(|error| error.to_string())
    }
}

/// Draws pairs of places with a path between them.
pub(crate) fn queries(grid: &VoxelGrid, count: usize) -> Vec<(BlockPosition, BlockPosition)> {
    let (size, space, mut scratch) = (grid.size(), grid.space(), Scratch::new());
    let mut seed = 0x1234_5678_9abc_def1_u64;
    let mut random = |bound: u32| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 33) as u32 % bound
    };
    let mut place = || {
        loop {
            let [x, y, z] = [random(size.width), random(size.height), random(size.depth)];
            let at = BlockPosition::new(x, y, z);
            if let Some(voxel) = grid.voxel(at).filter(|&voxel| space.check(voxel).is_ok()) {
                return (at, voxel);
            }
        }
    };
    let mut queries = Vec::new();
    while queries.len() < count {
        let ((from, start), (to, goal)) = (place(), place());
        let mut search = Auto.search(Query::new(start, goal));
        let answer = search.finish(&space, &mut scratch, &mut ());
        if answer.outcome.is_found() {
            queries.push((from, to));
        }
        scratch.recycle(answer.outcome.into_path());
    }
    queries
}

/// A random number between 0 and 1 for a point of a lattice.
fn random(at: [i64; 3], salt: u64) -> f64 {
    let [x, y, z] = at.map(|part| part as u64);
    let mut hash = salt.wrapping_mul(0xd6e8_feb8_6659_fd93)
        ^ x.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ y.wrapping_mul(0xff51_afd7_ed55_8ccd)
        ^ z.wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    hash = (hash ^ hash >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ hash >> 29).wrapping_mul(0x94d0_49bb_1331_11eb);
    f64::from((hash ^ hash >> 32) as u32) / f64::from(u32::MAX)
}

fn random_of(at: [u32; 3], salt: u64) -> f64 {
    random(at.map(i64::from), salt)
}

/// Smooth noise between 0 and 1 with a period of `period` blocks.
fn noise(at: [u32; 3], period: f64, salt: u64) -> f64 {
    let at = at.map(|part| f64::from(part) / period);
    let cell = at.map(f64::floor);
    let share = [0, 1, 2].map(|axis| {
        let part = at[axis] - cell[axis];
        part * part * (3.0 - 2.0 * part)
    });
    let corners = (0..8).map(|corner| [0, 1, 2].map(|axis| corner >> axis & 1));
    let weighted = corners.map(|up: [i64; 3]| {
        let weights =
            [0, 1, 2].map(|axis| if up[axis] == 1 { share[axis] } else { 1.0 - share[axis] });
        let at = [0, 1, 2].map(|axis| cell[axis] as i64 + up[axis]);
        weights.iter().product::<f64>() * random(at, salt)
    });
    weighted.sum()
}

/// Caves of two sizes.
fn caves(at: [u32; 3], _: u32) -> bool {
    noise(at, 24.0, 7) * 0.75 + noise(at, 9.0, 8) * 0.25 < 0.52
}

/// Towers with ledges between streets, up to the ceiling, with bridges between some.
fn city([x, y, z]: [u32; 3], height: u32) -> bool {
    let lot = [x / 24, y / 32, z / 24];
    let top = (f64::from(height) * random_of([lot[0], 0, lot[2]], 1)) as u32;
    let (low, high) = (4 + y / 16 % 2, 20 - y / 16 % 2);
    let is_tower = (low..high).contains(&(x % 24)) && (low..high).contains(&(z % 24)) && y < top;
    let is_bridge = y % 32 == 12 && (9..13).contains(&(z % 24)) && random_of(lot, 2) < 0.3;
    y == 0 || is_tower || is_bridge
}

/// Ellipsoids in the sky.
fn islands(at: [u32; 3], _: u32) -> bool {
    const APART: i64 = 40;
    (0..27).any(|near| {
        let cell = [0, 1, 2]
            .map(|axis: usize| i64::from(at[axis]) / APART + near / 3_i64.pow(axis as u32) % 3 - 1);
        let part = |salt| random(cell, salt);
        let radius = [6.0 + 22.0 * part(4), 3.0 + 7.0 * part(5), 6.0 + 22.0 * part(6)];
        let away = [0, 1, 2].map(|axis| {
            let middle = (cell[axis] as f64 + part(1 + axis as u64)) * APART as f64;
            ((f64::from(at[axis]) - middle) / radius[axis]).powi(2)
        });
        part(0) < 0.6 && away.iter().sum::<f64>() < 1.0
    })
}

/// Single blocks.
fn dust(at: [u32; 3], _: u32) -> bool {
    random_of(at, 1) < 0.02
}

/// Rooms of 32 x 16 x 32 blocks, most walls with a window of 3 x 3.
fn rooms(at: [u32; 3], _: u32) -> bool {
    const SIDES: [u32; 3] = [32, 16, 32];
    let room = [0, 1, 2].map(|axis| at[axis] / SIDES[axis]);
    (0..3).any(|axis| {
        let is_in_window = |across: usize| {
            let bound = f64::from(SIDES[across] - 6);
            let from = 2 + (random_of(room, (10 * axis + across) as u64) * bound) as u32;
            (from..from + 3).contains(&(at[across] % SIDES[across]))
        };
        let is_window = random_of(room, 100 + axis as u64) < 0.6
            && is_in_window((axis + 1) % 3)
            && is_in_window((axis + 2) % 3);
        at[axis].is_multiple_of(SIDES[axis]) && !is_window
    })
}

/// Trunks with crowns.
fn trees([x, y, z]: [u32; 3], height: u32) -> bool {
    let part = |row| random_of([x / 10, row, z / 10], 1);
    let middle = [2.0 + 6.0 * part(1), 2.0 + 6.0 * part(2)];
    let top = (f64::from(height) * (0.3 + 0.7 * part(3))) as u32;
    let away = (f64::from(x % 10) + 0.5 - middle[0]).powi(2)
        + (f64::from(z % 10) + 0.5 - middle[1]).powi(2);
    y == 0 || y < top && away < if y + 12 > top { 12.0 } else { 1.5 }
}

/// Walls across the world, each with one gap, and a few single blocks.
fn walls(at @ [x, y, z]: [u32; 3], height: u32) -> bool {
    let wall = x / 48;
    let gap = (f64::from(2 * height - 24) * random_of([wall, 0, 0], 1)) as u32;
    let sill = (f64::from(height - 12) * random_of([wall, 1, 0], 1)) as u32;
    let is_gap = (gap..gap + 12).contains(&z) && (sill..sill + 8).contains(&y);
    x % 48 == 24 && !is_gap || random_of(at, 3) < 0.0005
}

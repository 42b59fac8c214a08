//! Walking over a voxel terrain of 512 × 128 × 512 blocks: hills, caves under them, lakes and
//! trees.

use cpu_time::ThreadTime;

use wayfare::search::{AStar, Algorithm, Heuristic, Landmarks, Natural, Query, Scratch, Search};
use wayfare::space::voxel::{BlockId, BlockKind, BlockPosition, VoxelSize};
use wayfare::space::{Space, Voxel, VoxelGrid, VoxelProfile, VoxelSpace};

const SIZE: VoxelSize = VoxelSize { width: 512, height: 128, depth: 512 };

/// Smooth noise between 0 and 1: sums of interpolated lattices.
fn noise(x: f64, z: f64, seed: u64) -> f64 {
    let lattice = |x: i64, z: i64| {
        let mut hash = seed
            ^ (x as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ (z as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        hash = (hash ^ hash >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (hash ^ hash >> 29) as u32 as f64 / f64::from(u32::MAX)
    };
    let (ix, iz) = (x.floor(), z.floor());
    let smooth = |t: f64| t * t * (3.0 - 2.0 * t);
    let (fx, fz) = (smooth(x - ix), smooth(z - iz));
    let (ix, iz) = (ix as i64, iz as i64);
    let along = |z: i64| lattice(ix, z) * (1.0 - fx) + lattice(ix + 1, z) * fx;
    along(iz) * (1.0 - fz) + along(iz + 1) * fz
}

/// The terrain, with a wall three blocks high around a court in its middle: `court` is half its
/// side, 0 for no wall.
pub(crate) fn terrain(
    size: VoxelSize,
    profile: VoxelProfile,
    court: u32,
) -> Result<VoxelGrid, String> {
    let height = |x: u32, z: u32| {
        let (x, z) = (f64::from(x), f64::from(z));
        let hills = noise(x / 96.0, z / 96.0, 1) * 60.0 + noise(x / 24.0, z / 24.0, 2) * 14.0;
        (12.0 + hills + noise(x / 6.0, z / 6.0, 3) * 3.0) as u32
    };
    let palette = [BlockKind::Air, BlockKind::Solid, BlockKind::Water].map(Into::into);
    let (middle_x, middle_z) = (size.width / 2, size.depth / 2);
    VoxelGrid::from_fn(size, &palette, profile, |BlockPosition { x, y, z }| {
        let surface = height(x, z);
        let is_wall = court > 0 && x.abs_diff(middle_x).max(z.abs_diff(middle_z)) == court;
        let is_cave = noise(f64::from(x) / 20.0, f64::from(z) / 20.0, 5) > 0.6
            && (y as f64 - f64::from(surface) * 0.4).abs() < 3.0;
        let is_tree = noise(f64::from(x) * 0.9, f64::from(z) * 0.9, 7) > 0.93 && y < surface + 5;
        match y {
            _ if is_wall && y < surface.max(34) + 6 => BlockId::SOLID,
            _ if y < surface && !is_cave || y == 0 || is_tree => BlockId::SOLID,
            _ if y < 34 && y >= surface => BlockId(2),
            _ => BlockId::AIR,
        }
    })
    .map_err(|error| error.to_string())
}

/// Draws places on the surface.
pub(crate) struct Places {
    size: VoxelSize,
    seed: u64,
}

impl Places {
    pub(crate) fn new(size: VoxelSize) -> Self {
        Self { size, seed: 0x1234_5678_9abc_def1 }
    }

    fn random(&mut self, bound: u32) -> u32 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 33) as u32 % bound
    }

    /// The top of a column that one can stand on.
    pub(crate) fn next(&mut self, world: &VoxelGrid) -> Voxel {
        let (size, space) = (self.size, world.space());
        loop {
            let (x, z) = (self.random(size.width), self.random(size.depth));
            let mut column = (1..size.height).rev();
            let found = column.find_map(|y| {
                world.voxel(BlockPosition::new(x, y, z)).filter(|&voxel| space.check(voxel).is_ok())
            });
            if let Some(voxel) = found {
                return voxel;
            }
        }
    }
}

/// Measures queries between places on the surface.
pub(crate) fn run(queries: usize) -> Result<(), String> {
    println!(
        "{:<22} {:>9} {:>9} {:>7}  {:>9} {:>9} {:>9}  {:>9} {:>6} {:>6} {:>9}",
        "walker",
        "build ms",
        "world MB",
        "queries",
        "mean µs",
        "p50 µs",
        "p99 µs",
        "expanded",
        "found",
        "length",
        "search MB"
    );
    let tall = VoxelProfile { height: 2, max_fall_distance: 3, ..VoxelProfile::default() };
    let swimmer = VoxelProfile {
        abilities: wayfare::space::voxel::Abilities { swim: true, ..tall.abilities },
        ..tall.clone()
    };
    for (name, profile) in [
        ("preset", VoxelProfile::default()),
        ("2 high, falls 3", tall),
        ("the same, swims", swimmer),
    ] {
        row(name, profile, queries)?;
    }
    Ok(())
}

fn row(name: &str, profile: VoxelProfile, queries: usize) -> Result<(), String> {
    let begun = ThreadTime::now();
    let mut world = terrain(SIZE, profile, 0)?;
    let build = begun.elapsed().as_secs_f64() * 1e3;
    let (space, mut places) = (world.space(), Places::new(SIZE));
    let pairs: Vec<(Voxel, Voxel)> =
        (0..queries).map(|_| (places.next(&world), places.next(&world))).collect();
    let sizes = format!("{build:>9.0} {:>9.1}", megabytes(world.size_in_bytes()));
    let plain = measure(&pairs, &space, &Natural);
    print_row(name, &sizes, &plain);
    let begun = ThreadTime::now();
    let mut landmarks =
        Landmarks::new(&space, plain.hub, LANDMARKS).map_err(|error| error.to_string())?;
    let build = begun.elapsed().as_secs_f64() * 1e3;
    let led = measure(&pairs, &space, &&landmarks);
    if led.cost != plain.cost {
        return Err(format!("{name}: {} with landmarks, {} without", led.cost, plain.cost));
    }
    let sizes = format!("{build:>9.0} {:>9.1}", megabytes(landmarks.bytes()));
    print_row(&format!("  + {LANDMARKS} landmarks"), &sizes, &led);
    let places: Vec<BlockPosition> =
        (0..EDITS).map(|_| world.position_of(places.next(&world))).collect();
    let (mut times, mut lowered) = (Vec::new(), 0);
    for at in places {
        let edit = world.set_block(at, BlockId::SOLID).map_err(|error| error.to_string())?;
        for edit in [Some(edit), None] {
            let edit = match edit {
                Some(edit) => edit,
                None => world.set_block(at, BlockId::AIR).map_err(|error| error.to_string())?,
            };
            let affected = world.affected_by(&edit);
            let begun = ThreadTime::now();
            lowered += landmarks.repair(&world.space(), &affected);
            times.push(begun.elapsed().as_secs_f64() * 1e3);
        }
    }
    println!(
        "  a block more or less: repaired in {:.2} ms, p99 {:.2} ms, worst {:.2} ms; {lowered} costs lowered in all",
        crate::report::mean(&times),
        crate::report::percentile(&times, 0.99),
        times.iter().copied().fold(0.0, f64::max),
    );
    let repaired = measure(&pairs, &world.space(), &&landmarks);
    if repaired.cost != plain.cost {
        return Err(format!("{name}: {} repaired, {} without", repaired.cost, plain.cost));
    }
    print_row("  repaired", &format!("{:>19}", ""), &repaired);
    Ok(())
}

const LANDMARKS: usize = 40;
/// Blocks that are put on the ground and taken away again while landmarks follow.
const EDITS: usize = 100;

fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// What the queries that have an answer came to.
struct Walks {
    times: Vec<f64>,
    queries: usize,
    expanded: u64,
    cost: u64,
    length: f64,
    scratch: usize,
    /// Where the first of them began.
    hub: Voxel,
}

fn measure<'a>(
    pairs: &[(Voxel, Voxel)],
    space: &VoxelSpace<'a>,
    heuristic: &impl Heuristic<VoxelSpace<'a>>,
) -> Walks {
    let mut scratch = Scratch::new();
    let mut walks = Walks {
        times: Vec::new(),
        queries: pairs.len(),
        expanded: 0,
        cost: 0,
        length: 0.0,
        scratch: 0,
        hub: pairs[0].0,
    };
    for &(from, to) in pairs {
        // Of several rounds the least counts, as nothing but noise makes one longer.
        let mut time = f64::INFINITY;
        let mut answer = None;
        for _ in 0..crate::ROUNDS {
            let begun = ThreadTime::now();
            let mut search = AStar::with(heuristic.clone()).search(Query::new(from, to));
            let last = search.finish(space, &mut scratch, &mut ());
            time = time.min(begun.elapsed().as_secs_f64() * 1e6);
            if let Some(before) = answer.replace(last) {
                scratch.recycle(before.outcome.into_path());
            }
        }
        let Some(answer) = answer else { continue };
        if let Some(path) = answer.outcome.path() {
            if walks.times.is_empty() {
                walks.hub = from;
            }
            walks.times.push(time);
            walks.expanded += answer.stats.expanded;
            walks.cost += u64::from(path.cost());
            walks.length += path.length(&space);
        }
        scratch.recycle(answer.outcome.into_path());
    }
    walks.scratch = scratch.bytes();
    walks
}

fn print_row(name: &str, sizes: &str, walks: &Walks) {
    let found = walks.times.len();
    let count = found.max(1) as f64;
    println!(
        "{name:<22} {sizes} {:>7}  {:>9.0} {:>9.0} {:>9.0}  {:>9.0} {found:>6} {:>6.0} {:>9.1}",
        walks.queries,
        crate::report::mean(&walks.times),
        crate::report::percentile(&walks.times, 0.5),
        crate::report::percentile(&walks.times, 0.99),
        walks.expanded as f64 / count,
        walks.length / count,
        megabytes(walks.scratch),
    );
}

//! Regions of voxel terrains: goals without a way there, what the rest gains, and what edits cost.

use cpu_time::ThreadTime;

use wayfare::search::{AStar, Algorithm, Query, Scratch, Search};
use wayfare::space::voxel::{BlockId, BlockPosition, VoxelSize};
use wayfare::space::{Voxel, VoxelGrid, VoxelProfile};

use crate::report::{mean, percentile};
use crate::terrain3d::{self, Places};

/// Half the side of the walled court in the middle of each terrain.
const COURT: u32 = 128;
/// Pairs of places from the outside into the court, and as many back.
const INTO: usize = 10;
/// Blocks that are put on the ground and taken away again, each an edit of its own.
const DOORS: usize = 200;
/// Blocks of one large edit.
const BATCH: usize = 10_000;

/// Measures both terrains for two walkers. Says whether all answers are the same with regions and
/// without.
pub(crate) fn run(queries: usize) -> Result<bool, String> {
    let mut is_same = true;
    for (width, height) in [(512, 128), (1024, 256)] {
        let size = VoxelSize { width, height, depth: width };
        let tall = VoxelProfile { height: 2, max_fall_distance: 3, ..VoxelProfile::default() };
        for (name, profile) in [("preset", VoxelProfile::default()), ("2 high, falls 3", tall)] {
            println!("{width} x {height} x {width}, {name}");
            is_same &= rows(size, profile, queries)?;
        }
    }
    Ok(is_same)
}

/// The answers of some queries: the cost of each path, and its time in ms.
struct Answers {
    costs: Vec<Option<u32>>,
    times: Vec<f64>,
}

fn answers(world: &VoxelGrid, pairs: &[(Voxel, Voxel)]) -> Answers {
    let (space, mut scratch) = (world.space(), Scratch::new());
    let mut answers = Answers { costs: Vec::new(), times: Vec::new() };
    for &(from, to) in pairs {
        let (mut time, mut cost) = (f64::INFINITY, None);
        for _ in 0..crate::ROUNDS {
            let begun = ThreadTime::now();
            let mut search = AStar::new().search(Query::new(from, to));
            let answer = search.finish(&space, &mut scratch, &mut ());
            time = time.min(begun.elapsed().as_secs_f64() * 1e3);
            cost = answer.outcome.path().map(wayfare::path::Path::cost);
            scratch.recycle(answer.outcome.into_path());
        }
        answers.costs.push(cost);
        answers.times.push(time);
    }
    answers
}

fn print(what: &str, without: &[f64], with: &[f64]) {
    let worst = |times: &[f64]| times.iter().copied().fold(0.0, f64::max);
    let columns = |times: &[f64]| {
        let (mean, p99, worst) = (mean(times), percentile(times, 0.99), worst(times));
        format!("{mean:>9.4} {p99:>9.4} {worst:>9.4}")
    };
    println!("  {what:<26} {:>6}   {}   {}", without.len(), columns(without), columns(with));
}

fn rows(size: VoxelSize, profile: VoxelProfile, queries: usize) -> Result<bool, String> {
    let mut world = terrain3d::terrain(size, profile, COURT)?;
    let mut places = Places::new(size);
    let far = |at: BlockPosition| {
        let away = [at.x, at.z].map(|side| side.abs_diff(size.width / 2));
        away[0].max(away[1])
    };
    let anywhere: Vec<(Voxel, Voxel)> =
        (0..queries).map(|_| (places.next(&world), places.next(&world))).collect();
    let mut among = |world: &VoxelGrid, is_inside: bool| loop {
        let place = places.next(world);
        if (far(world.position_of(place)) < COURT) == is_inside {
            return place;
        }
    };
    let into: Vec<(Voxel, Voxel)> =
        (0..INTO).map(|_| (among(&world, false), among(&world, true))).collect();
    let out: Vec<(Voxel, Voxel)> = into.iter().map(|&(from, to)| (to, from)).collect();
    let sets = [anywhere, into, out];
    let without = sets.each_ref().map(|pairs| answers(&world, pairs));
    let doors = [places.next(&world)].into_iter();
    let doors: Vec<BlockPosition> = doors
        .chain((1..DOORS).map(|_| places.next(&world)))
        .map(|place| world.position_of(place))
        .collect();
    let batch: Vec<BlockPosition> =
        (0..BATCH).map(|_| places.next(&world)).map(|place| world.position_of(place)).collect();
    let doors_without = edits(&mut world, &doors)?;
    let batch_without = edit(&mut world, &batch)?;

    let begun = ThreadTime::now();
    let profile = world.profiles().next().ok_or("a world has a profile")?;
    world.prepare_regions(profile);
    println!(
        "  regions: {:.0} ms, {:.1} MB, beside a world of {:.1} MB",
        begun.elapsed().as_secs_f64() * 1e3,
        world.region_bytes() as f64 / f64::from(1 << 20),
        (world.size_in_bytes() - world.region_bytes()) as f64 / f64::from(1 << 20),
    );
    println!(
        "  {:<26} {:>6}   {:>9} {:>9} {:>9}   {:>9} {:>9} {:>9}",
        "ms", "count", "mean", "p99", "worst", "with mean", "p99", "worst"
    );
    let with = sets.each_ref().map(|pairs| answers(&world, pairs));
    let mut is_same = true;
    for ((what, without), with) in
        ["anywhere", "into the court", "out of the court"].iter().zip(&without).zip(&with)
    {
        is_same &= without.costs == with.costs;
        for (kind, is_found) in [("found", true), ("no way", false)] {
            let of = |answers: &Answers| -> Vec<f64> {
                let all = answers.costs.iter().zip(&answers.times);
                all.filter(|(cost, _)| cost.is_some() == is_found).map(|(_, &time)| time).collect()
            };
            let (without, with) = (of(without), of(with));
            if !without.is_empty() {
                print(&format!("{what}, {kind}"), &without, &with);
            }
        }
    }
    print("edit of one block", &doors_without, &edits(&mut world, &doors)?);
    print("edit of 10,000 blocks", &batch_without, &edit(&mut world, &batch)?);
    // After all edits the regions are those of the terrain again.
    is_same &= answers(&world, &sets[0]).costs == without[0].costs;
    Ok(is_same)
}

/// Puts a block at each place and takes it away, and times both, in ms.
fn edits(world: &mut VoxelGrid, places: &[BlockPosition]) -> Result<Vec<f64>, String> {
    let mut times = Vec::new();
    for &place in places {
        times.extend(edit(world, &[place])?);
    }
    Ok(times)
}

/// Puts blocks at places as one edit, and takes them away again.
fn edit(world: &mut VoxelGrid, places: &[BlockPosition]) -> Result<Vec<f64>, String> {
    let begun = ThreadTime::now();
    let edit = world.set_blocks(places.iter().map(|&at| (at, BlockId::SOLID)));
    let first = begun.elapsed().as_secs_f64() * 1e3;
    let edit = edit.map_err(|error| error.to_string())?;
    let begun = ThreadTime::now();
    world.undo(&edit).map_err(|error| error.to_string())?;
    Ok(vec![first, begun.elapsed().as_secs_f64() * 1e3])
}

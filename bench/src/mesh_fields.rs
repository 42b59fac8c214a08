//! Fields on navigation meshes, beside single queries: 1,000 agents with one goal, and the nearest
//! of 100 places.
//!
//! Levels are baked with the settings of Recast's demo. Points are drawn on one island.

use cpu_time::ThreadTime;
use wayfare::search::{
    MeshField, MeshFieldQuery, MeshFieldSearch, MeshQuery, MeshScratch, MeshSearch, Polyanya,
    Progress,
};
use wayfare::space::navmesh::{MeshPoint, NavMesh, NavMeshSpace};

use crate::navmesh::{baked, drawn};
use crate::{bake, clock};

/// Agents that go to one goal.
const AGENTS: usize = 1000;
/// Places of which the nearest is asked for.
const PLACES: usize = 100;
/// Rounds; the time of each task is that of its fastest round.
const ROUNDS: usize = 5;

/// Runs all levels found whose name contains a word.
pub(crate) fn run(filter: &str) -> Result<bool, String> {
    println!("milliseconds of one thread, the fastest of {ROUNDS} rounds");
    println!(
        "{:<12} {:>8} {:>10} {:>10} {:>12} {:>12} {:>10} {:>12} {:>9}",
        "mesh",
        "polygons",
        "intervals",
        "field",
        "1000 asked",
        "1000 queries",
        "nearest",
        "100 queries",
        "KiB"
    );
    let mut sound = true;
    for path in bake::levels(filter)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        sound &= measure(&name, &baked(&path)?);
    }
    Ok(sound)
}

fn field(
    space: &NavMeshSpace<'_>,
    query: MeshFieldQuery,
    scratch: &mut MeshScratch,
    spare: MeshField,
) -> MeshField {
    let mut search = MeshFieldSearch::new(query);
    while search.step(space, scratch, &mut (), u64::MAX) == Progress::Working {}
    search.into_field(space, scratch, spare).expect("a source on the mesh")
}

fn measure(name: &str, mesh: &NavMesh) -> bool {
    let space = mesh.space();
    let pairs = drawn(mesh, AGENTS);
    let goal = pairs[0][1];
    let agents: Vec<MeshPoint> = pairs.iter().map(|pair| pair[0]).collect();
    let places: Vec<MeshPoint> = pairs.iter().skip(1).take(PLACES).map(|pair| pair[1]).collect();
    let mut scratch = MeshScratch::new();
    let whole = MeshFieldQuery::from_points([goal]);
    let nearest = whole.clone().until_nearest(places.clone(), 1);
    let mut lengths = MeshField::default();
    let computed = fastest(|| {
        lengths = field(&space, whole.clone(), &mut scratch, std::mem::take(&mut lengths));
    });
    let sum = |lengths: &MeshField| -> f64 {
        agents.iter().filter_map(|&agent| lengths.distance(&space, agent)).sum()
    };
    let asked = fastest(|| sum(&lengths));
    let mut one = |from: MeshPoint, to: MeshPoint| {
        let query = MeshQuery::new(from, to);
        let outcome = Polyanya.search(query).finish(&space, &mut scratch, &mut ()).outcome;
        let length = outcome.path().map(|path| path.length);
        scratch.recycle(outcome.into_path());
        length
    };
    let mut total = 0.0;
    let queried = fastest(|| total = agents.iter().filter_map(|&agent| one(agent, goal)).sum());
    let mut least = None;
    let tried = fastest(|| {
        let lengths = places.iter().filter_map(|&place| one(goal, place));
        least = lengths.min_by(f64::total_cmp);
    });
    let mut spare = MeshField::default();
    let mut found = None;
    let asked_nearest = fastest(|| {
        spare = field(&space, nearest.clone(), &mut scratch, std::mem::take(&mut spare));
        found = spare.nearest(&space, &places).map(|nearest| nearest.length);
    });
    println!(
        "{name:<12} {:>8} {:>10} {:>10.2} {:>12.3} {:>12.2} {:>10.3} {:>12.2} {:>9}",
        mesh.len(),
        lengths.stats().generated,
        computed / 1000.0,
        asked / 1000.0,
        queried / 1000.0,
        asked_nearest / 1000.0,
        tried / 1000.0,
        lengths.size_in_bytes() / 1024,
    );
    let is_same_nearest = match (found, least) {
        (Some(found), Some(least)) => (found - least).abs() < 1e-6 * (1.0 + least),
        (found, least) => found == least,
    };
    let is_sound = is_same_nearest && (sum(&lengths) / total - 1.0).abs() < 1e-6;
    if !is_sound {
        eprintln!("{name}: fields and queries differ: {found:?} {least:?}");
    }
    is_sound
}

/// The microseconds of the fastest round.
fn fastest<T>(mut round: impl FnMut() -> T) -> f64 {
    let once = |_| {
        let begun = ThreadTime::now();
        std::hint::black_box(round());
        clock::micros(begun)
    };
    (0..ROUNDS).map(once).fold(f64::INFINITY, f64::min)
}

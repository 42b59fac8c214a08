//! Queries on navigation meshes, beside the crate `polyanya`.
//!
//! Levels are baked with the settings of Recast's demo, and the crate gets the same polygons, as a
//! `.mesh` file. It knows no heights: ends lie where no floor lies above or below another. Both are
//! given the polygons that the ends lie in. Its lengths are single floats, and judged as such;
//! ours are checked by the validator of mesh paths besides.

use std::path::{Path, PathBuf};

use cpu_time::ThreadTime;
use glam::Vec3;
use polyanya::{Coords, PolyanyaFile};
use wayfare::path::validate_mesh_path;
use wayfare::search::{Corridor, MeshOutcome, MeshQuery, MeshScratch, MeshSearch, Polyanya};
use wayfare::space::navmesh::{HeightReach, MeshPoint, NavMesh};
use wayfare_bake::{Bake, BakeSettings, LevelGeometry};
use wayfare_formats::{movingai_scen, obj, polyanya_mesh};

use crate::{bake, clock};

/// Rounds of all queries; the time of a search is that of its fastest round.
const ROUNDS: usize = 5;
/// The largest difference of lengths by single and by double floats, as a share.
const ROUNDING: f64 = 1e-4;

/// Runs all levels and meshes found whose name contains a word.
pub(crate) fn run(filter: &str, most: usize) -> Result<bool, String> {
    println!("queries a second on one thread, the fastest of {ROUNDS} rounds");
    println!(
        "{:<16} {:>8} {:>7} {:>10} {:>10} {:>10} {:>7} {:>8} {:>8} {:>10}",
        "mesh",
        "polygons",
        "queries",
        "polyanya",
        "corridor",
        "crate",
        "ratio",
        "longest",
        "excess",
        "allocated"
    );
    let mut sound = true;
    each(filter, most, &mut |name, mesh, pairs| {
        sound &= measure(name, mesh, pairs)?;
        Ok(())
    })?;
    Ok(sound)
}

/// Takes in a mesh by its name, with queries.
pub(crate) type Visit<'a> = dyn FnMut(&str, &NavMesh, &[[MeshPoint; 2]]) -> Result<(), String> + 'a;

/// Visits the levels and meshes found whose name contains a word, each with at most that many
/// queries.
pub(crate) fn each(filter: &str, most: usize, visit: &mut Visit<'_>) -> Result<(), String> {
    for path in bake::levels(filter).unwrap_or_default() {
        let mesh = baked(&path)?;
        let pairs = drawn(&mesh, most);
        visit(&name_of(&path), &mesh, &pairs)?;
    }
    for (mesh, scenario) in meshes(filter) {
        let read = |path: &Path| {
            std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let world = polyanya_mesh::read(&read(&mesh)?).map_err(|error| error.to_string())?;
        let entries = movingai_scen::read(&read(&scenario)?).map_err(|error| error.to_string())?;
        let every = entries.entries.len().div_ceil(most).max(1);
        let place = |at: wayfare_formats::TilePosition| Vec3::new(at.x as f32, 0.0, at.y as f32);
        let pairs: Vec<_> = (entries.entries.iter().step_by(every))
            .filter_map(|entry| {
                let space = world.space();
                let at = |place| space.locate(place, HeightReach::ANY);
                Some([at(place(entry.start))?, at(place(entry.goal))?])
            })
            .collect();
        visit(&name_of(&mesh), &world, &pairs)?;
    }
    Ok(())
}

pub(crate) fn name_of(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The `.mesh` files with their queries.
fn meshes(filter: &str) -> Vec<(PathBuf, PathBuf)> {
    let Ok(data) = std::env::var("WAYFARE_DATA") else { return Vec::new() };
    let folder = Path::new(&data).join("navmesh/polyanya");
    [("arena-merged.mesh", "arena.scen"), ("aurora-merged.mesh", "aurora.scen")]
        .iter()
        .filter(|(mesh, _)| mesh.contains(filter))
        .map(|(mesh, scenario)| (folder.join(mesh), folder.join(scenario)))
        .filter(|(mesh, scenario)| mesh.exists() && scenario.exists())
        .collect()
}

/// The mesh of a level.
pub(crate) fn baked(path: &Path) -> Result<NavMesh, String> {
    baked_with(&level(path)?, bake::settings())
}

/// The triangles of a level.
pub(crate) fn level(path: &Path) -> Result<LevelGeometry, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let triangles = obj::read(&bytes).map_err(|error| error.to_string())?;
    let vertices: Vec<Vec3> = triangles.vertices().iter().map(|&at| at.into()).collect();
    LevelGeometry::new(vertices, triangles.triangles().to_vec()).map_err(|error| error.to_string())
}

/// The mesh of a level by these settings.
pub(crate) fn baked_with(level: &LevelGeometry, settings: BakeSettings) -> Result<NavMesh, String> {
    let bake = Bake::new(level, settings).map_err(|error| error.to_string())?;
    let baked = bake.run().map_err(|error| error.to_string())?;
    baked.polygons.nav_mesh().map_err(|error| error.to_string())
}

/// Pairs of points drawn from the rectangle around the mesh: on it, on one island, and on the only
/// floor at their place.
pub(crate) fn drawn(mesh: &NavMesh, most: usize) -> Vec<[MeshPoint; 2]> {
    let space = mesh.space();
    let corners = mesh.vertices().iter();
    let (low, high) = corners.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), at| {
        (low.min(*at), high.max(*at))
    });
    let mut state = 20_261_122_u64;
    let mut share = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 24) as f32
    };
    let mut point = || loop {
        let at = low + (high - low) * Vec3::new(share(), 0.0, share());
        let Some(found) = space.locate(at, HeightReach::ANY) else { continue };
        let covers = |polygon| mesh.contains(polygon, at);
        if mesh.polygons().filter(|&polygon| covers(polygon)).count() == 1 {
            return found;
        }
    };
    let mut pairs = Vec::with_capacity(most);
    while pairs.len() < most {
        let [start, goal] = [point(), point()];
        if space.component(start.polygon) == space.component(goal.polygon) {
            pairs.push([start, goal]);
        }
    }
    pairs
}

/// One line of the table. Says whether all our lengths are right and no longer than the crate's.
fn measure(name: &str, mesh: &NavMesh, pairs: &[[MeshPoint; 2]]) -> Result<bool, String> {
    let space = mesh.space();
    let mut scratch = MeshScratch::new();
    let mut faults = 0;
    let mut exact = Vec::new();
    for &[start, goal] in pairs {
        let answer =
            Polyanya.search(MeshQuery::new(start, goal)).finish(&space, &mut scratch, &mut ());
        let path = answer.outcome.path();
        let is_right =
            path.is_some_and(|path| validate_mesh_path(&space, path, start, goal).is_ok());
        faults += usize::from(!is_right);
        exact.push(path.map_or(f64::INFINITY, |path| path.length));
    }
    let mut all = |search: &dyn Fn(MeshQuery, &mut MeshScratch) -> MeshOutcome| -> f64 {
        let of = |&[start, goal]: &[MeshPoint; 2]| {
            let outcome = search(MeshQuery::new(start, goal), &mut scratch);
            let length = outcome.path().map_or(f64::INFINITY, |path| path.length);
            scratch.recycle(outcome.into_path());
            length
        };
        pairs.iter().map(of).sum()
    };
    let by_polyanya = |query, scratch: &mut MeshScratch| {
        Polyanya.search(query).finish(&space, scratch, &mut ()).outcome
    };
    let by_corridor = |query, scratch: &mut MeshScratch| {
        Corridor.search(query).finish(&space, scratch, &mut ()).outcome
    };
    let ours = fastest(|| all(&by_polyanya));
    let allocated = allocation_counter::measure(|| {
        all(&by_polyanya);
    });
    let corridor = fastest(|| all(&by_corridor));
    let taut: Vec<f64> = (pairs.iter())
        .map(|&[start, goal]| {
            let outcome = by_corridor(MeshQuery::new(start, goal), &mut MeshScratch::new());
            outcome.path().map_or(f64::INFINITY, |path| path.length)
        })
        .collect();
    let file = PolyanyaFile::from_bytes(polyanya_mesh::write(mesh).as_bytes());
    let mut peer: polyanya::Mesh =
        file.try_into().map_err(|error| format!("{name}: the crate refuses it: {error:?}"))?;
    peer.bake();
    let at = |point: MeshPoint| {
        let found = peer.get_point_layer(Coords::on_mesh([point.place.x, point.place.z].into()));
        found.first().copied()
    };
    let located: Vec<Option<[Coords; 2]>> =
        pairs.iter().map(|&[start, goal]| Some([at(start)?, at(goal)?])).collect();
    let search = || -> Vec<f64> {
        let of = |ends: &Option<[Coords; 2]>| {
            let path = ends.and_then(|[start, goal]| peer.path(start, goal));
            path.map_or(f64::INFINITY, |path| f64::from(path.length))
        };
        located.iter().map(of).collect()
    };
    let theirs = fastest(search);
    let (mut excess, mut longer) = (0.0, 0);
    for ((own, other), [start, goal]) in exact.iter().zip(search()).zip(pairs) {
        if *own > other * (1.0 + ROUNDING) + ROUNDING {
            let [from, to] = [start.place, goal.place];
            eprintln!("{name}: from {from} to {to} {own:.4} m, by the crate {other:.4} m");
            longer += 1;
        }
        if other.is_finite() && *own > 0.0 {
            excess = f64::max(excess, other / own - 1.0);
        }
    }
    let of_corridor = exact.iter().zip(&taut).map(|(own, taut)| taut / own - 1.0);
    let longest = of_corridor.filter(|share| share.is_finite()).fold(0.0, f64::max);
    let rate = |micros: f64| pairs.len() as f64 / micros * 1e6;
    println!(
        "{name:<16} {:>8} {:>7} {:>10.0} {:>10.0} {:>10.0} {:>7.2} {:>7.1}% {:>7.2}% {:>10}",
        mesh.len(),
        pairs.len(),
        rate(ours),
        rate(corridor),
        rate(theirs),
        theirs / ours,
        longest * 100.0,
        excess * 100.0,
        allocated.count_total,
    );
    if faults + longer > 0 {
        eprintln!("{name}: {faults} paths are wrong, {longer} longer than the crate's");
    }
    Ok(faults + longer == 0)
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

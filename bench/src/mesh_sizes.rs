//! One mesh for bodies of all sizes: narrowed for a radius, beside the mesh baked for it.
//!
//! Levels are baked with the settings of Recast's demo, once without a radius and once for each
//! radius. Queries are drawn on the mesh baked for the radius, between points that the narrowed
//! mesh has too. Their lengths differ, since the bake follows its cells: it may miss the true
//! border by more than a cell.

use cpu_time::ThreadTime;
use glam::Vec3;
use wayfare::search::{MeshQuery, MeshScratch, MeshSearch, Polyanya};
use wayfare::space::GridProfile;
use wayfare::space::navmesh::{HeightReach, MeshPoint, NavMesh};
use wayfare_bake::{BakeSettings, Ground, LevelGeometry, WalkerShape};

use crate::navmesh::{baked_with, drawn, level, name_of};
use crate::{bake, clock, generated};

/// Rounds; of each query's times the least counts.
const ROUNDS: usize = 5;
const RADII: [f32; 3] = [0.3, 0.6, 1.0];
/// The side of generated levels, in tiles of `TILE` metres.
const SIDE: u32 = 96;
const TILE: f32 = 1.5;
const WALL: f32 = 4.0;

/// Runs all levels found whose name contains a word.
pub(crate) fn run(filter: &str, most: usize) -> Result<bool, String> {
    println!("microseconds a query, the least of {ROUNDS} rounds; narrowing in milliseconds");
    println!(
        "{:<12} {:>6} {:>8} {:>8} {:>5} {:>8} {:>8} {:>5} {:>8} {:>8} {:>5} {:>8} {:>8} {:>5} {:>7} {:>8}",
        "",
        "radius",
        "polygons",
        "narrowed",
        "ratio",
        "mean",
        "narrowed",
        "ratio",
        "p50",
        "narrowed",
        "ratio",
        "p99",
        "narrowed",
        "ratio",
        "lengths",
        "narrowing"
    );
    for path in bake::levels(filter).unwrap_or_default() {
        measure(&name_of(&path), &level(&path)?, most)?;
    }
    for kind in ["caves", "rooms", "maze"] {
        if kind.contains(filter) {
            measure(kind, &built(kind)?, most)?;
        }
    }
    Ok(true)
}

/// A generated map as a level: floors, and blocks for walls.
fn built(kind: &str) -> Result<LevelGeometry, String> {
    let map = generated::tiles(kind, SIDE, 1)?;
    let profile = GridProfile { costs: map.cost_table(), ..GridProfile::default() };
    let grid = map.to_grid(profile).map_err(|error| error.to_string())?;
    let (mut vertices, mut triangles, mut grounds) = (Vec::new(), Vec::new(), Vec::new());
    let mut quad = |corners: [Vec3; 4], ground: Ground| {
        let first = vertices.len() as u32;
        vertices.extend(corners);
        triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        grounds.extend([ground; 2]);
    };
    for cell in grid.cells() {
        let at = grid.coordinates(cell);
        let [x, z] = [at.x, at.y].map(|tile| tile as f32 * TILE);
        let is_free = grid.space().is_free(cell);
        let [a, b, c, d] = [[x, z], [x, z + TILE], [x + TILE, z + TILE], [x + TILE, z]]
            .map(|[x, z]| Vec3::new(x, if is_free { 0.0 } else { WALL }, z));
        quad([a, b, c, d], if is_free { Ground::PLAIN } else { Ground::BLOCKED });
        if !is_free {
            for [a, b] in [[a, b], [b, c], [c, d], [d, a]] {
                quad([a, a.with_y(0.0), b.with_y(0.0), b], Ground::BLOCKED);
            }
        }
    }
    LevelGeometry::new(vertices, triangles)
        .and_then(|level| level.with_grounds(grounds))
        .map_err(|error| error.to_string())
}

fn settings(radius: f32) -> BakeSettings {
    let settings = bake::settings();
    BakeSettings { walker: WalkerShape { radius, ..settings.walker }, ..settings }
}

fn measure(name: &str, level: &LevelGeometry, most: usize) -> Result<(), String> {
    let whole = baked_with(level, settings(0.0))?;
    for radius in RADII {
        let baked = baked_with(level, settings(radius))?;
        let mut narrowing = f64::INFINITY;
        let mut narrowed = None;
        for _ in 0..3 {
            let begun = ThreadTime::now();
            narrowed = Some(whole.narrowed(radius).map_err(|error| error.to_string())?);
            narrowing = narrowing.min(clock::micros(begun));
        }
        let Some(narrowed) = narrowed else { continue };
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        for pair in drawn(&baked, most) {
            let found = pair.map(|end| {
                let reach = HeightReach { below: 1.0, above: 1.0 };
                narrowed.locate(end.place, reach)
            });
            if let [Some(start), Some(goal)] = found {
                let island = |point: MeshPoint| narrowed.space().component(point.polygon);
                if island(start) == island(goal) {
                    ours.push([start, goal]);
                    theirs.push(pair);
                }
            }
        }
        let (other, own) = (times(&baked, &theirs), times(&narrowed, &ours));
        let ratio = own.length / other.length;
        print!("{name:<12} {radius:>6}");
        let (a, b) = (baked.len() as f64, narrowed.len() as f64);
        print!(" {a:>8} {b:>8} {:>5.2}", b / a);
        for (a, b) in [(other.mean, own.mean), (other.p50, own.p50), (other.p99, own.p99)] {
            print!(" {a:>8.2} {b:>8.2} {:>5.2}", b / a);
        }
        println!(" {ratio:>7.4} {:>8.2}", narrowing / 1000.0);
        if ours.len() * 2 < most {
            eprintln!("{name}: of {most} pairs of points the narrowed mesh has {}", ours.len());
        }
    }
    Ok(())
}

/// What queries took, and the sum of their lengths.
struct Times {
    mean: f64,
    p50: f64,
    p99: f64,
    length: f64,
}

fn times(mesh: &NavMesh, pairs: &[[MeshPoint; 2]]) -> Times {
    let space = mesh.space();
    let mut scratch = MeshScratch::new();
    let mut times = vec![f64::INFINITY; pairs.len()];
    let mut length = 0.0;
    for _ in 0..ROUNDS {
        length = 0.0;
        for (least, &[start, goal]) in times.iter_mut().zip(pairs) {
            let begun = ThreadTime::now();
            let mut search = Polyanya.search(MeshQuery::new(start, goal));
            let outcome = search.finish(&space, &mut scratch, &mut ()).outcome;
            *least = least.min(clock::micros(begun));
            length += outcome.path().map_or(f64::INFINITY, |path| path.length);
            scratch.recycle(outcome.into_path());
        }
    }
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied();
    let [p50, p99] = [0.5, 0.99].map(|share| at(share).unwrap_or(f64::NAN));
    Times { mean, p50, p99, length }
}

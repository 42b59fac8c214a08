//! Flying through the voxel worlds of Moving AI, beside the dense baseline.

use std::path::Path;

use cpu_time::ThreadTime;

use wayfare::search::{AStar, Algorithm, Query, Scratch, Search};
use wayfare::space::VoxelProfile;
use wayfare_world::{movingai_3dmap, movingai_3dscen};

use crate::dense3d::DenseWorld;

/// The baseline answers at most this many queries a world, spread evenly over ours: some take it seconds.
const MOST_OF_BASELINE: usize = 200;

/// Answers at most `most` queries of every `.3dscen` file whose name contains the word: the first ones where `first` is asked for,
/// else spread evenly. Says whether all lengths were optimal.
pub(crate) fn run(filter: &str, most: usize, first: bool) -> Result<bool, String> {
    let data = std::env::var_os("WAYFARE_DATA").ok_or(
        "set WAYFARE_DATA to the folder whose voxel/ holds .3dmap files with their .3dscen",
    )?;
    let folder = Path::new(&data).join("voxel");
    let entries =
        std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| {
        path.extension().is_some_and(|extension| extension == "3dscen")
            && path.file_name().is_some_and(|name| name.to_string_lossy().contains(filter))
    });
    files.sort();
    println!(
        "{:<10} {:>15} {:>7}  {:>9} {:>9} {:>9}  {:>9} {:>9} {:>9}  {:>6}  {:>9} {:>9} {:>9} {:>9}",
        "world",
        "voxels",
        "queries",
        "ours µs",
        "p99 µs",
        "expanded",
        "dense µs",
        "p99 µs",
        "expanded",
        "ratio",
        "optimal",
        "world MB",
        "search MB",
        "dense MB"
    );
    let mut all_optimal = true;
    for file in files {
        all_optimal &= row(&file, most, first)?;
    }
    println!();
    println!(
        "ours: A* over the voxel space, path included, one reused scratch. dense: bench/src/dense3d.rs."
    );
    println!(
        "Both: the same 26 moves, integer costs and estimate, one thread. ratio: the baseline's mean over ours, on the queries that both answered."
    );
    Ok(all_optimal)
}

fn row(file: &Path, most: usize, first: bool) -> Result<bool, String> {
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", file.display());
    let scenario = std::fs::read(file).map_err(|error| at(&error))?;
    let scenario = movingai_3dscen::read(&scenario).map_err(|error| at(&error))?;
    let map = std::fs::read(file.with_extension("")).map_err(|error| at(&error))?;
    let map = movingai_3dmap::read(&map, "map").map_err(|error| at(&error))?;
    let grid = map.to_grid(VoxelProfile::flyer()).map_err(|error| at(&error))?;
    let size = [map.size().width, map.size().height, map.size().depth];
    let step = if first { 1 } else { scenario.entries.len().div_ceil(most).max(1) };
    let queries: Vec<_> = scenario.entries.iter().step_by(step).take(most).collect();

    let space = grid.space();
    let mut scratch = Scratch::new();
    let (mut optimal, mut expanded) = (0, 0);
    let (mut times, mut costs) = (Vec::new(), Vec::new());
    for round in 0..2 {
        times.clear();
        for query in &queries {
            let (Some(from), Some(to)) = (grid.voxel(query.start), grid.voxel(query.goal)) else {
                return Err(at(&"a query leads off the map"));
            };
            let begun = ThreadTime::now();
            let answer = if std::env::var("ASTAR").is_ok() {
                AStar::new().search(Query::new(from, to)).finish(&space, &mut scratch, &mut ())
            } else {
                wayfare::search::Jps.search(Query::new(from, to)).finish(
                    &space,
                    &mut scratch,
                    &mut (),
                )
            };
            times.push(begun.elapsed().as_secs_f64() * 1e6);
            if round == 0 {
                let path = answer.outcome.path();
                let length = path.map_or(f64::INFINITY, |path| space.length(path.moves()));
                optimal += usize::from((length - query.optimal_length).abs() <= 1e-3);
                costs.push(path.map(wayfare::path::Path::cost));
                expanded += answer.stats.expanded;
            }
            scratch.recycle(answer.outcome.into_path());
        }
        if queries.len() > 400 {
            break; // long enough for one round to be steady
        }
    }

    let blocked = map.runs().flat_map(|run| {
        let from = run.from;
        (from.x..from.x + run.length).map(move |x| [x, from.y, from.z])
    });
    let mut dense = DenseWorld::new(size, blocked);
    let (mut dense_times, mut dense_expanded) = (Vec::new(), 0);
    let sample = queries.len().div_ceil(MOST_OF_BASELINE).max(1);
    for (query, cost) in queries.iter().zip(&costs).step_by(sample) {
        let (from, to) = (query.start, query.goal);
        let begun = ThreadTime::now();
        let (from, to) = ([from.x, from.y, from.z], [to.x, to.y, to.z]);
        let answer = dense.solve(from, to);
        if answer.cost.is_some() {
            std::hint::black_box(dense.moves(from, to));
        }
        dense_times.push(begun.elapsed().as_secs_f64() * 1e6);
        dense_expanded += answer.expanded;
        if answer.cost != *cost {
            return Err(at(&format!("ours costs {cost:?}, the baseline {:?}", answer.cost)));
        }
    }

    let (ours, theirs) = (crate::report::mean(&times), crate::report::mean(&dense_times));
    let same: Vec<f64> = times.iter().copied().step_by(sample).collect();
    let ratio = theirs / crate::report::mean(&same);
    let (count, dense_count) = (queries.len() as f64, dense_times.len() as f64);
    let megabytes = |bytes: usize| bytes as f64 / f64::from(1 << 20);
    println!(
        "{:<10} {:>15} {:>7}  {:>9.0} {:>9.0} {:>9.0}  {:>9.0} {:>9.0} {:>9.0}  {:>5.2}x  {:>9} {:>9.1} {:>9.1} {:>9.1}",
        scenario.map.trim_end_matches(".3dmap"),
        format!("{}x{}x{}", size[0], size[1], size[2]),
        queries.len(),
        ours,
        crate::report::percentile(&times, 0.99),
        expanded as f64 / count,
        theirs,
        crate::report::percentile(&dense_times, 0.99),
        dense_expanded as f64 / dense_count,
        ratio,
        format!("{optimal}/{}", queries.len()),
        megabytes(grid.size_in_bytes()),
        megabytes(scratch.bytes()),
        megabytes(dense.bytes()),
    );
    Ok(optimal == queries.len())
}

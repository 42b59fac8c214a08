//! Wayfare beside its peers, in one run.
//!
//! ```text
//! cargo run --release -p wayfare-bench                        # every map found
//! cargo run --release -p wayfare-bench -- brc202d             # maps whose name contains the word
//! cargo run --release -p wayfare-bench -- brc202d 10000       # with up to so many queries a map
//! cargo run --release -p wayfare-bench -- brc202d 10000 jps   # only those whose name contains the last word
//! cargo run --release -p wayfare-bench -- brc202d sweep=16    # cold: 16 MB walked before each query, not twice the last-level cache; 0: no cold columns
//! cargo run --release -p wayfare-bench -- voxel [WORD] [QUERIES] [first] # flying in voxel worlds, beside a dense A*
//! cargo run --release -p wayfare-bench -- edits [WORD]  # grids: what edits cost, and that none is remembered
//! cargo run --release -p wayfare-bench -- index-edits [WORD|caves] [QUERIES] # repairs of indexes
//! cargo run --release -p wayfare-bench -- edit-loop [WORD] [QUERIES] # between edits
//! cargo run --release -p wayfare-bench -- agents        # 1,000 agents with behaviours: what a tick costs
//! cargo run --release -p wayfare-bench -- crowd [steps|journeys|ticks|arrivals] [SCENE] # beside dodgy_2d
//! cargo run --release -p wayfare-bench -- crowd-requests # orders of 1,000 agents every 5 s
//! cargo run --release -p wayfare-bench -- rimea [TEST] [csv|fine] # pedestrians: RiMEA, doors
//! cargo run --release -p wayfare-bench -- hierarchy [WORD] [QUERIES] [SIDE] [LOOKAHEAD] # sectors: building, repairs, routes, losses
//! cargo run --release -p wayfare-bench -- hierarchy batches # sectors: repairs of many cells
//! cargo run --release -p wayfare-bench -- hierarchy caves [QUERIES] # sectors: caves by size
//! cargo run --release -p wayfare-bench -- flow-fields [WORD] # flow fields on grids: growing, asking, repairs after edits
//! cargo run --release -p wayfare-bench -- service       # the planner: a flood, a crowd with one goal, an island
//! cargo run --release -p wayfare-bench -- bake [WORD]   # navigation meshes from levels, stage by stage, beside rerecast
//! cargo run --release -p wayfare-bench -- bake-tiles [WORD]   # tiles of levels baked, loaded and unloaded one by one
//! cargo run --release -p wayfare-bench -- navmesh [WORD] [QUERIES] # queries on navigation meshes, beside the crate polyanya
//! cargo run --release -p wayfare-bench -- mesh-fields [WORD] # fields on meshes, beside single queries
//! cargo run --release -p wayfare-bench -- mesh-index [WORD] [QUERIES] # indexes of meshes, beside the search
//! cargo run --release -p wayfare-bench -- mesh-index-edits [WORD] [QUERIES] # indexes of meshes with obstacles put on them
//! cargo run --release -p wayfare-bench -- mesh-edits [WORD] # obstacles put on meshes, moved and taken away
//! cargo run --release -p wayfare-bench -- mesh-sizes [WORD] [QUERIES] # meshes narrowed for bodies, beside meshes baked for them
//! cargo run --release -p wayfare-bench -- mapf [WORD]   # many agents without a collision: first plans, refined plans, robots with tasks
//! cargo run --release -p wayfare-bench -- voxel-made [WORD] [QUERIES] [SIDE] # generated
//! cargo run --release -p wayfare-bench -- voxel-walk          # walking over a voxel terrain of 512 x 128 x 512 blocks
//! cargo run --release -p wayfare-bench -- voxel-regions       # the same with a walled court, and at 1024 x 256 x 1024: goals without a way there, edits
//! ```
//!
//! Maps come from the folder named by `WAYFARE_DATA` (Moving AI maps with their queries under
//! `grid/`) and, where that is unset, from the project's own `worlds/`. Every query is answered by
//! all, under the same rules: eight neighbours, corners not cut, lengths checked against the
//! file's. The crate `grid_pathfinding` cannot be held to them: it is measured beside ours with
//! four neighbours and with diagonals between any two walls, against lengths by our A*. Maps with
//! swamp or water are measured once more with both open to walkers at twice and four times the
//! cost, against costs by Dijkstra's algorithm. Times are of the thread that answers; the ratio in
//! one run is what counts.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program that prints a table")]

mod agents;
mod bake;
mod bake_tiles;
mod clock;
mod cold;
mod crowd;
mod crowd_requests;
mod dense3d;
mod dice;
mod edit_loop;
mod edits;
mod flow_fields;
mod generated;
mod hierarchy;
mod index_edits;
mod indexed;
mod jumping_peer;
mod mapf;
mod maps;
mod mesh_edits;
mod mesh_fields;
mod mesh_index;
mod mesh_index_edits;
mod mesh_sizes;
mod misses;
mod navmesh;
mod ours;
mod peer;
mod plain_jumps;
mod report;
mod rimea;
mod service;
mod terrain;
mod terrain3d;
mod voxel_regions;
mod voxels;
mod worlds3d;

use std::process::ExitCode;

use jumping_peer::Moves;

/// At most this many queries a map unless told otherwise, spread evenly over the file: the peer
/// takes 20 ms for some of them.
const QUERIES: usize = 300;
/// At most this many queries a navigation mesh.
const MESH_QUERIES: usize = 2000;
/// Rounds of our fast searches; of each query's times the least counts, as nothing but noise makes
/// one longer.
const ROUNDS: usize = 3;

const PEER: &str = "pathfinding astar";
const ASTAR: &str = "A*, cells";
/// One index a map, asked for turning points and for cells.
const INDEXES: [&str; 3] =
    ["index, turning points", "index, cells", "index with sight, turning points"];

fn main() -> ExitCode {
    let (sweeps, arguments): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("sweep="));
    if let Some(megabytes) = sweeps.iter().find_map(|sweep| sweep[6..].parse().ok()) {
        cold::walk_megabytes(megabytes);
    }
    let argument = |place: usize| arguments.get(place).map_or("", String::as_str);
    let outcome = match argument(0) {
        "voxel" => {
            let most = argument(2).parse().unwrap_or(QUERIES);
            voxels::run(argument(1), most, arguments.iter().any(|word| word == "first"))
        }
        "voxel-made" => {
            let (most, side) = (argument(2).parse().unwrap_or(60), argument(3).parse());
            voxels::run_made(argument(1), most, side.unwrap_or(256))
        }
        "agents" => agents::run(),
        "bake" => bake::run(argument(1)),
        "bake-tiles" => bake_tiles::run(argument(1)),
        "crowd" => crowd::run(argument(1), argument(2)),
        "crowd-requests" => crowd_requests::run(),
        "edit-loop" => edit_loop::run(argument(1), argument(2).parse().unwrap_or(QUERIES)),
        "edits" => edits::run(argument(1)),
        "index-edits" => index_edits::run(argument(1), argument(2).parse().unwrap_or(100)),
        "rimea" => rimea::run(argument(1), argument(2)),
        "service" => service::run(),
        "flow-fields" => flow_fields::run(argument(1)),
        "hierarchy" => {
            let default = wayfare::hierarchy::HierarchySettings::default();
            let settings = wayfare::hierarchy::HierarchySettings {
                sector_side: argument(3).parse().unwrap_or(default.sector_side),
                lookahead: argument(4).parse().unwrap_or(default.lookahead),
            };
            let queries = argument(2).parse().unwrap_or(QUERIES);
            match argument(1) {
                "batches" => hierarchy::run_batches(settings),
                "caves" => hierarchy::run_caves(queries, settings),
                filter => hierarchy::run(filter, queries, settings),
            }
        }
        "mapf" => mapf::run(argument(1)),
        "mesh-fields" => mesh_fields::run(argument(1)),
        "mesh-index" => mesh_index::run(argument(1), argument(2).parse().unwrap_or(MESH_QUERIES)),
        "mesh-index-edits" => {
            mesh_index_edits::run(argument(1), argument(2).parse().unwrap_or(MESH_QUERIES))
        }
        "mesh-edits" => mesh_edits::run(argument(1)),
        "mesh-sizes" => mesh_sizes::run(argument(1), argument(2).parse().unwrap_or(MESH_QUERIES)),
        "navmesh" => navmesh::run(argument(1), argument(2).parse().unwrap_or(MESH_QUERIES)),
        "voxel-walk" => terrain3d::run(QUERIES).map(|()| true),
        "voxel-regions" => voxel_regions::run(QUERIES),
        filter => run(filter, argument(1).parse().unwrap_or(QUERIES), argument(2)),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(4),
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(3)
        }
    }
}

/// Says whether all our costs were optimal.
fn run(filter: &str, queries: usize, only: &str) -> Result<bool, String> {
    type Measure = fn(&maps::BenchMap) -> ours::Measured;
    let contestants: [(&str, Measure); 9] = [
        (PEER, peer::measure),
        ("A*, octile alone", |map| ours::astar_by_octile(map, 1)),
        (ASTAR, |map| ours::astar(map, 1)),
        ("jps, cells", |map| ours::jps_cells(map, ROUNDS)),
        ("jps, jump points", |map| ours::jps_points(map, ROUNDS)),
        ("4 moves: grid_pathfinding", |map| jumping_peer::theirs(map, Moves::Four)),
        ("4 moves: jps, cells", |map| jumping_peer::ours(map, Moves::Four)),
        ("cutting: grid_pathfinding", |map| jumping_peer::theirs(map, Moves::EightThroughCorners)),
        ("cutting: jps, cells", |map| jumping_peer::ours(map, Moves::EightThroughCorners)),
    ];
    println!("cold: after a walk over {} MB before each query", cold::walked_megabytes());
    if let Err(error) = misses::open() {
        println!("cache misses are not counted here: {error}");
    }
    report::head();
    let mut all_optimal = true;
    for path in maps::find(filter)? {
        let map = maps::load(&path, queries)?;
        let mut measured: Vec<_> = contestants
            .iter()
            .filter(|(who, _)| who.contains(only))
            .map(|(who, measure)| (*who, measure(&map)))
            .chain(terrain::measured(&map).into_iter().filter(|(who, _)| who.contains(only)))
            .collect();
        if INDEXES.iter().any(|who| who.contains(only)) {
            match indexed::measure(&map, ROUNDS) {
                Ok(rows) => measured.extend(rows.into_iter().filter(|(who, _)| who.contains(only))),
                Err(why) => eprintln!("{}: no index: {why}", map.name),
            }
        }
        all_optimal &= report::rows(&map, &measured);
    }
    Ok(all_optimal)
}

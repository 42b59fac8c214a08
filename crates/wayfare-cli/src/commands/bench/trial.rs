//! A map with queries on it, and their best lengths.

use std::path::{Path, PathBuf};

use glam::Vec3;
use wayfare::search::{AlgorithmId, Guarantee};
use wayfare::space::VoxelProfile;
use wayfare::space::navmesh::HeightReach;
use wayfare_formats::mesh_scenario::{self, MeshScenario, MeshScenarioEntry};
use wayfare_formats::movingai_3dscen::{self, VoxelScenario};
use wayfare_formats::movingai_scen::{self, Scenario, ScenarioEntry};
use wayfare_formats::{TileMap, WorldError};
use wayfare_scene::{GridWorld, Movement, World, read_path};
use wayfare_site::{Endpoints, EngineName, GridSite, MeshSite, Site, VoxelSite};

use crate::args::BenchArgs;
use crate::failure::Failure;

/// A map with the queries on it.
pub(super) struct Trial {
    pub(super) site: Box<dyn Site>,
    pub(super) queries: Vec<Case>,
    /// The default algorithms.
    pub(super) algorithms: Vec<EngineName>,
    pub(super) tolerance: Tolerance,
}

/// How far a length may be from the file's.
#[derive(Clone, Copy)]
pub(super) struct Tolerance {
    pub(super) length: f64,
    /// Of the file's length.
    pub(super) share: f64,
}

impl Tolerance {
    pub(super) fn of(self, length: f64) -> f64 {
        self.length + length * self.share
    }
}

/// A query with the file's data of it.
pub(super) struct Case {
    /// Its index in the file.
    pub(super) number: usize,
    pub(super) ends: Endpoints,
    pub(super) optimal_length: f64,
}

pub(super) fn on_the_ground(args: &BenchArgs, scenario: &Scenario) -> Result<Trial, Failure> {
    let map_file = map_file(args, || movingai_scen::find_map(&args.scenario, scenario))?;
    let World::TileMap(map) = read_path(&map_file)? else {
        return Err(Failure::Usage(format!("{} is no tile map", map_file.display())));
    };
    check_sizes(&args.scenario, scenario, &map_file, &map)?;
    let site = GridSite::new(&map_file, GridWorld::from_tile_map(&map, &Movement::default())?);
    let case = |(number, entry): (usize, &ScenarioEntry)| Case {
        number,
        ends: Endpoints { start: site.cell(entry.start), goal: site.cell(entry.goal) },
        optimal_length: entry.optimal_length,
    };
    let queries = scenario.entries.iter().enumerate().map(case).collect();
    let algorithms = optimal_algorithms(site.about().states);
    let algorithms = algorithms.into_iter().map(EngineName::from).collect();
    // The lengths of the benchmarks agree to 0.01; long ones were added up in single precision.
    Ok(Trial {
        site: Box::new(site),
        queries,
        algorithms,
        tolerance: Tolerance { length: 0.01, share: 1e-5 },
    })
}

pub(super) fn in_the_air(args: &BenchArgs, scenario: &VoxelScenario) -> Result<Trial, Failure> {
    let map_file = map_file(args, || movingai_3dscen::find_map(&args.scenario, scenario))?;
    let World::Voxels(world) = read_path(&map_file)? else {
        return Err(Failure::Usage(format!("{} is no world of blocks", map_file.display())));
    };
    let site = VoxelSite::new(&map_file, &world, VoxelProfile::flyer())?;
    let case = |(number, query): (usize, &movingai_3dscen::VoxelQuery)| Case {
        number,
        ends: Endpoints { start: site.voxel(query.start), goal: site.voxel(query.goal) },
        optimal_length: query.optimal_length,
    };
    let queries = scenario.entries.iter().enumerate().map(case).collect();
    // There is so much air that the others take their time.
    let algorithms = [AlgorithmId::AStar, AlgorithmId::Jps].map(EngineName::from).to_vec();
    Ok(Trial {
        site: Box::new(site),
        queries,
        algorithms,
        tolerance: Tolerance { length: 1e-3, share: 0.0 },
    })
}

pub(super) fn on_a_mesh(args: &BenchArgs, scenario: &MeshScenario) -> Result<Trial, Failure> {
    let file = map_file(args, || mesh_scenario::find_mesh(&args.scenario, scenario))?;
    let World::NavMesh(mesh) = read_path(&file)? else {
        return Err(Failure::Usage(format!("{} is no navigation mesh", file.display())));
    };
    // The lengths are those of walks: links do not count.
    let site = MeshSite::new(&file, mesh.mesh);
    let end = |place: [f32; 3]| site.state_at(Vec3::from(place), HeightReach::default());
    let case = |(number, entry): (usize, &MeshScenarioEntry)| Case {
        number,
        ends: Endpoints { start: end(entry.start), goal: end(entry.goal) },
        optimal_length: entry.optimal_length,
    };
    let queries = scenario.entries.iter().enumerate().map(case).collect();
    Ok(Trial {
        site: Box::new(site),
        queries,
        algorithms: vec![EngineName::Polyanya, EngineName::Corridor],
        // Ends are single floats.
        tolerance: Tolerance { length: 1e-4, share: 1e-5 },
    })
}

/// Returns the map that was named, else the one beside the scenario.
fn map_file(
    args: &BenchArgs,
    beside: impl FnOnce() -> Result<PathBuf, WorldError>,
) -> Result<PathBuf, Failure> {
    match &args.map {
        Some(file) => Ok(file.clone()),
        None => beside().map_err(|error| Failure::Unsearchable {
            path: args.scenario.clone(),
            problem: format!("{}; put it there, or name it with --map FILE", error.message()),
        }),
    }
}

/// Fails if the scenario is for another map, or for this one at another scale: every length would
/// be nonsense.
fn check_sizes(
    file: &Path,
    scenario: &Scenario,
    map_file: &Path,
    map: &TileMap,
) -> Result<(), Failure> {
    let size = (map.width(), map.height());
    let differs = |entry: &&ScenarioEntry| (entry.width, entry.height) != size;
    let Some(entry) = scenario.entries.iter().find(differs) else { return Ok(()) };
    Err(Failure::Unsearchable {
        path: file.to_path_buf(),
        problem: format!(
            "its queries are for a map of {} × {} cells, but {} has {} × {}; name the right one with --map",
            entry.width,
            entry.height,
            map_file.display(),
            size.0,
            size.1
        ),
    })
}

/// Returns all queries, or some spread evenly over them.
pub(super) fn chosen(entries: &[Case], limit: Option<u64>) -> Vec<&Case> {
    let wanted = limit.map_or(entries.len(), |limit| (limit as usize).min(entries.len()));
    (0..wanted).map(|number| &entries[number * entries.len() / wanted]).collect()
}

/// Returns all that promise the optimal cost and suit a map of that size.
fn optimal_algorithms(states: u64) -> Vec<AlgorithmId> {
    let suits = |id: &AlgorithmId| {
        let info = id.info();
        *id != AlgorithmId::Auto // which is one of the others
            && info.guarantee == Guarantee::Optimal
            && info.sensible_states.is_none_or(|most| states <= most as u64)
    };
    AlgorithmId::ALL.iter().copied().filter(suits).collect()
}

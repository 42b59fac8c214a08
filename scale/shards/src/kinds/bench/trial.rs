//! A world with the queries of a scenario, and their best lengths.

use std::path::Path;

use wayfare::glam::Vec3;
use wayfare::space::VoxelProfile;
use wayfare::space::navmesh::HeightReach;
use wayfare_formats::heightmap::HeightmapOptions;
use wayfare_formats::mesh_scenario::{self, MeshScenario};
use wayfare_formats::movingai_3dscen::{self, VoxelScenario};
use wayfare_formats::movingai_scen::{self, Scenario};
use wayfare_formats::{Files, TileMap, WorldError};
use wayfare_scene::{GridWorld, Movement, World, read_from};
use wayfare_site::{Endpoints, GridSite, MeshSite, Site, VoxelSite};

use crate::BatchError;

/// The queries of a file.
pub(super) enum Listed {
    Ground(Scenario),
    Air(VoxelScenario),
    Mesh(MeshScenario),
}

impl Listed {
    /// Reads a scenario; its extension says which.
    pub(super) fn read(bytes: &[u8], name: &str) -> Result<Self, BatchError> {
        let read: Result<Self, WorldError> = match name.rsplit('.').next() {
            Some("scen") => movingai_scen::read(bytes).map(Self::Ground),
            Some("3dscen") => movingai_3dscen::read(bytes).map(Self::Air),
            Some("meshscen") => mesh_scenario::read(bytes).map(Self::Mesh),
            _ => {
                let problem = "it is no scenario; there are .scen, .3dscen and .meshscen";
                return Err(BatchError::faulty(name, problem));
            }
        };
        read.map_err(|error| BatchError::faulty(name, error))
    }

    /// Returns the name of the map as the file has it.
    pub(super) fn map(&self) -> &str {
        match self {
            Self::Ground(list) => list.entries.first().map_or("", |entry| &entry.map),
            Self::Air(list) => &list.map,
            Self::Mesh(list) => &list.mesh,
        }
    }

    /// Returns the best lengths of all queries, in the order of the file.
    pub(super) fn lengths(&self) -> Vec<f64> {
        match self {
            Self::Ground(list) => list.entries.iter().map(|it| it.optimal_length).collect(),
            Self::Air(list) => list.entries.iter().map(|it| it.optimal_length).collect(),
            Self::Mesh(list) => list.entries.iter().map(|it| it.optimal_length).collect(),
        }
    }

    /// Returns the kind of world that it is for, in words.
    pub(super) fn ground(&self) -> &'static str {
        match self {
            Self::Ground(_) => "a grid",
            Self::Air(_) => "blocks",
            Self::Mesh(_) => "a navigation mesh",
        }
    }
}

/// How far a length may be from the file's.
#[derive(Clone, Copy)]
pub(super) struct Tolerance {
    length: f64,
    /// Of the file's length.
    share: f64,
}

impl Tolerance {
    pub(super) fn of(self, length: f64) -> f64 {
        self.length + length * self.share
    }
}

/// A query, and the length of its best path: 0 between different ends where there is none.
#[derive(Clone, Copy)]
pub(super) struct Case {
    pub(super) ends: Endpoints,
    pub(super) optimal_length: f64,
}

/// A world with queries.
pub(super) struct Trial {
    pub(super) site: Box<dyn Site>,
    pub(super) cases: Vec<Case>,
    pub(super) tolerance: Tolerance,
}

impl Trial {
    /// Opens the map of a scenario as the lengths of the scenario are meant.
    pub(super) fn open(
        listed: &Listed,
        scenario: &str,
        map: &Path,
        files: &dyn Files,
    ) -> Result<Self, BatchError> {
        let unreadable = |error: WorldError| BatchError::faulty(map.display(), error);
        let world = read_from(map, files, HeightmapOptions::default()).map_err(unreadable)?;
        match (listed, world) {
            (Listed::Ground(list), World::TileMap(tiles)) => {
                check_size(list, scenario, map, &tiles)?;
                let world = GridWorld::from_tile_map(&tiles, &Movement::default());
                Ok(on_the_ground(list, GridSite::new(map, world.map_err(unreadable)?)))
            }
            (Listed::Air(list), World::Voxels(blocks)) => {
                let site = VoxelSite::new(map, &blocks, VoxelProfile::flyer());
                let site = site.map_err(|error| BatchError::faulty(map.display(), error))?;
                Ok(in_the_air(list, site))
            }
            // The lengths are those of walks: links do not count.
            (Listed::Mesh(list), World::NavMesh(mesh)) => {
                Ok(on_a_mesh(list, MeshSite::new(map, mesh.mesh)))
            }
            _ => {
                let problem = format!(
                    "its map {} is not {}; put the right one beside it",
                    map.display(),
                    listed.ground()
                );
                Err(BatchError::faulty(scenario, problem))
            }
        }
    }
}

/// The lengths of the benchmarks agree to 0.01; long ones were added up in single precision.
fn on_the_ground(list: &Scenario, site: GridSite) -> Trial {
    let cases = list.entries.iter().map(|entry| Case {
        ends: Endpoints { start: site.cell(entry.start), goal: site.cell(entry.goal) },
        optimal_length: entry.optimal_length,
    });
    let cases = cases.collect();
    Trial { site: Box::new(site), cases, tolerance: Tolerance { length: 0.01, share: 1e-5 } }
}

fn in_the_air(list: &VoxelScenario, site: VoxelSite) -> Trial {
    let cases = list.entries.iter().map(|query| Case {
        ends: Endpoints { start: site.voxel(query.start), goal: site.voxel(query.goal) },
        optimal_length: query.optimal_length,
    });
    let cases = cases.collect();
    Trial { site: Box::new(site), cases, tolerance: Tolerance { length: 1e-3, share: 0.0 } }
}

/// Ends on a mesh are single floats.
fn on_a_mesh(list: &MeshScenario, site: MeshSite) -> Trial {
    let end = |place: [f32; 3]| site.state_at(Vec3::from(place), HeightReach::default());
    let cases = list.entries.iter().map(|entry| Case {
        ends: Endpoints { start: end(entry.start), goal: end(entry.goal) },
        optimal_length: entry.optimal_length,
    });
    let cases = cases.collect();
    Trial { site: Box::new(site), cases, tolerance: Tolerance { length: 1e-4, share: 1e-5 } }
}

/// Fails if the scenario is for another map, or for this one at another scale: every length would
/// be nonsense.
fn check_size(
    list: &Scenario,
    scenario: &str,
    map: &Path,
    tiles: &TileMap,
) -> Result<(), BatchError> {
    let size = (tiles.width(), tiles.height());
    let other = list.entries.iter().find(|entry| (entry.width, entry.height) != size);
    let Some(entry) = other else { return Ok(()) };
    let problem = format!(
        "its queries are for a map of {} × {} cells, but {} has {} × {}; put the right one beside it",
        entry.width,
        entry.height,
        map.display(),
        size.0,
        size.1
    );
    Err(BatchError::faulty(scenario, problem))
}

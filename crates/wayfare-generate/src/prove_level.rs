//! Proofs of levels: a navigation mesh is baked, and searched.

use glam::Vec3;
use wayfare_bake::Ground;
use wayfare_core::search::{ReachableQuery, reachable};
use wayfare_mesh::navmesh::HeightReach;
use wayfare_mesh::search::{MeshQuery, MeshScratch, MeshSearch, Polyanya};
use wayfare_scene::{bake_level, level_geometry};

use crate::proof::of_degrees;
use crate::{LevelScene, Proof, Statistic};

/// Proves paths from the entry to the exit, and to every room.
pub(crate) fn of_level(level: &LevelScene) -> Result<Proof, String> {
    let geometry =
        level_geometry(&level.mesh, |_| Ground::PLAIN, false).map_err(|error| error.to_string())?;
    let mesh = bake_level(&geometry, level.walker, None).map_err(|error| error.to_string())?;
    let space = mesh.space();
    let find = |[x, y, z]: [f32; 3]| {
        let point = space.locate(Vec3::new(x, y, z), HeightReach::default());
        point.ok_or_else(|| format!("nobody can stand at {x}, {y}, {z}"))
    };
    let (start, goal) = (find(level.entry)?, find(level.exit)?);
    let mut search = Polyanya.search(MeshQuery::new(start, goal));
    let answer = search.finish(&space, &mut MeshScratch::new(), &mut ());
    let Some(path) = answer.outcome.path() else {
        return Err("from entry to exit: the mesh has no path".to_owned());
    };
    let query = ReachableQuery::new(start.polygon);
    let area = reachable(&space, query).map_err(|error| error.to_string())?;
    for room in &level.rooms {
        if !area.contains(find(*room)?.polygon) {
            return Err(format!("the room at {room:?} cannot be reached from the entry"));
        }
    }
    let degrees = area.states().map(|polygon| mesh.neighbours(polygon).count() as u64);
    let mut statistics = of_degrees(degrees);
    let ground: f64 = area.states().map(|polygon| mesh.plan_area(polygon)).sum();
    let mut storeys: Vec<u32> = level.rooms.iter().map(|room| room[1].to_bits()).collect();
    storeys.sort_unstable();
    storeys.dedup();
    statistics.extend([
        (Statistic::Area, ground as f32),
        (Statistic::Storeys, storeys.len() as f32),
        (Statistic::Rooms, level.rooms.len() as f32),
    ]);
    let turns = path.places().map(|place| place.to_array()).collect();
    Ok(Proof { length: path.length as f32, turns, statistics, ..Proof::default() })
}

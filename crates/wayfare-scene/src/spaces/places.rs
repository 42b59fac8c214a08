//! The waypoints of a scene: explicit ones, then the ones of its placements.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{Vec2, Vec3};
use wayfare_core::space::{StateId, TerrainId};
use wayfare_formats::inside::KeyPath;
use wayfare_formats::{WorldError, WorldErrorKind};
use wayfare_grid::geometry::Obstacles;
use wayfare_grid::waypoint::{
    ObstacleProbe, PlaceError, Rectangle, Surroundings, WaypointId, place_at_corners,
    place_on_grid, place_poisson, place_random,
};

use crate::limits::MAX_SCENE_ITEMS;
use crate::scene::{Placement, PlacementKind, Scene};

/// All waypoints of a scene, numbered as in its graph.
#[derive(Default)]
pub(super) struct Places {
    pub(super) positions: Vec<Vec3>,
    pub(super) names: Vec<String>,
    /// The ground of each, if the scene gives it.
    pub(super) ground: Vec<Option<TerrainId>>,
    pub(super) ids: BTreeMap<String, WaypointId>,
}

impl Places {
    pub(super) fn of(scene: &Scene, obstacles: &Arc<Obstacles>) -> Result<Self, WorldError> {
        let mut places = Self::default();
        for (index, waypoint) in scene.waypoints.iter().enumerate() {
            let ground = waypoint.terrain.as_deref().map(|name| scene.terrain_number(name));
            let ground = ground.transpose()?.map(|layer| TerrainId(layer.0));
            let path = || KeyPath::item("waypoints", index).then("id");
            places.push(waypoint.id.clone(), Vec3::from(waypoint.at), ground, path)?;
        }
        // How many each prefix has numbered.
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (index, placement) in scene.placements.iter().enumerate() {
            let path = KeyPath::item("placements", index);
            let walker = Walker {
                walkable: scene.terrains.iter().map(|terrain| terrain.walkable).collect(),
                probe: scene.probe(obstacles, placement.agent_radius),
            };
            let made = place(placement, &walker).map_err(|fault| {
                WorldError::new(WorldErrorKind::Value, fault.to_string())
                    .about(path.clone().then("generate"))
            })?;
            if places.positions.len() + made.len() > MAX_SCENE_ITEMS {
                return Err(WorldError::new(
                    WorldErrorKind::Limit,
                    format!("this places more waypoints than the {MAX_SCENE_ITEMS} of a scene"),
                )
                .about(path.then("generate")));
            }
            let count = counts.entry(&placement.prefix).or_default();
            for at in made {
                *count += 1;
                let name = format!("{}{count}", placement.prefix);
                let prefix = || KeyPath::item("placements", index).then("prefix");
                places.push(name, at, walker.ground(at), prefix)?;
            }
        }
        Ok(places)
    }

    fn push(
        &mut self,
        name: String,
        position: Vec3,
        ground: Option<TerrainId>,
        path: impl FnOnce() -> KeyPath,
    ) -> Result<(), WorldError> {
        // A scene has at most 2²⁰ waypoints.
        let id = WaypointId::from_index(self.positions.len() as u32);
        if self.ids.insert(name.clone(), id).is_some() {
            return Err(WorldError::new(
                WorldErrorKind::Duplicate,
                format!("this makes a second waypoint '{name}'"),
            )
            .about(path())
            .advise("give the placement a prefix of its own"));
        }
        self.names.push(name);
        self.positions.push(position);
        self.ground.push(ground);
        Ok(())
    }
}

fn place(placement: &Placement, walker: &Walker) -> Result<Vec<Vec3>, PlaceError> {
    let area = Rectangle::new(Vec2::from(placement.area.min), Vec2::from(placement.area.max));
    match placement.generate {
        PlacementKind::Random { count, seed } => {
            place_random(area, count as usize, seed.into(), walker)
        }
        PlacementKind::Poisson { spacing, seed } => {
            place_poisson(area, spacing, seed.into(), walker)
        }
        PlacementKind::Grid { spacing } => place_on_grid(area, spacing, walker),
        PlacementKind::Corners => {
            let corners = place_at_corners(area, &walker.probe)?;
            Ok(corners.into_iter().filter(|at| walker.may_stand(*at)).collect())
        }
    }
}

/// The obstacles to walkers, which stand on walkable terrain only.
#[derive(Debug)]
struct Walker {
    probe: ObstacleProbe,
    walkable: Vec<bool>,
}

impl Walker {
    /// Returns the terrain of the highest surface at a point.
    fn ground(&self, at: Vec3) -> Option<TerrainId> {
        let obstacles = &self.probe.obstacles;
        let heights = obstacles.surface_heights()?;
        Some(TerrainId(obstacles.ray_down(at.x, at.z, heights.highest, heights.lowest)?.layer.0))
    }

    fn may_stand(&self, at: Vec3) -> bool {
        self.ground(at).is_none_or(|terrain| self.walkable[usize::from(terrain.0)])
    }
}

impl Surroundings for Walker {
    fn segment_is_clear(&self, from: Vec3, to: Vec3) -> bool {
        self.probe.segment_is_clear(from, to)
    }

    fn stand(&self, x: f32, z: f32) -> Option<Vec3> {
        self.probe.stand(x, z).filter(|at| self.may_stand(*at))
    }
}

impl Scene {
    /// Returns the obstacles as a ball meets them that moves at the eye height of the automatic
    /// links.
    pub(super) fn probe(&self, obstacles: &Arc<Obstacles>, radius: f32) -> ObstacleProbe {
        let lift = self.auto_links.map_or(0.0, |auto| auto.eye_height);
        ObstacleProbe::new(Arc::clone(obstacles), radius).with_lift(lift)
    }
}

//! A tile map as a scene of waypoints: one a tile, linked to its neighbours by hand, so to speak.

use wayfare::space::{NegativeCosts, Neighbours};

use crate::error::{WorldError, WorldErrorKind};
use crate::limits::MAX_SCENE_ITEMS;
use crate::scene::{CostRules, Scene, SceneLink, SceneWaypoint};
use crate::tile_map::TileMap;

impl Scene {
    /// A waypoint in the middle of each tile, one metre apart, with links between neighbours that
    /// are walkable and in the same medium; a diagonal needs both tiles beside it open, too. Column
    /// x, row y of the map is the waypoint `x,y` at `(x + ½, 0, y + ½)`. Its cost is its terrain's
    /// penalty; negative ones are shifted.
    ///
    /// # Errors
    /// When the map has more tiles than a scene may have waypoints.
    pub fn from_tile_map(map: &TileMap, neighbours: Neighbours) -> Result<Scene, WorldError> {
        let mut scene = Scene::new(map.name());
        scene.costs = CostRules { negative_costs: NegativeCosts::Shift };
        scene.terrains = map.terrains().to_vec();
        if map.tiles().len() > MAX_SCENE_ITEMS {
            return Err(WorldError::new(
                WorldErrorKind::Limit,
                format!("the map has {} tiles, too many to be waypoints", map.tiles().len()),
            ));
        }
        let id = |x: u32, y: u32| format!("{x},{y}");
        // A link from a to b exists when both are open and of one medium.
        let joined = |a: (u32, u32), b: (u32, u32)| {
            let terrains = (map.terrain_at(a.0, a.1), map.terrain_at(b.0, b.1));
            matches!(terrains, (Some(a), Some(b))
                if a.walkable && b.walkable && a.medium == b.medium)
        };
        let link = |a: (u32, u32), b: (u32, u32)| SceneLink {
            from: id(a.0, a.1),
            to: id(b.0, b.1),
            one_way: false,
            cost: None,
            danger: 0.0,
        };
        for (y, row) in (0..).zip(map.rows()) {
            for (x, tile) in (0..).zip(row) {
                scene.waypoints.push(SceneWaypoint {
                    id: id(x, y),
                    at: [x as f32 + 0.5, 0.0, y as f32 + 0.5],
                    cost: None,
                    terrain: Some(map.terrain(*tile).name.clone()),
                });
                let (here, right, below) = ((x, y), (x + 1, y), (x, y + 1));
                let corner = (x + 1, y + 1);
                scene.links.extend(
                    [right, below]
                        .into_iter()
                        .filter(|next| joined(here, *next))
                        .map(|next| link(here, next)),
                );
                if neighbours == Neighbours::Eight {
                    if joined(here, corner) && joined(here, right) && joined(here, below) {
                        scene.links.push(link(here, corner));
                    }
                    if joined(right, below) && joined(right, here) && joined(right, corner) {
                        scene.links.push(link(right, below));
                    }
                }
            }
        }
        scene.validate()?;
        Ok(scene)
    }
}

//! Scene to grid, sampled from its geometry.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use wayfare_core::ops;
use wayfare_core::space::{CostError, NegativeCosts, StateId};
use wayfare_formats::inside::KeyPath;
use wayfare_formats::{WorldError, WorldErrorKind, cost_table};
use wayfare_grid::grid::{Grid, GridError, GridProfile, GridSampling, SampledBody};
use wayfare_grid::waypoint::Rectangle;

use super::places::Places;
use super::playable::grid_error;
use super::routes::no_waypoint;
use super::{GridWorld, Movement};
use crate::scene::{QueryPlace, Scene};

impl Scene {
    /// Returns the scene's `grid` section sampled from its geometry. The highest surface below a
    /// cell gives it its terrain and height. A cell is open if a box as wide as it and as high as
    /// the agent meets no obstacle. In a scene without surfaces the ground is the plane y = 0, of
    /// the first terrain. Waypoints matter only for queries that name them.
    ///
    /// # Errors
    /// When the scene is unsound or has no `grid` section, the movement has an impossible value, or
    /// a query ends beside the grid.
    pub fn to_grid(&self, movement: &Movement) -> Result<GridWorld, WorldError> {
        let Some(rules) = &self.grid else {
            return Err(WorldError::new(
                WorldErrorKind::NotSearchable,
                "the scene has no grid section, which says how to sample it",
            )
            .advise("add one: grid = { min = [0, 0], max = [10, 10], node_radius = 0.5 }"));
        };
        let obstacles = self.obstacles_on(|layer| {
            rules.layers.is_empty() || rules.layers.iter().any(|known| known == layer)
        })?;
        let area = Rectangle::new(Vec2::from(rules.min), Vec2::from(rules.max));
        let mut sampling = GridSampling::new(area, rules.node_radius)
            .with_body(SampledBody::Box { from: 0.0, to: rules.agent_height });
        // Nothing is steeper than a right angle.
        if let Some(degrees) = rules.max_slope {
            sampling.max_slope = (degrees < 90.0).then(|| ops::tan(degrees.to_radians()));
        }
        sampling.max_step = rules.max_step;
        let mut costs = cost_table(&self.terrains);
        if self.costs.negative_costs == NegativeCosts::Shift {
            costs = costs.shifting_negative_costs();
        }
        let profile = GridProfile {
            costs,
            slope_cost: rules.slope_cost,
            // At most 64, as was checked.
            blur: u8::try_from(rules.blur).unwrap_or(u8::MAX),
            ..movement.profile()
        };
        let grid = Grid::sampled(&obstacles, &sampling, profile).map_err(|error| {
            let path = match error {
                GridError::Cost(CostError::Negative { terrain, .. }) => {
                    KeyPath::item("terrains", usize::from(terrain)).then("penalty")
                }
                GridError::Size { .. } => KeyPath::key("grid").then("node_radius"),
                _ => KeyPath::default(),
            };
            grid_error(&error).about(path)
        })?;
        // Generated waypoints are placed only if a query names one.
        let mut places = None;
        let routes = self.resolve(|place| {
            let point = match place {
                QueryPlace::Point(at) => Vec3::from(*at),
                QueryPlace::Waypoint(id) => {
                    let places = match &mut places {
                        Some(places) => places,
                        none => none.insert(Places::of(self, &Arc::new(self.to_obstacles()?))?),
                    };
                    let id = places.ids.get(id.as_str()).ok_or_else(|| no_waypoint(id))?;
                    places.positions[id.index() as usize]
                }
            };
            // The far border of the rectangle belongs to the last cells.
            let inside = area.contains(Vec2::new(point.x, point.z));
            inside.then(|| grid.nearest_cell(point)).ok_or_else(|| {
                WorldError::new(WorldErrorKind::Value, format!("{point} lies beside the grid"))
                    .advise("move it or widen the grid")
            })
        })?;
        Ok(GridWorld {
            places: self.places.clone(),
            nav_links: Vec::new(),
            name: self.scene.name.clone(),
            description: self.scene.description.clone(),
            grid,
            terrains: self.terrains.clone(),
            routes,
            remarks: Vec::new(),
        })
    }
}

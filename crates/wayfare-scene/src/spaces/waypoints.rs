//! Scene to waypoint graph.

use std::collections::BTreeMap;
use std::sync::Arc;

use wayfare_core::space::TerrainId;
use wayfare_formats::{Terrain, WorldError};
use wayfare_grid::geometry::Obstacles;
use wayfare_grid::waypoint::{AutoLinkCounts, Waypoint, WaypointGraph, WaypointId};

use super::links::Links;
use super::places::Places;
use super::routes::NamedRoute;
use crate::scene::Scene;

/// A scene as a graph of waypoints, with the data to query it and to draw it.
///
/// ```
/// use wayfare_scene::scene;
///
/// let text = br#"
///     scene = { name = "ford" }
///     waypoints = [{ id = "gate", at = [2, 0, 2] }, { id = "tower", at = [18, 0, 2] }]
///     links = [{ from = "gate", to = "tower" }]
///     queries = [{ name = "home", from = "gate", to = "tower" }]
/// "#;
/// let world = scene::read(text)?.to_waypoints()?;
/// assert_eq!((world.graph.len(), world.graph.name(world.ids["gate"])), (2, Some("gate")));
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone)]
pub struct WaypointWorld {
    /// The name of the scene.
    pub name: String,
    /// A sentence or two for people; may be empty.
    pub description: String,
    /// The graph. Waypoints bear their names.
    ///
    /// In a scene with obstacles on plain ground, lines of sight are tested against the obstacles,
    /// with the ball of the scene's automatic links. In any other scene a line is clear only along
    /// a link: the ground between two unlinked waypoints is unknown.
    pub graph: WaypointGraph,
    /// The obstacles, then the surfaces. A surface's layer is the id of its terrain.
    pub obstacles: Arc<Obstacles>,
    /// The terrain table.
    pub terrains: Vec<Terrain>,
    /// The terrain of each waypoint, by its id; `None` if the scene does not give it.
    pub ground: Vec<Option<TerrainId>>,
    /// Waypoints by name; [`WaypointGraph::name`] is the inverse.
    pub ids: BTreeMap<String, WaypointId>,
    /// The counts of the automatic links.
    pub link_counts: AutoLinkCounts,
    /// The routes that the scene asks for.
    pub routes: Vec<NamedRoute<WaypointId>>,
    /// Whether the waypoint policies ignore the waypoints' own costs.
    pub ignores_own_costs: bool,
}

impl Scene {
    /// Returns the waypoints of the scene and the links between them, made and written out.
    ///
    /// Explicit waypoints come first, in the scene's order; the ones of its placements follow. One
    /// on terrain that is not walkable is blocked. A link costs its length times the multiplier of
    /// the terrain at its exit, unless it has a cost of its own; automatic links do not join two
    /// media.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::search::Query;
    /// use wayfare_scene::scene;
    ///
    /// let text = br#"
    ///     scene = { name = "wall" }
    ///     obstacles = [{ shape = "box", center = [5, 1, 5], half_extents = [0.5, 1, 3] }]
    ///     placements = [{ area = { min = [0, 0], max = [10, 10] }, generate = { kind = "grid", spacing = 2.5 } }]
    ///     auto_links = { max_distance = 4, agent_radius = 0.3, eye_height = 0.5 }
    ///     queries = [{ name = "across", from = [0, 0, 5], to = [10, 0, 5] }]
    /// "#;
    /// let world = scene::read(text)?.to_waypoints()?;
    /// let route = &world.routes[0];
    /// let answer = solve(&world.graph, &AStar::new(), Query::new(route.start, route.goal));
    /// let path = answer.outcome.path().expect("there is a way around the wall");
    /// assert!(path.cost() > 10_000);
    /// # Ok::<(), wayfare_formats::WorldError>(())
    /// ```
    ///
    /// # Errors
    /// If the scene is unsound or exceeds the limits of a graph. The error names the value at
    /// fault; with [`Playable::open`](crate::Playable::open), its line too.
    pub fn to_waypoints(&self) -> Result<WaypointWorld, WorldError> {
        let obstacles = Arc::new(self.to_obstacles()?);
        let places = Places::of(self, &obstacles)?;
        let (graph, link_counts) = self.graph_over(&self.terrains, &places, &obstacles)?;
        let routes = self.waypoint_routes(&graph, &places.ids)?;
        Ok(WaypointWorld {
            name: self.scene.name.clone(),
            description: self.scene.description.clone(),
            graph,
            obstacles,
            terrains: self.terrains.clone(),
            ground: places.ground,
            ids: places.ids,
            link_counts,
            routes,
            ignores_own_costs: self.costs.ignore_own_costs,
        })
    }

    /// Returns the graph of the scene to agents with other terrains than the scene's, in the same
    /// order: the same waypoints, with other costs, or others of them blocked.
    pub(super) fn to_graph_over(&self, terrains: &[Terrain]) -> Result<WaypointGraph, WorldError> {
        let obstacles = Arc::new(self.to_obstacles()?);
        let places = Places::of(self, &obstacles)?;
        Ok(self.graph_over(terrains, &places, &obstacles)?.0)
    }

    /// Returns the waypoints at their positions, and the links between them, over terrains.
    fn graph_over(
        &self,
        terrains: &[Terrain],
        places: &Places,
        obstacles: &Arc<Obstacles>,
    ) -> Result<(WaypointGraph, AutoLinkCounts), WorldError> {
        let radius = self.auto_links.map_or(0.0, |auto| auto.agent_radius);
        let probe = self.probe(obstacles, radius);
        let links = Links::of(self, terrains, places, &probe)?;
        let terrain = |place: usize| terrains.get(usize::from(places.ground[place]?.0));
        let waypoints = places.positions.iter().enumerate().map(|(place, &position)| Waypoint {
            position,
            cost: (self.waypoints.get(place).and_then(|waypoint| waypoint.cost))
                .unwrap_or_else(|| terrain(place).map_or(0.0, |terrain| terrain.penalty)),
            blocked: terrain(place).is_some_and(|terrain| !terrain.walkable),
            name: Some(places.names[place].clone()),
        });
        let graph =
            WaypointGraph::new(waypoints, links.links.iter().copied(), self.costs.negative_costs)
                .map_err(|error| links.explain(self, places, error))?;
        let is_open = is_open_ground(terrains, obstacles, &places.ground);
        let graph = if is_open { graph.with_surroundings(Arc::new(probe)) } else { graph };
        Ok((graph, links.counts))
    }
}

/// Returns whether obstacles alone say where an agent can walk: there are some, and all ground is
/// plain.
fn is_open_ground(
    terrains: &[Terrain],
    obstacles: &Obstacles,
    ground: &[Option<TerrainId>],
) -> bool {
    let is_plain =
        |terrain: TerrainId| terrains.get(usize::from(terrain.0)).is_none_or(Terrain::is_plain);
    let mut surfaces =
        obstacles.iter().filter_map(|one| one.kind.layer()).map(|layer| TerrainId(layer.0));
    obstacles.iter().any(|one| one.kind.blocks())
        && surfaces.all(is_plain)
        && ground.iter().flatten().copied().all(is_plain)
}

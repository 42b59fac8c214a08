//! The queries of a world as states of its space.

use std::collections::BTreeMap;

use glam::Vec3;
use wayfare_formats::inside::KeyPath;
use wayfare_formats::{WorldError, WorldErrorKind};
use wayfare_grid::waypoint::{Approach, WaypointGraph, WaypointId};

use crate::scene::{QueryPlace, Scene};

/// A route that a world asks for.
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
/// let home = &world.routes[0];
/// assert_eq!((home.name.as_deref(), home.goal), (Some("home"), world.ids["tower"]));
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedRoute<State> {
    /// The name; marks on a tile map have none.
    pub name: Option<String>,
    /// The start.
    pub start: State,
    /// The goal.
    pub goal: State,
}

impl Scene {
    /// Returns the scene's queries, their ends resolved one by one.
    pub(super) fn resolve<State>(
        &self,
        mut end: impl FnMut(&QueryPlace) -> Result<State, WorldError>,
    ) -> Result<Vec<NamedRoute<State>>, WorldError> {
        let route = |(index, query): (usize, &crate::scene::SceneQuery)| {
            let mut resolve = |key: &'static str, place: &QueryPlace| {
                end(place).map_err(|error| error.about(KeyPath::item("queries", index).then(key)))
            };
            Ok(NamedRoute {
                name: Some(query.name.clone()),
                start: resolve("from", &query.from)?,
                goal: resolve("to", &query.to)?,
            })
        };
        self.queries.iter().enumerate().map(route).collect()
    }

    /// Converts a point to the nearest waypoint that can be walked to straight, else the nearest.
    pub(super) fn waypoint_routes(
        &self,
        graph: &WaypointGraph,
        ids: &BTreeMap<String, WaypointId>,
    ) -> Result<Vec<NamedRoute<WaypointId>>, WorldError> {
        self.resolve(|place| match place {
            QueryPlace::Waypoint(id) => {
                ids.get(id.as_str()).copied().ok_or_else(|| no_waypoint(id))
            }
            QueryPlace::Point(at) => {
                let at = Vec3::from(*at);
                graph
                    .locate(at, f32::INFINITY, Approach::ClearLine)
                    .or_else(|| graph.nearest(at))
                    .ok_or_else(|| {
                        WorldError::new(
                            WorldErrorKind::Dangling,
                            "there is no waypoint that this point could be near to",
                        )
                    })
            }
        })
    }
}

pub(super) fn no_waypoint(id: &str) -> WorldError {
    WorldError::new(WorldErrorKind::Dangling, format!("there is no waypoint '{id}'"))
        .advise("correct the id; the placements made fewer")
}

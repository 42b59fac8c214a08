//! Waypoints and links placed by hand.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use wayfare_formats::Terrain;
use wayfare_scene::scene::{QueryPlace, Scene, SceneLink, SceneObstacle, SceneWaypoint};

use crate::{CellLayout, GroundLook, Layout, Place, PointLayout, Site, SiteError};

/// Waypoints and links as a user draws them, one by one.
///
/// ```
/// use wayfare_site::{DrawnGraph, NoFiles, OpenOptions, build, graph_scene, open_bytes};
/// use wayfare_scene::World;
/// use wayfare_scene::scene::{SceneLink, SceneWaypoint};
///
/// let yard = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let waypoint = |id: &str, x, z| SceneWaypoint { id: id.into(), at: [x, 0.0, z], cost: None, terrain: None };
/// let graph = DrawnGraph {
///     waypoints: vec![waypoint("a", 0.5, 0.5), waypoint("b", 2.5, 0.5)],
///     links: vec![SceneLink { from: "a".into(), to: "b".into(), one_way: false, cost: None, danger: 0.0 }],
/// };
/// let scene = graph.on(graph_scene(yard.as_ref(), None)?);
/// let site = build("drawn.toml".as_ref(), World::Scene(scene), &OpenOptions::default())?;
/// assert_eq!((site.about().state, site.about().states), ("waypoint", 2));
/// assert_eq!(site.moves_from(site.find("a")?)[0].state, site.find("b")?);
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
#[serde(deny_unknown_fields)]
pub struct DrawnGraph {
    /// The waypoints.
    pub waypoints: Vec<SceneWaypoint>,
    /// The links.
    pub links: Vec<SceneLink>,
}

impl DrawnGraph {
    /// Returns the graph of a scene with waypoints and links one by one.
    #[must_use]
    pub fn of(scene: &Scene) -> Self {
        Self { waypoints: scene.waypoints.clone(), links: scene.links.clone() }
    }

    /// Returns the scene with this graph. Routes that it names are left out where their ends are
    /// gone.
    #[must_use]
    pub fn on(self, mut scene: Scene) -> Scene {
        let ids: BTreeSet<&str> =
            self.waypoints.iter().map(|waypoint| waypoint.id.as_str()).collect();
        let is_there = |place: &QueryPlace| match place {
            QueryPlace::Waypoint(id) => ids.contains(id.as_str()),
            QueryPlace::Point(_) => true,
        };
        scene.queries.retain(|query| is_there(&query.from) && is_there(&query.to));
        let Self { waypoints, links } = self;
        Scene { waypoints, links, ..scene }
    }
}

/// Returns a world as a scene with explicit waypoints and links, for editing one by one: also the
/// ones that a rule has placed. `own`: the scene that the world was read from, whose data of its
/// waypoints is kept.
///
/// A grid becomes a scene without waypoints; its blocked cells are obstacles, row by row.
///
/// # Errors
/// When the world is neither a grid nor a waypoint scene.
pub fn graph_scene(site: &dyn Site, own: Option<&Scene>) -> Result<Scene, SiteError> {
    match site.layout() {
        Layout::Points(points) => Ok(of_points(site, &points, own)),
        Layout::Cells(cells) => Ok(over_cells(site, &cells)),
        _ => {
            let problem = "waypoints are placed on grids and in waypoint scenes";
            Err(SiteError::unsearchable(&site.about().file, &problem))
        }
    }
}

fn of_points(site: &dyn Site, points: &PointLayout, own: Option<&Scene>) -> Scene {
    let mut scene = own.cloned().unwrap_or_else(|| {
        let mut scene = Scene::new(site.about().name.clone());
        scene.terrains = points.grounds.iter().map(terrain).collect();
        scene
    });
    let id = |state: u32| match site.place(state) {
        Place::Waypoint { waypoint, .. } => waypoint,
        _ => format!("waypoint {state}"),
    };
    let waypoint = |(state, &at): (u32, &[f32; 3])| {
        let id = id(state);
        let known = scene.waypoints.iter().find(|known| known.id == id);
        known.cloned().unwrap_or_else(|| {
            let ground = points.ground.get(state as usize).copied().map(usize::from);
            let ground = ground.and_then(|number| points.grounds.get(number));
            let terrain = ground.map(|look| look.name.clone());
            SceneWaypoint { id, at, cost: None, terrain }
        })
    };
    let waypoints = (0..).zip(&points.places).map(waypoint).collect();
    let all: BTreeSet<[u32; 2]> = points.links.iter().copied().collect();
    let known = |from: &str, to: &str| {
        let joins = |link: &&SceneLink| {
            (link.from == from && link.to == to)
                || (!link.one_way && link.from == to && link.to == from)
        };
        scene.links.iter().find(joins)
    };
    let links = all.iter().filter(|[from, to]| from < to || !all.contains(&[*to, *from]));
    let links = links.map(|&[from, to]| {
        let one_way = !all.contains(&[to, from]);
        let (from, to) = (id(from), id(to));
        let known = known(&from, &to);
        let (cost, danger) = known.map_or((None, 0.0), |known| (known.cost, known.danger));
        SceneLink { from, to, one_way, cost, danger }
    });
    let links = links.collect();
    scene.placements.clear();
    Scene { waypoints, links, auto_links: None, ..scene }
}

/// Converts blocked cells to boxes, one for each run of a row.
fn over_cells(site: &dyn Site, cells: &CellLayout) -> Scene {
    /// As high as a wall is, in units of the grid.
    const HEIGHT: f32 = 2.0;
    let mut scene = Scene::new(site.about().name.clone());
    let first = site.position(cells.first);
    let side = match cells.width {
        0 | 1 => 1.0,
        _ => (site.position(cells.first.saturating_add(1)) - first).length(),
    };
    let is_open = |ground: &u8| {
        cells.grounds.get(usize::from(*ground)).is_some_and(|ground: &GroundLook| ground.is_open)
    };
    let rows = cells.ground.chunks(cells.width.max(1) as usize);
    for (y, row) in rows.enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|a, b| is_open(a) == is_open(b)) {
            let length = run.len() as f32;
            if !run.first().is_some_and(is_open) {
                let middle = x as f32 + (length - 1.0) / 2.0;
                scene.obstacles.push(SceneObstacle::Box {
                    center: [first.x + middle * side, 0.0, first.z + y as f32 * side],
                    half_extents: [length * side / 2.0, HEIGHT, side / 2.0],
                    yaw: 0.0,
                });
            }
            x += run.len();
        }
    }
    scene
}

fn terrain(look: &GroundLook) -> Terrain {
    let glyph = look.name.chars().next().unwrap_or('?');
    let mut terrain = Terrain::new(look.name.clone(), glyph, look.colour);
    terrain.multiplier = look.multiplier;
    terrain.penalty = look.penalty;
    terrain.walkable = look.is_open;
    terrain
}

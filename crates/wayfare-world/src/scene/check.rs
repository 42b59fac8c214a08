//! Whether a scene is sound: every rule about meaning, each with the way to the value at fault.

use std::collections::BTreeSet;

use wayfare::space::{MAX_SIDE, NegativeCosts};

use crate::error::{WorldError, WorldErrorKind};
use crate::key_path::KeyPath;
use crate::limits::{MAX_SAMPLED_CELLS, MAX_SCENE_ITEMS};
use crate::scene::check_simulation::check_simulation;
use crate::scene::check_world::check_world;
use crate::scene::document::{
    MeshSource, Placement, PlacementKind, QueryPlace, Rectangle, Scene, SceneObstacle, Surface,
};
use crate::scene::way::{Checked, Way, problem, problem_advised};
use crate::terrain::check_table;

impl Scene {
    /// Checks every rule of the format: finite numbers in their ranges, unique names, links and
    /// queries that lead to waypoints, layers that exist, bounded counts.
    ///
    /// # Errors
    /// The first rule that is broken. A scene that came from a text has passed already.
    pub fn validate(&self) -> Result<(), WorldError> {
        check(self)
    }

    /// All meshes with the ways to them.
    pub(super) fn mesh_sources(&self) -> impl Iterator<Item = (KeyPath, &MeshSource)> {
        let obstacles = self.obstacles.iter().enumerate().filter_map(|(index, obstacle)| {
            let SceneObstacle::Mesh { mesh, .. } = obstacle else { return None };
            Some((KeyPath::item("obstacles", index).then("mesh"), mesh))
        });
        let surfaces = self.surfaces.iter().enumerate().filter_map(|(index, surface)| {
            let Surface::Mesh { mesh, .. } = surface else { return None };
            Some((KeyPath::item("surfaces", index).then("mesh"), mesh))
        });
        obstacles.chain(surfaces)
    }
}

fn check(scene: &Scene) -> Checked {
    if scene.scene.name.trim().is_empty() {
        return problem(
            KeyPath::key("scene").then("name"),
            WorldErrorKind::Value,
            "the scene needs a name",
        );
    }
    for (key, length) in [
        ("obstacles", scene.obstacles.len()),
        ("surfaces", scene.surfaces.len()),
        ("waypoints", scene.waypoints.len()),
        ("placements", scene.placements.len()),
        ("links", scene.links.len()),
        ("queries", scene.queries.len()),
        ("places", scene.places.len()),
        ("classes", scene.classes.len()),
        ("agents", scene.agents.len()),
        ("nav_links", scene.nav_links.len()),
        ("events", scene.events.len()),
    ] {
        if length > MAX_SCENE_ITEMS {
            return problem(
                KeyPath::key(key),
                WorldErrorKind::Limit,
                format!("there are {length} {key}, but a scene holds at most {MAX_SCENE_ITEMS}"),
            );
        }
    }
    check_table(&scene.terrains).map_err(|(index, field, error)| {
        error.about(KeyPath::item("terrains", index).then(field))
    })?;
    let layers: BTreeSet<&str> =
        scene.terrains.iter().map(|terrain| terrain.name.as_str()).collect();
    check_geometry(scene, &layers)?;
    check_grid(scene, &layers)?;
    let ids = check_waypoints(scene, &layers)?;
    check_placements(scene)?;
    check_links(scene, &ids)?;
    check_queries(scene, &ids)?;
    check_negative_costs(scene)?;
    check_world(scene)?;
    check_simulation(scene, &ids)
}

fn check_negative_costs(scene: &Scene) -> Checked {
    if scene.costs.negative_costs == NegativeCosts::Shift {
        return Ok(());
    }
    match scene.waypoints.iter().position(|waypoint| scene.own_cost(waypoint) < 0.0) {
        None => Ok(()),
        Some(index) => problem_advised(
            KeyPath::item("waypoints", index).then("cost"),
            WorldErrorKind::Value,
            format!(
                "the cost of waypoint '{}' is {}, which is negative",
                scene.waypoints[index].id,
                scene.own_cost(&scene.waypoints[index])
            ),
            "raise it, or write costs.negative_costs = \"shift\" to raise all costs until the lowest \
             is 0",
        ),
    }
}

fn check_geometry(scene: &Scene, layers: &BTreeSet<&str>) -> Checked {
    for (index, obstacle) in scene.obstacles.iter().enumerate() {
        let at = Way(KeyPath::item("obstacles", index));
        match obstacle {
            SceneObstacle::Box { center, half_extents, yaw } => {
                at.coordinates("center", center)?;
                at.size("half_extents", half_extents)?;
                at.coordinates("yaw", &[*yaw])?;
            }
            SceneObstacle::Sphere { center, radius } => {
                at.coordinates("center", center)?;
                at.size("radius", &[*radius])?;
            }
            SceneObstacle::Cylinder { center, radius, half_height } => {
                at.coordinates("center", center)?;
                at.size("radius", &[*radius])?;
                at.size("half_height", &[*half_height])?;
            }
            SceneObstacle::Mesh { mesh, offset } => {
                at.coordinates("offset", offset)?;
                at.mesh(mesh)?;
            }
        }
    }
    for (index, surface) in scene.surfaces.iter().enumerate() {
        let at = Way(KeyPath::item("surfaces", index));
        at.layer("layer", surface.layer(), layers)?;
        match surface {
            Surface::Rectangle { min, max, y, .. } => {
                at.rectangle(&Rectangle { min: *min, max: *max })?;
                at.coordinates("y", &[*y])?;
            }
            Surface::Heightfield { origin, spacing, heights, .. } => {
                at.coordinates("origin", origin)?;
                at.positive("spacing", &[*spacing])?;
                at.heights(heights)?;
            }
            Surface::Mesh { mesh, offset, .. } => {
                at.coordinates("offset", offset)?;
                at.mesh(mesh)?;
            }
        }
    }
    Ok(())
}

fn check_grid(scene: &Scene, layers: &BTreeSet<&str>) -> Checked {
    let Some(grid) = &scene.grid else { return Ok(()) };
    let at = Way(KeyPath::key("grid"));
    at.rectangle(&Rectangle { min: grid.min, max: grid.max })?;
    at.positive("node_radius", &[grid.node_radius])?;
    at.positive("agent_height", &[grid.agent_height])?;
    for (index, layer) in grid.layers.iter().enumerate() {
        Way(KeyPath::key("grid").then("layers").at(index)).layer("", layer, layers)?;
    }
    if grid.blur > MAX_BLUR {
        return problem(
            at.to("blur"),
            WorldErrorKind::Limit,
            format!("the blur is {} cells wide, but at most {MAX_BLUR} are possible", grid.blur),
        );
    }
    let [columns, rows] = grid.cells();
    if columns * rows > MAX_SAMPLED_CELLS as f64 || columns.max(rows) > f64::from(MAX_SIDE) {
        return problem_advised(
            at.to("node_radius"),
            WorldErrorKind::Limit,
            format!(
                "so small a radius makes a grid of {columns} × {rows} cells, but at most \
                 {MAX_SAMPLED_CELLS} are sampled, and {MAX_SIDE} a side"
            ),
            "raise it or narrow the rectangle",
        );
    }
    Ok(())
}

/// The widest blur that the engine's grids have.
const MAX_BLUR: u32 = 64;

fn check_waypoints<'a>(
    scene: &'a Scene,
    layers: &BTreeSet<&str>,
) -> Result<BTreeSet<&'a str>, WorldError> {
    let mut ids = BTreeSet::new();
    for (index, waypoint) in scene.waypoints.iter().enumerate() {
        let at = Way(KeyPath::item("waypoints", index));
        at.name("id", &waypoint.id, &mut ids)?;
        at.coordinates("at", &waypoint.at)?;
        if let Some(cost) = waypoint.cost {
            at.cost("cost", cost)?;
        }
        if let Some(terrain) = &waypoint.terrain {
            at.layer("terrain", terrain, layers)?;
        }
    }
    Ok(ids)
}

fn check_placements(scene: &Scene) -> Checked {
    let mut total = scene.waypoints.len() as f64;
    for (index, placement) in scene.placements.iter().enumerate() {
        let at = Way(KeyPath::item("placements", index));
        Way(at.to("area")).rectangle(&placement.area)?;
        at.not_negative("agent_radius", placement.agent_radius)?;
        let rule = Way(at.to("generate"));
        let Rectangle { min, max } = placement.area;
        let (key, count) = match placement.generate {
            PlacementKind::Random { count: 0, .. } => {
                return problem(
                    rule.to("count"),
                    WorldErrorKind::Value,
                    "the count must be at least 1",
                );
            }
            PlacementKind::Random { count, .. } => ("count", f64::from(count)),
            // How many fit: a square each on a raster, and nearly as many if random.
            PlacementKind::Poisson { spacing, .. } | PlacementKind::Grid { spacing } => {
                rule.positive("spacing", &[spacing])?;
                let along = |axis: usize| {
                    let side = f64::from(max[axis]) - f64::from(min[axis]);
                    (side / f64::from(spacing)).floor() + 1.0
                };
                ("spacing", along(0) * along(1))
            }
            PlacementKind::Corners => ("kind", 0.0),
        };
        total += count;
        if total > MAX_SCENE_ITEMS as f64 {
            return problem(
                rule.to(key),
                WorldErrorKind::Limit,
                format!(
                    "that makes about {total:.0} waypoints, but a scene holds at most \
                     {MAX_SCENE_ITEMS}"
                ),
            );
        }
    }
    Ok(())
}

fn check_links(scene: &Scene, ids: &BTreeSet<&str>) -> Checked {
    for (index, link) in scene.links.iter().enumerate() {
        let at = Way(KeyPath::item("links", index));
        at.waypoint("from", &link.from, ids)?;
        at.waypoint("to", &link.to, ids)?;
        if link.from == link.to {
            return problem(
                at.to("to"),
                WorldErrorKind::Value,
                format!("this links waypoint '{}' to itself", link.to),
            );
        }
        if let Some(cost) = link.cost {
            at.not_negative("cost", cost)?;
            at.cost("cost", cost)?;
        }
        at.not_negative("danger", link.danger)?;
        at.cost("danger", link.danger)?;
    }
    let Some(auto) = &scene.auto_links else { return Ok(()) };
    let at = Way(KeyPath::key("auto_links"));
    at.positive("max_distance", &[auto.max_distance])?;
    at.not_negative("agent_radius", auto.agent_radius)?;
    at.not_negative("eye_height", auto.eye_height)?;
    at.not_negative("slope_cost", auto.slope_cost)?;
    at.cost("slope_cost", auto.slope_cost)?;
    at.not_negative("max_slope", auto.max_slope)?;
    if auto.max_slope > 90.0 {
        return problem(
            at.to("max_slope"),
            WorldErrorKind::Value,
            format!("max_slope is {} degrees, but nothing is steeper than 90", auto.max_slope),
        );
    }
    if auto.k_nearest == Some(0) {
        return problem(at.to("k_nearest"), WorldErrorKind::Value, "k_nearest must be at least 1");
    }
    Ok(())
}

fn check_queries(scene: &Scene, ids: &BTreeSet<&str>) -> Checked {
    let mut names = BTreeSet::new();
    for (index, query) in scene.queries.iter().enumerate() {
        let at = Way(KeyPath::item("queries", index));
        at.name("name", &query.name, &mut names)?;
        for (key, place) in [("from", &query.from), ("to", &query.to)] {
            match place {
                QueryPlace::Point(point) => at.coordinates(key, point)?,
                QueryPlace::Waypoint(id) => {
                    // Generated waypoints are not there yet, so their ids cannot be checked.
                    let numbered = |placement: &Placement| {
                        id.strip_prefix(placement.prefix.as_str())
                            .is_some_and(|number| number.parse::<u32>().is_ok())
                    };
                    if !scene.placements.iter().any(numbered) {
                        at.waypoint(key, id, ids)?;
                    }
                }
            }
        }
    }
    Ok(())
}

//! Whether a scene is sound: every rule about meaning, each with the way to the value at fault.

use std::collections::BTreeSet;

use crate::error::{WorldError, WorldErrorKind};
use crate::limits::MAX_SCENE_ITEMS;
use crate::obj::TriangleMesh;
use crate::scene::document::{
    MeshSource, Obstacle, Place, PlacementKind, Rectangle, Scene, Surface,
};
use crate::scene::locate::KeyPath;
use crate::scene::locate::Step::{self, Index, Key};
use crate::terrain::check_table;

type Problem = (KeyPath, WorldError);
type Checked = Result<(), Problem>;

impl Scene {
    /// Checks every rule of the format: finite numbers in their ranges, unique names, links and
    /// queries that lead to waypoints, layers that exist, bounded counts.
    ///
    /// # Errors
    /// The first rule that is broken. A scene that came from a text has passed already.
    pub fn validate(&self) -> Result<(), WorldError> {
        find_problem(self).map_or(Ok(()), |(_, error)| Err(error))
    }

    /// All meshes with the ways to them.
    pub(super) fn mesh_sources(&self) -> impl Iterator<Item = (KeyPath, &MeshSource)> {
        let obstacles = self.obstacles.iter().enumerate().filter_map(|(index, obstacle)| {
            let Obstacle::Mesh { mesh, .. } = obstacle else { return None };
            Some((vec![Key("obstacles"), Index(index), Key("mesh")], mesh))
        });
        let surfaces = self.surfaces.iter().enumerate().filter_map(|(index, surface)| {
            let Surface::Mesh { mesh, .. } = surface else { return None };
            Some((vec![Key("surfaces"), Index(index), Key("mesh")], mesh))
        });
        obstacles.chain(surfaces)
    }
}

/// The first rule that is broken, and the way to the value that breaks it.
pub(super) fn find_problem(scene: &Scene) -> Option<Problem> {
    check(scene).err()
}

fn check(scene: &Scene) -> Checked {
    if scene.scene.name.trim().is_empty() {
        return problem(
            vec![Key("scene"), Key("name")],
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
    ] {
        if length > MAX_SCENE_ITEMS {
            return problem(
                vec![Key(key)],
                WorldErrorKind::Limit,
                format!("there are {length} {key}, but a scene holds at most {MAX_SCENE_ITEMS}"),
            );
        }
    }
    check_table(&scene.terrains).map_err(|(index, field, error)| {
        (vec![Key("terrains"), Index(index), Key(field)], error)
    })?;
    let layers: BTreeSet<&str> =
        scene.terrains.iter().map(|terrain| terrain.name.as_str()).collect();
    check_geometry(scene, &layers)?;
    check_grid(scene, &layers)?;
    let ids = check_waypoints(scene, &layers)?;
    check_placements(scene)?;
    check_links(scene, &ids)?;
    check_queries(scene, &ids)?;
    scene.waypoint_costs().map(drop).map_err(|error| {
        let negative = |index: &usize| {
            let waypoint = &scene.waypoints[*index];
            let penalty = waypoint.terrain.as_deref().and_then(|name| scene.terrain(name));
            waypoint.cost.or(penalty.map(|terrain| terrain.penalty)).is_some_and(|cost| cost < 0.0)
        };
        let index = (0..scene.waypoints.len()).find(negative).unwrap_or_default();
        (vec![Key("waypoints"), Index(index), Key("cost")], error)
    })
}

fn check_geometry(scene: &Scene, layers: &BTreeSet<&str>) -> Checked {
    for (index, obstacle) in scene.obstacles.iter().enumerate() {
        let at = Way(&[Key("obstacles"), Index(index)]);
        match obstacle {
            Obstacle::Box { center, half_extents, yaw } => {
                at.finite("center", center)?;
                at.positive("half_extents", half_extents)?;
                at.finite("yaw", &[*yaw])?;
            }
            Obstacle::Sphere { center, radius } => {
                at.finite("center", center)?;
                at.positive("radius", &[*radius])?;
            }
            Obstacle::Cylinder { center, radius, half_height } => {
                at.finite("center", center)?;
                at.positive("radius", &[*radius])?;
                at.positive("half_height", &[*half_height])?;
            }
            Obstacle::Mesh { mesh, offset } => {
                at.finite("offset", offset)?;
                at.mesh(mesh)?;
            }
        }
    }
    for (index, surface) in scene.surfaces.iter().enumerate() {
        let at = Way(&[Key("surfaces"), Index(index)]);
        at.layer("layer", surface.layer(), layers)?;
        match surface {
            Surface::Rectangle { min, max, y, .. } => {
                at.rectangle(&Rectangle { min: *min, max: *max })?;
                at.finite("y", &[*y])?;
            }
            Surface::Heightfield { origin, spacing, heights, .. } => {
                at.finite("origin", origin)?;
                at.positive("spacing", &[*spacing])?;
                at.heights(heights)?;
            }
            Surface::Mesh { mesh, offset, .. } => {
                at.finite("offset", offset)?;
                at.mesh(mesh)?;
            }
        }
    }
    Ok(())
}

fn check_grid(scene: &Scene, layers: &BTreeSet<&str>) -> Checked {
    let Some(grid) = &scene.grid else { return Ok(()) };
    let at = Way(&[Key("grid")]);
    at.rectangle(&Rectangle { min: grid.min, max: grid.max })?;
    at.positive("node_radius", &[grid.node_radius])?;
    at.finite("ray_height", &[grid.ray_height])?;
    at.not_negative("agent_height", grid.agent_height)?;
    at.finite("obstacle_penalty", &[grid.obstacle_penalty])?;
    for (index, layer) in grid.layers.iter().enumerate() {
        Way(&[Key("grid"), Key("layers"), Index(index)]).layer("", layer, layers)?;
    }
    let cells = |axis: usize| {
        (f64::from(grid.max[axis]) - f64::from(grid.min[axis]))
            / (2.0 * f64::from(grid.node_radius))
    };
    if cells(0) * cells(1) > MAX_GRID_CELLS {
        return problem(
            at.to("node_radius"),
            WorldErrorKind::Limit,
            format!(
                "so small a radius makes a grid of {:.0} × {:.0} cells, but at most 64 Mi are \
                 sampled",
                cells(0),
                cells(1)
            ),
        );
    }
    Ok(())
}

/// Most cells that a scene may ask to sample: 8192².
const MAX_GRID_CELLS: f64 = (8192u32 * 8192) as f64;

fn check_waypoints<'a>(
    scene: &'a Scene,
    layers: &BTreeSet<&str>,
) -> Result<BTreeSet<&'a str>, Problem> {
    let mut ids = BTreeSet::new();
    for (index, waypoint) in scene.waypoints.iter().enumerate() {
        let at = Way(&[Key("waypoints"), Index(index)]);
        at.name("id", &waypoint.id, &mut ids)?;
        at.finite("at", &waypoint.at)?;
        if let Some(cost) = waypoint.cost {
            at.finite("cost", &[cost])?;
        }
        if let Some(terrain) = &waypoint.terrain {
            at.layer("terrain", terrain, layers)?;
        }
    }
    Ok(ids)
}

fn check_placements(scene: &Scene) -> Checked {
    for (index, placement) in scene.placements.iter().enumerate() {
        let at = Way(&[Key("placements"), Index(index)]);
        Way(&[Key("placements"), Index(index), Key("area")]).rectangle(&placement.area)?;
        at.not_negative("agent_radius", placement.agent_radius)?;
        let Rectangle { min, max } = placement.area;
        let area = f64::from(max[0] - min[0]) * f64::from(max[1] - min[1]);
        let at = Way(&[Key("placements"), Index(index), Key("generate")]);
        // How many fit: a square each on a raster, a disk of half the spacing each if random.
        let count = match placement.generate {
            PlacementKind::Random { count: 0, .. } => {
                return problem(
                    at.to("count"),
                    WorldErrorKind::Value,
                    "the count must be at least 1",
                );
            }
            PlacementKind::Random { count, .. } => f64::from(count),
            PlacementKind::Poisson { spacing, .. } | PlacementKind::Grid { spacing } => {
                at.positive("spacing", &[spacing])?;
                area / (f64::from(spacing) * f64::from(spacing))
            }
            PlacementKind::Corners => 0.0,
        };
        if count > MAX_SCENE_ITEMS as f64 {
            return problem(
                at.to("spacing"),
                WorldErrorKind::Limit,
                format!(
                    "that makes about {count:.0} waypoints, but at most {MAX_SCENE_ITEMS} are placed"
                ),
            );
        }
    }
    Ok(())
}

fn check_links(scene: &Scene, ids: &BTreeSet<&str>) -> Checked {
    for (index, link) in scene.links.iter().enumerate() {
        let at = Way(&[Key("links"), Index(index)]);
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
        }
        at.not_negative("danger", link.danger)?;
    }
    let Some(auto) = &scene.auto_links else { return Ok(()) };
    let at = Way(&[Key("auto_links")]);
    at.positive("max_distance", &[auto.max_distance])?;
    at.not_negative("agent_radius", auto.agent_radius)?;
    at.not_negative("eye_height", auto.eye_height)?;
    at.not_negative("slope_cost", auto.slope_cost)?;
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
        let at = Way(&[Key("queries"), Index(index)]);
        at.name("name", &query.name, &mut names)?;
        for (key, place) in [("from", &query.from), ("to", &query.to)] {
            match place {
                Place::Point(point) => at.finite(key, point)?,
                Place::Waypoint(id) => {
                    // Generated waypoints are not there yet, so their ids cannot be checked.
                    let generated =
                        scene.placements.iter().any(|placement| id.starts_with(&placement.prefix));
                    if !generated {
                        at.waypoint(key, id, ids)?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// The way to a table, with checks for the values in it.
struct Way<'a>(&'a [Step]);

impl Way<'_> {
    fn to(&self, key: &'static str) -> KeyPath {
        let mut path = self.0.to_vec();
        if !key.is_empty() {
            path.push(Key(key));
        }
        path
    }

    fn finite(&self, key: &'static str, values: &[f32]) -> Checked {
        match values.iter().find(|value| !value.is_finite()) {
            None => Ok(()),
            Some(value) => problem(
                self.to(key),
                WorldErrorKind::Value,
                format!("'{key}' holds {value}, but must be finite"),
            ),
        }
    }

    fn positive(&self, key: &'static str, values: &[f32]) -> Checked {
        self.finite(key, values)?;
        match values.iter().find(|value| **value <= 0.0) {
            None => Ok(()),
            Some(value) => problem(
                self.to(key),
                WorldErrorKind::Value,
                format!("'{key}' holds {value}, but must be greater than 0"),
            ),
        }
    }

    fn not_negative(&self, key: &'static str, value: f32) -> Checked {
        self.finite(key, &[value])?;
        if value >= 0.0 {
            return Ok(());
        }
        problem(
            self.to(key),
            WorldErrorKind::Value,
            format!("'{key}' is {value}, but must not be negative"),
        )
    }

    fn rectangle(&self, area: &Rectangle) -> Checked {
        self.finite("min", &area.min)?;
        self.finite("max", &area.max)?;
        if area.min[0] < area.max[0] && area.min[1] < area.max[1] {
            return Ok(());
        }
        problem(
            self.to("max"),
            WorldErrorKind::Value,
            format!("'max' {:?} must be greater than 'min' {:?} in x and z", area.max, area.min),
        )
    }

    fn heights(&self, heights: &[Vec<f32>]) -> Checked {
        let width = heights.first().map_or(0, Vec::len);
        if heights.len() < 2 || width < 2 {
            return problem(
                self.to("heights"),
                WorldErrorKind::Dimensions,
                "a heightfield needs at least 2 rows of 2 heights",
            );
        }
        for (row, values) in heights.iter().enumerate() {
            let mut path = self.to("heights");
            path.push(Index(row));
            if values.len() != width {
                return problem(
                    path,
                    WorldErrorKind::Dimensions,
                    format!("row {row} has {} heights, but the first has {width}", values.len()),
                );
            }
            if let Some(value) = values.iter().find(|value| !value.is_finite()) {
                return problem(
                    path,
                    WorldErrorKind::Value,
                    format!("row {row} holds the height {value}, but heights must be finite"),
                );
            }
        }
        Ok(())
    }

    fn mesh(&self, source: &MeshSource) -> Checked {
        if let Some(file) = &source.file {
            // A scene from elsewhere must not read files from anywhere.
            let outside = file.is_empty()
                || file.contains('\\')
                || std::path::Path::new(file)
                    .components()
                    .any(|part| !matches!(part, std::path::Component::Normal(_)));
            if outside {
                return problem_advised(
                    self.to("mesh"),
                    WorldErrorKind::Value,
                    format!("the mesh file '{file}' is not in the folder of the scene"),
                    "name a file beside the scene or in a folder below, with / between folders",
                );
            }
            // Not loaded yet: nothing more to check.
            return Ok(());
        }
        if source.triangles.is_empty() {
            return problem_advised(
                self.to("mesh"),
                WorldErrorKind::Value,
                "this mesh has no triangles",
                "give a 'file', or 'vertices' and 'triangles'",
            );
        }
        TriangleMesh::new(source.vertices.clone(), source.triangles.clone())
            .map(drop)
            .map_err(|error| (self.to("mesh"), error))
    }

    fn layer(&self, key: &'static str, name: &str, layers: &BTreeSet<&str>) -> Checked {
        if layers.contains(name) {
            return Ok(());
        }
        let known: Vec<_> = layers.iter().copied().collect();
        problem_advised(
            self.to(key),
            WorldErrorKind::Dangling,
            format!("there is no terrain '{name}'"),
            match known.as_slice() {
                [] => "add it under [[terrains]]".to_string(),
                known => format!("add it under [[terrains]]; known are {}", known.join(", ")),
            },
        )
    }

    fn waypoint(&self, key: &'static str, id: &str, ids: &BTreeSet<&str>) -> Checked {
        if ids.contains(id) {
            return Ok(());
        }
        problem_advised(
            self.to(key),
            WorldErrorKind::Dangling,
            format!("there is no waypoint '{id}'"),
            "correct the id or add the waypoint",
        )
    }

    fn name<'a>(&self, key: &'static str, name: &'a str, names: &mut BTreeSet<&'a str>) -> Checked {
        if name.trim().is_empty() {
            return problem(
                self.to(key),
                WorldErrorKind::Value,
                format!("'{key}' must not be empty"),
            );
        }
        if !names.insert(name) {
            return problem_advised(
                self.to(key),
                WorldErrorKind::Duplicate,
                format!("'{name}' is used twice"),
                "rename one of them",
            );
        }
        Ok(())
    }
}

fn problem(path: KeyPath, kind: WorldErrorKind, message: impl Into<String>) -> Checked {
    Err((path, WorldError::new(kind, message)))
}

fn problem_advised(
    path: KeyPath,
    kind: WorldErrorKind,
    message: impl Into<String>,
    advice: impl Into<String>,
) -> Checked {
    Err((path, WorldError::new(kind, message).advise(advice)))
}

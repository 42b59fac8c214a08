//! Whether a scene is sound: every rule about meaning, each with the way to the value at fault.

use std::collections::BTreeSet;

use wayfare::geometry::{MAX_COORDINATE, MIN_SIZE};
use wayfare::space::waypoint::MAX_COST;
use wayfare::space::{MAX_SIDE, NegativeCosts};

use crate::error::{WorldError, WorldErrorKind};
use crate::key_path::KeyPath;
use crate::limits::{MAX_SAMPLED_CELLS, MAX_SCENE_ITEMS};
use crate::obj::TriangleMesh;
use crate::scene::document::{
    MeshSource, Obstacle, Place, Placement, PlacementKind, Rectangle, Scene, Surface,
};
use crate::terrain::check_table;

type Checked = Result<(), WorldError>;

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
            let Obstacle::Mesh { mesh, .. } = obstacle else { return None };
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
    check_negative_costs(scene)
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
            Obstacle::Box { center, half_extents, yaw } => {
                at.coordinates("center", center)?;
                at.size("half_extents", half_extents)?;
                at.coordinates("yaw", &[*yaw])?;
            }
            Obstacle::Sphere { center, radius } => {
                at.coordinates("center", center)?;
                at.size("radius", &[*radius])?;
            }
            Obstacle::Cylinder { center, radius, half_height } => {
                at.coordinates("center", center)?;
                at.size("radius", &[*radius])?;
                at.size("half_height", &[*half_height])?;
            }
            Obstacle::Mesh { mesh, offset } => {
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
                Place::Point(point) => at.coordinates(key, point)?,
                Place::Waypoint(id) => {
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

/// The way to a table, with checks for the values in it.
struct Way(KeyPath);

impl Way {
    fn to(&self, key: &'static str) -> KeyPath {
        self.0.clone().then(key)
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

    /// Coordinates and lengths that the engine can place.
    fn coordinates(&self, key: &'static str, values: &[f32]) -> Checked {
        self.finite(key, values)?;
        self.at_most(key, values, MAX_COORDINATE)
    }

    fn cost(&self, key: &'static str, value: f32) -> Checked {
        self.finite(key, &[value])?;
        self.at_most(key, &[value], MAX_COST)
    }

    fn at_most(&self, key: &'static str, values: &[f32], most: f32) -> Checked {
        match values.iter().find(|value| value.abs() > most) {
            None => Ok(()),
            Some(value) => problem(
                self.to(key),
                WorldErrorKind::Limit,
                format!("'{key}' holds {value}, but must lie within ±{most}"),
            ),
        }
    }

    /// The size of a solid.
    fn size(&self, key: &'static str, values: &[f32]) -> Checked {
        self.positive(key, values)?;
        match values.iter().find(|value| **value < MIN_SIZE) {
            None => Ok(()),
            Some(value) => problem(
                self.to(key),
                WorldErrorKind::Limit,
                format!("'{key}' holds {value}, but must be at least {MIN_SIZE}"),
            ),
        }
    }

    fn positive(&self, key: &'static str, values: &[f32]) -> Checked {
        self.coordinates(key, values)?;
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
        self.coordinates(key, &[value])?;
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
        self.coordinates("min", &area.min)?;
        self.coordinates("max", &area.max)?;
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
            let path = self.to("heights").at(row);
            if values.len() != width {
                return problem(
                    path,
                    WorldErrorKind::Dimensions,
                    format!("row {row} has {} heights, but the first has {width}", values.len()),
                );
            }
            if let Some(value) = values.iter().find(|value| !in_range(**value)) {
                return problem(
                    path,
                    WorldErrorKind::Value,
                    format!(
                        "row {row} holds the height {value}, but heights must lie within \
                         ±{MAX_COORDINATE}"
                    ),
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
        if let Some(place) = source.vertices.iter().position(|at| !at.iter().all(|x| in_range(*x)))
        {
            return problem(
                self.to("mesh").then("vertices").at(place),
                WorldErrorKind::Value,
                format!("vertex {place} must have coordinates within ±{MAX_COORDINATE}"),
            );
        }
        TriangleMesh::new(source.vertices.clone(), source.triangles.clone())
            .map(drop)
            .map_err(|error| error.about(self.to("mesh")))
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

/// Whether the engine can place it; not-a-number compares as false.
fn in_range(coordinate: f32) -> bool {
    coordinate.abs() <= MAX_COORDINATE
}

fn problem(path: KeyPath, kind: WorldErrorKind, message: impl Into<String>) -> Checked {
    Err(WorldError::new(kind, message).about(path))
}

fn problem_advised(
    path: KeyPath,
    kind: WorldErrorKind,
    message: impl Into<String>,
    advice: impl Into<String>,
) -> Checked {
    Err(WorldError::new(kind, message).about(path).advise(advice))
}

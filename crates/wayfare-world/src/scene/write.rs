//! Scene to text: one line a waypoint, link or obstacle, so that differences read well.

use std::fmt::Write as _;

use wayfare::space::{Medium, NegativeCosts};

use crate::error::WorldError;
use crate::scene::document::{
    MeshSource, PlacementKind, QueryPlace, Rectangle, Scene, SceneObstacle, Surface,
};
use crate::scene::write_simulation::write_simulation;
use crate::terrain::{Terrain, show_color};

/// Writes a scene; reading the text back gives the same scene (meshes in files by their names).
///
/// Keys at their default are left out.
///
/// # Errors
/// As [`Scene::validate`]: an unsound scene is not written.
pub fn write(scene: &Scene) -> Result<String, WorldError> {
    scene.validate()?;
    let mut info = Fields::default();
    info.string("name", &scene.scene.name);
    if !scene.scene.description.is_empty() {
        info.string("description", &scene.scene.description);
    }
    if let Some(world) = &scene.scene.world {
        info.string("world", world);
    }
    if let Some(map) = &scene.scene.map {
        info.raw("map", rows(map));
    }
    let mut text = format!("scene = {}\n", info.table());
    if scene.costs.negative_costs == NegativeCosts::Shift {
        text.push_str("costs = { negative_costs = \"shift\" }\n");
    }
    list(&mut text, "terrains", scene.terrains.iter().map(terrain));
    list(&mut text, "surfaces", scene.surfaces.iter().map(surface));
    list(&mut text, "obstacles", scene.obstacles.iter().map(obstacle));
    if let Some(grid) = &scene.grid {
        let mut fields = Fields::default();
        fields.point("min", &grid.min);
        fields.point("max", &grid.max);
        fields.number("node_radius", grid.node_radius);
        if !grid.layers.is_empty() {
            let layers: Vec<_> = grid.layers.iter().map(|layer| quote(layer)).collect();
            fields.raw("layers", format!("[{}]", layers.join(", ")));
        }
        fields.number_unless("agent_height", grid.agent_height, 1.8);
        if grid.blur != 0 {
            fields.raw("blur", grid.blur.to_string());
        }
        let _ = write!(text, "\ngrid = {}\n", fields.table());
    }
    list(
        &mut text,
        "waypoints",
        scene.waypoints.iter().map(|waypoint| {
            let mut fields = Fields::default();
            fields.string("id", &waypoint.id);
            fields.point("at", &waypoint.at);
            if let Some(cost) = waypoint.cost {
                fields.number("cost", cost);
            }
            if let Some(terrain) = &waypoint.terrain {
                fields.string("terrain", terrain);
            }
            fields
        }),
    );
    list(
        &mut text,
        "placements",
        scene.placements.iter().map(|placement| {
            let mut fields = Fields::default();
            fields.raw("area", area(&placement.area));
            if placement.prefix != "p" {
                fields.string("prefix", &placement.prefix);
            }
            fields.number_unless("agent_radius", placement.agent_radius, 0.0);
            fields.raw("generate", placement_kind(placement.generate).table());
            fields
        }),
    );
    list(
        &mut text,
        "links",
        scene.links.iter().map(|link| {
            let mut fields = Fields::default();
            fields.string("from", &link.from);
            fields.string("to", &link.to);
            if link.one_way {
                fields.raw("one_way", true);
            }
            if let Some(cost) = link.cost {
                fields.number("cost", cost);
            }
            fields.number_unless("danger", link.danger, 0.0);
            fields
        }),
    );
    if let Some(auto) = &scene.auto_links {
        let mut fields = Fields::default();
        fields.number("max_distance", auto.max_distance);
        if let Some(k) = auto.k_nearest {
            fields.raw("k_nearest", k.to_string());
        }
        fields.number_unless("agent_radius", auto.agent_radius, 0.0);
        fields.number_unless("eye_height", auto.eye_height, 0.0);
        fields.number_unless("slope_cost", auto.slope_cost, 0.0);
        fields.number_unless("max_slope", auto.max_slope, 90.0);
        let _ = write!(text, "\nauto_links = {}\n", fields.table());
    }
    list(
        &mut text,
        "queries",
        scene.queries.iter().map(|query| {
            let mut fields = Fields::default();
            fields.string("name", &query.name);
            fields.place("from", &query.from);
            fields.place("to", &query.to);
            fields
        }),
    );
    write_simulation(scene, &mut text);
    Ok(text)
}

/// The fields of an inline table.
#[derive(Default)]
pub(super) struct Fields(Vec<String>);

impl Fields {
    pub(super) fn raw(&mut self, key: &str, value: impl std::fmt::Display) {
        self.0.push(format!("{key} = {value}"));
    }

    pub(super) fn string(&mut self, key: &str, value: &str) {
        self.raw(key, quote(value));
    }

    pub(super) fn number(&mut self, key: &str, value: f32) {
        self.raw(key, number(value));
    }

    pub(super) fn number_unless(&mut self, key: &str, value: f32, default: f32) {
        if value != default {
            self.number(key, value);
        }
    }

    fn point(&mut self, key: &str, value: &[f32]) {
        self.raw(key, numbers(value));
    }

    fn place(&mut self, key: &str, place: &QueryPlace) {
        match place {
            QueryPlace::Waypoint(id) => self.string(key, id),
            QueryPlace::Point(at) => self.point(key, at),
        }
    }

    fn mesh(&mut self, source: &MeshSource, offset: &[f32; 3]) {
        let mut fields = Fields::default();
        match &source.file {
            Some(file) => fields.string("file", file),
            None => {
                let vertices: Vec<_> = source.vertices.iter().map(|at| numbers(at)).collect();
                let triangles: Vec<_> =
                    source.triangles.iter().map(|corners| format!("{corners:?}")).collect();
                fields.raw("vertices", format!("[{}]", vertices.join(", ")));
                fields.raw("triangles", format!("[{}]", triangles.join(", ")));
            }
        }
        self.raw("mesh", fields.table());
        if *offset != [0.0; 3] {
            self.point("offset", offset);
        }
    }

    pub(super) fn table(&self) -> String {
        format!("{{ {} }}", self.0.join(", "))
    }
}

/// A list with one table a line; an empty one is left out.
pub(super) fn list(text: &mut String, key: &str, items: impl Iterator<Item = Fields>) {
    let mut items = items.peekable();
    if items.peek().is_none() {
        return;
    }
    // Writing to a String cannot fail.
    let _ = writeln!(text, "\n{key} = [");
    for item in items {
        let _ = writeln!(text, "  {},", item.table());
    }
    text.push_str("]\n");
}

fn terrain(terrain: &Terrain) -> Fields {
    let mut fields = Fields::default();
    fields.string("name", &terrain.name);
    fields.string("glyph", &terrain.glyph.to_string());
    fields.string("color", &show_color(terrain.color));
    fields.number_unless("multiplier", terrain.multiplier, 1.0);
    fields.number_unless("penalty", terrain.penalty, 0.0);
    if !terrain.walkable {
        fields.raw("walkable", false);
    }
    if terrain.medium != Medium::GROUND {
        fields.raw("medium", terrain.medium.0.to_string());
    }
    fields
}

fn obstacle(obstacle: &SceneObstacle) -> Fields {
    let mut fields = Fields::default();
    match obstacle {
        SceneObstacle::Box { center, half_extents, yaw } => {
            fields.string("shape", "box");
            fields.point("center", center);
            fields.point("half_extents", half_extents);
            fields.number_unless("yaw", *yaw, 0.0);
        }
        SceneObstacle::Sphere { center, radius } => {
            fields.string("shape", "sphere");
            fields.point("center", center);
            fields.number("radius", *radius);
        }
        SceneObstacle::Cylinder { center, radius, half_height } => {
            fields.string("shape", "cylinder");
            fields.point("center", center);
            fields.number("radius", *radius);
            fields.number("half_height", *half_height);
        }
        SceneObstacle::Mesh { mesh, offset } => {
            fields.string("shape", "mesh");
            fields.mesh(mesh, offset);
        }
    }
    fields
}

fn surface(surface: &Surface) -> Fields {
    let mut fields = Fields::default();
    match surface {
        Surface::Rectangle { layer, min, max, y } => {
            fields.string("shape", "rectangle");
            fields.string("layer", layer);
            fields.point("min", min);
            fields.point("max", max);
            fields.number("y", *y);
        }
        Surface::Heightfield { layer, origin, spacing, heights } => {
            fields.string("shape", "heightfield");
            fields.string("layer", layer);
            fields.point("origin", origin);
            fields.number("spacing", *spacing);
            let rows: Vec<_> =
                heights.iter().map(|row| format!("    {},\n", numbers(row))).collect();
            fields.raw("heights", format!("[\n{}  ]", rows.concat()));
        }
        Surface::Mesh { layer, mesh, offset } => {
            fields.string("shape", "mesh");
            fields.string("layer", layer);
            fields.mesh(mesh, offset);
        }
    }
    fields
}

fn placement_kind(kind: PlacementKind) -> Fields {
    let mut fields = Fields::default();
    let mut seed = None;
    match kind {
        PlacementKind::Random { count, seed: with } => {
            fields.string("kind", "random");
            fields.raw("count", count.to_string());
            seed = Some(with);
        }
        PlacementKind::Poisson { spacing, seed: with } => {
            fields.string("kind", "poisson");
            fields.number("spacing", spacing);
            seed = Some(with);
        }
        PlacementKind::Grid { spacing } => {
            fields.string("kind", "grid");
            fields.number("spacing", spacing);
        }
        PlacementKind::Corners => fields.string("kind", "corners"),
    }
    if let Some(seed) = seed.filter(|seed| *seed != 0) {
        fields.raw("seed", seed.to_string());
    }
    fields
}

pub(super) fn area(area: &Rectangle) -> String {
    format!("{{ min = {}, max = {} }}", numbers(&area.min), numbers(&area.max))
}

pub(super) fn numbers(values: &[f32]) -> String {
    let values: Vec<_> = values.iter().map(|value| number(*value)).collect();
    format!("[{}]", values.join(", "))
}

/// The shortest digits that read back as the same number; whole numbers without a point.
fn number(value: f32) -> String {
    if value == 0.0 { "0".to_string() } else { exact(value) }
}

/// Whole numbers that are too large for a TOML integer keep their point.
fn exact(value: f32) -> String {
    if value.abs() < 1e15 { format!("{value}") } else { format!("{value:?}") }
}

/// A text of several lines as one reads it.
fn rows(text: &str) -> String {
    if text.chars().any(|character| character.is_control() && character != '\n') {
        return quote(text);
    }
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"\"\"\n{text}\"\"\"")
}

pub(super) fn quote(text: &str) -> String {
    toml::Value::String(text.to_string()).to_string()
}

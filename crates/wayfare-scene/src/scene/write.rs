//! Scene to text: one line a waypoint, link or obstacle, so that differences read well.

use serde::Serialize;
use toml_edit::ser::ValueSerializer;
use toml_edit::visit_mut::{VisitMut, visit_value_mut};
use toml_edit::{Array, Value};
use wayfare_formats::{WorldError, WorldErrorKind};

use crate::scene::spelling::is_default;
use crate::scene::{CostRules, GroundChange, Scene, SceneInfo};

/// Writes a scene; reading the text back gives the same scene (meshes in files by their names).
///
/// Keys at their default are left out. One item is in memory at a time, beside the text.
///
/// ```
/// use wayfare_scene::scene::{self, Scene};
///
/// assert_eq!(scene::write(&Scene::new("empty"))?, "scene = { name = \"empty\" }\n");
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
///
/// # Errors
/// As [`Scene::validate`]: an unsound scene is not written.
pub fn write(scene: &Scene) -> Result<String, WorldError> {
    scene.validate()?;
    let Scene {
        scene: info,
        costs,
        terrains,
        obstacles,
        surfaces,
        grid,
        navmesh,
        waypoints,
        placements,
        links,
        auto_links,
        queries,
        simulation,
        places,
        classes,
        agents,
        groups,
        nav_links,
        puzzles,
        dangers,
        clips,
        events,
    } = scene;
    let mut text = Text::beginning_with(info, costs)?;
    text.list("terrains", terrains)?;
    text.list("surfaces", surfaces)?;
    text.list("obstacles", obstacles)?;
    text.table("grid", grid.as_ref())?;
    text.table("navmesh", navmesh.as_ref())?;
    text.list("waypoints", waypoints)?;
    text.list("placements", placements)?;
    text.list("links", links)?;
    text.table("auto_links", auto_links.as_ref())?;
    text.list("queries", queries)?;
    text.table("simulation", simulation.as_ref())?;
    text.list("places", places)?;
    text.list("classes", classes)?;
    text.list("nav_links", nav_links)?;
    text.list("agents", agents)?;
    text.list("groups", groups)?;
    text.list("puzzles", puzzles)?;
    text.list("dangers", dangers)?;
    text.list("clips", clips)?;
    text.list("events", events)?;
    Ok(text.0)
}

/// Writes a change of ground, as a scene's event names it. [`read_change`](super::read_change)
/// reads it.
///
/// ```
/// use wayfare_scene::scene::{GroundChange, Spot, write_change};
///
/// let change = GroundChange { map: "#.#".into(), entry: Spot::Cell([0, 0]), ..Default::default() };
/// let text = write_change(&change)?;
/// assert_eq!(text, "replace = { corner = [0, 0], map = \"#.#\", entry = [0, 0] }\n");
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
///
/// # Errors
/// A number that TOML cannot hold.
pub fn write_change(change: &GroundChange) -> Result<String, WorldError> {
    Ok(format!("replace = {}\n", value(change)?))
}

struct Text(String);

impl Text {
    fn beginning_with(info: &SceneInfo, costs: &CostRules) -> Result<Self, WorldError> {
        let mut text = format!("scene = {}\n", value(info)?);
        if !is_default(costs) {
            text.push_str(&format!("costs = {}\n", value(costs)?));
        }
        Ok(Self(text))
    }

    fn table(&mut self, key: &str, table: Option<&impl Serialize>) -> Result<(), WorldError> {
        if let Some(table) = table {
            self.0.push_str(&format!("\n{key} = {}\n", value(table)?));
        }
        Ok(())
    }

    /// Writes one table a line.
    fn list(&mut self, key: &str, items: &[impl Serialize]) -> Result<(), WorldError> {
        if items.is_empty() {
            return Ok(());
        }
        self.0.push_str(&format!("\n{key} = [\n"));
        for item in items {
            self.0.push_str(&format!("  {},\n", value(item)?));
        }
        self.0.push_str("]\n");
        Ok(())
    }
}

fn value(item: &impl Serialize) -> Result<Value, WorldError> {
    let mut value = item.serialize(ValueSerializer::new()).map_err(|error| {
        WorldError::new(WorldErrorKind::NotRepresentable, error.to_string().trim())
    })?;
    Layout.visit_value_mut(&mut value);
    Ok(value)
}

/// Floats with no more digits than they need, and the rows of a heightfield on lines of their own.
struct Layout;

impl VisitMut for Layout {
    fn visit_value_mut(&mut self, value: &mut Value) {
        if let Value::Float(number) = value {
            *value = shortest(*number.value());
        }
        visit_value_mut(self, value);
        let table = value.as_inline_table_mut();
        if let Some(rows) = table.and_then(|table| table.get_mut("heights")?.as_array_mut()) {
            one_a_line(rows);
        }
    }
}

/// Returns a float of single precision in the fewest digits that read back as the same; integers
/// without a point, within the range where TOML's integers are exact.
fn shortest(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        return Value::from(number as i64);
    }
    let digits = (number as f32).to_string();
    Value::from(digits.parse().unwrap_or(number))
}

fn one_a_line(rows: &mut Array) {
    for row in rows.iter_mut() {
        row.decor_mut().set_prefix("\n    ");
    }
    rows.set_trailing_comma(true);
    rows.set_trailing("\n  ");
}

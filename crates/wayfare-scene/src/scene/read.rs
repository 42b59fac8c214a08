//! Text to scene.

use serde::Deserialize;
use wayfare_formats::inside::{TomlFault, location, read_toml, utf8};
use wayfare_formats::{Location, WorldError, WorldErrorKind};

use crate::found::Found;
use crate::scene::{GroundChange, Scene};

/// Reads a scene. Meshes in files stay names until [`Scene::load_meshes`];
/// [`read_path`](crate::read_path) does that too.
///
/// ```
/// use wayfare_scene::scene;
///
/// let error = scene::read(b"scene = { name = \"s\" }\ngrit = 1\n").expect_err("a typing mistake");
/// assert!(error.to_string().starts_with("2:1: unknown field `grit`"));
/// ```
///
/// # Errors
/// With line and column: malformed TOML, a key that is unknown or missing, and all that
/// [`Scene::validate`] finds.
pub fn read(bytes: &[u8]) -> Result<Scene, WorldError> {
    let text = utf8(bytes)?;
    let scene: Scene = read_toml(text).map_err(|fault| syntax(text, fault))?;
    scene.validate().map_err(|error| error.found_within(text))?;
    Ok(scene)
}

/// Reads a change of ground: the text of [`write_change`](super::write_change).
///
/// ```
/// use wayfare_scene::scene::{GroundChange, Spot, read_change, write_change};
///
/// let change = GroundChange { map: "#.#".into(), entry: Spot::Cell([0, 0]), ..Default::default() };
/// assert_eq!(read_change(&write_change(&change)?)?, change);
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
///
/// # Errors
/// With line and column: malformed TOML, and a key that is unknown or missing.
pub fn read_change(text: &str) -> Result<GroundChange, WorldError> {
    let Change { replace } = read_toml(text).map_err(|fault| syntax(text, fault))?;
    Ok(replace)
}

/// The text of a change of ground: the key of a scene's event.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    replace: GroundChange,
}

fn syntax(text: &str, fault: TomlFault) -> WorldError {
    let at = fault.span.map_or(Location::File, |span| location(text, span.start));
    let message = fault.message.trim().replace('\n', " ");
    let is_no_scene = message == "missing field `scene`";
    let error = WorldError::new(WorldErrorKind::Syntax, message).at(at);
    if is_no_scene {
        return error.advise("a scene begins with scene = { name = \"…\" }");
    }
    error
}

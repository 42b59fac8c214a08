//! Text to scene.

use crate::error::{Location, WorldError, WorldErrorKind};
use crate::scene::Scene;
use crate::text::{location, utf8};

/// Reads a scene. Meshes in files stay names until [`Scene::load_meshes`];
/// [`read_path`](crate::read_path) does that too.
///
/// # Errors
/// With line and column: malformed TOML, a key that is unknown or missing, and all that
/// [`Scene::validate`] finds.
pub fn read(bytes: &[u8]) -> Result<Scene, WorldError> {
    let text = utf8(bytes)?;
    let scene: Scene = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(Location::File, |span| location(text, span.start));
        WorldError::new(WorldErrorKind::Syntax, error.message().trim().replace('\n', " ")).at(at)
    })?;
    scene.validate().map_err(|error| error.found_within(text))?;
    for (path, source) in scene.mesh_sources() {
        if source.file.is_some() && !source.vertices.is_empty() {
            return Err(WorldError::new(
                WorldErrorKind::Duplicate,
                "this mesh is both in a file and written out",
            )
            .about(path)
            .found_in(text)
            .advise("keep one of 'file' and 'vertices'"));
        }
    }
    Ok(scene)
}

//! Whether what a scene says of the world that it plays in is sound.

use crate::ascii;
use crate::error::WorldErrorKind;
use crate::key_path::KeyPath;
use crate::scene::document::Scene;
use crate::scene::way::{Checked, Way, problem, problem_advised};

/// A scene has one world: its own tables, a map written out, or a file beside it.
pub(super) fn check_world(scene: &Scene) -> Checked {
    let at = Way(KeyPath::key("scene"));
    let elsewhere = match (&scene.scene.world, &scene.scene.map) {
        (None, None) => return Ok(()),
        (Some(_), Some(_)) => {
            return problem(
                at.to("map"),
                WorldErrorKind::Duplicate,
                "the scene has both a 'map' and a 'world'",
            );
        }
        (Some(file), None) => {
            at.file("world", "world", file)?;
            if file.to_ascii_lowercase().ends_with(".toml") {
                return problem_advised(
                    at.to("world"),
                    WorldErrorKind::Value,
                    format!("'{file}' is a scene itself"),
                    "name a tile map or a world of blocks",
                );
            }
            "world"
        }
        (None, Some(text)) => {
            if let Err(error) = ascii::read_with(text.as_bytes(), "", &scene.terrains) {
                return Err(error.about(at.to("map")));
            }
            "map"
        }
    };
    let own = [
        ("terrains", elsewhere == "world" && !scene.terrains.is_empty()),
        ("obstacles", !scene.obstacles.is_empty()),
        ("surfaces", !scene.surfaces.is_empty()),
        ("grid", scene.grid.is_some()),
        ("waypoints", !scene.waypoints.is_empty()),
        ("placements", !scene.placements.is_empty()),
        ("links", !scene.links.is_empty()),
        ("auto_links", scene.auto_links.is_some()),
        ("queries", !scene.queries.is_empty()),
    ];
    match own.into_iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((table, _)) => problem_advised(
            KeyPath::key(table),
            WorldErrorKind::Value,
            format!("'{table}' are of no use in a scene whose world is its '{elsewhere}'"),
            "remove one of the two",
        ),
    }
}

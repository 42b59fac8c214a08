//! From a file to a site.

use std::borrow::Cow;
use std::path::Path;

use wayfare_world::{World, read_path};

use super::grid::GridSite;
use super::traits::Site;
use crate::args::MovementArgs;
use crate::failure::Failure;

/// Reads a world file.
pub(crate) fn read(file: &Path) -> Result<World, Failure> {
    Ok(read_path(file)?)
}

/// Reads a world file and builds its space.
pub(crate) fn open(file: &Path, movement: &MovementArgs) -> Result<Box<dyn Site>, Failure> {
    build(file, read(file)?, movement)
}

/// The space of a world.
pub(crate) fn build(
    file: &Path,
    world: World,
    movement: &MovementArgs,
) -> Result<Box<dyn Site>, Failure> {
    match world {
        World::TileMap(map) => Ok(Box::new(GridSite::new(file, Cow::Owned(map), movement)?)),
        World::Scenario(_) => Err(Failure::Usage(format!(
            "{0} holds queries, not a world: run them all with `wayfare bench {0}`",
            file.display()
        ))),
        World::Mesh(_) => Err(Failure::Unsearchable {
            path: file.to_path_buf(),
            problem: "a mesh alone is not a world to walk in; name it in a scene (.toml)"
                .to_owned(),
        }),
        _ => Err(Failure::Unsearchable {
            path: file.to_path_buf(),
            problem: "this kind of world cannot be searched".to_owned(),
        }),
    }
}

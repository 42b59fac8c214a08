//! From a file to a site.

use std::path::Path;

use wayfare_world::{Playable, World, read_path};

use super::grid::GridSite;
use super::traits::Site;
use super::waypoints::WaypointSite;
use crate::args::MovementArgs;
use crate::failure::Failure;

/// Reads a world file.
pub(crate) fn read(file: &Path) -> Result<World, Failure> {
    Ok(read_path(file)?)
}

/// Reads a world file and builds its space.
pub(crate) fn open(file: &Path, movement: &MovementArgs) -> Result<Box<dyn Site>, Failure> {
    if file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("scen")) {
        let file = file.display();
        return Err(Failure::Usage(format!(
            "{file} holds queries, not a world: open its map, or run them all with `wayfare bench {file}`"
        )));
    }
    site(file, Playable::open(file, &movement.movement())?, movement)
}

/// The space of a world that was read.
pub(crate) fn build(
    file: &Path,
    world: World,
    movement: &MovementArgs,
) -> Result<Box<dyn Site>, Failure> {
    let playable = Playable::new(world, &movement.movement());
    let playable = playable.map_err(|error| Failure::Unsearchable {
        path: file.to_path_buf(),
        problem: error.to_string(),
    })?;
    site(file, playable, movement)
}

fn site(file: &Path, world: Playable, movement: &MovementArgs) -> Result<Box<dyn Site>, Failure> {
    match world {
        Playable::Grid(world) => Ok(Box::new(GridSite::new(file, world))),
        Playable::Waypoints(_) if movement.is_given() => Err(Failure::Usage(format!(
            "{} is a scene of waypoints, whose links say how one moves: --neighbours, --corners and --width are for grids",
            file.display()
        ))),
        Playable::Waypoints(world) => Ok(Box::new(WaypointSite::new(file, world))),
    }
}

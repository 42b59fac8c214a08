//! From a file to a site.

use std::path::Path;

use wayfare_draw::{DrawError, Scenery, Theme};
use wayfare_world::heightmap::HeightmapOptions;
use wayfare_world::{Playable, World, read_path_with};

use super::grid::GridSite;
use super::traits::{Site, View};
use super::voxels::VoxelSite;
use super::waypoints::WaypointSite;
use crate::args::MovementArgs;
use crate::failure::Failure;

/// Reads a world file; a heightmap becomes a world as told.
pub(crate) fn read(file: &Path, heights: HeightmapOptions) -> Result<World, Failure> {
    Ok(read_path_with(file, heights)?)
}

/// Reads a world file and builds its space.
pub(crate) fn open(file: &Path, movement: &MovementArgs) -> Result<Box<dyn Site>, Failure> {
    if has_extension(file, &["scen", "3dscen"]) {
        let file = file.display();
        return Err(Failure::Usage(format!(
            "{file} holds queries, not a world: open its map, or run them all with `wayfare bench {file}`"
        )));
    }
    if is_of_blocks(file) {
        return build(file, read(file, movement.heightmap())?, movement);
    }
    if has_extension(file, &["toml"])
        && let World::Scene(scene) = read(file, movement.heightmap())?
        && let Some(beside) = scene.world_beside(file)?
        && is_of_blocks(&beside)
    {
        return open(&beside, movement);
    }
    site(file, Playable::open(file, &movement.movement())?, movement)
}

fn is_of_blocks(file: &Path) -> bool {
    let is_heightmap =
        file.file_stem().is_some_and(|stem| has_extension(Path::new(stem), &["height"]));
    is_heightmap || has_extension(file, &["voxels", "3dmap", "vox", "schem"])
}

/// A world to be drawn with nothing of it cut away.
pub(crate) fn whole_scenery<'s>(
    site: &'s dyn Site,
    theme: &Theme,
) -> Result<Box<dyn Scenery + 's>, DrawError> {
    let view = View {
        layers: false,
        in_terminal: false,
        cut_above: None,
        heat: false,
        rooms: false,
        path: &[],
    };
    site.scenery(theme, &view)
}

fn has_extension(file: &Path, known: &[&str]) -> bool {
    let extension = file.extension().unwrap_or_default();
    known.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// The space of a world that was read.
pub(crate) fn build(
    file: &Path,
    world: World,
    movement: &MovementArgs,
) -> Result<Box<dyn Site>, Failure> {
    if let World::Voxels(world) = &world {
        if movement.is_for_grids_alone() {
            return Err(Failure::Usage(format!(
                "{} is a world of blocks: --neighbours and --corners are for grids",
                file.display()
            )));
        }
        return Ok(Box::new(VoxelSite::new(file, world, movement.voxel_profile())?));
    }
    let playable = Playable::new(world, &movement.movement());
    let playable = playable.map_err(|error| Failure::Unsearchable {
        path: file.to_path_buf(),
        problem: error.to_string(),
    })?;
    site(file, playable, movement)
}

fn site(file: &Path, world: Playable, movement: &MovementArgs) -> Result<Box<dyn Site>, Failure> {
    if movement.is_for_voxels() {
        return Err(Failure::Usage(format!(
            "{} is no world of blocks: --abilities and its like are for voxel worlds",
            file.display()
        )));
    }
    match world {
        Playable::Grid(world) => Ok(Box::new(GridSite::new(file, world))),
        Playable::Waypoints(_) if movement.is_for_grids() => Err(Failure::Usage(format!(
            "{} is a scene of waypoints, whose links say how one moves: --neighbours, --corners and --width are for grids",
            file.display()
        ))),
        Playable::Waypoints(world) => Ok(Box::new(WaypointSite::new(file, world))),
    }
}

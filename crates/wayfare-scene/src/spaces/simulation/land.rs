//! The places of a scene in its world: cells, points, waypoints and names.

use glam::Vec3;
use wayfare_core::space::{Space, StateId};
use wayfare_formats::inside::KeyPath;
use wayfare_formats::{WorldError, WorldErrorKind};
use wayfare_grid::grid::Grid;
use wayfare_grid::waypoint::{WaypointGraph, WaypointId};
use wayfare_voxel::VoxelGrid;

use crate::scene::{Scene, Spot};

/// The points of a world that scenes name. Behind virtual calls, so that what reads a scene is
/// compiled once for all worlds.
pub(in crate::spaces) trait Land {
    /// Returns the middle of a cell; `None` off the map.
    ///
    /// # Errors
    /// Where the world is not made of cells.
    fn cell(&self, cell: [u32; 2]) -> Result<Option<Vec3>, WorldError>;

    /// Returns the point that stands for a point of the scene.
    fn settle(&self, point: Vec3) -> Vec3 {
        point
    }

    /// Returns where a waypoint is.
    fn waypoint(&self, _id: &str) -> Option<Vec3> {
        None
    }
}

impl Land for Grid {
    fn cell(&self, [column, row]: [u32; 2]) -> Result<Option<Vec3>, WorldError> {
        Ok(Grid::cell(self, column, row).map(|cell| self.centre(cell)))
    }
}

impl Land for WaypointGraph {
    fn cell(&self, _cell: [u32; 2]) -> Result<Option<Vec3>, WorldError> {
        Err(no_cells("a world of waypoints"))
    }

    fn waypoint(&self, id: &str) -> Option<Vec3> {
        let named = |state: &u32| self.name(WaypointId::from_index(*state)) == Some(id);
        let found = (0..self.state_bound() as u32).find(named)?;
        Some(Space::position(self, WaypointId::from_index(found)))
    }
}

impl Land for VoxelGrid {
    fn cell(&self, _cell: [u32; 2]) -> Result<Option<Vec3>, WorldError> {
        Err(no_cells("a world of blocks"))
    }

    /// Returns the middle of its block.
    fn settle(&self, point: Vec3) -> Vec3 {
        self.voxel_at(point).map_or(point, |voxel| self.centre(voxel))
    }
}

/// Returns where a spot of the scene is.
pub(in crate::spaces) fn point(
    world: &dyn Land,
    scene: &Scene,
    spot: &Spot,
    at: KeyPath,
) -> Result<Vec3, WorldError> {
    unsettled(world, scene, spot, at).map(|point| world.settle(point))
}

/// Returns the point that a spot of the scene names.
pub(super) fn unsettled(
    world: &dyn Land,
    scene: &Scene,
    spot: &Spot,
    at: KeyPath,
) -> Result<Vec3, WorldError> {
    match spot {
        Spot::Point(point) => Ok(Vec3::from(*point)),
        Spot::Cell([column, row]) => {
            let cell = world.cell([*column, *row]).map_err(|error| error.about(at.clone()))?;
            cell.ok_or_else(|| {
                let message = format!("the cell [{column}, {row}] lies off the map");
                WorldError::new(WorldErrorKind::Value, message).about(at)
            })
        }
        Spot::Named(name) => {
            if let Some(index) = scene.places.iter().position(|place| place.name == *name) {
                let path = KeyPath::item("places", index).then("at");
                return match &scene.places[index].at {
                    Spot::Named(_) => Err(unknown(name).about(path)),
                    spot => unsettled(world, scene, spot, path),
                };
            }
            world.waypoint(name).ok_or_else(|| unknown(name).about(at))
        }
    }
}

fn unknown(name: &str) -> WorldError {
    WorldError::new(WorldErrorKind::Dangling, format!("there is no place or waypoint '{name}'"))
}

pub(super) fn no_cells(world: &str) -> WorldError {
    WorldError::new(WorldErrorKind::Value, format!("{world} has no cells"))
        .advise("write a point [x, y, z], or a name")
}

/// Returns where the spots of a list are; `path`: the list.
pub(super) fn points(
    world: &dyn Land,
    scene: &Scene,
    spots: &[Spot],
    path: &KeyPath,
) -> Result<Vec<Vec3>, WorldError> {
    let numbered = spots.iter().enumerate();
    numbered.map(|(number, spot)| point(world, scene, spot, path.clone().at(number))).collect()
}

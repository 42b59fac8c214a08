//! What the kinds of worlds have in common where a scene is staged in them.

use glam::Vec3;
use wayfare::simulation::Environment;
use wayfare::space::voxel::Abilities;
use wayfare::space::{
    CostTable, Grid, GridProfile, ProfileId, Space, StateId, TerrainCost, VoxelGrid, VoxelProfile,
    WaypointGraph, WaypointId,
};

use crate::error::{WorldError, WorldErrorKind};
use crate::key_path::KeyPath;
use crate::scene::{Ability, AgentClass, Scene, Spot};
use crate::terrain::{Terrain, terrain_id};

/// A world that scenes are staged in.
pub(super) trait Setting: Environment {
    /// The profile of a class, in a world of these terrains.
    fn add_class(
        &mut self,
        class: &AgentClass,
        terrains: &[Terrain],
        at: KeyPath,
    ) -> Result<ProfileId, WorldError>;

    /// The middle of a cell; `None` off the map.
    ///
    /// # Errors
    /// Where the world is not made of cells.
    fn cell(&self, cell: [u32; 2]) -> Result<Option<Vec3>, WorldError>;

    /// The point that stands for a point of the scene.
    fn settle(&self, point: Vec3) -> Vec3 {
        point
    }

    /// Where a waypoint is.
    fn waypoint(&self, _id: &str) -> Option<Vec3> {
        None
    }
}

/// Where a spot of the scene is.
pub(super) fn point<W: Setting>(
    world: &W,
    scene: &Scene,
    spot: &Spot,
    at: KeyPath,
) -> Result<Vec3, WorldError> {
    match spot {
        Spot::Point(point) => Ok(world.settle(Vec3::from(*point))),
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
                    spot => self::point(world, scene, spot, path),
                };
            }
            world.waypoint(name).ok_or_else(|| unknown(name).about(at))
        }
    }
}

fn unknown(name: &str) -> WorldError {
    WorldError::new(WorldErrorKind::Dangling, format!("there is no place or waypoint '{name}'"))
}

fn no_cells(world: &str) -> WorldError {
    WorldError::new(WorldErrorKind::Value, format!("{world} has no cells"))
        .advise("write a point [x, y, z], or a name")
}

/// Refuses what a class says that means nothing in a world.
fn refuse(world: &str, said: &[(&'static str, bool)], at: &KeyPath) -> Result<(), WorldError> {
    match said.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((key, _)) => {
            let message = format!("'{key}' means nothing in {world}");
            Err(WorldError::new(WorldErrorKind::Value, message).about(at.clone().then(key)))
        }
    }
}

fn of_grids(class: &AgentClass) -> [(&'static str, bool); 2] {
    [("neighbours", class.neighbours.is_some()), ("corners", class.corners.is_some())]
}

fn of_terrains(class: &AgentClass) -> (&'static str, bool) {
    ("terrains", !class.terrains.is_empty())
}

/// What the terrains of a world cost a class, where all others pay `usual`.
fn costs_to(
    class: &AgentClass,
    terrains: &[Terrain],
    usual: CostTable,
    at: &KeyPath,
) -> Result<CostTable, WorldError> {
    let mut costs = usual;
    for (number, own) in class.terrains.iter().enumerate() {
        let path = || at.clone().then("terrains").at(number);
        let named = terrains.iter().position(|terrain| terrain.name == own.terrain);
        let Some((place, id)) = named.and_then(|place| Some((place, terrain_id(place)?))) else {
            let message = format!("the world has no terrain '{}'", own.terrain);
            let known: Vec<_> = terrains.iter().map(|terrain| terrain.name.as_str()).collect();
            return Err(WorldError::new(WorldErrorKind::Dangling, message)
                .about(path().then("terrain"))
                .advise(format!("known are {}", known.join(", "))));
        };
        let mut terrain = terrains[place].clone();
        terrain.multiplier = own.multiplier.unwrap_or(terrain.multiplier);
        terrain.penalty = own.penalty.unwrap_or(terrain.penalty);
        terrain.walkable = own.walkable.unwrap_or(terrain.walkable);
        if let Some((key, message)) = terrain.problem() {
            return Err(WorldError::new(WorldErrorKind::Value, message).about(path().then(key)));
        }
        let Terrain { multiplier, penalty, medium, walkable, .. } = terrain;
        costs = match walkable {
            true => costs.with(id, TerrainCost { multiplier, penalty, medium }),
            false => costs.without(id),
        };
    }
    Ok(costs)
}

fn of_voxels(class: &AgentClass) -> [(&'static str, bool); 5] {
    [
        ("abilities", class.abilities.is_some()),
        ("jump_height", class.jump_height.is_some()),
        ("jump_distance", class.jump_distance.is_some()),
        ("max_fall", class.max_fall.is_some()),
        ("height", class.height.is_some()),
    ]
}

impl Setting for Grid {
    fn add_class(
        &mut self,
        class: &AgentClass,
        terrains: &[Terrain],
        at: KeyPath,
    ) -> Result<ProfileId, WorldError> {
        refuse("a grid", &of_voxels(class), &at)?;
        let first = self.profiles().next().unwrap_or_default();
        let plain = self.profile(first).cloned().unwrap_or_default();
        let profile = GridProfile {
            costs: costs_to(class, terrains, plain.costs.clone(), &at)?,
            width: class.width.unwrap_or(plain.width),
            neighbours: class.neighbours.unwrap_or(plain.neighbours),
            corners: class.corners.unwrap_or(plain.corners),
            ..plain
        };
        self.add_profile(profile)
            .map_err(|error| WorldError::new(WorldErrorKind::Value, error.to_string()).about(at))
    }

    fn cell(&self, [column, row]: [u32; 2]) -> Result<Option<Vec3>, WorldError> {
        Ok(Grid::cell(self, column, row).map(|cell| self.centre(cell)))
    }
}

impl Setting for WaypointGraph {
    fn add_class(
        &mut self,
        class: &AgentClass,
        _terrains: &[Terrain],
        at: KeyPath,
    ) -> Result<ProfileId, WorldError> {
        refuse("a world of waypoints", &[of_terrains(class)], &at)?;
        refuse("a world of waypoints", &[("width", class.width.is_some())], &at)?;
        refuse("a world of waypoints", &of_grids(class), &at)?;
        refuse("a world of waypoints", &of_voxels(class), &at)?;
        Ok(ProfileId::default())
    }

    fn cell(&self, _cell: [u32; 2]) -> Result<Option<Vec3>, WorldError> {
        Err(no_cells("a world of waypoints"))
    }

    fn waypoint(&self, id: &str) -> Option<Vec3> {
        let named = |state: &u32| self.name(WaypointId::from_index(*state)) == Some(id);
        let found = (0..self.state_bound() as u32).find(named)?;
        Some(Space::position(self, WaypointId::from_index(found)))
    }
}

impl Setting for VoxelGrid {
    fn add_class(
        &mut self,
        class: &AgentClass,
        _terrains: &[Terrain],
        at: KeyPath,
    ) -> Result<ProfileId, WorldError> {
        refuse("a world of blocks", &of_grids(class), &at)?;
        refuse("a world of blocks", &[of_terrains(class)], &at)?;
        let plain = VoxelProfile::default();
        let profile = VoxelProfile {
            abilities: class.abilities.as_deref().map_or(plain.abilities, together),
            jump_height: class.jump_height.unwrap_or(plain.jump_height),
            jump_distance: class.jump_distance.unwrap_or(plain.jump_distance),
            max_fall_distance: class.max_fall.unwrap_or(plain.max_fall_distance),
            height: class.height.unwrap_or(plain.height),
            width: class.width.unwrap_or(plain.width),
            ..plain
        };
        self.add_profile(profile)
            .map_err(|error| WorldError::new(WorldErrorKind::Value, error.to_string()).about(at))
    }

    fn cell(&self, _cell: [u32; 2]) -> Result<Option<Vec3>, WorldError> {
        Err(no_cells("a world of blocks"))
    }

    /// The middle of its block.
    fn settle(&self, point: Vec3) -> Vec3 {
        self.voxel_at(point).map_or(point, |voxel| self.centre(voxel))
    }
}

fn together(list: &[Ability]) -> Abilities {
    let mut able = Abilities::NONE;
    for ability in list {
        *match ability {
            Ability::Walk => &mut able.walk,
            Ability::Jump => &mut able.jump,
            Ability::Fall => &mut able.fall,
            Ability::Swim => &mut able.swim,
            Ability::Climb => &mut able.climb,
            Ability::Fly => &mut able.fly,
        } = true;
    }
    able
}

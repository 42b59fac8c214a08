//! The common part of all kinds of worlds that a scene is staged in.

use glam::Vec3;
use wayfare_core::link::{Crossing, NavLink, NavLinkError};
use wayfare_core::space::{CostTable, Obstruction, ProfileId, TerrainCost, TerrainId};
use wayfare_formats::inside::{KeyPath, terrain_id};
use wayfare_formats::{Terrain, WorldError, WorldErrorKind};
use wayfare_grid::grid::{Grid, GridProfile};
use wayfare_grid::waypoint::WaypointGraph;
use wayfare_sim::simulation::{
    BlockEdit, Editable, Environment, GridEdit, GroundId, GroundSpeeds, Simulation, WaypointEdit,
};
use wayfare_voxel::{Abilities, VoxelGrid, VoxelProfile};

use super::land::Land;
use super::staged::StagedGround;
use crate::scene::{Ability, AgentClass, CostChange, GroundChange, Rectangle, Scene, SceneTimes};
use crate::spaces::puzzles::{StagedPuzzle, no_grid};

/// A part of a world that is replaced.
pub(in crate::spaces) struct Replacement<Edit> {
    pub(super) edit: Edit,
    /// Its look: stretches of equal cells.
    pub(super) grounds: Vec<StagedGround>,
}

/// A world that scenes are staged in.
pub(in crate::spaces) trait Setting: Environment + Land {
    /// Adds the profile of a class of a scene, in a world of these terrains.
    fn add_class(
        &mut self,
        scene: &Scene,
        class: &AgentClass,
        terrains: &[Terrain],
        at: KeyPath,
    ) -> Result<ProfileId, WorldError>;

    /// Adds the profile of agents without a class. Default: the first one.
    fn add_plain_class(&mut self, _scene: &Scene) -> Result<ProfileId, WorldError> {
        Ok(ProfileId::default())
    }

    /// Returns the ground of a terrain, by which speeds differ. Default: `None`, where bodies do
    /// not know their ground.
    fn ground_of(&self, _scene: &Scene, _terrain: &str, _terrains: &[Terrain]) -> Option<GroundId> {
        None
    }

    /// Returns the edit by which a terrain becomes something else to the agents of a profile.
    ///
    /// # Errors
    /// Where terrains of the world mean nothing to agents.
    fn cost_edit(
        &self,
        profile: ProfileId,
        change: &CostChange,
        terrains: &[Terrain],
        at: KeyPath,
    ) -> Result<Self::Edit, WorldError>;

    /// Returns the edit by which a part of a grid is replaced. Default: there are no cells.
    ///
    /// # Errors
    /// Where the world is not made of cells, the part reaches beyond it, or a character stands for
    /// no terrain.
    fn ground_edit(
        &self,
        _change: &GroundChange,
        _terrains: &[Terrain],
        at: KeyPath,
    ) -> Result<Replacement<Self::Edit>, WorldError> {
        let message = "'replace' means nothing in a world without cells";
        Err(WorldError::new(WorldErrorKind::Value, message).about(at))
    }

    /// Returns the world of a simulation without its obstacles. Default: `None`, where there are no
    /// puzzles.
    fn bare(_simulation: &Simulation<Self>) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Returns the world after an edit. Default: `None`, where there are no puzzles.
    fn edited(&self, _edit: &Self::Edit) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Returns the puzzles of a scene. Default: none, and refused where the scene has some.
    ///
    /// # Errors
    /// When the world is no grid, or a puzzle is not sound.
    fn puzzles(&self, scene: &Scene) -> Result<Vec<StagedPuzzle>, WorldError> {
        if scene.puzzles.is_empty() { Ok(Vec::new()) } else { Err(no_grid()) }
    }

    /// Whether links have a radius of use.
    const HAS_EXACT_LINKS: bool = false;

    /// Returns a link between two points of the scene, as agents of a profile can use it. Default:
    /// between the states that the points stand for, whatever the `radius` of use.
    ///
    /// # Errors
    /// When there is nothing at a point.
    fn joined(
        &self,
        profile: ProfileId,
        ends: [Vec3; 2],
        _radius: f32,
    ) -> Result<NavLink<Self::State>, NavLinkError> {
        let [from, to] = ends.map(|point| self.state_meant(profile, point));
        let from = from.ok_or(NavLinkError::From(Obstruction::OffMap))?;
        let to = to.ok_or(NavLinkError::To(Obstruction::OffMap))?;
        Ok(NavLink::new(from, to, Crossing::Seconds(0.0)))
    }
}

/// Refuses values of a class that mean nothing in a world.
pub(super) fn refuse(
    world: &str,
    said: &[(&'static str, bool)],
    at: &KeyPath,
) -> Result<(), WorldError> {
    match said.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((key, _)) => {
            let message = format!("'{key}' means nothing in {world}");
            Err(WorldError::new(WorldErrorKind::Value, message).about(at.clone().then(key)))
        }
    }
}

pub(super) fn of_grids(class: &AgentClass) -> [(&'static str, bool); 3] {
    [
        ("neighbours", class.neighbours.is_some()),
        ("corners", class.corners.is_some()),
        ("slope_cost", class.slope_cost.is_some()),
    ]
}

fn of_terrains(class: &AgentClass) -> (&'static str, bool) {
    ("terrains", !class.terrains.is_empty())
}

/// Returns the terrains of a world as a class meets them.
pub(in crate::spaces) fn terrains_to(
    class: &AgentClass,
    terrains: &[Terrain],
    at: &KeyPath,
) -> Result<Vec<Terrain>, WorldError> {
    let mut met = terrains.to_vec();
    for (number, own) in class.terrains.iter().enumerate() {
        let path = || at.clone().then("terrains").at(number);
        let (place, _) = named_terrain(&own.terrain, terrains, path().then("terrain"))?;
        let terrain = &mut met[place];
        terrain.multiplier = own.multiplier.unwrap_or(terrain.multiplier);
        terrain.penalty = own.penalty.unwrap_or(terrain.penalty);
        terrain.walkable = own.walkable.unwrap_or(terrain.walkable);
        if let Some((key, message)) = terrain.problem() {
            return Err(WorldError::new(WorldErrorKind::Value, message).about(path().then(key)));
        }
    }
    Ok(met)
}

/// Returns how fast a class is on the terrains of a world.
pub(super) fn ground_speeds<W: Setting>(
    world: &W,
    scene: &Scene,
    class: &AgentClass,
    terrains: &[Terrain],
    at: &KeyPath,
) -> Result<GroundSpeeds, WorldError> {
    let mut speeds = GroundSpeeds::new();
    for (number, own) in class.terrains.iter().enumerate() {
        let Some(speed) = own.speed else { continue };
        let path = || at.clone().then("terrains").at(number).then("speed");
        let ground = world.ground_of(scene, &own.terrain, terrains).ok_or_else(|| {
            let message = "'speed' means nothing in a world of waypoints";
            WorldError::new(WorldErrorKind::Value, message).about(path())
        })?;
        speeds = speeds.with(ground, speed).map_err(|fault| {
            WorldError::new(WorldErrorKind::Value, fault.to_string()).about(path())
        })?;
    }
    Ok(speeds)
}

/// Returns the costs of a world's terrains to a class, if all others pay `usual`.
fn costs_to(
    class: &AgentClass,
    terrains: &[Terrain],
    usual: CostTable,
    at: &KeyPath,
) -> Result<CostTable, WorldError> {
    let (mut costs, met) = (usual, terrains_to(class, terrains, at)?);
    let own = |terrain: &Terrain| class.terrains.iter().any(|own| own.terrain == terrain.name);
    for (place, terrain) in met.iter().enumerate().filter(|(_, terrain)| own(terrain)) {
        let Some(id) = terrain_id(place) else { continue };
        let Terrain { multiplier, penalty, medium, walkable, .. } = *terrain;
        costs = match walkable {
            true => costs.with(id, TerrainCost { multiplier, penalty, medium }),
            false => costs.without(id),
        };
    }
    Ok(costs)
}

/// Returns the index of a terrain in the table of a world, and its id.
fn named_terrain(
    name: &str,
    terrains: &[Terrain],
    at: KeyPath,
) -> Result<(usize, TerrainId), WorldError> {
    let named = terrains.iter().position(|terrain| terrain.name == name);
    named.and_then(|place| Some((place, terrain_id(place)?))).ok_or_else(|| {
        let message = format!("the world has no terrain '{name}'");
        let known: Vec<_> = terrains.iter().map(|terrain| terrain.name.as_str()).collect();
        let error = WorldError::new(WorldErrorKind::Dangling, message).about(at);
        error.advise(format!("known are {}", known.join(", ")))
    })
}

/// Costs of terrain in a world where profiles do not tell terrains apart.
fn no_costs<Edit>(world: &str, at: KeyPath) -> Result<Edit, WorldError> {
    let message = format!("'costs' mean nothing in {world}");
    Err(WorldError::new(WorldErrorKind::Value, message).about(at))
}

pub(super) fn of_voxels(class: &AgentClass) -> [(&'static str, bool); 8] {
    [
        ("abilities", class.abilities.is_some()),
        ("jump_height", class.jump_height.is_some()),
        ("jump_distance", class.jump_distance.is_some()),
        ("max_fall", class.max_fall.is_some()),
        ("height", class.height.is_some()),
        ("opens_doors", class.opens_doors.is_some()),
        ("endures_lava", class.endures_lava.is_some()),
        ("times", class.times.is_some()),
    ]
}

impl Setting for Grid {
    fn add_class(
        &mut self,
        _scene: &Scene,
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
            slope_cost: class.slope_cost.unwrap_or(plain.slope_cost),
            ..plain
        };
        self.add_profile(profile)
            .map_err(|error| WorldError::new(WorldErrorKind::Value, error.to_string()).about(at))
    }

    fn ground_of(&self, _scene: &Scene, terrain: &str, terrains: &[Terrain]) -> Option<GroundId> {
        let place = terrains.iter().position(|known| known.name == terrain)?;
        terrain_id(place).map(GroundId::from)
    }

    /// Keeps the profile's present value if `change` leaves it out. If the profile cannot enter the
    /// terrain at present, uses the value of the world's terrain.
    fn cost_edit(
        &self,
        profile: ProfileId,
        change: &CostChange,
        terrains: &[Terrain],
        at: KeyPath,
    ) -> Result<GridEdit, WorldError> {
        let (place, terrain) =
            named_terrain(&change.terrain, terrains, at.clone().then("terrain"))?;
        let Terrain { multiplier, penalty, medium, .. } = terrains[place];
        let usual = TerrainCost { multiplier, penalty, medium };
        let present = self.profile(profile).and_then(|profile| profile.costs.get(terrain));
        let walkable = change.walkable.unwrap_or(present.is_some());
        let old = present.unwrap_or(usual);
        let cost = TerrainCost {
            multiplier: change.multiplier.unwrap_or(old.multiplier),
            penalty: change.penalty.unwrap_or(old.penalty),
            ..old
        };
        let edit = GridEdit::Cost { profile, terrain, cost: walkable.then_some(cost) };
        Editable::check(self, &edit)
            .map_err(|fault| WorldError::new(WorldErrorKind::Value, fault.to_string()).about(at))?;
        Ok(edit)
    }

    fn ground_edit(
        &self,
        change: &GroundChange,
        terrains: &[Terrain],
        at: KeyPath,
    ) -> Result<Replacement<GridEdit>, WorldError> {
        let GroundChange { corner: [left, top], map, .. } = change;
        let fail = |kind, key, message: String| {
            Err(WorldError::new(kind, message).about(at.clone().then(key)))
        };
        let mut cells = Vec::new();
        let mut grounds: Vec<StagedGround> = Vec::new();
        let half = self.frame().cell_size / 2.0;
        for (y, row) in (u64::from(*top)..).zip(map.lines()) {
            let mut last = ' ';
            for (x, glyph) in (u64::from(*left)..).zip(row.chars()) {
                let before = std::mem::replace(&mut last, glyph);
                if glyph == ' ' {
                    continue;
                }
                let at = u32::try_from(x).ok().zip(u32::try_from(y).ok());
                let Some(cell) = at.and_then(|(x, y)| Grid::cell(self, x, y)) else {
                    let message = format!("the cell {x}, {y} lies off the map");
                    return fail(WorldErrorKind::Dimensions, "map", message);
                };
                let place = terrains.iter().position(|terrain| terrain.glyph == glyph);
                let known = place.and_then(|place| Some((&terrains[place], terrain_id(place)?)));
                let Some((look, terrain)) = known else {
                    let message = format!("'{glyph}' stands for no terrain of this world");
                    return fail(WorldErrorKind::Dangling, "map", message);
                };
                cells.push((cell, terrain));
                let middle = self.centre(cell);
                let max = [middle.x + half, middle.z + half];
                match grounds.last_mut() {
                    Some(stretch) if before == glyph => stretch.area.max = max,
                    _ => {
                        let min = [middle.x - half, middle.z - half];
                        let area = Rectangle { min, max };
                        grounds.push(StagedGround { area, terrain: look.clone() });
                    }
                }
            }
        }
        Ok(Replacement { edit: GridEdit::Terrains { cells }, grounds })
    }

    fn bare(simulation: &Simulation<Self>) -> Option<Self> {
        Some(simulation.bare_world())
    }

    fn edited(&self, edit: &GridEdit) -> Option<Self> {
        let mut after = self.clone();
        after.apply(edit, &mut Vec::new()).ok()?;
        Some(after)
    }

    fn puzzles(&self, scene: &Scene) -> Result<Vec<StagedPuzzle>, WorldError> {
        scene.puzzles_on(self)
    }
}

impl Setting for WaypointGraph {
    /// Builds the graph with the class's view of the terrains.
    fn add_class(
        &mut self,
        scene: &Scene,
        class: &AgentClass,
        terrains: &[Terrain],
        at: KeyPath,
    ) -> Result<ProfileId, WorldError> {
        refuse("a world of waypoints", &[("width", class.width.is_some())], &at)?;
        refuse("a world of waypoints", &of_grids(class), &at)?;
        refuse("a world of waypoints", &of_voxels(class), &at)?;
        if class.terrains.is_empty() {
            return Ok(ProfileId::default());
        }
        let own = terrains_to(class, terrains, &at)?;
        let graph = scene.to_graph_over(&own).map_err(|error| error.about(at.clone()))?;
        self.add_profile(graph)
            .map_err(|error| WorldError::new(WorldErrorKind::Limit, error.to_string()).about(at))
    }

    fn cost_edit(
        &self,
        _profile: ProfileId,
        _change: &CostChange,
        _terrains: &[Terrain],
        at: KeyPath,
    ) -> Result<WaypointEdit, WorldError> {
        no_costs("a world of waypoints", at)
    }
}

impl Setting for VoxelGrid {
    fn add_class(
        &mut self,
        _scene: &Scene,
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
            opens_doors: class.opens_doors.unwrap_or(plain.opens_doors),
            endures_lava: class.endures_lava.unwrap_or(plain.endures_lava),
            times: class.times.map(SceneTimes::move_times),
            ..plain
        };
        self.add_profile(profile)
            .map_err(|error| WorldError::new(WorldErrorKind::Value, error.to_string()).about(at))
    }

    fn cost_edit(
        &self,
        _profile: ProfileId,
        _change: &CostChange,
        _terrains: &[Terrain],
        at: KeyPath,
    ) -> Result<BlockEdit, WorldError> {
        no_costs("a world of blocks", at)
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

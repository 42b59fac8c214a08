//! Scenes on navigation meshes.

use glam::Vec3;
use wayfare_core::link::{Crossing, LinkPoints, NavLink, NavLinkError};
use wayfare_core::space::ProfileId;
use wayfare_formats::inside::KeyPath;
use wayfare_formats::{Terrain, WorldError, WorldErrorKind};
use wayfare_mesh::navmesh::{AreaCosts, HeightReach, MeshProfile, NavMesh, PolygonId};
use wayfare_sim::simulation::{Editable, GroundId, MeshEdit, MeshWorld, Spaces};

use super::land::{Land, no_cells};
use super::setting::{Setting, of_grids, of_voxels, refuse, terrains_to};
use crate::scene::{AgentClass, CostChange, Scene};
use crate::spaces::level::area_of;

/// How far beside the mesh a point of a scene may lie, in metres.
const BESIDE: f32 = 2.0;

/// Returns the costs of the areas of a mesh for a class; without one, as the terrains are.
fn costs(scene: &Scene, class: Option<&AgentClass>, at: &KeyPath) -> Result<AreaCosts, WorldError> {
    let met = match class {
        Some(class) => terrains_to(class, &scene.terrains, at)?,
        None => scene.terrains.clone(),
    };
    let mut costs = AreaCosts::new();
    for terrain in &met {
        let wrong = |message: String| WorldError::new(WorldErrorKind::Value, message);
        let Some(area) = area_of(scene, &terrain.name) else {
            let message = "a navigation mesh has at most 254 terrains".to_owned();
            let error = WorldError::new(WorldErrorKind::Limit, message);
            return Err(error.about(KeyPath::key("terrains")));
        };
        if terrain.penalty != 0.0 {
            let error = wrong(format!("'{}' has a penalty", terrain.name)).about(at.clone());
            return Err(error.advise("areas of a navigation mesh have a multiplier alone"));
        }
        costs = match terrain.walkable {
            false => costs.without(area),
            true => costs.with(area, terrain.multiplier).map_err(|_| {
                let (name, multiplier) = (&terrain.name, terrain.multiplier);
                wrong(format!("the multiplier of '{name}' is {multiplier}"))
                    .about(at.clone())
                    .advise("on a navigation mesh it is 0.01 to 1000")
            })?,
        };
    }
    Ok(costs)
}

/// Returns the profile of a class, on a mesh that areas of the scene's terrains lie on.
pub(in crate::spaces) fn profile_of(
    scene: &Scene,
    class: Option<&AgentClass>,
    at: &KeyPath,
) -> Result<MeshProfile, WorldError> {
    if let Some(class) = class {
        const WORLD: &str = "a navigation mesh";
        refuse(WORLD, &[("width", class.width.is_some())], at)?;
        refuse(WORLD, &of_grids(class), at)?;
        refuse(WORLD, &of_voxels(class), at)?;
    }
    Ok(MeshProfile { areas: costs(scene, class, at)? })
}

/// Returns the point on the mesh for a point of a scene: the floor at it, below or a little above
/// it, else the nearest one.
pub(in crate::spaces) fn settled(mesh: &NavMesh, point: Vec3) -> Vec3 {
    let floor = mesh.locate(point, HeightReach::default());
    floor.or_else(|| mesh.nearest_point(point, BESIDE)).map_or(point, |found| found.place)
}

impl Land for MeshWorld {
    fn cell(&self, _cell: [u32; 2]) -> Result<Option<Vec3>, WorldError> {
        Err(no_cells("a navigation mesh"))
    }

    fn settle(&self, point: Vec3) -> Vec3 {
        settled(self.mesh(), point)
    }
}

impl Setting for MeshWorld {
    fn add_class(
        &mut self,
        scene: &Scene,
        class: &AgentClass,
        _terrains: &[Terrain],
        at: KeyPath,
    ) -> Result<ProfileId, WorldError> {
        let profile = profile_of(scene, Some(class), &at)?;
        self.add_profile(profile)
            .map_err(|error| WorldError::new(WorldErrorKind::Limit, error.to_string()).about(at))
    }

    fn add_plain_class(&mut self, scene: &Scene) -> Result<ProfileId, WorldError> {
        let at = KeyPath::key("terrains");
        self.add_profile(profile_of(scene, None, &at)?)
            .map_err(|error| WorldError::new(WorldErrorKind::Limit, error.to_string()).about(at))
    }

    fn ground_of(&self, scene: &Scene, terrain: &str, _terrains: &[Terrain]) -> Option<GroundId> {
        area_of(scene, terrain).map(GroundId::from)
    }

    /// Uses the scene's terrain for a value that `change` leaves out.
    fn cost_edit(
        &self,
        profile: ProfileId,
        change: &CostChange,
        terrains: &[Terrain],
        at: KeyPath,
    ) -> Result<MeshEdit, WorldError> {
        let mut scene = Scene::new("costs");
        scene.terrains = terrains.to_vec();
        let Some(area) = area_of(&scene, &change.terrain) else {
            let message = format!("the scene has no terrain '{}'", change.terrain);
            return Err(WorldError::new(WorldErrorKind::Dangling, message).about(at));
        };
        if change.penalty.is_some() {
            let message = "areas of a navigation mesh have no penalty";
            return Err(WorldError::new(WorldErrorKind::Value, message).about(at));
        }
        let usual = scene.terrain(&change.terrain);
        let multiplier = change.multiplier.or_else(|| usual.map(|usual| usual.multiplier));
        let walkable = change.walkable.or_else(|| usual.map(|usual| usual.walkable));
        let multiplier = multiplier.filter(|_| walkable != Some(false));
        let edit = MeshEdit::Cost { profile, area, multiplier };
        Editable::check(self, &edit)
            .map_err(|fault| WorldError::new(WorldErrorKind::Value, fault.to_string()).about(at))?;
        Ok(edit)
    }

    const HAS_EXACT_LINKS: bool = true;

    fn joined(
        &self,
        profile: ProfileId,
        [from, to]: [Vec3; 2],
        radius: f32,
    ) -> Result<NavLink<PolygonId>, NavLinkError> {
        let points = LinkPoints { from, to, radius };
        NavLink::on_mesh(&self.space(profile), points, Crossing::Seconds(0.0))
    }
}

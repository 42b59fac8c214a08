//! Worlds as a class of a scene's agents sees them.

use wayfare_core::space::ProfileId;
use wayfare_formats::inside::KeyPath;
use wayfare_formats::{WorldError, WorldErrorKind};
use wayfare_mesh::navmesh::NavMesh;
use wayfare_voxel::VoxelGrid;

use super::simulation::{Setting, profile_of, terrains_to};
use super::{GridWorld, WaypointWorld};
use crate::scene::{AgentClass, Scene};

/// Returns a class of a scene by its name, with its key path in the file.
fn class_named<'s>(scene: &'s Scene, name: &str) -> Result<(&'s AgentClass, KeyPath), WorldError> {
    let place = scene.classes.iter().position(|class| class.name == name);
    let place = place.ok_or_else(|| {
        let known: Vec<&str> = scene.classes.iter().map(|class| class.name.as_str()).collect();
        let error =
            WorldError::new(WorldErrorKind::Dangling, format!("there is no class '{name}'"));
        error.advise(match known.as_slice() {
            [] => "the scene has no classes".to_owned(),
            known => format!("its classes are {}", known.join(", ")),
        })
    })?;
    Ok((&scene.classes[place], KeyPath::item("classes", place)))
}

impl GridWorld {
    /// Adds the profile of a class of the scene that plays here, as a simulation of it does.
    ///
    /// # Errors
    /// When the scene has no such class, or it says something that means nothing on a grid.
    pub fn add_class(&mut self, scene: &Scene, name: &str) -> Result<ProfileId, WorldError> {
        let (class, at) = class_named(scene, name)?;
        self.grid.add_class(scene, class, &self.terrains, at)
    }
}

impl WaypointWorld {
    /// Returns the same world as a class of its scene sees it: with the terrains as they are to the
    /// class.
    ///
    /// # Errors
    /// When the scene has no such class, or it says something that means nothing among waypoints.
    pub fn seen_by(mut self, scene: &Scene, name: &str) -> Result<Self, WorldError> {
        let (class, at) = class_named(scene, name)?;
        let profile = self.graph.add_class(scene, class, &self.terrains, at.clone())?;
        self.graph = self.graph.as_seen_by(profile).clone();
        self.terrains = terrains_to(class, &self.terrains, &at)?;
        Ok(self)
    }
}

impl Scene {
    /// Adds the profile of a class of this scene to a world of blocks that it plays in.
    ///
    /// # Errors
    /// When the scene has no such class, or it says something that means nothing among blocks.
    pub fn add_class_to_blocks(
        &self,
        grid: &mut VoxelGrid,
        name: &str,
    ) -> Result<ProfileId, WorldError> {
        let (class, at) = class_named(self, name)?;
        grid.add_class(self, class, &[], at)
    }

    /// Adds the profile of a class of this scene to the navigation mesh that it plays on; that of
    /// agents without a class if none is named.
    ///
    /// # Errors
    /// When the scene has no such class, or it says something that means nothing on a mesh.
    pub fn add_class_to_mesh(
        &self,
        mesh: &mut NavMesh,
        name: Option<&str>,
    ) -> Result<ProfileId, WorldError> {
        let (class, at) = match name {
            Some(name) => {
                let (class, at) = class_named(self, name)?;
                (Some(class), at)
            }
            None => (None, KeyPath::key("terrains")),
        };
        let profile = profile_of(self, class, &at)?;
        mesh.add_profile(profile)
            .map_err(|error| WorldError::new(WorldErrorKind::Limit, error.to_string()).about(at))
    }

    /// Returns the names of the keys that a class carries.
    pub fn keys_of(&self, class: &str) -> &[String] {
        let named = self.classes.iter().find(|known| known.name == class);
        named.map_or(&[], |class| &class.keys)
    }
}

//! Levels as assets: OBJ, glTF and GLB files.

use bevy_app::prelude::*;
use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetApp, AssetEvent, AssetLoader, Assets, Handle, LoadContext};
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_reflect::TypePath;
use wayfare_bake::WalkerShape;
use wayfare_formats::{WorldError, gltf, obj};

use crate::{BakePlugin, BakeSpace};

/// The triangles of a level file, in metres, y up.
#[derive(Asset, TypePath, Clone, PartialEq, Debug)]
pub struct LevelAsset {
    /// The vertices.
    pub vertices: Vec<Vec3>,
    /// The triangles, counter-clockwise seen from above where they are floors.
    pub triangles: Vec<[u32; 3]>,
}

/// Why a level file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LevelLoadError {
    /// The file cannot be read at all.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// Its content is broken.
    #[error(transparent)]
    Content(#[from] WorldError),
}

/// Reads `.obj`, and `.gltf` and `.glb` files whose buffers are within them.
#[derive(Clone, Copy, Debug, Default, TypePath)]
pub struct LevelLoader;

impl AssetLoader for LevelLoader {
    type Asset = LevelAsset;
    type Settings = ();
    type Error = LevelLoadError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        _settings: &(),
        context: &mut LoadContext<'_>,
    ) -> Result<LevelAsset, LevelLoadError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let name = context.path().to_string();
        let is_obj = name.to_ascii_lowercase().ends_with(".obj");
        let mesh = if is_obj { obj::read(&bytes)? } else { gltf::read(&bytes)? };
        let vertices = mesh.vertices().iter().map(|&at| Vec3::from(at)).collect();
        Ok(LevelAsset { vertices, triangles: mesh.triangles().to_vec() })
    }

    fn extensions(&self) -> &[&str] {
        &["nav.obj", "nav.gltf", "nav.glb", "obj"]
    }
}

/// A level file that becomes a navigation mesh on its entity once it is loaded, and again when it
/// changes. Needs [`LevelPlugin`].
///
/// Loads `.obj` files, and `.nav.glb` or `.nav.gltf` files, so that Bevy's own loader keeps the
/// others; a handle that names the loader reads any of them.
#[derive(Component, Clone, Debug)]
pub struct LevelSpace {
    /// The file.
    pub level: Handle<LevelAsset>,
    /// The body that the mesh is for.
    pub walker: WalkerShape,
}

/// Loads and bakes every [`LevelSpace`].
#[derive(Clone, Copy, Debug, Default)]
pub struct LevelPlugin;

impl Plugin for LevelPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<BakePlugin>() {
            app.add_plugins(BakePlugin);
        }
        app.init_asset::<LevelAsset>()
            .register_asset_loader(LevelLoader)
            .add_systems(Update, bake_loaded);
    }
}

fn bake_loaded(
    mut commands: Commands,
    mut events: MessageReader<AssetEvent<LevelAsset>>,
    levels: Res<Assets<LevelAsset>>,
    spaces: Query<(Entity, Ref<LevelSpace>)>,
) {
    let changed: Vec<_> = events
        .read()
        .filter_map(|event| match event {
            AssetEvent::LoadedWithDependencies { id } | AssetEvent::Modified { id } => Some(*id),
            _ => None,
        })
        .collect();
    for (entity, space) in &spaces {
        let is_due = space.is_changed() || changed.contains(&space.level.id());
        if is_due && let Some(level) = levels.get(&space.level) {
            let (vertices, triangles) = (level.vertices.clone(), level.triangles.clone());
            commands.entity(entity).insert(BakeSpace::new(vertices, triangles, space.walker));
        }
    }
}

//! Navigation meshes baked on the task pool.

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_mesh::{Mesh, PrimitiveTopology, VertexAttributeValues};
use bevy_reflect::Reflect;
use bevy_tasks::futures::check_ready;
use bevy_tasks::{AsyncComputeTaskPool, Task};
use bevy_transform::components::GlobalTransform;
use wayfare::simulation::{MeshEdit, MeshGround, MeshWorld};
use wayfare_bake::{Bake, BakeSettings, LevelGeometry, WalkerShape};

use crate::NavSpace;

/// A level that becomes a [`NavSpace`] of a navigation mesh on its entity, baked on the task pool.
/// Where there is one already, its ground is replaced: agents stay.
///
/// ```
/// use bevy_app::prelude::*;
/// use bevy_ecs::prelude::*;
/// use wayfare_bake::WalkerShape;
/// use wayfare_bevy::{bevy_math::Vec3, prelude::*, wayfare::simulation::MeshWorld};
///
/// fn setup(mut commands: Commands) {
///     let floor = [[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 0.0, 9.0], [9.0, 0.0, 0.0]];
///     let floor = floor.map(Vec3::from).to_vec();
///     commands.spawn(BakeSpace::new(floor, vec![[0, 1, 2], [0, 2, 3]], WalkerShape::default()));
/// }
///
/// App::new()
///     .add_plugins((NavPlugin::<MeshWorld>::default(), BakePlugin))
///     .add_systems(Startup, setup);
/// ```
#[derive(Component, Clone, Debug)]
pub struct BakeSpace {
    /// The vertices, in Bevy's world, in metres.
    pub vertices: Vec<Vec3>,
    /// The triangles, counter-clockwise seen from above where they are floors.
    pub triangles: Vec<[u32; 3]>,
    /// The body that the mesh is for.
    pub walker: WalkerShape,
    /// The side of the cells in metres; `None` for the default.
    pub cell_size: Option<f32>,
}

impl BakeSpace {
    /// Returns a level to be baked with the default cells.
    #[must_use]
    pub fn new(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>, walker: WalkerShape) -> Self {
        Self { vertices, triangles, walker, cell_size: None }
    }

    /// Returns the level of Bevy's meshes where their entities are. Meshes that are no lists of
    /// triangles are left out.
    #[must_use]
    pub fn of_meshes<'m>(
        meshes: impl IntoIterator<Item = (&'m Mesh, &'m GlobalTransform)>,
        walker: WalkerShape,
    ) -> Self {
        let mut level = Self::new(Vec::new(), Vec::new(), walker);
        for (mesh, at) in meshes {
            if let Some(Self { vertices, triangles, .. }) = triangles_of(mesh) {
                let first = level.vertices.len() as u32;
                level
                    .vertices
                    .extend(vertices.into_iter().map(|vertex| at.transform_point(vertex)));
                level
                    .triangles
                    .extend(triangles.into_iter().map(|t| t.map(|corner| corner + first)));
            }
        }
        level
    }

    /// Bakes the level.
    pub(crate) fn bake(self) -> Result<MeshWorld, String> {
        let level = LevelGeometry::new(self.vertices, self.triangles).map_err(|e| e.to_string())?;
        let mut settings = BakeSettings::for_level(&level, self.walker);
        if let Some(size) = self.cell_size {
            (settings.cell_size, settings.cell_height) = (size, size * (2.0 / 3.0));
        }
        let baked = Bake::new(&level, settings).and_then(|bake| bake.run());
        let baked = baked.map_err(|error| error.to_string())?;
        if baked.polygons.is_empty() {
            return Err(
                "nothing in this level is walkable: triangles that run clockwise seen from \
                        above are ceilings, and lengths are metres"
                    .to_owned(),
            );
        }
        let mesh = baked.polygons.nav_mesh().map_err(|error| error.to_string())?;
        Ok(MeshWorld::new(mesh).with_body_height(self.walker.height))
    }
}

/// Returns the triangles of a mesh in its own space as a level; `None` if it is no list of
/// triangles, or lives on the graphics card alone.
#[must_use]
pub fn triangles_of(mesh: &Mesh) -> Option<BakeSpace> {
    if mesh.primitive_topology() != PrimitiveTopology::TriangleList {
        return None;
    }
    let Some(VertexAttributeValues::Float32x3(positions)) =
        mesh.try_attribute_option(Mesh::ATTRIBUTE_POSITION).ok()?
    else {
        return None;
    };
    let vertices: Vec<Vec3> = positions.iter().map(|&at| Vec3::from(at)).collect();
    let corners: Vec<u32> = match mesh.try_indices_option().ok()? {
        Some(indices) => indices.iter().map(|index| index as u32).collect(),
        None => (0..vertices.len() as u32).collect(),
    };
    let triangles = corners.chunks_exact(3).map(|t| [t[0], t[1], t[2]]).collect();
    Some(BakeSpace::new(vertices, triangles, WalkerShape::default()))
}

/// The reason why a level made no space, in words.
#[derive(Component, Reflect, Clone, PartialEq, Eq, Debug)]
pub struct BakeFailed(pub String);

/// A level was baked: its entity has a [`NavSpace`] on that ground now.
#[derive(Message, EntityEvent, Reflect, Clone, Copy, PartialEq, Eq, Debug)]
pub struct SpaceReady {
    /// The entity of the space.
    pub entity: Entity,
}

/// Bakes every [`BakeSpace`] on the task pool.
#[derive(Clone, Copy, Debug, Default)]
pub struct BakePlugin;

impl Plugin for BakePlugin {
    fn build(&self, app: &mut App) {
        app.add_message::<SpaceReady>()
            .register_type::<BakeFailed>()
            .add_systems(PreUpdate, (begin, finish).chain());
    }
}

/// A bake under way.
#[derive(Component)]
struct Baking(Task<Result<MeshWorld, String>>);

fn begin(mut commands: Commands, new: Query<(Entity, &BakeSpace), Added<BakeSpace>>) {
    for (entity, level) in &new {
        let level = level.clone();
        let bake = async move { level.bake() };
        let task = AsyncComputeTaskPool::get_or_init(Default::default).spawn(bake);
        commands.entity(entity).insert(Baking(task)).remove::<(BakeSpace, BakeFailed)>();
    }
}

fn finish(
    mut commands: Commands,
    mut baking: Query<(Entity, &mut Baking, Option<&mut NavSpace<MeshWorld>>)>,
    mut ready: MessageWriter<SpaceReady>,
) {
    for (entity, mut baking, space) in &mut baking {
        let Some(baked) = check_ready(&mut baking.0) else { continue };
        commands.entity(entity).remove::<Baking>();
        match baked {
            Ok(world) => {
                match space {
                    // Agents, obstacles and links stay, on other ground.
                    Some(mut space) => {
                        let ground = MeshGround::new(world.mesh().clone());
                        space.edit(MeshEdit::Ground(ground));
                    }
                    None => {
                        commands.entity(entity).insert(NavSpace::new(world));
                    }
                }
                ready.write(SpaceReady { entity });
                commands.trigger(SpaceReady { entity });
            }
            Err(reason) => {
                tracing::error!("level {entity}: {reason}");
                commands.entity(entity).insert(BakeFailed(reason));
            }
        }
    }
}

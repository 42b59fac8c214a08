//! Scene to obstacles: obstacles block, surfaces are walked on.

use glam::Vec3;
use wayfare_formats::inside::{KeyPath, terrain_id};
use wayfare_formats::{WorldError, WorldErrorKind};
use wayfare_grid::geometry::{
    Obstacle as Solid, ObstacleError, ObstacleKind, ObstacleShape, Obstacles, SurfaceLayer,
};

use crate::scene::{MeshSource, Scene, SceneObstacle, Surface};

impl Scene {
    /// Returns the scene's obstacles and surfaces, ready for rays and sweeps. Obstacles come first,
    /// surfaces after them, both in the order of the file. The layer of a surface is the id of its
    /// terrain; if two surfaces are equally high, the earlier one is seen.
    ///
    /// # Errors
    /// When the scene is unsound, a mesh has not been [loaded](Scene::load_meshes), or none of its
    /// triangles has an area.
    pub fn to_obstacles(&self) -> Result<Obstacles, WorldError> {
        self.obstacles_on(|_| true)
    }

    /// Returns the obstacles, and the surfaces of some terrains.
    pub(super) fn obstacles_on(
        &self,
        is_ground: impl Fn(&str) -> bool,
    ) -> Result<Obstacles, WorldError> {
        self.validate()?;
        let mut surfaces = Vec::new();
        let mut solids = Vec::with_capacity(self.obstacles.len() + self.surfaces.len());
        for (index, obstacle) in self.obstacles.iter().enumerate() {
            let path = || KeyPath::item("obstacles", index);
            let shape = obstacle_shape(obstacle).map_err(|error| error.about(path()))?;
            solids.push(Solid { shape, kind: ObstacleKind::Blocking });
        }
        for (index, surface) in self.surfaces.iter().enumerate() {
            if !is_ground(surface.layer()) {
                continue;
            }
            surfaces.push(index);
            let path = || KeyPath::item("surfaces", index);
            let shape = surface_shape(surface).map_err(|error| error.about(path()))?;
            let layer = self.terrain_number(surface.layer())?;
            solids.push(Solid { shape, kind: ObstacleKind::Surface(layer) });
        }
        Obstacles::new(solids).map_err(|ObstacleError { number, fault }| {
            let path = match number.checked_sub(self.obstacles.len()) {
                None => KeyPath::item("obstacles", number),
                Some(place) => KeyPath::item("surfaces", surfaces[place]),
            };
            WorldError::new(WorldErrorKind::Value, fault.to_string()).about(path)
        })
    }

    /// Returns the layer that stands for the terrain of that name.
    pub(super) fn terrain_number(&self, name: &str) -> Result<SurfaceLayer, WorldError> {
        let place = self.terrains.iter().position(|terrain| terrain.name == name);
        let id = place.and_then(terrain_id).ok_or_else(|| {
            WorldError::new(WorldErrorKind::Dangling, format!("there is no terrain '{name}'"))
        })?;
        Ok(SurfaceLayer(id.0))
    }
}

fn obstacle_shape(obstacle: &SceneObstacle) -> Result<ObstacleShape, WorldError> {
    Ok(match obstacle {
        SceneObstacle::Box { center, half_extents, yaw } => ObstacleShape::Box {
            center: Vec3::from(*center),
            half_extents: Vec3::from(*half_extents),
            yaw: yaw.to_radians(),
        },
        SceneObstacle::Sphere { center, radius } => {
            ObstacleShape::Sphere { center: Vec3::from(*center), radius: *radius }
        }
        SceneObstacle::Cylinder { center, radius, half_height } => ObstacleShape::Cylinder {
            center: Vec3::from(*center),
            radius: *radius,
            half_height: *half_height,
        },
        SceneObstacle::Mesh { mesh, offset } => mesh_shape(mesh, *offset)?,
    })
}

fn surface_shape(surface: &Surface) -> Result<ObstacleShape, WorldError> {
    Ok(match surface {
        Surface::Rectangle { min: [left, near], max: [right, far], y, .. } => {
            let corners = [[left, near], [right, near], [left, far], [right, far]];
            ObstacleShape::Mesh {
                vertices: corners.map(|[x, z]| Vec3::new(*x, *y, *z)).to_vec(),
                triangles: vec![[0, 2, 1], [1, 2, 3]],
            }
        }
        Surface::Heightfield { origin, spacing, heights, .. } => {
            heightfield(*origin, *spacing, heights)?
        }
        Surface::Mesh { mesh, offset, .. } => mesh_shape(mesh, *offset)?,
    })
}

fn mesh_shape(source: &MeshSource, offset: [f32; 3]) -> Result<ObstacleShape, WorldError> {
    let (mesh, offset) = (source.mesh()?, Vec3::from(offset));
    Ok(ObstacleShape::Mesh {
        vertices: mesh.vertices().iter().map(|at| Vec3::from(*at) + offset).collect(),
        triangles: mesh.triangles().to_vec(),
    })
}

/// Returns two triangles between each four heights.
fn heightfield(
    [left, near]: [f32; 2],
    spacing: f32,
    heights: &[Vec<f32>],
) -> Result<ObstacleShape, WorldError> {
    let width = heights.first().map_or(0, Vec::len);
    let number = u32::try_from(width).ok().filter(|_| u32::try_from(heights.len() * width).is_ok());
    let width = number.ok_or_else(|| {
        WorldError::new(WorldErrorKind::Limit, "the heightfield has more than 2³² heights")
    })?;
    let mut vertices = Vec::with_capacity(heights.len() * width as usize);
    let mut triangles = Vec::new();
    for (row, line) in (0u32..).zip(heights) {
        for (column, y) in (0u32..).zip(line) {
            let at = |place: u32, origin: f32| origin + place as f32 * spacing;
            vertices.push(Vec3::new(at(column, left), *y, at(row, near)));
            if row > 0 && column > 0 {
                let corner = row * width + column;
                let (before, above) = (corner - 1, corner - width);
                triangles.push([above - 1, before, above]);
                triangles.push([above, before, corner]);
            }
        }
    }
    Ok(ObstacleShape::Mesh { vertices, triangles })
}

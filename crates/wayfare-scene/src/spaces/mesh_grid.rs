//! A mesh alone as a grid: sampled from above, with usual values for missing data.

use wayfare_formats::obj::TriangleMesh;
use wayfare_formats::{Terrain, WorldError, WorldErrorKind, palette};

use super::{GridWorld, Movement};
use crate::scene::{MeshSource, Scene, SceneGrid, Surface};

/// Half the side of a cell in metres, where that makes no more cells than [`MOST_CELLS`].
const NODE_RADIUS: f32 = 0.25;
/// The most cells: larger levels get larger cells.
const MOST_CELLS: f32 = 1e6;
/// The steepest ground that can be walked on, in degrees.
const MAX_SLOPE: f32 = 45.0;
/// Room above the ground in metres.
const AGENT_HEIGHT: f32 = 1.8;

impl GridWorld {
    /// Returns a mesh as a grid, seen from above: y is up, units are metres. Surfaces of at most
    /// 45° are ground. Cells are half a metre wide, or wider if there would be more than a million
    /// of them. The remarks of the world give these values.
    ///
    /// ```
    /// use wayfare_formats::obj;
    /// use wayfare_scene::{GridWorld, Movement};
    ///
    /// let yard = obj::read(b"v 0 0 0\nv 8 0 0\nv 8 0 6\nv 0 0 6\nf 1 4 3 2\n")?;
    /// let world = GridWorld::from_mesh(&yard, "yard", &Movement::default())?;
    /// assert_eq!((world.grid.width(), world.grid.height()), (16, 12));
    /// # Ok::<(), wayfare_formats::WorldError>(())
    /// ```
    ///
    /// # Errors
    /// If the mesh has no triangles or no extent, its coordinates are out of range, or the movement
    /// has an impossible value.
    pub fn from_mesh(
        mesh: &TriangleMesh,
        name: &str,
        movement: &Movement,
    ) -> Result<Self, WorldError> {
        let (mut min, mut max) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for corner in mesh.triangles().iter().flatten() {
            let [x, _, z] = mesh.vertices()[*corner as usize];
            min = [min[0].min(x), min[1].min(z)];
            max = [max[0].max(x), max[1].max(z)];
        }
        if !(min[0] < max[0] && min[1] < max[1]) {
            let message = "the mesh has no extent along x and z, so nobody can walk on it";
            return Err(WorldError::new(WorldErrorKind::NotSearchable, message)
                .advise("y is up: turn it when it is exported"));
        }
        let area = (max[0] - min[0]) * (max[1] - min[1]);
        let node_radius = NODE_RADIUS.max((area / MOST_CELLS).sqrt() / 2.0);
        let layer = "ground".to_string();
        let mut scene = Scene::new(if name.is_empty() { "mesh" } else { name });
        scene.terrains = vec![Terrain::new(layer.clone(), '.', palette::GROUND)];
        scene.surfaces =
            vec![Surface::Mesh { layer, mesh: MeshSource::inline(mesh), offset: [0.0; 3] }];
        scene.grid = Some(SceneGrid {
            min,
            max,
            node_radius,
            layers: Vec::new(),
            agent_height: AGENT_HEIGHT,
            max_slope: Some(MAX_SLOPE),
            max_step: None,
            slope_cost: 0.0,
            blur: 0,
        });
        let mut world = scene.to_grid(movement)?;
        world.remarks.push(format!(
            "the mesh was sampled as seen from above: cells of {:.2} m, ground up to {MAX_SLOPE}° \
             steep; a scene that names it as a surface says otherwise",
            node_radius * 2.0
        ));
        Ok(world)
    }
}

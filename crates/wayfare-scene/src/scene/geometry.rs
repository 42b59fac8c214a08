//! The geometry of a scene: obstacles, surfaces, and the grid that is sampled from them.

use glam::Vec3;
use serde::{Deserialize, Serialize};
use wayfare_formats::inside::{Folder, read_capped};
use wayfare_formats::limits::MAX_MAP_BYTES;
use wayfare_formats::obj::TriangleMesh;
use wayfare_formats::{WorldError, WorldErrorKind, obj};
use wayfare_grid::geometry::MAX_COORDINATE;
use wayfare_grid::grid::MAX_SIDE;
use wayfare_sim::simulation::Shape;

use crate::limits::MAX_SAMPLED_CELLS;
use crate::scene::rules::{self as rule, At, Checked, rules};
use crate::scene::spelling::is_default;

/// An upright rectangle of the ground plane, in metres.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rectangle {
    /// Lowest x and z.
    pub min: [f32; 2],
    /// Highest x and z, each greater than that of `min`.
    pub max: [f32; 2],
}

rules!(Rectangle { min: rule::coordinate, max: rule::coordinate } then
    |at: &At<'_>, area: &Rectangle| has_area(at, area.min, area.max));

impl Rectangle {
    /// Returns whether a point lies in it, looking from above; its borders belong to it.
    pub fn contains_from_above(&self, at: Vec3) -> bool {
        let Self { min, max } = self;
        (min[0]..=max[0]).contains(&at.x) && (min[1]..=max[1]).contains(&at.z)
    }

    /// Returns all that lies above and below it.
    pub fn column(&self) -> Shape {
        let at = |[x, z]: [f32; 2], y: f32| Vec3::new(x, y, z);
        Shape::Box { min: at(self.min, -MAX_COORDINATE), max: at(self.max, MAX_COORDINATE) }
    }
}

fn has_area(at: &At<'_>, min: [f32; 2], max: [f32; 2]) -> Checked {
    if min[0] < max[0] && min[1] < max[1] {
        return Ok(());
    }
    let message = format!("'max' {max:?} must be greater than 'min' {min:?} in x and z");
    Err(at.key("max").value(message))
}

/// A solid that blocks.
///
/// ```
/// use wayfare_scene::scene::{Scene, SceneObstacle};
///
/// let mut scene = Scene::new("rocks");
/// scene.obstacles.push(SceneObstacle::Sphere { center: [1.0, 0.0, 2.0], radius: -1.0 });
/// let error = scene.validate().expect_err("a ball of negative size");
/// assert_eq!(error.field().as_deref(), Some("obstacles[0].radius"));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "shape", rename_all = "snake_case", deny_unknown_fields)]
pub enum SceneObstacle {
    /// A box that stands upright.
    Box {
        /// Its middle.
        center: [f32; 3],
        /// Half its size along each of its axes, greater than 0.
        half_extents: [f32; 3],
        /// Turn about the vertical axis in degrees, anticlockwise seen from above; default 0.
        #[serde(default, skip_serializing_if = "is_default")]
        yaw: f32,
    },
    /// A ball.
    Sphere {
        /// Its middle.
        center: [f32; 3],
        /// Greater than 0.
        radius: f32,
    },
    /// A cylinder whose axis is vertical.
    Cylinder {
        /// Its middle, at half its height.
        center: [f32; 3],
        /// Greater than 0.
        radius: f32,
        /// Half its height, greater than 0.
        half_height: f32,
    },
    /// Triangles, seen from both sides.
    Mesh {
        /// Where the triangles are.
        mesh: MeshSource,
        /// Added to every vertex; default none.
        #[serde(default, skip_serializing_if = "is_default")]
        offset: [f32; 3],
    },
}

rules!(SceneObstacle:
    Box { center: rule::coordinate, half_extents: rule::size, yaw: rule::coordinate },
    Sphere { center: rule::coordinate, radius: rule::size },
    Cylinder { center: rule::coordinate, radius: rule::size, half_height: rule::size },
    Mesh { mesh: rule::table, offset: rule::coordinate },
);

/// Triangles in a file beside the scene, or written out in it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeshSource {
    /// An OBJ file in or below the folder of the scene file.
    pub file: Option<String>,
    /// Corner points, where there is no file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vertices: Vec<[f32; 3]>,
    /// Indices into `vertices`, from 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub triangles: Vec<[u32; 3]>,
    /// The content of `file`, once it has been loaded.
    #[serde(skip)]
    loaded: Option<TriangleMesh>,
}

rules!(MeshSource { file: rule::file_beside, vertices: rule::any, triangles: rule::any, loaded: rule::any } then check_mesh);

fn check_mesh(at: &At<'_>, source: &MeshSource) -> Checked {
    match &source.file {
        Some(_) if source.vertices.is_empty() && source.triangles.is_empty() => return Ok(()),
        Some(_) => {
            let message = "this mesh is both in a file and written out";
            let error = at.error(WorldErrorKind::Duplicate, message);
            return Err(error.advise("keep one of 'file' and 'vertices'"));
        }
        None => {}
    }
    if source.triangles.is_empty() {
        let error = at.value("this mesh has no triangles");
        return Err(error.advise("give a 'file', or 'vertices' and 'triangles'"));
    }
    rule::each(&at.key("vertices"), &source.vertices, rule::coordinate)?;
    source.mesh().map(drop).map_err(|error| error.about(at.path()))
}

impl MeshSource {
    /// Returns a mesh written out in the scene.
    pub fn inline(mesh: &TriangleMesh) -> Self {
        Self {
            vertices: mesh.vertices().to_vec(),
            triangles: mesh.triangles().to_vec(),
            ..Self::default()
        }
    }

    /// Returns the triangles.
    ///
    /// # Errors
    /// When they are in a file that [`Scene::load_meshes`](super::Scene::load_meshes) has not read
    /// yet, or are unsound.
    pub fn mesh(&self) -> Result<TriangleMesh, WorldError> {
        match (&self.file, &self.loaded) {
            (_, Some(mesh)) => Ok(mesh.clone()),
            (None, None) => TriangleMesh::new(self.vertices.clone(), self.triangles.clone()),
            (Some(file), None) => Err(WorldError::new(
                WorldErrorKind::Dangling,
                format!("the mesh file '{file}' has not been loaded"),
            )
            .advise("call Scene::load_meshes with the folder of the scene first")),
        }
    }

    pub(super) fn load(&mut self, folder: Folder<'_>) -> Result<(), WorldError> {
        let Some(file) = &self.file else { return Ok(()) };
        let path = folder.path.join(file);
        let bytes = read_capped(folder.files, &path, MAX_MAP_BYTES)?;
        self.loaded = Some(obj::read(&bytes).map_err(|error| error.in_file(&path))?);
        Ok(())
    }
}

/// Ground of one terrain, which the sampled grid and generated waypoints settle on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "shape", rename_all = "snake_case", deny_unknown_fields)]
pub enum Surface {
    /// A level rectangle.
    Rectangle {
        /// Name of its terrain.
        layer: String,
        /// Lowest x and z.
        min: [f32; 2],
        /// Highest x and z.
        max: [f32; 2],
        /// Its height.
        y: f32,
    },
    /// Heights on a regular raster, joined by triangles.
    Heightfield {
        /// Name of its terrain.
        layer: String,
        /// x and z of the first height of the first row.
        origin: [f32; 2],
        /// Distance between neighbouring heights, greater than 0.
        spacing: f32,
        /// Rows along x, one for each z; at least 2 × 2, all equally long.
        heights: Vec<Vec<f32>>,
    },
    /// Triangles, seen from above.
    Mesh {
        /// Name of its terrain.
        layer: String,
        /// Where the triangles are.
        mesh: MeshSource,
        /// Added to every vertex; default none.
        #[serde(default, skip_serializing_if = "is_default")]
        offset: [f32; 3],
    },
}

rules!(Surface:
    Rectangle { layer: rule::terrain, min: rule::coordinate, max: rule::coordinate, y: rule::coordinate },
    Heightfield { layer: rule::terrain, origin: rule::coordinate, spacing: rule::positive, heights: raster },
    Mesh { layer: rule::terrain, mesh: rule::table, offset: rule::coordinate };
    then |at: &At<'_>, surface: &Surface| match surface {
        Surface::Rectangle { min, max, .. } => has_area(at, *min, *max),
        _ => Ok(()),
    }
);

fn raster(at: &At<'_>, heights: &[Vec<f32>]) -> Checked {
    let dimensions =
        |at: &At<'_>, message: String| Err(at.error(WorldErrorKind::Dimensions, message));
    let width = heights.first().map_or(0, Vec::len);
    if heights.len() < 2 || width < 2 {
        return dimensions(at, "a heightfield needs at least 2 rows of 2 heights".to_string());
    }
    for (row, values) in heights.iter().enumerate() {
        let at = at.item(row);
        if values.len() != width {
            let count = values.len();
            let message = format!("row {row} has {count} heights, but the first has {width}");
            return dimensions(&at, message);
        }
        let placeable = |height: &f32| height.abs() <= MAX_COORDINATE;
        if let Some(height) = values.iter().find(|height| !placeable(height)) {
            return Err(at.value(format!(
                "row {row} holds the height {height}, but heights must lie within ±{MAX_COORDINATE}"
            )));
        }
    }
    Ok(())
}

impl Surface {
    /// Returns the name of its terrain.
    pub fn layer(&self) -> &str {
        match self {
            Surface::Rectangle { layer, .. }
            | Surface::Heightfield { layer, .. }
            | Surface::Mesh { layer, .. } => layer,
        }
    }
}

/// How to sample a grid from the geometry: a ray down into the middle of each cell finds the
/// ground, a check with the obstacles finds whether an agent can stand there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneGrid {
    /// Lowest x and z of the world rectangle.
    pub min: [f32; 2],
    /// Highest x and z of the world rectangle.
    pub max: [f32; 2],
    /// Half the side of a cell, greater than 0.
    pub node_radius: f32,
    /// Terrains that count as ground; surfaces of others are looked through. Empty means all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<String>,
    /// Room that the walker needs above the ground, greater than 0; default 1.8.
    #[serde(default = "agent_height", skip_serializing_if = "is_agent_height")]
    pub agent_height: f32,
    /// Slope of the steepest ground that can be walked on, in degrees above 0 to 90, which is any;
    /// default 45. Both sides of a steeper step are blocked.
    pub max_slope: Option<f32>,
    /// Height of the highest step up or down between neighbouring cells, in metres, greater than 0;
    /// default as `max_slope` says.
    pub max_step: Option<f32>,
    /// The cost of slopes beyond the length of the step, in straight steps for each unit of rise
    /// over run (1 is 45°), 0 to 10,000; default 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub slope_cost: f32,
    /// Radius of the box blur over penalties, in cells, 0 to 64; default 0, no blur.
    #[serde(default, skip_serializing_if = "is_default")]
    pub blur: u32,
}

rules!(SceneGrid {
    min: rule::coordinate,
    max: rule::coordinate,
    node_radius: rule::positive,
    layers: |at: &At<'_>, layers| rule::each(at, layers, rule::terrain),
    agent_height: rule::positive,
    max_slope: |at: &At<'_>, degrees| {
        rule::positive(at, degrees)?;
        rule::within(at, degrees, 0.0f32, 90.0)
    },
    max_step: rule::positive,
    slope_cost: |at: &At<'_>, cost| rule::within(at, cost, 0.0f32, 10_000.0),
    blur: |at: &At<'_>, blur| rule::within(at, blur, 0u32, 64),
} then check_grid);

fn check_grid(at: &At<'_>, grid: &SceneGrid) -> Checked {
    has_area(at, grid.min, grid.max)?;
    let [columns, rows] = grid.cells();
    if columns * rows <= MAX_SAMPLED_CELLS as f64 && columns.max(rows) <= f64::from(MAX_SIDE) {
        return Ok(());
    }
    let message = format!(
        "so small a radius makes a grid of {columns} × {rows} cells, but at most \
         {MAX_SAMPLED_CELLS} are sampled, and {MAX_SIDE} a side"
    );
    Err(at.key("node_radius").limit(message).advise("raise it or narrow the rectangle"))
}

impl SceneGrid {
    /// Returns the columns along x and rows along z: the cells that begin within the rectangle.
    pub(super) fn cells(&self) -> [f64; 2] {
        [0, 1].map(|axis| {
            let side = f64::from(self.max[axis]) - f64::from(self.min[axis]);
            // As the engine samples: a hundredth of a cell is rounding.
            (side / (2.0 * f64::from(self.node_radius)) - 1e-2).ceil().max(1.0)
        })
    }
}

fn agent_height() -> f32 {
    1.8
}

fn is_agent_height(height: &f32) -> bool {
    *height == agent_height()
}

//! The shape of a world as data, for front ends that draw by themselves.

use serde::Serialize;
use wayfare_formats::{BlockType, Terrain};

/// The shape of a world, by the kind of its space.
///
/// ```
/// use wayfare_site::{Layout, NoFiles, OpenOptions, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let Layout::Cells(cells) = site.layout() else { panic!("a tile map has cells") };
/// assert_eq!((cells.width, cells.height), (3, 3));
/// let wall = &cells.grounds[usize::from(cells.ground[4])];
/// assert!(!wall.is_open);
/// assert_eq!(site.find("1,2")?, cells.first + 2 * cells.stride + 1);
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Layout {
    /// A grid.
    Cells(CellLayout),
    /// Waypoints.
    Points(PointLayout),
    /// A navigation mesh.
    Polygons(PolygonLayout),
    /// A world of blocks.
    Blocks(BlockLayout),
}

/// The cost of a ground to an agent: see [`Site::set_ground_cost`](crate::Site::set_ground_cost).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GroundCost {
    /// Whether the agent may enter.
    pub is_open: bool,
    /// The factor on the length of a step, 0 to 1,000; 1 is plain ground.
    pub multiplier: f32,
    /// Added on entering, in straight steps, −100,000 to 100,000; 0 is plain ground. Where one is
    /// below 0, all penalties are raised by the same amount until the lowest is 0.
    pub penalty: f32,
}

/// A kind of ground, or of block.
///
/// Example: [`Layout`].
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct GroundLook {
    /// The name, as [`Site::ground`](crate::Site::ground) has it.
    pub name: String,
    /// Red, green, blue, as the file has them or as is usual for the name.
    pub colour: [u8; 3],
    /// Whether the usual agent may enter. For blocks: whether bodies pass.
    pub is_open: bool,
    /// The factor on the length of a step; 1 is plain ground.
    pub multiplier: f32,
    /// Added on entering, in straight steps; 0 is plain ground.
    pub penalty: f32,
    /// Of blocks: the filled part of their height, from the floor. 1, or 0.5 for slabs.
    pub height: f32,
}

impl GroundLook {
    pub(crate) fn of_terrain(terrain: &Terrain) -> Self {
        Self {
            name: terrain.name.clone(),
            colour: terrain.color,
            is_open: terrain.walkable,
            multiplier: terrain.multiplier,
            penalty: terrain.penalty,
            height: 1.0,
        }
    }

    pub(crate) fn of_block(kind: &BlockType) -> Self {
        let is_open = !kind.block.kind.carries();
        let (name, colour) = (kind.name.clone(), kind.color);
        let height = if kind.block.kind.is_half() { 0.5 } else { 1.0 };
        Self { name, colour, is_open, multiplier: 1.0, penalty: 0.0, height }
    }

    /// Cells that are blocked without a ground of their own.
    pub(crate) fn blocked() -> Self {
        let name = "blocked".to_owned();
        Self {
            name,
            colour: [0x2b, 0x2b, 0x2b],
            is_open: false,
            multiplier: 1.0,
            penalty: 0.0,
            height: 1.0,
        }
    }
}

/// The cells of a grid, row by row from the top. Cell `x, y` is state `first + y * stride + x`.
///
/// Example: [`Layout`].
#[derive(Clone, PartialEq, Debug)]
pub struct CellLayout {
    /// In cells.
    pub width: u32,
    /// In cells.
    pub height: u32,
    /// The state of the first cell.
    pub first: u32,
    /// The states from a cell to the one below it; more than `width`.
    pub stride: u32,
    /// For each cell its ground, an index into `grounds`.
    pub ground: Vec<u8>,
    /// The grounds. The last one is blocked cells without a ground of their own.
    pub grounds: Vec<GroundLook>,
    /// The radius of the box blur over the penalties, in cells.
    pub blur: u8,
}

/// Waypoints. State `n` is the point with that index.
///
/// ```
/// use wayfare_site::{Layout, NoFiles, OpenOptions, open_bytes};
///
/// let scene = br#"
///     scene = { name = "two" }
///     waypoints = [{ id = "a", at = [0, 0, 0] }, { id = "b", at = [3, 0, 0] }]
///     links = [{ from = "a", to = "b" }]
/// "#;
/// let site = open_bytes("two.toml", scene, &NoFiles, &OpenOptions::default())?;
/// let Layout::Points(points) = site.layout() else { panic!("the scene has waypoints") };
/// assert_eq!(points.places, [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0]]);
/// assert_eq!(points.links, [[0, 1], [1, 0]]);
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Clone, PartialEq, Default, Debug)]
pub struct PointLayout {
    /// In metres: x, height, z.
    pub places: Vec<[f32; 3]>,
    /// The one-way links, as states. A link in both directions is here twice.
    pub links: Vec<[u32; 2]>,
    /// For each state its ground, an index into `grounds`; 255 if it has none.
    pub ground: Vec<u8>,
    /// The grounds.
    pub grounds: Vec<GroundLook>,
    /// The outlines of obstacles and surfaces, seen from above, in metres: x, z.
    pub outlines: Vec<OutlineLayout>,
}

/// An obstacle or a surface, seen from above.
///
/// Example: [`PointLayout`].
#[derive(Clone, PartialEq, Debug)]
pub struct OutlineLayout {
    /// In metres: x, z.
    pub corners: Vec<[f32; 2]>,
    /// A surface's ground, an index into [`PointLayout::grounds`]; `None` for an obstacle.
    pub ground: Option<u8>,
}

/// The polygons of a navigation mesh.
///
/// ```
/// use wayfare_site::{Layout, MeshSite, Site};
/// use wayfare_formats::polyanya_mesh;
///
/// let square = b"mesh\n2\n4 1\n0 0 1 0\n0 2 1 0\n2 2 1 0\n2 0 1 0\n4 3 2 1 0 -1 -1 -1 -1\n";
/// let site = MeshSite::new("square.mesh".as_ref(), polyanya_mesh::read(square)?);
/// let Layout::Polygons(mesh) = site.layout() else { panic!("it is a mesh") };
/// assert_eq!((mesh.vertices.len(), mesh.polygons[0].len()), (4, 4));
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Clone, PartialEq, Default, Debug)]
pub struct PolygonLayout {
    /// In metres: x, height, z.
    pub vertices: Vec<[f32; 3]>,
    /// For each state below their count the corners, indices into `vertices`; empty for a polygon
    /// that was removed.
    pub polygons: Vec<Vec<u32>>,
    /// For each polygon the id of its area.
    pub areas: Vec<u8>,
    /// The level that the mesh was baked from, where it was.
    pub level: Option<LevelLayout>,
}

/// A link between two places: a door, a bridge, a leap.
///
/// Example: [`Site::passages`](crate::Site::passages).
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct LinkLayout {
    /// The name, which says its kind: "door 'side door'".
    pub name: String,
    /// In world units: x, height, z of each end.
    pub ends: [[f32; 3]; 2],
    /// Whether it can also be used from the second end to the first.
    pub is_two_way: bool,
    /// Whether the agent may use it, with the keys that it has.
    pub is_open: bool,
}

/// The triangles of a level.
///
/// Example: [`PolygonLayout`].
#[derive(Clone, PartialEq, Default, Debug)]
pub struct LevelLayout {
    /// In metres: x, height, z.
    pub vertices: Vec<[f32; 3]>,
    /// For each triangle its corners, indices into `vertices`.
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle its colour, an index into `colours`.
    pub materials: Vec<u16>,
    /// Red, green, blue.
    pub colours: Vec<[u8; 3]>,
}

/// The blocks of a world that are not air and touch air, water or a door.
///
/// ```
/// use wayfare_site::{Layout, NoFiles, OpenOptions, open_bytes};
///
/// let world = b"voxels 2 2 1\nlayer 0\n##\nlayer 1\n.#\n";
/// let site = open_bytes("step.voxels", world, &NoFiles, &OpenOptions::default())?;
/// let Layout::Blocks(blocks) = site.layout() else { panic!("it is a world of blocks") };
/// assert_eq!(blocks.places, [[0, 0, 0], [1, 0, 0], [1, 1, 0]]);
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Clone, PartialEq, Default, Debug)]
pub struct BlockLayout {
    /// In blocks: x, height, z.
    pub size: [u32; 3],
    /// The blocks that can be seen.
    pub places: Vec<[u32; 3]>,
    /// For each of them its kind, an index into `kinds`.
    pub kind: Vec<u16>,
    /// The kinds.
    pub kinds: Vec<GroundLook>,
    /// Whether blocks were left out, as there are too many.
    pub is_cut: bool,
}

//! Voxel worlds as `.vox` files.

use dot_vox::{
    Color, Dict, DotVoxData, Frame, Material, Model, SceneNode, ShapeModel, Size, Voxel,
};
use wayfare_voxel::{BlockPosition, VoxelSize};

use super::{KEY, MOST};
use crate::error::{WorldError, WorldErrorKind};
use crate::limits::MAX_VOX_VOXELS;
use crate::voxel_scene::VoxelScene;
use crate::voxel_text;

/// The version that files claim: the one in which scenes came.
const VERSION: u32 = 150;

/// The longest side of a world: MagicaVoxel shows coordinates from -1,000 to 999.
const MOST_OF_WORLD: u32 = 2 * MIDDLE;
const MIDDLE: u32 = 1000;

/// Colours of a file; index 0 is air.
const MOST_KINDS: usize = 255;

/// Writes a world as models of up to 256 voxels a side, with a scene that puts them together.
/// Routes and unloaded boxes are lost.
///
/// # Errors
/// When a side is longer than 2,000 blocks, there are more than 255 kinds of block besides air, or
/// more than [`MAX_VOX_VOXELS`] blocks.
pub fn write(world: &VoxelScene) -> Result<Vec<u8>, WorldError> {
    let VoxelSize { width, height, depth } = world.size();
    let limit = |message: String| Err(WorldError::new(WorldErrorKind::NotRepresentable, message));
    if let Some(side) = [width, height, depth].into_iter().find(|side| *side > MOST_OF_WORLD) {
        return limit(format!(
            "a .vox world is at most {MOST_OF_WORLD} voxels a side, and this one has {side}"
        ));
    }
    let kinds = world.palette().len() - 1;
    if kinds > MOST_KINDS {
        return limit(format!(
            "a .vox file has {MOST_KINDS} colours, and this world has {kinds} kinds of block"
        ));
    }
    let voxels = world.filled();
    if voxels > MAX_VOX_VOXELS as u64 {
        return limit(format!(
            "a .vox file holds {MAX_VOX_VOXELS} voxels here, and this world has {voxels} blocks"
        ));
    }

    // In the axes of the file: y is up here and z there, and z here runs against y there.
    let boxes = Boxes { sides: [width, depth, height] };
    let (mut models, corners): (Vec<Model>, Vec<[u32; 3]>) = boxes.all().unzip();
    for (BlockPosition { x, y, z }, block) in world.blocks() {
        let at = [x, depth - 1 - z, y];
        let [x, y, z] = at.map(|part| (part % MOST) as u8);
        // Kinds are numbered from 1, as colours are in the file; in this crate they begin at 0.
        models[boxes.number(at)].voxels.push(Voxel { x, y, z, i: (block.0 - 1) as u8 });
    }
    let scenes = scene(boxes.sides, &models, &corners);
    let mut palette: Vec<Color> = Vec::with_capacity(256);
    let mut materials = Vec::new();
    for (id, kind) in (1..).zip(world.palette().iter().skip(1)) {
        let [r, g, b] = kind.color;
        palette.push(Color { r, g, b, a: 255 });
        // One property only: the crate writes them in the order of a hash map.
        let properties = Dict::from([(KEY.to_owned(), voxel_text::write_block(kind)?)]);
        materials.push(Material { id, properties });
    }
    palette.resize(256, Color { r: 0, g: 0, b: 0, a: 255 });
    let data = DotVoxData {
        version: VERSION,
        index_map: Vec::new(),
        models,
        palette,
        materials,
        scenes,
        layers: Vec::new(),
    };
    let mut bytes = Vec::new();
    data.write_vox(&mut bytes).map_err(|error| WorldError::io(&error, "writing the models"))?;
    Ok(bytes)
}

/// A world cut into models.
struct Boxes {
    sides: [u32; 3],
}

impl Boxes {
    fn counts(&self) -> [u32; 3] {
        self.sides.map(|side| side.div_ceil(MOST))
    }

    /// Returns empty models with their lowest corners. Models without voxels are kept: the scene is
    /// as large as they are.
    fn all(&self) -> impl Iterator<Item = (Model, [u32; 3])> {
        let [across, along, up] = self.counts();
        let corners = (0..up).flat_map(move |z| {
            (0..along).flat_map(move |y| (0..across).map(move |x| [x * MOST, y * MOST, z * MOST]))
        });
        corners.map(|corner| {
            let side = |axis: usize| (self.sides[axis] - corner[axis]).min(MOST);
            let size = Size { x: side(0), y: side(1), z: side(2) };
            (Model { size, voxels: Vec::new() }, corner)
        })
    }

    fn number(&self, at: [u32; 3]) -> usize {
        let [across, along, _] = self.counts();
        let [x, y, z] = at.map(|part| part / MOST);
        ((z * along + y) * across + x) as usize
    }
}

/// Returns a group of all models, each where its corner is. The world stands on the origin with its
/// middle above it, and goes below where it would reach too far up.
fn scene(sides: [u32; 3], models: &[Model], corners: &[[u32; 3]]) -> Vec<SceneNode> {
    let transform = |frame: Dict, child: u32, layer_id: u32| SceneNode::Transform {
        attributes: Dict::default(),
        frames: vec![Frame::new(frame)],
        child,
        layer_id,
    };
    let back = [sides[0] / 2, sides[1] / 2, sides[2].saturating_sub(MIDDLE)];
    let numbers = || 0..models.len() as u32;
    let children = numbers().map(|number| 2 + 2 * number).collect();
    let mut nodes = vec![
        transform(Dict::default(), 1, u32::MAX),
        SceneNode::Group { attributes: Dict::default(), children },
    ];
    for ((number, model), corner) in numbers().zip(models).zip(corners) {
        // Models are placed by their middle.
        let Size { x, y, z } = model.size;
        let half = [x / 2, y / 2, z / 2];
        let [x, y, z]: [i64; 3] = std::array::from_fn(|axis| {
            i64::from(corner[axis] + half[axis]) - i64::from(back[axis])
        });
        let shift = Dict::from([("_t".to_owned(), format!("{x} {y} {z}"))]);
        nodes.push(transform(shift, 3 + 2 * number, 0));
        let shape = ShapeModel { model_id: number, attributes: Dict::default() };
        nodes.push(SceneNode::Shape { attributes: Dict::default(), models: vec![shape] });
    }
    nodes
}

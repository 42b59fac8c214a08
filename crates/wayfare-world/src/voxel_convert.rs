//! From one document of blocks to another.

use wayfare::space::voxel::{BlockId, BlockPosition};

use crate::error::WorldError;
use crate::movingai_3dmap::VoxelMap;
use crate::voxel_model::VoxelModel;
use crate::voxel_scene::{BlockType, VoxelScene, usual_color};

impl VoxelScene {
    /// The blocks of a model, those kinds that occur. Their names lose their spaces, and each gets a character.
    ///
    /// # Errors
    /// When a layer is too large for a text world, or more than 254 kinds of block occur.
    pub fn from_model(name: impl Into<String>, model: &VoxelModel) -> Result<Self, WorldError> {
        let mut scene = Self::new(name, model.size)?;
        let mut glyphs = glyphs();
        let mut numbers = vec![None; model.palette.len()];
        for &(at, material) in &model.blocks {
            let (Some(number), Some(look)) =
                (numbers.get_mut(usize::from(material)), model.palette.get(usize::from(material)))
            else {
                continue;
            };
            let block = match *number {
                Some(block) => block,
                None => {
                    let glyph = glyphs.next().unwrap_or_default();
                    let mut name: String =
                        look.name.split_whitespace().collect::<Vec<_>>().join("-");
                    if scene.blocks().iter().any(|block| block.name == name) {
                        name.push(glyph);
                    }
                    let color = look.color.unwrap_or_else(|| usual_color(look.kind));
                    let block = BlockType::new(glyph, name, look.kind).colored(color);
                    *number.insert(scene.add_block(block)?)
                }
            };
            scene.fill([at.x, at.y, at.z], [at.x, at.y, at.z], block)?;
        }
        Ok(scene)
    }

    /// The voxels of a map, as stone.
    ///
    /// # Errors
    /// When a layer is too large for a text world.
    pub fn from_map(name: impl Into<String>, map: &VoxelMap) -> Result<Self, WorldError> {
        let mut scene = Self::new(name, map.size())?;
        for at in map.blocked() {
            scene.fill([at.x, at.y, at.z], [at.x, at.y, at.z], BlockId::SOLID)?;
        }
        Ok(scene)
    }
}

impl VoxelMap {
    /// The blocks of a world that nobody passes. Everything else about it is lost.
    ///
    /// # Errors
    /// None for a sound world.
    pub fn from_scene(scene: &VoxelScene) -> Result<Self, WorldError> {
        let width = scene.size.width;
        let is_blocked = |number: u8| {
            scene.blocks.get(usize::from(number)).is_some_and(|block| block.block.kind.carries())
        };
        let blocked = scene.layers.iter().flat_map(|(&y, layer)| {
            (0..)
                .zip(layer)
                .filter(|(_, number)| is_blocked(**number))
                .map(move |(place, _)| BlockPosition::new(place % width, y, place / width))
        });
        Self::new(scene.size, blocked.collect())
    }
}

/// Characters that can stand for blocks, those that are easy to read first.
fn glyphs() -> impl Iterator<Item = char> {
    ('a'..='z').chain('A'..='Z').chain('0'..='9').chain('\u{c0}'..='\u{24f}')
}

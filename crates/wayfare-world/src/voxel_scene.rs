//! Voxel worlds as documents.

use std::collections::BTreeMap;

use wayfare::space::voxel::{
    Block, BlockCost, BlockId, BlockKind, BlockPosition, ChunkPosition, VoxelError, VoxelGrid,
    VoxelProfile, VoxelSize,
};

use crate::error::{WorldError, WorldErrorKind};
use crate::palette;

/// The longest side of a world.
pub(crate) const MOST_SIDE: u32 = 65_536;

/// The most blocks of a layer.
const MOST_IN_LAYER: u64 = 1 << 24;

/// The most kinds of block, air and stone among them.
const MOST_BLOCKS: usize = 256;

/// A kind of block as a file names it.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockType {
    /// Its character in text worlds: neither blank nor `;`.
    pub glyph: char,
    /// Unique in its world, without spaces.
    pub name: String,
    /// Red, green, blue.
    pub color: [u8; 3],
    /// What it is to a body, and what it costs everyone.
    pub block: Block,
}

impl BlockType {
    /// A block of that name that costs nothing extra, in the usual colour of its kind.
    pub fn new(glyph: char, name: impl Into<String>, kind: BlockKind) -> Self {
        Self { glyph, name: name.into(), color: usual_color(kind), block: kind.into() }
    }

    /// The same in another colour.
    #[must_use]
    pub fn colored(mut self, color: [u8; 3]) -> Self {
        self.color = color;
        self
    }
}

/// A route that a world asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoxelRoute {
    /// What it is called; may be empty.
    pub name: String,
    /// Where it begins.
    pub start: BlockPosition,
    /// Where it ends.
    pub goal: BlockPosition,
}

/// A box of blocks, both corners included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VoxelBox {
    /// The corner with the lowest x, y and z.
    pub from: BlockPosition,
    /// The corner with the highest.
    pub to: BlockPosition,
}

/// A voxel world as a document: blocks in layers, and routes. Takes memory for the layers that are not all air.
///
/// ```
/// use wayfare::space::voxel::{BlockId, BlockKind, BlockPosition, VoxelProfile, VoxelSize};
/// use wayfare_world::voxel_text::{self, BlockType, VoxelScene};
///
/// let size = VoxelSize { width: 4, height: 3, depth: 4 };
/// let mut model = VoxelScene::new("pond", size)?;
/// let water = model.add_block(BlockType::new('~', "water", BlockKind::Water))?;
/// model.fill([0, 0, 0], [3, 0, 3], BlockId::SOLID)?;
/// model.fill([1, 0, 1], [2, 0, 2], water)?;
/// let text = voxel_text::write(&model)?;
/// assert_eq!(voxel_text::read(text.as_bytes(), "pond")?, model);
/// let grid = model.to_grid(VoxelProfile::default()).expect("small enough");
/// assert_eq!(grid.block(BlockPosition::new(1, 0, 1)), Some(water));
/// # Ok::<(), wayfare_world::WorldError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct VoxelScene {
    name: String,
    pub(crate) size: VoxelSize,
    pub(crate) blocks: Vec<BlockType>,
    /// The layers that are not all air: block numbers along x, then z.
    pub(crate) layers: BTreeMap<u32, Vec<u8>>,
    pub(crate) routes: Vec<VoxelRoute>,
    pub(crate) unloaded: Vec<VoxelBox>,
}

impl VoxelScene {
    /// A world of air.
    ///
    /// # Errors
    /// When a side is zero or above 65,536, or a layer has more than 2²⁴ blocks.
    pub fn new(name: impl Into<String>, size: VoxelSize) -> Result<Self, WorldError> {
        let sides = [size.width, size.height, size.depth];
        if let Some(side) = sides.into_iter().find(|side| !(1..=MOST_SIDE).contains(side)) {
            return Err(WorldError::new(
                WorldErrorKind::Dimensions,
                format!("a side of {side} blocks is not from 1 to {MOST_SIDE}"),
            ));
        }
        if u64::from(size.width) * u64::from(size.depth) > MOST_IN_LAYER {
            return Err(WorldError::new(
                WorldErrorKind::Limit,
                format!(
                    "a layer of {} x {} blocks has more than {MOST_IN_LAYER}",
                    size.width, size.depth
                ),
            ));
        }
        let blocks = vec![
            BlockType::new('.', "air", BlockKind::Air),
            BlockType::new('#', "stone", BlockKind::Solid),
        ];
        let (layers, routes, unloaded) = (BTreeMap::new(), Vec::new(), Vec::new());
        Ok(Self { name: name.into(), size, blocks, layers, routes, unloaded })
    }

    /// Adds a kind of block; its number is the one that it also has in the palette of [`VoxelScene::to_grid`].
    ///
    /// # Errors
    /// When its name or character is taken or cannot be written, a cost is out of range, or there are 256 kinds already.
    pub fn add_block(&mut self, block: BlockType) -> Result<BlockId, WorldError> {
        let fail = |kind, message: String| Err(WorldError::new(kind, message));
        let BlockType { glyph, name, .. } = &block;
        if glyph.is_whitespace() || glyph.is_control() || *glyph == ';' {
            return fail(WorldErrorKind::Value, format!("{glyph:?} cannot stand for a block"));
        }
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return fail(
                WorldErrorKind::Value,
                format!("{name:?} is not a name: it is empty or has spaces"),
            );
        }
        if let Some(known) = self.blocks.iter().find(|known| known.glyph == *glyph) {
            return fail(
                WorldErrorKind::Duplicate,
                format!("'{glyph}' already stands for {}", known.name),
            );
        }
        if self.blocks.iter().any(|known| known.name == *name) {
            return fail(WorldErrorKind::Duplicate, format!("there is a block '{name}' already"));
        }
        let BlockCost { multiplier, penalty } = block.block.cost;
        if !(0.0..=1000.0).contains(&multiplier) || !(0.0..=10_000.0).contains(&penalty) {
            return fail(
                WorldErrorKind::Value,
                "a multiplier is from 0 to 1000, a penalty from 0 to 10000".to_owned(),
            );
        }
        if self.blocks.len() == MOST_BLOCKS {
            return fail(
                WorldErrorKind::Limit,
                format!("a world has at most {MOST_BLOCKS} kinds of block"),
            );
        }
        self.blocks.push(block);
        Ok(BlockId((self.blocks.len() - 1) as u16))
    }

    /// Fills the box between two corners, both included.
    ///
    /// # Errors
    /// When the box does not lie in the world, or there is no such block.
    pub fn fill(&mut self, from: [u32; 3], to: [u32; 3], block: BlockId) -> Result<(), WorldError> {
        let VoxelSize { width, height, depth } = self.size;
        let inside = (0..3).all(|axis| from[axis] <= to[axis])
            && to[0] < width
            && to[1] < height
            && to[2] < depth;
        if !inside {
            return Err(WorldError::new(
                WorldErrorKind::Dimensions,
                format!("the box from {from:?} to {to:?} does not lie in the world"),
            ));
        }
        let number = match u8::try_from(block.0) {
            Ok(number) if usize::from(number) < self.blocks.len() => number,
            _ => {
                return Err(WorldError::new(
                    WorldErrorKind::Dangling,
                    format!("there is no block {}", block.0),
                ));
            }
        };
        for y in from[1]..=to[1] {
            let of_layer = (width * depth) as usize;
            let layer = self.layers.entry(y).or_insert_with(|| vec![0; of_layer]);
            for z in from[2]..=to[2] {
                let row = (z * width) as usize;
                layer[row + from[0] as usize..=row + to[0] as usize].fill(number);
            }
            if number == 0 && layer.iter().all(|&block| block == 0) {
                self.layers.remove(&y);
            }
        }
        Ok(())
    }

    /// Adds a route.
    ///
    /// # Errors
    /// When an end lies outside the world, or the name cannot be a part of a line.
    pub fn add_route(&mut self, route: VoxelRoute) -> Result<(), WorldError> {
        if let Some(end) = [route.start, route.goal].into_iter().find(|&end| !self.contains(end)) {
            return Err(WorldError::new(
                WorldErrorKind::Dimensions,
                format!("the end {end} of a route lies outside the world"),
            ));
        }
        let words: Vec<&str> = route.name.split_whitespace().collect();
        if route.name != words.join(" ") || route.name.contains(char::is_control) {
            return Err(WorldError::new(
                WorldErrorKind::Value,
                format!("the route's name {:?} cannot stand in a line", route.name),
            ));
        }
        self.routes.push(route);
        Ok(())
    }

    /// Leaves the chunks that a box touches out of the worlds that are made of it.
    ///
    /// # Errors
    /// When the box does not lie in the world.
    pub fn add_unloaded(&mut self, missing: VoxelBox) -> Result<(), WorldError> {
        let VoxelBox { from, to } = missing;
        if from.x > to.x || from.y > to.y || from.z > to.z || !self.contains(to) {
            return Err(WorldError::new(
                WorldErrorKind::Dimensions,
                format!("the box from {from} to {to} does not lie in the world"),
            ));
        }
        self.unloaded.push(missing);
        Ok(())
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The extent along x, y and z.
    pub fn size(&self) -> VoxelSize {
        self.size
    }

    /// The kinds of block, by their number: air, stone, then those of the file.
    pub fn blocks(&self) -> &[BlockType] {
        &self.blocks
    }

    /// The routes that the world asks for.
    pub fn routes(&self) -> &[VoxelRoute] {
        &self.routes
    }

    /// The boxes whose chunks are not loaded.
    pub fn unloaded(&self) -> &[VoxelBox] {
        &self.unloaded
    }

    /// The block at a place; air outside.
    pub fn block(&self, at: BlockPosition) -> BlockId {
        let layer = self.layers.get(&at.y).filter(|_| self.contains(at));
        let number = layer.map_or(0, |layer| layer[(at.z * self.size.width + at.x) as usize]);
        BlockId(number.into())
    }

    /// How many blocks there are of each kind, by their number.
    pub fn histogram(&self) -> Vec<u64> {
        let mut counts = vec![0; self.blocks.len()];
        let VoxelSize { width, height, depth } = self.size;
        let mut air = u64::from(width) * u64::from(height) * u64::from(depth);
        for &block in self.layers.values().flatten() {
            counts[usize::from(block)] += 1;
            air -= 1;
        }
        counts[0] += air;
        counts
    }

    /// The world to search in.
    ///
    /// # Errors
    /// When there are more voxels than a grid can number, or the profile has an impossible value.
    pub fn to_grid(&self, profile: VoxelProfile) -> Result<VoxelGrid, VoxelError> {
        let palette: Vec<Block> = self.blocks.iter().map(|block| block.block).collect();
        let width = self.size.width;
        let given = self.layers.iter().flat_map(move |(&y, layer)| {
            (0..).zip(layer).filter(|(_, block)| **block != 0).map(move |(place, &block)| {
                (BlockPosition::new(place % width, y, place / width), BlockId(block.into()))
            })
        });
        let mut grid = VoxelGrid::from_blocks(self.size, &palette, profile, given)?;
        for VoxelBox { from, to } in &self.unloaded {
            let (low, high) = (from.chunk(), to.chunk());
            for z in low.z..=high.z {
                for x in low.x..=high.x {
                    for y in low.y..=high.y {
                        grid.unload_chunk(ChunkPosition { x, y, z })?;
                    }
                }
            }
        }
        Ok(grid)
    }

    fn contains(&self, at: BlockPosition) -> bool {
        let VoxelSize { width, height, depth } = self.size;
        at.x < width && at.y < height && at.z < depth
    }
}

/// The colour of blocks that have none of their own.
pub(crate) fn usual_color(kind: BlockKind) -> [u8; 3] {
    match kind {
        BlockKind::Water => palette::WATER,
        BlockKind::Lava => [0xD9, 0x5B, 0x2B],
        BlockKind::Ladder => palette::BRIDGE,
        BlockKind::Door => [0x9A, 0x5F, 0x36],
        BlockKind::Climbable => palette::TREES,
        BlockKind::Air => palette::GROUND,
        _ => [0x9A, 0x95, 0x8C],
    }
}

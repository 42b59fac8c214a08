//! Voxel worlds as documents, common to all formats of blocks.

use wayfare_voxel::{
    Block, BlockCost, BlockId, BlockKind, BlockPosition, ChunkPosition, VoxelError, VoxelGrid,
    VoxelProfile, VoxelSize,
};

use crate::error::{WorldError, WorldErrorKind};
use crate::limits::{ALWAYS_VOXELS, VOXELS_PER_RUN};
use crate::voxel_block::BlockType;
use crate::voxel_rows::{MOST_SIDE, Rows};

/// The most kinds of block, air and stone among them.
const MOST_KINDS: usize = 16_384;

/// A route that a world asks for.
///
/// ```
/// use wayfare::space::voxel::{BlockId, BlockPosition, VoxelSize};
/// use wayfare_formats::{VoxelRoute, VoxelScene};
///
/// let mut field = VoxelScene::new("field", VoxelSize { width: 4, height: 2, depth: 4 })?;
/// field.fill([0, 0, 0], [3, 0, 3], BlockId::SOLID)?;
/// let (start, goal) = (BlockPosition::new(0, 1, 0), BlockPosition::new(3, 1, 3));
/// field.add_route(VoxelRoute { name: "across".into(), start, goal })?;
/// assert_eq!(field.routes().len(), 1);
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoxelRoute {
    /// The name; may be empty.
    pub name: String,
    /// The start.
    pub start: BlockPosition,
    /// The goal.
    pub goal: BlockPosition,
}

/// A box of blocks, both corners included.
///
/// ```
/// use wayfare::space::voxel::BlockPosition;
/// use wayfare_formats::VoxelBox;
///
/// let floor = VoxelBox { from: BlockPosition::new(0, 0, 0), to: BlockPosition::new(9, 0, 9) };
/// assert_eq!(floor.to.x - floor.from.x + 1, 10);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VoxelBox {
    /// The corner with the lowest x, y and z.
    pub from: BlockPosition,
    /// The corner with the highest.
    pub to: BlockPosition,
}

/// Equal blocks in a row along x, none of them air.
///
/// ```
/// use wayfare::space::voxel::{BlockId, VoxelSize};
/// use wayfare_formats::VoxelScene;
///
/// let mut field = VoxelScene::new("field", VoxelSize { width: 4, height: 2, depth: 4 })?;
/// field.fill([1, 0, 2], [3, 0, 2], BlockId::SOLID)?;
/// let run = field.runs().next().expect("there are blocks");
/// assert_eq!((run.from.x, run.length, run.block), (1, 3, BlockId::SOLID));
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VoxelRun {
    /// The first of them.
    pub from: BlockPosition,
    /// The number of blocks, at least 1.
    pub length: u32,
    /// The kind of the blocks.
    pub block: BlockId,
}

/// A voxel world as a document: blocks in a box of air, with routes and unloaded boxes. y is up.
///
/// Whatever format it comes from, the first kind of block is air and the second plain stone. Its
/// memory grows with the stretches of equal blocks along x: twelve bytes a stretch at most, and
/// less than a hundred a row in which there are any.
///
/// ```
/// use wayfare::space::voxel::{BlockId, BlockKind, BlockPosition, VoxelProfile, VoxelSize};
/// use wayfare_formats::{BlockType, VoxelScene, schem, voxel_text};
///
/// let size = VoxelSize { width: 4, height: 3, depth: 4 };
/// let mut pond = VoxelScene::new("pond", size)?;
/// let water = pond.add_block(BlockType::new('~', "water", BlockKind::Water))?;
/// pond.fill([0, 0, 0], [3, 0, 3], BlockId::SOLID)?;
/// pond.fill([1, 0, 1], [2, 0, 2], water)?;
/// let text = voxel_text::write(&pond)?;
/// assert_eq!(voxel_text::read(text.as_bytes(), "pond")?, pond);
/// let schematic = schem::read(&schem::write(&pond)?, "pond")?;
/// assert_eq!(schematic.filled(), 16);
/// let grid = pond.to_grid(VoxelProfile::default()).expect("small enough");
/// assert_eq!(grid.block(BlockPosition::new(1, 0, 1)), Some(water));
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct VoxelScene {
    name: String,
    size: VoxelSize,
    pub(crate) palette: Vec<BlockType>,
    pub(crate) rows: Rows,
    routes: Vec<VoxelRoute>,
    unloaded: Vec<VoxelBox>,
}

impl VoxelScene {
    /// Returns a world of air.
    ///
    /// # Errors
    /// When a side is zero or above 65,536.
    pub fn new(name: impl Into<String>, size: VoxelSize) -> Result<Self, WorldError> {
        let sides = [size.width, size.height, size.depth];
        if let Some(side) = sides.into_iter().find(|side| !(1..=MOST_SIDE).contains(side)) {
            return Err(WorldError::new(
                WorldErrorKind::Dimensions,
                format!("a side of {side} blocks is not from 1 to {MOST_SIDE}"),
            ));
        }
        let palette = vec![
            BlockType::new('.', "air", BlockKind::Air),
            BlockType::new('#', "stone", BlockKind::Solid),
        ];
        let (rows, routes, unloaded) = (Rows::default(), Vec::new(), Vec::new());
        Ok(Self { name: name.into(), size, palette, rows, routes, unloaded })
    }

    /// Adds a kind of block; its id is the one that it also has in the palette of
    /// [`VoxelScene::to_grid`].
    ///
    /// # Errors
    /// When its name or character is taken or cannot be written, a cost is out of range, or there
    /// are 16,384 kinds already.
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
        if let Some(known) = self.palette.iter().find(|known| known.glyph == *glyph) {
            return fail(
                WorldErrorKind::Duplicate,
                format!("'{glyph}' already stands for {}", known.name),
            );
        }
        if self.palette.iter().any(|known| known.name == *name) {
            return fail(WorldErrorKind::Duplicate, format!("there is a block '{name}' already"));
        }
        check_cost(block.block.cost)?;
        if self.palette.len() == MOST_KINDS {
            return fail(
                WorldErrorKind::Limit,
                format!("a world has at most {MOST_KINDS} kinds of block"),
            );
        }
        self.palette.push(block);
        Ok(BlockId((self.palette.len() - 1) as u16))
    }

    /// Changes the effect of a kind of block on a body, for formats that know only colours.
    ///
    /// # Errors
    /// If there is no such kind, it is air or plain stone, which never change, or the cost is out
    /// of range.
    pub fn redefine(&mut self, id: BlockId, block: impl Into<Block>) -> Result<(), WorldError> {
        if id <= BlockId::SOLID {
            return Err(WorldError::new(
                WorldErrorKind::Value,
                "air and plain stone are what they are in every world",
            ));
        }
        let block = block.into();
        check_cost(block.cost)?;
        self.check_block(id)?;
        self.palette[usize::from(id.0)].block = block;
        Ok(())
    }

    /// Fills the box between two corners, both included.
    ///
    /// # Errors
    /// When the box does not lie in the world, or there is no such kind of block.
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
        self.check_block(block)?;
        for y in from[1]..=to[1] {
            for z in from[2]..=to[2] {
                self.rows.fill(y, z, [from[0], to[0]], block.0);
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

    /// Returns the name of the world.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the extent along x, y and z.
    pub fn size(&self) -> VoxelSize {
        self.size
    }

    /// Returns the kinds of block, by their id: air, plain stone, then the others.
    pub fn palette(&self) -> &[BlockType] {
        &self.palette
    }

    /// Returns the blocks that are not air, from the bottom up, then along z, then along x.
    pub fn runs(&self) -> impl Iterator<Item = VoxelRun> {
        self.rows.iter().map(|(y, z, stretch)| VoxelRun {
            from: BlockPosition::new(stretch.first.into(), y, z),
            length: stretch.length(),
            block: BlockId(stretch.block),
        })
    }

    /// Returns the positions of those blocks, each with its block.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (BlockPosition, BlockId)> {
        self.runs().flat_map(|VoxelRun { from: BlockPosition { x, y, z }, length, block }| {
            (x..x + length).map(move |x| (BlockPosition::new(x, y, z), block))
        })
    }

    /// Returns the routes that the world asks for.
    pub fn routes(&self) -> &[VoxelRoute] {
        &self.routes
    }

    /// Returns the boxes whose chunks are not loaded.
    pub fn unloaded(&self) -> &[VoxelBox] {
        &self.unloaded
    }

    /// Returns the block at a position; air outside.
    pub fn block(&self, at: BlockPosition) -> BlockId {
        BlockId(if self.contains(at) { self.rows.get(at) } else { 0 })
    }

    /// Returns the number of blocks that are not air.
    pub fn filled(&self) -> u64 {
        self.runs().map(|run| u64::from(run.length)).sum()
    }

    /// Checks that the world is not vast out of proportion to its blocks: that it has no more than
    /// `most` voxels, air included; by default [`ALWAYS_VOXELS`], and [`VOXELS_PER_RUN`] for each
    /// stretch of equal blocks. A grid takes about 100 bytes for 4,096 voxels of air.
    ///
    /// O(stretches), and only where the world has more than [`ALWAYS_VOXELS`].
    ///
    /// # Errors
    /// When it has more.
    pub fn check_extent(&self, most: Option<u64>) -> Result<(), WorldError> {
        let VoxelSize { width, height, depth } = self.size;
        let voxels = u64::from(width) * u64::from(height) * u64::from(depth);
        let usual = || {
            let runs = if voxels > ALWAYS_VOXELS { self.runs().count() as u64 } else { 0 };
            ALWAYS_VOXELS.saturating_add(runs.saturating_mul(VOXELS_PER_RUN))
        };
        let most = most.unwrap_or_else(usual);
        if voxels <= most {
            return Ok(());
        }
        let message = format!(
            "a world of {width} x {height} x {depth} blocks is vast for what lies in it; at most \
             {most} voxels are opened"
        );
        Err(WorldError::new(WorldErrorKind::Limit, message)
            .advise(format!("where memory is no concern, --max-voxels {voxels} opens it")))
    }

    /// Returns the number of blocks of each kind, by its id.
    pub fn histogram(&self) -> Vec<u64> {
        let mut counts = vec![0; self.palette.len()];
        for run in self.runs() {
            counts[usize::from(run.block.0)] += u64::from(run.length);
        }
        let VoxelSize { width, height, depth } = self.size;
        let volume = u64::from(width) * u64::from(height) * u64::from(depth);
        counts[0] = volume - counts.iter().sum::<u64>();
        counts
    }

    /// Returns the world to search in.
    ///
    /// # Errors
    /// If there are more voxels than a grid's ids, or the profile has an impossible value.
    pub fn to_grid(&self, profile: VoxelProfile) -> Result<VoxelGrid, VoxelError> {
        let palette: Vec<Block> = self.palette.iter().map(|kind| kind.block).collect();
        let mut grid = VoxelGrid::from_blocks(self.size, &palette, profile, self.blocks())?;
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

    fn check_block(&self, id: BlockId) -> Result<(), WorldError> {
        if usize::from(id.0) < self.palette.len() {
            return Ok(());
        }
        Err(WorldError::new(WorldErrorKind::Dangling, format!("there is no block {}", id.0)))
    }
}

fn check_cost(BlockCost { multiplier, penalty }: BlockCost) -> Result<(), WorldError> {
    if (0.0..=1000.0).contains(&multiplier) && (0.0..=10_000.0).contains(&penalty) {
        return Ok(());
    }
    Err(WorldError::new(
        WorldErrorKind::Value,
        "a multiplier is from 0 to 1000, a penalty from 0 to 10000",
    ))
}

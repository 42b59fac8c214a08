//! Builds, loads and edits voxel worlds.

use glam::Vec3;
use wayfare_core::inside::EditLog;
use wayfare_core::space::{Cost, ProfileId, Revision, Space};

use super::chunk::Chunk;
use super::edit::VoxelEdit;
use super::layer::Layer;
use super::layout::{At, CHUNK_BLOCKS, Layout};
use super::regions::Regions;
use super::{
    Block, BlockId, BlockKind, BlockPosition, CHUNK_SIDE, ChunkPosition, Voxel, VoxelError,
    VoxelProfile, VoxelSize, VoxelSpace,
};

/// The origin and scale of a voxel world.
///
/// ```
/// use glam::Vec3;
/// use wayfare::space::voxel::{BlockPosition, VoxelFrame, VoxelGrid, VoxelProfile, VoxelSize};
/// let size = VoxelSize { width: 4, height: 4, depth: 4 };
/// let frame = VoxelFrame { origin: Vec3::new(10.0, 0.0, 0.0), block_size: 0.5 };
/// let world = VoxelGrid::new(size, VoxelProfile::default())?.with_frame(frame)?;
/// let voxel = world.voxel_at(Vec3::new(10.6, 0.0, 0.0)).unwrap();
/// assert_eq!(world.position_of(voxel), BlockPosition::new(1, 0, 0));
/// # Ok::<(), wayfare::space::voxel::VoxelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct VoxelFrame {
    /// The corner of the world with the lowest x, y and z. Default: the origin.
    pub origin: Vec3,
    /// The side of a block in world units. Default 1.
    pub block_size: f32,
}

impl Default for VoxelFrame {
    fn default() -> Self {
        Self { origin: Vec3::ZERO, block_size: 1.0 }
    }
}

/// The blocks of a world.
#[derive(Clone, Debug)]
pub(crate) struct Blocks {
    pub(crate) layout: Layout,
    pub(crate) chunks: Vec<Chunk>,
    pub(crate) palette: Vec<Block>,
}

impl Blocks {
    /// Returns the block at a position; `None` off the map and in chunks that are not loaded.
    #[inline]
    pub(crate) fn get(&self, at: At) -> Option<BlockId> {
        if !self.layout.contains(at) {
            return None;
        }
        self.chunks[self.layout.chunk(at)].get(self.layout.block(at))
    }
}

/// A voxel world: blocks in chunks of 16³, and the data derived from them for each profile. y is
/// up.
///
/// A chunk of equal blocks takes 16 bytes. Another one takes as many bits a block as its palette
/// needs. A profile takes up to four bits a voxel in chunks that are not uniform. Chunks may be
/// missing: agents cannot enter them, and a query to one is answered with
/// [`NotLoaded`](wayfare_core::space::Obstruction::NotLoaded).
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::space::voxel::{BlockId, BlockPosition, VoxelGrid, VoxelProfile, VoxelSize};
/// let size = VoxelSize { width: 8, height: 4, depth: 8 };
/// let mut world = VoxelGrid::new(size, VoxelProfile::default())?;
/// for z in 0..8 {
///     for x in 0..8 {
///         world.set_block(BlockPosition::new(x, 0, z), BlockId::SOLID)?;
///     }
/// }
/// world.set_block(BlockPosition::new(4, 1, 4), BlockId::SOLID)?; // a step, one block high
/// let (a, b) = (world.voxel(BlockPosition::new(0, 1, 4)).unwrap(), world.voxel(BlockPosition::new(4, 2, 4)).unwrap());
/// let answer = solve(&world.space(), &AStar::new(), Query::new(a, b));
/// assert_eq!(answer.outcome.path().map(Path::len), Some(4)); // the last move is a jump
/// # Ok::<(), wayfare::space::voxel::VoxelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct VoxelGrid {
    pub(super) blocks: Blocks,
    pub(super) frame: VoxelFrame,
    pub(super) layers: Vec<Layer>,
    pub(super) revision: Revision,
    /// The last edit of each chunk.
    pub(super) edits: EditLog,
}

impl VoxelGrid {
    /// Returns a world of air, all of it loaded.
    ///
    /// # Errors
    /// If the size or a value of the profile is out of range.
    pub fn new(size: VoxelSize, profile: VoxelProfile) -> Result<Self, VoxelError> {
        Self::filled(size, profile, Chunk::Uniform(BlockId::AIR))
    }

    /// Returns a world without any loaded chunk. See [`VoxelGrid::load_chunk`].
    ///
    /// # Errors
    /// If the size or a value of the profile is out of range.
    pub fn unloaded(size: VoxelSize, profile: VoxelProfile) -> Result<Self, VoxelError> {
        Self::filled(size, profile, Chunk::NotLoaded)
    }

    /// Returns a world with the blocks that `block` returns, called once per position. Uniform
    /// chunks take no further memory.
    ///
    /// # Errors
    /// If the size or a value of the profile is out of range, or a block is not in the palette.
    pub fn from_fn(
        size: VoxelSize,
        palette: &[Block],
        profile: VoxelProfile,
        mut block: impl FnMut(BlockPosition) -> BlockId,
    ) -> Result<Self, VoxelError> {
        let mut blocks = Blocks::new(size, Chunk::NotLoaded)?;
        blocks.palette = Self::check_palette(palette)?;
        for chunk in blocks.layout.chunks_on_map() {
            let mut of_chunk = [BlockId::AIR; CHUNK_BLOCKS];
            for local in 0..CHUNK_BLOCKS {
                let at = blocks.layout.at(Voxel((chunk << 12 | local) as u32));
                if blocks.layout.contains(at) {
                    let slot = &mut of_chunk[blocks.layout.block(at)];
                    *slot = block(position(at));
                    blocks.check(*slot)?;
                }
            }
            blocks.chunks[chunk] = Chunk::pack(&of_chunk);
        }
        Self::with_blocks(blocks, profile)
    }

    /// Returns a world of air with the given blocks in it; of several at one position the last
    /// counts. O(given blocks and their neighbourhood).
    ///
    /// # Errors
    /// If the size or a value of the profile is out of range, a position is off the map, or a block
    /// is not in the palette.
    pub fn from_blocks(
        size: VoxelSize,
        palette: &[Block],
        profile: VoxelProfile,
        given: impl IntoIterator<Item = (BlockPosition, BlockId)>,
    ) -> Result<Self, VoxelError> {
        let mut blocks = Blocks::new(size, Chunk::Uniform(BlockId::AIR))?;
        blocks.palette = Self::check_palette(palette)?;
        for (at, block) in given {
            let place = blocks.place(at).ok_or(VoxelError::OffMap { at })?;
            blocks.check(block)?;
            blocks.chunks[blocks.layout.chunk(place)].set(blocks.layout.block(place), block);
        }
        Self::with_blocks(blocks, profile)
    }

    fn filled(size: VoxelSize, profile: VoxelProfile, chunk: Chunk) -> Result<Self, VoxelError> {
        Self::with_blocks(Blocks::new(size, chunk)?, profile)
    }

    fn with_blocks(blocks: Blocks, profile: VoxelProfile) -> Result<Self, VoxelError> {
        let layers = vec![Layer::new(profile, &blocks, &[])?];
        let (frame, revision) = (VoxelFrame::default(), Revision::default());
        Ok(Self { blocks, frame, layers, revision, edits: EditLog::default() })
    }

    /// Adds [`BlockId::AIR`] and [`BlockId::SOLID`] to a palette of fewer than two blocks.
    fn check_palette(palette: &[Block]) -> Result<Vec<Block>, VoxelError> {
        let mut palette = palette.to_vec();
        for kind in [BlockKind::Air, BlockKind::Solid].into_iter().skip(palette.len()) {
            palette.push(kind.into());
        }
        if palette.len() > 1 << 16 { Err(VoxelError::TooManyBlocks) } else { Ok(palette) }
    }

    /// Returns the same world with another origin or scale.
    ///
    /// # Errors
    /// If a coordinate is not finite, or the block size is not finite and above 0.
    pub fn with_frame(mut self, frame: VoxelFrame) -> Result<Self, VoxelError> {
        let bad = frame.origin.to_array().into_iter().find(|part| !part.is_finite());
        if let Some(value) = bad {
            return Err(VoxelError::OutOfRange { field: "origin", value, range: "finite" });
        }
        if !(frame.block_size > 0.0 && frame.block_size.is_finite()) {
            return Err(VoxelError::OutOfRange {
                field: "block size",
                value: frame.block_size,
                range: "a finite number above zero",
            });
        }
        self.frame = frame;
        Ok(self)
    }

    /// Adds a block to the palette and returns its id.
    ///
    /// # Errors
    /// If its cost is out of range or the palette is full.
    pub fn add_block(&mut self, block: impl Into<Block>) -> Result<BlockId, VoxelError> {
        let id = u16::try_from(self.blocks.palette.len()).map_err(|_| VoxelError::TooManyBlocks)?;
        let mut palette = self.blocks.palette.clone();
        palette.push(block.into());
        for layer in &mut self.layers {
            // Only the new block can be wrong, and the first layer would say so.
            layer.extend_palette(&palette, &self.blocks.layout)?;
        }
        self.blocks.palette = palette;
        Ok(BlockId(id))
    }

    /// Adds a profile and derives its data. O(blocks in chunks with differing surroundings).
    ///
    /// ```
    /// use wayfare::space::voxel::{VoxelGrid, VoxelProfile, VoxelSize};
    /// let size = VoxelSize { width: 8, height: 8, depth: 8 };
    /// let mut grid = VoxelGrid::new(size, VoxelProfile::default())?;
    /// let bird = grid.add_profile(VoxelProfile::flyer())?;
    /// assert!(grid.space_for::<u64>(bird).profile().abilities.fly);
    /// # Ok::<(), wayfare::space::voxel::VoxelError>(())
    /// ```
    ///
    /// # Errors
    /// If a value of the profile is out of range, or the grid has 65,536 profiles already.
    pub fn add_profile(&mut self, profile: VoxelProfile) -> Result<ProfileId, VoxelError> {
        let id = u16::try_from(self.layers.len()).map_err(|_| VoxelError::TooManyProfiles)?;
        self.layers.push(Layer::new(profile, &self.blocks, &self.layers)?);
        Ok(ProfileId(id))
    }

    /// Returns the ids of all profiles; at least one.
    pub fn profiles(&self) -> impl Iterator<Item = ProfileId> + use<> {
        (0..self.layers.len()).map(|id| ProfileId(id as u16))
    }

    /// Returns whether the world has a profile with the given id.
    #[must_use]
    pub fn has_profile(&self, profile: ProfileId) -> bool {
        usize::from(profile.0) < self.layers.len()
    }

    /// Returns the profile with the given id; `None` if the world has no such profile.
    #[must_use]
    pub fn profile(&self, profile: ProfileId) -> Option<&VoxelProfile> {
        Some(&self.layers.get(usize::from(profile.0))?.profile)
    }

    /// Returns the space of the first profile. Its `u32` costs allow 522,000 straight steps.
    #[must_use]
    pub fn space(&self) -> VoxelSpace<'_> {
        self.space_for(ProfileId(0))
    }

    /// Returns the space of a profile. Its `u32` costs allow 522,000 straight steps. See
    /// [`VoxelGrid::space_for`].
    #[must_use]
    pub fn space_of(&self, profile: ProfileId) -> VoxelSpace<'_> {
        self.space_for(profile)
    }

    /// Returns the space of a profile, with costs of a chosen type:
    /// `world.space_for::<u64>(profile)` for very long paths.
    ///
    /// For an unknown id all states are blocked: every query is answered with
    /// [`NoSuchProfile`](wayfare_core::space::Obstruction::NoSuchProfile). See
    /// [`VoxelGrid::has_profile`].
    #[must_use]
    pub fn space_for<C: Cost>(&self, profile: ProfileId) -> VoxelSpace<'_, C> {
        VoxelSpace::new(self, self.layer(profile), self.has_profile(profile))
    }

    /// Derives the data of a profile that the world does not have yet.
    pub(crate) fn derive(&self, profile: &VoxelProfile) -> Result<Layer, VoxelError> {
        Layer::new(profile.clone(), &self.blocks, &self.layers)
    }

    /// Returns whether agents of a layer have the same moves as agents of a profile.
    pub(crate) fn has_moves_of(&self, layer: &Layer, profile: ProfileId) -> bool {
        layer.has_moves_of(self.layer(profile), &self.blocks)
    }

    /// Returns the count of voxels that agents of a profile can be at. O(chunks with room),
    /// whatever the size of the world.
    #[must_use]
    pub fn free_voxels(&self, profile: ProfileId) -> u64 {
        self.layer(profile).free(&self.blocks)
    }

    /// Returns the space of such a profile.
    pub(crate) fn space_over<'g, C: Cost>(&'g self, layer: &'g Layer) -> VoxelSpace<'g, C> {
        VoxelSpace::new(self, layer, true)
    }

    fn layer(&self, profile: ProfileId) -> &Layer {
        self.layers.get(usize::from(profile.0)).unwrap_or(&self.layers[0])
    }

    /// Divides the states of a profile into regions. From then on a query without a path is
    /// answered at once, with the reason
    /// [`DifferentIslands`](wayfare_core::search::NoPath::DifferentIslands), and searches do not
    /// look for walls around the goal.
    ///
    /// **When to use it:** in worlds with many queries, some of which may have no answer. A single
    /// search takes less time than the regions do. They follow edits: an edit then takes time for
    /// the chunks of the states whose moves it changes, and lasts longer than one without regions.
    ///
    /// Does nothing for a profile that the world does not have, or that has its regions.
    /// O(states · moves). Memory: see [`VoxelGrid::region_bytes`].
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::search::Query;
    /// use wayfare::space::voxel::{BlockId, BlockPosition, VoxelGrid, VoxelProfile, VoxelSize};
    /// let size = VoxelSize { width: 40, height: 4, depth: 1 };
    /// let place = |x: u32| BlockPosition::new(x, 0, 0);
    /// let floor = (0..40).filter(|&x| x != 20);
    /// let floor = floor.map(|x| (place(x), BlockId::SOLID));
    /// let mut world = VoxelGrid::from_blocks(size, &[], VoxelProfile::default(), floor)?;
    /// let first = world.profiles().next().unwrap();
    /// world.prepare_regions(first);
    /// let [a, b] = [0, 39].map(|x| world.voxel(BlockPosition::new(x, 1, 0)).unwrap());
    /// let answer = solve(&world.space(), &AStar::new(), Query::new(a, b));
    /// assert!(!answer.outcome.is_found() && answer.stats.expanded == 0);
    /// world.set_block(place(20), BlockId::SOLID)?; // a bridge
    /// assert!(solve(&world.space(), &AStar::new(), Query::new(a, b)).outcome.is_found());
    /// # Ok::<(), wayfare::space::voxel::VoxelError>(())
    /// ```
    pub fn prepare_regions(&mut self, profile: ProfileId) {
        let Some(layer) = self.layers.get(usize::from(profile.0)) else { return };
        if layer.regions.is_none() {
            let regions = Regions::new(&self.space_over(layer));
            self.layers[usize::from(profile.0)].regions = Some(regions);
        }
    }

    /// Drops the [regions](VoxelGrid::prepare_regions) of a profile: edits are quicker without.
    pub fn forget_regions(&mut self, profile: ProfileId) {
        if let Some(layer) = self.layers.get_mut(usize::from(profile.0)) {
            layer.regions = None;
        }
    }

    /// Returns the memory of the [regions](VoxelGrid::prepare_regions) of all profiles, in bytes.
    #[must_use]
    pub fn region_bytes(&self) -> usize {
        let regions = self.layers.iter().filter_map(|layer| layer.regions.as_ref());
        regions.map(Regions::size_in_bytes).sum()
    }

    /// Has the regions of a layer follow the change of boxes of blocks, corners included.
    fn update_regions(&mut self, layer: usize, changes: impl Iterator<Item = (At, At)>) {
        let Some(mut regions) = self.layers[layer].regions.take() else { return };
        let chunks = self.chunks_around(layer, changes);
        regions.update(&self.space_over(&self.layers[layer]), &chunks);
        self.layers[layer].regions = Some(regions);
    }

    /// Returns the size of the world.
    #[must_use]
    pub fn size(&self) -> VoxelSize {
        self.blocks.layout.size
    }

    /// Returns the origin and scale of the world.
    #[must_use]
    pub fn frame(&self) -> VoxelFrame {
        self.frame
    }

    /// Returns the count of edits since the world was built.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns all blocks, [`BlockId::AIR`] first.
    #[must_use]
    pub fn palette(&self) -> &[Block] {
        &self.blocks.palette
    }

    /// Returns the memory of the blocks and of all profiles, in bytes.
    #[must_use]
    pub fn size_in_bytes(&self) -> usize {
        self.block_bytes()
            + self.layers.iter().map(Layer::size_in_bytes).sum::<usize>()
            + self.edits.size_in_bytes()
    }

    /// Returns the memory of the blocks, in bytes.
    fn block_bytes(&self) -> usize {
        self.blocks.chunks.capacity() * size_of::<Chunk>()
            + self.blocks.chunks.iter().map(Chunk::size_in_bytes).sum::<usize>()
    }

    /// Returns the voxel at a position; `None` off the map.
    #[must_use]
    pub fn voxel(&self, at: BlockPosition) -> Option<Voxel> {
        let place = self.blocks.place(at)?;
        Some(self.blocks.layout.voxel(place))
    }

    /// Returns the position of a voxel of this world.
    #[must_use]
    pub fn position_of(&self, voxel: Voxel) -> BlockPosition {
        position(self.blocks.layout.at(voxel))
    }

    /// Returns the voxel that contains a world point; `None` off the map.
    #[must_use]
    pub fn voxel_at(&self, point: Vec3) -> Option<Voxel> {
        let [x, y, z] = ((point - self.frame.origin) / self.frame.block_size).to_array();
        let whole = |part: f32| (0.0..2.0e9).contains(&part).then_some(part as u32);
        self.voxel(BlockPosition::new(whole(x)?, whole(y)?, whole(z)?))
    }

    /// Returns the world point at the middle of a voxel.
    #[must_use]
    pub fn centre(&self, voxel: Voxel) -> Vec3 {
        self.space().position(voxel)
    }

    /// Returns the block at a position; `None` off the map and in chunks that are not loaded.
    #[must_use]
    pub fn block(&self, at: BlockPosition) -> Option<BlockId> {
        self.blocks.get(self.blocks.place(at)?)
    }

    /// Returns whether the position is on the map and its chunk is loaded.
    #[must_use]
    pub fn is_loaded(&self, at: BlockPosition) -> bool {
        self.block(at).is_some()
    }

    /// Changes one block. See [`VoxelGrid::set_blocks`].
    ///
    /// # Errors
    /// If the position is off the map or not loaded, or the palette has no such block.
    pub fn set_block(
        &mut self,
        at: BlockPosition,
        block: BlockId,
    ) -> Result<VoxelEdit, VoxelError> {
        self.set_blocks([(at, block)])
    }

    /// Changes any count of blocks as one edit, or none on an error. Takes the next revision,
    /// unless nothing changes.
    ///
    /// The returned edit tells which paths it touches and can be undone. O(changes) for each
    /// profile.
    ///
    /// # Errors
    /// If a position is off the map or not loaded, or the palette has no such block.
    pub fn set_blocks(
        &mut self,
        edits: impl IntoIterator<Item = (BlockPosition, BlockId)>,
    ) -> Result<VoxelEdit, VoxelError> {
        let mut wanted = Vec::new();
        for (at, block) in edits {
            let place = self.blocks.place(at).ok_or(VoxelError::OffMap { at })?;
            self.blocks.get(place).ok_or(VoxelError::NotLoaded { at })?;
            self.blocks.check(block)?;
            wanted.push((place, block));
        }
        let mut before = Vec::new();
        for (place, block) in wanted {
            match self.blocks.get(place) {
                Some(known) if known != block => before.push((place, known)),
                _ => continue,
            }
            let chunk = self.blocks.layout.chunk(place);
            self.blocks.chunks[chunk].set(self.blocks.layout.block(place), block);
        }
        if !before.is_empty() {
            self.revision = self.revision.next();
            self.note_edit(before.iter().map(|&(at, _)| (at, at)));
            for number in 0..self.layers.len() {
                let layer = &mut self.layers[number];
                let mut has_changed = false;
                for &(place, _) in &before {
                    has_changed |= layer.update_block(&self.blocks, place);
                }
                if has_changed && layer.regions.is_some() {
                    self.update_regions(number, before.iter().map(|&(at, _)| (at, at)));
                }
            }
        }
        Ok(VoxelEdit::new(before))
    }

    /// Loads or replaces a chunk: 4,096 blocks, x fastest, then z, then y. Blocks beyond the edge
    /// of the world are ignored. Takes the next revision. O(chunk and its border) for each profile.
    ///
    /// # Errors
    /// If the chunk is off the map, there are not 4,096 blocks, or the palette has no such block.
    pub fn load_chunk(&mut self, at: ChunkPosition, blocks: &[BlockId]) -> Result<(), VoxelError> {
        let Ok(blocks) = <&[BlockId; CHUNK_BLOCKS]>::try_from(blocks) else {
            return Err(VoxelError::ChunkLength { given: blocks.len() });
        };
        for &block in blocks {
            self.blocks.check(block)?;
        }
        self.replace_chunk(at, Chunk::pack(blocks))
    }

    /// Loads a chunk of equal blocks. See [`VoxelGrid::load_chunk`].
    ///
    /// # Errors
    /// If the chunk is off the map or the palette has no such block.
    pub fn fill_chunk(&mut self, at: ChunkPosition, block: BlockId) -> Result<(), VoxelError> {
        self.blocks.check(block)?;
        self.replace_chunk(at, Chunk::Uniform(block))
    }

    /// Unloads a chunk. Takes the next revision.
    ///
    /// # Errors
    /// If the chunk is off the map.
    pub fn unload_chunk(&mut self, at: ChunkPosition) -> Result<(), VoxelError> {
        self.replace_chunk(at, Chunk::NotLoaded)
    }

    fn replace_chunk(&mut self, at: ChunkPosition, chunk: Chunk) -> Result<(), VoxelError> {
        let corner = [at.x, at.y, at.z].map(|part| part.saturating_mul(CHUNK_SIDE));
        let off_map =
            VoxelError::OffMap { at: BlockPosition::new(corner[0], corner[1], corner[2]) };
        let corner = self
            .blocks
            .place(BlockPosition::new(corner[0], corner[1], corner[2]))
            .ok_or(off_map)?;
        let number = self.blocks.layout.chunk(corner);
        if self.blocks.chunks[number] == chunk {
            return Ok(());
        }
        self.blocks.chunks[number] = chunk;
        self.revision = self.revision.next();
        let first = self.blocks.layout.corner(number);
        self.note_edit(std::iter::once((first, first.map(|part| part + 15))));
        for layer in 0..self.layers.len() {
            self.layers[layer].update_chunk(&self.blocks, number);
            let whole = (first, first.map(|part| part + 15));
            self.update_regions(layer, std::iter::once(whole));
        }
        Ok(())
    }
}

pub(super) fn position([x, y, z]: At) -> BlockPosition {
    BlockPosition::new(x as u32, y as u32, z as u32)
}

impl Blocks {
    fn new(size: VoxelSize, chunk: Chunk) -> Result<Self, VoxelError> {
        let layout = Layout::new(size)?;
        let palette = vec![BlockKind::Air.into(), BlockKind::Solid.into()];
        Ok(Self { layout, chunks: vec![chunk; layout.chunks()], palette })
    }

    fn check(&self, block: BlockId) -> Result<(), VoxelError> {
        let known = self.palette.len();
        if usize::from(block.0) < known {
            Ok(())
        } else {
            Err(VoxelError::UnknownBlock { block: block.0, known })
        }
    }

    fn place(&self, at: BlockPosition) -> Option<At> {
        let size = self.layout.size;
        (at.x < size.width && at.y < size.height && at.z < size.depth).then_some([
            at.x as i32,
            at.y as i32,
            at.z as i32,
        ])
    }
}

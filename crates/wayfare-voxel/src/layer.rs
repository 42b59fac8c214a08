//! The derived data of one profile: where its agents fit, stand, swim and cling. Follows edits.

use std::collections::BTreeMap;

use super::bits::{BitMap, Columns};
use super::chunk::Chunk;
use super::cost::VoxelCosts;
use super::grid::Blocks;
use super::layout::{At, Layout, by_axis};
use super::lines::Lines;
use super::regions::Regions;
use super::{Abilities, Block, BlockId, BlockKind, VoxelError, VoxelProfile};

/// The effect of a block on a profile, as bits.
pub(crate) mod class {
    /// Bodies of the profile pass.
    pub(crate) const ENTERS: u8 = 1;
    /// Agents can stand on it.
    pub(crate) const CARRIES: u8 = 2;
    /// Agents swim in it.
    pub(crate) const FLUID: u8 = 4;
    /// Agents can cling to it from inside.
    pub(crate) const LADDER: u8 = 8;
    /// Agents can cling to its sides.
    pub(crate) const WALL: u8 = 16;
    /// It fills the lower half of its voxel, and carries there.
    pub(crate) const HALF: u8 = 32;
}

/// A profile's view of the blocks.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) profile: VoxelProfile,
    pub(crate) costs: VoxelCosts,
    /// Returns whether several moves of different cost can join two voxels, such as a walk and a
    /// flight.
    pub(crate) has_rivals: bool,
    classes: Vec<u8>,
    /// The voxels where a body has room.
    pub(crate) fits: BitMap,
    /// The voxels where it stands.
    pub(crate) stands: BitMap,
    /// The voxels where its feet are in a fluid.
    pub(crate) swims: BitMap,
    /// The voxels where it clings to a ladder or a wall.
    pub(crate) climbs: BitMap,
    /// The voxels where a body stands half a block higher, on a [half block](super::half) in them.
    /// `None` if the palette has no such block, or agents treat it as a full one. No other map has
    /// a bit at such a voxel.
    pub(crate) halves: Option<BitMap>,
    /// The stops of lines through `fits`, for jumps of agents that only fly.
    pub(crate) lines: Option<Lines>,
    /// The mutual reachability of states, if requested.
    pub(crate) regions: Option<Regions>,
}

/// The postures that are possible for a body at a voxel.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Stance {
    pub(crate) fits: bool,
    pub(crate) stands: bool,
    pub(crate) swims: bool,
    pub(crate) climbs: bool,
    pub(crate) is_half: bool,
}

/// The number of maps of a layer.
const MAPS: usize = 5;

impl Stance {
    fn columns(self) -> [bool; MAPS] {
        [self.fits, self.stands, self.swims, self.climbs, self.is_half]
    }
}

fn classify(profile: &VoxelProfile, block: &Block) -> u8 {
    let abilities = profile.abilities;
    let pass = |passes: bool| if passes { class::ENTERS } else { 0 };
    match block.kind {
        BlockKind::Air => class::ENTERS,
        BlockKind::Solid => class::CARRIES,
        BlockKind::Water => class::FLUID | pass(abilities.swim),
        BlockKind::Lava => class::FLUID | pass(abilities.swim && profile.endures_lava),
        BlockKind::Ladder if abilities.climb => class::ENTERS | class::LADDER,
        BlockKind::Ladder => class::ENTERS,
        BlockKind::Door => pass(profile.opens_doors),
        BlockKind::Climbable if abilities.climb => class::CARRIES | class::WALL,
        BlockKind::Climbable => class::CARRIES,
        BlockKind::Half | BlockKind::Stairs(_) if abilities.fly => class::CARRIES,
        BlockKind::Half | BlockKind::Stairs(_) => class::HALF,
    }
}

/// The classes of the blocks in a chunk and the 26 around it. Also the distance of the map's end
/// from the chunk's corner along x, y and z, in blocks, up to 32.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Neighbourhood {
    classes: [u8; 27],
    ends: [u8; 3],
}

/// Computes [`Layer::has_rivals`]. Moves of one kind have no rivals. With uniform costs, neither
/// have moves over the ground, up ladders and into water.
fn has_rivals(profile: &VoxelProfile, costs: &VoxelCosts) -> bool {
    let Abilities { walk, jump, fall, swim, climb, fly } = profile.abilities;
    let on_ground = walk || jump || fall;
    (fly && (on_ground || swim || climb)) || !costs.is_uniform && (swim || climb)
}

/// Returns the first and the last offset along x or z that a body covers.
pub(crate) fn reach(width: u8) -> (i32, i32) {
    let width = i32::from(width);
    (-(width - 1) / 2, width / 2)
}

impl Layer {
    /// Derives a layer. `known`: layers of the same blocks. If one of them has the same stance as
    /// the profile everywhere, copies its maps.
    pub(crate) fn new(
        profile: VoxelProfile,
        blocks: &Blocks,
        known: &[Self],
    ) -> Result<Self, VoxelError> {
        profile.check()?;
        let clear = || BitMap::clear(&blocks.layout);
        let costs = VoxelCosts::new(&profile, &blocks.palette, blocks.layout.size.height)?;
        let layer = Self {
            has_rivals: has_rivals(&profile, &costs),
            costs,
            classes: blocks.palette.iter().map(|block| classify(&profile, block)).collect(),
            fits: clear(),
            stands: clear(),
            swims: clear(),
            climbs: clear(),
            halves: None,
            lines: None,
            regions: None,
            profile,
        };
        if let Some(like) = known.iter().find(|like| layer.has_stances_of(like, blocks)) {
            let Self { fits, stands, swims, climbs, halves, lines, .. } = like.clone();
            let halves = layer.has_halves().then(|| halves.unwrap_or_else(clear));
            let lines = layer
                .profile
                .only_flies()
                .then(|| lines.unwrap_or_else(|| Lines::new(&blocks.layout, &fits)));
            return Ok(Self { fits, stands, swims, climbs, halves, lines, ..layer });
        }
        let empty = Columns::Uniform(false);
        let mut columns = [(); MAPS].map(|()| vec![empty.clone(); blocks.layout.chunks()]);
        let mut known = BTreeMap::new();
        for chunk in blocks.layout.chunks_on_map() {
            for (all, own) in columns.iter_mut().zip(layer.columns_among(blocks, chunk, &mut known))
            {
                all[chunk] = own;
            }
        }
        let [fits, stands, swims, climbs, halves] =
            columns.map(|chunks| BitMap::new(&blocks.layout, &chunks));
        let halves = layer.has_halves().then_some(halves);
        let lines = layer.profile.only_flies().then(|| Lines::new(&blocks.layout, &fits));
        Ok(Self { fits, stands, swims, climbs, halves, lines, ..layer })
    }

    /// Returns whether some block of the palette is a half one to the profile.
    fn has_halves(&self) -> bool {
        self.classes.iter().any(|class| class & class::HALF != 0)
    }

    /// Returns whether bodies of two profiles have the same stance everywhere.
    ///
    /// A stance follows from the size of the body and the classes of the blocks around: see
    /// [`Layer::stance`]. The ability to climb shows in the classes of ladders and walls, without
    /// which no agent climbs. So the two agree if they class alike each block that occurs.
    fn has_stances_of(&self, other: &Self, blocks: &Blocks) -> bool {
        let size = |layer: &Self| (layer.profile.width, layer.profile.height);
        let differs = |block: usize| self.classes.get(block) != other.classes.get(block);
        if size(self) != size(other) {
            return false;
        }
        let unlike: Vec<bool> = (0..self.classes.len()).map(differs).collect();
        let is_unlike = |block: BlockId| unlike.get(usize::from(block.0)).is_none_or(|&is| is);
        !unlike.contains(&true) || !blocks.chunks.iter().any(|chunk| chunk.blocks().any(is_unlike))
    }

    /// Returns whether agents of two profiles have the same moves.
    ///
    /// Besides stances, moves follow from walking, flying, and how far a body jumps and falls.
    /// Swimming and climbing add no moves where no stance swims or climbs.
    pub(crate) fn has_moves_of(&self, other: &Self, blocks: &Blocks) -> bool {
        let reach = |layer: &Self| {
            let VoxelProfile { abilities, .. } = layer.profile;
            let profile = &layer.profile;
            let jumps = (profile.jumps_up(), profile.jumps_across());
            (abilities.walk, abilities.jump, abilities.fall, abilities.fly, jumps, profile.falls())
        };
        reach(self) == reach(other) && self.has_stances_of(other, blocks)
    }

    /// Returns the number of voxels that agents of the profile can be at. O(chunks with room).
    pub(crate) fn free(&self, blocks: &Blocks) -> u64 {
        let flies = self.profile.abilities.fly;
        let is_held = |chunk| {
            let maps = [Some(&self.stands), Some(&self.swims), Some(&self.climbs)];
            let maps = maps.into_iter().chain([self.halves.as_ref()]).flatten();
            maps.into_iter().any(|map| !map.is_clear(chunk))
        };
        let with_room = blocks
            .layout
            .chunks_on_map()
            .filter(|&chunk| if flies { !self.fits.is_clear(chunk) } else { is_held(chunk) });
        let free = with_room.map(|chunk| {
            if flies && self.fits.is_full(chunk) {
                return 1 << 12;
            }
            let held = self.stands.columns(chunk).zip(self.swims.columns(chunk));
            let held = held.zip(self.climbs.columns(chunk));
            let columns = self.fits.columns(chunk).zip(held);
            let count = |(fits, ((stands, swims), climbs)): (u16, ((u16, u16), u16))| {
                let free = if flies { fits } else { fits & (stands | swims | climbs) };
                u64::from(free.count_ones())
            };
            let halves = self.halves.iter().flat_map(|halves| halves.columns(chunk));
            columns.map(count).sum::<u64>()
                + halves.map(|column| u64::from(column.count_ones())).sum::<u64>()
        });
        free.sum()
    }

    /// Adopts a palette to which blocks were added.
    pub(crate) fn extend_palette(
        &mut self,
        palette: &[Block],
        layout: &Layout,
    ) -> Result<(), VoxelError> {
        let height = layout.size.height;
        self.costs = VoxelCosts::new(&self.profile, palette, height)?;
        self.has_rivals = has_rivals(&self.profile, &self.costs);
        self.classes = palette.iter().map(|block| classify(&self.profile, block)).collect();
        if self.has_halves() && self.halves.is_none() {
            self.halves = Some(BitMap::clear(layout));
        }
        Ok(())
    }

    /// Like [`columns_of`](Self::columns_of). The columns of chunks with a plain neighbourhood are
    /// kept in `known`: most of a large world is alike, and so are its edges.
    fn columns_among(
        &self,
        blocks: &Blocks,
        chunk: usize,
        known: &mut BTreeMap<Neighbourhood, [Columns; MAPS]>,
    ) -> [Columns; MAPS] {
        if let Some(stance) = self.uniform_stance(blocks, chunk) {
            return stance.columns().map(Columns::Uniform);
        }
        match self.neighbourhood(blocks, chunk) {
            Some(plain) => {
                known.entry(plain).or_insert_with(|| self.columns_of(blocks, chunk)).clone()
            }
            None => self.columns_of(blocks, chunk),
        }
    }

    /// Returns the inputs of the stances in a chunk, if no chunk around contains different blocks.
    ///
    /// A body reaches at most [`MAX_BODY`](super::MAX_BODY) blocks beyond its voxel, less than the
    /// side of a chunk. So its stance follows from the classes of the blocks in the 27 chunks and
    /// from where the map ends among them.
    fn neighbourhood(&self, blocks: &Blocks, chunk: usize) -> Option<Neighbourhood> {
        let (corner, size) = (blocks.layout.corner(chunk), blocks.layout.size);
        let mut classes = [0; 27];
        for (offset, class) in (0..27).zip(&mut classes) {
            let step = [offset % 3 - 1, offset / 3 % 3 - 1, offset / 9 - 1];
            let near = by_axis(|axis| corner[axis] + 16 * step[axis]);
            if blocks.layout.contains(near) {
                *class = match &blocks.chunks[blocks.layout.chunk(near)] {
                    Chunk::NotLoaded => 0,
                    Chunk::Uniform(block) => self.classes[usize::from(block.0)],
                    Chunk::Packed(_) => return None,
                };
            }
        }
        let end = |bound: u32, from: i32| (i64::from(bound) - i64::from(from)).clamp(0, 32) as u8;
        let ends =
            [end(size.width, corner[0]), end(size.height, corner[1]), end(size.depth, corner[2])];
        Some(Neighbourhood { classes, ends })
    }

    fn columns_of(&self, blocks: &Blocks, chunk: usize) -> [Columns; MAPS] {
        if let Some(stance) = self.uniform_stance(blocks, chunk) {
            return stance.columns().map(Columns::Uniform);
        }
        let corner = blocks.layout.corner(chunk);
        let mut columns = [(); MAPS].map(|()| Box::new([0u16; 256]));
        for column in 0..256 {
            let (x, z) = (corner[0] + column as i32 % 16, corner[2] + column as i32 / 16);
            for y in 0..16 {
                let at = [x, corner[1] + y, z];
                for (bits, bit) in columns.iter_mut().zip(self.stance(blocks, at).columns()) {
                    bits[column] |= u16::from(bit) << y;
                }
            }
        }
        columns.map(|bits| {
            let first = bits[0];
            match first {
                0 | u16::MAX if bits.iter().all(|&bits| bits == first) => {
                    Columns::Uniform(first != 0)
                }
                _ => Columns::Mixed(bits),
            }
        })
    }

    /// Returns the stance of all voxels in a chunk, if its neighbourhood is uniform.
    fn uniform_stance(&self, blocks: &Blocks, chunk: usize) -> Option<Stance> {
        let block = match &blocks.chunks[chunk] {
            Chunk::NotLoaded => return Some(Stance::default()),
            Chunk::Uniform(block) => *block,
            Chunk::Packed(_) => return None,
        };
        let class = self.classes[usize::from(block.0)];
        if class & (class::ENTERS | class::HALF) == 0 {
            return Some(Stance::default());
        }
        if class & class::HALF != 0 {
            return None; // a body stands on the topmost layer, if there is room above it
        }
        let corner = blocks.layout.corner(chunk);
        let is_same = |offset: i32| {
            let step = [offset % 3 - 1, offset / 3 % 3 - 1, offset / 9 - 1];
            let near = by_axis(|axis| corner[axis] + 16 * step[axis]);
            let far = near.map(|part| part + 15);
            blocks.layout.contains(near)
                && blocks.layout.contains(far)
                && blocks.chunks[blocks.layout.chunk(near)] == Chunk::Uniform(block)
        };
        (0..27).all(is_same).then_some(Stance {
            fits: true,
            stands: false,
            swims: class & class::FLUID != 0,
            climbs: class & (class::LADDER | class::FLUID) == class::LADDER,
            is_half: false,
        })
    }

    /// Returns the class of a block; 0 if it is not loaded or off the map.
    #[inline]
    fn class(&self, blocks: &Blocks, at: At) -> u8 {
        blocks.get(at).map_or(0, |block| self.classes[usize::from(block.0)])
    }

    /// Returns the stance of a voxel on the map, from its blocks.
    fn stance(&self, blocks: &Blocks, [x, y, z]: At) -> Stance {
        let (low, high) = reach(self.profile.width);
        let mut feet = 0;
        let mut below = 0;
        for bz in z + low..=z + high {
            for bx in x + low..=x + high {
                let class = self.class(blocks, [bx, y, bz]);
                if class & class::HALF != 0 {
                    let is_half = self.stands_half(blocks, [x, y, z]);
                    return Stance { is_half, ..Stance::default() };
                }
                if class & class::ENTERS == 0 {
                    return Stance::default();
                }
                feet |= class;
                for by in y + 1..y + i32::from(self.profile.height) {
                    if self.class(blocks, [bx, by, bz]) & class::ENTERS == 0 {
                        return Stance::default();
                    }
                }
                below |= self.class(blocks, [bx, y - 1, bz]);
            }
        }
        let swims = feet & class::FLUID != 0;
        let holds = self.profile.abilities.climb
            && (feet & class::LADDER != 0 || self.is_beside_wall(blocks, [x, y, z]));
        Stance {
            fits: true,
            stands: !swims && below & class::CARRIES != 0,
            swims,
            climbs: !swims && holds,
            is_half: false,
        }
    }

    /// Returns whether a body has room half a block higher at a voxel with a half block under its
    /// feet. Its head is in the lower half of one more block.
    fn stands_half(&self, blocks: &Blocks, [x, y, z]: At) -> bool {
        let (low, high) = reach(self.profile.width);
        let top = y + i32::from(self.profile.height);
        let column_is_free = |bx: i32, bz: i32| {
            self.class(blocks, [bx, y, bz]) & (class::ENTERS | class::HALF) != 0
                && (y + 1..=top).all(|by| self.class(blocks, [bx, by, bz]) & class::ENTERS != 0)
        };
        (z + low..=z + high).all(|bz| (x + low..=x + high).all(|bx| column_is_free(bx, bz)))
    }

    fn is_beside_wall(&self, blocks: &Blocks, [x, y, z]: At) -> bool {
        let (low, high) = reach(self.profile.width);
        let is_wall = |x: i32, z: i32| self.class(blocks, [x, y, z]) & class::WALL != 0;
        (low..=high).any(|along| {
            is_wall(x + low - 1, z + along)
                || is_wall(x + high + 1, z + along)
                || is_wall(x + along, z + low - 1)
                || is_wall(x + along, z + high + 1)
        })
    }

    /// Returns the voxels whose stance depends on the blocks of a box, corners included.
    fn influence(&self, blocks: &Blocks, first: At, last: At) -> impl Iterator<Item = At> + use<> {
        let (low, high) = reach(self.profile.width);
        // On a half block the head reaches into one more block.
        let height = i32::from(self.profile.height) + i32::from(self.halves.is_some());
        let layout = blocks.layout;
        (first[2] - high - 1..=last[2] - low + 1).flat_map(move |z| {
            (first[0] - high - 1..=last[0] - low + 1).flat_map(move |x| {
                let column = first[1] - height + 1..=last[1] + 1;
                column.map(move |y| [x, y, z]).filter(move |&at| layout.contains(at))
            })
        })
    }

    /// Updates the layer after one block changed. Returns whether the postures of a body changed
    /// anywhere, or its moves did as stairs were turned.
    pub(crate) fn update_block(&mut self, blocks: &Blocks, at: At) -> bool {
        let places = self.influence(blocks, at, at);
        let is_half = self.class(blocks, at) & class::HALF != 0;
        places.fold(is_half, |changes, place| self.refresh(blocks, place) | changes)
    }

    /// Updates the layer after a chunk changed.
    pub(crate) fn update_chunk(&mut self, blocks: &Blocks, chunk: usize) {
        let columns = self.columns_of(blocks, chunk);
        for (map, columns) in self.maps().zip(&columns) {
            map.replace(&blocks.layout, chunk, columns);
        }
        if let Some(lines) = &mut self.lines {
            lines.update_chunk(&blocks.layout, &self.fits, chunk);
        }
        let corner = blocks.layout.corner(chunk);
        for place in self.influence(blocks, corner, corner.map(|part| part + 15)) {
            if blocks.layout.chunk(place) != chunk {
                self.refresh(blocks, place);
            }
        }
    }

    /// Returns whether the stance changed.
    fn refresh(&mut self, blocks: &Blocks, at: At) -> bool {
        let mut changes = false;
        let now = self.stance(blocks, at).columns();
        let fitted = self.fits.get(&blocks.layout, at);
        for (map, bit) in self.maps().zip(now) {
            if map.get(&blocks.layout, at) != bit {
                map.set(&blocks.layout, at, bit);
                changes = true;
            }
        }
        if let (Some(lines), true) = (&mut self.lines, fitted != now[0]) {
            lines.update(&blocks.layout, &self.fits, at);
        }
        changes
    }

    /// Returns the maps in the order of [`Stance::columns`].
    fn maps(&mut self) -> impl Iterator<Item = &mut BitMap> {
        let whole = [&mut self.fits, &mut self.stands, &mut self.swims, &mut self.climbs];
        whole.into_iter().chain(self.halves.as_mut())
    }

    /// Returns the voxels that agents move to through volumes.
    #[inline]
    pub(crate) fn volume(&self) -> &BitMap {
        if self.profile.abilities.fly { &self.fits } else { &self.swims }
    }

    pub(crate) fn size_in_bytes(&self) -> usize {
        [&self.fits, &self.stands, &self.swims, &self.climbs]
            .map(BitMap::size_in_bytes)
            .iter()
            .sum::<usize>()
            + self.halves.as_ref().map_or(0, BitMap::size_in_bytes)
            + self.lines.as_ref().map_or(0, Lines::size_in_bytes)
            + self.regions.as_ref().map_or(0, Regions::size_in_bytes)
    }
}

//! Litematica's `.litematic`: regions of blocks, each a box with a palette of its own, as gzipped
//! NBT.
//!
//! A region lists its blocks with x fastest, then z, then y. Each is an index of
//! `max(2, ⌈log₂ palette⌉)` bits; the indices follow each other through words of 64 bits, from the
//! lowest bit up, and one may begin in a word and end in the next. A negative size means that the
//! region's position is its far corner along that axis. Source: the format's author, in issue 53 of
//! `maruohon/litematica`, 2019.

use std::collections::BTreeMap;

use serde::Deserialize;
use wayfare_voxel::{BlockId, VoxelSize};

use super::nbt;
use super::read::{add_kind, check_pieces};
use crate::error::{WorldError, WorldErrorKind};
use crate::voxel_rows::MOST_SIDE;
use crate::voxel_scene::VoxelScene;

#[derive(Deserialize)]
struct Litematic {
    #[serde(rename = "Regions")]
    regions: BTreeMap<String, Region>,
}

#[derive(Deserialize)]
struct Region {
    #[serde(rename = "Position")]
    position: Corner,
    #[serde(rename = "Size")]
    size: Corner,
    #[serde(rename = "BlockStatePalette")]
    palette: Vec<BlockState>,
    #[serde(rename = "BlockStates")]
    blocks: fastnbt::LongArray,
}

#[derive(Deserialize, Clone, Copy)]
struct Corner {
    x: i32,
    y: i32,
    z: i32,
}

#[derive(Deserialize)]
struct BlockState {
    #[serde(rename = "Name")]
    name: String,
}

/// A region's lowest corner in the file's coordinates, and its sides: x, y, z.
struct Extent {
    low: [i64; 3],
    sides: [u32; 3],
}

/// Reads a `.litematic`, gzipped or plain; `name` becomes its name. Its lowest corner becomes the
/// origin. Where regions overlap, a block that is not air counts, and of two the one of the region
/// with the later name.
///
/// # Errors
/// If the file:
/// * is no sound NBT, or unpacks to more than [`MAX_SCHEM_BYTES`](crate::limits::MAX_SCHEM_BYTES);
/// * contains no region or one without blocks;
/// * spans more than 65,536 blocks along an axis;
/// * names blocks that its palette does not have;
/// * contains fewer blocks than its size says;
/// * contains more than 16,382 kinds of block, or more than
///   [`MAX_VOXEL_RUNS`](crate::limits::MAX_VOXEL_RUNS) stretches of equal blocks along x.
pub fn read_litematic(bytes: &[u8], name: &str) -> Result<VoxelScene, WorldError> {
    let unpacked = nbt::unpack(bytes)?;
    let Litematic { regions } = nbt::parse(&unpacked, "a litematic")?;
    let mut extents = Vec::with_capacity(regions.len());
    for (name, region) in &regions {
        extents.push(extent_of(name, region)?);
    }
    let (Some(low), Some(high)) = (bound(&extents, false), bound(&extents, true)) else {
        return Err(WorldError::new(WorldErrorKind::Dimensions, "the file has no regions"));
    };
    let spans = [0, 1, 2].map(|axis| high[axis] - low[axis]);
    if let Some(span) = spans.into_iter().find(|span| *span > i64::from(MOST_SIDE)) {
        return Err(WorldError::new(
            WorldErrorKind::Dimensions,
            format!("the regions span {span} blocks; a world is at most {MOST_SIDE} long"),
        )
        .advise("save the regions one by one"));
    }
    let [width, height, depth] = spans.map(|span| span as u32);
    let mut world = VoxelScene::new(name, VoxelSize { width, height, depth })?;
    let mut kinds = BTreeMap::new();
    let mut pieces = 0;
    for ((name, region), extent) in regions.iter().zip(&extents) {
        let mut palette = Vec::with_capacity(region.palette.len());
        for state in &region.palette {
            let kind = match kinds.get(&state.name) {
                Some(&kind) => kind,
                None => add_kind(&state.name, &mut world)?,
            };
            kinds.insert(state.name.clone(), kind);
            palette.push(kind);
        }
        let origin = [0, 1, 2].map(|axis| (extent.low[axis] - low[axis]) as u32);
        place(&mut world, region, (origin, extent.sides), &palette, &mut pieces)
            .map_err(|error| error.advise(format!("in the region '{name}'")))?;
    }
    Ok(world)
}

/// Returns the lowest corner of all regions, or the highest.
fn bound(extents: &[Extent], highest: bool) -> Option<[i64; 3]> {
    let corners = extents.iter().map(|extent| {
        let side = |axis: usize| if highest { i64::from(extent.sides[axis]) } else { 0 };
        [0, 1, 2].map(|axis| extent.low[axis] + side(axis))
    });
    corners.reduce(|a, b| {
        [0, 1, 2].map(|axis| if highest { a[axis].max(b[axis]) } else { a[axis].min(b[axis]) })
    })
}

fn extent_of(name: &str, region: &Region) -> Result<Extent, WorldError> {
    let Region { position, size, .. } = region;
    let sides = [size.x, size.y, size.z].map(i32::unsigned_abs);
    if sides.iter().any(|side| !(1..=MOST_SIDE).contains(side)) {
        let [width, height, depth] = sides;
        return Err(WorldError::new(
            WorldErrorKind::Dimensions,
            format!(
                "the region '{name}' is {width} x {height} x {depth} blocks large; a side is from \
                 1 to {MOST_SIDE}"
            ),
        ));
    }
    let low = [(position.x, size.x), (position.y, size.y), (position.z, size.z)]
        .map(|(at, size)| i64::from(at) + i64::from(size.min(-1)) + 1);
    Ok(Extent { low, sides })
}

/// Puts the blocks of a region into the world.
fn place(
    world: &mut VoxelScene,
    region: &Region,
    (origin, sides): ([u32; 3], [u32; 3]),
    palette: &[BlockId],
    pieces: &mut usize,
) -> Result<(), WorldError> {
    let bits = palette.len().saturating_sub(1).checked_ilog2().map_or(2, |log| (log + 1).max(2));
    let words: &[i64] = &region.blocks;
    let [width, height, depth] = sides.map(u64::from);
    let held = words.len() as u64 * 64 / u64::from(bits);
    // Sides are at most 2^16: the product is below 2^49.
    let volume = width * height * depth;
    if held < volume {
        return Err(WorldError::new(
            WorldErrorKind::Dimensions,
            format!("there are {held} blocks, but the size asks for {volume}"),
        ));
    }
    let number_at = |index: u64| {
        let bit = index * u64::from(bits);
        let (word, shift) = ((bit / 64) as usize, bit % 64);
        let low = words[word].cast_unsigned() >> shift;
        let high = match words.get(word + 1) {
            Some(next) if shift + u64::from(bits) > 64 => next.cast_unsigned() << (64 - shift),
            _ => 0,
        };
        ((low | high) & ((1 << bits) - 1)) as usize
    };
    for row in 0..height * depth {
        let (y, z) = (origin[1] + (row / depth) as u32, origin[2] + (row % depth) as u32);
        let mut begin = 0;
        while begin < width {
            let first = row * width + begin;
            let number = number_at(first);
            let Some(&block) = palette.get(number) else {
                return Err(WorldError::new(
                    WorldErrorKind::Dangling,
                    format!(
                        "block {first} has the number {number}, which the palette does not have"
                    ),
                ));
            };
            let equal = (first..(row + 1) * width).take_while(|&index| number_at(index) == number);
            let end = begin + equal.count() as u64;
            if block != BlockId::AIR {
                *pieces += 1;
                check_pieces(*pieces)?;
                let stretch = [origin[0] + begin as u32, origin[0] + end as u32 - 1];
                world.rows.fill(y, z, stretch, block.0);
            }
            begin = end;
        }
    }
    Ok(())
}

//! Moving AI `.3dmap`: the blocked voxels of a world, one a line.
//!
//! ```text
//! voxel 896 390 255
//! 74 80 63
//! 74 81 63
//! ```
//!
//! The header gives the size along x, y and z; every further line is a voxel that is blocked. Source: D. Brewer, N. Sturtevant,
//! "Benchmarks for Pathfinding in 3D Voxel Space", 2018.

use std::fmt::Write as _;

use wayfare::space::voxel::{
    BlockId, BlockPosition, VoxelError, VoxelGrid, VoxelProfile, VoxelSize,
};

use crate::error::{WorldError, WorldErrorKind};
use crate::text::{Line, Lines};

/// The blocked voxels of a world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoxelMap {
    size: VoxelSize,
    blocked: Vec<BlockPosition>,
}

impl VoxelMap {
    /// A map of those blocked voxels.
    ///
    /// # Errors
    /// When a side is zero or above 65,536, or a voxel lies outside.
    pub fn new(size: VoxelSize, blocked: Vec<BlockPosition>) -> Result<Self, WorldError> {
        let sides = [size.width, size.height, size.depth];
        if let Some(side) = sides.into_iter().find(|side| !(1..=MOST).contains(side)) {
            return Err(WorldError::new(
                WorldErrorKind::Dimensions,
                format!("a side of {side} voxels is not from 1 to {MOST}"),
            ));
        }
        let inside =
            |at: &BlockPosition| at.x < size.width && at.y < size.height && at.z < size.depth;
        match blocked.iter().find(|at| !inside(at)) {
            Some(at) => Err(WorldError::new(
                WorldErrorKind::Dimensions,
                format!("the voxel {at} lies outside the map"),
            )),
            None => Ok(Self { size, blocked }),
        }
    }

    /// The extent along x, y and z.
    pub fn size(&self) -> VoxelSize {
        self.size
    }

    /// The voxels that are blocked, in the order of the file.
    pub fn blocked(&self) -> &[BlockPosition] {
        &self.blocked
    }

    /// The world to search in: solid blocks in air.
    ///
    /// # Errors
    /// When the map has more voxels than a grid can number, or the profile has an impossible value.
    pub fn to_grid(&self, profile: VoxelProfile) -> Result<VoxelGrid, VoxelError> {
        VoxelGrid::from_blocks(
            self.size,
            &[],
            profile,
            self.blocked.iter().map(|&at| (at, BlockId::SOLID)),
        )
    }
}

/// The longest side of a map.
const MOST: u32 = 65_536;

const HEADER: &str = "a .3dmap file starts with 'voxel', the width, the height and the depth";

/// Reads a map. Takes memory in proportion to the file, whatever the header claims.
///
/// # Errors
/// With line and column: a missing or damaged header, a line that is not three whole numbers, a voxel outside the map.
pub fn read(bytes: &[u8]) -> Result<VoxelMap, WorldError> {
    let mut lines = Lines::new(bytes).filter(|line| !line.is_blank());
    let header = lines.next().ok_or_else(|| {
        WorldError::new(WorldErrorKind::Syntax, "the file is empty").at_line(1).advise(HEADER)
    })?;
    let Some(sides) = header.text()?.trim().strip_prefix("voxel") else {
        return Err(header
            .error(WorldErrorKind::Syntax, "this is not the header of a voxel map")
            .advise(HEADER));
    };
    let [width, height, depth] = three(header, sides, 1..=MOST)
        .map_err(|error| error.advise(format!("a side is a whole number from 1 to {MOST}")))?;
    let mut blocked = Vec::new();
    for line in lines {
        let [x, y, z] = three(line, line.text()?, 0..=MOST)?;
        if x >= width || y >= height || z >= depth {
            return Err(line
                .error(
                    WorldErrorKind::Dimensions,
                    format!("the voxel {x} {y} {z} lies outside the map, which is {width} x {height} x {depth}"),
                )
                .advise("voxels count from 0"));
        }
        blocked.push(BlockPosition::new(x, y, z));
    }
    Ok(VoxelMap { size: VoxelSize { width, height, depth }, blocked })
}

/// Three whole numbers, and nothing else.
fn three(
    line: Line<'_>,
    text: &str,
    range: std::ops::RangeInclusive<u32>,
) -> Result<[u32; 3], WorldError> {
    let parts: Vec<&str> = text.split_ascii_whitespace().take(4).collect();
    let Ok(parts) = <[&str; 3]>::try_from(parts) else {
        return Err(line.error(WorldErrorKind::Syntax, "three numbers were expected: x, y and z"));
    };
    let mut numbers = [0; 3];
    for (number, part) in numbers.iter_mut().zip(parts) {
        *number = part.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| {
            line.error(
                WorldErrorKind::Value,
                format!("'{part}' is not a whole number from {} to {}", range.start(), range.end()),
            )
        })?;
    }
    Ok(numbers)
}

/// Writes a map; reading it back gives the same one.
pub fn write(map: &VoxelMap) -> Vec<u8> {
    let VoxelSize { width, height, depth } = map.size;
    let mut text = format!("voxel {width} {height} {depth}\n");
    for at in &map.blocked {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{} {} {}", at.x, at.y, at.z);
    }
    text.into_bytes()
}

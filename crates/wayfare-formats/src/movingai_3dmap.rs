//! Moving AI `.3dmap`: the blocked voxels of a world, one a line.
//!
//! ```text
//! voxel 896 390 255
//! 74 80 63
//! 74 81 63
//! ```
//!
//! The header gives the size along x, y and z; every further line is a blocked voxel, read as
//! stone. A header that begins with `rev_voxel` turns this round: the lines are the free voxels,
//! and all others are blocked.
//!
//! The writer lists all blocks that a body can stand on. Doors, ladders and fluids are open to some
//! bodies, so they are not listed. Names, colours and costs of blocks, routes and unloaded boxes
//! are lost. Source: D. Brewer, N. Sturtevant, "Benchmarks for Pathfinding in 3D Voxel Space",
//! 2018.

use std::fmt::Write as _;

use wayfare_voxel::{BlockId, BlockPosition, VoxelSize};

use crate::error::{WorldError, WorldErrorKind};
use crate::limits::{ALWAYS_ROWS, MAX_MAP_BYTES, ROWS_PER_VOXEL};
use crate::text::{Line, Lines};
use crate::voxel_rows::{MOST_SIDE, RowsAnyhow};
use crate::voxel_scene::VoxelScene;

const HEADER: &str = "a .3dmap file starts with 'voxel', the width, the height and the depth";

/// Reads a map; `name` becomes its name. Takes memory in proportion to the file, whatever the
/// header claims.
///
/// # Errors
/// With line and column: a missing or damaged header, a line that is not three integers, a voxel
/// outside the map; a `rev_voxel` map of more rows along x than [`ALWAYS_ROWS`] and
/// [`ROWS_PER_VOXEL`] for each free voxel.
pub fn read(bytes: &[u8], name: &str) -> Result<VoxelScene, WorldError> {
    let mut lines = Lines::new(bytes).filter(|line| !line.is_blank());
    let header = lines.next().ok_or_else(|| {
        WorldError::new(WorldErrorKind::Syntax, "the file is empty").at_line(1).advise(HEADER)
    })?;
    let text = header.text()?.trim();
    let (sides, lists_free) = match text.strip_prefix("rev_") {
        Some(rest) => (rest.strip_prefix("voxel"), true),
        None => (text.strip_prefix("voxel"), false),
    };
    let Some(sides) = sides else {
        return Err(header
            .error(WorldErrorKind::Syntax, "this is not the header of a voxel map")
            .advise(HEADER));
    };
    let [width, height, depth] = three(header, sides, 1..=MOST_SIDE)
        .map_err(|error| error.advise(format!("a side is a whole number from 1 to {MOST_SIDE}")))?;
    let mut listed = RowsAnyhow::default();
    let mut voxels = 0;
    for line in lines {
        let [x, y, z] = three(line, line.text()?, 0..=MOST_SIDE)?;
        if x >= width || y >= height || z >= depth {
            return Err(line
                .error(
                    WorldErrorKind::Dimensions,
                    format!("the voxel {x} {y} {z} lies outside the map, which is {width} x {height} x {depth}"),
                )
                .advise("voxels count from 0"));
        }
        listed.push(BlockPosition::new(x, y, z), BlockId::SOLID.0);
        voxels += 1;
    }
    let mut world = VoxelScene::new(name, VoxelSize { width, height, depth })?;
    let listed = listed.finish();
    world.rows = if lists_free {
        let (most, rows) =
            (ALWAYS_ROWS + ROWS_PER_VOXEL * voxels, u64::from(height) * u64::from(depth));
        if rows > most {
            return Err(header
                .error(
                    WorldErrorKind::Limit,
                    format!(
                        "a map of {rows} rows that lists {voxels} free voxels takes memory out of \
                         proportion; at most {most} rows are read"
                    ),
                )
                .advise("list the blocked voxels, under the header 'voxel'"));
        }
        listed.inverted(world.size(), BlockId::SOLID.0)
    } else {
        listed
    };
    Ok(world)
}

/// Reads three integers, and nothing else.
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

/// Writes the blocks of a world that a body can stand on.
///
/// # Errors
/// When there would be more text than is read.
pub fn write(world: &VoxelScene) -> Result<Vec<u8>, WorldError> {
    let VoxelSize { width, height, depth } = world.size();
    let mut text = format!("voxel {width} {height} {depth}\n");
    let carries = |id: BlockId| world.palette()[usize::from(id.0)].block.kind.carries();
    for (at, _) in world.blocks().filter(|(_, id)| carries(*id)) {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{} {} {}", at.x, at.y, at.z);
        if text.len() as u64 > MAX_MAP_BYTES {
            return Err(WorldError::new(
                WorldErrorKind::Limit,
                format!(
                    "as a .3dmap this world takes more than {} MiB, the most that is read",
                    MAX_MAP_BYTES >> 20
                ),
            ));
        }
    }
    Ok(text.into_bytes())
}

//! The losses of formats of voxel worlds, for people.

use wayfare_voxel::{Block, BlockKind};

use crate::error::count;
use crate::voxel_block::{BlockType, usual_color};
use crate::voxel_scene::VoxelScene;

/// Kinds of block that are named in one sentence.
const MOST_NAMED: usize = 8;

/// Returns the losses of formats without routes and boxes.
pub(crate) fn beside_blocks(world: &VoxelScene) -> Vec<String> {
    let parts = [(world.routes().len(), "route"), (world.unloaded().len(), "unloaded box")];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, thing)| match (number, thing) {
            (1, _) | (_, "route") => count(number, thing),
            _ => format!("{number} unloaded boxes"),
        })
        .collect();
    if parts.is_empty() { Vec::new() } else { vec![format!("not kept: {}", parts.join(" and "))] }
}

/// Returns the losses of a format that knows blocked voxels only.
pub(crate) fn as_blocked(world: &VoxelScene) -> Vec<String> {
    let open = occurring(world).filter(|kind| !kind.block.kind.carries());
    let open: Vec<&str> = open.map(|kind| kind.name.as_str()).collect();
    let told = occurring(world).any(|kind| {
        kind.block.kind.carries()
            && (kind.name != "stone"
                || kind.block != Block::from(BlockKind::Solid)
                || kind.color != usual_color(BlockKind::Solid))
    });
    let mut lost = Vec::new();
    if !open.is_empty() {
        lost.push(format!("open from now on: {}", list(&open)));
    }
    if told {
        lost.push("all solid blocks are plain stone from now on".to_owned());
    }
    lost.extend(beside_blocks(world));
    lost
}

/// Returns the losses of a format that has blocks of its own, the given one for each kind.
#[cfg(feature = "schem")]
pub(crate) fn as_other_blocks(
    world: &VoxelScene,
    stand_in: impl Fn(&BlockType) -> String,
) -> Vec<String> {
    let short = |name: String| name.trim_start_matches("minecraft:").to_owned();
    let renamed: Vec<String> = occurring(world)
        .map(|kind| (kind, stand_in(kind)))
        .filter(|(kind, name)| kind.name != *name)
        .map(|(kind, name)| (kind.name.as_str(), short(name)))
        .filter(|(known, name)| known != name)
        .map(|(known, name)| format!("{known} as {name}"))
        .collect();
    let costly = occurring(world).filter(|kind| kind.block.cost != Block::default().cost);
    let costly: Vec<&str> = costly.map(|kind| kind.name.as_str()).collect();
    let mut lost = Vec::new();
    if !renamed.is_empty() {
        let renamed: Vec<&str> = renamed.iter().map(String::as_str).collect();
        lost.push(format!("the game's blocks stand in: {}", list(&renamed)));
    }
    if !costly.is_empty() {
        lost.push(format!("not kept: what {} costs", list(&costly)));
    }
    lost.extend(beside_blocks(world));
    lost
}

/// Returns the block types with a count above 0, without air.
fn occurring(world: &VoxelScene) -> impl Iterator<Item = &BlockType> {
    let kinds = world.palette().iter().zip(world.histogram()).skip(1);
    kinds.filter(|(_, count)| *count > 0).map(|(kind, _)| kind)
}

fn list(names: &[&str]) -> String {
    match names.len().checked_sub(MOST_NAMED) {
        Some(more) if more > 0 => format!("{} and {more} more", names[..MOST_NAMED].join(", ")),
        _ => names.join(", "),
    }
}

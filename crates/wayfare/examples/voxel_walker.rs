//! A voxel world and three agents: one walks round a river, one swims through it, and one lacks an
//! ability, which is named.
//!
//! ```text
//! cargo run -p wayfare --example voxel_walker
//! ```
#![expect(clippy::print_stdout, reason = "an example that prints routes")]

use wayfare::explain::voxel::why;
use wayfare::prelude::*;
use wayfare::search::Query;
use wayfare::space::Action;
use wayfare::space::voxel::{Abilities, BlockId, BlockKind, BlockPosition, VoxelSize};

const SIZE: VoxelSize = VoxelSize { width: 24, height: 8, depth: 12 };
const WATER: BlockId = BlockId(2);

/// Ground two blocks deep, a river with a ford at its far end, and a terrace of steps beyond.
fn block(at: BlockPosition) -> BlockId {
    let terrace = at.x.saturating_sub(17).min(3);
    match at.y {
        0 => BlockId::SOLID,
        1 if (8..12).contains(&at.x) && at.z < 10 => WATER,
        y if y <= 1 + terrace => BlockId::SOLID,
        _ => BlockId::AIR,
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let palette = [BlockKind::Air, BlockKind::Solid, BlockKind::Water].map(Into::into);
    let mut world = VoxelGrid::from_fn(SIZE, &palette, VoxelProfile::default(), block)?;
    let walker = VoxelProfile::default();
    let swimmer =
        VoxelProfile { abilities: Abilities { swim: true, ..walker.abilities }, ..walker.clone() };
    let stiff = VoxelProfile { jump_height: 0, ..walker.clone() };

    let voxel =
        |world: &VoxelGrid, x, y, z| world.voxel(BlockPosition::new(x, y, z)).ok_or("off the map");
    let (start, goal) = (voxel(&world, 4, 2, 1)?, voxel(&world, 22, 5, 1)?);
    let mut moves = Vec::new();
    for (name, profile) in [("walker", walker), ("swimmer", swimmer), ("stiff", stiff)] {
        let id = world.add_profile(profile)?;
        let space = world.space_for::<u32>(id);
        print!("{name:<8} ");
        match solve(&space, &Auto, Query::new(start, goal)).outcome {
            Outcome::Found(path) => {
                // Equal moves in a row are told together.
                let actions: Vec<Action> =
                    path.steps.iter().skip(1).map(|step| step.action).collect();
                for run in actions.chunk_by(|a, b| a == b) {
                    print!("{:?} × {}, ", run[0], run.len());
                }
                println!("{} moves", actions.len());
                moves.push(actions.len());
            }
            Outcome::Unreachable { reason, .. } => {
                println!("no path: {reason}");
                println!("{:8} {}", "", why(&world, id, start, goal));
            }
            other => println!("{other}"),
        }
    }
    assert_eq!(moves.len(), 2, "two of the three get there");
    assert!(moves[1] < moves[0], "the swimmer takes the shorter way");
    Ok(())
}

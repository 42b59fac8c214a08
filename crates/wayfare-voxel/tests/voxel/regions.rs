//! Regions: what they say of the way between two states is what a flood finds, before and after
//! edits.

use std::collections::BTreeSet;

use proptest::prelude::*;
use wayfare_core::search::{AStar, NoPath, Outcome, Query, solve};
use wayfare_core::space::{Reachability, Space};
use wayfare_voxel::{
    BlockId, BlockPosition, ChunkPosition, Voxel, VoxelGrid, VoxelProfile, VoxelSize,
};

use crate::random::{any_profile, palette, states};

/// A world over several chunks: layers of ground with holes, more or less of them.
fn layers(size: VoxelSize, seed: u32, holes: u32) -> impl Fn(BlockPosition) -> BlockId {
    move |at| {
        let mix = (at.x * 73 + at.y * 1_009 + at.z * 9_176 + size.width) ^ seed;
        let mix = mix.wrapping_mul(0x9e37_79b9).rotate_left(13).wrapping_mul(0x85eb_ca6b) >> 12;
        let is_ground = at.y % 4 == 0 && mix % 16 >= holes;
        match mix % 97 {
            0 if is_ground => BlockId(7),
            _ if is_ground => BlockId::SOLID,
            1..=3 => BlockId(2),
            4 => BlockId(3),
            5..=8 => BlockId(4),
            9 => BlockId(5),
            10 => BlockId(6),
            11..=17 => BlockId::SOLID,
            18..=21 => BlockId(8),
            22..=23 => BlockId(9),
            24..=25 => BlockId(10),
            _ => BlockId::AIR,
        }
    }
}

fn first(world: &VoxelGrid) -> wayfare_core::space::ProfileId {
    world.profiles().next().unwrap()
}

fn flood(world: &VoxelGrid, start: Voxel) -> BTreeSet<Voxel> {
    let space = world.space();
    let (mut reached, mut open) = (BTreeSet::from([start]), vec![start]);
    while let Some(state) = open.pop() {
        space.successors(state, |edge| {
            if reached.insert(edge.target) {
                open.push(edge.target);
            }
        });
    }
    reached
}

/// Compares the regions with floods from some states, and with regions prepared anew. Returns how
/// many pairs have no way.
#[track_caller]
fn check(world: &VoxelGrid, seed: u32) -> usize {
    let (space, all) = (world.space(), states(world));
    let mut plain = world.clone();
    plain.forget_regions(first(world));
    assert_eq!(plain.region_bytes(), 0);
    plain.prepare_regions(first(world));
    let mut apart = 0;
    for start in all.iter().skip(seed as usize % 31).step_by(all.len() / 6 + 1) {
        let reached = flood(world, *start);
        for goal in &all {
            let said = space.reachability(*start, *goal);
            assert_eq!(
                said == Reachability::Possible,
                reached.contains(goal),
                "{start:?} {goal:?}"
            );
            assert_eq!(said, plain.space().reachability(*start, *goal));
            apart += usize::from(said != Reachability::Possible);
        }
    }
    apart
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn there_is_a_way_where_a_flood_finds_one_after_any_edits(
        sides in (14u32..36, 8u32..34, 14u32..36),
        profile in any_profile(),
        (seed, holes) in (any::<u32>(), 0u32..12),
        edits in prop::collection::vec((any::<u32>(), 0u16..11, 1u32..30), 1..6),
    ) {
        let size = VoxelSize { width: sides.0, height: sides.1, depth: sides.2 };
        let mut world =
            VoxelGrid::from_fn(size, &palette(), profile, layers(size, seed, holes)).unwrap();
        let id = first(&world);
        world.prepare_regions(id);
        check(&world, seed);
        for (place, block, count) in edits {
            // A row of blocks, often over the border of a chunk.
            let from = BlockPosition::new(place % sides.0, place / 64 % sides.1, place / 4096 % sides.2);
            let along = |step: u32| BlockPosition::new((from.x + step) % sides.0, from.y, from.z);
            let edit = (0..count).map(|step| (along(step), BlockId(block)));
            world.set_blocks(edit).unwrap();
            let chunk = ChunkPosition { x: from.x / 16, y: from.y / 16, z: from.z / 16 };
            match place >> 24 & 7 {
                0 => world.unload_chunk(chunk).unwrap(),
                1 => world.fill_chunk(chunk, BlockId(block % 3)).unwrap(),
                _ => {}
            }
            check(&world, place);
            if !world.is_loaded(from) {
                break;
            }
        }
    }
}

#[test]
fn a_goal_is_out_of_reach_before_any_search_also_behind_a_drop() {
    // A floor of three chunks by three with a court in the middle, and a ledge above it.
    let size = VoxelSize { width: 48, height: 12, depth: 48 };
    let block = |BlockPosition { x, y, z }| {
        let (dx, dz) = (x.abs_diff(24), z.abs_diff(24));
        let is_wall = dx.max(dz) == 6 && y < 5;
        if y == 0 || is_wall { BlockId::SOLID } else { BlockId::AIR }
    };
    let profile = VoxelProfile { max_fall_distance: 4, ..VoxelProfile::default() };
    let mut world = VoxelGrid::from_fn(size, &[], profile, block).unwrap();
    let at = |world: &VoxelGrid, x, y, z| world.voxel(BlockPosition::new(x, y, z)).unwrap();
    let id = first(&world);
    world.prepare_regions(id);
    let [outside, inside, wall] =
        [(2, 1, 2), (24, 1, 24), (18, 5, 24)].map(|(x, y, z)| at(&world, x, y, z));
    let ask = |world: &VoxelGrid, from, to| {
        let answer = solve(&world.space(), &AStar::new(), Query::new(from, to));
        if let Outcome::Unreachable { reason, .. } = answer.outcome {
            assert!(matches!(reason, NoPath::DifferentIslands { .. }), "{reason}");
            assert_eq!(answer.stats.expanded, 0);
            return false;
        }
        true
    };
    let all = |world: &VoxelGrid| {
        [(outside, inside), (inside, outside), (wall, inside), (wall, outside), (inside, wall)]
            .map(|(from, to)| ask(world, from, to))
    };
    assert_eq!(all(&world), [false, false, true, true, false]);
    // A stair up the wall from outside: down into the court, and never out again.
    let stair = (0..3).flat_map(|step| {
        (1..4 - step).map(move |y| (BlockPosition::new(17 - step, y, 24), BlockId::SOLID))
    });
    let edit =
        world.set_blocks(stair.chain([(BlockPosition::new(17, 4, 24), BlockId::AIR)])).unwrap();
    assert_eq!(all(&world), [true, false, true, true, false]);
    world.undo(&edit).unwrap();
    assert_eq!(all(&world), [false, false, true, true, false]);
    // A door in the wall.
    world.set_blocks((1..3).map(|y| (BlockPosition::new(30, y, 24), BlockId::AIR))).unwrap();
    assert_eq!(all(&world), [true, true, true, true, false]);
}

#[test]
fn flyers_cross_open_chunks_as_one_region_each() {
    let size = VoxelSize { width: 80, height: 80, depth: 80 };
    let mut world = VoxelGrid::new(size, VoxelProfile::flyer()).unwrap();
    let id = first(&world);
    world.prepare_regions(id);
    assert!(world.region_bytes() < 40_000, "{}", world.region_bytes());
    let slab = |block| {
        (0..80).flat_map(move |z| (0..80).map(move |x| (BlockPosition::new(x, 40, z), block)))
    };
    let ends = [2, 77].map(|side| world.voxel(BlockPosition::new(side, side, side)).unwrap());
    let is_apart = |world: &VoxelGrid| {
        let said = [(0, 1), (1, 0)].map(|(a, b)| world.space().reachability(ends[a], ends[b]));
        let apart = said.map(|one| one != Reachability::Possible);
        assert_eq!(apart[0], apart[1]);
        apart[0]
    };
    assert!(!is_apart(&world));
    world.set_blocks(slab(BlockId::SOLID)).unwrap();
    assert!(is_apart(&world));
    world.set_block(BlockPosition::new(31, 40, 16), BlockId::AIR).unwrap();
    assert!(!is_apart(&world));
    world.set_block(BlockPosition::new(31, 40, 16), BlockId::SOLID).unwrap();
    assert!(is_apart(&world));
    world.set_blocks(slab(BlockId::AIR)).unwrap();
    assert!(!is_apart(&world));
}

//! Landmarks that follow edits of a voxel world.

use std::collections::BTreeMap;

use proptest::prelude::*;
use wayfare_core::path::Path;
use wayfare_core::search::{AStar, Algorithm, Dijkstra, Landmarks, Query, Search, solve};
use wayfare_voxel::{BlockId, BlockPosition, Voxel, VoxelGrid, VoxelProfile, VoxelSize};

use crate::random::{any_profile, any_world, build, pick, states};

/// Some costs of cheapest paths; none where there is no path.
fn costs<A: Algorithm>(world: &VoxelGrid, algorithm: &A) -> Vec<Option<u32>>
where
    for<'g> A::Search<Voxel, u32>: Search<wayfare_voxel::VoxelSpace<'g>>,
{
    let (space, all) = (world.space(), states(world));
    let ends = all.iter().step_by(all.len() / 9 + 1);
    let pairs = ends.clone().flat_map(|&from| ends.clone().map(move |&to| (from, to)));
    let cost =
        |(from, to)| solve(&space, algorithm, Query::new(from, to)).outcome.path().map(Path::cost);
    pairs.map(cost).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn repaired_landmarks_hide_no_cheapest_path(
        mut blocks in any_world(),
        profile in any_profile(),
        near: u32,
        edits in prop::collection::vec((any::<u32>(), 0u16..8, 1usize..5), 1..8),
    ) {
        let mut world = build(&blocks, profile);
        let Some(near) = pick(&world, near) else { return Ok(()) };
        let mut landmarks = Landmarks::new(&world.space(), near, 3).unwrap();
        for (seed, block, count) in edits {
            let places = (0..count as u32).map(|n| blocks.place(seed.wrapping_mul(2 * n + 1)));
            let places: BTreeMap<BlockPosition, BlockId> =
                places.map(|at| (at, BlockId(block))).collect();
            for (&at, &block) in &places {
                blocks.set(at, block);
            }
            let edit = world.set_blocks(places).unwrap();
            landmarks.repair(&world.space(), &world.affected_by(&edit));
            prop_assert!(!landmarks.is_stale(&world.space()));
            prop_assert_eq!(costs(&world, &AStar::with(&landmarks)), costs(&world, &Dijkstra));
        }
    }
}

#[test]
fn a_wall_lowers_no_cost_and_a_gate_lowers_those_behind_it() {
    let size = VoxelSize { width: 40, height: 4, depth: 40 };
    let solid = |at: BlockPosition| at.y == 0 || at.x == 20 && at.z > 0 && at.y < 3;
    let mut world = VoxelGrid::from_fn(size, &[], VoxelProfile::default(), |at| {
        if solid(at) { BlockId::SOLID } else { BlockId::AIR }
    })
    .unwrap();
    let at = |world: &VoxelGrid, x, z| world.voxel(BlockPosition::new(x, 1, z)).unwrap();
    let ends = [at(&world, 2, 38), at(&world, 38, 38)];
    let mut landmarks = Landmarks::new(&world.space(), ends[0], 4).unwrap();
    let query = || Query::new(ends[0], ends[1]);
    let column = |x, z, block| (1..3).map(move |y| (BlockPosition::new(x, y, z), block));
    // Three columns of a wall.
    let walls = [8, 9, 10].into_iter().flat_map(|z| column(30, z, BlockId::SOLID));
    let edit = world.set_blocks(walls).unwrap();
    assert!(landmarks.is_stale(&world.space()));
    assert_eq!(landmarks.repair(&world.space(), &world.affected_by(&edit)), 0);
    let led = solve(&world.space(), &AStar::with(&landmarks), query());
    let plain = solve(&world.space(), &AStar::new(), query());
    assert_eq!(led.outcome.path().map(Path::cost), plain.outcome.path().map(Path::cost));
    assert!(led.stats.expanded * 3 < plain.stats.expanded, "{:?} {:?}", led.stats, plain.stats);
    // A gate beside the goal.
    let edit = world.set_blocks(column(20, 38, BlockId::AIR)).unwrap();
    assert!(landmarks.repair(&world.space(), &world.affected_by(&edit)) > 0);
    let led = solve(&world.space(), &AStar::with(&landmarks), query());
    assert_eq!(led.outcome.path().map(Path::len), Some(36));
}

//! Goals outside the loaded chunks, against a distance field over all places at the edge.

use wayfare_core::path::validate;
use wayfare_core::search::{
    DistanceField, DistanceFieldSearch, FieldQuery, NoPath, Outcome, Progress, Scratch,
};
use wayfare_core::space::{Cost, Obstruction, Space};
use wayfare_voxel::explain::solve_to_edge;
use wayfare_voxel::{BlockId, BlockPosition, ChunkPosition, VoxelGrid, VoxelProfile, VoxelSize};

use crate::random::states;

#[test]
fn the_path_to_the_edge_is_the_best_of_all() {
    let size = VoxelSize { width: 80, height: 32, depth: 80 };
    let tall = VoxelProfile { height: 2, max_fall_distance: 4, ..VoxelProfile::default() };
    for (profile, seed) in
        [(VoxelProfile::default(), 1), (tall.clone(), 2), (VoxelProfile { width: 2, ..tall }, 3)]
    {
        let mut world = VoxelGrid::from_fn(size, &[], profile, |at| {
            let mix = ((at.x / 3) * 31 + (at.z / 3) * 57 + seed).wrapping_mul(0x9e37_79b9) >> 28;
            if at.y < 8 + mix / 4 || mix == 9 && at.y < 15 { BlockId::SOLID } else { BlockId::AIR }
        })
        .unwrap();
        for (x, z) in [(3, 0), (3, 1), (4, 2), (2, 3), (4, 4)] {
            for y in 0..2 {
                world.unload_chunk(ChunkPosition { x, y, z }).unwrap();
            }
        }
        let (space, all) = (world.space(), states(&world));
        let goals = [(70, 40), (50, 2), (40, 60)];
        let goals = goals.map(|(x, z)| world.voxel(BlockPosition::new(x, 20, z)).unwrap());
        let goals = goals.into_iter().filter(|&goal| space.check(goal).is_err());
        let (mut scratch, mut compared) = (Scratch::new(), 0);
        for goal in goals {
            assert_eq!(space.check(goal), Err(Obstruction::NotLoaded));
            for &start in all.iter().step_by(all.len() / 5) {
                let mut search = DistanceFieldSearch::new(FieldQuery::outward([start]));
                while search.step(&space, &mut scratch, &mut (), u64::MAX) == Progress::Working {}
                let mut field = DistanceField::default();
                search.into_field(&space, &mut scratch, &mut field).unwrap();
                let whole = |state| Some(field.cost(state)?.plus(space.estimate(state, goal)));
                let at_edge = all.iter().filter(|&&state| space.is_at_edge(state));
                let best = at_edge.filter_map(|&state| whole(state)).min();

                let answer = solve_to_edge(&space, &mut scratch, start, goal);
                let Outcome::Unreachable { reason, nearest } = answer.outcome else { panic!() };
                assert_eq!(reason, NoPath::Goal(Obstruction::NotLoaded));
                let end = nearest.end().unwrap();
                assert_eq!(validate(&space, &nearest, start, end), Ok(()));
                let found = nearest.cost() + space.estimate(end, goal);
                let Some(best) = best else { continue }; // a pillar that nobody gets off
                assert_eq!(found, best);
                assert!(space.is_at_edge(end));
                compared += 1;
            }
        }
        assert!(compared > 5, "{compared}");
    }
}

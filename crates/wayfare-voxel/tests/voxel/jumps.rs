//! Jumps through the air: what they cost, edits in between, walled-in goals, and what they never
//! do.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use wayfare_core::expert::{JumpCourse, JumpVisitor, Jumping, JumpingOf};
use wayfare_core::path::{Path, validate};
use wayfare_core::search::{
    AStar, Algorithm, AlgorithmId, Auto, Dijkstra, Goal, Jps, Limit, NoPath, Outcome, Progress,
    Query, Scratch, Search, solve,
};
use wayfare_core::space::{Action, MoveRules, Space};
use wayfare_voxel::{
    BlockId, BlockPosition, CHUNK_SIDE, ChunkPosition, Voxel, VoxelGrid, VoxelProfile, VoxelSize,
    VoxelSpace,
};

/// A random number after that one.
fn next(state: &mut u64) -> u32 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 33) as u32
}

fn anywhere(size: VoxelSize, state: &mut u64) -> BlockPosition {
    let [x, y, z] = [size.width, size.height, size.depth].map(|side| next(state) % side);
    BlockPosition::new(x, y, z)
}

/// Worlds of boxes and single blocks, of several chunks, and flyers of several sizes.
fn any_air() -> impl Strategy<Value = VoxelGrid> {
    let size = (1u32..40, 1u32..36, 1u32..40);
    (size, any::<u64>(), 0u32..12, 0u32..5, 1u8..3, 1u8..3).prop_map(
        |((width, height, depth), seed, boxes, dust, tall, wide)| {
            let size = VoxelSize { width, height, depth };
            let mut state = seed | 1;
            let mut solid = Vec::new();
            for _ in 0..boxes {
                let (a, b) = (anywhere(size, &mut state), anywhere(size, &mut state));
                let thin = next(&mut state) % 6;
                for x in a.x.min(b.x)..=if thin == 0 { a.x.min(b.x) } else { a.x.max(b.x) } {
                    for y in a.y.min(b.y)..=if thin == 1 { a.y.min(b.y) } else { a.y.max(b.y) } {
                        for z in a.z.min(b.z)..=if thin == 2 { a.z.min(b.z) } else { a.z.max(b.z) }
                        {
                            // With holes.
                            if thin < 3 && next(&mut state) & 15 > 0 {
                                solid.push(BlockPosition::new(x, y, z));
                            }
                        }
                    }
                }
            }
            for _ in 0..width * height * depth * dust / 16 {
                solid.push(anywhere(size, &mut state));
            }
            let profile = VoxelProfile { height: tall, width: wide, ..VoxelProfile::flyer() };
            let blocks = solid.into_iter().map(|at| (at, BlockId::SOLID));
            VoxelGrid::from_blocks(size, &[], profile, blocks).unwrap()
        },
    )
}

/// A place where the flyer has room, near a random one.
fn free(world: &VoxelGrid, seed: u64) -> Option<Voxel> {
    let (mut state, space) = (seed | 1, world.space());
    (0..64)
        .filter_map(|_| world.voxel(anywhere(world.size(), &mut state)))
        .find(|&voxel| space.check(voxel).is_ok())
}

fn check<S>(space: &S, query: &Query<Voxel, S::Cost>) -> Result<(), TestCaseError>
where
    S: MoveRules<State = Voxel>,
{
    prop_assert!(JumpingOf::<S>::is_possible(space));
    let truth = solve(space, &Dijkstra, query.clone()).outcome;
    let found = solve(space, &Jps, query.clone()).outcome;
    prop_assert_eq!(found.path().map(Path::cost), truth.path().map(Path::cost));
    if let Outcome::Found(path) = found {
        let end = path.end().unwrap();
        prop_assert_eq!(validate(space, &path, query.start, end), Ok(()));
        prop_assert!(query.goal.accepts(end));
        prop_assert!(path.moves().all(|step| step.action == Action::Fly));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn they_cost_what_dijkstra_says_with_edits_in_between(
        mut world in any_air(),
        rounds in prop::collection::vec((any::<u64>(), prop::collection::vec(any::<u64>(), 1..6), any::<bool>()), 1..5),
    ) {
        for (start, goals, fill) in rounds {
            let space = world.space();
            let (Some(start), Some(first)) = (free(&world, start), free(&world, goals[0])) else { return Ok(()) };
            check(&space, &Query::new(start, first))?;
            let several = Goal::any_of(goals.iter().filter_map(|&goal| free(&world, goal)));
            check(&space, &Query::to(start, several.clone()))?;
            check(&world.space_for::<u64>(world.profiles().next().unwrap()), &Query::to(start, several))?;
            let mut state = goals[0] | 1;
            let size = world.size();
            let edits: Vec<_> = goals.iter().flat_map(|_| {
                let at = anywhere(size, &mut state);
                (0..5).map(move |step| BlockPosition::new((at.x + step) % size.width, at.y, (at.z + step / 2) % size.depth))
            }).collect();
            let block = if fill { BlockId::SOLID } else { BlockId::AIR };
            world.set_blocks(edits.into_iter().map(|at| (at, block))).unwrap();
        }
    }

    #[test]
    fn edits_leave_the_jumps_that_building_anew_would(
        mut world in any_air(),
        edits in prop::collection::vec((any::<u64>(), 0u8..8), 1..12),
        ends in prop::collection::vec((any::<u64>(), any::<u64>()), 4),
    ) {
        for (seed, kind) in edits {
            let mut state = seed | 1;
            let at = anywhere(world.size(), &mut state);
            match kind {
                0 => world.fill_chunk(at.chunk(), BlockId::SOLID).unwrap(),
                1 => world.fill_chunk(at.chunk(), BlockId::AIR).unwrap(),
                2 => world.unload_chunk(at.chunk()).unwrap(),
                _ => {
                    let block = if kind % 2 == 0 { BlockId::SOLID } else { BlockId::AIR };
                    let _ = world.set_block(at, block); // not where nothing is loaded
                }
            }
        }
        let profile = world.profile(world.profiles().next().unwrap()).unwrap().clone();
        let mut anew = VoxelGrid::from_fn(world.size(), &[], profile, |at| world.block(at).unwrap_or(BlockId::AIR)).unwrap();
        let chunks = |side: u32| 0..side.div_ceil(CHUNK_SIDE);
        let VoxelSize { width, height, depth } = world.size();
        for (x, y, z) in chunks(width).flat_map(|x| chunks(height).flat_map(move |y| chunks(depth).map(move |z| (x, y, z)))) {
            if !world.is_loaded(BlockPosition::new(x * CHUNK_SIDE, y * CHUNK_SIDE, z * CHUNK_SIDE)) {
                anew.unload_chunk(ChunkPosition { x, y, z }).unwrap();
            }
        }
        for (start, goal) in ends {
            let Some((start, goal)) = free(&world, start).zip(free(&world, goal)) else { return Ok(()) };
            let (edited, built) = (solve(&world.space(), &Jps, Query::new(start, goal)), solve(&anew.space(), &Jps, Query::new(start, goal)));
            prop_assert_eq!(edited.stats, built.stats);
            let steps = |outcome: &Outcome<Voxel, u32>| outcome.path().map(|path| path.steps.clone());
            prop_assert_eq!(steps(&edited.outcome), steps(&built.outcome));
            check(&world.space(), &Query::new(start, goal))?;
        }
    }

    #[test]
    fn sliced_is_whole_and_a_limit_keeps_what_was_found(world in any_air(), start: u64, goal: u64, most in 0u64..30) {
        let Some((start, goal)) = free(&world, start).zip(free(&world, goal)) else { return Ok(()) };
        let space = world.space();
        let whole = solve(&space, &Jps, Query::new(start, goal));
        let mut scratch = Scratch::new();
        let mut search = Jps.search(Query::new(start, goal));
        while search.step(&space, &mut scratch, &mut (), 3) == Progress::Working {}
        prop_assert_eq!(search.answer(&space, &mut scratch), whole);
        let limited = solve(&space, &Jps, Query::new(start, goal).max_expansions(most));
        prop_assert!(limited.stats.expanded <= most);
        if let Outcome::LimitReached { limit: Limit::Expansions, nearest } = limited.outcome {
            let end = nearest.end().unwrap();
            prop_assert_eq!(validate(&space, &nearest, start, end), Ok(()));
        }
    }
}

/// A hall with a room of 13³ in it, whose wall may have a window.
fn hall(has_window: bool) -> (VoxelGrid, Voxel, Voxel) {
    let size = VoxelSize { width: 120, height: 60, depth: 120 };
    let mut state = 7;
    let world = VoxelGrid::from_fn(size, &[], VoxelProfile::flyer(), |at| {
        let away = at.x.abs_diff(80).max(at.y.abs_diff(30)).max(at.z.abs_diff(80));
        let is_window = has_window && at.x == 87 && at.y == 30 && at.z == 80;
        let is_dust = away > 7 && next(&mut state) & 63 == 0;
        if away == 7 && !is_window || is_dust { BlockId::SOLID } else { BlockId::AIR }
    })
    .unwrap();
    let (start, goal) = (BlockPosition::new(3, 3, 3), BlockPosition::new(80, 30, 80));
    let (start, goal) = (world.voxel(start).unwrap(), world.voxel(goal).unwrap());
    (world, start, goal)
}

#[test]
fn a_walled_in_goal_is_found_out_from_its_own_side() {
    let (world, start, goal) = hall(false);
    let answer = solve(&world.space(), &Auto, Query::new(start, goal));
    assert!(matches!(answer.outcome, Outcome::Unreachable { reason: NoPath::Enclosed, .. }));
    assert!(answer.stats.expanded <= 20_480, "{}", answer.stats.expanded);
    let (world, start, goal) = hall(true);
    check(&world.space(), &Query::new(start, goal)).unwrap();
}

#[test]
fn a_free_way_without_detours_is_found_by_looking() {
    let size = VoxelSize { width: 90, height: 40, depth: 70 };
    let mut world = VoxelGrid::new(size, VoxelProfile::flyer()).unwrap();
    let at = |x, y, z| BlockPosition::new(x, y, z);
    let ends = [at(2, 3, 60), at(80, 30, 9)];
    let expanded = |world: &VoxelGrid| {
        let [start, goal] = ends.map(|end| world.voxel(end).unwrap());
        check(&world.space(), &Query::new(start, goal)).unwrap();
        solve(&world.space(), &Jps, Query::new(start, goal)).stats.expanded
    };
    assert_eq!(expanded(&world), 1);
    // Along three axes first: through here.
    world.set_block(at(12, 13, 50), BlockId::SOLID).unwrap();
    assert!(expanded(&world) > 1);
}

#[test]
fn flyers_jump_and_others_do_not() {
    let size = VoxelSize { width: 20, height: 4, depth: 20 };
    let jumps = |profile: VoxelProfile| {
        let world = VoxelGrid::new(size, profile).unwrap();
        let query = |at| world.voxel(at).unwrap();
        let query =
            Query::new(query(BlockPosition::new(0, 0, 0)), query(BlockPosition::new(19, 3, 19)));
        Auto::choose(&world.space(), &query).algorithm == AlgorithmId::Jps
    };
    assert!(jumps(VoxelProfile::flyer()));
    assert!(!jumps(VoxelProfile::swimmer()) && !jumps(VoxelProfile::default()));
    let mut both = VoxelProfile::flyer();
    both.abilities.walk = true;
    assert!(!jumps(both));
    let mut dear = VoxelProfile::flyer();
    dear.action_costs.fly = 2.0;
    assert!(!jumps(dear));
}

#[test]
fn nothing_is_allocated_once_warm() {
    let (world, start, goal) = hall(true);
    let space = world.space();
    let mut scratch = Scratch::new();
    let mut round = || {
        let answer = Auto.search(Query::new(start, goal)).finish(&space, &mut scratch, &mut ());
        scratch.recycle(answer.outcome.into_path());
    };
    round();
    assert_eq!(allocation_counter::measure(round).count_total, 0);
}

/// A search ahead by jumps alone, however near the goal is: Dijkstra's algorithm over their ends.
struct Jumper {
    /// The cost and the parent of each voxel.
    known: BTreeMap<Voxel, (u64, Voxel)>,
    open: BTreeSet<(u64, Voxel)>,
    course: JumpCourse,
    /// The voxel being expanded and its cost.
    from: (Voxel, u64),
}

impl Jumper {
    fn relax(&mut self, state: Voxel, cost: u32) -> Result<u64, u64> {
        let ((parent, before), known) = (self.from, self.known.get(&state).map(|known| known.0));
        let cost = before + u64::from(cost);
        match known {
            Some(known) if known <= cost => Err(cost - known),
            _ => {
                self.known.insert(state, (cost, parent));
                Ok(cost)
            }
        }
    }
}

impl JumpVisitor<Voxel, u32> for Jumper {
    fn end(&mut self, state: Voxel, cost: u32) -> u32 {
        match self.relax(state, cost) {
            Ok(cost) => {
                self.open.insert((cost, state));
                0
            }
            Err(saved) => saved as u32,
        }
    }

    fn part(&mut self, state: Voxel, cost: u32) -> bool {
        self.relax(state, cost).is_ok()
    }

    fn puts_off(&mut self, _: Voxel, _: u32) -> bool {
        false
    }

    fn course(&self) -> JumpCourse {
        self.course
    }

    fn scanned(&mut self, _: u32) {}
}

fn cost_by_jumps(
    space: &VoxelSpace<'_>,
    (start, goal): (Voxel, Voxel),
    course: JumpCourse,
) -> Option<u64> {
    let known = BTreeMap::from([(start, (0, start))]);
    let mut jumper = Jumper { known, open: BTreeSet::from([(0, start)]), course, from: (start, 0) };
    let mut memory = Vec::new();
    JumpingOf::<VoxelSpace<'_>>::prepare(space, &[goal], &mut memory);
    while let Some((cost, state)) = jumper.open.pop_first() {
        if state == goal {
            return Some(cost);
        }
        let (known, parent) = jumper.known[&state];
        if cost == known {
            jumper.from = (state, cost);
            JumpingOf::<VoxelSpace<'_>>::jumps(space, parent, state, &[goal], &memory, &mut jumper);
        }
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Searches as short as those of these worlds hardly jump.
    #[test]
    fn jumps_of_any_length_cost_what_dijkstra_says(
        world in any_air(), start: u64, goal: u64, expanded in 1u64..4000, rise in 0u64..2_000_000,
    ) {
        let Some((start, goal)) = free(&world, start).zip(free(&world, goal)) else { return Ok(()) };
        let space = world.space();
        let truth = solve(&space, &Dijkstra, Query::new(start, goal)).outcome;
        let found = cost_by_jumps(&space, (start, goal), JumpCourse { expanded, rise });
        prop_assert_eq!(found, truth.path().map(|path| path.cost().into()));
    }
}

/// A hall full of posts and plates, in which both ends of a query lie in a cup, open upwards or to
/// one side. Straight paths between them are blocked near either end.
fn cups(seed: u64, dust: u32) -> (VoxelGrid, Voxel, Voxel) {
    let size = VoxelSize { width: 72, height: 40, depth: 64 };
    let mut state = seed | 1;
    let mut near = |at: u32| at + next(&mut state) % 9;
    let ends = [[near(6), near(6), near(6)], [near(54), near(24), near(46)]];
    let open = [next(&mut state) % 6, next(&mut state) % 6];
    let mut is_dust = || next(&mut state) % 1000 < dust;
    let world = VoxelGrid::from_fn(size, &[], VoxelProfile::flyer(), |at| {
        let here = [at.x, at.y, at.z];
        let is_wall = ends.iter().zip(open).any(|(end, open)| {
            let away = [0, 1, 2].map(|axis| here[axis] as i32 - end[axis] as i32);
            let furthest = away.iter().fold(0, |most, part| most.max(part.abs()));
            let side = (open / 2) as usize;
            let is_open = away[side] == if open % 2 == 0 { 4 } else { -4 };
            furthest == 4 && !is_open
        });
        let is_end = ends.contains(&here);
        if is_wall || is_dust() && !is_end { BlockId::SOLID } else { BlockId::AIR }
    })
    .unwrap();
    let [start, goal] = ends.map(|[x, y, z]| world.voxel(BlockPosition::new(x, y, z)).unwrap());
    (world, start, goal)
}

#[test]
fn a_look_back_from_the_goal_keeps_the_cost() {
    let (mut long, mut by_jumps, mut by_neighbours) = (0, 0, 0);
    for seed in 1..40u32 {
        let (world, start, goal) =
            cups(u64::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15), seed % 4 * 20);
        let space = world.space();
        for (start, goal) in [(start, goal), (goal, start)] {
            let query = Query::new(start, goal);
            check(&space, &query).unwrap();
            let whole = solve(&space, &Jps, query.clone());
            long += u32::from(whole.stats.expanded > 448); // the look back has begun
            by_jumps += whole.stats.expanded;
            by_neighbours += solve(&space, &AStar::new(), query.clone()).stats.expanded;
            let (mut scratch, mut search) = (Scratch::new(), Jps.search(query));
            while search.step(&space, &mut scratch, &mut (), 7) == Progress::Working {}
            assert_eq!(search.answer(&space, &mut scratch), whole);
        }
    }
    assert!(long >= 30, "{long} of 78 searches are long enough");
    assert!(4 * by_jumps < by_neighbours, "{by_jumps} expansions beside {by_neighbours} of A*");
}

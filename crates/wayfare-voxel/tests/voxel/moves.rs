//! Moves in voxel worlds: against an independent checker, an independent oracle, and abilities that
//! only add.

use crate::oracle_of_common::oracle;
use crate::random::{any_abilities, any_profile, any_world, build, pick, states};
use proptest::prelude::*;
use wayfare_core::path::{validate, validate_any_angle};
use wayfare_core::search::{
    AStar, AlgorithmId, Dijkstra, Guarantee, Landmarks, Options, Outcome, Query, Scratch, Search,
    solve,
};
use wayfare_core::space::{MoveRules, ReverseSpace, Space, StateId};
use wayfare_voxel::{Ascent, BlockId, BlockKind, VoxelGrid, VoxelProfile, VoxelSize, VoxelSpace};

/// All moves out of all states, as (from, to, cost).
fn moves_forwards(world: &VoxelGrid) -> Vec<(u32, u32, u32)> {
    let space = world.space();
    let mut moves = Vec::new();
    for state in states(world) {
        space.successors(state, |edge| moves.push((state.index(), edge.target.index(), edge.cost)));
    }
    moves.sort_unstable();
    moves
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn moves_are_those_of_the_checker_and_lead_back_the_same_way(blocks in any_world(), profile in any_profile()) {
        let world = build(&blocks, profile);
        let space = world.space();
        let forwards = moves_forwards(&world);
        let mut backwards = Vec::new();
        for state in states(&world) {
            space.predecessors(state, |edge| backwards.push((edge.target.index(), state.index(), edge.cost)));
        }
        backwards.sort_unstable();
        prop_assert_eq!(&forwards, &backwards);

        let mut cheapest = forwards;
        cheapest.dedup_by_key(|(from, to, _)| (*from, *to));
        let all = states(&world);
        let mut checked = Vec::new();
        for &from in &all {
            for &to in &all {
                if let Ok(cost) = space.check_move(from, to) {
                    checked.push((from.index(), to.index(), cost));
                }
            }
        }
        checked.sort_unstable();
        prop_assert_eq!(cheapest, checked);
    }

    #[test]
    fn every_algorithm_keeps_its_promise(blocks in any_world(), profile in any_profile(), start: u32, goal: u32) {
        let world = build(&blocks, profile);
        let space = world.space();
        let Some((start, goal)) = pick(&world, start).zip(pick(&world, goal)) else { return Ok(()) };
        let optimal = oracle(&space, &states(&world), start).get(&goal.index()).copied();
        let options = Options::default();
        for &algorithm in AlgorithmId::ALL {
            if algorithm == AlgorithmId::IdaStar {
                continue; // takes time exponential in the length of the path among 26 neighbours
            }
            let answer = algorithm.search(&options, Query::new(start, goal)).finish(&space, &mut Scratch::new(), &mut ());
            match (&answer.outcome, optimal) {
                (Outcome::Found(path), Some(optimal)) => {
                    let cost = u64::from(path.cost());
                    match algorithm.info().guarantee {
                        Guarantee::AnyAngle => prop_assert_eq!(validate_any_angle(&space, path, start, goal), Ok(())),
                        _ => prop_assert_eq!(validate(&space, path, start, goal), Ok(()), "{}", algorithm),
                    }
                    match algorithm.info().guarantee {
                        Guarantee::Optimal => prop_assert_eq!(cost, optimal, "{}", algorithm),
                        Guarantee::Bounded => {
                            prop_assert!(cost as f64 <= optimal as f64 * f64::from(options.weight.get()), "{}", algorithm);
                        }
                        _ => {}
                    }
                }
                (Outcome::Unreachable { .. }, None) => {}
                (other, _) => prop_assert!(false, "{algorithm}: {other}, but the oracle says {optimal:?}"),
            }
        }
    }

    #[test]
    fn more_ability_never_costs_more(blocks in any_world(), few in any_abilities(), more in any_abilities(), start: u32, goal: u32) {
        let more = VoxelProfile {
            abilities: wayfare_voxel::Abilities {
                // Ground is a gap for leaps of those alone that cannot walk.
                walk: few.abilities.walk || (more.abilities.walk && !few.abilities.jump),
                jump: few.abilities.jump || more.abilities.jump,
                fall: few.abilities.fall || more.abilities.fall,
                swim: few.abilities.swim || more.abilities.swim,
                climb: few.abilities.climb || more.abilities.climb,
                // To agents that fly slabs are full blocks, on which they do not stand so low.
                fly: few.abilities.fly || more.abilities.fly && !blocks.has_halves(),
            },
            jump_height: few.jump_height.max(more.jump_height),
            jump_distance: few.jump_distance.max(more.jump_distance),
            max_fall_distance: few.max_fall_distance.max(more.max_fall_distance),
            height: few.height.min(more.height),
            opens_doors: few.opens_doors || more.opens_doors,
            endures_lava: few.endures_lava || more.endures_lava,
            ..few.clone()
        };
        let (few, more) = (build(&blocks, few), build(&blocks, more));
        let Some((start, goal)) = pick(&few, start).zip(pick(&few, goal)) else { return Ok(()) };
        let cost = |world: &VoxelGrid| {
            solve(&world.space(), &Dijkstra, Query::new(start, goal)).outcome.path().map(wayfare_core::path::Path::cost)
        };
        if let Some(dear) = cost(&few) {
            prop_assert!(cost(&more).is_some_and(|cheap| cheap <= dear));
        }
    }

    #[test]
    fn a_profile_that_is_added_moves_as_in_a_world_of_its_own(
        blocks in any_world(),
        seen in 1u16..11,
        few in any_abilities(),
        more in any_abilities(),
    ) {
        // Few kinds of block, so that abilities often change nothing.
        let mut blocks = blocks;
        let VoxelSize { width, height, depth } = blocks.size;
        for seed in 0..width * height * depth {
            let at = blocks.place(seed);
            let BlockId(block) = blocks.get(at);
            blocks.set(at, BlockId(if block > seen { block % 2 } else { block }));
        }
        let mut world = build(&blocks, few);
        let id = world.add_profile(more.clone()).unwrap();
        let alone = build(&blocks, more);
        let moves = |space: &VoxelSpace<'_>| {
            let mut moves = Vec::new();
            for state in states(&alone) {
                space.successors(state, |edge| moves.push((state, edge.target, edge.cost)));
            }
            moves
        };
        prop_assert_eq!(moves(&world.space_of(id)), moves(&alone.space()));
    }

    #[test]
    fn edits_leave_what_building_anew_would(
        blocks in any_world(),
        profile in any_profile(),
        edits in prop::collection::vec((any::<u32>(), 0u16..11), 1..10),
    ) {
        let (mut blocks, mut world) = (blocks.clone(), build(&blocks, profile.clone()));
        let untouched = world.clone();
        let mut done = Vec::new();
        for (seed, block) in edits {
            let at = blocks.place(seed);
            blocks.set(at, BlockId(block));
            let revision = world.revision();
            let edit = world.set_block(at, BlockId(block)).unwrap();
            prop_assert_eq!(edit.is_empty(), revision == world.revision());
            done.push(edit);
        }
        prop_assert_eq!(moves_forwards(&world), moves_forwards(&build(&blocks, profile)));
        for edit in done.iter().rev() {
            world.undo(edit).unwrap();
        }
        prop_assert_eq!(moves_forwards(&world), moves_forwards(&untouched));
    }

    #[test]
    fn a_path_that_no_edit_touches_stays_as_it_is(
        blocks in any_world(),
        profile in any_profile(),
        start: u32,
        goal: u32,
        seed: u32,
        block in 0u16..11,
    ) {
        let mut world = build(&blocks, profile);
        let Some((start, goal)) = pick(&world, start).zip(pick(&world, goal)) else { return Ok(()) };
        let answer = solve(&world.space(), &AStar::new(), Query::new(start, goal));
        let Some(path) = answer.outcome.path() else { return Ok(()) };
        let edit = world.set_block(blocks.place(seed), BlockId(block)).unwrap();
        if edit.touches(&world.space(), path.states()).is_none() {
            prop_assert_eq!(validate(&world.space(), path, start, goal), Ok(()));
        }
    }

    #[test]
    fn moves_left_out_lose_nothing(
        size in (4u32..12, 2u32..10, 4u32..12),
        seed: u64,
        (share, halves) in (1u64..6, any::<bool>()),
        abilities in any_abilities(),
        kind in 0u8..4,
        ends in prop::collection::vec((any::<u32>(), any::<u32>()), 8),
    ) {
        let profile = match kind {
            0 => VoxelProfile::flyer(),
            1 => VoxelProfile::default(),
            2 => VoxelProfile { max_fall_distance: 3, jump_distance: 1, ..VoxelProfile::default() },
            _ => abilities,
        };
        let size = VoxelSize { width: size.0, height: size.1, depth: size.2 };
        // No block of the palette is dear: only then are moves left out.
        let stairs = [BlockKind::Half, BlockKind::Stairs(Ascent::East), BlockKind::Stairs(Ascent::South)];
        let palette = [BlockKind::Air, BlockKind::Solid, BlockKind::Water, BlockKind::Ladder];
        let palette: Vec<_> = palette.into_iter().chain(stairs).map(Into::into).collect();
        let mut state = seed | 1;
        let world = VoxelGrid::from_fn(size, &palette, profile, |at| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            match state >> 40 & 15 {
                0 => BlockId(2),
                1 => BlockId(3),
                2 if halves => BlockId(4 + (state >> 50) as u16 % 3),
                bits if bits < 2 + share || at.y == 0 && bits < 12 => BlockId::SOLID,
                _ => BlockId::AIR,
            }
        }).unwrap();
        let space = world.space();
        for (start, goal) in ends {
            let Some((start, goal)) = pick(&world, start).zip(pick(&world, goal)) else { return Ok(()) };
            let all = solve(&space, &Dijkstra, Query::new(start, goal)).outcome;
            let some = solve(&space, &AStar::new(), Query::new(start, goal)).outcome;
            prop_assert_eq!(some.path().map(wayfare_core::path::Path::cost), all.path().map(wayfare_core::path::Path::cost));
            if let Some(path) = some.path() {
                prop_assert_eq!(validate(&space, path, start, goal), Ok(()));
            }
            let landmarks = Landmarks::new(&space, start, 2).unwrap();
            let led = solve(&space, &AStar::with(&landmarks), Query::new(start, goal)).outcome;
            prop_assert_eq!(led.path().map(wayfare_core::path::Path::cost), all.path().map(wayfare_core::path::Path::cost));
        }
    }
}

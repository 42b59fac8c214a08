//! Costs in time, stated a second time, and the estimates that go with them; falls into water.

use crate::random::{any_profile, any_times, any_world, build, palette, states};
use proptest::prelude::*;
use wayfare_core::path::{Path, validate};
use wayfare_core::search::{AStar, Dijkstra, Query, solve};
use wayfare_core::space::{Action, Measure, Metric, Space};
use wayfare_voxel::{
    Abilities, BlockId, BlockPosition, MoveTimes, VoxelError, VoxelGrid, VoxelProfile, VoxelSize,
};

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_move_lowers_an_estimate_by_more_than_its_cost(
        blocks in any_world(),
        profile in any_profile(),
        times in any_times(),
    ) {
        // More often by time than other tests have it.
        let profile = VoxelProfile { times: profile.times.or(times), ..profile };
        let world = build(&blocks, profile);
        let (space, all) = (world.space(), states(&world));
        for &goal in all.iter().step_by(all.len() / 12 + 1) {
            prop_assert_eq!(space.estimate(goal, goal), 0);
            for &from in &all {
                let mut fault = None;
                space.successors(from, |edge| {
                    for measure in [Measure::Octile, Measure::Chebyshev, Measure::Euclidean] {
                        let h = |state| space.distance(measure, state, goal);
                        if h(from) > edge.cost + h(edge.target) {
                            fault = Some((measure, edge));
                        }
                    }
                });
                prop_assert!(fault.is_none(), "{from:?} {fault:?} {goal:?}");
            }
        }
    }

    #[test]
    fn moves_cost_the_time_that_they_take(blocks in any_world(), profile in any_profile(), times in any_times()) {
        let Some(times) = times else { return Ok(()) };
        let profile = VoxelProfile {
            times: Some(times),
            action_costs: Default::default(),
            // The only block of the palette with costs of its own.
            block_costs: vec![(BlockId(7), Default::default())],
            ..profile
        };
        let world = build(&blocks, profile);
        let space = world.space();
        let in_water = |state| {
            let block = world.block(world.position_of(state)).unwrap();
            [2, 3].contains(&block.0)
        };
        for from in states(&world) {
            let mut moves = Vec::new();
            space.successors(from, |edge| moves.push(edge));
            for edge in moves {
                let (a, b) = (world.position_of(from), world.position_of(edge.target));
                let [dx, dz] = [a.x.abs_diff(b.x), a.z.abs_diff(b.z)].map(f64::from);
                let height = |state| (f64::from(space.position(state).y) * 2.0).round() / 2.0;
                let dy = (height(from) - height(edge.target)).abs();
                let across = dx.max(dz) - dx.min(dz) + dx.min(dz) * 2f64.sqrt();
                let upright = (2.0 * dy / f64::from(times.gravity)).sqrt();
                let on_foot = across / f64::from(times.walk_speed);
                let in_space = (dx * dx + dy * dy + dz * dz).sqrt();
                // A body two blocks wide swims with one half in the water.
                let profile = world.profile(Default::default()).unwrap();
                let (is_wide, flies) = (profile.width > 1, profile.abilities.fly);
                let is_in_volume = flies || in_water(from) && in_water(edge.target);
                let swum = if is_in_volume { in_space } else { across + dy };
                let expected = match edge.action {
                    // Up and down half blocks.
                    Action::Walk => on_foot + dy / f64::from(times.walk_speed),
                    Action::Jump => f64::from(times.jump_time) + on_foot + upright,
                    Action::Fall => on_foot + upright,
                    Action::Swim if is_wide => continue,
                    Action::Swim => swum / f64::from(times.swim_speed),
                    Action::Climb => (across + dy) / f64::from(times.climb_speed),
                    Action::Fly => in_space / f64::from(times.fly_speed),
                    _ => unreachable!(),
                };
                let found = times.seconds(edge.cost.into());
                // One cost unit up, and factors of 16 bits.
                let error = 1.5 / times.cost_of_second() + 2e-3 * expected;
                prop_assert!((found - expected).abs() <= error, "{edge:?}: {found} s, not {expected} s");
            }
        }
    }
}

/// A cliff of a given height over a floor or a pond.
fn cliff(height: u32, pond: bool, profile: VoxelProfile) -> VoxelGrid {
    let size = VoxelSize { width: 8, height: height + 4, depth: 3 };
    VoxelGrid::from_fn(size, &palette(), profile, |BlockPosition { x, y, .. }| {
        BlockId(match (x, y) {
            (_, 0) => 1,
            (0..=2, _) if y <= height => 1,
            (3.., 1) if pond => 2,
            _ => 0,
        })
    })
    .unwrap()
}

#[test]
fn divers_fall_into_water_from_any_height_and_onto_ground_as_deep_as_they_may() {
    let swim = Abilities { swim: true, ..Abilities::default() };
    let end = |world: &VoxelGrid, height: u32, to: u32| {
        let place = |x, y| world.voxel(BlockPosition::new(x, y, 1)).unwrap();
        let (a, b) = (place(1, height + 1), place(to, 1));
        let answer = solve(&world.space(), &AStar::new(), Query::new(a, b));
        if let Some(path) = answer.outcome.path() {
            assert_eq!(validate(&world.space(), path, a, b), Ok(()));
        }
        answer.outcome.is_found()
    };
    for max_fall_distance in [0, 1, 5] {
        for height in [2, 6, 40, 2000] {
            for times in [None, Some(MoveTimes::PEOPLE)] {
                let profile = VoxelProfile {
                    abilities: swim,
                    max_fall_distance,
                    times,
                    ..VoxelProfile::default()
                };
                let dry = VoxelProfile { abilities: Abilities::default(), ..profile.clone() };
                let (pond, floor) =
                    (cliff(height, true, profile.clone()), cliff(height, false, profile));
                assert!(end(&pond, height, 6), "{height} {max_fall_distance}");
                let is_low = u32::from(max_fall_distance) >= height;
                assert_eq!(end(&floor, height, 6), is_low, "{height} {max_fall_distance}");
                assert!(!end(&cliff(height, true, dry), height, 6), "who does not swim");
            }
        }
    }
}

#[test]
fn who_counts_time_falls_off_a_cliff_instead_of_taking_its_steps() {
    // Down a cliff of 6 blocks beside steps.
    let size = VoxelSize { width: 24, height: 10, depth: 2 };
    let with = |times: Option<MoveTimes>| {
        let profile = VoxelProfile { max_fall_distance: 6, times, ..VoxelProfile::default() };
        VoxelGrid::from_fn(size, &[], profile, |BlockPosition { x, y, z }| {
            let top = match (x, z) {
                (0..8, _) => 6,
                (8..14, 1) => 13 - x,
                _ => 0,
            };
            if y <= top { BlockId::SOLID } else { BlockId::AIR }
        })
        .unwrap()
    };
    let actions = |world: &VoxelGrid, from: (u32, u32, u32), to: (u32, u32, u32)| {
        let place = |(x, y, z)| world.voxel(BlockPosition::new(x, y, z)).unwrap();
        let query = || Query::new(place(from), place(to));
        let answer = solve(&world.space(), &AStar::new(), query());
        let path = answer.outcome.path().unwrap();
        let other = solve(&world.space(), &Dijkstra, query());
        assert_eq!(Some(path.cost()), other.outcome.path().map(Path::cost));
        let falls = path.moves().filter(|step| step.action == Action::Fall).count();
        (falls, path.cost())
    };
    let (timed, plain) = (with(Some(MoveTimes::PEOPLE)), with(None));
    let (top, bottom) = ((6, 7, 1), (15, 1, 1));
    // By length both ways are as long: six blocks down, and as far across.
    let (falls, cost) = actions(&timed, top, bottom);
    assert_eq!(falls, 1);
    assert!(cost < actions(&plain, top, bottom).1);
    let seconds = MoveTimes::PEOPLE.seconds(cost.into());
    assert!(seconds < 9.9 / 1.4 + (12.0f64 / 9.80665).sqrt(), "{seconds}");
}

#[test]
fn impossible_times_are_errors_that_name_the_field() {
    let size = VoxelSize { width: 4, height: 4, depth: 4 };
    let said = |change: fn(&mut MoveTimes)| {
        let mut times = MoveTimes::PEOPLE;
        change(&mut times);
        let profile = VoxelProfile { times: Some(times), ..VoxelProfile::default() };
        match VoxelGrid::new(size, profile) {
            Err(VoxelError::OutOfRange { field, .. }) => field,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(said(|times| times.walk_speed = f32::NAN), "walking speed");
    assert_eq!(said(|times| times.walk_speed = 0.0), "walking speed");
    assert_eq!(said(|times| times.swim_speed = -1.0), "swimming speed");
    assert_eq!(said(|times| times.climb_speed = f32::INFINITY), "climbing speed");
    assert_eq!(said(|times| times.fly_speed = 1e9), "flying speed");
    assert_eq!(said(|times| times.jump_time = -0.1), "time of a jump");
    assert_eq!(said(|times| times.gravity = 0.0), "gravity");
    assert_eq!(said(|times| times.gravity = f32::NAN), "gravity");
}

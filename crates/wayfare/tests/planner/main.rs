//! The planner: budgets, answers, order, edits.

#[path = "common/grids.rs"]
mod grids;

use std::collections::BTreeMap;

use grids::{any_grid, pick};
use proptest::prelude::*;
use wayfare::link::{Crossing, Gate, Keys, LinkId, NavLink, NavLinks};
use wayfare::navigate::{Answered, EngineId, LandmarksEngine, Navigator};
use wayfare::path::{Path, validate};
use wayfare::plan::{
    ClassId, Finished, Planner, PlannerSettings, Priority, Request, Standing, Ticket,
};
use wayfare::search::{
    AStar, Algorithm, AlgorithmId, DistanceFieldSearch, FieldQuery, NamedAlgorithm, NoPath,
    Outcome, Progress, Query, Scratch, Search, solve,
};
use wayfare::space::voxel::{Block, BlockId, BlockKind, VoxelGrid, VoxelProfile, VoxelSize};
use wayfare::space::{Cell, Grid, GridProfile, Space, StateId, TerrainId};

const ONLY: ClassId = ClassId(0);

/// A map of rooms with doors.
fn rooms(side: u32) -> Grid {
    let terrain: Vec<TerrainId> = (0..side * side)
        .map(|at| {
            let (x, y) = (at % side, at / side);
            let wall =
                (x % 16 == 0 && (y * 7 + x) % 11 != 3) || (y % 16 == 0 && (x * 5 + y) % 13 != 4);
            if wall { TerrainId::BLOCKED } else { TerrainId::GROUND }
        })
        .collect();
    Grid::new(side, side, &terrain, GridProfile::default()).unwrap()
}

fn far_query(grid: &Grid, seed: u32) -> Query<Cell, u32> {
    let side = grid.width();
    let cell = |seed: u32| grid.cell(seed * 37 % side, seed * 101 % side).unwrap();
    Query::new(cell(seed + 1), cell(5 * seed + 19))
}

fn run_dry(
    planner: &mut Planner<Cell, u32, AStar>,
    grid: &Grid,
    budget: u64,
) -> Vec<(Ticket, Answered<Cell, u32>)> {
    let mut answers = Vec::new();
    for _ in 0..100_000 {
        let report = planner.tick_with(
            |_| grid.space(),
            budget,
            |ticket, answer| {
                answers.push((ticket, answer));
            },
        );
        assert!(report.expansions <= budget);
        if report.queued + report.running == 0 {
            return answers;
        }
    }
    panic!("the planner does not come to an end");
}

/// A request before it is known in which grid.
#[derive(Clone, Copy, Debug)]
struct Draft {
    start: u32,
    goal: u32,
    priority: u8,
    is_local: bool,
    approach: bool,
}

fn any_drafts() -> impl Strategy<Value = Vec<Draft>> {
    let draft = (any::<u32>(), 0u32..9, any::<u8>(), any::<bool>(), prop::bool::weighted(0.1));
    let draft = draft.prop_map(|(start, goal, priority, is_local, approach)| Draft {
        start,
        goal: goal * 31,
        priority,
        is_local,
        approach,
    });
    prop::collection::vec(draft, 1..40)
}

fn any_settings() -> impl Strategy<Value = PlannerSettings> {
    (1usize..5, 0u8..=100, 0u64..20, 0usize..4, 0usize..3, 0u64..40).prop_map(
        |(slots, local_percent, local_work, coalesce_from, kept_fields, negative_states)| {
            PlannerSettings {
                slots,
                local_percent,
                local_work,
                coalesce_from,
                kept_fields,
                negative_states,
                ..PlannerSettings::default()
            }
        },
    )
}

fn request(grid: &Grid, draft: Draft) -> Request<Cell, u32, AStar> {
    let query = Query::new(pick(grid, draft.start), pick(grid, draft.goal));
    let query = if draft.approach { query.approach() } else { query };
    let request = Request::new(ONLY, query).priority(Priority(draft.priority));
    if draft.is_local { request.local() } else { request }
}

/// Whether the planner answered as a separate search would. Another path of the same cost is right
/// too, and the path to the nearest state is not compared.
fn is_right(grid: &Grid, query: &Query<Cell, u32>, answer: &Answered<Cell, u32>) -> bool {
    let goal = query.goal.states()[0];
    let alone = solve(&grid.space(), &AStar::new(), query.clone()).outcome;
    match (&answer.outcome, &alone) {
        (Outcome::Found(path), Outcome::Found(own)) => {
            validate(&grid.space(), path, query.start, goal) == Ok(()) && path.cost() == own.cost()
        }
        (Outcome::Unreachable { reason, .. }, Outcome::Unreachable { reason: own, .. }) => {
            reason == own
        }
        _ => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_request_is_answered_as_it_would_be_alone_and_no_tick_exceeds_its_budget(
        grid in any_grid(),
        drafts in any_drafts(),
        settings in any_settings(),
        budget in 1u64..60,
        a_tick in 1usize..9,
    ) {
        let mut planner = Planner::new(AStar::new(), settings);
        let mut asked = BTreeMap::new();
        let mut answers = Vec::new();
        for some in drafts.chunks(a_tick) {
            for &draft in some {
                let request = request(&grid, draft);
                asked.insert(planner.request(request.clone()), request.query);
            }
            let report = planner.tick(|_| grid.space(), budget);
            prop_assert!(report.expansions <= budget);
            answers.extend(planner.finished().map(|done| (done.ticket, done.answer)));
        }
        answers.extend(run_dry(&mut planner, &grid, budget));
        prop_assert_eq!(answers.len(), drafts.len());
        for (ticket, answer) in answers {
            let query = asked.remove(&ticket).unwrap();
            prop_assert!(is_right(&grid, &query, &answer), "{query:?} {answer:?}");
        }
        prop_assert_eq!(planner.stats().done, drafts.len() as u64);
        prop_assert_eq!(planner.stats().latency.count(), drafts.len() as u64);
    }
}

/// Requests that name algorithms are answered by exactly these, neither by a shared field nor by an
/// engine, also after a save and an edit that restarts them.
#[test]
fn a_request_is_searched_for_by_the_algorithm_that_it_names() {
    let mut grid = rooms(48);
    let goal = grid.cell(45, 43).unwrap();
    let landmarks = LandmarksEngine::new(&grid.space(), goal, 4).unwrap();
    let settings = PlannerSettings { coalesce_from: 2, ..PlannerSettings::default() };
    let auto = NamedAlgorithm::from(AlgorithmId::Auto);
    let mut planner = Planner::new(auto, settings);
    let mut asked = BTreeMap::new();
    // IDA* would not end on a map of rooms.
    let named = AlgorithmId::ALL.iter().filter(|id| **id != AlgorithmId::IdaStar);
    for (number, &id) in named.enumerate() {
        let (x, y) = (1 + number as u32 % 15, 3 + number as u32 / 15);
        let query = Query::new(grid.cell(x, y).unwrap(), goal);
        asked.insert(planner.request(Request::new(ONLY, query.clone()).by(id.into())), (id, query));
    }
    planner.tick(|_| Navigator::new(grid.space()).with(&landmarks), 700);
    let mut planner = Planner::restore(auto, planner.save(), |_| grid.space()).unwrap();
    let affected = flip(&mut grid, 3 * 48 + 30);
    planner.world_changed(|_| grid.space(), &affected);
    while planner.stats().done < asked.len() as u64 {
        planner.tick(|_| Navigator::new(grid.space()).with(&landmarks), 700);
    }
    assert_eq!((planner.stats().coalesced, planner.stats().prepared), (0, 0));
    for Finished { ticket, answer } in planner.finished() {
        let (id, query) = asked.remove(&ticket).unwrap();
        assert_eq!(answer.took.engine, EngineId::Search, "{id}");
        assert_eq!(answer.took.guarantee, id.info().guarantee, "{id}");
        let alone = solve(&grid.space(), &NamedAlgorithm::from(id), query);
        let path = answer.outcome.into_path();
        assert_eq!(path.steps, alone.outcome.into_path().steps, "{id}");
    }
    assert!(asked.is_empty());
}

#[test]
fn higher_priority_is_served_first_and_lower_not_never() {
    let grid = rooms(64);
    let settings = PlannerSettings { slots: 1, coalesce_from: 0, ..PlannerSettings::default() };
    let mut planner = Planner::new(AStar::new(), settings);
    let ask = |planner: &mut Planner<Cell, u32, AStar>, seed, priority| {
        planner.request(Request::new(ONLY, far_query(&grid, seed)).priority(Priority(priority)))
    };
    let low = ask(&mut planner, 1, 100);
    let high = ask(&mut planner, 2, 110);
    let order: Vec<Ticket> =
        run_dry(&mut planner, &grid, 50).into_iter().map(|(ticket, _)| ticket).collect();
    assert_eq!(order, [high, low]);
    // A stream of requests that are ten steps more urgent holds it up for as many ticks' worth of
    // arrivals, no longer.
    let low = ask(&mut planner, 1, 100);
    let mut ticks = 0;
    while planner.standing(low) == Standing::Queued {
        ask(&mut planner, 3 + ticks, 110);
        planner.tick(|_| grid.space(), 200);
        ticks += 1;
        assert!(ticks < 400, "it starves");
    }
}

#[test]
fn a_cancelled_request_is_never_answered_and_its_ticket_not_another_ones() {
    let grid = rooms(64);
    let mut planner = Planner::new(AStar::new(), PlannerSettings::default());
    let tickets: Vec<Ticket> =
        (0..12).map(|seed| planner.request(Request::new(ONLY, far_query(&grid, seed)))).collect();
    assert!(planner.cancel(tickets[0]) && !planner.cancel(tickets[0]));
    planner.tick(|_| grid.space(), 40);
    let running: Vec<Ticket> = tickets
        .iter()
        .copied()
        .filter(|&ticket| matches!(planner.standing(ticket), Standing::Running { expanded: 1.. }))
        .collect();
    assert!(!running.is_empty());
    assert!(planner.cancel(running[0]));
    assert!(planner.cancel(tickets[11]));
    let again = planner.request(Request::new(ONLY, far_query(&grid, 3)));
    assert_eq!(planner.standing(tickets[11]), Standing::Unknown);
    let answers = run_dry(&mut planner, &grid, 500);
    assert_eq!(answers.len(), 10);
    assert!(answers.iter().any(|(ticket, _)| *ticket == again));
    assert!(
        answers.iter().all(|(ticket, _)| ![tickets[0], tickets[11], running[0]].contains(ticket))
    );
    assert_eq!(planner.stats().cancelled, 3);
}

#[test]
fn the_local_lane_is_not_held_up_by_long_searches() {
    let grid = rooms(256);
    let settings = PlannerSettings { local_work: 150, ..PlannerSettings::default() };
    let mut planner = Planner::new(AStar::new(), settings);
    for seed in 0..40 {
        planner.request(Request::new(ONLY, far_query(&grid, seed)));
    }
    planner.tick(|_| grid.space(), 400);
    let near = Query::new(grid.cell(20, 20).unwrap(), grid.cell(25, 24).unwrap());
    let near = planner.request(Request::new(ONLY, near).local());
    let far = planner.request(Request::new(ONLY, far_query(&grid, 77)).local());
    planner.tick(|_| grid.space(), 400);
    assert_eq!(planner.standing(near), Standing::Done);
    let answers = run_dry(&mut planner, &grid, 20_000);
    assert!(answers.iter().any(|(ticket, answer)| *ticket == far && answer.outcome.is_found()));
    assert_eq!(planner.stats().moved, 1, "what is not short moves to the others");
}

#[test]
fn a_crowd_with_one_goal_shares_one_field_and_latecomers_use_it_too() {
    let grid = rooms(128);
    let goal = grid.cell(100, 90).unwrap();
    let mut planner = Planner::new(AStar::new(), PlannerSettings::default());
    let mut alone = 0;
    let mut ask = |planner: &mut Planner<Cell, u32, AStar>, seeds: std::ops::Range<u32>| {
        for seed in seeds {
            let start = grid.cell(seed * 37 % 128, seed * 101 % 128).unwrap();
            let query = Query::new(start, goal);
            alone += solve(&grid.space(), &AStar::new(), query.clone()).stats.expanded;
            planner.request(Request::new(ONLY, query));
        }
    };
    ask(&mut planner, 0..200);
    let answers = run_dry(&mut planner, &grid, 3_000);
    assert_eq!(answers.len(), 200);
    let together = planner.stats().expansions;
    assert!(together <= u64::from(128u32 * 128), "{together} expansions");
    ask(&mut planner, 200..260);
    run_dry(&mut planner, &grid, 3_000);
    assert!(planner.stats().expansions <= u64::from(128u32 * 128));
    assert!(planner.stats().coalesced > 220);
    assert!(alone > 10 * planner.stats().expansions, "{alone} alone");
}

/// A voxel world with a walled-in hut in it. Voxel worlds have no component labels.
fn hut() -> VoxelGrid {
    let size = VoxelSize { width: 48, height: 4, depth: 48 };
    let palette = [BlockKind::Air, BlockKind::Solid].map(Block::from);
    VoxelGrid::from_fn(size, &palette, VoxelProfile::default(), |at| {
        let is_in =
            |low: u32, high: u32| (low..=high).contains(&at.x) && (low..=high).contains(&at.z);
        BlockId(u16::from(at.y == 0 || is_in(20, 28) && !is_in(21, 27)))
    })
    .unwrap()
}

#[test]
fn a_walled_in_goal_is_searched_for_once() {
    let world = hut();
    let space = world.space();
    let at = |x: u32, z: u32| {
        let states = (0..space.state_bound() as u32).map(StateId::from_index);
        let mut here = states.filter(|&state| {
            let point = space.position(state);
            space.check(state).is_ok() && point.x as u32 == x && point.z as u32 == z
        });
        here.find(|&state| space.position(state).y as u32 == 1).unwrap()
    };
    let settings = PlannerSettings { coalesce_from: 0, ..PlannerSettings::default() };
    let mut planner = Planner::new(AStar::new(), settings);
    let one = solve(&space, &AStar::new(), Query::new(at(2, 2), at(24, 24)));
    assert!(matches!(one.outcome, Outcome::Unreachable { reason: NoPath::Enclosed, .. }));
    for n in 0..300 {
        let query = Query::new(at(2 + n % 10, 3 + n / 30), at(22 + n % 5, 23));
        planner.request(Request::new(ONLY, query));
    }
    for _ in 0..200 {
        planner.tick(|_| world.space(), 700);
    }
    assert_eq!((planner.stats().done, planner.stats().failed), (300, 300));
    assert!(planner.negative(ONLY, at(24, 24)) && !planner.negative(ONLY, at(2, 2)));
    let spent = planner.stats().expansions;
    assert!(spent < 5 * one.stats.expanded, "{spent}, and {} for one", one.stats.expanded);
    // Within the hut there is a way.
    let inside = planner.request(Request::new(ONLY, Query::new(at(22, 22), at(26, 26))));
    planner.tick(|_| world.space(), 700);
    assert!(planner.take(inside).unwrap().outcome.is_found());
}

/// Everything that can be told of a planner from outside.
fn print_of(planner: &Planner<Cell, u32, AStar>) -> String {
    format!("{:?}", planner.save())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn saved_and_restored_at_any_tick_it_goes_on_the_same(
        grid in any_grid(),
        drafts in any_drafts(),
        settings in any_settings(),
        budgets in prop::collection::vec(0u64..40, 12),
        save_at in 0usize..10,
        edit_at in 0usize..10,
        edited: u32,
    ) {
        let mut grid = grid;
        let mut planner = Planner::new(AStar::new(), settings);
        let mut restored: Option<Planner<Cell, u32, AStar>> = None;
        for (tick, &budget) in budgets.iter().enumerate() {
            if tick == save_at {
                let again = Planner::restore(AStar::new(), planner.save(), |_| grid.space());
                prop_assert!(again.is_ok());
                restored = again.ok();
            }
            let both = [Some(&mut planner), restored.as_mut()];
            let affected = (tick == edit_at).then(|| flip(&mut grid, edited));
            for planner in both.into_iter().flatten() {
                if let Some(affected) = &affected {
                    planner.world_changed(|_| grid.space(), affected);
                }
                for &draft in drafts.iter().skip(tick * 4).take(4) {
                    planner.request(request(&grid, draft));
                }
                planner.tick(|_| grid.space(), budget);
                if tick % 3 == 2 {
                    planner.finished().take(2).for_each(drop);
                }
            }
            if let Some(restored) = &restored {
                prop_assert_eq!(print_of(restored), print_of(&planner));
            }
        }
    }

    #[test]
    fn an_edit_under_way_leaves_every_answer_right(
        grid in any_grid(),
        drafts in any_drafts(),
        settings in any_settings(),
        budget in 1u64..30,
        edits in prop::collection::vec((any::<u32>(), any::<bool>()), 1..6),
    ) {
        let mut grid = grid;
        let mut planner = Planner::new(AStar::new(), settings);
        let mut asked = BTreeMap::new();
        for &draft in &drafts {
            let request = request(&grid, draft);
            asked.insert(planner.request(request.clone()), request.query);
        }
        for (edited, is_told) in edits {
            planner.tick(|_| grid.space(), budget);
            for Finished { ticket, answer } in planner.finished() {
                let query = asked.remove(&ticket).unwrap();
                prop_assert!(is_right(&grid, &query, &answer), "{query:?} {answer:?}");
            }
            let affected = flip(&mut grid, edited);
            if is_told {
                planner.world_changed(|_| grid.space(), &affected);
            }
        }
        for (ticket, answer) in run_dry(&mut planner, &grid, budget) {
            let query = asked.remove(&ticket).unwrap();
            prop_assert!(is_right(&grid, &query, &answer), "{query:?} {answer:?}");
        }
        prop_assert!(asked.is_empty());
    }

    #[test]
    fn an_adopted_search_answers_what_a_fresh_one_would(
        grid in any_grid(),
        start: u32,
        goal: u32,
        expanded in 0u64..20,
        edited: u32,
    ) {
        let mut grid = grid;
        let query = Query::new(pick(&grid, start), pick(&grid, goal));
        let mut scratches = [Scratch::new(), Scratch::new(), Scratch::new()];
        let [first, second, third] = &mut scratches;
        let mut search = AStar::new().search(query.clone());
        let _ = search.step(&grid.space(), first, &mut (), expanded);
        let mut field = DistanceFieldSearch::new(FieldQuery::inward([query.start]));
        let _ = field.step(&grid.space(), second, &mut (), expanded);
        let affected = flip(&mut grid, edited);
        if search.adopt(&grid.space(), first, &affected) {
            let answer = search.finish(&grid.space(), first, &mut ());
            prop_assert_eq!(answer, solve(&grid.space(), &AStar::new(), query.clone()));
        }
        if field.adopt(&grid.space(), second, &affected) {
            let mut fresh = DistanceFieldSearch::new(FieldQuery::inward([query.start]));
            while field.step(&grid.space(), second, &mut (), 7) == Progress::Working {}
            while fresh.step(&grid.space(), third, &mut (), 7) == Progress::Working {}
            for state in grid.cells() {
                let (ours, theirs) = (field.path(&grid.space(), second, state), fresh.path(&grid.space(), third, state));
                prop_assert_eq!(ours, theirs);
            }
        }
    }
}

/// A search led by landmarks is sliced, saved and restored like any other, and goes on without
/// them after an edit.
#[test]
fn an_engine_that_leads_is_used_in_every_slice() {
    let mut grid = rooms(128);
    let query = far_query(&grid, 3);
    let engine = LandmarksEngine::new(&grid.space(), query.start, 8).unwrap();
    let settings = PlannerSettings::default();
    let mut alone = Planner::new(AStar::new(), settings);
    alone.request(Request::new(ONLY, query.clone()));
    let plain = run_dry(&mut alone, &grid, 50).remove(0).1;

    let new = || {
        let mut planner = Planner::<Cell, u32, AStar>::new(AStar::new(), settings);
        let ticket = planner.request(Request::new(ONLY, query.clone()));
        (planner, ticket)
    };
    let finish = |mut planner: Planner<Cell, u32, AStar>, grid: &Grid, ticket| {
        while planner.standing(ticket) != Standing::Done {
            let report = planner.tick(|_| Navigator::new(grid.space()).with(&engine), 50);
            assert!(report.expansions <= 50);
        }
        planner.take(ticket).unwrap()
    };
    let (planner, ticket) = new();
    let led = finish(planner, &grid, ticket);
    assert_eq!(led.took.engine, EngineId::Landmarks);
    assert_eq!(led.outcome.path().map(Path::cost), plain.outcome.path().map(Path::cost));
    assert!(led.stats.expanded > 60, "more than one slice: {:?}", led.stats);
    assert!(led.stats.expanded < plain.stats.expanded, "{:?} {:?}", led.stats, plain.stats);

    let (mut planner, ticket) = new();
    planner.tick(|_| Navigator::new(grid.space()).with(&engine), 50);
    let views = |_| Navigator::new(grid.space()).with(&engine);
    let restored = Planner::restore(AStar::new(), planner.save(), views).unwrap();
    assert_eq!(finish(restored, &grid, ticket), led);

    let affected = flip(&mut grid, 5 * 128 + 100);
    planner.world_changed(|_| grid.space(), &affected);
    let after = finish(planner, &grid, ticket);
    assert_eq!(after.took.engine, EngineId::Search, "the landmarks are of the world before");
    assert!(is_right(&grid, &query, &after));
}

#[test]
fn an_edit_begins_only_those_searches_anew_that_reached_it() {
    let mut grid = rooms(128);
    let mut planner = Planner::new(AStar::new(), PlannerSettings::default());
    let at = |grid: &Grid, x, y| grid.cell(x, y).unwrap();
    for (from, to) in [((2, 2), (120, 120)), ((120, 4), (5, 121))] {
        let query = Query::new(at(&grid, from.0, from.1), at(&grid, to.0, to.1));
        planner.request(Request::new(ONLY, query));
    }
    planner.tick(|_| grid.space(), 60);
    let spent = |planner: &Planner<Cell, u32, AStar>| planner.stats().expansions;
    assert_eq!(spent(&planner), 60);
    for (x, y, adopted, restarted) in [(60, 3, 2, 0), (3, 3, 3, 1)] {
        let seed = y * grid.width() + x;
        let affected = flip(&mut grid, seed);
        planner.world_changed(|_| grid.space(), &affected);
        assert_eq!((planner.stats().adopted, planner.stats().restarted), (adopted, restarted));
    }
    let answers = run_dry(&mut planner, &grid, 500);
    assert_eq!(answers.len(), 2);
    let each: u64 = answers.iter().map(|(_, answer)| answer.stats.expanded).sum();
    assert_eq!(spent(&planner), each + 30, "the one that began anew had spent half of sixty");
}

/// Blocks or frees a cell; returns every cell whose moves that may have changed.
fn flip(grid: &mut Grid, seed: u32) -> Vec<Cell> {
    let cell = pick(grid, seed);
    let blocked = grid.terrain(cell) == TerrainId::BLOCKED;
    grid.set_terrain(cell, if blocked { TerrainId::GROUND } else { TerrainId::BLOCKED });
    let (x, y) = (seed % grid.width(), seed / grid.width() % grid.height());
    let profile = grid.space().profile();
    let reach = u32::from(profile.width) + u32::from(profile.blur) + 1;
    let near = |at: u32| at.saturating_sub(reach)..=at + reach;
    near(y)
        .flat_map(|y| near(x).map(move |x| (x, y)))
        .filter_map(|(x, y)| grid.cell(x, y))
        .collect()
}

#[test]
fn a_warm_planner_allocates_nothing() {
    let grid = rooms(64);
    let mut planner = Planner::new(AStar::new(), PlannerSettings::default());
    let mut round = |seeds: std::ops::Range<u32>| {
        for seed in seeds {
            let request = Request::new(ONLY, far_query(&grid, seed % 40));
            let request = if seed % 3 == 0 { request.local() } else { request };
            planner.request(request);
            planner.tick(|_| grid.space(), 300);
            while let Some(Finished { answer, .. }) = { planner.finished().next() } {
                planner.recycle(answer.outcome.into_path());
            }
        }
    };
    // The parts of the planner trade their memory: it takes a while until each has had the longest
    // path.
    (0..12).for_each(|_| round(0..40));
    let allocations = allocation_counter::measure(|| round(0..40));
    assert_eq!(allocations.count_total, 0);
}

#[cfg(feature = "rayon")]
#[test]
fn one_thread_and_two_do_the_same_in_every_tick() {
    let grid = rooms(128);
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut planner = Planner::new(AStar::new(), PlannerSettings::default());
            let mut told = Vec::new();
            for tick in 0..40 {
                for seed in tick * 3..tick * 3 + 3 {
                    planner.request(Request::new(ONLY, far_query(&grid, seed)));
                }
                planner.tick(|_| grid.space(), 4_000);
                told.extend(planner.finished().map(|done| (tick, done.ticket, done.answer)));
            }
            (told, print_of(&planner))
        })
    };
    assert_eq!(run(1), run(2));
}

#[cfg(feature = "serde")]
#[test]
fn a_snapshot_is_data_and_one_that_contradicts_itself_is_refused() {
    let mut grid = rooms(64);
    let mut planner = Planner::new(AStar::new(), PlannerSettings::default());
    for seed in 0..30 {
        let query = far_query(&grid, seed);
        let goal = if seed % 2 == 0 { grid.cell(40, 40).unwrap() } else { query.goal.states()[0] };
        planner.request(Request::new(ONLY, Query::new(query.start, goal)));
        planner.tick(|_| grid.space(), 60);
    }
    let written = serde_json::to_string(&planner.save()).unwrap();
    let read = serde_json::from_str(&written).unwrap();
    let mut again = Planner::restore(AStar::new(), read, |_| grid.space()).unwrap();
    let affected = flip(&mut grid, 1234);
    for planner in [&mut planner, &mut again] {
        planner.world_changed(|_| grid.space(), &affected);
    }
    assert_eq!(run_dry(&mut again, &grid, 77), run_dry(&mut planner, &grid, 77));

    let mut value: serde_json::Value = serde_json::from_str(&written).unwrap();
    let change = |value: &mut serde_json::Value, path: &str, to: u32| {
        *value.pointer_mut(path).unwrap() = to.into();
        let read = serde_json::from_value(value.clone()).unwrap();
        Planner::<Cell, u32, AStar>::restore(AStar::new(), read, |_| grid.space()).map(drop)
    };
    let fault = change(&mut value, "/settings/slots", 4_000_000_000).unwrap_err();
    assert_eq!(fault, wayfare::plan::SnapshotError::Slots);
    let mut value: serde_json::Value = serde_json::from_str(&written).unwrap();
    let fault = change(&mut value, "/requests/untaken", 77).unwrap_err();
    assert_eq!(fault, wayfare::plan::SnapshotError::Tickets);
    let goal = wayfare::search::Goal::<Cell>::when(|_| true);
    assert!(serde_json::to_string(&goal).unwrap_err().to_string().contains("predicate"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn doors_that_open_and_shut_under_way_leave_every_answer_right(
        doors in prop::collection::vec((any::<u32>(), any::<u32>(), 0u8..4), 1..5),
        drafts in any_drafts(),
        settings in any_settings(),
        changes in prop::collection::vec((any::<u32>(), 0u8..3, 0u8..4), 0..8),
        budget in 1u64..60,
    ) {
        let grid = rooms(34);
        let mut links = NavLinks::new(1.0);
        for (from, to, seconds) in doors {
            let crossing = Crossing::Seconds(f32::from(seconds));
            let link = NavLink::new(pick(&grid, from), pick(&grid, to), crossing);
            let _ = links.add(&grid.space(), link); // where nobody can stand there is no door
        }
        let mut planner = Planner::new(AStar::new(), settings);
        let mut asked = BTreeMap::new();
        for &draft in &drafts {
            let request = request(&grid, draft);
            asked.insert(planner.request(request.clone()), request.query);
        }
        for (link, gate, wait) in changes.into_iter().chain(std::iter::repeat((0, 3, 0))) {
            let report = planner.tick(|_| links.over(grid.space(), Keys::NONE), budget);
            prop_assert!(report.expansions <= budget);
            for Finished { ticket, answer } in planner.finished() {
                let query = asked.remove(&ticket).unwrap();
                let linked = links.over(grid.space(), Keys::NONE);
                let alone = solve(&linked, &AStar::new(), query.clone());
                let told = answer.outcome.path().map(Path::cost);
                prop_assert_eq!(told, alone.outcome.path().map(Path::cost), "{:?}", query);
                if let Some(path) = answer.outcome.path() {
                    let verdict = validate(&linked, path, query.start, query.goal.states()[0]);
                    prop_assert_eq!(verdict, Ok(()));
                }
            }
            if asked.is_empty() {
                break;
            }
            if links.is_empty() || gate == 3 {
                continue;
            }
            let link = LinkId(link % links.len() as u32);
            let gate = [Gate::Open, Gate::Closed, Gate::Locked][usize::from(gate)];
            if links.set_gate(link, gate) | links.post_wait(link, f32::from(wait)) {
                let ends = links.ends(link).unwrap();
                planner.world_changed(|_| links.over(grid.space(), Keys::NONE), &ends);
            }
        }
        prop_assert!(planner.stats().done == drafts.len() as u64);
    }
}

#[test]
fn a_request_in_place_of_another_keeps_its_place_in_the_queue() {
    let row = ".".repeat(24);
    let grid = Grid::from_rows(&[row.as_str(); 24]).unwrap();
    let at = |x, y| grid.cell(x, y).unwrap();
    let settings = PlannerSettings { slots: 1, coalesce_from: 0, ..PlannerSettings::default() };
    let mut planner = Planner::new(AStar::new(), settings);
    let request = |x| Request::new(ClassId(0), Query::new(at(0, 0), at(x, 23)));
    let first = planner.request(request(1));
    planner.tick(|_| grid.space(), 0);
    let others = [planner.request(request(2)), planner.request(request(3))];
    planner.tick(|_| grid.space(), 0);
    let instead = planner.request_instead(first, request(4));
    assert_eq!(planner.standing(first), Standing::Unknown);
    planner.tick(|_| grid.space(), 100_000);
    let order: Vec<Ticket> = planner.finished().map(|done| done.ticket).collect();
    assert_eq!(order, [instead, others[0], others[1]]);
}

/// Only a link leads to the goal, and its entrance is blocked. Once the entrance is open, the moves
/// into the link's exit are others too, though the edit lies far away.
#[test]
fn an_edit_at_one_end_of_a_link_is_one_at_the_other() {
    let mut grid = Grid::from_rows(&["....#..", "....#..", "....#.."]).unwrap();
    let at = |x, y| grid.cell(x, y).unwrap();
    let (start, goal, ends) = (at(0, 0), at(6, 0), [at(1, 2), at(5, 2)]);
    let mut links = NavLinks::new(3.0);
    links.add(&grid.space(), NavLink::new(ends[0], ends[1], Crossing::Seconds(1.0))).unwrap();
    grid.set_terrain(ends[0], TerrainId::BLOCKED);
    let mut planner = Planner::new(AStar::new(), PlannerSettings::default());
    let ask = |planner: &mut Planner<Cell, u32, AStar>, grid: &Grid| {
        let ticket = planner.request(Request::new(ClassId(0), Query::new(start, goal)));
        for _ in 0..10 {
            planner.tick(|_| links.over(grid.space(), Keys::NONE), 10_000);
        }
        planner.take(ticket).unwrap().outcome.is_found()
    };
    assert!(!ask(&mut planner, &grid));
    assert!(!ask(&mut planner, &grid), "the region of the goal is known by now");
    grid.set_terrain(ends[0], TerrainId::GROUND);
    let affected = grid.affected_by(&[ends[0]]);
    assert!(!affected.contains(&ends[1]));
    let affected = links.with_far_ends(&affected);
    planner.world_changed(|_| links.over(grid.space(), Keys::NONE), &affected);
    assert!(ask(&mut planner, &grid));
}

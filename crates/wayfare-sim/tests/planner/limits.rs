//! What bounds a planner: the budget of a tick where fields answer, requests that are cancelled
//! while they run, memory that is kept.

use crate::support::*;
use wayfare_core::link::{Keys, NavLinks};
use wayfare_core::navigate::work::of_reading;
use wayfare_core::search::{AStar, Outcome, Query, solve};
use wayfare_grid::grid::{Cell, Grid};
use wayfare_sim::plan::{Finished, Planner, PlannerSettings, Request, Standing, Ticket};

type Own = Planner<Cell, u32, AStar>;

/// Requests for one goal from places all over the map, one for each seed.
fn crowd(grid: &Grid, goal: Cell, seeds: std::ops::Range<u32>) -> Vec<Request<Cell, u32, AStar>> {
    let side = grid.width();
    let start = |seed: u32| grid.cell(seed * 37 % side, seed * 101 % side).unwrap();
    seeds.map(|seed| Request::new(ONLY, Query::new(start(seed), goal))).collect()
}

/// The work that it takes to read the longest of the paths.
fn longest(grid: &Grid, goal: Cell) -> u64 {
    let field_of = |start| solve(&grid.space(), &AStar::new(), Query::new(start, goal));
    let lengths = grid.cells().step_by(97).filter_map(|start| match field_of(start).outcome {
        Outcome::Found(path) => Some(path.states().len()),
        _ => None,
    });
    2 * of_reading(lengths.max().unwrap_or(0))
}

/// When the requests for a field's goal come.
#[derive(Clone, Copy, PartialEq, Debug)]
enum When {
    /// Before the field grows.
    Before,
    /// Once it is whole, and kept.
    After,
    /// Likewise, forty in each tick.
    AfterInTurns,
    /// Likewise, in the lane for short queries.
    AfterAsLocal,
}

/// A field that has reached hundreds of starts hands out no more paths in a tick than the budget
/// allows, and does not stop other work meanwhile.
#[test]
fn fields_answer_within_the_budget_and_hold_up_no_search() {
    let grid = rooms(128);
    let goal = grid.cell(100, 90).unwrap();
    let piece = longest(&grid, goal);
    for when in [When::Before, When::After, When::AfterInTurns, When::AfterAsLocal] {
        let mut planner = Own::new(AStar::new(), PlannerSettings::default());
        let ask_far = |planner: &mut Own| planner.request(Request::new(ONLY, far_query(&grid, 3)));
        let mut far = None;
        if when != When::Before {
            for request in crowd(&grid, goal, 0..100) {
                planner.request(request);
            }
            run_dry(&mut planner, &grid, 1 << 20);
            far = Some(ask_far(&mut planner));
            planner.tick(|_| grid.space(), 1);
        }
        let requests = crowd(&grid, goal, 100..700).into_iter();
        let requests =
            requests.map(|one| if when == When::AfterAsLocal { one.local() } else { one });
        let mut requests = requests.peekable();
        let a_tick = if when == When::AfterInTurns { 40 } else { 600 };
        let mut tickets: Vec<Ticket> =
            requests.by_ref().take(a_tick).map(|one| planner.request(one)).collect();
        if when == When::Before {
            // The field grows over the map in one tick, which leaves little to hand out paths by.
            let most = u64::from(grid.width() * grid.height()) / 2;
            planner.tick(|_| grid.space(), most);
        }
        let far = far.unwrap_or_else(|| ask_far(&mut planner));
        let (budget, mut ticks, mut expanded) = (6 * piece, 0, 0);
        let is_done = |planner: &Own, ticket: Ticket| planner.standing(ticket) == Standing::Done;
        while requests.peek().is_some() || !tickets.iter().all(|&ticket| is_done(&planner, ticket))
        {
            tickets.extend(requests.by_ref().take(a_tick).map(|one| planner.request(one)));
            let report = planner.tick(|_| grid.space(), budget);
            assert!(report.work <= budget + piece, "{when:?}: {} of {budget} units", report.work);
            if let Standing::Running { expanded: now } = planner.standing(far) {
                expanded = now;
            }
            ticks += 1;
            assert!(ticks < 10_000, "{when:?}: it does not come to an end");
            // An eighth: half may go to arrivals or fields, half of the rest to those in the queue,
            // and two slots share what is left then.
            if ticks > 2 && !is_done(&planner, far) {
                let share = (ticks - 2) * (budget - 2 * piece) / 8;
                assert!(expanded >= share, "{when:?}: {expanded} units, not {share}");
            }
        }
        assert!(ticks > 10, "{when:?}: {ticks} ticks; the budget holds it up");
        assert!(expanded > 100, "{when:?}: the search was seen on its way");
    }
}

#[test]
fn a_local_request_that_is_cancelled_on_its_way_costs_nothing_more() {
    let grid = rooms(128);
    let mut planner = Own::new(AStar::new(), PlannerSettings::default());
    let far = planner.request(Request::new(ONLY, far_query(&grid, 3)).local());
    planner.tick(|_| grid.space(), 40);
    assert!(matches!(planner.standing(far), Standing::Running { expanded: 1.. }));
    assert!(planner.cancel(far));
    let report = planner.tick(|_| grid.space(), 40);
    assert_eq!((report.work, report.running, report.queued), (0, 0, 0));
    // The lane is free for others, whose tickets have nothing to do with the one before.
    let near = Query::new(grid.cell(20, 20).unwrap(), grid.cell(25, 24).unwrap());
    let near = planner.request(Request::new(ONLY, near.clone()).local());
    let answers = run_dry(&mut planner, &grid, 40);
    assert_eq!(answers.iter().map(|(ticket, _)| *ticket).collect::<Vec<_>>(), [near]);
    assert_eq!((planner.standing(far), planner.stats().cancelled), (Standing::Unknown, 1));
}

/// Answers out of kept fields are written into the memory of paths that were taken back.
#[test]
fn answers_from_a_kept_field_allocate_nothing_once_warm() {
    let grid = rooms(64);
    let goal = grid.cell(50, 45).unwrap();
    let mut planner = Own::new(AStar::new(), PlannerSettings::default());
    let mut round = || {
        for seeds in (0..60).step_by(6) {
            for seed in seeds..seeds + 6 {
                let start = grid.cell(seed * 37 % 64, seed * 101 % 64).unwrap();
                planner.request(Request::new(ONLY, Query::new(start, goal)));
            }
            planner.tick(|_| grid.space(), 100_000);
            while let Some(Finished { answer, .. }) = { planner.finished().next() } {
                planner.recycle(answer.outcome.into_path());
            }
        }
    };
    (0..12).for_each(|_| round());
    let allocations = allocation_counter::measure(round);
    assert_eq!(allocations.count_total, 0);
    assert!(planner.stats().coalesced > 600, "the field answered");
}

/// However many paths are taken back, a bounded number of them is kept.
#[test]
fn paths_that_are_taken_back_are_no_leak() {
    let grid = rooms(64);
    let path = solve(&grid.space(), &AStar::new(), far_query(&grid, 3)).outcome.into_path();
    let mut planner = Own::new(AStar::new(), PlannerSettings::default());
    let kept = allocation_counter::measure(|| {
        (0..5_000).for_each(|_| planner.recycle(path.clone()));
    });
    assert!((1..=300).contains(&kept.count_current), "{kept:?}");
}

/// Budgets count more where each expansion looks at danger or jams, and no tick takes more.
#[test]
fn expansions_over_danger_and_jams_take_more_of_the_budget() {
    let grid = rooms(128);
    let cell = grid.cell(3, 3).unwrap();
    let mut dangerous = NavLinks::new(3.0);
    dangerous.add_danger(&grid.space(), &[cell], 5.0);
    let mut jammed = NavLinks::new(3.0);
    jammed.set_jams(4.0, &[(grid.centre(cell), 1.0)]);
    let mut both = dangerous.clone();
    both.set_jams(4.0, &[(grid.centre(cell), 1.0)]);
    for (units, links) in [(1, NavLinks::new(3.0)), (2, dangerous), (4, jammed), (5, both)] {
        let mut planner = Own::new(AStar::new(), PlannerSettings::default());
        planner.request(Request::new(ONLY, far_query(&grid, 3)));
        loop {
            let report = planner.tick(|_| links.over(grid.space(), Keys::NONE), 100);
            assert!(report.work < 100 + units, "{report:?}");
            assert_eq!(report.work, units * report.expansions);
            if report.running + report.queued == 0 {
                break;
            }
        }
        let [expanded, work] = [planner.stats().expansions, planner.stats().work];
        assert!(expanded > 500 && work == units * expanded, "{expanded}, {work}");
    }
}

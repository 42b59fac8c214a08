//! The order in which requests are served.

use crate::support::*;
use wayfare_core::search::{AStar, Query};
use wayfare_grid::grid::{Cell, Grid};
use wayfare_sim::plan::{ClassId, Planner, PlannerSettings, Priority, Request, Standing, Ticket};

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

//! Bodies on rails: no wall is crossed, limits are kept, and every goal is reached and not passed.

use crate::grids::{any_grid, pick};
use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::path::Path;
use wayfare_core::search::{AStar, Outcome, Query, solve};
use wayfare_core::space::{LineOfSight, MoveRules, Space};
use wayfare_grid::grid::{Cell, Grid};
use wayfare_sim::agent::{
    AgentLimits, Anchor, Body, Moved, Rail, RailEnd, RailSpec, Smoothing, lay,
};

const TICK: f32 = 0.05;

fn any_limits() -> impl Strategy<Value = AgentLimits> {
    (
        0.5f32..8.0,
        0.5f32..20.0,
        0.5f32..12.0,
        prop::sample::select(vec![0.0f32, 0.0, 0.4, 2.0]),
        any::<bool>(),
        prop::sample::select(vec![0.0f32, 0.3, 2.0]),
    )
        .prop_map(
            |(
                max_speed,
                acceleration,
                angular_speed,
                stopping_distance,
                auto_braking,
                turn_radius,
            )| {
                AgentLimits {
                    spot_turn_speed: angular_speed * 0.7,
                    max_speed,
                    acceleration,
                    angular_speed,
                    stopping_distance,
                    auto_braking,
                    turn_radius,
                    ..AgentLimits::default()
                }
            },
        )
}

/// Whether a body can sweep from one point to the other; a hair's breadth to the side counts as the
/// same place.
fn sweeps<S: LineOfSight>(space: &S, from: Vec3, to: Vec3) -> bool {
    let around = [-2e-3f32, 0.0, 2e-3];
    around.iter().any(|&x| {
        around.iter().any(|&z| {
            let aside = Vec3::new(x, 0.0, z);
            space.segment_is_clear(from + aside, to + aside)
        })
    })
}

fn path_between<S>(space: &S, start: Cell, goal: Cell) -> Option<wayfare_core::path::PathOf<S>>
where
    S: wayfare_core::space::Metric + MoveRules + Space<State = Cell, Cost = u32>,
{
    match solve(space, &AStar::new(), Query::new(start, goal)).outcome {
        Outcome::Found(path) => Some(path),
        _ => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_body_keeps_to_free_ground_and_to_its_limits(
        grid in any_grid(),
        limits in any_limits(),
        stops in prop::collection::vec((any::<u32>(), 0usize..60), 1..6),
        heading in -3.0f32..3.0,
    ) {
        let space = grid.space();
        let locate = |point| grid.cell_at(point).filter(|&cell| space.is_free(cell));
        let free: Vec<Cell> = grid.cells().filter(|&cell| space.is_free(cell)).collect();
        prop_assume!(!free.is_empty());
        let start = free[stops[0].0 as usize % free.len()];
        let at = grid.centre(start);
        let (mut body, mut rail) = (Body::standing(at, heading), Rail::standing(at, start));
        let mut legs = Vec::new();
        for (place, &(seed, patience)) in stops.iter().enumerate() {
            let goal = pick(&grid, seed.rotate_left(7));
            let ahead = limits.max_speed * limits.max_speed / (2.0 * limits.acceleration) + limits.max_speed * TICK;
            let anchor: Anchor<Cell> = rail.anchor(&body, ahead, locate);
            let Some(path) = path_between(&space, anchor.state, goal) else { continue };
            prop_assert!(lay(&space, &path, &RailSpec::new(anchor.point, &limits), &mut legs).is_ok());
            rail.splice(&mut body, &anchor, &mut legs, RailEnd { state: goal, short: limits.stopping_distance }, &limits, TICK);
            let end = rail.legs().last().map_or(body.at(), |leg| leg.to);
            prop_assert!(end.distance(grid.centre(goal)) < 1e-4);
            let is_last = place + 1 == stops.len();
            let (mut left, mut ticks) = (f32::INFINITY, 0);
            loop {
                let before = body;
                let moved = body.advance(&rail, &limits, TICK);
                let legs = rail.legs().iter().skip(before.leg());
                let passed = legs.take_while(|leg| leg.until <= body.along());
                let mut here = before.at();
                for there in passed.map(|leg| leg.to).chain([body.at()]) {
                    prop_assert!(sweeps(&space, here, there), "{here} to {there}");
                    here = there;
                }
                prop_assert!(before.at().distance(body.at()) <= limits.max_speed * TICK * 1.01 + 1e-4);
                prop_assert!(body.turn_rate().abs() <= limits.angular_speed * 1.001);
                let change = (body.speed() - before.speed()) / TICK;
                prop_assert!(change <= limits.acceleration * 1.01 + 0.01, "{change}");
                let now_left = rail.length() - body.along();
                prop_assert!(now_left <= left, "it ran back");
                left = now_left;
                if limits.auto_braking {
                    prop_assert!(change >= -limits.acceleration * 1.02 - 0.02, "{change}");
                }
                if moved == Moved::Arrived {
                    prop_assert!(left <= limits.stopping_distance + 1e-3, "{left} short");
                    break;
                }
                ticks += 1;
                if !is_last && ticks > patience {
                    break;
                }
                prop_assert!(ticks < 20_000, "it never arrives: {body:?} {rail:?}");
            }
            if is_last {
                let there = body;
                for _ in 0..100 {
                    body.advance(&rail, &limits, TICK);
                    prop_assert!(rail.length() - body.along() <= left);
                }
                prop_assert!(body.speed() == 0.0 && there.at().distance(body.at()) <= limits.stopping_distance + 1e-3);
            }
        }
    }
}

#[test]
fn without_braking_or_stopping_distance_a_body_stands_still_on_its_goal() {
    let grid = Grid::from_rows(&["............"]).unwrap();
    let space = grid.space();
    let (start, goal) = (grid.cell(0, 0).unwrap(), grid.cell(11, 0).unwrap());
    let limits = AgentLimits { auto_braking: false, max_speed: 7.3, ..AgentLimits::default() };
    let path = path_between(&space, start, goal).unwrap();
    let mut body = Body::standing(grid.centre(start), 0.0);
    let mut rail = Rail::standing(body.at(), start);
    let mut legs = Vec::new();
    assert!(lay(&space, &path, &RailSpec::new(body.at(), &limits), &mut legs).is_ok());
    let anchor = rail.anchor(&body, 0.0, |_| None);
    rail.splice(&mut body, &anchor, &mut legs, RailEnd { state: goal, short: 0.0 }, &limits, TICK);
    let mut fastest = 0.0f32;
    while body.advance(&rail, &limits, TICK) != Moved::Arrived {
        fastest = fastest.max(body.speed());
    }
    assert!((fastest - 7.3).abs() < 1e-3);
    for _ in 0..50 {
        assert_eq!(body.advance(&rail, &limits, TICK), Moved::Arrived);
        assert_eq!(body.at(), grid.centre(goal));
    }
    assert_eq!(body.speed(), 0.0);
}

#[test]
fn a_body_held_on_its_way_waits_there_and_goes_on() {
    let grid = Grid::from_rows(&["............"]).unwrap();
    let space = grid.space();
    let (start, goal) = (grid.cell(0, 0).unwrap(), grid.cell(11, 0).unwrap());
    let limits = AgentLimits::default();
    let path = path_between(&space, start, goal).unwrap();
    let mut body = Body::standing(grid.centre(start), 0.0);
    let mut rail = Rail::standing(body.at(), start);
    let mut legs = Vec::new();
    assert!(lay(&space, &path, &RailSpec::new(body.at(), &limits), &mut legs).is_ok());
    let anchor = rail.anchor(&body, 0.0, |_| None);
    rail.splice(&mut body, &anchor, &mut legs, RailEnd { state: goal, short: 0.0 }, &limits, TICK);
    rail.hold_at(4.0);
    let mut ticks = 0;
    while body.advance(&rail, &limits, TICK) != Moved::Held {
        ticks += 1;
        assert!(ticks < 1000);
    }
    assert!((body.along() - 4.0).abs() < 1e-3);
    rail.release(0);
    while body.advance(&rail, &limits, TICK) != Moved::Arrived {}
    assert_eq!(body.at(), grid.centre(goal));
}

/// A rail along straight lines between the centres of cells, each of them a single move or a clear
/// segment.
fn rail_along(grid: &Grid, corners: &[(u32, u32)], limits: &AgentLimits) -> (Body, Rail<Cell>) {
    let space = grid.space();
    let cell = |&(x, y): &(u32, u32)| grid.cell(x, y).unwrap();
    let (start, goal) = (cell(&corners[0]), cell(&corners[corners.len() - 1]));
    let mut steps = vec![wayfare_core::path::Step {
        state: start,
        action: wayfare_core::space::Action::Walk,
        cost: 0,
    }];
    for corner in &corners[1..] {
        let cost = steps[steps.len() - 1].cost + 1;
        steps.push(wayfare_core::path::Step {
            state: cell(corner),
            action: wayfare_core::space::Action::Walk,
            cost,
        });
    }
    let path = Path { steps, revision: space.revision() };
    let at = grid.centre(start);
    let (mut body, mut rail) = (Body::standing(at, 0.0), Rail::standing(at, start));
    let mut legs = Vec::new();
    // Kept to the moves, so that the corners stay where they are.
    assert!(
        lay(&space, &path, &RailSpec::new(at, limits).smoothing(Smoothing::None), &mut legs)
            .is_ok()
    );
    let anchor = rail.anchor(&body, 0.0, |_| None);
    rail.splice(&mut body, &anchor, &mut legs, RailEnd { state: goal, short: 0.0 }, limits, TICK);
    (body, rail)
}

#[test]
fn a_corner_is_taken_no_faster_than_the_body_turns() {
    use std::f32::consts::{FRAC_PI_2, FRAC_PI_4};
    let grid = Grid::from_rows(&["......"; 6]).unwrap();
    let limits = AgentLimits {
        max_speed: 5.0,
        acceleration: 50.0,
        angular_speed: 2.0,
        turn_radius: 0.4,
        radius: 0.3,
        ..AgentLimits::default()
    };
    // The turn, and the speed at which it takes as long as the way through it: angular speed ×
    // radius / turn, but a tenth of the largest speed at the least.
    let right = [(0, 0), (1, 0), (1, 1), (1, 2)];
    let half = [(0, 0), (1, 0), (2, 1), (3, 2)];
    let back = [(0, 0), (1, 0), (0, 0), (1, 0)];
    let none = [(0, 0), (1, 0), (2, 0), (3, 0)];
    for (corners, speed) in
        [(right, 2.0 * 0.4 / FRAC_PI_2), (half, 2.0 * 0.4 / FRAC_PI_4), (back, 0.5), (none, 5.0)]
    {
        let (_, rail) = rail_along(&grid, &corners, &limits);
        let first = rail.legs()[0].speed_at_end;
        assert!((first - speed).abs() < 1e-3, "{corners:?}: {first}, not {speed}");
        assert_eq!(rail.legs().last().unwrap().speed_at_end, 0.0, "it brakes for its end");
    }
    // A slower turner slows down more, and one without braking runs through its end.
    let slower = AgentLimits { angular_speed: 1.0, auto_braking: false, ..limits };
    let (_, rail) = rail_along(&grid, &half, &slower);
    assert!((rail.legs()[0].speed_at_end - 0.4 / FRAC_PI_4).abs() < 1e-3);
    assert_eq!(rail.legs().last().unwrap().speed_at_end, 5.0);
    // Slow brakes begin before the corner: v² = w² + 2 a d over whole ticks.
    let brakes = AgentLimits { acceleration: 1.0, ..limits };
    let (_, rail) = rail_along(&grid, &right, &brakes);
    let speeds: Vec<f32> = rail.legs().iter().map(|leg| leg.speed_at_end).collect();
    assert!(speeds[1] > 1.3 && speeds[1] < 2f32.sqrt(), "{speeds:?}");
}

#[test]
fn a_body_turns_and_changes_its_speed_no_faster_than_it_may() {
    let grid = Grid::from_rows(&["......"; 6]).unwrap();
    let corners =
        [(0, 0), (1, 0), (2, 0), (2, 1), (3, 2), (2, 2), (1, 2), (1, 3), (0, 4), (0, 5), (1, 5)];
    for angular_speed in [1.0, 3.0, 9.0] {
        for acceleration in [1.5, 8.0] {
            let limits = AgentLimits { angular_speed, acceleration, ..AgentLimits::default() };
            let (mut body, rail) = rail_along(&grid, &corners, &limits);
            let (mut ticks, mut turned) = (0, 0.0f32);
            loop {
                let before = body;
                let moved = body.advance(&rail, &limits, TICK);
                let turn = (body.heading() - before.heading()).abs();
                let turn = turn.min((std::f32::consts::TAU - turn).abs());
                assert!(
                    turn <= angular_speed * TICK * 1.001 + 1e-5,
                    "{turn} in a tick at {angular_speed}"
                );
                let rate = body.turn_rate().abs();
                assert!((rate * TICK - turn).abs() < 1e-4, "it says {rate}, and turned {turn}");
                let change = (body.speed() - before.speed()).abs();
                assert!(change <= acceleration * TICK * 1.001 + 1e-5, "{change} in a tick");
                let way = before.at().distance(body.at());
                assert!(way <= body.speed().max(before.speed()) * TICK * 1.001 + 1e-4);
                turned += turn;
                ticks += 1;
                assert!(ticks < 2_000);
                if moved == Moved::Arrived {
                    break;
                }
            }
            assert!(turned > 4.0, "it looks where it goes");
            assert!(body.at().distance(grid.centre(grid.cell(1, 5).unwrap())) < 1e-3);
        }
    }
}

/// It used to arrive while it turned, and to set out afterwards.
#[test]
fn whoever_is_near_enough_from_the_start_does_not_set_out() {
    let grid = Grid::from_rows(&["......"]).unwrap();
    let space = grid.space();
    let (start, goal) = (grid.cell(2, 0).unwrap(), grid.cell(0, 0).unwrap());
    for auto_braking in [false, true] {
        let limits = AgentLimits { auto_braking, ..AgentLimits::default() };
        let path = path_between(&space, start, goal).unwrap();
        let at = grid.centre(start);
        let (mut body, mut rail) = (Body::standing(at, 0.0), Rail::standing(at, start));
        let mut legs = Vec::new();
        lay(&space, &path, &RailSpec::new(at, &limits), &mut legs).unwrap();
        let (anchor, end) =
            (rail.anchor(&body, 0.0, |_| None), RailEnd { state: goal, short: 5.0 });
        rail.splice(&mut body, &anchor, &mut legs, end, &limits, TICK);
        for _ in 0..60 {
            assert_eq!(body.advance(&rail, &limits, TICK), Moved::Arrived);
            assert_eq!(body.at(), at);
        }
    }
}

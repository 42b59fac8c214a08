//! Bodies on rails: no wall is crossed, limits are kept, and every goal is reached and not passed.

#[path = "common/grids.rs"]
mod grids;

use glam::Vec3;
use grids::{any_grid, pick};
use proptest::prelude::*;
use wayfare::agent::{AgentLimits, Anchor, Body, Moved, Rail, lay};
use wayfare::prelude::*;
use wayfare::space::{LineOfSight, MoveRules};

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

/// Whether a body can sweep from one point to the other; a hair's breadth to the side counts as the same place.
fn sweeps<S: LineOfSight>(space: &S, from: Vec3, to: Vec3) -> bool {
    let around = [-2e-3f32, 0.0, 2e-3];
    around.iter().any(|&x| {
        around.iter().any(|&z| {
            let aside = Vec3::new(x, 0.0, z);
            space.segment_is_clear(from + aside, to + aside)
        })
    })
}

fn path_between<S>(space: &S, start: Cell, goal: Cell) -> Option<wayfare::path::PathOf<S>>
where
    S: wayfare::space::Metric + MoveRules + Space<State = Cell, Cost = u32>,
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
        let start = pick(&grid, stops[0].0);
        prop_assume!(space.is_free(start));
        let at = grid.centre(start);
        let (mut body, mut rail) = (Body::standing(at, heading), Rail::standing(at, start));
        let mut legs = Vec::new();
        for (place, &(seed, patience)) in stops.iter().enumerate() {
            let goal = pick(&grid, seed.rotate_left(7));
            let ahead = limits.max_speed * limits.max_speed / (2.0 * limits.acceleration) + limits.max_speed * TICK;
            let anchor: Anchor<Cell> = rail.anchor(&body, ahead, locate);
            let Some(path) = path_between(&space, anchor.state, goal) else { continue };
            prop_assert!(lay(&space, anchor.point, &path, &limits, true, None, &mut legs));
            rail.splice(&mut body, &anchor, &mut legs, (goal, limits.stopping_distance), (&limits, TICK));
            let end = rail.legs().last().map_or(body.at(), |leg| leg.to);
            prop_assert!(end.distance(grid.centre(goal)) < 1e-4);
            let is_last = place + 1 == stops.len();
            let (mut left, mut ticks) = (f32::INFINITY, 0);
            loop {
                let before = body;
                let moved = body.advance(&rail, &limits, TICK);
let passed = rail.legs().iter().skip(before.leg()).take_while(|leg| leg.until <= body.along());
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
    assert!(lay(&space, body.at(), &path, &limits, true, None, &mut legs));
    let anchor = rail.anchor(&body, 0.0, |_| None);
    rail.splice(&mut body, &anchor, &mut legs, (goal, 0.0), (&limits, TICK));
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
    assert!(lay(&space, body.at(), &path, &limits, true, None, &mut legs));
    let anchor = rail.anchor(&body, 0.0, |_| None);
    rail.splice(&mut body, &anchor, &mut legs, (goal, 0.0), (&limits, TICK));
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

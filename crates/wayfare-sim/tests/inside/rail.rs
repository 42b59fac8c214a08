//! Rails where their rules meet: arcs of jumps and falls, new paths that begin at any place, walls
//! that appear behind a body.

use glam::Vec3;
use wayfare_core::space::Action;
use wayfare_grid::waypoint::WaypointId;
use wayfare_sim::agent::{AgentLimits, Anchor, Body, Hold, Leg, Rail, RailEnd};

const TICK: f32 = 0.1;
const GOAL: WaypointId = WaypointId(9);

fn x(x: f32) -> Vec3 {
    Vec3::new(x, 0.0, 0.0)
}

/// A clear leg along the x axis, from there to there.
fn leg(from: f32, to: f32) -> Leg<WaypointId> {
    let hold = Hold::Clear;
    let action = Action::Walk;
    let (until, yaw) = (to - from, Some(0.0));
    Leg { to: x(to), until, speed_at_end: 0.0, yaw, action, hold, room: 0.3 }
}

/// The rail along the x axis from 0 through the corners, and a body on it.
fn along_x(corners: &[f32], along: f32) -> (Rail<WaypointId>, Body) {
    let mut rail = Rail::standing(x(0.0), GOAL);
    let mut body = Body::standing(x(0.0), 0.0);
    let mut legs: Vec<_> = corners.iter().map(|&to| Leg { until: to, ..leg(0.0, to) }).collect();
    let end = RailEnd { state: GOAL, short: 0.0 };
    let here = rail.anchor_at_end();
    rail.splice(&mut body, &here, &mut legs, end, &AgentLimits::default(), TICK);
    body.put_on(&rail, along);
    (rail, body)
}

/// How far along each leg ends.
fn ends(rail: &Rail<WaypointId>) -> Vec<f32> {
    rail.legs().iter().map(|leg| leg.until).collect()
}

/// The height above the straight line, so far along a move of an agent in blocks of that side.
fn lift(way: Vec3, action: Action, share: f32, grain: f32) -> f32 {
    let (from, to) = (WaypointId(0), WaypointId(1));
    let hold = Hold::Move { from, to };
    let until = way.length();
    let mut legs = vec![Leg { to: way, until, action, hold, room: 0.0, ..leg(0.0, 1.0) }];
    let mut rail = Rail::standing(Vec3::ZERO, from);
    let mut body = Body::standing(Vec3::ZERO, 0.0);
    let (here, end) = (rail.anchor_at_end(), RailEnd { state: to, short: 0.0 });
    rail.splice(&mut body, &here, &mut legs, end, &AgentLimits::default(), TICK);
    rail.lift(&Body::on(&body, until * share), grain)
}

#[test]
fn jumps_rise_by_their_length_and_low_ones_by_half_as_much() {
    let table = [
        // Over a single block, level or down: an eighth of the length.
        ("low, level", Vec3::new(2.0, 0.0, 0.0), 1.0, 0.25),
        ("low, down", Vec3::new(2.0, -1.0, 0.0), 1.0, 0.25 + 0.5),
        ("low, in blocks of two metres", Vec3::new(4.0, 0.0, 0.0), 2.0, 0.5),
        // Wider, or up: a quarter, and no more than three quarters of a block.
        ("over two blocks", Vec3::new(2.6, 0.0, 0.0), 1.0, 0.65),
        ("over three", Vec3::new(4.0, 0.0, 0.0), 1.0, 0.75),
        ("up", Vec3::new(2.0, 1.0, 0.0), 1.0, 0.5 + 0.5),
    ];
    for (what, way, grain, middle) in table {
        let seen = lift(way, Action::Jump, 0.5, grain);
        assert!((seen - middle).abs() < 1e-5, "{what}: {seen}, not {middle}");
        for end in [0.0, 1.0] {
            assert!(lift(way, Action::Jump, end, grain).abs() < 1e-5, "{what}: an end");
        }
    }
    let fall = Vec3::new(1.0, -3.0, 0.0);
    assert!((lift(fall, Action::Fall, 0.5, 1.0) - 1.5).abs() < 1e-5, "over the edge, then down");
    assert_eq!(lift(fall, Action::Walk, 0.5, 1.0), 0.0);
}

#[test]
fn a_new_path_begins_exactly_at_its_anchor() {
    // (the body, the anchor, the lengths after it, the body then)
    let table: [(f32, f32, &[f32], f32); 6] = [
        (0.0, 0.0, &[5.0], 0.0),      // where the rail begins: nothing of it is kept
        (0.0, 2.0, &[2.0, 7.0], 0.0), // on the first leg: the leg ends there
        (0.0, 4.0, &[4.0, 9.0], 0.0), // at a corner: no leg of no length
        (1.0, 6.0, &[4.0, 6.0, 11.0], 1.0), // on the second
        (5.0, 6.0, &[2.0, 7.0], 1.0), // what lies behind the body is forgotten
        (5.0, 10.0, &[6.0, 11.0], 1.0), // at the end
    ];
    for (at, anchor, lengths, along) in table {
        let (mut rail, mut body) = along_x(&[4.0, 10.0], at);
        let anchor = Anchor { along: anchor, point: x(anchor), state: WaypointId(3) };
        let mut legs = vec![leg(anchor.along, anchor.along + 5.0)];
        let end = RailEnd { state: WaypointId(4), short: 0.0 };
        let case = format!("a body at {at}, a path from {}", anchor.along);
        let before = body.at();
        rail.splice(&mut body, &anchor, &mut legs, end, &AgentLimits::default(), TICK);
        assert_eq!(ends(&rail), lengths, "{case}");
        assert_eq!((body.at(), body.along()), (before, along), "{case}");
        assert_eq!(rail.legs().last().map(|leg| leg.to), Some(x(anchor.along + 5.0)), "{case}");
        assert_eq!(rail.point(0, 0.0), before - x(along), "{case}");
        let joint = lengths.len() - 1;
        assert_eq!(rail.start_of(joint), anchor.point, "{case}");
        assert_eq!((rail.goal(), rail.end()), (WaypointId(4), rail.length()), "{case}");
    }
}

#[test]
fn a_wall_behind_a_body_parts_its_leg_there() {
    let (mut rail, mut body) = along_x(&[4.0, 10.0], 7.0);
    rail.part_at(&mut body);
    assert_eq!(ends(&rail), [4.0, 7.0, 10.0]);
    assert_eq!((body.leg(), body.along(), body.at()), (2, 7.0, x(7.0)));
    // Beside the part behind there may be no room any more; the rest keeps its proof.
    let rooms: Vec<f32> = rail.legs().iter().map(|leg| leg.room).collect();
    assert_eq!(rooms, [0.3, 0.0, 0.3]);
}

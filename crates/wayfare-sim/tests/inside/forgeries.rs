//! Forged snapshots: parts are changed and both hashes mended. Whatever is accepted runs on, and
//! the audit is content.

use std::num::NonZeroU16;

use glam::Vec3;
use serde_json::{Value, json};
use wayfare_core::link::{Crossing, Keys, NavLink, NavLinks};
use wayfare_core::space::TerrainId;
use wayfare_grid::grid::Grid;
use wayfare_sim::agent::{AgentId, Behaviour, Order, PatrolOrder, TeamId, Who};
use wayfare_sim::inside::tested::snapshot::mend;
use wayfare_sim::plan::SnapshotError;
use wayfare_sim::simulation::{
    AgentSpec, Audit, CarveId, Command, Contradiction, GridEdit, GroupSpec, RestoreError, Shape,
    Simulation, SimulationSettings, SnapshotOf,
};

const ROWS: [&str; 9] = [
    "......#.........",
    "......#.........",
    "......#....##...",
    "...........##...",
    "......#.........",
    "#######.........",
    ".....#..........",
    ".....#.......###",
    ".....#.......#..",
];

fn draw(state: &mut u64, sides: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % sides.max(1)
}

fn world() -> (Grid, NavLinks<wayfare_grid::grid::Cell>) {
    let grid = Grid::from_rows(&ROWS).unwrap();
    let mut links = NavLinks::new(3.0);
    let ends = [(2, 4), (2, 6)].map(|(x, y)| grid.cell(x, y).unwrap());
    let ladder = NavLink::new(ends[0], ends[1], Crossing::Seconds(1.0));
    links.add(&grid.space(), ladder.capacity(NonZeroU16::MIN)).unwrap();
    (grid, links)
}

/// A simulation with patrols, a chase, a flight, queues, an obstacle and an edit, after some ticks
/// and with a small budget.
fn busy(ticks: u64) -> Simulation<Grid> {
    let (grid, links) = world();
    let at = |x: u32, y: u32| Vec3::new(x as f32 + 0.5, 0.0, y as f32 + 0.5);
    let settings = SimulationSettings { work_per_tick: 12, ..SimulationSettings::default() };
    let mut simulation = Simulation::new(grid, links, settings).unwrap();
    let class = simulation.add_class(Default::default(), Keys(1)).unwrap();
    let points = vec![at(0, 0), at(3, 7), at(12, 0)];
    let patrol = Behaviour::Patrol { points, order: PatrolOrder::PingPong, dwell: 0.3, start: 1 };
    let chase = Behaviour::Pursue {
        target: Who::Team(TeamId(1)),
        aggro: 9.0,
        give_up: 12.0,
        predict: 0.5,
        speed: Some(4.0),
    };
    let flee =
        Behaviour::Flee { from: Who::Team(TeamId(0)), radius: 3.0, distance: 6.0, speed: None };
    let wander = Behaviour::Wander { radius: 5.0, dwell: 0.2 };
    for number in 0..6u32 {
        let spec = AgentSpec::new(format!("agent {number}"), class, at(number % 3, number / 3));
        let spec = spec.team(TeamId((number % 2) as u16));
        let spec = match number % 3 {
            0 => spec.behaviour(patrol.clone()),
            1 => spec.behaviour(chase.clone()).behaviour(wander.clone()),
            _ => spec.behaviour(flee.clone()).behaviour(wander.clone()),
        };
        let id = simulation.add_agent(spec).unwrap();
        simulation.order(id, Order::Then(at(4, 7)));
    }
    let shape = Shape::Ball { centre: at(9, 3), radius: 1.0 };
    simulation.schedule(10, Command::Carve { id: CarveId(1), shape });
    let cells = vec![simulation.world().cell(8, 6).unwrap()];
    simulation
        .schedule(12, Command::Edit(GridEdit::Terrain { cells, terrain: TerrainId::BLOCKED }));
    simulation
        .schedule(ticks + 20, Command::Order { agent: AgentId(3), order: Order::GoTo(at(15, 0)) });
    (0..ticks).for_each(|_| {
        simulation.tick();
    });
    simulation
}

/// A group on its way through the doors of the first rooms, after some ticks.
fn marching(ticks: u64) -> Simulation<Grid> {
    let (grid, links) = world();
    let at = |x: u32, y: u32| Vec3::new(x as f32 + 0.5, 0.0, y as f32 + 0.5);
    let mut simulation = Simulation::new(grid, links, SimulationSettings::default()).unwrap();
    let class = simulation.add_class(Default::default(), Keys(1)).unwrap();
    let members = (0..4).map(|number| {
        let spec = AgentSpec::new(format!("member {number}"), class, at(1 + number, 1));
        simulation.add_agent(spec).unwrap()
    });
    let members = members.collect();
    simulation.add_agent(AgentSpec::new("another", class, at(0, 0))).unwrap();
    let group = simulation.add_group(GroupSpec::new("group", members)).unwrap();
    simulation.order_group(group, Order::GoTo(at(12, 6)));
    (0..ticks).for_each(|_| {
        simulation.tick();
    });
    simulation
}

/// Changes one leaf of the data.
fn forge(value: &mut Value, dice: &mut u64) {
    match value {
        Value::Array(list) if !list.is_empty() => {
            let place = draw(dice, list.len());
            match draw(dice, 12) {
                0 => {
                    list.remove(place);
                }
                1 => list.push(list[place].clone()),
                _ => forge(&mut list[place], dice),
            }
        }
        Value::Object(map) if !map.is_empty() => {
            let place = draw(dice, map.len());
            if let Some((_, value)) = map.iter_mut().nth(place) {
                forge(value, dice);
            }
        }
        Value::Number(number) => {
            let whole = number.as_u64().unwrap_or(0);
            let part = number.as_f64().unwrap_or(0.0);
            *value = match draw(dice, 8) {
                0 => (whole ^ 1).into(),
                1 => whole.wrapping_add(7).into(),
                2 => u64::from(u32::MAX).into(),
                3 => u64::MAX.into(),
                4 => (-part).into(),
                5 => (part * 1.5).into(),
                6 => 0.into(),
                _ => (part + 3.0).into(),
            };
        }
        Value::Bool(flag) => *flag = !*flag,
        Value::Null => *value = 1.into(),
        _ => {}
    }
}

#[test]
fn a_forged_snapshot_that_is_accepted_runs_on_under_the_audit() {
    let (grid, links) = world();
    let (mut dice, mut tried, mut accepted) = (11, 0, 0);
    let busy = [3u64, 9, 14, 33, 60, 95, 140].map(|ticks| (220, busy(ticks)));
    let marching = [5, 50, 90].map(|ticks| (150, marching(ticks)));
    for (times, simulation) in busy.into_iter().chain(marching) {
        let saved = serde_json::to_value(simulation.save()).unwrap();
        for _ in 0..times {
            let mut value = saved.clone();
            forge(&mut value, &mut dice);
            let Ok(mut snapshot) = serde_json::from_value::<SnapshotOf<Grid>>(value) else {
                continue;
            };
            tried += 1;
            mend(&mut snapshot, None);
            let restore = |snapshot| Simulation::restore(grid.clone(), links.clone(), snapshot);
            let restored = match restore(snapshot.clone()) {
                Err(RestoreError::Hash { found, .. }) => {
                    mend(&mut snapshot, Some(found));
                    restore(snapshot.clone())
                }
                restored => restored,
            };
            let Ok(mut simulation) = restored else { continue };
            accepted += 1;
            let mut audit = Audit::new();
            for _ in 0..60 {
                if let Err(fault) = audit.check(&simulation) {
                    panic!("{fault}");
                }
                simulation.tick();
            }
        }
    }
    assert!(tried > 500 && accepted > 100, "{accepted} of {tried}");
}

/// Puts a value in a place of the data, by its JSON pointer. `/-` ends a list.
fn set(data: &mut Value, place: &str, value: Value) {
    match place.strip_suffix("/-") {
        Some(list) => data.pointer_mut(list).unwrap().as_array_mut().unwrap().push(value),
        None => *data.pointer_mut(place).unwrap_or_else(|| panic!("no {place}")) = value,
    }
}

/// What becomes of a snapshot in which some places were changed and the seal was mended.
fn verdict(saved: &Value, changes: &[(&str, Value)]) -> RestoreError {
    let mut value = saved.clone();
    changes.iter().for_each(|(place, change)| set(&mut value, place, change.clone()));
    let mut snapshot: SnapshotOf<Grid> = serde_json::from_value(value).unwrap();
    mend(&mut snapshot, None);
    let (grid, links) = world();
    Simulation::restore(grid, links, snapshot).err().unwrap()
}

/// The data of the first moment at which there is an agent or a request of some kind, and its
/// number.
fn moment(list: &str, is_wanted: impl Fn(&Value) -> bool) -> (Value, usize) {
    let saved = (1..300).map(|ticks| serde_json::to_value(busy(ticks).save()).unwrap());
    let found = |saved: Value| {
        let all = saved.pointer(list).unwrap().as_array().unwrap();
        let number = all.iter().position(&is_wanted)?;
        Some((saved, number))
    };
    saved.into_iter().find_map(found).unwrap()
}

/// Each claim on the simulation beside its planner is there: without it, only the hash differs.
#[test]
fn each_contradiction_of_a_simulation_is_found() {
    use wayfare_sim::simulation::Contradiction::{
        Behaviours, Classes, Danger, Links, Rails, Requests, Ticks, Walls,
    };
    let far = json!(u64::MAX / 2);
    let check = |saved: &Value, fault: Contradiction, changes: &[(&str, Value)]| {
        let found = verdict(saved, changes);
        assert_eq!(found, RestoreError::Contradiction(fault), "{changes:?}");
    };
    let walking = serde_json::to_value(busy(33).save()).unwrap();
    let soon = json!((1u64 << 48) + 1);
    check(&walking, Ticks, &[("/now", soon), ("/schedule", json!([]))]);
    check(&walking, Ticks, &[("/schedule", json!([[5, []]]))]);
    check(&walking, Ticks, &[("/agents/0/asleep_until", far.clone())]);
    check(&walking, Classes, &[("/classes/-", json!({"keys": 0, "profile": 9}))]);
    check(&walking, Classes, &[("/agents/0/class", json!(7))]);
    let stopped = json!([{"slow": [{"ground": 1, "factor": 0.0}]}]);
    check(&walking, Classes, &[("/ground_speeds", stopped)]);
    check(&walking, Danger, &[("/danger/reach", json!(-1.0))]);

    check(&walking, Behaviours, &[("/agents/0/limits/max_speed", json!(-1.0))]);
    check(&walking, Behaviours, &[("/agents/0/pace", json!(-1.0))]);
    check(&walking, Behaviours, &[("/agents/0/behaviours/0/patrol/dwell", json!(-1.0))]);
    check(&walking, Behaviours, &[("/agents/0/mind/cursors", json!([]))]);
    check(&walking, Behaviours, &[("/agents/0/errand/UnderWay/aim/short", json!(-1.0))]);
    check(&walking, Behaviours, &[("/agents/0/errand/UnderWay/aim/short", json!(1e39))]);
    check(&walking, Behaviours, &[("/agents/0/errand/UnderWay/aim/to/0", json!(1e39))]);

    check(&walking, Rails, &[("/agents/0/rail/goal", json!(9999))]);
    check(&walking, Rails, &[("/agents/0/rail/end", json!(1e39))]);
    for (end, state) in [("from", 9999), ("to", 9999), ("link", 5)] {
        let place = format!("/agents/0/rail/legs/1/hold/Link/{end}");
        check(&walking, Rails, &[(&place, json!(state))]);
    }
    check(&walking, Rails, &[("/agents/0/rail/legs/0/hold", json!({"Back": {"to": 9999}}))]);
    for end in ["from", "to"] {
        let mut hold = json!({"Move": {"from": 0, "to": 1}});
        hold["Move"][end] = json!(9999);
        check(&walking, Rails, &[("/agents/0/rail/legs/0/hold", hold)]);
    }
    check(&walking, Rails, &[("/agents/0/body/leg", json!(50))]);
    check(&walking, Rails, &[("/agents/0/body/along", json!(1e4))]);
    check(&walking, Rails, &[("/agents/0/body/at/0", json!(3.0))]);
    check(&walking, Rails, &[("/agents/0/body/heading", json!(1e39))]);

    // A straight leg through the wall beside the first room.
    let through = json!([{"action": "Walk", "hold": "Clear", "room": 0.3, "speed_at_end": 0.0,
        "to": [8.5, 0.0, 0.5], "until": 8.0, "yaw": 0.0}]);
    let changes = [
        ("/agents/0/rail/legs", through),
        ("/agents/0/rail/end", json!(8.0)),
        ("/agents/0/rail/goal", json!(8)),
        ("/agents/0/body/at", json!([0.5, 0.0, 0.5])),
        ("/agents/0/body/along", json!(0.0)),
        ("/agents/0/body/leg", json!(0)),
    ];
    check(&walking, Walls, &changes);

    check(&walking, Links, &[("/links_in_use/0/queue/-", json!(0))]);
    check(&walking, Links, &[("/links_in_use/0/inside/-", json!(0))]);
    check(&walking, Links, &[("/links_in_use/0/queue/-", json!(99))]);
    check(&walking, Links, &[("/agents/0/way", json!({"Waiting": 0}))]);
    let (inside, number) = moment("/agents", |agent| agent["way"]["Inside"].is_object());
    let way = |field: &str| format!("/agents/{number}/way/Inside/{field}");
    check(&inside, Links, &[(&way("since"), far.clone()), (&way("until"), far.clone())]);
    check(&inside, Links, &[(&way("until"), json!(0))]);
    let now = inside["now"].as_u64().unwrap();
    check(&inside, Links, &[(&way("since"), json!(now + 1)), (&way("until"), json!(now + 2))]);
    check(&inside, Links, &[(&way("until"), far.clone())]);
    check(&inside, Links, &[("/links_in_use/0/inside", json!([]))]);
    check(&inside, Links, &[("/links_in_use/0/queue/-", json!(number))]);
    let other = usize::from(number == 0);
    let same = inside.pointer(&format!("/agents/{number}/way")).unwrap().clone();
    let way_of_other = format!("/agents/{other}/way");
    let two = [("/links_in_use/0/inside/-", json!(other)), (&way_of_other, same)];
    check(&inside, Links, &two);
    let hold = inside.pointer(&format!("/agents/{number}/body/leg")).unwrap();
    let hold = format!("/agents/{number}/rail/legs/{hold}/hold");
    check(&inside, Links, &[(&hold, json!("Escape"))]);

    let (asking, number) =
        moment("/agents", |agent| agent["errand"]["Planning"]["asked"].is_object());
    let asked = |field: &str| format!("/agents/{number}/errand/Planning/asked/{field}");
    check(&asking, Requests, &[(&asked("ticket/salt"), json!(77))]);
    let other = format!("/agents/{}/errand", usize::from(number == 0));
    let same = asking.pointer(&format!("/agents/{number}/errand")).unwrap().clone();
    check(&asking, Requests, &[(&other, same)]);
    check(&asking, Rails, &[(&asked("anchor/state"), json!(9999))]);
    check(&asking, Rails, &[(&asked("anchor/along"), json!(-1.0))]);
    check(&asking, Rails, &[(&asked("anchor/along"), json!(1e4))]);
    check(&asking, Rails, &[(&asked("anchor/point/0"), json!(1e39))]);
    let aim = walking.pointer("/agents/0/errand/UnderWay/aim").unwrap();
    let failed = json!({"Failed": {"aim": aim, "retry_at": far}});
    check(&walking, Ticks, &[("/agents/0/errand", failed)]);
}

/// Groups have members that know of it, each once, and numbers that a group can have.
#[test]
fn each_contradiction_of_a_group_is_found() {
    let saved = serde_json::to_value(marching(50).save()).unwrap();
    let changes = [
        ("/groups/0/spec/members/-", json!(4)), // agent 4 does not know of it
        ("/groups/0/spec/members/-", json!(99)),
        ("/groups/0/spec/members/1", json!(2)),
        ("/groups", json!([])),
        ("/agents/4/group", json!(0)),
        ("/agents/1/group", json!(1)),
        ("/groups/0/leader", json!(4)),
        ("/groups/0/leader", Value::Null),
        ("/groups/0/file/0/id", json!(0)),
        ("/groups/0/file", json!([])),
        ("/groups/0/file/0/lag", json!(-1.0)),
        ("/groups/0/file/0/behind", json!(1e39)),
        ("/groups/0/file/0/slot", json!([1e39, 0.0])),
        ("/groups/0/spec/spacing", json!(0.0)),
        ("/groups/0/spec/patience", json!(1e39)),
        ("/groups/0/heading", json!(4.0)),
        ("/groups/0/trail/0", json!([1e39, 0.0, 0.0])),
        ("/groups/0/orders/-", json!({"go-to": [1e39, 0.0, 0.0]})),
    ];
    for change in changes {
        let found = verdict(&saved, std::slice::from_ref(&change));
        assert_eq!(found, RestoreError::Contradiction(Contradiction::Groups), "{change:?}");
    }
}

/// The same of the planner, of the seal, and of the world that it is given.
#[test]
fn each_contradiction_of_a_planner_is_found() {
    use wayfare_sim::plan::SnapshotError::{
        ClosedRegions, Queues, RequestState, RunningRequests, Slots, Statistics, Tickets,
        WorkState, WorkUnderWay,
    };
    let check = |saved: &Value, fault: SnapshotError, changes: &[(&str, Value)]| {
        let found = verdict(saved, changes);
        assert_eq!(found, RestoreError::Planner(fault), "{changes:?}");
    };
    let requests = "/planner/requests";
    let (saved, number) =
        moment("/planner/requests/entries", |entry| entry["place"] == "RunningLocal");
    check(&saved, Slots, &[("/planner/slots/-", Value::Null)]);
    check(&saved, Tickets, &[(&format!("{requests}/free/-"), json!(number))]);
    for end in ["start", "goal/State"] {
        let place = format!("{requests}/entries/{number}/request/query/{end}");
        check(&saved, RequestState, &[(&place, json!(9999))]);
    }
    check(&saved, WorkState, &[("/planner/probes/-", json!([0, 9999]))]);
    let kept = json!({"class": 0, "goal": 9999, "is_whole": true, "expanded": 1, "last_used": 0});
    check(&saved, WorkState, &[("/planner/kept/-", kept)]);
    let field = json!({"Field": {"goal": 9999, "waiting": [], "is_whole": false}});
    check(&saved, WorkState, &[("/planner/local/work", field)]);
    check(&saved, WorkState, &[("/planner/local/work", json!({"RegionProbe": {"goal": 9999}}))]);
    check(&saved, Statistics, &[(&format!("{requests}/stats/requested"), json!(u64::MAX))]);
    check(&saved, Statistics, &[("/planner/jobs_begun", json!(u64::MAX))]);
    check(&saved, Queues, &[("/planner/arrivals/-", json!([99, 0]))]);
    check(&saved, Queues, &[("/planner/local_queue/-", json!([99, 5]))]);
    let free = (0..6).find(|one| *one != number).unwrap();
    check(&saved, WorkUnderWay, &[("/planner/local/work/Search/index", json!(free))]);
    check(&saved, WorkUnderWay, &[("/planner/local/work/Search/index", json!(99))]);
    check(&saved, RunningRequests, &[("/planner/local", Value::Null)]);
    // A cell that is open all around, one that does not exist, and the closet in the corner, out of
    // order.
    for states in [json!([26]), json!([9999]), json!([232, 231])] {
        let region = json!({"class": 0, "states": states, "revision": 0, "last_used": 0});
        check(&saved, ClosedRegions, &[("/planner/negative/regions/-", region)]);
    }

    let mut value = saved.clone();
    set(&mut value, "/now", json!(0));
    let (grid, links) = world();
    let restored = Simulation::restore(grid, links, serde_json::from_value(value).unwrap());
    assert_eq!(restored.err().unwrap(), RestoreError::Changed);
    let links = verdict(&saved, &[("/gates/-", json!(["Open", 0]))]);
    assert_eq!(links, RestoreError::Links { saved: 2, given: 1 });
    let settings = verdict(&saved, &[("/settings/tick_seconds", json!(-1.0))]);
    assert!(matches!(settings, RestoreError::Settings(_)));
    let edit = json!({"Edit": {"terrain": {"cells": [9999], "terrain": 255}}});
    assert!(matches!(verdict(&saved, &[("/history/-", edit)]), RestoreError::Change(_)));
}

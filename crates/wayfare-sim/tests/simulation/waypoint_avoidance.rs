//! Agents that avoid each other on waypoint graphs: they keep to the links and follow.

use std::sync::Arc;

use glam::Vec3;
use wayfare_core::link::{Keys, NavLinks};
use wayfare_core::ops::{SinCos, sin_cos};
use wayfare_core::space::{NegativeCosts, StateId};
use wayfare_grid::waypoint::{
    OpenGround, Surroundings, Waypoint, WaypointGraph, WaypointId, WaypointLink,
};
use wayfare_sim::agent::{AgentId, Order};
use wayfare_sim::plan::ClassId;
use wayfare_sim::simulation::{
    Audit, AuditFault, Avoidance, Event, Simulation, SimulationSettings, TickRecord,
};

use crate::support::{POLITE, agent};

fn p(x: f32, z: f32) -> Vec3 {
    Vec3::new(x, 0.0, z)
}

fn world(points: &[Vec3], links: &[(u32, u32)]) -> (Simulation<WaypointGraph>, ClassId) {
    let links = links
        .iter()
        .map(|&(a, b)| WaypointLink::new(WaypointId::from_index(a), WaypointId::from_index(b)));
    let waypoints = points.iter().map(|&point| Waypoint::at(point));
    let graph = WaypointGraph::new(waypoints, links, NegativeCosts::Reject).unwrap();
    let mut simulation =
        Simulation::new(graph, NavLinks::new(3.0), SimulationSettings::default()).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    (simulation, class)
}

/// The same on open ground.
fn open_world(
    points: &[Vec3],
    links: &[(u32, u32)],
    around: Arc<dyn Surroundings>,
) -> (Simulation<WaypointGraph>, ClassId) {
    let graph = world(points, links).0.world().clone().with_surroundings(around);
    let mut simulation =
        Simulation::new(graph, NavLinks::new(3.0), SimulationSettings::default()).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    (simulation, class)
}

fn walker(
    simulation: &mut Simulation<WaypointGraph>,
    class: ClassId,
    (from, to): (Vec3, Vec3),
    avoidance: Avoidance,
) -> AgentId {
    let id = simulation.add_agent(agent("walker", class, from).avoidance(avoidance)).unwrap();
    simulation.order(id, Order::GoTo(to));
    id
}

/// What came of a run.
#[derive(Debug)]
struct Report {
    /// The tick in which the last one arrived; `None` if not all did.
    done: Option<u64>,
    arrived: usize,
    /// The least distance between two, from when they were apart.
    least: f32,
    /// How often two came into each other.
    through: usize,
}

/// Runs under the audit until all have arrived.
fn report(simulation: &mut Simulation<WaypointGraph>, ticks: u64) -> Report {
    let mut audit = Audit::new();
    let count = simulation.agents().count();
    let mut report = Report { done: None, arrived: 0, least: f32::INFINITY, through: 0 };
    let mut apart = vec![false; count * count];
    for tick in 0..ticks {
        for event in &simulation.tick().events {
            report.through += usize::from(matches!(event, Event::PassedThrough(..)));
            report.arrived += usize::from(matches!(event, Event::Arrived(_)));
        }
        audit.check(simulation).unwrap_or_else(|fault| panic!("{fault}"));
        let places: Vec<Vec3> = simulation.agents().map(|agent| agent.position()).collect();
        for (one, a) in places.iter().enumerate() {
            for (two, b) in places.iter().enumerate().skip(one + 1) {
                let known = &mut apart[one * count + two];
                *known |= a.distance(*b) > 0.59;
                if *known {
                    report.least = report.least.min(a.distance(*b));
                }
            }
        }
        if simulation.agents().all(|agent| agent.orders().len() == 0) {
            report.done = Some(tick);
            break;
        }
    }
    report
}

/// The ticks that one takes alone.
fn alone(points: &[Vec3], links: &[(u32, u32)], way: (Vec3, Vec3)) -> u64 {
    let (mut simulation, class) = world(points, links);
    walker(&mut simulation, class, way, POLITE);
    report(&mut simulation, 4000).done.unwrap()
}

/// A straight way of thirty links of two metres.
fn straight() -> (Vec<Vec3>, Vec<(u32, u32)>) {
    ((0..31).map(|x| p(x as f32 * 2.0, 0.0)).collect(), (0..30).map(|x| (x, x + 1)).collect())
}

fn round(count: u32, radius: f32) -> (Vec<Vec3>, Vec<(u32, u32)>) {
    let place = |number: u32| {
        let SinCos { sin, cos } = sin_cos(std::f32::consts::TAU * number as f32 / count as f32);
        p(radius * cos, radius * sin)
    };
    let links = (0..count).map(|number| (number, (number + 1) % count));
    ((0..count).map(place).collect(), links.collect())
}

/// All set out from one waypoint at once, and end in line behind the first one, over several links.
#[test]
fn twenty_leave_one_waypoint_in_line_and_queue_at_the_goal() {
    let (points, links) = straight();
    let free = alone(&points, &links, (points[0], points[30]));
    let (mut simulation, class) = world(&points, &links);
    for _ in 0..20 {
        walker(&mut simulation, class, (points[0], points[30]), POLITE);
    }
    let report = report(&mut simulation, 4000);
    assert!(report.done.is_some_and(|done| done < 2 * free), "{report:?}");
    assert!(report.arrived == 20 && report.least > 0.59 && report.through == 0, "{report:?}");
    let places = simulation.agents().map(|agent| agent.position().x);
    let last = places.fold(f32::INFINITY, f32::min);
    assert!((45.0..49.0).contains(&last), "the line is 19 times 0.6 m long: {last}");
}

#[test]
fn a_line_of_twenty_goes_nearly_as_fast_as_one_alone() {
    let (points, links) = straight();
    let (mut simulation, class) = world(&points, &links);
    for number in 0..20 {
        walker(&mut simulation, class, (points[number], points[number + 10]), POLITE);
    }
    let free = alone(&points, &links, (points[0], points[10]));
    let report = report(&mut simulation, 4000);
    assert!(report.done.is_some_and(|done| done < free + 20), "{report:?}");
    assert!(report.least > 1.5 && report.through == 0, "{report:?}");
}

#[test]
fn two_streams_cross_at_a_waypoint() {
    let mut points = vec![p(0.0, 0.0)];
    let mut links = Vec::new();
    for (x, z) in [(2.0, 0.0), (-2.0, 0.0), (0.0, 2.0), (0.0, -2.0)] {
        for step in 1..=10 {
            let number = points.len() as u32;
            links.push((if step == 1 { 0 } else { number - 1 }, number));
            points.push(p(x, z) * step as f32);
        }
    }
    let free = alone(&points, &links, (points[19], points[9]));
    let (mut simulation, class) = world(&points, &links);
    for step in 1..10 {
        for arm in [10, 30] {
            let way = (points[arm + step], points[arm - step]);
            walker(&mut simulation, class, way, POLITE);
        }
    }
    let report = report(&mut simulation, 4000);
    assert!(report.done.is_some_and(|done| done < free * 5 / 4), "{report:?}");
    assert!(report.least > 0.59 && report.through == 0, "{report:?}");
}

/// Nothing is known of the width of a link: bodies that meet head-on pass through each other, and
/// that is told.
#[test]
fn those_who_meet_head_on_pass_each_other() {
    let points = [p(0.0, 0.0), p(6.0, 0.0), p(20.0, 0.0)];
    let links = [(0, 1), (1, 2)];
    let free = alone(&points, &links, (points[2], points[0]));
    let (mut simulation, class) = world(&points, &links);
    for _ in 0..3 {
        walker(&mut simulation, class, (points[0], points[2]), POLITE);
        walker(&mut simulation, class, (points[2], points[0]), POLITE);
    }
    let report = report(&mut simulation, 4000);
    assert!(report.done.is_some_and(|done| done < free + 60), "{report:?}");
    assert_eq!((report.arrived, report.through), (6, 9));
}

/// Two at the ends of a lone link change places.
#[test]
fn two_in_a_dead_end_change_places() {
    let points = [p(0.0, 0.0), p(6.0, 0.0)];
    let (mut simulation, class) = world(&points, &[(0, 1)]);
    walker(&mut simulation, class, (points[0], points[1]), POLITE);
    walker(&mut simulation, class, (points[1], points[0]), POLITE);
    let report = report(&mut simulation, 1000);
    assert_eq!((report.arrived, report.through), (2, 1));
    let places: Vec<f32> = simulation.agents().map(|agent| agent.position().x).collect();
    assert_eq!(places, [6.0, 0.0]);
}

#[test]
fn a_ring_of_bodies_turns() {
    let (points, links) = round(24, 8.0);
    let free = alone(&points, &links, (points[0], points[10]));
    let (mut simulation, class) = world(&points, &links);
    for start in 0..24 {
        walker(&mut simulation, class, (points[start], points[(start + 10) % 24]), POLITE);
    }
    let report = report(&mut simulation, 4000);
    assert!(report.done.is_some_and(|done| done < free + 40), "{report:?}");
    assert!(report.least > 0.59 && report.through == 0, "{report:?}");
}

/// On a ring with no gap each waits for the next one. One of them gives up the order.
#[test]
fn a_ring_without_a_gap_turns_in_the_end() {
    let (points, links) = round(24, 24.0 * 0.6 / std::f32::consts::TAU);
    let (mut simulation, class) = world(&points, &links);
    for start in 0..24 {
        walker(&mut simulation, class, (points[start], points[(start + 10) % 24]), POLITE);
    }
    let report = report(&mut simulation, 4000);
    assert_eq!(report.arrived, 24, "{report:?}");
}

/// Twelve come to one waypoint by six links.
#[test]
fn those_with_one_goal_queue_on_the_links_to_it() {
    let (mut points, links) = round(6, 10.0);
    drop(links);
    points.push(p(0.0, 0.0));
    let links: Vec<_> = (0..6).map(|arm| (arm, 6)).collect();
    let (mut simulation, class) = world(&points, &links);
    for number in 0..12 {
        walker(&mut simulation, class, (points[number % 6], points[6]), POLITE);
    }
    let report = report(&mut simulation, 4000);
    assert!(report.arrived == 12 && report.least > 0.59 && report.through == 0, "{report:?}");
    let farthest = simulation.agents().map(|agent| agent.position().length()).fold(0.0, f32::max);
    assert!(farthest < 2.5, "{farthest}");
}

/// Who has nothing to do stands in nobody's way, but in somebody's goal.
#[test]
fn one_who_stands_is_passed_and_keeps_its_place() {
    let (points, links) = straight();
    let (mut simulation, class) = world(&points, &links);
    simulation.add_agent(agent("post", class, points[5]).avoidance(POLITE)).unwrap();
    let passer = walker(&mut simulation, class, (points[0], points[10]), POLITE);
    let guest = walker(&mut simulation, class, (points[1], points[5]), POLITE);
    let report = report(&mut simulation, 4000);
    assert_eq!((report.arrived, report.through), (2, 2), "the post and the guest are passed");
    let place = |id| simulation.agent(id).unwrap().position().x;
    assert!(place(passer) == 20.0 && (9.2..9.41).contains(&place(guest)), "{}", place(guest));
}

/// Alone, a body moves bit by bit as without avoidance.
#[test]
fn one_alone_moves_as_without_avoidance() {
    let (points, links) = round(9, 5.0);
    let places = |avoidance| {
        let (mut simulation, class) = world(&points, &links);
        let id = walker(&mut simulation, class, (points[0], points[4]), avoidance);
        let place = |simulation: &Simulation<_>| simulation.agent(id).unwrap().position();
        let places = (0..300).map(|_| {
            simulation.tick();
            place(&simulation)
        });
        places.collect::<Vec<_>>()
    };
    assert_eq!(places(POLITE), places(Avoidance::default()));
}

/// The audit notices a follower that has come too near.
#[test]
fn the_audit_sees_who_does_not_follow() {
    let (mut simulation, class) = world(&[p(0.0, 0.0), p(40.0, 0.0)], &[(0, 1)]);
    for _ in 0..2 {
        walker(&mut simulation, class, (p(0.0, 0.0), p(40.0, 0.0)), POLITE);
    }
    let mut ticks = Vec::new();
    for _ in 0..100 {
        simulation.tick();
        ticks.push(TickRecord::of(&simulation));
    }
    let first_fault = |ticks: &[TickRecord<_>]| {
        let mut audit = Audit::new();
        ticks.iter().find_map(|tick| audit.check_record(tick, simulation.world()).err())
    };
    assert_eq!(first_fault(&ticks), None);
    // From tick 80 on the leader is where the follower has just been.
    let shift = ticks[80].agents[0].at.x - ticks[80].agents[1].at.x - 0.5;
    for tick in &mut ticks[80..] {
        tick.agents[0].at.x -= shift;
        tick.agents[0].was_halted = true;
    }
    let fault = first_fault(&ticks);
    assert!(matches!(fault, Some(AuditFault::Overlap { tick: 80, .. })), "{fault:?}");
}

#[test]
fn following_allocates_nothing() {
    let (points, links) = round(24, 8.0);
    let (mut simulation, class) = world(&points, &links);
    for start in 0..24 {
        walker(&mut simulation, class, (points[start], points[(start + 10) % 24]), POLITE);
        walker(&mut simulation, class, (points[start], points[(start + 14) % 24]), POLITE);
    }
    for _ in 0..60 {
        simulation.tick();
    }
    let allocations = allocation_counter::measure(|| {
        for _ in 0..40 {
            simulation.tick();
        }
    });
    assert!(simulation.agents().filter(|agent| agent.speed() > 1.0).count() > 30);
    assert_eq!(allocations.count_total, 0);
}

/// Where the ground beside a link is known to be free, those who meet keep right.
#[test]
fn on_open_ground_two_streams_keep_right() {
    let (points, links) = straight();
    let ground = Arc::new(OpenGround::default());
    let (mut simulation, class) = open_world(&points, &links, ground);
    for number in 0..8 {
        walker(&mut simulation, class, (points[number], points[30 - number]), POLITE);
        walker(&mut simulation, class, (points[30 - number], points[number]), POLITE);
    }
    let report = report(&mut simulation, 4000);
    assert_eq!(report.arrived, 16, "{report:?}");
    assert_eq!(report.through, 0, "{report:?}");
}

/// Round the corners of a ring as well, and round those who stand.
#[test]
fn on_open_ground_they_step_aside_round_corners_and_posts() {
    let (points, links) = round(12, 8.0);
    let ground = Arc::new(OpenGround::default());
    let (mut simulation, class) = open_world(&points, &links, ground);
    simulation.add_agent(agent("post", class, points[3]).avoidance(POLITE)).unwrap();
    walker(&mut simulation, class, (points[0], points[5]), POLITE);
    walker(&mut simulation, class, (points[6], points[1]), POLITE);
    let report = report(&mut simulation, 4000);
    assert_eq!((report.arrived, report.through), (2, 0), "{report:?}");
    assert!(report.least > 0.59, "{report:?}");
    assert!(simulation.agents().all(|agent| agent.aside() == Vec3::ZERO));
}

/// Ground that ends beside the link.
#[derive(Debug)]
struct Causeway {
    width: f32,
}

impl Surroundings for Causeway {
    fn segment_is_clear(&self, from: Vec3, to: Vec3) -> bool {
        from.z.abs().max(to.z.abs()) <= self.width
    }

    fn stand(&self, x: f32, z: f32) -> Option<Vec3> {
        (z.abs() <= self.width).then_some(p(x, z))
    }
}

/// Lawn, and a bridge over the water between 8 and 14 m.
#[derive(Debug)]
struct Bridge;

impl Surroundings for Bridge {
    fn segment_is_clear(&self, from: Vec3, to: Vec3) -> bool {
        let is_beside = from.z.abs().max(to.z.abs()) > 0.2;
        !is_beside || from.x.max(to.x) <= 8.0 || from.x.min(to.x) >= 14.0
    }

    fn stand(&self, x: f32, z: f32) -> Option<Vec3> {
        (z.abs() <= 0.2 || !(8.0..=14.0).contains(&x)).then_some(p(x, z))
    }
}

/// A bridge is gone over by one direction at a time: those against it wait on the lawn, aside.
#[test]
fn streams_take_turns_on_a_narrow_bridge() {
    let points = [0.0, 3.0, 6.0, 7.5, 14.5, 16.0, 19.0, 22.0].map(|x| p(x, 0.0));
    let links: Vec<_> = (0..7).map(|number| (number, number + 1)).collect();
    let (mut simulation, class) = open_world(&points, &links, Arc::new(Bridge));
    for number in 0..3 {
        for (from, to) in [(number, 7), (7 - number, 0)] {
            walker(&mut simulation, class, (points[from], points[to]), POLITE);
        }
    }
    let report = report(&mut simulation, 4000);
    assert_eq!((report.arrived, report.through), (6, 0), "{report:?}");
    assert!(report.done.is_some_and(|done| done < 900), "{report:?}");
}

#[test]
fn nobody_steps_aside_of_a_narrow_causeway() {
    let (points, links) = straight();
    for (width, through) in [(0.2, 1), (0.4, 0)] {
        let (mut simulation, class) = open_world(&points, &links, Arc::new(Causeway { width }));
        walker(&mut simulation, class, (points[0], points[30]), POLITE);
        walker(&mut simulation, class, (points[30], points[0]), POLITE);
        let mut aside: f32 = 0.0;
        let (mut audit, mut met) = (Audit::new(), 0);
        for _ in 0..500 {
            let passed = |event: &&Event| matches!(event, Event::PassedThrough(..));
            met += simulation.tick().events.iter().filter(passed).count();
            audit.check(&simulation).unwrap();
            let off = simulation.agents().map(|agent| agent.position().z.abs());
            aside = off.fold(aside, f32::max);
        }
        assert_eq!(met, through, "{width}");
        assert!(aside <= width, "{aside}");
    }
}

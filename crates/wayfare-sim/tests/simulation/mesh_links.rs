//! Links on navigation meshes: bodies enter and leave them at their exact ends, also while
//! obstacles come and go.

use std::num::NonZeroU16;

use glam::Vec3;
use wayfare_core::link::{Crossing, Gate, Keys, LinkId, LinkKind, LinkPoints, NavLink, NavLinks};
use wayfare_core::space::CostTable;
use wayfare_grid::grid::Grid;
use wayfare_mesh::navmesh::{MeshDraft, NavMesh, PolygonId};
use wayfare_sim::agent::{AgentId, Order};
use wayfare_sim::simulation::{
    CarveId, Command, Event, LinkWait, MeshWorld, Shape, Simulation, SimulationSettings,
};

use crate::support::{agent, arrivals, run};

const FROM: Vec3 = Vec3::new(3.7, 0.0, 1.1);
const TO: Vec3 = Vec3::new(5.4, 2.0, 1.9);

/// Two rooms with a wall between, the right one two metres higher, and a link from one to the
/// other.
fn rooms(
    link: impl Fn(NavLink<PolygonId>) -> NavLink<PolygonId>,
) -> (Simulation<MeshWorld>, LinkId) {
    let grid = Grid::from_rows(&["....#....", "....#....", "....#....", "....#...."]).unwrap();
    let mut draft = MeshDraft::of_grid(&grid, &CostTable::default());
    for vertex in &mut draft.vertices {
        vertex.y = if vertex.x > 4.5 { 2.0 } else { 0.0 };
    }
    let world = MeshWorld::new(NavMesh::new(draft).unwrap());
    let mut links = NavLinks::new(2.0);
    let points = LinkPoints { from: FROM, to: TO, radius: 0.3 };
    let space = world.mesh().space();
    let made = NavLink::on_mesh(&space, points, Crossing::Seconds(1.5)).unwrap();
    let id = links.add(&space, link(made)).unwrap();
    (Simulation::new(world, links, SimulationSettings::default()).unwrap(), id)
}

fn goal() -> Vec3 {
    Vec3::new(8.2, 2.0, 3.3)
}

fn walker(simulation: &mut Simulation<MeshWorld>, keys: Keys, z: f32) -> AgentId {
    let class = simulation.add_class(Default::default(), keys).unwrap();
    let id = simulation.add_agent(agent("walker", class, Vec3::new(0.6, 0.0, z))).unwrap();
    simulation.order(id, Order::GoTo(goal()));
    id
}

#[test]
fn bodies_enter_and_leave_at_the_points_of_a_link() {
    let (mut simulation, link) = rooms(|link| link.kind(LinkKind::Ladder).locked(Keys(1)));
    let with = walker(&mut simulation, Keys(1), 0.6);
    let without = walker(&mut simulation, Keys::NONE, 3.4);
    let mut inside = Vec::new();
    let mut happened = Vec::new();
    for _ in 0..300 {
        happened.extend(run(&mut simulation, 1));
        let view = simulation.agent(with).unwrap();
        if view.inside() == Some(link) {
            inside.push(view.position());
        }
    }
    assert_eq!(arrivals(&happened, with).len(), 1);
    assert_eq!(simulation.agent(with).unwrap().position(), goal());
    // On the straight line between the exact ends, for a second and a half.
    assert!((28..=31).contains(&inside.len()), "{}", inside.len());
    for at in &inside {
        let along = (*at - FROM).dot(TO - FROM) / (TO - FROM).length_squared();
        assert!(at.distance(FROM.lerp(TO, along)) < 1e-3 && (0.0..=1.0).contains(&along), "{at}");
    }
    assert!(inside[inside.len() - 1].distance(TO) < 0.1);
    // Nobody without the key comes through.
    assert!(arrivals(&happened, without).is_empty());
    assert!(simulation.agent(without).unwrap().position().x < 4.0);
}

#[test]
fn a_ladder_with_room_for_one_is_climbed_one_by_one() {
    let (mut simulation, link) = rooms(|link| link.capacity(NonZeroU16::MIN));
    let walkers = [0.5, 1.5, 2.5].map(|z| walker(&mut simulation, Keys::NONE, z));
    let happened = run(&mut simulation, 500);
    let mut inside = 0;
    for (_, event) in &happened {
        match event {
            Event::Entered(_, id) if *id == link => inside += 1,
            Event::Left(_, id) if *id == link => inside -= 1,
            _ => {}
        }
        assert!(inside <= 1);
    }
    for walker in walkers {
        assert_eq!(arrivals(&happened, walker).len(), 1);
    }
}

/// A barrel stands on an end of the link, then it is taken away.
#[test]
fn an_obstacle_on_an_end_shuts_the_link_until_it_is_gone() {
    for end in [FROM, TO] {
        let (mut simulation, link) = rooms(|link| link);
        let id = CarveId(0);
        let shape = Shape::Ball { centre: end, radius: 0.8 };
        simulation.schedule(0, Command::Carve { id, shape });
        simulation.schedule(120, Command::Restore { id });
        let walker = walker(&mut simulation, Keys::NONE, 0.6);
        let before = run(&mut simulation, 120);
        assert!(!before.iter().any(|(_, event)| *event == Event::Entered(walker, link)), "{end}");
        let after = run(&mut simulation, 400);
        assert_eq!(arrivals(&after, walker).len(), 1, "{end}");
    }
}

/// A barrel lands on the exit while a body is inside: it waits there until the exit is free, or
/// goes back where it came from.
#[test]
fn nobody_comes_out_of_a_link_into_an_obstacle() {
    let (mut simulation, link) = rooms(|link| link);
    let walker = walker(&mut simulation, Keys::NONE, 0.6);
    for _ in 0..200 {
        run(&mut simulation, 1);
        if simulation.agent(walker).unwrap().inside() == Some(link) {
            break;
        }
    }
    let (id, shape) = (CarveId(0), Shape::Ball { centre: TO, radius: 0.8 });
    simulation.schedule(0, Command::Carve { id, shape });
    run(&mut simulation, 100);
    let view = simulation.agent(walker).unwrap();
    assert_eq!(view.inside(), None);
    assert!(view.position().x < 4.0, "{}", view.position());
    simulation.schedule(0, Command::Restore { id });
    let after = run(&mut simulation, 400);
    assert_eq!(arrivals(&after, walker).len(), 1);
}

/// The ground around an end is cut again and again: it stays the same place.
#[test]
fn obstacles_beside_a_link_do_not_move_it() {
    let (mut simulation, link) = rooms(|link| link);
    for number in 0..40_u32 {
        let centre = Vec3::new(0.5 + (number % 6) as f32 * 0.4, 0.0, 3.5);
        let (id, shape) = (CarveId(number % 3), Shape::Ball { centre, radius: 0.3 });
        simulation.schedule(u64::from(number) * 5, Command::Carve { id, shape });
    }
    let walker = walker(&mut simulation, Keys::NONE, 0.6);
    let happened = run(&mut simulation, 400);
    assert_eq!(arrivals(&happened, walker).len(), 1);
    let space = simulation.world().mesh().space();
    assert_eq!(simulation.links().places(&space, link), Some([FROM, TO]));
}

#[test]
fn a_gate_that_shuts_holds_bodies_back() {
    let (mut simulation, link) = rooms(|link| link);
    let walker = walker(&mut simulation, Keys::NONE, 0.6);
    simulation.schedule(20, Command::Gate { link, gate: Gate::Closed });
    run(&mut simulation, 200);
    let view = simulation.agent(walker).unwrap();
    assert!(view.position().x < 4.0 && view.inside().is_none());
    assert!(view.link_wait().is_none_or(|wait| wait == LinkWait::Closed));
    simulation.schedule(0, Command::Gate { link, gate: Gate::Open });
    let happened = run(&mut simulation, 400);
    assert_eq!(arrivals(&happened, walker).len(), 1);
}

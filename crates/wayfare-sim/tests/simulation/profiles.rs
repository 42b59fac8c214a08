//! Waypoint graphs that several classes see differently.

use glam::Vec3;
use wayfare_core::link::{Keys, NavLinks};
use wayfare_core::path::Path;
use wayfare_core::search::{AStar, Query, solve};
use wayfare_core::space::{NegativeCosts, ProfileId, Space, StateId};
use wayfare_grid::waypoint::{
    GraphProfileError, MOST_GRAPH_PROFILES, Waypoint, WaypointGraph, WaypointId, WaypointLink,
    WaypointLinkCost,
};
use wayfare_sim::agent::{AgentId, Order};
use wayfare_sim::simulation::{
    AgentChange, CarveId, Command, Editable, GraphFill, GraphPlace, Shape, Simulation,
    SimulationSettings, WaypointEdit,
};

use crate::support::{agent, run};

/// West and east, with a ford between them, and a bridge further away.
fn river(ford: impl Fn(Waypoint) -> Waypoint, rough: f32) -> WaypointGraph {
    let at = |x: f32, z: f32| Waypoint::at(Vec3::new(x, 0.0, z));
    let points = [at(0.0, 0.0), ford(at(5.0, 0.0)), at(10.0, 0.0), at(5.0, 6.0)];
    let id = WaypointId::from_index;
    let multiplied = WaypointLinkCost::Length { multiplier: rough };
    let links = [(0, 1), (1, 2), (0, 3), (3, 2)].map(|(from, to)| {
        let link = WaypointLink::new(id(from), id(to));
        if from.min(to) < 2 && to != 3 && from != 3 { link.with_cost(multiplied) } else { link }
    });
    WaypointGraph::new(points, links, NegativeCosts::Reject).unwrap()
}

const FORD: u32 = 1;

/// Walkers cannot enter the ford, boats can.
fn of_walkers_and_boats() -> (WaypointGraph, ProfileId) {
    let mut graph = river(|ford| Waypoint { blocked: true, ..ford }, 1.0);
    let boats = graph.add_profile(river(|ford| ford, 0.5)).unwrap();
    (graph, boats)
}

fn is_free(graph: &WaypointGraph, id: WaypointId) -> bool {
    Space::check(graph, id).is_ok()
}

fn way(simulation: &Simulation<WaypointGraph>, agent: AgentId) -> f32 {
    let ahead = simulation.agent(agent).unwrap();
    ahead.way_ahead().map(|point| point.z).fold(0.0f32, f32::max)
}

#[test]
fn each_class_takes_its_own_way_and_changes_it_with_the_class() {
    let (graph, boats) = of_walkers_and_boats();
    let links = NavLinks::new(3.0);
    let mut simulation = Simulation::new(graph, links, SimulationSettings::default()).unwrap();
    let walk = simulation.add_class(ProfileId::default(), Keys::NONE).unwrap();
    let row = simulation.add_class(boats, Keys::NONE).unwrap();
    let [walker, boat] = [walk, row].map(|class| {
        let id = simulation.add_agent(agent("a", class, Vec3::ZERO)).unwrap();
        simulation.order(id, Order::GoTo(Vec3::new(10.0, 0.0, 0.0)));
        id
    });
    run(&mut simulation, 4);
    assert_eq!((way(&simulation, walker), way(&simulation, boat)), (6.0, 0.0));
    run(&mut simulation, 200);
    for agent in [walker, boat] {
        assert_eq!(simulation.agent(agent).unwrap().position().x, 10.0);
        simulation.order(agent, Order::GoTo(Vec3::ZERO));
    }
    // The boat is left ashore.
    let change = AgentChange::Class(walk);
    simulation.schedule(0, Command::Change { agent: boat, change });
    run(&mut simulation, 4);
    assert_eq!((way(&simulation, walker), way(&simulation, boat)), (6.0, 6.0));
}

#[test]
fn obstacles_give_each_profile_back_what_it_had() {
    let (graph, boats) = of_walkers_and_boats();
    let before = (graph.digest(), graph.clone());
    let links = NavLinks::new(3.0);
    let mut simulation = Simulation::new(graph, links, SimulationSettings::default()).unwrap();
    let ford = WaypointId::from_index(FORD);
    assert!(matches!(
        simulation.world().filling(GraphPlace::Waypoint(ford)),
        Some(GraphFill::BlockedFor(1))
    ));
    let (min, max) = (Vec3::new(4.0, -1.0, -1.0), Vec3::new(6.0, 1.0, 1.0));
    let (id, shape) = (CarveId(3), Shape::Box { min, max });
    simulation.schedule(0, Command::Carve { id, shape });
    run(&mut simulation, 1);
    let seen = simulation.world().as_seen_by(boats);
    assert!(!is_free(seen, ford) && seen.links().count() == 4);
    simulation.schedule(0, Command::Restore { id });
    run(&mut simulation, 1);
    let world = simulation.world();
    assert_eq!(world.digest(), before.0);
    let query = || Query::new(WaypointId::from_index(0), WaypointId::from_index(2));
    for profile in [ProfileId::default(), boats] {
        let cost = |graph: &WaypointGraph| {
            let graph = graph.as_seen_by(profile);
            solve(&graph, &AStar::new(), query()).outcome.path().map(Path::cost)
        };
        assert_eq!(cost(world), cost(&before.1));
    }
}

#[test]
fn an_edit_is_one_for_all_profiles() {
    let (mut graph, boats) = of_walkers_and_boats();
    let ford = WaypointId::from_index(FORD);
    let mut touched = Vec::new();
    for blocked in [true, false] {
        graph.apply(&WaypointEdit::Block { id: ford, blocked }, &mut touched).unwrap();
        for profile in [ProfileId::default(), boats] {
            let seen = graph.as_seen_by(profile);
            assert_ne!(is_free(seen, ford), blocked);
            assert_eq!(Space::revision(seen), Space::revision(&graph));
        }
    }
    // The links of the ford were open to boats alone.
    assert_eq!(touched, [0, 1, 2].map(WaypointId::from_index));
    let added = graph.add_waypoint(Waypoint::at(Vec3::new(5.0, 0.0, -3.0))).unwrap();
    graph.add_link(WaypointLink::new(ford, added)).unwrap();
    graph.set_cost(added, 4.0).unwrap();
    for profile in [ProfileId::default(), boats] {
        let seen = graph.as_seen_by(profile);
        let mut costs = Vec::new();
        seen.successors(ford, |edge| costs.extend((edge.target == added).then_some(edge.cost)));
        assert_eq!(costs, [7000]);
    }
    graph.remove_link(ford, added);
    graph.remove_waypoint(ford).unwrap();
    for profile in [ProfileId::default(), boats] {
        assert!(graph.as_seen_by(profile).waypoint(ford).is_none());
        assert_eq!(graph.as_seen_by(profile).links().count(), 4);
    }
    assert_eq!(graph.add_profile(river(|ford| ford, 1.0)), Err(GraphProfileError::OtherWaypoints));
    let (mut full, _) = of_walkers_and_boats();
    let more = (2..MOST_GRAPH_PROFILES).all(|_| full.add_profile(river(|ford| ford, 1.0)).is_ok());
    let last = full.add_profile(river(|ford| ford, 1.0));
    assert!(more && last == Err(GraphProfileError::TooMany));
    assert!(full.has_profile(boats));
}

#[test]
fn a_class_that_does_not_exist_has_no_profile_and_no_places() {
    let (simulation, class) = crate::support::on_grid(&["..."]);
    let foreign = wayfare_sim::plan::ClassId(9);
    assert!(simulation.profile(class).is_some() && simulation.profile(foreign).is_none());
    assert!(simulation.space(class).is_some() && simulation.space(foreign).is_none());
    let spread = wayfare_sim::simulation::Spread::Near;
    assert!(simulation.places(foreign, crate::support::at(0, 0), 3, spread, |_| true).is_empty());
}

//! Groups keep their shape, pass narrow doors in file, and form again.

use glam::Vec3;
use wayfare_core::link::{Keys, NavLinks};
use wayfare_core::space::{CostTable, NegativeCosts, StateId};
use wayfare_grid::grid::Grid;
use wayfare_grid::waypoint::{Waypoint, WaypointGraph, WaypointId, WaypointLink};
use wayfare_mesh::navmesh::{MeshDraft, NavMesh};
use wayfare_sim::agent::{AgentId, AgentLimits, Formation, GroupId, Order};
use wayfare_sim::plan::ClassId;
use wayfare_sim::simulation::{
    Avoidance, Environment, Event, GroupFault, GroupSpec, MeshWorld, Simulation, SimulationSettings,
};
use wayfare_voxel::{BlockId, VoxelGrid, VoxelProfile, VoxelSize};

use crate::support::{POLITE, agent, at, on_grid, run};

/// A group whose members begin at these places, the leader first.
fn group<W: Environment>(
    simulation: &mut Simulation<W>,
    class: ClassId,
    formation: Formation,
    places: &[Vec3],
) -> GroupId {
    group_of(simulation, class, formation, places, POLITE)
}

/// The same, whose members avoid others in that way.
fn group_of<W: Environment>(
    simulation: &mut Simulation<W>,
    class: ClassId,
    formation: Formation,
    places: &[Vec3],
    avoidance: Avoidance,
) -> GroupId {
    let limits = AgentLimits { max_speed: 2.0, ..AgentLimits::default() };
    let members = places.iter().enumerate().map(|(number, &place)| {
        let spec = agent(&format!("m{number}"), class, place).limits(limits).avoidance(avoidance);
        simulation.add_agent(spec).unwrap()
    });
    let members = members.collect();
    simulation.add_group(GroupSpec { formation, ..GroupSpec::new("squad", members) }).unwrap()
}

/// A hall with a wall across it at column 12, with a door one cell wide in row 6.
fn hall() -> Vec<String> {
    let mut rows = vec!["..............................".to_owned(); 13];
    for (number, row) in rows.iter_mut().enumerate() {
        if number != 6 {
            row.replace_range(12..13, "#");
        }
    }
    rows
}

/// Seven abreast go to a point behind the door: in file through it, and in a line at the end.
fn passes_a_door<W: Environment + Clone>(mut simulation: Simulation<W>, class: ClassId) {
    let places: Vec<Vec3> = (0..7).map(|n| at(2 + n % 2, 3 + n)).collect();
    let id = group(&mut simulation, class, Formation::Line, &places);
    simulation.order_group(id, Order::GoTo(at(24, 6)));
    let (mut was_in_file, mut is_over) = (false, false);
    let (mut last_through, mut whole) = (None, None);
    for tick in 0..800u32 {
        // Under the audit: nobody overlaps, nobody is in a wall.
        let happened = run(&mut simulation, 1);
        let view = simulation.group(id).unwrap();
        was_in_file |= view.is_in_file();
        if last_through.is_none() && simulation.agents().all(|agent| agent.position().x > 13.0) {
            last_through = Some(tick);
        }
        let is_whole = view.is_formed() && view.places().all(|place| !place.is_in_file);
        if last_through.is_some() && whole.is_none() && is_whole {
            whole = Some(tick);
        }
        is_over |= happened.iter().any(|(_, event)| *event == Event::Formed(id));
        if is_over {
            break;
        }
    }
    assert!(was_in_file && is_over, "in file: {was_in_file}, formed: {is_over}");
    let (last_through, whole) = (last_through.unwrap(), whole.unwrap());
    assert!(whole - last_through < 120, "whole {} ticks after the last", whole - last_through);
    assert!(simulation.group(id).unwrap().is_formed());
    run(&mut simulation, 40);
    let view = simulation.group(id).unwrap();
    assert_eq!(view.places().count(), 6);
    for place in view.places() {
        let one = simulation.agent(place.follower).unwrap().position();
        assert!(!place.is_in_file && one.x > 13.0);
        assert!(one.distance(place.at) < 0.3, "{one} is to be at {}", place.at);
    }
}

#[test]
fn a_squad_passes_a_door_in_file_and_forms_again() {
    let rows = hall();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let (simulation, class) = on_grid(&rows);
    passes_a_door(simulation, class);
}

#[test]
fn so_it_does_on_a_mesh() {
    let rows = hall();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let grid = Grid::from_rows(&rows).unwrap();
    let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap();
    let (world, settings) = (MeshWorld::new(mesh), SimulationSettings::default());
    let mut simulation = Simulation::new(world, NavLinks::new(3.0), settings).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    passes_a_door(simulation, class);
}

/// Groups of five march over open ground. Once they have formed, each follower is at its place:
/// within a quarter of the spacing. The group is as fast as its members, whether they avoid each
/// other or not.
#[test]
fn a_group_keeps_its_shape_on_the_march() {
    let formations = [Formation::Line, Formation::Wedge, Formation::Box];
    for avoidance in [Avoidance::default(), POLITE] {
        for formation in &formations {
            let (worst, speed) = on_the_march(formation.clone(), avoidance);
            let speed_is_full = (1.98..2.02).contains(&speed);
            let about = format!("{formation:?} {avoidance:?}: {worst} m off, {speed} m/s");
            assert!(worst < 0.25 && speed_is_full, "{about}");
        }
    }
}

/// The largest distance of a follower from its place, in metres, and the speed of the leader.
fn on_the_march(formation: Formation, avoidance: Avoidance) -> (f32, f32) {
    let (mut simulation, class) = on_grid(&["........................................"; 11]);
    let places: Vec<Vec3> = (0..5).map(|n| at(3 + n % 2, 3 + n)).collect();
    let id = group_of(&mut simulation, class, formation, &places, avoidance);
    simulation.order_group(id, Order::GoTo(at(37, 5)));
    run(&mut simulation, 160);
    let lead = |simulation: &Simulation<Grid>| simulation.agent(AgentId(0)).unwrap().position();
    let begin = lead(&simulation);
    let (mut worst, mut measured): (f32, u32) = (0.0, 0);
    loop {
        run(&mut simulation, 1);
        let view = simulation.group(id).unwrap();
        if lead(&simulation).x > 33.0 {
            break;
        }
        measured += 1;
        assert!(measured < 600 && !view.is_in_file());
        for place in view.places() {
            let off = simulation.agent(place.follower).unwrap().position() - place.at;
            worst = worst.max(off.length());
        }
    }
    assert!(measured > 100, "{measured} ticks");
    let seconds = measured as f32 * SimulationSettings::default().tick_seconds;
    (worst, lead(&simulation).distance(begin) / seconds)
}

/// One begins 20 m behind: the leader all but stands until it has come near.
#[test]
fn the_leader_waits_for_a_straggler() {
    let (mut simulation, class) = on_grid(&["............................................"; 5]);
    let id = group(&mut simulation, class, Formation::Wedge, &[at(22, 2), at(21, 3), at(1, 2)]);
    simulation.order_group(id, Order::GoTo(at(41, 2)));
    let place = |simulation: &Simulation<Grid>, number| {
        simulation.agent(AgentId(number)).unwrap().position()
    };
    run(&mut simulation, 100);
    let patience = simulation.group(id).unwrap().spec().patience;
    let gap = place(&simulation, 0).x - place(&simulation, 2).x;
    assert!(gap > patience && place(&simulation, 0).x < 24.0, "{gap} m behind");
    let happened = run(&mut simulation, 900);
    assert!(happened.iter().any(|(_, event)| *event == Event::Formed(id)));
    assert!(place(&simulation, 2).distance(at(41, 2)) < 2.0);
}

/// One is walled in: the others go without it, and the order ends.
#[test]
fn nobody_waits_for_who_cannot_come() {
    let (mut simulation, class) = on_grid(&[
        ".#......................",
        "##......................",
        "........................",
    ]);
    let id = group(&mut simulation, class, Formation::Wedge, &[at(4, 1), at(3, 2), at(0, 0)]);
    simulation.order_group(id, Order::GoTo(at(21, 1)));
    let happened = run(&mut simulation, 400);
    assert!(happened.iter().any(|(_, event)| *event == Event::Formed(id)));
    assert!(simulation.agent(AgentId(0)).unwrap().position().distance(at(21, 1)) < 0.3);
}

/// Who would leave its links, or walk where it has to swim, is in no group.
#[test]
fn worlds_of_waypoints_and_of_blocks_have_no_groups() {
    fn refused<W: Environment>(world: W, place: Vec3) {
        let settings = SimulationSettings::default();
        let mut simulation = Simulation::new(world, NavLinks::new(3.0), settings).unwrap();
        let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
        let one = simulation.add_agent(agent("one", class, place)).unwrap();
        let spec = GroupSpec::new("squad", vec![one]);
        assert_eq!(simulation.add_group(spec), Err(GroupFault::World));
        assert_eq!(simulation.agent(one).unwrap().group(), None);
    }
    let points = [Vec3::ZERO, Vec3::X].map(Waypoint::at).to_vec();
    let links = vec![WaypointLink::new(WaypointId::from_index(0), WaypointId::from_index(1))];
    refused(WaypointGraph::new(points, links, NegativeCosts::Reject).unwrap(), Vec3::ZERO);
    let size = VoxelSize { width: 4, height: 4, depth: 4 };
    let blocks = VoxelGrid::from_fn(size, &[], VoxelProfile::default(), |at| {
        if at.y == 0 { BlockId::SOLID } else { BlockId::AIR }
    });
    refused(blocks.unwrap(), Vec3::new(0.5, 1.5, 0.5));
}

#[test]
#[cfg(feature = "serde")]
fn a_group_that_is_saved_in_a_door_goes_on_as_before() {
    let rows = hall();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let (mut simulation, class) = on_grid(&rows);
    let places: Vec<Vec3> = (0..5).map(|n| at(8 + n % 2, 4 + n)).collect();
    let id = group(&mut simulation, class, Formation::Wedge, &places);
    simulation.order_group(id, Order::GoTo(at(24, 6)));
    (0..130).for_each(|_| {
        simulation.tick();
    });
    let text = serde_json::to_string(&simulation.save()).unwrap();
    let world = wayfare_grid::grid::Grid::from_rows(&rows).unwrap();
    let links = wayfare_core::link::NavLinks::new(3.0);
    let mut other =
        Simulation::restore(world, links, serde_json::from_str(&text).unwrap()).unwrap();
    for _ in 0..200 {
        assert_eq!(simulation.tick(), other.tick());
        assert_eq!(simulation.hash(), other.hash());
    }
}

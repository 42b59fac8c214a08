//! Groups keep their shape, pass narrow doors in file, and form again.

use glam::Vec3;
use wayfare::agent::{AgentLimits, Formation, GroupId, Order};
use wayfare::crowd::AvoidanceQuality;
use wayfare::plan::ClassId;
use wayfare::simulation::{Avoidance, Environment, Event, GroupSpec, Simulation};

use crate::support::{agent, at, on_grid, run};

const POLITE: Avoidance = Avoidance {
    quality: AvoidanceQuality::Medium,
    priority: 0,
    layers: 1,
    mask: u32::MAX,
    model: wayfare::crowd::AvoidanceModel::Reciprocal,
};

/// A group whose members begin at these places, the leader first.
fn group<W: Environment>(
    simulation: &mut Simulation<W>,
    class: ClassId,
    formation: Formation,
    places: &[Vec3],
) -> GroupId {
    let limits = AgentLimits { max_speed: 2.0, ..AgentLimits::default() };
    let members = places.iter().enumerate().map(|(number, &place)| {
        let spec = agent(&format!("m{number}"), class, place).limits(limits).avoidance(POLITE);
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

#[test]
fn a_squad_passes_a_door_in_file_and_forms_again() {
    let rows = hall();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let (mut simulation, class) = on_grid(&rows);
    let places: Vec<Vec3> = (0..7).map(|n| at(2 + n % 2, 3 + n)).collect();
    let id = group(&mut simulation, class, Formation::Line, &places);
    simulation.order_group(id, Order::GoTo(at(24, 6)));
    let (mut was_in_file, mut is_over) = (false, false);
    for _ in 0..120 {
        // Under the audit: nobody overlaps, nobody is in a wall.
        let happened = run(&mut simulation, 5);
        was_in_file |= simulation.group(id).unwrap().is_in_file();
        is_over |= happened.iter().any(|(_, event)| *event == Event::Formed(id));
        if is_over {
            break;
        }
    }
    assert!(was_in_file && is_over);
    let view = simulation.group(id).unwrap();
    assert!(view.is_formed() && view.places().count() == 6);
    for place in view.places() {
        let one = simulation.agent(place.follower).unwrap().position();
        assert!(!place.is_in_file && one.x > 13.0);
        assert!(one.distance(place.at) < 0.3, "{one} is to be at {}", place.at);
    }
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
    let world = wayfare::prelude::Grid::from_rows(&rows).unwrap();
    let links = wayfare::link::NavLinks::new(3.0);
    let mut other =
        Simulation::restore(world, links, serde_json::from_str(&text).unwrap()).unwrap();
    for _ in 0..200 {
        assert_eq!(simulation.tick(), other.tick());
        assert_eq!(simulation.hash(), other.hash());
    }
}

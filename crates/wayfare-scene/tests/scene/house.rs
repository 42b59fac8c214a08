//! The house with closing doors: a scene on the navigation mesh of a level.

use std::collections::BTreeSet;

use glam::Vec3;
use wayfare_formats::MemoryFiles;
use wayfare_scene::{Staged, Staging};
use wayfare_sim::agent::Activity;
use wayfare_sim::simulation::{Audit, Event, MeshWorld};

fn house() -> Staged<MeshWorld> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/house.toml");
    match Staging::open(path, None).expect("sound") {
        Staging::Mesh(staged) => staged,
        _ => panic!("a mesh"),
    }
}

fn place(staged: &Staged<MeshWorld>, name: &str) -> Vec3 {
    staged.places.iter().find(|place| place.name == name).expect("a place").at
}

#[test]
fn rounds_lead_over_both_storeys_and_the_thief_is_caught() {
    let mut staged = house();
    let rounds = [
        ("Ada", ["study", "kitchen", "landing", "loft"]),
        ("Ben", ["chest", "parlour", "hall", "loft"]),
    ];
    let wanted: BTreeSet<(&str, &str)> =
        rounds.iter().flat_map(|(who, places)| places.map(|at| (*who, at))).collect();
    let mut reached = BTreeSet::new();
    let (mut audit, mut is_caught, mut doors) = (Audit::new(), false, 0);
    let [kit, cato] = ["Kit", "Cato"].map(|name| staged.simulation.find(name).expect("there"));
    let (mut on_stairs, mut through) = (0, BTreeSet::new());
    let mut before = Vec3::ZERO;
    for _ in 0..staged.ticks {
        let events = staged.tick().clone();
        audit.check(&staged.simulation).unwrap_or_else(|fault| panic!("{fault}"));
        doors = doors.max(staged.barriers().count());
        let caught = |event: &Event| *event == Event::Decided(cato, Activity::Caught(kit));
        is_caught |= events.events.iter().any(caught);
        for event in &events.events {
            if let Event::Entered(who, link) = *event {
                let name = staged.simulation.agent(who).expect("there").name().to_owned();
                through.insert((name, staged.scene.nav_links[link.0 as usize].name.clone()));
            }
        }
        for agent in staged.simulation.agents() {
            let at = agent.position();
            if agent.inside().is_some() {
                continue; // between the ends of a link
            }
            // Also where a door has just shut: on the mesh without doors.
            let ground = staged.simulation.world().live().base().nearest_point(at, 0.1);
            let ground = ground.unwrap_or_else(|| panic!("{} is off at {at}", agent.name())).place;
            assert!((ground.y - at.y).abs() < 0.05, "{} at {at}: {ground}", agent.name());
            let is_at = |wanted: &&(&str, &str)| {
                wanted.0 == agent.name() && place(&staged, wanted.1).distance(at) < 0.3
            };
            reached.extend(wanted.iter().filter(is_at));
        }
        // Ada's speed in the middle of the stairs, where her way is straight.
        let ada = staged.simulation.find("Ada").and_then(|ada| staged.simulation.agent(ada));
        let ada = ada.expect("Ada");
        let at = ada.position();
        let is_on_stairs = |at: Vec3| (3.4..5.4).contains(&at.x) && at.z < 1.75 && at.y < 2.9;
        if is_on_stairs(at) && is_on_stairs(before) && ada.normalised_speed() > 0.999 {
            let speed = (at - before).with_y(0.0).length() / 0.05;
            assert!((speed - 1.6).abs() < 0.016, "{speed} at {at}");
            on_stairs += 1;
        }
        before = at;
    }
    assert_eq!(reached, wanted);
    assert!(on_stairs >= 10, "{on_stairs}");
    assert!(is_caught && doors == 2);
    let took = |who: &str, link: &str| through.contains(&(who.to_owned(), link.to_owned()));
    assert!(took("Ben", "chest room door"), "{through:?}");
    assert!(took("Kit", "ladder") && took("Kit", "window"), "{through:?}");
    assert!(!took("Kit", "chest room door") && !took("Ada", "window"), "{through:?}");
}

/// While the front door is shut, nobody is in it.
#[test]
fn a_shut_door_lets_nobody_through() {
    let mut staged = house();
    let mut shut = 0;
    for _ in 0..staged.ticks {
        staged.tick();
        let Some(door) = staged.barriers().find(|barrier| barrier.area.min[0] == 5.0) else {
            continue;
        };
        shut += 1;
        for agent in staged.simulation.agents() {
            let at = agent.position();
            let is_inside = (door.area.min[0]..door.area.max[0]).contains(&at.x)
                && (door.area.min[1]..door.area.max[1]).contains(&at.z)
                && at.y < 1.0;
            // Whoever stood there when it shut leaves it in a moment.
            assert!(!is_inside || shut < 30, "{} at {at}", agent.name());
        }
    }
    assert!(shut > 300);
}

fn refused(text: &str) -> String {
    let square = "v 0 0 0\nv 0 0 6\nv 6 0 6\nv 6 0 0\nf 1 2 3 4\n";
    let files = MemoryFiles::new().with("yard.obj", square).with("yard.toml", text);
    Staging::open_from("yard.toml", &files, None).expect_err("unsound").to_string()
}

#[test]
fn what_means_nothing_on_a_mesh_is_named() {
    let scene = "scene = { name = \"yard\", world = \"yard.obj\" }\nnavmesh = { }\n";
    let ann = "agents = [{ name = \"Ann\", at = [1, 0, 1] }]\n";
    let with = |more: &str| refused(&format!("{scene}{more}{ann}"));
    let said = with("classes = [{ name = \"wide\", width = 2 }]\n");
    assert!(said.contains("'width' means nothing in a navigation mesh"), "{said}");
    let said = with("terrains = [{ name = \"mud\", penalty = 2 }]\n");
    assert!(said.contains("'mud' has a penalty"), "{said}");
    let link = |to: &str, more: &str| {
        let ends = format!("from = [1, 0, 1], to = {to}");
        with(&format!("nav_links = [{{ name = \"door\", {ends}, seconds = 1{more} }}]\n"))
    };
    let said = link("[9, 0, 5]", "");
    assert!(said.contains("the link 'door' leads off the map"), "{said}");
    let said = link("[5, 0, 5]", ", radius = -1");
    assert!(said.contains("radius"), "{said}");
    let said = refused(&format!("{scene}agents = [{{ name = \"Ann\", at = [1, 1] }}]\n"));
    assert!(said.contains("a navigation mesh has no cells"), "{said}");
    let said = refused(
        "scene = { name = \"yard\" }\nnavmesh = { }\nagents = [{ name = \"Ann\", at = [1, 0, 1] }]\n",
    );
    assert!(said.contains("the scene names no level and no mesh"), "{said}");
}

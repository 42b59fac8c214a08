//! Simulations that go back: every tick is as it was, whatever was given on the way.

use std::convert::Infallible;

use glam::Vec3;
use wayfare::agent::{AgentId, AgentLimits, Order};
use wayfare::crowd::AvoidanceQuality;
use wayfare::simulation::{AgentChange, CarveId, Command, Shape};
use wayfare_scene::scene;
use wayfare_site::{
    MemoryFiles, NoFiles, OpenOptions, Playback, Population, SimulationSession, open_bytes,
    open_simulation_bytes, open_simulation_from, populate,
};

const LAST: u64 = 150;

/// Twelve agents in a yard with a wall.
fn yard() -> Box<dyn SimulationSession> {
    let map = b"................\n................\n....########....\n................\n................\n";
    let site = open_bytes("yard.txt", map, &NoFiles, &OpenOptions::default()).unwrap();
    let twelve = Population { count: 12, seed: 3, avoidance: AvoidanceQuality::Low };
    let scene = populate(site.as_ref(), None, None, twelve).unwrap();
    let text = scene::write(&scene).unwrap();
    open_simulation_bytes("yard.toml", text.as_bytes(), &MemoryFiles::new(), None).unwrap()
}

/// The commands, each with the tick at which it is given.
fn commands() -> Vec<(u64, Command<Infallible>)> {
    let order = Order::GoTo(Vec3::new(8.5, 0.0, 4.5));
    let slow = AgentLimits { max_speed: 0.5, ..AgentLimits::default() };
    let ball = Shape::Ball { centre: Vec3::new(2.5, 0.0, 2.5), radius: 0.4 };
    vec![
        (20, Command::Order { agent: AgentId(4), order }),
        (20, Command::Carve { id: CarveId(9), shape: ball }),
        (64, Command::Change { agent: AgentId(2), change: AgentChange::Limits(slow) }),
        (90, Command::Restore { id: CarveId(9) }),
    ]
}

/// Plays to the last tick. Returns the hash after each tick.
fn play(playback: &mut Playback) -> Vec<u64> {
    let commands = commands();
    let mut hashes = vec![playback.session().hash()];
    for now in 0..LAST {
        for (_, command) in commands.iter().filter(|(tick, _)| *tick == now) {
            playback.command(command.clone());
        }
        playback.tick().unwrap();
        hashes.push(playback.session().hash());
    }
    hashes
}

#[test]
fn every_tick_is_as_it_was() {
    for memory in [0, 100_000, usize::MAX] {
        let mut playback = Playback::with_memory(yard(), memory).unwrap();
        let hashes = play(&mut playback);
        for tick in [149, 0, 20, 21, 64, 63, 65, 33, 90, 150, 1, 150] {
            playback.go_to(tick).unwrap();
            assert_eq!(playback.session().now(), tick);
            assert_eq!(playback.session().hash(), hashes[tick as usize], "{memory}: {tick}");
            assert_eq!(playback.furthest(), LAST);
            let given = commands().iter().filter(|(given, _)| *given <= tick).count();
            assert_eq!(playback.commands().count(), given, "at {tick}");
        }
    }
}

#[test]
fn commands_change_the_future_and_nothing_else() {
    let mut playback = Playback::new(yard()).unwrap();
    let hashes = play(&mut playback);
    playback.go_to(70).unwrap();
    playback.command(Command::Remove(AgentId(0)));
    assert_eq!(playback.furthest(), 70);
    assert_eq!(playback.commands().count(), 4, "the three before, and this one");
    playback.go_to(LAST).unwrap();
    assert_ne!(playback.session().hash(), hashes[LAST as usize]);
    let after = playback.session().hash();
    playback.go_to(60).unwrap();
    assert_eq!(playback.session().hash(), hashes[60]);
    playback.go_to(LAST).unwrap();
    assert_eq!(playback.session().hash(), after);
}

#[test]
fn what_has_begun_resumes_only_from_its_kept_beginning() {
    let mut plain = yard();
    plain.schedule(0, commands().swap_remove(1).1);
    plain.tick();
    let saved = plain.save().unwrap();
    let refused = plain.resume(&saved, "here".as_ref()).unwrap_err().to_string();
    assert!(refused.contains("has begun"), "{refused}");
    assert!(plain.keep_beginning().is_err());
    assert!(Playback::new(plain).is_err());

    let mut kept = yard();
    kept.keep_beginning().unwrap();
    kept.schedule(0, commands().swap_remove(1).1);
    kept.tick();
    assert_eq!(kept.save().unwrap(), saved);
    let hash = kept.hash();
    kept.tick();
    kept.resume(&saved, "here".as_ref()).unwrap();
    assert_eq!((kept.now(), kept.hash()), (1, hash));
}

#[test]
fn an_order_given_inside_a_link_is_held_until_its_end() {
    let text = br#"
scene = { name = "Two banks", map = """
......####......
......####......
......####......"""}
nav_links = [{ name = "bridge", from = [5, 1], to = [10, 1], seconds = 2 }]
agents = [{ name = "Ann", at = [2, 1], orders = [[14, 1]] }]
"#;
    let session = open_simulation_bytes("banks.toml", text, &MemoryFiles::new(), None).unwrap();
    let mut playback = Playback::new(session).unwrap();
    let ann = |playback: &Playback| {
        let mut seen = None;
        playback.session().for_each_agent(&mut |agent| {
            seen = Some((agent.inside, Vec3::from(agent.position)));
        });
        seen.unwrap()
    };
    while ann(&playback).0.is_none() {
        assert!(playback.session().now() < 200, "Ann never enters the bridge");
        playback.tick().unwrap();
    }
    let entered = playback.session().now();
    let home = Vec3::new(0.5, 0.0, 2.5);
    playback.command(Command::Order { agent: AgentId(0), order: Order::GoTo(home) });
    while ann(&playback).0.is_some() {
        playback.tick().unwrap();
    }
    // She was not turned round on the bridge.
    let out = playback.session().now();
    assert!(out >= entered + 35, "out at {out}, in at {entered}");
    assert!(ann(&playback).1.x > 9.5);
    playback.go_to(out + 200).unwrap();
    assert!(ann(&playback).1.distance(home) < 0.3, "{}", ann(&playback).1);
    // Back in time the order is held again.
    playback.go_to(entered + 10).unwrap();
    assert!(ann(&playback).0.is_some());
    playback.go_to(out).unwrap();
    assert!(ann(&playback).0.is_none() && ann(&playback).1.x > 9.5);
}

/// A snapshot is refused once any file that its scene names has changed, and taken where the same
/// files lie elsewhere.
#[test]
fn snapshots_are_of_all_files_of_a_scene() {
    let scene = br#"
        scene = { name = "rocks" }
        terrains = [{ name = "grass", glyph = "." }]
        grid = { min = [0, 0], max = [8, 4], node_radius = 0.5 }
        surfaces = [{ shape = "mesh", layer = "grass", mesh = { file = "ground.obj" } }]
        agents = [{ name = "Ann", at = [0, 1], orders = [[7, 1]] }]
    "#;
    let ground = |height: f32| {
        let corners = [[0, 0], [8, 0], [8, 4], [0, 4]];
        let vertices = corners.map(|[x, z]| format!("v {x} {height} {z}\n")).concat();
        format!("{vertices}f 1 4 3\nf 1 3 2\n")
    };
    let open = |folder: &str, height: f32| {
        let name = |file: &str| format!("{folder}{file}");
        let files = MemoryFiles::new()
            .with(name("rocks.toml"), *scene)
            .with(name("ground.obj"), ground(height));
        open_simulation_from(name("rocks.toml"), &files, None).unwrap()
    };
    let mut first = open("", 0.0);
    for _ in 0..20 {
        first.tick();
    }
    let saved = first.save().unwrap();
    let refused = open("", 0.5).resume(&saved, "saved".as_ref()).unwrap_err().to_string();
    assert!(refused.contains("it is of another scene"), "{refused}");
    let mut elsewhere = open("other/", 0.0);
    elsewhere.resume(&saved, "saved".as_ref()).unwrap();
    assert_eq!(elsewhere.hash(), first.hash());
}

/// Bob rides over a wall. Once he has begun, the wall is elsewhere, and with it the platform.
#[test]
fn platforms_come_with_a_change_of_the_ground_and_go_with_the_past() {
    let text = br##"
scene = { name = "shore", map = ".....#....." }
[[puzzles]]
name = "ferry"
start = [0, 0]
goal = [10, 0]
agent = "Bob"
[[puzzles.platforms]]
name = "ferry"
low = [4, 0]
high = [6, 0]
timetable = { period = 20, up_at = 0, down_at = 10 }
[[agents]]
name = "Bob"
at = [0, 0]
"##;
    let change = |at: &str| {
        let text = String::from_utf8(text.to_vec()).unwrap();
        let (puzzle, _) = text.split_once("[[agents]]").unwrap();
        let (_, puzzle) = puzzle.split_once("[[puzzles]]").unwrap();
        let puzzle = puzzle.replace("[4, 0]", "[6, 0]").replace("high = [6, 0]", at);
        let puzzle = puzzle.replace("[[puzzles", "[[replace.puzzles");
        let head = "[replace]\ncorner = [0, 0]\nmap = \".......#...\"\nentry = [0, 0]\n";
        scene::read_change(&format!("{head}[[replace.puzzles]]{puzzle}")).unwrap()
    };
    let session = open_simulation_bytes("shore.toml", text, &MemoryFiles::new(), None).unwrap();
    let mut playback = Playback::new(session).unwrap();
    playback.go_to(39).unwrap();
    let before = playback.session().hash();
    playback.tick().unwrap();

    let refused = playback.replace(change("high = [7, 0]")).unwrap_err().to_string();
    assert!(refused.contains("ferry"), "{refused}");
    assert_eq!(playback.session().links().len(), 2);

    playback.replace(change("high = [8, 0]")).unwrap();
    playback.go_to(600).unwrap();
    assert_eq!(playback.session().links().len(), 4);
    let mut at = Vec3::ZERO;
    playback.session().for_each_agent(&mut |bob| at = bob.position.into());
    assert!(at.x > 10.0, "Bob has come over: {at}");
    let after = playback.session().hash();

    playback.go_to(39).unwrap();
    assert_eq!((playback.session().links().len(), playback.session().hash()), (2, before));
    playback.go_to(600).unwrap();
    assert_eq!((playback.session().links().len(), playback.session().hash()), (4, after));
    playback.go_to(500).unwrap();
    assert_eq!(playback.session().links().len(), 4);
    let saved = playback.session().save().unwrap();
    let mut other = open_simulation_bytes("shore.toml", text, &MemoryFiles::new(), None).unwrap();
    let refused = other.resume(&saved, "here".as_ref()).unwrap_err().to_string();
    assert!(refused.contains("links"), "{refused}");
}

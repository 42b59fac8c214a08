//! Agents on worlds of every kind that have none of their own.

use wayfare::crowd::AvoidanceQuality;
use wayfare_formats::{FileSystem, Files};
use wayfare_scene::scene::{self, Scene};
use wayfare_site::{
    MemoryFiles, NoFiles, OpenOptions, Population, SimulationSession, Site, open_as_from,
    open_bytes, open_from, open_simulation_bytes, populate,
};

const FORTY: Population = Population { count: 40, seed: 5, avoidance: AvoidanceQuality::Low };

/// Returns the simulation of a populated world. `files` has its file.
fn played(
    site: &dyn Site,
    own: Option<&Scene>,
    files: &dyn Files,
    population: Population,
) -> Box<dyn SimulationSession> {
    let text = scene::write(&populate(site, own, None, population).expect("room")).unwrap();
    open_simulation_bytes("agents.toml", text.as_bytes(), files, None)
        .unwrap_or_else(|error| panic!("{}: {error}\n{text}", site.about().name))
}

/// Plays on for some ticks. Returns the length of the way that each agent has come, in metres.
fn ways(session: &mut dyn SimulationSession, ticks: u32) -> Vec<f32> {
    let mut ways: Vec<(f32, [f32; 3])> = Vec::new();
    for _ in 0..ticks {
        let mut at = 0;
        session.for_each_agent(&mut |agent| {
            if ways.len() == at {
                ways.push((0.0, agent.position));
            }
            let (way, before) = &mut ways[at];
            let step = (0..3).map(|axis| (agent.position[axis] - before[axis]).powi(2));
            *way += step.sum::<f32>().sqrt();
            *before = agent.position;
            at += 1;
        });
        session.tick();
    }
    ways.into_iter().map(|(way, _)| way).collect()
}

/// The shipped file, from the folder of the worlds.
fn shipped(name: &str) -> (Box<dyn Site>, MemoryFiles) {
    let path = format!("{}/../../worlds/{name}", env!("CARGO_MANIFEST_DIR"));
    let bytes = FileSystem.read(path.as_ref(), u64::MAX).unwrap().into_owned();
    let files = MemoryFiles::new().with(name, bytes);
    (open_from(name, &files, &OpenOptions::default()).unwrap(), files)
}

#[test]
fn agents_walk_in_worlds_of_every_kind() {
    for name in [
        "cave.map",
        "village.tmj",
        "courtyard.obj",
        "house.obj",
        "floating-islands.voxels",
        "stair-tower.voxels",
        "voxel-cave.voxels",
        "voxel-village.voxels",
    ] {
        let (site, files) = shipped(name);
        let mut session = played(site.as_ref(), None, &files, FORTY);
        let ways = ways(session.as_mut(), 400);
        assert_eq!(ways.len(), 40, "{name}");
        assert_eq!(session.planner_stats().failed, 0, "{name}: paths without an answer");
        let idle = ways.iter().filter(|way| **way < 3.0).count();
        assert!(idle <= 2, "{name}: {idle} of 40 went nowhere");
    }
}

#[test]
fn agents_walk_among_waypoints() {
    let text = br#"
        scene = { name = "square" }
        waypoints = [
            { id = "a", at = [0, 0, 0] }, { id = "b", at = [9, 0, 0] },
            { id = "c", at = [9, 0, 9] }, { id = "far", at = [50, 0, 0] },
        ]
        links = [{ from = "a", to = "b" }, { from = "b", to = "c" }, { from = "c", to = "a" }]
    "#;
    let site = open_bytes("square.toml", text, &NoFiles, &OpenOptions::default()).unwrap();
    let own = scene::read(text).unwrap();
    let three = Population { count: 3, seed: 1, avoidance: AvoidanceQuality::Off };
    let mut session = played(site.as_ref(), Some(&own), &NoFiles, three);
    let ways = ways(session.as_mut(), 300);
    assert!(ways.iter().all(|way| *way > 5.0), "{ways:?}");
    session.for_each_agent(&mut |agent| assert!(agent.position[0] < 10.0));
}

#[test]
fn agents_move_as_the_site_says() {
    // Only those who pass corners come from one half to the other.
    let half = "....#\n...#.\n..#..\n.#...\n#....\n";
    let mut site =
        open_bytes("half.txt", half.as_bytes(), &NoFiles, &OpenOptions::default()).unwrap();
    let ten = Population { count: 10, seed: 2, avoidance: AvoidanceQuality::Off };
    assert!(populate(site.as_ref(), None, None, ten).unwrap().classes.is_empty());
    let sides = |session: &mut dyn SimulationSession| {
        let mut seen = [false; 2];
        for _ in 0..600 {
            session.tick();
            session.for_each_agent(&mut |agent| {
                let [x, _, z] = agent.position;
                seen[usize::from(x + z > 5.0)] = true;
            });
        }
        seen
    };
    assert_eq!(sides(played(site.as_ref(), None, &NoFiles, ten).as_mut()), [true, false]);
    site.adapt("corners=always", 0).unwrap();
    assert_eq!(sides(played(site.as_ref(), None, &NoFiles, ten).as_mut()), [true, true]);

    let (mut site, files) = shipped("floating-islands.voxels");
    let area = |site: &dyn Site| populate(site, None, None, ten).unwrap().agents[0].area.unwrap();
    let walked = area(site.as_ref());
    site.adapt("jump-distance=3 max-fall=12", 0).unwrap();
    let jumped = area(site.as_ref());
    assert!(jumped.max[0] - jumped.min[0] > walked.max[0] - walked.min[0]);
    let class = &populate(site.as_ref(), None, None, ten).unwrap().classes[0];
    assert_eq!((class.jump_distance, class.max_fall, class.width), (Some(3), Some(12), None));
    let mut session = played(site.as_ref(), None, &files, ten);
    assert!(ways(session.as_mut(), 300).iter().any(|way| *way > 3.0));
    assert_eq!(session.planner_stats().failed, 0);
}

#[test]
fn agents_are_of_the_class_that_the_site_shows() {
    let text = br#"
        scene = { name = "moat", map = """
..~..
..~..
"""}
        terrains = [{ name = "water", glyph = "~", walkable = false }]
        [[classes]]
        name = "walker"
        [[classes]]
        name = "boat"
        neighbours = 4
        terrains = [{ terrain = "water", walkable = true, multiplier = 2 }]
    "#;
    let own = scene::read(text).unwrap();
    let files = MemoryFiles::new().with("moat.toml", *text);
    let options = OpenOptions::default();
    let ten = Population { count: 10, seed: 2, avoidance: AvoidanceQuality::Off };
    let crossed = |class: Option<&str>| {
        let site = match class {
            Some(class) => open_as_from("moat.toml", &files, &options, class).unwrap(),
            None => open_from("moat.toml", &files, &options).unwrap(),
        };
        let scene = populate(site.as_ref(), Some(&own), class, ten).unwrap();
        let text = scene::write(&scene).unwrap();
        let mut session =
            open_simulation_bytes("agents.toml", text.as_bytes(), &NoFiles, None).unwrap();
        let mut sides = [false; 2];
        for _ in 0..400 {
            session.tick();
            session.for_each_agent(&mut |agent| {
                sides[usize::from(agent.position[0] > 2.5)] = true;
            });
        }
        (sides == [true; 2], scene.classes)
    };
    let (walked, _) = crossed(None);
    assert!(!walked, "nobody walks on water");
    let (sailed, classes) = crossed(Some("boat"));
    assert!(sailed);
    assert_eq!(classes[0].terrains, own.classes[1].terrains);
}

#[test]
fn a_level_is_baked_for_the_same_body() {
    let (site, files) = shipped("courtyard.obj");
    let bake = wayfare_site::LevelBake {
        walker: wayfare_site::WalkerShape { radius: 0.8, ..Default::default() },
        cell_size: None,
    };
    let wide = site.level().unwrap().baked(bake).unwrap();
    let scene = populate(&wide, None, None, FORTY).unwrap();
    assert_eq!(scene.navmesh.as_ref().unwrap().radius, Some(0.8));
    let session = played(&wide, None, &files, FORTY);
    assert_eq!(session.settings().seed, 0);
}

#[test]
fn only_worlds_with_room_are_populated() {
    let open = |name: &str, bytes: &[u8]| {
        let site = open_bytes(name, bytes, &NoFiles, &OpenOptions::default()).unwrap();
        let one = Population { count: 1, seed: 0, avoidance: AvoidanceQuality::Off };
        populate(site.as_ref(), None, None, one)
    };
    assert!(open("rock.txt", b"###\n###\n").is_none());
    // The larger of two regions.
    let scene = open("two.txt", b"..#....\n..#....\n").unwrap();
    assert!(scene.agents[0].orders.is_empty());
    let text = scene::write(&scene).unwrap();
    let mut played =
        open_simulation_bytes("two.toml", text.as_bytes(), &MemoryFiles::new(), None).unwrap();
    for _ in 0..200 {
        played.tick();
        played.for_each_agent(&mut |agent| assert!(agent.position[0] > 3.0));
    }
}

//! Scenes that are played: classes, terrains, crowds.

use crate::support::{played, staged};
use wayfare_crowd::{AvoidanceModel, AvoidanceQuality, CollisionFreeSpeed};
use wayfare_scene::Staging;
use wayfare_sim::simulation::{Audit, Avoidance};

/// Ann wades through mud, Ben is at home in it; its cost is the same to both.
#[test]
fn mud_slows_a_class() {
    let text = r#"
        scene = { name = "mud", map = """
mmmmmmmmmmmmmmmmmmmm
mmmmmmmmmmmmmmmmmmmm""" }
        terrains = [{ name = "mud", glyph = "m" }]
        classes = [{ name = "plain" }, { name = "slow", terrains = [{ terrain = "mud", speed = 0.25 }] }]
        agents = [
          { name = "Ann", class = "slow", at = [0, 0], orders = [[19, 0]], speed = 2 },
          { name = "Ben", class = "plain", at = [0, 1], orders = [[19, 1]], speed = 2 },
        ]
    "#;
    let Staging::Grid(mut mud) = staged(text) else { panic!("a grid") };
    played(&mut mud, 100);
    let speeds: Vec<f32> = mud.simulation.agents().map(|agent| agent.speed()).collect();
    assert_eq!(speeds, [0.5, 2.0]);
    let factors: Vec<f32> = mud.simulation.agents().map(|agent| agent.ground_factor()).collect();
    assert_eq!(factors, [0.25, 1.0]);
}

/// A guard and a crowd go abreast to a place, take the shape of a column on an order, and part.
#[test]
fn a_group_goes_where_it_is_sent() {
    let text = r#"
        scene = { name = "yard", map = """
........................
........................
........................
........................
........................""" }
        agents = [
          { name = "recruit", at = [2, 2], count = 2 },
          { name = "Ann", at = [4, 2] },
        ]
        groups = [{ name = "squad", members = ["Ann", "recruit"], formation = "line", spacing = 1.5, orders = [[18, 2]] }]
        events = [
          { at = 15, form = { group = "squad", formation = "column" }, order = { agent = "squad", to = [6, 2] } },
          { at = 30, disband = "squad" },
        ]
    "#;
    let Staging::Grid(mut yard) = staged(text) else { panic!("a grid") };
    let offsets = |yard: &wayfare_scene::Staged<wayfare_grid::grid::Grid>| {
        let at: Vec<_> = yard.simulation.agents().map(|agent| agent.position()).collect();
        let mut offsets = [at[0] - at[2], at[1] - at[2]];
        offsets.sort_by(|a, b| a.z.total_cmp(&b.z).then(a.x.total_cmp(&b.x)));
        (at[2], offsets)
    };
    played(&mut yard, 299);
    let (ann, [left, right]) = offsets(&yard);
    assert!((ann.x - 18.5).abs() < 0.3, "{ann}");
    assert!((left.z + 1.5).abs() < 0.4 && left.x.abs() < 0.4, "{left}");
    assert!((right.z - 1.5).abs() < 0.4 && right.x.abs() < 0.4, "{right}");
    played(&mut yard, 300);
    let (ann, mut behind) = offsets(&yard);
    behind.sort_by(|a, b| a.x.total_cmp(&b.x));
    assert!((ann.x - 6.5).abs() < 0.3, "{ann}");
    assert!((behind[0].x - 1.5).abs() < 0.4 && (behind[1].x - 3.0).abs() < 0.4, "{behind:?}");
    assert_eq!(yard.simulation.groups().count(), 1);
    played(&mut yard, 2);
    assert_eq!(yard.simulation.groups().count(), 0);
}

#[test]
fn waypoints_have_no_groups() {
    let text = r#"
        scene = { name = "path" }
        waypoints = [{ id = "a", at = [0, 0, 0] }, { id = "b", at = [4, 0, 0] }]
        links = [{ from = "a", to = "b" }]
        agents = [{ name = "Ann", at = "a" }]
        groups = [{ name = "squad", members = ["Ann"] }]
    "#;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.toml");
    std::fs::write(&path, text).expect("written");
    let error = Staging::open(&path, None).expect_err("refused").to_string();
    assert!(error.contains("s.toml:6:") && error.contains("have no groups"), "{error}");
}

#[test]
fn waypoints_have_no_ground_that_slows() {
    let text = r#"
        scene = { name = "path" }
        terrains = [{ name = "mud" }]
        waypoints = [{ id = "a", at = [0, 0, 0], terrain = "mud" }, { id = "b", at = [4, 0, 0] }]
        links = [{ from = "a", to = "b" }]
        classes = [{ name = "slow", terrains = [{ terrain = "mud", speed = 0.25 }] }]
        agents = [{ name = "Ann", at = "a" }]
    "#;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.toml");
    std::fs::write(&path, text).expect("written");
    let error = Staging::open(&path, None).expect_err("refused").to_string();
    assert!(error.contains("s.toml:6:76") && error.contains("'speed' means nothing"), "{error}");
}

#[test]
fn agents_go_from_waypoint_to_waypoint() {
    let text = r#"
        scene = { name = "ring" }
        waypoints = [
          { id = "a", at = [0, 0, 0] }, { id = "b", at = [4, 0, 0] },
          { id = "c", at = [4, 0, 4] }, { id = "d", at = [0, 0, 4] },
        ]
        links = [{ from = "a", to = "b" }, { from = "b", to = "c" }, { from = "a", to = "d" }, { from = "d", to = "c" }]
        agents = [{ name = "Ann", at = "a", behaviours = [{ kind = "patrol", points = ["c", "a"] }] }]
        events = [{ at = 0.5, every = 9, block = { id = "rock", area = { min = [3, -1], max = [5, 1] } } }, { at = 5, every = 9, restore = "rock" }]
    "#;
    let Staging::Waypoints(mut ring) = staged(text) else { panic!("waypoints") };
    // The rock lies in the way, goes, and comes again.
    let mut lies = Vec::new();
    for _ in 0..12 {
        played(&mut ring, 20);
        lies.push(ring.barriers().count());
    }
    assert_eq!(lies, [1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1]);
    assert_eq!(ring.places.len(), 2);
}

/// A block that is driven away stands where it is driven, not where it stood too.
#[test]
fn a_block_is_driven_away_and_removed() {
    let text = r#"
        scene = { name = "yard", map = """
........
........
........""" }
        agents = [{ name = "Ann", at = [0, 0] }]
        [[events]]
        at = 0
        block = { id = "rock", area = { min = [1, 1], max = [2, 2] } }
        [[events]]
        at = 1
        drive = { id = "rock", size = [1, 1], along = [[2, 1], [6, 1]], speed = 2 }
        [[events]]
        at = 6
        restore = "rock"
    "#;
    let Staging::Grid(mut yard) = staged(text) else { panic!("a grid") };
    let mut lies = Vec::new();
    for _ in 0..7 {
        played(&mut yard, 20);
        lies.push(yard.barriers().map(|barrier| barrier.area.min[0].round()).collect::<Vec<_>>());
    }
    assert_eq!(lies, [vec![1.0], vec![4.0], vec![6.0], vec![6.0], vec![6.0], vec![6.0], vec![]]);
}

#[test]
fn what_is_driven_is_no_larger_than_a_body_may_be() {
    let text = r#"
        scene = { name = "yard", map = "....." }
        agents = [{ name = "Ann", at = [0, 0] }]
        [[events]]
        at = 1
        drive = { id = "wall", size = [30000, 30000], along = [[2, 0]] }
    "#;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.toml");
    std::fs::write(&path, text).expect("written");
    let error = Staging::open(&path, None).expect_err("refused").to_string();
    assert!(error.contains("s.toml:6:") && error.contains("radius"), "{error}");
}

/// A boat crosses the water that a walker goes around; neither can do without the other's ground.
#[test]
fn classes_meet_terrains_of_their_own() {
    let text = |classes: &str, class: &str| {
        format!(
            r##"
scene = {{ name = "s", map = """
....
~~~.
....""" }}
terrains = [{{ name = "sea", glyph = "~", walkable = false }}, {{ name = "land", glyph = "." }}]
classes = [{classes}]
agents = [{{ name = "Ann", class = "{class}", at = [0, 0], orders = [[0, 2]] }}]
simulation = {{ seconds = 60 }}
"##
        )
    };
    let stage = |classes: &str, class: &str| {
        let files = wayfare_formats::MemoryFiles::new().with("s.toml", text(classes, class));
        Staging::open_from("s.toml", &files, None)
    };
    let seconds = |class: &str| {
        let classes = r#"{ name = "walker" }, { name = "boat", terrains = [{ terrain = "sea", walkable = true }] }"#;
        let Ok(Staging::Grid(mut staged)) = stage(classes, class) else { panic!("{class}") };
        let mut audit = Audit::new();
        for tick in 0..staged.ticks {
            staged.tick();
            audit.check(&staged.simulation).expect("no rule is broken");
            let ann = staged.simulation.agents().next().expect("Ann");
            if ann.position().z > 2.4 && ann.position().x < 0.6 {
                return tick;
            }
        }
        panic!("{class} never arrives")
    };
    let (walker, boat) = (seconds("walker"), seconds("boat"));
    assert!(boat * 2 < walker, "{boat} and {walker} ticks");
    let refused = |terrain: &str| {
        let class = format!(r#"{{ name = "c", terrains = [{{ {terrain} }}] }}"#);
        stage(&class, "c").map(drop).expect_err("wrong").to_string()
    };
    let said = refused(r#"terrain = "lava""#);
    assert!(said.contains("s.toml:7:") && said.contains("no terrain 'lava'"), "{said}");
    assert!(said.contains("known are sea, land"), "{said}");
    let said = refused(r#"terrain = "sea", multiplier = 1e9"#);
    assert!(said.contains("multiplier"), "{said}");
}

/// A hundred agents in six cells: nobody begins where another stands.
#[test]
fn a_crowd_of_more_agents_than_cells_is_not_stacked() {
    let text = r#"
        scene = { name = "yard", map = """
...#
...#
####""" }
        agents = [
          { name = "folk", at = [0, 0], count = 100 },
          { name = "club", at = [0, 0], count = 20, area = { min = [0, 0], max = [1, 1] } },
        ]
    "#;
    let Staging::Grid(mut yard) = staged(text) else { panic!("a grid") };
    let of = |team: &str| {
        let members = yard.simulation.agents().filter(|agent| agent.name().starts_with(team));
        let mut places: Vec<[u32; 2]> = members
            .map(|agent| [agent.position().x.to_bits(), agent.position().z.to_bits()])
            .collect();
        places.sort_unstable();
        places.dedup();
        places.len()
    };
    assert_eq!((of("folk"), of("club")), (100, 20));
    let club = yard.simulation.agents().filter(|agent| agent.name().starts_with("club"));
    assert!(club.into_iter().all(|agent| agent.position().x <= 1.0 && agent.position().z <= 1.0));
    played(&mut yard, 20);
}

/// Two crowds that are to begin at one place begin beside each other.
#[test]
fn no_place_is_given_to_two_crowds() {
    let text = r#"
        scene = { name = "yard", map = """
........
........
........""" }
        agents = [
          { name = "a", at = [1, 1], count = 4 },
          { name = "b", at = [1, 1], count = 4 },
        ]
    "#;
    let Staging::Grid(yard) = staged(text) else { panic!("a grid") };
    let places: Vec<_> = yard.simulation.agents().map(|agent| agent.position()).collect();
    for (number, place) in places.iter().enumerate() {
        assert!(places[number + 1..].iter().all(|other| other.distance(*place) > 0.9));
    }
}

/// Two rows of agents change places in a corridor, and a ghost walks through them.
#[test]
fn agents_of_a_scene_avoid_each_other() {
    let text = |world: &str, more: &str| {
        format!(
            r#"
scene = {{ name = "s"{world} }}
classes = [
  {{ name = "folk", avoidance = "medium", priority = 1 }},
  {{ name = "ghost" }},
  {{ name = "person", avoidance = "low", steering = "free_speed", time_gap = 0.75 }},
]
agents = [
  {{ name = "a", class = "folk", at = "west", orders = ["east"]{more} }},
  {{ name = "b", class = "folk", at = "east", orders = ["west"], priority = 4, layers = [2], avoids = [] }},
  {{ name = "c", class = "ghost", at = "west", orders = ["east"] }},
  {{ name = "d", class = "person", at = [5, 0] }},
]
"#
        )
    };
    let map = ", map = \"\"\"\n............\n............\n............\"\"\"";
    let places = "places = [{ name = \"west\", at = [0, 1] }, { name = \"east\", at = [11, 1] }]\n";
    let Staging::Grid(mut staged) = staged(&(text(map, "") + places)) else { panic!("a grid") };
    let simulation = &staged.simulation;
    let of = |name: &str| simulation.agent(simulation.find(name).unwrap()).unwrap().avoidance();
    let folk = Avoidance { quality: AvoidanceQuality::Medium, priority: 1, ..Default::default() };
    assert_eq!(of("a"), folk);
    assert_eq!(of("b"), Avoidance { priority: 4, layers: 2, mask: 0, ..folk });
    assert_eq!(of("c"), Avoidance::default());
    let patient = CollisionFreeSpeed { time_gap: 0.75, ..Default::default() };
    assert_eq!(of("d").model, AvoidanceModel::FreeSpeed(patient));
    let mut apart = f32::INFINITY;
    let mut audit = Audit::new();
    for _ in 0..200 {
        staged.tick();
        audit.check(&staged.simulation).expect("no rule is broken");
        let place = |name: &str| {
            let simulation = &staged.simulation;
            simulation.agent(simulation.find(name).unwrap()).unwrap().position()
        };
        apart = apart.min(place("a").distance(place("b")));
    }
    assert!((0.59..1.5).contains(&apart), "{apart}");
    let busy = staged.simulation.agents().filter(|agent| agent.orders().len() > 0);
    let busy: Vec<_> = busy.map(|agent| (agent.name().to_string(), agent.position())).collect();
    assert!(busy.is_empty(), "{busy:?}");

    // A body without a radius.
    let refused = |text: String| {
        let files = wayfare_formats::MemoryFiles::new().with("s.toml", text);
        Staging::open_from("s.toml", &files, None).map(drop).expect_err("wrong").to_string()
    };
    let said = refused(text(map, ", radius = 0") + places);
    assert!(said.contains("s.toml:12:") && said.contains("radius above 0"), "{said}");
}

#[test]
fn waypoints_are_to_each_class_what_their_terrains_are() {
    let text = r#"
        scene = { name = "river" }
        terrains = [{ name = "water", walkable = false }, { name = "mud", multiplier = 3 }]
        waypoints = [
          { id = "west", at = [0, 0, 0] }, { id = "ford", at = [5, 0, 0], terrain = "water" },
          { id = "east", at = [10, 0, 0] }, { id = "bridge", at = [5, 0, 6] },
        ]
        links = [{ from = "west", to = "ford" }, { from = "ford", to = "east" }, { from = "west", to = "bridge" }, { from = "bridge", to = "east" }]
        classes = [{ name = "walker" }, { name = "boat", terrains = [{ terrain = "water", walkable = true, multiplier = 0.5 }] }]
        agents = [
          { name = "Ann", class = "walker", at = "west", orders = ["east"] },
          { name = "Bob", class = "boat", at = "west", orders = ["east"] },
        ]
    "#;
    let Staging::Waypoints(mut staged) = staged(text) else { panic!("waypoints") };
    for _ in 0..5 {
        staged.tick();
    }
    let furthest = |name: &str| {
        let id = staged.simulation.find(name).expect("it is there");
        let agent = staged.simulation.agent(id).expect("it is there");
        agent.way_ahead().map(|point| point.z).fold(0.0, f32::max)
    };
    assert_eq!((furthest("Ann"), furthest("Bob")), (6.0, 0.0));
    let wrong = text.replace("terrain = \"water\", walkable = true", "terrain = \"lava\"");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("s.toml");
    std::fs::write(&path, wrong).expect("written");
    let said = Staging::open(&path, None).expect_err("no lava").to_string();
    assert!(said.contains("no terrain 'lava'") && said.contains("known are water, mud"), "{said}");
}

//! Scenes of Tiled maps, and on them.

use glam::Vec3;
use wayfare_core::link::Crossing;
use wayfare_formats::MemoryFiles;
use wayfare_formats::heightmap::HeightmapOptions;
use wayfare_scene::{Movement, Playable, Staging, World, read_from};
use wayfare_sim::agent::AgentLimits;

#[test]
fn hexagons_have_six_neighbours() {
    let text = "<map orientation='hexagonal' staggeraxis='y' staggerindex='odd' width='3' height='3'>\
        <tileset firstgid='1'><tile id='1' class='wall'/></tileset>\
        <layer width='3' height='3'><data encoding='csv'>1,1,1,1,1,2,1,1,1</data></layer></map>";
    let files = MemoryFiles::new().with("hex.tmx", text);
    let world = Playable::open_from("hex.tmx", &files, &Movement::default()).expect("sound");
    let Playable::Waypoints(world) = world else { panic!("hexagons are waypoints") };
    assert!(world.description.contains("'wall' block"), "{}", world.description);
    let mut ends: Vec<&str> = Vec::new();
    let middle = world.ids["1,1"];
    wayfare_core::space::Space::successors(&&world.graph, middle, |edge| {
        ends.extend(world.graph.name(edge.target));
    });
    ends.sort_unstable();
    // The sixth is the wall to the right.
    assert_eq!(ends, ["0,1", "1,0", "1,2", "2,0", "2,2"]);
}

/// A scene that plays on such a map finds its places and links by their names.
#[test]
fn a_scene_uses_the_places_and_links_of_its_map() {
    let scene = "scene = { name = \"s\", world = \"house.tmx\" }
classes = [{ name = \"porter\", keys = [\"brass\"] }]
agents = [{ name = \"Ann\", at = \"well\", orders = [\"yard\"] }]
events = [{ at = 0, gate = { link = \"ring\", state = \"closed\" } }]\n";
    let map = include_str!("../../../wayfare-formats/tests/data/house.tmx");
    let files = MemoryFiles::new().with("house.tmx", map).with("s.toml", scene);
    let Staging::Grid(mut staged) = Staging::open_from("s.toml", &files, None).unwrap() else {
        panic!("a grid");
    };
    for _ in 0..200 {
        staged.tick();
    }
    let ann = staged.simulation.agents().next().unwrap();
    assert!(ann.has_arrived() && ann.position().distance(Vec3::new(5.5, 0.0, 1.5)) < 0.1);
    assert_eq!(staged.scene.nav_links.len(), 2);

    let refused = |wrong: &str, right: &str| {
        let files = files.clone().with("s.toml", scene.replace(right, wrong));
        Staging::open_from("s.toml", &files, None).unwrap_err().to_string()
    };
    let said = refused("[\"barn\"]", "[\"yard\"]");
    assert!(said.contains("s.toml:3:") && said.contains("no place or waypoint 'barn'"), "{said}");
    let said = refused("link = \"hatch\"", "link = \"ring\"");
    assert!(said.contains("s.toml:4:") && said.contains("no link 'hatch'"), "{said}");
}

/// A link of a map that names neither time nor speed is crossed as agents walk.
#[test]
fn links_are_crossed_at_the_usual_speed() {
    let map = "<map width='2' height='1' tilewidth='16' tileheight='16'><tileset firstgid='1'/>\
        <layer width='2' height='1'><data encoding='csv'>1,1</data></layer><objectgroup>\
        <object type='door' x='8' y='8'><polyline points='0,0 16,0'/></object></objectgroup></map>";
    let files = MemoryFiles::new().with("a.tmx", map);
    let world = read_from("a.tmx", &files, HeightmapOptions::default()).expect("sound");
    let World::TileMap(map) = world else { panic!("a tile map") };
    let usual = AgentLimits::default().max_speed;
    assert_eq!(map.links()[0].crossing, Crossing::Speed(usual));
}

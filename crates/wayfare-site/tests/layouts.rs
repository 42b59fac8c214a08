//! The shape of a world in numbers, its moves, and edits of its ground.

use wayfare::search::{AlgorithmId, Progress};
use wayfare_site::{
    EndpointTexts, GroundCost, Layout, NoFiles, OFF_MAP, OpenOptions, Population, SearchRequest,
    Site, SiteError, choose_ends, open, open_bytes, populate,
};

fn shipped(name: &str) -> Box<dyn Site> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds");
    open(format!("{folder}/{name}"), &OpenOptions::default()).expect("a shipped world")
}

#[test]
fn layouts_agree_with_the_names_and_places_of_states() {
    for name in ["village.tmj", "cave.map", "hills.toml"] {
        let site = shipped(name);
        let Layout::Cells(cells) = site.layout() else { panic!("{name} is a grid") };
        assert_eq!(cells.ground.len() as u64, site.about().states, "{name}");
        assert_eq!(cells.ground.len(), (cells.width * cells.height) as usize, "{name}");
        for (number, ground) in (0..).zip(&cells.ground).step_by(7) {
            let (x, y) = (number % cells.width, number / cells.width);
            let state = cells.first + y * cells.stride + x;
            let look = &cells.grounds[usize::from(*ground)];
            assert_eq!(look.name, site.ground(state), "{name}, {x}, {y}");
            if !name.ends_with("toml") {
                assert_eq!(site.place(state).to_string(), format!("{x},{y}"));
            }
        }
    }
    for name in ["village.toml", "obstacles.toml"] {
        let site = shipped(name);
        let Layout::Points(points) = site.layout() else { panic!("{name} has waypoints") };
        assert_eq!(points.places.len() as u64, site.about().states, "{name}");
        assert!(points.links.len() > points.places.len() / 2, "{name}");
        for (state, &ground) in points.ground.iter().enumerate() {
            let look = points.grounds.get(usize::from(ground));
            let named = look.map_or("open ground", |look| look.name.as_str());
            assert_eq!(named, site.ground(state as u32), "{name}, {state}");
        }
    }
    let Layout::Points(yard) = shipped("obstacles.toml").layout() else { panic!("waypoints") };
    assert!(yard.outlines.iter().any(|outline| outline.ground.is_none()));

    let site = shipped("voxel-cave.voxels");
    let Layout::Blocks(blocks) = site.layout() else { panic!("blocks") };
    assert!(!blocks.is_cut && blocks.places.len() > 500);
    let all = blocks.size.map(|side| side as usize).iter().product::<usize>();
    assert!(blocks.places.len() < all, "hidden blocks are left out");
    for (&[x, y, z], &kind) in blocks.places.iter().zip(&blocks.kind).step_by(5) {
        let state = site.find(&format!("{x},{y},{z}")).expect("a block");
        assert_eq!(blocks.kinds[usize::from(kind)].name, site.ground(state));
    }

    let site = shipped("house.obj");
    let Layout::Polygons(mesh) = site.layout() else { panic!("a mesh") };
    assert_eq!(mesh.polygons.len() as u64, site.about().states);
    let corners = mesh.polygons.iter().flatten();
    assert!(corners.copied().all(|corner| (corner as usize) < mesh.vertices.len()));
}

/// A road between two verges of mud.
fn road() -> Box<dyn Site> {
    let scene = br##"
        scene = { name = "road", map = ".....\n,,,,,\n,,,,,\n" }
        terrains = [
            { name = "road", glyph = ".", color = "#808080" },
            { name = "mud", glyph = ",", color = "#604020" },
        ]
    "##;
    open_bytes("road.toml", scene, &NoFiles, &OpenOptions::default()).expect("a scene")
}

#[test]
fn costs_of_ground_change_searches_layouts_and_scenes_alike() {
    let mut site = road();
    let ends = ["0,2", "4,2"].map(|text| site.find(text).expect("a cell"));
    let ends = wayfare_site::Endpoints { start: ends[0], goal: ends[1] };
    let request = SearchRequest::new(AlgorithmId::AStar, ends);
    let path = |site: &dyn Site| {
        let report = site.searcher().run(&request, &mut |_| ());
        let ground: Vec<String> = report.path.iter().map(|step| site.ground(step.state)).collect();
        (ground, report.cost())
    };
    assert!(path(site.as_ref()).0.iter().all(|ground| ground == "mud"));
    let mud = GroundCost { is_open: true, multiplier: 2.0, penalty: 3.0 };
    site.set_ground_cost("mud", mud).expect("a grid");
    assert!(path(site.as_ref()).0.contains(&"road".to_owned()), "the detour is cheaper");
    let Layout::Cells(cells) = site.layout() else { panic!("a grid") };
    let look = cells.grounds.iter().find(|ground| ground.name == "mud").expect("it is there");
    assert_eq!((look.is_open, look.multiplier, look.penalty), (true, 2.0, 3.0));
    let flat = site.penalties();
    assert_eq!(flat.iter().filter(|penalty| **penalty == 3.0).count(), 10);
    assert_eq!(flat.iter().filter(|penalty| **penalty == 0.0).count(), 5);
    site.set_blur(1).expect("a grid");
    assert!(site.penalties().iter().all(|penalty| *penalty > 0.0), "the verges reach the road");

    // Agents on a copy of it pay the same.
    let three = Population { count: 3, seed: 7, avoidance: wayfare::crowd::AvoidanceQuality::Off };
    let text =
        wayfare_scene::scene::write(&populate(site.as_ref(), None, None, three).expect("a grid"));
    let text = text.expect("a sound scene");
    let copy = open_bytes("copy.toml", text.as_bytes(), &NoFiles, &OpenOptions::default());
    let copy = copy.expect("the scene opens");
    assert_eq!(copy.penalties(), site.penalties());
    assert_eq!(path(copy.as_ref()).1, path(site.as_ref()).1);

    // What is refused changes nothing.
    let before = (site.penalties(), path(site.as_ref()).1);
    for multiplier in [f32::NAN, -1.0, 1e9] {
        for is_open in [true, false] {
            let refused = site.set_ground_cost("mud", GroundCost { is_open, multiplier, ..mud });
            assert!(refused.is_err(), "{multiplier}");
        }
    }
    assert!(site.set_ground_cost("lava", mud).is_err() && site.set_blur(65).is_err());
    assert_eq!((site.penalties(), path(site.as_ref()).1), before);

    // Closed ground is a wall; its costs wait for it to be opened.
    site.set_ground_cost("mud", GroundCost { is_open: false, ..mud }).expect("a grid");
    assert_eq!(site.moves_from(site.find("0,0").expect("a cell")).len(), 1);
    site.set_ground_cost("mud", mud).expect("a grid");
    assert_eq!((site.penalties(), path(site.as_ref()).1), before);

    let mut house = shipped("house.obj");
    assert!(matches!(house.set_blur(1), Err(SiteError::NotEditable)));
    assert!(matches!(house.set_ground_cost("mud", mud), Err(SiteError::NotEditable)));
}

#[test]
fn the_moves_of_a_path_are_among_the_moves_of_its_states() {
    for name in ["village.tmj", "village.toml", "voxel-village.voxels", "drawbridge.toml"] {
        let site = shipped(name);
        let ends = choose_ends(site.as_ref(), EndpointTexts::default()).expect("ends").ends;
        let report =
            site.searcher().run(&SearchRequest::new(AlgorithmId::AStar, ends), &mut |_| ());
        assert!(report.path.len() > 3, "{name}");
        for leg in report.path.windows(2) {
            let moves = site.moves_from(leg[0].state);
            let cost = leg[1].cost - leg[0].cost;
            let is_it = |step: &&wayfare_site::PathStep| {
                (step.state, step.action, step.cost) == (leg[1].state, leg[1].action, cost)
            };
            assert!(moves.iter().any(|step| is_it(&step)), "{name}: {leg:?} of {moves:?}");
        }
        assert!(site.moves_from(OFF_MAP).is_empty(), "{name}");
    }
}

#[test]
fn an_edit_is_for_searches_that_begin_after_it() {
    let map = b"S....\n.###.\n....G\n";
    let mut site = open_bytes("ring.txt", map, &NoFiles, &OpenOptions::default()).expect("a map");
    let ends = site.routes()[0].ends;
    let request = SearchRequest::new(AlgorithmId::AStar, ends);
    let mut before = site.session(&request);
    assert_eq!(before.step(1), Progress::Working);
    let [a, b] = ["2,0", "2,2"].map(|text| site.find(text).expect("a cell"));

    // All or nothing.
    let unknown = site.set_ground(&[(a, "blocked"), (b, "lava")]);
    assert!(matches!(unknown, Err(SiteError::NoGround { name }) if name == "lava"));
    assert!(site.searcher().run(&request, &mut |_| ()).is_found());

    site.set_ground(&[(a, "blocked"), (b, "blocked"), (OFF_MAP, "blocked")]).expect("a grid");
    assert!(!site.searcher().run(&request, &mut |_| ()).is_found());
    assert!(!site.session(&request).finish().is_found());
    assert!(before.finish().is_found(), "a search that began before knows nothing of it");

    let Layout::Cells(cells) = site.layout() else { panic!("a grid") };
    let look = &cells.grounds[usize::from(cells.ground[2])];
    assert_eq!((look.name.as_str(), look.is_open), ("blocked", false));

    let free = site.ground(ends.start);
    site.set_ground(&[(a, free.as_str())]).expect("a grid");
    assert!(site.searcher().run(&request, &mut |_| ()).is_found());
    let mut blocks = shipped("voxel-cave.voxels");
    assert!(matches!(blocks.set_ground(&[(0, "blocked")]), Err(SiteError::NotEditable)));
}

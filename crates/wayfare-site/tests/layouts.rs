//! The shape of a world in numbers, its moves, and edits of its ground.

use wayfare::search::{AlgorithmId, Progress};
use wayfare_site::{
    EndpointTexts, Layout, NoFiles, OFF_MAP, OpenOptions, SearchRequest, Site, SiteError,
    choose_ends, open, open_bytes,
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

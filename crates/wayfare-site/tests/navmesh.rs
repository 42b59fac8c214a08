//! Navigation meshes behind a site.

use wayfare::search::{AlgorithmId, NoPath, Progress};
use wayfare::space::{Action, Neighbours};
use wayfare_site::{
    Ending, EndpointTexts, EngineName, LevelBake, MemoryFiles, NoFiles, OpenOptions, SearchRequest,
    Site, SiteError, TraceEventKind, WalkerShape, choose_ends, explain, open_bytes, open_from,
    regions,
};

/// An L of two rectangles, and a square beside it.
const MESH: &str = "mesh\n2\n11 3\n0 0 1 0\n0 3 1 0\n1 3 2 0 1\n1 2 2 0 1\n1 0 1 0\n4 3 1 1\n4 2 1 1\n\
                    6 0 1 2\n6 1 1 2\n7 1 1 2\n7 0 1 2\n\
                    5 4 3 2 1 0 -1 -1 1 -1 -1\n4 3 6 5 2 0 -1 -1 -1\n4 10 9 8 7 -1 -1 -1 -1\n";

fn site() -> Box<dyn Site> {
    open_bytes("l.mesh", MESH.as_bytes(), &NoFiles, &OpenOptions::default()).unwrap()
}

fn request(site: &dyn Site, from: &str, to: &str) -> SearchRequest {
    let texts = EndpointTexts { from: Some(from), to: Some(to), route: None };
    SearchRequest::new(AlgorithmId::Auto, choose_ends(site, texts).unwrap().ends)
}

#[test]
fn a_path_leads_from_point_to_point() {
    let site = site();
    let request = request(site.as_ref(), "1,1", "2,2");
    let report = site.searcher().run(&request.recorded(true), &mut |_| ());
    assert_eq!((report.ending, report.fault), (Ending::Found, None));
    let places: Vec<String> =
        report.path.iter().map(|step| site.place(step.state).to_string()).collect();
    assert_eq!(places, ["1,1", "1,2", "2,2"]);
    assert_eq!((report.length, report.path[2].cost), (2.0, 2000));
    let trace = report.trace.unwrap();
    assert_eq!(trace.count(TraceEventKind::Expand), report.stats.expanded);
}

#[test]
fn a_corridor_is_another_search() {
    let site = site();
    let request = request(site.as_ref(), "1,1", "2,2");
    let corridor = SearchRequest { engine: EngineName::Corridor, ..request };
    let report = site.searcher().run(&corridor, &mut |_| ());
    assert_eq!((report.method, report.length, report.fault), ("corridor", 2.0, None));
}

#[test]
fn a_stepped_search_answers_as_a_whole_one() {
    let site = site();
    let request = request(site.as_ref(), "0.25,0.25", "3.5,2.5");
    let whole = site.searcher().run(&request.recorded(true), &mut |_| ());
    let mut session = site.session(&request);
    while session.step(1) == Progress::Working {}
    let stepped = session.finish();
    assert_eq!((stepped.path, stepped.trace), (whole.path, whole.trace));
}

#[test]
fn islands_and_points_off_the_mesh_are_explained() {
    let site = site();
    assert_eq!((regions(site.as_ref()).count, regions(site.as_ref()).total), (2, 3));
    let apart = request(site.as_ref(), "0.5,0.5", "6.5,0.5");
    let why = explain(site.as_ref(), &apart, &mut |_| ()).unwrap();
    assert!(why.reason.unwrap().contains("different islands"));
    let nearest = why.nearest.unwrap();
    assert_eq!((nearest.place.to_string().as_str(), nearest.distance_to_goal), ("4,2", 2.915476));
    let off = request(site.as_ref(), "2,0", "0.5,0.5");
    let why = explain(site.as_ref(), &off, &mut |_| ()).unwrap();
    assert!(matches!(why.report.ending, Ending::NoPath(NoPath::Start(_))));
    assert!(why.reason.unwrap().contains("the nearest point is 1,0"));
    assert_eq!(why.remedies[0].change, "from=1,0");
    let above = request(site.as_ref(), "0.5,3,0.5", "0.5,0.5");
    let reason = explain(site.as_ref(), &above, &mut |_| ()).unwrap().reason.unwrap();
    assert!(reason.contains("at the height 3; the nearest point is 0.5,0,0.5"), "{reason}");
}

#[test]
fn what_means_nothing_on_a_mesh_is_refused() {
    let wide = OpenOptions { width: Some(2), ..OpenOptions::default() };
    let error = open_bytes("l.mesh", MESH.as_bytes(), &NoFiles, &wide).err().unwrap();
    assert!(matches!(error, SiteError::MovesOnMesh { .. }), "{error}");
    assert!(matches!(site().find("north"), Err(SiteError::NoMeshPoint { .. })));
}

/// A floor of 8 × 6 m, two metres above the ground, and a ramp of 4 m that leads up to it.
fn level(turned: bool) -> String {
    let mut text = String::new();
    for [x, y, z] in [
        [0, 0, 0],
        [0, 0, 6],
        [12, 0, 6],
        [12, 0, 0],
        [12, 2, 0],
        [12, 2, 6],
        [20, 2, 6],
        [20, 2, 0],
        [8, 0, 2],
        [8, 0, 4],
        [12, 2, 4],
        [12, 2, 2],
    ] {
        text += &format!("v {x} {y} {z}\n");
    }
    for corner in [1, 5, 9] {
        let mut corners = [corner, corner + 1, corner + 2, corner + 3];
        if turned {
            corners.reverse();
        }
        text += &format!("f {} {} {} {}\n", corners[0], corners[1], corners[2], corners[3]);
    }
    text
}

#[test]
fn a_level_of_triangles_is_baked_when_it_is_opened() {
    let open = |text: String, options| open_bytes("level.obj", text.as_bytes(), &NoFiles, &options);
    let site = open(level(false), OpenOptions::default()).unwrap();
    assert_eq!(site.about().kind, "navigation mesh");
    assert!(site.about().remarks[0].contains("0.8 m wide"), "{:?}", site.about().remarks);
    let request = request(site.as_ref(), "2,0,5", "18,2,5");
    let report = site.searcher().run(&request, &mut |_| ());
    assert_eq!((report.ending, report.fault), (Ending::Found, None));
    // Straight, it would be 16 m; it leads to the ramp, which lies in the middle, and back.
    assert!((16.2..17.5).contains(&report.length), "{}", report.length);

    let four = OpenOptions { neighbours: Some(Neighbours::Four), ..OpenOptions::default() };
    assert_eq!(open(level(false), four).unwrap().about().kind, "sampled scene");
    let jumps = OpenOptions { jump_height: Some(2), ..OpenOptions::default() };
    assert!(matches!(open(level(false), jumps), Err(SiteError::MovesOnMesh { .. })));
    let ceiling = open(level(true), OpenOptions::default()).err().unwrap().to_string();
    assert!(ceiling.contains("--flip"), "{ceiling}");
}

/// Two floors with a gap of a metre between them, the second one lower.
fn ditch() -> String {
    let mut text = String::new();
    for (x, y) in [(0, 0), (7, -1)] {
        for (dx, z) in [(0, 0), (0, 6), (6, 6), (6, 0)] {
            text += &format!("v {} {y} {z}\n", x + dx);
        }
    }
    text + "f 1 2 3 4\nf 5 6 7 8\n"
}

#[test]
fn found_links_lead_over_a_ditch_and_not_back() {
    let text = "scene = { name = \"ditch\", world = \"ditch.obj\" }\n\
                navmesh = { leap = 3, drop = 2, link_spacing = 1 }\n";
    let files = MemoryFiles::new().with("ditch.obj", ditch()).with("ditch.toml", text);
    let site = open_from("ditch.toml", &files, &OpenOptions::default()).unwrap();
    let over = request(site.as_ref(), "1,0,3", "12,-1,3");
    let report = site.searcher().run(&over, &mut |_| ());
    assert_eq!((report.ending, &report.fault), (Ending::Found, &None));
    let links = site.links(&report.path);
    assert!(links.len() == 1 && links[0].starts_with("jump '#"), "{links:?}");
    let back = request(site.as_ref(), "12,-1,3", "1,0,3");
    let report = site.searcher().run(&back, &mut |_| ());
    assert!(matches!(report.ending, Ending::NoPath(_)), "{:?}", report.ending);

    // A bake for other bodies finds links anew: these stand too far from the edges.
    let wide = WalkerShape { radius: 0.9, ..WalkerShape::default() };
    let other = site.level().unwrap().baked(LevelBake { walker: wide, cell_size: None }).unwrap();
    let report = other.searcher().run(&request(&other, "1.5,0,3", "12,-1,3"), &mut |_| ());
    assert!(matches!(report.ending, Ending::NoPath(_)), "{:?}", report.ending);

    let files = files.with("plain.toml", text.replace("leap = 3, ", ""));
    let site = open_from("plain.toml", &files, &OpenOptions::default()).unwrap();
    let report = site.searcher().run(&request(site.as_ref(), "1,0,3", "12,-1,3"), &mut |_| ());
    assert!(matches!(report.ending, Ending::NoPath(_)), "{:?}", report.ending);
}

/// The L and the square of [`MESH`], joined by a locked door.
fn scene() -> Box<dyn Site> {
    let scene = "scene = { name = \"l\", world = \"l.mesh\" }\n\
                 classes = [{ name = \"guest\" }, { name = \"guard\", keys = [\"brass\"] }]\n\
                 [[nav_links]]\nname = \"gate\"\nkind = \"door\"\nfrom = [3.5, 0, 2.5]\n\
                 to = [6.5, 0, 0.5]\nseconds = 2\ngate = \"locked\"\nkey = \"brass\"\n";
    let files = MemoryFiles::new().with("l.mesh", MESH).with("l.toml", scene);
    open_from("l.toml", &files, &OpenOptions::default()).unwrap()
}

#[test]
fn a_locked_door_is_named_and_the_key_opens_it() {
    let mut site = scene();
    let request = request(site.as_ref(), "0.5,0.5", "6.5,0.75");
    let shut = site.searcher().run(&request, &mut |_| ());
    let Ending::NoPath(reason @ NoPath::DifferentIslands { .. }) = shut.ending else {
        panic!("{:?}", shut.ending)
    };
    let said = site.reason(reason, request.ends);
    assert_eq!(said, "door 'gate' is locked; key 'brass' opens it");
    let opened = site.opened_paths(&request, &mut |_| ()).unwrap();
    assert_eq!(opened.len(), 1);
    assert_eq!(opened[0].sentence, "if it holds the key 'brass' (--keys brass)");

    site.hold(&["brass".to_owned()]).unwrap();
    let found = site.searcher().run(&request.recorded(true), &mut |_| ());
    assert_eq!((found.ending, &found.fault), (Ending::Found, &None));
    assert_eq!(found.path, opened[0].path);
    assert_eq!(site.links(&found.path), ["door 'gate'"]);
    let places: Vec<String> =
        found.path.iter().map(|step| site.place(step.state).to_string()).collect();
    assert_eq!(places, ["0.5,0.5", "1,2", "3.5,2.5", "6.5,0.5", "6.5,0.75"]);
    let actions: Vec<bool> =
        found.path.iter().map(|step| matches!(step.action, Action::Link(0))).collect();
    assert_eq!(actions, [false, false, false, true, false]);
    // Two seconds count as two metres: there are no agents to say how fast they are.
    let cost = |step: usize| found.path[step].cost;
    assert_eq!((cost(3) - cost(2), cost(4) - cost(3)), (2000, 250));
    assert!((found.length * 1000.0 - (cost(4) - 2000) as f64).abs() < 3.0);

    let mut session = site.session(&request);
    while session.step(1) == Progress::Working {}
    let stepped = session.finish();
    assert_eq!((stepped.path, stepped.trace), (found.path, found.trace));
}

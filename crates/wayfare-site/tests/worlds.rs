//! Every shipped world, as a front end sees it.

use std::path::{Path, PathBuf};

use wayfare::glam::Vec3;
use wayfare::navigate::{Coverage, Policy, Refusal};
use wayfare::search::{AlgorithmId, Progress};
use wayfare::simulation::Event;
use wayfare::space::voxel::Abilities;
use wayfare_site::{
    Clock, Ending, EndpointTexts, Endpoints, EngineName, MemoryFiles, NoFiles, OpenOptions,
    Preparation, SearchRequest, Searcher, SiteError, TraceEventKind, choose_ends, explain, open,
    open_bytes, open_from, open_simulation, open_simulation_from,
};

#[path = "../examples/front_end.rs"]
#[expect(dead_code, reason = "the example's main function")]
mod front_end;

/// The files in `worlds/` except its README, in order of their names.
fn shipped() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension != "md"));
    files.sort();
    assert!(files.len() >= 16, "worlds are missing: {files:?}");
    files
}

fn is_queries(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "scen")
}

#[test]
fn the_front_end_opens_every_shipped_world() {
    assert!(include_str!("../examples/front_end.rs").lines().count() < 100);
    let mut kinds = Vec::new();
    for file in shipped() {
        let mut out = Vec::new();
        let shown = front_end::show(&file, &mut out);
        let text = String::from_utf8(out).expect("text");
        if is_queries(&file) {
            assert!(shown.expect_err("queries are no world").to_string().contains("bench"));
            continue;
        }
        shown.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let (_, kind) = text.split_once(": ").expect("the name of the world, and its kind");
        kinds.push(kind.split_once(" of ").expect("the number of its states").0.to_owned());
        // A search between islands ends before it begins.
        let parts = match text.contains("found: ") {
            true => ["Generate ", "moves, cost "],
            false => ["from ", "no path: "],
        };
        for part in parts {
            assert!(text.contains(part), "{}: {text}", file.display());
        }
    }
    kinds.sort_unstable();
    kinds.dedup();
    let every = ["navigation mesh", "sampled scene", "tile map", "voxel world", "waypoint scene"];
    assert_eq!(kinds, every);
}

#[test]
fn a_world_in_memory_is_the_world_on_disk() {
    let files = shipped();
    let memory = files.iter().fold(MemoryFiles::new(), |memory, file| {
        let name = file.file_name().expect("a name");
        memory.with(name, std::fs::read(file).expect("it can be read"))
    });
    let options = OpenOptions::default();
    for file in files.iter().filter(|file| !is_queries(file)) {
        let name = file.file_name().expect("a name");
        let on_disk = open(file, &options).expect("it opens");
        let in_memory = open_from(name, &memory, &options).expect("it opens");
        let [disk, memory] = [on_disk, in_memory].map(|site| {
            let ends = choose_ends(site.as_ref(), EndpointTexts::default()).expect("ends").ends;
            let request = SearchRequest::new(AlgorithmId::Auto, ends);
            site.searcher().run(&request, &mut |_expanded| ())
        });
        assert_eq!((disk.path, disk.stats), (memory.path, memory.stats), "{}", file.display());
    }
    let guards = ["guards.toml", "errands.toml", "drawbridge.toml", "voxel-errands.toml"];
    for name in guards {
        let file = files.iter().find(|file| file.ends_with(name)).expect("it is shipped");
        let on_disk = open_simulation(file, None).expect("it opens");
        let in_memory = open_simulation_from(name, &memory, None).expect("it opens");
        let [disk, memory] = [on_disk, in_memory].map(|mut simulation| {
            for _ in 0..20 {
                simulation.tick();
                simulation.audit().expect("no fault");
            }
            simulation.hash()
        });
        assert_eq!(disk, memory, "{name}");
    }
}

/// Watched or not, stepped or whole, with small costs or wide ones: a search does the same.
#[test]
fn watching_a_search_changes_nothing() {
    for file in shipped().iter().filter(|file| !is_queries(file)) {
        let site = open(file, &OpenOptions::default()).expect("it opens");
        let ends = choose_ends(site.as_ref(), EndpointTexts::default()).expect("ends").ends;
        for algorithm in [AlgorithmId::AStar, AlgorithmId::Jps, AlgorithmId::LazyThetaStar] {
            let request = SearchRequest::new(algorithm, ends);
            let plain = site.searcher().run(&request, &mut |_expanded| ());
            let recorded = site.searcher().run(&request.recorded(true), &mut |_expanded| ());
            let mut session = site.session(&request);
            while session.step(7) == Progress::Working {}
            let stepped = session.finish();
            let what = format!("{algorithm} on {}", file.display());
            assert!(plain.fault.is_none(), "{what}: {:?}", plain.fault);
            assert_eq!(plain.trace, None, "{what}");
            for other in [&recorded, &stepped] {
                assert_eq!(plain.path, other.path, "{what}");
                assert_eq!(plain.stats, other.stats, "{what}");
                assert_eq!(plain.ending, other.ending, "{what}");
            }
            assert_eq!(recorded.trace, stepped.trace, "{what}");
            let trace = recorded.trace.expect("it is short");
            assert_eq!(trace.count(TraceEventKind::Expand), plain.stats.expanded, "{what}");
        }
    }
}

#[test]
fn free_states_are_counted_as_they_are_visited() {
    for file in shipped().iter().filter(|file| !is_queries(file)) {
        for (width, height, abilities) in [
            (1, 1, Abilities::default()),
            (2, 3, Abilities::default()),
            (1, 2, Abilities { fly: true, ..Abilities::NONE }),
        ] {
            let options = OpenOptions {
                width: Some(width),
                height: Some(height),
                abilities: Some(abilities),
                ..OpenOptions::default()
            };
            let Ok(site) = open(file, &options) else { continue };
            let Some(counted) = site.count_free() else { continue };
            let mut visited = 0;
            site.for_each_free(&mut |_| visited += 1);
            assert_eq!(counted, visited, "{}", file.display());
        }
    }
}

/// Prepared engines answer as a search does, follow edits or are not asked any more.
#[test]
fn prepared_engines_answer_as_searches_do_through_edits() {
    let map = b"S.......\n.######.\n.#....#.\n.#.##.#.\n...#...G\n";
    let site = wayfare_site::open_bytes("yard.txt", map, &NoFiles, &OpenOptions::default())
        .expect("it opens");
    let ends = site.routes()[0].ends;
    for (engine, _) in EngineName::PREPARED {
        let mut searcher = site.searcher();
        let prepare = |searcher: &mut dyn Searcher| {
            let preparation = Preparation::usual(engine, ends).expect("it is no search");
            searcher.prepare(preparation, Clock::NONE).expect("it suits grids")
        };
        assert_eq!(prepare(searcher.as_mut()).engine, engine);
        let request = SearchRequest::new(engine, ends);
        let exact = SearchRequest::new(AlgorithmId::Dijkstra, ends);
        let report = searcher.run(&request, &mut |_| ());
        assert_eq!((report.method, report.refused, &report.fault), (engine.name(), None, &None));
        assert_eq!(report.cost(), searcher.run(&exact, &mut |_| ()).cost(), "{engine}");

        searcher.set_ground(site.find("6,0").expect("a cell"), "blocked").expect("a ground");
        let after = searcher.run(&request, &mut |_| ());
        let best = searcher.run(&exact, &mut |_| ());
        assert!(best.cost() > report.cost(), "the way was barred");
        assert!(after.is_found() && after.cost() >= best.cost() && after.fault.is_none());
        if matches!(engine, EngineName::Hierarchy | EngineName::Index) {
            assert_eq!(after.method, engine.name(), "it follows edits");
        } else {
            assert_eq!((after.method, after.refused), ("jps", Some(Refusal::Stale)), "{engine}");
            assert_eq!(after.cost(), best.cost());
            prepare(searcher.as_mut());
            let again = searcher.run(&request, &mut |_| ());
            assert_eq!((again.method, again.cost()), (engine.name(), best.cost()));
        }
        // The site, and searchers made of it, know nothing of the edit.
        assert_eq!(site.searcher().run(&exact, &mut |_| ()).cost(), report.cost());
    }
}

/// A hierarchy that is prepared answers `auto` where the first leg is enough.
#[test]
fn auto_asks_the_first_prepared_engine_that_suits() {
    let file = shipped().into_iter().find(|file| file.ends_with("city.map")).expect("shipped");
    let site = open(file, &OpenOptions::default()).expect("it opens");
    let ends = choose_ends(site.as_ref(), EndpointTexts::default()).expect("ends").ends;
    let mut searcher = site.searcher();
    for engine in [EngineName::Landmarks, EngineName::Hierarchy, EngineName::Field] {
        let preparation = Preparation::usual(engine, ends).expect("it is no search");
        searcher.prepare(preparation, Clock::NONE).expect("it suits grids");
    }
    let request = SearchRequest::new(AlgorithmId::Auto, ends);
    assert_eq!(searcher.run(&request, &mut |_| ()).method, "field");
    let other = SearchRequest { ends: Endpoints { start: ends.goal, goal: ends.start }, ..request };
    // What costs its length is searched faster by jumps than by landmarks.
    assert_eq!(searcher.run(&other, &mut |_| ()).method, "jps");
    let by_name = SearchRequest { engine: EngineName::Landmarks, ..other };
    let led = searcher.run(&by_name.recorded(true), &mut |_| ());
    assert_eq!(led.method, "landmarks");
    let trace = led.trace.expect("it is short");
    assert_eq!(trace.count(TraceEventKind::Expand), led.stats.expanded);
    let leg = SearchRequest { policy: Policy::FirstLeg, ..other };
    let leg = searcher.run(&leg, &mut |_| ());
    assert_eq!((leg.method, leg.took.coverage), ("hierarchy", Coverage::FirstLeg));
    assert!(leg.fault.is_none() && leg.path.len() < led.path.len());
    // A search that was named is asked, whatever is prepared.
    let named = SearchRequest::new(AlgorithmId::AStar, ends);
    assert_eq!(searcher.run(&named, &mut |_| ()).method, "astar");
}

#[test]
fn auto_is_led_by_landmarks_where_ground_costs_differ() {
    let map = "S...44...\n..4444...\n...44...G\n";
    let site = open_bytes("swamp.txt", map.as_bytes(), &NoFiles, &OpenOptions::default());
    let site = site.expect("a sound map");
    let ends = site.routes()[0].ends;
    let mut searcher = site.searcher();
    let preparation = Preparation::usual(EngineName::Landmarks, ends).expect("it is no search");
    searcher.prepare(preparation, Clock::NONE).expect("it suits grids");
    let request = SearchRequest::new(AlgorithmId::Auto, ends);
    assert_eq!(searcher.run(&request, &mut |_| ()).method, "landmarks");
}

#[test]
fn a_missing_file_is_named() {
    let scene = br#"scene = { name = "walk", world = "yard.txt" }"#;
    let opened = wayfare_site::open_bytes("walk.toml", scene, &NoFiles, &OpenOptions::default());
    let Err(SiteError::World(error)) = opened else { panic!("it has no world") };
    assert_eq!(error.path(), Some(Path::new("yard.txt")));
}

/// The picture of a route over sectors counted the search over sectors, and the text all of it.
#[cfg(feature = "pictures")]
#[test]
fn pictures_and_reports_of_routes_over_sectors_count_alike() {
    use wayfare_draw::{SearchView, Theme};
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds/city.map");
    let site = open(&file, &OpenOptions::default()).unwrap();
    let ends = choose_ends(site.as_ref(), EndpointTexts::default()).unwrap().ends;
    let mut searcher = site.searcher();
    searcher
        .prepare(Preparation::usual(EngineName::Hierarchy, ends).unwrap(), Clock::NONE)
        .unwrap();
    let request = SearchRequest::new(EngineName::Hierarchy, ends).recorded(true);
    let report = searcher.run(&request, &mut |_| ());
    let trace = report.trace.expect("it is recorded");
    assert!(trace.count(TraceEventKind::Expand) < report.stats.expanded, "legs were refined");
    let scenery = site.scenery(&Theme::DARK, &wayfare_site::View::default()).unwrap();
    let mut view = SearchView::new(scenery.as_ref(), &trace);
    view.advance_to_end();
    let counters = view.counters();
    assert_eq!(counters.expanded as u64, report.stats.expanded);
    assert_eq!(counters.generated as u64, report.stats.generated);
}

/// A tunnel leads under the first wall, and nothing through the second.
const TUNNEL: &str = r#"
scene = { name = "A tunnel and a wall", map = """
..##.#..
..##.#..
""" }
[[nav_links]]
name = "tunnel"
from = [1, 0]
to = [4, 0]
seconds = 1
"#;

#[test]
fn a_path_that_a_wall_keeps_shut_may_lead_through_links() {
    let site = open_bytes("tunnel.toml", TUNNEL.as_bytes(), &NoFiles, &OpenOptions::default());
    let site = site.expect("a sound scene");
    let ends = Endpoints {
        start: site.find("0,0").expect("a cell"),
        goal: site.find("7,0").expect("a cell"),
    };
    let request = SearchRequest::new(AlgorithmId::AStar, ends);
    let why = explain(site.as_ref(), &request, &mut |_| ()).expect("nothing is to be built");
    let wall = why.remedies.iter().find(|remedy| remedy.change == "enter=blocked");
    let crossing = wall.and_then(|wall| wall.crossing.as_ref()).expect("a way through the wall");
    // Under the first wall, whose two cells would count too, and through one cell of the second.
    assert_eq!((crossing.places, &*crossing.first.to_string()), (1, "5.5,0.5"));
}

#[test]
fn limits_on_generated_and_open_states_are_named_with_a_number_that_is_enough() {
    let map = "..........\n".repeat(10);
    let site = open_bytes("field.txt", map.as_bytes(), &NoFiles, &OpenOptions::default());
    let site = site.expect("a sound map");
    let ends = Endpoints {
        start: site.find("0,0").expect("a cell"),
        goal: site.find("9,4").expect("a cell"),
    };
    let free = SearchRequest::new(AlgorithmId::AStar, ends);
    for (limited, option) in [
        (SearchRequest { max_generated: Some(5), ..free }, "max-generated="),
        (SearchRequest { max_open: Some(3), ..free }, "max-open="),
    ] {
        let why = explain(site.as_ref(), &limited, &mut |_| ()).expect("nothing is to be built");
        let [remedy] = &why.remedies[..] else { panic!("{:?}", why.remedies) };
        let number = remedy.change.strip_prefix(option).expect("the option by its name");
        let enough = number.parse().expect("a number");
        let raised = match option {
            "max-open=" => SearchRequest { max_open: Some(enough), ..free },
            _ => SearchRequest { max_generated: Some(enough), ..free },
        };
        assert!(site.searcher().run(&raised, &mut |_| ()).is_found(), "{}", remedy.change);
    }
}

/// Objects of a Tiled map are places and doors of a search, without any scene.
#[test]
fn objects_of_a_map_are_places_and_links() {
    let map = br#"<map width="5" height="2" tilewidth="16" tileheight="16">
<tileset firstgid="1"><tile id="1"><properties><property name="walkable" value="false"/></properties></tile></tileset>
<layer width="5" height="2"><data encoding="csv">1,1,2,1,1,1,1,2,1,1</data></layer>
<objectgroup>
 <object id="1" name="well" x="8" y="24"><point/></object>
 <object id="2" name="barn" x="72" y="8"><point/></object>
 <object id="3" name="side door" type="door" x="24" y="8"><properties><property name="key" value="brass"/></properties><polyline points="0,0 32,0"/></object>
</objectgroup></map>"#;
    let open = || open_bytes("farm.tmx", map, &NoFiles, &OpenOptions::default()).expect("a map");
    let mut farm = open();
    let ends = |site: &dyn wayfare_site::Site| Endpoints {
        start: site.find("well").expect("it is there"),
        goal: site.find("barn").expect("it is there"),
    };
    let request = SearchRequest::new(AlgorithmId::Auto, ends(&*farm));
    let answer = farm.searcher().run(&request, &mut |_| ());
    let Ending::NoPath(reason) = answer.ending else { panic!("it is locked: {:?}", answer.ending) };
    let reason = farm.reason(reason, ends(&*farm));
    assert_eq!(reason, "door 'side door' is locked; key 'brass' opens it");
    farm.hold(&["brass".to_owned()]).expect("there is such a key");
    assert!(farm.searcher().run(&request, &mut |_| ()).is_found());
    let said = farm.find("mill").expect_err("there is none").to_string();
    assert_eq!(said, "the world has no place 'mill'; it names well, barn");
    // Too wide for the ends of the door: it is left out, and the map opens.
    let wide = OpenOptions { width: Some(2), ..OpenOptions::default() };
    let wide = open_bytes("farm.tmx", map, &NoFiles, &wide).expect("a map");
    assert!(wide.about().remarks.join(" ").contains("'side door' is left out"));
}

/// Numbers that no state has, at either end: front ends may hold stale ones.
#[test]
fn stale_numbers_of_states_are_answered_and_explained() {
    for file in shipped().into_iter().filter(|file| !is_queries(file)) {
        let site = open(&file, &OpenOptions::default()).expect("it opens");
        let first = site.about().states;
        let mut sound = None;
        site.for_each_free(&mut |free| {
            sound.get_or_insert(free.state);
        });
        let sound = sound.expect("there is a free state");
        let beyond = u32::try_from(first).unwrap_or(u32::MAX - 2);
        for stale in [beyond, beyond.saturating_mul(2), 1 << 30, u32::MAX - 1, u32::MAX] {
            for ends in [(sound, stale), (stale, sound), (stale, stale)] {
                let ends = Endpoints { start: ends.0, goal: ends.1 };
                // A number beyond the free states may be a place: a vertex of a mesh, a border.
                let request = SearchRequest::new(AlgorithmId::AStar, ends).recorded(true);
                let request = SearchRequest { max_expansions: Some(2000), ..request };
                let name = format!("{}, {ends:?}", file.display());
                let why = explain(site.as_ref(), &request, &mut |_| ());
                assert!(why.is_ok(), "{name}: {why:?}");
                let report = site.session(&request).finish();
                assert_eq!(report.fault, None, "{name}");
                assert!(site.position(stale).is_finite(), "{name}");
                let _ = (site.place(stale), site.ground(stale), site.nearest_free(stale));
                let _ = site.moves_from(stale);
            }
        }
    }
}

/// Walkers on footpaths who avoid each other are in each other in at most a hundredth of the time.
/// Those who begin at one waypoint count from when they were apart.
#[test]
fn walkers_on_footpaths_hardly_touch() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds/footpaths.toml");
    let mut walk = open_simulation(path, None).expect("it is shipped");
    let least = 0.99 * 2.0 * walk.limits(0).expect("the first walker").radius;
    let (mut samples, mut touching, mut passages) = (0, 0, 0);
    let mut apart = std::collections::BTreeSet::new();
    for _ in 0..walk.ticks() {
        let events = &walk.tick().events;
        passages += events.iter().filter(|one| matches!(one, Event::PassedThrough(..))).count();
        let mut places = Vec::new();
        walk.for_each_agent(&mut |agent| places.push(Vec3::from(agent.position)));
        samples += places.len();
        let mut is_near = vec![false; places.len()];
        for (one, a) in places.iter().enumerate() {
            for (other, b) in places.iter().enumerate().skip(one + 1) {
                if a.distance(*b) >= least {
                    apart.insert([one, other]);
                } else if apart.contains(&[one, other]) {
                    (is_near[one], is_near[other]) = (true, true);
                }
            }
        }
        touching += is_near.into_iter().filter(|near| *near).count();
    }
    assert!(samples > 20_000 && touching * 100 <= samples, "{touching} of {samples}");
    assert!(passages <= 12, "{passages}");
}

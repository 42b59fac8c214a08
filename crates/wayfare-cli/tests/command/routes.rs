//! Routes, engines, and what is told of a world: `solve`, `compare`, `info`, `convert`, `demo`.

use crate::support::{Folder, wayfare, without_times, world};

#[test]
fn solve_finds_a_route_in_every_tile_map() {
    for name in ["village.tmj", "cave.map", "city.map", "maze.txt"] {
        let solved = wayfare(&format!("solve {} --format json", world(name))).ends(0).json();
        assert_eq!(solved["outcome"], "found", "{name}");
        assert!(solved["cost"].as_f64().unwrap() > 0.0 && solved["length"].as_f64().unwrap() > 0.0);
        let path = solved["path"].as_array().unwrap();
        assert_eq!((&path[0], &path[path.len() - 1]), (&solved["from"], &solved["to"]), "{name}");
        for key in ["expanded", "generated", "reopened", "heap_peak", "scratch_bytes", "time_us"] {
            assert!(solved[key].is_number(), "{key}");
        }
    }
}

#[test]
fn output_is_the_same_on_every_run() {
    for command in ["solve", "compare", "why", "info"] {
        let line = format!("{command} {} --format json", world("village.tmj"));
        let [one, two] = [(); 2].map(|()| without_times(wayfare(&line).ends(0).json()));
        assert_eq!(one, two, "{command}");
    }
}

#[test]
fn the_way_of_moving_counts() {
    let cost = |extra: &str| {
        let line = format!("solve {} --format json {extra}", world("city.map"));
        wayfare(&line).ends(0).json()["cost"].as_f64().unwrap()
    };
    let plain = cost("");
    assert!(cost("--neighbours 4") > plain);
    assert!(cost("--corners always") <= plain);
    assert!(cost("--algorithm dijkstra") == plain);
    assert!(cost("--algorithm weighted-astar --weight 3") <= plain * 3.0);
    assert!(cost("--algorithm greedy") >= plain);
}

#[test]
fn limits_end_a_search() {
    let line = format!("solve {} --max-expansions 10 --format json", world("cave.map"));
    let solved = wayfare(&line).ends(1).json();
    assert_eq!((&solved["outcome"], &solved["expanded"]), (&"limit".into(), &10.into()));
    let why = wayfare(&format!("why {} --max-cost 20 --format json", world("maze.txt"))).ends(1);
    let change = why.json()["remedies"][0]["change"].as_str().unwrap().to_owned();
    assert!(change.starts_with("max-cost="), "{change}");
}

#[test]
fn a_route_over_sectors_says_what_it_promises_and_loses() {
    let city = world("city.map");
    let solved = |extra: &str| {
        let solved = wayfare(&format!("solve {city} --format json {extra}")).ends(0).json();
        let path = solved["path"].as_array().unwrap();
        assert_eq!((&path[0], &path[path.len() - 1]), (&solved["from"], &solved["to"]), "{extra}");
        solved
    };
    let number = |document: &serde_json::Value, key: &str| document[key].as_f64().unwrap();
    let best = number(&solved(""), "cost");
    for extra in [
        "--hierarchy",
        "--hierarchy --sector-side 64 --lookahead 0",
        "--hierarchy --neighbours 4",
        "--hierarchy --width 2 --corners always",
    ] {
        let solved = solved(extra);
        let route = &solved["hierarchy"];
        let [cost, promised, optimal] =
            ["route_cost", "promised_cost", "optimal_cost"].map(|key| number(route, key));
        assert_eq!(
            (&solved["algorithm"], &solved["guarantee"]),
            (&"hierarchy".into(), &"bounded".into())
        );
        assert!(optimal <= cost && cost <= promised, "{extra}: {optimal} {cost} {promised}");
        assert!((number(route, "loss") - (cost / optimal - 1.0)).abs() < 1e-5, "{extra}");
        assert_eq!(number(&solved, "cost"), cost, "{extra}");
        assert!(number(route, "first_leg_moves") > 0.0 && number(route, "legs") > 1.0, "{extra}");
        assert!(number(&solved, "expanded") > 0.0 && route["exact_us"].is_null());
    }
    let exact = solved("--hierarchy --exact");
    assert_eq!((number(&exact, "cost"), &exact["guarantee"]), (best, &"optimal".into()));
    assert!(exact["hierarchy"]["exact_us"].is_number());

    let folder = Folder::new();
    let picture = folder.path("route.png");
    let line = format!("solve {city} --hierarchy --exact -o {}", picture.display());
    let text = wayfare(&line).ends(0).stdout;
    for part in ["promised", "loss", "first leg", "whole route", "refined", "256 of 32 × 32 cells"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(std::fs::read(picture).unwrap().starts_with(b"\x89PNG"));

    let none = wayfare(&format!("solve {} --hierarchy --format json", world("two-islands.txt")));
    assert!(none.ends(1).json()["reason"].as_str().unwrap().contains("different islands"));
}

#[test]
fn a_hierarchy_is_for_grids_and_stands_for_itself() {
    let (city, village, blocks) =
        (world("city.map"), world("village.toml"), world("voxel-village.voxels"));
    for (line, why) in [
        (format!("solve {village} --hierarchy"), "is a waypoint scene: --hierarchy is for grids"),
        (format!("solve {blocks} --hierarchy"), "is a voxel world: --hierarchy is for grids"),
        (format!("solve {blocks} --algorithm index"), "is a voxel world: --index is for grids"),
        (format!("solve {city} --hierarchy --algorithm astar"), "cannot be used with"),
        (format!("solve {city} --hierarchy --max-cost 9"), "cannot be used with"),
        (format!("solve {city} --exact"), "--hierarchy"),
        (format!("solve {city} --lookahead 3"), "--hierarchy"),
        (format!("solve {city} --hierarchy --sector-side 7"), "from 8 to 128"),
    ] {
        let ran = wayfare(&line).ends(2);
        assert!(ran.stderr.contains(why), "{line}: {}", ran.stderr);
    }
}

#[test]
fn any_engine_answers_by_name_and_says_why() {
    let solved = |name: &str, engine: &str, code: i32| {
        let line = format!("solve {} --algorithm {engine} --format json", world(name));
        wayfare(&line).ends(code).json()
    };
    for name in ["maze.txt", "village.tmj", "village.toml", "voxel-village.voxels"] {
        let best = solved(name, "dijkstra", 0)["cost"].clone();
        for engine in ["landmarks", "field", "index"] {
            if engine == "index" && name != "maze.txt" {
                continue; // for grids of one cost
            }
            let answer = solved(name, engine, 0);
            assert_eq!((&answer["cost"], &answer["algorithm"]), (&best, &engine.into()), "{name}");
            assert_eq!(answer["took"]["engine"], engine, "{name}");
            assert!(answer["chosen_because"].is_string() && answer["guarantee"] == "optimal");
        }
    }
    let hierarchy = solved("city.map", "hierarchy", 0);
    assert_eq!(hierarchy["took"]["engine"], "hierarchy");
    assert!(hierarchy["hierarchy"]["legs"].as_u64().unwrap() > 1);
    // The ends alone show that there is no path: no engine is asked.
    assert_eq!(solved("two-islands.txt", "field", 1)["took"]["engine"], "preflight");

    let line = format!("solve {} --algorithm index --max-cost 9999", world("maze.txt"));
    let ran = wayfare(&line).ends(0);
    let why = "jps answered, not the index: it does not keep the query's limits";
    assert!(ran.stderr.contains(why), "{}", ran.stderr);

    let line = format!("compare {} --algorithms auto,index,hierarchy,landmarks", world("maze.txt"));
    let ran = wayfare(&line).ends(0).stdout;
    for part in ["jps: what moves cost here", "index: the space is as it was", "landmarks: lower"] {
        assert!(ran.contains(part), "{part}: {ran}");
    }
}

#[test]
fn refined_paths_are_not_longer_but_for_curves() {
    let solved = |how: &str| {
        let line = format!("solve {} --smooth {how} --format json", world("city.map"));
        wayfare(&line).ends(0).json()
    };
    assert!(solved("none")["refined"].is_null());
    for how in ["simplify", "shorten", "round", "catmull-rom"] {
        let solved = solved(how);
        let (length, refined) =
            (solved["length"].as_f64().unwrap(), solved["refined"]["length"].as_f64().unwrap());
        assert!(how == "catmull-rom" || refined <= length * 1.001, "{how}: {refined} of {length}");
        assert!(solved["refined"]["points"].as_array().unwrap().len() > 1);
    }
}

#[test]
fn penalties_are_drawn_as_heat_when_asked_for() {
    let folder = Folder::new();
    let drawn = |name: &str, extra: &str| {
        let file = folder.name(name);
        wayfare(&format!("solve {} {extra} -o {file}", world("hills.toml"))).ends(0);
        std::fs::read_to_string(&file).unwrap()
    };
    let (plain, heat) = (drawn("plain.svg", ""), drawn("heat.svg", "--heat"));
    assert!(
        !plain.contains(">penalty<") && heat.contains(">penalty<"),
        "the legend names the heat"
    );
}

#[test]
fn compare_shows_ratios_and_the_worth_of_the_heap() {
    let line =
        format!("compare {} --algorithms astar,greedy,dijkstra --repeat 1", world("cave.map"));
    let compared = wayfare(&format!("{line} --format json")).ends(0).json();
    let ratios: Vec<f64> = compared["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|result| result["ratio"].as_f64().unwrap())
        .collect();
    assert!(ratios[0] == 1.0 && ratios[1] > 1.0 && ratios[2] == 1.0, "{ratios:?}");
    let lesson = wayfare(&format!("compare {} --list-vs-heap --repeat 1", world("village.tmj")));
    let lesson = lesson.ends(0).stdout;
    assert!(lesson.contains("astar-list") && lesson.contains("heap"), "{lesson}");
}

#[test]
fn pictures_are_what_their_names_say() {
    let folder = Folder::new();
    let (png, svg, gif) = (folder.name("a.png"), folder.name("a.svg"), folder.name("a.gif"));
    wayfare(&format!("solve {} -o {png} -o {svg} -o {gif}", world("village.tmj"))).ends(0);
    let begins = |file: &str, with: &[u8]| std::fs::read(file).unwrap().starts_with(with);
    assert!(begins(&png, b"\x89PNG") && begins(&svg, b"<") && begins(&gif, b"GIF89a"));
    let both = folder.name("both.png");
    wayfare(&format!("compare {} --repeat 1 -o {both}", world("maze.txt"))).ends(0);
    assert!(begins(&both, b"\x89PNG"));
}

#[test]
fn info_counts_terrains_and_regions() {
    let info = wayfare(&format!("info {} --format json", world("two-islands.txt"))).ends(0).json();
    assert_eq!(info["space"]["regions"], 2);
    assert_eq!(info["tiles"]["width"], 24);
    let tiles: u64 = info["tiles"]["terrains"]
        .as_array()
        .unwrap()
        .iter()
        .map(|terrain| terrain["tiles"].as_u64().unwrap())
        .sum();
    assert_eq!(tiles, 24 * 11);
    assert!(wayfare(&format!("info {}", world("city.map"))).ends(0).stdout.contains("512 × 512"));
}

#[test]
fn convert_goes_there_and_back() {
    let folder = Folder::new();
    let (map, back) = (folder.name("maze.tmj"), folder.name("maze.txt"));
    wayfare(&format!("convert {} {map}", world("maze.txt"))).ends(0);
    wayfare(&format!("convert {map} {back}")).ends(0);
    let cost = |file: &str| {
        let line = format!("solve {file} --from 1,1 --to 29,13 --format json");
        wayfare(&line).ends(0).json()["cost"].as_f64().unwrap()
    };
    assert_eq!(cost(&back), cost(&world("maze.txt")));

    let wrong = wayfare(&format!("convert {} {}", world("village.tmj"), folder.name("v.map")));
    assert!(wrong.ends(2).stderr.contains("v.map"));
    let wrong = wayfare(&format!("convert {} {}", world("city.map"), folder.name("v.scen")));
    assert!(wrong.ends(2).stderr.contains("a tile map cannot be written in this format"));
}

#[test]
fn the_demo_needs_nothing_and_writes_two_pictures() {
    let folder = Folder::new();
    let demo = wayfare(&format!("demo {}", folder.name(""))).ends(0);
    assert!(demo.stdout.contains("What to try next"), "{}", demo.stdout);
    // The pictures come first, where they can be found from anywhere.
    let film = std::path::absolute(folder.path("wayfare-demo.gif")).unwrap();
    let first: Vec<&str> = demo.stdout.lines().take(2).collect();
    assert!(first[0].contains("Pictures"), "{first:?}");
    assert!(first[1].starts_with(film.to_str().unwrap()), "{first:?}");
    assert!(std::fs::read(folder.path("wayfare-demo.gif")).unwrap().starts_with(b"GIF89a"));
    assert!(std::fs::read(folder.path("wayfare-demo.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn jump_point_search_that_cannot_jump_says_that_it_is_a_star() {
    let village = world("voxel-village.voxels");
    let on_foot = wayfare(&format!("solve {village} -a jps --format json")).ends(0).json();
    assert_eq!(on_foot["algorithm"], "astar");
    let why = on_foot["chosen_because"].as_str().expect("a reason");
    assert!(why.contains("from neighbour to neighbour"), "{why}");
    let flying = format!("solve {village} -a jps --abilities fly --format json");
    let flying = wayfare(&flying).ends(0).json();
    assert_eq!((&flying["algorithm"], &flying["chosen_because"]), (&"jps".into(), &().into()));
}

#[test]
fn places_of_a_scene_among_blocks_go_by_name() {
    let scene = world("voxel-errands.toml");
    let found = wayfare(&format!("solve {scene} --from inn --to meadow --format json"));
    let found = found.ends(0).json();
    assert_eq!(found["from"], serde_json::json!({ "x": 28, "y": 4, "z": 13 }));
    assert_eq!(found["to"], serde_json::json!({ "x": 35, "y": 5, "z": 2 }));
    let wrong = wayfare(&format!("why {scene} --from in --to meadow")).ends(2).stderr;
    assert!(wrong.contains("no place 'in'") && wrong.contains("inn"), "{wrong}");
}

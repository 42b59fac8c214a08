//! solve, compare, why, info, convert and demo on the shipped worlds.

use crate::support::{Folder, run, wayfare, without_times, world};

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

/// A wall with a side door, which is locked, and a bridge that is up.
const SHUT: &str = r#"
scene = { name = "Two ways in", map = """
....#....
....#....
....#....
""" }
classes = [{ name = "guard", keys = ["brass", "iron"] }]
[[nav_links]]
name = "side door"
kind = "door"
from = [3, 0]
to = [5, 0]
seconds = 1
gate = "locked"
key = "brass"
[[nav_links]]
name = "drawbridge"
from = [3, 2]
to = [5, 2]
seconds = 9
gate = "closed"
"#;

#[test]
fn links_count_and_shut_ones_are_the_reason() {
    let folder = Folder::new();
    let scene = folder.write("shut.toml", SHUT);
    let ends = "--from 0,0 --to 8,0";
    let shut = wayfare(&format!("solve {scene} {ends} --format json")).ends(1).json();
    let reason = "door 'side door' is locked; key 'brass' opens it, and \
                  passage 'drawbridge' is closed";
    assert_eq!(shut["reason"], reason);
    for engine in ["jps", "dijkstra", "bidirectional", "landmarks"] {
        let line = format!("solve {scene} {ends} --keys brass -a {engine} --format json");
        let open = wayfare(&line).ends(0).json();
        assert_eq!(open["links"], serde_json::json!(["door 'side door'"]), "{engine}");
        assert_eq!(open["path"].as_array().unwrap().len(), 8, "{engine}");
    }
    let text = wayfare(&format!("solve {scene} {ends} --keys iron,brass")).ends(0).stdout;
    assert!(text.contains("links       door 'side door'"), "{text}");

    let why = wayfare(&format!("why {scene} {ends}")).ends(1).stdout;
    for part in [
        "Because door 'side door' is locked; key 'brass' opens it",
        "if it holds the key 'brass' (--keys brass):",
        "if passage 'drawbridge' is opened:",
    ] {
        assert!(why.contains(part), "{part}: {why}");
    }
    let held = wayfare(&format!("why {scene} {ends} --keys brass")).ends(0).stdout;
    assert!(held.contains("door 'side door'"), "{held}");
    let compared = wayfare(&format!("compare {scene} {ends} --format json")).ends(1).json();
    assert_eq!(compared["results"][0]["reason"], reason);

    let unknown = wayfare(&format!("solve {scene} {ends} --keys gold")).ends(2).stderr;
    assert!(unknown.contains("no key 'gold': its keys are brass, iron"), "{unknown}");
    let index = wayfare(&format!("solve {scene} {ends} -a index")).ends(2).stderr;
    assert!(index.contains("for grids without links"), "{index}");
}

/// Two ladders over a wall: the north one for one agent, the south one, longer, for any number.
const LADDERS: &str = r#"
scene = { name = "Two ladders", map = """
...#...
...#...
""" }
[[nav_links]]
name = "north"
kind = "ladder"
from = [2, 0]
to = [4, 0]
seconds = 4
capacity = 1
[[nav_links]]
name = "south"
kind = "ladder"
from = [2, 1]
to = [4, 1]
seconds = 60
"#;

#[test]
fn a_full_link_is_the_reason() {
    let folder = Folder::new();
    let scene = folder.write("ladders.toml", LADDERS);
    let ends = "--from 0,0 --to 6,0";
    let links = |rest: &str| {
        let line = format!("solve {scene} {ends} {rest} --format json");
        wayfare(&line).ends(0).json()["links"].clone()
    };
    assert_eq!(links(""), serde_json::json!(["ladder 'north'"]));
    for engine in ["astar", "jps", "dijkstra", "bidirectional", "landmarks"] {
        let taken = links(&format!("--full north -a {engine}"));
        assert_eq!(taken, serde_json::json!(["ladder 'south'"]), "{engine}");
    }
    let alone = folder
        .write("alone.toml", LADDERS.split("[[nav_links]]\nname = \"south\"").next().unwrap());
    let solved =
        wayfare(&format!("solve {alone} {ends} --full north --format json")).ends(1).json();
    assert_eq!(solved["reason"], "ladder 'north' is full (1 of 1)");
    let why = wayfare(&format!("why {alone} {ends} --full north")).ends(1).stdout;
    for part in ["Because ladder 'north' is full (1 of 1)", "if ladder 'north' has room:"] {
        assert!(why.contains(part), "{part}: {why}");
    }
    let unknown = wayfare(&format!("why {scene} {ends} --full west")).ends(2).stderr;
    assert!(unknown.contains("no link of this scene is called 'west'"), "{unknown}");
    assert!(unknown.contains("its links are north, south"), "{unknown}");
    let never = wayfare(&format!("solve {scene} {ends} --full north --full south")).ends(2).stderr;
    assert!(never.contains("ladder 'south' has no capacity: it is never full"), "{never}");
    let none = wayfare(&format!("solve {} --full x", world("maze.txt"))).ends(2).stderr;
    assert!(none.contains("it has no links"), "{none}");
}

#[test]
fn off_the_map_is_said_plainly() {
    let folder = Folder::new();
    let map = folder.write("edge.map", "type octile\nheight 2\nwidth 3\nmap\n..@\n...\n");
    for command in ["solve", "why"] {
        for (from, place) in
            [("2,0", "the start 2,0 lies off the map"), ("7,0", "the start lies off")]
        {
            let line = format!("{command} {map} --from {from} --to 0,0 --format json");
            let answer = wayfare(&line).ends(1).json();
            let reason = answer["reason"].as_str().unwrap();
            assert!(reason.contains(place) && !reason.contains("stands on"), "{reason}");
        }
    }
    let one = wayfare(&format!("solve {map} --from 0,0 --to 0,0")).ends(0).stdout;
    assert!(one.contains("length      0 cells"), "{one}");
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
fn gates_and_what_is_left_out_are_marked_when_asked_for() {
    let folder = Folder::new();
    let drawn = |name: &str, options: &str| {
        let file = folder.name(name);
        wayfare(&format!("solve {} {options} -o {file}", world("maze.txt"))).ends(0);
        std::fs::read_to_string(&file).unwrap()
    };
    let (plain, marked) = (drawn("plain.svg", ""), drawn("rooms.svg", "--rooms"));
    for label in [">gateway<", ">left out<"] {
        assert!(!plain.contains(label) && marked.contains(label), "{label}");
    }
    // On ground of different costs there are none, and nothing is said of them.
    let file = folder.name("hills.svg");
    wayfare(&format!("solve {} --rooms -o {file}", world("hills.toml"))).ends(0);
    assert!(!std::fs::read_to_string(&file).unwrap().contains(">gateway<"));
}

#[test]
fn islands_have_no_path_and_why_says_what_would_help() {
    let islands = world("two-islands.txt");
    let solved = wayfare(&format!("solve {islands} --format json")).ends(1).json();
    assert_eq!((&solved["outcome"], &solved["cost"]), (&"no path".into(), &().into()));
    assert!(solved["reason"].as_str().unwrap().contains("different islands"));

    let why = wayfare(&format!("why {islands} --format json")).ends(1).json();
    assert!(why["nearest"]["distance_to_goal"].as_f64().unwrap() > 0.0);
    let remedies = why["remedies"].as_array().unwrap();
    let sea = remedies.iter().find(|remedy| remedy["change"] == "enter=sea").unwrap();
    assert_eq!(sea["crossing"]["ground"], "sea");
    assert!(sea["crossing"]["places"].as_u64().unwrap() > 0);
    let text = wayfare(&format!("why {islands}")).ends(1).stdout;
    assert!(text.contains("if it may enter 'sea'") && text.contains("As near as one can get"));
}

#[test]
fn why_explains_width_corners_and_blocked_ends() {
    let folder = Folder::new();
    let narrow =
        folder.write("narrow.txt", "....#....\n....#....\n.........\n....#....\n....#....\n");
    let why = wayfare(&format!("why {narrow} --from 1,2 --to 7,2 --width 3 --format json")).ends(1);
    assert_eq!(why.json()["remedies"][0]["change"], "width=1");

    let corner = folder.write("corner.txt", ".#.\n#..\n...\n");
    let why = wayfare(&format!("why {corner} --from 0,0 --to 2,2 --format json")).ends(1).json();
    assert_eq!(why["remedies"][0]["change"], "corners=always");

    let why = wayfare(&format!("why {corner} --from 1,0 --to 2,2")).ends(1).stdout;
    assert!(
        why.contains("the start 1,0 stands on 'blocked', which this walker cannot enter"),
        "{why}"
    );
    let off = wayfare(&format!("why {corner} --from 7,0 --to 2,2")).ends(1).stdout;
    assert!(off.contains("lies off the map, which is 3 cells wide and 3 high"), "{off}");
}

#[test]
fn why_breaks_a_cost_down_by_terrain() {
    let line = format!("why {} --from 1,2 --to 8,2 --format json", world("village.tmj"));
    let why = wayfare(&line).ends(0).json();
    let sum: f64 = why["grounds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|share| share["cost"].as_f64().unwrap())
        .sum();
    assert!((sum - why["cost"].as_f64().unwrap()).abs() < 1e-3);
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
fn scenes_of_waypoints_are_solved_compared_and_explained() {
    for name in ["village.toml", "obstacles.toml"] {
        for algorithm in ["astar", "dijkstra", "bidirectional", "theta", "h-score"] {
            let line = format!("solve {} --algorithm {algorithm} --format json", world(name));
            let solved = wayfare(&line).ends(0).json();
            assert_eq!(
                (&solved["outcome"], &solved["world"]["kind"]),
                (&"found".into(), &"waypoint scene".into())
            );
        }
        let compared = wayfare(&format!("compare {} --repeat 1 --format json", world(name)));
        assert_eq!(compared.ends(0).json()["results"].as_array().unwrap().len(), 4);
        wayfare(&format!("why {}", world(name))).ends(0);
        let info = wayfare(&format!("info {} --format json", world(name))).ends(0).json();
        assert!(info["space"]["free"].as_u64().unwrap() >= 50);
    }
}

/// The costs of the tutorial's paths; `wayfare-scene` checks them against real numbers.
const POLICIES: &str = "\
policy                    own costs       1       2      3       4
vector3-distance          counted     44.56   34.31  15.07   21.57
manhattan                 counted     44.56   34.31  14.74   21.57
cost-of-movement          counted     44.56   34.31  14.74   21.57
inverse-cost-of-movement  counted    431.33  651.06  15.07  445.14
h-score                   counted     44.56   34.64  14.24   23.81
vector3-distance          ignored    330.50  153.14  14.74  243.49
manhattan                 ignored    330.50  153.14  14.74  243.49
cost-of-movement          ignored    330.50  153.14  14.74  243.49
inverse-cost-of-movement  ignored    330.50  153.14  14.74  243.49
h-score                   ignored    332.16  153.14  14.24  443.23
(a cheapest path)                     28.99   31.81  14.24   21.57
";

#[test]
fn one_command_prints_the_table_of_the_waypoint_policies() {
    let line = format!("compare {} --policies", world("village.toml"));
    let printed = wayfare(&line).ends(0).stdout;
    assert!(printed.contains(POLICIES), "{printed}");
    assert!(printed.contains("route 1     over the range: 1,2 to 8,2"), "{printed}");
    let json = wayfare(&format!("{line} --format json")).ends(0).json();
    assert_eq!(json["results"][1]["algorithm"], "vector3-distance");
    assert_eq!(json["results"][1]["runs"][0]["moves"], 26);
    wayfare(&format!("{line} -a astar")).ends(2);
    let nameless = wayfare(&format!("compare {} --policies", world("cave.map"))).ends(2);
    assert!(nameless.stderr.contains("names none"), "{}", nameless.stderr);
}

#[test]
fn waypoints_go_by_name_and_by_point() {
    let yard = world("obstacles.toml");
    let named = wayfare(&format!("solve {yard} --from a1 --to h8 --format json")).ends(0).json();
    assert_eq!(
        (&named["from"]["waypoint"], &named["to"]["waypoint"]),
        (&"a1".into(), &"h8".into())
    );
    let [x, y, z] = [0, 1, 2].map(|axis| named["from"]["position"][axis].as_f64().unwrap());
    let near = format!("solve {yard} --from {},{y},{z} --to h8 --format json", x + 0.1);
    assert_eq!(wayfare(&near).ends(0).json()["path"], named["path"]);
    let query = run(["solve", &yard, "--query", "corner to corner", "--format", "json"]).ends(0);
    assert_eq!(query.json()["path"], named["path"]);

    let wrong = wayfare(&format!("solve {yard} --from zz --to h8")).ends(2);
    assert!(wrong.stderr.contains("'zz' is no waypoint"), "{}", wrong.stderr);
    let wrong = wayfare(&format!("solve {yard} --width 3")).ends(2);
    assert!(wrong.stderr.contains("--width"), "{}", wrong.stderr);
}

#[test]
fn why_knows_one_way_links_and_blocked_terrain() {
    let folder = Folder::new();
    let scene = folder.write(
        "ways.toml",
        r#"
        scene = { name = "ways" }
        terrains = [{ name = "lava", glyph = "L", walkable = false }]
        waypoints = [
          { id = "a", at = [0, 0, 0] },
          { id = "b", at = [4, 0, 3] },
          { id = "hot", at = [8, 0, 3], terrain = "lava" },
          { id = "c", at = [12, 0, 0] },
        ]
        links = [
          { from = "a", to = "b", one_way = true },
          { from = "b", to = "hot" },
          { from = "hot", to = "c" },
        ]
        "#,
    );
    let change = |from: &str, to: &str| {
        let line = format!("why {scene} --from {from} --to {to} --format json");
        let why = wayfare(&line).ends(1).json();
        why["remedies"]
            .as_array()
            .unwrap()
            .iter()
            .map(|r| r["change"].to_string())
            .collect::<String>()
    };
    assert!(change("b", "a").contains("one-way=ignored"));
    assert!(change("a", "c").contains("enter=lava"));
    assert!(change("a", "hot").contains("to="));
    let folder = Folder::new();
    let svg = folder.name("ways.svg");
    wayfare(&format!("solve {scene} --from a --to b -o {svg}")).ends(0);
    assert!(std::fs::read_to_string(svg).unwrap().starts_with("<"));
}

/// A ramp of triangles: lengths on a mesh are those seen from above, in the table too.
#[test]
fn why_on_a_mesh_adds_up_to_its_headline() {
    let folder = Folder::new();
    let ramp = folder.write("ramp.obj", "v 0 0 0\nv 0 0 6\nv 12 6 6\nv 12 6 0\nf 1 2 3 4\n");
    let why = wayfare(&format!("why {ramp} --from 2,1,3 --to 10,5,3 --format json")).ends(0).json();
    let of = |value: &serde_json::Value| value.as_f64().expect("a number");
    let shares = why["grounds"].as_array().expect("a list");
    let sum: f64 = shares.iter().map(|share| of(&share["length"])).sum();
    assert!((sum - of(&why["length"])).abs() < 1e-4, "{why}");
    assert!(of(&why["straight_line"]) <= of(&why["length"]) + 1e-4, "{why}");
    let cost: f64 = shares.iter().map(|share| of(&share["cost"])).sum();
    assert!((cost - of(&why["cost"])).abs() < 1e-4, "{why}");
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

#[test]
fn policies_are_compared_on_one_route_and_drawn() {
    let folder = Folder::new();
    let picture = folder.name("policies.svg");
    let line = format!("--policies --format json -o {picture}");
    let village = world("village.toml");
    let options = line.split(' ');
    let compared =
        run(["compare", &village, "--query", "over the range"].into_iter().chain(options));
    let compared = compared.ends(0).json();
    assert_eq!(compared["routes"].as_array().expect("a list").len(), 1);
    assert_eq!(compared["results"][1]["runs"].as_array().expect("a list").len(), 1);
    let drawn = std::fs::read_to_string(&picture).expect("a picture");
    assert!(drawn.contains("h score") && drawn.contains("own costs ignored"));
    let unknown = run(["compare", &village, "--policies", "--query", "home"]).ends(2).stderr;
    assert!(unknown.contains("no route 'home'"), "{unknown}");
}

#[test]
fn a_scene_may_let_the_policies_ignore_own_costs() {
    let folder = Folder::new();
    let village = std::fs::read_to_string(world("village.toml")).expect("a scene");
    let ignoring = village.replace(
        "negative_costs = \"shift\"",
        "negative_costs = \"shift\", ignore_own_costs = true",
    );
    assert_ne!(village, ignoring);
    let [plain, ignoring] = [("plain.toml", village), ("ignoring.toml", ignoring)]
        .map(|(name, text)| folder.write(name, text));
    let cost = |file: &str, option: &str| {
        wayfare(&format!("solve {file} -a h-score {option} --format json")).ends(0).json()["cost"]
            .clone()
    };
    assert_ne!(cost(&plain, ""), cost(&ignoring, ""));
    assert_eq!(cost(&plain, "--ignore-own-costs"), cost(&ignoring, ""));
}

/// A hall with a heavy door, and a room beside it that is no part of the puzzle.
fn hall(plate: &str) -> String {
    let text = r##"
scene = { name = "hall", map = """
############
#...#...#..#
#..........#
#...#...#..#
############"""}
places = [{ name = "in", at = [1, 2] }, { name = "out", at = [7, 2] }, { name = "room", at = [10, 1] }]
[[puzzles]]
name = "hall"
start = "in"
goal = "out"
agent = "Bob"
area = { min = [1, 1], max = [8, 3] }
plates = [{ name = "pan", at = PLATE }]
crates = [{ name = "stone", at = [2, 2] }]
gates = [{ name = "grate", form = "heavy_door", cells = [[4, 2]], when = ["plate pan"] }]
[[agents]]
name = "Bob"
at = "in"
"##;
    text.replace("PLATE", plate)
}

#[test]
fn routes_respect_the_shut_gates_of_puzzles() {
    let folder = Folder::new();
    let file = folder.write("hall.toml", hall("[3, 1]"));
    let ask = |command: &str, to: &str| wayfare(&format!("{command} {file} --from in --to {to}"));
    // A plan, where both ends are on the ground of the puzzle.
    let solved = ask("solve", "out").ends(0).stdout;
    assert!(solved.contains("push crate"), "{solved}");
    let why = ask("why", "out").ends(0).stdout;
    assert!(why.contains("hall can be solved, with 2 deeds"), "{why}");
    // A path that needs no deed is one as ever.
    let near = ask("solve", "3,3").ends(0).stdout;
    assert!(near.contains("a path of"), "{near}");
    // Beyond the puzzle the gate is named.
    for command in ["solve", "why"] {
        let told = ask(command, "room").ends(1).stdout;
        assert!(told.contains("'grate' is shut: it opens while a crate lies on 'pan'"), "{told}");
    }
}

#[test]
fn a_simulation_tells_of_a_puzzle_that_cannot_be_solved() {
    let folder = Folder::new();
    let file = folder.write("hall.toml", hall("[6, 1]"));
    let why = wayfare(&format!("why {file}")).ends(1).stdout;
    let why = why.trim_end_matches(['.', '\n']);
    assert!(why.starts_with("hall cannot be solved: grate stays shut"), "{why}");
    let ran = wayfare(&format!("simulate {file} --ticks 200")).ends(0);
    assert!(ran.stdout.contains(why) && ran.stderr.contains(why), "{}{}", ran.stdout, ran.stderr);
    let json = wayfare(&format!("simulate {file} --ticks 200 --format json")).ends(0).json();
    assert_eq!(json["unsolved"][0], why);
}

//! bench: every cost checked.

use crate::support::{Folder, wayfare, without_times, world};

const MAP: &str = "type octile\nheight 4\nwidth 6\nmap\n......\n.@@@@.\n......\n......\n";

/// A scenario on [`MAP`] with one query of that length.
fn scenario(folder: &Folder, length: &str) -> String {
    folder.write("tiny.map", MAP);
    let queries = format!(
        "version 1\n0\ttiny.map\t6\t4\t0\t0\t0\t0\t0\n0\ttiny.map\t6\t4\t0\t0\t3\t0\t3\n\
         0\ttiny.map\t6\t4\t1\t2\t4\t3\t{length}\n1\ttiny.map\t6\t4\t1\t0\t2\t2\t5\n"
    );
    folder.write("tiny.map.scen", queries)
}

#[test]
fn a_right_scenario_is_optimal_throughout() {
    let folder = Folder::new();
    let file = scenario(&folder, "3.41421356");
    let report = wayfare(&format!("bench {file} --format json")).ends(0).json();
    let entries = report.as_array().unwrap();
    let names: Vec<&str> =
        entries.iter().map(|entry| entry["algorithm"].as_str().unwrap()).collect();
    assert!(["astar", "dijkstra", "bidirectional", "idastar"].iter().all(|n| names.contains(n)));
    assert!(!names.contains(&"greedy") && !names.contains(&"bfs"));
    for entry in entries {
        assert_eq!(
            (&entry["queries"], &entry["solved"], &entry["optimal"]),
            (&4.into(), &4.into(), &4.into())
        );
        for key in [
            "mean_us",
            "p50_us",
            "p99_us",
            "turns_mean_us",
            "speedup",
            "expanded_mean",
            "scratch_bytes",
            "index_bytes",
            "index_seconds",
        ] {
            assert!(entry[key].is_number(), "{key}");
        }
    }
    let again = wayfare(&format!("bench {file} --format json")).ends(0).json();
    assert_eq!(without_times(report), without_times(again));
    let text = wayfare(&format!("bench {file}")).ends(0).stdout;
    assert!(text.contains("every cost that was promised to be optimal is"), "{text}");
}

#[test]
fn algorithms_are_compared_query_by_query_and_drawn() {
    let folder = Folder::new();
    let file = scenario(&folder, "3.41421356");
    let chart = folder.path("chart.png");
    let command = format!(
        "bench {file} --algorithms dijkstra,jps --baseline dijkstra --samples --chart {} --format json",
        chart.display()
    );
    let report = wayfare(&command).ends(0).json();
    assert_eq!(report[0]["speedup"], 1.0);
    let samples = report[1]["samples"].as_array().unwrap();
    assert_eq!(samples.len(), 4);
    assert_eq!(samples[3]["query"], 3);
    assert_eq!(samples[3]["optimal_length"], 5.0);
    assert!(std::fs::read(chart).unwrap().starts_with(b"\x89PNG"));
    let wrong = wayfare(&format!("bench {file} --algorithms jps --baseline astar")).ends(2);
    assert!(wrong.stderr.contains("add it to --algorithms"), "{}", wrong.stderr);
}

#[test]
fn a_wrong_length_is_found_out() {
    let folder = Folder::new();
    let file = scenario(&folder, "3.3");
    let ran = wayfare(&format!("bench {file} --algorithms astar,greedy")).ends(4);
    assert!(
        ran.stderr
            .contains("astar, query 2 from 1,2 to 4,3: length 3.41421, but the optimal is 3.3"),
        "{}",
        ran.stderr
    );
    // What promises nothing breaks no promise.
    assert!(!ran.stderr.contains("greedy"), "{}", ran.stderr);
}

#[test]
fn a_valid_path_shorter_than_the_file_says_is_not_passed_over() {
    let folder = Folder::new();
    let file = scenario(&folder, "3.8");
    let ran = wayfare(&format!("bench {file} --algorithms astar")).ends(4);
    assert!(ran.stderr.contains("the file does not fit this map or these rules"), "{}", ran.stderr);
}

#[test]
fn queries_can_be_limited_and_the_map_named() {
    let folder = Folder::new();
    let file = scenario(&folder, "3.41421356");
    let moved = folder.write("elsewhere.map", MAP);
    std::fs::remove_file(folder.path("tiny.map")).unwrap();
    let lost = wayfare(&format!("bench {file}")).ends(3);
    assert!(lost.stderr.contains("--map"), "{}", lost.stderr);
    let line =
        format!("bench {file} --map {moved} --limit 2 --repeat 3 --algorithms astar --format json");
    assert_eq!(wayfare(&line).ends(0).json()[0]["queries"], 2);
}

#[test]
fn no_path_where_the_file_says_so_is_right() {
    let folder = Folder::new();
    folder.write("walls.map", "type octile\nheight 1\nwidth 3\nmap\n.@.\n");
    let file = folder.write("walls.map.scen", "version 1\n0\twalls.map\t3\t1\t0\t0\t2\t0\t0\n");
    let report = wayfare(&format!("bench {file} --algorithms astar --format json")).ends(0).json();
    assert_eq!((&report[0]["solved"], &report[0]["unreachable"]), (&0.into(), &1.into()));
}

#[test]
fn a_scenario_of_another_map_is_refused() {
    let folder = Folder::new();
    let file = scenario(&folder, "3.41421356");
    let other = folder.write("other.map", "type octile\nheight 1\nwidth 2\nmap\n..\n");
    let ran = wayfare(&format!("bench {file} --map {other}")).ends(3);
    assert!(ran.stderr.contains("6 × 4") && ran.stderr.contains("2 × 1"), "{}", ran.stderr);
    assert!(wayfare(&format!("bench {other}")).ends(2).stderr.contains("is no scenario"));
}

#[test]
fn an_index_is_built_and_answers_like_the_searches() {
    let folder = Folder::new();
    let file = scenario(&folder, "3.41421356");
    let map = folder.write("tiny.map", MAP);
    let index = folder.name("tiny.index");
    let built = wayfare(&format!("index build {map} -o {index} --format json")).ends(0).json();
    assert_eq!((&built["corners"], &built["sight"]), (&4.into(), &"stored".into()));
    let report = wayfare(&format!("bench {file} --algorithms astar --index {index} --format json"));
    let report = report.ends(0).json();
    assert_eq!((&report[1]["algorithm"], &report[1]["optimal"]), (&"index".into(), &4.into()));
    assert!(report[1]["index_bytes"].as_u64().unwrap() > 0);
    let solve =
        |more: &str| wayfare(&format!("solve {map} --from 0,0 --to 5,0 --format json {more}"));
    let [by_index, by_search] =
        [format!("--index {index}"), String::new()].map(|how| solve(&how).ends(0).json());
    assert_eq!((&by_index["cost"], &by_index["algorithm"]), (&by_search["cost"], &"index".into()));

    // Not for another movement, not for another map, not from another file.
    for (more, why) in [
        (format!("--index {index} --width 2"), "built for another map, another agent"),
        (format!("--index {map}"), "does not begin with"),
        (format!("--index {index} --corners one"), "need both cells beside them free"),
    ] {
        let ran = solve(&more).ends(3);
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
    }
}

#[test]
fn a_hierarchy_is_measured_by_its_loss_and_held_to_its_promise() {
    let folder = Folder::new();
    let file = scenario(&folder, "3.41421356");
    let line = format!("bench {file} --algorithms jps --hierarchy --sector-side 8 --samples");
    let report = wayfare(&format!("{line} --format json")).ends(0).json();
    let (search, routes) = (&report[0], &report[1]);
    assert_eq!(
        (&routes["algorithm"], &routes["guarantee"]),
        (&"hierarchy".into(), &"bounded".into())
    );
    assert_eq!((&routes["solved"], &search["loss_worst"]), (&4.into(), &0.0.into()));
    assert!(search["first_leg_mean_us"].is_null() && routes["first_leg_mean_us"].is_number());
    let [mean, worst] = ["loss_mean", "loss_worst"].map(|key| routes[key].as_f64().unwrap());
    assert!((0.0..0.5).contains(&mean) && mean <= worst, "{mean} {worst}");
    assert!(routes["samples"][0]["loss"].is_number());
    assert!(routes["index_bytes"].as_u64().unwrap() > 0);
    let text = wayfare(&line).ends(0).stdout;
    for part in ["hierarchy", "first leg µs", "No route over sectors costs more"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let named = wayfare(&format!("bench {file} --algorithms hierarchy,landmarks --format json"));
    let named = named.ends(0).json();
    assert_eq!(
        (&named[0]["algorithm"], &named[1]["algorithm"]),
        (&"hierarchy".into(), &"landmarks".into())
    );
    assert_eq!(named[1]["optimal"], named[1]["queries"]);
    let field = wayfare(&format!("bench {file} --algorithms field")).ends(2);
    assert!(field.stderr.contains("answers for one goal"), "{}", field.stderr);
}

#[test]
fn losses_are_shown_where_there_are_any() {
    let folder = Folder::new();
    let file = scenario(&folder, "3.3"); // as though the best path were shorter than it is
    let text = wayfare(&format!("bench {file} --algorithms greedy")).ends(0).stdout;
    assert!(text.contains("mean loss %") && text.contains("3.46"), "{text}");
    let file = scenario(&folder, "3.41421356");
    let text = wayfare(&format!("bench {file} --algorithms jps")).ends(0).stdout;
    assert!(!text.contains("loss"), "{text}");
}

#[test]
fn an_index_of_a_mesh_is_built_and_answers_like_the_search() {
    let folder = Folder::new();
    let file = mesh_scenario(&folder, "4.576491222541475");
    let (mesh, index) = (folder.name("l.mesh"), folder.name("l.index"));
    let built = wayfare(&format!("index build {mesh} -o {index} --format json")).ends(0).json();
    assert_eq!((&built["corners"], &built["hubs"]), (&1.into(), &1.into()));
    assert!(built["views"].as_u64().unwrap() > 0 && built["file_bytes"].as_u64().unwrap() > 0);
    let text = wayfare(&format!("index build {mesh} -o {index}")).ends(0).stdout;
    assert!(text.contains("views") && text.contains("KiB in the file"), "{text}");

    let info = wayfare(&format!("info {index} --format json")).ends(0).json();
    assert_eq!((&info["kind"], &info["index"]["corners"]), (&"index".into(), &1.into()));
    let text = wayfare(&format!("info {index}")).ends(0).stdout;
    assert!(text.contains("of a navigation mesh"), "{text}");

    let report = wayfare(&format!("bench {file} --index {index} --format json")).ends(0).json();
    assert_eq!((&report[2]["algorithm"], &report[2]["optimal"]), (&"index".into(), &2.into()));
    let solve =
        |more: &str| wayfare(&format!("solve {mesh} --from 0,1 --to 4,3 --format json {more}"));
    let answers = [format!("--index {index}"), "-a index".to_owned(), "-a polyanya".to_owned()]
        .map(|how| solve(&how).ends(0).json());
    for (answer, engine) in answers.iter().zip(["index", "index", "search"]) {
        assert_eq!(
            (&answer["took"]["engine"], &answer["path"]),
            (&engine.into(), &answers[2]["path"])
        );
        assert_eq!(answer["length"], answers[2]["length"]);
    }
    // Pictures have no search to show, and limits are left to one.
    let picture = folder.name("l.png");
    assert_eq!(
        solve(&format!("--index {index} -o {picture}")).ends(0).json()["algorithm"],
        "index"
    );
    let limited = solve("-a index --max-cost 99").ends(0);
    let why = "polyanya answered, not the index: it does not keep the query's limits";
    assert!(limited.stderr.contains(why), "{}", limited.stderr);

    // Not for another mesh, not from another file.
    let other = folder.write("other.mesh", MESH.replace("4 3 1 1", "4 3.5 1 1"));
    let ran = wayfare(&format!("solve {other} --from 0,1 --to 4,3 --index {index}")).ends(3);
    assert!(ran.stderr.contains("built for another mesh"), "{}", ran.stderr);
    let of_grid = folder.name("tiny.index");
    let map = folder.write("tiny.map", MAP);
    wayfare(&format!("index build {map} -o {of_grid}")).ends(0);
    for (wrong, why) in [
        (&of_grid, "an index of a grid, not of a navigation mesh"),
        (&mesh, "does not begin with \"WAYFMDX\""),
    ] {
        let ran = solve(&format!("--index {wrong}")).ends(3);
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
    }
    let info = wayfare(&format!("info {of_grid}")).ends(0).stdout;
    assert!(info.contains("of a grid"), "{info}");
    let bytes = std::fs::read(&index).unwrap();
    let cut = folder.write("cut.index", &bytes[..bytes.len() - 4]);
    let ran = wayfare(&format!("info {cut}")).ends(3);
    assert!(ran.stderr.contains("cut.index: the index says that it has"), "{}", ran.stderr);
}

#[test]
fn a_level_is_indexed_as_it_is_baked_and_what_has_links_is_not() {
    let folder = Folder::new();
    let (level, index) = (world("courtyard.obj"), folder.name("courtyard.index"));
    let built = wayfare(&format!("index build {level} -o {index} --format json")).ends(0).json();
    assert!(built["corners"].as_u64().unwrap() > 4);
    let solved = wayfare(&format!("solve {level} --index {index} --format json")).ends(0).json();
    let searched = wayfare(&format!("solve {level} --format json")).ends(0).json();
    assert_eq!(
        (&solved["algorithm"], &searched["algorithm"]),
        (&"index".into(), &"polyanya".into())
    );
    assert_eq!(solved["length"], searched["length"]);
    let small =
        wayfare(&format!("index build {} -o {index}", world("voxel-village.voxels"))).ends(3);
    assert!(small.stderr.contains("only grids and navigation meshes"), "{}", small.stderr);

    let linked = folder.name("linked.navmesh");
    wayfare(&format!("bake {level} --leap 4 --drop 4 --climb 1.2 -o {linked}")).ends(0);
    for line in [
        format!("index build {linked} -o {index}"),
        format!("solve {linked} --index {index}"),
        format!("solve {linked} -a index"),
    ] {
        let ran = wayfare(&line).ends(3);
        assert!(ran.stderr.contains("links lie over this navigation mesh"), "{}", ran.stderr);
    }
}

/// An L of two rectangles, and a square beside it.
const MESH: &str = "mesh\n2\n11 3\n0 0 1 0\n0 3 1 0\n1 3 2 0 1\n1 2 2 0 1\n1 0 1 0\n4 3 1 1\n4 2 1 1\n\
                    6 0 1 2\n6 1 1 2\n7 1 1 2\n7 0 1 2\n\
                    5 4 3 2 1 0 -1 -1 1 -1 -1\n4 3 6 5 2 0 -1 -1 -1\n4 10 9 8 7 -1 -1 -1 -1\n";

/// Queries on [`MESH`]: straight on, round the corner at 1,2, and to the square.
fn mesh_scenario(folder: &Folder, round: &str) -> String {
    folder.write("l.mesh", MESH);
    let queries = format!(
        "mesh scenario 1\nl.mesh\n# from, to, length\n0.5 0 0.5  0.5 0 2.5  2\n\
         0 0 1  4 0 3  {round}\n0.5 0 0.5  6.5 0 0.5  0\n"
    );
    folder.write("l.meshscen", queries)
}

#[test]
fn queries_on_a_mesh_have_the_lengths_of_the_file() {
    let folder = Folder::new();
    // √2 and √10
    let file = mesh_scenario(&folder, "4.576491222541475");
    let report = wayfare(&format!("bench {file} --format json")).ends(0).json();
    for (entry, name) in report.as_array().unwrap().iter().zip(["polyanya", "corridor"]) {
        assert_eq!(entry["algorithm"], name);
        let counts = ["queries", "solved", "unreachable", "invalid"].map(|key| &entry[key]);
        assert_eq!(counts, [3, 2, 1, 0]);
    }
    assert_eq!(report[0]["optimal"], 2);
    let wrong = wayfare(&format!("bench {}", mesh_scenario(&folder, "4.5"))).ends(4);
    assert!(wrong.stderr.contains("polyanya, query 1 from 0,1 to 4,3"), "{}", wrong.stderr);
    let broken = wayfare(&format!("bench {}", mesh_scenario(&folder, "x"))).ends(3).stderr;
    assert!(broken.contains("l.meshscen:5:15"), "{broken}");
}

//! Benchmarks: every cost checked, every wrong one told, and rows that do not depend on the time.

mod common;

use common::{Job, example, numbers, rows, texts, worlds};
use wayfare_formats::movingai_scen;
use wayfare_shards::{Progress, verify};

const ENGINES: &str =
    r#"["astar", "jps", "dijkstra", "bidirectional", "landmarks", "hierarchy", "theta"]"#;

fn of_the_cave(more: &str) -> String {
    format!(
        "name = \"bench\"\nshard-seconds = 0.05\n[bench]\nscenarios = [\"WORLDS/cave.map.scen\"]\n\
         repeat = 1\nlimit = 24\n{more}\n"
    )
}

#[test]
fn costs_are_those_of_the_file_by_every_engine() {
    let job = Job::new(&of_the_cave(&format!("engines = {ENGINES}")));
    let (plan, store, manifest) = job.run().unwrap();
    let rows = rows(&plan, &store);
    let list = std::fs::read(worlds().join("cave.map.scen")).unwrap();
    let list = movingai_scen::read(&list).unwrap();
    let (engines, status) = (texts(&rows, "engine"), texts(&rows, "status"));
    let (queries, lengths) = (numbers(&rows, "query"), numbers(&rows, "length"));
    assert_eq!((status.len(), manifest.rows), (168, 168));
    for row in 0..status.len() {
        let optimal = list.entries[queries[row] as usize].optimal_length;
        let is_near = (lengths[row] - optimal).abs() < 0.02;
        let engine = &engines[row];
        match engine.as_str() {
            "hierarchy" => assert!(["found", "longer"].contains(&status[row].as_str()), "{row}"),
            // Lines at any angle are shorter than the moves that the file's lengths are of.
            "theta" => assert!(["found", "shorter"].contains(&status[row].as_str()), "{row}"),
            _ => assert!(is_near && status[row] == "found", "{engine}, {row}: {}", status[row]),
        }
    }
    let ns = numbers(&rows, "ns");
    assert!(ns.iter().all(|ns| *ns > 0.0 && *ns < 1e9), "{ns:?}");
    assert!(texts(&rows, "machine").iter().all(|machine| machine.contains(" cores")));
    // Spread over the file, from its first query on.
    assert_eq!(
        queries[..3],
        [0.0, (list.entries.len() / 24) as f64, (list.entries.len() / 12) as f64]
    );
}

#[test]
fn rows_are_the_same_again_but_for_what_is_measured() {
    let text = of_the_cave(&format!("engines = {ENGINES}"));
    let (one, again) = (Job::new(&text), Job::new(&text));
    let (plan, store, manifest) = one.run().unwrap();
    assert_eq!(manifest.hash, again.run().unwrap().2.hash);
    assert_eq!(verify(&plan, &store, 100, 3, &Progress::default()).unwrap().faults, [""; 0]);
}

#[test]
fn one_engine_more_leaves_the_shards_of_the_others() {
    let keys = |engines: &str| -> Vec<String> {
        let plan = Job::new(&of_the_cave(engines)).plan();
        plan.shards.into_iter().map(|shard| shard.key).collect()
    };
    let (one, two) = (keys("engines = [\"jps\"]"), keys("engines = [\"jps\", \"astar\"]"));
    assert!(two.len() > one.len());
    assert_eq!(two[..one.len()], one);
    assert_ne!(keys("engines = [\"jps\"]\nmax-expansions = 5")[0], one[0]);
}

/// Returns the lines of `bench.csv`, its columns by name.
fn sheet(store: &wayfare_shards::Store) -> Vec<std::collections::BTreeMap<String, String>> {
    let text = store.read("bench.csv").unwrap();
    let text = String::from_utf8(text.to_vec()).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned));
    let head: Vec<String> = lines.next().unwrap().collect();
    lines.map(|line| head.iter().cloned().zip(line).collect()).collect()
}

#[test]
fn a_sheet_has_a_line_for_each_map_and_engine() {
    let job = Job::new(
        "name = \"b\"\n[bench]\nscenarios = [\"WORLDS/*.map.scen\"]\nlimit = 20\nrepeat = 2\n\
         engines = [\"astar\", \"jps\"]\n",
    );
    let (_, store, manifest) = job.run().unwrap();
    assert_eq!(manifest.products, ["bench.csv"]);
    let lines = sheet(&store);
    assert_eq!(lines.len(), 4);
    for line in &lines {
        assert!(line["map"].ends_with(".map"));
        assert_eq!([&line["queries"], &line["right"], &line["wrong"]], ["20", "20", "0"]);
        assert_eq!(line["undercut"], "0");
        assert!(line["mean_us"].parse::<f64>().unwrap() > 0.0);
    }
    assert_eq!((lines[0]["engine"].as_str(), lines[0]["speedup"].as_str()), ("astar", "1.0"));
    assert_eq!(lines[1]["engine"], "jps");
    assert!(lines[1]["speedup"].parse::<f64>().unwrap() > 0.0);
}

/// Writes the scenario of the cave with other lengths.
fn with_lengths(job: &Job, length: impl Fn(usize, f64) -> f64) {
    let mut list =
        movingai_scen::read(&std::fs::read(worlds().join("cave.map.scen")).unwrap()).unwrap();
    list.entries.truncate(20);
    for (number, entry) in list.entries.iter_mut().enumerate() {
        entry.optimal_length = length(number, entry.optimal_length);
    }
    let folder = job.folder.path();
    std::fs::write(folder.join("list.scen"), movingai_scen::write(&list).unwrap()).unwrap();
    std::fs::copy(worlds().join("cave.map"), folder.join("cave.map")).unwrap();
}

#[test]
fn a_wrong_cost_is_told_and_fails_nothing() {
    let job = Job::new("name = \"b\"\n[bench]\nscenarios = [\"list.scen\"]\nengines = [\"jps\"]\n");
    // Longer than the file's, shorter than the file's, and a path where the file has none.
    with_lengths(&job, |number, length| match number {
        2 => length - 0.5,
        3 => length + 0.5,
        4 => 0.0,
        _ => length,
    });
    let (plan, store, _) = job.run().unwrap();
    let rows = rows(&plan, &store);
    let (status, reason) = (texts(&rows, "status"), texts(&rows, "reason"));
    for (row, status) in status.iter().enumerate() {
        let expected = if (2..5).contains(&row) { "wrong" } else { "found" };
        assert_eq!(status, expected, "row {row}: {}", reason[row]);
    }
    assert!(reason[2].contains("but the optimal is"), "{}", reason[2]);
    assert!(reason[3].contains("the file does not fit"), "{}", reason[3]);
    let line = &sheet(&store)[0];
    assert_eq!([&line["right"], &line["wrong"]], ["17", "3"]);
}

#[test]
fn limits_and_queries_without_a_way_are_no_faults() {
    let job = Job::new(
        "name = \"b\"\n[bench]\nscenarios = [\"isles.scen\"]\nengines = [\"astar\"]\nmax-expansions = 2\n",
    );
    let folder = job.folder.path();
    std::fs::write(
        folder.join("isles.map"),
        "type octile\nheight 3\nwidth 9\nmap\n....@....\n....@....\n....@....\n",
    )
    .unwrap();
    let line = |to: u32, length: f64| format!("0\tisles.map\t9\t3\t0\t0\t{to}\t0\t{length}\n");
    let text = format!("version 1\n{}{}{}", line(8, 0.0), line(3, 3.0), line(1, 1.0));
    std::fs::write(folder.join("isles.scen"), text).unwrap();
    let (plan, store, _) = job.run().unwrap();
    let rows = rows(&plan, &store);
    assert_eq!(texts(&rows, "status"), ["no path", "limit", "found"]);
    let is_right = rows[0].column_by_name("is_right").unwrap();
    let is_right = arrow::array::AsArray::as_boolean(is_right);
    assert_eq!(is_right.iter().collect::<Vec<_>>(), [Some(true), None, Some(true)]);
}

#[test]
fn meshes_have_scenarios() {
    let job = Job::new(
        "name = \"b\"\n[bench]\nscenarios = [\"*.meshscen\"]\nengines = [\"polyanya\", \"corridor\"]\n",
    );
    let folder = job.folder.path();
    let square = "mesh\n2\n4 1\n0 0 1 0\n0 2 1 0\n2 2 1 0\n2 0 1 0\n4 3 2 1 0 -1 -1 -1 -1\n";
    std::fs::write(folder.join("square.mesh"), square).unwrap();
    let list = "mesh scenario 1\nsquare.mesh\n0.5 0 0.5  1.5 0 1.5  1.41421356\n";
    std::fs::write(folder.join("square.meshscen"), list).unwrap();
    let (plan, store, _) = job.run().unwrap();
    let rows = rows(&plan, &store);
    assert_eq!(texts(&rows, "status"), ["found"; 2], "{:?}", texts(&rows, "reason"));
    assert_eq!(numbers(&rows, "query"), [0.0; 2]);
}

#[test]
fn worlds_of_blocks_have_scenarios() {
    let job = Job::new(
        "name = \"b\"\n[bench]\nscenarios = [\"*.3dscen\"]\nengines = [\"astar\", \"jps\"]\nlimit = 12\n",
    );
    let kinds = wayfare_generate::Kinds::standard();
    let kind = kinds.get("floating-islands").unwrap();
    let world = wayfare_generate::generate(kind, &Default::default(), wayfare_generate::Seed(3));
    let list = world.unwrap().queries("isles.3dmap", 30, Default::default()).unwrap().unwrap();
    let folder = job.folder.path();
    wayfare_scene::write_path(folder.join("isles.3dmap"), &list.map).unwrap();
    wayfare_scene::write_path(folder.join("isles.3dscen"), &list.queries).unwrap();
    let (plan, store, _) = job.run().unwrap();
    let rows = rows(&plan, &store);
    assert_eq!(texts(&rows, "status"), vec!["found"; 24]);
}

#[test]
fn faults_of_a_job_name_the_place_and_what_to_do() {
    let fault = |more: &str| Job::new(&of_the_cave(more)).fault();
    assert!(fault("engines = [\"teleport\"]").contains("teleport"));
    assert!(fault("engines = []").contains("there are none"));
    assert!(fault("engines = [\"jps\", \"jps\"]").contains("twice"));
    assert!(fault("engines = [\"field\"]").contains("one goal"));
    let mesh = fault("engines = [\"jps\", \"polyanya\"]");
    let none = of_the_cave("engines = [\"jps\"]").replace("repeat = 1", "repeat = 0");
    assert!(Job::new(&none).fault().contains("`repeat`"));
    assert!(
        mesh.contains("polyanya is not for a grid") && mesh.contains("cave.map.scen"),
        "{mesh}"
    );
    let job = Job::new("name = \"b\"\n[bench]\nscenarios = [\"list.scen\"]\nengines = [\"jps\"]\n");
    with_lengths(&job, |_, length| length);
    let (map, other) = (job.folder.path().join("cave.map"), worlds().join("city.map"));
    std::fs::copy(other, &map).unwrap();
    assert!(job.fault().contains("list.scen: its queries are for a map of"), "{}", job.fault());
    std::fs::remove_file(map).unwrap();
    assert!(job.fault().contains("'cave.map' is not beside it"), "{}", job.fault());
    std::fs::write(job.folder.path().join("list.scen"), "version 7\n").unwrap();
    assert!(job.fault().contains("list.scen"), "{}", job.fault());
}

#[test]
fn the_example_has_shards_of_each_engine() {
    let plan = example("sweep.toml");
    let of = |engine: &str| plan.shards.iter().filter(|shard| shard.part == engine).count();
    assert!(of("astar") > 2 && of("jps") > 0 && of("landmarks") > 0, "{:?}", plan.shards);
    assert_eq!(plan.shards.iter().map(|shard| shard.count).sum::<u64>(), 1200);
}

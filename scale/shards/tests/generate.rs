//! Datasets: the worlds of `wayfare_generate`, and queries whose lengths `[queries]` finds again.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use arrow::array::{Array, AsArray};
use arrow::datatypes::UInt32Type;
use common::{Job, example, numbers, rows, texts, worlds};
use wayfare_formats::{movingai_3dmap, movingai_3dscen, movingai_map, movingai_scen};
use wayfare_generate::{Kinds, Lineup, Manager, QuerySpread, Seed};
use wayfare_scene::World;
use wayfare_shards::{Progress, verify};
use wayfare_site::{OpenOptions, open, regions};

const PARAMS: &str = "[caves]\nwidth = [40, 56]\nheight = 40\n[maze]\nwidth = 41\nheight = 41\n";

const OF_WORLDS: &str = "name = \"set\"\nseed = 7\nshard-seconds = 0.002\n[generate]\n\
    kinds = [\"caves\", \"maze\"]\nparams = \"samples.toml\"\ncount = 12\nqueries = 20\npaths = true\n\
    licence = \"CC-BY-4.0\"\nauthors = [\"A. Author\", \"B. Author\"]\nyear = 2026\n";

fn of_worlds(text: &str) -> Job {
    let job = Job::new(text);
    std::fs::write(job.folder.path().join("samples.toml"), PARAMS).unwrap();
    job
}

#[test]
fn worlds_are_those_of_the_generator() {
    let job = of_worlds(OF_WORLDS);
    let (plan, store, manifest) = job.run().unwrap();
    assert!(plan.shards.len() > 1, "{:?}", plan.shards);
    assert_eq!(manifest.rows, 12);
    assert_eq!(manifest.products, ["queries.parquet", "dataset.json"]);
    let kinds = Kinds::standard();
    let lineup = Lineup {
        count: 12,
        kinds: vec!["caves".to_owned(), "maze".to_owned()],
        seed: Seed(7),
        ..Lineup::default()
    };
    let lineup = lineup.with_settings(PARAMS, &kinds).unwrap();
    let rows = rows(&plan, &store);
    let (seeds, proofs) = (numbers(&rows, "seed"), numbers(&rows, "proof_length"));
    assert_eq!(texts(&rows, "status"), vec!["made"; 12]);
    for number in 0..12 {
        let world = lineup.generate(number, &kinds).unwrap();
        let name = format!("{:02}-{}.map", number + 1, world.kind);
        let list = world.queries(&name, 20, QuerySpread::Lengths).unwrap().unwrap();
        let (World::TileMap(map), World::Scenario(scenario)) = (list.map, list.queries) else {
            panic!("of tiles")
        };
        let read = |name: String| store.read(&format!("maps/{name}")).unwrap();
        assert_eq!(read(name.clone()), movingai_map::write(&map).unwrap());
        assert_eq!(read(format!("{name}.scen")), movingai_scen::write(&scenario).unwrap());
        assert_eq!(seeds[number as usize], world.seed.0 as f64);
        assert_eq!(proofs[number as usize], f64::from(world.prove().unwrap().length));
    }
}

#[test]
fn a_dataset_is_the_same_twice_whatever_its_shards_and_its_licence() {
    let products = |text: &str| {
        let job = of_worlds(text);
        let (plan, store, manifest) = job.run().unwrap();
        let verified = verify(&plan, &store, 20, 1, &Progress::default()).unwrap();
        assert_eq!(verified.faults, [""; 0]);
        let keys: Vec<String> = plan.shards.iter().map(|shard| shard.key.clone()).collect();
        let read = |name: &str| store.read(name).unwrap();
        (
            manifest.hash,
            read("queries.parquet"),
            read("maps/01-caves.map"),
            read("dataset.json"),
            keys,
        )
    };
    let one = products(OF_WORLDS);
    assert_eq!(one, products(OF_WORLDS));
    let other = products(&OF_WORLDS.replace("0.002", "60").replace("CC-BY-4.0", "CC0-1.0"));
    assert_eq!((&one.1, &one.2), (&other.1, &other.2));
    let free = products(&OF_WORLDS.replace("CC-BY-4.0", "CC0-1.0"));
    assert_eq!((one.0, one.4), (free.0, free.4));
    assert_ne!(one.3, free.3);
}

#[test]
fn a_manifest_can_be_cited() {
    let job = of_worlds(OF_WORLDS);
    let (_, store, manifest) = job.run().unwrap();
    let text = store.read("dataset.json").unwrap();
    let dataset: serde_json::Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(dataset["licence"], "CC-BY-4.0");
    assert_eq!(dataset["counts"]["maps"], 12);
    assert_eq!(dataset["counts"]["queries"], 240);
    assert_eq!(dataset["rows_hash"], manifest.hash);
    assert_eq!(dataset["kinds"][0]["parameters"]["width"]["to"], 56.0);
    let bibtex = dataset["bibtex"].as_str().unwrap();
    for part in ["@misc{set2026,", "A. Author and B. Author", "seed 7", &manifest.hash] {
        assert!(bibtex.contains(part), "{bibtex}");
    }
    for map in dataset["maps"].as_array().unwrap() {
        let bytes = store.read(map["file"].as_str().unwrap()).unwrap();
        assert_eq!(map["hash"], blake3::hash(&bytes).to_hex().as_str());
        assert!(store.size(map["world"]["scenario"].as_str().unwrap()).unwrap().is_some());
    }
}

/// Solves the queries of a dataset as `[queries]` reads them, and returns the statuses and lengths.
fn solved(folder: &std::path::Path, more: &str) -> (Vec<String>, Vec<f64>) {
    let text = format!("name = \"again\"\n[queries]\n{more}\n").replace("SET", "results/set");
    std::fs::write(folder.join("again.toml"), text).unwrap();
    let file = folder.join("again.toml");
    let plan = wayfare_shards::Plan::of(&file).unwrap();
    let store = wayfare_shards::Store::open(&plan.output(&file)).unwrap();
    for shard in 0..plan.shards.len() {
        wayfare_shards::solve(&plan, shard, &store, &Progress::default()).unwrap();
    }
    let rows = rows(&plan, &store);
    (texts(&rows, "status"), numbers(&rows, "length"))
}

fn assert_near(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (row, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() < 1e-3, "row {row}: {found} instead of {expected}");
    }
}

#[test]
fn queries_have_the_lengths_that_a_job_finds() {
    let job = of_worlds(OF_WORLDS);
    let (_, store, _) = job.run().unwrap();
    let list = store.rows("queries.parquet", 0, 1 << 40).unwrap();
    let (status, lengths) =
        solved(job.folder.path(), "from = [\"SET/queries.parquet\"]\nmaps = [\"SET/maps/*.map\"]");
    assert_eq!(status, vec!["found"; 240]);
    assert_near(&lengths, &numbers(&list, "optimal_length"));
    // Paths go from start to goal by moves as long as they say.
    let column = |name: &str| numbers(&list, name);
    let ends = [column("start_x"), column("start_y"), column("goal_x"), column("goal_y")];
    let paths = list[0].column_by_name("path").unwrap().as_list::<i32>();
    for row in 0..paths.len() {
        let path = paths.value(row);
        let path: Vec<f64> =
            path.as_primitive::<UInt32Type>().values().iter().map(|&it| f64::from(it)).collect();
        let last = path.len() - 2;
        assert_eq!(
            [path[0], path[1], path[last], path[last + 1]],
            [0, 1, 2, 3].map(|it| ends[it][row])
        );
        let moves = path.chunks(2).zip(path.chunks(2).skip(1));
        let length: f64 =
            moves.map(|(a, b)| ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt()).sum();
        assert!((length - lengths[row]).abs() < 1e-3, "row {row}: {length}");
    }
}

#[test]
fn worlds_of_blocks_stand_beside_those_of_tiles() {
    let text = "name = \"set\"\n[generate]\nkinds = [\"voxel-caves\", \"maze\"]\ncount = 4\n\
        queries = 10\nspread = \"places\"\n";
    let job = Job::new(text);
    let (plan, store, _) = job.run().unwrap();
    assert_eq!(texts(&rows(&plan, &store), "status"), vec!["made"; 4]);
    let kinds = Kinds::standard();
    let lineup = Lineup {
        count: 4,
        kinds: vec!["voxel-caves".to_owned(), "maze".to_owned()],
        seed: Seed(1),
        ..Lineup::default()
    };
    let world = lineup.generate(0, &kinds).unwrap();
    let list = world.queries("1-voxel-caves.3dmap", 10, QuerySpread::Places).unwrap().unwrap();
    let (World::Voxels(map), World::VoxelScenario(scenario)) = (list.map, list.queries) else {
        panic!("of blocks")
    };
    let read = |name: &str| store.read(&format!("maps/{name}")).unwrap();
    assert_eq!(read("1-voxel-caves.3dmap"), movingai_3dmap::write(&map).unwrap());
    let written = movingai_3dscen::write(&scenario).unwrap();
    assert_eq!(read("1-voxel-caves.3dmap.3dscen"), written);
    let list = store.rows("queries.parquet", 0, 1 << 40).unwrap();
    let maps = texts(&list, "map");
    let expected = numbers(&list, "optimal_length");
    let flown: BTreeSet<String> =
        ["1-voxel-caves.3dmap", "3-voxel-caves.3dmap"].map(|it| hash(&read(it))).into();
    let more = "from = [\"SET/queries.parquet\"]\nmaps = [\"SET/maps/*map\"]\nagent = \"flyer\"\n\
        agents = { flyer = \"abilities=fly\" }";
    let (_, lengths) = solved(job.folder.path(), more.replace("*map", "*.3dmap").as_str());
    let of_blocks = |all: &[f64]| -> Vec<f64> {
        maps.iter().zip(all).filter(|(map, _)| flown.contains(*map)).map(|(_, it)| *it).collect()
    };
    assert_eq!(of_blocks(&expected).len(), 20);
    assert_near(&of_blocks(&lengths), &of_blocks(&expected));
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

fn on_maps(more: &str) -> Job {
    Job::new(&format!(
        "name = \"set\"\nseed = 5\nshard-seconds = 0.01\n[generate]\n\
         maps = [\"WORLDS/city.map\", \"WORLDS/two-islands.txt\"]\n{more}\n"
    ))
}

#[test]
fn drawn_queries_are_connected_and_repeatable() {
    let job = on_maps("queries = 100_000\nlengths = false");
    let (plan, store, manifest) = job.run().unwrap();
    assert!(plan.shards.len() > 2);
    assert_eq!((manifest.rows, manifest.products), (200_000, vec!["dataset.json".to_owned()]));
    assert_eq!(manifest.hash, on_maps("queries = 100_000\nlengths = false").run().unwrap().2.hash);
    let verified = verify(&plan, &store, 500, 9, &Progress::default()).unwrap();
    assert_eq!(verified.faults, [""; 0]);
    let rows = rows(&plan, &store);
    let maps = texts(&rows, "map");
    let column = |name: &str| numbers(&rows, name);
    let [start_x, start_y] = [column("start_x"), column("start_y")];
    let [goal_x, goal_y] = [column("goal_x"), column("goal_y")];
    for name in ["city.map", "two-islands.txt"] {
        let file = worlds().join(name);
        let own = hash(&std::fs::read(&file).unwrap());
        let site = open(&file, &OpenOptions::default()).unwrap();
        let mut region = BTreeMap::new();
        site.for_each_free(&mut |free| _ = region.insert(free.state, free.region));
        let state = |x: f64, y: f64| site.find(&format!("{x},{y}")).unwrap();
        let mut seen = BTreeSet::new();
        let of_map = (0..maps.len()).filter(|&row| maps[row] == own);
        for row in of_map.clone() {
            let (start, goal) =
                (state(start_x[row], start_y[row]), state(goal_x[row], goal_y[row]));
            assert_ne!(start, goal);
            assert_eq!(region[&start], region[&goal], "row {row}");
            seen.extend([start, goal]);
        }
        assert_eq!(of_map.count(), 100_000);
        // All places are drawn where there are few, and most of many.
        let largest = regions(site.as_ref()).largest as usize;
        assert!(
            seen.len() * 10 > 6 * largest && seen.len() <= largest,
            "{} of {largest}",
            seen.len()
        );
    }
}

#[test]
fn drawn_queries_that_are_solved_have_the_lengths_that_a_job_finds() {
    let job = on_maps("queries = 150\npaths = true");
    let (plan, store, _) = job.run().unwrap();
    let rows = rows(&plan, &store);
    assert_eq!(texts(&rows, "status"), vec!["found"; 300]);
    let verified = verify(&plan, &store, 60, 9, &Progress::default()).unwrap();
    assert_eq!(verified.faults, [""; 0]);
    let maps = format!("maps = [\"{0}/city.map\", \"{0}/two-islands.txt\"]", worlds().display());
    let mut expected = numbers(&rows, "optimal_length");
    let (status, mut lengths) =
        solved(job.folder.path(), &format!("from = [\"SET/shards/*.parquet\"]\n{maps}"));
    assert_eq!(status, vec!["found"; 300]);
    // Shards are read in the order of their names.
    expected.sort_by(f64::total_cmp);
    lengths.sort_by(f64::total_cmp);
    assert_near(&lengths, &expected);
}

#[test]
fn faults_of_a_job_name_the_place_and_what_to_do() {
    let fault = |more: &str| of_worlds(&format!("name = \"s\"\n[generate]\n{more}\n")).fault();
    assert!(fault("queries = 5").contains("`count`"));
    let kind = fault("kinds = [\"jungle\"]\ncount = 3\nqueries = 5");
    assert!(kind.contains("`kinds`") && kind.contains("jungle"), "{kind}");
    assert!(fault("kinds = [\"level\"]\ncount = 3\nqueries = 5").contains("level has no queries"));
    assert!(fault("maps = [\"*.map\"]\nqueries = 5").contains("no file matches"));
    assert!(fault("maps = [\"WORLDS/maze.txt\"]\ncount = 3\nqueries = 5").contains("`count`"));
    assert!(fault("maps = [\"WORLDS/village.toml\"]\nqueries = 5").contains("maps of tiles"));
    let unsolved =
        fault("maps = [\"WORLDS/maze.txt\"]\nqueries = 5\nlengths = false\npaths = true");
    assert!(unsolved.contains("`paths`"), "{unsolved}");
    let job =
        Job::new("name = \"s\"\n[generate]\ncount = 2\nqueries = 5\nparams = \"samples.toml\"\n");
    std::fs::write(job.folder.path().join("samples.toml"), "[caves]\nwidth = 2\n").unwrap();
    assert!(job.fault().contains("samples.toml: 2:9: caves.width is 2"), "{}", job.fault());
}

#[test]
fn the_examples_have_shards() {
    let items = |name: &str| {
        let plan = example(name);
        assert!(plan.shards.len() > 2, "{:?}", plan.shards);
        plan.shards.iter().map(|shard| shard.count).sum::<u64>()
    };
    assert_eq!((items("dataset.toml"), items("million.toml")), (40, 1_000_000));
}

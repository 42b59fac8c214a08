//! Travel times: those of paths, whoever computes them.

mod common;

use arrow::array::{Array, AsArray};
use arrow::datatypes::Float32Type;
use common::{Job, numbers, rows, worlds};
use wayfare::search::AlgorithmId;
use wayfare_shards::{Progress, verify};
use wayfare_site::{Endpoints, OpenOptions, SearchRequest, open};

/// Returns the table, row by row; NaN where there is no way.
fn table(batches: &[arrow::record_batch::RecordBatch]) -> Vec<Vec<f32>> {
    let row = |times: std::sync::Arc<dyn Array>| {
        let times = times.as_primitive::<Float32Type>();
        times.iter().map(|time| time.unwrap_or(f32::NAN)).collect::<Vec<f32>>()
    };
    let of_batch = |batch: &arrow::record_batch::RecordBatch| {
        let times = batch.column_by_name("seconds").unwrap().as_list::<i32>().clone();
        times.iter().map(|times| row(times.unwrap())).collect::<Vec<_>>()
    };
    batches.iter().flat_map(of_batch).collect()
}

fn check(world: &str, places: usize, agent: &str) {
    let job = Job::new(&format!(
        "name = \"table\"\nseed = 3\nshard-seconds = 0.05\n[tables]\nworld = \"WORLDS/{world}\"\nplaces = {places}\nspeed = 2.0\nagent = \"{agent}\"\n"
    ));
    let (plan, store, manifest) = job.run().unwrap();
    let times = table(&rows(&plan, &store));
    assert_eq!((times.len(), manifest.rows), (places, places as u64));
    let list = store.rows("places.parquet", 0, 1 << 40).unwrap();
    let states: Vec<u32> = numbers(&list, "state").into_iter().map(|state| state as u32).collect();

    let mut site = open(worlds().join(world), &OpenOptions::default()).unwrap();
    if !agent.is_empty() {
        site.adapt(agent, 0).unwrap();
    }
    let mut searcher = site.searcher();
    for (to, row) in times.iter().enumerate() {
        assert_eq!(row.len(), places);
        assert_eq!(row[to], 0.0);
        for from in (to % 7..places).step_by(7) {
            let ends = Endpoints { start: states[from], goal: states[to] };
            let report = searcher.run(&SearchRequest::new(AlgorithmId::AStar, ends), &mut |_| ());
            let seconds = report.cost() as f64 / site.about().unit_cost / 2.0;
            assert!(report.is_found(), "{from} to {to}");
            let is_near = (f64::from(row[from]) - seconds).abs() < 1e-4 * seconds.max(1.0);
            assert!(is_near, "{from} to {to}: {} is not {seconds}", row[from]);
        }
    }
    assert_eq!(verify(&plan, &store, 5, 1, &Progress::default()).unwrap().faults, [""; 0]);
}

#[test]
fn times_on_a_map_are_those_of_paths() {
    check("city.map", 60, "");
    check("city.map", 20, "neighbours=4");
}

#[test]
fn times_among_waypoints_and_blocks_are_those_of_paths() {
    check("village.toml", 30, "");
    check("voxel-village.voxels", 20, "");
}

#[test]
fn a_table_of_a_map_has_a_picture() {
    let job = Job::new("name = \"t\"\n[tables]\nworld = \"WORLDS/city.map\"\nplaces = 9\n");
    let (_, store, manifest) = job.run().unwrap();
    assert_eq!(manifest.products, ["places.parquet", "map.png"]);
    assert!(store.read("map.png").unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn impossible_tables_are_refused() {
    let fault = |text: &str| Job::new(text).fault();
    let many = fault("name = \"t\"\n[tables]\nworld = \"WORLDS/maze.txt\"\nplaces = 1000000\n");
    assert!(many.contains("more than the"), "{many}");
    let world = fault("name = \"t\"\n[tables]\nworld = \"WORLDS/none.map\"\nplaces = 1\n");
    assert!(world.contains("none.map"), "{world}");
    let scene = fault("name = \"t\"\n[tables]\nworld = \"job.toml\"\nplaces = 1\n");
    assert_eq!(scene.matches("job.toml").count(), 1, "{scene}");
    assert!(scene.starts_with("job.toml:1:1: "), "{scene}");
    let slow =
        fault("name = \"t\"\n[tables]\nworld = \"WORLDS/maze.txt\"\nplaces = 2\nspeed = 0\n");
    assert!(slow.contains("`speed`"), "{slow}");
}

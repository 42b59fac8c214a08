//! Paths between listed places: right, repeatable, and honest about bad rows.

mod common;

use std::sync::Arc;

use arrow::array::{Float64Array, Int32Array, StringArray};
use arrow::datatypes::{DataType, Field, Schema};
use arrow::record_batch::RecordBatch;
use common::{Job, numbers, rows, texts, worlds};
use parquet::arrow::ArrowWriter;
use wayfare_formats::movingai_scen;
use wayfare_shards::{Progress, verify};

const OF_A_SCENARIO: &str =
    "name = \"cave\"\nshard-seconds = 0.0005\n[queries]\nfrom = [\"WORLDS/cave.map.scen\"]\n";

#[test]
fn lengths_are_those_of_the_scenario() {
    for world in ["cave", "city"] {
        let job = Job::new(&OF_A_SCENARIO.replace("cave.map", &format!("{world}.map")));
        let (plan, store, manifest) = job.run().unwrap();
        assert!(plan.shards.len() > 1, "{:?}", plan.shards);
        let list = std::fs::read(worlds().join(format!("{world}.map.scen"))).unwrap();
        let list = movingai_scen::read(&list).unwrap();
        let found = numbers(&rows(&plan, &store), "length");
        assert_eq!(found.len(), list.entries.len());
        assert_eq!(manifest.rows, found.len() as u64);
        for (row, (length, entry)) in found.iter().zip(&list.entries).enumerate() {
            let is_right = (length - entry.optimal_length).abs() < 0.01;
            assert!(is_right, "{world}, row {row}: {length} for {entry:?}");
        }
    }
}

#[test]
fn rows_do_not_depend_on_who_solves_them() {
    let one = Job::new(OF_A_SCENARIO).run().unwrap().2;
    let again = Job::new(OF_A_SCENARIO).run().unwrap().2;
    assert_eq!(one.hash, again.hash);
    // The same rows in other shards are another plan with another hash, of as many rows.
    let other = Job::new(&OF_A_SCENARIO.replace("0.0005", "60")).run().unwrap().2;
    assert_eq!((other.shards, other.rows), (1, one.rows));
}

#[test]
fn every_engine_finds_the_same_costs_and_lengths() {
    for world in ["cave", "city", "rooms"] {
        let found = |engine: &str| {
            let text = OF_A_SCENARIO.replace("WORLDS/cave.map.scen", &format!("{world}.map.scen"));
            let text = text.replace("0.0005", "60");
            let job = Job::new(&format!("{text}engine = \"{engine}\"\n"));
            for name in [format!("{world}.map"), format!("{world}.map.scen")] {
                let to = job.folder.path().join(&name);
                match std::fs::copy(worlds().join(&name), &to) {
                    Ok(_) => {}
                    Err(_) => std::fs::write(to, rooms(&name)).unwrap(),
                }
            }
            let (plan, store, _) = job.run().unwrap();
            let rows = rows(&plan, &store);
            assert!(texts(&rows, "status").iter().all(|status| status == "found"), "{world}");
            [numbers(&rows, "cost"), numbers(&rows, "length")]
        };
        let [costs, lengths] = found("jps");
        for engine in ["astar", "index"] {
            let [others, other_lengths] = found(engine);
            assert_eq!(costs, others, "{world}, {engine}");
            for (row, (one, other)) in lengths.iter().zip(&other_lengths).enumerate() {
                assert!((one - other).abs() < 1e-6, "{world}, {engine}, {row}: {one} and {other}");
            }
        }
    }
}

/// Returns a map of 15 × 15 rooms with doors, or queries from room to room.
fn rooms(name: &str) -> String {
    let (room, count) = (7, 15);
    let side = room * count + 1;
    if name.ends_with(".scen") {
        let mut list = "version 1\n".to_owned();
        for query in 0..120 {
            let at = |lot: u32| 1 + room * (lot * 7919 % count) + lot % 5;
            let [x, y, to_x, to_y] = [query, query + 31, query * 3 + 7, query * 5 + 2].map(at);
            list += &format!("0\trooms.map\t{side}\t{side}\t{x}\t{y}\t{to_x}\t{to_y}\t1\n");
        }
        return list;
    }
    let mut map = format!("type octile\nheight {side}\nwidth {side}\nmap\n");
    for y in 0..side {
        for x in 0..side {
            let on_wall = [x % room == 0, y % room == 0];
            let is_edge = x % (side - 1) == 0 || y % (side - 1) == 0;
            // A door in each wall, now here, now there.
            let lot = (x / room * 31 + y / room * 17) % 5 + 1;
            let is_door = match on_wall {
                [true, false] => y % room == lot,
                [false, true] => x % room == lot,
                [on_corner, _] => !on_corner,
            };
            map.push(if is_edge || !is_door { '@' } else { '.' });
        }
        map.push('\n');
    }
    map
}

/// Writes queries on the sample worlds as Parquet: map, start and goal.
fn write_queries(job: &Job, queries: &[(&str, [i32; 2], [f64; 2])]) {
    let column = |name: &str, kind| Field::new(name, kind, true);
    let schema = Schema::new(vec![
        column("map", DataType::Utf8),
        column("start_x", DataType::Int32),
        column("start_y", DataType::Int32),
        column("goal_x", DataType::Float64),
        column("goal_y", DataType::Float64),
    ]);
    let start = |axis: usize| Int32Array::from_iter_values(queries.iter().map(|it| it.1[axis]));
    let goal = |axis: usize| Float64Array::from_iter_values(queries.iter().map(|it| it.2[axis]));
    let maps = StringArray::from_iter_values(queries.iter().map(|it| it.0));
    let batch = RecordBatch::try_new(
        Arc::new(schema),
        vec![
            Arc::new(maps),
            Arc::new(start(0)),
            Arc::new(start(1)),
            Arc::new(goal(0)),
            Arc::new(goal(1)),
        ],
    );
    let batch = batch.unwrap();
    let file = std::fs::File::create(job.folder.path().join("queries.parquet")).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

const OF_PARQUET: &str = "name = \"some\"\n[queries]\nfrom = [\"queries.parquet\"]\nmaps = [\"WORLDS/*.txt\", \"WORLDS/cave.map\"]\npaths = true\n";

#[test]
fn a_bad_row_has_a_status_and_fails_nothing() {
    let job = Job::new(OF_PARQUET);
    write_queries(
        &job,
        &[
            ("maze.txt", [1, 1], [3.0, 1.0]),
            ("no such map", [1, 1], [3.0, 1.0]),
            ("maze.txt", [-5, 1], [3.0, 1.0]),
            ("maze.txt", [1, 1], [1e9, 1.0]),
            ("maze.txt", [1, 1], [f64::NAN, 1.0]),
            ("maze.txt", [1, 1], [1.5, 1.0]),
            ("maze.txt", [0, 0], [3.0, 1.0]),
        ],
    );
    let (plan, store, manifest) = job.run().unwrap();
    let rows = rows(&plan, &store);
    let status = texts(&rows, "status");
    assert_eq!(status[1..6], ["bad row"; 5], "{:?}", texts(&rows, "reason"));
    assert_eq!(texts(&rows, "reason")[1], "the job has no map 'no such map'");
    assert_eq!(texts(&rows, "reason")[2], "start: it is off the map");
    assert_eq!(texts(&rows, "reason")[4], "goal: a coordinate is missing or no number");
    assert!(
        status
            .iter()
            .zip(texts(&rows, "reason"))
            .all(|(status, why)| (status == "found") == why.is_empty())
    );
    assert_eq!(manifest.rows, 7);
}

#[test]
fn maps_are_known_by_name_and_by_hash_and_paths_are_kept() {
    let job = Job::new(OF_PARQUET);
    let hash = blake3::hash(&std::fs::read(worlds().join("cave.map")).unwrap()).to_hex();
    let list = std::fs::read(worlds().join("cave.map.scen")).unwrap();
    let entry = &movingai_scen::read(&list).unwrap().entries[40];
    let start = [entry.start.x as i32, entry.start.y as i32];
    let goal = [f64::from(entry.goal.x), f64::from(entry.goal.y)];
    write_queries(&job, &[(&hash, start, goal), ("cave.map", start, goal)]);
    let (plan, store, _) = job.run().unwrap();
    let lengths = numbers(&rows(&plan, &store), "length");
    assert!((lengths[0] - entry.optimal_length).abs() < 0.01, "{lengths:?}");
    assert_eq!(lengths[0], lengths[1]);
    let paths = store.rows(&format!("paths/{}.parquet", plan.shards[0].key), 0, 9).unwrap();
    let first =
        arrow::array::AsArray::as_list::<i32>(paths[0].column_by_name("states").unwrap()).value(0);
    let moves = first.len() as f64 - 1.0;
    assert!(moves <= lengths[0] && lengths[0] <= moves * 1.42, "{moves} moves for {lengths:?}");
}

#[test]
fn verification_sees_a_changed_row_and_a_missing_file() {
    let job = Job::new(OF_A_SCENARIO);
    let (plan, store, _) = job.run().unwrap();
    let look = || verify(&plan, &store, 100, 7, &Progress::default()).unwrap();
    let sound = look();
    assert_eq!((sound.faults.len(), sound.rows, sound.again), (0, 200, 100));

    // A shard's file in place of another one: whole, and wrong.
    let (one, other) = (plan.file_of(0), plan.file_of(1));
    let kept = store.read(&one).unwrap();
    store.write(&one, store.read(&other).unwrap()).unwrap();
    assert!(!look().faults.is_empty());
    // A bit that changed: it is noticed, or is of no row.
    let rows_of = || store.rows(&one, 0, 1 << 40).ok();
    store.write(&one, kept.clone()).unwrap();
    let rows = rows_of();
    let mut noticed = 0;
    for at in (4..kept.len()).step_by(kept.len() / 40) {
        let mut damaged = kept.to_vec();
        damaged[at] ^= 4;
        store.write(&one, damaged).unwrap();
        let is_noticed = !look().faults.is_empty();
        assert!(is_noticed || rows_of() == rows, "byte {at}");
        noticed += usize::from(is_noticed);
    }
    assert!(noticed > 10, "{noticed} of 40");
    store.remove(&one).unwrap();
    assert!(look().faults[0].contains("shard 0 is missing"));
    store.write(&one, kept).unwrap();
    assert_eq!(look().faults.len(), 0);
}

#[test]
fn half_a_file_is_solved_again() {
    let job = Job::new(OF_A_SCENARIO);
    let (plan, store, manifest) = job.run().unwrap();
    let whole = store.read(&plan.file_of(0)).unwrap();
    store.write(&plan.file_of(0), whole.slice(..whole.len() / 2)).unwrap();
    assert_eq!(job.run().unwrap().2, manifest);
}

#[test]
fn faults_of_a_job_name_the_place_and_what_to_do() {
    let fault = |text: &str| Job::new(text).fault();
    let typo =
        fault("name = \"x\"\n[queries]\nfrom = [\"WORLDS/cave.map.scen\"]\nengin = \"jps\"\n");
    assert!(
        typo.contains("job.toml") && typo.contains("line 4") && typo.contains("engin"),
        "{typo}"
    );
    assert!(fault("name = \"x\"\n").contains("the kind of work is missing"));
    let missing = fault("name = \"x\"\n[queries]\nfrom = [\"no.scen\"]\n");
    assert!(missing.contains("no.scen"), "{missing}");
    assert!(fault("name = \"x\"\n[queries]\nfrom = [\"*.scen\"]\n").contains("no file matches"));
    let engine = fault(
        "name = \"x\"\n[queries]\nfrom = [\"WORLDS/cave.map.scen\"]\nengine = \"teleport\"\n",
    );
    assert!(engine.contains("teleport"), "{engine}");
    let job = Job::new(OF_PARQUET);
    std::fs::write(job.folder.path().join("queries.parquet"), "not at all").unwrap();
    assert!(job.fault().contains("queries.parquet: it is no Parquet file"), "{}", job.fault());
}

#[test]
fn an_input_that_changed_after_the_plan_is_refused() {
    let job = Job::new("name = \"x\"\n[queries]\nfrom = [\"list.scen\"]\n");
    let copy = |name: &str, as_name: &str| {
        std::fs::copy(worlds().join(name), job.folder.path().join(as_name)).unwrap();
    };
    copy("cave.map", "cave.map");
    copy("cave.map.scen", "list.scen");
    let (plan, store) = (job.plan(), job.store());
    copy("city.map", "cave.map");
    let error = wayfare_shards::solve(&plan, 0, &store, &Progress::default()).unwrap_err();
    assert!(error.to_string().contains("another one than at the time of the plan"), "{error}");
}

//! Runs of scenes: those of a simulation played directly, however often they are interrupted.

mod common;

use std::process::{Child, Command};
use std::time::{Duration, Instant};

use arrow::array::AsArray;
use arrow::datatypes::{Float32Type, UInt64Type};
use arrow::record_batch::RecordBatch;
use common::{Job, numbers, rows, texts, worlds};
use wayfare_shards::{BatchError, Manifest, Plan, Progress, Store, solve, verify};
use wayfare_site::open_simulation;

/// A run has 300 ticks, of which 10 are between two checkpoints.
const EXITS: &str = "\
name = \"exits\"
[simulate]
scene = \"WORLDS/two-exits.toml\"
ticks = 300
checkpoint-ticks = 10
";

fn hashes(batches: &[RecordBatch]) -> Vec<u64> {
    let column = |batch: &RecordBatch| {
        let hashes = batch.column_by_name("hash").unwrap().as_primitive::<UInt64Type>().clone();
        hashes.values().to_vec()
    };
    batches.iter().flat_map(column).collect()
}

fn gone(batches: &[RecordBatch]) -> Vec<Vec<f32>> {
    let column = |batch: &RecordBatch| {
        let lists = batch.column_by_name("gone").unwrap().as_list::<i32>().clone();
        let one = |list: Option<arrow::array::ArrayRef>| {
            list.map_or(Vec::new(), |list| list.as_primitive::<Float32Type>().values().to_vec())
        };
        lists.iter().map(one).collect::<Vec<_>>()
    };
    batches.iter().flat_map(column).collect()
}

/// Returns the hash of a run that is played directly.
fn played(scene: &str, seed: u64, ticks: u64) -> u64 {
    let mut simulation = open_simulation(worlds().join(scene), Some(seed)).unwrap();
    (0..ticks).for_each(|_| _ = simulation.tick());
    simulation.hash()
}

#[test]
fn runs_are_those_of_simulations_played_directly() {
    let job = Job::new(&format!("seed = 5\nshard-seconds = 0.1\n{EXITS}seeds = 3\n"));
    let (plan, store, _) = job.run().unwrap();
    assert_eq!(plan.shards.len(), 3);
    let rows = rows(&plan, &store);
    assert_eq!(numbers(&rows, "seed"), [5.0, 6.0, 7.0]);
    assert_eq!(hashes(&rows), [5, 6, 7].map(|seed| played("two-exits.toml", seed, 300)));
    assert_eq!(numbers(&rows, "ticks"), [300.0; 3]);
    assert_eq!(numbers(&rows, "agents"), [90.0; 3]);
}

#[test]
fn rows_do_not_depend_on_who_plays_them() {
    // A baked level, a world of blocks, and waypoints.
    for scene in ["house.toml", "voxel-errands.toml", "footpaths.toml"] {
        let text = format!(
            "name = \"any\"\n[simulate]\nscene = \"WORLDS/{scene}\"\nticks = 60\nseeds = [3, 9]\n"
        );
        let (one, other) = (Job::new(&text), Job::new(&text.replace("any", "another")));
        let (plan, store, manifest) = one.run().unwrap();
        assert_eq!(hashes(&rows(&plan, &store))[1], played(scene, 9, 60), "{scene}");
        assert_eq!(manifest.hash, other.run().unwrap().2.hash, "{scene}");
        assert_eq!(verify(&plan, &store, 3, 1, &Progress::default()).unwrap().faults, [""; 0]);
    }
}

/// Ann walks a corridor of ten metres, Bob is removed after three seconds, Cy walks to and fro, and
/// Dan has no way.
const CORRIDOR: &str = r##"
scene = { name = "corridor", map = """
#############
#...........#
#...........#
#...........#
#############
#.#.........#
#############
""" }
simulation = { seconds = 20 }
events = [{ at = 3, remove = "Bob" }]
[[agents]]
name = "Ann"
at = [1, 1]
speed = 2
orders = [[11, 1]]
[[agents]]
name = "Bob"
at = [1, 2]
speed = 0.1
orders = [[11, 2]]
[[agents]]
name = "Cy"
at = [1, 3]
speed = 2
behaviours = [{ kind = "patrol", points = [[4, 3], [1, 3]], dwell = 1 }]
[[agents]]
name = "Dan"
at = [1, 5]
orders = [[5, 5]]
"##;

fn in_corridor(more: &str) -> Job {
    let job = Job::new(&format!("name = \"c\"\n[simulate]\nscene = \"corridor.toml\"\n{more}"));
    std::fs::write(job.folder.path().join("corridor.toml"), CORRIDOR).unwrap();
    job
}

#[test]
fn who_arrives_for_good_or_is_removed_is_gone() {
    let job = in_corridor("");
    let (plan, store, manifest) = job.run().unwrap();
    let rows = rows(&plan, &store);
    let count = |name: &str| numbers(&rows, name)[0];
    assert_eq!((count("agents"), count("arrived"), count("removed")), (4.0, 1.0, 1.0));
    assert!(count("cleared").is_nan());
    let gone = gone(&rows)[0].clone();
    assert!((gone[0] - 3.05).abs() < 0.051, "{gone:?}");
    // Ten metres at two metres a second, and a little to gain speed and to stop.
    assert!(gone.len() == 2 && (5.0..8.0).contains(&gone[1]), "{gone:?}");
    assert_eq!(texts(&rows, "status"), ["no way"]);
    assert!(texts(&rows, "reason")[0].starts_with("Dan: "), "{:?}", texts(&rows, "reason"));
    assert_eq!(manifest.products, ["curves.csv", "curves.png"]);
    let csv = String::from_utf8(store.read("curves.csv").unwrap().to_vec()).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "parameters,runs,share,q0,q10,q50,q90,q100");
    let half = format!("\"\",1,0.5{}", format!(",{:.3}", gone[1]).repeat(5));
    assert_eq!((lines.len(), lines[50], lines[51]), (101, half.as_str(), "\"\",1,0.51,,,,,"));
}

#[test]
fn all_combinations_of_parameters_are_played() {
    let job = in_corridor(
        "seeds = 2\n[simulate.parameters]\n\"agents.Ann.speed\" = [1.0, 2.0]\n\"simulation.jams\" = [false, true]\n",
    );
    let (plan, store, _) = job.run().unwrap();
    let rows = rows(&plan, &store);
    let parameters = texts(&rows, "parameters");
    assert_eq!(parameters.len(), 8);
    assert_eq!(parameters[2], "agents.Ann.speed=1.0, simulation.jams=true");
    let arrivals: Vec<f32> = gone(&rows).iter().map(|gone| gone[1]).collect();
    assert!(arrivals[..4].iter().all(|time| *time > 9.0), "{arrivals:?}");
    assert!(arrivals[4..].iter().all(|time| *time < 8.0), "{arrivals:?}");
    let csv = String::from_utf8(store.read("curves.csv").unwrap().to_vec()).unwrap();
    assert_eq!(csv.lines().count(), 401);
    assert_eq!(verify(&plan, &store, 8, 2, &Progress::default()).unwrap().faults, [""; 0]);
}

#[test]
fn a_parameter_may_be_another_world() {
    let job = Job::new(
        "name = \"w\"\n[simulate]\nscene = \"walk.toml\"\n[simulate.parameters]\n\"scene.world\" = [\"one.txt\", \"other.txt\"]\n",
    );
    let scene = "scene = { name = \"walk\", world = \"one.txt\" }\nagents = [{ name = \"Ann\", at = [0, 0], orders = [[2, 0]] }]\n";
    let write = |name: &str, text: &str| {
        std::fs::write(job.folder.path().join(name), text).unwrap();
    };
    write("walk.toml", scene);
    write("one.txt", "...\n...\n");
    write("other.txt", ".#.\n...\n");
    let (plan, store, _) = job.run().unwrap();
    let names = |shard: usize| {
        let inputs = plan.shards[shard].inputs.iter();
        inputs.map(|&input| plan.inputs[input].name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!([names(0), names(1)], [["walk.toml", "one.txt"], ["walk.toml", "other.txt"]]);
    let cleared = numbers(&rows(&plan, &store), "cleared");
    assert!(cleared[0] < cleared[1], "{cleared:?}");
}

#[test]
fn a_set_that_cannot_be_played_has_a_status_and_fails_nothing() {
    // The second value is a wall.
    let job = in_corridor("[simulate.parameters]\n\"agents.Dan.at.0\" = [3, 2]\n");
    let (plan, store, manifest) = job.run().unwrap();
    let rows = rows(&plan, &store);
    assert_eq!(texts(&rows, "status"), ["done", "fault"], "{:?}", texts(&rows, "reason"));
    assert!(texts(&rows, "reason")[1].starts_with("with agents.Dan.at.0=2: the"));
    assert!(numbers(&rows, "hash")[1].is_nan());
    assert_eq!(manifest.rows, 2);
}

#[test]
fn faults_of_a_job_name_the_place_and_what_to_do() {
    let fault = |more: &str| in_corridor(more).fault();
    let with = |part: &str| fault(&format!("[simulate.parameters]\n\"{part}\" = [1]\n"));
    let key = with("simulation.crowd");
    assert!(key.contains("corridor.toml: with simulation.crowd=1: unknown field"), "{key}");
    assert!(key.contains("unknown field `crowd`") && key.contains("jam_gain"), "{key}");
    let table = with("agent.Ann.count");
    assert!(table.contains("unknown field `agent`"), "{table}");
    let name = with("agents.Eve.count");
    assert!(name.contains("there is no 'Eve'") && name.contains("Ann, Bob, Cy, Dan"), "{name}");
    let value = with("simulation.policy");
    assert!(value.contains("with simulation.policy=1: wanted string or table"), "{value}");
    assert!(fault("[simulate.parameters]\n\"agents.Ann.speed\" = []\n").contains("is empty"));
    assert!(fault("seeds = 0\n").contains("`seeds`"));
    assert!(fault("ticks = 0\n").contains("`ticks`"));
    let no_scene = Job::new("name = \"x\"\n[simulate]\nscene = \"WORLDS/city.map\"\n").fault();
    assert!(no_scene.contains("city.map: this is no scene"), "{no_scene}");
    let no_agents = Job::new("name = \"x\"\n[simulate]\nscene = \"WORLDS/hills.toml\"\n").fault();
    assert!(no_agents.contains("the scene has no agents"), "{no_agents}");
    let missing = Job::new("name = \"x\"\n[simulate]\nscene = \"none.toml\"\n").fault();
    assert!(missing.contains("none.toml"), "{missing}");
}

/// Plays shards until `ticks` of them are played, and stops. Returns the ticks that were played.
fn play_for(plan: &Plan, store: &Store, ticks: u64) -> u64 {
    let progress = Progress::default();
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| solve(plan, 0, store, &progress));
        while progress.steps() < ticks && !worker.is_finished() {
            std::thread::sleep(Duration::from_micros(200));
        }
        progress.stop();
        assert!(matches!(worker.join().unwrap(), Err(BatchError::Stopped)), "after {ticks} ticks");
    });
    progress.steps()
}

/// Returns the files of checkpoints.
fn checkpoints(store: &Store) -> Vec<String> {
    store.list("checkpoints").unwrap().into_iter().map(|entry| entry.name).collect()
}

/// Three runs of 300 ticks in one shard.
fn three_runs() -> (Job, Plan, Store) {
    let job = Job::new(&format!("{EXITS}seeds = 3\n"));
    let (plan, store) = (job.plan(), job.store());
    assert_eq!(plan.shards.len(), 1);
    (job, plan, store)
}

#[test]
fn a_shard_that_is_stopped_goes_on_from_there() {
    let (_undisturbed, plan, store) = three_runs();
    let expected = solve(&plan, 0, &store, &Progress::default()).unwrap();
    assert_eq!(checkpoints(&store), [""; 0]);

    let (_job, plan, store) = three_runs();
    let mut played = 0;
    // In the first run, at its end, and within the others.
    for ticks in [1, 93, 205, 1, 170, 150] {
        played += play_for(&plan, &store, ticks);
        assert_eq!(checkpoints(&store), [format!("checkpoints/{}", plan.shards[0].key)]);
    }
    let progress = Progress::default();
    let solved = solve(&plan, 0, &store, &progress).unwrap();
    assert_eq!(solved.digest, expected.digest);
    // Each tick was played once.
    assert_eq!(played + progress.steps(), 900);
    assert_eq!((progress.done(), checkpoints(&store).len()), (3, 0));
    assert_eq!(Manifest::write(&plan, &store).unwrap().rows, 3);
}

#[test]
fn a_checkpoint_that_is_damaged_or_of_others_is_ignored() {
    let (_job, plan, store) = three_runs();
    let name = format!("checkpoints/{}", plan.shards[0].key);
    play_for(&plan, &store, 350);
    let sound = store.read(&name).unwrap();
    let other = Job::new(&format!("{EXITS}seeds = [1, 2, 4]\n"));
    let (other_plan, other_store) = (other.plan(), other.store());
    play_for(&other_plan, &other_store, 350);
    let foreign = other_store.read(&checkpoints(&other_store)[0]).unwrap();
    let mut damaged = sound.to_vec();
    damaged[sound.len() / 2] ^= 1;
    let (half, none) = (sound[..sound.len() / 2].to_vec(), Vec::new());
    let mut digests = Vec::new();
    for bytes in [foreign.to_vec(), damaged, half, none] {
        store.write(&name, bytes).unwrap();
        store.remove(&plan.file_of(0)).unwrap();
        let progress = Progress::default();
        digests.push(solve(&plan, 0, &store, &progress).unwrap().digest);
        assert_eq!(progress.steps(), 900);
    }
    // The sound one is not ignored.
    store.write(&name, sound).unwrap();
    store.remove(&plan.file_of(0)).unwrap();
    let progress = Progress::default();
    digests.push(solve(&plan, 0, &store, &progress).unwrap().digest);
    assert!(progress.steps() < 560, "{} ticks", progress.steps());
    assert!(digests.iter().all(|digest| *digest == digests[0]), "{digests:?}");
}

#[test]
fn a_checkpoint_that_is_left_is_removed_at_the_end() {
    let (job, plan, store) = three_runs();
    play_for(&plan, &store, 40);
    let name = checkpoints(&store).remove(0);
    let left = store.read(&name).unwrap();
    solve(&plan, 0, &store, &Progress::default()).unwrap();
    // As after a kill between the shard's file and the removal.
    store.write(&name, left).unwrap();
    let progress = Progress::default();
    assert!(solve(&plan, 0, &store, &progress).unwrap().was_there);
    assert_eq!(progress.steps(), 0);
    let hash = Manifest::write(&plan, &store).unwrap().hash;
    assert_eq!(checkpoints(&store), [""; 0]);
    assert_eq!(verify(&plan, &store, 2, 1, &Progress::default()).unwrap().faults, [""; 0]);
    assert_eq!(checkpoints(&store), [""; 0]);
    assert_eq!(job.run().unwrap().2.hash, hash);
}

/// Starts the test below in a process of its own, as a worker on a job whose faults are ordered in
/// the job's folder.
fn start(job: &Job) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "a_worker_that_is_killed_loses_what_came_after_its_checkpoint"]);
    command.env("WAYFARE_JOB", &job.file).env("WAYFARE_FAULTS", job.folder.path());
    command.spawn().unwrap()
}

/// Kills a worker that waits at a tick of the first run.
fn kill_at(job: &Job, tick: u64) {
    std::fs::write(job.folder.path().join("tick-0"), format!("wait {tick}")).unwrap();
    let mut worker = start(job);
    let sign = job.folder.path().join("tick-0.waiting");
    let begun = Instant::now();
    while !sign.exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "tick {tick} did not come");
        assert!(worker.try_wait().unwrap().is_none(), "it ended before tick {tick}");
        std::thread::sleep(Duration::from_millis(5));
    }
    worker.kill().unwrap();
    worker.wait().unwrap();
    std::fs::remove_file(sign).unwrap();
}

#[test]
fn a_worker_that_is_killed_loses_what_came_after_its_checkpoint() {
    if let Some(file) = std::env::var_os("WAYFARE_JOB") {
        // The worker: it waits at a tick, and is killed there.
        let plan = Plan::of(file.as_ref()).unwrap();
        let store = Store::open(&plan.output(file.as_ref())).unwrap();
        solve(&plan, 0, &store, &Progress::default()).unwrap();
        return;
    }
    let (_undisturbed, plan, store) = three_runs();
    let expected = solve(&plan, 0, &store, &Progress::default()).unwrap();
    let (job, plan, store) = three_runs();
    for tick in [137, 145, 299] {
        kill_at(&job, tick);
    }
    let progress = Progress::default();
    assert_eq!(solve(&plan, 0, &store, &progress).unwrap().digest, expected.digest);
    // The last checkpoint was after tick 290 of the first run.
    assert_eq!(progress.steps(), 10 + 600);
    assert_eq!(checkpoints(&store), [""; 0]);
}

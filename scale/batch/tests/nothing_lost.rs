//! Whatever is killed, the rows are the same in the end.
//!
//! Real processes on loopback. Faults are ordered by tokens, so that a kill hits where it should.

mod common;

use std::time::{Duration, Instant};

use common::{Job, Process, Scheduler};

/// A table of the city in some twenty shards of a moment each.
const JOB: &str = "\
name = \"job\"
shard-seconds = 0.1
[tables]
world = \"WORLDS/city.map\"
places = 200
";

/// Returns the hash of the job when nothing happens.
fn undisturbed() -> String {
    Job::new(JOB).run(&["run", "job.toml"]).hash()
}

fn workers(scheduler: &Scheduler, job: &Job, count: usize) -> Vec<Process> {
    (0..count).map(|_| scheduler.worker(job)).collect()
}

/// Ends a worker by its process, as `kill -9`.
fn kill(workers: &mut Vec<Process>, id: u32) {
    let at = workers.iter().position(|worker| worker.id() == id).unwrap();
    workers.remove(at).kill();
}

#[test]
fn any_number_of_workers_gives_the_same_rows() {
    let hash = undisturbed();
    for count in 1..=3 {
        let job = Job::new(JOB);
        let scheduler = Scheduler::begin(&job);
        let _workers = workers(&scheduler, &job, count);
        let ended = scheduler.submit(&job).ended();
        assert_eq!(ended.hash(), hash, "{count} workers");
        assert_eq!(job.run(&["verify", "job.toml", "--sample", "20"]).code, Some(0));
    }
}

#[test]
fn a_worker_that_is_killed_within_a_shard_loses_nothing() {
    let hash = undisturbed();
    let job = Job::new(JOB);
    job.order("begun-3", "wait");
    let scheduler = Scheduler::begin(&job);
    let mut workers = workers(&scheduler, &job, 2);
    let run = scheduler.submit(&job);
    let hit = job.waiting("begun-3");
    kill(&mut workers, hit);
    job.release("begun-3");
    assert_eq!(run.ended().hash(), hash);
}

#[test]
fn a_worker_that_is_killed_once_it_has_written_loses_nothing() {
    let hash = undisturbed();
    let job = Job::new(JOB);
    job.order("written-2", "wait");
    let scheduler = Scheduler::begin(&job);
    let mut workers = workers(&scheduler, &job, 2);
    let run = scheduler.submit(&job);
    let hit = job.waiting("written-2");
    let there = job.shards();
    kill(&mut workers, hit);
    job.release("written-2");
    assert_eq!(run.ended().hash(), hash);
    // What was written is not written again.
    let now = job.shards();
    assert!(there.iter().all(|file| now.contains(file)), "{there:?}\n{now:?}");
}

#[test]
fn a_store_that_fails_is_tried_again() {
    let hash = undisturbed();
    let job = Job::new(JOB);
    for fault in ["solved-0", "solved-1", "begun-5"] {
        job.order(fault, "fail");
    }
    let scheduler = Scheduler::begin(&job);
    let _workers = workers(&scheduler, &job, 2);
    assert_eq!(scheduler.submit(&job).ended().hash(), hash);
    // On threads, too.
    let job = Job::new(JOB);
    job.order("solved-4", "fail");
    let ended = job.run(&["run", "job.toml"]);
    assert!(ended.complaints.contains("trying again"), "{ended:?}");
    assert_eq!(ended.hash(), hash);
}

#[test]
fn after_a_scheduler_is_killed_only_missing_shards_are_solved() {
    let hash = undisturbed();
    let job = Job::new(JOB);
    job.order("begun-9", "wait");
    let scheduler = Scheduler::begin(&job);
    let mut first = workers(&scheduler, &job, 1);
    let run = scheduler.submit(&job);
    job.waiting("begun-9");
    let there = job.shards();
    scheduler.process.kill();
    let ended = run.ended();
    assert_eq!(ended.code, Some(5), "{ended:?}");
    first.pop().unwrap().kill();
    job.release("begun-9");

    let scheduler = Scheduler::begin(&job);
    let _workers = workers(&scheduler, &job, 2);
    assert_eq!(scheduler.submit(&job).ended().hash(), hash);
    let now = job.shards();
    assert!(!there.is_empty() && there.len() < now.len());
    assert!(there.iter().all(|file| now.contains(file)), "{there:?}\n{now:?}");
}

#[test]
fn without_any_worker_left_the_job_ends_with_an_error() {
    let job = Job::new(JOB);
    job.order("begun-4", "wait");
    let scheduler = Scheduler::begin(&job);
    let workers = workers(&scheduler, &job, 1);
    let run = scheduler.submit(&job);
    job.waiting("begun-4");
    let begun = Instant::now();
    workers.into_iter().for_each(Process::kill);
    let ended = run.ended();
    assert_eq!(ended.code, Some(5), "{ended:?}");
    // 5 s until it counts as lost, 10 s of grace.
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
}

#[test]
fn a_worker_that_comes_back_takes_part() {
    let hash = undisturbed();
    let job = Job::new(JOB);
    job.order("begun-4", "wait");
    let scheduler = Scheduler::begin(&job);
    let mut workers = workers(&scheduler, &job, 1);
    let run = scheduler.submit(&job);
    let hit = job.waiting("begun-4");
    kill(&mut workers, hit);
    job.release("begun-4");
    let _back = scheduler.worker(&job);
    assert_eq!(run.ended().hash(), hash);
}

#[test]
fn a_run_that_is_killed_goes_on_where_it_stopped() {
    let hash = undisturbed();
    let job = Job::new(JOB);
    job.order("begun-6", "wait");
    let run = job.begin(&["run", "job.toml", "--threads", "1"]);
    job.waiting("begun-6");
    let there = job.shards();
    run.kill();
    let status = job.run(&["status", "job.toml"]);
    assert_eq!(status.code, Some(1), "{status:?}");
    assert!(status.field("done").starts_with(&format!("{} of", there.len())), "{status:?}");
    job.release("begun-6");
    assert_eq!(job.run(&["run", "job.toml"]).hash(), hash);
    let now = job.shards();
    assert!(there.iter().all(|file| now.contains(file)));
    assert_eq!(job.run(&["status", "job.toml"]).hash(), hash);
}

#[test]
fn a_full_disk_is_an_error_that_leaves_nothing_half_written() {
    let hash = undisturbed();
    let job = Job::new(JOB);
    // Room for the plan and not for a shard.
    assert_eq!(job.run(&["plan", "job.toml"]).code, Some(0));
    let ended = job.begin_on_a_full_disk(4, &["run", "results/job"]).ended();
    assert_eq!(ended.code, Some(5), "{ended:?}");
    assert!(ended.complaints.contains("results/job/shards/"), "{ended:?}");
    assert!(job.shards().is_empty());
    assert_eq!(job.run(&["run", "job.toml"]).hash(), hash);
    let folder = std::fs::read_dir(job.path("results/job/shards")).unwrap();
    let left = folder.map(|file| file.unwrap().file_name().into_string().unwrap());
    let left: Vec<String> = left.filter(|name| !name.ends_with(".parquet")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn shards_by_number_give_the_same_job() {
    let hash = undisturbed();
    let job = Job::new(JOB);
    let planned = job.run(&["plan", "job.toml"]);
    let count = planned.field("work").rsplit(' ').nth(1).unwrap().parse::<usize>().unwrap();
    assert!(count > 9, "{planned:?}");
    for shard in (0..count).rev() {
        let ended = job.run(&["run-shard", "results/job", &shard.to_string()]);
        assert_eq!(ended.code, Some(0), "{ended:?}");
    }
    let ended = job.run(&["run", "job.toml"]);
    assert!(ended.field("solved").contains("nothing was missing"), "{ended:?}");
    assert_eq!(ended.hash(), hash);
    let beyond = job.run(&["run-shard", "results/job", "1000"]);
    assert_eq!(beyond.code, Some(3), "{beyond:?}");
}

#[test]
fn poisoned_rows_have_a_status_and_fail_nothing() {
    // Of the queries of the cave every seventh names a map that the job does not have.
    let list = std::fs::read_to_string(common::worlds().join("cave.map.scen")).unwrap();
    let poison = |(row, line): (usize, &str)| match row % 7 {
        3 => line.replace("cave.map", "nowhere.map") + "\n",
        _ => line.to_owned() + "\n",
    };
    let list: String = list.lines().enumerate().map(poison).collect();
    let text = "name = \"job\"\nshard-seconds = 0.0005\n[queries]\nfrom = [\"list.scen\"]\nmaps = [\"WORLDS/cave.map\"]\n";
    let new = || {
        let job = Job::new(text);
        std::fs::write(job.path("list.scen"), &list).unwrap();
        job
    };
    let alone = new().run(&["run", "job.toml"]);
    let bad = alone.out.lines().find(|line| line.contains("bad row")).unwrap();
    assert!(bad.contains("the job has no map 'nowhere.map'") && bad.contains(" 29 "), "{alone:?}");
    let job = new();
    let scheduler = Scheduler::begin(&job);
    let _workers = workers(&scheduler, &job, 2);
    assert_eq!(scheduler.submit(&job).ended().hash(), alone.hash());
}

#[test]
fn after_ctrl_c_the_same_command_goes_on() {
    let hash = undisturbed();
    let job = Job::new(JOB);
    job.order("begun-5", "wait");
    let run = job.begin(&["run", "job.toml", "--threads", "1"]);
    job.waiting("begun-5");
    let interrupt = format!("kill -INT {}", run.id());
    assert!(
        std::process::Command::new("bash").args(["-c", &interrupt]).status().unwrap().success()
    );
    std::thread::sleep(Duration::from_millis(200));
    job.release("begun-5");
    let ended = run.ended();
    assert_eq!(ended.code, Some(130), "{ended:?}");
    assert!(ended.complaints.contains("the same command goes on from here"), "{ended:?}");
    assert_eq!(job.shards().len(), 5);
    assert_eq!(job.run(&["run", "job.toml"]).hash(), hash);
}

#[test]
fn a_simulation_that_is_killed_goes_on_from_its_checkpoint() {
    let text = "\
name = \"job\"
shard-seconds = 1000
[simulate]
scene = \"WORLDS/two-exits.toml\"
seeds = 2
ticks = 400
checkpoint-ticks = 60
";
    let hash = Job::new(text).run(&["run", "job.toml"]).hash();
    // A tick of the second run, so that the first one is over.
    let tick = 61 + u64::from(std::process::id()) % 300;
    let job = Job::new(text);
    job.order("tick-0", &format!("wait {tick}"));
    let scheduler = Scheduler::begin(&job);
    let mut workers = workers(&scheduler, &job, 1);
    let run = scheduler.submit(&job);
    let hit = job.waiting("tick-0");
    let checkpoints = || std::fs::read_dir(job.path("results/job/checkpoints")).unwrap().count();
    assert_eq!(checkpoints(), 1, "killed at tick {tick}");
    let _other = scheduler.worker(&job);
    kill(&mut workers, hit);
    job.release("tick-0");
    assert_eq!(run.ended().hash(), hash, "killed at tick {tick}");
    assert_eq!(checkpoints(), 0);
}

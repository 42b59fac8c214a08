//! What each command does.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::CommandFactory;
use wayfare_shards::{
    BatchError, Manifest, Plan, Progress, Solved, Store, Verified, all_solved, verify,
};

use crate::args::{Cli, Command, JobArgs, RunArgs, RunShardArgs, VerifyArgs};
use crate::cluster;
use crate::failure::{Exit, Failure};
use crate::printer::{Bar, counted, duration, field, grouped, line, say};
use crate::{summary, threads};

pub(crate) fn run(cli: &Cli) -> Result<Exit, Failure> {
    match &cli.command {
        Command::Plan(args) => plan(args),
        Command::Run(args) => run_all(args),
        Command::RunShard(args) => run_shards(args),
        Command::Status(args) => status(args),
        Command::Verify(args) => check(args),
        Command::Scheduler(args) => cluster::scheduler(args),
        Command::Worker(args) => cluster::worker(args),
        Command::Completions(args) => {
            let mut command = Cli::command();
            clap_complete::generate(
                args.shell,
                &mut command,
                "wayfare-batch",
                &mut std::io::stdout(),
            );
            Ok(Exit::Done)
        }
    }
}

/// A job's results, and its plan.
struct Opened {
    store: Store,
    plan: Plan,
}

/// Plans a job, or takes the plan that is there if the job has not changed.
fn planned(args: &JobArgs) -> Result<Opened, Failure> {
    if !args.job.ends_with(".toml") {
        return opened(args);
    }
    let file = Path::new(&args.job);
    let plan = Plan::of(file)?;
    let store = Store::open(&plan.output(file))?;
    match Plan::read(&store) {
        Ok(there) if there == plan => {}
        Ok(_) => {
            say(
                "the job or its inputs have changed since the last plan; shards that are the same are kept",
            );
            plan.write(&store)?;
        }
        Err(_) => plan.write(&store)?,
    }
    Ok(Opened { store, plan })
}

/// Returns the plan of results that are there.
fn opened(args: &JobArgs) -> Result<Opened, Failure> {
    let address = match args.job.strip_suffix(".toml") {
        Some(_) => {
            let file = Path::new(&args.job);
            let text = std::fs::read_to_string(file)
                .map_err(|error| BatchError::faulty(file.display(), error))?;
            wayfare_shards::Job::parse(&text, file)?.output(file)
        }
        None => args.job.clone(),
    };
    let is_missing = !address.contains("://") && !Path::new(&address).is_dir();
    if is_missing {
        let problem =
            "there are no results yet; `wayfare batch plan` and `run` take the job's .toml file";
        return Err(BatchError::faulty(address, problem).into());
    }
    let store = Store::open(&address)?;
    let plan = Plan::read(&store)?;
    Ok(Opened { store, plan })
}

fn plan(args: &JobArgs) -> Result<Exit, Failure> {
    let Opened { store, plan } = planned(args)?;
    describe(&plan, &store)?;
    Ok(Exit::Done)
}

fn describe(plan: &Plan, store: &Store) -> Result<(), Failure> {
    field("job", format_args!("{} ({})", plan.job.name, plan.job.kind_name()))?;
    field("results", store.address())?;
    let bytes: u64 = plan.inputs.iter().map(|input| input.bytes).sum();
    field(
        "inputs",
        format_args!("{}, {} bytes", counted(plan.inputs.len() as u64, "file"), grouped(bytes)),
    )?;
    let items = plan.shards.iter().map(|shard| shard.count).sum();
    let shards = counted(plan.shards.len() as u64, "shard");
    field("work", format_args!("{} {} in {shards}", grouped(items), plan.job.items()))?;
    field("estimate", format_args!("{} of one core", duration(plan.seconds())))
}

fn missing(known: &[Option<Solved>]) -> Vec<usize> {
    (0..known.len()).filter(|&shard| known[shard].is_none()).collect()
}

fn run_all(args: &RunArgs) -> Result<Exit, Failure> {
    let progress = stopping()?;
    let Opened { store, plan } = planned(&args.job)?;
    describe(&plan, &store)?;
    let missing = missing(&all_solved(&plan, &store)?);
    if missing.len() < plan.shards.len() {
        let there = plan.shards.len() - missing.len();
        field("there", counted(there as u64, "shard"))?;
    }
    let begun = Instant::now();
    if !missing.is_empty() {
        match &args.cluster {
            Some(address) => cluster::run(address, &plan, &missing, &store, &progress)?,
            None => on_threads(args, &plan, &missing, &store, &progress)?,
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    let manifest = Manifest::write(&plan, &store)?;
    let solved: u64 = missing.iter().map(|&shard| plan.shards[shard].count).sum();
    let rate = solved as f64 / seconds.max(1e-3);
    let speed = format!("{} in {}, {rate:.0} a second", grouped(solved), duration(seconds));
    field("solved", if missing.is_empty() { "nothing was missing".to_owned() } else { speed })?;
    for product in &manifest.products {
        field("made", store.address_of(product))?;
    }
    let summary = summary::of(&plan, &store)?;
    for text in &summary.lines {
        line(text)?;
    }
    field("rows", grouped(manifest.rows))?;
    field("hash", &manifest.hash)?;
    if summary.wrong > 0 {
        let rows = counted(summary.wrong, "row");
        say(format_args!(
            "error: {rows} show a defect of an engine: their cost or path is wrong; please report this"
        ));
        return Ok(Exit::Wrong);
    }
    Ok(Exit::Done)
}

fn on_threads(
    args: &RunArgs,
    plan: &Plan,
    missing: &[usize],
    store: &Store,
    progress: &Progress,
) -> Result<(), Failure> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.threads.map_or(cores, usize::from);
    let items = missing.iter().map(|&shard| plan.shards[shard].count).sum();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let bar = Bar::new(items, plan.job.items());
            while !is_over.load(Ordering::Relaxed) {
                bar.set(progress.done(), &plan.job.name);
                std::thread::park_timeout(Duration::from_millis(100));
            }
        });
        let solved = threads::solve_all(plan, missing, store, threads, progress, &|_| ());
        is_over.store(true, Ordering::Relaxed);
        Ok(solved?)
    })
}

fn run_shards(args: &RunShardArgs) -> Result<Exit, Failure> {
    let progress = stopping()?;
    let Opened { store, plan } = opened(&args.job)?;
    let told = std::sync::Mutex::new(());
    threads::solve_all(&plan, &args.shards, &store, 1, &progress, &|solved| {
        let _one_at_a_time = told.lock();
        say(sentence(solved));
    })?;
    Ok(Exit::Done)
}

fn sentence(solved: &Solved) -> String {
    let Solved { shard, rows, seconds, .. } = solved;
    if solved.was_there {
        format!("shard {shard} was there: {}", counted(*rows, "row"))
    } else {
        format!("shard {shard}: {} in {}", counted(*rows, "row"), duration(*seconds))
    }
}

fn status(args: &JobArgs) -> Result<Exit, Failure> {
    let Opened { store, plan } = opened(args)?;
    describe(&plan, &store)?;
    let known = all_solved(&plan, &store)?;
    let solved: Vec<&Solved> = known.iter().flatten().collect();
    let items: u64 = solved.iter().map(|it| plan.shards[it.shard].count).sum();
    let all: u64 = plan.shards.iter().map(|shard| shard.count).sum();
    field(
        "done",
        format_args!(
            "{} of {} shards, {} of {} {}",
            solved.len(),
            plan.shards.len(),
            grouped(items),
            grouped(all),
            plan.job.items()
        ),
    )?;
    // The rate of the work so far: from when its first files were written to its last.
    let written = store.list("shards")?;
    let times = || written.iter().map(|entry| entry.modified);
    let seconds: f64 = solved.iter().map(|it| it.seconds).sum();
    if let (Some(first), Some(last)) = (times().min(), times().max()) {
        let slowest = solved.iter().max_by(|one, other| one.seconds.total_cmp(&other.seconds));
        let longest = slowest.map_or(0.0, |it| it.seconds);
        let span = last.duration_since(first).unwrap_or_default().as_secs_f64() + longest;
        let rate = items as f64 / span.max(1e-3);
        field(
            "rate",
            format_args!(
                "{rate:.0} {} a second, {:.1} cores",
                plan.job.items(),
                seconds / span.max(1e-3)
            ),
        )?;
        if items < all {
            field("left", format_args!("{} at that rate", duration((all - items) as f64 / rate)))?;
        }
        if let Some(slowest) = slowest {
            field(
                "slowest",
                format_args!("shard {}: {}", slowest.shard, duration(slowest.seconds)),
            )?;
        }
    }
    match Manifest::read(&store)? {
        Some(manifest) if solved.len() == plan.shards.len() => {
            field("hash", &manifest.hash)?;
            Ok(Exit::Done)
        }
        _ => Ok(Exit::Incomplete),
    }
}

fn check(args: &VerifyArgs) -> Result<Exit, Failure> {
    let Opened { store, plan } = opened(&args.job)?;
    let progress = stopping()?;
    let Verified { rows, again, faults } =
        verify(&plan, &store, args.sample, args.seed, &progress)?;
    field("hashed", counted(rows, "row"))?;
    field("solved", format_args!("{} again", counted(again, "row")))?;
    for fault in &faults {
        say(format_args!("wrong: {fault}"));
    }
    field("wrong", faults.len())?;
    Ok(if faults.is_empty() { Exit::Done } else { Exit::Wrong })
}

/// Returns progress that Ctrl-C stops; a second one ends the program at once.
fn stopping() -> Result<Arc<Progress>, Failure> {
    let progress = Arc::new(Progress::default());
    let stopped = progress.clone();
    let handler = move || {
        if stopped.is_stopped() {
            std::process::exit(Exit::Stopped as i32);
        }
        say("stopping; the same command goes on from here");
        stopped.stop();
    };
    // Without a handler the signal ends the program at once, which loses shards under way alone.
    let _ = ctrlc::set_handler(handler);
    Ok(progress)
}

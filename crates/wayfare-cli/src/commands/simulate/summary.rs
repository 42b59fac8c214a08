//! The printed summary of a simulation.

use std::path::{Path, PathBuf};

use serde::Serialize;
use wayfare::agent::AgentId;
use wayfare_site::SimulationSession;

use super::drive::Recording;
use crate::args::SimulateArgs;
use crate::failure::Failure;
use crate::report::{Align, Printer, Table, counted, decimals, grouped, rounded, tidy};

/// The document that `--format json` prints.
#[derive(Serialize)]
struct Document<'r> {
    scene: &'r Path,
    name: &'r str,
    seed: u64,
    tick_seconds: f32,
    from_tick: u64,
    ticks: u64,
    seconds: f64,
    agents: Vec<AgentLine<'r>>,
    expansions: u64,
    requests: u64,
    latency_ticks_p50: u32,
    latency_ticks_p99: u32,
    hash: String,
    hashes: Vec<HashLine>,
    snapshot: Option<&'r Path>,
    fault: Option<&'r str>,
    /// The puzzles that agents have no plan for, each with the reason.
    unsolved: Vec<String>,
    time_us: f64,
    outputs: &'r [PathBuf],
}

#[derive(Serialize)]
struct AgentLine<'r> {
    name: &'r str,
    team: &'r str,
    activity: &'r str,
    walked: f64,
    arrivals: u64,
    links: u64,
    no_paths: u64,
}

#[derive(Serialize)]
struct HashLine {
    tick: u64,
    hash: String,
}

/// More agents than this are summed up in one line a team.
const MOST_LISTED: usize = 24;

pub(super) fn print(
    args: &SimulateArgs,
    simulation: &dyn SimulationSession,
    begin: u64,
    recording: &Recording,
    printer: &mut Printer,
) -> Result<(), Failure> {
    if printer.is_json() {
        return print_json(args, simulation, begin, recording, printer);
    }
    if args.hash {
        // The hashes are all that is wanted.
        return finish(args, simulation, recording, printer);
    }
    let ticks = simulation.now() - begin;
    let mut length = format!(
        "{} of {} ms, {} s",
        counted(ticks, "tick"),
        tidy(f64::from(simulation.settings().tick_seconds) * 1000.0),
        tidy(simulation.seconds())
    );
    if begin > 0 {
        length = format!("{length}, from tick {begin} on");
    }
    printer
        .field("scene", format!("{} ({})", args.scene.display(), simulation.scene().scene.name))?;
    printer.field("length", length)?;
    printer.field("agents", grouped(recording.walks.len() as u64))?;
    let stats = simulation.planner_stats();
    let planner = format!(
        "{} answered with {} expansions, {} shared; in {} ticks (half of them), {} (99 of 100)",
        counted(stats.done, "request"),
        grouped(stats.expansions),
        grouped(stats.coalesced),
        stats.latency.percentile(0.5),
        stats.latency.percentile(0.99),
    );
    printer.field("paths", planner)?;
    let agent_ticks = (ticks * recording.walks.len() as u64).max(1) as f64;
    let us = recording.elapsed.as_secs_f64() * 1e6;
    let each = decimals(us / agent_ticks, 2);
    printer.field(
        "time",
        format!("{} ms, {each} µs an agent and tick, searches included", decimals(us / 1e3, 1)),
    )?;
    printer.field("hash", format!("{:016x}", simulation.hash()))?;
    printer.line("")?;
    printer.text(&table(simulation, recording).render(printer.is_styled()))?;
    finish(args, simulation, recording, printer)
}

/// Prints the written files, the puzzles without a plan, and the faults found.
fn finish(
    args: &SimulateArgs,
    simulation: &dyn SimulationSession,
    recording: &Recording,
    printer: &mut Printer,
) -> Result<(), Failure> {
    if let Some(saved) = &recording.saved {
        let (file, tick) = (saved.file.display(), saved.tick);
        let bytes = grouped(saved.bytes as u64);
        printer.note(format!("snapshot after tick {tick}: {file}, {bytes} bytes"));
    }
    for file in args.outputs.iter().chain(&args.measures) {
        let bytes = std::fs::metadata(file).ok().filter(std::fs::Metadata::is_file);
        match bytes {
            Some(bytes) => {
                printer.note(format!("{}: {} bytes", file.display(), grouped(bytes.len())));
            }
            None => printer.note(format!(
                "{}: {}",
                file.with_extension("").display(),
                counted(recording.shots.len() as u64, "picture")
            )),
        }
    }
    if let Some(text) = longest_overlap(simulation, recording) {
        printer.note(text);
    }
    simulation.unsolved().into_iter().for_each(|told| printer.warn(told));
    warn_of_points(&recording.out_of_reach, printer);
    if let Some(fault) = &recording.fault {
        printer.warn(format!("the audit found a fault: {fault}; please report this"));
    }
    Ok(())
}

/// The most warnings of points that are shown.
const MOST_WARNINGS: usize = 5;

/// Warns of points that agents are to go to and cannot reach.
fn warn_of_points(warnings: &[String], printer: &Printer) {
    warnings.iter().take(MOST_WARNINGS).for_each(|warning| printer.warn(warning));
    if warnings.len() > MOST_WARNINGS {
        let more = (warnings.len() - MOST_WARNINGS) as u64;
        printer.warn(format!("and {} more out of reach", counted(more, "point")));
    }
}

/// Says which two bodies the audit saw in each other for the longest time.
fn longest_overlap(simulation: &dyn SimulationSession, recording: &Recording) -> Option<String> {
    let overlap = recording.overlap?;
    let name = |id: AgentId| recording.walks.get(id.0 as usize).map_or("", |walk| &walk.name);
    let seconds = overlap.ticks() as f64 * f64::from(simulation.settings().tick_seconds);
    Some(format!(
        "longest overlap: '{}' and '{}' for {} s from tick {} on, {} m deep",
        name(overlap.first),
        name(overlap.second),
        decimals(seconds, 2),
        overlap.since,
        decimals(f64::from(overlap.depth), 2)
    ))
}

fn table(simulation: &dyn SimulationSession, recording: &Recording) -> Table {
    let team = |number: u16| simulation.teams().get(usize::from(number)).map_or("", String::as_str);
    if recording.walks.len() <= MOST_LISTED {
        let mut table = Table::new(&[
            ("agent", Align::Left),
            ("team", Align::Left),
            ("at the end", Align::Left),
            ("metres", Align::Right),
            ("arrivals", Align::Right),
            ("links", Align::Right),
            ("no path", Align::Right),
        ]);
        for walk in &recording.walks {
            table.row([
                walk.name.clone(),
                team(walk.team).to_owned(),
                walk.activity.clone(),
                decimals(walk.walked, 1),
                grouped(walk.arrivals),
                grouped(walk.crossings),
                grouped(walk.no_paths),
            ]);
        }
        return table;
    }
    let mut table = Table::new(&[
        ("team", Align::Left),
        ("agents", Align::Right),
        ("metres each", Align::Right),
        ("arrivals", Align::Right),
        ("links", Align::Right),
        ("no path", Align::Right),
    ]);
    for (number, name) in (0u16..).zip(simulation.teams()) {
        let members = || recording.walks.iter().filter(|walk| walk.team == number);
        let count = members().count() as u64;
        if count == 0 {
            continue;
        }
        let walked: f64 = members().map(|walk| walk.walked).sum();
        table.row([
            if number == 0 { "no team".to_owned() } else { name.clone() },
            grouped(count),
            decimals(walked / count as f64, 1),
            grouped(members().map(|walk| walk.arrivals).sum()),
            grouped(members().map(|walk| walk.crossings).sum()),
            grouped(members().map(|walk| walk.no_paths).sum()),
        ]);
    }
    table
}

fn print_json(
    args: &SimulateArgs,
    simulation: &dyn SimulationSession,
    begin: u64,
    recording: &Recording,
    printer: &mut Printer,
) -> Result<(), Failure> {
    let stats = simulation.planner_stats();
    let agents = recording.walks.iter().map(|walk| AgentLine {
        name: &walk.name,
        team: simulation.teams().get(usize::from(walk.team)).map_or("", String::as_str),
        activity: &walk.activity,
        walked: rounded(walk.walked),
        arrivals: walk.arrivals,
        links: walk.crossings,
        no_paths: walk.no_paths,
    });
    let hashes = recording.hashes.iter();
    printer.json(&Document {
        scene: &args.scene,
        name: &simulation.scene().scene.name,
        seed: simulation.settings().seed,
        tick_seconds: simulation.settings().tick_seconds,
        from_tick: begin,
        ticks: simulation.now(),
        seconds: rounded(simulation.seconds()),
        agents: agents.collect(),
        expansions: stats.expansions,
        requests: stats.done,
        latency_ticks_p50: stats.latency.percentile(0.5),
        latency_ticks_p99: stats.latency.percentile(0.99),
        hash: format!("{:016x}", simulation.hash()),
        hashes: hashes
            .map(|(tick, hash)| HashLine { tick: *tick, hash: format!("{hash:016x}") })
            .collect(),
        snapshot: recording.saved.as_ref().map(|saved| saved.file.as_path()),
        fault: recording.fault.as_deref(),
        unsolved: simulation.unsolved(),
        time_us: recording.elapsed.as_secs_f64() * 1e6,
        outputs: &args.outputs,
    })
}

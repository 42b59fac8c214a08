//! `compare`: several algorithms on one query.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde::Serialize;
use wayfare::search::AlgorithmId;
use wayfare_site::{
    Endpoints, EngineName, MeshSite, Place, SearchReport, SearchRequest, Searcher, Site, reason_of,
};

use super::shared::{self, Counters, TookLine, WorldLine};
use crate::args::CompareArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::{
    Align, Drawing, Heartbeat, Printer, Table, decimals, draw, grouped, micros, percentile, rounded,
};

/// The document that `--format json` prints.
#[derive(Serialize)]
struct Document<'s> {
    world: WorldLine<'s>,
    from: Place,
    to: Place,
    results: Vec<Entry>,
    pictures: Vec<PathBuf>,
}

/// One algorithm's result.
#[derive(Serialize)]
struct Entry {
    algorithm: &'static str,
    /// Why that one, where it was left open or prepared; null where it was named.
    chosen_because: Option<String>,
    took: TookLine,
    guarantee: &'static str,
    outcome: &'static str,
    reason: Option<String>,
    cost: Option<f64>,
    length: Option<f64>,
    /// The cost divided by the lowest of all.
    ratio: Option<f64>,
    #[serde(flatten)]
    counters: Counters,
}

/// Timing an algorithm again and again ends after so long.
const PATIENCE: Duration = Duration::from_secs(2);

pub(super) fn run(args: &CompareArgs, printer: &mut Printer) -> Result<Exit, Failure> {
    let site = shared::open_with_keys(&args.world, &args.movement, &args.endpoints)?;
    let site = site.as_ref();
    let ends = shared::ends(site, &args.endpoints, printer)?;
    let engines: Vec<EngineName> = match args.list_vs_heap {
        true => vec![AlgorithmId::AStar.into(), AlgorithmId::AStarList.into()],
        // The algorithms of other spaces are not compared on a mesh.
        false if site.about().kind == MeshSite::KIND => {
            EngineName::ON_MESHES.map(|(engine, _)| engine).to_vec()
        }
        false => args.algorithms.clone(),
    };
    shared::remarks(site, printer);

    let mut runs = Vec::new();
    for engine in engines {
        shared::warn_of_size(site, engine, printer);
        let mut request = args.limits.limit(shared::request(engine, ends));
        request.options = args.search.options(site);
        let mut searcher = site.searcher();
        shared::prepare(site, searcher.as_mut(), engine, ends)?;
        let mut heart = Heartbeat::new(engine.name());
        let mut on_progress = |expanded| heart.beat(expanded);
        let mut run = median_of(args.repeat, searcher.as_mut(), &request, &mut on_progress);
        if !args.pictures.outputs.is_empty() {
            run.trace = searcher.run(&request.recorded(true), &mut on_progress).trace;
        }
        shared::check(&run)?;
        shared::tell_refusal(site, &run, engine, printer);
        runs.push(run);
    }

    let drawings: Vec<Drawing<'_>> = runs.iter().map(|run| Drawing::of(run, ends)).collect();
    let pictures = draw(site, &drawings, &site.about().name, &args.pictures)?;
    let entries = entries(site, &runs, ends);
    if printer.is_json() {
        printer.json(&Document {
            world: WorldLine::of(site),
            from: site.place(ends.start),
            to: site.place(ends.goal),
            results: entries,
            pictures,
        })?;
    } else {
        let about = site.about();
        printer.field("world", format!("{} ({})", about.file.display(), shared::size(site)))?;
        let route = format!("{} to {}", site.place(ends.start), site.place(ends.goal));
        printer.field("route", route)?;
        printer.line("")?;
        print_table(&entries, printer)?;
        let reasons = entries.iter().filter_map(|entry| {
            Some(format!("{}: {}", entry.algorithm, entry.chosen_because.as_ref()?))
        });
        for (number, reason) in reasons.enumerate() {
            printer.line(format!("{}{reason}", if number == 0 { "\n" } else { "" }))?;
        }
        if let Some(reason) = entries.iter().find_map(|entry| entry.reason.as_ref()) {
            printer.line(format!("\n{reason}"))?;
        }
        if args.list_vs_heap {
            print_lesson(&runs, printer)?;
        }
        for picture in &pictures {
            printer.line(format!("\npicture     {}", picture.display()))?;
        }
    }
    Ok(if runs.iter().all(SearchReport::is_found) { Exit::Done } else { Exit::NoPath })
}

/// Runs a query again and again, and returns the last run with the median of the times.
fn median_of(
    repeat: u32,
    searcher: &mut dyn Searcher,
    request: &SearchRequest,
    on_progress: &mut dyn FnMut(u64),
) -> SearchReport {
    let begun = Instant::now();
    let mut run = searcher.run(request, on_progress);
    let mut times = vec![run.elapsed];
    // The first run also pays for the memory; it counts only when there is no other.
    for round in 0..repeat {
        if begun.elapsed() > PATIENCE {
            break;
        }
        run = searcher.run(request, on_progress);
        if round == 0 {
            times.clear();
        }
        times.push(run.elapsed);
    }
    times.sort_unstable();
    run.elapsed = percentile(&times, 0.5);
    run
}

fn entries(site: &dyn Site, runs: &[SearchReport], ends: Endpoints) -> Vec<Entry> {
    let best = runs.iter().filter(|run| run.is_found()).map(SearchReport::cost).min().unwrap_or(0);
    let entry = |run: &SearchReport| {
        let found = run.is_found();
        // Where the best costs nothing, whatever else costs nothing is as good, and there is no
        // ratio to anything else.
        let ratio = match (best, run.cost()) {
            (best, cost) if best == cost => Some(1.0),
            (0, _) => None,
            (best, cost) => Some(cost as f64 / best as f64),
        };
        Entry {
            algorithm: run.method,
            chosen_because: run.chosen_because.clone(),
            took: TookLine::of(run),
            guarantee: shared::guarantee(run.took.guarantee),
            outcome: run.ending.name(),
            reason: reason_of(site, run, ends),
            cost: found.then(|| rounded(run.cost() as f64 / site.about().unit_cost)),
            length: found.then(|| rounded(run.length)),
            ratio: ratio.filter(|_| found).map(rounded),
            counters: Counters::of(run),
        }
    };
    runs.iter().map(entry).collect()
}

fn print_table(entries: &[Entry], printer: &mut Printer) -> Result<(), Failure> {
    let mut table = Table::new(&[
        ("algorithm", Align::Left),
        ("outcome", Align::Left),
        ("cost", Align::Right),
        ("length", Align::Right),
        ("ratio", Align::Right),
        ("expanded", Align::Right),
        ("generated", Align::Right),
        ("reopened", Align::Right),
        ("heap peak", Align::Right),
        ("time µs", Align::Right),
    ]);
    let number =
        |value: Option<f64>, places| value.map_or("–".to_owned(), |v| decimals(v, places));
    for entry in entries {
        let counters = &entry.counters;
        table.row([
            entry.algorithm.to_owned(),
            entry.outcome.to_owned(),
            number(entry.cost, 2),
            number(entry.length, 2),
            number(entry.ratio, 3),
            grouped(counters.expanded),
            grouped(counters.generated),
            grouped(counters.reopened),
            grouped(counters.heap_peak as u64),
            decimals(counters.time_us, 1),
        ]);
    }
    let columns = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let dispensable = ["reopened", "heap peak", "generated", "length", "outcome", "ratio"];
    let left_out = columns.map_or(Vec::new(), |columns| table.fit(columns, &dispensable));
    printer.text(&table.render(printer.is_styled()))?;
    if !left_out.is_empty() {
        printer.line(format!("left out for want of room: {}", left_out.join(", ")))?;
    }
    Ok(())
}

/// Prints the worth of the heap, in a sentence.
fn print_lesson(runs: &[SearchReport], printer: &mut Printer) -> Result<(), Failure> {
    let [heap, list] = runs else { return Ok(()) };
    if !heap.is_found() || !list.is_found() {
        return Ok(());
    }
    let ratio = micros(list.elapsed) / micros(heap.elapsed).max(0.1);
    let peak = grouped(list.stats.heap_peak as u64);
    printer.line(format!(
        "\nThe same search with another open list: with up to {peak} states open, looking through a plain list for the best \
         takes {} times as long as asking a heap.",
        decimals(ratio, 1)
    ))
}

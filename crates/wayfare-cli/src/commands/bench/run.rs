//! `bench`: a scenario on the ground, in the air or on a mesh, every cost checked.

use std::path::{Path, PathBuf};

use wayfare::search::AlgorithmId;
use wayfare_draw::ScatterChart;
use wayfare_scene::{World, read_path};
use wayfare_site::{EngineName, Preparation, SearchReport, Site};

use super::contest::{Contestant, ask, measure};
use super::results::{Results, entries, undercut};
use super::table::{conclusion, print_table};
use super::trial::{Case, chosen, in_the_air, on_a_mesh, on_the_ground};
use crate::args::BenchArgs;
use crate::commands::shared::{self, LoadedIndex};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::{Bar, Drawing, Printer, counted, draw, grouped, theme, write_still};

/// How many offending queries are shown of each algorithm.
const MOST_SHOWN: usize = 5;

pub(in crate::commands) fn run(args: &BenchArgs, printer: &mut Printer) -> Result<Exit, Failure> {
    let trial = match read_path(&args.scenario)? {
        World::Scenario(scenario) => on_the_ground(args, &scenario)?,
        World::VoxelScenario(scenario) => in_the_air(args, &scenario)?,
        World::MeshScenario(scenario) => on_a_mesh(args, &scenario)?,
        _ => {
            let file = args.scenario.display();
            return Err(Failure::Usage(format!(
                "{file} is no scenario: bench takes a .scen, .3dscen or .meshscen file"
            )));
        }
    };
    let site = trial.site.as_ref();
    shared::remarks(site, printer);
    let queries = chosen(&trial.queries, args.limit);
    let engines: Vec<EngineName> = match args.algorithms.is_empty() {
        true => trial.algorithms.clone(),
        false => args.algorithms.clone(),
    };

    let contestant = |&engine: &EngineName| Contestant::new(engine, site, queries.first());
    let mut contestants: Vec<Contestant> =
        engines.iter().map(contestant).collect::<Result<_, _>>()?;
    if let Some(file) = &args.index {
        let LoadedIndex { index, seconds } = LoadedIndex::read(file, site)?;
        let prepared = Contestant::prepared(site, Preparation::Index(Some(index.into())))?;
        contestants.push(prepared.after(seconds));
    }
    if args.hierarchy {
        let (settings, exact) = (args.sectors.settings(), false);
        let preparation = Preparation::Hierarchy { settings, exact };
        contestants.push(Contestant::prepared(site, preparation)?);
    }
    let mut bar = Bar::new("bench");
    let mut progress = |query: usize| bar.set(query as u64, queries.len() as u64);
    let mut all = measure(&trial, contestants, &queries, args, &mut progress);
    drop(bar);
    undercut(&mut all, site.about().unit_cost);

    let wrong = complain(site, &all, &queries, printer);
    let pictures = picture(site, &engines, &queries, args)?;
    let baseline = baseline(args, &engines)?;
    let entries = entries(&all, baseline, args.samples);
    if let Some(file) = &args.chart {
        chart(site, &all, file, args)?;
    }
    if printer.is_json() {
        printer.json(&entries)?;
    } else {
        let map_file = site.about().file.display();
        printer.field("map", format!("{map_file} ({})", shared::size(site)))?;
        printer.field("queries", grouped(queries.len() as u64))?;
        printer.line("")?;
        print_table(&entries, baseline, printer)?;
        printer.line(format!("\n{}", conclusion(&entries, wrong)))?;
        for picture in pictures.iter().chain(&args.chart) {
            printer.line(format!("\npicture     {}", picture.display()))?;
        }
    }
    Ok(if wrong { Exit::Wrong } else { Exit::Done })
}

/// Returns the baseline of the comparison.
fn baseline(args: &BenchArgs, engines: &[EngineName]) -> Result<Option<EngineName>, Failure> {
    match args.baseline {
        Some(named) if engines.contains(&named) => Ok(Some(named)),
        Some(named) => Err(Failure::Usage(format!(
            "the baseline {named} is not among the algorithms that run; add it to --algorithms"
        ))),
        None => {
            let astar = engines.iter().find(|engine| **engine == AlgorithmId::AStar.into());
            Ok(astar.or(engines.first()).copied())
        }
    }
}

/// Draws length against time, a point a query that has a path.
fn chart(site: &dyn Site, all: &[Results], file: &Path, args: &BenchArgs) -> Result<(), Failure> {
    let title = format!("{}: every query", site.about().name);
    let unit = site.about().unit;
    let mut chart = ScatterChart::new(title)
        .axes(format!("length of the best path, in {unit}"), "µs a query")
        .theme(theme(&args.pictures));
    for results in all {
        let points = results.samples.iter().map(|sample| (sample.optimal_length, sample.us));
        chart = chart.series(results.method, points);
    }
    let written = chart.draw().and_then(|picture| write_still(&picture, file));
    written.map_err(|problem| Failure::Picture { path: file.to_path_buf(), problem })
}

/// Names the first queries that went wrong, and says whether any did.
fn complain(site: &dyn Site, all: &[Results], queries: &[&Case], printer: &Printer) -> bool {
    let mut wrong = false;
    for results in all {
        let mut offences = results.offences();
        for (number, why) in offences.by_ref().take(MOST_SHOWN) {
            let Case { number, ends, .. } = queries[number];
            printer.warn(format!(
                "{}, query {number} from {} to {}: {why}",
                results.method,
                site.place(ends.start),
                site.place(ends.goal)
            ));
            wrong = true;
        }
        let more = offences.count();
        if more > 0 {
            printer.warn(format!("{}: and {} more", results.method, counted(more as u64, "query")));
        }
    }
    wrong
}

/// Returns the longest query, as each algorithm solves it.
fn picture(
    site: &dyn Site,
    engines: &[EngineName],
    queries: &[&Case],
    args: &BenchArgs,
) -> Result<Vec<PathBuf>, Failure> {
    let longest = queries.iter().max_by(|a, b| a.optimal_length.total_cmp(&b.optimal_length));
    let Some(longest) = longest.filter(|_| !args.pictures.outputs.is_empty()) else {
        return Ok(Vec::new());
    };
    let ends = longest.ends;
    let run = |engine: &EngineName| {
        let mut searcher = site.searcher();
        shared::prepare(site, searcher.as_mut(), *engine, ends)?;
        Ok(searcher.run(&ask(*engine, longest, args).recorded(true), &mut |_| ()))
    };
    let runs: Vec<SearchReport> = engines.iter().map(run).collect::<Result<_, Failure>>()?;
    let drawings: Vec<Drawing<'_>> = runs.iter().map(|run| Drawing::of(run, ends)).collect();
    draw(site, &drawings, &format!("{}, the longest query", site.about().name), &args.pictures)
}

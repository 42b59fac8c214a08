//! `solve`: one route.

use std::path::{Path, PathBuf};

use serde::Serialize;
use wayfare::navigate::EngineId;
use wayfare::search::AlgorithmId;
use wayfare_file::WholeFile;
use wayfare_site::{
    Ending, Endpoints, EngineName, Move, Place, Preparation, SearchReport, SearchRequest, Searcher,
    Site, TraceFile, TracedSearch, reason_of,
};

use super::detour::{Detour, Sectors};
use super::puzzles;
use super::shared::{self, Counters, LoadedIndex, TookLine, WorldLine};
use crate::args::SolveArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::{
    Drawing, Heartbeat, Printer, counted, draw, grouped, print_in_terminal, rounded, tidy, title_of,
};

/// The most distinct moves that are printed, one after another.
const MOST_TOLD: usize = 100;

/// The document that `--format json` prints.
#[derive(Serialize)]
struct Document<'s> {
    world: WorldLine<'s>,
    algorithm: &'static str,
    /// Why that one, where it was left open; null where it was named.
    chosen_because: Option<&'s str>,
    took: TookLine,
    guarantee: &'static str,
    from: Place,
    to: Place,
    outcome: &'static str,
    /// Why there is no path; null where there is one.
    reason: Option<String>,
    /// On plain ground one unit of length costs 1; null where there is no path.
    cost: Option<f64>,
    length: Option<f64>,
    #[serde(flatten)]
    counters: Counters,
    /// The path, or the one to the state nearest to the goal.
    path: Vec<Place>,
    /// The path as moves, one after another alike together; only in voxel worlds.
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<Move>>,
    /// The links of the scene on the path.
    links: Vec<String>,
    /// The route over sectors; only with --hierarchy.
    #[serde(skip_serializing_if = "Option::is_none")]
    hierarchy: Option<Sectors>,
    /// The path's refined shape; null without --smooth.
    refined: Option<Refined>,
    pictures: Vec<PathBuf>,
}

#[derive(Serialize)]
struct Refined {
    length: f64,
    /// Points of the world: x, height, z.
    points: Vec<[f32; 3]>,
}

pub(super) fn run(args: &SolveArgs, printer: &mut Printer) -> Result<Exit, Failure> {
    if let Some(scene) = puzzles::open(&args.world, &args.movement, &args.endpoints)? {
        if args.trace.is_some() {
            let problem = "--trace records searches over places, and this scene is a puzzle";
            return Err(Failure::Usage(problem.to_owned()));
        }
        let pictures = puzzles::Pictures::new(&args.world, &args.movement, &args.pictures);
        return puzzles::solve(&scene, &pictures, printer);
    }
    let site = shared::open_with_keys(&args.world, &args.movement, &args.endpoints)?;
    let site = site.as_ref();
    let ends = shared::ends(site, &args.endpoints, printer)?;
    shared::remarks(site, printer);
    shared::warn_of_size(site, args.algorithm, printer);
    if let Some(remark) = args.search.idle_weight(args.algorithm) {
        printer.note(remark);
    }

    let mut searcher = site.searcher();
    let engine = prepare(args, site, searcher.as_mut(), ends)?;
    let mut heart = Heartbeat::new(engine.name());
    let mut on_progress = |expanded| heart.beat(expanded);
    let mut request = args.limits.limit(shared::request(engine, ends));
    request.options = args.search.options(site);
    request.refinement = args.smooth.refinement(args.turn_radius);
    let mut run = searcher.run(&request, &mut on_progress);
    let mut detour = None;
    if run.sectors.is_some() {
        // Games keep the memory of their searches: so the first run of each, which allocates it, is
        // not measured.
        run = searcher.run(&request, &mut on_progress);
        let mut searches = site.searcher();
        let request = SearchRequest { engine: AlgorithmId::Auto.into(), ..request };
        searches.run(&request, &mut on_progress);
        let best = searches.run(&request, &mut on_progress);
        shared::check(&best)?;
        let settings = args.sectors.settings();
        detour = run.sectors.map(|legs| Detour { legs, settings, best });
    }
    let draws = printer.draws_in_terminal() || !args.pictures.outputs.is_empty();
    if (draws || args.trace.is_some())
        && !matches!(run.took.engine, EngineId::Index | EngineId::Field)
    {
        // A second time for the picture, so that keeping a record does not spoil the first one's
        // time.
        run.trace = searcher.run(&request.recorded(true), &mut on_progress).trace;
        if run.trace.is_none() && draws {
            printer.note("the search is too long to be kept for a picture; only its path is drawn");
        }
    }
    drop(heart);
    if let (Ending::NoPath(_), None) = (&run.ending, &args.endpoints.class)
        && let Some(scene) = puzzles::between(&args.world, &args.movement, ends)?
    {
        // A walk alone does not get there: deeds may.
        let pictures = puzzles::Pictures::new(&args.world, &args.movement, &args.pictures);
        return puzzles::solve(&scene, &pictures, printer);
    }
    shared::check(&run)?;
    if let Some(file) = &args.trace {
        write_trace(file, args, site, &run, ends)?;
    }
    shared::tell_refusal(site, &run, engine, printer);

    let drawing = Drawing {
        title: format!("{} on {}", title_of(run.method), site.about().name),
        ..Drawing::of(&run, ends).captioned(site.about().agent.as_deref())
    };
    let pictures = draw(site, std::slice::from_ref(&drawing), "", &args.pictures)?;
    if printer.is_json() {
        let found = run.is_found();
        printer.json(&Document {
            world: WorldLine::of(site),
            algorithm: run.method,
            chosen_because: run.chosen_because.as_deref(),
            took: TookLine::of(&run),
            guarantee: shared::guarantee(run.took.guarantee),
            from: site.place(ends.start),
            to: site.place(ends.goal),
            outcome: run.ending.name(),
            reason: reason_of(site, &run, ends),
            cost: found.then(|| rounded(run.cost() as f64 / site.about().unit_cost)),
            length: found.then(|| rounded(run.length)),
            counters: Counters::of(&run),
            moves: site.moves(&run.path),
            links: site.links(&run.path),
            path: run.path.iter().map(|step| site.place(step.state)).collect(),
            hierarchy: detour.as_ref().map(|detour| detour.document(site)),
            refined: run.refined.as_ref().map(|line| Refined {
                length: rounded(line.length()),
                points: line.points.iter().map(glam::Vec3::to_array).collect(),
            }),
            pictures,
        })?;
    } else {
        if pictures.is_empty() && printer.draws_in_terminal() {
            print_in_terminal(site, &drawing, &args.pictures, printer)?;
            printer.line("")?;
        }
        summary(site, &run, ends, detour.as_ref(), printer)?;
        for picture in &pictures {
            printer.field("picture", picture.display().to_string())?;
        }
    }
    Ok(if run.is_found() { Exit::Done } else { Exit::NoPath })
}

/// Writes the recorded search.
fn write_trace(
    path: &Path,
    args: &SolveArgs,
    site: &dyn Site,
    run: &SearchReport,
    ends: Endpoints,
) -> Result<(), Failure> {
    let unwritten = |problem: String| Failure::Unencoded { path: path.to_path_buf(), problem };
    let Some(trace) = &run.trace else {
        let problem = match run.took.engine {
            EngineId::Index | EngineId::Field => {
                format!("the {} answered without a search: choose --algorithm astar", run.method)
            }
            _ => "the search is too long to be recorded".to_owned(),
        };
        return Err(unwritten(problem));
    };
    let mut file = TraceFile::new(site, ends);
    file.searches.push(TracedSearch::of(run, trace.clone(), args.search.options(site).heuristic));
    let write = || {
        let mut whole = WholeFile::create(path)?;
        file.write(&mut whole)?;
        whole.finish()
    };
    write().map_err(|error| unwritten(error.to_string()))
}

/// Prepares the engine that was asked for.
fn prepare(
    args: &SolveArgs,
    site: &dyn Site,
    searcher: &mut dyn Searcher,
    ends: Endpoints,
) -> Result<EngineName, Failure> {
    if let Some(file) = &args.index {
        let index = LoadedIndex::read(file, site)?.index;
        shared::prepare_from(site, searcher, Preparation::Index(Some(index.into())))?;
        return Ok(EngineName::Index);
    }
    if args.hierarchy {
        let (settings, exact) = (args.sectors.settings(), args.exact);
        shared::prepare_from(site, searcher, Preparation::Hierarchy { settings, exact })?;
        return Ok(EngineName::Hierarchy);
    }
    shared::prepare(site, searcher, args.algorithm, ends)?;
    Ok(args.algorithm)
}

/// Returns the waypoints of the path, in a line, if places are waypoints.
fn waypoints(site: &dyn Site, run: &SearchReport) -> Option<String> {
    if site.about().state != "waypoint" || run.path.len() < 2 {
        return None;
    }
    let told = run.path.iter().take(MOST_TOLD).map(|step| site.place(step.state).to_string());
    let mut told: Vec<String> = told.collect();
    if run.path.len() > MOST_TOLD {
        let more = grouped((run.path.len() - MOST_TOLD) as u64);
        told.push(format!("and {more} more (--format json has all)"));
    }
    Some(told.join(" → "))
}

fn summary(
    site: &dyn Site,
    run: &SearchReport,
    ends: Endpoints,
    detour: Option<&Detour>,
    printer: &mut Printer,
) -> Result<(), Failure> {
    let about = site.about();
    let route = format!("{} to {}", site.place(ends.start), site.place(ends.goal));
    printer.field("world", format!("{} ({})", about.file.display(), shared::size(site)))?;
    printer.field("route", route)?;
    if let Some(agent) = &about.agent {
        printer.field("agent", agent)?;
    }
    match &run.chosen_because {
        Some(why) => printer.field("algorithm", format!("{}: {why}", run.method))?,
        None => printer.field("algorithm", run.method)?,
    }
    match reason_of(site, run, ends) {
        None => {
            let moves = run.path.len().saturating_sub(1) as u64;
            let cost = run.cost() as f64 / about.unit_cost;
            printer.field("outcome", format!("a path of {}", counted(moves, "move")))?;
            printer.field("cost", tidy(cost))?;
            printer.field("length", format!("{} {}", tidy(run.length), about.unit))?;
            if let Some(detour) = detour {
                detour.print(site, printer)?;
            }
        }
        Some(reason) => {
            printer.field("outcome", format!("{}: {reason}", run.ending.name()))?;
            if let Some(last) = run.path.last().filter(|last| last.state != ends.start) {
                let nearest = site.place(last.state);
                printer.field("nearest", format!("{nearest}, as near as the search came"))?;
            }
        }
    }
    if let Some(moves) = site.moves(&run.path).filter(|moves| !moves.is_empty()) {
        let told = moves.chunk_by(|a, b| a == b).map(|same| match same.len() {
            1 => same[0].to_string(),
            times => format!("{} ({times} times)", same[0]),
        });
        let mut told: Vec<String> = told.collect();
        if told.len() > MOST_TOLD {
            let more = grouped((told.len() - MOST_TOLD) as u64);
            told.truncate(MOST_TOLD);
            told.push(format!("and {more} more (--format json has all)"));
        }
        printer.field("moves", told.join(", "))?;
    }
    if let Some(names) = waypoints(site, run) {
        printer.field("waypoints", names)?;
    }
    let links = site.links(&run.path);
    if !links.is_empty() {
        printer.field("links", links.join(", "))?;
    }
    if let Some(line) = &run.refined {
        let points = counted(line.points.len() as u64, "point");
        printer.field("refined", format!("{points}, {} {}", tidy(line.length()), about.unit))?;
    }
    Counters::of(run).print(printer)?;
    if !run.is_found() {
        printer.line("\n`wayfare why` with the same arguments says what would help.")?;
    }
    Ok(())
}

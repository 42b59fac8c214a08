//! `replay`: the events of a recorded search.

use std::path::{Path, PathBuf};

use serde::Serialize;
use wayfare::space::Action;
use wayfare_draw::Panel;
use wayfare_site::{OFF_MAP, TraceEventKind, TraceFile, TracedSearch, trace_hash};

use super::shared;
use crate::args::ReplayArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::{Printer, counted, grouped, rounded, scenery, tidy, title_of, write_sheet};

/// The document that `--format json` prints.
#[derive(Serialize)]
struct Document<'f> {
    world: &'f str,
    file: &'f str,
    from: &'f str,
    to: &'f str,
    searches: Vec<Line<'f>>,
    pictures: Vec<PathBuf>,
}

/// A search in short.
#[derive(Serialize)]
struct Line<'f> {
    algorithm: &'f str,
    heuristic: &'f str,
    /// Whether all events are in the file.
    is_whole: bool,
    outcome: &'f str,
    /// On plain ground one unit of length costs 1; null where there is no path.
    cost: Option<f64>,
    length: Option<f64>,
    /// The states of the path, or of the one to the state nearest to the goal.
    path: &'f [u32],
    expanded: u64,
    generated: u64,
    relaxed: u64,
    reopened: u64,
    heap_peak: u64,
    hash: String,
}

impl<'f> Line<'f> {
    fn of(search: &'f TracedSearch, unit_cost: f64) -> Self {
        let count = |kind| search.trace.count(kind);
        let found = search.is_found();
        Self {
            algorithm: &search.algorithm,
            heuristic: &search.heuristic,
            is_whole: search.is_whole,
            outcome: &search.ending,
            cost: found.then(|| rounded(search.cost() as f64 / unit_cost)),
            length: found.then(|| rounded(search.length)),
            path: &search.path,
            expanded: count(TraceEventKind::Expand),
            generated: count(TraceEventKind::Generate),
            relaxed: count(TraceEventKind::Relax),
            reopened: count(TraceEventKind::Reopen),
            heap_peak: search.heap_peak,
            hash: format!("{:016x}", trace_hash(&search.trace.events)),
        }
    }
}

pub(super) fn run(args: &ReplayArgs, printer: &mut Printer) -> Result<Exit, Failure> {
    let name = &args.file;
    let file = TraceFile::read(name, &shared::read(name)?)?;
    let pictures = draw(args, &file)?;

    let TraceFile { world, query, searches } = &file;
    let lines = searches.iter().map(|search| Line::of(search, world.unit_cost));
    if printer.is_json() {
        let searches = lines.collect();
        let (from, to) = (&query.from, &query.to);
        let (world, file) = (&world.name, &world.file);
        printer.json(&Document { world, file, from, to, searches, pictures })?;
        return Ok(Exit::Done);
    }
    let size = counted(world.states, &world.state);
    printer.field("world", format!("{} ({} of {size})", world.file, world.kind))?;
    printer.field("route", format!("{} to {}", query.from, query.to))?;
    for line in lines {
        printer.line("")?;
        tell(&line, &world.unit, printer)?;
    }
    for picture in &pictures {
        printer.field("picture", picture.display().to_string())?;
    }
    Ok(Exit::Done)
}

fn tell(line: &Line<'_>, unit: &str, printer: &mut Printer) -> Result<(), Failure> {
    printer.field("algorithm", format!("{}, heuristic {}", line.algorithm, line.heuristic))?;
    match (line.cost, line.length) {
        (Some(cost), Some(length)) => {
            let moves = line.path.len().saturating_sub(1) as u64;
            printer.field("outcome", format!("a path of {}", counted(moves, "move")))?;
            printer.field("cost", tidy(cost))?;
            printer.field("length", format!("{} {unit}", tidy(length)))?;
        }
        _ => printer.field("outcome", line.outcome)?,
    }
    let Line { expanded, generated, relaxed, reopened, heap_peak, .. } = *line;
    let [expanded, generated, relaxed] = [expanded, generated, relaxed].map(grouped);
    let reopened = match reopened {
        0 => String::new(),
        times => format!(", {} reopened", grouped(times)),
    };
    let told = format!("{expanded} of {generated} generated, {relaxed} relaxed{reopened}");
    printer.field("expanded", told)?;
    printer.field("heap peak", grouped(heap_peak))?;
    let whole = if line.is_whole { "all events" } else { "the first events only" };
    printer.field("hash", format!("{}, that of the file: {whole}", line.hash))
}

/// Draws the searches on their world.
fn draw(args: &ReplayArgs, file: &TraceFile) -> Result<Vec<PathBuf>, Failure> {
    if args.pictures.outputs.is_empty() {
        return Ok(Vec::new());
    }
    let world = args.world.as_deref().unwrap_or(Path::new(&file.world.file));
    if !world.exists() {
        let problem = "there is no such world; --world FILE names the one that was searched";
        let (path, problem) = (world.to_path_buf(), problem.to_owned());
        return Err(Failure::Unsearchable { path, problem });
    }
    let site = shared::open(world, &args.movement)?;
    file.check(&args.file, site.as_ref())?;
    let ends = file.ends();
    let paths = file.searches.iter().flat_map(|search| search.path.iter().copied());
    let seen: Vec<u32> =
        paths.chain([ends.start, ends.goal]).filter(|state| *state != OFF_MAP).collect();
    let scenery = scenery(site.as_ref(), &seen, &args.pictures)?;
    let panels = file.searches.iter().map(|search| {
        let mut panel = Panel::new(scenery.as_ref())
            .title(format!("{} on {}", title_of(&search.algorithm), site.about().name))
            .search(&search.trace)
            .cost_per_unit(file.world.unit_cost)
            .path_steps(search.path.iter().map(|&state| (state, Action::default())));
        if search.is_found() {
            panel = panel.cost(search.cost() as f64 / file.world.unit_cost);
        }
        if ends.are_on_map() {
            panel = panel.endpoints(ends.start, ends.goal);
        }
        panel
    });
    write_sheet(panels.collect(), "", &args.pictures)
}

//! `mapf`: plans for many agents without any collision.

use std::path::{Path, PathBuf};

use cpu_time::ThreadTime;
use glam::Vec2;
use serde::Serialize;
use wayfare::search::AlgorithmId;
use wayfare::space::{Cell, Grid, GridSpace, Neighbours, StateId};
use wayfare_draw::{Actor, ActorShot, Film, Shot, Team};
use wayfare_formats::{movingai_scen, write_whole};
use wayfare_generate::Seed;
use wayfare_mapf::{
    Instance, InstanceError, Lacam, Limits, NoPlan, Plan, PlanCost, Refiner, Roadmap, SearchState,
    validate,
};
use wayfare_site::{Endpoints, OpenOptions, Site, SiteError, View, reason_of};

use super::shared;
use crate::args::MapfArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::{Bar, Printer, counted, decimals, grouped, rounded};

/// The default count of agents that are drawn by lot.
const AGENTS: usize = 20;
/// Images of a film for a step of a short plan, so that agents are seen to go.
const IMAGES: usize = 3;
/// The most images of a film of a long plan: it shows every step, or every second one, and so on.
const MOST_IMAGES: usize = 600;
/// More agents than this are drawn without their paths.
const MOST_WAYS: usize = 60;
/// The steps of a path that are drawn.
const STEPS_AHEAD: usize = 40;

/// The document that `--format json` prints.
#[derive(Serialize)]
struct Document<'a> {
    world: &'a Path,
    agents: usize,
    planned: bool,
    /// Why there is no plan.
    reason: Option<String>,
    steps_tried: u64,
    search_ms: f64,
    first: Option<CostLine>,
    refined: Option<CostLine>,
    refine_ms: Option<f64>,
    outputs: &'a [PathBuf],
}

impl<'a> Document<'a> {
    /// Returns the document before there is a plan.
    fn new(args: &'a MapfArgs, agents: usize) -> Self {
        Self {
            world: &args.world,
            agents,
            planned: false,
            reason: None,
            steps_tried: 0,
            search_ms: 0.0,
            first: None,
            refined: None,
            refine_ms: None,
            outputs: &args.outputs,
        }
    }
}

#[derive(Serialize, Clone, Copy)]
struct CostLine {
    makespan: u64,
    sum_of_costs: u64,
    lower_bound: u64,
    ratio: f64,
}

impl From<PlanCost> for CostLine {
    fn from(cost: PlanCost) -> Self {
        let PlanCost { makespan, sum_of_costs, lower_bound } = cost;
        Self { makespan, sum_of_costs, lower_bound, ratio: rounded(cost.ratio()) }
    }
}

pub(super) fn run(args: &MapfArgs, printer: &mut Printer) -> Result<Exit, Failure> {
    let site = open(&args.world)?;
    let site = site.as_ref();
    shared::remarks(site, printer);
    let not_a_grid = || no_grid(&args.world, site.about().kind);
    let view = site.grid().ok_or_else(not_a_grid)?;
    let space = view.grid.space_of(view.profile);
    let (starts, goals) = match &args.scen {
        Some(file) => listed(args, file, space.grid())?,
        None => drawn(args, &space)?,
    };
    let mut document = Document::new(args, starts.len());
    let instance = match Instance::new(Roadmap::of(&space), &starts, &goals) {
        Ok(instance) => instance,
        Err(InstanceError::Blocked { agent, .. } | InstanceError::Apart { agent, .. }) => {
            let reason = no_path(site, agent, starts[agent], goals[agent]);
            return refuse(document, reason, printer);
        }
        Err(error) => return Err(unplanned(args, &error)),
    };

    let begun = ThreadTime::now();
    let limits = Limits { steps: args.max_steps, ..Limits::default() };
    let mut search = Lacam::new(&instance, args.seed, limits);
    let mut bar = Bar::new("planning");
    while search.step(64) == SearchState::Working {
        bar.set(search.steps(), args.max_steps);
    }
    drop(bar);
    let search_ms = begun.elapsed().as_secs_f64() * 1e3;
    document.steps_tried = search.steps();
    document.search_ms = rounded(search_ms);
    let plan = match search.answer() {
        Ok(plan) => plan,
        Err(reason @ NoPlan::Steps(_)) => {
            return refuse(document, format!("{reason} (--max-steps)"), printer);
        }
        Err(reason) => return refuse(document, reason.to_string(), printer),
    };
    document.planned = true;
    document.first = Some(plan.cost(&instance).into());
    let plan = refine(args, &instance, plan, &mut document);
    if let Err(conflict) = validate(&space, &instance, &plan) {
        return Err(Failure::InvalidPath { method: "mapf", fault: conflict.to_string() });
    }
    let cost = plan.cost(&instance);
    document.refined = Some(cost.into());
    for output in &args.outputs {
        let is_film =
            output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gif"));
        match is_film {
            true => film(args, site, view.grid, &instance, &plan, output)?,
            false => table(view.grid, &instance, &plan, output)?,
        }
    }
    if printer.is_json() {
        printer.json(&document)?;
        return Ok(Exit::Done);
    }
    printer.field("world", format!("{} ({})", args.world.display(), shared::size(site)))?;
    printer.field("agents", grouped(document.agents as u64))?;
    if let Some(first) = document.first {
        let tried = counted(document.steps_tried, "step");
        let took = shared::time(search_ms * 1e3);
        let ratio = decimals(first.ratio, 3);
        printer.field("first plan", format!("{took}, {tried} tried; {ratio} × the lower bound"))?;
    }
    printer.field("makespan", counted(cost.makespan, "step"))?;
    let (sum, least) = (grouped(cost.sum_of_costs), grouped(cost.lower_bound));
    let ratio = decimals(cost.ratio(), 3);
    printer.field("sum of costs", format!("{sum}, {ratio} × the lower bound of {least}"))?;
    for output in &args.outputs {
        printer.field("written", output.display().to_string())?;
    }
    Ok(Exit::Done)
}

/// Opens a world as a grid whose cells have four neighbours, the steps of plans: so the islands of
/// its agents are those of the plans.
fn open(world: &Path) -> Result<Box<dyn Site>, Failure> {
    let straight = OpenOptions { neighbours: Some(Neighbours::Four), ..OpenOptions::default() };
    wayfare_site::open(world, &straight).map_err(|error| match error {
        SiteError::MovesOfGrids { path } => no_grid(&path, "world of blocks"),
        SiteError::MovesAmongWaypoints { path } => no_grid(&path, "scene of waypoints"),
        SiteError::MovesOnMesh { path } => no_grid(&path, "navigation mesh"),
        error => error.into(),
    })
}

fn no_grid(world: &Path, kind: &str) -> Failure {
    let problem = format!("this is a {kind}; agents are planned for on grids");
    Failure::Unsearchable { path: world.to_path_buf(), problem }
}

/// Says why there is no plan.
fn refuse(
    mut document: Document<'_>,
    reason: String,
    printer: &mut Printer,
) -> Result<Exit, Failure> {
    match printer.is_json() {
        true => {
            document.reason = Some(reason);
            printer.json(&document)?;
        }
        false => printer.line(format!("no plan: {reason}"))?,
    }
    Ok(Exit::NoPath)
}

/// Returns why an agent has no path, as `solve` says it.
fn no_path(site: &dyn Site, agent: usize, start: Cell, goal: Cell) -> String {
    let [start, goal] = [start, goal].map(Cell::index);
    let ends = Endpoints { start, goal };
    let found = site.searcher().run(&shared::request(AlgorithmId::Auto, ends), &mut |_| ());
    match reason_of(site, &found, ends) {
        Some(reason) => format!("agent {agent}: {reason}"),
        None => {
            let [from, to] = [start, goal].map(|end| site.place(end));
            format!("agent {agent}: only links lead from {from} to {to}, and plans use none")
        }
    }
}

/// Returns the failure for agents that cannot be planned for.
fn unplanned(args: &MapfArgs, error: &InstanceError) -> Failure {
    match &args.scen {
        Some(file) => Failure::Unsearchable { path: file.clone(), problem: error.to_string() },
        None => Failure::Usage(error.to_string()),
    }
}

/// Returns the first lines of a file of queries.
fn listed(args: &MapfArgs, file: &Path, grid: &Grid) -> Result<(Vec<Cell>, Vec<Cell>), Failure> {
    let broken = |problem: String| Failure::Unsearchable { path: file.to_path_buf(), problem };
    let scenario =
        movingai_scen::read(&shared::read(file)?).map_err(|error| error.in_file(file))?;
    let count = args.agents.unwrap_or(scenario.entries.len());
    let entries = scenario.entries.get(..count).ok_or_else(|| {
        let there = counted(scenario.entries.len() as u64, "query");
        broken(format!("{there} in the file, but {count} agents are asked for"))
    })?;
    let cell = |number: usize, at: wayfare_formats::TilePosition| {
        let off = || broken(format!("query {}: {},{} lies off the map", number + 1, at.x, at.y));
        grid.cell(at.x, at.y).ok_or_else(off)
    };
    let mut ends = (Vec::new(), Vec::new());
    for (number, entry) in entries.iter().enumerate() {
        ends.0.push(cell(number, entry.start)?);
        ends.1.push(cell(number, entry.goal)?);
    }
    Ok(ends)
}

/// Starts and goals by lot, in the largest part of the map that is joined.
fn drawn(args: &MapfArgs, space: &GridSpace<'_>) -> Result<(Vec<Cell>, Vec<Cell>), Failure> {
    let count = args.agents.unwrap_or(AGENTS);
    let mut islands = std::collections::BTreeMap::new();
    for cell in space.grid().cells().filter(|&cell| space.is_free(cell)) {
        islands.entry(space.component(cell)).or_insert_with(Vec::new).push(cell);
    }
    let cells = islands.into_values().max_by_key(Vec::len).unwrap_or_default();
    if cells.len() < count {
        let there = counted(cells.len() as u64, "cell");
        let problem = format!("{count} agents do not fit: the map has {there} that hang together");
        return Err(Failure::Usage(problem));
    }
    let mut dice = Seed(args.seed).dice();
    let mut draw = || {
        let mut left = cells.clone();
        dice.shuffle(&mut left);
        left.truncate(count);
        left
    };
    Ok((draw(), draw()))
}

fn refine(args: &MapfArgs, instance: &Instance, plan: Plan, document: &mut Document<'_>) -> Plan {
    /// Expansions between two looks of the progress bar.
    const SLICE: u64 = 20_000;
    if args.refine == 0 {
        return plan;
    }
    let begun = ThreadTime::now();
    let mut refiner = Refiner::new(instance, &plan, args.seed);
    let mut bar = Bar::new("refining");
    let mut done = 0;
    while done < args.refine {
        let slice = SLICE.min(args.refine - done);
        refiner.work(slice);
        done += slice;
        bar.set(done, args.refine);
    }
    document.refine_ms = Some(rounded(begun.elapsed().as_secs_f64() * 1e3));
    refiner.plan()
}

fn table(grid: &Grid, instance: &Instance, plan: &Plan, file: &Path) -> Result<(), Failure> {
    let unencoded = |error: csv::Error| Failure::Unencoded {
        path: file.to_path_buf(),
        problem: error.to_string(),
    };
    let mut table =
        csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    table.write_record(["step", "agent", "x", "y"]).map_err(unencoded)?;
    for step in 0..=plan.len() {
        for (agent, cell) in plan.after(instance, step).enumerate() {
            let at = grid.coordinates(cell);
            table.serialize((step, agent, at.x, at.y)).map_err(unencoded)?;
        }
    }
    let bytes = table.into_inner().map_err(|error| unencoded(error.into_error().into()))?;
    write_whole(file, &bytes).map_err(Failure::Unwritten)
}

/// Writes the film of a plan. Agents have the colour of the part of the map that they go to.
fn film(
    args: &MapfArgs,
    site: &dyn Site,
    grid: &Grid,
    instance: &Instance,
    plan: &Plan,
    file: &Path,
) -> Result<(), Failure> {
    let failed = |problem| Failure::Picture { path: file.to_path_buf(), problem };
    let fine = (MOST_IMAGES / plan.len().max(1)).clamp(1, IMAGES);
    let coarse = plan.len().div_ceil(MOST_IMAGES).max(1);
    let theme = args.theme.theme();
    let scenery = site.scenery(&theme, &View::default()).map_err(failed)?;
    let agents = counted(instance.agents() as u64, "agent");
    let title = format!("{}: {agents}, {}", site.about().name, counted(plan.len() as u64, "step"));
    let mut film = Film::new(scenery.as_ref()).title(title).theme(theme).frames_per_second(12.0);
    for colour in &Team::COLOURS[..4] {
        film.add_team(Team::new("", *colour));
    }
    let middle = |cell: Cell| {
        let at = grid.coordinates(cell);
        Vec2::new(at.x as f32 + 0.5, at.y as f32 + 0.5)
    };
    let half = Vec2::new(grid.width() as f32, grid.height() as f32) / 2.0;
    for (number, goal) in instance.goals().enumerate() {
        let goal = middle(goal);
        let team = usize::from(goal.x > half.x) + 2 * usize::from(goal.y > half.y);
        let name = number.to_string();
        film.add_actor(Actor { name, team, radius: 0.4, is_named: false });
    }
    let last = plan.len();
    let places: Vec<Vec<Vec2>> =
        (0..=last).map(|step| plan.after(instance, step).map(middle).collect()).collect();
    let shown = if instance.agents() <= MOST_WAYS { STEPS_AHEAD } else { 0 };
    let times = (0..last).step_by(coarse).flat_map(|step| (0..fine).map(move |part| (step, part)));
    let shots: Vec<Shot> = times
        .chain([(last, 0)])
        .map(|(step, part)| {
            let part = part as f32 / fine as f32;
            let (from, to) = (&places[step], &places[(step + 1).min(last)]);
            let actors = from.iter().zip(to).enumerate().map(|(actor, (from, to))| {
                let at = from.lerp(*to, part);
                let way = (step + 1..=(step + shown).min(last)).map(|step| places[step][actor]);
                let ahead = std::iter::once(at).chain(way).collect();
                ActorShot { ahead, ..ActorShot::at(actor, at, *to - *from) }
            });
            let seconds = step as f32 + part;
            Shot { seconds, actors: actors.collect(), ..Shot::default() }
        })
        .collect();
    let mut bar = Bar::new(format!("drawing {}", file.display()));
    film.write_gif(file, &shots, &mut |done, all| bar.set(done as u64, all as u64))
        .map(drop)
        .map_err(failed)
}

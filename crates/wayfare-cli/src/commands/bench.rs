//! `bench`: a Moving AI scenario, on the ground or in the air, every cost checked.

use std::path::{Path, PathBuf};

use serde::Serialize;
use wayfare::hierarchy::HierarchySettings;
use wayfare::search::{AlgorithmId, Guarantee, Limit};
use wayfare::space::VoxelProfile;
use wayfare_draw::ScatterChart;
use wayfare_world::heightmap::HeightmapOptions;
use wayfare_world::movingai_3dscen::{self, VoxelScenario};
use wayfare_world::movingai_scen::{self, Scenario, ScenarioEntry};
use wayfare_world::{GridWorld, Movement, TileMap, World, WorldError};

use super::shared;
use crate::args::BenchArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::{
    Align, Bar, Drawing, Printer, Table, counted, decimals, draw, grouped, micros, percentile,
    rounded, theme, write_still,
};
use crate::site::{
    Ask, Ending, Endpoints, GridSite, HIERARCHY, HierarchySearcher, INDEX, LoadedIndex, Run,
    Searcher, Site, VoxelSite, read,
};

/// IDA* on a wrong-footed query may go on for as long as one cares to wait.
const IDASTAR_EXPANSIONS: u64 = 2_000_000;

/// How many offending queries are shown of each algorithm.
const MOST_SHOWN: usize = 5;

/// An algorithm's entry in the array that `--format json` prints.
#[derive(Serialize)]
struct Entry {
    algorithm: &'static str,
    guarantee: &'static str,
    queries: usize,
    /// Queries with a path.
    solved: usize,
    /// Solved queries whose length is the file's, and whose cost no other algorithm undercuts.
    optimal: usize,
    /// Queries that have no path according to both the file and the algorithm.
    unreachable: usize,
    /// Queries given up after `--max-expansions`.
    capped: usize,
    /// Paths that the validator finds fault with.
    invalid: usize,
    /// How much longer its paths are than the file's: 0.01 for 1 %.
    loss_mean: f64,
    loss_worst: f64,
    mean_us: f64,
    p50_us: f64,
    p99_us: f64,
    /// Of the turning points alone.
    turns_mean_us: f64,
    /// Of the plan and the first leg of routes over sectors; null for others.
    first_leg_mean_us: Option<f64>,
    /// How many times as fast as the baseline; null without one.
    speedup: Option<f64>,
    expanded_mean: f64,
    scratch_bytes: usize,
    /// Of an index or a hierarchy.
    index_bytes: usize,
    index_seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    samples: Option<Vec<Sample>>,
}

/// A query, as one algorithm answered it.
#[derive(Serialize, Clone)]
struct Sample {
    /// Its number in the file's order.
    query: usize,
    optimal_length: f64,
    /// How much longer the path is, as a share; null where there is none.
    loss: Option<f64>,
    us: f64,
    turns_us: f64,
    expanded: u64,
    #[serde(skip)]
    first_leg_us: Option<f64>,
}

/// What one algorithm answered to all queries.
struct Results {
    /// The algorithm's name, "index" or "hierarchy".
    method: &'static str,
    guarantee: Guarantee,
    prepared: Option<Prepared>,
    samples: Vec<Sample>,
    scratch_bytes: usize,
    verdicts: Vec<Verdict>,
}

/// What an index or a hierarchy takes.
#[derive(Clone, Copy)]
struct Prepared {
    bytes: usize,
    /// For reading the one, for building the other.
    seconds: f64,
}

/// Who answers queries.
struct Contestant<'a> {
    algorithm: AlgorithmId,
    method: &'static str,
    guarantee: Guarantee,
    prepared: Option<Prepared>,
    searcher: Box<dyn Searcher + 'a>,
}

impl<'a> Contestant<'a> {
    fn searching(algorithm: AlgorithmId, site: &'a dyn Site) -> Self {
        let info = algorithm.info();
        let (method, guarantee) = (info.name, info.guarantee);
        Self { algorithm, method, guarantee, prepared: None, searcher: site.searcher() }
    }

    fn indexed(index: &'a LoadedIndex, site: &'a dyn Site) -> Result<Self, Failure> {
        let size = Prepared { bytes: index.bytes(), seconds: index.seconds };
        Ok(Self::prepared(INDEX, Guarantee::Optimal, size, index.searcher(site)?))
    }

    fn over_sectors(settings: HierarchySettings, site: &'a dyn Site) -> Result<Self, Failure> {
        let searcher = HierarchySearcher::build(site, settings, false)?;
        let size = searcher.size();
        let size = Prepared { bytes: size.bytes, seconds: size.built.as_secs_f64() };
        Ok(Self::prepared(HIERARCHY, Guarantee::Bounded, size, Box::new(searcher)))
    }

    fn prepared(
        method: &'static str,
        guarantee: Guarantee,
        size: Prepared,
        searcher: Box<dyn Searcher + 'a>,
    ) -> Self {
        Self { algorithm: AlgorithmId::Auto, method, guarantee, prepared: Some(size), searcher }
    }
}

/// What an answer is worth.
enum Verdict {
    /// A path of the length that the file gives, at this cost.
    Good(u64),
    /// No path, as in the file.
    Unreachable,
    /// Given up.
    Capped,
    /// A path that is longer or shorter than the optimal, or costs more.
    Missed(String),
    /// No path where the file has one.
    Denied(String),
    /// A path that breaks the rules.
    Invalid(String),
}

pub(super) fn run(args: &BenchArgs, printer: &mut Printer) -> Result<Exit, Failure> {
    let trial = match read(&args.scenario, HeightmapOptions::default())? {
        World::Scenario(scenario) => on_the_ground(args, &scenario)?,
        World::VoxelScenario(scenario) => in_the_air(args, &scenario)?,
        _ => {
            let file = args.scenario.display();
            return Err(Failure::Usage(format!(
                "{file} is no scenario: bench takes a .scen or .3dscen file"
            )));
        }
    };
    let site = trial.site.as_ref();
    shared::remarks(site, printer);
    let queries = chosen(&trial.queries, args.limit);
    let algorithms = match args.algorithms.is_empty() {
        true => trial.algorithms.clone(),
        false => args.algorithms.clone(),
    };

    let index = args.index.as_deref().map(|file| LoadedIndex::read(file, site)).transpose()?;
    let mut bar = Bar::new("bench");
    let mut contestants: Vec<Contestant<'_>> =
        algorithms.iter().map(|&algorithm| Contestant::searching(algorithm, site)).collect();
    if let Some(index) = &index {
        contestants.push(Contestant::indexed(index, site)?);
    }
    if args.hierarchy {
        contestants.push(Contestant::over_sectors(args.sectors.settings(), site)?);
    }
    let mut progress = |query: usize| bar.set(query as u64, queries.len() as u64);
    let mut all = measure(&trial, contestants, &queries, args, &mut progress);
    drop(bar);
    undercut(&mut all);

    let wrong = complain(site, &all, &queries, printer);
    let pictures = picture(site, &algorithms, &queries, args)?;
    let baseline = baseline(args, &algorithms)?;
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

/// A map with the queries on it.
struct Trial {
    site: Box<dyn Site>,
    queries: Vec<Case>,
    /// Those that are asked where nobody says which.
    algorithms: Vec<AlgorithmId>,
    tolerance: Tolerance,
}

/// How far a length may be from the file's.
#[derive(Clone, Copy)]
struct Tolerance {
    length: f64,
    /// Of the file's length.
    share: f64,
}

impl Tolerance {
    fn of(self, length: f64) -> f64 {
        self.length + length * self.share
    }
}

/// A query with what the file knows of it.
struct Case {
    /// Its place in the file.
    number: usize,
    ends: Endpoints,
    optimal_length: f64,
}

fn on_the_ground(args: &BenchArgs, scenario: &Scenario) -> Result<Trial, Failure> {
    let map_file = map_file(args, || movingai_scen::find_map(&args.scenario, scenario))?;
    let World::TileMap(map) = read(&map_file, HeightmapOptions::default())? else {
        return Err(Failure::Usage(format!("{} is no tile map", map_file.display())));
    };
    check_sizes(&args.scenario, scenario, &map_file, &map)?;
    let site = GridSite::new(&map_file, GridWorld::from_tile_map(&map, &Movement::default())?);
    let case = |(number, entry): (usize, &ScenarioEntry)| Case {
        number,
        ends: Endpoints { start: site.cell(entry.start), goal: site.cell(entry.goal) },
        optimal_length: entry.optimal_length,
    };
    let queries = scenario.entries.iter().enumerate().map(case).collect();
    let algorithms = optimal_algorithms(site.about().states);
    // The lengths of the benchmarks agree to 0.01; long ones were added up in single precision.
    Ok(Trial {
        site: Box::new(site),
        queries,
        algorithms,
        tolerance: Tolerance { length: 0.01, share: 1e-5 },
    })
}

fn in_the_air(args: &BenchArgs, scenario: &VoxelScenario) -> Result<Trial, Failure> {
    let map_file = map_file(args, || movingai_3dscen::find_map(&args.scenario, scenario))?;
    let World::Voxels(world) = read(&map_file, HeightmapOptions::default())? else {
        return Err(Failure::Usage(format!("{} is no world of blocks", map_file.display())));
    };
    let site = VoxelSite::new(&map_file, &world, VoxelProfile::flyer())?;
    let case = |(number, query): (usize, &movingai_3dscen::VoxelQuery)| Case {
        number,
        ends: Endpoints { start: site.voxel(query.start), goal: site.voxel(query.goal) },
        optimal_length: query.optimal_length,
    };
    let queries = scenario.entries.iter().enumerate().map(case).collect();
    // There is so much air that the others take their time.
    let algorithms = vec![AlgorithmId::AStar];
    Ok(Trial {
        site: Box::new(site),
        queries,
        algorithms,
        tolerance: Tolerance { length: 1e-3, share: 0.0 },
    })
}

/// The map that was named, else the one beside the scenario.
fn map_file(
    args: &BenchArgs,
    beside: impl FnOnce() -> Result<PathBuf, WorldError>,
) -> Result<PathBuf, Failure> {
    match &args.map {
        Some(file) => Ok(file.clone()),
        None => beside().map_err(|error| Failure::Unsearchable {
            path: args.scenario.clone(),
            problem: format!("{}; put it there, or name it with --map FILE", error.message()),
        }),
    }
}

/// A scenario for another map, or for this one at another scale, would make nonsense of every number.
fn check_sizes(
    file: &Path,
    scenario: &Scenario,
    map_file: &Path,
    map: &TileMap,
) -> Result<(), Failure> {
    let size = (map.width(), map.height());
    let differs = |entry: &&ScenarioEntry| (entry.width, entry.height) != size;
    let Some(entry) = scenario.entries.iter().find(differs) else { return Ok(()) };
    Err(Failure::Unsearchable {
        path: file.to_path_buf(),
        problem: format!(
            "its queries are for a map of {} × {} cells, but {} has {} × {}; name the right one with --map",
            entry.width,
            entry.height,
            map_file.display(),
            size.0,
            size.1
        ),
    })
}

/// All queries, or some spread evenly over them.
fn chosen(entries: &[Case], limit: Option<u64>) -> Vec<&Case> {
    let wanted = limit.map_or(entries.len(), |limit| (limit as usize).min(entries.len()));
    (0..wanted).map(|number| &entries[number * entries.len() / wanted]).collect()
}

/// All that promise the optimal cost and suit a map of that size.
fn optimal_algorithms(states: u64) -> Vec<AlgorithmId> {
    let suits = |id: &AlgorithmId| {
        let info = id.info();
        *id != AlgorithmId::Auto // which is one of the others
            && info.guarantee == Guarantee::Optimal
            && info.sensible_states.is_none_or(|most| states <= most as u64)
    };
    AlgorithmId::ALL.iter().copied().filter(suits).collect()
}

fn ask(algorithm: AlgorithmId, query: &Case, args: &BenchArgs) -> Ask {
    let mut ask = Ask::new(algorithm, query.ends.start, query.ends.goal);
    let cap = (algorithm == AlgorithmId::IdaStar).then_some(IDASTAR_EXPANSIONS);
    ask.max_expansions = args.max_expansions.or(cap);
    ask
}

/// Lets every algorithm answer one query after the other, in turns.
fn measure(
    trial: &Trial,
    mut contestants: Vec<Contestant<'_>>,
    queries: &[&Case],
    args: &BenchArgs,
    progress: &mut dyn FnMut(usize),
) -> Vec<Results> {
    let results = |contestant: &Contestant<'_>| Results {
        method: contestant.method,
        guarantee: contestant.guarantee,
        prepared: contestant.prepared,
        samples: Vec::with_capacity(queries.len()),
        scratch_bytes: 0,
        verdicts: Vec::with_capacity(queries.len()),
    };
    let mut all: Vec<Results> = contestants.iter().map(results).collect();
    // The first search pays for the memory of all: it is not counted.
    for contestant in &mut contestants {
        if let Some(first) = queries.first() {
            contestant.searcher.run(&ask(contestant.algorithm, first, args), &mut |_| ());
        }
    }
    for (number, query) in queries.iter().enumerate() {
        // Each goes first in its turn: what one leaves in the caches is not always the same other's.
        for turn in 0..contestants.len() {
            let place = (number + turn) % contestants.len();
            let Contestant { algorithm, searcher, .. } = &mut contestants[place];
            let ask = ask(*algorithm, query, args);
            let mut run = searcher.run(&ask, &mut |_| ());
            for _ in 1..args.repeat {
                let again = searcher.run(&ask, &mut |_| ());
                run.elapsed = run.elapsed.min(again.elapsed);
                run.turns_elapsed = run.turns_elapsed.min(again.turns_elapsed);
                if let (Some(legs), Some(again)) = (&mut run.legs, &again.legs) {
                    legs.first = legs.first.min(again.first);
                }
            }
            let results = &mut all[place];
            results.samples.push(Sample {
                query: query.number,
                optimal_length: query.optimal_length,
                loss: loss(&run, query, trial.tolerance),
                us: micros(run.elapsed),
                turns_us: micros(run.turns_elapsed),
                expanded: run.stats.expanded,
                first_leg_us: run.legs.map(|legs| micros(legs.first)),
            });
            results.scratch_bytes = results.scratch_bytes.max(run.scratch_bytes);
            results.verdicts.push(judge(&run, query, trial.tolerance));
        }
        progress(number + 1);
    }
    all
}

/// What the others are compared with.
fn baseline(args: &BenchArgs, algorithms: &[AlgorithmId]) -> Result<Option<AlgorithmId>, Failure> {
    match args.baseline {
        Some(named) if algorithms.contains(&named) => Ok(Some(named)),
        Some(named) => Err(Failure::Usage(format!(
            "the baseline {named} is not among the algorithms that run; add it to --algorithms"
        ))),
        None => {
            let astar = algorithms.iter().find(|id| **id == AlgorithmId::AStar);
            Ok(astar.or(algorithms.first()).copied())
        }
    }
}

/// Length against time, a point a query that has a path.
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

/// How much longer a path is than the file's; what the file's lengths do not tell apart is as long.
fn loss(run: &Run, query: &Case, tolerance: Tolerance) -> Option<f64> {
    let optimal = query.optimal_length;
    let longer = run.length - optimal;
    match run.is_found() && run.fault.is_none() {
        true if longer > tolerance.of(optimal) && optimal > 0.0 => Some(longer / optimal),
        true => Some(0.0),
        false => None,
    }
}

fn judge(run: &Run, query: &Case, tolerance: Tolerance) -> Verdict {
    let tolerance = tolerance.of(query.optimal_length);
    match run.ending {
        Ending::Found => match &run.fault {
            Some(fault) => Verdict::Invalid(fault.clone()),
            None if (run.length - query.optimal_length).abs() <= tolerance => {
                Verdict::Good(run.cost())
            }
            // No search can be to blame for a valid path that is too short; that is for a person to look into.
            None if run.length < query.optimal_length => Verdict::Missed(format!(
                "length {:.5}, less than the {:.5} that the file calls optimal, on a path that is valid: the file does not \
                 fit this map or these rules",
                run.length, query.optimal_length
            )),
            None => Verdict::Missed(format!(
                "length {:.5}, but the optimal is {:.5}",
                run.length, query.optimal_length
            )),
        },
        Ending::Limit(Limit::Expansions) => Verdict::Capped,
        // A length of 0 between two different places is how a file says that there is no path.
        Ending::NoPath(_) if query.optimal_length == 0.0 && query.ends.start != query.ends.goal => {
            Verdict::Unreachable
        }
        Ending::NoPath(reason) => Verdict::Denied(format!(
            "no path ({reason}), but the optimal length is {:.5}",
            query.optimal_length
        )),
        Ending::Limit(limit) => Verdict::Denied(limit.to_string()),
        Ending::Interrupted(interruption) => Verdict::Denied(interruption.to_string()),
    }
}

/// Lengths agree to a hundredth; costs are exact. What another algorithm undercuts is not optimal.
fn undercut(all: &mut [Results]) {
    let queries = all.first().map_or(0, |results| results.verdicts.len());
    for query in 0..queries {
        let cost = |results: &Results| match results.verdicts[query] {
            Verdict::Good(cost) => Some((cost, results.method)),
            _ => None,
        };
        let Some((best, by)) = all.iter().filter_map(cost).min() else { continue };
        for results in &mut *all {
            let promises = results.guarantee == Guarantee::Optimal;
            let verdict = &mut results.verdicts[query];
            if let Verdict::Good(cost) = verdict
                && *cost > best
                && promises
            {
                *verdict = Verdict::Missed(format!("cost {cost}, but {by} found {best}"));
            }
        }
    }
}

impl Results {
    fn count(&self, wanted: impl Fn(&Verdict) -> bool) -> usize {
        self.verdicts.iter().filter(|verdict| wanted(verdict)).count()
    }

    /// The queries that speak against the algorithm: a path that is not valid, none where there is one, and, if it promises
    /// the optimal, one that is not.
    fn offences(&self) -> impl Iterator<Item = (usize, &str)> {
        let promises = self.guarantee == Guarantee::Optimal;
        self.verdicts.iter().enumerate().filter_map(move |(query, verdict)| match verdict {
            Verdict::Invalid(why) => Some((query, why.as_str())),
            Verdict::Denied(why) => Some((query, why.as_str())),
            Verdict::Missed(why) if promises => Some((query, why.as_str())),
            _ => None,
        })
    }

    fn mean(&self, figure: impl Fn(&Sample) -> f64) -> f64 {
        mean(self.samples.iter().map(figure))
    }

    fn entry(&self) -> Entry {
        let mut times: Vec<f64> = self.samples.iter().map(|sample| sample.us).collect();
        times.sort_by(f64::total_cmp);
        let losses = self.samples.iter().filter_map(|sample| sample.loss);
        let first_legs = self.samples.iter().filter_map(|sample| sample.first_leg_us);
        let found = |verdict: &Verdict| {
            matches!(verdict, Verdict::Good(_) | Verdict::Missed(_) | Verdict::Invalid(_))
        };
        Entry {
            algorithm: self.method,
            guarantee: shared::guarantee(self.guarantee),
            queries: self.verdicts.len(),
            solved: self.count(found),
            optimal: self.count(|verdict| matches!(verdict, Verdict::Good(_))),
            unreachable: self.count(|verdict| matches!(verdict, Verdict::Unreachable)),
            capped: self.count(|verdict| matches!(verdict, Verdict::Capped)),
            invalid: self.count(|verdict| matches!(verdict, Verdict::Invalid(_))),
            loss_mean: rounded(mean(losses.clone())),
            loss_worst: rounded(losses.fold(0.0, f64::max)),
            mean_us: rounded(self.mean(|sample| sample.us)),
            p50_us: percentile(&times, 0.5),
            p99_us: percentile(&times, 0.99),
            turns_mean_us: rounded(self.mean(|sample| sample.turns_us)),
            first_leg_mean_us: (self.method == HIERARCHY).then(|| rounded(mean(first_legs))),
            speedup: None,
            expanded_mean: rounded(self.mean(|sample| sample.expanded as f64)),
            scratch_bytes: self.scratch_bytes,
            index_bytes: self.prepared.map_or(0, |prepared| prepared.bytes),
            index_seconds: self.prepared.map_or(0.0, |prepared| rounded(prepared.seconds)),
            samples: None,
        }
    }
}

/// Zero for none.
fn mean(figures: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = figures.fold((0.0, 0u32), |(sum, count), figure| (sum + figure, count + 1));
    sum / f64::from(count.max(1))
}

/// What is printed of each, compared with the baseline.
fn entries(all: &[Results], baseline: Option<AlgorithmId>, samples: bool) -> Vec<Entry> {
    let is_baseline =
        |results: &&Results| baseline.is_some_and(|id| id.info().name == results.method);
    let reference = all.iter().find(is_baseline);
    let reference = reference.map(|results| results.mean(|sample| sample.us));
    let entry = |results: &Results| {
        let mut entry = results.entry();
        let times = |mean: f64| (entry.mean_us > 0.0).then(|| rounded(mean / entry.mean_us));
        entry.speedup = reference.and_then(times);
        entry.samples = samples.then(|| results.samples.clone());
        entry
    };
    all.iter().map(entry).collect()
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

fn print_table(
    entries: &[Entry],
    baseline: Option<AlgorithmId>,
    printer: &mut Printer,
) -> Result<(), Failure> {
    type Column = (&'static str, fn(&Entry) -> String);
    let mut columns: Vec<Column> = vec![
        ("algorithm", |entry| entry.algorithm.to_owned()),
        ("solved", |entry| grouped(entry.solved as u64)),
        ("optimal", |entry| grouped(entry.optimal as u64)),
        ("mean loss %", |entry| decimals(entry.loss_mean * 100.0, 2)),
        ("worst loss %", |entry| decimals(entry.loss_worst * 100.0, 2)),
        ("mean µs", |entry| decimals(entry.mean_us, 1)),
        ("p50 µs", |entry| decimals(entry.p50_us, 1)),
        ("p99 µs", |entry| decimals(entry.p99_us, 1)),
        ("turns µs", |entry| decimals(entry.turns_mean_us, 1)),
        ("first leg µs", |entry| or_dash(entry.first_leg_mean_us)),
        ("speedup", |entry| or_dash(entry.speedup)),
        ("expanded", |entry| decimals(entry.expanded_mean, 1)),
        ("scratch KiB", |entry| grouped(entry.scratch_bytes as u64 / 1024)),
        ("built KiB", |entry| grouped(entry.index_bytes as u64 / 1024)),
        ("built s", |entry| decimals(entry.index_seconds, 1)),
    ];
    // What says nothing of anybody here is left out.
    columns.retain(|(name, _)| match *name {
        "mean loss %" | "worst loss %" => entries.iter().any(|entry| entry.optimal < entry.solved),
        "first leg µs" => entries.iter().any(|entry| entry.first_leg_mean_us.is_some()),
        _ => true,
    });
    let align = |name: &str| if name == "algorithm" { Align::Left } else { Align::Right };
    let headings: Vec<_> = columns.iter().map(|(name, _)| (*name, align(name))).collect();
    let mut table = Table::new(&headings);
    for entry in entries {
        table.row(columns.iter().map(|(_, cell)| cell(entry)));
    }
    printer.text(&table.render(printer.is_styled()))?;
    match baseline {
        Some(baseline) if entries.len() > 1 => printer
            .line(format!("\nspeedup: the mean time of {baseline}, divided by the algorithm's")),
        _ => Ok(()),
    }
}

fn or_dash(figure: Option<f64>) -> String {
    figure.map_or_else(|| "–".to_owned(), |figure| decimals(figure, 1))
}

fn conclusion(entries: &[Entry], wrong: bool) -> String {
    let capped: usize = entries.iter().map(|entry| entry.capped).sum();
    let unreachable = entries.iter().map(|entry| entry.unreachable).max().unwrap_or(0);
    let mut text = match wrong {
        true => "Not every answer agrees with the file and the other algorithms; see the warnings."
            .to_owned(),
        false => {
            "Every path is valid, and every cost that was promised to be optimal is.".to_owned()
        }
    };
    if unreachable > 0 {
        text.push_str(&format!(" No path, as the file says: {unreachable}."));
    }
    if capped > 0 {
        text.push_str(&format!(" Given up at the limit of expansions: {capped}."));
    }
    text
}

/// The longest query, as each algorithm solves it.
fn picture(
    site: &dyn Site,
    algorithms: &[AlgorithmId],
    queries: &[&Case],
    args: &BenchArgs,
) -> Result<Vec<PathBuf>, Failure> {
    let longest = queries.iter().max_by(|a, b| a.optimal_length.total_cmp(&b.optimal_length));
    let Some(longest) = longest.filter(|_| !args.pictures.outputs.is_empty()) else {
        return Ok(Vec::new());
    };
    let ends = &longest.ends;
    let run = |id: &AlgorithmId| {
        site.searcher().run(&ask(*id, longest, args).recorded(true), &mut |_| ())
    };
    let runs: Vec<Run> = algorithms.iter().map(run).collect();
    let drawings: Vec<Drawing<'_>> = runs.iter().map(|run| Drawing::of(run, ends)).collect();
    draw(site, &drawings, &format!("{}, the longest query", site.about().name), &args.pictures)
}

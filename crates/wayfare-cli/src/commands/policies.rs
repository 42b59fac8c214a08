//! `compare --policies`: the waypoint policies on every route that a world names.

use std::path::PathBuf;

use serde::Serialize;
use wayfare::search::AlgorithmId;
use wayfare_site::{Endpoints, OwnRoute, Place, SearchReport, Site};

use super::shared::{self, WorldLine};
use crate::args::CompareArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::{Align, Drawing, Printer, Table, decimals, draw, rounded};

const POLICIES: [AlgorithmId; 5] = [
    AlgorithmId::Vector3Distance,
    AlgorithmId::ManhattanDistance,
    AlgorithmId::CostOfMovement,
    AlgorithmId::InverseCostOfMovement,
    AlgorithmId::HScore,
];

/// The most routes that the table has columns for, and their headings.
const HEADINGS: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

/// The document that `--format json` prints.
#[derive(Serialize)]
struct Document<'s> {
    world: WorldLine<'s>,
    routes: Vec<Asked>,
    results: Vec<Entry>,
    pictures: Vec<PathBuf>,
}

/// A route of the world.
#[derive(Serialize)]
struct Asked {
    name: Option<String>,
    from: Place,
    to: Place,
}

/// A policy, with the waypoints' own costs or without, on all routes.
#[derive(Serialize)]
struct Entry {
    algorithm: &'static str,
    ignore_own_costs: bool,
    runs: Vec<Cell>,
    /// The search on the first route.
    #[serde(skip)]
    first: SearchReport,
}

/// A policy's path on one route; nothing where it found none.
#[derive(Serialize)]
struct Cell {
    cost: Option<f64>,
    length: Option<f64>,
    moves: Option<usize>,
    expanded: u64,
}

pub(super) fn run(args: &CompareArgs, printer: &mut Printer) -> Result<Exit, Failure> {
    let site = shared::open_with_keys(&args.world, &args.movement, &args.endpoints)?;
    let site = site.as_ref();
    let mut routes = match &args.endpoints.query {
        Some(name) => {
            let ends = shared::ends(site, &args.endpoints, printer)?;
            vec![OwnRoute { name: Some(name.clone()), ends }]
        }
        None => site.routes(),
    };
    if routes.is_empty() {
        return Err(Failure::Usage(format!(
            "{}: --policies compares on the routes that a world names, and this one names none",
            args.world.display()
        )));
    }
    if routes.len() > HEADINGS.len() {
        let left = routes.len() - HEADINGS.len();
        printer.note(format!("the first {} routes; {left} more are left out", HEADINGS.len()));
        routes.truncate(HEADINGS.len());
    }
    shared::remarks(site, printer);

    let cheapest = entry(site, args, (AlgorithmId::AStar, false), &routes)?;
    let mut entries = Vec::new();
    for ignore_own_costs in [false, true] {
        for policy in POLICIES {
            entries.push(entry(site, args, (policy, ignore_own_costs), &routes)?);
        }
    }
    let ends = routes[0].ends;
    let drawings: Vec<Drawing<'_>> = entries.iter().map(|entry| entry.drawing(ends)).collect();
    let pictures = draw(site, &drawings, &site.about().name, &args.pictures)?;
    drop(drawings);
    if printer.is_json() {
        let asked = |route: &OwnRoute| Asked {
            name: route.name.clone(),
            from: site.place(route.ends.start),
            to: site.place(route.ends.goal),
        };
        entries.insert(0, cheapest);
        printer.json(&Document {
            world: WorldLine::of(site),
            routes: routes.iter().map(asked).collect(),
            results: entries,
            pictures,
        })?;
        return Ok(Exit::Done);
    }

    let about = site.about();
    printer.field("world", format!("{} ({})", about.file.display(), shared::size(site)))?;
    for (heading, route) in HEADINGS.iter().zip(&routes) {
        let ends = format!("{} to {}", site.place(route.ends.start), site.place(route.ends.goal));
        let name = route.name.as_ref().map_or(String::new(), |name| format!("{name}: "));
        printer.field(&format!("route {heading}"), format!("{name}{ends}"))?;
    }
    printer.line("\nThe costs of the paths:\n")?;
    print_table(&entries, &cheapest, routes.len(), printer)?;
    printer.line(
        "\nAll paths pay own costs, whether or not the policy looks at them. These are sums of real \
         numbers.\nSearches count in whole thousandths of a metre and round each link up, so `solve` can \
         say more\nin the last digit.",
    )?;
    for picture in &pictures {
        printer.field("picture", picture.display().to_string())?;
    }
    Ok(Exit::Done)
}

impl Entry {
    fn own_costs(&self) -> &'static str {
        if self.ignore_own_costs { "ignored" } else { "counted" }
    }

    /// Returns the drawing of the search on the first route.
    fn drawing(&self, ends: Endpoints) -> Drawing<'_> {
        let remark = format!("own costs {}", self.own_costs());
        Drawing::of(&self.first, ends).captioned(Some(&remark))
    }
}

fn entry(
    site: &dyn Site,
    args: &CompareArgs,
    (algorithm, ignore_own_costs): (AlgorithmId, bool),
    routes: &[OwnRoute],
) -> Result<Entry, Failure> {
    let mut searcher = site.searcher();
    let mut search = |route: &OwnRoute, record: bool| {
        let mut request = args.limits.limit(shared::request(algorithm, route.ends));
        request.options = args.search.options(site);
        request.options.ignore_own_costs = ignore_own_costs;
        let run = searcher.run(&request.recorded(record), &mut |_| ());
        shared::check(&run).map(|()| run)
    };
    let first = search(&routes[0], !args.pictures.outputs.is_empty())?;
    let mut runs = vec![cell(site, &first)];
    for route in &routes[1..] {
        runs.push(cell(site, &search(route, false)?));
    }
    Ok(Entry { algorithm: algorithm.info().name, ignore_own_costs, runs, first })
}

fn cell(site: &dyn Site, run: &SearchReport) -> Cell {
    let found = run.is_found();
    let whole = || run.cost() as f64 / site.about().unit_cost;
    let cost = || site.exact_cost(&run.path).unwrap_or_else(whole);
    Cell {
        cost: found.then(|| rounded(cost())),
        length: found.then(|| rounded(run.length)),
        moves: found.then(|| run.path.len().saturating_sub(1)),
        expanded: run.stats.expanded,
    }
}

fn print_table(
    entries: &[Entry],
    cheapest: &Entry,
    routes: usize,
    printer: &mut Printer,
) -> Result<(), Failure> {
    let mut columns = vec![("policy", Align::Left), ("own costs", Align::Left)];
    columns.extend(HEADINGS.iter().take(routes).map(|heading| (*heading, Align::Right)));
    let mut table = Table::new(&columns);
    let mut row = |name: &str, own_costs: &str, entry: &Entry| {
        let costs = entry.runs.iter().map(|run| match run.cost {
            Some(cost) => decimals(cost, 2),
            None => "none".to_owned(),
        });
        table.row([name.to_owned(), own_costs.to_owned()].into_iter().chain(costs));
    };
    for entry in entries {
        row(entry.algorithm, entry.own_costs(), entry);
    }
    row("(a cheapest path)", "", cheapest);
    printer.text(&table.render(printer.is_styled()))
}

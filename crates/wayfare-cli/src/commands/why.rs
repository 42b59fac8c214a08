//! `why`: why there is no path and how to open one, or the parts of a path's cost.

use std::path::PathBuf;

use serde::Serialize;
use wayfare::search::AlgorithmId;
use wayfare_site::{
    Ending, GroundCrossing, GroundShare, NearestPlace, Place, Remedy, Site, explain,
};

use super::puzzles;
use super::shared::{self, WorldLine};
use crate::args::WhyArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::{
    Align, Drawing, Heartbeat, Printer, Table, counted, decimals, draw, grouped, rounded, tidy,
};

/// The document that `--format json` prints.
#[derive(Serialize)]
struct Document<'s> {
    world: WorldLine<'s>,
    from: Place,
    to: Place,
    outcome: &'static str,
    /// Why there is no path; null where there is one.
    reason: Option<String>,
    cost: Option<f64>,
    length: Option<f64>,
    /// From the start to the goal as the crow flies; null where one of them lies off the map.
    straight_line: Option<f64>,
    /// As near to the goal as one can get; null where there is a path, and where one cannot even
    /// start.
    nearest: Option<NearestPlace>,
    /// Changes that would open a path, one thing at a time.
    remedies: Vec<Remedy>,
    /// The parts of the path's cost.
    grounds: Vec<GroundShare>,
    pictures: Vec<PathBuf>,
}

pub(super) fn run(args: &WhyArgs, printer: &mut Printer) -> Result<Exit, Failure> {
    if let Some(scene) = puzzles::open(&args.world, &args.movement, &args.endpoints)? {
        let pictures = puzzles::Pictures::new(&args.world, &args.movement, &args.pictures);
        return puzzles::why(&scene, &pictures, printer);
    }
    let site = shared::open_with_keys(&args.world, &args.movement, &args.endpoints)?;
    let site = site.as_ref();
    let ends = shared::ends(site, &args.endpoints, printer)?;
    shared::remarks(site, printer);

    let mut heart = Heartbeat::new("searching");
    let mut on_progress = |expanded| heart.beat(expanded);
    let request = args.limits.limit(shared::request(AlgorithmId::AStar, ends));
    let request = request.recorded(!args.pictures.outputs.is_empty());
    let why = explain(site, &request, &mut on_progress)?;
    drop(heart);
    let report = &why.report;
    if let (Ending::NoPath(_), None) = (&report.ending, &args.endpoints.class)
        && let Some(scene) = puzzles::between(&args.world, &args.movement, ends)?
    {
        let pictures = puzzles::Pictures::new(&args.world, &args.movement, &args.pictures);
        return puzzles::why(&scene, &pictures, printer);
    }
    shared::check(report)?;

    let found = report.is_found();
    let drawing = Drawing {
        title: match found {
            true => "There is a path".to_owned(),
            false => "As near as one can get".to_owned(),
        },
        caption: site.about().agent.clone().unwrap_or_default(),
        ..Drawing::of(report, ends)
    };
    let pictures = draw(site, std::slice::from_ref(&drawing), "", &args.pictures)?;
    let unit = site.about().unit_cost;
    let document = Document {
        world: WorldLine::of(site),
        from: site.place(ends.start),
        to: site.place(ends.goal),
        outcome: report.ending.name(),
        cost: found.then(|| rounded(report.cost() as f64 / unit)),
        length: found.then(|| rounded(report.length)),
        reason: why.reason,
        straight_line: why.straight_line,
        nearest: why.nearest,
        remedies: why.remedies,
        grounds: why.shares,
        pictures,
    };
    if printer.is_json() {
        printer.json(&document)?;
    } else {
        print(site, &document, printer)?;
    }
    Ok(if found { Exit::Done } else { Exit::NoPath })
}

fn print(site: &dyn Site, document: &Document<'_>, printer: &mut Printer) -> Result<(), Failure> {
    let about = site.about();
    let unit = about.unit;
    if let (Some(cost), Some(length)) = (document.cost, document.length) {
        printer.heading(&format!("There is a path from {} to {}", document.from, document.to))?;
        let straight = document.straight_line.unwrap_or(0.0);
        let detour = match straight > 0.0 {
            true => format!(
                ", {} % more than the straight line of {}",
                decimals((length / straight - 1.0) * 100.0, 0),
                tidy(straight)
            ),
            false => String::new(),
        };
        printer.line(format!(
            "It is {} {unit} long{detour}, and costs {}:\n",
            tidy(length),
            tidy(cost)
        ))?;
        print_shares(&document.grounds, cost, printer)?;
    } else {
        printer.heading(&format!("No path from {} to {}", document.from, document.to))?;
        printer.line(format!("Because {}.", document.reason.as_deref().unwrap_or_default()))?;
        if let Some(NearestPlace { place, distance_to_goal, length }) = &document.nearest {
            printer.line(format!(
                "\nAs near as one can get: {place}, {} {unit} from the goal, after a way of {} {unit}.",
                tidy(*distance_to_goal),
                tidy(*length)
            ))?;
        }
        print_remedies(site, &document.remedies, printer)?;
    }
    for picture in &document.pictures {
        printer.line(format!("\npicture     {}", picture.display()))?;
    }
    Ok(())
}

fn print_shares(shares: &[GroundShare], cost: f64, printer: &mut Printer) -> Result<(), Failure> {
    let mut table = Table::new(&[
        ("onto", Align::Left),
        ("moves", Align::Right),
        ("length", Align::Right),
        ("cost", Align::Right),
        ("share", Align::Right),
    ]);
    for share in shares {
        table.row([
            share.ground.clone(),
            grouped(share.moves),
            decimals(share.length, 2),
            decimals(share.cost, 2),
            format!("{} %", decimals(share.cost * 100.0 / cost.max(f64::MIN_POSITIVE), 0)),
        ]);
    }
    printer.text(&table.render(printer.is_styled()))
}

fn print_remedies(
    site: &dyn Site,
    remedies: &[Remedy],
    printer: &mut Printer,
) -> Result<(), Failure> {
    let about = site.about();
    if remedies.is_empty() {
        return printer.line("\nNo single change of the walker opens a path.");
    }
    printer.line("\nThere is a path")?;
    for remedy in remedies {
        let Remedy { sentence, length, lacks, .. } = remedy;
        let how = match (&remedy.crossing, remedy.cost) {
            (Some(crossing), _) => format!("crossing {}", spell_crossing(crossing, about.state)),
            (None, Some(cost)) => format!("at a cost of {}", tidy(cost)),
            (None, None) => String::new(),
        };
        printer.line(format!(
            "  {sentence}:\n      {} {} long, {how}",
            tidy(*length),
            about.unit
        ))?;
        for lack in lacks {
            printer.line(format!("      {}", lack.sentence))?;
        }
    }
    Ok(())
}

fn spell_crossing(crossing: &GroundCrossing, state: &str) -> String {
    let GroundCrossing { places, first, last, .. } = crossing;
    let places = counted(*places as u64, state);
    match first == last {
        true => format!("{places} of it, at {first}"),
        false => format!("{places} of it, the first at {first}, the last at {last}"),
    }
}

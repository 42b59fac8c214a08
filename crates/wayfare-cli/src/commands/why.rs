//! `why`: why there is no path and what would help, or why the path costs what it does.

use std::path::PathBuf;

use serde::Serialize;
use wayfare::search::{AlgorithmId, Limit};

use super::shared::{self, WorldLine};
use crate::args::{LimitArgs, WhyArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::{
    Align, Drawing, Heartbeat, Printer, Table, counted, decimals, draw, grouped, rounded, tidy,
};
use crate::site::{self, Ask, Ending, Endpoints, Lack, OFF_MAP, Place, Rule, Run, Site, Stop};

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
    /// As near to the goal as one can get; null where there is a path, and where one cannot even start.
    nearest: Option<Nearest>,
    /// What would open a path, one thing at a time.
    remedies: Vec<Remedy>,
    /// What the path's cost is made of.
    grounds: Vec<Share>,
    pictures: Vec<PathBuf>,
}

#[derive(Serialize)]
struct Nearest {
    place: Place,
    /// What is left from there, as the crow flies.
    distance_to_goal: f64,
    /// Of the way there.
    length: f64,
}

/// One change that opens a path.
#[derive(Serialize)]
struct Remedy {
    change: String,
    #[serde(skip)]
    sentence: String,
    length: f64,
    /// Of the path that it opens; null where it leads over ground that has no cost of its own.
    cost: Option<f64>,
    crossing: Option<Crossing>,
    /// What the agent lacks, and where; only in voxel worlds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lacks: Vec<Lack>,
}

/// Where a path crosses ground that was closed before.
#[derive(Serialize)]
struct Crossing {
    ground: String,
    places: usize,
    first: Place,
    last: Place,
}

/// What one kind of ground adds to the cost of a path.
#[derive(Serialize)]
struct Share {
    ground: String,
    moves: u64,
    length: f64,
    cost: f64,
}

pub(super) fn run(args: &WhyArgs, printer: &mut Printer) -> Result<Exit, Failure> {
    let site = site::open(&args.world, &args.movement)?;
    let site = site.as_ref();
    let ends = site::choose(site, &args.endpoints, printer)?;
    shared::remarks(site, printer);

    let mut heart = Heartbeat::new("searching");
    let mut beat = |expanded| heart.beat(expanded);
    let on_map = ends.start != OFF_MAP && ends.goal != OFF_MAP;
    let mut ask = Ask::new(AlgorithmId::AStar, ends.start, ends.goal).within(&args.limits);
    // How near one can get to what is off the map is not defined.
    ask.approach = on_map;
    let run = site.searcher().run(&ask.recorded(!args.pictures.outputs.is_empty()), &mut beat);
    shared::check(&run)?;
    let remedies = match run.ending {
        Ending::Found | Ending::Interrupted(_) => Vec::new(),
        Ending::Limit(limit) => without_limit(site, &ends, limit, &mut beat).into_iter().collect(),
        Ending::NoPath(_) => remedies(site, &ends, &args.limits, &mut beat)?,
    };
    drop(heart);

    let drawing = Drawing {
        title: match run.is_found() {
            true => "There is a path".to_owned(),
            false => "As near as one can get".to_owned(),
        },
        caption: site.about().agent.clone().unwrap_or_default(),
        ..Drawing::of(&run, &ends)
    };
    let pictures = draw(site, std::slice::from_ref(&drawing), "", &args.pictures)?;
    let found = run.is_found();
    let unit = site.about().unit_cost;
    let straight = |a, b| rounded(f64::from(site.position(a).distance(site.position(b))));
    let nearest = run.path.last().filter(|_| !found && on_map).map(|last| Nearest {
        place: site.place(last.state),
        distance_to_goal: straight(last.state, ends.goal),
        length: rounded(run.length),
    });
    let document = Document {
        world: WorldLine::of(site),
        from: site.place(ends.start),
        to: site.place(ends.goal),
        outcome: run.ending.name(),
        reason: shared::reason(site, &run, &ends),
        cost: found.then(|| rounded(run.cost() as f64 / unit)),
        length: found.then(|| rounded(run.length)),
        straight_line: on_map.then(|| straight(ends.start, ends.goal)),
        nearest,
        remedies,
        grounds: if found { shares(site, &run) } else { Vec::new() },
        pictures,
    };
    if printer.is_json() {
        printer.json(&document)?;
    } else {
        print(site, &document, printer)?;
    }
    Ok(if found { Exit::Done } else { Exit::NoPath })
}

/// A path beyond the limit that ended the search.
fn without_limit(
    site: &dyn Site,
    ends: &Endpoints,
    limit: Limit,
    beat: &mut dyn FnMut(u64),
) -> Option<Remedy> {
    let run = site.searcher().run(&Ask::new(AlgorithmId::AStar, ends.start, ends.goal), beat);
    let cost = run.cost() as f64 / site.about().unit_cost;
    let (change, sentence) = match limit {
        Limit::Expansions => {
            let needed = run.stats.expanded;
            let sentence = format!("if the search may make {} expansions", grouped(needed));
            (format!("max-expansions={needed}"), format!("{sentence} (--max-expansions)"))
        }
        _ => {
            let sentence = format!("if it may cost {} (--max-cost)", tidy(cost));
            (format!("max-cost={}", rounded(cost)), sentence)
        }
    };
    run.is_found().then(|| Remedy {
        change,
        sentence,
        length: rounded(run.length),
        cost: Some(rounded(cost)),
        crossing: None,
        lacks: Vec::new(),
    })
}

/// Tries what could help, one thing at a time.
fn remedies(
    site: &dyn Site,
    ends: &Endpoints,
    limits: &LimitArgs,
    beat: &mut dyn FnMut(u64),
) -> Result<Vec<Remedy>, Failure> {
    let mut found = Vec::new();
    if ends.start == OFF_MAP || ends.goal == OFF_MAP {
        return Ok(found);
    }
    found.extend(beside(site, ends, limits, beat));
    let mut settled: Vec<Rule> = Vec::new();
    for relaxation in site.relaxations(ends) {
        if settled.contains(&relaxation.rule) {
            continue;
        }
        let relaxed = (relaxation.site)()?;
        let ask = Ask::new(AlgorithmId::AStar, ends.start, ends.goal).within(limits);
        // The toll of ground that is closed would count against the limit of the cost.
        let run = relaxed.searcher().run(&Ask { max_cost: None, ..ask }, beat);
        if !run.is_found() {
            continue;
        }
        if !matches!(relaxation.rule, Rule::Ground | Rule::Ability) {
            settled.push(relaxation.rule);
        }
        let crossing = relaxation.opened.and_then(|ground| crossing(site, &run.path, ground));
        found.push(Remedy {
            change: relaxation.change,
            sentence: relaxation.sentence,
            length: rounded(run.length),
            cost: crossing.is_none().then(|| rounded(run.cost() as f64 / site.about().unit_cost)),
            crossing,
            lacks: relaxation.lacks,
        });
    }
    Ok(found)
}

/// A path between the nearest places that can be stood on, where an end cannot.
fn beside(
    site: &dyn Site,
    ends: &Endpoints,
    limits: &LimitArgs,
    beat: &mut dyn FnMut(u64),
) -> Option<Remedy> {
    let (start, goal) = (site.nearest_free(ends.start), site.nearest_free(ends.goal));
    let moved = Endpoints { start: start.unwrap_or(ends.start), goal: goal.unwrap_or(ends.goal) };
    if moved == *ends {
        return None;
    }
    let ask = Ask::new(AlgorithmId::AStar, moved.start, moved.goal).within(limits);
    let run = site.searcher().run(&ask, beat);
    let from = start.map(|state| format!("it starts at {}", site.place(state)));
    let to = goal.map(|state| format!("it ends at {}", site.place(state)));
    let changes: Vec<String> = [from, to].into_iter().flatten().collect();
    let options = [("from", start), ("to", goal)]
        .into_iter()
        .filter_map(|(name, state)| state.map(|state| format!("{name}={}", site.place(state))));
    run.is_found().then(|| Remedy {
        change: options.collect::<Vec<_>>().join(" "),
        sentence: format!("if {}, the nearest place to stand on", changes.join(" and ")),
        length: rounded(run.length),
        cost: Some(rounded(run.cost() as f64 / site.about().unit_cost)),
        crossing: None,
        lacks: Vec::new(),
    })
}

/// Where a path is on ground of that name.
fn crossing(site: &dyn Site, path: &[Stop], ground: String) -> Option<Crossing> {
    let on_it: Vec<u32> =
        path.iter().map(|stop| stop.state).filter(|state| site.ground(*state) == ground).collect();
    let (first, last) = (on_it.first()?, on_it.last()?);
    Some(Crossing {
        places: on_it.len(),
        first: site.place(*first),
        last: site.place(*last),
        ground,
    })
}

/// What each kind of ground adds to the cost, the dearest first.
fn shares(site: &dyn Site, run: &Run) -> Vec<Share> {
    let mut shares: Vec<Share> = Vec::new();
    for leg in run.path.windows(2) {
        let ground = site.ground(leg[1].state);
        let length = f64::from(site.position(leg[0].state).distance(site.position(leg[1].state)));
        let cost = (leg[1].cost - leg[0].cost) as f64 / site.about().unit_cost;
        match shares.iter_mut().find(|share| share.ground == ground) {
            Some(share) => {
                share.moves += 1;
                share.length += length;
                share.cost += cost;
            }
            None => shares.push(Share { ground, moves: 1, length, cost }),
        }
    }
    for share in &mut shares {
        (share.length, share.cost) = (rounded(share.length), rounded(share.cost));
    }
    shares.sort_by(|a, b| b.cost.total_cmp(&a.cost).then_with(|| a.ground.cmp(&b.ground)));
    shares
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
        if let Some(Nearest { place, distance_to_goal, length }) = &document.nearest {
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

fn print_shares(shares: &[Share], cost: f64, printer: &mut Printer) -> Result<(), Failure> {
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

fn spell_crossing(crossing: &Crossing, state: &str) -> String {
    let Crossing { places, first, last, .. } = crossing;
    let places = counted(*places as u64, state);
    match first == last {
        true => format!("{places} of it, at {first}"),
        false => format!("{places} of it, the first at {first}, the last at {last}"),
    }
}

//! `demo`: the first five minutes.

use std::path::{Path, PathBuf};

use serde::Serialize;
use wayfare::search::AlgorithmId;
use wayfare_formats::{TileMap, WorldError, movingai_map, tiled};
use wayfare_scene::{GridWorld, Movement};
use wayfare_site::{Endpoints, GridSite, SearchReport, Site};

use super::shared;
use crate::args::{DemoArgs, PictureArgs, ThemeArg};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::{Drawing, Printer, decimals, draw, grouped, micros, rounded, tidy};

/// Part of the program, so that the demo works from anywhere.
const CAVE: &[u8] = include_bytes!("../../worlds/cave.map");
const VILLAGE: &[u8] = include_bytes!("../../worlds/village.tmj");

/// The document that `--format json` prints.
#[derive(Serialize)]
struct Document {
    pictures: [PathBuf; 2],
    cave: [Line; 2],
    village: Line,
}

#[derive(Serialize)]
struct Line {
    algorithm: &'static str,
    cost: f64,
    length: f64,
    expanded: u64,
    time_us: f64,
}

pub(super) fn run(args: &DemoArgs, printer: &mut Printer) -> Result<Exit, Failure> {
    let embedded = |map: Result<TileMap, WorldError>, file: &str| -> Result<GridSite, Failure> {
        let world = GridWorld::from_tile_map(&map?, &Movement::default())?;
        Ok(GridSite::new(Path::new(file), world))
    };
    let cave = embedded(movingai_map::read(CAVE, "cave"), "cave.map")?;
    let village = embedded(tiled::read_tmj(VILLAGE, "village", Path::new("")), "village.tmj")?;
    let folder = std::path::absolute(&args.folder).unwrap_or_else(|_| args.folder.clone());
    let film = folder.join("wayfare-demo.gif");
    let still = folder.join("wayfare-demo.png");

    // A route through the cave, drawn as both find it; the same on every machine.
    let ends = ends(&cave, "15,43", "748,752")?;
    let [astar, dijkstra] =
        [AlgorithmId::AStar, AlgorithmId::Dijkstra].map(|id| solve(&cave, id, ends));
    let titled = |title: &str, run| Drawing { title: title.to_owned(), ..Drawing::of(run, ends) };
    let both = [titled("A*", &astar), titled("Dijkstra", &dijkstra)];
    draw(&cave, &both, "The same route, searched twice", &pictures(&film))?;

    let ends = self::ends(&village, "1,2", "14,1")?;
    let walk = solve(&village, AlgorithmId::AStar, ends);
    let title = "A* through the village".to_owned();
    let one = Drawing { title, ..Drawing::of(&walk, ends) };
    draw(&village, &[one], "", &pictures(&still))?;
    for run in [&astar, &dijkstra, &walk] {
        shared::check(run)?;
    }

    if printer.is_json() {
        printer.json(&Document {
            pictures: [film, still],
            cave: [line(&cave, &astar), line(&cave, &dijkstra)],
            village: line(&village, &walk),
        })?;
    } else {
        printer.heading("Pictures")?;
        printer.line(format!("{}   a search in a cave as a film", film.display()))?;
        printer.line(format!("{}   a walk through a village\n", still.display()))?;
        printer.heading("Through a cave of 768 × 768 cells")?;
        for run in [&astar, &dijkstra] {
            let name = run.method;
            let expanded = grouped(run.stats.expanded);
            let (length, time) = (tidy(run.length), shared::time(micros(run.elapsed)));
            printer
                .field(name, format!("{length} cells long, {expanded} states expanded, {time}"))?;
        }
        let share = astar.stats.expanded as f64 * 100.0 / dijkstra.stats.expanded.max(1) as f64;
        printer.line(format!(
            "Both found a shortest path. A* knew where the goal lay, and looked at {} % of what Dijkstra looked at.\n",
            decimals(share, 0)
        ))?;
        printer.heading("Through a village, over the pass and the bridge")?;
        let cost = walk.cost() as f64 / village.about().unit_cost;
        printer.field(
            "astar",
            format!("{} cells long at a cost of {}\n", tidy(walk.length), tidy(cost)),
        )?;
        printer.heading("What to try next")?;
        let wayfare = command();
        for (rest, what) in NEXT {
            printer.line(format!("{wayfare} {rest:<44} # {what}"))?;
        }
    }
    Ok(Exit::Done)
}

/// Commands to go on with. The worlds are in the project's folder.
const NEXT: [(&str, &str); 4] = [
    ("solve worlds/village.tmj --from 1,2 --to 8,2", "over the mountains"),
    ("compare worlds/cave.map -o cave.gif", "four algorithms at once"),
    ("why worlds/two-islands.txt", "why there is no path"),
    ("--help", "all the rest"),
];

/// Returns the command as it was typed, or as `cargo run` started it: typed again, it works.
fn command() -> String {
    std::env::args().next().filter(|typed| !typed.is_empty()).unwrap_or("wayfare".to_owned())
}

fn pictures(file: &Path) -> PictureArgs {
    PictureArgs {
        outputs: vec![file.to_path_buf()],
        theme: ThemeArg::Dark,
        ..PictureArgs::default()
    }
}

fn ends(site: &GridSite, from: &str, to: &str) -> Result<Endpoints, Failure> {
    let near = |text: &str| -> Result<u32, Failure> {
        let state = site.find(text)?;
        Ok(site.nearest_free(state).unwrap_or(state))
    };
    Ok(Endpoints { start: near(from)?, goal: near(to)? })
}

/// Solves twice: once for the time, once for the record.
fn solve(site: &GridSite, algorithm: AlgorithmId, ends: Endpoints) -> SearchReport {
    let mut searcher = site.searcher();
    let request = shared::request(algorithm, ends);
    searcher.run(&request, &mut |_| ());
    let mut run = searcher.run(&request, &mut |_| ());
    run.trace = searcher.run(&request.recorded(true), &mut |_| ()).trace;
    run
}

fn line(site: &GridSite, run: &SearchReport) -> Line {
    Line {
        algorithm: run.method,
        cost: rounded(run.cost() as f64 / site.about().unit_cost),
        length: rounded(run.length),
        expanded: run.stats.expanded,
        time_us: micros(run.elapsed),
    }
}

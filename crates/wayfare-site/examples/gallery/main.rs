//! Draws sample pictures of every kind into a folder, `target/gallery` by default:
//! `cargo run -p wayfare-site --example gallery -- FOLDER`.

mod blocks;

use std::error::Error;
use std::path::{Path, PathBuf};

use glam::Vec2;
use wayfare::prelude::*;
use wayfare::search::Query;
use wayfare::search::{AlgorithmId, AnswerOf, Options};
use wayfare::space::StateId;
use wayfare::space::{GridSpace, NegativeCosts, Waypoint, WaypointGraph, WaypointId, WaypointLink};
use wayfare_draw::{
    Animation, Colour, Footprint, GridScenery, Panel, Picture, Sheet, Surface, Terrain, Theme,
    WaypointScenery,
};
use wayfare_formats::{TileMap, World, read_path};
use wayfare_generate::{Kinds, Seed, Settings, generate};

type Anything<T> = Result<T, Box<dyn Error>>;
type Recorded<'g> = (Trace<Cell, u32>, AnswerOf<GridSpace<'g>>);

fn main() -> Anything<()> {
    let folder =
        std::env::args_os().nth(1).map_or_else(|| PathBuf::from("target/gallery"), PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    for (name, theme) in [("dark", Theme::DARK), ("light", Theme::LIGHT)] {
        write(&village(&theme)?, &folder, &format!("village-{name}"))?;
        write(&yard(&theme)?, &folder, &format!("yard-{name}"))?;
        blocks::draw(&theme, &folder, &format!("blocks-{name}"))?;
        race(&theme, &folder, &format!("race-{name}"))?;
        contest(&theme, &folder, &format!("contest-{name}"))?;
        waste(&theme, &folder, &format!("large-{name}"))?;
    }
    Ok(())
}

fn write(picture: &Picture, folder: &Path, name: &str) -> Anything<()> {
    picture.write_png(&folder.join(format!("{name}.png")))?;
    picture.write_svg(&folder.join(format!("{name}.svg")))?;
    Ok(())
}

fn grid_of(map: &TileMap) -> Anything<Grid> {
    let profile =
        GridProfile { costs: map.cost_table().shifting_negative_costs(), ..GridProfile::default() };
    Ok(map.to_grid(profile)?)
}

fn scenery<'a>(grid: &'a Grid, map: &TileMap, theme: &Theme) -> GridScenery<'a> {
    GridScenery::of_grid(grid, |terrain| {
        let terrain = &map.terrains()[usize::from(terrain.0)];
        let [red, green, blue] = terrain.color;
        let own = Colour { red, green, blue, alpha: 255 };
        Terrain::themed(terrain.name.clone(), own, !terrain.walkable, theme)
    })
}

/// The open cell nearest to the place at these shares of width and height.
fn open_near(grid: &Grid, x: f32, y: f32) -> Cell {
    let target = Vec2::new(x * grid.width() as f32, y * grid.height() as f32);
    let space = grid.space();
    let distance = |cell: &Cell| {
        let (x, y) = grid.coordinates(*cell).into();
        Vec2::new(x as f32, y as f32).distance(target)
    };
    let free = grid.cells().filter(|cell| space.is_free(*cell));
    let nearest = free.min_by(|a, b| distance(a).total_cmp(&distance(b)));
    nearest.unwrap_or_else(|| grid.nearest_cell(glam::Vec3::ZERO))
}

fn record(grid: &Grid, algorithm: AlgorithmId, start: Cell, goal: Cell) -> Recorded<'_> {
    let mut trace = Trace::new();
    let mut search = algorithm.search(&Options::default(), Query::new(start, goal));
    let answer = search.finish(&grid.space(), &mut Scratch::new(), &mut trace);
    (trace, answer)
}

fn title(algorithm: AlgorithmId) -> &'static str {
    match algorithm {
        AlgorithmId::AStar => "A*",
        AlgorithmId::Bfs => "Breadth-first",
        AlgorithmId::Bidirectional => "Bidirectional A*",
        AlgorithmId::Dijkstra => "Dijkstra",
        AlgorithmId::Greedy => "Greedy",
        AlgorithmId::LazyThetaStar => "Lazy Theta*",
        other => other.info().name,
    }
}

fn panel<'a>(
    grid: &Grid,
    scenery: &'a GridScenery<'a>,
    algorithm: AlgorithmId,
    (trace, answer): &'a Recorded<'_>,
) -> Panel<'a> {
    let panel = Panel::new(scenery).title(title(algorithm)).search(trace);
    match answer.outcome.path() {
        Some(path) => panel.path(&grid.space(), path),
        None => panel,
    }
}

/// The village: terrains with costs.
fn village(theme: &Theme) -> Anything<Picture> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../worlds/village.tmj");
    let World::TileMap(map) = read_path(file)? else { return Err("not a tile map".into()) };
    let grid = grid_of(&map)?;
    let scenery = scenery(&grid, &map, theme);
    let (start, goal) = (open_near(&grid, 0.05, 0.05), open_near(&grid, 0.85, 0.15));
    let recorded = record(&grid, AlgorithmId::AStar, start, goal);
    let panel = panel(&grid, &scenery, AlgorithmId::AStar, &recorded).caption("the village");
    Ok(Sheet::new(vec![panel]).theme(*theme).draw()?)
}

/// A square map of a kind of `wayfare-generate`.
fn tiles(kind: &str, side: u32, seed: u64) -> Anything<TileMap> {
    let kinds = Kinds::standard();
    let settings = format!("[{kind}]\nwidth = {side}\nheight = {side}\n");
    let settings = Settings::read(&settings, &kinds)?;
    match generate(kinds.get(kind)?, &settings, Seed(seed))?.map(kind)? {
        Some(World::TileMap(map)) => Ok(map),
        _ => Err("not a tile map".into()),
    }
}

/// Two searches of one cave, in motion.
fn race(theme: &Theme, folder: &Path, name: &str) -> Anything<()> {
    let map = tiles("caves", 128, 5)?;
    let grid = grid_of(&map)?;
    let scenery = scenery(&grid, &map, theme);
    let (start, goal) = (open_near(&grid, 0.05, 0.95), open_near(&grid, 0.95, 0.05));
    let algorithms = [AlgorithmId::AStar, AlgorithmId::Dijkstra];
    let recorded = algorithms.map(|algorithm| record(&grid, algorithm, start, goal));
    let panels = algorithms.iter().zip(&recorded);
    let panels = panels.map(|(algorithm, recorded)| panel(&grid, &scenery, *algorithm, recorded));
    let sheet = Sheet::new(panels.collect()).theme(*theme);
    write(&sheet.draw()?, folder, name)?;
    Animation::new(sheet).write_gif(&folder.join(format!("{name}.gif")), &mut |_, _| ())?;
    Ok(())
}

/// Six algorithms on one query.
fn contest(theme: &Theme, folder: &Path, name: &str) -> Anything<()> {
    let map = tiles("city", 64, 4)?;
    let grid = grid_of(&map)?;
    let scenery = scenery(&grid, &map, theme);
    let (start, goal) = (open_near(&grid, 0.1, 0.9), open_near(&grid, 0.9, 0.1));
    let algorithms = [
        AlgorithmId::Bfs,
        AlgorithmId::Dijkstra,
        AlgorithmId::AStar,
        AlgorithmId::Greedy,
        AlgorithmId::Bidirectional,
        AlgorithmId::LazyThetaStar,
    ];
    let recorded = algorithms.map(|algorithm| record(&grid, algorithm, start, goal));
    let panels = algorithms.iter().zip(&recorded);
    let panels = panels.map(|(algorithm, recorded)| panel(&grid, &scenery, *algorithm, recorded));
    let sheet = Sheet::new(panels.collect()).title("Six ways through the city").theme(*theme);
    write(&sheet.draw()?, folder, name)
}

/// More cells than pixels.
fn waste(theme: &Theme, folder: &Path, name: &str) -> Anything<()> {
    let map = tiles("caves", 2048, 9)?;
    let grid = grid_of(&map)?;
    let scenery = scenery(&grid, &map, theme);
    let (start, goal) = (open_near(&grid, 0.05, 0.5), open_near(&grid, 0.95, 0.6));
    let recorded = record(&grid, AlgorithmId::AStar, start, goal);
    let panel = panel(&grid, &scenery, AlgorithmId::AStar, &recorded).caption("2048 × 2048 cells");
    write(&Sheet::new(vec![panel]).theme(*theme).draw()?, folder, name)
}

/// Waypoints among obstacles, hand-placed.
fn yard(theme: &Theme) -> Anything<Picture> {
    let discs = [([22.0, 13.0], 5.0), ([48.0, 34.0], 6.0), ([63.0, 9.0], 4.0)];
    let boxes = [[[4.0, 24.0], [15.0, 40.0]], [[33.0, 40.0], [40.0, 56.0]]];
    let blocked = |a: Vec2, b: Vec2| {
        (0..=20u8).any(|step| {
            let point = a.lerp(b, f32::from(step) / 20.0);
            discs.iter().any(|(at, radius)| Vec2::from(*at).distance(point) < radius + 0.5)
                || boxes.iter().any(|[min, max]| {
                    point.cmpge(Vec2::from(*min) - 0.5).all()
                        && point.cmple(Vec2::from(*max) + 0.5).all()
                })
        })
    };
    let points: Vec<Vec2> = (0..48u32)
        .map(|number| {
            let shift = Vec2::new((number * 37 % 11) as f32, (number * 53 % 13) as f32) * 0.45;
            Vec2::new((number % 8) as f32, (number / 8) as f32) * 10.0 + shift
        })
        .filter(|point| !blocked(*point, *point))
        .collect();
    let mut links = Vec::new();
    for (from, a) in (0..).zip(&points) {
        for (to, b) in (0..).zip(&points).skip(from as usize + 1) {
            if a.distance(*b) < 14.0 && !blocked(*a, *b) {
                let (from, to) = (WaypointId::from_index(from), WaypointId::from_index(to));
                let one_way = links.len() % 9 == 4;
                links.push(if one_way {
                    WaypointLink::one_way(from, to)
                } else {
                    WaypointLink::new(from, to)
                });
            }
        }
    }
    let [[left, top], [right, bottom]] = [[42.0, -4.0], [50.0, 58.0]];
    let road = [[left, top], [right, top], [right + 6.0, bottom], [left + 6.0, bottom]];
    let surface = Surface {
        outline: road.map(Vec2::from).to_vec(),
        colour: theme.terrain("road").unwrap_or(theme.floor).mix(theme.floor, 0.6),
    };
    let mut obstacles: Vec<Footprint> = discs
        .iter()
        .map(|(centre, radius)| Footprint::Disc { centre: (*centre).into(), radius: *radius })
        .collect();
    obstacles.extend(boxes.iter().map(|[[x, y], [u, v]]| {
        Footprint::Polygon([[*x, *y], [*u, *y], [*u, *v], [*x, *v]].map(Vec2::from).to_vec())
    }));
    let last = points.len() - 1;
    let names = [(0, "gate"), (16, "well"), (last, "tower")];
    let waypoints = points.iter().enumerate().map(|(place, point)| {
        let name = names.iter().find(|(at, _)| *at == place).map(|(_, name)| *name);
        let waypoint = Waypoint::at(glam::Vec3::new(point.x, 0.0, point.y));
        let waypoint = waypoint.with_cost(if place % 11 == 5 { 6.0 } else { 0.0 });
        if let Some(name) = name { waypoint.with_name(name) } else { waypoint }
    });
    let graph = WaypointGraph::new(waypoints, links, NegativeCosts::default())?;
    let ends = [0, last as u32].map(WaypointId::from_index);
    let mut trace = Trace::new();
    let mut search = AStar::new().search(Query::new(ends[0], ends[1]));
    let answer = search.finish(&graph, &mut Scratch::new(), &mut trace);
    let path = answer.outcome.path().ok_or("the tower cannot be reached")?;
    let scenery = WaypointScenery::of_graph(&graph)?
        .with_surfaces(vec![surface])?
        .with_obstacles(obstacles)?;
    let panel = Panel::new(&scenery).title("A* in the yard").search(&trace).path(&graph, path);
    Ok(Sheet::new(vec![panel]).theme(*theme).draw()?)
}

//! Draws sample pictures of every kind into a folder, `target/gallery` by default: `cargo run --example gallery -- FOLDER`.

use std::collections::BinaryHeap;
use std::error::Error;
use std::path::PathBuf;

use wayfare::space::{DIAGONAL, STRAIGHT, StateId};
use wayfare::trace::{Event, EventKind, Side, Trace};
use wayfare_draw::{
    Animation, Footprint, GridScenery, LinkArt, Panel, Sheet, Terrain, Theme, WaypointScenery,
};

/// A state of the small search below.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Node(u32);

impl StateId for Node {
    fn index(self) -> u32 {
        self.0
    }
    fn from_index(index: u32) -> Self {
        Self(index)
    }
}

/// What a search is run on here: costs of moves out of a node, and an estimate.
struct Problem<'a> {
    nodes: usize,
    moves: &'a dyn Fn(u32) -> Vec<(u32, u64)>,
    estimate: &'a dyn Fn(u32) -> u64,
}

/// A textbook A*, just enough to have something to draw.
fn search(problem: &Problem<'_>, start: u32, goal: u32) -> (Trace<Node, u64>, Vec<u32>) {
    let mut trace = Trace::new();
    let mut best = vec![u64::MAX; problem.nodes];
    let mut parent: Vec<u32> = (0..problem.nodes as u32).collect();
    let mut closed = vec![false; problem.nodes];
    let mut open = BinaryHeap::new();
    let mut tell = |kind, state, parent, g| {
        let (side, h) = (Side::Forward, 0);
        trace.events.push(Event { kind, side, state: Node(state), parent: Node(parent), g, h });
    };
    best[start as usize] = 0;
    open.push((std::cmp::Reverse((problem.estimate)(start)), 0u64, start));
    tell(EventKind::Generate, start, start, 0);
    while let Some((_, g, node)) = open.pop() {
        if std::mem::replace(&mut closed[node as usize], true) {
            continue;
        }
        if node == goal {
            tell(EventKind::Goal, node, parent[node as usize], g);
            let mut path = vec![goal];
            while let Some(&last) = path.last().filter(|last| **last != start) {
                path.push(parent[last as usize]);
            }
            path.reverse();
            return (trace, path);
        }
        tell(EventKind::Expand, node, parent[node as usize], g);
        for (next, cost) in (problem.moves)(node) {
            let reached = best[next as usize];
            if g + cost < reached && !closed[next as usize] {
                best[next as usize] = g + cost;
                parent[next as usize] = node;
                let kind = if reached == u64::MAX { EventKind::Generate } else { EventKind::Relax };
                tell(kind, next, node, g + cost);
                let estimate = g + cost + (problem.estimate)(next);
                open.push((std::cmp::Reverse(estimate), g + cost, next));
            }
        }
    }
    (trace, Vec::new())
}

/// A grid with a cost factor per cell, 0 for blocked.
struct Map {
    width: u32,
    height: u32,
    factors: Vec<u64>,
}

impl Map {
    fn moves(&self, cell: u32) -> Vec<(u32, u64)> {
        let (x, y) = ((cell % self.width) as i64, (cell / self.width) as i64);
        let factor = |x: i64, y: i64| {
            let inside =
                (0..self.width as i64).contains(&x) && (0..self.height as i64).contains(&y);
            if inside { self.factors[(y * self.width as i64 + x) as usize] } else { 0 }
        };
        let mut moves = Vec::new();
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let step = if dx != 0 && dy != 0 { DIAGONAL } else { STRAIGHT };
            let cost = u64::from(step) * factor(x + dx, y + dy);
            if cost > 0 && factor(x + dx, y) > 0 && factor(x, y + dy) > 0 {
                moves.push((((y + dy) * self.width as i64 + x + dx) as u32, cost));
            }
        }
        moves
    }

    fn octile(&self, from: u32, to: u32) -> u64 {
        let dx = (from % self.width).abs_diff(to % self.width);
        let dy = (from / self.width).abs_diff(to / self.width);
        let (long, short) = (dx.max(dy), dx.min(dy));
        u64::from(short) * u64::from(DIAGONAL) + u64::from(long - short) * u64::from(STRAIGHT)
    }

    fn solve(&self, start: u32, goal: u32, informed: bool) -> (Trace<Node, u64>, Vec<u32>) {
        let estimate = |cell| if informed { self.octile(cell, goal) } else { 0 };
        let moves = |cell| self.moves(cell);
        search(
            &Problem { nodes: self.factors.len(), moves: &moves, estimate: &estimate },
            start,
            goal,
        )
    }
}

/// A cheap sequence of numbers that look random, the same every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }
}

/// A cave by cellular smoothing of noise.
fn cave(width: u32, height: u32, seed: u64) -> Map {
    let mut numbers = Numbers(seed);
    let cells = (width * height) as usize;
    let mut wall: Vec<bool> = (0..cells).map(|_| numbers.below(100) < 43).collect();
    for _ in 0..5 {
        let around = |cell: usize| {
            let (x, y) = ((cell as u32 % width) as i64, (cell as u32 / width) as i64);
            let mut walls = 0;
            for dy in -1..=1 {
                for dx in -1..=1 {
                    let (x, y) = (x + dx, y + dy);
                    let inside = (0..width as i64).contains(&x) && (0..height as i64).contains(&y);
                    walls += u32::from(!inside || wall[(y * width as i64 + x) as usize]);
                }
            }
            walls >= 5
        };
        wall = (0..cells).map(around).collect();
    }
    Map { width, height, factors: wall.into_iter().map(|wall| u64::from(!wall)).collect() }
}

fn walls(map: &Map, theme: &Theme) -> Result<GridScenery<'static>, wayfare_draw::DrawError> {
    let cells: Vec<u8> = map.factors.iter().map(|factor| u8::from(*factor == 0)).collect();
    GridScenery::new(
        map.width,
        map.height,
        vec![Terrain::floor(theme), Terrain::wall(theme)],
        &cells,
    )
}

/// The open cell nearest to a point.
fn open_near(map: &Map, x: u32, y: u32) -> u32 {
    let target = y * map.width + x;
    (0..map.factors.len() as u32)
        .filter(|cell| map.factors[*cell as usize] > 0)
        .min_by_key(|cell| map.octile(*cell, target))
        .unwrap_or(0)
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder =
        std::env::args_os().nth(1).map_or_else(|| PathBuf::from("target/gallery"), PathBuf::from);
    std::fs::create_dir_all(&folder)?;

    for (name, theme) in [("dark", Theme::DARK), ("light", Theme::LIGHT)] {
        village(&theme)?.write_png(&folder.join(format!("village-{name}.png")))?;
        village(&theme)?.write_svg(&folder.join(format!("village-{name}.svg")))?;
        scene(&theme)?.write_png(&folder.join(format!("scene-{name}.png")))?;
        scene(&theme)?.write_svg(&folder.join(format!("scene-{name}.svg")))?;
        let map = cave(96, 96, 7);
        let scenery = walls(&map, &theme)?;
        let (start, goal) = (open_near(&map, 5, 90), open_near(&map, 90, 5));
        let (astar, path) = map.solve(start, goal, true);
        let (dijkstra, _) = map.solve(start, goal, false);
        let panels = vec![
            Panel::new(&scenery).title("A*").search(&astar).path_states(path.clone()),
            Panel::new(&scenery).title("Dijkstra").search(&dijkstra).path_states(path),
        ];
        let sheet = Sheet::new(panels).theme(theme);
        sheet.draw()?.write_png(&folder.join(format!("cave-{name}.png")))?;
        sheet.draw()?.write_svg(&folder.join(format!("cave-{name}.svg")))?;
        let mut progress = |_, _| ();
        Animation::new(sheet).write_gif(&folder.join(format!("cave-{name}.gif")), &mut progress)?;
    }
    Ok(())
}

/// Sixteen by sixteen cells of terrain with costs.
fn village(theme: &Theme) -> Result<wayfare_draw::Picture, wayfare_draw::DrawError> {
    const ROWS: [&str; 16] = [
        "ggggggggssswwwww",
        "gggmmggggssswwww",
        "ggmmmmggggsswwww",
        "gmmnnmmggggswwww",
        "gmnnnnmggggsswww",
        "gmmnnmmgggggssww",
        "ggmmmmggggggggsw",
        "gggmmgggttgggsww",
        "ggggggggttgggsww",
        "wwwgggggggggswww",
        "wwwwwwbwwwwwwwww",
        "gggwwwbwwwgggsww",
        "ggggggggggggggsw",
        "gttgggggggggggss",
        "gttggggggnnngggg",
        "ggggggggnnnnnggg",
    ];
    let terrain = [
        ("grass", 2),
        ("sand", 3),
        ("snow", 8),
        ("mountain", 20),
        ("water", 0),
        ("town", 1),
        ("bridge", 2),
    ];
    let letters = "gsnmwtb";
    let cells: Vec<u8> =
        ROWS.concat().chars().map(|letter| letters.find(letter).unwrap_or(0) as u8).collect();
    let map = Map {
        width: 16,
        height: 16,
        factors: cells.iter().map(|cell| terrain[usize::from(*cell)].1).collect(),
    };
    let terrains = terrain.map(|(name, factor)| {
        Terrain::new(name, theme.terrain(name).unwrap_or(theme.floor), factor == 0)
    });
    let scenery = GridScenery::new(16, 16, terrains.to_vec(), &cells)?;
    let (trace, path) = map.solve(16, 13 * 16 + 12, true);
    let panel = Panel::new(&scenery)
        .title("A* through the village")
        .caption("octile heuristic")
        .search(&trace)
        .path_states(path);
    Sheet::new(vec![panel]).theme(*theme).draw()
}

/// Waypoints among obstacles.
fn scene(theme: &Theme) -> Result<wayfare_draw::Picture, wayfare_draw::DrawError> {
    let mut numbers = Numbers(3);
    let obstacles: Vec<(glam::Vec2, f32)> = (0..9)
        .map(|_| {
            let at =
                glam::Vec2::new(numbers.below(90) as f32 + 5.0, numbers.below(60) as f32 + 5.0);
            (at, numbers.below(5) as f32 + 3.0)
        })
        .collect();
    let mut points: Vec<glam::Vec2> = Vec::new();
    for _ in 0..4000 {
        let point = glam::Vec2::new(numbers.below(1000) as f32, numbers.below(700) as f32) / 10.0;
        let clear = obstacles.iter().all(|(at, radius)| at.distance(point) > radius * 1.5 + 1.0);
        if clear && points.iter().all(|other| other.distance(point) > 8.0) && points.len() < 60 {
            points.push(point);
        }
    }
    let mut links = Vec::new();
    for from in 0..points.len() as u32 {
        for to in from + 1..points.len() as u32 {
            let (a, b) = (points[from as usize], points[to as usize]);
            let blocked = obstacles.iter().any(|(at, radius)| {
                let along = ((*at - a).dot(b - a) / a.distance_squared(b)).clamp(0.0, 1.0);
                a.lerp(b, along).distance(*at) < radius * 1.45
            });
            if a.distance(b) < 15.0 && !blocked {
                links.push(LinkArt { from, to, one_way: numbers.below(9) == 0 });
            }
        }
    }
    let moves = |node: u32| {
        let cost =
            |a: u32, b: u32| (points[a as usize].distance(points[b as usize]) * 1000.0) as u64;
        let mut moves = Vec::new();
        for link in &links {
            if link.from == node {
                moves.push((link.to, cost(link.from, link.to)));
            } else if link.to == node && !link.one_way {
                moves.push((link.from, cost(link.from, link.to)));
            }
        }
        moves
    };
    let nearest = |x: f32, y: f32| {
        let target = glam::Vec2::new(x, y);
        (0..points.len() as u32)
            .min_by(|a, b| {
                let distance = |node: u32| points[node as usize].distance(target);
                distance(*a).total_cmp(&distance(*b))
            })
            .unwrap_or(0)
    };
    let (start, goal) = (nearest(0.0, 70.0), nearest(100.0, 0.0));
    let estimate =
        |node: u32| (points[node as usize].distance(points[goal as usize]) * 1000.0) as u64;
    let problem = Problem { nodes: points.len(), moves: &moves, estimate: &estimate };
    let (trace, path) = search(&problem, start, goal);
    let names: Vec<String> = (0..points.len())
        .map(|number| if number % 6 == 0 { format!("point {number}") } else { String::new() })
        .collect();
    let footprints = obstacles
        .iter()
        .enumerate()
        .map(|(number, (at, radius))| {
            if number % 2 == 0 {
                Footprint::Disc { centre: *at, radius: *radius }
            } else {
                let corners = [[-1.0, -0.8], [1.0, -1.0], [0.9, 0.7], [-0.7, 1.0]];
                let corners = corners.map(|corner| *at + glam::Vec2::from(corner) * *radius);
                Footprint::Polygon(corners.to_vec())
            }
        })
        .collect();
    let costs = (0..points.len()).map(|number| if number % 7 == 3 { 2.0 } else { 0.0 });
    let scenery = WaypointScenery::new(points.clone(), links.clone())?
        .with_names(names)
        .with_costs(costs)
        .with_obstacles(footprints)?;
    let panel = Panel::new(&scenery)
        .title("A* over waypoints")
        .search(&trace)
        .path_states(path)
        .figure("waypoints", points.len().to_string());
    Sheet::new(vec![panel]).theme(*theme).draw()
}

//! What the examples have in common: a yard, its colours, and how a simulation is drawn.

use std::error::Error;

use glam::{Vec2, Vec3};
use wayfare::prelude::*;
use wayfare::space::{STRAIGHT, StateId};
use wayfare::trace::{Side, TraceEventKind};
use wayfare_draw::{
    Actor, ActorShot, Film, GridScenery, Passage, PassageShot, Picture, Recorded, Recording, Shot,
    Team, Terrain, Theme,
};
use wayfare_formats::{TilePosition, World};
use wayfare_generate::{Kinds, Seed, Settings, generate};
use wayfare_site::{OpenOptions, SimulationSession, View, open};

/// The result of an example: its picture, and what it says about the path.
#[derive(Debug)]
pub struct Drawn {
    /// The picture.
    pub picture: Picture,
    /// A line. The example in JavaScript says the same.
    pub says: String,
}

/// What examples return.
pub type Result<T = Drawn> = std::result::Result<T, Box<dyn Error>>;

impl Drawn {
    pub(crate) fn new(picture: Picture, says: impl Into<String>) -> Self {
        Self { picture, says: says.into() }
    }
}

/// The map of most examples: 32 by 16 cells, houses and walls.
pub(crate) fn yard() -> Result<Grid> {
    let rows: Vec<&str> = include_str!("../worlds/yard.txt").lines().collect();
    Ok(Grid::from_rows(&rows)?)
}

/// A cell by column and row.
pub(crate) fn cell(grid: &Grid, x: u32, y: u32) -> Result<Cell> {
    grid.cell(x, y).ok_or_else(|| format!("there is no cell {x},{y}").into())
}

/// The cost of a path in straight steps.
pub(crate) fn steps(cost: u32) -> f64 {
    f64::from(cost) / f64::from(STRAIGHT)
}

/// A grid as a picture: floor and walls.
pub(crate) fn scenery(grid: &Grid) -> GridScenery<'_> {
    GridScenery::of_grid(grid, |terrain| match terrain {
        TerrainId::BLOCKED => Terrain::wall(&Theme::DARK),
        _ => Terrain::floor(&Theme::DARK),
    })
}

/// A generated map of a kind, with its entry and its exit.
pub(crate) fn generated(kind: &str, settings: &str, seed: u64) -> Result<(Grid, Cell, Cell)> {
    let kinds = Kinds::standard();
    let settings = Settings::read(settings, &kinds)?;
    match generate(kinds.get(kind)?, &settings, Seed(seed))?.map(kind)? {
        Some(World::TileMap(map)) => {
            let ground = |tile: &TerrainId| match map.terrain(*tile).walkable {
                true => TerrainId::GROUND,
                false => TerrainId::BLOCKED,
            };
            let tiles: Vec<TerrainId> = map.tiles().iter().map(ground).collect();
            let grid = Grid::new(map.width(), map.height(), &tiles, GridProfile::default())?;
            let end = |at: Option<TilePosition>| at.and_then(|at| grid.cell(at.x, at.y));
            let (start, goal) = (end(map.marks().start), end(map.marks().goal));
            Ok((grid, start.ok_or("no entry")?, goal.ok_or("no exit")?))
        }
        _ => Err("not a tile map".into()),
    }
}

/// States with their costs, drawn as an ended search is.
#[derive(Debug)]
pub(crate) struct Flood(Vec<(u64, u32)>);

impl Flood {
    pub(crate) fn new(reached: impl IntoIterator<Item = (Cell, u32)>) -> Self {
        let reached = reached.into_iter();
        let mut reached: Vec<(u64, u32)> =
            reached.map(|(cell, cost)| (u64::from(cost), cell.index())).collect();
        reached.sort_unstable();
        Self(reached)
    }
}

impl Recording for Flood {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn event(&self, number: usize) -> Option<Recorded> {
        let &(g, state) = self.0.get(number)?;
        let (kind, side) = (TraceEventKind::Expand, Side::Forward);
        Some(Recorded { kind, side, state, parent: state, g, h: 0 })
    }
}

/// The present moment of a simulation.
pub(crate) fn still(scene: &str, simulation: &dyn SimulationSession) -> Result<Picture> {
    let site = open(scene, &OpenOptions::default())?;
    let scenery = site.scenery(&Theme::DARK, &View::default())?;
    let at =
        |point: Vec3| scenery.project(point).or_else(|| site.on_picture(point)).unwrap_or_default();
    let scale = at(Vec3::X).distance(at(Vec3::ZERO));
    let mut film =
        Film::new(scenery.as_ref()).title(&simulation.scene().scene.name).world_pixels(520);
    for (number, name) in simulation.teams().iter().enumerate() {
        film.add_team(Team::new(name, Team::COLOURS[(number + 7) % 8]));
    }
    for link in simulation.links() {
        let ends = link.ends.map(|end| at(end.into()));
        let (name, one_way, capacity) = (link.name, link.one_way, link.capacity);
        film.add_passage(Passage { name, ends, one_way, capacity });
    }
    let mut shot = Shot { seconds: simulation.seconds() as f32, ..Shot::default() };
    shot.passages = simulation.links().iter().map(|_| PassageShot::default()).collect();
    simulation.for_each_agent(&mut |agent| {
        let name = agent.name.to_string();
        let team = usize::from(agent.team);
        film.add_actor(Actor { name, team, radius: 0.3 * scale, is_named: false });
        let position = Vec3::from(agent.position);
        let heading = at(position + Vec3::from(agent.facing)) - at(position);
        let ahead: Vec<Vec2> = simulation.way_ahead(agent.agent).into_iter().map(at).collect();
        let number = shot.actors.len();
        shot.actors.push(ActorShot { ahead, ..ActorShot::at(number, at(position), heading) });
    });
    if shot.actors.len() > 10 {
        // The ways of a crowd would cover it.
        shot.actors.iter_mut().for_each(|actor| actor.ahead.clear());
    }
    Ok(film.still(&shot)?)
}

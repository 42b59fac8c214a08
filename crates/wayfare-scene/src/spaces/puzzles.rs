//! Puzzles of a scene on its grid.

use std::path::Path;

use wayfare_core::space::{ProfileId, STRAIGHT};
use wayfare_formats::inside::KeyPath;
use wayfare_formats::{Files, WorldError, WorldErrorKind};
use wayfare_grid::grid::{Cell, Grid};
use wayfare_puzzle::{
    GroundArea, Hook, Lever, PartId, Plate, Platform, Puzzle, PuzzleCrate, PuzzleGate,
    PuzzleGround, PuzzleKey, PuzzleParts, PuzzleQuery, Timetable,
};

use super::simulation::spot_point;
use super::{GridWorld, Movement, Playable};
use crate::found::Found;
use crate::limits::MAX_PUZZLE_CELLS;
use crate::open::{World, read_from_with_text};
use crate::scene::{PuzzleArea, PuzzleThing, Scene, ScenePuzzle};

/// A puzzle of a scene, ready to be searched.
///
/// Example: [`PuzzleScene`].
#[derive(Debug, Clone, PartialEq)]
pub struct StagedPuzzle {
    /// Its name.
    pub name: String,
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Where one begins.
    pub start: Cell,
    /// Where one wants to be.
    pub goal: Cell,
    /// The agent that solves it in simulations.
    pub agent: Option<String>,
}

impl StagedPuzzle {
    /// Returns the question how to get from start to goal.
    #[must_use]
    pub fn query(&self) -> PuzzleQuery {
        PuzzleQuery::new(&self.puzzle, self.start, self.goal)
    }
}

/// A scene with puzzles, and its grid.
///
/// ```
/// use wayfare_formats::MemoryFiles;
/// use wayfare_scene::PuzzleScene;
///
/// let files = MemoryFiles::new().with("hall.toml", *br##"
/// scene = { name = "hall", map = """
/// ....#...
/// ........
/// ....#..."""}
/// [[puzzles]]
/// name = "gate"
/// start = [0, 1]
/// goal = [7, 1]
/// levers = [{ name = "red lever", at = [3, 2] }]
/// gates = [{ name = "door", cells = [[4, 1]], when = ["lever red lever"] }]
/// "##);
/// let scene = PuzzleScene::open_from("hall.toml", &files, &Default::default())?.expect("puzzles");
/// let gate = &scene.puzzles[0];
/// let answer = gate.puzzle.solve(&gate.query());
/// let told: Vec<String> = answer.plan().unwrap().deeds().map(|it| gate.puzzle.tell(it)).collect();
/// assert_eq!(told, ["pull red lever", "arrive"]);
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone)]
pub struct PuzzleScene {
    /// The grid.
    pub world: GridWorld,
    /// The puzzles in the order of the scene.
    pub puzzles: Vec<StagedPuzzle>,
}

impl PuzzleScene {
    /// Reads a scene with puzzles. `None` for other worlds and scenes without any.
    ///
    /// # Errors
    /// If the scene, its world or a puzzle is invalid, with the key at fault.
    pub fn open_from(
        path: impl AsRef<Path>,
        files: &dyn Files,
        movement: &Movement,
    ) -> Result<Option<Self>, WorldError> {
        let path = path.as_ref();
        if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml")) {
            return Ok(None);
        }
        let (document, text) = read_from_with_text(path, files)?;
        let World::Scene(scene) = document else { return Ok(None) };
        if scene.puzzles.is_empty() {
            return Ok(None);
        }
        let found = || {
            let Ok(Playable::Grid(world)) = Playable::open_from(path, files, movement) else {
                return Err(no_grid());
            };
            let puzzles = scene.puzzles_on(&world.grid)?;
            Ok(Some(PuzzleScene { world, puzzles }))
        };
        found().map_err(|error: WorldError| error.found_in(&text).in_file(path))
    }
}

/// Returns the error for puzzles of a scene whose world is no grid.
pub(in crate::spaces) fn no_grid() -> WorldError {
    WorldError::new(WorldErrorKind::Value, "puzzles are played on grids only")
        .about(KeyPath::key("puzzles"))
        .advise("give the scene a map, a tile map as its world, or a grid section")
}

impl Scene {
    /// Returns the puzzles of the scene on its grid, as agents of the first profile see it.
    ///
    /// # Errors
    /// When a cell lies off the map or is blocked, or a puzzle is too large to be searched.
    pub fn puzzles_on(&self, grid: &Grid) -> Result<Vec<StagedPuzzle>, WorldError> {
        let profile = grid.profiles().next().unwrap_or_default();
        let mut total = 0;
        for (number, puzzle) in self.puzzles.iter().enumerate() {
            let whole = PuzzleArea { min: [0; 2], max: [grid.width() - 1, grid.height() - 1] };
            let PuzzleArea { min, max } = puzzle.area.unwrap_or(whole);
            let side = |axis: usize| {
                u64::from(max[axis].min(whole.max[axis]).saturating_sub(min[axis])) + 1
            };
            total += side(0) * side(1);
            if total > MAX_PUZZLE_CELLS as u64 {
                let message =
                    format!("puzzles are played on at most {MAX_PUZZLE_CELLS} cells together");
                let at = KeyPath::item("puzzles", number).then("area");
                return Err(WorldError::new(WorldErrorKind::Limit, message)
                    .about(at)
                    .advise("give each an 'area' around its parts"));
            }
        }
        let puzzles = self.puzzles.iter().enumerate();
        puzzles.map(|(number, puzzle)| self.puzzle_on(grid, profile, number, puzzle)).collect()
    }

    fn puzzle_on(
        &self,
        grid: &Grid,
        profile: ProfileId,
        number: usize,
        puzzle: &ScenePuzzle,
    ) -> Result<StagedPuzzle, WorldError> {
        let path = || KeyPath::item("puzzles", number);
        let at = |list: &'static str, number: usize, key: &'static str, [x, y]: [u32; 2]| {
            grid.cell(x, y).ok_or_else(|| {
                let message = format!("the cell [{x}, {y}] lies off the map");
                WorldError::new(WorldErrorKind::Value, message)
                    .about(path().then(list).at(number).then(key))
            })
        };
        let spot = |spot, key| {
            let at = path().then(key);
            let point = spot_point(grid, self, spot, at.clone())?;
            grid.cell_at(point).ok_or_else(|| {
                WorldError::new(WorldErrorKind::Value, "that lies off the map").about(at)
            })
        };
        let things = |list: &'static str, things: &[PuzzleThing]| {
            let things = things.iter().enumerate();
            things.map(|(n, thing)| at(list, n, "at", thing.at)).collect::<Result<Vec<Cell>, _>>()
        };
        let conditions = |texts: &[String]| {
            // Conditions were checked with the scene; in an unchecked scene, unknown ones are
            // refused as missing parts.
            let all = texts.iter().map(|text| puzzle.condition(text));
            let nothing = wayfare_puzzle::Condition::Held(PartId(u16::MAX));
            all.map(|condition| condition.unwrap_or(nothing)).collect()
        };
        let mut parts = PuzzleParts { can_pull: puzzle.can_pull, ..PuzzleParts::default() };
        for (thing, at) in puzzle.keys.iter().zip(things("keys", &puzzle.keys)?) {
            parts.keys.push(PuzzleKey { name: thing.name.clone(), at });
        }
        for (thing, at) in puzzle.plates.iter().zip(things("plates", &puzzle.plates)?) {
            parts.plates.push(Plate { name: thing.name.clone(), at });
        }
        for (thing, at) in puzzle.crates.iter().zip(things("crates", &puzzle.crates)?) {
            parts.crates.push(PuzzleCrate { name: thing.name.clone(), at });
        }
        for (n, lever) in puzzle.levers.iter().enumerate() {
            let at = at("levers", n, "at", lever.at)?;
            parts.levers.push(Lever { name: lever.name.clone(), at, is_on: lever.on });
        }
        for (n, hook) in puzzle.hooks.iter().enumerate() {
            let under = at("hooks", n, "under", hook.under)?;
            let at = at("hooks", n, "at", hook.at)?;
            parts.hooks.push(Hook { name: hook.name.clone(), at, under });
        }
        for (n, gate) in puzzle.gates.iter().enumerate() {
            let cells = gate.cells.iter().map(|cell| at("gates", n, "cells", *cell));
            parts.gates.push(PuzzleGate {
                name: gate.name.clone(),
                form: gate.form,
                cells: cells.collect::<Result<_, _>>()?,
                when: conditions(&gate.when),
            });
        }
        // At most 100,000 steps were allowed.
        let units = |steps: f32| (f64::from(steps) * f64::from(STRAIGHT)) as u32;
        for (n, lift) in puzzle.platforms.iter().enumerate() {
            parts.platforms.push(Platform {
                name: lift.name.clone(),
                low: at("platforms", n, "low", lift.low)?,
                high: at("platforms", n, "high", lift.high)?,
                cost: units(lift.cost),
                up: conditions(&lift.up),
                timetable: lift.timetable.map(|times| Timetable {
                    period: units(times.period),
                    up_at: units(times.up_at),
                    down_at: units(times.down_at),
                }),
            });
        }
        let area = puzzle.area.map(|PuzzleArea { min, max }| GroundArea {
            x: min[0],
            y: min[1],
            width: max[0].saturating_sub(min[0]).saturating_add(1),
            height: max[1].saturating_sub(min[1]).saturating_add(1),
        });
        let ground = PuzzleGround::new(grid, profile, area);
        let ready = Puzzle::new(ground, parts).map_err(|error| {
            WorldError::new(WorldErrorKind::Value, error.to_string()).about(path())
        })?;
        Ok(StagedPuzzle {
            name: puzzle.name.clone(),
            puzzle: ready,
            start: spot(&puzzle.start, "start")?,
            goal: spot(&puzzle.goal, "goal")?,
            agent: puzzle.agent.clone(),
        })
    }
}

//! Paths on a grid of walkable and blocked cells: the module behind `wayfare/pathfinding`.
//!
//! It knows the grids and searches of the engine and nothing else, so that it is small. Names and
//! defaults of the JavaScript API are in the JavaScript around it.

mod estimate;

use js_sys::Function;
use wasm_bindgen::prelude::*;
use wayfare_core::search::{
    AStar, Algorithm, Bfs, Greedy, Jps, Limit, Outcome, Query, Search, Solver,
};
use wayfare_core::space::{Cost, ProfileId, TerrainId};
use wayfare_grid::grid::{Cell, CornerRule, Grid, GridProfile, GridSpace, Neighbours};

use estimate::{By, Estimate};

/// The share of differing cells, 1 in `REBUILT_AT`, above which the view is built anew: that takes
/// less time than repairing it cell by cell.
const REBUILT_AT: usize = 16;

/// The profiles of the four rules for diagonal moves, in the order of their numbers less 1.
fn profile(rule: u8) -> GridProfile {
    let (neighbours, corners) = match rule {
        1 => (Neighbours::Eight, CornerRule::Always),
        2 => (Neighbours::Four, CornerRule::BothFree),
        3 => (Neighbours::Eight, CornerRule::OneFree),
        _ => (Neighbours::Eight, CornerRule::BothFree),
    };
    GridProfile { neighbours, corners, ..GridProfile::default() }
}

fn terrain(walkable: u8) -> TerrainId {
    if walkable == 0 { TerrainId::BLOCKED } else { TerrainId::GROUND }
}

fn grid(width: u32, height: u32, cells: &[u8], rule: u8) -> Result<(Grid, Profiles), JsError> {
    let terrain: Vec<TerrainId> = cells.iter().map(|&cell| terrain(cell)).collect();
    let grid = Grid::new(width, height, &terrain, profile(rule)).map_err(failure)?;
    let mut profiles = [None; 4];
    profiles[index(rule)] = grid.profiles().next();
    Ok((grid, profiles))
}

fn failure(error: impl std::error::Error) -> JsError {
    JsError::new(&error.to_string())
}

/// The profile of each rule for diagonals, once asked for.
type Profiles = [Option<ProfileId>; 4];

/// What a path promises.
#[wasm_bindgen]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Promise {
    /// The least cost, unless estimates may exceed the rest of the way.
    Cheapest,
    /// The fewest moves.
    Fewest,
    /// Nothing: found by the estimate alone.
    Soon,
}

/// The walkable cells of a grid, as the engine sees them.
#[wasm_bindgen]
pub struct Field {
    grid: Grid,
    profiles: Profiles,
    /// For jumps.
    solver: Solver<Cell, u32>,
    /// For all else, and for paths whose cost the narrow type does not hold: one width of costs is
    /// compiled for each search.
    wide: Solver<Cell, u64>,
    path: Vec<u32>,
}

/// A question about a path.
struct Asked<'q> {
    promise: Promise,
    by: &'q By,
    start: Cell,
    goal: Cell,
}

#[wasm_bindgen]
impl Field {
    /// Makes a field from its cells, row by row: 0 is blocked.
    #[wasm_bindgen(constructor)]
    pub fn new(width: u32, height: u32, cells: &[u8], rule: u8) -> Result<Field, JsError> {
        let (grid, profiles) = grid(width, height, cells, rule)?;
        Ok(Self { grid, profiles, solver: Solver::new(), wide: Solver::new(), path: Vec::new() })
    }

    /// Takes over all cells.
    pub fn replace(&mut self, cells: &[u8], rule: u8) -> Result<(), JsError> {
        let terrains = cells.iter().map(|&cell| terrain(cell));
        let differs = |(cell, terrain): &(Cell, TerrainId)| self.grid.terrain(*cell) != *terrain;
        let edits: Vec<_> = self.grid.cells().zip(terrains).filter(differs).collect();
        if edits.len() > cells.len() / REBUILT_AT {
            let (width, height) = (self.grid.width(), self.grid.height());
            (self.grid, self.profiles) = grid(width, height, cells, rule)?;
        } else {
            self.grid.set_terrains(edits);
        }
        Ok(())
    }

    /// Takes over some cells by their numbers, row by row.
    pub fn edit(&mut self, numbers: &[u32], cells: &[u8]) {
        let width = self.grid.width();
        let edits: Vec<_> = numbers
            .iter()
            .zip(cells)
            .filter_map(|(number, &cell)| {
                Some((self.grid.cell(number % width, number / width)?, terrain(cell)))
            })
            .collect();
        self.grid.set_terrains(edits);
    }

    /// Searches a path, and returns the number of its cells: 0 if there is none. [`Field::path`]
    /// has them then.
    ///
    /// A blocked start counts as free, since whoever stands there is what blocks it;
    /// `frees_goal` says the same of the goal. `measure`: see [`By`].
    #[expect(clippy::too_many_arguments, reason = "numbers cross faster than an object")]
    pub fn find(
        &mut self,
        rule: u8,
        promise: Promise,
        measure: u8,
        weight: f64,
        heuristic: Option<Function>,
        start: u32,
        goal: u32,
        frees_goal: bool,
    ) -> Result<u32, JsValue> {
        self.path.clear();
        let width = self.grid.width();
        let cell = |number: u32| self.grid.cell(number % width, number / width);
        let (Some(start), Some(goal)) = (cell(start), cell(goal)) else {
            return Err(JsError::new("start or goal is not on the grid").into());
        };
        let profile = self.profile(rule)?;
        let freed: Vec<Cell> = [start]
            .into_iter()
            .chain(frees_goal.then_some(goal))
            .filter(|&cell| self.grid.terrain(cell) == TerrainId::BLOCKED)
            .collect();
        self.set(&freed, TerrainId::GROUND);
        let by = By::new(measure, heuristic, weight);
        let asked = Asked { promise, by: &by, start, goal };
        let cells = if start == goal { vec![start] } else { self.cells(profile, &asked) };
        self.set(&freed, TerrainId::BLOCKED);
        if let Some(error) = by.into_error() {
            return Err(error);
        }
        let grid = &self.grid;
        self.path.extend(cells.into_iter().map(|cell| {
            let at = grid.coordinates(cell);
            at.x | at.y << 16
        }));
        Ok(self.path.len() as u32)
    }

    /// Returns where the cells of the last path lie in the module's memory: x, and y times 65,536.
    pub fn path(&self) -> *const u32 {
        self.path.as_ptr()
    }
}

fn index(rule: u8) -> usize {
    usize::from(rule).wrapping_sub(1).min(3)
}

impl Field {
    fn profile(&mut self, rule: u8) -> Result<ProfileId, JsError> {
        if let Some(known) = self.profiles[index(rule)] {
            return Ok(known);
        }
        let made = self.grid.add_profile(profile(rule)).map_err(failure)?;
        self.profiles[index(rule)] = Some(made);
        Ok(made)
    }

    fn set(&mut self, cells: &[Cell], terrain: TerrainId) {
        if !cells.is_empty() {
            self.grid.set_terrains(cells.iter().map(|&cell| (cell, terrain)));
        }
    }

    fn cells(&mut self, profile: ProfileId, asked: &Asked) -> Vec<Cell> {
        let Asked { promise, by, .. } = *asked;
        let space = self.grid.space_of(profile);
        let has_diagonals = space.profile().neighbours == Neighbours::Eight;
        let is_cheapest = match promise {
            Promise::Cheapest => by.is_below(has_diagonals),
            // All moves cost the same.
            Promise::Fewest => !has_diagonals,
            Promise::Soon => false,
        };
        if is_cheapest {
            match run(Jps, &space, &mut self.solver, asked) {
                Outcome::LimitReached { limit: Limit::CostRange, .. } => {}
                outcome => return found(&mut self.solver, outcome),
            }
        }
        let space = self.grid.space_for::<u64>(profile);
        let solver = &mut self.wide;
        let outcome = match promise {
            Promise::Fewest => run(Bfs, &space, solver, asked),
            Promise::Soon => run(Greedy { heuristic: Estimate(by) }, &space, solver, asked),
            _ => run(AStar::with(Estimate(by)), &space, solver, asked),
        };
        found(solver, outcome)
    }
}

fn found<C: Cost>(solver: &mut Solver<Cell, C>, outcome: Outcome<Cell, C>) -> Vec<Cell> {
    let Outcome::Found(path) = outcome else { return Vec::new() };
    let states = path.states().collect();
    solver.recycle(path);
    states
}

fn run<'g, C: Cost, A: Algorithm>(
    algorithm: A,
    space: &GridSpace<'g, C>,
    solver: &mut Solver<Cell, C>,
    asked: &Asked,
) -> Outcome<Cell, C>
where
    A::Search<Cell, C>: Search<GridSpace<'g, C>>,
{
    solver.solve(space, &algorithm, Query::new(asked.start, asked.goal)).outcome
}

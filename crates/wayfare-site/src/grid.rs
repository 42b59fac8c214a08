//! Grids as sites: tile maps, and scenes sampled into cells.

use std::path::Path;
use std::sync::Arc;

use glam::Vec3;
use wayfare::explain::grid::{GridRelaxation, GridRemedy, remedies_by};
use wayfare::search::{AStar, AlgorithmId, NoPath, solve};
use wayfare::simulation::{Editable, GridEdit, Shape};
use wayfare::space::{
    Cell, CornerRule, Grid, GridSpace, Obstruction, ProfileId, STRAIGHT, Space, StateId,
    TerrainCost, TerrainId,
};
use wayfare_formats::movingai_map::OUT_OF_BOUNDS;
use wayfare_formats::{FileContent, FileFormat, TilePosition};
use wayfare_scene::scene::{Scene, Spot};
use wayfare_scene::{GridWorld, NamedRoute, SceneLinks, StagedPuzzle};
#[cfg(feature = "pictures")]
use {
    crate::{View, look},
    glam::Vec2,
    wayfare_draw::{DrawError, GridScenery, Scenery, Terrain, Theme},
};

use crate::answered::{path_steps, query};
use crate::clearance;
use crate::gates;
use crate::grid_engines::{GridEngines, terrain_named};
use crate::movement::{self, Change};
use crate::numbers::tidy;
use crate::owner::{NarrowOwner, Owner};
use crate::passages::{self, Passages};
use crate::place::{named, point};
use crate::searcher::NarrowSearcher;
use crate::session::OwnedSession;
use crate::{
    About, CellLayout, Endpoints, FreeState, GridView, GroundCost, GroundLook, Layout, LinkLayout,
    MovementPart, OFF_MAP, OpenedPath, OwnRoute, PathStep, Place, SearchRequest, SearchSession,
    Searcher, Site, SiteError,
};

/// A grid with the world that it was made from, as one profile sees it.
///
/// ```
/// use wayfare_site::{GridSite, OFF_MAP, Site};
/// use wayfare_formats::{MemoryFiles, TilePosition};
/// use wayfare_scene::{Movement, Playable};
///
/// let files = MemoryFiles::new().with("yard.txt", *b"S..\n.#.\n..G\n");
/// let world = Playable::open_from("yard.txt", &files, &Movement::default())?;
/// let Playable::Grid(world) = world else { unreachable!("a tile map is a grid") };
/// let site = GridSite::new("yard.txt".as_ref(), world);
/// assert_eq!(site.place(site.cell(TilePosition { x: 1, y: 2 })).to_string(), "1,2");
/// assert_eq!(site.cell(TilePosition { x: 3, y: 0 }), OFF_MAP);
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GridSite {
    about: About,
    world: Arc<GridWorld>,
    profile: ProfileId,
    passages: Arc<Passages<Cell>>,
    /// The puzzles whose gates are shut, and the grid without them.
    shut: Option<Arc<ShutGates>>,
    is_sampled: bool,
}

/// Puzzles at their beginning, and the grid that they are played on with all gates open.
#[derive(Debug)]
struct ShutGates {
    puzzles: Vec<StagedPuzzle>,
    open: Grid,
}

impl GridSite {
    /// Returns the site of a tile map, or of a scene that was sampled into cells.
    #[must_use]
    pub fn new(file: &Path, world: GridWorld) -> Self {
        let profile = world.grid.profiles().next().unwrap_or_default();
        Self::with_profile(file, world, profile)
    }

    pub(crate) fn with_profile(file: &Path, world: GridWorld, profile: ProfileId) -> Self {
        let grid = &world.grid;
        // Tile maps are measured in cells; a map sampled from a scene or a mesh, in its metres.
        let content = FileFormat::of(file).map(FileFormat::content);
        let is_sampled = matches!(content, Some(FileContent::Scene | FileContent::Level));
        let about = About {
            file: file.to_path_buf(),
            name: world.name.clone(),
            kind: if is_sampled { "sampled scene" } else { "tile map" },
            unit: if is_sampled { "metres" } else { "cells" },
            unit_cost: f64::from(STRAIGHT) / f64::from(grid.frame().cell_size),
            state: "cell",
            states: u64::from(grid.width()) * u64::from(grid.height()),
            bytes: Some(grid.size_in_bytes()),
            agent: None,
            remarks: world.remarks.clone(),
            details: details_of(grid, profile),
        };
        Self {
            about,
            world: Arc::new(world),
            profile,
            passages: Arc::default(),
            shut: None,
            is_sampled,
        }
    }

    /// Returns the same with the links of a scene that plays here, and the danger that its agents
    /// know of.
    ///
    /// # Errors
    /// When a link ends off the map, or where the agent cannot stand.
    pub fn with_links(mut self, scene: &Scene) -> Result<Self, SiteError> {
        let links = SceneLinks::on_grid(self.inner(), self.profile, scene)?;
        let passages = Passages::of_scene(links, scene, self.inner(), self.profile);
        self.passages = Arc::new(passages);
        Ok(self)
    }

    fn inner(&self) -> &Grid {
        &self.world.grid
    }

    pub(crate) fn owner(&self) -> GridOwner {
        let world = Arc::clone(&self.world);
        let passages = Arc::clone(&self.passages);
        GridOwner { world, profile: self.profile, passages, unit: self.about.unit_cost }
    }

    /// Returns the state of a tile; [`OFF_MAP`] beside the map.
    #[must_use]
    pub fn cell(&self, at: TilePosition) -> u32 {
        self.inner().cell(at.x, at.y).map_or(OFF_MAP, Cell::index)
    }

    fn space(&self) -> GridSpace<'_> {
        self.inner().space_for(self.profile)
    }

    fn terrain_name(&self, terrain: u8) -> &str {
        let terrain = self.world.terrains.get(usize::from(terrain));
        terrain.map_or("blocked", |terrain| terrain.name.as_str())
    }

    /// Returns the first shut gate or crate of a puzzle on a path that there would be without;
    /// `None` if there would be none.
    fn shut_on_path(&self, ends: Endpoints) -> Option<String> {
        let ShutGates { puzzles, open } = self.shut.as_deref()?;
        let space = open.space_for::<u64>(self.profile);
        let request = SearchRequest::new(AlgorithmId::AStar, ends);
        let query = query(&request, self.about.unit_cost);
        let outcome = solve(&self.passages.over(space), &AStar::new(), query).outcome;
        let path = outcome.is_found().then(|| outcome.into_path())?;
        let path: Vec<Vec3> = path.states().map(|cell| open.centre(cell)).collect();
        let states: Vec<_> = puzzles.iter().map(|one| one.puzzle.begin()).collect();
        gates::first_barrier(puzzles.iter().map(|one| &one.puzzle).zip(&states), &path)
    }

    /// Returns the obstruction of an endpoint, as the end of a sentence.
    fn spell_obstruction(&self, obstruction: Obstruction) -> String {
        match obstruction {
            Obstruction::OffMap => format!(
                "lies off the map, which is {} cells wide and {} high",
                self.inner().width(),
                self.inner().height()
            ),
            Obstruction::Terrain { terrain } if self.terrain_name(terrain) == OUT_OF_BOUNDS => {
                "lies off the map: the file marks it as out of bounds".to_owned()
            }
            Obstruction::Terrain { terrain } => format!(
                "stands on '{}', which this walker cannot enter",
                self.terrain_name(terrain)
            ),
            Obstruction::TooNarrow { needed } => {
                format!("is too narrow: the walker is {needed} cells wide")
            }
            other => other.to_string(),
        }
    }

    /// Returns a relaxation in words, and the path that it opens.
    fn opened_path(&self, remedy: &GridRemedy) -> OpenedPath {
        let path = &remedy.path;
        let (sentence, change, opened) = match remedy.relaxation {
            GridRelaxation::Diagonals => (
                "if it may also move diagonally (--neighbours 8)".to_owned(),
                "neighbours=8".to_owned(),
                None,
            ),
            GridRelaxation::Corners(corners) => {
                let (name, sentence) = match corners {
                    CornerRule::Always => {
                        ("always", "if diagonals may pass between two blocked corners")
                    }
                    _ => ("one", "if diagonals may pass one blocked corner"),
                };
                (format!("{sentence} (--corners {name})"), format!("corners={name}"), None)
            }
            GridRelaxation::Width(width) => {
                let now = self.space().profile().width;
                let sentence = format!("if it is {width} wide instead of {now} (--width {width})");
                (sentence, format!("width={width}"), None)
            }
            GridRelaxation::Enter(terrain, _) => {
                let name = self.terrain_name(terrain.0);
                (
                    format!("if it may enter '{name}'"),
                    format!("enter={name}"),
                    Some(name.to_owned()),
                )
            }
            _ => ("if a rule is relaxed".to_owned(), "unknown".to_owned(), None),
        };
        OpenedPath {
            sentence,
            change,
            opened,
            lacks: Vec::new(),
            length: self.space().length(path.states()),
            path: path_steps(path),
        }
    }
}

/// Returns remarks on the costs on a grid.
fn details_of(grid: &Grid, profile: ProfileId) -> Vec<String> {
    let shift = grid.cost_shift(profile).filter(|shift| *shift > 0.0);
    let sentence = |shift: f32| {
        let raised = tidy(f64::from(shift));
        format!("a terrain costs less than nothing: all penalties were raised by {raised} a cell")
    };
    shift.map(sentence).into_iter().collect()
}

/// A grid that searches share.
#[derive(Clone)]
pub(crate) struct GridOwner {
    pub(crate) world: Arc<GridWorld>,
    profile: ProfileId,
    passages: Arc<Passages<Cell>>,
    unit: f64,
}

impl Owner for GridOwner {
    type State = Cell;
    type Bare<'s> = GridSpace<'s, u64>;

    fn bare(&self) -> GridSpace<'_, u64> {
        self.world.grid.space_for(self.profile)
    }

    fn passages(&self) -> &Passages<Cell> {
        &self.passages
    }

    fn unit(&self) -> f64 {
        self.unit
    }

    /// Returns true on uniform-cost grids without links: jump point search is faster there.
    fn outruns_landmarks(&self) -> bool {
        self.passages.is_empty() && self.bare().is_uniform()
    }
}

impl NarrowOwner for GridOwner {
    type Narrow<'s> = GridSpace<'s>;
    type Engines = GridEngines;

    fn narrow(&self) -> GridSpace<'_> {
        self.world.grid.space_for(self.profile)
    }
}

impl Site for GridSite {
    fn about(&self) -> &About {
        &self.about
    }

    fn searcher(&self) -> Box<dyn Searcher> {
        Box::new(NarrowSearcher::new(self.owner()))
    }

    fn session(&self, request: &SearchRequest) -> Box<dyn SearchSession> {
        Box::new(OwnedSession::new(self.owner(), request))
    }

    fn grid(&self) -> Option<GridView<'_>> {
        let terrains = &self.world.terrains;
        Some(GridView { grid: self.inner(), profile: self.profile, terrains })
    }

    fn hold(&mut self, keys: &[String]) -> Result<(), SiteError> {
        Arc::make_mut(&mut self.passages).hold(keys)
    }

    fn fill(&mut self, links: &[String]) -> Result<(), SiteError> {
        Arc::make_mut(&mut self.passages).fill(links)
    }

    fn movement(&self) -> Vec<MovementPart> {
        let of_walker = self.inner().profile(self.profile).map(movement::of_grid);
        of_walker.into_iter().flatten().chain(self.passages.movement()).collect()
    }

    fn adapt(&mut self, change: &str, from: u32) -> Result<(), SiteError> {
        let mut profile = self.inner().profile(self.profile).cloned().unwrap_or_default();
        let mut passages = Passages::clone(&self.passages);
        let mut terrains = self.world.terrains.clone();
        for change in Change::all(change)? {
            if change.of_grid(&mut profile)? || passages.adapt(change)? {
                continue;
            }
            if change.name != "enter" {
                return Err(change.foreign());
            }
            let terrain = terrain_named(&self.world, change.value)?;
            let under = self.has_state(from);
            let under = under.then(|| self.inner().terrain(Cell::from_index(from)));
            let cost = under.and_then(|terrain| profile.costs.get(terrain));
            let medium = cost.map(|cost| cost.medium).unwrap_or_default();
            let mut price = TerrainCost::default().in_medium(medium);
            if let Some(known) = terrains.get_mut(usize::from(terrain.0)) {
                (known.walkable, known.medium) = (true, medium);
                price.multiplier = known.multiplier;
                price.penalty = known.penalty;
            }
            profile.costs = profile.costs.with(terrain, price);
        }
        let fault = |fault| SiteError::grid(&self.about.file, &fault);
        let mut grid = self.inner().clone();
        grid.set_profile(self.profile, profile.clone()).map_err(fault)?;
        if let Some(shut) = &self.shut {
            let ShutGates { puzzles, open } = shut.as_ref();
            let (puzzles, mut open) = (puzzles.clone(), open.clone());
            open.set_profile(self.profile, profile).map_err(fault)?;
            self.shut = Some(Arc::new(ShutGates { puzzles, open }));
        }
        self.about.details = details_of(&grid, self.profile);
        let world = Arc::make_mut(&mut self.world);
        (world.grid, world.terrains) = (grid, terrains);
        self.passages = Arc::new(passages);
        Ok(())
    }

    fn fear(&mut self, shape: &Shape, amount: f32) -> Result<(), SiteError> {
        let passages = Arc::make_mut(&mut self.passages);
        passages.fear(&self.world.grid, self.profile, shape, amount);
        Ok(())
    }

    fn age_danger(&mut self, seconds: f32) {
        let passages = Arc::make_mut(&mut self.passages);
        passages.age(&self.world.grid, self.profile, seconds);
    }

    fn dangers(&self) -> Vec<(u32, f32)> {
        self.passages.dangers()
    }

    fn set_dangers(&mut self, dangers: &[(u32, f32)]) {
        let passages = Arc::make_mut(&mut self.passages);
        passages.set_dangers(&self.world.grid, self.profile, dangers);
    }

    fn links(&self, path: &[PathStep]) -> Vec<String> {
        self.passages.taken(path)
    }

    fn find(&self, text: &str) -> Result<u32, SiteError> {
        if let Some(place) = named(&self.world.places, text)? {
            return Ok(match place.at {
                Spot::Cell([x, y]) => self.cell(TilePosition { x, y }),
                Spot::Point(at) => self.inner().cell_at(at.into()).map_or(OFF_MAP, Cell::index),
                Spot::Named(_) => OFF_MAP,
            });
        }
        if self.is_sampled {
            let point = point(text).ok_or_else(|| SiteError::NoPoint { text: text.to_owned() })?;
            return Ok(self.inner().cell_at(point).map_or(OFF_MAP, Cell::index));
        }
        let wrong = || SiteError::NoCell { text: text.to_owned() };
        let (x, y) = text.split_once(',').ok_or_else(wrong)?;
        let number = |part: &str| part.trim().parse::<i64>().map_err(|_| wrong());
        let (x, y) = (number(x)?, number(y)?);
        match (u32::try_from(x), u32::try_from(y)) {
            (Ok(x), Ok(y)) => Ok(self.cell(TilePosition { x, y })),
            _ => Ok(OFF_MAP),
        }
    }

    fn routes(&self) -> Vec<OwnRoute> {
        let route = |route: &NamedRoute<Cell>| OwnRoute {
            name: route.name.clone(),
            ends: Endpoints { start: route.start.index(), goal: route.goal.index() },
        };
        self.world.routes.iter().map(route).collect()
    }

    fn passages(&self) -> Vec<LinkLayout> {
        self.passages.in_space(&self.space())
    }

    fn layout(&self) -> Layout {
        let (grid, terrains) = (self.inner(), &self.world.terrains);
        let mut grounds: Vec<GroundLook> = terrains.iter().map(GroundLook::of_terrain).collect();
        grounds.truncate(usize::from(u8::MAX));
        // To the agent's class ground may be open that is shut to others.
        for (ground, id) in grounds.iter_mut().zip(0..) {
            let costs = grid.profile(self.profile).map(|profile| &profile.costs);
            ground.is_open = costs.is_some_and(|costs| costs.get(TerrainId(id)).is_some());
        }
        let blocked = grounds.len() as u8;
        grounds.push(GroundLook::blocked());
        let ground = grid.cells().map(|cell| grid.terrain(cell).0.min(blocked)).collect();
        let (width, height) = (grid.width(), grid.height());
        let state = |y| grid.cell(0, y).map(Cell::index);
        let first = state(0).unwrap_or_default();
        // A single row has none below it.
        let stride = state(1).map_or(width + 1, |below| below - first);
        let blur = grid.profile(self.profile).map_or(0, |profile| profile.blur);
        Layout::Cells(CellLayout { width, height, first, stride, ground, grounds, blur })
    }

    fn clearances(&self) -> Vec<f32> {
        let (grid, space) = (self.inner(), self.space());
        let free: Vec<bool> = grid.cells().map(|cell| space.is_free(cell)).collect();
        let (width, height) = (grid.width() as usize, grid.height() as usize);
        clearance::clearances(width, height, |cell| free[cell])
    }

    fn moves_from(&self, state: u32) -> Vec<PathStep> {
        self.owner().moves_from(state)
    }

    fn penalty(&self, state: u32) -> f32 {
        let grid = self.inner();
        // Penalties count in cells.
        grid.penalty(Cell::from_index(state), self.profile) * grid.frame().cell_size
    }

    fn set_ground(&mut self, edits: &[(u32, &str)]) -> Result<(), SiteError> {
        let named = edits
            .iter()
            .map(|&(state, name)| Ok((Cell::from_index(state), terrain_named(&self.world, name)?)));
        let named: Vec<(Cell, TerrainId)> = named.collect::<Result<_, SiteError>>()?;
        Arc::make_mut(&mut self.world).grid.set_terrains(named);
        Ok(())
    }

    fn set_ground_cost(&mut self, ground: &str, cost: GroundCost) -> Result<(), SiteError> {
        let place = self.world.terrains.iter().position(|terrain| terrain.name == ground);
        let unknown = || SiteError::NoGround { name: ground.to_owned() };
        let place = place.ok_or_else(unknown)?;
        let terrain = u8::try_from(place).map(TerrainId).map_err(|_| unknown())?;
        let GroundCost { is_open, multiplier, penalty } = cost;
        let world = Arc::make_mut(&mut self.world);
        let known = &mut world.terrains[place];
        let price = TerrainCost { multiplier, penalty, medium: known.medium };
        let grid = &mut world.grid;
        // First the values, so that those of closed ground are checked, too.
        let changed = grid.set_cost(self.profile, terrain, Some(price));
        changed.map_err(|fault| SiteError::grid(&self.about.file, &fault))?;
        if !is_open {
            let changed = grid.set_cost(self.profile, terrain, None);
            changed.map_err(|fault| SiteError::grid(&self.about.file, &fault))?;
        }
        (known.walkable, known.multiplier, known.penalty) = (is_open, multiplier, penalty);
        self.about.details = details_of(grid, self.profile);
        Ok(())
    }

    fn set_blur(&mut self, cells: u8) -> Result<(), SiteError> {
        let grid = &mut Arc::make_mut(&mut self.world).grid;
        let changed = grid.set_blur(self.profile, cells);
        changed.map_err(|fault| SiteError::grid(&self.about.file, &fault))
    }

    fn penalties(&self) -> Vec<f32> {
        self.inner().cells().map(|cell| self.penalty(cell.index())).collect()
    }

    fn for_each_free(&self, visit: &mut dyn FnMut(FreeState)) {
        let space = self.space();
        for cell in self.inner().cells() {
            if let Some(region) = space.component(cell) {
                visit(FreeState { state: cell.index(), region });
            }
        }
    }

    fn has_state(&self, state: u32) -> bool {
        Space::check(&self.space(), Cell::from_index(state)) != Err(Obstruction::OffMap)
    }

    fn length(&self, path: &[PathStep]) -> f64 {
        self.space().length(path.iter().map(|step| Cell::from_index(step.state)))
    }

    fn position(&self, state: u32) -> Vec3 {
        match self.has_state(state) {
            true => self.inner().centre(Cell::from_index(state)),
            false => Vec3::ZERO,
        }
    }

    #[cfg(feature = "pictures")]
    fn on_picture(&self, point: Vec3) -> Option<Vec2> {
        let (x, y) = self.inner().frame().to_cells(point).into();
        Some(Vec2::new(x as f32, y as f32))
    }

    fn place(&self, state: u32) -> Place {
        if !self.has_state(state) {
            return Place::off_map();
        }
        if self.is_sampled {
            return Place::Point { position: self.position(state).to_array() };
        }
        let (x, y) = self.inner().coordinates(Cell::from_index(state)).into();
        Place::Cell { x, y }
    }

    fn ground(&self, state: u32) -> String {
        self.terrain_name(self.inner().terrain(Cell::from_index(state)).0).to_owned()
    }

    fn shut_gates(&mut self, puzzles: &[StagedPuzzle]) {
        let open = self.inner().clone();
        let states = puzzles.iter().map(|one| (&one.puzzle, one.puzzle.begin()));
        let cells = states.flat_map(|(puzzle, state)| {
            gates::barriers(puzzle, &state).map(|(cell, _)| cell).collect::<Vec<_>>()
        });
        let edit = GridEdit::Terrain { cells: cells.collect(), terrain: TerrainId::BLOCKED };
        // Cells of puzzles are on the grid, so that the edit is possible.
        if Arc::make_mut(&mut self.world).grid.apply(&edit, &mut Vec::new()).is_ok() {
            self.shut = Some(Arc::new(ShutGates { puzzles: puzzles.to_vec(), open }));
        }
    }

    fn reason(&self, reason: NoPath, ends: Endpoints) -> String {
        if let Some(shut) = passages::reason(&self.owner(), reason, ends) {
            return shut;
        }
        if let Some(shut) = self.shut_on_path(ends) {
            return shut;
        }
        let (start, goal) = (self.place(ends.start), self.place(ends.goal));
        match reason {
            NoPath::Start(Obstruction::OffMap) => {
                format!("the start {}", self.spell_obstruction(Obstruction::OffMap))
            }
            NoPath::Goal(Obstruction::OffMap) => {
                format!("the goal {}", self.spell_obstruction(Obstruction::OffMap))
            }
            NoPath::Start(obstruction) => {
                format!("the start {start} {}", self.spell_obstruction(obstruction))
            }
            NoPath::Goal(obstruction) => {
                format!("the goal {goal} {}", self.spell_obstruction(obstruction))
            }
            NoPath::DifferentIslands { .. } => format!(
                "the start {start} and the goal {goal} lie on different islands: no walker of this kind gets from one to the \
                 other"
            ),
            other => other.to_string(),
        }
    }

    fn nearest_free(&self, state: u32) -> Option<u32> {
        let space = self.space();
        let here = Cell::from_index(state);
        if !self.has_state(state) || space.is_free(here) {
            return None;
        }
        let (x, y) = self.inner().coordinates(here).into();
        let (width, height) = (self.inner().width(), self.inner().height());
        // Ring by ring; a ring's nearest may be further than the next ring's, but not than the one
        // after √2 times as many.
        let mut best: Option<(u64, u32)> = None;
        for radius in 1..width.max(height) {
            if best.is_some_and(|(distance, _)| u64::from(radius) * u64::from(radius) > distance) {
                break;
            }
            let (left, right) = (x.saturating_sub(radius), (x + radius).min(width - 1));
            for row in y.saturating_sub(radius)..=(y + radius).min(height - 1) {
                let is_edge = row.abs_diff(y) == radius;
                let step = if is_edge { 1 } else { (right - left).max(1) as usize };
                for column in (left..=right).step_by(step) {
                    let Some(cell) = self.inner().cell(column, row) else { continue };
                    let (dx, dy) = (u64::from(column.abs_diff(x)), u64::from(row.abs_diff(y)));
                    let candidate = (dx * dx + dy * dy, cell.index());
                    if space.is_free(cell) && best.is_none_or(|best| candidate < best) {
                        best = Some(candidate);
                    }
                }
            }
        }
        best.map(|(_, cell)| cell)
    }

    fn opened_paths(
        &self,
        request: &SearchRequest,
        on_progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<OpenedPath>, SiteError> {
        let query = query(request, self.about.unit_cost);
        let mut opened = passages::opened(&self.owner(), request);
        let search = |space: GridSpace<'_, u64>, query| {
            solve(&self.passages.over(space), &AStar::new(), query).outcome
        };
        for remedy in remedies_by(self.inner(), self.profile, &query, search) {
            let remedy = remedy.map_err(|error| SiteError::grid(&self.about.file, &error))?;
            opened.push(self.opened_path(&remedy));
            on_progress(0);
        }
        Ok(opened)
    }

    #[cfg(feature = "pictures")]
    fn scenery(&self, theme: &Theme, view: &View<'_>) -> Result<Box<dyn Scenery + '_>, DrawError> {
        let look = |id: TerrainId| match self.world.terrains.get(usize::from(id.0)) {
            Some(terrain) => look::terrain(terrain, theme),
            None => Terrain::wall(theme),
        };
        let mut scenery = GridScenery::of_grid(self.inner(), look);
        let (grid, danger) = (self.inner(), self.passages.danger());
        if view.heat || !danger.is_empty() {
            let penalty = |cell| if view.heat { grid.penalty(cell, self.profile) } else { 0.0 };
            // Penalties count in cells, danger in units of the world.
            let scale = grid.frame().cell_size.recip();
            let heat = grid.cells().map(|cell| penalty(cell) + danger.get(cell) * scale);
            scenery = scenery.with_heat(&heat.collect::<Vec<f32>>())?;
        }
        if let (true, [first, .., last]) = (view.rooms, view.path) {
            let ends = (Cell::from_index(*first), Cell::from_index(*last));
            scenery = scenery.with_rooms_of(self.inner(), self.profile, ends)?;
        }
        Ok(Box::new(scenery))
    }
}

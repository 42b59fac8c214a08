//! Building and editing grids.

use glam::{DVec2, Vec3};
use wayfare_core::inside::EditLog;
use wayfare_core::space::{
    Cost, CostError, InfluenceRule, ProfileId, Revision, TerrainCost, TerrainId,
};

use super::accelerators::{Change, Ground};
use super::layer::Layer;
use super::layout::{Layout, MAX_SIDE};
use super::{
    Cell, CellPosition, Frame, GridEditReport, GridProfile, GridSpace, InfluenceId, InfluenceLayer,
};

/// An error of building or editing a grid.
///
/// ```
/// use wayfare::prelude::*;
/// let error = Grid::from_rows(&["...", ".."]).unwrap_err();
/// assert_eq!(error, GridError::Ragged { row: 1, length: 2, width: 3 });
/// ```
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// A side is zero or larger than [`MAX_SIDE`].
    #[error("a grid of {width} x {height} cells: each side must be from 1 to {MAX_SIDE}")]
    Size {
        /// The width asked for.
        width: u64,
        /// The height asked for.
        height: u64,
    },
    /// The number of terrains is not that of the cells.
    #[error("a grid of {width} x {height} cells needs {} terrains, not {given}", width * height)]
    TerrainCount {
        /// The width asked for.
        width: u32,
        /// The height asked for.
        height: u32,
        /// The number of terrains given.
        given: usize,
    },
    /// Rows of different lengths.
    #[error("row {row} has {length} cells, but the first row has {width}")]
    Ragged {
        /// The number of the row, from 0.
        row: usize,
        /// Its length.
        length: usize,
        /// The length of the first row.
        width: usize,
    },
    /// A cost that no table can hold.
    #[error(transparent)]
    Cost(#[from] CostError),
    /// A number that is NaN, infinite or out of range.
    #[error("the {field} is {value}; it must be {range}")]
    OutOfRange {
        /// What the number is.
        field: &'static str,
        /// The number.
        value: f32,
        /// The range, in words.
        range: &'static str,
    },
    /// There are as many profiles as there can be.
    #[error("a grid holds at most 65,536 profiles")]
    TooManyProfiles,
    /// The grid has no such profile.
    #[error("the grid has no profile {profile}")]
    NoSuchProfile {
        /// The number of the profile.
        profile: u16,
    },
}

/// A grid of cells: the terrain, and the tables derived from it for every profile.
///
/// Holds the ground once and, for each profile, two bits a cell, four bytes a cell of component
/// labels, and four more if the profile has penalties. [`Grid::space`] binds a grid and a
/// profile to the space that searches run on. Edits bring all of it up to date, at a cost
/// proportional to the change.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// let mut grid = Grid::from_rows(&["..#..", "..#..", "....."])?;
/// let (a, b) = (grid.cell(0, 0).unwrap(), grid.cell(4, 0).unwrap());
/// let length = |grid: &Grid| solve(&grid.space(), &AStar::new(), Query::new(a, b)).outcome.path().map(Path::len);
/// assert_eq!(length(&grid), Some(6)); // corners are not cut
/// grid.set_terrain(grid.cell(2, 2).unwrap(), TerrainId::BLOCKED);
/// assert_eq!(length(&grid), None);
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Grid {
    pub(super) layout: Layout,
    pub(super) frame: Frame,
    pub(super) terrain: Vec<TerrainId>,
    /// Heights of the cells above the frame; empty: all zero.
    pub(super) heights: Vec<f32>,
    influence: Vec<InfluenceLayer>,
    layers: Vec<Layer>,
    pub(super) revision: Revision,
    /// The last edit of each tile.
    pub(super) edits: EditLog,
}

impl Grid {
    /// Returns a grid from terrains row by row, (0, 0) first, with one profile.
    ///
    /// # Errors
    /// When the size is out of range, the number of terrains is not width × height, or the profile
    /// has an impossible value.
    pub fn new(
        width: u32,
        height: u32,
        terrain: &[TerrainId],
        profile: GridProfile,
    ) -> Result<Self, GridError> {
        if width == 0 || height == 0 || width > MAX_SIDE || height > MAX_SIDE {
            return Err(GridError::Size { width: width.into(), height: height.into() });
        }
        if terrain.len() as u64 != u64::from(width) * u64::from(height) {
            return Err(GridError::TerrainCount { width, height, given: terrain.len() });
        }
        let layout = Layout::new(width, height);
        let mut padded = vec![TerrainId::BLOCKED; layout.bound()];
        for (y, row) in (0..height).zip(terrain.chunks_exact(width as usize)) {
            let first = layout.cell(0, y).0 as usize;
            padded[first..first + row.len()].copy_from_slice(row);
        }
        let mut grid = Self {
            layout,
            frame: Frame::default(),
            terrain: padded,
            heights: Vec::new(),
            influence: Vec::new(),
            layers: Vec::new(),
            revision: Revision::default(),
            edits: EditLog::default(),
        };
        grid.add_profile(profile)?;
        Ok(grid)
    }

    /// Returns a grid from rows of characters under the default profile: `#`, `@`, `O` and `T` are
    /// blocked, all else is ground. For files and richer legends see the crate `wayfare-formats`.
    ///
    /// # Errors
    /// When there are no rows, or rows of different lengths.
    pub fn from_rows(rows: &[&str]) -> Result<Self, GridError> {
        let width = rows.first().map_or(0, |row| row.chars().count());
        let mut terrain = Vec::with_capacity(width * rows.len());
        for (row, text) in rows.iter().enumerate() {
            let before = terrain.len();
            terrain.extend(text.chars().map(|glyph| match glyph {
                '#' | '@' | 'O' | 'T' => TerrainId::BLOCKED,
                _ => TerrainId::GROUND,
            }));
            let length = terrain.len() - before;
            if length != width {
                return Err(GridError::Ragged { row, length, width });
            }
        }
        let too_large = GridError::Size { width: width as u64, height: rows.len() as u64 };
        let (Ok(width), Ok(height)) = (u32::try_from(width), u32::try_from(rows.len())) else {
            return Err(too_large);
        };
        Self::new(width, height, &terrain, GridProfile::default())
    }

    /// The same grid elsewhere in the world.
    ///
    /// # Errors
    /// When a coordinate is not finite, or the cell size is not a finite number above zero.
    pub fn with_frame(mut self, frame: Frame) -> Result<Self, GridError> {
        if !frame.origin.is_finite() {
            let value = [frame.origin.x, frame.origin.y, frame.origin.z]
                .into_iter()
                .find(|v| !v.is_finite());
            return Err(GridError::OutOfRange {
                field: "origin",
                value: value.unwrap_or(f32::NAN),
                range: "finite",
            });
        }
        if !(frame.cell_size > 0.0 && frame.cell_size.is_finite()) {
            return Err(GridError::OutOfRange {
                field: "cell size",
                value: frame.cell_size,
                range: "a finite number above zero",
            });
        }
        self.frame = frame;
        self.refresh_slopes();
        Ok(self)
    }

    /// Adds a profile, and derives its view of the ground. O(cells).
    ///
    /// # Errors
    /// When the profile has an impossible value.
    pub fn add_profile(&mut self, profile: GridProfile) -> Result<ProfileId, GridError> {
        check_profile(&profile)?;
        let id =
            ProfileId(u16::try_from(self.layers.len()).map_err(|_| GridError::TooManyProfiles)?);
        self.layers.push(Layer::new(profile, self.ground())?);
        Ok(id)
    }

    /// Exchanges a profile. The next revision, unless it is that profile already.
    ///
    /// The profile's view of the ground is derived anew: O(cells).
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::space::{GridProfile, Neighbours};
    /// let mut grid = Grid::from_rows(&["..", ".."])?;
    /// let walker = grid.profiles().next().unwrap();
    /// let tower = GridProfile { neighbours: Neighbours::Four, ..GridProfile::default() };
    /// grid.set_profile(walker, tower)?;
    /// assert_eq!(grid.space().profile().neighbours, Neighbours::Four);
    /// # Ok::<(), GridError>(())
    /// ```
    ///
    /// # Errors
    /// If the profile has an impossible value, or the grid has none of that number.
    pub fn set_profile(&mut self, id: ProfileId, profile: GridProfile) -> Result<(), GridError> {
        if !self.has_profile(id) {
            return Err(GridError::NoSuchProfile { profile: id.0 });
        }
        check_profile(&profile)?;
        if self.layer(id).profile == profile {
            return Ok(());
        }
        self.replace_layer(id, profile)?;
        self.revision = self.revision.next();
        let everywhere = self.layout;
        self.note_edit(everywhere.cells(), self.reach());
        Ok(())
    }

    /// Returns the numbers of all profiles; there is at least one.
    pub fn profiles(&self) -> impl Iterator<Item = ProfileId> + use<> {
        (0..self.layers.len()).map(|id| ProfileId(id as u16))
    }

    /// Returns the profile of that number; `None` if the grid has no such profile.
    #[must_use]
    pub fn profile(&self, profile: ProfileId) -> Option<&GridProfile> {
        Some(&self.layers.get(usize::from(profile.0))?.profile)
    }

    /// Returns the profiles whose costs are others than when they were added.
    #[doc(hidden)]
    pub fn profiles_of_other_costs(&self) -> impl Iterator<Item = ProfileId> + '_ {
        self.profiles().filter(|&profile| self.layer(profile).has_other_costs())
    }

    /// Returns the amount, in straight steps, by which the penalties of a profile were raised to
    /// make the lowest zero; `None` if the grid has no such profile.
    #[must_use]
    pub fn cost_shift(&self, profile: ProfileId) -> Option<f32> {
        Some(self.layers.get(usize::from(profile.0))?.costs.shift)
    }

    /// Returns the space of the first profile, with costs that hold 374,000 straight steps.
    #[must_use]
    pub fn space(&self) -> GridSpace<'_> {
        self.space_for(ProfileId(0))
    }

    /// Returns the space of any profile, with costs that hold 374,000 straight steps. See
    /// [`Grid::space_for`].
    #[must_use]
    pub fn space_of(&self, profile: ProfileId) -> GridSpace<'_> {
        self.space_for(profile)
    }

    /// Returns the space of any profile with costs of any width: `grid.space_for::<u64>(profile)`
    /// for very long paths.
    ///
    /// For a number that is not of this grid nobody can stand anywhere: every query is answered
    /// with [`NoSuchProfile`](wayfare_core::space::Obstruction::NoSuchProfile).
    #[must_use]
    pub fn space_for<C: Cost>(&self, profile: ProfileId) -> GridSpace<'_, C> {
        GridSpace::new(self, self.layer(profile), self.has_profile(profile))
    }

    /// Returns whether the grid has a profile of that number.
    #[must_use]
    pub fn has_profile(&self, profile: ProfileId) -> bool {
        usize::from(profile.0) < self.layers.len()
    }

    fn layer(&self, profile: ProfileId) -> &Layer {
        self.layers.get(usize::from(profile.0)).unwrap_or(&self.layers[0])
    }

    pub(super) fn ground(&self) -> Ground<'_> {
        Ground {
            layout: &self.layout,
            terrain: &self.terrain,
            influence: &self.influence,
            heights: &self.heights,
            cell_size: self.frame.cell_size,
        }
    }

    /// Cells from left to right.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.layout.width
    }

    /// Cells from top to bottom.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.layout.height
    }

    /// Returns where the grid lies in the world.
    #[must_use]
    pub fn frame(&self) -> Frame {
        self.frame
    }

    /// Returns the number of edits so far.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns the memory that the grid holds, in bytes.
    #[must_use]
    pub fn size_in_bytes(&self) -> usize {
        self.terrain.capacity()
            + self.heights.capacity() * size_of::<f32>()
            + self
                .influence
                .iter()
                .map(|layer| layer.values.capacity() * size_of::<f32>())
                .sum::<usize>()
            + self.layers.iter().map(Layer::size_in_bytes).sum::<usize>()
            + self.edits.size_in_bytes()
    }

    /// Returns the cell at column `x` and row `y`, counted from 0; `None` off the map.
    #[must_use]
    pub fn cell(&self, x: u32, y: u32) -> Option<Cell> {
        (x < self.layout.width && y < self.layout.height).then(|| self.layout.cell(x, y))
    }

    /// Returns the column and row of a cell of this grid.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::space::CellPosition;
    /// let grid = Grid::from_rows(&["....", "...."])?;
    /// let CellPosition { x, y } = grid.coordinates(grid.cell(3, 1).unwrap());
    /// assert_eq!((x, y), (3, 1));
    /// # Ok::<(), GridError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn coordinates(&self, cell: Cell) -> CellPosition {
        let (x, y) = self.layout.coordinates(cell);
        CellPosition { x, y }
    }

    /// Returns all cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        self.layout.cells()
    }

    /// Returns the cell that a world point lies in, looking from above; `None` off the map. See
    /// [`Grid::nearest_cell`].
    #[must_use]
    pub fn cell_at(&self, point: Vec3) -> Option<Cell> {
        let DVec2 { x, y } = self.frame.to_cells(point);
        let inside = |value: f64, bound: u32| value >= 0.0 && value < f64::from(bound);
        (inside(x, self.layout.width) && inside(y, self.layout.height))
            .then(|| self.layout.cell(x as u32, y as u32))
    }

    /// Returns the cell nearest to a world point, looking from above: points off the map are
    /// clamped to its edge. Not-a-number counts as zero.
    #[must_use]
    pub fn nearest_cell(&self, point: Vec3) -> Cell {
        let DVec2 { x, y } = self.frame.to_cells(point);
        let clamp = |value: f64, bound: u32| (value as u32).min(bound - 1);
        self.layout.cell(clamp(x, self.layout.width), clamp(y, self.layout.height))
    }

    /// Returns the world point at the centre of a cell, on its ground.
    #[must_use]
    pub fn centre(&self, cell: Cell) -> Vec3 {
        let (x, y) = self.layout.coordinates(cell);
        self.frame.centre(x, y) + Vec3::Y * self.height_of(cell)
    }

    /// Returns the height of a cell above the frame, in world units.
    pub(super) fn height_of(&self, cell: Cell) -> f32 {
        self.heights.get(cell.0 as usize).copied().unwrap_or(0.0)
    }

    /// Returns the terrain of a cell; [`TerrainId::BLOCKED`] if the grid has no such cell.
    #[must_use]
    pub fn terrain(&self, cell: Cell) -> TerrainId {
        self.terrain.get(cell.0 as usize).copied().unwrap_or(TerrainId::BLOCKED)
    }

    /// Returns the surcharge of a profile for entering a cell, in straight steps: the terrain's
    /// penalty (blurred) and influence.
    #[must_use]
    pub fn penalty(&self, cell: Cell, profile: ProfileId) -> f32 {
        if !self.layout.contains(cell) {
            return 0.0;
        }
        self.layer(profile).penalty(cell) as f32 / wayfare_core::space::STRAIGHT as f32
    }

    /// Changes the terrain of one cell. The next revision, unless nothing changes.
    ///
    /// See [`Grid::set_terrains`].
    pub fn set_terrain(&mut self, cell: Cell, terrain: TerrainId) -> GridEditReport {
        self.set_terrains([(cell, terrain)])
    }

    /// Changes the terrain of any number of cells as one edit. Cells that are not on the map are
    /// skipped; of several entries for one cell the last counts.
    ///
    /// Afterwards the grid answers every query as one built from its terrain: the same paths,
    /// counters and traces. Which edits led there makes no difference.
    ///
    /// Returns the changes with the work they took. For each profile that is
    ///
    /// - O(width²) for the cells under a wide agent, O(blur²) for penalties, per changed cell;
    /// - the cells along the lines beside a changed cell, as far as a jump along them ends
    ///   elsewhere;
    /// - the smaller pieces, if an island falls apart; O(runs of free cells) at most;
    /// - the smaller of two rooms or obstacles that fall apart or become one.
    ///
    /// Rooms follow at once if a guided search ran since the last edit, else before the next one.
    /// After changes of more than 1/256 of the cells in one edit, or in edits without a search
    /// between them, the next guided search finds the rooms of the map anew: O(cells / 16 + runs).
    pub fn set_terrains(
        &mut self,
        edits: impl IntoIterator<Item = (Cell, TerrainId)>,
    ) -> GridEditReport {
        let mut changes = Vec::new();
        for (cell, terrain) in edits {
            if self.layout.contains(cell) && self.terrain[cell.0 as usize] != terrain {
                changes.push(Change { cell, before: self.terrain[cell.0 as usize] });
                self.terrain[cell.0 as usize] = terrain;
            }
        }
        // A cell that was changed twice counts once, with its first terrain, and not if it has that
        // again.
        changes.sort_by_key(|change| change.cell);
        changes.dedup_by_key(|change| change.cell);
        changes.retain(|change| self.terrain[change.cell.0 as usize] != change.before);
        let cells = changes.iter().map(|change| change.cell).collect();
        let mut edit = GridEditReport { cells, ..GridEditReport::default() };
        if changes.is_empty() {
            return edit;
        }
        self.revision = self.revision.next();
        self.note_edit(changes.iter().map(|change| change.cell), self.reach());
        let mut layers = std::mem::take(&mut self.layers);
        for layer in &mut layers {
            edit.add_profile(&layer.update(self.ground(), &changes));
        }
        self.layers = layers;
        edit
    }

    /// Changes the cost of a terrain for a profile; `None`: its agents cannot enter it. Returns the
    /// cells of that terrain, by id (all cells, if the shift of negative costs changes);
    /// [`Grid::affected_by`] lists all cells whose moves changed. If the profile had that cost
    /// already, returns no cells and keeps the revision.
    ///
    /// The profile's view of the ground is derived anew: O(cells).
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::space::{GridProfile, TerrainCost};
    /// let bog = TerrainId(1);
    /// let terrain = [TerrainId::GROUND, bog, TerrainId::GROUND];
    /// let mut grid = Grid::new(3, 1, &terrain, GridProfile::default())?;
    /// let walker = grid.profiles().next().unwrap();
    /// assert_eq!(grid.set_cost(walker, bog, None)?.len(), 1); // frost ends: nobody gets through
    /// assert!(!grid.space().is_free(grid.cell(1, 0).unwrap()));
    /// # Ok::<(), GridError>(())
    /// ```
    ///
    /// # Errors
    /// When the cost is out of range, or the grid has no such profile.
    pub fn set_cost(
        &mut self,
        profile: ProfileId,
        terrain: TerrainId,
        cost: Option<TerrainCost>,
    ) -> Result<Vec<Cell>, GridError> {
        if !self.has_profile(profile) {
            return Err(GridError::NoSuchProfile { profile: profile.0 });
        }
        let old = &self.layer(profile).profile;
        let costs = old.costs.clone();
        let costs = match cost {
            Some(cost) => costs.with(terrain, cost),
            None => costs.without(terrain),
        };
        if costs == old.costs {
            return Ok(Vec::new());
        }
        let shift = self.layer(profile).costs.shift;
        self.replace_layer(profile, GridProfile { costs, ..old.clone() })?;
        let all = self.layer(profile).costs.shift != shift;
        let changed = |&cell: &Cell| all || self.terrain(cell) == terrain;
        let cells: Vec<Cell> = self.cells().filter(changed).collect();
        self.revision = self.revision.next();
        self.note_edit(cells.iter().copied(), self.reach());
        Ok(cells)
    }

    /// Changes the radius of a profile's blur over the penalties, in cells: see
    /// [`GridProfile::blur`]. The next revision, unless that is its blur already.
    ///
    /// The profile's view of the ground is derived anew: O(cells).
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::space::{CostTable, GridProfile, TerrainCost};
    /// let bog = TerrainId(1);
    /// let costs = CostTable::new().with(bog, TerrainCost::penalised(9.0));
    /// let terrain = [TerrainId::GROUND, bog, TerrainId::GROUND];
    /// let mut grid = Grid::new(3, 1, &terrain, GridProfile { costs, ..GridProfile::default() })?;
    /// let walker = grid.profiles().next().unwrap();
    /// let beside = grid.cell(0, 0).unwrap();
    /// assert_eq!(grid.penalty(beside, walker), 0.0);
    /// grid.set_blur(walker, 1)?;
    /// assert!(grid.penalty(beside, walker) > 0.0);
    /// # Ok::<(), GridError>(())
    /// ```
    ///
    /// # Errors
    /// When the blur is above 64, or the grid has no such profile.
    pub fn set_blur(&mut self, profile: ProfileId, blur: u8) -> Result<(), GridError> {
        if !self.has_profile(profile) {
            return Err(GridError::NoSuchProfile { profile: profile.0 });
        }
        check_cells("blur", blur, 0)?;
        let old = &self.layer(profile).profile;
        if old.blur == blur {
            return Ok(());
        }
        self.replace_layer(profile, GridProfile { blur, ..old.clone() })?;
        self.revision = self.revision.next();
        let everywhere = self.layout;
        self.note_edit(everywhere.cells(), 1);
        Ok(())
    }

    /// Derives the view of a profile again, with other numbers. O(cells).
    fn replace_layer(&mut self, profile: ProfileId, changed: GridProfile) -> Result<(), GridError> {
        let mut layer = Layer::new(changed, self.ground())?;
        let old = &mut self.layers[usize::from(profile.0)];
        layer.first_costs =
            Some(old.first_costs.take().unwrap_or_else(|| old.profile.costs.clone()));
        *old = layer;
        Ok(())
    }

    /// Adds a layer of influence, zero everywhere. [`GridProfile::influence`] holds its weight in
    /// the penalties of a profile.
    ///
    /// # Errors
    /// When a number of the rule is out of range.
    pub fn add_influence(&mut self, rule: InfluenceRule) -> Result<InfluenceId, GridError> {
        for (field, value) in [
            ("kept share", rule.kept_per_second),
            ("spreading share", rule.spread_per_second),
            ("least", rule.least),
        ] {
            if !(0.0..=1.0).contains(&value) {
                return Err(GridError::OutOfRange { field, value, range: "from 0 to 1" });
            }
        }
        self.influence.push(InfluenceLayer::new(rule, &self.layout));
        let everywhere = self.layout;
        self.refresh_penalties(&everywhere.cells());
        Ok(InfluenceId(self.influence.len() - 1))
    }

    /// Returns a layer of influence.
    #[must_use]
    pub fn influence(&self, layer: InfluenceId) -> Option<&InfluenceLayer> {
        self.influence.get(layer.0)
    }

    /// Adds to the influence on a cell, or takes from it: an agent was hurt here. The next
    /// revision.
    ///
    /// Amounts that are not finite, and cells off the map, are skipped.
    pub fn add_influence_at(&mut self, layer: InfluenceId, cell: Cell, amount: f32) {
        if !self.layout.contains(cell) || !amount.is_finite() {
            return;
        }
        if let Some(layer) = self.influence.get_mut(layer.0) {
            layer.add(cell, amount);
            self.refresh_penalties(&std::iter::once(cell));
        }
    }

    /// Lets `seconds` go by for all influence: it spreads and decays. The next revision, unless
    /// nothing changes.
    pub fn advance_influence(&mut self, seconds: f32) {
        if !(seconds > 0.0 && seconds.is_finite()) {
            return;
        }
        let stride = self.layout.stride as i32;
        let mut changed = Vec::new();
        for layer in &mut self.influence {
            let is_open = |cell: Cell| self.terrain[cell.0 as usize] != TerrainId::BLOCKED;
            changed.extend(layer.advance(seconds, [-stride, -1, 1, stride], is_open));
        }
        changed.sort_unstable();
        changed.dedup();
        if !changed.is_empty() {
            self.refresh_penalties(&changed.into_iter());
        }
    }

    /// Derives the penalties of all profiles with slope costs again, after heights changed.
    /// O(cells) for each.
    pub(super) fn refresh_slopes(&mut self) {
        let mut layers = std::mem::take(&mut self.layers);
        for layer in layers.iter_mut().filter(|layer| layer.profile.slope_cost > 0.0) {
            layer.update_slopes(self.ground());
        }
        self.layers = layers;
    }

    /// Recomputes the penalties of cells whose influence changed. The next revision.
    fn refresh_penalties(&mut self, cells: &(impl Iterator<Item = Cell> + Clone)) {
        self.revision = self.revision.next();
        self.note_edit(cells.clone(), 1);
        let mut layers = std::mem::take(&mut self.layers);
        for layer in &mut layers {
            layer.update_influence(self.ground(), cells.clone());
        }
        self.layers = layers;
    }
}

fn check_profile(profile: &GridProfile) -> Result<(), GridError> {
    check_cells("width", profile.width, 1)?;
    check_cells("blur", profile.blur, 0)?;
    if let Some(&value) = profile.influence.iter().find(|weight| !(0.0..=1.0e6).contains(*weight)) {
        return Err(GridError::OutOfRange {
            field: "influence weight",
            value,
            range: "from 0 to 1,000,000",
        });
    }
    if !(0.0..=10_000.0).contains(&profile.slope_cost) {
        return Err(GridError::OutOfRange {
            field: "slope cost",
            value: profile.slope_cost,
            range: "from 0 to 10,000",
        });
    }
    Ok(())
}

/// # Errors
/// When a number of cells in a profile is below `least` or above 64.
fn check_cells(field: &'static str, value: u8, least: u8) -> Result<(), GridError> {
    if (least..=64).contains(&value) {
        return Ok(());
    }
    let range = if least == 0 { "from 0 to 64 cells" } else { "from 1 to 64 cells" };
    Err(GridError::OutOfRange { field, value: value.into(), range })
}

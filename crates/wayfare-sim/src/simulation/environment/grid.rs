//! Grids as worlds.

use glam::Vec3;
use wayfare_core::inside::WordHash;
use wayfare_core::space::{CostTable, ProfileId, Revision, Space, StateId, TerrainCost, TerrainId};
use wayfare_core::walls::{WallSide, Walls};
use wayfare_grid::grid::{Cell, Frame, Grid, GridProfile, GridSpace, InfluenceId};

use crate::simulation::{
    AvoidanceManner, EditFault, Editable, Environment, Filled, FilledOf, GroundId, Shape,
    ShapeBounds, Spaces, Surroundings,
};

/// A change of a grid while a simulation runs.
///
/// ```
/// use wayfare::link::NavLinks;
/// use wayfare::prelude::*;
/// use wayfare::simulation::{Command, GridEdit, Simulation, SimulationSettings};
///
/// let grid = Grid::from_rows(&["..."])?;
/// let cells = vec![grid.cell(1, 0).unwrap()];
/// let mut simulation = Simulation::new(grid, NavLinks::new(3.0), SimulationSettings::default())?;
/// let wall = GridEdit::Terrain { cells, terrain: TerrainId::BLOCKED };
/// simulation.schedule(0, Command::Edit(wall));
/// simulation.tick();
/// let grid = simulation.world();
/// assert_eq!(grid.terrain(grid.cell(1, 0).unwrap()), TerrainId::BLOCKED);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum GridEdit {
    /// Cells get another terrain.
    Terrain {
        /// The cells.
        cells: Vec<Cell>,
        /// The terrain.
        terrain: TerrainId,
    },
    /// Cells get terrains of their own, all at once.
    Terrains {
        /// The cells with their terrains.
        cells: Vec<(Cell, TerrainId)>,
    },
    /// Influence is added to cells, or taken from them.
    Influence {
        /// The layer.
        layer: InfluenceId,
        /// The cells.
        cells: Vec<Cell>,
        /// How much.
        amount: f32,
    },
    /// A terrain costs the agents of a profile something else.
    Cost {
        /// The profile.
        profile: ProfileId,
        /// The terrain.
        terrain: TerrainId,
        /// The cost; `None`: they cannot enter it.
        cost: Option<TerrainCost>,
    },
    /// Time goes by for all influence: it spreads and decays.
    InfluenceTime {
        /// How much time.
        seconds: f32,
    },
}

/// Adds all cells at most `reach` columns and rows away from one of the given, each once.
fn around(grid: &Grid, cells: &[Cell], reach: u32, affected: &mut Vec<Cell>) {
    let begin = affected.len();
    for &cell in cells {
        let (x, y) = grid.coordinates(cell).into();
        let span = |at: u32, bound: u32| {
            at.saturating_sub(reach)..=at.saturating_add(reach).min(bound - 1)
        };
        for y in span(y, grid.height()) {
            affected.extend(span(x, grid.width()).filter_map(|x| grid.cell(x, y)));
        }
    }
    affected[begin..].sort_unstable();
    affected.dedup();
}

impl Spaces for Grid {
    type State = Cell;
    type Cost = u32;
    type Space<'w> = GridSpace<'w>;

    fn space(&self, profile: ProfileId) -> GridSpace<'_> {
        self.space_for(profile)
    }

    fn has_profile(&self, profile: ProfileId) -> bool {
        Self::has_profile(self, profile)
    }

    fn grain(&self) -> f32 {
        self.frame().cell_size
    }

    fn revision(&self) -> Revision {
        Self::revision(self)
    }

    fn state_at(&self, profile: ProfileId, point: Vec3) -> Option<Cell> {
        self.cell_at(point).filter(|&cell| self.space_for::<u32>(profile).is_free(cell))
    }

    fn state_meant(&self, _profile: ProfileId, point: Vec3) -> Option<Cell> {
        self.cell_at(point)
    }

    fn nearest_state(&self, profile: ProfileId, point: Vec3, within: f32) -> Option<Cell> {
        let space = self.space_for::<u32>(profile);
        let reach = (within / self.frame().cell_size).ceil().clamp(0.0, 64.0) as u32;
        let mut near = Vec::new();
        around(self, &[self.nearest_cell(point)], reach, &mut near);
        let free = near.into_iter().filter(|&cell| space.is_free(cell));
        let flat = |cell: Cell| self.centre(cell).with_y(0.0).distance(point.with_y(0.0));
        let nearest = free
            .map(|cell| (flat(cell), cell))
            .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        nearest.filter(|&(away, _)| away <= within).map(|(_, cell)| cell)
    }

    fn states_in(&self, profile: ProfileId, shape: &Shape) -> Vec<Cell> {
        let space = self.space_for::<u32>(profile);
        let mut cells = self.covered(shape);
        cells.retain(|&cell| space.is_free(cell));
        cells.sort_unstable();
        cells
    }
}

impl Surroundings for Grid {
    fn is_wall(&self, profile: ProfileId, point: Vec3) -> bool {
        let space = self.space_for::<u32>(profile);
        let costs = &space.profile().costs;
        self.cell_at(point).is_none_or(|cell| costs.get(self.terrain(cell)).is_none())
    }

    fn wall_sides(
        &self,
        profile: ProfileId,
        at: Vec3,
        _radius: f32,
        range: f32,
        visit: &mut dyn FnMut(WallSide),
    ) -> bool {
        self.space_for::<u32>(profile).sides_near(at, range, visit)
    }

    fn ground_at(&self, _profile: ProfileId, point: Vec3) -> Option<GroundId> {
        self.cell_at(point).map(|cell| self.terrain(cell).into())
    }

    fn price_at(&self, profile: ProfileId, point: Vec3) -> f32 {
        let terrain = self.cell_at(point).map(|cell| self.terrain(cell));
        let costs = &self.space_for::<u32>(profile).profile().costs;
        let cost = terrain.and_then(|terrain| costs.get(terrain));
        cost.map_or(1.0, |cost| cost.multiplier)
    }

    /// Visits cells, at the height of the frame.
    fn visit_ground(&self, profiles: &[ProfileId], visit: &mut dyn FnMut(&[Vec3])) {
        let Frame { origin, cell_size } = self.frame();
        let corner = |x: u32, y: u32| origin + Vec3::new(x as f32, 0.0, y as f32) * cell_size;
        let is_ground = |cell: Cell| {
            let terrain = self.terrain(cell);
            let known = |profile: &ProfileId| self.profile(*profile);
            profiles.iter().filter_map(known).any(|known| known.costs.get(terrain).is_some())
        };
        for cell in self.cells().filter(|&cell| is_ground(cell)) {
            let (x, y) = self.coordinates(cell).into();
            visit(&[corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)]);
        }
    }
}

impl Editable for Grid {
    type Edit = GridEdit;
    type Place = Cell;
    type Fill = TerrainId;

    /// Hashes the influence on each cell that has any, and changed costs. O(cells with influence).
    fn digest(&self) -> u64 {
        let mut hash = WordHash(0);
        let layers = (0..).map_while(|layer| self.influence(InfluenceId(layer)));
        for (number, layer) in layers.enumerate() {
            for &cell in layer.active() {
                hash.word((number as u64) << 32 | u64::from(cell.index()));
                hash.float(layer.get(cell));
            }
        }
        for profile in self.profiles_of_other_costs() {
            let Some(GridProfile { costs, .. }) = self.profile(profile) else { continue };
            let known = (0..=u8::MAX).map(TerrainId).map(|terrain| costs.get(terrain));
            hash.text(format_args!("{profile:?} {:?}", known.collect::<Vec<_>>()));
        }
        hash.0
    }

    /// Ages all layers of influence together.
    fn ageing(&self, seconds: f32) -> Option<GridEdit> {
        let mut layers = (0..).map_while(|layer| self.influence(InfluenceId(layer)));
        let ages = layers.any(|layer| {
            let rule = &layer.rule;
            !layer.active().is_empty()
                && (rule.kept_per_second < 1.0 || rule.spread_per_second > 0.0)
        });
        ages.then_some(GridEdit::InfluenceTime { seconds })
    }

    fn check(&self, edit: &GridEdit) -> Result<(), EditFault> {
        let (cells, number): (&[Cell], f32) = match edit {
            GridEdit::Terrain { cells, .. } => (cells, 0.0),
            GridEdit::Terrains { cells } => {
                let outside = Err(wayfare_core::space::Obstruction::OffMap);
                let space = self.space();
                let is_outside = |(cell, _): &(Cell, TerrainId)| space.check(*cell) == outside;
                return match cells.iter().any(is_outside) {
                    true => Err(EditFault::OffMap),
                    false => Ok(()),
                };
            }
            GridEdit::Influence { layer, cells, amount } => {
                if self.influence(*layer).is_none() {
                    return Err(EditFault::NoSuchLayer);
                }
                (cells, *amount)
            }
            GridEdit::InfluenceTime { seconds } => (&[], *seconds),
            GridEdit::Cost { profile, .. } if !Self::has_profile(self, *profile) => {
                return Err(EditFault::NoSuchProfile(*profile));
            }
            GridEdit::Cost { terrain, cost, .. } => {
                let table = CostTable::new();
                let table = match cost {
                    Some(cost) => table.with(*terrain, *cost),
                    None => table,
                };
                // Shifted costs may be negative; whether they can is for the table to say.
                table.shifting_negative_costs().compile().map_err(EditFault::Cost)?;
                (&[], 0.0)
            }
        };
        if !number.is_finite() {
            return Err(EditFault::NotFinite(number));
        }
        let (space, outside) = (self.space(), wayfare_core::space::Obstruction::OffMap);
        if cells.iter().any(|&cell| space.check(cell) == Err(outside)) {
            return Err(EditFault::OffMap);
        }
        Ok(())
    }

    fn takes(&self, edit: &GridEdit) -> Vec<Vec3> {
        match edit {
            GridEdit::Terrain { cells, .. } => {
                cells.iter().map(|&cell| self.centre(cell)).collect()
            }
            GridEdit::Terrains { cells } => {
                cells.iter().map(|&(cell, _)| self.centre(cell)).collect()
            }
            GridEdit::Cost { terrain, cost: None, .. } => {
                let cells = self.cells().filter(|&cell| self.terrain(cell) == *terrain);
                cells.map(|cell| self.centre(cell)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn fills(edit: &GridEdit) -> Vec<FilledOf<Self>> {
        match edit {
            GridEdit::Terrain { cells, terrain } => {
                cells.iter().map(|&place| Filled { place, fill: *terrain }).collect()
            }
            GridEdit::Terrains { cells } => {
                cells.iter().map(|&(place, fill)| Filled { place, fill }).collect()
            }
            _ => Vec::new(),
        }
    }

    fn apply(&mut self, edit: &GridEdit, affected: &mut Vec<Cell>) -> Result<(), EditFault> {
        Editable::check(self, edit)?;
        match edit {
            GridEdit::Terrain { .. } | GridEdit::Terrains { .. } => {
                self.fill(&Self::fills(edit), affected);
            }
            GridEdit::Influence { layer, cells, amount } => {
                for &cell in cells {
                    self.add_influence_at(*layer, cell, *amount);
                }
                around(self, cells, 1, affected);
            }
            GridEdit::Cost { profile, terrain, cost } => {
                let cells = self.set_cost(*profile, *terrain, *cost);
                let cells = cells.map_err(|error| EditFault::of_grid(&error))?;
                affected.extend(self.affected_by(&cells));
            }
            GridEdit::InfluenceTime { seconds } => {
                let active = |grid: &Self| -> Vec<Cell> {
                    let layers = (0..).map_while(|layer| grid.influence(InfluenceId(layer)));
                    layers.flat_map(|layer| layer.active().iter().copied()).collect()
                };
                let mut touched = active(self);
                self.advance_influence(*seconds);
                touched.extend(active(self));
                around(self, &touched, 1, affected);
            }
        }
        Ok(())
    }

    /// Returns the cells with their middle in the shape, looking from above.
    fn covered(&self, shape: &Shape) -> Vec<Cell> {
        let ShapeBounds { min, max } = shape.bounds();
        if !shape.is_finite() {
            return Vec::new();
        }
        let (low, high) = (self.frame().to_cells(min), self.frame().to_cells(max));
        let span = |low: f64, high: f64, bound: u32| {
            low.max(0.0) as u32..(high.max(-1.0) + 1.0).min(f64::from(bound)) as u32
        };
        let mut covered = Vec::new();
        for y in span(low.y, high.y, self.height()) {
            let row = span(low.x, high.x, self.width()).filter_map(|x| self.cell(x, y));
            covered.extend(row.filter(|&cell| shape.contains_from_above(self.centre(cell))));
        }
        covered
    }

    fn filling(&self, place: Cell) -> Option<TerrainId> {
        Some(self.terrain(place))
    }

    fn blocking(&self, _place: Cell) -> TerrainId {
        TerrainId::BLOCKED
    }

    fn fill(&mut self, fills: &[FilledOf<Self>], affected: &mut Vec<Cell>) {
        let edit = self.set_terrains(fills.iter().map(|filled| (filled.place, filled.fill)));
        affected.extend(self.affected_by(&edit.cells));
    }
}

impl Environment for Grid {
    const CUTS_ACROSS: bool = true;
    const AVOIDING: AvoidanceManner = AvoidanceManner::BesideRails;
    const CAN_FORM: bool = true;
}

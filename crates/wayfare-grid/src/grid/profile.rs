//! Profiles: one class of agents on a grid.

use wayfare_core::space::CostTable;

/// How many neighbours a cell has.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::space::{GridProfile, Neighbours};
/// let four = GridProfile { neighbours: Neighbours::Four, ..GridProfile::default() };
/// let grid = Grid::new(3, 3, &[TerrainId::GROUND; 9], four)?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(2, 2).unwrap());
/// let path = solve(&grid.space(), &AStar::new(), query).outcome.into_path();
/// assert_eq!(path.len(), 4); // no diagonal
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Neighbours {
    /// North, east, south, west.
    Four,
    /// These and the diagonals.
    #[default]
    Eight,
}

/// The condition for a diagonal move to pass the two cells beside it.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::space::{CornerRule, GridProfile};
/// let mut grid = Grid::from_rows(&[".#", "#."])?;
/// let squeezing = grid.add_profile(GridProfile { corners: CornerRule::Always, ..GridProfile::default() })?;
/// let (a, b) = (grid.cell(0, 0).unwrap(), grid.cell(1, 1).unwrap());
/// assert_ne!(grid.space().component(a), grid.space().component(b));
/// let space = grid.space_for::<u32>(squeezing);
/// assert_eq!(space.component(a), space.component(b));
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CornerRule {
    /// When both are free. The rule of the Moving AI benchmarks, and the one that keeps bodies out
    /// of walls.
    #[default]
    BothFree,
    /// When at least one is free.
    OneFree,
    /// Always, even between two walls.
    Always,
}

/// One class of agents on a grid: their moves, their width and their costs by terrain.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::space::{CostTable, GridProfile, Neighbours, TerrainCost};
/// let profile = GridProfile {
///     neighbours: Neighbours::Four,
///     costs: CostTable::new().with(TerrainId(1), TerrainCost::multiplied(2.0)),
///     ..GridProfile::default()
/// };
/// let grid = Grid::new(2, 1, &[TerrainId::GROUND, TerrainId(1)], profile)?;
/// assert_eq!(grid.space().profile().neighbours, Neighbours::Four);
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct GridProfile {
    /// How many neighbours a cell has. Default: eight.
    pub neighbours: Neighbours,
    /// When diagonal moves are allowed. Default: when both cells beside them are free.
    pub corners: CornerRule,
    /// The width of an agent in cells, 1 to 64; default 1. A wide agent stands on a square of that
    /// side, with its cell in the middle (left and above the middle, where the width is even).
    /// Raising it closes narrow passages.
    pub width: u8,
    /// The cost of each terrain. Default: all the same.
    pub costs: CostTable,
    /// The radius in cells of the box blur over the penalties, 0 to 64; default 0. Raising it
    /// spreads a penalty to the ground nearby, so that agents prefer the middle of the road.
    pub blur: u8,
    /// How much one unit of each influence layer adds to the penalty of a cell, in straight steps;
    /// the first entry is for the first layer. Layers beyond the end do not count. Default: none.
    pub influence: Vec<f32>,
    /// The surcharge of a cell on a slope beyond the length of the step, in straight steps for each
    /// unit of rise over run (1 is 45°): 0 to 10,000, default 0. Of the slopes to the four cells
    /// beside it the steepest counts, up or down. Raising it makes paths go around hills. For grids
    /// with heights: see `Grid::sampled`.
    pub slope_cost: f32,
}

impl Default for GridProfile {
    fn default() -> Self {
        Self {
            neighbours: Neighbours::default(),
            corners: CornerRule::default(),
            width: 1,
            costs: CostTable::new(),
            blur: 0,
            influence: Vec::new(),
            slope_cost: 0.0,
        }
    }
}

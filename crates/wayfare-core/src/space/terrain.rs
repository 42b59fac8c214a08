//! Terrains, and their costs for a profile of agents.

use std::sync::Arc;

use crate::space::{DIAGONAL, STRAIGHT};

/// The number of a terrain type: grass, sand, water. Each profile's [`CostTable`] says its cost.
///
/// ```
/// use wayfare::prelude::*;
/// let grid = Grid::from_rows(&[".#"])?;
/// assert_eq!(grid.terrain(grid.cell(0, 0).unwrap()), TerrainId::GROUND);
/// assert_eq!(grid.terrain(grid.cell(1, 0).unwrap()), TerrainId::BLOCKED);
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TerrainId(pub u8);

impl TerrainId {
    /// Ordinary ground: free to every profile unless its table says otherwise.
    pub const GROUND: Self = Self(0);
    /// Never entered, whatever the table says: walls, and everything off the map.
    pub const BLOCKED: Self = Self(255);
}

/// Which body of ground a terrain belongs to. Agents move within one medium only: on land, or in
/// water.
///
/// ```
/// use wayfare::space::{CostTable, Medium, TerrainCost, TerrainId};
/// let water = Medium(1);
/// let lake = TerrainCost::default().in_medium(water);
/// let swimmer = CostTable::new().with(TerrainId(3), lake);
/// assert_eq!(swimmer.get(TerrainId(3)).unwrap().medium, water);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Medium(pub u8);

impl Medium {
    /// The medium of everything that does not say otherwise.
    pub const GROUND: Self = Self(0);
}

/// The cost of entering a cell of some terrain: `length of the step × multiplier + penalty`.
///
/// ```
/// use wayfare::space::TerrainCost;
/// let (swamp, toll) = (TerrainCost::multiplied(2.0), TerrainCost::penalised(5.0));
/// assert_eq!((swamp.multiplier, swamp.penalty), (2.0, 0.0));
/// assert_eq!((toll.multiplier, toll.penalty), (1.0, 5.0));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TerrainCost {
    /// Factor on the length of the step. 0 to 1,000; default 1. Raising it makes every step on the
    /// terrain more expensive.
    pub multiplier: f32,
    /// Added on entering a cell, straight or diagonally, in straight steps. Up to 100,000; default
    /// 0. A negative one is an error unless the table is told to
    /// [shift](CostTable::negative_costs).
    pub penalty: f32,
    /// The medium. Default 0.
    pub medium: Medium,
}

impl Default for TerrainCost {
    fn default() -> Self {
        Self { multiplier: 1.0, penalty: 0.0, medium: Medium(0) }
    }
}

impl TerrainCost {
    /// Ground on which every step costs `multiplier` times its length.
    #[must_use]
    pub fn multiplied(multiplier: f32) -> Self {
        Self { multiplier, ..Self::default() }
    }

    /// Ground on which entering a cell costs `penalty` straight steps more.
    #[must_use]
    pub fn penalised(penalty: f32) -> Self {
        Self { penalty, ..Self::default() }
    }

    /// The same cost in another medium.
    #[must_use]
    pub fn in_medium(mut self, medium: Medium) -> Self {
        self.medium = medium;
        self
    }
}

/// The treatment of penalties below zero, which no search can use as they are.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::space::{CostTable, GridProfile, TerrainCost};
/// let road = CostTable::new().with(TerrainId(1), TerrainCost::penalised(-0.5));
/// let profile = GridProfile { costs: road.shifting_negative_costs(), ..GridProfile::default() };
/// let grid = Grid::new(1, 1, &[TerrainId(1)], profile)?;
/// let first = grid.profiles().next().unwrap();
/// assert_eq!(grid.cost_shift(first), Some(0.5));
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum NegativeCosts {
    /// They are an error that names the terrain.
    #[default]
    Reject,
    /// Every penalty of the table is raised by the same amount, so that the lowest becomes zero.
    /// Paths then also avoid entering many cells.
    Shift,
}

/// A cost that no table can hold.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::space::{CostError, CostTable, GridProfile, TerrainCost};
/// let costs = CostTable::new().with(TerrainId(1), TerrainCost::penalised(-1.0));
/// let profile = GridProfile { costs, ..GridProfile::default() };
/// let error = Grid::new(1, 1, &[TerrainId(1)], profile).unwrap_err();
/// assert_eq!(error, GridError::Cost(CostError::Negative { terrain: 1, penalty: -1.0 }));
/// ```
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CostError {
    /// The penalty is negative, and the table does not shift.
    #[error(
        "terrain {terrain} has the negative penalty {penalty}; raise all penalties, or ask for NegativeCosts::Shift"
    )]
    Negative {
        /// The number of the terrain.
        terrain: u8,
        /// Its penalty.
        penalty: f32,
    },
    /// A number is NaN, infinite or out of range.
    #[error(
        "terrain {terrain} has the {field} {value}, which is not a number from {least} to {most}"
    )]
    OutOfRange {
        /// The number of the terrain.
        terrain: u8,
        /// `"multiplier"` or `"penalty"`.
        field: &'static str,
        /// The number.
        value: f32,
        /// The least allowed.
        least: f32,
        /// The most allowed.
        most: f32,
    },
}

/// The costs of terrains for one profile, and the terrains that it cannot enter.
///
/// ```
/// use wayfare::space::{CostTable, TerrainCost, TerrainId};
/// let (swamp, water) = (TerrainId(1), TerrainId(2));
/// let walker = CostTable::new().with(swamp, TerrainCost::multiplied(2.0)).without(water);
/// assert!(walker.get(water).is_none());
/// ```
#[derive(Clone, Debug)]
pub struct CostTable {
    /// Shared by copies, so that these are compared at a glance.
    entries: Arc<[Option<TerrainCost>]>,
    /// The treatment of penalties below zero.
    pub negative_costs: NegativeCosts,
}

impl Default for CostTable {
    fn default() -> Self {
        Self::new()
    }
}

impl PartialEq for CostTable {
    fn eq(&self, other: &Self) -> bool {
        let is_one = Arc::ptr_eq(&self.entries, &other.entries);
        self.negative_costs == other.negative_costs && (is_one || self.entries == other.entries)
    }
}

impl CostTable {
    /// Returns a table in which every terrain but [`TerrainId::BLOCKED`] is plain ground.
    #[must_use]
    pub fn new() -> Self {
        let mut entries = [Some(TerrainCost::default()); 256];
        entries[usize::from(TerrainId::BLOCKED.0)] = None;
        Self { entries: entries.into(), negative_costs: NegativeCosts::Reject }
    }

    /// The same table with another cost for one terrain. The cost of [`TerrainId::BLOCKED`] cannot
    /// be set.
    #[must_use]
    pub fn with(mut self, terrain: TerrainId, cost: TerrainCost) -> Self {
        if terrain != TerrainId::BLOCKED {
            Arc::make_mut(&mut self.entries)[usize::from(terrain.0)] = Some(cost);
        }
        self
    }

    /// The same table with one terrain that cannot be entered.
    #[must_use]
    pub fn without(mut self, terrain: TerrainId) -> Self {
        Arc::make_mut(&mut self.entries)[usize::from(terrain.0)] = None;
        self
    }

    /// The same table, raising all penalties when one is negative.
    #[must_use]
    pub fn shifting_negative_costs(mut self) -> Self {
        self.negative_costs = NegativeCosts::Shift;
        self
    }

    /// Returns the cost of the terrain; `None` if it cannot be entered.
    #[must_use]
    pub fn get(&self, terrain: TerrainId) -> Option<TerrainCost> {
        self.entries[usize::from(terrain.0)]
    }

    /// Returns the costs as integers.
    #[doc(hidden)]
    pub fn compile(&self) -> Result<StepCosts, CostError> {
        let mut shift = 0.0f32;
        for (terrain, cost) in (0..=u8::MAX).zip(self.entries.iter()) {
            let Some(cost) = cost else { continue };
            check_range(terrain, "multiplier", cost.multiplier, 0.0, 1000.0)?;
            check_range(terrain, "penalty", cost.penalty, -100_000.0, 100_000.0)?;
            if cost.penalty < 0.0 && self.negative_costs == NegativeCosts::Reject {
                return Err(CostError::Negative { terrain, penalty: cost.penalty });
            }
            shift = shift.max(-cost.penalty);
        }
        let entries = self.entries.iter().map(|cost| {
            cost.map(|cost| StepCost {
                straight: in_units(STRAIGHT, cost.multiplier),
                diagonal: in_units(DIAGONAL, cost.multiplier),
                penalty: in_units(STRAIGHT, cost.penalty + shift),
                medium: cost.medium,
            })
        });
        Ok(StepCosts { entries: entries.collect(), shift })
    }
}

fn check_range(
    terrain: u8,
    field: &'static str,
    value: f32,
    least: f32,
    most: f32,
) -> Result<(), CostError> {
    if (least..=most).contains(&value) {
        Ok(())
    } else {
        Err(CostError::OutOfRange { terrain, field, value, least, most })
    }
}

fn in_units(unit: u32, factor: f32) -> u32 {
    (f64::from(unit) * f64::from(factor)).round() as u32
}

/// The cost of entering a cell of some terrain, in cost units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepCost {
    #[doc(hidden)]
    pub straight: u32,
    #[doc(hidden)]
    pub diagonal: u32,
    #[doc(hidden)]
    pub penalty: u32,
    #[doc(hidden)]
    pub medium: Medium,
}

impl StepCost {
    /// Returns whether both kinds of step cost their length: the multiplier is 1 after rounding.
    ///
    /// Both are compared, since they round apart. At a multiplier of 1.00007 a straight step still
    /// costs 5741, but a diagonal 8120 instead of 8119.
    #[doc(hidden)]
    pub fn is_length_alone(self) -> bool {
        (self.straight, self.diagonal) == (STRAIGHT, DIAGONAL)
    }
}

/// A compiled [`CostTable`].
#[derive(Clone, Debug)]
pub struct StepCosts {
    entries: Vec<Option<StepCost>>,
    /// By how many straight steps the penalties were raised.
    #[doc(hidden)]
    pub shift: f32,
}

impl StepCosts {
    #[inline]
    #[doc(hidden)]
    pub fn get(&self, terrain: TerrainId) -> Option<StepCost> {
        self.entries[usize::from(terrain.0)]
    }

    #[doc(hidden)]
    pub fn media(&self) -> impl Iterator<Item = Medium> + '_ {
        self.entries.iter().flatten().map(|cost| cost.medium)
    }
}

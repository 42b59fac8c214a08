//! Influence layers: danger, scent, traffic. Learned while the program runs, spreading and decaying
//! over time.

use wayfare_core::space::InfluenceRule;

use super::Cell;
use super::layout::Layout;

/// The number of an influence layer of a [`Grid`](super::Grid).
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::space::{GridProfile, InfluenceRule};
/// let profile = GridProfile { influence: vec![1.0], ..GridProfile::default() };
/// let mut grid = Grid::new(3, 1, &[TerrainId::GROUND; 3], profile)?;
/// let danger = grid.add_influence(InfluenceRule::default())?;
/// let cell = grid.cell(1, 0).unwrap();
/// grid.add_influence_at(danger, cell, 4.0);
/// assert_eq!(grid.penalty(cell, grid.profiles().next().unwrap()), 4.0);
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct InfluenceId(#[doc(hidden)] pub usize);

/// A map of one value a cell that spreads and decays with time.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::space::{GridProfile, InfluenceRule};
/// let profile = GridProfile { influence: vec![1.0], ..GridProfile::default() };
/// let mut grid = Grid::new(3, 1, &[TerrainId::GROUND; 3], profile)?;
/// let danger = grid.add_influence(InfluenceRule::default())?;
/// let cell = grid.cell(1, 0).unwrap();
/// grid.add_influence_at(danger, cell, 4.0);
/// grid.advance_influence(1.0);
/// let layer = grid.influence(danger).unwrap();
/// assert_eq!(layer.active().len(), 3); // it spread to both neighbours
/// assert!(layer.get(cell) < 4.0);
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct InfluenceLayer {
    pub(crate) values: Vec<f32>,
    #[doc(hidden)]
    pub rule: InfluenceRule,
    /// The cells whose value is not zero, sorted.
    active: Vec<Cell>,
}

/// The most that one cell holds.
const MOST: f32 = 1.0e6;

impl InfluenceLayer {
    pub(crate) fn new(rule: InfluenceRule, layout: &Layout) -> Self {
        Self { values: vec![0.0; layout.bound()], rule, active: Vec::new() }
    }

    /// Returns the influence on a cell: 0 or more.
    #[inline]
    #[must_use]
    pub fn get(&self, cell: Cell) -> f32 {
        self.values.get(cell.0 as usize).copied().unwrap_or(0.0)
    }

    /// Returns the cells with any influence, by id.
    #[must_use]
    pub fn active(&self) -> &[Cell] {
        &self.active
    }

    /// Adds to the influence on a cell of the map, or takes from it; it does not fall below zero.
    pub(crate) fn add(&mut self, cell: Cell, amount: f32) {
        let value = &mut self.values[cell.0 as usize];
        *value = (*value + amount).clamp(0.0, MOST);
        if let (Err(place), true) = (self.active.binary_search(&cell), *value > 0.0) {
            self.active.insert(place, cell);
        }
    }

    /// Lets `seconds` go by: influence spreads to the open neighbours, then decays. Returns every
    /// cell whose value changed, by id. O(active cells · log).
    pub(crate) fn advance(
        &mut self,
        seconds: f32,
        offsets: [i32; 4],
        is_open: impl Fn(Cell) -> bool,
    ) -> Vec<Cell> {
        let kept = wayfare_core::ops::powf(self.rule.kept_per_second, seconds);
        // More than 4/5 at once would overshoot an even spread over a cell and its neighbours.
        let spread = (self.rule.spread_per_second * seconds).clamp(0.0, 0.8);
        let mut arrivals: Vec<(Cell, f32)> = Vec::with_capacity(self.active.len() * 5);
        for &cell in &self.active {
            let value = self.values[cell.0 as usize];
            self.values[cell.0 as usize] = 0.0;
            let neighbours = offsets.map(|offset| Cell(cell.0.wrapping_add_signed(offset)));
            let outflow = value * spread / 4.0;
            let mut stays = value;
            for next in neighbours {
                if is_open(next) {
                    arrivals.push((next, outflow));
                    stays -= outflow;
                }
            }
            arrivals.push((cell, stays));
        }
        arrivals.sort_by_key(|(cell, _)| *cell); // stable: sums do not depend on anything but ids
        let mut changed = std::mem::take(&mut self.active);
        for (cell, amount) in arrivals {
            self.values[cell.0 as usize] += amount;
            changed.push(cell);
        }
        changed.sort_unstable();
        changed.dedup();
        for &cell in &changed {
            let value = &mut self.values[cell.0 as usize];
            *value = (*value * kept).min(MOST);
            if *value < self.rule.least {
                *value = 0.0;
            } else {
                self.active.push(cell);
            }
        }
        changed
    }
}

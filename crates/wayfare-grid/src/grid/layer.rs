//! One profile's view of the ground: its rules, its costs, and the accelerators derived from both.

use wayfare_core::inside::{Components, StepCosts};
use wayfare_core::space::{CostError, CostTable};

use super::accelerators::canonical::CanonicalTable;
use super::accelerators::{Accelerators, Change, Ground, LeastStep, MediumMaps};
use super::edit::GridEditReport;
use super::layout::Layout;
use super::moves::MoveTable;
use super::terrain_map::TerrainMap;
use super::{Cell, GridProfile, Neighbours};

/// One profile's view of the ground.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) profile: GridProfile,
    pub(crate) costs: StepCosts,
    pub(crate) moves: &'static MoveTable,
    pub(crate) offsets: [i32; 8],
    /// Cells from one column to the next in transposed maps.
    pub(super) column_stride: u32,
    pub(super) accelerators: Accelerators,
    /// The costs of the profile when it was added, if they were changed since.
    pub(super) first_costs: Option<CostTable>,
}

impl Layer {
    /// Derives a profile's view of a ground. O(cells).
    ///
    /// # Errors
    /// A cost of the profile's table that no step can have.
    pub(super) fn new(profile: GridProfile, ground: Ground<'_>) -> Result<Self, CostError> {
        let costs = profile.costs.compile()?;
        let accelerators = Accelerators::new(&profile, &costs, ground);
        Ok(Self {
            moves: accelerators.moves(),
            offsets: ground.layout.offsets(),
            column_stride: accelerators.standing.column_stride,
            accelerators,
            costs,
            profile,
            first_costs: None,
        })
    }

    /// Brings the layer up to date after the terrain of some cells changed.
    pub(super) fn update(&mut self, ground: Ground<'_>, changes: &[Change]) -> GridEditReport {
        self.accelerators.follow(&self.profile, &self.costs, ground, changes)
    }

    /// Returns whether the costs are others than when the profile was added.
    pub(super) fn has_other_costs(&self) -> bool {
        self.first_costs.as_ref().is_some_and(|first| *first != self.profile.costs)
    }

    /// Brings the layer up to date after the influence on some cells changed.
    pub(super) fn update_influence(
        &mut self,
        ground: Ground<'_>,
        cells: impl Iterator<Item = Cell>,
    ) {
        self.accelerators.follow_influence(&self.profile, &self.costs, ground, cells);
    }

    /// Brings the layer up to date after heights of cells changed.
    pub(super) fn update_slopes(&mut self, ground: Ground<'_>) {
        self.accelerators.follow_heights(&self.profile, &self.costs, ground);
    }

    /// Returns whether every step costs its length alone.
    #[inline(always)]
    pub(super) fn is_uniform(&self) -> bool {
        self.accelerators.steps.is_uniform
    }

    /// Returns the cheapest steps on the map.
    #[inline(always)]
    pub(super) fn least_step(&self) -> LeastStep {
        self.accelerators.steps.least
    }

    /// Returns the penalty for entering a cell, in cost units.
    #[inline(always)]
    pub(super) fn penalty(&self, cell: Cell) -> u32 {
        self.accelerators.penalties.get(cell)
    }

    /// Returns the component labels.
    pub(super) fn components(&self) -> &Components {
        self.accelerators.components()
    }

    /// Returns the moves needed on terrain of different costs, if the profile tells terrains apart.
    #[inline]
    pub(super) fn terrain_map(&self) -> Option<&TerrainMap> {
        self.accelerators.terrain_map.as_ref()
    }

    /// Returns the moves to follow on uniform-cost terrain.
    #[inline(always)]
    pub(super) fn canonical(&self) -> &'static CanonicalTable {
        self.accelerators.canonical
    }

    /// Returns the maps of the medium that an agent on a free cell is in, with signs.
    #[inline]
    pub(super) fn maps_of<'l>(&'l self, cell: Cell, layout: &'l Layout) -> Option<MediumMaps<'l>> {
        self.accelerators.maps_of(cell, layout)
    }

    /// Returns whether an agent can stand there.
    #[inline]
    pub(crate) fn is_free(&self, cell: Cell) -> bool {
        self.accelerators.standing.is_free(cell)
    }

    /// Which of the cells around a free one are free in the same medium, as bits.
    #[inline]
    pub(super) fn around(&self, cell: Cell) -> u8 {
        self.accelerators.standing.around(cell)
    }

    /// Returns the moves out of a free cell, as bits.
    #[inline]
    pub(crate) fn moves_from(&self, cell: Cell) -> u8 {
        self.moves[usize::from(self.around(cell))]
    }

    /// Returns the canonical moves out of a free cell that was entered from `parent`, as bits. Only
    /// for uniform-cost terrain.
    #[inline]
    pub(crate) fn canonical_moves_from(&self, parent: Cell, cell: Cell) -> u8 {
        // The offset from the parent, counted from the one to the north-west: 0 to 2 in each of
        // three rows.
        let stride = self.offsets[6] as u32;
        let offset = cell.0.wrapping_sub(parent.0).wrapping_add(stride + 1);
        let row = u32::from(offset >= stride) + u32::from(offset >= 2 * stride);
        let place = offset.wrapping_sub(row * stride) + 3 * row;
        let direction = place.wrapping_sub(u32::from(place > 4));
        self.canonical()[direction as usize & 7][usize::from(self.around(cell))]
    }

    pub(crate) fn has_diagonals(&self) -> bool {
        self.profile.neighbours == Neighbours::Eight
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        self.accelerators.size_in_bytes()
    }
}

/// Returns the coordinates that an agent of that width covers when it stands at (x, y). Beyond the
/// map's edge they wrap around to large numbers.
pub(crate) fn footprint(width: u8, x: u32, y: u32) -> impl Iterator<Item = (u32, u32)> {
    let width = u32::from(width);
    let reach = (width - 1) / 2;
    (0..width).flat_map(move |dy| {
        (0..width).map(move |dx| ((x + dx).wrapping_sub(reach), (y + dy).wrapping_sub(reach)))
    })
}

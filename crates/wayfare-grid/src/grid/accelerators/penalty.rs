//! The penalty of each cell for one profile: of its terrain (blurred), of its slope, and of the
//! influence layers.

use std::collections::BTreeMap;

use wayfare_core::inside::StepCosts;
use wayfare_core::space::{STRAIGHT, TerrainId};

use super::accelerator::{Accelerator, Edit, Ground, Stage};
use super::standing::Region;
use crate::grid::{Cell, GridProfile};

/// Side of the squares of cells whose changes are blurred together.
const TILE: u32 = 64;

/// No penalty exceeds this, so that a step's cost stays far from overflow.
const MOST: u32 = 1 << 30;

/// Penalties by cell, in cost units. Holds nothing where all are zero.
#[derive(Clone, Debug, Default)]
pub(crate) struct PenaltyField {
    /// The penalty for entering each cell; empty: zero everywhere.
    total: Vec<u32>,
    /// The part that comes from terrain and slope. Kept apart only where influence is added to it;
    /// otherwise `total` is that.
    ground: Vec<u32>,
}

impl PenaltyField {
    pub(crate) fn new(profile: &GridProfile, costs: &StepCosts, ground: Ground<'_>) -> Self {
        let mut field = Self::default();
        let has_penalties =
            (0..=u8::MAX).any(|t| costs.get(TerrainId(t)).is_some_and(|cost| cost.penalty > 0));
        if has_penalties || has_slopes(profile, ground) {
            let mut penalties = vec![0; ground.layout.bound()];
            blur(profile, costs, ground, Region::everywhere(ground.layout), &mut penalties);
            field.total = penalties;
        }
        field.update_influence(profile, ground, ground.layout.cells());
        field
    }

    #[inline]
    pub(crate) fn get(&self, cell: Cell) -> u32 {
        if self.total.is_empty() { 0 } else { self.total[cell.0 as usize] }
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.total.is_empty()
    }

    /// Brings the field up to date after the influence on some cells changed.
    pub(crate) fn update_influence(
        &mut self,
        profile: &GridProfile,
        ground: Ground<'_>,
        cells: impl Iterator<Item = Cell>,
    ) {
        let layers =
            || profile.influence.iter().zip(ground.influence).filter(|(weight, _)| **weight > 0.0);
        if layers().next().is_none() {
            return;
        }
        if self.ground.is_empty() {
            self.total.resize(ground.layout.bound(), 0);
            self.ground = self.total.clone();
        }
        for cell in cells {
            let felt: f64 = layers()
                .map(|(weight, layer)| f64::from(*weight) * f64::from(layer.get(cell)))
                .sum();
            let added = (felt * f64::from(STRAIGHT)).round() as u32; // saturates
            self.total[cell.0 as usize] =
                self.ground[cell.0 as usize].saturating_add(added).min(MOST);
        }
    }

    pub(crate) fn size_in_bytes(&self) -> usize {
        (self.total.capacity() + self.ground.capacity()) * size_of::<u32>()
    }
}

impl Accelerator for PenaltyField {
    const STAGE: Stage = Stage::Penalties;
    const READS: &'static [Stage] = &[];
    type Input<'a> = (&'a GridProfile, &'a StepCosts);

    /// O(area of the blur around the changed cells). Without blur O(changed cells).
    ///
    /// A cell's penalty depends on the terrain within the blur alone. Changed cells of one tile are
    /// blurred as one region, so that a batch costs the map's area at most, times
    /// (1 + 2 · radius / 64)².
    fn follow(&mut self, (profile, costs): Self::Input<'_>, edit: &mut Edit<'_>) -> u64 {
        if self.total.is_empty() {
            return 0; // no terrain of the table has a penalty, and no influence is felt
        }
        let ground = edit.ground;
        let mut regions: BTreeMap<(u32, u32), Region> = BTreeMap::new();
        for change in edit.changes {
            let (x, y) = ground.layout.coordinates(change.cell);
            // Without blur each cell is a region of its own.
            let tile = if profile.blur == 0 { (y, x) } else { (y / TILE, x / TILE) };
            let region = regions.entry(tile).or_insert(Region::of(x, y));
            *region = region.with(Region::of(x, y));
        }
        let mut work = 0;
        for region in regions.into_values() {
            let radius = u32::from(profile.blur);
            // A cell that opens or closes changes the slopes beside it.
            let radius = radius + u32::from(has_slopes(profile, ground));
            let region = region.grown(radius, radius, ground.layout);
            let terrain_part =
                if self.ground.is_empty() { &mut self.total } else { &mut self.ground };
            blur(profile, costs, ground, region, terrain_part);
            self.update_influence(profile, ground, region.cells(ground.layout));
            work += region.area();
        }
        work
    }
}

/// Returns whether slopes add to the penalties.
fn has_slopes(profile: &GridProfile, ground: Ground<'_>) -> bool {
    profile.slope_cost > 0.0 && !ground.heights.is_empty()
}

/// Returns the penalty for the slope of a cell, in cost units.
fn slope_penalty(profile: &GridProfile, ground: Ground<'_>, cell: Cell) -> u64 {
    if !has_slopes(profile, ground) {
        return 0;
    }
    let steps = f64::from(profile.slope_cost) * f64::from(ground.slope(cell));
    (steps * f64::from(STRAIGHT)).round() as u64 // saturates
}

/// Box blur: sets each cell of the region to the mean penalty of the enterable cells within the
/// profile's radius, plus that of its slope.
///
/// Two passes of running sums: O(region + its border × radius) whatever the radius.
fn blur(
    profile: &GridProfile,
    costs: &StepCosts,
    ground: Ground<'_>,
    region: Region,
    penalties: &mut [u32],
) {
    let layout = ground.layout;
    let radius = u32::from(profile.blur);
    let wide = region.grown(radius, radius, layout);
    // (sum, count) of the enterable cells in the window along x, for every row of the widened
    // region.
    let row_length = (region.x.1 - region.x.0 + 1) as usize;
    let value = |x: u32, y: u32| {
        costs
            .get(ground.terrain(layout.cell(x, y)))
            .map_or((0, 0), |cost| (u64::from(cost.penalty), 1u64))
    };
    let mut rows: Vec<(u64, u64)> =
        Vec::with_capacity(row_length * (wide.y.1 - wide.y.0 + 1) as usize);
    for y in wide.y.0..=wide.y.1 {
        running_sums(region.x, radius, layout.width, |x| value(x, y), |sum| rows.push(sum));
    }
    for column in 0..row_length {
        let x = region.x.0 + column as u32;
        let mut y = region.y.0;
        let along = |row: u32| rows[(row - wide.y.0) as usize * row_length + column];
        running_sums(region.y, radius, layout.height, along, |(sum, count)| {
            let cell = layout.cell(x, y);
            let is_enterable = costs.get(ground.terrain(cell)).is_some();
            let slope = slope_penalty(profile, ground, cell);
            let all = (sum / count.max(1) + slope).min(u64::from(MOST)) as u32;
            penalties[cell.0 as usize] = if is_enterable { all } else { 0 };
            y += 1;
        });
    }
}

/// Calls `emit` with the sum of the values within `radius` of each index from `first` to `last`,
/// clamped to `0..bound`.
fn running_sums(
    (first, last): (u32, u32),
    radius: u32,
    bound: u32,
    value: impl Fn(u32) -> (u64, u64),
    mut emit: impl FnMut((u64, u64)),
) {
    let mut sum = (0, 0);
    for place in first.saturating_sub(radius)..=(first + radius).min(bound - 1) {
        let (v, n) = value(place);
        sum = (sum.0 + v, sum.1 + n);
    }
    emit(sum);
    for place in first + 1..=last {
        if place + radius < bound {
            let (v, n) = value(place + radius);
            sum = (sum.0 + v, sum.1 + n);
        }
        if place > radius {
            let (v, n) = value(place - radius - 1);
            sum = (sum.0 - v, sum.1 - n);
        }
        emit(sum);
    }
}

//! Stage 4, regions: walkable ground cut into connected parts that never overlap in plan.

mod join;
mod strips;
mod watershed;

use crate::field::NONE;
use crate::progress::{Progress, Stage};
use crate::{BakeError, BakeSettings, Partition, WalkField, Window};

/// The number of a region; regions count from 1.
///
/// ```
/// use wayfare_bake::RegionId;
///
/// assert!(!RegionId::NOTHING.is_region() && RegionId(1).is_region());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(pub u32);

impl RegionId {
    /// No region: a wall, a drop, or an island that was dropped.
    pub const NOTHING: RegionId = RegionId(0);
    /// Walkable ground of a neighbouring tile.
    pub const BEYOND: RegionId = RegionId(u32::MAX);

    /// Returns whether this is a region, and neither nothing nor beyond the tile.
    #[must_use]
    pub fn is_region(self) -> bool {
        self != RegionId::NOTHING && self != RegionId::BEYOND
    }
}

/// The region of each floor.
///
/// Each region is connected, has one area, and covers each column at most once.
///
/// ```
/// use wayfare_bake::{Bake, BakeSettings, LevelGeometry, WalkerShape};
///
/// let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 4.0], [4.0, 0.0, 0.0]];
/// let level =
///     LevelGeometry::new(corners.map(Into::into).to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
/// let bake = Bake::new(&level, BakeSettings::new(WalkerShape::default()))?;
/// let regions = bake.regions(&bake.field()?)?;
/// assert_eq!(regions.len(), 1);
/// # Ok::<(), wayfare_bake::BakeError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Regions {
    pub(crate) labels: Vec<u32>,
    pub(crate) count: u32,
}

impl Regions {
    /// Cuts the floors in `inner` into regions. Floors of the field outside `inner` belong to
    /// neighbouring tiles.
    ///
    /// O(floors), with the logarithm of the number of regions for joining them.
    pub(crate) fn new(
        field: &WalkField,
        inner: Window,
        settings: &BakeSettings,
        progress: &Progress<'_>,
    ) -> Result<Self, BakeError> {
        settings.allow("the regions", field.len() as u64 * 48)?;
        let mut labels = vec![0; field.len()];
        if inner != field.window {
            for (floor, label) in labels.iter_mut().enumerate() {
                let [x, z] = field.window.cell(field.column[floor] as usize);
                if inner.column(x, z).is_none() {
                    *label = RegionId::BEYOND.0;
                }
            }
        }
        progress.at(Stage::Regions, 0, 3)?;
        let count = match settings.partition {
            Partition::Watershed => watershed::label(field, &mut labels),
            Partition::Monotone | Partition::Layers => strips::label(field, &mut labels),
        };
        progress.at(Stage::Regions, 2, 3)?;
        let below = match settings.partition {
            Partition::Layers => u32::MAX,
            _ => settings.merge_below,
        };
        let count = join::join(field, &mut labels, count, below, settings.min_island);
        Ok(Regions { labels, count })
    }

    /// Returns the number of regions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Returns whether there is no region.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the region of a floor of the field.
    ///
    /// Panics if the field has no such floor.
    #[must_use]
    pub fn of(&self, floor: usize) -> RegionId {
        RegionId(self.labels[floor])
    }

    /// Returns the label on the other side of a cell's side.
    pub(crate) fn across(&self, field: &WalkField, floor: usize, side: usize) -> u32 {
        match field.links[floor][side] {
            NONE => 0,
            linked => self.labels[linked as usize],
        }
    }
}

/// Returns whether another floor of the same column has a label.
fn column_has(field: &WalkField, labels: &[u32], floor: usize, label: u32) -> bool {
    let column = field.column[floor] as usize;
    let floors = field.first[column] as usize..field.first[column + 1] as usize;
    floors.len() > 1 && floors.into_iter().any(|other| labels[other] == label && other != floor)
}

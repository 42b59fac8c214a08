//! Areas: kinds of ground, and their costs for a profile of agents.

/// A kind of ground: mud, road, water. A game chooses the meaning of the ids.
///
/// ```
/// use wayfare::space::navmesh::AreaId;
/// const MUD: AreaId = AreaId(3);
/// assert_ne!(MUD, AreaId::WALKABLE);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AreaId(pub u8);

impl AreaId {
    /// Plain ground, area 0.
    pub const WALKABLE: Self = Self(0);
}

impl std::fmt::Display for AreaId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "area {}", self.0)
    }
}

/// A multiplier of an area that is not from 0.01 to 1,000.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("the multiplier of {area} is {multiplier}; it must be a number from 0.01 to 1000")]
pub struct AreaCostError {
    /// The area.
    pub area: AreaId,
    /// The multiplier.
    pub multiplier: f32,
}

/// The cost of each area: a multiplier of the length walked on it, or no entry.
///
/// All areas have multiplier 1 unless told otherwise.
///
/// ```
/// use wayfare::space::navmesh::{AreaCosts, AreaId};
/// let (mud, lava) = (AreaId(1), AreaId(2));
/// let costs = AreaCosts::new().with(mud, 2.5)?.without(lava);
/// assert_eq!(costs.multiplier(mud), Some(2.5));
/// assert_eq!(costs.multiplier(lava), None);
/// # Ok::<(), wayfare::space::navmesh::AreaCostError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct AreaCosts {
    /// The multiplier of each area; 0 for an area that cannot be entered.
    multipliers: [f32; 256],
}

impl Default for AreaCosts {
    fn default() -> Self {
        Self { multipliers: [1.0; 256] }
    }
}

impl AreaCosts {
    /// Returns costs equal to the length walked, for all areas.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the same costs, with a multiplier for one area, 0.01 to 1,000; default 1. Raising it
    /// makes paths avoid the area.
    ///
    /// # Errors
    /// When the multiplier is out of range.
    pub fn with(mut self, area: AreaId, multiplier: f32) -> Result<Self, AreaCostError> {
        if !(0.01..=1000.0).contains(&multiplier) {
            return Err(AreaCostError { area, multiplier });
        }
        self.multipliers[usize::from(area.0)] = multiplier;
        Ok(self)
    }

    /// Returns the same costs, with one area that cannot be entered.
    #[must_use]
    pub fn without(mut self, area: AreaId) -> Self {
        self.multipliers[usize::from(area.0)] = 0.0;
        self
    }

    /// Returns the multiplier of an area; `None` if it cannot be entered.
    #[must_use]
    #[inline]
    pub fn multiplier(&self, area: AreaId) -> Option<f32> {
        let multiplier = self.multipliers[usize::from(area.0)];
        (multiplier > 0.0).then_some(multiplier)
    }
}

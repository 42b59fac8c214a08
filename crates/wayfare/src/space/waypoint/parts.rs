//! Waypoints and links as a caller describes them, and what can be wrong with them.

use glam::Vec3;

use crate::space::{Action, StateId, state_id};

state_id! {
    /// A waypoint of a [`WaypointGraph`](super::WaypointGraph). Never used twice in one graph, not even after a removal.
    WaypointId
}

/// The cost of one world unit of length: costs are in thousandths of it, in millimetres where units are metres.
pub const COST_PER_UNIT: u32 = 1000;

/// The largest magnitude of a waypoint's coordinates, in world units.
pub const MAX_COORDINATE: f32 = 4.0e6;

/// The largest own cost of a waypoint and the largest cost of a link without it, in world units of length.
pub const MAX_COST: f32 = 2.0e6;

/// A waypoint.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Waypoint {
    /// Where it is; y is up. Coordinates up to ±[`MAX_COORDINATE`].
    pub position: Vec3,
    /// What entering it costs on top of the link, in world units of length, up to [`MAX_COST`]. Default 0.
    pub cost: f32,
    /// Whether nobody can enter or leave it for now.
    pub blocked: bool,
    /// What it is called.
    pub name: Option<String>,
}

impl Waypoint {
    /// A free waypoint without a cost or a name.
    #[must_use]
    pub fn at(position: Vec3) -> Self {
        Self { position, ..Self::default() }
    }

    /// The same waypoint with an own cost, in world units of length.
    #[must_use]
    pub fn with_cost(mut self, cost: f32) -> Self {
        self.cost = cost;
        self
    }

    /// The same waypoint with a name.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }
}

/// Which ways a link can be walked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Ways {
    /// From its first waypoint to its second only.
    One,
    /// Either way at the same cost.
    #[default]
    Both,
}

/// What a link costs before its surcharge.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum WaypointLinkCost {
    /// Its length times a factor of at least 0; a factor above 1 is rough ground.
    Length {
        /// The factor.
        multiplier: f32,
    },
    /// A cost of its own in world units of length, whatever the link's length: a teleport, a lift.
    Fixed(f32),
}

impl Default for WaypointLinkCost {
    fn default() -> Self {
        Self::Length { multiplier: 1.0 }
    }
}

/// A link between two waypoints.
///
/// Its moves cost the length or the fixed cost, plus the surcharge, plus the own cost of the waypoint that they enter. A link
/// from and to the same waypoints as an earlier one replaces it.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WaypointLink {
    /// Where it begins.
    pub from: WaypointId,
    /// Where it ends.
    pub to: WaypointId,
    /// Which ways it can be walked.
    pub ways: Ways,
    /// What it costs.
    pub cost: WaypointLinkCost,
    /// What it costs on top for slope, danger and the like: at least 0, in world units of length.
    pub surcharge: f32,
    /// How its moves are made.
    pub action: Action,
}

impl WaypointLink {
    /// A link that can be walked either way at the cost of its length.
    #[must_use]
    pub fn new(from: WaypointId, to: WaypointId) -> Self {
        let (ways, cost) = (Ways::Both, WaypointLinkCost::default());
        Self { from, to, ways, cost, surcharge: 0.0, action: Action::Walk }
    }

    /// A link that can be walked from `from` to `to` only, at the cost of its length.
    #[must_use]
    pub fn one_way(from: WaypointId, to: WaypointId) -> Self {
        Self { ways: Ways::One, ..Self::new(from, to) }
    }

    /// The same link at another cost.
    #[must_use]
    pub fn with_cost(self, cost: WaypointLinkCost) -> Self {
        Self { cost, ..self }
    }

    /// The same link with a surcharge, in world units of length.
    #[must_use]
    pub fn with_surcharge(self, surcharge: f32) -> Self {
        Self { surcharge, ..self }
    }

    /// The same link, made in another way than by walking.
    #[must_use]
    pub fn with_action(self, action: Action) -> Self {
        Self { action, ..self }
    }
}

/// What is wrong with a waypoint.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WaypointFault {
    /// A coordinate is NaN, infinite or beyond [`MAX_COORDINATE`].
    #[error("its position {0} has a coordinate that is not a number from −4,000,000 to 4,000,000")]
    Position(Vec3),
    /// The own cost is NaN, infinite or, after a shift, beyond [`MAX_COST`].
    #[error("its cost {0} is not a number of at most 2,000,000")]
    Cost(f32),
    /// The own cost is negative, or more negative than the graph was shifted for.
    #[error(
        "its cost {cost} is below {least}; negative costs have to be shifted when the graph is built"
    )]
    NegativeCost {
        /// The cost.
        cost: f32,
        /// The least cost that the graph can take.
        least: f32,
    },
    /// The graph has no such waypoint, or no longer.
    #[error("waypoint {} does not exist", .0.index())]
    Missing(WaypointId),
    /// The graph is full.
    #[error("a graph holds at most 2,147,483,648 waypoints")]
    TooMany,
}

/// What is wrong with a link.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WaypointLinkFault {
    /// It names a waypoint that is not there.
    #[error("it names waypoint {}, which does not exist", .0.index())]
    Dangling(WaypointId),
    /// It joins a waypoint to itself.
    #[error("it joins waypoint {} to itself", .0.index())]
    Loop(WaypointId),
    /// A number is NaN, infinite or negative.
    #[error("its {field} {value} is not a number of at least 0")]
    Number {
        /// The field.
        field: &'static str,
        /// The number.
        value: f32,
    },
    /// It costs more than [`MAX_COST`].
    #[error("it costs {0} world units, but at most 2,000,000 are possible")]
    TooExpensive(f64),
}

/// A graph that cannot be built.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WaypointError {
    /// A waypoint is at fault.
    #[error("waypoint {number}: {fault}")]
    Waypoint {
        /// The number of the waypoint, from 0.
        number: usize,
        /// What is wrong with it.
        #[source]
        fault: WaypointFault,
    },
    /// A link is at fault.
    #[error("link {number}: {fault}")]
    Link {
        /// The number of the link, from 0.
        number: usize,
        /// What is wrong with it.
        #[source]
        fault: WaypointLinkFault,
    },
}

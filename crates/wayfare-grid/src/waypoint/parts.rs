//! Waypoints and links as a caller describes them, and their faults.

use glam::Vec3;

use wayfare_core::inside::state_id;
use wayfare_core::space::{Action, StateId};

state_id! {
    /// A waypoint of a [`WaypointGraph`](super::WaypointGraph). Ids are never reused within a
    /// graph.
    WaypointId
}

/// The cost of one world unit of length. With metres as units, costs are millimetres.
pub const COST_PER_UNIT: u32 = 1000;

/// The largest magnitude of a waypoint's coordinates, in world units.
pub const MAX_COORDINATE: f32 = 4.0e6;

/// The largest own cost of a waypoint and the largest cost of a link without it, in world units of
/// length.
pub const MAX_COST: f32 = 2.0e6;

/// A waypoint.
///
/// ```
/// use glam::Vec3;
/// use wayfare::space::Waypoint;
/// let camp = Waypoint::at(Vec3::new(4.0, 0.0, 2.0)).with_name("camp").with_cost(1.5);
/// assert!(!camp.blocked);
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Waypoint {
    /// Its position; y is up. Each coordinate is at most [`MAX_COORDINATE`] in magnitude.
    pub position: Vec3,
    /// The cost of entering it on top of the link's, in world units of length. At most
    /// [`MAX_COST`], default 0. Raising it makes paths avoid the waypoint.
    pub cost: f32,
    /// Whether it cannot be entered or left at present.
    pub blocked: bool,
    /// Its name.
    pub name: Option<String>,
}

impl Waypoint {
    /// Returns a free waypoint without a cost or a name.
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

/// The directions in which a link can be walked.
///
/// Example: [`WaypointLink`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Ways {
    /// From its first waypoint to its second only.
    One,
    /// In both directions, at the same cost.
    #[default]
    Both,
}

/// The cost of a link before its surcharge.
///
/// Example: [`WaypointLink`].
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum WaypointLinkCost {
    /// Its length times a factor of at least 0. Factors above 1 stand for rough ground.
    Length {
        /// The factor.
        multiplier: f32,
    },
    /// A fixed cost in world units of length, whatever the link's length: a teleport, a lift.
    Fixed(f32),
}

impl Default for WaypointLinkCost {
    fn default() -> Self {
        Self::Length { multiplier: 1.0 }
    }
}

/// A link between two waypoints.
///
/// A move over it costs the length or the fixed cost, plus the surcharge, plus the own cost of the
/// waypoint entered. A link from and to the same waypoints as an earlier one replaces it.
///
/// ```
/// use wayfare::space::waypoint::{WaypointLink, WaypointLinkCost, Ways};
/// use wayfare::space::{StateId, WaypointId};
/// let [shore, island] = [0, 1].map(WaypointId::from_index);
/// let ferry = WaypointLink::new(shore, island).with_cost(WaypointLinkCost::Fixed(30.0));
/// assert_eq!((ferry.ways, ferry.surcharge), (Ways::Both, 0.0));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WaypointLink {
    /// The first waypoint.
    pub from: WaypointId,
    /// The second waypoint.
    pub to: WaypointId,
    /// The directions in which it can be walked.
    pub ways: Ways,
    /// Its cost.
    pub cost: WaypointLinkCost,
    /// A further cost for slope, danger and the like, in world units of length. At least 0.
    pub surcharge: f32,
    /// The action of its moves.
    pub action: Action,
}

impl WaypointLink {
    /// Returns a link in both directions at the cost of its length.
    #[must_use]
    pub fn new(from: WaypointId, to: WaypointId) -> Self {
        let (ways, cost) = (Ways::Both, WaypointLinkCost::default());
        Self { from, to, ways, cost, surcharge: 0.0, action: Action::Walk }
    }

    /// Returns a link from `from` to `to` only, at the cost of its length.
    #[must_use]
    pub fn one_way(from: WaypointId, to: WaypointId) -> Self {
        Self { ways: Ways::One, ..Self::new(from, to) }
    }

    /// Returns the same link at another cost.
    #[must_use]
    pub fn with_cost(self, cost: WaypointLinkCost) -> Self {
        Self { cost, ..self }
    }

    /// Returns the same link with a surcharge, in world units of length.
    #[must_use]
    pub fn with_surcharge(self, surcharge: f32) -> Self {
        Self { surcharge, ..self }
    }

    /// Returns the same link with another action than walking.
    #[must_use]
    pub fn with_action(self, action: Action) -> Self {
        Self { action, ..self }
    }
}

/// A fault of a waypoint.
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
        /// The least cost that the graph accepts.
        least: f32,
    },
    /// The graph has no such waypoint, or it was removed.
    #[error("waypoint {} does not exist", .0.index())]
    Missing(WaypointId),
    /// The graph holds the largest number of waypoints.
    #[error("a graph holds at most 2,147,483,648 waypoints")]
    TooMany,
}

/// A fault of a link.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WaypointLinkFault {
    /// It names a waypoint that does not exist.
    #[error("it names waypoint {}, which does not exist", .0.index())]
    Dangling(WaypointId),
    /// It joins a waypoint to itself.
    #[error("it joins waypoint {} to itself", .0.index())]
    Loop(WaypointId),
    /// A number is NaN, infinite or negative.
    #[error("its {field} {value} is not a number of at least 0")]
    Number {
        /// The name of the field.
        field: &'static str,
        /// The number.
        value: f32,
    },
    /// It costs more than [`MAX_COST`].
    #[error("it costs {0} world units, but at most 2,000,000 are possible")]
    TooExpensive(f64),
}

/// Why a graph cannot be built.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WaypointError {
    /// A waypoint has a fault.
    #[error("waypoint {number}: {fault}")]
    Waypoint {
        /// The number of the waypoint, from 0.
        number: usize,
        /// Its fault.
        #[source]
        fault: WaypointFault,
    },
    /// A link has a fault.
    #[error("link {number}: {fault}")]
    Link {
        /// The number of the link, from 0.
        number: usize,
        /// Its fault.
        #[source]
        fault: WaypointLinkFault,
    },
}

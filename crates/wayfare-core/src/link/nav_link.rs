//! A navigation link as described by a caller.

use std::num::NonZeroU16;

use glam::Vec3;

use super::{ExactGround, LinkGround};
use crate::space::{Obstruction, StateId};

/// The id of a link. Links are numbered in the order of their addition.
///
/// Example: [`KnownLink`](super::KnownLink).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LinkId(pub u32);

/// The kind of a link, for pictures and animations. Searches treat all alike.
///
/// Example: [`NavLink`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LinkKind {
    /// A passage: a tunnel, a bridge.
    #[default]
    Passage,
    /// A door.
    Door,
    /// A ladder.
    Ladder,
    /// A teleport: from one end to the other without the ground between.
    Teleport,
    /// A lift.
    Lift,
    /// A leap over a gap.
    Jump,
    /// A one-way descent: off a ledge, through a hatch.
    Drop,
    /// A climb up a ledge, by hand.
    Climb,
}

/// The time that a link's crossing takes.
///
/// Example: [`NavLink`].
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Crossing {
    /// A number of seconds: finite, 0 or more.
    Seconds(f32),
    /// A speed in metres a second over the straight distance between the ends: finite, above 0.
    Speed(f32),
}

/// The agents that may enter a link.
///
/// Example: [`NavLinks`](super::NavLinks).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Gate {
    /// All agents.
    #[default]
    Open,
    /// No agent.
    Closed,
    /// Agents with all of the link's keys.
    Locked,
}

/// A set of keys, or of capabilities that work like keys: one bit each.
///
/// ```
/// use wayfare::link::Keys;
/// let (bronze, silver) = (Keys(1), Keys(2));
/// assert!(bronze.with(silver).include(silver) && !bronze.include(silver));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Keys(pub u32);

impl Keys {
    /// No keys.
    pub const NONE: Self = Self(0);

    /// Returns whether the set contains all of `other`'s keys.
    #[inline]
    #[must_use]
    pub fn include(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the union of both sets.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The exact ends of a link, in a space whose states are larger than a body: a navigation mesh.
///
/// ```
/// use wayfare::link::{Crossing, Keys, LinkPoints, NavLink, NavLinks};
/// use wayfare::prelude::*;
/// use wayfare::space::navmesh::{MeshDraft, NavMesh};
///
/// let grid = Grid::from_rows(&["...#...", "...#..."])?; // two rooms, a polygon each
/// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default()))?;
/// let space = mesh.space();
/// let [from, to] = [2.9, 4.1].map(|x| Vec3::new(x, 0.0, 0.4));
/// let points = LinkPoints { from, to, radius: 0.2 };
/// let door = NavLink::on_mesh(&space, points, Crossing::Seconds(1.0))?;
/// let mut links = NavLinks::new(1.5);
/// let door = links.add(&space, door)?;
/// assert_eq!(links.places(&space, door), Some([from, to]));
/// assert_eq!(links.get(door).unwrap().points, Some(points));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LinkPoints {
    /// The first end, in metres.
    pub from: Vec3,
    /// The second end, in metres.
    pub to: Vec3,
    /// The radius of use in metres, at least 0: an end is joined to the nearest ground within this
    /// distance. Where an obstacle covers all of that ground, nobody can use the link. A radius
    /// below a centimetre counts as a centimetre, for rounding.
    pub radius: f32,
}

impl LinkPoints {
    /// Returns the radius within which ground is looked for.
    pub(crate) fn reach(&self) -> f32 {
        self.radius.max(0.01)
    }
}

/// A link between two states.
///
/// ```
/// use wayfare::link::{Crossing, Keys, LinkKind, NavLink};
/// use wayfare::space::{StateId, WaypointId};
/// let [yard, hall] = [3, 9].map(WaypointId::from_index);
/// let gate = NavLink::new(yard, hall, Crossing::Seconds(1.5)).kind(LinkKind::Door).locked(Keys(1));
/// assert!(gate.admits(Keys(1)) && !gate.admits(Keys::NONE));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NavLink<State> {
    /// The first end.
    pub from: State,
    /// The second end.
    pub to: State,
    /// Whether it can be entered at both ends. Default `true`.
    pub two_way: bool,
    /// Its kind. Default: a passage.
    pub kind: LinkKind,
    /// The time of its crossing.
    pub crossing: Crossing,
    /// The number of agents that it holds at a time. Default: any number. Searches see the posted
    /// wait, and a link as full that was told to be: see
    /// [`NavLinks::set_occupants`](super::NavLinks::set_occupants).
    pub capacity: Option<NonZeroU16>,
    /// The agents that may enter. Default: all.
    pub gate: Gate,
    /// The keys that open it when locked. Default: none, so that a lock alone keeps nobody out.
    pub key: Keys,
    /// The exact ends. Default: `None`, the positions of the states.
    pub points: Option<LinkPoints>,
}

impl<State: StateId> NavLink<State> {
    /// Returns an open passage in both directions between two points of a navigation mesh.
    ///
    /// Each end is the point of the floor at it, a little above it or below it, else the nearest
    /// point of the mesh within the radius of use. `points` of the link are these. Both ends may
    /// lie in one polygon.
    ///
    /// O(polygons near the ends).
    ///
    /// # Errors
    /// If there is no ground that agents of the profile can enter within the radius of an end.
    pub fn on_mesh<S: ExactGround<State = State>>(
        space: &S,
        points: LinkPoints,
        crossing: Crossing,
    ) -> Result<Self, NavLinkError> {
        let end = |point: Vec3| -> Option<LinkGround<State>> {
            if !point.is_finite() {
                return None;
            }
            space.floor_at(point).or_else(|| space.nearest_to(point, points.reach()))
        };
        let from = end(points.from).ok_or(NavLinkError::From(Obstruction::OffMap))?;
        let to = end(points.to).ok_or(NavLinkError::To(Obstruction::OffMap))?;
        let points = LinkPoints { from: from.point, to: to.point, ..points };
        let link = Self::new(from.state, to.state, crossing);
        Ok(Self { points: Some(points), ..link })
    }
}

impl<State: StateId> NavLink<State> {
    /// Returns an open passage in both directions.
    #[must_use]
    pub fn new(from: State, to: State, crossing: Crossing) -> Self {
        Self {
            from,
            to,
            two_way: true,
            kind: LinkKind::default(),
            crossing,
            capacity: None,
            gate: Gate::default(),
            key: Keys::NONE,
            points: None,
        }
    }

    /// Returns the same link, entered at `from` only.
    #[must_use]
    pub fn one_way(self) -> Self {
        Self { two_way: false, ..self }
    }

    /// Returns the same link of another kind.
    #[must_use]
    pub fn kind(self, kind: LinkKind) -> Self {
        Self { kind, ..self }
    }

    /// Returns the same link with room for at most this number of agents at a time.
    #[must_use]
    pub fn capacity(self, agents: NonZeroU16) -> Self {
        Self { capacity: Some(agents), ..self }
    }

    /// Returns the same link with another gate.
    #[must_use]
    pub fn gate(self, gate: Gate) -> Self {
        Self { gate, ..self }
    }

    /// Returns the same link, locked, for holders of the given keys.
    #[must_use]
    pub fn locked(self, key: Keys) -> Self {
        Self { gate: Gate::Locked, key, ..self }
    }

    /// Returns whether the gate admits an agent with the given keys.
    #[inline]
    #[must_use]
    pub fn admits(&self, keys: Keys) -> bool {
        match self.gate {
            Gate::Open => true,
            Gate::Closed => false,
            Gate::Locked => keys.include(self.key),
        }
    }
}

/// Why a link cannot be added.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NavLinkError {
    /// Its first end is blocked.
    #[error("the link's beginning {0}")]
    From(Obstruction),
    /// Its second end is blocked.
    #[error("the link's end {0}")]
    To(Obstruction),
    /// The radius of use is not a finite number of metres, 0 or more.
    #[error("the radius of use is {0} metres; it must be a finite number, 0 or more")]
    Radius(f32),
    /// Its ends are the same.
    #[error("the link ends where it begins")]
    Loop,
    /// The time of its crossing is not a finite number of seconds, 0 or more.
    #[error("the crossing takes {0} seconds; it must be a finite number, 0 or more")]
    Seconds(f32),
    /// The speed of its crossing is not a finite number above 0.
    #[error("the speed in the link is {0} metres a second; it must be a finite number above 0")]
    Speed(f32),
    /// The set holds the largest number of links.
    #[error("there are more than {0} links")]
    TooMany(usize),
}

//! Groups of agents that keep a formation, as their caller describes them.

use glam::Vec2;

use crate::agent::{AgentId, Formation, GroupId};

/// A group to be added.
///
/// The first member that is present leads: it goes to the group's goal, or follows its own
/// behaviours. The others keep their slots in the formation about it, as long as they have no
/// orders of their own and none of their behaviours has something to do. Where the formation does
/// not fit, they go in file on the leader's trail.
///
/// Members keep apart, and give way to each other, if their [avoidance](super::Avoidance) is on.
/// Grids and navigation meshes have groups. Among waypoints agents keep to their links, and among
/// blocks they swim, fly and jump: no straight line reaches a slot beside the leader's path there,
/// and groups are refused.
///
/// ```
/// use wayfare::agent::{Formation, GroupId};
/// use wayfare::link::{Keys, NavLinks};
/// use wayfare::prelude::*;
/// use wayfare::simulation::{Event, FollowerPlace, GroupSpec, GroupView};
///
/// let grid = Grid::from_rows(&[".............."; 7])?;
/// let mut simulation = Simulation::new(grid, NavLinks::new(3.0), SimulationSettings::default())?;
/// let class = simulation.add_class(Default::default(), Keys::NONE)?;
/// let mut members = Vec::new();
/// for row in 0..3 {
///     let at = Vec3::new(0.5, 0.0, 2.5 + row as f32);
///     members.push(simulation.add_agent(AgentSpec::new("soldier", class, at))?);
/// }
/// let squad = GroupSpec { formation: Formation::Line, ..GroupSpec::new("squad", members) };
/// let squad: GroupId = simulation.add_group(squad)?;
/// simulation.order_group(squad, Order::GoTo(Vec3::new(10.5, 0.0, 3.5)));
/// assert!((0..200).any(|_| simulation.tick().events.contains(&Event::Formed(squad))));
///
/// let squad: GroupView<'_, Grid> = simulation.group(squad).unwrap();
/// let leader = simulation.agent(squad.leader().unwrap()).unwrap().position();
/// for FollowerPlace { follower, at: place, .. } in squad.places() {
///     let at = simulation.agent(follower).unwrap().position();
///     assert!(at.distance(place) < 0.3 && (at.x - leader.x).abs() < 0.3);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GroupSpec {
    /// Its name in messages.
    pub name: String,
    /// Its members, the leader first; 1 to 10,000 agents that are in no other group.
    pub members: Vec<AgentId>,
    /// Its shape on open ground. Default: a wedge.
    pub formation: Formation,
    /// The distance between neighbours in the formation and in file, in metres, 0.01 to 1,000;
    /// default 1. Bodies that avoid each other need a little more than their diameter.
    pub spacing: f32,
    /// The leader slows down for followers away from their slots. It all but stands when one is
    /// this far away, in metres, at least `spacing` and at most 10,000; default 4. It does so for
    /// [`MOST_WAIT`](Self::MOST_WAIT) seconds at most, and not for followers whose path is closed
    /// or who have something else to do.
    pub patience: f32,
}

impl GroupSpec {
    /// For how many seconds a leader all but stands to wait for others.
    pub const MOST_WAIT: f32 = 10.0;

    /// The most members of a group.
    pub const MOST_MEMBERS: usize = 10_000;

    /// Returns a group of that name with these members, the leader first.
    #[must_use]
    pub fn new(name: impl Into<String>, members: Vec<AgentId>) -> Self {
        let formation = Formation::default();
        Self { name: name.into(), members, formation, spacing: 1.0, patience: 4.0 }
    }
}

/// Why there cannot be such a group.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GroupFault {
    /// It has no members, or too many.
    #[error("the group has {0} members; it must have from 1 to 10,000")]
    Members(usize),
    /// There is no such agent, or it was named before.
    #[error("agent {} is not there, or twice in the group", .0.0)]
    Member(AgentId),
    /// An agent is in another group.
    #[error("agent {} is in another group", .0.0)]
    InGroup(AgentId),
    /// A value is NaN, infinite or out of range.
    #[error("the {field} is {value}; it must be {range}")]
    OutOfRange {
        /// The name of the field.
        field: &'static str,
        /// The value.
        value: f32,
        /// The allowed range.
        range: &'static str,
    },
    /// In such a world there is no ground to walk on beside a path.
    #[error("worlds of waypoints and of blocks have no groups; agents may follow each other there")]
    World,
    /// There is no such group.
    #[error("there is no group {}", .0.0)]
    NoSuchGroup(GroupId),
}

/// Fails if a shape is not possible.
pub(super) fn check_shape(formation: &Formation, spacing: f32) -> Result<(), GroupFault> {
    let out = |field, value, range| Err(GroupFault::OutOfRange { field, value, range });
    if !(0.01..=1_000.0).contains(&spacing) {
        return out("spacing", spacing, "from 0.01 to 1,000");
    }
    let Formation::Own(slots) = formation else { return Ok(()) };
    let far =
        slots.iter().flat_map(Vec2::to_array).find(|part| !(-1_000.0..=1_000.0).contains(part));
    far.map_or(Ok(()), |part| out("place of a follower", part, "at most 1,000 away"))
}

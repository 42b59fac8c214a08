//! Waypoint graphs as worlds.
//!
//! Bodies keep to the links, also where the surroundings show free ground beside them: an obstacle
//! that appears cuts links, and nothing would report it to a body that left them.

use glam::Vec3;
use wayfare_core::inside::WordHash;
use wayfare_core::space::{ProfileId, ReverseSpace, Revision, Space, StateId};
use wayfare_grid::waypoint::{Approach, Waypoint, WaypointGraph, WaypointId, WaypointLink};

use crate::simulation::{
    AvoidanceManner, EditFault, Editable, Environment, Filled, FilledOf, Shape, ShapeBounds,
    Spaces, Surroundings,
};

/// A change of a waypoint graph while a simulation runs.
///
/// ```
/// use wayfare::link::NavLinks;
/// use wayfare::prelude::*;
/// use wayfare::simulation::{Command, Editable, GraphFill, GraphPlace, WaypointEdit};
/// use wayfare::space::NegativeCosts;
///
/// let places = [0.0, 3.0].map(|x| Waypoint::at(Vec3::new(x, 0.0, 0.0)));
/// let [west, east] = [0, 1].map(WaypointId::from_index);
/// let graph = WaypointGraph::new(places, [WaypointLink::new(west, east)], NegativeCosts::Reject)?;
/// assert_eq!(graph.filling(GraphPlace::Waypoint(east)), Some(GraphFill::Blocked(false)));
///
/// let mut simulation = Simulation::new(graph, NavLinks::new(3.0), SimulationSettings::default())?;
/// simulation.schedule(0, Command::Edit(WaypointEdit::Block { id: east, blocked: true }));
/// simulation.tick();
/// assert!(Space::check(simulation.world(), east).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum WaypointEdit {
    /// A waypoint is blocked, or freed.
    Block {
        /// The waypoint.
        id: WaypointId,
        /// Whether it is blocked.
        blocked: bool,
    },
    /// A waypoint gets another own cost, in world units of length.
    Cost {
        /// The waypoint.
        id: WaypointId,
        /// The cost.
        cost: f32,
    },
    /// A waypoint is added.
    Add(Waypoint),
    /// A waypoint is removed with its links.
    Remove(WaypointId),
    /// A link is added, or replaced.
    Link(WaypointLink),
    /// A link is removed, in that direction.
    Unlink {
        /// Where it begins.
        from: WaypointId,
        /// Where it ends.
        to: WaypointId,
    },
}

/// A part of a graph that an obstacle may cover.
///
/// Example: [`WaypointEdit`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GraphPlace {
    /// A waypoint.
    Waypoint(WaypointId),
    /// A link, in one direction.
    Link(WaypointId, WaypointId),
}

/// The content of such a place.
///
/// Example: [`WaypointEdit`].
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum GraphFill {
    /// A waypoint that is blocked or not, for all profiles.
    Blocked(bool),
    /// A waypoint that is blocked for the profiles with set bits.
    BlockedFor(u64),
    /// A link, if there is one.
    Link(Option<WaypointLink>),
}

/// Adds the waypoint and all that a link joins to it now, for any profile.
fn neighbourhood(graph: &WaypointGraph, id: WaypointId, affected: &mut Vec<WaypointId>) {
    if graph.waypoint(id).is_some() {
        affected.push(id);
        for graph in graph.views() {
            graph.successors(id, |edge| affected.push(edge.target));
            graph.predecessors(id, |edge| affected.push(edge.target));
        }
    }
}

impl Spaces for WaypointGraph {
    type State = WaypointId;
    type Cost = u64;
    type Space<'w> = &'w Self;

    fn space(&self, profile: ProfileId) -> &Self {
        self.as_seen_by(profile)
    }

    fn has_profile(&self, profile: ProfileId) -> bool {
        Self::has_profile(self, profile)
    }

    fn grain(&self) -> f32 {
        0.0
    }

    fn revision(&self) -> Revision {
        Space::revision(self)
    }

    fn state_at(&self, profile: ProfileId, point: Vec3) -> Option<WaypointId> {
        self.as_seen_by(profile).locate(point, 1e-4, Approach::Any)
    }

    fn state_meant(&self, profile: ProfileId, point: Vec3) -> Option<WaypointId> {
        self.as_seen_by(profile).nearest(point)
    }

    fn nearest_state(&self, profile: ProfileId, point: Vec3, within: f32) -> Option<WaypointId> {
        self.as_seen_by(profile).locate(point, within, Approach::Any)
    }

    /// Returns the ends of the links that meet the boxes.
    fn states_delayed(&self, _profile: ProfileId, areas: &[ShapeBounds]) -> Vec<WaypointId> {
        let meets = |link: &WaypointLink| {
            areas.iter().any(|&ShapeBounds { min, max }| {
                let area = Shape::Box { min, max };
                area.meets(self.position(link.from), self.position(link.to))
            })
        };
        self.links().filter(meets).flat_map(|link| [link.from, link.to]).collect()
    }
}

impl Surroundings for WaypointGraph {
    fn knows_surroundings(&self) -> bool {
        self.has_surroundings()
    }

    fn is_free_beside(&self, profile: ProfileId, from: Vec3, to: Vec3, width: f32) -> bool {
        self.as_seen_by(profile).is_free_beside(from, to, width)
    }
}

impl Editable for WaypointGraph {
    type Edit = WaypointEdit;
    type Place = GraphPlace;
    type Fill = GraphFill;

    /// Hashes every waypoint and link, as each profile sees it. O(waypoints and links).
    fn digest(&self) -> u64 {
        let mut hash = WordHash(0);
        for graph in self.views() {
            for id in graph.ids() {
                let Some(waypoint) = graph.waypoint(id) else { continue };
                hash.word(u64::from(id.index()) << 1 | u64::from(waypoint.blocked));
                hash.point(waypoint.position);
                hash.float(waypoint.cost);
            }
            for link in graph.links() {
                hash.text(format_args!("{link:?}"));
            }
        }
        hash.0
    }

    fn check(&self, edit: &WaypointEdit) -> Result<(), EditFault> {
        let missing = |id: WaypointId| self.waypoint(id).is_none();
        let wrong = match *edit {
            WaypointEdit::Block { id, .. } | WaypointEdit::Remove(id) => missing(id),
            WaypointEdit::Cost { id, cost } => missing(id) || !cost.is_finite(),
            WaypointEdit::Link(WaypointLink { from, to, .. })
            | WaypointEdit::Unlink { from, to } => missing(from) || missing(to),
            WaypointEdit::Add(_) => false,
        };
        if wrong { Err(EditFault::NoSuchWaypoint) } else { Ok(()) }
    }

    fn takes(&self, edit: &WaypointEdit) -> Vec<Vec3> {
        match *edit {
            WaypointEdit::Block { id, .. } | WaypointEdit::Remove(id) => vec![self.position(id)],
            _ => Vec::new(),
        }
    }

    fn fills(edit: &WaypointEdit) -> Vec<FilledOf<Self>> {
        match *edit {
            WaypointEdit::Block { id, blocked } => {
                let (place, fill) = (GraphPlace::Waypoint(id), GraphFill::Blocked(blocked));
                vec![Filled { place, fill }]
            }
            _ => Vec::new(),
        }
    }

    fn apply(
        &mut self,
        edit: &WaypointEdit,
        affected: &mut Vec<WaypointId>,
    ) -> Result<(), EditFault> {
        let about: Vec<WaypointId> = match *edit {
            WaypointEdit::Block { id, .. }
            | WaypointEdit::Cost { id, .. }
            | WaypointEdit::Remove(id) => vec![id],
            WaypointEdit::Link(WaypointLink { from, to, .. })
            | WaypointEdit::Unlink { from, to } => {
                vec![from, to]
            }
            WaypointEdit::Add(_) => Vec::new(),
        };
        about.iter().for_each(|&id| neighbourhood(self, id, affected));
        match edit.clone() {
            WaypointEdit::Block { id, blocked } => self.set_blocked(id, blocked)?,
            WaypointEdit::Cost { id, cost } => self.set_cost(id, cost)?,
            WaypointEdit::Add(waypoint) => {
                affected.push(self.add_waypoint(waypoint)?);
            }
            WaypointEdit::Remove(id) => self.remove_waypoint(id)?,
            WaypointEdit::Link(link) => self.add_link(link)?,
            WaypointEdit::Unlink { from, to } => {
                self.remove_link(from, to);
            }
        }
        about.iter().for_each(|&id| neighbourhood(self, id, affected));
        affected.sort_unstable();
        affected.dedup();
        Ok(())
    }

    /// Returns the waypoints in the shape and the links that meet it.
    fn covered(&self, shape: &Shape) -> Vec<GraphPlace> {
        let waypoints =
            self.ids().filter(|&id| shape.contains(self.position(id))).map(GraphPlace::Waypoint);
        let links = self
            .links()
            .filter(|link| shape.meets(self.position(link.from), self.position(link.to)))
            .map(|link| GraphPlace::Link(link.from, link.to));
        let mut covered: Vec<_> = waypoints.chain(links).collect();
        covered.sort_unstable();
        covered
    }

    fn filling(&self, place: GraphPlace) -> Option<GraphFill> {
        match place {
            GraphPlace::Waypoint(id) => {
                let is_blocked = self.waypoint(id)?.blocked;
                let (profiles, count) = (self.blocked_for(id), self.views().count() as u32);
                // All bits, or none.
                let is_even = profiles.count_ones() == count || profiles == 0;
                Some(match is_even {
                    true => GraphFill::Blocked(is_blocked),
                    false => GraphFill::BlockedFor(profiles),
                })
            }
            GraphPlace::Link(from, to) => Some(GraphFill::Link(self.link(from, to))),
        }
    }

    fn blocking(&self, place: GraphPlace) -> GraphFill {
        match place {
            GraphPlace::Waypoint(_) => GraphFill::Blocked(true),
            GraphPlace::Link(..) => GraphFill::Link(None),
        }
    }

    fn fill(&mut self, fills: &[FilledOf<Self>], affected: &mut Vec<WaypointId>) {
        for &Filled { place, fill } in fills {
            let about = match place {
                GraphPlace::Waypoint(id) => [id, id],
                GraphPlace::Link(from, to) => [from, to],
            };
            about.iter().for_each(|&id| neighbourhood(self, id, affected));
            match (place, fill) {
                // A waypoint that was removed meanwhile stays away.
                (GraphPlace::Waypoint(id), GraphFill::Blocked(blocked)) => {
                    let _ = self.set_blocked(id, blocked);
                }
                (GraphPlace::Waypoint(id), GraphFill::BlockedFor(profiles)) => {
                    self.set_blocked_for(id, profiles);
                }
                (GraphPlace::Link(from, to), GraphFill::Link(None)) => self.cover_link(from, to),
                (_, GraphFill::Link(Some(link))) => self.uncover_link(link),
                _ => {}
            }
            about.iter().for_each(|&id| neighbourhood(self, id, affected));
        }
        affected.sort_unstable();
        affected.dedup();
    }
}

impl Environment for WaypointGraph {
    /// Obstacles that appear cut links. Off the links the position of an agent would be unclear.
    const CUTS_ACROSS: bool = false;

    const AVOIDING: AvoidanceManner = AvoidanceManner::AlongRails;
}

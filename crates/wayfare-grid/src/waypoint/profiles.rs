//! Profiles: a graph as several classes of agents see it.

use wayfare_core::space::{ProfileId, StateId};

use super::graph::WaypointGraph;
use super::parts::{WaypointId, WaypointLink};

/// The most profiles of a graph.
pub const MOST_GRAPH_PROFILES: usize = 64;

/// Why a graph does not take a profile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GraphProfileError {
    /// The graph of the profile has other waypoints: another number, or other positions.
    #[error("the graph of a profile must have the same waypoints at the same places")]
    OtherWaypoints,
    /// There are as many profiles as there can be.
    #[error("a graph has at most 64 profiles")]
    TooMany,
}

impl WaypointGraph {
    /// Adds the same waypoints as another class of agents sees them: with other own costs, other
    /// costs of links, or others of them blocked. Profiles that `other` has are dropped.
    ///
    /// Edits of the graph are edits for all profiles: a waypoint that is blocked is so for every
    /// class, and freed for every class. Memory: that of the other graph.
    ///
    /// ```
    /// use glam::Vec3;
    /// use wayfare::space::waypoint::{Waypoint, WaypointGraph, WaypointId, WaypointLink};
    /// use wayfare::space::{NegativeCosts, Space, StateId};
    ///
    /// let [west, ford, east] = [0, 1, 2].map(WaypointId::from_index);
    /// let links = || [WaypointLink::new(west, ford), WaypointLink::new(ford, east)];
    /// let points = [0.0, 5.0, 9.0].map(|x| Waypoint::at(Vec3::new(x, 0.0, 0.0)));
    /// let mut wet = points.clone();
    /// wet[1].blocked = true; // in deep water
    /// let walkers = WaypointGraph::new(wet, links(), NegativeCosts::Reject)?;
    /// let boats = WaypointGraph::new(points, links(), NegativeCosts::Reject)?;
    /// let mut graph = walkers;
    /// let boat = graph.add_profile(boats)?;
    /// assert!(graph.check(ford).is_err() && graph.as_seen_by(boat).check(ford).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the other graph has not the same waypoints at the same positions, or there are 64
    /// profiles.
    pub fn add_profile(&mut self, mut other: Self) -> Result<ProfileId, GraphProfileError> {
        let is_there = |graph: &Self, id: WaypointId| graph.live(id).is_ok();
        let alike = self.positions == other.positions
            && (0..self.positions.len() as u32)
                .map(WaypointId::from_index)
                .all(|id| is_there(self, id) == is_there(&other, id));
        if !alike {
            return Err(GraphProfileError::OtherWaypoints);
        }
        if self.others.len() + 1 >= MOST_GRAPH_PROFILES {
            return Err(GraphProfileError::TooMany);
        }
        other.others = Vec::new();
        self.others.push(other);
        self.revision = self.revision.next();
        self.tell_revision();
        Ok(ProfileId(self.others.len() as u16))
    }

    /// Returns whether there is a profile of that number. The first one always is there.
    #[must_use]
    pub fn has_profile(&self, profile: ProfileId) -> bool {
        usize::from(profile.0) <= self.others.len()
    }

    /// Returns the graph as a profile sees it; as the first one does, if there is no such profile.
    #[must_use]
    pub fn as_seen_by(&self, profile: ProfileId) -> &Self {
        let place = usize::from(profile.0).checked_sub(1);
        place.and_then(|place| self.others.get(place)).unwrap_or(self)
    }

    /// Returns the graph as each profile sees it, by number.
    #[doc(hidden)]
    pub fn views(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.others)
    }

    /// Returns the profiles that cannot enter a waypoint, as bits.
    #[doc(hidden)]
    pub fn blocked_for(&self, id: WaypointId) -> u64 {
        let blocked = self.views().map(|graph| graph.live(id) == Ok(super::graph::Status::Blocked));
        blocked.enumerate().fold(0, |bits, (number, blocked)| bits | u64::from(blocked) << number)
    }

    /// Blocks a waypoint for the profiles whose bits are set, and frees it for the others.
    #[doc(hidden)]
    pub fn set_blocked_for(&mut self, id: WaypointId, profiles: u64) {
        if self.live(id).is_err() || self.blocked_for(id) == profiles {
            return;
        }
        let _ = self.block_here(id, profiles & 1 == 1);
        for (number, other) in (1..).zip(&mut self.others) {
            let _ = other.block_here(id, profiles >> number & 1 == 1);
        }
        self.revision = self.revision.next();
        self.tell_revision();
    }

    /// Removes a link in one direction, for as long as an obstacle covers it.
    #[doc(hidden)]
    pub fn cover_link(&mut self, from: WaypointId, to: WaypointId) {
        for other in &mut self.others {
            if let Some(link) = other.link(from, to) {
                other.covered.insert((from, to), link);
            }
        }
        self.remove_link(from, to);
    }

    /// Puts a link back that an obstacle covered: for each profile the one that it had.
    #[doc(hidden)]
    pub fn uncover_link(&mut self, link: WaypointLink) {
        // A waypoint that was removed meanwhile stays away, and so do its links.
        if self.join_here(link).is_err() {
            return;
        }
        for other in &mut self.others {
            let own = other.covered.remove(&(link.from, link.to)).unwrap_or(link);
            let _ = other.join_here(own);
        }
        self.revision = self.revision.next();
        self.tell_revision();
    }

    /// All profiles are of one revision.
    pub(super) fn tell_revision(&mut self) {
        let revision = self.revision;
        self.others.iter_mut().for_each(|other| other.revision = revision);
    }
}

//! The graph: building and reading it.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;
use wayfare_core::inside::Components;
use wayfare_core::space::{NegativeCosts, Revision, StateId};

use super::links::{Hop, Links, Record};
use super::locate::Index;
use super::parts::{
    COST_PER_UNIT, MAX_COORDINATE, MAX_COST, Waypoint, WaypointError, WaypointFault, WaypointId,
    WaypointLink, WaypointLinkFault, Ways,
};
use super::spans::Spans;
use super::surroundings::Surroundings;

/// Whether a waypoint can be entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status {
    Free,
    Blocked,
    Removed,
}

/// Waypoints and the links between them.
///
/// Costs are integers, [`COST_PER_UNIT`] for each world unit of length. A move costs
/// `link cost + surcharge + own cost of the waypoint entered`. Links are followed in ascending
/// order of their targets' ids.
///
/// The graph can be edited while the program runs. Each edit takes the next [`Revision`] and
/// O(links of the waypoint), and where it splits the graph also O(smaller part). Ids are never
/// reused: the graph grows by about 100 bytes for each waypoint ever added.
///
/// ```
/// use glam::Vec3;
/// use wayfare::space::waypoint::{Waypoint, WaypointGraph, WaypointId, WaypointLink};
/// use wayfare::space::{NegativeCosts, Reachability, Space, StateId};
///
/// let [gate, yard, keep] = [0, 1, 2].map(WaypointId::from_index);
/// let mut castle = WaypointGraph::new(
///     [
///         Waypoint::at(Vec3::new(0.0, 0.0, 0.0)).with_name("gate"),
///         Waypoint::at(Vec3::new(3.0, 0.0, 4.0)),
///         Waypoint::at(Vec3::new(3.0, 0.0, 9.0)).with_cost(0.5),
///     ],
///     [WaypointLink::new(gate, yard), WaypointLink::one_way(yard, keep)],
///     NegativeCosts::Reject,
/// )?;
/// let mut moves = Vec::new();
/// castle.successors(yard, |edge| moves.push((edge.target, edge.cost)));
/// assert_eq!(moves, [(gate, 5000), (keep, 5500)]);
///
/// castle.set_blocked(yard, true)?;
/// assert_ne!(castle.reachability(gate, keep), Reachability::Possible);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct WaypointGraph {
    pub(super) positions: Vec<Vec3>,
    pub(super) status: Vec<Status>,
    /// Own costs as given, in world units of length.
    pub(super) given_costs: Vec<f32>,
    /// Own costs as paid: shifted, in cost units.
    pub(super) own_costs: Vec<u32>,
    pub(super) names: BTreeMap<WaypointId, String>,
    pub(super) links: Links,
    pub(super) components: Components,
    pub(super) index: Index,
    pub(super) surroundings: Option<Arc<dyn Surroundings>>,
    /// The amount by which own costs were raised, in world units of length.
    pub(super) shift: f32,
    /// A lower bound on the cost of each link for each cost unit of its length, for estimates.
    pub(super) ratio: f64,
    pub(super) revision: Revision,
    /// The same waypoints as the profiles after the first see them.
    pub(super) others: Vec<WaypointGraph>,
    /// The links of this profile that obstacles cover: only in `others`.
    pub(super) covered: BTreeMap<(WaypointId, WaypointId), WaypointLink>,
}

/// The largest rounding error in the difference of two estimates, in cost units. Coordinates are
/// below 4·10⁶, so distances are below 2·10¹⁰ cost units, where `f64` has a resolution of 4·10⁻⁶.
const ESTIMATE_SLACK: f64 = 1.0e-4;

impl WaypointGraph {
    /// Builds a graph. The first waypoint gets id 0. O(waypoints · log + links).
    ///
    /// Under [`NegativeCosts::Shift`] all own costs are raised by the most negative one. Paths then
    /// pay the shift for each waypoint that they enter: see [`WaypointGraph::cost_shift`].
    ///
    /// # Errors
    /// The number of the first invalid waypoint or link, and its fault.
    pub fn new(
        waypoints: impl IntoIterator<Item = Waypoint>,
        links: impl IntoIterator<Item = WaypointLink>,
        negative_costs: NegativeCosts,
    ) -> Result<Self, WaypointError> {
        let mut graph = Self {
            positions: Vec::new(),
            status: Vec::new(),
            given_costs: Vec::new(),
            own_costs: Vec::new(),
            names: BTreeMap::new(),
            links: Links::default(),
            components: Components::default(),
            index: Index::default(),
            surroundings: None,
            shift: 0.0,
            ratio: 1.0,
            revision: Revision::default(),
            others: Vec::new(),
            covered: BTreeMap::new(),
        };
        for (number, waypoint) in waypoints.into_iter().enumerate() {
            graph.take_in(waypoint).map_err(|fault| WaypointError::Waypoint { number, fault })?;
        }
        if negative_costs == NegativeCosts::Shift {
            graph.shift = graph.given_costs.iter().fold(0.0, |shift, &cost| shift.max(-cost));
        }
        for number in 0..graph.given_costs.len() {
            let own = graph.own_cost_of(graph.given_costs[number]);
            let own = own.map_err(|fault| WaypointError::Waypoint { number, fault })?;
            graph.own_costs.push(own);
        }
        graph.take_in_links(links)?;
        let free = |state: u32| graph.status[state as usize] == Status::Free;
        graph.components = Components::build(graph.positions.len(), free, &graph.links);
        graph.index = Index::new(&graph.positions);
        Ok(graph)
    }

    /// The same graph with surroundings that lines of sight are tested against. Without them a line
    /// is clear only if a link joins its ends.
    #[must_use]
    pub fn with_surroundings(mut self, surroundings: Arc<dyn Surroundings>) -> Self {
        self.surroundings = Some(surroundings);
        self
    }

    /// Returns the number of waypoints, with blocked and without removed ones.
    #[must_use]
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Returns whether the graph has no waypoints.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns all waypoints that were not removed, in ascending order.
    pub fn ids(&self) -> impl Iterator<Item = WaypointId> + '_ {
        let ids = (0..).map(WaypointId::from_index).zip(&self.status);
        ids.filter(|&(_, &status)| status != Status::Removed).map(|(id, _)| id)
    }

    /// Returns a waypoint as described, with later edits; `None` if it does not exist.
    #[must_use]
    pub fn waypoint(&self, id: WaypointId) -> Option<Waypoint> {
        let status = self.live(id).ok()?;
        let i = id.0 as usize;
        Some(Waypoint {
            position: self.positions[i],
            cost: self.given_costs[i],
            blocked: status == Status::Blocked,
            name: self.names.get(&id).cloned(),
        })
    }

    /// Returns the name of a waypoint.
    #[must_use]
    pub fn name(&self, id: WaypointId) -> Option<&str> {
        self.names.get(&id).map(String::as_str)
    }

    /// Returns the waypoint with the given name and the lowest id. O(named waypoints).
    #[must_use]
    pub fn find(&self, name: &str) -> Option<WaypointId> {
        self.names.iter().find(|(_, known)| *known == name).map(|(&id, _)| id)
    }

    /// Returns all links, one for each direction, in ascending order of both ends. Includes links
    /// at blocked waypoints.
    pub fn links(&self) -> impl Iterator<Item = WaypointLink> + '_ {
        self.links.records.iter().map(|(from, record)| WaypointLink {
            from: WaypointId(from),
            to: WaypointId(record.target),
            ways: Ways::One,
            cost: record.cost,
            surcharge: record.surcharge,
            action: record.action,
        })
    }

    /// Returns the link from one waypoint to another, in that direction alone.
    #[must_use]
    pub fn link(&self, from: WaypointId, to: WaypointId) -> Option<WaypointLink> {
        let record = self.links.record(from.0, to.0)?;
        let (cost, surcharge, action) = (record.cost, record.surcharge, record.action);
        Some(WaypointLink { from, to, ways: Ways::One, cost, surcharge, action })
    }

    /// Returns the amount by which all own costs were raised so that none is negative, in world
    /// units of length.
    ///
    /// A path of n moves costs n times this amount more than the given costs add up to.
    #[must_use]
    pub fn cost_shift(&self) -> f32 {
        self.shift
    }

    /// Returns the status of a waypoint that was not removed.
    pub(super) fn live(&self, id: WaypointId) -> Result<Status, WaypointFault> {
        match self.status.get(id.0 as usize) {
            Some(&status) if status != Status::Removed => Ok(status),
            _ => Err(WaypointFault::Missing(id)),
        }
    }

    /// Appends a waypoint to all arrays except own costs, links, components and index.
    pub(super) fn take_in(&mut self, waypoint: Waypoint) -> Result<WaypointId, WaypointFault> {
        let Waypoint { position, cost, blocked, name } = waypoint;
        // NaN compares as false.
        if !position.to_array().into_iter().all(|x| x.abs() <= MAX_COORDINATE) {
            return Err(WaypointFault::Position(position));
        }
        if !cost.is_finite() {
            return Err(WaypointFault::Cost(cost));
        }
        if self.positions.len() >= 1 << 31 {
            return Err(WaypointFault::TooMany);
        }
        let id = WaypointId(self.positions.len() as u32);
        self.positions.push(position);
        self.given_costs.push(cost);
        self.status.push(if blocked { Status::Blocked } else { Status::Free });
        if let Some(name) = name {
            self.names.insert(id, name);
        }
        Ok(id)
    }

    /// Returns the own cost as paid, in cost units.
    pub(super) fn own_cost_of(&self, given: f32) -> Result<u32, WaypointFault> {
        let cost = f64::from(given) + f64::from(self.shift);
        if cost < 0.0 {
            return Err(WaypointFault::NegativeCost { cost: given, least: 0.0 - self.shift });
        }
        if cost > f64::from(MAX_COST) {
            return Err(WaypointFault::Cost(given));
        }
        Ok((cost * f64::from(COST_PER_UNIT)).round() as u32)
    }

    /// Returns the directions of a link: one or two.
    pub(super) fn directions(link: &WaypointLink) -> impl Iterator<Item = (u32, Record)> + use<> {
        let WaypointLink { from, to, ways, cost, surcharge, action } = *link;
        let record = move |target: WaypointId| Record { target: target.0, cost, surcharge, action };
        let back = (ways == Ways::Both).then(|| (to.0, record(from)));
        std::iter::once((from.0, record(to))).chain(back)
    }

    pub(super) fn check_link(&self, link: &WaypointLink) -> Result<(), WaypointLinkFault> {
        for end in [link.from, link.to] {
            self.live(end).map_err(|_| WaypointLinkFault::Dangling(end))?;
        }
        if link.from == link.to {
            return Err(WaypointLinkFault::Loop(link.from));
        }
        let length = self.length(link.from, link.to);
        Self::directions(link).try_for_each(|(_, record)| record.base_cost(length).map(drop))
    }

    fn take_in_links(
        &mut self,
        links: impl IntoIterator<Item = WaypointLink>,
    ) -> Result<(), WaypointError> {
        let mut described = Vec::new();
        for (number, link) in links.into_iter().enumerate() {
            self.check_link(&link).map_err(|fault| WaypointError::Link { number, fault })?;
            described.extend(Self::directions(&link));
        }
        let count = self.positions.len();
        let mut records = Spans::bucketed(count, described.iter().copied());
        drop(described);
        records.sort_keeping_last(|record| record.target);
        let sources = records.iter().map(|(from, record)| (record.target, from));
        let sources = Spans::bucketed(count, sources);

        let free = |state: u32| self.status[state as usize] == Status::Free;
        let mut ratio = self.ratio;
        let mut hops = Vec::new();
        for (from, record) in records.iter() {
            let (cost, least) = self.price(from, record);
            ratio = ratio.min(least);
            if free(from) && free(record.target) {
                hops.push((from, Hop { other: record.target, cost, action: record.action }));
            }
        }
        let out = Spans::bucketed(count, hops.iter().copied());
        let back = hops.iter().map(|&(from, hop)| (hop.other, Hop { other: from, ..hop }));
        let back = Spans::bucketed(count, back);
        self.ratio = ratio;
        self.links = Links { records, sources, out, back };
        Ok(())
    }

    /// Returns the cost of a move over a checked link, and the ratio of cost to length that
    /// estimates must not exceed.
    pub(super) fn price(&self, from: u32, record: &Record) -> (u32, f64) {
        let length = self.length(WaypointId(from), WaypointId(record.target));
        let base = record.base_cost(length).unwrap_or(u32::MAX / 2);
        let straight = length * f64::from(COST_PER_UNIT);
        let ratio =
            if straight > 0.0 { (f64::from(base) - ESTIMATE_SLACK) / straight } else { 1.0 };
        (base + self.own_costs[record.target as usize], ratio.clamp(0.0, 1.0))
    }

    pub(super) fn length(&self, from: WaypointId, to: WaypointId) -> f64 {
        let (from, to) = (self.positions[from.0 as usize], self.positions[to.0 as usize]);
        (from.as_dvec3() - to.as_dvec3()).length()
    }
}

/// The lower bound on the cost of each link for each cost unit of its length.
pub fn ratio(graph: &WaypointGraph) -> f64 {
    graph.ratio
}

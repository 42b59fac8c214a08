//! Why there is no path among waypoints: the links and waypoints that would have to be opened.

use std::collections::BTreeSet;

use wayfare_core::explain::Blockage;
use wayfare_core::path::Path;
use wayfare_core::search::{AStar, Outcome, Query, solve};

use crate::waypoint::{WaypointGraph, WaypointId, WaypointLink, Ways};

/// One rule of movement less.
///
/// Example: [`remedies`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum WaypointRelaxation {
    /// One-way links lead both ways.
    BothWays,
    /// The blocked waypoints of that group are open.
    Unblock(usize),
}

/// A relaxation that opens a path, and the cheapest path under it.
///
/// Example: [`remedies`].
#[derive(Clone, PartialEq, Debug)]
pub struct WaypointRemedy {
    /// The relaxation.
    pub relaxation: WaypointRelaxation,
    /// The path.
    pub path: Path<WaypointId, u64>,
}

/// Tries one relaxation of a graph after another, and returns those that open a path: one-way links
/// walked both ways, then each group of waypoints unblocked.
///
/// A group is a set of waypoints that are open or closed together: those on one terrain, or behind
/// one gate. Waypoints that are not blocked are ignored; a group without a blocked one is skipped.
/// Searches run as the items are asked for; each copies the graph.
///
/// ```
/// use glam::Vec3;
/// use wayfare::explain::waypoint::{WaypointRelaxation, WaypointRemedy, remedies};
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::space::{NegativeCosts, Waypoint, WaypointGraph, WaypointId, WaypointLink};
///
/// let waypoints = [Vec3::ZERO, Vec3::X, 2.0 * Vec3::X].map(Waypoint::at);
/// let mut graph = WaypointGraph::new(waypoints, [], NegativeCosts::default())?;
/// let ids: Vec<WaypointId> = graph.ids().collect();
/// graph.add_link(WaypointLink::new(ids[0], ids[1]))?;
/// graph.add_link(WaypointLink::new(ids[1], ids[2]))?;
/// graph.set_blocked(ids[1], true)?;
///
/// let query = Query::new(ids[0], ids[2]);
/// let bridge = [vec![ids[1]]];
/// let found: Vec<WaypointRemedy> = remedies(&graph, &query, &bridge).collect();
/// assert_eq!(found[0].relaxation, WaypointRelaxation::Unblock(0));
/// assert_eq!(found[0].path.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn remedies<'q>(
    graph: &'q WaypointGraph,
    query: &'q Query<WaypointId, u64>,
    groups: &'q [Vec<WaypointId>],
) -> impl Iterator<Item = WaypointRemedy> + 'q {
    remedies_by(graph, query, groups, |graph, query| solve(graph, &AStar::new(), query).outcome)
}

/// As [`remedies`], with a search of the caller's: to lay navigation links over the relaxed graph.
pub fn remedies_by<'q>(
    graph: &'q WaypointGraph,
    query: &'q Query<WaypointId, u64>,
    groups: &'q [Vec<WaypointId>],
    search: impl Fn(&WaypointGraph, Query<WaypointId, u64>) -> Outcome<WaypointId, u64> + 'q,
) -> impl Iterator<Item = WaypointRemedy> + 'q {
    let back = missing_ways(graph);
    let both_ways = (!back.is_empty()).then_some(WaypointRelaxation::BothWays);
    let is_closed = |id: &WaypointId| graph.waypoint(*id).is_some_and(|waypoint| waypoint.blocked);
    let closed = groups
        .iter()
        .map(move |group| group.iter().copied().filter(is_closed).collect::<Vec<WaypointId>>());
    let closed: Vec<Vec<WaypointId>> = closed.collect();
    let groups = (0..closed.len()).map(WaypointRelaxation::Unblock);
    let all: Vec<WaypointRelaxation> = both_ways.into_iter().chain(groups).collect();
    all.into_iter().filter_map(move |relaxation| {
        let mut relaxed = graph.clone();
        match relaxation {
            WaypointRelaxation::BothWays => {
                for link in &back {
                    // A link between waypoints is one backwards too: there is nothing to refuse.
                    let _ = relaxed.add_link(*link);
                }
            }
            WaypointRelaxation::Unblock(group) => {
                let group = closed.get(group).filter(|group| !group.is_empty())?;
                for id in group {
                    // The graph had it a moment ago.
                    let _ = relaxed.set_blocked(*id, false);
                }
            }
        }
        match search(&relaxed, query.clone()) {
            Outcome::Found(path) => Some(WaypointRemedy { relaxation, path }),
            _ => None,
        }
    })
}

/// Returns the effect of an edit on the paths between two waypoints, without making it.
///
/// `edit` is made on a copy of the graph. Takes one search, and a second one if there is a path.
///
/// ```
/// use wayfare::explain::Blockage;
/// use wayfare::explain::waypoint::would_block;
/// use wayfare::prelude::*;
/// use wayfare::space::NegativeCosts;
/// let waypoints = [Vec3::ZERO, Vec3::X, 2.0 * Vec3::X].map(Waypoint::at);
/// let mut graph = WaypointGraph::new(waypoints, [], NegativeCosts::default())?;
/// let ids: Vec<WaypointId> = graph.ids().collect();
/// graph.add_link(WaypointLink::new(ids[0], ids[1]))?;
/// graph.add_link(WaypointLink::new(ids[1], ids[2]))?;
/// let effect = would_block(&graph, |graph| graph.set_blocked(ids[1], true), ids[0], ids[2]);
/// assert_eq!(effect, Blockage::WouldBlock);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn would_block<R>(
    graph: &WaypointGraph,
    edit: impl FnOnce(&mut WaypointGraph) -> R,
    from: WaypointId,
    to: WaypointId,
) -> Blockage {
    let is_open = |graph: &WaypointGraph| {
        solve(graph, &AStar::new(), Query::new(from, to)).outcome.is_found()
    };
    if !is_open(graph) {
        return Blockage::AlreadyBlocked;
    }
    let mut edited = graph.clone();
    edit(&mut edited);
    if is_open(&edited) { Blockage::Open } else { Blockage::WouldBlock }
}

/// Returns the links backwards that the graph does not have, each at the cost of the way there.
#[must_use]
pub fn missing_ways(graph: &WaypointGraph) -> Vec<WaypointLink> {
    let ways: BTreeSet<(WaypointId, WaypointId)> =
        graph.links().map(|link| (link.from, link.to)).collect();
    graph
        .links()
        .filter(|link| !ways.contains(&(link.to, link.from)))
        .map(|link| WaypointLink { from: link.to, to: link.from, ways: Ways::One, ..link })
        .collect()
}

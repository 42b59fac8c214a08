//! The policies for waypoints: ties, and links without a length.

use glam::Vec3;
use wayfare_core::path::Path;
use wayfare_core::search::{
    CostOfMovement, HScore, InverseCostOfMovement, ManhattanDistance, Query, Vector3Distance, solve,
};
use wayfare_core::space::{NegativeCosts, StateId};
use wayfare_grid::waypoint::{Waypoint, WaypointGraph, WaypointId, WaypointLink, WaypointLinkCost};

fn waypoint(index: u32) -> WaypointId {
    WaypointId::from_index(index)
}

/// A gate and a keep with two ways between them, `by` metres and 9 metres out; and a link
/// elsewhere that costs nothing.
fn castle(by: f32) -> WaypointGraph {
    let at = |x, z| Waypoint::at(Vec3::new(x, 0.0, z));
    let link = |a, b| WaypointLink::new(waypoint(a), waypoint(b));
    WaypointGraph::new(
        [at(0.0, 0.0), at(3.0, 9.0), at(3.0, by), at(6.0, 0.0), at(90.0, 0.0), at(0.0, 90.0)],
        [
            link(0, 1),
            link(0, 2),
            link(1, 3),
            link(2, 3),
            link(4, 5).with_cost(WaypointLinkCost::Fixed(0.0)),
        ],
        NegativeCosts::Reject,
    )
    .expect("a sound graph")
}

#[test]
fn a_teleport_elsewhere_does_not_blind_the_distance() {
    let query = Query::new(waypoint(0), waypoint(3));
    let path = solve(&castle(1.0), &Vector3Distance::default(), query).outcome.into_path();
    assert_eq!(path.states().nth(1), Some(waypoint(2)));
}

#[test]
fn equal_scores_go_first_in_first_out() {
    // The first link is followed, although the path by the second costs more so far.
    let graph = castle(20.0);
    let query = Query::new(waypoint(0), waypoint(3));
    for ignore_own_costs in [false, true] {
        let policy = HScore { ignore_own_costs };
        let path = solve(&graph, &policy, query.clone()).outcome.into_path();
        assert_eq!(path.states().nth(1), Some(waypoint(1)));
    }
}

/// A gate and a keep, a swamp that costs between them, and a road that leads round it.
#[test]
fn each_policy_goes_where_its_documentation_says() {
    let [gate, swamp, road, keep] = [0, 1, 2, 3].map(waypoint);
    let at = |x, z| Waypoint::at(Vec3::new(x, 0.0, z));
    let waypoints = [at(0.0, 0.0), at(3.0, 0.0).with_cost(9.0), at(3.0, 4.0), at(6.0, 0.0)];
    let links = [(gate, swamp), (gate, road), (swamp, keep), (road, keep)]
        .map(|(a, b)| WaypointLink::new(a, b));
    let castle = WaypointGraph::new(waypoints, links, NegativeCosts::Reject).unwrap();
    let second = |path: Option<&Path<WaypointId, u64>>| path.unwrap().states().nth(1);
    let query = Query::new(gate, keep);
    macro_rules! leads {
        ($policy:ident, $ignore_own_costs:literal, $by:ident) => {
            let policy = $policy { ignore_own_costs: $ignore_own_costs };
            let answer = solve(&castle, &policy, query.clone());
            assert_eq!(second(answer.outcome.path()), Some($by), stringify!($policy));
        };
    }
    leads!(Vector3Distance, true, swamp);
    leads!(ManhattanDistance, false, road);
    leads!(CostOfMovement, false, road);
    leads!(InverseCostOfMovement, false, swamp);
    leads!(HScore, false, road);
}

//! Every algorithm of the catalog on random waypoint graphs, against an independent oracle and an
//! independent validator.

use crate::oracle::oracle;
use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::path::{shorten_path, simplify_path, validate, validate_any_angle};
use wayfare_core::search::{
    AlgorithmId, FieldQuery, Guarantee, NoPath, Options, Outcome, Query, ReachableQuery, Scratch,
    Search, distance_field, reachable,
};
use wayfare_core::space::{NegativeCosts, Space, StateId};
use wayfare_grid::waypoint::{
    Waypoint, WaypointGraph, WaypointId, WaypointLink, WaypointLinkCost, Ways,
};

fn id(index: u32) -> WaypointId {
    WaypointId::from_index(index)
}

/// A dozen waypoints with walks, rough ground, teleports and one-way streets between them.
fn any_graph() -> impl Strategy<Value = WaypointGraph> {
    let position = prop::array::uniform3(-4i8..5).prop_map(|p| Vec3::from(p.map(f32::from)));
    let waypoint = (position, 0u8..4, prop::bool::weighted(0.1));
    let waypoint = waypoint.prop_map(|(position, cost, blocked)| Waypoint {
        position,
        cost: f32::from(cost) * 0.7,
        blocked,
        name: None,
    });
    let cost = prop_oneof![
        4 => Just(WaypointLinkCost::default()),
        1 => (0.1f32..3.0).prop_map(|multiplier| WaypointLinkCost::Length { multiplier }),
        1 => (0.0f32..6.0).prop_map(WaypointLinkCost::Fixed),
    ];
    let link = (0u32..12, 1u32..12, any::<bool>(), cost, 0u8..3);
    let parts = (prop::collection::vec(waypoint, 12), prop::collection::vec(link, 0..24));
    parts.prop_map(|(waypoints, links)| {
        let links = links.into_iter().map(|(from, step, both, cost, surcharge)| WaypointLink {
            ways: if both { Ways::Both } else { Ways::One },
            ..WaypointLink::new(id(from), id((from + step) % 12))
                .with_cost(cost)
                .with_surcharge(f32::from(surcharge))
        });
        WaypointGraph::new(waypoints, links, NegativeCosts::Reject).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_algorithm_keeps_its_promise(graph in any_graph(), start in 0u32..12, goal in 0u32..12) {
        let (start, goal) = (id(start), id(goal));
        let free: Vec<_> = graph.ids().filter(|&a| graph.check(a).is_ok()).collect();
        let blocked = !free.contains(&start) || !free.contains(&goal);
        let optimal = if blocked { None } else { oracle(&graph, &free, start).get(&goal.index()).copied() };
        let options = Options::default();
        let mut scratch = Scratch::new();
        for &algorithm in AlgorithmId::ALL {
            let answer = algorithm.search(&options, Query::new(start, goal)).finish(&graph, &mut scratch, &mut ());
            match (&answer.outcome, optimal) {
                (Outcome::Found(path), Some(optimal)) => {
                    match algorithm.info().guarantee {
                        Guarantee::AnyAngle => prop_assert_eq!(validate_any_angle(&graph, path, start, goal), Ok(())),
                        _ => prop_assert_eq!(validate(&graph, path, start, goal), Ok(()), "{}", algorithm),
                    }
                    match algorithm.info().guarantee {
                        Guarantee::Optimal => prop_assert_eq!(path.cost(), optimal, "{}", algorithm),
                        Guarantee::Bounded => {
                            let bound = optimal as f64 * f64::from(options.weight.get());
                            prop_assert!(path.cost() as f64 <= bound, "{}", algorithm);
                        }
                        _ => {}
                    }
                }
                (Outcome::Unreachable { reason, .. }, None) => {
                    // One-way links make unreachable goals that the labels cannot know of.
                    prop_assert_eq!(matches!(reason, NoPath::Start(_) | NoPath::Goal(_)), blocked, "{}", algorithm);
                }
                (other, _) => prop_assert!(false, "{algorithm}: {other}, but the oracle says {optimal:?}"),
            }
        }
    }

    #[test]
    fn fields_know_one_way_streets(graph in any_graph(), source in 0u32..12, moves in 0u32..6) {
        let source = id(source);
        let free: Vec<_> = graph.ids().filter(|&a| graph.check(a).is_ok()).collect();
        let outward = distance_field(&graph, FieldQuery::outward([source]));
        let inward = distance_field(&graph, FieldQuery::inward([source]));
        prop_assert_eq!(outward.is_ok(), free.contains(&source));
        let (Ok(outward), Ok(inward)) = (outward, inward) else { return Ok(()) };
        let costs = oracle(&graph, &free, source);
        let area = reachable(&graph, ReachableQuery::new(source).max_moves(moves)).unwrap();
        for state in graph.ids() {
            prop_assert_eq!(outward.cost(state), costs.get(&state.index()).copied());
            let back = if free.contains(&state) { oracle(&graph, &free, state) } else { Default::default() };
            prop_assert_eq!(inward.cost(state), back.get(&source.index()).copied());
            if let Some(path) = outward.path(&graph, state) {
                prop_assert_eq!(validate(&graph, &path, source, state), Ok(()));
                let short = shorten_path(&graph, &path);
                prop_assert!(short.cost() <= path.cost());
                prop_assert_eq!(validate_any_angle(&graph, &short, source, state), Ok(()));
                let turns = simplify_path(&graph, &path);
                prop_assert_eq!((turns.start(), turns.end(), turns.cost()), (path.start(), path.end(), path.cost()));
            }
            if let Some(path) = inward.path(&graph, state) {
                prop_assert_eq!(validate(&graph, &path, state, source), Ok(()));
            }
            if let Some(path) = area.path(&graph, state) {
                prop_assert!(path.len() <= moves as usize);
                prop_assert_eq!(validate(&graph, &path, source, state), Ok(()));
            }
        }
    }
}

//! Implicit graphs, against an oracle that keeps its costs in a map of nodes.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use wayfare_core::path::{Path, validate};
use wayfare_core::search::{
    AStar, AlgorithmId, Bidirectional, FieldQuery, Guarantee, Options, Outcome, Progress, Query,
    ReachableQuery, Scratch, Search, distance_field, reachable, solve,
};
use wayfare_core::space::{Cost, ImplicitGraph, ImplicitState, Obstruction, Space, StateId};

/// A graph over words: the moves from each letter, with their costs.
type Streets = BTreeMap<String, Vec<(String, u32)>>;

fn any_streets() -> impl Strategy<Value = Streets> {
    prop::collection::btree_map((0u8..14, 0u8..14), 0u32..9, 0..50).prop_map(|moves| {
        let mut streets = Streets::new();
        for ((from, to), cost) in moves {
            streets.entry(word(from)).or_default().push((word(to), cost));
        }
        streets
    })
}

fn word(number: u8) -> String {
    format!("place {number}")
}

fn reversed(streets: &Streets) -> Streets {
    let mut reversed = Streets::new();
    for (from, moves) in streets {
        for (to, cost) in moves {
            reversed.entry(to.clone()).or_default().push((from.clone(), *cost));
        }
    }
    reversed
}

/// The cost from a node to all that can be reached, by relaxing every move until nothing changes.
fn costs(streets: &Streets, start: &str) -> BTreeMap<String, u32> {
    let mut costs = BTreeMap::from([(start.to_owned(), 0)]);
    loop {
        let before = costs.clone();
        for (from, moves) in streets {
            let Some(&so_far) = costs.get(from) else { continue };
            for (to, cost) in moves {
                let known = costs.entry(to.clone()).or_insert(u32::MAX);
                *known = (*known).min(so_far + cost);
            }
        }
        if costs == before {
            return costs;
        }
    }
}

fn moves_of(streets: &Streets) -> impl Fn(&String) -> Vec<(String, u32)> + '_ {
    |from| streets.get(from).cloned().unwrap_or_default()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_search_of_the_catalog_runs_on_values(
        streets in any_streets(),
        ends in (0u8..14, 0u8..14),
        slice in 1u64..5,
    ) {
        let back = reversed(&streets);
        let truth = costs(&streets, &word(ends.0)).get(&word(ends.1)).copied();
        for &algorithm in AlgorithmId::ALL {
            let graph = || ImplicitGraph::new(moves_of(&streets)).with_predecessors(moves_of(&back));
            let (graph, again) = (graph(), graph());
            let query = Query::new(graph.state(&word(ends.0)), graph.state(&word(ends.1)))
                .max_expansions(5_000);
            let options = Options::default();
            let mut scratch = Scratch::new();
            let answer =
                algorithm.search(&options, query.clone()).finish(&graph, &mut scratch, &mut ());
            // The numbers of the nodes are the same in a new graph, so the answers are too.
            prop_assert_eq!(again.state(&word(ends.0)), query.start);
            let _ = again.state(&word(ends.1));
            let mut search = algorithm.search(&options, query.clone());
            while search.step(&again, &mut scratch, &mut (), slice) == Progress::Working {}
            prop_assert_eq!(&search.answer(&again, &mut scratch), &answer, "{}", algorithm);
            match (&answer.outcome, truth) {
                (Outcome::Found(path), Some(truth)) => {
                    let goal = graph.state(&word(ends.1));
                    prop_assert_eq!(validate(&graph, path, query.start, goal), Ok(()));
                    let nodes = graph.nodes(path.states());
                    prop_assert_eq!(nodes.last(), Some(&word(ends.1)));
                    if algorithm.info().guarantee == Guarantee::Optimal {
                        prop_assert_eq!(path.cost(), truth, "{}", algorithm);
                    }
                }
                (Outcome::Unreachable { .. }, None) => {}
                // Rounds of iterative deepening over moves without cost may not end.
                (Outcome::LimitReached { .. }, _) => {}
                (outcome, truth) => prop_assert!(false, "{algorithm}: {outcome}, not {truth:?}"),
            }
        }
    }

    #[test]
    fn a_condition_is_met_at_the_least_cost(
        streets in any_streets(),
        start in 0u8..14,
        wanted in prop::collection::btree_set(0u8..14, 0..4),
    ) {
        let wanted: BTreeSet<String> = wanted.into_iter().map(word).collect();
        let costs = costs(&streets, &word(start));
        let truth = wanted.iter().filter_map(|node| costs.get(node)).min().copied();
        // The true remaining cost is the tightest estimate that there is.
        let to_go = |node: &String| {
            let rest = self::costs(&streets, node);
            wanted.iter().filter_map(|node| rest.get(node)).min().copied().unwrap_or(u32::INFINITY)
        };
        let graph = ImplicitGraph::new(moves_of(&streets)).with_goal(|node| wanted.contains(node), to_go);
        let query = Query::new(graph.state(&word(start)), graph.arrival());
        let outcome = solve(&graph, &AStar::new(), query).outcome;
        prop_assert_eq!(outcome.path().map(Path::cost), truth);
        if let Some(path) = outcome.path() {
            prop_assert!(wanted.contains(&graph.nodes(path.states()).pop().unwrap()));
            prop_assert_eq!(graph.nodes(path.states()).len(), path.len());
        }
    }
}

#[test]
fn fields_regions_and_both_ways() {
    let line = |&n: &i32| [(n - 1, 2u32), (n + 1, 2)].into_iter().filter(|to| to.0.abs() <= 50);
    let graph = ImplicitGraph::new(line).with_estimate(|a, b| 2 * a.abs_diff(*b)).both_ways();
    let at = |n: i32| graph.state(&n);
    let query = Query::new(at(-50), at(50));
    let path = solve(&graph, &Bidirectional, query).outcome.into_path();
    assert_eq!((path.cost(), path.len()), (200, 100));
    let field = distance_field(&graph, FieldQuery::inward([at(50)])).unwrap();
    assert_eq!(field.cost(at(-50)), Some(200));
    let region = reachable(&graph, ReachableQuery::new(at(0)).max_cost(20)).unwrap();
    assert_eq!(region.states().count(), 21);
}

#[test]
fn states_of_other_graphs_are_refused() {
    let graph = ImplicitGraph::new(|&n: &u32| [(n + 1, 1u32)]);
    let start = graph.state(&0);
    for stranger in [ImplicitState::from_index(77), ImplicitState::from_index(u32::MAX)] {
        assert_eq!(graph.check(stranger), Err(Obstruction::OffMap));
        assert_eq!(graph.node(stranger), None);
        assert!(!solve(&graph, &AStar::new(), Query::new(start, stranger)).outcome.is_found());
    }
    // Without a condition there is nothing to arrive at.
    assert_eq!(graph.check(graph.arrival()), Err(Obstruction::OffMap));
}

/// The closure may look at the graph that it belongs to: no lock is held when it runs.
#[test]
fn moves_may_look_at_the_graph() {
    let met = std::sync::OnceLock::<ImplicitGraph<'_, u32>>::new();
    let graph = met.get_or_init(|| ImplicitGraph::new(|&n: &u32| (n < 20).then_some((n + 1, 1))));
    let outer = ImplicitGraph::new(|n: &u32| {
        let inner = graph.state(n);
        let mut moves = Vec::new();
        graph.successors(inner, |edge| {
            moves.extend(graph.node(edge.target).map(|n| (n, edge.cost)));
        });
        moves
    });
    let query = Query::new(outer.state(&3), outer.state(&20));
    assert_eq!(solve(&outer, &AStar::new(), query).outcome.into_path().cost(), 17);
}

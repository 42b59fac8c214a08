//! Search nodes: their size, epochs, pages and closing.

use std::fmt::Debug;

use proptest::collection::vec;
use proptest::prelude::*;
use wayfare_core::inside::tested::nodes::{
    EPOCHS, MOST_DENSE, Node, Nodes, PAGE, PAGE_LOG2, Relaxed,
};
use wayfare_core::space::Cost;

fn reached(nodes: &Nodes<u32>) -> Vec<(u32, u32)> {
    nodes.reached().map(|one| (one.state, one.cost)).collect()
}

#[test]
fn a_node_is_small() {
    assert_eq!(size_of::<Node<u32>>(), 8);
    assert_eq!(size_of::<Node<u64>>(), 16);
}

#[test]
fn epochs_come_again_without_what_they_knew() {
    let (mut nodes, bound) = (Nodes::<u32>::default(), 700);
    for round in 0..3 * EPOCHS {
        nodes.reset(bound);
        assert_eq!(nodes.reached().next(), None, "round {round}");
        // Some nodes are left alone for many rounds, and not all for the same number.
        let states = [round * 7 % 700, round * round % 700, round / 5 % 700];
        for state in states {
            nodes.open(state, round, state);
            nodes.close(state, round);
        }
        assert!(states.iter().all(|&state| nodes.g(state) == Some(round)));
    }
    nodes.reset(2 * bound);
    assert_eq!(nodes.reached().next(), None, "a larger table begins empty");
}

#[test]
fn a_large_table_takes_memory_as_it_is_reached_and_forgets_it_all() {
    let mut nodes = Nodes::<u32>::default();
    nodes.reset(100);
    nodes.open(7, 1, 3);
    let bound = MOST_DENSE * 64;
    for round in 0..3 {
        nodes.reset(bound);
        let last = bound as u32 - 1 - (round << PAGE_LOG2);
        assert_eq!((nodes.g(7), nodes.g(last), nodes.is_closed(last)), (None, None, false));
        assert!(!nodes.close(last, 0));
        assert_eq!(nodes.relax(last, 9, 4, true), Relaxed::First);
        assert_eq!(nodes.relax(5, 8, 2, false), Relaxed::First);
        assert_eq!(nodes.relax(5, 7, 2, false), Relaxed::No);
        assert_eq!(nodes.relax(last, 6, bound as u32 - 1, true), Relaxed::Cheaper);
        assert!(nodes.close(last, 6));
        assert_eq!(nodes.g(last), Some(6));
        assert_eq!((nodes.parent(last), nodes.parent(5)), (bound as u32 - 1, 2));
        assert_eq!(reached(&nodes), [(5, 8), (last, 6)]);
        assert!(nodes.bytes() < bound / PAGE * 4 + 1_000_000);
        // A state with a cost out of range was reached nevertheless.
        assert_eq!(nodes.relax(6, u32::INFINITY, 4, true), Relaxed::First);
        assert_eq!((nodes.g(6), nodes.is_closed(6)), (Some(u32::INFINITY), false));
        assert_eq!(nodes.relax(6, u32::INFINITY, 5, true), Relaxed::No);
        assert_eq!(nodes.relax(6, 9, 5, true), Relaxed::Cheaper);
        if round == 1 {
            // A small space in between keeps the table.
            nodes.reset(100);
            assert_eq!((nodes.g(5), nodes.g(7)), (None, None));
            nodes.open(7, 2, 7);
            assert_eq!(reached(&nodes), [(7, 2)]);
        }
    }
}

#[test]
fn the_last_of_two_to_the_31_states_is_a_parent_like_others() {
    let mut nodes = Nodes::<u32>::default();
    nodes.reset(1 << 31);
    let last = (1 << 31) - 1;
    nodes.open(last, 0, last);
    assert!(nodes.close(last, 0) && nodes.is_closed(last));
    assert_eq!((nodes.g(last), nodes.parent(last)), (Some(0), last));
    assert_eq!(nodes.relax(last, 0, last, true), Relaxed::No);
    let near = last - 1;
    assert_eq!((nodes.g(near), nodes.is_closed(near)), (None, false));
    assert_eq!(nodes.relax(near, 7, last, true), Relaxed::First);
    assert!(nodes.close(near, 7) && nodes.is_closed(near));
    assert_eq!(nodes.relax(near, 8, last, true), Relaxed::No);
    assert_eq!(nodes.relax(near, 6, last, true), Relaxed::Reopened);
    assert_eq!(reached(&nodes), [(near, 6), (last, 0)]);
}

#[test]
fn only_the_current_path_to_a_node_closes_it() {
    let mut nodes = Nodes::<u32>::default();
    nodes.reset(1);
    assert!(!nodes.close(0, 0));
    nodes.open(0, 7, 0);
    nodes.open(0, 5, 0);
    assert!(!nodes.close(0, 7));
    assert!(nodes.close(0, 5) && nodes.is_closed(0));
    assert!(!nodes.close(0, 5));
    assert_eq!(nodes.relax(0, 4, 0, true), Relaxed::Reopened);
    assert!(!nodes.is_closed(0));
}

/// What to do with a node, by number, its state, cost and parent.
type Deed = (u8, u32, u32, u32);

/// Does it, and returns what can be seen of the node before and after.
fn done(nodes: &mut Nodes<u32>, (deed, state, cost, parent): Deed) -> impl PartialEq + Debug {
    let before = nodes.g(state);
    let relaxed = match deed {
        0 => Some(nodes.relax(state, cost, parent, true)),
        1 => Some(nodes.relax(state, cost, parent, false)),
        2 => nodes.close(state, cost).then_some(Relaxed::No),
        3 => nodes.close(state, before.unwrap_or(0)).then_some(Relaxed::No),
        4 => {
            nodes.open(state, cost, parent);
            None
        }
        5 if before.is_some() => {
            nodes.set_parent(state, parent);
            None
        }
        _ => {
            nodes.forget(state);
            None
        }
    };
    let after = nodes.g(state);
    (before, relaxed, after, nodes.is_closed(state), after.map(|_| nodes.parent(state)))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_list_does_what_a_table_does(
        rounds in vec(vec((0u8..7, 0u32..40, 0u32..9, 0u32..40), 0..80), 1..4),
    ) {
        let [mut list, mut table] = [Nodes::<u32>::default(), Nodes::default()];
        for deeds in rounds {
            list.list_next(true);
            list.reset(40);
            list.list_next(false);
            table.reset(40);
            for deed in deeds {
                prop_assert_eq!(done(&mut list, deed), done(&mut table, deed));
                prop_assert_eq!(reached(&list), reached(&table));
            }
        }
    }
}

#[test]
fn a_full_list_goes_on_as_a_table() {
    let mut nodes = Nodes::<u32>::default();
    let bound = 70_000;
    for round in 0..2 {
        nodes.list_next(true);
        nodes.reset(bound);
        assert_eq!(nodes.reached().next(), None, "round {round}");
        for state in 0..bound as u32 {
            assert_eq!(nodes.relax(state, state + round, state / 2, true), Relaxed::First);
            assert!(state % 3 != 0 || nodes.close(state, state + round));
        }
        for state in 0..bound as u32 {
            assert_eq!((nodes.g(state), nodes.parent(state)), (Some(state + round), state / 2));
            assert_eq!(nodes.is_closed(state), state % 3 == 0);
        }
    }
    nodes.list_next(false);
    nodes.reset(bound);
    assert_eq!(nodes.reached().next(), None);
}

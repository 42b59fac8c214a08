//! Component labels after edits, against those of a rebuilt graph.

use std::cell::Cell;
use std::collections::BTreeSet;

use proptest::prelude::*;
use wayfare_core::inside::{Adjacency, Components};
use wayfare_core::space::Reachability;

#[derive(Default)]
struct Graph {
    alive: Vec<bool>,
    links: Vec<BTreeSet<u32>>,
    visits: Cell<usize>,
}

impl Adjacency for Graph {
    fn neighbours(&self, state: u32, visit: impl FnMut(u32)) {
        self.visits.set(self.visits.get() + 1);
        self.links[state as usize].iter().copied().for_each(visit);
    }
}

impl Graph {
    fn new(states: usize) -> Self {
        Self {
            alive: vec![true; states],
            links: vec![BTreeSet::new(); states],
            visits: Cell::new(0),
        }
    }

    fn link(&mut self, a: u32, b: u32) -> bool {
        let new = a != b && self.alive[a as usize] && self.alive[b as usize];
        new && self.links[a as usize].insert(b) && self.links[b as usize].insert(a)
    }

    fn unlink(&mut self, a: u32, b: u32) -> bool {
        self.links[a as usize].remove(&b) && self.links[b as usize].remove(&a)
    }

    fn components(&self) -> Components {
        Components::build(self.alive.len(), |state| self.alive[state as usize], self)
    }
}

/// Two labellings agree if they part the states alike.
fn assert_same_parts(kept: &Components, rebuilt: &Components, states: u32) {
    let mut pairs = BTreeSet::new();
    for state in 0..states {
        match (kept.label(state), rebuilt.label(state)) {
            (Some(a), Some(b)) => {
                pairs.insert((a, b));
            }
            (None, None) => {}
            (a, b) => panic!("state {state}: {a:?} against {b:?}"),
        }
    }
    let left: BTreeSet<u32> = pairs.iter().map(|pair| pair.0).collect();
    let right: BTreeSet<u32> = pairs.iter().map(|pair| pair.1).collect();
    assert_eq!((left.len(), right.len()), (pairs.len(), pairs.len()), "{pairs:?}");
    for state in 0..states {
        assert_eq!(kept.name(state), rebuilt.name(state), "the name of state {state}");
    }
    for label in left {
        let size = (0..states).filter(|&state| kept.label(state) == Some(label)).count();
        assert_eq!(kept.sizes[label as usize] as usize, size);
    }
}

proptest! {
    #[test]
    fn edits_equal_a_rebuild(
        states in 1usize..40,
        edits in prop::collection::vec((0u8..4, any::<u32>(), any::<u32>()), 0..400),
    ) {
        let mut graph = Graph::new(states);
        let mut components = graph.components();
        for (kind, a, b) in edits {
            let (a, b) = (a % states as u32, b % states as u32);
            match kind {
                0 if graph.link(a, b) => components.join(a, b),
                1 if graph.unlink(a, b) => components.split(&[a, b], &graph),
                2 if graph.alive[a as usize] => {
                    let former: Vec<u32> = graph.links[a as usize].iter().copied().collect();
                    for &next in &former {
                        graph.unlink(a, next);
                    }
                    graph.alive[a as usize] = false;
                    components.remove(a, &former, &graph);
                }
                2 => {
                    graph.alive[a as usize] = true;
                    let links: Vec<u32> =
                        (0..b % 4).map(|i| (a + b / 7 * i) % states as u32).collect();
                    for &next in &links {
                        graph.link(a, next);
                    }
                    components.insert(a, graph.links[a as usize].iter().copied());
                }
                _ => {}
            }
            assert_same_parts(&components, &graph.components(), states as u32);
        }
    }
}

#[test]
fn a_removal_costs_what_the_smaller_piece_costs() {
    let states = 100_000;
    let mut graph = Graph::new(states);
    for state in 1..states as u32 {
        graph.link(state - 1, state);
    }
    let mut components = graph.components();
    graph.visits.set(0);
    graph.unlink(9, 10);
    components.split(&[9, 10], &graph);
    assert!(graph.visits.get() <= 25, "{}", graph.visits.get());
    assert_ne!(components.label(9), components.label(10));
    assert_eq!(components.label(10), components.label(99_999));
    assert!(matches!(components.reachability(0, 50), Reachability::DifferentIslands { .. }));
}

#[test]
fn labels_do_not_pile_up() {
    let mut graph = Graph::new(4);
    let mut components = graph.components();
    for _ in 0..10_000 {
        graph.link(0, 1);
        components.join(0, 1);
        graph.unlink(0, 1);
        components.split(&[0, 1], &graph);
    }
    assert!(components.parents.len() < 100);
    assert_same_parts(&components, &graph.components(), 4);
}

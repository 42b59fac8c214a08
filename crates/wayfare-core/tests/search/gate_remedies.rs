//! Which shut doors are in the way.

use std::num::NonZeroU16;

use wayfare_core::link::{Crossing, Gate, Keys, LinkId, NavLink, NavLinks, gate_remedies};
use wayfare_core::search::{AStar, Query, solve};
use wayfare_core::space::MoveRules;
use wayfare_grid::grid::{Cell, Grid};

/// Rooms in a row, with a shut door between each and the next.
fn rooms() -> (Grid, NavLinks<Cell>) {
    let grid = Grid::from_rows(&["..#..#.."]).unwrap();
    let mut links = NavLinks::new(2.0);
    for (from, to) in [(1, 3), (4, 6)] {
        let ends = [from, to].map(|x| grid.cell(x, 0).unwrap());
        let door = NavLink::new(ends[0], ends[1], Crossing::Seconds(1.0));
        links.add(&grid.space(), door.locked(Keys(1))).unwrap();
    }
    (grid, links)
}

#[test]
fn doors_that_are_needed_together_are_told_together() {
    let (grid, links) = rooms();
    let (space, at) = (grid.space(), |x| grid.cell(x, 0).unwrap());
    let needs = |from, to, keys| {
        let query = Query::new(at(from), at(to));
        let remedies = gate_remedies(&links, &space, keys, &query, 9);
        remedies.into_iter().map(|remedy| remedy.links).collect::<Vec<_>>()
    };
    assert_eq!(needs(0, 7, Keys::NONE), [[LinkId(0), LinkId(1)]]);
    assert_eq!(needs(0, 4, Keys::NONE), [[LinkId(0)]]);
    assert!(needs(0, 7, Keys(1)).is_empty(), "no link is shut to who holds the key");
    assert!(needs(0, 1, Keys::NONE).is_empty(), "no link is in the way");
}

#[test]
fn a_full_link_is_in_the_way_until_it_has_room() {
    let grid = Grid::from_rows(&["..#..", "..#.."]).unwrap();
    let (space, at) = (grid.space(), |x, y| grid.cell(x, y).unwrap());
    let mut links = NavLinks::new(2.0);
    let ladder = |y| NavLink::new(at(1, y), at(3, y), Crossing::Seconds(1.0));
    let two = links.add(&space, ladder(0).capacity(NonZeroU16::new(2).unwrap())).unwrap();
    let any = links.add(&space, ladder(1).gate(Gate::Closed)).unwrap();
    let query = || Query::new(at(0, 0), at(4, 0));
    let found = |links: &NavLinks<Cell>| {
        let space = links.over(space, Keys::NONE);
        solve(&space, &AStar::new(), query()).outcome.is_found()
    };
    let needs = |links: &NavLinks<Cell>| {
        let remedies = gate_remedies(links, &space, Keys::NONE, &query(), 9);
        remedies.into_iter().map(|remedy| remedy.links).collect::<Vec<_>>()
    };
    assert!(links.set_occupants(two, 1) && !links.set_occupants(two, 1));
    assert!(found(&links) && !links.is_full(two), "one more has room");
    links.set_occupants(two, 2);
    assert!(!found(&links) && links.is_full(two));
    let verdict = links.over(space, Keys::NONE).check_move(at(1, 0), at(3, 0));
    assert!(verdict.is_err(), "the rules know it too");
    assert_eq!(needs(&links), [[two], [any]]);
    links.set_gate(any, Gate::Open);
    links.set_occupants(any, u16::MAX);
    assert!(found(&links) && !links.is_full(any), "it holds any number");
    links.set_occupants(two, 0);
    assert!(needs(&links).is_empty(), "no link is shut");
}

#[test]
fn a_search_is_told_when_a_link_fills() {
    let (_, mut links) = rooms();
    let before = links.revision();
    links.set_occupants(LinkId(0), 3);
    assert_ne!(links.revision(), before);
    assert!(!links.set_occupants(LinkId(9), 1), "an unknown link");
}

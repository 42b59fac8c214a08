//! Nodes of any type: the 15-puzzle, and a plan for a day.
//! `cargo run -p wayfare --example puzzle`.
#![expect(clippy::print_stdout, reason = "a program")]

use wayfare::prelude::*;
use wayfare::search::Query;
use wayfare::space::ImplicitGraph;

/// Tiles by row; 0 is the gap.
type Board = [u8; 16];

fn slides(board: &Board) -> Vec<(Board, u32)> {
    let gap = board.iter().position(|&tile| tile == 0).unwrap_or(0);
    let around = [
        (gap % 4 > 0).then(|| gap - 1),
        (gap % 4 < 3).then(|| gap + 1),
        gap.checked_sub(4),
        (gap < 12).then(|| gap + 4),
    ];
    let slide = |from: usize| {
        let mut next = *board;
        next.swap(gap, from);
        (next, 1)
    };
    around.into_iter().flatten().map(slide).collect()
}

/// Rows and columns that the tiles are away from their places.
fn distance(from: &Board, to: &Board) -> u32 {
    let place = |board: &Board, tile| board.iter().position(|&other| other == tile).unwrap_or(0);
    let offset = |tile| {
        let (a, b) = (place(from, tile), place(to, tile));
        ((a % 4).abs_diff(b % 4) + (a / 4).abs_diff(b / 4)) as u32
    };
    (1..16).map(offset).sum()
}

/// What an agent knows: a plan of actions is a path through its facts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
struct Facts {
    has_axe: bool,
    logs: u8,
    is_warm: bool,
}

/// The actions that the facts allow, with their cost in seconds.
fn actions(&facts: &Facts) -> Vec<(Facts, u32)> {
    let mut actions = vec![(Facts { logs: facts.logs + 1, ..facts }, 60)]; // gather by hand
    if facts.has_axe {
        actions.push((Facts { logs: facts.logs + 1, ..facts }, 10));
    } else {
        actions.push((Facts { has_axe: true, ..facts }, 90)); // fetch the axe
    }
    if facts.logs >= 3 {
        actions.push((Facts { logs: facts.logs - 3, is_warm: true, ..facts }, 5)); // light a fire
    }
    actions
}

fn main() {
    let solved: Board = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0];
    let mixed: Board = [5, 1, 2, 4, 9, 6, 3, 8, 13, 10, 7, 12, 0, 14, 11, 15];
    let puzzle = ImplicitGraph::new(slides).with_estimate(distance);
    let query = Query::new(puzzle.state(&mixed), puzzle.state(&solved));
    let slides = solve(&puzzle, &AStar::new(), query).outcome.into_path().cost();
    println!("{slides} slides, {} boards met", puzzle.known());
    assert_eq!(slides, 9);

    let plan = ImplicitGraph::new(actions).with_goal(|facts| facts.is_warm, |_| 0);
    let query = Query::new(plan.state(&Facts::default()), plan.arrival());
    let path = solve(&plan, &Dijkstra, query).outcome.into_path();
    println!("{} seconds: {:?}", path.cost(), plan.nodes(path.states()));
    assert_eq!(path.cost(), 90 + 3 * 10 + 5);
}

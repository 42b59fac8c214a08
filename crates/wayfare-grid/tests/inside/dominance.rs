//! Moves that no other path dominates.

use wayfare_core::space::{DIAGONAL, STRAIGHT};
use wayfare_grid::grid::{CornerRule, Neighbours};
use wayfare_grid::inside::tested::dominance::{EntryCost, Needed, Neighbourhood};
use wayfare_grid::inside::tested::moves::move_table;

const NW: usize = 0;
const N: usize = 1;
const NE: usize = 2;
const W: usize = 3;
const E: usize = 4;
const SW: usize = 5;
const S: usize = 6;
const SE: usize = 7;

fn times(factor: u32) -> EntryCost {
    EntryCost { straight: STRAIGHT * factor, diagonal: DIAGONAL * factor }
}

fn needed(around: [Option<u32>; 8], centre: u32) -> Needed {
    Neighbourhood {
        centre: times(centre),
        around: around.map(|factor| factor.map(times)),
        moves: move_table(Neighbours::Eight, CornerRule::BothFree),
    }
    .needed()
}

fn bits(directions: &[usize]) -> u8 {
    directions.iter().fold(0, |bits, direction| bits | 1 << direction)
}

#[test]
fn on_uniform_terrain_straight_lines_go_on_and_diagonals_fan_out() {
    let needed = needed([Some(3); 8], 3);
    assert_eq!(needed[E], bits(&[E]));
    assert_eq!(needed[S], bits(&[S]));
    assert_eq!(needed[NE], bits(&[N, E, NE]));
    assert_eq!(needed[SW], bits(&[S, W, SW]));
}

#[test]
fn a_line_turns_where_cheaper_ground_begins_and_not_where_more_expensive_does() {
    let mut around = [Some(2); 8];
    for ahead in [NE, E, SE] {
        around[ahead] = Some(1);
    }
    assert_eq!(needed(around, 2)[E], bits(&[NE, E, SE]));
    for ahead in [NE, E, SE] {
        around[ahead] = Some(4);
    }
    assert_eq!(needed(around, 2)[E], bits(&[E]));
}

#[test]
fn a_line_turns_behind_a_wall() {
    let mut around = [Some(1); 8];
    around[NW] = None;
    assert_eq!(needed(around, 1)[E], bits(&[N, NE, E]));
}

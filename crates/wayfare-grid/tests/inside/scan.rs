//! Scans for jump points, against a walk from cell to cell and the canonical table.

use proptest::prelude::*;
use wayfare_grid::grid::{Cell, CornerRule, Neighbours};
use wayfare_grid::inside::tested::canonical::canonical_table;
use wayfare_grid::inside::tested::moves::{EAST, NORTH, SOUTH, WEST};
use wayfare_grid::inside::tested::scan::{Always, BothFree, OneFree, Rows, Stop, Turns};
use wayfare_grid::inside::{BitMap, Layout};

/// The same cell by cell, by the definition of a forced neighbour.
fn walk(map: &BitMap, stride: u32, from: Cell, forward: bool, least: u32) -> Stop {
    let free = |cell: u32| map.get(Cell(cell));
    let next = |cell: u32| if forward { cell + 1 } else { cell - 1 };
    let (mut before, mut steps) = (from.0, 0);
    loop {
        let at = next(before);
        steps += 1;
        if !free(at) {
            return Stop { steps, is_jump_point: false };
        }
        let turns = |beside: fn(u32, u32) -> u32| {
            if least < 2 {
                !free(beside(at, stride))
                    && free(beside(next(at), stride))
                    && (least == 0 || free(next(at)))
            } else {
                !free(beside(before, stride)) && free(beside(at, stride))
            }
        };
        if turns(|cell, stride| cell - stride) || turns(|cell, stride| cell + stride) {
            return Stop { steps, is_jump_point: true };
        }
        before = at;
    }
}

/// Whether the middle of nine cells has a forced neighbour along a row, and along a column.
///
/// `free`: the cells around it as bits in the order of the moves.
fn turns<T: Turns, const FORWARD: bool>(free: u8) -> [bool; 2] {
    let is_free = |bit: u8| u64::from(free >> bit & 1);
    let word = |cells: [u64; 3]| {
        let word = cells[0] | cells[1] << 1 | cells[2] << 2;
        if FORWARD { word } else { word << 61 }
    };
    let lines = [
        [
            [is_free(0), is_free(1), is_free(2)],
            [is_free(3), 1, is_free(4)],
            [is_free(5), is_free(6), is_free(7)],
        ],
        [
            [is_free(0), is_free(3), is_free(5)],
            [is_free(1), 1, is_free(6)],
            [is_free(2), is_free(4), is_free(7)],
        ],
    ];
    let middle = if FORWARD { 1 } else { 62 };
    lines.map(|[above, here, below]| {
        let rows = Rows { above: word(above), here: word(here), below: word(below) };
        T::of::<FORWARD>(rows) >> middle & 1 == 1
    })
}

/// Compares the forced neighbours with the canonical table, for all patterns of neighbours.
fn compare<T: Turns>(neighbours: Neighbours, corners: CornerRule) {
    let table = canonical_table(neighbours, corners);
    for free in 0..=u8::MAX {
        let forward = turns::<T, true>(free).into_iter().zip([EAST, SOUTH]);
        let backward = turns::<T, false>(free).into_iter().zip([WEST, NORTH]);
        for (is_turn, direction) in forward.chain(backward) {
            let is_row = direction == EAST || direction == WEST;
            let comes_from_a_wall = free >> (7 - direction) & 1 == 0;
            if comes_from_a_wall || neighbours == Neighbours::Four && is_row {
                continue;
            }
            let needed = table[direction][usize::from(free)] & !(1 << direction);
            assert_eq!(needed != 0, is_turn, "{corners:?}, {direction}, {free:08b}");
        }
    }
}

#[test]
fn scans_stop_exactly_where_the_canonical_table_needs_more_than_the_move_ahead() {
    compare::<BothFree>(Neighbours::Four, CornerRule::BothFree);
    compare::<BothFree>(Neighbours::Eight, CornerRule::BothFree);
    compare::<OneFree>(Neighbours::Eight, CornerRule::OneFree);
    compare::<Always>(Neighbours::Eight, CornerRule::Always);
}

proptest! {
    #[test]
    fn a_scan_ends_where_a_walk_does(
        width in 1u32..400,
        height in 1u32..4,
        holes in prop::collection::vec((0u32..400, 0u32..4), 0..8),
        full_row in prop::option::of(0u32..4),
        at in (0u32..400, 0u32..4),
    ) {
        let layout = Layout::new(width, height);
        let mut map = BitMap::new(&layout);
        for cell in layout.cells() {
            map.set(cell, full_row != Some(layout.coordinates(cell).1));
        }
        for (x, y) in holes {
            let cell = layout.cell(x % width, y % height);
            map.set(cell, !map.get(cell));
        }
        let from = layout.cell(at.0 % width, at.1 % height);
        if !map.get(from) {
            return Ok(());
        }
        let (ahead, back) = (map.rows::<true>(from), map.rows::<false>(from));
        let walk = |forward, least| walk(&map, layout.stride, from, forward, least);
        prop_assert_eq!(map.scan::<BothFree, true>(from, ahead), walk(true, 2));
        prop_assert_eq!(map.scan::<BothFree, false>(from, back), walk(false, 2));
        prop_assert_eq!(map.scan::<OneFree, true>(from, ahead), walk(true, 1));
        prop_assert_eq!(map.scan::<OneFree, false>(from, back), walk(false, 1));
        prop_assert_eq!(map.scan::<Always, true>(from, ahead), walk(true, 0));
        prop_assert_eq!(map.scan::<Always, false>(from, back), walk(false, 0));
    }
}

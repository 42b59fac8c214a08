//! The count of obstacles, kept up to date, against that of a new map.

use proptest::prelude::*;
use wayfare_grid::inside::tested::clutter::Clutter;
use wayfare_grid::inside::{BitMap, Layout};

fn map(rows: &[&str]) -> (BitMap, Layout) {
    let layout = Layout::new(rows[0].len() as u32, rows.len() as u32);
    let mut map = BitMap::new(&layout);
    for (y, row) in (0..).zip(rows) {
        for (x, tile) in (0..).zip(row.bytes()) {
            map.set(layout.cell(x, y), tile == b'.');
        }
    }
    (map, layout)
}

#[test]
fn obstacles_are_counted_less_what_they_enclose() {
    for (rows, obstacles) in [
        (["........", "........", "........", "........"], -1),
        (["........", ".#...#..", "..#..#..", "........"], 1),
        (["........", ".###.#..", ".#.#....", ".###...."], -1),
        (["#.......", ".......#", "...##...", "........"], 0),
        (["########", "########", "########", "########"], 0),
    ] {
        let (map, layout) = map(&rows);
        assert_eq!(Clutter::of(&map, &layout).obstacles(), obstacles, "{rows:?}");
    }
}

proptest! {
    #[test]
    fn followed_counts_are_those_of_a_new_map(
        (width, height) in (1u32..140, 1u32..20),
        flips in prop::collection::vec(any::<(u32, u32)>(), 1..300),
    ) {
        let layout = Layout::new(width, height);
        let mut map = BitMap::new(&layout);
        let mut clutter = Clutter::of(&map, &layout);
        for (x, y) in flips {
            let cell = layout.cell(x % width, y % height);
            let is_free = !map.get(cell);
            map.set(cell, is_free);
            clutter.follow(map.around(cell), is_free);
        }
        prop_assert_eq!(clutter, Clutter::of(&map, &layout));
    }
}

//! Rooms that follow edits, against those of a new map.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use wayfare_core::inside::Gateway;
use wayfare_grid::grid::{Cell, CornerRule, Neighbours};
use wayfare_grid::inside::tested::moves::move_table;
use wayfare_grid::inside::tested::rooms::Rooms;
use wayfare_grid::inside::tested::signs::Signed;
use wayfare_grid::inside::{BitMap, Layout};

/// The facts about each free cell, without numbers: the first cells of its rooms, and what is known
/// of them.
type Description = Vec<[(u32, u32, u64); 2]>;

fn description(rooms: &Rooms, layout: &Layout) -> Description {
    let mut first = BTreeMap::new();
    for cell in layout.cells() {
        for room in rooms.of(cell).into_iter().flatten() {
            first.entry(room).or_insert(cell.0);
        }
    }
    let described =
        |of: [u32; 2]| of.map(|room| (first[&room], rooms.cells(room), rooms.boundary(room)));
    layout.cells().filter_map(|cell| rooms.of(cell)).map(described).collect()
}

/// Checks that all rooms of an island are in one tree, with a gateway fewer than rooms, and that
/// no way leads from one side of a gateway to the other but through it.
fn check_tree(rooms: &Rooms, map: Signed<'_>) -> Result<(), TestCaseError> {
    let free = || map.layout.cells().filter(|&cell| map.rows.get(cell));
    let is_free = |cell: Cell| map.rows.get(cell);
    let island = islands(map, is_free);
    let (mut roots, mut all) = (BTreeMap::new(), BTreeSet::new());
    for cell in free() {
        for room in rooms.of(cell).unwrap() {
            let way: Vec<u32> = rooms.way_up(room).take(1 + map.layout.bound()).collect();
            prop_assert!(way.len() <= map.layout.bound(), "a way up goes in a circle");
            let root = *way.last().unwrap();
            prop_assert_eq!(*roots.entry(island[&cell]).or_insert(root), root);
            all.insert(room);
        }
    }
    let islands_with_rooms = roots.len();
    let gateways: Vec<Gateway> = rooms.gateways().collect();
    prop_assert_eq!(gateways.len() + islands_with_rooms, all.len());
    for gateway in gateways {
        let place = |place: u16| {
            let (line, place) = (u32::from(gateway.line), u32::from(place));
            let (x, y) = if gateway.is_column { (line, place) } else { (place, line) };
            map.layout.cell(x, y)
        };
        let cells: BTreeSet<Cell> = (gateway.first..=gateway.last).map(place).collect();
        let [own, other] = rooms.of(place(gateway.first)).unwrap();
        prop_assert!(own != other);
        let apart = self::islands(map, |cell| map.rows.get(cell) && !cells.contains(&cell));
        let parts = |room: u32| -> BTreeSet<u32> {
            let of = free().filter(|cell| rooms.of(*cell).unwrap() == [room; 2]);
            of.map(|cell| apart[&cell]).collect()
        };
        prop_assert!(parts(own).is_disjoint(&parts(other)), "{gateway:?} does not separate");
    }
    Ok(())
}

/// The islands of some cells, each by one of its cells.
fn islands(map: Signed<'_>, is_free: impl Fn(Cell) -> bool) -> BTreeMap<Cell, u32> {
    let mut island = BTreeMap::new();
    for seed in map.layout.cells().filter(|&cell| is_free(cell)) {
        let mut stack = vec![seed];
        while let Some(cell) = stack.pop() {
            if island.contains_key(&cell) {
                continue;
            }
            island.insert(cell, seed.0);
            for (bit, offset) in map.layout.offsets().into_iter().enumerate() {
                let other = Cell(cell.0.wrapping_add_signed(offset));
                let leads = map.corners == CornerRule::Always || 0b0101_1010 >> bit & 1 == 1;
                if leads && map.layout.contains(other) && is_free(other) {
                    stack.push(other);
                }
            }
        }
    }
    island
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn mended_rooms_are_those_of_a_new_map(
        size in (2u32..60, 2u32..60),
        (seed, dense, wide) in (any::<u64>(), 10u64..60, 1u32..4),
        rounds in prop::collection::vec(prop::collection::vec(any::<(u32, u32)>(), 1..12), 1..8),
        (is_always, has_walls) in any::<(bool, bool)>(),
    ) {
        let layout = Layout::new(size.0, size.1);
        let transposed = Layout::new(size.1, size.0);
        let (mut rows, mut columns) = (BitMap::new(&layout), BitMap::new(&transposed));
        let corners = if is_always { CornerRule::Always } else { CornerRule::BothFree };
        let flip = |rows: &mut BitMap, columns: &mut BitMap, x: u32, y: u32| {
            let cell = layout.cell(x, y);
            let free = !rows.get(cell);
            rows.set(cell, free);
            columns.set(transposed.cell(y, x), free);
            cell
        };
        for (x, y) in (0..size.1).flat_map(|y| (0..size.0).map(move |x| (x, y))) {
            let place = u64::from(x / wide) << 32 | u64::from(y / wide);
            let mixed = (place ^ seed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let mixed = (mixed.wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40) % 100;
            // Rooms of 4 x 3 cells, with openings in some of their walls.
            let is_wall = x % 5 == 0 || y % 4 == 0;
            if if has_walls { !is_wall || mixed < dense / 4 } else { mixed >= dense } {
                flip(&mut rows, &mut columns, x, y);
            }
        }
        let mut rooms: Option<Rooms> = None;
        let mut wall_at: Vec<(u32, u32)> = Vec::new();
        let last = rounds.len();
        for (round, flips) in rounds.into_iter().enumerate() {
            let mut places: Vec<(u32, u32)> =
                flips.into_iter().map(|(x, y)| (x % size.0, y % size.1)).collect();
            if has_walls {
                // Short walls are built, and torn down in the next round.
                let (x, y) = places[0];
                let wall = places.len() as u32 / 3 + 2;
                if round % 2 == 0 {
                    wall_at = (0..wall).map(|n| (x, (y + n) % size.1)).collect();
                    wall_at.sort_unstable();
                    wall_at.dedup();
                    wall_at.retain(|&(x, y)| rows.get(layout.cell(x, y)));
                }
                places.clone_from(&wall_at);
            }
            let flips: Vec<Cell> =
                places.into_iter().map(|(x, y)| flip(&mut rows, &mut columns, x, y)).collect();
            let map = Signed {
                layout: &layout,
                rows: &rows,
                columns: &columns,
                column_stride: transposed.stride,
                neighbours: Neighbours::Eight,
                corners,
                moves: move_table(Neighbours::Eight, corners),
            };
            let new = Rooms::new(map);
            let mended = match rooms.take() {
                Some(mut rooms) => {
                    rooms.follow(map, &flips);
                    rooms
                }
                None => new.clone(),
            };
            prop_assert_eq!(
                mended.gateways().collect::<Vec<_>>(),
                new.gateways().collect::<Vec<_>>()
            );
            prop_assert_eq!(description(&mended, &layout), description(&new, &layout));
            prop_assert_eq!(mended.free(), new.free());
            rooms = Some(mended);
            if round + 1 == last {
                check_tree(rooms.as_ref().unwrap(), map)?;
            }
        }
    }
}

#[test]
fn a_wall_that_is_built_and_torn_down_leaves_the_rooms_as_they_were() {
    let map = [
        "######.###.#####.#########",
        "#....#....#..............#",
        "#....#....#....#.........#",
        "#....#....#....#....#....#",
        ".##########..##.##########",
        ".....#.........#....#.....",
        ".....#....#....#....#....#",
        "#....#....#....#....#....#",
        "######.###.###############",
        "#....#....#..............#",
        "#....#....#.........#....#",
        "#....#....#....#....#....#",
        "###########..##.########.#",
        ".....#.........#....#.....",
        "#....#....#....#....#....#",
        "#....#....#....#....#....#",
        "#.##############.###.#####",
        "#....#....#....#....#....#",
        "#....#....#....#.........#",
        "#....#....#....#....#....#",
        ".##############.#####.####",
        "#....#....#....#....#.....",
        "#....#....#....#....#.....",
        "#....#....#....#....#....#",
        "##########.##.##.#########",
        "#....#....#....#.........#",
        "#....#....#....#.........#",
        "#....#....#....#....#....#",
        ".##########.###.#####.####",
        ".....#....#....#....#.....",
        "#....#....#....#....#.....",
        "#....#....#....#....#....#",
        "###..#..##########.#######",
        "#.........#....#....#....#",
        "#....#....#....#....#....#",
        "#....#.........#....#....#",
        "##.##.##.###############.#",
        "#....#.........#....#....#",
        "#....#....#....#....#....#",
        "#....#....#....#....#....#",
        "###.###.##########.#######",
        "#.........#....#....#....#",
        "#....#....#....#....#....#",
        "#....#.........#....#....#",
        "#####.##.########.#####..#",
        "#....#....#....#....#....#",
        "#....#....#....#....#....#",
        "#....#....#....#....#....#",
        "######..##.###############",
        "#.........#..............#",
    ];
    let (layout, transposed) = (Layout::new(26, 50), Layout::new(50, 26));
    let (mut rows, mut columns) = (BitMap::new(&layout), BitMap::new(&transposed));
    let mut rooms: Option<Rooms> = None;
    for is_built in [false, true, false] {
        for (y, row) in (0..).zip(map) {
            for (x, tile) in (0..).zip(row.bytes()) {
                let free = tile == b'.' && !(is_built && x == 21 && (16..19).contains(&y));
                rows.set(layout.cell(x, y), free);
                columns.set(transposed.cell(y, x), free);
            }
        }
        let (neighbours, corners) = (Neighbours::Eight, CornerRule::BothFree);
        let map = Signed {
            layout: &layout,
            rows: &rows,
            columns: &columns,
            column_stride: transposed.stride,
            neighbours,
            corners,
            moves: move_table(neighbours, corners),
        };
        let new = Rooms::new(map);
        let mended = rooms.get_or_insert_with(|| new.clone());
        mended.follow(map, &[16, 17, 18].map(|y| layout.cell(21, y)));
        check_tree(&new, map).unwrap();
        assert_eq!(description(mended, &layout), description(&new, &layout));
        check_tree(mended, map).unwrap();
    }
}

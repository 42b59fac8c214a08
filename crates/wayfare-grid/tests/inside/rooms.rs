//! Rooms that follow edits, against those of a new map.

use proptest::prelude::*;
use wayfare_grid::grid::{Cell, CornerRule, Neighbours};
use wayfare_grid::inside::tested::moves::move_table;
use wayfare_grid::inside::tested::parts::{NONE, PLAIN};
use wayfare_grid::inside::tested::rooms::{Room, Rooms, Stale};
use wayfare_grid::inside::tested::signs::Signed;
use wayfare_grid::inside::{BitMap, Layout};

/// The facts about each free cell, without numbers: the first cells of its room, its part, the
/// outer room and the gateway, and the facts about the room.
type Description = Vec<(u32, u32, u32, u32, Room)>;

fn description(rooms: &Rooms, layout: &Layout) -> Description {
    let mut first = vec![[u32::MAX; 2]; usize::from(u16::MAX) + 1];
    let numbers = |cell: Cell| {
        let number = rooms.parts.of(cell).unwrap();
        (number != NONE).then(|| (usize::from(number), usize::from(rooms.room_of(number))))
    };
    for (cell, (number, room)) in layout.cells().filter_map(|cell| Some((cell, numbers(cell)?))) {
        first[number][0] = first[number][0].min(cell.0);
        first[room][1] = first[room][1].min(cell.0);
    }
    let described = |(number, room): (usize, usize)| {
        let is_plain = room == usize::from(PLAIN);
        let known = rooms.rooms[room];
        let [outer, gateway] = [known.outer, known.number_of_gateway].map(usize::from);
        (
            first[room][1],
            if is_plain { 0 } else { first[number][0] },
            first[outer][1],
            first[gateway][0],
            Room { outer: 0, number_of_gateway: 0, ..known },
        )
    };
    layout.cells().filter_map(numbers).map(described).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn mended_rooms_are_those_of_a_new_map(
        size in (2u32..60, 2u32..60),
        (seed, dense, wide) in (any::<u64>(), 10u64..60, 1u32..4),
        rounds in prop::collection::vec(prop::collection::vec(any::<(u32, u32)>(), 1..12), 1..8),
        is_always in any::<bool>(),
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
            if (mixed.wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 40) % 100 >= dense {
                flip(&mut rows, &mut columns, x, y);
            }
        }
        let mut rooms: Option<Rooms> = None;
        for flips in rounds {
            let flips: Vec<Cell> = flips
                .into_iter()
                .map(|(x, y)| flip(&mut rows, &mut columns, x % size.0, y % size.1))
                .collect();
            let map = Signed {
                layout: &layout,
                rows: &rows,
                columns: &columns,
                column_stride: transposed.stride,
                neighbours: Neighbours::Eight,
                corners,
                moves: move_table(Neighbours::Eight, corners),
            };
            let mended = Rooms::new(map, rooms.map(|rooms| Stale { rooms, flips }));
            let new = Rooms::new(map, None);
            prop_assert_eq!(description(&mended, &layout), description(&new, &layout));
            prop_assert_eq!(mended.parts.free(), new.parts.free());
            rooms = Some(mended);
        }
    }
}

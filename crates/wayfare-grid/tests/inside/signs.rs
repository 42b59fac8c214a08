//! Signposts, against scans, also after edits.

use proptest::prelude::*;
use wayfare_grid::grid::{Cell, CornerRule, Neighbours};
use wayfare_grid::inside::tested::moves::{DIAGONALS, move_table};
use wayfare_grid::inside::tested::scan::{Always, BothFree, OneFree, Turns};
use wayfare_grid::inside::tested::signs::{EAST, NORTH, SOUTH, Signed, Signposts, WEST};
use wayfare_grid::inside::{BitMap, Layout};

struct World {
    layout: Layout,
    transposed: Layout,
    rows: BitMap,
    columns: BitMap,
    neighbours: Neighbours,
    corners: CornerRule,
}

impl World {
    fn new(width: u32, height: u32, neighbours: Neighbours, corners: CornerRule) -> Self {
        let (layout, transposed) = (Layout::new(width, height), Layout::new(height, width));
        let (rows, columns) = (BitMap::new(&layout), BitMap::new(&transposed));
        Self { layout, transposed, rows, columns, neighbours, corners }
    }

    fn flip(&mut self, x: u32, y: u32) -> Cell {
        let cell = self.layout.cell(x, y);
        let free = !self.rows.get(cell);
        self.rows.set(cell, free);
        self.columns.set(self.transposed.cell(y, x), free);
        cell
    }

    fn signed(&self) -> Signed<'_> {
        Signed {
            layout: &self.layout,
            rows: &self.rows,
            columns: &self.columns,
            column_stride: self.transposed.stride,
            neighbours: self.neighbours,
            corners: self.corners,
            moves: move_table(self.neighbours, self.corners),
        }
    }
}

/// Whether a line ends at a jump point.
fn leads<T: Turns, const FORWARD: bool>(map: &BitMap, from: Cell) -> bool {
    map.scan::<T, FORWARD>(from, map.rows::<FORWARD>(from)).is_jump_point
}

proptest! {
    #[test]
    fn signs_say_what_scans_find_and_stay_right_under_edits(
        (width, height) in prop_oneof![(1u32..110, 1u32..12), (1u32..12, 1u32..110)],
        rule in 0usize..4,
        walls in prop::collection::vec((any::<u32>(), any::<u32>()), 0..60),
        edits in prop::collection::vec(prop::collection::vec((any::<u32>(), any::<u32>()), 1..60), 0..8),
    ) {
        let (neighbours, corners) = [
            (Neighbours::Four, CornerRule::BothFree),
            (Neighbours::Eight, CornerRule::BothFree),
            (Neighbours::Eight, CornerRule::OneFree),
            (Neighbours::Eight, CornerRule::Always),
        ][rule];
        let mut world = World::new(width, height, neighbours, corners);
        for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
            world.flip(x, y);
        }
        for (x, y) in walls {
            world.flip(x % width, y % height);
        }
        let mut signs = Signposts::new(world.signed());
        for batch in edits {
            let changed: Vec<Cell> =
                batch.into_iter().map(|(x, y)| world.flip(x % width, y % height)).collect();
            signs.update(world.signed(), &changed);
            prop_assert!(signs == Signposts::new(world.signed()));
        }
        for cell in world.layout.cells() {
            let (x, y) = world.layout.coordinates(cell);
            let (rows, columns) = (&world.rows, &world.columns);
            let across = world.transposed.cell(y, x);
            let straight = match corners {
                CornerRule::BothFree => [
                    leads::<BothFree, true>(rows, cell), leads::<BothFree, false>(rows, cell),
                    leads::<BothFree, true>(columns, across), leads::<BothFree, false>(columns, across),
                ],
                CornerRule::OneFree => [
                    leads::<OneFree, true>(rows, cell), leads::<OneFree, false>(rows, cell),
                    leads::<OneFree, true>(columns, across), leads::<OneFree, false>(columns, across),
                ],
                CornerRule::Always => [
                    leads::<Always, true>(rows, cell), leads::<Always, false>(rows, cell),
                    leads::<Always, true>(columns, across), leads::<Always, false>(columns, across),
                ],
            };
            let [east, west, south, north] = straight;
            let has_rows = neighbours == Neighbours::Eight;
            let straight = [has_rows && east, has_rows && west, south, north];
            let sign = signs.of_cells()[cell.0 as usize];
            prop_assert_eq!(straight, [EAST, WEST, SOUTH, NORTH].map(|bit| sign & bit != 0));
            if rows.get(cell) {
                let moves = move_table(neighbours, corners)[usize::from(rows.around(cell))];
                prop_assert_eq!(sign & DIAGONALS, moves & DIAGONALS);
            }
        }
    }
}

//! Rooms of a whole map, by its runs.
//!
//! Obstacles come first, as gateways are found by them; then gateways, columns before rows; then
//! rooms, which are the runs of cells of no gateway, joined where they meet and through the
//! gateways that they own; and last the trees.

use super::bits::BitMap;
use super::gateways::{Lines, Separation, Side, cells_of};
use super::open_cells::OpenCells;
use super::pieces::Pieces;
use super::rooms::{EDGE, Entry, NONE, OBSTACLE, ROOM, Room, Rooms, boundary_hash, is_room};
use super::runs::{Joined, Run, Runs, reach};
use super::signs::Signed;
use crate::grid::layout::Layout;

impl Rooms {
    /// Returns the rooms of a map. O(cells / 16 + runs).
    pub fn new(map: Signed<'_>) -> Self {
        let mut rooms = Self {
            // One more, as the last cell has neighbours too.
            numbers: vec![EDGE; map.layout.bound() + 1],
            rooms: Pieces::new(ROOM),
            obstacles: Pieces::new(OBSTACLE),
            known: Vec::new(),
            gateways: Vec::new(),
            unused: Vec::new(),
            columns: BitMap::new(map.layout),
            open: OpenCells::new(map),
            free: map.rows.count(),
        };
        rooms.number_obstacles(map);
        for lines in [true, false].map(|is_column| Lines::of(map, is_column)) {
            for run in lines.runs() {
                if let Some(separation) = rooms.separation(map, lines, run) {
                    rooms.enter(map.layout, separation);
                }
            }
        }
        rooms.number_rooms(map);
        rooms.plant();
        rooms
    }

    /// Numbers the obstacles; free cells are left to rooms and gateways.
    fn number_obstacles(&mut self, map: Signed<'_>) {
        let layout = map.layout;
        let blocked = map.rows.inverse(layout);
        let reach = 1 - reach(map.neighbours, map.corners);
        let runs = Runs::of_rows(&blocked, layout);
        // The edge is one more run, the last.
        let edge = runs.len() as u32;
        let (right, bottom) = (layout.width as u16 - 1, layout.height as u16 - 1);
        let at_edge =
            |run: &Run| run.first == 0 || run.last == right || run.line == 0 || run.line == bottom;
        let mut joined = Joined::new(runs.len() + 1);
        runs.visit_joined(reach, |one, other| joined.join(one, other));
        for (number, _) in (0..).zip(runs.iter()).filter(|(_, run)| at_edge(run)) {
            joined.join(number, edge);
        }
        self.obstacles.add();
        let on_map = layout.width as usize * layout.height as usize;
        self.obstacles.grow(EDGE, (self.numbers.len() - on_map) as u32);
        let mut number_of = vec![NONE; runs.len() + 1];
        number_of[joined.root(edge) as usize] = EDGE;
        for y in 0..layout.height {
            let first = layout.cell(0, y).0 as usize;
            self.numbers[first..first + layout.width as usize].fill(NONE);
        }
        for (of, run) in (0..).zip(runs.iter()) {
            let root = joined.root(of) as usize;
            if number_of[root] == NONE {
                number_of[root] = self.obstacles.add();
            }
            let first = layout.cell(run.first.into(), run.line.into()).0 as usize;
            self.numbers[first..first + run.cells() as usize].fill(number_of[root]);
            self.obstacles.grow(number_of[root], run.cells());
        }
    }

    /// Numbers the rooms.
    fn number_rooms(&mut self, map: Signed<'_>) {
        let layout = map.layout;
        let reach = reach(map.neighbours, map.corners);
        let runs = Runs::of_rows(self.open.rows(), layout);
        let mut joined = Joined::new(runs.len());
        runs.visit_joined(reach, |one, other| joined.join(one, other));
        for (of, run) in (0u32..).zip(runs.iter()) {
            let first = layout.cell(run.first.into(), run.line.into()).0 as usize;
            // For now the number of the run, by which gateways find it.
            self.numbers[first..first + run.cells() as usize].fill(of);
        }
        for entry in self.gateways.iter().flatten() {
            let mut former = NONE;
            for cell in sides_of(entry.separation, layout, reach) {
                let of = self.numbers[cell as usize];
                if is_room(of) && of != former {
                    if former != NONE {
                        joined.join(former, of);
                    }
                    former = of;
                }
            }
        }
        let mut number_of = vec![NONE; runs.len()];
        for (of, run) in (0..).zip(runs.iter()) {
            let root = joined.root(of) as usize;
            if number_of[root] == NONE {
                number_of[root] = self.rooms.add();
                self.known.push(Room::NEW);
            }
            let first = layout.cell(run.first.into(), run.line.into()).0 as usize;
            self.numbers[first..first + run.cells() as usize].fill(number_of[root]);
            self.rooms.grow(number_of[root], run.cells());
        }
    }

    /// Roots the trees, each at its room of the least number, and sums up boundaries. O(rooms +
    /// gateways).
    fn plant(&mut self) {
        const SIDES: [Side; 2] = [Side::Before, Side::After];
        // The sides of gateways in a list for each room: twice the index, and one more for the side
        // after it.
        let mut heads = vec![NONE; self.known.len()];
        let mut others = vec![NONE; 2 * self.gateways.len()];
        for (index, entry) in self.gateways.iter().enumerate() {
            let Some(Entry { separation, .. }) = entry else { continue };
            for side in SIDES {
                let room = self.room_on(separation, side) as usize;
                let hash = boundary_hash(separation.gateway, separation.own == side);
                self.known[room].boundary = self.known[room].boundary.wrapping_add(hash);
                let place = 2 * index + side as usize;
                others[place] = std::mem::replace(&mut heads[room], place as u32);
            }
        }
        let mut is_reached = vec![false; self.known.len()];
        let mut stack = Vec::new();
        for root in 0..self.known.len() {
            if !is_reached[root] {
                stack.push(root);
            }
            while let Some(room) = stack.pop() {
                is_reached[room] = true;
                let mut place = heads[room];
                while let Some(&next) = others.get(place as usize) {
                    let (index, side) = (place / 2, SIDES[place as usize % 2]);
                    place = next;
                    if index == self.known[room].up {
                        continue;
                    }
                    let Some(entry) = &mut self.gateways[index as usize] else { continue };
                    entry.inner = side.other();
                    let inner = entry.separation.cell_on(entry.inner).0 as usize;
                    let inner = self.numbers[inner] as usize;
                    self.known[inner].up = index;
                    stack.push(inner);
                }
            }
        }
    }
}

/// Returns the cells beside a gateway on the side of its owner, in order.
pub(super) fn sides_of(
    separation: Separation,
    layout: &Layout,
    reach: u32,
) -> impl Iterator<Item = u32> {
    let Separation { gateway, own, .. } = separation;
    let (along, across) = if gateway.is_column { (layout.stride, 1) } else { (1, layout.stride) };
    let first = cells_of(gateway, layout).next().map_or(0, |cell| cell.0);
    let begin = match own {
        Side::Before => first - across,
        Side::After => first + across,
    } - reach * along;
    let cells = u32::from(gateway.last - gateway.first) + 1 + 2 * reach;
    (0..cells).map(move |place| begin + place * along)
}

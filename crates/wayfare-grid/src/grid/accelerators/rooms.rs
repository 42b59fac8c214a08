//! Rooms: the parts of a map between its gateways.
//!
//! A gateway (see [`gateways`](super::gateways)) is a straight run of free cells, from obstacle to
//! obstacle, whose removal disconnects its two sides. Gateways divide each island into *rooms*. The
//! cells of a gateway join the room on one side of it, its owner, and are shut to the other.
//! With rooms as vertices and gateways as edges an island is a tree: each gateway is the only
//! connection between its sides.
//!
//! # Why rooms off the route can be skipped
//!
//! Let `R` be a room that is not on the tree path from `room(start)` to `room(goal)`. A path that
//! enters `R` leaves it through the same gateway. Let `a` and `b` be the cells where the path meets
//! the gateway first and last. All cells between them are free and lie on one line, so `|a - b|`
//! straight steps join them. Any path through `R` leaves that line and is longer. Hence no cheapest
//! path enters `R` beyond the cells of the gateway, and its estimate may be infinity. The cells of
//! a gateway count to whichever of its two rooms is on the route.
//!
//! # Edits
//!
//! [`room_build`](super::room_build) finds the rooms of a map, [`room_edits`](super::room_edits)
//! mends them after edits, when [`room_trees`](super::room_trees) asks for that. Numbers, and which
//! room of a tree is its root, depend on past edits. All else is a function of the map: gateways,
//! rooms, their cells and the path between two rooms of a tree.
//!
//! A search continues if its guide is unchanged ([`Rooms::renew`]).
//!
//! Memory: 4 bytes and 5 bits a cell, 16 a room, 28 a gateway. Source: Y. Björnsson,
//! K. Halldórsson, "Improved heuristics for optimal path-finding on game maps", 2006 (dead ends and
//! gateways).

use wayfare_core::inside::{Gateway, Guide, Steps};
use wayfare_core::space::Cost;

use super::bits::BitMap;
use super::gateways::{Lines, Run, Separation, Side, cells_of};
use super::open_cells::OpenCells;
use super::pieces::Pieces;
use super::runs::reach;
use super::signs::Signed;
use crate::grid::Cell;
use crate::grid::layout::Layout;

/// The kinds of numbers. Rooms have none of the bits, so that their numbers are indices.
pub(super) const ROOM: u32 = 0;
pub(super) const OBSTACLE: u32 = 1 << 30;
pub(super) const GATEWAY: u32 = 1 << 31;
/// No room, and no gateway.
pub(super) const NONE: u32 = u32::MAX;
/// The obstacle that the edge of the map belongs to.
pub(super) const EDGE: u32 = OBSTACLE;

/// Whether a number is that of a room.
pub(super) fn is_room(number: u32) -> bool {
    number < OBSTACLE
}

/// What is known of a room.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// The index of the gateway towards the root of its tree; [`NONE`] for the root.
    pub(super) up: u32,
    /// The sum of the hashes of all its gateways.
    pub(super) boundary: u64,
}

impl Room {
    pub(super) const NEW: Self = Self { up: NONE, boundary: 0 };
}

/// A gateway between two rooms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) separation: Separation,
    /// The side away from the root.
    pub(super) inner: Side,
}

/// Returns a number for a gateway as seen from one of its sides. Rooms with the same gateways have
/// the same sum.
pub(super) fn boundary_hash(gateway: Gateway, is_own: bool) -> u64 {
    let places =
        u64::from(gateway.line) << 32 | u64::from(gateway.first) << 16 | u64::from(gateway.last);
    let gateway = places << 2 | u64::from(gateway.is_column) << 1 | u64::from(is_own);
    // The finalizer of SplitMix64 (G. Steele, D. Lea, C. Flood, 2014).
    let mixed = (gateway ^ gateway >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

/// The rooms of a map.
#[derive(Clone, Debug)]
pub struct Rooms {
    /// For each free cell the number of its room or gateway, for others that of their obstacle.
    pub(super) numbers: Vec<u32>,
    pub(super) rooms: Pieces,
    pub(super) obstacles: Pieces,
    /// By number of the room.
    pub(super) known: Vec<Room>,
    /// By index.
    pub(super) gateways: Vec<Option<Entry>>,
    pub(super) unused: Vec<u32>,
    /// The cells of gateways along columns.
    pub(super) columns: BitMap,
    /// The cells of rooms.
    pub(super) open: OpenCells,
    /// The number of free cells.
    pub(super) free: u32,
}

impl Rooms {
    /// Returns the separation by a run, if it is a gateway: unless a gateway along a column crosses
    /// it, or touches it where moves cut corners.
    pub(super) fn separation(
        &self,
        map: Signed<'_>,
        lines: Lines<'_>,
        run: Run,
    ) -> Option<Separation> {
        let found = lines.separation(run, &self.numbers)?;
        let Gateway { is_column, first, last, .. } = found.gateway;
        let cells = u32::from(last - first) + 1;
        let is_met = || {
            let (first, stride) = (lines.cell(run.line, run.first).0, map.layout.stride);
            let beside = [first - stride - 1, first + stride - 1];
            self.columns.any(Cell(first), cells)
                || reach(map.neighbours, map.corners) > 0
                    && beside.iter().any(|&first| self.columns.any(Cell(first), cells + 2))
        };
        (is_column || !is_met()).then_some(found)
    }

    /// Gives the cells of a gateway its number. Returns its index.
    pub(super) fn enter(&mut self, layout: &Layout, separation: Separation) -> u32 {
        let entry = Some(Entry { separation, inner: Side::Before });
        let index = self.unused.pop().unwrap_or_else(|| {
            self.gateways.push(None);
            (self.gateways.len() - 1) as u32
        });
        self.gateways[index as usize] = entry;
        for cell in cells_of(separation.gateway, layout) {
            self.numbers[cell.0 as usize] = GATEWAY | index;
            self.open.set(layout, cell, false, true);
            if separation.gateway.is_column {
                self.columns.set(cell, true);
            }
        }
        index
    }

    /// Returns the room on a side of a gateway.
    pub(super) fn room_on(&self, separation: &Separation, side: Side) -> u32 {
        self.numbers[separation.cell_on(side).0 as usize]
    }

    pub(in crate::grid) fn size_in_bytes(&self) -> usize {
        size_of_val(&self.numbers[..])
            + self.rooms.size_in_bytes()
            + self.obstacles.size_in_bytes()
            + size_of_val(&self.known[..])
            + size_of_val(&self.gateways[..])
            + self.columns.size_in_bytes()
            + self.open.size_in_bytes()
    }

    /// Returns the gateways between rooms, in the order of their first cells.
    pub fn gateways(&self) -> impl Iterator<Item = Gateway> + '_ {
        let mut gateways: Vec<Gateway> =
            self.gateways.iter().flatten().map(|entry| entry.separation.gateway).collect();
        gateways.sort_unstable_by_key(|&Gateway { is_column, line, first, .. }| {
            if is_column { (first, line, true) } else { (line, first, false) }
        });
        gateways.into_iter()
    }

    /// Returns the rooms that a cell lies in: two for a cell of a gateway, its owner first; none
    /// for a blocked one.
    #[inline]
    pub fn of(&self, cell: Cell) -> Option<[u32; 2]> {
        let number = *self.numbers.get(cell.0 as usize)?;
        if is_room(number) {
            return Some([number, number]);
        }
        self.beside_gateway(number)
    }

    /// Returns the number of a room's cells, those of gateways left out.
    pub fn cells(&self, room: u32) -> u32 {
        self.rooms.cells(room)
    }

    /// Returns a number that the gateways of a room determine.
    pub fn boundary(&self, room: u32) -> u64 {
        self.known[room as usize].boundary
    }

    /// Returns the rooms from one up to the root of its tree.
    pub fn way_up(&self, room: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(room), |&room| Some(self.outer(room)?.0))
    }

    /// Returns the number of free cells.
    pub fn free(&self) -> u32 {
        self.free
    }

    /// Returns the rooms on both sides of the gateway of a number, its owner first.
    #[inline(never)]
    fn beside_gateway(&self, number: u32) -> Option<[u32; 2]> {
        if number & GATEWAY == 0 {
            return None;
        }
        let Entry { separation, .. } = self.gateways.get((number ^ GATEWAY) as usize)?.as_ref()?;
        let own = separation.own;
        Some([own, own.other()].map(|side| self.room_on(separation, side)))
    }

    /// Returns a lower bound on the cost from a cell to the goal of a guide; infinity if no
    /// cheapest path leads through the cell.
    #[inline(always)]
    pub(in crate::grid) fn cost<C: Cost>(&self, map: &Layout, guide: &Guide, cell: Cell) -> C {
        let Some(&number) = self.numbers.get(cell.0 as usize) else { return C::INFINITY };
        let place = map.coordinates(cell);
        if is_room(number) {
            return guide.cost(number, place).unwrap_or(C::INFINITY);
        }
        let Some([own, other]) = self.beside_gateway(number) else { return C::INFINITY };
        guide.cost(own, place).or_else(|| guide.cost(other, place)).unwrap_or(C::INFINITY)
    }

    /// Prepares a guide for the ends of one that was prepared before some edits.
    ///
    /// Returns whether the former guide says the same of every cell that no edit changed and that
    /// is still connected to the start without passing one.
    ///
    /// A cell's estimate depends on its room and on the chain of gateways from there to the goal.
    /// The gateways of all rooms on the route are compared, from either side. Let them be equal,
    /// and let `s` be a cell of such a room `R` before the edits, connected to a gateway or end of
    /// `R` by cells that no edit changed. No gateway crosses them that did not before, so `s` is
    /// still in `R`.
    pub(in crate::grid) fn renew(&self, map: &Layout, steps: Steps, guide: &mut Guide) -> bool {
        let (Some((start, goal)), former) = (guide.ends(), guide.signature()) else { return false };
        self.guide(map, steps, (Cell(start), Cell(goal)), guide);
        guide.signature() == former
    }

    /// Prepares a guide from one free cell to another of the same island. Returns whether it is
    /// worth following: whether it skips at least an eighth of the free cells. O(gateways on the
    /// route).
    pub(in crate::grid) fn guide(
        &self,
        map: &Layout,
        steps: Steps,
        (start, goal): (Cell, Cell),
        guide: &mut Guide,
    ) -> bool {
        guide.set_ends((start.0, goal.0));
        let Some(cells) = self.chain(map, steps, (start, goal), guide) else { return false };
        for place in 0..guide.parts.len() {
            guide.sign(self.known[guide.parts[place] as usize].boundary);
        }
        guide.set_worthwhile(u64::from(cells) * 8 <= u64::from(self.free) * 7)
    }

    /// Returns the room that the way up from another leads to, and the gateway between them; `None`
    /// for a root.
    #[inline]
    pub(super) fn outer(&self, room: u32) -> Option<(u32, Gateway)> {
        let Entry { separation, inner } =
            self.gateways.get(self.known[room as usize].up as usize)?.as_ref()?;
        Some((self.room_on(separation, inner.other()), separation.gateway))
    }

    /// Stores the remaining costs of all rooms on the route. Returns the number of their cells;
    /// `None` if no path leads from one to the other.
    ///
    /// Goes up from both ends in turns until one comes to a room where the other has been. Which
    /// room that is depends on the root; the route does not. O(rooms on the ways up).
    fn chain(
        &self,
        map: &Layout,
        steps: Steps,
        (start, goal): (Cell, Cell),
        guide: &mut Guide,
    ) -> Option<u32> {
        let ([ahead, _], [behind, _]) = (self.of(goal)?, self.of(start)?);
        let mut remaining = guide.begin(self.rooms.bound(), steps, map.coordinates(goal));
        let (mut at, mut to) = (Some(ahead), Some(behind));
        guide.parts.push(ahead);
        guide.way.push(behind);
        guide.mark(ahead, false);
        let top = if guide.mark(behind, true) {
            behind
        } else {
            loop {
                at = at.and_then(|room| Some(self.outer(room)?.0));
                to = to.and_then(|room| Some(self.outer(room)?.0));
                if at.is_none() && to.is_none() {
                    return None;
                }
                if let Some(room) = at {
                    guide.parts.push(room);
                    if guide.mark(room, false) {
                        break room;
                    }
                }
                if let Some(room) = to {
                    guide.way.push(room);
                    if guide.mark(room, true) {
                        break room;
                    }
                }
            }
        };
        let until = |rooms: &[u32]| rooms.iter().position(|&room| room == top);
        let up = until(&guide.parts)?;
        guide.parts.truncate(up + 1);
        let down = until(&guide.way)?;
        guide.way.truncate(down);
        let mut cells = 0;
        for place in 0..=up {
            let room = guide.parts[place];
            guide.set(room, remaining);
            cells += self.rooms.cells(room);
            if place < up {
                remaining = guide.through(remaining, self.outer(room)?.1);
            }
        }
        while let Some(room) = guide.way.pop() {
            remaining = guide.through(remaining, self.outer(room)?.1);
            guide.set(room, remaining);
            guide.parts.push(room);
            cells += self.rooms.cells(room);
        }
        Some(cells)
    }
}

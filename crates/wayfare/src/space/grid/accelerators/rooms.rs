//! Rooms: the parts of a map between its gateways.
//!
//! A gateway (see [`gateways`](super::gateways)) is a straight run of free cells, from obstacle to
//! obstacle, whose removal disconnects its two sides. Gateways divide each island into *rooms*.
//! With rooms as vertices and gateways as edges an island is a tree: each gateway is the only way
//! between its sides.
//!
//! # Why rooms off the way can be skipped
//!
//! Let `R` be a room that is not on the tree path from `room(start)` to `room(goal)`. A path that
//! enters `R` leaves it through the same gateway. Let `a` and `b` be the cells where the path meets
//! the gateway first and last. All cells between them are free and lie on one line, so `|a - b|`
//! straight steps join them. Any way through `R` leaves that line and is longer. Hence no cheapest
//! path enters `R`, and its estimate may be infinity.
//!
//! # Edits
//!
//! Whether a line is a gateway depends on the whole map, and a local repair would depend on the
//! order of edits. So an edit drops the rooms, and the next search that asks for a guide finds them
//! again: O(cells / 64 + runs · log runs), and writing two bytes a cell. Searches that ask for
//! none, over terrain of different costs or with several goals, never pay for that. Rules by which
//! a tile could choose its gateways alone have been tried: see
//! `docs/decisions/032-rooms-are-found-anew-and-fast.md`.
//!
//! A search under way goes on if its guide says the same as before ([`Rooms::renew`]).
//!
//! Memory: 2 bytes a cell, 24 a room. Source: Y. Björnsson, K. Halldórsson, "Improved heuristics
//! for optimal path-finding on game maps", 2006 (dead ends and gateways).

use std::sync::{Mutex, OnceLock, PoisonError};

use super::accelerator::{Accelerator, Edit, Stage};
use super::gateways::Lines;
use super::runs::Runs;
use super::signs::Signed;
use crate::space::Cost;
use crate::space::grid::Cell;
use crate::space::grid::layout::Layout;
use crate::space::guide::{Gateway, Guide, Steps};

/// The room of what is not free.
const NONE: u16 = u16::MAX;
/// The most rooms and gateways: their numbers take two bytes.
const MOST_ROOMS: usize = NONE as usize;
/// The least number of cells for each room, so that guides stay small.
const LEAST_CELLS_A_ROOM: usize = 8;
/// The least distance in cells between gateways that face each other.
const SPACING: u32 = 2;
/// The least number of cells that a gateway cuts off.
const LEAST_CELLS: u32 = 8;

/// A part of a map between gateways. The first ones of their islands are their roots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Room {
    /// The room on the other side of the gateway, of a lower number; its own, for a root.
    outer: u16,
    /// The number of the gateway's cells.
    number_of_gateway: u16,
    /// The gateway to the outer room.
    gateway: Gateway,
    /// The number of its cells.
    cells: u32,
    /// The sum of the [hashes](boundary_hash) of all its gateways.
    boundary: u64,
}

impl Room {
    /// Of a root: it is never left.
    const NO_GATEWAY: Gateway = Gateway { is_column: false, line: u16::MAX, first: 0, last: 0 };
}

/// A number for a gateway as seen from one of its sides. Rooms with the same gateways have the same
/// sum.
fn boundary_hash(gateway: Gateway, is_outer: bool) -> u64 {
    let places =
        u64::from(gateway.line) << 32 | u64::from(gateway.first) << 16 | u64::from(gateway.last);
    let gateway = places << 2 | u64::from(gateway.is_column) << 1 | u64::from(is_outer);
    // The finalizer of SplitMix64 (G. Steele, D. Lea, C. Flood, 2014).
    let mixed = (gateway ^ gateway >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

/// The trees of rooms of each medium. Found when first asked for after an edit.
#[derive(Debug)]
pub(in crate::space::grid) struct RoomTrees {
    found: Vec<OnceLock<Rooms>>,
    /// The memory of rooms that were dropped: to clear it costs less than to get new.
    spare: Mutex<Vec<Vec<u16>>>,
}

impl Clone for RoomTrees {
    fn clone(&self) -> Self {
        Self { found: self.found.clone(), spare: Mutex::default() }
    }
}

impl RoomTrees {
    pub(super) fn new(media: usize) -> Self {
        Self { found: vec![OnceLock::new(); media], spare: Mutex::default() }
    }

    /// The rooms of a medium, found now if need be.
    pub(super) fn find(&self, medium: usize, map: Signed<'_>) -> Option<&Rooms> {
        let found = self.found.get(medium)?;
        Some(found.get_or_init(|| {
            let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
            Rooms::new(map, spare.unwrap_or_default())
        }))
    }

    /// The rooms of each medium, if they were asked for since the last edit.
    #[inline(always)]
    pub(super) fn of_media(&self) -> &[OnceLock<Rooms>] {
        &self.found
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        let found = self.found.iter().filter_map(OnceLock::get).map(Rooms::size_in_bytes);
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        found.sum::<usize>() + spare.iter().map(|cells| size_of_val(&cells[..])).sum::<usize>()
    }
}

impl Accelerator for RoomTrees {
    const STAGE: Stage = Stage::Rooms;
    const READS: &'static [Stage] = &[Stage::Standing];
    type Input<'a> = ();

    /// O(1): the rooms are dropped.
    fn follow(&mut self, (): (), edit: &mut Edit<'_>) -> u64 {
        let spare = self.spare.get_mut().unwrap_or_else(PoisonError::into_inner);
        for (medium, rooms) in self.found.iter_mut().enumerate() {
            if edit.flips_of(medium).next().is_some() {
                spare.extend(rooms.take().map(|rooms| rooms.of_cells));
            }
        }
        self.found.len() as u64
    }
}

/// The rooms of a map: two bytes a cell, and 24 a room.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::space::grid) struct Rooms {
    /// The number of each cell: of a room or of a gateway.
    of_cells: Vec<u16>,
    /// By number. Gateways have numbers too, and are parts of the rooms outside them.
    rooms: Vec<Room>,
    /// The room of each number: its own, or the room outside a gateway.
    room_of: Vec<u16>,
    /// The number of free cells.
    free: u32,
}

impl Rooms {
    /// The room of all islands that have no gateways, as nobody goes from one to the other.
    const PLAIN: u16 = 0;

    /// The rooms of a map. O(cells + lines · log lines).
    fn new(map: Signed<'_>, spare: Vec<u16>) -> Self {
        // Where there are too many gateways, only those that lie further apart and cut off more.
        let lines = Lines::new(map);
        let mut spare = Some(spare);
        let (mut spacing, mut least_cells) = (SPACING, LEAST_CELLS);
        loop {
            let gateways = lines.gateways(map.layout, spacing, least_cells);
            if let Some(rooms) = Self::between(&gateways, &lines, map, &mut spare) {
                return rooms;
            }
            (spacing, least_cells) = (spacing + 1, 2 * least_cells);
        }
    }

    /// The rooms between some gateways; `None`, where they are too many.
    ///
    /// Numbers the cells in the memory of `spare`.
    fn between(
        gateways: &[Gateway],
        lines: &Lines,
        map: Signed<'_>,
        spare: &mut Option<Vec<u16>>,
    ) -> Option<Self> {
        let most_rooms = MOST_ROOMS.min(map.layout.bound() / LEAST_CELLS_A_ROOM + 1);
        if 2 * gateways.len() > most_rooms {
            return None; // as each has a room behind it
        }
        let parts = Parts::new(gateways, &lines.rows, lines.reach);
        let lowest = parts.lowest();
        let plain = Room {
            outer: Self::PLAIN,
            gateway: Room::NO_GATEWAY,
            number_of_gateway: NONE,
            cells: 0,
            boundary: 0,
        };
        let (mut rooms, mut room_of) = (vec![plain], vec![Self::PLAIN]);
        // The room of each part, and for gateways their own number.
        let mut of_parts = vec![(NONE, NONE); parts.count];
        for &(part, parent) in &lowest.order {
            let own = part as usize;
            let comes_through = parent.map(|parent| parent as usize).filter(|&parent| {
                parent < gateways.len() && lowest.lowest[own] >= lowest.reached[parent]
            });
            let mut add = |outer: Option<u16>, gateway, number_of_gateway| {
                let number = rooms.len() as u16;
                let mut boundary = 0;
                if let Some(outer) = outer.filter(|_| number_of_gateway != NONE) {
                    boundary = boundary_hash(gateway, false);
                    let other_side: &mut Room = &mut rooms[usize::from(outer)];
                    other_side.boundary =
                        other_side.boundary.wrapping_add(boundary_hash(gateway, true));
                }
                let outer = outer.unwrap_or(number);
                rooms.push(Room { outer, gateway, number_of_gateway, cells: 0, boundary });
                room_of.push(number);
                number
            };
            let room = match (parent, comes_through) {
                (Some(parent), None) => of_parts[parent as usize].0,
                (Some(_), Some(gateway)) => {
                    let (outer, number_of_gateway) = of_parts[gateway];
                    add(Some(outer), gateways[gateway], number_of_gateway)
                }
                // Islands without gateways share one.
                (None, _) if own >= gateways.len() && parts.links_of(own).is_empty() => Self::PLAIN,
                (None, _) => add(None, Room::NO_GATEWAY, NONE),
            };
            of_parts[own] = (room, room);
            if own < gateways.len() {
                let number = add(Some(room), Room::NO_GATEWAY, NONE);
                room_of[usize::from(number)] = room;
                of_parts[own] = (room, number);
            }
            if rooms.len() > most_rooms {
                return None;
            }
        }
        let mut of_cells = spare.take().unwrap_or_default();
        of_cells.clear();
        of_cells.reserve(map.layout.bound());
        let mut free = 0;
        for &Piece { line, first, last, part } in &parts.pieces {
            let (room, number) = of_parts[part as usize];
            let begin = map.layout.cell(first.into(), line.into()).0 as usize;
            let cells = u32::from(last - first) + 1;
            of_cells.resize(begin, NONE); // pieces are in the order of their cells
            of_cells.resize(begin + cells as usize, number);
            rooms[usize::from(room)].cells += cells;
            free += cells;
        }
        of_cells.resize(map.layout.bound(), NONE);
        Some(Self { of_cells, rooms, room_of, free })
    }

    pub(in crate::space::grid) fn size_in_bytes(&self) -> usize {
        size_of_val(&self.of_cells[..])
            + size_of_val(&self.rooms[..])
            + size_of_val(&self.room_of[..])
    }

    /// The gateways that stand, each once.
    pub(in crate::space::grid) fn gateways(&self) -> impl Iterator<Item = Gateway> + '_ {
        let mut numbers: Vec<(u16, Gateway)> = self
            .rooms
            .iter()
            .filter(|room| room.number_of_gateway != NONE)
            .map(|room| (room.number_of_gateway, room.gateway))
            .collect();
        numbers.sort_unstable_by_key(|(number, _)| *number);
        numbers.dedup_by_key(|(number, _)| *number);
        numbers.into_iter().map(|(_, gateway)| gateway)
    }

    /// The room that a cell is in; [`NONE`] for a blocked one.
    fn of(&self, cell: Cell) -> u16 {
        self.room_of(self.of_cells.get(cell.0 as usize).copied().unwrap_or(NONE))
    }

    /// What the way from a cell to the goal of a guide costs at least; infinity where no cheapest
    /// path leads through it.
    #[inline(always)]
    pub(in crate::space::grid) fn cost<C: Cost>(
        &self,
        map: &Layout,
        guide: &Guide,
        cell: Cell,
    ) -> C {
        let Some(&number) = self.of_cells.get(cell.0 as usize) else { return C::INFINITY };
        let place = map.coordinates(cell);
        guide
            .cost(number, place)
            .or_else(|| guide.cost(self.room_of(number), place))
            .unwrap_or(C::INFINITY)
    }

    /// See [`Guidance::admits`](crate::expert::Guidance::admits).
    #[inline(always)]
    pub(in crate::space::grid) fn admits(
        &self,
        map: &Layout,
        guide: &mut Guide,
        jump: (Cell, Cell),
        (g, f): (u64, u64),
    ) -> bool {
        let Some(gateways_ahead) = self.gateways_ahead(guide, jump.1) else { return true };
        if guide.is_farther(gateways_ahead) {
            self.note_passage(guide, jump, (g, f));
        } else if guide.may_limit(f) {
            guide.update_limits(
                |one, other| self.rooms[usize::from(one.max(other))].gateway,
                |cell| map.coordinates(Cell(cell)),
            );
        }
        guide.admits(gateways_ahead, f)
    }

    #[inline(never)]
    fn note_passage(&self, guide: &mut Guide, (from, to): (Cell, Cell), costs: (u64, u64)) {
        if let (Some(before), Some(after)) =
            (self.gateways_ahead(guide, from), self.gateways_ahead(guide, to))
        {
            guide.note_passage((before, after), (from.0, to.0), costs);
        }
    }

    #[inline(always)]
    fn gateways_ahead(&self, guide: &Guide, cell: Cell) -> Option<usize> {
        let &number = self.of_cells.get(cell.0 as usize)?;
        guide.gateways_ahead(number).or_else(|| guide.gateways_ahead(self.room_of(number)))
    }

    fn room_of(&self, number: u16) -> u16 {
        self.room_of.get(usize::from(number)).copied().unwrap_or(NONE)
    }

    /// Prepares a guide for the ends of one that was prepared before some edits.
    ///
    /// Returns whether the former guide says the same of every cell that no edit changed and that
    /// is still connected to the start without passing one. The guide then keeps the limits of its
    /// search.
    ///
    /// A cell's estimate depends on its room and on the chain of gateways from there to the goal.
    /// The gateways of all rooms on the way are compared, from either side. Let them be equal, and
    /// let `s` be a cell of such a room `R` before the edits, connected to a gateway or end of `R`
    /// by cells that no edit changed. No gateway crosses them that did not before, so `s` is still
    /// in `R`.
    pub(in crate::space::grid) fn renew(
        &self,
        map: &Layout,
        steps: Steps,
        guide: &mut Guide,
    ) -> bool {
        let Some(former) = guide.take_former() else { return false };
        let (start, goal) = former.ends;
        self.guide(map, steps, (Cell(start), Cell(goal)), guide);
        guide.restore(former)
    }

    /// Prepares a guide from one free cell to another of the same island. Returns whether it is
    /// worth following: it leaves out an eighth of the free cells at least. O(gateways on the way).
    pub(in crate::space::grid) fn guide(
        &self,
        map: &Layout,
        steps: Steps,
        (start, goal): (Cell, Cell),
        guide: &mut Guide,
    ) -> bool {
        guide.set_ends((start.0, goal.0));
        let Some(cells) = self.chain(map, steps, (start, goal), guide) else { return false };
        for &part in &guide.parts {
            guide.signature.push(self.rooms[usize::from(part)].boundary);
        }
        guide.set_worthwhile(u64::from(cells) * 8 <= u64::from(self.free) * 7)
    }

    /// Notes the remaining costs of all rooms on the way. Returns the number of their cells; `None`
    /// if no way leads from one to the other.
    fn chain(
        &self,
        map: &Layout,
        steps: Steps,
        (start, goal): (Cell, Cell),
        guide: &mut Guide,
    ) -> Option<u32> {
        let to = map.coordinates(goal);
        let (mut ahead, mut behind) = (self.of(goal), self.of(start));
        if ahead == NONE || behind == NONE {
            return None;
        }
        let mut remaining = guide.begin(self.rooms.len(), steps, to);
        guide.set(ahead, remaining);
        let mut cells = self.rooms[usize::from(ahead)].cells;
        while ahead != behind {
            let (inner, is_goal_side) =
                if ahead > behind { (ahead, true) } else { (behind, false) };
            let outer = self.rooms[usize::from(inner)].outer;
            if outer == inner {
                return None; // of another island
            }
            if is_goal_side {
                guide.parts.push(inner);
                ahead = outer;
                remaining = guide.through(remaining, self.rooms[usize::from(inner)].gateway);
                guide.set(outer, remaining);
                cells += self.rooms[usize::from(outer)].cells;
            } else {
                behind = outer;
                guide.way.push(inner);
            }
        }
        // The room that is nearest to the root has a gateway that does not lead further on the way;
        // yet one may walk along it.
        let Room { number_of_gateway, .. } = self.rooms[usize::from(ahead)];
        if number_of_gateway != NONE {
            guide.set(number_of_gateway, remaining);
        }
        guide.parts.push(ahead);
        while let Some(inner) = guide.way.pop() {
            guide.parts.push(inner);
            let room = &self.rooms[usize::from(inner)];
            remaining = guide.through(remaining, room.gateway);
            guide.set(inner, remaining);
            cells += room.cells;
        }
        guide.begin_search();
        Some(cells)
    }
}

/// A stretch of cells of one row that belong to one part.
#[derive(Clone, Copy)]
struct Piece {
    line: u16,
    first: u16,
    last: u16,
    part: u32,
}

/// The gateways of a map, and what is left of it between them: the vertices of a graph.
struct Parts {
    /// All free cells, row by row.
    pieces: Vec<Piece>,
    /// How many parts there are: the gateways by their numbers, then the others.
    count: usize,
    /// The parts that can be stepped to, by the part from which, and where those of each begin.
    links: Vec<(u32, u32)>,
    links_of: Vec<u32>,
}

/// How a depth-first search came by the parts.
struct Lowest {
    /// Each part and the one that it was found from.
    order: Vec<(u32, Option<u32>)>,
    /// The place of each in that order, and the lowest that it and all found from it are linked
    /// with.
    reached: Vec<u32>,
    lowest: Vec<u32>,
}

/// The first of the labels that a label is joined with.
fn root(joined: &mut [u32], mut of: u32) -> u32 {
    while joined[of as usize] != of {
        let next = joined[joined[of as usize] as usize];
        joined[of as usize] = next;
        of = next;
    }
    of
}

impl Parts {
    const NONE: u32 = u32::MAX;

    /// O(pieces + links · log links).
    fn new(gateways: &[Gateway], rows: &Runs, reach: u32) -> Self {
        let reach = reach as u16;
        let mut pieces = Self::pieces(gateways, rows);
        let count = gateways.len() as u32;
        // Pieces get labels, which are joined where a piece meets two of them. A label is joined
        // with an earlier one. Until they are numbered, parts go by `count` and their label.
        let mut joined: Vec<u32> = Vec::new();
        let mut links = Vec::new();
        // For each gateway along a column, the row after the last one with a part to its west, and
        // to its east.
        let mut contacts = vec![[0u16; 2]; gateways.len()];
        // Whether the part beside a cell of a gateway is the part beside the cell above. It is if
        // that cell has one: the two cells beside are free, of no gateway, and one above the other.
        let mut is_linked = |gateway: Piece, beside: Piece, side: usize| {
            let is_column = gateways[gateway.part as usize].is_column;
            let contact = &mut contacts[gateway.part as usize][side];
            is_column
                && beside.part >= count
                && std::mem::replace(contact, gateway.line + 1) == gateway.line
                && gateway.line > 0
        };
        let mut links_above = Vec::new();
        let (mut before, mut here) = (0, 0);
        for at in 0..pieces.len() {
            let Piece { line, first, last, mut part } = pieces[at];
            if line != pieces[here].line {
                before = if pieces[here].line + 1 == line { here } else { at };
                here = at;
            }
            while before < here && pieces[before].last + reach < first {
                before += 1;
            }
            let above = pieces[before..here].iter().take_while(|above| above.first <= last + reach);
            let is_gateway = part < count;
            for above in above {
                if is_gateway || above.part < count {
                    links_above.push(above.part);
                } else if part == Self::NONE {
                    part = above.part;
                } else if part != above.part {
                    let one = root(&mut joined, part - count);
                    let other = root(&mut joined, above.part - count);
                    joined[one.max(other) as usize] = one.min(other);
                }
            }
            if part == Self::NONE {
                part = count + joined.len() as u32;
                joined.push(part - count);
            }
            pieces[at].part = part;
            links.extend(links_above.drain(..).map(|above| (above, part)));
            if at > here && pieces[at - 1].last + 1 == first {
                let (west, east) = (pieces[at - 1], pieces[at]);
                let is_linked = if east.part < count {
                    is_linked(east, west, 0)
                } else {
                    is_linked(west, east, 1)
                };
                if !is_linked {
                    links.push((west.part, east.part));
                }
            }
        }
        let mut next = count;
        let mut numbers: Vec<u32> = (0..count).collect();
        for (label, &first) in (0..).zip(&joined) {
            if first == label {
                numbers.push(next);
                next += 1;
            } else {
                numbers.push(numbers[(count + first) as usize]);
            }
        }
        for piece in &mut pieces {
            piece.part = numbers[piece.part as usize];
        }
        for at in 0..links.len() {
            let link = (numbers[links[at].0 as usize], numbers[links[at].1 as usize]);
            links[at] = link;
            links.push((link.1, link.0));
        }
        links.retain(|(one, other)| one != other);
        links.sort_unstable();
        links.dedup();
        let mut links_of = vec![0; next as usize + 1];
        for &(part, _) in &links {
            links_of[part as usize + 1] += 1;
        }
        for part in 0..next as usize {
            links_of[part + 1] += links_of[part];
        }
        Self { pieces, count: next as usize, links, links_of }
    }

    /// The rows, cut up where gateways are, without the numbers of the parts between. O(runs +
    /// cells of gateways along columns).
    fn pieces(gateways: &[Gateway], rows: &Runs) -> Vec<Piece> {
        // Cuts by row and then by column: gateways in the order of their columns are dealt out to
        // the rows, which keeps that order.
        let mut by_column: Vec<u32> = (0..gateways.len() as u32).collect();
        by_column.sort_unstable_by_key(|&part| {
            let Gateway { is_column, line, first, .. } = gateways[part as usize];
            if is_column { line } else { first }
        });
        // Where the cuts of each row begin; once they are dealt out, where they end.
        let mut ends = vec![0; rows.lines() + 1];
        for gateway in gateways {
            gateway.rows().for_each(|row| ends[usize::from(row) + 1] += 1);
        }
        for row in 0..rows.lines() {
            ends[row + 1] += ends[row];
        }
        let mut cuts = vec![0; ends[rows.lines()]];
        for part in by_column {
            for row in gateways[part as usize].rows() {
                let place = &mut ends[usize::from(row)];
                cuts[*place] = part;
                *place += 1;
            }
        }
        let (mut next, mut pieces) = (0, Vec::with_capacity(rows.len() + 2 * cuts.len()));
        let mut add = |line, first, last, gateway: Option<u32>| {
            if first <= last {
                let part = gateway.unwrap_or(Self::NONE);
                pieces.push(Piece { line, first, last, part });
            }
        };
        for run in rows.iter() {
            let mut from = run.first;
            while next < ends[usize::from(run.line)] {
                let part = cuts[next];
                let (first, last) = gateways[part as usize].columns();
                if first > run.last {
                    break;
                }
                if first > from {
                    add(run.line, from, first - 1, None);
                }
                add(run.line, first, last, Some(part));
                from = last + 1;
                next += 1;
            }
            add(run.line, from, run.last, None);
        }
        pieces
    }

    fn links_of(&self, part: usize) -> &[(u32, u32)] {
        &self.links[self.links_of[part] as usize..self.links_of[part + 1] as usize]
    }

    fn lowest(&self) -> Lowest {
        let mut order = Vec::with_capacity(self.count);
        let mut reached = vec![Self::NONE; self.count];
        let mut lowest = vec![Self::NONE; self.count];
        let mut stack: Vec<(u32, usize)> = Vec::new();
        // What lies between gateways comes first: roots should be large.
        for root in (0..self.count as u32).rev() {
            if reached[root as usize] != Self::NONE {
                continue;
            }
            let number = order.len() as u32;
            (reached[root as usize], lowest[root as usize]) = (number, number);
            order.push((root, None));
            stack.push((root, 0));
            while let Some((part, next)) = stack.last_mut() {
                let at = *part as usize;
                let link = self.links_of(at).get(*next).map(|link| link.1);
                *next += 1;
                match link {
                    Some(other) if reached[other as usize] == Self::NONE => {
                        let number = order.len() as u32;
                        reached[other as usize] = number;
                        lowest[other as usize] = number;
                        order.push((other, Some(at as u32)));
                        stack.push((other, 0));
                    }
                    Some(other) => lowest[at] = lowest[at].min(reached[other as usize]),
                    None => {
                        stack.pop();
                        if let Some(&(parent, _)) = stack.last() {
                            let low = lowest[at];
                            let parent = &mut lowest[parent as usize];
                            *parent = (*parent).min(low);
                        }
                    }
                }
            }
        }
        Lowest { order, reached, lowest }
    }
}

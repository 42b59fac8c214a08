//! Rooms: the parts of a map between its gateways.
//!
//! A gateway (see [`gateways`](super::gateways)) is a straight run of free cells, from obstacle to
//! obstacle, whose removal disconnects its two sides. Gateways divide each island into *rooms*.
//! With rooms as vertices and gateways as edges an island is a tree: each gateway is the only
//! connection between its sides.
//!
//! # Why rooms off the route can be skipped
//!
//! Let `R` be a room that is not on the tree path from `room(start)` to `room(goal)`. A path that
//! enters `R` leaves it through the same gateway. Let `a` and `b` be the cells where the path meets
//! the gateway first and last. All cells between them are free and lie on one line, so `|a - b|`
//! straight steps join them. Any path through `R` leaves that line and is longer. Hence no cheapest
//! path enters `R`, and its estimate may be infinity.
//!
//! # Edits
//!
//! The next search that asks for a guide chooses the gateways again, as that depends on the whole
//! map, and mends the rooms where gateways differ. Searches that ask for none, over terrain of
//! different costs or with several goals, never pay for that. The numbers of parts depend on past
//! edits. All else is a function of the map: gateways, rooms, their cells and the roots of trees.
//!
//! A search continues if its guide is unchanged ([`Rooms::renew`]).
//!
//! Memory: see [`Rooms`]. Source: Y. Björnsson, K. Halldórsson, "Improved heuristics
//! for optimal path-finding on game maps", 2006 (dead ends and gateways).

use std::sync::{Mutex, OnceLock, PoisonError};

use wayfare_core::inside::{Gateway, Guide, Steps};
use wayfare_core::space::Cost;

use super::accelerator::{Accelerator, Edit, Stage};
use super::gateways::Lines;
use super::parts::{NONE, PLAIN, Part, Parts};
use super::signs::Signed;
use crate::grid::Cell;
use crate::grid::layout::Layout;

/// The most rooms and gateways: their numbers take two bytes.
const MOST_ROOMS: usize = NONE as usize;
/// All rooms are found again if more than `1 / CELLS_A_NOTED_FLIP` of the cells changed since.
const CELLS_A_NOTED_FLIP: usize = 64;
/// The least number of cells for each room, so that guides stay small.
const LEAST_CELLS_A_ROOM: usize = 8;

/// A part of a map between gateways. The first ones of their islands are their roots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// The room on the other side of the gateway; its own, for a root.
    pub outer: u16,
    /// The number of gateways between the room and the root.
    pub depth: u16,
    /// The number of the gateway's cells.
    pub number_of_gateway: u16,
    /// The gateway to the outer room.
    pub gateway: Gateway,
    /// The number of its cells.
    pub cells: u32,
    /// The sum of the hashes of all its gateways.
    pub boundary: u64,
}

impl Room {
    /// Of a root: it is never left.
    const NO_GATEWAY: Gateway = Gateway { is_column: false, line: u16::MAX, first: 0, last: 0 };
}

/// Returns a number for a gateway as seen from one of its sides. Rooms with the same gateways have
/// the same sum.
fn boundary_hash(gateway: Gateway, is_outer: bool) -> u64 {
    let places =
        u64::from(gateway.line) << 32 | u64::from(gateway.first) << 16 | u64::from(gateway.last);
    let gateway = places << 2 | u64::from(gateway.is_column) << 1 | u64::from(is_outer);
    // The finalizer of SplitMix64 (G. Steele, D. Lea, C. Flood, 2014).
    let mixed = (gateway ^ gateway >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

/// Rooms from before some edits.
#[derive(Debug)]
pub struct Stale {
    /// The rooms.
    pub rooms: Rooms,
    /// The cells that became free or blocked since.
    pub flips: Vec<Cell>,
}

/// The trees of rooms of each medium. Found when first asked for after an edit.
#[derive(Debug)]
pub(in crate::grid) struct RoomTrees {
    found: Vec<OnceLock<Rooms>>,
    /// For each medium the rooms that the next ones are mended from.
    stale: Vec<Mutex<Option<Stale>>>,
}

impl Clone for RoomTrees {
    fn clone(&self) -> Self {
        let stale = self.found.iter().map(|_| Mutex::default()).collect();
        Self { found: self.found.clone(), stale }
    }
}

impl RoomTrees {
    pub(super) fn new(media: usize) -> Self {
        let stale = (0..media).map(|_| Mutex::default()).collect();
        Self { found: vec![OnceLock::new(); media], stale }
    }

    /// Returns the rooms of a medium, found now if need be.
    pub(super) fn find(&self, medium: usize, map: Signed<'_>) -> Option<&Rooms> {
        let (found, stale) = (self.found.get(medium)?, self.stale.get(medium)?);
        Some(found.get_or_init(|| {
            let stale = stale.lock().unwrap_or_else(PoisonError::into_inner).take();
            Rooms::new(map, stale)
        }))
    }

    /// Returns the rooms of each medium, if they were asked for since the last edit.
    #[inline(always)]
    pub(super) fn of_media(&self) -> &[OnceLock<Rooms>] {
        &self.found
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        let found = self.found.iter().filter_map(OnceLock::get).map(Rooms::size_in_bytes);
        let stale = self.stale.iter().filter_map(|stale| {
            let stale = stale.lock().unwrap_or_else(PoisonError::into_inner);
            let Stale { rooms, flips } = stale.as_ref()?;
            Some(rooms.size_in_bytes() + size_of_val(&flips[..]))
        });
        found.sum::<usize>() + stale.sum::<usize>()
    }
}

impl Accelerator for RoomTrees {
    const STAGE: Stage = Stage::Rooms;
    const READS: &'static [Stage] = &[Stage::Standing];
    type Input<'a> = ();

    /// O(flips): they are noted. Rooms that the edits changed in large part are dropped.
    fn follow(&mut self, (): (), edit: &mut Edit<'_>) -> u64 {
        let most = edit.ground.layout.bound() / CELLS_A_NOTED_FLIP;
        let mut work = self.found.len() as u64;
        for (medium, (found, stale)) in self.found.iter_mut().zip(&mut self.stale).enumerate() {
            let mut flips = edit.flips_of(medium).map(|flip| flip.cell).peekable();
            if flips.peek().is_none() {
                continue;
            }
            let stale = stale.get_mut().unwrap_or_else(PoisonError::into_inner);
            if let Some(rooms) = found.take() {
                *stale = Some(Stale { rooms, flips: Vec::new() });
            }
            if let Some(noted) = stale {
                let before = noted.flips.len();
                noted.flips.extend(flips);
                work += (noted.flips.len() - before) as u64;
                if noted.flips.len() > most {
                    *stale = None;
                }
            }
        }
        work
    }
}

/// The rooms of a map: two bytes and two bits a cell, 6 bytes a run, 60 a part, and about 25 a line
/// that cuts the map in two.
#[derive(Clone, Debug)]
pub struct Rooms {
    /// The candidates for gateways.
    lines: Lines,
    /// The areas and gateways, by number.
    pub parts: Parts,
    /// Each at the number of one of its areas, whose number is its own too.
    pub rooms: Vec<Room>,
    /// The room of each part. A gateway belongs to the room outside it.
    room_of: Vec<u16>,
}

impl Rooms {
    /// Returns the rooms of a map. `former`: its rooms before some edits, and the cells that these
    /// changed.
    ///
    /// O(lines · log lines), and the runs of all areas or of the changed ones.
    pub fn new(map: Signed<'_>, former: Option<Stale>) -> Self {
        let most_rooms = MOST_ROOMS.min(map.layout.bound() / LEAST_CELLS_A_ROOM + 1);
        let (mut lines, mut former, mut flips) = match former {
            Some(Stale { rooms: Self { mut lines, parts, .. }, flips }) => {
                lines.follow(map, &flips);
                (lines, Some(parts), flips)
            }
            None => (Lines::new(map), None, Vec::new()),
        };
        let mut attempt = 0;
        loop {
            let gateways = lines.gateways(map.layout, attempt);
            // Each gateway has a room behind it.
            if 2 * gateways.len() <= most_rooms {
                let mended = former
                    .take()
                    .and_then(|mut parts| parts.mend(map, &gateways, &flips).ok().map(|()| parts));
                flips.clear();
                former = mended.or_else(|| Parts::new(map, &gateways).ok());
                let tree = former.as_ref().and_then(|parts| Tree::new(parts, map, most_rooms));
                if let Some(Tree { rooms, room_of, .. }) = tree
                    && let Some(parts) = former
                {
                    return Self { lines, parts, rooms, room_of };
                }
            }
            attempt += 1;
        }
    }

    pub(in crate::grid) fn size_in_bytes(&self) -> usize {
        self.lines.size_in_bytes()
            + self.parts.size_in_bytes()
            + size_of_val(&self.rooms[..])
            + size_of_val(&self.room_of[..])
    }

    /// Returns the gateways between rooms, each once, in the order of their first cells.
    pub(in crate::grid) fn gateways(&self) -> impl Iterator<Item = Gateway> + '_ {
        let mut gateways: Vec<Gateway> = Vec::new();
        for room in self.rooms.iter().filter(|room| room.number_of_gateway != NONE) {
            gateways.push(room.gateway);
        }
        gateways.sort_unstable_by_key(|&Gateway { is_column, line, first, .. }| {
            if is_column { (first, line, true) } else { (line, first, false) }
        });
        gateways.dedup();
        gateways.into_iter()
    }

    /// Returns the room that a cell is in; [`NONE`] for a blocked one.
    fn of(&self, cell: Cell) -> u16 {
        self.room_of(self.parts.of(cell).unwrap_or(NONE))
    }

    /// Returns a lower bound on the cost from a cell to the goal of a guide; infinity if no
    /// cheapest path leads through the cell.
    #[inline(always)]
    pub(in crate::grid) fn cost<C: Cost>(&self, map: &Layout, guide: &Guide, cell: Cell) -> C {
        let Some(number) = self.parts.of(cell) else { return C::INFINITY };
        let place = map.coordinates(cell);
        guide
            .cost(number, place)
            .or_else(|| guide.cost(self.room_of(number), place))
            .unwrap_or(C::INFINITY)
    }

    /// See [`Guidance::admits`](wayfare_core::space::Guidance::admits).
    #[inline(always)]
    pub(in crate::grid) fn admits(
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
                |one, other| self.deeper(one, other).gateway,
                |cell| map.coordinates(Cell(cell)),
            );
        }
        guide.admits(gateways_ahead, f)
    }

    /// Returns the room of two that is farther from the root of their tree.
    fn deeper(&self, one: u16, other: u16) -> &Room {
        let [one, other] = [one, other].map(|room| &self.rooms[usize::from(room)]);
        if one.depth > other.depth { one } else { other }
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
        let number = self.parts.of(cell)?;
        guide.gateways_ahead(number).or_else(|| guide.gateways_ahead(self.room_of(number)))
    }

    /// The room that a part belongs to.
    pub fn room_of(&self, number: u16) -> u16 {
        self.room_of.get(usize::from(number)).copied().unwrap_or(NONE)
    }

    /// Prepares a guide for the ends of one that was prepared before some edits.
    ///
    /// Returns whether the former guide says the same of every cell that no edit changed and that
    /// is still connected to the start without passing one. The guide then keeps the limits of its
    /// search.
    ///
    /// A cell's estimate depends on its room and on the chain of gateways from there to the goal.
    /// The gateways of all rooms on the route are compared, from either side. Let them be equal,
    /// and let `s` be a cell of such a room `R` before the edits, connected to a gateway or end of
    /// `R` by cells that no edit changed. No gateway crosses them that did not before, so `s` is
    /// still in `R`.
    pub(in crate::grid) fn renew(&self, map: &Layout, steps: Steps, guide: &mut Guide) -> bool {
        let Some(former) = guide.take_former() else { return false };
        let (start, goal) = former.ends;
        self.guide(map, steps, (Cell(start), Cell(goal)), guide);
        guide.restore(former)
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
        for &part in &guide.parts {
            guide.signature.push(self.rooms[usize::from(part)].boundary);
        }
        guide.set_worthwhile(u64::from(cells) * 8 <= u64::from(self.parts.free()) * 7)
    }

    /// Stores the remaining costs of all rooms on the route. Returns the number of their cells;
    /// `None` if no path leads from one to the other.
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
            // The deeper one is not on the tree path from the other to the root.
            let depth = |room: u16| self.rooms[usize::from(room)].depth;
            let is_goal_side = depth(ahead) > depth(behind);
            let inner = if is_goal_side { ahead } else { behind };
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
        // The room nearest to the root has a gateway off the route; yet a path may lead along it.
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

/// The rooms of some parts.
struct Tree {
    rooms: Vec<Room>,
    room_of: Vec<u16>,
    /// How many there are of both rooms and gateways.
    count: usize,
}

impl Tree {
    /// Returns the tree of the rooms between gateways; `None` if there are too many.
    ///
    /// Other gateways may lead around a gateway, so not each one separates its parts. With parts
    /// and gateways as vertices, and edges where a gateway touches a part, the separating gateways
    /// are the cut vertices. A depth-first search finds them (see [`gateways`](super::gateways)).
    /// The root of an island is the room with the area whose first cell comes last. O(areas · log
    /// areas + cells of gateways).
    fn new(parts: &Parts, map: Signed<'_>, most_rooms: usize) -> Option<Self> {
        let graph = Graph::new(parts, map);
        let no_room = Room {
            outer: NONE,
            depth: 0,
            gateway: Room::NO_GATEWAY,
            number_of_gateway: NONE,
            cells: 0,
            boundary: 0,
        };
        let bound = parts.bound();
        let mut tree = Self {
            rooms: vec![no_room; bound],
            // Areas that no gateway touches stay plain.
            room_of: vec![PLAIN; bound],
            count: 1,
        };
        tree.rooms[usize::from(PLAIN)].outer = PLAIN;
        for Found { part, parent, parent_separates } in graph.search(parts) {
            let room = match parent {
                None => tree.add(part, None),
                Some(gateway) if parent_separates => tree.add(part, Some((gateway, parts))),
                Some(parent) => tree.room_of[usize::from(parent)],
            };
            tree.room_of[usize::from(part)] = room;
            tree.rooms[usize::from(room)].cells += parts.cells(part);
            tree.count += usize::from(matches!(parts.part(part), Part::Gateway(_)));
        }
        if tree.count > most_rooms {
            return None;
        }
        let numbered: u32 = tree.rooms.iter().map(|room| room.cells).sum();
        tree.rooms[usize::from(PLAIN)].cells = parts.free() - numbered;
        Some(tree)
    }

    /// Adds the room behind a gateway, starting with a part.
    fn add(&mut self, part: u16, through: Option<(u16, &Parts)>) -> u16 {
        self.count += 1;
        let mut room = Room { outer: part, ..self.rooms[usize::from(part)] };
        if let Some((number, parts)) = through
            && let Part::Gateway(gateway) = parts.part(number)
        {
            room.outer = self.room_of[usize::from(number)];
            room.gateway = gateway;
            room.number_of_gateway = number;
            room.boundary = boundary_hash(gateway, false);
            let outer = &mut self.rooms[usize::from(room.outer)];
            outer.boundary = outer.boundary.wrapping_add(boundary_hash(gateway, true));
            room.depth = outer.depth + 1;
        }
        self.rooms[usize::from(part)] = room;
        part
    }
}

/// Which parts touch.
struct Graph {
    /// The parts that touch each, and the start of each number's list.
    beside: Vec<u16>,
    begins: Vec<u32>,
}

/// A part that a depth-first search came to.
struct Found {
    part: u16,
    /// The part from which it came.
    parent: Option<u16>,
    /// Whether that is a gateway through which alone the part and all found from it are joined with
    /// the rest.
    parent_separates: bool,
}

impl Graph {
    fn new(parts: &Parts, map: Signed<'_>) -> Self {
        let mut touching: Vec<(u16, u16)> = Vec::new();
        let mut begins = vec![0u32; parts.bound() + 1];
        // The gateway that last noted each part.
        let mut noted_by = vec![NONE; parts.bound()];
        for &number in parts.gateways() {
            let Part::Gateway(gateway) = parts.part(number) else { continue };
            parts.visit_beside(gateway, map, |part| {
                if std::mem::replace(&mut noted_by[usize::from(part)], number) == number {
                    return;
                }
                touching.push((number, part));
                begins[usize::from(number) + 1] += 1;
                // Gateways that touch find each other.
                if matches!(parts.part(part), Part::Area { .. }) {
                    touching.push((part, number));
                    begins[usize::from(part) + 1] += 1;
                }
            });
        }
        for part in 0..parts.bound() {
            begins[part + 1] += begins[part];
        }
        let mut next = begins.clone();
        let mut beside = vec![NONE; touching.len()];
        for (part, other) in touching {
            let place = &mut next[usize::from(part)];
            beside[*place as usize] = other;
            *place += 1;
        }
        Self { beside, begins }
    }

    fn beside(&self, part: u16) -> &[u16] {
        let part = usize::from(part);
        &self.beside[self.begins[part] as usize..self.begins[part + 1] as usize]
    }

    /// Searches from the area of each island whose first cell comes last, and lists all parts in
    /// the order in which they were found. Leaves out areas that no gateway touches.
    fn search(&self, parts: &Parts) -> Vec<Found> {
        const UNREACHED: u32 = u32::MAX;
        let mut areas: Vec<(Cell, u16)> = (0..parts.bound() as u16)
            .filter(|&part| !self.beside(part).is_empty())
            .filter_map(|part| match parts.part(part) {
                Part::Area { first, .. } => Some((first, part)),
                _ => None,
            })
            .collect();
        areas.sort_unstable();
        let areas = areas.into_iter().rev().map(|(_, part)| part);
        let mut found: Vec<Found> = Vec::new();
        // The index of each part in `found`, and the least index that it and its descendants touch.
        let mut reached = vec![UNREACHED; parts.bound()];
        let mut lowest = vec![UNREACHED; parts.bound()];
        let mut stack: Vec<(u16, usize)> = Vec::new();
        for root in areas.chain(parts.gateways().iter().rev().copied()) {
            if reached[usize::from(root)] != UNREACHED {
                continue;
            }
            let mut reach = |part: u16, parent, reached: &mut [u32], lowest: &mut [u32]| {
                let place = found.len() as u32;
                (reached[usize::from(part)], lowest[usize::from(part)]) = (place, place);
                found.push(Found { part, parent, parent_separates: false });
            };
            reach(root, None, &mut reached, &mut lowest);
            stack.push((root, 0));
            while let Some((part, next)) = stack.last_mut() {
                let part = *part;
                let other = self.beside(part).get(*next).copied();
                *next += 1;
                match other {
                    Some(other) if reached[usize::from(other)] == UNREACHED => {
                        reach(other, Some(part), &mut reached, &mut lowest);
                        stack.push((other, 0));
                    }
                    Some(other) => {
                        let low = &mut lowest[usize::from(part)];
                        *low = (*low).min(reached[usize::from(other)]);
                    }
                    None => {
                        stack.pop();
                        if let Some(&(parent, _)) = stack.last() {
                            let low = lowest[usize::from(part)];
                            let parent = &mut lowest[usize::from(parent)];
                            *parent = (*parent).min(low);
                        }
                    }
                }
            }
        }
        for Found { part, parent, parent_separates } in &mut found {
            *parent_separates = parent.is_some_and(|parent| {
                matches!(parts.part(parent), Part::Gateway(_))
                    && lowest[usize::from(*part)] >= reached[usize::from(parent)]
            });
        }
        found
    }
}

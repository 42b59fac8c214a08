//! Rooms: the parts of a map between its gates. They form a tree, so that the gates on every way between two cells are known
//! before any search.
//!
//! A cheapest path never leaves a room by the gate that it came in by: along the gate, a straight line, it would have been
//! shorter. So rooms that do not lie between the two ends are left out, and those that do are gone through one after the other.

use super::gates::{Lines, Run};
use super::layout::Layout;
use super::signs::Signed;
use super::{Cell, moves};
use crate::space::Cost;
use crate::space::guide::{Gate, Guide, Steps};

/// The room of what is not free.
const NONE: u16 = u16::MAX;
/// Rooms are found anew after one edit for so many cells has cost gates.
const EDITS_TO_CELLS: usize = 64;
/// At most this many rooms and gates, so that their numbers are short, and one for so many cells, so that guides are small.
const MOST_ROOMS: usize = NONE as usize;
const LEAST_CELLS_A_ROOM: usize = 8;
/// Gates are at least so many cells apart, as far as they face each other.
const SPACING: u32 = 2;
/// They cut off at least so many cells.
const LEAST_CELLS: u32 = 8;

/// A part of a map, of all parts that the gates cut it in. The first ones of their islands are their roots.
#[derive(Clone, Copy, Debug)]
struct Room {
    /// The room on the other side of the gate, of a lower number; its own, for a root.
    outer: u16,
    /// What one goes through to get there, and the number that the gate's cells have.
    gate: Gate,
    number_of_gate: u16,
    /// How many it had when the rooms were found.
    cells: u32,
    /// The number of the last change by which it grew.
    changed: u32,
}

impl Room {
    /// Of a root: it is never left.
    const NO_GATE: Gate = Gate { is_column: false, line: u16::MAX, first: 0, last: 0 };
}

#[inline]
fn next(cell: Cell, offset: i32) -> Cell {
    Cell(cell.0.wrapping_add_signed(offset))
}

/// The rooms of a map: two bytes a cell, and 22 a room.
///
/// Edits keep them right at a cost that does not depend on the map's size, and never find new gates: where one falls, two rooms
/// become one. After many edits the rooms are found anew.
#[derive(Clone, Debug)]
pub(super) struct Rooms {
    of_cells: Vec<u16>,
    /// By number. Gates have numbers too, and are parts of the rooms outside them.
    rooms: Vec<Room>,
    /// The room that each has become a part of; its own number, if it is a room.
    became: Vec<u16>,
    /// How many cells were free when the rooms were found.
    free: u32,
    /// How many edits have cost gates.
    costly_edits: u32,
    /// How many changes there were that guides may have to heed, and how many when the rooms were found.
    changes: u32,
    found: u32,
}

impl Rooms {
    /// The room of all islands that have no gates, and of those that come about later: nobody goes from one to the other.
    const PLAIN: u16 = 0;

    /// The rooms of a map. O(cells + lines · log lines).
    pub(super) fn new(map: Signed<'_>) -> Self {
        // Where there are too many gates, only those that lie further apart and cut off more.
        let lines = Lines::new(map);
        let (mut spacing, mut least_cells) = (SPACING, LEAST_CELLS);
        loop {
            let gates = lines.gates(map.layout, spacing, least_cells);
            if let Some(rooms) = Self::between(&gates, &lines, map) {
                return rooms;
            }
            (spacing, least_cells) = (spacing + 1, 2 * least_cells);
        }
    }

    /// The rooms between some gates; `None`, where they are too many.
    fn between(gates: &[Gate], lines: &Lines, map: Signed<'_>) -> Option<Self> {
        let most_rooms = MOST_ROOMS.min(map.layout.bound() / LEAST_CELLS_A_ROOM + 1);
        if 2 * gates.len() > most_rooms {
            return None; // as each has a room behind it
        }
        let parts = Parts::new(gates, &lines.rows, lines.reach);
        let lowest = parts.lowest();
        let plain = Room {
            outer: Self::PLAIN,
            gate: Room::NO_GATE,
            number_of_gate: NONE,
            cells: 0,
            changed: 0,
        };
        let (mut rooms, mut became) = (vec![plain], vec![Self::PLAIN]);
        // The room of each part, and for gates their own number.
        let mut of_parts = vec![(NONE, NONE); parts.count];
        for &(part, parent) in &lowest.order {
            let own = part as usize;
            let comes_through = parent.map(|parent| parent as usize).filter(|&parent| {
                parent < gates.len() && lowest.lowest[own] >= lowest.reached[parent]
            });
            let mut add = |outer: Option<u16>, gate, number_of_gate| {
                let number = rooms.len() as u16;
                let outer = outer.unwrap_or(number);
                rooms.push(Room { outer, gate, number_of_gate, cells: 0, changed: 0 });
                became.push(number);
                number
            };
            let room = match (parent, comes_through) {
                (Some(parent), None) => of_parts[parent as usize].0,
                (Some(_), Some(gate)) => {
                    let (outer, number_of_gate) = of_parts[gate];
                    add(Some(outer), gates[gate], number_of_gate)
                }
                // Islands without gates share one.
                (None, _) if own >= gates.len() && parts.links_of(own).is_empty() => Self::PLAIN,
                (None, _) => add(None, Room::NO_GATE, NONE),
            };
            of_parts[own] = (room, room);
            if own < gates.len() {
                let number = add(Some(room), Room::NO_GATE, NONE);
                became[usize::from(number)] = room;
                of_parts[own] = (room, number);
            }
            if rooms.len() > most_rooms {
                return None;
            }
        }
        let mut of_cells = vec![NONE; map.layout.bound()];
        let mut free = 0;
        for &Piece { line, first, last, part } in &parts.pieces {
            let (room, number) = of_parts[part as usize];
            let begin = map.layout.cell(first.into(), line.into()).0 as usize;
            let cells = u32::from(last - first) + 1;
            of_cells[begin..begin + cells as usize].fill(number);
            rooms[usize::from(room)].cells += cells;
            free += cells;
        }
        Some(Self { of_cells, rooms, became, free, costly_edits: 0, changes: 0, found: 0 })
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        size_of_val(&self.of_cells[..])
            + size_of_val(&self.rooms[..])
            + size_of_val(&self.became[..])
    }

    /// The gates that stand, each once.
    pub(super) fn gates(&self) -> impl Iterator<Item = Gate> + '_ {
        let mut numbers: Vec<(u16, Gate)> = (0..)
            .zip(&self.rooms)
            .filter(|&(number, room)| room.number_of_gate != NONE && self.now(number) == number)
            .map(|(_, room)| (room.number_of_gate, room.gate))
            .collect();
        numbers.sort_unstable_by_key(|(number, _)| *number);
        numbers.dedup_by_key(|(number, _)| *number);
        numbers.into_iter().map(|(_, gate)| gate)
    }

    /// Whether a guide is still what would be prepared now. O(rooms on the way).
    pub(super) fn hold(&self, guide: &Guide) -> bool {
        self.found <= guide.made
            && guide.parts.iter().all(|&part| {
                let room = self.rooms.get(usize::from(part));
                room.is_some_and(|room| room.changed <= guide.made) && self.now(part) == part
            })
    }

    /// Brings the rooms up to date after some cells may have become free or blocked.
    pub(super) fn update(&mut self, map: Signed<'_>, touched: &[Cell]) {
        for &cell in touched {
            let before = self.changes;
            match (self.of_cells[cell.0 as usize] != NONE, map.rows.get(cell)) {
                (true, false) => self.block(map.layout, cell),
                (false, true) => self.open(map.layout, cell),
                _ => {}
            }
            if self.changes > before {
                self.costly_edits += 1;
                if self.costly_edits.is_multiple_of(16) {
                    self.shorten();
                }
            }
        }
        if self.costly_edits as usize > self.of_cells.len() / EDITS_TO_CELLS {
            let changes = self.changes + 1;
            *self = Self { changes, found: changes, ..Self::new(map) };
        }
    }

    /// Lets every room know at once what it has become a part of, since rooms become parts of those with lower numbers. O(rooms).
    fn shorten(&mut self) {
        for room in 0..self.became.len() {
            self.became[room] = self.became[usize::from(self.became[room])];
        }
    }

    /// The gates through a blocked cell fall: along them it is no longer straight on. O(free cells in line with it).
    fn block(&mut self, map: &Layout, blocked: Cell) {
        self.of_cells[blocked.0 as usize] = NONE;
        let (x, y) = map.coordinates(blocked);
        let offsets = map.offsets();
        for (is_column, line, place) in [(false, y, x), (true, x, y)] {
            let backwards = if is_column { moves::NORTH } else { moves::WEST };
            for offset in [offsets[backwards], -offsets[backwards]] {
                let mut cell = blocked;
                loop {
                    for room in offsets.map(|offset| self.of(next(cell, offset))) {
                        let is_through = self.rooms.get(usize::from(room)).is_some_and(|room| {
                            room.gate.is_column == is_column
                                && u32::from(room.gate.line) == line
                                && (room.gate.first.into()..=room.gate.last.into()).contains(&place)
                        });
                        if is_through {
                            self.merge(&[room], self.outer(room));
                        }
                    }
                    cell = next(cell, offset);
                    if self.of_cells[cell.0 as usize] == NONE {
                        break;
                    }
                }
            }
        }
    }

    /// What is around a free cell is joined over it: all gates between fall. O(those gates).
    fn open(&mut self, map: &Layout, free: Cell) {
        let mut joined = NONE;
        for offset in map.offsets() {
            let room = self.of(next(free, offset));
            if room != NONE {
                joined = if joined == NONE { room } else { self.join(joined, room) };
            }
        }
        let joined = if joined == NONE { Self::PLAIN } else { joined };
        self.of_cells[free.0 as usize] = joined;
    }

    /// Makes one room of two and all between them.
    fn join(&mut self, mut one: u16, mut other: u16) -> u16 {
        let mut fallen = Vec::new();
        while one != other {
            (one, other) = (one.min(other), one.max(other));
            fallen.push(other);
            let outer = self.outer(other);
            other = if outer == other { one } else { outer }; // a root is that of another island
        }
        self.merge(&fallen, one);
        one
    }

    /// Makes rooms parts of another.
    fn merge(&mut self, rooms: &[u16], into: u16) {
        if !rooms.is_empty() {
            rooms.iter().for_each(|&room| self.became[usize::from(room)] = into);
            self.changes += 1;
            self.rooms[usize::from(into)].changed = self.changes;
        }
    }

    /// The room that a cell is in; that of a blocked one is none.
    fn of(&self, cell: Cell) -> u16 {
        self.now(self.of_cells.get(cell.0 as usize).copied().unwrap_or(NONE))
    }

    /// What the way from a cell to the goal of a guide costs at least; infinity where no cheapest path leads through it.
    #[inline(always)]
    pub(super) fn cost<C: Cost>(&self, map: &Layout, guide: &Guide, cell: Cell) -> C {
        let Some(&number) = self.of_cells.get(cell.0 as usize) else { return C::INFINITY };
        let place = map.coordinates(cell);
        guide
            .cost(number, place)
            .or_else(|| guide.cost(self.now(number), place))
            .unwrap_or(C::INFINITY)
    }

    /// See [`Guidance::admits`](crate::expert::Guidance::admits).
    #[inline(always)]
    pub(super) fn admits(
        &self,
        map: &Layout,
        guide: &mut Guide,
        jump: (Cell, Cell),
        (g, f): (u64, u64),
    ) -> bool {
        let Some(gates_ahead) = self.gates_ahead(guide, jump.1) else { return true };
        if guide.is_farther(gates_ahead) {
            self.come_through(guide, jump, (g, f));
        } else if guide.may_limit(f) {
            guide.heed(
                |one, other| self.rooms[usize::from(one.max(other))].gate,
                |cell| map.coordinates(Cell(cell)),
            );
        }
        guide.admits(gates_ahead, f)
    }

    #[inline(never)]
    fn come_through(&self, guide: &mut Guide, (from, to): (Cell, Cell), costs: (u64, u64)) {
        if let (Some(before), Some(after)) =
            (self.gates_ahead(guide, from), self.gates_ahead(guide, to))
        {
            guide.come_through((before, after), (from.0, to.0), costs);
        }
    }

    #[inline(always)]
    fn gates_ahead(&self, guide: &Guide, cell: Cell) -> Option<usize> {
        let &number = self.of_cells.get(cell.0 as usize)?;
        guide.gates_ahead(number).or_else(|| guide.gates_ahead(self.now(number)))
    }

    fn now(&self, mut room: u16) -> u16 {
        while let Some(&became) = self.became.get(usize::from(room))
            && became != room
        {
            room = became;
        }
        room
    }

    fn outer(&self, room: u16) -> u16 {
        self.now(self.rooms[usize::from(room)].outer)
    }

    /// Prepares a guide from one free cell to another of the same island. Says whether it is worth following. O(gates on the way).
    pub(super) fn guide(
        &self,
        map: &Layout,
        steps: Steps,
        (start, goal): (Cell, Cell),
        guide: &mut Guide,
    ) -> bool {
        let to = map.coordinates(goal);
        let (mut ahead, mut behind) = (self.of(goal), self.of(start));
        if ahead == NONE || behind == NONE {
            return false;
        }
        let mut funnel = guide.begin(self.rooms.len(), steps, to);
        guide.made = self.changes;
        guide.set(ahead, funnel);
        let mut cells = self.rooms[usize::from(ahead)].cells;
        while ahead != behind {
            let (inner, is_goal_side) =
                if ahead > behind { (ahead, true) } else { (behind, false) };
            let outer = self.outer(inner);
            if outer == inner {
                return false; // of another island
            }
            if is_goal_side {
                guide.parts.push(inner);
                ahead = outer;
                funnel = guide.through(funnel, self.rooms[usize::from(inner)].gate);
                guide.set(outer, funnel);
                cells += self.rooms[usize::from(outer)].cells;
            } else {
                behind = outer;
                guide.way.push(inner);
            }
        }
        // The room that is nearest to the root has a gate that does not lead further on the way; yet one may walk along it.
        let Room { number_of_gate, .. } = self.rooms[usize::from(ahead)];
        if number_of_gate != NONE {
            guide.set(number_of_gate, funnel);
        }
        guide.parts.push(ahead);
        while let Some(inner) = guide.way.pop() {
            guide.parts.push(inner);
            let room = &self.rooms[usize::from(inner)];
            funnel = guide.through(funnel, room.gate);
            guide.set(inner, funnel);
            cells += room.cells;
        }
        guide.set_out();
        u64::from(cells) * 8 <= u64::from(self.free) * 7
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

/// The gates of a map, and what is left of it between them: the vertices of a graph.
struct Parts {
    /// All free cells, row by row.
    pieces: Vec<Piece>,
    /// How many parts there are: the gates by their numbers, then the others.
    count: usize,
    /// The parts that can be stepped to, by the part from which, and where those of each begin.
    links: Vec<(u32, u32)>,
    links_of: Vec<u32>,
}

/// How a depth-first search came by the parts.
struct Lowest {
    /// Each part and the one that it was found from.
    order: Vec<(u32, Option<u32>)>,
    /// The place of each in that order, and the lowest that it and all found from it are linked with.
    reached: Vec<u32>,
    lowest: Vec<u32>,
}

/// The first of the pieces that a piece is joined with.
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

    fn new(gates: &[Gate], rows: &[Run], reach: u16) -> Self {
        let mut pieces = Self::pieces(gates, rows);
        let count = gates.len() as u32;
        // Until they are numbered, parts that are no gates go by the number of their first piece.
        let mut joined: Vec<u32> = (0..count + pieces.len() as u32).collect();
        let mut links = Vec::new();
        let (mut before, mut here) = (0, 0);
        for at in 0..pieces.len() {
            let piece = pieces[at];
            if piece.line != pieces[here].line {
                before = if pieces[here].line + 1 == piece.line { here } else { at };
                here = at;
            }
            let mut meet = |other: Piece| {
                if piece.part.min(other.part) < count {
                    links.push((piece.part, other.part));
                } else {
                    let (one, other) =
                        (root(&mut joined, piece.part), root(&mut joined, other.part));
                    joined[one.max(other) as usize] = one.min(other);
                }
            };
            if at > here && pieces[at - 1].last + 1 == piece.first {
                meet(pieces[at - 1]);
            }
            while before < here && pieces[before].last + reach < piece.first {
                before += 1;
            }
            let above = pieces[before..here].iter();
            above
                .take_while(|above| above.first <= piece.last + reach)
                .for_each(|&above| meet(above));
        }
        let mut numbers = vec![Self::NONE; joined.len()];
        let mut number_of = |part: u32, next: &mut u32| {
            if part < count {
                return part;
            }
            let number = &mut numbers[root(&mut joined, part) as usize];
            if *number == Self::NONE {
                *number = *next;
                *next += 1;
            }
            *number
        };
        let mut next = count;
        for piece in &mut pieces {
            piece.part = number_of(piece.part, &mut next);
        }
        for at in 0..links.len() {
            let (one, other) = links[at];
            let link = (number_of(one, &mut next), number_of(other, &mut next));
            links[at] = link;
            links.push((link.1, link.0));
        }
        links.retain(|(one, other)| one != other);
        links.sort_unstable();
        links.dedup();
        let links_of =
            (0..=next).map(|part| links.partition_point(|link| link.0 < part) as u32).collect();
        Self { pieces, count: next as usize, links, links_of }
    }

    /// The rows, cut up where gates are.
    fn pieces(gates: &[Gate], rows: &[Run]) -> Vec<Piece> {
        let mut cuts = Vec::new();
        for (part, &Gate { is_column, line, first, last }) in (0..).zip(gates) {
            if is_column {
                cuts.extend((first..=last).map(|y| Piece {
                    line: y,
                    first: line,
                    last: line,
                    part,
                }));
            } else {
                cuts.push(Piece { line, first, last, part });
            }
        }
        cuts.sort_unstable_by_key(|cut| (cut.line, cut.first));
        let (mut cuts, mut pieces) = (cuts.into_iter().peekable(), Vec::new());
        let mut add = |line, first, last, gate: Option<u32>| {
            if first <= last {
                let part = gate.unwrap_or((gates.len() + pieces.len()) as u32);
                pieces.push(Piece { line, first, last, part });
            }
        };
        for run in rows {
            let mut from = run.first;
            while let Some(cut) = cuts.next_if(|cut| cut.line == run.line && cut.first <= run.last)
            {
                if cut.first > from {
                    add(run.line, from, cut.first - 1, None);
                }
                add(run.line, cut.first, cut.last, Some(cut.part));
                from = cut.last + 1;
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
        // What lies between gates comes first: roots should be large.
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

//! Edits of rooms: after some cells became free or blocked, mends rooms, gateways and obstacles at
//! the cost of what changed.
//!
//! The order keeps trees trees all the time:
//!
//! 1. Gateways whose own cells changed, or the cells noted beside them, go. Their two rooms become
//!    one.
//! 2. Blocked cells leave their rooms, which may fall apart, and join obstacles. A gateway that is
//!    left still has both ends at one obstacle, as obstacles have only grown.
//! 3. Freed cells leave their obstacles, which may fall apart.
//! 4. Runs beside cells that changed, or whose obstacle changed its number, are looked at again,
//!    columns first. Gateways that separate no longer go: two ends at different obstacles mean that
//!    the freed cells lead around them.
//! 5. Freed cells join rooms. Rooms that one joins lie in different trees: had there been a way
//!    between them already, the freed cell would have closed a loop, and the gateways on it would
//!    have gone.
//! 6. New gateways divide their rooms.

use wayfare_core::inside::Gateway;

use super::gateways::{Lines, Run, Separation, Side, cells_of};
use super::obstacle_links::Touching;
use super::pieces::{Fallen, Links, Stretch};
use super::probes::Probes;
use super::room_links::Moves;
use super::rooms::{Entry, GATEWAY, NONE, OBSTACLE, Room, Rooms, boundary_hash, is_room};
use super::runs::reach;
use super::signs::Signed;
use crate::grid::Cell;

/// The runs to be looked at again.
struct Again {
    rows: Probes,
    columns: Probes,
    /// Rows that met a gateway along a column.
    met: Probes,
}

/// Sorts numbers, and leaves one of each.
fn sort(numbers: &mut Vec<u32>) {
    numbers.sort_unstable();
    numbers.dedup();
}

/// Adds the cells of rows that a gateway along a column crosses, or touches where moves cut
/// corners.
fn add_met(met: &mut Probes, map: Signed<'_>, gateway: Gateway) {
    let reach = reach(map.neighbours, map.corners);
    // With the padding counted.
    let [x, first, last] =
        [gateway.line, gateway.first, gateway.last].map(|place| u32::from(place) + 1);
    for y in first - reach..=last + reach {
        met.add(y, [x - reach, x + reach]);
    }
}

impl Rooms {
    /// Follows an edit that freed and blocked some cells; others among them do no harm. Returns the
    /// work: cells and runs looked at.
    ///
    /// O(flips + cells of the smaller parts of all that fell apart or became one).
    pub fn follow(&mut self, map: Signed<'_>, flips: &[Cell]) -> u64 {
        let is_obstacle = |number: u32| number & OBSTACLE != 0 && number & GATEWAY == 0;
        let mut again = Again::with_capacity(3 * flips.len() + 4);
        let (mut blocked, mut freed) = (Vec::with_capacity(flips.len()), Vec::new());
        for &cell in flips {
            match (map.rows.get(cell), is_obstacle(self.numbers[cell.0 as usize])) {
                (true, true) => freed.push(cell.0),
                (false, false) => blocked.push(cell.0),
                _ => continue,
            }
        }
        sort(&mut blocked);
        sort(&mut freed);
        for &cell in blocked.iter().chain(&freed) {
            again.add_around(map, Cell(cell));
        }
        self.drop_touched(map, &mut again, &blocked, &freed);
        let mut renumbered = Vec::new();
        for &cell in &blocked {
            self.block(map, cell, &mut renumbered);
        }
        for &cell in &freed {
            self.unblock(map, cell, &mut renumbered);
        }
        let mut work = flips.len();
        for &stretch in &renumbered {
            again.add_beside(map, stretch);
            work += (stretch[1] - stretch[0]) as usize + 1;
        }
        work += again.rows.len() + again.columns.len();
        let added = self.look_again(map, again);
        for &cell in &freed {
            self.open(map, cell);
        }
        for separation in added {
            self.divide(map, separation);
        }
        work as u64
    }

    fn entry(&self, index: u32) -> Option<&Entry> {
        self.gateways.get(index as usize)?.as_ref()
    }

    /// Returns the gateway that a cell is one of, if it lies along a column, or along a row.
    fn gateway_at(&self, cell: Cell, is_column: bool) -> Option<u32> {
        let number = self.numbers[cell.0 as usize];
        if number == NONE || number & GATEWAY == 0 {
            return None;
        }
        let index = number ^ GATEWAY;
        self.entry(index)
            .filter(|entry| entry.separation.gateway.is_column == is_column)
            .map(|_| index)
    }

    /// Drops the gateways whose cells changed, or that a freed cell is at an end of, or beyond
    /// which a cell was blocked: the room there may fall apart. Also those whose noted cells were
    /// blocked.
    fn drop_touched(&mut self, map: Signed<'_>, again: &mut Again, blocked: &[u32], freed: &[u32]) {
        let mut touched = Vec::new();
        let moves = Moves::new(map, &self.gateways, &self.open, false);
        for &cell in blocked {
            let number = self.numbers[cell as usize];
            if !is_room(number) {
                touched.push(number ^ GATEWAY);
                continue;
            }
            moves.visit_gateways(&self.numbers, cell, |index, side, _| {
                let Some(Entry { separation, .. }) = self.entry(index) else { return };
                if separation.own != side || separation.cell_on(side) == Cell(cell) {
                    touched.push(index);
                }
            });
        }
        let stride = map.layout.stride;
        for &cell in freed {
            for (is_column, along) in [(false, 1), (true, stride)] {
                let ends = [cell - along, cell + along].map(Cell);
                touched.extend(ends.iter().filter_map(|&end| self.gateway_at(end, is_column)));
            }
        }
        sort(&mut touched);
        for index in touched {
            if let Some(&Entry { separation: Separation { gateway, .. }, .. }) = self.entry(index)
                && gateway.is_column
            {
                add_met(&mut again.met, map, gateway);
            }
            self.unite(map, index);
        }
    }

    /// Takes a cell out of its room, which may fall apart, and adds it to the obstacles.
    fn block(&mut self, map: Signed<'_>, cell: u32, renumbered: &mut Vec<Stretch>) {
        let room = self.numbers[cell as usize];
        debug_assert!(is_room(room), "a blocked cell is one of a gateway");
        let is_column = self.open.is_longer_along_column(map.layout, Cell(cell));
        self.open.set(map.layout, Cell(cell), false, false);
        let moves = Moves::new(map, &self.gateways, &self.open, is_column);
        // At least one cell of each part that may fall off.
        let mut seeds = Vec::new();
        if !moves.is_ring(&self.numbers, cell, room) {
            moves.visit(&self.numbers, cell, |other| {
                if !seeds.contains(&other) {
                    seeds.push(other);
                }
            });
        }
        self.free -= 1;
        self.rooms.shrink(room, 1);
        // Not one of the room while floods look around.
        self.numbers[cell as usize] = NONE;
        if seeds.len() > 1 {
            for fallen in self.rooms.split(&mut self.numbers, &moves, &seeds) {
                self.settle(room, fallen, NONE);
            }
        }
        let touching = Touching::new(map);
        let seeds = self.obstacles.insert(&mut self.numbers, &touching, cell);
        let into = self.numbers[cell as usize];
        for (place, &seed) in seeds.iter().enumerate() {
            if self.numbers[seed as usize] != into {
                let seeds = &seeds[place..];
                self.obstacles.absorb(&mut self.numbers, &touching, (seeds, into), renumbered);
            }
        }
    }

    /// Takes a cell out of its obstacle, which may fall apart. It belongs to no room yet.
    fn unblock(&mut self, map: Signed<'_>, cell: u32, renumbered: &mut Vec<Stretch>) {
        let touching = Touching::new(map);
        let obstacle = self.numbers[cell as usize];
        self.numbers[cell as usize] = NONE;
        self.obstacles.shrink(obstacle, 1);
        if touching.is_ring(&self.numbers, cell, obstacle) {
            return;
        }
        let mut seeds = Vec::with_capacity(8);
        touching.visit(&self.numbers, cell, |other| seeds.push(other));
        for fallen in self.obstacles.split(&mut self.numbers, &touching, &seeds) {
            renumbered.extend(fallen.stretches);
        }
    }

    /// Looks at some runs again, and at those beside them. Drops the gateways that are none any
    /// more, and returns the new ones.
    fn look_again(&mut self, map: Signed<'_>, mut again: Again) -> Vec<Separation> {
        let mut added = Vec::new();
        let lines = Lines::of(map, true);
        let columns = again.columns.runs(lines);
        for run in Probes::around(lines, &columns).runs(lines) {
            let Some((former, found)) = self.change(map, lines, run) else { continue };
            for Separation { gateway, .. } in former.into_iter().chain(found) {
                add_met(&mut again.met, map, gateway);
            }
            if let Some(found) = found {
                cells_of(found.gateway, map.layout).for_each(|cell| self.columns.set(cell, true));
                added.push(found);
            }
        }
        let lines = Lines::of(map, false);
        let rows = again.rows.runs(lines);
        let mut probes = Probes::around(lines, &rows);
        probes.append(again.met);
        for run in probes.runs(lines) {
            added.extend(self.change(map, lines, run).and_then(|(_, found)| found));
        }
        added
    }

    /// Returns what a run was and is, if that has changed, and drops the gateway that it was.
    fn change(
        &mut self,
        map: Signed<'_>,
        lines: Lines<'_>,
        run: Run,
    ) -> Option<(Option<Separation>, Option<Separation>)> {
        let index = self.gateway_at(lines.cell(run.line, run.first), lines.is_column());
        let former = index.and_then(|index| self.entry(index)).map(|entry| entry.separation);
        let found = self.separation(map, lines, run);
        let is_same = match (&former, &found) {
            (None, None) => true,
            (Some(former), Some(found)) => former.is_like(found),
            _ => false,
        };
        if is_same {
            return None;
        }
        if let Some(index) = index {
            self.unite(map, index);
        }
        Some((former, found))
    }

    /// Drops a gateway: its two rooms become one, and its cells belong to that.
    fn unite(&mut self, map: Signed<'_>, index: u32) {
        let Some(Entry { separation, inner }) = self.gateways[index as usize].take() else {
            return;
        };
        self.unused.push(index);
        let Separation { gateway, own, .. } = separation;
        let [owner, other] = [own, own.other()].map(|side| self.room_on(&separation, side));
        let outer = if inner == own { other } else { owner };
        let up = self.known[outer as usize].up;
        let boundary = [owner, other].map(|room| self.known[room as usize].boundary);
        let hashes = [true, false].map(|is_own| boundary_hash(gateway, is_own));
        let boundary =
            boundary[0].wrapping_add(boundary[1]).wrapping_sub(hashes[0]).wrapping_sub(hashes[1]);
        for cell in cells_of(gateway, map.layout) {
            self.numbers[cell.0 as usize] = owner;
            self.open.set(map.layout, cell, true, false);
            if gateway.is_column {
                self.columns.set(cell, false);
            }
        }
        self.rooms.grow(owner, u32::from(gateway.last - gateway.first) + 1);
        // The owner's cells are joined through the gateway, those beyond it are one run.
        let first = cells_of(gateway, map.layout).next();
        let (seed, large) = if self.rooms.cells(owner) < self.rooms.cells(other) {
            (first, other)
        } else {
            (Some(separation.cell_on(own.other())), owner)
        };
        let seeds: Vec<u32> = seed.iter().map(|cell| cell.0).collect();
        self.absorb(map, (&seeds, large), gateway.is_column);
        self.known[large as usize] = Room { up, boundary };
    }

    /// Gives the cells of the room of the first seed to another room. See [`Pieces::absorb`].
    fn absorb(&mut self, map: Signed<'_>, (seeds, into): (&[u32], u32), is_column: bool) {
        let Self { numbers, rooms, gateways, open, .. } = self;
        let moves = Moves::new(map, gateways, open, is_column);
        rooms.absorb(numbers, &moves, (seeds, into), &mut Vec::new());
    }

    /// Adds a cell to the rooms around it, which become one.
    fn open(&mut self, map: Signed<'_>, cell: u32) {
        self.free += 1;
        let Self { numbers, rooms, gateways, open, .. } = self;
        let moves = Moves::new(map, gateways, open, false);
        let seeds = rooms.insert(numbers, &moves, cell);
        let into = self.numbers[cell as usize];
        self.make_known(into);
        for (place, &seed) in seeds.iter().enumerate() {
            let room = self.numbers[seed as usize];
            if room == into {
                continue;
            }
            self.make_root(room);
            let boundary = self.known[room as usize].boundary;
            let is_column = self.open.is_longer_along_column(map.layout, Cell(seed));
            self.absorb(map, (&seeds[place..], into), is_column);
            let known = &mut self.known[into as usize];
            known.boundary = known.boundary.wrapping_add(boundary);
        }
        self.open.set(map.layout, Cell(cell), true, false);
    }

    /// Makes sure that there is something known of a room, which may be new.
    fn make_known(&mut self, room: u32) {
        if self.known.len() <= room as usize {
            self.known.resize(room as usize + 1, Room { up: NONE, boundary: 0 });
        }
        if self.rooms.cells(room) == 1 {
            self.known[room as usize] = Room { up: NONE, boundary: 0 };
        }
    }

    /// Makes a room the root of its tree. O(gateways up to the former root).
    fn make_root(&mut self, mut room: u32) {
        let mut came_by = NONE;
        loop {
            let up = std::mem::replace(&mut self.known[room as usize].up, came_by);
            let Some(Some(entry)) = self.gateways.get_mut(up as usize) else { return };
            room = self.numbers[entry.separation.cell_on(entry.inner.other()).0 as usize];
            entry.inner = entry.inner.other();
            came_by = up;
        }
    }

    /// Divides a room by a new gateway.
    fn divide(&mut self, map: Signed<'_>, separation: Separation) {
        let Separation { gateway, own, .. } = separation;
        let cells = u32::from(gateway.last - gateway.first) + 1;
        let room = self.room_on(&separation, own);
        let index = self.enter(map.layout, separation);
        self.rooms.shrink(room, cells);
        let Self { numbers, rooms, gateways, open, .. } = self;
        let moves = Moves::new(map, gateways, open, gateway.is_column);
        let seeds = separation.beside.map(|cell| cell.0);
        let fallen = rooms.split(numbers, &moves, &seeds);
        debug_assert_eq!(fallen.len(), 1, "a gateway separates two rooms");
        for fallen in fallen {
            self.settle(room, fallen, index);
        }
    }

    /// Notes what is known of a part that fell off a room: behind the gateway of an index, or of no
    /// gateway, so that it is a tree of its own.
    fn settle(&mut self, room: u32, fallen: Fallen, behind: u32) {
        let Fallen { number: part, bridges: mut gateways, .. } = fallen;
        if self.known.len() <= part as usize {
            self.known.resize(part as usize + 1, Room { up: NONE, boundary: 0 });
        }
        sort(&mut gateways);
        let Room { up, boundary } = self.known[room as usize];
        let (mut own, mut rest) = (0u64, boundary);
        for (index, is_own) in gateways.into_iter().map(|of| (of / 2, of % 2 == 1)) {
            let Some(&Entry { separation, .. }) = self.entry(index) else { continue };
            let hash = boundary_hash(separation.gateway, is_own);
            own = own.wrapping_add(hash);
            if index == behind {
                // The room that is left is on the other side of it.
                rest = rest.wrapping_add(boundary_hash(separation.gateway, !is_own));
            } else {
                rest = rest.wrapping_sub(hash);
            }
        }
        let is_above = self
            .entry(up)
            .is_some_and(|entry| self.room_on(&entry.separation, entry.inner) == part);
        let (part_up, room_up) = if is_above { (up, behind) } else { (behind, up) };
        self.known[part as usize] = Room { up: part_up, boundary: own };
        self.known[room as usize] = Room { up: room_up, boundary: rest };
        if let Some(Some(entry)) = self.gateways.get_mut(behind as usize) {
            let before = self.numbers[entry.separation.cell_on(Side::Before).0 as usize];
            let inner = if is_above { room } else { part };
            entry.inner = if before == inner { Side::Before } else { Side::After };
        }
    }
}

impl Again {
    fn with_capacity(count: usize) -> Self {
        let [rows, columns, met] = [count, count, 0].map(Probes::with_capacity);
        Self { rows, columns, met }
    }

    /// Adds the runs that a changed cell lies in, ends or lies beside.
    fn add_around(&mut self, map: Signed<'_>, cell: Cell) {
        let [x, y] = padded(map, cell);
        for (probes, line, at) in [(&mut self.rows, y, x), (&mut self.columns, x, y)] {
            for line in line - 1..=line + 1 {
                probes.add(line, [at - 1, at + 1]);
            }
        }
    }

    /// Adds the runs that some blocked cells are at an end of. They follow each other by id,
    /// through the padding into the next row perhaps.
    fn add_beside(&mut self, map: Signed<'_>, [mut first, last]: Stretch) {
        while first <= last {
            let [x, y] = padded(map, Cell(first));
            let end = (x + last - first).min(map.layout.stride - 1);
            self.rows.add(y, [x.saturating_sub(1), end + 1]);
            for x in x..=end {
                self.columns.add(x, [y.saturating_sub(1), y + 1]);
            }
            first += end + 1 - x;
        }
    }
}

/// Returns the column and the row of a cell, with the padding counted.
fn padded(map: Signed<'_>, cell: Cell) -> [u32; 2] {
    let (x, y) = map.layout.coordinates(cell);
    [x, y].map(|place| place.wrapping_add(1))
}

//! Cheapest costs within an even sector, from corner to corner of its obstacles.
//!
//! The *nodes* are the corners and the ends of the paths that are asked for. From each node a scan
//! finds the nodes that can be reached by diagonal steps and then straight ones without passing
//! another node; cheapest paths lead along these arcs. A sector has several times as many cells as
//! corners, and the arcs serve all ends.
//!
//! # Why the costs are those of cheapest paths
//!
//! * An arc is a real path: its cells are looked at.
//! * Where a diagonal needs both cells beside it free, a cheapest path that is longer than the
//!   distance on open ground turns at a corner of an obstacle, and can be led through that node.
//! * Let two nodes be as far apart as on open ground, with no node on any cheapest path between
//!   them. Then all cells between them are free: an obstacle among them would have a corner there.
//!   So diagonal steps first and straight ones after them are such a path, and a scan finds it: it
//!   stops at obstacles, at nodes, and where a node nearer by lies on a path as cheap.
//! * More nodes than corners only divide arcs.
//!
//! Source: T. Uras, S. Koenig, C. Hernández, "Subgoal graphs for optimal pathfinding in
//! eight-neighbor grids", 2013.

use wayfare_core::space::Cost;
use wayfare_grid::grid::{CornerRule, GridSpace, Neighbours};
use wayfare_grid::inside::BitMap;

use super::elimination::{CostTable, FAR};
use super::sectors::Bounds;

/// The largest side of a sector: its rows are words.
pub(super) const MOST_CELLS: u32 = 64;

/// A map of up to 64 × 64 cells as bits, row by row and column by column.
#[derive(Clone, Debug)]
struct Bits {
    rows: [u64; MOST_CELLS as usize],
    columns: [u64; MOST_CELLS as usize],
}

impl Default for Bits {
    fn default() -> Self {
        Self { rows: [0; MOST_CELLS as usize], columns: [0; MOST_CELLS as usize] }
    }
}

impl Bits {
    fn clear(&mut self, (x, y): (u32, u32)) {
        self.rows[y as usize] &= !(1 << x);
        self.columns[x as usize] &= !(1 << y);
    }

    /// Sets cells of a row.
    fn set_row(&mut self, y: u32, mut bits: u64) {
        self.rows[y as usize] |= bits;
        while bits != 0 {
            self.columns[bits.trailing_zeros() as usize] |= 1 << y;
            bits &= bits - 1;
        }
    }

    /// Returns whether a cell is set; `false` outside, wrapped around below 0.
    #[inline]
    fn has(&self, (x, y): (u32, u32)) -> bool {
        x < MOST_CELLS && self.rows.get(y as usize).is_some_and(|row| row >> x & 1 == 1)
    }

    /// Returns the number of set cells that follow a cell in a straight direction.
    #[inline]
    fn run(&self, (x, y): (u32, u32), (dx, dy): (i32, i32)) -> u32 {
        let (line, at) =
            if dy == 0 { (self.rows[y as usize], x) } else { (self.columns[x as usize], y) };
        if dx + dy > 0 {
            (!line.checked_shr(at + 1).unwrap_or(0)).trailing_zeros()
        } else {
            (!line.checked_shl(MOST_CELLS - at).unwrap_or(0)).leading_zeros()
        }
    }
}

/// With fewer cells to a node, floods take less time.
const CELLS_TO_A_NODE: usize = 2;
/// The most nodes. Their table has a megabyte.
const MOST_NODES: usize = 512;

/// The graph of the corners of a sector: working memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Corners {
    free: Bits,
    /// The free cells but the nodes.
    between: Bits,
    /// The coordinates of each node: first the ends.
    nodes: Vec<(u32, u32)>,
    /// The node of each cell that has one, row by row.
    named: Vec<u16>,
    /// The costs of a straight and of a diagonal step.
    steps: [i32; 2],
    table: CostTable,
}

impl Corners {
    /// Finds the ends and corners of a sector. Returns whether arcs between them pay, and lead
    /// wherever paths do.
    ///
    /// They pay where there are two cells to a node. `steps` are the costs of a straight and of a
    /// diagonal step. O(cells).
    pub(super) fn load<C: Cost>(
        &mut self,
        space: &GridSpace<'_, C>,
        (bounds, steps): (Bounds, [u64; 2]),
        ends: &[(u32, u32)],
    ) -> bool {
        let profile = space.profile();
        let (free, media) = (space.free_cells().next(), space.free_cells().len());
        let is_known = profile.neighbours == Neighbours::Eight
            && profile.corners == CornerRule::BothFree
            && media == 1
            && bounds.width.max(bounds.height) <= MOST_CELLS
            && steps[1] * u64::from(MOST_CELLS * MOST_CELLS) < FAR as u64;
        let Some(free) = free.filter(|_| is_known) else { return false };
        self.free = Bits::default();
        self.steps = steps.map(|cost| cost as i32);
        self.nodes.clear();
        for y in 0..bounds.height {
            // A word has at least 57 cells from any one on.
            for x in (0..bounds.width).step_by(32) {
                let cell = space.layout().cell(bounds.x + x, bounds.y + y);
                let cells = u64::MAX >> (64 - (bounds.width - x).min(32));
                let bits = free.word(BitMap::byte(cell)) >> (cell.0 & 7) & cells;
                self.free.set_row(y, bits << x);
            }
        }
        let ends = ends.iter().map(|&(x, y)| (x - bounds.x, y - bounds.y));
        self.find(ends)
    }

    /// Finds the nodes. Returns whether they are few enough to pay.
    fn find(&mut self, ends: impl Iterator<Item = (u32, u32)>) -> bool {
        self.nodes.extend(ends);
        self.between = self.free.clone();
        self.nodes.iter().for_each(|&end| self.between.clear(end));
        let (rows, mut cells) = (&self.free.rows, 0);
        for y in 0..rows.len() {
            let row = rows[y];
            cells += row.count_ones();
            let beside = [y.checked_sub(1), Some(y + 1)];
            let mut corners = 0;
            for other in beside.into_iter().flatten().filter_map(|y| rows.get(y)) {
                // Free, with free cells beside and above it, and a blocked one between these.
                corners |= row & other & (row >> 1 & !(other >> 1) | row << 1 & !(other << 1));
            }
            corners &= self.between.rows[y];
            while corners != 0 {
                let at = (corners.trailing_zeros(), y as u32);
                corners &= corners - 1;
                self.nodes.push(at);
            }
        }
        self.nodes.iter().for_each(|&at| self.between.clear(at));
        self.nodes.len() * CELLS_TO_A_NODE <= cells as usize && self.nodes.len() <= MOST_NODES
    }

    /// Computes the costs between the ends. In their table [`FAR`] stands for no path.
    ///
    /// O(nodes³), in practice far less.
    pub(super) fn measure(&mut self, ends: usize) -> &CostTable {
        self.join();
        self.table.keep(ends);
        self.table.close();
        &self.table
    }

    /// Joins the nodes by arcs.
    fn join(&mut self) {
        let Self { free, between, nodes, named, steps: [straight, diagonal], table } = self;
        table.clear(nodes.len(), true); // see "Even sectors" in `flood.rs`
        named.resize((MOST_CELLS * MOST_CELLS) as usize, 0);
        let place = |(x, y): (u32, u32)| (y * MOST_CELLS + x) as usize;
        for (node, &at) in (0..).zip(&*nodes) {
            named[place(at)] = node;
        }
        let step = |(x, y): (u32, u32), (dx, dy): (i32, i32), steps: u32| {
            let go = |at: u32, d: i32| at.wrapping_add_signed(d * steps as i32);
            (go(x, dx), go(y, dy))
        };
        // The cells before the next obstacle or node, and whether it is a node.
        let look = |at: (u32, u32), direction: (i32, i32)| {
            let cells = between.run(at, direction);
            (cells, free.has(step(at, direction, cells + 1)))
        };
        for (node, &at) in nodes.iter().enumerate() {
            let mut arc = |to: (u32, u32), diagonals: u32, straights: u32| {
                let cost = diagonals as i32 * *diagonal + straights as i32 * *straight;
                table.offer(node, named[place(to)].into(), cost);
            };
            for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                let (cells, is_node) = look(at, (dx, dy));
                if is_node {
                    arc(step(at, (dx, dy), cells + 1), 0, cells + 1);
                }
            }
            for (dx, dy) in [(-1, -1), (1, -1), (-1, 1), (1, 1)] {
                let sides = [(dx, 0), (0, dy)];
                // What lies farther aside is reached through another node as cheaply.
                let mut most = sides.map(|side| look(at, side).0);
                let mut here = at;
                for diagonals in 1.. {
                    let is_open =
                        free.has(step(here, (dx, 0), 1)) && free.has(step(here, (0, dy), 1));
                    here = step(here, (dx, dy), 1);
                    if !is_open || !free.has(here) {
                        break;
                    }
                    if !between.has(here) {
                        arc(here, diagonals, 0);
                        break;
                    }
                    for (side, most) in sides.into_iter().zip(&mut most) {
                        let (cells, is_node) = look(here, side);
                        if cells <= *most && is_node {
                            arc(step(here, side, cells + 1), diagonals, cells + 1);
                            *most = cells.saturating_sub(1);
                        }
                        *most = cells.min(*most);
                    }
                }
            }
        }
    }
}

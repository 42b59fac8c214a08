//! A jump point search without tables, as a peer for maps that change.
//!
//! It keeps a map of bits along the rows and a transposed one along the columns; an edit sets a bit
//! in each and nothing else. Straight lines are scanned 64 cells at a time. Cells of a diagonal
//! push no states: what their straight lines reach is pushed with the start of the diagonal as
//! parent. Eight neighbours; a diagonal step needs both cells beside it, so that only straight
//! lines have forced neighbours: beside the first free cell after a wall.
//!
//! Sources: D. Harabor, A. Grastien, "Online graph pruning for pathfinding on grid maps", 2011, and
//! "Improving jump point search", 2014: block-based scanning, pruning of intermediate jump points.

use std::collections::BinaryHeap;

use wayfare::space::{DIAGONAL, STRAIGHT};

/// A column and a row.
pub(crate) type Place = (u32, u32);

/// Free cells as bits, line by line, with a blocked cell at both ends of a line and a blocked line
/// before the first and after the last.
#[derive(Clone)]
struct Lines {
    bytes: Vec<u8>,
    /// Bytes from one line to the next.
    stride: usize,
}

impl Lines {
    fn new(length: u32, count: u32) -> Self {
        let stride = (length as usize + 2).div_ceil(8);
        // A word can be read from any cell on, either way.
        Self { bytes: vec![0; 8 + stride * (count as usize + 2) + 8], stride }
    }

    /// Returns where a cell is. Both arguments may be -1, wrapped around, or the length.
    #[inline(always)]
    fn byte_and_bit(&self, line: u32, at: u32) -> (usize, u32) {
        let (line, at) = (line.wrapping_add(1) as usize, at.wrapping_add(1));
        (8 + line * self.stride + at as usize / 8, at % 8)
    }

    #[inline(always)]
    fn get(&self, line: u32, at: u32) -> bool {
        let (byte, bit) = self.byte_and_bit(line, at);
        self.bytes[byte] >> bit & 1 == 1
    }

    fn set(&mut self, line: u32, at: u32, is_free: bool) {
        let (byte, bit) = self.byte_and_bit(line, at);
        self.bytes[byte] = self.bytes[byte] & !(1 << bit) | u8::from(is_free) << bit;
    }

    #[inline(always)]
    fn word(&self, byte: usize) -> u64 {
        self.bytes[byte..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    /// Returns the first cell of a line after `from` that is blocked or has a forced neighbour, and
    /// whether it has one.
    #[inline(always)]
    fn scan<const FORWARD: bool>(&self, line: u32, from: u32) -> (u32, bool) {
        // Each cell's bit moved to the next cell, with that of the word before.
        let moved = |word: u64, last: u64| {
            if FORWARD { word << 1 | last >> 63 } else { word >> 1 | last << 63 }
        };
        let (byte, bit) = self.byte_and_bit(line, from);
        // The first word begins or ends with the byte of `from`. `lowest`: the cell of its bit 0.
        let (mut byte, bit) = if FORWARD { (byte, bit) } else { (byte - 7, bit + 56) };
        let mut lowest = from.wrapping_sub(bit);
        let mut ahead = if FORWARD { !1 << bit } else { !(!0 << bit) };
        // Of no account in the first word: the first cell looked at lies after `from`.
        let (mut last_above, mut last_below) = (0, 0);
        loop {
            let above = self.word(byte - self.stride);
            let here = self.word(byte);
            let below = self.word(byte + self.stride);
            let after_wall = above & !moved(above, last_above) | below & !moved(below, last_below);
            let stops = (!here | after_wall) & ahead;
            if stops != 0 {
                let bit = if FORWARD { stops.trailing_zeros() } else { stops.ilog2() };
                return (lowest.wrapping_add(bit), here >> bit & 1 == 1);
            }
            (last_above, last_below, ahead) = (above, below, !0);
            byte = if FORWARD { byte + 8 } else { byte - 8 };
            lowest = if FORWARD { lowest.wrapping_add(64) } else { lowest.wrapping_sub(64) };
        }
    }
}

/// What the search knows of a cell.
#[derive(Clone, Copy, Default)]
struct Node {
    /// The search that reached it last.
    search: u32,
    g: u32,
    parent: Place,
}

/// A jump out of a cell.
#[derive(Clone, Copy)]
struct Jump {
    from: Place,
    g: u32,
    goal: Place,
}

/// The map, and the memory of the last search.
#[derive(Clone)]
pub(crate) struct PlainJumps {
    rows: Lines,
    columns: Lines,
    width: u32,
    nodes: Vec<Node>,
    search: u32,
    /// By the least estimate, then by the greatest cost so far; each with its cell.
    open: BinaryHeap<(u64, Place)>,
    path: Vec<Place>,
}

/// Returns the step as a bit of a set of directions.
const fn direction(dx: i32, dy: i32) -> u32 {
    1 << (3 * (dy + 1) + dx + 1)
}

/// Returns the cost between two cells without obstacles.
#[inline(always)]
fn octile(a: Place, b: Place) -> u32 {
    let (dx, dy) = (a.0.abs_diff(b.0), a.1.abs_diff(b.1));
    STRAIGHT * dx.max(dy) + (DIAGONAL - STRAIGHT) * dx.min(dy)
}

#[inline(always)]
fn next<const FORWARD: bool>(at: u32) -> u32 {
    if FORWARD { at + 1 } else { at.wrapping_sub(1) }
}

/// Whether `goal` lies after `from` and not after `end`.
#[inline(always)]
fn is_passed<const FORWARD: bool>(from: u32, goal: u32, end: u32) -> bool {
    if FORWARD { from < goal && goal <= end } else { goal < from && (end as i32) <= goal as i32 }
}

impl PlainJumps {
    /// Returns a map without a free cell.
    pub(crate) fn new(width: u32, height: u32) -> Self {
        Self {
            rows: Lines::new(width, height),
            columns: Lines::new(height, width),
            width,
            nodes: vec![Node::default(); width as usize * height as usize],
            search: 0,
            open: BinaryHeap::new(),
            path: Vec::new(),
        }
    }

    pub(crate) fn is_free(&self, (x, y): Place) -> bool {
        self.rows.get(y, x)
    }

    /// Edits a cell.
    pub(crate) fn set(&mut self, (x, y): Place, is_free: bool) {
        self.rows.set(y, x, is_free);
        self.columns.set(x, y, is_free);
    }

    /// Finds a cheapest path between two free cells and returns its turning points, the ends
    /// included, and its cost.
    pub(crate) fn find(&mut self, start: Place, goal: Place) -> Option<(&[Place], u32)> {
        self.search += 1;
        self.open.clear();
        self.reach(Jump { from: start, g: 0, goal }, start, 0);
        while let Some((key, at)) = self.open.pop() {
            let g = key as u32;
            if at == goal {
                self.trace(start, goal);
                return Some((&self.path, g));
            }
            if self.node(at).g == g {
                self.expand(Jump { from: at, g, goal });
            }
        }
        None
    }

    #[inline(always)]
    fn node(&mut self, (x, y): Place) -> &mut Node {
        &mut self.nodes[y as usize * self.width as usize + x as usize]
    }

    /// Pushes a cell if no cheaper way to it is known. `cost`: of the jump.
    #[inline(always)]
    fn reach(&mut self, jump: Jump, at: Place, cost: u32) {
        let (search, g) = (self.search, jump.g + cost);
        let node = self.node(at);
        if node.search == search && node.g <= g {
            return;
        }
        *node = Node { search, g, parent: jump.from };
        let f = g + octile(at, jump.goal);
        self.open.push((u64::from(!f) << 32 | u64::from(g), at));
    }

    fn expand(&mut self, jump: Jump) {
        let to = self.directions(jump.from);
        let is_open = |dx, dy| to & direction(dx, dy) != 0;
        if is_open(1, 0) {
            self.along_row::<true>(jump, jump.from, 0);
        }
        if is_open(-1, 0) {
            self.along_row::<false>(jump, jump.from, 0);
        }
        if is_open(0, 1) {
            self.along_column::<true>(jump, jump.from, 0);
        }
        if is_open(0, -1) {
            self.along_column::<false>(jump, jump.from, 0);
        }
        if is_open(1, 1) {
            self.along_diagonal::<true, true>(jump);
        }
        if is_open(-1, 1) {
            self.along_diagonal::<false, true>(jump);
        }
        if is_open(1, -1) {
            self.along_diagonal::<true, false>(jump);
        }
        if is_open(-1, -1) {
            self.along_diagonal::<false, false>(jump);
        }
    }

    /// Returns the directions to follow out of a cell: ahead, and where there is a forced neighbour
    /// on a side, to that side and between. All, out of the start.
    fn directions(&mut self, at: Place) -> u32 {
        let parent = self.node(at).parent;
        let (dx, dy) = (at.0 as i32 - parent.0 as i32, at.1 as i32 - parent.1 as i32);
        if (dx, dy) == (0, 0) {
            return !0;
        }
        let is_along_row = dx.abs() > dy.abs();
        let (dx, dy) = if is_along_row { (dx.signum(), 0) } else { (0, dy.signum()) };
        let mut to = direction(dx, dy);
        for side in [-1, 1] {
            let (side_x, side_y) = if is_along_row { (0, side) } else { (side, 0) };
            let beside = (at.0.wrapping_add_signed(side_x), at.1.wrapping_add_signed(side_y));
            let behind = (beside.0.wrapping_add_signed(-dx), beside.1.wrapping_add_signed(-dy));
            if self.is_free(beside) && !self.is_free(behind) {
                to |= direction(side_x, side_y) | direction(dx + side_x, dy + side_y);
            }
        }
        to
    }

    /// Jumps along a row. `cost`: from the start of the jump to `at`.
    #[inline(always)]
    fn along_row<const EAST: bool>(&mut self, jump: Jump, at: Place, cost: u32) {
        let (end, is_forced) = self.rows.scan::<EAST>(at.1, at.0);
        let is_goal = jump.goal.1 == at.1 && is_passed::<EAST>(at.0, jump.goal.0, end);
        if is_goal || is_forced {
            let end = if is_goal { jump.goal.0 } else { end };
            self.reach(jump, (end, at.1), cost + STRAIGHT * end.abs_diff(at.0));
        }
    }

    /// Jumps along a column; the same.
    #[inline(always)]
    fn along_column<const SOUTH: bool>(&mut self, jump: Jump, at: Place, cost: u32) {
        let (end, is_forced) = self.columns.scan::<SOUTH>(at.0, at.1);
        let is_goal = jump.goal.0 == at.0 && is_passed::<SOUTH>(at.1, jump.goal.1, end);
        if is_goal || is_forced {
            let end = if is_goal { jump.goal.1 } else { end };
            self.reach(jump, (at.0, end), cost + STRAIGHT * end.abs_diff(at.1));
        }
    }

    /// Steps along a diagonal, and jumps from each of its cells along its row and its column.
    fn along_diagonal<const EAST: bool, const SOUTH: bool>(&mut self, jump: Jump) {
        let (mut at, mut cost) = (jump.from, 0);
        loop {
            let to = (next::<EAST>(at.0), next::<SOUTH>(at.1));
            if !(self.is_free((to.0, at.1)) && self.is_free((at.0, to.1)) && self.is_free(to)) {
                return;
            }
            (at, cost) = (to, cost + DIAGONAL);
            if at == jump.goal {
                return self.reach(jump, at, cost);
            }
            self.along_row::<EAST>(jump, at, cost);
            self.along_column::<SOUTH>(jump, at, cost);
        }
    }

    /// Lists the turning points of the path found: of each jump its start, and the cell where its
    /// diagonal ends.
    fn trace(&mut self, start: Place, goal: Place) {
        self.path.clear();
        self.path.push(goal);
        let mut at = goal;
        while at != start {
            let parent = self.node(at).parent;
            let (dx, dy) = (at.0.abs_diff(parent.0), at.1.abs_diff(parent.1));
            let diagonal = dx.min(dy) as i32;
            if diagonal > 0 && dx != dy {
                let toward = |from: u32, to: u32| {
                    from.wrapping_add_signed(if from < to { diagonal } else { -diagonal })
                };
                self.path.push((toward(parent.0, at.0), toward(parent.1, at.1)));
            }
            self.path.push(parent);
            at = parent;
        }
        self.path.reverse();
    }
}

//! Gateways: straight lines of free cells that cut a map in two.
//!
//! A *gateway* is a whole run of free cells, from obstacle to obstacle, without which the cells on
//! its two sides are not connected. Let the runs along the rows be the vertices of a graph, with an
//! edge between two runs that a move joins. Removing a run from the map removes its vertex, so the
//! gateways along rows are the articulation points of that graph, and likewise along columns. One
//! depth-first search finds them all (R. Tarjan, "Depth-first search and linear graph algorithms",
//! 1972), with the number of cells that each cuts off.
//!
//! The name is that of Y. Björnsson, K. Halldórsson, "Improved heuristics for optimal path-finding
//! on game maps", 2006, where gateways bound the areas of a decomposition and need not separate
//! them.

use wayfare_core::inside::Gateway;

use super::runs::{Run, Runs, reach};
use super::sieve::Sieve;
use super::signs::Signed;
use crate::grid::Cell;
use crate::grid::layout::Layout;

/// A run in the depth-first search.
#[derive(Clone, Copy, Default)]
struct Vertex {
    /// The runs that it is joined with in the line before, and how many.
    before: u32,
    before_count: u32,
    /// The same in the line after.
    after: u32,
    after_count: u32,
    /// Its number in the order of the search; 0 before.
    reached: u32,
    /// The lowest number that it and all found from it are joined with.
    lowest: u32,
    /// Cells of it and of all found from it.
    cells: u32,
    /// Cells that it cuts off from the rest, at least.
    cut: u32,
}

impl Vertex {
    fn neighbour(&self, number: u32) -> Option<u32> {
        if number < self.before_count {
            return Some(self.before + number);
        }
        let number = number - self.before_count;
        (number < self.after_count).then_some(self.after + number)
    }
}

/// Returns the graph of runs.
fn graph(runs: &Runs, reach: u32) -> Vec<Vertex> {
    let vertex = |run: &Run| Vertex { cells: run.cells(), ..Vertex::default() };
    let mut graph: Vec<Vertex> = runs.iter().map(vertex).collect();
    runs.visit_joined(reach, |above, below| {
        let earlier = &mut graph[above as usize];
        if earlier.after_count == 0 {
            earlier.after = below;
        }
        earlier.after_count += 1;
        let later = &mut graph[below as usize];
        if later.before_count == 0 {
            later.before = above;
        }
        later.before_count += 1;
    });
    graph
}

/// For each run the number of cells that it cuts off from the rest, at least; zero if it cuts off
/// none.
fn cut_off(runs: &Runs, reach: u32) -> Vec<Vertex> {
    let mut graph = graph(runs, reach);
    let mut number = 0;
    let mut stack: Vec<(u32, u32)> = Vec::new();
    let mut found: Vec<(u32, u32)> = Vec::new(); // cuts of one island, and the cells that each cuts off
    for root in 0..graph.len() {
        if graph[root].reached > 0 {
            continue;
        }
        number += 1;
        (graph[root].reached, graph[root].lowest) = (number, number);
        stack.push((root as u32, 0));
        found.clear();
        while let Some((run, next)) = stack.last_mut() {
            let at = *run as usize;
            let neighbour = graph[at].neighbour(*next);
            *next += 1;
            if let Some(neighbour) = neighbour {
                let other = &mut graph[neighbour as usize];
                if other.reached == 0 {
                    number += 1;
                    (other.reached, other.lowest) = (number, number);
                    stack.push((neighbour, 0));
                } else {
                    // Its own parent too: that is no lower than the condition below allows.
                    let reached = other.reached;
                    graph[at].lowest = graph[at].lowest.min(reached);
                }
                continue;
            }
            stack.pop();
            if let Some(&(parent, _)) = stack.last() {
                let Vertex { lowest, cells, .. } = graph[at];
                let above = &mut graph[parent as usize];
                above.lowest = above.lowest.min(lowest);
                above.cells += cells;
                if lowest >= above.reached {
                    found.push((parent, cells));
                }
            }
        }
        let all = graph[root].cells;
        for &(run, beyond) in &found {
            let own = runs.as_slice()[run as usize].cells();
            let rest = all - beyond - own;
            let cut = &mut graph[run as usize].cut;
            *cut = (*cut).max(beyond.min(rest));
        }
    }
    graph
}

/// The lines of a map, as candidates for gateways.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    rows: Runs,
    columns: Runs,
    /// Of lines that cross, the ones that cut off the most cells. Lines come in descending order of
    /// that number; ties by width, then columns first, then by position.
    crossing: Sieve,
    /// The lines that are left, the narrowest first, with the cells that each cuts off.
    cuts: Vec<(u32, Gateway)>,
    /// Of lines that face each other, the narrowest: for each spacing that was asked for, from
    /// [`SPACING`] on.
    facing: Vec<Sieve>,
}

/// The least distance in cells between gateways that face each other.
const SPACING: u16 = 2;
/// The least number of cells that a gateway cuts off.
const LEAST_CELLS: u32 = 8;

impl Lines {
    /// O(cells / 64 + runs · log runs).
    pub(super) fn new(map: Signed<'_>) -> Self {
        let mut lines = Self {
            rows: Runs::of_rows(map.rows, map.layout),
            columns: Runs::of_columns(map.columns, map.layout, map.column_stride),
            crossing: Sieve::default(),
            cuts: Vec::new(),
            facing: Vec::new(),
        };
        lines.weigh(map);
        lines
    }

    /// Follows an edit that freed and blocked some cells, and perhaps others again.
    ///
    /// O(runs + lines of cells that changed · length of the lines / 64 + candidates · log
    /// candidates).
    pub(super) fn follow(&mut self, map: Signed<'_>, flips: &[Cell]) {
        let places = || flips.iter().map(|&cell| map.layout.coordinates(cell));
        self.rows.follow_rows(map.rows, map.layout, places().map(|(_, y)| y));
        self.columns.follow_columns(
            map.columns,
            map.layout,
            map.column_stride,
            places().map(|(x, _)| x),
        );
        self.weigh(map);
    }

    /// Finds the lines that cut the map in two and cut off no fewer cells than they have.
    fn weigh(&mut self, map: Signed<'_>) {
        let reach = reach(map.neighbours, map.corners);
        let mut cuts = Vec::new();
        for (is_column, runs) in [(true, &self.columns), (false, &self.rows)] {
            for (run, vertex) in runs.iter().zip(cut_off(runs, reach)) {
                if vertex.cut >= run.cells().max(LEAST_CELLS) {
                    let &Run { line, first, last } = run;
                    cuts.push((vertex.cut, Gateway { is_column, line, first, last }));
                }
            }
        }
        cuts.sort_unstable_by_key(|&(cut, Gateway { is_column, line, first, last })| {
            let width = u64::from(!cut) << 16 | u64::from(last - first);
            (width, u32::from(!is_column) << 31 | u32::from(line) << 16 | u32::from(first))
        });
        let in_order = cuts.iter().map(|&(_, gateway)| gateway).collect();
        self.crossing.follow(map.layout, in_order, 0);
        self.cuts.clear();
        self.cuts.extend(self.crossing.kept().map(|(place, _)| cuts[place]));
        self.cuts.sort_by_key(|(_, gateway)| gateway.last - gateway.first);
    }

    /// Chooses gateways. Each further `attempt`, from 0 on, keeps fewer gateways, which lie further
    /// apart and cut off more. O(candidates), at most O(candidates + cells in their reach).
    ///
    /// 1. Of lines that cross, the line that cuts off the most cells stays.
    /// 2. Of lines that face each other within a few cells, the narrowest stays.
    ///
    /// Any choice is correct; it decides speed alone. With the narrowest of crossing lines,
    /// searches on brc202d made half as many jumps again. The narrowest of facing lines is a door,
    /// which makes estimates tight.
    pub(super) fn gateways(&mut self, map: &Layout, attempt: u16) -> Vec<Gateway> {
        let least_cells = LEAST_CELLS.checked_shl(attempt.into()).unwrap_or(u32::MAX);
        // A line that cuts off enough was chosen before all that do not, so these need no new
        // choice among lines that cross.
        let cut_off_enough = self.cuts.iter().filter(|(cut, _)| *cut >= least_cells);
        let lines = cut_off_enough.map(|&(_, gateway)| gateway).collect();
        let place = usize::from(attempt);
        if self.facing.len() <= place {
            self.facing.resize_with(place + 1, Sieve::default);
        }
        let sieve = &mut self.facing[place];
        sieve.follow(map, lines, SPACING.saturating_add(attempt));
        sieve.kept().map(|(_, gateway)| gateway).collect()
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        let sieves = self.facing.iter().chain([&self.crossing]).map(Sieve::size_in_bytes);
        self.rows.size_in_bytes()
            + self.columns.size_in_bytes()
            + size_of_val(&self.cuts[..])
            + sieves.sum::<usize>()
    }
}

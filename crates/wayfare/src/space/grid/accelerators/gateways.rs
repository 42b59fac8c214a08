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

use std::cmp::Reverse;

use super::bits::BitMap;
use super::runs::{Run, Runs, reach};
use super::signs::Signed;
use crate::space::grid::layout::Layout;
use crate::space::guide::Gateway;

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

/// The graph of runs.
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
pub(super) struct Lines {
    /// The lines that cut the map in two and cut off no fewer cells than they have, in descending
    /// order of that number; lines that cut off as many by their width, then columns first, by
    /// place.
    cuts: Vec<(u32, Gateway)>,
}

impl Lines {
    /// O(cells / 64 + runs · log runs).
    pub(super) fn new(map: Signed<'_>) -> Self {
        let reach = reach(map.neighbours, map.corners);
        let mut cuts = Vec::new();
        let mut find = |is_column: bool, runs: &Runs| {
            for (run, vertex) in runs.iter().zip(cut_off(runs, reach)) {
                if vertex.cut >= run.cells() {
                    let &Run { line, first, last } = run;
                    cuts.push((vertex.cut, Gateway { is_column, line, first, last }));
                }
            }
        };
        find(true, &Runs::of_columns(map.columns, map.layout, map.column_stride));
        find(false, &Runs::of_rows(map.rows, map.layout));
        cuts.sort_by_key(|(cut, gateway)| (Reverse(*cut), gateway.last - gateway.first));
        Self { cuts }
    }

    /// Chooses gateways among the lines that cut off at least `least_cells` cells. O(lines · log
    /// lines + cells in their reach).
    ///
    /// 1. Of lines that cross, the line that cuts off the most cells stays.
    /// 2. Of lines that face each other within `spacing` cells, the narrowest stays.
    ///
    /// Any choice is correct; it decides speed alone. With the narrowest of crossing lines,
    /// searches on brc202d made half as many jumps again. The narrowest of facing lines is a door,
    /// which makes estimates tight.
    pub(super) fn gateways(&self, map: &Layout, spacing: u32, least_cells: u32) -> Vec<Gateway> {
        let cut_off_enough = self.cuts.iter().take_while(|(cut, _)| *cut >= least_cells);
        let mut gateways: Vec<Gateway> = cut_off_enough.map(|&(_, gateway)| gateway).collect();
        keep_apart(map, &mut gateways, 0);
        gateways.sort_by_key(|gateway| gateway.last - gateway.first);
        keep_apart(map, &mut gateways, spacing);
        gateways
    }
}

/// The cells that no further gateway may use, twice, so that a line of either kind is tested and
/// marked by whole bytes along one of the maps.
struct Taken {
    rows: BitMap,
    /// The same transposed.
    columns: BitMap,
}

/// Drops gateways that cross an earlier one, or the cells that face it within `spacing` lines.
fn keep_apart(map: &Layout, gateways: &mut Vec<Gateway>, spacing: u32) {
    let across = Layout::new(map.height, map.width);
    let mut taken = Taken { rows: BitMap::new(map), columns: BitMap::new(&across) };
    gateways.retain(|&Gateway { is_column, line, first, last }| {
        let (first, cells) = (u32::from(first), u32::from(last - first) + 1);
        let line = u32::from(line);
        let (along, own, beside, other) = if is_column {
            (&across, &mut taken.columns, map, &mut taken.rows)
        } else {
            (map, &mut taken.rows, &across, &mut taken.columns)
        };
        let is_free = !own.any(along.cell(first, line), cells);
        if is_free {
            let from = line.saturating_sub(spacing);
            let lines = (line + spacing).min(along.height - 1) - from + 1;
            own.set_block(along.cell(first, from), cells, lines);
            other.set_block(beside.cell(from, first), lines, cells);
        }
        is_free
    });
}

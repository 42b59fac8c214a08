//! Gates: straight lines of free cells that cut a map in two.
//!
//! The gates of Y. Björnsson, K. Halldórsson, "Improved heuristics for optimal path-finding on game maps", 2006, bound the areas of a
//! decomposition. Here a gate has to separate what lies on its two sides: a whole line of cells, from obstacle to obstacle,
//! without which one side cannot be come to from the other. The lines that do are the articulation points of the
//! graph of lines (R. Tarjan, "Depth-first search and linear graph algorithms", 1972).

use std::cmp::Reverse;

use super::bits::BitMap;
use super::layout::Layout;
use super::signs::Signed;
use super::{CornerRule, Neighbours};
use crate::space::guide::Gate;

/// A line of free cells between two obstacles.
#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) line: u16,
    pub(super) first: u16,
    pub(super) last: u16,
    /// Those that can be stepped to in the line before and in the one after.
    before: (u32, u32),
    after: (u32, u32),
}

impl Run {
    fn neighbour(&self, number: u32) -> Option<u32> {
        let count = self.before.1 - self.before.0;
        let next =
            if number < count { self.before.0 + number } else { self.after.0 + number - count };
        (number < count + self.after.1 - self.after.0).then_some(next)
    }

    fn cells(&self) -> u32 {
        u32::from(self.last - self.first) + 1
    }
}

/// The runs of free cells along the lines of a map, line by line.
fn runs(map: &BitMap, (count, length, stride): (u32, u32, u32), reach: u16) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let (mut before, mut here) = (0, 0);
    for line in 0..count {
        let first_byte = BitMap::byte(super::Cell((line + 1) * stride));
        let mut begun = None;
        for place in 0..=length {
            // The first cell of a line is padding.
            let at = place + 1;
            let is_free =
                place < length && map.bytes()[first_byte + (at >> 3) as usize] >> (at & 7) & 1 == 1;
            match (begun, is_free) {
                (None, true) => begun = Some(place),
                (Some(first), false) => {
                    runs.push(Run {
                        line: line as u16,
                        first: first as u16,
                        last: (place - 1) as u16,
                        before: (0, 0),
                        after: (0, 0),
                    });
                    begun = None;
                }
                _ => {}
            }
        }
        let end = runs.len();
        let (earlier, these) = runs.split_at_mut(here);
        let earlier = &mut earlier[before..];
        let mut from = 0;
        for (number, run) in these.iter_mut().enumerate() {
            while earlier.get(from).is_some_and(|other| other.last + reach < run.first) {
                from += 1;
            }
            let mut to = from;
            while let Some(other) = earlier.get_mut(to)
                && other.first <= run.last + reach
            {
                let number = (here + number) as u32;
                if other.after.0 == other.after.1 {
                    other.after.0 = number;
                }
                other.after.1 = number + 1;
                to += 1;
            }
            run.before = ((before + from) as u32, (before + to) as u32);
        }
        (before, here) = (here, end);
    }
    runs
}

/// For each run how many cells it cuts off from the rest, at least; zero for those that cut off nothing.
fn cut_off(runs: &[Run]) -> Vec<u32> {
    let mut reached = vec![0u32; runs.len()]; // the number in the order of the search; 0 before
    let mut lowest = vec![0u32; runs.len()];
    let mut cells: Vec<u32> = runs.iter().map(Run::cells).collect(); // of a run and all found from it
    let mut cut = vec![0u32; runs.len()];
    let mut number = 0;
    let mut stack: Vec<(u32, u32)> = Vec::new();
    let mut found: Vec<(u32, u32)> = Vec::new(); // cuts of one island, and what each cuts off
    for root in 0..runs.len() {
        if reached[root] > 0 {
            continue;
        }
        number += 1;
        (reached[root], lowest[root]) = (number, number);
        stack.push((root as u32, 0));
        found.clear();
        while let Some((run, next)) = stack.last_mut() {
            let at = *run as usize;
            let neighbour = runs[at].neighbour(*next);
            *next += 1;
            if let Some(neighbour) = neighbour {
                let neighbour_at = neighbour as usize;
                if reached[neighbour_at] == 0 {
                    number += 1;
                    (reached[neighbour_at], lowest[neighbour_at]) = (number, number);
                    stack.push((neighbour, 0));
                } else {
                    // Its own parent too: that is no lower than what makes it separate.
                    lowest[at] = lowest[at].min(reached[neighbour_at]);
                }
                continue;
            }
            stack.pop();
            if let Some(&(parent, _)) = stack.last() {
                let parent = parent as usize;
                lowest[parent] = lowest[parent].min(lowest[at]);
                cells[parent] += cells[at];
                if lowest[at] >= reached[parent] {
                    found.push((parent as u32, cells[at]));
                }
            }
        }
        let all = cells[root];
        for &(run, beyond) in &found {
            let run = run as usize;
            let rest = all - beyond - runs[run].cells();
            cut[run] = cut[run].max(beyond.min(rest));
        }
    }
    cut
}

/// The lines of a map.
pub(super) struct Lines {
    /// Those that cut it in two, and how many cells they cut off, no fewer than they have themselves: the most first, of those that cut off as many the narrowest.
    cuts: Vec<(u32, Gate)>,
    /// All along the rows.
    pub(super) rows: Vec<Run>,
    /// How many cells two lines that follow each other may be apart and yet be joined by a move.
    pub(super) reach: u16,
}

impl Lines {
    /// O(cells + lines · log lines).
    pub(super) fn new(map: Signed<'_>) -> Self {
        let (width, height) = (map.layout.width, map.layout.height);
        let reach =
            u16::from(map.neighbours == Neighbours::Eight && map.corners == CornerRule::Always);
        let mut cuts = Vec::new();
        let mut find = |is_column: bool, runs: &[Run]| {
            for (run, cut) in runs.iter().zip(cut_off(runs)) {
                if cut >= run.cells() {
                    let &Run { line, first, last, .. } = run;
                    cuts.push((cut, Gate { is_column, line, first, last }));
                }
            }
        };
        find(true, &runs(map.columns, (width, height, map.column_stride), reach));
        let rows = runs(map.rows, (height, width, map.layout.stride), reach);
        find(false, &rows);
        cuts.sort_by_key(|(cut, gate)| (Reverse(*cut), gate.last - gate.first));
        Self { cuts, rows, reach }
    }

    /// Of the lines that cut off at least so many cells: those that cut off the most of those that cross, and of those that face each other within
    /// `spacing` cells the narrowest. O(lines · log lines + cells in their reach).
    ///
    /// Which ones are left is a matter of speed alone. On brc202d the narrowest of those that cross left half as many jumps again; the
    /// narrowest of neighbours keep doors, which make the estimates.
    pub(super) fn gates(&self, map: &Layout, spacing: u32, least_cells: u32) -> Vec<Gate> {
        let cut_off_enough = self.cuts.iter().take_while(|(cut, _)| *cut >= least_cells);
        let mut gates: Vec<Gate> = cut_off_enough.map(|&(_, gate)| gate).collect();
        keep_apart(map, &mut gates, 0);
        gates.sort_by_key(|gate| gate.last - gate.first);
        keep_apart(map, &mut gates, spacing);
        gates
    }
}

/// Drops gates that cross an earlier one, or the cells that face it within so many lines.
fn keep_apart(map: &Layout, gates: &mut Vec<Gate>, spacing: u32) {
    let mut taken = BitMap::new(map);
    gates.retain(|gate| {
        let places = u32::from(gate.first)..=u32::from(gate.last);
        let cell = |line: u32, place: u32| {
            if gate.is_column { map.cell(line, place) } else { map.cell(place, line) }
        };
        let line = u32::from(gate.line);
        let is_free = places.clone().all(|place| !taken.get(cell(line, place)));
        if is_free {
            let lines = if gate.is_column { map.width } else { map.height };
            for line in line.saturating_sub(spacing)..=(line + spacing).min(lines - 1) {
                places.clone().for_each(|place| taken.set(cell(line, place), true));
            }
        }
        is_free
    });
}

//! Runs: the maximal stretches of free cells along the lines of a map.

use super::bits::BitMap;
use crate::grid::layout::Layout;
use crate::grid::{Cell, CornerRule, Neighbours};

/// Returns how many columns two runs of rows that follow each other may be apart and yet be joined
/// by a move.
pub(super) fn reach(neighbours: Neighbours, corners: CornerRule) -> u32 {
    u32::from((neighbours, corners) == (Neighbours::Eight, CornerRule::Always))
}

/// A maximal stretch of free cells along a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// The row, or the column among columns.
    pub line: u16,
    /// Its first cell in the line.
    pub first: u16,
    /// Its last cell in the line.
    pub last: u16,
}

impl Run {
    pub(super) fn cells(&self) -> u32 {
        u32::from(self.last - self.first) + 1
    }
}

/// All runs of a map, line by line.
#[derive(Clone, Debug)]
pub struct Runs {
    /// The runs, line by line.
    pub runs: Vec<Run>,
    /// The number of the first run of each line, and of all.
    pub of_lines: Vec<u32>,
}

impl Runs {
    /// Along the rows of a map. O(cells / 64 + runs).
    pub fn of_rows(map: &BitMap, layout: &Layout) -> Self {
        Self::of_lines(map, layout.height, layout.width, layout.stride)
    }

    fn of_lines(map: &BitMap, lines: u32, length: u32, stride: u32) -> Self {
        let mut runs = Vec::new();
        let mut of_lines = Vec::with_capacity(lines as usize + 1);
        for line in 0..lines {
            of_lines.push(runs.len() as u32);
            add_line(&mut runs, map, line, (length, stride));
        }
        of_lines.push(runs.len() as u32);
        Self { runs, of_lines }
    }

    pub(super) fn len(&self) -> usize {
        self.runs.len()
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, Run> {
        self.runs.iter()
    }

    /// The runs, line by line.
    pub fn as_slice(&self) -> &[Run] {
        &self.runs
    }

    /// Visits the numbers of every two runs of lines that follow each other and have cells at most
    /// `reach` columns apart: the earlier line's run first, by the number of the later one.
    pub(super) fn visit_joined(&self, reach: u32, mut visit: impl FnMut(u32, u32)) {
        let reach = reach as u16;
        for lines in self.of_lines.windows(3) {
            let (mut from, end) = (lines[0], lines[1]);
            for below in lines[1]..lines[2] {
                let run = self.runs[below as usize];
                while from < end && self.runs[from as usize].last + reach < run.first {
                    from += 1;
                }
                let mut above = from;
                while above < end && self.runs[above as usize].first <= run.last + reach {
                    visit(above, below);
                    above += 1;
                }
            }
        }
    }
}

/// Things that are joined, directly or through others, by number.
#[derive(Default)]
pub(super) struct Joined(Vec<u32>);

impl Joined {
    /// The numbers below `count`, none of them joined.
    pub(super) fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    /// Returns the next number.
    pub(super) fn add(&mut self) -> u32 {
        let number = self.0.len() as u32;
        self.0.push(number);
        number
    }

    /// Returns the least number that one is joined with.
    pub(super) fn root(&mut self, mut of: u32) -> u32 {
        while self.0[of as usize] != of {
            let next = self.0[self.0[of as usize] as usize];
            self.0[of as usize] = next;
            of = next;
        }
        of
    }

    pub(super) fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one.max(other) as usize] = one.min(other);
    }
}

/// Adds the runs of a line. `size`: the cells of a line, and from one line to the next.
fn add_line(runs: &mut Vec<Run>, map: &BitMap, line: u32, (length, stride): (u32, u32)) {
    // Bit 0 is the padding before the line, so a run never begins there.
    let begin = BitMap::byte(Cell((line + 1) * stride));
    let (mut before, mut first) = (0u64, 0u32);
    for word in 0..(length + 1).div_ceil(64) {
        let valid = (length + 1 - 64 * word).min(64);
        let bits = map.word(begin + 8 * word as usize) & (u64::MAX >> (64 - valid));
        // The positions where the bits change: starts and ends (exclusive), alternating.
        let mut changes = bits ^ (bits << 1 | before);
        while changes != 0 {
            let at = changes.trailing_zeros();
            changes &= changes - 1;
            let place = 64 * word + at - 1;
            if bits >> at & 1 == 1 {
                first = place;
            } else {
                let (first, last) = (first as u16, (place - 1) as u16);
                runs.push(Run { line: line as u16, first, last });
            }
        }
        before = bits >> 63;
    }
    if before == 1 {
        // A line that ends on a whole word.
        runs.push(Run { line: line as u16, first: first as u16, last: (length - 1) as u16 });
    }
}

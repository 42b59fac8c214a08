//! Runs: the maximal stretches of free cells along the lines of a map.

use super::bits::BitMap;
use crate::space::grid::layout::Layout;
use crate::space::grid::{Cell, CornerRule, Neighbours};

/// How many columns two runs of rows that follow each other may be apart and yet be joined by a
/// move.
pub(super) fn reach(neighbours: Neighbours, corners: CornerRule) -> u32 {
    u32::from((neighbours, corners) == (Neighbours::Eight, CornerRule::Always))
}

/// A maximal stretch of free cells along a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Run {
    /// The row, or the column among columns.
    pub(super) line: u16,
    /// Where in the line it begins and ends.
    pub(super) first: u16,
    pub(super) last: u16,
}

impl Run {
    pub(super) fn cells(&self) -> u32 {
        u32::from(self.last - self.first) + 1
    }
}

/// All runs of a map, line by line.
#[derive(Clone, Debug)]
pub(super) struct Runs {
    runs: Vec<Run>,
    /// The number of the first run of each line, and of all.
    of_lines: Vec<u32>,
}

impl Runs {
    /// Along the rows of a map. O(cells / 64 + runs).
    pub(super) fn of_rows(map: &BitMap, layout: &Layout) -> Self {
        Self::of_lines(map, layout.height, layout.width, layout.stride)
    }

    /// Along the columns of a map that is given transposed.
    pub(super) fn of_columns(map: &BitMap, layout: &Layout, column_stride: u32) -> Self {
        Self::of_lines(map, layout.width, layout.height, column_stride)
    }

    fn of_lines(map: &BitMap, lines: u32, length: u32, stride: u32) -> Self {
        let mut runs = Vec::new();
        let mut of_lines = Vec::with_capacity(lines as usize + 1);
        for line in 0..lines {
            of_lines.push(runs.len() as u32);
            // Bit 0 is the padding before the line, so a run never begins there.
            let begin = BitMap::byte(Cell((line + 1) * stride));
            let (mut before, mut first) = (0u64, 0u32);
            for word in 0..(length + 1).div_ceil(64) {
                let valid = (length + 1 - 64 * word).min(64);
                let bits = map.word(begin + 8 * word as usize) & (u64::MAX >> (64 - valid));
                // Where the bits change: beginnings and the places after ends, in turns.
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
                runs.push(Run {
                    line: line as u16,
                    first: first as u16,
                    last: (length - 1) as u16,
                });
            }
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

    pub(super) fn as_slice(&self) -> &[Run] {
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn runs_are_the_stretches_of_free_cells(
            width in 1u32..200,
            height in 1u32..4,
            flips in prop::collection::vec((any::<u32>(), any::<u32>()), 0..40),
        ) {
            let layout = Layout::new(width, height);
            let mut map = BitMap::new(&layout);
            for cell in layout.cells() {
                map.set(cell, true);
            }
            for (x, y) in flips {
                let cell = layout.cell(x % width, y % height);
                map.set(cell, !map.get(cell));
            }
            let mut expected = Vec::new();
            for y in 0..height {
                let free = |x: u32| x < width && map.get(layout.cell(x, y));
                for first in (0..width).filter(|&x| free(x) && (x == 0 || !free(x - 1))) {
                    let last = (first..).find(|&x| !free(x + 1)).unwrap_or(first);
                    expected.push(Run { line: y as u16, first: first as u16, last: last as u16 });
                }
            }
            let runs = Runs::of_rows(&map, &layout);
            prop_assert_eq!(runs.as_slice(), &expected[..]);
        }
    }
}

//! Runs: stretches of free tiles in a row, joined with the runs they touch above and below.

use std::ops::Range;

use crate::TileDraft;

/// Free tiles that hang together by sides, as runs.
///
/// Two runs of neighbouring rows touch if they share a column. Tiles of one run hang together, so
/// the regions of tiles are the sets of runs that touch, directly or through others. Labelling them
/// takes time by runs, of which there are far fewer than tiles.
pub struct Runs {
    /// Row by row, from west to east: the columns of each.
    columns: Vec<Range<u32>>,
    /// The index in `columns` of the first run of each row, and the end of the last.
    rows: Vec<usize>,
    sets: Sets,
}

impl Runs {
    /// `is_free`: by column and row.
    pub fn new(width: u32, height: u32, is_free: impl Fn(u32, u32) -> bool) -> Self {
        let mut columns: Vec<Range<u32>> = Vec::new();
        let mut rows = vec![0];
        for y in 0..height {
            let mut x = 0;
            while x < width {
                if is_free(x, y) {
                    let from = x;
                    while x < width && is_free(x, y) {
                        x += 1;
                    }
                    columns.push(from..x);
                }
                x += 1;
            }
            rows.push(columns.len());
        }
        let mut sets = Sets::new(columns.len());
        for row in rows.windows(3) {
            let (mut above, mut below) = (row[0], row[1]);
            while above < row[1] && below < row[2] {
                let (one, other) = (&columns[above], &columns[below]);
                if one.start < other.end && other.start < one.end {
                    sets.join(above, below);
                }
                // The run that ends first touches no later run of the other row.
                if one.end < other.end { above += 1 } else { below += 1 }
            }
        }
        Runs { columns, rows, sets }
    }

    /// Returns the runs of the walkable tiles of a draft.
    pub fn of(draft: &TileDraft) -> Self {
        Runs::new(draft.width(), draft.height(), |x, y| draft.is_free(x, y))
    }

    /// Returns the number of regions.
    pub fn regions(&mut self) -> usize {
        (0..self.columns.len()).filter(|run| self.sets.find(*run) == *run).count()
    }

    /// Returns the region of a tile, by one of its runs; `None` if the tile is not free.
    pub fn region(&mut self, x: u32, y: u32) -> Option<usize> {
        let ends = self.rows.get(y as usize).zip(self.rows.get(y as usize + 1));
        let row = *ends?.0..*ends?.1;
        let place = self.columns[row.clone()].partition_point(|run| run.end <= x);
        let run = row.start + place;
        (run < row.end && self.columns[run].contains(&x)).then(|| self.sets.find(run))
    }
}

/// Disjoint sets of indices.
pub(crate) struct Sets(Vec<usize>);

impl Sets {
    pub(crate) fn new(count: usize) -> Self {
        Sets((0..count).collect())
    }

    pub(crate) fn find(&mut self, mut item: usize) -> usize {
        while self.0[item] != item {
            self.0[item] = self.0[self.0[item]];
            item = self.0[item];
        }
        item
    }

    /// Says whether the two were apart.
    pub(crate) fn join(&mut self, one: usize, other: usize) -> bool {
        let (one, other) = (self.find(one), self.find(other));
        self.0[one] = other;
        one != other
    }
}

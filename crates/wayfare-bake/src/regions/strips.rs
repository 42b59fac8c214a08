//! Strips: runs of floors along x, continued from row to row as long as one run meets one run.
//!
//! A strip has at most one run in each row, and a run is contiguous along x: a strip never overlaps
//! itself in plan. One pass over the floors.

use crate::WalkField;
use crate::field::NONE;

/// Labels all floors that have label 0. Returns the number of labels.
pub(super) fn label(field: &WalkField, labels: &mut [u32]) -> u32 {
    let width = field.window.width as usize;
    let mut count = 0;
    let mut seen = Seen::default();
    for z in 0..field.window.depth as usize {
        let row = field.first[z * width] as usize..field.first[(z + 1) * width] as usize;
        // The runs of the row, and the one strip of the row before that each meets.
        let begun = count;
        let mut runs: Vec<Run> = Vec::new();
        for start in row.clone() {
            if labels[start] != 0 {
                continue;
            }
            // A run starts where no run continues from the west. Floors of a column are in order of
            // height, so the floors of a run are found from its first one.
            let mut run = Run { first: start as u32, above: None };
            let mut at = start;
            loop {
                labels[at] = begun + runs.len() as u32 + 1;
                let north = field.links[at][3];
                if north != NONE && field.area[north as usize] == field.area[at] {
                    let strip = labels[north as usize];
                    if strip != 0 && strip != u32::MAX {
                        run.meet(strip);
                    }
                }
                let east = field.links[at][2];
                if east == NONE || labels[east as usize] != 0 {
                    break;
                }
                if field.area[east as usize] != field.area[at] {
                    break;
                }
                at = east as usize;
            }
            runs.push(run);
        }
        // Strips that meet exactly one run are continued by it.
        seen.clear();
        for run in &runs {
            run.each_above(field, labels, |strip| seen.meet(strip, run.first));
        }
        let mut names = Vec::with_capacity(runs.len());
        for run in &runs {
            let continued = match run.above {
                Some(Above::One(strip)) if seen.only(strip, run.first) => Some(strip),
                _ => None,
            };
            names.push(continued.unwrap_or_else(|| {
                count += 1;
                count
            }));
        }
        for floor in row {
            let label = labels[floor];
            if label > begun && label != u32::MAX {
                labels[floor] = names[(label - begun - 1) as usize];
            }
        }
    }
    count
}

/// Floors that follow each other eastwards in a row.
struct Run {
    first: u32,
    above: Option<Above>,
}

/// The strips of the row before that a run meets.
#[derive(Clone, Copy, PartialEq)]
enum Above {
    One(u32),
    Several,
}

impl Run {
    fn meet(&mut self, strip: u32) {
        self.above = match self.above {
            None => Some(Above::One(strip)),
            Some(Above::One(other)) if other == strip => self.above,
            _ => Some(Above::Several),
        };
    }

    /// The strips above, one a floor.
    fn each_above(&self, field: &WalkField, labels: &[u32], mut meet: impl FnMut(u32)) {
        let label = labels[self.first as usize];
        let mut at = self.first;
        while at != NONE && labels[at as usize] == label {
            let north = field.links[at as usize][3];
            if north != NONE && field.area[north as usize] == field.area[at as usize] {
                let strip = labels[north as usize];
                if strip != 0 && strip != u32::MAX {
                    meet(strip);
                }
            }
            at = field.links[at as usize][2];
        }
    }
}

/// The run that met each strip, or that several did.
#[derive(Default)]
struct Seen {
    met: std::collections::BTreeMap<u32, Option<u32>>,
}

impl Seen {
    fn clear(&mut self) {
        self.met.clear();
    }

    fn meet(&mut self, strip: u32, run: u32) {
        let met = self.met.entry(strip).or_insert(Some(run));
        if *met != Some(run) {
            *met = None;
        }
    }

    fn only(&self, strip: u32, run: u32) -> bool {
        self.met.get(&strip) == Some(&Some(run))
    }
}

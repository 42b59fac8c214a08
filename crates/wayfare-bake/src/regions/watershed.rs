//! Watershed: basins of the distance to the nearest wall.
//!
//! The distances count as depths, and water rises from the deepest floors, one cell at a time. At
//! each level, existing basins first grow by up to 8 cells over flooded ground; the rest of it
//! starts new basins. So basins meet at narrow passages, where distances are small.
//!
//! A basin never takes a floor below or above one that it has: regions must not overlap in plan.
//!
//! Source: Vincent and Soille, "Watersheds in digital spaces", 1991; bounded growth by level as
//! in Recast (Mononen, 2009).

use super::column_has;
use crate::WalkField;
use crate::distance::{self, Boundary};
use crate::field::NONE;

/// The number of cells that basins grow by at each level before new ones are made.
const GROWTH: usize = 8;

/// Labels all floors that have label 0. Returns the number of labels.
pub(super) fn label(field: &WalkField, labels: &mut [u32]) -> u32 {
    let distances = distance::smoothed(field, &distance::to_boundary(field, Boundary::EdgeAndArea));
    // Floors by level, the highest first: counted, summed, filled.
    let level_of = |floor: usize| usize::from(distances[floor] / 2);
    let levels = distances.iter().map(|d| usize::from(d / 2) + 1).max().unwrap_or(0);
    let mut first = vec![0_u32; levels + 1];
    let free = |labels: &[u32], floor: usize| labels[floor] == 0;
    for floor in (0..field.len()).filter(|&floor| free(labels, floor)) {
        first[levels - level_of(floor)] += 1;
    }
    for level in 0..levels {
        first[level + 1] += first[level];
    }
    let mut next = first.clone();
    let mut ordered = vec![0_u32; first[levels] as usize];
    for floor in (0..field.len()).filter(|&floor| free(labels, floor)) {
        let slot = &mut next[levels - level_of(floor) - 1];
        ordered[*slot as usize] = floor as u32;
        *slot += 1;
    }
    drop(next);

    let mut basins = Basins {
        field,
        labels,
        grown: vec![0; field.len()],
        count: 0,
        stack: Vec::new(),
        taken: Vec::new(),
    };
    let mut dry: Vec<u32> = Vec::new();
    for level in 0..levels {
        dry.extend(&ordered[first[level] as usize..first[level + 1] as usize]);
        if basins.count > 0 {
            basins.grow(&mut dry, GROWTH);
        }
        let least = (levels - 1 - level) * 2;
        for &floor in &dry {
            if basins.labels[floor as usize] == 0 {
                basins.flood(floor, |floor| usize::from(distances[floor]) >= least, true);
            }
        }
        let labels = &basins.labels;
        dry.retain(|&floor| labels[floor as usize] == 0);
    }
    basins.grow(&mut dry, usize::MAX);
    // Floors that are still dry lie below or above the basins around them.
    for floor in dry {
        if basins.labels[floor as usize] == 0 {
            basins.flood(floor, |_| true, false);
        }
    }
    basins.count
}

struct Basins<'a> {
    field: &'a WalkField,
    labels: &'a mut [u32],
    /// By how many half cells a basin has grown to reach a floor.
    grown: Vec<u16>,
    count: u32,
    stack: Vec<u32>,
    /// Floors to label at the end of a round, with label and growth.
    taken: Vec<(u32, u32, u16)>,
}

impl Basins<'_> {
    /// Returns the label of a neighbour with the same area, if it is a basin.
    fn basin(&self, floor: usize, linked: u32) -> Option<u32> {
        if linked == NONE || self.field.area[linked as usize] != self.field.area[floor] {
            return None;
        }
        let label = self.labels[linked as usize];
        (label != 0 && label != u32::MAX).then_some(label)
    }

    /// Lets all basins grow over the dry floors, a cell a round: of several the one that has grown
    /// least. All of a round is decided before any of it is applied, so their order does not count.
    fn grow(&mut self, dry: &mut Vec<u32>, rounds: usize) {
        for _ in 0..rounds {
            self.taken.clear();
            for &floor in dry.iter() {
                let at = floor as usize;
                let mut best: Option<(u16, u32)> = None;
                for linked in self.field.links[at] {
                    let Some(label) = self.basin(at, linked) else { continue };
                    let growth = self.grown[linked as usize].saturating_add(2);
                    if best.is_none_or(|(least, _)| growth < least)
                        && !column_has(self.field, self.labels, at, label)
                    {
                        best = Some((growth, label));
                    }
                }
                if let Some((growth, label)) = best {
                    self.taken.push((floor, label, growth));
                }
            }
            if self.taken.is_empty() {
                return;
            }
            for &(floor, label, growth) in &self.taken {
                // Two floors of a column may have chosen one basin in the same round.
                if !column_has(self.field, self.labels, floor as usize, label) {
                    self.labels[floor as usize] = label;
                    self.grown[floor as usize] = growth;
                }
            }
            let labels = &self.labels;
            dry.retain(|&floor| labels[floor as usize] == 0);
        }
    }

    /// Makes a new basin of the dry floors around `seed` that are `deep` enough. With `apart`, it
    /// leaves out floors beside other basins, which the next growth will give to one of them.
    fn flood(&mut self, seed: u32, deep: impl Fn(usize) -> bool, apart: bool) {
        let label = self.count + 1;
        self.stack.clear();
        self.stack.push(seed);
        self.labels[seed as usize] = label;
        let mut size = 0;
        while let Some(floor) = self.stack.pop() {
            let at = floor as usize;
            let links = &self.field.links;
            if apart {
                let other = |linked: u32| {
                    self.basin(at, linked).is_some_and(|neighbour| neighbour != label)
                };
                let touches = (0..4).any(|side| {
                    let straight = links[at][side];
                    straight != NONE
                        && (other(straight) || other(links[straight as usize][(side + 1) % 4]))
                });
                if touches {
                    self.labels[at] = 0;
                    continue;
                }
            }
            size += 1;
            self.grown[at] = 0;
            for linked in links[at] {
                if linked == NONE || self.labels[linked as usize] != 0 {
                    continue;
                }
                let next = linked as usize;
                if self.field.area[next] == self.field.area[at]
                    && deep(next)
                    && !column_has(self.field, self.labels, next, label)
                {
                    self.labels[next] = label;
                    self.stack.push(linked);
                }
            }
        }
        if size > 0 {
            self.count = label;
        }
    }
}

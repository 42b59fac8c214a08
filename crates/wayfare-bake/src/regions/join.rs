//! Small regions are joined to neighbours, small islands dropped, and the rest numbered.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::field::NONE;
use crate::{Ground, WalkField};

/// The facts about a region, or about several joined ones.
#[derive(Clone, Default)]
struct Part {
    size: u32,
    area: Ground,
    /// Neighbouring regions of the same area, with the length of the common border; one entry or
    /// more for each.
    neighbours: Vec<(u32, u32)>,
    /// Regions below or above it somewhere.
    stacked: Vec<u32>,
}

/// Joins, drops and renumbers. Returns the number of regions that are left.
///
/// A region of fewer than `below` floors joins the neighbour of its area with the longest common
/// border, unless they overlap in plan; the smallest regions first. Connected regions with fewer
/// than `min_island` floors together are dropped, unless they reach a neighbouring tile.
pub(super) fn join(
    field: &WalkField,
    labels: &mut [u32],
    count: u32,
    below: u32,
    min_island: u32,
) -> u32 {
    let survey = Survey::new(field, labels, count);
    let islands = survey.islands(count);
    let mut joined = Joined { parents: (0..=count).collect(), parts: survey.parts };
    joined.join_below(below);

    // Numbers in the order of the floors: independent of the order of joining.
    let mut names = vec![0; count as usize + 1];
    let mut named = 0;
    for label in labels.iter_mut().filter(|label| **label != 0 && **label != u32::MAX) {
        let island = &islands[*label as usize];
        if island.size < min_island && !island.goes_on {
            *label = 0;
            continue;
        }
        let root = joined.root(*label) as usize;
        if names[root] == 0 {
            named += 1;
            names[root] = named;
        }
        *label = names[root];
    }
    named
}

/// The sizes, borders and overlaps of all regions.
struct Survey {
    parts: Vec<Part>,
    /// Pairs of regions that are linked, of whatever area.
    linked: Vec<(u32, u32)>,
    /// Regions that reach a neighbouring tile.
    going_on: Vec<u32>,
}

/// The floors of connected regions.
#[derive(Clone, Copy)]
struct Island {
    size: u32,
    goes_on: bool,
}

impl Survey {
    fn new(field: &WalkField, labels: &[u32], count: u32) -> Self {
        let mut parts = vec![Part::default(); count as usize + 1];
        let mut borders: Vec<(u32, u32)> = Vec::new();
        let (mut linked, mut going_on) = (Vec::new(), Vec::new());
        for (floor, &label) in labels.iter().enumerate() {
            if label == 0 || label == u32::MAX {
                continue;
            }
            let part = &mut parts[label as usize];
            part.size += 1;
            part.area = field.area[floor];
            for (side, &there) in field.links[floor].iter().enumerate() {
                if there == NONE {
                    continue;
                }
                let other = labels[there as usize];
                if other == u32::MAX {
                    going_on.push(label);
                } else if other != 0 && other != label && (side == 1 || side == 2) {
                    linked.push((label.min(other), label.max(other)));
                    if field.area[floor] == field.area[there as usize] {
                        borders.push((label.min(other), label.max(other)));
                    }
                }
            }
        }
        borders.sort_unstable();
        for same in borders.chunk_by(|a, b| a == b) {
            let ((a, b), length) = (same[0], same.len() as u32);
            parts[a as usize].neighbours.push((b, length));
            parts[b as usize].neighbours.push((a, length));
        }
        let mut stacked: Vec<(u32, u32)> = Vec::new();
        for column in field.first.windows(2).filter(|ends| ends[1] - ends[0] > 1) {
            let regions = &labels[column[0] as usize..column[1] as usize];
            for (index, &a) in regions.iter().enumerate() {
                for &b in &regions[index + 1..] {
                    if a != b && a != 0 && b != 0 && a != u32::MAX && b != u32::MAX {
                        stacked.push((a.min(b), a.max(b)));
                    }
                }
            }
            if stacked.len() > 1 << 20 {
                stacked.sort_unstable();
                stacked.dedup();
            }
        }
        stacked.sort_unstable();
        stacked.dedup();
        for (a, b) in stacked {
            parts[a as usize].stacked.push(b);
            parts[b as usize].stacked.push(a);
        }
        linked.sort_unstable();
        linked.dedup();
        Self { parts, linked, going_on }
    }

    /// Returns the island of each region.
    fn islands(&self, count: u32) -> Vec<Island> {
        let mut parents: Vec<u32> = (0..=count).collect();
        for &(a, b) in &self.linked {
            let (a, b) = (root(&mut parents, a), root(&mut parents, b));
            parents[a.max(b) as usize] = a.min(b);
        }
        let mut islands = vec![Island { size: 0, goes_on: false }; count as usize + 1];
        for (label, part) in self.parts.iter().enumerate() {
            let island = &mut islands[root(&mut parents, label as u32) as usize];
            island.size = island.size.saturating_add(part.size);
        }
        for &label in &self.going_on {
            islands[root(&mut parents, label) as usize].goes_on = true;
        }
        (0..=count).map(|label| islands[root(&mut parents, label) as usize]).collect()
    }
}

/// Regions that become one.
struct Joined {
    parents: Vec<u32>,
    parts: Vec<Part>,
}

impl Joined {
    fn root(&mut self, label: u32) -> u32 {
        root(&mut self.parents, label)
    }

    fn join_below(&mut self, below: u32) {
        let small = |part: &Part| part.size > 0 && part.size < below;
        let mut queue: BinaryHeap<Reverse<(u32, u32)>> = (0_u32..)
            .zip(&self.parts)
            .filter(|(_, part)| small(part))
            .map(|(label, part)| Reverse((part.size, label)))
            .collect();
        while let Some(Reverse((size, label))) = queue.pop() {
            // Entries of regions that have been joined since are out of date.
            if self.root(label) != label || self.parts[label as usize].size != size {
                continue;
            }
            let Some(target) = self.best_neighbour(label) else { continue };
            let part = std::mem::take(&mut self.parts[label as usize]);
            self.parents[label as usize] = target;
            let joined = &mut self.parts[target as usize];
            joined.size = joined.size.saturating_add(part.size);
            joined.neighbours.extend(part.neighbours);
            joined.stacked.extend(part.stacked);
            if small(joined) {
                queue.push(Reverse((joined.size, target)));
            }
        }
    }

    /// Returns the neighbour with the longest common border that does not overlap the region; of
    /// equal ones the lowest. Also shortens the region's lists to one entry a neighbour.
    fn best_neighbour(&mut self, label: u32) -> Option<u32> {
        let part = &mut self.parts[label as usize];
        let mut neighbours = std::mem::take(&mut part.neighbours);
        let mut stacked = std::mem::take(&mut part.stacked);
        for (other, _) in &mut neighbours {
            *other = self.root(*other);
        }
        neighbours.sort_unstable();
        neighbours.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 = kept.1.saturating_add(next.1);
            }
            same
        });
        neighbours.retain(|&(other, _)| other != label);
        for other in &mut stacked {
            *other = self.root(*other);
        }
        stacked.sort_unstable();
        stacked.dedup();
        let best = neighbours
            .iter()
            .filter(|(other, _)| stacked.binary_search(other).is_err())
            .max_by_key(|&&(other, length)| (length, Reverse(other)))
            .map(|&(other, _)| other);
        let part = &mut self.parts[label as usize];
        part.neighbours = neighbours;
        part.stacked = stacked;
        best
    }
}

fn root(parents: &mut [u32], mut label: u32) -> u32 {
    while parents[label as usize] != label {
        let above = parents[parents[label as usize] as usize];
        parents[label as usize] = above;
        label = above;
    }
    label
}

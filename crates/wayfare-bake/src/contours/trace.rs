//! Outlines of regions, along the sides of cells.

use crate::field::NONE;
use crate::{LatticePoint, Regions, WalkField};

/// A side of a floor on the outline of its region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) floor: u32,
    pub(super) side: u8,
    /// Returns whether the first corner of the side is a node.
    pub(super) node: bool,
    /// The label on the other side.
    pub(super) other: u32,
}

/// All outlines.
pub(super) struct Traced {
    steps: Vec<Step>,
    /// The first step of each loop, and the number of steps at the end.
    first: Vec<u32>,
    regions: Vec<u32>,
}

impl Traced {
    pub(super) fn new(field: &WalkField, regions: &Regions) -> Self {
        let labels = &regions.labels;
        let sides: Vec<u8> = (0..field.len())
            .map(|floor| {
                let own = regions.of(floor);
                if !own.is_region() {
                    return 0;
                }
                (0..4).fold(0, |sides, side| {
                    let differs = regions.across(field, floor, side) != own.0;
                    sides | u8::from(differs) << side
                })
            })
            .collect();
        let mut left = sides.clone();
        let mut traced = Traced { steps: Vec::new(), first: vec![0], regions: Vec::new() };
        for floor in 0..field.len() {
            while left[floor] != 0 {
                let side = left[floor].trailing_zeros() as usize;
                traced.trace(field, regions, &sides, &mut left, [floor, side]);
                traced.regions.push(labels[floor]);
            }
        }
        traced
    }

    /// Follows one outline, with the region on the left.
    fn trace(
        &mut self,
        field: &WalkField,
        regions: &Regions,
        sides: &[u8],
        left: &mut [u8],
        start: [usize; 2],
    ) {
        let begun = self.steps.len();
        let [mut floor, mut side] = start;
        loop {
            left[floor] &= !(1 << side);
            let other = regions.across(field, floor, side);
            self.steps.push(Step { floor: floor as u32, side: side as u8, node: false, other });
            // Around the corner at the end, over the floors of the region, to its next outer side.
            side = (side + 1) % 4;
            while sides[floor] & 1 << side == 0 {
                floor = field.links[floor][side] as usize;
                side = (side + 3) % 4;
            }
            if [floor, side] == start {
                break;
            }
        }
        let steps = &self.steps[begun..];
        let nodes: Vec<bool> = (0..steps.len())
            .map(|index| {
                let before = steps[(index + steps.len() - 1) % steps.len()];
                is_node(field, regions, before, steps[index])
            })
            .collect();
        for (step, node) in self.steps[begun..].iter_mut().zip(nodes) {
            step.node = node;
        }
        self.first.push(self.steps.len() as u32);
    }

    /// Returns the number of loops.
    pub(super) fn len(&self) -> usize {
        self.regions.len()
    }

    pub(super) fn get(&self, index: usize) -> &[Step] {
        &self.steps[self.first[index] as usize..self.first[index + 1] as usize]
    }

    pub(super) fn loops(&self) -> impl Iterator<Item = &[Step]> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Returns the loops of each region.
    pub(super) fn loops_by_region(&self, regions: usize) -> Vec<Vec<u32>> {
        let mut loops = vec![Vec::new(); regions + 1];
        for (index, &region) in self.regions.iter().enumerate() {
            loops[region as usize].push(index as u32);
        }
        loops
    }
}

/// Returns whether more meets at a corner than two sides of one region and one neighbour.
///
/// The neighbour sees the corner from the other side, over the same floors, and comes to the same
/// answer.
fn is_node(field: &WalkField, regions: &Regions, before: Step, step: Step) -> bool {
    if before.other != step.other {
        return true;
    }
    if step.other == 0 {
        return false; // walls on both sides end the floors around the corner: nothing else is there
    }
    let labels = &regions.labels;
    let own = labels[step.floor as usize];
    let mut at = field.links[step.floor as usize][step.side as usize] as usize;
    let mut side = (step.side as usize + 3) % 4;
    for _ in 0..3 {
        let next = field.links[at][side];
        if next == NONE {
            return true;
        }
        let label = labels[next as usize];
        if label == own {
            return next != before.floor;
        }
        if label != step.other {
            return true;
        }
        (at, side) = (next as usize, (side + 3) % 4);
    }
    true
}

/// Returns the first corner of a step, at the height of its floor.
pub(super) fn corner(field: &WalkField, step: Step) -> LatticePoint {
    at_corner(field, step.floor as usize, step.side)
}

fn at_corner(field: &WalkField, floor: usize, corner: u8) -> LatticePoint {
    let place = field.place(floor);
    let (east, south) = (i32::from(corner >= 2), i32::from(corner == 1 || corner == 2));
    LatticePoint { x: place.x + east, z: place.z + south, ..place }
}

/// The floors that are linked around a corner, each with the corner's number in it.
fn around(field: &WalkField, floor: usize, corner: usize, mut visit: impl FnMut(usize, usize)) {
    visit(floor, corner);
    // Forwards through the side that starts at the corner, then backwards through the side that
    // ends there.
    let (mut at, mut number) = (floor, corner);
    for _ in 0..3 {
        let next = field.links[at][number];
        if next == NONE {
            break;
        }
        (at, number) = (next as usize, (number + 3) % 4);
        if at == floor {
            return;
        }
        visit(at, number);
    }
    let (mut at, mut number) = (floor, corner);
    for _ in 0..3 {
        let next = field.links[at][(number + 3) % 4];
        if next == NONE {
            break;
        }
        (at, number) = (next as usize, (number + 1) % 4);
        if at == floor {
            return;
        }
        visit(at, number);
    }
}

/// Returns a number that all floors around a corner agree on: its lowest floor and the corner in
/// it.
pub(super) fn vertex_key(field: &WalkField, step: Step) -> u64 {
    let mut key = u64::MAX;
    around(field, step.floor as usize, step.side as usize, |floor, corner| {
        key = key.min(floor as u64 * 4 + corner as u64);
    });
    key
}

/// Returns the height of the highest floor around the first corner of a step.
pub(super) fn height(field: &WalkField, step: Step) -> i32 {
    let mut height = 0;
    around(field, step.floor as usize, step.side as usize, |floor, _| {
        height = height.max(field.height[floor]);
    });
    i32::from(height)
}

/// Returns the vertex with a key: its corner of the lattice, at the height of the highest floor
/// around it.
pub(super) fn vertex_of_key(field: &WalkField, key: u64) -> LatticePoint {
    let (floor, corner) = ((key / 4) as usize, (key % 4) as usize);
    let mut height = 0;
    around(field, floor, corner, |floor, _| height = height.max(field.height[floor]));
    LatticePoint { y: i32::from(height), ..at_corner(field, floor, corner as u8) }
}

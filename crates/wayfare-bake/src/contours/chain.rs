//! Simplification of the parts of outlines between nodes.
//!
//! Source: Douglas and Peucker, "Algorithms for the reduction of the number of points required to
//! represent a digitized line or its caricature", 1973.

use super::trace::{self, Step};
use crate::{BakeSettings, LatticePoint, RegionId, WalkField};

/// How much of an outline is kept: finer where a simpler one would cross itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Detail(u8);

impl Detail {
    pub(super) const FIRST: Detail = Detail(0);

    pub(super) fn finer(self) -> Self {
        Detail(self.0 + 1)
    }

    /// Returns whether every corner of the cells is kept.
    pub(super) fn is_last(self) -> bool {
        self.0 >= 5
    }

    /// Returns the largest squared distance of a dropped corner, in cells, or `None` for a straight
    /// line from end to end whatever its distance.
    fn limit(self, between_regions: bool, settings: &BakeSettings) -> Option<f64> {
        let error = f64::from(settings.max_outline_error);
        match self.0 {
            0 if between_regions => None,
            0 | 1 => Some(error * error),
            2 => Some(error * error * 0.25),
            3 => Some((error * error * 0.25).min(0.51)),
            _ => Some(0.0),
        }
    }
}

/// Returns the steps of a loop whose corners are kept.
pub(super) fn simplify_loop(
    field: &WalkField,
    steps: &[Step],
    detail_of: impl Fn(u32) -> Detail,
    settings: &BakeSettings,
) -> Vec<Step> {
    let mut kept = Vec::new();
    let at = |index: usize| steps[index % steps.len()];
    let Some(start) = steps.iter().position(|step| step.node) else {
        simplify_closed(field, steps, detail_of(steps[0].other), settings, &mut kept);
        return kept;
    };
    let mut points = Vec::new();
    let mut from = start;
    while from < start + steps.len() {
        let mut to = from + 1;
        while !at(to).node {
            to += 1;
        }
        points.clear();
        points.extend((from..=to).map(|index| trace::corner(field, at(index))));
        let other = at(from).other;
        if other == RegionId::BEYOND.0 {
            for (point, index) in points.iter_mut().zip(from..=to) {
                point.y = trace::height(field, at(index));
            }
        }
        let indices = simplify_chain(&points, other, detail_of(other), settings);
        kept.extend(indices[..indices.len() - 1].iter().map(|&index| at(from + index)));
        from = to;
    }
    kept
}

/// Returns the corners that a chain keeps, its ends among them, in ascending order.
fn simplify_chain(
    points: &[LatticePoint],
    other: u32,
    detail: Detail,
    settings: &BakeSettings,
) -> Vec<usize> {
    let last = points.len() - 1;
    if detail.is_last() {
        return (0..=last).collect();
    }
    // The direction of the lower end, or where the ends are one, of the lower second corner.
    let forward = match points[0].plan().cmp(&points[last].plan()) {
        std::cmp::Ordering::Equal => points[1].plan() <= points[last - 1].plan(),
        order => order.is_lt(),
    };
    let number = |index: usize| if forward { index } else { last - index };
    let ordered: Vec<LatticePoint> = (0..=last).map(|index| points[number(index)]).collect();
    let beyond = other == RegionId::BEYOND.0;
    let limit = match beyond {
        true => Some(0.0), // the border of a tile, and its corners, stay where they are
        false => detail.limit(RegionId(other).is_region(), settings),
    };
    let mut kept = vec![0, last];
    if ordered[0].plan() == ordered[last].plan() {
        let far = farthest_from_point(&ordered, 0);
        kept.insert(1, far);
        reduce(&ordered, [0, far], limit, &mut kept);
        reduce(&ordered, [far, last], limit, &mut kept);
        keep_an_inside(&ordered, far, &mut kept);
    } else {
        reduce(&ordered, [0, last], limit, &mut kept);
    }
    if beyond {
        keep_heights(&ordered, i32::from(settings.step_cells()), &mut kept);
    }
    if other == 0 {
        split_long(&ordered, settings.max_edge, &mut kept);
    }
    for index in &mut kept {
        *index = number(*index);
    }
    kept.sort_unstable();
    kept.dedup();
    kept
}

/// A loop without nodes: an outline with one neighbour, or walls all around.
fn simplify_closed(
    field: &WalkField,
    steps: &[Step],
    detail: Detail,
    settings: &BakeSettings,
    kept: &mut Vec<Step>,
) {
    let corners: Vec<LatticePoint> = steps.iter().map(|&step| trace::corner(field, step)).collect();
    let lowest = (0..corners.len()).min_by_key(|&index| (corners[index].plan(), index));
    let start = lowest.unwrap_or_default();
    let count = corners.len();
    let points: Vec<LatticePoint> =
        (0..=count).map(|index| corners[(start + index) % count]).collect();
    // A loop between two regions has no straight line from end to end.
    let detail = detail.max(Detail(1));
    let indices = simplify_chain(&points, steps[0].other, detail, settings);
    kept.extend(indices[..indices.len() - 1].iter().map(|&index| steps[(start + index) % count]));
}

/// Keeps the corner that is farthest from the line, and so on, until all are near enough.
fn reduce(points: &[LatticePoint], ends: [usize; 2], limit: Option<f64>, kept: &mut Vec<usize>) {
    let Some(limit) = limit else { return };
    let mut stack = vec![ends];
    while let Some([from, to]) = stack.pop() {
        let mut worst = (limit, None);
        for index in from + 1..to {
            let distance = squared_distance(points[index], points[from], points[to]);
            if distance > worst.0 {
                worst = (distance, Some(index));
            }
        }
        if let Some(index) = worst.1 {
            kept.push(index);
            stack.push([from, index]);
            stack.push([index, to]);
        }
    }
    kept.sort_unstable();
}

/// Keeps the corners at which the height leaves the straight lines between kept ones by more than
/// `step`.
fn keep_heights(points: &[LatticePoint], step: i32, kept: &mut Vec<usize>) {
    let mut stack: Vec<[usize; 2]> = kept.windows(2).map(|ends| [ends[0], ends[1]]).collect();
    while let Some([from, to]) = stack.pop() {
        let mut worst = (f64::from(step), None);
        for index in from + 1..to {
            let share = (index - from) as f64 / (to - from) as f64;
            let line = f64::from(points[from].y) + share * f64::from(points[to].y - points[from].y);
            let error = (f64::from(points[index].y) - line).abs();
            if error > worst.0 {
                worst = (error, Some(index));
            }
        }
        if let Some(index) = worst.1 {
            kept.push(index);
            stack.push([from, index]);
            stack.push([index, to]);
        }
    }
    kept.sort_unstable();
}

/// A closed chain of two corners has no inside: the corner farthest from their line is kept too.
fn keep_an_inside(points: &[LatticePoint], far: usize, kept: &mut Vec<usize>) {
    if kept.len() > 3 {
        return;
    }
    let distance = |index: &usize| points[0].turn(points[far], points[*index]).abs();
    let best = (0..points.len()).max_by_key(|index| (distance(index), std::cmp::Reverse(*index)));
    kept.extend(best);
    kept.sort_unstable();
}

fn farthest_from_point(points: &[LatticePoint], from: usize) -> usize {
    let distance = |index: &usize| {
        let (dx, dz) = (points[*index].x - points[from].x, points[*index].z - points[from].z);
        i64::from(dx) * i64::from(dx) + i64::from(dz) * i64::from(dz)
    };
    let best = (0..points.len()).max_by_key(|index| (distance(index), std::cmp::Reverse(*index)));
    best.unwrap_or_default()
}

/// Keeps the middle corner of long edges, and so on.
fn split_long(points: &[LatticePoint], most: Option<u32>, kept: &mut Vec<usize>) {
    let Some(most) = most else { return };
    let most = u64::from(most) * u64::from(most);
    let mut stack: Vec<[usize; 2]> = kept.windows(2).map(|ends| [ends[0], ends[1]]).collect();
    while let Some([from, to]) = stack.pop() {
        let (dx, dz) = (points[to].x - points[from].x, points[to].z - points[from].z);
        let square = |d: i32| u64::from(d.unsigned_abs()) * u64::from(d.unsigned_abs());
        if to - from > 1 && square(dx) + square(dz) > most {
            let middle = from.midpoint(to);
            kept.push(middle);
            stack.push([from, middle]);
            stack.push([middle, to]);
        }
    }
    kept.sort_unstable();
}

/// Returns the squared distance in plan of a point from a segment, in cells.
fn squared_distance(point: LatticePoint, from: LatticePoint, to: LatticePoint) -> f64 {
    let (dx, dz) = (f64::from(to.x - from.x), f64::from(to.z - from.z));
    let (px, pz) = (f64::from(point.x - from.x), f64::from(point.z - from.z));
    let length = dx * dx + dz * dz;
    let along = px * dx + pz * dz;
    if along <= 0.0 || length == 0.0 {
        return px * px + pz * pz;
    }
    if along >= length {
        let (qx, qz) = (px - dx, pz - dz);
        return qx * qx + qz * qz;
    }
    let across = px * dz - pz * dx;
    across * across / length
}

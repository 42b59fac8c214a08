//! Whether simplified outlines bound an area: exactly, by whole numbers.

use crate::LatticePoint;

/// Returns whether the outlines of one region cross nothing, touch only in common corners, and have
/// the region on their left.
///
/// With no crossing, the winding number is the same all along one side of an outline. It is checked
/// at one edge of each: 1 on the left, 0 on the right. Then it is 0 or 1 everywhere, and the
/// outlines bound an area without overlap.
pub(super) fn is_sound(outlines: &[Vec<LatticePoint>]) -> bool {
    let mut edges = Vec::with_capacity(outlines.iter().map(Vec::len).sum());
    for outline in outlines {
        if outline.len() < 3 {
            return false;
        }
        for index in 0..outline.len() {
            let (from, to) = (outline[index], outline[(index + 1) % outline.len()]);
            let after = outline[(index + 2) % outline.len()];
            if from.plan() == to.plan() || from.plan() == after.plan() {
                return false; // an edge without length, or a spike
            }
            edges.push([from, to]);
        }
    }
    no_edges_cross(&mut edges.clone())
        && no_corners_cross(outlines)
        && outlines.iter().all(|outline| winds_once(outline, &edges))
}

/// Sorted by x, only edges that overlap along x are compared.
fn no_edges_cross(edges: &mut [[LatticePoint; 2]]) -> bool {
    let low = |edge: &[LatticePoint; 2]| edge[0].x.min(edge[1].x);
    edges.sort_unstable_by_key(low);
    for (index, edge) in edges.iter().enumerate() {
        let high = edge[0].x.max(edge[1].x);
        let (z0, z1) = (edge[0].z.min(edge[1].z), edge[0].z.max(edge[1].z));
        for other in &edges[index + 1..] {
            if low(other) > high {
                break;
            }
            if other[0].z.max(other[1].z) < z0 || other[0].z.min(other[1].z) > z1 {
                continue;
            }
            if cross(*edge, *other) {
                return false;
            }
        }
    }
    true
}

/// Returns whether two edges have more in common than an end.
fn cross([a, b]: [LatticePoint; 2], [c, d]: [LatticePoint; 2]) -> bool {
    let sides = [a.turn(b, c), a.turn(b, d), c.turn(d, a), c.turn(d, b)].map(i64::signum);
    if sides[0] * sides[1] < 0 && sides[2] * sides[3] < 0 {
        return true;
    }
    let ends = [a, b, c, d];
    let on_edge = |point: LatticePoint, [from, to]: [LatticePoint; 2]| {
        point.plan() != from.plan()
            && point.plan() != to.plan()
            && (from.x.min(to.x)..=from.x.max(to.x)).contains(&point.x)
            && (from.z.min(to.z)..=from.z.max(to.z)).contains(&point.z)
    };
    let touched = [[a, b], [a, b], [c, d], [c, d]];
    let points = [ends[2], ends[3], ends[0], ends[1]];
    if (0..4).any(|index| sides[index] == 0 && on_edge(points[index], touched[index])) {
        return true;
    }
    let same = |p: LatticePoint, q: LatticePoint| p.plan() == q.plan();
    (same(a, c) && same(b, d)) || (same(a, d) && same(b, c))
}

/// Returns whether outlines that meet in a corner only touch there.
fn no_corners_cross(outlines: &[Vec<LatticePoint>]) -> bool {
    let mut corners: Vec<([i32; 2], u32, u32)> = Vec::new();
    for (outline, points) in outlines.iter().enumerate() {
        for (index, point) in points.iter().enumerate() {
            corners.push((point.plan(), outline as u32, index as u32));
        }
    }
    corners.sort_unstable();
    let neighbours = |&(_, outline, index): &([i32; 2], u32, u32)| {
        let points = &outlines[outline as usize];
        let (index, count) = (index as usize, points.len());
        [points[(index + count - 1) % count], points[index], points[(index + 1) % count]]
    };
    corners.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1).all(|same| {
        same.iter().enumerate().all(|(index, first)| {
            same[index + 1..].iter().all(|second| {
                let [before, at, after] = neighbours(first);
                let [other_before, _, other_after] = neighbours(second);
                let inside = |point| is_left_of_corner(before, at, after, point);
                inside(other_before) == inside(other_after)
            })
        })
    })
}

/// Returns whether a direction from a corner points to the left of the outline there.
fn is_left_of_corner(
    before: LatticePoint,
    at: LatticePoint,
    after: LatticePoint,
    point: LatticePoint,
) -> bool {
    let left_of_next = at.turn(after, point) > 0;
    let left_of_previous = before.turn(at, point) > 0;
    if before.turn(at, after) > 0 {
        left_of_next && left_of_previous
    } else {
        left_of_next || left_of_previous
    }
}

/// Returns whether all outlines together wind once around the left side of an edge of this one, and
/// not around its right side.
fn winds_once(outline: &[LatticePoint], edges: &[[LatticePoint; 2]]) -> bool {
    let count = outline.len();
    let edge = (0..count)
        .map(|index| [outline[index], outline[(index + 1) % count]])
        .find(|[from, to]| from.z != to.z);
    let Some([from, to]) = edge else { return false };
    // The middle of the edge, in half cells, and a ray from it towards smaller x.
    let (x, z) = (i64::from(from.x) + i64::from(to.x), i64::from(from.z) + i64::from(to.z));
    let mut winding = 0;
    for &[a, b] in edges {
        if a == from && b == to {
            continue;
        }
        let [ax, az, bx, bz] = [a.x, a.z, b.x, b.z].map(|value| i64::from(value) * 2);
        if (az > z) == (bz > z) {
            continue;
        }
        // The edge meets the ray if the middle lies on the side of larger x.
        let side = (bx - ax) * (z - az) - (x - ax) * (bz - az);
        let east = if bz > az { side < 0 } else { side > 0 };
        if east {
            winding += if bz > az { 1 } else { -1 };
        }
    }
    // Seen from above, an edge towards larger z has the west on its right hand.
    let west_is_left = to.z < from.z;
    winding == i32::from(west_is_left)
}

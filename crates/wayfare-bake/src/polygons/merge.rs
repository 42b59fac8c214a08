//! Triangles become convex polygons.
//!
//! First, diagonals are turned until the triangles are Delaunay, which avoids slivers. Then inner
//! edges are removed, the longest first, wherever the polygons on both sides together are convex
//! and have few enough corners. At most four times as many polygons are left as the least possible
//! number.
//!
//! Sources: Lawson, "Transforming triangulations", 1972; Hertel and Mehlhorn, "Fast triangulation
//! of simple polygons", 1983.

use crate::LatticePoint;

/// No half-edge on the other side.
const OUTSIDE: u32 = u32::MAX;

/// The triangles of a region, by half-edges: half-edge `h` leads from `from[h]` to the start of
/// `after[h]`.
struct HalfEdges<'a> {
    vertices: &'a [LatticePoint],
    from: Vec<u32>,
    after: Vec<u32>,
    before: Vec<u32>,
    twin: Vec<u32>,
}

/// Convex polygons, each by its vertices counter-clockwise.
pub(super) fn convex(
    vertices: &[LatticePoint],
    triangles: &[[u32; 3]],
    most_corners: u32,
    mut emit: impl FnMut(&[u32]),
) {
    let mut edges = HalfEdges::new(vertices, triangles);
    edges.make_delaunay();
    edges.remove_inner(most_corners);
    let mut corners = Vec::new();
    let mut done = vec![false; edges.from.len()];
    for start in 0..edges.from.len() {
        if done[start] || edges.is_removed(start as u32) {
            continue;
        }
        corners.clear();
        let mut edge = start as u32;
        while !done[edge as usize] {
            done[edge as usize] = true;
            corners.push(edges.from[edge as usize]);
            edge = edges.after[edge as usize];
        }
        emit(&corners);
    }
}

/// Returns the triangles after their diagonals have been turned.
pub(super) fn delaunay(vertices: &[LatticePoint], triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut edges = HalfEdges::new(vertices, triangles);
    edges.make_delaunay();
    let mut turned = Vec::with_capacity(triangles.len());
    for edge in 0..edges.from.len() {
        let (after, before) = (edges.after[edge] as usize, edges.before[edge] as usize);
        if edge < after && edge < before {
            turned.push([edge, after, before].map(|edge| edges.from[edge]));
        }
    }
    turned
}

impl<'a> HalfEdges<'a> {
    fn new(vertices: &'a [LatticePoint], triangles: &[[u32; 3]]) -> Self {
        let count = triangles.len() as u32 * 3;
        let from: Vec<u32> = triangles.iter().flatten().copied().collect();
        let after: Vec<u32> = (0..count).map(|edge| edge - edge % 3 + (edge + 1) % 3).collect();
        let before: Vec<u32> = (0..count).map(|edge| edge - edge % 3 + (edge + 2) % 3).collect();
        let mut twin = vec![OUTSIDE; count as usize];
        let mut ends: Vec<([u32; 2], u32)> = (0..count)
            .map(|edge| {
                let (a, b) = (from[edge as usize], from[after[edge as usize] as usize]);
                ([a.min(b), a.max(b)], edge)
            })
            .collect();
        ends.sort_unstable();
        for same in ends.chunk_by(|a, b| a.0 == b.0) {
            if let [(_, a), (_, b)] = *same
                && from[a as usize] != from[b as usize]
            {
                (twin[a as usize], twin[b as usize]) = (b, a);
            }
        }
        Self { vertices, from, after, before, twin }
    }

    fn point(&self, edge: u32) -> LatticePoint {
        self.vertices[self.from[edge as usize] as usize]
    }

    /// Turns diagonals until no triangle has the fourth corner of its neighbour in its circle.
    /// Each turn makes the smallest angles larger, so it ends.
    fn make_delaunay(&mut self) {
        let mut due: Vec<u32> = (0..self.from.len() as u32).collect();
        while let Some(edge) = due.pop() {
            let twin = self.twin[edge as usize];
            if twin == OUTSIDE {
                continue;
            }
            let (b, d) = (self.after[edge as usize], self.after[twin as usize]);
            let (c, e) = (self.before[edge as usize], self.before[twin as usize]);
            // The edge leads from p to q; r is left of it and s is right of it.
            let (p, q, r, s) = (self.point(edge), self.point(twin), self.point(c), self.point(e));
            let convex = s.turn(q, r) > 0 && r.turn(p, s) > 0;
            if !convex || !in_circle(p, q, r, s) {
                continue;
            }
            // From r to s instead: the triangles (edge, e, b)… are renamed in place.
            let (r_vertex, s_vertex) = (self.from[c as usize], self.from[e as usize]);
            self.from[edge as usize] = s_vertex;
            self.from[twin as usize] = r_vertex;
            self.chain([edge, c, d]);
            self.chain([twin, e, b]);
            due.extend([b, c, d, e]);
        }
    }

    /// Makes a triangle of three half-edges.
    fn chain(&mut self, edges: [u32; 3]) {
        for index in 0..3 {
            let (edge, next) = (edges[index], edges[(index + 1) % 3]);
            self.after[edge as usize] = next;
            self.before[next as usize] = edge;
        }
    }

    fn is_removed(&self, edge: u32) -> bool {
        self.twin[edge as usize] == edge
    }

    /// Removes inner edges between polygons that are convex together.
    fn remove_inner(&mut self, most_corners: u32) {
        let mut inner: Vec<(i64, u32)> = (0..self.from.len() as u32)
            .filter(|&edge| {
                let twin = self.twin[edge as usize];
                twin != OUTSIDE && edge < twin
            })
            .map(|edge| {
                let (a, b) = (self.point(edge), self.point(self.twin[edge as usize]));
                let (dx, dz) = (i64::from(a.x - b.x), i64::from(a.z - b.z));
                (-(dx * dx + dz * dz), edge)
            })
            .collect();
        inner.sort_unstable();
        // The polygon of each half-edge, and the number of its corners: three to begin with.
        let mut parents: Vec<u32> = (0..self.from.len() as u32).collect();
        for edge in 0..self.from.len() as u32 {
            parents[edge as usize] =
                edge.min(self.after[edge as usize]).min(self.before[edge as usize]);
        }
        let mut corners = vec![3; parents.len()];
        for (_, edge) in inner {
            let twin = self.twin[edge as usize];
            let [left, right] = [edge, twin].map(|edge| root(&mut parents, edge));
            let together = corners[left as usize] + corners[right as usize] - 2;
            if left == right || together > most_corners {
                continue;
            }
            let [edge_before, edge_after] = [self.before[edge as usize], self.after[edge as usize]];
            let [twin_before, twin_after] = [self.before[twin as usize], self.after[twin as usize]];
            let start_turn = {
                let beyond = self.point(self.after[twin_after as usize]);
                self.point(edge_before).turn(self.point(edge), beyond)
            };
            let end_turn = {
                let beyond = self.point(self.after[edge_after as usize]);
                self.point(twin_before).turn(self.point(twin), beyond)
            };
            if start_turn < 0 || end_turn < 0 {
                continue;
            }
            self.after[edge_before as usize] = twin_after;
            self.before[twin_after as usize] = edge_before;
            self.after[twin_before as usize] = edge_after;
            self.before[edge_after as usize] = twin_before;
            self.twin[edge as usize] = edge;
            self.twin[twin as usize] = twin;
            parents[right as usize] = left;
            corners[left as usize] = together;
        }
    }
}

fn root(parents: &mut [u32], mut of: u32) -> u32 {
    while parents[of as usize] != of {
        parents[of as usize] = parents[parents[of as usize] as usize];
        of = parents[of as usize];
    }
    of
}

/// Returns whether `s` lies inside the circle through `p`, `q`, `r`, which run counter-clockwise.
///
/// Exact: differences are below 2²⁶, their squares below 2⁵³, products of three below 2¹⁰⁶.
pub(crate) fn in_circle(
    p: LatticePoint,
    q: LatticePoint,
    r: LatticePoint,
    s: LatticePoint,
) -> bool {
    // In the plane of z and x a left turn seen from above is a left turn.
    let row = |at: LatticePoint| {
        let (u, v) = (i128::from(at.z - s.z), i128::from(at.x - s.x));
        [u, v, u * u + v * v]
    };
    let [a, b, c] = [row(p), row(q), row(r)];
    let determinant = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0]);
    determinant > 0
}

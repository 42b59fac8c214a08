//! Triangles united into convex polygons.

use super::halves::{Half, Halves, NONE};
use super::heights::bend;

impl Halves {
    /// Removes edges between faces, the longest first, as long as the faces stay convex and near a
    /// plane. One round is enough: angles only grow.
    pub(super) fn unite(&mut self) {
        let mut edges: Vec<(f64, u32)> = Vec::new();
        for (half, &Half { vertex, twin, .. }) in (0..).zip(&self.halves) {
            if vertex != NONE && twin != NONE && half < twin && self.may_join(half) {
                let (from, to) = (self.place(vertex), self.place(self.half(twin).vertex));
                edges.push((from.distance_squared(to), half));
            }
        }
        edges.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut corners = Vec::new();
        for (_, half) in edges {
            if self.half(half).vertex != NONE {
                self.unite_across(half, &mut corners);
            }
        }
    }

    /// Makes one face of the two on both sides of an edge, if it is convex.
    pub(super) fn unite_across(&mut self, half: u32, corners: &mut Vec<u32>) {
        let twin = self.half(half).twin;
        let (face, other) = (self.half(half).face, self.half(twin).face);
        if face == other {
            return;
        }
        // Faces may share several edges one after the other.
        let (mut first, mut last) = (half, half);
        while self.half(self.half(first).previous).twin == self.half(self.half(first).twin).next {
            first = self.half(first).previous;
        }
        while self.half(self.half(last).next).twin == self.half(self.half(last).twin).previous {
            last = self.half(last).next;
        }
        let (begin, end) = (self.half(first), self.half(last));
        let (begin_twin, end_twin) = (self.half(begin.twin), self.half(end.twin));
        let vertex = |half: u32| self.half(half).vertex;
        let at_begin = [vertex(begin.previous), begin.vertex, self.end(begin_twin.next)];
        let at_end = [vertex(end_twin.previous), end_twin.vertex, self.end(end.next)];
        if !self.is_convex(at_begin) || !self.is_convex(at_end) {
            return;
        }
        corners.clear();
        corners.extend(self.around(face).chain(self.around(other)).map(vertex));
        let slack = self.slack(half);
        if self.bend(corners) > slack {
            return;
        }
        let mut shared = first;
        loop {
            let Half { next, twin, .. } = self.half(shared);
            self.halves[shared as usize].vertex = NONE;
            self.halves[twin as usize].vertex = NONE;
            if shared == last {
                break;
            }
            shared = next;
        }
        self.link(begin.previous, begin_twin.next);
        self.link(end_twin.previous, end.next);
        let kept = begin.previous;
        self.faces[other as usize].half = NONE;
        self.faces[face as usize].half = kept;
        self.faces[face as usize].slack = slack;
        self.own(kept, face);
    }

    /// Returns the [`bend`] of some vertices.
    pub(super) fn bend(&self, vertices: &[u32]) -> f64 {
        bend(vertices.iter().map(|&vertex| self.place(vertex).extend(self.height(vertex))))
    }
}

//! Delaunay's triangles: no vertex lies inside the circle around a triangle beside it.
//!
//! They have few small angles, so the polygons made of them have few splinters.

use super::halves::{Half, Halves, NONE};

impl Halves {
    /// Flips edges until all triangles are Delaunay's, except where heights would change too much.
    ///
    /// Each flip lowers the surface over the paraboloid, so the flips end: C. Lawson, "Software for
    /// C1 Surface Interpolation" (1977).
    pub(super) fn flip_all(&mut self) {
        let mut stack: Vec<u32> = (0..self.halves.len() as u32).rev().collect();
        while let Some(half) = stack.pop() {
            if self.half(half).vertex == NONE || !self.may_flip(half) {
                continue;
            }
            let Half { next, previous, twin, .. } = self.half(half);
            let Half { next: other_next, previous: other_previous, .. } = self.half(twin);
            self.flip(half);
            stack.extend([next, previous, other_next, other_previous]);
        }
    }

    fn may_flip(&self, half: u32) -> bool {
        if !self.may_join(half) {
            return false;
        }
        let Half { vertex: a, previous, twin, .. } = self.half(half);
        if !self.is_loose(half) || !self.is_loose(twin) {
            return false;
        }
        let (b, c) = (self.half(twin).vertex, self.half(previous).vertex);
        let d = self.half(self.half(twin).previous).vertex;
        self.is_in_circle([a, b, c, d])
            && self.is_left([a, d, c])
            && self.is_left([d, b, c])
            && self.gap([a, b], [c, d]) <= self.slack(half)
    }

    /// Returns whether `d` lies inside the circle around the triangle of `a`, `b` and `c`. Exact:
    /// coordinates are integers of at most 26 bits on the raster, so the result has 110.
    fn is_in_circle(&self, [a, b, c, d]: [u32; 4]) -> bool {
        let origin = self.place(d);
        let steps = |vertex: u32| {
            let offset = (self.place(vertex) - origin) / self.step;
            [offset.x as i128, offset.y as i128]
        };
        let [a, b, c] = [a, b, c].map(steps);
        let square = |[x, y]: [i128; 2]| x * x + y * y;
        let cross = |[x, y]: [i128; 2], [u, v]: [i128; 2]| x * v - y * u;
        square(a) * cross(b, c) + square(b) * cross(c, a) + square(c) * cross(a, b) > 0
    }

    /// Replaces the edge between two triangles by the one between their other corners.
    fn flip(&mut self, half: u32) {
        let Half { vertex: a, next: b_c, previous: c_a, twin, face } = self.half(half);
        let Half { vertex: b, next: a_d, previous: d_b, face: other, .. } = self.half(twin);
        let (c, d) = (self.half(c_a).vertex, self.half(d_b).vertex);
        let slack = self.slack(half);
        self.set_triangle(face, [half, c_a, a_d], [d, c, a]);
        self.set_triangle(other, [twin, d_b, b_c], [c, d, b]);
        for face in [face, other] {
            self.faces[face as usize].slack = slack;
        }
    }
}

//! Triangles of a simple polygon.
//!
//! An *ear* is a triangle of three successive corners that no other corner lies in or on. Cutting
//! it off leaves a simple polygon, since no other corner touches the cut. Each simple polygon has
//! an ear: G. Meisters, "Polygons Have Ears" (1975).

use super::super::plan::turn;
use super::halves::{Face, Half, Halves, NONE};

/// The most corners of a polygon that is cut into triangles, since that takes their square.
const MOST_CORNERS: usize = 2000;

/// A side of a polygon that is to be filled with triangles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    /// The vertex where it begins.
    pub(super) vertex: u32,
    /// The half beyond it; [`NONE`] at a wall.
    pub(super) beyond: u32,
}

/// The halves and faces that new triangles may use.
#[derive(Clone, Debug, Default)]
pub(super) struct Spare {
    pub(super) halves: Vec<u32>,
    pub(super) faces: Vec<u32>,
}

/// Cuts ears; its fields are memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Clipper {
    /// The corners that are left, by their indices.
    left: Vec<u32>,
    /// The ears by the indices of their corners.
    pub(super) ears: Vec<[u32; 3]>,
}

impl Clipper {
    /// Finds the ears of a polygon. Returns whether it is made of these.
    ///
    /// Time: O(n²) for n corners of polygons that are almost convex, else O(n³).
    pub(super) fn clip(&mut self, halves: &Halves, sides: &[Side]) -> bool {
        self.ears.clear();
        self.left.clear();
        self.left.extend(0..sides.len() as u32);
        let mut at = 0;
        let mut failures = 0;
        while self.left.len() >= 3 && failures < self.left.len() {
            let count = self.left.len();
            let ear = [at + count - 1, at, at + 1].map(|at| self.left[at % count]);
            if self.is_ear(halves, sides, ear) {
                self.ears.push(ear);
                self.left.remove(at % count);
                failures = 0;
            } else {
                failures += 1;
            }
            at = (at + 1) % self.left.len();
        }
        self.left.len() == 2
    }

    fn is_ear(&self, halves: &Halves, sides: &[Side], ear: [u32; 3]) -> bool {
        let vertices = ear.map(|index| sides[index as usize].vertex);
        if !halves.is_left(vertices) {
            return false;
        }
        let [a, b, c] = vertices.map(|vertex| halves.place(vertex));
        self.left.iter().all(|index| {
            let vertex = sides[*index as usize].vertex;
            let at = halves.place(vertex);
            ear.contains(index)
                || turn(a, b, at) < 0.0
                || turn(b, c, at) < 0.0
                || turn(c, a, at) < 0.0
        })
    }
}

impl Halves {
    /// Fills a polygon with its ears. Takes halves and faces from `spare`, or new ones. `like` has
    /// the area and the slack of the triangles.
    pub(super) fn fill(
        &mut self,
        sides: &mut [Side],
        ears: &[[u32; 3]],
        like: Face,
        spare: &mut Spare,
    ) {
        for (number, &[a, b, c]) in (1..).zip(ears) {
            let face = spare.faces.pop().unwrap_or_else(|| {
                self.faces.push(like);
                self.faces.len() as u32 - 1
            });
            self.faces[face as usize] = like;
            let halves = [0; 3].map(|_| {
                spare.halves.pop().unwrap_or_else(|| {
                    let (vertex, next, previous, twin) = (NONE, NONE, NONE, NONE);
                    self.halves.push(Half { vertex, next, previous, twin, face });
                    self.halves.len() as u32 - 1
                })
            });
            let vertices = [a, b, c].map(|index| sides[index as usize].vertex);
            self.set_triangle(face, halves, vertices);
            self.pair(halves[0], sides[a as usize].beyond);
            self.pair(halves[1], sides[b as usize].beyond);
            // The last side of the last ear is a side of the polygon.
            match number == ears.len() {
                true => self.pair(halves[2], sides[c as usize].beyond),
                false => sides[a as usize].beyond = halves[2],
            }
        }
    }

    /// Cuts all polygons into triangles, except these that are no simple polygons on the raster or
    /// have more than [`MOST_CORNERS`].
    pub(super) fn triangulate(&mut self) {
        let (mut sides, mut clipper, mut spare) =
            (Vec::new(), Clipper::default(), Spare::default());
        for face in 0..self.faces.len() as u32 {
            sides.clear();
            spare.halves.clear();
            for half in self.around(face) {
                let Half { vertex, twin, .. } = self.half(half);
                sides.push(Side { vertex, beyond: twin });
                spare.halves.push(half);
            }
            if sides.len() <= MOST_CORNERS && clipper.clip(self, &sides) {
                spare.faces.push(face);
                self.fill(&mut sides, &clipper.ears, self.faces[face as usize], &mut spare);
            } else {
                self.faces[face as usize].is_fixed = true;
            }
        }
    }
}

//! Polygons by the halves of their edges.

use glam::{DVec2, Vec3};

use super::super::AreaId;
use super::super::build::NO_TWIN;
use super::super::mesh::Rings;
use super::super::plan::{Raster, plan, turn};
use super::{Ground, RISE};

/// No half, vertex or face.
pub(super) const NONE: u32 = u32::MAX;

/// The side of an edge that one face sees: it runs counter-clockwise around the face.
#[derive(Clone, Copy, Debug)]
pub(super) struct Half {
    /// The vertex where it begins; [`NONE`] if the half is unused.
    pub(super) vertex: u32,
    pub(super) next: u32,
    pub(super) previous: u32,
    /// The other half of the edge; [`NONE`] at a wall.
    pub(super) twin: u32,
    pub(super) face: u32,
}

/// A polygon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// One of its halves; [`NONE`] if the face is unused.
    pub(super) half: u32,
    pub(super) area: AreaId,
    /// Whether it stays as it is.
    pub(super) is_fixed: bool,
    /// The greatest change of its heights by one step, in metres.
    pub(super) slack: f64,
}

/// Polygons that change.
#[derive(Clone, Debug)]
pub(super) struct Halves {
    pub(super) points: Vec<Vec3>,
    /// The points of the raster.
    places: Vec<DVec2>,
    /// The step of the raster.
    pub(super) step: f64,
    pub(super) halves: Vec<Half>,
    pub(super) faces: Vec<Face>,
}

impl Halves {
    pub(super) fn of(rings: &Rings, grounds: &[Ground]) -> Self {
        let raster = Raster::around(&rings.vertices);
        let places = rings.vertices.iter().map(|&at| raster.place(at).as_dvec2()).collect();
        let mut halves = Vec::with_capacity(rings.corners.len() * 3);
        let mut faces = Vec::with_capacity(rings.corners.len());
        for ((face, own), &ground) in (0..).zip(rings.first.windows(2)).zip(grounds) {
            let (begin, end) = (own[0], own[1]);
            for corner in begin..end {
                halves.push(Half {
                    vertex: rings.corners[corner as usize],
                    next: if corner + 1 == end { begin } else { corner + 1 },
                    previous: if corner == begin { end - 1 } else { corner - 1 },
                    twin: match rings.twins[corner as usize] {
                        NO_TWIN => NONE,
                        twin => twin,
                    },
                    face,
                });
            }
            faces.push(Face {
                half: begin,
                area: ground.area,
                is_fixed: false,
                slack: ground.bend.max(RISE),
            });
        }
        Self { points: rings.vertices.clone(), places, step: raster.step(), halves, faces }
    }

    pub(super) fn half(&self, half: u32) -> Half {
        self.halves[half as usize]
    }

    pub(super) fn face(&self, half: u32) -> Face {
        self.faces[self.half(half).face as usize]
    }

    /// Returns the vertex where a half ends.
    pub(super) fn end(&self, half: u32) -> u32 {
        self.half(self.half(half).next).vertex
    }

    pub(super) fn place(&self, vertex: u32) -> DVec2 {
        self.places[vertex as usize]
    }

    pub(super) fn height(&self, vertex: u32) -> f64 {
        f64::from(self.points[vertex as usize].y)
    }

    /// Returns the turn at `b` on the raster and as stored.
    fn turns(&self, [a, b, c]: [u32; 3]) -> [f64; 2] {
        let [place_a, place_b, place_c] = [a, b, c].map(|vertex| self.place(vertex));
        let [a, b, c] = [a, b, c].map(|vertex| plan(self.points[vertex as usize]));
        [turn(place_a, place_b, place_c), turn(a, b, c)]
    }

    /// Returns whether a path over three vertices turns left.
    pub(super) fn is_left(&self, vertices: [u32; 3]) -> bool {
        self.turns(vertices).into_iter().all(|turn| turn > 0.0)
    }

    /// Returns whether a path over three vertices turns left or goes straight on.
    pub(super) fn is_convex(&self, vertices: [u32; 3]) -> bool {
        self.turns(vertices).into_iter().all(|turn| turn >= 0.0)
    }

    /// Returns whether a half is a part of a triangle that may change.
    pub(super) fn is_loose(&self, half: u32) -> bool {
        let Half { next, previous, face, .. } = self.half(half);
        self.half(next).next == previous && !self.faces[face as usize].is_fixed
    }

    /// Returns whether the faces on both sides of an edge may become one.
    pub(super) fn may_join(&self, half: u32) -> bool {
        let twin = self.half(half).twin;
        twin != NONE && {
            let (face, other) = (self.face(half), self.face(twin));
            face.area == other.area && !face.is_fixed && !other.is_fixed
        }
    }

    /// Returns the lesser slack of the faces on both sides of an edge.
    pub(super) fn slack(&self, half: u32) -> f64 {
        self.face(half).slack.min(self.face(self.half(half).twin).slack)
    }

    /// Lets two halves be the sides of one edge. `b` may be [`NONE`].
    pub(super) fn pair(&mut self, a: u32, b: u32) {
        self.halves[a as usize].twin = b;
        if b != NONE {
            self.halves[b as usize].twin = a;
        }
    }

    /// Lets one half follow another around a face.
    pub(super) fn link(&mut self, half: u32, next: u32) {
        self.halves[half as usize].next = next;
        self.halves[next as usize].previous = half;
    }

    /// Makes a triangle of three halves.
    pub(super) fn set_triangle(&mut self, face: u32, halves: [u32; 3], vertices: [u32; 3]) {
        for index in 0..3 {
            let half = halves[index] as usize;
            self.halves[half].vertex = vertices[index];
            self.halves[half].face = face;
            self.link(halves[index], halves[(index + 1) % 3]);
        }
        self.faces[face as usize].half = halves[0];
    }

    /// Returns the halves of a face.
    pub(super) fn around(&self, face: u32) -> impl Iterator<Item = u32> + '_ {
        self.around_from(self.faces[face as usize].half)
    }

    /// Returns the halves of a face, from one on.
    pub(super) fn around_from(&self, first: u32) -> impl Iterator<Item = u32> + '_ {
        let mut at = first;
        std::iter::from_fn(move || {
            let half = at;
            if half != NONE {
                at = self.half(half).next;
                if at == first {
                    at = NONE;
                }
            }
            (half != NONE).then_some(half)
        })
    }

    /// Lets the halves around a polygon be of a face.
    pub(super) fn own(&mut self, first: u32, face: u32) {
        let mut at = first;
        loop {
            self.halves[at as usize].face = face;
            at = self.half(at).next;
            if at == first {
                break;
            }
        }
    }

    /// Writes down the polygons, numbered without gaps, with their areas.
    pub(super) fn rings(&self) -> (Rings, Vec<AreaId>) {
        let mut rings = Rings { first: vec![0], ..Rings::default() };
        let mut areas = Vec::new();
        let mut vertices = vec![NONE; self.points.len()];
        let mut numbers = vec![NO_TWIN; self.halves.len()];
        for face in 0..self.faces.len() as u32 {
            if self.faces[face as usize].half == NONE {
                continue;
            }
            for half in self.around(face) {
                let vertex = self.half(half).vertex;
                let number = &mut vertices[vertex as usize];
                if *number == NONE {
                    *number = rings.vertices.len() as u32;
                    rings.vertices.push(self.points[vertex as usize]);
                }
                numbers[half as usize] = rings.corners.len() as u32;
                rings.corners.push(*number);
                rings.twins.push(self.half(half).twin);
            }
            rings.first.push(rings.corners.len() as u32);
            areas.push(self.faces[face as usize].area);
        }
        for twin in rings.twins.iter_mut().filter(|twin| **twin != NONE) {
            *twin = numbers[*twin as usize];
        }
        (rings, areas)
    }
}

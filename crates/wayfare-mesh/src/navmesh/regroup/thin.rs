//! Corners that the outline of the ground does not need.
//!
//! The triangles around such a corner become one polygon without it, which is cut into triangles
//! again. The polygon is simple: seen from the corner its sides follow each other.

use glam::{DVec2, DVec3};
use wayfare_core::inside::nearest_on;

use super::super::locate::PlaneHeight;
use super::super::plan::turn;
use super::ears::{Clipper, Side, Spare};
use super::halves::{Half, Halves, NONE};

/// The most rounds over all corners. Later ones remove few.
const ROUNDS: u32 = 4;

/// The most triangles around a corner that is removed: cutting ears takes the square of it.
const MOST_SIDES: usize = 64;

/// The triangles around a corner, and memory.
#[derive(Clone, Debug, Default)]
struct Star {
    sides: Vec<Side>,
    clipper: Clipper,
    spare: Spare,
}

impl Halves {
    /// Removes all corners that are not needed.
    pub(super) fn thin_out(&mut self, tolerance: f64) {
        let mut star = Star::default();
        // The round that tried each vertex last.
        let mut tried = vec![0; self.points.len()];
        for round in 1..=ROUNDS {
            let mut any = false;
            for half in 0..self.halves.len() as u32 {
                // An unused half has no vertex.
                let tried = tried.get_mut(self.half(half).vertex as usize);
                let is_new = tried.is_some_and(|tried| std::mem::replace(tried, round) != round);
                if is_new && star.find(self, half, tolerance) {
                    any |= star.remove(self, half);
                }
            }
            if !any {
                break;
            }
        }
    }

    /// Returns the height of the plane of a triangle at a point.
    fn height_at(&self, vertices: [u32; 3], at: DVec2) -> f64 {
        let corner = |vertex| {
            let place = self.place(vertex);
            DVec3::new(place.x, self.height(vertex), -place.y)
        };
        PlaneHeight::of(vertices.map(corner), at).value
    }

    /// Returns how far two segments between vertices pass above each other where they cross; 0 if
    /// they do not.
    pub(super) fn gap(&self, [a, b]: [u32; 2], [c, d]: [u32; 2]) -> f64 {
        let [at_a, at_b, at_c, at_d] = [a, b, c, d].map(|vertex| self.place(vertex));
        let (from, to) = (turn(at_c, at_d, at_a), turn(at_c, at_d, at_b));
        let (other_from, other_to) = (turn(at_a, at_b, at_c), turn(at_a, at_b, at_d));
        if from * to >= 0.0 || other_from * other_to >= 0.0 {
            return 0.0;
        }
        let along = |[a, b]: [u32; 2], share: f64| {
            let (a, b) = (self.height(a), self.height(b));
            a + share * (b - a)
        };
        let above = along([a, b], from / (from - to));
        (above - along([c, d], other_from / (other_from - other_to))).abs()
    }
}

impl Star {
    /// Finds the triangles around the vertex where a half begins. Returns whether it may be
    /// removed.
    fn find(&mut self, halves: &Halves, half: u32, tolerance: f64) -> bool {
        self.sides.clear();
        self.spare.halves.clear();
        self.spare.faces.clear();
        let area = halves.face(half).area;
        // Clockwise to a wall, or all around.
        let mut first = half;
        loop {
            let twin = halves.half(first).twin;
            if twin == NONE {
                break;
            }
            first = halves.half(twin).next;
            if first == half {
                break;
            }
        }
        let mut spoke = first;
        loop {
            let Half { next, previous, face, .. } = halves.half(spoke);
            if !halves.is_loose(spoke) || halves.face(spoke).area != area {
                return false;
            }
            let Half { vertex, twin: beyond, .. } = halves.half(next);
            self.sides.push(Side { vertex, beyond });
            self.spare.halves.extend([spoke, next, previous]);
            self.spare.faces.push(face);
            if self.sides.len() > MOST_SIDES {
                return false;
            }
            spoke = halves.half(previous).twin;
            if spoke == NONE {
                let vertex = halves.half(previous).vertex;
                self.sides.push(Side { vertex, beyond: NONE });
                return self.is_on_straight_wall(halves, halves.half(half).vertex, tolerance);
            }
            if spoke == first {
                return self.sides.len() > 2
                    && self.goes_around_once(halves, halves.half(half).vertex);
            }
        }
    }

    /// Returns whether the sides go around the vertex once. Where rounding has folded the ground,
    /// triangles may go around twice.
    fn goes_around_once(&self, halves: &Halves, vertex: u32) -> bool {
        let at = halves.place(vertex);
        let is_below = |side: &Side| halves.place(side.vertex).y < at.y;
        let ahead = self.sides.iter().skip(1).chain(&self.sides);
        let rises = self.sides.iter().zip(ahead).filter(|(a, b)| is_below(a) && !is_below(b));
        rises.count() == 1
    }

    /// Returns whether the vertex lies between the ends of the wall without it.
    fn is_on_straight_wall(&self, halves: &Halves, vertex: u32, tolerance: f64) -> bool {
        let [first, .., last] = self.sides[..] else { return false };
        let [from, to] = [last, first].map(|side| halves.place(side.vertex));
        let at = halves.place(vertex);
        self.sides.len() > 2
            && (from - at).dot(to - at) < 0.0
            && nearest_on(at, from, to).distance(at) <= tolerance
    }

    /// Removes the vertex where `half` begins, unless heights change too much. Returns whether it
    /// did.
    fn remove(&mut self, halves: &mut Halves, half: u32) -> bool {
        let Self { sides, clipper, spare } = self;
        if !clipper.clip(halves, sides) {
            return false;
        }
        let mut like = halves.face(half);
        let slacks = spare.faces.iter().map(|&face| halves.faces[face as usize].slack);
        like.slack = slacks.fold(f64::INFINITY, f64::min);
        if change(halves, halves.half(half).vertex, sides, &clipper.ears) > like.slack {
            return false;
        }
        halves.fill(sides, &clipper.ears, like, spare);
        for &face in &spare.faces {
            halves.faces[face as usize].half = NONE;
        }
        for &half in &spare.halves {
            halves.halves[half as usize].vertex = NONE;
        }
        true
    }
}

/// Returns the greatest distance between the heights of the triangles around a vertex and those of
/// the ears without it. Both are planes between their edges, so it is at the vertex or where edges
/// cross.
fn change(halves: &Halves, vertex: u32, sides: &[Side], ears: &[[u32; 3]]) -> f64 {
    let height = halves.height(vertex);
    if sides.iter().all(|side| halves.height(side.vertex) == height) {
        return 0.0;
    }
    let at = halves.place(vertex);
    let mut most = 0.0_f64;
    for ear in ears {
        let corners = ear.map(|index| sides[index as usize].vertex);
        let places = corners.map(|corner| halves.place(corner));
        if (0..3).all(|index| turn(places[index], places[(index + 1) % 3], at) >= 0.0) {
            most = most.max((halves.height_at(corners, at) - height).abs());
        }
        for side in sides {
            most = most.max(halves.gap([corners[0], corners[2]], [vertex, side.vertex]));
        }
    }
    most
}

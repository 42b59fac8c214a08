//! Triangles that take in samples until all are near enough.
//!
//! A sample is inserted by removing all triangles that have it in their circle, and joining it to
//! the border of the hole. Exact arithmetic makes the hole star-shaped around the sample.
//!
//! Sources: Bowyer, "Computing Dirichlet tessellations", 1981; Watson, "Computing the n-dimensional
//! Delaunay tessellation", 1981.

use crate::LatticePoint;
use crate::polygons::in_circle;

const OUTSIDE: u32 = u32::MAX;

struct Triangle {
    corners: [u32; 3],
    /// The triangle across the edge that starts at each corner.
    across: [u32; 3],
    samples: Vec<LatticePoint>,
    gone: bool,
}

/// The triangles of one polygon.
pub(super) struct Surface<'a> {
    points: &'a mut Vec<LatticePoint>,
    triangles: Vec<Triangle>,
}

impl<'a> Surface<'a> {
    pub(super) fn new(points: &'a mut Vec<LatticePoint>, triangles: &[[u32; 3]]) -> Self {
        let mut edges: Vec<([u32; 2], u32, u32)> = Vec::new();
        for (number, corners) in (0..).zip(triangles) {
            for index in 0..3 {
                let (a, b) = (corners[index], corners[(index + 1) % 3]);
                edges.push(([a.min(b), a.max(b)], number, index as u32));
            }
        }
        edges.sort_unstable();
        let mut triangles: Vec<Triangle> = triangles
            .iter()
            .map(|&corners| Triangle {
                corners,
                across: [OUTSIDE; 3],
                samples: Vec::new(),
                gone: false,
            })
            .collect();
        for same in edges.chunk_by(|a, b| a.0 == b.0) {
            if let [(_, a, a_edge), (_, b, b_edge)] = *same {
                triangles[a as usize].across[a_edge as usize] = b;
                triangles[b as usize].across[b_edge as usize] = a;
            }
        }
        Surface { points, triangles }
    }

    pub(super) fn triangles(&self) -> impl Iterator<Item = [u32; 3]> {
        self.triangles.iter().filter(|triangle| !triangle.gone).map(|triangle| triangle.corners)
    }

    fn corners(&self, triangle: u32) -> [LatticePoint; 3] {
        self.triangles[triangle as usize].corners.map(|point| self.points[point as usize])
    }

    /// Inserts samples until each is within `limit` of its triangle in height.
    pub(super) fn follow(&mut self, samples: &[LatticePoint], limit: f64) {
        for &sample in samples {
            let holder =
                (0..self.triangles.len() as u32).find(|&triangle| self.holds(triangle, sample));
            if let Some(holder) = holder {
                self.triangles[holder as usize].samples.push(sample);
            }
        }
        let mut due: Vec<u32> = (0..self.triangles.len() as u32).collect();
        while let Some(triangle) = due.pop() {
            if self.triangles[triangle as usize].gone {
                continue;
            }
            if let Some(worst) = self.worst(triangle, limit) {
                let sample = self.triangles[triangle as usize].samples.swap_remove(worst);
                let first = self.triangles.len() as u32;
                self.insert(sample, triangle);
                due.extend(first..self.triangles.len() as u32);
                due.push(triangle); // still there if the sample could not be inserted
            }
        }
    }

    fn holds(&self, triangle: u32, at: LatticePoint) -> bool {
        let [a, b, c] = self.corners(triangle);
        a.turn(b, at) >= 0 && b.turn(c, at) >= 0 && c.turn(a, at) >= 0
    }

    /// Returns the sample of a triangle that is farthest above or below it, if that is too far.
    fn worst(&self, triangle: u32, limit: f64) -> Option<usize> {
        let samples = &self.triangles[triangle as usize].samples;
        if samples.is_empty() {
            return None;
        }
        let [a, b, c] = self.corners(triangle);
        let whole = a.turn(b, c) as f64;
        let mut worst = (limit, None);
        for (index, &at) in samples.iter().enumerate() {
            let weights = [b.turn(c, at), c.turn(a, at), a.turn(b, at)].map(|weight| weight as f64);
            let heights = [a.y, b.y, c.y].map(f64::from);
            let sum: f64 = weights.iter().zip(heights).map(|(weight, y)| weight * y).sum();
            let error = (f64::from(at.y) - sum / whole).abs();
            if error > worst.0 {
                worst = (error, Some(index));
            }
        }
        worst.1
    }

    /// Makes a sample a corner of the triangles. `start` holds it.
    fn insert(&mut self, sample: LatticePoint, start: u32) {
        let mut hole = vec![start];
        let mut border: Vec<([u32; 2], u32)> = Vec::new();
        let mut next = 0;
        while next < hole.len() {
            let Triangle { corners, across, .. } = self.triangles[hole[next] as usize];
            next += 1;
            for index in 0..3 {
                let other = across[index];
                if hole.contains(&other) {
                    continue;
                }
                let inside = other != OUTSIDE && {
                    let [a, b, c] = self.corners(other);
                    in_circle(a, b, c, sample)
                };
                if inside {
                    hole.push(other);
                } else {
                    border.push(([corners[index], corners[(index + 1) % 3]], other));
                }
            }
        }
        // An edge that was border when it was seen may lie within the hole by now.
        border.retain(|(_, other)| !hole.contains(other));
        let at = |point: u32| self.points[point as usize];
        if border.iter().any(|([a, b], _)| at(*a).turn(at(*b), sample) <= 0) {
            return;
        }
        let point = self.points.len() as u32;
        self.points.push(sample);
        let mut samples = Vec::new();
        for &triangle in &hole {
            let triangle = &mut self.triangles[triangle as usize];
            triangle.gone = true;
            samples.append(&mut triangle.samples);
        }
        let first = self.triangles.len() as u32;
        let number = |index: usize| first + index as u32;
        for (index, &([a, b], other)) in border.iter().enumerate() {
            let begins = |vertex| border.iter().position(|(edge, _)| edge[0] == vertex);
            let ends = |vertex| border.iter().position(|(edge, _)| edge[1] == vertex);
            let across =
                [other, begins(b).map_or(OUTSIDE, number), ends(a).map_or(OUTSIDE, number)];
            self.triangles.push(Triangle {
                corners: [a, b, point],
                across,
                samples: Vec::new(),
                gone: false,
            });
            if other != OUTSIDE {
                let beyond = &mut self.triangles[other as usize];
                for edge in 0..3 {
                    if beyond.corners[edge] == b && beyond.corners[(edge + 1) % 3] == a {
                        beyond.across[edge] = number(index);
                    }
                }
            }
        }
        for sample in samples {
            let holder =
                (first..self.triangles.len() as u32).find(|&triangle| self.holds(triangle, sample));
            if let Some(holder) = holder {
                self.triangles[holder as usize].samples.push(sample);
            }
        }
    }
}

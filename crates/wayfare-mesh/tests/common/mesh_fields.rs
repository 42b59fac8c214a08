//! Random meshes of one floor, and an oracle of lines of sight on them.
//!
//! The oracle knows no mesh: two points see each other if free triangles cover the segment between
//! them. A shortest path bends at corners of obstacles only, so Dijkstra's algorithm over the
//! points and all corners finds its length.

use glam::Vec3;
use proptest::prelude::*;
use wayfare_mesh::navmesh::{AreaId, HeightReach, MeshDraft, MeshPoint, NavMeshSpace};

/// A place in plan: x and z.
pub(crate) type Flat = [f64; 2];

/// A field of square cells, some of them obstacles, whose corners have been moved a little.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) side: usize,
    pub(crate) blocked: Vec<bool>,
    pub(crate) corners: Vec<Flat>,
    /// How each free cell is cut: into triangles along one diagonal, or the other.
    pub(crate) cuts: Vec<bool>,
    /// Whether corners stayed in place: then free cells in a row may become one polygon.
    pub(crate) is_square: bool,
}

impl Field {
    fn corner(&self, x: usize, z: usize) -> usize {
        z * (self.side + 1) + x
    }

    /// The corners of a cell, counter-clockwise seen from above.
    fn cell(&self, x: usize, z: usize) -> [usize; 4] {
        [(x, z), (x, z + 1), (x + 1, z + 1), (x + 1, z)].map(|(x, z)| self.corner(x, z))
    }

    fn is_blocked(&self, x: usize, z: usize) -> bool {
        self.blocked[z * self.side + x]
    }

    /// Frees cells until no two obstacles touch at a corner alone: there the mesh is not joined,
    /// but segments pass between the two.
    pub(crate) fn without_pinches(mut self) -> Self {
        loop {
            let mut is_changed = false;
            for z in 1..self.side {
                for x in 1..self.side {
                    let around = [(x - 1, z - 1), (x, z - 1), (x - 1, z), (x, z)]
                        .map(|(x, z)| self.is_blocked(x, z));
                    if let [true, false, false, true] | [false, true, true, false] = around {
                        let lower = if around[0] { x - 1 } else { x };
                        self.blocked[(z - 1) * self.side + lower] = false;
                        is_changed = true;
                    }
                }
            }
            if !is_changed {
                return self;
            }
        }
    }

    /// The two triangles of a cell.
    fn triangles(&self, x: usize, z: usize) -> [[usize; 3]; 2] {
        let [a, b, c, d] = self.cell(x, z);
        if self.cuts[z * self.side + x] { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
    }

    fn place(&self, corner: usize) -> Vec3 {
        let [x, z] = self.corners[corner];
        Vec3::new(x as f32, 0.0, z as f32)
    }

    /// The mesh of the free cells. Obstacles are left out, or become polygons of area 1.
    pub(crate) fn draft(&self, with_obstacles: bool) -> MeshDraft {
        let corners = 0..self.corners.len();
        let mut draft = MeshDraft::new(corners.map(|corner| self.place(corner)).collect());
        for z in 0..self.side {
            let mut x = 0;
            while x < self.side {
                let area = AreaId(u8::from(self.is_blocked(x, z)));
                if area == AreaId(1) && !with_obstacles {
                    x += 1;
                    continue;
                }
                if self.is_square && self.cuts[z * self.side + x] {
                    // As many cells of the kind in a row as there are, as one rectangle.
                    let begin = x;
                    while x < self.side && AreaId(u8::from(self.is_blocked(x, z))) == area {
                        x += 1;
                    }
                    let outline = [(begin, z), (begin, z + 1), (x, z + 1), (x, z)];
                    draft.push(&outline.map(|(x, z)| self.corner(x, z) as u32), area);
                    continue;
                }
                for triangle in self.triangles(x, z) {
                    draft.push(&triangle.map(|corner| corner as u32), area);
                }
                x += 1;
            }
        }
        draft
    }

    /// Whether the free triangles, with their borders, cover a segment.
    pub(crate) fn sees(&self, a: Flat, b: Flat) -> bool {
        let free = (0..self.side * self.side).filter(|&cell| !self.blocked[cell]);
        let triangles = free.flat_map(|cell| self.triangles(cell % self.side, cell / self.side));
        let parts = triangles.filter_map(|at| clip(a, b, at.map(|corner| self.corners[corner])));
        let mut parts: Vec<(f64, f64)> = parts.collect();
        parts.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let covered =
            parts.iter().fold(
                0.0,
                |reach: f64, &(begin, end)| {
                    if begin <= reach + 1e-9 { reach.max(end) } else { reach }
                },
            );
        covered >= 1.0 - 1e-9
    }

    /// The length of the shortest path, if there is one.
    pub(crate) fn shortest(&self, start: Flat, goal: Flat) -> Option<f64> {
        let mut points = vec![start, goal];
        points.extend_from_slice(&self.corners);
        let mut lengths = vec![f64::INFINITY; points.len()];
        let mut is_done = vec![false; points.len()];
        lengths[0] = 0.0;
        loop {
            let open = (0..points.len()).filter(|&i| !is_done[i] && lengths[i].is_finite());
            let next = open.min_by(|&a, &b| lengths[a].total_cmp(&lengths[b]))?;
            if next == 1 {
                return Some(lengths[1]);
            }
            is_done[next] = true;
            for other in 0..points.len() {
                let length = lengths[next] + distance(points[next], points[other]);
                if length < lengths[other] && self.sees(points[next], points[other]) {
                    lengths[other] = length;
                }
            }
        }
    }
}

/// Above 0: `c` lies to the left of the line from `a` to `b`, seen from above (z points down).
pub(crate) fn turn(a: Flat, b: Flat, c: Flat) -> f64 {
    (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1])
}

pub(crate) fn distance(a: Flat, b: Flat) -> f64 {
    ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt()
}

/// The part of a segment in a triangle.
fn clip(a: Flat, b: Flat, corners: [Flat; 3]) -> Option<(f64, f64)> {
    let (mut begin, mut end) = (0.0_f64, 1.0_f64);
    for i in 0..3 {
        let (from, to) = (corners[i], corners[(i + 1) % 3]);
        let (at_a, at_b) = (turn(from, to, a), turn(from, to, b));
        if at_a < 0.0 && at_b < 0.0 {
            return None;
        }
        if at_a == at_b {
            continue; // parallel, and not outside
        }
        let t = at_a / (at_a - at_b);
        if at_a < at_b { begin = begin.max(t) } else { end = end.min(t) }
    }
    (begin <= end).then_some((begin, end))
}

pub(crate) fn fields(side: usize) -> impl Strategy<Value = Field> {
    let cells = side * side;
    let corners = (side + 1) * (side + 1);
    (
        prop::collection::vec(prop::bool::weighted(0.3), cells),
        prop::collection::vec(any::<bool>(), cells),
        // Sixteenths of a cell: exact as single floats. Cells stay convex.
        prop::option::of(prop::collection::vec((-3_i8..=3, -3_i8..=3), corners)),
    )
        .prop_map(move |(blocked, cuts, moved)| {
            let is_square = moved.is_none();
            let corners = (0..corners)
                .map(|corner| {
                    let (x, z) = (corner % (side + 1), corner / (side + 1));
                    let is_inside = |at: usize| f64::from(u8::from(at > 0 && at < side));
                    let (dx, dz) = moved.as_ref().map_or((0, 0), |moved| moved[corner]);
                    let [dx, dz] = [dx, dz].map(|by| f64::from(by) / 16.0);
                    [x as f64 + dx * is_inside(x), z as f64 + dz * is_inside(z)]
                })
                .collect();
            Field { side, blocked, corners, cuts, is_square }.without_pinches()
        })
}

/// A place: between corners, or exactly on corners and edges.
pub(crate) fn places(side: usize) -> impl Strategy<Value = Flat> {
    let (fine, coarse) = (0..=(side as u16 * 64), 0..=(side as u16 * 2));
    prop_oneof![
        (fine.clone(), fine).prop_map(|(x, z)| [f64::from(x) / 64.0, f64::from(z) / 64.0]),
        (coarse.clone(), coarse).prop_map(|(x, z)| [f64::from(x) / 2.0, f64::from(z) / 2.0]),
    ]
}

pub(crate) fn locate(space: &NavMeshSpace<'_>, [x, z]: Flat) -> Option<MeshPoint> {
    space.locate(Vec3::new(x as f32, 0.0, z as f32), HeightReach::default())
}

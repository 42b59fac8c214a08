//! Samples of the ground along edges and within polygons.

use crate::{HeightSettings, LatticePoint, PolygonMesh, RegionId, Regions, WalkField};

use super::PART;

/// The floors of a field by column and region.
pub(super) struct Ground<'a> {
    field: &'a WalkField,
    regions: &'a Regions,
    spacing: i32,
    error: f64,
}

/// The points between the corners of polygons, one list an edge.
pub(super) struct EdgePoints {
    /// For each corner of the mesh the points on the edge that starts there: from, to, and whether
    /// they are in the order of the polygon.
    ranges: Vec<(u32, u32, bool)>,
}

impl<'a> Ground<'a> {
    pub(super) fn new(field: &'a WalkField, regions: &'a Regions, wanted: HeightSettings) -> Self {
        let spacing = wanted.spacing.min(1 << 20) as i32;
        Ground { field, regions, spacing, error: f64::from(wanted.max_error) }
    }

    /// Returns the height of a region over a cell; regions cover a column at most once.
    fn height(&self, [x, z]: [i32; 2], regions: &[RegionId]) -> Option<i32> {
        let (x, z) = (u32::try_from(x).ok()?, u32::try_from(z).ok()?);
        let column = self.field.window.column(x, z)?;
        let floor =
            self.field.floors(column).find(|&floor| regions.contains(&self.regions.of(floor)))?;
        Some(i32::from(self.field.height[floor]))
    }

    /// Returns the height near a point: outlines may lead a little beyond the region's cells.
    fn height_near(&self, at: LatticePoint, regions: &[RegionId]) -> Option<i32> {
        let [x, z] = [at.x.div_euclid(PART), at.z.div_euclid(PART)];
        // The cell itself first, then the four beside it, then the four around the corner.
        const AROUND: [[i32; 2]; 9] =
            [[0, 0], [-1, 0], [0, 1], [1, 0], [0, -1], [-1, -1], [-1, 1], [1, 1], [1, -1]];
        AROUND.iter().find_map(|[dx, dz]| self.height([x + dx, z + dz], regions))
    }

    /// Returns the samples within a polygon, at the middles of cells, at some distance from its
    /// edges.
    pub(super) fn within(
        &self,
        points: &[LatticePoint],
        outline: &[u32],
        region: RegionId,
    ) -> Vec<LatticePoint> {
        let step = self.spacing * PART;
        let at = |index: usize| points[outline[index % outline.len()] as usize];
        let (mut low, mut high) = (at(0), at(0));
        for index in 1..outline.len() {
            let point = at(index);
            (low.x, low.z) = (low.x.min(point.x), low.z.min(point.z));
            (high.x, high.z) = (high.x.max(point.x), high.z.max(point.z));
        }
        let mut samples = Vec::new();
        let first = |low: i32| low.div_euclid(step) * step + PART / 2;
        let mut z = first(low.z);
        while z < high.z {
            let mut x = first(low.x);
            while x < high.x {
                let point = LatticePoint { x, y: 0, z };
                // Farther from each edge than a third of the spacing.
                let inside = (0..outline.len()).all(|index| {
                    let (from, to) = (at(index), at(index + 1));
                    let area = from.turn(to, point);
                    let (dx, dz) = (i64::from(to.x - from.x), i64::from(to.z - from.z));
                    let margin = i64::from(step / 3);
                    area > 0
                        && i128::from(area) * i128::from(area)
                            > i128::from(dx * dx + dz * dz) * i128::from(margin * margin)
                });
                if inside && let Some(y) = self.height([x / PART, z / PART], &[region]) {
                    samples.push(LatticePoint { y, ..point });
                }
                x += step;
            }
            z += step;
        }
        samples
    }

    /// Returns the points between two vertices where the ground is too far from the straight line.
    fn along(
        &self,
        from: LatticePoint,
        to: LatticePoint,
        regions: &[RegionId],
    ) -> Vec<LatticePoint> {
        let (dx, dz) = (f64::from(to.x - from.x), f64::from(to.z - from.z));
        let length = (dx * dx + dz * dz).sqrt();
        let parts = (length / f64::from(self.spacing.saturating_mul(PART))).floor() as i32;
        if parts < 2 {
            return Vec::new();
        }
        let mut samples = vec![from];
        for part in 1..parts {
            let share = f64::from(part) / f64::from(parts);
            let x = from.x + (dx * share).round() as i32;
            let z = from.z + (dz * share).round() as i32;
            let point = LatticePoint { x, y: 0, z };
            if let Some(y) = self.height_near(point, regions) {
                samples.push(LatticePoint { y, ..point });
            }
        }
        samples.push(to);
        // Douglas and Peucker by height.
        let mut kept = Vec::new();
        let mut stack = vec![[0, samples.len() - 1]];
        while let Some([start, end]) = stack.pop() {
            let (a, b) = (samples[start], samples[end]);
            let along =
                |point: LatticePoint| f64::from(point.x - a.x) * dx + f64::from(point.z - a.z) * dz;
            let mut worst = (self.error, None);
            for (index, &point) in samples.iter().enumerate().take(end).skip(start + 1) {
                let share = along(point) / along(b);
                let line = f64::from(a.y) + share * f64::from(b.y - a.y);
                let error = (f64::from(point.y) - line).abs();
                if error > worst.0 {
                    worst = (error, Some(index));
                }
            }
            if let Some(index) = worst.1 {
                kept.push(index);
                stack.push([start, index]);
                stack.push([index, end]);
            }
        }
        kept.sort_unstable();
        kept.into_iter().map(|index| samples[index]).collect()
    }
}

/// Samples all edges of a mesh, each once, and appends the points that are kept.
pub(super) fn edge_points(
    ground: &Ground<'_>,
    mesh: &PolygonMesh,
    points: &mut Vec<LatticePoint>,
) -> EdgePoints {
    let mut ranges = vec![(0, 0, true); mesh.corners.len()];
    // Each edge by its lower and higher vertex, with its corner and polygon.
    let mut edges: Vec<([u32; 2], u32, u32)> = Vec::with_capacity(mesh.corners.len());
    for (number, polygon) in mesh.polygons().enumerate() {
        let first = mesh.first[number];
        for index in 0..polygon.len() {
            let (a, b) = (polygon[index], polygon[(index + 1) % polygon.len()]);
            edges.push(([a.min(b), a.max(b)], first + index as u32, number as u32));
        }
    }
    edges.sort_unstable();
    for same in edges.chunk_by(|a, b| a.0 == b.0) {
        let [low, high] = same[0].0;
        let mut regions = [mesh.region(same[0].2 as usize); 2];
        if let Some(other) = same.get(1) {
            regions[1] = mesh.region(other.2 as usize);
            regions.sort_unstable();
        }
        let from = points.len() as u32;
        let kept = ground.along(points[low as usize], points[high as usize], &regions);
        points.extend(kept);
        let to = points.len() as u32;
        for &(_, corner, _) in same {
            let forward = mesh.corners[corner as usize] == low;
            ranges[corner as usize] = (from, to, forward);
        }
    }
    EdgePoints { ranges }
}

impl EdgePoints {
    /// The corners of a polygon with the points on its edges, counter-clockwise.
    pub(super) fn outline(&self, mesh: &PolygonMesh, polygon: usize, outline: &mut Vec<u32>) {
        let first = mesh.first[polygon] as usize;
        for (index, &vertex) in mesh.polygon(polygon).iter().enumerate() {
            outline.push(vertex);
            let (from, to, forward) = self.ranges[first + index];
            if forward {
                outline.extend(from..to);
            } else {
                outline.extend((from..to).rev());
            }
        }
    }
}

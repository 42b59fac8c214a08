//! Joining pieces along the lines where they meet.
//!
//! Two pieces meet only along a line that both know by index: an edge of the mesh, or the line of a
//! cut. So neighbours are found by comparing intervals on lines with equal indices, and coincident
//! corners by the seams they end, not by their coordinates. Coordinates that differ in the last
//! digit cannot tear a hole, and floors above each other cannot be mistaken.

use glam::DVec2;

/// A side that meets nothing.
pub const NO_LINE: u64 = u64::MAX;

/// A corner of a loose polygon.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LooseCorner {
    /// Where it is in plan.
    pub at: DVec2,
    /// The index of the line along which the side to the next corner runs, or [`NO_LINE`].
    pub line: u64,
}

/// A convex polygon, counter-clockwise, that knows no neighbours.
pub(in crate::navmesh) type Loose = Vec<LooseCorner>;

/// Polygons with neighbours.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Joint {
    /// The vertices.
    pub(in crate::navmesh) vertices: Vec<DVec2>,
    /// A loose polygon and a corner or side of it where each vertex was found: its height is to be
    /// taken there.
    pub(in crate::navmesh) origins: Vec<u32>,
    /// Where the corners of each polygon begin; one entry more than polygons.
    pub first: Vec<u32>,
    /// The vertex of each corner.
    pub(in crate::navmesh) corners: Vec<u32>,
    /// The corner whose edge is the same one backwards, or `u32::MAX`.
    pub twins: Vec<u32>,
    /// The loose polygon that each polygon was. Slivers that shrank to a line are left out.
    pub polygons: Vec<u32>,
}

/// A side as an interval on its line.
#[derive(Clone, Copy)]
struct Interval {
    polygon: u32,
    side: u32,
    low: f64,
    high: f64,
    /// Whether the side runs in the line's direction, with its polygon on the left.
    forward: bool,
}

/// A point on a side between its corners, where a neighbour ends.
#[derive(Clone, Copy)]
struct Split {
    /// The distance from the side's first corner.
    along: f64,
    node: u32,
}

/// Points of polygons, grouped where seams join them.
struct Nodes {
    parents: Vec<u32>,
    places: Vec<DVec2>,
    polygons: Vec<u32>,
}

impl Nodes {
    fn push(&mut self, place: DVec2, polygon: u32) -> u32 {
        self.parents.push(self.parents.len() as u32);
        self.places.push(place);
        self.polygons.push(polygon);
        self.parents.len() as u32 - 1
    }

    /// Returns the smallest node of the group.
    fn group(&mut self, mut node: u32) -> u32 {
        while self.parents[node as usize] != node {
            let above = self.parents[self.parents[node as usize] as usize];
            self.parents[node as usize] = above;
            node = above;
        }
        node
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.group(a), self.group(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }
}

/// A corner of a polygon after joining.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::navmesh) struct RingCorner {
    /// The loose polygon. One that shrank to a line has no corners.
    pub(in crate::navmesh) polygon: u32,
    /// The side that the corner's edge is a part of, counted over all loose polygons.
    pub(in crate::navmesh) side: u32,
    /// The least node of the coincident points. Nodes below the count of all sides are the corners
    /// where these sides begin; at other nodes a neighbour ends.
    pub(in crate::navmesh) node: u32,
}

/// Polygons joined, with their points.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::navmesh) struct JoinedRings {
    /// All corners of all polygons, in order.
    pub(in crate::navmesh) rings: Vec<RingCorner>,
    /// For each node the least one that falls together with it.
    pub(in crate::navmesh) groups: Vec<u32>,
    /// The position of each node.
    pub(in crate::navmesh) places: Vec<DVec2>,
}

/// Joins polygons as [`join`] does, some of whose corners are known to fall together: `same` has
/// pairs of sides that begin at such corners.
pub(in crate::navmesh) fn join_rings(
    loose: &[Loose],
    same: impl Iterator<Item = (u32, u32)>,
    tolerance: f64,
) -> JoinedRings {
    let mut joiner = Joiner::new(loose, tolerance);
    for (a, b) in same {
        joiner.nodes.join(a, b);
    }
    joiner.join_lines();
    let rings = joiner.rings();
    let groups = (0..joiner.nodes.parents.len() as u32).map(|node| joiner.nodes.group(node));
    let groups = groups.collect();
    JoinedRings { rings, groups, places: joiner.nodes.places }
}

/// Gives each polygon its neighbours. Points nearer than `tolerance` to a corner become that
/// corner.
///
/// Time: O(n log n) for n sides.
pub fn join(loose: &[Loose], tolerance: f64) -> Joint {
    Joiner::new(loose, tolerance).join()
}

struct Joiner<'a> {
    loose: &'a [Loose],
    tolerance: f64,
    /// The first side of each polygon among all sides.
    first: Vec<u32>,
    nodes: Nodes,
    splits: Vec<Split>,
    /// The splits of each side; a list by index, ended by `u32::MAX`.
    heads: Vec<u32>,
    tails: Vec<u32>,
}

impl<'a> Joiner<'a> {
    fn new(loose: &'a [Loose], tolerance: f64) -> Self {
        let mut first = vec![0];
        let mut nodes = Nodes { parents: Vec::new(), places: Vec::new(), polygons: Vec::new() };
        for (polygon, corners) in (0..).zip(loose) {
            for corner in corners {
                nodes.push(corner.at, polygon);
            }
            first.push(nodes.parents.len() as u32);
        }
        let heads = vec![u32::MAX; nodes.parents.len()];
        Self { loose, tolerance, first, nodes, splits: Vec::new(), heads, tails: Vec::new() }
    }

    fn join(mut self) -> Joint {
        self.join_lines();
        self.collect()
    }

    fn join_lines(&mut self) {
        let mut sides: Vec<(u64, u32, u32)> = Vec::new();
        for (polygon, corners) in (0..).zip(self.loose) {
            let lines = (0..).zip(corners).filter(|(_, corner)| corner.line != NO_LINE);
            sides.extend(lines.map(|(side, corner)| (corner.line, polygon, side)));
        }
        sides.sort_unstable();
        let mut intervals = Vec::new();
        for group in sides.chunk_by(|a, b| a.0 == b.0) {
            if group.len() > 1 {
                self.join_line(group, &mut intervals);
            }
        }
    }

    /// Returns the ends of a side.
    fn ends(&self, polygon: u32, side: u32) -> (DVec2, DVec2) {
        let corners = &self.loose[polygon as usize];
        let next = (side as usize + 1) % corners.len();
        (corners[side as usize].at, corners[next].at)
    }

    /// Finds the segments of one line along which a polygon on the left meets one on the right.
    fn join_line(&mut self, sides: &[(u64, u32, u32)], intervals: &mut Vec<Interval>) {
        let (origin, end) = self.ends(sides[0].1, sides[0].2);
        let direction = (end - origin).normalize_or_zero();
        intervals.clear();
        for &(_, polygon, side) in sides {
            let (from, to) = self.ends(polygon, side);
            let (a, b) = ((from - origin).dot(direction), (to - origin).dot(direction));
            let (low, high) = (a.min(b), a.max(b));
            intervals.push(Interval { polygon, side, low, high, forward: a < b });
        }
        intervals.sort_by(|a, b| a.low.total_cmp(&b.low).then(a.polygon.cmp(&b.polygon)));
        for (index, &one) in intervals.iter().enumerate() {
            // Sides in the same direction do not overlap, so few start before `one` ends.
            for &other in intervals[index + 1..].iter().take_while(|other| other.low < one.high) {
                let (low, high) = (other.low, one.high.min(other.high));
                if one.forward != other.forward && high - low > self.tolerance {
                    for at in [low, high] {
                        let place = origin + direction * at;
                        let (a, b) = (self.node(one, at, place), self.node(other, at, place));
                        self.nodes.join(a, b);
                    }
                }
            }
        }
    }

    /// Returns the node of a side at the distance `at` along the line: a corner, or a split.
    fn node(&mut self, side: Interval, at: f64, place: DVec2) -> u32 {
        let count = self.loose[side.polygon as usize].len() as u32;
        let first = self.first[side.polygon as usize];
        let (begin, end) = (first + side.side, first + (side.side + 1) % count);
        let (low, high) = if side.forward { (begin, end) } else { (end, begin) };
        if at - side.low <= self.tolerance {
            return low;
        }
        if side.high - at <= self.tolerance {
            return high;
        }
        let along = if side.forward { at - side.low } else { side.high - at };
        let mut split = self.heads[begin as usize];
        while split != u32::MAX {
            let known = self.splits[split as usize];
            if (known.along - along).abs() <= self.tolerance {
                return known.node;
            }
            split = self.tails[split as usize];
        }
        let node = self.nodes.push(place, side.polygon);
        self.tails
            .push(std::mem::replace(&mut self.heads[begin as usize], self.splits.len() as u32));
        self.splits.push(Split { along, node });
        node
    }

    /// Returns the polygons with the group of nodes at each corner, corners where neighbours end
    /// included.
    ///
    /// At the tip of a sliver the point where a neighbour ends may fall together with the same
    /// point on the side across. The ring would go from there to the tip and back; such a tip is
    /// dropped, since its two edges would be on the same sides as the neighbours' edges.
    fn rings(&mut self) -> Vec<RingCorner> {
        let mut rings: Vec<RingCorner> = Vec::with_capacity(self.nodes.parents.len());
        let mut between: Vec<Split> = Vec::new();
        for polygon in 0..self.loose.len() {
            let begin = rings.len();
            for side in self.first[polygon]..self.first[polygon + 1] {
                between.clear();
                let mut split = self.heads[side as usize];
                while split != u32::MAX {
                    between.push(self.splits[split as usize]);
                    split = self.tails[split as usize];
                }
                between.sort_by(|a, b| a.along.total_cmp(&b.along));
                for node in std::iter::once(side).chain(between.iter().map(|split| split.node)) {
                    let node = self.nodes.group(node);
                    let corner = RingCorner { polygon: polygon as u32, side, node };
                    // Of corners that fall together the last one has the edge.
                    match rings[begin..] {
                        [.., last] if last.node == node => drop(rings.pop()),
                        [.., before, _tip] if before.node == node => {
                            rings.truncate(rings.len() - 2);
                        }
                        _ => {}
                    }
                    rings.push(corner);
                }
            }
            // The same across the ring's end.
            loop {
                match rings[begin..] {
                    [first, .., last] if first.node == last.node => drop(rings.pop()),
                    [first, .., before, _tip] if before.node == first.node => {
                        rings.truncate(rings.len() - 2);
                    }
                    [_tip, second, .., last] if last.node == second.node => {
                        rings.pop();
                        rings.remove(begin);
                    }
                    _ => break,
                }
            }
            if rings.len() < begin + 3 {
                rings.truncate(begin);
            }
        }
        rings
    }

    /// Writes down the polygons with a vertex for each group of nodes.
    fn collect(mut self) -> Joint {
        let mut joined = Joint { first: vec![0], ..Joint::default() };
        let mut numbers = vec![u32::MAX; self.nodes.parents.len()];
        let rings = self.rings();
        for ring in rings.chunk_by(|a, b| a.polygon == b.polygon) {
            for RingCorner { node, .. } in ring {
                let number = &mut numbers[*node as usize];
                if *number == u32::MAX {
                    *number = joined.vertices.len() as u32;
                    joined.vertices.push(self.nodes.places[*node as usize]);
                    joined.origins.push(self.nodes.polygons[*node as usize]);
                }
                joined.corners.push(*number);
            }
            joined.first.push(joined.corners.len() as u32);
            joined.polygons.push(ring[0].polygon);
        }
        joined.twins = twins(&joined.first, &joined.corners);
        joined
    }
}

/// Returns the corner whose edge is each corner's edge backwards.
fn twins(first: &[u32], corners: &[u32]) -> Vec<u32> {
    let mut edges: Vec<(u32, u32, bool, u32)> = Vec::with_capacity(corners.len());
    for own in first.windows(2) {
        for corner in own[0]..own[1] {
            let next = if corner + 1 == own[1] { own[0] } else { corner + 1 };
            let (a, b) = (corners[corner as usize], corners[next as usize]);
            edges.push((a.min(b), a.max(b), a < b, corner));
        }
    }
    edges.sort_unstable();
    let mut twins = vec![u32::MAX; corners.len()];
    for same in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        if let [(.., false, a), (.., true, b)] = *same {
            (twins[a as usize], twins[b as usize]) = (b, a);
        }
    }
    twins
}

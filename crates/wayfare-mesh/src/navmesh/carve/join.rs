//! Joining pieces along the lines where they meet.
//!
//! Two pieces meet only along a line that both know by index: an edge of the mesh, or the line of a
//! cut. So neighbours are found by comparing intervals on lines with equal indices, and coincident
//! corners by the seams they end, not by their coordinates. Coordinates that differ in the last
//! digit cannot tear a hole, and floors above each other cannot be mistaken.

use glam::DVec2;

/// A side that meets nothing.
pub const NO_LINE: u32 = u32::MAX;

/// A corner of a loose polygon.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LooseCorner {
    /// Where it is in plan.
    pub at: DVec2,
    /// The index of the line along which the side to the next corner runs, or [`NO_LINE`].
    pub line: u32,
}

/// Convex polygons, counter-clockwise, that know no neighbours: their corners in one list.
#[derive(Clone, Debug, Default)]
pub struct Loose {
    corners: Vec<LooseCorner>,
    /// The polygon of each corner.
    owners: Vec<u32>,
    /// Where the corners of each polygon begin, and those of the next one.
    first: Vec<u32>,
}

impl Loose {
    pub(in crate::navmesh) fn clear(&mut self) {
        self.corners.clear();
        self.owners.clear();
        self.first.clear();
    }

    /// Adds a polygon.
    pub fn push(&mut self, corners: impl IntoIterator<Item = LooseCorner>) {
        self.begin();
        corners.into_iter().for_each(|corner| self.push_corner(corner));
    }

    /// Adds a polygon without corners.
    pub(in crate::navmesh) fn begin(&mut self) {
        self.first.push(self.corners.len() as u32);
    }

    /// Adds a corner to the last polygon.
    pub(in crate::navmesh) fn push_corner(&mut self, corner: LooseCorner) {
        self.corners.push(corner);
        self.owners.push(self.first.len() as u32 - 1);
    }

    /// Returns the sides of a polygon among all sides.
    fn sides(&self, polygon: u32) -> std::ops::Range<u32> {
        let next = self.first.get(polygon as usize + 1);
        self.first[polygon as usize]..next.copied().unwrap_or(self.corners.len() as u32)
    }
}

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
#[derive(Clone, Copy, Debug)]
struct Interval {
    side: Side,
    low: f64,
    high: f64,
    /// Whether the side runs in the line's direction, with its polygon on the left.
    forward: bool,
}

/// A side of a polygon: the nodes of its two ends.
#[derive(Clone, Copy, Debug, Default)]
struct Side {
    polygon: u32,
    begin: u32,
    end: u32,
}

/// A point on a side between its corners, where a neighbour ends.
#[derive(Clone, Copy, Debug)]
struct Split {
    /// The distance from the side's first corner.
    along: f64,
    node: u32,
    /// The next split of the side, or `u32::MAX`.
    next: u32,
}

/// Points of polygons, grouped where seams join them.
#[derive(Clone, Debug, Default)]
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

    /// Lets each parent be the smallest node of the group. Parents are smaller than their children.
    fn flatten(&mut self) {
        for node in 0..self.parents.len() {
            self.parents[node] = self.parents[self.parents[node] as usize];
        }
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

/// Gives each polygon its neighbours. Points nearer than `tolerance` to a corner become that
/// corner.
///
/// Time: O(n log n) for n sides.
pub fn join(loose: Loose, tolerance: f64) -> Joint {
    let mut joiner = Joiner { loose, ..Joiner::default() };
    joiner.begin();
    joiner.join(tolerance);
    joiner.collect()
}

/// Joins polygons. Allocates nothing once its memory is large enough.
#[derive(Clone, Debug, Default)]
pub(in crate::navmesh) struct Joiner {
    /// The polygons.
    pub(in crate::navmesh) loose: Loose,
    nodes: Nodes,
    splits: Vec<Split>,
    /// The first split of each side, or `u32::MAX`.
    heads: Vec<u32>,
    /// All corners of all polygons, in order.
    rings: Vec<RingCorner>,
    /// The sides in order of their lines.
    sides: Vec<Side>,
    /// Where the sides of each line begin.
    begins: Vec<u32>,
    intervals: Vec<Interval>,
    between: Vec<Split>,
}

impl Joiner {
    /// Takes in the polygons: each side gets a node for the corner where it begins.
    pub(in crate::navmesh) fn begin(&mut self) {
        let Self { loose, nodes, .. } = self;
        nodes.parents.clear();
        nodes.places.clear();
        nodes.polygons.clear();
        nodes.parents.extend(0..loose.corners.len() as u32);
        nodes.places.extend(loose.corners.iter().map(|corner| corner.at));
        nodes.polygons.extend(&loose.owners);
        self.splits.clear();
        self.heads.clear();
        self.heads.resize(nodes.parents.len(), u32::MAX);
    }

    /// Says that two sides begin at the same point.
    pub(in crate::navmesh) fn unite(&mut self, a: u32, b: u32) {
        self.nodes.join(a, b);
    }

    /// Joins the polygons.
    pub(in crate::navmesh) fn join(&mut self, tolerance: f64) {
        self.sort_sides();
        let sides = std::mem::take(&mut self.sides);
        let mut begin = 0;
        for line in 0..self.begins.len() {
            let end = self.begins[line] as usize;
            if end - begin > 1 {
                self.join_line(&sides[begin..end], tolerance);
            }
            begin = end;
        }
        self.sides = sides;
        self.nodes.flatten();
        self.find_rings();
    }

    /// Returns all corners of all polygons, in order.
    pub(in crate::navmesh) fn rings(&self) -> &[RingCorner] {
        &self.rings
    }

    /// Returns for each node the least one that falls together with it.
    pub(in crate::navmesh) fn groups(&self) -> &[u32] {
        &self.nodes.parents
    }

    /// Returns the position of a node.
    pub(in crate::navmesh) fn place(&self, node: u32) -> DVec2 {
        self.nodes.places[node as usize]
    }

    /// Returns the polygon of a node.
    pub(in crate::navmesh) fn polygon(&self, node: u32) -> u32 {
        self.nodes.polygons[node as usize]
    }

    /// Sorts the sides that are on lines by these, those of one line in order. Afterwards `begins`
    /// tells where the sides of each line end.
    fn sort_sides(&mut self) {
        let Self { loose, begins, sides, .. } = self;
        let lines = loose.corners.iter().map(|corner| corner.line);
        let lines = lines.filter(|&line| line != NO_LINE);
        let (mut count, mut bound) = (0, 0);
        for line in lines.clone() {
            (count, bound) = (count + 1, bound.max(line as usize + 1));
        }
        begins.clear();
        begins.resize(bound + 1, 0);
        lines.for_each(|line| begins[line as usize + 1] += 1);
        for line in 0..bound {
            begins[line + 1] += begins[line];
        }
        sides.clear();
        sides.resize(count, Side::default());
        for polygon in 0..loose.first.len() as u32 {
            let own = loose.sides(polygon);
            for begin in own.clone() {
                let line = loose.corners[begin as usize].line;
                if line != NO_LINE {
                    let end = if begin + 1 == own.end { own.start } else { begin + 1 };
                    let at = &mut begins[line as usize];
                    sides[*at as usize] = Side { polygon, begin, end };
                    *at += 1;
                }
            }
        }
    }

    /// Finds the segments of one line along which a polygon on the left meets one on the right.
    fn join_line(&mut self, sides: &[Side], tolerance: f64) {
        let place = |node: u32| self.loose.corners[node as usize].at;
        let (origin, end) = (place(sides[0].begin), place(sides[0].end));
        let direction = (end - origin).normalize_or_zero();
        let mut intervals = std::mem::take(&mut self.intervals);
        intervals.clear();
        intervals.extend(sides.iter().map(|&side| {
            let [a, b] = [side.begin, side.end].map(|end| (place(end) - origin).dot(direction));
            Interval { side, low: a.min(b), high: a.max(b), forward: a < b }
        }));
        intervals.sort_by(|a, b| a.low.total_cmp(&b.low).then(a.side.polygon.cmp(&b.side.polygon)));
        for (index, &one) in intervals.iter().enumerate() {
            // Sides in the same direction do not overlap, so few start before `one` ends.
            for &other in intervals[index + 1..].iter().take_while(|other| other.low < one.high) {
                let (low, high) = (other.low, one.high.min(other.high));
                if one.forward != other.forward && high - low > tolerance {
                    for at in [low, high] {
                        let place = origin + direction * at;
                        let [a, b] = [one, other].map(|side| self.node(side, at, place, tolerance));
                        self.nodes.join(a, b);
                    }
                }
            }
        }
        self.intervals = intervals;
    }

    /// Returns the node of a side at the distance `at` along the line: a corner, or a split.
    fn node(&mut self, one: Interval, at: f64, place: DVec2, tolerance: f64) -> u32 {
        let Side { polygon, begin, end } = one.side;
        let (low, high) = if one.forward { (begin, end) } else { (end, begin) };
        if at - one.low <= tolerance {
            return low;
        }
        if one.high - at <= tolerance {
            return high;
        }
        let along = if one.forward { at - one.low } else { one.high - at };
        let mut split = self.heads[begin as usize];
        while split != u32::MAX {
            let known = self.splits[split as usize];
            if (known.along - along).abs() <= tolerance {
                return known.node;
            }
            split = known.next;
        }
        let node = self.nodes.push(place, polygon);
        let next = std::mem::replace(&mut self.heads[begin as usize], self.splits.len() as u32);
        self.splits.push(Split { along, node, next });
        node
    }

    /// Finds the polygons with the group of nodes at each corner, corners where neighbours end
    /// included.
    ///
    /// At the tip of a sliver the point where a neighbour ends may fall together with the same
    /// point on the side across. The ring would go from there to the tip and back; such a tip is
    /// dropped, since its two edges would be on the same sides as the neighbours' edges.
    fn find_rings(&mut self) {
        let Self { rings, between, splits, heads, nodes, loose, .. } = self;
        rings.clear();
        for polygon in 0..loose.first.len() as u32 {
            let begin = rings.len();
            let mut push = |side: u32, node: u32| {
                let node = nodes.parents[node as usize];
                // Of corners that fall together the last one has the edge.
                match rings[begin..] {
                    [.., last] if last.node == node => drop(rings.pop()),
                    [.., before, _tip] if before.node == node => rings.truncate(rings.len() - 2),
                    _ => {}
                }
                rings.push(RingCorner { polygon, side, node });
            };
            for side in loose.sides(polygon) {
                push(side, side);
                let mut split = heads[side as usize];
                if split == u32::MAX {
                    continue;
                }
                between.clear();
                while split != u32::MAX {
                    between.push(splits[split as usize]);
                    split = splits[split as usize].next;
                }
                between.sort_by(|a, b| a.along.total_cmp(&b.along));
                between.iter().for_each(|split| push(side, split.node));
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
    }

    /// Writes down the polygons with a vertex for each group of nodes.
    fn collect(self) -> Joint {
        let mut joined = Joint { first: vec![0], ..Joint::default() };
        let mut numbers = vec![u32::MAX; self.nodes.parents.len()];
        for ring in self.rings.chunk_by(|a, b| a.polygon == b.polygon) {
            for RingCorner { node, .. } in ring {
                let number = &mut numbers[*node as usize];
                if *number == u32::MAX {
                    *number = joined.vertices.len() as u32;
                    joined.vertices.push(self.place(*node));
                    joined.origins.push(self.polygon(*node));
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

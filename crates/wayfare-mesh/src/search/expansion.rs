//! The expansion of one interval by Polyanya: the intervals behind it, and the turns at its ends.
//!
//! # Cones
//!
//! An interval is kept as the edge it is a part of and a cone: its root and the two vertices that
//! bound the view, all of them corners of the mesh. So each test of left or right concerns three
//! points of the mesh's [raster](crate::space::navmesh::plan). Double precision answers it exactly,
//! without a tolerance. The ends of the interval itself are computed only to estimate lengths.
//!
//! # Turns
//!
//! A path may turn right at the right end of an interval if that is a vertex where the free ground
//! spans more than 180°. If a sweep from there passes 180° before it meets a wall, the turn
//! shortens no path, and is dropped. Else the view is swept at once, polygon by polygon around the
//! vertex, up to the wall. The same is true to the left.
//!
//! A turn that is dropped is not tried again from the same direction, and its path stays known.
//! That is sound since nothing was kept within its sweep: a turn without a wall is not swept, and
//! one without an interval has no turn with an interval in its sweep.
//!
//! An edge on one line with the root is not seen at all, but a path may go along it and turn across
//! it at its nearer end. Such a turn is made where the edge is met.
//!
//! # Beaten intervals
//!
//! Let `v` be an end of the edge that an interval is a part of, and let a path of length `U` reach
//! it. Along the edge away from `v`, the path by `v` grows by a metre per metre, and the straight
//! path from the interval's root by no more. So if the path by `v` is the shorter one at the end of
//! the interval far from `v`, it is shorter on all of the interval: no shortest path passes it, and
//! it is skipped. A shortest path passes no point with a shorter path to it, so none of its
//! intervals is skipped.
//!
//! # Polygons that are not quite convex
//!
//! Where a neighbour's corner lies on a slanting edge, single floats round it to one side, and the
//! polygon may have a dent there. A root nearly on one line with such an edge can see its back: the
//! corner that should come last, counter-clockwise, comes first. The ground behind is not seen, and
//! the path turns at the visible end. So every cone that is generated is open: its edge faces the
//! root, the old cone is open, and they overlap. Along each of its rays an edge lies farther away
//! than the one before it, so that no chain of intervals comes round.
//!
//! A root almost on one line with its edge has a cone of almost 180 degrees. Then a dent may put
//! the left end of an edge more than 180 degrees to the left of the right bound, which a turn alone
//! cannot tell from its right. Whether the edge faces the root does.

use glam::{DVec2, Vec2};

use super::scratch::{MeshScratch, NONE, Node, Root, Way};
use crate::navmesh::build::NO_TWIN;
use crate::navmesh::plan::turn;
use crate::navmesh::{Corner, NO_FAN, NavMeshSpace, Span};

/// The best known path to the goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Best {
    pub(super) length: f64,
    /// The node that enters the polygon of the goal.
    pub(super) node: u32,
    /// The corner where the path turns before it goes straight to the goal; [`NONE`]: at the root.
    pub(super) corner: u32,
}

impl Best {
    pub(super) const NONE: Self = Self { length: f64::INFINITY, node: NONE, corner: NONE };
}

/// The square of the angle, in radians, below which a cone is thin: rounding moves corners seen
/// from afar by far less.
const THIN: f64 = 1e-8;

/// The number of nodes on the heap from which on [beaten](Expansion::is_beaten) intervals are
/// looked for before they get there, not only when they are popped. In small searches that costs
/// more than it saves.
const CROWDED: usize = 100;

/// Lengths below others by this ratio are shorter for any roundings.
const SURELY: f64 = 1.0 - 1e-9;

/// A search at work: the mesh, its memory and its goal.
pub(super) struct Expansion<'a> {
    pub(super) space: &'a NavMeshSpace<'a>,
    corners: &'a [Corner],
    pub(super) scratch: &'a mut MeshScratch,
    pub(super) goal: DVec2,
    pub(super) goal_polygon: u32,
    pub(super) best: &'a mut Best,
}

/// Returns the direction from a root to a bound of its view.
#[inline(always)]
pub(super) fn direction(root: &Root, bound: Vec2) -> DVec2 {
    if bound == root.place {
        root.place.as_dvec2() - root.before.as_dvec2()
    } else {
        bound.as_dvec2() - root.place.as_dvec2()
    }
}

impl<'a> Expansion<'a> {
    #[inline(always)]
    pub(super) fn new(
        space: &'a NavMeshSpace<'a>,
        scratch: &'a mut MeshScratch,
        goal: DVec2,
        goal_polygon: u32,
        best: &'a mut Best,
    ) -> Self {
        Self { space, corners: &space.layer.corners, scratch, goal, goal_polygon, best }
    }

    #[inline(always)]
    fn next(&self, corner: u32) -> u32 {
        self.space.mesh().tables.next(corner)
    }

    #[inline(always)]
    fn place(&self, corner: u32) -> DVec2 {
        self.corners[corner as usize].place()
    }

    /// Generates the intervals that the start sees, from all polygons that it touches.
    ///
    /// Returns whether the goal lies in one of these: then the straight line is the path.
    pub(super) fn begin(&mut self, start: Vec2, polygon: u32) -> bool {
        let root = Root { place: start, before: start, g: 0.0, corner: NONE, parent: NONE };
        self.scratch.roots.push(root);
        let at = start.as_dvec2();
        self.scratch.begin_round(self.space.mesh().bound());
        self.scratch.see(polygon);
        self.scratch.links.push((polygon, NONE));
        let mut seen = 0;
        while let Some(&(polygon, _)) = self.scratch.links.get(seen) {
            seen += 1;
            self.scratch.look(polygon);
            if polygon == self.goal_polygon {
                return true;
            }
            let span = self.space.mesh().tables.spans[polygon as usize];
            for corner in span.begin..span.end {
                let ahead = span.next(corner);
                let (a, b) = (self.place(corner), self.place(ahead));
                if turn(at, a, b) > 0.0 {
                    let edge = [b.as_vec2(), a.as_vec2()];
                    self.generate([corner, ahead], [0, NONE], edge);
                } else if (a - at).dot(b - at) <= 0.0 {
                    // The start lies on this edge.
                    let Corner { twin, beyond, block, .. } = self.corners[corner as usize];
                    if twin != NO_TWIN && self.scratch.allows(block) && self.scratch.see(beyond) {
                        self.scratch.links.push((beyond, twin));
                    }
                } else if (a - at).length_squared() < (b - at).length_squared() {
                    self.turn(corner, 0, NONE, Way::Right);
                } else {
                    self.turn(ahead, 0, NONE, Way::Left);
                }
            }
        }
        false
    }

    /// Generates the intervals behind a node.
    #[inline]
    pub(super) fn expand(&mut self, index: u32) {
        let node = self.scratch.nodes[index as usize];
        let span = self.space.mesh().tables.spans[node.polygon as usize];
        if !span.is_bent {
            self.expand_convex(index, &node, span);
        } else if !self.comes_back(index) {
            self.expand_bent(index, &node, span);
        }
    }

    /// Generates the intervals behind a node in a convex polygon.
    ///
    /// From the right end of the entry counter-clockwise to its left end, the corners lie first to
    /// the right of the right bound, then between the bounds, then to the left of the left one.
    #[inline]
    fn expand_convex(&mut self, index: u32, node: &Node, Span { begin, end, .. }: Span) {
        let corners = self.corners;
        let own = &corners[begin as usize..end as usize];
        let ahead = |at: usize| if at + 1 == own.len() { 0 } else { at + 1 };
        let entry = (node.corner - begin) as usize;
        let root = self.scratch.roots[node.root as usize];
        let eye = root.place.as_dvec2();
        let (to_left, to_right) = (direction(&root, node.left), direction(&root, node.right));
        let mut i = ahead(entry);
        let mut i_right = to_right.perp_dot(node.edge[1].as_dvec2() - eye);
        let mut j = ahead(i);
        let mut to_j = own[j].place() - eye;
        while i != entry {
            let j_right = to_right.perp_dot(to_j);
            if j_right > 0.0 {
                break;
            }
            if i_right == 0.0 {
                self.turn(begin + i as u32, node.root, index, Way::Right);
            }
            (i, i_right, j) = (j, j_right, ahead(j));
            to_j = own[j].place() - eye;
        }
        let mut right = if i_right >= 0.0 { own[i].flat() } else { node.right };
        let mut j_left = 0.0;
        while i != entry {
            j_left = to_left.perp_dot(to_j);
            let left = if j_left <= 0.0 { own[j].flat() } else { node.left };
            let ends = [i, j].map(|end| begin + end as u32);
            self.generate(ends, [node.root, index], [left, right]);
            (i, right) = (j, own[j].flat());
            if j_left >= 0.0 {
                break;
            }
            j = ahead(j);
            to_j = own[j].place() - eye;
        }
        // Corners on the left bound are consecutive, and one of them is an end.
        let is_along = |at: Vec2| to_left.perp_dot(at.as_dvec2() - eye) == 0.0;
        if j_left == 0.0 || is_along(node.edge[0]) {
            while i != entry {
                i = ahead(i);
                if is_along(own[i].flat()) {
                    self.turn(begin + i as u32, node.root, index, Way::Left);
                }
            }
        }
    }

    /// Generates the intervals behind a node in a polygon that is not quite convex.
    #[inline(never)]
    fn expand_bent(&mut self, index: u32, node: &Node, span: Span) {
        let Node { corner: entry, root: root_index, left, right, .. } = *node;
        let root = self.scratch.roots[root_index as usize];
        let eye = root.place.as_dvec2();
        let (to_left, to_right) = (direction(&root, left), direction(&root, right));
        // From the right end of the entry counter-clockwise to its left end. Above zero: to the
        // left of the bound.
        let entry_right = span.next(entry);
        let mut i = entry_right;
        let mut offset = self.place(i) - eye;
        let (mut i_right, mut i_left) = (to_right.perp_dot(offset), to_left.perp_dot(offset));
        while i != entry {
            let j = span.next(i);
            let before = std::mem::replace(&mut offset, self.place(j) - eye);
            let (j_right, j_left) = (to_right.perp_dot(offset), to_left.perp_dot(offset));
            if i_right == 0.0 && j_right <= 0.0 {
                self.turn(i, root_index, index, Way::Right);
            }
            let faces = before.perp_dot(offset) > 0.0;
            let edge = [self.corners[j as usize].flat(), self.corners[i as usize].flat()];
            if j_right > 0.0 && i_left < 0.0 {
                // The edge lies between the bounds at least in part.
                if faces {
                    let right = if i_right >= 0.0 { edge[1] } else { right };
                    let left = if j_left <= 0.0 { edge[0] } else { left };
                    self.generate([i, j], [root_index, index], [left, right]);
                } else if before.length_squared() < offset.length_squared() {
                    self.turn(i, root_index, index, Way::Right);
                } else {
                    self.turn(j, root_index, index, Way::Left);
                }
            } else if i_left >= 0.0 && j_left < 0.0 && j_right > 0.0 {
                if faces {
                    // The right end lies more than 180 degrees to the right of the left bound.
                    self.generate([i, j], [root_index, index], [edge[0], right]);
                } else if i_left == 0.0 && before.length_squared() < offset.length_squared() {
                    self.turn(i, root_index, index, Way::Right);
                } else {
                    self.turn(j, root_index, index, Way::Left);
                }
            } else if j_right <= 0.0 && i_right > 0.0 && i_left < 0.0 {
                if faces {
                    // The left end lies more than 180 degrees to the left of the right bound.
                    self.generate([i, j], [root_index, index], [left, edge[1]]);
                } else if j_right == 0.0 && offset.length_squared() < before.length_squared() {
                    self.turn(j, root_index, index, Way::Left);
                } else {
                    self.turn(i, root_index, index, Way::Right);
                }
            }
            if j_left == 0.0 && i_left >= 0.0 {
                self.turn(j, root_index, index, Way::Left);
            }
            (i, i_right, i_left) = (j, j_right, j_left);
        }
    }

    /// Returns whether a root sees the polygon of a node through the polygon itself.
    ///
    /// A ray enters a convex polygon once. Where a corner points inwards by a rounding, a ray may
    /// leave around the corner and come back, and would do so forever, always through the same
    /// polygons. The loss is as thin as the rounding.
    #[inline(never)]
    pub(super) fn comes_back(&self, index: u32) -> bool {
        let nodes = &self.scratch.nodes;
        let Node { polygon, root, parent, .. } = nodes[index as usize];
        let mut at = parent;
        while at != NONE && nodes[at as usize].root == root {
            if nodes[at as usize].polygon == polygon {
                return true;
            }
            at = nodes[at as usize].parent;
        }
        false
    }

    /// Returns whether intervals are looked at for beaten ones as they are generated. Fields are
    /// not: the roots of their beaten intervals have polygons around them.
    #[inline(always)]
    fn is_crowded(&self) -> bool {
        self.scratch.open() >= CROWDED && self.goal_polygon != NONE
    }

    /// Returns whether a known path by an end of a node's edge is shorter than the node on all of
    /// its interval.
    #[inline]
    pub(super) fn is_beaten(&self, index: u32) -> bool {
        let node = &self.scratch.nodes[index as usize];
        let next = self.space.mesh().tables.spans[node.polygon as usize].next(node.corner);
        self.is_beaten_in(node, [node.corner, next].map(|end| self.corners[end as usize].fan))
    }

    /// Returns the same, given the fans at the ends of the edge, left and right.
    #[inline]
    fn is_beaten_in(&self, node: &Node, fans: [u32; 2]) -> bool {
        let root = &self.scratch.roots[node.root as usize];
        let [left, right] = node.edge;
        self.is_beaten_by(root, node, fans[0], [left, node.right])
            || self.is_beaten_by(root, node, fans[1], [right, node.left])
    }

    /// Returns whether a known path by a corner at one end of an edge is shorter as far as the view
    /// past a bound.
    #[inline(always)]
    fn is_beaten_by(&self, root: &Root, node: &Node, fan: u32, [at, bound]: [Vec2; 2]) -> bool {
        let known = self.scratch.known(fan);
        let (eye, at) = (root.place.as_dvec2(), at.as_dvec2());
        // A path by the corner that is not shorter there is shorter nowhere.
        let more = known - root.g;
        if more > 0.0 && more * more >= (at - eye).length_squared() * SURELY {
            return false;
        }
        let [left, right] = node.edge.map(Vec2::as_dvec2);
        let far = self.hit(root, bound, left, right);
        known + (far - at).length() < (root.g + (far - eye).length()) * SURELY
    }

    /// Generates the interval of an edge that a root sees between two bounds, if the edge can be
    /// passed. The edge runs from corner `i` to corner `j`.
    #[inline(always)]
    fn generate(&mut self, [i, j]: [u32; 2], [root, parent]: [u32; 2], [left, right]: [Vec2; 2]) {
        let [first, second] = [i, j].map(|end| self.corners[end as usize]);
        let Corner { twin, beyond: polygon, block, .. } = first;
        if twin == NO_TWIN || !self.scratch.allows(block) {
            return;
        }
        let edge = [second.flat(), first.flat()];
        let node = Node { corner: twin, polygon, root, parent, edge, left, right };
        if self.is_crowded() && self.is_beaten_in(&node, [second.fan, first.fan]) {
            return;
        }
        let index = self.scratch.nodes.len() as u32;
        self.scratch.nodes.push(node);
        if polygon == self.goal_polygon {
            // Nothing is generated behind it: a path that has entered the goal's polygon stays
            // there.
            let is_better = self.arrive(index);
            if !is_better {
                self.scratch.nodes.pop();
            }
        }
    }

    /// Goes from an interval at the edge of the goal's polygon to the goal. Returns whether that is
    /// the shortest known path.
    #[inline(never)]
    fn arrive(&mut self, index: u32) -> bool {
        let Node { corner, root, left, right, .. } = self.scratch.nodes[index as usize];
        let root = &self.scratch.roots[root as usize];
        let eye = root.place.as_dvec2();
        let to_goal = self.goal - eye;
        let is_past_right = direction(root, right).perp_dot(to_goal) < 0.0;
        let is_past_left = direction(root, left).perp_dot(to_goal) > 0.0;
        let (length, turned) = if is_past_right || is_past_left {
            // Around either end that is a vertex: the nearer one. But if the goal lies on this edge
            // and the root nearly on one line with it, rounding may have told the wrong side.
            let around = |bound: Vec2, corner: u32| {
                (bound == self.corners[corner as usize].flat()).then(|| {
                    let bend = bound.as_dvec2();
                    ((bend - eye).length() + (self.goal - bend).length(), corner)
                })
            };
            let (by_left, by_right) = (around(left, corner), around(right, self.next(corner)));
            match (by_left, by_right) {
                (Some(by_left), Some(by_right)) if by_left.0 < by_right.0 => by_left,
                (_, Some(by_right)) => by_right,
                (Some(by_left), None) => by_left,
                (None, None) => return false,
            }
        } else {
            (to_goal.length(), NONE)
        };
        let length = root.g + length;
        let is_better = length < self.best.length;
        if is_better {
            *self.best = Best { length, node: index, corner: turned };
        }
        is_better
    }

    /// Goes straight to the goal from a root that is a corner of the goal's polygon, which is
    /// entered by the edge with that twin.
    fn arrive_by_spoke(&mut self, twin: u32, root: u32, parent: u32) {
        let Root { place, g, .. } = self.scratch.roots[root as usize];
        let length = g + (self.goal - place.as_dvec2()).length();
        if length < self.best.length {
            let index = self.scratch.nodes.len() as u32;
            let polygon = self.goal_polygon;
            let edge = [twin, self.next(twin)].map(|end| self.corners[end as usize].flat());
            let [left, right] = [place, place];
            let node = Node { corner: twin, polygon, root, parent, edge, left, right };
            self.scratch.nodes.push(node);
            *self.best = Best { length, node: index, corner: NONE };
        }
    }

    /// Turns at a corner of the polygon that the path is in when it comes there, if a path may.
    #[inline(always)]
    fn turn(&mut self, corner: u32, root: u32, parent: u32, way: Way) {
        let fan = self.corners[corner as usize].fan;
        if fan != NO_FAN {
            self.turn_in(fan, corner, root, parent, way);
        }
    }

    /// Turns at a corner in its fan.
    #[inline(never)]
    fn turn_in(&mut self, fan: u32, corner: u32, root: u32, parent: u32, way: Way) {
        let before = self.scratch.roots[root as usize];
        let place = self.corners[corner as usize].flat();
        if place == before.place {
            return; // the root, seen around a dent
        }
        let g = before.g + (place.as_dvec2() - before.place.as_dvec2()).length();
        // Known before the sweep, so turns within the sweep do not come back here.
        let Some(number) = self.scratch.reach(fan, g, [before.place, place], way) else {
            return;
        };
        let nodes = self.scratch.nodes.len();
        let way_on = place.as_dvec2() - before.place.as_dvec2();
        if self.meets_wall(corner, way_on, way) {
            let turned = self.scratch.roots.len() as u32;
            self.scratch.roots.push(Root { place, before: before.place, g, corner, parent: root });
            match way {
                Way::Right => self.sweep_right(corner, turned, parent),
                Way::Left => self.sweep_left(corner, turned, parent),
            }
            if self.scratch.nodes.len() > nodes {
                return;
            }
            // Without a node none of the turns within the sweep was kept either.
            self.scratch.roots.truncate(turned as usize);
        }
        self.scratch.drop_turn(number);
    }

    /// Returns whether a sweep around a vertex, from a corner on and away from the straight
    /// continuation, comes to a wall within 180°. If not, no path is shorter by turning there.
    fn meets_wall(&mut self, corner: u32, way_on: DVec2, way: Way) -> bool {
        let tables = &self.space.mesh().tables;
        let eye = self.place(corner);
        let mut at = corner;
        loop {
            let polygon = tables.owners[at as usize];
            self.scratch.look(polygon);
            let span = tables.spans[polygon as usize];
            let (spoke, crossed) = match way {
                Way::Right => (span.next(at), at),
                Way::Left => (span.previous(at), span.previous(at)),
            };
            let spoke = self.place(spoke) - eye;
            let side = match way {
                Way::Right => way_on.perp_dot(spoke),
                Way::Left => -way_on.perp_dot(spoke),
            };
            if side > 0.0 {
                return false;
            }
            let Corner { twin, beyond, block, .. } = self.corners[crossed as usize];
            if twin == NO_TWIN {
                return true;
            }
            if side == 0.0 && way_on.dot(spoke) < 0.0 {
                return false;
            }
            if !self.scratch.allows(block) || beyond == self.goal_polygon {
                return true;
            }
            at = match way {
                Way::Right => tables.next(twin),
                Way::Left => twin,
            };
            if at == corner {
                return false;
            }
        }
    }

    /// Generates the view of a root to the right of the straight continuation, from a corner at its
    /// vertex clockwise to the [wall](Self::meets_wall).
    fn sweep_right(&mut self, corner: u32, root_index: u32, parent: u32) {
        let root = self.scratch.roots[root_index as usize];
        let eye = root.place.as_dvec2();
        let way_on = eye - root.before.as_dvec2();
        let tables = &self.space.mesh().tables;
        let (mut at, mut polygon) = (corner, tables.owners[corner as usize]);
        loop {
            let span = tables.spans[polygon as usize];
            let is_first = at == corner;
            let stop = span.previous(at);
            let spoke = span.next(at);
            let mut i = spoke;
            while i != stop {
                let j = span.next(i);
                let (a, b) = (self.place(i), self.place(j));
                // In the first polygon only the part to the right of the straight continuation.
                if is_first && way_on.perp_dot(a - eye) >= 0.0 {
                    if !span.is_bent {
                        break;
                    }
                    // A dent ahead may reach back across the straight continuation.
                    let side = way_on.perp_dot(b - eye);
                    if side < 0.0 || side == 0.0 && way_on.dot(b - eye) > 0.0 {
                        self.turn(j, root_index, parent, Way::Left);
                    }
                    i = j;
                    continue;
                }
                let is_cut = is_first && way_on.perp_dot(b - eye) > 0.0;
                let left = if is_cut { root.place } else { b.as_vec2() };
                self.see(i, j, eye, root_index, parent, left, a.as_vec2());
                i = j;
            }
            let Corner { twin, beyond, block, .. } = self.corners[at as usize];
            if twin == NO_TWIN || !self.scratch.allows(block) {
                return;
            }
            if beyond == self.goal_polygon {
                return self.arrive_by_spoke(twin, root_index, parent);
            }
            polygon = beyond;
            at = tables.spans[polygon as usize].next(twin);
        }
    }

    /// Like [`sweep_right`](Self::sweep_right), to the left and counter-clockwise.
    fn sweep_left(&mut self, corner: u32, root_index: u32, parent: u32) {
        let root = self.scratch.roots[root_index as usize];
        let eye = root.place.as_dvec2();
        let way_on = eye - root.before.as_dvec2();
        let tables = &self.space.mesh().tables;
        let (mut at, mut polygon) = (corner, tables.owners[corner as usize]);
        loop {
            let span = tables.spans[polygon as usize];
            let is_first = at == corner;
            let stop = span.next(at);
            let spoke = span.previous(at);
            let mut j = spoke;
            while j != stop {
                let i = span.previous(j);
                let (a, b) = (self.place(i), self.place(j));
                if is_first && way_on.perp_dot(b - eye) <= 0.0 {
                    if !span.is_bent {
                        break;
                    }
                    let side = way_on.perp_dot(a - eye);
                    if side > 0.0 || side == 0.0 && way_on.dot(a - eye) > 0.0 {
                        self.turn(i, root_index, parent, Way::Right);
                    }
                    j = i;
                    continue;
                }
                let is_cut = is_first && way_on.perp_dot(a - eye) < 0.0;
                let right = if is_cut { root.place } else { a.as_vec2() };
                self.see(i, j, eye, root_index, parent, b.as_vec2(), right);
                j = i;
            }
            let Corner { twin, beyond, block, .. } = self.corners[spoke as usize];
            if twin == NO_TWIN || !self.scratch.allows(block) {
                return;
            }
            if beyond == self.goal_polygon {
                return self.arrive_by_spoke(twin, root_index, parent);
            }
            (at, polygon) = (twin, beyond);
        }
    }

    /// Generates the interval of an edge from corner `i` to corner `j` of a polygon that the root
    /// is a corner of. On an edge on one line with the root, turns at the nearer end.
    #[expect(clippy::too_many_arguments, reason = "an inlined part of the two sweeps")]
    #[inline(always)]
    fn see(&mut self, i: u32, j: u32, eye: DVec2, root: u32, parent: u32, left: Vec2, right: Vec2) {
        let (a, b) = (self.place(i), self.place(j));
        if turn(eye, a, b) > 0.0 {
            self.generate([i, j], [root, parent], [left, right]);
        } else if (a - eye).length_squared() < (b - eye).length_squared() {
            self.turn(i, root, parent, Way::Right);
        } else {
            self.turn(j, root, parent, Way::Left);
        }
    }

    /// Returns the ends of a node's interval, left and right.
    pub(super) fn ends(&self, node: &Node) -> (DVec2, DVec2) {
        let root = &self.scratch.roots[node.root as usize];
        let [a, b] = node.edge.map(Vec2::as_dvec2);
        (self.hit(root, node.left, a, b), self.hit(root, node.right, a, b))
    }

    /// Returns where the view past a bound meets the edge from `a` to `b`.
    #[inline(always)]
    fn hit(&self, root: &Root, bound: Vec2, a: DVec2, b: DVec2) -> DVec2 {
        let exact = bound.as_dvec2();
        if exact == a || exact == b {
            return exact;
        }
        let (eye, direction) = (root.place.as_dvec2(), direction(root, bound));
        let edge = b - a;
        let across = direction.perp_dot(edge);
        if across == 0.0 { a } else { eye + direction * ((a - eye).perp_dot(edge) / across) }
    }

    /// Returns a lower bound of the length of a path through a node: straight from the root to the
    /// interval and on to the goal, or to its mirror image if that lies on this side of the edge.
    #[inline]
    pub(super) fn estimate(&self, index: u32) -> f64 {
        let node = &self.scratch.nodes[index as usize];
        let root = &self.scratch.roots[node.root as usize];
        let eye = root.place.as_dvec2();
        let [a, b] = node.edge.map(Vec2::as_dvec2);
        let mut goal = self.goal;
        let behind = turn(a, b, goal);
        if behind < 0.0 {
            let edge = b - a;
            // The left normal of the edge is (-y, x).
            goal += DVec2::new(-edge.y, edge.x) * (-2.0 * behind / edge.length_squared());
        }
        let to_goal = goal - eye;
        let (to_right, to_left) = (direction(root, node.right), direction(root, node.left));
        let is_past_right = to_right.perp_dot(to_goal) < 0.0;
        if !is_past_right && to_left.perp_dot(to_goal) <= 0.0 {
            return root.g + to_goal.length();
        }
        let by = |bound: Vec2| {
            let bend = self.hit(root, bound, a, b);
            (bend - eye).length() + (goal - bend).length()
        };
        let length = by(if is_past_right { node.right } else { node.left });
        // In a cone this thin, rounding may have told the wrong side.
        let width = to_right.perp_dot(to_left);
        let is_thin = width * width < THIN * to_right.length_squared() * to_left.length_squared();
        let other = || by(if is_past_right { node.left } else { node.right });
        root.g + if is_thin { length.min(other()) } else { length }
    }
}

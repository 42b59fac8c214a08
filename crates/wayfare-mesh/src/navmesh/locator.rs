//! The spatial index of a mesh: a tree of boxes around polygons.
//!
//! Polygons are sorted into halves along the longer side of their box until four or fewer are left.
//! O(n log n) to build; a point is found in O(log n) where boxes overlap little.

use glam::{Vec2, Vec3};

/// The most polygons in a leaf.
const LEAF: usize = 4;

/// A box as seen from above, in x and z.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rectangle {
    pub(crate) lower: Vec2,
    pub(crate) upper: Vec2,
}

impl Rectangle {
    const NOTHING: Self = Self { lower: Vec2::INFINITY, upper: Vec2::NEG_INFINITY };

    /// Returns the box around points.
    pub(crate) fn around(points: impl Iterator<Item = Vec3>) -> Self {
        points.fold(Self::NOTHING, |Self { lower, upper }, point| {
            let point = Vec2::new(point.x, point.z);
            Self { lower: lower.min(point), upper: upper.max(point) }
        })
    }

    fn with(self, other: Self) -> Self {
        Self { lower: self.lower.min(other.lower), upper: self.upper.max(other.upper) }
    }

    #[inline]
    pub(super) fn has(&self, point: Vec2) -> bool {
        point.cmpge(self.lower).all() && point.cmple(self.upper).all()
    }

    /// Returns the square of the distance from a point.
    #[inline]
    fn distance_squared(&self, point: Vec2) -> f32 {
        (point - point.clamp(self.lower, self.upper)).length_squared()
    }
}

/// A node of the tree. The left child follows its parent.
#[derive(Clone, Copy, Debug)]
struct Branch {
    rectangle: Rectangle,
    /// The right child; of a leaf the first polygon.
    next: u32,
    /// The count of polygons of a leaf; 0 for a branch.
    count: u32,
}

/// A tree of the boxes around polygons.
#[derive(Clone, Debug, Default)]
pub(crate) struct Locator {
    branches: Vec<Branch>,
    /// The polygons of the leaves, with their boxes.
    polygons: Vec<(u32, Rectangle)>,
    /// The pieces of each cut polygon: lists by index. Empty if none was cut.
    cut: Vec<u32>,
    pieces: Vec<Vec<u32>>,
}

/// No list of pieces: the polygon is whole.
const WHOLE: u32 = u32::MAX;

impl Locator {
    /// Returns a tree of boxes, each for the polygon of its index.
    pub(super) fn build(boxes: &[Rectangle]) -> Self {
        let polygons = (0..).zip(boxes.iter().copied()).collect();
        let mut tree = Self { polygons, ..Self::default() };
        if boxes.is_empty() {
            return tree;
        }
        // Parts still to be divided, with the branch whose right child each is.
        let mut parts = vec![(0, boxes.len(), None)];
        while let Some((begin, end, parent)) = parts.pop() {
            let index = tree.branches.len() as u32;
            if let Some(parent) = parent {
                tree.branches[parent as usize].next = index;
            }
            let part = &mut tree.polygons[begin..end];
            let around = part.iter().fold(Rectangle::NOTHING, |sum, &(_, own)| sum.with(own));
            if part.len() <= LEAF {
                part.sort_unstable_by_key(|&(polygon, _)| polygon);
                let count = part.len() as u32;
                tree.branches.push(Branch { rectangle: around, next: begin as u32, count });
                continue;
            }
            let size = around.upper - around.lower;
            let middle_of = |(_, own): &(u32, Rectangle)| {
                let sum = own.lower + own.upper;
                if size.x >= size.y { sum.x } else { sum.y }
            };
            let half = part.len() / 2;
            part.select_nth_unstable_by(half, |a, b| {
                middle_of(a).total_cmp(&middle_of(b)).then(a.0.cmp(&b.0))
            });
            tree.branches.push(Branch { rectangle: around, next: 0, count: 0 });
            parts.push((begin + half, end, Some(index)));
            parts.push((begin, begin + half, None));
        }
        tree
    }

    /// Visits the polygons whose box contains a point.
    #[inline]
    pub(crate) fn at(&self, point: Vec2, mut visit: impl FnMut(u32)) {
        let mut stack = [0_u32; 64];
        let mut depth = usize::from(!self.branches.is_empty());
        while depth > 0 {
            depth -= 1;
            let index = stack[depth];
            let branch = &self.branches[index as usize];
            if !branch.rectangle.has(point) {
                continue;
            }
            if branch.count == 0 {
                stack[depth] = branch.next;
                stack[depth + 1] = index + 1;
                depth += 2;
            } else {
                let begin = branch.next as usize;
                for (polygon, own) in &self.polygons[begin..begin + branch.count as usize] {
                    if !own.has(point) {
                        continue;
                    }
                    match self.cut.get(*polygon as usize) {
                        Some(&list) if list != WHOLE => {
                            self.pieces[list as usize].iter().copied().for_each(&mut visit);
                        }
                        _ => visit(*polygon),
                    }
                }
            }
        }
    }

    /// Visits polygons whose box comes within a distance of a point, nearer boxes first where it is
    /// cheap. `visit` returns the square of the distance that still matters.
    pub(crate) fn near(&self, point: Vec2, distance: f32, mut visit: impl FnMut(u32) -> f32) {
        let mut stack = [0_u32; 64];
        let mut depth = usize::from(!self.branches.is_empty());
        let mut reach = distance * distance;
        while depth > 0 {
            depth -= 1;
            let index = stack[depth];
            let branch = &self.branches[index as usize];
            if branch.rectangle.distance_squared(point) > reach {
                continue;
            }
            if branch.count == 0 {
                let children = [index + 1, branch.next];
                let [left, right] = children
                    .map(|child| self.branches[child as usize].rectangle.distance_squared(point));
                let is_left_nearer = left <= right;
                stack[depth] = children[usize::from(is_left_nearer)];
                stack[depth + 1] = children[usize::from(!is_left_nearer)];
                depth += 2;
            } else {
                let begin = branch.next as usize;
                for (polygon, own) in &self.polygons[begin..begin + branch.count as usize] {
                    if own.distance_squared(point) > reach {
                        continue;
                    }
                    match self.cut.get(*polygon as usize) {
                        Some(&list) if list != WHOLE => {
                            for &piece in &self.pieces[list as usize] {
                                reach = reach.min(visit(piece));
                            }
                        }
                        _ => reach = reach.min(visit(*polygon)),
                    }
                }
            }
        }
    }

    /// Says that a polygon of the tree now consists of `pieces`, which lie in its box. To be called
    /// with itself alone where it is whole again.
    pub(super) fn set_pieces(&mut self, polygon: u32, pieces: impl Iterator<Item = u32>) {
        if self.cut.is_empty() {
            self.cut = vec![WHOLE; self.polygons.len()];
        }
        let list = &mut self.cut[polygon as usize];
        if *list == WHOLE {
            *list = self.pieces.len() as u32;
            self.pieces.push(Vec::new());
        }
        let own = &mut self.pieces[*list as usize];
        own.clear();
        own.extend(pieces);
    }

    /// Returns the pieces of a polygon of the tree: itself alone, if it is whole.
    pub(super) fn pieces(&self, polygon: u32) -> impl Iterator<Item = u32> + '_ {
        let list = self.cut.get(polygon as usize).filter(|&&list| list != WHOLE);
        let whole = list.is_none().then_some(polygon);
        let cut = list.map(|&list| self.pieces[list as usize].iter().copied());
        whole.into_iter().chain(cut.into_iter().flatten())
    }

    /// Returns the memory of the tree, in bytes.
    pub(super) fn size_in_bytes(&self) -> usize {
        let pieces = self.pieces.iter().map(Vec::capacity).sum::<usize>();
        let words = self.cut.capacity() + pieces;
        self.branches.capacity() * size_of::<Branch>()
            + self.polygons.capacity() * size_of::<(u32, Rectangle)>()
            + words * size_of::<u32>()
            + self.pieces.capacity() * size_of::<Vec<u32>>()
    }
}

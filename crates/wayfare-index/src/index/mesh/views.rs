//! Views: for each polygon the bends that see into it.

use glam::DVec2;
use wayfare_mesh::navmesh::NavMeshSpace;

use super::bends::Bends;
use super::sight::{Cone, NONE};

/// A bend that sees a part of a polygon: that between two corners.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct View {
    pub(super) node: u32,
    pub(super) right: u32,
    pub(super) left: u32,
}

impl View {
    /// Returns whether it lies between two of that many corners, or is of a polygon around the
    /// bend.
    pub(super) fn is_among(&self, corners: usize) -> bool {
        let is_corner = |corner: u32| (corner as usize) < corners;
        [self.right, self.left] == [NONE; 2] || (is_corner(self.right) && is_corner(self.left))
    }
}

/// The views of all polygons, one list after the other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Views {
    first: Vec<u32>,
    views: Vec<View>,
}

impl Views {
    /// The memory of a view in bytes.
    pub(super) const BYTES: usize = size_of::<View>();

    /// Sorts the cones of bends, numbered by `names`, by their polygons.
    pub(super) fn new(polygons: usize, cones: &[Vec<Cone>], names: &[u32]) -> Self {
        let mut first = vec![0_u32; polygons + 1];
        for cone in cones.iter().flatten() {
            first[cone.polygon as usize + 1] += 1;
        }
        for polygon in 0..polygons {
            first[polygon + 1] += first[polygon];
        }
        let mut next = first.clone();
        let total = first[polygons] as usize;
        let mut views = vec![View { node: 0, right: NONE, left: NONE }; total];
        let mut by_name: Vec<(u32, &[Cone])> =
            names.iter().copied().zip(cones.iter().map(Vec::as_slice)).collect();
        by_name.sort_unstable_by_key(|(name, _)| *name);
        for (node, cones) in by_name {
            for cone in cones {
                let place = &mut next[cone.polygon as usize];
                views[*place as usize] = View { node, right: cone.right, left: cone.left };
                *place += 1;
            }
        }
        Self { first, views }
    }

    /// Returns no views, with room for the views of that many polygons.
    pub(super) fn with_capacity(polygons: usize, views: usize) -> Self {
        let mut first = Vec::with_capacity(polygons + 1);
        first.push(0);
        Self { first, views: Vec::with_capacity(views) }
    }

    /// Adds a view of the next polygon.
    pub(super) fn push(&mut self, view: View) {
        self.views.push(view);
    }

    /// Ends the views of a polygon: the next one's follow.
    pub(super) fn end_polygon(&mut self) {
        self.first.push(self.views.len() as u32);
    }

    /// Returns the number of polygons.
    pub(super) fn polygons(&self) -> u32 {
        self.first.len().saturating_sub(1) as u32
    }

    /// Returns the views of a polygon.
    #[inline]
    pub(super) fn of(&self, polygon: u32) -> &[View] {
        let polygon = polygon as usize;
        &self.views[self.first[polygon] as usize..self.first[polygon + 1] as usize]
    }

    /// Visits the nodes that see a point of a polygon and at which a path from there may turn, with
    /// their distances.
    #[inline]
    pub(super) fn visit(
        &self,
        space: &NavMeshSpace<'_>,
        bends: &Bends,
        polygon: u32,
        place: DVec2,
        mut visit: impl FnMut(u32, f64),
    ) {
        let corners = &space.layer.corners;
        for view in self.of(polygon) {
            let bend = &bends.all[view.node as usize];
            let eye = bend.place;
            let offset = place - eye;
            if !bend.is_taut(offset) {
                continue;
            }
            let is_seen = view.right == NONE || {
                let to = |corner: u32| corners[corner as usize].place() - eye;
                to(view.right).perp_dot(offset) >= 0.0 && to(view.left).perp_dot(offset) <= 0.0
            };
            if is_seen {
                visit(view.node, offset.length());
            }
        }
    }

    /// Returns the number of views.
    pub(super) fn len(&self) -> usize {
        self.views.len()
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        4 * self.first.capacity() + Self::BYTES * self.views.capacity()
    }
}

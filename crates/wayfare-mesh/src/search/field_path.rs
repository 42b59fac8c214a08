//! Paths along a field.

use wayfare_core::space::StateId;

use super::MeshQuery;
use super::corridor::{bend, cost};
use super::field::{MeshField, connect};
use super::scratch::NONE;
use crate::MeshPath;
use crate::navmesh::{MeshPoint, NavMeshSpace};

impl MeshField {
    /// Returns the shortest path from a point to its nearest source. `None` where there is no
    /// [distance](Self::distance).
    ///
    /// Its length is the sum of the lengths of its legs; it equals the distance up to rounding.
    /// O(polygons crossed + polygons around each turning point).
    #[must_use]
    pub fn path(&self, space: &NavMeshSpace<'_>, point: MeshPoint) -> Option<MeshPath> {
        let (entry, way) = self.way(space, point)?;
        let tables = &space.mesh().tables;
        let mut path = MeshPath::default();
        path.points.push(point);
        path.corridor.push(point.polygon);
        if way.corner != NONE {
            path.points.push(bend(space, way.corner));
        }
        let (mut node, mut root, mut polygon) = (entry.node, entry.root, point.polygon.index());
        loop {
            // Back through the intervals that the root sees.
            while node != NONE && self.nodes[node as usize].root == root {
                let twin = space.layer.corners[self.nodes[node as usize].corner as usize].twin;
                polygon = tables.owners[twin as usize];
                path.corridor.push(StateId::from_index(polygon));
                node = self.nodes[node as usize].parent;
            }
            path.points.push(self.point_of(space, root));
            // Around the root to the polygon where the path turned there.
            let turned = self.roots[root as usize];
            let at = match turned.corner {
                NONE => self.source_of(root)?.point.polygon.index(),
                corner => tables.owners[corner as usize],
            };
            let place = turned.place.as_dvec2();
            connect(space, place, (polygon, at), &mut path.corridor);
            polygon = at;
            if turned.parent == NONE {
                break;
            }
            // The interval behind which the path turned is the parent's, unless it turned in the
            // sweep of the parent: then the parent's own turn comes next.
            node = self.turned_behind[root as usize];
            root = turned.parent;
        }
        path.length = path.measured_length();
        let end = *path.points.last()?;
        path.cost = cost(space, &MeshQuery::new(point, end), &path);
        path.revision = self.revision;
        Some(path)
    }
}

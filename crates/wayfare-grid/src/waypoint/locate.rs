//! Finds waypoints near points of the world.

use glam::Vec3;
use rstar::primitives::GeomWithData;
use rstar::{PointDistance, RTree};

use super::graph::{Status, WaypointGraph};
use super::parts::WaypointId;

/// The positions of waypoints in an R*-tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Index(RTree<GeomWithData<[f32; 3], WaypointId>>);

impl Index {
    /// Returns an index of points; the first has id 0. O(n log n).
    pub(super) fn new(positions: &[Vec3]) -> Self {
        let entries = positions.iter().zip(0..);
        let entries = entries.map(|(p, id)| GeomWithData::new(p.to_array(), WaypointId(id)));
        Self(RTree::bulk_load(entries.collect()))
    }

    pub(super) fn len(&self) -> usize {
        self.0.size()
    }

    pub(super) fn insert(&mut self, position: Vec3, id: WaypointId) {
        self.0.insert(GeomWithData::new(position.to_array(), id));
    }

    pub(super) fn remove(&mut self, position: Vec3, id: WaypointId) {
        self.0.remove(&GeomWithData::new(position.to_array(), id));
    }

    /// Returns the points at exactly this position.
    fn at(&self, position: Vec3) -> impl Iterator<Item = WaypointId> {
        self.0.locate_all_at_point(position.to_array()).map(|entry| entry.data)
    }

    /// Returns all points with their squared distances, the nearest first; ties in ascending order
    /// of id.
    pub(super) fn by_distance(&self, point: Vec3) -> impl Iterator<Item = (WaypointId, f32)> {
        let mut found = self.0.nearest_neighbor_iter(point.to_array()).peekable();
        let distance = move |entry: &GeomWithData<_, _>| entry.distance_2(&point.to_array());
        let mut tied: Vec<WaypointId> = Vec::new();
        let mut at = 0.0;
        std::iter::from_fn(move || {
            if tied.is_empty() {
                let first = found.next()?;
                at = distance(first);
                tied.push(first.data);
                while let Some(next) = found.next_if(|next| distance(next) == at) {
                    tied.push(next.data);
                }
                tied.sort_unstable_by(|a, b| b.cmp(a));
            }
            tied.pop().map(|id| (id, at))
        })
    }
}

/// The condition under which a waypoint stands for a point.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::space::NegativeCosts;
/// use wayfare::space::waypoint::Approach;
///
/// let post = Waypoint::at(Vec3::new(3.0, 0.0, 0.0));
/// let graph = WaypointGraph::new([post], [], NegativeCosts::Reject)?;
/// let here = Vec3::new(1.0, 0.0, 0.0);
/// assert!(graph.locate(here, 5.0, Approach::Any).is_some());
/// assert!(graph.locate(here, 1.0, Approach::Any).is_none()); // too far
/// assert!(graph.locate(here, 5.0, Approach::ClearLine).is_none()); // nothing is known of the ground
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Approach {
    /// It is the nearest.
    #[default]
    Any,
    /// It is the nearest with a clear straight line to the point. The graph needs
    /// [surroundings](WaypointGraph::with_surroundings); without them no line is clear.
    ClearLine,
}

impl WaypointGraph {
    /// Returns the free waypoint nearest to a point in a straight line; ties go to the lower id.
    /// Usually O(log n).
    #[must_use]
    pub fn nearest(&self, point: Vec3) -> Option<WaypointId> {
        self.locate(point, f32::INFINITY, Approach::Any)
    }

    /// Returns the nearest free waypoint within `max_distance` world units that meets the condition
    /// `approach`; ties go to the lower id.
    #[must_use]
    pub fn locate(&self, point: Vec3, max_distance: f32, approach: Approach) -> Option<WaypointId> {
        if !point.is_finite() {
            return None;
        }
        let clear = |id: WaypointId| {
            let position = self.positions[id.0 as usize];
            let surroundings = self.surroundings.as_ref();
            surroundings.is_some_and(|around| around.segment_is_clear(point, position))
        };
        self.index
            .by_distance(point)
            .take_while(|&(_, square)| square.sqrt() <= max_distance)
            .map(|(id, _)| id)
            .filter(|id| self.status[id.0 as usize] == Status::Free)
            .find(|&id| approach == Approach::Any || clear(id))
    }

    /// Returns the waypoint at exactly this position with the lowest id.
    pub(super) fn at(&self, position: Vec3) -> Option<WaypointId> {
        self.index.at(position).min()
    }
}

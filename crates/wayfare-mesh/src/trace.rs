//! Observers of searches on navigation meshes.

use glam::DVec2;
use wayfare_core::hash::Fnv1a;
use wayfare_core::space::StateId;
use wayfare_core::trace::TraceEventKind;

use crate::navmesh::PolygonId;

/// One thing that a search on a navigation mesh did.
///
/// Points are as seen from above: x, and z as y.
///
/// Example: [`MeshTrace`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MeshEvent {
    /// The kind of event.
    pub kind: TraceEventKind,
    /// The polygon that is entered through the interval.
    pub polygon: PolygonId,
    /// The polygon that is left through it; at the start the same.
    pub from: PolygonId,
    /// The turning point, or start, that sees the interval.
    pub root: DVec2,
    /// The end of the interval to the left, as seen from the root.
    pub left: DVec2,
    /// The end of the interval to the right.
    pub right: DVec2,
    /// The length of the path as far as the root.
    pub g: f64,
    /// The length of the shortest path from the root, through the interval and then straight to the
    /// goal.
    pub h: f64,
}

/// Hears every event of a search on a navigation mesh. `()` hears nothing and compiles away.
///
/// Example: [`MeshTrace`].
pub trait MeshObserver {
    /// Whether it listens: if not, no event is made.
    const LISTENS: bool = true;

    /// Takes in one event.
    fn observe(&mut self, event: MeshEvent);
}

impl MeshObserver for () {
    const LISTENS: bool = false;

    #[inline(always)]
    fn observe(&mut self, _event: MeshEvent) {}
}

/// Every event of a search on a navigation mesh, in order.
///
/// Two runs of one query give the same trace, sliced or whole.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::{MeshQuery, MeshScratch, MeshSearch, Polyanya};
/// use wayfare::space::navmesh::{AreaId, HeightReach, MeshDraft, NavMesh};
/// use wayfare::trace::{MeshEvent, MeshObserver};
///
/// // Two squares side by side.
/// let places = [[0.0, 0.0], [0.0, 2.0], [2.0, 2.0], [2.0, 0.0], [4.0, 2.0], [4.0, 0.0]];
/// let mut draft = MeshDraft::new(places.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec());
/// draft.push(&[0, 1, 2, 3], AreaId::WALKABLE);
/// draft.push(&[3, 2, 4, 5], AreaId::WALKABLE);
/// let mesh = NavMesh::new(draft)?;
/// let space = mesh.space();
/// let at = |x, z| space.locate(Vec3::new(x, 0.0, z), HeightReach::default()).unwrap();
/// let query = MeshQuery::new(at(0.5, 1.0), at(3.5, 1.0));
/// let mut scratch = MeshScratch::new();
/// let [first, second] = [(); 2].map(|()| {
///     let mut trace = wayfare::trace::MeshTrace::default();
///     Polyanya.search(query).finish(&space, &mut scratch, &mut trace);
///     trace
/// });
/// assert!(!first.events.is_empty());
/// assert_eq!(first.hash(), second.hash());
///
/// /// The longest way that was looked at.
/// struct Longest(f64);
/// impl MeshObserver for Longest {
///     fn observe(&mut self, event: MeshEvent) {
///         self.0 = self.0.max(event.g + event.h);
///     }
/// }
/// let mut longest = Longest(0.0);
/// Polyanya.search(query).finish(&space, &mut scratch, &mut longest);
/// assert_eq!(longest.0, 3.0);
/// # Ok::<(), wayfare::space::navmesh::NavMeshError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MeshTrace {
    /// The events, oldest first.
    pub events: Vec<MeshEvent>,
}

impl MeshTrace {
    /// Returns a hash of all events that is the same on every run and target.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = Fnv1a::default();
        for event in &self.events {
            hash.word(event.kind as u64);
            hash.word(u64::from(event.polygon.index()) << 32 | u64::from(event.from.index()));
            for place in [event.root, event.left, event.right] {
                hash.word(place.x.to_bits());
                hash.word(place.y.to_bits());
            }
            hash.word(event.g.to_bits());
            hash.word(event.h.to_bits());
        }
        hash.value()
    }

    /// Returns the number of expansions.
    #[must_use]
    pub fn expansions(&self) -> usize {
        self.events.iter().filter(|event| event.kind == TraceEventKind::Expand).count()
    }
}

impl MeshObserver for MeshTrace {
    fn observe(&mut self, event: MeshEvent) {
        self.events.push(event);
    }
}

//! Flight on meshes: where to run from threats.

use std::sync::Arc;

use wayfare_core::search::{FieldError, FleeError, Prospect, Stats};

use super::{MeshField, MeshFieldQuery, mesh_field};
use crate::MeshPath;
use crate::navmesh::{MeshPoint, NavMeshSpace};

/// A question to [`mesh_flee`]: the fugitive, the threats, the lengths.
///
/// Example: [`mesh_flee`].
#[derive(Clone, PartialEq, Debug)]
pub struct MeshFleeQuery {
    /// The point of the fugitive.
    pub start: MeshPoint,
    /// Where the threats are. Threats where this profile cannot stand are skipped: they cannot
    /// move.
    pub threats: Arc<[MeshPoint]>,
    /// The largest length of the flight, in metres. Raising it finds safer refuges at the price of
    /// a longer search.
    pub max_length: f64,
    /// The length in metres from which on all distances from the threats count as alike: out of
    /// reach. Default: infinity.
    pub horizon: f64,
}

impl MeshFleeQuery {
    /// Returns a query to flee from the threats, by at most `max_length` metres.
    #[must_use]
    pub fn new(start: MeshPoint, threats: impl Into<Arc<[MeshPoint]>>, max_length: f64) -> Self {
        Self { start, threats: threats.into(), max_length, horizon: f64::INFINITY }
    }

    /// Returns the same query, with all distances above `length` metres counted as alike.
    #[must_use]
    pub fn horizon(mut self, length: f64) -> Self {
        self.horizon = length;
        self
    }
}

/// The answer of [`mesh_flee`].
///
/// Example: [`mesh_flee`].
#[derive(Clone, PartialEq, Debug)]
pub struct MeshFlight {
    /// The shortest path to the refuge; the start alone for [`Prospect::Unthreatened`] and
    /// [`Prospect::Cornered`].
    pub path: MeshPath,
    /// Why there.
    pub prospect: Prospect,
    /// The length of the nearest threat's path to the refuge; `None` beyond the horizon.
    pub threat_length: Option<f64>,
    /// The counters of both fields together.
    pub stats: Stats,
}

/// A candidate refuge.
#[derive(Clone, Copy, Debug)]
struct Refuge {
    point: MeshPoint,
    own: f64,
    /// Infinite where no threat comes.
    threat: f64,
}

impl Refuge {
    fn is_safe(&self) -> bool {
        self.own < self.threat
    }

    /// Returns whether it is better than another one: safe, then far from threats, then near.
    fn beats(&self, other: &Self) -> bool {
        let by_safety = self.is_safe().cmp(&other.is_safe());
        let by_threat = self.threat.total_cmp(&other.threat);
        by_safety.then(by_threat).then(other.own.total_cmp(&self.own)).is_gt()
    }
}

/// Finds a refuge: the point within a length that is farthest from the threats by the length of
/// *their paths*, as [`flee`](wayfare_core::search::flee) does among states.
///
/// Compares the start, the corners and centres of all polygons within the length, and the points
/// where the length ends on paths to those beyond. So a large polygon may have a better point.
/// Refuges are ranked by safety (the fugitive is there before any threat at the same speed), then
/// by the larger length for the nearest threat, then by the smaller one for the fugitive. If the
/// end of a shortest path is safe, so is every point of it.
///
/// Two [fields](MeshField): O(n log n) for the n intervals of both. Lengths count, not costs.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::{MeshFleeQuery, MeshFlight, Prospect, mesh_flee};
/// use wayfare::space::navmesh::{HeightReach, MeshDraft, NavMesh};
///
/// // The west is a dead end; the way out leads past the threat's side door.
/// let grid = Grid::from_rows(&["...........", "###.#######", "###........"])?;
/// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default()))?;
/// let space = mesh.space();
/// let at = |x, z| space.locate(Vec3::new(x, 0.0, z), HeightReach::default()).unwrap();
/// let query = MeshFleeQuery::new(at(2.5, 0.5), [at(7.5, 0.5)], 12.0);
/// let flight: MeshFlight = mesh_flee(&space, query)?;
/// assert_eq!(flight.prospect, Prospect::Ahead);
/// let refuge = flight.path.places().last().unwrap();
/// assert!(refuge.x == 11.0 && refuge.z >= 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the start is blocked.
pub fn mesh_flee(space: &NavMeshSpace<'_>, query: MeshFleeQuery) -> Result<MeshFlight, FleeError> {
    let MeshFleeQuery { start, threats, max_length, horizon } = query;
    let own = mesh_field(space, MeshFieldQuery::from_points([start]).max_length(max_length))?;
    let stay = |prospect, threat_length, stats| {
        let path = own.path(space, start).unwrap_or_default();
        Ok(MeshFlight { path, prospect, threat_length, stats })
    };
    let threats = MeshFieldQuery::from_points(threats).max_length(horizon);
    let threats = match mesh_field(space, threats) {
        Ok(threats) => threats,
        // No threat can move at all.
        Err(FieldError::NoSource | FieldError::Source(_)) => {
            return stay(Prospect::Unthreatened, None, own.stats());
        }
        Err(error) => return Err(error.into()),
    };
    let (mine, theirs) = (own.stats(), threats.stats());
    let stats = Stats {
        expanded: mine.expanded + theirs.expanded,
        generated: mine.generated + theirs.generated,
        reopened: 0,
        heap_peak: mine.heap_peak.max(theirs.heap_peak),
    };
    let refuge = |point: MeshPoint| {
        let threat = threats.distance(space, point).unwrap_or(f64::INFINITY);
        Some(Refuge { point, own: own.distance(space, point)?, threat })
    };
    let Some(here) = refuge(start) else {
        return stay(Prospect::Cornered, threats.distance(space, start), stats);
    };
    if here.threat == f64::INFINITY {
        return stay(Prospect::Unthreatened, None, stats);
    }
    let best = places(space, &own)
        .filter_map(refuge)
        .fold(here, |best, place| if place.beats(&best) { place } else { best });
    if best.point == start {
        return stay(Prospect::Cornered, Some(here.threat), stats);
    }
    let prospect = match (best.threat == f64::INFINITY, best.is_safe()) {
        (true, _) => Prospect::OutOfReach,
        (_, true) => Prospect::Ahead,
        (_, false) => Prospect::Exposed,
    };
    let mut path = own.path(space, best.point).unwrap_or_default();
    path.points.reverse();
    path.corridor.reverse();
    let threat_length = best.threat.is_finite().then_some(best.threat);
    Ok(MeshFlight { path, prospect, threat_length, stats })
}

/// Returns the candidates within a field, in order of polygon.
fn places<'f>(
    space: &'f NavMeshSpace<'_>,
    own: &'f MeshField,
) -> impl Iterator<Item = MeshPoint> + 'f {
    let mesh = space.mesh();
    own.reached(space).flat_map(move |reached| {
        let polygon = reached.polygon;
        let points = mesh.outline(polygon).chain(std::iter::once(mesh.middle(polygon)));
        points.filter_map(move |place| own.on_way(space, MeshPoint { polygon, place }))
    })
}

//! Builds an index of a mesh.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use glam::DVec2;
use wayfare_core::inside::WordSum;
use wayfare_mesh::navmesh::NavMeshSpace;

use super::bends::Bends;
use super::hubs::{Edges, importance, labels};
use super::sight::Sight;
use super::views::Views;
use super::ways::Ways;
use crate::index::graph::Graph;
use crate::index::labels::{Hub, Stopped};
use crate::index::{IndexProgress, IndexStage, parallel};

/// An index of a navigation mesh: answers queries for shortest paths between points without a
/// search.
///
/// It contains:
/// * the vertices at which a shortest path may turn, the *bends*;
/// * for each bend its lengths to a few hubs, chosen so that any two bends share a hub on a
///   shortest path between them;
/// * for each polygon the bends that see into it.
///
/// A query finds the bends in sight of its two ends and compares their hubs, for a path of any
/// length. A path is as long as that of [`Polyanya`](wayfare_mesh::search::Polyanya), up to the
/// [precision](Self::precision) of each of its legs; of several shortest paths another may be
/// returned.
///
/// **When to use it:** for thousands of queries on the same ground. Obstacles may come and go on it
/// if they leave most paths free: see [`EditedMesh`](super::EditedMesh). **When not:**
/// * where the ground itself changes, since the index is that of one base;
/// * where areas differ in cost;
/// * for bodies that keep a distance from walls which the mesh does not keep already;
/// * on wide ground with very many obstacles, where most corners see each other.
///
/// [`MeshIndexOptions::max_bytes`] limits the size.
///
/// Links are not part of it.
///
/// Time to build: O(s) for the sight of all bends and about O(n · k²) for n bends with k hubs each.
/// Memory: 12 bytes for each bend in sight of each polygon, and for each hub.
///
/// Source: J. Du, B. Shen, M. A. Cheema, "Ultrafast Euclidean Shortest Path Computation using Hub
/// Labeling" (EHL), 2023: hub labels on the corners of obstacles, found by the cells that see
/// these. EHL stores the corners by cells of a grid and tests their visibility; here the polygons
/// of the mesh are the cells, and the cone of each view is exact.
///
/// ```
/// use wayfare::index::{IndexedMesh, MeshIndex, MeshIndexScratch};
/// use wayfare::prelude::*;
/// use wayfare::space::navmesh::{HeightReach, MeshDraft, NavMesh};
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default()))?;
/// let space = mesh.space();
/// let index = MeshIndex::new(&space)?;
/// // Refused where the mesh is not the one that was indexed.
/// let indexed: IndexedMesh<'_> = index.of(&space)?;
/// let at = |x, z| space.locate(Vec3::new(x, 0.0, z), HeightReach::default()).unwrap();
/// let outcome = indexed.path(at(1.5, 0.5), at(3.5, 2.0), &mut MeshIndexScratch::new());
/// let path = outcome.path().unwrap();
/// assert_eq!(path.points[1].place, Vec3::new(3.0, 0.0, 1.0)); // around a corner of the wall
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MeshIndex {
    pub(super) fingerprint: u64,
    pub(super) bends: Bends,
    pub(super) ways: Ways,
    pub(super) views: Views,
    /// The units of cost to a metre: a power of two.
    pub(super) scale: f64,
}

/// Limits on building an index of a mesh.
///
/// ```
/// use wayfare::index::{MeshIndex, MeshIndexError, MeshIndexOptions};
/// use wayfare::prelude::*;
/// use wayfare::space::navmesh::{MeshDraft, NavMesh};
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default()))?;
/// let options = MeshIndexOptions { max_bytes: 1 };
/// let go_on = &mut |_| std::ops::ControlFlow::Continue(());
/// let built = MeshIndex::build(&mesh.space(), options, go_on);
/// assert_eq!(built.err(), Some(MeshIndexError::TooLarge { max_bytes: 1 }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MeshIndexOptions {
    /// The largest size of all views and hubs together, in bytes. Default: 1 GiB. Building stops
    /// with [`MeshIndexError::TooLarge`] above it. Raising it admits meshes with more corners.
    pub max_bytes: usize,
}

impl Default for MeshIndexOptions {
    fn default() -> Self {
        Self { max_bytes: 1 << 30 }
    }
}

/// Why a mesh cannot be indexed.
///
/// Example: [`MeshIndexOptions`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeshIndexError {
    /// Areas that can be entered differ in cost.
    #[error("only meshes of one cost can be indexed, but areas of this mesh differ in cost")]
    NotUniform,
    /// The mesh has no such profile.
    #[error("the mesh has no such profile")]
    NoSuchProfile,
    /// The index would exceed [`MeshIndexOptions::max_bytes`].
    #[error("the index would take more than {max_bytes} bytes: raise the limit, or search instead")]
    TooLarge {
        /// [`MeshIndexOptions::max_bytes`].
        max_bytes: usize,
    },
    /// A bend sees more than 65,535 others, or has as many hubs.
    #[error("a corner of the mesh has more than 65,535 neighbours or hubs")]
    TooDense,
    /// The progress callback stopped the work.
    #[error("building the index was cancelled")]
    Cancelled,
}

/// The index belongs to another mesh or profile, or to this mesh before an edit.
///
/// Example: [`MeshIndex::of`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the index was built for another mesh, another profile, or this mesh before it was edited")]
pub struct OtherMesh;

/// The count of bends whose sight is found between two calls of the progress callback.
const BATCH: usize = 1024;

/// No path between two bends costs more.
pub(super) const FARTHEST: f64 = (1_u64 << 31) as f64;

impl MeshIndex {
    /// Builds the index of a mesh with default [`MeshIndexOptions`].
    ///
    /// # Errors
    /// If the mesh cannot be indexed: see [`MeshIndexError`].
    pub fn new(space: &NavMeshSpace<'_>) -> Result<Self, MeshIndexError> {
        Self::build(space, MeshIndexOptions::default(), &mut |_| ControlFlow::Continue(()))
    }

    /// Builds the index of a mesh within limits.
    ///
    /// `on_progress` is called after each round of work and can stop it with
    /// [`ControlFlow::Break`]. The index is the same at any thread count (feature `rayon`) and
    /// without threads.
    ///
    /// # Errors
    /// If the mesh cannot be indexed: see [`MeshIndexError`].
    pub fn build(
        space: &NavMeshSpace<'_>,
        options: MeshIndexOptions,
        on_progress: &mut dyn FnMut(IndexProgress) -> ControlFlow<()>,
    ) -> Result<Self, MeshIndexError> {
        check(space)?;
        let too_large = MeshIndexError::TooLarge { max_bytes: options.max_bytes };
        let bends = Bends::new(space);
        let total = bends.all.len();
        let mut report = |stage, done| match on_progress(IndexProgress { stage, done, total }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(MeshIndexError::Cancelled),
        };
        let (mut cones, mut lists) = (Vec::with_capacity(total), Vec::with_capacity(total));
        let mut views = 0;
        while cones.len() < total {
            let first = cones.len();
            report(IndexStage::Seeing, first)?;
            let made = parallel::map(BATCH.min(total - first), Sight::default, |sight, place| {
                sight.sweep(space, &bends, (first + place) as u32);
                (sight.cones.clone(), sight.bends.clone())
            });
            for (seen, near) in made {
                views += seen.len();
                cones.push(seen);
                lists.push(near);
            }
            if views * Views::BYTES > options.max_bytes {
                return Err(too_large);
            }
        }
        // Rounding may show an edge from one of its ends only; edges go both ways.
        let by_place = Graph::both_ways(&lists);
        let scale = scale(&by_place, &bends, width(space));
        report(IndexStage::Ordering, 0)?;
        let names = importance(&Edges::new(&by_place, |a, b| cost(&bends, scale, a, b)));
        let views = Views::new(space.mesh().bound(), &cones, &names);
        drop(cones);
        let (graph, bends) = (by_place.renamed(&names), bends.renamed(&names));
        let cost = |a: u32, b: u32| cost(&bends, scale, a, b);
        let most = (options.max_bytes - views.len() * Views::BYTES) / size_of::<Hub>();
        let mut on_progress = |done| match report(IndexStage::Labelling, done) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        };
        let labels = labels(&Edges::new(&graph, cost), most, &mut on_progress);
        let labels = labels.map_err(|stopped| match stopped {
            Stopped::Cancelled => MeshIndexError::Cancelled,
            Stopped::TooMany => too_large,
        })?;
        let hops = labels.hops(&graph, cost).map_err(|_| MeshIndexError::TooDense)?;
        let ways = Ways::new(&bends, &graph, &labels, &hops);
        Ok(Self { fingerprint: fingerprint(space), bends, ways, views, scale })
    }

    /// Returns the number of bends.
    #[must_use]
    pub fn bends(&self) -> usize {
        self.bends.all.len()
    }

    /// Returns the number of hubs of all bends together.
    #[must_use]
    pub fn hubs(&self) -> usize {
        self.ways.len()
    }

    /// Returns the number of views: bends in sight of a polygon, of all polygons together.
    #[must_use]
    pub fn views(&self) -> usize {
        self.views.len()
    }

    /// Returns the memory of the index, in bytes.
    #[must_use]
    pub fn size_in_bytes(&self) -> usize {
        self.bends.size_in_bytes() + self.ways.size_in_bytes() + self.views.size_in_bytes()
    }

    /// Returns the length in metres to which legs are rounded before paths are compared. Of two
    /// paths, the longer one may be returned if they differ by less than this for each leg.
    ///
    /// At most 2⁻³⁰ of the longest path or of the width of the mesh, whichever is more.
    #[must_use]
    pub fn precision(&self) -> f64 {
        1.0 / self.scale
    }
}

/// Fails if the space cannot be indexed.
pub(super) fn check(space: &NavMeshSpace<'_>) -> Result<(), MeshIndexError> {
    if !space.mesh().is_empty() && !space.is_uniform() {
        return Err(MeshIndexError::NotUniform);
    }
    if space.has_profile() { Ok(()) } else { Err(MeshIndexError::NoSuchProfile) }
}

/// Returns the cost of the edge between two bends.
#[inline]
pub(super) fn cost(bends: &Bends, scale: f64, a: u32, b: u32) -> u32 {
    let length = bends.all[a as usize].place.distance(bends.all[b as usize].place);
    ((length * scale).round() as u32).max(1)
}

/// Returns an upper bound on the length of straight lines over the mesh, in metres.
pub(super) fn width(space: &NavMeshSpace<'_>) -> f64 {
    let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    let tables = &space.mesh().tables;
    for polygon in space.mesh().polygons() {
        let span = tables.spans[polygon.0 as usize];
        for corner in &space.layer.corners[span.begin as usize..span.end as usize] {
            (low, high) = (low.min(corner.place()), high.max(corner.place()));
        }
    }
    (high - low).max(DVec2::ZERO).length()
}

/// Returns the units of cost in a metre: the largest power of two with which no path between two
/// bends and no straight line over the mesh, which is `width` wide, costs more than [`FARTHEST`].
///
/// Two bends of an island are no farther apart than twice the distance of the farthest bend from
/// the first one.
fn scale(graph: &Graph, bends: &Bends, width: f64) -> f64 {
    let mut lengths = vec![f64::INFINITY; graph.len()];
    let mut heap = BinaryHeap::new();
    let mut farthest = f64::MIN_POSITIVE;
    for first in 0..graph.len() as u32 {
        if lengths[first as usize].is_finite() {
            continue;
        }
        lengths[first as usize] = 0.0;
        heap.push((Reverse(0_u64), first));
        while let Some((Reverse(bits), at)) = heap.pop() {
            let length = f64::from_bits(bits);
            if length > lengths[at as usize] {
                continue;
            }
            farthest = farthest.max(2.0 * length);
            for &next in graph.of(at) {
                let [a, b] = [at, next].map(|bend| bends.all[bend as usize].place);
                let reached = length + a.distance(b);
                if reached < lengths[next as usize] {
                    lengths[next as usize] = reached;
                    heap.push((Reverse(reached.to_bits()), next));
                }
            }
        }
    }
    let most = farthest.max(width) * (1.0 + 1e-6);
    let mut scale = 1.0;
    // Finer lengths than single floats can represent are of no use.
    while scale < 1e12 && most * scale * 2.0 <= FARTHEST {
        scale *= 2.0;
    }
    while most * scale > FARTHEST {
        scale /= 2.0;
    }
    scale
}

/// Hashes everything that an index depends on: the vertices and polygons with the indices of their
/// corners, which views store, and the ground that agents of the profile can pass.
pub(super) fn fingerprint(space: &NavMeshSpace<'_>) -> u64 {
    let tables = &space.mesh().tables;
    let mut sum = WordSum::default();
    sum.word(space.mesh().bound() as u64);
    for polygon in space.mesh().polygons() {
        let span = tables.spans[polygon.0 as usize];
        sum.word(u64::from(polygon.0) << 32 | u64::from(space.is_free(polygon)));
        sum.word(u64::from(span.begin) << 32 | u64::from(span.end));
        for corner in span.begin..span.end {
            let at = tables.vertices[tables.corners[corner as usize] as usize];
            sum.word(u64::from(at.x.to_bits()) << 32 | u64::from(at.z.to_bits()));
            let beyond = space.layer.corners[corner as usize].beyond;
            sum.word(u64::from(at.y.to_bits()) << 32 | u64::from(beyond));
        }
    }
    sum.0
}

//! Questions for lengths from some points to everywhere.

use std::sync::Arc;

use wayfare_core::search::{FieldError, Progress};

use super::{MeshField, MeshFieldSearch, MeshLimits, MeshScratch};
use crate::navmesh::{MeshPoint, NavMeshSpace};

/// A query for a field on a mesh: the sources, and the largest length.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::{MeshFieldQuery, NearestTarget, mesh_field};
/// use wayfare::space::navmesh::{HeightReach, MeshDraft, NavMesh};
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default()))?;
/// let space = mesh.space();
/// let at = |x, z| space.locate(Vec3::new(x, 0.0, z), HeightReach::default()).unwrap();
/// // Of two shops the nearer one; nothing farther than that is looked at.
/// let shops = [at(3.5, 2.5), at(3.5, 0.5)];
/// let query = MeshFieldQuery::from_points([at(0.5, 0.5)]).until_nearest(shops, 1);
/// let field = mesh_field(&space, query)?;
/// let nearest = field.nearest(&space, &shops).unwrap();
/// assert_eq!(nearest, NearestTarget { target: 1, length: 3.0 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct MeshFieldQuery {
    /// The points that lengths are measured from, the nearest for each target. Points where agents
    /// of the profile cannot stand are skipped.
    pub sources: Arc<[MeshPoint]>,
    /// Limits of expansions, and of the lengths in metres. Default: none.
    pub limits: MeshLimits,
    /// Points whose lengths are asked for; see [`wanted`](Self::wanted). Default: none.
    pub targets: Arc<[MeshPoint]>,
    /// The count of targets after which the search ends, the nearest first. Default: 0, which means
    /// that it does not end for a target.
    pub wanted: usize,
}

impl MeshFieldQuery {
    /// Returns the lengths from the nearest of the points to everywhere. Return paths have the same
    /// lengths.
    #[must_use]
    pub fn from_points(sources: impl Into<Arc<[MeshPoint]>>) -> Self {
        let sources = sources.into();
        Self { sources, limits: MeshLimits::default(), targets: Arc::new([]), wanted: 0 }
    }

    /// Returns the same query, limited to `length` metres.
    #[must_use]
    pub fn max_length(mut self, length: f64) -> Self {
        self.limits.length = length;
        self
    }

    /// Returns the same query with a limit on the number of expansions.
    #[must_use]
    pub fn max_expansions(mut self, expansions: u64) -> Self {
        self.limits.expansions = expansions;
        self
    }

    /// Returns the same query, which ends as soon as the nearest `wanted` of the targets are known:
    /// 1 for the nearest of many, their count for all. Ground farther than the last of them is
    /// skipped.
    #[must_use]
    pub fn until_nearest(mut self, targets: impl Into<Arc<[MeshPoint]>>, wanted: usize) -> Self {
        self.targets = targets.into();
        self.wanted = wanted.min(self.targets.len());
        self
    }
}

/// Computes a [`MeshField`] at once.
///
/// # Errors
/// If all sources are blocked.
pub fn mesh_field(
    space: &NavMeshSpace<'_>,
    query: MeshFieldQuery,
) -> Result<MeshField, FieldError> {
    let mut scratch = MeshScratch::new();
    let mut search = MeshFieldSearch::new(query);
    while search.step(space, &mut scratch, &mut (), u64::MAX) == Progress::Working {}
    search.into_field(space, &mut scratch, MeshField::default())
}

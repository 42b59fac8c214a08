//! Answers of searches on meshes.

use wayfare_core::search::{Interruption, Limit, NoPath, Stats};

use crate::MeshPath;

/// The answer of a search on a mesh: a path, or the reason why there is none.
///
/// Example: [`MeshPath`](crate::MeshPath).
#[derive(Clone, PartialEq, Debug)]
pub enum MeshOutcome {
    /// A path from the start to the goal.
    Found(MeshPath),
    /// There is no path.
    Unreachable {
        /// The reason.
        reason: NoPath,
        /// The start alone; empty if it is blocked. See
        /// [`MeshQuery::approach`](super::MeshQuery::approach).
        nearest: MeshPath,
    },
    /// A limit was reached first.
    LimitReached {
        /// The limit.
        limit: Limit,
        /// The path to the turning point nearest to the goal, of those expanded before.
        nearest: MeshPath,
    },
    /// The search could not continue.
    Interrupted(Interruption),
}

impl MeshOutcome {
    /// Returns the path, if one was found.
    #[must_use]
    pub fn path(&self) -> Option<&MeshPath> {
        match self {
            Self::Found(path) => Some(path),
            _ => None,
        }
    }

    /// Returns the path that was found, else the one that comes nearest, by value: for
    /// [`MeshScratch::recycle`](super::MeshScratch::recycle).
    #[must_use]
    pub fn into_path(self) -> MeshPath {
        match self {
            Self::Found(path) => path,
            Self::Unreachable { nearest, .. } | Self::LimitReached { nearest, .. } => nearest,
            Self::Interrupted(_) => MeshPath::default(),
        }
    }

    /// Returns whether a path was found.
    #[must_use]
    pub fn is_found(&self) -> bool {
        matches!(self, Self::Found(_))
    }
}

impl std::fmt::Display for MeshOutcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Found(path) => {
                let legs = path.points.len().saturating_sub(1);
                write!(f, "found a path of {:.3} metres in {legs} legs", path.length)
            }
            Self::Unreachable { reason, .. } => write!(f, "no path: {reason}"),
            Self::LimitReached { limit, .. } => write!(f, "gave up: {limit}"),
            Self::Interrupted(interruption) => write!(f, "interrupted: {interruption}"),
        }
    }
}

/// An outcome with the counters of its search.
///
/// Example: [`MeshPath`](crate::MeshPath).
#[derive(Clone, PartialEq, Debug)]
pub struct MeshAnswer {
    /// The path, or the reason why there is none.
    pub outcome: MeshOutcome,
    /// The counters.
    pub stats: Stats,
}

//! Stages, progress and cancellation.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::BakeError;

/// A stage of a bake.
///
/// ```
/// use wayfare_bake::Stage;
///
/// assert_eq!(Stage::Regions.to_string(), "regions");
/// assert_eq!("contours".parse(), Ok(Stage::Contours));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Solid spans of voxels.
    Spans,
    /// Spans that can be stood on.
    Filters,
    /// The walkable field with its neighbours.
    Field,
    /// Regions of the field.
    Regions,
    /// Outlines of the regions.
    Contours,
    /// Convex polygons.
    Polygons,
    /// Heights within the polygons.
    Heights,
    /// Leaps, drops and climbs: not a stage of the mesh itself.
    Links,
}

impl Stage {
    /// The stages of the mesh, in order.
    pub const ALL: [Stage; 7] = [
        Stage::Spans,
        Stage::Filters,
        Stage::Field,
        Stage::Regions,
        Stage::Contours,
        Stage::Polygons,
        Stage::Heights,
    ];

    /// Returns the name, in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Stage::Spans => "spans",
            Stage::Filters => "filters",
            Stage::Field => "field",
            Stage::Regions => "regions",
            Stage::Contours => "contours",
            Stage::Polygons => "polygons",
            Stage::Heights => "heights",
            Stage::Links => "links",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Stage {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Stage::ALL.into_iter().find(|stage| stage.name() == name);
        found.ok_or_else(|| format!("'{name}' is no stage of a bake"))
    }
}

/// How a running bake is watched and stopped. Called from the thread of the work; with the feature
/// `rayon` from several.
pub(crate) struct Progress<'a> {
    pub(crate) cancel: Option<&'a AtomicBool>,
    pub(crate) report: Option<&'a (dyn Fn(Stage, f32) + Sync)>,
}

impl Progress<'_> {
    /// Part `done` of `all` parts of a stage is done.
    pub(crate) fn at(&self, stage: Stage, done: usize, all: usize) -> Result<(), BakeError> {
        if self.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed)) {
            return Err(BakeError::Cancelled { stage });
        }
        if let Some(report) = self.report {
            report(stage, done as f32 / all.max(1) as f32);
        }
        Ok(())
    }
}

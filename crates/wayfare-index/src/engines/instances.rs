//! Indexes and their engine, compiled once for grids: front ends call these functions.

use std::ops::ControlFlow;

use wayfare_core::inside::EngineFor;
use wayfare_grid::grid::{Cell, GridSpace};

use super::IndexEngine;
use crate::index::{GridIndex, IndexError, IndexOptions, IndexProgress};

/// An index as an engine of its grid.
#[inline(never)]
#[must_use]
pub fn index_engine<'e, 'g: 'e>(engine: &'e IndexEngine) -> EngineFor<'e, GridSpace<'g>> {
    engine
}

/// See [`IndexEngine::turns`]. Returns whether the index was asked; it is not while it is stale.
#[inline(never)]
#[must_use]
pub fn index_turns(engine: &IndexEngine, space: &GridSpace<'_>, start: Cell, goal: Cell) -> bool {
    engine.turns(space, start, goal).is_some()
}

/// See [`GridIndex::build`].
///
/// # Errors
/// See [`GridIndex::build`].
#[inline(never)]
pub fn build_index(
    space: &GridSpace<'_, u64>,
    options: IndexOptions,
    on_progress: &mut dyn FnMut(IndexProgress) -> ControlFlow<()>,
) -> Result<GridIndex, IndexError> {
    GridIndex::build(space, options, on_progress)
}

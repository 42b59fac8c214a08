//! Lines from searched places to their parents.

use std::collections::BTreeMap;

use glam::Vec2;

use super::{SearchView, Stage};
use crate::{Picture, Shape};

/// The most lines of a picture: more would hide the world.
const MOST_LINES: usize = 10_000;

/// The line from a place to its parent, without its hidden parts.
#[derive(Debug)]
struct ParentLine {
    parent: usize,
    parts: Vec<[Vec2; 2]>,
}

/// The lines from all searched places to their parents, kept while a search goes on: finding the
/// visible parts of a line takes rays through the world.
#[derive(Default, Debug)]
pub(crate) struct ParentLines(BTreeMap<u32, ParentLine>);

impl ParentLines {
    /// Returns the lines of a search as it stands.
    pub(crate) fn of(stage: &Stage<'_, '_>, view: &SearchView<'_>) -> Self {
        let mut lines = Self::default();
        if stage.shows_parents() {
            // One more than are drawn suffices to see that they are too many.
            for place in view.marked().take(MOST_LINES + 1) {
                lines.refresh(stage, view, place as u32);
            }
        }
        lines
    }

    /// Updates the line of a place after its mark has changed.
    pub(crate) fn refresh(&mut self, stage: &Stage<'_, '_>, view: &SearchView<'_>, place: u32) {
        let number = place as usize;
        if self.0.len() > MOST_LINES && !self.0.contains_key(&place) {
            return;
        }
        match view.mark(number).and_then(|_| view.parent(number)) {
            None => {
                self.0.remove(&place);
            }
            Some(parent) => {
                if self.0.get(&place).is_none_or(|line| line.parent != parent) {
                    let parts = stage.visible_line(number, parent);
                    self.0.insert(place, ParentLine { parent, parts });
                }
            }
        }
    }

    /// Draws the lines, unless there are too many.
    pub(crate) fn draw(&self, stage: &Stage<'_, '_>, picture: &mut Picture) {
        if self.0.len() <= MOST_LINES {
            let ends = self.0.values().flat_map(|line| line.parts.iter().copied()).collect();
            picture.push(Shape::Segments { ends, stroke: stage.parent_stroke() });
        }
    }
}

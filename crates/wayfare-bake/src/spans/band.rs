//! Fragments of triangles in a band of rows, and the spans that they make.

use super::row::{Row, Slices};
use super::{SolidSpan, SpanField};
use crate::{Ground, Window};

use glam::Vec3;

/// A part of a triangle over one cell, packed so that numbers sort by column, bottom, top, area.
/// Never zero, since a top is above its bottom.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Fragment(u64);

impl Fragment {
    const NONE: Self = Self(0);

    #[inline(always)]
    fn new(column: usize, bottom: u16, top: u16, ground: Ground) -> Self {
        let heights = u64::from(bottom) << 24 | u64::from(top) << 8;
        Self((column as u64) << 40 | heights | u64::from(ground.0))
    }

    /// Returns the fragment between two heights. Conversions saturate, which keeps rounding at the
    /// level's bounds in range.
    #[inline(always)]
    fn between(column: usize, [low, high]: [f32; 2], ground: Ground) -> Self {
        let bottom = (low as u16).min(u16::MAX - 2);
        let whole = high as u16;
        let ceiling = whole.saturating_add(u16::from(f32::from(whole) < high));
        Self::new(column, bottom, ceiling.clamp(bottom + 1, u16::MAX - 1), ground)
    }

    fn column(self) -> usize {
        (self.0 >> 40) as usize
    }

    fn bottom(self) -> u16 {
        (self.0 >> 24) as u16
    }

    fn top(self) -> u16 {
        (self.0 >> 8) as u16
    }

    fn ground(self) -> Ground {
        Ground(self.0 as u8)
    }

    fn span(self) -> SolidSpan {
        SolidSpan { bottom: self.bottom(), top: self.top(), ground: self.ground() }
    }
}

/// Fragments of one band that are merged before all others are known: bounds the memory of levels
/// that fill the same columns again and again.
const MOST_FRAGMENTS: usize = 1 << 23;

/// The rows that are being rasterised.
pub(super) struct Band {
    window: Window,
    /// Rows, in cells of the lattice: from `start` to before `end`.
    start: i32,
    end: i32,
    /// Heights up to this apart count as one surface when areas are merged.
    step: u16,
    /// A fragment of each column, if it has any.
    sole: Vec<Fragment>,
    /// Further fragments that differ from it.
    others: Vec<Fragment>,
    sorted: Vec<Fragment>,
    /// The first of the sorted fragments of each column.
    first: Vec<u32>,
    /// The fragments of a column in order.
    pile: Vec<Fragment>,
    row: Row,
}

impl Band {
    pub(super) fn new(window: Window, step: u16) -> Self {
        Self {
            window,
            start: 0,
            end: 0,
            step,
            sole: Vec::new(),
            others: Vec::new(),
            sorted: Vec::new(),
            first: Vec::new(),
            pile: Vec::new(),
            row: Row::new(window.x as i32, window.width as usize),
        }
    }

    /// Begins with the rows from `start` to before `end`.
    pub(super) fn begin(&mut self, start: i32, end: i32) {
        (self.start, self.end) = (start, end);
        self.sole.clear();
        self.sole.resize((end - start) as usize * self.window.width as usize, Fragment::NONE);
    }

    /// Cuts a triangle into fragments.
    pub(super) fn add(&mut self, corners: [Vec3; 3], ground: Ground) {
        let mut triangle = Slices::new(corners);
        let [z0, z1] = triangle.rows();
        let width = self.window.width as usize;
        for row in z0.max(self.start)..=z1.min(self.end - 1) {
            let base = (row - self.start) as usize * width;
            let soles = &mut self.sole[base..base + width];
            let others = &mut self.others;
            self.row.visit(&mut triangle, row, |x, heights| {
                let fragment = Fragment::between(base + x, heights, ground);
                if soles[x] == Fragment::NONE {
                    soles[x] = fragment;
                } else if soles[x] != fragment {
                    others.push(fragment);
                }
            });
        }
        if self.others.len() > MOST_FRAGMENTS {
            self.compact();
        }
    }

    /// Sorts all fragments but the sole ones by column.
    fn sort(&mut self) {
        let columns = self.sole.len();
        self.first.clear();
        self.first.resize(columns + 1, 0);
        for fragment in &self.others {
            self.first[fragment.column() + 1] += 1;
        }
        for column in 0..columns {
            self.first[column + 1] += self.first[column];
        }
        self.sorted.clear();
        self.sorted.resize(self.others.len(), Fragment::NONE);
        // Filling moves the start of each column to its end, which is the start of the next one.
        for &fragment in &self.others {
            let next = &mut self.first[fragment.column()];
            self.sorted[*next as usize] = fragment;
            *next += 1;
        }
        self.others.clear();
    }

    /// Merges the additions so far, so that they take no more memory than the spans.
    fn compact(&mut self) {
        self.sort();
        let mut from = 0;
        for (column, &to) in self.first[..self.sole.len()].iter().enumerate() {
            if from < to {
                let others = &self.sorted[from as usize..to as usize];
                pile_up(&mut self.pile, self.sole[column], others);
                self.sole[column] = Fragment::NONE;
                merge(&self.pile, self.step, |span| {
                    let merged = Fragment::new(column, span.bottom, span.top, span.ground);
                    if self.sole[column] == Fragment::NONE {
                        self.sole[column] = merged;
                    } else {
                        self.others.push(merged);
                    }
                });
            }
            from = to;
        }
    }

    /// Appends the spans of the band to the field.
    pub(super) fn finish(&mut self, field: &mut SpanField) {
        self.sort();
        let mut from = 0;
        for (&sole, &to) in self.sole.iter().zip(&self.first) {
            if from < to {
                let others = &self.sorted[from as usize..to as usize];
                pile_up(&mut self.pile, sole, others);
                merge(&self.pile, self.step, |span| field.spans.push(span));
            } else if sole != Fragment::NONE {
                field.spans.push(sole.span());
            }
            field.first.push(field.spans.len() as u32);
            from = to;
        }
    }
}

/// Puts the fragments of a column in ascending order.
fn pile_up(pile: &mut Vec<Fragment>, sole: Fragment, others: &[Fragment]) {
    pile.clear();
    pile.push(sole);
    pile.extend(others);
    if let [a, b] = &mut pile[..] {
        if a.0 > b.0 {
            std::mem::swap(a, b);
        }
    } else {
        pile.sort_unstable_by_key(|fragment| fragment.0);
    }
}

/// Joins fragments of a column, in ascending order, that overlap or touch.
///
/// The area of a joined span is that of its highest walkable fragment no more than a step below the
/// top; of equally high ones the largest id. Which triangle came first does not matter.
fn merge(fragments: &[Fragment], step: u16, mut push: impl FnMut(SolidSpan)) {
    let mut rest = fragments;
    while let Some(first) = rest.first() {
        let mut top = first.top();
        let count = rest
            .iter()
            .take_while(|fragment| {
                let joins = fragment.bottom() <= top;
                if joins {
                    top = top.max(fragment.top());
                }
                joins
            })
            .count();
        let (joined, others) = rest.split_at(count);
        let ground = joined
            .iter()
            .filter(|fragment| fragment.ground().is_walkable() && top - fragment.top() <= step)
            .max_by_key(|fragment| (fragment.top(), fragment.ground()))
            .map_or(Ground::BLOCKED, |fragment| fragment.ground());
        push(SolidSpan { bottom: first.bottom(), top, ground });
        rest = others;
    }
}

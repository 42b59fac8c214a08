//! Sieves: select, in an order of preference, lines that keep apart.
//!
//! A line is kept if it meets no line that was kept before it. After an edit nearly all lines come
//! in the same order as before. The new order is compared with the former one, and a line is looked
//! at only where a line before it was kept in one of them alone.
//!
//! # Why the others need no look
//!
//! Let `c` be a line of both orders, and let all lines before it that meet it and are kept in one
//! order be kept in the other too, before `c`. Then `c` meets a kept line in both orders or in
//! neither. `differing` has every line passed so far that is kept in one order alone; a line that
//! only comes earlier in one order stays there until the other passes it. Lines that meet none of
//! them keep their answer.

use wayfare_core::inside::Gateway;

use super::bits::BitMap;
use crate::grid::layout::Layout;

/// How far ahead a line is searched for in the other order.
const AHEAD: usize = 24;
/// All lines are looked at if more than this many were kept in one of the orders alone.
const MOST_DIFFERING: usize = 48;
/// Or if lines were compared more often than this, and this for each line.
const MOST_COMPARISONS: (usize, usize) = (4096, 24);

/// Lines in order, and which of them keep apart.
#[derive(Clone, Default, Debug)]
pub struct Sieve {
    lines: Vec<Gateway>,
    /// Whether each line is kept.
    pub is_kept: Vec<bool>,
}

/// A rectangle of cells.
#[derive(Clone, Copy)]
struct Block {
    x: (u16, u16),
    y: (u16, u16),
}

impl Block {
    /// Returns the cells of a line, and the cells that face it within `spacing` lines.
    fn of(Gateway { is_column, line, first, last }: Gateway, spacing: u16) -> Self {
        let (along, across) =
            ((first, last), (line.saturating_sub(spacing), line.saturating_add(spacing)));
        if is_column { Self { x: across, y: along } } else { Self { x: along, y: across } }
    }

    fn meets(self, other: Self) -> bool {
        self.x.0 <= other.x.1
            && other.x.0 <= self.x.1
            && self.y.0 <= other.y.1
            && other.y.0 <= self.y.1
    }
}

impl Sieve {
    /// Takes lines in a new order, and works out which of them are kept. A kept line rules out the
    /// lines that cross it, and the lines that face it at a distance of at most `spacing` cells.
    ///
    /// O(lines) after few changes, at most O(lines + cells in their reach).
    pub fn follow(&mut self, map: &Layout, lines: Vec<Gateway>, spacing: u16) {
        self.is_kept =
            self.compare(&lines, spacing).unwrap_or_else(|| keep_apart(map, &lines, spacing));
        self.lines = lines;
    }

    /// Returns the kept lines, with their indices in the order.
    pub(super) fn kept(&self) -> impl Iterator<Item = (usize, Gateway)> + '_ {
        let lines = self.lines.iter().copied().enumerate();
        lines.zip(&self.is_kept).filter(|(_, is_kept)| **is_kept).map(|(line, _)| line)
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        size_of_val(&self.lines[..]) + size_of_val(&self.is_kept[..])
    }

    /// Returns the answers for a new order; `None` if it differs too much from the former one.
    pub fn compare(&self, lines: &[Gateway], spacing: u16) -> Option<Vec<bool>> {
        let mut answers = Vec::with_capacity(lines.len());
        let mut differing: Vec<(Gateway, bool, Block)> = Vec::new();
        let mut kept: Vec<Block> = Vec::new();
        let mut comparisons = 0;
        let most_comparisons = MOST_COMPARISONS.0 + MOST_COMPARISONS.1 * lines.len();
        let (mut new, mut old) = (lines, (&self.lines[..], &self.is_kept[..]));
        loop {
            let (passes_new, passes_old) = match (new.first(), old.0.first()) {
                (None, None) => return Some(answers),
                (Some(_), None) => (true, false),
                (None, Some(_)) => (false, true),
                (Some(line), Some(other)) if line == other => (true, true),
                (Some(line), Some(other)) => {
                    let place = |line: &Gateway, others: &[Gateway]| {
                        others.iter().take(AHEAD).position(|other| other == line)
                    };
                    comparisons += AHEAD;
                    match (place(other, new), place(line, old.0)) {
                        (Some(in_new), Some(in_old)) => (in_new <= in_old, in_new > in_old),
                        (in_new, in_old) if in_new.is_some() || in_old.is_some() => {
                            (in_new.is_some(), in_old.is_some())
                        }
                        // Both at once, one after the other.
                        _ => (false, true),
                    }
                }
            };
            let was_kept = passes_old && old.1.first().is_some_and(|is_kept| *is_kept);
            let line = if passes_new { new[0] } else { old.0[0] };
            let own = Block::of(line, 0);
            let is_kept = passes_new && {
                comparisons += differing.len();
                if passes_old && !differing.iter().any(|(_, _, block)| block.meets(own)) {
                    was_kept
                } else {
                    comparisons += kept.len();
                    !kept.iter().any(|block| block.meets(own))
                }
            };
            if passes_new {
                new = &new[1..];
                answers.push(is_kept);
            }
            if passes_old {
                old = (&old.0[1..], &old.1[1..]);
            }
            let block = Block::of(line, spacing);
            if is_kept {
                kept.push(block);
            }
            if is_kept != was_kept {
                let other = (line, was_kept);
                match differing.iter().position(|&(line, is_kept, _)| (line, is_kept) == other) {
                    // Kept in both orders, at different indices.
                    Some(place) => _ = differing.swap_remove(place),
                    None => differing.push((line, is_kept, block)),
                }
            }
            if differing.len() > MOST_DIFFERING || comparisons > most_comparisons {
                return None;
            }
        }
    }
}

/// The cells that no further line may use, twice, so that a line of either kind is tested and
/// marked by whole bytes along one of the maps.
struct Taken {
    rows: BitMap,
    /// The same transposed.
    columns: BitMap,
}

/// Which lines meet none that was kept before. See [`Sieve::follow`].
pub fn keep_apart(map: &Layout, lines: &[Gateway], spacing: u16) -> Vec<bool> {
    let spacing = u32::from(spacing);
    let across = Layout::new(map.height, map.width);
    let mut taken = Taken { rows: BitMap::new(map), columns: BitMap::new(&across) };
    let is_kept = |&Gateway { is_column, line, first, last }: &Gateway| {
        let (first, cells) = (u32::from(first), u32::from(last - first) + 1);
        let line = u32::from(line);
        let (along, own, beside, other) = if is_column {
            (&across, &mut taken.columns, map, &mut taken.rows)
        } else {
            (map, &mut taken.rows, &across, &mut taken.columns)
        };
        let is_free = !own.any(along.cell(first, line), cells);
        if is_free {
            let from = line.saturating_sub(spacing);
            let lines = (line + spacing).min(along.height - 1) - from + 1;
            own.set_block(along.cell(first, from), cells, lines);
            other.set_block(beside.cell(from, first), lines, cells);
        }
        is_free
    };
    lines.iter().map(is_kept).collect()
}

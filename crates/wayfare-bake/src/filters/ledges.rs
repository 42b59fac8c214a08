//! Spans beside drops.
//!
//! # Surfaces
//!
//! Most columns have one span, and so have the eight around them. Then the openings are known: one
//! below each span, one above it. The rule becomes a few comparisons of bottoms and tops, which are
//! made for a row of columns at once. Single floats represent all heights, and have minima and
//! maxima on every target.

use crate::ordered::{least, most};
use crate::{Ground, SolidSpan, SpanField};

/// Blocks spans beside a drop of more than `step`, and spans between neighbours whose heights
/// differ by more than `step`: slopes that the triangles hide, such as a staircase of very short
/// steps.
///
/// A drop diagonally beside a span counts too, if it is of more than two steps: one cannot get
/// down there in two moves. Ground that reaches into a cell by a corner makes a span of all of it,
/// so a cell that an edge runs through has only its diagonal neighbour wholly beyond the edge. This
/// filter blocks every cell that a straight edge runs through: erosion then keeps a radius from
/// drops as from walls.
///
/// O(spans), as long as columns have few spans each; in any case O(spans × spans of a column).
pub fn ledges(field: &mut SpanField, height: u16, step: u16) {
    let depth = field.window.depth as usize;
    let rule = Rule { height: i32::from(height), step: i32::from(step) };
    let mut surfaces = Surfaces::new(field.window.width as usize);
    for z in 0..depth {
        let is_inner = z > 0 && z + 1 < depth;
        if is_inner {
            if z == 1 {
                surfaces.read(field, 0, &rule);
                surfaces.read(field, 1, &rule);
            }
            surfaces.read(field, z + 1, &rule);
            surfaces.judge(&rule);
        }
        block_row(field, z, &rule, is_inner.then_some(&surfaces.verdicts[..]));
    }
}

/// Blocks the ledges of a row. `verdicts` has its columns, less the first and the last; `None`: the
/// row is on the edge of the window.
fn block_row(field: &mut SpanField, z: usize, rule: &Rule, verdicts: Option<&[f32]>) {
    let width = field.window.width as usize;
    for x in 0..width {
        let column = z * width + x;
        let range = field.first[column] as usize..field.first[column + 1] as usize;
        let verdict = verdicts.and_then(|verdicts| verdicts.get(x.wrapping_sub(1)));
        match verdict {
            Some(&GROUND) => {}
            Some(&LEDGE) => field.spans[range.start].ground = Ground::BLOCKED,
            _ => {
                for index in range.clone() {
                    let span = field.spans[index];
                    let above = field.spans[..range.end].get(index + 1);
                    let opening = [top(&span), above.map_or(OPEN, bottom)];
                    let is_ledge = || verdict.is_none() || rule.is_ledge(field, column, opening);
                    if span.ground.is_walkable() && is_ledge() {
                        field.spans[index].ground = Ground::BLOCKED;
                    }
                }
            }
        }
    }
}

/// The ceiling of the highest opening of a column.
const OPEN: i32 = u16::MAX as i32;

fn bottom(span: &SolidSpan) -> i32 {
    i32::from(span.bottom)
}

fn top(span: &SolidSpan) -> i32 {
    i32::from(span.top)
}

/// Verdicts on the only span of a column, as numbers like those that they follow from.
const GROUND: f32 = 0.0;
const LEDGE: f32 = 1.0;
/// A column around it has another number of spans.
const UNKNOWN: f32 = 2.0;

/// Three rows of columns with one span each, and the verdicts on the middle one.
struct Surfaces {
    /// Infinite for a column with another number of spans.
    bottoms: [Vec<f32>; 3],
    tops: [Vec<f32>; 3],
    /// The highest bottom of three columns, and the lower top of the outer two.
    highest: Vec<f32>,
    lowest: Vec<f32>,
    /// Of all columns but the first and the last.
    verdicts: Vec<f32>,
}

impl Surfaces {
    fn new(width: usize) -> Self {
        let row = || vec![0.0; width];
        Self {
            bottoms: [row(), row(), row()],
            tops: [row(), row(), row()],
            highest: row(),
            lowest: row(),
            verdicts: vec![UNKNOWN; width.saturating_sub(2)],
        }
    }

    /// Drops the first row and appends a row of the field.
    fn read(&mut self, field: &SpanField, z: usize, rule: &Rule) {
        self.bottoms.rotate_left(1);
        self.tops.rotate_left(1);
        let width = self.highest.len();
        let ends = &field.first[z * width..=(z + 1) * width];
        let columns = self.bottoms[2].iter_mut().zip(&mut self.tops[2]);
        for (pair, (bottom, top)) in ends.windows(2).zip(columns) {
            let only = match field.spans[pair[0] as usize..pair[1] as usize] {
                [only] if i32::from(only.top) + rule.height <= OPEN => Some(only),
                _ => None,
            };
            *bottom = only.map_or(f32::INFINITY, |span| f32::from(span.bottom));
            *top = only.map_or(0.0, |span| f32::from(span.top));
        }
    }

    /// Judges the middle row by the [rule](Rule::is_ledge).
    fn judge(&mut self, rule: &Rule) {
        let count = self.verdicts.len();
        let width = self.highest.len();
        let [north, own, south] = [0, 1, 2].map(|row| &self.bottoms[row][..width]);
        for (x, highest) in self.highest.iter_mut().enumerate() {
            *highest = most(most(north[x], own[x]), south[x]);
        }
        let [north, own, south] = [0, 1, 2].map(|row| &self.tops[row][..width]);
        for (x, lowest) in self.lowest.iter_mut().enumerate() {
            *lowest = least(north[x], south[x]);
        }
        let (height, step) = (rule.height as f32, rule.step as f32);
        let [b0, b1, b2] = abreast(&self.highest, count);
        let [l0, l1, l2] = abreast(&self.lowest, count);
        let [west, own, east] = abreast(own, count);
        let ([_, north, _], [_, south, _]) = (abreast(north, count), abreast(south, count));
        for (x, verdict) in self.verdicts.iter_mut().enumerate() {
            let floor = own[x];
            let highest_bottom = most(most(b0[x], b1[x]), b2[x]);
            let lowest_beside = least(l1[x], least(west[x], east[x]));
            let lowest_diagonal = least(l0[x], l2[x]);
            let reached = |top: f32| if top <= floor + step { top } else { floor };
            let highest = most(
                most(reached(north[x]), reached(south[x])),
                most(reached(west[x]), reached(east[x])),
            );
            let rise = most(highest, floor) - least(lowest_beside, floor);
            let is_ledge = highest_bottom - floor >= height
                || lowest_beside < floor - step
                || lowest_diagonal < floor - 2.0 * step
                || rise > step;
            let known = if is_ledge { LEDGE } else { GROUND };
            *verdict = if highest_bottom == f32::INFINITY { UNKNOWN } else { known };
        }
    }
}

/// Returns the columns to the left of `count` others, these, and the columns to their right.
fn abreast(row: &[f32], count: usize) -> [&[f32]; 3] {
    [0, 1, 2].map(|from| &row[from..from + count])
}

/// The height and the step of a walker, in cells.
struct Rule {
    height: i32,
    step: i32,
}

impl Rule {
    /// Returns whether an opening of a column, from floor to ceiling, borders on a drop.
    fn is_ledge(&self, field: &SpanField, column: usize, opening: [i32; 2]) -> bool {
        let width = field.window.width as usize;
        let floor = opening[0];
        let mut reached = [floor, floor];
        let beside = [column - 1, column + width, column + 1, column - width];
        let diagonal =
            [column - width - 1, column - width + 1, column + width - 1, column + width + 1];
        beside.into_iter().any(|at| self.drops(field.column(at), opening, self.step, &mut reached))
            || reached[1] - reached[0] > self.step
            || diagonal
                .into_iter()
                .any(|at| self.drops(field.column(at), opening, 2 * self.step, &mut reached))
    }

    /// Returns whether an opening leads to one over `spans` whose floor is more than `most` below
    /// its own. Widens `reached` by the other floors that it leads to within a step.
    #[inline]
    fn drops(
        &self,
        spans: &[SolidSpan],
        [floor, ceiling]: [i32; 2],
        most: i32,
        reached: &mut [i32; 2],
    ) -> bool {
        // Below all spans it is open down to the bottom of the level.
        let mut below = i32::MIN;
        for span in spans {
            if ceiling.min(bottom(span)) - floor.max(below) >= self.height {
                if below < floor - most {
                    return true;
                }
                if below <= floor + self.step {
                    *reached = [reached[0].min(below), reached[1].max(below)];
                }
            }
            below = top(span);
            if below > ceiling {
                return false;
            }
        }
        if ceiling.min(OPEN) - floor.max(below) >= self.height {
            if below < floor - most {
                return true;
            }
            if below <= floor + self.step {
                *reached = [reached[0].min(below), reached[1].max(below)];
            }
        }
        false
    }
}

//! Stage 2, filters: which spans can be stood on.
//!
//! Each filter only looks at bottoms and tops, and changes areas, so their order matters once: low
//! obstacles become walkable before the filters of ledges and head room.
//!
//! Source: the three filters are those of Recast (Mononen, 2009).

use crate::{Ground, SpanField};

/// Makes obstacles walkable that are no higher than a step above walkable ground: kerbs, stairs
/// whose fronts are steep. Ground carries only one obstacle, not a pile of them.
///
/// O(spans).
///
/// ```
/// use wayfare_bake::{filters, Bake, BakeSettings, LevelGeometry, WalkerShape};
///
/// # let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 4.0]];
/// # let level = LevelGeometry::new(corners.map(Into::into).to_vec(), vec![[0, 1, 2]])?;
/// let settings = BakeSettings::new(WalkerShape::default());
/// let mut spans = Bake::new(&level, settings)?.spans()?;
/// filters::low_obstacles(&mut spans, settings.step_cells());
/// filters::ledges(&mut spans, settings.height_cells(), settings.step_cells());
/// filters::head_room(&mut spans, settings.height_cells());
/// # Ok::<(), wayfare_bake::BakeError>(())
/// ```
pub fn low_obstacles(field: &mut SpanField, step: u16) {
    for column in 0..field.window.columns() {
        let range = field.first[column] as usize..field.first[column + 1] as usize;
        if range.len() < 2 {
            continue;
        }
        let spans = &mut field.spans[range];
        let mut below = spans[0];
        for span in &mut spans[1..] {
            let own = *span;
            if !own.ground.is_walkable()
                && below.ground.is_walkable()
                && own.top - below.top <= step
            {
                span.ground = below.ground;
            }
            below = own;
        }
    }
}

/// Blocks spans with less head room than `height`.
///
/// O(spans).
pub fn head_room(field: &mut SpanField, height: u16) {
    for column in 0..field.window.columns() {
        let range = field.first[column] as usize..field.first[column + 1] as usize;
        let spans = &mut field.spans[range];
        for index in 1..spans.len() {
            if spans[index].bottom - spans[index - 1].top < height {
                spans[index - 1].ground = Ground::BLOCKED;
            }
        }
    }
}

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
    let width = field.window.width as usize;
    let depth = field.window.depth as usize;
    let mut blocked = Vec::new();
    for z in 0..depth {
        for x in 0..width {
            let column = z * width + x;
            let range = field.first[column] as usize..field.first[column + 1] as usize;
            for index in range.clone() {
                let span = field.spans[index];
                if !span.ground.is_walkable() {
                    continue;
                }
                let ceiling =
                    if index + 1 < range.end { field.spans[index + 1].bottom } else { u16::MAX };
                let inside = x > 0 && z > 0 && x + 1 < width && z + 1 < depth;
                if !inside || is_ledge(field, column, [span.top, ceiling], height, step) {
                    blocked.push(index as u32);
                }
            }
        }
    }
    for index in blocked {
        field.spans[index as usize].ground = Ground::BLOCKED;
    }
}

/// Returns whether the space above a span, from `floor` to `ceiling`, borders on a drop.
fn is_ledge(
    field: &SpanField,
    column: usize,
    [floor, ceiling]: [u16; 2],
    height: u16,
    step: u16,
) -> bool {
    let width = field.window.width as usize;
    let (floor, ceiling, height) = (i32::from(floor), i32::from(ceiling), i32::from(height));
    let step = i32::from(step);
    let (mut lowest, mut highest) = (floor, floor);
    for neighbour in [column - 1, column + width, column + 1, column - width] {
        let spans = field.column(neighbour);
        let above = spans.first().map_or(i32::from(u16::MAX), |span| i32::from(span.bottom));
        // Open down to the bottom of the level.
        if ceiling.min(above) - floor >= height {
            return true;
        }
        for (index, span) in spans.iter().enumerate() {
            let beside = i32::from(span.top);
            let above =
                spans.get(index + 1).map_or(i32::from(u16::MAX), |span| i32::from(span.bottom));
            if ceiling.min(above) - floor.max(beside) < height {
                continue; // too low to pass
            }
            if beside < floor - step {
                return true;
            }
            if beside <= floor + step {
                (lowest, highest) = (lowest.min(beside), highest.max(beside));
            }
        }
    }
    highest - lowest > step || is_above_diagonal_drop(field, column, [floor, ceiling], height, step)
}

/// Returns whether the space above a span borders diagonally on a drop of more than two steps.
fn is_above_diagonal_drop(
    field: &SpanField,
    column: usize,
    [floor, ceiling]: [i32; 2],
    height: i32,
    step: i32,
) -> bool {
    let width = field.window.width as usize;
    let corners = [column - width - 1, column - width + 1, column + width - 1, column + width + 1];
    corners.into_iter().any(|corner| {
        // The solid below an opening, and the bottom of the level below all.
        let mut below = i32::MIN;
        let above_all = std::iter::once(i32::from(u16::MAX));
        let spans = field.column(corner);
        let bottoms = spans.iter().map(|span| i32::from(span.bottom)).chain(above_all);
        let tops = spans.iter().map(|span| i32::from(span.top));
        bottoms.zip(tops.map(Some).chain([None])).any(|(bottom, top)| {
            let is_open = ceiling.min(bottom) - floor.max(below) >= height;
            let is_drop = is_open && below < floor - 2 * step;
            below = top.unwrap_or(below);
            is_drop
        })
    })
}

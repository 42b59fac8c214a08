//! Stage 2, filters: which spans can be stood on.
//!
//! Each filter only looks at bottoms and tops, and changes areas, so their order matters once: low
//! obstacles become walkable before the filters of ledges and head room.
//!
//! Source: the three filters are those of Recast (Mononen, 2009).

mod ledges;

pub use self::ledges::ledges;
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
    for ends in field.first.windows(2).filter(|ends| ends[1] - ends[0] > 1) {
        let spans = &mut field.spans[ends[0] as usize..ends[1] as usize];
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
    for ends in field.first.windows(2).filter(|ends| ends[1] - ends[0] > 1) {
        let spans = &mut field.spans[ends[0] as usize..ends[1] as usize];
        for index in 1..spans.len() {
            if spans[index].bottom - spans[index - 1].top < height {
                spans[index - 1].ground = Ground::BLOCKED;
            }
        }
    }
}

//! Paths through worlds of blocks: arcs for jumps, waves in water, corners for falls.

use glam::{Vec2, Vec3};
use wayfare_core::space::Action;

use super::IsometricScenery;
use super::isometric::project;
use crate::scenery::{Leg, Trail};

/// The height of a path above the ground, in blocks.
const HEIGHT: f32 = 0.25;

/// Returns the point of a place: low above the middle of its ground.
pub(super) fn standing(at: [i32; 3]) -> Vec3 {
    Vec3::from(at.map(|coordinate| coordinate as f32)) + Vec3::new(0.5, HEIGHT, 0.5)
}

/// Returns a path in isometric projection.
pub(super) fn isometric(scenery: &IsometricScenery<'_>, steps: &[([i32; 3], Action)]) -> Trail {
    let mut trail = Trail::default();
    for pair in steps.windows(2) {
        let [(from, _), (to, action)] = [pair[0], pair[1]];
        let points = bent(scenery.standing(from), scenery.standing(to), action);
        for ends in points.windows(2) {
            let hidden = is_hidden(scenery, (ends[0] + ends[1]) / 2.0);
            let [from, to] = [ends[0], ends[1]].map(project);
            match trail.legs.last_mut() {
                Some(leg) if leg.hidden == hidden => leg.points.push(to),
                _ => trail.legs.push(Leg { points: vec![from, to], hidden }),
            }
        }
    }
    trail.signs = signs(steps, |at| Some(project(scenery.standing(at))));
    trail
}

/// Returns a sign for each move other than a walk: at each jump, fall and link, and in the middle
/// of each stretch of swimming, climbing or flying.
pub(super) fn signs(
    steps: &[([i32; 3], Action)],
    place: impl Fn([i32; 3]) -> Option<Vec2>,
) -> Vec<(Vec2, Action)> {
    let mut signs = Vec::new();
    let mut first = 1;
    while first < steps.len() {
        let action = steps[first].1;
        let alone = matches!(action, Action::Jump | Action::Fall | Action::Link(_));
        let run = steps[first..].iter().take_while(|(_, other)| *other == action).count();
        let last = if alone { first } else { first + run - 1 };
        if action != Action::Walk {
            // In the middle of the move or the stretch.
            let (before, after) = ((first - 1 + last) / 2, (first + last) / 2);
            if let (Some(from), Some(to)) = (place(steps[before].0), place(steps[after].0)) {
                signs.push(((from + to) / 2.0, action));
            }
        }
        first = last + 1;
    }
    signs
}

/// Returns the points of a move, ends included.
fn bent(from: Vec3, to: Vec3, action: Action) -> Vec<Vec3> {
    const PARTS: u8 = 6;
    let parts = (0..=PARTS).map(|part| f32::from(part) / f32::from(PARTS));
    match action {
        // Above the higher end.
        Action::Jump => {
            let rise = 0.55 + (to.y - from.y).abs() * 0.25;
            let over =
                |share: f32| from.lerp(to, share) + Vec3::Y * (4.0 * share * (1.0 - share) * rise);
            parts.map(over).collect()
        }
        Action::Fall => vec![from, Vec3::new(to.x, from.y, to.z), to],
        Action::Swim => {
            let Some(aside) = (to - from).cross(Vec3::Y).try_normalize() else {
                return vec![from, to];
            };
            // One wave a block, made of parabolas.
            let wave = |share: f32| {
                let half = (share * 2.0).fract();
                let sign = if share < 0.5 { 1.0 } else { -1.0 };
                from.lerp(to, share) + aside * (4.0 * half * (1.0 - half) * sign * 0.16)
            };
            parts.chain([1.0]).map(|share| if share >= 1.0 { to } else { wave(share) }).collect()
        }
        _ => vec![from, from.lerp(to, 0.5), to],
    }
}

/// Returns whether a block hides a point from the viewer.
pub(super) fn is_hidden(scenery: &IsometricScenery<'_>, point: Vec3) -> bool {
    let point = point * scenery.detail() as f32;
    let mut cell = point.floor();
    // The first face by which the line of sight, (1, 1, 1), leaves the block, then the next two,
    // and so on in turn.
    let mut order = [0usize, 1, 2];
    let inside = point - cell;
    order.sort_by(|a, b| inside[*b].total_cmp(&inside[*a]));
    let limit = scenery.limits();
    for axis in order.into_iter().cycle() {
        cell[axis] += 1.0;
        let at = [cell.x as i32, cell.y as i32, cell.z as i32];
        if (0..3).any(|axis| at[axis] >= limit[axis]) {
            return false;
        }
        if scenery.covers(at) {
            return true;
        }
    }
    false
}

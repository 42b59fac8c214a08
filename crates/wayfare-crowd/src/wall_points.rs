//! The points of walls that are nearest to a body.

use glam::Vec2;
use wayfare_core::walls::WallSide;

use super::agent::from_above;
use super::grounds::Grounds;
use super::solver::Member;
use super::steering::{MOST_WALLS, WallPoint};

/// Returns the point of a side that is nearest to a body.
fn wall_point(side: WallSide, at: Vec2, radius: f32) -> Option<WallPoint> {
    let (from, to) = (from_above(side.from), from_above(side.to));
    let way = to - from;
    let length_squared = way.length_squared();
    let share = if length_squared > 0.0 {
        ((at - from).dot(way) / length_squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let offset = at - (from + way * share);
    let distance = offset.length();
    (distance > 0.0).then(|| WallPoint { away: offset / distance, room: distance - radius })
}

/// Fills in the nearest points of walls, up to the capacity, and returns their count.
pub(super) fn wall_points(
    walls: &impl Grounds,
    member: &Member,
    range: f32,
    points: &mut [WallPoint; MOST_WALLS],
) -> usize {
    let (position, radius) = (member.agent.position, member.agent.radius);
    let at = from_above(position);
    let mut count = 0;
    walls.sides_near(member.ground, position, radius, range, |side| {
        let Some(point) = wall_point(side, at, radius) else { return };
        if point.room + radius > range {
            return;
        }
        if count < MOST_WALLS {
            points[count] = point;
            count += 1;
            return;
        }
        // Replaces the farthest one.
        let farthest = points.iter_mut().max_by(|a, b| a.room.total_cmp(&b.room));
        if let Some(farthest) = farthest.filter(|farthest| farthest.room > point.room) {
            *farthest = point;
        }
    });
    count
}

/// Returns the part of a move that does not point into the wall that it would reach first.
pub(super) fn along_wall(walls: &impl Grounds, member: &Member, by: Vec2) -> Vec2 {
    let mut points = [WallPoint::default(); MOST_WALLS];
    let range = member.agent.radius + by.length() * 1.5;
    let count = wall_points(walls, member, range, &mut points);
    let slid = points[..count].iter().fold(by, |by, point| {
        // Where the move would bring the body nearer than it may.
        let into = -point.away.dot(by) - point.room.max(0.0);
        if into > 0.0 { by + point.away * into } else { by }
    });
    slid.clamp_length_max(by.length())
}

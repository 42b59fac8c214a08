//! Places waypoints at the corners of obstacles.
//!
//! A shortest path among obstacles bends at their corners only. Waypoints there, linked wherever
//! they see each other, make a visibility graph.
//!
//! Source: T. Lozano-Pérez, M. A. Wesley, "An algorithm for planning collision-free paths among
//! polyhedral obstacles", 1979.

use glam::{Vec2, Vec3};

use super::rectangle::check;
use super::{PlaceError, Rectangle};
use crate::waypoint::{ObstacleProbe, Surroundings};

/// The distance of a corner from the obstacle: a factor on the radius, and an addition in world
/// units. Leaves room for rounding.
const MARGIN: (f32, f32) = (1.02, 0.01);

/// Places waypoints at the convex corners of all blocking obstacles in a rectangle, slightly more
/// than the agent radius outside of them.
///
/// Gives few waypoints and good paths among boxes and rooms. Open ground gets none, round obstacles
/// get eight. Skips corners inside other obstacles, or where agents cannot stand. Of several within
/// a tenth of the radius keeps the first. Waypoints come in order of their obstacles. For the whole
/// visibility graph, link them with an [`AutoLink`](crate::waypoint::AutoLink) without
/// limits. O(corners · log corners).
///
/// # Errors
/// A fault of the rectangle or the probe's radius.
///
/// ```
/// use std::sync::Arc;
/// use glam::{Vec2, Vec3};
/// use wayfare::geometry::{Obstacle, Obstacles};
/// use wayfare::space::waypoint::{ObstacleProbe, Rectangle, place_at_corners};
///
/// let tower = Obstacle::cuboid(Vec3::new(5.0, 0.0, 5.0), Vec3::ONE);
/// let probe = ObstacleProbe::new(Arc::new(Obstacles::new([tower])?), 0.5);
/// let places = place_at_corners(Rectangle::new(Vec2::ZERO, Vec2::splat(10.0)), &probe)?;
/// assert_eq!(places.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn place_at_corners(area: Rectangle, probe: &ObstacleProbe) -> Result<Vec<Vec3>, PlaceError> {
    check(&area)?;
    if !(probe.radius.is_finite() && probe.radius >= 0.0) {
        return Err(PlaceError::Radius(probe.radius));
    }
    let offset = probe.radius * MARGIN.0 + MARGIN.1;
    let blocking = probe.obstacles.iter().filter(|one| one.kind.blocks());
    let footprints = blocking.filter_map(|one| probe.obstacles.footprint(one.id));
    let corners = footprints.flat_map(|footprint| offset_corners(&footprint, offset));
    let mut places: Vec<Vec3> = corners
        .filter(|&corner| area.contains(corner))
        .filter_map(|corner| probe.stand(corner.x, corner.y))
        .collect();
    drop_close(&mut places, (probe.radius / 10.0).max(MARGIN.1));
    Ok(places)
}

/// Returns the corners of a convex polygon whose sides are moved outward by `distance`.
fn offset_corners(polygon: &[Vec2], distance: f32) -> Vec<Vec2> {
    let count = polygon.len();
    if count < 3 {
        return Vec::new();
    }
    let middle = polygon.iter().sum::<Vec2>() / count as f32;
    let corner = |i: usize| {
        let (before, here, after) =
            (polygon[(i + count - 1) % count], polygon[i], polygon[(i + 1) % count]);
        let outward = |a: Vec2, b: Vec2| {
            let normal = (b - a).perp().normalize_or_zero();
            if normal.dot(a - middle) < 0.0 { -normal } else { normal }
        };
        let (n, m) = (outward(before, here), outward(here, after));
        // The mitre has the length distance / cos(turn / 2). It is cut short at sharp corners.
        let along = (n + m).normalize_or_zero();
        here + along * (distance / along.dot(n).max(0.25))
    };
    (0..count).map(corner).collect()
}

/// Removes positions within `distance` of an earlier one.
fn drop_close(places: &mut Vec<Vec3>, distance: f32) {
    let mut kept = crate::waypoint::locate::Index::default();
    let mut number = 0;
    places.retain(|&place| {
        let close =
            kept.by_distance(place).next().is_some_and(|(_, square)| square.sqrt() < distance);
        if !close {
            kept.insert(place, crate::waypoint::WaypointId(number));
            number += 1;
        }
        !close
    });
}

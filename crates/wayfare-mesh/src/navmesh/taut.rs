//! Paths over polygons as lines that bodies walk.
//!
//! 1. The line is pulled taut through the edges between the polygons of the path.
//! 2. Its corners are pushed away from the obstacles that it bends around, so that a body keeps its
//!    radius from them where there is room.
//! 3. Its legs are cut where the ground bends, so that a body neither sinks nor floats.
//!
//! # How corners are pushed
//!
//! A body of radius `r` keeps clear of the corners by going around circles of radius `r`: legs are
//! common tangents of two circles, and arcs join them. An arc becomes a row of tangents of its
//! circle, at most 45° apart, so it too keeps `r`. A leg that passes a corner more closely than `r`
//! without bending gets a circle there as well. If a leg still has no room for the body, the
//! circles at both its ends shrink to half, three times, and then to the plain corner, whose legs
//! are clear.

use glam::{DVec2, Vec3};
use wayfare_core::inside::nearest_on;
use wayfare_core::ops;
use wayfare_core::space::{LineOfSight, Space};

use super::locate::{MeshPoint, lowered};
use super::plan::{exact_plan, plan, turn};
use super::room::Lane;
use super::{NO_FAN, NavMeshSpace, PolygonId, funnel};

/// The length added to a radius, in metres, so that rounding leaves the radius whole.
const SPARE: f64 = 1e-3;

/// The largest angle between two points of an arc, in radians.
const ARC_STEP: f64 = std::f64::consts::FRAC_PI_4;

/// How often the circles at the ends of a leg without room shrink to half.
const HALVINGS: u8 = 3;

/// The most by which a leg may be above or below the ground, in metres.
const GROUND_TOLERANCE: f64 = 0.02;

/// A corner of a taut line.
#[derive(Clone, Copy, Debug)]
struct Bend {
    place: Vec3,
    /// Above 0 where the line bends to the left, around an obstacle there; below 0 to the right; 0
    /// at the ends of the line.
    side: f64,
    /// How often its circle was halved.
    halved: u8,
    /// Whether the line passes the corner without bending there.
    is_passed: bool,
}

impl Bend {
    fn end(place: Vec3) -> Self {
        Self { place, side: 0.0, halved: 0, is_passed: false }
    }

    /// Returns whether its circle is gone, and with it the reason to go there.
    fn is_given_up(&self) -> bool {
        self.is_passed && self.halved > HALVINGS
    }

    /// Returns the radius of the circle around it for a body of that radius, to the side of the
    /// obstacle.
    fn circle(&self, radius: f64) -> f64 {
        let share = if self.halved > HALVINGS { 0.0 } else { 1.0 / f64::from(1 << self.halved) };
        self.side * share * (radius + SPARE)
    }
}

/// Returns the line of [`LineOfSight::taut`].
pub(super) fn taut_line(
    space: &NavMeshSpace<'_>,
    from: Vec3,
    corridor: &[PolygonId],
    to: Option<Vec3>,
    radius: f32,
) -> Option<Vec<Vec3>> {
    let (&first, &last) = (corridor.first()?, corridor.last()?);
    let mesh = space.mesh();
    if !corridor.iter().all(|&polygon| space.check(polygon).is_ok()) {
        return None;
    }
    let in_polygon = |polygon: PolygonId, point: Vec3| {
        let place = point.with_y(mesh.height_at(polygon, point));
        space.inside(MeshPoint { polygon, place }).place
    };
    let start = in_polygon(first, from);
    let goal = match to {
        Some(goal) => {
            with_room(space, MeshPoint { polygon: last, place: in_polygon(last, goal) }, radius)
        }
        None => mesh.middle(last),
    };
    let portals: Vec<[Vec3; 2]> =
        corridor.windows(2).map(|pair| portal(space, pair[0], pair[1])).collect::<Option<_>>()?;
    let mut bends = vec![Bend::end(start)];
    funnel::pull(
        plan(start),
        plan(goal),
        portals.len(),
        |index| portals[index].map(plan),
        |turn| {
            let side = if turn.end == 0 { 1.0 } else { -1.0 };
            let place = portals[turn.portal][turn.end];
            bends.push(Bend { place, side, halved: 0, is_passed: false });
        },
    );
    bends.push(Bend::end(goal));
    bends.dedup_by(|b, a| plan(a.place) == plan(b.place) && (a.side * b.side >= 0.0));
    if let [.., last] = &mut bends[..] {
        *last = Bend::end(goal);
    }
    let line = pushed(space, &mut bends, f64::from(radius));
    let clear = |line: &[Vec3]| line.windows(2).all(|leg| space.segment_is_clear(leg[0], leg[1]));
    if clear(&line) {
        return Some(line);
    }
    // Rounding has put a leg behind a border. Through the middle of each portal there is none.
    let middles = portals.iter().map(|[left, right]| left.midpoint(*right));
    let line: Vec<Vec3> = std::iter::once(start).chain(middles).chain([goal]).collect();
    clear(&line).then_some(line)
}

/// Returns the edge between one polygon of a corridor and the next: its left and its right end. If
/// the two share several edges in a row, all of them are one portal; of rows apart it is that of
/// the longest edge.
fn portal(space: &NavMeshSpace<'_>, from: PolygonId, to: PolygonId) -> Option<[Vec3; 2]> {
    let mesh = space.mesh();
    let corners = &mesh.tables.corners;
    let shared =
        space.mesh().own(to).filter(|&corner| space.layer.corners[corner].beyond == from.0);
    let ends = |corner: usize| [corners[corner], corners[mesh.tables.next(corner as u32) as usize]];
    let length = |[a, b]: [u32; 2]| {
        (plan(mesh.vertices()[a as usize]) - plan(mesh.vertices()[b as usize])).length_squared()
    };
    let edges = shared.map(ends);
    let mut longest = edges.clone().max_by(|&a, &b| length(a).total_cmp(&length(b)))?;
    for _ in 0..edges.clone().count() {
        for [a, b] in edges.clone() {
            if b == longest[0] {
                longest[0] = a;
            } else if a == longest[1] {
                longest[1] = b;
            }
        }
    }
    Some(longest.map(|vertex| mesh.vertices()[vertex as usize]))
}

/// Returns the goal, moved away from borders until a body of that radius has room there, if that is
/// possible nearby in its polygon; else the goal.
fn with_room(space: &NavMeshSpace<'_>, goal: MeshPoint, radius: f32) -> Vec3 {
    if radius <= 0.0 {
        return goal.place;
    }
    let mut point = goal;
    // One border after the other: in a corner two of them are near.
    for _ in 0..4 {
        let Some(border) = space.distance_to_border(point, radius) else { return point.place };
        let away = border.wall.normal * (radius - border.distance + SPARE as f32);
        let hit = space.raycast(point, point.place + away);
        // Beyond its polygon the line would have to turn back.
        let is_near = hit.end.place.distance(goal.place) <= 1.5 * radius;
        if !hit.is_clear() || hit.end.polygon != goal.polygon || !is_near {
            return goal.place;
        }
        point = space.inside(hit.end);
    }
    goal.place
}

/// Returns the line around the circles of its bends.
fn pushed(space: &NavMeshSpace<'_>, bends: &mut Vec<Bend>, radius: f64) -> Vec<Vec3> {
    /// The most times that legs are looked at.
    const MOST_ROUNDS: u32 = 16;
    let plain: Vec<Vec3> = bends.iter().map(|bend| bend.place).collect();
    if radius <= 0.0 {
        return plain;
    }
    for _ in 0..MOST_ROUNDS {
        // Each point with the bend that it is of.
        let line = around(space, bends, radius);
        let mut tight = vec![false; bends.len()];
        let mut passed: Vec<(usize, Bend)> = Vec::new();
        for leg in line.windows(2) {
            let [(a, from), (b, to)] = [leg[0], leg[1]];
            // An end of the line, and a plain corner, need not have room.
            let room = |bend: usize| match bends[bend].side == 0.0 {
                true => radius,
                false => (bends[bend].circle(radius).abs() - SPARE).max(0.0),
            };
            let wanted = room(a).min(room(b));
            if space.sweep_is_clear(from, to, wanted as f32) {
                continue;
            }
            if let Some(bend) = corner_passed(space, (from, to), wanted, bends) {
                passed.push((a, bend));
                continue;
            }
            let ends_in_room = [a, b].into_iter().all(|bend| {
                let end = bends[bend].place;
                bends[bend].side != 0.0 || space.sweep_is_clear(end, end, wanted as f32)
            });
            if ends_in_room || !space.segment_is_clear(from, to) {
                (tight[a], tight[b]) = (true, true);
            }
        }
        let is_settled = passed.is_empty()
            && bends
                .iter()
                .zip(&tight)
                .all(|(bend, tight)| !tight || bend.side == 0.0 || bend.halved > HALVINGS);
        if is_settled {
            let line: Vec<Vec3> = line.into_iter().map(|at| at.1).collect();
            let is_clear = line.windows(2).all(|leg| space.segment_is_clear(leg[0], leg[1]));
            // Circles around corners close together may send a line back and forth.
            let is_straight = length(&line) <= 1.25 * length(&plain) + 4.0 * radius;
            return if is_clear && is_straight { line } else { plain };
        }
        for (bend, _) in bends.iter_mut().zip(&tight).filter(|(_, tight)| **tight) {
            bend.halved = bend.halved.saturating_add(1);
        }
        passed.dedup_by_key(|(after, _)| *after);
        for (after, bend) in passed.into_iter().rev() {
            bends.insert(after + 1, bend);
        }
    }
    plain
}

/// Returns the length of a line, seen from above.
fn length(line: &[Vec3]) -> f64 {
    line.windows(2).map(|leg| (plan(leg[1]) - plan(leg[0])).length()).sum()
}

/// Returns the corner of an obstacle that a leg passes at less than a distance: the nearest to the
/// leg that is no bend yet.
fn corner_passed(
    space: &NavMeshSpace<'_>,
    (from, to): (Vec3, Vec3),
    distance: f64,
    bends: &[Bend],
) -> Option<Bend> {
    let (a, b) = (plan(from), plan(to));
    let begin = space.stand(from)?;
    let mut nearest: Option<(f64, Vec3, f64)> = None;
    let tables = &space.mesh().tables;
    space.borders_near(begin.polygon, &Lane::new([a, b], distance), |corner| {
        let [c, d] = space.edge(corner);
        for end in [corner, tables.next(corner as u32) as usize] {
            let vertex = tables.corners[end] as usize;
            let place = tables.vertices[vertex];
            let at = plan(place);
            let share = (at - a).dot(b - a) / (b - a).length_squared();
            let away = (nearest_on(at, a, b) - at).length();
            let is_known = bends.iter().any(|bend| plan(bend.place) == at);
            if space.layer.corners[end].fan != NO_FAN
                && share > 0.0
                && share < 1.0
                && away < distance
                && !is_known
                && nearest.is_none_or(|(least, ..)| away < least)
            {
                // Of a corner on the very line, the obstacle is behind its border.
                let behind = -(b - a).perp_dot((d - c).perp());
                let aside = if away > 1e-6 { turn(a, b, at) } else { behind };
                nearest = Some((away, place, if aside >= 0.0 { 1.0 } else { -1.0 }));
            }
        }
        true
    });
    let (_, place, side) = nearest?;
    Some(Bend { place, side, halved: 0, is_passed: true })
}

/// Returns the tangents and arcs around the circles of bends: points with the index of their bend.
fn around(space: &NavMeshSpace<'_>, bends: &[Bend], radius: f64) -> Vec<(usize, Vec3)> {
    let kept: Vec<usize> = (0..bends.len()).filter(|&at| !bends[at].is_given_up()).collect();
    let directions: Vec<DVec2> = kept
        .windows(2)
        .map(|pair| {
            let [a, b] = [bends[pair[0]], bends[pair[1]]];
            tangent((plan(a.place), a.circle(radius)), (plan(b.place), b.circle(radius)))
        })
        .collect();
    let mut line = Vec::new();
    for (place, &index) in kept.iter().enumerate() {
        let bend = &bends[index];
        let circle = bend.circle(radius);
        let into = place.checked_sub(1).map(|before| directions[before]);
        let (Some(into), Some(out), true) = (into, directions.get(place), circle != 0.0) else {
            line.push((index, bend.place));
            continue;
        };
        // The obstacle is to the left where the circle is above 0: the line passes to its right.
        let turned = (angle(into.perp_dot(*out), into.dot(*out)) * bend.side).max(0.0);
        let steps = (turned / ARC_STEP).ceil().max(1.0);
        let half = turned / steps / 2.0;
        let reach = -circle / cos(half);
        for step in 0..steps as u32 {
            let by = (f64::from(step) * 2.0 + 1.0) * half * bend.side;
            let normal = into.perp().rotate(DVec2::new(cos(by), sin(by)));
            let at = lowered(plan(bend.place) + normal * reach).with_y(bend.place.y);
            let at = space.stand(at).map_or(at, |ground| ground.place);
            line.push((index, at));
        }
    }
    line
}

/// Returns the direction of the line that touches two circles in the plane: of radius `|a.1|` and
/// `|b.1|`, to the left of the line where these are above 0. Where the circles overlap too far,
/// that between their middles.
fn tangent(a: (DVec2, f64), b: (DVec2, f64)) -> DVec2 {
    let way = b.0 - a.0;
    let (distance, direct) = (way.length(), way.normalize_or_zero());
    // The centre of each circle is that far to the left of the line, so that the line between the
    // centres climbs by the difference.
    let climb = b.1 - a.1;
    if climb.abs() >= distance {
        return direct;
    }
    let sin = -climb / distance;
    direct.rotate(DVec2::new((1.0 - sin * sin).sqrt(), sin))
}

fn sin(angle: f64) -> f64 {
    f64::from(ops::sin_cos(angle as f32).sin)
}

fn cos(angle: f64) -> f64 {
    f64::from(ops::sin_cos(angle as f32).cos)
}

fn angle(y: f64, x: f64) -> f64 {
    f64::from(ops::atan2(y as f32, x as f32))
}

impl NavMeshSpace<'_> {
    /// Visits points of the straight line from one point of the ground to another, the last one
    /// included: between two of them the line is nowhere more than [`GROUND_TOLERANCE`] above or
    /// below the ground. Visits `to` alone if the line leaves the ground.
    pub(super) fn ground_between(&self, from: Vec3, to: Vec3, visit: &mut dyn FnMut(Vec3)) {
        let (a, b) = (plan(from), plan(to));
        let way = b - a;
        let (mut polygons, mut is_level, mut level) = (Vec::new(), true, None);
        let ray = self.clear_ray(from, to, &mut |polygon| {
            polygons.push(polygon);
            let range = self.mesh().height_range(polygon);
            is_level &= *level.get_or_insert(range) == range;
        });
        let is_level = is_level && level.flatten().is_some_and(|[low, high]| low == high);
        let ends = [from, to].map(|end| self.stand(end).map_or(end.y, |ground| ground.place.y));
        if ray.is_none() || way == DVec2::ZERO || is_level {
            return visit(to.with_y(ends[1]));
        }
        polygons.sort_unstable();
        polygons.dedup();
        // Heights by the share of the line. Between crossed edges, and lines from the middle of a
        // polygon to its corners, the ground is straight.
        let mut heights = vec![(0.0, f64::from(ends[0])), (1.0, f64::from(ends[1]))];
        for polygon in polygons {
            let outline: Vec<DVec2> = self.mesh().outline(polygon).map(plan).collect();
            let edges = outline.iter().copied().zip(outline.iter().copied().cycle().skip(1));
            let middle = exact_plan(self.mesh().exact_middle(polygon));
            // Triangles are flat.
            let spoked = if outline.len() > 3 { outline.as_slice() } else { &[] };
            for (c, d) in edges.chain(spoked.iter().map(|&corner| (middle, corner))) {
                let across = way.perp_dot(d - c);
                let share = (c - a).perp_dot(d - c) / across;
                let along = (c - a).perp_dot(way) / across;
                if share > 0.0 && share < 1.0 && (0.0..=1.0).contains(&along) {
                    let at = lowered(a + way * share);
                    heights.push((share, f64::from(self.mesh().height_at(polygon, at))));
                }
            }
        }
        heights.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut kept = vec![0, heights.len() - 1];
        let mut pending = vec![(0, heights.len() - 1)];
        while let Some((first, last)) = pending.pop() {
            let ((s, low), (t, high)) = (heights[first], heights[last]);
            let off = |&(share, height): &(f64, f64)| {
                let expected = low + (high - low) * ((share - s) / (t - s).max(1e-12));
                (height - expected).abs()
            };
            let worst =
                (first + 1..last).max_by(|&i, &j| off(&heights[i]).total_cmp(&off(&heights[j])));
            if let Some(worst) = worst.filter(|&at| off(&heights[at]) > GROUND_TOLERANCE) {
                kept.push(worst);
                pending.extend([(first, worst), (worst, last)]);
            }
        }
        kept.sort_unstable();
        for &index in &kept[1..] {
            let (share, height) = heights[index];
            let flat = if share == 1.0 { to } else { lowered(a + way * share) };
            visit(flat.with_y(height as f32));
        }
    }
}

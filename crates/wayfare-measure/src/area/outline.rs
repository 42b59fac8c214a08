//! Outlines of pieces that lie side by side: their union, exactly.
//!
//! A side that belongs to one piece only is a border. Borders form closed rings with the ground on
//! their left, where x turns left into z. No coordinate is computed, so nothing is rounded.
//!
//! # Rings that touch themselves
//!
//! Where pieces touch at a corner only, several borders leave it. The ring continues along the
//! first one clockwise: the ground between belongs to the same island. So it never crosses itself.
//! A ring that comes twice to a corner is cut in two there. Hence a ring touches itself nowhere, as
//! the standard of simple features asks (OGC 06-103r4).

use std::collections::BTreeMap;
use std::fmt::Write;

use glam::DVec2;

use super::mosaic::{Corner, Mosaic};

/// A connected part of the ground: a border, and holes in it.
///
/// Example: [`WalkableArea`](super::WalkableArea).
#[derive(Clone, PartialEq, Debug)]
pub struct Outline {
    /// The corners around it, turning from x towards z; the first is not repeated.
    pub border: Vec<DVec2>,
    /// The corners around each hole, in the opposite direction.
    pub holes: Vec<Vec<DVec2>>,
    /// The number of the island that it bounds.
    pub(super) island: u32,
}

/// A ring of corners.
struct Ring {
    corners: Vec<DVec2>,
    /// Twice the area, negative for holes.
    doubled: f64,
    island: u32,
}

/// Returns the outlines of all islands.
pub(super) fn outlines(mosaic: &Mosaic, islands: &[u32]) -> Vec<Outline> {
    let mut rings = rings(mosaic, islands);
    // Large ones first, so that a hole finds the border around it before any that is within it.
    rings.sort_by(|a, b| a.island.cmp(&b.island).then(b.doubled.total_cmp(&a.doubled)));
    let (borders, holes): (Vec<Ring>, Vec<Ring>) =
        rings.into_iter().partition(|ring| ring.doubled > 0.0);
    let mut outlines: Vec<Outline> = borders
        .into_iter()
        .map(|ring| Outline { border: ring.corners, holes: Vec::new(), island: ring.island })
        .collect();
    for hole in holes {
        // An island has one border, unless it is wound over itself, as ramps between floors are.
        if let Some(outline) = outlines.iter_mut().find(|outline| outline.island == hole.island) {
            outline.holes.push(hole.corners);
        }
    }
    outlines
}

fn rings(mosaic: &Mosaic, islands: &[u32]) -> Vec<Ring> {
    // The borders that leave each corner, each with its piece.
    let mut leaving: BTreeMap<Corner, Vec<(Corner, u32)>> = BTreeMap::new();
    for (&[from, to], &piece) in &mosaic.sides {
        if mosaic.across([from, to]).is_none() {
            leaving.entry(from).or_default().push((to, piece));
        }
    }
    let mut rings = Vec::new();
    // For each corner its index in the ring.
    let mut places: Vec<Option<usize>> = vec![None; mosaic.corners.len()];
    while let Some((&first, borders)) = leaving.iter_mut().next() {
        let Some((mut to, piece)) = borders.pop() else {
            leaving.remove(&first);
            continue;
        };
        let island = islands[piece as usize];
        // The corners since the beginning, less the rings that were cut off.
        let mut way = vec![first];
        places[first as usize] = Some(0);
        loop {
            let (from, here) = (way.last().copied().unwrap_or(first), to);
            if let Some(begin) = places[here as usize] {
                let ring = way.split_off(begin);
                ring.iter().for_each(|corner| places[*corner as usize] = None);
                rings.extend(ring_of(mosaic, &ring, island));
                if begin == 0 {
                    break;
                }
            }
            places[here as usize] = Some(way.len());
            way.push(here);
            let Some(borders) = leaving.get_mut(&here) else { break };
            let back = mosaic.at(from) - mosaic.at(here);
            let turn =
                |&(next, _): &(Corner, u32)| clockwise(back, mosaic.at(next) - mosaic.at(here));
            let next =
                (0..borders.len()).min_by(|a, b| turn(&borders[*a]).total_cmp(&turn(&borders[*b])));
            // As many borders enter a corner as leave it: the ring ends where it started.
            let Some(next) = next else { break };
            to = borders.swap_remove(next).0;
            if borders.is_empty() {
                leaving.remove(&here);
            }
        }
    }
    rings
}

/// Returns the ring of these corners, without corners on a straight line between their neighbours.
fn ring_of(mosaic: &Mosaic, corners: &[Corner], island: u32) -> Option<Ring> {
    let corners: Vec<DVec2> = corners.iter().map(|corner| mosaic.at(*corner)).collect();
    let count = corners.len();
    let is_corner = |at: &usize| {
        let [a, b, c] = [count - 1, 0, 1].map(|ahead| corners[(at + ahead) % count]);
        (b - a).perp_dot(c - b) != 0.0
    };
    let mut kept: Vec<DVec2> = (0..count).filter(is_corner).map(|at| corners[at]).collect();
    let first = *kept.first()?;
    let sides = kept.iter().zip(kept.iter().cycle().skip(1));
    let doubled = sides.map(|(a, b)| (*a - first).perp_dot(*b - first)).sum();
    // The same ring whatever it began with.
    let order = |a: &DVec2, b: &DVec2| a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x));
    let least = (0..kept.len()).min_by(|a, b| order(&kept[*a], &kept[*b]))?;
    kept.rotate_left(least);
    (kept.len() >= 3).then_some(Ring { corners: kept, doubled, island })
}

/// Returns a number that grows with the angle from one direction to another, against the turn from
/// x towards z: 0 to 4.
fn clockwise(from: DVec2, to: DVec2) -> f64 {
    let scale = from.length() * to.length();
    let (cos, sin) = (from.dot(to) / scale, -from.perp_dot(to) / scale);
    // No angle at all would lead back along the border itself: a full turn.
    if sin > 0.0 || (sin == 0.0 && cos < 0.0) { 1.0 - cos } else { 3.0 + cos }
}

/// Outlines as well-known text: a `POLYGON`, a `MULTIPOLYGON` if there are several,
/// `POLYGON EMPTY` if there are none.
///
/// Example: [`WalkableArea`](super::WalkableArea).
#[must_use]
pub fn wkt<'a>(outlines: impl IntoIterator<Item = &'a Outline>) -> String {
    let mut polygons: Vec<String> = outlines.into_iter().map(polygon).collect();
    match polygons.len() {
        0 => "POLYGON EMPTY".to_owned(),
        1 => format!("POLYGON {}", polygons.remove(0)),
        _ => format!("MULTIPOLYGON ({})", polygons.join(", ")),
    }
}

fn polygon(outline: &Outline) -> String {
    let mut text = String::from("(");
    for (number, ring) in std::iter::once(&outline.border).chain(&outline.holes).enumerate() {
        text.push_str(if number > 0 { ", (" } else { "(" });
        for corner in ring.iter().chain(ring.first()) {
            // Corners have single precision: their shortest names are those of single numbers.
            let DVec2 { x, y } = corner;
            // Writing to a string cannot fail.
            let _ = write!(text, "{} {}, ", *x as f32, *y as f32);
        }
        text.truncate(text.trim_end_matches(", ").len());
        text.push(')');
    }
    text.push(')');
    text
}

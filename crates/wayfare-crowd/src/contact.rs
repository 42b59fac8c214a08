//! Bodies that would overlap are parted, and no move is made that makes two overlap.
//!
//! Reciprocal avoidance alone lets dense crowds overlap: if no velocity satisfies all half planes,
//! it takes the least bad one. Two stages follow it.
//!
//! 1. **Parting.** If two bodies would overlap after their moves, both moves are changed along the
//!    line between them, each by its share. All changes of a pass are made at once. The demands of
//!    several others on a body are averaged.
//! 2. **The proof.** Both bodies of a pair go straight, and at the same time. Their distance has
//!    its minimum where the derivative of a quadratic polynomial vanishes, so it is known exactly.
//!    If it is below `TOLERANCE` of the sum of the radii, and below the distance before the step,
//!    both moves are halved, and in the next round dropped. Pairs that overlapped already are
//!    exempt.
//!
//! # Why the rounds end, and why the result holds
//!
//! A move is shortened at most twice, so there are at most `2 · bodies` changes. After the last
//! round no pair fails. A pair that stands passes: its distance is the one before the step. So a
//! pair that has kept its distance once keeps it in every step, whatever the length of the step.
//!
//! Source of the first part: Weiss and others, Position-based multi-agent dynamics for real-time
//! crowd simulation, 2017.

use wide::f32x4;

use super::axes::Axes;
use super::cells::Body;
use super::moves::Moves;
use super::quad::{FourOf, LANES, first_lanes};

/// The part of the sum of two radii that no pair comes nearer than.
pub(super) const TOLERANCE: f32 = 0.995;

/// Pairs that begin a step nearer than this share of the sum of their radii are exempt from the
/// proof: bodies that were put into one point part only if each may come nearer to some others
/// meanwhile. No pair that was apart before comes so near.
pub(super) const OVERLAP: f32 = 0.98;

/// How much more than the average of the changes asked for is made.
pub const RELAXATION: f32 = 1.4;

/// The factors of a move, by the count of times it was shortened.
pub(super) const LENGTHS: [f32; 3] = [1.0, 0.5, 0.0];

/// Returns the share of a change that the first of two bodies makes.
#[inline]
pub fn share<V>(own: &Body<V>, other: &Body<V>) -> f32 {
    other.weight / (own.weight + other.weight)
}

/// Returns four of a list, from an index on, and the mask of those; those beyond its end are `own`.
#[inline]
fn four_of(touching: &[u32], from: usize, own: usize) -> ([usize; LANES], f32x4) {
    let place = |lane: usize| touching.get(from + lane).map_or(own, |&place| place as usize);
    ([place(0), place(1), place(2), place(3)], first_lanes(touching.len() - from))
}

/// Returns the move of a body after one pass of parting. `targets`: where all moves lead to; `by`:
/// its own.
#[inline]
pub fn parted<V: Moves>(
    bodies: &[Body<V>],
    targets: &[V],
    (own, by): (usize, V),
    touching: &[u32],
) -> V {
    let me = &bodies[own];
    let target = V::Four::splat(targets[own]);
    let (mut change, mut count) = (V::ZERO, 0u32);
    for from in (0..touching.len()).step_by(LANES) {
        let (places, counts) = four_of(touching, from, own);
        let [a, b, c, d] = places.map(|place| &bodies[place]);
        let offset = target - V::Four::lanes(places.map(|place| targets[place]));
        let sum = f32x4::splat(me.radius) + f32x4::new([a.radius, b.radius, c.radius, d.radius]);
        let squared = offset.length_squared();
        let overlaps = squared.simd_lt(sum * sum) & counts;
        if !overlaps.any() {
            continue;
        }
        let bits = overlaps.to_bitmask();
        for lane in (0..LANES).filter(|lane| bits >> lane & 1 > 0) {
            let (other, sum) = (&bodies[places[lane]], sum.as_array()[lane]);
            let distance = squared.as_array()[lane].sqrt();
            let direction = if distance > 0.0 {
                offset.lane(lane) / distance
            } else {
                V::apart(me.number, other.number)
            };
            change += direction * ((sum - distance) * share(me, other));
            count += 1;
        }
    }
    if count == 0 {
        return by;
    }
    (by + change * (RELAXATION / count as f32).min(1.0)).clamp_length_max(me.reach)
}

/// Returns whether a body may make its move while others make theirs.
#[inline]
pub(super) fn keeps_apart<V: Axes>(
    bodies: &[Body<V>],
    moves: &[V],
    own: usize,
    touching: &[u32],
) -> bool {
    let me = &bodies[own];
    let (at, by) = (V::Four::splat(me.at), V::Four::splat(moves[own]));
    (0..touching.len()).step_by(LANES).all(|from| {
        let (places, counts) = four_of(touching, from, own);
        let [a, b, c, d] = places.map(|place| &bodies[place]);
        let [e, f, g, h] = places;
        let offset = V::Four::lanes([a.at, b.at, c.at, d.at]) - at;
        let way = V::Four::lanes([moves[e], moves[f], moves[g], moves[h]]) - by;
        let (zero, one) = (f32x4::ZERO, f32x4::ONE);
        let before = offset.length_squared();
        let towards = offset.dot(way);
        let closes = towards.simd_lt(zero) & counts;
        let nearest = (-towards / way.length_squared()).fast_min(one);
        let after = (offset + way * nearest).length_squared();
        let sum = f32x4::splat(me.radius) + f32x4::new([a.radius, b.radius, c.radius, d.radius]);
        let (least, overlap) = (sum * f32x4::splat(TOLERANCE), sum * f32x4::splat(OVERLAP));
        let fails = after.simd_lt((least * least).fast_min(before))
            & before.simd_ge(overlap * overlap)
            & closes;
        !fails.any()
    })
}

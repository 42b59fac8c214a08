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

use super::axes::Axes;
use super::moves::Moves;
use super::near::Body;

/// Passes of parting.
pub(super) const PASSES: usize = 2;

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

/// Returns the move of a body after one pass of parting.
#[inline]
pub fn parted<V: Moves>(bodies: &[Body<V>], moves: &[V], own: usize, touching: &[u32]) -> V {
    let me = &bodies[own];
    let (mut change, mut count) = (V::ZERO, 0u32);
    for &place in touching {
        let other = &bodies[place as usize];
        let offset = (me.at + moves[own]) - (other.at + moves[place as usize]);
        let sum = me.radius + other.radius;
        if let Some(distance) = V::overlap(offset, sum) {
            let direction =
                if distance > 0.0 { offset / distance } else { V::apart(me.number, other.number) };
            change += direction * ((sum - distance) * share(me, other));
            count += 1;
        }
    }
    if count == 0 {
        return moves[own];
    }
    (moves[own] + change * (RELAXATION / count as f32).min(1.0)).clamp_length_max(me.reach)
}

/// Returns whether two bodies may make these moves at the same time.
#[inline]
pub(super) fn keeps_apart<V: Axes>(
    [own, other]: [&Body<V>; 2],
    [own_move, other_move]: [V; 2],
) -> bool {
    let (offset, way) = (other.at - own.at, other_move - own_move);
    let before = offset.length_squared();
    let towards = offset.dot(way);
    let after = if towards >= 0.0 {
        return true; // they part
    } else {
        let length_squared = way.length_squared();
        let nearest = (-towards / length_squared).min(1.0);
        (offset + way * nearest).length_squared()
    };
    let sum = own.radius + other.radius;
    let (least, overlap) = (sum * TOLERANCE, sum * OVERLAP);
    after >= (least * least).min(before) || before < overlap * overlap
}

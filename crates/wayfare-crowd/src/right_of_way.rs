//! Who goes first where bodies are stuck.
//!
//! Two streams that meet in a door stand for ever if both press on, and the crowd before it keeps
//! either from going back. So directions take turns. A beam turns round once in [`ROUND`] seconds;
//! of two stuck bodies the one whose direction is nearer to the beam's has the right of way.
//! Directions rank instead of bodies, so that a whole stream passes at once.
//!
//! Stuck bodies press, the first in rank before the others. Whoever bars the way of one makes way:
//! straight away from that one, or in its own direction if it gets on there and away from that one.
//! It presses with the same rank on those who bar that move. So a chain of any length gives way to
//! the first of a stream, from its far end on. Each body makes way for one other at most, the first
//! in rank that comes to it.
//!
//! Own directions keep a queue in line: those who come to a door along the wall would push past it
//! all who stand before it. But bodies that do not get on may be an arch before the door, which
//! only opens if one of them moves straight away.
//!
//! A body that will reach its goal in a moment neither presses nor makes way: it makes room as
//! anybody does. Otherwise bodies whose goals touch would push each other from them for ever. Who
//! has settled round a goal stays there when others with that goal come. Bodies whose model of
//! steering settles who goes first do not press, but make way. Bodies that move as told, and those
//! that hold their places, do neither: to press on them is in vain.
//!
//! O(b · c) for b stuck bodies and bodies that make way, each with c others in the cells around it;
//! nothing while nobody is stuck.
//!
//! Source: Okumura, Machida, Défago and Tamura, Priority inheritance with backtracking for
//! iterative multi-agent path finding, 2022, for cells; here without its backtracking.

use std::f32::consts::{FRAC_1_SQRT_2, TAU};

use wayfare_core::ops::{SinCos, sin_cos};
use wide::f32x4;

use super::cells::{Body, Cells};
use super::input::Manner;
use super::moves::Moves;
use super::program::greater;
use super::quad::FourOf;
use super::store::{Store, Want};
use super::stuck::{PRESSES, SHORT, TURN, turn};

/// The time in which each direction has the right of way once, in seconds.
const ROUND: f64 = 25.0;

/// A body bars another one if the gap between them is at most this part of the sum of their radii.
const GAP: f32 = 0.5;

/// A body that prefers less than this share of its largest speed is almost at its goal.
const UNDER_WAY: f32 = 0.6;

/// A body gets on in the direction that it prefers above this share of its preferred speed.
const GETS_ON: f32 = 0.1;

/// What the right of way asks of a body.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) enum Way<V> {
    /// Nothing.
    #[default]
    Own,
    /// To press on in the direction that it prefers.
    Presses,
    /// Nothing: it presses on a body that makes no way.
    IsBarred,
    /// To move out of the way of another one in this direction, of length 1.
    Aside(V),
}

impl<V: Moves> Way<V> {
    /// Returns for how many seconds a body looks ahead.
    #[inline]
    pub(super) fn horizon(self, want: &Want<V>) -> f32 {
        let is_short = want.presses && want.stuck >= PRESSES && self != Self::IsBarred;
        if is_short { want.horizon * SHORT } else { want.horizon }
    }

    /// Returns the turn of a body that cannot move as it prefers, in radians to the right.
    #[inline]
    pub(super) fn turn(self, want: &Want<V>, number: u32, period: u64) -> f32 {
        match self {
            Self::Presses => TURN,
            Self::Aside(_) => 0.0,
            Self::Own | Self::IsBarred => turn(want.stuck, number, period),
        }
    }
}

/// The bodies of a step, in the order of cells.
#[derive(Clone, Copy)]
pub(super) struct Sorted<'s, V> {
    pub(super) cells: &'s Cells,
    pub(super) store: &'s Store<V>,
    /// See [`Manner`].
    pub(super) manners: &'s [Manner<V>],
}

impl<V: Moves> Sorted<'_, V> {
    fn goal(&self, own: u32) -> Option<V> {
        self.manners.get(own as usize).and_then(|manner| manner.goal)
    }

    /// Returns whether a body makes way for one with that goal.
    fn makes_way(&self, own: u32, goal: Option<V>) -> bool {
        let want = &self.store.wants[own as usize];
        let is_near = |(its, goal): (V, V)| {
            its.distance(goal) <= 2.0 * self.store.bodies[own as usize].radius
        };
        let rests_there =
            |manner: &Manner<V>| manner.is_settled && manner.goal.zip(goal).is_some_and(is_near);
        (is_under_way(want) || want.preferred == V::ZERO)
            && !self.manners.get(own as usize).is_some_and(rests_there)
    }
}

/// A rank and a body as one integer: the highest rank first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Ranked(u64);

impl Ranked {
    #[inline]
    fn of(rank: f32, own: u32) -> Self {
        // Floats in their total order, as signed integers, then as unsigned ones from the top.
        let bits = rank.to_bits();
        let below_zero = (bits as i32 >> 31) as u32;
        let ascending = bits ^ (below_zero >> 1) ^ 1 << 31;
        Self(u64::from(!ascending) << 32 | u64::from(own))
    }

    #[inline]
    fn own(self) -> u32 {
        self.0 as u32
    }

    /// Returns whether two ranks are equal.
    #[inline]
    fn is_equal(self, other: Self) -> bool {
        self.0 >> 32 == other.0 >> 32
    }
}

/// The right of way of a step, and its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct RightOfWay<V> {
    /// None if nobody is stuck.
    ways: Vec<Way<V>>,
    /// Stuck bodies by rank.
    stuck: Vec<Ranked>,
    queue: Vec<(u32, V)>,
}

impl<V: Moves> RightOfWay<V> {
    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.ways.clear();
    }

    /// Returns whether nothing is asked of anybody.
    pub(super) fn is_empty(&self) -> bool {
        self.ways.is_empty()
    }

    /// Returns what is asked of a body.
    #[inline]
    pub(super) fn of(&self, own: usize) -> Way<V> {
        self.ways.get(own).copied().unwrap_or_default()
    }

    /// Finds who makes way for whom, at a time in seconds. `sees` tells whether two bodies
    /// interact; `widest` is the largest radius.
    pub(super) fn find(
        &mut self,
        sorted: Sorted<'_, V>,
        sees: Option<&impl Fn(usize, usize) -> bool>,
        (time, widest): (f64, f32),
    ) {
        let beam = sin_cos((time / ROUND).fract() as f32 * TAU);
        let presses = |want: &Want<V>| want.presses && want.stuck >= PRESSES && is_under_way(want);
        let pressing = (0..).zip(&sorted.store.wants).filter(|(_, want)| presses(want));
        let ranked =
            pressing.map(|(own, want)| Ranked::of(rank(direction(want.preferred), beam), own));
        let mut stuck = std::mem::take(&mut self.stuck);
        stuck.clear();
        stuck.extend(ranked);
        stuck.sort_unstable();
        let number = |it: &Ranked| sorted.store.bodies[it.own() as usize].number;
        for equals in stuck.chunk_by_mut(|a, b| a.is_equal(*b)).filter(|equals| equals.len() > 1) {
            equals.sort_unstable_by_key(number);
        }
        self.ways.clear();
        self.ways.resize(sorted.store.bodies.len(), Way::Own);
        for first in stuck.iter().map(|it| it.own()) {
            if self.ways[first as usize] == Way::Own {
                self.press(first, sorted, sees, widest);
            }
        }
        self.stuck = stuck;
    }

    /// Lets a body press, with all that make way for it.
    fn press(
        &mut self,
        first: u32,
        sorted: Sorted<'_, V>,
        sees: Option<&impl Fn(usize, usize) -> bool>,
        widest: f32,
    ) {
        let Store { points, bodies, wants, .. } = sorted.store;
        let Self { ways, queue, .. } = self;
        let goal = sorted.goal(first);
        ways[first as usize] = Way::Presses;
        queue.clear();
        queue.push((first, direction(wants[first as usize].preferred)));
        let mut next = 0;
        while let Some(&(own, way)) = queue.get(next) {
            next += 1;
            let me = &bodies[own as usize];
            let reach = (me.radius + widest) * (1.0 + GAP);
            let strip = Strip::of(reach, me.radius + widest, way);
            let may_bar = |offset: V::Four| strip.has(offset);
            sorted.cells.visit_within((points, me.at), strip.block, may_bar, |other| {
                let it = &bodies[other as usize];
                let sees = || sees.is_none_or(|sees| sees(own as usize, other as usize));
                // Of the widest bodies, the strip has no others.
                if it.radius < widest && !bars(it, me, way) || !sees() {
                    return;
                }
                if wants[other as usize].holds() {
                    if own == first {
                        ways[first as usize] = Way::IsBarred;
                    }
                } else if ways[other as usize] == Way::Own && sorted.makes_way(other, goal) {
                    let way = making_way(it, &wants[other as usize], direction(it.at - me.at));
                    ways[other as usize] = Way::Aside(way);
                    queue.push((other, way));
                }
            });
        }
    }
}

/// Returns the direction in which a body makes way for another one. `away`: straight away from that
/// one.
fn making_way<V: Moves>(it: &Body<V>, want: &Want<V>, away: V) -> V {
    let own = want.preferred;
    let gets_on = it.velocity.dot(own) > own.length_squared() * GETS_ON && !want.is_standing();
    if gets_on && own.dot(away) > 0.0 { direction(own) } else { away }
}

fn is_under_way<V: Moves>(want: &Want<V>) -> bool {
    want.preferred.length() > want.max_speed * UNDER_WAY
}

/// Returns the direction of a vector that is not zero.
fn direction<V: Moves>(vector: V) -> V {
    vector / vector.length().max(f32::MIN_POSITIVE)
}

/// Returns the rank of a direction under a beam at that angle: of opposite ones that of one is the
/// negative of the other's.
fn rank<V: Moves>(direction: V, SinCos { sin, cos }: SinCos) -> f32 {
    let [x, y, z] = direction.coordinates();
    x * cos + y * sin + z * (cos + sin) * FRAC_1_SQRT_2
}

/// The strip that a body sweeps in a direction, as wide as it and the widest other one.
struct Strip<V: Moves> {
    way: V::Four,
    reach_squared: f32x4,
    sum_squared: f32x4,
    /// The least and the greatest coordinate of its points, by axis.
    block: [(f32, f32); 3],
}

impl<V: Moves> Strip<V> {
    fn of(reach: f32, sum: f32, way: V) -> Self {
        let [reach_squared, sum_squared] = [reach, sum].map(|it| f32x4::splat(it * it));
        let (parts, mut block) = (way.coordinates(), [(0.0, 0.0); 3]);
        for (part, block) in parts.into_iter().zip(&mut block).take(V::AXES as usize) {
            let (along, across) = (reach * part, sum * greater(1.0 - part * part, 0.0).sqrt());
            *block = (along.min(0.0) - across, along.max(0.0) + across);
        }
        Self { way: V::Four::splat(way), reach_squared, sum_squared, block }
    }

    /// Returns the mask of bodies that may [bar](bars) the one at these offsets from it.
    #[inline]
    fn has(&self, offset: V::Four) -> f32x4 {
        let (along, squared) = (offset.dot(self.way), offset.length_squared());
        along.simd_gt(f32x4::ZERO)
            & squared.simd_le(self.reach_squared)
            & (squared - along * along).simd_le(self.sum_squared)
    }
}

/// Returns whether the first of two bodies is just ahead of the second one, in the strip that it
/// sweeps in a direction.
fn bars<V: Moves>(other: &Body<V>, me: &Body<V>, way: V) -> bool {
    let (offset, sum) = (other.at - me.at, me.radius + other.radius);
    let (along, squared, reach) = (offset.dot(way), offset.length_squared(), sum * (1.0 + GAP));
    along > 0.0 && squared <= reach * reach && squared - along * along <= sum * sum
}

//! Where a body may be a tick later.

use std::sync::Arc;

use glam::Vec3;
use wayfare_core::space::{MoveRules, ProfileId, Space};

use super::SLACK;
use super::walls::sweeps;
use crate::agent::leg_length;
use crate::simulation::{AgentRecord, Environment, Stretch};

/// The way out of an obstacle that a body was built into: a straight line over ground that was free
/// before.
#[derive(Clone, Debug)]
pub(super) struct WayOut<W> {
    pub(super) from: Vec3,
    pub(super) exit: Vec3,
    /// The world before the body was built in; `None`, where the audit began later.
    pub(super) world: Option<Arc<W>>,
}

/// The allowed moves of a body from one tick to the next.
pub(super) struct Hops<'w, W: Environment> {
    pub(super) world: &'w W,
    pub(super) profile: ProfileId,
    /// How far a body gets in a tick.
    pub(super) reach: f32,
    /// Whether the world changed in this tick.
    pub(super) is_edited: bool,
    /// The way out that the body is on, or was on in the tick before.
    pub(super) way_out: Option<&'w WayOut<W>>,
}

impl<W: Environment> Hops<'_, W> {
    pub(super) fn is_legal(
        &self,
        before: &AgentRecord<W::State>,
        now: &AgentRecord<W::State>,
    ) -> bool {
        let space = self.world.space(self.profile);
        if before.at == now.at
            || self.sweeps(before.at, now.at)
            || self.rounds_a_corner(before, now)
        {
            return true;
        }
        let place = |state| space.position(state);
        match before.stretch {
            _ if now.stretch == Stretch::Escape => self.is_on_way_out(now.at),
            // Along the same move, or back; or past its end to the next leg.
            Stretch::Move { from, to } => match now.stretch {
                Stretch::Move { from: a, to: b } if (a, b) == (from, to) => {
                    // An edit behind the body may have changed the height of where it began.
                    let begins = [place(from), before.at];
                    self.may_finish(from, to)
                        && begins.into_iter().any(|begin| is_between(begin, place(to), now.at))
                }
                Stretch::Back { to: back } if back == from => {
                    is_between(place(from), before.at, now.at)
                }
                // To the end, whose height an edit has changed.
                Stretch::Back { to: end } if end == to && self.is_edited => {
                    self.may_finish(from, to) && is_between(place(to), before.at, now.at)
                }
                _ => {
                    now.at.distance(place(from)) < SLACK
                        || before.at.distance(place(from)) < SLACK && self.goes_on(before.at, now)
                        || self.may_finish(from, to) && self.goes_on(place(to), now)
                        // Back in the very tick in which the move became impossible.
                        || self.is_edited && space.check(from).is_ok() && self.goes_on(place(from), now)
                }
            },
            Stretch::Back { to } => match now.stretch {
                Stretch::Back { to: back } if back == to => {
                    is_between(place(to), before.at, now.at)
                }
                _ => self.goes_on(place(to), now),
            },
            // Out of the obstacle, and on.
            Stretch::Escape => {
                self.is_on_way_out(now.at)
                    || self.way_out.is_some_and(|way| {
                        self.is_on_way_out(way.exit) && self.goes_on(way.exit, now)
                    })
            }
            Stretch::Standing | Stretch::Clear | Stretch::Link(_) => self.goes_on(before.at, now),
        }
    }

    /// Returns whether a body may finish a move under way: a legal one, or one whose beginning was
    /// blocked behind it.
    fn may_finish(&self, from: W::State, to: W::State) -> bool {
        let space = self.world.space(self.profile);
        space.check_move(from, to).is_ok() || space.check(from).is_err() && space.check(to).is_ok()
    }

    /// Returns whether a point lies on a way out over ground that was free before the body was
    /// built in.
    fn is_on_way_out(&self, at: Vec3) -> bool {
        self.way_out.is_some_and(|way| {
            let was_free =
                |world: &Arc<W>| sweeps(world.as_ref(), self.profile, way.from, way.exit);
            is_between(way.from, way.exit, at) && way.world.as_ref().is_none_or(was_free)
        })
    }

    /// Returns whether a body that is at a point may be where it is now without having passed the
    /// end of more than one move.
    fn goes_on(&self, point: Vec3, now: &AgentRecord<W::State>) -> bool {
        let space = self.world.space(self.profile);
        if point.distance(now.at) < SLACK || self.sweeps(point, now.at) {
            return true;
        }
        match now.stretch {
            Stretch::Move { from, to } => {
                let (a, b) = (space.position(from), space.position(to));
                let reaches =
                    point.distance(a) < SLACK || is_between(a, b, point) || self.sweeps(point, a);
                reaches && space.check_move(from, to).is_ok() && is_between(a, b, now.at)
            }
            _ => false,
        }
    }

    /// Returns whether the sweep is clear along the points that lay ahead of the body, and round
    /// the one where its stretch begins.
    fn rounds_a_corner(&self, before: &AgentRecord<W::State>, now: &AgentRecord<W::State>) -> bool {
        // A path that is new in this tick may turn behind the last of these points.
        let arrives = |here: Vec3, gone: f32| {
            let is_clear = |points: &[Vec3]| {
                let pairs = || points.windows(2).map(|pair| (pair[0], pair[1]));
                gone + pairs().map(|(a, b)| leg_length::<W::Space<'_>>(a, b)).sum::<f32>()
                    <= self.reach
                    && pairs().all(|(a, b)| self.sweeps(a, b))
            };
            is_clear(&[here, now.at]) || is_clear(&[here, now.begin, now.at])
        };
        let (mut here, mut gone) = (before.at, 0.0);
        for &corner in &before.ahead {
            if arrives(here, gone) {
                return true;
            }
            gone += leg_length::<W::Space<'_>>(here, corner);
            if gone > self.reach || !self.sweeps(here, corner) {
                return false;
            }
            here = corner;
        }
        arrives(here, gone)
    }

    fn sweeps(&self, from: Vec3, to: Vec3) -> bool {
        sweeps(self.world, self.profile, from, to)
    }
}

/// Returns whether a point lies on the segment between two others.
fn is_between(a: Vec3, b: Vec3, point: Vec3) -> bool {
    let length = a.distance(b);
    a.distance(point) + point.distance(b) - length < SLACK.max(length * 1e-3)
}

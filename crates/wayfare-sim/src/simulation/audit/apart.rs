//! Bodies that avoid each other stay apart.

use glam::Vec3;
use wayfare_core::space::LineOfSight;
use wayfare_crowd::AvoidanceQuality;

use super::overlaps::Overlaps;
use super::{Audit, AuditFault, Quantity, SLACK};
use crate::simulation::roster::evasion::quarry;
use crate::simulation::{AgentRecord, AvoidanceManner, Environment, Stretch, TickRecord};

/// The part of the sum of two radii that no two bodies which avoid each other come nearer than.
const APART: f32 = 0.99;

/// Bodies whose heights differ by less than this, in metres, are surely on one floor.
const ONE_FLOOR: f32 = 1.0;

impl<W: Environment + Clone> Audit<W> {
    /// Fails if bodies that avoid each other, and were apart before the tick, are not apart after
    /// it. Notes those that were in each other before, and still are.
    pub(super) fn check_distances(
        &mut self,
        now: &TickRecord<W::State>,
        world: &W,
    ) -> Result<(), AuditFault> {
        let mut overlaps = std::mem::take(&mut self.overlaps);
        let verdict = self.compare_distances(now, world, &mut overlaps);
        self.overlaps = overlaps;
        verdict
    }

    fn compare_distances(
        &self,
        now: &TickRecord<W::State>,
        world: &W,
        overlaps: &mut Overlaps,
    ) -> Result<(), AuditFault> {
        let loose = now.agents.iter().filter(|record| record.is_loose);
        let mut pairs: Vec<_> = loose
            .filter_map(|record| {
                let before = &self.known.get(&record.id)?.record;
                before.is_loose.then_some((before, record))
            })
            .collect();
        pairs.sort_by(|a, b| a.1.at.x.total_cmp(&b.1.at.x));
        let widest = pairs.iter().map(|pair| pair.1.limits.radius).fold(0.0, f32::max);
        let flat = |a: Vec3, b: Vec3| a.with_y(0.0).distance(b.with_y(0.0));
        let floats = |record: &AgentRecord<_>| world.is_afloat(record.profile, record.at);
        let storey = |record: &AgentRecord<_>| ONE_FLOOR.min(world.body_height(record.profile));
        for (place, &(before, first)) in pairs.iter().enumerate() {
            let reach = first.at.x + first.limits.radius + widest;
            let near = pairs[place + 1..].iter().take_while(|other| other.1.at.x <= reach);
            for &(other_before, second) in near {
                let least = APART * (first.limits.radius + second.limits.radius);
                if flat(first.at, second.at) >= least {
                    continue; // in space they are no nearer
                }
                let float = floats(first);
                if [second, before, other_before].iter().any(|record| floats(record) != float) {
                    continue; // walkers do not stop for flyers or swimmers
                }
                let apart = |a: Vec3, b: Vec3| if float { a.distance(b) } else { flat(a, b) };
                let distance = apart(first.at, second.at);
                let is_one_floor =
                    float || (first.at.y - second.at.y).abs() < storey(first).min(storey(second));
                let were_apart = apart(before.at, other_before.at) >= least;
                let is_after = |one: &AgentRecord<_>, other| quarry(one.activity) == Some(other);
                let meet = [(before, second.id), (first, second.id)]
                    .into_iter()
                    .chain([(other_before, first.id), (second, first.id)])
                    .any(|(one, other)| is_after(one, other));
                let minds = first.avoidance.minds(&second.avoidance) && !meet;
                if !(distance < least && is_one_floor && minds) {
                    continue;
                }
                let (tick, first, second) = (now.tick, first.id, second.id);
                if were_apart {
                    return Err(AuditFault::Overlap { tick, first, second, distance, least });
                }
                overlaps.note(tick, (first, second), least / APART - distance);
            }
        }
        Ok(())
    }

    /// Fails if a body that steps aside of its rail crosses a wall, or goes faster for it.
    pub(super) fn check_asides(
        &self,
        now: &TickRecord<W::State>,
        world: &W,
    ) -> Result<(), AuditFault> {
        if W::AVOIDING != AvoidanceManner::AlongRails {
            return Ok(());
        }
        for record in &now.agents {
            let Some(before) = self.known.get(&record.id).map(|known| &known.record) else {
                continue;
            };
            // Along one move: round a corner of it the line between two ticks may cut the corner.
            let is_on_move = matches!(record.stretch, Stretch::Move { .. });
            let is_aside = record.aside != Vec3::ZERO || before.aside != Vec3::ZERO;
            if is_aside && is_on_move && record.stretch == before.stretch {
                let [from, to] = [before, record].map(|record| record.at + record.aside);
                if !world.space(record.profile).segment_is_clear(from, to) {
                    return Err(AuditFault::crossed_wall(now.tick, [(before, from), (record, to)]));
                }
                let (seconds, limits) = (now.tick_seconds, &record.limits);
                let value = from.distance(to) / seconds;
                let slowed = before.speed - 0.9 * limits.acceleration * seconds;
                let most = limits.max_speed.max(slowed) * 1.01 + SLACK / seconds;
                if value > most {
                    let (tick, agent, quantity) = (now.tick, record.id, Quantity::Speed);
                    return Err(AuditFault::TooMuch { tick, agent, quantity, value, most });
                }
            }
        }
        Ok(())
    }

    /// Fails if a body touches another that it has come up to on the same move, in the same
    /// direction. It may pass through one that stands at the end of its path. Applies where
    /// bodies keep to their rails and avoid each other along them.
    pub(super) fn check_followers(&self, now: &TickRecord<W::State>) -> Result<(), AuditFault> {
        if W::AVOIDING != AvoidanceManner::AlongRails {
            return Ok(());
        }
        let on_move = |record: &AgentRecord<W::State>| match record.stretch {
            Stretch::Move { from, to } => Some((from, to)),
            _ => None,
        };
        let keeps = |record: &AgentRecord<_>| {
            record.avoidance.quality != AvoidanceQuality::Off && record.inside.is_none()
        };
        let mut moves: Vec<_> = now
            .agents
            .iter()
            .filter_map(|record| {
                let before = &self.known.get(&record.id)?.record;
                let is_kept = keeps(record) && keeps(before);
                is_kept.then_some((on_move(record)?, before, record))
            })
            .collect();
        let gone = |record: &AgentRecord<_>| record.begin.distance(record.at);
        moves.sort_by(|a, b| a.0.cmp(&b.0).then(gone(a.2).total_cmp(&gone(b.2))));
        for (place, &(on, before, first)) in moves.iter().enumerate() {
            let on_same = moves[place + 1..].iter().take_while(|other| other.0 == on);
            for &(_, other_before, second) in on_same {
                let least = APART * (first.limits.radius + second.limits.radius);
                let distance = first.at.distance(second.at);
                let were_apart = before.at.distance(other_before.at) >= least;
                let is_after = |one: &AgentRecord<_>, other| quarry(one.activity) == Some(other);
                let is_let = [(before, other_before), (first, second)].iter().any(|&(one, two)| {
                    let stands = two.is_parked || one.past == Some(two.id);
                    stands || is_after(one, two.id) || is_after(two, one.id)
                });
                let minds = first.avoidance.minds(&second.avoidance) && !is_let;
                if distance < least && were_apart && minds {
                    let (tick, first, second) = (now.tick, first.id, second.id);
                    return Err(AuditFault::Overlap { tick, first, second, distance, least });
                }
            }
        }
        Ok(())
    }
}

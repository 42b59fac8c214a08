//! One step of a crowd, part by part.

use glam::{Vec2, Vec3};

use super::agent::from_above;
use super::contact::{LENGTHS, PASSES, keeps_apart, parted, share};
use super::grounds::Grounds;
use super::lanes::{CHUNK, Lane, over_chunks};
use super::model::Steerings;
use super::near::{Body, Looking, Near};
use super::settle::{covers, settles};
use super::solver::{Crowd, CrowdReport, Lead, Member};
use super::steering::{MOST_NEIGHBOURS, MOST_WALLS, SeenBody, SteeringView, WallPoint};
use super::stuck::{GIVES_IN_FOR, SLOW, STUCK_AFTER, turn};
use super::wall_points::{along_wall, wall_points};
use super::{AvoidanceQuality, CrowdAgent, WhenStanding};

/// The properties of a body, besides its [`Body`], that others see, in the same order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    pub(super) goal: Option<Vec2>,
    layers: u32,
    mask: u32,
    low: f32,
    high: f32,
    pub(super) is_settled: bool,
    pub(super) is_standing: bool,
    /// Whether it follows a rail.
    pub(super) is_led: bool,
    /// The remaining distance on the rail; infinite without one.
    left: f32,
    passes: Option<u32>,
    group: Option<u32>,
}

/// Maxima over all members.
#[derive(Clone, Copy, Debug)]
struct Extent {
    radius: f32,
    speed: f32,
    reach: f32,
    mean_radius: f32,
    /// Layers that all avoid, and heights that all cover.
    mask: u32,
    low: f32,
    high: f32,
    /// Whether each body interacts with each other one.
    all_interact: bool,
}

impl Extent {
    const NONE: Self = Self {
        radius: 0.0,
        speed: 0.0,
        reach: 0.0,
        mean_radius: 0.0,
        mask: u32::MAX,
        low: f32::NEG_INFINITY,
        high: f32::INFINITY,
        all_interact: false,
    };
}

/// Memory of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct CrowdScratch {
    near: Near,
    /// The indices of the present members.
    present: Vec<u32>,
    order: Vec<u32>,
    bodies: Vec<Body<Vec2>>,
    /// The members in the order of the bodies.
    members: Vec<Member>,
    manners: Vec<Manner>,
    lanes: Vec<Lane>,
    chosen: Vec<Chosen>,
    moves: Vec<Vec2>,
    parted: Vec<Vec2>,
    /// How often each move was shortened.
    cuts: Vec<u8>,
    failing: Vec<u32>,
    queue: Vec<u32>,
}

/// The choice of a body before contacts count.
#[derive(Clone, Copy, Debug, Default)]
struct Chosen {
    by: Vec2,
    is_settled: bool,
    by_wall: bool,
    in_wall: bool,
    /// The move is the one along its rail.
    is_led: bool,
}

impl Crowd {
    /// Moves all bodies by `dt` seconds.
    #[doc(hidden)]
    pub fn step_on(
        &mut self,
        steering: &impl Steerings,
        grounds: &impl Grounds,
        dt: f32,
    ) -> CrowdReport {
        let extent = self.sort(dt);
        self.choose(steering, grounds, extent, dt);
        self.part();
        self.prove_walls(grounds);
        self.prove_distances(grounds);
        self.time += f64::from(dt);
        self.advance(dt)
    }

    /// Sorts the bodies into cells.
    fn sort(&mut self, dt: f32) -> Extent {
        let (members, scratch) = (&self.members, &mut self.scratch);
        scratch.present.clear();
        let mut extent = Extent::NONE;
        for (number, member) in (0u32..).zip(members) {
            let Some(member) = member else { continue };
            let agent = &member.agent;
            scratch.present.push(number);
            extent.radius = extent.radius.max(agent.radius);
            extent.mean_radius += agent.radius;
            let reach = reach(member, dt);
            extent.reach = extent.reach.max(reach);
            extent.speed = extent.speed.max(agent.max_speed).max(reach / dt);
            extent.mask &= agent.mask;
            extent.low = extent.low.max(agent.position.y);
            extent.high = extent.high.min(agent.position.y + agent.height);
        }
        extent.mean_radius /= scratch.present.len().max(1) as f32;
        let present = &scratch.present;
        let agent = |number: u32| members[number as usize].as_ref().map(|member| &member.agent);
        let at =
            |&number: &u32| agent(number).map_or(Vec2::ZERO, |agent| from_above(agent.position));
        let range = self.settings.range;
        let least = (3.0 * extent.mean_radius).max(range / 32.0);
        scratch.near.sort((least, range), &present.iter().map(at), &mut scratch.order);
        scratch.bodies.clear();
        scratch.members.clear();
        scratch.manners.clear();
        extent.all_interact = extent.low < extent.high;
        for &place in &scratch.order {
            let number = present[place as usize];
            let Some(member) = &members[number as usize] else { continue };
            let agent = &member.agent;
            let is_standing = agent.preferred == Vec3::ZERO || member.is_settled;
            scratch.bodies.push(Body {
                at: from_above(agent.position),
                velocity: from_above(agent.velocity),
                radius: agent.radius,
                weight: weight(agent, is_standing),
                reach: reach(member, dt),
                number,
            });
            extent.all_interact &= agent.layers & extent.mask != 0 && member.passes.is_none();
            scratch.members.push(*member);
            scratch.manners.push(Manner {
                goal: agent.goal.map(from_above),
                layers: agent.layers,
                mask: agent.mask,
                low: agent.position.y,
                high: agent.position.y + agent.height,
                is_settled: member.is_settled,
                is_standing,
                is_led: member.lead.is_some(),
                left: member.lead.map_or(f32::INFINITY, |lead| lead.left),
                passes: member.passes,
                group: member.group,
            });
        }
        let count = scratch.bodies.len();
        scratch.lanes.resize_with(count.div_ceil(CHUNK), Lane::default);
        scratch.chosen.resize(count, Chosen::default());
        scratch.moves.resize(count, Vec2::ZERO);
        scratch.parted.resize(count, Vec2::ZERO);
        scratch.cuts.clear();
        scratch.cuts.resize(count, 0);
        extent
    }

    /// Chooses a velocity for each body.
    fn choose(
        &mut self,
        steering: &impl Steerings,
        grounds: &impl Grounds,
        extent: Extent,
        dt: f32,
    ) {
        let settings = self.settings;
        let period = (self.time / GIVES_IN_FOR) as u64;
        let CrowdScratch { near, bodies, members, manners, lanes, chosen, moves, .. } =
            &mut self.scratch;
        let (near, bodies) = (&*near, &bodies[..]);
        let (members, manners) = (&members[..], &manners[..]);
        over_chunks(lanes, chosen, |first, lane, chosen| {
            lane.clear();
            for (own, chosen) in (first..).zip(chosen) {
                let (me, member, manner) = (&bodies[own], &members[own], &manners[own]);
                let agent = &member.agent;
                *chosen = Chosen::default();
                if agent.quality == AvoidanceQuality::Off {
                    chosen.by = told(member, dt);
                    lane.end();
                    continue;
                }
                let meets = (agent.max_speed + extent.speed) * agent.horizon;
                let looking = Looking {
                    touch: me.radius + extent.radius + me.reach + extent.reach,
                    range: settings.range.min(me.radius + extent.radius + meets),
                    most: agent.quality.neighbours(),
                    sees_all: extent.all_interact,
                };
                let sees = |place: usize| {
                    let (other, number) = (&manners[place], bodies[place].number);
                    let pass = || manner.passes == Some(number) || other.passes == Some(me.number);
                    interact(manner, other) && !pass()
                };
                let nearest = near.find(bodies, own, looking, sees, lane.contacts());
                let mut seen = [SeenBody::default(); MOST_NEIGHBOURS];
                let mut count = 0;
                let takes_turns = member.lead.is_some() && steering.takes_turns(member);
                for place in nearest.places() {
                    let other = &bodies[place];
                    let mut share = share(me, other);
                    if covers(other, &manners[place], manner.goal) {
                        // To be come near to, not to be gone round.
                        share = share.min(0.5);
                    }
                    let yields =
                        takes_turns && yields(&manners[place], other.number, manner, me.number);
                    let is_fellow = manner.group.is_some() && manner.group == manners[place].group;
                    seen[count] = SeenBody { share, yields, is_fellow, ..see(other) };
                    count += 1;
                }
                chosen.is_settled = settles(bodies, manners, own, nearest.places());
                let preferred =
                    if chosen.is_settled { Vec2::ZERO } else { from_above(agent.preferred) };
                let mut points = [WallPoint::default(); MOST_WALLS];
                let view = SteeringView {
                    own: see(me),
                    preferred,
                    max_speed: agent.max_speed,
                    horizon: agent.horizon,
                    wall_horizon: settings.wall_horizon,
                    turn: turn(member.stuck, me.number, period),
                    dt,
                    near: &seen[..count],
                    walls: &[],
                };
                lane.end();
                let mut without_walls = None;
                if let Some(Lead { by: Some(by), keeps, .. }) = member.lead
                    && !chosen.is_settled
                {
                    let velocity = match count {
                        0 => preferred,
                        _ => steering.velocity(member, &view),
                    };
                    let turns_little = velocity.dot(preferred) >= KEPT * preferred.length_squared();
                    if velocity == preferred || keeps && turns_little {
                        // The path is free. The rail keeps to the limits of the body, and clear of
                        // walls, by itself.
                        (chosen.by, chosen.is_led) = (from_above(by), true);
                        continue;
                    }
                    without_walls = Some(velocity);
                }
                let wall_range = me.radius + agent.max_speed * settings.wall_horizon + me.reach;
                let found = wall_points(grounds, member, wall_range, &mut points);
                let view = SteeringView { walls: &points[..found], ..view };
                let velocity = match without_walls {
                    Some(velocity) if found == 0 => velocity,
                    _ => steering.velocity(member, &view),
                };
                let velocity = if velocity.is_finite() { velocity } else { Vec2::ZERO };
                let change = (velocity - me.velocity).clamp_length_max(agent.acceleration * dt);
                chosen.by = ((me.velocity + change) * dt).clamp_length_max(me.reach);
            }
        });
        for (by, chosen) in moves.iter_mut().zip(chosen) {
            *by = chosen.by;
        }
    }

    /// Parts bodies whose moves would make them overlap.
    fn part(&mut self) {
        let CrowdScratch { bodies, lanes, moves, parted: next, .. } = &mut self.scratch;
        for _ in 0..PASSES {
            over_chunks(lanes, next, |first, lane, next| {
                for (at, next) in next.iter_mut().enumerate() {
                    *next = parted(bodies, moves, first + at, lane.contacts_of(at));
                }
            });
            std::mem::swap(moves, next);
        }
    }

    /// Shortens moves that walls bar, or turns them along the wall.
    fn prove_walls(&mut self, grounds: &impl Grounds) {
        let CrowdScratch { members, lanes, moves, chosen, .. } = &mut self.scratch;
        over_chunks(lanes, chosen, |first, _, chosen| {
            for (own, chosen) in (first..).zip(chosen) {
                let Member { agent, ground, .. } = &members[own];
                // A move along a rail is proved already.
                chosen.is_led &= chosen.by == moves[own];
                chosen.by = moves[own];
                if chosen.is_led || agent.quality == AvoidanceQuality::Off {
                    continue;
                }
                let is_clear = |by: Vec2, radius: f32| {
                    grounds.is_clear(*ground, agent.position, moved(agent.position, by), radius)
                };
                if is_clear(moves[own], agent.radius) {
                    continue;
                }
                // A body that is in a wall already is proved with the part of it that is not.
                let parts = [1.0, 0.75, 0.5, 0.25, 0.0].map(|part| part * agent.radius);
                let free = parts.into_iter().find(|&radius| is_clear(Vec2::ZERO, radius));
                chosen.in_wall = free != Some(agent.radius);
                chosen.by_wall = true;
                let room = free.unwrap_or(0.0);
                let by = moves[own];
                let along = along_wall(grounds, &members[own], by);
                let ways = [by, along, Vec2::new(by.x, 0.0), Vec2::new(0.0, by.y)];
                let ways = ways.into_iter().chain([by * 0.5, along * 0.5, by * 0.25, by * 0.0625]);
                let mut clear = ways.filter(|&by| is_clear(by, room));
                chosen.by = clear.next().unwrap_or(Vec2::ZERO);
            }
        });
        for (by, chosen) in moves.iter_mut().zip(chosen) {
            *by = chosen.by;
        }
    }

    /// Shortens moves until all pairs keep apart.
    fn prove_distances(&mut self, grounds: &impl Grounds) {
        let CrowdScratch { bodies, members, lanes, moves, chosen, cuts, failing, queue, .. } =
            &mut self.scratch;
        let fails = |a: usize, b: usize, moves: &[Vec2]| {
            !keeps_apart(&bodies[a], moves[a], &bodies[b], moves[b])
        };
        // The first round looks at all pairs.
        over_chunks(lanes, cuts, |first, lane, cuts| {
            for (at, cut) in cuts.iter_mut().enumerate() {
                let touching = lane.contacts_of(at);
                *cut = u8::from(
                    touching.iter().any(|&other| fails(first + at, other as usize, moves)),
                );
            }
        });
        queue.clear();
        queue.extend((0u32..).zip(&*cuts).filter(|&(_, &cut)| cut > 0).map(|(place, _)| place));
        cuts.fill(0);
        while !queue.is_empty() {
            // All moves of a round are shortened at once, so their order does not count.
            for &place in &*queue {
                let own = place as usize;
                let Member { agent: CrowdAgent { position, radius, .. }, ground, .. } =
                    members[own];
                let half = chosen[own].by * LENGTHS[1];
                let to = moved(position, half);
                let halves = cuts[own] == 0 && grounds.is_clear(ground, position, to, radius);
                cuts[own] = if halves { 1 } else { 2 };
                moves[own] = if halves { half } else { Vec2::ZERO };
            }
            failing.clear();
            for &place in &*queue {
                let own = place as usize;
                let touching = lanes[own / CHUNK].contacts_of(own % CHUNK);
                for &other in touching {
                    if fails(own, other as usize, moves) {
                        failing.extend([place, other]);
                    }
                }
            }
            // Bodies that stand already, and bodies that nothing stops, are not shortened further.
            failing.retain(|&place| {
                cuts[place as usize] < 2 && bodies[place as usize].weight < UNSTOPPABLE
            });
            failing.sort_unstable();
            failing.dedup();
            std::mem::swap(queue, failing);
        }
    }

    /// Moves the bodies.
    fn advance(&mut self, dt: f32) -> CrowdReport {
        let CrowdScratch { bodies, moves, chosen, cuts, .. } = &self.scratch;
        let mut report = CrowdReport::default();
        for (((body, &by), chosen), &cut) in bodies.iter().zip(moves).zip(chosen).zip(cuts) {
            let Some(member) = &mut self.members[body.number as usize] else { continue };
            let agent = &mut member.agent;
            agent.position = moved(agent.position, by);
            agent.velocity = Vec3::new(by.x / dt, 0.0, by.y / dt);
            if agent.quality == AvoidanceQuality::Off {
                agent.velocity = agent.preferred;
            }
            member.is_settled = chosen.is_settled;
            if let Some(lead) = &mut member.lead {
                lead.was_followed = chosen.is_led && cut == 0;
            }
            let preferred = from_above(agent.preferred);
            let is_slow = by.dot(preferred) < SLOW * dt * preferred.length_squared();
            let change = if is_slow && !chosen.is_settled { dt } else { -dt };
            member.stuck = (member.stuck + change / STUCK_AFTER).clamp(0.0, 1.0);
            report.stopped_by_walls += u32::from(chosen.by_wall);
            report.held_by_others += u32::from(cut > 0);
            report.in_walls += u32::from(chosen.in_wall);
            report.settled += u32::from(chosen.is_settled);
        }
        report
    }
}

/// The part of its preferred velocity that a body has to choose for keeping to its rail at a
/// corner.
pub(super) const KEPT: f32 = 0.5;

/// The weight of a body that moves as told.
pub(super) const UNSTOPPABLE: f32 = 1.0e12;

/// Returns the weight by which others give way to a body.
pub(super) fn weight(agent: &CrowdAgent, is_standing: bool) -> f32 {
    let priority = f32::from(agent.priority) + 1.0;
    match agent.when_standing {
        _ if agent.quality == AvoidanceQuality::Off => UNSTOPPABLE,
        WhenStanding::Holds if is_standing => priority * 1.0e5,
        WhenStanding::Parts if is_standing => priority * 1.0e-5,
        _ => priority,
    }
}

/// Returns how far a body can move within a step.
fn reach(member: &Member, dt: f32) -> f32 {
    let agent = &member.agent;
    if agent.quality == AvoidanceQuality::Off {
        return told(member, dt).length();
    }
    let speed = from_above(agent.velocity).length() + agent.acceleration * dt;
    let free = speed.min(agent.max_speed) * dt;
    // Along a rail its last move may have cut a corner, so that the next one is longer than that.
    let led = member.lead.and_then(|lead| lead.by);
    led.map_or(free, |by| free.max(from_above(by).length()))
}

fn moved(position: Vec3, by: Vec2) -> Vec3 {
    Vec3::new(position.x + by.x, position.y, position.z + by.y)
}

fn see(body: &Body<Vec2>) -> SeenBody {
    let Body { at, velocity, radius, number, .. } = *body;
    SeenBody { at, velocity, radius, share: 0.0, yields: false, is_fellow: false, number }
}

/// Returns whether two bodies are kept apart.
#[inline]
fn interact(a: &Manner, b: &Manner) -> bool {
    (a.mask & b.layers != 0 || b.mask & a.layers != 0) && a.low < b.high && b.low < a.high
}

/// Returns whether the first of two bodies lets the second one go first: it is under way along a
/// rail, and has farther to go. Bodies without a rail never do.
#[inline]
fn yields(first: &Manner, first_number: u32, second: &Manner, second_number: u32) -> bool {
    let is_farther =
        first.left > second.left || first.left == second.left && first_number > second_number;
    is_farther && first.left < f32::INFINITY && !first.is_standing
}

/// Returns the move of a body that moves as told.
fn told(member: &Member, dt: f32) -> Vec2 {
    let by = member.lead.and_then(|lead| lead.by);
    by.map_or_else(|| from_above(member.agent.preferred) * dt, from_above)
}

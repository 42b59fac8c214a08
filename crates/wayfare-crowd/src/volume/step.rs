//! One step of bodies that fly or swim, part by part.
//!
//! The parts make the same promises as those of a crowd on the ground: see [`contact`]. Two balls
//! that go straight at the same time have a least distance that is known exactly; moves are halved,
//! then dropped, until no pair comes nearer than [`TOLERANCE`] of the sum of its radii.
//!
//! [`contact`]: crate::crowd

use glam::Vec3;

use super::orca::{NearWall, SeenBall, VolumeView, to_the_right, velocity};
use crate::contact::{LENGTHS, OVERLAP, PASSES, RELAXATION, TOLERANCE};
use crate::grounds::Grounds;
use crate::lanes::{CHUNK, Lane, over_chunks};
use crate::near::{Body, Looking, Near};
use crate::solver::{CrowdSettings, Lead, Member};
use crate::steering::{MOST_NEIGHBOURS, MOST_WALLS};
use crate::step::{KEPT, UNSTOPPABLE, weight};
use crate::stuck::{GIVES_IN_FOR, SLOW, STUCK_AFTER, turn};
use crate::{AvoidanceQuality, CrowdAgent};

/// A body that flies or swims, or that such bodies avoid.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Floater {
    /// Its id. Bodies of one id, the parts of a walker, do not avoid each other.
    #[doc(hidden)]
    pub number: u32,
    #[doc(hidden)]
    pub member: Member,
}

/// A ball in the order of cells.
pub(super) type Ball = Body<Vec3>;

/// The choice of a body.
#[derive(Clone, Copy, Debug, Default)]
struct Chosen {
    by: Vec3,
    is_settled: bool,
    /// The move is the one along its rail.
    is_led: bool,
}

/// Memory of a step.
#[derive(Clone, Debug, Default)]
struct VolumeScratch {
    near: Near,
    order: Vec<u32>,
    balls: Vec<Ball>,
    /// The members in the order of the balls.
    members: Vec<Member>,
    lanes: Vec<Lane>,
    chosen: Vec<Chosen>,
    moves: Vec<Vec3>,
    parted: Vec<Vec3>,
    /// How often each move was shortened.
    cuts: Vec<u8>,
    failing: Vec<u32>,
    queue: Vec<u32>,
}

/// Bodies that fly or swim, and avoid each other as balls.
#[derive(Clone, Debug, Default)]
pub struct VolumeCrowd {
    settings: CrowdSettings,
    #[doc(hidden)]
    pub floaters: Vec<Floater>,
    scratch: VolumeScratch,
}

impl VolumeCrowd {
    /// Moves all bodies by `dt` seconds, at that time since the beginning.
    #[doc(hidden)]
    pub fn step_on(&mut self, grounds: &impl Grounds, time: f64, dt: f32) {
        let looking = self.sort(dt);
        self.choose(grounds, looking, (time / GIVES_IN_FOR) as u64, dt);
        self.part();
        self.prove_walls(grounds);
        self.prove_distances(grounds);
        self.advance(dt);
    }

    /// Sorts the bodies into cells. Returns the search criteria that all of them share.
    fn sort(&mut self, dt: f32) -> Widest {
        let (floaters, scratch) = (&self.floaters, &mut self.scratch);
        let mut widest = Widest::default();
        let mut radii = 0.0;
        for Floater { member, .. } in floaters {
            let agent = &member.agent;
            let reach = reach(member, dt);
            radii += agent.radius;
            widest.radius = widest.radius.max(agent.radius);
            widest.reach = widest.reach.max(reach);
            widest.speed = widest.speed.max(agent.max_speed).max(reach / dt);
        }
        let mean = radii / floaters.len().max(1) as f32;
        let range = self.settings.range;
        let least = (3.0 * mean).max(range / 16.0);
        let points = floaters.iter().map(|floater| floater.member.agent.position);
        scratch.near.sort((least, range), &points, &mut scratch.order);
        scratch.balls.clear();
        scratch.members.clear();
        for &place in &scratch.order {
            let Floater { number, member } = floaters[place as usize];
            let agent = &member.agent;
            scratch.balls.push(Ball {
                at: agent.position,
                velocity: agent.velocity,
                radius: agent.radius,
                weight: weight(agent, stands(&member)),
                reach: reach(&member, dt),
                number,
            });
            scratch.members.push(member);
        }
        let count = scratch.balls.len();
        scratch.lanes.resize_with(count.div_ceil(CHUNK), Lane::default);
        scratch.chosen.resize(count, Chosen::default());
        scratch.moves.resize(count, Vec3::ZERO);
        scratch.parted.resize(count, Vec3::ZERO);
        scratch.cuts.clear();
        scratch.cuts.resize(count, 0);
        widest
    }

    /// Chooses a velocity for each body.
    fn choose(&mut self, grounds: &impl Grounds, widest: Widest, period: u64, dt: f32) {
        let settings = self.settings;
        let VolumeScratch { near, balls, members, lanes, chosen, moves, .. } = &mut self.scratch;
        let (near, balls, members) = (&*near, &balls[..], &members[..]);
        over_chunks(lanes, chosen, |first, lane, chosen| {
            lane.clear();
            for (own, chosen) in (first..).zip(chosen) {
                let (me, member) = (&balls[own], &members[own]);
                let agent = &member.agent;
                *chosen = Chosen::default();
                if agent.quality == AvoidanceQuality::Off {
                    chosen.by = told(member, dt);
                    lane.end();
                    continue;
                }
                let meets = (agent.max_speed + widest.speed) * agent.horizon;
                let looking = Looking {
                    touch: me.radius + widest.radius + me.reach + widest.reach,
                    range: settings.range.min(me.radius + widest.radius + meets),
                    most: agent.quality.neighbours(),
                    sees_all: false,
                };
                let sees = |place: usize| {
                    interact((me.number, member), (balls[place].number, &members[place]))
                };
                let nearest = near.find(balls, own, looking, sees, lane.contacts());
                lane.end();
                let mut seen = [SeenBall::default(); MOST_NEIGHBOURS];
                let mut count = 0;
                for place in nearest.places() {
                    let ball = balls[place];
                    let mut share = share(me, &ball);
                    if covers(&ball, &members[place], agent.goal) {
                        // To be come near to, not to be gone round.
                        share = share.min(0.5);
                    }
                    seen[count] = SeenBall { ball, share };
                    count += 1;
                }
                chosen.is_settled = settles(balls, members, own, nearest.places());
                let preferred = if chosen.is_settled { Vec3::ZERO } else { agent.preferred };
                let view = VolumeView {
                    own: *me,
                    preferred,
                    max_speed: agent.max_speed,
                    horizon: agent.horizon,
                    wall_horizon: settings.wall_horizon,
                    turn: turn(member.stuck, me.number, period),
                    dt,
                    near: &seen[..count],
                    walls: &[],
                };
                if let Some(Lead { by: Some(by), keeps, .. }) = member.lead
                    && !chosen.is_settled
                {
                    let velocity = if count == 0 { preferred } else { velocity(&view) };
                    let turns_little = velocity.dot(preferred) >= KEPT * preferred.length_squared();
                    if velocity == preferred || keeps && turns_little {
                        // The path is free.
                        (chosen.by, chosen.is_led) = (by, true);
                        continue;
                    }
                }
                let range = me.radius + agent.max_speed * settings.wall_horizon + me.reach;
                let mut walls = [NearWall::default(); MOST_WALLS];
                let found = near_walls(grounds, member, range, &mut walls);
                let chosen_velocity = velocity(&VolumeView { walls: &walls[..found], ..view });
                let wanted = if chosen_velocity.is_finite() { chosen_velocity } else { Vec3::ZERO };
                let change = (wanted - me.velocity).clamp_length_max(agent.acceleration * dt);
                chosen.by = ((me.velocity + change) * dt).clamp_length_max(me.reach);
            }
        });
        for (by, chosen) in moves.iter_mut().zip(chosen) {
            *by = chosen.by;
        }
    }

    /// Parts bodies whose moves would make them overlap.
    fn part(&mut self) {
        let VolumeScratch { balls, lanes, moves, parted: next, .. } = &mut self.scratch;
        for _ in 0..PASSES {
            over_chunks(lanes, next, |first, lane, next| {
                for (at, next) in next.iter_mut().enumerate() {
                    *next = parted(balls, moves, first + at, lane.contacts_of(at));
                }
            });
            std::mem::swap(moves, next);
        }
    }

    /// Shortens moves that walls bar, or turns them along the wall.
    fn prove_walls(&mut self, grounds: &impl Grounds) {
        let VolumeScratch { members, lanes, moves, chosen, .. } = &mut self.scratch;
        over_chunks(lanes, chosen, |first, _, chosen| {
            for (own, chosen) in (first..).zip(chosen) {
                let Member { agent, ground, .. } = &members[own];
                // A move along a rail is proved already.
                chosen.is_led &= chosen.by == moves[own];
                chosen.by = moves[own];
                if chosen.is_led || agent.quality == AvoidanceQuality::Off {
                    continue;
                }
                let is_clear = |by: Vec3, radius: f32| {
                    grounds.is_clear(*ground, agent.position, agent.position + by, radius)
                };
                if is_clear(moves[own], agent.radius) {
                    continue;
                }
                // A body that is in a wall already is proved with the part of it that is not.
                let parts = [1.0, 0.75, 0.5, 0.25, 0.0].map(|part| part * agent.radius);
                let room = parts.into_iter().find(|&radius| is_clear(Vec3::ZERO, radius));
                let room = room.unwrap_or(0.0);
                let by = moves[own];
                let along = along_walls(grounds, &members[own], by);
                let planes = [by.with_x(0.0), by.with_y(0.0), by.with_z(0.0)];
                let lines = [by * Vec3::X, by * Vec3::Y, by * Vec3::Z];
                let ways = [by, along].into_iter().chain(planes).chain(lines);
                let shorter = [by * 0.5, along * 0.5, by * 0.25, by * 0.0625];
                let mut clear = ways.chain(shorter).filter(|&by| is_clear(by, room));
                chosen.by = clear.next().unwrap_or(Vec3::ZERO);
            }
        });
        for (by, chosen) in moves.iter_mut().zip(chosen) {
            *by = chosen.by;
        }
    }

    /// Shortens moves until all pairs keep apart.
    fn prove_distances(&mut self, grounds: &impl Grounds) {
        let VolumeScratch { balls, members, lanes, moves, chosen, cuts, failing, queue, .. } =
            &mut self.scratch;
        let fails = |a: usize, b: usize, moves: &[Vec3]| {
            !keeps_apart([&balls[a], &balls[b]], [moves[a], moves[b]])
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
                let halves =
                    cuts[own] == 0 && grounds.is_clear(ground, position, position + half, radius);
                cuts[own] = if halves { 1 } else { 2 };
                moves[own] = if halves { half } else { Vec3::ZERO };
            }
            failing.clear();
            for &place in &*queue {
                let own = place as usize;
                for &other in lanes[own / CHUNK].contacts_of(own % CHUNK) {
                    if fails(own, other as usize, moves) {
                        failing.extend([place, other]);
                    }
                }
            }
            // Bodies that stand already, and bodies that nothing stops, are not shortened further.
            failing.retain(|&place| {
                cuts[place as usize] < 2 && balls[place as usize].weight < UNSTOPPABLE
            });
            failing.sort_unstable();
            failing.dedup();
            std::mem::swap(queue, failing);
        }
    }

    /// Moves the bodies.
    fn advance(&mut self, dt: f32) {
        let VolumeScratch { order, moves, chosen, cuts, .. } = &self.scratch;
        let chosen = chosen.iter().zip(cuts);
        for ((&place, &by), (chosen, &cut)) in order.iter().zip(moves).zip(chosen) {
            let member = &mut self.floaters[place as usize].member;
            let agent = &mut member.agent;
            agent.position += by;
            agent.velocity = by / dt;
            member.is_settled = chosen.is_settled;
            if let Some(lead) = &mut member.lead {
                lead.was_followed = chosen.is_led && cut == 0;
            }
            let is_slow = by.dot(agent.preferred) < SLOW * dt * agent.preferred.length_squared();
            let change = if is_slow && !chosen.is_settled { dt } else { -dt };
            member.stuck = (member.stuck + change / STUCK_AFTER).clamp(0.0, 1.0);
        }
    }
}

/// Maxima over all bodies.
#[derive(Clone, Copy, Debug, Default)]
struct Widest {
    radius: f32,
    speed: f32,
    reach: f32,
}

/// Returns whether a body has no preferred velocity.
fn stands(member: &Member) -> bool {
    member.agent.preferred == Vec3::ZERO || member.is_settled
}

/// Returns the share of a change that the first of two bodies makes.
fn share(own: &Ball, other: &Ball) -> f32 {
    other.weight / (own.weight + other.weight)
}

/// Returns whether two bodies are kept apart.
fn interact((a, first): (u32, &Member), (b, second): (u32, &Member)) -> bool {
    let (one, other) = (&first.agent, &second.agent);
    a != b
        && (one.mask & other.layers != 0 || other.mask & one.layers != 0)
        && first.passes != Some(b)
        && second.passes != Some(a)
}

/// Returns how far a body can move within a step.
fn reach(member: &Member, dt: f32) -> f32 {
    let agent = &member.agent;
    if agent.quality == AvoidanceQuality::Off {
        return told(member, dt).length();
    }
    let speed = agent.velocity.length() + agent.acceleration * dt;
    let free = speed.min(agent.max_speed) * dt;
    let led = member.lead.and_then(|lead| lead.by);
    led.map_or(free, |by| free.max(by.length()))
}

/// Returns the move of a body that moves as told.
fn told(member: &Member, dt: f32) -> Vec3 {
    member.lead.and_then(|lead| lead.by).unwrap_or(member.agent.preferred * dt)
}

/// Returns the move of a body after one pass of parting.
fn parted(balls: &[Ball], moves: &[Vec3], own: usize, touching: &[u32]) -> Vec3 {
    let me = &balls[own];
    let (mut change, mut count) = (Vec3::ZERO, 0u32);
    for &place in touching {
        let other = &balls[place as usize];
        let offset = (me.at + moves[own]) - (other.at + moves[place as usize]);
        let sum = me.radius + other.radius;
        let distance = offset.length();
        if distance < sum {
            let direction = if distance > 0.0 {
                offset / distance
            } else if me.number < other.number {
                to_the_right(Vec3::X)
            } else {
                to_the_right(Vec3::NEG_X)
            };
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
fn keeps_apart([own, other]: [&Ball; 2], [own_move, other_move]: [Vec3; 2]) -> bool {
    let (offset, way) = (other.at - own.at, other_move - own_move);
    let before = offset.length_squared();
    let towards = offset.dot(way);
    if towards >= 0.0 {
        return true; // they part
    }
    let nearest = (-towards / way.length_squared()).min(1.0);
    let after = (offset + way * nearest).length_squared();
    let sum = own.radius + other.radius;
    let (least, overlap) = (sum * TOLERANCE, sum * OVERLAP);
    after >= (least * least).min(before) || before < overlap * overlap
}

/// Returns whether a body rests at its goal: as [`settles`](crate) on the ground.
fn settles(
    balls: &[Ball],
    members: &[Member],
    own: usize,
    mut near: impl Iterator<Item = usize>,
) -> bool {
    let (me, member) = (&balls[own], &members[own]);
    let Some(goal) = member.agent.goal else { return false };
    let to_goal = goal - me.at;
    let distance = to_goal.length();
    if distance <= me.radius * 0.5 && member.lead.is_none() {
        return true;
    }
    // A body that has settled may be pushed a little before it sets out again.
    let slack = if member.is_settled { 1.3 } else { 1.1 };
    near.any(|place| {
        let (other, theirs) = (&balls[place], &members[place]);
        let offset = other.at - me.at;
        let sum = me.radius + other.radius;
        let shares_goal = theirs.agent.goal.is_some_and(|other| other.distance(goal) <= sum);
        (theirs.is_settled && shares_goal || covers(other, theirs, Some(goal)))
            && offset.length() <= sum * slack
            && offset.dot(to_goal) >= 0.5 * offset.length() * distance
            && other.at.distance(goal) < distance
    })
}

/// Returns whether a body stands on a goal.
fn covers(ball: &Ball, member: &Member, goal: Option<Vec3>) -> bool {
    stands(member) && goal.is_some_and(|goal| ball.at.distance(goal) <= ball.radius)
}

/// Fills in the nearest points of walls, up to the capacity, and returns their count.
fn near_walls(
    grounds: &impl Grounds,
    member: &Member,
    range: f32,
    walls: &mut [NearWall; MOST_WALLS],
) -> usize {
    let CrowdAgent { position, radius, .. } = member.agent;
    let mut count = 0;
    grounds.wall_points(member.ground, position, range, |point| {
        let offset = position - point;
        let distance = offset.length();
        if distance <= 0.0 || distance > range {
            return;
        }
        let wall = NearWall { away: offset / distance, room: distance - radius };
        if count < MOST_WALLS {
            walls[count] = wall;
            count += 1;
            return;
        }
        // Replaces the farthest one.
        let farthest = walls.iter_mut().max_by(|a, b| a.room.total_cmp(&b.room));
        if let Some(farthest) = farthest.filter(|farthest| farthest.room > wall.room) {
            *farthest = wall;
        }
    });
    count
}

/// Returns the part of a move that does not point into the walls that it would reach.
fn along_walls(grounds: &impl Grounds, member: &Member, by: Vec3) -> Vec3 {
    let mut walls = [NearWall::default(); MOST_WALLS];
    let range = member.agent.radius + by.length() * 1.5;
    let count = near_walls(grounds, member, range, &mut walls);
    let slid = walls[..count].iter().fold(by, |by, wall| {
        // Where the move would bring the body nearer than it may.
        let into = -wall.away.dot(by) - wall.room.max(0.0);
        if into > 0.0 { by + wall.away * into } else { by }
    });
    slid.clamp_length_max(by.length())
}

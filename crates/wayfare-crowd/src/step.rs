//! One step of a crowd, part by part: of discs on the ground, or of balls in a volume.

use glam::Vec3;

use super::axes::Axes;
use super::contact::{LENGTHS, OVERLAP, PASSES, keeps_apart, parted, share};
use super::grounds::Grounds;
use super::lanes::{CHUNK, Lane, over_chunks};
use super::model::Steerings;
use super::moves::Moves;
use super::near::{Body, Looking, Near};
use super::settle::{covers, settles};
use super::solver::{CrowdSettings, Lead, Member};
use super::steering::{MOST_NEIGHBOURS, MOST_WALLS, SeenBody, SteeringView, WallPoint};
use super::stuck::{GIVES_IN_FOR, SLOW, STUCK_AFTER, turn};
use super::wall_points::{along_walls, wall_points};
use super::{AvoidanceQuality, CrowdAgent, WhenStanding};

/// The properties of a body, besides its [`Body`], that others see, in the same order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner<V> {
    pub(super) goal: Option<V>,
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

/// Maxima over all bodies.
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
        all_interact: true,
    };
}

/// The settings of a crowd, the time in seconds since the beginning, and the length of a step.
#[derive(Clone, Copy)]
pub(super) struct Tick {
    pub(super) settings: CrowdSettings,
    pub(super) time: f64,
    pub(super) dt: f32,
}

/// A step, and its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Step<V> {
    near: Near,
    /// The indices in the input, in the order of the bodies.
    order: Vec<u32>,
    bodies: Vec<Body<V>>,
    /// The members in the order of the bodies.
    members: Vec<Member>,
    manners: Vec<Manner<V>>,
    lanes: Vec<Lane>,
    chosen: Vec<Chosen<V>>,
    moves: Vec<V>,
    parted: Vec<V>,
    /// How often each move was shortened.
    cuts: Vec<u8>,
    failing: Vec<u32>,
    queue: Vec<u32>,
    /// How many bodies in touch lie between a body and one that overlaps another.
    levels: Vec<u8>,
}

/// The choice of a body before contacts count.
#[derive(Clone, Copy, Debug, Default)]
struct Chosen<V> {
    by: V,
    is_settled: bool,
    by_wall: bool,
    in_wall: bool,
    /// The move is the one along its rail.
    is_led: bool,
    /// It is in another body.
    overlaps: bool,
}

impl<V: Moves> Step<V> {
    /// Finds the moves of all bodies. `member` returns the id and the member at an index below
    /// `count`.
    pub(super) fn solve<'m>(
        &mut self,
        (count, member): (u32, impl Fn(u32) -> Option<(u32, &'m Member)> + Copy),
        steering: &impl Steerings<V>,
        grounds: &impl Grounds,
        tick: Tick,
    ) {
        let extent = self.sort(count, member, tick);
        self.choose(steering, grounds, extent, tick);
        self.make_room();
        self.part();
        self.prove_walls(grounds);
        self.prove_distances(grounds);
    }

    /// Sorts the bodies into cells.
    fn sort<'m>(
        &mut self,
        count: u32,
        member: impl Fn(u32) -> Option<(u32, &'m Member)> + Copy,
        Tick { settings, dt, .. }: Tick,
    ) -> Extent {
        let mut extent = Extent::NONE;
        let mut last = None;
        for (number, member) in (0..count).filter_map(member) {
            let agent = &member.agent;
            extent.radius = extent.radius.max(agent.radius);
            extent.mean_radius += agent.radius;
            let reach = reach::<V>(member, dt);
            extent.reach = extent.reach.max(reach);
            extent.speed = extent.speed.max(agent.max_speed).max(reach / dt);
            extent.mask &= agent.mask;
            let (low, high) = V::heights(agent);
            extent.low = extent.low.max(low);
            extent.high = extent.high.min(high);
            // Ids that rise are all different.
            extent.all_interact &= last < Some(number);
            last = Some(number);
        }
        extent.mean_radius /= count.max(1) as f32;
        let at = |place| member(place).map_or(V::ZERO, |(_, member)| V::of(member.agent.position));
        let least = (3.0 * extent.mean_radius).max(settings.range * V::FINEST);
        self.near.sort((least, settings.range), &(0..count).map(at), &mut self.order);
        self.bodies.clear();
        self.members.clear();
        self.manners.clear();
        extent.all_interact &= extent.low < extent.high;
        for &place in &self.order {
            let Some((number, member)) = member(place) else { continue };
            let agent = &member.agent;
            let is_standing = agent.preferred == Vec3::ZERO || member.is_settled;
            self.bodies.push(Body {
                at: V::of(agent.position),
                velocity: V::of(agent.velocity),
                radius: agent.radius,
                weight: weight(agent, is_standing),
                reach: reach::<V>(member, dt),
                number,
            });
            extent.all_interact &= agent.layers & extent.mask != 0 && member.passes.is_none();
            self.members.push(*member);
            let (low, high) = V::heights(agent);
            self.manners.push(Manner {
                goal: agent.goal.map(V::of),
                layers: agent.layers,
                mask: agent.mask,
                low,
                high,
                is_settled: member.is_settled,
                is_standing,
                is_led: member.lead.is_some(),
                left: member.lead.map_or(f32::INFINITY, |lead| lead.left),
                passes: member.passes,
                group: member.group,
            });
        }
        let count = self.bodies.len();
        self.lanes.resize_with(count.div_ceil(CHUNK), Lane::default);
        self.chosen.resize(count, Chosen::default());
        self.moves.resize(count, V::ZERO);
        self.parted.resize(count, V::ZERO);
        self.cuts.clear();
        self.cuts.resize(count, 0);
        extent
    }

    /// Chooses a velocity for each body.
    fn choose(
        &mut self,
        steering: &impl Steerings<V>,
        grounds: &impl Grounds,
        extent: Extent,
        Tick { settings, time, dt }: Tick,
    ) {
        let period = (time / GIVES_IN_FOR) as u64;
        let Self { near, bodies, members, manners, lanes, chosen, moves, .. } = self;
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
                    me.number != number && interact(manner, other) && !pass()
                };
                let nearest = near.find(bodies, own, looking, sees, lane.contacts());
                lane.end();
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
                    let overlap = OVERLAP * (me.radius + other.radius);
                    chosen.overlaps |= (other.at - me.at).length_squared() < overlap * overlap;
                    let is_fellow = manner.group.is_some() && manner.group == manners[place].group;
                    seen[count] = SeenBody { share, yields, is_fellow, ..see(other) };
                    count += 1;
                }
                chosen.is_settled = settles(bodies, manners, own, nearest.places());
                let preferred = if chosen.is_settled { V::ZERO } else { V::of(agent.preferred) };
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
                        (chosen.by, chosen.is_led) = (V::of(by), true);
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
                let velocity = if velocity.is_finite() { velocity } else { V::ZERO };
                let change = (velocity - me.velocity).clamp_length_max(agent.acceleration * dt);
                chosen.by = ((me.velocity + change) * dt).clamp_length_max(me.reach);
            }
        });
        for (by, chosen) in moves.iter_mut().zip(chosen) {
            *by = chosen.by;
        }
    }

    /// Lets standing bodies make room for bodies that overlap.
    ///
    /// A body that is in another one leaves it, but not through a third one that stands in touch:
    /// that would be a move that makes two overlap. So those in touch step back, and those in touch
    /// with them. Gaps open from the outside inwards. Costs nothing while no two overlap.
    fn make_room(&mut self) {
        let Self { bodies, members, manners, lanes, chosen, moves, levels, queue, failing, .. } =
            self;
        queue.clear();
        queue.extend((0u32..).zip(&*chosen).filter(|one| one.1.overlaps).map(|one| one.0));
        if queue.is_empty() {
            return;
        }
        let contacts = |own: usize| lanes[own / CHUNK].contacts_of(own % CHUNK);
        levels.clear();
        levels.resize(bodies.len(), u8::MAX);
        queue.iter().for_each(|&place| levels[place as usize] = 0);
        for level in 1..=LEVELS {
            failing.clear();
            for &place in queue.iter().flat_map(|&place| contacts(place as usize)) {
                let own = place as usize;
                let gives_way = members[own].agent.when_standing != WhenStanding::Holds
                    && bodies[own].weight < UNSTOPPABLE;
                if levels[own] == u8::MAX && manners[own].is_standing && gives_way {
                    levels[own] = level;
                    failing.push(place);
                }
            }
            for &place in &*failing {
                let own = place as usize;
                let inner = contacts(own).iter().map(|&other| other as usize);
                let inner = inner.filter(|&other| levels[other] < level);
                let away = inner.fold(V::ZERO, |sum, other| {
                    let offset = bodies[own].at - bodies[other].at;
                    let distance = offset.length();
                    if distance > 0.0 { sum + offset / distance } else { sum }
                });
                let length = away.length();
                if length > 0.0 {
                    moves[own] = away * (bodies[own].reach / length);
                }
            }
            std::mem::swap(queue, failing);
        }
    }

    /// Parts bodies whose moves would make them overlap.
    fn part(&mut self) {
        let Self { bodies, lanes, moves, parted: next, .. } = self;
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
        let Self { members, lanes, moves, chosen, .. } = self;
        over_chunks(lanes, chosen, |first, _, chosen| {
            for (own, chosen) in (first..).zip(chosen) {
                let Member { agent, ground, .. } = &members[own];
                // A move along a rail is proved already.
                chosen.is_led &= chosen.by == moves[own];
                chosen.by = moves[own];
                if chosen.is_led || agent.quality == AvoidanceQuality::Off {
                    continue;
                }
                let is_clear = |by: V, radius: f32| {
                    grounds.is_clear(*ground, agent.position, by.moved(agent.position), radius)
                };
                if is_clear(moves[own], agent.radius) {
                    continue;
                }
                // A body that is in a wall already is proved with the part of it that is not.
                let parts = [1.0, 0.75, 0.5, 0.25, 0.0].map(|part| part * agent.radius);
                let free = parts.into_iter().find(|&radius| is_clear(V::ZERO, radius));
                chosen.in_wall = free != Some(agent.radius);
                chosen.by_wall = true;
                let room = free.unwrap_or(0.0);
                let by = moves[own];
                let along = along_walls(grounds, &members[own], by);
                let ways = [by, along].into_iter().chain(by.parts());
                let ways = ways.chain([by * 0.5, along * 0.5, by * 0.25, by * 0.0625]);
                let mut clear = ways.filter(|&by| is_clear(by, room));
                chosen.by = clear.next().unwrap_or(V::ZERO);
            }
        });
        for (by, chosen) in moves.iter_mut().zip(chosen) {
            *by = chosen.by;
        }
    }

    /// Shortens moves until all pairs keep apart.
    fn prove_distances(&mut self, grounds: &impl Grounds) {
        let Self { bodies, members, lanes, moves, chosen, cuts, failing, queue, .. } = self;
        let fails = |a: usize, b: usize, moves: &[V]| {
            !keeps_apart([&bodies[a], &bodies[b]], [moves[a], moves[b]])
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
                let to = half.moved(position);
                let halves = cuts[own] == 0 && grounds.is_clear(ground, position, to, radius);
                cuts[own] = if halves { 1 } else { 2 };
                moves[own] = if halves { half } else { V::ZERO };
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

    /// Returns the results of all bodies.
    pub(super) fn results(&self) -> impl Iterator<Item = Moved<V>> {
        let chosen = self.chosen.iter().zip(&self.cuts);
        let moved = self.order.iter().zip(&self.moves).zip(chosen);
        moved.map(
            |((&place, &by), (&Chosen { is_settled, by_wall, in_wall, is_led, .. }, &cut))| {
                let is_cut = cut > 0;
                Moved { place, by, is_settled, by_wall, in_wall, is_led, is_cut }
            },
        )
    }
}

/// The result of a step for a body.
pub(super) struct Moved<V> {
    /// Its index in the input.
    pub(super) place: u32,
    by: V,
    pub(super) is_settled: bool,
    /// Its move was shortened or turned along a wall.
    pub(super) by_wall: bool,
    pub(super) in_wall: bool,
    is_led: bool,
    /// Its move was shortened because of another body.
    pub(super) is_cut: bool,
}

impl<V: Moves> Moved<V> {
    /// Moves the body.
    pub(super) fn apply(&self, member: &mut Member, dt: f32) {
        let agent = &mut member.agent;
        agent.position = self.by.moved(agent.position);
        agent.velocity = self.by.velocity(agent, dt);
        member.is_settled = self.is_settled;
        if let Some(lead) = &mut member.lead {
            lead.was_followed = self.is_led && !self.is_cut;
        }
        let preferred = V::of(agent.preferred);
        let is_slow = self.by.dot(preferred) < SLOW * dt * preferred.length_squared();
        let change = if is_slow && !self.is_settled { dt } else { -dt };
        member.stuck = (member.stuck + change / STUCK_AFTER).clamp(0.0, 1.0);
    }
}

/// The part of its preferred velocity that a body has to choose for keeping to its rail at a
/// corner.
const KEPT: f32 = 0.5;

/// How far bodies make room round bodies that overlap, in bodies.
const LEVELS: u8 = 16;

/// The weight of a body that moves as told.
const UNSTOPPABLE: f32 = 1.0e12;

/// Returns the weight by which others give way to a body.
fn weight(agent: &CrowdAgent, is_standing: bool) -> f32 {
    let priority = f32::from(agent.priority) + 1.0;
    match agent.when_standing {
        _ if agent.quality == AvoidanceQuality::Off => UNSTOPPABLE,
        WhenStanding::Holds if is_standing => priority * 1.0e5,
        WhenStanding::Parts if is_standing => priority * 1.0e-5,
        _ => priority,
    }
}

/// Returns how far a body can move within a step.
fn reach<V: Moves>(member: &Member, dt: f32) -> f32 {
    let agent = &member.agent;
    if agent.quality == AvoidanceQuality::Off {
        return told::<V>(member, dt).length();
    }
    let speed = V::of(agent.velocity).length() + agent.acceleration * dt;
    let free = speed.min(agent.max_speed) * dt;
    // Along a rail its last move may have cut a corner, so that the next one is longer than that.
    let led = member.lead.and_then(|lead| lead.by);
    led.map_or(free, |by| free.max(V::of(by).length()))
}

fn see<V: Axes>(body: &Body<V>) -> SeenBody<V> {
    let Body { at, velocity, radius, number, .. } = *body;
    SeenBody { at, velocity, radius, share: 0.0, yields: false, is_fellow: false, number }
}

/// Returns whether two bodies are kept apart.
#[inline]
fn interact<V>(a: &Manner<V>, b: &Manner<V>) -> bool {
    (a.mask & b.layers != 0 || b.mask & a.layers != 0) && a.low < b.high && b.low < a.high
}

/// Returns whether the first of two bodies lets the second one go first: it is under way along a
/// rail, and has farther to go. Bodies without a rail never do.
#[inline]
fn yields<V>(first: &Manner<V>, first_number: u32, second: &Manner<V>, second_number: u32) -> bool {
    let is_farther =
        first.left > second.left || first.left == second.left && first_number > second_number;
    is_farther && first.left < f32::INFINITY && !first.is_standing
}

/// Returns the move of a body that moves as told.
fn told<V: Moves>(member: &Member, dt: f32) -> V {
    let by = member.lead.and_then(|lead| lead.by);
    by.map_or_else(|| V::of(member.agent.preferred) * dt, V::of)
}

//! One step of a crowd, part by part: of discs on the ground, or of balls in a volume.

use glam::Vec3;
use wide::f32x4;

use super::cells::{Body, Cells};
use super::contact::{LENGTHS, OVERLAP, PASSES, keeps_apart, parted};
use super::grounds::{Grounds, Standpoint};
use super::hunt::{Looking, Seen};
use super::lanes::{CHUNK, Lane, over_chunks};
use super::model::Steerings;
use super::moves::Moves;
use super::quad::{FourOf, LANES, first_lanes};
use super::settle::{covers, settles};
use super::solver::{CrowdSettings, Lead, Member};
use super::steering::{MEDIUM, MOST_NEIGHBOURS, MOST_WALLS, WallPoint};
use super::stuck::{GIVES_IN_FOR, SLOW, STUCK_AFTER, turn};
use super::view::{Near, View};
use super::wall_points::{along_walls, wall_points};
use super::{AvoidanceQuality, CrowdAgent, WhenStanding};

/// What a body wants, in the order of the bodies. Of no concern to others.
#[derive(Clone, Copy, Debug, Default)]
struct Want<V> {
    preferred: V,
    max_speed: f32,
    horizon: f32,
    acceleration: f32,
    /// See [`Member::stuck`].
    stuck: f32,
    /// The height of its position.
    height: f32,
    ground: u16,
    /// How many others it looks at; none if it moves as told.
    most: u8,
    is_led: bool,
}

/// The properties of a body, besides its [`Body`], that others see, in the same order. None of them
/// are kept if all bodies see each other, and none has a goal, a rail or a group.
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
    /// Layers that all are on, layers that all avoid, and heights that all cover.
    layers: u32,
    mask: u32,
    low: f32,
    high: f32,
    /// Whether each body interacts with each other one.
    all_interact: bool,
    /// The most others that a body looks at.
    most: usize,
    /// Whether any body has a manner.
    has_manners: bool,
}

impl Extent {
    const NONE: Self = Self {
        radius: 0.0,
        speed: 0.0,
        reach: 0.0,
        mean_radius: 0.0,
        layers: u32::MAX,
        mask: u32::MAX,
        low: f32::NEG_INFINITY,
        high: f32::INFINITY,
        all_interact: true,
        most: 0,
        has_manners: false,
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
    cells: Cells,
    /// Where the bodies are, in the order of the input; later where their moves lead to.
    points: Vec<V>,
    /// The bodies in the order of the input, with what they want.
    given: Vec<(Body<V>, Want<V>)>,
    /// The indices in the input, in the order of the bodies.
    order: Vec<u32>,
    bodies: Vec<Body<V>>,
    wants: Vec<Want<V>>,
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
    /// The results, in the order of the input.
    moved: Vec<Moved<V>>,
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
        (count, member): (u32, impl Fn(u32) -> Option<(u32, &'m Member)> + Copy + Sync),
        steering: &impl Steerings<V>,
        grounds: &impl Grounds,
        tick: Tick,
    ) -> &[Moved<V>] {
        let extent = self.sort(count, member, tick);
        self.choose(member, steering, grounds, (extent, tick));
        self.make_room(member);
        self.part();
        self.prove_walls(grounds);
        self.prove_distances(grounds);
        self.give_back()
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
        self.points.clear();
        self.given.clear();
        for (number, member) in (0..count).filter_map(member) {
            let agent = &member.agent;
            let is_standing = agent.preferred == Vec3::ZERO || member.is_settled;
            let at = V::of(agent.position);
            let body = Body {
                at,
                velocity: V::of(agent.velocity),
                radius: agent.radius,
                weight: weight(agent, is_standing),
                reach: reach::<V>(member, dt),
                number,
            };
            let want = Want {
                preferred: V::of(agent.preferred),
                max_speed: agent.max_speed,
                horizon: agent.horizon,
                acceleration: agent.acceleration,
                stuck: member.stuck,
                height: agent.position.y,
                ground: member.ground,
                most: agent.quality.neighbours() as u8,
                is_led: member.lead.is_some(),
            };
            self.points.push(at);
            self.given.push((body, want));
            extent.radius = extent.radius.max(body.radius);
            extent.mean_radius += body.radius;
            extent.reach = extent.reach.max(body.reach);
            extent.speed = extent.speed.max(want.max_speed).max(body.reach / dt);
            extent.layers &= agent.layers;
            extent.mask &= agent.mask;
            extent.most = extent.most.max(want.most.into());
            let (low, high) = V::heights(agent);
            extent.low = extent.low.max(low);
            extent.high = extent.high.min(high);
            // Ids that rise are all different.
            extent.all_interact &= last < Some(number) && member.passes.is_none();
            last = Some(number);
            extent.has_manners |= want.is_led || agent.goal.is_some() || member.group.is_some();
        }
        extent.mean_radius /= count.max(1) as f32;
        extent.all_interact &= extent.low < extent.high && extent.layers & extent.mask != 0;
        let least = (3.0 * extent.mean_radius).max(settings.range * V::FINEST);
        self.cells.sort((least, settings.range), &self.points, &mut self.order);
        self.bodies.clear();
        self.wants.clear();
        self.manners.clear();
        for &place in &self.order {
            let (body, want) = self.given[place as usize];
            self.bodies.push(body);
            self.wants.push(want);
        }
        if extent.has_manners || !extent.all_interact {
            let members = self.order.iter().filter_map(|&place| member(place));
            self.manners.extend(members.map(|(_, member)| Manner::of(member)));
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
    fn choose<'m>(
        &mut self,
        member: impl Fn(u32) -> Option<(u32, &'m Member)> + Copy + Sync,
        steering: &impl Steerings<V>,
        grounds: &impl Grounds,
        (extent, Tick { settings, time, dt }): (Extent, Tick),
    ) {
        let period = (time / GIVES_IN_FOR) as u64;
        let Self { cells, order, bodies, wants, manners, lanes, chosen, moves, .. } = self;
        let (cells, order, bodies) = (&*cells, &order[..], &bodies[..]);
        let (wants, manners) = (&wants[..], &manners[..]);
        let looking = |own: usize| {
            let (me, want) = (&bodies[own], &wants[own]);
            let meets = (want.max_speed + extent.speed) * want.horizon;
            Looking {
                touch: me.radius + extent.radius + me.reach + extent.reach,
                range: settings.range.min(me.radius + extent.radius + meets),
                most: want.most.into(),
            }
        };
        let sees = |own: usize, place: usize| {
            let [(me, my), (other, its)] = [own, place].map(|it| (&bodies[it], &manners[it]));
            let pass = my.passes == Some(other.number) || its.passes == Some(me.number);
            me.number != other.number && interact(my, its) && !pass
        };
        let sees = (!extent.all_interact).then_some(&sees);
        over_chunks(lanes, chosen, |first, lane, chosen| {
            lane.clear();
            let range = first..first + chosen.len();
            if extent.most <= MEDIUM {
                cells.find::<V, _, { MEDIUM + 1 }>(bodies, range, looking, sees, lane);
            } else {
                cells.find::<V, _, { MOST_NEIGHBOURS + 1 }>(bodies, range, looking, sees, lane);
            }
            // For one body after the other.
            let mut near = Near::none();
            let mut points = [WallPoint::default(); MOST_WALLS];
            for (at, chosen) in chosen.iter_mut().enumerate() {
                let own = first + at;
                let (me, want) = (&bodies[own], &wants[own]);
                let Lane { found, seen, contacts } = lane;
                let member = || member(order[own]).map(|(_, member)| member);
                *chosen = Chosen::default();
                if want.most == 0 {
                    chosen.by = member().map_or(V::ZERO, |member| told(member, dt));
                    contacts.end();
                    continue;
                }
                let (found, Seen { near: count, are_all }) = (found.of(at), seen[at]);
                let places = &found[..count.into()];
                near.begin(places.len());
                let beside = look_beside(me, bodies, found, &mut near);
                chosen.overlaps = beside.is_in;
                if are_all {
                    let mut bits = beside.touched;
                    while bits != 0 {
                        contacts.push(found[bits.trailing_zeros() as usize]);
                        bits &= bits - 1;
                    }
                } else {
                    cells.touching(bodies, own, looking(own), sees, contacts);
                }
                contacts.end();
                let lead = if want.is_led { member().and_then(|member| member.lead) } else { None };
                if !manners.is_empty() {
                    let takes_turns = lead.is_some()
                        && member().is_some_and(|member| steering.takes_turns(member));
                    regard(&mut near, (bodies, manners), own, places, takes_turns);
                    chosen.is_settled = settles(bodies, manners, own, places);
                }
                let preferred = if chosen.is_settled { V::ZERO } else { want.preferred };
                let view = View {
                    own: *me,
                    preferred,
                    max_speed: want.max_speed,
                    horizon: want.horizon,
                    wall_horizon: settings.wall_horizon,
                    turn: turn(want.stuck, me.number, period),
                    dt,
                    near: &near,
                    walls: &[],
                };
                let mut without_walls = None;
                if let Some(Lead { by: Some(by), keeps, .. }) = lead
                    && !chosen.is_settled
                {
                    let velocity = match places.len() {
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
                let wall_range = me.radius + want.max_speed * settings.wall_horizon + me.reach;
                let found = wall_points(grounds, want.standpoint(me), wall_range, &mut points);
                let view = View { walls: &points[..found], ..view };
                let velocity = match without_walls {
                    Some(velocity) if found == 0 => velocity,
                    _ => steering.velocity(member, &view),
                };
                let velocity = if velocity.is_finite() { velocity } else { V::ZERO };
                let change = (velocity - me.velocity).clamp_length_max(want.acceleration * dt);
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
    fn make_room<'m>(&mut self, member: impl Fn(u32) -> Option<(u32, &'m Member)>) {
        let Self { order, bodies, lanes, chosen, moves, levels, queue, failing, .. } = self;
        queue.clear();
        queue.extend((0u32..).zip(&*chosen).filter(|one| one.1.overlaps).map(|one| one.0));
        if queue.is_empty() {
            return;
        }
        let contacts = |own: usize| lanes[own / CHUNK].contacts.of(own % CHUNK);
        levels.clear();
        levels.resize(bodies.len(), u8::MAX);
        queue.iter().for_each(|&place| levels[place as usize] = 0);
        for level in 1..=LEVELS {
            failing.clear();
            for &place in queue.iter().flat_map(|&place| contacts(place as usize)) {
                let own = place as usize;
                let gives_way = |(_, member): (u32, &Member)| {
                    let stands = member.is_settled || member.agent.preferred == Vec3::ZERO;
                    stands && member.agent.when_standing != WhenStanding::Holds
                };
                if levels[own] == u8::MAX
                    && bodies[own].weight < UNSTOPPABLE
                    && member(order[own]).is_some_and(gives_way)
                {
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
        let Self { bodies, lanes, moves, parted: next, points: targets, .. } = self;
        for _ in 0..PASSES {
            targets.clear();
            targets.extend(bodies.iter().zip(&*moves).map(|(body, &by)| body.at + by));
            over_chunks(lanes, next, |first, lane, next| {
                for (at, next) in next.iter_mut().enumerate() {
                    let own = first + at;
                    *next = parted(bodies, targets, (own, moves[own]), lane.contacts.of(at));
                }
            });
            std::mem::swap(moves, next);
        }
    }

    /// Shortens moves that walls bar, or turns them along the wall.
    fn prove_walls(&mut self, grounds: &impl Grounds) {
        let Self { bodies, wants, lanes, moves, chosen, .. } = self;
        over_chunks(lanes, chosen, |first, _, chosen| {
            for (own, chosen) in (first..).zip(chosen) {
                let from = wants[own].standpoint(&bodies[own]);
                let Standpoint { ground, position, radius } = from;
                // A move along a rail is proved already.
                chosen.is_led &= chosen.by == moves[own];
                chosen.by = moves[own];
                if chosen.is_led || wants[own].most == 0 {
                    continue;
                }
                let is_clear = |by: V, radius: f32| {
                    grounds.is_clear(ground, position, by.moved(position), radius)
                };
                if is_clear(moves[own], radius) {
                    continue;
                }
                // A body that is in a wall already is proved with the part of it that is not.
                let parts = [1.0, 0.75, 0.5, 0.25, 0.0].map(|part| part * radius);
                let free = parts.into_iter().find(|&radius| is_clear(V::ZERO, radius));
                chosen.in_wall = free != Some(radius);
                chosen.by_wall = true;
                let room = free.unwrap_or(0.0);
                let by = moves[own];
                let along = along_walls(grounds, from, by);
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
        let Self { bodies, wants, lanes, moves, chosen, cuts, failing, queue, .. } = self;
        // The first round looks at all pairs.
        over_chunks(lanes, cuts, |first, lane, cuts| {
            for (at, cut) in cuts.iter_mut().enumerate() {
                let touching = lane.contacts.of(at);
                *cut = u8::from(!keeps_apart(bodies, moves, first + at, touching));
            }
        });
        queue.clear();
        queue.extend((0u32..).zip(&*cuts).filter(|&(_, &cut)| cut > 0).map(|(place, _)| place));
        cuts.fill(0);
        while !queue.is_empty() {
            // All moves of a round are shortened at once, so their order does not count.
            for &place in &*queue {
                let own = place as usize;
                let Standpoint { ground, position, radius } = wants[own].standpoint(&bodies[own]);
                let half = chosen[own].by * LENGTHS[1];
                let to = half.moved(position);
                let halves = cuts[own] == 0 && grounds.is_clear(ground, position, to, radius);
                cuts[own] = if halves { 1 } else { 2 };
                moves[own] = if halves { half } else { V::ZERO };
            }
            failing.clear();
            for &place in &*queue {
                let own = place as usize;
                let touching = lanes[own / CHUNK].contacts.of(own % CHUNK);
                for other in touching {
                    if !keeps_apart(bodies, moves, own, std::slice::from_ref(other)) {
                        failing.extend([place, *other]);
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

    /// Returns the results, in the order of the input.
    fn give_back(&mut self) -> &[Moved<V>] {
        let Self { order, moves, chosen, cuts, moved, .. } = self;
        moved.resize(order.len(), Moved::default());
        for (own, &place) in order.iter().enumerate() {
            let Chosen { is_settled, by_wall, in_wall, is_led, .. } = chosen[own];
            let (by, is_cut) = (moves[own], cuts[own] > 0);
            moved[place as usize] = Moved { by, is_settled, by_wall, in_wall, is_led, is_cut };
        }
        moved
    }
}

/// The result of a step for a body.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Moved<V> {
    by: V,
    pub(super) is_settled: bool,
    /// Its move was shortened or turned along a wall.
    pub(super) by_wall: bool,
    pub(super) in_wall: bool,
    is_led: bool,
    /// Its move was shortened because of another body.
    pub(super) is_cut: bool,
}

impl<V: Moves> Want<V> {
    #[inline]
    fn standpoint(&self, body: &Body<V>) -> Standpoint {
        let position = body.at.raised(self.height);
        Standpoint { ground: self.ground, position, radius: body.radius }
    }
}

impl<V: Moves> Manner<V> {
    fn of(member: &Member) -> Self {
        let agent = &member.agent;
        let (low, high) = V::heights(agent);
        Self {
            goal: agent.goal.map(V::of),
            layers: agent.layers,
            mask: agent.mask,
            low,
            high,
            is_settled: member.is_settled,
            is_standing: agent.preferred == Vec3::ZERO || member.is_settled,
            is_led: member.lead.is_some(),
            left: member.lead.map_or(f32::INFINITY, |lead| lead.left),
            passes: member.passes,
            group: member.group,
        }
    }
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

/// What a body finds of those beside it.
#[derive(Clone, Copy, Default)]
struct Beside {
    /// A bit for each that it can come to touch within the step.
    touched: u32,
    /// Whether it is in another body.
    is_in: bool,
}

/// Writes the first of the bodies found into `near`, without the bits that [`regard`] sets. Returns
/// the contacts among all of them.
#[inline]
fn look_beside<V: Moves>(
    me: &Body<V>,
    bodies: &[Body<V>],
    found: &[u32],
    near: &mut Near<V>,
) -> Beside {
    let mut beside = Beside::default();
    let own = V::Four::splat(me.at);
    let quads = near.quads.iter_mut().zip(near.numbers.chunks_exact_mut(LANES));
    for ((at, (quad, numbers)), places) in (0..).zip(quads).zip(found.chunks(LANES)) {
        let other = |lane| places.get(lane).map_or(me, |&place: &u32| &bodies[place as usize]);
        let [a, b, c, d] = [other(0), other(1), other(2), other(3)];
        numbers.copy_from_slice(&[a.number, b.number, c.number, d.number]);
        let weight = f32x4::new([a.weight, b.weight, c.weight, d.weight]);
        quad.at = V::Four::lanes([a.at, b.at, c.at, d.at]);
        quad.velocity = V::Four::lanes([a.velocity, b.velocity, c.velocity, d.velocity]);
        quad.radius = f32x4::new([a.radius, b.radius, c.radius, d.radius]);
        quad.share = weight / (weight + f32x4::splat(me.weight));
        let squared = (quad.at - own).length_squared();
        let sum = quad.radius + f32x4::splat(me.radius);
        let touch = sum + f32x4::new([a.reach, b.reach, c.reach, d.reach]) + f32x4::splat(me.reach);
        let overlap = sum * f32x4::splat(OVERLAP);
        let counts = first_lanes(places.len());
        beside.is_in |= (squared.simd_lt(overlap * overlap) & counts).any();
        let touched = squared.simd_lt(touch * touch) & counts;
        beside.touched |= touched.to_bitmask() << (at * LANES);
    }
    beside
}

/// Notes what others want, as far as it matters to a body.
#[inline]
fn regard<V: Moves>(
    near: &mut Near<V>,
    (bodies, manners): (&[Body<V>], &[Manner<V>]),
    own: usize,
    places: &[u32],
    takes_turns: bool,
) {
    let (me, manner) = (&bodies[own], &manners[own]);
    for (at, &place) in places.iter().enumerate() {
        let (other, its) = (&bodies[place as usize], &manners[place as usize]);
        if covers(other, its, manner.goal) {
            // To be come near to, not to be gone round.
            let share = &mut near.quads[at / LANES].share.as_mut_array()[at % LANES];
            *share = share.min(0.5);
        }
        let yields = takes_turns && yields(its, other.number, manner, me.number);
        let is_fellow = manner.group.is_some() && manner.group == its.group;
        near.yields |= u32::from(yields) << at;
        near.fellows |= u32::from(is_fellow) << at;
    }
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

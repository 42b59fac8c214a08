//! One step of a crowd, part by part: of discs on the ground, or of balls in a volume.

use glam::Vec3;
use wide::f32x4;

use super::WhenStanding;
use super::cells::{Body, Cells};
use super::contact::{LENGTHS, OVERLAP, keeps_apart, parted};
use super::grounds::{Grounds, Standpoint};
use super::hunt::{Found, Looking};
use super::input::{Extent, Members, UNSTOPPABLE, Want, taken_in, told};
use super::lanes::{ByChunk, CHUNK, Lane, over_chunks};
use super::model::Steerings;
use super::moves::Moves;
use super::program::HalfSpaces;
use super::quad::{FourOf, LANES, first_lanes};
use super::right_of_way::{RightOfWay, Sorted, Way};
use super::settle::{covers, settles};
use super::solver::{CrowdReport, CrowdSettings, Lead, Member, Role};
use super::steering::{MEDIUM, MOST_NEIGHBOURS, MOST_WALLS, WallPoint};
use super::stuck::{GIVES_IN_FOR, Patience};
use super::view::{Near, View};
use super::wall_points::{along_walls, wall_points};

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
    /// Positions and radii, in the order of the input.
    given: Vec<V>,
    radii: Vec<f32>,
    /// Positions, in the order of the bodies.
    points: Vec<V>,
    /// The indices in the input, in the order of the bodies.
    order: Vec<u32>,
    bodies: Vec<Body<V>>,
    wants: Vec<Want<V>>,
    manners: Vec<Manner<V>>,
    lanes: Vec<Lane>,
    chosen: Vec<Chosen<V>>,
    moves: Vec<V>,
    /// Where moves lead to.
    targets: Vec<V>,
    /// Moves after a pass of parting, and where they lead to.
    parted: Vec<V>,
    parted_targets: Vec<V>,
    /// How often each move was shortened.
    cuts: Vec<u8>,
    failing: Vec<u32>,
    queue: Vec<u32>,
    /// How many bodies in touch lie between a body and one that overlaps another.
    levels: Vec<u8>,
    right_of_way: RightOfWay<V>,
    report: CrowdReport,
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
}

impl<V: Moves> Step<V> {
    /// Finds the moves of all bodies.
    pub(super) fn solve<'m>(
        &mut self,
        members: impl Members<'m>,
        steering: &impl Steerings<V>,
        grounds: &impl Grounds,
        tick: Tick,
    ) {
        self.sort(members, tick.settings);
        let extent = self.take_in(members, steering, tick.dt);
        self.choose(members, steering, grounds, (extent, tick));
        self.make_room(members);
        self.part(grounds);
        self.prove_distances(grounds);
    }

    /// Sorts the bodies into cells.
    fn sort<'m>(&mut self, members: impl Members<'m>, settings: CrowdSettings) {
        let count = members.count();
        let Self { cells, given, radii, order, .. } = self;
        given.resize(count, V::ZERO);
        radii.resize(count, 0.0);
        over_chunks(count, (&mut given[..], &mut radii[..]), |first, (given, radii)| {
            for ((place, point), radius) in (first as u32..).zip(given).zip(radii) {
                let agent = &members.member(place).agent;
                (*point, *radius) = (V::of(agent.position), agent.radius);
            }
        });
        let mean_radius = radii.iter().sum::<f32>() / count.max(1) as f32;
        let least = (3.0 * mean_radius).max(settings.range * V::FINEST);
        cells.sort((least, settings.range), given, order);
    }

    /// Reads the members in the order of cells.
    fn take_in<'m>(
        &mut self,
        members: impl Members<'m>,
        steering: &impl Steerings<V>,
        dt: f32,
    ) -> Extent {
        let count = members.count();
        let Self { order, points, bodies, wants, manners, lanes, .. } = self;
        points.resize(count, V::ZERO);
        lanes.resize_with(count.div_ceil(CHUNK), Lane::default);
        bodies.resize(count, Body::default());
        wants.resize(count, Want::default());
        let parts = (ByChunk(lanes), &mut points[..], &mut bodies[..], &mut wants[..]);
        over_chunks(count, parts, |first, (ByChunk(lanes), points, bodies, wants)| {
            let mut extent = Extent::default();
            let all = order[first..].iter().zip(points).zip(bodies).zip(wants);
            for (((&place, point), body), want) in all {
                (*body, *want) = taken_in(members, place, steering, (dt, &mut extent));
                *point = body.at;
            }
            lanes[0].extent = extent;
        });
        let extents = lanes.iter().map(|lane| &lane.extent);
        let mut extent = extents.fold(Extent::default(), Extent::with);
        extent.speed = extent.speed.max(extent.reach / dt);
        manners.clear();
        if extent.some_aim || !extent.all_interact() {
            let manner = |&place: &u32| Manner::of(members.member(place), members.role(place));
            manners.extend(order.iter().map(manner));
        }
        self.chosen.resize(count, Chosen::default());
        self.moves.resize(count, V::ZERO);
        self.targets.resize(count, V::ZERO);
        self.parted.resize(count, V::ZERO);
        self.parted_targets.resize(count, V::ZERO);
        self.cuts.clear();
        self.cuts.resize(count, 0);
        extent
    }

    /// Chooses a velocity for each body.
    fn choose<'m>(
        &mut self,
        members: impl Members<'m>,
        steering: &impl Steerings<V>,
        grounds: &impl Grounds,
        (extent, Tick { settings, time, dt }): (Extent, Tick),
    ) {
        let period = (time / GIVES_IN_FOR) as u64;
        let Self { cells, order, bodies, wants, manners, lanes, chosen, moves, targets, .. } = self;
        let right_of_way = &mut self.right_of_way;
        let (cells, at, order, bodies) = (&*cells, &self.points[..], &order[..], &bodies[..]);
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
        let sees = (!extent.all_interact()).then_some(&sees);
        right_of_way.clear();
        if extent.some_stuck {
            let sorted = Sorted { cells, points: at, bodies, wants, manners };
            right_of_way.find(sorted, sees, (time, extent.radius));
        }
        let right_of_way = &*right_of_way;
        let parts = (ByChunk(lanes), &mut chosen[..], &mut moves[..], &mut targets[..]);
        over_chunks(bodies.len(), parts, |first, (ByChunk(lanes), chosen, moves, targets)| {
            let Lane { contacts, inside, .. } = &mut lanes[0];
            contacts.clear();
            inside.clear();
            let (mut near, mut spaces) = (Near::none(), HalfSpaces::none());
            let mut points = [WallPoint::default(); MOST_WALLS];
            let mut choose = |own: usize, found: &Found| {
                let (me, want) = (&bodies[own], &wants[own]);
                let mut chosen = Chosen::default();
                if want.most == 0 {
                    let place = order[own];
                    chosen.by = told(members.member(place), members.role(place), dt);
                    contacts.end();
                    return chosen;
                }
                let places = found.near();
                near.begin(places.len());
                let beside = look_beside(me, bodies, found, &mut near);
                if beside.is_in {
                    inside.push(own as u32);
                }
                if found.are_all {
                    let mut bits = beside.touched;
                    while bits != 0 {
                        contacts.push(found.all()[bits.trailing_zeros() as usize]);
                        bits &= bits - 1;
                    }
                } else {
                    cells.touching((bodies, at), own, looking(own), sees, contacts);
                }
                contacts.end();
                let role = || members.role(order[own]);
                let lead = if want.is_led { role().lead } else { None };
                if !manners.is_empty() {
                    let takes_turns = lead.is_some() && steering.takes_turns(role());
                    regard(&mut near, (bodies, manners), own, places, takes_turns);
                    chosen.is_settled = settles(bodies, manners, own, places);
                }
                let way = right_of_way.of(own);
                let preferred = match way {
                    Way::Aside(away) => away * want.max_speed,
                    _ if chosen.is_settled => V::ZERO,
                    _ => want.preferred,
                };
                let is_aside = matches!(way, Way::Aside(_));
                let mut view = View {
                    own: *me,
                    preferred,
                    max_speed: want.max_speed,
                    horizon: way.horizon(want),
                    wall_horizon: settings.wall_horizon,
                    turn: way.turn(want, me.number, period),
                    dt,
                    near: &near,
                    walls: &[],
                };
                let mut without_walls = None;
                if let Some(Lead { by: Some(by), keeps, .. }) = lead
                    && !chosen.is_settled
                    && !is_aside
                {
                    let velocity = match places.len() {
                        0 => preferred,
                        _ => steering.velocity(role, &view, &mut spaces),
                    };
                    let turns_little = velocity.dot(preferred) >= KEPT * preferred.length_squared();
                    if velocity == preferred || keeps && turns_little {
                        // The path is free. The rail keeps to the limits of the body, and clear of
                        // walls, by itself.
                        (chosen.by, chosen.is_led) = (V::of(by), true);
                        return chosen;
                    }
                    without_walls = Some(velocity);
                }
                let wall_range = me.radius + want.max_speed * settings.wall_horizon + me.reach;
                let found = wall_points(grounds, want.standpoint(me), wall_range, &mut points);
                view.walls = &points[..found];
                let velocity = match without_walls {
                    Some(velocity) if found == 0 => velocity,
                    _ => steering.velocity(role, &view, &mut spaces),
                };
                let velocity = if velocity.is_finite() { velocity } else { V::ZERO };
                let change = (velocity - me.velocity).clamp_length_max(want.acceleration * dt);
                chosen.by = ((me.velocity + change) * dt).clamp_length_max(me.reach);
                chosen
            };
            let range = first..first + chosen.len();
            let mut visit = |own: usize, found: &Found| {
                let choice = choose(own, found);
                let at = own - first;
                (chosen[at], moves[at]) = (choice, choice.by);
                targets[at] = bodies[own].at + choice.by;
            };
            if extent.most <= MEDIUM {
                cells.find::<V, _, { MEDIUM + 1 }>(at, range, looking, sees, &mut visit);
            } else {
                let visit = &mut visit;
                cells.find::<V, _, { MOST_NEIGHBOURS + 1 }>(at, range, looking, sees, visit);
            }
        });
    }

    /// Lets standing bodies make room for bodies that overlap.
    ///
    /// A body that is in another one leaves it, but not through a third one that stands in touch:
    /// that would be a move that makes two overlap. So those in touch step back, and those in touch
    /// with them. Gaps open from the outside inwards. Costs nothing while no two overlap.
    fn make_room<'m>(&mut self, members: impl Members<'m>) {
        let Self { order, bodies, lanes, moves, targets, levels, queue, failing, .. } = self;
        queue.clear();
        queue.extend(lanes.iter().flat_map(|lane| &lane.inside));
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
                let gives_way = || {
                    let member = members.member(order[own]);
                    let stands = member.is_settled || member.agent.preferred == Vec3::ZERO;
                    stands && member.agent.when_standing != WhenStanding::Holds
                };
                if levels[own] == u8::MAX && bodies[own].weight < UNSTOPPABLE && gives_way() {
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
                    targets[own] = bodies[own].at + moves[own];
                }
            }
            std::mem::swap(queue, failing);
        }
    }

    /// Parts bodies whose moves would make them overlap, in two passes, and proves moves against
    /// walls.
    fn part(&mut self, grounds: &impl Grounds) {
        let Self { bodies, wants, lanes, moves, targets, parted: next, .. } = self;
        let (next_targets, chosen, count) =
            (&mut self.parted_targets, &mut self.chosen, bodies.len());
        over_chunks(count, (&mut next[..], &mut next_targets[..]), |first, (next, to)| {
            let all = (first..).zip(next.iter_mut().zip(to));
            for ((own, (next, to)), touching) in all.zip(lanes[first / CHUNK].contacts.all()) {
                (*next, *to) = (moves[own], targets[own]);
                if !touching.is_empty() {
                    *next = parted(bodies, targets, (own, *next), touching);
                    *to = bodies[own].at + *next;
                }
            }
        });
        let parts = (ByChunk(lanes), &mut moves[..], &mut chosen[..]);
        over_chunks(count, parts, |first, (ByChunk(lanes), moves, chosen)| {
            let Lane { contacts, report, .. } = &mut lanes[0];
            *report = CrowdReport::default();
            let all = (first..).zip(moves.iter_mut().zip(chosen));
            for ((own, (by, chosen)), touching) in all.zip(contacts.all()) {
                *by = next[own];
                if !touching.is_empty() {
                    *by = parted(bodies, next_targets, (own, *by), touching);
                }
                // A move along a rail is proved already.
                chosen.is_led &= chosen.by == *by;
                chosen.by = *by;
                if !chosen.is_led && wants[own].most > 0 {
                    prove_walls(grounds, wants[own].standpoint(&bodies[own]), chosen);
                    *by = chosen.by;
                }
                report.stopped_by_walls += u32::from(chosen.by_wall);
                report.in_walls += u32::from(chosen.in_wall);
                report.settled += u32::from(chosen.is_settled);
            }
        });
    }

    /// Shortens moves until all pairs keep apart.
    fn prove_distances(&mut self, grounds: &impl Grounds) {
        let Self { bodies, wants, lanes, moves, chosen, cuts, failing, queue, .. } = self;
        self.report = CrowdReport::default();
        for CrowdReport { stopped_by_walls, in_walls, settled, .. } in
            lanes.iter().map(|it| it.report)
        {
            self.report.stopped_by_walls += stopped_by_walls;
            self.report.in_walls += in_walls;
            self.report.settled += settled;
        }
        // The first round looks at all pairs.
        over_chunks(bodies.len(), ByChunk(lanes), |first, ByChunk(lanes)| {
            let Lane { contacts, failing, .. } = &mut lanes[0];
            failing.clear();
            for (own, touching) in (first..).zip(contacts.all()) {
                if !touching.is_empty() && !keeps_apart(bodies, moves, own, touching) {
                    failing.push(own as u32);
                }
            }
        });
        queue.clear();
        queue.extend(lanes.iter().flat_map(|lane| &lane.failing));
        while !queue.is_empty() {
            // All moves of a round are shortened at once, so their order does not count.
            for &place in &*queue {
                let own = place as usize;
                let Standpoint { ground, position, radius } = wants[own].standpoint(&bodies[own]);
                let half = chosen[own].by * LENGTHS[1];
                let to = half.moved(position);
                let halves = cuts[own] == 0 && grounds.is_clear(ground, position, to, radius);
                self.report.held_by_others += u32::from(cuts[own] == 0);
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

    /// Returns the result for the member at a place of the input.
    #[inline]
    pub(super) fn moved(&self, place: usize) -> Moved<V> {
        let own = self.cells.ranks()[place] as usize;
        let Chosen { is_settled, is_led, .. } = self.chosen[own];
        let (is_cut, presses) = (self.cuts[own] > 0, self.wants[own].presses);
        Moved { by: self.moves[own], is_settled, is_led, is_cut, presses }
    }

    /// Moves the members of the ids `present`, in ascending order of these.
    pub(super) fn apply(&self, present: &[u32], members: &mut [Member], dt: f32) -> CrowdReport {
        let count = members.len();
        over_chunks(count, members, |first, members| {
            let place = present.partition_point(|&number| (number as usize) < first);
            let here = (place..).zip(&present[place..]);
            for (place, &number) in here {
                let Some(member) = members.get_mut(number as usize - first) else { break };
                self.moved(place).apply(member, dt);
            }
        });
        self.report
    }
}

/// Shortens a move that walls bar, or turns it along the wall.
fn prove_walls<V: Moves>(grounds: &impl Grounds, from: Standpoint, chosen: &mut Chosen<V>) {
    let Standpoint { ground, position, radius } = from;
    let is_clear =
        |by: V, radius: f32| grounds.is_clear(ground, position, by.moved(position), radius);
    let by = chosen.by;
    if is_clear(by, radius) {
        return;
    }
    // A body that is in a wall already is proved with the part of it that is not.
    let parts = [1.0, 0.75, 0.5, 0.25, 0.0].map(|part| part * radius);
    let free = parts.into_iter().find(|&radius| is_clear(V::ZERO, radius));
    chosen.in_wall = free != Some(radius);
    chosen.by_wall = true;
    let room = free.unwrap_or(0.0);
    let along = along_walls(grounds, from, by);
    let ways = [by, along].into_iter().chain(by.parts());
    let ways = ways.chain([by * 0.5, along * 0.5, by * 0.25, by * 0.0625]);
    let mut clear = ways.filter(|&by| is_clear(by, room));
    chosen.by = clear.next().unwrap_or(V::ZERO);
}

/// The result of a step for a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moved<V> {
    by: V,
    is_settled: bool,
    is_led: bool,
    /// Its move was shortened because of another body.
    is_cut: bool,
    presses: bool,
}

impl<V: Moves> Manner<V> {
    fn of(member: &Member, role: &Role) -> Self {
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
            is_led: role.lead.is_some(),
            left: role.lead.map_or(f32::INFINITY, |lead| lead.left),
            passes: role.passes,
            group: role.group,
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
        member.was_led = self.is_led && !self.is_cut;
        let preferred = V::of(agent.preferred);
        let gone = if self.is_settled { f32::INFINITY } else { self.by.dot(preferred) };
        let (patience, squared) = (Patience::of(self.presses), preferred.length_squared());
        member.stuck = patience.stuck(member.stuck, gone, squared, dt);
    }
}

/// The part of its preferred velocity that a body has to choose for keeping to its rail at a
/// corner.
const KEPT: f32 = 0.5;

/// How far bodies make room round bodies that overlap, in bodies.
const LEVELS: u8 = 16;

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
    found: &Found,
    near: &mut Near<V>,
) -> Beside {
    let mut beside = Beside::default();
    let own = V::Four::splat(me.at);
    let count = found.all().len();
    for (index, (quad, places)) in near.quads.iter_mut().zip(found.quads()).enumerate() {
        let [a, b, c, d] = *places;
        let [a, b, c, d] = [a, b, c, d].map(|place| bodies[place as usize]);
        let [at, velocity] = V::Four::pairs([
            [a.at, a.velocity],
            [b.at, b.velocity],
            [c.at, c.velocity],
            [d.at, d.velocity],
        ]);
        let rest =
            |it: Body<V>| f32x4::new([it.radius, it.weight, it.reach, f32::from_bits(it.number)]);
        let [radius, weight, reach, number] =
            f32x4::transpose([rest(a), rest(b), rest(c), rest(d)]);
        quad.numbers = number.to_array().map(f32::to_bits);
        (quad.at, quad.velocity, quad.radius) = (at, velocity, radius);
        quad.share = weight / (weight + f32x4::splat(me.weight));
        let squared = (quad.at - own).length_squared();
        let sum = quad.radius + f32x4::splat(me.radius);
        let touch = sum + reach + f32x4::splat(me.reach);
        let overlap = sum * f32x4::splat(OVERLAP);
        let counts = first_lanes(count - index * LANES);
        beside.is_in |= (squared.simd_lt(overlap * overlap) & counts).any();
        let touched = squared.simd_lt(touch * touch) & counts;
        beside.touched |= touched.to_bitmask() << (index * LANES);
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

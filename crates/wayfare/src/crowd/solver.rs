//! The crowd and its step.

use glam::{Vec2, Vec3};

use super::agent::from_above;
use super::contact::{LENGTHS, PASSES, keeps_apart, parted, share};
use super::lanes::{CHUNK, Lane, over_chunks};
use super::near::{Body, Looking, Near};
use super::steering::{MOST_NEIGHBOURS, MOST_WALLS};
use super::{
    AvoidanceQuality, CrowdAgent, CrowdFault, MemberId, Orca, SeenBody, Steering, SteeringView,
    WallPoint, WallSide, Walls, WhenStanding,
};

/// What holds for a whole crowd. Units as of [`CrowdAgent`].
///
/// ```
/// use wayfare::crowd::{Crowd, CrowdSettings};
/// assert!(Crowd::new(CrowdSettings { range: -1.0, ..CrowdSettings::default() }).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CrowdSettings {
    /// How far a body looks for others, above 0 and at most 1,000; default 10. It never looks
    /// further than it and the fastest other could meet within its horizon.
    pub range: f32,
    /// For how many seconds ahead walls are avoided, above 0 and at most 60; default 0.4. Raising
    /// it makes bodies slow down earlier before walls and in doors.
    pub wall_horizon: f32,
}

impl Default for CrowdSettings {
    fn default() -> Self {
        Self { range: 10.0, wall_horizon: 0.4 }
    }
}

/// What happened in a step.
///
/// ```
/// use glam::Vec3;
/// use wayfare::crowd::{Crowd, CrowdAgent, CrowdSettings};
/// let mut crowd = Crowd::new(CrowdSettings::default())?;
/// crowd.add(CrowdAgent { preferred: Vec3::X, ..CrowdAgent::at(Vec3::ZERO) })?;
/// // Nobody passes x = 0.3.
/// let fence = |_from: Vec3, to: Vec3, radius: f32| to.x + radius <= 0.3;
/// let report = crowd.step(&fence, 0.1)?;
/// assert_eq!((report.stopped_by_walls, report.held_by_others), (1, 0));
/// # Ok::<(), wayfare::crowd::CrowdFault>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CrowdReport {
    /// Bodies whose moves were shortened or led along a wall.
    pub stopped_by_walls: u32,
    /// Bodies whose moves were shortened because of another body.
    pub held_by_others: u32,
    /// Bodies that reach into a wall: begun there, or overtaken by an edit. They may move out, and
    /// never deeper than a quarter of their radius at a time.
    pub in_walls: u32,
    /// Bodies that have settled round their goals.
    pub settled: u32,
}

/// A body and what the crowd remembers of it.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Member {
    agent: CrowdAgent,
    is_settled: bool,
    /// How long it has made hardly any way: 1 after [`STUCK_AFTER`].
    stuck: f32,
}

/// What a body has besides its [`Body`], in the same order.
#[derive(Clone, Copy, Debug)]
struct Manner {
    goal: Option<Vec2>,
    layers: u32,
    mask: u32,
    low: f32,
    high: f32,
    is_settled: bool,
    is_standing: bool,
}

/// Largest values over all members.
#[derive(Clone, Copy, Debug, Default)]
struct Extent {
    radius: f32,
    speed: f32,
    reach: f32,
    mean_radius: f32,
}

/// Bodies that avoid each other and walls. [`step`](Self::step) moves them all.
///
/// After a step that began with bodies apart and free of walls, bodies are apart and free of walls:
/// no two are nearer than 0.995 of the sum of their radii, and each move was proved by
/// [`Walls::is_clear`]. Bodies of quality off are exempt. Equal crowds make equal steps, bit by
/// bit, on any target and any number of threads (feature `rayon`).
///
/// A step takes O(n · neighbours²) at worst, and no memory once warm.
///
/// ```
/// use glam::Vec3;
/// use wayfare::crowd::{Crowd, CrowdAgent, CrowdSettings};
/// use wayfare::prelude::*;
///
/// let grid = Grid::from_rows(&["......", "..##..", "......"])?;
/// let mut crowd = Crowd::new(CrowdSettings::default())?;
/// let at = |x, z| Vec3::new(x, 0.0, z);
/// let east = crowd.add(CrowdAgent { preferred: Vec3::X, ..CrowdAgent::at(at(0.5, 0.5)) })?;
/// let west = crowd.add(CrowdAgent { preferred: -Vec3::X, ..CrowdAgent::at(at(5.5, 0.5)) })?;
/// for _ in 0..100 {
///     crowd.step(&grid.space(), 0.1)?;
/// }
/// // They pass each other between the wall and the border, 1 metre apart.
/// # let gone = |id| crowd.agent(id).unwrap().position.x;
/// # assert!(gone(east) < gone(west) || gone(east) > 5.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Crowd {
    settings: CrowdSettings,
    members: Vec<Option<Member>>,
    /// Seconds since the beginning.
    time: f64,
    scratch: CrowdScratch,
}

/// Memory of a step.
#[derive(Clone, Debug, Default)]
struct CrowdScratch {
    near: Near,
    /// The numbers of the members that are present.
    present: Vec<u32>,
    order: Vec<u32>,
    bodies: Vec<Body>,
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

/// What a body chose before contacts count.
#[derive(Clone, Copy, Debug, Default)]
struct Chosen {
    by: Vec2,
    is_settled: bool,
    by_wall: bool,
    in_wall: bool,
}

impl Crowd {
    /// A crowd without members.
    ///
    /// # Errors
    /// A setting is out of its range.
    pub fn new(settings: CrowdSettings) -> Result<Self, CrowdFault> {
        for (field, value, most) in
            [("range", settings.range, 1.0e3), ("wall horizon", settings.wall_horizon, 60.0)]
        {
            if !(f32::MIN_POSITIVE..=most).contains(&value) {
                return Err(CrowdFault::Limit { field, value, most });
            }
        }
        Ok(Self { settings, ..Self::default() })
    }

    /// Adds a body. It may overlap others: the next steps part them.
    ///
    /// # Errors
    /// A number of the agent is out of its range; there are 2³¹ members.
    pub fn add(&mut self, agent: CrowdAgent) -> Result<MemberId, CrowdFault> {
        agent.check()?;
        let number = u32::try_from(self.members.len()).ok().filter(|&number| number < 1 << 31);
        let number = number.ok_or(CrowdFault::Full)?;
        self.members.push(Some(Member { agent, is_settled: false, stuck: 0.0 }));
        Ok(MemberId(number))
    }

    /// Takes a body out. Its number is not used again.
    ///
    /// # Errors
    /// There is no such member.
    pub fn remove(&mut self, id: MemberId) -> Result<CrowdAgent, CrowdFault> {
        let member = self.members.get_mut(id.0 as usize).and_then(Option::take);
        member.map(|member| member.agent).ok_or(CrowdFault::NoSuchMember(id))
    }

    /// A body as the last step left it.
    #[must_use]
    pub fn agent(&self, id: MemberId) -> Option<&CrowdAgent> {
        self.members.get(id.0 as usize)?.as_ref().map(|member| &member.agent)
    }

    /// All bodies in the order of their numbers.
    pub fn agents(&self) -> impl Iterator<Item = (MemberId, &CrowdAgent)> {
        let numbered = (0..).map(MemberId).zip(&self.members);
        numbered.filter_map(|(id, member)| Some((id, &member.as_ref()?.agent)))
    }

    /// Whether a body has settled round its goal: it stands there, or behind another that has.
    #[must_use]
    pub fn is_settled(&self, id: MemberId) -> bool {
        let member = self.members.get(id.0 as usize).and_then(Option::as_ref);
        member.is_some_and(|member| member.is_settled)
    }

    /// Changes a body: its preferred velocity before each step, its place after a teleport, its
    /// limits.
    ///
    /// # Errors
    /// There is no such member; a number is out of its range. Nothing is changed then.
    pub fn set(&mut self, id: MemberId, agent: CrowdAgent) -> Result<(), CrowdFault> {
        let member = self.members.get_mut(id.0 as usize).and_then(Option::as_mut);
        let member = member.ok_or(CrowdFault::NoSuchMember(id))?;
        agent.check()?;
        if member.agent.goal != agent.goal {
            member.is_settled = false;
        }
        member.agent = agent;
        Ok(())
    }

    /// Changes the preferred velocity of a body.
    ///
    /// # Errors
    /// There is no such member; the velocity is no point within 10⁹ of the origin.
    pub fn prefer(&mut self, id: MemberId, preferred: Vec3) -> Result<(), CrowdFault> {
        let agent = *self.agent(id).ok_or(CrowdFault::NoSuchMember(id))?;
        self.set(id, CrowdAgent { preferred, ..agent })
    }

    /// Moves all bodies by `dt` seconds, above 0 and at most 10, by reciprocal avoidance.
    ///
    /// # Errors
    /// `dt` is out of its range.
    pub fn step(&mut self, walls: &impl Walls, dt: f32) -> Result<CrowdReport, CrowdFault> {
        self.step_by(&Orca, walls, dt)
    }

    /// Moves all bodies by `dt` seconds, above 0 and at most 10, by any model.
    ///
    /// # Errors
    /// `dt` is out of its range.
    pub fn step_by(
        &mut self,
        steering: &impl Steering,
        walls: &impl Walls,
        dt: f32,
    ) -> Result<CrowdReport, CrowdFault> {
        if !(f32::MIN_POSITIVE..=10.0).contains(&dt) {
            return Err(CrowdFault::Limit { field: "length of a step", value: dt, most: 10.0 });
        }
        let extent = self.sort(dt);
        self.choose(steering, walls, extent, dt);
        self.part();
        self.prove_walls(walls);
        self.prove_distances(walls);
        self.time += f64::from(dt);
        Ok(self.advance(dt))
    }

    /// Sorts the bodies into cells.
    fn sort(&mut self, dt: f32) -> Extent {
        let (members, scratch) = (&self.members, &mut self.scratch);
        scratch.present.clear();
        let mut extent = Extent::default();
        for (number, member) in (0u32..).zip(members) {
            let Some(Member { agent, .. }) = member else { continue };
            scratch.present.push(number);
            extent.radius = extent.radius.max(agent.radius);
            extent.mean_radius += agent.radius;
            let reach = reach(agent, dt);
            extent.reach = extent.reach.max(reach);
            extent.speed = extent.speed.max(agent.max_speed).max(reach / dt);
        }
        extent.mean_radius /= scratch.present.len().max(1) as f32;
        let present = &scratch.present;
        let agent = |number: u32| members[number as usize].as_ref().map(|member| &member.agent);
        let at =
            |&number: &u32| agent(number).map_or(Vec2::ZERO, |agent| from_above(agent.position));
        let side = (3.0 * extent.mean_radius).max(self.settings.range / 32.0);
        scratch.near.sort(side, present.iter().map(at), &mut scratch.order);
        scratch.bodies.clear();
        scratch.manners.clear();
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
                reach: reach(agent, dt),
                number,
            });
            scratch.manners.push(Manner {
                goal: agent.goal.map(from_above),
                layers: agent.layers,
                mask: agent.mask,
                low: agent.position.y,
                high: agent.position.y + agent.height,
                is_settled: member.is_settled,
                is_standing,
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
    fn choose(&mut self, steering: &impl Steering, walls: &impl Walls, extent: Extent, dt: f32) {
        let (members, settings) = (&self.members, self.settings);
        let period = (self.time / GIVES_IN_FOR) as u64;
        let CrowdScratch { near, bodies, manners, lanes, chosen, moves, .. } = &mut self.scratch;
        let (near, bodies, manners) = (&*near, &bodies[..], &manners[..]);
        over_chunks(lanes, chosen, |first, lane, chosen| {
            lane.clear();
            for (own, chosen) in (first..).zip(chosen) {
                let (me, manner) = (bodies[own], manners[own]);
                *chosen = Chosen::default();
                let Some(Member { agent, stuck, .. }) = &members[me.number as usize] else {
                    continue;
                };
                if agent.quality == AvoidanceQuality::Off {
                    chosen.by = from_above(agent.preferred) * dt;
                    lane.end();
                    continue;
                }
                let meets = (agent.max_speed + extent.speed) * agent.horizon;
                let looking = Looking {
                    touch: me.radius + extent.radius + me.reach + extent.reach,
                    range: settings.range.min(me.radius + extent.radius + meets),
                    most: agent.quality.neighbours(),
                };
                let sees = |place: usize| interact(&manner, &manners[place]);
                let nearest = near.find(bodies, own, looking, sees, lane.contacts());
                let mut seen = [SeenBody::default(); MOST_NEIGHBOURS];
                let mut count = 0;
                for place in nearest.places() {
                    let other = &bodies[place];
                    seen[count] = SeenBody { share: share(&me, other), ..see(other) };
                    count += 1;
                }
                chosen.is_settled = settles(bodies, manners, own, nearest.places());
                let preferred =
                    if chosen.is_settled { Vec2::ZERO } else { from_above(agent.preferred) };
                let mut points = [WallPoint::default(); MOST_WALLS];
                let wall_range = me.radius + agent.max_speed * settings.wall_horizon + me.reach;
                let found = wall_points(walls, agent.position, me.radius, wall_range, &mut points);
                let velocity = steering.velocity(&SteeringView {
                    own: see(&me),
                    preferred,
                    max_speed: agent.max_speed,
                    horizon: agent.horizon,
                    wall_horizon: settings.wall_horizon,
                    turn: turn(*stuck, me.number, period),
                    dt,
                    near: &seen[..count],
                    walls: &points[..found],
                });
                let velocity = if velocity.is_finite() { velocity } else { Vec2::ZERO };
                let change = (velocity - me.velocity).clamp_length_max(agent.acceleration * dt);
                chosen.by = ((me.velocity + change) * dt).clamp_length_max(me.reach);
                lane.end();
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

    /// Shortens moves that walls bar, or leads them along the wall.
    fn prove_walls(&mut self, walls: &impl Walls) {
        let members = &self.members;
        let CrowdScratch { bodies, lanes, moves, chosen, .. } = &mut self.scratch;
        over_chunks(lanes, chosen, |first, _, chosen| {
            for (own, chosen) in (first..).zip(chosen) {
                chosen.by = moves[own];
                let Some(Member { agent, .. }) = &members[bodies[own].number as usize] else {
                    continue;
                };
                if agent.quality == AvoidanceQuality::Off {
                    continue;
                }
                let is_clear = |by: Vec2, radius: f32| {
                    walls.is_clear(agent.position, moved(agent.position, by), radius)
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
                let along = along_wall(walls, agent, by);
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
    fn prove_distances(&mut self, walls: &impl Walls) {
        let members = &self.members;
        let CrowdScratch { bodies, lanes, moves, chosen, cuts, failing, queue, .. } =
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
                let Some(Member { agent, .. }) = &members[bodies[own].number as usize] else {
                    continue;
                };
                let half = chosen[own].by * LENGTHS[1];
                let to = moved(agent.position, half);
                let halves = cuts[own] == 0 && walls.is_clear(agent.position, to, agent.radius);
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
            // Bodies that stand already, and those that nothing stops, are not shortened further.
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

/// A body that makes less than this part of the way that it prefers is stuck,
const SLOW: f32 = 0.25;
/// fully after this time, in seconds.
const STUCK_AFTER: f32 = 1.0;

/// The turn to the right, in radians, of a body that cannot move as it prefers,
const TURN: f32 = 0.3;
/// the turn that is added when it is stuck,
const STUCK_TURN: f32 = 0.2;
/// and the largest turn to either side of one that gives in.
const LARGEST_TURN: f32 = 1.5;
/// The part of stuck bodies that give in at a time,
const GIVING_IN: f32 = 0.4;
/// for this time, in seconds.
const GIVES_IN_FOR: f64 = 2.0;

/// By how much a body turns that cannot move as it prefers, in radians to the right.
///
/// All turn to the right, as people keep to one side: the two of a pair pass on different sides,
/// and a ring becomes a roundabout. That does not end every jam. Two bodies in a door, shoulder to
/// shoulder, stay there as long as both press on. So some of those that are stuck give in: they
/// turn far, to either side. Others give in after a while, so that sooner or later the right one
/// makes room. If all gave in at once, the lanes of a counterflow would never form. The choice is a
/// hash of number and time, so it repeats.
fn turn(stuck: f32, number: u32, period: u64) -> f32 {
    // Multiplications by odd constants and shifts, as in the last steps of SplitMix64.
    let mixed =
        (u64::from(number) << 32 | period & 0xffff_ffff).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let share = (mixed >> 40) as f32 / (1u64 << 24) as f32;
    if share < GIVING_IN {
        TURN + LARGEST_TURN * stuck * (2.0 * share / GIVING_IN - 1.0)
    } else {
        TURN + STUCK_TURN * stuck
    }
}

/// The weight of a body that moves as told.
const UNSTOPPABLE: f32 = 1.0e12;

/// How much others have to give way to a body.
fn weight(agent: &CrowdAgent, is_standing: bool) -> f32 {
    let priority = f32::from(agent.priority) + 1.0;
    match agent.when_standing {
        _ if agent.quality == AvoidanceQuality::Off => UNSTOPPABLE,
        WhenStanding::Holds if is_standing => priority * 1.0e5,
        WhenStanding::Parts if is_standing => priority * 1.0e-5,
        _ => priority,
    }
}

/// How far a body can move within a step.
fn reach(agent: &CrowdAgent, dt: f32) -> f32 {
    if agent.quality == AvoidanceQuality::Off {
        return from_above(agent.preferred).length() * dt;
    }
    let speed = from_above(agent.velocity).length() + agent.acceleration * dt;
    speed.min(agent.max_speed) * dt
}

fn moved(position: Vec3, by: Vec2) -> Vec3 {
    Vec3::new(position.x + by.x, position.y, position.z + by.y)
}

fn see(body: &Body) -> SeenBody {
    let Body { at, velocity, radius, number, .. } = *body;
    SeenBody { at, velocity, radius, share: 0.0, number }
}

/// Whether two bodies are kept apart.
#[inline]
fn interact(a: &Manner, b: &Manner) -> bool {
    (a.mask & b.layers != 0 || b.mask & a.layers != 0) && a.low < b.high && b.low < a.high
}

/// Whether a body stands round its goal.
///
/// It does if it covers the goal; or if it touches another body on its way, nearer to the goal,
/// that has settled round the same goal or stands on it. Distances to the goal fall along such a
/// chain, so it ends at a body that covers the goal: settled bodies are one cluster round it, and
/// nobody settles elsewhere. When the innermost one leaves, the others move up.
fn settles(
    bodies: &[Body],
    manners: &[Manner],
    own: usize,
    mut near: impl Iterator<Item = usize>,
) -> bool {
    let (me, Some(goal)) = (&bodies[own], manners[own].goal) else { return false };
    let to_goal = goal - me.at;
    let distance = to_goal.length();
    if distance <= me.radius * 0.5 {
        return true;
    }
    // A body that has settled may be pushed a little before it sets out again.
    let slack = if manners[own].is_settled { 1.3 } else { 1.1 };
    near.any(|place| {
        let (other, manner) = (&bodies[place], &manners[place]);
        let offset = other.at - me.at;
        let sum = me.radius + other.radius;
        let rests = manner.is_settled && manner.goal.is_some_and(|g| g.distance(goal) <= sum);
        let covers = manner.is_standing && other.at.distance(goal) <= other.radius;
        (rests || covers)
            && offset.length() <= sum * slack
            && offset.dot(to_goal) >= 0.5 * offset.length() * distance
            && other.at.distance(goal) < distance
    })
}

/// The point of a side that is nearest to a body.
fn wall_point(side: WallSide, at: Vec2, radius: f32) -> Option<WallPoint> {
    let (from, to) = (from_above(side.from), from_above(side.to));
    let way = to - from;
    let length_squared = way.length_squared();
    let share = if length_squared > 0.0 {
        ((at - from).dot(way) / length_squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let offset = at - (from + way * share);
    let distance = offset.length();
    (distance > 0.0).then(|| WallPoint { away: offset / distance, room: distance - radius })
}

/// Fills in the nearest points of walls, up to the capacity, and returns their number.
fn wall_points(
    walls: &impl Walls,
    position: Vec3,
    radius: f32,
    range: f32,
    points: &mut [WallPoint; MOST_WALLS],
) -> usize {
    let at = from_above(position);
    let mut count = 0;
    walls.sides_near(position, range, |side| {
        let Some(point) = wall_point(side, at, radius) else { return };
        if point.room + radius > range {
            return;
        }
        if count < MOST_WALLS {
            points[count] = point;
            count += 1;
            return;
        }
        // The farthest one gives way.
        let farthest = points.iter_mut().max_by(|a, b| a.room.total_cmp(&b.room));
        if let Some(farthest) = farthest.filter(|farthest| farthest.room > point.room) {
            *farthest = point;
        }
    });
    count
}

/// The part of a move that does not lead into the wall that it would reach first.
fn along_wall(walls: &impl Walls, agent: &CrowdAgent, by: Vec2) -> Vec2 {
    let mut points = [WallPoint::default(); MOST_WALLS];
    let range = agent.radius + by.length() * 1.5;
    let count = wall_points(walls, agent.position, agent.radius, range, &mut points);
    let slid = points[..count].iter().fold(by, |by, point| {
        // Where the move would bring the body nearer than it may.
        let into = -point.away.dot(by) - point.room.max(0.0);
        if into > 0.0 { by + point.away * into } else { by }
    });
    slid.clamp_length_max(by.length())
}

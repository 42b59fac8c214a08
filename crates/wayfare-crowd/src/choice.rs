//! The choice of a body: of a velocity, and with it of a move.

use super::cells::{Body, Cells};
use super::contact::OVERLAP;
use super::grounds::Grounds;
use super::hunt::{Found, Looking};
use super::input::{Extent, Manner, told, yields};
use super::lanes::Lane;
use super::model::Steerings;
use super::moves::Moves;
use super::program::HalfSpaces;
use super::quad::{FourOf, LANES, first_lanes};
use super::right_of_way::{RightOfWay, Way};
use super::settle::{covers, settles};
use super::solver::{Lead, Role};
use super::steering::{MOST_WALLS, WallPoint};
use super::step::Tick;
use super::store::{Store, Want, role};
use super::view::{Near, View};
use super::wall_points::{prove_walls, wall_points};
use wide::f32x4;

/// The part of its preferred velocity that a body has to choose for keeping to its rail at a
/// corner.
const KEPT: f32 = 0.5;

/// The choice of a body, besides its move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Chosen {
    pub(super) is_settled: bool,
    pub(super) by_wall: bool,
    pub(super) in_wall: bool,
    /// The move is the one along its rail.
    pub(super) is_led: bool,
    /// The [free](super::wall_points::SeenWalls::free) length, 0 if it has not looked for walls.
    pub(super) free: f32,
}

/// What the choices of all bodies read.
pub(super) struct Choosing<'s, V, S, G> {
    pub(super) store: &'s Store<V>,
    pub(super) manners: &'s [Manner<V>],
    pub(super) roles: &'s [Role],
    pub(super) cells: &'s Cells,
    pub(super) right_of_way: &'s RightOfWay<V>,
    pub(super) steering: &'s S,
    pub(super) grounds: &'s G,
    pub(super) extent: Extent,
    pub(super) tick: Tick,
    /// The time, in turns of those that give in.
    pub(super) period: u64,
    /// Whether bodies with nobody and no wall in sight have their preferred velocities.
    pub(super) are_free: bool,
}

/// The memory of a choice.
pub(super) struct Memory<V: Moves> {
    near: Near<V>,
    spaces: HalfSpaces<V>,
    walls: [WallPoint<V>; MOST_WALLS],
}

impl<V: Moves> Memory<V> {
    pub(super) fn new() -> Self {
        let walls = [WallPoint::default(); MOST_WALLS];
        Self { near: Near::none(), spaces: HalfSpaces::none(), walls }
    }
}

/// What a body finds of those beside it.
#[derive(Clone, Copy, Default)]
struct Beside {
    /// A bit for each that it can come to touch within the step.
    touched: u32,
    /// Whether it is in another body.
    is_in: bool,
}

impl<V: Moves, S: Steerings<V>, G: Grounds> Choosing<'_, V, S, G> {
    #[inline]
    fn role(&self, own: usize) -> &Role {
        role(self.roles, self.store.keys[own])
    }

    /// Returns the move of a body that moves as told.
    pub(super) fn told(&self, own: usize) -> V {
        told(&self.store.wants[own], self.role(own), self.tick.dt)
    }

    /// Lists the contacts of a body, and reads the others that it sees. Returns whether it has
    /// contacts.
    #[inline]
    pub(super) fn read(
        &self,
        own: usize,
        found: &Found,
        lane: &mut Lane,
        (sees, memory): (Option<&impl Fn(usize, usize) -> bool>, &mut Memory<V>),
    ) -> bool {
        let (bodies, contacts) = (&self.store.bodies[..], &mut lane.contacts);
        memory.near.begin(found.near().len());
        if found.all().is_empty() {
            contacts.end();
            return false;
        }
        let beside = look_beside(&bodies[own], bodies, found, &mut memory.near);
        if beside.is_in {
            lane.inside.push(own as u32);
        }
        if found.are_all {
            let mut bits = beside.touched;
            while bits != 0 {
                contacts.push(found.all()[bits.trailing_zeros() as usize]);
                bits &= bits - 1;
            }
        } else {
            let points = &self.store.points[..];
            let looks = looking(self.store, own, (&self.extent, self.tick.settings.range));
            self.cells.touching((bodies, points), own, looks, sees, contacts);
        }
        let touches = contacts.end();
        if touches {
            lane.touching.push(own as u32);
        }
        touches
    }

    /// Returns the move that a body chooses, before contacts count.
    #[inline]
    pub(super) fn choose(
        &self,
        own: usize,
        places: &[u32],
        memory: &mut Memory<V>,
        chosen: &mut Chosen,
    ) -> V {
        let (me, want) = (&self.store.bodies[own], &self.store.wants[own]);
        let walls_within = me.radius + want.max_speed * self.tick.settings.wall_horizon + me.reach;
        let look_for_walls =
            |walls: &mut _| wall_points(self.grounds, want.standpoint(me), walls_within, walls);
        let mut seen = None;
        if places.is_empty() && self.are_free {
            let walls = look_for_walls(&mut memory.walls);
            chosen.free = walls.free;
            if walls.count == 0 {
                return self.within_limits(own, want.preferred.clamp_length_max(want.max_speed));
            }
            seen = Some(walls);
        }
        let lead = if want.is_led { self.role(own).lead } else { None };
        if !self.manners.is_empty() {
            let takes_turns = lead.is_some() && self.steering.takes_turns(|| self.role(own));
            self.regard(&mut memory.near, own, places, takes_turns);
            chosen.is_settled = settles(&self.store.bodies, self.manners, own, places);
        }
        let way = self.right_of_way.of(own);
        let Memory { near, spaces, walls } = memory;
        let mut view = self.view(own, way, chosen.is_settled, near);
        let lead = lead.filter(|_| !chosen.is_settled && !matches!(way, Way::Aside(_)));
        let mut without_walls = None;
        if let Some(Lead { by: Some(by), keeps, .. }) = lead {
            let velocity = self.velocity(own, &view, spaces);
            if keeps_to_rail(velocity, view.preferred, keeps) {
                // The path is free. The rail keeps to the limits of the body, and clear of walls,
                // by itself.
                chosen.is_led = true;
                return V::of(by);
            }
            without_walls = Some(velocity);
        }
        let seen = seen.unwrap_or_else(|| look_for_walls(walls));
        chosen.free = seen.free;
        view.walls = &walls[..seen.count];
        let velocity = match without_walls {
            Some(velocity) if seen.count == 0 => velocity,
            _ => self.steering.velocity(|| self.role(own), &view, spaces),
        };
        self.within_limits(own, velocity)
    }

    /// Returns what a body sees of others, without walls.
    #[inline]
    fn view<'n>(
        &self,
        own: usize,
        way: Way<V>,
        is_settled: bool,
        near: &'n Near<V>,
    ) -> View<'n, V> {
        let (me, want) = (&self.store.bodies[own], &self.store.wants[own]);
        View {
            own: *me,
            preferred: preferred(want, way, is_settled),
            max_speed: want.max_speed,
            horizon: way.horizon(want),
            wall_horizon: self.tick.settings.wall_horizon,
            turn: way.turn(want, me.number, self.period),
            dt: self.tick.dt,
            near,
            walls: &[],
        }
    }

    /// Returns the velocity that a body on a rail chooses without walls.
    #[inline]
    fn velocity(&self, own: usize, view: &View<'_, V>, spaces: &mut HalfSpaces<V>) -> V {
        match view.near.len() {
            0 => view.preferred,
            _ => self.steering.velocity(|| self.role(own), view, spaces),
        }
    }

    /// Returns the move towards a velocity that the limits of a body allow.
    #[inline]
    fn within_limits(&self, own: usize, velocity: V) -> V {
        let (me, want, dt) = (&self.store.bodies[own], &self.store.wants[own], self.tick.dt);
        let velocity = if velocity.is_finite() { velocity } else { V::ZERO };
        let change = (velocity - me.velocity).clamp_length_max(want.acceleration * dt);
        ((me.velocity + change) * dt).clamp_length_max(me.reach)
    }

    /// Notes what others want, as far as it matters to a body.
    #[inline]
    fn regard(&self, near: &mut Near<V>, own: usize, places: &[u32], takes_turns: bool) {
        let (bodies, manners) = (&self.store.bodies[..], self.manners);
        let (me, manner) = (&bodies[own], &manners[own]);
        for (at, &place) in places.iter().enumerate() {
            let (other, its) = (&bodies[place as usize], &manners[place as usize]);
            if covers(other, its, manner.goal) {
                // To be come near to, not to be gone round.
                let share = &mut near.quads[at / LANES].share.as_mut_array()[at % LANES];
                *share = share.min(0.5);
            }
            let yields = takes_turns && yields((its, other.number), (manner, me.number));
            let is_fellow = manner.group.is_some() && manner.group == its.group;
            near.yields |= u32::from(yields) << at;
            near.fellows |= u32::from(is_fellow) << at;
        }
    }

    /// Shortens a move that walls bar, or turns it along the wall. Of a body that moves along its
    /// rail or as told it is left.
    #[inline]
    pub(super) fn prove(&self, own: usize, by: V, chosen: &mut Chosen) -> V {
        let want = &self.store.wants[own];
        if chosen.is_led || want.is_told() {
            return by;
        }
        let standpoint = want.standpoint(&self.store.bodies[own]);
        let proved = prove_walls(self.grounds, (standpoint, chosen.free), by);
        (chosen.by_wall, chosen.in_wall) = (proved.by_wall, proved.in_wall);
        proved.by
    }
}

/// Returns the criteria of a body's search for others, within `range` at most.
#[inline]
pub(super) fn looking<V: Moves>(
    store: &Store<V>,
    own: usize,
    (extent, range): (&Extent, f32),
) -> Looking {
    let (me, want) = (&store.bodies[own], &store.wants[own]);
    let meets = (want.max_speed + extent.speed) * want.horizon;
    Looking {
        touch: me.radius + extent.radius + me.reach + extent.reach,
        range: range.min(me.radius + extent.radius + meets),
        most: want.most(),
    }
}

/// Returns the velocity that a body would have if no other one was near.
#[inline]
fn preferred<V: Moves>(want: &Want<V>, way: Way<V>, is_settled: bool) -> V {
    match way {
        Way::Aside(away) => away * want.max_speed,
        _ if is_settled => V::ZERO,
        _ => want.preferred,
    }
}

/// Returns whether a body with that choice keeps to its rail: it can have its preferred velocity,
/// or has to turn little where it `keeps` to it.
#[inline]
fn keeps_to_rail<V: Moves>(velocity: V, preferred: V, keeps: bool) -> bool {
    let turns_little = velocity.dot(preferred) >= KEPT * preferred.length_squared();
    velocity == preferred || keeps && turns_little
}

/// Writes the first of the bodies found into `near`, without the bits that
/// [`regard`](Choosing::regard) sets. Returns the contacts among all of them.
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

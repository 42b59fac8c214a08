//! One step of a crowd, part by part: of discs on the ground, or of balls in a volume.

use std::ops::Range;

use super::WhenStanding;
use super::cells::{Body, Cells};
use super::choice::{Choosing, Chosen, Memory, looking};
use super::contact::{LENGTHS, keeps_apart, parted};
use super::grounds::Grounds;
use super::hunt::{Found, Looking};
use super::input::{Extent, Manner, UNSTOPPABLE, taken_in};
use super::lanes::{ByChunk, CHUNK, Lane, both, is_parallel, on_threads, over_chunks};
use super::model::Steerings;
use super::moves::Moves;
use super::right_of_way::{RightOfWay, Sorted};
use super::solver::{CrowdReport, CrowdSettings, Role};
use super::steering::{MEDIUM, MOST_NEIGHBOURS};
use super::store::{Common, Store, Want, role};
use super::stuck::{GIVES_IN_FOR, Patience};
use super::wall_points::{is_clear, prove_walls};

/// The settings of a crowd, the time in seconds since the beginning, and the length of a step.
#[derive(Clone, Copy)]
pub(super) struct Tick {
    pub(super) settings: CrowdSettings,
    pub(super) time: f64,
    pub(super) dt: f32,
}

/// A step, and its memory. All columns are in the order of cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Step<V> {
    pub(super) store: Store<V>,
    /// The columns of the next order.
    sorted: Columns<V>,
    cells: Cells,
    /// The slots before the step.
    order: Vec<u32>,
    manners: Vec<Manner<V>>,
    lanes: Vec<Lane>,
    chosen: Vec<Chosen>,
    moves: Vec<V>,
    /// Where moves lead to.
    targets: Vec<V>,
    /// Moves after a pass of parting, of bodies with contacts,
    parted: Vec<V>,
    /// and where moves lead to then, of all bodies.
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

/// The columns of a [`Store`] that are sorted.
#[derive(Clone, Debug, Default)]
struct Columns<V> {
    keys: Vec<u32>,
    points: Vec<V>,
    bodies: Vec<Body<V>>,
    wants: Vec<Want<V>>,
}

impl<V: Moves> Step<V> {
    /// Moves all bodies. `roles`: by key, or none if all are plain.
    pub(super) fn solve(
        &mut self,
        roles: &[Role],
        steering: &impl Steerings<V>,
        grounds: &impl Grounds,
        tick: Tick,
    ) -> CrowdReport {
        on_threads(self.store.keys.len(), || {
            let common = self.store.common(roles);
            self.sort(&common, tick.settings);
            let extent = self.take_in(roles, steering, (&common, tick.dt));
            self.read_manners(roles, &common);
            self.choose(roles, steering, grounds, (&common, extent, tick));
            self.make_room();
            self.part(grounds);
            self.prove_distances(grounds);
            self.apply(tick.dt);
            self.report
        })
    }

    /// Sorts the bodies into cells.
    fn sort(&mut self, common: &Common, settings: CrowdSettings) {
        let Self { cells, order, store, .. } = self;
        let least = (3.0 * store.mean_radius(common)).max(settings.range * V::FINEST);
        cells.sort((least, settings.range), (&store.points, &store.keys), order);
    }

    /// Puts the members in the order of cells.
    fn take_in(
        &mut self,
        roles: &[Role],
        steering: &impl Steerings<V>,
        (common, dt): (&Common, f32),
    ) -> Extent {
        let Self { order, store, sorted, lanes, .. } = self;
        let count = order.len();
        lanes.resize_with(count.div_ceil(CHUNK), Lane::default);
        let Columns { keys, points, bodies, wants } = &mut *sorted;
        keys.resize(count, 0);
        points.resize(count, V::ZERO);
        bodies.resize(count, Body::default());
        wants.resize(count, Want::default());
        let parts =
            (ByChunk(lanes), (&mut keys[..], &mut points[..]), &mut bodies[..], &mut wants[..]);
        over_chunks(count, parts, |first, (ByChunk(lanes), (keys, points), bodies, wants)| {
            let mut extent = Extent::of(common);
            let all = order[first..].iter().zip(keys).zip(points).zip(bodies).zip(wants);
            for ((((&slot, key), point), body), want) in all {
                let slot = slot as usize;
                *key = store.keys[slot];
                let role = || role(roles, *key);
                let before = (&store.bodies[slot], &store.wants[slot]);
                (*body, *want) = taken_in(before, role, steering, dt);
                *point = body.at;
                extent.add(body, want);
            }
            lanes[0].extent = extent;
        });
        std::mem::swap(&mut store.keys, keys);
        std::mem::swap(&mut store.points, points);
        std::mem::swap(&mut store.bodies, bodies);
        std::mem::swap(&mut store.wants, wants);
        for (slot, &key) in (0..).zip(&store.keys) {
            store.slots[key as usize] = slot;
        }
        let extents = lanes.iter().map(|lane| &lane.extent);
        let mut extent = extents.fold(Extent::of(common), Extent::with);
        extent.speed = extent.speed.max(extent.reach / dt);
        extent
    }

    /// Reads what bodies see of each other besides positions and velocities, where it matters.
    fn read_manners(&mut self, roles: &[Role], common: &Common) {
        let Self { store, manners, .. } = self;
        manners.clear();
        if common.some_aim || !common.all_interact() {
            let manner = |(&key, want): (&u32, &Want<V>)| {
                Manner::of(want, &store.rests[key as usize], role(roles, key))
            };
            manners.extend(store.keys.iter().zip(&store.wants).map(manner));
        }
    }

    /// Chooses a velocity for each body.
    fn choose(
        &mut self,
        roles: &[Role],
        steering: &impl Steerings<V>,
        grounds: &impl Grounds,
        (common, extent, tick): (&Common, Extent, Tick),
    ) {
        let count = self.store.keys.len();
        let Self { cells, store, manners, lanes, right_of_way, chosen, moves, .. } = self;
        let (targets, parted_targets) = (&mut self.targets, &mut self.parted_targets);
        chosen.resize(count, Chosen::default());
        moves.resize(count, V::ZERO);
        targets.resize(count, V::ZERO);
        parted_targets.resize(count, V::ZERO);
        self.parted.resize(count, V::ZERO);
        self.cuts.clear();
        self.cuts.resize(count, 0);
        let (cells, store, manners) = (&*cells, &*store, &manners[..]);
        let interact = |own: usize, place: usize| {
            let [me, other] = [own, place].map(|it| (&manners[it], store.bodies[it].number));
            super::input::interact(me, other)
        };
        let sees = (!common.all_interact()).then_some(&interact);
        right_of_way.clear();
        let looking = |own: usize| looking(store, own, (&extent, tick.settings.range));
        // One thread finds who goes first; others look for neighbours meanwhile.
        let look_before = extent.some_stuck && is_parallel();
        if extent.some_stuck {
            let sorted = Sorted { cells, store, manners };
            let mut find_ways = || right_of_way.find(sorted, sees, (tick.time, extent.radius));
            if look_before {
                let look = || note_found(sorted, common.most, looking, sees, lanes);
                both(find_ways, look);
            } else {
                find_ways();
            }
        }
        let right_of_way = &*right_of_way;
        let period = (tick.time / GIVES_IN_FOR) as u64;
        let choosing = Choosing {
            store,
            manners,
            roles,
            cells,
            right_of_way,
            steering,
            grounds,
            extent,
            tick,
            period,
            are_free: is_free(steering) && manners.is_empty() && right_of_way.is_empty(),
        };
        let parts = (
            ByChunk(lanes),
            &mut chosen[..],
            &mut moves[..],
            (&mut targets[..], &mut parted_targets[..]),
        );
        over_chunks(count, parts, |first, (ByChunk(lanes), chosen, moves, (targets, next))| {
            let lane = &mut lanes[0];
            lane.begin();
            let notes = std::mem::take(&mut lane.notes);
            let mut memory = Memory::new();
            let range = first..first + chosen.len();
            let visit = |own: usize, found: &Found| {
                let at = own - first;
                let mut choice = Chosen::default();
                let by = if store.wants[own].is_told() {
                    lane.contacts.end();
                    choosing.told(own)
                } else {
                    let touches = choosing.read(own, found, lane, (sees, &mut memory));
                    let by = choosing.choose(own, found.near(), &mut memory, &mut choice);
                    if touches { by } else { choosing.prove(own, by, &mut choice) }
                };
                (chosen[at], moves[at]) = (choice, by);
                targets[at] = store.bodies[own].at + by;
                next[at] = targets[at];
            };
            if look_before {
                notes.visit(first, visit);
            } else {
                find((cells, &store.points), (range, common.most), looking, sees, visit);
            }
            lane.notes = notes;
        });
    }

    /// Lets standing bodies make room for bodies that overlap.
    ///
    /// A body that is in another one leaves it, but not through a third one that stands in touch:
    /// that would be a move that makes two overlap. So those in touch step back, and those in touch
    /// with them. Gaps open from the outside inwards. Costs nothing while no two overlap.
    fn make_room(&mut self) {
        let Self { store, lanes, chosen, moves, targets, levels, queue, failing, .. } = self;
        let Store { bodies, wants, .. } = &*store;
        queue.clear();
        queue.extend(lanes.iter().flat_map(|lane| &lane.inside));
        if queue.is_empty() {
            return;
        }
        levels.clear();
        levels.resize(bodies.len(), u8::MAX);
        queue.iter().for_each(|&place| levels[place as usize] = 0);
        for level in 1..=LEVELS {
            failing.clear();
            for &place in queue.iter().flat_map(|&place| contacts(lanes, place as usize)) {
                let own = place as usize;
                let want = &wants[own];
                let gives_way = || want.is_standing() && want.when_standing != WhenStanding::Holds;
                if levels[own] == u8::MAX && bodies[own].weight < UNSTOPPABLE && gives_way() {
                    levels[own] = level;
                    failing.push(place);
                }
            }
            for &place in &*failing {
                let own = place as usize;
                let inner = contacts(lanes, own).iter().map(|&other| other as usize);
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
                    self.parted_targets[own] = targets[own];
                    chosen[own].is_led = false;
                    if contacts(lanes, own).is_empty() {
                        lanes[own / CHUNK].touching.push(place);
                    }
                }
            }
            std::mem::swap(queue, failing);
        }
    }

    /// Parts bodies whose moves would make them overlap, in two passes, and proves moves against
    /// walls.
    fn part(&mut self, grounds: &impl Grounds) {
        let Self { store, lanes, moves, targets, parted: next, parted_targets, chosen, .. } = self;
        let Store { bodies, wants, .. } = &*store;
        let count = bodies.len();
        let parts = (ByChunk(lanes), &mut next[..], &mut parted_targets[..]);
        over_chunks(count, parts, |first, (ByChunk(lanes), next, to)| {
            for (own, touching) in lanes[0].touching(first) {
                let by = parted(bodies, targets, (own, moves[own]), touching);
                (next[own - first], to[own - first]) = (by, bodies[own].at + by);
            }
        });
        let parts = (ByChunk(lanes), &mut moves[..], &mut chosen[..]);
        over_chunks(count, parts, |first, (ByChunk(lanes), moves, chosen)| {
            for (own, touching) in lanes[0].touching(first) {
                let (before, chosen) = (&mut moves[own - first], &mut chosen[own - first]);
                let by = parted(bodies, parted_targets, (own, next[own]), touching);
                // A move along a rail is proved already.
                chosen.is_led &= *before == by;
                *before = by;
                if !chosen.is_led && !wants[own].is_told() {
                    let from = (wants[own].standpoint(&bodies[own]), chosen.free);
                    let proved = prove_walls(grounds, from, by);
                    (chosen.by_wall, chosen.in_wall) = (proved.by_wall, proved.in_wall);
                    *before = proved.by;
                }
            }
        });
    }

    /// Shortens moves until all pairs keep apart.
    fn prove_distances(&mut self, grounds: &impl Grounds) {
        let Self { store, lanes, moves, chosen, cuts, failing, queue, .. } = self;
        let Store { bodies, wants, .. } = &*store;
        self.report = CrowdReport::default();
        // The first round looks at all pairs.
        over_chunks(bodies.len(), ByChunk(lanes), |first, ByChunk(lanes)| {
            let mut failing = std::mem::take(&mut lanes[0].failing);
            failing.clear();
            for (own, touching) in lanes[0].touching(first) {
                if !keeps_apart(bodies, moves, own, touching) {
                    failing.push(own as u32);
                }
            }
            lanes[0].failing = failing;
        });
        queue.clear();
        queue.extend(lanes.iter().flat_map(|lane| &lane.failing));
        while !queue.is_empty() {
            // All moves of a round are shortened at once, so their order does not count.
            for &place in &*queue {
                let own = place as usize;
                let from = (wants[own].standpoint(&bodies[own]), chosen[own].free);
                let half = moves[own] * LENGTHS[1];
                let halves = cuts[own] == 0 && is_clear(grounds, from, half);
                self.report.held_by_others += u32::from(cuts[own] == 0);
                cuts[own] = if halves { 1 } else { 2 };
                moves[own] = if halves { half } else { V::ZERO };
            }
            failing.clear();
            for &place in &*queue {
                let own = place as usize;
                for other in contacts(lanes, own) {
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

    /// Makes the moves.
    fn apply(&mut self, dt: f32) {
        let Self { store, lanes, moves, chosen, cuts, report, .. } = self;
        let Store { points, bodies, wants, .. } = store;
        let count = bodies.len();
        let parts = (ByChunk(lanes), &mut points[..], &mut bodies[..], &mut wants[..]);
        over_chunks(count, parts, |first, (ByChunk(lanes), points, bodies, wants)| {
            let mut report = CrowdReport::default();
            let all = points.iter_mut().zip(bodies).zip(wants);
            let results = moves[first..].iter().zip(&chosen[first..]).zip(&cuts[first..]);
            for (((point, body), want), ((&by, chosen), &cuts)) in all.zip(results) {
                body.at += by;
                *point = body.at;
                body.velocity = by.velocity(want.is_told().then_some(want.preferred), dt);
                let gone = if chosen.is_settled { f32::INFINITY } else { by.dot(want.preferred) };
                let squared = want.preferred.length_squared();
                let stuck = Patience::of(want.presses).stuck(want.stuck, gone, squared, dt);
                want.end(chosen.is_settled, chosen.is_led && cuts == 0, stuck);
                report.stopped_by_walls += u32::from(chosen.by_wall);
                report.in_walls += u32::from(chosen.in_wall);
                report.settled += u32::from(chosen.is_settled);
            }
            lanes[0].report = report;
        });
        for one in lanes.iter().map(|lane| &lane.report) {
            report.stopped_by_walls += one.stopped_by_walls;
            report.in_walls += one.in_walls;
            report.settled += one.settled;
        }
    }
}

/// Notes in the lanes whom all bodies find.
fn note_found<V: Moves>(
    sorted: Sorted<'_, V>,
    most: usize,
    looking: impl Fn(usize) -> Looking + Sync,
    sees: Option<&(impl Fn(usize, usize) -> bool + Sync)>,
    lanes: &mut [Lane],
) {
    let points = &sorted.store.points[..];
    over_chunks(points.len(), ByChunk(lanes), |first, ByChunk(lanes)| {
        let notes = &mut lanes[0].notes;
        notes.clear();
        let range = first..points.len().min(first + CHUNK);
        let note = |_: usize, found: &Found| notes.push(found);
        find((sorted.cells, points), (range, most), &looking, sees, note);
    });
}

/// Finds whom the bodies of a range look for, `most` in range at most.
#[inline]
fn find<V: Moves>(
    (cells, points): (&Cells, &[V]),
    (range, most): (Range<usize>, usize),
    looking: impl Fn(usize) -> Looking,
    sees: Option<&impl Fn(usize, usize) -> bool>,
    visit: impl FnMut(usize, &Found),
) {
    if most <= MEDIUM {
        cells.find::<V, _, { MEDIUM + 1 }>(points, range, looking, sees, visit);
    } else {
        cells.find::<V, _, { MOST_NEIGHBOURS + 1 }>(points, range, looking, sees, visit);
    }
}

/// Returns the bodies that one may touch.
#[inline]
fn contacts(lanes: &[Lane], own: usize) -> &[u32] {
    lanes[own / CHUNK].contacts.of(own % CHUNK)
}

/// Returns [`Steerings::ARE_FREE`].
fn is_free<V: Moves, S: Steerings<V>>(_: &S) -> bool {
    S::ARE_FREE
}

/// How far bodies make room round bodies that overlap, in bodies.
const LEVELS: u8 = 16;

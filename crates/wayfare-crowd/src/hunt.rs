//! The search for the bodies near others, for four at a time.
//!
//! Four neighbours in the order of cells look at the same bodies: those in a block of cells round
//! all four. The block grows by a ring of cells at a time until no farther ring can contain any
//! that one of the four looks for.
//!
//! # The nearest, without a branch
//!
//! Where a body belongs among the nearest so far is random, so a branch on it would be mispredicted
//! each time. Let `a` be the sorted keys of a lane. With a new key `k` among them, the one at `i`
//! is the greater of `a[i - 1]` and the lesser of `a[i]` and `k`: all are computed side by side,
//! for the four lanes at once. While a list has fewer than four bodies, the keys behind the fourth
//! are infinite, and stay so.
//!
//! A key has the upper 24 bits of a squared distance, which is a positive float, and in its lowest
//! 8 bits the index of the body in a list. Keys are compared as floats. So two bodies are in order
//! if their squared distances differ by a 32,768th.

use std::array::from_fn;
use std::ops::Range;

use wide::f32x4;

use super::cells::{Body, Cell, Cells, floor};
use super::lanes::Lists;
use super::moves::Moves;
use super::quad::{FourOf, LANES, first_lanes};
use super::steering::MOST_NEIGHBOURS;

/// The criteria of a body's search for others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Looking {
    /// All bodies that come within reach: their distance is below the sum of radii and reaches.
    /// No distance beyond this one counts.
    pub touch: f32,
    /// And the nearest within this distance,
    pub range: f32,
    /// as many as that. Sees none at all if this is 0.
    pub most: usize,
}

/// The bits of a key with an index.
const INDEX: u32 = 0xff;

/// The bodies that may have an index at a time.
pub(super) const INDEXED: usize = INDEX as usize + 1;

/// The bodies that one finds, the nearest first.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// Any others follow them, so that quads are full.
    places: [u32; PADDED],
    count: usize,
    near: usize,
    /// Whether all within reach are among them.
    pub are_all: bool,
}

/// Slots of [`Found`].
const PADDED: usize = (MOST_NEIGHBOURS + 1).next_multiple_of(LANES);

impl Found {
    /// Nobody.
    const NONE: Self = Self { places: [0; PADDED], count: 0, near: 0, are_all: true };

    /// Returns all of them.
    #[inline]
    #[must_use]
    pub fn all(&self) -> &[u32] {
        &self.places[..self.count]
    }

    /// Returns the ones that are seen.
    #[inline]
    #[must_use]
    pub fn near(&self) -> &[u32] {
        &self.places[..self.near]
    }

    /// Takes the first `count` places but the own one, of which the first `near` are in range.
    #[cold]
    fn of_others(
        &mut self,
        own: usize,
        places: impl Iterator<Item = u32>,
        (count, near): (usize, usize),
    ) {
        (self.count, self.near) = (0, 0);
        for (slot, place) in places.enumerate() {
            let counts = place as usize != own;
            self.places[self.count] = place;
            self.count += usize::from(counts & (slot < count));
            self.near += usize::from(counts & (slot < near));
        }
    }

    /// Returns four of them at a time. Any others take the lanes that are left.
    #[inline]
    pub(super) fn quads(&self) -> &[[u32; LANES]] {
        &self.places.as_chunks().0[..self.count.div_ceil(LANES)]
    }
}

/// What bodies found, one after the other, in less room.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    quads: Vec<[u32; LANES]>,
    /// The count, the near ones, and whether these are all.
    counts: Vec<(u8, u8, bool)>,
}

impl Notes {
    /// Forgets all.
    pub(super) fn clear(&mut self) {
        self.quads.clear();
        self.counts.clear();
    }

    /// Notes what the next body found.
    #[inline]
    pub(super) fn push(&mut self, found: &Found) {
        self.quads.extend_from_slice(found.quads());
        self.counts.push((found.count as u8, found.near as u8, found.are_all));
    }

    /// Calls `visit` for one body after the other, from index `first` on, with what it found.
    #[inline]
    pub(super) fn visit(&self, first: usize, mut visit: impl FnMut(usize, &Found)) {
        let (mut found, mut begin) = (Found::NONE, 0);
        for (own, &(count, near, are_all)) in (first..).zip(&self.counts) {
            (found.count, found.near, found.are_all) = (count.into(), near.into(), are_all);
            let quads = found.count.div_ceil(LANES);
            let those = &self.quads[begin..begin + quads];
            found.places.as_chunks_mut().0[..quads].copy_from_slice(those);
            begin += quads;
            visit(own, &found);
        }
    }
}

/// As many bodies are compared with only as many keys.
const FEW: usize = 4;

/// Inserts a key into sorted ones, where the greatest falls out.
#[inline]
fn insert(keys: &mut [f32x4], key: f32x4) {
    for at in (1..keys.len()).rev() {
        keys[at] = keys[at - 1].fast_max(keys[at].fast_min(key));
    }
    keys[0] = keys[0].fast_min(key);
}

/// The most columns of cells between the first and the last of four bodies.
const SPREAD: u32 = 3;

/// The bodies that four look at.
struct Hunt<'b, V: Moves, S, const SLOTS: usize> {
    points: &'b [V],
    /// Whether the first of two bodies sees the second; `None` if all see all.
    sees: Option<&'b S>,
    own: [usize; LANES],
    at: V::Four,
    /// Squared distances beyond which no body counts.
    limit: f32x4,
    /// The nearest of each lane in order, itself among them. Infinite where there is none.
    keys: [f32x4; SLOTS],
    /// The lower of the last key and the limit.
    bound: f32x4,
    /// The bodies with an index.
    places: &'b mut [u32; INDEXED],
    count: usize,
}

impl<V: Moves, S: Fn(usize, usize) -> bool, const SLOTS: usize> Hunt<'_, V, S, SLOTS> {
    /// Forgets the bodies found.
    #[inline]
    fn begin(&mut self) {
        (self.keys, self.count) = ([f32x4::splat(f32::INFINITY); SLOTS], 0);
        self.bound = self.limit;
    }

    /// Looks at the bodies from index `from` up to index `to`.
    #[inline]
    fn look(&mut self, from: u32, to: u32) {
        let distance = f32x4::splat(f32::from_bits(!INDEX));
        for (place, &point) in (from..to).zip(&self.points[from as usize..to as usize]) {
            let squared = (V::Four::splat(point) - self.at).length_squared();
            let mut key = squared & distance | f32x4::splat(f32::from_bits(self.count as u32));
            if !key.simd_lt(self.bound).any() {
                continue;
            }
            if let Some(sees) = self.sees {
                let place = place as usize;
                key = key.fast_max(f32x4::new(self.own.map(|own| {
                    if own == place || sees(own, place) { 0.0 } else { f32::INFINITY }
                })));
            }
            self.places[self.count] = place;
            self.count += 1;
            if self.count <= FEW {
                // The other keys are infinite.
                insert(&mut self.keys[..FEW], key);
                continue;
            }
            insert(&mut self.keys, key);
            self.bound = self.limit.fast_min(self.keys[SLOTS - 1]);
            if self.count == INDEXED {
                self.renumber();
            }
        }
    }

    /// Passes the bodies that each lane found to `visit`. `found` is memory.
    #[inline]
    fn take(
        &self,
        looks: [Looking; LANES],
        lanes: usize,
        (found, visit): (&mut Found, &mut impl FnMut(usize, &Found)),
    ) {
        if !self.keys[1].simd_lt(self.limit).any() {
            // Each of the four has found itself at most.
            (found.count, found.near, found.are_all) = (0, 0, true);
            self.own[..lanes].iter().for_each(|&own| visit(own, found));
        } else if self.count <= FEW {
            self.take_of(&self.keys[..FEW], looks, lanes, (found, visit));
        } else {
            self.take_of(&self.keys[..], looks, lanes, (found, visit));
        }
    }

    /// Does so with the keys that may be finite.
    #[inline]
    fn take_of(
        &self,
        keys: &[f32x4],
        looks: [Looking; LANES],
        lanes: usize,
        (found, visit): (&mut Found, &mut impl FnMut(usize, &Found)),
    ) {
        let touch = f32x4::new(looks.map(|it| it.touch * it.touch));
        let range = f32x4::new(looks.map(|it| it.range * it.range));
        let farthest = touch.fast_max(range);
        let distance = |key: &f32x4| *key & f32x4::splat(f32::from_bits(!INDEX));
        let below = |limit: f32x4| {
            let ones = keys.iter().map(|key| distance(key).simd_lt(limit) & f32x4::ONE);
            ones.fold(f32x4::ZERO, |sum, one| sum + one).to_array()
        };
        let (counts, near) = (below(farthest), below(range));
        let are_all = distance(&self.keys[SLOTS - 1]).simd_ge(touch).to_bitmask();
        for (at, looks) in looks.into_iter().enumerate().take(lanes) {
            let (count, near) = (counts[at] as usize, near[at] as usize);
            found.are_all = count < SLOTS || are_all >> at & 1 > 0;
            let place = |key: &f32x4| {
                let index = key.as_array()[at].to_bits() & INDEX;
                self.places[index as usize]
            };
            let own = self.own[at];
            if place(&keys[0]) as usize == own {
                // Nearest to itself, unless others are at the very same point.
                for (slot, key) in found.places.iter_mut().zip(&keys[1..]) {
                    *slot = place(key);
                }
                (found.count, found.near) = (count.max(1) - 1, near.max(1) - 1);
            } else {
                found.of_others(own, keys.iter().map(place), (count, near));
            }
            // Where the own key fell out there is one too many.
            found.count = found.count.min(SLOTS - 1);
            found.near = found.near.min(looks.most).min(found.count);
            visit(own, found);
        }
    }

    /// Lists the bodies with a key anew, each lane its own.
    #[cold]
    fn renumber(&mut self) {
        let places = *self.places;
        self.count = 0;
        for key in self.keys.iter_mut().flat_map(f32x4::as_mut_array) {
            if key.is_finite() {
                let bits = key.to_bits();
                self.places[self.count] = places[(bits & INDEX) as usize];
                *key = f32::from_bits(bits & !INDEX | self.count as u32);
                self.count += 1;
            }
        }
    }
}

/// Four bodies, and the block of cells that holds them: a part of a row.
struct Group<V: Moves> {
    own: [usize; LANES],
    /// How many of the four are different.
    count: usize,
    /// The first cell of the block.
    cell: Cell,
    /// The columns of the block besides the first one.
    spread: u32,
    /// How far each body is from the lower sides of its cell, and from the left one of the block;
    /// in sides of a cell.
    within: [f32x4; 3],
    left: f32x4,
    at: V::Four,
}

impl<V: Moves> Group<V> {
    /// Returns the group of a body and those after it, up to `end`, that are in nearly the same
    /// cell.
    #[inline]
    fn of(cells: &Cells, points: &[V], first: usize, end: usize) -> Self {
        let own: [usize; LANES] = from_fn(|lane| (first + lane).min(end - 1));
        let scaled = own.map(|own| points[own] * cells.scale);
        let places = scaled.map(V::cell);
        let cell = places[0];
        let offsets = places.map(|it| it[0].wrapping_sub(cell[0]) as u32 & cells.mask);
        let is_in_row = |it: Cell| ((it[1] ^ cell[1]) | (it[2] ^ cell[2])) as u32 & cells.mask == 0;
        let is_in = |lane: &usize| is_in_row(places[*lane]) && offsets[*lane] <= SPREAD;
        let count = (1..LANES.min(end - first)).take_while(is_in).count() + 1;
        let lane = |lane: usize| lane.min(count - 1);
        let within = [0, 1, 2].map(|axis| {
            f32x4::new(from_fn(|it| {
                let it = lane(it);
                scaled[it].coordinates()[axis] - places[it][axis] as f32
            }))
        });
        let own = from_fn(|it| first + lane(it));
        Self {
            own,
            count,
            cell,
            spread: offsets[count - 1],
            left: within[0] + f32x4::new(from_fn(|it| offsets[lane(it)] as f32)),
            within,
            at: V::Four::lanes(own.map(|own| points[own])),
        }
    }

    /// Returns the distance of each body to the nearest side of the block.
    #[inline]
    fn to_border(&self) -> f32x4 {
        let right = f32x4::splat(self.spread as f32 + 1.0) - self.left;
        let across = self.within[1..V::AXES as usize].iter();
        across.fold(self.left.fast_min(right), |border, &within| {
            border.fast_min(within).fast_min(f32x4::ONE - within)
        })
    }

    /// Looks at the bodies in cells round the block, ring by ring.
    #[inline]
    fn look_round<S: Fn(usize, usize) -> bool, const SLOTS: usize>(
        &self,
        cells: &Cells,
        hunt: &mut Hunt<'_, V, S, SLOTS>,
    ) {
        let to_border = self.to_border();
        // A little less, for rounding.
        let unit = f32x4::splat(0.999 / cells.scale);
        let mut ring = V::INNERMOST;
        loop {
            if self.spread + 2 * ring as u32 > cells.mask {
                // The block meets itself round the torus: look at each body once.
                hunt.begin();
                hunt.look(0, hunt.points.len() as u32);
                return;
            }
            self.look_in(ring, cells, unit, hunt);
            // All bodies nearer than this have been seen. Where coordinates have no cell of their
            // own any more, floats lie farther apart than bodies look: all in sight share a cell.
            let seen = (f32x4::splat(ring as f32) + to_border) * unit;
            if (seen * seen).simd_ge(hunt.bound).all() {
                return;
            }
            ring += 1;
        }
    }

    /// Looks at the bodies in a ring of cells round the block; in three axes a shell. The innermost
    /// one includes the block.
    #[inline]
    fn look_in<S: Fn(usize, usize) -> bool, const SLOTS: usize>(
        &self,
        ring: i32,
        cells: &Cells,
        unit: f32x4,
        hunt: &mut Hunt<'_, V, S, SLOTS>,
    ) {
        let [column, row, layer] = self.cell;
        let (left, right) = (column.wrapping_sub(ring), column.wrapping_add(ring));
        let (is_first, last) = (ring == V::INNERMOST, self.spread as i32);
        let layers = if V::AXES == 3 { 2 * ring } else { 0 };
        // From the middle to both sides, since nearer bodies rule out farther ones.
        for z in (0..=layers).map(from_middle) {
            for y in (0..=2 * ring).map(from_middle) {
                let to_row = gap(y, self.within[1]);
                let to_layer = gap(z, self.within[2]);
                let across = to_row * to_row + to_layer * to_layer;
                let may_hold = |gap: f32x4, bound: f32x4| {
                    ((across + gap * gap) * unit * unit).simd_lt(bound).any()
                };
                let (row, layer) = (row.wrapping_add(y), layer.wrapping_add(z));
                let is_edge = y.abs() == ring || z.abs() == ring;
                if is_first || is_edge {
                    if is_first || may_hold(f32x4::ZERO, hunt.bound) {
                        let width = self.spread + 2 * ring as u32 + 1;
                        cells.visit_row([left, row, layer], width, |from, to| hunt.look(from, to));
                    }
                    continue;
                }
                if may_hold(gap(-ring, self.left), hunt.bound) {
                    cells.visit_row([left, row, layer], 1, |from, to| hunt.look(from, to));
                }
                if may_hold(gap(ring + last, self.left), hunt.bound) {
                    let right = right.wrapping_add(last);
                    cells.visit_row([right, row, layer], 1, |from, to| hunt.look(from, to));
                }
            }
        }
    }
}

/// Returns 0, -1, 1, -2, 2 and so on.
#[inline]
fn from_middle(at: i32) -> i32 {
    if at & 1 == 1 { -(at + 1) / 2 } else { at / 2 }
}

/// Returns how far the cells at an offset are from points within the cell at 0, in sides of a cell.
#[inline]
fn gap(offset: i32, within: f32x4) -> f32x4 {
    match offset {
        0 => f32x4::ZERO,
        1.. => f32x4::splat(offset as f32) - within,
        _ => f32x4::splat(-1.0 - offset as f32) + within,
    }
}

impl Cells {
    /// Finds the others that each body of a range looks for, the nearest first: the nearest seen,
    /// and after them others that may be within reach. Calls `visit` for one body after the other
    /// with its index, and with the others that it found. `points`: where bodies are. `sees`
    /// returns whether the first of two bodies sees the second; `None` if all do. `SLOTS` is above
    /// the most that a body looks for.
    ///
    /// The result depends on the cells' side in this alone: the order, and so the choice of the
    /// last, of bodies whose squared distances differ by less than a 32,768th.
    pub fn find<V: Moves, S: Fn(usize, usize) -> bool, const SLOTS: usize>(
        &self,
        points: &[V],
        range: Range<usize>,
        looking: impl Fn(usize) -> Looking,
        sees: Option<&S>,
        mut visit: impl FnMut(usize, &Found),
    ) {
        let mut places = [0; INDEXED];
        let mut found = Found::NONE;
        let mut next = range.start;
        while next < range.end {
            let group = Group::of(self, points, next, range.end);
            let looks = group.own.map(&looking);
            let limit = f32x4::new(looks.map(|looks| {
                let farthest = looks.touch.max(looks.range);
                // A little more, for the bits that keys lack.
                if looks.most == 0 { 0.0 } else { farthest * farthest * 1.0001 }
            }));
            let mut hunt = Hunt::<V, S, SLOTS> {
                points,
                sees,
                own: group.own,
                at: group.at,
                limit,
                keys: [f32x4::splat(f32::INFINITY); SLOTS],
                bound: limit,
                places: &mut places,
                count: 0,
            };
            group.look_round(self, &mut hunt);
            hunt.take(looks, group.count, (&mut found, &mut visit));
            next += group.count;
        }
    }

    /// Finds all bodies within reach of one.
    #[cold]
    pub fn touching<V: Moves, S: Fn(usize, usize) -> bool>(
        &self,
        (bodies, points): (&[Body<V>], &[V]),
        own: usize,
        looks: Looking,
        sees: Option<&S>,
        contacts: &mut Lists,
    ) {
        let me = &bodies[own];
        let most = f32x4::splat(looks.touch * looks.touch);
        let within = |offset: V::Four| offset.length_squared().simd_lt(most);
        self.visit_within((points, me.at), [(-looks.touch, looks.touch); 3], within, |place| {
            let other = place as usize;
            let is_seen = other != own && sees.is_none_or(|sees| sees(own, other));
            if is_seen && touches(me, &bodies[other]) {
                contacts.push(place);
            }
        });
    }

    /// Visits all bodies whose offsets from a point count. `block`: the least and the greatest
    /// coordinate, by axis, of offsets that do.
    #[inline]
    pub(super) fn visit_within<V: Moves>(
        &self,
        (points, at): (&[V], V),
        block: [(f32, f32); 3],
        counts: impl Fn(V::Four) -> f32x4,
        mut visit: impl FnMut(u32),
    ) {
        let middle = V::Four::splat(at);
        let mut look = |from: u32, to: u32| {
            for first in (from..to).step_by(LANES) {
                let offset = V::Four::lanes(four_from(points, first as usize)) - middle;
                let mask = counts(offset) & first_lanes((to - first) as usize);
                let mut bits = mask.to_bitmask();
                while bits != 0 {
                    visit(first + bits.trailing_zeros());
                    bits &= bits - 1;
                }
            }
        };
        let (middle, mut cells, mut is_wide) =
            ((at * self.scale).coordinates(), [(0, 0); 3], false);
        for axis in 0..V::AXES as usize {
            let (low, high) = block[axis];
            let (first, last) = ends(middle[axis], (low * self.scale, high * self.scale));
            is_wide |= last.wrapping_sub(first) as u32 >= self.mask;
            is_wide |= high.max(-low) * self.scale >= (self.mask / 2) as f32;
            cells[axis] = (first, last);
        }
        if is_wide {
            return look(0, points.len() as u32);
        }
        let [columns, rows, layers] = cells;
        let width = columns.1.wrapping_sub(columns.0) as u32 + 1;
        for layer in layers.0..=layers.1 {
            for row in rows.0..=rows.1 {
                self.visit_row([columns.0, row, layer], width, &mut look);
            }
        }
    }
}

/// Returns four points, of which those beyond the end are the last one.
#[inline]
fn four_from<V: Copy>(points: &[V], first: usize) -> [V; LANES] {
    match points[first..].first_chunk() {
        Some(four) => *four,
        None => from_fn(|lane| points[(first + lane).min(points.len() - 1)]),
    }
}

/// Returns the first and the last cell of an axis between two offsets from a coordinate, in sides
/// of a cell; perhaps more, for rounding.
#[inline]
fn ends(at: f32, (low, high): (f32, f32)) -> (i32, i32) {
    let spare = (high - low) * 1e-3 + at.abs() * 1e-6;
    (floor(at + low - spare), floor(at + high + spare))
}

/// Returns whether two bodies can come to touch within the step.
#[inline]
fn touches<V: Moves>(me: &Body<V>, other: &Body<V>) -> bool {
    let touch = me.radius + other.radius + me.reach + other.reach;
    me.at.distance_squared(other.at) < touch * touch
}

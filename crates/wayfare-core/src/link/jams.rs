//! Jams: delays of crowded ground, over any space.

use std::collections::BTreeMap;

use glam::Vec3;

use crate::hash::WordHash;
use crate::search::GroundDelays;
use crate::space::Revision;

/// The height of the areas that delays are known by, in world units: a storey.
const STOREY: f32 = 3.0;
/// How far below a multiple of that height an area begins, so that floors are not on the border.
const BELOW: f32 = 1.0;

/// The most that a metre of ground is delayed, in metres.
pub const MOST_DELAY: f32 = 50.0;

/// The least side of an area, in world units.
pub const LEAST_SIDE: f32 = 0.1;

/// The number of an area along each axis.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AreaKey([i32; 3]);

impl AreaKey {
    /// Returns the area of that side that a point lies in.
    #[inline]
    #[doc(hidden)]
    pub fn at(point: Vec3, side: f32) -> Self {
        // Beyond the range: the outermost area. `f32::floor` is a call on the baseline of x86-64.
        let whole = |value: f32| {
            let towards_zero = value as i32;
            towards_zero.saturating_sub(i32::from(value < towards_zero as f32))
        };
        Self([whole(point.x / side), whole((point.y + BELOW) / STOREY), whole(point.z / side)])
    }

    /// Returns its lower and its upper corner.
    #[doc(hidden)]
    pub fn corners(self, side: f32) -> [Vec3; 2] {
        let [x, y, z] = self.0.map(|number| number as f32);
        let min = Vec3::new(x * side, y * STOREY - BELOW, z * side);
        [min, min + Vec3::new(side, STOREY, side)]
    }
}

/// An area and its delay.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AreaDelay {
    #[doc(hidden)]
    pub area: AreaKey,
    /// In metres a metre, above 0.
    #[doc(hidden)]
    pub delay: f32,
}

/// An area with a jam, as [`Jams::iter`] tells it.
///
/// Example: `JamSettings`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Jam {
    /// The lower corner of the area.
    pub min: Vec3,
    /// Its upper corner.
    pub max: Vec3,
    /// The delay of a metre of the area, as the length of free ground that takes as long, in
    /// metres: above 0, at most [`MOST_DELAY`].
    pub delay: f32,
}

/// The delays of ground by jams: by area, squares of one side and three metres high.
///
/// They lie beside the space like [danger](super::Danger), and belong to the same overlay. A move
/// on foot costs its length times the delay of the ground in its middle more; a
/// [link](super::NavLink) has its posted wait instead. A simulation measures and posts them if its
/// settings say so.
///
/// Example: [`NavLinks::set_jams`](super::NavLinks::set_jams).
#[derive(Clone, PartialEq, Debug)]
pub struct Jams {
    /// In world units.
    side: f32,
    /// By area.
    areas: Vec<AreaDelay>,
    /// The box around all areas; empty without any.
    bounds: [Vec3; 2],
    /// The delay of each area in that box, if these are not too many.
    lattice: Lattice,
    /// The revision of the last change of each area.
    changed: BTreeMap<AreaKey, u64>,
}

impl Default for Jams {
    fn default() -> Self {
        let (bounds, lattice) = ([Vec3::MAX, Vec3::MIN], Lattice::default());
        Self { side: 1.0, areas: Vec::new(), bounds, lattice, changed: BTreeMap::new() }
    }
}

impl Jams {
    /// Returns whether no ground is delayed.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.areas.is_empty()
    }

    /// Returns every area with a delay, in a fixed order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Jam> + '_ {
        self.areas.iter().map(|&AreaDelay { area, delay }| {
            let [min, max] = area.corners(self.side);
            Jam { min, max, delay }
        })
    }

    /// Returns the delay of the ground at a point, in metres a metre: 0 to [`MOST_DELAY`]. O(1),
    /// and O(log areas) where areas with a delay are far apart.
    #[inline]
    #[must_use]
    pub fn at(&self, point: Vec3) -> f32 {
        if !is_in(point, self.bounds) {
            return 0.0;
        }
        let area = AreaKey::at(point, self.side);
        if let Some(delay) = self.lattice.get(area) {
            return delay;
        }
        let place = self.areas.binary_search_by_key(&area, |one| one.area);
        place.map_or(0.0, |place| self.areas[place].delay)
    }

    /// Returns the delay along a straight line, in metres: its length times the mean delay at the
    /// midpoints of equal parts, each at most half an area long.
    #[inline]
    #[must_use]
    pub fn along(&self, from: Vec3, to: Vec3) -> f32 {
        let [min, max] = self.bounds;
        if !(from.max(to).cmpge(min).all() && from.min(to).cmple(max).all()) {
            return 0.0;
        }
        let (length, way) = (from.distance(to), to - from);
        if length <= 0.5 * self.side {
            return length * self.at(from + way * 0.5);
        }
        let parts = (length / (0.5 * self.side)).ceil().clamp(1.0, 1.0e4);
        let delays =
            (0..parts as u32).map(|part| self.at(from + way * ((part as f32 + 0.5) / parts)));
        length * delays.sum::<f32>() / parts
    }

    /// Returns the delays along lines that begin at a point.
    #[inline]
    pub(super) fn from(&self, from: Vec3) -> DelaysFrom<'_> {
        let area = AreaKey::at(from, self.side);
        let (alike, delay) = if self.lattice.is_free_around(area) {
            let reach = NEXT * self.side.min(STOREY);
            ([from - reach, from + reach], 0.0)
        } else {
            let [min, max] = area.corners(self.side);
            let margin = BORDER * (max - min);
            ([min + margin, max - margin], self.at(from))
        };
        let alike = if is_in(from, alike) { alike } else { [Vec3::MAX, Vec3::MIN] };
        DelaysFrom { jams: self, from, alike, delay }
    }

    /// Replaces all delays by `areas` (in ascending order, each once). Returns the areas whose
    /// delay changed.
    pub(super) fn replace(
        &mut self,
        side: f32,
        areas: &[AreaDelay],
        revision: u64,
    ) -> Vec<AreaKey> {
        let delay = |areas: &[AreaDelay], area| {
            let place = areas.binary_search_by_key(&area, |one| one.area);
            place.map_or(0.0, |place| areas[place].delay)
        };
        let all = self.areas.iter().chain(areas).map(|one| one.area);
        let mut changed: Vec<AreaKey> =
            all.filter(|&area| delay(&self.areas, area) != delay(areas, area)).collect();
        changed.sort_unstable();
        changed.dedup();
        self.side = side;
        self.areas.clear();
        self.areas.extend_from_slice(areas);
        self.bounds = [Vec3::MAX, Vec3::MIN];
        for one in areas {
            let [min, max] = one.area.corners(side);
            self.bounds = [self.bounds[0].min(min), self.bounds[1].max(max)];
        }
        self.lattice.fill(&self.areas);
        self.changed.extend(changed.iter().map(|&area| (area, revision)));
        changed
    }

    /// Returns the revision after the last change of a delay along a straight line; of any area, if
    /// the line is longer than one.
    pub(super) fn last_change(&self, from: Vec3, to: Vec3) -> Revision {
        if self.changed.is_empty() {
            return Revision::default();
        }
        if from.distance(to) > self.side {
            return Revision(self.changed.values().copied().max().unwrap_or(0));
        }
        let points = [from, from.midpoint(to), to];
        let changes = points.map(|at| self.changed.get(&AreaKey::at(at, self.side)).copied());
        Revision(changes.into_iter().flatten().max().unwrap_or(0))
    }

    /// Returns a hash of all of it.
    #[doc(hidden)]
    pub fn digest(&self) -> u64 {
        let mut hash = WordHash(0);
        for AreaDelay { area: AreaKey(numbers), delay } in &self.areas {
            numbers.iter().for_each(|&number| hash.word(u64::from(number.cast_unsigned())));
            hash.float(*delay);
        }
        hash.0
    }
}

/// The part of an area's side that a point is surely within the areas next to it.
const NEXT: f32 = 0.75;

/// The part of an area's side by its border. Points there may be rounded into the next area.
const BORDER: f32 = 1.0 / 256.0;

/// The delays along lines that begin at one point.
///
/// Most moves out of a state end in the area that they begin in, and most states of a search lie
/// far from all jams. One look at the areas around the state answers for these moves.
pub(super) struct DelaysFrom<'j> {
    jams: &'j Jams,
    from: Vec3,
    /// Lines to points in that box are delayed alike.
    alike: [Vec3; 2],
    /// In metres a metre.
    delay: f32,
}

impl DelaysFrom<'_> {
    /// Returns the delay along a straight line, as [`Jams::along`].
    #[inline]
    pub(super) fn to(&self, to: Vec3) -> f32 {
        if !is_in(to, self.alike) {
            return self.jams.along(self.from, to);
        }
        if self.delay == 0.0 { 0.0 } else { self.from.distance(to) * self.delay }
    }
}

#[inline]
fn is_in(point: Vec3, [min, max]: [Vec3; 2]) -> bool {
    (point.cmpge(min) & point.cmple(max)).all()
}

impl GroundDelays for Jams {
    fn along(&self, from: Vec3, to: Vec3) -> f64 {
        f64::from(self.along(from, to))
    }
}

/// The most areas in a lattice: a megabyte of delays.
const MOST_AREAS: i64 = 1 << 18;

/// The delays of all areas in a box, row by row. A search looks up each move that it generates.
#[derive(Clone, PartialEq, Debug, Default)]
struct Lattice {
    low: [i32; 3],
    /// Empty without areas, and where the box has too many.
    delays: Vec<f32>,
    size: [i32; 3],
    /// Whether an area or one next to it has a delay; one area wider on each side.
    is_near: Vec<bool>,
}

impl Lattice {
    /// Returns the delay of an area; `None` if the lattice is empty.
    #[inline]
    fn get(&self, area: AreaKey) -> Option<f32> {
        let [x, y, z] = [0, 1, 2].map(|axis| i64::from(area.0[axis]) - i64::from(self.low[axis]));
        let [width, height, depth] = self.size.map(i64::from);
        if self.delays.is_empty() {
            return None;
        }
        let is_in = (0..width).contains(&x) && (0..height).contains(&y) && (0..depth).contains(&z);
        Some(if is_in { self.delays[((y * depth + z) * width + x) as usize] } else { 0.0 })
    }

    /// Returns whether neither an area nor one next to it has a delay; `false` if that is not
    /// known.
    #[inline]
    fn is_free_around(&self, area: AreaKey) -> bool {
        let [x, y, z] =
            [0, 1, 2].map(|axis| i64::from(area.0[axis]) - i64::from(self.low[axis]) + 1);
        let [width, height, depth] = self.size.map(|side| i64::from(side) + 2);
        let is_in = (0..width).contains(&x) && (0..height).contains(&y) && (0..depth).contains(&z);
        let is_near = || is_in && self.is_near[((y * depth + z) * width + x) as usize];
        !self.delays.is_empty() && !is_near()
    }

    fn fill(&mut self, areas: &[AreaDelay]) {
        self.delays.clear();
        self.is_near.clear();
        let Some(first) = areas.first() else { return };
        let (mut low, mut high) = (first.area.0, first.area.0);
        for one in areas {
            for axis in 0..3 {
                low[axis] = low[axis].min(one.area.0[axis]);
                high[axis] = high[axis].max(one.area.0[axis]);
            }
        }
        let size = [0, 1, 2].map(|axis| i64::from(high[axis]) - i64::from(low[axis]) + 1);
        let count = size.iter().try_fold(1i64, |count, &side| count.checked_mul(side));
        let Some(count) = count.filter(|&count| count <= MOST_AREAS) else { return };
        (self.low, self.size) = (low, size.map(|side| side as i32));
        self.delays.resize(count as usize, 0.0);
        let [width, height, depth] = size;
        self.is_near.resize(((width + 2) * (height + 2) * (depth + 2)) as usize, false);
        for one in areas {
            let [x, y, z] = [0, 1, 2].map(|axis| i64::from(one.area.0[axis] - low[axis]));
            self.delays[((y * depth + z) * width + x) as usize] = one.delay;
            for (y, z) in (y..y + 3).flat_map(|y| (z..z + 3).map(move |z| (y, z))) {
                let row = ((y * (depth + 2) + z) * (width + 2) + x) as usize;
                self.is_near[row..row + 3].fill(true);
            }
        }
    }
}

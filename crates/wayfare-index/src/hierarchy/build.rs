//! Builds a hierarchy and repairs it after edits.

use wayfare_core::space::{Cost, DIAGONAL, Revision, STRAIGHT, Space};
use wayfare_grid::grid::{Cell, GridProfile, GridSpace};

use super::corners::Corners;
use super::elimination::FAR;
use super::entrances::Transition;
use super::flood::Flood;
use super::groups::{self, Group, Grouping, Map};
use super::sectors::{Bounds, STEPS, Sectors, directions};
use super::{HierarchyError, SectorSide, entrances};
use crate::index::parallel;

/// Settings of building a hierarchy and refining its routes.
///
/// ```
/// use wayfare::hierarchy::{HierarchySettings, SectorSide};
/// let settings = HierarchySettings { sector_side: SectorSide::new(64)?, lookahead: 0 };
/// assert_ne!(settings, HierarchySettings::default());
/// # Ok::<(), wayfare::hierarchy::SectorSideError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HierarchySettings {
    /// The side of a sector, default 32 cells. Raising it makes searches faster and routes cheaper,
    /// but repairs more expensive.
    pub sector_side: SectorSide,
    /// The count of sectors that a leg of a route looks ahead. 0 or more, default 2. Raising it
    /// makes paths cheaper and legs more expensive to find.
    ///
    /// At 0 a leg ends at the next border, where the route was planned to cross it. At 1 it aims at
    /// the end of the next sector and two thirds of it are walked; above, half of it.
    pub lookahead: u32,
}

impl Default for HierarchySettings {
    fn default() -> Self {
        Self { sector_side: SectorSide::default(), lookahead: 2 }
    }
}

/// A grid cut into sectors, with the cheapest costs within each sector between its transitions.
///
/// A search over transitions finds a near-optimal [route](super::SectorRoute), and finds one
/// exactly if a path exists. The route is refined leg by leg. An edit costs the repair of the
/// sectors it touches.
///
/// **When to use it:** on large maps that change, and where jump point search can jump over little:
/// blurred penalties, influence, scattered obstacles. **When not:** on uniform-cost maps, where
/// jump point search is mostly faster and exact.
///
/// Memory: t² costs for a sector with t transitions, 4 bytes each with `u32` costs. Maps of 2048
/// sectors and more have groups of 5 × 5 sectors besides, with 2 bytes for each pair of
/// transitions out of the group.
///
/// Source: A. Botea, M. Müller, J. Schaeffer, "Near optimal hierarchical path-finding", 2004. Legs
/// that look past the transitions are our own.
///
/// ```
/// use wayfare::hierarchy::{Hierarchy, HierarchySettings, HierarchyScratch};
/// use wayfare::prelude::*;
///
/// let mut grid = Grid::new(200, 100, &[TerrainId::GROUND; 20_000], GridProfile::default())?;
/// let mut hierarchy = Hierarchy::build(&grid.space(), HierarchySettings::default());
/// let mut scratch = HierarchyScratch::new();
/// let (start, goal) = (grid.cell(3, 5).unwrap(), grid.cell(190, 80).unwrap());
///
/// let wall: Vec<Cell> = (0..90).map(|y| grid.cell(100, y).unwrap()).collect();
/// grid.set_terrains(wall.iter().map(|&cell| (cell, TerrainId::BLOCKED)));
/// hierarchy.repair(&grid.space(), wall)?;
///
/// let space = grid.space();
/// let mut route = hierarchy.route(&space, &mut scratch, start, goal)?.found().unwrap();
/// assert_eq!(route.leg()[0].state, start); // the first steps are there at once
/// assert!(route.next_leg(&hierarchy, &space, &mut scratch)?); // further ones when they are needed
/// let path = route.refine_all(&hierarchy, &space, &mut scratch)?; // or the whole path
/// assert!(path.cost() <= route.cost());
/// let best = route.exact(&hierarchy, &space, &mut scratch)?; // or a cheapest one
/// assert!(best.cost() <= path.cost());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Hierarchy<C = u32> {
    pub(super) layout: Sectors,
    pub(super) sectors: Vec<Sector<C>>,
    /// The count of sectors with each number of transitions, up to the largest number.
    counts: Vec<u32>,
    pub(super) settings: HierarchySettings,
    profile: GridProfile,
    revision: Revision,
    /// Whether every step cost its length at that revision.
    is_uniform: bool,
    /// On large maps, each group that can be crossed in one move.
    pub(super) groups: Vec<Option<Group>>,
    /// The largest margin of a group.
    pub(super) margin: u32,
    /// The room for the exits of a group, as a power of two.
    pub(super) places_log2: u32,
}

/// The transitions of one sector and the costs between them.
#[derive(Clone, PartialEq, Debug)]
pub struct Sector<C> {
    /// In order of their slots.
    pub transitions: Box<[Transition]>,
    /// The cost from each transition to each, within the sector, row by row.
    costs: Box<[C]>,
    /// The transitions across the borders: of each transition in order, and of each of its
    /// crossings in order of the directions.
    links: Box<[Beyond]>,
    /// Its number.
    number: u32,
    /// The count of sectors in a row.
    across: u32,
}

/// A transition across a border, as a sector keeps it: its row, or [`NO_ROW`], and above that
/// whether its sector lies in another row and another column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Beyond(u16);

/// A transition across a border.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// Its sector.
    pub sector: u32,
    /// Its row there; [`NO_ROW`] if the hierarchy is of another grid.
    row: u16,
}

/// A crossing of a transition.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// Its direction, from the transition.
    pub direction: u8,
    /// The transition beyond.
    pub link: Link,
}

/// No transition of a sector.
const NO_ROW: u16 = (1 << ROW_BITS) - 1;
/// The bits of a row: no rim has that many cells.
const ROW_BITS: u32 = 14;

impl Beyond {
    fn new(row: Option<usize>, is_in_other_row: bool, is_in_other_column: bool) -> Self {
        let row = row.map_or(NO_ROW, |row| row as u16);
        let beside = u16::from(is_in_other_row) | u16::from(is_in_other_column) << 1;
        Self(beside << ROW_BITS | row)
    }

    /// Returns the link in a direction from a sector.
    #[inline]
    fn link(self, sector: u32, across: u32, direction: u8) -> Link {
        let (dx, dy) = STEPS[usize::from(direction & 7)];
        let (is_in_other_row, is_in_other_column) =
            (self.0 >> ROW_BITS & 1 == 1, self.0 >> ROW_BITS >> 1 == 1);
        let rows = if is_in_other_row { (dy as u32).wrapping_mul(across) } else { 0 };
        let columns = if is_in_other_column { dx as u32 } else { 0 };
        Link { sector: sector.wrapping_add(rows).wrapping_add(columns), row: self.0 & NO_ROW }
    }
}

impl Link {
    /// Returns the row of the transition in its sector.
    #[inline]
    pub fn row(self) -> Option<usize> {
        (self.row != NO_ROW).then_some(self.row.into())
    }
}

/// The sectors of a hierarchy, with the cells that each covers.
#[doc(hidden)]
pub fn sectors_of<C>(hierarchy: &Hierarchy<C>) -> impl Iterator<Item = (Bounds, &Sector<C>)> {
    let sectors = hierarchy.sectors.iter().zip(0..);
    sectors.map(|(sector, number)| (hierarchy.layout.bounds(number), sector))
}

impl<C: Cost> Sector<C> {
    fn new(number: u32, across: u32) -> Self {
        let (transitions, costs, links) = (Box::default(), Box::default(), Box::default());
        Self { transitions, costs, links, number, across }
    }

    /// Returns the crossings of a transition, in order of their directions.
    #[inline]
    pub fn crossings(&self, of: &Transition) -> impl Iterator<Item = Crossing> + use<'_, C> {
        let links = self.links.get(usize::from(of.first_link)..).unwrap_or(&[]);
        directions(of.crossings).zip(links).map(|(direction, beyond)| {
            let link = beyond.link(self.number, self.across, direction);
            Crossing { direction, link }
        })
    }

    /// Returns the costs from the transition in a row to all transitions of the sector.
    #[inline]
    pub fn costs_of(&self, row: usize) -> &[C] {
        let count = self.transitions.len();
        self.costs.get(row * count..(row + 1) * count).unwrap_or(&[])
    }
}

/// The unordered pairs of transitions whose costs only a flood can tell.
#[derive(Clone, Debug, Default)]
struct Pairs {
    /// The coordinates of each transition.
    ends: Vec<(u32, u32)>,
    /// Whether a pair is among them, row by row, in either order.
    has: Vec<bool>,
    /// The count of pairs of each transition.
    of_row: Vec<usize>,
}

impl Pairs {
    fn clear(&mut self, ends: impl Iterator<Item = (u32, u32)>) {
        self.ends.clear();
        self.ends.extend(ends);
        let count = self.ends.len();
        self.has.clear();
        self.has.resize(count * count, false);
        self.of_row.clear();
        self.of_row.resize(count, 0);
    }

    fn contains(&self, row: usize, column: usize) -> bool {
        self.has[row * self.ends.len() + column]
    }

    fn insert(&mut self, row: usize, column: usize) {
        for (row, column) in [(row, column), (column, row)] {
            self.has[row * self.ends.len() + column] = true;
            self.of_row[row] += 1;
        }
    }

    /// Returns the first transition with the most pairs, if there is a pair.
    fn row_of_most(&self) -> Option<usize> {
        let row = (0..self.ends.len()).rev().max_by_key(|&row| self.of_row[row])?;
        (self.of_row[row] > 0).then_some(row)
    }

    fn remove_row(&mut self, row: usize) {
        self.of_row[row] = 0;
        for column in 0..self.ends.len() {
            if std::mem::take(&mut self.has[row * self.ends.len() + column]) {
                self.has[column * self.ends.len() + row] = false;
                self.of_row[column] -= 1;
            }
        }
    }
}

/// The working memory of building and repairing.
#[derive(Clone, Debug, Default)]
struct Tools<C> {
    flood: Flood<C>,
    corners: Corners,
    marks: Vec<(u32, u32, u8)>,
    transitions: Vec<Transition>,
    pairs: Pairs,
}

/// What a sector is found to be.
struct Derived<C> {
    /// Its transitions, if they are others than before.
    transitions: Option<Box<[Transition]>>,
    costs: Box<[C]>,
}

impl<C: Cost> Tools<C> {
    /// Returns the costs between the transitions of a sector, within it, row by row.
    fn measure(&mut self, space: &GridSpace<'_, C>, bounds: Bounds) -> Vec<C> {
        let Self { flood, corners, transitions, pairs, .. } = self;
        let coordinates = |transition: &Transition| space.layout().coordinates(transition.cell);
        pairs.clear(transitions.iter().map(coordinates));
        let count = transitions.len();
        if count == 0 {
            return Vec::new();
        }
        if !space.is_uniform() {
            flood.load(space, bounds);
        }
        let even = if space.is_uniform() {
            Some([STRAIGHT, DIAGONAL].map(u64::from))
        } else {
            flood.even()
        };
        let mut costs = vec![C::ZERO; count * count];
        if even.is_some_and(|steps| corners.load(space, (bounds, steps), &pairs.ends)) {
            let table = corners.measure(count);
            for (row, costs) in costs.chunks_exact_mut(count).enumerate() {
                for (cost, &known) in costs.iter_mut().zip(table.row(row)) {
                    *cost = if known < FAR { C::from_u64(known as u64) } else { C::INFINITY };
                }
            }
            return costs;
        }
        if space.is_uniform() {
            flood.load(space, bounds);
        }
        if !flood.is_even() {
            for (row, &from) in pairs.ends.iter().enumerate() {
                flood.run_until::<false>(space, from, pairs.ends.iter().copied());
                let costs = &mut costs[row * count..];
                costs.iter_mut().zip(&pairs.ends).for_each(|(cost, &to)| *cost = flood.cost(to));
            }
            return costs;
        }
        let mut note = |row: usize, column: usize, cost: C| {
            costs[row * count + column] = cost;
            costs[column * count + row] = cost;
        };
        for row in 0..count {
            for column in row + 1..count {
                match flood.direct(space, pairs.ends[row], pairs.ends[column]) {
                    Some(cost) => note(row, column, cost),
                    None => pairs.insert(row, column),
                }
            }
        }
        // A flood settles all pairs of its transition. That of the most pairs comes first.
        while let Some(row) = pairs.row_of_most() {
            let columns = || (0..count).filter(|&column| pairs.contains(row, column));
            let ends = columns().map(|column| pairs.ends[column]);
            flood.run_until::<false>(space, pairs.ends[row], ends);
            columns().for_each(|column| note(row, column, flood.cost(pairs.ends[column])));
            pairs.remove_row(row);
        }
        costs
    }
}

/// The fewest sectors that are derived on several threads.
const FEW: usize = 16;

impl<C: Cost> Hierarchy<C> {
    /// Builds the hierarchy of a space as it is. It is the same at any thread count (feature
    /// `rayon`) and without threads. O(cells · transitions of a sector).
    #[must_use]
    pub fn build(space: &GridSpace<'_, C>, settings: HierarchySettings) -> Self {
        let sectors = Sectors::new(space.grid(), settings.sector_side.cells(), false).count();
        Self::build_with(space, settings, sectors >= groups::FEWEST_SECTORS)
    }

    /// Builds a hierarchy with groups of sectors, or without. For tests.
    #[doc(hidden)]
    #[must_use]
    pub fn build_with(
        space: &GridSpace<'_, C>,
        settings: HierarchySettings,
        is_grouped: bool,
    ) -> Self {
        let layout = Sectors::new(space.grid(), settings.sector_side.cells(), is_grouped);
        let mut hierarchy = Self {
            layout,
            sectors: (0..layout.count()).map(|number| Sector::new(number, layout.across)).collect(),
            counts: vec![layout.count()],
            settings,
            profile: space.profile().clone(),
            revision: space.revision(),
            is_uniform: space.is_uniform(),
            groups: if is_grouped { vec![None; layout.groups() as usize] } else { Vec::new() },
            margin: 0,
            places_log2: 0,
        };
        let all: Vec<(u32, bool)> = (0..layout.count()).map(|sector| (sector, true)).collect();
        hierarchy.derive_all(space, &all, &mut Vec::new(), &mut Vec::new());
        (0..layout.count()).for_each(|sector| hierarchy.link(space, sector));
        let groups: Vec<u32> = (0..layout.groups()).collect();
        hierarchy.group(space, &groups, false);
        hierarchy
    }

    /// Repairs the hierarchy after an edit. Returns the number of sectors whose costs were
    /// computed.
    ///
    /// `changed` must name every cell whose terrain or influence changed since
    /// [`Hierarchy::revision`]. Cells off the map are skipped. The result equals
    /// [`Hierarchy::build`] of the edited grid. O(cells of a sector · its transitions) for each
    /// sector.
    ///
    /// # Why only nearby sectors can change
    ///
    /// A changed cell affects all cells within `max(width / 2, blur)` of it: whether agents can
    /// stand there, and the cost of entering. The costs of a sector depend on its own cells alone:
    /// a diagonal within the sector passes cells of the sector only. Its transitions depend on the
    /// row of cells beyond its border too. So the costs can change if a cell of the sector lies
    /// within that distance, and the transitions if one lies within that distance plus 1.
    ///
    /// # Errors
    /// [`HierarchyError::OtherSpace`] if the hierarchy was built for another size or profile. It is
    /// then left unchanged.
    pub fn repair(
        &mut self,
        space: &GridSpace<'_, C>,
        changed: impl IntoIterator<Item = Cell>,
    ) -> Result<usize, HierarchyError> {
        self.check_shape(space)?;
        let grid = space.grid();
        // The distance at which a changed cell affects an agent's standing and blurred penalties.
        let slope = u8::from(self.profile.slope_cost > 0.0);
        let reach = u32::from((self.profile.width / 2).max(self.profile.blur + slope));
        let mut touched: Vec<(u32, bool)> = Vec::new();
        for cell in changed {
            let at = space.layout().coordinates(cell);
            if grid.cell(at.0, at.1) == Some(cell) {
                self.layout.around(at, reach, |sector| touched.push((sector, true)));
                self.layout.around(at, reach + 1, |sector| touched.push((sector, false)));
            }
        }
        // Of equal sectors, the entry with changes inside comes first and is kept.
        touched.sort_unstable_by_key(|&(sector, inside)| (sector, !inside));
        touched.dedup_by_key(|(sector, _)| *sector);
        // Else the moves across borders may cost something else than before.
        let is_uniform = space.is_uniform() && self.is_uniform;
        let (mut renewed, mut changed, mut linked) = (Vec::new(), Vec::new(), Vec::new());
        let derived = self.derive_all(space, &touched, &mut renewed, &mut changed);
        for sector in renewed {
            self.layout.beside(sector, |sector| linked.push(sector));
        }
        linked.sort_unstable();
        linked.dedup();
        linked.iter().for_each(|&sector| self.link(space, sector));
        if !is_uniform {
            changed = touched.iter().map(|&(sector, _)| sector).collect();
        }
        let mut groups: Vec<u32> =
            changed.into_iter().map(|sector| self.layout.group_of(sector)).collect();
        groups.sort_unstable();
        groups.dedup();
        self.group(space, &groups, !is_uniform);
        self.revision = space.revision();
        self.is_uniform = space.is_uniform();
        Ok(derived)
    }

    /// Derives sectors, in each of which cells inside may have changed. Returns the number of those
    /// whose costs were computed; adds those with other transitions to `renewed`, those with other
    /// transitions or costs to `changed`.
    fn derive_all(
        &mut self,
        space: &GridSpace<'_, C>,
        sectors: &[(u32, bool)],
        renewed: &mut Vec<u32>,
        changed: &mut Vec<u32>,
    ) -> usize {
        let derive = |tools: &mut Tools<C>, place: usize| self.derive(space, sectors[place], tools);
        let derived: Vec<Option<Derived<C>>> = if sectors.len() < FEW {
            let mut tools = Tools::default();
            (0..sectors.len()).map(|place| derive(&mut tools, place)).collect()
        } else {
            parallel::map(sectors.len(), Tools::default, derive)
        };
        let mut measured = 0;
        for (&(number, _), derived) in sectors.iter().zip(derived) {
            let Some(Derived { transitions, costs }) = derived else { continue };
            let (sector, counts) = (&mut self.sectors[number as usize], &mut self.counts);
            measured += 1;
            if transitions.is_some() || sector.costs != costs {
                changed.push(number);
            }
            sector.costs = costs;
            if let Some(transitions) = transitions {
                counts[sector.transitions.len()] -= 1;
                counts.resize(counts.len().max(transitions.len() + 1), 0);
                counts[transitions.len()] += 1;
                sector.transitions = transitions;
                renewed.push(number);
            }
        }
        let used = self.counts.iter().rposition(|&count| count > 0);
        self.counts.truncate(used.map_or(0, |last| last + 1));
        measured
    }

    /// Finds the transitions of a sector, and the costs between them if cells inside changed or the
    /// transitions did; `None` if neither.
    fn derive(
        &self,
        space: &GridSpace<'_, C>,
        (number, inside): (u32, bool),
        tools: &mut Tools<C>,
    ) -> Option<Derived<C>> {
        entrances::find(space, &self.layout, number, &mut tools.marks, &mut tools.transitions);
        let is_other = *self.sectors[number as usize].transitions != *tools.transitions;
        (inside || is_other).then(|| Derived {
            costs: tools.measure(space, self.layout.bounds(number)).into_boxed_slice(),
            transitions: is_other.then(|| tools.transitions.as_slice().into()),
        })
    }

    /// Finds the transitions across the borders of a sector.
    fn link(&mut self, space: &GridSpace<'_, C>, number: u32) {
        let transitions = &self.sectors[number as usize].transitions;
        let crossings = |transition: &Transition| transition.crossings.count_ones() as usize;
        let mut links = Vec::with_capacity(transitions.iter().map(crossings).sum());
        let layout = &self.layout;
        let place_of = |sector: u32| (sector / layout.across, sector % layout.across);
        let (row, column) = place_of(number);
        for transition in transitions.iter() {
            let at = space.layout().coordinates(transition.cell);
            links.extend(directions(transition.crossings).map(|direction| {
                let Some((sector, slot)) = layout.beyond(at, direction) else {
                    return Beyond::new(None, false, false);
                };
                let beyond = place_of(sector);
                Beyond::new(self.row(space, sector, slot), beyond.0 != row, beyond.1 != column)
            }));
        }
        self.sectors[number as usize].links = links.into_boxed_slice();
    }

    /// Measures some groups, in ascending order. Links those around them if their exits are others,
    /// or with `links_beside`.
    fn group(&mut self, space: &GridSpace<'_, C>, measured: &[u32], links_beside: bool) {
        if self.groups.is_empty() {
            return;
        }
        let layout = &self.layout;
        let map = Map { space, layout, sectors: &self.sectors };
        let measure = |tools: &mut Grouping, place: usize| tools.measure(map, measured[place]);
        let groups = parallel::map(measured.len(), Grouping::default, measure);
        let mut linked = measured.to_vec();
        for (&number, group) in measured.iter().zip(groups) {
            let before = std::mem::replace(&mut self.groups[number as usize], group);
            let now = self.groups[number as usize].as_ref();
            if links_beside || groups::moved_exits(before.as_ref(), now) {
                layout.groups_beside(number, |beside| linked.push(beside));
            }
        }
        linked.sort_unstable();
        linked.dedup();
        linked.into_iter().for_each(|number| groups::link(map, &mut self.groups, number));
        let all = || self.groups.iter().flatten();
        self.margin = all().map(|group| group.margin).max().unwrap_or(0);
        let exits = all().map(|group| group.exits.len()).max().unwrap_or(0);
        self.places_log2 = exits.next_power_of_two().trailing_zeros();
    }

    /// Returns the row of the transition at a slot of a sector.
    fn row(&self, space: &GridSpace<'_, C>, sector: u32, slot: u32) -> Option<usize> {
        let slot_of = |transition: &Transition| {
            self.layout.slot_at(space.layout().coordinates(transition.cell))
        };
        self.sectors[sector as usize].transitions.binary_search_by_key(&slot, slot_of).ok()
    }

    /// Returns the row of the transition at a place in its sector.
    pub(super) fn row_at(&self, space: &GridSpace<'_, C>, at: (u32, u32)) -> Option<usize> {
        self.row(space, self.layout.sector_at(at), self.layout.slot_at(at))
    }

    /// Fails unless the hierarchy fits the space by size, profile and revision.
    pub(crate) fn check(&self, space: &GridSpace<'_, C>) -> Result<(), HierarchyError> {
        self.check_shape(space)?;
        if self.revision == space.revision() {
            Ok(())
        } else {
            Err(HierarchyError::Stale { of: self.revision, now: space.revision() })
        }
    }

    pub(crate) fn check_shape(&self, space: &GridSpace<'_, C>) -> Result<(), HierarchyError> {
        let grid = space.grid();
        let is_same = (grid.width(), grid.height()) == (self.layout.width, self.layout.height)
            && *space.profile() == self.profile;
        if is_same { Ok(()) } else { Err(HierarchyError::OtherSpace) }
    }

    /// Returns the room for the transitions of a sector, as a power of two.
    #[inline]
    pub(super) fn rows_log2(&self) -> u32 {
        self.counts.len().next_power_of_two().trailing_zeros()
    }

    /// Returns the revision of the grid that the hierarchy describes.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns the number of sectors.
    #[must_use]
    pub fn sectors(&self) -> usize {
        self.sectors.len()
    }

    /// Returns the number of transitions of all sectors. O(sectors).
    #[must_use]
    pub fn transitions(&self) -> usize {
        self.sectors.iter().map(|sector| sector.transitions.len()).sum()
    }

    /// Returns the memory of the hierarchy, in bytes. O(sectors).
    #[must_use]
    pub fn size_in_bytes(&self) -> usize {
        let of = |sector: &Sector<C>| {
            size_of::<Sector<C>>()
                + sector.transitions.len() * size_of::<Transition>()
                + sector.costs.len() * size_of::<C>()
                + sector.links.len() * size_of::<Beyond>()
        };
        let groups = self.groups.iter().flatten().map(Group::bytes).sum::<usize>();
        let headers = self.groups.capacity() * size_of::<Option<Group>>();
        self.sectors.iter().map(of).sum::<usize>() + groups + headers
    }
}

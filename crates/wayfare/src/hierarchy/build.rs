//! Building a hierarchy, and bringing it up to date after edits.

use super::HierarchyError;
use super::entrances::{self, Transition};
use super::flood::Flood;
use super::sectors::Sectors;
use crate::space::{Cell, Cost, GridProfile, GridSpace, Revision, Space};

/// How a hierarchy is built and walked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HierarchySettings {
    /// The side of a sector in cells, 8 to 128; what lies outside is brought inside. Default 32. Raising it makes searches and
    /// routes better and repairs dearer.
    pub sector_side: u32,
    /// How many sectors ahead a leg of a route looks for a cheaper way than through the transitions. Default 2. Raising it makes
    /// paths better and legs dearer. At 1 it looks from the middle of a sector to the end of the next; at 0 it goes to the border, just
    /// where the route was planned.
    pub lookahead: u32,
}

impl Default for HierarchySettings {
    fn default() -> Self {
        Self { sector_side: 32, lookahead: 2 }
    }
}

/// A grid cut into sectors, with the cheapest ways within each between the places where one enters and leaves it.
///
/// Searches over sectors find near-optimal [routes](super::SectorRoute) at once and refine them leg by leg; they find one exactly
/// if there is one. An edit costs the repair of the sectors it touches. It pays on large maps, and where jump point search has little
/// to jump over: blurred penalties, influence, scattered obstacles. Follows A. Botea, M. Müller and J. Schaeffer, "Near optimal
/// hierarchical path-finding", 2004; refinement that looks past the transitions is ours.
///
/// For t transitions a sector it holds t² costs, 4 bytes each with `u32` costs.
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
    pub(super) settings: HierarchySettings,
    profile: GridProfile,
    revision: Revision,
}

/// What is known of one sector.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Sector<C> {
    /// By slot.
    pub(super) transitions: Vec<Transition>,
    /// The number of the transition at each slot; [`NO_ROW`] where there is none.
    rows: Box<[u16]>,
    /// The cost from each transition to each within the sector, row by row.
    costs: Vec<C>,
}

const NO_ROW: u16 = u16::MAX;

impl<C: Cost> Sector<C> {
    fn new(slots: usize) -> Self {
        let rows = vec![NO_ROW; slots].into_boxed_slice();
        Self { transitions: Vec::new(), rows, costs: Vec::new() }
    }

    /// The costs from the transition at a slot to all of the sector.
    #[inline]
    pub(super) fn costs_from(&self, slot: u32) -> &[C] {
        let count = self.transitions.len();
        let first = usize::from(self.rows[slot as usize]) * count;
        self.costs.get(first..first + count).unwrap_or(&[])
    }

    /// The number of the transition at a slot.
    #[inline]
    pub(super) fn row(&self, slot: u32) -> Option<usize> {
        let row = self.rows[slot as usize];
        (row != NO_ROW).then_some(usize::from(row))
    }

    fn set_transitions(&mut self, transitions: &[Transition]) {
        self.transitions.clear();
        self.transitions.extend_from_slice(transitions);
        self.rows.fill(NO_ROW);
        for (row, transition) in (0..).zip(transitions) {
            self.rows[usize::from(transition.slot)] = row;
        }
    }

    fn measure(&mut self, space: &GridSpace<'_, C>, flood: &mut Flood<C>) {
        let at = |transition: &Transition| space.grid().coordinates(transition.cell);
        self.costs.clear();
        for from in &self.transitions {
            flood.run::<false>(space, at(from));
            self.costs.extend(self.transitions.iter().map(|to| flood.cost(at(to))));
        }
    }
}

/// Working memory of building and repairing.
#[derive(Clone, Debug, Default)]
struct Tools<C> {
    flood: Flood<C>,
    marks: Vec<(u32, u32, u8)>,
    transitions: Vec<Transition>,
}

impl<C: Cost> Hierarchy<C> {
    /// Builds the hierarchy of a space as it is. O(cells · transitions a sector).
    #[must_use]
    pub fn build(space: &GridSpace<'_, C>, settings: HierarchySettings) -> Self {
        let settings =
            HierarchySettings { sector_side: settings.sector_side.clamp(8, 128), ..settings };
        let layout = Sectors::new(space.grid(), settings.sector_side);
        let mut hierarchy = Self {
            layout,
            sectors: vec![Sector::new(layout.slots()); layout.count() as usize],
            settings,
            profile: space.profile().clone(),
            revision: space.revision(),
        };
        let mut tools = Tools::default();
        for sector in 0..layout.count() {
            hierarchy.derive(space, sector, true, &mut tools);
        }
        hierarchy
    }

    /// Brings the hierarchy up to date after the grid was edited: derives anew the sectors that the changed cells touch, and
    /// those beside them whose transitions moved. Returns how many that were.
    ///
    /// `changed` must name every cell whose terrain or influence changed since the revision that the hierarchy is of; cells off the map
    /// are passed over. The result equals what [`Hierarchy::build`] makes of the grid. O(sector · its transitions) a sector.
    ///
    /// # Errors
    /// [`HierarchyError::OtherSpace`] where the hierarchy was built for another size or profile. It is left as it was.
    pub fn repair(
        &mut self,
        space: &GridSpace<'_, C>,
        changed: impl IntoIterator<Item = Cell>,
    ) -> Result<usize, HierarchyError> {
        self.check_shape(space)?;
        let grid = space.grid();
        // What an agent covers when it stands near the cell, and what is blurred from there.
        let reach = u32::from((self.profile.width / 2).max(self.profile.blur));
        let mut touched: Vec<(u32, bool)> = Vec::new();
        for cell in changed {
            let at = grid.coordinates(cell);
            if grid.cell(at.0, at.1) == Some(cell) {
                self.layout.around(at, reach, |sector| touched.push((sector, true)));
                self.layout.around(at, reach + 1, |sector| touched.push((sector, false)));
            }
        }
        // Those with changes inside come first of their kind and stay.
        touched.sort_unstable_by_key(|&(sector, inside)| (sector, !inside));
        touched.dedup_by_key(|(sector, _)| *sector);
        let mut tools = Tools::default();
        let derived = touched
            .into_iter()
            .filter(|&(sector, inside)| self.derive(space, sector, inside, &mut tools))
            .count();
        self.revision = space.revision();
        Ok(derived)
    }

    /// Finds the transitions of a sector and, where they have changed or the cells inside have, the costs between them. Says
    /// whether it did the latter.
    fn derive(
        &mut self,
        space: &GridSpace<'_, C>,
        sector: u32,
        inside: bool,
        tools: &mut Tools<C>,
    ) -> bool {
        let Tools { flood, marks, transitions } = tools;
        entrances::find(space, &self.layout, sector, marks, transitions);
        let bounds = self.layout.bounds(sector);
        let sector = &mut self.sectors[sector as usize];
        let is_other = sector.transitions != *transitions;
        if !inside && !is_other {
            return false;
        }
        if is_other {
            sector.set_transitions(transitions);
        }
        if !sector.transitions.is_empty() {
            flood.load(space, bounds);
        }
        sector.measure(space, flood);
        true
    }

    /// Whether the space is the one that the hierarchy is of, as far as can be told at once.
    pub(super) fn check(&self, space: &GridSpace<'_, C>) -> Result<(), HierarchyError> {
        self.check_shape(space)?;
        if self.revision == space.revision() {
            Ok(())
        } else {
            Err(HierarchyError::Stale { of: self.revision, now: space.revision() })
        }
    }

    fn check_shape(&self, space: &GridSpace<'_, C>) -> Result<(), HierarchyError> {
        let grid = space.grid();
        let is_same = (grid.width(), grid.height()) == (self.layout.width, self.layout.height)
            && *space.profile() == self.profile;
        if is_same { Ok(()) } else { Err(HierarchyError::OtherSpace) }
    }

    /// The revision of the grid that it is of.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// The number of sectors.
    #[must_use]
    pub fn sectors(&self) -> usize {
        self.sectors.len()
    }

    /// The number of transitions, over all sectors. O(sectors).
    #[must_use]
    pub fn transitions(&self) -> usize {
        self.sectors.iter().map(|sector| sector.transitions.len()).sum()
    }

    /// The memory that it holds, in bytes. O(sectors).
    #[must_use]
    pub fn size_in_bytes(&self) -> usize {
        let of = |sector: &Sector<C>| {
            size_of::<Sector<C>>()
                + sector.transitions.capacity() * size_of::<Transition>()
                + sector.rows.len() * size_of::<u16>()
                + sector.costs.capacity() * size_of::<C>()
        };
        self.sectors.iter().map(of).sum()
    }
}

//! The owner of a layer's accelerators: builds them, and calls them when the ground changes.

use wayfare_core::inside::{Components, StepCosts};

use super::accelerator::{Accelerator, Change, Dependencies, Edit, Ground, MoveRule, Stage, order};
use super::bits::BitMap;
use super::canonical::{CanonicalTable, canonical_table};
use super::islands::Islands;
use super::penalty::PenaltyField;
use super::room_trees::RoomTrees;
use super::rooms::Rooms;
use super::signs::{Signed, Signposts, Signs};
use super::standing::Standing;
use super::steps::StepFacts;
use super::terrain_map::TerrainMap;
use crate::grid::edit::GridEditReport;
use crate::grid::layout::Layout;
use crate::grid::moves::{MoveTable, move_table};
use crate::grid::{Cell, GridProfile};

/// Each accelerator with the accelerators that it reads.
const STAGES: [Dependencies; Stage::COUNT] = [
    (Standing::STAGE, Standing::READS),
    (PenaltyField::STAGE, PenaltyField::READS),
    (StepFacts::STAGE, StepFacts::READS),
    (Islands::STAGE, Islands::READS),
    (Signs::STAGE, Signs::READS),
    (RoomTrees::STAGE, RoomTrees::READS),
    (TerrainMap::STAGE, TerrainMap::READS),
];

/// The order in which they follow an edit.
const ORDER: [Stage; Stage::COUNT] = order(STAGES);

/// The tables that one profile's searches read instead of the terrain.
#[derive(Clone, Debug)]
pub(in crate::grid) struct Accelerators {
    rule: MoveRule,
    pub(in crate::grid) canonical: &'static CanonicalTable,
    pub(in crate::grid) standing: Standing,
    pub(in crate::grid) penalties: PenaltyField,
    pub(in crate::grid) steps: StepFacts,
    islands: Islands,
    signs: Signs,
    rooms: RoomTrees,
    /// Where the profile tells terrains apart.
    pub(in crate::grid) terrain_map: Option<TerrainMap>,
}

/// One medium's maps for jumps and guides.
#[derive(Clone, Copy)]
pub(in crate::grid) struct MediumMaps<'a> {
    pub(in crate::grid) rows: &'a BitMap,
    /// The same transposed.
    pub(in crate::grid) columns: &'a BitMap,
    pub(in crate::grid) signs: &'a Signposts,
}

impl Accelerators {
    /// Derives everything from the ground. O(cells).
    pub(in crate::grid) fn new(
        profile: &GridProfile,
        costs: &StepCosts,
        ground: Ground<'_>,
    ) -> Self {
        let GridProfile { neighbours, corners, .. } = *profile;
        let moves = move_table(neighbours, corners);
        let rule = MoveRule { neighbours, corners, moves };
        let standing = Standing::new(costs, profile.width, ground);
        let penalties = PenaltyField::new(profile, costs, ground);
        let media = standing.media().len();
        let accelerators = Self {
            canonical: canonical_table(neighbours, corners),
            steps: StepFacts::new(costs, &penalties, ground),
            islands: Islands::new(rule, &standing, ground.layout),
            signs: Signs::new(media),
            rooms: RoomTrees::new(media),
            terrain_map: TerrainMap::of_profile(profile, costs, (&standing, moves), ground),
            rule,
            standing,
            penalties,
        };
        if accelerators.steps.is_uniform {
            // So that the first search takes no longer than others.
            for medium in 0..media {
                if let Some(map) = accelerators.map_of(medium, ground.layout) {
                    accelerators.signs.find(medium, map);
                    if accelerators.standing.media()[medium].clutter.has_rooms(ground.layout) {
                        accelerators.rooms.find(medium, map);
                    }
                }
            }
        }
        accelerators
    }

    /// Makes all accelerators answer as if built from the ground as it is now.
    ///
    /// Repairs each after the ones that it reads. Returns the cells that became free and blocked,
    /// and the work.
    pub(in crate::grid) fn follow(
        &mut self,
        profile: &GridProfile,
        costs: &StepCosts,
        ground: Ground<'_>,
        changes: &[Change],
    ) -> GridEditReport {
        let Self { rule, standing, penalties, steps, islands, signs, rooms, terrain_map, .. } =
            self;
        let mut edit = Edit { ground, changes, flips: Vec::new() };
        let mut work = 0;
        for stage in ORDER {
            work += match stage {
                Stage::Standing => standing.follow((), &mut edit),
                Stage::Penalties => penalties.follow((profile, costs), &mut edit),
                Stage::Steps => steps.follow((costs, penalties), &mut edit),
                Stage::Islands => islands.follow((standing, *rule), &mut edit),
                Stage::Signs => signs.follow((standing, *rule), &mut edit),
                Stage::Rooms => rooms.follow((standing, *rule), &mut edit),
                Stage::TerrainMap => terrain_map
                    .as_mut()
                    .map_or(0, |map| map.follow((standing, rule.moves), &mut edit)),
            };
        }
        let freed = edit.flips.iter().filter(|flip| flip.before.is_none()).count();
        let blocked = edit.flips.iter().filter(|flip| flip.after.is_none()).count();
        GridEditReport { cells: Vec::new(), freed, blocked, work }
    }

    /// Follows a change of the influence on some cells.
    pub(in crate::grid) fn follow_influence(
        &mut self,
        profile: &GridProfile,
        costs: &StepCosts,
        ground: Ground<'_>,
        cells: impl Iterator<Item = Cell>,
    ) {
        self.penalties.update_influence(profile, ground, cells);
        self.steps.summarise(costs, &self.penalties);
    }

    /// Follows a change of heights.
    pub(in crate::grid) fn follow_heights(
        &mut self,
        profile: &GridProfile,
        costs: &StepCosts,
        ground: Ground<'_>,
    ) {
        self.penalties = PenaltyField::new(profile, costs, ground);
        self.steps.summarise(costs, &self.penalties);
    }

    #[inline]
    fn map_of<'a>(&'a self, medium: usize, layout: &'a Layout) -> Option<Signed<'a>> {
        self.standing.map_of(medium, layout, self.rule)
    }

    /// Returns the number of the medium that an agent on a free cell is in.
    #[inline(always)]
    fn medium_of(&self, cell: Cell) -> Option<usize> {
        if self.standing.media().len() == 1 { Some(0) } else { self.standing.medium_of(cell) }
    }

    /// Returns the moves for each pattern of free neighbours.
    #[inline]
    pub(in crate::grid) fn moves(&self) -> &'static MoveTable {
        self.rule.moves
    }

    /// Returns the component labels.
    pub(in crate::grid) fn components(&self) -> &Components {
        self.islands.components()
    }

    /// Returns the maps of the medium that an agent on a cell is in, with signs.
    #[inline]
    pub(in crate::grid) fn maps_of<'a>(
        &'a self,
        cell: Cell,
        layout: &'a Layout,
    ) -> Option<MediumMaps<'a>> {
        // Nearly always there is one medium, and its signs were asked for before.
        if let ([free], [signs]) = (self.standing.media(), self.signs.of_media())
            && let Some(signs) = signs.get()
        {
            return Some(MediumMaps { rows: &free.rows, columns: &free.columns, signs });
        }
        let medium = self.medium_of(cell)?;
        let map = self.map_of(medium, layout)?;
        let signs = self.signs.find(medium, map)?;
        Some(MediumMaps { rows: map.rows, columns: map.columns, signs })
    }

    /// Returns the rooms of the medium that an agent on a cell is in, if they were asked for since
    /// the last edit: for searches that a guide was prepared for.
    #[inline(always)]
    pub(in crate::grid) fn found_rooms(&self, cell: Cell) -> Option<&Rooms> {
        self.rooms.found(self.medium_of(cell)?)
    }

    /// Returns the same to guide a search, found now if need be. `None` unless the terrain is of
    /// uniform cost, and on a map without rooms ([`Clutter`](super::clutter::Clutter)).
    pub(in crate::grid) fn find_rooms(&self, cell: Cell, layout: &Layout) -> Option<&Rooms> {
        let medium = self.medium_of(cell)?;
        let has_rooms = self.standing.media().get(medium)?.clutter.has_rooms(layout);
        if has_rooms { self.find_rooms_of(medium, layout) } else { None }
    }

    /// Returns the rooms of all media, found now if need be. None unless the terrain is of uniform
    /// cost.
    pub(in crate::grid) fn all_rooms<'a>(
        &'a self,
        layout: &'a Layout,
    ) -> impl Iterator<Item = &'a Rooms> {
        (0..self.standing.media().len()).filter_map(|medium| self.find_rooms_of(medium, layout))
    }

    fn find_rooms_of(&self, medium: usize, layout: &Layout) -> Option<&Rooms> {
        if !self.steps.is_uniform {
            return None;
        }
        self.rooms.find(medium, self.map_of(medium, layout)?)
    }

    /// Returns the cells that an agent can stand on, by rows, a map a medium.
    pub(in crate::grid) fn free_cells(&self) -> impl ExactSizeIterator<Item = &BitMap> {
        self.standing.media().iter().map(|free| &free.rows)
    }

    pub(in crate::grid) fn size_in_bytes(&self) -> usize {
        self.standing.size_in_bytes()
            + self.penalties.size_in_bytes()
            + self.components().size_in_bytes()
            + self.signs.size_in_bytes()
            + self.rooms.size_in_bytes()
            + self.terrain_map.as_ref().map_or(0, TerrainMap::size_in_bytes)
    }
}

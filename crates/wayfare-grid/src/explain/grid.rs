//! Why there is no path on a grid: the rules of movement that would have to be relaxed.

use wayfare_core::explain::Blockage;
use wayfare_core::path::Path;
use wayfare_core::search::{AStar, Outcome, Query, solve};
use wayfare_core::space::{Medium, ProfileId, Reachability, Space, TerrainCost, TerrainId};

use crate::grid::{Cell, CornerRule, Grid, GridError, GridProfile, GridSpace, Neighbours};

/// One rule of movement less.
///
/// Example: [`remedies`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum GridRelaxation {
    /// Eight neighbours instead of four.
    Diagonals,
    /// Diagonals past blocked corners.
    Corners(CornerRule),
    /// An agent of that width, in cells.
    Width(u8),
    /// A terrain that cannot be entered so far, walked in that medium.
    Enter(TerrainId, Medium),
}

impl GridRelaxation {
    /// The cost of a step onto a terrain that is opened, in straight steps: so expensive that a
    /// path crosses as little of it as possible.
    pub const TOLL: f32 = 10_000.0;

    /// Returns a profile without the rule.
    #[must_use]
    pub fn relax(self, profile: &GridProfile) -> GridProfile {
        let profile = profile.clone();
        match self {
            Self::Diagonals => GridProfile { neighbours: Neighbours::Eight, ..profile },
            Self::Corners(corners) => GridProfile { corners, ..profile },
            Self::Width(width) => GridProfile { width, ..profile },
            Self::Enter(terrain, medium) => {
                let toll = TerrainCost::penalised(Self::TOLL).in_medium(medium);
                GridProfile { costs: profile.costs.clone().with(terrain, toll), ..profile }
            }
        }
    }

    /// Returns whether the other relaxation relaxes the same rule further. Each terrain is a rule
    /// of its own.
    fn is_milder_than(self, other: Self) -> bool {
        !matches!(self, Self::Enter(..))
            && std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }

    /// Returns the relaxations of a profile, the mildest of each rule first.
    fn of(grid: &Grid, profile: &GridProfile, start: Cell, goal: Cell) -> Vec<Self> {
        let mut all = Vec::new();
        let corners: &[CornerRule] = match (profile.neighbours, profile.corners) {
            (Neighbours::Four, _) => {
                all.push(Self::Diagonals);
                &[]
            }
            (_, CornerRule::BothFree) => &[CornerRule::OneFree, CornerRule::Always],
            (_, CornerRule::OneFree) => &[CornerRule::Always],
            (_, CornerRule::Always) => &[],
        };
        all.extend(corners.iter().map(|corners| Self::Corners(*corners)));
        // Halving finds a width that fits in few searches; all 63 would take too long on a large
        // map.
        let mut width = profile.width;
        while width > 1 {
            width = if width > 8 { width / 2 } else { width - 1 };
            all.push(Self::Width(width));
        }
        all.extend(Self::openings(grid, profile, start, goal));
        all
    }

    /// Returns one relaxation for each terrain that occurs and cannot be walked onto from the
    /// agent's medium.
    fn openings(
        grid: &Grid,
        profile: &GridProfile,
        start: Cell,
        goal: Cell,
    ) -> impl Iterator<Item = Self> {
        let medium_at = |cell| profile.costs.get(grid.terrain(cell)).map(|cost| cost.medium);
        let medium = medium_at(start).or_else(|| medium_at(goal)).unwrap_or_default();
        let mut occurs = [false; 256];
        grid.cells().for_each(|cell| occurs[usize::from(grid.terrain(cell).0)] = true);
        let closed = move |terrain: TerrainId| {
            profile.costs.get(terrain).is_none_or(|cost| cost.medium != medium)
        };
        (0..TerrainId::BLOCKED.0)
            .map(TerrainId)
            .filter(move |terrain| occurs[usize::from(terrain.0)] && closed(*terrain))
            .map(move |terrain| Self::Enter(terrain, medium))
    }
}

/// A relaxation that opens a path, and the cheapest path under it.
///
/// Example: [`remedies`].
#[derive(Clone, PartialEq, Debug)]
pub struct GridRemedy {
    /// The relaxation.
    pub relaxation: GridRelaxation,
    /// The path. Its costs include [`GridRelaxation::TOLL`] for each step onto an opened terrain.
    pub path: Path<Cell, u64>,
}

/// Tries one relaxation of a profile after another, and returns those that open a path.
///
/// Of each rule only the mildest relaxation that opens one is returned: an agent that fits at width
/// 2 also fits at width 1. A terrain is a rule of its own. Searches run as the items are asked for;
/// each copies the grid, so this is for messages to a player or a level designer, not for every
/// frame.
///
/// ```
/// use wayfare::explain::grid::{GridRelaxation, GridRemedy, remedies};
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::space::{CornerRule, ProfileId};
///
/// let grid = Grid::from_rows(&["..#", ".#.", "#.."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(2, 2).unwrap());
/// let found = remedies(&grid, ProfileId::default(), &query);
/// let found: Vec<GridRemedy> = found.collect::<Result<_, _>>()?;
/// assert_eq!(found[0].relaxation, GridRelaxation::Corners(CornerRule::Always));
/// # Ok::<(), GridError>(())
/// ```
///
/// # Errors
/// An item is an error when the grid cannot hold the relaxed profile.
/// There are no items for a profile that the grid has not.
pub fn remedies<'q>(
    grid: &'q Grid,
    profile: ProfileId,
    query: &'q Query<Cell, u64>,
) -> impl Iterator<Item = Result<GridRemedy, GridError>> + 'q {
    remedies_by(grid, profile, query, |space, query| solve(&space, &AStar::new(), query).outcome)
}

/// As [`remedies`], with a search of the caller's: to lay links over the relaxed space.
///
/// ```
/// use wayfare::explain::grid::{GridRelaxation, remedies_by};
/// use wayfare::link::{Crossing, Keys, NavLink, NavLinks};
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::space::ProfileId;
///
/// // A tunnel leads from the first room into the second, and a wall cuts off the third.
/// let grid = Grid::new(7, 1, &[0, 0, 255, 0, 3, 0, 0].map(TerrainId), GridProfile {
///     costs: CostTable::new().without(TerrainId(3)),
///     ..GridProfile::default()
/// })?;
/// let at = |x| grid.cell(x, 0).unwrap();
/// let mut links = NavLinks::new(2.0);
/// links.add(&grid.space(), NavLink::new(at(1), at(3), Crossing::Seconds(1.0)))?;
/// let query = Query::new(at(0), at(6));
/// let profile = ProfileId::default();
/// let found = remedies_by(&grid, profile, &query, |space, query| {
///     solve(&links.over(space, Keys::NONE), &AStar::new(), query).outcome
/// });
/// let found: Vec<_> = found.collect::<Result<_, _>>()?;
/// assert!(matches!(found[0].relaxation, GridRelaxation::Enter(TerrainId(3), _)));
/// # use wayfare::space::{CostTable, GridProfile};
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// An item is an error when the grid cannot hold the relaxed profile.
pub fn remedies_by<'q>(
    grid: &'q Grid,
    profile: ProfileId,
    query: &'q Query<Cell, u64>,
    search: impl Fn(GridSpace<'_, u64>, Query<Cell, u64>) -> Outcome<Cell, u64> + 'q,
) -> impl Iterator<Item = Result<GridRemedy, GridError>> + 'q {
    let goals = query.goal.states();
    let goal = goals.first().copied().unwrap_or(query.start);
    let mut settled: Vec<GridRelaxation> = Vec::new();
    // Of a profile that the grid has not, there is nothing to relax.
    let relaxations = grid.profile(profile).into_iter().flat_map(move |rules| {
        let relaxations = GridRelaxation::of(grid, rules, query.start, goal);
        relaxations.into_iter().map(move |relaxation| (rules, relaxation))
    });
    relaxations.filter_map(move |(rules, relaxation)| {
        if settled.iter().any(|settled| settled.is_milder_than(relaxation)) {
            return None;
        }
        let mut relaxed = grid.clone();
        let id = match relaxed.add_profile(relaxation.relax(rules)) {
            Ok(id) => id,
            Err(error) => return Some(Err(error)),
        };
        let outcome = search(relaxed.space_for::<u64>(id), query.clone());
        let Outcome::Found(path) = outcome else { return None };
        settled.push(relaxation);
        Some(Ok(GridRemedy { relaxation, path }))
    })
}

/// Returns the effect of an edit on the paths between two cells, without making it: would a wall
/// here cut A from B? The grid and its revision stay as they are.
///
/// Takes no search: islands tell. Costs two calls of [`Grid::set_terrains`]. Cells off the map are
/// skipped.
///
/// ```
/// use wayfare::explain::Blockage;
/// use wayfare::explain::grid::would_block;
/// use wayfare::prelude::*;
/// let mut grid = Grid::from_rows(&["..#..", "....."])?;
/// let [west, door, east] = [(0, 0), (2, 1), (4, 0)].map(|(x, y)| grid.cell(x, y).unwrap());
/// let wall = [(door, TerrainId::BLOCKED)];
/// let effect = would_block(&mut grid, ProfileId::default(), wall, west, east);
/// assert_eq!(effect, Blockage::WouldBlock);
/// # Ok::<(), GridError>(())
/// ```
pub fn would_block(
    grid: &mut Grid,
    profile: ProfileId,
    edit: impl IntoIterator<Item = (Cell, TerrainId)>,
    from: Cell,
    to: Cell,
) -> Blockage {
    let is_open = |grid: &Grid| {
        let space = grid.space_of(profile);
        space.check(from).is_ok()
            && space.check(to).is_ok()
            && space.reachability(from, to) == Reachability::Possible
    };
    if !is_open(grid) {
        return Blockage::AlreadyBlocked;
    }
    let stays_open = grid.try_out(edit, |grid, _| is_open(grid));
    if stays_open { Blockage::Open } else { Blockage::WouldBlock }
}

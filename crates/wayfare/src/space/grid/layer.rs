//! What a grid derives for one profile: free cells, components, penalties. Kept up to date under edits.

use super::bits::BitMap;
use super::canonical::{CanonicalTable, canonical_table};
use super::layout::Layout;
use super::moves::{MoveTable, move_table};
use super::penalty::PenaltyField;
use super::rooms::Rooms;
use super::signs::{Signed, Signposts};
use super::terrain::{StepCost, StepCosts};
use super::terrain_map::TerrainMap;
use super::{Cell, CostError, GridProfile, InfluenceLayer, Medium, Neighbours, TerrainId};
use crate::space::components::{Adjacency, Components};
use crate::space::{DIAGONAL, STRAIGHT};

/// One profile's view of the ground.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) profile: GridProfile,
    pub(crate) costs: StepCosts,
    pub(crate) moves: &'static MoveTable,
    pub(super) canonical: &'static CanonicalTable,
    pub(crate) offsets: [i32; 8],
    /// The cells that an agent can stand on, one map a medium. Nearly always there is just one.
    media: Vec<(Medium, Maps)>,
    /// Cells from one column to the next in the transposed maps.
    pub(super) column_stride: u32,
    pub(crate) components: Components,
    pub(crate) penalties: PenaltyField,
    /// What jumps over terrain of different costs need, where the profile tells terrains apart.
    pub(super) terrain_map: Option<TerrainMap>,
    /// How many cells of the map have each terrain that the profile can enter.
    present: Vec<u32>,
    /// The least cost of a straight and of a diagonal step on any terrain present.
    pub(crate) least_step: (u32, u32),
    /// Whether every step costs just its length.
    pub(crate) is_uniform: bool,
}

/// Which cells are free, twice: in the order of rows, and transposed.
#[derive(Clone, Debug)]
pub(super) struct Maps {
    pub(super) rows: BitMap,
    pub(super) columns: BitMap,
    /// Where jumps lead anywhere; on ground of one cost.
    pub(super) signs: Option<Signposts>,
    /// What lies between which gates; on ground of one cost.
    pub(super) rooms: Option<Rooms>,
}

/// What a layer is derived from.
#[derive(Clone, Copy)]
pub(crate) struct Ground<'g> {
    pub(crate) layout: &'g Layout,
    pub(crate) terrain: &'g [TerrainId],
    pub(crate) influence: &'g [InfluenceLayer],
}

impl Ground<'_> {
    #[inline]
    pub(crate) fn terrain(&self, cell: Cell) -> TerrainId {
        self.terrain[cell.0 as usize]
    }
}

impl Layer {
    pub(crate) fn new(profile: GridProfile, ground: Ground<'_>) -> Result<Self, CostError> {
        let costs = profile.costs.compile()?;
        let mut media: Vec<Medium> = costs.media().collect();
        media.sort_unstable();
        media.dedup();
        let penalties = PenaltyField::new(&profile, &costs, ground);
        let transposed = Layout::new(ground.layout.height, ground.layout.width);
        let (rows, columns) = (BitMap::new(ground.layout), BitMap::new(&transposed));
        let no_cells = Maps { rows, columns, signs: None, rooms: None };
        let mut layer = Self {
            moves: move_table(profile.neighbours, profile.corners),
            canonical: canonical_table(profile.neighbours, profile.corners),
            offsets: ground.layout.offsets(),
            media: media.into_iter().map(|medium| (medium, no_cells.clone())).collect(),
            column_stride: transposed.stride,
            components: Components::default(),
            penalties,
            terrain_map: None,
            present: vec![0; 256],
            least_step: (STRAIGHT, DIAGONAL),
            is_uniform: true,
            costs,
            profile,
        };
        for cell in ground.layout.cells() {
            layer.present[usize::from(ground.terrain(cell).0)] += 1;
            if let Some(medium) = layer.standing(ground, cell) {
                layer.set(ground, cell, medium, true);
            }
        }
        layer.components = Components::build(
            ground.layout.bound(),
            |state| layer.is_free(Cell(state)),
            &LayerMoves(&layer),
        );
        layer.summarise();
        layer.put_up_signs(ground, &[]);
        layer.map_terrain(ground);
        Ok(layer)
    }

    /// Makes the terrain map, where the cost of entering a cell depends on its terrain and on nothing else.
    fn map_terrain(&mut self, ground: Ground<'_>) {
        let is_told_apart = (0..=u8::MAX)
            .filter_map(|terrain| self.costs.get(TerrainId(terrain)))
            .any(|cost| !cost.is_length_alone() || cost.penalty > 0);
        if is_told_apart && self.profile.blur == 0 && self.profile.influence.is_empty() {
            self.terrain_map = TerrainMap::new(ground.layout, &self.costs);
            self.refresh_terrain_map(ground, ground.layout.cells());
        }
    }

    fn refresh_terrain_map(
        &mut self,
        ground: Ground<'_>,
        cells: impl Iterator<Item = Cell> + Clone,
    ) {
        if let Some(mut map) = self.terrain_map.take() {
            let free_around = |cell| self.is_free(cell).then(|| self.around(cell));
            self.terrain_map = map.refresh(ground, self.moves, cells, free_around).then_some(map);
        }
    }

    /// Brings signs and rooms up to date after the cells may have changed; there are some as long as the ground is of one cost.
    fn put_up_signs(&mut self, ground: Ground<'_>, touched: &[Cell]) {
        let GridProfile { neighbours, corners, .. } = self.profile;
        for (_, maps) in &mut self.media {
            let Maps { rows, columns, signs, rooms } = maps;
            let map = Signed {
                layout: ground.layout,
                rows,
                columns,
                column_stride: self.column_stride,
                neighbours,
                corners,
                moves: self.moves,
            };
            match signs {
                _ if !self.is_uniform => *signs = None,
                Some(signs) => touched.iter().for_each(|&cell| signs.update(map, cell)),
                None => *signs = Some(Signposts::new(map)),
            }
            match rooms {
                _ if !self.is_uniform => *rooms = None,
                Some(rooms) => rooms.update(map, touched),
                None => *rooms = Some(Rooms::new(map)),
            }
        }
    }

    /// The medium in which an agent can stand on a cell, looking at the terrain under all of it.
    fn standing(&self, ground: Ground<'_>, cell: Cell) -> Option<Medium> {
        let medium = self.costs.get(ground.terrain(cell))?.medium;
        let width = self.profile.width;
        if width > 1 {
            let (x, y) = ground.layout.coordinates(cell);
            for (fx, fy) in footprint(width, x, y) {
                if fx >= ground.layout.width || fy >= ground.layout.height {
                    return None;
                }
                if self.costs.get(ground.terrain(ground.layout.cell(fx, fy)))?.medium != medium {
                    return None;
                }
            }
        }
        Some(medium)
    }

    fn set(&mut self, ground: Ground<'_>, cell: Cell, medium: Medium, free: bool) {
        let (x, y) = ground.layout.coordinates(cell);
        let across = Cell((x + 1) * self.column_stride + y + 1);
        for (of, maps) in &mut self.media {
            if *of == medium {
                maps.rows.set(cell, free);
                maps.columns.set(across, free);
            }
        }
    }

    /// The maps of the medium that an agent on a cell is in.
    #[inline]
    pub(super) fn maps_of(&self, cell: Cell) -> Option<&Maps> {
        match &self.media[..] {
            [(_, only)] => Some(only),
            media => media.iter().map(|(_, maps)| maps).find(|maps| maps.rows.get(cell)),
        }
    }

    /// What lies between which gates, a tree a medium; on ground of one cost.
    pub(super) fn rooms(&self) -> impl Iterator<Item = &Rooms> {
        self.media.iter().filter_map(|(_, maps)| maps.rooms.as_ref())
    }

    /// The cells that an agent can stand on, row by row, a map a medium.
    pub(crate) fn free_cells(&self) -> impl ExactSizeIterator<Item = &BitMap> {
        self.media.iter().map(|(_, maps)| &maps.rows)
    }

    /// Whether an agent can stand there.
    #[inline]
    pub(crate) fn is_free(&self, cell: Cell) -> bool {
        self.media.iter().any(|(_, maps)| maps.rows.get(cell))
    }

    /// Which of the cells around a free one are free too.
    #[inline]
    pub(super) fn around(&self, cell: Cell) -> u8 {
        self.maps_of(cell).map_or(0, |maps| maps.rows.around(cell))
    }

    /// The moves out of a free cell, as bits.
    #[inline]
    pub(crate) fn moves_from(&self, cell: Cell) -> u8 {
        self.moves[usize::from(self.around(cell))]
    }

    /// The canonical moves out of a free cell that was entered from `parent`, as bits. Only for uniform ground.
    #[inline]
    pub(crate) fn canonical_moves_from(&self, parent: Cell, cell: Cell) -> u8 {
        // The offset from the parent, counted from the one to the north-west: 0 to 2 in each of three rows.
        let stride = self.offsets[6] as u32;
        let offset = cell.0.wrapping_sub(parent.0).wrapping_add(stride + 1);
        let row = u32::from(offset >= stride) + u32::from(offset >= 2 * stride);
        let place = offset.wrapping_sub(row * stride) + 3 * row;
        let direction = place.wrapping_sub(u32::from(place > 4));
        self.canonical[direction as usize & 7][usize::from(self.around(cell))]
    }

    /// Brings the layer up to date after the terrain of some cells changed.
    pub(crate) fn update(&mut self, ground: Ground<'_>, changes: &[(Cell, TerrainId)]) {
        let mut touched = Vec::new();
        for &(cell, before) in changes {
            self.present[usize::from(before.0)] -= 1;
            self.present[usize::from(ground.terrain(cell).0)] += 1;
            let (x, y) = ground.layout.coordinates(cell);
            // Whoever stands on this cell has its own cell within the footprint, mirrored.
            let width = u32::from(self.profile.width);
            let (left, right) = ((width - 1) / 2, width / 2);
            for fy in y.saturating_sub(right)..=(y + left).min(ground.layout.height - 1) {
                for fx in x.saturating_sub(right)..=(x + left).min(ground.layout.width - 1) {
                    touched.push(ground.layout.cell(fx, fy));
                }
            }
        }
        touched.sort_unstable();
        touched.dedup();
        for &cell in &touched {
            self.refresh(ground, cell);
        }
        self.penalties.update_ground(&self.profile, &self.costs, ground, changes);
        self.summarise();
        self.put_up_signs(ground, &touched);
        if self.terrain_map.is_some() {
            let offsets = ground.layout.offsets();
            let around = |&cell: &Cell| {
                let next = move |offset: i32| Cell(cell.0.wrapping_add_signed(offset));
                offsets.into_iter().chain([0]).map(next)
            };
            let mut rim: Vec<Cell> = touched.iter().flat_map(around).collect();
            rim.sort_unstable();
            rim.dedup();
            rim.retain(|&cell| ground.layout.contains(cell));
            self.refresh_terrain_map(ground, rim.iter().copied());
            if self.terrain_map.is_none() {
                self.map_terrain(ground); // without the neighbourhoods of the past
            }
        }
    }

    fn refresh(&mut self, ground: Ground<'_>, cell: Cell) {
        let now = self.standing(ground, cell);
        let before =
            self.media.iter().find(|(_, maps)| maps.rows.get(cell)).map(|(medium, _)| *medium);
        if now == before {
            return;
        }
        if let Some(medium) = before {
            let former = self.neighbours_of(cell);
            self.set(ground, cell, medium, false);
            let mut components = std::mem::take(&mut self.components);
            components.remove(cell.0, &former, &LayerMoves(self));
            self.components = components;
        }
        if let Some(medium) = now {
            self.set(ground, cell, medium, true);
            let neighbours = self.neighbours_of(cell);
            self.components.insert(cell.0, neighbours);
        }
    }

    fn neighbours_of(&self, cell: Cell) -> Vec<u32> {
        let mut neighbours = Vec::with_capacity(8);
        LayerMoves(self).neighbours(cell.0, |next| neighbours.push(next));
        neighbours
    }

    fn summarise(&mut self) {
        let present = (0..=u8::MAX).filter(|&terrain| self.present[usize::from(terrain)] > 0);
        let steps = present.filter_map(|terrain| self.costs.get(TerrainId(terrain)));
        let least = steps.clone().map(|cost| (cost.straight, cost.diagonal)).min();
        self.least_step = least.unwrap_or((STRAIGHT, DIAGONAL));
        self.is_uniform =
            self.penalties.is_zero() && steps.into_iter().all(StepCost::is_length_alone);
    }

    /// Brings the penalties up to date after the influence on some cells changed.
    pub(crate) fn update_influence(
        &mut self,
        ground: Ground<'_>,
        cells: impl Iterator<Item = Cell>,
    ) {
        self.penalties.update_influence(&self.profile, ground, cells);
        self.summarise();
        self.put_up_signs(ground, &[]);
    }

    pub(crate) fn has_diagonals(&self) -> bool {
        self.profile.neighbours == Neighbours::Eight
    }

    pub(crate) fn size_in_bytes(&self) -> usize {
        let maps = |maps: &Maps| {
            maps.rows.size_in_bytes()
                + maps.columns.size_in_bytes()
                + maps.signs.as_ref().map_or(0, Signposts::size_in_bytes)
                + maps.rooms.as_ref().map_or(0, Rooms::size_in_bytes)
        };
        self.media.iter().map(|(_, both)| maps(both)).sum::<usize>()
            + self.components.size_in_bytes()
            + self.penalties.size_in_bytes()
            + self.terrain_map.as_ref().map_or(0, TerrainMap::size_in_bytes)
    }
}

/// The coordinates that an agent of that width covers when it stands at (x, y). Beyond the map's edge they wrap around to
/// large numbers.
pub(crate) fn footprint(width: u8, x: u32, y: u32) -> impl Iterator<Item = (u32, u32)> {
    let width = u32::from(width);
    let reach = (width - 1) / 2;
    (0..width).flat_map(move |dy| {
        (0..width).map(move |dx| ((x + dx).wrapping_sub(reach), (y + dy).wrapping_sub(reach)))
    })
}

/// A layer's moves without their costs. On a grid every move can be made backwards.
struct LayerMoves<'l>(&'l Layer);

impl Adjacency for LayerMoves<'_> {
    fn neighbours(&self, state: u32, mut visit: impl FnMut(u32)) {
        let mut moves = self.0.moves_from(Cell(state));
        while moves != 0 {
            let direction = moves.trailing_zeros() as usize;
            moves &= moves - 1;
            visit(state.wrapping_add_signed(self.0.offsets[direction]));
        }
    }
}

//! Sceneries of the engine's own spaces.

use std::borrow::Borrow;

use glam::Vec2;
use wayfare_core::expert::{Guidance, GuidanceMemoryOf, GuidanceOf};
use wayfare_core::space::{Cost, ProfileId, StateId, TerrainId};
use wayfare_grid::grid::{Cell, GatewayEnds, Grid, GridSpace};
use wayfare_grid::waypoint::WaypointGraph;
use wayfare_voxel::{Block, BlockId, BlockKind, BlockPosition, Voxel, VoxelGrid};

use super::{BlockArt, CellMark, GridScenery, LinkArt, Terrain, VoxelWorld, WaypointScenery};
use crate::DrawError;

/// The part of a grid that searches leave out.
type Guide<'g> = GuidanceOf<GridSpace<'g, u64>>;

impl<'a> GridScenery<'a> {
    /// Returns a grid of the engine. `look` returns the look of each terrain that occurs.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::search::Query;
    /// use wayfare_draw::{GridScenery, Panel, Terrain, Theme};
    ///
    /// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
    /// let (start, goal) = (grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
    /// let mut trace = Trace::new();
    /// let mut search = AStar::new().search(Query::new(start, goal));
    /// let answer = search.finish(&grid.space(), &mut Scratch::new(), &mut trace);
    ///
    /// let theme = Theme::DARK;
    /// let scenery = GridScenery::of_grid(&grid, |terrain| match terrain {
    ///     TerrainId::GROUND => Terrain::floor(&theme),
    ///     _ => Terrain::wall(&theme),
    /// });
    /// let mut panel = Panel::new(&scenery).title("A*").search(&trace);
    /// if let Some(path) = answer.outcome.path() {
    ///     panel = panel.path(&grid.space(), path);
    /// }
    /// let png = panel.draw()?.to_png()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_grid(grid: &'a Grid, look: impl Fn(TerrainId) -> Terrain) -> Self {
        let cells: Vec<TerrainId> = grid.cells().map(|cell| grid.terrain(cell)).collect();
        let mut occurs = [false; 256];
        cells.iter().for_each(|terrain| occurs[usize::from(terrain.0)] = true);
        let mut places = [0u8; 256];
        let mut terrains = Vec::new();
        for (number, _) in (0..=u8::MAX).zip(occurs).filter(|(_, occurs)| *occurs) {
            places[usize::from(number)] = terrains.len() as u8;
            terrains.push(look(TerrainId(number)));
        }
        let cells: Vec<u8> =
            cells.into_iter().map(|terrain| places[usize::from(terrain.0)]).collect();
        Self::from_parts(grid.width(), grid.height(), terrains, cells).with_states(|state| {
            Some(<(u32, u32)>::from(grid.coordinates(StateId::from_index(state))).into())
        })
    }

    /// Marks the gateways of the island of two cells, and the cells that searches between them
    /// leave out.
    ///
    /// These are behind gateways off the route. Marks nothing if the profile knows none.
    ///
    /// # Errors
    /// [`DrawError::GridSize`] if the grid differs in size from this scenery.
    pub fn with_rooms_of(
        self,
        grid: &Grid,
        profile: ProfileId,
        (start, goal): (Cell, Cell),
    ) -> Result<Self, DrawError> {
        let space = grid.space_for::<u64>(profile);
        let mut marks = vec![CellMark::None; grid.width() as usize * grid.height() as usize];
        let mut memory = GuidanceMemoryOf::<GridSpace<'_, u64>>::default();
        let island = space.component(start);
        if island.is_some()
            && island == space.component(goal)
            && Guide::prepare(&space, start, goal, &mut memory)
        {
            for (cell, mark) in grid.cells().zip(&mut marks) {
                let is_left_out = space.component(cell) == island
                    && Guide::estimate(&space, &memory, cell) == u64::INFINITY;
                if is_left_out {
                    *mark = CellMark::LeftOut;
                }
            }
        }
        let gateways = space.gateways().filter(|gateway| space.component(gateway.first) == island);
        for GatewayEnds { first, last } in gateways {
            let (x, y) = grid.coordinates(first).into();
            let (end_x, end_y) = grid.coordinates(last).into();
            for (x, y) in (y..=end_y).flat_map(|y| (x..=end_x).map(move |x| (x, y))) {
                let mark = &mut marks[y as usize * grid.width() as usize + x as usize];
                if *mark == CellMark::None {
                    *mark = CellMark::Gateway;
                }
            }
        }
        if marks.iter().all(|mark| *mark == CellMark::None) {
            Ok(self)
        } else {
            self.with_marks(marks)
        }
    }
}

impl WaypointScenery {
    /// Returns a waypoint graph of the engine, seen from above, with names and own costs: x to the
    /// right, z down.
    ///
    /// ```
    /// use wayfare::space::{NegativeCosts, Waypoint, WaypointGraph};
    /// use glam::Vec3;
    /// use wayfare_draw::{Panel, WaypointScenery};
    ///
    /// let waypoints = [Vec3::ZERO, Vec3::new(4.0, 0.0, 1.0)].map(Waypoint::at);
    /// let graph = WaypointGraph::new(waypoints, [], NegativeCosts::default())?;
    /// let scenery = WaypointScenery::of_graph(&graph)?;
    /// let svg = Panel::new(&scenery).draw()?.to_svg()?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`DrawError::NotFinite`], which no valid graph causes.
    pub fn of_graph(graph: &WaypointGraph) -> Result<Self, DrawError> {
        let states: Vec<u32> = graph.ids().map(StateId::index).collect();
        let waypoints: Vec<_> = graph.ids().filter_map(|id| graph.waypoint(id)).collect();
        let points =
            waypoints.iter().map(|waypoint| Vec2::new(waypoint.position.x, waypoint.position.z));
        let place = |state: u32| states.binary_search(&state).ok().map(|place| place as u32);
        let mut moves: Vec<[u32; 2]> = graph
            .links()
            .filter_map(|link| Some([place(link.from.index())?, place(link.to.index())?]))
            .collect();
        moves.sort_unstable();
        // A link in both directions is listed twice and drawn once.
        let links = moves.iter().filter_map(|&[from, to]| {
            let one_way = moves.binary_search(&[to, from]).is_err();
            (one_way || from < to).then_some(LinkArt { from, to, one_way })
        });
        let scenery = Self::new(points.collect(), links.collect())?;
        let costs = waypoints.iter().map(|waypoint| waypoint.cost);
        let names = waypoints.iter().map(|waypoint| waypoint.name.as_deref().unwrap_or_default());
        Ok(scenery.with_costs(costs).with_names(names).with_states(states))
    }
}

impl<'a> VoxelWorld<'a> {
    /// Returns a voxel world of the engine, borrowed or shared. `look` returns the look of each
    /// block of its palette except air. Chunks that are not loaded look like air.
    ///
    /// # Errors
    /// [`DrawError::VoxelSize`] if there are more than 2³¹ blocks.
    pub fn of_voxels(
        grid: impl Borrow<VoxelGrid> + Clone + 'a,
        look: impl Fn(BlockId) -> BlockArt,
    ) -> Result<Self, DrawError> {
        let size = grid.borrow().size();
        let mut blocks = Vec::new();
        let mut number_of = |(number, block): (u16, &Block)| {
            (block.kind != BlockKind::Air).then(|| {
                let art = look(BlockId(number));
                blocks.push(if block.kind.is_half() { art.half() } else { art });
                (blocks.len() - 1) as u16
            })
        };
        let numbers: Vec<Option<u16>> =
            (0..=u16::MAX).zip(grid.borrow().palette()).map(&mut number_of).collect();
        let states = grid.clone();
        let world = Self::new([size.width, size.height, size.depth], blocks, move |[x, y, z]| {
            let block = grid.borrow().block(BlockPosition::new(x, y, z))?;
            numbers.get(usize::from(block.0)).copied().flatten()
        })?;
        Ok(world.with_states(move |state| {
            let at = states.borrow().position_of(Voxel::from_index(state));
            Some([at.x, at.y, at.z])
        }))
    }
}

//! Sceneries of the engine's own spaces.

use wayfare::space::{Grid, ProfileId, StateId, TerrainId};

use super::{GridScenery, Terrain};
use crate::DrawError;

impl<'a> GridScenery<'a> {
    /// A grid of the engine; `look` tells how each terrain that occurs looks.
    ///
    /// ```
    /// use wayfare::prelude::*;
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
    ///     panel = panel.path(path);
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
        Self::from_parts(grid.width(), grid.height(), terrains, cells)
            .with_states(|state| Some(grid.coordinates(StateId::from_index(state)).into()))
    }

    /// Lays what a profile pays for entering each cell over the terrain: penalties, blur and influence.
    ///
    /// # Errors
    /// [`DrawError::GridSize`] where the grid has another size than this scenery.
    pub fn with_penalties_of(self, grid: &Grid, profile: ProfileId) -> Result<Self, DrawError> {
        let penalties: Vec<f32> = grid.cells().map(|cell| grid.penalty(cell, profile)).collect();
        self.with_heat(&penalties)
    }
}

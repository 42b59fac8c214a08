//! Worlds of cells.

use glam::Vec2;

use super::{Ground, Lattice, Scenery, Viewport};
use crate::{Area, Colour, DrawError, Picture, Shape, Stroke, Theme, Tiles};

/// The look of the cells of one terrain.
///
/// ```
/// use wayfare_draw::{Colour, Terrain, Theme};
///
/// let theme = Theme::DARK;
/// let snow = Terrain::themed("snow", Colour::hex(0xffffff), false, &theme);
/// assert_eq!(Some(snow.colour), theme.terrain("snow"));
/// assert!(Terrain::wall(&theme).blocked);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terrain {
    /// Its name.
    pub label: String,
    /// Its colour.
    pub colour: Colour,
    /// Whether it blocks.
    pub blocked: bool,
}

impl Terrain {
    /// Returns a terrain.
    #[must_use]
    pub fn new(label: impl Into<String>, colour: Colour, blocked: bool) -> Self {
        Self { label: label.into(), colour, blocked }
    }

    /// Returns a terrain in the theme's colour for its name; if the theme does not know the name,
    /// in the map's `own` colour, muted. Blocking terrain looks like a wall, except water, trees,
    /// mountains and lava.
    #[must_use]
    pub fn themed(label: impl Into<String>, own: Colour, blocked: bool, theme: &Theme) -> Self {
        let label = label.into();
        let known = theme.terrain(&label);
        let ground = !blocked
            || ["water", "forest", "mountain", "lava"]
                .iter()
                .any(|name| known.is_some() && theme.terrain(name) == known);
        let colour = match known {
            Some(colour) if ground => colour,
            None if ground => theme.muted(own),
            _ => theme.wall,
        };
        Self { label, colour, blocked }
    }

    /// Returns open ground in the theme's colour.
    #[must_use]
    pub fn floor(theme: &Theme) -> Self {
        Self::new("floor", theme.floor, false)
    }

    /// Walls in the theme's colour.
    #[must_use]
    pub fn wall(theme: &Theme) -> Self {
        Self::new("wall", theme.wall, true)
    }
}

/// The column and row of each state of a search.
type StateMap<'a> = Box<dyn Fn(u32) -> Option<[u32; 2]> + 'a>;

/// A mark on a cell, over its terrain.
///
/// ```
/// use wayfare_draw::{CellMark, GridScenery, Terrain, Theme};
///
/// let theme = Theme::DARK;
/// let world = GridScenery::new(3, 1, vec![Terrain::floor(&theme)], &[0; 3])?;
/// let world = world.with_marks(vec![CellMark::None, CellMark::Gateway, CellMark::LeftOut])?;
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum CellMark {
    /// No mark.
    #[default]
    None,
    /// The search skipped it: no cheapest path crosses it.
    LeftOut,
    /// It is part of a gateway between two rooms.
    Gateway,
}

/// A grid to be drawn.
///
/// ```
/// use wayfare_draw::{GridScenery, Terrain, Theme};
///
/// let theme = Theme::default();
/// let terrains = vec![Terrain::floor(&theme), Terrain::wall(&theme)];
/// let grid = GridScenery::new(3, 2, terrains, &[0, 1, 0, 0, 0, 0])?;
/// let grid = grid.with_heat(&[0.0, 0.0, 0.0, 0.0, 1.0, 0.0])?;
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
pub struct GridScenery<'a> {
    columns: u32,
    rows: u32,
    terrains: Vec<Terrain>,
    cells: Vec<u8>,
    /// Heat from 0 to 255; empty without any.
    heat: Vec<u8>,
    /// Empty without marks.
    marks: Vec<CellMark>,
    states: Option<StateMap<'a>>,
}

impl<'a> GridScenery<'a> {
    /// Returns a grid of `width` × `height` cells, row by row from the top. Each cell has the index
    /// of its terrain in `terrains`. States of searches are the row-major indices of cells, unless
    /// `with_states` says otherwise.
    ///
    /// # Errors
    /// [`DrawError::GridSize`] or [`DrawError::UnknownTerrain`].
    /// [`DrawError::GridSize`] or [`DrawError::UnknownTerrain`].
    pub fn new(
        width: u32,
        height: u32,
        terrains: Vec<Terrain>,
        cells: &[u8],
    ) -> Result<Self, DrawError> {
        check_size(width, height, "terrain numbers", cells.len())?;
        let known = terrains.len();
        if let Some(cell) = cells.iter().position(|terrain| usize::from(*terrain) >= known) {
            return Err(DrawError::UnknownTerrain { cell, terrain: cells[cell], known });
        }
        Ok(Self::from_parts(width, height, terrains, cells.to_vec()))
    }

    /// Parts that fit each other.
    pub(super) fn from_parts(
        columns: u32,
        rows: u32,
        terrains: Vec<Terrain>,
        cells: Vec<u8>,
    ) -> Self {
        let (heat, marks) = (Vec::new(), Vec::new());
        Self { columns, rows, terrains, cells, heat, marks, states: None }
    }

    /// Shows penalties as heat in place of open terrain: one value for each cell, in any unit. The
    /// largest is full heat; 0 and less is none.
    ///
    /// # Errors
    /// [`DrawError::GridSize`] if there is not one for each cell.
    /// [`DrawError::GridSize`] where there is not one per cell.
    pub fn with_heat(mut self, penalties: &[f32]) -> Result<Self, DrawError> {
        check_size(self.columns, self.rows, "penalties", penalties.len())?;
        let most = penalties.iter().copied().filter(|penalty| penalty.is_finite());
        let most = most.fold(0.0_f32, f32::max);
        if most > 0.0 {
            let share = |penalty: &f32| ((penalty / most).clamp(0.0, 1.0) * 255.0).round() as u8;
            self.heat = penalties.iter().map(share).collect();
        }
        Ok(self)
    }

    /// Marks cells, with one mark for each.
    ///
    /// # Errors
    /// [`DrawError::GridSize`] if there is not one for each cell.
    pub fn with_marks(mut self, marks: Vec<CellMark>) -> Result<Self, DrawError> {
        check_size(self.columns, self.rows, "marks", marks.len())?;
        self.marks = marks;
        Ok(self)
    }

    /// Sets the column and row of each state of a search. Needed if states are not row-major
    /// indices.
    #[must_use]
    pub fn with_states(mut self, coordinates: impl Fn(u32) -> Option<[u32; 2]> + 'a) -> Self {
        self.states = Some(Box::new(coordinates));
        self
    }

    /// Returns the terrains, by index.
    #[must_use]
    pub fn terrains(&self) -> &[Terrain] {
        &self.terrains
    }

    fn colour(&self, cell: usize, theme: &Theme) -> Colour {
        let terrain = &self.terrains[usize::from(self.cells[cell])];
        match self.marks.get(cell) {
            Some(CellMark::LeftOut) if !terrain.blocked => return Self::left_out(terrain, theme),
            Some(CellMark::Gateway) if !terrain.blocked => return Self::gateway(terrain, theme),
            _ => {}
        }
        match self.heat.get(cell) {
            Some(heat) if !terrain.blocked => {
                // Sixteen steps: few colours for a GIF. Over the floor and not over the terrain,
                // whose own brightness would make less of a penalty than of a lower one beside it.
                let steps = (f32::from(*heat) / 255.0 * 16.0).round();
                let steps = if *heat > 0 { steps.max(1.0) } else { 0.0 };
                theme.floor.mix(theme.heat, steps / 16.0)
            }
            _ => terrain.colour,
        }
    }

    fn left_out(terrain: &Terrain, theme: &Theme) -> Colour {
        terrain.colour.mix(theme.wall, 0.6)
    }

    fn gateway(terrain: &Terrain, theme: &Theme) -> Colour {
        terrain.colour.mix(theme.goal, 0.6)
    }

    /// Returns the mean of a block of cells, clipped to the grid.
    fn block(&self, x: [u32; 2], y: [u32; 2], theme: &Theme) -> Ground {
        let columns = self.columns as usize;
        if x[1] - x[0] == 1 && y[1] - y[0] == 1 {
            let cell = y[0] as usize * columns + x[0] as usize;
            let blocked = self.terrains[usize::from(self.cells[cell])].blocked;
            return Ground {
                colour: self.colour(cell, theme),
                solid: f32::from(u8::from(blocked)),
            };
        }
        let (mut sum, mut solid, mut count) = ([0u64; 3], 0u64, 0u64);
        for row in y[0] as usize..y[1] as usize {
            for cell in row * columns + x[0] as usize..row * columns + x[1] as usize {
                let colour = self.colour(cell, theme);
                sum[0] += u64::from(colour.red);
                sum[1] += u64::from(colour.green);
                sum[2] += u64::from(colour.blue);
                solid += u64::from(self.terrains[usize::from(self.cells[cell])].blocked);
                count += 1;
            }
        }
        let count = count.max(1);
        let [red, green, blue] = sum.map(|channel| (channel / count) as u8);
        Ground {
            colour: Colour { red, green, blue, alpha: 255 },
            solid: solid as f32 / count as f32,
        }
    }
}

fn check_size(width: u32, height: u32, what: &'static str, given: usize) -> Result<(), DrawError> {
    let needed = u64::from(width) * u64::from(height);
    if needed == 0 || needed > u64::from(u32::MAX) || given as u64 != needed {
        return Err(DrawError::GridSize { width, height, what, needed, given });
    }
    Ok(())
}

impl Scenery for GridScenery<'_> {
    fn bounds(&self) -> Area {
        Area { min: Vec2::ZERO, max: Vec2::new(self.columns as f32, self.rows as f32) }
    }

    fn lattice(&self) -> Option<Lattice> {
        Some(Lattice { columns: self.columns, rows: self.rows })
    }

    fn places(&self) -> usize {
        self.cells.len()
    }

    fn place_of(&self, state: u32) -> Option<usize> {
        let Some(coordinates) = &self.states else {
            return Some(state as usize).filter(|place| *place < self.cells.len());
        };
        let [x, y] = coordinates(state)?;
        (x < self.columns && y < self.rows)
            .then_some(y as usize * self.columns as usize + x as usize)
    }

    fn position(&self, place: usize) -> Vec2 {
        let columns = self.columns as usize;
        Vec2::new((place % columns) as f32 + 0.5, (place / columns) as f32 + 0.5)
    }

    fn ground(&self, area: Area, theme: &Theme) -> Ground {
        let span = |min: f32, max: f32, cells: u32| {
            let first = (min.floor().max(0.0) as u32).min(cells - 1);
            [first, (max.ceil().max(0.0) as u32).clamp(first + 1, cells)]
        };
        let x = span(area.min.x, area.max.x, self.columns);
        let y = span(area.min.y, area.max.y, self.rows);
        self.block(x, y, theme)
    }

    fn has_terrains(&self) -> bool {
        // Floor and walls need no explanation.
        self.terrains.len() > 2 || !self.heat.is_empty() || !self.marks.is_empty()
    }

    fn marks_turns(&self) -> bool {
        true
    }

    fn terrains_shown(&self, theme: &Theme) -> Vec<(String, Colour)> {
        if !self.has_terrains() {
            return Vec::new();
        }
        let mut used = [false; 256];
        self.cells.iter().for_each(|terrain| used[usize::from(*terrain)] = true);
        // Heat covers open terrain.
        let is_seen = |terrain: &Terrain| self.heat.is_empty() || terrain.blocked;
        let used = self.terrains.iter().zip(used);
        let used = used.filter(|(terrain, used)| *used && is_seen(terrain));
        let heat = (!self.heat.is_empty()).then(|| ("penalty".to_owned(), theme.heat));
        let floor = self.terrains.iter().find(|terrain| !terrain.blocked);
        let marks = floor.filter(|_| !self.marks.is_empty()).map(|floor| {
            [
                ("left out".to_owned(), Self::left_out(floor, theme)),
                ("gateway".to_owned(), Self::gateway(floor, theme)),
            ]
        });
        used.map(|(terrain, _)| (terrain.label.clone(), terrain.colour))
            .chain(heat)
            .chain(marks.into_iter().flatten())
            .collect()
    }

    fn draw_base(&self, viewport: &Viewport, theme: &Theme, picture: &mut Picture) {
        let [columns, rows] = viewport.tiles();
        let block = viewport.block();
        let mut colours = Vec::with_capacity(columns as usize * rows as usize);
        for row in 0..rows {
            let y = [row * block, ((row + 1) * block).min(self.rows)];
            for column in 0..columns {
                let x = [column * block, ((column + 1) * block).min(self.columns)];
                colours.push(self.block(x, y, theme).colour);
            }
        }
        let corner = viewport.area().min;
        picture.push(Shape::Tiles(Tiles {
            corner,
            side: viewport.tile(),
            columns,
            inset: 0,
            colours,
        }));
    }
}

/// Returns the lines between cells, if cells are large enough for any.
pub(crate) fn grid_lines(viewport: &Viewport, theme: &Theme) -> Option<Shape> {
    let side = viewport.tile();
    if side < SMALLEST_RULED {
        return None;
    }
    let [columns, rows] = viewport.tiles();
    let Area { min, max } = viewport.area();
    let step = side as f32;
    // A line covers the last pixel of a cell.
    let upright = (1..columns).map(|column| {
        let x = min.x + column as f32 * step - 0.5;
        [Vec2::new(x, min.y + 0.5), Vec2::new(x, max.y - 0.5)]
    });
    let level = (1..rows).map(|row| {
        let y = min.y + row as f32 * step - 0.5;
        [Vec2::new(min.x + 0.5, y), Vec2::new(max.x - 0.5, y)]
    });
    Some(Shape::Segments {
        ends: upright.chain(level).collect(),
        stroke: Stroke { colour: theme.grid_line, width: 1.0 },
    })
}

/// The least size of a cell in pixels with lines between cells.
pub(crate) const SMALLEST_RULED: u32 = 9;

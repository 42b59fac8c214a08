//! What the views need to know of a world.

use std::ops::Range;

use glam::{Vec2, Vec3};
use wayfare::space::Action;

use crate::{Area, Colour, Facets, Picture, Shape, Status, Theme};

/// The size of a world of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lattice {
    /// Cells in a row.
    pub columns: u32,
    /// Rows.
    pub rows: u32,
}

/// What the ground of a part of a world looks like.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ground {
    /// Its mean colour.
    pub colour: Colour,
    /// How much of it nobody can stand on, 0 to 1.
    pub solid: f32,
}

/// What a search has left at each place: `None` where it has not been.
pub type Marks<'a> = dyn Fn(usize) -> Option<Status> + 'a;

/// How a search looks in a world.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SearchLook {
    /// Places in the colours of their costs.
    #[default]
    ByCost,
    /// One colour for what is open, one for what is expanded: for worlds with many colours of their own.
    Plain,
}

/// A world that stands up from its ground, with the search in it.
#[derive(Clone, PartialEq, Debug)]
pub struct Relief {
    /// The faces of the world.
    pub facets: Facets,
    /// Lines over them, which no search changes.
    pub lines: Vec<Shape>,
}

/// A part of a path's line.
#[derive(Clone, PartialEq, Debug)]
pub struct Leg {
    /// Its points in the world's unit.
    pub points: Vec<Vec2>,
    /// Whether it lies behind something; drawn dotted.
    pub hidden: bool,
}

/// The line of a path, with signs for its actions.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trail {
    /// The parts of the line in order. They need not join.
    pub legs: Vec<Leg>,
    /// Where something else is done than walking.
    pub signs: Vec<(Vec2, Action)>,
}

/// Rows of a lattice that are a picture of their own where text can only stand between them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Band {
    /// What it is called.
    pub title: String,
    /// Its rows.
    pub rows: Range<u32>,
}

/// A world as pictures see it: seen from above, with x to the right and y **down**, in the world's own units (cells,
/// metres).
///
/// Places are where a search can be; several states of a search may share one. In a world with a [`Lattice`] the places are
/// its cells, row by row.
pub trait Scenery {
    /// The part of the world that is shown.
    fn bounds(&self) -> Area;

    /// The lattice, where the world is one of cells. Cell (x, y) then covers x to x + 1 and y to y + 1.
    fn lattice(&self) -> Option<Lattice> {
        None
    }

    /// The number of places.
    fn places(&self) -> usize;

    /// The place of a state of a search, by the state's index; `None` where it has none. Always below
    /// [`Scenery::places`].
    fn place_of(&self, state: u32) -> Option<usize>;

    /// The middle of a place.
    fn position(&self, place: usize) -> Vec2;

    /// The radius in pixels of the disc that marks a place, where places are not cells.
    fn place_radius(&self, _viewport: &Viewport) -> f32 {
        4.0
    }

    /// What the ground of a part of the world looks like; costs time in proportion to that part.
    fn ground(&self, area: Area, theme: &Theme) -> Ground;

    /// Draws the world.
    fn draw_base(&self, viewport: &Viewport, theme: &Theme, picture: &mut Picture);

    /// Whether the ground has more to tell than free and blocked, so that searches should not cover it.
    fn has_terrains(&self) -> bool {
        false
    }

    /// Whether lines are drawn between the cells of a lattice.
    fn is_ruled(&self) -> bool {
        self.lattice().is_some()
    }

    /// How searches look in it.
    fn search_look(&self) -> SearchLook {
        SearchLook::ByCost
    }

    /// Of the scale at which it would just fit, in pixels per unit, the nearest one below that suits it. Not used for
    /// lattices, whose cells are whole pixels.
    fn rounded_scale(&self, scale: f32) -> f32 {
        scale
    }

    /// The world and a search in it as one, where the world hides some of the search. `None`, the default, for flat worlds.
    fn relief(&self, _viewport: &Viewport, _theme: &Theme, _marks: &Marks<'_>) -> Option<Relief> {
        None
    }

    /// Brings a relief up to date after the mark of a place has changed.
    fn refresh(
        &self,
        _place: usize,
        _viewport: &Viewport,
        _theme: &Theme,
        _marks: &Marks<'_>,
        _relief: &mut Relief,
    ) {
    }

    /// The line of a path through places, each with the action that led there. `None`, the default, for a straight line from
    /// place to place.
    fn trail(&self, _steps: &[(usize, Action)]) -> Option<Trail> {
        None
    }

    /// Where a point of the world is in the scenery, for worlds that stand up from their ground. `None`, the default, for flat
    /// ones: whoever made them knows.
    fn project(&self, _point: Vec3) -> Option<Vec2> {
        None
    }

    /// Whether something of the world stands between a point of it and the viewer. Never by default.
    fn hides(&self, _point: Vec3) -> bool {
        false
    }

    /// The bands of a lattice, from the top. None by default.
    fn bands(&self) -> Vec<Band> {
        Vec::new()
    }

    /// The names and colours of the terrains, for a legend. None by default.
    fn terrains_shown(&self, _theme: &Theme) -> Vec<(String, Colour)> {
        Vec::new()
    }

    /// Draws what belongs above a search: names. Nothing by default.
    fn draw_names(&self, _viewport: &Viewport, _theme: &Theme, _picture: &mut Picture) {}
}

/// How a world is laid onto a picture.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Viewport {
    bounds: Area,
    corner: Vec2,
    scale: f32,
    cells_per_pixel: u32,
    size: [u32; 2],
}

/// The largest side of a cell, in pixels.
const LARGEST_CELL: u32 = 40;

impl Viewport {
    /// Lays a world onto a picture with its left upper corner at `corner`, no side longer than `longest` pixels.
    ///
    /// Cells get whole pixels. Where there are more cells than pixels, a pixel shows a square block of cells.
    #[must_use]
    pub fn fit(scenery: &dyn Scenery, longest: u32, corner: Vec2) -> Self {
        let longest = longest.max(1);
        let bounds = scenery.bounds();
        if let Some(Lattice { columns, rows }) = scenery.lattice() {
            let most = columns.max(rows).max(1);
            let side = (longest / most).min(LARGEST_CELL);
            let block = if side == 0 { most.div_ceil(longest) } else { 1 };
            let scale = if side == 0 { 1.0 / block as f32 } else { side as f32 };
            let pixels = |cells: u32| cells.div_ceil(block) * side.max(1);
            let size = [pixels(columns).max(1), pixels(rows).max(1)];
            return Self { bounds, corner, scale, cells_per_pixel: block, size };
        }
        let extent = bounds.size();
        let scale =
            scenery.rounded_scale(longest as f32 / extent.max_element().max(f32::MIN_POSITIVE));
        let pixels = |length: f32| ((length * scale).ceil().max(1.0) as u32).min(longest);
        let size = [pixels(extent.x), pixels(extent.y)];
        Self { bounds, corner, scale, cells_per_pixel: 1, size }
    }

    /// The same view at another place of the picture.
    #[must_use]
    pub fn moved_to(self, corner: Vec2) -> Self {
        Self { corner, ..self }
    }

    /// Where a point of the world is in the picture, in pixels.
    #[must_use]
    pub fn pixel(&self, point: Vec2) -> Vec2 {
        self.corner + (point - self.bounds.min) * self.scale
    }

    /// The pixels per unit of the world: per cell in a lattice.
    #[must_use]
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// The width and height of the world in pixels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// The part of the picture that shows the world.
    #[must_use]
    pub fn area(&self) -> Area {
        Area::sized(self.corner, Vec2::new(self.size[0] as f32, self.size[1] as f32))
    }

    /// The side of the block of cells that one tile shows: 1, unless there are more cells than pixels.
    #[must_use]
    pub fn block(&self) -> u32 {
        self.cells_per_pixel
    }

    /// The side of a tile in whole pixels: of a cell, or 1 where a pixel shows several.
    #[must_use]
    pub fn tile(&self) -> u32 {
        (self.scale as u32).max(1)
    }

    /// The columns and rows of tiles that show a lattice.
    #[must_use]
    pub fn tiles(&self) -> [u32; 2] {
        self.size.map(|side| side / self.tile())
    }
}

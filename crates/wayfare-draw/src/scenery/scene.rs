//! The trait of worlds that can be drawn.

use std::ops::Range;

use glam::{Vec2, Vec3};
use wayfare_core::space::Action;

use crate::{Area, Colour, Facets, Picture, Shape, Status, Theme};

/// The size of a world of cells.
///
/// ```
/// use wayfare_draw::{GridScenery, Lattice, Scenery, Terrain, Theme};
///
/// let theme = Theme::DARK;
/// let world = GridScenery::new(3, 2, vec![Terrain::floor(&theme)], &[0; 6])?;
/// assert_eq!(world.lattice(), Some(Lattice { columns: 3, rows: 2 }));
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lattice {
    /// Cells in a row.
    pub columns: u32,
    /// The number of rows.
    pub rows: u32,
}

/// The look of the ground in a part of a world.
///
/// ```
/// use wayfare_draw::{Area, GridScenery, Scenery, Terrain, Theme};
///
/// let theme = Theme::DARK;
/// let terrains = vec![Terrain::floor(&theme), Terrain::wall(&theme)];
/// let world = GridScenery::new(2, 1, terrains, &[0, 1])?;
/// let whole = world.ground(Area::sized([0.0, 0.0].into(), [2.0, 1.0].into()), &theme);
/// assert_eq!(whole.solid, 0.5);
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ground {
    /// Its mean colour.
    pub colour: Colour,
    /// The share of it that blocks, 0 to 1.
    pub solid: f32,
}

/// The mark of a search at each place; `None` where the search has not been.
pub type Marks<'a> = dyn Fn(usize) -> Option<Status> + 'a;

/// The look of searches in a world.
///
/// ```
/// use wayfare_draw::{Palette, SearchLook, Theme};
///
/// assert_eq!(Theme::DARK.search_look, None);
/// let theme = Theme::DARK.with_palette(Palette::OpenClosed);
/// assert_eq!(theme.search_look, Some(SearchLook::Plain));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SearchLook {
    /// Places in the colours of their costs.
    #[default]
    ByCost,
    /// One colour for open places and one for expanded ones: for worlds with many colours of their
    /// own.
    Plain,
}

/// A world in relief, with the search in it.
///
/// ```
/// use wayfare_draw::{BlockArt, Colour, IsometricScenery, Scenery, Theme, Viewport, VoxelWorld};
///
/// let stone = BlockArt::new("stone", Colour::hex(0x9a968c));
/// let world = VoxelWorld::new([2, 1, 2], vec![stone], |_| Some(0))?;
/// let scenery = IsometricScenery::new(&world);
/// let viewport = Viewport::fit(&scenery, 100, [0.0, 0.0].into());
/// let relief = scenery.relief(&viewport, &Theme::DARK, &|_| None).expect("blocks hide blocks");
/// assert!(relief.facets.colours.iter().any(|colour| colour.alpha > 0));
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Relief {
    /// The faces of the world.
    pub facets: Facets,
    /// Lines over them, which no search changes.
    pub lines: Vec<Shape>,
}

/// A part of a path's line.
///
/// ```
/// use wayfare_draw::{Leg, Trail};
///
/// let seen = Leg { points: vec![[0.0, 0.0].into(), [2.0, 0.0].into()], hidden: false };
/// let behind = Leg { points: vec![[2.0, 0.0].into(), [5.0, 0.0].into()], hidden: true };
/// let trail = Trail { legs: vec![seen, behind], signs: Vec::new() };
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Leg {
    /// Its points in the world's unit.
    pub points: Vec<Vec2>,
    /// Whether it is hidden; drawn dotted.
    pub hidden: bool,
}

/// The line of a path, with signs for its actions.
///
/// ```
/// use wayfare::space::Action;
/// use wayfare_draw::{Leg, Trail};
///
/// let points = vec![[0.0, 0.0].into(), [2.0, 1.0].into()];
/// let signs = vec![([1.0, 0.5].into(), Action::Jump)];
/// let trail = Trail { legs: vec![Leg { points, hidden: false }], signs };
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trail {
    /// The parts of the line in order. They need not be joined.
    pub legs: Vec<Leg>,
    /// The points of actions other than walking.
    pub signs: Vec<(Vec2, Action)>,
}

/// Rows of a lattice that form a picture of their own, for media in which text can stand only
/// between them.
///
/// ```
/// use wayfare_draw::{BlockArt, Colour, LayerScenery, Scenery, VoxelWorld};
///
/// let stone = BlockArt::new("stone", Colour::hex(0x9a968c));
/// let world = VoxelWorld::new([4, 3, 4], vec![stone], |[_, y, _]| (y == 0).then_some(0))?;
/// let scenery = LayerScenery::new(&world, 0..2)?.columns(1);
/// assert_eq!(scenery.bands().len(), 2);
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Band {
    /// Its title.
    pub title: String,
    /// Its rows.
    pub rows: Range<u32>,
}

/// A world that can be drawn: seen from above, x to the right and y **down**, in its own units
/// (cells, metres).
///
/// Places are the positions of searches; several states of a search can share one. In a world with
/// a [`Lattice`], places are its cells, row by row.
///
/// ```
/// use glam::Vec2;
/// use wayfare_draw::{Area, Ground, Panel, Picture, Scenery, Theme, Viewport};
///
/// /// Beacons on a line, one a metre.
/// struct Coast { beacons: usize }
///
/// impl Scenery for Coast {
///     fn bounds(&self) -> Area {
///         Area::sized(Vec2::ZERO, Vec2::new(self.beacons as f32, 2.0))
///     }
///     fn places(&self) -> usize {
///         self.beacons
///     }
///     fn place_of(&self, state: u32) -> Option<usize> {
///         Some(state as usize).filter(|place| *place < self.beacons)
///     }
///     fn position(&self, place: usize) -> Vec2 {
///         Vec2::new(place as f32 + 0.5, 1.0)
///     }
///     fn ground(&self, _: Area, theme: &Theme) -> Ground {
///         Ground { colour: theme.floor, solid: 0.0 }
///     }
///     fn draw_base(&self, _: &Viewport, _: &Theme, _: &mut Picture) {}
/// }
/// assert!(Panel::new(&Coast { beacons: 7 }).path_states([0, 1, 2]).draw().is_ok());
/// ```
pub trait Scenery {
    /// Returns the part of the world to show.
    fn bounds(&self) -> Area;

    /// Returns the lattice of a world of cells. Cell (x, y) covers x to x + 1 and y to y + 1.
    fn lattice(&self) -> Option<Lattice> {
        None
    }

    /// Returns the number of places.
    fn places(&self) -> usize;

    /// Returns the place of a state of a search, given by its index, below [`Scenery::places`];
    /// `None` if it has no place.
    fn place_of(&self, state: u32) -> Option<usize>;

    /// Returns the centre of a place.
    fn position(&self, place: usize) -> Vec2;

    /// Returns the radius of the disc of a marked place, in pixels, if places are not cells.
    fn place_radius(&self, _viewport: &Viewport) -> f32 {
        4.0
    }

    /// Returns the outline of a place that is a polygon: searches fill it. Default `None`: a disc.
    fn outline(&self, _place: usize) -> Option<&[Vec2]> {
        None
    }

    /// Returns the look of the ground in a part of the world. Takes time in proportion to the part.
    fn ground(&self, area: Area, theme: &Theme) -> Ground;

    /// Draws the world.
    fn draw_base(&self, viewport: &Viewport, theme: &Theme, picture: &mut Picture);

    /// Returns whether the ground shows more than free and blocked, so that searches should not
    /// cover it.
    fn has_terrains(&self) -> bool {
        false
    }

    /// Returns whether lines are drawn between the cells of a lattice.
    fn is_ruled(&self) -> bool {
        self.lattice().is_some()
    }

    /// Returns the look of searches in this world.
    fn search_look(&self) -> SearchLook {
        SearchLook::ByCost
    }

    /// Returns whether the turning points of a path are marked: for worlds in which a path is a
    /// choice of points. Default: no.
    fn marks_turns(&self) -> bool {
        false
    }

    /// Returns the scale to draw at, in pixels per unit, if `scale` is the largest that fits. Not
    /// used for lattices, whose cells are whole pixels.
    fn rounded_scale(&self, scale: f32) -> f32 {
        scale
    }

    /// Returns the world and a search in it as one, if the world hides parts of the search. Default
    /// `None`: flat.
    fn relief(&self, _viewport: &Viewport, _theme: &Theme, _marks: &Marks<'_>) -> Option<Relief> {
        None
    }

    /// Updates a relief after the mark of a place changed.
    fn refresh(
        &self,
        _place: usize,
        _viewport: &Viewport,
        _theme: &Theme,
        _marks: &Marks<'_>,
        _relief: &mut Relief,
    ) {
    }

    /// Returns the line of a path through places, each with its incoming action. Default `None`:
    /// straight from place to place.
    fn trail(&self, _steps: &[(usize, Action)]) -> Option<Trail> {
        None
    }

    /// Returns the position of a point of the world in the scenery, for worlds in relief. Default
    /// `None`: the caller knows.
    fn project(&self, _point: Vec3) -> Option<Vec2> {
        None
    }

    /// Returns whether the world hides a point of it from the viewer. Default: never.
    fn hides(&self, _point: Vec3) -> bool {
        false
    }

    /// Returns the bands of a lattice, from the top. Default: none.
    fn bands(&self) -> Vec<Band> {
        Vec::new()
    }

    /// Returns the names and colours of the terrains, for a legend. Default: none.
    fn terrains_shown(&self, _theme: &Theme) -> Vec<(String, Colour)> {
        Vec::new()
    }

    /// Draws the parts above a search, such as names. Default: none.
    fn draw_names(&self, _viewport: &Viewport, _theme: &Theme, _picture: &mut Picture) {}
}

/// The placement of a world on a picture.
///
/// ```
/// use glam::Vec2;
/// use wayfare_draw::{GridScenery, Terrain, Theme, Viewport};
///
/// let world = GridScenery::new(10, 5, vec![Terrain::floor(&Theme::DARK)], &[0; 50])?;
/// let viewport = Viewport::fit(&world, 200, Vec2::new(8.0, 8.0));
/// assert_eq!((viewport.size(), viewport.scale()), ([200, 100], 20.0));
/// assert_eq!(viewport.pixel(Vec2::ONE), Vec2::new(28.0, 28.0));
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Viewport {
    bounds: Area,
    corner: Vec2,
    scale: f32,
    cells_per_pixel: u32,
    size: [u32; 2],
}

/// The largest side of a cell, in pixels.
const LARGEST_CELL: u32 = 56;

impl Viewport {
    /// Places a world with its left upper corner at `corner`, and no side longer than `longest`
    /// pixels.
    ///
    /// Cells get whole pixels. If there are more cells than pixels, a pixel shows a square block of
    /// cells.
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

    /// Returns the same view at another corner of the picture.
    #[must_use]
    pub fn moved_to(self, corner: Vec2) -> Self {
        Self { corner, ..self }
    }

    /// Returns the position of a point of the world on the picture, in pixels.
    #[must_use]
    pub fn pixel(&self, point: Vec2) -> Vec2 {
        self.corner + (point - self.bounds.min) * self.scale
    }

    /// Returns the pixels per unit of the world; in a lattice, per cell.
    #[must_use]
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// Returns the width and height of the world in pixels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Returns the part of the picture that shows the world.
    #[must_use]
    pub fn area(&self) -> Area {
        Area::sized(self.corner, Vec2::new(self.size[0] as f32, self.size[1] as f32))
    }

    /// Returns the side of the block of cells in one tile: 1, unless there are more cells than
    /// pixels.
    #[must_use]
    pub fn block(&self) -> u32 {
        self.cells_per_pixel
    }

    /// Returns the side of a tile in whole pixels: that of a cell, or 1 if a pixel shows several.
    #[must_use]
    pub fn tile(&self) -> u32 {
        (self.scale as u32).max(1)
    }

    /// Returns the columns and rows of tiles that show a lattice.
    #[must_use]
    pub fn tiles(&self) -> [u32; 2] {
        self.size.map(|side| side / self.tile())
    }
}

//! Worlds of blocks in isometric projection.

use glam::{Vec2, Vec3};
use wayfare_core::space::Action;

use super::cut::{Cut, CutAway};
use super::lines::Outlines;
use super::ray::{Face, Ray};
use super::{BlockArt, VoxelWorld, trail};
use crate::facets::triangle;
use crate::scenery::{Ground, Marks, Relief, Scenery, SearchLook, Trail, Viewport};
use crate::{Area, Colour, Facets, Picture, Status, Theme};

/// The least width of triangles in pixels. Larger worlds are drawn from a part of the rays.
const SMALLEST: f32 = 2.0;

/// The least width of a column with a margin of ground around the marks of a search.
const SMALLEST_TILED: f32 = 6.0;

/// The length of a block's shadow, in blocks.
const SHADOW: i32 = 14;

/// The largest number of blocks read to find the highest one.
const MOST_ASKED: u64 = 1 << 22;

/// A world of blocks in isometric projection: x points right and down, z left and down, y up.
///
/// Places reached by a search are tiles on the ground, or a coloured haze where there is no ground:
/// open ones green, expanded ones blue. The path is red, and dotted behind blocks. Dangerous places
/// are hot: see [`VoxelWorld::with_heat`].
/// [`IsometricScenery::cut`] opens the world.
///
/// ```
/// use wayfare_draw::{BlockArt, Colour, CutAway, IsometricScenery, Panel, VoxelWorld};
///
/// let stone = BlockArt::new("stone", Colour::hex(0x9a968c));
/// let is_stone = |x, y| y == 0 || x == 2 && y < 3;
/// let world =
///     VoxelWorld::new([4, 4, 4], vec![stone], |[x, y, _]| is_stone(x, y).then_some(0))?;
/// let scenery = IsometricScenery::new(&world).cut(CutAway::Above(2));
/// let picture = Panel::new(&scenery).title("A wall").draw()?;
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
pub struct IsometricScenery<'w> {
    world: &'w VoxelWorld<'w>,
    cut: Cut,
    /// The number of parts of a block along each axis, each with triangles of its own: 2 in worlds
    /// with half blocks, else 1. Rays count places in parts.
    detail: i32,
    /// The number of rows of triangles above the projection of the world's origin.
    top: i32,
    sky: bool,
    /// Whether the legend explains the blocks.
    explained: bool,
}

/// The view through a triangle.
pub(super) struct Seen {
    /// The colour; clear if nothing is there.
    colour: Colour,
    /// The colour of the tile on it; clear without one.
    tile: Colour,
    /// The face that ends the ray.
    pub(super) surface: Option<([i32; 3], Face)>,
}

/// Translucent colours in front of each other, the nearest first.
struct Haze {
    sum: [f32; 3],
    left: f32,
}

impl Haze {
    fn add(&mut self, colour: Colour, share: f32) {
        let share = share * self.left;
        let channels = [colour.red, colour.green, colour.blue];
        for (sum, channel) in self.sum.iter_mut().zip(channels) {
            *sum += f32::from(channel) * share;
        }
        self.left -= share;
    }

    /// Returns the colours in front of an opaque one.
    fn before(&self, ground: Colour) -> Colour {
        let mixed = |sum: f32, channel: u8| (sum + f32::from(channel) * self.left).round() as u8;
        Colour {
            red: mixed(self.sum[0], ground.red),
            green: mixed(self.sum[1], ground.green),
            blue: mixed(self.sum[2], ground.blue),
            alpha: 255,
        }
    }
}

impl<'w> IsometricScenery<'w> {
    /// Returns the whole world.
    #[must_use]
    pub fn new(world: &'w VoxelWorld<'w>) -> Self {
        let cut = Cut::default();
        let detail = if world.has_halves() { 2 } else { 1 };
        let mut scenery = Self { world, cut, detail, top: 0, sky: false, explained: false };
        scenery.top = scenery.crown();
        scenery
    }

    /// Removes blocks to look inside. Several cuts remove the union of their blocks.
    #[must_use]
    pub fn cut(mut self, cut: CutAway<'_>) -> Self {
        self.cut.add(self.world, cut);
        self.top = self.crown();
        self
    }

    /// Explains the colours of the blocks in the legend.
    #[must_use]
    pub fn with_blocks_explained(mut self) -> Self {
        self.explained = true;
        self
    }

    /// Shows all the air of the world, not only that just above its blocks: for searches that fly.
    #[must_use]
    pub fn with_sky(mut self) -> Self {
        let [_, height, _] = self.world.size();
        self.top = 2 * height as i32 * self.detail;
        self.sky = true;
        self
    }

    /// Returns the number of rows of triangles above the projection of the world's origin, at
    /// least 0.
    fn crown(&self) -> i32 {
        let [width, height, depth] = self.world.size();
        let whole = 2 * height as i32 * self.detail;
        let count = u64::from(width) * u64::from(height) * u64::from(depth);
        if self.sky || count > MOST_ASKED {
            return whole;
        }
        let shown = |at: [i32; 3]| self.world.colour(at).is_some() && !self.cut.takes(at);
        let columns = (0..depth as i32).flat_map(|z| (0..width as i32).map(move |x| (x, z)));
        let highest = columns.filter_map(|(x, z)| {
            let y = (0..height as i32).rev().find(|y| shown([x, *y, z]))?;
            Some(2 * (y + 1) - x - z)
        });
        // Leaves room for agents on the ground.
        ((highest.max().unwrap_or(0).max(0) + 3) * self.detail).min(whole)
    }

    /// Returns whether nothing can be seen through a part of a block.
    pub(super) fn covers(&self, at: [i32; 3]) -> bool {
        let colour = self.world.part(at, self.detail);
        colour.is_some_and(|colour| colour.alpha == 255) && !self.cut.takes(self.whole(at))
    }

    /// Returns one more than the coordinates of the parts that can be seen.
    pub(super) fn limits(&self) -> [i32; 3] {
        self.world.size().map(|side| side as i32 * self.detail)
    }

    /// Returns the number of parts of a block along each axis.
    pub(super) fn detail(&self) -> i32 {
        self.detail
    }

    /// Returns the place of a part.
    fn whole(&self, at: [i32; 3]) -> [i32; 3] {
        at.map(|part| part.div_euclid(self.detail))
    }

    /// Returns the point of a place: low above the middle of its ground.
    pub(super) fn standing(&self, at: [i32; 3]) -> Vec3 {
        let lift = if self.world.is_half(at) { 0.5 } else { 0.0 };
        trail::standing(at) + Vec3::Y * lift
    }

    /// Returns whether a body at a place would stand on a block.
    fn is_ground(&self, [x, y, z]: [i32; 3]) -> bool {
        let floor = y.div_euclid(self.detail) * self.detail;
        self.covers([x, floor - 1, z]) || self.world.is_half(self.whole([x, y, z]))
    }

    /// Returns a face as the lines between faces know it: by its block, and by its plane in parts.
    fn outlined(&self, surface: Option<([i32; 3], Face)>) -> Option<([i32; 3], Face)> {
        let (at, face) = surface?;
        let plane = match face {
            Face::Right => 0,
            Face::Top => 1,
            Face::Left => 2,
        };
        let mut shown = self.whole(at).map(|part| part * self.detail);
        shown[plane] = at[plane];
        Some((shown, face))
    }

    fn cast(&self, column: i32, row: i32, theme: &Theme, marks: &Marks<'_>) -> Seen {
        let [width, height, depth] = self.world.size();
        let size = [width, height.min(self.cut.above()), depth];
        let size = size.map(|side| side * self.detail as u32);
        let mut haze = Haze { sum: [0.0; 3], left: 1.0 };
        // The contents along the ray: a translucent block, or a mark without ground.
        let (mut medium, mut mist, mut above) = (None, None, None);
        // The heat of the place before, and whether the ray is in hot air.
        let (mut heat_above, mut glows) = (0.0, false);
        let mut ghosts = 0;
        for (at, face) in Ray::new(column, row, size) {
            let whole = self.whole(at);
            let status = self.world.place(whole).and_then(marks);
            let heat = self.world.heat(whole);
            let mut next_medium = None;
            if let Some(colour) = self.world.part(at, self.detail) {
                if self.cut.takes(whole) {
                    if self.cut.leaves_ghosts(whole) && ghosts < 2 && medium != Some(Colour::CLEAR)
                    {
                        haze.add(shaded(colour, face, 1.0), 0.11);
                        ghosts += 1;
                    }
                    next_medium = Some(Colour::CLEAR);
                } else if colour.alpha == 255 {
                    let light = self.light(at, face);
                    let hot = match face {
                        Face::Top => colour.mix(theme.heat, heat_above),
                        _ => colour,
                    };
                    let ground = shaded(hot, face, light);
                    let tile = match (face, above) {
                        (Face::Top, Some(status)) => {
                            let tile = search_colour(status, theme).mix(ground, 0.12);
                            let shade = if light < 1.0 { 0.12 } else { 0.0 };
                            haze.before(tile.mix(Colour::hex(0), shade))
                        }
                        _ => Colour::CLEAR,
                    };
                    let surface = Some((at, face));
                    return Seen { colour: haze.before(ground), tile, surface };
                } else {
                    let share = f32::from(colour.alpha) / 255.0;
                    let entered = medium != Some(colour);
                    let share = if entered { share } else { share * 0.12 };
                    let bright = if entered { shaded(colour, face, 1.0) } else { colour };
                    haze.add(bright.with_alpha(255), share);
                    next_medium = Some(colour);
                }
            }
            let floats = (status.is_some() || heat > 0.0) && !self.is_ground(at);
            let next_glows = heat > 0.0 && floats;
            if next_glows {
                let share = if glows { 0.03 } else { 0.5 * heat };
                haze.add(shaded(theme.heat, face, 1.0), share);
            }
            let next_mist = status.filter(|_| floats);
            if let Some(status) = next_mist {
                let share = if mist == next_mist { 0.03 } else { 0.34 };
                haze.add(shaded(search_colour(status, theme), face, 1.0), share);
            }
            (medium, mist, above) = (next_medium, next_mist, status);
            (heat_above, glows) = (heat, next_glows);
            if haze.left < 0.02 {
                break;
            }
        }
        let colour = if haze.left < 1.0 { haze.before(theme.panel) } else { Colour::CLEAR };
        Seen { colour, tile: Colour::CLEAR, surface: None }
    }

    /// Returns the light on a face. A top lies in the shadow of blocks to its left.
    fn light(&self, [x, y, z]: [i32; 3], face: Face) -> f32 {
        if face != Face::Top {
            return 1.0;
        }
        let shadowed = (1..=SHADOW * self.detail).any(|step| {
            self.covers([x - step, y + step, z]) || self.covers([x - step, y + step + 1, z])
        });
        if shadowed { 0.8 } else { 1.0 }
    }

    fn lattice_of(&self, viewport: &Viewport) -> FacetLattice {
        let [width, _, depth] = self.world.size();
        let detail = self.detail as u32;
        let (width, depth) = (width * detail, depth * detail);
        let (left, top) = (-(depth as i32), -self.top - 2);
        // The corner is where a triangle points left, as in every lattice.
        let top = top - ((left ^ top) & 1);
        let block = (SMALLEST * self.detail as f32 / viewport.scale()).ceil().max(1.0);
        let across = |count: u32| (count as f32 / block).ceil() as u32;
        FacetLattice {
            left,
            top,
            block,
            columns: across(width + depth),
            rows: across((width + depth) + (-top) as u32 + 2),
        }
    }
}

/// The triangles of the picture in relation to those of the world.
#[derive(Clone, Copy)]
struct FacetLattice {
    left: i32,
    top: i32,
    /// The number of triangles of the world along a side of one of the picture.
    block: f32,
    columns: u32,
    rows: u32,
}

impl FacetLattice {
    /// Returns the triangle of the world in the middle of one of the picture.
    fn world(&self, column: u32, row: u32) -> (i32, i32) {
        if self.block <= 1.0 {
            return (self.left + column as i32, self.top + row as i32);
        }
        let across = if Facets::points_left(column, row) { 2.0 } else { 1.0 } / 3.0;
        let point = Vec2::new(column as f32 + across, row as f32 / 2.0) * self.block;
        let (column, row) = triangle(point);
        (self.left + column as i32, self.top + row as i32)
    }
}

/// Returns the colour of a face in sunlight from high on the left.
fn shaded(colour: Colour, face: Face, light: f32) -> Colour {
    let colour = colour.with_alpha(255);
    let shade = Colour::hex(0x14182c);
    match face {
        Face::Top if light >= 1.0 => colour.mix(Colour::hex(0xfffbea), 0.10),
        Face::Top => colour.mix(shade, 1.0 - light),
        Face::Left => colour.mix(shade, 0.20),
        Face::Right => colour.mix(shade, 0.42),
    }
}

fn search_colour(status: Status, theme: &Theme) -> Colour {
    match status {
        Status::Open => theme.voxel_open,
        Status::Closed => theme.voxel_closed,
    }
}

/// Returns the projection of a point of the world, in widths of a column.
pub(super) fn project(point: Vec3) -> Vec2 {
    Vec2::new(point.x - point.z, (point.x + point.z) / 2.0 - point.y)
}

impl Scenery for IsometricScenery<'_> {
    fn bounds(&self) -> Area {
        let [width, _, depth] = self.world.size().map(|side| side as f32);
        let min = Vec2::new(-depth, -(self.top as f32) / 2.0 / self.detail as f32);
        Area { min, max: Vec2::new(width, (width + depth) / 2.0) }
    }

    fn places(&self) -> usize {
        self.world.places()
    }

    fn place_of(&self, state: u32) -> Option<usize> {
        self.world.place(self.world.position(state)?.map(|coordinate| coordinate as i32))
    }

    fn position(&self, place: usize) -> Vec2 {
        project(self.standing(self.world.at(place)))
    }

    fn rounded_scale(&self, scale: f32) -> f32 {
        // Edges that rise by one pixel in two look best if columns are an even number of pixels
        // wide.
        let even = 2.0 * self.detail as f32;
        if scale >= 2.0 * even { ((scale / even).floor() * even).min(44.0) } else { scale }
    }

    fn place_radius(&self, viewport: &Viewport) -> f32 {
        (viewport.scale() * 0.3).clamp(3.0, 11.0)
    }

    fn search_look(&self) -> SearchLook {
        SearchLook::Plain
    }

    fn ground(&self, area: Area, theme: &Theme) -> Ground {
        let (column, row) = triangle(area.centre() * self.detail as f32);
        let seen = self.cast(column as i32, row as i32, theme, &|_| None);
        let solid = matches!(seen.surface, Some((_, Face::Left | Face::Right)));
        Ground { colour: seen.colour.over(theme.panel), solid: f32::from(u8::from(solid)) }
    }

    fn terrains_shown(&self, theme: &Theme) -> Vec<(String, Colour)> {
        let named = |block: &&BlockArt| self.explained && block.colour.alpha > 0;
        let blocks = self.world.blocks().iter().filter(named);
        let heat = self.world.is_heated().then(|| ("danger".to_owned(), theme.heat));
        blocks
            .map(|block| (block.label.clone(), block.colour.with_alpha(255)))
            .chain(heat)
            .collect()
    }

    /// Draws nothing: the world and its search are drawn as one [`Relief`].
    fn draw_base(&self, _viewport: &Viewport, _theme: &Theme, _picture: &mut Picture) {}

    fn relief(&self, viewport: &Viewport, theme: &Theme, marks: &Marks<'_>) -> Option<Relief> {
        let lattice = self.lattice_of(viewport);
        let detail = self.detail as f32;
        let corner = Vec2::new(lattice.left as f32, lattice.top as f32 / 2.0) / detail;
        let side = viewport.scale() * lattice.block / detail;
        let count = lattice.columns as usize * lattice.rows as usize;
        let mut facets = Facets {
            corner: viewport.pixel(corner),
            side,
            rows: lattice.rows,
            colours: Vec::with_capacity(count),
            tiles: Vec::with_capacity(count),
        };
        let mut outlines = Outlines::new(lattice.rows, self.detail);
        for column in 0..lattice.columns {
            for row in 0..lattice.rows {
                let (x, y) = lattice.world(column, row);
                let seen = self.cast(x, y, theme, marks);
                let (colour, tile) = painted(&seen, side);
                facets.colours.push(colour);
                facets.tiles.push(tile);
                outlines.see(self.outlined(seen.surface));
            }
        }
        let lines = if lattice.block > 1.0 { Vec::new() } else { outlines.shapes(&facets) };
        if facets.tiles.iter().all(|tile| tile.alpha == 0) {
            facets.tiles = Vec::new();
        }
        Some(Relief { facets, lines })
    }

    fn refresh(
        &self,
        place: usize,
        viewport: &Viewport,
        theme: &Theme,
        marks: &Marks<'_>,
        relief: &mut Relief,
    ) {
        let lattice = self.lattice_of(viewport);
        let facets = &mut relief.facets;
        facets.tiles.resize(facets.colours.len(), Colour::CLEAR);
        // A mark shows through the block's own triangles and on the top of the block below.
        let [x, y, z] = self.world.at(place);
        let parts = self.detail;
        let (column, row) = ((x - z) * parts - lattice.left, (x + z - 2 * y) * parts - lattice.top);
        let near = |coordinate: i32, more: i32| {
            ((coordinate + more) as f32 / lattice.block).floor().max(0.0) as u32
        };
        for column in
            near(column, -parts)..=near(column, parts).min(lattice.columns.saturating_sub(1))
        {
            for row in
                near(row, -2 * parts)..=near(row, 3 * parts).min(lattice.rows.saturating_sub(1))
            {
                let (x, y) = lattice.world(column, row);
                let seen = self.cast(x, y, theme, marks);
                let number = column as usize * lattice.rows as usize + row as usize;
                (facets.colours[number], facets.tiles[number]) = painted(&seen, facets.side);
            }
        }
    }

    fn project(&self, point: Vec3) -> Option<Vec2> {
        Some(project(point))
    }

    fn hides(&self, point: Vec3) -> bool {
        trail::is_hidden(self, point)
    }

    fn trail(&self, steps: &[(usize, Action)]) -> Option<Trail> {
        let steps: Vec<([i32; 3], Action)> =
            steps.iter().map(|(place, action)| (self.world.at(*place), *action)).collect();
        Some(trail::isometric(self, &steps))
    }
}

/// Returns the colours of a triangle and its tile. On small triangles the tile covers all.
fn painted(seen: &Seen, side: f32) -> (Colour, Colour) {
    if seen.tile.alpha > 0 && side < SMALLEST_TILED {
        (seen.tile.mix(seen.colour, 0.2), Colour::CLEAR)
    } else {
        (seen.colour, seen.tile)
    }
}

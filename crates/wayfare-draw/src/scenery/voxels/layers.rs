//! Worlds of blocks in slices, one for each layer.

use std::ops::Range;

use glam::Vec2;
use wayfare_core::space::Action;

use super::{VoxelWorld, trail};
use crate::scenery::{Band, Ground, Lattice, Leg, Scenery, SearchLook, Trail, Viewport};
use crate::{Anchor, Area, Colour, DrawError, Label, Picture, Shape, Theme, Tiles, Typeface};

/// The depth to which the ground of a layer is looked for, in blocks.
const DEPTH: u32 = 4;

/// Layers of a world of blocks seen from above, side by side: x to the right, z down.
///
/// Blocks of the layer are dark. The ground of its free places is bright, and darker with its
/// depth. Each layer shows the part of the path within it, and its dangerous places as heat: see
/// [`VoxelWorld::with_heat`].
///
/// ```
/// use wayfare_draw::{BlockArt, Colour, LayerScenery, Panel, VoxelWorld};
///
/// let stone = BlockArt::new("stone", Colour::hex(0x9a968c));
/// let is_stone = |x, y| y == 0 || x == 2 && y < 3;
/// let world =
///     VoxelWorld::new([4, 4, 4], vec![stone], |[x, y, _]| is_stone(x, y).then_some(0))?;
/// let picture = Panel::new(&LayerScenery::new(&world, 1..4)?.columns(3)).draw()?;
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
pub struct LayerScenery<'w> {
    world: &'w VoxelWorld<'w>,
    layers: Range<u32>,
    columns: u32,
}

/// Cells between the layers.
const GAP: u32 = 1;

impl<'w> LayerScenery<'w> {
    /// Returns the layers of a range of y, clipped to the world.
    ///
    /// # Errors
    /// [`DrawError::NoLayers`] if none remains.
    pub fn new(world: &'w VoxelWorld<'w>, layers: Range<u32>) -> Result<Self, DrawError> {
        let height = world.size()[1];
        let clipped = layers.start..layers.end.min(height);
        if clipped.is_empty() {
            return Err(DrawError::NoLayers { layers, height });
        }
        let count = clipped.end - clipped.start;
        let root = count.isqrt();
        let columns = root + u32::from(root * root < count);
        Ok(Self { world, layers: clipped, columns })
    }

    /// Sets the number of layers in a row. By default as many as there are rows. With 1 they stand
    /// below each other with their numbers, as in a [`terminal`](crate::terminal).
    #[must_use]
    pub fn columns(mut self, columns: u32) -> Self {
        self.columns = columns.clamp(1, self.layers.end - self.layers.start);
        self
    }

    /// Returns the cells above each layer for its title.
    fn head(&self) -> u32 {
        let [width, _, depth] = self.world.size();
        let rows = (self.layers.end - self.layers.start).div_ceil(self.columns);
        // Enough for text on a picture of some 900 pixels.
        ((width * self.columns).max(depth * rows) / 42).max(1)
    }

    /// Returns the corner of a layer in the lattice.
    fn corner(&self, layer: u32) -> [u32; 2] {
        let [width, _, depth] = self.world.size();
        let number = layer - self.layers.start;
        let (column, row) = (number % self.columns, number / self.columns);
        [column * (width + GAP), row * (depth + self.head()) + self.head()]
    }

    /// Returns the position of a place of the world in the lattice.
    fn cell(&self, at: [u32; 3]) -> Option<[u32; 2]> {
        let [x, y, z] = at;
        let [left, top] = self.layers.contains(&y).then(|| self.corner(y))?;
        Some([left + x, top + z])
    }

    /// Returns the place of the world in a cell.
    fn shown(&self, column: u32, row: u32) -> Option<[u32; 3]> {
        let [width, _, depth] = self.world.size();
        let (across, x) = (column / (width + GAP), column % (width + GAP));
        let (down, z) = (row / (depth + self.head()), row % (depth + self.head()));
        let z = z.checked_sub(self.head()).filter(|_| x < width)?;
        let y = self.layers.start + down * self.columns + across;
        (across < self.columns && y < self.layers.end).then_some([x, y, z])
    }

    fn cell_ground(&self, [x, y, z]: [u32; 3], theme: &Theme) -> Ground {
        let deep = theme.voxel_depth;
        let heat = self.world.heat([x as i32, y as i32, z as i32]);
        let at = |y: i32| self.world.colour([x as i32, y, z as i32]);
        let y = y as i32;
        match at(y) {
            Some(colour) if colour.alpha == 255 => {
                Ground { colour: colour.mix(deep, 0.62), solid: 1.0 }
            }
            Some(colour) => {
                let below = at(y - 1).unwrap_or(deep).with_alpha(255).mix(deep, 0.2);
                Ground { colour: colour.over(below).mix(theme.heat, heat), solid: 0.0 }
            }
            None => {
                let found = (1..=DEPTH as i32).find_map(|down| Some((down, at(y - down)?)));
                let colour = found.map_or(deep, |(down, colour)| {
                    let share = [0.0, 0.5, 0.68, 0.8][(down - 1) as usize % 4];
                    colour.with_alpha(255).mix(deep, share)
                });
                Ground { colour: colour.mix(theme.heat, heat), solid: 0.0 }
            }
        }
    }
}

impl Scenery for LayerScenery<'_> {
    fn bounds(&self) -> Area {
        let size = self.size();
        Area { min: Vec2::ZERO, max: Vec2::new(size[0] as f32, size[1] as f32) }
    }

    fn lattice(&self) -> Option<Lattice> {
        let [columns, rows] = self.size();
        Some(Lattice { columns, rows })
    }

    fn places(&self) -> usize {
        let [columns, rows] = self.size();
        columns as usize * rows as usize
    }

    fn place_of(&self, state: u32) -> Option<usize> {
        let [column, row] = self.cell(self.world.position(state)?)?;
        Some(row as usize * self.size()[0] as usize + column as usize)
    }

    fn position(&self, place: usize) -> Vec2 {
        let columns = self.size()[0] as usize;
        Vec2::new((place % columns) as f32, (place / columns) as f32) + 0.5
    }

    fn ground(&self, area: Area, theme: &Theme) -> Ground {
        let (min, max) = (area.min.max(Vec2::ZERO), area.max);
        let (mut sum, mut solid, mut count) = ([0.0f32; 3], 0.0, 0.0);
        let [columns, rows] = self.size();
        for row in min.y as u32..(max.y.ceil() as u32).min(rows) {
            for column in min.x as u32..(max.x.ceil() as u32).min(columns) {
                let gap = Ground { colour: theme.panel, solid: 0.0 };
                let ground = self.shown(column, row).map_or(gap, |at| self.cell_ground(at, theme));
                let Colour { red, green, blue, .. } = ground.colour;
                for (sum, channel) in sum.iter_mut().zip([red, green, blue]) {
                    *sum += f32::from(channel);
                }
                (solid, count) = (solid + ground.solid, count + 1.0);
            }
        }
        let count = if count > 0.0 { count } else { 1.0 };
        let [red, green, blue] = sum.map(|sum| (sum / count).round() as u8);
        Ground { colour: Colour { red, green, blue, alpha: 255 }, solid: solid / count }
    }

    fn has_terrains(&self) -> bool {
        true
    }

    fn terrains_shown(&self, theme: &Theme) -> Vec<(String, Colour)> {
        self.world.is_heated().then(|| ("danger".to_owned(), theme.heat)).into_iter().collect()
    }

    fn is_ruled(&self) -> bool {
        false
    }

    fn search_look(&self) -> SearchLook {
        SearchLook::Plain
    }

    fn draw_base(&self, viewport: &Viewport, theme: &Theme, picture: &mut Picture) {
        let [columns, rows] = viewport.tiles();
        let block = viewport.block() as f32;
        let tile = |column: u32, row: u32| {
            let min = Vec2::new(column as f32, row as f32) * block;
            self.ground(Area { min, max: min + block }, theme).colour
        };
        let colours =
            (0..rows).flat_map(|row| (0..columns).map(move |column| tile(column, row))).collect();
        let (corner, side) = (viewport.area().min, viewport.tile());
        picture.push(Shape::Tiles(Tiles { corner, side, columns, inset: 0, colours }));
    }

    fn draw_names(&self, viewport: &Viewport, theme: &Theme, picture: &mut Picture) {
        let room = self.head() as f32 * viewport.scale();
        let size = (room * 0.62).clamp(7.0, 14.0);
        for layer in self.layers.clone() {
            let [left, top] = self.corner(layer).map(|corner| corner as f32);
            let at = viewport.pixel(Vec2::new(left, top)) - Vec2::new(0.0, size * 0.4);
            picture.push(Shape::Text(Label {
                text: format!("y = {layer}"),
                at,
                anchor: Anchor::Start,
                size,
                face: Typeface::Sans,
                colour: theme.text_muted,
            }));
        }
    }

    fn trail(&self, steps: &[(usize, Action)]) -> Option<Trail> {
        let [columns, _] = self.size();
        let places: Vec<([i32; 3], Action)> = steps
            .iter()
            .filter_map(|(place, action)| {
                let (column, row) = (*place as u32 % columns, *place as u32 / columns);
                Some((self.shown(column, row)?.map(|coordinate| coordinate as i32), *action))
            })
            .collect();
        let point = |at: [i32; 3]| {
            self.cell(at.map(|coordinate| coordinate as u32))
                .map(|cell| Vec2::new(cell[0] as f32, cell[1] as f32) + 0.5)
        };
        let mut built = Trail::default();
        let runs = places.chunk_by(|(one, _), (two, _)| {
            one[1] == two[1] && (one[0] - two[0]).abs().max((one[2] - two[2]).abs()) <= REACH
        });
        for run in runs {
            let mut points: Vec<Vec2> = run.iter().filter_map(|(at, _)| point(*at)).collect();
            if let [only] = points[..] {
                // A place alone is a dot.
                points.push(only + Vec2::new(0.01, 0.0));
            }
            built.legs.push(Leg { points, hidden: false });
        }
        // A change of layers is marked at its end.
        for pair in places.windows(2) {
            if let ([from, to], Some(at)) = ([pair[0].0, pair[1].0], point(pair[1].0))
                && from[1] != to[1]
                && pair[1].1 != Action::Walk
            {
                built.signs.push((at, pair[1].1));
            }
        }
        let level: Vec<_> = places.iter().map(|(at, action)| (*at, *action)).collect();
        for run in level.chunk_by(|one, two| one.0[1] == two.0[1]) {
            built.signs.extend(trail::signs(run, point));
        }
        Some(built)
    }

    fn bands(&self) -> Vec<Band> {
        if self.columns > 1 {
            return Vec::new();
        }
        let depth = self.world.size()[2];
        let band = |layer: u32| {
            let top = self.corner(layer)[1];
            Band { title: format!("y = {layer}"), rows: top..top + depth }
        };
        self.layers.clone().map(band).collect()
    }
}

/// The longest move within a layer, in cells: a jump across a wide gap.
const REACH: i32 = 9;

impl LayerScenery<'_> {
    fn size(&self) -> [u32; 2] {
        let [width, _, depth] = self.world.size();
        let rows = (self.layers.end - self.layers.start).div_ceil(self.columns);
        [self.columns * (width + GAP) - GAP, rows * (depth + self.head())]
    }
}

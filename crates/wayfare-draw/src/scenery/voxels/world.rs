//! Worlds of blocks as pictures see them.

use crate::{Colour, DrawError, Theme};

/// The look of the blocks of one kind. Air has none.
///
/// ```
/// use wayfare_draw::{BlockArt, Colour, VoxelWorld};
///
/// let water = BlockArt::new("water", Colour::hex(0x5aa6cf).with_alpha(165));
/// let pond = VoxelWorld::new([3, 1, 3], vec![water], |_| Some(0))?;
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockArt {
    /// Its name.
    pub label: String,
    /// Its colour. With an alpha below 255 it is translucent, like water.
    pub colour: Colour,
    /// Whether it fills only the lower half of its place.
    is_half: bool,
}

impl BlockArt {
    /// Returns a kind of block.
    #[must_use]
    pub fn new(label: impl Into<String>, colour: Colour) -> Self {
        Self { label: label.into(), colour, is_half: false }
    }

    /// Returns the same block, half as high: a slab.
    ///
    /// ```
    /// use wayfare_draw::{BlockArt, Colour};
    /// let slab = BlockArt::new("slab", Colour::hex(0x9a968c)).half();
    /// assert_eq!(slab.label, "slab");
    /// ```
    #[must_use]
    pub fn half(self) -> Self {
        Self { is_half: true, ..self }
    }

    /// Returns a kind of block in the colour of its English name, or in its `own` colour if the
    /// name is unknown. Water and doors are translucent.
    #[must_use]
    pub fn themed(label: impl Into<String>, own: Colour, theme: &Theme) -> Self {
        let label = label.into();
        let colour = theme.block(&label).unwrap_or(own);
        Self { label, colour, is_half: false }
    }
}

type BlockMap<'a> = Box<dyn Fn([u32; 3]) -> Option<u16> + 'a>;
type StateMap<'a> = Box<dyn Fn(u32) -> Option<[u32; 3]> + 'a>;
type HeatMap<'a> = Box<dyn Fn([u32; 3]) -> f32 + 'a>;

/// The share of the heat's colour at full heat: the blocks stay recognisable.
const FULL_HEAT: f32 = 0.66;

/// The number of shades of heat: few colours for a GIF.
const SHADES: f32 = 16.0;

/// A world of blocks: its size, its blocks, and the places of the states of searches. Shown by
/// [`IsometricScenery`] and [`LayerScenery`].
///
/// Only visible blocks are read, at the time of drawing, so the world may be as large as its
/// source.
///
/// ```
/// use wayfare_draw::{BlockArt, Colour, VoxelWorld};
///
/// let grass = BlockArt::new("grass", Colour::hex(0x6f9e4f));
/// let world = VoxelWorld::new([8, 4, 8], vec![grass], |[_, y, _]| (y == 0).then_some(0))?;
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
///
/// [`IsometricScenery`]: crate::IsometricScenery
/// [`LayerScenery`]: crate::LayerScenery
pub struct VoxelWorld<'a> {
    size: [u32; 3],
    blocks: Vec<BlockArt>,
    block_at: BlockMap<'a>,
    states: Option<StateMap<'a>>,
    heat: Option<HeatMap<'a>>,
}

/// The largest number of blocks: the number of state ids.
const MOST_BLOCKS: u64 = 1 << 31;

/// Places are indexed through cubes of this side, so that neighbours have similar indices.
const CUBE: u32 = 8;

impl<'a> VoxelWorld<'a> {
    /// Returns a world of `size` blocks along x, y (up) and z. `block_at` returns the index in
    /// `blocks` of the block at x, y and z within the world; `None` and an unknown index are air.
    /// States of searches are numbered along x first, then z, then y, unless `with_states` says
    /// otherwise.
    ///
    /// # Errors
    /// [`DrawError::VoxelSize`] if a side is 0 or there are more than 2³¹ blocks.
    pub fn new(
        size: [u32; 3],
        blocks: Vec<BlockArt>,
        block_at: impl Fn([u32; 3]) -> Option<u16> + 'a,
    ) -> Result<Self, DrawError> {
        // Sides are rounded up to whole cubes, and their product is checked without overflow.
        let cubes = size.map(|side| u64::from(side.div_ceil(CUBE)) * u64::from(CUBE));
        let count = cubes[0].saturating_mul(cubes[1]).saturating_mul(cubes[2]);
        if count == 0 || count > MOST_BLOCKS {
            return Err(DrawError::VoxelSize { size });
        }
        Ok(Self { size, blocks, block_at: Box::new(block_at), states: None, heat: None })
    }

    /// Sets the x, y and z of each state of a search. Needed if states are not numbered along x, z
    /// and y.
    #[must_use]
    pub fn with_states(mut self, coordinates: impl Fn(u32) -> Option<[u32; 3]> + 'a) -> Self {
        self.states = Some(Box::new(coordinates));
        self
    }

    /// Shows danger as heat: on the ground of dangerous places, and as a haze where they have no
    /// ground. `heat` returns the heat of the place at x, y and z, from 0 (none) to 1 (full).
    ///
    /// ```
    /// use wayfare_draw::{BlockArt, Colour, IsometricScenery, Panel, VoxelWorld};
    ///
    /// let grass = BlockArt::new("grass", Colour::hex(0x6f9e4f));
    /// let meadow = |[_, y, _]: [u32; 3]| (y == 0).then_some(0);
    /// let world = VoxelWorld::new([8, 4, 8], vec![grass], meadow)?
    ///     .with_heat(|[x, _, _]| x as f32 / 8.0);
    /// let picture = Panel::new(&IsometricScenery::new(&world)).draw()?;
    /// # Ok::<(), wayfare_draw::DrawError>(())
    /// ```
    #[must_use]
    pub fn with_heat(mut self, heat: impl Fn([u32; 3]) -> f32 + 'a) -> Self {
        self.heat = Some(Box::new(heat));
        self
    }

    /// Returns whether heat is shown.
    pub(super) fn is_heated(&self) -> bool {
        self.heat.is_some()
    }

    /// Returns the share of the heat's colour at a place: 0 without heat and outside of the world.
    pub(super) fn heat(&self, at: [i32; 3]) -> f32 {
        let Some(heat) = &self.heat else { return 0.0 };
        let heat = self.inside(at).map_or(0.0, heat);
        // NaN is none.
        if heat > 0.0 { (heat.min(1.0) * SHADES).ceil() / SHADES * FULL_HEAT } else { 0.0 }
    }

    /// Returns the blocks along x, y and z.
    #[must_use]
    pub fn size(&self) -> [u32; 3] {
        self.size
    }

    /// Returns the looks of the blocks.
    #[must_use]
    pub fn blocks(&self) -> &[BlockArt] {
        &self.blocks
    }

    /// Returns the colour of the block at a place; `None` for air and outside of the world.
    #[must_use]
    pub fn colour(&self, at: [i32; 3]) -> Option<Colour> {
        Some(self.art(at)?.colour)
    }

    fn art(&self, at: [i32; 3]) -> Option<&BlockArt> {
        let block = (self.block_at)(self.inside(at)?)?;
        self.blocks.get(usize::from(block))
    }

    /// Returns whether the block at a place is half as high as others.
    pub(super) fn is_half(&self, at: [i32; 3]) -> bool {
        self.has_halves() && self.art(at).is_some_and(|art| art.is_half)
    }

    /// Returns whether some kind of block is half as high as others.
    pub(super) fn has_halves(&self) -> bool {
        self.blocks.iter().any(|art| art.is_half)
    }

    /// Returns the colour at a part of a block: places are counted in `detail` parts of a block
    /// along each axis, 1 or 2. The upper parts of half blocks are air.
    pub(super) fn part(&self, at: [i32; 3], detail: i32) -> Option<Colour> {
        let art = self.art(at.map(|part| part.div_euclid(detail)))?;
        let is_upper = 2 * at[1].rem_euclid(detail) >= detail;
        (!(art.is_half && is_upper)).then_some(art.colour)
    }

    /// Returns the place of a state.
    #[must_use]
    pub fn position(&self, state: u32) -> Option<[u32; 3]> {
        let at = match &self.states {
            Some(states) => states(state)?,
            None => {
                let [width, _, depth] = self.size;
                [state % width, state / width / depth, state / width % depth]
            }
        };
        (0..3).all(|axis| at[axis] < self.size[axis]).then_some(at)
    }

    fn inside(&self, at: [i32; 3]) -> Option<[u32; 3]> {
        // A negative coordinate becomes a huge one.
        let at = at.map(|coordinate| coordinate as u32);
        (0..3).all(|axis| at[axis] < self.size[axis]).then_some(at)
    }

    fn cubes(&self) -> [usize; 3] {
        self.size.map(|side| side.div_ceil(CUBE) as usize)
    }

    /// Returns one more than the largest index of a place.
    #[doc(hidden)]
    pub fn places(&self) -> usize {
        self.cubes().iter().product::<usize>() * (CUBE * CUBE * CUBE) as usize
    }

    /// Returns the index of a place within the world.
    #[doc(hidden)]
    pub fn place(&self, at: [i32; 3]) -> Option<usize> {
        let at = self.inside(at)?.map(|coordinate| coordinate as usize);
        let [wide, high, _] = self.cubes();
        let side = CUBE as usize;
        let [x, y, z] = at.map(|coordinate| coordinate / side);
        let [u, v, w] = at.map(|coordinate| coordinate % side);
        Some((((z * wide + x) * high + y) * side + w) * side * side + u * side + v)
    }

    /// Returns the place with an index; possibly outside of the world, in the rest of a cube.
    #[doc(hidden)]
    pub fn at(&self, place: usize) -> [i32; 3] {
        let [wide, high, _] = self.cubes();
        let side = CUBE as usize;
        let (local, cube) = (place % (side * side * side), place / (side * side * side));
        let [v, u, w] = [local % side, local / side % side, local / side / side];
        let [y, x, z] = [cube % high, cube / high % wide, cube / high / wide];
        [x * side + u, y * side + v, z * side + w].map(|coordinate| coordinate as i32)
    }
}

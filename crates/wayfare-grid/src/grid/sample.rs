//! Grids sampled from geometry: for each cell whether it is free, its terrain and its height.

use glam::Vec3;
use wayfare_core::plane::Rectangle;
use wayfare_core::space::TerrainId;

use super::{Cell, Frame, Grid, GridError, GridProfile, MAX_SIDE};
use crate::geometry::Obstacles;

/// The factor on the size of a body in overlap tests. Walls along the grid touch the edges of
/// cells, and must not block them.
const SNUG: f32 = 0.999;

/// The shape of the space that an agent needs above a cell.
///
/// ```
/// use glam::Vec2;
/// use wayfare::space::{GridSampling, SampledBody, waypoint::Rectangle};
/// // Steps over what is lower than 0.3, walks under what is higher than 1.8.
/// let body = SampledBody::Box { from: 0.3, to: 1.8 };
/// let area = Rectangle::new(Vec2::ZERO, Vec2::splat(10.0));
/// assert_eq!(GridSampling::new(area, 0.5).with_body(body).body, body);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SampledBody {
    /// A ball of the node radius with its middle that high above the ground. A middle higher than
    /// the radius steps over what is lower than the difference.
    Ball {
        /// The height of the middle above the ground, in world units.
        lift: f32,
    },
    /// A box as wide as a cell.
    Box {
        /// The height of its lower side above the ground in world units: lower obstacles can be
        /// stepped over.
        from: f32,
        /// The height of its upper side above the ground in world units, above `from`: higher
        /// obstacles can be walked under.
        to: f32,
    },
}

/// How a grid is sampled from geometry.
///
/// ```
/// use glam::Vec2;
/// use wayfare::geometry::Obstacles;
/// use wayfare::prelude::*;
/// use wayfare::space::{GridProfile, GridSampling, waypoint::Rectangle};
/// let area = Rectangle::new(Vec2::ZERO, Vec2::new(4.0, 3.0));
/// let sampling = GridSampling::new(area, 0.5).with_max_slope(1.0);
/// let grid = Grid::sampled(&Obstacles::default(), &sampling, GridProfile::default())?;
/// assert_eq!((grid.width(), grid.height()), (4, 3));
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GridSampling {
    /// The part of the world to cover. The grid begins at its least corner; at the other end it may
    /// stand over by less than a cell.
    pub area: Rectangle,
    /// Half the side of a cell in world units, above 0. Raising it makes fewer and larger cells,
    /// and keeps agents farther from obstacles.
    pub node_radius: f32,
    /// The volume that must be free of obstacles for a cell to be walkable. Default: a ball that
    /// rests on the ground.
    pub body: SampledBody,
    /// The height of the ground in world units where the geometry has no surfaces at all. Default
    /// 0. Where it has some, cells without a surface below them are blocked.
    pub ground: f32,
    /// The steepest slope that can be walked on as rise over run, above 0: 1 is 45°, the default.
    /// Raising it opens steeper ground; `None` opens any.
    ///
    /// A cell is blocked if the ground rises or falls more steeply than that, and by more than a
    /// step, to the middle of any of the four cells beside it. So both sides of a cliff are.
    pub max_slope: Option<f32>,
    /// The height of a step that can be taken however steep it is, in world units, 0 or more.
    /// Raising it opens stairs and kerbs. Default `None`: what the [body](Self::body) steps over.
    pub max_step: Option<f32>,
}

impl GridSampling {
    /// Cells of twice that radius over the area, for agents of that radius.
    #[must_use]
    pub fn new(area: Rectangle, node_radius: f32) -> Self {
        let body = SampledBody::Ball { lift: node_radius };
        Self { area, node_radius, body, ground: 0.0, max_slope: Some(1.0), max_step: None }
    }

    /// Returns the same sampling for agents of another shape.
    #[must_use]
    pub fn with_body(self, body: SampledBody) -> Self {
        Self { body, ..self }
    }

    /// Returns the same sampling with steeper slopes blocked.
    #[must_use]
    pub fn with_max_slope(self, max_slope: f32) -> Self {
        Self { max_slope: Some(max_slope), ..self }
    }

    /// Returns the same sampling with steps of that height.
    #[must_use]
    pub fn with_max_step(self, max_step: f32) -> Self {
        Self { max_step: Some(max_step), ..self }
    }

    /// Returns the largest rise or fall between neighbouring cells; infinity if there is no limit.
    fn most_rise(&self, cell_size: f32) -> f32 {
        let stepped_over = match self.body {
            SampledBody::Ball { lift } => lift - self.node_radius,
            SampledBody::Box { from, .. } => from,
        };
        let step = self.max_step.unwrap_or(stepped_over);
        self.max_slope.map_or(f32::INFINITY, |slope| (slope * cell_size).max(step))
    }

    fn check(&self) -> Result<(), GridError> {
        let (min, max) = (self.area.min, self.area.max);
        let is_positive = |value: f32| value.is_finite() && value > 0.0;
        if let Some(step) = self.max_step.filter(|step| !(step.is_finite() && *step >= 0.0)) {
            let range = "a finite number, zero or more";
            return Err(GridError::OutOfRange { field: "highest step", value: step, range });
        }
        let body_parts = match self.body {
            SampledBody::Ball { lift } => [("body's lift", lift), ("body's lift", lift)],
            SampledBody::Box { from, to } => {
                [("body's lower side", from), ("body's upper side", to)]
            }
        };
        check_finite(rectangle_parts(self.area))?;
        check_finite([("ground", self.ground)].into_iter().chain(body_parts))?;
        let mut extents = vec![
            ("area's extent along x", max.x - min.x),
            ("area's extent along z", max.y - min.y),
            ("node radius", self.node_radius),
        ];
        extents.extend(self.max_slope.map(|slope| ("steepest slope", slope)));
        if let SampledBody::Box { from, to } = self.body {
            extents.push(("body's height", to - from));
        }
        match extents.into_iter().find(|(_, value)| !is_positive(*value)) {
            Some((field, value)) => {
                Err(GridError::OutOfRange { field, value, range: "a finite number above zero" })
            }
            None => Ok(()),
        }
    }

    /// Returns whether an agent's body on that ground is clear of all that blocks.
    fn is_clear(&self, obstacles: &Obstacles, ground: Vec3, radius: f32) -> bool {
        let radius = radius * SNUG;
        match self.body {
            SampledBody::Ball { lift } => {
                !obstacles.overlaps_sphere(ground + Vec3::Y * lift, radius)
            }
            SampledBody::Box { from, to } => {
                let middle = ground + Vec3::Y * f32::midpoint(from, to);
                let half_height = (to - from) / 2.0 * SNUG;
                !obstacles.overlaps_box(middle, Vec3::new(radius, half_height, radius))
            }
        }
    }
}

fn rectangle_parts(rectangle: Rectangle) -> [(&'static str, f32); 4] {
    let Rectangle { min, max } = rectangle;
    [("least x", min.x), ("least z", min.y), ("greatest x", max.x), ("greatest z", max.y)]
}

fn check_finite(numbers: impl IntoIterator<Item = (&'static str, f32)>) -> Result<(), GridError> {
    match numbers.into_iter().find(|(_, value)| !value.is_finite()) {
        Some((field, value)) => Err(GridError::OutOfRange { field, value, range: "finite" }),
        None => Ok(()),
    }
}

/// Columns and rows of cells; the ends do not belong to them.
#[derive(Clone, Copy)]
struct Block {
    x: (u32, u32),
    y: (u32, u32),
}

impl Block {
    fn grown(self, (width, height): (u32, u32)) -> Self {
        let grow = |(first, end): (u32, u32), bound: u32| {
            (first.saturating_sub(1), end.saturating_add(1).min(bound))
        };
        Self { x: grow(self.x, width), y: grow(self.y, height) }
    }

    fn places(self) -> impl Iterator<Item = (u32, u32)> {
        (self.y.0..self.y.1).flat_map(move |y| (self.x.0..self.x.1).map(move |x| (x, y)))
    }

    /// Returns the number of a place in the order of [`Block::places`], if it belongs to the block.
    fn number(self, x: u32, y: u32) -> Option<usize> {
        let inside = (self.x.0..self.x.1).contains(&x) && (self.y.0..self.y.1).contains(&y);
        let width = (self.x.1 - self.x.0) as usize;
        inside.then(|| (y - self.y.0) as usize * width + (x - self.x.0) as usize)
    }
}

/// The sample of one cell.
struct Sample {
    terrain: TerrainId,
    /// The height above the frame; zero without ground.
    height: f32,
}

/// Samples every cell of a block.
fn sample(
    obstacles: &Obstacles,
    sampling: &GridSampling,
    frame: Frame,
    size: (u32, u32),
    block: Block,
) -> Vec<Sample> {
    // The slope at the border of the block is towards cells beyond it.
    let around = if sampling.max_slope.is_some() { block.grown(size) } else { block };
    let surfaces = obstacles.surface_heights();
    let ground: Vec<Option<(Vec3, TerrainId)>> = around
        .places()
        .map(|(x, y)| {
            let middle = frame.centre(x, y);
            let Some(heights) = surfaces else { return Some((middle, TerrainId::GROUND)) };
            let hit = obstacles.ray_down(middle.x, middle.z, heights.highest, heights.lowest)?;
            Some((Vec3::new(middle.x, hit.y, middle.z), TerrainId(hit.layer.0)))
        })
        .collect();
    let most_rise = sampling.most_rise(frame.cell_size);
    let at = |x: u32, y: u32| around.number(x, y).and_then(|number| ground[number]);
    let is_steep = |x: u32, y: u32, height: f32| {
        let beside = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
        let mut beside = beside.into_iter().filter_map(|(x, y)| at(x, y));
        beside.any(|(other, _)| (other.y - height).abs() > most_rise)
    };
    let samples = block.places().map(|(x, y)| {
        let Some((point, terrain)) = at(x, y) else {
            return Sample { terrain: TerrainId::BLOCKED, height: 0.0 };
        };
        let is_walkable =
            !is_steep(x, y, point.y) && sampling.is_clear(obstacles, point, frame.cell_size / 2.0);
        let terrain = if is_walkable { terrain } else { TerrainId::BLOCKED };
        Sample { terrain, height: point.y - frame.origin.y }
    });
    samples.collect()
}

impl Grid {
    /// Returns a grid over level geometry: cells where an agent's body touches nothing and stands
    /// on something are walkable.
    ///
    /// A ray down through the middle of each cell finds the highest surface: its height becomes the
    /// cell's, and its layer the cell's terrain of the same number. Ground that is too steep for
    /// the agent is blocked ([`GridSampling::max_slope`]). The grid's positions and lengths follow
    /// the ground; its costs are those of level ground, plus [`GridProfile::slope_cost`]. A cell
    /// has one height, so of a bridge and the road below it the grid holds the bridge.
    ///
    /// Takes O(cells × log obstacles).
    ///
    /// ```
    /// use glam::{Vec2, Vec3, Vec3Swizzles};
    /// use wayfare::geometry::{Obstacle, Obstacles};
    /// use wayfare::prelude::*;
    /// use wayfare::search::Query;
    /// use wayfare::space::{GridSampling, waypoint::Rectangle};
    ///
    /// let wall = Obstacle::cuboid(Vec3::new(5.0, 1.0, 4.0), Vec3::new(0.5, 1.0, 4.0));
    /// let mut obstacles = Obstacles::new([wall])?;
    /// let sampling = GridSampling::new(Rectangle::new(Vec2::ZERO, Vec2::new(10.0, 10.0)), 0.5);
    /// let mut grid = Grid::sampled(&obstacles, &sampling, GridProfile::default())?;
    /// let (a, b) = (Vec3::new(1.0, 0.0, 1.0), Vec3::new(9.0, 0.0, 1.0));
    /// let query = Query::new(grid.nearest_cell(a), grid.nearest_cell(b));
    /// let around = solve(&grid.space(), &AStar::new(), query.clone()).outcome.into_path();
    ///
    /// // The wall goes: sample anew where it was.
    /// let id = obstacles.iter().next().unwrap().id;
    /// let bounds = obstacles.bounds(id).unwrap();
    /// obstacles.remove(id);
    /// grid.resample(&obstacles, &sampling, Rectangle::new(bounds.min.xz(), bounds.max.xz()))?;
    /// let across = solve(&grid.space(), &AStar::new(), query).outcome.into_path();
    /// assert!(across.cost() < around.cost());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When a number of the sampling is not finite or out of range, the area holds more than
    /// [`MAX_SIDE`] cells along a side, or the profile has an impossible value.
    pub fn sampled(
        obstacles: &Obstacles,
        sampling: &GridSampling,
        profile: GridProfile,
    ) -> Result<Self, GridError> {
        sampling.check()?;
        let cell_size = sampling.node_radius * 2.0;
        let extent = sampling.area.max - sampling.area.min;
        // An extent that is a multiple of the cell up to rounding needs no further cell.
        let cells =
            |extent: f32| (f64::from(extent) / f64::from(cell_size) - 1e-2).ceil().max(1.0) as u64;
        let too_large = GridError::Size { width: cells(extent.x), height: cells(extent.y) };
        let side = |cells: u64| u32::try_from(cells).ok().filter(|&cells| cells <= MAX_SIDE);
        let (Some(width), Some(height)) = (side(cells(extent.x)), side(cells(extent.y))) else {
            return Err(too_large);
        };
        let origin = Vec3::new(sampling.area.min.x, sampling.ground, sampling.area.min.y);
        let frame = Frame { origin, cell_size };
        let block = Block { x: (0, width), y: (0, height) };
        let samples = sample(obstacles, sampling, frame, (width, height), block);
        let terrain: Vec<TerrainId> = samples.iter().map(|sample| sample.terrain).collect();
        let mut grid = Self::new(width, height, &terrain, profile)?;
        grid.set_heights(block, &samples);
        grid.with_frame(frame)
    }

    /// Samples part of a grid again after the geometry there changed: an obstacle came, went or
    /// moved. Returns the number of changed cells. The next revision, unless it is zero.
    ///
    /// `region` is where the geometry changed: for an obstacle that moved, where it was and where
    /// it is now. Cells are looked at as far around it as an agent's body and the slope reach; all
    /// others stay as they are. The area and the node radius of `sampling` are ignored. Takes
    /// O(cells looked at × log obstacles), plus the time of [`Grid::set_terrains`] for the changed
    /// cells.
    ///
    /// # Errors
    /// When a number of the sampling or of the region is not finite or out of range. A region
    /// beside the map holds no cells.
    pub fn resample(
        &mut self,
        obstacles: &Obstacles,
        sampling: &GridSampling,
        region: Rectangle,
    ) -> Result<usize, GridError> {
        sampling.check()?;
        check_finite(rectangle_parts(region))?;
        let size = (self.width(), self.height());
        let to_cells =
            |x: f32, z: f32| -> (f64, f64) { self.frame.to_cells(Vec3::new(x, 0.0, z)).into() };
        let (low, high) =
            (to_cells(region.min.x, region.min.y), to_cells(region.max.x, region.max.y));
        // A body reaches half a cell beyond the middle of its own, which is the edge of it.
        let range = |low: f64, high: f64, bound: u32| {
            let end = if high < 0.0 { 0 } else { (high.floor() as u32).saturating_add(1) };
            let first = low.max(0.0).floor() as u32;
            (first.min(bound), end.clamp(first.min(bound), bound))
        };
        let mut block = Block { x: range(low.0, high.0, size.0), y: range(low.1, high.1, size.1) };
        if block.places().next().is_none() {
            return Ok(0);
        }
        if sampling.max_slope.is_some() {
            block = block.grown(size);
        }
        let samples = sample(obstacles, sampling, self.frame, size, block);
        let cells: Vec<Cell> = block.places().map(|(x, y)| self.layout.cell(x, y)).collect();
        let changed = cells.iter().zip(&samples).filter(|(cell, sample)| {
            self.terrain(**cell) != sample.terrain || self.height_of(**cell) != sample.height
        });
        let changed = changed.count();
        if changed > 0 {
            // What is derived from the terrain brings its own revision.
            let before = self.revision;
            self.set_heights(block, &samples);
            let terrains = samples.iter().map(|sample| sample.terrain);
            self.set_terrains(cells.iter().copied().zip(terrains));
            self.revision = before.next();
            self.refresh_slopes();
            self.note_edit(cells.into_iter(), self.reach());
        }
        Ok(changed)
    }

    fn set_heights(&mut self, block: Block, samples: &[Sample]) {
        if self.heights.is_empty() {
            if samples.iter().all(|sample| sample.height == 0.0) {
                return;
            }
            self.heights = vec![0.0; self.layout.bound()];
        }
        for ((x, y), sample) in block.places().zip(samples) {
            let cell = self.layout.cell(x, y);
            self.heights[cell.0 as usize] = sample.height;
        }
    }
}

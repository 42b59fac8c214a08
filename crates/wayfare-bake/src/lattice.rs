//! The lattice of cells over a level, and windows of it.

use glam::{DVec3, Vec3};

use crate::{BakeError, BakeSettings, LevelGeometry};

/// Most cells along x or z.
const MOST_IN_PLAN: u32 = 1 << 20;
/// Most cells along y: heights are numbers of 16 bits, and the largest stands for "open above".
const MOST_IN_HEIGHT: u32 = u16::MAX as u32 - 1;

/// A corner of the lattice: cell `(x, z)` lies between the corners `(x, z)` and `(x + 1, z + 1)`.
///
/// ```
/// use wayfare_bake::LatticePoint;
///
/// let point = LatticePoint { x: 3, y: 0, z: 4 };
/// assert_eq!(point.turn(LatticePoint { z: 5, ..point }, LatticePoint { x: 4, ..point }), 1);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LatticePoint {
    /// Along x, in cells from the lattice's origin.
    pub x: i32,
    /// Upwards, in units of the cell height from the lattice's origin.
    pub y: i32,
    /// Along z, in cells from the lattice's origin.
    pub z: i32,
}

impl LatticePoint {
    /// Twice the area in plan of the triangle `self`, `b`, `c`, in cells: above 0 if the corners
    /// run counter-clockwise seen from above, 0 if they lie on a line. Exact: coordinates are
    /// whole numbers below 2²¹ in amount, so the products fit.
    #[must_use]
    pub fn turn(self, b: LatticePoint, c: LatticePoint) -> i64 {
        let (bz, bx) = (i64::from(b.z - self.z), i64::from(b.x - self.x));
        let (cz, cx) = (i64::from(c.z - self.z), i64::from(c.x - self.x));
        bz * cx - bx * cz
    }

    /// Returns the position in plan, for comparisons that ignore height.
    #[must_use]
    pub fn plan(self) -> [i32; 2] {
        [self.x, self.z]
    }
}

/// The cells that a level is cut into. All stages number cells by it, all tiles alike.
///
/// ```
/// use wayfare_bake::{BakeSettings, Lattice, LevelGeometry, WalkerShape};
///
/// let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [8.0, 0.0, 4.0]];
/// let level = LevelGeometry::new(corners.map(Into::into).to_vec(), vec![[0, 1, 2]])?;
/// let lattice = Lattice::new(&level, &BakeSettings::new(WalkerShape::default()))?;
/// assert_eq!((lattice.width(), lattice.depth()), (40, 20));
/// # Ok::<(), wayfare_bake::BakeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lattice {
    origin: DVec3,
    cell_size: f64,
    cell_height: f64,
    width: u32,
    depth: u32,
    height: u32,
}

impl Lattice {
    /// Returns the lattice over all triangles of a level.
    ///
    /// # Errors
    /// [`BakeError::NoTriangles`], [`BakeError::Setting`], or [`BakeError::TooLarge`] if an axis
    /// has more than 2²⁰ cells in plan, or 65,534 in height.
    pub fn new(level: &LevelGeometry, settings: &BakeSettings) -> Result<Self, BakeError> {
        settings.check()?;
        Self::over(level.bounds().ok_or(BakeError::NoTriangles)?, settings)
    }

    /// Returns the lattice over a box, given by its lowest and its highest corner in metres: of a
    /// level that is not there yet, or that will grow. Cells without triangles cost nothing in
    /// tiles.
    ///
    /// ```
    /// use wayfare_bake::{BakeSettings, Lattice, WalkerShape};
    ///
    /// let settings = BakeSettings::new(WalkerShape::default());
    /// let bounds = [[-500.0, -20.0, -500.0].into(), [500.0, 80.0, 500.0].into()];
    /// assert_eq!(Lattice::over(bounds, &settings)?.width(), 5000);
    /// # Ok::<(), wayfare_bake::BakeError>(())
    /// ```
    ///
    /// # Errors
    /// [`BakeError::Bounds`] if a coordinate is not finite or the corners are the other way round;
    /// [`BakeError::Setting`] and [`BakeError::TooLarge`] as [`new`](Self::new).
    pub fn over([min, max]: [Vec3; 2], settings: &BakeSettings) -> Result<Self, BakeError> {
        settings.check()?;
        if !min.is_finite() || !max.is_finite() || !min.cmple(max).all() {
            return Err(BakeError::Bounds { min: min.to_string(), max: max.to_string() });
        }
        let origin = min.as_dvec3();
        let size = max.as_dvec3() - origin;
        let (cell_size, cell_height) =
            (f64::from(settings.cell_size), f64::from(settings.cell_height));
        let count = |axis, length: f64, cell: f64, limit: u32, setting| {
            // A ten-thousandth of a cell beyond the last one is rounding of the quotient.
            let cells = (length / cell - 1e-4).ceil().max(1.0);
            if cells <= f64::from(limit) {
                Ok(cells as u32)
            } else {
                let least = length / f64::from(limit);
                Err(BakeError::TooLarge { axis, cells, limit, setting, least })
            }
        };
        Ok(Self {
            origin,
            cell_size,
            cell_height,
            width: count("x", size.x, cell_size, MOST_IN_PLAN, "cell size")?,
            depth: count("z", size.z, cell_size, MOST_IN_PLAN, "cell size")?,
            height: count("y", size.y, cell_height, MOST_IN_HEIGHT, "cell height")?,
        })
    }

    /// Refuses boxes that reach beyond the lattice.
    pub(crate) fn check_holds(&self, [min, max]: [Vec3; 2]) -> Result<(), BakeError> {
        let cell = DVec3::new(self.cell_size, self.cell_height, self.cell_size);
        let cells = DVec3::new(self.width.into(), self.height.into(), self.depth.into());
        let [low, high] = [min, max].map(|at| (at.as_dvec3() - self.origin) / cell);
        // The same rounding as for the number of cells.
        let is_beyond = low.cmplt(DVec3::ZERO) | (high - 1e-4).cmpgt(cells);
        let axis = ["x", "y", "z"].into_iter().enumerate().find(|(axis, _)| is_beyond.test(*axis));
        let Some((number, axis)) = axis else { return Ok(()) };
        let [from, to] = [self.origin, self.origin + cells * cell].map(|at| at[number]);
        Err(BakeError::Beyond { axis, low: min[number], high: max[number], from, to })
    }

    /// Returns the position of the lattice's lowest corner, in metres.
    #[must_use]
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// Side of a cell in plan, in metres.
    #[must_use]
    pub fn cell_size(&self) -> f64 {
        self.cell_size
    }

    /// Height of a cell, in metres.
    #[must_use]
    pub fn cell_height(&self) -> f64 {
        self.cell_height
    }

    /// Returns the number of cells along x.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the number of cells along z.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns the number of cells along y.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the position of a corner, in metres.
    #[must_use]
    pub fn position(&self, point: LatticePoint) -> Vec3 {
        let at = DVec3::new(f64::from(point.x), f64::from(point.y), f64::from(point.z));
        let cell = DVec3::new(self.cell_size, self.cell_height, self.cell_size);
        (self.origin + at * cell).as_vec3()
    }

    /// Returns a position in units of cells, as the rasteriser counts. Each lattice has one origin
    /// for all its windows, so two tiles see the same numbers.
    pub(crate) fn in_cells(&self, at: Vec3) -> Vec3 {
        let cell = DVec3::new(self.cell_size, self.cell_height, self.cell_size);
        ((at.as_dvec3() - self.origin) / cell).as_vec3()
    }

    /// Returns the window of all cells.
    #[must_use]
    pub fn whole(&self) -> Window {
        Window { x: 0, z: 0, width: self.width, depth: self.depth }
    }
}

/// A rectangle of cells of a lattice.
///
/// ```
/// use wayfare_bake::Window;
///
/// let window = Window { x: 8, z: 0, width: 4, depth: 2 };
/// assert_eq!((window.columns(), window.column(9, 1)), (8, Some(5)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// The first cell along x.
    pub x: u32,
    /// The first cell along z.
    pub z: u32,
    /// The number of cells along x.
    pub width: u32,
    /// The number of cells along z.
    pub depth: u32,
}

impl Window {
    /// Returns the number of columns.
    #[must_use]
    pub fn columns(self) -> usize {
        self.width as usize * self.depth as usize
    }

    /// Returns the column of a cell of the lattice; `None` outside.
    #[must_use]
    pub fn column(self, x: u32, z: u32) -> Option<usize> {
        let (x, z) = (x.checked_sub(self.x)?, z.checked_sub(self.z)?);
        (x < self.width && z < self.depth).then(|| z as usize * self.width as usize + x as usize)
    }

    /// Returns the cell of a column, in cells of the lattice.
    #[must_use]
    pub fn cell(self, column: usize) -> [u32; 2] {
        let width = self.width.max(1) as usize;
        [self.x + (column % width) as u32, self.z + (column / width) as u32]
    }
}

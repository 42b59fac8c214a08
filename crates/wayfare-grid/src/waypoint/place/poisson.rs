//! Places waypoints at random, none too close to another.
//!
//! Source: R. Bridson, "Fast Poisson disk sampling in arbitrary dimensions", 2007.

use glam::{Vec2, Vec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use wayfare_core::ops;

use super::rectangle::check_spacing;
use super::{PlaceError, Rectangle};
use crate::waypoint::Surroundings;

/// The number of points tried around a sample before it counts as surrounded: Bridson's k.
const ATTEMPTS: usize = 30;

/// Places waypoints at random with at least `spacing` world units between any two in the ground
/// plane, wherever agents can stand. Gaps are hardly wider than `spacing`.
///
/// Automatic links work best on this spread. Samples spread through obstacles too, so that free
/// ground behind a wall is found; samples where agents cannot stand are left out at the end. The
/// same seed gives the same places on every target. O(size / spacing²).
///
/// # Errors
/// A fault of the rectangle or the spacing, or more than 16,777,216 places.
///
/// ```
/// use glam::Vec2;
/// use wayfare::space::waypoint::{OpenGround, Rectangle, place_poisson};
///
/// let area = Rectangle::new(Vec2::ZERO, Vec2::splat(50.0));
/// let places = place_poisson(area, 5.0, 7, &OpenGround::default())?;
/// for (i, a) in places.iter().enumerate() {
///     assert!(places[..i].iter().all(|b| a.distance(*b) >= 5.0));
/// }
/// # assert!(places.len() > 50);
/// # Ok::<(), wayfare::space::waypoint::PlaceError>(())
/// ```
pub fn place_poisson(
    area: Rectangle,
    spacing: f32,
    seed: u64,
    surroundings: &impl Surroundings,
) -> Result<Vec<Vec3>, PlaceError> {
    check_spacing(&area, spacing)?;
    // A square with the diagonal `spacing` holds at most one sample.
    let side = spacing / std::f32::consts::SQRT_2;
    check_spacing(&area, side)?;
    let mut random = Pcg32::seed_from_u64(seed);
    let mut samples = Samples::new(area, spacing, side);
    let first = area.min + area.size() * Vec2::new(random.random(), random.random());
    samples.try_push(first);
    let mut active = vec![0];
    while !active.is_empty() {
        let turn = random.random_range(0..active.len());
        let around = samples.points[active[turn]];
        let found = (0..ATTEMPTS).any(|_| {
            // Uniform over the ring from one to two spacings: its area grows with the square of the
            // radius.
            let distance = spacing * (1.0 + 3.0 * random.random::<f32>()).sqrt();
            let ops::SinCos { sin, cos } =
                ops::sin_cos(std::f32::consts::TAU * random.random::<f32>());
            samples.try_push(around + distance * Vec2::new(cos, sin))
        });
        if found {
            active.push(samples.points.len() - 1);
        } else {
            active.swap_remove(turn);
        }
    }
    Ok(samples.points.iter().filter_map(|at| surroundings.stand(at.x, at.y)).collect())
}

/// The mark of a square without a sample.
const EMPTY: u32 = u32::MAX;

/// Samples, with a lattice of squares that finds close ones.
struct Samples {
    area: Rectangle,
    spacing: f32,
    side: f32,
    columns: usize,
    rows: usize,
    cells: Vec<u32>,
    points: Vec<Vec2>,
}

impl Samples {
    fn new(area: Rectangle, spacing: f32, side: f32) -> Self {
        let size = (area.size() / side).floor();
        let (columns, rows) = (size.x as usize + 1, size.y as usize + 1);
        let cells = vec![EMPTY; columns * rows];
        Self { area, spacing, side, columns, rows, cells, points: Vec::new() }
    }

    fn try_push(&mut self, point: Vec2) -> bool {
        if !self.area.contains(point) {
            return false;
        }
        let at = (point - self.area.min) / self.side;
        let column = (at.x as usize).min(self.columns - 1);
        let row = (at.y as usize).min(self.rows - 1);
        for near_row in row.saturating_sub(2)..(row + 3).min(self.rows) {
            for near_column in column.saturating_sub(2)..(column + 3).min(self.columns) {
                let near = self.cells[near_row * self.columns + near_column];
                if near != EMPTY && self.points[near as usize].distance(point) < self.spacing {
                    return false;
                }
            }
        }
        self.cells[row * self.columns + column] = self.points.len() as u32;
        self.points.push(point);
        true
    }
}

//! Ends of questions on grids, from points of the world.

use glam::Vec3;
use wayfare_core::navigate::End;
use wayfare_core::space::{Cost, Obstruction, Space};

use crate::grid::{Cell, GridSpace};

/// Why a point of the world is no end.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("the point {point} {reason}, and within {tolerance} of it no cell can be stood on")]
pub struct OffMap {
    /// The point.
    pub point: Vec3,
    /// Why nobody can stand there.
    pub reason: Obstruction,
    /// The distance that was searched, in world units.
    pub tolerance: f32,
}

/// Returns the cell under a point, a click for instance, and the point in it.
///
/// The height of `point` is ignored; the point returned lies on the grid's plane. Where nobody can
/// stand at `point`, the result is the nearest point, at most `tolerance` away as seen from above,
/// of a cell that can be stood on; ties go to the lower id.
///
/// `tolerance`: in world units, at least 0. At 0 the point's own cell is the only candidate. Takes
/// O(1 + r²) time for a tolerance of r cells; beyond 64 cells the search stops.
///
/// ```
/// use glam::Vec3;
/// use wayfare::navigate::grid_end;
/// use wayfare::prelude::*;
///
/// let grid = Grid::from_rows(&["..#", "..."])?;
/// let click = Vec3::new(2.3, 0.0, 0.5); // in the wall
/// assert!(grid_end(&grid.space(), click, 0.1).is_err());
/// let end = grid_end(&grid.space(), click, 0.5).unwrap();
/// assert_eq!(end.state, grid.cell(1, 0).unwrap());
/// assert_eq!(end.point.z, 0.5); // beside the wall, not at the centre of the cell
/// # Ok::<(), GridError>(())
/// ```
///
/// # Errors
/// [`OffMap`], with the reason at the point itself.
pub fn grid_end<C: Cost>(
    space: &GridSpace<'_, C>,
    point: Vec3,
    tolerance: f32,
) -> Result<End<Cell>, OffMap> {
    /// The most cells that are looked at in each direction.
    const MOST_CELLS: f32 = 64.0;
    let grid = space.grid();
    let own = grid.cell_at(point).filter(|_| point.is_finite());
    let reason = match own.map(|cell| (cell, space.check(cell))) {
        Some((cell, Ok(()))) => {
            let point = point.with_y(grid.centre(cell).y);
            return Ok(End { state: cell, point });
        }
        Some((_, Err(reason))) => reason,
        None => Obstruction::OffMap,
    };
    let none = OffMap { point, reason, tolerance };
    let side = grid.frame().cell_size;
    if !(point.is_finite() && tolerance > 0.0) {
        return Err(none);
    }
    let reach = (tolerance / side).ceil().min(MOST_CELLS) as u32 + 1;
    let (x, y) = grid.coordinates(grid.nearest_cell(point)).into();
    let mut nearest: Option<(f32, End<Cell>)> = None;
    for row in y.saturating_sub(reach)..=y.saturating_add(reach).min(grid.height() - 1) {
        for column in x.saturating_sub(reach)..=x.saturating_add(reach).min(grid.width() - 1) {
            let Some(cell) = grid.cell(column, row).filter(|&cell| space.is_free(cell)) else {
                continue;
            };
            // A hair inside, so that the point lies in this cell and not in the next.
            let (centre, half) = (grid.centre(cell), side * 0.499);
            let inside = point.clamp(centre - half, centre + half).with_y(centre.y);
            let away = inside.distance(point.with_y(centre.y));
            if away <= tolerance && nearest.is_none_or(|(least, _)| away < least) {
                nearest = Some((away, End { state: cell, point: inside }));
            }
        }
    }
    nearest.map(|(_, end)| end).ok_or(none)
}

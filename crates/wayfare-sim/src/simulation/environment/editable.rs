//! Edits of a world: places, their fillings, and the states that a change affects.

use std::fmt::Debug;

use glam::Vec3;
use wayfare_core::space::{ProfileId, Space};

use super::{Shape, ShapeBounds, Spaces};
use crate::simulation::EditFault;

/// A place of a world with its filling.
///
/// Example: [`Editable`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filled<Place, Fill> {
    /// The place: a cell, a block, a waypoint or a link.
    pub place: Place,
    /// Its filling.
    pub fill: Fill,
}

/// The fillings of places of a world.
///
/// Example: [`Editable`].
pub type FilledOf<W> = Filled<<W as Editable>::Place, <W as Editable>::Fill>;

/// A world that can be edited.
///
/// It is made of *places*, each with a *filling*: cells with terrain, blocks, waypoints and links.
/// An obstacle that appears fills the places it covers with a blocking filling, and restores them
/// when it vanishes.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::simulation::{Editable, Filled, GridEdit, Shape};
///
/// /// The number of places that an obstacle would cover.
/// fn count_covered<W: Editable>(world: &W, shape: &Shape) -> usize {
///     world.covered(shape).len()
/// }
///
/// let grid = Grid::from_rows(&["....", "...."])?;
/// let cart = Shape::Box { min: Vec3::new(0.2, 0.0, 0.2), max: Vec3::new(1.8, 1.0, 0.8) };
/// assert_eq!(count_covered(&grid, &cart), 2);
///
/// let place = grid.cell(3, 1).unwrap();
/// let wall = GridEdit::Terrain { cells: vec![place], terrain: TerrainId::BLOCKED };
/// assert_eq!(Grid::fills(&wall), [Filled { place, fill: TerrainId::BLOCKED }]);
/// # Ok::<(), GridError>(())
/// ```
pub trait Editable: Spaces {
    /// A change while the simulation runs.
    type Edit: Clone + Debug + PartialEq + Send + Sync;

    /// The unit that obstacles cover: a cell, a block, a waypoint or a link.
    type Place: Copy + Ord + Debug + Send + Sync;

    /// The content of a place.
    type Fill: Copy + Debug + PartialEq + Send + Sync;

    /// Whether an edit may assign the ground at a point to another state. The states that bodies
    /// remember are then found again by their points after each edit. Default: false.
    const RENUMBERS: bool = false;

    /// Returns whether an edit replaces all ground, so that states may be renumbered. All searches
    /// then restart, and states that are remembered with a point are found again by it. Default:
    /// false.
    fn is_new_ground(_edit: &Self::Edit) -> bool {
        false
    }

    /// Returns whether [new ground](Self::is_new_ground) cancels an edit: snapshots no longer
    /// contain it. Default: false.
    fn ends_with_ground(_edit: &Self::Edit) -> bool {
        false
    }

    /// Returns a hash of all that edits change beside the filling of places: costs, influence.
    /// Default: 0.
    fn digest(&self) -> u64 {
        0
    }

    /// Boxes around all that the last edit changed, given the states that it affected. Default:
    /// the positions of these.
    fn touched(&self, affected: &[Self::State]) -> Vec<ShapeBounds> {
        let space = self.space(ProfileId::default());
        let places = affected.iter().map(|&state| space.position(state));
        places.map(|place| ShapeBounds { min: place, max: place }).collect()
    }

    /// Returns the point at the height of the ground below it, where a body stands, falls or is
    /// lifted to after an edit. `None` where no body stands. Default: `None`, for worlds whose
    /// edits leave heights as they are.
    fn footing(&self, _profile: ProfileId, _point: Vec3) -> Option<Vec3> {
        None
    }

    /// Returns the edit by which influence that the world itself keeps spreads and decays for a
    /// time. Default: none, for worlds without any.
    fn ageing(&self, _seconds: f32) -> Option<Self::Edit> {
        None
    }

    /// Fails if the edit is not possible.
    ///
    /// # Errors
    /// Why not.
    fn check(&self, edit: &Self::Edit) -> Result<(), EditFault>;

    /// Returns points in or beside the places that an edit may take from bodies: bodies near them
    /// look for a way out before the edit. Called with edits that [`check`](Self::check) allows.
    /// Default: none, so a body that an edit builds in waits until its position is open again.
    fn takes(&self, _edit: &Self::Edit) -> Vec<Vec3> {
        Vec::new()
    }

    /// Returns the places that an edit fills, if it is such an edit.
    fn fills(edit: &Self::Edit) -> Vec<FilledOf<Self>>;

    /// Makes an edit that does not fill places. Adds the states whose moves in or out it changes to
    /// `affected`.
    ///
    /// # Errors
    /// Why it is not possible; the environment is as before then.
    fn apply(
        &mut self,
        edit: &Self::Edit,
        affected: &mut Vec<Self::State>,
    ) -> Result<(), EditFault>;

    /// Returns the places that a shape covers, in ascending order.
    fn covered(&self, shape: &Shape) -> Vec<Self::Place>;

    /// Returns the filling of a place.
    fn filling(&self, place: Self::Place) -> Option<Self::Fill>;

    /// Returns the filling by which an obstacle blocks a place.
    fn blocking(&self, place: Self::Place) -> Self::Fill;

    /// Fills places, as one edit. Adds the states whose moves in or out it changes to `affected`.
    fn fill(&mut self, fills: &[FilledOf<Self>], affected: &mut Vec<Self::State>);
}

//! The surroundings of bodies: walls, heights, and the ground beside and beneath them.

use glam::Vec3;
use wayfare_core::space::{LineOfSight, ProfileId, TerrainId};
use wayfare_core::walls::WallSide;
use wayfare_mesh::navmesh::AreaId;

use super::Spaces;

/// The id of a kind of ground: a terrain of a grid, an area of a navigation mesh.
///
/// ```
/// use wayfare::simulation::GroundId;
/// use wayfare::space::TerrainId;
/// use wayfare::space::navmesh::AreaId;
/// assert_eq!(GroundId::from(TerrainId(3)), GroundId::from(AreaId(3)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GroundId(pub u8);

impl From<TerrainId> for GroundId {
    fn from(terrain: TerrainId) -> Self {
        Self(terrain.0)
    }
}

impl From<AreaId> for GroundId {
    fn from(area: AreaId) -> Self {
        Self(area.0)
    }
}

/// What a world knows of the surroundings of bodies: walls, heights, and the ground beside and
/// beneath them. A world that knows none of it implements this trait without any method.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::simulation::Surroundings;
/// use wayfare::space::ProfileId;
///
/// let grid = Grid::from_rows(&["..#"])?;
/// let (profile, at) = (ProfileId::default(), Vec3::new(1.5, 0.0, 0.5));
/// assert!(!grid.is_wall(profile, at) && grid.is_wall(profile, at + Vec3::X));
/// let mut sides = 0;
/// grid.wall_sides(profile, at, 0.3, 1.0, &mut |_| sides += 1);
/// assert!(sides > 0);
/// # Ok::<(), GridError>(())
/// ```
pub trait Surroundings: Spaces {
    /// Returns the world as bodies of a profile see it that [avoid each
    /// other](crate::simulation::Avoidance): the same moves, but sweeps prove room for all of a
    /// body. Default: [`space`](Spaces::space), whose sweeps do so already.
    fn space_for_bodies(&self, profile: ProfileId) -> Self::Space<'_> {
        self.space(profile)
    }

    /// Returns whether a body of a radius can move straight from one point to another, and a path
    /// can begin there. Default: where the sweep is clear and its end has a
    /// [state](Spaces::state_at).
    fn move_is_clear(&self, profile: ProfileId, from: Vec3, to: Vec3, radius: f32) -> bool {
        self.space_for_bodies(profile).sweep_is_clear(from, to, radius)
            && self.state_at(profile, to).is_some()
    }

    /// Returns whether a body at a point moves up and down as freely as to the sides: it flies or
    /// swims. Default: false.
    fn is_afloat(&self, _profile: ProfileId, _point: Vec3) -> bool {
        false
    }

    /// Returns the height of bodies of a profile, in world units. Bodies that differ in height by
    /// that much are on two floors, and do not avoid each other. Default: 1.8.
    fn body_height(&self, _profile: ProfileId) -> f32 {
        1.8
    }

    /// Returns whether a wall at a point bars bodies of a profile. For the
    /// [audit](crate::simulation::Audit): a second statement of the proof by
    /// [`sweep_is_clear`](wayfare_core::space::LineOfSight::sweep_is_clear). Default: false, for
    /// worlds that do not know the positions of their walls.
    fn is_wall(&self, _profile: ProfileId, _point: Vec3) -> bool {
        false
    }

    /// Returns the same for bodies that [avoid each other](crate::simulation::Avoidance): a second
    /// statement of the proof by sweeps of [`space_for_bodies`](Self::space_for_bodies). Default:
    /// as [`is_wall`](Self::is_wall).
    fn is_wall_to_bodies(&self, profile: ProfileId, point: Vec3) -> bool {
        self.is_wall(profile, point)
    }

    /// Visits the sides of walls within a range of a point, so that a body of that radius turns
    /// before it touches them, and returns whether nothing else bars its moves there: as
    /// [`Walls::sides_near`](wayfare_core::walls::Walls::sides_near). Default: none and false, for
    /// worlds that know only whether a move is barred.
    fn wall_sides(
        &self,
        _profile: ProfileId,
        _at: Vec3,
        _radius: f32,
        _range: f32,
        _visit: &mut dyn FnMut(WallSide),
    ) -> bool {
        false
    }

    /// Visits points of walls within a range of a body that flies or swims, so that it turns before
    /// it touches them: the nearest point of each convex piece that faces it, always in the same
    /// order. Default: none, for worlds that know only whether a move is barred.
    fn wall_points(
        &self,
        _profile: ProfileId,
        _at: Vec3,
        _range: f32,
        _visit: &mut dyn FnMut(Vec3),
    ) {
    }

    /// Returns whether the ground beside its moves is known, so that bodies which [keep to
    /// them](super::AvoidanceManner::AlongRails) may [step aside](Self::is_free_beside). Default:
    /// false.
    fn knows_surroundings(&self) -> bool {
        false
    }

    /// Returns whether bodies of a profile can be anywhere within that width, in world units, of
    /// the straight line between two points, and beyond its ends. Default: false.
    fn is_free_beside(&self, _profile: ProfileId, _from: Vec3, _to: Vec3, _width: f32) -> bool {
        false
    }

    /// Returns the kind of ground that a body at a point is on, by which [speeds
    /// differ](crate::simulation::GroundSpeeds). Default: `None`, for worlds without kinds of
    /// ground.
    fn ground_at(&self, _profile: ProfileId, _point: Vec3) -> Option<GroundId> {
        None
    }

    /// Returns the cost of a metre at a point, relative to plain ground. Default: 1.
    fn price_at(&self, _profile: ProfileId, _point: Vec3) -> f32 {
        1.0
    }

    /// Visits the ground that bodies of one of the profiles may be on, in convex pieces: their
    /// corners, in order around them. Adjacent pieces share the corners of their common side, bit
    /// by bit. Default: none, for worlds whose ground has no outline.
    fn visit_ground(&self, _profiles: &[ProfileId], _visit: &mut dyn FnMut(&[Vec3])) {}
}

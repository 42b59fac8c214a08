//! The input: triangles with their ground, and volumes that change areas.

use glam::{Vec2, Vec3};

use wayfare_mesh::navmesh::AreaId;

use crate::BakeError;

/// The meaning of a triangle for walkers: an obstacle, or ground of an area, which has costs.
///
/// ```
/// use wayfare::space::navmesh::AreaId;
/// use wayfare_bake::Ground;
///
/// let mud = Ground::of(AreaId(3)).expect("areas up to 254 can be baked");
/// assert_eq!((mud.area(), Ground::BLOCKED.area()), (Some(AreaId(3)), None));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Ground(pub(crate) u8);

impl Ground {
    /// Not walkable: walls, roofs too steep, forbidden ground.
    pub const BLOCKED: Ground = Ground(0);
    /// Ordinary ground: that of triangles that name no other.
    pub const PLAIN: Ground = Ground(1 + AreaId::WALKABLE.0);

    /// Ground of an area; `None` for area 255, whose number is needed for obstacles.
    #[must_use]
    pub fn of(area: AreaId) -> Option<Self> {
        area.0.checked_add(1).map(Ground)
    }

    /// Returns the area; `None` for an obstacle.
    #[must_use]
    pub fn area(self) -> Option<AreaId> {
        self.0.checked_sub(1).map(AreaId)
    }

    /// Returns whether ground of this kind can be walked on at all.
    #[must_use]
    pub fn is_walkable(self) -> bool {
        self != Ground::BLOCKED
    }
}

/// A level: triangles in any order, y up, in metres. Triangles whose corners run counter-clockwise
/// seen from above are floors; the others are obstacles only.
///
/// ```
/// use wayfare_bake::LevelGeometry;
///
/// let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 9.0], [9.0, 0.0, 9.0], [9.0, 0.0, 0.0]];
/// let level = LevelGeometry::new(
///     corners.map(Into::into).to_vec(),
///     vec![[0, 1, 2], [0, 2, 3]],
/// )?;
/// assert_eq!(level.bounds().map(|bounds| bounds[1]), Some([9.0, 0.0, 9.0].into()));
/// # Ok::<(), wayfare_bake::BakeError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LevelGeometry {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// One a triangle, or empty if all are [`Ground::PLAIN`].
    grounds: Vec<Ground>,
    volumes: Vec<AreaVolume>,
}

impl LevelGeometry {
    /// Returns a level of ordinary ground.
    ///
    /// # Errors
    /// [`BakeError::Coordinate`] if a coordinate is not finite, [`BakeError::Corner`] if a triangle
    /// names a vertex beyond the list.
    pub fn new(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Self, BakeError> {
        if let Some(vertex) = vertices.iter().position(|at| !at.is_finite()) {
            let value = vertices[vertex].to_array().into_iter().find(|v| !v.is_finite());
            let value = value.unwrap_or_default().to_string();
            return Err(BakeError::Coordinate { vertex, value });
        }
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertices.len()) {
                let vertices = vertices.len();
                return Err(BakeError::Corner { triangle, vertex, vertices });
            }
        }
        Ok(Self { vertices, triangles, grounds: Vec::new(), volumes: Vec::new() })
    }

    /// Parts that were checked before: corners are vertices, with one ground a triangle.
    pub(crate) fn of_parts(
        vertices: Vec<Vec3>,
        triangles: Vec<[u32; 3]>,
        grounds: Vec<Ground>,
        volumes: Vec<AreaVolume>,
    ) -> Self {
        Self { vertices, triangles, grounds, volumes }
    }

    /// Sets the ground of each triangle. [`Ground::BLOCKED`] makes an obstacle of any triangle.
    ///
    /// # Errors
    /// [`BakeError::Grounds`] if there is not exactly one a triangle.
    pub fn with_grounds(mut self, grounds: Vec<Ground>) -> Result<Self, BakeError> {
        if grounds.len() != self.triangles.len() {
            let (grounds, triangles) = (grounds.len(), self.triangles.len());
            return Err(BakeError::Grounds { grounds, triangles });
        }
        self.grounds = grounds;
        Ok(self)
    }

    /// Adds volumes, which are applied in order: where two overlap, the later one counts.
    #[must_use]
    pub fn with_volumes(mut self, volumes: impl IntoIterator<Item = AreaVolume>) -> Self {
        self.volumes.extend(volumes);
        self
    }

    /// Corner points, in metres.
    #[must_use]
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Returns the corners of each triangle, as indices into the vertices.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Returns the volumes, in order.
    #[must_use]
    pub fn volumes(&self) -> &[AreaVolume] {
        &self.volumes
    }

    /// Returns the ground of a triangle; [`Ground::PLAIN`] beyond the list.
    #[must_use]
    pub fn ground(&self, triangle: usize) -> Ground {
        self.grounds.get(triangle).copied().unwrap_or(Ground::PLAIN)
    }

    /// Returns the smallest box around all vertices that triangles use; `None` without triangles.
    #[must_use]
    pub fn bounds(&self) -> Option<[Vec3; 2]> {
        let mut corners = self.triangles.iter().flatten().map(|&v| self.vertices[v as usize]);
        let first = corners.next()?;
        Some(corners.fold([first; 2], |[min, max], at| [min.min(at), max.max(at)]))
    }
}

/// A convex prism that changes the area of all ground in it: mud, a road, forbidden ground.
///
/// ```
/// use wayfare_bake::{AreaVolume, Ground};
///
/// let pond = AreaVolume {
///     outline: vec![[2.0, 2.0].into(), [6.0, 2.0].into(), [6.0, 5.0].into(), [2.0, 5.0].into()],
///     bottom: -1.0,
///     top: 1.0,
///     ground: Ground::BLOCKED,
/// };
/// assert!(pond.holds([3.0, 4.0].into()) && !pond.holds([7.0, 4.0].into()));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct AreaVolume {
    /// The corners of the convex outline in plan (x and z), in metres, in either direction.
    pub outline: Vec<Vec2>,
    /// The lowest height of ground in it, in metres.
    pub bottom: f32,
    /// The greatest height of ground in it, in metres, at least `bottom`.
    pub top: f32,
    /// The new kind of the ground in it. [`Ground::BLOCKED`] removes the ground.
    pub ground: Ground,
}

impl AreaVolume {
    /// Returns whether a point in plan lies within the outline or on it.
    #[must_use]
    pub fn holds(&self, point: Vec2) -> bool {
        let (mut left, mut right) = (false, false);
        for (index, &from) in self.outline.iter().enumerate() {
            let to = self.outline[(index + 1) % self.outline.len()];
            let side = (to - from).perp_dot(point - from);
            left |= side > 0.0;
            right |= side < 0.0;
        }
        !(left && right) && self.outline.len() >= 3
    }

    /// Returns the fault of the volume, if any.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        let corners = self.outline.len();
        if corners < 3 {
            return Some("the outline needs at least three corners");
        }
        let finite = self.outline.iter().all(|at| at.is_finite());
        if !finite || !self.bottom.is_finite() || !self.top.is_finite() {
            return Some("its coordinates must be finite numbers");
        }
        if self.bottom > self.top {
            return Some("its bottom is above its top");
        }
        let at = |index: usize| self.outline[index % corners];
        let turn =
            |index: usize| (at(index + 1) - at(index)).perp_dot(at(index + 2) - at(index + 1));
        let (left, right) = (0..corners)
            .fold((false, false), |(l, r), i| (l | (turn(i) > 0.0), r | (turn(i) < 0.0)));
        (left && right).then_some("the outline is not convex; cut it into convex volumes")
    }
}

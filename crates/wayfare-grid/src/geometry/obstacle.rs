//! One obstacle as a caller describes it, and the faults of a description.

use glam::Vec3;

/// The largest magnitude of a coordinate or size, in world units. Above it, neighbouring `f32`
/// values are more than half a unit apart.
pub const MAX_COORDINATE: f32 = 4.0e6;

/// The smallest half extent or radius, in world units.
pub const MIN_SIZE: f32 = 1.0e-4;

/// The id of an obstacle in a set of [`Obstacles`](super::Obstacles). Never reused within one set.
///
/// Example: [`SurfaceHit`](super::SurfaceHit).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObstacleId(pub(super) u32);

impl ObstacleId {
    /// Returns the number of obstacles added to the set before this one.
    #[must_use]
    pub fn index(self) -> u32 {
        self.0
    }
}

/// The ground of a surface: grass, road, sand. The world gives the numbers their meaning.
///
/// Example: [`Obstacle`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct SurfaceLayer(pub u8);

/// The effect of an obstacle on agents.
///
/// Example: [`Obstacle`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ObstacleKind {
    /// It blocks agents and lines of sight.
    #[default]
    Blocking,
    /// Agents stand on it, and it blocks nothing: terrain.
    Surface(SurfaceLayer),
    /// It blocks, and agents can stand on its top: a crate, a platform.
    Platform(SurfaceLayer),
}

impl ObstacleKind {
    /// Returns whether it blocks agents and lines of sight.
    #[must_use]
    pub fn blocks(self) -> bool {
        !matches!(self, Self::Surface(_))
    }

    /// Returns the layer of its surface, if agents can stand on it.
    #[must_use]
    pub fn layer(self) -> Option<SurfaceLayer> {
        match self {
            Self::Blocking => None,
            Self::Surface(layer) | Self::Platform(layer) => Some(layer),
        }
    }
}

/// The shape of an obstacle, in world units; y is up.
///
/// Example: [`KnownObstacle`](super::KnownObstacle).
#[derive(Clone, PartialEq, Debug)]
pub enum ObstacleShape {
    /// A box, rotated about the vertical axis.
    Box {
        /// The centre of the box.
        center: Vec3,
        /// Half the size along each of the box's own axes.
        half_extents: Vec3,
        /// The rotation about the y axis in radians. Positive angles rotate x towards −z.
        yaw: f32,
    },
    /// A sphere.
    Sphere {
        /// The centre of the sphere.
        center: Vec3,
        /// The radius.
        radius: f32,
    },
    /// An upright cylinder.
    Cylinder {
        /// The centre of the cylinder, halfway up its axis.
        center: Vec3,
        /// The radius of its circles.
        radius: f32,
        /// Half its height.
        half_height: f32,
    },
    /// A triangle mesh in world coordinates. Triangles without an area are dropped.
    ///
    /// A closed mesh, in which every edge joins exactly two triangles, is solid: points inside
    /// overlap it. An open mesh is a thin surface.
    Mesh {
        /// The corners.
        vertices: Vec<Vec3>,
        /// Three corners each, as indices into `vertices`.
        triangles: Vec<[u32; 3]>,
    },
}

/// A static obstacle.
///
/// ```
/// use glam::Vec3;
/// use wayfare::geometry::{Obstacle, ObstacleKind, SurfaceLayer};
/// let crate_ = Obstacle::cuboid(Vec3::new(2.0, 0.5, 2.0), Vec3::splat(0.5))
///     .with_kind(ObstacleKind::Platform(SurfaceLayer(0)));
/// assert!(crate_.check().is_ok() && crate_.kind.blocks());
/// assert!(Obstacle::sphere(Vec3::ZERO, -1.0).check().is_err());
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Obstacle {
    /// Its shape and place.
    pub shape: ObstacleShape,
    /// Its effect on agents.
    pub kind: ObstacleKind,
}

impl Obstacle {
    /// Returns a blocking box along the axes.
    #[must_use]
    pub fn cuboid(center: Vec3, half_extents: Vec3) -> Self {
        let shape = ObstacleShape::Box { center, half_extents, yaw: 0.0 };
        Self { shape, kind: ObstacleKind::Blocking }
    }

    /// Returns a blocking sphere.
    #[must_use]
    pub fn sphere(center: Vec3, radius: f32) -> Self {
        Self { shape: ObstacleShape::Sphere { center, radius }, kind: ObstacleKind::Blocking }
    }

    /// Returns a blocking upright cylinder.
    #[must_use]
    pub fn cylinder(center: Vec3, radius: f32, half_height: f32) -> Self {
        let shape = ObstacleShape::Cylinder { center, radius, half_height };
        Self { shape, kind: ObstacleKind::Blocking }
    }

    /// Returns a blocking triangle mesh.
    #[must_use]
    pub fn mesh(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        let shape = ObstacleShape::Mesh { vertices, triangles };
        Self { shape, kind: ObstacleKind::Blocking }
    }

    /// The same obstacle with another kind.
    #[must_use]
    pub fn with_kind(mut self, kind: ObstacleKind) -> Self {
        self.kind = kind;
        self
    }

    /// Checks every number of the description.
    ///
    /// # Errors
    /// The first field at fault.
    pub fn check(&self) -> Result<(), ObstacleFault> {
        match &self.shape {
            ObstacleShape::Box { center, half_extents, yaw } => {
                check_point("center", *center)?;
                for half_extent in half_extents.to_array() {
                    check_size("half_extents", half_extent)?;
                }
                // Within this range `f32` resolves an angle to a thousandth of a degree or better
                // near 0.
                check_number("yaw", *yaw)?;
            }
            ObstacleShape::Sphere { center, radius } => {
                check_point("center", *center)?;
                check_size("radius", *radius)?;
            }
            ObstacleShape::Cylinder { center, radius, half_height } => {
                check_point("center", *center)?;
                check_size("radius", *radius)?;
                check_size("half_height", *half_height)?;
            }
            ObstacleShape::Mesh { vertices, triangles } => {
                for &vertex in vertices {
                    check_point("vertices", vertex)?;
                }
                for (number, triangle) in triangles.iter().enumerate() {
                    if let Some(&vertex) = triangle.iter().find(|&&i| i as usize >= vertices.len())
                    {
                        let vertices = vertices.len();
                        return Err(ObstacleFault::MissingVertex {
                            triangle: number,
                            vertex,
                            vertices,
                        });
                    }
                }
                if solid_triangles(vertices, triangles).next().is_none() {
                    return Err(ObstacleFault::EmptyMesh);
                }
            }
        }
        Ok(())
    }
}

/// Returns the triangles with an area.
pub(super) fn solid_triangles<'a>(
    vertices: &'a [Vec3],
    triangles: &'a [[u32; 3]],
) -> impl Iterator<Item = [u32; 3]> + 'a {
    triangles.iter().copied().filter(|triangle| {
        let [a, b, c] = triangle.map(|i| vertices[i as usize].as_dvec3());
        (b - a).cross(c - a).length_squared() > 0.0
    })
}

fn check_number(field: &'static str, value: f32) -> Result<(), ObstacleFault> {
    if value.abs() <= MAX_COORDINATE {
        Ok(())
    } else {
        // NaN compares as false and ends up here too.
        Err(ObstacleFault::OutOfRange { field, value })
    }
}

fn check_point(field: &'static str, point: Vec3) -> Result<(), ObstacleFault> {
    point.to_array().into_iter().try_for_each(|value| check_number(field, value))
}

fn check_size(field: &'static str, value: f32) -> Result<(), ObstacleFault> {
    check_number(field, value)?;
    if value >= MIN_SIZE { Ok(()) } else { Err(ObstacleFault::TooSmall { field, value }) }
}

/// A fault in the description of an obstacle.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ObstacleFault {
    /// A number is NaN, infinite or beyond [`MAX_COORDINATE`].
    #[error("`{field}` holds {value}, which is not a number from −4,000,000 to 4,000,000")]
    OutOfRange {
        /// The name of the field.
        field: &'static str,
        /// The number.
        value: f32,
    },
    /// A size is zero, negative or below [`MIN_SIZE`].
    #[error("`{field}` holds {value}, but must be at least 0.0001")]
    TooSmall {
        /// The name of the field.
        field: &'static str,
        /// The size.
        value: f32,
    },
    /// A triangle refers to a vertex that does not exist.
    #[error("triangle {triangle} of `triangles` names vertex {vertex}, but there are {vertices}")]
    MissingVertex {
        /// The number of the triangle, from 0.
        triangle: usize,
        /// The index of the vertex.
        vertex: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// No triangle of the mesh has an area.
    #[error("`triangles` holds no triangle with an area")]
    EmptyMesh,
}

/// An obstacle that cannot be added to a set.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("obstacle {number}: {fault}")]
pub struct ObstacleError {
    /// The number of the obstacle, from 0.
    pub number: usize,
    /// Its fault.
    #[source]
    pub fault: ObstacleFault,
}

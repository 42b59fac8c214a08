//! One obstacle as a caller describes it, and what can be wrong with it.

use glam::Vec3;

/// The largest magnitude of a coordinate or size, in world units. Beyond it a `f32` no longer tells half a unit apart.
pub const MAX_COORDINATE: f32 = 4.0e6;

/// The smallest half extent or radius, in world units.
pub const MIN_SIZE: f32 = 1.0e-4;

/// The number of an obstacle in an [`Obstacles`](super::Obstacles) set. Never used twice in one set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ObstacleId(pub(super) u32);

impl ObstacleId {
    /// The place of the obstacle in the order in which the set took obstacles in, counted from 0.
    #[must_use]
    pub fn index(self) -> u32 {
        self.0
    }
}

/// The kind of ground that a surface is: grass, road, sand. What the numbers mean is up to the world.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct SurfaceLayer(pub u8);

/// What an obstacle does to agents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ObstacleKind {
    /// It is in the way.
    #[default]
    Blocking,
    /// It can be stood on and is never in the way: terrain.
    Surface(SurfaceLayer),
    /// It is in the way, and its top can be stood on: a crate, a platform.
    Platform(SurfaceLayer),
}

impl ObstacleKind {
    /// Whether it is in the way of lines of sight and of agents.
    #[must_use]
    pub fn blocks(self) -> bool {
        !matches!(self, Self::Surface(_))
    }

    /// The layer of its surface, if it can be stood on.
    #[must_use]
    pub fn layer(self) -> Option<SurfaceLayer> {
        match self {
            Self::Blocking => None,
            Self::Surface(layer) | Self::Platform(layer) => Some(layer),
        }
    }
}

/// The shape of an obstacle, in world units; y is up.
#[derive(Clone, PartialEq, Debug)]
pub enum ObstacleShape {
    /// A box, turned about the vertical axis.
    Box {
        /// The middle of the box.
        center: Vec3,
        /// Half the size along each of the box's own axes.
        half_extents: Vec3,
        /// The turn about the y axis in radians; positive turns x towards −z.
        yaw: f32,
    },
    /// A sphere.
    Sphere {
        /// The middle of the sphere.
        center: Vec3,
        /// The distance from there to the surface.
        radius: f32,
    },
    /// An upright cylinder.
    Cylinder {
        /// The middle of the cylinder, halfway up its axis.
        center: Vec3,
        /// The radius of its circles.
        radius: f32,
        /// Half its height.
        half_height: f32,
    },
    /// A triangle mesh in world coordinates. Triangles without an area are left out.
    ///
    /// A closed mesh (every edge joins two triangles) is solid: what lies inside overlaps it. An open one is a skin.
    Mesh {
        /// The corners.
        vertices: Vec<Vec3>,
        /// Three corners each, as places in `vertices`.
        triangles: Vec<[u32; 3]>,
    },
}

/// A static obstacle.
#[derive(Clone, PartialEq, Debug)]
pub struct Obstacle {
    /// Its shape and place.
    pub shape: ObstacleShape,
    /// What it does to agents.
    pub kind: ObstacleKind,
}

impl Obstacle {
    /// A blocking box along the axes.
    #[must_use]
    pub fn cuboid(center: Vec3, half_extents: Vec3) -> Self {
        let shape = ObstacleShape::Box { center, half_extents, yaw: 0.0 };
        Self { shape, kind: ObstacleKind::Blocking }
    }

    /// A blocking sphere.
    #[must_use]
    pub fn sphere(center: Vec3, radius: f32) -> Self {
        Self { shape: ObstacleShape::Sphere { center, radius }, kind: ObstacleKind::Blocking }
    }

    /// A blocking upright cylinder.
    #[must_use]
    pub fn cylinder(center: Vec3, radius: f32, half_height: f32) -> Self {
        let shape = ObstacleShape::Cylinder { center, radius, half_height };
        Self { shape, kind: ObstacleKind::Blocking }
    }

    /// A blocking triangle mesh.
    #[must_use]
    pub fn mesh(vertices: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Self {
        let shape = ObstacleShape::Mesh { vertices, triangles };
        Self { shape, kind: ObstacleKind::Blocking }
    }

    /// The same obstacle as another kind.
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
                // The range of a turn that a `f32` still resolves to a thousandth of a degree.
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

/// The triangles that have an area.
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

/// What is wrong with the description of an obstacle.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ObstacleFault {
    /// A number is NaN, infinite or beyond [`MAX_COORDINATE`].
    #[error("`{field}` holds {value}, which is not a number from −4,000,000 to 4,000,000")]
    OutOfRange {
        /// The field.
        field: &'static str,
        /// The number.
        value: f32,
    },
    /// A size is zero, negative or below [`MIN_SIZE`].
    #[error("`{field}` holds {value}, but must be at least 0.0001")]
    TooSmall {
        /// The field.
        field: &'static str,
        /// The size.
        value: f32,
    },
    /// A triangle names a vertex that is not there.
    #[error("triangle {triangle} of `triangles` names vertex {vertex}, but there are {vertices}")]
    MissingVertex {
        /// The number of the triangle, from 0.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many there are.
        vertices: usize,
    },
    /// No triangle of the mesh has an area.
    #[error("`triangles` holds no triangle with an area")]
    EmptyMesh,
}

/// An obstacle that cannot be taken in.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("obstacle {number}: {fault}")]
pub struct ObstacleError {
    /// The number of the obstacle, from 0.
    pub number: usize,
    /// What is wrong with it.
    #[source]
    pub fault: ObstacleFault,
}

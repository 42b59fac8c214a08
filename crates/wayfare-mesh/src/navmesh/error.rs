//! Errors of building a navigation mesh.

/// Why polygons do not make a navigation mesh. Polygons and vertices are counted from 0.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NavMeshError {
    /// A coordinate is NaN, infinite or too large.
    #[error(
        "vertex {vertex} lies at ({x}, {y}, {z}); coordinates must be numbers from -16777216 to 16777216"
    )]
    Coordinate {
        /// The vertex.
        vertex: u32,
        /// Its x.
        x: f32,
        /// Its y, upwards.
        y: f32,
        /// Its z.
        z: f32,
    },
    /// A polygon has fewer than three corners.
    #[error("polygon {polygon} has {corners} corners; a polygon needs at least 3")]
    TooFewCorners {
        /// The polygon.
        polygon: u32,
        /// The count of its corners.
        corners: usize,
    },
    /// A polygon names a vertex that there is not.
    #[error("polygon {polygon} names vertex {vertex}, but there are only {known} vertices")]
    UnknownVertex {
        /// The polygon.
        polygon: u32,
        /// The vertex.
        vertex: u32,
        /// The count of vertices.
        known: usize,
    },
    /// A polygon passes the same point twice.
    #[error("polygon {polygon} passes vertex {vertex} twice")]
    RepeatedVertex {
        /// The polygon.
        polygon: u32,
        /// The vertex.
        vertex: u32,
    },
    /// A polygon's corners go around clockwise, seen from above.
    #[error("polygon {polygon} is clockwise; its corners must be counter-clockwise from above")]
    Clockwise {
        /// The polygon.
        polygon: u32,
    },
    /// A polygon has no area, seen from above.
    #[error("polygon {polygon} has no area, seen from above")]
    NoArea {
        /// The polygon.
        polygon: u32,
    },
    /// A polygon is not convex.
    #[error("polygon {polygon} is not convex at vertex {vertex}; cut it into convex parts")]
    Concave {
        /// The polygon.
        polygon: u32,
        /// The vertex at the corner that points inwards, or where the polygon winds about itself.
        vertex: u32,
    },
    /// Two polygons lie on the same side of an edge.
    #[error(
        "polygons {first} and {second} both lie to the left of the edge from vertex {from} to vertex {to}"
    )]
    Overlap {
        /// One polygon.
        first: u32,
        /// The other polygon.
        second: u32,
        /// The vertex where the edge starts.
        from: u32,
        /// The vertex where the edge ends.
        to: u32,
    },
    /// There are more polygons, corners or vertices than ids.
    #[error("a navigation mesh holds at most 2^30 vertices and 2^30 corners")]
    TooLarge,
    /// The height difference that joins edges is out of range.
    #[error("the step is {step}; it must be a number of metres from 0 to 1000")]
    Step {
        /// The value.
        step: f32,
    },
    /// The radius of the bodies that the mesh is made for is out of range.
    #[error("the radius of bodies is {radius}; it must be a number of metres from 0 to 1000")]
    BodyRadius {
        /// The value.
        radius: f32,
    },
    /// The mesh has the most profiles already.
    #[error("a navigation mesh holds at most 65,536 profiles")]
    TooManyProfiles,
}

impl NavMeshError {
    /// Returns the polygon at fault, if it is one; of two the first.
    #[must_use]
    pub fn polygon(&self) -> Option<u32> {
        match *self {
            Self::TooFewCorners { polygon, .. }
            | Self::UnknownVertex { polygon, .. }
            | Self::RepeatedVertex { polygon, .. }
            | Self::Clockwise { polygon }
            | Self::NoArea { polygon }
            | Self::Concave { polygon, .. }
            | Self::Overlap { first: polygon, .. } => Some(polygon),
            _ => None,
        }
    }

    /// Returns the vertex at fault, if it is one.
    #[must_use]
    pub fn vertex(&self) -> Option<u32> {
        match *self {
            Self::Coordinate { vertex, .. }
            | Self::UnknownVertex { vertex, .. }
            | Self::RepeatedVertex { vertex, .. }
            | Self::Concave { vertex, .. }
            | Self::Overlap { from: vertex, .. } => Some(vertex),
            _ => None,
        }
    }
}

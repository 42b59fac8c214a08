//! Wavefront OBJ: triangle meshes.
//!
//! Of the format, `v` (position; a fourth value and colours are ignored) and `f` (faces of three or
//! more corners, fanned into triangles; indices from 1, or negative from the end; texture and
//! normal indices are ignored) are read. Everything else (groups, materials, normals) is skipped.
//!
//! The reader is written here: two statements are enough, memory must be bounded by the file, and
//! errors must name the line.

use std::fmt::Write as _;

use crate::error::{WorldError, WorldErrorKind};
use crate::text::{Line, Lines};

/// A triangle soup: y is up, units are metres.
///
/// Made by [`read`] or [`TriangleMesh::new`], all indices are valid and all coordinates finite.
///
/// ```
/// use wayfare_world::obj::{self, TriangleMesh};
///
/// let mesh = obj::read(b"v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n")?;
/// assert_eq!(mesh.triangles(), [[0, 1, 2]]);
/// assert!(TriangleMesh::new(vec![[0.0; 3]], vec![[0, 0, 7]]).is_err());
/// # Ok::<(), wayfare_world::WorldError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TriangleMesh {
    vertices: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl TriangleMesh {
    /// A mesh from vertices and triangles that index them.
    ///
    /// # Errors
    /// When a coordinate is not finite or an index is beyond the vertices.
    pub fn new(vertices: Vec<[f32; 3]>, triangles: Vec<[u32; 3]>) -> Result<Self, WorldError> {
        if let Some(index) = vertices.iter().position(|at| !at.iter().all(|v| v.is_finite())) {
            return Err(WorldError::new(
                WorldErrorKind::Value,
                format!("vertex {index} has a coordinate that is not a finite number"),
            ));
        }
        for (index, triangle) in triangles.iter().enumerate() {
            if let Some(corner) = triangle.iter().find(|&&v| v as usize >= vertices.len()) {
                return Err(WorldError::new(
                    WorldErrorKind::Dangling,
                    format!(
                        "triangle {index} uses vertex {corner}, but there are only {} (from 0)",
                        vertices.len()
                    ),
                ));
            }
        }
        Ok(TriangleMesh { vertices, triangles })
    }

    /// Corner points.
    pub fn vertices(&self) -> &[[f32; 3]] {
        &self.vertices
    }

    /// Corners of each triangle, as indices into the vertices.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }
}

/// Reads a mesh.
///
/// ```
/// use wayfare_world::obj;
///
/// let square = obj::read(b"v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n")?;
/// assert_eq!(square.triangles(), [[0, 1, 2], [0, 2, 3]]);
/// # Ok::<(), wayfare_world::WorldError>(())
/// ```
///
/// # Errors
/// With the line: a coordinate that is missing or not finite, a face with fewer than three corners,
/// an index that is 0 or refers to a vertex not yet defined.
pub fn read(bytes: &[u8]) -> Result<TriangleMesh, WorldError> {
    let mut mesh = TriangleMesh::default();
    for line in Lines::new(bytes) {
        let statement = line.bytes.trim_ascii_start();
        // Only statements that matter must be text: comments are often in some other encoding.
        if statement.starts_with(b"v ") || statement.starts_with(b"v\t") {
            mesh.vertices.push(read_vertex(line)?);
        } else if statement.starts_with(b"f ") || statement.starts_with(b"f\t") {
            read_face(line, &mut mesh)?;
        }
    }
    Ok(mesh)
}

/// Writes a mesh; reading it back gives the same one.
pub fn write(mesh: &TriangleMesh) -> String {
    let mut text = String::new();
    for [x, y, z] in &mesh.vertices {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "v {x} {y} {z}");
    }
    for [a, b, c] in &mesh.triangles {
        let [a, b, c] = [a, b, c].map(|corner| u64::from(*corner) + 1);
        let _ = writeln!(text, "f {a} {b} {c}");
    }
    text
}

fn read_vertex(line: Line<'_>) -> Result<[f32; 3], WorldError> {
    let mut words = line.text()?.split_ascii_whitespace().skip(1);
    let mut at = [0.0; 3];
    for (coordinate, name) in at.iter_mut().zip(["x", "y", "z"]) {
        let word = words.next().ok_or_else(|| {
            line.error(WorldErrorKind::Syntax, format!("this vertex has no {name}"))
                .advise("a vertex is 'v x y z'")
        })?;
        *coordinate = match word.parse::<f32>() {
            Ok(value) if value.is_finite() => value,
            _ => {
                return Err(line.error(
                    WorldErrorKind::Value,
                    format!("the {name} of this vertex, '{word}', is not a finite number"),
                ));
            }
        };
    }
    Ok(at)
}

fn read_face(line: Line<'_>, mesh: &mut TriangleMesh) -> Result<(), WorldError> {
    let defined = mesh.vertices.len();
    let mut corners = line.text()?.split_ascii_whitespace().skip(1).map(|word| {
        let index = word.split('/').next().unwrap_or_default();
        let resolved = match index.parse::<i64>() {
            Ok(index) if index > 0 => usize::try_from(index - 1).ok(),
            Ok(index) if index < 0 => usize::try_from(index.unsigned_abs())
                .ok()
                .and_then(|back| defined.checked_sub(back)),
            _ => None,
        };
        resolved
            .filter(|&index| index < defined)
            .and_then(|index| u32::try_from(index).ok())
            .ok_or_else(|| {
                line.error(
                    WorldErrorKind::Dangling,
                    format!("'{word}' is no vertex: {defined} are defined above this line"),
                )
                .advise("vertices count from 1, or from -1 backwards")
            })
    });
    let mut next = || corners.next().transpose();
    let (Some(first), Some(mut second)) = (next()?, next()?) else {
        return Err(too_few_corners(line));
    };
    let Some(mut third) = next()? else {
        return Err(too_few_corners(line));
    };
    loop {
        mesh.triangles.push([first, second, third]);
        second = third;
        third = match next()? {
            Some(corner) => corner,
            None => return Ok(()),
        };
    }
}

fn too_few_corners(line: Line<'_>) -> WorldError {
    line.error(WorldErrorKind::Syntax, "a face needs at least three corners")
        .advise("a face is 'f a b c'")
}

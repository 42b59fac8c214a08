//! Wavefront OBJ: triangle meshes.
//!
//! Of the format, `v` (position; a fourth value and colours are ignored) and `f` (faces of three or
//! more corners, fanned into triangles; indices from 1, or negative from the end; texture and
//! normal indices are ignored) are read, and `usemtl` (the name of the material of the faces that
//! follow). Everything else (groups, normals) is skipped.
//!
//! The reader is written here: three statements are enough, memory must be bounded by the file, and
//! errors must name the line.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::error::{WorldError, WorldErrorKind};
use crate::text::{Line, Lines};

/// A triangle soup: y is up, units are metres.
///
/// Made by [`read`] or [`TriangleMesh::new`], all indices are valid and all coordinates finite.
///
/// ```
/// use wayfare_formats::obj::{self, TriangleMesh};
///
/// let mesh = obj::read(b"v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n")?;
/// assert_eq!(mesh.triangles(), [[0, 1, 2]]);
/// assert!(TriangleMesh::new(vec![[0.0; 3]], vec![[0, 0, 7]]).is_err());
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TriangleMesh {
    vertices: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
    /// The names of materials, each once.
    materials: Vec<String>,
    /// The first triangle of each run with one material, in ascending order. Triangles before the
    /// first run have none.
    runs: Vec<(u32, Option<u32>)>,
}

impl TriangleMesh {
    /// Returns a mesh from vertices and triangles that index them.
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
        Ok(TriangleMesh { vertices, triangles, ..TriangleMesh::default() })
    }

    /// Returns a mesh with the first triangle of each run with one material, in ascending order.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    #[cfg(feature = "gltf")]
    pub(crate) fn with_materials(
        vertices: Vec<[f32; 3]>,
        triangles: Vec<[u32; 3]>,
        runs: Vec<(u32, Option<String>)>,
    ) -> Result<Self, WorldError> {
        let mut mesh = TriangleMesh::new(vertices, triangles)?;
        let mut numbers = BTreeMap::new();
        for (first, name) in runs {
            mesh.use_material(first, name, &mut numbers);
        }
        Ok(mesh)
    }

    /// Gives a material to the triangles from this one on. `numbers` has the indices of known ones.
    fn use_material(
        &mut self,
        triangle: u32,
        name: Option<String>,
        numbers: &mut BTreeMap<String, u32>,
    ) {
        let number = name.map(|name| {
            *numbers.entry(name).or_insert_with_key(|name| {
                self.materials.push(name.clone());
                self.materials.len() as u32 - 1
            })
        });
        if self.runs.last().is_some_and(|(first, _)| *first == triangle) {
            self.runs.pop();
        }
        if self.runs.last().and_then(|(_, material)| *material) != number {
            self.runs.push((triangle, number));
        }
    }

    /// Returns the names of the materials, each once, in the order of the file.
    pub fn materials(&self) -> &[String] {
        &self.materials
    }

    /// Returns the material of a triangle, as an index into [`materials`](Self::materials); `None`
    /// if it has none.
    ///
    /// ```
    /// use wayfare_formats::obj;
    ///
    /// let text = b"v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\nusemtl mud\nf 1 2 3\n";
    /// let mesh = obj::read(text)?;
    /// assert_eq!((mesh.material(0), mesh.material(1)), (None, Some(0)));
    /// assert_eq!(mesh.materials(), ["mud"]);
    /// # Ok::<(), wayfare_formats::WorldError>(())
    /// ```
    pub fn material(&self, triangle: usize) -> Option<usize> {
        let run = self.runs.partition_point(|(first, _)| *first as usize <= triangle);
        self.runs.get(run.checked_sub(1)?)?.1.map(|material| material as usize)
    }

    /// Returns the corner points.
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
/// use wayfare_formats::obj;
///
/// let square = obj::read(b"v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n")?;
/// assert_eq!(square.triangles(), [[0, 1, 2], [0, 2, 3]]);
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
///
/// # Errors
/// With the line: a coordinate that is missing or not finite, a face with fewer than three corners,
/// an index that is 0 or refers to a vertex not yet defined.
pub fn read(bytes: &[u8]) -> Result<TriangleMesh, WorldError> {
    let mut mesh = TriangleMesh::default();
    let mut numbers = BTreeMap::new();
    for line in Lines::new(bytes) {
        let statement = line.bytes.trim_ascii_start();
        // Only statements that matter must be text: comments are often in some other encoding.
        if statement.starts_with(b"v ") || statement.starts_with(b"v\t") {
            mesh.vertices.push(read_vertex(line)?);
        } else if statement.starts_with(b"f ") || statement.starts_with(b"f\t") {
            read_face(line, &mut mesh)?;
        } else if let Some(name) = statement.strip_prefix(b"usemtl") {
            let name = String::from_utf8_lossy(name.trim_ascii()).into_owned();
            let first = mesh.triangles.len() as u32;
            mesh.use_material(first, (!name.is_empty()).then_some(name), &mut numbers);
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
    let mut runs = mesh.runs.iter().peekable();
    for (triangle, [a, b, c]) in (0..).zip(&mesh.triangles) {
        while let Some((_, material)) = runs.next_if(|(first, _)| *first <= triangle) {
            let name = material.map_or("", |material| mesh.materials[material as usize].as_str());
            let _ = writeln!(text, "usemtl {name}");
        }
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

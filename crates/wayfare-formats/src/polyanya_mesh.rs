//! Polyanya `.mesh`: flat navigation meshes.
//!
//! ```text
//! mesh
//! 2
//! 4 1
//! 0 0 2 0 -1
//! …
//! 4 0 1 2 3 -1 -1 -1 -1
//! ```
//!
//! The version, the count of vertices and of polygons. A vertex: x, y, and the count of polygons
//! around it with their indices. A polygon: the count of its corners, its vertices
//! counter-clockwise, and its neighbours. -1 stands for no polygon. Versions 1 and 2 differ in the
//! order of the neighbours alone, which are parsed and derived again.
//!
//! The mesh lies at height 0; y becomes z, as rows of a tile map do. Meshes of this format are made
//! from maps whose y points down, so pictures of both agree. Seen from above with z pointing down
//! the corners go around in the opposite direction, and are reversed.
//!
//! Words may be parted by any white space. Source: M. Cui, D. Harabor and A. Grastien, the format
//! of "Compromise-free Pathfinding on a Navigation Mesh", 2017.

use std::fmt::Write as _;

use glam::Vec3;
use wayfare_core::space::StateId;
use wayfare_mesh::navmesh::{AreaId, MeshDraft, NavMesh, PolygonId};

use crate::error::{WorldError, WorldErrorKind};
use crate::text::{Line, Lines};

/// The words of a file with their positions.
struct Words<'a> {
    lines: Lines<'a>,
    line: Option<Line<'a>>,
    rest: std::str::SplitAsciiWhitespace<'a>,
}

impl<'a> Words<'a> {
    /// Returns the next word and its column.
    fn next(&mut self, what: &str) -> Result<(&'a str, usize), WorldError> {
        loop {
            if let (Some(word), Some(line)) = (self.rest.next(), self.line) {
                return Ok((word, word.as_ptr() as usize - line.bytes.as_ptr() as usize + 1));
            }
            let Some(line) = self.lines.next() else {
                let missing = format!("the file ends before {what}");
                let last = self.lines.number().max(1);
                return Err(WorldError::new(WorldErrorKind::Syntax, missing).at_line(last));
            };
            self.rest = line.text()?.split_ascii_whitespace();
            self.line = Some(line);
        }
    }

    fn line_number(&self) -> usize {
        self.line.map_or(1, |line| line.number)
    }

    fn error(&self, column: usize, message: String) -> WorldError {
        WorldError::new(WorldErrorKind::Value, message).at_column(self.line_number(), column)
    }

    fn number<T: std::str::FromStr>(&mut self, what: &str, kind: &str) -> Result<T, WorldError> {
        let (word, column) = self.next(what)?;
        word.parse().map_err(|_| self.error(column, format!("{what} '{word}' is no {kind}")))
    }

    /// Returns a count of things that each take at least `bytes` bytes of the rest of the file.
    fn count(&mut self, what: &str, bytes: usize) -> Result<usize, WorldError> {
        let (word, column) = self.next(what)?;
        let most = self.lines.bytes_left().saturating_add(self.left_on_line()) / bytes;
        match word.parse::<usize>() {
            Ok(count) if count <= most => Ok(count),
            Ok(_) => {
                Err(self
                    .error(column, format!("{what} is {word}, more than the file has room for")))
            }
            Err(_) => Err(self.error(column, format!("{what} '{word}' is no whole number"))),
        }
    }

    fn left_on_line(&self) -> usize {
        self.line.map_or(0, |line| line.bytes.len())
    }
}

/// Reads a mesh of version 1 or 2. All polygons are of area 0.
///
/// ```
/// use wayfare_formats::polyanya_mesh;
///
/// let text = "mesh\n2\n3 1\n0 0 2 0 -1\n1 0 2 0 -1\n0 1 2 0 -1\n3 0 1 2 -1 -1 -1\n";
/// let mesh = polyanya_mesh::read(text.as_bytes())?;
/// assert_eq!((mesh.len(), polyanya_mesh::write(&mesh).as_str()), (1, text));
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
///
/// # Errors
/// With line and column: a heading of another format or version, a count that the file is too short
/// for, a word that is no number, a file that ends early or goes on after the last polygon, a
/// polygon that is not convex, and all else that [`NavMesh::new`] refuses.
pub fn read(bytes: &[u8]) -> Result<NavMesh, WorldError> {
    let mut words =
        Words { lines: Lines::new(bytes), line: None, rest: "".split_ascii_whitespace() };
    let (heading, column) = words.next("the heading 'mesh'")?;
    if heading != "mesh" {
        let message = format!("'{heading}' is not the heading of a mesh");
        return Err(words.error(column, message).advise("a .mesh file starts with 'mesh'"));
    }
    let (version, column) = words.next("the version")?;
    if !matches!(version, "1" | "2") {
        let message = format!("version '{version}' of the format is not known");
        return Err(words.error(column, message).advise("versions 1 and 2 are read"));
    }
    // "0 0 0" and a line end; "3 0 0 0 0 0 0" and a line end.
    let vertices = words.count("the number of vertices", 6)?;
    let polygons = words.count("the number of polygons", 14)?;
    let mut draft = MeshDraft::new(Vec::with_capacity(vertices));
    // Where each vertex and each polygon begins.
    let (mut vertex_lines, mut polygon_lines) = (Vec::new(), Vec::new());
    for _ in 0..vertices {
        let x: f32 = words.number("the x of a vertex", "number")?;
        vertex_lines.push(words.line_number());
        let y: f32 = words.number("the y of a vertex", "number")?;
        for _ in 0..words.count("the number of polygons around a vertex", 2)? {
            words.number::<i64>("the number of a polygon", "whole number")?;
        }
        draft.vertices.push(Vec3::new(x, 0.0, y));
    }
    let mut corners: Vec<u32> = Vec::new();
    for _ in 0..polygons {
        corners.clear();
        let count = words.count("the number of corners of a polygon", 4)?;
        polygon_lines.push(words.line_number());
        for _ in 0..count {
            corners.push(words.number("the number of a vertex", "whole number from 0 up")?);
        }
        for _ in 0..count {
            words.number::<i64>("the number of a neighbour", "whole number")?;
        }
        corners.reverse();
        draft.push(&corners, AreaId::WALKABLE);
    }
    if let Ok((word, column)) = words.next("the end") {
        return Err(words.error(column, format!("'{word}' follows the last polygon")));
    }
    NavMesh::new(draft).map_err(|error| {
        let of_polygon = error.polygon().and_then(|polygon| polygon_lines.get(polygon as usize));
        let of_vertex = || vertex_lines.get(error.vertex()? as usize);
        let line = of_polygon.or_else(of_vertex).copied();
        let message = format!("{error} (counted from 0)");
        WorldError::new(WorldErrorKind::Value, message).at_line(line.unwrap_or(1))
    })
}

/// Writes a mesh as version 2. Heights and areas are lost: see [`losses`].
///
/// The polygons around a vertex are written counter-clockwise, with a -1 for each gap.
#[must_use]
pub fn write(mesh: &NavMesh) -> String {
    let renumbered; // the numbers of polygons in the file have no gaps
    let mesh = if mesh.len() == mesh.bound() {
        mesh
    } else {
        renumbered = mesh.renumbered();
        &renumbered
    };
    let mut around: Vec<Vec<u32>> = vec![Vec::new(); mesh.vertices().len()];
    for polygon in mesh.polygons() {
        for &vertex in mesh.corners(polygon) {
            around[vertex as usize].push(polygon.index());
        }
    }
    let mut text = format!("mesh\n2\n{} {}\n", mesh.vertices().len(), mesh.len());
    for (vertex, (place, polygons)) in mesh.vertices().iter().zip(&around).enumerate() {
        let ring = ring(mesh, vertex as u32, polygons);
        // Writing to a String cannot fail.
        let _ = write!(text, "{} {} {}", place.x, place.z, ring.len());
        for polygon in ring {
            let _ = write!(text, " {}", number(polygon));
        }
        text.push('\n');
    }
    for polygon in mesh.polygons() {
        let mut corners = mesh.corners(polygon).to_vec();
        let mut neighbours: Vec<_> = mesh.neighbours(polygon).collect();
        corners.reverse();
        // The edge of corner i ended at corner i + 1. Reversed, entry i is the edge between the
        // corners i - 1 and i, as version 2 has it.
        neighbours.reverse();
        let _ = write!(text, "{}", corners.len());
        for corner in corners {
            let _ = write!(text, " {corner}");
        }
        for neighbour in neighbours {
            let _ = write!(text, " {}", number(neighbour));
        }
        text.push('\n');
    }
    text
}

fn number(polygon: Option<PolygonId>) -> i64 {
    polygon.map_or(-1, |polygon| i64::from(polygon.index()))
}

/// Returns the polygons around a vertex in the order of the format, with `None` for each gap.
fn ring(mesh: &NavMesh, vertex: u32, polygons: &[u32]) -> Vec<Option<PolygonId>> {
    // For each polygon the neighbour across the edge that begins at the vertex: clockwise from
    // above is counter-clockwise in the format, whose y points the other way.
    let ways: Vec<(PolygonId, Option<PolygonId>)> = polygons
        .iter()
        .filter_map(|&index| {
            let polygon = mesh.polygon(index)?;
            let at = mesh.corners(polygon).iter().position(|&corner| corner == vertex)?;
            Some((polygon, mesh.neighbours(polygon).nth(at)?))
        })
        .collect();
    // Polygons come in ascending order.
    let mut nexts: Vec<_> = ways.iter().filter_map(|(_, next)| *next).collect();
    nexts.sort_unstable();
    let has_before = |polygon: PolygonId| nexts.binary_search(&polygon).is_ok();
    let way_of = |polygon: PolygonId| ways.binary_search_by_key(&polygon, |(of, _)| *of).ok();
    let mut is_done = vec![false; ways.len()];
    let mut ring = Vec::new();
    // Fans begin after a gap; the rest is a full circle.
    let heads = (0..ways.len()).filter(|&way| !has_before(ways[way].0));
    for head in heads.chain(0..ways.len()).collect::<Vec<_>>() {
        let mut at = Some(head).filter(|&head| !is_done[head]);
        let mut is_open = at.is_some();
        while let Some(way) = at {
            is_done[way] = true;
            ring.push(Some(ways[way].0));
            let next = ways[way].1;
            is_open = next.is_none();
            at = next.and_then(way_of).filter(|&next| !is_done[next]);
        }
        if is_open {
            ring.push(None);
        }
    }
    ring
}

/// Returns the losses of [`write()`] for a mesh, in sentences for people.
#[must_use]
pub fn losses(mesh: &NavMesh) -> Vec<String> {
    let mut lost = Vec::new();
    if mesh.vertices().iter().any(|place| place.y != 0.0) {
        lost.push("heights: the mesh becomes flat".to_owned());
    }
    if mesh.polygons().any(|polygon| mesh.area(polygon) != AreaId::WALKABLE) {
        lost.push("areas: all ground becomes alike".to_owned());
    }
    if mesh.body_radius() > 0.0 {
        let radius = mesh.body_radius();
        lost.push(format!("the radius that it is made for: {radius} m"));
    }
    lost
}

//! glTF 2.0: the triangles of a scene, from `.glb` or `.gltf`.
//!
//! Triangle lists of the default scene are read, each placed by its node, with the names of their
//! materials. Triangles of double-sided materials face up: a body stands on them whichever side was
//! modelled. Strips, fans, lines, points, sparse accessors, skins and morphs are left out or
//! refused; textures are not looked at. y is up and lengths are metres, as in the format.
//!
//! The JSON is read by the crate `gltf`. The container and the arrays are read here, where sizes
//! are checked before anything is allocated.

use base64::Engine as _;
use glam::{Mat4, Vec3};
use gltf::accessor::{DataType, Dimensions};
use gltf::buffer::Source;
use gltf::mesh::Mode;
use gltf::{Accessor, Gltf, Node, Primitive, Semantic};

use crate::error::{Location, WorldError, WorldErrorKind};
use crate::file::{Folder, read_capped};
use crate::limits::{MAX_GLTF_DEPTH, MAX_GLTF_TRIANGLES, MAX_MAP_BYTES};
use crate::obj::TriangleMesh;

pub use crate::gltf_write::write;

/// Reads a scene that needs no other files: a `.glb`, or a `.gltf` with its data within.
///
/// ```
/// use wayfare_formats::gltf;
///
/// // Three corners in base 64.
/// let data = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAIA/AACAPwAAAAAAAIA/";
/// let text = format!(
///     r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0}}],
///     "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
///     "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3",
///     "min":[0,0,0],"max":[1,0,1]}}],"bufferViews":[{{"buffer":0,"byteLength":36}}],
///     "buffers":[{{"byteLength":36,"uri":"data:application/octet-stream;base64,{data}"}}]}}"#
/// );
/// let mesh = gltf::read(text.as_bytes())?;
/// assert_eq!(mesh.triangles(), [[0, 1, 2]]);
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
///
/// # Errors
/// When the file is no glTF 2.0, a size is wrong, or a coordinate is not finite; the error names
/// the mesh.
pub fn read(bytes: &[u8]) -> Result<TriangleMesh, WorldError> {
    read_with(bytes, None)
}

/// Like [`read`], with the folder in which a `.gltf` finds its buffers.
pub(crate) fn read_in(bytes: &[u8], folder: Folder<'_>) -> Result<TriangleMesh, WorldError> {
    read_with(bytes, Some(folder))
}

fn read_with(bytes: &[u8], folder: Option<Folder<'_>>) -> Result<TriangleMesh, WorldError> {
    let (json, binary) = container(bytes)?;
    check_positions(json)?;
    let document = Gltf::from_slice(json)
        .map_err(|error| WorldError::new(WorldErrorKind::Syntax, format!("no glTF: {error}")))?;
    let mut buffers = Vec::new();
    for buffer in document.buffers() {
        let number = buffer.index();
        buffers.push(match (buffer.source(), binary) {
            (Source::Bin, Some(binary)) => binary.to_vec(),
            (Source::Bin, None) => {
                return Err(missing(format!("buffer {number} has no data in this file")));
            }
            (Source::Uri(uri), _) => load(uri, number, folder)?,
        });
    }
    let mut scene = Soup { buffers, vertices: Vec::new(), triangles: Vec::new(), runs: Vec::new() };
    let nodes: Vec<Node<'_>> = match document.default_scene().or_else(|| document.scenes().next()) {
        Some(scene) => scene.nodes().collect(),
        None => document.nodes().collect(),
    };
    let mut stack: Vec<(Node<'_>, Mat4, usize)> =
        nodes.into_iter().map(|node| (node, Mat4::IDENTITY, 0)).collect();
    // A node has one parent, so a scene visits each once. A file that says otherwise could be a
    // circle.
    let mut visits = document.nodes().count();
    while let Some((node, parent, depth)) = stack.pop() {
        if depth > MAX_GLTF_DEPTH || visits == 0 {
            let message = format!("node {} lies in itself, or too deep", node.index());
            return Err(WorldError::new(WorldErrorKind::Limit, message));
        }
        visits -= 1;
        let placed = parent * Mat4::from_cols_array_2d(&node.transform().matrix());
        if let Some(mesh) = node.mesh() {
            for primitive in mesh.primitives().filter(|p| p.mode() == Mode::Triangles) {
                scene.add(&primitive, placed).map_err(|error| {
                    let name = mesh.name().unwrap_or_default();
                    let place = format!("mesh {} '{name}': {}", mesh.index(), error.message());
                    WorldError::new(error.kind(), place)
                })?;
            }
        }
        stack.extend(node.children().map(|child| (child, placed, depth + 1)));
    }
    TriangleMesh::with_materials(scene.vertices, scene.triangles, scene.runs)
}

/// Checks that meshes name accessors that are there: the validation of the crate `gltf` takes it
/// for granted where it looks for the bounds of positions.
fn check_positions(json: &[u8]) -> Result<(), WorldError> {
    // The reader itself reports a file that is no glTF at all.
    let Ok(root) = gltf::json::Root::from_slice(json) else { return Ok(()) };
    let known = root.accessors.len();
    for (number, mesh) in root.meshes.iter().enumerate() {
        for primitive in &mesh.primitives {
            if let Some(index) = primitive.attributes.values().find(|index| index.value() >= known)
            {
                let accessor = index.value();
                let message =
                    format!("mesh {number} names accessor {accessor}, but there are only {known}");
                return Err(missing(message));
            }
        }
    }
    Ok(())
}

/// Returns the JSON and the binary chunk.
fn container(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>), WorldError> {
    if !bytes.starts_with(b"glTF") {
        return Ok((bytes, None));
    }
    let cut = |at: usize| {
        WorldError::new(WorldErrorKind::Dimensions, "the file ends within a chunk")
            .at(Location::Byte(at))
    };
    let word = |at: usize| {
        let word = bytes.get(at..at + 4).ok_or_else(|| cut(at))?;
        Ok::<usize, WorldError>(u32::from_le_bytes([word[0], word[1], word[2], word[3]]) as usize)
    };
    if word(4)? != 2 {
        let message = format!("version {} of the format is not read", word(4)?);
        return Err(WorldError::new(WorldErrorKind::Syntax, message).at(Location::Byte(4)));
    }
    let (mut json, mut binary) = (None, None);
    let mut at = 12;
    while at < bytes.len() {
        let (length, kind) = (word(at)?, word(at + 4)?);
        let end = (at + 8).checked_add(length).ok_or_else(|| cut(at))?;
        let chunk = bytes.get(at + 8..end).ok_or_else(|| cut(at))?;
        match kind {
            0x4E4F_534A if json.is_none() => json = Some(chunk),
            0x004E_4942 if binary.is_none() => binary = Some(chunk),
            _ => {}
        }
        at = end;
    }
    let json = json.ok_or_else(|| missing("the file has no JSON chunk".to_owned()))?;
    Ok((json, binary))
}

fn missing(message: String) -> WorldError {
    WorldError::new(WorldErrorKind::Dangling, message)
}

/// Returns the bytes of a buffer: from a data URI, or a file beside the scene.
fn load(uri: &str, number: usize, folder: Option<Folder<'_>>) -> Result<Vec<u8>, WorldError> {
    if let Some(data) = uri.strip_prefix("data:") {
        let (_, encoded) = data
            .split_once(";base64,")
            .ok_or_else(|| missing(format!("the data of buffer {number} is not in base 64")))?;
        return base64::engine::general_purpose::STANDARD.decode(encoded).map_err(|error| {
            let message = format!("the data of buffer {number} is not in base 64: {error}");
            WorldError::new(WorldErrorKind::Syntax, message)
        });
    }
    let path = std::path::Path::new(uri);
    let beside = path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    match folder {
        Some(folder) if beside => {
            let path = folder.path.join(path);
            read_capped(folder.files, &path, MAX_MAP_BYTES).map(std::borrow::Cow::into_owned)
        }
        _ => Err(missing(format!("buffer {number} is in '{uri}', which is not beside the file"))),
    }
}

/// The triangles that were read of a scene.
struct Soup {
    buffers: Vec<Vec<u8>>,
    vertices: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
    runs: Vec<(u32, Option<String>)>,
}

impl Soup {
    fn add(&mut self, primitive: &Primitive<'_>, placed: Mat4) -> Result<(), WorldError> {
        let Some(positions) = primitive.get(&Semantic::Positions) else { return Ok(()) };
        if positions.data_type() != DataType::F32 || positions.dimensions() != Dimensions::Vec3 {
            return Err(WorldError::new(
                WorldErrorKind::Syntax,
                "positions are not three single floats",
            ));
        }
        let base = self.vertices.len();
        let count = positions.count();
        let mut vertices = Vec::new();
        for place in self.elements(&positions)? {
            let number = |at: usize| {
                f32::from_le_bytes([place[at], place[at + 1], place[at + 2], place[at + 3]])
            };
            let at = placed.transform_point3(Vec3::new(number(0), number(4), number(8)));
            vertices.push(at.to_array());
        }
        let mut corners = Vec::new();
        match primitive.indices() {
            None => corners.extend(0..count as u32),
            Some(indices) => {
                for index in self.elements(&indices)? {
                    let index = match *index {
                        [byte] => u32::from(byte),
                        [low, high] => u32::from(u16::from_le_bytes([low, high])),
                        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
                        _ => u32::MAX,
                    };
                    if index as usize >= count {
                        return Err(missing(format!("index {index}, with {count} positions")));
                    }
                    corners.push(index);
                }
            }
        }
        let total = self.triangles.len() + corners.len() / 3;
        if total > MAX_GLTF_TRIANGLES || base + count > u32::MAX as usize {
            return Err(WorldError::new(
                WorldErrorKind::Limit,
                format!("with it the scene has more than {MAX_GLTF_TRIANGLES} triangles"),
            ));
        }
        // A placement that mirrors turns the inside of triangles out.
        let mirrored = placed.determinant() < 0.0;
        self.vertices.append(&mut vertices);
        let material = primitive.material();
        let name = material.name().map(str::to_owned);
        self.runs.push((self.triangles.len() as u32, name));
        for corners in corners.chunks_exact(3) {
            let [a, b, c] = [corners[0], corners[1], corners[2]].map(|v| v + base as u32);
            let place = |corner: u32| Vec3::from(self.vertices[corner as usize]);
            let turned = match material.double_sided() {
                true => (place(b) - place(a)).cross(place(c) - place(a)).y < 0.0,
                false => mirrored,
            };
            self.triangles.push(if turned { [a, c, b] } else { [a, b, c] });
        }
        Ok(())
    }

    /// Returns the bytes of each element of an accessor.
    fn elements(
        &self,
        accessor: &Accessor<'_>,
    ) -> Result<impl Iterator<Item = &[u8]> + use<'_>, WorldError> {
        let number = accessor.index();
        let view = match accessor.view() {
            Some(view) if accessor.sparse().is_none() => view,
            _ => {
                let message = format!("accessor {number} is sparse, which is not read");
                return Err(WorldError::new(WorldErrorKind::NotRepresentable, message));
            }
        };
        let (size, count) = (accessor.size(), accessor.count());
        let stride = view.stride().unwrap_or(size).max(1);
        let slice = || {
            let buffer = self.buffers.get(view.buffer().index())?;
            let end = view.offset().checked_add(view.length())?;
            let slice = buffer.get(view.offset()..end)?.get(accessor.offset()..)?;
            let last = count.checked_sub(1)?.checked_mul(stride)?.checked_add(size)?;
            (last <= slice.len()).then_some(slice)
        };
        let slice = slice().ok_or_else(|| {
            let message = format!("accessor {number} reaches beyond its buffer");
            WorldError::new(WorldErrorKind::Dimensions, message)
        })?;
        Ok((0..count).map(move |index| &slice[index * stride..index * stride + size]))
    }
}

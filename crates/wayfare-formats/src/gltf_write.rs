//! Writing glTF 2.0: one binary file, with a primitive for each material.

use serde_json::json;

use crate::obj::TriangleMesh;

/// Writes a mesh as `.glb`. Triangles are grouped by material, in the order of the materials;
/// triangles without one come first. Reading it back gives the same triangles, by their corners.
///
/// ```
/// use wayfare_formats::{gltf, obj};
///
/// let mesh = obj::read(b"usemtl mud\nv 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n")?;
/// let read = gltf::read(&gltf::write(&mesh))?;
/// assert_eq!((read.vertices(), read.materials()), (mesh.vertices(), mesh.materials()));
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
pub fn write(mesh: &TriangleMesh) -> Vec<u8> {
    let mut groups: Vec<Vec<[u32; 3]>> = vec![Vec::new(); mesh.materials().len() + 1];
    for (number, triangle) in mesh.triangles().iter().enumerate() {
        groups[mesh.material(number).map_or(0, |material| material + 1)].push(*triangle);
    }
    let (mut binary, mut views, mut accessors) = (Vec::<u8>::new(), Vec::new(), Vec::new());
    let mut primitives = Vec::new();
    for (group, triangles) in groups.iter().enumerate().filter(|(_, group)| !group.is_empty()) {
        let (vertices, indices) = compact(mesh, triangles);
        let bounds = |pick: fn(f32, f32) -> f32| {
            let first = vertices.first().copied().unwrap_or_default();
            vertices.iter().fold(first, |bound, at| {
                [pick(bound[0], at[0]), pick(bound[1], at[1]), pick(bound[2], at[2])]
            })
        };
        let mut view = |bytes: &mut dyn Iterator<Item = [u8; 4]>, target: u32| {
            let start = binary.len();
            binary.extend(bytes.flatten());
            let length = binary.len() - start;
            views.push(json!({
                "buffer": 0, "byteOffset": start, "byteLength": length, "target": target
            }));
        };
        view(&mut vertices.iter().flatten().map(|number| number.to_le_bytes()), 34962);
        view(&mut indices.iter().map(|index| index.to_le_bytes()), 34963);
        let first = accessors.len();
        accessors.push(json!({
            "bufferView": first, "componentType": 5126, "count": vertices.len(), "type": "VEC3",
            "min": bounds(f32::min), "max": bounds(f32::max)
        }));
        accessors.push(json!({
            "bufferView": first + 1, "componentType": 5125, "count": indices.len(),
            "type": "SCALAR"
        }));
        let mut primitive = json!({ "attributes": { "POSITION": first }, "indices": first + 1 });
        if group > 0 {
            primitive["material"] = json!(group - 1);
        }
        primitives.push(primitive);
    }
    let materials: Vec<_> = mesh.materials().iter().map(|name| json!({ "name": name })).collect();
    let mut root = json!({ "asset": { "version": "2.0" } });
    // Lists may be left out, but not be empty.
    if !materials.is_empty() {
        root["materials"] = json!(materials);
    }
    if !primitives.is_empty() {
        root["scene"] = json!(0);
        root["scenes"] = json!([{ "nodes": [0] }]);
        root["nodes"] = json!([{ "mesh": 0 }]);
        root["meshes"] = json!([{ "primitives": primitives }]);
        root["accessors"] = json!(accessors);
        root["bufferViews"] = json!(views);
        root["buffers"] = json!([{ "byteLength": binary.len() }]);
    }
    container(root.to_string().into_bytes(), binary)
}

/// Returns the vertices that triangles use, and the triangles by those.
fn compact(mesh: &TriangleMesh, triangles: &[[u32; 3]]) -> (Vec<[f32; 3]>, Vec<u32>) {
    let mut used: Vec<u32> = triangles.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    let vertices = used.iter().map(|vertex| mesh.vertices()[*vertex as usize]).collect();
    // Each corner is among the used vertices, of which there are fewer than 2³².
    let place = |vertex: &u32| used.partition_point(|known| known < vertex) as u32;
    (vertices, triangles.iter().flatten().map(place).collect())
}

/// Returns a header, the JSON and the arrays, each padded to four bytes. Lengths have 32 bits in
/// the format; levels have megabytes.
fn container(mut json: Vec<u8>, mut binary: Vec<u8>) -> Vec<u8> {
    json.resize(json.len().next_multiple_of(4), b' ');
    binary.resize(binary.len().next_multiple_of(4), 0);
    let mut chunks = Vec::new();
    for (kind, chunk) in [(0x4E4F_534A_u32, &json), (0x004E_4942, &binary)] {
        if !chunk.is_empty() {
            chunks.extend((chunk.len() as u32).to_le_bytes());
            chunks.extend(kind.to_le_bytes());
            chunks.extend(chunk);
        }
    }
    let mut bytes = b"glTF".to_vec();
    bytes.extend(2u32.to_le_bytes());
    bytes.extend((12 + chunks.len() as u32).to_le_bytes());
    bytes.extend(chunks);
    bytes
}

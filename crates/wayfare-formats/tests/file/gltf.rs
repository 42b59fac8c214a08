//! Which way triangles of glTF levels face.

use base64::Engine as _;
use glam::Vec3;
use wayfare_formats::gltf;

/// A level of one triangle at height 0 with these corners.
fn triangle(corners: [[f32; 3]; 3], material: &str, node: &str) -> Vec3 {
    let bytes: Vec<u8> = corners.iter().flatten().flat_map(|part| part.to_le_bytes()).collect();
    let data = base64::engine::general_purpose::STANDARD.encode(bytes);
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0{node}}}],
        "materials":[{material}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"material":0}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3",
        "min":[0,0,0],"max":[1,0,1]}}],"bufferViews":[{{"buffer":0,"byteLength":36}}],
        "buffers":[{{"byteLength":36,"uri":"data:application/octet-stream;base64,{data}"}}]}}"#
    );
    let mesh = gltf::read(text.as_bytes()).unwrap();
    let [a, b, c] = mesh.triangles()[0].map(|corner| Vec3::from(mesh.vertices()[corner as usize]));
    (b - a).cross(c - a)
}

#[test]
fn double_sided_triangles_face_up() {
    let up = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
    let down = [up[0], up[2], up[1]];
    let mirror = r#","scale":[-1,1,1]"#;
    let (single, double) = (r#"{"name":"a"}"#, r#"{"name":"a","doubleSided":true}"#);
    assert!(triangle(up, single, "").y > 0.0);
    assert!(triangle(down, single, "").y < 0.0);
    assert!(triangle(up, single, mirror).y > 0.0, "mirrored as it was");
    for corners in [up, down] {
        for node in ["", mirror] {
            assert!(triangle(corners, double, node).y > 0.0);
        }
    }
}

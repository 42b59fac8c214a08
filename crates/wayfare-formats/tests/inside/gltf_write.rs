//! Meshes written as glTF and read again.

use wayfare_formats::{gltf, obj};

#[test]
fn triangles_keep_their_corners_and_materials() {
    let text = b"v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 0 1\nf 1 2 3\nusemtl a\nf 2 4 3\nusemtl b \"c\"\n\
                 f 1 3 2\nusemtl a\nf 1 2 4\n";
    let mesh = obj::read(text).expect("a mesh");
    let read = gltf::read(&gltf::write(&mesh)).expect("a scene");
    let soup = |mesh: &obj::TriangleMesh| {
        let mut soup: Vec<_> = (0..mesh.triangles().len())
            .map(|number| {
                let corners = mesh.triangles()[number].map(|v| mesh.vertices()[v as usize]);
                let name = mesh.material(number).map(|of| mesh.materials()[of].clone());
                (name, format!("{corners:?}"))
            })
            .collect();
        soup.sort();
        soup
    };
    assert_eq!(soup(&read), soup(&mesh));
    let empty = gltf::read(&gltf::write(&obj::TriangleMesh::default())).expect("nothing");
    assert!(empty.triangles().is_empty());
}

//! Bakes of levels made of boxes: ground, areas, links.

use wayfare_bake::LevelGeometry;

mod jumps;
mod levels;
mod tiles;

/// Boxes given by two opposite corners, as triangles that face outwards.
pub(crate) fn boxes(list: &[[[f32; 3]; 2]]) -> LevelGeometry {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for [low, high] in list {
        let base = vertices.len() as u32;
        for corner in 0..8_usize {
            let pick = |axis: usize| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] };
            vertices.push([pick(0), pick(1), pick(2)].into());
        }
        // Corner numbers: 1 for x, 2 for y, 4 for z.
        let faces: [[u32; 4]; 6] =
            [[2, 6, 7, 3], [0, 1, 5, 4], [0, 4, 6, 2], [1, 3, 7, 5], [0, 2, 3, 1], [4, 5, 7, 6]];
        for face in faces {
            let [a, b, c, d] = face.map(|corner| base + corner);
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    LevelGeometry::new(vertices, triangles).unwrap()
}

//! Geometry of levels: boxes, walls with openings, stairs and ramps, as the text of an OBJ file.

use std::fmt::Write as _;

use wayfare_formats::obj::{self, TriangleMesh};

use crate::GenerateError;

/// A level in the making: boxes, walls, stairs and ramps. Lengths are metres, y is up.
///
/// ```
/// use wayfare_generate::parts::LevelBuilder;
///
/// let mut level = LevelBuilder::default();
/// level.material("floor");
/// level.block([0.0, -0.5, 0.0], [4.0, 0.0, 4.0]);
/// let mesh = level.finish()?;
/// assert_eq!((mesh.triangles().len(), mesh.materials()), (12, &["floor".to_owned()][..]));
/// # Ok::<(), wayfare_generate::GenerateError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct LevelBuilder {
    text: String,
    vertices: usize,
}

/// Hollow boxes higher than this have room for a walker within, so they are built in layers.
const LAYER: f32 = 1.5;

impl LevelBuilder {
    /// Sets the material of all later parts.
    pub fn material(&mut self, name: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "usemtl {name}");
    }

    /// Builds a box between the corner with the lowest x, y and z and the one with the highest; in
    /// layers, so that nothing can stand within. A box without extent is left out.
    pub fn block(&mut self, low: [f32; 3], high: [f32; 3]) {
        if (0..3).any(|axis| low[axis] >= high[axis]) {
            return;
        }
        let layers = ((high[1] - low[1]) / LAYER).ceil().max(1.0);
        let mut bottom = low[1];
        // A few layers: exact as floats.
        for layer in 1..=layers as u32 {
            let top = low[1] + (high[1] - low[1]) * (layer as f32 / layers);
            self.hull([low[0], bottom, low[2]], [high[0], top, high[2]]);
            bottom = top;
        }
    }

    /// Stairs that rise along x from `low` to `high`, of solid steps 0.2 m high at most. They rise
    /// westwards if `low` has the higher x.
    pub fn stairs(&mut self, low: [f32; 3], high: [f32; 3]) {
        let steps = ((high[1] - low[1]) / 0.2).ceil().max(1.0);
        for step in 0..steps as u32 {
            let [from, to] = [step, step + 1].map(|step| step as f32 / steps);
            let along = |share: f32| low[0] + (high[0] - low[0]) * share;
            let top = low[1] + (high[1] - low[1]) * to;
            let [x0, x1] = sorted(along(from), along(to));
            self.block([x0, low[1], low[2]], [x1, top, high[2]]);
        }
    }

    /// Builds a ramp that rises along x from `low` to `high`, with as many supports as needed to
    /// fill it. It rises westwards if `low` has the higher x.
    pub fn ramp(&mut self, low: [f32; 3], high: [f32; 3]) {
        let [x0, y0, z0] = low;
        let [x1, y1, z1] = high;
        let foot = [self.vertex([x0, y0, z0]), self.vertex([x0, y0, z1])];
        let base = [self.vertex([x1, y0, z0]), self.vertex([x1, y0, z1])];
        let head = [self.vertex([x1, y1, z0]), self.vertex([x1, y1, z1])];
        let faces: [&[usize]; 4] = [
            &[foot[0], foot[1], head[1], head[0]],
            &[base[0], head[0], head[1], base[1]],
            &[foot[0], head[0], base[0]],
            &[foot[1], base[1], head[1]],
        ];
        for face in faces {
            let mut face = face.to_vec();
            // Faces turn outwards: turned over, in the other order.
            if x1 < x0 {
                face.reverse();
            }
            self.face(&face);
        }
        // Under the higher part is room to stand, which steps fill.
        let parts = 12;
        for part in 1..parts {
            let [from, to] = [part, part + 1].map(|part| part as f32 / parts as f32);
            let top = y0 + (y1 - y0) * from - 0.1;
            let along = |share: f32| x0 + (x1 - x0) * share;
            let [from, to] = sorted(along(from), along(to));
            self.block([from, y0, z0 + 0.01], [to - 0.01, top, z1 - 0.01]);
        }
    }

    /// Returns the triangles.
    ///
    /// # Errors
    /// When a coordinate is not finite.
    pub fn finish(&self) -> Result<TriangleMesh, GenerateError> {
        Ok(obj::read(self.text.as_bytes())?)
    }

    fn vertex(&mut self, [x, y, z]: [f32; 3]) -> usize {
        let _ = writeln!(self.text, "v {x} {y} {z}");
        self.vertices += 1;
        self.vertices
    }

    fn face(&mut self, corners: &[usize]) {
        let words: Vec<String> = corners.iter().map(ToString::to_string).collect();
        let _ = writeln!(self.text, "f {}", words.join(" "));
    }

    fn hull(&mut self, low: [f32; 3], high: [f32; 3]) {
        let corners: Vec<usize> = (0..8_usize)
            .map(|corner| {
                let pick =
                    |axis: usize| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] };
                self.vertex([pick(0), pick(1), pick(2)])
            })
            .collect();
        // Bits of a corner's index: 1 for the higher x, 2 for y, 4 for z. Faces turn outwards.
        for face in
            [[2, 6, 7, 3], [0, 1, 5, 4], [0, 4, 6, 2], [1, 3, 7, 5], [0, 2, 3, 1], [4, 5, 7, 6]]
        {
            self.face(&face.map(|corner: usize| corners[corner]));
        }
    }
}

fn sorted(one: f32, other: f32) -> [f32; 2] {
    [one.min(other), one.max(other)]
}

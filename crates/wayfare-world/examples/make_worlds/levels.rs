//! Levels of triangles to bake navigation meshes from: a house and a courtyard.

use std::fmt::Write as _;

use wayfare_world::obj::{self, TriangleMesh};
use wayfare_world::{World, WorldError};

/// A level under construction: the text of an OBJ file.
#[derive(Default)]
struct Builder {
    text: String,
    vertices: usize,
}

impl Builder {
    fn material(&mut self, name: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.text, "usemtl {name}");
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

    /// A box between two opposite corners.
    fn block(&mut self, low: [f32; 3], high: [f32; 3]) {
        let corners: Vec<usize> = (0..8_usize)
            .map(|corner| {
                let pick =
                    |axis: usize| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] };
                self.vertex([pick(0), pick(1), pick(2)])
            })
            .collect();
        // Corner numbers: 1 for x, 2 for y, 4 for z. Faces turn outwards.
        for face in
            [[2, 6, 7, 3], [0, 1, 5, 4], [0, 4, 6, 2], [1, 3, 7, 5], [0, 2, 3, 1], [4, 5, 7, 6]]
        {
            self.face(&face.map(|corner: usize| corners[corner]));
        }
    }

    /// A ramp that rises from `low` to `high` along x, or falls if `low[0]` is the larger x.
    fn ramp(&mut self, low: [f32; 3], high: [f32; 3]) {
        let [x0, y0, z0] = low;
        let [x1, y1, z1] = high;
        let foot = [self.vertex([x0, y0, z0]), self.vertex([x0, y0, z1])];
        let base = [self.vertex([x1, y0, z0]), self.vertex([x1, y0, z1])];
        let head = [self.vertex([x1, y1, z0]), self.vertex([x1, y1, z1])];
        let faces = [
            vec![foot[0], foot[1], head[1], head[0]],
            vec![base[0], head[0], head[1], base[1]],
            vec![foot[0], head[0], base[0]],
            vec![foot[1], base[1], head[1]],
        ];
        for mut face in faces {
            if x1 < x0 {
                face.reverse();
            }
            self.face(&face);
        }
    }

    fn world(&self) -> Result<World, WorldError> {
        let mesh: TriangleMesh = obj::read(self.text.as_bytes())?;
        Ok(World::Mesh(mesh))
    }
}

/// A house of two storeys with stairs, three rooms below and two above, in a garden with a path and
/// a muddy bed. One room above is shut by a door; a ladder leads to its window. It has no roof, so
/// that pictures show its rooms.
pub(super) fn house() -> Result<World, WorldError> {
    let mut level = Builder::default();
    level.material("grass");
    level.block([-6.0, -0.5, -6.0], [18.0, 0.0, -0.9]);
    level.block([-6.0, -0.5, -0.9], [-1.0, 0.0, 16.0]);
    level.block([13.0, -0.5, -0.9], [18.0, 0.0, 16.0]);
    level.block([-1.0, -0.5, 10.9], [5.0, 0.0, 16.0]);
    level.block([6.6, -0.5, 10.9], [13.0, 0.0, 16.0]);
    level.material("path");
    level.block([5.0, -0.5, 10.9], [6.6, 0.02, 16.0]);
    level.material("mud");
    level.block([14.0, -0.4, 2.0], [17.0, 0.1, 7.0]);
    level.material("floor");
    level.block([-1.0, -0.5, -0.9], [13.0, 0.15, 10.9]);

    level.material("wall");
    let walls: [[f32; 4]; 12] = [
        // Outer walls of the ground floor, with a door in the south: x, z, x, z.
        [0.0, 0.0, 12.0, 0.25],
        [0.0, 9.75, 5.0, 10.0],
        [6.6, 9.75, 12.0, 10.0],
        [0.0, 0.25, 0.25, 9.75],
        [11.75, 0.25, 12.0, 4.0],
        [11.75, 5.4, 12.0, 9.75],
        // Between the hall and the kitchen, with a door; between the kitchen and the parlour.
        [7.0, 3.2, 7.2, 5.0],
        [7.0, 6.4, 7.2, 9.75],
        [7.2, 5.9, 9.0, 6.1],
        [10.3, 5.9, 11.75, 6.1],
        [3.4, 3.2, 3.6, 6.2],
        [3.4, 7.6, 3.6, 9.75],
    ];
    for [x0, z0, x1, z1] in walls {
        level.block([x0, 0.1, z0], [x1, 3.0, z1]);
    }
    level.material("furniture");
    level.block([9.0, 0.15, 7.4], [10.6, 0.9, 8.4]);
    level.block([0.6, 0.15, 7.8], [2.2, 0.65, 9.4]);
    level.block([8.4, 0.15, 1.0], [11.2, 1.05, 1.6]);

    // Stairs along the north wall: 16 steps of 18 cm.
    level.material("stairs");
    for step in 0..16_u8 {
        let x = 1.8 + 0.3 * f32::from(step);
        let top = 0.15 + 0.178_125 * f32::from(step + 1);
        level.block([x, (top - 0.5).max(0.1), 0.25], [x + 0.3, top, 1.75]);
    }
    // The upper floor, open above the stairs.
    level.material("floor");
    level.block([0.0, 2.8, 1.75], [12.0, 3.0, 10.0]);
    level.block([6.6, 2.8, 0.0], [12.0, 3.0, 1.75]);
    level.block([0.0, 2.8, 0.0], [0.6, 3.0, 1.75]);
    level.material("wall");
    let upper: [[f32; 4]; 9] = [
        [0.0, 0.0, 12.0, 0.25],
        // A window in the south and one in the west.
        [0.0, 9.75, 3.4, 10.0],
        [4.4, 9.75, 12.0, 10.0],
        [0.0, 0.25, 0.25, 5.4],
        [0.0, 6.2, 0.25, 9.75],
        [11.75, 0.25, 12.0, 9.75],
        [6.0, 4.6, 6.2, 9.75],
        [0.25, 4.4, 3.0, 4.6],
        [4.4, 4.4, 6.2, 4.6],
    ];
    for [x0, z0, x1, z1] in upper {
        level.block([x0, 3.0, z0], [x1, 5.2, z1]);
    }
    level.block([3.4, 3.0, 9.75], [4.4, 3.8, 10.0]);
    level.block([0.0, 3.0, 5.4], [0.25, 3.8, 6.2]);
    level.block([0.6, 3.0, 1.75], [6.6, 3.9, 1.85]); // the rail beside the stairs
    level.material("furniture");
    level.block([0.6, 3.0, 7.2], [2.6, 3.5, 9.2]);
    level.block([9.0, 3.0, 8.6], [11.2, 3.8, 9.5]);
    // The door of the room with the chest, and a ladder to its western window.
    level.material("door");
    level.block([3.0, 3.0, 4.45], [4.4, 4.9, 4.55]);
    level.material("wood");
    for z in [5.5, 6.0] {
        level.block([-0.12, 0.1, z], [-0.04, 3.5, z + 0.1]);
    }
    for rung in 0..11_u8 {
        let y = 0.35 + 0.3 * f32::from(rung);
        level.block([-0.1, y, 5.6], [-0.05, y + 0.05, 6.0]);
    }
    level.world()
}

/// A courtyard between walls: two terraces, a ramp to one and stairs to the other, a bridge between
/// them that can be walked under, a pond and a column in each corner.
pub(super) fn courtyard() -> Result<World, WorldError> {
    let mut level = Builder::default();
    level.material("paving");
    level.block([0.0, -0.5, 0.0], [32.0, 0.0, 24.0]);
    level.material("water");
    level.block([12.0, -0.4, 15.0], [20.0, 0.04, 20.0]);
    level.material("wall");
    for [x0, z0, x1, z1] in [
        [0.0, 0.0, 32.0, 0.5],
        [0.0, 23.5, 14.5, 24.0],
        [17.5, 23.5, 32.0, 24.0],
        [0.0, 0.5, 0.5, 23.5],
        [31.5, 0.5, 32.0, 23.5],
    ] {
        level.block([x0, -0.1, z0], [x1, 1.4, z1]);
        level.block([x0, 1.4, z0], [x1, 3.4, z1]);
    }
    // Terraces in two layers: nothing can stand within.
    level.material("terrace");
    for [x0, x1] in [[0.5, 8.0], [24.0, 31.5]] {
        level.block([x0, -0.1, 0.5], [x1, 1.3, 9.0]);
        level.block([x0, 1.3, 0.5], [x1, 2.6, 9.0]);
    }
    level.material("bridge");
    level.block([8.0, 2.3, 3.0], [24.0, 2.6, 6.0]);
    for z in [3.0, 5.8] {
        level.block([8.0, 2.6, z], [24.0, 3.5, z + 0.2]);
    }
    for x in [13.0, 18.6] {
        level.block([x, -0.1, 3.2], [x + 0.4, 2.3, 3.6]);
        level.block([x, -0.1, 5.4], [x + 0.4, 2.3, 5.8]);
    }
    // A ramp up to the western terrace, stairs up to the eastern one.
    level.material("ramp");
    level.ramp([16.0, 0.0, 6.6], [8.0, 2.6, 8.8]);
    level.material("stairs");
    for step in 0..13_u8 {
        let (x, top) = (19.8 + 0.32 * f32::from(step), 0.2 * f32::from(step + 1));
        level.block([x, (top - 0.7).max(-0.1), 6.6], [x + 0.34, top, 8.8]);
    }
    level.material("column");
    for (x, z) in [(4.0, 13.0), (27.4, 13.0), (4.0, 20.0), (27.4, 20.0), (9.4, 12.2), (22.0, 12.2)]
    {
        level.block([x, -0.1, z], [x + 0.6, 1.5, z + 0.6]);
        level.block([x, 1.5, z], [x + 0.6, 3.2, z + 0.6]);
    }
    level.material("bench");
    level.block([13.0, -0.1, 12.6], [15.4, 0.45, 13.2]);
    level.block([16.6, -0.1, 12.6], [19.0, 0.45, 13.2]);
    level.world()
}

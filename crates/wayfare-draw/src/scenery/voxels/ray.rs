//! Rays along the diagonal of a block: one for each triangle of the picture; its first hit is seen.
//!
//! From a corner, a block is as high in the picture as it is wide. So its three faces fill six
//! triangles of one lattice exactly. Hidden blocks are never read, nothing is sorted, and nothing
//! is drawn twice.

/// A visible face of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Face {
    /// Up.
    Top,
    /// To higher x: right.
    Right,
    /// To higher z: left.
    Left,
}

/// The blocks behind a triangle, the nearest first, each with the face that the ray enters it by.
pub struct Ray {
    at: [i32; 3],
    face: Face,
    /// Whether the triangle points left.
    leftwards: bool,
    begun: bool,
}

impl Ray {
    /// Returns the ray through the triangle at a column and row, counted from the projection of the
    /// world's origin, into a world of size `size`.
    pub fn new(column: i32, row: i32, size: [u32; 3]) -> Self {
        let leftwards = (column ^ row) & 1 == 0;
        let [p, q] = if leftwards { [column, row] } else { [column, row - 1] };
        // Blocks with x − z = p and x + z − 2y = q show their right face here.
        let (x, z) = ((p + q) / 2, (q - p) / 2);
        let [width, height, depth] = size.map(|side| side as i32);
        let y = height.min(width - x).min(depth - z);
        Self { at: [x + y, y, z + y], face: Face::Right, leftwards, begun: false }
    }
}

impl Iterator for Ray {
    type Item = ([i32; 3], Face);

    fn next(&mut self) -> Option<Self::Item> {
        if self.begun {
            let (axis, face) = match (self.face, self.leftwards) {
                (Face::Right, true) | (Face::Top, false) => (2, Face::Left),
                (Face::Left, true) | (Face::Right, false) => (1, Face::Top),
                (Face::Top, true) | (Face::Left, false) => (0, Face::Right),
            };
            self.at[axis] -= 1;
            self.face = face;
        }
        self.begun = true;
        // All coordinates fall, so below the world the ray has left it.
        (self.at.into_iter().min() >= Some(0)).then_some((self.at, self.face))
    }
}

//! Moves through volumes, in 26 directions. The whole bounding box of a move must be free.

/// The middle of a cube of 27 bits: see `Near::cube`.
pub const CENTRE: u32 = 13;
/// The six voxels that share a face with the middle.
pub(crate) const FACES: u32 = 1 << 4 | 1 << 22 | 1 << 10 | 1 << 16 | 1 << 12 | 1 << 14;
/// A cube of free voxels.
pub const OPEN: u32 = (1 << 27) - 1;

/// The planes through the middle, across y, x and z.
const PLANES: [(u32, u32); 3] = [
    (1, 0b010_010_010_010_010_010_010_010_010),
    (3, 0b000_111_000_000_111_000_000_111_000),
    (9, 0b000_000_000_111_111_111_000_000_000),
];

/// Returns the successors of a free voxel: the neighbours with a free bounding box.
///
/// All 26 at once: along each axis in turn, a voxel stays if its neighbour in the plane through the
/// middle does. After the three axes all voxels of its bounding box have been asked.
#[inline]
pub fn reachable(cube: u32) -> u32 {
    let boxes = PLANES.into_iter().fold(cube, |cube, (step, plane)| {
        let middle = cube & plane;
        cube & (middle | middle << step | middle >> step)
    });
    boxes & !(1 << CENTRE)
}

/// Returns the offset of a bit of a cube along x, y and z.
#[inline]
pub const fn offset(bit: u32) -> [i32; 3] {
    [(bit / 3 % 3) as i32 - 1, (bit % 3) as i32 - 1, (bit / 9) as i32 - 1]
}

/// Returns the bit at an offset of at most 1 along each axis.
#[inline]
pub const fn bit([x, y, z]: [i32; 3]) -> u32 {
    (9 * (z + 1) + 3 * (x + 1) + y + 1) as u32
}

/// The lengths of moves along one, two and three axes, by the bit of their target.
pub(crate) const LENGTHS: [u32; 27] = {
    let mut lengths = [0; 27];
    let mut at = 0;
    while at < 27 {
        let [x, y, z] = offset(at);
        lengths[at as usize] = match x * x + y * y + z * z {
            0 => 0,
            1 => super::VOXEL_STRAIGHT,
            2 => super::VOXEL_DIAGONAL,
            _ => super::VOXEL_SPACE_DIAGONAL,
        };
        at += 1;
    }
    lengths
};

/// Returns the positions of the set bits, lowest first.
#[inline]
pub(crate) fn bits(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let bit = set.trailing_zeros();
            set &= set - 1;
            bit
        })
    })
}

/// Returns the bounding box of two voxels of a cube, as bits.
pub fn bounding_box(a: [i32; 3], b: [i32; 3]) -> u32 {
    (0..27)
        .filter(|&at| {
            let place = offset(at);
            (0..3).all(|axis| (a[axis].min(b[axis])..=a[axis].max(b[axis])).contains(&place[axis]))
        })
        .fold(0, |bits, at| bits | 1 << at)
}

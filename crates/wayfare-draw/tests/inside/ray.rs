//! Rays through voxel worlds.

use wayfare_draw::inside::ray::{Face, Ray};

#[test]
fn a_block_alone_fills_six_triangles() {
    let size = [5, 5, 5];
    let block = [2, 1, 3];
    let mut seen = Vec::new();
    for column in -6..6 {
        for row in -12..12 {
            if let Some((_, face)) = Ray::new(column, row, size).find(|(at, _)| *at == block) {
                seen.push((column, row, face));
            }
        }
    }
    // Its nearest corner lies at column x − z and row x + z − 2y.
    let (column, row) = (-1, 3);
    let expected = [
        (column - 1, row - 1, Face::Top),
        (column - 1, row, Face::Left),
        (column - 1, row + 1, Face::Left),
        (column, row - 1, Face::Top),
        (column, row, Face::Right),
        (column, row + 1, Face::Right),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn each_ray_meets_neighbours_only_and_misses_no_block() {
    let size = [4u32, 3, 5];
    let mut met = 0;
    for column in -8..8 {
        for row in -12..14 {
            let ray: Vec<_> = Ray::new(column, row, size).collect();
            for pair in ray.windows(2) {
                let apart: i32 = (0..3).map(|axis| pair[0].0[axis] - pair[1].0[axis]).sum();
                assert_eq!(apart, 1);
            }
            let inside = |at: &[i32; 3]| (0..3).all(|axis| (at[axis] as u32) < size[axis]);
            met += ray.iter().filter(|(at, _)| inside(at)).count();
        }
    }
    assert_eq!(met, 6 * 4 * 3 * 5);
}

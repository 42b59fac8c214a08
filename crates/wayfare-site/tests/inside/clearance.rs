//! Clearances, against the distance to the nearest wall.

use wayfare_site::inside::clearance::clearances;

#[test]
fn they_are_near_the_straight_line_on_random_maps() {
    let (width, height) = (17_usize, 11_usize);
    let mut seed = 7_u32;
    for _ in 0..40 {
        let free: Vec<bool> = (0..width * height)
            .map(|_| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                seed >> 28 != 0
            })
            .collect();
        let known = clearances(width, height, |cell| free[cell]);
        let blocked = |x: i32, y: i32| {
            let is_inside = (0..width as i32).contains(&x) && (0..height as i32).contains(&y);
            !is_inside || !free[y as usize * width + x as usize]
        };
        for (cell, &clearance) in known.iter().enumerate() {
            let (x, y) = ((cell % width) as i32, (cell / width) as i32);
            let mut nearest = f32::INFINITY;
            for to_y in -1..=height as i32 {
                for to_x in -1..=width as i32 {
                    if blocked(to_x, to_y) {
                        let square = (to_x - x).pow(2) + (to_y - y).pow(2);
                        nearest = nearest.min((square as f32).sqrt());
                    }
                }
            }
            let is_near = (nearest * 0.92 - 1e-4..=nearest * 1.09 + 1e-4).contains(&clearance);
            assert!(is_near, "{x},{y}: {clearance}, in a straight line {nearest}");
        }
    }
}

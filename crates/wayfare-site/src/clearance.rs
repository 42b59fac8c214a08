//! How far free cells are from blocked ones.
//!
//! Two passes over the cells, forwards and backwards, hand on the distance from neighbours: 3 for a
//! straight step, 4 for a diagonal one, in thirds of a cell. The metric is within 6 % of
//! the straight line. Source: Borgefors, "Distance transformations in digital
//! images", 1986.

/// Returns for each cell, row by row, the distance from its centre to that of the nearest cell that
/// is not free, in cells: 0 if it is not free itself. Beyond the map nothing is free.
pub fn clearances(width: usize, height: usize, is_free: impl Fn(usize) -> bool) -> Vec<f32> {
    const STRAIGHT: u32 = 3;
    const DIAGONAL: u32 = 4;
    // One cell more on each side: the edge of the map.
    let wide = width + 2;
    let mut far = vec![0_u32; wide * (height + 2)];
    let place = |cell: usize| (cell / width + 1) * wide + cell % width + 1;
    for cell in (0..width * height).filter(|&cell| is_free(cell)) {
        far[place(cell)] = u32::MAX / 2;
    }
    for cell in 0..width * height {
        let at = place(cell);
        let before = [(1, STRAIGHT), (wide, STRAIGHT), (wide + 1, DIAGONAL), (wide - 1, DIAGONAL)];
        let near = before.map(|(back, step)| far[at - back] + step);
        far[at] = near.into_iter().fold(far[at], u32::min);
    }
    for cell in (0..width * height).rev() {
        let at = place(cell);
        let after = [(1, STRAIGHT), (wide, STRAIGHT), (wide + 1, DIAGONAL), (wide - 1, DIAGONAL)];
        let near = after.map(|(ahead, step)| far[at + ahead] + step);
        far[at] = near.into_iter().fold(far[at], u32::min);
    }
    (0..width * height).map(|cell| far[place(cell)] as f32 / STRAIGHT as f32).collect()
}

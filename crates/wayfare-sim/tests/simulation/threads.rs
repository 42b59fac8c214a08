//! Threads change nothing but the time it takes.

use wayfare_grid::grid::Grid;

use crate::anything::{any_cells, any_simulation};
use crate::dice::Dice;

#[test]
fn one_thread_or_two_make_no_difference() {
    let hashes = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut dice = Dice(9);
            let grid = Grid::from_rows(&["........................................"; 40]).unwrap();
            let states = any_cells(&grid);
            let mut simulation = any_simulation(grid, &states, 60, 200, &mut dice, |_| None);
            simulation.set_work_per_tick(3_000);
            (0..200)
                .map(|_| {
                    simulation.tick();
                    simulation.hash()
                })
                .collect::<Vec<u64>>()
        })
    };
    assert_eq!(hashes(1), hashes(2));
}

#[test]
fn one_thread_or_three_make_no_difference_to_a_crowd() {
    let hashes = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (mut simulation, _) = crate::avoidance::ring(300, 16.0);
            (0..60)
                .map(|_| {
                    simulation.tick();
                    simulation.hash()
                })
                .collect::<Vec<u64>>()
        })
    };
    assert_eq!(hashes(1), hashes(3));
}

//! Once under way, moving agents takes no memory.

use wayfare_sim::agent::{Order, PatrolOrder};

use crate::support::{agent, at, on_grid, patrol};

#[test]
fn following_paths_and_deciding_allocates_nothing() {
    let (mut simulation, class) = on_grid(&["........................................"; 30]);
    for number in 0..60u32 {
        let near = at(number % 40, number / 3);
        let rounds = patrol(&[near], PatrolOrder::Loop, 100.0);
        let walker = simulation.add_agent(agent("walker", class, near).behaviour(rounds)).unwrap();
        if number % 2 == 0 {
            simulation.order(walker, Order::GoTo(at(39 - number % 40, 29 - number / 3)));
        }
    }
    for _ in 0..20 {
        simulation.tick();
    }
    // All paths are found, and nobody is there yet: two seconds of walking.
    let allocations = allocation_counter::measure(|| {
        for _ in 0..40 {
            simulation.tick();
        }
    });
    assert!(simulation.agents().filter(|agent| agent.speed() > 1.0).count() > 20);
    assert_eq!(allocations.count_total, 0);
}

//! Crowds that avoid each other, beside the crate `dodgy_2d`.
//!
//! Four tables: what a step costs an agent, how journeys end, what a tick of a simulation costs
//! with and without avoidance, and who does not arrive where bodies stand in each other's way.
//!
//! Bodies have the parameters of the official circle of RVO2: radius 1.5, speed at most 2, 10
//! neighbours within 15, a horizon of 10 seconds, steps of a quarter. The crate `dodgy_2d` has no
//! search for neighbours: it gets one by cells, within its time. Ours also parts bodies and proves
//! all distances within its time. Times of steps and ticks are those of the whole
//! process, with one thread in the pool.

mod arrivals;
mod cost;
mod journeys;
mod peer;
mod scenes;
mod ticks;

/// Measures and prints the tables, or the one of that name; of steps and ticks all scenes, or those
/// of the name `scene`, such as `dense`, or name and number of agents, such as `dense 10000`.
pub(crate) fn run(only: &str, scene: &str) -> Result<bool, String> {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let one = one.map_err(|fault| fault.to_string())?;
    let mut is_met = true;
    if "steps".contains(only) {
        one.install(|| cost::run(scene))?;
        if scene.is_empty() {
            cost::run_threads()?;
        }
    }
    if "journeys".contains(only) {
        is_met &= one.install(journeys::run)?;
    }
    if "ticks".contains(only) {
        one.install(|| ticks::run(scene))?;
    }
    if "arrivals".contains(only) {
        one.install(|| arrivals::run(scene))?;
    }
    Ok(is_met)
}

//! What a step costs an agent.

use std::time::Instant;

use cpu_time::ProcessTime;
use wayfare::crowd::NoWalls;

use super::peer::Peer;
use super::scenes::{
    DT, RADIUS, RANGE, SPEED, Ways, body, circle, crowd, dense, is_meant, least_distance, prefer,
    sparse,
};

/// Steps measured.
const STEPS: u32 = 40;

/// A scene: its name, its ways, the numbers of agents, the steps before those measured, and the
/// side of cells that the peer does best with.
type Scene = (&'static str, fn(u32) -> Ways, &'static [u32], u32, f32);

/// Prints the table of costs. Steps of the two are taken in turns, each of a crowd of its own, and
/// the median counts.
pub(super) fn run(only: &str) -> Result<(), String> {
    println!(
        "{:<8} {:>7} {:>9} {:>13} {:>15} {:>12} {:>22}",
        "scene",
        "agents",
        "ours, ns",
        "dodgy_2d, ns",
        "ours / dodgy_2d",
        "allocations",
        "least distance, theirs"
    );
    // The circle of 1,000 is crossed in 800 steps. A dense square mixes at once.
    let scenes: [Scene; 4] = [
        ("circle", circle, &[1_000, 10_000], 200, RANGE),
        ("middle", circle, &[1_000], 1_500, 4.0 * RADIUS),
        ("sparse", sparse, &[1_000, 10_000, 100_000], 100, RANGE),
        ("dense", dense, &[1_000, 10_000, 100_000], 100, 4.0 * RADIUS),
    ];
    for (name, scene, counts, before, side) in scenes {
        for &count in counts.iter().filter(|count| is_meant(only, name, **count)) {
            let ways = scene(count);
            let mut crowd = crowd(&ways, body())?;
            let mut peer = Peer::of(&crowd, side);
            let (mut ours, mut theirs, mut allocations) = (Vec::new(), Vec::new(), 0);
            let mut least = [9.0f32; 2];
            for step in 0..before + STEPS {
                prefer(&mut crowd, &ways, SPEED)?;
                peer.prefer(&ways, SPEED);
                let (mut nanos, mut outcome) = (0.0, Ok(Default::default()));
                let counted = allocation_counter::measure(|| {
                    let begun = ProcessTime::now();
                    outcome = crowd.step(&NoWalls, DT);
                    nanos = begun.elapsed().as_secs_f64() * 1e9;
                });
                outcome.map_err(|fault| fault.to_string())?;
                let of_peer = peer.step();
                if step >= before {
                    ours.push(nanos);
                    theirs.push(of_peer);
                    allocations += counted.count_total;
                    let places = crowd.agents().map(|one| one.agent.position);
                    least[0] = least[0].min(least_distance(places, RADIUS));
                    least[1] = least[1].min(least_distance(peer.places(), RADIUS));
                }
            }
            let [ours, theirs] = [ours, theirs].map(|times| median(times) / f64::from(count));
            let [least, of_peer] = least;
            println!(
                "{name:<8} {count:>7} {ours:>9.0} {theirs:>13.0} {:>15.2} {allocations:>12} \
                 {least:>13.4} {of_peer:>8.4}",
                ours / theirs
            );
        }
    }
    Ok(())
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Prints how much faster a step is on two threads than on one, by the clock on the wall: both in
/// turns, medians.
pub(super) fn run_threads() -> Result<(), String> {
    for count in [1_000, 10_000, 100_000] {
        let ways = dense(count);
        let side = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.map_err(|fault| fault.to_string())?;
            Ok::<_, String>((pool, crowd(&ways, body())?, Vec::new()))
        };
        let mut sides = [side(1)?, side(2)?];
        for step in 0..140 {
            for (pool, crowd, times) in &mut sides {
                prefer(crowd, &ways, SPEED)?;
                let begun = Instant::now();
                pool.install(|| crowd.step(&NoWalls, DT)).map_err(|fault| fault.to_string())?;
                if step >= 100 {
                    times.push(begun.elapsed().as_secs_f64() * 1e9);
                }
            }
        }
        let [one, two] = sides.map(|(.., times)| median(times) / f64::from(count));
        println!(
            "dense, {count}, by the wall: one thread {one:.0} ns, two {two:.0} ns, {:.2}",
            one / two
        );
    }
    Ok(())
}

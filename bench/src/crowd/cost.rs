//! What a step costs an agent.

use std::time::Instant;

use cpu_time::ProcessTime;
use wayfare::crowd::NoWalls;

use super::peer::Peer;
use super::scenes::{
    DT, RADIUS, SPEED, Ways, body, circle, crowd, dense, is_meant, least_distance, prefer, sparse,
};

/// Steps measured.
const STEPS: u32 = 40;

/// A scene: its name, its ways, the numbers of agents.
type Scene = (&'static str, fn(u32) -> Ways, &'static [u32]);

/// Prints the table of costs; times are of the middle of the way, when the crowd is dense.
pub(super) fn run(only: &str) -> Result<(), String> {
    println!(
        "{:<8} {:>7} {:>9} {:>13} {:>6} {:>12} {:>14}",
        "scene", "agents", "ours, ns", "dodgy_2d, ns", "ratio", "allocations", "least distance"
    );
    let scenes: [Scene; 3] = [
        ("circle", circle, &[1_000, 10_000]),
        ("sparse", sparse, &[1_000, 10_000, 100_000]),
        ("dense", dense, &[1_000, 10_000, 100_000]),
    ];
    for (name, scene, counts) in scenes {
        let mut times = Vec::new();
        for &count in counts.iter().filter(|count| is_meant(only, name, **count)) {
            let ways = scene(count);
            let mut crowd = crowd(&ways, body())?;
            // The circle is crossed in 800 steps at 1,000; a dense square mixes at once.
            let before = if name == "circle" { 200 } else { 100 };
            let (mut ours, mut peer, mut peers, mut allocations) = (0.0, 0.0, 0u32, 0);
            let mut least = 9.0f32;
            for step in 0..before + STEPS {
                prefer(&mut crowd, &ways, SPEED)?;
                if step >= before && (step - before).is_multiple_of(STEPS / 2) {
                    peer += Peer::of(&crowd).velocities().1;
                    peers += 1;
                }
                let (mut nanos, mut outcome) = (0.0, Ok(Default::default()));
                let counted = allocation_counter::measure(|| {
                    let begun = ProcessTime::now();
                    outcome = crowd.step(&NoWalls, DT);
                    nanos = begun.elapsed().as_secs_f64() * 1e9;
                });
                outcome.map_err(|fault| fault.to_string())?;
                if step >= before {
                    ours += nanos;
                    allocations += counted.count_total;
                    let places = crowd.agents().map(|one| one.agent.position);
                    least = least.min(least_distance(places, RADIUS));
                }
            }
            let each = |total: f64, steps: u32| total / f64::from(steps) / f64::from(count);
            let (ours, peer) = (each(ours, STEPS), each(peer, peers));
            println!(
                "{name:<8} {count:>7} {ours:>9.0} {peer:>13.0} {:>6.2} {allocations:>12} {least:>14.4}",
                peer / ours
            );
            times.push(ours);
        }
        if let [first, .., last] = times[..] {
            println!("{name:<8} growth of an agent's cost: {:.2}", last / first);
        }
    }
    Ok(())
}

/// Prints how much faster a step is on two threads, by the clock on the wall: the least of the
/// steps counts.
pub(super) fn run_threads() -> Result<(), String> {
    let ways = dense(10_000);
    let mut least = [f64::INFINITY; 2];
    for (threads, least) in (1..).zip(&mut least) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|fault| fault.to_string())?;
        let mut crowd = crowd(&ways, body())?;
        for step in 0..140 {
            prefer(&mut crowd, &ways, SPEED)?;
            let begun = Instant::now();
            pool.install(|| crowd.step(&NoWalls, DT)).map_err(|fault| fault.to_string())?;
            if step >= 100 {
                *least = least.min(begun.elapsed().as_secs_f64() * 1e9);
            }
        }
    }
    let [one, two] = least.map(|nanos| nanos / ways.len() as f64);
    println!(
        "dense, 10,000, by the wall: one thread {one:.0} ns, two {two:.0} ns, {:.2}",
        one / two
    );
    Ok(())
}

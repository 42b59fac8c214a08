//! The table.

use crate::maps::BenchMap;
use crate::ours::Measured;

/// Prints the head.
pub(crate) fn head() {
    println!(
        "{:<22} {:>11} {:>7}  {:>10} {:>10} {:>9}  {:>10} {:>10}  {:>6}  {:>11} {:>12}",
        "map",
        "cells",
        "queries",
        "ours µs",
        "p99 µs",
        "expanded",
        "crate µs",
        "p99 µs",
        "ratio",
        "allocs/query",
        "scratch B/cell"
    );
}

pub(crate) fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len().max(1) as f64
}

pub(crate) fn percentile(times: &[f64], share: f64) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
        .get(((sorted.len() as f64 * share) as usize).min(sorted.len().saturating_sub(1)))
        .copied()
        .unwrap_or(0.0)
}

/// Prints the row of one map; says whether all costs were optimal on both sides.
pub(crate) fn row(map: &BenchMap, ours: &Measured, peer: &Measured) -> bool {
    let (our_mean, peer_mean) = (mean(&ours.times), mean(&peer.times));
    let queries = map.queries.len();
    println!(
        "{:<22} {:>11} {:>7}  {:>10.1} {:>10.1} {:>9.0}  {:>10.1} {:>10.1}  {:>5.2}x  {:>11.2} {:>12.1}",
        map.name,
        format!("{} x {}", map.grid.width(), map.grid.height()),
        queries,
        our_mean,
        percentile(&ours.times, 0.99),
        ours.expanded.unwrap_or(f64::NAN),
        peer_mean,
        percentile(&peer.times, 0.99),
        peer_mean / our_mean,
        ours.allocations.unwrap_or(f64::NAN),
        ours.scratch_per_cell.unwrap_or(f64::NAN),
    );
    for (who, measured) in [("ours", ours), ("the pathfinding crate", peer)] {
        if measured.optimal < queries {
            println!("    {who}: {} of {queries} costs optimal", measured.optimal);
        }
    }
    ours.optimal == queries
}

/// Prints what the columns mean.
pub(crate) fn foot() {
    println!();
    println!(
        "ours: A* with the octile estimate, cell-by-cell path included, one reused scratch, one thread."
    );
    println!(
        "crate: `pathfinding` 4, astar(), same moves, costs and estimate. ratio: its mean over ours."
    );
}

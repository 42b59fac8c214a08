//! The table.

use crate::maps::BenchMap;
use crate::ours::Measured;

/// Prints the head.
pub(crate) fn head() {
    println!(
        "{:<16} {:<28} {:>9} {:>9} {:>7} {:>9} {:>9} {:>7} {:>9}  {:>7} {:>7}  {:>6} {:>6}",
        "map",
        "who",
        "mean µs",
        "p99 µs",
        "p99/mean",
        "cold µs",
        "cold p99",
        "x warm",
        "expanded",
        "x peer",
        "x A*",
        "allocs",
        "B/cell"
    );
}

pub(crate) fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len().max(1) as f64
}

pub(crate) fn percentile(times: &[f64], share: f64) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = ((sorted.len() as f64 * share) as usize).min(sorted.len().saturating_sub(1));
    sorted.get(at).copied().unwrap_or(0.0)
}

/// Prints the rows of one map, with ratios against the peer and our A*; says whether all our costs
/// were optimal.
pub(crate) fn rows(map: &BenchMap, measured: &[(&str, Measured)]) -> bool {
    let of = |name: &str| {
        measured.iter().find(|(who, _)| *who == name).map_or(f64::NAN, |(_, m)| mean(&m.times))
    };
    let (peer, astar) = (of(crate::PEER), of(crate::ASTAR));
    let mut all_optimal = true;
    for (who, measured) in measured {
        // What moves otherwise is held against its own peer.
        let (peer, astar) = match who.split_once(": ") {
            Some((rules, _)) => (
                of(&format!("{rules}: grid_pathfinding"))
                    .min(of(&format!("{rules}: {}", crate::PEER))),
                of(&format!("{rules}: {}", crate::ASTAR)),
            ),
            None => (peer, astar),
        };
        let mean = mean(&measured.times);
        let p99 = percentile(&measured.times, 0.99);
        print!("{:<16} {who:<28} {mean:>9.2} {p99:>9.2} {:>7.1} ", map.name, p99 / mean);
        if measured.cold.times.is_empty() {
            print!("{:>9} {:>9} {:>7} ", "", "", "");
        } else {
            let cold = self::mean(&measured.cold.times);
            let p99 = percentile(&measured.cold.times, 0.99);
            print!("{cold:>9.2} {p99:>9.2} {:>7.1} ", cold / mean);
        }
        match &measured.counts {
            None => print!("{:>9}  {:>7.1} {:>7.1}", "", peer / mean, astar / mean),
            Some(counts) => print!(
                "{:>9.0}  {:>7.1} {:>7.1}  {:>6.2} {:>6.1}",
                counts.expanded,
                peer / mean,
                astar / mean,
                counts.allocations,
                counts.scratch_per_cell
            ),
        }
        if let Some(index) = measured.index {
            print!("  built in {:.2} s, {:.1} MB", index.seconds, index.bytes as f64 / 1e6);
        }
        if let Some(misses) = measured.cold.misses {
            print!("  {misses:.0} misses cold");
        }
        let queries = map.queries.len();
        if measured.optimal < queries {
            print!("  {} of {queries} costs optimal", measured.optimal);
            all_optimal &= who.contains("crate") || who.contains("pathfinding");
        }
        println!();
    }
    all_optimal
}

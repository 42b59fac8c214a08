//! Cold caches: memory is walked before each query, as a game does when it draws a frame between
//! two of them.
//!
//! The walk reads and writes a word of each cache line of a buffer of twice the last-level cache.
//! It leaves nothing of the query before in any cache: neither maps and nodes nor code.
//! `sweep=16` walks 16 MB instead, which clear the private caches of a core and leave the shared
//! one; `sweep=0` leaves the cold columns out.

use std::cell::RefCell;
use std::sync::OnceLock;

use crate::misses;

/// Walked where the size of the last-level cache cannot be read.
const DEFAULT_MB: usize = 64;
/// Words from one cache line to the next.
const LINE: usize = 8;

static WALKED_MB: OnceLock<usize> = OnceLock::new();

thread_local! {
    static BUFFER: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

/// What the queries of a map took with cold caches.
#[derive(Default)]
pub(crate) struct Cold {
    /// Microseconds, one a query: of several rounds the least. Empty if nothing is walked.
    pub(crate) times: Vec<f64>,
    /// Cache misses a query, if the system counts them.
    pub(crate) misses: Option<f64>,
}

/// Chooses how much to walk, before the first walk; else it is twice the last-level cache.
pub(crate) fn walk_megabytes(megabytes: usize) {
    WALKED_MB.get_or_init(|| megabytes);
}

/// The memory walked before each query, in MB.
pub(crate) fn walked_megabytes() -> usize {
    *WALKED_MB.get_or_init(|| last_level_megabytes().map_or(DEFAULT_MB, |size| 2 * size))
}

/// The size of the largest cache of the first core, as Linux tells it.
fn last_level_megabytes() -> Option<usize> {
    let caches = std::fs::read_dir("/sys/devices/system/cpu/cpu0/cache").ok()?;
    let sizes = caches.filter_map(|cache| {
        let size = std::fs::read_to_string(cache.ok()?.path().join("size")).ok()?;
        size.trim().strip_suffix('K')?.parse::<usize>().ok()
    });
    sizes.max().map(|kilobytes| kilobytes.div_ceil(1024))
}

/// Asks all queries by `run`, which returns microseconds, in `rounds` rounds; before each query
/// walks the buffer.
pub(crate) fn measure(queries: usize, rounds: usize, mut run: impl FnMut(usize) -> f64) -> Cold {
    if walked_megabytes() == 0 {
        return Cold::default();
    }
    let mut times = vec![f64::INFINITY; queries];
    misses::forget();
    for _ in 0..rounds {
        for (query, time) in times.iter_mut().enumerate() {
            walk();
            *time = time.min(run(query));
        }
    }
    let runs = (queries * rounds).max(1);
    Cold { times, misses: misses::counted().map(|misses| misses as f64 / runs as f64) }
}

fn walk() {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.resize(walked_megabytes() << 17, 0);
        for word in buffer.iter_mut().step_by(LINE) {
            *word = std::hint::black_box(*word).wrapping_add(1);
        }
    });
}

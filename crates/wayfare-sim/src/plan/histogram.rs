//! Latencies, counted in buckets: no memory grows with the requests, and percentiles can be asked
//! for at any time.
//!
//! Not the crate `hdrhistogram`: the histogram is part of a planner's snapshot, and that crate has
//! a format of its own.

/// Values below this have a bucket each.
const EXACT: u32 = 32;
/// The buckets of each further doubling, as a power of two.
const STEPS_LOG2: u32 = 4;
/// The number of buckets.
pub const BUCKETS: usize = EXACT as usize + ((32 - EXACT.ilog2()) << STEPS_LOG2) as usize;

/// How many requests took how many ticks. Exact below 32 ticks, to a sixteenth above.
///
/// Example: [`PlannerStats`](super::PlannerStats).
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LatencyHistogram {
    counts: Vec<u64>,
    total: u64,
}

impl Default for LatencyHistogram {
    fn default() -> Self {
        Self { counts: vec![0; BUCKETS], total: 0 }
    }
}

impl LatencyHistogram {
    /// Returns the count of requests.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.total
    }

    /// Returns the latency in ticks that this share of the requests, from 0 to 1, did not exceed; 0
    /// when none were counted.
    #[must_use]
    pub fn percentile(&self, share: f64) -> u32 {
        let wanted = (share.clamp(0.0, 1.0) * self.total as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        for (bucket, &count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                return highest_of(bucket as u32);
            }
        }
        0
    }

    /// Returns whether its counts add up. Counts read from a file may not.
    pub(super) fn is_plausible(&self) -> bool {
        let total = self.counts.iter().try_fold(0u64, |sum, &count| sum.checked_add(count));
        self.counts.len() == BUCKETS && total == Some(self.total) && self.total < 1 << 60
    }

    /// Counts a request.
    #[doc(hidden)]
    pub fn record(&mut self, ticks: u64) {
        let bucket = bucket_of(u32::try_from(ticks).unwrap_or(u32::MAX));
        // A histogram that was read from a file may be of any length.
        if let Some(count) = self.counts.get_mut(bucket as usize) {
            *count += 1;
            self.total += 1;
        }
    }
}

/// The bucket of a latency.
pub fn bucket_of(ticks: u32) -> u32 {
    if ticks < EXACT {
        return ticks;
    }
    let octave = ticks.ilog2() - EXACT.ilog2();
    let step = (ticks >> (ticks.ilog2() - STEPS_LOG2)) & ((1 << STEPS_LOG2) - 1);
    EXACT + (octave << STEPS_LOG2) + step
}

/// The highest latency of a bucket.
pub fn highest_of(bucket: u32) -> u32 {
    if bucket < EXACT {
        return bucket;
    }
    let (octave, step) =
        ((bucket - EXACT) >> STEPS_LOG2, (bucket - EXACT) & ((1 << STEPS_LOG2) - 1));
    let width = u64::from(EXACT >> STEPS_LOG2) << octave;
    ((u64::from(EXACT) << octave) + u64::from(step + 1) * width - 1) as u32
}

//! Latencies in buckets.

use wayfare_sim::inside::tested::histogram::{BUCKETS, bucket_of, highest_of};
use wayfare_sim::plan::LatencyHistogram;

#[test]
fn every_value_falls_into_a_bucket_that_is_at_most_a_sixteenth_wide() {
    let mut values: Vec<u32> = (0..5_000).collect();
    values.extend((5..32).flat_map(|bit| [(1 << bit) - 1, 1 << bit, (1u32 << bit) + 1]));
    values.push(u32::MAX);
    for value in values {
        let bucket = bucket_of(value);
        assert!((bucket as usize) < BUCKETS);
        let highest = highest_of(bucket);
        assert!(highest >= value && highest - value <= value / 16, "{value} {highest}");
    }
}

#[test]
fn percentiles_are_ranks() {
    let mut histogram = LatencyHistogram::default();
    assert_eq!(histogram.percentile(0.99), 0);
    (1..=20).for_each(|ticks| histogram.record(ticks));
    assert_eq!([0.0, 0.5, 0.9, 1.0].map(|share| histogram.percentile(share)), [1, 10, 18, 20]);
}

//! Numbers as text.

use std::time::Duration;

use wayfare_site::numbers::{counted, decimals, grouped, percentile, tidy};

#[test]
fn numbers_read_well() {
    assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    assert_eq!(decimals(-12345.678, 1), "-12,345.7");
    assert_eq!([tidy(-0.0), tidy(-0.001), tidy(-0.5)], ["0", "0", "-0.5"]);
    assert_eq!([tidy(3.0), tidy(2.71), tidy(1200.5)], ["3", "2.71", "1,200.5"]);
    assert_eq!([counted(1, "tile"), counted(2000, "tile")], ["1 tile", "2,000 tiles"]);
}

#[test]
fn percentiles_are_of_the_nearest_rank() {
    let times: Vec<Duration> = (1..=100).map(Duration::from_micros).collect();
    assert_eq!(percentile(&times, 0.5), Duration::from_micros(50));
    assert_eq!(percentile(&times, 0.99), Duration::from_micros(99));
    assert_eq!(percentile::<Duration>(&[], 0.5), Duration::ZERO);
    assert_eq!(percentile(&times[..1], 0.99), Duration::from_micros(1));
}

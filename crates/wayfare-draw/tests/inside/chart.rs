//! Scatter charts.

use wayfare_draw::inside::chart::power_of_ten;
use wayfare_draw::{DrawError, ScatterChart, Shape};

#[test]
fn powers_of_ten_read_well() {
    assert_eq!([-2, -1, 0, 3, 4].map(power_of_ten), ["0.01", "0.1", "1", "1000", "1e4"]);
}

#[test]
fn a_chart_of_nothing_is_an_error_and_what_has_no_logarithm_is_left_out() {
    assert!(matches!(ScatterChart::new("none").draw(), Err(DrawError::NoPanels)));
    let chart = ScatterChart::new("one").series("a", [(0.0, 1.0), (1.0, f64::NAN), (2.0, 3.0)]);
    let circles = chart.draw().unwrap();
    let dots = circles
        .shapes()
        .iter()
        .filter(|shape| matches!(shape, Shape::Circle { radius, .. } if *radius < 3.0));
    assert_eq!(dots.count(), 1);
}

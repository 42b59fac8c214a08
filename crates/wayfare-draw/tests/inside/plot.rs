//! Plots.

use wayfare_draw::inside::plot::{number_text, step};
use wayfare_draw::{DrawError, Plot, PlotPanel, Shape};

#[test]
fn steps_are_round_numbers() {
    let steps = [0.0, 0.9, 1.0, 3.0, 7.0, 40.0, 120.0].map(step);
    let expected = [1.0, 0.2, 0.2, 1.0, 2.0, 10.0, 50.0];
    let near = |(a, b): (&f32, f32)| (a - b).abs() < 1e-6;
    assert!(steps.iter().zip(expected).all(near), "{steps:?}");
    assert_eq!([number_text(0.4, 0.2), number_text(40.0, 20.0)], ["0.4", "40"]);
}

#[test]
fn a_plot_of_nothing_is_an_error_and_gaps_break_lines() {
    assert!(matches!(Plot::new("none").draw(), Err(DrawError::NoPanels)));
    let none = PlotPanel::new("a", "b").line("c", [(1.0, f64::NAN)]);
    assert!(matches!(Plot::new("none").panel(none).draw(), Err(DrawError::NoPanels)));
    let gap = [(0.0, 1.0), (1.0, 2.0), (2.0, f64::NAN), (3.0, 1.0), (4.0, 1.0)];
    let plot = Plot::new("gap").panel(PlotPanel::new("a", "b").line("c", gap));
    let picture = plot.draw().unwrap();
    let lines = picture.shapes().iter().filter(|shape| matches!(shape, Shape::Polyline { .. }));
    assert_eq!(lines.count(), 2);
}

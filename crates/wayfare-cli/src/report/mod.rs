//! What is printed and drawn.

mod numbers;
mod pictures;
mod printer;
mod progress;
mod table;

pub(crate) use numbers::{counted, decimals, grouped, micros, percentile, rounded, tidy};
pub(crate) use pictures::{Drawing, draw, print_in_terminal, theme, write_still};
pub(crate) use printer::Printer;
pub(crate) use progress::{Bar, Heartbeat};
pub(crate) use table::{Align, Table};

//! Printing and drawing.

mod pictures;
mod printer;
mod progress;
mod table;

pub(crate) use pictures::{
    Drawing, draw, print_in_terminal, prop_look, prop_shots, scenery, theme, title_of, write_sheet,
    write_still,
};
pub(crate) use printer::Printer;
pub(crate) use progress::{Bar, Heartbeat};
pub(crate) use table::{Align, Table};
pub(crate) use wayfare_site::numbers::{
    counted, decimals, grouped, micros, percentile, rounded, tidy,
};

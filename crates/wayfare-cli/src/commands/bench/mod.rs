//! `bench`: who answers which queries how fast, and how well.

mod contest;
mod results;
mod run;
mod table;
mod trial;

pub(super) use run::run;

//! `bench`: speed and quality of algorithms and engines on queries.

mod contest;
mod results;
mod run;
mod table;
mod trial;

pub(super) use run::run;

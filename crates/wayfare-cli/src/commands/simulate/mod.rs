//! `simulate`: agents in motion.

mod cinema;
mod drive;
mod jupedsim;
mod measures;
#[cfg(feature = "parquet")]
mod parquet;
mod run;
mod summary;
mod trajectory;

pub(super) use run::run;

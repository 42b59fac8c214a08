//! Private parts of the crate.

mod table;

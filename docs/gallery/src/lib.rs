//! The examples of `docs/gallery`, each as its page shows it.
//!
//! `WAYFARE_BLESS=1 cargo test -p wayfare-gallery` draws the pictures and writes the page.

mod examples;
mod shared;

pub use examples::{ALL, Example};
pub use shared::{Drawn, Result};

//! Parts that the upper crates of Wayfare share. No promise: they change with any version.

pub use crate::layout::MOST_CRATES;
pub use crate::parts::MOST_GATE_CELLS;

/// For the tests of this crate.
pub mod tested {
    pub mod table {
        pub use crate::table::{Known, StateTable, mix};
    }
}

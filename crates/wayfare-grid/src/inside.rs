//! Parts that the upper crates of Wayfare share. No promise: they change with any version.

pub use crate::grid::accelerators::bits::BitMap;
pub use crate::grid::layout::Layout;
pub use crate::grid::moves::{MoveTable, move_table};

/// For the tests of this crate.
pub mod tested {
    pub mod accelerator {
        pub use crate::grid::accelerators::accelerator::{Stage, order};
    }
    pub mod canonical {
        pub use crate::grid::accelerators::canonical::canonical_table;
    }
    pub mod clutter {
        pub use crate::grid::accelerators::clutter::Clutter;
    }
    pub mod dominance {
        pub use crate::grid::accelerators::dominance::{EntryCost, Needed, Neighbourhood};
    }
    pub mod graph {
        pub use crate::waypoint::graph::ratio;
    }
    pub mod moves {
        pub use crate::grid::moves::{
            ALWAYS, BOTH_FREE, DIAGONALS, EAST, FOUR, MoveTable, NORTH, ONE_FREE, SOUTH, WEST,
            move_table,
        };
    }
    pub mod rooms {
        pub use crate::grid::accelerators::rooms::Rooms;
    }
    pub mod runs {
        pub use crate::grid::accelerators::runs::{Run, Runs};
    }
    pub mod scan {
        pub use crate::grid::accelerators::scan::{Always, BothFree, OneFree, Rows, Stop, Turns};
    }
    pub mod sign_words {
        pub use crate::grid::accelerators::sign_words::transposed;
    }
    pub mod signs {
        pub use crate::grid::accelerators::signs::{EAST, NORTH, SOUTH, Signed, Signposts, WEST};
    }
    pub mod spans {
        pub use crate::waypoint::spans::Spans;
    }
}

//! Parts that the upper crates of Wayfare share. No promise: they change with any version.

pub use crate::engines::instances::{build_index, index_engine, index_turns};

/// For the tests of this crate.
pub mod tested {
    pub mod build {
        pub use crate::hierarchy::build::{Crossing, sectors_of};
    }
    pub mod flood {
        pub use crate::hierarchy::flood::Flood;
    }
    pub mod frame {
        pub use crate::index::frame::{SUM, checksum, letters};
    }
    pub mod groups {
        pub use crate::hierarchy::groups::Rounded;
    }
    pub mod repair {
        pub use crate::index::repair::{Limits, repair_within};
    }
    pub mod sectors {
        pub use crate::hierarchy::sectors::Bounds;
    }
}

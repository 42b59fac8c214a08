//! Parts that the upper crates of Wayfare share. No promise: they change with any version.

/// For the tests of this crate.
pub mod tested {
    pub mod histogram {
        pub use crate::plan::histogram::{BUCKETS, bucket_of, highest_of};
    }
    #[cfg(feature = "serde")]
    pub mod snapshot {
        pub use crate::simulation::snapshot::mend;
    }
    pub mod sorted_map {
        pub use crate::simulation::sorted_map::SortedMap;
    }
}

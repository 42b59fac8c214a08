//! Parts for the tests of this crate. No promise: they change with any version.

pub mod art {
    #[cfg(feature = "pictures")]
    pub use crate::voxels::art::lid;
}
pub mod clearance {
    pub use crate::clearance::clearances;
}
pub mod moves {
    pub use crate::moves::tell;
}
pub use crate::round_trips::largest_round_trip;
pub mod snapshot {
    pub use crate::snapshot::{Fingerprint, MAGIC, VERSION, state};
}

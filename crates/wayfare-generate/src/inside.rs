//! Parts for the tests of this crate. No promise: they change with any version.

pub mod lengths {
    pub use crate::lengths::{FAR, FreeBox, length_of};
}
pub mod passage {
    pub use crate::passage::widest;
}
pub mod runs {
    pub use crate::runs::Runs;
}
pub mod tools {
    pub use crate::kinds::tools::regions;
}
pub mod walk {
    pub use crate::walk::Walk;
}

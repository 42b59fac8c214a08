//! Parts that the upper crates of Wayfare share. No promise: they change with any version.

pub use crate::grounds::Grounds;
pub use crate::model::OfEach;
pub use crate::network::{LineBody, Meets, NONE, Network, NodeAhead, NodeLeft};
pub use crate::solver::{Lead, Member, Role};
pub use crate::volume::step::{Floater, VolumeCrowd};

/// For the tests of this crate.
pub mod tested {
    pub mod contact {
        pub use crate::contact::{RELAXATION, parted, share};
    }
    pub mod cells {
        pub use crate::cells::{Body, Cells};
    }
    pub mod hunt {
        pub use crate::hunt::{Found, Looking};
        pub use crate::lanes::Lists;
        pub use crate::moves::Moves;
    }
    pub mod program {
        pub use crate::program::{HalfSpace, HalfSpaces, solve};
    }
}

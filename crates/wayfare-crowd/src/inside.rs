//! Parts that the upper crates of Wayfare share. No promise: they change with any version.

pub use crate::grounds::Grounds;
pub use crate::model::OfEach;
pub use crate::network::{LineBody, Meets, NONE, Network, NodeAhead, NodeLeft};
pub use crate::solver::{Lead, Member};
pub use crate::volume::step::{Floater, VolumeCrowd};

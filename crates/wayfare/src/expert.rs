//! For those who write spaces and searches of their own: what makes the built-in ones fast.
//!
//! Programs that only search do not need this module. A space needs one name of it at most: its
//! [`Expander`], and [`Plain`] will do.

pub use crate::space::Plain;
pub use crate::space::expander::{
    Arrival, Expander, ExpanderMemory, Guidance, GuidanceMemoryOf, GuidanceOf, JumpVisitor,
    Jumping, JumpingMemoryOf, JumpingOf, Pruning, PruningOf,
};

//! Parts that the upper crates of Wayfare share. No promise: they change with any version.

pub use crate::hash::{WordHash, WordSum};
pub use crate::link::jams::{AreaDelay, AreaKey, LEAST_SIDE};
pub use crate::navigate::instances::{
    CastEngines, EngineFor, FastSearch, FastSpace, ask, search as search_for_speed,
    turn as turn_for_speed,
};
pub use crate::navigate::lead::LedSearch;
pub use crate::navigate::work::SCANS_A_UNIT;
pub use crate::ops::floor;
pub use crate::path::line_end::LineEnd;
pub use crate::path::round::round_and_mark;
pub use crate::path::shorten::shorten_path_for_body;
pub use crate::plane::hull::convex_hull;
pub use crate::plane::segment::{nearest_on, nearest_on_segment, share_along};
pub use crate::plane::sweep::{TOUCH, disc_sweep_is_clear, distance_squared};
#[cfg(debug_assertions)]
pub use crate::search::instances::instances;
pub use crate::search::machine::{is_foregone, preflight};
pub use crate::search::open::Buckets;
pub use crate::space::components::{Adjacency, Components};
pub use crate::space::expander::{JUMP_SCANS, LINE_SCANS, NOTED_SCANS};
pub use crate::space::guide::{Gateway, Guide, Steps};
pub use crate::space::jump_ends::{EndsOf, JumpEnds};
pub use crate::space::regions::EditLog;
pub use crate::space::terrain::{StepCost, StepCosts};
pub use crate::walls::outline::Raster;
pub use crate::{fast_space, state_id};

/// For the tests of this crate.
pub mod tested {
    pub mod filter {
        pub use crate::link::filter::Filter;
    }
    pub mod landmarks {
        pub use crate::search::landmarks::Rows;
    }
    pub mod memories {
        pub use crate::search::memories::Memories;
    }
    pub mod nodes {
        pub use crate::search::nodes::{EPOCHS, MOST_DENSE, Node, Nodes, PAGE, PAGE_LOG2, Relaxed};
    }
    pub mod open {
        pub use crate::search::open::{BucketQueue, PlainList};
    }
    pub mod round {
        pub use crate::path::round::Turn;
    }
    pub mod simplify {
        pub use crate::path::simplify::deviation;
    }
    pub mod smooth {
        pub use crate::path::smooth::Span;
    }
    pub mod sort {
        pub use crate::search::sort::{by_parts, sort_descending};
    }
    pub mod stable_queue {
        pub use crate::search::stable_queue::StableQueue;
    }
}

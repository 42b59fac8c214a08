//! Parts that the upper crates of Wayfare share. No promise: they change with any version.

pub use crate::hash::{WordHash, WordSum};
pub use crate::link::jams::{AreaDelay, AreaKey, LEAST_SIDE};
pub use crate::navigate::instances::{
    CastEngines, EngineFor, FastSearch, FastSpace, ask as ask_for_speed,
    search as search_for_speed, turn as turn_for_speed,
};
pub use crate::navigate::lead::LedSearch;
pub use crate::navigate::work::SCANS_A_UNIT;
pub use crate::ops::floor;
pub use crate::path::line_end::LineEnd;
pub use crate::path::round::round_and_mark;
pub use crate::path::shorten::shorten_path_for_body;
pub use crate::plane::hull::convex_hull;
pub use crate::plane::sweep::{TOUCH, disc_sweep_is_clear, distance_squared};
pub use crate::search::machine::{is_foregone, preflight};
pub use crate::search::open::Buckets;
pub use crate::space::components::{Adjacency, Components};
pub use crate::space::expander::{LINE_SCANS, NOTED_SCANS};
pub use crate::space::guide::{Gateway, Guide, Steps};
pub use crate::space::jump_ends::{EndsOf, JumpEnds};
pub use crate::space::regions::EditLog;
pub use crate::space::terrain::{StepCost, StepCosts};
pub use crate::walls::outline::Raster;
pub use crate::{fast_space, plane, state_id};

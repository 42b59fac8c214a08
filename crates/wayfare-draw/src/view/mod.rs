//! Searches and paths over sceneries.

mod animation;
pub(crate) mod film;
mod gif;
pub(crate) mod legend;
mod numbers;
pub(crate) mod panel;
mod parents;
mod search;
mod sheet;
mod signs;
mod space;
pub(crate) mod stage;

pub use animation::Animation;
pub use film::{
    Actor, ActorShot, DangerShot, Film, FilmPlace, Gait, GroundShot, Passage, PassageGate,
    PassageShot, PropLook, PropShot, Shot, Team,
};
pub use gif::AnimationReport;
pub use panel::Panel;
pub(crate) use parents::ParentLines;
pub use search::{Counters, Mark, Recorded, Recording, SearchView, Status, Unrecorded};
pub use sheet::Sheet;
pub use space::{SpaceView, Standpoint};
pub(crate) use stage::{Stage, path_colours};

//! Navigation links: passages, doors, ladders, teleports and lifts that join any two states of any
//! space.
//!
//! [`NavLinks`] holds them beside the space, and with them the [`Danger`] of its states and the
//! [`Jams`] on its ground. [`NavLinks::over`] lays all over it; the resulting [`LinkedSpace`] is
//! searched like any other space. Between exact points of a navigation mesh, `MeshWaySearch`
//! finds paths through links. An edge of a waypoint graph is a
//! `WaypointLink` instead.

mod danger;
mod exact_ends;
mod expander;
pub(crate) mod filter;
mod gate_remedy;
pub(crate) mod jams;
mod jump_link;
mod linked_space;
mod nav_link;
mod nav_links;
mod overlay;
mod shortcuts;

pub use danger::{Danger, KnownDanger, MOST_DANGER};
pub use exact_ends::{ExactGround, LinkGround};
pub use gate_remedy::{GateRemedy, gate_remedies, gate_remedies_by};
pub use jams::{Jam, Jams, MOST_DELAY};
pub use jump_link::JumpLink;
pub(crate) use linked_space::LinkWay;
pub use linked_space::LinkedSpace;
pub use nav_link::{Crossing, Gate, Keys, LinkId, LinkKind, LinkPoints, NavLink, NavLinkError};
pub use nav_links::{KnownLink, LinkEnd, NavLinks};

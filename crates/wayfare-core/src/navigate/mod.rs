//! The navigator: one question, many engines.
//!
//! A [`Question`] is a query with a [`Policy`] and, where given, the points in the world that its
//! ends lie at. A [`Navigator`] binds a space to the [`Engine`]s that can answer on it: an index, a
//! hierarchy, a shared field, landmarks, and a search. It asks the first engine that suits the
//! question, and reports with the answer which one that was and why ([`Took`]).
//!
//! The choice is made once a query, by one virtual call an engine; search loops stay statically
//! dispatched.
//!
//! # Lifetimes
//!
//! Worlds are edited between queries, and a space borrows its world. So an engine stores only data
//! *beside* the space (labels, sectors, costs), gets the space at each call, and follows an edit
//! through [`Engine::world_changed`]. A [`Navigator`] is made for the moment, for the price of a
//! few copied references. An [`Inquiry`] outlives it: it owns its search, and shares the tables of
//! the engine that [guides](Engine::lead) it. So does an [`EngineSearch`], which only the engine
//! that [began](Engine::begin) it can work on.
//!
//! # Units of work
//!
//! Budgets count [work], not expansions: one unit takes about as long as one expansion of A* from
//! neighbour to neighbour.

mod answered;
mod by_field;
mod by_landmarks;
mod end;
mod engine;
pub(crate) mod instances;
pub(crate) mod lead;
mod navigator;
mod over_links;
mod question;
mod view;
pub mod work;

pub use answered::{Answered, Coverage, EngineId, Reason, Took};
pub use by_field::FieldEngine;
pub use by_landmarks::LandmarksEngine;
pub use end::End;
pub use engine::{Choice, Engine, EngineGround, EngineSearch, EngineStep, Offer, Refusal};
pub use lead::{Lead, Lent, LowerBound};
pub use navigator::{BegunSearch, Inquiry, InquiryOf, Navigate, Navigator};
pub use over_links::OverLinks;
pub use question::{Policy, Question, QuestionOf, Shortening};
pub use view::View;

//! Worlds by the thousand, from one seed.
//!
//! ```
//! use wayfare_generate::{Kinds, Lineup, Manager, Seed};
//!
//! let kinds = Kinds::standard();
//! let lineup = Lineup { count: 3, kinds: vec!["caves".into(), "maze".into()], seed: Seed(7), ..Lineup::default() };
//! for number in 0..lineup.count() {
//!     let world = lineup.generate(number, &kinds)?;
//!     let proof = world.prove()?; // the engine walks from the entry to the exit
//!     println!("{}: {} tiles to walk", world.origin(), proof.length);
//! }
//! # Ok::<(), wayfare_generate::GenerateError>(())
//! ```
//!
//! Three levels, each a trait to implement:
//!
//! | level | decides | here |
//! |---|---|---|
//! | [`Manager`] | how many scenarios, of which kinds and seeds, and where they stand | [`Lineup`] |
//! | [`Scenario`] | its parameters, its parts and where they stand, entry and exit | [`Kinds`] |
//! | [`PartCreator`], [`Creator`] | one kind of thing within its plot | [`parts`] |
//!
//! Kinds form families. Halls with a pulley share a scenario, [`Pulley`], and differ in their
//! [`Mechanism`].
//!
//! Parameters are ranges with units, limits and defaults ([`Parameter`]); a TOML file sets them
//! ([`Settings`]). Every world names its promises ([`Promise`]), and [`Generated::prove`] checks
//! them by the engine's own searches. [`Generated::queries`] lists queries for benchmarks, with
//! optimal lengths that two independent searches agree on.
//!
//! The same settings and seed give the same world on every machine and at any thread count. The
//! version of a kind ([`Scenario::version`]) rises when its worlds change.

mod arrange;
mod blocks;
mod creator;
mod dice;
mod document;
mod draft;
mod error;
mod ground;
mod hall;
/// Parts for the tests of this crate. No promise.
#[doc(hidden)]
pub mod inside;
mod kinds;
mod lengths;
mod locks;
mod manager;
mod parameter;
pub mod parts;
mod passage;
mod place;
mod proof;
mod prove_blocks;
mod prove_level;
mod prove_puzzles;
mod prove_sampled;
mod queries;
mod reset;
mod runs;
mod scenario;
mod settings;
mod statistic;
mod walk;

pub use arrange::{Arrangement, Part};
pub use blocks::BlockDraft;
pub use creator::{Creator, PartCreator};
pub use dice::{Dice, Seed};
pub use draft::{Area, TileDraft, TilePlot};
pub use error::GenerateError;
pub use ground::Ground;
pub use hall::{BuiltPart, HallDraft, HallPlot, PartOrder};
pub use kinds::{Kinds, Mechanism, Pulley};
pub use manager::{Assignment, KindOrder, Lineup, Manager};
pub use parameter::{Parameter, Range, Values};
pub use place::Place;
pub use proof::Proof;
pub use queries::{QueryList, QuerySpread};
pub use reset::{Reset, TileChange, TimedReset};
pub use scenario::{
    BlockScene, DoorPlan, Generated, KeyPlan, LevelScene, Opening, SampledScene, Scenario,
    TileScene, WorldDraft, WorldForm, generate,
};
pub use settings::Settings;
pub use statistic::{Promise, Statistic};

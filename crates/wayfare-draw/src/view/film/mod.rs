//! Simulations as films: agents that move over a world.

mod actors;
pub(crate) mod badge;
mod encode;
mod frame;
mod layout;
mod passages;
mod props;
mod script;

pub(in crate::view) use props::{draw_look, draw_prop, look_name};
pub use script::{
    Actor, ActorShot, DangerShot, Film, FilmPlace, Gait, GroundShot, Passage, PassageGate,
    PassageShot, PropLook, PropShot, Shot, Team,
};

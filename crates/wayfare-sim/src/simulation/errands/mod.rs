//! Errands: what agents do to get where they want to be.
//!
//! [`Errands`] borrows the parts of a simulation that this takes. The ground is borrowed to be
//! read: nothing that agents do changes the world.

mod change;
mod decide;
mod foresee;
mod heights;
mod links;
mod lookout;
mod march;
mod requests;
mod review;
mod slots;
mod weigh;

pub(super) use lookout::Lookout;

use super::clock::Clock;
use super::ground::Ground;
use super::roster::Roster;
use super::service::Service;
use super::traffic::LinksInUse;
use super::{Environment, TickEvents};

/// The agents of a simulation with all that their errands take.
#[derive(Debug)]
pub(super) struct Errands<'s, W: Environment> {
    pub(super) clock: &'s Clock,
    pub(super) roster: &'s mut Roster<W::State>,
    pub(super) ground: &'s Ground<W>,
    pub(super) links_in_use: &'s mut LinksInUse,
    pub(super) service: &'s mut Service<W>,
    pub(super) events: &'s mut TickEvents,
}

impl<W: Environment> Errands<'_, W> {
    /// Returns the agents and the ground, to be read.
    pub(super) fn look(&self) -> Lookout<'_, W> {
        let Self { clock, ground, .. } = *self;
        Lookout { clock, roster: self.roster, ground }
    }
}

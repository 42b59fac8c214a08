//! The ground: the world, its links, and the changes made to both.

use wayfare_core::link::NavLinks;

use super::Environment;
use super::carvings::Carvings;
use super::moving_obstacles::MovingObstacles;
use super::session::Change;

/// The world of a simulation and its links, with the changes made to them.
#[derive(Debug)]
pub(super) struct Ground<W: Environment> {
    pub(super) world: W,
    pub(super) links: NavLinks<W::State>,
    pub(super) carvings: Carvings<W::Place, W::Fill>,
    pub(super) moving_obstacles: MovingObstacles,
    /// The changes made since the beginning, for snapshots.
    pub(super) history: Vec<Change<W::Edit>>,
    /// The states that a change affects, kept for its memory.
    pub(super) affected: Vec<W::State>,
}

impl<W: Environment> Ground<W> {
    /// Returns the ground before any change.
    pub(super) fn new(world: W, links: NavLinks<W::State>) -> Self {
        Self {
            world,
            links,
            carvings: Carvings::new(),
            moving_obstacles: Default::default(),
            history: Vec::new(),
            affected: Vec::new(),
        }
    }
}

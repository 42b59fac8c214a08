//! Danger on ground that is replaced.

use glam::Vec3;
use wayfare_core::link::Danger;
use wayfare_core::space::{ProfileId, Space};

use super::Ground;
use crate::simulation::Environment;

/// Danger at a point.
#[derive(Clone, Copy)]
pub(in crate::simulation) struct Peril {
    at: Vec3,
    amount: f32,
}

impl<W: Environment> Ground<W> {
    /// Returns where there is danger.
    pub(in crate::simulation) fn places_of_danger(&self, profile: ProfileId) -> Vec<Peril> {
        let space = self.world.space(profile);
        let known = self.links.danger().iter();
        known.map(|known| Peril { at: space.position(known.state), amount: known.amount }).collect()
    }

    /// Moves danger to the states that are now at its points. Where there is none it is forgotten.
    pub(in crate::simulation) fn find_danger_again(
        &mut self,
        profile: ProfileId,
        dangers: &[Peril],
    ) {
        if dangers.is_empty() {
            return;
        }
        self.links.set_danger(Danger::default());
        let space = self.world.space(profile);
        for &Peril { at, amount } in dangers {
            if let Some(state) = self.world.state_at(profile, at) {
                // New ground restarts all searches.
                self.links.add_danger(&space, &[state], amount);
            }
        }
    }
}

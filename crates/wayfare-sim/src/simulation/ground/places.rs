//! Starting points for a crowd.

use std::collections::{BTreeSet, VecDeque};

use glam::Vec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use wayfare_core::space::{LineOfSight, ProfileId, Space};

use super::Ground;
use crate::simulation::Environment;

/// A crowd is not spread over more states than this.
const MOST_STATES: usize = 1 << 20;

/// The choice among the possible starting points of a crowd.
///
/// Example: [`Simulation::places`](crate::simulation::Simulation::places).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Spread {
    /// The nearest ones, as moves go.
    #[default]
    Near,
    /// Any of them, drawn by this seed.
    Drawn(u64),
}

impl<W: Environment> Ground<W> {
    /// Returns different starting points for a crowd of a profile: those of
    /// [`places`](crate::simulation::Simulation::places).
    pub(in crate::simulation) fn places(
        &self,
        profile: ProfileId,
        from: Vec3,
        count: usize,
        spread: Spread,
        mut accepts: impl FnMut(Vec3) -> bool,
    ) -> Vec<Vec3> {
        let space = self.world.space(profile);
        let first = self.world.state_meant(profile, from).filter(|&at| space.check(at).is_ok());
        let mut seen: BTreeSet<W::State> = first.into_iter().collect();
        let mut queue: VecDeque<W::State> = first.into_iter().collect();
        let mut found = Vec::new();
        let most = if spread == Spread::Near { count } else { MOST_STATES };
        while let Some(state) = queue.pop_front().filter(|_| found.len() < most) {
            if accepts(space.position(state)) {
                found.push(state);
            }
            space.successors(state, |edge| {
                if seen.len() < MOST_STATES && seen.insert(edge.target) {
                    queue.push_back(edge.target);
                }
            });
        }
        if let Spread::Drawn(seed) = spread {
            let mut dice = Pcg32::seed_from_u64(seed);
            for place in 0..found.len().min(count) {
                let other = dice.random_range(place..found.len());
                found.swap(place, other);
            }
            found.truncate(count);
        }
        let mut places: Vec<Vec3> = found.iter().map(|&state| space.position(state)).collect();
        if !W::CUTS_ACROSS || found.is_empty() {
            return places;
        }
        // Each state is divided into ever more parts: 3 by 3, 5 by 5, and so on, whose middle is
        // its position.
        let mut parts = 3u32;
        while places.len() < count && parts <= 65 {
            places.truncate(found.len());
            let pitch = self.world.grain() / parts as f32;
            let half = (parts / 2) as i32;
            let offsets = (-half..=half).flat_map(|x| (-half..=half).map(move |z| (x, z)));
            for (x, z) in offsets.filter(|&offset| offset != (0, 0)) {
                let aside = Vec3::new(x as f32 * pitch, 0.0, z as f32 * pitch);
                for &state in &found {
                    let at = space.position(state) + aside;
                    let is_free = places.len() < count
                        && self.world.state_at(profile, at) == Some(state)
                        && space.segment_is_clear(at, space.position(state))
                        && accepts(at);
                    if is_free {
                        places.push(at);
                    }
                }
            }
            parts += 2;
        }
        places
    }
}

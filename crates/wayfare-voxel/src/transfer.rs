//! Moves between holding on, standing and swimming.

use wayfare_core::space::{Action, Cost};

use super::VoxelSpace;
use super::ground::STRAIGHT_ACROSS;
use super::layout::At;

/// Returns the offsets of such moves: straight up and down, and to the four sides, level, up or
/// down.
pub(super) fn transfers() -> impl Iterator<Item = [i32; 3]> {
    let sideways =
        STRAIGHT_ACROSS.into_iter().flat_map(|(x, z)| [[x, 0, z], [x, 1, z], [x, -1, z]]);
    [[0, 1, 0], [0, -1, 0]].into_iter().chain(sideways)
}

impl<C: Cost> VoxelSpace<'_, C> {
    /// Returns whether the profile has such moves.
    #[inline]
    pub(super) fn has_transfers(&self) -> bool {
        self.layer.profile.abilities.climb || self.layer.profile.abilities.swim
    }

    /// Visits the actions of climbing or swimming that join two voxels a [transfer](transfers)
    /// apart.
    pub(super) fn visit_transfer(&self, from: At, to: At, visit: &mut dyn FnMut(At, Action)) {
        if self.is_half(from) || self.is_half(to) {
            return self.visit_half_transfer(from, to, visit);
        }
        if !self.fits(to) {
            return;
        }
        let (stands, swims, climbs) = (self.stands(from), self.swims(from), self.climbs(from));
        let (to_stand, to_swim, to_climb) = (self.stands(to), self.swims(to), self.climbs(to));
        let is_sideways = from[0] != to[0] || from[2] != to[2];
        let rise = to[1] - from[1];
        // Sideways and up, the body first goes up; sideways and down, it goes down last.
        let passes = !is_sideways
            || match rise {
                1 => self.fits([from[0], to[1], from[2]]),
                -1 => self.fits([to[0], from[1], to[2]]),
                _ => true,
            };
        if !passes {
            return;
        }
        let climbs_off = climbs && (to_climb || to_stand || to_swim && (!is_sideways || rise == 0));
        let climbs_on = to_climb
            && match (is_sideways, rise) {
                (true, 1) => swims,
                (true, -1) => stands,
                _ => stands || swims,
            };
        let gets_out = swims && to_stand && is_sideways && rise >= 0;
        let gets_in = stands && to_swim && is_sideways && rise == -1;
        if climbs_off || climbs_on {
            visit(to, Action::Climb);
        }
        if gets_out || gets_in {
            visit(to, Action::Swim);
        }
    }

    /// Visits the fall of an agent that lets go, to the first footing or water below.
    pub(super) fn visit_letting_go(&self, at: At, visit: &mut dyn FnMut(At, Action)) {
        if let Some(end) = self.end_of_fall(at).or_else(|| self.end_of_fall_on_half(at)) {
            visit(end, Action::Fall);
        }
    }
}

//! Moves followed backwards.

use wayfare_core::space::{Action, Cost, Edge, EdgeOf, ReverseSpace};

use super::bits::LEVEL;
use super::ground::{ACROSS, step_action};
use super::layout::{At, by_axis};
use super::steps::{Gait, Surroundings, WINDOW};
use super::transfer::transfers;
use super::volume::{bits, offset, reachable};
use super::{Voxel, VoxelSpace};

impl<C: Cost> ReverseSpace for VoxelSpace<'_, C> {
    /// Checks each voxel from which some move could lead to `state`. O(moves · length of a fall).
    fn predecessors(&self, state: Voxel, mut visit: impl FnMut(EdgeOf<Self>)) {
        self.visit_predecessors(state, &mut visit);
    }
}

impl<C: Cost> VoxelSpace<'_, C> {
    /// See [`ReverseSpace::predecessors`]. Compiled once, not once per search: most of the time
    /// goes into voxels without a move to here.
    fn visit_predecessors(&self, state: Voxel, visit: &mut dyn FnMut(EdgeOf<Self>)) {
        let at = self.blocks.layout.at(state);
        let mut found = |from: At, action: Action| {
            let (cost, action) = self.cheapest(from, at, action);
            visit(Edge { target: self.blocks.layout.voxel(from), cost, action });
        };
        if self.moves_in_volume(state) {
            let cube = self.layer.volume().near(state).cube();
            for bit in bits(reachable(cube)) {
                let step = offset(bit);
                found(by_axis(|axis| at[axis] + step[axis]), self.volume_action(at));
            }
        }
        let profile = &self.layer.profile;
        // Falls pass free voxels. Falls into water have no limit of depth.
        let passed = (1..)
            .map(|up| [at[0], at[1] + up, at[2]])
            .take_while(|&above| self.fits(above) && !self.stands(above) && !self.swims(above))
            .take(if profile.dives() && self.swims(at) { usize::MAX } else { 0 })
            .count() as i32;
        let (mut jumps, mut falls) = (profile.jumps_up(), profile.falls().max(passed));
        if self.layer.halves.is_some() {
            (jumps, falls) = (jumps + 1, falls + 1); // over stairs
        }
        // The bits of the columns show all steps between footings, but for falls beyond them.
        let takeoffs = (self.layer.halves.is_none() && self.stands(at)).then(|| {
            let (fits, stands) = (self.layer.fits.near(state), self.layer.stands.near(state));
            let water = (1..=if profile.abilities.swim { WINDOW } else { 0 })
                .filter(|&up| self.swims([at[0], at[1] + up, at[2]]))
                .fold(0, |water, up| water | 1 << (LEVEL as i32 + up));
            Surroundings::new(Gait::new(profile, falls.min(WINDOW)), fits, stands)
                .takeoffs(stands.column(0, 0) | water)
        });
        for (direction, (dx, dz)) in ACROSS.into_iter().enumerate() {
            let furthest = if dx != 0 && dz != 0 { 1 } else { profile.jumps_across() + 1 };
            for distance in 1..=furthest {
                for dy in -jumps..=falls {
                    let from = [at[0] - dx * distance, at[1] + dy, at[2] - dz * distance];
                    let action = match takeoffs {
                        Some(takeoffs) if distance == 1 && dy <= WINDOW => {
                            let is_one = takeoffs[7 - direction] >> (LEVEL as i32 + dy) & 1 == 1;
                            is_one.then(|| step_action(-dy))
                        }
                        _ => self.ground_move(from, at),
                    };
                    if let Some(action) = action {
                        found(from, action);
                    }
                }
            }
        }
        if self.has_transfers() {
            for step in transfers() {
                let from = by_axis(|axis| at[axis] - step[axis]);
                if self.fits(from) || self.is_half(from) {
                    self.visit_transfer(from, at, &mut |_, action| found(from, action));
                }
            }
        }
        if profile.abilities.climb && (self.stands(at) || self.swims(at) || self.is_half(at)) {
            for drop in 1..=profile.falls().max(passed) {
                let above = [at[0], at[1] + drop, at[2]];
                if !self.fits(above) || self.stands(above) || self.swims(above) {
                    // From here a body falls to `state` and no further: standing or swimming above
                    // would stop it.
                    if self.climbs(above) {
                        found(above, Action::Fall);
                    }
                    break;
                }
                if self.climbs(above) {
                    found(above, Action::Fall);
                }
            }
        }
    }
}

//! The expander of voxel worlds: canonical moves, and jumps for flyers (in `jump.rs`).

use wayfare_core::expert::{Expander, Pruning};
use wayfare_core::space::{Cost, EdgeOf, Plain, ReverseSpace};

use super::canonical::entered;
use super::layout::by_axis;
use super::volume::{FACES, bit, bits, reachable};
use super::{Abilities, Voxel, VoxelSpace};

/// The [`Expander`] of a [`VoxelSpace`], and its parts but for guidance, which it has none of.
#[derive(Clone, Copy, Debug)]
pub struct VoxelExpander;

impl<C: Cost> Expander<VoxelSpace<'_, C>> for VoxelExpander {
    type Pruning = Self;
    type Guidance = Plain;
    type Jumping = Self;

    /// Always the same: costs and rules are part of the profile, which edits leave alone.
    fn stamp(_space: &VoxelSpace<'_, C>) -> u64 {
        0
    }

    fn predecessors(space: &VoxelSpace<'_, C>, state: Voxel, mut visit: impl FnMut(Voxel)) -> bool {
        if space.layer.regions.is_some() {
            return false; // `reachability` knows
        }
        let Abilities { walk, jump, fall, climb, .. } = space.layer.profile.abilities;
        let moves_otherwise = walk || jump || fall || climb || space.has_transfers();
        if !moves_otherwise && space.moves_in_volume(state) {
            // Moves through a volume are reversible. The box of a diagonal is free, so its sides
            // are moves too.
            let [x, y, z] = space.blocks.layout.around(state);
            for bit in bits(space.layer.volume().near(state).cube() & FACES) {
                let (ix, iy, iz) = (bit as usize / 3 % 3, bit as usize % 3, bit as usize / 9);
                visit(Voxel(x[ix] | y[iy] | z[iz]));
            }
        } else {
            ReverseSpace::predecessors(space, state, |edge| visit(edge.target));
        }
        true
    }
}

/// Where moves cost just their length. Elsewhere all moves are visited.
///
/// # Why the moves left out are not needed
///
/// The order of the moves into a voxel is by length, short ones first: see
/// [`canonical`](super::canonical) for moves through volumes, and `steps.rs` for moves over the
/// ground.
impl<C: Cost> Pruning<VoxelSpace<'_, C>> for VoxelExpander {
    #[inline]
    fn successors(
        space: &VoxelSpace<'_, C>,
        parent: Voxel,
        state: Voxel,
        mut visit: impl FnMut(EdgeOf<VoxelSpace<'_, C>>),
    ) {
        let at = space.blocks.layout.at(state);
        let before = space.blocks.layout.at(parent);
        let step = by_axis(|axis| at[axis] - before[axis]);
        let is_canonical = space.layer.costs.is_uniform
            && parent != state
            && step.iter().all(|part| part.abs() <= 1);
        if space.moves_in_volume(state) {
            let cube = space.layer.volume().near(state).cube();
            let possible = reachable(cube);
            let wanted = if is_canonical {
                entered()[bit(step) as usize].needed(possible, cube)
            } else {
                possible
            };
            space.visit_volume_moves(state, at, wanted, &mut visit);
        }
        let is_plain = space.layer.costs.is_uniform && !space.layer.has_rivals;
        space.visit_other_moves(state, at, is_plain.then_some(step), &mut visit);
    }
}

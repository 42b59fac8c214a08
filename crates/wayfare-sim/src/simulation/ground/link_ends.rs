//! The ends of links on the ground.

use glam::Vec3;
use wayfare_core::link::LinkGround;
use wayfare_core::space::ProfileId;

use crate::simulation::Environment;

/// Finds the ground nearest to the exact end of a link, at most that far from it.
pub(in crate::simulation) fn link_end<W: Environment>(
    world: &W,
) -> impl Fn(Vec3, f32) -> Option<LinkGround<W::State>> + '_ {
    |point, reach| {
        let profile = ProfileId::default();
        let state = world.state_at(profile, point);
        let state = state.or_else(|| world.nearest_state(profile, point, reach))?;
        let place = world.foothold(profile, state, point)?;
        Some(LinkGround { state, point: place })
    }
}

//! Ticks, and what comes of them: poses, velocities, troubles, messages.

use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use wayfare::simulation::{Environment, Event};

use crate::space::{Happened, NavSpace};
use crate::{
    AgentEvent, AgentPose, Arrived, DesiredVelocity, KeepRotation, ManualMovement, NavAgent,
    NavPath, NavTrouble, OutOfReach, PathChanged, PathFailed,
};

/// Advances each space by the ticks that are due in a fixed step.
pub(crate) fn tick<W: Environment + 'static>(time: Res<Time>, mut spaces: Query<&mut NavSpace<W>>) {
    for mut space in &mut spaces {
        let tick = space.simulation.settings().tick_seconds;
        space.elapsed += time.delta_secs();
        space.has_ticked = false;
        // A tick that is due but for rounding is due.
        while space.elapsed >= tick - 1e-6 {
            space.elapsed = (space.elapsed - tick).max(0.0);
            space.simulation.tick();
            space.note_events();
            space.has_ticked = true;
        }
    }
}

/// What a tick writes.
type Written<'a> = (
    &'a NavAgent,
    &'a Transform,
    &'a mut AgentPose,
    &'a mut DesiredVelocity,
    Option<&'a mut NavPath>,
    Option<&'a NavTrouble>,
    Has<ManualMovement>,
);

/// Writes what the last tick made of each agent.
pub(crate) fn write_agents<W: Environment + 'static>(
    mut commands: Commands,
    spaces: Query<&NavSpace<W>>,
    mut agents: Query<Written<'_>>,
) {
    for space in spaces.iter().filter(|space| space.has_ticked) {
        let placement = space.placement;
        let tick = space.simulation.settings().tick_seconds;
        for view in space.simulation.agents() {
            let Some(entity) = Entity::try_from_bits(view.user_data()) else { continue };
            let Ok((agent, transform, mut pose, mut velocity, path, trouble, is_manual)) =
                agents.get_mut(entity)
            else {
                continue;
            };
            let mut to = placement.to_bevy(view.position());
            if placement.is_flat() {
                to.z = pose.to.z;
            }
            // Nobody walks that far in a tick: it was put there.
            let is_jump = pose.to.distance(to) > 4.0 * agent.max_speed * tick + agent.radius;
            let (from, heading_from) =
                if is_jump { (to, view.heading()) } else { (pose.to, pose.heading_to) };
            (pose.from, pose.to) = (from, to);
            (pose.heading_from, pose.heading_to) = (heading_from, view.heading());
            let mut wanted = placement.vector_to_bevy(view.velocity());
            if is_manual {
                // Two ticks to catch up with the planned body.
                let mut behind = to - transform.translation;
                if placement.is_flat() {
                    behind.z = 0.0;
                }
                wanted = (wanted + behind / (2.0 * tick)).clamp_length_max(agent.max_speed);
            }
            if velocity.0 != wanted {
                velocity.0 = wanted;
            }
            if let Some(mut path) = path {
                let NavPath { points, length } = &mut *path;
                points.clear();
                points.extend(view.way_ahead().map(|point| placement.to_bevy(point)));
                *length = view.distance_left() * placement.unit;
            }
            match (view.trouble(), trouble) {
                (Some(now), Some(NavTrouble::Way(before))) if now == *before => {}
                (Some(now), _) => {
                    commands.entity(entity).insert(NavTrouble::Way(now));
                }
                (None, Some(NavTrouble::Way(_))) => {
                    commands.entity(entity).remove::<NavTrouble>();
                }
                (None, _) => {}
            }
        }
    }
}

/// Sends what happened, and triggers the observers.
pub(crate) fn report<W: Environment + 'static>(
    mut commands: Commands,
    mut spaces: Query<&mut NavSpace<W>>,
    mut all: MessageWriter<AgentEvent>,
    mut arrived: MessageWriter<Arrived>,
    mut changed: MessageWriter<PathChanged>,
    mut failed: MessageWriter<PathFailed>,
    mut out_of_reach: MessageWriter<OutOfReach>,
) {
    for mut space in &mut spaces {
        for Happened { entity, event } in std::mem::take(&mut space.happened) {
            let Some(entity) = entity else {
                if let Event::Failed(fault) = &event {
                    tracing::warn!("{fault}");
                }
                continue;
            };
            if commands.get_entity(entity).is_err() {
                continue;
            }
            match event {
                Event::Arrived(_) => {
                    arrived.write(Arrived { entity });
                    commands.trigger(Arrived { entity });
                }
                Event::Departed(_) => {
                    changed.write(PathChanged { entity });
                    commands.trigger(PathChanged { entity });
                }
                Event::NoPath { reason, .. } => {
                    failed.write(PathFailed { entity, reason });
                    commands.trigger(PathFailed { entity, reason });
                }
                Event::OutOfReach { behaviour, point, reason, .. } => {
                    let point = space.placement.to_bevy(point);
                    tracing::warn!(
                        "agent {entity}: behaviour {behaviour} goes to {point}: {reason}"
                    );
                    let told = OutOfReach { entity, behaviour, point, reason };
                    out_of_reach.write(told);
                    commands.trigger(told);
                }
                _ => {}
            }
            all.write(AgentEvent { entity, event });
        }
    }
}

/// Moves the transforms of agents to between their last two poses.
pub(crate) fn interpolate<W: Environment + 'static>(
    time: Res<Time<Fixed>>,
    spaces: Query<&NavSpace<W>>,
    mut agents: Query<
        (&mut AgentPose, &mut Transform, Has<KeepRotation>),
        (With<NavAgent>, Without<ManualMovement>),
    >,
) {
    for space in &spaces {
        let placement = space.placement;
        let tick = space.simulation.settings().tick_seconds;
        let since = space.elapsed + time.overstep().as_secs_f32();
        let share = (since / tick).clamp(0.0, 1.0);
        for &entity in space.agents.keys() {
            let Ok((mut pose, mut transform, keeps_rotation)) = agents.get_mut(entity) else {
                continue;
            };
            // Somebody else has moved it: the next step takes it over.
            if transform.translation != pose.written {
                continue;
            }
            let at = Vec3::lerp(pose.from, pose.to, share);
            if transform.translation != at {
                (transform.translation, pose.written) = (at, at);
            }
            // A sprite that looks nowhere in particular is left as it was drawn.
            let has_turned = pose.heading_from != pose.heading_to;
            if !keeps_rotation && (has_turned || !placement.is_flat()) {
                let [from, to] =
                    [pose.heading_from, pose.heading_to].map(|h| placement.rotation(h));
                let rotation = from.slerp(to, share);
                if transform.rotation != rotation {
                    transform.rotation = rotation;
                }
            }
        }
    }
}

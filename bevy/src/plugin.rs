//! The plugin: systems, messages, types.

use std::marker::PhantomData;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleConfigs;
use bevy_ecs::system::ScheduleSystem;
use wayfare::simulation::Environment;

use crate::enter::{self, Linked, NavSpaceOf, Placed};
use crate::space::{DefaultSpace, NavSpace};
use crate::{
    AgentEvent, AgentPose, Arrived, Behaviours, DesiredVelocity, Destination, InSpace,
    KeepRotation, ManualMovement, NavAgent, NavLink, NavObstacle, NavPath, NavTrouble, OutOfReach,
    PathChanged, PathFailed, tick,
};

/// Navigation in worlds of one kind: `NavPlugin::<Grid>` for tile maps, `NavPlugin::<MeshWorld>`
/// for navigation meshes, `NavPlugin::<VoxelGrid>`, `NavPlugin::<WaypointGraph>`, or one for a
/// world of your own. Add one for each kind that the program has.
///
/// Spaces tick in [`FixedUpdate`], each by the tick of its own settings, and the transforms of
/// agents are interpolated between ticks before [`Update`]. Needs Bevy's `TimePlugin`, which is one
/// of the default and the minimal plugins.
///
/// 2D or 3D is up to the [`Placement`](crate::Placement) of a space.
pub struct NavPlugin<W>(PhantomData<fn() -> W>);

impl<W> Default for NavPlugin<W> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<W> std::fmt::Debug for NavPlugin<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("NavPlugin")
    }
}

/// The steps of navigation in [`FixedUpdate`], in order.
#[derive(SystemSet, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NavSystems {
    /// Agents, orders, obstacles and links enter the simulation.
    Enter,
    /// The ticks that are due.
    Tick,
    /// Poses, velocities, paths and troubles are written; messages are sent.
    Leave,
}

impl<W: Environment + 'static> Plugin for NavPlugin<W> {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<SharedPlugin>() {
            app.add_plugins(SharedPlugin);
        }
        let enter: ScheduleConfigs<ScheduleSystem> = (
            mark_spaces::<W>,
            enter::remove_agents::<W>,
            enter::move_obstacles::<W>,
            enter::change_links::<W>,
            enter::add_agents::<W>,
            enter::change_settings::<W>,
            enter::give_orders::<W>,
            enter::give_behaviours::<W>,
            enter::follow_transforms::<W>,
            enter::wait_for_manual::<W>,
        )
            .chain()
            .in_set(NavSystems::Enter);
        app.add_systems(FixedUpdate, enter)
            .add_systems(FixedUpdate, tick::tick::<W>.in_set(NavSystems::Tick))
            .add_systems(
                FixedUpdate,
                (tick::write_agents::<W>, tick::report::<W>).chain().in_set(NavSystems::Leave),
            )
            .add_systems(
                RunFixedMainLoop,
                tick::interpolate::<W>.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
            )
            .add_observer(take_default::<W>)
            .add_observer(leave_space::<W>);
    }

    fn is_unique(&self) -> bool {
        true
    }
}

/// What spaces of all kinds share.
struct SharedPlugin;

impl Plugin for SharedPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<DefaultSpace>()
            .configure_sets(
                FixedUpdate,
                (NavSystems::Enter, NavSystems::Tick, NavSystems::Leave).chain(),
            )
            .add_systems(FixedUpdate, enter::warn_of_no_space.before(NavSystems::Enter))
            .add_message::<AgentEvent>()
            .add_message::<Arrived>()
            .add_message::<PathChanged>()
            .add_message::<PathFailed>()
            .add_message::<OutOfReach>()
            .register_type::<AgentPose>()
            .register_type::<Behaviours>()
            .register_type::<DesiredVelocity>()
            .register_type::<Destination>()
            .register_type::<InSpace>()
            .register_type::<KeepRotation>()
            .register_type::<ManualMovement>()
            .register_type::<NavAgent>()
            .register_type::<NavLink>()
            .register_type::<NavObstacle>()
            .register_type::<NavPath>()
            .register_type::<NavTrouble>();
    }
}

/// Makes the first space the default one.
fn take_default<W: Environment + 'static>(
    inserted: On<Insert<NavSpace<W>>>,
    mut default: ResMut<DefaultSpace>,
) {
    default.0.get_or_insert(inserted.entity);
}

/// Takes agents, links and obstacles out of a space that is gone or replaced, so that they enter
/// the next one.
fn leave_space<W: Environment + 'static>(
    gone: On<Discard<NavSpace<W>>>,
    mut default: ResMut<DefaultSpace>,
    mut commands: Commands,
    agents: Query<(Entity, &Placed)>,
    links: Query<(Entity, &Linked)>,
) {
    let home = gone.entity;
    if default.0 == Some(home) {
        default.0 = None;
    }
    for (entity, _) in agents.iter().filter(|(_, placed)| placed.0 == home) {
        commands.entity(entity).try_remove::<Placed>();
    }
    for (entity, _) in links.iter().filter(|(_, linked)| linked.0 == home) {
        commands.entity(entity).try_remove::<Linked>();
    }
    if let Ok(mut space) = commands.get_entity(home) {
        space.try_remove::<NavSpaceOf<W>>();
    }
}

/// Marks new spaces, so that obstacles enter them.
fn mark_spaces<W: Environment + 'static>(
    mut commands: Commands,
    new: Query<Entity, (With<NavSpace<W>>, Without<NavSpaceOf<W>>)>,
) {
    for entity in &new {
        commands.entity(entity).insert(NavSpaceOf::<W>::default());
    }
}

//! Agents, paths and troubles, drawn.

use std::marker::PhantomData;

use bevy_app::prelude::*;
use bevy_color::Color;
use bevy_ecs::prelude::*;
use bevy_gizmos::AppGizmoBuilder;
use bevy_gizmos::config::GizmoConfigGroup;
use bevy_gizmos::gizmos::Gizmos;
use bevy_math::{Isometry3d, Quat, Vec3};
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use wayfare::simulation::{Environment, MeshWorld};

use crate::{NavAgent, NavSpace, NavTrouble, Placement};

/// The colours of the drawing, and its switch: `ResMut<NavGizmos>`.
#[derive(Resource, Reflect, Clone, Copy, PartialEq, Debug)]
#[reflect(Resource, Default)]
pub struct NavGizmos {
    /// Whether anything is drawn. Default true.
    pub is_on: bool,
    /// Agents on their way, and those that stand.
    pub agent: Color,
    /// Agents with a [`NavTrouble`].
    pub trouble: Color,
    /// Paths ahead.
    pub path: Color,
    /// Edges of navigation meshes.
    pub mesh: Color,
}

impl Default for NavGizmos {
    fn default() -> Self {
        Self {
            is_on: true,
            agent: Color::srgb(0.36, 0.72, 0.95),
            trouble: Color::srgb(0.95, 0.33, 0.27),
            path: Color::srgb(0.98, 0.79, 0.27),
            mesh: Color::srgba(0.5, 0.8, 0.6, 0.4),
        }
    }
}

/// The group of these gizmos, for their line width and depth bias.
#[derive(GizmoConfigGroup, Reflect, Clone, Copy, Debug, Default)]
pub struct NavGizmoGroup;

/// Draws the agents of all spaces of one kind with their paths and destinations: a circle a body,
/// red where there is a [`NavTrouble`].
pub struct NavGizmosPlugin<W>(PhantomData<fn() -> W>);

impl<W> Default for NavGizmosPlugin<W> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<W: Environment + 'static> Plugin for NavGizmosPlugin<W> {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<SharedGizmos>() {
            app.add_plugins(SharedGizmos);
        }
        app.add_systems(Update, draw_agents::<W>);
    }

    fn is_unique(&self) -> bool {
        true
    }
}

struct SharedGizmos;

impl Plugin for SharedGizmos {
    fn build(&self, app: &mut App) {
        app.init_gizmo_group::<NavGizmoGroup>()
            .init_resource::<NavGizmos>()
            .register_type::<NavGizmos>()
            .add_systems(Update, draw_meshes);
    }
}

fn draw_agents<W: Environment + 'static>(
    settings: Res<NavGizmos>,
    spaces: Query<&NavSpace<W>>,
    agents: Query<(&NavAgent, Option<&NavTrouble>)>,
    mut gizmos: Gizmos<NavGizmoGroup>,
) {
    if !settings.is_on {
        return;
    }
    for space in &spaces {
        let placement = space.placement();
        for view in space.simulation().agents() {
            let Some(entity) = Entity::try_from_bits(view.user_data()) else { continue };
            let Ok((agent, trouble)) = agents.get(entity) else { continue };
            let at = placement.to_bevy(view.position());
            let colour = if trouble.is_some() { settings.trouble } else { settings.agent };
            gizmos.circle(lying(placement, at), agent.radius, colour);
            let facing = placement.vector_to_bevy(view.facing()).normalize_or_zero();
            gizmos.line(at, at + facing * agent.radius, colour);
            if view.destination().is_some() {
                let points = view.way_ahead().map(|point| placement.to_bevy(point));
                gizmos.linestrip(points, settings.path);
            }
            if let Some(aim) = view.destination() {
                let aim = placement.to_bevy(aim);
                gizmos.circle(lying(placement, aim), 0.4 * agent.radius, settings.path);
            }
        }
    }
}

/// Returns the plane of a circle on the ground at a point.
fn lying(placement: &Placement, at: Vec3) -> Isometry3d {
    let upright = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
    Isometry3d::new(at, if placement.is_flat() { Quat::IDENTITY } else { upright })
}

fn draw_meshes(
    settings: Res<NavGizmos>,
    spaces: Query<&NavSpace<MeshWorld>>,
    mut gizmos: Gizmos<NavGizmoGroup>,
) {
    if !settings.is_on {
        return;
    }
    for space in &spaces {
        let (mesh, placement) = (space.world().mesh(), space.placement());
        for polygon in mesh.polygons() {
            let corners = mesh.corners(polygon).iter();
            let corners: Vec<Vec3> = corners
                .map(|&corner| placement.to_bevy(mesh.vertices()[corner as usize]))
                .collect();
            gizmos.linestrip(corners.iter().chain(corners.first()).copied(), settings.mesh);
        }
    }
}

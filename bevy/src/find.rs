//! Paths without an agent, found on the task pool.

use std::marker::PhantomData;
use std::sync::Arc;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_ecs::reflect::ReflectComponent;
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use bevy_tasks::futures::check_ready;
use bevy_tasks::{AsyncComputeTaskPool, Task};
use wayfare::path::{Polyline, shorten_path, simplify_path};
use wayfare::search::{
    Auto, MeshOutcome, MeshQuery, MeshScratch, MeshSearch, Outcome, Polyanya, Query as PathQuery,
    solve,
};
use wayfare::simulation::{Environment, MeshWorld, Spaces};
use wayfare::space::navmesh::HeightReach;
use wayfare::space::{Grid, ProfileId, Revision, VoxelGrid, WaypointGraph};

use crate::space::{DefaultSpace, NavSpace};
use crate::{InSpace, Placement};

/// A question for a path between two points, answered on the task pool in a later frame: spawn it
/// by itself, or insert it into any entity. [`FoundPath`] replaces it.
///
/// For what agents do not ask: a preview of a move, an estimate for an AI, a trade route. It sees
/// the ground and its costs, but no links. Needs [`FindPlugin`].
#[derive(Component, Reflect, Clone, Copy, PartialEq, Debug)]
#[reflect(Component)]
pub struct FindPath {
    /// The start, in Bevy's world.
    pub from: Vec3,
    /// The goal, in Bevy's world.
    pub to: Vec3,
    /// The index of the profile of the space. Default 0.
    pub profile: u16,
}

impl FindPath {
    /// Returns the question of the first profile.
    #[must_use]
    pub fn new(from: Vec3, to: Vec3) -> Self {
        Self { from, to, profile: 0 }
    }
}

/// The answer to [`FindPath`]: a path, or the reason why there is none.
#[derive(Component, Reflect, Clone, PartialEq, Debug)]
#[reflect(Component)]
pub enum FoundPath {
    /// A cheapest path, without the points that a straight line can do without.
    Path {
        /// The points, from the start to the goal, in Bevy's world.
        points: Vec<Vec3>,
        /// Its length in Bevy's units.
        length: f32,
    },
    /// There is none; why, in words.
    None(String),
}

/// A world whose paths can be found without an agent.
pub trait Routes: Environment + Clone + 'static {
    /// Returns the turning points of a cheapest path, in units of the space.
    ///
    /// # Errors
    /// The reason why there is none, in words.
    fn route(&self, profile: ProfileId, from: Vec3, to: Vec3) -> Result<Vec<Vec3>, String>;
}

/// Finds a path over states. `straighten` may remove some of them.
macro_rules! route_over_states {
    ($world:ty, $straighten:path) => {
        impl Routes for $world {
            fn route(&self, profile: ProfileId, from: Vec3, to: Vec3) -> Result<Vec<Vec3>, String> {
                let state = |point| self.state_meant(profile, point);
                let start = state(from).ok_or("no path: the start lies off the map")?;
                let goal = state(to).ok_or("no path: the goal lies off the map")?;
                let space = Spaces::space(self, profile);
                match solve(&space, &Auto, PathQuery::new(start, goal)).outcome {
                    Outcome::Found(path) => {
                        Ok(Polyline::from_path(&space, &$straighten(&space, &path)).points)
                    }
                    Outcome::Unreachable { reason, .. } => Err(format!("no path: {reason}")),
                    other => Err(other.to_string()),
                }
            }
        }
    };
}

route_over_states!(Grid, shorten_path);
route_over_states!(VoxelGrid, simplify_path);
route_over_states!(WaypointGraph, simplify_path);

impl Routes for MeshWorld {
    fn route(&self, profile: ProfileId, from: Vec3, to: Vec3) -> Result<Vec<Vec3>, String> {
        let space = Spaces::space(self, profile);
        let locate = |point| space.locate(point, HeightReach::default());
        let start = locate(from).ok_or("no path: the start lies off the mesh")?;
        let goal = locate(to).ok_or("no path: the goal lies off the mesh")?;
        let mut search = Polyanya.search(MeshQuery::new(start, goal));
        match search.finish(&space, &mut MeshScratch::new(), &mut ()).outcome {
            MeshOutcome::Found(path) => Ok(path.places().collect()),
            MeshOutcome::Unreachable { reason, .. } => Err(format!("no path: {reason}")),
            MeshOutcome::LimitReached { limit, .. } => Err(limit.to_string()),
            MeshOutcome::Interrupted(reason) => Err(reason.to_string()),
        }
    }
}

/// Answers [`FindPath`] in worlds of one kind, on the task pool.
pub struct FindPlugin<W>(PhantomData<fn() -> W>);

impl<W> Default for FindPlugin<W> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<W: Routes> Plugin for FindPlugin<W> {
    fn build(&self, app: &mut App) {
        app.init_resource::<DefaultSpace>()
            .register_type::<FindPath>()
            .register_type::<FoundPath>()
            .add_systems(PreUpdate, (begin::<W>, finish::<W>).chain());
    }

    fn is_unique(&self) -> bool {
        true
    }
}

/// A copy of a world for the task pool, renewed after edits.
#[derive(Component)]
struct Copied<W> {
    revision: Revision,
    world: Arc<W>,
}

/// A search under way.
#[derive(Component)]
struct Finding<W> {
    task: Task<Result<Vec<Vec3>, String>>,
    placement: Placement,
    of: PhantomData<fn() -> W>,
}

fn begin<W: Routes>(
    mut commands: Commands,
    default: Res<DefaultSpace>,
    mut spaces: Query<(Entity, &NavSpace<W>, Option<&mut Copied<W>>)>,
    asked: Query<(Entity, &FindPath, Option<&InSpace>)>,
) {
    for (home, space, mut copied) in &mut spaces {
        let mut copy: Option<Arc<W>> = None;
        for (entity, question, _) in asked.iter().filter(|asked| default.is_of(asked.2, home)) {
            let mut fetch = || match copied.as_deref_mut() {
                Some(known) if known.revision == space.world().revision() => known.world.clone(),
                known => {
                    let world = Arc::new(space.world().clone());
                    let renewed = Copied { revision: world.revision(), world: world.clone() };
                    match known {
                        Some(known) => *known = renewed,
                        None => {
                            commands.entity(home).insert(renewed);
                        }
                    }
                    world
                }
            };
            let world = copy.get_or_insert_with(&mut fetch).clone();
            let placement = *space.placement();
            let [from, to] = [question.from, question.to].map(|point| placement.to_space(point));
            let profile = ProfileId(question.profile);
            let answer = async move {
                if !world.has_profile(profile) {
                    return Err(format!("the space has no profile {}", profile.0));
                }
                world.route(profile, from, to)
            };
            let task = AsyncComputeTaskPool::get_or_init(Default::default).spawn(answer);
            let finding = Finding::<W> { task, placement, of: PhantomData };
            commands.entity(entity).insert(finding).remove::<(FindPath, FoundPath)>();
        }
    }
}

fn finish<W: Routes>(mut commands: Commands, mut finding: Query<(Entity, &mut Finding<W>)>) {
    for (entity, mut finding) in &mut finding {
        let Some(answer) = check_ready(&mut finding.task) else { continue };
        let found = match answer {
            Ok(points) => {
                let points: Vec<Vec3> =
                    points.into_iter().map(|point| finding.placement.to_bevy(point)).collect();
                let length = points.windows(2).map(|leg| leg[0].distance(leg[1])).sum();
                FoundPath::Path { points, length }
            }
            Err(reason) => FoundPath::None(reason),
        };
        commands.entity(entity).insert(found).remove::<Finding<W>>();
    }
}

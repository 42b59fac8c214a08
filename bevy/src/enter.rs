//! From Bevy's world into the simulation: agents, orders, behaviours, obstacles, links.

use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use wayfare::agent::{AgentId, Behaviour as EngineBehaviour, Order, TeamId};
use wayfare::simulation::{
    AgentChange, AgentSpec, AvoidanceManner, Command as SimulationCommand, Environment,
};

use crate::space::{DefaultSpace, KnownAgent, NavSpace};
use crate::{
    AgentPose, Behaviours, DesiredVelocity, Destination, InSpace, ManualMovement, NavAgent,
    NavLink, NavObstacle, NavTrouble,
};

/// The mark of an agent that is in a space.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Placed(pub(crate) Entity);

/// The mark of a link that is in a space.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Linked(pub(crate) Entity);

/// What an agent is added with.
type NewAgent<'a> = (
    Entity,
    &'a NavAgent,
    &'a Transform,
    Option<&'a InSpace>,
    Option<&'a NavTrouble>,
    Has<Behaviours>,
    &'a mut AgentPose,
);

/// Adds agents that are in no space yet, in the order of the indices of their entities: the queries
/// of Bevy have no promised order, and simulations repeat. (The order of entities themselves is
/// that of bits without a meaning.)
pub(crate) fn add_agents<W: Environment + 'static>(
    mut commands: Commands,
    default: Res<DefaultSpace>,
    mut spaces: Query<(Entity, &mut NavSpace<W>)>,
    mut agents: Query<NewAgent<'_>, Without<Placed>>,
) {
    for (home, mut space) in &mut spaces {
        let of_space = agents.iter().filter(|agent| default.is_of(agent.3, home));
        let mut new: Vec<Entity> = of_space.map(|agent| agent.0).collect();
        new.sort_unstable_by_key(|entity| entity.index_u32());
        for entity in new {
            let Ok((_, agent, transform, _, trouble, behaves, mut pose)) = agents.get_mut(entity)
            else {
                continue;
            };
            let placement = space.placement;
            let at = transform.translation;
            let added = match space.class(agent.profile, agent.keys) {
                None => Err(NavTrouble::NoSuchProfile(agent.profile)),
                Some(class) => {
                    let mut avoidance = agent.avoidance;
                    if W::AVOIDING == AvoidanceManner::Never {
                        avoidance = crate::AgentAvoidance::OFF;
                    }
                    let spec = AgentSpec::unnamed(class, placement.to_space(at))
                        .user_data(entity.to_bits())
                        .team(TeamId(agent.team))
                        .limits(agent.limits(&placement))
                        .avoidance(avoidance.to_engine());
                    let spec = AgentSpec { facing: placement.heading(transform.rotation), ..spec };
                    space.simulation.add_agent(spec).map_err(NavTrouble::NotPlaced)
                }
            };
            match added {
                Ok(id) => {
                    space.agents.insert(entity, KnownAgent { id, ordered: None });
                    let heading = placement.heading(transform.rotation);
                    *pose = AgentPose {
                        from: at,
                        to: at,
                        heading_from: heading,
                        heading_to: heading,
                        written: at,
                    };
                    if behaves {
                        space.unsettled.push(entity);
                    }
                    commands.entity(entity).insert(Placed(home)).remove::<NavTrouble>();
                }
                // It is tried again each time: ground may appear, or the agent may be moved.
                Err(reason) if trouble != Some(&reason) => {
                    tracing::warn!("agent {entity}: {reason}");
                    commands.entity(entity).insert(reason);
                }
                Err(_) => {}
            }
        }
    }
}

/// Tells agents without any space so.
pub(crate) fn warn_of_no_space(
    mut commands: Commands,
    default: Res<DefaultSpace>,
    agents: Query<
        (Entity, Option<&InSpace>),
        (With<NavAgent>, Without<Placed>, Without<NavTrouble>),
    >,
    entities: Query<Entity>,
) {
    for (entity, named) in &agents {
        let home = named.map_or(default.0, |named| Some(named.0));
        if home.is_none_or(|home| entities.get(home).is_err()) {
            commands.entity(entity).insert(NavTrouble::NoSpace);
        }
    }
}

/// Removes agents whose entities are gone, or that are agents no more.
pub(crate) fn remove_agents<W: Environment + 'static>(
    mut commands: Commands,
    mut gone: RemovedComponents<NavAgent>,
    mut spaces: Query<&mut NavSpace<W>>,
) {
    for entity in gone.read() {
        for mut space in &mut spaces {
            if let Some(known) = space.agents.remove(&entity) {
                space.command(SimulationCommand::Remove(known.id));
                if let Ok(mut entity) = commands.get_entity(entity) {
                    entity.remove::<(Placed, NavTrouble, AgentPose, DesiredVelocity)>();
                }
            }
        }
    }
}

/// Carries changed settings over.
pub(crate) fn change_settings<W: Environment + 'static>(
    mut commands: Commands,
    mut spaces: Query<&mut NavSpace<W>>,
    agents: Query<(Entity, Ref<NavAgent>, &Placed, Option<&NavTrouble>), Changed<NavAgent>>,
) {
    for (entity, agent, placed, trouble) in &agents {
        let Ok(mut space) = spaces.get_mut(placed.0) else { continue };
        let Some(&KnownAgent { id, .. }) = space.agents.get(&entity) else { continue };
        if agent.is_added() {
            continue; // it was added with these settings
        }
        match changes(&agent, id, &mut space) {
            Ok(changes) => {
                for change in changes {
                    space.command(SimulationCommand::Change { agent: id, change });
                }
                if let Some(NavTrouble::Refused(_) | NavTrouble::NoSuchProfile(_)) = trouble {
                    commands.entity(entity).remove::<NavTrouble>();
                }
            }
            Err(refused) => {
                tracing::warn!("agent {entity}: {refused}");
                commands.entity(entity).insert(refused);
            }
        }
    }
}

/// Returns the changes that make an agent of the simulation one of these settings.
fn changes<W: Environment + 'static>(
    agent: &NavAgent,
    id: AgentId,
    space: &mut NavSpace<W>,
) -> Result<Vec<AgentChange>, NavTrouble> {
    let limits = agent.limits(&space.placement);
    limits.check().map_err(|fault| NavTrouble::Refused(fault.to_string()))?;
    let class = space.class(agent.profile, agent.keys);
    let class = class.ok_or(NavTrouble::NoSuchProfile(agent.profile))?;
    let mut changes = vec![AgentChange::Limits(limits), AgentChange::Team(TeamId(agent.team))];
    let Some(view) = space.simulation.agent(id) else { return Ok(changes) };
    let avoidance = agent.avoidance.to_engine();
    if W::AVOIDING != AvoidanceManner::Never && view.avoidance() != avoidance {
        changes.push(AgentChange::Avoidance(avoidance));
    }
    if view.class() != class {
        changes.push(AgentChange::Class(class));
    }
    Ok(changes)
}

/// Gives orders: to new destinations, after entities that have moved, and to stop.
pub(crate) fn give_orders<W: Environment + 'static>(
    mut spaces: Query<&mut NavSpace<W>>,
    mut halted: RemovedComponents<Destination>,
    agents: Query<(Entity, Ref<Destination>, &NavAgent, &Placed)>,
    transforms: Query<&Transform>,
) {
    for entity in halted.read() {
        for mut space in &mut spaces {
            if let Some(known) = space.agents.get_mut(&entity) {
                known.ordered = None;
                let agent = known.id;
                space.command(SimulationCommand::Order { agent, order: Order::Cancel });
            }
        }
    }
    for (entity, destination, agent, placed) in &agents {
        let Ok(mut space) = spaces.get_mut(placed.0) else { continue };
        let target = match *destination {
            Destination::Point(point) => point,
            Destination::Entity(target) => match transforms.get(target) {
                Ok(transform) => transform.translation,
                Err(_) => continue,
            },
        };
        let Some(known) = space.agents.get(&entity).copied() else { continue };
        let has_moved = known.ordered.is_none_or(|at| at.distance(target) > agent.radius);
        if destination.is_changed() || has_moved {
            let order = Order::GoTo(space.placement.to_space(target));
            space.agents.insert(entity, KnownAgent { ordered: Some(target), ..known });
            space.command(SimulationCommand::Order { agent: known.id, order });
        }
    }
}

/// Carries behaviours over, once their targets are in the space.
pub(crate) fn give_behaviours<W: Environment + 'static>(
    mut spaces: Query<&mut NavSpace<W>>,
    changed: Query<(Entity, &Placed), Changed<Behaviours>>,
    behaviours: Query<&Behaviours>,
) {
    for (entity, placed) in &changed {
        if let Ok(mut space) = spaces.get_mut(placed.0)
            && !space.unsettled.contains(&entity)
        {
            space.unsettled.push(entity);
        }
    }
    for mut space in &mut spaces {
        for entity in std::mem::take(&mut space.unsettled) {
            let known = space.agents.get(&entity).copied();
            let (Some(known), Ok(wanted)) = (known, behaviours.get(entity)) else { continue };
            match to_engine(wanted, &space) {
                Some(behaviours) => space.command(SimulationCommand::Change {
                    agent: known.id,
                    change: AgentChange::Behaviours(behaviours),
                }),
                None => space.unsettled.push(entity),
            }
        }
    }
}

/// Puts agents elsewhere whose transforms somebody else has written.
pub(crate) fn follow_transforms<W: Environment + 'static>(
    mut spaces: Query<&mut NavSpace<W>>,
    mut agents: Query<
        (Entity, &Transform, &mut AgentPose, &Placed),
        (Changed<Transform>, Without<ManualMovement>),
    >,
) {
    for (entity, transform, mut pose, placed) in &mut agents {
        let at = transform.translation;
        let Ok(mut space) = spaces.get_mut(placed.0) else { continue };
        let Some(&KnownAgent { id, .. }) = space.agents.get(&entity) else { continue };
        if at != pose.written {
            pose.written = at;
            let to = space.placement.to_space(at);
            space.command(SimulationCommand::Warp { agent: id, to });
        }
    }
}

/// Returns the engine's behaviours; `None` while a target is not in the space.
fn to_engine<W: Environment + 'static>(
    behaviours: &Behaviours,
    space: &NavSpace<W>,
) -> Option<Vec<EngineBehaviour>> {
    let find = |entity| space.agents.get(&entity).map(|known| known.id);
    behaviours.0.iter().map(|one| one.to_engine(&space.placement, find)).collect()
}

/// Puts planned bodies back to real ones that they have lost.
pub(crate) fn wait_for_manual<W: Environment + 'static>(
    mut spaces: Query<&mut NavSpace<W>>,
    agents: Query<(Entity, &NavAgent, &Transform, &Placed), With<ManualMovement>>,
) {
    for (entity, agent, transform, placed) in &agents {
        let Ok(mut space) = spaces.get_mut(placed.0) else { continue };
        let Some(view) = space.agent(entity) else { continue };
        let id = view.id();
        let real = space.placement.to_space(transform.translation);
        let mut apart = view.position() - real;
        if space.placement.is_flat() {
            apart.y = 0.0;
        }
        let leash = space.placement.length_to_space(2.0 * agent.radius + 0.25 * agent.max_speed);
        if apart.length() > leash {
            space.command(SimulationCommand::Warp { agent: id, to: real });
        }
    }
}

/// Carries obstacles over.
pub(crate) fn move_obstacles<W: Environment + 'static>(
    default: Res<DefaultSpace>,
    mut gone: RemovedComponents<NavObstacle>,
    mut spaces: Query<(Entity, Ref<NavSpaceOf<W>>, &mut NavSpace<W>)>,
    obstacles: Query<(Entity, &NavObstacle, Ref<Transform>, Ref<NavObstacle>, Option<&InSpace>)>,
) {
    let gone: Vec<Entity> = gone.read().collect();
    for (home, mark, mut space) in &mut spaces {
        for entity in &gone {
            if let Some(id) = space.obstacles.remove(entity) {
                space.command(SimulationCommand::Restore { id });
            }
        }
        let mut moved: Vec<(Entity, NavObstacle, Vec3)> = obstacles
            .iter()
            .filter(|(_, _, at, what, named)| {
                let has_moved = at.is_changed() || what.is_changed() || mark.is_added();
                has_moved && default.is_of(*named, home)
            })
            .map(|(entity, obstacle, at, ..)| (entity, *obstacle, at.translation))
            .collect();
        moved.sort_unstable_by_key(|moved| moved.0.index_u32());
        for (entity, obstacle, at) in moved {
            let to = obstacle.to_engine(at, &space.placement);
            let id = space.obstacle(entity);
            space.command(SimulationCommand::MoveObstacle { id, to });
        }
    }
}

/// The mark of a space of that kind of world, for the detection of new ones.
#[derive(Component, Debug)]
pub(crate) struct NavSpaceOf<W>(std::marker::PhantomData<fn() -> W>);

impl<W> Default for NavSpaceOf<W> {
    fn default() -> Self {
        Self(std::marker::PhantomData)
    }
}

/// Adds links, and carries their gates over.
pub(crate) fn change_links<W: Environment + 'static>(
    mut commands: Commands,
    default: Res<DefaultSpace>,
    mut gone: RemovedComponents<NavLink>,
    mut spaces: Query<(Entity, &mut NavSpace<W>)>,
    new: Query<(Entity, &NavLink, Option<&InSpace>), Without<Linked>>,
    changed: Query<(Entity, &NavLink, &Linked), Changed<NavLink>>,
) {
    let gone: Vec<Entity> = gone.read().collect();
    for (home, mut space) in &mut spaces {
        for entity in &gone {
            if let Some(link) = space.links.remove(entity) {
                let gate = wayfare::link::Gate::Closed;
                space.command(SimulationCommand::Gate { link, gate });
            }
        }
        for (entity, link, linked) in &changed {
            if linked.0 == home
                && let Some(id) = space.link(entity)
            {
                let gate = link.gate.to_engine().0;
                space.command(SimulationCommand::Gate { link: id, gate });
            }
        }
        let of_space = new.iter().filter(|link| default.is_of(link.2, home));
        let mut of_space: Vec<(Entity, NavLink)> =
            of_space.map(|(entity, link, _)| (entity, *link)).collect();
        of_space.sort_unstable_by_key(|link| link.0.index_u32());
        for (entity, link) in of_space {
            let engine = link.to_engine(space.world(), &space.placement);
            match engine.map(|engine| space.simulation.add_link(engine)) {
                Some(Ok(id)) => {
                    space.links.insert(entity, id);
                }
                Some(Err(fault)) => tracing::warn!("link {entity}: {fault}"),
                None => tracing::warn!(
                    "link {entity}: there is no ground at {} or {}: it is left out",
                    link.from,
                    link.to
                ),
            }
            commands.entity(entity).insert(Linked(home));
        }
    }
}

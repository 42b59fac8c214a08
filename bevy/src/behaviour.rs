//! Behaviours of agents, with entities where the engine has ids.

use bevy_ecs::entity::{EntityMapper, MapEntities};
use bevy_ecs::prelude::*;
use bevy_ecs::reflect::ReflectComponent;
use bevy_math::Vec3;
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use wayfare::agent::{AgentId, Behaviour as EngineBehaviour, PatrolOrder, TeamId, Who};

use crate::Placement;

/// What an agent does of its own accord, the most urgent first: the first behaviour that has
/// something to do acts. A [`Destination`](crate::Destination) comes before all.
///
/// A guard is `[Pursue, Patrol]`: it patrols until an agent comes near, chases it, and returns.
#[derive(Component, Reflect, Clone, PartialEq, Debug, Default)]
#[reflect(Component, Default)]
pub struct Behaviours(pub Vec<Behaviour>);

/// One thing that an agent does of its own accord: see [the engine's](EngineBehaviour).
#[derive(Reflect, Clone, PartialEq, Debug)]
pub enum Behaviour {
    /// Visit points again and again.
    Patrol {
        /// The points, at least one.
        points: Vec<Vec3>,
        /// In which order.
        order: Route,
        /// How long to stay at each, in seconds.
        dwell: f32,
    },
    /// Chase an agent that comes near.
    Pursue {
        /// The chased agent.
        target: Target,
        /// From which distance on, above 0.
        aggro: f32,
        /// At which distance to let go again, at least `aggro`.
        give_up: f32,
    },
    /// Run from an agent that comes near.
    Flee {
        /// The agent to run from.
        from: Target,
        /// From which distance on, above 0.
        radius: f32,
        /// The distance to run at a time, above 0.
        distance: f32,
    },
    /// Go to random points nearby.
    Wander {
        /// How far from where it began, above 0.
        radius: f32,
        /// The stay at each point, in seconds.
        dwell: f32,
    },
    /// Stay near another agent.
    Follow {
        /// The followed agent.
        who: Target,
        /// How near, above 0.
        distance: f32,
    },
}

/// In which order the points of a patrol are visited.
#[derive(Reflect, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Route {
    /// From the last point on to the first.
    #[default]
    Loop,
    /// At the last point, turn back.
    PingPong,
    /// Any other point, drawn each time.
    Random,
}

/// The other agent of a behaviour.
#[derive(Reflect, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// One agent. Until it is in the same space, the behaviour waits for it.
    Entity(Entity),
    /// The nearest agent of a team.
    Team(u16),
}

impl MapEntities for Behaviours {
    fn map_entities<M: EntityMapper>(&mut self, mapper: &mut M) {
        for behaviour in &mut self.0 {
            if let Some(Target::Entity(entity)) = behaviour.target_mut() {
                *entity = mapper.get_mapped(*entity);
            }
        }
    }
}

impl Behaviour {
    fn target_mut(&mut self) -> Option<&mut Target> {
        match self {
            Self::Pursue { target: who, .. }
            | Self::Flee { from: who, .. }
            | Self::Follow { who, .. } => Some(who),
            Self::Patrol { .. } | Self::Wander { .. } => None,
        }
    }

    /// Returns the engine's behaviour; `None` while its target is not in the space.
    pub(crate) fn to_engine(
        &self,
        placement: &Placement,
        find: impl Fn(Entity) -> Option<AgentId>,
    ) -> Option<EngineBehaviour> {
        let length = |length| placement.length_to_space(length);
        let who = |target: Target| match target {
            Target::Entity(entity) => find(entity).map(Who::Agent),
            Target::Team(team) => Some(Who::Team(TeamId(team))),
        };
        Some(match *self {
            Self::Patrol { ref points, order, dwell } => EngineBehaviour::Patrol {
                points: points.iter().map(|&point| placement.to_space(point)).collect(),
                order: match order {
                    Route::Loop => PatrolOrder::Loop,
                    Route::PingPong => PatrolOrder::PingPong,
                    Route::Random => PatrolOrder::Random,
                },
                dwell,
                start: 0,
            },
            Self::Pursue { target, aggro, give_up } => EngineBehaviour::Pursue {
                target: who(target)?,
                aggro: length(aggro),
                give_up: length(give_up),
                predict: 0.5,
                speed: None,
            },
            Self::Flee { from, radius, distance } => EngineBehaviour::Flee {
                from: who(from)?,
                radius: length(radius),
                distance: length(distance),
                speed: None,
            },
            Self::Wander { radius, dwell } => {
                EngineBehaviour::Wander { radius: length(radius), dwell }
            }
            Self::Follow { who: target, distance } => {
                EngineBehaviour::Follow { who: who(target)?, distance: length(distance) }
            }
        })
    }
}

//! What happened to agents: as messages to read in bulk, and as events to observe on an entity.

use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use wayfare::simulation::{Event, NoWay};

/// An agent came to where it wanted to be.
#[derive(Message, EntityEvent, Reflect, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arrived {
    /// The agent.
    pub entity: Entity,
}

/// An agent set out on a new path.
#[derive(Message, EntityEvent, Reflect, Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathChanged {
    /// The agent.
    pub entity: Entity,
}

/// There is no path to where an agent wants to be. It tries again after each edit of the world.
#[derive(Message, EntityEvent, Reflect, Clone, Copy, PartialEq, Eq, Debug)]
#[reflect(opaque)]
pub struct PathFailed {
    /// The agent.
    pub entity: Entity,
    /// Why; print it.
    pub reason: NoWay,
}

/// A point of a behaviour cannot be reached from where the agent is: a warning, once a behaviour.
#[derive(Message, EntityEvent, Reflect, Clone, Copy, PartialEq, Debug)]
#[reflect(opaque)]
pub struct OutOfReach {
    /// The agent.
    pub entity: Entity,
    /// The index of the behaviour.
    pub behaviour: u16,
    /// The point, in Bevy's world.
    pub point: Vec3,
    /// Why; print it.
    pub reason: NoWay,
}

/// Anything that happened to an agent, as the engine tells it: at links, decisions, halts.
#[derive(Message, Reflect, Clone, PartialEq, Debug)]
#[reflect(opaque)]
pub struct AgentEvent {
    /// The agent.
    pub entity: Entity,
    /// The event.
    pub event: Event,
}

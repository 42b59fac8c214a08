//! Links: doors, ladders, leaps, teleports between two points.

use bevy_ecs::prelude::*;
use bevy_ecs::reflect::ReflectComponent;
use bevy_math::Vec3;
use bevy_reflect::Reflect;
use std::num::NonZeroU16;
use wayfare::link::{Crossing, Gate, Keys, LinkPoints, NavLink as EngineLink};
use wayfare::simulation::Environment;
use wayfare::space::ProfileId;

use crate::Placement;

/// A link between two points of Bevy's world, as paths and agents use it: a door, a ladder, a leap,
/// a teleport.
///
/// Ends, speed, direction and capacity are those it was spawned with. Its gate may change at any
/// time. A link whose entity is despawned stays closed.
#[derive(Component, Reflect, Clone, Copy, PartialEq, Debug)]
#[reflect(Component)]
pub struct NavLink {
    /// The first end.
    pub from: Vec3,
    /// The second end.
    pub to: Vec3,
    /// The time of a crossing in seconds, 0 or more.
    pub seconds: f32,
    /// Whether it can be entered at both ends. Default true.
    pub two_way: bool,
    /// The number of agents that it holds at a time; 0, the default, for any number.
    pub capacity: u16,
    /// The agents that may enter. Default: all.
    pub gate: LinkGate,
}

/// The agents that may enter a link.
#[derive(Reflect, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LinkGate {
    /// All agents.
    #[default]
    Open,
    /// No agent.
    Closed,
    /// Agents with all of these [keys](crate::NavAgent::keys), a bit each. The keys are those it
    /// was spawned with.
    Locked(u32),
}

impl NavLink {
    /// Returns an open link in both directions with a crossing of `seconds`.
    #[must_use]
    pub fn new(from: Vec3, to: Vec3, seconds: f32) -> Self {
        Self { from, to, seconds, two_way: true, capacity: 0, gate: LinkGate::Open }
    }

    /// Returns the same link, to be entered at its first end alone.
    #[must_use]
    pub fn one_way(self) -> Self {
        Self { two_way: false, ..self }
    }

    /// Returns the same link with that gate.
    #[must_use]
    pub fn gate(self, gate: LinkGate) -> Self {
        Self { gate, ..self }
    }

    /// Returns the same link, which holds `agents` at a time.
    #[must_use]
    pub fn capacity(self, agents: u16) -> Self {
        Self { capacity: agents, ..self }
    }

    /// Returns the engine's link; `None` if an end has no ground.
    pub(crate) fn to_engine<W: Environment>(
        self,
        world: &W,
        placement: &Placement,
    ) -> Option<EngineLink<W::State>> {
        let profile = ProfileId::default();
        let [from, to] = [self.from, self.to].map(|end| placement.to_space(end));
        let state = |point| world.state_meant(profile, point);
        let (gate, key) = self.gate.to_engine();
        Some(EngineLink {
            two_way: self.two_way,
            capacity: NonZeroU16::new(self.capacity),
            gate,
            key,
            // The ends stay where they are when the ground is cut otherwise.
            points: W::RENUMBERS.then_some(LinkPoints { from, to, radius: 0.5 }),
            ..EngineLink::new(state(from)?, state(to)?, Crossing::Seconds(self.seconds))
        })
    }
}

impl LinkGate {
    pub(crate) fn to_engine(self) -> (Gate, Keys) {
        match self {
            Self::Open => (Gate::Open, Keys::NONE),
            Self::Closed => (Gate::Closed, Keys::NONE),
            Self::Locked(keys) => (Gate::Locked, Keys(keys)),
        }
    }
}

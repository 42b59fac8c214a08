//! Traffic: where agents are, and in whose way.

pub(super) mod bodies;
pub(super) mod crowd;
pub(super) mod jams;
mod links_in_use;

pub(super) use links_in_use::{LinkUse, LinksInUse};

use wayfare_core::space::StateId;

use self::bodies::Bodies;
use self::crowd::Crowd;
use self::jams::JamWatch;
use super::roster::Agent;

/// Where agents are, and in whose way.
#[derive(Debug)]
pub(super) struct Traffic {
    pub(super) links_in_use: LinksInUse,
    /// The agents as others see them.
    pub(super) crowd: Crowd,
    /// The bodies of all agents, once any of them avoids others.
    pub(super) bodies: Option<Box<Bodies>>,
    /// The measured jams; empty without jam settings.
    pub(super) jams: JamWatch,
}

impl Traffic {
    /// Returns the traffic on a count of links that nobody uses.
    pub(super) fn new(links: usize) -> Self {
        Self {
            links_in_use: LinksInUse(vec![LinkUse::default(); links]),
            crowd: Crowd::default(),
            bodies: None,
            jams: JamWatch::default(),
        }
    }

    /// Has agents see others, and avoid them, from the next tick on.
    pub(super) fn watch<State: StateId>(&mut self, agents: &[Agent<State>]) {
        agents.iter().for_each(|agent| self.crowd.serve(&agent.behaviours));
        if self.bodies.is_none() && agents.iter().any(|agent| agent.evasion.is_some()) {
            self.bodies = Bodies::new().map(Box::new);
        }
    }
}

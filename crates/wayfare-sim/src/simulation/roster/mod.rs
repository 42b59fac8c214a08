//! The roster: the agents, their classes and groups.

use super::GroundSpeeds;
use super::agents::Agent;
use super::groups::Group;
use super::session::Class;

/// The agents of a simulation, their classes and groups.
#[derive(Clone, Debug)]
pub(super) struct Roster<State> {
    pub(super) classes: Vec<Class>,
    /// By class; empty where no ground slows anybody.
    pub(super) ground_speeds: Vec<GroundSpeeds>,
    pub(super) agents: Vec<Agent<State>>,
    /// By id; disbanded ones have no members.
    pub(super) groups: Vec<Group>,
}

impl<State> Roster<State> {
    /// Returns a roster without agents.
    pub(super) fn new() -> Self {
        Self {
            classes: Vec::new(),
            ground_speeds: Vec::new(),
            agents: Vec::new(),
            groups: Vec::new(),
        }
    }
}

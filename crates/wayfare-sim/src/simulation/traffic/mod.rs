//! Traffic: where agents are, and in whose way.

pub(super) mod crowd;
pub(super) mod jams;
mod links_in_use;

pub(super) use links_in_use::LinkUse;

use self::crowd::Crowd;
use self::jams::JamWatch;
use super::avoid::Bodies;

/// Where agents are, and in whose way.
#[derive(Debug)]
pub(super) struct Traffic {
    /// By id of the link.
    pub(super) links_in_use: Vec<LinkUse>,
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
            links_in_use: vec![LinkUse::default(); links],
            crowd: Crowd::default(),
            bodies: None,
            jams: JamWatch::default(),
        }
    }
}

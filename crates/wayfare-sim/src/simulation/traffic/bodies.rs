//! The bodies of agents that avoid each other, as crowds see them.

use std::collections::BTreeMap;

use glam::Vec3;
use wayfare_crowd::inside::{Network, VolumeCrowd};
use wayfare_crowd::{Crowd, CrowdSettings};

/// The free width beside a move, by profile, states, and the two requested widths. It never changes
/// while a simulation runs: links come and go, the ground around them stays.
pub(in crate::simulation) type FreeWidths = BTreeMap<(u16, u32, u32, u32, u32), f32>;

/// The bodies of all agents, where some of them avoid others.
#[derive(Clone, Debug)]
pub(in crate::simulation) struct Bodies {
    /// The bodies on the ground.
    pub(in crate::simulation) ground: Crowd,
    /// The bodies that fly or swim, and the others as seen by these.
    pub(in crate::simulation) volume: VolumeCrowd,
    /// All of them, where they keep to the moves of their space.
    pub(in crate::simulation) network: Network,
    pub(in crate::simulation) shifts: Vec<Shift>,
    pub(in crate::simulation) free: FreeWidths,
}

/// Where a body was before a tick and is after it.
#[derive(Clone, Copy, Debug)]
pub(in crate::simulation) struct Shift {
    pub(in crate::simulation) number: u32,
    pub(in crate::simulation) radius: f32,
    pub(in crate::simulation) before: Vec3,
    pub(in crate::simulation) after: Vec3,
}

impl Bodies {
    /// Returns no bodies yet.
    pub(in crate::simulation) fn new() -> Option<Self> {
        let ground = Crowd::new(CrowdSettings::default()).ok()?;
        Some(Self {
            ground,
            volume: VolumeCrowd::default(),
            network: Network::default(),
            shifts: Vec::new(),
            free: FreeWidths::new(),
        })
    }
}

//! # A drawbridge
//!
//! Gates open and shut while everybody is under way; paths follow.

use wayfare_site::open_simulation;

use crate::shared::{Drawn, Result, still};

pub(super) fn draw() -> Result {
    let scene = "worlds/drawbridge.toml";
    let mut simulation = open_simulation(scene, None)?;
    while simulation.seconds() < 20.0 {
        simulation.tick();
    }
    let picture = still(scene, simulation.as_ref())?;
    Ok(Drawn::new(picture, format!("tick {}, hash {:016x}", simulation.now(), simulation.hash())))
}

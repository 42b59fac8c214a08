//! # Patrol and chase
//!
//! Two guards on their rounds and a thief with a tunnel: each decides what to do by what it sees.

use wayfare_site::open_simulation;

use crate::shared::{Drawn, Result, still};

pub(super) fn draw() -> Result {
    let scene = "worlds/guards.toml";
    let mut simulation = open_simulation(scene, None)?;
    while simulation.seconds() < 12.0 {
        simulation.tick();
    }
    let picture = still(scene, simulation.as_ref())?;
    Ok(Drawn::new(picture, format!("tick {}, hash {:016x}", simulation.now(), simulation.hash())))
}

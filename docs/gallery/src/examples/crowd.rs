//! # A crowd in a corridor
//!
//! Sixty people walk to and fro, and part into lanes: nobody touches anybody.

use wayfare_site::open_simulation;

use crate::shared::{Drawn, Result, still};

pub(super) fn draw() -> Result {
    let scene = "worlds/counterflow.toml";
    let mut simulation = open_simulation(scene, None)?;
    while simulation.seconds() < 14.0 {
        simulation.tick();
    }
    let picture = still(scene, simulation.as_ref())?;
    Ok(Drawn::new(picture, format!("tick {}, hash {:016x}", simulation.now(), simulation.hash())))
}

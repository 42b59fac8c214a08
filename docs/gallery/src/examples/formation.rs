//! # A formation
//!
//! Eight in a wedge pass a gate in file, and form again behind it.

use wayfare_site::open_simulation;

use crate::shared::{Drawn, Result, still};

pub(super) fn draw() -> Result {
    let scene = "worlds/squad.toml";
    let mut simulation = open_simulation(scene, None)?;
    while simulation.seconds() < 20.0 {
        simulation.tick();
    }
    let picture = still(scene, simulation.as_ref())?;
    Ok(Drawn::new(picture, format!("tick {}, hash {:016x}", simulation.now(), simulation.hash())))
}

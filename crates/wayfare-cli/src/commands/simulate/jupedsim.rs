//! Trajectories for JuPedSim's tools and PedPy, and the ground below them.

use std::io;

use glam::{DVec2, Vec3};
use wayfare::ops::sin_cos;
use wayfare_file::WholeFile;
use wayfare_measure::{Outline, PersonSample, TextTrajectories, WalkableArea};
use wayfare_site::SimulationSession;

use super::trajectory::{Line, Table, tick_seconds};

/// Returns the ground of a simulation as it is now.
///
/// # Errors
/// When the ground has no outline.
pub(super) fn ground(simulation: &dyn SimulationSession) -> Result<WalkableArea, String> {
    let mut pieces: Vec<Vec<Vec3>> = Vec::new();
    simulation.visit_ground(&mut |piece| pieces.push(piece.to_vec()));
    if pieces.is_empty() {
        return Err(
            "only grids and levels have ground with an outline, and this world has none".to_owned()
        );
    }
    WalkableArea::new(pieces).map_err(|error| error.to_string())
}

/// Returns the outlines of the islands that agents are on, or of all if links join others: tools of
/// JuPedSim take one connected ground only.
pub(super) fn outlines<'g>(
    simulation: &dyn SimulationSession,
    ground: &'g WalkableArea,
) -> Vec<&'g Outline> {
    let mut places: Vec<DVec2> = Vec::new();
    simulation.for_each_agent(&mut |agent| {
        let [x, _, z] = agent.position.map(f64::from);
        places.push(DVec2::new(x, z));
    });
    match simulation.links().is_empty() {
        true => ground.outlines_around(places),
        false => ground.outlines().iter().collect(),
    }
}

/// Returns the ground as well-known text.
pub(super) fn wkt(simulation: &dyn SimulationSession) -> Result<String, String> {
    let ground = ground(simulation)?;
    Ok(wayfare_measure::wkt(outlines(simulation, &ground)) + "\n")
}

fn frames_per_second(simulation: &dyn SimulationSession) -> f64 {
    (1.0 / tick_seconds(simulation) * 1e6).round() / 1e6
}

fn sample(line: &Line<'_>) -> PersonSample {
    let turn = sin_cos(line.heading);
    PersonSample {
        id: line.agent,
        position: Vec3::new(line.x, line.y, line.z),
        facing: Vec3::new(turn.cos, 0.0, turn.sin),
    }
}

/// Text, a frame a tick.
pub(super) struct TextTable {
    file: TextTrajectories<WholeFile>,
    frames: Frames,
}

impl TextTable {
    pub(super) fn new(file: WholeFile, simulation: &dyn SimulationSession) -> io::Result<Self> {
        let file = TextTrajectories::begin(file, frames_per_second(simulation))?;
        Ok(Self { file, frames: Frames::default() })
    }
}

impl Table for TextTable {
    fn begin(&mut self) -> io::Result<()> {
        self.frames.begin();
        Ok(())
    }

    fn add(&mut self, line: &Line<'_>) -> io::Result<()> {
        self.file.add(self.frames.now(), &sample(line))
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.file.into_inner().finish()
    }
}

/// The frames of a file: from 0, whatever the tick.
#[derive(Default)]
struct Frames {
    begun: u64,
}

impl Frames {
    fn begin(&mut self) {
        self.begun += 1;
    }

    fn now(&self) -> u64 {
        self.begun.saturating_sub(1)
    }
}

/// A SQLite file, a frame a tick.
#[cfg(feature = "sqlite")]
pub(super) struct SqliteTable {
    /// Renamed at the end; SQLite writes to it by its name.
    file: WholeFile,
    trajectories: wayfare_measure::SqliteTrajectories,
    frames: Frames,
}

#[cfg(feature = "sqlite")]
impl SqliteTable {
    pub(super) fn new(file: WholeFile, simulation: &dyn SimulationSession) -> io::Result<Self> {
        let ground = ground(simulation).map_err(io::Error::other)?;
        let trajectories = wayfare_measure::SqliteTrajectories::create(
            file.temporary_path()?,
            frames_per_second(simulation),
            outlines(simulation, &ground),
        );
        let trajectories = trajectories.map_err(io::Error::other)?;
        Ok(Self { file, trajectories, frames: Frames::default() })
    }
}

#[cfg(feature = "sqlite")]
impl Table for SqliteTable {
    fn begin(&mut self) -> io::Result<()> {
        self.frames.begin();
        self.trajectories.begin_frame(self.frames.now()).map_err(io::Error::other)
    }

    fn add(&mut self, line: &Line<'_>) -> io::Result<()> {
        self.trajectories.add(self.frames.now(), &sample(line)).map_err(io::Error::other)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.trajectories.finish().map_err(io::Error::other)?;
        self.file.finish()
    }
}

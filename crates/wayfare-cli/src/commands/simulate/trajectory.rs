//! Trajectories as tables: where each agent was after each tick.

use std::path::Path;

use serde::Serialize;
use wayfare::agent::BlendTree;
use wayfare_draw::Gait;
use wayfare_site::SimulationSession;
use wayfare_world::write_whole;

use super::drive::{Recording, Row};
use crate::failure::Failure;

/// The heading of a table: the fields of a [`Line`].
const COLUMNS: [&str; 11] =
    ["tick", "time", "agent", "name", "team", "x", "y", "z", "heading", "speed", "activity"];

/// A row of a table. The order of the fields is that of the columns.
#[derive(Serialize)]
pub(super) struct Line<'r> {
    pub(super) tick: u64,
    /// Seconds from the beginning.
    pub(super) time: f64,
    pub(super) agent: u32,
    pub(super) name: &'r str,
    pub(super) team: &'r str,
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) z: f32,
    /// In radians, from the x axis towards the z axis.
    pub(super) heading: f32,
    /// In metres a second.
    pub(super) speed: f32,
    pub(super) activity: &'r str,
    /// The animations that are played at that speed, if clips were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) animation: Option<Animation>,
}

/// The animations of a body.
#[derive(Serialize)]
pub(super) struct Animation {
    /// The share of each clip, in their order.
    weights: Vec<f32>,
    /// The factor on the clips' own pace.
    playback: f32,
}

impl Animation {
    pub(super) fn at(clips: &BlendTree, speed: f32) -> Self {
        let weights = clips.weights(speed);
        let of = |(clip, _)| weights.of(clip);
        let shares = clips.clips().iter().enumerate().map(of).collect();
        Self { weights: shares, playback: weights.playback }
    }

    /// As a film shows them.
    pub(super) fn gait(self) -> Gait {
        Gait { weights: self.weights, playback: self.playback }
    }
}

/// All rows of a recording with their names.
pub(super) fn lines<'r>(
    simulation: &'r dyn SimulationSession,
    recording: &'r Recording,
    clips: Option<&'r BlendTree>,
) -> impl Iterator<Item = Line<'r>> {
    // The number that the scene has, not its neighbour in single precision.
    let tick_seconds = simulation.settings().tick_seconds;
    let tick_seconds = tick_seconds.to_string().parse().unwrap_or(f64::from(tick_seconds));
    recording.rows.iter().map(move |row: &Row| {
        let walk = recording.walks.get(row.agent as usize);
        let team = walk.and_then(|walk| simulation.teams().get(usize::from(walk.team)));
        let activity = recording.activities.get(row.activity as usize);
        Line {
            tick: row.tick,
            time: (row.tick as f64 * tick_seconds * 1e6).round() / 1e6,
            agent: row.agent,
            name: walk.map_or("", |walk| &walk.name),
            team: team.map_or("", String::as_str),
            x: row.at.x,
            y: row.at.y,
            z: row.at.z,
            heading: row.heading,
            speed: row.speed,
            activity: activity.map_or("", String::as_str),
            animation: clips.map(|clips| Animation::at(clips, row.speed)),
        }
    })
}

/// Writes the rows as comma-separated values with a heading (RFC 4180).
pub(super) fn write_csv(
    file: &Path,
    simulation: &dyn SimulationSession,
    recording: &Recording,
    clips: Option<&BlendTree>,
) -> Result<(), Failure> {
    let unencoded = |error: csv::Error| Failure::Unencoded {
        path: file.to_path_buf(),
        problem: error.to_string(),
    };
    let mut table =
        csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    let mut columns: Vec<String> = COLUMNS.map(str::to_owned).to_vec();
    if let Some(clips) = clips {
        columns.extend(clips.clips().iter().map(|clip| format!("weight_{}", clip.name)));
        columns.push("playback".to_owned());
    }
    table.write_record(&columns).map_err(unencoded)?;
    for line in lines(simulation, recording, clips) {
        let Line { tick, time, agent, name, team, x, y, z, heading, speed, activity, animation } =
            line;
        let [tick, agent] = [tick, u64::from(agent)].map(|number| number.to_string());
        let time = time.to_string();
        let [x, y, z, heading, speed] = [x, y, z, heading, speed].map(|number| number.to_string());
        let (tick, time, agent) = (tick.as_str(), time.as_str(), agent.as_str());
        let record = [tick, time, agent, name, team, &x, &y, &z, &heading, &speed, activity];
        let numbers = animation.map(|Animation { weights, playback }| (weights, playback));
        let numbers = numbers.into_iter().flat_map(|(weights, playback)| {
            weights.into_iter().chain([playback]).map(|number| number.to_string())
        });
        let record = record.into_iter().map(str::to_owned).chain(numbers);
        table.write_record(record.collect::<Vec<String>>()).map_err(unencoded)?;
    }
    let text = table.into_inner().map_err(|error| unencoded(error.into_error().into()))?;
    write_whole(file, &text).map_err(Failure::Unwritten)
}

/// The document of a `.json` file.
#[derive(Serialize)]
struct Document<'r> {
    scene: &'r str,
    tick_seconds: f32,
    seed: u64,
    /// The animation clips by name, in the order of their weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    clips: Option<Vec<&'r str>>,
    rows: Vec<Line<'r>>,
}

/// Writes the rows as one JSON document.
pub(super) fn write_json(
    file: &Path,
    simulation: &dyn SimulationSession,
    recording: &Recording,
    clips: Option<&BlendTree>,
) -> Result<(), Failure> {
    let settings = simulation.settings();
    let document = Document {
        scene: &simulation.scene().scene.name,
        tick_seconds: settings.tick_seconds,
        seed: settings.seed,
        clips: clips.map(|clips| clips.clips().iter().map(|clip| clip.name.as_str()).collect()),
        rows: lines(simulation, recording, clips).collect(),
    };
    let bytes = serde_json::to_vec(&document).map_err(|error| Failure::Unencoded {
        path: file.to_path_buf(),
        problem: error.to_string(),
    })?;
    write_whole(file, &bytes).map_err(Failure::Unwritten)
}

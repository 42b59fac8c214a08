//! Trajectories as tables: where each agent was after each tick. They grow while the simulation
//! runs, so that a long one takes no memory.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use wayfare::agent::BlendTree;
use wayfare_draw::Gait;
use wayfare_file::WholeFile;
use wayfare_site::SimulationSession;

use super::drive::Walk;
use super::jupedsim::TextTable;
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

    /// Converts it to a film's form.
    pub(super) fn gait(self) -> Gait {
        Gait { weights: self.weights, playback: self.playback }
    }
}

/// A file that a table is written to, row by row. It appears once it is finished.
pub(super) trait Table {
    /// Begins a tick; its rows follow.
    fn begin(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn add(&mut self, line: &Line<'_>) -> io::Result<()>;

    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// The tables that were asked for.
#[derive(Default)]
pub(super) struct Tables {
    tables: Vec<(PathBuf, Box<dyn Table>)>,
    clips: Option<BlendTree>,
}

impl Tables {
    /// Begins a table for each of the files that is one, by its extension.
    pub(super) fn create(
        files: &[PathBuf],
        simulation: &dyn SimulationSession,
        clips: Option<&BlendTree>,
    ) -> Result<Self, Failure> {
        let mut tables: Vec<(PathBuf, Box<dyn Table>)> = Vec::new();
        for path in files {
            let begun = |file: io::Result<WholeFile>| file.map_err(failed(path));
            let create = || begun(WholeFile::create(path));
            let table: Box<dyn Table> = match super::run::extension(path).as_str() {
                "csv" => Box::new(CsvTable::new(create()?, clips).map_err(failed(path))?),
                "json" => {
                    let table = JsonTable::new(create()?, simulation, clips);
                    Box::new(table.map_err(failed(path))?)
                }
                #[cfg(feature = "parquet")]
                "parquet" => {
                    Box::new(super::parquet::ParquetTable::new(create()?).map_err(failed(path))?)
                }
                "txt" => Box::new(TextTable::new(create()?, simulation).map_err(failed(path))?),
                #[cfg(feature = "sqlite")]
                "sqlite" => {
                    let table = super::jupedsim::SqliteTable::new(create()?, simulation);
                    Box::new(table.map_err(failed(path))?)
                }
                _ => continue,
            };
            tables.push((path.clone(), table));
        }
        Ok(Self { tables, clips: clips.cloned() })
    }

    /// Adds a row for each agent, as it is now. `walks`: by agent, for their names.
    pub(super) fn add(
        &mut self,
        simulation: &dyn SimulationSession,
        walks: &[Walk],
    ) -> Result<(), Failure> {
        if self.tables.is_empty() {
            return Ok(());
        }
        let tick = simulation.now();
        let time = (tick as f64 * tick_seconds(simulation) * 1e6).round() / 1e6;
        let mut begun = self.tables.iter_mut();
        begun.try_for_each(|(path, table)| table.begin().map_err(failed(path)))?;
        let mut done = Ok(());
        simulation.for_each_agent(&mut |agent| {
            if done.is_err() {
                return;
            }
            let occupation = simulation.occupation(agent.agent);
            let activity = occupation.map(|occupation| occupation.text).unwrap_or_default();
            let walk = walks.get(agent.agent as usize);
            let team = walk.and_then(|walk| simulation.teams().get(usize::from(walk.team)));
            let [x, y, z] = agent.position;
            let line = Line {
                tick,
                time,
                agent: agent.agent,
                name: walk.map_or("", |walk| &walk.name),
                team: team.map_or("", String::as_str),
                x,
                y,
                z,
                heading: agent.heading,
                speed: agent.speed,
                activity: &activity,
                animation: self.clips.as_ref().map(|clips| Animation::at(clips, agent.speed)),
            };
            let mut add = self.tables.iter_mut();
            done = add.try_for_each(|(path, table)| table.add(&line).map_err(failed(path)));
        });
        done
    }

    /// Finishes all tables, which then appear.
    pub(super) fn finish(self) -> Result<(), Failure> {
        let mut all = self.tables.into_iter();
        all.try_for_each(|(path, table)| table.finish().map_err(failed(&path)))
    }
}

/// Returns the seconds of a tick: the scene's decimal value, not its neighbour in single precision.
pub(super) fn tick_seconds(simulation: &dyn SimulationSession) -> f64 {
    let seconds = simulation.settings().tick_seconds;
    seconds.to_string().parse().unwrap_or(f64::from(seconds))
}

fn failed(path: &Path) -> impl Fn(io::Error) -> Failure {
    move |error| {
        let problem = format!("writing the file failed: {error}");
        Failure::Unencoded { path: path.to_path_buf(), problem }
    }
}

/// Comma-separated values with a heading (RFC 4180).
struct CsvTable(csv::Writer<WholeFile>);

impl CsvTable {
    fn new(file: WholeFile, clips: Option<&BlendTree>) -> io::Result<Self> {
        let mut table =
            csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(file);
        let mut columns: Vec<String> = COLUMNS.map(str::to_owned).to_vec();
        if let Some(clips) = clips {
            columns.extend(clips.clips().iter().map(|clip| format!("weight_{}", clip.name)));
            columns.push("playback".to_owned());
        }
        table.write_record(&columns)?;
        Ok(Self(table))
    }
}

impl Table for CsvTable {
    fn add(&mut self, line: &Line<'_>) -> io::Result<()> {
        let Line { tick, time, agent, name, team, x, y, z, heading, speed, activity, animation } =
            line;
        let [tick, agent] = [*tick, u64::from(*agent)].map(|number| number.to_string());
        let time = time.to_string();
        let [x, y, z, heading, speed] = [x, y, z, heading, speed].map(ToString::to_string);
        let (tick, time, agent) = (tick.as_str(), time.as_str(), agent.as_str());
        let record = [tick, time, agent, name, team, &x, &y, &z, &heading, &speed, activity];
        for field in record {
            self.0.write_field(field)?;
        }
        if let Some(Animation { weights, playback }) = animation {
            for number in weights.iter().chain([playback]) {
                self.0.write_field(number.to_string())?;
            }
        }
        // Ends the record.
        Ok(self.0.write_record(None::<&[u8]>)?)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.0.into_inner().map_err(csv::IntoInnerError::into_error)?.finish()
    }
}

/// One JSON document: fields of all rows, then the rows.
struct JsonTable {
    file: WholeFile,
    is_begun: bool,
}

/// The fields of a `.json` file that all rows share. After it comes the field `rows`, a list of
/// [`Line`]s.
#[derive(Serialize)]
struct Document<'r> {
    scene: &'r str,
    tick_seconds: f32,
    seed: u64,
    /// The animation clips by name, in the order of their weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    clips: Option<Vec<&'r str>>,
}

impl JsonTable {
    fn new(
        mut file: WholeFile,
        simulation: &dyn SimulationSession,
        clips: Option<&BlendTree>,
    ) -> io::Result<Self> {
        let settings = simulation.settings();
        let document = serde_json::to_string(&Document {
            scene: &simulation.scene().scene.name,
            tick_seconds: settings.tick_seconds,
            seed: settings.seed,
            clips: clips.map(|clips| clips.clips().iter().map(|clip| clip.name.as_str()).collect()),
        })?;
        // It has fields already, and stays open for one more.
        let open = document.strip_suffix('}').unwrap_or_default();
        write!(file, "{open},\"rows\":[")?;
        Ok(Self { file, is_begun: false })
    }
}

impl Table for JsonTable {
    fn add(&mut self, line: &Line<'_>) -> io::Result<()> {
        if self.is_begun {
            self.file.write_all(b",")?;
        }
        self.is_begun = true;
        Ok(serde_json::to_writer(&mut self.file, line)?)
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.file.write_all(b"]}")?;
        self.file.finish()
    }
}
